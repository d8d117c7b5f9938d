"""Workers on other machines, by Dask: an `Executor` that outlives its workers and its scheduler.

    with cluster.connect("tcp://host:8786") as executor:
        result = solve(board, executor=executor)

Nothing here knows what is computed. Before any work, and whenever a worker joins, its version of
taquin and its tables are compared with those of this process.
"""

from __future__ import annotations

import logging
import pickle
import re
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar
from uuid import uuid4

from .errors import ClusterError, MissingExtraError, OptionError, shorten
from .fingerprint import Fingerprint, fingerprint, of_code
from .heartbeat import cancelled_by
from .store import Say, quiet

PATIENCE = 600.0
"""Seconds that a lost scheduler may take to come back."""

CALLS_PER_SECOND = 200
"""What a scheduler hands out without being busy for more than a third of its time."""

_LEAST_SECONDS = 0.5
"""How long a call should take even on a small cluster."""

_FIRST_PATIENCE = 10.0
"""Seconds in which a scheduler must answer at the beginning."""

_BETWEEN_LOOKS = 0.5
"""Seconds between two looks at who is there."""

_MISFITS_ONLY = 10.0
"""Seconds after which workers that are all refused are not worth waiting any longer."""

_UNTIL_TOLD = 3.0
"""Seconds after which it is told that no worker is there."""

T = TypeVar("T")


@contextmanager
def connect(
    address: str, *, patience: float = PATIENCE, say: Say = quiet
) -> Iterator[ClusterExecutor]:
    """The workers at a scheduler's address, `tcp://host:8786`, or `local:N`: N on this machine.

    `ClusterError` if no scheduler answers there, or if workers have another version of taquin or
    other tables; `say` is told of those that join later and are refused.
    """
    if address.startswith("local"):
        with _local_cluster(_local_workers(address)) as cluster:
            yield from _connected(cluster.scheduler_address, patience, say)
    elif re.fullmatch(r"(\w+://)?[^/\s]+:\d{1,5}", address):
        yield from _connected(address, patience, say)
    else:
        raise OptionError(
            f"'{shorten(address)}' is no cluster; write for example tcp://host:8786 or local:4"
        )


def _connected(address: str, patience: float, say: Say) -> Iterator[ClusterExecutor]:
    executor = ClusterExecutor(address, patience=patience, say=say)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _local_workers(address: str) -> int:
    match = re.fullmatch(r"local:(\d{1,4})", address)
    if match is None or int(match[1]) < 1:
        raise OptionError(f"'{shorten(address)}' is no cluster; write for example local:4")
    return int(match[1])


@contextmanager
def _local_cluster(workers: int) -> Iterator[Any]:
    with _deaf_to_interrupts():
        cluster = _dask().LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            memory_limit=0,  # mapped tables would count
            silence_logs=logging.CRITICAL,
        )
    with cluster:
        yield cluster


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started within ignore Ctrl-C, which a terminal sends to all: it is meant for us."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _dask() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingExtraError("distributed", "cluster") from None
    return distributed


@dataclass(slots=True)
class _Task:
    """A call that has no answer yet."""

    number: int
    payload: bytes
    about: str
    future: Future[Any] = field(default_factory=Future)
    under_way: Any = None
    """Dask's own future, of which there is a new one for each time that it is handed in."""
    only: frozenset[str] = frozenset()
    """The workers that may do it; all if empty."""


class ClusterExecutor(Executor):
    """The workers of a Dask cluster as an executor.

    Every call is answered once, whatever happens to workers: Dask hands on what a dead one had. If
    the scheduler dies, calls without an answer are handed in again as soon as it is back. A call
    whose workers die time and again is an error.
    """

    def __init__(self, address: str, *, patience: float = PATIENCE, say: Say = quiet) -> None:
        self.address = address
        self._patience = patience
        self._say: Say = quiet
        self._mine = fingerprint()
        self._run = uuid4().hex[:12]
        self._numbers = count()
        self._tasks: dict[int, _Task] = {}
        self._lock = threading.RLock()
        self._threads: dict[str, int] = {}
        self._misfits: dict[str, str] = {}
        self._known: set[str] = set()
        self._idle_since, self._told = time.monotonic(), False
        self._closed = threading.Event()
        self._broken: ClusterError | None = None
        self._client: Any = self._new_client(_FIRST_PATIENCE)
        try:
            self._refuse_misfits()
        except BaseException:
            self._drop_client()
            raise
        self._say = say
        self._watcher = threading.Thread(target=self._watch, name="taquin-cluster", daemon=True)
        self._watcher.start()

    def _refuse_misfits(self) -> None:
        # Whoever can't be asked because it is leaving is none of those who stay.
        with suppress(OSError):
            self._look_around()
        if self._misfits:
            raise self._all_refused()

    @property
    def cores(self) -> int:
        """How many calls the workers can do at once."""
        return sum(self._fit().values())

    _max_workers = cores
    """By this name the pools of the standard library tell it to those who look."""

    @property
    def call_seconds(self) -> float:
        """How long a call should take, so that handing it out is no trouble to the scheduler."""
        return max(_LEAST_SECONDS, self.cores / CALLS_PER_SECOND)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call a function on one of the workers."""
        if self._closed.is_set():
            raise RuntimeError("the connection to the cluster is closed")
        import cloudpickle

        # What workers can't import, such as a function of the program itself, travels in full.
        payload = cloudpickle.dumps((fn, args, kwargs))
        task = _Task(next(self._numbers), payload, _about(args))
        with self._lock:
            if self._broken is not None:
                raise self._broken
            self._tasks[task.number] = task
            self._hand_in(task)
        task.future.add_done_callback(lambda future: self._forget(task))
        return task.future

    def cancel_signal(self) -> Signal:
        """Something that calls can look at to learn that they are not wanted any more."""
        return Signal(uuid4().hex[:12], self)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which goes on without us; what is under way is cancelled."""
        if wait and not cancel_futures:
            from concurrent.futures import wait as wait_for

            wait_for([task.future for task in self._unanswered()])
        self._closed.set()
        for task in self._unanswered():
            task.future.cancel()
        self._watcher.join()
        self._drop_client()

    # --- calls

    def _unanswered(self) -> list[_Task]:
        with self._lock:
            return list(self._tasks.values())

    def _hand_in(self, task: _Task) -> None:
        """Give a call to the scheduler, now or, if that is gone, when it is back."""
        client = self._client
        if client is None:
            return
        key = f"taquin-{self._run}-{task.number}-{uuid4().hex[:8]}"
        task.only = frozenset(self._fit()) if self._misfits else frozenset()
        try:
            task.under_way = client.submit(
                *(_perform, key, of_code(), task.payload),
                key=key,
                pure=False,
                workers=list(task.only) or None,
            )
            client.loop.add_callback(self._await, task, task.under_way)
        except Exception:
            # The watcher finds out whether the scheduler is gone, and hands it in again.
            task.under_way = None

    async def _await(self, task: _Task, under_way: Any) -> None:
        """Pass on an answer; what is lost is left to the watcher."""
        try:
            answer = await under_way._result(raiseit=False)
        except Exception:
            answer, status = None, "lost"
        else:
            status = under_way.status
        if task.under_way is not under_way:
            return
        if status == "finished":
            _answer(task.future, answer)
        elif status == "error":
            self._failed(task, answer[1])
        else:
            task.under_way = None

    def _failed(self, task: _Task, error: BaseException) -> None:
        if isinstance(error, MisfitError):
            self._refuse(error.worker, error.reason)
            task.under_way = None
        elif type(error).__name__ == "KilledWorker":
            words = f"every worker that took it on has died: {task.about}"
            _answer(task.future, error=ClusterError(words))
        elif isinstance(error, (ImportError, AttributeError)) and self._is_unseen():
            task.under_way = None
        else:
            _answer(task.future, error=error)

    def _forget(self, task: _Task) -> None:
        with self._lock:
            self._tasks.pop(task.number, None)
            under_way, task.under_way = task.under_way, None
        if under_way is not None and task.future.cancelled():
            client = under_way.client
            client.loop.add_callback(client.cancel, [under_way], asynchronous=True)

    # --- who is there

    def _fit(self) -> dict[str, int]:
        return {at: n for at, n in self._threads.items() if at not in self._misfits}

    def _is_unseen(self) -> bool:
        return not self._known >= self._threads.keys()

    def _refuse(self, worker: str, reason: str) -> None:
        """One that has joined late gets nothing to do."""
        if self._misfits.setdefault(worker, reason) is reason:
            self._say(f"{_refusal(worker, reason)}; it is left out")

    def _all_refused(self) -> ClusterError:
        return ClusterError("; ".join(_refusal(*misfit) for misfit in self._misfits.items()))

    def _watch(self) -> None:
        while not self._closed.wait(_BETWEEN_LOOKS):
            try:
                if self._is_lost():
                    self._reconnect()
                self._look_around()
                self._hand_in_again()
                self._mind_the_idle()
            except ClusterError as error:
                self._give_up(error)
                return
            except Exception:
                # The scheduler went away meanwhile.
                continue

    def _mind_the_idle(self) -> None:
        """Tell that there is no one to do the work; give up if there are only those who can't."""
        now = time.monotonic()
        if self._fit() or not self._tasks:
            self._idle_since, self._told = now, False
            return
        idle = now - self._idle_since
        if self._misfits and idle > _MISFITS_ONLY:
            raise self._all_refused()
        if idle > _UNTIL_TOLD and not self._told:
            self._told = True
            self._say(f"there are no workers at {self.address}; waiting for some")

    def _look_around(self) -> None:
        """See which workers there are, and whether those that are new fit."""
        client = self._client
        assert client is not None
        self._threads = dict(client.nthreads())
        new = self._threads.keys() - self._known
        if not new:
            return
        theirs = client.run(fingerprint, workers=list(new), on_error="return")
        for worker, their in theirs.items():
            reason = _misfit(self._mine, their)
            if reason:
                self._refuse(worker, reason)
        self._known |= theirs.keys()
        self._misfits = {at: why for at, why in self._misfits.items() if at in self._threads}

    def _hand_in_again(self) -> None:
        """What was lost, or was meant for workers that are gone."""
        fit = self._fit()
        with self._lock:
            for task in self._tasks.values():
                if task.only and not task.only & fit.keys() and fit:
                    task.under_way = None
                if task.under_way is None and not task.future.done():
                    self._hand_in(task)

    # --- the scheduler

    def _new_client(self, patience: float) -> Any:
        dask = _dask()
        began = time.monotonic()
        while True:
            left = patience - (time.monotonic() - began)
            try:
                return dask.Client(self.address, timeout=min(max(left, 1), 5), set_as_default=False)
            except OSError:
                if self._closed.is_set() or left <= 0:
                    words = f"no Dask scheduler answers at {self.address}"
                    raise ClusterError(words) from None
                self._closed.wait(0.2)

    def _is_lost(self) -> bool:
        client = self._client
        if client is None or client.status != "running":
            return True
        comm = client.scheduler_comm
        return comm is None or comm.closed()

    def _reconnect(self) -> None:
        self._say(f"the scheduler at {self.address} is gone; waiting for it to come back")
        self._drop_client()
        client = self._new_client(self._patience)
        with self._lock:
            self._client = client
            self._known.clear()
            self._misfits.clear()
            for task in self._tasks.values():
                task.under_way = None

    def _drop_client(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):
                client.close(timeout=2)

    def _give_up(self, error: ClusterError) -> None:
        with self._lock:
            self._broken = error
        for task in self._unanswered():
            _answer(task.future, error=error)


def _answer(future: Future[Any], value: Any = None, error: BaseException | None = None) -> None:
    """Settle a future, unless someone has cancelled it."""
    with suppress(Exception):
        if not future.done() and future.set_running_or_notify_cancel():
            if error is None:
                future.set_result(value)
            else:
                future.set_exception(error)


def _about(args: Iterable[Any]) -> str:
    """What a call is about, for the message that tells of its end."""
    return shorten(", ".join(map(str, args)), 120)


def _refusal(worker: str, reason: str) -> str:
    return f"the worker {worker} {reason}"


def _misfit(mine: Fingerprint, theirs: Fingerprint | BaseException) -> str:
    """Why a worker can't be worked with, or nothing."""
    if isinstance(theirs, Fingerprint):
        return mine.misfit(theirs)
    if isinstance(theirs, (ImportError, AttributeError)):
        return f"has no taquin {mine.version}: {theirs}"
    return ""


# --- on the workers -----------------------------------------------------------------------------


class MisfitError(Exception):
    """Raised by a worker that is asked to work for another version, or with other tables."""

    def __init__(self, worker: str, reason: str) -> None:
        super().__init__(worker, reason)
        self.worker = worker
        self.reason = reason


def _perform(key: str, wanted: Fingerprint, payload: bytes) -> Any:
    """Do a call on a worker, as long as somebody wants its answer."""
    from distributed import Reschedule, get_worker

    worker = get_worker()
    reason = wanted.misfit(of_code())
    if reason:
        raise MisfitError(worker.address, reason)
    function, args, kwargs = pickle.loads(payload)
    unwanted = _Unwanted(key, worker)
    with cancelled_by(unwanted):
        answer = function(*args, **kwargs)
    if unwanted.is_set():
        # It may be half an answer. If it is only this worker that has to go, another one does it.
        raise Reschedule
    return answer


@dataclass(frozen=True, slots=True)
class _Unwanted:
    """Is set when Dask has cancelled a task, which it does also if the client is gone."""

    key: str
    worker: Any

    def is_set(self) -> bool:
        task = self.worker.state.tasks.get(self.key)
        return (
            task is None
            or task.state in ("cancelled", "resumed")
            or self.worker.status.name in ("closing", "closed", "failed")
        )


class Signal:
    """Set here, and seen by all calls on the workers that were given it."""

    def __init__(self, name: str, executor: ClusterExecutor | None = None) -> None:
        self._name = name
        self._executor = executor

    def __reduce__(self) -> tuple[Any, ...]:
        return Signal, (self._name,)

    def is_set(self) -> bool:
        return self._name in _stopped

    def set(self) -> None:
        executor = self._executor
        if executor is not None and executor._client is not None:
            with suppress(Exception):
                executor._client.run(_stop, self._name, wait=False, on_error="ignore")


_stopped: deque[str] = deque(maxlen=1000)


def _stop(name: str) -> None:
    _stopped.append(name)
