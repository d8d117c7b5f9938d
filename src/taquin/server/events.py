"""How a job stands, as JSON and as a stream of server-sent events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from .guard import int_of
from .jobs import Job, Jobs, happens
from .tasks import dump

KEEP_ALIVE = 15.0
"""Seconds without an event after which a comment says that the server is still there."""

MAX_LISTENERS = 4

_END = "end"
"""The id of the last event; who has that needs no more."""

_RETRY_MS = 500
"""After how many milliseconds browsers come back if the connection breaks."""

ITEMS = {"solve": "item", "watch": "expansions", "compare": "run", "analysis": "item"}
"""What the items of a kind of job are called."""


def status(jobs: Jobs, job: Job) -> str:
    """How a job stands, as JSON."""
    parts = [
        f'"id":{dump(job.id)}',
        f'"state":{dump(job.state)}',
        f'"ahead":{jobs.ahead_of(job)}',
        f'"progress":{_progress(job, moves=True) or "null"}',
    ]
    if job.result is not None:
        parts.append(f'"result":{job.result}')
    if job.error is not None:
        parts += (f"{dump(key)}:{dump(value)}" for key, value in job.error.items())
    return "{" + ",".join(parts) + "}"


def _progress(job: Job, *, moves: bool) -> str | None:
    if job.progress is None or job.moves is None or not moves:
        return job.progress
    return f'{job.progress[:-1]},"moves":{job.moves}}}'


def stream(request: Request, jobs: Jobs, job: Job) -> Response:
    """The events of a job from the one on that the client has not seen."""
    seen = request.headers.get("last-event-id", "")
    if seen == _END:
        # This is how a browser is told not to come back.
        return Response(status_code=204)
    first = min(int_of(seen[:9]), len(job.items))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_events(jobs, job, first), 200, headers, "text/event-stream")


async def _events(jobs: Jobs, job: Job, seen: int) -> AsyncIterator[str]:
    listener = _Listener(jobs, job, seen)
    with job.listening():
        yield f"retry: {_RETRY_MS}\n\n"
        while True:
            change = job.changed
            if news := "".join(listener.news()):
                yield news
            if job.done:
                # What ended it may have happened while the rest was sent.
                yield "".join(listener.news())
                return
            if not await happens(change, KEEP_ALIVE):
                yield ": still here\n\n"


class _Listener:
    """What a client has been told of a job, so that it is told only what is new."""

    def __init__(self, jobs: Jobs, job: Job, items: int) -> None:
        self._jobs = jobs
        self._job = job
        self._items = items
        self._place = ("", 0)
        self._progress: str | None = None
        self._answers = 0
        self._ended = False

    def news(self) -> Iterator[str]:
        """The events since the last time."""
        job = self._job
        place = (job.state, self._jobs.ahead_of(job))
        if not job.done and place != self._place:
            self._place = place
            yield _event("state", dump({"state": place[0], "ahead": place[1]}))
        if job.progress is not self._progress:
            self._progress = job.progress
            text = _progress(job, moves=job.answers != self._answers)
            self._answers = job.answers
            yield _event("progress", text or "null")
        for item in job.items[self._items :]:
            self._items += 1
            yield _event(ITEMS[job.kind], item, str(self._items))
        if job.done and not self._ended:
            self._ended = True
            if job.error is None:
                yield _event("result", job.result or "null", _END)
            else:
                yield _event("error", dump(job.error), _END)


def _event(name: str, data: str, id: str | None = None) -> str:
    head = f"id: {id}\n" if id else ""
    return f"{head}event: {name}\ndata: {data}\n\n"
