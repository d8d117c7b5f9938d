"""The subtrees of a search: the same everywhere, and nothing is lost or done twice between them."""

import random
import zlib

import pytest

from taquin import Board, _native, goals, knowledge, tables
from taquin.subtrees import Bundle, Fringe

GOAL = Board("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0")
BOARD = Board.random(4, 4, seed=1)
EVERYTHING = 2**62


def known(name):
    if name == "default":
        return knowledge.patterns(tables.obtain(GOAL, "default"), GOAL)
    return knowledge.obtain(GOAL, name, 0)


def native_board(board=BOARD):
    return (*GOAL.shape, GOAL.blank, goals.canonical(board, GOAL))


def all_paths(options):
    return _native.subtrees(*native_board(), **options)


BOUNDS = {"none": 50, "walking": 52, "default": 54}
"""Below the optimum, and large enough for some work."""


@pytest.mark.parametrize("name", ["none", "walking", "default"])
def test_a_search_is_always_divided_in_the_same_way(name):
    options = known(name).options
    paths = all_paths(options)
    assert paths == all_paths(options)
    assert len(set(paths)) == len(paths) > 5000
    assert len({len(path) for path in paths}) == 1
    checkpoint = _native.Checkpoint()
    _native.idastar(*native_board(), **options, checkpoint=checkpoint, known=1)
    assert len(checkpoint.done) == len(paths)


IN_ORDER = str.maketrans(_native.SEARCH_ORDER, "0123")


@pytest.mark.parametrize("name", ["none", "walking", "default"])
def test_subtrees_come_in_the_order_of_a_dive(name):
    """Those of a search, and those that are left when it is stopped."""
    options = known(name).options
    paths = all_paths(options)
    assert paths == sorted(paths, key=lambda path: path.translate(IN_ORDER))
    for most in range(1, 200, 7):
        portion = _native.search_subtrees(
            *native_board(), paths, BOUNDS[name], **options, max_expanded=most
        )
        assert portion.rest == sorted(portion.rest, key=lambda path: path.translate(IN_ORDER))


def test_a_near_goal_is_not_divided():
    options = known("default").options
    near = Board("1 2 3 4/5 6 7 8/9 10 11 12/13 0 14 15")
    assert _native.subtrees(*native_board(near), **options) == []


@pytest.mark.parametrize("name", ["none", "walking", "default"])
def test_in_pieces_or_as_a_whole_it_is_the_same_search(name):
    """However often it is interrupted: as many boards, and the same fringe."""
    options = known(name).options
    paths, bound = all_paths(options), BOUNDS[name]
    fringe = {"fringe": 200, "reach": bound + 2}
    whole = _native.search_subtrees(*native_board(), paths, bound, **options, **fringe)
    assert whole.moves is None
    assert sum(whole.sizes) == whole.expanded > 1000
    random.seed(name)
    waiting, expanded, pieces = list(paths), 0, 0
    gathered = Fringe(200, 10**9, bound + 2)
    while waiting:
        most = random.choice([1, 7, 100, 3000])
        taken, waiting = waiting[:500], waiting[500:]
        found = _native.search_subtrees(
            *native_board(), taken, bound, **options, **fringe, max_expanded=most
        )
        assert found.expanded <= most
        expanded += found.expanded
        left = taken[len(found.sizes) :]
        if found.rest:
            assert all(path.startswith(left[0]) for path in found.rest)
            left[:1] = found.rest
        waiting = left + waiting
        pieces += 1
        if "patterns" in options:
            gathered.add(list(bundles(found.fringe, bound + 2)), pieces)
    assert pieces > 20
    assert expanded == whole.expanded
    merged = {h: sorted(paths_of(gathered, h)) for h in gathered.bundles}
    assert merged == {h: sorted(cut(data, bound + 2 - h)) for h, data in whole.fringe}


def cut(data, width):
    return [data[at : at + width] for at in range(0, len(data), width)]


def bundles(fringe, bound):
    for h, data in fringe:
        yield Bundle(h, len(data) // (bound - h), data)


def paths_of(fringe, h):
    bundled = [bundle for _, bundle in fringe.bundles[h]]
    return [path for b in bundled for path in cut(b.packed, len(b.packed) // b.count)]


def test_the_answer_is_found_in_one_subtree_or_from_the_fringe():
    options = known("default").options
    length = len(_native.idastar(*native_board(), **options).moves)
    paths = all_paths(options)
    below = _native.search_subtrees(
        *native_board(), paths, length - 2, **options, fringe=100_000, reach=length
    )
    assert below.moves is None
    found = _native.search_subtrees(*native_board(), paths, length, **options)
    beyond = _native.look_on(*native_board(), below.fringe, length, **options)
    for portion in (found, beyond):
        assert len(portion.moves) == length
        assert BOARD.slide(portion.moves) == GOAL
    assert len(found.sizes) < len(paths)


def test_what_is_no_subtree_is_refused():
    options = known("default").options
    for path in ("LR", "XY", "UUUUUUUU"):
        with pytest.raises(ValueError, match="no subtree"):
            _native.search_subtrees(*native_board(), [path], 60, **options)
    with pytest.raises(ValueError, match="farther"):
        _native.search_subtrees(*native_board(), all_paths(options)[:1], 2, **options)


def test_what_is_no_path_to_a_board_of_the_fringe_is_refused():
    options = known("default").options
    up_and_down = bytes([0, 1] * 10)
    for path in (bytes([9] * 20), up_and_down):
        with pytest.raises(ValueError, match="does not know"):
            _native.look_on(*native_board(), [(40, path)], 60, **options)
    with pytest.raises(ValueError, match="such an h"):
        _native.look_on(*native_board(), [(60, b"")], 60, **options)


def test_a_fringe_keeps_those_of_the_least_h():
    fringe = Fringe(enough=10, most=15, farthest=40)
    fringe.add([Bundle(30, 8, b""), Bundle(20, 4, b"a")], 2)
    assert fringe.farthest == 30
    fringe.add([Bundle(10, 6, b""), Bundle(20, 1, b"b")], 1)
    assert (fringe.farthest, fringe.size) == (20, 11)
    assert [bundle.h for bundle in fringe.in_order()] == [10, 20, 20]
    assert list(fringe.in_order())[1].packed == b"b"
    fringe.add([Bundle(25, 3, b"")], 3)
    assert fringe.size == 11
    fringe.add([Bundle(20, 5, b"")], 4)
    assert (fringe.farthest, fringe.size) == (19, 6)


def test_subtrees_come_in_the_order_of_what_is_nearest_below_them():
    ways = {4: ["UL", "DR"], 3: ["LL", "UL"], 6: ["RD", "UU", "LL"]}
    bound, fringe = 10, Fringe(enough=100, most=100, farthest=9)
    for h, beginnings in ways.items():
        paths = b"".join(
            bytes("UDLR".index(c) for c in way.ljust(bound - h, "U")) for way in beginnings
        )
        fringe.add([Bundle(h, len(beginnings), zlib.compress(paths))], 1)
    order = fringe.roots_in_order(["UU", "UL", "DR", "LL", "DD"], bound)
    assert list(order) == [3, 1, 2, 0]


def test_a_part_keeps_no_more_than_there_is_room_for():
    options = known("default").options
    paths, bound = all_paths(options), BOUNDS["default"]
    limits = {"fringe": 200, "reach": bound + 2}
    kept = {}
    for most in (0, 5, 30, 10**6):
        found = _native.search_subtrees(
            *native_board(), paths, bound, **options, **limits, most_fringe=most
        )
        kept[most] = sum(len(cut(data, bound + 2 - h)) for h, data in found.fringe)
        assert kept[most] <= most
    assert kept[0] == 0 < kept[30] < 200 <= kept[10**6]
