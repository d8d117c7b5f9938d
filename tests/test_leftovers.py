"""What searches leave behind: nobody waits until it is gone, and in the end it is."""

from __future__ import annotations

import gc
import threading

import pytest

from taquin import Board, BoardGraph, Limit, leftovers, search, solve
from taquin.heuristics import manhattan


class Something:
    alive = 0

    def __init__(self) -> None:
        Something.alive += 1

    def __del__(self) -> None:
        Something.alive -= 1


@pytest.mark.parametrize("kind", [dict, set, list])
def test_much_is_taken_apart_elsewhere(kind: type) -> None:
    things = [Something() for _ in range(60_000)]
    store = kind((thing, thing) for thing in things) if kind is dict else kind(things)
    del things
    assert Something.alive == 60_000
    leftovers.let_go([store])
    leftovers.wait()
    assert (len(store), Something.alive) == (0, 0)
    assert not leftovers._at_work


def test_little_is_left_alone() -> None:
    leftovers.wait()
    store = {1: 2}
    leftovers.let_go([store])
    assert (store, leftovers._at_work) == ({1: 2}, set())


def test_without_another_thread_all_goes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    leftovers.let_go([set(range(60_000))])
    leftovers.wait()


@pytest.mark.parametrize("name", ["bfs", "dfs", "bidirectional", "ucs", "astar", "beam", "mm"])
def test_all_that_a_stopped_search_has_kept(name: str) -> None:
    graph, start = BoardGraph(4, 4), Board.random(4, 4, seed=3)
    options = {"width": 50_000} if name == "beam" else {}
    leftovers.wait()
    before = sum(isinstance(thing, Board) for thing in gc.get_objects())
    algorithm = search.get(name)
    outcome = algorithm(
        graph, start, graph.goal, manhattan, limit=Limit(expanded=60_000), **options
    )
    assert outcome.status == "limit"
    leftovers.wait()
    gc.collect()
    assert sum(isinstance(thing, Board) for thing in gc.get_objects()) < before + 1000


def test_a_search_that_is_done_keeps_nothing_either() -> None:
    result = solve("8 6 7/2 5 4/3 0 1", algorithm="bfs")
    assert (result.status, result.stats.expanded > 100_000) == ("solved", True)
    leftovers.wait()
    assert not any(thread.name == "leftovers" for thread in threading.enumerate())


def test_the_collector_leaves_alone_what_is_still_to_be_taken_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leftovers.wait()
    monkeypatch.setattr(leftovers, "_PAUSE", 0.02)
    solve(Board.random(4, 4, seed=3), algorithm="bfs", limit=Limit(expanded=60_000))
    assert gc.get_freeze_count() > 60_000
    leftovers.wait()
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize("ends", [None, KeyboardInterrupt])
def test_the_collector_is_spared_only_while_it_runs(
    ends: type[BaseException] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taquin.heartbeat.INTERVAL", 0)
    frozen = []

    def look(progress: object) -> None:
        frozen.append(gc.get_freeze_count())
        if ends is not None and len(frozen) > 1:
            raise ends

    def run() -> None:
        limit = Limit(expanded=10)
        solve(Board.random(4, 4, seed=3), algorithm="bfs", limit=limit, on_progress=look)

    if ends is None:
        run()
    else:
        with pytest.raises(ends):
            run()
    assert max(frozen) > 1000
    assert gc.get_freeze_count() == 0
