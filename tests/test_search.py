import threading
import tracemalloc
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import exact_distance, reachable

from taquin import Board, BoardGraph, Limit, goals, search
from taquin.errors import OptionError, UnknownNameError
from taquin.heuristics import linear_conflict, manhattan, misplaced
from taquin.search import ALGORITHMS

NAMES = list(ALGORITHMS)
OPTIMAL = [name for name in NAMES if ALGORITHMS[name].optimal]
BOUNDING = [name for name in NAMES if ALGORITHMS[name].bounds]
CLOSING = ["bfs", "ucs", "greedy", "astar", "wastar", "bidirectional", "mm"]
ITERATIVE = ["iddfs", "idastar"]
# Some are slow on far boards: these get boards within a walk of so many steps.
NEAR = {"bfs": 12, "dfs": 8, "iddfs": 9, "ucs": 12, "rbfs": 14}
OPTIONS = {"dfs": {"depth": 10}, "beam": {"width": 200}}

FAR = Board("8 6 7/2 5 4/3 0 1")
GOAL = goals.blank_last(3, 3)


def test_the_promised_algorithms_are_there():
    assert set(NAMES) == {
        "bfs", "dfs", "iddfs", "ucs", "bidirectional", "greedy", "astar", "wastar", "idastar",
        "rbfs", "beam", "mm",
    }  # fmt: skip
    assert set(NAMES) - set(OPTIMAL) == {"dfs", "greedy", "wastar", "beam"}


# --- the laws of all ----------------------------------------------------------------------------


def run_law(name: str, board: Board, goal: Board, **options) -> search.Outcome:
    """A path from board to goal, as short as promised, and what is known of it true."""
    distance = exact_distance(board, goal)
    graph = BoardGraph(*board.shape, goal)
    outcome = ALGORITHMS[name](graph, board, goal, manhattan, **options)
    assert outcome.status == "solved"
    assert outcome.reason == ""
    path = outcome.path
    assert (path[0], path[-1]) == (board, goal)
    assert all(there in here.neighbours() for here, there in pairwise(path))
    assert len(path) - 1 >= distance
    assert outcome.lower_bound <= distance
    if name in OPTIMAL:
        assert len(path) - 1 == distance == outcome.lower_bound
    stats = outcome.stats
    assert stats.generated >= stats.expanded >= 0
    assert stats.seconds > 0
    return outcome


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (1, 6), (6, 1), (2, 2)])
@settings(max_examples=30)
@given(data=st.data())
def test_every_algorithm_keeps_its_promises(name, shape, data):
    goal = data.draw(st.sampled_from([goals.snail(*shape), goals.blank_last(*shape)]))
    board = data.draw(reachable(*shape, goal, walk=NEAR.get(name)))
    run_law(name, board, goal, **OPTIONS.get(name, {}))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("iddfs", "dfs", "rbfs")])
def test_the_farthest_board_of_3x3(name):
    run_law(name, FAR, GOAL, **OPTIONS.get(name, {}))


@given(reachable(3, 3), st.sampled_from([1, 1.1, 1.5, 2, 5]))
def test_weighted_astar_stays_within_its_weight(board, weight):
    outcome = run_law("wastar", board, GOAL, weight=weight)
    assert len(outcome.path) - 1 <= weight * exact_distance(board)
    assert len(outcome.path) - 1 <= weight * max(outcome.lower_bound, 0) + 1e-9


@pytest.mark.parametrize("heuristic", [misplaced, manhattan, linear_conflict], ids=lambda h: h.name)
@pytest.mark.parametrize("name", ["astar", "idastar", "mm"])
@settings(max_examples=20)
@given(board=reachable(2, 4, "snail", walk=20))
def test_any_admissible_heuristic_gives_the_optimum(name, heuristic, board):
    goal = goals.snail(2, 4)
    outcome = ALGORITHMS[name](BoardGraph(2, 4, goal), board, goal, heuristic)
    assert len(outcome.path) - 1 == exact_distance(board, goal)


# --- any graph ----------------------------------------------------------------------------------


class Thing:
    """A vertex that can be told apart but not ordered, as nothing more is asked of one."""

    def __init__(self, name: object) -> None:
        self.name = name


class Grid:
    """A grid with walls; the vertices are places (row, column), but in disguise."""

    def __init__(self, *rows: str) -> None:
        self.things = {
            (r, c): Thing((r, c))
            for r, row in enumerate(rows)
            for c, char in enumerate(row)
            if char != "#"
        }

    def __getitem__(self, place: tuple[int, int]) -> Thing:
        return self.things[place]

    def neighbours(self, thing: Thing) -> list[Thing]:
        r, c = thing.name
        around = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
        return [self.things[place] for place in around if place in self.things]


def taxicab(thing: Thing, goal: Thing) -> int:
    (r, c), (s, d) = thing.name, goal.name
    return abs(r - s) + abs(c - d)


MAZE = Grid(
    ".....#..",
    ".###.#.#",
    ".#...#..",
    ".#.###.#",
    "...#....",
    ".#...##.",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_maze(name):
    outcome = ALGORITHMS[name](MAZE, MAZE[0, 0], MAZE[0, 7], taxicab)
    path = outcome.path
    assert path[0] is MAZE[0, 0]
    assert path[-1] is MAZE[0, 7]
    assert all(taxicab(a, b) == 1 for a, b in pairwise(path))
    if name in OPTIMAL:
        assert len(path) - 1 == 17


@pytest.mark.parametrize("name", NAMES)
def test_start_and_goal_are_one(name):
    for heuristic in (None, taxicab):
        outcome = ALGORITHMS[name](MAZE, MAZE[2, 2], MAZE[2, 2], heuristic)
        assert outcome.path == [MAZE[2, 2]]
        assert outcome.status == "solved"
        assert outcome.lower_bound == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_goal_that_can_not_be_reached(name):
    island = Grid("...#.", "...#.")
    outcome = ALGORITHMS[name](island, island[0, 0], island[0, 4], taxicab)
    assert outcome.path is None
    complete = ALGORITHMS[name].complete
    assert outcome.status == ("unsolvable" if complete else "limit")
    assert ("no way leads" if complete else "found nothing") in outcome.reason


class Links(dict):
    def neighbours(self, vertex):
        return self[vertex]


@st.composite
def random_graphs(draw):
    """An undirected graph of up to 12 numbers, its distances to 0, and values no larger."""
    count = draw(st.integers(2, 12))
    links = Links({vertex: set() for vertex in range(count)})
    for vertex in range(1, count):
        for other in draw(st.sets(st.integers(0, vertex - 1), min_size=1, max_size=3)):
            links[vertex].add(other)
            links[other].add(vertex)
    distances = {start: breadth_first(links, start) for start in links}
    share = draw(st.dictionaries(st.integers(0, count - 1), st.floats(0, 1)))
    return links, distances, share


def breadth_first(links: Links, start: int) -> dict[int, int]:
    distances = {start: 0}
    queue = [start]
    for vertex in queue:
        for neighbour in links[vertex]:
            if neighbour not in distances:
                distances[neighbour] = distances[vertex] + 1
                queue.append(neighbour)
    return distances


@pytest.mark.parametrize("name", OPTIMAL)
@given(graph=random_graphs())
def test_optimal_on_any_graph_with_any_admissible_heuristic(name, graph):
    links, distances, share = graph

    def heuristic(vertex: int, goal: int) -> float:
        return distances[goal][vertex] * share.get(vertex, 0)

    heuristic.admissible = True
    start = len(links) - 1
    outcome = ALGORITHMS[name](links, start, 0, heuristic)
    assert len(outcome.path) - 1 == distances[0][start] == outcome.lower_bound


def test_astar_opens_again_what_a_fickle_heuristic_closed_too_early():
    links = Links({  # the upper way s-a-c is shorter, but b looks better
        "s": ["a", "b"], "a": ["s", "c"], "b": ["s", "d"], "d": ["b", "c"], "c": ["a", "d", "e"],
        "e": ["c", "f"], "f": ["e", "g"], "g": ["f"],
    })  # fmt: skip
    h = {"a": 4, "s": 0, "b": 0, "c": 0, "d": 0, "e": 0, "f": 0, "g": 0}
    events = []
    outcome = search.astar(links, "s", "g", lambda v, goal: h[v], on_event=events.append)
    assert "".join(outcome.path) == "sacefg"
    assert [event.vertex for event in events].count("c") == 2


# --- what closes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLOSING)
@settings(max_examples=20)
@given(data=st.data())
def test_nothing_is_expanded_twice(name, data):
    board = data.draw(reachable(3, 3, walk=NEAR.get(name)))
    events = []
    ALGORITHMS[name](BoardGraph(3, 3), board, GOAL, manhattan, on_event=events.append)
    times = Counter(event.vertex for event in events)
    # Meet in the middle has a closed set for each end.
    assert max(times.values(), default=0) <= (2 if name == "mm" else 1)


def test_bfs_closes_all_181440_boards():
    outcome = search.bfs(BoardGraph(3, 3), GOAL, GOAL.exchange(1, 2))
    assert outcome.path is None
    assert outcome.stats.expanded == 181_440
    assert outcome.lower_bound == 31


# --- events --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20)
@given(board=reachable(3, 3, walk=8))
def test_every_expansion_is_an_event(name, board):
    events = []
    algorithm = ALGORITHMS[name]
    options = OPTIONS.get(name, {})
    outcome = algorithm(BoardGraph(3, 3), board, GOAL, manhattan, on_event=events.append, **options)
    assert len(events) == outcome.stats.expanded
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    for event in events:
        assert event.f == event.g + event.h
        assert event.frontier >= 0
        assert event.closed >= 0
        if algorithm.informed and name != "mm":
            assert event.h == manhattan(event.vertex)
        if not algorithm.informed:
            assert event.h == 0
        assert (event.threshold is None) == (name not in ITERATIVE)
        assert event.to_dict()["board"] == str(event.vertex)
        assert set(event.to_dict()) == {
            "number", "board", "g", "h", "f", "frontier", "closed", "threshold",
        }  # fmt: skip
    assert outcome.stats.peak_frontier == max((event.frontier for event in events), default=0)


@pytest.mark.parametrize("name", ITERATIVE)
@given(board=reachable(3, 3, walk=10))
def test_thresholds_rise_and_bound_what_is_expanded(name, board):
    events = []
    outcome = ALGORITHMS[name](BoardGraph(3, 3), board, GOAL, manhattan, on_event=events.append)
    iterations = outcome.stats.iterations
    thresholds = [threshold for threshold, _ in iterations]
    assert all(a < b for a, b in pairwise(thresholds))
    assert thresholds[-1] == len(outcome.path) - 1
    assert sum(count for _, count in iterations) == len(events)
    for threshold, count in iterations:
        within = [event for event in events if event.threshold == threshold]
        assert len(within) == count
        assert all(event.f <= threshold for event in within)


def test_astar_expands_in_the_order_of_f():
    events = []
    search.astar(BoardGraph(3, 3), FAR, GOAL, manhattan, on_event=events.append)
    assert all(a.f <= b.f for a, b in pairwise(events))
    assert max(event.g for event in events) > 20


def test_greedy_minds_h_alone_and_ucs_g_alone():
    greedy, ucs = [], []
    board = Board.random(3, 3, seed=4, walk=12)
    search.greedy(BoardGraph(3, 3), FAR, GOAL, manhattan, on_event=greedy.append)
    search.ucs(BoardGraph(3, 3), board, GOAL, on_event=ucs.append)
    assert all(a.g <= b.g for a, b in pairwise(ucs))
    assert any(a.f > b.f for a, b in pairwise(greedy))


def test_mm_never_expands_beyond_the_middle():
    events = []
    search.mm(BoardGraph(3, 3), FAR, GOAL, manhattan, on_event=events.append)
    assert max(event.g for event in events) <= 31 / 2


# --- limits --------------------------------------------------------------------------------------

NEVER = FAR.exchange(1, 2)  # not reached by any board of the other half


@pytest.mark.parametrize("expanded", [0, 1, 31, 32, 33, 500])
@pytest.mark.parametrize("name", NAMES)
def test_the_limit_of_expansions_is_exact(name, expanded):
    outcome = ALGORITHMS[name](
        BoardGraph(3, 3), FAR, NEVER, manhattan, limit=Limit(expanded=expanded)
    )
    assert outcome.status == "limit"
    assert outcome.path is None
    assert outcome.stats.expanded == expanded
    assert f"{expanded:,} expanded" in outcome.reason


@pytest.mark.parametrize("name", NAMES)
def test_the_limit_of_time(name):
    outcome = ALGORITHMS[name](BoardGraph(5, 5), Board.random(5, 5, seed=1), goals.blank_last(5, 5),
                               limit=Limit(seconds=0))  # fmt: skip
    assert outcome.status == "limit"
    assert "the time limit of 0 s" in outcome.reason
    assert outcome.stats.expanded == 0


@pytest.mark.parametrize(
    "name", ["bfs", "dfs", "ucs", "bidirectional", "greedy", "astar", "beam", "mm"]
)
def test_the_limit_of_memory(name):
    options = {"width": 10**6} if name == "beam" else {}
    outcome = ALGORITHMS[name](
        BoardGraph(4, 4), Board.random(4, 4, seed=1), goals.blank_last(4, 4),
        limit=Limit(memory=10**6), **options,
    )  # fmt: skip
    assert outcome.status == "limit"
    assert "the memory limit of 1 MB" in outcome.reason
    assert 10**6 < outcome.stats.peak_memory < 1.2 * 10**6


@pytest.mark.parametrize("name", ["iddfs", "idastar", "rbfs"])
def test_those_with_little_memory_need_little(name):
    outcome = ALGORITHMS[name](
        BoardGraph(4, 4), Board.random(4, 4, seed=1), goals.blank_last(4, 4), manhattan,
        limit=Limit(memory=10**5, expanded=2000),
    )  # fmt: skip
    assert outcome.reason == "the limit of 2,000 expanded boards"
    assert outcome.stats.peak_memory < 10**5


@pytest.mark.parametrize("name", BOUNDING)
@settings(max_examples=40)
@given(board=reachable(3, 3), expanded=st.integers(0, 400))
def test_the_bound_is_true_whenever_a_search_is_stopped(name, board, expanded):
    outcome = ALGORITHMS[name](
        BoardGraph(3, 3), board, GOAL, manhattan, limit=Limit(expanded=expanded)
    )
    assert 0 <= outcome.lower_bound <= exact_distance(board)
    if outcome.path:
        assert len(outcome.path) - 1 >= exact_distance(board)


@pytest.mark.parametrize("name", NAMES)
def test_cancelled_before_it_starts(name):
    cancel = threading.Event()
    cancel.set()
    outcome = ALGORITHMS[name](BoardGraph(3, 3), FAR, GOAL, manhattan, cancel=cancel)
    assert outcome.status == "cancelled"
    assert outcome.stats.expanded == 0


@pytest.mark.parametrize("name", NAMES)
def test_cancelled_from_another_thread(name):
    cancel, started = threading.Event(), threading.Event()
    found = []
    board = Board.random(6, 6, seed=1)

    def work():
        options = {"width": 10**6} if name == "beam" else {}
        found.append(
            ALGORITHMS[name](
                BoardGraph(6, 6),
                board,
                goals.blank_last(6, 6),
                cancel=cancel,
                limit=Limit(seconds=60),
                on_event=lambda event: started.set(),
                **options,
            )
        )

    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(60)
    cancel.set()
    thread.join(60)
    assert found[0].status == "cancelled"
    assert found[0].stats.expanded > 0


@pytest.mark.parametrize("name", NAMES)
def test_progress_is_told(name, monkeypatch):
    monkeypatch.setattr("taquin.heartbeat.INTERVAL", 0)
    reports = []
    ALGORITHMS[name](
        BoardGraph(4, 4), Board.random(4, 4, seed=1), goals.blank_last(4, 4), manhattan,
        limit=Limit(expanded=2000), on_progress=reports.append,
    )  # fmt: skip
    assert len(reports) >= 5
    assert all(a.expanded <= b.expanded and a.seconds <= b.seconds for a, b in pairwise(reports))
    assert all(a.lower_bound <= b.lower_bound for a, b in pairwise(reports))
    assert reports[-1].expanded <= 2000


def test_what_a_callback_raises_comes_out():
    def boom(event):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.astar(BoardGraph(3, 3), FAR, GOAL, manhattan, on_event=boom)


# --- memory --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in NAMES if name not in (*ITERATIVE, "rbfs")])
def test_estimated_memory_is_about_what_python_takes(name):
    options = {"width": 5000} if name == "beam" else {}
    board = Board.random(4, 4, seed=3)
    graph = BoardGraph(4, 4)
    h = misplaced.bind(graph.goal)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        outcome = ALGORITHMS[name](
            graph, board, graph.goal, lambda vertex, goal: h(vertex) if goal is graph.goal else 0,
            limit=Limit(expanded=20_000), **options,
        )  # fmt: skip
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert outcome.stats.expanded > 1000
    assert peak / 2 < outcome.stats.peak_memory < peak * 2


# --- options and names ---------------------------------------------------------------------------


def test_dfs_goes_no_deeper_than_it_may():
    events = []
    board = Board.random(3, 3, seed=2, walk=6)
    outcome = search.dfs(BoardGraph(3, 3), board, GOAL, depth=8, on_event=events.append)
    assert max(event.g for event in events) <= 7
    assert len(outcome.path) - 1 <= 8
    assert search.dfs(BoardGraph(3, 3), FAR, GOAL, depth=10).path is None


def test_a_beam_keeps_only_its_width():
    for width in (1, 5, 50):
        events = []
        search.beam(
            BoardGraph(3, 3), FAR, GOAL, manhattan, width=width, on_event=events.append,
            limit=Limit(expanded=3000),
        )  # fmt: skip
        depths = [event.g for event in events]
        assert max(map(depths.count, set(depths))) <= width


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("astar", {"weight": 2}, r"astar has no option 'weight' \(it has: none\)"),
        ("wastar", {"width": 2}, r"wastar has no option 'width' \(it has: weight\)"),
        ("wastar", {"weight": 0.5}, "weight must be a number from 1 on, not 0.5"),
        ("wastar", {"weight": float("nan")}, "weight must be"),
        ("wastar", {"weight": float("inf")}, "weight must be"),
        ("beam", {"width": 0}, "width must be"),
        ("dfs", {"depth": -1}, "depth must be"),
    ],
)
def test_bad_options(name, options, message):
    with pytest.raises(OptionError, match=message):
        ALGORITHMS[name](
            BoardGraph(2, 2), goals.blank_last(2, 2), goals.blank_first(2, 2), **options
        )


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("A*", "astar"),
        ("ida*", "idastar"),
        ("Dijkstra", "ucs"),
        ("wa*", "wastar"),
        (" BFS ", "bfs"),
    ],
)
def test_names_are_read_kindly(alias, name):
    assert search.get(alias).name == name


def test_unknown_names():
    with pytest.raises(UnknownNameError, match="unknown algorithm 'astr': did you mean 'astar'"):
        search.get("astr")


# --- graphs of all kinds -------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_neighbours_may_come_one_by_one_and_anything_may_be_a_vertex(name):
    links = {None: ["a"], "a": [None, ("b",)], ("b",): ["a"]}

    class Lazy:
        def neighbours(self, vertex):
            yield from links[vertex]

    outcome = ALGORITHMS[name](Lazy(), None, ("b",))
    assert outcome.path == [None, "a", ("b",)]
