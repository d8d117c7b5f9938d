"""A search that was stopped goes on from its file, and nothing that is done is done again."""

import json
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from taquin import Board, Limit, _native, solve
from taquin.checkpoint import _checksum, _numbers, _text
from taquin.errors import CheckpointError, OptionError

BOARD = Board("15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 0")
GOAL = "blank-first"
OPTIMUM = 80


def signed(text: str, **changes: object) -> str:
    """As someone would write it who knows of the checksum."""
    state = json.loads(text) | changes
    del state["checksum"]
    return json.dumps({**state, "checksum": _checksum(state)})


def medium() -> tuple[Board, int]:
    """A board whose search takes four million expansions without pattern tables."""
    board = Board.random(4, 4, seed=312)
    result = solve(board)
    assert result.proof == "optimal"
    return board, result.length


def test_a_search_in_many_runs_ends_with_the_optimum(tmp_path):
    board, optimum = medium()
    file = tmp_path / "search.json"
    bounds, lengths, total = [0], [10**9], 0
    for _ in range(200):
        result = solve(board, checkpoint=file, limit=Limit(expanded=300_000), tables="walking")
        total += result.stats.expanded
        assert result.lower_bound >= bounds[-1]
        assert result.length <= lengths[-1]
        bounds.append(result.lower_bound)
        lengths.append(result.length)
        if result.status == "solved":
            break
        assert file.exists()
    assert (result.length, result.proof) == (optimum, "optimal")
    assert not file.exists()
    alone = solve(board, checkpoint=file, tables="walking")
    # Only what was in hand when a run ended is searched again.
    assert total < 1.5 * alone.stats.expanded + 20_000 * len(bounds)


def test_the_file_tells_what_it_is_for(tmp_path):
    board, _ = medium()
    file = tmp_path / "search.json"
    solve(board, checkpoint=file, limit=Limit(expanded=50_000), tables="walking")
    state = json.loads(file.read_text())
    assert state["board"] == str(board)
    assert state["expanded"] > 0
    assert Board(state["board"]).slide(state["moves"]) == Board(state["goal"])


def test_a_file_of_another_board_is_refused(tmp_path):
    file = tmp_path / "search.json"
    solve(medium()[0], checkpoint=file, limit=Limit(expanded=1000), tables="none")
    with pytest.raises(CheckpointError, match=r"search.json is for the board"):
        solve(Board.random(4, 4, seed=6), checkpoint=file)
    with pytest.raises(CheckpointError, match=r"search.json is for the goal"):
        solve(medium()[0], "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", checkpoint=file)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: len(text) // 2], "is not a checkpoint"),
        (lambda text: "", "is not a checkpoint"),
        (lambda text: "[]", "of this version"),
        (lambda text: text.replace("checkpoint ", "checkpoint 9"), "of this version"),
        (lambda text: "[" * 100_000, "is not a checkpoint"),
        (lambda text: text.replace('"done": "', '"done": "!'), "is damaged"),
        (lambda text: text.replace('"bound": ', '"bound": 9'), "is damaged"),
        (lambda text: signed(text, order=_numbers([7])), "no root 7"),
        (lambda text: signed(text, bound=40, fringe=[[3, 2, ""]]), "not 78 moves"),
        (lambda text: signed(text, fringe=None), "is damaged"),
        (lambda text: signed(text, fringe=[[-1, 1, "VVVV"]]), "is damaged"),
        (lambda text: text.replace('"expanded": ', '"expanded": Infinity, "no": '), "is damaged"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, change, message):
    board, _ = medium()
    file = tmp_path / "search.json"
    solve(board, checkpoint=file, limit=Limit(expanded=1000), tables="none")
    file.write_text(change(file.read_text()))
    with pytest.raises(CheckpointError, match=message):
        solve(board, checkpoint=file)


def test_what_is_no_way_of_this_search_is_refused(tmp_path):
    file = tmp_path / "search.json"
    far = Board("15 11 13 12/14 10 8 9/7 2 5 1/3 6 4 0")
    options = {"goal": GOAL, "checkpoint": file, "tables": "default"}
    solve(far, limit=Limit(expanded=1_000_000), **options)
    text = file.read_text()
    length = json.loads(text)["bound"] + 1
    off_the_board = _text(_native.pack_ways(b"\1" * length))
    file.write_text(signed(text, fringe=[[1, 1, off_the_board]]))
    with pytest.raises(CheckpointError, match="none of this search"):
        solve(far, **options)


def test_another_way_to_divide_the_search_is_refused(tmp_path):
    board, _ = medium()
    file = tmp_path / "search.json"
    solve(board, checkpoint=file, limit=Limit(expanded=50_000), tables="walking")
    with pytest.raises(CheckpointError, match="roots"):
        solve(board, checkpoint=file, tables="default")


@pytest.mark.parametrize("options", [{"quality": 1.5}, {"metric": "multi"}, {"quality": "fast"}])
def test_only_an_optimal_search_has_checkpoints(tmp_path, options):
    with pytest.raises(OptionError, match="checkpoint"):
        solve(medium()[0], checkpoint=tmp_path / "file", **options)


def test_a_killed_process_goes_on(tmp_path):
    """The command is killed in mid-search; its file has kept what was done."""
    file = tmp_path / "search.json"
    command = [
        *(sys.executable, "-m", "taquin", "solve", str(BOARD), "--goal", GOAL),
        *("--tables", "walking", "--checkpoint", str(file), "--time", "inf"),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        time.sleep(0.2)
        if file.exists() and json.loads(file.read_text())["expanded"] > 0:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = json.loads(file.read_text())
    result = solve(BOARD, GOAL, checkpoint=file, tables="walking", limit=Limit(expanded=100_000))
    after = json.loads(file.read_text())
    assert after["bound"] >= before["bound"]
    assert after["expanded"] > before["expanded"] > 0
    assert result.lower_bound <= OPTIMUM <= result.length


@pytest.mark.parametrize(
    ("board", "status"),
    [
        ("8 6 7 / 2 5 4 / 3 0 1", "solved"),
        ("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15", "solved"),
        ("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0", "solved"),
        ("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", "unsolvable"),
    ],
)
def test_nothing_is_left_where_no_search_is_needed(tmp_path, board, status):
    file = tmp_path / "search.json"
    assert solve(board, checkpoint=file).status == status
    assert not file.exists()


@pytest.mark.parametrize("shared", [False, True])
def test_a_file_that_can_not_be_written_any_more_ends_no_search(tmp_path, monkeypatch, shared):
    monkeypatch.setattr("taquin.checkpoint._SECONDS_BETWEEN", 0)
    monkeypatch.setattr("taquin.engine.SHORT", 1000)
    folder = tmp_path / "folder"
    folder.mkdir()

    def lose_the_folder(_):
        shutil.rmtree(folder, ignore_errors=True)

    with ThreadPoolExecutor(1) as pool:
        result = solve(
            BOARD,
            GOAL,
            checkpoint=folder / "search.json",
            tables="walking",
            limit=Limit(seconds=1),
            on_progress=lose_the_folder,
            executor=pool if shared else None,
        )
    assert (result.status, result.solution.verify()) == ("limit", True)
    assert "search.json could not be written: No such file" in result.warning
    assert result.lower_bound <= OPTIMUM <= result.length
