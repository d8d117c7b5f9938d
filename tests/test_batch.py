"""solve_many: the same results as solve, in order, bounded, and nothing left running."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from concurrent.futures import ThreadPoolExecutor as Threads
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import assert_clear, boards, goal_names

from taquin import Board, Limit, Result, goals, solve, solve_many
from taquin.batch import Boards, Local, _Stop, solve_group
from taquin.errors import (
    BatchError,
    BoardError,
    NotationError,
    OptionError,
    TaquinError,
    UnknownNameError,
)
from taquin.flow import MOST_IN_A_GROUP, Flow, Pace, Part
from taquin.processes import Processes

SOLVED = "1 2 3/4 5 6/7 8 0"
EASY = "1 2 3/4 5 6/7 0 8"
FAR = "8 6 7/2 5 4/3 0 1"
HARD = str(Board.random(5, 5, seed=1))
"""By Manhattan distance alone nobody sees the end of it."""

ENGINE = {"quality": "optimal", "algorithm": None, "heuristic": None, "tables": "auto",
          "metric": "single", "limit": None}  # fmt: skip


def timeless(result: Result) -> dict[str, Any]:
    """All of a result that does not vary."""
    data = result.to_dict()
    return {**data, "stats": {**data["stats"], "seconds": 0, "peak_memory": 0}}


def some(count: int, rows: int = 3, cols: int = 3) -> list[Board]:
    return [Board.random(rows, cols, seed=seed) for seed in range(count)]


def assert_same(found: list[Result], wanted: list[Board], goal: Any = None, **options: Any) -> None:
    assert [timeless(r) for r in found] == [timeless(solve(b, goal, **options)) for b in wanted]


# --- the law: what solve gives, for each board --------------------------------------------------


@given(st.lists(boards(max_side=3), max_size=30), goal_names())
@settings(max_examples=60)
def test_the_same_as_solve(mixed: list[Board], goal: str) -> None:
    assert_same(list(solve_many(mixed, goal, workers=2)), mixed, goal)


@given(st.lists(boards(max_side=3), max_size=12), st.booleans())
@settings(max_examples=20)
def test_the_same_as_solve_in_any_order(mixed: list[Board], ordered: bool) -> None:
    with Threads(3) as pool:
        found = list(solve_many(mixed, executor=pool, ordered=ordered))
    if not ordered:
        found.sort(key=lambda result: (result.board.shape, result.board.tiles))
        mixed = sorted(mixed, key=lambda board: (board.shape, board.tiles))
    assert_same(found, mixed)


@pytest.mark.parametrize(
    "options",
    [
        {"quality": "fast"},
        {"quality": 1.5},
        {"metric": "multi"},
        {"tables": "none"},
        {"tables": "exact"},
        {"tables": "walking"},
        {"algorithm": "astar"},
        {"algorithm": "wastar", "weight": 2.0},
        {"heuristic": "linear-conflict"},
        {"algorithm": "bfs", "limit": Limit(expanded=50)},
        {"limit": Limit(expanded=1)},
    ],
    ids=str,
)
def test_every_option_of_solve(options: dict[str, Any]) -> None:
    mixed = [*some(6, 2, 3), *some(6), Board("1 2/0 3"), Board("2 1/3 0")]
    assert_same(list(solve_many(mixed, workers=2, **options)), mixed, **options)


def test_boards_that_are_searched() -> None:
    mixed = [Board.random(4, 4, seed=seed, walk=30) for seed in range(20)] + some(5)
    found = list(solve_many(mixed, "blank-last", workers=2))
    assert_same(found, mixed)


def test_texts_and_a_goal_of_ones_own() -> None:
    goal = Board("1 2 3/8 0 4/7 6 5")
    texts = ["1 2 3 / 8 4 0 / 7 6 5", "123804765"]
    assert [r.length for r in solve_many(texts, goal)] == [1, 0]
    assert [r.goal for r in solve_many(texts, str(goal))] == [goal, goal]


def test_a_heuristic_of_ones_own_stays_in_this_process() -> None:
    here = set()

    def heuristic(board: Board, goal: Board) -> int:
        here.add(os.getpid())
        return 0

    found = list(solve_many([EASY, SOLVED], heuristic=heuristic, workers=2))
    assert [r.length for r in found] == [1, 0]
    assert here == {os.getpid()}


# --- executors ----------------------------------------------------------------------------------


def test_processes_of_the_standard_library() -> None:
    wanted = some(300)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert_same(list(solve_many(wanted, executor=pool)), wanted)


def test_processes_of_this_machine() -> None:
    wanted = some(3000)
    with Processes(2) as pool:
        assert_same(list(solve_many(wanted, executor=pool)), wanted)


class Later(Executor):
    """One that does things in another order, and only what the interface promises."""

    def __init__(self) -> None:
        self._calls: list[tuple[Future[Any], Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._calls.append((future, lambda: fn(*args, **kwargs)))
        if len(self._calls) == 3:
            threading.Timer(0.001, self._perform).start()
        threading.Timer(0.02, self._perform).start()
        return future

    def _perform(self) -> None:
        calls, self._calls = self._calls, []
        for future, call in reversed(calls):
            future.set_result(call())


def test_any_executor_in_order() -> None:
    wanted = some(40)
    assert_same(list(solve_many(wanted, executor=Later(), workers=3)), wanted)


def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from taquin import Board, solve_many\n"
        "boards = (Board.random(3, 3, seed=seed) for seed in range(20000))\n"
        "print(sum(result.length for result in solve_many(boards, workers=2)))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=300
    )
    assert done.stderr == ""
    assert int(done.stdout) > 20000


# --- streams ------------------------------------------------------------------------------------


def test_endless_input_is_taken_as_it_is_needed() -> None:
    taken = itertools.count()
    endless = (Board.random(2, 3, seed=next(taken) % 500) for _ in itertools.count())
    results = solve_many(endless, workers=2)
    for _ in range(5000):
        next(results)
    results.close()
    assert next(taken) < 5000 + 20 * MOST_IN_A_GROUP


def test_a_result_that_takes_long_holds_up_only_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a board that takes forever, others are solved, but not without end."""
    monkeypatch.setattr("taquin.flow._MOST_HELD", 100_000)
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        yield HARD
        while True:
            taken += 1
            yield SOLVED

    cancel = threading.Event()
    with Threads(2) as pool:
        results = solve_many(endless(), executor=pool, tables="none", cancel=cancel)
        waiting = threading.Thread(target=lambda: next(results, None))
        waiting.start()
        seen, end = -1, time.monotonic() + 60
        while (taken <= 100 or taken != seen) and time.monotonic() < end:
            seen = taken
            time.sleep(1)
        cancel.set()
        waiting.join(30)
        assert not waiting.is_alive()
    assert 100 < taken < 10_000


def test_easy_boards_do_not_wait_for_a_hard_one() -> None:
    """As completed, a thousand easy boards overtake the one that was taken together with them."""
    group = [EASY] * 500 + [HARD] + [EASY] * 500
    with Threads(2) as pool:
        results = solve_many(group, executor=pool, tables="none", ordered=False)
        lengths = [next(results).length for _ in range(1000)]
        results.close()
    assert lengths == [1] * 1000


def test_in_order_the_boards_before_a_hard_one_come_at_once() -> None:
    results = solve_many([EASY] * 500 + [HARD], tables="none", workers=2)
    assert [next(results).length for _ in range(500)] == [1] * 500
    results.close()


def test_no_boards() -> None:
    assert list(solve_many([])) == []


def test_a_group_is_cut_where_a_board_takes_long() -> None:
    group = Boards(map(Board, [EASY, HARD, EASY]))
    part = solve_group(group, None, {**ENGINE, "tables": "none"}, _Stop(patience=2))
    assert (len(part.answer), part.done, part.cut) == (1, 1, True)


def test_groups_grow_with_the_speed_of_boards() -> None:
    pace = Pace()
    assert pace.size == 1
    for _ in range(20):
        pace.learn(Part(None, pace.size, pace.size * 1e-6))
    assert pace.size == MOST_IN_A_GROUP
    for _ in range(20):
        pace.learn(Part(None, 1, 3.0))
    assert pace.size == 1


# --- the end of it ------------------------------------------------------------------------------


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def gone(pids: list[int], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(map(is_running, pids)):
            return True
        time.sleep(0.01)
    return False


def test_closing_ends_the_work() -> None:
    before = set(children(os.getpid()))
    results = solve_many(itertools.chain([EASY], itertools.repeat(HARD)), tables="none")
    assert next(results).length == 1
    results.close()
    assert set(children(os.getpid())) <= before
    assert not [t for t in threading.enumerate() if t.name.startswith("taquin")]


def test_an_iterator_that_is_dropped_ends_the_work() -> None:
    before = set(children(os.getpid()))
    results = solve_many(itertools.repeat(EASY), workers=2)
    for _ in range(5000):
        next(results)
    del results
    gc.collect()
    assert set(children(os.getpid())) <= before


def test_cancel_ends_it() -> None:
    cancel = threading.Event()
    results = solve_many(itertools.repeat(EASY), cancel=cancel, workers=2)
    next(results)
    cancel.set()
    assert len(list(results)) < 100_000


def test_cancel_reaches_what_is_being_solved_in_threads() -> None:
    cancel = threading.Event()
    with Threads(1) as pool:
        threading.Timer(0.2, cancel.set).start()
        assert list(solve_many([HARD], executor=pool, tables="none", cancel=cancel)) == []


PARENT = """
import itertools, sys
from taquin import solve_many
from taquin.processes import Processes
with Processes(2) as pool:
    boards = itertools.chain(["1 0/2 3"] * 3, itertools.repeat({hard!r}))
    results = solve_many(boards, executor=pool, tables="none", ordered=False)
    next(results)
    print(*pool.pids(), flush=True)
    list(results)
"""


def test_workers_do_not_outlive_a_killed_process() -> None:
    command = [sys.executable, "-c", PARENT.format(hard=HARD)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pids = list(map(int, process.stdout.readline().split()))
        assert len(pids) == 2
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
    assert gone(pids)


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ordered", [True, False])
def test_a_text_that_is_no_board_comes_after_the_results_before_it(ordered: bool) -> None:
    results = solve_many([EASY, EASY, "1 2 2 / 3 0 4", EASY], ordered=ordered)
    assert [next(results).length, next(results).length] == [1, 1]
    with pytest.raises(BoardError, match="tile 2 appears twice") as caught:
        next(results)
    assert caught.value.__notes__ == ["board 3"]
    assert list(results) == []


def test_an_input_that_fails() -> None:
    def failing() -> Iterator[str]:
        yield from [EASY] * 10
        raise RuntimeError("no more of this")

    results = solve_many(failing())
    assert len(list(itertools.islice(results, 10))) == 10
    with pytest.raises(RuntimeError, match="no more of this"):
        next(results)


def test_a_board_that_does_not_fit_the_goal() -> None:
    results = solve_many([SOLVED, EASY, "1 2/3 0", EASY], SOLVED, workers=2)
    assert [next(results).length, next(results).length] == [0, 1]
    with pytest.raises(BoardError, match="the goal is 3×3, but the board is 2×2"):
        next(results)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"quality": 0.5}, OptionError),
        ({"quality": "best"}, UnknownNameError),
        ({"algorithm": "quantum"}, UnknownNameError),
        ({"heuristic": "oracle"}, UnknownNameError),
        ({"tables": "huge"}, UnknownNameError),
        ({"metric": "double"}, UnknownNameError),
        ({"weight": 2.0}, OptionError),
        ({"workers": 0}, OptionError),
        ({"algorithm": "astar", "tables": "default"}, OptionError),
        ({"goal": "blank-lost"}, UnknownNameError),
        ({"goal": "1 2 / 3 3"}, BoardError),
    ],
    ids=str,
)
def test_misuse_is_told_at_once(options: dict[str, Any], error: type[TaquinError]) -> None:
    with pytest.raises(error) as caught:
        solve_many(itertools.repeat(EASY), **options)
    assert_clear(caught.value)


def test_a_goal_whose_shape_the_boards_tell() -> None:
    assert next(solve_many(["1 2 3/4 5 0"], "1 2 3 4 5 0")).length == 0


def test_tables_that_a_shape_has_not() -> None:
    with pytest.raises(OptionError, match="no large tables for 3×3 boards"):
        list(solve_many([FAR], tables="large"))


def test_a_worker_that_dies_is_told_with_what_was_answered_before() -> None:
    """In the middle of boards that never end, one process is killed."""
    with Processes(1) as pool:
        results = solve_many(itertools.chain([EASY] * 100, [HARD]), executor=pool, tables="none")
        assert [next(results).length for _ in range(100)] == [1] * 100
        threading.Timer(0.3, os.kill, (pool.pids()[0], signal.SIGKILL)).start()
        with pytest.raises(BatchError, match=r"a worker process died \(SIGKILL\)") as caught:
            next(results)
        assert_clear(caught.value)


def test_processes_of_the_standard_library_that_die() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pid = pool.submit(os.getpid).result()
        results = solve_many([EASY, HARD], executor=pool, tables="none")
        assert next(results).length == 1
        threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
        with pytest.raises(BatchError, match="the work can't go on"):
            next(results)


def test_an_executor_that_is_shut_down() -> None:
    pool = Threads(1)
    pool.shutdown()
    with pytest.raises(RuntimeError, match="shutdown"):
        next(solve_many([EASY], executor=pool))


# --- processes ----------------------------------------------------------------------------------


def test_processes_answer_and_fail_like_any_executor() -> None:
    with Processes(2) as pool:
        assert list(pool.map(pow, range(50), itertools.repeat(2))) == [n * n for n in range(50)]
        with pytest.raises(NotationError, match="'no' is not a tile"):
            pool.submit(Board.parse, "no board").result()
        with pytest.raises(UnknownNameError, match="did you mean 'snail'"):
            pool.submit(goals.named, "snale", 3, 3).result()
        assert pool.submit(print, "this must not get between the answers").result() is None
        assert pool.submit(pow, 2, 3).result() == 8
    with pytest.raises(RuntimeError):
        pool.submit(pow, 1, 1)


def test_a_process_that_is_ended() -> None:
    pool = Processes(1)
    future = pool.submit(time.sleep, 60)
    waiting = pool.submit(pow, 2, 2)
    while not future.running():
        time.sleep(0.01)
    pids = pool.pids()
    pool.kill()
    assert isinstance(future.exception(), BrokenExecutor)
    assert waiting.cancelled()
    assert gone(pids)


def test_few_boards_start_no_processes() -> None:
    pool = Local(2, warm_up=60)
    assert pool.submit(os.getpid).result() == os.getpid()
    pool._until = time.monotonic()
    assert pool.submit(os.getpid).result() != os.getpid()
    pool.close()


def test_a_flow_of_anything() -> None:
    class Numbers(list[int]):
        weight = 1

        def __getitem__(self, part: Any) -> Any:
            found = super().__getitem__(part)
            return Numbers(found) if isinstance(part, slice) else found

    class Source:
        def __init__(self) -> None:
            self.left = list(range(100))

        @property
        def ended(self) -> bool:
            return not self.left

        def take(self, count: int, wait: bool) -> Numbers:
            taken, self.left = self.left[:count], self.left[count:]
            return Numbers(taken)

    def square(numbers: Numbers) -> Part[list[int]]:
        """All but the last, which is left for another turn; 50 must be alone."""
        done = max(1, len(numbers) - 1)
        cut = 50 in numbers and len(numbers) > 1
        done = numbers.index(50) if cut else done
        return Part([n * n for n in numbers[:done]], done, 0.001, cut)

    with Threads(4) as pool:
        flow = Flow(Source(), lambda group: pool.submit(square, group), capacity=lambda: 4)
        found = [n for _, squares in flow for n in squares]
    assert found == [n * n for n in range(100)]
