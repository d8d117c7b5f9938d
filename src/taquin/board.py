"""Boards and moves: the values everything else is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, Any, NoReturn

from . import _native
from .errors import BoardError, IllegalMoveError, TaquinError, UnknownNameError, shorten

if TYPE_CHECKING:
    import random

    import numpy

Shape = tuple[int, int]

MAX_CELLS = _native.MAX_CELLS


class Move(StrEnum):
    """The direction in which a **tile** slides into the blank.

    >>> Move.U.opposite
    <Move.D: 'D'>
    """

    U = "U"
    D = "D"
    L = "L"
    R = "R"

    @property
    def opposite(self) -> Move:
        """The move that takes this one back; also its name when the blank's direction is meant."""
        return OPPOSITE[self]


OPPOSITE = {Move.U: Move.D, Move.D: Move.U, Move.L: Move.R, Move.R: Move.L}


class Board:
    """An immutable arrangement of the tiles 1, 2, 3 … and one blank (0) on rows × columns.

    Made from text in any known format, nested lists, a flat list with a shape, or an array:

    >>> Board("8 6 7 / 2 5 4 / 3 0 1") == Board([[8, 6, 7], [2, 5, 4], [3, 0, 1]])
    True
    >>> Board([1, 2, 3, 4, 0, 5], shape=(2, 3))
    Board('1 2 3/4 0 5')

    Boards are hashable and ordered (by shape, then tile by tile), and are the vertices of the
    puzzle's graph: two boards are neighbours if one slide leads from one to the other.
    """

    __slots__ = ("cols", "rows", "tiles")

    rows: int
    cols: int
    tiles: tuple[int, ...]
    """The tiles in reading order; 0 is the blank."""

    def __new__(cls, tiles: Any, shape: Shape | None = None) -> Board:
        if isinstance(tiles, Board):
            return tiles if shape is None else Board(tiles.tiles, shape)
        if isinstance(tiles, str):
            return Board.parse(tiles, shape=shape)
        return _checked(*_cells(tiles, shape))

    @classmethod
    def parse(cls, text: str, *, shape: Shape | None = None) -> Board:
        """The board that a text in any known format describes (see `taquin.notation`).

        >>> Board.parse("123456780").show("ascii").splitlines()[1]
        '| 1 | 2 | 3 |'
        """
        from . import notation

        return notation.read(text, shape=shape)

    @classmethod
    def random(
        cls,
        rows: int,
        cols: int,
        *,
        goal: Board | str | None = None,
        seed: int | random.Random | None = None,
        walk: int | None = None,
    ) -> Board:
        """A random board that reaches the goal: uniform over all of them, or `walk` random moves.

        >>> Board.random(3, 3, seed=1) == Board.random(3, 3, seed=1)
        True
        """
        from . import shuffle

        return shuffle.random_board(rows, cols, goal=goal, seed=seed, walk=walk)

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        return self.rows, self.cols

    @property
    def blank(self) -> int:
        """The blank's cell, counted in reading order from 0."""
        return self.tiles.index(0)

    def grid(self) -> list[list[int]]:
        """The tiles as a list of rows."""
        cols = self.cols
        return [list(self.tiles[i : i + cols]) for i in range(0, len(self.tiles), cols)]

    def moves(self) -> tuple[Move, ...]:
        """The moves that can be made now.

        >>> Board("1 2 3 / 4 5 6 / 7 0 8").moves()
        (<Move.D: 'D'>, <Move.L: 'L'>, <Move.R: 'R'>)
        """
        return tuple(slides(self.rows, self.cols)[self.tiles.index(0)])

    def slide(self, sequence: str | Move | Iterable[Move], *, moves: str = "tile") -> Board:
        """The board after sliding tiles; IllegalMoveError names the first move that can't be made.

        `moves="blank"` says that they name the blank's directions.

        >>> Board("1 2 3 / 4 5 6 / 7 0 8").slide("L")
        Board('1 2 3/4 5 6/7 8 0')
        >>> Board("1 2 3 / 4 5 6 / 7 8 0").slide("R2D")
        Board('1 2 3/0 5 6/4 7 8')
        """
        if isinstance(sequence, Move):
            sequence = (sequence,)
        elif isinstance(sequence, str):
            from . import notation

            sequence = notation.read_moves(sequence, moves=moves, board=self)
            moves = "tile"
        if moves != "tile":
            from .moves import by_convention

            sequence = by_convention(sequence, moves)
        tiles = list(self.tiles)
        for _ in replay(tiles, self.shape, sequence):
            pass
        return unchecked(self.rows, self.cols, tuple(tiles))

    def neighbours(self) -> list[Board]:
        """The boards one slide away, in the order of `moves()`."""
        rows, cols, tiles = self.rows, self.cols, self.tiles
        blank = tiles.index(0)
        boards = []
        for cell in slides(rows, cols)[blank].values():
            swapped = list(tiles)
            swapped[blank] = tiles[cell]
            swapped[cell] = 0
            boards.append(unchecked(rows, cols, tuple(swapped)))
        return boards

    def move_to(self, neighbour: Board) -> Move:
        """The move that leads to a neighbour."""
        for move, cell in slides(self.rows, self.cols)[self.blank].items():
            if neighbour.tiles[cell] == 0 and self.slide(move) == neighbour:
                return move
        raise IllegalMoveError(f"no single move leads from {self} to {neighbour}")

    def exchange(self, a: int, b: int) -> Board:
        """The board with two tiles exchanged (lifted out and put back, which no slide can do).

        >>> Board("1 2 3 / 4 5 6 / 8 7 0").exchange(7, 8)
        Board('1 2 3/4 5 6/7 8 0')
        """
        for tile in (a, b):
            if tile not in self.tiles:
                raise BoardError(f"there is no tile {tile} on a {self.rows}×{self.cols} board")
        swap = {a: b, b: a}
        return unchecked(self.rows, self.cols, tuple(swap.get(t, t) for t in self.tiles))

    def show(self, style: str = "box", *, color: bool = False, goal: Board | None = None) -> str:
        """The board drawn with box characters, or `style="ascii"`; the blank is drawn empty.

        With `color`, tiles that are in their place (of `goal`, blank last if not given) are green.

        >>> print(Board("1 2 3 / 4 0 5").show())
        ┌───┬───┬───┐
        │ 1 │ 2 │ 3 │
        ├───┼───┼───┤
        │ 4 │   │ 5 │
        └───┴───┴───┘
        """
        from . import notation

        if not color:
            return notation.draw(self, style)
        from . import goals

        target = goals.resolve(goal, self.shape)
        return notation.draw(self, style, notation.green_in_place(self, target))

    def __str__(self) -> str:
        # One row alone would read like a flat list of a square board, so it keeps its slash.
        text = "/".join(" ".join(map(str, row)) for row in self.grid())
        return text + "/" if self.rows == 1 else text

    def __repr__(self) -> str:
        return f"Board({str(self)!r})"

    def __hash__(self) -> int:
        return hash(self.tiles)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.tiles == other.tiles and self.cols == other.cols

    def __lt__(self, other: Board) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self.rows, self.cols, self.tiles) < (other.rows, other.cols, other.tiles)

    def __le__(self, other: Board) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self == other or self < other

    def __iter__(self) -> Iterator[int]:
        return iter(self.tiles)

    def __len__(self) -> int:
        return len(self.tiles)

    def __getitem__(self, place: tuple[int, int]) -> int:
        """The tile at a row and column, both counted from 0."""
        row, col = place
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise IndexError(f"({row}, {col}) is outside a {self.rows}×{self.cols} board")
        return self.tiles[row * self.cols + col]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
        import numpy

        if copy is False:
            raise ValueError("a Board keeps its tiles in a tuple, so an array is always a copy")
        return numpy.array(self.grid(), dtype=dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return unchecked, (self.rows, self.cols, self.tiles)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a Board can't be changed; slide() gives a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a Board can't be changed")

    def _repr_svg_(self) -> str:
        from . import picture

        return picture.svg(self)


_new = object.__new__
# The slots' own setters pass by Board.__setattr__, which refuses everyone else.
_set_rows = Board.__dict__["rows"].__set__
_set_cols = Board.__dict__["cols"].__set__
_set_tiles = Board.__dict__["tiles"].__set__


def unchecked(rows: int, cols: int, tiles: tuple[int, ...]) -> Board:
    """A board from tiles known to be right."""
    board = _new(Board)
    _set_rows(board, rows)
    _set_cols(board, cols)
    _set_tiles(board, tiles)
    return board


@lru_cache(maxsize=64)
def slides(rows: int, cols: int) -> Sequence[dict[Move, int]]:
    """For each cell of the blank: which moves there are and the cell of the tile that moves."""
    table = []
    for cell in range(rows * cols):
        row, col = divmod(cell, cols)
        moves = {
            Move.U: cell + cols if row + 1 < rows else None,
            Move.D: cell - cols if row > 0 else None,
            Move.L: cell + 1 if col + 1 < cols else None,
            Move.R: cell - 1 if col > 0 else None,
        }
        table.append({move: source for move, source in moves.items() if source is not None})
    return table


def replay(tiles: list[int], shape: Shape, sequence: Iterable[Move]) -> Iterator[int]:
    """Make moves on a list of tiles, giving each tile as it slides."""
    table = slides(*shape)
    blank = tiles.index(0)
    for number, move in enumerate(sequence, 1):
        cell = table[blank].get(move)
        if cell is None:
            raise _illegal(move, number, blank, shape[1])
        tile = tiles[cell]
        tiles[blank], tiles[cell] = tile, 0
        blank = cell
        yield tile


def check_shape(rows: int, cols: int) -> Shape:
    """The shape, if a board can have it."""
    if rows < 1 or cols < 1 or rows * cols < 2:
        raise BoardError(
            "a board needs at least 1×2 cells, not {rows}×{cols}",
            code="too-small", rows=rows, cols=cols,
        )  # fmt: skip
    if rows * cols > MAX_CELLS:
        raise BoardError(f"{rows}×{cols} is more than {MAX_CELLS:,} cells")
    return rows, cols


def _checked(rows: int, cols: int, tiles: Sequence[Any]) -> Board:
    check_shape(rows, cols)
    if _is_right(tiles, rows * cols):
        return unchecked(rows, cols, tuple(tiles))
    numbers = tuple(_whole(tile, cell) for cell, tile in enumerate(tiles))
    count = rows * cols
    first: dict[int, int] = {}
    for cell, tile in enumerate(numbers):
        if tile < 0:
            raise BoardError(f"tile {tile} (cell {cell + 1}): tiles can't be negative")
        if tile in first:
            raise _about(
                tile,
                "twice",
                "{name} appears twice (cells {first} and {second})",
                first=first[tile] + 1,
                second=cell + 1,
            )
        first[tile] = cell
    # With no tile twice, one that is too large means that one is missing.
    if len(first) != count or max(first) >= count:
        missing = next(t for t in range(count) if t not in first)
        culprit = max(first)
        raise _about(
            missing,
            "missing",
            "{name} is missing; a {rows}×{cols} board has tiles 1 to {last} and a blank, "
            "and tile {culprit} (cell {cell}) is none of them",
            rows=rows, cols=cols, last=count - 1, culprit=culprit, cell=first[culprit] + 1,
        )  # fmt: skip
    return unchecked(rows, cols, numbers)


def _is_right(tiles: Sequence[Any], count: int) -> bool:
    """Whether these are plainly the tiles of a board; if not, it takes a closer look to say why."""
    if len(tiles) != count or not _are_plain(tiles):
        return False
    return len(set(tiles)) == count and min(tiles) == 0 and max(tiles) == count - 1


def _are_plain(cells: Sequence[Any]) -> bool:
    return set(map(type, cells)) == {int}


def _about(tile: int, kind: str, words: str, **values: int) -> BoardError:
    """An error about a tile or, under a code of its own, about the blank."""
    if tile:
        return BoardError(
            words.replace("{name}", "tile {tile}"), code=f"tile-{kind}", tile=tile, **values
        )
    return BoardError(words.replace("{name}", "the blank (0)"), code=f"blank-{kind}", **values)


def _whole(tile: Any, cell: int) -> int:
    try:
        number = index(int(tile) if isinstance(tile, float) and tile.is_integer() else tile)
    except TypeError:
        number = None
    if number is None or isinstance(tile, bool):
        raise BoardError(
            f"cell {cell + 1} holds {shorten(repr(tile))}, which is not a whole number"
        )
    # Python refuses to print a number of thousands of digits, so none goes further than here.
    if abs(number) >= 10**9:
        raise BoardError(f"cell {cell + 1} holds a number too large for a tile")
    return number


def _cells(tiles: Any, shape: Shape | None) -> tuple[int, int, list[Any]]:
    """Rows, columns and flat cells of a nested list, a flat list with a shape, or an array."""
    if hasattr(tiles, "tolist"):
        tiles = tiles.tolist()
    try:
        cells = list(tiles)
    except TypeError:
        raise BoardError(f"{shorten(repr(tiles))} is not a board") from None
    nested = []
    if not _are_plain(cells):
        nested = [isinstance(row, Iterable) and not isinstance(row, str) for row in cells]
    if any(nested):
        if not all(nested):
            raise BoardError(f"row {nested.index(False) + 1} is not a list of tiles")
        return _flatten([list(row) for row in cells], shape)
    if shape is None:
        raise BoardError("a flat list of tiles needs a shape: Board(tiles, shape=(rows, cols))")
    rows, cols = shape
    if len(cells) != rows * cols:
        raise BoardError(f"{len(cells)} tiles don't fill a {rows}×{cols} board")
    return rows, cols, cells


def _flatten(rows: list[list[Any]], shape: Shape | None) -> tuple[int, int, list[Any]]:
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            cells = "{n} cell" if len(row) == 1 else "{n} cells"
            raise BoardError(
                f"row {{row}} has {cells}, but row 1 has {{first}}",
                code="ragged", row=number, n=len(row), first=width,
            )  # fmt: skip
    if shape is not None and tuple(shape) != (len(rows), width):
        wanted = "×".join(map(str, shape))
        raise BoardError(f"these rows make a {len(rows)}×{width} board, not {wanted}")
    return len(rows), width, [tile for row in rows for tile in row]


def _illegal(move: Move, number: int, blank: int, cols: int) -> TaquinError:
    sides = {"U": "below", "D": "above", "L": "to the right of", "R": "to the left of"}
    side = sides.get(move)
    if side is None:
        return UnknownNameError("move", move, sides)
    row, col = divmod(blank, cols)
    return IllegalMoveError(
        f"move {number} ({move}) can't be made: no tile {side} the blank "
        f"(row {row + 1}, column {col + 1})"
    )
