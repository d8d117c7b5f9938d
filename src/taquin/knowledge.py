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
    pruned: int = 0
    """How long the sequences are that the automaton knows, where moves are pruned."""
    chosen: tuple[int, ...] = ()
    """The numbers of the set's partitions, if these are not all."""
    choice: PatternSet | None = None
    """The set that a search may choose others from; None once it has."""

    @property
    def name(self) -> str:
        """The heuristic, as results name it."""
        plain = {NONE: "manhattan", WALKING: "walking-distance"}
        return plain.get(self.tables, f"patterns-{self.tables}")

    def prepare_for_long(self, hook: Hook) -> None:
        """What takes a moment, and saves more than that in a long search."""
        if self.pruned:
            self.pruned = tables.MORE_PRUNED_MOVES
            self.options["pruning"] = tables.move_pruning(self.pruned, hook)

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


def patterns(found: PatternSet, goal: Board, hook: Hook | None = None) -> Knowledge:
    """Pattern tables that are at hand; of a set to choose from, those to begin with."""
    pruned = tables.PRUNED_MOVES
    options = {
        "patterns": tables.for_search(found, goal),
        "pruning": tables.move_pruning(pruned, hook),
    }
    known = Knowledge(found.name, options, pruned)
    if tables.must_choose(found.partitions):
        known.choose(found, goal, choice.FIRST)
        known.choice = found
    return known


def obtain(
    goal: Board, name: str, pruned: int, chosen: Sequence[int] = (), hook: Hook | None = None
) -> Knowledge:
    """The same knowledge as another process has, by its name; tables that are missing are built."""
    if name == NONE:
        return plain()
    if name == WALKING:
        return walking(goal, hook)
    found = patterns(tables.obtain(goal, name, hook, only=chosen), goal, hook)
    if pruned != found.pruned:
        found.pruned = pruned
        found.options["pruning"] = tables.move_pruning(pruned, hook)
    return found


def checksums(goal: Board, name: str, chosen: Sequence[int] = ()) -> dict[str, int]:
    """The checksums of the stored tables of a set, as far as they are on disk."""
    if name in (NONE, WALKING):
        return {}
    recipes = tables.recipes(goal, name, chosen)
    headers = {recipe.name: store.header_of(recipe) for recipe in recipes}
    return {name: header.checksum for name, header in headers.items() if header is not None}
