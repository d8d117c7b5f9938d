import csv
import io
import json
import sys
import threading

import pytest

from taquin import Board, Limit, compare, goals
from taquin.errors import MissingExtraError, UnknownNameError

BOARDS = [Board.random(3, 3, seed=seed, walk=16) for seed in range(3)]


@pytest.fixture(scope="module")
def table():
    return compare(BOARDS)


def test_every_algorithm_with_every_heuristic_on_every_board(table):
    rows = table.rows()
    assert [row.name for row in rows][:4] == [
        "bfs",
        "bidirectional",
        "greedy manhattan",
        "greedy linear-conflict",
    ]
    assert all(row.boards == row.solved == 3 for row in rows)
    assert len(table.results) == 3 * len(rows) == 3 * (2 + 7 * 2)


def test_figures(table):
    rows = {row.name: row for row in table.rows()}
    optima = table.optima()
    assert rows["bfs"].optimal == rows["astar manhattan"].optimal == 3
    assert rows["bfs"].length == sum(optima.values()) / 3
    assert rows["greedy manhattan"].length >= rows["bfs"].length
    assert rows["astar linear-conflict"].expanded <= rows["astar manhattan"].expanded
    assert rows["astar manhattan"].expanded < rows["bfs"].expanded
    for row in rows.values():
        assert row.generated >= row.expanded > 0
        assert row.peak_memory > 0
        assert row.seconds > 0
        assert row.branching_factor >= 1


def test_as_csv_and_json(table):
    lines = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert len(lines) == len(table.results)
    for line, result in zip(lines, table.results, strict=True):
        assert Board(line["board"]) == result.board
        assert int(line["length"]) == result.length >= int(line["optimum"])
        assert int(line["expanded"]) == result.stats.expanded
    assert len(json.loads(json.dumps(table.to_dict()))["results"]) == len(lines)


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_pictures(table, tmp_path, suffix):
    path = tmp_path / f"figures.{suffix}"
    table.plot(path)
    assert path.stat().st_size > 1000


def test_without_matplotlib(table, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'taquin\[plot\]'"):
        table.plot(tmp_path / "figures.png")


def test_a_board_that_is_solved_already(tmp_path):
    table = compare([goals.blank_last(3, 3)], algorithms=["bfs", "astar"])
    assert [row.length for row in table.rows()] == [0, 0, 0]
    mixed = compare([goals.blank_last(3, 3), BOARDS[0]], algorithms=["bfs"])
    assert mixed.rows()[0].length == mixed.optima()[BOARDS[0]] / 2
    table.plot(tmp_path / "nothing.svg")


def test_boards_that_stay_unsolved(tmp_path):
    far = Board("8 6 7/2 5 4/3 0 1")
    table = compare([far], algorithms=["bfs"], limit=Limit(expanded=10))
    (row,) = table.rows()
    assert (row.solved, row.length, row.known, row.branching_factor) == (0, None, 0, None)
    assert row.expanded == 10
    assert (
        table.to_csv().splitlines()[1].startswith("8 6 7/2 5 4/3 0 1,1 2 3/4 5 6/7 8 0,bfs,,limit,")
    )
    (row,) = compare([far.exchange(1, 2), far], algorithms=["bfs"]).rows()
    assert (row.algorithm, row.solved, row.boards) == ("bfs", 1, 2)


def test_watching_and_stopping():
    seen = []
    cancel = threading.Event()

    def on_result(result):
        seen.append(result)
        if len(seen) == 2:
            cancel.set()

    table = compare(BOARDS, on_result=on_result, cancel=cancel)
    assert tuple(seen) == table.results
    assert [result.status for result in seen] == ["solved", "solved", "cancelled"]


def test_another_goal_and_a_single_board():
    table = compare(
        BOARDS[0].exchange(1, 2), "snail", algorithms=["astar"], heuristics=["gaschnig"]
    )
    assert [(r.goal, r.heuristic) for r in table.results] == [(goals.snail(3, 3), "gaschnig")]


def test_unknown_names():
    with pytest.raises(UnknownNameError, match="did you mean 'manhattan'"):
        compare(BOARDS, heuristics=["manhatan"])
    with pytest.raises(UnknownNameError, match="did you mean 'astar'"):
        compare(BOARDS, algorithms=["astr"])
