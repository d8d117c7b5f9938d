"""One player at one screen: the game in hand, the settings, and what is kept of both.

It serves the game on the terminal and the line mode alike. Where something can't be kept, that is
told once, and the game goes on.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from . import goals, settings
from .board import Board, Shape
from .errors import TaquinError
from .game import Game
from .hints import PLANNING
from .result import Limit
from .settings import Settings
from .shuffle import random_board

if TYPE_CHECKING:
    from .averages import Figures, Statistics
    from .records import Record, Records

SETTINGS_FILE = "settings.json"

T = TypeVar("T")


class Session:
    """The game in hand and how it is kept.

    What works with the records may be called in any thread, the rest in one.
    """

    def __init__(
        self,
        records: Records | None = None,
        settings_path: Path | None = None,
        *,
        seed: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        planning: Limit = PLANNING,
    ) -> None:
        self.records = records
        self.settings_path = settings_path
        self.settings = Settings()
        self.notes: list[str] = []
        """What the player is to be told, each once."""
        self._random = Random(seed)
        self._clock = clock
        self._planning = planning
        self._complained = False
        self._game: Game | None = None
        if settings_path is not None:
            self.settings, problem = settings.load(settings_path)
            self.notes += [problem] if problem else []

    @classmethod
    def open(cls, *, seed: int | None = None) -> Session:
        """The session of this user, with the records in the user's data directory."""
        from .records import Records, default_path

        notes: list[str] = []
        records = None
        try:
            records = Records(say=notes.append)
        except (TaquinError, OSError) as error:
            notes.append(_unkept(error))
        session = cls(records, default_path().with_name(SETTINGS_FILE), seed=seed)
        session.notes += notes
        session._complained = records is None
        return session

    def close(self) -> None:
        """Leave; a game that is not finished is kept."""
        if self._game is not None:
            self._game.close()
        if self.records is not None:
            with suppress(TaquinError, OSError):
                self.records.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- the game in hand

    @property
    def game(self) -> Game:
        assert self._game is not None, "no board was dealt yet"
        return self._game

    @property
    def is_under_way(self) -> bool:
        """Whether there is a game that someone may want to go on with, and that is kept."""
        return self.records is not None and self.game.started and not self.game.finished

    def deal(self, shape: Shape | None = None, goal: Board | str | None = None) -> Game:
        """A game with a random board; of the settings' size and goal unless others are named."""
        shape = shape or self.settings.shape
        target = goals.resolve(goal or self.settings.goal, shape)
        board = random_board(*shape, goal=target, seed=self._random)
        while board == target:
            board = random_board(*shape, goal=target, seed=self._random)
        return self.begin(board, target)

    def begin(self, board: Board, goal: Board) -> Game:
        """A game with this board."""
        return self._take(Game(board, goal, clock=self._clock, planning=self._planning))

    def resume(self) -> bool:
        """Go on with the game that was kept; False if there is none."""
        data = self._keeping(lambda records: records.current())
        if data is None:
            return False
        try:
            self._take(Game.from_dict(data, clock=self._clock, planning=self._planning))
        except (TaquinError, KeyError, TypeError) as error:
            self.notes.append(f"the game that was kept can't be read: {error}")
            return False
        return True

    def _take(self, game: Game) -> Game:
        before, self._game = self._game, game
        if before is not None:
            # Its search takes a moment to end, and nobody should wait for that.
            threading.Thread(target=before.close, name="taquin-closing").start()
        return game

    # --- keeping it

    def save(self, state: dict[str, Any] | None = None) -> None:
        """Keep the game as it stands, or as it stood when its `to_dict` was taken."""
        kept = self.game.to_dict() if state is None else state
        self._keeping(lambda records: records.save_current(kept))

    def finish(self, game: Game) -> Entry:
        """Enter a finished game in the records, unless it ended before its first move."""
        if not game.started:
            return Entry()
        return self._keeping(lambda records: _entered(records, game)) or Entry()

    def learn_optimum(self, entry: Entry, optimum: int) -> None:
        """Add to the records what came to be known after the game."""
        record = entry.record
        if record is not None and record.optimum is None:
            self._keeping(lambda records: records.set_optimum(record.id, optimum))

    def standings(self, goal: Board) -> Statistics | None:
        """The player's records for a goal and its size."""
        return self._keeping(lambda records: _statistics(records, goal))

    def choose(self, chosen: Settings) -> None:
        """Take settings, and keep them."""
        self.settings = chosen
        if self.settings_path is not None:
            try:
                chosen.save(self.settings_path)
            except OSError as error:
                self._complain(error)

    def told(self) -> list[str]:
        """What the player is to be told, which is then forgotten."""
        notes, self.notes = self.notes, []
        return notes

    def _keeping(self, work: Callable[[Records], T]) -> T | None:
        """Work with the records; the first time that fails there is a note, and then silence."""
        if self.records is None:
            return None
        try:
            return work(self.records)
        except (TaquinError, OSError) as error:
            self._complain(error)
            return None

    def _complain(self, error: Exception) -> None:
        if not self._complained:
            self._complained = True
            self.notes.append(_unkept(error))


def _unkept(error: Exception) -> str:
    words = error if isinstance(error, TaquinError) else getattr(error, "strerror", None) or error
    return f"this game can't be kept: {words}"


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of a finished game in the records."""

    record: Record | None = None
    """None if it could not be kept."""
    news: tuple[str, ...] = ()
    """In which ways it was the best so far, in words."""


def _statistics(records: Records, goal: Board) -> Statistics | None:
    return next(iter(records.statistics(goal.shape, goal)), None)


def _entered(records: Records, game: Game) -> Entry:
    before = _statistics(records, game.goal)
    record = records.finish(game, optimum=game.optimum)
    after = _statistics(records, game.goal)
    is_new = game.solved and not record.hints and after is not None
    return Entry(record, tuple(news(before, after)) if is_new and after is not None else ())


# --- what is new --------------------------------------------------------------------------------


def news(before: Statistics | None, after: Statistics) -> list[str]:
    """In which ways the last game was the best so far."""
    from .report_records import clock, series_name

    size = series_name(after.goal)
    if before is None or before.seconds.single is None:
        return [f"your first {size} on record"]
    times = _bests(before.seconds)
    found = [
        f"your best {name} for {size}: {clock(best)}"
        for name, best in _bests(after.seconds).items()
        if best < times.get(name, math.inf)
    ]
    fewest, moves = before.moves.single, after.moves.single
    if fewest is not None and moves is not None and moves < fewest:
        found.append(f"your fewest moves for {size}: {moves:g}")
    return found


def _bests(figures: Figures) -> dict[str, float]:
    averages = {
        "mean of 3": figures.mo3,
        "average of 5": figures.ao5,
        "average of 12": figures.ao12,
    }
    bests = {name: average.best for name, average in averages.items() if average is not None}
    return bests if figures.single is None else {"time": figures.single, **bests}
