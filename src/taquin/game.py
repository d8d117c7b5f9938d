"""A game: a board, a clock, moves made and taken back, hints. It knows no input and no output."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any

from . import goals
from .board import Board, Move
from .errors import BoardError, IllegalMoveError, NotationError, OptionError, shorten
from .hints import PLANNING, Hint, Planner
from .moves import invert
from .notation import read_moves
from .parity import reaches, reason
from .replay import Replay, text_of
from .result import Limit, Solution

_MILLISECOND = 0.001


class Game:
    """A game being played, from its first board to the goal.

    The clock starts with the first move and stands still while the game is paused and when it is
    over. What is over, or paused, takes no moves.

    >>> game = Game(Board("1 2 3 / 4 5 6 / 0 7 8"))
    >>> game.play("L")
    >>> game.undo(), game.redo()
    (1, 1)
    >>> game.slide_tile(8), game.solved
    ((<Move.L: 'L'>,), True)
    """

    def __init__(
        self,
        board: Board | str,
        goal: Board | str | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        planning: Limit = PLANNING,
    ) -> None:
        self.start = Board(board)
        self.goal = goals.resolve(goal, self.start.shape)
        if not reaches(self.start, self.goal):
            raise BoardError(reason(self.start, self.goal))
        self._clock = clock
        self._planning = planning
        self._planner: Planner | None = None
        self._closed = False
        self._optimum: int | None = None
        self._begin()

    def _begin(self) -> None:
        self.board = self.start
        self.given_up = False
        self.hints_used = 0
        self._hinted = False
        """Whether a hint was given for this very board."""
        self._moves: list[Move] = []
        self._times: list[float] = []
        self._undone: list[Move] = []
        """Moves taken back, the last one first to be made again."""
        self._paused = False
        self._elapsed = 0.0
        self._running_since: float | None = None

    # --- how it stands

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made and not taken back."""
        return tuple(self._moves)

    @property
    def undone(self) -> tuple[Move, ...]:
        """The moves that `redo` makes, in their order."""
        return tuple(reversed(self._undone))

    @property
    def seconds(self) -> float:
        """How long the game was played, pauses left out."""
        if self._running_since is None:
            return self._elapsed
        return self._elapsed + (self._clock() - self._running_since)

    @property
    def started(self) -> bool:
        """Whether a move was made, even if it was taken back."""
        return bool(self._moves or self._undone)

    @property
    def paused(self) -> bool:
        return self._paused

    @property
    def solved(self) -> bool:
        return self.board == self.goal

    @property
    def finished(self) -> bool:
        """Whether it is solved or given up."""
        return self.solved or self.given_up

    # --- playing

    def play(self, moves: str | Move | Iterable[Move]) -> None:
        """Make moves, all of them or none; IllegalMoveError names the first that can't be made."""
        if isinstance(moves, str) and not isinstance(moves, Move):
            moves = read_moves(moves, board=self.board)
        sequence = (moves,) if isinstance(moves, Move) else tuple(moves)
        if not sequence:
            return
        self._check_open()
        played = Replay(self.board, self.goal, sequence)
        solving = _solving_move(played)
        if solving < played.length:
            culprit = f"move {solving + 1} ({sequence[solving]})"
            raise IllegalMoveError(f"{culprit} can't be made: the one before it solves the board")
        self._undone.clear()
        self._make(played.moves, played.final)

    def slide_tile(self, tile: int) -> tuple[Move, ...]:
        """Slide a tile, and all between it and the blank, towards the blank; gives the moves.

        >>> Game(Board("1 2 3 / 4 5 6 / 0 7 8")).slide_tile(1)
        (<Move.D: 'D'>, <Move.D: 'D'>)
        >>> Game(Board("1 2 3 / 4 5 6 / 0 7 8")).slide_tile(5)
        Traceback (most recent call last):
        taquin.errors.IllegalMoveError: tile 5 can't slide: the blank is in another row and column
        """
        self._check_open()
        run = Replay(self.board, self.goal, _run(self.board, tile))
        moves = run.moves[: _solving_move(run)]
        self.play(moves)
        return moves

    def undo(self, steps: int = 1) -> int:
        """Take back moves; gives how many were there to be taken back."""
        steps = self._possible(steps, len(self._moves))
        back = invert(self._moves[len(self._moves) - steps :])
        for _ in range(steps):
            self._undone.append(self._moves.pop())
            self._times.pop()
        if steps:
            self._arrive(back, self.board.slide(back))
        return steps

    def redo(self, steps: int = 1) -> int:
        """Make moves again that were taken back; gives how many there were."""
        steps = self._possible(steps, len(self._undone))
        again = self.undone[:steps]
        del self._undone[len(self._undone) - steps :]
        if steps:
            self._make(again, self.board.slide(again))
        return steps

    def restart(self) -> None:
        """Begin again with the first board: no moves, no time.

        The help taken still counts, as what was seen is known; so does a solution, as one hint.
        """
        help_taken = self.hints_used + self.given_up
        self._begin()
        self.hints_used = help_taken
        if self._planner is not None:
            self._planner.jump(self.board)

    def pause(self) -> None:
        """Let the clock stand still until `resume`."""
        if not self.finished:
            self._paused = True
            self._stop_clock()

    def resume(self) -> None:
        self._paused = False
        self._run_clock()

    def give_up(self, wait: float = 0) -> Solution | None:
        """End the game unsolved; gives the best solution known from here, waiting for one if asked.

        None says that there is none yet: `solution` has it a moment later, and better ones then.
        """
        if not self.finished:
            self.given_up = True
            self._paused = False
            self._stop_clock()
        if wait:
            self.planner.wait_for_answer(wait)
        return self.solution

    # --- hints

    @property
    def planner(self) -> Planner:
        """The planner, which looks for answers in the background from the first look at it on."""
        if self._planner is None:
            limit, closed = self._planning, self._closed
            self._planner = Planner(self.board, self.goal, limit=limit, closed=closed)
        return self._planner

    def hint(self, count: int = 1) -> Hint | None:
        """The next moves by the best answer known; None while the first one is being looked for.

        Never waits. Hints count once for each board they are given for.
        """
        hint = self.planner.hint(count)
        if hint is not None and not self._hinted and not self.finished:
            self._hinted = True
            self.hints_used += 1
        return hint

    @property
    def solution(self) -> Solution | None:
        """The best solution known from here; None while the first one is being looked for."""
        return self.planner.solution

    @property
    def optimum(self) -> int | None:
        """The fewest moves from the first board to the goal, if that came to be known."""
        if self._optimum is None and self._planner is not None:
            answer = self._planner.answer(self.start)
            if answer is not None and answer.is_optimal:
                self._optimum = len(answer.moves)
        return self._optimum

    def close(self) -> None:
        """Stop what goes on in the background, for good."""
        self._closed = True
        if self._planner is not None:
            self._planner.close()

    def __enter__(self) -> Game:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- keeping it

    def replay(self) -> Replay:
        """What was played, as a value."""
        return Replay(self.start, self.goal, self.moves, tuple(self._times))

    def to_dict(self) -> dict[str, Any]:
        """The whole game as plain values: those of its replay, and what it takes to go on."""
        return {
            **self.replay().to_dict(),
            "undone": "".join(self.undone),
            "seconds": self.seconds,
            "paused": self.paused,
            "given_up": self.given_up,
            "hints_used": self.hints_used,
            "hinted": self._hinted,
            "optimum": self.optimum,
        }

    @classmethod
    def from_dict(
        cls,
        data: dict[str, Any],
        *,
        clock: Callable[[], float] = time.monotonic,
        planning: Limit = PLANNING,
    ) -> Game:
        """The game that `to_dict` wrote. Its clock goes on from where it was."""
        replay = Replay.from_dict(data)
        if replay.moves and not replay.times:
            raise NotationError("'times' is missing: a game can't go on without them")
        if _solving_move(replay) < replay.length:
            raise NotationError(f"move {_solving_move(replay) + 1} comes after the board is solved")
        game = cls(replay.board, replay.goal, clock=clock, planning=planning)
        game.board = replay.final
        game._moves, game._times = list(replay.moves), list(replay.times)
        undone = read_moves(text_of(data, "undone"), board=game.board)
        game.board.slide(undone)
        game._undone = list(reversed(undone))
        game._elapsed = _number(data, "seconds")
        if game._elapsed < (replay.seconds or 0) - _MILLISECOND:
            raise NotationError(
                f"'seconds' is {game._elapsed:g}, but the last move was at {replay.seconds:g}"
            )
        game._paused, game.given_up = _flag(data, "paused"), _flag(data, "given_up")
        game.hints_used, game._hinted = _whole(data, "hints_used"), _flag(data, "hinted")
        game._optimum = None if data.get("optimum") is None else _whole(data, "optimum")
        game._run_clock()
        return game

    # --- how moves are made

    def _check_open(self) -> None:
        if self.solved:
            raise IllegalMoveError("the board is solved: no more moves can be made")
        if self.given_up:
            raise IllegalMoveError("the game was given up: no more moves can be made")
        if self.paused:
            raise IllegalMoveError("the game is paused: no moves can be made until it goes on")

    def _possible(self, steps: int, there: int) -> int:
        if steps < 0:
            raise OptionError(f"{steps} moves can't be taken back or made again")
        return 0 if self.finished or self.paused else min(steps, there)

    def _make(self, moves: tuple[Move, ...], board: Board) -> None:
        now = math.floor(1000 * self.seconds) / 1000
        self._moves += moves
        self._times += [now] * len(moves)
        # The first move is at 0 by definition, even where others were made and taken back before.
        self._times[0] = 0.0
        self._arrive(moves, board)
        if self.solved:
            self._elapsed = now

    def _arrive(self, moves: Iterable[Move], board: Board) -> None:
        self.board = board
        self._hinted = False
        if self.solved:
            self._stop_clock()
        else:
            self._run_clock()
        if self._planner is not None:
            self._planner.follow(moves)

    def _run_clock(self) -> None:
        if self._running_since is None and self.started and not (self.finished or self.paused):
            self._running_since = self._clock()

    def _stop_clock(self) -> None:
        self._elapsed = self.seconds
        self._running_since = None


def _solving_move(replay: Replay) -> int:
    """The number of the first move that leads to the goal; that of the last if none does."""
    boards = enumerate(replay.boards())
    return next((number for number, board in boards if board == replay.goal), replay.length)


def _run(board: Board, tile: int) -> tuple[Move, ...]:
    """The moves that slide a tile and all between it and the blank."""
    if tile not in board.tiles or tile == 0:
        raise IllegalMoveError(f"there is no tile {tile} on a {board.rows}×{board.cols} board")
    row, col = divmod(board.tiles.index(tile), board.cols)
    blank_row, blank_col = divmod(board.blank, board.cols)
    if row == blank_row:
        return (Move.L if col > blank_col else Move.R,) * abs(col - blank_col)
    if col == blank_col:
        return (Move.U if row > blank_row else Move.D,) * abs(row - blank_row)
    raise IllegalMoveError(f"tile {tile} can't slide: the blank is in another row and column")


def _number(data: dict[str, Any], key: str) -> float:
    value = data.get(key)
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value < 1e9:
        raise NotationError(f"'{key}' must be a number from 0 on, not {shorten(repr(value))}")
    return value


def _whole(data: dict[str, Any], key: str) -> int:
    value = _number(data, key)
    if value != int(value):
        raise NotationError(f"'{key}' must be a whole number, not {value}")
    return int(value)


def _flag(data: dict[str, Any], key: str) -> bool:
    value = data.get(key)
    if not isinstance(value, bool):
        raise NotationError(f"'{key}' must be true or false, not {shorten(repr(value))}")
    return value
