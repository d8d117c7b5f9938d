from collections import deque
from itertools import pairwise
from math import factorial

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import all_boards, boards, data_lines, exact_distance, goal_names, reachable, shapes

from taquin import Board, BoardGraph, Limit, goals
from taquin.errors import BoardError, OptionError
from taquin.parity import reaches
from taquin.tables import exact


def known_layers() -> list:
    rows = []
    for shape, blank, extent, counts, _ in data_lines("layers.txt"):
        rows.append(
            pytest.param(
                *map(int, shape.split("x")),
                int(blank),
                extent == "whole",
                [int(count) for count in counts.split()],
                id=f"{shape} blank {blank}",
            )
        )
    return rows


def goal_with_blank(rows: int, cols: int, blank: int) -> Board:
    tiles = list(range(1, rows * cols))
    return Board([*tiles[:blank], 0, *tiles[blank:]], shape=(rows, cols))


# --- layers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "cols", "blank", "whole", "counts"), known_layers())
def test_layers_with_known_answers(rows, cols, blank, whole, counts):
    graph = BoardGraph(rows, cols, goal_with_blank(rows, cols, blank))
    assert list(graph.layers(None if whole else len(counts) - 1)) == counts
    if whole:
        assert sum(counts) == graph.size


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (2, 4), (1, 7)])
def test_layers_do_not_depend_on_the_tiles_names(shape):
    plain = list(BoardGraph(*shape).layers())
    assert list(BoardGraph(*shape, Board.random(*shape, seed=1)).layers()) != []
    renamed = goals.blank_last(*shape).exchange(1, 2)
    assert list(BoardGraph(*shape, renamed).layers()) == plain


def test_layers_of_lines():
    assert list(BoardGraph(1, 5).layers()) == [1, 1, 1, 1, 1]
    assert list(BoardGraph(5, 1, "1/2/0/3/4").layers()) == [1, 2, 2]


def test_layers_stop_where_they_are_told():
    assert list(BoardGraph(4, 4).layers(3)) == [1, 2, 4, 10]
    assert list(BoardGraph(3, 3).layers(0)) == list(BoardGraph(4, 4).layers(0)) == [1]
    assert list(BoardGraph(4, 4).layers(limit=Limit(expanded=10))) == [1, 2, 4, 10]
    for graph in (BoardGraph(3, 3), BoardGraph(4, 4)):
        with pytest.raises(OptionError, match="distance of -1"):
            list(graph.layers(-1))


@pytest.mark.parametrize(
    ("shape", "farthest"), [((2, 2), 6), ((2, 3), 21), ((2, 4), 36), ((3, 3), 31)]
)
def test_the_farthest_boards(shape, farthest):
    for goal in ("blank-last", "blank-first"):
        graph = BoardGraph(*shape, goal)
        boards = graph.farthest()
        assert {exact_distance(board, goal) for board in boards} == {farthest}
        assert len(boards) == list(graph.layers())[-1]


def test_the_two_farthest_of_3x3():
    assert list(map(str, BoardGraph(3, 3).farthest())) == ["6 4 7/8 5 0/3 2 1", "8 6 7/2 5 4/3 0 1"]


# --- rank ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("goal", [*goals.NAMED, "4 2 0/1 5 3"])
def test_rank_is_a_bijection_on_2x3(goal):
    graph = BoardGraph(2, 3, goal)
    members = [board for board in all_boards(2, 3) if board in graph]
    assert sorted(map(graph.rank, members)) == list(range(graph.size)) == list(range(360))
    assert all(graph.unrank(graph.rank(board)) == board for board in members)


@pytest.mark.parametrize("shape", [(3, 3), (1, 8), (8, 1), (4, 4), (3, 5), (5, 5), (2, 12), (9, 9)])
@given(data=st.data())
def test_rank_and_unrank_undo_each_other(shape, data):
    graph = BoardGraph(*shape, data.draw(goal_names()))
    rank = data.draw(st.integers(0, graph.size - 1))
    board = graph.unrank(rank)
    assert board in graph
    assert graph.rank(board) == rank
    other = data.draw(reachable(*shape, graph.goal))
    assert graph.unrank(graph.rank(other)) == other


@pytest.mark.parametrize("shape", [(2, 3), (3, 3), (2, 5), (1, 6)])
@given(data=st.data())
def test_rank_is_the_tables_rank(shape, data):
    goal = data.draw(st.sampled_from([goals.blank_last(*shape), goals.snail(*shape)]))
    board = data.draw(reachable(*shape, goal))
    table = exact(goal)
    canonical = goals.canonical(board, goal)
    assert BoardGraph(*shape, goal).rank(board) == table.rank(canonical)
    assert table.unrank(table.rank(canonical)) == canonical


def test_what_has_no_rank():
    graph = BoardGraph(3, 3)
    with pytest.raises(BoardError, match="does not reach the goal"):
        graph.rank(graph.goal.exchange(1, 2))
    with pytest.raises(BoardError, match="does not reach the goal"):
        graph.rank(goals.blank_last(2, 2))
    for rank in (-1, graph.size):
        with pytest.raises(OptionError, match="rank is from 0"):
            graph.unrank(rank)


# --- vertices and edges -------------------------------------------------------------------------


@given(boards(max_side=4), goal_names())
def test_membership_is_solvability(board, goal):
    graph = BoardGraph(*board.shape, goal)
    assert (board in graph) == reaches(board, graph.goal)
    assert graph.neighbours(board) == board.neighbours()
    assert all((neighbour in graph) == (board in graph) for neighbour in board.neighbours())


@given(shapes(9))
def test_sizes(shape):
    cells = shape[0] * shape[1]
    graph = BoardGraph(*shape)
    assert graph.size == (cells if 1 in shape else factorial(cells) // 2)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (1, 5), (2, 4)])
def test_distances_and_edges_by_walking_through_everything(shape):
    graph = BoardGraph(*shape, "snail")
    distances = dict(graph.distances())
    assert len(distances) == graph.size
    assert list(distances.values()) == sorted(distances.values())
    assert graph.edges() == sum(len(board.neighbours()) for board in distances) // 2
    assert all(graph.distance(board) == distance for board, distance in distances.items())


@pytest.mark.parametrize(
    ("text", "goal", "answer", "inversions", "source"), data_lines("boards.txt")
)
def test_distances_with_known_answers(text, goal, answer, inversions, source):
    board = Board(text)
    graph = BoardGraph(*board.shape, goal)
    if answer == "unsolvable":
        assert board not in graph
        with pytest.raises(BoardError, match="does not reach the goal"):
            graph.distance(board)
    else:
        assert graph.distance(board) == int(answer)


# --- other people's algorithms ------------------------------------------------------------------


def test_networkx_on_an_exported_part():
    graph = BoardGraph(3, 3, "snail")
    part = graph.to_networkx(radius=9)
    lengths = networkx.single_source_shortest_path_length(part, graph.goal)
    assert part.number_of_nodes() == sum(graph.layers(9))
    assert all(length == exact_distance(board, "snail") for board, length in lengths.items())
    far = max(lengths, key=lengths.get)
    path = networkx.shortest_path(part, graph.goal, far)
    assert len(path) - 1 == 9
    assert all(b in a.neighbours() for a, b in pairwise(path))


def test_an_exported_part_around_another_board():
    center = Board("8 6 7/2 5 4/3 0 1")
    part = BoardGraph(3, 3).to_networkx(center, radius=3)
    assert set(networkx.ego_graph(part, center, radius=3)) == set(part)
    # Every edge within the part is there.
    inner = [board for board in part if networkx.shortest_path_length(part, center, board) < 3]
    assert all(set(part[board]) == set(board.neighbours()) for board in inner)


def test_the_whole_of_2x3_in_networkx():
    graph = BoardGraph(2, 3)
    part = graph.to_networkx(radius=21)
    assert part.number_of_nodes() == graph.size == 360
    assert part.number_of_edges() == graph.edges()
    assert networkx.is_connected(part)
    assert networkx.is_bipartite(part)
    assert networkx.eccentricity(part, graph.goal) == 21


class LazyAdjacency(dict):
    """Fills itself with neighbours as networkx asks for them."""

    def __missing__(self, board: Board) -> dict[Board, dict]:
        self[board] = {neighbour: {} for neighbour in board.neighbours()}
        return self[board]

    def __contains__(self, board: object) -> bool:
        return isinstance(board, Board)


def test_networkx_on_a_graph_that_is_never_built():
    lazy = networkx.Graph()
    lazy._adj = lazy._node = LazyAdjacency()
    board = Board.random(4, 4, seed=1, walk=10)
    path = networkx.bidirectional_shortest_path(lazy, board, goals.blank_last(4, 4))
    assert len(path) - 1 == BoardGraph(4, 4).distance(board)
    assert len(dict.keys(lazy._adj)) < 5000


@settings(max_examples=25)
@given(reachable(2, 4))
def test_a_plain_search_with_a_dict(board):
    goal = goals.blank_last(2, 4)
    came_from = {board: None}
    queue = deque([board])
    while queue and goal not in came_from:
        here = queue.popleft()
        for neighbour in here.neighbours():
            if neighbour not in came_from:
                came_from[neighbour] = here
                queue.append(neighbour)
    steps = 0
    while came_from[goal] is not None:
        goal, steps = came_from[goal], steps + 1
    assert steps == BoardGraph(2, 4).distance(board)
