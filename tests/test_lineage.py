"""The search tree that is made from events is the one that the algorithm had."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import pairs

from taquin import Board, Limit, search, solve
from taquin.heartbeat import Event
from taquin.lineage import Lineage

BOARD = Board("8 1 3 / 4 0 2 / 7 6 5")


def family(board: Board, goal: Board | None, algorithm: str) -> list[tuple[Event[Board], int]]:
    lineage = Lineage()
    found: list[tuple[Event[Board], int]] = []
    solve(
        board,
        goal,
        algorithm=algorithm,
        limit=Limit(expanded=1000),
        on_event=lambda event: found.append((event, lineage.parent(event) or 0)),
    )
    return found


@pytest.mark.parametrize("algorithm", list(search.ALGORITHMS))
@given(data=st.data())
@settings(max_examples=25)
def test_a_parent_is_a_neighbour_one_step_above(algorithm: str, data: st.DataObject) -> None:
    board, goal = data.draw(pairs())
    events = family(board, goal, algorithm)
    for event, parent in events:
        if not parent:
            assert event.g == 0
            assert event.vertex in (board, goal)
        else:
            above = events[parent - 1][0]
            assert event.vertex in above.vertex.neighbours()
            assert event.g == above.g + 1
            assert above.number < event.number


def test_of_several_ways_breadth_first_search_goes_the_first() -> None:
    """Its own bookkeeping, done again: a board belongs to whoever found it first."""
    first: dict[Board, int] = {BOARD: 0}
    for event, parent in family(BOARD, None, "bfs"):
        assert parent == first[event.vertex]
        for neighbour in event.vertex.neighbours():
            first.setdefault(neighbour, event.number)


@pytest.mark.parametrize("algorithm", ["idastar", "iddfs", "rbfs"])
def test_a_search_in_little_memory_is_on_one_path(algorithm: str) -> None:
    path: list[int] = []
    for event, parent in family(BOARD, None, algorithm):
        del path[int(event.g) :]
        assert parent == (path[-1] if path else 0)
        path.append(event.number)
