"""Every example in the documentation runs, and every link leads somewhere.

Python examples (`>>>`) of a page share their names from top to bottom. A `console` block is a
session in an empty directory: each line after `$ ` is run, and what it prints must match the lines
below it, `...` standing for what varies. A command must succeed, unless the next one is
`echo $?`, which then shows its exit code. Blocks that are only to be read have another language.
"""

import doctest
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest

from taquin import Board, Limit, Result, heuristics, notation, search, solve
from taquin.cli import cli

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md")) + [
    page
    for name in ("README", "CONTRIBUTING", "CHANGELOG")
    if (page := ROOT / f"{name}.md").exists()
]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@dataclass(frozen=True)
class Block:
    """The lines between two fences."""

    language: str
    line: int
    text: str


def blocks(page: Path) -> Iterator[Block]:
    fence = re.compile(r"^(`{3,})(\S*)[^\n]*\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
    text = page.read_text(encoding="utf-8")
    for match in fence.finditer(text):
        yield Block(match[2], text.count("\n", 0, match.start()) + 2, match[3])


# --- Python examples ----------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_examples(page: Path) -> None:
    examples = [
        doctest.Example(e.source, e.want, e.exc_msg, block.line - 1 + e.lineno, e.indent, e.options)
        for block in blocks(page)
        for e in doctest.DocTestParser().get_examples(block.text)
    ]
    names = {"__name__": "__main__"}
    test = doctest.DocTest(examples, names, name_of(page), str(page), 0, None)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    failed, _ = runner.run(test, out=report.append)
    assert not failed, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_python_goes_unchecked(page: Path) -> None:
    silent = [
        b.line for b in blocks(page) if b.language in ("python", "pycon") and ">>>" not in b.text
    ]
    assert not silent, f"Python without >>> at lines {silent}"


# --- console examples ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    command: str
    output: str


def steps(session: str) -> list[Step]:
    found = []
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        found.append(Step(command, output))
    return found


def sessions() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for block in blocks(page):
            if block.language == "console":
                yield f"{name_of(page)}:{block.line}", block.text


def run(command: str, directory: Path) -> tuple[int, str]:
    """The exit code of a command and all it prints, as in a plain terminal 100 columns wide."""
    scripts = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=directory,
        env={
            **os.environ,
            "PATH": scripts + os.pathsep + os.environ["PATH"],
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "PYTHONIOENCODING": "utf-8",
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout.decode()


def matches(printed: str, wanted: str) -> bool:
    """Whether the lines are the same; `...` is anything in its line, or any lines if alone."""
    # Columns keep their places on the page, so the spaces around what varies vary, too.
    parts = re.split(r"(^\.\.\.$| *\.\.\. *)", _tidy(wanted), flags=re.MULTILINE)
    anything = {"...": "(?s:.*)"}
    pattern = "".join(
        anything.get(part, ".*") if i % 2 else re.escape(part) for i, part in enumerate(parts)
    )
    return re.fullmatch(pattern, _tidy(printed)) is not None


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


@pytest.mark.parametrize("session", [pytest.param(text, id=name) for name, text in sessions()])
def test_console_examples(session: str, tmp_path: Path) -> None:
    played = steps(session)
    assert played, "a console block without a command"
    code = 0
    for number, step in enumerate(played):
        if step.command == "echo $?":
            assert step.output.strip() == str(code), (
                f"the exit code of: {played[number - 1].command}"
            )
            continue
        code, printed = run(step.command, tmp_path)
        assert matches(printed, step.output), f"$ {step.command}\n{printed}"
        is_shown = number + 1 < len(played) and played[number + 1].command == "echo $?"
        assert code == 0 or is_shown, f"$ {step.command}\nexit code {code}"


def test_a_wrong_console_example_is_noticed() -> None:
    assert matches("a\nb  \n", "a\nb\n")
    assert matches("solved in 0.12 s\n", "solved in ... s\n")
    assert not matches("a\nb\n", "a\n")
    assert matches("a\nb\nc\nd\n", "a\n...\nd\n")
    assert matches("12.5 kB  0.1 2\n", "12.5 kB  ... 2\n")
    assert not matches("solved in 0.12 s\n", "solved in ... h\n")
    assert not matches("solved in 0.12\n2 s\n", "solved in ... s\n")
    assert not matches("a\nb\nc\n", "a\n...\nd\n")


# --- links --------------------------------------------------------------------------------------


def without_code(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as GitHub and MyST make them."""
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{target} does not exist"
        assert not anchor or anchor in anchors(file), f"{target}: there is no such heading"


# --- the pages name what there is ---------------------------------------------------------------


def text_of(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_every_algorithm_and_heuristic_is_described() -> None:
    for name in [*search.ALGORITHMS, *heuristics.NAMED]:
        assert f"`{name}`" in text_of("algorithms.md")


def test_every_format_is_described() -> None:
    for name in notation.FORMATS:
        assert f"`{name}`" in text_of("formats.md")


def test_every_command_is_described() -> None:
    for name in cli.commands:
        assert f"## taquin {name}" in text_of("cli.md")


def test_every_room_is_described() -> None:
    rooms = [path.name for path in (ROOT / "src" / "taquin").rglob("[a-z]*.py")]
    sources = {path.stem for path in (ROOT / "cpp").glob("*.cpp")}
    for name in [*rooms, *sources]:
        assert f"`{name}" in text_of("architecture.md"), f"{name} is not in architecture.md"


# --- the schema of a result ---------------------------------------------------------------------

SCHEMA = json.loads(text_of("result.schema.json"))

FIFTEEN = "15 14 1 6 / 9 11 4 12 / 0 10 7 3 / 13 8 5 2"

RESULTS = {
    "solved from a table": lambda: solve("8 6 7 / 2 5 4 / 3 0 1"),
    "solved already": lambda: solve("1 2 3 / 4 5 6 / 7 8 0", algorithm="bfs"),
    "solved natively": lambda: solve(Board.random(4, 4, seed=3, walk=30)),
    "fast": lambda: solve(FIFTEEN, quality="fast"),
    "within": lambda: solve("8 6 7 / 2 5 4 / 3 0 1", algorithm="wastar", weight=1.5),
    "no proof": lambda: solve("1 2 3 / 4 5 6 / 7 0 8", algorithm="dfs", depth=9),
    "iterations": lambda: solve("8 6 7 / 2 5 4 / 3 0 1", algorithm="idastar"),
    "own heuristic": lambda: solve("1 2 3 / 4 5 6 / 7 0 8", heuristic=lambda board, goal: 0.5),
    "unsolvable": lambda: solve("1 2 3 / 4 5 6 / 8 7 0"),
    "limit with an answer": lambda: solve(FIFTEEN, "blank-first", limit=Limit(expanded=1000)),
    "limit without": lambda: solve(FIFTEEN, algorithm="astar", limit=Limit(expanded=10)),
    "out of reach": lambda: solve("8 6 7 / 2 5 4 / 3 0 1", algorithm="dfs", depth=3),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_results_follow_the_schema(kind: str) -> None:
    result: Result = RESULTS[kind]()
    for direction in ("tile", "blank"):
        data = json.loads(json.dumps(result.to_dict(moves=direction)))
        jsonschema.validate(data, SCHEMA)
        assert Result.from_dict(data) == Result.from_dict(result.to_dict())


def test_the_schema_is_strict() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    good = solve("8 6 7 / 2 5 4 / 3 0 1").to_dict()
    wrong = [
        *({key: value for key, value in good.items() if key != left_out} for left_out in good),
        {**good, "nodes": 1},
        {**good, "status": "done"},
        {**good, "proof": "within"},
        {**good, "moves": "LRX"},
        {**good, "moves": None},
        {**good, "length": -1},
        {**good, "stats": {**good["stats"], "expanded": 1.5}},
        {**good, "stats": {**good["stats"], "nodes": 1}},
    ]
    for data in wrong:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(data, SCHEMA)


def test_every_key_of_a_result_is_described() -> None:
    data = solve("8 6 7 / 2 5 4 / 3 0 1").to_dict()
    for key in [*data, *data["stats"]]:
        assert f"| `{key}` |" in text_of("result.md")
