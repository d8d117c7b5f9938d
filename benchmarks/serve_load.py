"""What the server does under load: 200 clients at once, then an hour's worth of jobs, in a minute.

    python benchmarks/serve_load.py

While the clients ask for solves, a process of its own asks for the page and for /healthz, so that
what is measured is the server and not this script.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CLIENTS = 200
LOAD_SECONDS = 25.0
IMPATIENCE = 0.5
"""Seconds after which a client that was turned away asks again, sooner than it was told to."""
HOUR = 3600
"""Jobs of an hour, at one a second."""
AT_ONCE = 8
"""Clients that ask for them."""
ALLOWED_MS = 200.0
ALLOWED_GROWTH = {"server_mb": 5, "workers_mb": 20, "workers": 0, "files": 10, "threads": 2}
"""From the first quarter of the hour to the last."""

SMALL = ["8 6 7/2 5 4/3 0 1", "6 4 7/8 5 0/3 2 1", "1 2 3/4 5 6/0 7 8"]
LARGER = [
    "11 8 14 1/15 7 3 13/10 12 4 6/0 9 2 5",
    "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13",
]


# --- HTTP, as little of it as is needed ---------------------------------------------------------


class Connection:
    """One request after the other, without the weight of a library."""

    def __init__(self, host: str, port: int) -> None:
        self._address = host, port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, dict, bytes]:
        """Status, headers and body; a stream of events is read to its end."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(*self._address, limit=1 << 22)
        reader, writer = self._streams
        data = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        writer.write(head.encode() + data)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        if headers.get("transfer-encoding") == "chunked":
            content = await _chunks(reader)
        else:
            content = await reader.readexactly(int(headers.get("content-length", 0)))
        return int(lines[0].split()[1]), headers, content

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts)


# --- the server ---------------------------------------------------------------------------------


class Server:
    """The real command, in a process of its own."""

    def __init__(self, home: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "taquin", "serve", "--no-open", "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "TAQUIN_HOME": home},
        )
        assert self.process.stdout is not None
        match = re.search(r"http://([\d.]+):(\d+)/", self.process.stdout.readline())
        assert match, "the server did not start"
        self.host, self.port = match[1], int(match[2])

    def connection(self) -> Connection:
        return Connection(self.host, self.port)

    def family(self) -> list[int]:
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *map(int, children)]

    def figures(self) -> dict[str, float]:
        """What it holds: megabytes of its own and of its workers, open files, threads."""
        megabytes = [_figure(pid, "VmRSS") / 1000 for pid in self.family()]
        return {
            "server_mb": megabytes[0],
            "workers_mb": sum(megabytes[1:]),
            "workers": len(megabytes) - 1,
            "files": len(os.listdir(f"/proc/{self.process.pid}/fd")),
            "threads": _figure(self.process.pid, "Threads"),
        }

    def stop(self) -> tuple[float, int]:
        """How long it takes to end, and how many of its processes are left."""
        family = self.family()
        begun = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        return time.monotonic() - begun, sum(Path(f"/proc/{pid}").exists() for pid in family)


def _figure(pid: int, name: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    return 0


def show(when: str, figures: dict[str, float]) -> None:
    print(
        f"{when:24} server {figures['server_mb']:6.1f} MB, {figures['workers']:.0f} workers "
        f"{figures['workers_mb']:6.1f} MB, {figures['files']:.0f} files, "
        f"{figures['threads']:.0f} threads"
    )


# --- 200 clients --------------------------------------------------------------------------------


def random_job(generator: random.Random) -> dict[str, Any]:
    """Mostly small boards, some that take a second, and some for a textbook algorithm."""
    kind = generator.random()
    if kind < 0.6:
        return {"board": generator.choice(SMALL)}
    if kind < 0.9:
        return {"board": generator.choice(LARGER), "limit": {"seconds": 1}}
    return {"board": generator.choice(SMALL), "algorithm": "astar", "limit": {"seconds": 1}}


async def client(server: Server, seed: int, until: float, outcomes: Counter[str]) -> None:
    generator = random.Random(seed)
    connection = server.connection()
    while time.monotonic() < until:
        await solve_once(connection, random_job(generator), outcomes)
    connection.close()


async def solve_once(connection: Connection, job: Any, outcomes: Counter[str]) -> None:
    status, headers, body = await connection.ask("POST", "/api/solve", job)
    if status == 202:
        events = (await connection.ask("GET", json.loads(body)["links"]["events"]))[2]
        outcomes["result" if b"event: result" in events else "no result"] += 1
    elif status == 429:
        outcomes["429"] += 1
        assert float(headers["retry-after"]) >= 1
        await asyncio.sleep(IMPATIENCE)
    else:
        outcomes[f"status {status}"] += 1


async def probe(host: str, port: int, seconds: float) -> dict[str, list[float]]:
    """Milliseconds for the page and for /healthz, asked for in turn by a new client each time."""
    times: dict[str, list[float]] = {"/": [], "/healthz": []}
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for path, taken in times.items():
            begun = time.perf_counter()
            connection = Connection(host, port)
            status, _, _ = await connection.ask("GET", path)
            connection.close()
            assert status == 200
            taken.append(1000 * (time.perf_counter() - begun))
            await asyncio.sleep(0.02)
    return times


def probing(server: Server, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "probe", server.host, str(server.port), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def report_times(name: str, times: dict[str, list[float]]) -> bool:
    well = True
    for path, taken in times.items():
        taken.sort()
        p50, p99 = taken[len(taken) // 2], taken[int(len(taken) * 0.99)]
        well &= p99 <= ALLOWED_MS
        print(
            f"{name:24} {path:9} {len(taken):5} requests: half within {p50:6.1f} ms, "
            f"99 % within {p99:6.1f} ms (at most {ALLOWED_MS:.0f}), all within {taken[-1]:6.1f} ms"
        )
    return well


async def crowd(server: Server) -> Counter[str]:
    outcomes: Counter[str] = Counter()
    until = time.monotonic() + LOAD_SECONDS
    await asyncio.gather(*(client(server, seed, until, outcomes) for seed in range(CLIENTS)))
    return outcomes


# --- an hour's worth of jobs --------------------------------------------------------------------


async def hour(server: Server) -> tuple[Counter[str], bool]:
    """What came of them, and whether the server holds no more at the end than after a quarter."""
    outcomes: Counter[str] = Counter()
    quarters: list[dict[str, float]] = []
    for quarter in range(1, 5):
        numbers = iter(range(HOUR // 4))

        async def worker(numbers: Any = numbers) -> None:
            connection = server.connection()
            for number in numbers:
                algorithm = {"algorithm": "greedy"} if number % 10 == 0 else {}
                await solve_once(connection, {"board": SMALL[number % 3], **algorithm}, outcomes)
            connection.close()

        await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
        quarters.append(server.figures())
        show(f"{quarter * HOUR // 4} jobs", quarters[-1])
    return outcomes, holds_no_more(quarters[0], quarters[-1])


def holds_no_more(before: dict[str, float], after: dict[str, float]) -> bool:
    grown = [name for name, most in ALLOWED_GROWTH.items() if after[name] - before[name] > most]
    for name in grown:
        print(f"{name} grew from {before[name]:.0f} to {after[name]:.0f}")
    return not grown


async def measure(server: Server) -> bool:
    warm: Counter[str] = Counter()
    for board in SMALL + LARGER:
        await solve_once(server.connection(), {"board": board, "limit": {"seconds": 5}}, warm)
    await solve_once(server.connection(), {"board": SMALL[0], "algorithm": "astar"}, warm)
    well = report_times("alone", json.loads(probing(server, 2).communicate()[0]))
    before = server.figures()
    show("before", before)
    probes = probing(server, LOAD_SECONDS)
    outcomes = await crowd(server)
    well &= report_times(f"{CLIENTS} clients", json.loads(probes.communicate()[0]))
    print(f"{CLIENTS} clients: {dict(outcomes)}")
    well &= set(outcomes) <= {"result", "429"}
    show("after", server.figures())
    outcomes, is_steady = await hour(server)
    print(f"an hour's jobs: {dict(outcomes)}")
    return well and is_steady and set(outcomes) <= {"result", "429"}


def main() -> None:
    begun = time.monotonic()
    with TemporaryDirectory() as home:
        server = Server(home)
        try:
            well = asyncio.run(measure(server))
        finally:
            seconds, left = server.stop()
    print(
        f"ended in {seconds:.1f} s, {left} processes left; {time.monotonic() - begun:.0f} s in all"
    )
    print("as it should be" if well and not left else "NOT as it should be")


if __name__ == "__main__":
    if sys.argv[1:2] == ["probe"]:
        print(json.dumps(asyncio.run(probe(sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))))
    else:
        main()
