"""The application: the routes, the page, errors in words, and the guard before all of it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

from .. import __version__
from ..errors import RecordsError, TaquinError, shorten
from . import routes, routes_jobs, routes_records
from .guard import Guard, Names
from .jobs import Closing, Full, Jobs
from .limits import Limits
from .options import describe
from .pages import DOCS, WEB, Pages
from .reading import Reader
from .routes_records import Shelf
from .trouble import BROKEN, CLOSING, Refused, refuse


def make_app(limits: Limits, names: Names | None = None, web: Path = WEB) -> Server:
    """The application for `uvicorn`, with its jobs, which are to be closed at the end."""
    return Server(limits, names or Names(), web)


class Server(Guard):
    """The application behind its guard."""

    def __init__(self, limits: Limits, names: Names, web: Path) -> None:
        self.jobs = Jobs(limits)
        self.api = _make_api(limits, self.jobs)
        super().__init__(Pages({"": web, "/api/docs": DOCS}, self.api), names)


_ROUTERS = (routes.router, routes_jobs.router, routes_records.router)


def _make_api(limits: Limits, jobs: Jobs) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await jobs.close()
        shelf.close()

    api = FastAPI(
        title="taquin",
        version=__version__,
        description="Solve and study sliding-tile puzzles.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    shelf = api.state.records = Shelf(offered=not limits.strict)
    api.state.jobs = jobs
    api.state.reader = Reader(limits)
    api.state.options = describe(limits)
    for router in _ROUTERS:
        api.include_router(router)

    _add_error_handlers(api)
    return api


_WORDS = {
    404: "there is nothing at this address",
    405: "this can't be done at this address",
}


def _add_error_handlers(api: FastAPI) -> None:
    @api.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        words = _WORDS.get(error.status_code, str(error.detail))
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(sorted(_methods_at(request.scope["path"])))
        return refuse(error.status_code, words, headers)

    @api.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return _invalid(error.errors()[0])

    @api.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> JSONResponse:
        return refuse(error.status, error)

    @api.exception_handler(TaquinError)
    async def misuse(request: Request, error: TaquinError) -> JSONResponse:
        return refuse(422, error)

    @api.exception_handler(RecordsError)
    async def unusable(request: Request, error: RecordsError) -> JSONResponse:
        return refuse(503, error)

    @api.exception_handler(Full)
    async def full(request: Request, error: Full) -> JSONResponse:
        return refuse(429, error, {"Retry-After": str(error.seconds)})

    @api.exception_handler(Closing)
    async def closing(request: Request, error: Closing) -> JSONResponse:
        return refuse(503, CLOSING, {"Retry-After": "10"})

    @api.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        return refuse(500, BROKEN)


_KIND = re.compile(r"(literal|function-|constrained-|list)\b.*[\[-]|(float|int|str)$")
"""What is told of a value that may be of several kinds, beside its name."""


def _methods_at(path: str) -> set[str]:
    """What can be done at an address, by whichever route."""
    found: set[str] = set()
    for router in _ROUTERS:
        for route in router.routes:
            if isinstance(route, Route) and route.path_regex.match(path):
                found |= route.methods or set()
    return found


def _invalid(error: Mapping[str, Any]) -> JSONResponse:
    """The first thing that is wrong with a request, in words."""
    place = [str(part) for part in error["loc"][1:] if not _KIND.match(str(part))]
    where = shorten(".".join(place), 80)
    if error["type"] == "json_invalid":
        return refuse(422, f"this is not JSON: {error.get('ctx', {}).get('error', '')}")
    if error["type"] == "string_too_long":
        words, most = "{where}: at most {most:,} characters can be read", error["ctx"]["max_length"]
        return refuse(422, Refused(words, where, code="text-long", where=where, most=most))
    words = str(error["msg"])
    words = words[:1].lower() + words[1:]
    if not where:
        return refuse(422, words)
    return JSONResponse({"error": f"{where}: {words}", "field": where}, 422)
