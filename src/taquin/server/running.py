"""The server as a process: its socket, its signals, and an end at which nothing is left."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .app import Server

TRIED_PORTS = 20
"""How many ports are tried before any free one is taken."""

MAX_CONNECTIONS = 1_000

MAX_HEAD = 128 * 1024
"""Bytes of the longest address with all headers."""

HEAD_SECONDS = 15.0
"""How long the head of a request may take to come in."""

_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "0.0.0.0")]
    [True, True, True, False]
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def bind(host: str, port: int, *, exactly: bool) -> socket.socket:
    """A socket at the port, or at one near it, or at any; `OSError` if that can't be had."""
    tried = [port] if exactly or port == 0 else [*range(port, port + TRIED_PORTS), 0]
    for candidate in tried:
        try:
            return _bound(host, candidate)
        except OSError as error:
            trouble = error
    raise OSError(trouble.errno, trouble.strerror, f"{host}:{port}")


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound


def address_of(bound: socket.socket) -> str:
    """Where a browser on this machine finds the page."""
    host, port = bound.getsockname()[:2]
    if ip_address(host).is_unspecified:
        host = "::1" if ":" in host else "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class _Http(HttpToolsProtocol):
    """A connection. Whoever sends no request in time, or none at all, is not waited for."""

    _patience: asyncio.TimerHandle | None = None
    """What ends the connection, while the head of a request is expected."""
    _head = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.close()
        self._expect_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._patience is not None and not self.transport.is_closing():
            self._head += len(data)
            if self._head > MAX_HEAD:
                self.send_400_response("")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect_request()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """What can't be read gets an error that looks like all others."""
        body = b'{"error":"this is no HTTP request, or its address or headers are too long"}'
        head = (
            "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()

    def _expect_request(self) -> None:
        self._stop_waiting()
        self._head = 0
        self._patience = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class _Process(uvicorn.Server):
    """Cancels all jobs as soon as it is told to end, so that no connection stays open for them."""

    def __init__(self, config: uvicorn.Config, server: Server, on_ready: Callable[[], object]):
        super().__init__(config)
        self._server = server
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._server.jobs.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """To be ended by a signal is the usual way, and no failure."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _STOP}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def make_process(
    server: Server, *, on_ready: Callable[[], object] = lambda: None, access_log: bool = False
) -> uvicorn.Server:
    """What serves an application, until it is told to end."""
    config = uvicorn.Config(
        server,
        http=_Http,
        log_level="info" if access_log else "warning",
        access_log=access_log,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
        backlog=1024,
    )
    return _Process(config, server, on_ready)
