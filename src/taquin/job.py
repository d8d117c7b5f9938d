"""What every way to solve a board shares: the best answer so far, the lower bound, the result."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from . import goals
from .board import Board, Move
from .heartbeat import Cancel, Heartbeat, Hook
from .moves import length
from .parity import blank_distance, reaches, reason
from .result import Limit, Progress, Result, Solution, Status


class Job:
    """One board to solve. Neither the answer nor the lower bound ever gets worse."""

    def __init__(
        self,
        board: Board,
        goal: Board | str | None,
        *,
        metric: str = "single",
        limit: Limit | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        self.board = board
        self.goal = goals.resolve(goal, board.shape)
        self.metric = metric
        self.limit = limit
        self.on_progress = on_progress
        self.cancel = cancel
        self.heartbeat = Heartbeat(limit, on_progress, cancel)
        self.warning = ""
        self.is_replayed = False
        """Whether the best answer has been checked already."""

    @property
    def moves(self) -> tuple[Move, ...] | None:
        """The best answer so far."""
        return self.heartbeat.moves

    def is_hopeless(self) -> bool:
        return not reaches(self.board, self.goal)

    def unsolvable(
        self, algorithm: str, heuristic: str | None = None, hook: Hook | None = None
    ) -> Result:
        why = reason(self.board, self.goal, hook)
        return self.result("unsolvable", algorithm, heuristic, why)

    def length(self, moves: tuple[Move, ...]) -> int:
        return length(moves, self.metric)

    def offer(self, moves: tuple[Move, ...]) -> bool:
        """An answer, kept and reported if it is the shortest so far."""
        if self.heartbeat.best is not None and self.length(moves) >= self.heartbeat.best:
            return False
        self.heartbeat.moves = moves
        self.is_replayed = False
        self.heartbeat.best = self.length(moves)
        self.heartbeat.report()
        return True

    def raise_bound(self, bound: int) -> None:
        """A lower bound on the optimum, raised to the parity that every solution has."""
        if self.metric == "single":
            bound += (bound - self.blank_distance) % 2
        self.heartbeat.lower_bound = max(self.heartbeat.lower_bound, bound)

    @cached_property
    def blank_distance(self) -> int:
        return blank_distance(self.board, self.goal)

    def is_proven(self, weight: float) -> bool:
        best = self.heartbeat.best
        return best is not None and best <= weight * self.heartbeat.lower_bound

    def replays(self, solution: Solution) -> bool:
        return solution.verify()

    def result(
        self, status: Status, algorithm: str, heuristic: str | None, reason: str = ""
    ) -> Result:
        """The result, its solution replayed."""
        solution = None
        if self.moves is not None:
            solution = Solution(self.board, self.goal, self.moves)
            if not self.replays(solution):
                raise AssertionError(f"{algorithm} gave a wrong answer for {self.board}")
        return Result(
            board=self.board,
            goal=self.goal,
            status=status,
            solution=solution,
            lower_bound=self.heartbeat.lower_bound,
            algorithm=algorithm,
            heuristic=heuristic,
            stats=self.heartbeat.finish(),
            reason=reason,
            metric=self.metric,
            warning=self.warning,
        )
