"""
The native core. Goals are canonical: 1, 2, 3, ... in reading order with the blank (0) in
cell `blank`; tiles are given in reading order. A hook is called about every 50 ms as
hook(expanded, generated, bound, lower_bound, share), in the thread that made the call;
share is the part of the work on this bound that is done, as far as that is known. It
returns true to stop the run. What it raises comes out of the call.
"""

from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import Buffer


class Stopped(RuntimeError):
    """The hook stopped the building of a table."""

class WalkingTooLarge(ValueError):
    """A walking distance table would need more states than allowed."""

def renamed(tiles: tuple[int, ...], goal: Sequence[int], hook: Callable[[int, int, int, int, float], bool] | None = None) -> tuple[int, ...]:
    """
    A board's tiles under the names that make the goal's read 1, 2, 3 ... around its
    blank; Stopped when the hook returns true.
    """

def reaches(rows: int, cols: int, blank: int, tiles: Sequence[int], hook: Callable[[int, int, int, int, float], bool] | None = None) -> bool:
    """
    Whether any moves lead from the board to the goal; Stopped when the hook returns true.
    """

def inversions(rows: int, cols: int, blank: int, tiles: Sequence[int], hook: Callable[[int, int, int, int, float], bool] | None = None) -> int:
    """
    How many pairs of tiles stand in another reading order than in the goal; Stopped when
    the hook returns true.
    """

def linear_conflict(rows: int, cols: int, blank: int, tiles: Sequence[int], hook: Callable[[int, int, int, int, float], bool] | None = None) -> int:
    """
    At least so many moves lead from the board to the goal: the distances of the tiles
    from home, and two for each that has to leave its line so that others get past it;
    Stopped when the hook returns true.
    """

MAX_CELLS: int = 1048576

class DistanceTable:
    """
    The exact distance of every board that reaches the goal 1, 2, 3, ... with the blank in
    cell `blank`, for boards of at most 10 cells.
    """

    def __init__(self, rows: int, cols: int, blank: int, hook: Callable[[int, int, int, int, float], bool] | None = None) -> None:
        """
        Searches breadth-first from the goal; Stopped when the hook returns true.
        """

    def distance(self, tiles: Sequence[int]) -> int:
        """The least number of moves to the goal."""

    def moves(self, tiles: Sequence[int]) -> str:
        """
        A shortest way to the goal, as letters U D L R: the way each tile slides.
        """

    def answers(self, boards: bytes, hook: Callable[[int, int, int, int, float], bool] | None = None) -> list[str | None]:
        """
        The letters of a shortest way for each board, all replayed; None for those that can't
        reach the goal. `boards` has a byte for each tile, one board after the other.
        """

    def layers(self) -> list[int]:
        """How many boards there are at distance 0, 1, 2, ..."""

    def at(self, distance: int, limit: int) -> list[tuple[int, ...]]:
        """The first `limit` boards, in rank order, at that distance."""

    def distances(self) -> bytes:
        """All distances in rank order, one byte each."""

    def rank(self, tiles: Sequence[int]) -> int:
        """
        The board's number: blank cell * (n-1)!/2 + half the lexicographic rank of the
        other tiles; on a line just the blank's cell.
        """

    def unrank(self, rank: int) -> tuple[int, ...]:
        """The board with that number."""

    def __len__(self) -> int:
        """How many boards reach the goal."""

def exact_bytes(rows: int, cols: int) -> int:
    """The size of the exact table of a shape: about a bit for each board."""

def build_exact(rows: int, cols: int, blank: int, out: Buffer, threads: int = 1, hook: Callable[[int, int, int, int, float], bool] | None = None) -> list[int]:
    """
    Fills `out`, a writable buffer of `exact_bytes` bytes, with the exact table of all
    boards of at most 12 cells, and returns how many boards there are at distance 0, 1,
    2, ... The hook hears of the boards done so far and of the distance; Stopped when it
    returns true.
    """

class ExactTable:
    """
    The exact distance of every board that reaches the goal 1, 2, 3, ... with the blank in
    cell `blank`, read from a buffer that `build_exact` has filled.
    """

    def __init__(self, rows: int, cols: int, blank: int, buffer: Buffer) -> None:
        """Keeps hold of the buffer; ValueError when it has the wrong length."""

    def distance(self, tiles: Sequence[int]) -> int:
        """The least number of moves to the goal."""

    def moves(self, tiles: Sequence[int]) -> str:
        """
        A shortest way to the goal, as letters U D L R: the way each tile slides.
        """

    def answers(self, boards: bytes, hook: Callable[[int, int, int, int, float], bool] | None = None) -> list[str | None]:
        """
        The letters of a shortest way for each board, all replayed; None for those that can't
        reach the goal. `boards` has a byte for each tile, one board after the other.
        """

    def at(self, distance: int, limit: int, hook: Callable[[int, int, int, int, float], bool] | None = None, threads: int = 1) -> list[tuple[int, ...]]:
        """
        The first `limit` boards, in rank order, at that distance. It searches anew up to
        there, so it may take as long as the building; Stopped when the hook returns true.
        """

class PatternSpace:
    """
    Where the tiles of a pattern can be, and the blank among them. It takes a moment to make, and
    all tables of as many tiles on boards of a shape can share it.
    """

    def __init__(self, rows: int, cols: int, tiles: int) -> None: ...

    @property
    def places(self) -> int:
        """How many places of tiles and blank there are."""

    def table_bytes(self, blank: int, cells: Sequence[int]) -> int:
        """The size of the table of the tiles that are at home in `cells`."""

    @property
    def working_bytes(self) -> int:
        """The memory that building takes beside it."""

def build_pattern(rows: int, cols: int, blank: int, cells: Sequence[int], out: Buffer, threads: int = 1, hook: Callable[[int, int, int, int, float], bool] | None = None) -> None:
    """
    Fills `out`, a writable buffer as large as a `PatternSpace` says, with the table of the tiles
    that are at home in `cells`. The hook hears of the places settled so far and of their
    distance; Stopped when it returns true.
    """

class PatternTable:
    """
    The least moves of the tiles of a pattern, read from a buffer that `build_pattern` filled.
    """

    def __init__(self, space: PatternSpace, blank: int, cells: Sequence[int], buffer: Buffer) -> None:
        """Keeps hold of the buffer; ValueError when it has the wrong length."""

    def value(self, cells: Sequence[int], blank: int) -> int:
        """
        The value for tiles in these cells, in the order of their home cells, and a blank.
        """

class Patterns:
    """
    The largest of several partitions' sums. A partition is a list of patterns: a table, the
    tiles in the order of the table's home cells, and the table's cell for each cell of the
    board, since a turned or mirrored board can use the same table.
    """

    def __init__(self, rows: int, cols: int, blank: int, partitions: Sequence[Sequence[tuple[PatternTable, Sequence[int], Sequence[int]]]]) -> None: ...

    def distance(self, tiles: Sequence[int]) -> int:
        """No solution has fewer moves."""

    def only(self, numbers: Sequence[int]) -> Patterns:
        """
        Some of the partitions, by their numbers. A search looks up four at most.
        """

    def __len__(self) -> int:
        """How many partitions there are."""

class MovePruning:
    """An automaton that leaves out moves which lead to the same boards."""

    def __init__(self) -> None:
        """
        Knows all sequences up to the length for which it was made with the core.
        """

    def __len__(self) -> int:
        """How many states it has."""

class Audit:
    """A heuristic against the exact distances of all boards."""

    @property
    def boards(self) -> int:
        """How many boards there are."""

    @property
    def missing(self) -> int:
        """The moves by which the values fall short, in all."""

    @property
    def wrong(self) -> list[int] | None:
        """The tiles of a board whose value exceeds its distance."""

def audit(rows: int, cols: int, blank: int, patterns: Patterns | None = None, walking: WalkingDistance | None = None, threads: int = 1, hook: Callable[[int, int, int, int, float], bool] | None = None) -> Audit:
    """
    Compares the values of one heuristic with the distances of all boards, of at most 12
    cells; Stopped when the hook returns true.
    """

class WalkingDistance:
    """
    Takahashi's walking distance to the goal 1, 2, 3, ... with the blank in cell `blank`:
    a lower bound that is never below the Manhattan distance.
    """

    def __init__(self, rows: int, cols: int, blank: int, hook: Callable[[int, int, int, int, float], bool] | None = None, max_states: int = 2000000) -> None:
        """
        Builds the tables; WalkingTooLarge when one needs more than `max_states` states,
        Stopped when the hook returns true.
        """

    def rows(self, tiles: Sequence[int]) -> int:
        """The part of the moves between rows."""

    def columns(self, tiles: Sequence[int]) -> int:
        """The part of the moves between columns."""

    def distance(self, tiles: Sequence[int]) -> int:
        """Rows and columns together: no solution has fewer moves."""

    def __len__(self) -> int:
        """How many states the tables hold."""

class Checkpoint:
    """
    How far an optimal search has come: a search that is given it leaves out what is done.
    """

    def __init__(self, bound: int = 0, done: bytes = ..., sizes: Sequence[int] = [], found: Sequence[int] = [], order: Sequence[int] = [], fringe: Sequence[tuple[int, bytes]] = []) -> None: ...

    @property
    def bound(self) -> int:
        """No solution is shorter."""

    @property
    def done(self) -> bytes:
        """
        One byte for each subtree of the search within the bound: 1 if it is done.
        """

    @property
    def sizes(self) -> list[int]:
        """
        About how many boards each subtree had within the bound before, and 1 more.
        """

    @property
    def found(self) -> list[int]:
        """The same within the bound, and 0 for subtrees that are not done."""

    @property
    def order(self) -> list[int]:
        """The subtrees that come first within the bound."""

    @property
    def fringe(self) -> list[tuple[int, bytes]]:
        """
        Boards just beyond the bound, for `look_on`: pairs of h and bytes, by h.
        """

    def open(self, subtrees: int, bound: int, expanded: int = 0) -> int:
        """
        Begins or goes on with a search of so many subtrees, and tells its bound; ValueError
        when the search it comes from had another number. One that begins has expanded so many
        boards within the bound before.
        """

    def begin(self, bound: int, order: Sequence[int]) -> None:
        """Nothing is done within this bound so far."""

    def finish(self, subtree: int, size: int) -> None:
        """This subtree is done; so many boards were expanded."""

class LastBound:
    """How the last bound of a search went."""

    @property
    def expanded(self) -> int:
        """Boards expanded within it."""

    @property
    def reach(self) -> int:
        """The greatest h that the next fringe would want."""

class SearchReport:
    """What a native search found, and what it cost."""

    @property
    def moves(self) -> str | None:
        """The solution's letters; None when the run was stopped."""

    @property
    def expanded(self) -> int:
        """Boards whose neighbours were generated."""

    @property
    def generated(self) -> int:
        """Boards generated as neighbours of others."""

    @property
    def lower_bound(self) -> int:
        """No solution has fewer moves: proven."""

    @property
    def limit_reached(self) -> bool:
        """Whether `max_expanded` ended the run."""

    @property
    def iterations(self) -> list[tuple[int, int]]:
        """The threshold and expansions of each iteration."""

    @property
    def last(self) -> LastBound:
        """By which another run goes on from this one."""

class Answers:
    """All shortest solutions of a board."""

    @property
    def count(self) -> int:
        """How many there are."""

    @property
    def first(self) -> list[str]:
        """The letters of the first ones."""

    @property
    def complete(self) -> bool:
        """False when the run was stopped."""

def all_answers(rows: int, cols: int, blank: int, tiles: Sequence[int], patterns: Patterns, length: int, most: int, max_expanded: int | None = None, hook: Callable[[int, int, int, int, float], bool] | None = None) -> Answers:
    """
    All solutions of `length` moves, which must be the least: how many there are, and the
    first `most` of them.
    """

class Portion:
    """What came of a part of one bound of an optimal search."""

    @property
    def moves(self) -> str | None:
        """The letters of a solution within the bound."""

    @property
    def sizes(self) -> list[int]:
        """Boards expanded in each subtree that is done, in order."""

    @property
    def rest(self) -> list[str]:
        """What is left of the next subtree, if that was begun."""

    @property
    def fringe(self) -> list[tuple[int, bytes]]:
        """
        Boards just beyond the bound, for `look_on`: pairs of h and bytes, by h.
        """

    @property
    def expanded(self) -> int:
        """Boards whose neighbours were generated."""

    @property
    def generated(self) -> int:
        """Boards generated as neighbours of others."""

def pack_ways(ways: bytes) -> bytes:
    """The bytes of a fringe in a quarter of the space."""

def unpack_ways(packed: bytes, moves: int) -> bytes:
    """So many of these bytes again; ValueError if they are not as many."""

def subtrees(rows: int, cols: int, blank: int, tiles: Sequence[int], walking: WalkingDistance | None = None, patterns: Patterns | None = None, pruning: MovePruning | None = None, hook: Callable[[int, int, int, int, float], bool] | None = None) -> list[str]:
    """
    The subtrees into which an optimal search with a checkpoint is divided, as paths to their
    roots; none if the goal is nearer. They depend on the board, the goal and the pruning.
    """

def search_subtrees(rows: int, cols: int, blank: int, tiles: Sequence[int], paths: Sequence[str], bound: int, walking: WalkingDistance | None = None, patterns: Patterns | None = None, pruning: MovePruning | None = None, fringe: int = 0, most_fringe: int | None = None, reach: int = 0, max_expanded: int | None = None, hook: Callable[[int, int, int, int, float], bool] | None = None) -> Portion:
    """
    Searches subtrees for solutions of at most `bound` moves, one after the other. What is left
    of the one at hand when the run is stopped comes back as subtrees, too. About `fringe`
    boards beyond the bound are kept, and never more than `most_fringe`: those of the least h,
    which is at most `reach`.
    """

def look_on(rows: int, cols: int, blank: int, tiles: Sequence[int], fringe: Sequence[tuple[int, bytes]], bound: int, walking: WalkingDistance | None = None, patterns: Patterns | None = None, pruning: MovePruning | None = None, max_expanded: int | None = None, hook: Callable[[int, int, int, int, float], bool] | None = None) -> Portion:
    """
    Searches on from the boards that `search_subtrees` kept beyond the bound before.
    """

def fringe_size(expanded: int) -> int:
    """
    How many boards to keep beyond a bound, after one that took so many expansions.
    """

def idastar(rows: int, cols: int, blank: int, tiles: Sequence[int], walking: WalkingDistance | None = None, patterns: Patterns | None = None, pruning: MovePruning | None = None, weight: float = 1.0, threads: int = 1, known: int = 0, bound: int = 0, last: LastBound | None = None, pause: int = 0, checkpoint: Checkpoint | None = None, memory: int | None = None, max_expanded: int | None = None, hook: Callable[[int, int, int, int, float], bool] | None = None) -> SearchReport:
    """
    Iterative deepening A* with patterns and a MovePruning, with the walking distance, or
    with the Manhattan distance if there is neither. The answer has at most `weight`
    times the least length. It begins with answers of length `bound`, and ends without one
    when none is shorter than `known`, or after a bound for which more than `pause` boards
    were expanded. `last` is that of a run from which this one goes on. What it keeps of
    boards beyond the bound takes at most `memory` bytes.
    `max_expanded` is never exceeded, and exact with one thread.
    """

def multi_idastar(rows: int, cols: int, blank: int, tiles: Sequence[int], threads: int = 1, tables: MultiTables | None = None, memory: int | None = None, max_expanded: int | None = None, hook: Callable[[int, int, int, int, float], bool] | None = None) -> SearchReport:
    """
    Iterative deepening A* in the multi-tile metric: tiles that slide together along a
    row or column are one move. The lower bound and the thresholds count such moves,
    while the letters name each tile's slide. The tables it needs are taken from
    `tables` and kept there, or made anew; it asks for at most `memory` bytes of them.
    """

class MultiTables:
    """The tables of a goal in the multi-tile metric, as searches need them."""

    def __init__(self, rows: int, cols: int, blank: int) -> None: ...

def fast(rows: int, cols: int, blank: int, tiles: Sequence[int], effort: int, memory: int | None = None, max_expanded: int | None = None, hook: Callable[[int, int, int, int, float], bool] | None = None) -> SearchReport:
    """
    An answer at once on a board of any size: a constructed one, bettered as long as
    about `effort` expansions last. The same effort gives the same answer. A run that
    is stopped gives the best answer so far; None if there is none yet, or none that
    `memory` bytes suffice for.
    """

def is_solved_by(rows: int, cols: int, blank: int, tiles: Sequence[int], moves: str, hook: Callable[[int, int, int, int, float], bool] | None = None) -> bool:
    """
    Whether these letters are moves that can all be made, and lead to the goal; Stopped
    when the hook returns true.
    """

def spelled(letters: str, meanings: dict[str, Any], hook: Callable[[int, int, int, int, float], bool] | None = None) -> tuple[Any, ...]:
    """
    What each of the letters means; KeyError if one means nothing, Stopped when the hook
    returns true.
    """

def checksum(buffer: Buffer, hook: Callable[[int, int, int, int, float], bool] | None = None) -> int:
    """
    64 bits that change if anything in the buffer does; Stopped when the hook returns
    true.
    """

SEARCH_ORDER: str = 'DRLU'

MAX_THREADS: int = 256

MAX_PARTITIONS: int = 4

MOST_KEPT: int = 65536
