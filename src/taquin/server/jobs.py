"""What takes long: jobs that wait, run, are told about, can be cancelled, and are forgotten."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, Literal, Protocol

from ..errors import TaquinError
from .limits import Limits
from .tasks import dump, perform
from .trouble import BROKEN, CANCELLED, CANCELLED_EARLY, TOO_MUCH, Trouble, told
from .worker import NICE
from .workers import Worker, WorkerGone, Workers

State = Literal["queued", "running", "done"]

PATIENCE = 10.0
"""Seconds that a job goes on if nobody asks for it."""

GRACE = 1.5
"""Seconds that a job goes on after its client has left: time to come back."""

_OVERTIME = 5.0
"""Seconds that a worker may take beyond its limit before it is stopped from outside."""

_SPARE_MEMORY = 512_000_000
"""Bytes of addresses that a worker has for the program itself."""

_KEPT_SECONDS, _KEPT_JOBS, _KEPT_BYTES = 300.0, 200, 32_000_000
"""For how long finished jobs are kept, how many, and how much they hold together at most."""

_SWEEP_SECONDS = 0.5

_CLOSING_SECONDS = 8.0

_log = logging.getLogger("taquin.server")


class Full(Trouble):
    """No job can be taken on now; `seconds` is when to ask again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "the server is busy; ask again in {seconds} s", code="busy", seconds=seconds
        )
        self.seconds = seconds


class Closing(Exception):  # noqa: N818
    """The server is about to end."""


class Job:
    """Something asked for: how it stands, what came of it, and who still wants to know."""

    def __init__(
        self, kind: str, task: str, ask: dict[str, Any], limits: Limits, *, unattended: bool = False
    ) -> None:
        self.id = secrets.token_urlsafe(12)
        self.kind = kind
        self.task = task
        self.ask = ask
        self.memory = limits.memory
        self.seconds: float = ask.get("seconds") or ask.get("limit", {}).get("seconds", 0)
        self.unattended = unattended
        """Whether it goes on without anybody asking for it."""
        self.state: State = "queued"
        self.progress: str | None = None
        self.moves: str | None = None
        self.answers = 0
        """How many better and better moves there were."""
        self.items: list[str] = []
        self.result: str | None = None
        self.error: dict[str, Any] | None = None
        """What kept it from a result, as clients are told of it."""
        self.cancel = threading.Event()
        self.on_cancel: Callable[[], object] = lambda: None
        self.listeners = 0
        self.deadline = time.monotonic() + PATIENCE
        """When nobody is there any more, if nobody listens."""
        self.began = self.ended = 0.0
        self.changed = asyncio.Event()
        """Set at the next change, after which there is another one."""

    @property
    def done(self) -> bool:
        return self.state == "done"

    @property
    def size(self) -> int:
        """About how many characters it holds."""
        texts = (self.progress, self.moves, self.result)
        return sum(map(len, self.items)) + sum(len(text) for text in texts if text)

    def tell(self, kind: str, text: str) -> None:
        if self.done:
            return
        if kind == "progress":
            self.progress = text
        elif kind == "moves":
            self.moves = text
            self.answers += 1
            # The figures that go with the moves follow at once.
            return
        else:
            self.items.append(text)
        self.change()

    def begin(self) -> None:
        self.state = "running"
        self.began = time.monotonic()
        self.change()

    def finish(self, *, result: str | None = None, error: dict[str, Any] | None = None) -> None:
        self.state, self.result, self.error = "done", result, error
        self.ended = time.monotonic()
        # A game may be long, and nobody needs it any more.
        self.ask = {}
        self.change()

    def change(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()

    async def wait(self, seconds: float | None = None) -> bool:
        """Wait for a change; false if there was none in that time."""
        return await happens(self.changed, seconds)

    def touch(self) -> None:
        """Somebody has asked for it."""
        self.deadline = max(self.deadline, time.monotonic() + PATIENCE)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within, somebody is told of every change; a client that leaves has little time left."""
        self.listeners += 1
        try:
            yield
        finally:
            self.listeners -= 1
            self.deadline = time.monotonic() + GRACE

    def is_abandoned(self) -> bool:
        nobody = not self.listeners and time.monotonic() > self.deadline
        return nobody and not self.unattended and not self.done


async def happens(change: asyncio.Event, seconds: float | None) -> bool:
    try:
        await asyncio.wait_for(change.wait(), seconds)
    except TimeoutError:
        return False
    return True


class _Lane(Protocol):
    """Where jobs run."""

    async def run(self, job: Job) -> None: ...
    async def close(self) -> None: ...


class _Threads:
    """For native searches, which leave the interpreter free and heed a cancel at every beat."""

    def __init__(self, jobs: int) -> None:
        self._pool = ThreadPoolExecutor(jobs, "job", initializer=_step_back)

    async def run(self, job: Job) -> None:
        loop = asyncio.get_running_loop()

        def tell(kind: str, text: str) -> None:
            # The loop may have been closed while a cancelled search came to its end.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(job.tell, kind, text)

        try:
            result = await loop.run_in_executor(
                self._pool, perform, job.task, job.ask, tell, job.cancel
            )
        except TaquinError as error:
            job.finish(error=told(error))
        else:
            job.finish(result=result)

    async def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _step_back() -> None:
    """Those who wait for an answer from the server go before those who compute."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


class _Processes:
    """For what Python computes; a process can be ended whatever it does."""

    def __init__(self) -> None:
        self._workers = Workers()

    async def run(self, job: Job) -> None:
        worker = await self._workers.take()
        try:
            if job.cancel.is_set():
                job.finish(error=told(CANCELLED_EARLY))
            else:
                await self._run_in(worker, job)
        finally:
            await self._workers.give_back(worker)

    async def _run_in(self, worker: Worker, job: Job) -> None:
        # Runs count what they keep, and end in time. This is for the day when they count wrongly.
        worker.begin(job.task, job.ask, _SPARE_MEMORY + 2 * job.memory)
        job.on_cancel = worker.cancel
        overtime = asyncio.get_running_loop().call_later(job.seconds + _OVERTIME, worker.kill)
        try:
            kind, text = await worker.outcome(job.tell)
        except WorkerGone:
            job.finish(error=told(CANCELLED if job.cancel.is_set() else TOO_MUCH))
        else:
            if kind == "result":
                job.finish(result=text)
            else:
                job.finish(error=json.loads(text))
        finally:
            overtime.cancel()
            job.on_cancel = lambda: None

    async def close(self) -> None:
        await self._workers.close()


class _Queue:
    """Jobs of one lane: some run, a few wait, more are turned away."""

    def __init__(self, lane: _Lane, limits: Limits) -> None:
        self.lane = lane
        self._slots = limits.jobs
        self._length = limits.queue
        self.waiting: deque[Job] = deque()
        self.running: dict[Job, asyncio.Task[None]] = {}
        self._usual = 1.0
        """How long a job takes, going by the last ones."""

    def check_room(self) -> None:
        if len(self.running) >= self._slots and len(self.waiting) >= self._length:
            raise Full(self._retry_after())

    def add(self, job: Job) -> None:
        self.check_room()
        self.waiting.append(job)
        self._start_next()

    def _retry_after(self) -> int:
        return max(1, min(60, round(self._usual * len(self.waiting) / self._slots)))

    def _start_next(self) -> None:
        while self.waiting and len(self.running) < self._slots:
            job = self.waiting.popleft()
            self.running[job] = asyncio.create_task(self._run(job))
        for job in self.waiting:
            job.change()

    async def _run(self, job: Job) -> None:
        job.begin()
        try:
            await self.lane.run(job)
        except Exception:
            _log.exception("a job failed: %s %s", job.kind, dump(job.ask))
            job.finish(error=told(BROKEN))
        finally:
            del self.running[job]
            self._usual += 0.2 * (time.monotonic() - job.began - self._usual)
            self._start_next()

    def cancel(self, job: Job) -> None:
        job.cancel.set()
        if job in self.waiting:
            self.waiting.remove(job)
            job.finish(error=told(CANCELLED_EARLY))
        else:
            job.on_cancel()

    async def close(self) -> None:
        for job in [*self.waiting, *self.running]:
            self.cancel(job)
        if self.running:
            await asyncio.wait(self.running.values(), timeout=_CLOSING_SECONDS)
        await self.lane.close()


class Jobs:
    """All jobs of the server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._threads = _Queue(_Threads(limits.jobs), limits)
        self._processes = _Queue(_Processes(), limits)
        self._jobs: dict[str, Job] = {}
        self._queue_of: dict[str, _Queue] = {}
        self._sweeping: asyncio.TimerHandle | None = None
        self._closing = False

    def check_room(self, *, native: bool) -> None:
        """`Full` if there is no room for a job; worth asking before one is prepared."""
        (self._threads if native else self._processes).check_room()

    def start(
        self, kind: str, ask: dict[str, Any], *, task: str = "", native: bool, **more: bool
    ) -> Job:
        """Take on a job; `Full` if there is no room for it."""
        if self._closing:
            raise Closing
        job = Job(kind, task or kind, ask, self.limits, **more)
        queue = self._threads if native else self._processes
        queue.add(job)
        self._jobs[job.id] = job
        self._queue_of[job.id] = queue
        if self._sweeping is None:
            self._sweep()
        return job

    def get(self, kind: str, id: str) -> Job | None:
        job = self._jobs.get(id)
        return job if job is not None and job.kind == kind else None

    def ahead_of(self, job: Job) -> int:
        """How many jobs wait before this one."""
        with suppress(ValueError, KeyError):
            return self._queue_of[job.id].waiting.index(job)
        return 0

    def cancel(self, job: Job) -> None:
        """Stop a job; what it has found so far is its result."""
        if not job.done:
            self._queue_of[job.id].cancel(job)

    def forget(self, job: Job) -> None:
        self._jobs.pop(job.id, None)
        self._queue_of.pop(job.id, None)

    @property
    def counts(self) -> dict[str, int]:
        queues = (self._threads, self._processes)
        return {
            "running": sum(len(queue.running) for queue in queues),
            "queued": sum(len(queue.waiting) for queue in queues),
            "kept": sum(job.done for job in self._jobs.values()),
        }

    async def close(self) -> None:
        """Cancel everything, and wait until nothing runs any more."""
        self._closing = True
        if self._sweeping is not None:
            self._sweeping.cancel()
        await asyncio.gather(self._threads.close(), self._processes.close())

    def _sweep(self) -> None:
        """Cancel what nobody waits for any more, and forget what is old or too much."""
        for job in [job for job in self._jobs.values() if job.is_abandoned()]:
            self.cancel(job)
        finished = sorted((job for job in self._jobs.values() if job.done), key=lambda j: -j.ended)
        oldest, kept = time.monotonic() - _KEPT_SECONDS, 0
        for number, job in enumerate(finished):
            kept += job.size
            if job.ended < oldest or number >= _KEPT_JOBS or kept > _KEPT_BYTES:
                self.forget(job)
        self._sweeping = None
        if self._jobs:
            loop = asyncio.get_running_loop()
            self._sweeping = loop.call_later(_SWEEP_SECONDS, self._sweep)
