"""Every text format that boards and moves come in: detect, read, write.

A format's reader gives every board that the text may mean; a text is read if all formats that fit
it agree on one board, and refused with the list of readings if they don't.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from math import isqrt

from . import moves as sequences
from .board import MAX_CELLS, Board, Move, Shape
from .errors import AmbiguousError, BoardError, NotationError, UnknownNameError, shorten

MAX_TEXT = 16 * MAX_CELLS
MAX_MOVES = 10_000_000

Reader = Callable[[str, Shape | None], Iterable[Board]]


@dataclass(frozen=True, slots=True)
class Format:
    """A text format: how it is read and written, and what its files usually mean."""

    name: str
    summary: str
    read: Reader
    write: Callable[[Board], str]
    goal: str = "blank-last"
    """The goal that files in this format usually have."""
    moves: str = "tile"
    """Whose direction the moves that go with this format usually name."""


def read(text: str, format: str | None = None, *, shape: Shape | None = None) -> Board:
    """The board that a text describes, in the named format or in whichever fits.

    >>> read("8 2 0/4 6 1/3 7 5") == read("820461375", "hex")
    True
    >>> read("1 2 3 4 5 0")
    Traceback (most recent call last):
    taquin.errors.AmbiguousError: this may be 1×6, 2×3, 3×2 or 6×1: put '/' between the rows
    """
    return recognise(text, format, shape=shape)[1]


def detect(text: str) -> str:
    """The name of the format a text is in.

    >>> detect("3\\n1 2 3\\n4 5 6\\n7 8 0"), detect("127436a85db9cef0")
    ('princeton', 'hex')
    """
    return recognise(text)[0].name


def write(board: Board, format: str = "slash") -> str:
    """The board as text; what is written is read back as the same board.

    >>> write(Board("1 2 3 / 4 5 6 / 7 8 0"), "letters")
    'ABCDEFGH0'
    """
    return get(format).write(board)


def get(name: str) -> Format:
    """The format of that name."""
    if name not in FORMATS:
        raise UnknownNameError("format", name, FORMATS)
    return FORMATS[name]


def recognise(
    text: str, format: str | None = None, *, shape: Shape | None = None
) -> tuple[Format, Board]:
    """The board that a text describes, and the format it is in."""
    text = _clean(text)
    readings: dict[Board, str] = {}
    errors: list[Exception] = []
    for name in [format] if format else _candidates(text):
        try:
            for board in get(name).read(text, shape):
                readings.setdefault(board, name)
        except (BoardError, NotationError) as error:
            errors.append(error)
    if shape is not None and readings:
        found = _either(sorted({board.shape for board in readings}))
        readings = {board: name for board, name in readings.items() if board.shape == shape}
        if not readings:
            raise BoardError(f"this is a {found} board, not {shape[0]}×{shape[1]}")
    if len(readings) == 1:
        board, name = readings.popitem()
        return get(name), board
    if readings:
        raise _ambiguous(readings)
    if errors:
        raise errors[0]
    if shape:
        raise NotationError(f"this can't be read as a {shape[0]}×{shape[1]} board")
    raise NotationError("this can't be read as a board", code="unreadable")


def _ambiguous(readings: dict[Board, str]) -> AmbiguousError:
    shapes = sorted({board.shape for board in readings})
    if len(shapes) == len(readings) and len(set(readings.values())) == 1:
        *others, last = _names(shapes)
        return AmbiguousError(
            "this may be {shapes} or {last}: put '/' between the rows",
            code="any-shape", shapes=", ".join(others), last=last,
        )  # fmt: skip
    means = "; ".join(
        f"{board.rows}×{board.cols} {shorten(str(board))} ({name})"
        for board, name in readings.items()
    )
    return AmbiguousError(
        "this can be read in {ways} ways: {means}",
        code="ambiguous", ways=len(readings), means=means,
    )  # fmt: skip


def _either(shapes: list[Shape]) -> str:
    *others, last = _names(shapes)
    return f"{', '.join(others)} or {last}" if others else last


def _names(shapes: list[Shape]) -> list[str]:
    return [f"{rows}×{cols}" for rows, cols in shapes]


# --- what the text looks like -------------------------------------------------------------------

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_COMMENT = re.compile(r"#[^\n]*")
_BLANKS = frozenset("0_-.xt")
_BOX = "│┃║┌╔┏"


def _clean(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise NotationError(f"a text of {len(text):,} characters is longer than any board")
    text = _ANSI.sub("", text).replace("\r\n", "\n").replace("\ufeff", "").strip("\n\r\t \f\v")
    for place, char in enumerate(text, 1):
        if not char.isprintable() and char not in "\n\t\r\f\v":
            raise NotationError(
                "this is not text: character {place} is {char}",
                code="no-text", place=place, char=repr(char),
            )  # fmt: skip
    if not _without_comments(text).strip("/; \n\t\r\f\v"):
        raise NotationError("there is no board here: the text is empty", code="empty")
    return text


def _without_comments(text: str) -> str:
    return _COMMENT.sub("", text).strip()


def _candidates(text: str) -> list[str]:
    """The formats a text may be in, by its looks; the most natural first."""
    body = _without_comments(text)
    if any(char in body for char in _BOX):
        return ["box"]
    if body[0] in "+|":
        return ["ascii"]
    if any(char in body for char in "[("):
        return ["nested"]
    lines = [line for line in body.split("\n") if line.strip()]
    tokens = lines[0].split()
    if "/" in body or ";" in body:
        return ["slash", "hex", "letters"]
    if len(lines) > 1:
        sized = {1: ["npuzzle"] if "#" in text else ["princeton"], 2: ["lodz"]}.get(len(tokens), [])
        rows = ["csv"] if "," in body else ["rows"]
        ragged = len(tokens) != len(lines[1].split())
        return sized + rows if ragged else rows + sized
    if len(tokens) == 1 and "," not in body:
        return ["hex", "letters"]
    return ["flat", "korf"]


# --- readers ------------------------------------------------------------------------------------


def _row(cells: list[str], number: int) -> list[int]:
    return [_tile(cell, number, i) for i, cell in enumerate(cells, 1)]


def _tile(token: str, row: int, column: int) -> int:
    if token.lower() in _BLANKS:
        return 0
    if token.isascii() and token.isdigit() and len(token) <= 9:
        return int(token)
    words, code = _what_is_wrong(token)
    raise NotationError(
        "row {row}, column {column}: " + words,
        code=code, row=row, column=column, token=shorten(token),
    )  # fmt: skip


def _what_is_wrong(token: str) -> tuple[str, str]:
    """Why a token is no tile, and the code of that."""
    if token.isascii() and token.isdigit():
        return "{token} is too large for a tile", "tile-large"
    if re.fullmatch(r"[-−]\d+", token):
        return "tile {token} is negative", "tile-negative"
    return "'{token}' is not a tile", "no-tile"


def _cells(line: str) -> list[str]:
    """The cells of a line: between spaces, or between commas or tabs, where an empty one is 0."""
    if "," not in line and "\t" not in line:
        return line.split()
    parts = line.split("," if "," in line else "\t")
    return [cell for part in parts for cell in part.split() or ["_"]]


def _lines(text: str, separators: str = "\n") -> list[str]:
    body = _COMMENT.sub("", text)
    return [line.strip() for line in re.split(f"[{separators}]", body) if line.strip()]


def _grid(lines: Iterable[str]) -> Board:
    return Board([_row(_cells(line), number) for number, line in enumerate(lines, 1)])


def _read_slash(text: str, shape: Shape | None) -> Iterator[Board]:
    yield _grid(_lines(text, "\n/;"))


def _read_rows(text: str, shape: Shape | None) -> Iterator[Board]:
    yield _grid(_lines(text))


def _read_csv(text: str, shape: Shape | None) -> Iterator[Board]:
    lines = _lines(text)
    # A comma at the end of every row is a way to write lists, not a blank in every row.
    if len(lines) > 1 and all(line.endswith(",") for line in lines):
        lines = [line[:-1] for line in lines]
    yield _grid(lines)


def _read_flat(text: str, shape: Shape | None) -> Iterator[Board]:
    yield from _shaped(_row(_cells(" ".join(_lines(text))), 1), shape)


def _shaped(tiles: list[int], shape: Shape | None) -> Iterator[Board]:
    """Tiles without rows are a square board; else any shape may be meant."""
    count = len(tiles)
    side = isqrt(count)
    if shape is not None:
        yield Board(tiles, shape=shape)
    elif side * side == count:
        yield Board(tiles, shape=(side, side))
    else:
        for rows in range(1, count + 1):
            if count % rows == 0:
                yield Board(tiles, shape=(rows, count // rows))


def _read_nested(text: str, shape: Shape | None) -> Iterator[Board]:
    body = _without_comments(text)
    rows = [row for row in re.findall(r"[\[(]([^\[\]()]*)[\])]", body) if row.strip()]
    if not rows:
        raise NotationError(
            "there are brackets, but no row of tiles inside them", code="brackets-empty"
        )
    if body.count("[") + body.count("(") != body.count("]") + body.count(")"):
        raise NotationError("the brackets don't match", code="brackets-open")
    lines = [row.strip().removesuffix(",") for row in rows]
    # A bracket right after a name, as in array([1, 0]), is a call and not a list.
    if len(lines) > 1 or re.search(r"(?<!\w)[\[(]\s*[\[(]", body):
        yield _grid(lines)
    else:
        yield from _shaped(_row(_cells(lines[0]), 1), shape)


def _read_drawn(bars: str) -> Reader:
    def reader(text: str, shape: Shape | None) -> Iterator[Board]:
        lines = [line for line in _lines(text) if line[0] in bars]
        if not lines:
            raise NotationError("the drawing has no rows", code="drawing-empty")
        rows = [re.split(f"[{bars}]", line)[1:-1] for line in lines]
        yield _grid(",".join(cell.strip() or "_" for cell in row) for row in rows)

    return reader


def _read_sized(text: str, shape: Shape | None) -> Iterator[Board]:
    """A line with the size of a square, or with rows and columns, then the rows."""
    first, *lines = _lines(text)
    sizes = _row(first.split(), 1)
    said = (sizes[0], sizes[-1])
    board = _grid(lines) if lines else None
    if board is None:
        raise NotationError(f"the first line says {said[0]}×{said[1]}, but nothing follows")
    if board.shape != said or len(sizes) > 2:
        raise NotationError(
            "the first line says {said}, but {found} follow",
            code="other-size", said="×".join(map(str, said)), found="×".join(map(str, board.shape)),
        )  # fmt: skip
    yield board


def _read_korf(text: str, shape: Shape | None) -> Iterator[Board]:
    """One line: an id or none, the tiles of a square board, the optimum or none."""
    lines = _lines(text)
    if len(lines) != 1:
        raise NotationError(f"{len(lines)} lines, but one instance is one line")
    fields = [_row(field.split(), 1) for field in lines[0].split("|")]
    numbers = max(fields, key=len)
    if len(fields) > 1 and len(fields) - sum(len(field) == 1 for field in fields) != 1:
        raise NotationError("between bars there is one list of tiles, and single numbers around it")
    for before, after in ((0, 0), (1, 0), (0, 1), (1, 1)):
        tiles = numbers[before : len(numbers) - after]
        if _is_square(len(tiles)) and sorted(tiles) == list(range(len(tiles))):
            yield from _shaped(tiles, shape)


def _is_square(count: int) -> bool:
    return count >= 4 and isqrt(count) ** 2 == count


def _read_compact(digits: str, code: str, what: str) -> Reader:
    """One character a tile; the rows of a board that is not square end in '/'."""

    def reader(text: str, shape: Shape | None) -> Iterator[Board]:
        rows = [line.upper() for line in _lines(text, "\n/;")]
        tiles = [[_digit(char, i) for i, char in enumerate(row, 1)] for row in rows]
        if len(tiles) > 1 or "/" in text:
            yield Board(tiles)
        else:
            yield from _shaped(tiles[0], shape)

    def _digit(char: str, place: int) -> int:
        if char in "0_.-" or (char in "XT" and char not in digits):
            return 0
        if char not in digits:
            raise NotationError(
                "character {place}, '{char}', is not a " + what,
                code=code, place=place, char=shorten(char),
            )  # fmt: skip
        return digits.index(char)

    return reader


# --- writers ------------------------------------------------------------------------------------


def _several_rows(name: str, write_rows: Callable[[Board], str]) -> Callable[[Board], str]:
    def writer(board: Board) -> str:
        if board.rows == 1:
            raise NotationError(f"a single row in the format {name} would read as a flat list")
        return write_rows(board)

    return writer


def _square(name: str, write_square: Callable[[Board], str]) -> Callable[[Board], str]:
    def writer(board: Board) -> str:
        if board.rows != board.cols:
            raise NotationError(
                f"the format {name} is for square boards, not {board.rows}×{board.cols}"
            )
        return write_square(board)

    return writer


def _write_rows(board: Board) -> str:
    width = len(str(len(board) - 1))
    return "\n".join(" ".join(f"{tile:>{width}}" for tile in row) for row in board.grid())


def _write_csv(board: Board) -> str:
    return "\n".join(",".join(map(str, row)) for row in board.grid())


def _write_flat(board: Board) -> str:
    return " ".join(map(str, board.tiles))


def _write_nested(board: Board) -> str:
    return str(board.grid())


def _write_sized(board: Board) -> str:
    return f"{board.rows}\n{_write_rows(board)}"


def _write_npuzzle(board: Board) -> str:
    return f"# {board.rows}×{board.cols}, written by taquin\n{_write_sized(board)}"


def _write_lodz(board: Board) -> str:
    return f"{board.rows} {board.cols}\n{_write_rows(board)}"


def _write_compact(digits: str, name: str) -> Callable[[Board], str]:
    def writer(board: Board) -> str:
        if len(board) > len(digits):
            raise NotationError(
                f"the format {name} has {len(digits)} characters, but a "
                f"{board.rows}×{board.cols} board has {len(board)} cells"
            )
        rows = ["".join(digits[tile] for tile in row) for row in board.grid()]
        if board.rows == board.cols:
            return "".join(rows)
        return "/".join(rows) + ("/" if board.rows == 1 else "")

    return writer


@dataclass(frozen=True, slots=True)
class _Style:
    bar: str
    top: tuple[str, str, str, str]
    middle: tuple[str, str, str, str]
    bottom: tuple[str, str, str, str]


_STYLES = {
    "box": _Style("│", ("┌", "─", "┬", "┐"), ("├", "─", "┼", "┤"), ("└", "─", "┴", "┘")),
    "ascii": _Style("|", ("+", "-", "+", "+"), ("+", "-", "+", "+"), ("+", "-", "+", "+")),
}

Paint = Callable[[int, str], str]


def draw(board: Board, style: str = "box", paint: Paint | None = None) -> str:
    """The board drawn in box or ASCII characters; `paint` may colour the text of a cell."""
    if style not in _STYLES:
        raise UnknownNameError("style", style, _STYLES)
    chars = _STYLES[style]
    width = len(str(len(board) - 1))

    def rule(left: str, line: str, cross: str, right: str) -> str:
        return left + cross.join([line * (width + 2)] * board.cols) + right

    def row(number: int) -> str:
        cells = []
        for cell in range(number * board.cols, (number + 1) * board.cols):
            text = f" {board.tiles[cell] or '':>{width}} "
            cells.append(paint(cell, text) if paint else text)
        return chars.bar + chars.bar.join(cells) + chars.bar

    rows = [row(number) for number in range(board.rows)]
    middle = f"\n{rule(*chars.middle)}\n"
    return f"{rule(*chars.top)}\n{middle.join(rows)}\n{rule(*chars.bottom)}"


def green_in_place(board: Board, goal: Board) -> Paint:
    """Colours the tiles that are where the goal has them."""

    def paint(cell: int, text: str) -> str:
        at_home = board.tiles[cell] == goal.tiles[cell] != 0
        return f"\x1b[1;32m{text}\x1b[0m" if at_home else text

    return paint


_HEX = "0123456789ABCDEF"
_LETTERS = "0ABCDEFGHIJKLMNOPQRSTUVWXYZ"

FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Format("slash", "rows between slashes, as players write them", _read_slash, str),
        Format("rows", "a line a row", _read_rows, _several_rows("rows", _write_rows)),
        Format("flat", "all tiles in one line", _read_flat, _square("flat", _write_flat)),
        Format("csv", "a line a row, commas between", _read_csv, _several_rows("csv", _write_csv)),
        Format("nested", "lists in brackets: JSON, Python, NumPy", _read_nested, _write_nested),
        Format("box", "drawn with box characters", _read_drawn("│┃║"), draw),
        Format("ascii", "drawn with + - |", _read_drawn("|"), lambda b: draw(b, "ascii")),
        Format(
            "princeton",
            "a size line, then rows (Princeton's course)",
            _read_sized,
            _square("princeton", _write_sized),
        ),
        Format(
            "npuzzle",
            "comments, a size line, then rows (the 42 school)",
            _read_sized,
            _square("npuzzle", _write_npuzzle),
            goal="snail",
        ),
        Format(
            "lodz",
            "rows and columns in the first line, then rows (Łódź's course)",
            _read_sized,
            _write_lodz,
            moves="blank",
        ),
        Format(
            "korf",
            "one line, perhaps with an id first and the optimum last (Korf's lists)",
            _read_korf,
            _square("korf", _write_flat),
            goal="blank-first",
        ),
        Format(
            "hex",
            "one hexadecimal digit a tile",
            _read_compact(_HEX, "no-hex", "hexadecimal digit"),
            lambda board: _write_compact(_HEX, "hex")(board).lower(),
        ),
        Format(
            "letters",
            "A for 1, B for 2 …, 0 for the blank",
            _read_compact(_LETTERS, "no-letter", "letter of a tile"),
            _write_compact(_LETTERS, "letters"),
            goal="blank-first",
        ),
    )
}


# --- moves --------------------------------------------------------------------------------------

_WORDS = {
    "up": Move.U, "down": Move.D, "left": Move.L, "right": Move.R,
    "↑": Move.U, "↓": Move.D, "←": Move.L, "→": Move.R,
}  # fmt: skip
_SEPARATORS = re.compile(r"[\s,;'\"\[\]()]+")
_RUN = re.compile(r"([UDLR↑↓←→])(\d*)", re.IGNORECASE)
MOVE_STYLES = ("letters", "runs", "words", "tiles")


def read_moves(text: str, *, moves: str = "tile", board: Board | None = None) -> tuple[Move, ...]:
    """The moves that a text means: letters with counts, words, arrows, or tile numbers.

    `moves="blank"` says that the letters and words are the blank's directions. Tile numbers need
    the board they start from.

    >>> "".join(read_moves("R2U2 l, Down"))
    'RRUULD'
    >>> "".join(read_moves("R", moves="blank"))
    'L'
    """
    tokens = [token for token in _SEPARATORS.split(text) if token]
    if tokens and all(token.isascii() and token.isdigit() for token in tokens):
        if board is None:
            raise NotationError("moves given as tile numbers need the board they start from")
        return sequences.from_tile_numbers(board, (int(token[:10]) for token in tokens))
    read: list[Move] = []
    for token in tokens:
        read += [_WORDS[token.lower()]] if token.lower() in _WORDS else _runs(token, len(read))
        if len(read) > MAX_MOVES:
            raise NotationError(f"more than {MAX_MOVES:,} moves")
    return tuple(sequences.by_convention(read, moves))


def _runs(token: str, before: int) -> list[Move]:
    read: list[Move] = []
    end = 0
    while end < len(token):
        match = _RUN.match(token, end)
        if match is None:
            culprit = shorten(token[end:], 10)
            raise NotationError(f"move {before + len(read) + 1}: '{culprit}' is not U, D, L or R")
        letter, count = match.groups()
        times = int(count[:9] or 1)
        if before + len(read) + times > MAX_MOVES:
            raise NotationError(f"more than {MAX_MOVES:,} moves")
        read += [_WORDS.get(letter) or Move(letter.upper())] * times
        end = match.end()
    return read


def write_moves(
    sequence: Iterable[Move],
    style: str = "letters",
    *,
    moves: str = "tile",
    board: Board | None = None,
) -> str:
    """The moves as text: `letters`, `runs` (with counts), `words`, or the `tiles` that slide.

    >>> write_moves(read_moves("RRUULD"), "runs")
    'R2U2LD'
    >>> write_moves(read_moves("LL"), "tiles", board=Board("1 2 3 / 4 5 6 / 0 7 8"))
    '7 8'
    """
    if style == "tiles":
        if board is None:
            raise NotationError("writing moves as tile numbers needs the board they start from")
        return " ".join(map(str, sequences.tile_numbers(board, sequence)))
    named = sequences.by_convention(sequence, moves)
    if style == "letters":
        return "".join(named)
    if style == "runs":
        return "".join(f"{move}{n if n > 1 else ''}" for move, n in _counted(named))
    if style == "words":
        names = {move: word for word, move in _WORDS.items() if word.isalpha()}
        return " ".join(names[move] for move in named)
    raise UnknownNameError("move style", style, MOVE_STYLES)


def _counted(moves: Iterable[Move]) -> Iterator[tuple[Move, int]]:
    for move, run in groupby(moves):
        yield move, sum(1 for _ in run)
