"""solve_many(): a stream of boards in, a stream of results out, on all cores or on any executor."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from . import _native, goals, partitions, store
from .board import Board
from .errors import AmbiguousError, OptionError, TaquinError
from .flow import PATIENCE, TARGET, Flow, Part, Turn
from .heartbeat import Cancel, available_memory
from .heuristics import Heuristic, UserHeuristic
from .lookup import Lookup, Nowhere, Small
from .moves import from_letters
from .parity import reason
from .result import Limit, Result, Solution, Stats
from .search import Algorithm
from .solver import prepare, solve
from .tables import STORED_EXACT_CELLS, cores

_ROUNDS = 2
"""Groups on their way for each worker: one that it works on, and one that waits for it."""

_WARM_UP = 0.1
"""Seconds in which boards are solved by threads; for fewer boards processes are not worth it."""

_WEIGHT_OF_A_RESULT = 64


def solve_many(
    boards: Iterable[Board | str],
    goal: Board | str | None = None,
    *,
    executor: Executor | None = None,
    workers: int | None = None,
    ordered: bool = True,
    quality: str | float = "optimal",
    algorithm: str | Algorithm | None = None,
    heuristic: str | Heuristic | UserHeuristic | None = None,
    tables: str = "auto",
    metric: str = "single",
    limit: Limit | None = None,
    cancel: Cancel | None = None,
    **options: float,
) -> Iterator[Result]:
    """The results of many boards, each as `solve` gives it, as they come.

    `boards` may be of different shapes and need never end: no more of them are taken than can be
    worked on, and no more results kept than wait for their turn. They come in the order of the
    boards, or (`ordered=False`) as they are completed. `limit` and the other options hold for each
    board.

    `executor` is any `concurrent.futures.Executor`; without one, processes on the cores of this
    machine are used (`workers` says how many). An iterator that is closed, or whose `cancel` is
    set, stops the work. An error (a text that is no board, a worker that died) is raised after the
    results of all boards before it.

    >>> results = solve_many(["1 2 3 / 4 5 6 / 7 0 8", "1 2 3 / 4 5 6 / 0 7 8"])
    >>> [result.length for result in results]
    [1, 2]
    """
    asked = {
        "quality": quality,
        "algorithm": algorithm,
        "heuristic": heuristic,
        "tables": tables,
        "metric": metric,
        "limit": limit,
        **options,
    }
    check(goal, asked, workers)
    return _stream(boards, goal, asked, executor, workers, ordered, cancel)


def _stream(
    boards: Iterable[Board | str],
    goal: Board | str | None,
    asked: dict[str, Any],
    executor: Executor | None,
    workers: int | None,
    ordered: bool,
    cancel: Cancel | None,
) -> Iterator[Result]:
    with sending(solve_group, goal, asked, executor, workers) as (send, pace):
        flow = Flow(_Boards(boards), send, **pace, ordered=ordered, cancel=cancel)
        for _, results in flow:
            yield from results


def check(goal: Board | str | None, options: dict[str, Any], workers: int | None = None) -> None:
    """Raise what `solve` would raise for any board, so that it does not come after a million."""
    if workers is not None and workers < 1:
        raise OptionError(f"workers must be 1 or more, not {workers}")
    if isinstance(goal, str):
        _check_goal(goal)
    named = options.get("tables") in partitions.NAMES
    solve("1 2/3 0", **{**options, **({"tables": "none"} if named else {})})


def _check_goal(goal: str) -> None:
    """Raise what is wrong with a goal, whatever the shape of boards is."""
    try:
        Board.parse(goal)
    except AmbiguousError:
        # Its shape is that of each board.
        pass
    except TaquinError:
        goals.resolve(goal, (2, 2))


# --- what workers do ----------------------------------------------------------------------------


class Boards(list[Board]):
    """A group of boards."""

    @property
    def weight(self) -> int:
        return sum(_WEIGHT_OF_A_RESULT + len(board) for board in self)

    def __getitem__(self, part: Any) -> Any:
        found = super().__getitem__(part)
        return Boards(found) if isinstance(part, slice) else found


def solve_group(
    boards: list[Board],
    goal: Board | str | None,
    options: dict[str, Any],
    cancel: Cancel | None = None,
) -> Part[list[Result]]:
    """The results of the first boards of a group, as far as its turn goes."""
    turn = Turn(len(boards), cancel)
    lookup = Lookup(goal, options, cancel)
    results: list[Result] = []
    found = lookup.letters([small(board) for board in boards])
    each = turn.seconds() / max(len(boards), 1)
    for board, letters in zip(boards, found, strict=True):
        if not isinstance(letters, Nowhere):
            results.append(looked_up(board, lookup.goal(board.shape), letters, each))
            continue
        if results and turn.is_over():
            break
        try:
            result = solve_one(board, goal, options, turn)
        except TaquinError:
            # It is raised when it is the turn of this board, after the results before it.
            if results:
                break
            raise
        if result is None:
            return Part(results, len(results), turn.seconds(), cut=True)
        results.append(result)
    return Part(results, len(results), turn.seconds())


def small(board: Board) -> Small | None:
    if len(board) > STORED_EXACT_CELLS:
        return None
    return Small(board.shape, bytes(board.tiles))


def looked_up(board: Board, goal: Board, letters: str | None, seconds: float) -> Result:
    """The result of a board whose replayed moves a table gave, or that can't be solved."""
    stats = Stats(seconds=seconds)
    if letters is None:
        why = reason(board, goal)
        return Result(board, goal, "unsolvable", None, 0, "parity", None, stats, why)
    solution = Solution(board, goal, from_letters(letters))
    return Result(board, goal, "solved", solution, len(letters), "table", None, stats)


def solve_one(
    board: Board, goal: Board | str | None, options: dict[str, Any], turn: Turn
) -> Result | None:
    """The result of a board; None if the turn ended before it."""
    _prepare_once(board, goal, options, turn.cancel)
    result = solve(board, goal, cancel=turn, **options)
    return None if result.status == "cancelled" else result


_prepared: set[tuple[object, ...]] = set()


def _prepare_once(
    board: Board, goal: Board | str | None, options: dict[str, Any], cancel: Cancel | None
) -> None:
    """Have the tables for boards of a shape before the first of them is solved.

    So the results don't depend on which board comes first, and no board is tried without tables.
    """
    if options["algorithm"] is not None or options["heuristic"] is not None:
        return
    key = (board.shape, str(goal), *(options[name] for name in _PREPARED_BY), store.directory())
    if key in _prepared:
        return
    # Whatever is wrong with the options is told by `solve`.
    with suppress(TaquinError, _native.Stopped):
        wanted = {name: options[name] for name in _PREPARED_BY}
        prepare(board, goal, cancel=cancel, **wanted)
    _prepared.add(key)


_PREPARED_BY = ("quality", "tables", "metric", "limit")


# --- who does it --------------------------------------------------------------------------------


class _Stop:
    """A cancel that is shared with threads; in other processes it is never set."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._event = threading.Event()
        self.set, self.is_set = self._event.set, self._event.is_set

    def __reduce__(self) -> tuple[Any, ...]:
        return _Stop, (self.patience,)


@contextmanager
def sending(
    work: Callable[..., Part[Any]],
    goal: Board | str | None,
    options: dict[str, Any],
    executor: Executor | None,
    workers: int | None,
    *more: Any,
) -> Iterator[tuple[Callable[[Any], Future[Part[Any]]], dict[str, Any]]]:
    """How groups are sent to workers, how many and how large; afterwards nothing goes on."""
    with _workers(executor, workers, options) as (pool, options):
        # Where handing out a group takes long, as on a cluster, groups are larger.
        target = max(TARGET, getattr(pool, "call_seconds", 0))
        stop = _Stop(PATIENCE * target / TARGET)

        def send(group: Any) -> Future[Part[Any]]:
            return pool.submit(work, group, goal, options, *more, cancel=stop)

        def capacity() -> int:
            count = workers or getattr(pool, "_max_workers", None) or cores()
            return _ROUNDS * int(count)

        try:
            yield send, {"capacity": capacity, "target": target}
        finally:
            stop.set()


@contextmanager
def _workers(
    executor: Executor | None, workers: int | None, options: dict[str, Any]
) -> Iterator[tuple[Executor, dict[str, Any]]]:
    """The executor, or else workers of this machine, who share its memory."""
    if executor is not None:
        yield executor, options
        return
    count = workers or cores()
    textbook = options["algorithm"] is not None or options["heuristic"] is not None
    limit = options["limit"] or Limit()
    if textbook and limit.memory is None:
        share = available_memory() // 2 // count
        options = {**options, "limit": replace(limit, memory=share)}
    pool = Local(count, warm_up=0.0 if textbook else _WARM_UP, alone=not _travels(options))
    try:
        yield pool, options
    finally:
        pool.close()


def _travels(options: dict[str, Any]) -> bool:
    """Whether a process can be told the options: a function of yours must have a room to itself."""
    try:
        text = pickle.dumps(options)
    except Exception:
        return False
    return b"__main__" not in text


class Local(Executor):
    """The cores of this machine: threads for a moment, then processes, if that is worth it."""

    def __init__(self, workers: int, *, warm_up: float = _WARM_UP, alone: bool = False) -> None:
        self._max_workers = workers
        self._alone = alone or workers == 1
        self._until = time.monotonic() + warm_up
        self._threads: ThreadPoolExecutor | None = None
        self._processes: Any = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self._alone or time.monotonic() < self._until:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._max_workers, "taquin")
            return self._threads.submit(fn, *args, **kwargs)
        if self._processes is None:
            from .processes import Processes

            self._processes = Processes(self._max_workers)
        future: Future[Any] = self._processes.submit(fn, *args, **kwargs)
        return future

    def close(self) -> None:
        """End all work; what runs in threads must have been told to stop."""
        if self._processes is not None:
            self._processes.kill()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)


class _Boards:
    """A source of groups: any iterable of boards and texts."""

    ended = False

    def __init__(self, boards: Iterable[Board | str]) -> None:
        self._boards = iter(boards)
        self._taken = 0
        self._error: Exception | None = None

    def take(self, count: int, wait: bool) -> Boards:
        """So many boards, or as many as come in a moment."""
        if self._error is not None:
            raise self._error
        group = Boards()
        end = time.monotonic() + TARGET
        try:
            while len(group) < count and (not group or time.monotonic() < end):
                group.append(Board(next(self._boards)))
                self._taken += 1
        except StopIteration:
            self.ended = True
        except Exception as error:
            error.add_note(f"board {self._taken + 1}")
            if not group:
                raise
            self._error = error
        return group
