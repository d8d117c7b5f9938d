"""24-puzzles: against the yardstick, two threads against one, and on request the hard ones.

`python benchmarks/korf24.py 1 2 3` solves those instances on two threads and tells their times.
With `large` or `small` before them, or alone, it measures those tables.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from instances import korf24

from taquin import Board, Limit, goals, solve, tables

HERE = Path(__file__).parent
YARDSTICK = HERE.parent / "build" / "yardstick"
EASY = (38, 40, 44, 25)
FROM_A_WINDOW = Board("2 24 8 5 4/15 0 23 10 9/20 7 14 12 3/6 11 18 21 17/16 1 22 13 19")
"""The board of ORIGINS, part E, which is 80 moves from blank-first."""
GOAL = goals.blank_first(5, 5)
ROUNDS = 3
THREAD_ROUNDS = 8


def yardstick() -> subprocess.Popen[str]:
    """The yardstick, compiled and with its tables in memory."""
    YARDSTICK.parent.mkdir(exist_ok=True)
    compiler = os.environ.get("CXX", "c++")
    source = HERE / "yardstick.cpp"
    options = ["-O3", "-std=c++20", "-pthread"]
    subprocess.run([compiler, *options, "-o", YARDSTICK, source], check=True)
    process = subprocess.Popen(
        [str(YARDSTICK), str(YARDSTICK.with_suffix(".tables"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def ask(process: subprocess.Popen[str], board: Board) -> tuple[int, int, float]:
    """The length that the yardstick finds, the boards it expands and its processor time."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(" ".join(map(str, board.tiles)) + "\n")
    process.stdin.flush()
    length, expanded, seconds = process.stdout.readline().split()
    return int(length), int(expanded), float(seconds)


def timed(
    board: Board, optimum: int, *, threads: int = 1, name: str = "default"
) -> tuple[float, float, int]:
    """Processor seconds, seconds on the clock and boards expanded; the optimum is checked."""
    clock, processor = time.perf_counter(), time.process_time()
    result = solve(board, GOAL, threads=threads, tables=name)
    assert (result.length, result.proof) == (optimum, "optimal"), board
    spent = time.process_time() - processor
    return spent, time.perf_counter() - clock, result.stats.expanded


def against_the_yardstick(name: str) -> None:
    boards = {number: (board, optimum) for number, board, optimum in korf24()}
    process = yardstick()
    total = [0.0, 0.0]
    for number in EASY:
        board, optimum = boards[number]
        theirs, ours = [], []
        for _ in range(ROUNDS):
            theirs.append(ask(process, board))
            ours.append(timed(board, optimum, name=name))
        assert all(length == optimum for length, _, _ in theirs)
        their_seconds = min(seconds for _, _, seconds in theirs)
        our_seconds = min(seconds for seconds, _, _ in ours)
        total = [total[0] + their_seconds, total[1] + our_seconds]
        print(
            f"{number}: yardstick {their_seconds:.2f} s, {theirs[0][1] / 1e6:.1f} M expanded; "
            f"taquin {our_seconds:.2f} s, {ours[0][2] / 1e6:.1f} M; "
            f"{their_seconds / our_seconds:.2f} times faster"
        )
    process.terminate()
    print(f"all four: {total[0]:.2f} s against {total[1]:.2f} s, {total[0] / total[1]:.2f} times")


def against_one_thread() -> None:
    """Two threads, in turns with one, and what two searches at once show to be possible."""
    boards = {number: (board, optimum) for number, board, optimum in korf24()}
    for number in (44, 25, 1):
        one, two, both = [], [], []
        for _ in range(THREAD_ROUNDS):
            one.append(timed(*boards[number])[1])
            two.append(timed(*boards[number], threads=2)[1])
            both.append(at_once(*boards[number]))
        # The clock of a shared machine has good and bad minutes, so each turn is for itself.
        by_two = [a / b for a, b in zip(one, two, strict=True)]
        at_best = [2 * a / b for a, b in zip(one, both, strict=True)]
        print(
            f"{number}: one thread {median(one):.2f} s, two {median(two):.2f} s, "
            f"{median(by_two):.2f} times ({min(by_two):.2f} to {max(by_two):.2f}); two searches at "
            f"once {median(both):.2f} s, {median(at_best):.2f} times "
            f"({min(at_best):.2f} to {max(at_best):.2f})"
        )


def at_once(board: Board, optimum: int) -> float:
    """Seconds on the clock for two searches side by side, each on one thread."""
    clock = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: timed(board, optimum), range(2)))
    return time.perf_counter() - clock


def hard(numbers: set[int], name: str) -> None:
    tables.obtain(GOAL, name)
    for number, board, optimum in korf24():
        if number in numbers:
            result = solve(board, GOAL, threads=2, tables=name, limit=Limit(seconds=3600))
            right = (result.length, result.proof) == (optimum, "optimal")
            print(
                f"{number}: {result.length} moves, {result.proof}, {result.stats.seconds:.1f} s "
                f"on two threads, {result.stats.expanded / 1e6:,.0f} M expanded, "
                f"{'right' if right else f'but the optimum is {optimum}'}",
                flush=True,
            )


def main(name: str = "default") -> None:
    tables.obtain(GOAL, name)
    solve(FROM_A_WINDOW, GOAL, quality="fast")  # what a process does once is not measured
    against_the_yardstick(name)
    seconds = min(timed(FROM_A_WINDOW, 80, name=name)[1] for _ in range(ROUNDS))
    print(f"the 80-move board: {seconds:.2f} s")
    if name == "default":
        against_one_thread()


if __name__ == "__main__":
    words = sys.argv[1:]
    name = words.pop(0) if words[:1] in (["large"], ["small"]) else "default"
    hard(set(map(int, words)), name) if words else main(name)
