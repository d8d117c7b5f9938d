"""Which patterns make up a set of tables.

A partition divides the tiles into patterns. No move is counted by two patterns, so their values
add up. A set has one or more partitions, and its value is the largest of their sums. Goals that
are mirror images of each other have mirror images of the same partitions, and share their files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from string import ascii_uppercase

from .symmetry import least, symmetries

Partition = tuple[tuple[int, ...], ...]
"""The home cells of each pattern's tiles."""

Region = frozenset[int]

SMALL, DEFAULT, LARGE = "small", "default", "large"
NAMES = (SMALL, DEFAULT, LARGE)

_FEWEST_CELLS = 11
"""Smaller boards have a table of exact distances in memory."""

_MOST_TILES = ((25, 6), (36, 5))
"""Up to how many cells a pattern may have how many tiles. On larger boards tables say little."""

_APART = 1000
"""What it costs a region to be in two pieces; no shape in one piece costs as much."""

_KORF_5X5 = ".AABB AAABB CCABB CCDDD CCDDD"
_CHOICE_5X5 = [_KORF_5X5, ".AABB AAABB ACCBB DCCCC DDDDD"]
"""Of the sets of five tables that were tried those from which the best pairs can be chosen: see
`choice`, and docs/performance.md for others."""

_COMPACT_5X5 = [
    *_CHOICE_5X5,
    ".AAAA BBBAA BBBCC DDDCC DDDCC",
    ".AAAA AABBB CCBBB CCDDD CCDDD",
    ".AAAB AAABB CCBBB CCDDD CCDDD",
    ".AABB AAABB ACCBB CCDDD CCDDD",
    ".AAAA BAACC BCCCC BBDDD BBDDD",
    ".AAAA BACCC BACCC BBDDD BBDDD",
    ".AAAA BBAAC BBBBC DDDCC DDDCC",
    ".AAAA BBBAA BBBCC DDCCC DDDDC",
    ".AAAA BBBAA BBCDD BCCDD CCCDD",
    ".AAAA BBBAA CBBDD CCBDD CCCDD",
    ".AAAA BBBAA CCBBB CCDDD CCDDD",
    ".AAAA BBBAA CCBDD CCBDD CCBDD",
    ".AAAA BBCAA BBCDD BBCDD CCCDD",
    ".AAAA BCCAA BCCCC BBDDD BBDDD",
    ".AAAA BCCAA BCCDD BCCDD BBBDD",
    ".AAAA BBBAC BBBAC DDDCC DDDCC",
    ".AAAA BBBBA CCBBA CCDDD CCDDD",
    ".AAAA BBBCA BBBCA DDDCC DDDCC",
    ".AAAB AAABB CCDBB CCDDB CCDDD",
    ".AAAB AAABB CCDDB CCDDB CCDDB",
    ".AABB AAAAB CCBBB CCDDD CCDDD",
    ".AABB AAAAB CCDDB CCDDB CCDDB",
    ".AABB AAABB ACCBB CCCDD CDDDD",
    ".AABB AAABB ACDBB CCDDD CCCDD",
    ".AABB AAABB CADBB CCDDD CCCDD",
    ".AABB AAABB CCABB CCCDD CDDDD",
    ".AABB AAABB CCADB CCDDB CCDDD",
    ".ABBB AAABB CCAAB CCDDD CCDDD",
]
"""The compact ways to divide the 24-puzzle's tiles into patterns of six: those in which 25 pairs of
neighbouring cells or more are in the same pattern, mirror images apart, and the second one."""

_DRAWN = {
    (2, 7, 0): {
        DEFAULT: [
            """
            . A A A B B B
            A A A C B B B
            """,
            """
            . A A B C C C
            A A A A C C C
            """,
        ],
    },
    (2, 8, 0): {
        DEFAULT: [
            """
            . A A B B C C C
            A A A A B C C C
            """,
            """
            . A A A B B B B
            A A A C C C B B
            """,
        ],
    },
    (2, 9, 0): {
        DEFAULT: [
            """
            . A A B B B C C C
            A A A A B B C C C
            """,
            """
            . A A A B B C C C
            A A A B B B B C C
            """,
        ],
    },
    (3, 5, 0): {
        DEFAULT: [
            """
            . A A B B
            A A C C C
            A A C C C
            """,
            """
            . A A B B
            A A A B B
            C C A B B
            """,
        ],
    },
    (3, 6, 0): {
        DEFAULT: [
            """
            . A B B C C
            A A B B C C
            A A B B C C
            """,
            """
            . A A B B B
            A A C C C B
            A A C C C B
            """,
        ],
    },
    (4, 4, 0): {
        DEFAULT: [
            """
            . A A A
            A A A B
            C C C B
            C C C B
            """,
            """
            . A A A
            A A B B
            A C B B
            C C B B
            """,
        ],
        LARGE: [
            """
            . A A A
            A A A A
            B B B B
            B B B B
            """,
        ],
    },
    (4, 5, 0): {
        DEFAULT: [
            """
            . A A B B
            A A A B B
            A C C B B
            C C C C D
            """,
            """
            . A A B B
            A A A C C
            D D D C C
            D D D C C
            """,
        ],
    },
    (5, 5, 0): {
        SMALL: [_KORF_5X5],
        DEFAULT: _CHOICE_5X5,
        LARGE: _COMPACT_5X5,
    },
}
"""Sets that were chosen by trial, by rows, columns and the blank's cell, the smallest first."""


def sets(rows: int, cols: int, blank: int) -> dict[str, tuple[Partition, ...]]:
    """The sets of tables for a shape and a goal's blank cell; empty where there are none.

    >>> print(draw(4, 4, sets(4, 4, 15)["default"][0]))
    A B B B
    A B B B
    A C C C
    C C C .
    """
    return dict(_sets(rows, cols, blank))


@lru_cache(maxsize=256)
def _sets(rows: int, cols: int, blank: int) -> Mapping[str, tuple[Partition, ...]]:
    if rows * cols > _MOST_TILES[-1][0]:
        return {}
    turn = least(rows, cols, [blank])
    if (turn.rows, turn.cols, turn.cells[blank]) == (rows, cols, blank):
        return _first_sets(rows, cols, blank)
    first = _sets(turn.rows, turn.cols, turn.cells[blank])
    return {
        name: tuple(
            tuple(sorted(turn.origin(pattern) for pattern in partition)) for partition in partitions
        )
        for name, partitions in first.items()
    }


def _first_sets(rows: int, cols: int, blank: int) -> Mapping[str, tuple[Partition, ...]]:
    """The sets for a blank cell and a shape that come first among their mirror images."""
    drawn = _DRAWN.get((rows, cols, blank))
    if drawn:
        return {name: tuple(map(read, drawings)) for name, drawings in drawn.items()}
    divided = divide(rows, cols, blank)
    return {DEFAULT: divided} if divided else {}


def with_mirror(rows: int, cols: int, blank: int, partition: Partition) -> list[Partition]:
    """A partition and its mirror image, if the board can be mirrored and keep its blank's home.

    >>> print(draw(3, 3, with_mirror(3, 3, 0, read(". A A  B B A  B B A"))[1]))
    . A A
    B A A
    B B B
    """
    for symmetry in symmetries(rows, cols):
        if (symmetry.rows, symmetry.cols) == (rows, cols) and symmetry.cells[blank] == blank:
            mirrored = tuple(sorted(symmetry.image(pattern) for pattern in partition))
            if set(mirrored) != set(partition):
                return [partition, mirrored]
    return [partition]


def read(drawing: str) -> Partition:
    """The partition that is drawn.

    >>> read('''
    ...     . A A
    ...     B B A ''')
    ((1, 2, 5), (3, 4))
    """
    letters = "".join(drawing.split())
    return tuple(
        tuple(cell for cell, letter in enumerate(letters) if letter == pattern)
        for pattern in sorted(set(letters) - {"."})
    )


def draw(rows: int, cols: int, partition: Partition) -> str:
    """The partition as text, a letter for each pattern; the reverse of `read`."""
    letters = ["."] * (rows * cols)
    for letter, pattern in zip(ascii_uppercase, partition, strict=False):
        for cell in pattern:
            letters[cell] = letter
    return "\n".join(" ".join(letters[row * cols : (row + 1) * cols]) for row in range(rows))


# --- partitions that no one drew ------------------------------------------------------------------


def divide(rows: int, cols: int, blank: int) -> tuple[Partition, ...]:
    """The tiles in compact regions, once found along the rows and once along the columns.

    Where these are the same, the next best takes the place of the second. A board that can be
    mirrored needs only one of the two, the more compact one: its mirror image serves as the other.
    There is none where tables don't help.

    >>> for partition in divide(3, 5, 0):
    ...     print(draw(3, 5, partition), end="\\n\\n")
    . A A B B
    C C C B B
    C C C B B
    <BLANKLINE>
    . A A B B
    C A A B B
    C A A B B
    <BLANKLINE>
    """
    most = next((tiles for cells, tiles in _MOST_TILES if rows * cols <= cells), 0)
    if not most or rows * cols < _FEWEST_CELLS or min(rows, cols) == 1:
        return ()
    ways = (_snake(rows, cols), _snake_of_columns(rows, cols))
    cuts = [_cuts([cell for cell in way if cell != blank], most, cols) for way in ways]
    ranked = [each for same_rank in zip(*cuts, strict=True) for each in _ranked(same_rank, cols)]
    first, *others = dict.fromkeys(
        tuple(sorted(tuple(sorted(region)) for region in each)) for each in ranked
    )
    is_enough = len(with_mirror(rows, cols, blank, first)) > 1
    return (first,) if is_enough else (first, *others[:1])


def _cuts(cells: list[int], most: int, cols: int) -> list[list[Region]]:
    """Two ways to cut a row of cells, from its start and from its end, the better one first."""
    return _ranked([_improve(_cut(way, most), cols) for way in (cells, cells[::-1])], cols)


def _ranked(cuts: Iterable[list[Region]], cols: int) -> list[list[Region]]:
    """The more compact ones first."""
    return sorted(cuts, key=lambda regions: _cost(regions, cols))


def _snake(rows: int, cols: int) -> list[int]:
    """All cells on a way that goes along each row, to and fro."""
    lines = [range(row * cols, (row + 1) * cols) for row in range(rows)]
    return [cell for row, line in enumerate(lines) for cell in (line[::-1] if row % 2 else line)]


def _snake_of_columns(rows: int, cols: int) -> list[int]:
    return [row * cols + col for col, row in (divmod(cell, rows) for cell in _snake(cols, rows))]


def _cut(cells: list[int], most: int) -> list[Region]:
    """The cells in pieces as large as allowed: two of 6 and one of 3 say more than three of 5."""
    return [frozenset(cells[start : start + most]) for start in range(0, len(cells), most)]


def _improve(regions: list[Region], cols: int) -> list[Region]:
    """Exchange cells between regions as long as that makes them more compact."""
    while True:
        before = _cost(regions, cols)
        for a, b in combinations(range(len(regions)), 2):
            regions[a], regions[b] = _exchange(regions[a], regions[b], cols)
        if _cost(regions, cols) == before:
            return regions


def _exchange(a: Region, b: Region, cols: int) -> tuple[Region, Region]:
    """Two regions after the best exchange of a cell for a cell; as they were if none is good."""
    exchanged = [(a - {x} | {y}, b - {y} | {x}) for x in sorted(a) for y in sorted(b)]
    best, least = (a, b), _cost((a, b), cols)
    for pair in exchanged:
        # Mostly that rules it out, and to count pieces takes longer.
        if sum(_squares(region, cols) for region in pair) < least:
            cost = _cost(pair, cols)
            if cost < least:
                best, least = pair, cost
    return best


def _cost(regions: Iterable[Region], cols: int) -> int:
    return sum(_spread(region, cols) for region in regions)


@lru_cache(maxsize=1 << 14)
def _spread(region: Region, cols: int) -> int:
    """How far from compact a region is: squared distances within, and much for being apart."""
    return _squares(region, cols) + _APART * (_pieces(region, cols) - 1)


@lru_cache(maxsize=1 << 14)
def _squares(region: Region, cols: int) -> int:
    """The squared distances between all pairs of cells.

    >>> _squares(frozenset([0, 1, 5]), 3)
    8
    """
    rows = columns = squares = 0
    for cell in region:
        row, column = divmod(cell, cols)
        rows += row
        columns += column
        squares += row * row + column * column
    return len(region) * squares - rows * rows - columns * columns


def _pieces(region: Region, cols: int) -> int:
    """In how many pieces a region is."""
    left, pieces = set(region), 0
    while left:
        pieces += 1
        border = {left.pop()}
        while border:
            border = {beside for cell in border for beside in _beside(cell, cols)} & left
            left -= border
    return pieces


def _beside(cell: int, cols: int) -> Iterator[int]:
    """The cells beside one, and some beyond the board, which no one will meet."""
    yield cell - cols
    yield cell + cols
    if cell % cols:
        yield cell - 1
    if (cell + 1) % cols:
        yield cell + 1
