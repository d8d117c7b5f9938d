"""A real Dask cluster on this machine: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

SECONDS = 60
"""After which something that should happen won't."""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def until(holds: Callable[[], Any], what: str) -> Any:
    """Wait for something; what it gave."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        found = holds()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"in vain: {what}")


class Process:
    """A process whose end is certain."""

    def __init__(self, command: list[str], log: Path, **environment: str) -> None:
        self.log = log
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, *command],
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), **environment},
                start_new_session=True,
            )

    def kill(self, number: int = signal.SIGKILL) -> None:
        """By a signal that ends it, at once or in its own time."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)
        self.process.wait()

    def cpu_seconds(self) -> float:
        """The processor time it has taken so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class DaskCluster:
    """A scheduler and its workers."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.environment = environment
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.workers: list[Process] = []
        self._started = 0
        self.start_scheduler()

    def start_scheduler(self) -> None:
        self.scheduler = Process(
            [
                *("-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1"),
                *("--port", str(self.port), "--dashboard-address", "127.0.0.1:0", "--no-show"),
            ],
            self.folder / "scheduler.log",
            **self.environment,
        )
        until(self._listens, "the scheduler")

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def start_worker(self, *options: str, **environment: str) -> Process:
        self._started += 1
        command = [
            *("-m", "distributed.cli.dask_worker", self.address, "--nthreads", "1"),
            *("--no-dashboard", "--no-nanny", "--local-directory", str(self.folder)),
        ]
        log = self.folder / f"worker-{self._started}.log"
        worker = Process([*command, *options], log, **environment)
        self.workers.append(worker)
        return worker

    def kill_worker(self, number: int = 0) -> None:
        self.workers.pop(number).kill()

    def restart_scheduler(self, number: int = signal.SIGKILL) -> None:
        """Workers end when their scheduler does, so new ones are started, as a supervisor would."""
        self.scheduler.kill(number)
        self.start_scheduler()
        for _ in range(len(self.workers)):
            self.kill_worker()
            self.start_worker()

    def wait_for_workers(self, count: int) -> None:
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=SECONDS)

    def close(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()


@contextmanager
def dask_cluster(folder: Path, workers: int = 0, **environment: str) -> Iterator[DaskCluster]:
    with ExitStack() as stack:
        cluster = DaskCluster(folder, **environment)
        stack.callback(cluster.close)
        for _ in range(workers):
            cluster.start_worker()
        if workers:
            cluster.wait_for_workers(workers)
        yield cluster
