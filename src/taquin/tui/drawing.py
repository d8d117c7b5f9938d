"""Boards as lines of text at several tile sizes, and what fits where. Knows no colours, no screen.

A line is a list of spans. Each says which tile it belongs to and which part of it, so that whoever
shows it can colour it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from ..board import Board, Move, Shape

FACE, TOP, BOTTOM, LINE, GAP = "face", "top", "bottom", "line", "gap"
"""The parts: a tile and its lit and its shaded edge, the lines between tiles, and nothing."""

ARROWS = {Move.U: "↑", Move.D: "↓", Move.L: "←", Move.R: "→"}

_PLAIN, _HOME, _LIT = tuple("╭─╮│╰╯"), tuple("┏━┓┃┗┛"), tuple("╔═╗║╚╝")

_BIG = (
    "┏━┓╺┓ ╺━┓╺━┓╻ ╻┏━╸┏━╸╺━┓┏━┓┏━┓",
    "┃ ┃ ┃ ┏━┛ ━┫┗━┫┗━┓┣━┓  ┃┣━┫┗━┫",
    "┗━┛╺┻╸┗━╸╺━┛  ╹╺━┛┗━┛  ╹┗━┛╺━┛",
)
"""The digits, three rows high."""


class Span(NamedTuple):
    """Characters of one tile (0: of none) and of one of its parts."""

    text: str
    tile: int
    part: str


Lines = list[list[Span]]


@dataclass(frozen=True, slots=True)
class TileSize:
    """How many columns and rows a tile takes, and what is between two of them."""

    name: str
    height: int
    digit: int
    """Columns of a digit."""
    margin: int
    """Columns beside the number."""
    gap: int = 0
    """Columns between two tiles."""
    lines: bool = False
    """Whether lines run between the tiles and around them."""

    def width(self, digits: int) -> int:
        return digits * self.digit + self.margin

    def extent(self, shape: Shape) -> tuple[int, int]:
        """The columns and rows that a board takes.

        >>> [size.extent((4, 4)) for size in SIZES]
        [(67, 28), (51, 20), (35, 12), (21, 9), (16, 4)]
        """
        rows, cols = shape
        frame = int(self.lines)
        width = cols * (self.width(digits_of(shape)) + self.gap) - self.gap + 2 * frame
        return width, rows * (self.height + frame) + frame

    def cell_at(self, shape: Shape, x: int, y: int) -> int | None:
        """The cell that a place on the drawing belongs to; a gap belongs to the tile before it."""
        rows, cols = shape
        frame = int(self.lines)
        col = (x - frame) // (self.width(digits_of(shape)) + self.gap)
        row = (y - frame) // (self.height + frame)
        return row * cols + col if 0 <= row < rows and 0 <= col < cols else None


SIZES = (
    TileSize("giant", height=7, digit=3, margin=10, gap=1),
    TileSize("huge", height=5, digit=3, margin=6, gap=1),
    TileSize("large", height=3, digit=1, margin=6, gap=1),
    TileSize("small", height=1, digit=1, margin=2, gap=1, lines=True),
    TileSize("bare", height=1, digit=1, margin=2),
)
"""From the largest to the smallest."""


def digits_of(shape: Shape) -> int:
    """How many digits the largest tile has."""
    return len(str(shape[0] * shape[1] - 1))


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board to be drawn, with what is to be seen of it."""

    board: Board
    goal: Board
    size: TileSize
    outlined: bool = False
    """Drawn by lines and brackets instead of colours."""
    hint: Move | None = None
    """The move whose tile is marked."""
    hidden: bool = False
    """Whether the numbers are hidden."""
    glowing: int | None = None
    """The diagonal whose tiles are lit up."""

    def lines(self) -> Lines:
        """The whole board, line by line."""
        rows = [list(self._row(number)) for number in range(self.board.rows)]
        if not self.size.lines:
            return [line for row in rows for line in row]
        cell = "─" * self.size.width(digits_of(self.board.shape))
        cols = self.board.cols
        top, middle, bottom = (
            [Span(left + cross.join([cell] * cols) + right, 0, LINE)]
            for left, cross, right in map(tuple, ("┌┬┐", "├┼┤", "└┴┘"))
        )
        drawn = [top]
        for row in rows:
            drawn += [*row, middle]
        return [*drawn[:-1], bottom]

    def hinted_tile(self) -> int:
        """The tile that the hint is about; 0 for none."""
        if self.hint is None or self.hidden:
            return 0
        return self.board.slide(self.hint).tiles[self.board.blank]

    def is_lit(self, tile: int) -> bool:
        """Whether a tile stands out: it is the hinted one, or it glows."""
        row, col = divmod(self.board.tiles.index(tile), self.board.cols)
        return row + col == self.glowing or tile == self.hinted_tile()

    def is_home(self, tile: int) -> bool:
        """Whether a tile is in its place, and is seen to be."""
        place = self.board.tiles.index(tile)
        return not self.hidden and self.goal.tiles[place] == tile

    def _row(self, number: int) -> Iterator[list[Span]]:
        faces = [self._face(tile) for tile in self.board.grid()[number]]
        between = Span("│", 0, LINE) if self.size.lines else Span(" " * self.size.gap, 0, GAP)
        for cells in zip(*faces, strict=True):
            line = [cells[0]]
            for cell in cells[1:]:
                line += [between, cell] if between.text else [cell]
            yield [between, *line, between] if self.size.lines else line

    def _face(self, tile: int) -> list[Span]:
        """The lines of one tile."""
        width = self.size.width(digits_of(self.board.shape))
        if not tile:
            return [Span(" " * width, 0, GAP)] * self.size.height
        if self.size.height == 1:
            return [Span(self._label(tile), tile, FACE)]
        text = [line.center(width - 2) for line in self._number(tile)]
        blank = [" " * (width - 2)] * ((self.size.height - 2 - len(text)) // 2)
        inner = [*blank, *text, *blank]
        if tile == self.hinted_tile():
            inner = self._with_arrow(inner)
        if self.outlined:
            return [Span(line, tile, FACE) for line in self._framed(tile, inner)]
        return [
            Span("▔" * width, tile, TOP),
            *(Span(f" {line} ", tile, FACE) for line in inner),
            Span("▁" * width, tile, BOTTOM),
        ]

    def _number(self, tile: int) -> list[str]:
        text = "" if self.hidden else str(tile)
        if self.size.digit == 1:
            return [text]
        return ["".join(row[3 * int(d) : 3 * int(d) + 3] for d in text) for row in _BIG]

    def _with_arrow(self, inner: list[str]) -> list[str]:
        """The arrow at the side, where there is room beside every number."""
        assert self.hint is not None
        middle = len(inner) // 2
        line = inner[middle]
        arrow = ARROWS[self.hint]
        inner[middle] = arrow + line[1:] if self.hint is Move.L else line[:-1] + arrow
        return inner

    def _framed(self, tile: int, inner: list[str]) -> list[str]:
        kind = _LIT if self.is_lit(tile) else _HOME if self.is_home(tile) else _PLAIN
        left, line, right, side, low_left, low_right = kind
        rule = line * len(inner[0])
        middle = [f"{side}{text}{side}" for text in inner]
        return [left + rule + right, *middle, low_left + rule + low_right]

    def _label(self, tile: int) -> str:
        """A tile in one line: its number, in brackets if they must do for colours."""
        width = digits_of(self.board.shape)
        number = "" if self.hidden else str(tile)
        if self.outlined and self.hidden:
            return f" {'·' * width} "
        if self.outlined and tile == self.hinted_tile():
            return f">{number:>{width}}<"
        if self.outlined and self.is_home(tile):
            return f"[{number:>{width}}]"
        return f" {number:>{width}} "


# --- what fits ----------------------------------------------------------------------------------

SIDE, UNDER, ROW = "side", "under", "row"
"""Where the panel is: beside the board, below it, or one line."""

_PANELS = {SIDE: (28, 0), UNDER: (0, 3), ROW: (0, 1)}
"""The columns and rows that the panel takes from the board."""

_PANEL_LEAST = {SIDE: 15, UNDER: 0, ROW: 0}
"""How many rows a panel must have for itself."""

CHROME = 2
"""Rows for the message and the keys."""

FRAME = 2
"""Columns, and rows, that a frame takes."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a board is shown on a screen."""

    size: TileSize | None
    """None if the board does not fit at all,"""
    panel: str
    needs: tuple[int, int]
    """and then the columns and rows that it would take."""
    framed: bool = False
    """Whether there is room for a frame around the board."""


def _preference(choice: tuple[TileSize, str]) -> float:
    """Large tiles come first, then the panel beside them; but it is worth more than giant ones."""
    size, panel = choice
    place = SIZES.index(size)
    return place if panel == SIDE else max(place, 1) + 0.5


def arrange(
    shape: Shape, width: int, height: int, *, panels: tuple[str, ...] = (SIDE, UNDER, ROW)
) -> Layout:
    """The largest tiles that fit, and where that leaves room for the panel.

    >>> arrange((4, 4), 80, 24).size.name, arrange((10, 10), 80, 24).size.name
    ('huge', 'small')
    >>> arrange((10, 10), 30, 10)
    Layout(size=None, panel='row', needs=(40, 13), framed=False)
    """
    for size, panel in sorted(product(SIZES, panels), key=_preference):
        columns, rows = size.extent(shape)
        beside, below = _PANELS[panel]
        spare_columns = width - columns - beside
        spare_rows = height - CHROME - rows - below
        if spare_columns >= 0 and spare_rows >= 0 and height - CHROME >= _PANEL_LEAST[panel]:
            framed = min(spare_columns, spare_rows) >= FRAME
            return Layout(size, panel, (columns, rows), framed)
    columns, rows = SIZES[-1].extent(shape)
    return Layout(None, ROW, (columns, rows + CHROME + _PANELS[ROW][1]))
