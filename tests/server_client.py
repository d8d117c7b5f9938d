"""A real server in a process of its own, and what a client does with it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

SMALL = "8 6 7/2 5 4/3 0 1"
HARD = (
    "11 6 24 33 5 14/7 3 2 20 12 27/34 30 32 23 28 16/"
    "17 35 31 9 26 18/10 21 0 1 22 19/13 15 8 25 29 4"
)
"""A 35-puzzle whose optimum no one finds within a test."""

PATIENT = 60.0
"""Seconds after which a test gives up; a busy machine may need some of them."""


@dataclass
class Event:
    name: str
    data: Any
    id: str = ""


@dataclass
class Client:
    """Asks a server."""

    url: str
    process: subprocess.Popen[str]
    http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.http = httpx.Client(base_url=self.url, timeout=PATIENT)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.http.get(path, **more)

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.http.post(path, json=body)

    def start(self, kind: str, **body: Any) -> str:
        """Start a job; its address."""
        response = self.post(f"/api/{kind}", **body)
        assert response.status_code == 202, response.text
        return str(response.json()["links"]["self"])

    def status(self, job: str) -> dict[str, Any]:
        found: dict[str, Any] = self.get(job).json()
        return found

    def events(self, job: str, **headers: str) -> Iterator[Event]:
        with self.http.stream("GET", f"{job}/events", headers=headers) as response:
            assert response.headers["content-type"].startswith("text/event-stream")
            yield from parse_events(response.iter_lines())

    def finish(self, job: str) -> Any:
        """The result of a job."""
        *_, last = self.events(job)
        assert last.name == "result", last
        return last.data

    def children(self) -> list[int]:
        """The processes that the server has started."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(number) for number in path.read_text().split()]


def parse_events(lines: Iterator[str]) -> Iterator[Event]:
    fields: dict[str, str] = {}
    for line in lines:
        if not line:
            if "data" in fields:
                data = json.loads(fields["data"])
                yield Event(fields.get("event", "message"), data, fields.get("id", ""))
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value


def wait_until(happens: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENT
    while not happens():
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@contextmanager
def serving(home: Path, *options: str) -> Iterator[Client]:
    """A server with records of its own, and the tables of all tests."""
    tables = Path(os.environ["TAQUIN_HOME"]) / "tables"
    tables.mkdir(parents=True, exist_ok=True)
    if not (home / "tables").exists():
        (home / "tables").symlink_to(tables)
    arguments = options if "--port" in options else ("--port", "0", *options)
    process = subprocess.Popen(
        [sys.executable, "-m", "taquin", "serve", "--no-open", *arguments],
        env={**os.environ, "TAQUIN_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.search(r"http://\S+", line)
        assert match, (line, process.stderr and process.stderr.read())
        yield Client(match[0], process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(PATIENT)
            except subprocess.TimeoutExpired:
                process.kill()
        process.communicate()
