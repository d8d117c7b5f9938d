"""What a worker does with entries of a batch: reads, solves and writes each as a line of output."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from .batch import looked_up, solve_one
from .board import Board, Shape
from .boards_file import Lines, recognise_entry
from .errors import TaquinError
from .flow import Part, Turn
from .goals import DEFAULT
from .heartbeat import Cancel
from .lookup import Lookup, Nowhere, Small
from .notation import Format
from .result import Result
from .tables import STORED_EXACT_CELLS
from .tally import Tally

Row = dict[str, Any]

PLACE = ("number", "file", "line")
"""The keys that a line of output has before those of a result."""


def answer_lines(
    group: Lines,
    goal: Board | str | None,
    options: dict[str, Any],
    form: str,
    moves: str,
    shape: Shape | None,
    cancel: Cancel | None = None,
) -> Part[tuple[bytes, Tally]]:
    """Lines of output for the first entries of a group, as far as its turn goes, and their tally.

    `form` is one of `WRITERS`, `moves` says whose directions are written, `shape` is that of
    entries which don't tell their own.
    """
    turn = Turn(len(group), cancel)
    lookup = Lookup(goal, options, cancel)
    smalls = [quick_read(text, shape) for text in group.texts]
    found = lookup.letters(smalls)
    sheet = _Sheet(_Writer(WRITERS[form], moves), turn.seconds() / max(len(group), 1))
    numbers = range(group.first, group.first + len(group))
    places = zip(numbers, group.files, group.lines, strict=True)
    cut = False
    for place, text, small, letters in zip(places, group.texts, smalls, found, strict=True):
        if small is not None and not isinstance(letters, Nowhere):
            sheet.looked_up(place, small, lookup.goal(small.shape), letters)
            continue
        if sheet.lines and turn.is_over():
            break
        try:
            format, board = recognise_entry(text, shape)
            result = solve_one(board, goal, options, turn)
        except TaquinError as error:
            sheet.bad(place, str(error))
            continue
        if result is None:
            cut = True
            break
        sheet.solved(place, result, format if goal is None else None)
    return Part(sheet.finish(), len(sheet.lines), turn.seconds(), cut)


_Place = tuple[int, str, int]


class _Sheet:
    """The lines of a group as they are written, and the tally that goes with them."""

    def __init__(self, writer: _Writer, seconds: float) -> None:
        self.lines: list[str] = []
        self._writer = writer
        self._seconds = seconds
        """What each board that was looked up took."""
        self._tally = Tally()
        self._lengths: list[int] = []
        self._unsolvable = 0

    def looked_up(self, place: _Place, small: Small, goal: Board, letters: str | None) -> None:
        self.lines.append(self._writer.looked_up(place, small, goal, letters, self._seconds))
        if letters is None:
            self._unsolvable += 1
        else:
            self._lengths.append(len(letters))

    def solved(self, place: _Place, result: Result, format: Format | None) -> None:
        """A result; `format` is that of its board, if nobody has said which goal is meant."""
        self.lines.append(self._writer.result(place, result))
        self._tally.add(result)
        if format is not None and format.goal != DEFAULT:
            self._tally.formats[format.name] += 1

    def bad(self, place: _Place, reason: str) -> None:
        self.lines.append(self._writer.bad(place, reason))
        self._tally.add_bad(*place[1:], reason)

    def finish(self) -> tuple[bytes, Tally]:
        self._tally.add_looked_up(self._lengths, self._unsolvable, self._seconds)
        # A name of a file need not be UTF-8, but the output is.
        return "".join(self.lines).encode(errors="replace"), self._tally


# --- reading ------------------------------------------------------------------------------------

_SPELLED = re.compile(rb"[0-9]{1,2}(?: [0-9]{1,2})+(?:/[0-9]{1,2}(?: [0-9]{1,2})+)*")
_DIGITS = re.compile(rb"[0-9]{9}|[0-9]{4}")
_SQUARES = {4: (2, 2), 9: (3, 3)}


def quick_read(text: bytes, shape: Shape | None = None) -> Small | None:
    """A small board in one of the plainest spellings; None for all that takes a closer look.

    >>> quick_read(b"1 2 3/4 0 5")
    Small(shape=(2, 3), tiles=b'\\x01\\x02\\x03\\x04\\x00\\x05', text='1 2 3/4 0 5')
    """
    if _SPELLED.fullmatch(text):
        tiles, found = _spelled(text)
    elif _DIGITS.fullmatch(text):
        tiles, found = text.translate(_VALUES), _SQUARES[len(text)]
    else:
        return None
    if found is None or len(tiles) > STORED_EXACT_CELLS or (shape is not None and shape != found):
        return None
    if set(tiles) != _tiles(len(tiles)):
        return None
    return Small(found, tiles, text.decode() if b"/" in text and _is_tidy(text, tiles) else "")


def _spelled(text: bytes) -> tuple[bytes, Shape | None]:
    """Tiles between spaces and slashes, and their shape if they have one."""
    between = text[1::2]
    # Where every tile is a digit, every other character stands between two of them.
    if between.translate(None, b" /"):
        tiles = bytes(map(int, text.replace(b"/", b" ").split()))
        between = text.translate(None, b"0123456789")
    else:
        tiles = text[::2].translate(_VALUES)
    return tiles, _shape_by(between)


@lru_cache(maxsize=1000)
def _shape_by(between: bytes) -> Shape | None:
    """The shape of a board, going by what stands between its tiles."""
    rows = between.split(b"/")
    if len(rows) == 1:
        return _SQUARES.get(len(between) + 1)
    return (len(rows), len(rows[0]) + 1) if len(set(rows)) == 1 else None


def _is_tidy(text: bytes, tiles: bytes) -> bool:
    """Whether the text is what `str` would give: no zero stands before a digit."""
    return len(text) == 2 * len(tiles) - 1 + max(len(tiles) - 10, 0)


_VALUES = bytes(byte - 48 if 48 <= byte <= 57 else 255 for byte in range(256))


@cache
def _tiles(count: int) -> frozenset[int]:
    return frozenset(range(count))


# --- writing ------------------------------------------------------------------------------------


def _json_line(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _csv_line(row: Row) -> str:
    out = io.StringIO()
    flat = flatten(row)
    flat["iterations"] = flat["iterations"] and json.dumps(flat["iterations"])
    csv.writer(out, lineterminator="\n").writerow(flat.values())
    return out.getvalue()


def flatten(row: Row) -> Row:
    """A row of plain columns: what a result took, side by side with the rest."""
    stats = row["stats"] or dict.fromkeys(_blank_result()["stats"])
    return {**{key: value for key, value in row.items() if key != "stats"}, **stats}


WRITERS: dict[str, Callable[[Row], str]] = {"jsonl": _json_line, "csv": _csv_line}


def heading(form: str) -> bytes:
    """What a file of lines begins with."""
    if form != "csv":
        return b""
    columns = flatten({**dict.fromkeys(PLACE), **_blank_result()})
    return (",".join(columns) + "\n").encode()


@cache
def _blank_result() -> Row:
    board = Board("1 0/")
    return looked_up(board, board, "", 0.0).to_dict()


def bad_row(reason: str) -> Row:
    """All keys of a result, for an entry that is no board, or none that can be solved here."""
    return {**dict.fromkeys(_blank_result()), "status": "bad", "reason": reason}


_GAPS = ("number", "line", "board", "length", "moves", "lower_bound", "seconds")
"""What differs between the lines of boards that were looked up, in the order of the keys."""
_TEXTS = ("board", "moves")

_OPPOSITE = str.maketrans("UDLR", "DURL")


class _Writer:
    """Writes lines; those of boards from a table by filling in a form, which is much quicker."""

    def __init__(self, write: Callable[[Row], str], moves: str) -> None:
        self._write = write
        self._moves = moves
        self._forms: dict[tuple[str, Shape], str] = {}

    def result(self, place: _Place, result: Result) -> str:
        return self._row(place, result.to_dict(moves=self._moves))

    def bad(self, place: _Place, reason: str) -> str:
        return self._row(place, bad_row(reason))

    def looked_up(
        self, place: _Place, small: Small, goal: Board, letters: str | None, seconds: float
    ) -> str:
        if letters is None:
            board = Board(small.tiles, shape=small.shape)
            return self.result(place, looked_up(board, goal, None, seconds))
        number, file, line = place
        form = self._forms.get((file, small.shape))
        if form is None:
            form = self._forms[file, small.shape] = self._form(file, goal)
        if self._moves == "blank":
            letters = letters.translate(_OPPOSITE)
        length = len(letters)
        return form % (number, line, _text(small), length, letters, length, round(seconds, 6))

    def _form(self, file: str, goal: Board) -> str:
        """The line of a board from a table, with gaps to be filled in."""
        row = looked_up(goal, goal, "", 0.0).to_dict(moves=self._moves)
        marks = {name: f"@{name}-of-a-board@" for name in _GAPS}
        for name in row.keys() & marks.keys():
            row[name] = marks[name]
        row["stats"]["seconds"] = marks["seconds"]
        form = self._row((marks["number"], file, marks["line"]), row).replace("%", "%%")  # type: ignore[arg-type]
        for name, mark in marks.items():
            # In JSON, texts keep their quotes and numbers have none.
            if name not in _TEXTS:
                form = form.replace(f'"{mark}"', "%s")
            form = form.replace(mark, "%s")
        return form

    def _row(self, place: _Place, row: Row) -> str:
        return self._write({**dict(zip(PLACE, place, strict=True)), **row})


def _text(small: Small) -> str:
    """What `str` gives of the board, which has at least two rows."""
    if small.text:
        return small.text
    cols = small.shape[1]
    cells = [str(tile) for tile in small.tiles]
    return "/".join([" ".join(cells[i : i + cols]) for i in range(0, len(cells), cols)])
