"""What clients send, as boards, goals and games of a size that is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from .. import goals, heuristics, notation, search
from ..board import Board
from ..engine import SMALL_CELLS
from ..errors import BoardError, OptionError, TaquinError
from ..replay import Replay
from ..tables import check_name
from .limits import MAX_GAME_MOVES, Limits
from .shapes import Bounds, Game, Options
from .trouble import Refused


@contextmanager
def field(name: str, status: int = 422) -> Iterator[None]:
    """Within, what the library does not take is blamed on a field."""
    try:
        yield
    except TaquinError as error:
        raise Refused.of(error, name, status) from None


class Reader:
    """Reads what clients send."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits

    def board(self, text: str, format: str | None = None, name: str = "board") -> Board:
        return self.recognised(text, format, name)[1]

    def recognised(
        self, text: str, format: str | None = None, name: str = "board"
    ) -> tuple[notation.Format, Board]:
        with field(name):
            found, board = notation.recognise(text, format)
            self.check_cells(len(board))
        return found, board

    def check_cells(self, cells: int) -> None:
        if cells > self.limits.cells:
            raise BoardError(
                "a board of {cells:,} cells is too large here: at most {most:,}",
                code="cells", cells=cells, most=self.limits.cells,
            )  # fmt: skip

    def goal(self, goal: str | None, board: Board) -> Board:
        with field("goal"):
            return goals.resolve(goal, board.shape)

    def game(self, game: Game) -> Replay:
        board = self.board(game.board)
        goal = self.goal(game.goal, board)
        with field("moves"):
            moves = notation.read_moves(game.moves, board=board)
            if len(moves) > MAX_GAME_MOVES:
                raise OptionError(
                    "a game may have {most:,} moves here", code="game-long", most=MAX_GAME_MOVES
                )
            board.slide(moves)
        with field("times"):
            return Replay(board, goal, moves, tuple(game.times or ()))

    def limit(self, asked: Bounds) -> dict[str, Any]:
        """The limit of a job, as its task reads it."""
        limit = self.limits.within(asked.seconds, asked.expanded, asked.memory)
        return {"seconds": limit.seconds, "expanded": limit.expanded, "memory": limit.memory}

    def tables(self, name: str, goal: Board) -> str:
        """The tables to be used; strangers can't have tables built for goals of their own."""
        with field("tables"):
            check_name(name)
        if not self.limits.strict or name == "none":
            return name
        if name == "auto" and goals.name_of(goal) is not None:
            return name
        return "walking" if len(goal) <= SMALL_CELLS else "none"

    def algorithm(
        self, algorithm: str | None, heuristic: str | None, options: Options
    ) -> dict[str, Any]:
        """Names that are known, as `solve` takes them."""
        asked: dict[str, Any] = {}
        taken: Iterable[str] = ()
        if algorithm is not None:
            with field("algorithm"):
                chosen = search.get(algorithm)
            asked["algorithm"] = chosen.name
            taken = chosen.options
        if heuristic is not None:
            with field("heuristic"):
                asked["heuristic"] = heuristics.get(heuristic).name
        extra = options.model_dump(exclude_none=True)
        for name in extra:
            if name not in taken:
                who = asked.get("algorithm", "the engine")
                raise Refused(f"{who} has no option '{name}'", f"options.{name}")
        return {**asked, **extra}
