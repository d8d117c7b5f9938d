"""Many boards: `taquin batch` from file to file, and `solve_many` against the engine's own time.

    make bench ARGS=batch

The real command runs on a million 3×3 boards. Then 10,000 random 4×4 boards with default tables are
solved one by one on one core, by as many processes as there are cores, each of which solves its
share in a plain loop, and by `solve_many`. Where others use the machine, too, the second is what
to compare with by the clock: it gets no more of the machine.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from taquin import Board, solve, solve_many
from taquin.tables import cores

MILLION = int(os.environ.get("TAQUIN_BENCH_SMALL", 1_000_000))
FIFTEENS = int(os.environ.get("TAQUIN_BENCH_FIFTEENS", 10_000))
TAQUIN = str(Path(sys.executable).with_name("taquin"))


def processor_seconds() -> float:
    """Of this process and of its children that have ended."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    clock, processor = time.perf_counter(), processor_seconds()
    work()
    return time.perf_counter() - clock, processor_seconds() - processor


def random_lines(path: Path, count: int, rows: int, cols: int) -> None:
    generator = Random(1)
    with path.open("w") as file:
        for _ in range(count):
            print(Board.random(rows, cols, seed=generator), file=file)


def small_boards(folder: Path) -> None:
    boards, results = folder / "boards.txt", folder / "results.jsonl"
    random_lines(boards, MILLION, 3, 3)
    command = [TAQUIN, "batch", str(boards), "-o", str(results), "--quiet"]
    clock, processor = timed(lambda: subprocess.run(command, check=True))
    with results.open() as file:
        rows = sum(json.loads(line)["proof"] == "optimal" for line in file)
    assert rows == MILLION
    print(
        f"{MILLION:,} 3×3 boards, file to file: {clock:.1f} s by the clock, {processor:.1f} s of "
        f"processor time ({1e6 * processor / MILLION:.1f} µs a board); at most 20 s on two cores"
    )


def random_fifteens() -> list[Board]:
    generator = Random(2)
    return [Board.random(4, 4, seed=generator) for _ in range(FIFTEENS)]


def share(number: int) -> None:
    """Solve every so-manieth board in a plain loop, when told to."""
    boards = random_fifteens()[number :: cores()]
    solve(boards[0], tables="default")
    print("ready", flush=True)
    sys.stdin.readline()
    for board in boards:
        solve(board, tables="default")


def plain_loops() -> tuple[float, float]:
    """As many plain loops as cores: seconds by the clock and of the processor."""
    loops = [
        subprocess.Popen(
            [sys.executable, __file__, "share", str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for number in range(cores())
    ]
    for loop in loops:
        assert loop.stdout is not None
        loop.stdout.readline()
    return timed(lambda: _run(loops))


def _run(loops: list[subprocess.Popen[bytes]]) -> None:
    for loop in loops:
        assert loop.stdin is not None
        loop.stdin.write(b"\n")
        loop.stdin.close()
    for loop in loops:
        loop.wait()


def fifteens() -> None:
    boards = random_fifteens()
    solve(boards[0], tables="default")
    lengths: list[list[int | None]] = [[], []]
    one = timed(lambda: lengths[0].extend(solve(b, tables="default").length for b in boards))
    loops = plain_loops()
    many = timed(lambda: lengths[1].extend(r.length for r in solve_many(boards, tables="default")))
    assert lengths[0] == lengths[1]
    print(f"{FIFTEENS:,} 4×4 boards, default tables, {cores()} cores")
    print(f"  one by one     {one[0]:7.1f} s by the clock, {one[1]:7.1f} s of processor time")
    print(f"  plain loops    {loops[0]:7.1f} s by the clock, {loops[1]:7.1f} s of processor time")
    print(f"  solve_many     {many[0]:7.1f} s by the clock, {many[1]:7.1f} s of processor time")
    print(
        f"  against the engine's own time / cores: {many[0] / (one[0] / cores()):.2f} (at most 1.3)"
    )
    print(f"  against as many plain loops as cores:  {many[0] / loops[0]:.2f}")
    print(f"  processor time against theirs:         {many[1] / loops[1]:.2f} (at most 1.2)")


def main() -> None:
    with TemporaryDirectory() as folder:
        small_boards(Path(folder))
    fifteens()


if __name__ == "__main__":
    if sys.argv[1:2] == ["share"]:
        share(int(sys.argv[2]))
    else:
        main()
