"""Limits, progress, cancel: whatever stops a solve, its result is honest, and comes at once."""

import gc
import json
import subprocess
import sys
import threading
from itertools import count, pairwise
from types import SimpleNamespace

import pytest
from solving import HARD, KORF, check

from taquin import Board, Limit, goals, heuristics, solve, tables
from taquin.engine import Engine
from taquin.parity import reaches


def test_5x5_within_a_limit_gives_the_best_so_far():
    result = check(solve(HARD, "blank-first", limit=Limit(expanded=200_000)))
    assert result.status == "limit"
    assert result.reason == "the limit of 200,000 expanded boards"
    assert result.stats.expanded == 200_000
    assert result.lower_bound <= 95 <= result.length
    assert result.proof.startswith("within:")
    assert float(result.proof[7:]) >= result.length / result.lower_bound


@pytest.mark.parametrize("shape", [(4, 4), (5, 5), (6, 6)])
@pytest.mark.parametrize("expanded", [1, 10, 150, 5_000])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_limit_of_expansions_is_kept(shape, expanded, threads):
    board = Board.random(*shape, seed=6)
    result = check(solve(board, limit=Limit(expanded=expanded), threads=threads))
    assert result.status == "limit"
    assert result.stats.expanded <= expanded
    assert result.solution is not None


@pytest.fixture
def open_tables():
    """The default tables of 4×4, which this process has opened."""
    tables.obtain(goals.blank_first(4, 4), "default")
    assert tables.opened(goals.blank_first(4, 4), "auto", 1 << 40) is not None


@pytest.fixture
def seen(monkeypatch):
    """Gives the result, and the answers of which a run has told on the way."""
    monkeypatch.setattr("taquin.heartbeat.INTERVAL", 3600)  # it tells of nothing else

    def run(*args, **options):
        reports = []
        result = check(solve(*args, on_progress=reports.append, **options))
        return result, [report.best for report in reports]

    return run


@pytest.mark.usefixtures("open_tables")
def test_a_short_search_of_a_small_board_needs_no_other_answer(seen):
    board, optimum = KORF[78]
    result, answers = seen(board, "blank-first")
    assert (result.length, result.proof, answers) == (optimum, "optimal", [optimum])
    assert result.stats.expanded < 50_000


@pytest.mark.usefixtures("open_tables")
def test_a_longer_one_has_an_answer_while_it_runs(seen):
    board, optimum = KORF[87]
    result, answers = seen(board, "blank-first", tables="default")
    assert (result.length, result.proof) == (optimum, "optimal")
    assert result.stats.expanded > 50_000
    bounds = [bound for bound, _ in result.stats.iterations]
    assert bounds == sorted(set(bounds)), "no bound is searched twice"
    assert answers[0] > optimum
    assert answers[-1] == optimum


@pytest.mark.usefixtures("open_tables")
@pytest.mark.parametrize("expanded", [1, 10, 1_000])
def test_a_small_board_within_a_limit_has_an_answer_too(expanded):
    board, optimum = KORF[81]
    result = check(solve(board, "blank-first", limit=Limit(expanded=expanded)))
    assert (result.status, result.stats.expanded) == ("limit", expanded)
    assert result.lower_bound <= optimum <= result.length


@pytest.mark.usefixtures("open_tables")
@pytest.mark.parametrize("solvable", [True, False])
@pytest.mark.parametrize("goal", ["blank-last", "column-major"])
def test_a_cancel_is_heard_while_a_large_board_is_looked_at_for_the_first_time(goal, solvable):
    target = goals.named(goal, 300, 300)
    board = target.exchange(1, 2)
    if solvable:
        board = board.exchange(3, 4)
    assert reaches(board, target) == solvable

    for looks in count():
        left = iter(range(looks))
        cancel = SimpleNamespace(is_set=lambda left=left: next(left, None) is None)
        result = solve(board, goal, quality="fast", cancel=cancel)
        if result.status != "cancelled":
            break
        assert result.solution is None
    assert looks > 2
    assert result.status == ("solved" if solvable else "unsolvable")


def test_a_small_board_that_is_cancelled_before_it_begins():
    cancel = threading.Event()
    cancel.set()
    result = check(solve(KORF[0][0], "blank-first", cancel=cancel))
    assert (result.status, result.solution, result.stats.expanded) == ("cancelled", None, 0)


def test_the_limit_of_time():
    result = check(solve(HARD, limit=Limit(seconds=1)))
    assert result.status == "limit"
    assert result.reason == "the time limit of 1 s"
    assert result.solution is not None
    nothing = check(solve(HARD, limit=Limit(seconds=0)))
    assert (nothing.status, nothing.solution) == ("limit", None)
    assert nothing.lower_bound == solve(HARD, quality="fast").lower_bound


@pytest.mark.parametrize(
    ("size", "options"),
    [
        (30, {"quality": "fast"}),
        (6, {"metric": "multi"}),
        (5, {"quality": 1.02, "tables": "none"}),
        (5, {"threads": 2, "tables": "none"}),
    ],
)
def test_a_stopped_run_is_let_go_of_without_the_garbage_collector(size, options):
    gc.collect()
    gc.disable()
    try:
        result = solve(Board.random(size, size, seed=1), limit=Limit(seconds=0.06), **options)
        assert result.proof != "optimal"
        assert not any(isinstance(each, Engine) for each in gc.get_objects())
    finally:
        gc.enable()


def test_the_limit_of_memory():
    result = check(solve(HARD, algorithm="astar", limit=Limit(memory="1 MB")))
    assert result.status == "limit"
    assert result.reason == "the memory limit of 1 MB"
    assert result.lower_bound >= heuristics.linear_conflict(HARD)


@pytest.mark.parametrize(
    "options", [{}, {"threads": 2}, {"algorithm": "idastar"}, {"quality": 1.05}], ids=str
)
def test_progress(options):
    reports = []
    cancel = threading.Event()

    def on_progress(progress):
        reports.append(progress)
        if len(reports) == 3:
            cancel.set()

    result = check(solve(HARD, on_progress=on_progress, cancel=cancel, **options))
    assert result.status == "cancelled"
    assert len(reports) in (3, 4)  # one more where the next stage had begun
    for a, b in pairwise(reports):
        assert a.seconds < b.seconds
        assert a.expanded <= b.expanded
        assert a.lower_bound <= b.lower_bound
    assert reports[-1].lower_bound <= result.lower_bound <= 110
    assert all(report.best is None or report.best >= result.length for report in reports)
    assert reports[-1].expanded_per_second >= 0


@pytest.mark.parametrize("quality", ["optimal", "fast", 1.2])
def test_better_answers_are_told_with_their_moves(quality):
    reports = []
    board = Board.random(5, 5, seed=1)
    limit = Limit(expanded=200_000)
    result = solve(board, quality=quality, limit=limit, on_progress=reports.append)
    answers = [report.moves for report in reports if report.moves is not None]
    assert answers[-1] == result.solution.moves
    for moves in set(answers):
        assert board.slide(moves) == result.goal
    for report in reports:
        assert report.best == (None if report.moves is None else len(report.moves))
        assert json.loads(json.dumps(report.to_dict()))["best"] == report.best


@pytest.mark.parametrize("options", [{}, {"algorithm": "astar"}, {"quality": "fast"}], ids=str)
def test_cancelled_before_it_starts(options):
    cancel = threading.Event()
    cancel.set()
    result = check(solve(HARD, cancel=cancel, **options))
    assert result.status == "cancelled"
    assert result.solution is None


@pytest.mark.parametrize("looks", range(6))
def test_a_cancel_is_never_taken_for_an_answer(looks, tmp_path, monkeypatch):
    """Wherever the cancel comes, also while a board is tried before its tables are built."""
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path))

    class AfterLooks:
        left = looks

        def is_set(self):
            self.left -= 1
            return self.left < 0

    result = solve(Board.random(6, 6, seed=1), cancel=AfterLooks())
    assert result.status == "cancelled"


@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"algorithm": "bfs"}], ids=str)
def test_cancelled_from_another_thread(options):
    cancel, going = threading.Event(), threading.Event()
    results = []

    def work():
        results.append(
            solve(
                HARD,
                cancel=cancel,
                on_progress=lambda progress: going.set(),
                limit=Limit(seconds=60),
                **options,
            )
        )

    thread = threading.Thread(target=work)
    thread.start()
    assert going.wait(60)
    cancel.set()
    thread.join(60)
    assert check(results[0]).status == "cancelled"


@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"algorithm": "idastar"}], ids=str)
def test_an_interrupt_in_a_callback_leaves_at_once(options):
    def interrupt(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(HARD, on_progress=interrupt, limit=Limit(seconds=60), **options)


INTERRUPTED = """
import os, signal, threading
from taquin import Board, Limit, solve

signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    solve(Board("{board}"), "blank-first", limit=Limit(seconds=60), **{options})
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(
    "options",
    [{"tables": "none"}, {"tables": "none", "threads": 2}, {"algorithm": "idastar"}],
    ids=str,
)
def test_ctrl_c_leaves_at_once(options):
    """Even where nobody asked for progress; in a process of its own, where nothing else runs."""
    board, _ = KORF[87]  # the hardest
    script = INTERRUPTED.format(board=board, options=options)
    child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (child.stdout, child.stderr) == ("interrupted\n", "")


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_a_limit_that_threads_run_into_is_reported(threads):
    for _ in range(20):
        result = solve(HARD, threads=threads, limit=Limit(expanded=30_000))
        assert (result.status, result.proof == "optimal") == ("limit", False)
        assert result.stats.expanded <= 30_000


def test_small_memory_does_not_stop_the_engine():
    board = Board.random(5, 5, seed=3, walk=30)
    assert solve(board, limit=Limit(memory=100_000, seconds=60)).proof == "optimal"


def test_a_table_being_built_can_be_stopped():
    cancel = threading.Event()
    cancel.set()
    goal = Board("1 2 3 4 5/6 7 8 0 9")  # which no other test has built a table for
    result = solve(goal.slide("R"), goal, tables="exact", cancel=cancel)
    assert (result.status, result.solution) == ("cancelled", None)
    assert solve(goal.slide("R"), goal, tables="exact").length == 1


def test_progress_says_that_tables_are_made_ready(tmp_path, monkeypatch):
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path))
    reports = []
    board = Board.random(3, 6, seed=1)
    result = solve(board, on_progress=reports.append)
    assert result.proof == "optimal"
    waiting = [report for report in reports if report.preparing]
    assert waiting
    assert len(waiting) < len(reports)
    # The best answer that can be had without them comes first.
    assert waiting[-1].moves == solve(board, quality="fast").solution.moves
