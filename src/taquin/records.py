"""The games that were finished and those that are being played, kept in one SQLite file."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Protocol

from . import averages, goals, playing
from .averages import Outcome, Statistics, moment_text
from .board import Board, Shape
from .database import Database
from .errors import OptionError, RecordsError, TaquinError, UnknownNameError, shorten
from .heartbeat import Cancel
from .moves import from_letters
from .replay import MAX_SECONDS, Replay, text_of

ID_DIGITS = 16

LAST = "last"
"""Means the game that was finished last, where an id is asked for."""

QUICK_CELLS = 16
"""Boards up to this size have an optimum that can mostly be found in a moment."""

MAX_LINE = 1 << 24
"""No line of an import is longer."""

_BATCH = 500
"""So many imported games are written at a time: others who want to write wait no longer."""

_APPLICATION = 0x74617175
"""Marks the file as taquin's: the letters taqu."""

_GAMES = """
CREATE TABLE games (
    id TEXT PRIMARY KEY NOT NULL,
    finished_at TEXT NOT NULL,
    size TEXT NOT NULL,
    board TEXT NOT NULL,
    goal TEXT NOT NULL,
    moves TEXT NOT NULL,
    times TEXT NOT NULL,
    milliseconds INTEGER NOT NULL,
    hints INTEGER NOT NULL,
    given_up INTEGER NOT NULL,
    optimum INTEGER
) STRICT;
CREATE INDEX games_by_size ON games (size, finished_at)
"""

MIGRATIONS = (_GAMES, playing.SCHEMA)
"""What leads from each version of the schema to the next. Those that were ever released stay."""


class Played(Protocol):
    """What the records want of a `Game`."""

    @property
    def seconds(self) -> float: ...
    @property
    def hints_used(self) -> int: ...
    @property
    def given_up(self) -> bool: ...
    @property
    def finished(self) -> bool: ...
    @property
    def optimum(self) -> int | None: ...
    def replay(self) -> Replay: ...
    def to_dict(self) -> dict[str, Any]: ...


def default_path() -> Path:
    """Where records are kept: in `TAQUIN_HOME`, or else in the user's data directory."""
    home = os.environ.get("TAQUIN_HOME")
    if not home:
        from platformdirs import user_data_dir

        home = user_data_dir("taquin", appauthor=False)
    return Path(home).expanduser() / "records.db"


def find_replay(text: str) -> Replay | None:
    """The replay of the recorded game that a text means by its id, or by `last`; else None."""
    path = default_path()
    if not re.fullmatch(f"{LAST}|[0-9A-Fa-f]{{4,{ID_DIGITS}}}", text.strip()) or not path.exists():
        return None
    with Records(path) as records:
        try:
            return records.get(text).replay
        except OptionError:
            return None


# --- a game -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Record:
    """A finished game: what was played, when, how long it took and with how much help.

    >>> replay = Replay.parse("1 2 3/4 5 6/0 7 8;L2;0,480")
    >>> record = Record(replay, datetime(2026, 5, 1, 12, tzinfo=UTC), seconds=0.48, optimum=2)
    >>> record.id, record.outcome.excess
    ('ff2e37bb652c0bce', 0)
    """

    replay: Replay
    finished_at: datetime
    seconds: float
    """What the clock showed at the end."""
    hints: int = 0
    given_up: bool = False
    optimum: int | None = None
    """The fewest moves that solve the board, if that is known."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "finished_at", _checked_moment(self.finished_at))
        object.__setattr__(self, "seconds", _checked_seconds(self.seconds))
        _check_count("hints", self.hints)
        if not isinstance(self.given_up, bool):
            raise OptionError(f"given_up is {shorten(repr(self.given_up))}, not true or false")
        if not self.given_up and not self.replay.solved:
            raise OptionError("the moves don't end at the goal, and yet given_up is false")
        if self.optimum is not None:
            _check_count("optimum", self.optimum)
            if not _is_possible(self.optimum, self.replay.length, self.given_up):
                raise OptionError(
                    f"no board that {self.replay.length} moves solve has the optimum {self.optimum}"
                )

    @classmethod
    def of(
        cls, game: Played, *, optimum: int | None = None, finished_at: datetime | None = None
    ) -> Record:
        """The record of a game that is finished, now and with its own optimum if not told."""
        if not game.finished:
            raise OptionError("the game is not finished: it is neither solved nor given up")
        moment = datetime.now(UTC) if finished_at is None else finished_at
        known = game.optimum if optimum is None else optimum
        return cls(game.replay(), moment, game.seconds, game.hints_used, game.given_up, known)

    @cached_property
    def id(self) -> str:
        """Follows from all that was played, so that the same game has the same id everywhere."""
        return _digest(self._texts())

    @cached_property
    def outcome(self) -> Outcome:
        """What counts of it."""
        game = self.replay
        return Outcome(
            self.id, self.finished_at, game.goal, game.length, self.seconds, self.hints,
            self.given_up, self.optimum,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values, the keys of its replay among them."""
        return {
            "id": self.id,
            "finished_at": moment_text(self.finished_at),
            "seconds": self.seconds,
            "hints": self.hints,
            "given_up": self.given_up,
            "optimum": self.optimum,
            **self.replay.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Record:
        """The record that `to_dict` wrote; one whose content does not give its id is refused."""
        replay = Replay.from_dict(data)
        seconds = data.get("seconds")
        record = cls(
            replay,
            _read_moment(text_of(data, "finished_at")),
            (replay.seconds or 0.0) if seconds is None else seconds,
            data.get("hints", 0),
            data.get("given_up", False),
            data.get("optimum"),
        )
        if data.get("id") not in (None, record.id):
            raise OptionError(
                f"its content does not give its id {shorten(str(data['id']))}, but {record.id}"
            )
        return record

    def _texts(self) -> tuple[Any, ...]:
        """All that was played, as it is stored."""
        game = self.replay
        return (
            moment_text(self.finished_at),
            f"{game.board.rows}x{game.board.cols}",
            str(game.board),
            str(game.goal),
            "".join(game.moves),
            ",".join(str(_milliseconds(time)) for time in game.times),
            _milliseconds(self.seconds),
            self.hints,
            int(self.given_up),
        )

    def _row(self) -> tuple[Any, ...]:
        return (self.id, *self._texts(), self.optimum)


def _digest(texts: tuple[Any, ...]) -> str:
    """The id of a game: what was played, line by line, and of that the beginning of a SHA-256."""
    text = "\n".join(map(str, texts))
    return hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]


def _milliseconds(seconds: float) -> int:
    return round(1000 * seconds)


def _is_possible(optimum: int, moves: int, given_up: bool) -> bool:
    """Whether a game can have so many moves; one more or less never leads to the goal."""
    return optimum >= 0 and (given_up or (optimum <= moves and (moves - optimum) % 2 == 0))


def _checked_moment(moment: datetime) -> datetime:
    """The moment in UTC, to the millisecond, as it is written."""
    if moment.tzinfo is None:
        raise OptionError(f"{moment.isoformat()} could be in any time zone; give it one")
    try:
        moment = moment.astimezone(UTC)
    except OverflowError:
        raise OptionError(f"{moment.isoformat()} is before or after all time") from None
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _read_moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise OptionError(
            f"'{shorten(text)}' is not a moment such as 2026-05-01T12:00:00Z"
        ) from None


def _checked_seconds(seconds: object) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise OptionError(f"seconds are {shorten(repr(seconds))}, which is not a number")
    if not 0 <= seconds <= MAX_SECONDS:
        raise OptionError(f"a game can't take {shorten(repr(seconds))} seconds")
    return round(float(seconds), 3)


def _check_count(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 31:
        raise OptionError(f"{name} is {shorten(repr(value))}, not a whole number from 0 on")


# --- optima -------------------------------------------------------------------------------------


def quick_optimum(
    board: Board, goal: Board, *, seconds: float = 1.0, cancel: Cancel | None = None
) -> int | None:
    """The fewest moves from a board to its goal, where that can be told in a moment; else None.

    No tables are built for it, those on disk are used.

    >>> quick_optimum(Board("8 6 7 / 2 5 4 / 3 0 1"), goals.blank_last(3, 3), seconds=60)
    31
    """
    if len(board) > QUICK_CELLS:
        return None
    from .result import Limit
    from .solver import solve

    result = solve(
        board, goal, tables=_tables_at_hand(goal), limit=Limit(seconds=seconds), cancel=cancel
    )
    return result.length if result.proof == "optimal" else None


def _tables_at_hand(goal: Board) -> str:
    from . import tables

    if len(goal) <= tables.EXACT_CELLS:
        return "auto"
    try:
        return "walking" if tables.plan(goal, "default").missing else "auto"
    except OptionError:
        return "walking"


# --- all games ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Imported:
    """What became of the lines of an import."""

    added: int = 0
    known: int = 0
    """Games that were there already."""
    bad: list[tuple[int, str]] = field(default_factory=list)
    """The numbers of lines that could not be read, and why."""


class Records:
    """The records of one player; `with` closes them.

    Several processes may use one file at a time, and several threads. `say` is told what is out of
    the ordinary, such as a damaged file that was set aside. `RecordsError` where the file can't be
    used.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "records.db"
    >>> replay = Replay.parse("1 2 3/4 5 6/0 7 8;L2;0,480")
    >>> with Records(path) as records:
    ...     record = records.add(Record(replay, datetime.now(UTC), seconds=0.48))
    ...     records.statistics()[0].seconds.single
    0.48
    """

    def __init__(
        self, path: str | Path | None = None, *, say: Callable[[str], object] | None = None
    ) -> None:
        self.path = default_path() if path is None else Path(path)
        self._say = say or (lambda line: None)
        self._database = Database(self.path, _APPLICATION, MIGRATIONS, self._say)
        self._playing = playing.Playing(self._database)

    @property
    def set_aside(self) -> Path | None:
        """Where the file is that was found damaged when these records were opened."""
        return self._database.set_aside

    def close(self) -> None:
        """A game that is not finished is left to be gone on with."""
        self._playing.leave()
        self._database.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- finished games

    def add(self, game: Record | Played, *, optimum: int | None = None) -> Record:
        """Keep a finished game; one that is there already stays as it is."""
        record = _record_of(game, optimum)
        with self._database.writing() as connection:
            connection.execute(_INSERT, record._row())
        return record

    def finish(self, game: Record | Played, *, optimum: int | None = None) -> Record:
        """Keep a finished game, which is then no more the current one: both, or neither."""
        record = _record_of(game, optimum)
        with self._database.writing() as connection:
            connection.execute(_INSERT, record._row())
            self._playing.clear(connection)
        self._playing.leave()
        return record

    def get(self, id: str) -> Record:
        """The game with that id, or with the only id that begins so, or the `last` one."""
        with self._database.reading() as connection:
            name = _full_id(connection, id)
            row = _Row._make(connection.execute(f"{_SELECT} WHERE id = ?", (name,)).fetchone())
        if not row.is_sound():
            raise RecordsError(
                "{path}: game {id} is damaged",
                code="game-damaged", path=str(self.path), id=name,
            )  # fmt: skip
        return row.record()

    def delete(self, *ids: str) -> list[str]:
        """Forget games, given as for `get`: all of them, or none if one is not there; their ids."""
        with self._database.writing() as connection:
            names = [_full_id(connection, id) for id in ids]
            connection.executemany("DELETE FROM games WHERE id = ?", [(name,) for name in names])
        return names

    def all(self, size: Shape | None = None, goal: Board | str | None = None) -> list[Record]:
        """The games, or those of a size and goal, in the order in which they were finished."""
        return [row.record() for row in self._rows(size, goal)]

    def outcomes(self, size: Shape | None = None, goal: Board | str | None = None) -> list[Outcome]:
        """What counts of these games, which is quicker to have than all of them."""
        return [row.outcome() for row in self._rows(size, goal)]

    def statistics(
        self,
        size: Shape | None = None,
        goal: Board | str | None = None,
        *,
        hints: bool = False,
    ) -> list[Statistics]:
        """Bests, averages and progress for each size and goal; `hints` counts games with hints."""
        return averages.statistics(self.outcomes(size, goal), hints=hints)

    def _rows(self, size: Shape | None, goal: Board | str | None) -> Iterator[_Row]:
        where, values = "", []
        if size is not None:
            where, values = "WHERE size = ?", [f"{size[0]}x{size[1]}"]
        has_goal = _goal_filter(goal)
        with self._database.reading() as connection:
            found = connection.execute(f"{_SELECT} {where} ORDER BY finished_at, id", values)
            rows = [_Row._make(row) for row in found]
        for row in rows:
            if not row.is_sound():
                self._say(f"game {row.id} is left out: it is damaged")
            elif has_goal(row):
                yield row

    # --- optima

    def set_optimum(self, id: str, optimum: int) -> Record:
        """Tell the fewest moves that solve a game's board."""
        record = replace(self.get(id), optimum=optimum)
        with self._database.writing() as connection:
            connection.execute("UPDATE games SET optimum = ? WHERE id = ?", (optimum, record.id))
        return record

    def fill_optima(self, *, seconds: float = 1.0, cancel: Cancel | None = None) -> int:
        """Find the optima that are missing and can be found in so many seconds each; how many."""
        filled = 0
        for row in self._rows(None, None):
            if cancel is not None and cancel.is_set():
                break
            if row.optimum is None:
                game = row.record().replay
                optimum = quick_optimum(game.board, game.goal, seconds=seconds, cancel=cancel)
                if optimum is not None:
                    self.set_optimum(row.id, optimum)
                    filled += 1
        return filled

    # --- export and import

    def export(self, size: Shape | None = None, goal: Board | str | None = None) -> Iterator[str]:
        """The games as JSON Lines."""
        for row in self._rows(size, goal):
            yield json.dumps(row.record().to_dict(), ensure_ascii=False) + "\n"

    def import_(self, lines: Iterable[str | bytes]) -> Imported:
        """Take in games from JSON Lines. A bad line is told of, and the others are taken.

        A game that is there already stays; if only the lines know its optimum, that is taken.
        """
        done = Imported()
        batch: list[Record] = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                batch.append(_read_line(line))
            except TaquinError as error:
                done.bad.append((number, str(error)))
            if len(batch) == _BATCH:
                self._take_in(batch, done)
                batch = []
        self._take_in(batch, done)
        return done

    def _take_in(self, batch: list[Record], done: Imported) -> None:
        rows = [record._row() for record in batch]
        with self._database.writing() as connection:
            before = _count(connection)
            connection.executemany(_INSERT, rows)
            added = _count(connection) - before
        done.added += added
        done.known += len(batch) - added

    # --- the game that is being played

    def save_current(self, game: Played | Mapping[str, Any]) -> None:
        """Keep the game that is being played, in place of what was kept of it before."""
        self._playing.save(game if isinstance(game, Mapping) else game.to_dict())

    def current(self) -> dict[str, Any] | None:
        """The game that is being played, or the newest that no living process plays, or None.

        From then on it is played here: it is given to no one else until these records are closed.
        """
        return self._playing.current()

    def clear_current(self) -> None:
        """Forget the game that is being played."""
        with self._database.writing() as connection:
            self._playing.clear(connection)
        self._playing.leave()


def _record_of(game: Record | Played, optimum: int | None) -> Record:
    if not isinstance(game, Record):
        return Record.of(game, optimum=optimum)
    return game if optimum is None else replace(game, optimum=optimum)


def _goal_filter(goal: Board | str | None) -> Callable[[_Row], bool]:
    """Whether a game has the goal; a name means one goal for each size."""
    if goal is None:
        return lambda row: True
    if isinstance(goal, str) and goal in goals.NAMED:
        make = goals.NAMED[goal]
        return lambda row: row.goal == str(make(*_shape(row.size)))
    board = goal if isinstance(goal, Board) else _read_goal(goal)
    return lambda row: row.goal == str(board)


def _read_goal(text: str) -> Board:
    try:
        return Board.parse(text)
    except TaquinError:
        if text.strip()[:1].isalpha():
            raise UnknownNameError("goal", text, goals.NAMED) from None
        raise


def _read_line(line: str | bytes) -> Record:
    if len(line) > MAX_LINE:
        raise OptionError(f"longer than {MAX_LINE:,} characters")
    try:
        data = json.loads(line.decode("utf-8-sig") if isinstance(line, bytes) else line)
    except UnicodeDecodeError as error:
        raise OptionError(f"byte {error.start + 1} is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise OptionError(f"not JSON: {error.msg} (column {error.colno})") from None
    except (ValueError, RecursionError):
        raise OptionError("this JSON can't be read: it is nested or numbered too far") from None
    if not isinstance(data, dict):
        raise OptionError("not a JSON object")
    return Record.from_dict(data)


# --- rows ---------------------------------------------------------------------------------------


class _Row(NamedTuple):
    """A row of the table of games."""

    id: str
    finished_at: str
    size: str
    board: str
    goal: str
    moves: str
    times: str
    milliseconds: int
    hints: int
    given_up: int
    optimum: int | None

    def is_sound(self) -> bool:
        """Whether the content gives the id: SQLite does not notice if a letter has changed."""
        if self.optimum is not None and not _is_possible(
            self.optimum, len(self.moves), bool(self.given_up)
        ):
            return False
        return _digest(self[1:-1]) == self.id

    def outcome(self) -> Outcome:
        """What counts of a sound row."""
        return Outcome(
            self.id, datetime.fromisoformat(self.finished_at), _board(self.goal, self.size),
            len(self.moves), self.milliseconds / 1000, self.hints, bool(self.given_up),
            self.optimum,
        )  # fmt: skip

    def record(self) -> Record:
        """The game in a sound row."""
        times = tuple(int(time) / 1000 for time in self.times.split(",") if time)
        moves = from_letters(self.moves)
        board, goal = _board(self.board, self.size), _board(self.goal, self.size)
        return Record(
            Replay(board, goal, moves, times), datetime.fromisoformat(self.finished_at),
            self.milliseconds / 1000, self.hints, bool(self.given_up), self.optimum,
        )  # fmt: skip


_SELECT = f"SELECT {', '.join(_Row._fields)} FROM games"
_INSERT = (
    f"INSERT INTO games ({', '.join(_Row._fields)}) "
    f"VALUES ({', '.join('?' * len(_Row._fields))}) "
    "ON CONFLICT (id) DO UPDATE SET optimum = coalesce(optimum, excluded.optimum)"
)


def _shape(size: str) -> Shape:
    rows, cols = size.split("x")
    return int(rows), int(cols)


@lru_cache(maxsize=256)
def _board(text: str, size: str) -> Board:
    return Board(list(map(int, text.replace("/", " ").split())), _shape(size))


def _full_id(connection: sqlite3.Connection, id: str) -> str:
    beginning = id.strip().lower()
    if beginning == LAST:
        newest = connection.execute("SELECT id FROM games ORDER BY finished_at DESC, id DESC")
        beginning = (newest.fetchone() or ("",))[0]
    rows = connection.execute(
        "SELECT id FROM games WHERE substr(id, 1, ?) = ? LIMIT 2", (len(beginning), beginning)
    ).fetchall()
    if not beginning or not rows:
        raise OptionError("there is no game '{id}'", code="no-game", id=shorten(id))
    if len(rows) > 1:
        raise OptionError(f"several games begin with '{shorten(id)}'; give more of the id")
    name: str = rows[0][0]
    return name


def _count(connection: sqlite3.Connection) -> int:
    count: int = connection.execute("SELECT count(*) FROM games").fetchone()[0]
    return count
