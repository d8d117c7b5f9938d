"""What a game cost: every move against the optimum, where moves were lost, what was best there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any

from .board import Board, Move
from .engine import SMALL_CELLS
from .errors import BoardError
from .heartbeat import Cancel
from .hints import Answer
from .moves import tile_numbers
from .parity import reaches, reason
from .replay import Replay
from .result import Limit, Progress, Result
from .solver import solve

QUICK = Limit(seconds=10)
"""What an analysis takes at most, unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a game, and how many moves were needed before and after it (None: not known)."""

    number: int
    move: Move
    tile: int
    seconds: float | None
    """When it was made, counted from the first move."""
    before: int | None
    after: int | None
    best: Move | None
    """A move that lies on a shortest way: this one, if it does."""

    @property
    def lost(self) -> int | None:
        """How many moves more the game takes by this one: 0 on a shortest way, 2 off it."""
        if self.before is None or self.after is None:
            return None
        return self.after + 1 - self.before

    def to_dict(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "move": self.move,
            "tile": self.tile,
            "seconds": self.seconds,
            "before": self.before,
            "after": self.after,
            "lost": self.lost,
            "best": self.best,
        }


@dataclass(frozen=True, slots=True)
class Mistake:
    """Moves in a row that all lost something, and a shortest way from where they began."""

    first: int
    last: int
    lost: int
    instead: tuple[Move, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "last": self.last,
            "lost": self.lost,
            "instead": "".join(self.instead),
        }


@dataclass(frozen=True)
class Analysis:
    """A game, step by step against the optimum."""

    replay: Replay
    steps: tuple[Step, ...]
    optimum: int | None
    """The fewest moves from the first board to the goal; None if that is not known."""
    ways: dict[int, tuple[Move, ...]]
    """By the number of a step: a shortest way from the board before it."""
    reason: str = ""
    """In words: what kept it from knowing everything."""

    @property
    def known(self) -> int:
        """Of how many moves it is known what they lost."""
        return sum(step.lost is not None for step in self.steps)

    @property
    def lost(self) -> int:
        """How many moves were lost, as far as is known."""
        return sum(step.lost or 0 for step in self.steps)

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """Where moves were lost, the costliest first."""
        found = []
        for is_lost, group in groupby(self.steps, lambda step: bool(step.lost)):
            if is_lost:
                row = list(group)
                lost = sum(step.lost or 0 for step in row)
                way = self.ways[row[0].number]
                found.append(Mistake(row[0].number, row[-1].number, lost, way))
        return tuple(sorted(found, key=lambda mistake: (-mistake.lost, mistake.first)))

    def to_dict(self) -> dict[str, Any]:
        """The analysis as plain values."""
        return {
            "replay": self.replay.to_dict(),
            "solved": self.replay.solved,
            "length": self.replay.length,
            "seconds": self.replay.seconds,
            "optimum": self.optimum,
            "lost": self.lost,
            "known": self.known,
            "reason": self.reason,
            "mistakes": [mistake.to_dict() for mistake in self.mistakes],
            "steps": [step.to_dict() for step in self.steps],
        }


def analyse(
    replay: Replay | str,
    *,
    limit: Limit = QUICK,
    on_progress: Callable[[Progress], object] | None = None,
    cancel: Cancel | None = None,
) -> Analysis:
    """What each move of a game did to the number of moves needed, as far as the limit allows.

    Boards of up to 16 cells are mostly known from the first move on; of larger ones, the last part
    of the game is.

    >>> analysis = analyse("1 2 3/4 5 6/0 7 8;DUL2")
    >>> analysis.optimum, analysis.lost, [step.lost for step in analysis.steps]
    (2, 2, [2, 0, 0, 0])
    >>> analysis.mistakes[0].first, "".join(analysis.mistakes[0].instead)
    (1, 'LL')
    """
    game = Replay.parse(replay) if isinstance(replay, str) else replay
    if not reaches(game.board, game.goal):
        raise BoardError(reason(game.board, game.goal))
    return _Analyst(game, limit, on_progress, cancel).analysis()


class _Analyst:
    """Gathers what is known of the boards of a game."""

    def __init__(
        self,
        replay: Replay,
        limit: Limit,
        on_progress: Callable[[Progress], object] | None,
        cancel: Cancel | None,
    ) -> None:
        self.replay = replay
        self.boards = list(replay.boards())
        self.limit = limit
        self.on_progress = on_progress
        self.cancel = cancel
        self.started = time.perf_counter()
        self.expanded = 0
        self.answers: dict[Board, Answer] = {}
        self.reason = ""

    def analysis(self) -> Analysis:
        # Going forward, a move on the way that is known costs nothing. But only going backward
        # comes by the easy boards first, and knows at least the end of a game that is too hard.
        if len(self.replay.board) <= SMALL_CELLS:
            self.walk(self.boards, share=0.5)
        self.walk(list(reversed(self.boards)), share=1.0)
        return Analysis(
            self.replay,
            tuple(self.steps()),
            self.optimum(self.replay.board),
            {
                number: self.answers[board].moves
                for number, board in enumerate(self.boards[:-1], 1)
                if self.optimum(board) is not None
            },
            self.reason if any(self.optimum(board) is None for board in self.boards) else "",
        )

    def steps(self) -> Iterator[Step]:
        replay = self.replay
        tiles = tile_numbers(replay.board, replay.moves)
        for index, (board, next_board) in enumerate(pairwise(self.boards)):
            move, best = replay.moves[index], None
            before, after = self.optimum(board), self.optimum(next_board)
            if before is not None:
                on_the_way = after is not None and after < before
                best = move if on_the_way else next(iter(self.answers[board].moves), None)
            seconds = replay.times[index] if replay.times else None
            yield Step(index + 1, move, tiles[index], seconds, before, after, best)

    def optimum(self, board: Board) -> int | None:
        answer = self.answers.get(board)
        return len(answer.moves) if answer is not None and answer.is_optimal else None

    def walk(self, boards: Iterable[Board], share: float) -> None:
        """Look at board after board, until one takes more than a share of the time."""
        before: Board | None = None
        for board in boards:
            if before is not None and before != board:
                self.keep(board, self.answers[before].after(before.move_to(board)))
            if self.optimum(board) is None:
                self.search(board, share)
            if self.optimum(board) is None:
                return
            before = board

    def search(self, board: Board, share: float) -> None:
        result = solve(
            board,
            self.replay.goal,
            limit=self.rest(share),
            on_progress=self.on_progress,
            cancel=self.cancel,
        )
        self.expanded += result.stats.expanded
        self.reason = self.reason_of(result)
        if result.solution is not None:
            self.keep(board, Answer(result.solution.moves, result.lower_bound, None))

    def keep(self, board: Board, answer: Answer) -> None:
        known = self.answers.get(board)
        self.answers[board] = answer if known is None else known.joined(answer)

    def reason_of(self, result: Result) -> str:
        """What ended a search, told of the whole analysis and not of its last part."""
        if result.status == "cancelled":
            return "it was interrupted"
        if self.limit.expanded is not None and self.rest(1.0).expanded == 0:
            return f"the limit of {self.limit.expanded:,} expanded boards"
        if self.limit.seconds is not None:
            return f"the time limit of {self.limit.seconds:g} s"
        return result.reason

    def rest(self, share: float) -> Limit:
        """What is left of a share of the limit."""
        seconds, expanded = self.limit.seconds, self.limit.expanded
        if seconds is not None:
            seconds = max(share * seconds - (time.perf_counter() - self.started), 0)
        if expanded is not None:
            expanded = max(int(share * expanded) - self.expanded, 0)
        return Limit(seconds, expanded, self.limit.memory)
