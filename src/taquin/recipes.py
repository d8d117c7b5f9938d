"""The tables that are worth storing: what identifies each, how large it is, how it is made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from . import _native
from .board import slides
from .heartbeat import Hook
from .symmetry import Symmetry, symmetries

_LAYOUT = 5
_LAYOUT_OF_FALLS = 3
_LAYOUT_OF_DISTANCES = 2
"""Each grows when the core changes how it lays out tables, so that older ones are built anew:
patterns, those of small boards, and exact distances."""

_MOST_CELLS_OF_FALLS = 16

_WORKING_BITS = 2
"""The most that the search for exact distances remembers of each board."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern database: the least moves of a few tiles to their home cells.

    `cells` are the home cells, in order. `blank` stands for the blank's home: it is the first cell
    to which the blank can go from there while all of them are at home. Patterns that are mirror
    images have the same table, so only the first of them is ever built: see `place`.
    """

    rows: int
    cols: int
    cells: tuple[int, ...]
    blank: int

    kind = "pattern"

    @property
    def name(self) -> str:
        """
        >>> Pattern(4, 4, (1, 2, 5), 0).name
        'pattern-4x4-1-2-5-blank-0'
        """
        cells = "-".join(map(str, self.cells))
        return f"pattern-{self.rows}x{self.cols}-{cells}-blank-{self.blank}"

    @property
    def has_falls(self) -> bool:
        """Whether its table has a bit for each slide instead of each place."""
        return self.rows * self.cols <= _MOST_CELLS_OF_FALLS

    @property
    def entries_per_second(self) -> float:
        """What one core of an ordinary machine builds."""
        return 5e7 if self.has_falls else 2.2e7

    def identity(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "rows": self.rows,
            "cols": self.cols,
            "cells": list(self.cells),
            "blank": self.blank,
            "layout": _LAYOUT_OF_FALLS if self.has_falls else _LAYOUT,
        }

    def size(self) -> int:
        return _sizes(self).table

    def working_bytes(self) -> int:
        return _sizes(self).working

    def entries(self) -> int:
        return _sizes(self).places

    def build(self, out: memoryview, threads: int, hook: Hook | None) -> dict[str, Any]:
        _native.build_pattern(self.rows, self.cols, self.blank, self.cells, out, threads, hook)
        return {}

    def load(self, payload: memoryview) -> Any:
        space = _space(self.rows, self.cols, len(self.cells))
        return _native.PatternTable(space, self.blank, self.cells, payload)


@dataclass(frozen=True, slots=True)
class Exact:
    """The exact distances of all boards of 11 or 12 cells to a goal."""

    rows: int
    cols: int
    blank: int

    kind = "exact"
    entries_per_second = 6e7

    @property
    def name(self) -> str:
        """
        >>> Exact(3, 4, 11).name
        'exact-3x4-blank-11'
        """
        return f"exact-{self.rows}x{self.cols}-blank-{self.blank}"

    def identity(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "rows": self.rows,
            "cols": self.cols,
            "blank": self.blank,
            "layout": _LAYOUT_OF_DISTANCES,
        }

    def size(self) -> int:
        return _native.exact_bytes(self.rows, self.cols)

    def working_bytes(self) -> int:
        return _WORKING_BITS * self.entries() // 8

    def entries(self) -> int:
        return math.factorial(self.rows * self.cols) // 2

    def build(self, out: memoryview, threads: int, hook: Hook | None) -> dict[str, Any]:
        layers = _native.build_exact(self.rows, self.cols, self.blank, out, threads, hook)
        return {"layers": layers}

    def load(self, payload: memoryview) -> Any:
        return _native.ExactTable(self.rows, self.cols, self.blank, payload)


class _Sizes(NamedTuple):
    places: int
    table: int
    working: int


@lru_cache(maxsize=256)
def _sizes(pattern: Pattern) -> _Sizes:
    """How many places there are of a pattern's tiles and the blank, and the bytes they take."""
    space = _space(pattern.rows, pattern.cols, len(pattern.cells))
    table = space.table_bytes(pattern.blank, pattern.cells)
    return _Sizes(space.places, table, space.working_bytes)


@lru_cache(maxsize=4)
def _space(rows: int, cols: int, tiles: int) -> _native.PatternSpace:
    """What all tables of as many tiles have in common, several megabytes of it."""
    return _native.PatternSpace(rows, cols, tiles)


class Placement(NamedTuple):
    """How a pattern of a goal is looked up in the table of its first mirror image."""

    pattern: Pattern
    symmetry: Symmetry
    """Where each cell of the board lies in the table's board."""
    homes: tuple[int, ...]
    """The home cells in the goal, in the order in which the table wants its tiles."""


def place(rows: int, cols: int, cells: tuple[int, ...], blank: int) -> Placement:
    """The table for a pattern, given by its and the blank's home cells, and the way into it.

    >>> place(4, 3, (10, 11), 0).pattern
    Pattern(rows=3, cols=4, cells=(0, 4), blank=1)
    """

    def image(symmetry: Symmetry) -> Pattern:
        images = symmetry.image(cells)
        first = min(_region(symmetry, frozenset(images), symmetry.cells[blank]))
        return Pattern(symmetry.rows, symmetry.cols, images, first)

    def rank(symmetry: Symmetry) -> tuple[int, int, tuple[int, ...], int]:
        pattern = image(symmetry)
        return pattern.rows, pattern.cols, pattern.cells, pattern.blank

    symmetry = min(symmetries(rows, cols), key=rank)
    pattern = image(symmetry)
    homes = tuple(symmetry.cells.index(home) for home in pattern.cells)
    return Placement(pattern, symmetry, homes)


def _region(shape: Symmetry, taken: frozenset[int], start: int) -> set[int]:
    """The cells to which a blank can go while some cells are taken."""
    seen, border = {start}, [start]
    while border:
        blank = border.pop()
        beside = set(slides(shape.rows, shape.cols)[blank].values()) - taken - seen
        seen |= beside
        border += beside
    return seen
