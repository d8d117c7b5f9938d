"""What takes long: each kind of job is started in its own way, and then they are all alike."""

from __future__ import annotations

import base64
import json
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as PathParameter
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from .. import comparison, heuristics, search
from ..replay import Replay
from . import shapes
from .events import MAX_LISTENERS, status, stream
from .jobs import Full, Job
from .reading import field
from .routes import TROUBLE, jobs_of, reader_of
from .trouble import CANCELLED, Refused, told

router = APIRouter()

JobId = Annotated[str, PathParameter(max_length=40, description="The id of a job.")]

BUSY: dict[int | str, dict[str, Any]] = {
    **TROUBLE,
    429: {"model": shapes.Trouble, "description": "Busy; Retry-After says when to ask again."},
}

_RUN_SECONDS = 10.0
"""What each run of a comparison may take, unless it is told otherwise."""

_EXPORT_SECONDS = 60.0

_LOOK_SECONDS = 0.5
"""How often to look whether the client is still there, while it waits."""

_MEDIA_TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
    "cast": "application/x-asciicast",
}


def started(request: Request, job: Job) -> JSONResponse:
    here = f"/api/{job.kind}/{job.id}"
    content = {
        "id": job.id,
        "state": job.state,
        "ahead": jobs_of(request).ahead_of(job),
        "links": {"self": here, "events": f"{here}/events"},
    }
    return JSONResponse(content, 202, {"Location": here})


@router.post(
    "/api/solve", status_code=202, response_model=shapes.Started, responses=BUSY, tags=["jobs"],
    summary="Solve a board",
)  # fmt: skip
async def solve(request: Request, asked: shapes.Solve) -> JSONResponse:
    """By the engine, or by a textbook algorithm if one is named (or a heuristic)."""
    native = asked.algorithm is None and asked.heuristic is None
    jobs_of(request).check_room(native=native)
    reader = reader_of(request)
    board = reader.board(asked.board)
    goal = reader.goal(asked.goal, board)
    if not native and (asked.tables, asked.metric) != ("auto", "single"):
        raise Refused("tables and metric are for the engine, not for a textbook algorithm")
    ask = {
        "board": str(board),
        "goal": str(goal),
        "limit": reader.limit(asked.limit),
        "options": {
            "quality": asked.quality,
            "tables": reader.tables(asked.tables, goal) if native else "auto",
            "metric": asked.metric,
            **reader.algorithm(asked.algorithm, asked.heuristic, asked.options),
        },
    }
    return started(request, jobs_of(request).start("solve", ask, native=native))


@router.post(
    "/api/watch", status_code=202, response_model=shapes.Started, responses=BUSY, tags=["jobs"],
    summary="Watch a textbook algorithm",
)  # fmt: skip
async def watch(request: Request, asked: shapes.Watch) -> JSONResponse:
    """Every expansion, with the one that led to it."""
    jobs_of(request).check_room(native=False)
    reader = reader_of(request)
    board = reader.board(asked.board)
    most = reader.limits.watched if asked.most is None else asked.most
    bounds = shapes.Bounds(expanded=min(most, reader.limits.watched))
    ask = {
        "board": str(board),
        "goal": str(reader.goal(asked.goal, board)),
        "limit": reader.limit(bounds),
        "options": reader.algorithm(asked.algorithm, asked.heuristic, asked.options),
    }
    return started(request, jobs_of(request).start("watch", ask, native=False))


@router.post(
    "/api/compare", status_code=202, response_model=shapes.Started, responses=BUSY, tags=["jobs"],
    summary="Compare algorithms and heuristics",
)  # fmt: skip
async def compare(request: Request, asked: shapes.Compare) -> JSONResponse:
    """Every algorithm with every heuristic on every board; blind ones run once a board."""
    jobs_of(request).check_room(native=False)
    reader = reader_of(request)
    boards = [reader.board(text, name=f"boards.{i}") for i, text in enumerate(asked.boards)]
    for board in boards:
        reader.goal(asked.goal, board)
    with field("algorithms"):
        chosen = map(search.get, asked.algorithms or comparison.ALGORITHMS)
        algorithms = {algorithm.name: algorithm for algorithm in chosen}
    with field("heuristics"):
        guides = map(heuristics.get, asked.heuristics or comparison.HEURISTICS)
        heuristic_names = list(dict.fromkeys(heuristic.name for heuristic in guides))
    each = sum(len(heuristic_names) if a.informed else 1 for a in algorithms.values())
    runs = len(boards) * each
    if runs > reader.limits.runs:
        words = "{runs:,} runs are too many: at most {most:,}"
        raise Refused(words, "boards", code="runs", runs=runs, most=reader.limits.runs)
    seconds = _RUN_SECONDS if asked.limit.seconds is None else asked.limit.seconds
    ask = {
        "boards": [str(board) for board in boards],
        "goal": asked.goal,
        "algorithms": list(algorithms),
        "heuristics": heuristic_names,
        "limit": reader.limit(asked.limit.model_copy(update={"seconds": seconds})),
        "seconds": reader.limits.seconds,
    }
    return started(request, jobs_of(request).start("compare", ask, native=False))


@router.post(
    "/api/analysis", status_code=202, response_model=shapes.Started, responses=BUSY, tags=["jobs"],
    summary="Hold a game against the optimum",
)  # fmt: skip
async def analyse(request: Request, asked: shapes.Analyse) -> JSONResponse:
    """What each move lost, and what would have been best."""
    replay = await run_in_threadpool(reader_of(request).game, asked)
    return started(request, start_analysis(request, replay, asked.limit))


def start_analysis(request: Request, replay: Replay, bounds: shapes.Bounds) -> Job:
    limit = reader_of(request).limit(bounds)
    ask = {"replay": replay.to_dict(), "limit": limit}
    return jobs_of(request).start("analysis", ask, native=True)


# --- a job that was started ---------------------------------------------------------------------


def _job(request: Request, kind: str, id: str) -> Job:
    job = jobs_of(request).get(kind, id)
    if job is None:
        words = "there is no such job; finished ones are forgotten after a while"
        raise Refused(words, "id", 404, code="no-job")
    job.touch()
    return job


def _add_job_routes(kind: str, model: type[shapes.Status]) -> None:
    """What can be done with a job that was started."""

    async def show(request: Request, id: JobId) -> Response:
        """How it stands. Asking now and then keeps it going."""
        return _json(status(jobs_of(request), _job(request, kind, id)))

    async def follow(request: Request, id: JobId) -> Response:
        """`state`, `progress`, items, and at the end `result` or `error`. Leaving cancels it."""
        job = _job(request, kind, id)
        if job.listeners >= MAX_LISTENERS:
            raise Full(1)
        return stream(request, jobs_of(request), job)

    async def cancel(request: Request, id: JobId) -> Response:
        """Stop it. What it has found so far becomes its result."""
        job = _job(request, kind, id)
        jobs_of(request).cancel(job)
        return _json(status(jobs_of(request), job))

    event_stream = {
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
        "description": "Server-sent events.",
    }
    path = f"/api/{kind}/{{id}}"
    router.add_api_route(
        path, show, methods=["GET"], response_model=model, responses=TROUBLE, tags=["jobs"],
        operation_id=f"show_{kind}", summary=f"How a job stands: {kind}",
    )  # fmt: skip
    router.add_api_route(
        f"{path}/events", follow, methods=["GET"], response_class=Response, tags=["jobs"],
        responses={200: event_stream, 204: {"description": "All was seen."}, **BUSY},
        operation_id=f"follow_{kind}", summary=f"The events of a job: {kind}",
    )  # fmt: skip
    router.add_api_route(
        path, cancel, methods=["DELETE"], response_model=model, responses=TROUBLE, tags=["jobs"],
        operation_id=f"cancel_{kind}", summary=f"Stop a job: {kind}",
    )  # fmt: skip


def _json(text: str) -> Response:
    return Response(text, media_type="application/json")


_add_job_routes("solve", shapes.SolveStatus)
_add_job_routes("watch", shapes.SolveStatus)
_add_job_routes("compare", shapes.Status)
_add_job_routes("analysis", shapes.Status)


# --- export -------------------------------------------------------------------------------------


@router.post(
    "/api/export", response_class=Response, tags=["boards"], summary="A picture or a film",
    responses={
        **BUSY,
        200: {
            "content": {kind: {"schema": {"type": "string"}} for kind in _MEDIA_TYPES.values()},
            "description": "The file.",
        },
    },
)  # fmt: skip
async def export(request: Request, asked: shapes.Export) -> Response:
    """A picture of a board, a film of a solution, or of a game at the player's own pace."""
    jobs_of(request).check_room(native=False)
    reader = reader_of(request)
    game = shapes.Game(board=asked.board, goal=asked.goal, moves=asked.moves, times=asked.times)
    replay = await run_in_threadpool(reader.game, game)
    if asked.format not in request.app.state.options["exports"]:
        words = "this needs Pillow: pip install 'taquin[picture]'"
        raise Refused(words, "format", code="pillow")
    ask = {
        "replay": replay.to_dict(),
        "kind": f".{asked.format}",
        "seconds": min(_EXPORT_SECONDS, reader.limits.seconds),
        "options": {
            "scheme": asked.scheme,
            "dark": asked.dark,
            "speed": asked.speed,
            "max_pause": asked.max_pause,
        },
    }
    job = jobs_of(request).start("export", ask, native=False)
    await _wait_for(request, job)
    if job.result is None:
        return JSONResponse(job.error or told(CANCELLED), 422)
    return Response(
        base64.b64decode(json.loads(job.result)),
        headers={"Content-Disposition": f'attachment; filename="taquin.{asked.format}"'},
        media_type=_MEDIA_TYPES[asked.format],
    )


async def _wait_for(request: Request, job: Job) -> None:
    """Until a job is done for which the client waits; it is cancelled if the client leaves."""
    jobs = jobs_of(request)
    try:
        with job.listening():
            while not job.done:
                await job.wait(_LOOK_SECONDS)
                if await request.is_disconnected():
                    break
    finally:
        jobs.cancel(job)
        jobs.forget(job)
