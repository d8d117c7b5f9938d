"""What goes in and what comes out, as the schema describes it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..board import MAX_CELLS
from ..solver import QUALITIES
from .limits import MAX_BOARD_TEXT, MAX_GAME_MOVES

BoardText = Annotated[
    str,
    Field(
        max_length=MAX_BOARD_TEXT,
        description="A board in any format; the blank is 0.",
        examples=["8 6 7/2 5 4/3 0 1"],
    ),
]
GoalText = Annotated[
    str | None,
    Field(
        max_length=MAX_BOARD_TEXT,
        description="The name of a goal or a board; blank-last without one.",
        examples=["blank-last"],
    ),
]
Name = Annotated[str, Field(max_length=100)]
Count = Annotated[int, Field(ge=1, lt=1 << 53)]
Letters = Annotated[
    str,
    Field(
        max_length=4 * MAX_GAME_MOVES,
        description="Moves, each the direction in which a tile slides.",
        examples=["RDDL"],
    ),
]


class Ask(BaseModel):
    """Whatever is asked: unknown keys are refused, so that a slip is noticed."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)


class Bounds(Ask):
    """When to stop. More than the server allows is cut to what it allows."""

    seconds: float | None = Field(default=None, ge=0)
    expanded: Count | None = None
    memory: Count | None = Field(default=None, description="Bytes.")


class Check(Ask):
    board: BoardText
    goal: GoalText = None
    format: Name | None = Field(default=None, description="The format of the text, if it is known.")


class Random(Ask):
    rows: int = Field(ge=1, le=MAX_CELLS)
    cols: int = Field(ge=1, le=MAX_CELLS)
    goal: GoalText = None
    seed: int | None = Field(default=None, ge=0, lt=1 << 53)
    walk: int | None = Field(
        default=None, ge=0, le=100_000, description="Random moves from the goal."
    )


class Explain(Ask):
    board: BoardText
    goal: GoalText = None
    heuristic: Name = "manhattan"


class Options(Ask):
    """What some algorithms take."""

    weight: float | None = Field(default=None, ge=1, description="Of wastar.")
    width: int | None = Field(default=None, ge=1, le=1_000_000, description="Of beam.")
    depth: int | None = Field(default=None, ge=1, le=1_000_000, description="Of dfs.")


class Solve(Ask):
    board: BoardText
    goal: GoalText = None
    quality: Literal[QUALITIES] | Annotated[float, Field(ge=1)] = "optimal"  # type: ignore[valid-type]
    algorithm: Name | None = Field(
        default=None, description="A textbook algorithm; none: the engine."
    )
    heuristic: Name | None = None
    options: Options = Options()
    tables: Name = "auto"
    metric: Literal["single", "multi"] = "single"
    limit: Bounds = Bounds()


class Watch(Ask):
    board: BoardText
    goal: GoalText = None
    algorithm: Name
    heuristic: Name | None = None
    options: Options = Options()
    most: Count | None = Field(default=None, description="How many expansions to see at most.")


class Compare(Ask):
    boards: list[BoardText] = Field(min_length=1, max_length=100)
    goal: GoalText = None
    algorithms: list[Name] | None = Field(default=None, min_length=1, max_length=50)
    heuristics: list[Name] | None = Field(default=None, min_length=1, max_length=50)
    limit: Bounds = Field(
        default=Bounds(), description="Of each run; all together have the server's."
    )


class Game(Ask):
    """A game: where it began, its moves, and when they were made."""

    board: BoardText
    goal: GoalText = None
    moves: Letters
    times: list[float] | None = Field(
        default=None,
        max_length=MAX_GAME_MOVES,
        description="Seconds from the first move to each.",
    )


class Finished(Game):
    seconds: float | None = Field(default=None, ge=0, description="What the clock showed.")
    hints: int = Field(default=0, ge=0, lt=1 << 31)
    given_up: bool = False
    finished_at: Annotated[str, Field(max_length=40)] | None = Field(
        default=None, description="When, with a time zone; now without it."
    )


class Analyse(Game):
    limit: Bounds = Bounds()


class AnalyseRecord(Ask):
    limit: Bounds = Bounds()


class Export(Ask):
    """A board, or with moves a film of a solution, or with times of a game."""

    board: BoardText
    goal: GoalText = None
    moves: Letters = ""
    times: list[float] | None = Field(default=None, max_length=MAX_GAME_MOVES)
    format: Literal["svg", "png", "gif", "cast"] = "svg"
    scheme: Literal["plain", "rows", "fringe"] = "plain"
    dark: bool = False
    speed: float = Field(default=1.0, gt=0, le=1000)
    max_pause: float | None = Field(default=None, gt=0)


# --- what comes out -----------------------------------------------------------------------------


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Told(Answer):
    """What is wrong, for clients that tell it in words of their own."""

    code: str | None = None
    values: dict[str, int | str] | None = None


class Trouble(Told):
    """What is wrong, in words, and where."""

    error: str
    field: str | None = None


class Health(Answer):
    status: Literal["ok"]
    version: str
    jobs: dict[str, int]


class Fix(Answer):
    board: str
    tiles: list[int]
    what: str


class Checked(Told):
    """Of a text that is no board there is only what is wrong with it."""

    valid: bool
    error: str | None = None
    field: str | None = None
    format: str | None = None
    usual_goal: str | None = None
    board: str | None = None
    goal: str | None = None
    rows: int | None = None
    cols: int | None = None
    solvable: bool | None = None
    reason: str | None = None
    inversions: int | None = None
    permutation: Literal["even", "odd"] | None = None
    blank_distance: int | None = None
    goals: list[str] | None = None
    fix: Fix | None = None


class Drawn(Answer):
    board: str
    goal: str
    seed: int


class Part(Answer):
    name: str
    value: int
    tiles: list[int]


class Explained(Answer):
    board: str
    goal: str
    heuristic: str
    total: int
    parts: list[Part]
    tiles: dict[str, int]


class Links(Answer):
    self: str
    events: str


class Started(Answer):
    id: str
    state: str
    ahead: int
    links: Links


class Stats(Answer):
    expanded: int
    generated: int
    seconds: float
    peak_frontier: int
    peak_memory: int
    iterations: list[tuple[float, int]]


class Result(Answer):
    """What a run gave; docs/result.schema.json says it more strictly."""

    board: str
    goal: str
    status: Literal["solved", "unsolvable", "limit", "cancelled"]
    proof: str
    length: int | None
    moves: str | None
    direction: Literal["tile", "blank"]
    metric: Literal["single", "multi"]
    lower_bound: int
    algorithm: str
    heuristic: str | None
    reason: str
    warning: str
    stats: Stats


class Progress(Answer):
    seconds: float
    expanded: int
    expanded_per_second: float
    bound: float
    best: int | None
    lower_bound: int
    seconds_left: float | None
    preparing: bool
    moves: str | None = None


class Status(Told):
    """How a job stands. Done, it has a result or an error."""

    id: str
    state: Literal["queued", "running", "done"]
    ahead: int
    progress: Progress | None
    result: Any = None
    error: str | None = None


class SolveStatus(Status):
    result: Result | None = None


class Recorded(Answer):
    """A finished game."""

    id: str
    finished_at: str
    seconds: float
    hints: int
    given_up: bool
    optimum: int | None
    board: str
    goal: str
    moves: str
    times: list[float] | None


class Outcome(Answer):
    """What counts of a finished game."""

    id: str
    finished_at: str
    size: str
    goal: str
    seconds: float
    moves: int
    moves_per_second: float | None
    hints: int
    given_up: bool
    optimum: int | None


class RecordList(Answer):
    total: int
    series: list[dict[str, Any]]
    games: list[Outcome]
