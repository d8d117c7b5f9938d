"""What a cluster costs: calls, results and tables, measured, and a model to a hundred machines.

A scheduler and workers are started on this machine, each a process of its own, so that the
processor time of each can be told apart. It prints the tables of docs/scaling.md.
"""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taquin import (
    Board,
    Limit,
    _native,
    cluster,
    coordinator,
    engine,
    goals,
    knowledge,
    solve,
    store,
    tables,
)
from taquin.batch import solve_many
from taquin.cluster import ClusterExecutor
from taquin.subtrees import Portion, Search

CALLS = 2000
BOARDS = 1000
BOARD = Board.random(5, 5, seed=3)
GOAL = goals.resolve(None, BOARD.shape)
SHARED = Limit(expanded=500_000_000)
"""How much of its search is done alone, by one and by two workers."""
ANSWERED = [Board.random(4, 4, seed=seed) for seed in range(200, 260)]
"""Boards as they come, of which those that are worth sharing are solved by one and by two."""

LONG = 4 * engine.SHORT
"""Expansions from which they are."""

CORES_OF_A_MACHINE = 32
NETWORK = 1.25e9 / 2
"""Bytes a second that a scheduler's 10 Gbit/s carry, half of them each way."""
SHARED_FOLDER = 1.0e9
"""Bytes a second of a file server that all machines read from."""
MACHINES = (1, 2, 5, 10, 20, 50, 100)


# --- measuring ----------------------------------------------------------------------------------


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Processes:
    """The processes of a cluster on this machine."""

    executor: ClusterExecutor
    scheduler: int
    workers: list[int]

    def cpu(self) -> tuple[float, float, float]:
        """Of the client, the scheduler and all workers, so far."""
        workers = sum(map(cpu_seconds, self.workers))
        return time.process_time(), cpu_seconds(self.scheduler), workers


@contextmanager
def started(workers: int) -> Iterator[Processes]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    serve = "distributed.cli.dask_scheduler --host 127.0.0.1 --dashboard-address 127.0.0.1:0"
    work = "distributed.cli.dask_worker --nthreads 1 --no-nanny --no-dashboard --memory-limit 0"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with tempfile.TemporaryDirectory() as folder:
        commands = [[*serve.split(), "--port", str(port)]]
        commands += [[*work.split(), "--local-directory", folder, address]] * workers
        processes = [
            subprocess.Popen([sys.executable, "-m", *command], **quiet) for command in commands
        ]
        try:
            with cluster.connect(address) as executor:
                while executor.cores < workers:
                    time.sleep(0.1)
                pids = [process.pid for process in processes]
                yield Processes(executor, pids[0], pids[1:])
        finally:
            for process in processes:
                process.kill()
                process.wait()


@dataclass(frozen=True)
class Cost:
    """Processor seconds of one call, and the time that it takes when nothing else is going on."""

    client: float
    scheduler: float
    worker: float
    alone: float


def cost_of_a_call(workers: int) -> Cost:
    with started(workers) as all_of_them:
        executor = all_of_them.executor
        executor.submit(max, 1, 2).result()
        began = time.perf_counter()
        for _ in range(50):
            executor.submit(max, 1, 2).result()
        alone = (time.perf_counter() - began) / 50
        before = all_of_them.cpu()
        waiting = [executor.submit(max, number, 4) for number in range(CALLS)]
        for future in waiting:
            future.result()
        after = all_of_them.cpu()
    client, scheduler, worker = ((b - a) / CALLS for a, b in zip(before, after, strict=True))
    return Cost(client, scheduler, worker, alone)


def print_sharing() -> None:
    """One board by one machine, and by one and two workers: what that takes of each process."""
    print("| who | expanded | s | client s | scheduler s | workers s |\n|---|---|---|---|---|---|")

    def run(who: str, cpu: Callable[[], tuple[float, float, float]], **how: Any) -> None:
        before = cpu()
        result = solve(BOARD, tables="default", limit=SHARED, **how)
        spent = " | ".join(f"{b - a:.1f}" for a, b in zip(before, cpu(), strict=True))
        print(f"| {who} | {result.stats.expanded:,} | {result.stats.seconds:.1f} | {spent} |")

    run("alone", lambda: (time.process_time(), 0.0, 0.0))
    for workers in (1, 2):
        with started(workers) as all_of_them:
            run(f"workers: {workers}", all_of_them.cpu, executor=all_of_them.executor)


def print_answers() -> None:
    """What is in vain when one of two workers finds an answer: expansions against those of one."""
    alone = [solve(board, tables="walking").stats.expanded for board in ANSWERED]
    boards = [board for board, expanded in zip(ANSWERED, alone, strict=True) if expanded > LONG]
    by_workers = []
    for workers in (1, 2):
        with started(workers) as all_of_them:
            options = {"tables": "walking", "executor": all_of_them.executor}
            by_workers.append([solve(board, **options).stats.expanded for board in boards])
    one, two = by_workers
    ratios = sorted(b / a for a, b in zip(one, two, strict=True))
    print(f"\n{len(boards)} boards, {sum(one):,} expansions by one worker, {sum(two):,} by two")
    print(f"two against one: {', '.join(f'{ratio:.3f}' for ratio in ratios)}")
    least = sum(expanded for expanded in alone if expanded > LONG)
    print(f"and {least:,} by a machine alone")


class Never:
    def is_set(self) -> bool:
        return False


@dataclass(frozen=True)
class Part:
    """A part of a long search: how quick it is, and how large what is sent."""

    rate: float
    order: int
    answer: int


def measured_part() -> Part:
    """Of a 5×5 board with its default tables, as the coordinator hands them out."""
    checkpoint = _native.Checkpoint()
    board = (*GOAL.shape, GOAL.blank, goals.canonical(BOARD, GOAL))
    known = knowledge.obtain(GOAL, "default", tables.MORE_PRUNED_MOVES)
    found = _native.idastar(*board, **known.options, checkpoint=checkpoint, pause=1_000_000)
    sums = knowledge.checksums(GOAL, "default")
    search = Search(BOARD, GOAL, "default", tables.MORE_PRUNED_MOVES, sums, Never())
    paths = _native.subtrees(*board, **known.options)
    taken, most = paths[:: len(paths) // 200], 4_000_000
    size = _native.fringe_size(sum(checkpoint.sizes))
    arguments = (taken, checkpoint.bound, size, found.last.reach, most)
    search.search(*arguments)
    began = time.process_time()
    portion: Portion = search.search(*arguments)
    seconds = time.process_time() - began
    order = len(pickle.dumps((search.search, arguments, {})))
    return Part(portion.expanded / seconds, order, len(pickle.dumps(portion)))


@dataclass(frozen=True)
class Opening:
    """What it takes to have a set of tables in a new process."""

    bytes: int
    seconds: float


def opening(goal: Board, name: str) -> Opening:
    tables.obtain(goal, name)
    store._opened.clear()
    tables._for_search.cache_clear()
    began = time.process_time()
    knowledge.obtain(goal, name, tables.PRUNED_MOVES)
    return Opening(tables.plan(goal, name).size, time.process_time() - began)


@dataclass(frozen=True)
class Batch:
    """What a board of many takes, beside what each call takes: sent, solved, and received."""

    client: float
    worker: float
    bytes: int


def measured_batch() -> Batch:
    boards = [Board.random(4, 4, seed=seed) for seed in range(BOARDS)]
    list(solve_many(boards[:1], workers=1))
    began = time.process_time()
    results = list(solve_many(boards, workers=1))
    solved = time.process_time()
    sent = [pickle.dumps(boards) for _ in range(10)]
    answer = pickle.dumps(results)
    received = [pickle.loads(answer) for _ in range(10)]
    passed_on = time.process_time()
    assert len(sent) == len(received)
    return Batch(
        (passed_on - solved) / 10 / BOARDS, (solved - began) / BOARDS, len(answer) // BOARDS
    )


# --- the model ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """What is expected of a search on so many machines."""

    machines: int
    seconds: float
    efficiency: float
    scheduler: float
    """The share of its time for which the scheduler is busy,"""
    client: float
    network: float
    """and its network."""
    parts: int


def bounds(expansions: float) -> list[float]:
    """How a search divides into bounds: each about eight times as large as the one before."""
    last = expansions * 7 / 8
    return [last / 8**k for k in range(8) if last / 8**k > 1e6][::-1]


def predicted(machines: int, expansions: float, part: Part, call: Cost) -> Row:
    cores = machines * CORES_OF_A_MACHINE
    seconds = busy = calls = done = 0.0
    for size in bounds(expansions):
        parts, left = 0, size
        while left > 0:
            wanted = coordinator.seconds_wanted(left / part.rate, done / part.rate, cores)
            left -= wanted * part.rate
            done += wanted * part.rate
            parts += 1
        # All cores work until the last parts; the longest of these is waited for.
        working = size / part.rate / cores
        tail = 1.5 * wanted + call.alone
        seconds += max(working + tail, parts * call.scheduler, parts * call.client)
        busy += size / part.rate / cores
        calls += parts
    return Row(
        machines,
        seconds,
        busy / seconds,
        calls * call.scheduler / seconds,
        calls * call.client / seconds,
        calls * (part.order + part.answer) / seconds / NETWORK,
        int(calls),
    )


def lasting(seconds: float) -> str:
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def main() -> None:
    print_sharing()
    print_answers()
    one, two = cost_of_a_call(1), cost_of_a_call(2)
    print("\n| a call | with one worker | with two |\n|---|---|---|")
    for name in ("client", "scheduler", "worker", "alone"):
        print(
            f"| {name} | {1000 * getattr(one, name):.2f} ms | {1000 * getattr(two, name):.2f} ms |"
        )
    part = measured_part()
    print(f"\npart: {part.rate:,.0f} expansions/s, {part.order:,} bytes out, {part.answer:,} back")
    for goal, name in ((goals.blank_last(4, 4), "default"), (GOAL, "default")):
        opened = opening(goal, name)
        print(f"{goal.rows}×{goal.cols} {name}: {opened.bytes:,} bytes in {opened.seconds:.2f} s")
    batch = measured_batch()
    print(
        f"a 4×4 board: client {1e6 * batch.client:.0f} µs, worker {1e6 * batch.worker:.0f} µs, "
        f"{batch.bytes:,} bytes"
    )
    for expansions in (1e11, 1e13):
        print(f"\n{expansions:.0e} expansions")
        print("| machines | cores | time | efficiency | scheduler | client | network | parts |")
        print("|---|---|---|---|---|---|---|---|")
        for machines in MACHINES:
            row = predicted(machines, expansions, part, two)
            print(
                f"| {machines} | {machines * CORES_OF_A_MACHINE:,} | {lasting(row.seconds)} "
                f"| {row.efficiency:.0%} | {row.scheduler:.0%} | {row.client:.0%} "
                f"| {row.network:.1%} | {row.parts:,} |"
            )
    print("\n| machines | 4×4 boards/s | scheduler | client | network |\n|---|---|---|---|---|")
    for machines in MACHINES:
        cores = machines * CORES_OF_A_MACHINE
        calls = min(2 * cores, cluster.CALLS_PER_SECOND)
        rate = cores / batch.worker
        client = calls * two.client + rate * batch.client
        print(
            f"| {machines} | {rate / max(client, 1):,.0f} | {calls * two.scheduler:.0%} "
            f"| {min(client, 1):.0%} | {rate / max(client, 1) * batch.bytes / NETWORK:.1%} |"
        )
    reading = opening(GOAL, "default").bytes * max(MACHINES) / SHARED_FOLDER
    print(f"\n{max(MACHINES)} machines read the 5×5 tables from a shared folder in {reading:.0f} s")


if __name__ == "__main__":
    main()
