"""A limit on memory: what processes really take, tables and answers included."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from taquin import Board, Limit, all_solutions, goals, solve, solve_many, tables
from taquin.heartbeat import Stopped

FARTHEST = "15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 0"
"""80 moves from the goal whose blank is in the first corner."""

# Tables are mapped files, which are not counted here: they are shared, and of a known size.
MEASURE = """
import json, sys, threading, time
from taquin import Board, Limit, solve

def taken():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon"))

board, options = json.loads(sys.argv[1])
board = Board(board) if isinstance(board, str) else Board.random(*board, seed=3)
limit = Limit(**options.pop("limit", {}))
solve(Board.random(3, 3, seed=1), algorithm=options.get("algorithm"))
solve(Board.random(4, 4, seed=1), limit=Limit(expanded=1))
samples, over = [taken()], threading.Event()

def watch():
    while not over.wait(0.001):
        samples.append(taken())

watcher = threading.Thread(target=watch)
watcher.start()
result = solve(board, limit=limit, **options)
samples.append(taken())
over.set()
watcher.join()
print(json.dumps([max(samples) - samples[0], result.status, result.reason, result.length]))
"""


def measured(board: object, **options: Any) -> tuple[int, str, str, int | None]:
    """How many bytes a process has taken more for a solve, and what came of it."""
    command = [sys.executable, "-c", MEASURE, json.dumps([board, options])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    grown, status, reason, length = json.loads(done.stdout)
    return grown, status, reason, length


def test_boards_beyond_the_bound_are_kept_as_far_as_they_fit() -> None:
    goal = goals.blank_first(4, 4)
    tables.obtain(goal, "default")
    searched = {"goal": "blank-first", "tables": "default", "limit": {"expanded": 12_000_000}}
    spare = 15_000_000
    assert measured(FARTHEST, **searched)[0] > 1.5 * spare, "it would keep more"
    searched["limit"] = {
        "expanded": 12_000_000,
        "memory": tables.plan(goal, "default").size + spare,
    }
    grown, status, reason, _ = measured(FARTHEST, **searched)
    assert (status, reason) == ("limit", "the limit of 12,000,000 expanded boards")
    assert grown < spare


def test_a_fast_answer_is_as_good_as_its_memory_allows() -> None:
    grown, _, _, best = measured([8, 8], quality="fast")
    assert grown > 15_000_000, "it would take more"
    grown, status, _, length = measured([8, 8], quality="fast", limit={"memory": 10_000_000})
    assert (status, grown < 10_000_000) == ("solved", True)
    assert best is not None
    assert length is not None
    assert best <= length < 1.5 * best


def test_an_answer_that_does_not_fit_is_none() -> None:
    grown, *told = measured([60, 60], quality="fast", limit={"memory": 4_000_000})
    assert told == ["limit", "the memory limit of 4 MB", None]
    assert grown < 4_000_000
    grown, status, *_ = measured([60, 60], quality="fast", limit={"memory": 10_000_000})
    assert (status, grown < 10_000_000) == ("solved", True)


@pytest.mark.parametrize("algorithm", ["bfs", "ucs", "astar", "mm"])
def test_searches_in_python_stay_below_it(algorithm: str) -> None:
    asked = {"goal": "blank-first", "algorithm": algorithm, "limit": {"memory": 60_000_000}}
    grown, *told = measured(FARTHEST, **asked)
    assert told == ["limit", "the memory limit of 60 MB", None]
    assert 30_000_000 < grown < 60_000_000


@pytest.mark.parametrize(("shape", "name"), [((3, 4), "exact"), ((4, 5), "default")])
def test_tables_that_do_not_fit_are_not_opened(
    shape: tuple[int, int], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path))
    board = Board.random(*shape, seed=1)
    need = tables.plan(goals.blank_last(*shape), name).memory
    result = solve(board, tables=name, limit=Limit(memory=need - 1))
    assert result.status == "limit"
    assert f"MB: the {name} tables take" in result.reason
    assert result.length is not None
    assert result.lower_bound > 0
    assert not list(tmp_path.iterdir())


def test_who_looks_many_boards_up_keeps_within_it_too() -> None:
    goal = goals.blank_last(3, 4)
    tables.obtain_exact(goal)
    size = tables.plan(goal, "exact").size
    boards = [Board.random(3, 4, seed=seed) for seed in range(3)]
    for memory, algorithm in ((size, "table"), (size - 1, "native")):
        results = list(solve_many(boards, limit=Limit(memory=memory)))
        assert {result.algorithm for result in results} == {algorithm}
        assert {result.proof for result in results} == {"optimal"}
        assert solve(boards[0], limit=Limit(memory=memory)).algorithm == algorithm


def test_all_solutions_keep_within_it_too() -> None:
    board = Board.random(4, 4, seed=3, walk=30)
    need = tables.plan(goals.blank_last(4, 4), "default").memory
    with pytest.raises(Stopped, match=r"MB: the default tables take"):
        all_solutions(board, limit=Limit(memory=need - 1))
    assert all_solutions(board, limit=Limit(memory=2 * need)).count >= 1
