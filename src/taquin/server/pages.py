"""The files of the page. A request only chooses among those that are there: it names no path."""

from __future__ import annotations

import hashlib
import mimetypes
import time
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from .trouble import refuse

WEB = Path(__file__).parent.parent / "web"
DOCS = Path(__file__).parent / "docs"

_LOOK_AGAIN_SECONDS = 1.0
"""How often to look for new files, when one is asked for that is not known."""

_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


@dataclass(slots=True)
class _File:
    path: Path
    changed: int = -1
    content: bytes = b""
    tag: str = ""

    def refresh(self) -> None:
        """Read it anew if it has changed."""
        changed = self.path.stat().st_mtime_ns
        if changed != self.changed:
            self.content = self.path.read_bytes()
            self.tag = f'"{hashlib.sha256(self.content).hexdigest()[:20]}"'
            self.changed = changed

    @property
    def kind(self) -> str:
        suffix = self.path.suffix.lower()
        return _KINDS.get(suffix) or mimetypes.guess_type(self.path.name)[0] or "text/plain"


class Pages:
    """The files below some folders, by the address at which they are found; the rest is passed on.

    Browsers may keep files, and ask each time whether they are still the same.
    """

    def __init__(self, folders: dict[str, Path], rest: ASGIApp) -> None:
        self._folders = folders
        self._rest = rest
        self._files: dict[str, _File] = {}
        self._looked = -_LOOK_AGAIN_SECONDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = self._find(scope["path"]) if scope["type"] == "http" else None
        if file is None:
            await self._rest(scope, receive, send)
        else:
            await _answer(scope, file)(scope, receive, send)

    def _find(self, address: str) -> _File | None:
        if address not in self._files:
            self._look()
        file = self._files.get(address)
        if file is None:
            return None
        try:
            file.refresh()
        except OSError:
            del self._files[address]
            return None
        return file

    def _look(self) -> None:
        now = time.monotonic()
        if now - self._looked < _LOOK_AGAIN_SECONDS:
            return
        self._looked = now
        for address, folder in self._folders.items():
            for path in folder.rglob("*"):
                name = path.relative_to(folder)
                if path.is_file() and not any(part.startswith((".", "_")) for part in name.parts):
                    self._add(f"{address}/{name.as_posix()}", path)

    def _add(self, address: str, path: Path) -> None:
        self._files.setdefault(address, _File(path))
        if path.name == "index.html":
            self._files.setdefault(address.removesuffix("index.html"), _File(path))
            self._files.setdefault(address.removesuffix("/index.html"), _File(path))


def _answer(scope: Scope, file: _File) -> Response:
    if scope["method"] not in ("GET", "HEAD"):
        return refuse(405, "a file can only be read", {"Allow": "GET, HEAD"})
    headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Content-Type": file.kind}
    known = Headers(scope=scope).get("if-none-match", "")
    if file.tag in (tag.strip().removeprefix("W/") for tag in known.split(",")):
        return Response(status_code=304, headers=headers)
    return Response(file.content, headers=headers)
