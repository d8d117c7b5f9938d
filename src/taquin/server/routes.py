"""Quick questions: one function for each."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse

from .. import __version__, goals, heuristics
from ..board import Board
from ..parity import Solvability, solvability
from ..shuffle import random_board
from . import shapes
from .jobs import Jobs
from .reading import Reader, field
from .trouble import Refused, told

router = APIRouter()

TROUBLE: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": shapes.Trouble, "description": "What is wrong, in words."}
}


def jobs_of(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


def reader_of(request: Request) -> Reader:
    reader: Reader = request.app.state.reader
    return reader


# --- quick questions ----------------------------------------------------------------------------


@router.get("/healthz", response_model=shapes.Health, tags=["server"], summary="Is it alive?")
async def healthz(request: Request) -> JSONResponse:
    """Whether the server answers, its version, and how many jobs there are."""
    return JSONResponse({"status": "ok", "version": __version__, "jobs": jobs_of(request).counts})


@router.get("/api/options", tags=["server"], summary="Names and limits")
async def options(request: Request) -> JSONResponse:
    """The names that can be asked for, what they mean, and the limits in force."""
    return JSONResponse(request.app.state.options)


@router.post(
    "/api/check", response_model=shapes.Checked, responses=TROUBLE, tags=["boards"],
    summary="Is this a board, and can it be solved?",
)  # fmt: skip
async def check(request: Request, asked: shapes.Check) -> JSONResponse:
    """Text that is no board is an answer, too: `valid` is false, and `error` says why."""
    reader = reader_of(request)
    try:
        found, board = reader.recognised(asked.board, asked.format)
        goal = reader.goal(asked.goal, board)
    except Refused as refused:
        return JSONResponse({"valid": False, **told(refused)})
    verdict = solvability(board, goal)
    return JSONResponse(
        {
            "valid": True,
            "format": found.name,
            "usual_goal": found.goal,
            "board": str(board),
            "goal": str(goal),
            "rows": board.rows,
            "cols": board.cols,
            **verdict.to_dict(),
            "fix": _fix(board, verdict),
        }
    )


def _fix(board: Board, verdict: Solvability) -> dict[str, Any] | None:
    if verdict.fix is None:
        return None
    a, b = verdict.fix
    fixed = str(board.exchange(a, b))
    return {"board": fixed, "tiles": [a, b], "what": f"exchange tiles {a} and {b}"}


@router.post(
    "/api/random", response_model=shapes.Drawn, responses=TROUBLE, tags=["boards"],
    summary="A random board that can be solved",
)  # fmt: skip
def random(request: Request, asked: shapes.Random) -> JSONResponse:
    """Uniform over all boards that reach the goal, or a walk away from it."""
    with field("rows"):
        reader_of(request).check_cells(asked.rows * asked.cols)
    seed = secrets.randbelow(1 << 32) if asked.seed is None else asked.seed
    with field("goal"):
        goal = goals.resolve(asked.goal, (asked.rows, asked.cols))
    with field("rows"):
        board = random_board(asked.rows, asked.cols, goal=goal, seed=seed, walk=asked.walk)
    return JSONResponse({"board": str(board), "goal": str(goal), "seed": seed})


@router.post(
    "/api/explain", response_model=shapes.Explained, responses=TROUBLE, tags=["boards"],
    summary="What a heuristic says of a board, part by part",
)  # fmt: skip
def explain(request: Request, asked: shapes.Explain) -> JSONResponse:
    """The value, the parts that add up to it, and the share of each tile that has one alone."""
    reader = reader_of(request)
    board = reader.board(asked.board)
    goal = reader.goal(asked.goal, board)
    with field("heuristic"):
        breakdown = heuristics.get(asked.heuristic).explain(board, goal)
    return JSONResponse(
        {
            "board": str(board),
            "goal": str(goal),
            **breakdown.to_dict(),
            "tiles": {str(tile): value for tile, value in breakdown.per_tile().items()},
        }
    )
