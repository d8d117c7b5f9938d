"""Who may ask: other sites may not, nor whoever asks for too much. And the files of the page."""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from loops import run_apart

from taquin.server.app import Server, make_app
from taquin.server.guard import MAX_BODY, Names
from taquin.server.limits import limits_for

SMALL = {"board": "8 6 7/2 5 4/3 0 1"}


@pytest.fixture
def app(tmp_path: Path) -> Server:
    (tmp_path / "js").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>the page")
    (tmp_path / "js" / "main.js").write_text("export {}")
    (tmp_path / ".secret").write_text("secret")
    return make_app(limits_for(strict=False), Names(["board.example"]), web=tmp_path)


def ask(app: Server, method: str, path: str, **more: Any) -> httpx.Response:
    async def once() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.request(method, path, **more)

    return run_apart(once())


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1", True),
        ("127.0.0.1:8014", True),
        ("localhost:8014", True),
        ("LOCALHOST.", True),
        ("[::1]:8014", True),
        ("192.168.1.7", True),
        ("board.example:80", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example:8014", False),
        ("", False),
        ("[::1", False),
        ("user@evil.example", False),
    ],
)
def test_only_its_own_names_are_answered_to(app: Server, host: str, known: bool) -> None:
    response = ask(app, "GET", "/healthz", headers={"Host": host})
    assert response.status_code == (200 if known else 421)
    if not known:
        assert "name" in response.json()["error"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://127.0.0.1"}, 200),
        ({"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:9999"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),
    ],
)
def test_other_sites_may_not_ask(app: Server, headers: dict[str, str], status: int) -> None:
    response = ask(app, "POST", "/api/check", headers=headers, json=SMALL)
    assert response.status_code == status


def test_links_from_other_sites_lead_to_the_page(app: Server) -> None:
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert ask(app, "GET", "/", headers=link).status_code == 200
    embedded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert ask(app, "GET", "/js/main.js", headers=embedded).status_code == 403


@pytest.mark.parametrize(
    ("method", "path", "more", "status"),
    [
        ("GET", "/nothing", {}, 404),
        ("GET", "/api/nothing", {}, 404),
        ("GET", "/api/solve/abc", {}, 404),
        ("GET", "/api/solve/abc/events", {}, 404),
        ("GET", "/api/records/../../etc", {}, 404),
        ("GET", "/api/solve", {}, 405),
        ("PUT", "/healthz", {}, 405),
        ("POST", "/", {"json": {}}, 405),
        ("POST", "/api/check", {"content": b"board"}, 415),
        ("POST", "/api/check", {"content": b"{}", "headers": {"Content-Type": "text/plain"}}, 415),
        ("POST", "/api/check", {"data": {"board": "1 2 / 3 0"}}, 415),
        ("POST", "/api/check", {"json": [1]}, 422),
        ("POST", "/api/check", {"json": {"board": "x" * MAX_BODY}}, 413),
        ("POST", "/api/check", {"json": {"board": "x" * (MAX_BODY // 2)}}, 422),
    ],
)
def test_every_error_is_json_in_words(
    app: Server, method: str, path: str, more: dict[str, Any], status: int
) -> None:
    response = ask(app, method, path, **more)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/json"
    error = response.json()["error"]
    assert error
    assert "Traceback" not in error
    if status == 405:
        assert response.headers["allow"]


@pytest.mark.parametrize(
    "text", ["{", '{"board": NaN}', "[" * 100_000, '{"board": "\\ud800"}', "9" * 5000]
)
def test_bad_json_is_answered_in_words(app: Server, text: str) -> None:
    response = ask(
        app, "POST", "/api/check", content=text, headers={"Content-Type": "application/json"}
    )
    assert response.status_code in (400, 422)
    assert response.json()["error"]


def test_a_body_without_a_length_is_limited_too(app: Server) -> None:
    async def endless() -> Any:
        while True:
            yield b"x" * 10_000

    response = ask(app, "POST", "/api/check", content=endless())
    assert response.status_code == 413


def test_what_breaks_inside_is_told_without_a_traceback(
    app: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr("taquin.server.routes.solvability", broken)
    response = ask(app, "POST", "/api/check", json=SMALL)
    assert response.status_code == 500
    assert "secret" not in response.text
    assert "went wrong" in response.json()["error"]


@pytest.mark.parametrize("path", ["/", "/healthz", "/js/main.js", "/nothing", "/api/docs"])
def test_every_answer_says_how_pages_may_behave(app: Server, path: str) -> None:
    headers = ask(app, "GET", path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "server" not in headers


# --- files --------------------------------------------------------------------------------------


def test_files_are_kept_by_browsers_until_they_change(app: Server, tmp_path: Path) -> None:
    first = ask(app, "GET", "/")
    assert first.text == "<!doctype html>the page"
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert first.headers["cache-control"] == "no-cache"
    known = {"If-None-Match": first.headers["etag"]}
    same = ask(app, "GET", "/", headers=known)
    assert (same.status_code, same.content) == (304, b"")
    page = tmp_path / "index.html"
    page.write_text("<!doctype html>another page")
    os.utime(page, (1, 1))
    assert ask(app, "GET", "/", headers=known).text == "<!doctype html>another page"
    page.unlink()
    assert ask(app, "GET", "/").status_code == 404


def test_files_have_their_types(app: Server) -> None:
    script = ask(app, "GET", "/js/main.js")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    head = ask(app, "HEAD", "/js/main.js")
    assert head.headers["content-length"] == str(len(script.content))


@pytest.mark.parametrize(
    "path",
    ["/.secret", "/js/../.secret", "/js/%2e%2e/.secret", "//etc/passwd", "/js", "/js/",
     "/%00", "/index.html/", "/api/docs/../../app.py"],
)  # fmt: skip
def test_nothing_else_can_be_read(app: Server, path: str) -> None:
    assert ask(app, "GET", path).status_code == 404


def test_the_description_of_the_api_needs_nothing_from_elsewhere(app: Server) -> None:
    page = ask(app, "GET", "/api/docs")
    assert page.headers["content-type"].startswith("text/html")
    for path in ("/api/docs/docs.js", "/api/docs/docs.css", "/api/openapi.json"):
        assert ask(app, "GET", path).status_code == 200
        assert "https://" not in ask(app, "GET", path).text
    assert "https://" not in page.text
    assert "<script>" not in page.text


# --- turns --------------------------------------------------------------------------------------


def test_a_crowd_of_questions_does_not_delay_the_page(app: Server) -> None:
    """The page, asked for last, is among the first to be answered."""
    answered: list[str] = []

    async def crowd() -> None:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:

            async def one(name: str, answer: Callable[[], Awaitable[httpx.Response]]) -> None:
                assert (await answer()).status_code == 200
                answered.append(name)

            async with asyncio.TaskGroup() as group:
                for _ in range(100):
                    group.create_task(one("check", lambda: client.post("/api/check", json=SMALL)))
                group.create_task(one("page", lambda: client.get("/")))

    run_apart(crowd())
    assert answered.index("page") < 20


def test_the_documentation_names_every_address_and_every_key(app: Server) -> None:
    text = (Path(__file__).parent.parent / "docs" / "http.md").read_text(encoding="utf-8")
    schema = app.api.openapi()
    assert set(re.findall(r"/api/[a-z]+(?:/ID(?:/[a-z]+)?)?", text)) <= {
        path.replace("{id}", "ID") for path in schema["paths"]
    } | {"/api/docs", "/api/openapi"}
    for path, actions in schema["paths"].items():
        kind = re.sub(r"^/api/(solve|watch|compare|analysis)/", "/api/KIND/", path)
        address = kind.replace("{id}", "ID")
        for method, action in actions.items():
            lines = [line for line in text.splitlines() if f"`{address}`" in line]
            lines += [line for line in text.splitlines() if f"{method.upper()} {address}" in line]
            assert lines, (method, address)
            if "requestBody" in action:
                content = action["requestBody"]["content"]["application/json"]["schema"]
                model = schema["components"]["schemas"][content["$ref"].rpartition("/")[2]]
                missing = [key for key in model["properties"] if not named(key, lines, text)]
                assert not missing, address


def named(key: str, lines: list[str], text: str) -> bool:
    """A key stands where the address does, or among those of a game."""
    game = re.search(r"a game: (.*?);", text)
    assert game
    return any(re.search(rf"\b{key}\b", line) for line in [*lines, game[1]])
