"""taquin bench, as a library and as the command; wrong answers and limits included."""

from __future__ import annotations

import json
import math
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from strategies import assert_clear

from taquin import Board, Limit, Result, bench, sets, solve
from taquin.benchmark import Benchmark, Run, contradiction, difference
from taquin.errors import BenchmarkError, OptionError, UnknownNameError
from taquin.sets import Instance

TAQUIN = [str(Path(sys.executable).with_name("taquin"))]
PLAIN = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100"}

FAR = sets.load("farthest-3x3")


def run(*args: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*TAQUIN, "bench", *args], capture_output=True, text=True, timeout=120, env=PLAIN
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def with_optimum(optimum: int) -> sets.InstanceSet:
    """The first farthest board with another optimum than it has."""
    return replace(FAR, instances=(replace(FAR.instances[0], optimum=optimum),))


# --- right and wrong ----------------------------------------------------------------------------


def test_every_optimum_of_korfs_boards() -> None:
    done = bench("korf15", tables="default")
    assert done.is_complete
    assert done.count("optimal") == 100
    assert done.figures()["moves"].total == 5305
    assert done.figures()["moves"].worst == 66
    assert done.heuristics == ["patterns-default"]
    assert len(done.tables) == 5
    assert done.times_optimum == 1


@pytest.mark.parametrize("name", [n for n in sets.names() if n.startswith("farthest-")][:-2])
def test_the_farthest_boards(name: str) -> None:
    done = bench(name)
    assert done.count("optimal") == len(sets.load(name))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"algorithm": "astar"},
        {"heuristic": "walking-distance"},
        {"algorithm": "idastar", "heuristic": "linear-conflict"},
        {"tables": "none"},
        {"tables": "walking", "threads": 2},
        {"tables": "exact"},
        {"algorithm": "bfs", "repeat": 2},
    ],
)
def test_optimal_ways(options: dict) -> None:
    done = bench(FAR.first(1), **options)
    (found,) = done.runs
    assert (found.verdict, found.length, found.lower_bound) == ("optimal", 31, 31)


@pytest.mark.parametrize(
    "options",
    [
        {"algorithm": "greedy"},
        {"algorithm": "beam", "width": 50},
        {"algorithm": "wastar", "weight": 3},
        {"algorithm": "wastar"},
        {"quality": 1.8, "algorithm": "wastar"},
    ],
)
def test_longer_answers_are_none_that_is_wrong(options: dict) -> None:
    done = bench(FAR, **options)
    assert done.count("longer") + done.count("optimal") == 2
    assert done.times_optimum is not None
    assert done.times_optimum >= 1
    if "weight" in options:
        assert done.times_optimum <= options["weight"]


@pytest.mark.parametrize(
    ("optimum", "words"),
    [
        (33, "31 moves found, fewer than the known optimum 33"),
        (29, "at least 31 moves claimed, but 29 are known to do"),
    ],
)
def test_a_wrong_optimum_is_noticed(optimum: int, words: str) -> None:
    for options in ({}, {"algorithm": "astar"}, {"tables": "none"}):
        (found,) = bench(with_optimum(optimum), **options).wrong
        assert found.problem == words


def result(length: int | None, lower_bound: int, status: str = "solved") -> Result:
    good = solve(FAR.instances[0].board)
    assert good.solution is not None
    solution = None
    if length is not None:
        moves = good.solution.moves * (length // 31 + 1)
        solution = replace(good.solution, moves=moves[:length])
    return replace(good, solution=solution, lower_bound=lower_bound, status=status)


@pytest.mark.parametrize(
    ("length", "lower_bound", "status", "factor", "is_wrong"),
    [
        (31, 31, "solved", 1, False),
        (33, 29, "solved", 1, True),
        (33, 29, "solved", 1.1, False),
        (37, 29, "solved", 1.1, True),
        (99, 29, "solved", math.inf, False),
        (29, 29, "solved", 1, True),
        (29, 20, "limit", 1, True),
        (None, 33, "limit", 1, True),
        (None, 31, "limit", 1, False),
        (77, 33, "cancelled", 1, True),
        (77, 21, "cancelled", 1, False),
        (None, 0, "unsolvable", 1, True),
        (None, 0, "solved", 1, True),
    ],
)
def test_contradictions(
    length: int | None, lower_bound: int, status: str, factor: float, is_wrong: bool
) -> None:
    assert bool(contradiction(31, result(length, lower_bound, status), factor)) is is_wrong


def test_limits_are_told_as_such_and_their_bounds_checked() -> None:
    limit = Limit(expanded=100)
    done = bench("korf15:88,1", algorithm="astar", limit=limit)
    assert [found.verdict for found in done.runs] == ["limit", "limit"]
    assert all(found.lower_bound <= found.optimum for found in done.runs)
    assert done.is_complete
    bad = replace(sets.load("korf15:88"), instances=(
        replace(sets.load("korf15")[88], optimum=30),
    ))  # fmt: skip
    assert bench(bad, algorithm="astar", limit=limit).wrong


def test_misuse() -> None:
    for wrong in ({"quality": "slow"}, {"tables": "tiny"}, {"algorithm": "magic"}):
        with pytest.raises(UnknownNameError):
            bench(FAR, **wrong)
    with pytest.raises(OptionError):
        bench(FAR, repeat=0)
    with pytest.raises(OptionError):
        bench(FAR, algorithm="astar", threads=2)


def test_a_cancel_keeps_what_was_done() -> None:
    cancel = threading.Event()
    done = bench("korf15", algorithm="greedy", cancel=cancel, on_run=lambda found: cancel.set())
    assert [found.verdict for found in done.runs] == ["longer"]
    assert not done.is_complete
    assert done.size == 100
    before = bench("korf15", cancel=cancel)
    assert before.runs == ()
    assert Benchmark.from_dict(json.loads(json.dumps(before.to_dict()))) == before


# --- side by side -------------------------------------------------------------------------------


def test_json_round_trip() -> None:
    done = bench(FAR, algorithm="astar", limit=Limit(seconds=50))
    data = json.loads(json.dumps(done.to_dict()))
    assert Benchmark.from_dict(data) == done
    assert data["machine"].keys() == {"processor", "cores", "memory", "system", "python"}
    assert data["version"]
    assert data["figures"]["expanded"]["total"] == 2 * 6728


def test_nothing_but_times_is_different_from_one_run_to_the_next() -> None:
    first, second = (bench("korf15:1-10", tables="default") for _ in range(2))
    found = difference(first, second)
    assert (found.circumstances, found.other_lengths, found.other_expanded) == ((), (), ())
    assert (found.shared, found.ended) == (10, 10)
    assert found.expanded[0] == found.expanded[1]


def test_what_is_different_is_named() -> None:
    old = bench(FAR, algorithm="astar")
    new = bench(FAR.first(1), algorithm="greedy")
    moved = replace(new, version="9.9", machine={**new.machine, "processor": "another"})
    found = difference(old, moved)
    assert found.shared == 1
    assert found.other_lengths == ((1, 31, new.runs[0].length),)
    assert found.other_expanded == ((1, 6728, new.runs[0].expanded),)
    words = " ".join(found.circumstances)
    assert "now 9.9" in words
    assert "now another" in words
    assert "option algorithm: astar, now greedy" in words


def test_stopped_runs_are_not_compared_by_time() -> None:
    old = bench("korf15:88", limit=Limit(expanded=50), tables="none")
    new = bench("korf15:88", tables="default")
    found = difference(old, new)
    assert (found.shared, found.ended, found.median_ratio) == (1, 0, None)


@pytest.mark.parametrize("data", [None, [], {}, {"format": 2}, {"format": 1}, "text", 7])
def test_what_is_no_benchmark(data: object) -> None:
    with pytest.raises(BenchmarkError) as caught:
        Benchmark.from_dict(data)
    assert_clear(caught.value)


# --- the command --------------------------------------------------------------------------------


def test_list() -> None:
    out = run("--list").stdout
    assert run().stdout == out
    assert [line.split()[0] for line in out.splitlines()] == sets.names()
    listed = json.loads(run("--list", "--json").stdout)
    assert [found["size"] for found in listed] == [len(sets.load(name)) for name in sets.names()]
    assert listed[-2]["instances"][0]["optimum"] == 57


def test_save_compare_and_json(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    first = run("farthest-3x3", "--algorithm", "astar", "--save", str(old)).stdout
    assert "farthest-3x3: 2 boards: 2 optimal" in first
    assert "expanded    6,728    6,728    6,728   13,456" in first
    again = run("farthest-3x3", "--algorithm", "astar", "--compare", str(old)).stdout
    assert "13,456 → 13,456: 1.000 ×" in again
    assert "the same lengths and expansions, board by board" in again
    other = run("farthest-3x3:2", "--algorithm", "greedy", "--compare", str(old), "--json")
    data = json.loads(other.stdout)
    assert data["benchmarks"][0]["verdicts"]["longer"] == 1
    assert data["differences"][0]["other_lengths"][0][:2] == [2, 31]
    told = run("farthest-3x3:2", "--algorithm", "greedy", "--compare", str(old)).stdout
    assert "other lengths on 1 board: 2: 31 → " in told
    assert "other option algorithm: astar, now greedy" in told
    # What --json prints can be compared, too.
    printed = tmp_path / "printed.json"
    printed.write_text(run("farthest-2x2", "farthest-2x3", "--json").stdout)
    assert (
        "farthest-2x2, now against before" in run("farthest-2x2", "--compare", str(printed)).stdout
    )


def test_a_wrong_answer_is_loud(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text(
        "# Mine\n# Goal: blank-last\n1 | 8 6 7/2 5 4/3 0 1 | 31\n2 | 6 4 7/8 5 0/3 2 1 | 33\n"
    )
    done = run(str(own), code=1)
    assert "own.txt: 2 boards: 1 optimal, 1 WRONG" in done.stdout
    assert "31 moves found, fewer than the known optimum 33" in done.stderr
    quiet = run(str(own), "--json", code=1)
    assert json.loads(quiet.stdout)["benchmarks"][0]["verdicts"]["wrong"] == 1
    assert "instance 2: 31 moves found" in quiet.stderr
    assert run(f"{own}:1", "--each").stdout.count("optimal") >= 2


def test_a_limit_has_its_own_exit_code() -> None:
    out = run("korf15", "--first", "2", "--algorithm", "astar", "--expanded", "50", code=3).stdout
    assert "2 boards: 2 stopped by a limit" in out
    assert "at least 45, no answer yet, known 55" in out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["korf16"], "did you mean 'korf15'"),
        (["korf24:99"], "korf24 has no instance 99"),
        (["korf15", "--only", "x"], "'x' is no id"),
        (["korf15", "--compare", "none.json"], "none.json"),
        (["korf15", "--tables", "tiny"], "unknown table set 'tiny'"),
    ],
)
def test_bad_usage(args: list[str], words: str) -> None:
    assert words in run(*args, code=2).stderr


def test_a_file_that_can_not_be_compared(tmp_path: Path) -> None:
    for text in ("", "{}", '{"benchmarks": [{}]}', '{"benchmarks": 3}', "\x00"):
        (tmp_path / "old.json").write_text(text)
        assert (
            "no benchmark" in run("korf15", "--compare", str(tmp_path / "old.json"), code=2).stderr
        )


def test_ctrl_c_prints_what_was_done(tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    sets_and_options = ["farthest-3x3", "korf15", "korf24", "--algorithm", "idastar"]
    with subprocess.Popen(
        [*TAQUIN, "bench", *sets_and_options, "--save", str(saved)],
        stdout=subprocess.PIPE,
        text=True,
        env=PLAIN,
    ) as child:
        assert child.stdout is not None
        # The last line of the first set; what comes next takes hours.
        while "by manhattan" not in child.stdout.readline():
            assert child.poll() is None
        child.send_signal(signal.SIGINT)
        rest = child.stdout.read()
    assert child.returncode == 130
    assert "korf24" not in rest
    first, *others = json.loads(saved.read_text())["benchmarks"]
    assert first["verdicts"]["optimal"] == 2
    # Whether the second set had begun is a matter of luck.
    assert [(done["set"], done["complete"]) for done in others] in ([], [("korf15", False)])
    assert not others or re.search(r"korf15: 100 boards: .* not begun", rest)


def test_a_terminal_shows_how_far_it_is() -> None:
    screen, inside = pty.openpty()
    child = subprocess.Popen(
        [*TAQUIN, "bench", "korf15:1", "--algorithm", "idastar", "--time", "2"],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        env={**PLAIN, "TERM": "xterm-256color"},
    )
    os.close(inside)
    shown = b""
    with suppress(OSError):  # which is how a terminal ends
        while data := os.read(screen, 1 << 16):
            shown += data
    os.close(screen)
    assert child.wait(60) == 3
    assert "korf15 0/1 · " in shown.decode()
    assert "korf15: 1 board: 1 stopped by a limit" in shown.decode()


def test_runs_are_values() -> None:
    found = Run.of(Instance(1, Board("1 2/0 3"), Board("1 2/3 0"), 1), solve(Board("1 2/0 3")), 1.0)
    assert (found.verdict, found.length, found.seconds >= 0) == ("optimal", 1, True)
