"""What goes into a run besides the puzzle (Limit) and what comes out (Progress, Stats, Result)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from .board import Board, Move
from .errors import OptionError, shorten
from .moves import check_convention, length
from .notation import read_moves, write_moves

Status = Literal["solved", "unsolvable", "limit", "cancelled"]

_MOST = 2**63 - 1
"""The largest limit: the native core counts in 64 bits."""

_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30}


@dataclass(frozen=True, slots=True)
class Limit:
    """What stops a run: seconds, expanded boards, bytes of memory. None means no limit.

    Memory may be given as text; without a limit a run stays within half of the free memory. What no
    run comes up to is no limit: beyond 2**63 - 1 seconds and boards are None, and memory is that.

    >>> Limit(seconds=10, memory="2 GB")
    Limit(seconds=10, expanded=None, memory=2000000000)
    """

    seconds: float | None = None
    expanded: int | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.memory, str):
            object.__setattr__(self, "memory", parse_size(self.memory))
        for name in ("seconds", "expanded", "memory"):
            object.__setattr__(self, name, _amount(name, getattr(self, name)))


def _amount(name: str, value: Any) -> Any:
    """A limit as it is kept; None if it limits nothing."""
    if value is None or value == math.inf:
        return None
    if not _is_amount(value, whole=name != "seconds"):
        kind = "number" if name == "seconds" else "whole number"
        raise OptionError(f"a limit must be a {kind} from 0 on: {name}={value}")
    if value <= _MOST:
        return value
    return _MOST if name == "memory" else None  # without a limit it would be half of what is free


def _is_amount(value: object, *, whole: bool) -> bool:
    return isinstance(value, int if whole else (int, float)) and value >= 0


def parse_size(text: str) -> int:
    """Bytes from text such as `512 MB` or `2GiB`.

    >>> parse_size("1.5 GiB")
    1610612736
    """
    match = re.fullmatch(r"\s*(\d{1,18}(?:\.\d+)?)\s*([kmg]?i?)b?\s*", text, re.IGNORECASE)
    if match is None or match[2].lower() not in _UNITS:
        raise OptionError(f"'{shorten(text)}' is not a size; write for example 512MB or 2GiB")
    return int(float(match[1]) * _UNITS[match[2].lower()])


@dataclass(frozen=True, slots=True)
class Progress:
    """What a run reports while it goes, about 20 times a second at most."""

    seconds: float
    expanded: int
    bound: float
    """Where the search stands: its depth, its f, or its threshold."""
    best: int | None
    """The length of the best solution so far."""
    lower_bound: int
    """No solution is shorter than this."""
    seconds_left: float | None = None
    """About how long the search of the present bound goes on; None where that is not known."""
    moves: tuple[Move, ...] | None = None
    """The best solution so far, where the run keeps its moves."""
    preparing: bool = False
    """Whether the run makes its tables ready, and the search waits for them."""

    @property
    def expanded_per_second(self) -> float:
        return self.expanded / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain values, without the moves, which may be many.

        >>> Progress(2.0, 1000, 30, None, 28).to_dict()["expanded_per_second"]
        500
        """
        return {
            "seconds": round(self.seconds, 3),
            "expanded": self.expanded,
            "expanded_per_second": round(self.expanded_per_second),
            "bound": _plain(self.bound),
            "best": self.best,
            "lower_bound": self.lower_bound,
            "seconds_left": None if self.seconds_left is None else round(self.seconds_left, 1),
            "preparing": self.preparing,
        }


@dataclass(slots=True)
class Stats:
    """What a run took."""

    expanded: int = 0
    """Boards whose neighbours were generated."""
    generated: int = 0
    """Neighbours generated, known ones included."""
    seconds: float = 0.0
    peak_frontier: int = 0
    """The most boards that were waiting at once."""
    peak_memory: int = 0
    """Estimated bytes of all boards kept at once."""
    iterations: list[tuple[float, int]] = field(default_factory=list)
    """Each threshold of an iterative search and the boards expanded under it."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "expanded": self.expanded,
            "generated": self.generated,
            "seconds": round(self.seconds, 6),
            "peak_frontier": self.peak_frontier,
            "peak_memory": self.peak_memory,
            "iterations": [[_plain(bound), count] for bound, count in self.iterations],
        }


def _plain(number: float) -> float:
    """A number that JSON knows, whatever kind of number a heuristic gave."""
    return int(number) if number == int(number) else float(number)


@dataclass(frozen=True, slots=True)
class Solution:
    """A start, a goal and the moves between."""

    start: Board
    goal: Board
    moves: tuple[Move, ...]

    def __len__(self) -> int:
        return len(self.moves)

    def length(self, metric: str = "single") -> int:
        """How many moves, tile by tile or (`multi`) run by run."""
        return length(self.moves, metric)

    def boards(self) -> Iterator[Board]:
        """Every board on the way, start and goal included."""
        board = self.start
        yield board
        for move in self.moves:
            board = board.slide(move)
            yield board

    def verify(self) -> bool:
        """Whether the moves lead from start to goal; IllegalMoveError if one can't be made."""
        return self.start.slide(self.moves) == self.goal

    def text(self, style: str = "letters", *, moves: str = "tile") -> str:
        """The moves as text (see `notation.write_moves`).

        >>> Solution(Board("1 2 0 / 3 4 5"), Board("0 1 2 / 3 4 5"), (Move.R, Move.R)).text("runs")
        'R2'
        """
        return write_moves(self.moves, style, moves=moves, board=self.start)

    def show(self, *, moves: str = "tile", style: str = "box", color: bool = False) -> str:
        """Every step: its number, its move and the board."""
        named = [""] + [write_moves([move], "words", moves=moves) for move in self.moves]
        return "\n".join(
            f"{number}. {name}\n{board.show(style, color=color, goal=self.goal)}"
            if number
            else board.show(style, color=color, goal=self.goal)
            for number, (name, board) in enumerate(zip(named, self.boards(), strict=True))
        )


@dataclass(frozen=True, slots=True)
class Result:
    """What a run gave. Whether there is a solution and what is proven of it are separate things."""

    board: Board
    goal: Board
    status: Status
    solution: Solution | None
    lower_bound: int
    algorithm: str
    heuristic: str | None
    stats: Stats
    reason: str = ""
    """In words: why it is unsolvable, or what stopped the run."""
    metric: str = "single"
    """What length and lower bound count: single tiles' moves, or (`multi`) whole runs."""
    warning: str = ""
    """In words: what did not work but was not needed, such as storing a table."""

    @property
    def length(self) -> int | None:
        """How many moves the solution has, in the metric of the run."""
        return None if self.solution is None else self.solution.length(self.metric)

    @property
    def proof(self) -> str:
        """`optimal`, `within:W` (at most W × the optimum), or `none`."""
        return proof_of(self.length, self.lower_bound)

    @property
    def branching_factor(self) -> float | None:
        """The effective branching factor: that of a full tree of this depth and as many boards."""
        return effective_branching_factor(self.stats.generated, self.length)

    def to_dict(self, *, moves: str = "tile") -> dict[str, Any]:
        """The result as plain values: the one shape in which results are written."""
        check_convention(moves)
        return {
            "board": str(self.board),
            "goal": str(self.goal),
            "status": self.status,
            "proof": self.proof,
            "length": self.length,
            "moves": None if self.solution is None else self.solution.text(moves=moves),
            "direction": moves,
            "metric": self.metric,
            "lower_bound": self.lower_bound,
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "reason": self.reason,
            "warning": self.warning,
            "stats": self.stats.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Result:
        """The result that `to_dict` wrote."""
        board, goal = Board.parse(data["board"]), Board.parse(data["goal"])
        solution = None
        if data["moves"] is not None:
            solution = Solution(board, goal, read_moves(data["moves"], moves=data["direction"]))
        stats = dict(data["stats"])
        stats["iterations"] = [(bound, count) for bound, count in stats["iterations"]]
        return cls(
            board=board,
            goal=goal,
            status=data["status"],
            solution=solution,
            lower_bound=data["lower_bound"],
            algorithm=data["algorithm"],
            heuristic=data["heuristic"],
            stats=Stats(**stats),
            reason=data["reason"],
            metric=data["metric"],
            warning=data["warning"],
        )


def proof_of(length: int | None, lower_bound: int) -> str:
    """What a lower bound proves of an answer's length.

    >>> proof_of(31, 31), proof_of(6, 5), proof_of(4, 0)
    ('optimal', 'within:1.2', 'none')
    """
    if length is None:
        return "none"
    if length == lower_bound:
        return "optimal"
    if lower_bound == 0:
        return "none"
    times = math.ceil(1000 * length / lower_bound) / 1000
    return f"within:{times:.3f}".rstrip("0").rstrip(".")


def effective_branching_factor(generated: int, depth: int | None) -> float | None:
    """The b for which b + b² + … + b^depth is the number of boards generated.

    >>> effective_branching_factor(14, 3)
    2.0
    """
    if not depth or generated < depth:
        return None
    low, high = 1.0, float(generated)
    for _ in range(100):
        middle = (low + high) / 2
        total = 0.0
        for _ in range(depth):
            total = middle * (1 + total)
            if total > generated:
                break
        low, high = (low, middle) if total > generated else (middle, high)
    return round(high, 6)
