"""A game as a value: where it began, what was played, and when.

The text is that of speed-solvers, after slidysim: the scramble, the moves with counts, and when
each was made, in milliseconds. A fourth field names the goal, unless it is the usual one.

    8 6 7/2 5 4/3 0 1;RD2L;0,310,455,802
    1 2 3/8 4 0/7 6 5;R;0;snail
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from . import goals
from .board import Board, Move
from .errors import NotationError, shorten
from .notation import MAX_TEXT, read_moves, write_moves

MAX_SECONDS = 10**9
"""The longest game, so that every millisecond of it is exact in a float."""

LINK = "https://slidysim.github.io/replay?r="
"""Where slidysim's page shows replays."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Where a game began, its goal, its moves, and (if known) when each of them was made.

    Moves must be possible one after the other. There are as many times as moves, or none.

    >>> replay = Replay.parse("1 2 3/4 5 6/0 7 8;L2;0,480")
    >>> replay.length, replay.seconds, replay.solved
    (2, 0.48, True)
    >>> replay.text()
    '1 2 3/4 5 6/0 7 8;L2;0,480'
    """

    board: Board
    goal: Board
    moves: tuple[Move, ...]
    times: tuple[float, ...] = ()
    """Seconds from the first move to each move, to the millisecond; empty if they are not known."""

    def __post_init__(self) -> None:
        board = Board(self.board)
        object.__setattr__(self, "board", board)
        object.__setattr__(self, "goal", goals.resolve(self.goal, board.shape))
        board.slide(tuple(self.moves))
        object.__setattr__(self, "moves", tuple(map(Move, self.moves)))
        object.__setattr__(self, "times", _checked_times(self.times, len(self.moves)))

    @property
    def length(self) -> int:
        """How many moves were made."""
        return len(self.moves)

    @property
    def seconds(self) -> float | None:
        """From the first move to the last; None if the times are not known."""
        return self.times[-1] if self.times else None

    @property
    def final(self) -> Board:
        """The board after the last move."""
        return self.board.slide(self.moves)

    @property
    def solved(self) -> bool:
        """Whether the last move led to the goal."""
        return self.final == self.goal

    def boards(self) -> Iterator[Board]:
        """Every board of the game, the first and the last included."""
        board = self.board
        yield board
        for move in self.moves:
            board = board.slide(move)
            yield board

    # --- text

    def text(self) -> str:
        """One line that `parse` reads back as the same replay."""
        moves = write_moves(self.moves, "runs")
        times = ",".join(map(str, self._milliseconds()))
        fields = [str(self.board), moves, times, _goal_text(self.goal)]
        while len(fields) > 2 and not fields[-1]:
            fields.pop()
        return ";".join(fields)

    @classmethod
    def parse(cls, text: str, *, goal: Board | str | None = None) -> Replay:
        """The replay that a text, a JSON object or a slidysim link describes.

        The fields `scramble;moves;times;goal` stand on one line or on one line each; times and goal
        may be missing. `goal` is meant where the text names none.

        >>> Replay.parse("1 2 3/4 5 6/0 7 8 ; LL").times
        ()
        >>> Replay.parse("1 2 3/4 5 6/0 7 8;LL;0")
        Traceback (most recent call last):
        taquin.errors.NotationError: there is 1 time for 2 moves
        """
        text = text.strip()
        if len(text) > MAX_TEXT:
            raise NotationError(f"a text of {len(text):,} characters is longer than any replay")
        if not text:
            raise NotationError("there is no replay here: the text is empty")
        if text.startswith("{"):
            return cls.from_dict(_read_json(text), goal=goal)
        if re.match(r"https?://", text):
            return cls.from_dict(_from_link(text), goal=goal)
        fields = _fields(text)
        board = Board.parse(fields[0])
        return cls(
            board,
            goals.resolve(fields[3] or goal, board.shape),
            read_moves(fields[1], board=board),
            _read_times(fields[2]),
        )

    # --- JSON

    def to_dict(self) -> dict[str, Any]:
        """The replay as plain values; `times` is null if they are not known.

        >>> Replay.parse("1 2 3/4 5 6/0 7 8;L2;0,480").to_dict()["times"]
        [0.0, 0.48]
        """
        return {
            "board": str(self.board),
            "goal": str(self.goal),
            "moves": "".join(self.moves),
            "times": list(self.times) if self.times or not self.moves else None,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any], *, goal: Board | str | None = None) -> Replay:
        """The replay that `to_dict` wrote; other keys are left alone."""
        board = Board.parse(text_of(data, "board"))
        named = text_of(data, "goal") if data.get("goal") is not None else goal
        times = data.get("times") or ()
        if not isinstance(times, (list, tuple)):
            raise NotationError(f"'times' must be a list of seconds, not {shorten(repr(times))}")
        moves = read_moves(text_of(data, "moves"), board=board)
        return cls(board, goals.resolve(named, board.shape), moves, tuple(times))

    # --- slidysim

    def link(self) -> str:
        """The address at which slidysim's page plays this replay; the page knows one goal only."""
        if self.goal != goals.resolve(None, self.board.shape):
            raise NotationError(f"slidysim knows no goal but {goals.DEFAULT}")
        per_second = round(1000 * self.length / self.seconds) if self.seconds else 0
        times = self._milliseconds() or -1
        packed = [write_moves(self.moves, "runs"), per_second, str(self.board), times]
        data = zlib.compress(json.dumps(packed).encode(), level=9)
        return LINK + quote(base64.b64encode(data).decode(), safe="")

    def _milliseconds(self) -> list[int]:
        return [round(1000 * time) for time in self.times]


def text_of(data: dict[str, Any], key: str) -> str:
    """The text under a key of a JSON object."""
    if key not in data:
        raise NotationError(f"'{key}' is missing")
    if not isinstance(data[key], str):
        raise NotationError(f"'{key}' must be text, not {shorten(repr(data[key]))}")
    return str(data[key])


def _checked_times(times: Iterable[Any], moves: int) -> tuple[float, ...]:
    """The times to the millisecond, which is as exact as they are written."""
    checked: list[float] = []
    for number, time in enumerate(times, 1):
        known = isinstance(time, (int, float)) and not isinstance(time, bool)
        if not known or not 0 <= time <= MAX_SECONDS:
            raise NotationError(f"time {number} is {shorten(repr(time))}, which no move has")
        if not checked and round(time, 3) != 0:
            raise NotationError(f"time 1 is {time:.3f} s: the clock starts at the first move, at 0")
        if checked and round(time, 3) < checked[-1]:
            raise NotationError(
                f"time {number} is {time:.3f} s, before time {number - 1} ({checked[-1]:.3f} s)"
            )
        checked.append(round(float(time), 3))
    if checked and len(checked) != moves:
        are = "is 1 time" if len(checked) == 1 else f"are {len(checked)} times"
        raise NotationError(f"there {are} for {moves} move{'' if moves == 1 else 's'}")
    return tuple(checked)


def _goal_text(goal: Board) -> str:
    name = goals.name_of(goal)
    return "" if name == goals.DEFAULT else name or str(goal)


def _fields(text: str) -> list[str]:
    """Scramble, moves, times and goal; the last two may be empty."""
    separator = ";" if ";" in text else "\n"
    fields = [field.strip() for field in text.split(separator)]
    if separator == "\n":
        fields = [field for field in fields if field]
    if not 2 <= len(fields) <= 4:
        raise NotationError(
            "a replay is 'scramble;moves;times' or 'scramble;moves;times;goal': "
            f"this has {len(fields)} of these fields"
        )
    return fields + [""] * (4 - len(fields))


def _read_times(text: str) -> tuple[float, ...]:
    tokens = [token for token in re.split(r"[,\s\[\]]+", text) if token]
    for number, token in enumerate(tokens, 1):
        if not re.fullmatch(r"[0-9]{1,12}", token):
            raise NotationError(
                f"time {number}: '{shorten(token)}' is not a whole number of milliseconds"
            )
    return tuple(int(token) / 1000 for token in tokens)


def _read_json(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotationError(
            f"this is not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        ) from None
    except (ValueError, RecursionError):
        raise NotationError("this JSON can't be read: it is nested or numbered too far") from None
    assert isinstance(data, dict), "what starts with a brace is an object"
    return data


def _from_link(link: str) -> dict[str, Any]:
    """What a slidysim link holds: moves, moves per second, scramble, and times or -1."""
    packed = "".join(parse_qs(urlsplit(link).query).get("r", []))
    try:
        # In a query a plus means a space, but base64 has no spaces.
        data = base64.b64decode(packed.replace(" ", "+"), validate=True)
        text = zlib.decompressobj().decompress(data, MAX_TEXT)
        moves, _, scramble, times = json.loads(text)
        # A clock that was started before the first move ran on without one.
        times = None if times == -1 else [(time - times[0]) / 1000 for time in times]
    except (zlib.error, ValueError, TypeError, RecursionError):
        raise NotationError(f"there is no replay in this link: {shorten(link, 80)}") from None
    return {"board": scramble, "moves": moves, "times": times}
