"""The Python searches against PyPI's slidingpuzzle 0.1.5, which `make bench` installs apart."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

from taquin import Board, Result, solve

BOARD = Board("8 6 7 / 2 5 4 / 3 0 1")
TIMES = 5
OTHER = Path(__file__).parent.parent / "build" / "bench" / "bin" / "python"
OTHER_SCRIPT = """
import json, sys, time
from slidingpuzzle import from_rows, manhattan_distance, search
board = from_rows(*json.loads(sys.argv[1]))
start = time.perf_counter()
result = search(board, "a*", heuristic=manhattan_distance)
print(json.dumps([time.perf_counter() - start, result.expanded, len(result.solution)]))
"""


def other_astar() -> tuple[float, int]:
    """Seconds and expansions of slidingpuzzle's A*."""
    command = [str(OTHER), "-c", OTHER_SCRIPT, json.dumps(BOARD.grid())]
    seconds, expanded, length = json.loads(subprocess.check_output(command))
    assert length == 31
    return seconds, expanded


def our(algorithm: str) -> tuple[float, Result]:
    start = time.perf_counter()
    result = solve(BOARD, algorithm=algorithm, heuristic="manhattan")
    assert (result.length, result.proof) == (31, "optimal")
    return time.perf_counter() - start, result


def main() -> None:
    # Turn and turn about, so that a busy moment of the machine hits both.
    pairs = [(other_astar(), our("astar")) for _ in range(TIMES)]
    theirs, their_expanded = min(pair[0] for pair in pairs)
    ours, result = min((pair[1] for pair in pairs), key=lambda run: run[0])
    print(f"slidingpuzzle 0.1.5, A* manhattan    {theirs:7.3f} s  {their_expanded:,} expanded")
    print(f"taquin, A* manhattan                 {ours:7.3f} s  {result.stats.expanded:,} expanded")
    print(f"ratio                                {theirs / ours:7.1f} (at least 5)")
    seconds, result = our("bfs")
    print(
        f"taquin, bfs over all boards          {seconds:7.3f} s  {result.stats.expanded:,} expanded"
    )


if __name__ == "__main__":
    main()
