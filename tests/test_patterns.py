"""Pattern databases of the core: tables against slow searches, searches against other ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from pattern_reference import Places, Reference, beside, region
from strategies import data_lines, exact_distance

from taquin import Board, _native, goals, store, tables
from taquin.recipes import Pattern, place

# --- tables -------------------------------------------------------------------------------------

SMALL_PATTERNS = [
    Pattern(2, 2, (0,), 1), Pattern(2, 3, (1, 2), 0), Pattern(2, 3, (1, 3), 0),
    Pattern(2, 3, (0, 1, 2), 3), Pattern(2, 4, (0, 3, 5, 6), 1), Pattern(1, 5, (0, 3), 1),
    Pattern(3, 3, (0, 1, 3), 2), Pattern(3, 3, (1, 3), 0), Pattern(3, 3, (1, 4, 7, 8), 2),
    Pattern(3, 3, (0, 1, 2, 3, 4), 5), Pattern(3, 4, (1, 2, 5), 0), Pattern(4, 3, (9, 10), 11),
    Pattern(4, 4, (1, 4, 5), 0), Pattern(4, 4, (0, 1, 4), 2), Pattern(3, 5, (6, 7, 8), 0),
    Pattern(3, 6, (1, 6, 7), 0), Pattern(2, 9, (1, 2, 3, 4), 0), Pattern(5, 5, (1, 5), 0),
]  # fmt: skip


@pytest.mark.parametrize("pattern", SMALL_PATTERNS, ids=lambda pattern: pattern.name)
def test_every_entry_is_that_of_a_breadth_first_search(pattern: Pattern) -> None:
    reference = Reference(pattern.rows, pattern.cols, pattern.cells, pattern.blank)
    alone, shared = bytearray(pattern.size()), bytearray(pattern.size())
    pattern.build(memoryview(alone), 1, None)
    pattern.build(memoryview(shared), 2, None)
    assert alone == shared
    table = pattern.load(memoryview(alone).toreadonly())
    assert {at: table.value(*at) for at in reference.values} == reference.values
    if min(pattern.rows, pattern.cols) > 1:  # tiles of a line can't change their order
        assert reference.entries() == pattern.entries()


@pytest.mark.parametrize("blank", [0, 5, 15])
def test_every_cell_of_the_blanks_region_gives_the_same_table(blank: int) -> None:
    cells = (1, 4) if blank != 5 else (1, 4, 6, 9)
    tables_of = set()
    for other in region(4, 4, cells, blank):
        out = bytearray(Pattern(4, 4, cells, other).size())
        _native.build_pattern(4, 4, other, cells, out)
        tables_of.add(bytes(out))
    assert len(tables_of) == 1


def test_mirror_images_have_the_same_values() -> None:
    generator = Random(8)
    for _ in range(10):
        blank, *others = generator.sample(range(12), 4)
        cells = tuple(sorted(others))
        own = store.make(Pattern(3, 4, cells, blank))
        placement = place(3, 4, cells, blank)
        opened = tables.OpenPattern(placement, store.make(placement.pattern))
        for _ in range(200):
            hole, *places = generator.sample(range(12), 4)
            now = dict(zip(cells, places, strict=True))
            cells_now = [now.get(cell, -1) for cell in range(12)]
            assert opened.value(cells_now, hole) == own.value(places, hole)


@cache
def default_set(rows: int, cols: int, goal: str = "blank-first") -> tables.PatternSet:
    return tables.obtain(goals.NAMED[goal](rows, cols), "default", threads=2)


def large_tables() -> list[tuple[Pattern, Any]]:
    """The tables of six tiles on 4×4 boards."""
    patterns = [p for partition in default_set(4, 4).partitions for p in partition]
    found = {p.placement.pattern: p.table for p in patterns if len(p.placement.homes) == 6}
    return list(found.items())


def test_far_entries_follow_from_their_neighbours() -> None:
    """Each value differs by one from all that a move leads to, and from one of them upwards."""
    generator = Random(3)
    for pattern, table in large_tables():
        assert table.value(pattern.cells, pattern.blank) == 0
        for _ in range(500):
            blank, *cells = generator.sample(range(16), 7)
            places = tuple(cells)
            blanks = region(4, 4, places, blank)
            assert len({table.value(places, cell) for cell in blanks}) == 1
            neighbours = [table.value(*at) for at in _moves_into(pattern, places, blanks)]
            value = table.value(places, blank)
            assert {abs(value - other) for other in neighbours} == {1}
            assert min(neighbours) == value - 1


def test_near_entries_are_those_of_a_breadth_first_search() -> None:
    for pattern, table in large_tables()[:2]:
        start = (pattern.cells, region(4, 4, pattern.cells, pattern.blank))
        values, layer = {start: 0}, [start]
        for moves in range(1, 8):
            farther = []
            for places, blanks in layer:
                for after, blank in _moves_into(pattern, places, blanks):
                    step = after, region(4, 4, after, blank)
                    if step not in values:
                        values[step] = moves
                        farther.append(step)
            layer = farther
        assert len(values) > 200
        assert all(
            table.value(places, min(blanks)) == value for (places, blanks), value in values.items()
        )


def _moves_into(
    pattern: Pattern, places: Places, blanks: frozenset[int]
) -> Iterator[tuple[Places, int]]:
    for number, cell in enumerate(places):
        for near in beside(cell, pattern.rows, pattern.cols):
            if near in blanks:
                yield (*places[:number], near, *places[number + 1 :]), cell


@pytest.mark.parametrize("threads", [1, 2])
def test_the_hook_hears_of_places_and_stops_the_building(threads: int) -> None:
    pattern = Pattern(4, 4, (1, 2, 4, 5, 6), 0)
    heard: list[tuple[float, ...]] = []
    store.make(pattern, threads=threads, hook=lambda *progress: bool(heard.append(progress)))
    assert heard
    with pytest.raises(_native.Stopped):
        store.make(pattern, threads=threads, hook=lambda *_: True)
    assert all(len(progress) == 5 for progress in heard)
    assert all(0 <= progress[0] <= pattern.entries() for progress in heard)
    with pytest.raises(ZeroDivisionError):
        store.make(pattern, threads=threads, hook=lambda *_: bool(1 // 0))


def test_misuse_is_named() -> None:
    with pytest.raises(ValueError, match="leave out the blank's; cell 0"):
        _native.build_pattern(4, 4, 0, (0, 1), bytearray(128))
    with pytest.raises(ValueError, match="cells are 0 to 15, not 16"):
        _native.build_pattern(4, 4, 0, (1, 16), bytearray(128))
    with pytest.raises(ValueError, match="1 to 8 tiles"):
        _native.build_pattern(4, 4, 0, range(1, 11), bytearray(128))
    for tiles in (-1, 0, 9, 1 << 40):
        with pytest.raises(ValueError, match="1 to 8 tiles"):
            _native.PatternSpace(4, 4, tiles)
    with pytest.raises(ValueError, match="has 174 bytes, not 5"):
        _native.build_pattern(4, 4, 0, (1, 2), bytearray(5))
    with pytest.raises(ValueError, match="has 174 bytes, not 5"):
        _native.PatternTable(_native.PatternSpace(4, 4, 2), 0, (1, 2), bytes(5))
    with pytest.raises(ValueError, match="space of another pattern"):
        _native.PatternTable(_native.PatternSpace(4, 4, 3), 0, (1, 2), bytes(128))
    with pytest.raises(ValueError, match="threads must be"):
        _native.build_pattern(4, 4, 0, (1, 2), bytearray(128), 0)
    with pytest.raises(BufferError):
        _native.build_pattern(4, 4, 0, (1, 2), bytes(128))
    table = store.make(Pattern(2, 2, (1, 2), 0))
    with pytest.raises(ValueError, match="must contain every tile"):
        _native.Patterns(2, 2, 0, [[(table, (1, 2), range(4))]])


def test_no_value_exceeds_the_distance_of_any_3x4_board() -> None:
    goal = goals.blank_first(3, 4)
    patterns = tables.for_search(default_set(3, 4), goal)
    audit = _native.audit(3, 4, goal.blank, patterns=patterns, threads=2)
    assert audit.boards == 239_500_800
    assert audit.wrong is None
    assert 3.5 < audit.missing / audit.boards < 4.5


@pytest.mark.parametrize("blank", range(9))
def test_no_value_exceeds_the_distance_of_any_3x3_board(blank: int) -> None:
    goal = Board([*range(1, blank + 1), 0, *range(blank + 1, 9)], shape=(3, 3))
    cells = [cell for cell in range(9) if cell != blank]
    placed = [place(3, 3, tuple(part), blank) for part in (cells[:4], cells[4:])]
    opened = tuple(tables.OpenPattern(p, store.make(p.pattern)) for p in placed)
    patterns = tables.for_search(tables.PatternSet("own", (opened,)), goal)
    audit = _native.audit(3, 3, blank, patterns=patterns)
    assert (audit.boards, audit.wrong) == (181_440, None)
    assert audit.missing > 0


def test_an_audit_needs_a_heuristic_for_its_goal() -> None:
    walking = _native.WalkingDistance(3, 3, 0)
    assert _native.audit(3, 3, 0, walking=walking).wrong is None
    with pytest.raises(ValueError, match="patterns or a walking distance"):
        _native.audit(3, 3, 8, walking=walking)
    with pytest.raises(_native.Stopped):
        _native.audit(3, 3, 0, walking=walking, hook=lambda *_: True)


# --- searches -----------------------------------------------------------------------------------

SEARCHES = [
    ((4, 4), "blank-first"), ((4, 4), "blank-last"), ((4, 4), "column-major"), ((4, 4), "snail"),
    ((3, 5), "blank-first"), ((5, 3), "blank-last"), ((2, 7), "blank-last"),
]  # fmt: skip


@pytest.fixture(scope="module")
def pruning() -> _native.MovePruning:
    return _native.MovePruning()


@pytest.mark.parametrize(("shape", "name"), SEARCHES, ids=str)
def test_searches_agree_with_those_of_other_heuristics(
    shape: tuple[int, int], name: str, pruning: _native.MovePruning
) -> None:
    goal = goals.NAMED[name](*shape)
    chosen = default_set(*shape, name)
    patterns = tables.for_search(chosen, goal)
    walking = tables.find_walking(goal)  # where it is too large, the Manhattan distance serves
    for seed in range(24):
        board = Board.random(*shape, goal=goal, seed=seed, walk=10 + 2 * seed)
        tiles = goals.canonical(board, goal)
        slow = _native.idastar(*shape, goal.blank, tiles, walking)
        quick = _native.idastar(
            *shape, goal.blank, tiles, patterns=patterns, pruning=pruning, threads=1 + seed % 8 // 7
        )
        assert slow.moves is not None
        assert quick.moves is not None
        assert len(quick.moves) == len(slow.moves) == quick.lower_bound
        assert board.slide(quick.moves) == goal
        assert patterns.distance(tiles) == chosen.value(board, goal) <= len(slow.moves)
        assert (patterns.distance(tiles) - len(slow.moves)) % 2 == 0


def test_every_optimum_of_korfs_boards(pruning: _native.MovePruning) -> None:
    goal = goals.blank_first(4, 4)
    patterns = tables.for_search(default_set(4, 4), goal)
    total = 0
    for _, text, optimum in data_lines("korf15.txt"):
        board = Board(text, shape=(4, 4))
        tiles = goals.canonical(board, goal)
        report = _native.idastar(4, 4, 0, tiles, patterns=patterns, pruning=pruning)
        assert report.moves is not None
        assert len(report.moves) == report.lower_bound == int(optimum)
        assert board.slide(report.moves) == goal
        total += len(report.moves)
    assert total == 5305


def test_one_known_answer_less_and_none_is_found(pruning: _native.MovePruning) -> None:
    goal = goals.blank_first(4, 4)
    patterns = tables.for_search(default_set(4, 4), goal)
    for _, text, optimum in data_lines("korf15.txt")[:100:10]:
        tiles = goals.canonical(Board(text, shape=(4, 4)), goal)
        known = int(optimum)
        report = _native.idastar(4, 4, 0, tiles, patterns=patterns, pruning=pruning, known=known)
        assert report.moves is None
        assert not report.limit_reached
        assert report.lower_bound == known
        report = _native.idastar(
            4, 4, 0, tiles, patterns=patterns, pruning=pruning, known=known + 2
        )
        assert report.moves is not None
        assert len(report.moves) == known


def test_after_a_pause_a_search_goes_on_as_if_there_were_none(pruning: _native.MovePruning) -> None:
    goal = goals.blank_first(4, 4)
    patterns = tables.for_search(default_set(4, 4), goal)
    for _, text, optimum in data_lines("korf15.txt")[:100:10]:
        board = 4, 4, 0, goals.canonical(Board(text, shape=(4, 4)), goal)
        options = {"patterns": patterns, "pruning": pruning}
        whole = _native.idastar(*board, **options)
        bound, last, iterations = 0, None, []
        while bound <= int(optimum):
            part = _native.idastar(*board, **options, bound=bound, last=last, pause=1)
            bound, last = part.lower_bound, part.last
            iterations += part.iterations
            if part.moves is not None:
                break
        assert len(iterations) > 1
        assert iterations == whole.iterations
        assert part.moves == whole.moves


def test_small_boards_by_patterns_alone(pruning: _native.MovePruning) -> None:
    """Every place of the blank, with patterns that shut it in."""
    for blank in range(9):
        tiles = [*range(1, 9)]
        tiles.insert(blank, 0)
        goal = Board(tiles, shape=(3, 3))
        cells = [cell for cell in range(9) if cell != blank]
        partition = (cells[:3], cells[3:5], cells[5:])
        placed = [place(3, 3, tuple(part), blank) for part in partition]
        opened = tuple(tables.OpenPattern(p, store.make(p.pattern)) for p in placed)
        patterns = tables.for_search(tables.PatternSet("own", (opened,)), goal)
        for seed in range(40):
            board = Board.random(3, 3, goal=goal, seed=seed)
            report = _native.idastar(3, 3, blank, board.tiles, patterns=patterns, pruning=pruning)
            assert report.moves is not None
            assert len(report.moves) == exact_distance(board, goal)
            assert board.slide(report.moves) == goal


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stopped_search_is_taken_up_again(threads: int, pruning: _native.MovePruning) -> None:
    goal = goals.blank_first(4, 4)
    small = [place(4, 4, tuple(range(first, first + 3)), 0) for first in range(1, 16, 3)]
    opened = tuple(tables.OpenPattern(p, store.make(p.pattern)) for p in small)
    patterns = tables.for_search(tables.PatternSet("own", (opened,)), goal)
    _, text, optimum = data_lines("korf15.txt")[5]
    tiles = goals.canonical(Board(text, shape=(4, 4)), goal)
    bound, done, runs = 0, b"", 0
    while True:
        checkpoint = _native.Checkpoint(bound, done)
        report = _native.idastar(
            4, 4, 0, tiles, patterns=patterns, pruning=pruning,
            threads=threads, checkpoint=checkpoint, max_expanded=500_000,
        )  # fmt: skip
        if report.moves is not None:
            break
        assert report.limit_reached
        assert checkpoint.bound >= bound
        assert checkpoint.bound > bound or sum(checkpoint.done) > sum(done)
        bound, done, runs = checkpoint.bound, checkpoint.done, runs + 1
    assert runs > 1
    assert len(report.moves) == int(optimum)
    with pytest.raises(ValueError, match="only an optimal search"):
        _native.idastar(4, 4, 0, tiles, weight=2, checkpoint=_native.Checkpoint())
    with pytest.raises(ValueError, match="another shape or goal"):
        _native.idastar(4, 4, 15, goals.blank_last(4, 4).tiles, patterns=patterns, pruning=pruning)
    with pytest.raises(ValueError, match="needs the automaton"):
        _native.idastar(4, 4, 0, tiles, patterns=patterns)
