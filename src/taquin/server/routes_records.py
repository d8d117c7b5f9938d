"""The records: games that were finished, in the page or in the terminal."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Coroutine
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as PathParameter
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from .. import averages
from ..board import MAX_CELLS
from ..errors import OptionError
from ..records import QUICK_CELLS, Record, Records
from . import shapes
from .jobs import Full, Job
from .reading import field
from .routes import TROUBLE, jobs_of, reader_of
from .routes_jobs import BUSY, start_analysis, started
from .trouble import Refused

router = APIRouter()

RecordId = Annotated[
    str, PathParameter(pattern="^([0-9a-f]{16}|last)$", description="The id of a game, or last.")
]
WholeId = Annotated[str, PathParameter(pattern="^[0-9a-f]{16}$", description="The id of a game.")]


_MAX_GOAL_TEXT = 5_000
"""Characters of a goal in an address, which may take twelve times as many there."""


class Shelf:
    """The records, opened when they are first asked for."""

    def __init__(self, *, offered: bool) -> None:
        self._offered = offered
        self._records: Records | None = None
        self._opening = threading.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> Records:
        if not self._offered:
            words = "this server shows no records, because others can use it"
            raise Refused(words, status=403, code="no-records")
        with self._opening:
            if self._records is None:
                self._records = Records()
            return self._records

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Something that goes on after the answer."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._records is not None:
            self._records.close()


def _shelf(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.records
    return shelf


def _record(request: Request, id: str) -> Record:
    records = _shelf(request).open()
    try:
        return records.get(id)
    except OptionError as error:
        raise Refused.of(error, "id", 404) from None


@router.get(
    "/api/records", response_model=shapes.RecordList, responses=TROUBLE, tags=["records"],
    summary="Statistics and games",
)  # fmt: skip
def show_records(
    request: Request,
    size: Annotated[str | None, Query(pattern="^[0-9]{1,7}x[0-9]{1,7}$")] = None,
    goal: Annotated[str | None, Query(max_length=_MAX_GOAL_TEXT)] = None,
    hints: bool = False,
    first: Annotated[int, Query(ge=0, lt=1 << 53)] = 0,
    count: Annotated[int, Query(ge=0, le=1000)] = 100,
) -> JSONResponse:
    """Bests, averages and progress for each size and goal; the games, the newest first."""
    records = _shelf(request).open()
    with field("goal"):
        outcomes = records.outcomes(_shape(size), goal)
    series = averages.statistics(outcomes, hints=hints)
    newest = outcomes[::-1][first : first + count]
    return JSONResponse(
        {
            "total": len(outcomes),
            "series": [statistics.to_dict() for statistics in series],
            "games": [outcome.to_dict() for outcome in newest],
        }
    )


def _shape(size: str | None) -> tuple[int, int] | None:
    if size is None:
        return None
    rows, cols = map(int, re.findall("[0-9]+", size))
    if rows * cols > MAX_CELLS:
        raise Refused(f"there are no boards of {size}", "size")
    return rows, cols


@router.post(
    "/api/records", status_code=201, response_model=shapes.Recorded, responses=TROUBLE,
    tags=["records"], summary="Keep a finished game",
)  # fmt: skip
async def add_record(request: Request, asked: shapes.Finished) -> JSONResponse:
    """Its optimum follows if it can be found in a moment."""
    record = await run_in_threadpool(_add, request, asked)
    board = record.replay.board
    if len(board) <= QUICK_CELLS:
        ask = {"board": str(board), "goal": str(record.replay.goal), "seconds": 1.0}
        with suppress(Full):
            job = jobs_of(request).start("optimum", ask, native=True, unattended=True)
            _shelf(request).later(_note_optimum(request, record.id, job))
    return JSONResponse(record.to_dict(), 201)


def _add(request: Request, asked: shapes.Finished) -> Record:
    records = _shelf(request).open()
    replay = reader_of(request).game(asked)
    finished_at = asked.finished_at or averages.moment_text(datetime.now(UTC))
    rest = {"seconds": asked.seconds, "hints": asked.hints, "given_up": asked.given_up}
    return records.add(Record.from_dict({**replay.to_dict(), **rest, "finished_at": finished_at}))


async def _note_optimum(request: Request, id: str, job: Job) -> None:
    """Keep what a job found out about a game's optimum."""
    while not job.done:
        await job.wait()
    found = json.loads(job.result or "null")
    optimum = found["optimum"] if isinstance(found, dict) else found
    if optimum is not None:
        # By now the game may have been deleted.
        with suppress(OptionError):
            await run_in_threadpool(_shelf(request).open().set_optimum, id, optimum)


@router.get(
    "/api/records/{id}", response_model=shapes.Recorded, responses=TROUBLE, tags=["records"],
    summary="One game",
)  # fmt: skip
def show_record(request: Request, id: RecordId) -> JSONResponse:
    """The game with its moves and times."""
    return JSONResponse(_record(request, id).to_dict())


@router.delete(
    "/api/records/{id}", response_model=shapes.Recorded, responses=TROUBLE, tags=["records"],
    summary="Forget a game",
)  # fmt: skip
def delete_record(request: Request, id: WholeId) -> JSONResponse:
    """It is gone for good. The answer is the game, which can be added again."""
    record = _record(request, id)
    _shelf(request).open().delete(record.id)
    return JSONResponse(record.to_dict())


@router.post(
    "/api/records/{id}/analysis", status_code=202, response_model=shapes.Started, responses=BUSY,
    tags=["records"], summary="Hold a recorded game against the optimum",
)  # fmt: skip
async def analyse_record(
    request: Request, id: RecordId, asked: shapes.AnalyseRecord
) -> JSONResponse:
    """Starts a job like `/api/analysis`; the optimum that it finds is kept."""
    record = await run_in_threadpool(_record, request, id)
    job = start_analysis(request, record.replay, asked.limit)
    if record.optimum is None:
        _shelf(request).later(_note_optimum(request, record.id, job))
    return started(request, job)
