"""Who may ask, and how much at once. It stands before everything else.

A page of someone else's, open in the user's browser, can send requests here. It is kept out by the
names that this server answers to (against DNS rebinding), by the origin that browsers send along,
and by the type of what is sent, which a foreign page can't choose without being asked for leave.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections import deque
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .limits import MAX_BODY
from .trouble import CROWDED, Trouble, refuse

BODY_SECONDS = 15.0
"""How long a request may take to come in."""

MAX_REQUESTS = 1_000
"""How many requests are answered at once."""

_AT_A_TIME = 4
"""How many questions begin before the page has its turn."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; style-src 'self'; script-src 'self'; "
        "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class Names:
    """The names that the server answers to: itself, and addresses, which no one can redirect.

    >>> names = Names(["board.example"])
    >>> [names.know(host) for host in ("localhost:80", "[::1]:80", "board.example", "evil.example")]
    [True, True, True, False]
    """

    def __init__(self, more: Iterable[str] = ()) -> None:
        self._known = {"localhost", *(name.lower().rstrip(".") for name in more)}

    @classmethod
    def of_machine(cls, more: Iterable[str] = ()) -> Names:
        """The machine's own names too, by which others in the network know it."""
        name = socket.gethostname()
        return cls([name, f"{name}.local", *more])

    def know(self, host: str) -> bool:
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        return name in self._known or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Turns:
    """Lets waiting requests begin a few at a time, so that a crowd of them delays no one else.

    Between two turns the event loop looks at all connections, and answers what is quick.
    """

    def __init__(self, at_a_time: int) -> None:
        self._at_a_time = at_a_time
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        if not self._waiting:
            loop.call_soon(self._give)
        self._waiting.append(turn)
        await turn

    def _give(self) -> None:
        given = 0
        while self._waiting and given < self._at_a_time:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                given += 1
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._give)


class Guard:
    """Refuses what is not for this server, too large or too slow, and says how pages may behave."""

    def __init__(self, app: ASGIApp, names: Names) -> None:
        self._app = app
        self._names = names
        self._requests = 0
        self._turns = Turns(_AT_A_TIME)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            self._requests += 1
            try:
                await self._answer(scope, receive, _with_headers(send))
            finally:
                self._requests -= 1

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = self._refusal(scope) or await _read(receive)
        if body and isinstance(body, bytes) and not _is_json(scope):
            body = refuse(415, "send JSON, with the header Content-Type: application/json")
        if isinstance(body, bytes):
            if scope["path"].startswith("/api/"):
                await self._turns.take()
            await self._app(scope, _replayed(body, receive), send)
        else:
            await body(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._names.know(host):
            return refuse(421, "this server does not answer to that name; see taquin serve --help")
        if self._requests > MAX_REQUESTS:
            return refuse(503, CROWDED, {"Retry-After": "1"})
        if _is_foreign(headers, host) and not _is_visit(scope, headers):
            return refuse(403, "requests from other sites are not answered")
        if int_of(headers.get("content-length")) > MAX_BODY:
            return _too_large()
        return None


def _is_foreign(headers: Headers, host: str) -> bool:
    """Whether a page of another site sent this; other programs don't say anything of that kind."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}")


def _is_visit(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link to the page, which the other site then can't look into."""
    is_link = headers.get("sec-fetch-mode") == "navigate" and "origin" not in headers
    return is_link and scope["method"] in ("GET", "HEAD")


def _is_json(scope: Scope) -> bool:
    kind = Headers(scope=scope).get("content-type", "")
    return kind.partition(";")[0].strip().lower() == "application/json"


def int_of(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() else 0


async def _read(receive: Receive) -> bytes | JSONResponse:
    """All of the body, or what is wrong with it."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            more = True
            while more:
                message = await receive()
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > MAX_BODY:
                    return _too_large()
    except TimeoutError:
        slow = "the request did not come in within {seconds} s"
        return refuse(408, Trouble(slow, code="slow", seconds=round(BODY_SECONDS)))
    return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """What hands on the body that was read already, and then what else comes."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return first.pop() if first else await receive()

    return receive_again


def _with_headers(send: Send) -> Send:
    async def send_more(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return send_more


def _too_large() -> JSONResponse:
    # What is left of the body is not read, so nothing else can come on this connection.
    words = "a request may have {most:,} bytes"
    return refuse(413, Trouble(words, code="body", most=MAX_BODY), {"Connection": "close"})
