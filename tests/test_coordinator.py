"""One board by many workers: the same answer and the same work as by one, stopped and resumed."""

import itertools
import json
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from taquin import Board, Limit, engine, solve
from taquin.checkpoint import _checksum, _pack, _unpack
from taquin.errors import CheckpointError, ClusterError, OptionError

# What is found at once is the optimum, which takes 21 million boards to prove.
PROOF = Board.random(5, 5, seed=0, walk=90)
PROOF_OPTIONS = {"tables": "none"}
OPTIMUM = 64

# Takes hours without pattern tables.
HARD = Board("15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 0")
HARD_OPTIONS = {"goal": "blank-first", "tables": "walking"}

# Worth sharing even so: the answer takes more than a hundred million boards.
LONG = Board.random(4, 4, seed=229)


@pytest.fixture(autouse=True)
def _shared_early(monkeypatch):
    """So that searches of a second are shared too."""
    monkeypatch.setattr(engine, "SHORT", 400_000)


@pytest.fixture
def _told_at_every_beat(monkeypatch):
    """So that even a fast machine tells of the middle of a search."""
    monkeypatch.setattr("taquin.heartbeat.INTERVAL", 0)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The result of one machine, with a checkpoint and thus the same subtrees."""
    file = tmp_path_factory.mktemp("alone") / "proof"
    return solve(PROOF, checkpoint=file, **PROOF_OPTIONS)


def test_a_proof_takes_as_many_expansions_with_one_worker_as_with_two(alone, tmp_path):
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(2) as two:
        by_one = solve(PROOF, executor=one, checkpoint=tmp_path / "one", **PROOF_OPTIONS)
        by_two = solve(PROOF, executor=two, checkpoint=tmp_path / "two", **PROOF_OPTIONS)
        undivided = solve(PROOF, executor=two, **PROOF_OPTIONS)
    assert (alone.length, alone.proof) == (OPTIMUM, "optimal")
    for result in (by_one, by_two):
        assert (result.status, result.length, result.proof) == ("solved", OPTIMUM, "optimal")
        assert result.stats.expanded == alone.stats.expanded
        assert result.stats.iterations == alone.stats.iterations
    assert undivided.proof == "optimal"
    assert undivided.stats.expanded < 1.05 * solve(PROOF, **PROOF_OPTIONS).stats.expanded


def test_answers_take_hardly_more_expansions_with_two_workers(monkeypatch):
    """When one worker finds the answer, the other is at something in vain."""
    monkeypatch.undo()
    alone = _expanded_by_long()
    with _Counting(1) as one, _Counting(2) as two:
        by_one, by_two = (_expanded_by_long(executor=executor) for executor in (one, two))
    assert one.calls > 20
    assert two.calls > 20
    assert by_two < 1.05 * by_one
    assert by_two < 1.05 * alone


def _expanded_by_long(**options):
    result = solve(LONG, tables="walking", **options)
    assert result.proof == "optimal"
    return result.stats.expanded


class _Counting(ProcessPoolExecutor):
    calls = 0

    def submit(self, *args, **kwargs):
        self.calls += 1
        return super().submit(*args, **kwargs)


def test_with_patterns_the_fringe_is_shared_too(monkeypatch, tmp_path):
    monkeypatch.setattr(engine, "SHORT", 1000)
    for seed in (1, 4, 5):
        board = Board.random(4, 4, seed=seed)
        options = {"tables": "default", "checkpoint": tmp_path / "file"}
        single = solve(board, **options)
        with ThreadPoolExecutor(2) as executor:
            result = solve(board, executor=executor, **options)
        assert (result.length, result.proof) == (single.length, "optimal")
        assert result.heuristic == "patterns-default"
        # All bounds up to the last one, and what is looked at beyond them.
        assert result.stats.iterations[:-1] == single.stats.iterations[:-1]


def test_easy_boards_need_no_one_else():
    class Nobody(Executor):
        def submit(self, *args, **kwargs):
            raise AssertionError("asked for help")

    assert solve("8 6 7 / 2 5 4 / 3 0 1", executor=Nobody()).length == 31
    assert solve(Board.random(4, 4, seed=3, walk=40), executor=Nobody()).proof == "optimal"
    assert solve("1 2 3 / 4 5 6 / 8 7 0", executor=Nobody()).status == "unsolvable"


@pytest.mark.usefixtures("_told_at_every_beat")
def test_progress_never_goes_back(alone):
    seen = []
    with ThreadPoolExecutor(2) as executor:
        solve(PROOF, executor=executor, on_progress=seen.append, **PROOF_OPTIONS)
    for before, after in itertools.pairwise(seen):
        assert after.expanded >= before.expanded
        assert after.lower_bound >= before.lower_bound
        assert (after.best or 0) <= (before.best or 10**9)
    assert any(progress.seconds_left is not None for progress in seen)
    assert all(progress.lower_bound <= OPTIMUM for progress in seen)
    assert min(progress.best for progress in seen if progress.best is not None) >= OPTIMUM


# --- stopped, and going on ----------------------------------------------------------------------


@pytest.mark.parametrize("expanded", [1_300_000, 4_000_000, 10_000_001])
def test_a_limit_of_expansions_is_kept_to(expanded):
    with ThreadPoolExecutor(2) as executor:
        result = solve(PROOF, executor=executor, limit=Limit(expanded=expanded), **PROOF_OPTIONS)
    assert result.status == "limit"
    assert "expanded" in result.reason
    assert result.stats.expanded == expanded
    assert result.lower_bound < OPTIMUM


def test_a_cancel_stops_all_at_once():
    cancel = threading.Event()

    def on_progress(progress):
        if progress.expanded > 3_000_000:
            cancel.set()

    with ThreadPoolExecutor(2) as executor:
        result = solve(
            HARD, executor=executor, cancel=cancel, on_progress=on_progress, **HARD_OPTIONS
        )
        stopped = time.monotonic()
    assert result.status == "cancelled"
    assert result.length >= result.lower_bound > 0
    assert time.monotonic() - stopped < 5  # no one went on with it


def test_nothing_that_is_done_is_done_again(tmp_path, alone):
    """Stopped again and again, in turn on one machine and by many, it takes no more in all."""
    file = tmp_path / "search.json"
    total, runs, bounds = 0, 0, [0]
    with ThreadPoolExecutor(2) as executor:
        while True:
            by_many = runs % 3 != 2
            # The first answer and the dividing are done again, whoever goes on.
            result = solve(
                PROOF,
                checkpoint=file,
                executor=executor if by_many else None,
                limit=Limit(expanded=PREPARING + 2_500_000),
                **PROOF_OPTIONS,
            )
            runs += 1
            total += result.stats.expanded - PREPARING
            assert result.lower_bound >= bounds[-1]
            bounds.append(result.lower_bound)
            if result.status == "solved":
                break
            assert file.exists()
            assert runs < 50
    assert runs > 5
    assert (result.length, result.proof) == (OPTIMUM, "optimal")
    assert not file.exists()
    # One machine by itself drops the subtree at which it is stopped.
    assert total < 1.1 * alone.stats.expanded


def test_what_is_just_beyond_a_bound_is_not_lost_by_a_stop(tmp_path):
    """The answer is found from there. The next bound would take several times as much."""
    far = Board("15 11 13 12/14 10 8 9/7 2 5 1/3 6 4 0")
    options = {"goal": "blank-first", "tables": "default", "checkpoint": tmp_path / "search.json"}
    alone = solve(far, **options)
    total = 0
    with ThreadPoolExecutor(2) as executor:
        for run in itertools.count():
            who = executor if run % 2 else None
            result = solve(far, executor=who, limit=Limit(expanded=9_000_000), **options)
            total += result.stats.expanded
            if result.status == "solved":
                break
            assert run < 10
    assert run >= 3
    assert (result.length, result.proof) == (alone.length, "optimal") == (80, "optimal")
    assert total < 1.1 * alone.stats.expanded


PREPARING = 1_220_000
"""About what the first answers take, and the dividing."""


@pytest.mark.usefixtures("_told_at_every_beat")
def test_a_killed_run_has_kept_what_was_done(tmp_path, monkeypatch):
    """The file as it was in mid-run, as a killed process would leave it."""
    from taquin import checkpoint

    monkeypatch.setattr(checkpoint, "_SECONDS_BETWEEN", 0)
    file, copies = tmp_path / "search.json", []

    def on_progress(progress):
        copies.append(file.read_text())

    with ThreadPoolExecutor(2) as executor:
        whole = solve(
            PROOF, checkpoint=file, executor=executor, on_progress=on_progress, **PROOF_OPTIONS
        )
        middle = next(c for c in copies if json.loads(c)["expanded"] > whole.stats.expanded // 2)
        file.write_text(middle)
        rest = solve(PROOF, checkpoint=file, executor=executor, **PROOF_OPTIONS)
    done = json.loads(middle)["expanded"]
    assert rest.proof == "optimal"
    assert rest.stats.expanded - PREPARING < whole.stats.expanded - done + 2_000_000


def test_what_is_left_of_subtrees_must_fit(tmp_path):
    file = tmp_path / "search.json"
    with ThreadPoolExecutor(1) as executor:
        limit = Limit(expanded=6_000_000)
        solve(PROOF, checkpoint=file, executor=executor, limit=limit, **PROOF_OPTIONS)
        state = json.loads(file.read_text())
        del state["checksum"]
        state["done"] = _none_done(state["done"])
        for begun, message in [
            ({"19": ["LRLR"]}, "does not fit"),
            ({"99999999": ["L"]}, "is damaged"),
            ({"x": ["L"]}, "is damaged"),
            (7, "is damaged"),
        ]:
            state["begun"] = begun
            file.write_text(json.dumps({**state, "checksum": _checksum(state)}))
            with pytest.raises(CheckpointError, match=message):
                solve(PROOF, checkpoint=file, executor=executor, **PROOF_OPTIONS)


def _none_done(packed: str) -> str:
    return _pack(bytes(len(_unpack(packed))))


# --- what can't be ------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"quality": 1.5}, {"quality": "fast"}, {"metric": "multi"}])
def test_only_an_optimal_search_is_shared(options):
    with ThreadPoolExecutor(1) as executor, pytest.raises(OptionError, match="shared"):
        solve(PROOF, executor=executor, **options)


def test_textbook_algorithms_are_not_shared():
    with ThreadPoolExecutor(1) as executor, pytest.raises(OptionError, match="executor"):
        solve("8 6 7 / 2 5 4 / 3 0 1", algorithm="astar", executor=executor)


def test_workers_that_die_are_an_error_in_words(tmp_path):
    class Dying(Executor):
        def submit(self, *args, **kwargs):
            from concurrent.futures.process import BrokenProcessPool

            future = Future()
            future.set_exception(BrokenProcessPool("a process was killed"))
            return future

    file = tmp_path / "search.json"
    with pytest.raises(ClusterError, match="the workers are gone: a process was killed"):
        solve(PROOF, executor=Dying(), checkpoint=file, **PROOF_OPTIONS)
    assert json.loads(file.read_text())["bound"] > 50


def test_one_part_that_fails_ends_the_run(tmp_path):
    class Unlucky(ThreadPoolExecutor):
        calls = 0

        def submit(self, function, *args):
            self.calls += 1
            return super().submit(fail if self.calls == 4 else function, *args)

    def fail(*args):
        raise MemoryError("a part had no room")

    file = tmp_path / "search.json"
    with Unlucky(2) as executor, pytest.raises(MemoryError, match="a part had no room"):
        solve(PROOF, executor=executor, checkpoint=file, **PROOF_OPTIONS)
    assert json.loads(file.read_text())["bound"] > 50
