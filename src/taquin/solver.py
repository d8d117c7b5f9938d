"""solve(): the one door. It picks the engine or the textbook algorithm that was asked for."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from itertools import pairwise
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import heuristics, search
from .board import Board, Move
from .engine import Engine
from .errors import OptionError, UnknownNameError
from .graph import BoardGraph
from .heartbeat import Cancel, Event, Run
from .heuristics import Heuristic, UserHeuristic
from .job import Job
from .moves import check_metric
from .result import Limit, Progress, Result
from .search import Algorithm
from .tables import check_name, check_threads

if TYPE_CHECKING:
    from concurrent.futures import Executor

QUALITIES = ("optimal", "fast")

_EXACT_WEIGHT = 1.0

_WHOLE = ("width", "depth")
"""The options of textbook algorithms that count something."""


def solve(
    board: Board | str,
    goal: Board | str | None = None,
    *,
    quality: str | float = "optimal",
    algorithm: str | Algorithm | None = None,
    heuristic: str | Heuristic | UserHeuristic | None = None,
    tables: str = "auto",
    metric: str = "single",
    limit: Limit | None = None,
    threads: int = 1,
    checkpoint: str | Path | None = None,
    executor: Executor | None = None,
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

    `metric` is `single`, or `multi`: a run of tiles that slides at once is one move. `checkpoint`
    is a file that keeps how far an optimal search has come; a run that finds it goes on from there.
    A long optimal search is shared with the workers of an `executor`: threads, processes, or those
    of a cluster (`taquin.cluster.connect`).

    >>> result = solve(Board("8 6 7 / 2 5 4 / 3 0 1"))
    >>> result.status, result.length, result.proof
    ('solved', 31, 'optimal')
    """
    weight = _weight(quality)
    check_name(tables)
    check_metric(metric)
    check_threads(threads)
    common: dict[str, Any] = {"limit": limit, "on_progress": on_progress, "cancel": cancel}
    if algorithm is None and heuristic is None and on_event is None:
        if options:
            raise OptionError(f"'{next(iter(options))}' goes with an algorithm: none is given")
        if checkpoint is not None and (weight != _EXACT_WEIGHT or metric != "single"):
            raise OptionError("a checkpoint is for an optimal search, in single moves")
        if executor is not None and (weight != _EXACT_WEIGHT or metric != "single"):
            raise OptionError("only an optimal search, in single moves, is shared with others")
        return Engine(
            Board(board),
            goal,
            fast=quality == "fast",
            weight=weight,
            table_set=tables,
            threads=threads,
            checkpoint=None if checkpoint is None else Path(checkpoint),
            executor=executor,
            metric=metric,
            **common,
        ).solve()
    of_engine = (tables, threads, metric, checkpoint, executor)
    if of_engine != ("auto", 1, "single", None, None):
        raise OptionError(
            "tables, metric, checkpoint, executor and threads are for the engine, "
            "not for a textbook algorithm"
        )
    _check_whole(options)
    guide = _heuristic(heuristic)
    chosen = _algorithm(algorithm, weight)
    return _Textbook(Board(board), goal, **common).solve(
        chosen, guide, on_event, _weighed(options, chosen, weight)
    )


def prepare(
    board: Board,
    goal: Board | str | None = None,
    *,
    quality: str | float = "optimal",
    tables: str = "auto",
    metric: str = "single",
    limit: Limit | None = None,
    cancel: Cancel | None = None,
) -> None:
    """Have the tables ready with which the engine solves boards of this shape.

    `solve` tries a board without tables before it builds any; for many boards that is a waste.
    """
    Engine(
        board,
        goal,
        fast=quality == "fast",
        weight=_weight(quality),
        table_set=tables,
        threads=1,
        checkpoint=None,
        metric=metric,
        limit=limit,
        cancel=cancel,
    ).prepare()


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
    if quality > sys.float_info.max:
        raise OptionError(f"quality must be a number from 1 to {sys.float_info.max:.2g}")
    return float(quality)


def _check_whole(options: dict[str, float]) -> None:
    for name in _WHOLE:
        value = options.get(name, 1)
        if not isinstance(value, Integral):
            raise OptionError(f"{name} must be a whole number, not {value}")


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


class _Textbook(Job):
    """Solves a board by a textbook algorithm, in Python."""

    def solve(
        self,
        algorithm: Algorithm,
        heuristic: Heuristic | UserHeuristic,
        on_event: Callable[[Event[Board]], object] | None,
        options: dict[str, float],
    ) -> Result:
        name = _name(heuristic) if algorithm.informed else None
        if self.is_hopeless():
            return self.unsolvable(algorithm.name, name)
        self.heartbeat = run = Run(
            BoardGraph(*self.board.shape, self.goal),
            limit=self.limit,
            on_progress=self.on_progress,
            on_event=on_event,
            cancel=self.cancel,
            started=self.heartbeat.started,
        )
        self.raise_bound(heuristics.linear_conflict(self.board, self.goal))
        outcome = algorithm.search(run, self.board, self.goal, heuristic, **options)
        if outcome.path:
            # The search has told its length already, but not its moves.
            self.heartbeat.best = None
            self.offer(_moves_along(outcome.path))
        self.raise_bound(outcome.lower_bound)
        if outcome.status == "unsolvable":
            # There is a way, so it was the heuristic that gave every way an endless length.
            return self.result("limit", algorithm.name, name, f"{name} rules out every way")
        return self.result(outcome.status, algorithm.name, name, outcome.reason)


def _moves_along(path: list[Board]) -> tuple[Move, ...]:
    return tuple(board.move_to(after) for board, after in pairwise(path))


def _name(heuristic: Any) -> str:
    return str(getattr(heuristic, "name", None) or getattr(heuristic, "__name__", "custom"))
