"""The one hook of every search: counters, progress, cancel and limits."""

from __future__ import annotations

import gc
import math
import os
import sys
import time
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Generic, Protocol, TypeVar

from .board import Move
from .leftovers import Store, let_go
from .result import Limit, Progress, Stats, Status
from .vertices import MANY, Vertices

INTERVAL = 0.05
"""Seconds between two beats."""

_BETWEEN_CLOCKS = 64
"""The most expansions between two looks at the clock."""

_ENTRY_BYTES = 150
"""What the dicts and sets of a search keep per vertex, beside the vertex itself."""
_HEAP_BYTES = 100
"""What a heap keeps on top of that."""

_FIRST_SHARE = 0.02
"""So much of a bound's work must be seen done before it says how long the rest takes."""

V = TypeVar("V", bound=Hashable)

Hook = Callable[[int, int, int, int, float], bool]
"""Boards expanded, generated, the bound, the lower bound and which share of the work on this bound
is done; true stops the work."""


class Graph(Protocol[V]):
    """All that a search wants of a graph."""

    def neighbours(self, vertex: V, /) -> Collection[V]: ...


class Cancel(Protocol):
    """What can cancel a run from elsewhere, such as a `threading.Event`."""

    def is_set(self) -> bool: ...


_surrounding: ContextVar[Cancel | None] = ContextVar("cancel", default=None)


@contextmanager
def cancelled_by(cancel: Cancel) -> Iterator[None]:
    """Within, this cancels every run, beside what it has of its own."""
    token = _surrounding.set(cancel)
    try:
        yield
    finally:
        _surrounding.reset(token)


def surrounding() -> Cancel | None:
    """What cancels every run here."""
    return _surrounding.get()


class Stopped(Exception):  # noqa: N818 -- it tells of an outcome, not of an error
    """Unwinds a search whose limit is reached or that was cancelled."""

    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are made once more from what their base class was given, the reason alone.
        return type(self), (self.status, self.reason)

    def anew(self) -> Stopped:
        """The same, without the frames that it came through.

        Whoever keeps it and is in one of them would hold on to all that the run has, until the
        garbage collector comes by.
        """
        return Stopped(self.status, self.reason)


@dataclass(frozen=True, slots=True)
class Event(Generic[V]):
    """One expansion, for those who watch."""

    number: int
    vertex: V
    g: float
    h: float
    frontier: int
    closed: int
    threshold: float | None

    @property
    def f(self) -> float:
        return self.g + self.h

    def to_dict(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "board": str(self.vertex),
            "g": self.g,
            "h": self.h,
            "f": self.f,
            "frontier": self.frontier,
            "closed": self.closed,
            "threshold": self.threshold,
        }


class Heartbeat:
    """Counts, looks at the clock, tells about progress, and stops what must stop."""

    def __init__(
        self,
        limit: Limit | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
        started: float | None = None,
    ) -> None:
        self.limit = limit or Limit()
        self.stats = Stats()
        self.bound: float = 0
        self.lower_bound = 0
        self.best: int | None = None
        self.moves: tuple[Move, ...] | None = None
        """The best solution so far, where there is a board to solve."""
        self.preparing = False
        """Whether tables are made ready, as of the last beat."""
        self._share = 0.0
        self._first_sight = 0.0, 0.0
        self.tell = on_progress
        self.cancel = cancel
        self._cancels = [c for c in (cancel, surrounding()) if c is not None]
        self.started = time.perf_counter() if started is None else started
        self._next_report = time.perf_counter() + INTERVAL

    @cached_property
    def memory_limit(self) -> int:
        """Bytes that the run may keep: what was asked for, or half of what is free."""
        if self.limit.memory is not None:
            return self.limit.memory
        return _available_at(int(time.monotonic() * 2)) // 2

    def seconds(self) -> float:
        return time.perf_counter() - self.started

    def expanded_left(self) -> int | None:
        """How many more boards may be expanded; None if any number."""
        if self.limit.expanded is None:
            return None
        return max(self.limit.expanded - self.stats.expanded, 0)

    def stands_at(self, bound: float, share: float) -> None:
        """A search is at this bound, and has done a share of what that takes."""
        if bound != self.bound or share < self._share:
            self._first_sight = self.seconds(), share
        self.bound, self._share = bound, share

    def seconds_left(self) -> float | None:
        """For the rest of this bound, if it goes on as since the first look at it."""
        since, share = self._first_sight
        done = self._share - share
        if done < _FIRST_SHARE or self.preparing:
            return None
        return (self.seconds() - since) * (1 - self._share) / done

    def progress(self) -> Progress:
        return Progress(
            self.seconds(),
            self.stats.expanded,
            self.bound,
            self.best,
            self.lower_bound,
            self.seconds_left(),
            self.moves,
            self.preparing,
        )

    def report(self) -> None:
        """Tell how things stand, without waiting for the next beat."""
        if self.tell is not None:
            self._next_report = time.perf_counter() + INTERVAL
            self.tell(self.progress())

    def beat(self, *, preparing: bool = False) -> None:
        """Report if it is time to, and raise `Stopped` if the run must end."""
        self.preparing = preparing
        now = time.perf_counter()
        if now >= self._next_report:
            self.report()
        if any(cancel.is_set() for cancel in self._cancels):
            raise Stopped("cancelled", "")
        limit = self.limit
        if limit.seconds is not None and now - self.started >= limit.seconds:
            raise Stopped("limit", f"the time limit of {limit.seconds:g} s")
        if self.expanded_left() == 0:
            raise self.expanded_limit()

    def expanded_limit(self) -> Stopped:
        return Stopped("limit", f"the limit of {self.limit.expanded:,} expanded boards")

    def out_of_memory(self, need: str = "") -> Stopped:
        return Stopped("limit", f"the memory limit of {self.memory_limit / 1e6:,.3g} MB{need}")

    def require_memory(self, size: int, what: str) -> None:
        """`Stopped` if something is too large for the limit."""
        if size > self.memory_limit:
            raise self.out_of_memory(f": {what} take {size / 1e6:,.3g} MB")

    def finish(self) -> Stats:
        self.stats.seconds = self.seconds()
        return self.stats


class Run(Heartbeat, Generic[V]):
    """One search of a graph in Python: it expands vertices, and each expansion is a heartbeat."""

    def __init__(
        self,
        graph: Graph[V],
        *,
        limit: Limit | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        on_event: Callable[[Event[V]], object] | None = None,
        cancel: Cancel | None = None,
        started: float | None = None,
    ) -> None:
        super().__init__(limit, on_progress, cancel, started)
        self.proves = False
        """Whether what the search reaches is a lower bound."""
        self.threshold: float | None = None
        self.incumbent: list[V] | None = None
        self.has_heap = False
        """Whether it takes vertices from a heap, which needs more memory for each."""
        self._stores: list[Store] = []
        self._neighbours = graph.neighbours
        self._on_event = on_event
        self._vertex_bytes = 0
        self._stored = 0
        self._last_check = self.started
        self._spacing = 1
        self._iterations: list[tuple[float, int]] = []
        self._check_at = 0

    def expand(
        self, vertex: V, g: float = 0, h: float = 0, *, frontier: int = 0, closed: int = 0
    ) -> Collection[V]:
        """The neighbours of a vertex, counted; raises `Stopped` when the run must end."""
        stats = self.stats
        if frontier + closed > self._stored:
            self._stored = frontier + closed
        if stats.expanded >= self._check_at:
            self._check(vertex)
        neighbours = self._neighbours(vertex)
        try:
            stats.generated += len(neighbours)
        except TypeError:
            neighbours = tuple(neighbours)
            stats.generated += len(neighbours)
        stats.expanded += 1
        if frontier > stats.peak_frontier:
            stats.peak_frontier = frontier
        if self._on_event is not None:
            self._on_event(Event(stats.expanded, vertex, g, h, frontier, closed, self.threshold))
        return neighbours

    def keeps(self, *stores: Store) -> None:
        """What the search keeps its vertices in."""
        self._stores += stores

    @contextmanager
    def with_room(self) -> Iterator[None]:
        """Within, the search may keep millions of vertices."""
        try:
            yield
        finally:
            let_go([piece for store in self._stores for piece in _pieces(store)])

    def reach(self, bound: float) -> None:
        """The search has come to this bound: nothing shorter is left unexamined."""
        self.bound = bound
        if self.proves:
            # Sums of fractions may end just above the whole number that they mean.
            self.lower_bound = max(self.lower_bound, math.ceil(bound - 1e-9))

    def iterate(self, threshold: float) -> None:
        """A new iteration of an iterative search begins."""
        self.threshold = threshold
        self.reach(threshold)
        self._iterations.append((threshold, self.stats.expanded))

    def offer(self, path: list[V]) -> None:
        """A path to the goal that may not be the shortest; the best is kept for when time is up."""
        if self.incumbent is None or len(path) < len(self.incumbent):
            self.incumbent = path
            self.best = len(path) - 1

    def finish(self) -> Stats:
        ends = [start for _, start in self._iterations[1:]] + [self.stats.expanded]
        self.stats.iterations = [
            (threshold, end - start)
            for (threshold, start), end in zip(self._iterations, ends, strict=False)
        ]
        self.stats.peak_memory = self._stored * self._vertex_bytes
        return super().finish()

    def _check(self, vertex: V) -> None:
        if not self._vertex_bytes:
            kept = _ENTRY_BYTES + (_HEAP_BYTES if self.has_heap else 0)
            self._vertex_bytes = kept + deep_size(vertex)
        self.stats.peak_memory = self._stored * self._vertex_bytes
        self.beat()
        if self.stats.peak_memory > self.memory_limit:
            raise self.out_of_memory()
        if self._stores:
            gc.freeze()  # or else the collector would look through all vertices again and again
        for store in self._stores:
            if len(store) > MANY and isinstance(store, Vertices):
                store.divide()
        self._check_at = self.stats.expanded + self._next_spacing()
        if self.limit.expanded is not None:
            self._check_at = min(self._check_at, self.limit.expanded)

    def _next_spacing(self) -> int:
        """How many expansions fit well between two beats, going by the last ones."""
        now = time.perf_counter()
        slow = now - self._last_check > INTERVAL / 4
        self._last_check = now
        self._spacing = max(self._spacing // 2, 1) if slow else self._spacing * 2
        self._spacing = min(self._spacing, 1 if self._on_event else _BETWEEN_CLOCKS)
        return self._spacing


def _pieces(store: Store) -> list[Store]:
    return [*store.break_up()] if isinstance(store, Vertices) else [store]


def deep_size(vertex: object) -> int:
    """Bytes of an object and of what its slots hold."""
    size = sys.getsizeof(vertex)
    for name in getattr(type(vertex), "__slots__", ()):
        value = getattr(vertex, name, None)
        if not isinstance(value, int):
            size += sys.getsizeof(value)
    return size


def available_memory() -> int:
    """Bytes that can be had without swapping, within the container's limit if there is one."""
    free = _figure("/proc/meminfo", "MemAvailable:")
    if free is None:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    ceiling = _figure("/sys/fs/cgroup/memory.max")
    used = _figure("/sys/fs/cgroup/memory.current")
    # Files that were read are counted as used, but make room for whoever needs it.
    cached = _figure("/sys/fs/cgroup/memory.stat", "inactive_file")
    if ceiling is None or used is None or cached is None:
        return free * 1024
    return max(min(free * 1024, ceiling - used + cached), 1 << 20)


@lru_cache(maxsize=1)
def _available_at(half_second: int) -> int:
    """Asked for by every solve, so it is found out twice a second only."""
    return available_memory()


def _figure(path: str, name: str = "") -> int | None:
    """The number in a file of the kernel's, on the line of that name."""
    try:
        with open(path) as file:
            line = next(line for line in file if line.startswith(name))
        return int(line.removeprefix(name).split()[0])
    except (OSError, ValueError, StopIteration):
        return None
