"""A real browser before a real server, for the tests of the page.

`visit(address)` opens the page in a window of its own. When the test is over, no window may have
written an error to its console, and none may have asked for anything from elsewhere.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60
"""Seconds after which something that must come is taken to be missing."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str | None:
    """The browser of this machine; `make test` installs one on Debian."""
    named = [os.environ.get("TAQUIN_CHROMIUM"), *map(shutil.which, NAMES), str(MAC)]
    return next((path for path in named if path and Path(path).exists()), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests of a worker."""
    from playwright.sync_api import expect, sync_playwright

    path = find_chromium()
    if path is None:
        (pytest.fail if shutil.which("apt-get") else pytest.skip)("there is no Chromium here")
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


class Served:
    """`taquin serve` in a process of its own, with records of its own."""

    def __init__(self, home: Path, *options: str, port: int = 0) -> None:
        self.home = home
        self.process = subprocess.Popen(
            [sys.executable, "-m", "taquin", "serve", "--port", str(port), "--no-open", *options],
            env={**os.environ, "TAQUIN_HOME": str(home)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        words = self.process.stdout.readline().split()
        self.address = next(word for word in words if word.startswith("http")).rstrip("/")

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests of a worker."""
    server = Served(tmp_path_factory.mktemp("served"))
    yield server
    server.end()


@dataclass(eq=False)
class Window:
    """A page of the browser with storage of its own; it tells its present visitor of complaints."""

    page: Any
    options: dict[str, Any]
    visitor: "Visits | None" = None

    @classmethod
    def open(cls, browser: Any, options: dict[str, Any]) -> "Window":
        page = browser.new_context(**options).new_page()
        page.set_default_timeout(1000 * PATIENCE)
        window = cls(page, options)
        page.on("pageerror", lambda error: window.complain(str(error)))
        page.on("console", window.hear)
        page.on("request", lambda request: window.check(request.url))
        return window

    def hear(self, message: Any) -> None:
        if message.type == "error":
            self.complain(f"{message.text} ({message.location.get('url', '')})")

    def check(self, url: str) -> None:
        if not url.startswith((self.options["base_url"], "blob:", "data:", "about:")):
            self.complain(f"asked for {url}")

    def complain(self, words: str) -> None:
        if self.visitor and not any(part in words for part in self.visitor.allowed):
            self.visitor.errors.append(words)

    def empty(self) -> None:
        """As if it had just been opened."""
        origin = {"origin": self.options["base_url"], "storageTypes": "all"}
        self.page.goto("about:blank")
        session = self.page.context.new_cdp_session(self.page)
        session.send("Storage.clearDataForOrigin", origin)
        session.detach()


@pytest.fixture(scope="session")
def windows(chromium: Any) -> list[Window]:
    """Empty windows of tests that are over: a new one takes as long as the page itself."""
    return []


@dataclass
class Visits:
    """Opens windows, and keeps what they complain about."""

    browser: Any
    server: Served
    idle: list[Window]
    errors: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    """What a complaint may contain in this test."""
    mine: list[Window] = field(default_factory=list)

    def __call__(
        self,
        address: str = "",
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        language: str = "en-GB",
        server: Served | None = None,
        **more: Any,
    ) -> Any:
        """The page at an address (what follows the host), when it has been drawn."""
        window = self._window(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale=language,
            base_url=(server or self.server).address,
            accept_downloads=True,
            **more,
        )
        window.page.goto(f"/{address}")
        window.page.locator("[role=tabpanel]:not([hidden]) .board").first.wait_for()
        return window.page

    def _window(self, **options: Any) -> Window:
        window = next((one for one in self.idle if one.options == options), None)
        if window is None:
            window = Window.open(self.browser, options)
        else:
            self.idle.remove(window)
        window.visitor = self
        self.mine.append(window)
        return window

    def leave(self) -> None:
        """Empty the windows for others; those of a server of their own are of no use to them."""
        for window in self.mine:
            window.empty()
            window.visitor = None
            if window.options["base_url"] == self.server.address:
                self.idle.append(window)
            else:
                window.page.context.close()


@pytest.fixture
def visit(chromium: Any, served: Served, windows: list[Window]) -> Iterator[Callable[..., Any]]:
    """Opens the page; see `Visits`."""
    visits = Visits(chromium, served, windows)
    yield visits
    visits.leave()
    assert not visits.errors, "\n".join(visits.errors)


def assert_accessible(page: Any) -> None:
    """axe finds nothing wrong with what is shown, and every board has a name."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page)
    assert not found.response["violations"], found.generate_report()
    assert page.locator("[role=grid]:not([aria-label])").count() == 0


def until(page: Any, expression: str) -> None:
    """Wait until an expression holds in the page, whose policy lets it evaluate none by itself."""
    for _ in range(50 * PATIENCE):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(20)
    pytest.fail(f"this did not become true: {expression}")


def tiles_of(page: Any, board: str = "[role=tabpanel]:not([hidden]) .board") -> str:
    """The board that is shown, as text."""
    return page.locator(board).first.evaluate(
        """(board) => {
            const cells = [...board.querySelectorAll('[role=gridcell]')];
            const cols = board.querySelector('[role=row]').children.length;
            const tiles = cells.map((cell) => parseInt(cell.getAttribute('aria-label')) || 0);
            const rows = [];
            while (tiles.length) rows.push(tiles.splice(0, cols).join(' '));
            return rows.join('/');
        }"""
    )
