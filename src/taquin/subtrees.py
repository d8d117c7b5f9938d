"""Parts of one optimal search, each of which any process can do: plain values in and out.

A search within a bound is divided into subtrees, each named by the path to its root. Beside looking
for answers, a part keeps boards just beyond the bound, from which the search then looks on.
"""

from __future__ import annotations

import socket
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _native, goals, knowledge
from .board import Board
from .errors import ClusterError
from .heartbeat import Cancel, Stopped, surrounding
from .knowledge import Knowledge

Ways = list[tuple[int, bytes]]
"""To boards just beyond a bound, by their h: a byte for each move, one way after the other."""

_BUNDLE = 2000
"""Boards of a fringe that are searched on from in one go."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Boards just beyond a bound, all with the same h."""

    h: int
    count: int
    packed: bytes


@dataclass(frozen=True, slots=True)
class Portion:
    """What came of a part of the search."""

    moves: str | None
    """A solution within the bound."""
    sizes: list[int]
    """Boards expanded in each subtree that is done, in order."""
    rest: list[str]
    """What is left of the next subtree, if that was begun."""
    fringe: list[Bundle]
    expanded: int
    generated: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Search:
    """One optimal search, as its parts are told of it."""

    board: Board
    goal: Board
    tables: str
    chosen: tuple[int, ...]
    """The partitions of that set, if these are not all."""
    checksums: dict[str, int]
    """Of the tables of who hands out the parts: with others the parts would not fit together."""
    cancel: Cancel

    def search(
        self,
        paths: Sequence[str],
        bound: int,
        fringe: int,
        most_fringe: int,
        reach: int,
        most: int,
    ) -> Portion:
        """Search subtrees within a bound, up to so many expansions."""
        known = self._knowledge()
        return self._timed(
            known,
            _native.search_subtrees,
            list(paths),
            bound,
            fringe=fringe,
            most_fringe=most_fringe,
            reach=reach,
            max_expanded=most,
        )

    def look_on(self, bundles: Sequence[Bundle], bound: int, most: int | None) -> Portion:
        """Search on from boards beyond the bound before this one."""
        fringe: dict[int, bytes] = {}
        for bundle in bundles:
            fringe[bundle.h] = fringe.get(bundle.h, b"") + zlib.decompress(bundle.packed)
        known = self._knowledge()
        return self._timed(known, _native.look_on, sorted(fringe.items()), bound, max_expanded=most)

    def _timed(self, known: Knowledge, search: Any, *args: Any, **options: Any) -> Portion:
        began = time.perf_counter()
        found = search(
            *self.goal.shape,
            self.goal.blank,
            goals.canonical(self.board, self.goal),
            *args,
            **known.options,
            **options,
            hook=self._hook,
        )
        seconds = time.perf_counter() - began
        bound = args[1]
        bundles = list(bundled(found.fringe, bound + 2))
        return Portion(
            found.moves, found.sizes, found.rest, bundles, found.expanded, found.generated, seconds
        )

    def _knowledge(self) -> Knowledge:
        with _one_at_a_time:
            known = knowledge.obtain(self.goal, self.tables, self.chosen, self._beat)
        mine = knowledge.checksums(self.goal, self.tables, self.chosen)
        for name, checksum in self.checksums.items():
            if mine.get(name, checksum) != checksum:
                raise ClusterError(
                    f"{socket.gethostname()} has another table {name} than where the run began"
                )
        return known

    def _hook(self, *counts: float) -> bool:
        outside = surrounding()
        return self.cancel.is_set() or (outside is not None and outside.is_set())

    def _beat(self, *counts: float) -> bool:
        if self._hook():
            raise Stopped("cancelled", "")
        return False


_MOST_LOOKED_AT = 100_000
"""So many boards of a fringe, and few more, tell the order of the subtrees in a moment."""

_AS_NUMBERS = {ord(letter): number for number, letter in enumerate("UDLR")}
"""Moves as they are packed."""

_one_at_a_time = threading.Lock()
"""Threads of one process share their tables, so only the first one makes them."""


def bundled(fringe: Ways, bound: int) -> Iterator[Bundle]:
    """Ways to boards beyond a bound, as they travel."""
    for h, paths in fringe:
        length = bound - h
        for start in range(0, len(paths), _BUNDLE * length):
            part = paths[start : start + _BUNDLE * length]
            yield Bundle(h, len(part) // length, zlib.compress(part, 1))


@dataclass(slots=True)
class Fringe:
    """Boards just beyond a bound, gathered from all parts: those of the least h that suffice."""

    enough: int
    """With so many no farther ones are wanted, but all of the same h;"""
    most: int
    """they may be more, but never more than this."""
    farthest: int
    """The greatest h that is wanted."""
    bundles: dict[int, list[tuple[Any, Bundle]]] = field(default_factory=dict)
    size: int = 0

    def add(self, bundles: Sequence[Bundle], place: Any) -> None:
        """From a part of the search, whose place in it puts them in order."""
        for bundle in bundles:
            if bundle.h <= self.farthest:
                self.bundles.setdefault(bundle.h, []).append((place, bundle))
                self.size += bundle.count
        while self.size - self._count(self.farthest) >= self.enough or self.size > self.most:
            self.size -= self._count(self.farthest)
            self.bundles.pop(self.farthest, None)
            self.farthest -= 1

    def _count(self, h: int) -> int:
        return sum(bundle.count for _, bundle in self.bundles.get(h, ()))

    def roots_in_order(self, paths: Sequence[str], bound: int) -> Iterator[int]:
        """The numbers of the subtrees at the ends of paths, as far as boards below them are kept.

        Those with the boards nearest to the goal come first, where an answer is likely.
        """
        unseen = {path.translate(_AS_NUMBERS).encode(): number for number, path in enumerate(paths)}
        depth, looked_at = len(paths[0]), 0
        for bundle in self.in_order():
            ways = zlib.decompress(bundle.packed)
            for begin in range(0, len(ways), bound - bundle.h):
                number = unseen.pop(ways[begin : begin + depth], None)
                if number is not None:
                    yield number
            looked_at += bundle.count
            if looked_at > _MOST_LOOKED_AT:
                break

    def nearest(self, most: int) -> Ways:
        """The ways to about so many boards, those nearest to the goal."""
        ways: dict[int, bytearray] = {}
        for bundle in self.in_order():
            most -= bundle.count
            if most < 0:
                break
            ways.setdefault(bundle.h, bytearray()).extend(zlib.decompress(bundle.packed))
        return [(h, bytes(same)) for h, same in ways.items()]

    def in_order(self) -> Iterator[Bundle]:
        """Those nearest to the goal first."""
        for h in sorted(self.bundles):
            for _, bundle in sorted(self.bundles[h], key=lambda entry: entry[0]):
                yield bundle
