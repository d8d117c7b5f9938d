"""Work that streams through an `Executor` in groups: bounded, in order, and quick to answer.

It knows no puzzle. A group is as large as what its workers do in a moment, so that handing it over
costs little; and a worker that finds something hard in a group hands back what it has done.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

from .errors import BatchError
from .heartbeat import Cancel

A = TypeVar("A")

TARGET = 0.05
"""Seconds of work that make a good group."""

PATIENCE = 0.25
"""Seconds after which a worker hands back a group that is not done."""

MOST_IN_A_GROUP = 2000
_MOST_TIMES = 10
"""How many times that a group may have where groups should take longer."""
_GROWTH = 4
_BLINK = 0.02
"""Seconds between two looks at the input and at a cancel, while workers work."""

_MOST_HELD = 1_500_000
"""The weight of what may wait for its turn, when something before it takes long."""


class Group(Protocol):
    """A few inputs in a row."""

    @property
    def weight(self) -> int:
        """About how much memory its answers take."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> Self: ...


G = TypeVar("G", bound=Group)
G_co = TypeVar("G_co", bound=Group, covariant=True)


class Source(Protocol[G_co]):
    """Where groups come from."""

    @property
    def ended(self) -> bool:
        """Whether there are no more inputs, and never will be."""

    def take(self, count: int, wait: bool) -> G_co:
        """At most so many inputs; fewer, or none, where there are no more at the moment."""


@dataclass(frozen=True, slots=True)
class Part(Generic[A]):
    """What a worker has done of a group: the first ones of it."""

    answer: A
    done: int
    seconds: float
    cut: bool = False
    """Whether the next one took so long that it was given up, to be done by itself."""


class Turn:
    """How long a worker may keep a group; `is_set` when it is over, or on a cancel."""

    def __init__(self, size: int, cancel: Cancel | None) -> None:
        self.begun = time.perf_counter()
        self.cancel = cancel
        patience = float(getattr(cancel, "patience", PATIENCE))
        self._end = self.begun + patience if size > 1 else None

    def is_over(self) -> bool:
        return self._end is not None and time.perf_counter() > self._end

    def is_set(self) -> bool:
        return self.is_over() or (self.cancel is not None and self.cancel.is_set())

    def seconds(self) -> float:
        return time.perf_counter() - self.begun


class Pace:
    """How large the next group should be, going by what the last ones took."""

    def __init__(self, target: float = TARGET) -> None:
        self.size = 1
        self._target = target
        self._most = int(MOST_IN_A_GROUP * min(target / TARGET, _MOST_TIMES))
        self._cost: float | None = None

    def learn(self, part: Part[Any]) -> None:
        cost = part.seconds / max(part.done, 1)
        self._cost = cost if self._cost is None else (self._cost + cost) / 2
        most = min(_GROWTH * self.size, self._most)
        self.size = max(1, min(int(self._target / max(self._cost, 1e-9)), most))


@dataclass(eq=False, slots=True)
class _Slot(Generic[G, A]):
    """A group on its way, in its place among the others."""

    group: G
    part: Part[A] | None = None
    error: BaseException | None = None


class Flow(Generic[G, A]):
    """Groups on their way from a source through an executor: iterate over what comes of them.

    `on_blink` is called many times a second, whether something has come or not.
    """

    def __init__(
        self,
        source: Source[G],
        send: Callable[[G], Future[Part[A]]],
        *,
        capacity: Callable[[], int],
        target: float = TARGET,
        ordered: bool = True,
        cancel: Cancel | None = None,
        on_blink: Callable[[], object] | None = None,
    ) -> None:
        self._source = source
        self._send = send
        self._capacity = capacity
        self._ordered = ordered
        self._cancel = cancel
        self._on_blink = on_blink
        self._pace = Pace(target)
        self._slots: list[_Slot[G, A]] = []
        self._landed: queue.SimpleQueue[tuple[_Slot[G, A], Future[Part[A]]]] = queue.SimpleQueue()
        self._futures: set[Future[Part[A]]] = set()
        self._held = 0
        self._failure: BaseException | None = None

    def __iter__(self) -> Iterator[tuple[G, A]]:
        """Groups and their answers; an error comes after all that was answered before it."""
        try:
            while not (self._cancel is not None and self._cancel.is_set()):
                self._fill()
                if self._futures:
                    self._wait()
                yield from self._ready()
                if self._on_blink is not None:
                    self._on_blink()
                if not self._slots:
                    if self._failure is not None:
                        raise self._failure
                    if self._source.ended:
                        return
        finally:
            for future in self._futures:
                future.cancel()

    def _fill(self) -> None:
        """Send groups until there are enough on their way, or no more at the moment."""
        while self._failure is None and not self._source.ended and self._has_room():
            try:
                group = self._source.take(self._pace.size, wait=not self._slots)
            except Exception as error:
                self._failure = error
                return
            if not len(group):
                return
            self._slots.append(self._launch(group))

    def _has_room(self) -> bool:
        return len(self._futures) < self._capacity() and self._held < _MOST_HELD

    def _launch(self, group: G) -> _Slot[G, A]:
        slot: _Slot[G, A] = _Slot(group)
        try:
            future = self._send(group)
        except Exception as error:
            future = Future()
            future.set_exception(error)
        self._futures.add(future)
        future.add_done_callback(lambda done: self._landed.put((slot, done)))
        return slot

    def _wait(self) -> None:
        """Wait a moment for groups to land, and take in all that have."""
        try:
            self._land(*self._landed.get(timeout=_BLINK))
            while True:
                self._land(*self._landed.get_nowait())
        except queue.Empty:
            pass

    def _land(self, slot: _Slot[G, A], future: Future[Part[A]]) -> None:
        self._futures.discard(future)
        try:
            part = future.result()
        except (Exception, CancelledError) as error:
            slot.error = error
            self._failure = self._failure or _in_words(error)
            return
        self._pace.learn(part)
        if part.done < len(slot.group):
            self._divide(slot, part)
        slot.part = part
        self._held += slot.group.weight

    def _divide(self, slot: _Slot[G, A], part: Part[A]) -> None:
        """Keep what is done of a group and send the rest, what was too hard by itself."""
        done, group = part.done, slot.group
        hard = done + 1 if part.cut else done
        rest = [piece for piece in (group[done:hard], group[hard:]) if len(piece)]
        slot.group = group[:done]
        place = self._slots.index(slot) + 1
        self._slots[place:place] = [self._launch(piece) for piece in rest]

    def _ready(self) -> Iterator[tuple[G, A]]:
        """What can be handed out: in order, or all that has landed."""
        if not self._ordered:
            ready = [slot for slot in self._slots if slot.part or slot.error]
            self._slots = [slot for slot in self._slots if not (slot.part or slot.error)]
        else:
            count = next(
                (i for i, slot in enumerate(self._slots) if not slot.part), len(self._slots)
            )
            ready, self._slots = self._slots[:count], self._slots[count:]
            if self._slots and self._slots[0].error:
                # Nothing after it can be handed out any more.
                self._failure = _in_words(self._slots[0].error)
                self._slots = []
        for slot in ready:
            if slot.part is not None:
                self._held -= slot.group.weight
                if len(slot.group):
                    yield slot.group, slot.part.answer


def _in_words(error: BaseException) -> BaseException:
    if isinstance(error, BrokenExecutor):
        return BatchError(f"the work can't go on: {error or 'a worker is gone'}")
    if isinstance(error, CancelledError):
        return BatchError("the work can't go on: the executor was shut down")
    return error
