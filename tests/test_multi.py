"""The multi-tile metric: the native search against plain searches that share nothing with it."""

import random
from itertools import pairwise

import pytest

from taquin import Board, Limit, moves, solve
from taquin._native import MultiTables, multi_idastar

# Instances 42 and 88 of Korf's 100, goal with the blank first.
EASIER = (4, 5, 7, 2, 9, 14, 12, 13, 0, 3, 6, 11, 8, 1, 15, 10)
HARD = (15, 2, 12, 11, 14, 13, 9, 5, 1, 3, 8, 7, 0, 10, 6, 4)


def goal_tiles(rows, cols, blank):
    tiles = list(range(1, rows * cols))
    tiles.insert(blank, 0)
    return tuple(tiles)


def slides(rows, cols, tiles):
    """Letters and board after each move of one run of tiles."""
    blank = tiles.index(0)
    row, col = divmod(blank, cols)
    runs = {
        "U": (cols, rows - 1 - row),
        "D": (-cols, row),
        "L": (1, cols - 1 - col),
        "R": (-1, col),
    }
    for letter, (step, longest) in runs.items():
        after = list(tiles)
        for run in range(1, longest + 1):
            cell = blank + run * step
            after[cell - step], after[cell] = after[cell], 0
            yield letter * run, tuple(after)


def distances(rows, cols, blank, farthest=1000):
    """The distance of all boards, or of those up to a distance, breadth first."""
    layer = [goal_tiles(rows, cols, blank)]
    found = dict.fromkeys(layer, 0)
    for distance in range(1, farthest + 1):
        layer = [
            after
            for tiles in layer
            for _, after in slides(rows, cols, tiles)
            if found.setdefault(after, distance) == distance
        ]
        layer = list(dict.fromkeys(layer))
        if not layer:
            break
    return found


def meet_in_the_middle(rows, cols, blank, start):
    """The distance of a board, from both ends at once."""
    sides = [{start: 0}, {goal_tiles(rows, cols, blank): 0}]
    layers = [[tiles] for side in sides for tiles in side]
    depth = 0
    while not any(tiles in sides[0] for tiles in layers[1]):
        depth += 1
        near = 0 if len(layers[0]) < len(layers[1]) else 1
        deeper = []
        for tiles in layers[near]:
            for _, after in slides(rows, cols, tiles):
                if after not in sides[near]:
                    sides[near][after] = depth
                    deeper.append(after)
        layers[near] = deeper
        if any(tiles in sides[1 - near] for tiles in deeper):
            break
    return depth


def check(rows, cols, blank, tiles, distance, **options):
    report = multi_idastar(rows, cols, blank, tiles, **options)
    board = tiles
    for run in runs_of(report.moves):
        board = dict(slides(rows, cols, board))[run]
    assert board == goal_tiles(rows, cols, blank)
    assert moves.length(report.moves, "multi") == distance
    assert report.lower_bound == distance
    return report


def runs_of(letters):
    runs = []
    for letter in letters:
        if runs and runs[-1][0] == letter:
            runs[-1] += letter
        else:
            runs.append(letter)
    return runs


@pytest.mark.parametrize(
    ("rows", "cols", "blank"), [(3, 3, 8), (3, 3, 1), (3, 3, 4), (2, 4, 0), (2, 4, 6), (4, 2, 3)]
)
def test_lengths_agree_with_breadth_first_search(rows, cols, blank):
    found = distances(rows, cols, blank)
    farthest = max(found.values())
    boards = random.Random(blank).sample(sorted(found), 60)
    boards += [tiles for tiles in found if found[tiles] == farthest][:5]
    for tiles in boards:
        check(rows, cols, blank, tiles, found[tiles])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("blank", [0, 3, 6, 15])
def test_4x4_boards_near_the_goal(blank, threads):
    rng = random.Random(blank)
    for moves_away in (7, 10, 12):
        tiles = goal_tiles(4, 4, blank)
        for _ in range(moves_away):
            tiles = rng.choice([after for _, after in slides(4, 4, tiles)])
        distance = meet_in_the_middle(4, 4, blank, tiles)
        check(4, 4, blank, tiles, distance, threads=threads)


def test_one_and_two_threads_agree():
    one = multi_idastar(4, 4, 0, EASIER)
    two = multi_idastar(4, 4, 0, EASIER, threads=2)
    assert moves.length(one.moves, "multi") == moves.length(two.moves, "multi")
    assert one.lower_bound == two.lower_bound == moves.length(one.moves, "multi")
    thresholds = [threshold for threshold, _ in one.iterations]
    assert all(after - before == 1 for before, after in pairwise(thresholds))
    assert sum(expanded for _, expanded in one.iterations) == one.expanded


@pytest.mark.parametrize("threads", [1, 2])
def test_limits_and_the_hook_stop_it(threads):
    report = multi_idastar(4, 4, 0, HARD, threads, max_expanded=1000)
    assert report.moves is None
    assert report.limit_reached
    assert report.expanded <= 1000
    assert report.lower_bound > 15
    assert multi_idastar(4, 4, 0, HARD, threads, hook=lambda *_: True).moves is None
    with pytest.raises(KeyError):
        multi_idastar(4, 4, 0, HARD, threads, hook=lambda *_: {}["from the hook"])


def test_tables_are_kept_for_the_next_search():
    tables = MultiTables(4, 4, 0)
    once, again = (multi_idastar(4, 4, 0, EASIER, tables=tables) for _ in range(2))
    assert once.iterations == again.iterations
    with pytest.raises(ValueError, match="another shape or goal"):
        multi_idastar(4, 4, 15, goal_tiles(4, 4, 15), tables=tables)


def test_a_memory_limit_keeps_tables_out():
    near = solve(Board("1 2 3 4/5 6 7 8/9 10 0 11/13 14 15 12"), metric="multi",
                 limit=Limit(memory=1 << 20))  # fmt: skip
    assert (near.length, near.proof) == (2, "optimal")
    without = multi_idastar(4, 4, 0, EASIER, memory=1 << 20, max_expanded=100_000)
    assert without.limit_reached
    assert without.lower_bound < multi_idastar(4, 4, 0, EASIER).lower_bound


def test_larger_tables_come_in_on_hard_boards():
    report = check(4, 4, 0, HARD, 38)
    expanded = dict(report.iterations)
    assert expanded[37] < expanded[36]


def test_one_line_takes_one_move():
    report = multi_idastar(1, 50, 49, goal_tiles(1, 50, 0))
    assert report.moves == "L" * 49
    assert report.lower_bound == 1


def test_bad_boards_are_named():
    with pytest.raises(ValueError, match="can't reach the goal"):
        multi_idastar(2, 2, 3, (2, 1, 3, 0))
    with pytest.raises(ValueError, match="threads must be"):
        multi_idastar(2, 2, 3, (1, 2, 3, 0), threads=0)
