"""A real Dask cluster: workers die, join late, lack tables or have others; schedulers restart."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, wait
from dataclasses import replace
from pathlib import Path

import pytest
from dask_cluster import DaskCluster, dask_cluster, until
from dask_tasks import die, slowly

from taquin import (
    Board,
    Limit,
    Progress,
    Result,
    _native,
    cluster,
    engine,
    goals,
    solve,
    store,
    tables,
)
from taquin.batch import solve_many
from taquin.cluster import ClusterExecutor, connect
from taquin.errors import ClusterError, OptionError

# Solved at once to the optimum, which takes nine million boards to prove.
PROOF = Board.random(4, 5, seed=9, walk=80)
OPTIMUM = 44
# Takes a hundred million without pattern tables.
LONG = Board.random(4, 4, seed=229)
# Takes hours without pattern tables.
ENDLESS = Board("15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 0")


@pytest.fixture(autouse=True)
def _shared_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that searches of a second are shared too."""
    monkeypatch.setattr(engine, "SHORT", 400_000)


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A cluster of two workers. Whoever harms it mends it."""
    with dask_cluster(tmp_path_factory.mktemp("running"), workers=2) as started:
        yield started


@pytest.fixture(scope="module")
def apart(tmp_path_factory):
    """A scheduler for tests that bring their own workers; it forgives no death of a worker."""
    environment = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    with dask_cluster(tmp_path_factory.mktemp("apart"), **environment) as started:
        yield started


def in_turn(executor: ClusterExecutor, count: int, seconds: float) -> list[Future[int]]:
    return [executor.submit(slowly, number, seconds) for number in range(count)]


def taquin(*words: str) -> str:
    """What a command prints, if it succeeds without a word of complaint."""
    command = [sys.executable, "-m", "taquin", *words]
    # Or else Dask complains of a machine that is slow.
    environment = {**os.environ, "DASK_DISTRIBUTED__ADMIN__TICK__LIMIT": "1h"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# --- one board ----------------------------------------------------------------------------------


def test_two_workers_take_as_many_expansions_as_one(running: DaskCluster, tmp_path: Path):
    single = solve(PROOF, tables="none", checkpoint=tmp_path / "file")
    with connect("local:1") as executor:
        by_one = solve(PROOF, tables="none", checkpoint=tmp_path / "one", executor=executor)
    with connect(running.address) as executor:
        assert executor.cores == 2
        by_two = solve(PROOF, tables="none", checkpoint=tmp_path / "two", executor=executor)
    for result in (by_one, by_two):
        assert (result.status, result.length, result.proof) == ("solved", OPTIMUM, "optimal")
        assert result.stats.iterations == single.stats.iterations
        assert result.stats.expanded == single.stats.expanded


def test_answers_take_hardly_more_expansions_with_two_workers(
    running: DaskCluster, monkeypatch: pytest.MonkeyPatch
):
    """When one worker finds the answer, the other is at something in vain."""
    monkeypatch.undo()

    def expanded_at(address: str) -> int:
        with connect(address) as executor:
            result = solve(LONG, executor=executor, tables="walking")
        assert result.proof == "optimal"
        return result.stats.expanded

    assert expanded_at(running.address) < 1.05 * expanded_at("local:1")


def test_one_board_outlives_its_workers_and_the_scheduler(
    running: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What is lost is done again, and nothing twice: not one expansion more is counted."""
    # So that even a fast machine tells of the middle of the search.
    monkeypatch.setattr("taquin.heartbeat.INTERVAL", 0)
    single = solve(PROOF, tables="none", checkpoint=tmp_path / "file")
    harm = [
        (2_000_000, running.kill_worker),
        (2_500_000, running.start_worker),
        (4_000_000, running.restart_scheduler),
    ]

    def on_progress(progress: Progress) -> None:
        while harm and progress.expanded > harm[0][0]:
            harm.pop(0)[1]()

    with connect(running.address) as executor:
        result = solve(
            PROOF,
            tables="none",
            checkpoint=tmp_path / "shared",
            executor=executor,
            on_progress=on_progress,
        )
    assert not harm
    assert (result.length, result.proof) == (OPTIMUM, "optimal")
    assert result.stats.iterations == single.stats.iterations


def test_limits_hold_and_leave_the_workers_idle(running: DaskCluster):
    options = {"goal": "blank-first", "tables": "walking"}
    with connect(running.address) as executor:
        few, short = Limit(expanded=6_000_000), Limit(seconds=2)
        result = solve(ENDLESS, limit=few, executor=executor, **options)
        assert (result.status, result.stats.expanded) == ("limit", 6_000_000)
        result = solve(ENDLESS, limit=short, executor=executor, **options)
        assert result.status == "limit"
        until_idle(running)


def until_idle(running: DaskCluster) -> None:
    def is_idle() -> bool:
        before = [worker.cpu_seconds() for worker in running.workers]
        time.sleep(0.5)
        after = [worker.cpu_seconds() for worker in running.workers]
        return sum(after) - sum(before) < 0.15

    until(is_idle, "the workers to be idle")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_goes_on_when_the_client_ends(running: DaskCluster, tmp_path: Path, number: int):
    file = tmp_path / "search.json"
    client = subprocess.Popen(
        [
            *(sys.executable, "-m", "taquin", "solve", str(ENDLESS), "--goal", "blank-first"),
            *("--tables", "walking", "--cluster", running.address, "--time", "inf"),
            *("--checkpoint", str(file)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    begun = sum(worker.cpu_seconds() for worker in running.workers)
    until(
        lambda: sum(worker.cpu_seconds() for worker in running.workers) > begun + 1,
        "the workers to be busy",
    )
    until(lambda: json.loads(file.read_text())["bound"] > 0, "the file to tell of it")
    client.send_signal(number)
    printed, _ = client.communicate(timeout=60)
    until_idle(running)
    if number == signal.SIGINT:
        assert client.returncode == 130
        assert "at most" in printed
    assert json.loads(file.read_text())["bound"] > 0


# --- many calls, and what happens meanwhile -----------------------------------------------------


def test_workers_come_and_go(running: DaskCluster):
    """One is killed in mid-run, one joins late, and then the other of the first ones is killed."""
    with connect(running.address) as executor:
        futures = in_turn(executor, 60, 0.1)
        until(lambda: any(future.done() for future in futures), "the first answer")
        running.kill_worker()
        until(lambda: executor.cores == 1, "the news of it")
        running.start_worker()
        until(lambda: executor.cores == 2, "the late worker")
        running.kill_worker()
        assert [future.result(60) for future in futures] == list(range(60))
        until(lambda: executor.cores == 1, "the news of that")
        running.start_worker()
        until(lambda: executor.cores == 2, "another late worker")


def test_a_scheduler_that_restarts_gets_all_that_is_not_answered(running: DaskCluster):
    said: list[str] = []
    with connect(running.address, say=said.append) as executor:
        futures = in_turn(executor, 20, 0.05)
        until(lambda: any(future.done() for future in futures), "the first answer")
        running.restart_scheduler(signal.SIGTERM)
        futures += in_turn(executor, 5, 0.05)
        assert [future.result(60) for future in futures] == [*range(20), *range(5)]
        assert f"the scheduler at {running.address} is gone; waiting for it" in said[0]


def test_what_is_cancelled_is_not_done(running: DaskCluster):
    with connect(running.address) as executor:
        futures = in_turn(executor, 60, 0.1)
        wait(futures[:1])
        assert all(future.cancel() for future in futures[50:])
        assert [future.result(60) for future in futures[:50]] == list(range(50))
        until(lambda: not executor._tasks, "all to be forgotten")
        assert executor.submit(slowly, 3, 0).result(60) == 3
    with pytest.raises(RuntimeError, match="closed"):
        executor.submit(slowly, 3, 0)


def test_a_function_of_the_program_itself_travels_too(running: DaskCluster):
    with connect(running.address) as executor:
        assert executor.submit(lambda number: number + 1, 3).result(60) == 4


def test_errors_come_back_as_they_are(running: DaskCluster):
    with connect(running.address) as executor:
        with pytest.raises(OptionError, match="quality must be"):
            executor.submit(solve, PROOF, quality=0.5).result(60)
        with pytest.raises(ZeroDivisionError):
            executor.submit(divmod, 1, 0).result(60)


# --- many boards --------------------------------------------------------------------------------


def test_many_boards_are_answered_once_each(running: DaskCluster):
    """While a worker is killed, another one joins, and the scheduler restarts."""
    some = [Board.random(4, 4, seed=seed, walk=60) for seed in range(200)]
    lengths = [result.length for result in solve_many(some)]
    with connect(running.address) as executor:
        results = solve_many(some, executor=executor)
        found = [next(results) for _ in range(5)]
        running.kill_worker()
        running.start_worker()
        found += [next(results) for _ in range(50)]
        running.restart_scheduler(signal.SIGKILL)
        found += results
    assert [result.board for result in found] == some
    assert [result.length for result in found] == lengths


def test_the_commands_take_a_cluster(running: DaskCluster, tmp_path: Path):
    printed = taquin(
        "solve", str(PROOF), "--tables", "none", "--cluster", running.address, "--json"
    )
    result = Result.from_dict(json.loads(printed))
    assert (result.length, result.proof) == (OPTIMUM, "optimal")
    some = [str(Board.random(4, 4, seed=seed, walk=60)) for seed in range(50)]
    file, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    file.write_text("".join(f"{board}\n" for board in some))
    taquin("batch", str(file), "-o", str(out), "--cluster", running.address, "--quiet")
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert [answer["board"] for answer in answers] == some


# --- versions and tables ------------------------------------------------------------------------

GOAL = goals.resolve(None, (3, 4))


def test_a_worker_without_tables_builds_them(apart: DaskCluster, tmp_path: Path):
    apart.start_worker(TAQUIN_HOME=str(tmp_path))
    apart.wait_for_workers(1)
    board = Board.random(3, 4, seed=8)
    with connect(apart.address) as executor:
        result = executor.submit(solve, board, tables="default").result(60)
    apart.kill_worker()
    assert result.length == solve(board, tables="default").length
    built = {path.name for path in (tmp_path / "tables").iterdir()}
    assert built == {f"{recipe.name}.table" for recipe in tables.recipes(GOAL, "default")}


def test_other_tables_are_refused(apart: DaskCluster, tmp_path: Path):
    """The table is sound by itself, but it is not the same."""
    recipe = tables.recipes(GOAL, "default")[0]
    store.obtain(recipe)
    other = tmp_path / "tables" / store.path_of(recipe).name
    other.parent.mkdir()
    shutil.copy(store.path_of(recipe), other)
    header, payload = store._map(other)
    changed = bytearray(payload)
    changed[5] ^= 1
    header = replace(header, checksum=_native.checksum(bytes(changed)))
    other.write_bytes(store._pack(header) + changed)
    apart.start_worker(TAQUIN_HOME=str(tmp_path))
    apart.wait_for_workers(1)
    with pytest.raises(ClusterError, match=f"has another table {recipe.name}"):
        connect(apart.address).__enter__()
    apart.kill_worker()


def start_other_version(started: DaskCluster) -> None:
    preload = started.folder / "other.py"
    preload.write_text(
        "import taquin, taquin.fingerprint\n"
        "taquin.__version__ = taquin.fingerprint.__version__ = '0.0.7'\n"
    )
    started.start_worker("--preload", str(preload))


def test_another_version_is_refused(apart: DaskCluster):
    start_other_version(apart)
    apart.wait_for_workers(1)
    with pytest.raises(ClusterError, match=r"the worker tcp://.* has taquin 0\.0\.7, not "):
        connect(apart.address).__enter__()
    apart.kill_worker()


def test_another_version_that_joins_late_gets_nothing_to_do(
    running: DaskCluster, monkeypatch: pytest.MonkeyPatch
):
    # New workers may take their time to join.
    monkeypatch.setattr(cluster, "_MISFITS_ONLY", 120)
    said: list[str] = []
    with connect(running.address, say=said.append) as executor:
        futures = in_turn(executor, 10, 0.1)
        start_other_version(running)
        running.wait_for_workers(3)
        futures += in_turn(executor, 10, 0.1)
        assert [future.result(60) for future in futures] == [*range(10), *range(10)]
        words = until(lambda: said, "a word about it")
        assert "has taquin 0.0.7, not" in words[0]
        assert words[0].endswith("it is left out")
        assert executor.cores == 2
        # What only the others may do is done by new ones when they are gone.
        running.kill_worker()
        running.kill_worker()
        late = executor.submit(slowly, 1, 0)
        running.start_worker()
        running.start_worker()
        assert late.result(60) == 1
    running.kill_worker()


def test_a_call_that_kills_its_workers_is_named(apart: DaskCluster):
    apart.start_worker()
    apart.wait_for_workers(1)
    with connect(apart.address) as executor:
        deadly = executor.submit(die, "1 2 3/4 5 6/7 0 8")
        with pytest.raises(ClusterError, match="has died: 1 2 3/4 5 6/7 0 8"):
            deadly.result(60)
    apart.kill_worker()


def test_a_scheduler_that_stays_away_is_an_error(apart: DaskCluster):
    with connect(apart.address, patience=1) as executor:
        future = executor.submit(slowly, 1, 0)
        apart.scheduler.kill()
        with pytest.raises(ClusterError, match="no Dask scheduler answers at tcp"):
            future.result(60)
        with pytest.raises(ClusterError, match="no Dask scheduler"):
            executor.submit(slowly, 1, 0)
    apart.start_scheduler()


@pytest.mark.parametrize("address", ["local:0", "local:x", "somewhere", "tcp://host"])
def test_what_is_no_cluster_is_refused(address: str):
    with pytest.raises(OptionError, match="is no cluster; write for example"):
        connect(address).__enter__()


def test_no_scheduler_is_an_error(monkeypatch):
    monkeypatch.setattr(cluster, "_FIRST_PATIENCE", 0.5)
    with pytest.raises(ClusterError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        connect("tcp://127.0.0.1:9").__enter__()
