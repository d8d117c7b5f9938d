"""solve(): the one door. It picks the engine, keeps the best answer and replays it."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from . import _native, goals, heuristics, search, tables
from .board import Board, Move
from .construct import construct
from .errors import OptionError, UnknownNameError
from .graph import BoardGraph
from .heartbeat import Cancel, Event, Heartbeat, Run, Stopped
from .heuristics import Heuristic, UserHeuristic
from .parity import blank_distance, reaches, reason
from .result import Limit, Progress, Result, Solution, Status
from .search import Algorithm
from .tables import check_name

QUALITIES = ("optimal", "fast")

_SMALL_CELLS = 16
"""Boards up to this size have short answers, which take little to find."""

_CELL_EFFORT, _MOST_EFFORT = 120_000, 6_000_000
"""Expansions that a fast answer may cost, by cell and in all, where it is all that is wanted;"""
_QUICK_EFFORT = 100_000
"""for a small board, and where it is only the first answer of a longer search."""

_EXACT_WEIGHT = 1.0


def solve(
    board: Board | str,
    goal: Board | str | None = None,
    *,
    quality: str | float = "optimal",
    algorithm: str | Algorithm | None = None,
    heuristic: str | Heuristic | UserHeuristic | None = None,
    tables: str = "auto",
    limit: Limit | None = None,
    threads: int = 1,
    on_progress: Callable[[Progress], object] | None = None,
    on_event: Callable[[Event[Board]], object] | None = None,
    cancel: Cancel | None = None,
    **options: float,
) -> Result:
    """The moves from a board to a goal, and what is proven of them.

    `quality` is `optimal`, `fast` (an answer at once), or a number W: at most W × the optimum.
    Without an `algorithm` the quickest engine at hand is used; with one, that textbook algorithm
    runs in Python, with its `options` (`weight`, `width`, `depth`). `on_progress` is called about
    every 50 ms; `on_event` sees every expansion of a textbook algorithm; `cancel` is anything with
    `is_set()`, such as a `threading.Event`.

    >>> result = solve(Board("8 6 7 / 2 5 4 / 3 0 1"))
    >>> result.status, result.length, result.proof
    ('solved', 31, 'optimal')
    """
    job = _Job(Board(board), goal, limit, threads, on_progress, cancel)
    weight = _weight(quality)
    check_name(tables)
    guide = _heuristic(heuristic)
    chosen = _algorithm(algorithm, weight)
    if algorithm is None and heuristic is None and on_event is None:
        if options:
            raise OptionError(f"'{next(iter(options))}' goes with an algorithm: none is given")
        return job.by_engine(quality == "fast", weight, tables)
    if tables != "auto" or threads != 1:
        raise OptionError("tables and threads are for the engine, not for a textbook algorithm")
    return job.by_textbook(chosen, guide, on_event, _weighed(options, chosen, weight))


def _weight(quality: str | float) -> float:
    """How many times the optimum an answer may be long."""
    if quality == "fast":
        return math.inf
    if quality == "optimal":
        return _EXACT_WEIGHT
    if isinstance(quality, str):
        raise UnknownNameError("quality", quality, [*QUALITIES, "a number from 1 on"])
    if not 1 <= quality < math.inf:
        raise OptionError(f"quality must be a number from 1 on, not {quality}")
    return float(quality)


def _algorithm(algorithm: str | Algorithm | None, weight: float) -> Algorithm:
    """The algorithm asked for, or the one that gives the quality asked for."""
    fitting = {_EXACT_WEIGHT: search.astar, math.inf: search.greedy}.get(weight, search.wastar)
    if algorithm is None:
        return fitting
    chosen = search.get(algorithm) if isinstance(algorithm, str) else algorithm
    if weight != _EXACT_WEIGHT and chosen.name != fitting.name:
        raise OptionError(f"{chosen.name} can't be asked for that quality; {fitting.name} can")
    return chosen


def _weighed(options: dict[str, float], algorithm: Algorithm, weight: float) -> dict[str, float]:
    if algorithm.name != "wastar" or weight == _EXACT_WEIGHT:
        return options
    if "weight" in options:
        raise OptionError("a quality and a weight are two words for one thing; give one of them")
    return {**options, "weight": weight}


def _heuristic(heuristic: str | Heuristic | UserHeuristic | None) -> Heuristic | UserHeuristic:
    if heuristic is None:
        return heuristics.manhattan
    return heuristics.get(heuristic) if isinstance(heuristic, str) else heuristic


class _Job:
    """One board to solve: its engines all start here and all end in `result`."""

    def __init__(
        self,
        board: Board,
        goal: Board | str | None,
        limit: Limit | None,
        threads: int,
        on_progress: Callable[[Progress], object] | None,
        cancel: Cancel | None,
    ) -> None:
        if not 1 <= threads <= _native.MAX_THREADS:
            raise OptionError(f"threads must be 1 to {_native.MAX_THREADS}, not {threads}")
        self.board = board
        self.goal = goals.resolve(goal, board.shape)
        self.threads = threads
        self.limit = limit
        self.on_progress = on_progress
        self.cancel = cancel
        self.heartbeat = Heartbeat(limit, on_progress, cancel)
        self.moves: tuple[Move, ...] | None = None

    def is_hopeless(self) -> bool:
        return not reaches(self.board, self.goal)

    def unsolvable(self, algorithm: str, heuristic: str | None = None) -> Result:
        return self.result("unsolvable", algorithm, heuristic, reason(self.board, self.goal))

    def by_textbook(
        self,
        algorithm: Algorithm,
        heuristic: Heuristic | UserHeuristic,
        on_event: Callable[[Event[Board]], object] | None,
        options: dict[str, float],
    ) -> Result:
        name = _name(heuristic) if algorithm.informed else None
        if self.is_hopeless():
            return self.unsolvable(algorithm.name, name)
        self.heartbeat = run = self.run(self.limit, on_event)
        self.raise_bound(heuristics.linear_conflict(self.board, self.goal))
        outcome = algorithm.search(run, self.board, self.goal, heuristic, **options)
        if outcome.path:
            self.offer(_moves_along(outcome.path))
        self.raise_bound(outcome.lower_bound)
        if outcome.status == "unsolvable":
            # There is a way, so it was the heuristic that gave every way an endless length.
            return self.result("limit", algorithm.name, name, f"{name} rules out every way")
        return self.result(outcome.status, algorithm.name, name, outcome.reason)

    def run(
        self, limit: Limit | None, on_event: Callable[[Event[Board]], object] | None = None
    ) -> Run[Board]:
        """A search of the board's graph in Python, whose clock is that of the whole."""
        return Run(
            BoardGraph(*self.board.shape, self.goal),
            limit=limit,
            on_progress=self.on_progress,
            on_event=on_event,
            cancel=self.cancel,
            started=self.heartbeat.started,
        )

    def by_engine(self, fast: bool, weight: float, table_set: str) -> Result:
        if self.is_hopeless():
            return self.unsolvable("parity")
        try:
            if self.wants_exact_table(table_set):
                return self.by_table()
            self.raise_bound(heuristics.linear_conflict(self.board, self.goal))
            self.first_answer(self.effort(fast))
            if fast or self.is_proven(weight):
                return self.result("solved", "fast", None)
            if len(self.board) > _native.MAX_CELLS:
                too_large = f"the search is for boards of at most {_native.MAX_CELLS:,} cells"
                return self.result("limit", "fast", None, too_large)
            return self.by_native_search(weight, table_set)
        except Stopped as stop:
            return self.result(stop.status, "fast", None, stop.reason)

    def wants_exact_table(self, table_set: str) -> bool:
        if table_set == "auto":
            return len(self.board) <= tables.INSTANT_CELLS
        return table_set == "exact"

    def by_table(self) -> Result:
        letters = tables.exact(self.goal, self.beat).moves(goals.canonical(self.board, self.goal))
        self.offer(tuple(map(Move, letters)))
        self.raise_bound(len(letters))
        return self.result("solved", "table", None)

    def effort(self, fast: bool) -> int:
        """About how many expansions the first answer may cost; 0 gives a constructed one."""
        small = len(self.board) <= _SMALL_CELLS
        if fast:
            return _QUICK_EFFORT if small else min(_CELL_EFFORT * len(self.board), _MOST_EFFORT)
        if small:
            return 0  # it is mostly solved for good before a better answer is found
        allowed = self.heartbeat.expanded_left()
        return _QUICK_EFFORT if allowed is None else min(_QUICK_EFFORT, allowed // 4)

    def first_answer(self, effort: int) -> None:
        """An answer at once; `Stopped` if that was too early for one, or on a cancel."""
        self.heartbeat.beat()
        if len(self.board) > _native.MAX_CELLS:
            self.offer(construct(self.board, self.goal, self.heartbeat.beat))
            return
        stats, stopped = self.heartbeat.stats, list[Stopped]()

        def hook(expanded: int, generated: int, bound: int, lower_bound: int) -> bool:
            stats.expanded, stats.generated = expanded, generated
            try:
                self.heartbeat.beat()
            except Stopped as stop:
                stopped.append(stop)
            return bool(stopped)

        found = _native.fast(
            *self.goal.shape,
            self.goal.blank,
            goals.canonical(self.board, self.goal),
            effort,
            max_expanded=self.heartbeat.expanded_left(),
            hook=hook,
        )
        stats.expanded, stats.generated = found.expanded, found.generated
        if found.moves is not None:
            self.offer(tuple(map(Move, found.moves)))
        if stopped and (found.moves is None or stopped[0].status == "cancelled"):
            raise stopped[0]

    def by_native_search(self, weight: float, table_set: str) -> Result:
        walking = self.walking_table(table_set)
        expanded_before = self.heartbeat.stats.expanded
        generated_before = self.heartbeat.stats.generated
        stopped: list[Stopped] = []

        def hook(expanded: int, generated: int, bound: int, lower_bound: int) -> bool:
            self.heartbeat.stats.expanded = expanded_before + expanded
            self.heartbeat.stats.generated = generated_before + generated
            self.heartbeat.bound = bound
            self.raise_bound(lower_bound)
            try:
                self.heartbeat.beat()
            except Stopped as stop:
                stopped.append(stop)
            return bool(stopped) or self.is_proven(weight)

        found = _native.idastar(
            *self.goal.shape,
            self.goal.blank,
            goals.canonical(self.board, self.goal),
            walking,
            weight=weight,
            threads=self.threads,
            max_expanded=self.heartbeat.expanded_left(),
            hook=hook,
        )
        hook(found.expanded, found.generated, self.heartbeat.lower_bound, found.lower_bound)
        self.heartbeat.stats.iterations = list(found.iterations)
        if found.moves is not None:
            self.offer(tuple(map(Move, found.moves)))
        name = "manhattan" if walking is None else "walking-distance"
        if found.limit_reached and not stopped:
            stopped.append(self.heartbeat.expanded_limit())
        if found.moves is None and stopped and not self.is_proven(weight):
            return self.result(stopped[0].status, "native", name, stopped[0].reason)
        return self.result("solved", "native", name)

    def walking_table(self, table_set: str) -> _native.WalkingDistance | None:
        if table_set == "none":
            return None
        find = tables.walking if table_set == "walking" else tables.find_walking
        return find(self.goal, self.beat)

    def beat(self, *counts: int) -> bool:
        """The hook of a table being built, which has nothing to give if it is stopped."""
        self.heartbeat.beat()
        return False

    def offer(self, moves: tuple[Move, ...]) -> bool:
        """An answer, kept if it is the shortest so far."""
        if self.moves is not None and len(moves) >= len(self.moves):
            return False
        self.moves = moves
        self.heartbeat.best = len(moves)
        return True

    def raise_bound(self, bound: int) -> None:
        """A lower bound on the optimum, raised to the parity that every solution has."""
        bound += (bound - blank_distance(self.board, self.goal)) % 2
        self.heartbeat.lower_bound = max(self.heartbeat.lower_bound, bound)

    def is_proven(self, weight: float) -> bool:
        return self.moves is not None and len(self.moves) <= weight * self.heartbeat.lower_bound

    def result(
        self, status: Status, algorithm: str, heuristic: str | None, reason: str = ""
    ) -> Result:
        """The result, its solution replayed."""
        solution = None
        if self.moves is not None:
            solution = Solution(self.board, self.goal, self.moves)
            if not solution.verify():
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
        )


def _moves_along(path: list[Board]) -> tuple[Move, ...]:
    return tuple(board.move_to(after) for board, after in pairwise(path))


def _name(heuristic: Any) -> str:
    return str(getattr(heuristic, "name", None) or getattr(heuristic, "__name__", "custom"))
