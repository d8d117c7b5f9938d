"""What a search knows beside the board: tables, by a name under which any process can have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import choice, store, tables
from .board import Board
from .heartbeat import Hook
from .tables import PatternSet

NONE, WALKING = "none", "walking"


@dataclass(slots=True)
class Knowledge:
    """The tables of a search and their name; `options` is what the native search is given."""

    tables: str
    """A set of pattern tables, `walking`, or `none`."""
    options: dict[str, Any]
    chosen: tuple[int, ...] = ()
    """The numbers of the set's partitions, if these are not all."""
    choice: PatternSet | None = None
    """The set that a search may choose others from; None once it has."""

    @property
    def name(self) -> str:
        """The heuristic, as results name it."""
        plain = {NONE: "manhattan", WALKING: "walking-distance"}
        return plain.get(self.tables, f"patterns-{self.tables}")

    @property
    def has_patterns(self) -> bool:
        return "patterns" in self.options

    def choose(self, found: PatternSet, goal: Board, numbers: tuple[int, ...]) -> None:
        """Go on with these partitions of a set."""
        self.tables, self.chosen, self.choice = found.name, numbers, None
        self.options["patterns"] = tables.for_search(found, goal).only(numbers)


def plain() -> Knowledge:
    """Nothing, which leaves the Manhattan distance."""
    return Knowledge(NONE, {})


def walking(goal: Board, hook: Hook | None = None) -> Knowledge:
    """The walking distance; `OptionError` where its table would be too large."""
    return Knowledge(WALKING, {"walking": tables.walking(goal, hook)})


def patterns(found: PatternSet, goal: Board) -> Knowledge:
    """Pattern tables that are at hand; of a set to choose from, those to begin with."""
    options = {"patterns": tables.for_search(found, goal), "pruning": tables.move_pruning()}
    known = Knowledge(found.name, options)
    if tables.must_choose(len(goal), found.partitions):
        known.choose(found, goal, choice.FIRST)
        known.choice = found
    return known


def obtain(
    goal: Board, name: str, chosen: Sequence[int] = (), hook: Hook | None = None
) -> Knowledge:
    """The same knowledge as another process has, by its name; tables that are missing are built."""
    if name == NONE:
        return plain()
    if name == WALKING:
        return walking(goal, hook)
    return patterns(tables.obtain(goal, name, hook, only=chosen), goal)


def checksums(goal: Board, name: str, chosen: Sequence[int] = ()) -> dict[str, int]:
    """The checksums of the stored tables of a set, as far as they are on disk."""
    if name in (NONE, WALKING):
        return {}
    recipes = tables.recipes(goal, name, chosen)
    headers = {recipe.name: store.header_of(recipe) for recipe in recipes}
    return {name: header.checksum for name, header in headers.items() if header is not None}
