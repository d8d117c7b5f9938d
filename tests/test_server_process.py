"""The server as a process: jobs whose client has gone, and an end at which nothing is left."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from server_client import HARD, SMALL, Client, is_running, serving, wait_until

from taquin import goals


def connected(client: Client) -> socket.socket:
    host, port = client.url.removeprefix("http://").strip("/").split(":")
    return socket.create_connection((host, int(port)))


def counts(client: Client) -> dict[str, int]:
    found: dict[str, int] = client.get("/healthz").json()["jobs"]
    return found


TEXTBOOK = {"board": HARD, "algorithm": "idastar"}
ENGINE = {"board": HARD}


@pytest.mark.parametrize("job", [ENGINE, TEXTBOOK], ids=["engine", "textbook"])
def test_a_client_that_goes_away_cancels_its_job(tmp_path: Path, job: dict[str, str]) -> None:
    with serving(tmp_path, "--jobs", "1") as client:
        running = client.start("solve", **job)
        waiting = client.start("solve", **job)
        wait_until(lambda: client.status(running)["progress"] is not None, "it runs")
        assert client.status(waiting)["state"] == "queued"
        listen_and_leave(client, waiting)

        def has_gone() -> bool:
            # To ask for the one that runs keeps it going.
            assert client.status(running)["state"] == "running"
            return counts(client)["queued"] == 0

        wait_until(has_gone, "the one that waited is cancelled")
        assert client.status(waiting)["error"] == "cancelled before it began"
        listen_and_leave(client, running)
        wait_until(lambda: counts(client)["running"] == 0, "nothing runs")
        assert client.status(running)["result"]["status"] == "cancelled"
        assert counts(client) == {"running": 0, "queued": 0, "kept": 2}


def listen_and_leave(client: Client, job: str) -> None:
    events = client.events(job)
    next(events)
    events.close()


def test_a_job_that_nobody_asks_for_is_cancelled(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        client.start("solve", **ENGINE)
        assert counts(client)["running"] == 1
        wait_until(lambda: counts(client)["running"] == 0, "nobody is patient for ever")


def test_a_client_that_stops_waiting_for_a_film_cancels_it(tmp_path: Path) -> None:
    with serving(tmp_path, "--jobs", "1") as client:
        body = f'{{"board":"{SMALL}","moves":"{"LR" * 20_000}","format":"gif"}}'
        with connected(client) as connection:
            connection.sendall(
                f"POST /api/export HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
                f"Content-Type: application/json\r\n\r\n{body}".encode()
            )
            wait_until(lambda: counts(client)["running"] == 1, "it runs")
        wait_until(lambda: counts(client)["running"] == 0, "it is cancelled")


@pytest.mark.parametrize("options", [{}, {"limit": {"memory": 2_000_000}}])
def test_memory_that_a_search_may_keep(tmp_path: Path, options: dict[str, Any]) -> None:
    """A search ends by the server's limit or a lower one of the client's; nothing else does."""
    with serving(tmp_path, "--memory", "8MB", "--jobs", "1") as client:
        for algorithm in ("bfs", "astar"):
            asked = {"board": "14 15 8 12/10 11 9 13/2 6 5 1/3 7 0 4", "algorithm": algorithm}
            result = client.finish(client.start("solve", **asked, **options))
            assert result["status"] == "limit"
            assert result["stats"]["peak_memory"] < 10_000_000
            assert result["lower_bound"] > 0
        family = client.children()
        assert client.finish(client.start("solve", board=SMALL, algorithm="astar"))["length"] == 31
        assert client.children() == family, "no worker had to be replaced"


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        job = client.start("solve", **TEXTBOOK)
        wait_until(lambda: client.status(job)["progress"] is not None, "it runs")
        for child in client.children():
            os.kill(child, signal.SIGKILL)
        *_, last = client.events(job)
        assert last.name == "error"
        assert "more time or memory" in last.data["error"]
        result = client.finish(client.start("solve", board=SMALL, algorithm="astar"))
        assert result["length"] == 31


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_end_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path, "--jobs", "1") as client:
        jobs = [client.start("solve", **job) for job in (ENGINE, TEXTBOOK, ENGINE, TEXTBOOK)]
        for job in jobs[:2]:
            wait_until(lambda job=job: client.status(job)["progress"] is not None, "it runs")
        events = client.events(jobs[0])
        assert next(events).name == "state"
        family = client.children()
        assert family
        client.process.send_signal(number)
        *_, last = events
        assert last.name == "result"
        assert last.data["status"] == "cancelled"
        assert client.process.wait(60) == 0
        wait_until(lambda: not any(map(is_running, family)), "no process is left")


def test_workers_do_not_outlive_a_server_that_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        job = client.start("solve", **TEXTBOOK)
        wait_until(lambda: client.status(job)["progress"] is not None, "it runs")
        family = client.children()
        client.process.kill()
        wait_until(lambda: not any(map(is_running, family)), "no process is left")


def test_the_next_free_port_is_taken(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "taquin", "serve", "--no-open"]
    environment = {**os.environ, "TAQUIN_HOME": str(tmp_path)}
    addresses = set()
    processes = []
    try:
        for _ in range(2):
            process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
            processes.append(process)
            assert process.stdout is not None
            addresses.add(process.stdout.readline().split()[3])
        assert len(addresses) == 2
    finally:
        for process in processes:
            process.terminate()
            process.communicate()


def test_a_port_that_was_asked_for_is_that_one_or_none(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        port = client.url.rstrip("/").rpartition(":")[2]
        taken = subprocess.run(
            [sys.executable, "-m", "taquin", "serve", "--no-open", "--port", port],
            capture_output=True,
            text=True,
        )
    assert taken.returncode == 2
    assert taken.stderr == f"taquin: 127.0.0.1:{port}: Address already in use\n"


def test_others_in_the_network_get_less_and_the_user_is_warned(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0", "--jobs", "1") as client:
        options = client.get("/api/options").json()
        assert options["limits"]["strict"] is True
        assert options["limits"]["seconds"] == 30
        assert options["limits"]["cells"] == 100
        assert options["records"] is False
        refused = client.get("/api/records")
        assert refused.status_code == 403
        assert "records" in refused.json()["error"]
        told = client.finish(client.start("solve", board=SMALL, algorithm="astar"))
        assert told["length"] == 31
        goal = goals.blank_last(6, 6).exchange(1, 2).exchange(3, 4)
        asked = {"goal": str(goal), "tables": "large", "limit": {"seconds": 0.2}}
        told = client.finish(client.start("solve", board=HARD, **asked))
        assert told["heuristic"] == "manhattan", "no tables are built for a stranger's goal"
        picture = client.post("/api/export", board=SMALL, format="png")
        assert picture.content.startswith(b"\x89PNG")
        client.process.terminate()
        _, warning = client.process.communicate(timeout=60)
    assert "others in the network" in warning


def read_all(connection: socket.socket) -> bytes:
    connection.settimeout(60)
    parts = []
    while part := connection.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize("text", [b"hello\r\n\r\n", b"GET / HTTP/1.1\r\nbad header\r\n\r\n"])
def test_what_is_no_request_gets_an_error_in_words(tmp_path: Path, text: bytes) -> None:
    with serving(tmp_path) as client, connected(client) as connection:
        connection.sendall(text)
        head, _, body = read_all(connection).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 ")
        assert "no HTTP request" in json.loads(body)["error"]


def test_a_request_whose_body_never_comes_is_not_waited_for(tmp_path: Path) -> None:
    with serving(tmp_path) as client, connected(client) as silent, connected(client) as slow:
        slow.sendall(
            b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\nConnection: close\r\n\r\n{"
        )
        assert read_all(silent) == b""
        assert read_all(slow).startswith(b"HTTP/1.1 408 ")


def test_an_address_without_an_end_is_not_listened_to(tmp_path: Path) -> None:
    with serving(tmp_path) as client, connected(client) as connection:
        connection.sendall(b"GET /")
        with pytest.raises(ConnectionError):
            connection.sendall(b"a" * 100_000_000)
        assert client.get("/healthz").status_code == 200
