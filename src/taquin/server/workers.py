"""The worker processes as the server sees them: taken, given a task, cancelled, ended."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress

from .tasks import dump

GRACE = 2.0
"""Seconds that a worker has to stop by itself."""

_LONGEST_LINE = 1 << 26


class WorkerGone(Exception):  # noqa: N818 -- it tells of an outcome, not of an error
    """A worker ended before its task did."""


class Worker:
    """A process that does one task at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._output = process.stdin, process.stdout
        self._killing: asyncio.TimerHandle | None = None
        self._number = 0
        self._leaving = False

    @classmethod
    async def start(cls) -> Worker:
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable, "-m", "taquin.server.worker",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
            )
        )  # fmt: skip

    @property
    def is_free(self) -> bool:
        """Whether it takes another task."""
        return self._process.returncode is None and not self._leaving

    def begin(self, task: str, ask: object, memory: int) -> None:
        self._number += 1
        self._write({"number": self._number, "task": task, "ask": ask, "memory": memory})

    async def outcome(self, tell: Callable[[str, str], object]) -> tuple[str, str]:
        """`result` or `error`, and what that is as JSON. `WorkerGone` if it died."""
        try:
            while line := await self._output.readline():
                kind, _, text = line.decode().rstrip("\n").partition(" ")
                if kind in ("result", "error"):
                    return kind, text
                if kind == "leaving":
                    self._leaving = True
                else:
                    tell(kind, text)
        except (OSError, ValueError):
            self.kill()
        finally:
            if self._killing is not None:
                self._killing.cancel()
                self._killing = None
        self._leaving = True
        raise WorkerGone

    def cancel(self) -> None:
        """Ask it to stop, and see to it that it does."""
        self._write({"cancel": self._number})
        if self._killing is None:
            self._killing = asyncio.get_running_loop().call_later(GRACE, self.kill)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """Let it go, and wait until it is gone."""
        self._input.close()
        try:
            await asyncio.wait_for(self._process.wait(), GRACE)
        except TimeoutError:
            self.kill()
            await self._process.wait()

    def _write(self, message: object) -> None:
        # Should it be gone, then that is noticed where its lines are read.
        with suppress(OSError, RuntimeError):
            self._input.write(dump(message).encode() + b"\n")


class Workers:
    """Those that wait for a task; they are started when they are first needed, and kept."""

    def __init__(self) -> None:
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()

    async def take(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_free:
                return worker
            await self._dismiss(worker)
        worker = await Worker.start()
        self._all.add(worker)
        return worker

    async def give_back(self, worker: Worker) -> None:
        if worker.is_free:
            self._idle.append(worker)
        else:
            await self._dismiss(worker)

    async def _dismiss(self, worker: Worker) -> None:
        await worker.end()
        self._all.discard(worker)

    async def close(self) -> None:
        await asyncio.gather(*(worker.end() for worker in self._all))
        self._all.clear()
        self._idle.clear()
