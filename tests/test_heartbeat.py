import math
import pickle
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import assert_clear

from taquin import BoardGraph, Limit, goals
from taquin.errors import OptionError
from taquin.heartbeat import Heartbeat, Run, Stopped, available_memory, deep_size
from taquin.result import parse_size


@pytest.fixture
def clock(monkeypatch):
    """A clock that only moves when told to."""

    class Clock:
        now = 100.0

        def perf_counter(self) -> float:
            return self.now

    clock = Clock()
    monkeypatch.setattr("taquin.heartbeat.time", clock)
    return clock


def test_progress_comes_every_50_ms_and_no_more_often(clock):
    reports = []
    heartbeat = Heartbeat(on_progress=reports.append)
    for _ in range(1000):
        clock.now += 0.001
        heartbeat.beat()
    assert 18 <= len(reports) <= 20
    assert reports[0].seconds == pytest.approx(0.05, abs=0.002)


def test_time_is_up_when_the_clock_says_so(clock):
    heartbeat = Heartbeat(Limit(seconds=2))
    clock.now += 1.99
    heartbeat.beat()
    clock.now += 0.02
    with pytest.raises(Stopped) as stop:
        heartbeat.beat()
    assert (stop.value.status, stop.value.reason) == ("limit", "the time limit of 2 s")


def test_the_time_left_is_told_by_what_was_seen_of_a_bound(clock):
    heartbeat = Heartbeat()

    def left(seconds, bound, share):
        clock.now += seconds
        heartbeat.stands_at(bound, share)
        return heartbeat.seconds_left()

    # It began at some time between two looks, so the first one tells nothing.
    assert left(5, 30, 0.4) is None
    assert left(1, 30, 0.41) is None
    assert left(1, 30, 0.6) == pytest.approx(4)
    assert left(1, 32, 1.0) is None
    assert left(0, 32, 0.0) is None
    assert left(2, 32, 0.25) == pytest.approx(6)
    heartbeat.preparing = True
    assert heartbeat.seconds_left() is None


def test_what_is_left_of_the_limits():
    heartbeat = Heartbeat(Limit(expanded=10))
    heartbeat.stats.expanded = 4
    assert heartbeat.expanded_left() == 6
    heartbeat.stats.expanded = 40
    assert heartbeat.expanded_left() == 0
    assert Heartbeat().expanded_left() is None


def test_cancelling():
    cancel = threading.Event()
    heartbeat = Heartbeat(cancel=cancel)
    heartbeat.beat()
    cancel.set()
    with pytest.raises(Stopped) as stop:
        heartbeat.beat()
    assert stop.value.status == "cancelled"


def test_a_stop_goes_from_process_to_process():
    stop = pickle.loads(pickle.dumps(Stopped("limit", "the time limit of 2 s")))
    assert (stop.status, stop.reason) == ("limit", str(stop)) == ("limit", "the time limit of 2 s")


def test_without_a_memory_limit_half_of_the_free_memory_is_the_limit():
    free = available_memory()
    assert free > 1 << 20
    assert free / 4 < Heartbeat().memory_limit < free
    assert Heartbeat(Limit(memory=7)).memory_limit == 7


def test_a_run_counts():
    graph = BoardGraph(3, 3)
    run = Run(graph)
    assert run.expand(graph.goal, frontier=5, closed=2) == graph.goal.neighbours()
    run.expand(graph.goal.neighbours()[0], frontier=3)
    stats = run.finish()
    assert (stats.expanded, stats.generated, stats.peak_frontier) == (2, 5, 5)
    assert stats.peak_memory > 7 * deep_size(graph.goal)


def test_a_run_keeps_the_best_path():
    run = Run(BoardGraph(2, 2))
    for path in (["a", "b", "c"], ["a", "c"], ["a", "b", "b", "c"]):
        run.offer(path)
    assert run.incumbent == ["a", "c"]
    assert run.best == 1


def test_only_a_run_that_proves_has_a_lower_bound():
    run = Run(BoardGraph(2, 2))
    run.reach(5)
    assert (run.bound, run.lower_bound) == (5, 0)
    run.proves = True
    run.reach(4.2)
    assert run.lower_bound == 5
    run.reach(3)
    assert run.lower_bound == 5


def test_a_larger_board_is_larger():
    assert deep_size(goals.blank_last(5, 5)) > deep_size(goals.blank_last(3, 3)) > 100


# --- limits -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("512", 512),
        ("512b", 512),
        ("1k", 1000),
        ("512MB", 512_000_000),
        ("2 GB", 2_000_000_000),
        ("2GiB", 2 << 30),
        ("1.5 GiB", 3 << 29),
        (" 64 mib ", 64 << 20),
        ("10ki", 10 << 10),
    ],
)
def test_sizes(text, size):
    assert parse_size(text) == Limit(memory=text).memory == size


@given(st.text())
def test_any_text_is_a_size_or_a_clear_error(text):
    try:
        assert parse_size(text) >= 0
    except OptionError as error:
        assert_clear(error)


@pytest.mark.parametrize("text", ["", "MB", "-1", "1TBB", "1 ib", "nan", "inf", "1e9", "9" * 400])
def test_no_sizes(text):
    with pytest.raises(OptionError, match="is not a size; write for example 512MB or 2GiB"):
        parse_size(text)


@pytest.mark.parametrize("name", ["seconds", "expanded", "memory"])
@pytest.mark.parametrize("value", [-1, float("nan")])
def test_limits_are_not_negative(name, value):
    with pytest.raises(OptionError, match=f"number from 0 on: {name}="):
        Limit(**{name: value})


def test_limits_are_amounts():
    assert Limit(seconds=math.inf, expanded=math.inf) == Limit()
    for wrong in ({"seconds": "5"}, {"expanded": 1.5}, {"memory": 0.5}):
        with pytest.raises(OptionError, match="number from 0 on"):
            Limit(**wrong)
