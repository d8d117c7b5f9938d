"""Vertices in one dict or in many: the same to whoever asks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import Board, heartbeat, leftovers, search, solve
from taquin.vertices import Vertices

NUMBERS = st.integers(0, 40)
CHANGES = st.one_of(
    st.tuples(st.just("set"), NUMBERS, st.integers()),
    st.tuples(st.just("add"), NUMBERS),
    st.tuples(st.just("discard"), NUMBERS),
    st.tuples(st.just("divide")),
)


@given(st.lists(CHANGES, max_size=80))
def test_vertices_are_a_dict_however_early_they_are_divided(
    changes: list[tuple[object, ...]],
) -> None:
    vertices: Vertices[int] = Vertices()
    model: dict[int, int | None] = {}
    for change in changes:
        match change:
            case ("set", int(vertex), int(value)):
                vertices[vertex] = model[vertex] = value
            case ("add", int(vertex)):
                vertices.add(vertex)
                model[vertex] = None
            case ("discard", int(vertex)):
                vertices.discard(vertex)
                model.pop(vertex, None)
            case _:
                vertices.divide()
    assert len(vertices) == len(model)
    for vertex in range(41):
        assert (vertex in vertices) == (vertex in model)
        assert vertices.get(vertex, "none") == model.get(vertex, "none")
    assert all(vertices[vertex] == value for vertex, value in model.items())
    assert {key: value for piece in vertices.break_up() for key, value in piece.items()} == model


def test_a_vertex_that_is_not_there_is_an_error_in_either_case() -> None:
    vertices = Vertices({1: 2})
    for _ in range(2):
        with pytest.raises(KeyError):
            vertices[3]
        vertices.divide()


STORING = ("bfs", "dfs", "bidirectional", "ucs", "greedy", "astar", "wastar", "beam", "mm")


@pytest.mark.parametrize("name", STORING)
def test_a_search_does_the_same_with_vertices_in_parts(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board("1 2 3 / 7 0 6 / 5 4 8")
    whole = solve(board, algorithm=name)
    divided: list[int] = []
    divide = Vertices.divide

    def noted(vertices: Vertices[Board]) -> None:
        divided.append(len(vertices))
        divide(vertices)

    monkeypatch.setattr(heartbeat, "MANY", 5)
    monkeypatch.setattr(Vertices, "divide", noted)
    in_parts = solve(board, algorithm=name)
    assert divided
    assert in_parts.solution == whole.solution
    assert in_parts.stats.expanded == whole.stats.expanded


def test_every_algorithm_that_keeps_vertices_is_here() -> None:
    assert sorted(filter(_keeps, search.ALGORITHMS)) == sorted(STORING)


def _keeps(name: str) -> bool:
    """Whether an algorithm says what it keeps its vertices in."""
    stores: list[object] = []

    class Watched(heartbeat.Run[int]):
        def keeps(self, *kept: leftovers.Store) -> None:
            stores.extend(kept)

    class Line:
        def neighbours(self, number: int) -> list[int]:
            return [number - 1, number + 1]

    search.ALGORITHMS[name].search(Watched(Line()), 0, 3, lambda here, goal: abs(goal - here))
    return bool(stores)
