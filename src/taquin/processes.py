"""Worker processes of this machine as an `Executor`. None outlives the process that started it.

Each is a Python of its own with a pipe in and a pipe out, so that, unlike with `multiprocessing`,
a script needs no guard around its main part. Whatever is pickled is imported by its name there.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from typing import IO, Any, TypeVar

T = TypeVar("T")

_SIZE = struct.Struct("<Q")
_Task = tuple[Future[Any], bytes]


class Processes(Executor):
    """A number of processes that take turns with what is submitted.

    >>> with Processes(2) as pool:
    ...     pool.submit(pow, 2, 10).result()
    1024
    """

    def __init__(self, workers: int) -> None:
        self._max_workers = workers
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._broken = ""
        self._closed = False
        self._processes = [_start() for _ in range(workers)]
        self._threads = [
            threading.Thread(target=self._tend, args=(process,), daemon=True)
            for process in self._processes
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        if self._closed:
            raise RuntimeError("the processes have been shut down")
        if self._broken:
            raise BrokenExecutor(self._broken)
        future: Future[T] = Future()
        self._tasks.put((future, pickle.dumps((fn, args, kwargs), pickle.HIGHEST_PROTOCOL)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed = True
        if cancel_futures:
            self._cancel_waiting()
        for _ in self._threads:
            self._tasks.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def kill(self) -> None:
        """End all processes now, whatever they do."""
        self._broken = "the worker processes were ended"
        for process in self._processes:
            process.kill()
        self.shutdown(cancel_futures=True)

    def pids(self) -> list[int]:
        return [process.pid for process in self._processes]

    def _cancel_waiting(self) -> None:
        with suppress(queue.Empty):
            while True:
                task = self._tasks.get_nowait()
                if task is not None:
                    task[0].cancel()

    def _tend(self, process: subprocess.Popen[bytes]) -> None:
        """Hand one task after the other to a process."""
        while (task := self._tasks.get()) is not None:
            future, call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if self._broken:
                    raise EOFError
                done, outcome = _ask(process, call)
            except (OSError, EOFError):
                process.kill()
                how = _ending(process.wait())
                self._broken = self._broken or f"a worker process died ({how})"
                future.set_exception(BrokenExecutor(self._broken))
            else:
                if done:
                    future.set_result(outcome)
                else:
                    future.set_exception(outcome)
            # What is at rest here would keep the last answer alive.
            del task, future, call
            outcome = None
        _end(process)


def _start() -> subprocess.Popen[bytes]:
    # What can be imported here can be imported there.
    path = [os.path.abspath(folder) for folder in sys.path]
    program = f"import sys; sys.path[:] = {path}; from taquin.processes import serve; serve()"
    # Ctrl-C in a terminal is meant for this process. It may come before the other can say that it
    # does not listen, and what is blocked here is blocked there.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ask(process: subprocess.Popen[bytes], call: bytes) -> tuple[bool, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    _send(process.stdin, call)
    answer: tuple[bool, Any] = pickle.loads(_receive(process.stdout))
    return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        assert process.stdin is not None
        process.stdin.close()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def _send(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(_SIZE.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    size = _SIZE.unpack(_exactly(pipe, _SIZE.size))[0]
    return _exactly(pipe, size)


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


# --- the other side -----------------------------------------------------------------------------


def serve() -> None:
    """What a worker process does: one call after the other, until its input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What anything prints by itself must not get between the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    calls: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(calls,), daemon=True).start()
    try:
        while True:
            _send(output, _answer(calls.get()))
    except OSError:
        os._exit(0)


def _listen(calls: queue.SimpleQueue[bytes]) -> None:
    with suppress(EOFError, OSError):
        while True:
            calls.put(_receive(sys.stdin.buffer))
    # Whatever is being computed, nobody is there any more to whom it could be told.
    os._exit(0)


def _answer(call: bytes) -> bytes:
    try:
        fn, args, kwargs = pickle.loads(call)
        return pickle.dumps((True, fn(*args, **kwargs)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        try:
            pickle.loads(answer := pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL))
        except Exception:
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return answer
