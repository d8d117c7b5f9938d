"""taquin batch, the real command: what it writes, and that nothing is lost and nothing is twice."""

from __future__ import annotations

import csv
import json
import os
import pty
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from test_batch import children, gone

from taquin import Board, Result, solve
from taquin.batch import solve_many
from taquin.batch_file import BatchFile
from taquin.errors import BatchError
from taquin.result_table import to_table, write_parquet

TAQUIN = [sys.executable, "-m", "taquin", "batch"]
HARD = str(Board.random(5, 5, seed=1))

SLOW = ["--algorithm", "astar", "--workers", "2"]
"""Options that make a 3×3 board take a few milliseconds, however many cores there are."""


def start(*arguments: object, cwd: Path, **options: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*TAQUIN, *map(str, arguments)],
        cwd=cwd,
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        | options,
    )


def run(*arguments: object, cwd: Path, code: int = 0, **options: Any) -> tuple[str, str]:
    """What the command prints to its two outputs."""
    process = start(*arguments, cwd=cwd, **options)
    out, err = process.communicate(timeout=300)
    assert process.returncode == code, err.decode()
    return (out or b"").decode(), err.decode()


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def timeless(row: dict[str, Any]) -> dict[str, Any]:
    stats = row["stats"] and {**row["stats"], "seconds": 0, "peak_memory": 0}
    return {**row, "stats": stats}


def write_boards(path: Path, count: int, rows: int = 3, cols: int = 3) -> list[Board]:
    boards = [Board.random(rows, cols, seed=seed) for seed in range(count)]
    path.write_text("".join(f"{board}\n" for board in boards))
    return boards


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# --- what it writes -----------------------------------------------------------------------------

MIXED = """\
# a few of each kind
1 2 3/4 5 6/7 0 8
867254301

1 2/0 3
1 2 3/4 5 6/8 7 0
1 2 3/4 5 5/7 8 0
[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 0, 15]]
1 2 3 4 5 0
"""


def test_a_file_of_lines(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(MIXED)
    out, err = run("in.txt", "-o", "out.jsonl", cwd=tmp_path)
    found = rows(tmp_path / "out.jsonl")
    assert [row["number"] for row in found] == [1, 2, 3, 4, 5, 6, 7]
    assert [row["line"] for row in found] == [2, 3, 5, 6, 7, 8, 9]
    assert {row["file"] for row in found} == {"in.txt"}
    assert [row["length"] for row in found] == [1, 31, 1, None, None, 1, None]
    statuses = ["solved", "solved", "solved", "unsolvable", "bad", "solved", "bad"]
    assert [row["status"] for row in found] == statuses
    assert found[4]["reason"] == "tile 5 appears twice (cells 5 and 6)"
    assert "put '/' between the rows" in found[6]["reason"]
    for row in found[:4]:
        result = {key: row[key] for key in row.keys() - {"number", "file", "line"}}
        assert Result.from_dict(result).board == Board(row["board"])
    assert err == ""
    assert out.startswith("7 boards: 4 solved, 1 unsolvable, 0 stopped by a limit, 2 bad\n")
    assert "bad: in.txt:7: tile 5 appears twice (cells 5 and 6)\n" in out
    assert left(tmp_path) == {"in.txt", "out.jsonl"}


def test_a_goal_that_a_format_suggests(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("1 | 1 2 3 4 5 6 7 8 0 | 0\n" * 3)
    _, err = run("in.txt", "-o", "out.jsonl", cwd=tmp_path)
    assert err == (
        "note: boards in the format korf usually have the goal blank-first (--goal blank-first); "
        "this is for blank-last\n"
    )
    _, err = run("in.txt", "-o", "out.jsonl", "--goal", "blank-last", cwd=tmp_path)
    assert err == ""


def test_a_shape_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("1 2 3 4 5 0\n1 2 3/4 0 5\n1 2 3/4 5 6/7 8 0\n")
    run("in.txt", "-o", "out.jsonl", "--shape", "2x3", cwd=tmp_path)
    found = rows(tmp_path / "out.jsonl")
    assert [row["length"] for row in found] == [0, 1, None]
    assert found[2]["reason"] == "this is a 3×3 board, not 2×3"


def test_a_folder_and_blocks(tmp_path: Path) -> None:
    folder = tmp_path / "boards"
    folder.mkdir()
    (folder / "a.txt").write_text("3\n1 2 3\n4 5 6\n7 0 8\n\n2\n1 2\n3 0\n")
    (folder / "b.txt").write_text("1 2 3/4 5 6/0 7 8\n")
    run("boards", "-o", "out.jsonl", cwd=tmp_path)
    places = [(row["file"], row["line"], row["length"]) for row in rows(tmp_path / "out.jsonl")]
    assert places == [("boards/a.txt", 1, 1), ("boards/a.txt", 6, 0), ("boards/b.txt", 1, 2)]


def test_a_pipe_to_a_pipe(tmp_path: Path) -> None:
    process = start("-", cwd=tmp_path, stdin=subprocess.PIPE)
    out, err = process.communicate(b"1 2 3/4 5 6/7 0 8\noops\n", timeout=60)
    found = [json.loads(line) for line in out.splitlines()]
    assert [(row["file"], row["status"]) for row in found] == [("-", "solved"), ("-", "bad")]
    assert err.startswith(b"2 boards: 1 solved")


def test_an_answer_does_not_wait_for_the_next_question(tmp_path: Path) -> None:
    process = start("-", "--quiet", cwd=tmp_path, stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    for length, board in enumerate(["1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/7 0 8", "123456078"]):
        process.stdin.write(f"{board}\n".encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["length"] == length
    assert process.communicate(timeout=60) == (b"", b"")


def test_csv_has_the_same_in_columns(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(MIXED)
    run("in.txt", "-o", "out.jsonl", cwd=tmp_path)
    run("in.txt", "-o", "out.csv", cwd=tmp_path)
    with (tmp_path / "out.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    wanted = rows(tmp_path / "out.jsonl")
    assert len(table) == len(wanted)
    for row, other in zip(table, wanted, strict=True):
        for key in other.keys() - {"stats"}:
            assert row[key] == ("" if other[key] is None else str(other[key]))
        if other["stats"]:
            assert int(row["expanded"]) == other["stats"]["expanded"]
            assert json.loads(row["iterations"] or "[]") == other["stats"]["iterations"]
    out, _ = run("in.txt", "--format", "csv", "--quiet", cwd=tmp_path)
    assert out.splitlines()[0] == ",".join(table[0])


def test_parquet_has_the_same_in_columns(tmp_path: Path) -> None:
    from pyarrow import parquet

    (tmp_path / "in.txt").write_text(MIXED)
    options = ["--algorithm", "idastar"]
    run("in.txt", "-o", "out.jsonl", *options, cwd=tmp_path)
    run("in.txt", "-o", "out.parquet", *options, cwd=tmp_path)
    table = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    wanted = rows(tmp_path / "out.jsonl")
    for row, other in zip(table, wanted, strict=True):
        stats = other.pop("stats") or dict.fromkeys(("expanded", "generated", "iterations"))
        assert {key: row[key] for key in other} == other
        for key in ("expanded", "generated", "iterations"):
            assert row[key] == stats[key]
    assert left(tmp_path) == {"in.txt", "out.jsonl", "out.parquet"}


def test_parquet_in_several_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyarrow import parquet

    monkeypatch.setattr("taquin.result_table._BLOCK", 10_000)
    monkeypatch.setattr("taquin.result_table._ROWS", 50)
    boards = write_boards(tmp_path / "in.txt", 200)
    batch = BatchFile(str(tmp_path / "in.txt"), tmp_path / "out.parquet", form="parquet")
    assert batch.run(workers=1)
    file = parquet.ParquetFile(tmp_path / "out.parquet")
    assert 2 <= file.num_row_groups <= 4
    assert file.read()["board"].to_pylist() == list(map(str, boards))


def test_parquet_that_is_cancelled_is_made_later(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 20)
    lines, stop = tmp_path / "lines", threading.Event()
    run("in.txt", "-o", lines, cwd=tmp_path)
    assert write_parquet(lines, tmp_path / "a.parquet", stop)
    stop.set()
    assert not write_parquet(lines, tmp_path / "b.parquet", stop)


def test_results_as_a_table() -> None:
    results = [solve("1 2 3/4 5 6/7 0 8", algorithm="idastar"), solve("1 2 3/4 5 6/8 7 0")]
    table = to_table(results)
    assert table["length"].to_pylist() == [1, None]
    assert table["iterations"].to_pylist()[0] == [[1.0, 1.0]]
    assert table["status"].to_pylist() == ["solved", "unsolvable"]
    assert to_table(results, moves="blank")["moves"].to_pylist() == ["R", None]
    assert to_table([]).num_rows == 0


def test_results_as_a_data_frame() -> None:
    boards = ["1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/8 7 0", "1 2 3/4 0 6/7 5 8"]
    frame = to_table(solve_many(boards)).to_pandas()
    assert frame["status"].tolist() == ["solved", "unsolvable", "solved"]
    assert frame.groupby("status")["length"].mean()["solved"] == 1.5
    assert frame["length"].isna().tolist() == [False, True, False]
    assert frame["expanded"].dtype.kind == "i"


def test_options_of_solve(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("1 2 3/4 5 6/7 0 8\n")
    options = ["--goal", "snail", "--algorithm", "wastar", "--weight", "1.5", "--moves", "blank"]
    run("in.txt", "-o", "out.jsonl", *options, cwd=tmp_path)
    wanted = solve("1 2 3/4 5 6/7 0 8", "snail", algorithm="wastar", weight=1.5)
    (row,) = rows(tmp_path / "out.jsonl")
    assert timeless(row)["moves"] == wanted.to_dict(moves="blank")["moves"]
    run("in.txt", "-o", "out2.jsonl", "--algorithm", "bfs", "--expanded", "1", cwd=tmp_path)
    assert rows(tmp_path / "out2.jsonl")[0]["status"] == "limit"


def test_the_plot(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 20)
    run("in.txt", "-o", "out.jsonl", "--plot", "lengths.svg", cwd=tmp_path)
    assert "</svg>" in (tmp_path / "lengths.svg").read_text()
    _, err = run("in.txt", "--plot", "lengths.xyz", cwd=tmp_path, code=2)
    assert "unknown kind of picture 'xyz'" in err


def test_the_bar_is_for_who_looks(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 150)
    master, slave = pty.openpty()
    process = start("in.txt", "-o", "out", *SLOW, cwd=tmp_path, stderr=slave)
    os.close(slave)
    seen = b""
    while True:
        try:
            seen += os.read(master, 4096)
        except OSError:
            break
    process.communicate(timeout=60)
    os.close(master)
    assert process.returncode == 0
    assert b"boards (" in seen
    assert b"/s)" in seen


def test_an_output_that_is_no_file(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 5)
    run("in.txt", "-o", "/dev/null", cwd=tmp_path)
    assert left(tmp_path) == {"in.txt"}


# --- misuse -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.txt", "-o", "out"], "nowhere.txt: No such file or directory"),
        (["in.txt", "--resume"], "--resume needs -o OUT"),
        (["in.txt", "--format", "parquet"], "Parquet is written to a file"),
        (["in.txt", "--quality", "0.5"], "quality must be a number from 1 on"),
        (["in.txt", "--goal", "blank-lost"], "did you mean 'blank-last'?"),
        (["in.txt", "-o", "no/folder/out"], "no/folder/out"),
        (["in.txt", "-o", "out", "--tables", "hugo"], "unknown table set"),
        (["in.txt", "-o", "out", "--algorithm", "astar", "--depth", "3"], "depth"),
    ],
)
def test_misuse(tmp_path: Path, arguments: list[str], words: str) -> None:
    (tmp_path / "in.txt").write_text("1 2/3 0\n")
    _, err = run(*arguments, cwd=tmp_path, code=2)
    assert words in err
    assert "Traceback" not in err
    assert left(tmp_path) <= {"in.txt", "out.state", "out.part"}


# --- nothing lost, nothing twice ----------------------------------------------------------------


def done(folder: Path, name: str = "out.jsonl") -> int:
    try:
        return int(json.loads((folder / f"{name}.state").read_text())["done"])
    except FileNotFoundError:
        return 0


@contextmanager
def held_up(path: Path) -> Iterator[int]:
    """Within, a file has no end, so that whoever reads it is never done; gives a pipe into it."""
    text = path.read_bytes()
    path.unlink()
    os.mkfifo(path)
    pipe = os.open(path, os.O_RDWR)
    try:
        os.write(pipe, text)
        yield pipe
    finally:
        os.close(pipe)
        path.unlink()
        path.write_bytes(text)


def wait_for(process: subprocess.Popen[bytes], more: Callable[[], bool]) -> None:
    """Wait until something has happened, or a process has ended."""
    end = time.monotonic() + 120
    while process.poll() is None and not more():
        assert time.monotonic() < end
        time.sleep(0.002)


def kill_after(process: subprocess.Popen[bytes], more: Callable[[], bool], delay: float) -> None:
    """Kill a process a moment after something has happened, if it has not ended before."""
    wait_for(process, more)
    time.sleep(delay)
    workers = children(process.pid) if process.poll() is None else []
    process.kill()
    process.communicate()
    assert gone(workers)


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_killed_at_any_moment(tmp_path: Path, form: str) -> None:
    write_boards(tmp_path / "in.txt", 300)
    (tmp_path / "in.txt").write_text((tmp_path / "in.txt").read_text() + "oops\n1 2 3\n")
    name = f"out.{form}"
    run("in.txt", "-o", f"whole.{form}", *SLOW, cwd=tmp_path)
    whole = (tmp_path / f"whole.{form}").read_bytes()
    dice = random.Random(form)
    with held_up(tmp_path / "in.txt"):
        process = start("in.txt", "-o", name, *SLOW, cwd=tmp_path)
        kill_after(process, lambda: done(tmp_path, name) > 60, dice.random() * 0.1)
    assert process.returncode == -signal.SIGKILL
    while not (tmp_path / name).exists():
        before = done(tmp_path, name)
        process = start("in.txt", "-o", name, "--resume", *SLOW, cwd=tmp_path)
        kill_after(
            process,
            lambda before=before: done(tmp_path, name) > before + 60,  # type: ignore[misc]
            dice.random() * 0.1,
        )
        assert process.returncode in (0, -signal.SIGKILL)
    _, err = run("in.txt", "-o", name, "--resume", *SLOW, cwd=tmp_path)
    assert same((tmp_path / name), whole, form)
    assert left(tmp_path) == {"in.txt", name, f"whole.{form}"}, err


def kill_in_the_middle(folder: Path) -> None:
    with held_up(folder / "in.txt"):
        process = start("in.txt", "-o", "out.jsonl", *SLOW, cwd=folder)
        kill_after(process, lambda: done(folder) > 0, 0)
    assert process.returncode == -signal.SIGKILL


def same(path: Path, whole: bytes, form: str) -> bool:
    """Whether two outputs are the same apart from times."""
    if form == "parquet":
        import io

        from pyarrow import parquet

        tables = [parquet.read_table(source) for source in (path, io.BytesIO(whole))]
        mine, other = (t.drop_columns(["seconds", "peak_memory"]).to_pylist() for t in tables)
        return mine == other
    if form == "csv":
        mine, other = (list(csv.DictReader(text.decode().splitlines()))
                       for text in (path.read_bytes(), whole))  # fmt: skip
        for row in mine + other:
            row["seconds"] = ""
            row["peak_memory"] = ""
        return mine == other
    mine, other = (
        [timeless(json.loads(line)) for line in text.splitlines()]
        for text in (path.read_bytes(), whole)
    )
    return mine == other


def test_a_half_written_line_is_made_again(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 150)
    run("in.txt", "-o", "whole.jsonl", *SLOW, cwd=tmp_path)
    kill_in_the_middle(tmp_path)
    with (tmp_path / "out.jsonl.part").open("ab") as part:
        part.write(b'{"number": 7, "fi')
    (tmp_path / "out.jsonl.state.new").write_text('{"form')
    run("in.txt", "-o", "out.jsonl", "--resume", *SLOW, "--workers", 1, cwd=tmp_path)
    assert same(tmp_path / "out.jsonl", (tmp_path / "whole.jsonl").read_bytes(), "jsonl")
    assert left(tmp_path) == {"in.txt", "out.jsonl", "whole.jsonl"}


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A folder with a run that was killed in its middle."""
    write_boards(tmp_path / "in.txt", 150)
    kill_in_the_middle(tmp_path)
    assert not (tmp_path / "out.jsonl").exists()
    return tmp_path


def test_another_input_is_refused(begun: Path) -> None:
    text = (begun / "in.txt").read_text()
    (begun / "in.txt").write_text("1 2 3/4 5 6/7 8 0\n" + text)
    _, err = run("in.txt", "-o", "out.jsonl", "--resume", *SLOW, cwd=begun, code=2)
    assert "the input is not the one from which" in err
    (begun / "in.txt").write_text(text + "1 2/3 0\n")
    run("in.txt", "-o", "out.jsonl", "--resume", *SLOW, cwd=begun)
    assert len(rows(begun / "out.jsonl")) == 151


def test_other_options_are_refused(begun: Path) -> None:
    others = [["--goal", "snail"], ["--moves", "blank"], ["--time", "7"], ["--format", "csv"]]
    for other in others:
        _, err = run("in.txt", "-o", "out.jsonl", "--resume", *SLOW, *other, cwd=begun, code=2)
        assert "can't be gone on with like this" in err
    _, err = run("in.txt", "-o", "out.jsonl", "--resume", cwd=begun, code=2)
    assert "was begun with algorithm 'astar', not nothing" in err
    assert done(begun) > 0


def test_a_run_that_was_begun_is_not_thrown_away(begun: Path) -> None:
    before = done(begun)
    _, err = run("in.txt", "-o", "out.jsonl", *SLOW, cwd=begun, code=2)
    assert "go on with --resume, or remove out.jsonl.state to begin anew" in err
    assert done(begun) == before
    (begun / "out.jsonl.state").unlink()
    run("in.txt", "-o", "out.jsonl", cwd=begun)
    assert len(rows(begun / "out.jsonl")) == 150


def test_lines_that_were_changed_are_noticed(begun: Path) -> None:
    part = begun / "out.jsonl.part"
    part.write_bytes(part.read_bytes().replace(b"solved", b"SOLVED", 1))
    _, err = run("in.txt", "-o", "out.jsonl", "--resume", *SLOW, cwd=begun, code=2)
    assert "out.jsonl.part has been changed" in err
    part.write_bytes(b"")
    _, err = run("in.txt", "-o", "out.jsonl", "--resume", *SLOW, cwd=begun, code=2)
    assert "has been changed" in err


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "taquin batch 0"}'])
def test_a_damaged_state_is_told(begun: Path, text: str) -> None:
    (begun / "out.jsonl.state").write_text(text)
    _, err = run("in.txt", "-o", "out.jsonl", "--resume", *SLOW, cwd=begun, code=2)
    assert "out.jsonl.state is" in err


def test_killed_before_the_last_step(tmp_path: Path) -> None:
    """Between the renaming of the lines and the removal of the state."""
    write_boards(tmp_path / "in.txt", 50)
    batch = BatchFile(str(tmp_path / "in.txt"), tmp_path / "out.jsonl")
    state = tmp_path / "out.jsonl.state"
    kept = b""

    def keep(batch: BatchFile) -> None:
        nonlocal kept
        batch._output.complete = True  # type: ignore[attr-defined]
        batch._output._save()  # type: ignore[attr-defined]
        kept = state.read_bytes()

    assert batch.run(workers=1, on_progress=keep)
    state.write_bytes(kept)
    again = BatchFile(str(tmp_path / "in.txt"), tmp_path / "out.jsonl", resume=True)
    assert again.run()
    assert again.tally.boards == 50
    assert left(tmp_path) == {"in.txt", "out.jsonl"}


def test_what_is_complete_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("1 2/3 0\n")
    run("in.txt", "-o", "out.jsonl", cwd=tmp_path)
    before = (tmp_path / "out.jsonl").stat()
    _, err = run("in.txt", "-o", "out.jsonl", "--resume", cwd=tmp_path)
    assert "out.jsonl is there" in err
    assert (tmp_path / "out.jsonl").stat() == before


def test_an_old_output_stays_until_the_new_one_is_complete(tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text("old\n")
    write_boards(tmp_path / "in.txt", 150)
    kill_in_the_middle(tmp_path)
    assert (tmp_path / "out.jsonl").read_text() == "old\n"
    run("in.txt", "-o", "out.jsonl", "--resume", *SLOW, cwd=tmp_path)
    assert len(rows(tmp_path / "out.jsonl")) == 150


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 150)
    with held_up(tmp_path / "in.txt"):
        process = start("in.txt", "-o", "out.jsonl", *SLOW, cwd=tmp_path)
        wait_for(process, lambda: done(tmp_path) > 0)
        _, err = run("in.txt", "-o", "out.jsonl", "--resume", *SLOW, cwd=tmp_path, code=2)
        assert "is being written by another process" in err
    process.communicate(timeout=120)
    assert process.returncode == 0
    assert len(rows(tmp_path / "out.jsonl")) == 150


# --- what stops a run ---------------------------------------------------------------------------


def test_ctrl_c(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 150)
    (tmp_path / "in.txt").write_text((tmp_path / "in.txt").read_text() + f"{HARD}\n" * 10)
    options = ["--tables", "none", "--time", "inf"]
    process = start("in.txt", "-o", "out.jsonl", *options, cwd=tmp_path, start_new_session=True)
    wait_for(process, lambda: done(tmp_path) == 150)
    assert process.poll() is None
    workers = children(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    begun = time.monotonic()
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - begun < 30
    assert process.returncode == 130
    assert gone(workers)
    assert b"150 boards answered so far; --resume goes on from there" in err
    assert b"150 boards: 150 solved" in out
    assert b"Traceback" not in err
    assert done(tmp_path) == 150


def test_a_reader_that_goes(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 20_000)
    process = start("in.txt", cwd=tmp_path)
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["number"] == 1
    workers = children(process.pid)
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(timeout=120)
    assert process.returncode == 141
    assert b"Traceback" not in err
    assert gone(workers)


def limit_files(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 2000)
    run("in.txt", "-o", "whole.jsonl", cwd=tmp_path)
    limit = limit_files(300_000)
    _, err = run("in.txt", "-o", "out.jsonl", cwd=tmp_path, code=2, preexec_fn=limit)
    assert "out.jsonl.part: File too large" in err
    assert "--resume goes on from there" in err
    assert not (tmp_path / "out.jsonl").exists()
    run("in.txt", "-o", "out.jsonl", "--resume", cwd=tmp_path)
    assert same(tmp_path / "out.jsonl", (tmp_path / "whole.jsonl").read_bytes(), "jsonl")


def test_a_disk_that_is_full_when_parquet_is_made(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 500)
    run("in.txt", "-o", "whole.parquet", cwd=tmp_path)
    os.mkdir(tmp_path / "out.parquet.part.parquet")
    _, err = run("in.txt", "-o", "out.parquet", cwd=tmp_path, code=2)
    assert "taquin: " in err
    assert "Traceback" not in err
    os.rmdir(tmp_path / "out.parquet.part.parquet")
    run("in.txt", "-o", "out.parquet", "--resume", cwd=tmp_path)
    whole = (tmp_path / "whole.parquet").read_bytes()
    assert same(tmp_path / "out.parquet", whole, "parquet")


def test_a_file_that_can_not_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "boards"
    folder.mkdir()
    write_boards(folder / "a.txt", 50)
    (folder / "b.txt").symlink_to("nowhere")
    write_boards(folder / "c.txt", 20)
    _, err = run("boards", "-o", "out.jsonl", cwd=tmp_path, code=2)
    assert "boards/b.txt: No such file or directory" in err
    assert "50 boards answered so far" in err
    write_boards(folder / "nowhere", 10, 2, 2)
    (folder / "nowhere").rename(folder / ".nowhere")
    (folder / "b.txt").unlink()
    (folder / "b.txt").symlink_to(".nowhere")
    run("boards", "-o", "out.jsonl", "--resume", cwd=tmp_path)
    counts = Counter(row["file"] for row in rows(tmp_path / "out.jsonl"))
    assert counts == {"boards/a.txt": 50, "boards/b.txt": 10, "boards/c.txt": 20}


def test_an_output_in_the_folder_that_is_read(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 10)
    write_boards(tmp_path / "out.jsonl.txt", 10)
    for stray in ("out.jsonl", "out.jsonl.part"):
        (tmp_path / stray).write_text("oops\n")
    run(".", "-o", "out.jsonl", cwd=tmp_path)
    assert {row["file"] for row in rows(tmp_path / "out.jsonl")} == {"in.txt", "out.jsonl.txt"}


def test_an_output_that_is_the_input(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 3)
    before = (tmp_path / "in.txt").read_bytes()
    _, err = run("in.txt", "-o", "in.txt", cwd=tmp_path, code=2)
    assert "in.txt can't be read and written at once" in err
    assert (tmp_path / "in.txt").read_bytes() == before


def test_standard_input_once_more(tmp_path: Path) -> None:
    text = "".join(f"{Board.random(3, 3, seed=seed)}\n" for seed in range(150)).encode()
    process = start("-", "-o", "out.jsonl", *SLOW, cwd=tmp_path, stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(text[: len(text) // 2])
    process.stdin.flush()
    kill_after(process, lambda: done(tmp_path) > 0, 0)
    process = start("-", "-o", "out.jsonl", "--resume", *SLOW, cwd=tmp_path, stdin=subprocess.PIPE)
    process.communicate(text, timeout=120)
    assert process.returncode == 0
    assert [row["number"] for row in rows(tmp_path / "out.jsonl")] == list(range(1, 151))


def test_a_worker_that_dies(tmp_path: Path) -> None:
    write_boards(tmp_path / "in.txt", 150)
    text = (tmp_path / "in.txt").read_bytes()
    with held_up(tmp_path / "in.txt") as pipe:
        process = start("in.txt", "-o", "out.jsonl", *SLOW, cwd=tmp_path)
        wait_for(process, lambda: done(tmp_path) > 0)
        os.kill(children(process.pid)[0], signal.SIGKILL)
        os.write(pipe, text)  # as nobody misses a worker that has nothing to do
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert b"a worker process died (SIGKILL)" in err
    assert b"--resume goes on from there" in err
    (tmp_path / "in.txt").write_bytes(2 * text)
    run("in.txt", "-o", "out.jsonl", "--resume", *SLOW, cwd=tmp_path)
    assert [row["number"] for row in rows(tmp_path / "out.jsonl")] == list(range(1, 301))


def test_only_files_can_be_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("1 2/3 0\n")
    with pytest.raises(BatchError, match="--resume needs -o OUT"):
        BatchFile(str(tmp_path / "in.txt"), None, resume=True)
