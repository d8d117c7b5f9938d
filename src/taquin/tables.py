"""The lookups that searches use: exact distances, walking distance and pattern databases.

Small ones are quick to build and kept in memory, the ones used last. They depend on the shape and
on the cell of the goal's blank only, since tiles can be renamed (`goals.canonical`). Pattern
databases, and the exact distances of 12-cell boards, are stored on disk: see `store`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from numbers import Integral
from typing import Any, TypeVar

from . import _native, partitions, store
from .board import Board
from .errors import OptionError, TableError, UnknownNameError
from .goals import blank_last, snail
from .heartbeat import Hook
from .recipes import Exact, Pattern, Placement, place
from .store import Say, quiet

EXACT_CELLS = 10
"""The largest boards whose exact table is kept in memory."""

STORED_EXACT_CELLS = 12
"""The largest boards that can have an exact table at all; it is stored on disk."""

_SMALL_CELLS = 16
_PARTITIONS = 2
"""How many partitions a search looks up beyond this size: a third one takes more time for each
expansion than it saves. Smaller boards learn of all their moves from one word of each table."""

_MOST_KEPT = 16

Key = tuple[int, int, int]
"""Rows, columns and the cell of the goal's blank."""

T = TypeVar("T")

EXACT = "exact"
SETS = (*partitions.NAMES, EXACT)
"""What can be stored on disk."""

NAMES = ("auto", "exact", "walking", "none", *partitions.NAMES)


def check_name(name: str) -> str:
    """The name of a table set, if there is one of that name."""
    if name not in NAMES:
        raise UnknownNameError("table set", name, NAMES)
    return name


def exact(goal: Board, hook: Hook | None = None) -> _native.DistanceTable:
    """The distances of all boards that reach a goal, for boards of at most 10 cells.

    `hook` is called about every 50 ms while the table is built; what it raises ends that.
    """
    if len(goal) > EXACT_CELLS:
        raise OptionError(
            f"exact tables are for boards of at most {EXACT_CELLS} cells, "
            f"not {goal.rows}×{goal.cols}"
        )

    def build(rows: int, cols: int, blank: int) -> _native.DistanceTable:
        return _native.DistanceTable(rows, cols, blank, hook)

    return _kept(_exact, goal, build)


def walking(goal: Board, hook: Hook | None = None) -> _native.WalkingDistance:
    """The walking-distance table of a goal, for shapes where it is of reasonable size."""
    table = find_walking(goal, hook)
    if table is None:
        raise OptionError(
            f"the walking-distance table of {goal.rows}×{goal.cols} boards is too large; "
            "as heuristic use linear-conflict, as tables auto or none"
        )
    return table


def find_walking(goal: Board, hook: Hook | None = None) -> _native.WalkingDistance | None:
    """The same, or None where it would be too large."""

    def build(rows: int, cols: int, blank: int) -> _native.WalkingDistance | None:
        try:
            return _native.WalkingDistance(rows, cols, blank, hook)
        except _native.WalkingTooLarge:
            return None

    return _kept(_walking, goal, build)


def multi(goal: Board) -> _native.MultiTables:
    """The tables of the multi-tile metric, which fill up as searches need them."""
    return _kept(_multi, goal, _native.MultiTables)


_exact: dict[Key, _native.DistanceTable] = {}
_multi: dict[Key, _native.MultiTables] = {}
_walking: dict[Key, _native.WalkingDistance | None] = {}


def _kept(shelf: dict[Key, T], goal: Board, build: Callable[[int, int, int], T]) -> T:
    """A table from the shelf, or a new one, for which the oldest must go if there are many."""
    key = (goal.rows, goal.cols, goal.blank)
    if key not in shelf:
        table = build(*key)
        while len(shelf) >= _MOST_KEPT:
            shelf.pop(next(iter(shelf)), None)
        shelf[key] = table
    return shelf[key]


# --- stored on disk -----------------------------------------------------------------------------

Recipe = Pattern | Exact


@dataclass(frozen=True, slots=True)
class OpenPattern:
    """A pattern of a goal, with the table that it is looked up in."""

    placement: Placement
    table: Any

    def value(self, cells: Sequence[int], blank: int) -> int:
        """The least moves of the pattern's tiles, given where the tile of each home cell is."""
        symmetry, homes = self.placement.symmetry.cells, self.placement.homes
        return int(self.table.value([symmetry[cells[home]] for home in homes], symmetry[blank]))


@dataclass(frozen=True, slots=True, eq=False)
class PatternSet:
    """Partitions whose tables are at hand. The value of a board is the best of their sums."""

    name: str
    partitions: tuple[tuple[OpenPattern, ...], ...]
    size: int = 0
    """Bytes of its tables."""
    warning: str = ""
    """Why the tables could not be stored; empty if they are."""

    def value(self, board: Board, goal: Board) -> int:
        """No solution of the board has fewer moves."""
        place_of = {tile: cell for cell, tile in enumerate(board.tiles)}
        cells = [place_of[tile] for tile in goal.tiles]
        sums = (
            sum(pattern.value(cells, board.blank) for pattern in part) for part in self.partitions
        )
        return max(sums, default=0)


def for_search(found: PatternSet, goal: Board) -> _native.Patterns:
    """The partitions as the native search wants them."""
    return _for_search(found, goal.rows, goal.cols, goal.blank)


@lru_cache(maxsize=_MOST_KEPT)
def _for_search(found: PatternSet, rows: int, cols: int, blank: int) -> _native.Patterns:
    homes = [cell for cell in range(rows * cols) if cell != blank]
    tile_of = {cell: tile for tile, cell in enumerate(homes, 1)}

    def use(pattern: OpenPattern) -> tuple[Any, list[int], tuple[int, ...]]:
        placement = pattern.placement
        tiles = [tile_of[home] for home in placement.homes]
        return pattern.table, tiles, placement.symmetry.cells

    return _native.Patterns(
        rows, cols, blank, [[use(pattern) for pattern in part] for part in found.partitions]
    )


@cache
def move_pruning() -> _native.MovePruning:
    """The automaton that leaves out moves which only lead to the same boards."""
    return _native.MovePruning()


def recipes(goal: Board, name: str, only: Sequence[int] = ()) -> tuple[Recipe, ...]:
    """The tables of a set, each once; `OptionError` if there is no such set for the goal.

    `only` gives the numbers of the partitions that matter, if these are not all.
    """
    return (_exact_recipe(goal),) if name == EXACT else _layout(goal, name, only).patterns


def set_names(goal: Board) -> list[str]:
    """The sets that can be stored for a goal.

    >>> from taquin import goals
    >>> set_names(goals.blank_last(3, 4))
    ['default', 'exact']
    """
    stored_exact = EXACT_CELLS < len(goal) <= STORED_EXACT_CELLS
    return [*partitions.sets(*goal.shape, goal.blank), *([EXACT] if stored_exact else [])]


def find(goal: Board, name: str, hook: Hook | None = None) -> PatternSet | None:
    """A set of pattern databases, if all of it is on disk and sound. Nothing is built."""
    layout = _layout(goal, name)
    found = tuple(store.find(pattern, hook) for pattern in layout.patterns)
    return None if None in found else _pattern_set(layout, found)


def opened(goal: Board, name: str, most_bytes: int) -> PatternSet | None:
    """A set that this process has open and that is not larger; of `auto`, the largest such set."""
    for each in _largest_first(goal) if name == "auto" else (name,):
        layout = _layout(goal, each)
        found = store.opened(layout.patterns)
        if found is not None and _size(layout) <= most_bytes:
            return _pattern_set(layout, found)
    return None


def obtain(
    goal: Board,
    name: str,
    hook: Hook | None = None,
    *,
    only: Sequence[int] = (),
    threads: int | None = None,
    say: Say = quiet,
) -> PatternSet:
    """A set of pattern databases, or some of its partitions, from disk or else built and stored.

    Those that can't be stored are built in memory, and the set's `warning` says why. `threads` is
    the number of cores, if not given; `hook` and `say` are as in `store.obtain`.
    """
    warnings: list[str] = []
    layout = _layout(goal, name, only)
    found = tuple(_obtain(pattern, hook, threads, say, warnings) for pattern in layout.patterns)
    return _pattern_set(layout, found, *warnings[:1])


def best_at_hand(
    goal: Board, hook: Hook | None = None, *, most_bytes: int | None = None
) -> PatternSet | None:
    """The largest set that is on disk and sound; None if there is none. Nothing is built.

    One of more than `most_bytes` is not even opened.
    """
    for name in _largest_first(goal):
        store.beat(hook)
        fits = most_bytes is None or _size(_layout(goal, name)) <= most_bytes
        store.beat(hook)
        found = find(goal, name, hook) if fits else None
        if found is not None:
            return found
    return None


def _largest_first(goal: Board) -> tuple[str, ...]:
    return _names_by_size(goal.rows, goal.cols, goal.blank)


@lru_cache(maxsize=_MOST_KEPT)
def _names_by_size(rows: int, cols: int, blank: int) -> tuple[str, ...]:
    """Sets to choose from are left out: a search that is soon over is not worth opening them."""
    known = reversed(partitions.sets(rows, cols, blank).items())
    return tuple(
        name
        for name, chosen in known
        if not must_choose(rows * cols, _mirrored(rows, cols, blank, chosen))
    )


def partition_count(goal: Board, name: str) -> int:
    """How many partitions a set has."""
    return len(_layout(goal, name).partitions)


def is_choice(goal: Board, name: str) -> bool:
    """Whether there is such a set, and it is one to choose from."""
    return name in partitions.sets(*goal.shape, goal.blank) and must_choose(
        len(goal), _layout(goal, name).partitions
    )


def must_choose(cells: int, known: Sequence[object]) -> bool:
    """Whether these are more partitions than a search of such boards looks up."""
    return len(known) > (_native.MAX_PARTITIONS if cells <= _SMALL_CELLS else _PARTITIONS)


def choice_at_hand(
    goal: Board, name: str, most_bytes: int, hook: Hook | None = None
) -> PatternSet | None:
    """A set to choose from, if it is on disk, sound and not larger."""
    if not is_choice(goal, name):
        return None
    planned = plan(goal, name)
    if planned.missing or planned.size > most_bytes:
        return None
    return find(goal, name, hook)


def best(
    goal: Board,
    hook: Hook | None = None,
    *,
    name: str = partitions.DEFAULT,
    most_bytes: int | None = None,
) -> PatternSet:
    """The largest set on disk, or else the one of this name, built if need be.

    It has no partitions where there is no set for the shape, or no memory for it.
    """
    found = best_at_hand(goal, hook, most_bytes=most_bytes)
    if found is not None:
        return found
    try:
        return obtain(goal, name, hook)
    except OptionError:
        return PatternSet("none", ())
    except TableError as error:
        return PatternSet("none", (), warning=str(error))


def find_exact(goal: Board, hook: Hook | None = None) -> Any | None:
    """The exact distances of a board of 11 or 12 cells, if they are on disk and sound."""
    return store.find(_exact_recipe(goal), hook)


def obtain_exact(
    goal: Board, hook: Hook | None = None, *, threads: int | None = None, say: Say = quiet
) -> Any:
    """The exact distances of a board of 11 or 12 cells, from disk or else built and stored.

    Where they can't be stored they are built in memory, and `say` is told.
    """
    warnings: list[str] = []
    table = _obtain(_exact_recipe(goal), hook, threads, say, warnings)
    for warning in warnings:
        say(warning)
    return table


def exact_layers(goal: Board) -> list[int] | None:
    """How many boards there are at each distance, if the exact distances are on disk."""
    header = store.header_of(_exact_recipe(goal))
    return None if header is None else list(header.facts["layers"])


# --- looking after them -------------------------------------------------------------------------

OFFERED = ((3, 4), (3, 5), (4, 4), (4, 5), (5, 5), (6, 6))
"""The shapes that are named to who looks for something to build; any other can be built, too."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A set of tables: what it takes to have it on disk."""

    goal: Board
    name: str
    recipes: tuple[Recipe, ...]
    missing: tuple[Recipe, ...]
    """Those that are not on disk, as far as headers tell."""

    @property
    def size(self) -> int:
        return _bytes(self.recipes)

    @property
    def missing_size(self) -> int:
        return _bytes(self.missing)

    @property
    def memory(self) -> int:
        """Bytes that it takes to build what is missing and to have all open."""
        return self.size + max((recipe.working_bytes() for recipe in self.missing), default=0)

    def seconds(self, threads: int) -> float:
        """About how long it takes to build what is missing."""
        return sum(expected_seconds(recipe, threads) for recipe in self.missing)

    def to_dict(self) -> dict[str, Any]:
        return {
            "rows": self.goal.rows,
            "cols": self.goal.cols,
            "blank": self.goal.blank,
            "set": self.name,
            "tables": [recipe.name for recipe in self.recipes],
            "missing": [recipe.name for recipe in self.missing],
            "bytes": self.size,
            "seconds": round(self.seconds(cores()), 1),
        }


def plan(goal: Board, name: str) -> Plan:
    """What it takes to have a set on disk."""
    needed = recipes(goal, name)
    return Plan(goal, name, needed, tuple(r for r in needed if store.header_of(r) is None))


def offers() -> list[Plan]:
    """The sets of the usual shapes, for the default goal."""
    targets = [blank_last(*shape) for shape in OFFERED]
    return [plan(goal, name) for goal in targets for name in set_names(goal)]


def uses() -> dict[str, list[str]]:
    """The sets of the default goal, or else of the snail, that use a table; for shapes on disk."""
    found: dict[str, list[str]] = {}
    identities = [entry.header.identity for entry in store.entries() if entry.header]
    for rows, cols in sorted({(i["rows"], i["cols"]) for i in identities if "rows" in i}):
        of_snail = _users(snail(rows, cols), " (snail)")
        found.update({**of_snail, **_users(blank_last(rows, cols))})
    return found


def _users(goal: Board, note: str = "") -> dict[str, list[str]]:
    users: dict[str, list[str]] = {}
    for name in set_names(goal):
        for recipe in recipes(goal, name):
            users.setdefault(recipe.name, []).append(name + note)
    return users


def stored_names(words: Sequence[str]) -> list[str]:
    """The tables on disk that are meant: by their names, or by a shape such as 4x4."""
    names = [entry.name for entry in store.entries()]
    chosen: dict[str, None] = {}
    for word in words:
        shape = re.fullmatch(r"(\d+)[x×](\d+)", word)
        sides = {shape[1] + "x" + shape[2], shape[2] + "x" + shape[1]} if shape else set()
        meant = [name for name in names if name == word or sides & set(name.split("-"))]
        if not meant:
            raise UnknownNameError("table", word, map(store.printable, names or ["none"]))
        chosen.update(dict.fromkeys(meant))
    return list(chosen)


def expected_seconds(recipe: Recipe, threads: int) -> float:
    """About how long it takes to build a table."""
    return recipe.entries() / (recipe.entries_per_second * threads)


def check_threads(threads: int) -> int:
    """How many threads, if the core takes so many."""
    if not (isinstance(threads, Integral) and 1 <= threads <= _native.MAX_THREADS):
        raise OptionError(f"threads must be 1 to {_native.MAX_THREADS}, not {threads}")
    return threads


def cores() -> int:
    """How many threads can run at once."""
    if hasattr(os, "sched_getaffinity"):
        available = len(os.sched_getaffinity(0))
    else:
        available = os.cpu_count() or 1
    return min(available, _native.MAX_THREADS)


_Partitions = tuple[tuple[Placement, ...], ...]

_in_memory: dict[Recipe, Any] = {}


def _obtain(
    recipe: Recipe, hook: Hook | None, threads: int | None, say: Say, warnings: list[str]
) -> Any:
    if recipe in _in_memory:
        return _in_memory[recipe]
    found = store.find(recipe, hook)
    if found is not None:
        return found
    threads = threads or cores()
    try:
        return store.obtain(recipe, threads=threads, hook=hook, say=say)
    except TableError as error:
        warnings.append(f"tables are kept in memory only: {error}")
        _in_memory[recipe] = store.make(recipe, threads=threads, hook=hook)
        return _in_memory[recipe]


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """A set, before its tables are opened."""

    name: str
    partitions: _Partitions
    patterns: tuple[Pattern, ...]
    """Each once, the small ones first: mirror images share their table."""


def _layout(goal: Board, name: str, only: Sequence[int] = ()) -> _Layout:
    return _laid_out(goal.rows, goal.cols, goal.blank, name, tuple(only))


@lru_cache(maxsize=256)
def _laid_out(rows: int, cols: int, blank: int, name: str, only: tuple[int, ...]) -> _Layout:
    known = partitions.sets(rows, cols, blank)
    if name not in known:
        have = f"there is {' and '.join(known)}" if known else "there are none"
        raise OptionError(f"no {name} tables for {rows}×{cols} boards: {have}")
    placed = _placed(rows, cols, blank, known[name])
    return _layout_of(name, tuple(placed[number] for number in only) if only else placed)


def _layout_of(name: str, placed: _Partitions) -> _Layout:
    patterns = {placement.pattern for partition in placed for placement in partition}
    ordered = sorted(patterns, key=lambda pattern: (len(pattern.cells), pattern.cells))
    return _Layout(name, placed, tuple(ordered))


@lru_cache(maxsize=256)
def _size(layout: _Layout) -> int:
    """Found once, as every solve asks for it."""
    return _bytes(layout.patterns)


def _bytes(recipes: Iterable[Recipe]) -> int:
    return sum(recipe.size() for recipe in recipes)


def _placed(
    rows: int, cols: int, blank: int, chosen: tuple[partitions.Partition, ...]
) -> _Partitions:
    return tuple(
        tuple(place(rows, cols, cells, blank) for cells in part)
        for part in _mirrored(rows, cols, blank, chosen)
    )


def _mirrored(
    rows: int, cols: int, blank: int, chosen: tuple[partitions.Partition, ...]
) -> list[partitions.Partition]:
    """The partitions of a set and their mirror images, which need no tables of their own."""
    return [part for each in chosen for part in partitions.with_mirror(rows, cols, blank, each)]


@lru_cache(maxsize=_MOST_KEPT)
def _pattern_set(layout: _Layout, found: tuple[Any, ...], warning: str = "") -> PatternSet:
    """One for the same tables: every solve asks for it, and to compare two takes long."""
    table_of = dict(zip(layout.patterns, found, strict=True))
    opened = tuple(
        tuple(OpenPattern(p, table_of[p.pattern]) for p in part) for part in layout.partitions
    )
    return PatternSet(layout.name, opened, _size(layout), warning)


def _exact_recipe(goal: Board) -> Exact:
    if not EXACT_CELLS < len(goal) <= STORED_EXACT_CELLS:
        raise OptionError(
            f"exact tables on disk are for boards of {EXACT_CELLS + 1} and {STORED_EXACT_CELLS} "
            f"cells, not {goal.rows}×{goal.cols}"
        )
    return Exact(goal.rows, goal.cols, goal.blank)
