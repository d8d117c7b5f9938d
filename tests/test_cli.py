"""The installed command, run as a user runs it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from taquin import Board, Result, goals
from taquin.moves import verify
from taquin.notation import FORMATS, read_moves

TAQUIN = [str(Path(sys.executable).with_name("taquin"))]
FARTHEST = "8 6 7 / 2 5 4 / 3 0 1"
UNSOLVABLE = "3 1 2 / 4 5 7 / 6 8 0"
HARD = str(Board.random(5, 5, seed=1))

PLAIN = {**os.environ, "NO_COLOR": "", "COLUMNS": "100", "PYTHONUNBUFFERED": ""}


def run(*args: str, code: int = 0, **options: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*TAQUIN, *args], capture_output=True, text=True, timeout=120, env=PLAIN, **options
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def in_terminal(
    *args: str, send: str = "", once: str = "", env: dict[str, str] | None = None
) -> tuple[str, int]:
    """Run the command in a real pseudo-terminal; gives what was on the screen and the exit code.

    `send` is typed as soon as `once` has been shown (by itself: as soon as anything has).
    """
    settings = {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40", "NO_COLOR": ""}
    screen, inside = pty.openpty()
    child = subprocess.Popen(
        [*TAQUIN, *args],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        env={**os.environ, **settings, **(env or {})},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(inside)
    shown = b""
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        if not select.select([screen], [], [], 1)[0]:
            continue
        try:
            data = os.read(screen, 1 << 16)
        except OSError:
            break
        if not data:
            break
        shown += data
        if send and once.encode() in shown:
            os.write(screen, send.encode())
            send = ""
    os.close(screen)
    return shown.decode(), child.wait(60)


# --- solve --------------------------------------------------------------------------------------


def test_solve_prints_length_proof_and_moves() -> None:
    out = run("solve", FARTHEST).stdout
    assert out.startswith("solved: 31 moves, optimal\n")
    moves = re.search(r"^moves: (\w+)$", out, re.MULTILINE)
    assert moves
    assert verify(Board(FARTHEST), moves[1])


def test_a_board_need_not_be_quoted() -> None:
    assert run("solve", *FARTHEST.split()).stdout.startswith("solved: 31")


def test_solve_json_is_the_result(tmp_path: Path) -> None:
    data = json.loads(run("solve", FARTHEST, "--json").stdout)
    assert {"board", "goal", "status", "proof", "length", "moves", "lower_bound", "algorithm",
            "heuristic", "stats"} <= set(data)  # fmt: skip
    assert {"expanded", "generated", "seconds"} <= set(data["stats"])
    result = Result.from_dict(data)
    assert (result.status, result.length, result.proof) == ("solved", 31, "optimal")
    assert result.solution
    assert result.solution.verify()


def test_moves_can_name_the_blanks_direction() -> None:
    board = Board(FARTHEST)
    data = json.loads(run("solve", FARTHEST, "--json", "--moves", "blank").stdout)
    assert data["direction"] == "blank"
    assert verify(board, read_moves(data["moves"], moves="blank"))
    assert not verify(board, data["moves"])


def test_steps_show_every_board() -> None:
    out = run("solve", FARTHEST, "--steps").stdout
    assert out.count("┌") == 32
    assert "31. up" in out


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "bidirectional", "mm", "rbfs"])
def test_solve_by_textbook_algorithm(algorithm: str) -> None:
    heuristic = ["--heuristic", "linear-conflict"]
    data = json.loads(run("solve", FARTHEST, "--algorithm", algorithm, *heuristic, "--json").stdout)
    assert (data["algorithm"], data["length"], data["proof"]) == (algorithm, 31, "optimal")


def test_options_of_algorithms_reach_them() -> None:
    wide = json.loads(
        run("solve", FARTHEST, "--algorithm", "beam", "--width", "5000", "--json").stdout
    )
    slim = json.loads(
        run("solve", FARTHEST, "--algorithm", "beam", "--width", "20", "--json").stdout
    )
    assert slim["stats"]["expanded"] < wide["stats"]["expanded"]


@pytest.mark.parametrize("quality", ["fast", "1.5"])
def test_quality(quality: str) -> None:
    board = Board.random(4, 4, seed=5)
    data = json.loads(run("solve", str(board), "--quality", quality, "--json").stdout)
    assert verify(board, data["moves"])
    if quality != "fast":
        assert data["length"] <= 1.5 * data["lower_bound"]


def test_goal_by_name_text_and_file(tmp_path: Path) -> None:
    board = "7 2 4 / 5 0 6 / 8 3 1"
    file = tmp_path / "goal.txt"
    file.write_text("0 1 2\n3 4 5\n6 7 8\n")
    for goal in ("blank-first", "0 1 2/3 4 5/6 7 8", str(file)):
        assert run("solve", board, "--goal", goal).stdout.startswith("solved: 26 moves")


def test_board_from_file_and_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("3\n8 6 7\n2 5 4\n3 0 1\n")
    assert run("solve", str(file)).stdout.startswith("solved: 31")
    assert run("solve", "-", input=file.read_text()).stdout.startswith("solved: 31")


def test_a_format_with_another_usual_goal_is_pointed_out(tmp_path: Path) -> None:
    file = tmp_path / "puzzle"
    file.write_text("# solvable\n3\n1 2 3\n8 0 4\n7 6 5\n")
    done = run("check", str(file), code=1)
    assert "--goal snail" in done.stderr
    assert run("check", str(file), "--goal", "snail").stderr == ""


# --- exit codes ---------------------------------------------------------------------------------


def test_unsolvable_is_1_with_the_reason_and_the_fix() -> None:
    out = run("solve", UNSOLVABLE, code=1).stdout
    assert "3 is odd" in out
    fix = re.search(r"exchange tiles \d+ and \d+: (.*)$", out, re.MULTILINE)
    assert fix
    run("check", fix[1])


def test_limit_with_nothing_found_is_3() -> None:
    out = run("solve", HARD, "--algorithm", "astar", "--expanded", "100", code=3).stdout
    assert out.startswith("limit: the limit of 100 expanded boards; the solution has at least")


def test_limit_with_an_answer_is_0_and_says_what_is_proven() -> None:
    data = json.loads(run("solve", HARD, "--time", "1", "--json").stdout)
    assert data["status"] == "limit"
    assert data["proof"].startswith("within:")
    assert verify(Board(HARD), data["moves"])
    assert data["lower_bound"] <= data["length"]


def test_memory_limit() -> None:
    done = run("solve", HARD, "--algorithm", "bfs", "--memory", "20MB", code=3)
    assert "memory limit of 20 MB" in done.stdout


def test_interrupt_is_130_even_while_the_command_is_being_loaded() -> None:
    script = """
import os, signal, sys
class Impatient:
    def find_spec(self, name, *place):
        if name == "taquin.cli":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Impatient())
from taquin.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "taquin: interrupted\n")


def test_interrupt_is_130_with_the_best_answer() -> None:
    screen, terminal = pty.openpty()
    process = subprocess.Popen(
        [*TAQUIN, "solve", HARD, "--json"],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=PLAIN,
    )
    os.close(terminal)
    shown = b""
    while not re.search(rb"best \d+ moves", shown):
        shown += os.read(screen, 1 << 16)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    os.close(screen)
    assert process.returncode == 130
    data = json.loads(out)
    assert data["status"] == "cancelled"
    assert verify(Board(HARD), data["moves"])


@pytest.mark.parametrize(
    "args", [["random", "3x3"], ["--help"], ["compare", FARTHEST, "--algorithms", "astar"]]
)
def test_a_pipe_that_nobody_reads(args: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*TAQUIN, *args], stdout=writing, stderr=subprocess.PIPE, env=PLAIN)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("redirect", [">&-", "2>&-", "<&-", ">/dev/full"])
def test_closed_and_full_streams_are_no_accident(redirect: str) -> None:
    command = (
        f"{TAQUIN[0]} solve - {redirect}"
        if "<" in redirect
        else (f"{TAQUIN[0]} solve '{FARTHEST}' --algorithm astar {redirect}")
    )
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=PLAIN)
    assert "Traceback" not in done.stderr
    assert done.returncode == (0 if redirect in (">&-", "2>&-") else 2)


def test_tables_for_terminals_without_unicode() -> None:
    plain = {**PLAIN, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    command = [*TAQUIN, "compare", FARTHEST, "--algorithms", "astar,bfs"]
    assert subprocess.run(command, env=plain, capture_output=True).returncode == 0


def test_a_closed_pipe_is_quiet() -> None:
    process = subprocess.Popen(
        [*TAQUIN, "random", "3x3", "--count", "50000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=PLAIN,
    )
    assert process.stdout
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr
    assert process.stderr.read() == b""
    assert process.wait(30) == 141


BAD = [
    (["solve", ""], "empty"),
    (["solve", "1 2 3/4 5"], "row 2 has 2 cells"),
    (["solve", "1 2 2/3 4 0"], "tile 2 appears twice (cells 2 and 3)"),
    (["solve", "1 2/3 4"], "the blank (0) is missing"),
    (["solve", "--", "-1 2/3 0"], "tile -1 is negative"),
    (["solve", "a b/c d"], "row 1, column 1: 'a' is not a tile"),
    (["solve", "nan 1/2 0"], "'nan' is not a tile"),
    (["solve", f"{10**30} 1/2 0"], "too large for a tile"),
    (["solve", "1 2 3 4 5 0"], "1×6, 2×3, 3×2 or 6×1"),
    (["solve", "missing.txt"], "there is no file 'missing.txt'"),
    (["solve", FARTHEST, "--goal", "snale"], "did you mean 'snail'?"),
    (["solve", FARTHEST, "--goal", "1 2/3 0"], "the goal is 2×2, but the board is 3×3"),
    (["solve", FARTHEST, "--algorithm", "astra"], "did you mean 'astar'?"),
    (["solve", FARTHEST, "--heuristic", "manhatten"], "did you mean 'manhattan'?"),
    (["solve", FARTHEST, "--tables", "huge"], "unknown table set 'huge'"),
    (["solve", FARTHEST, "--quality", "best"], "unknown quality 'best'"),
    (["solve", FARTHEST, "--quality", "0.5"], "from 1 on, not 0.5"),
    (["solve", FARTHEST, "--memory", "lots"], "'lots' is not a size"),
    (["solve", FARTHEST, "--time", "nan"], "seconds=nan"),
    (["solve", FARTHEST, "--time", "soon"], "'soon'"),
    (["solve", FARTHEST, "--algorithm", "bfs", "--width", "3"], "bfs has no option 'width'"),
    (["solve", FARTHEST, "--width", "3"], "goes with an algorithm"),
    (["solve", FARTHEST, "--threads", "0"], "--threads"),
    (["solve"], "BOARD"),
    (["solv"], "solve"),
    (["convert", FARTHEST, "--to", "hexx"], "did you mean 'hex'?"),
    (["random", "4by4"], "'4by4' is not a shape"),
    (["random", "1x1"], "at least 1×2"),
    (["compare"], "--random"),
    (["compare", FARTHEST, "--algorithms", "astar,foo"], "unknown algorithm 'foo'"),
    (["show", FARTHEST, "--export", "/nowhere/at/all.svg"], "/nowhere/at/all.svg"),
    (["solve", "/nowhere"], "there is no file '/nowhere'"),
    (["solve", FARTHEST, "--threads", "300"], "threads must be 1 to 256"),
    (["solve", FARTHEST, "--threads", "2", "--algorithm", "bfs"], "threads are for the engine"),
    (["solve", FARTHEST, "--quality", "2", "--algorithm", "wastar", "--weight", "3"], "give one"),
    (["solve", FARTHEST, "--quality", "fast", "--algorithm", "astar"], "greedy can"),
    (["compare", FARTHEST, "--algorithms", "astar", "--plot", "x.zzz"], "unknown kind of picture"),
]  # fmt: skip


@pytest.mark.parametrize(("args", "culprit"), BAD, ids=lambda value: str(value)[:40])
def test_bad_input_is_2_and_one_line_that_names_the_culprit(args: list[str], culprit: str) -> None:
    done = run(*args, code=2)
    assert done.stdout == ""
    assert done.stderr.startswith("taquin: ")
    assert done.stderr.count("\n") == 1
    assert culprit in done.stderr


def test_bad_files(tmp_path: Path) -> None:
    binary, large = tmp_path / "binary", tmp_path / "large"
    binary.write_bytes(bytes(range(256)))
    with large.open("wb") as file:
        file.truncate(100_000_000)
    assert "not" in run("solve", str(binary), code=2).stderr
    assert "more than" in run("solve", str(large), code=2).stderr
    assert "directory" in run("solve", str(tmp_path), code=2).stderr


# --- solutions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", ["tile", "blank"])
def test_solutions_name_the_direction_of_their_letters(moves: str) -> None:
    data = json.loads(run("solutions", FARTHEST, "--most", "3", "--moves", moves, "--json").stdout)
    assert (data["status"], data["count"], data["direction"]) == ("solved", 40, moves)
    assert len(data["solutions"]) == 3
    for letters in data["solutions"]:
        assert verify(Board(FARTHEST), read_moves(letters, moves=moves))


def test_solutions_at_a_limit() -> None:
    board = str(Board.random(4, 4, seed=7))
    assert run("solutions", board, "--time", "0", code=3).stdout == "limit: the time limit of 0 s\n"
    data = json.loads(run("solutions", board, "--time", "0", "--json", code=3).stdout)
    assert (data["status"], data["reason"]) == ("limit", "the time limit of 0 s")
    assert (data["length"], data["count"], data["solutions"]) == (None, None, [])


def test_an_unsolvable_board_has_no_solutions() -> None:
    out = run("solutions", UNSOLVABLE, code=1).stdout
    assert out == run("solve", UNSOLVABLE, code=1).stdout
    assert out.count("unsolvable") == 1
    data = json.loads(run("solutions", UNSOLVABLE, "--json", code=1).stdout)
    assert (data["status"], data["count"], data["solutions"]) == ("unsolvable", 0, [])
    assert data["reason"] == out.splitlines()[0]


@pytest.mark.parametrize("board", [FARTHEST, "1 2 3 4/5 6 7 8/9 10 0 12/13 14 11 15"])
def test_large_numbers_are_no_accident(board: str) -> None:
    huge = "9" * 23
    solved = run("solve", board, "--expanded", huge, "--memory", "999999999999999999GiB")
    assert solved.stdout.startswith("solved")
    assert "solution" in run("solutions", board, "--most", huge, "--expanded", huge).stdout


# --- the other commands -------------------------------------------------------------------------


def test_check() -> None:
    assert run("check", FARTHEST).stdout.startswith("solvable")
    data = json.loads(run("check", UNSOLVABLE, "--json", code=1).stdout)
    assert data["solvable"] is False
    assert data["inversions"] == 3
    assert data["goals"] == ["column-major", "snail"]


def test_show_draws_and_writes_svg(tmp_path: Path) -> None:
    assert run("show", FARTHEST).stdout == Board(FARTHEST).show() + "\n"
    assert run("show", FARTHEST, "--ascii").stdout == Board(FARTHEST).show("ascii") + "\n"
    file = tmp_path / "board.svg"
    run("show", FARTHEST, "--export", str(file))
    assert file.read_text().startswith("<svg")
    assert [path.name for path in tmp_path.iterdir()] == ["board.svg"]


def test_pictures_go_where_they_are_sent(tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "real.svg", tmp_path / "link.svg", tmp_path / "pipe.svg"
    target.write_text("old")
    link.symlink_to(target)
    run("show", FARTHEST, "--export", str(link))
    assert link.is_symlink()
    assert target.read_text().startswith("<svg")
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    run("show", FARTHEST, "--export", str(pipe))
    assert reader.communicate(timeout=30)[0].startswith("<svg")
    assert pipe.is_fifo()
    run("compare", FARTHEST, "--algorithms", "astar", "--plot", "plain", cwd=tmp_path)
    assert (tmp_path / "plain").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "link.svg",
        "pipe.svg",
        "plain",
        "real.svg",
    ]


def test_a_dot_is_a_blank_not_a_file() -> None:
    assert run("convert", "1 2 3/4 5 6/7 . 8", "--to", "hex").stdout == "123456708\n"


def test_without_a_command_it_explains_itself() -> None:
    assert run().stdout == run("--help").stdout


def test_random_is_reproducible_and_solvable() -> None:
    args = ["random", "3x4", "--seed", "7", "--count", "5", "--goal", "snail"]
    lines = run(*args).stdout.splitlines()
    assert lines == run(*args).stdout.splitlines()
    assert len(set(lines)) == 5
    for line in lines:
        run("check", line, "--goal", "snail")
    walked = run("random", "3x3", "--walk", "1").stdout
    assert goals.blank_last(3, 3) in Board(walked).neighbours()


@pytest.mark.parametrize("format", FORMATS)
def test_convert_and_back(format: str) -> None:
    text = run("convert", FARTHEST, "--to", format).stdout
    assert run("convert", "-", "--to", "slash", input=text).stdout == f"{Board(FARTHEST)}\n"


def test_explain() -> None:
    board = "7 2 4 / 5 0 6 / 8 3 1"
    assert "manhattan: 18" in run("explain", board, "--goal", "blank-first").stdout
    data = json.loads(run("explain", board, "--goal", "blank-first", "--json").stdout)
    totals = {entry["heuristic"]: entry["total"] for entry in data["heuristics"]}
    assert totals["manhattan"] == 18
    assert "too large" in run("explain", HARD).stderr


def test_watch_gives_a_line_for_each_expansion() -> None:
    lines = run("watch", "1 2 3/4 0 6/7 5 8", "--algorithm", "idastar").stdout.splitlines()
    assert "threshold 2" in lines[0]
    *events, result = map(
        json.loads,
        run("watch", "1 2 3/0 4 6/7 5 8", "--algorithm", "astar", "--json").stdout.splitlines(),
    )
    assert len(events) == result["stats"]["expanded"]
    assert all(event["f"] == event["g"] + event["h"] for event in events)
    assert events[0]["board"] == result["board"]


def test_compare_table_csv_json_and_plot(tmp_path: Path) -> None:
    args = ["compare", FARTHEST, "--algorithms", "bidirectional,greedy,astar"]
    table = run(*args).stdout.splitlines()
    assert len(table) == 1 + 1 + 2 + 2
    assert "optimal" in table[0]
    csv = run(*args, "--csv").stdout.splitlines()
    assert len(csv) == 6
    picture = tmp_path / "figures.png"
    data = json.loads(run(*args, "--json", "--plot", str(picture)).stdout)
    assert {entry["length"] for entry in data["results"] if entry["algorithm"] == "astar"} == {31}
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert len(run("compare", "--random", "2x3", "--count", "3", "--algorithms", "bfs").stdout) > 0


def test_graph() -> None:
    data = json.loads(run("graph", "2x3", "--layers", "--json").stdout)
    assert data["boards"] == sum(data["layers"]) == 360
    assert data["complete"] is True
    partial = json.loads(run("graph", "4x4", "--layers", "--depth", "5", "--json").stdout)
    assert partial["layers"] == [1, 2, 4, 10, 24, 54]
    assert partial["complete"] is False
    assert "7,755,605,021,665,492,992,000,000 boards" in run("graph", "5x5").stdout
    assert "1600!/2 boards" in run("graph", "40x40").stdout
    assert json.loads(run("graph", "40x40", "--json").stdout)["boards"] is None


def test_completion_and_module_and_version() -> None:
    assert "_TAQUIN_COMPLETE" in run("completion", "bash").stdout
    environment = {**PLAIN, "_TAQUIN_COMPLETE": "bash_complete", "COMP_CWORD": "3",
                   "COMP_WORDS": "taquin solve --algorithm ida"}  # fmt: skip
    offered = subprocess.run(TAQUIN, env=environment, capture_output=True, text=True).stdout
    assert "idastar" in offered
    module = [sys.executable, "-m", "taquin", "--version"]
    assert subprocess.run(module, capture_output=True, text=True).stdout == run("--version").stdout


# --- terminals ----------------------------------------------------------------------------------


def test_colour_only_in_a_terminal_that_wants_it() -> None:
    board = "1 2 3/4 5 6/7 0 8"
    assert "\x1b[" not in run("show", board).stdout
    assert "\x1b[" in in_terminal("show", board)[0]
    assert "\x1b[" not in in_terminal("show", board, env={"NO_COLOR": "1"})[0]


def test_a_long_solve_shows_a_live_line_and_ctrl_c_keeps_the_best() -> None:
    screen, code = in_terminal("solve", HARD, send="\x03", once="expanded (")
    assert code == 130
    assert "expanded (" in screen
    assert "Traceback" not in screen
    assert "cancelled; best so far" in screen


def test_no_live_line_in_a_pipe() -> None:
    assert run("solve", HARD, "--time", "1").stderr == ""


def test_watch_draws_in_a_terminal() -> None:
    screen, code = in_terminal("watch", "1 2 3/4 0 6/7 5 8", "--algorithm", "astar", "--delay", "0")
    assert code == 0
    assert "expansion 2" in screen
    assert "solved: 2 moves" in screen


# --- start-up -----------------------------------------------------------------------------------

HEAVY = ("rich", "textual", "fastapi", "uvicorn", "numpy", "networkx", "matplotlib", "dask", "PIL",
         "gymnasium")  # fmt: skip


@pytest.mark.parametrize("statement", ["import taquin", "import taquin.cli"])
def test_starting_up_imports_nothing_heavy(statement: str) -> None:
    script = f"import sys; {statement}; print([m for m in {HEAVY} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", script], text=True).strip() == "[]"
