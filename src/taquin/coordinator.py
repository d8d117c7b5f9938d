"""One optimal search by many: hands out its subtrees, gathers what comes back, ends it in time.

It needs no more than an `Executor` of `concurrent.futures`: threads, processes, or a cluster. One
whose workers are on other machines has a `cancel_signal()`, by which a part of the search learns
there that it is not wanted any more.
"""

from __future__ import annotations

import math
import os
import queue
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from typing import Any, Protocol

from . import _native, knowledge, tables
from .checkpoint import Checkpoint
from .cluster import CALLS_PER_SECOND
from .errors import ClusterError
from .heartbeat import INTERVAL, Cancel, Stopped
from .job import Job
from .knowledge import Knowledge
from .moves import from_letters
from .subtrees import Bundle, Fringe, Portion, Search, bundled

_FIRST_RATE = 5e6
"""Expansions a second that a core is taken to make until it is known."""
_FIRST_GROWTH = 8.0
"""How many times as large as the one before a bound is taken to be until it is known,"""
_KNOWN_GROWTH = 0.02
"""which is when such a share of it is done."""

_LEAST_SECONDS, _MOST_SECONDS = 0.01, 2.0
"""How long a part takes, at least and at most."""
_PARTS_PER_SECOND = CALLS_PER_SECOND
"""On a large cluster parts take longer, so that its scheduler can hand them out."""
_TURNS = 40
"""How many parts each core should get of what is left of a bound, so that all end together."""
_AT_RISK = 0.025
"""What others are at when one finds an answer is in vain: at most such a share of all that is done,
if parts need not be shorter than the least for it."""
_SECONDS_TO_STOP = 2.0
"""How long to wait for those at work to hand back what they are at."""
_OVERTIME = 1.5
"""How many times longer than planned a part may take before it gives back the rest."""


class Coordinator:
    """Takes a search from the bound that its checkpoint has reached to the end."""

    def __init__(
        self,
        job: Job,
        known: Knowledge,
        executor: Executor,
        checkpoint: Checkpoint,
        last: _native.LastBound | None,
        memory: int,
    ) -> None:
        self._job = job
        self._memory = memory
        self._known = known
        self._checkpoint = checkpoint
        self._reach = sys.maxsize if last is None else last.reach
        self._last_expanded = 0 if last is None else last.expanded
        self._crew = _Crew(job, executor, checkpoint)
        self._growth = _FIRST_GROWTH

    def run(self, board: tuple[int, int, int, tuple[int, ...]]) -> None:
        """Until the answer is proven; `Stopped` if the job is stopped before."""
        job, known, checkpoint = self._job, self._known, self._checkpoint
        paths = _native.subtrees(*board, **known.options, hook=self._beat)
        checkpoint.open(paths, job.heartbeat.lower_bound, self._last_expanded)
        with self._crew.at_work() as cancel:
            sums = knowledge.checksums(job.goal, known.tables, known.chosen)
            search = Search(job.board, job.goal, known.tables, known.chosen, sums, cancel)
            while not job.is_proven(1.0):
                self._iterate(search, paths)

    def _iterate(self, search: Search, paths: Sequence[str]) -> None:
        job, checkpoint = self._job, self._checkpoint
        bound = checkpoint.bound
        job.raise_bound(bound)
        before = job.heartbeat.stats.expanded
        fringe = checkpoint.fringe = self._fringe(bound + 2)
        fringe.add(list(bundled(checkpoint.native.fringe, bound + 2)), _FIRST)
        within = _Bound(search, paths, checkpoint, fringe, self._growth)
        try:
            if self._crew.do_all(within):
                self._growth, self._reach = within.growth(), fringe.farthest
                job.raise_bound(bound + 2)
                nearest = list(fringe.roots_in_order(paths, bound + 2))
                try:
                    if not job.is_proven(1.0):
                        self._crew.do_all(_Beyond(search, fringe, bound + 2))
                except Stopped:  # or else a run that is stopped again and again would stay here
                    checkpoint.next_bound(bound + 2, nearest)
                    raise
                checkpoint.next_bound(bound + 2, nearest)
        finally:
            job.heartbeat.stats.iterations.append((bound, job.heartbeat.stats.expanded - before))

    def _fringe(self, bound: int) -> Fringe:
        """Where boards of the next bound are kept. All parts under way may have one as large."""
        sizes = self._checkpoint.native.sizes
        # Each is one more than the boards that were expanded, so that none is nothing.
        expanded = sum(sizes) - len(sizes)
        most = self._memory // (_at_once(self._crew.cores()) + 1) // bound
        return Fringe(_native.fringe_size(expanded), most, min(bound, self._reach))

    def _beat(self, *counts: float) -> bool:
        self._job.heartbeat.beat()
        return False


def seconds_wanted(left: float, done: float, cores: int) -> float:
    """How long a part should take.

    One core would take so long for what is left of a bound, and has taken so long for all that is
    done. At the end of a bound some wait for the last parts, so these are short. But as many as
    that makes, they must not take longer to hand out than to do: hence the root.
    """
    most = max(_MOST_SECONDS, 2 * cores / _PARTS_PER_SECOND)
    least = max(_LEAST_SECONDS, min(cores, math.sqrt(left * _PARTS_PER_SECOND)) / _PARTS_PER_SECOND)
    worth_the_risk = _AT_RISK * done / (_OVERTIME * _at_once(cores))
    return min(max(min(left / (_TURNS * cores), worth_the_risk), least), most)


def _at_once(cores: int) -> int:
    """How many parts are under way: half as many again, so that no one waits for the next one."""
    return cores * 3 // 2 + 1


# --- what there is to do ------------------------------------------------------------------------


_IN_ORDER = str.maketrans(_native.SEARCH_ORDER, "0123")
"""Paths that are so translated are sorted as a search on one machine comes to them."""


@dataclass(order=True, slots=True)
class _Piece:
    """A subtree, or a part of what is left of one."""

    place: int
    """Of the subtree, in the order in which they are searched."""
    root: int
    """Its number in the checkpoint."""
    order: str = field(init=False)
    path: str
    expected: float
    """About how many boards it had within the bound before."""

    def __post_init__(self) -> None:
        self.order = self.path.translate(_IN_ORDER)


_FIRST = _Piece(-1, -1, "", 0.0)
"""Before all others."""


@dataclass(slots=True)
class _Root:
    """A subtree of the checkpoint."""

    expected: float
    left: set[str]
    """The paths of its pieces that are not done."""
    expanded: int = 0


@dataclass(slots=True)
class _Part:
    """What is handed out at once."""

    call: Callable[[], tuple[Any, ...]]
    """The function that does it, and its arguments."""
    most: int | None
    """The expansions that it may make."""
    pieces: list[_Piece] = field(default_factory=list)


class _Bound:
    """A search within a bound: the pieces that wait for someone, and what became of the others."""

    sets_the_pace = True
    """Whether its rate of expansions is that of the search."""

    def __init__(
        self,
        search: Search,
        paths: Sequence[str],
        checkpoint: Checkpoint,
        fringe: Fringe,
        growth: float,
    ) -> None:
        self.bound = checkpoint.bound
        self._search = search
        self._checkpoint = checkpoint
        self._first_growth = growth
        self.fringe = fringe
        sizes, begun = checkpoint.native.sizes, checkpoint.begun
        order = {number: place for place, number in enumerate(checkpoint.native.order)}
        self._roots = {
            number: _Root(sizes[number], set(begun.get(number, [paths[number]])))
            for number, done in enumerate(checkpoint.native.done)
            if not done
        }
        self._waiting = sorted(
            _Piece(order.get(number, len(order)), number, path, root.expected / len(root.left))
            for number, root in self._roots.items()
            for path in root.left
        )
        self._all = sum(root.expected for root in self._roots.values())
        self._done = 0.0
        self._expanded = 0

    def waits(self) -> bool:
        return bool(self._waiting)

    def share(self) -> float:
        """How much of it is done."""
        return self._done / self._all if self._all else 1.0

    def growth(self) -> float:
        """How many times as large it is as the bound before."""
        if self._done == 0 or self.share() < _KNOWN_GROWTH:
            return self._first_growth
        return max(self._expanded / self._done, 1.0)

    def expected(self) -> float:
        """About how many boards are left."""
        return self.growth() * (self._all - self._done)

    def next_part(self, wanted: float, most: int | None) -> _Part:
        pieces: list[_Piece] = []
        room = wanted / self.growth()
        while self._waiting and (not pieces or self._waiting[0].expected <= room):
            pieces.append(heappop(self._waiting))
            room -= pieces[-1].expected
        paths = [piece.path for piece in pieces]
        fringe = self.fringe
        most = int(_OVERTIME * wanted) if most is None else most
        return _Part(
            lambda: (
                *(self._search.search, paths, self.bound),
                *(fringe.enough, fringe.most, fringe.farthest, most),
            ),
            most,
            pieces,
        )

    def settle(self, part: _Part, portion: Portion) -> None:
        """Note what is done; what is not waits again."""
        if portion.moves is not None:
            return
        self.fringe.add(portion.fringe, part.pieces[0])
        for piece, size in zip(part.pieces, portion.sizes, strict=False):
            self._finish(piece, size)
        again = part.pieces[len(portion.sizes) :]
        if portion.rest:
            again[:1] = self._divide(again[0], portion)
        for piece in again:
            heappush(self._waiting, piece)

    def _finish(self, piece: _Piece, size: int) -> None:
        root = self._roots[piece.root]
        root.expanded += size
        root.left.discard(piece.path)
        if root.left:
            self._checkpoint.begin(piece.root, root.left)
            return
        self._checkpoint.finish(piece.root, root.expanded + 1)
        self._done += root.expected
        self._expanded += root.expanded

    def _divide(self, piece: _Piece, portion: Portion) -> list[_Piece]:
        """A piece that took longer than planned is worth sharing."""
        root = self._roots[piece.root]
        size = portion.expanded - sum(portion.sizes)
        root.expanded += size
        root.left.discard(piece.path)
        root.left.update(portion.rest)
        self._checkpoint.begin(piece.root, root.left)
        expected = size / self.growth() / len(portion.rest)
        return [_Piece(piece.place, piece.root, path, expected) for path in portion.rest]


class _Beyond:
    """A search from the boards just beyond the bound before."""

    sets_the_pace = False

    def __init__(self, search: Search, fringe: Fringe, bound: int) -> None:
        self.bound = bound
        self._search = search
        self._waiting = deque(fringe.in_order())
        self._count = fringe.size

    def waits(self) -> bool:
        return bool(self._waiting)

    def share(self) -> float:
        """The bound itself has not begun, so nothing is told of the time it takes."""
        return 1.0

    def expected(self) -> float:
        return _BOARDS_BEYOND * self._count

    def next_part(self, wanted: float, most: int | None) -> _Part:
        bundles: list[Bundle] = []
        room = wanted / _BOARDS_BEYOND
        while self._waiting and (not bundles or self._waiting[0].count <= room):
            bundles.append(self._waiting.popleft())
            room -= bundles[-1].count
        self._count -= sum(bundle.count for bundle in bundles)
        return _Part(lambda: (self._search.look_on, bundles, self.bound, most), most)

    def settle(self, part: _Part, portion: Portion) -> None:
        """What could not be finished is left to the search within the bound."""


_BOARDS_BEYOND = 10
"""What a board of the fringe is worth, in expansions: mostly going there."""


# --- who does it --------------------------------------------------------------------------------


class _Crew:
    """Those who do the parts, and what they are at."""

    def __init__(self, job: Job, executor: Executor, checkpoint: Checkpoint) -> None:
        self._job = job
        self._executor = executor
        self._checkpoint = checkpoint
        self._rate = _FIRST_RATE
        self._under_way: dict[Future[Portion], _Part] = {}
        self._returned: queue.SimpleQueue[Future[Portion]] = queue.SimpleQueue()

    @contextmanager
    def at_work(self) -> Iterator[Cancel]:
        """Within, parts can be handed out; what is given is set when they are called off."""
        with _signal(self._executor) as self._signal:
            yield self._signal

    def do_all(self, work: _Bound | _Beyond) -> bool:
        """Hand out all that waits, and what comes back undone; False at an answer."""
        heartbeat = self._job.heartbeat
        try:
            while work.waits() or self._under_way:
                heartbeat.stands_at(work.bound, work.share())
                if work.waits() and self._has_room():
                    self._hand_out(work)
                    continue
                self._take_back(work, INTERVAL)
                if self._job.is_proven(1.0):
                    return False
                self._checkpoint.keep(self._job)
                heartbeat.beat()
            return True
        finally:
            self._call_off(work)

    def cores(self) -> int:
        return max(getattr(self._executor, "_max_workers", tables.cores()), 1)

    def _has_room(self) -> bool:
        return len(self._under_way) < _at_once(self.cores()) and self._fuel() != 0

    def _fuel(self) -> int | None:
        """The expansions that the limit leaves beside those of the parts under way."""
        left = self._job.heartbeat.expanded_left()
        if left is None:
            return None
        return max(left - sum(part.most or 0 for part in self._under_way.values()), 0)

    def _hand_out(self, work: _Bound | _Beyond) -> None:
        left, done = work.expected(), self._checkpoint.expanded(self._job)
        wanted = self._rate * seconds_wanted(left / self._rate, done / self._rate, self.cores())
        fuel = self._fuel()
        most = None if fuel is None else min(int(_OVERTIME * wanted), fuel)
        part = work.next_part(wanted, most)
        future = self._executor.submit(*part.call())
        self._under_way[future] = part
        future.add_done_callback(self._returned.put)

    def _take_back(self, work: _Bound | _Beyond, timeout: float) -> None:
        """The parts that come back within a moment."""
        with suppress(queue.Empty):
            while True:
                future = self._returned.get(timeout=timeout)
                timeout = 0
                part = self._under_way.pop(future)
                portion = _portion(future)
                self._count(portion)
                if work.sets_the_pace and portion.seconds > _LEAST_SECONDS / 2:
                    self._rate += (portion.expanded / portion.seconds - self._rate) / 8
                work.settle(part, portion)

    def _count(self, portion: Portion) -> None:
        job = self._job
        job.heartbeat.stats.expanded += portion.expanded
        job.heartbeat.stats.generated += portion.generated
        if portion.moves is not None:
            job.offer(from_letters(portion.moves))

    def _call_off(self, work: _Bound | _Beyond) -> None:
        """What is done of the parts under way still counts."""
        if not self._under_way:
            return
        self._signal.set()
        wait(self._under_way, _SECONDS_TO_STOP)
        for future in self._under_way:
            future.cancel()
        with suppress(Exception):
            while self._under_way:
                self._take_back(work, 0.01)


def _portion(future: Future[Portion]) -> Portion:
    try:
        return future.result()
    except BrokenExecutor as error:
        raise ClusterError(f"the workers are gone: {error}") from None


class _Signal(Cancel, Protocol):
    def set(self) -> None: ...


@contextmanager
def _signal(executor: Executor) -> Iterator[_Signal]:
    """By which those at work learn that they are not wanted any more."""
    if hasattr(executor, "cancel_signal"):
        yield executor.cancel_signal()
        return
    with tempfile.TemporaryDirectory(prefix="taquin-") as folder:
        yield _Flag(os.path.join(folder, "stop"))


@dataclass(frozen=True, slots=True)
class _Flag:
    """Is set when a file exists, which threads and processes of one machine can see."""

    path: str

    def is_set(self) -> bool:
        return os.path.exists(self.path)

    def set(self) -> None:
        Path(self.path).touch()
