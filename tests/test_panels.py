"""The panels Solve, Watch, Compare and Records, and hints: in a browser, before a real server."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browser import Served, assert_accessible, tiles_of
from playwright.sync_api import expect

from taquin import Board, Move, Replay, goals
from taquin.heuristics import linear_conflict
from taquin.search import ALGORITHMS

NEAR = "#board=1.2.3-0.4.6-7.5.8"
"""Three moves from the goal: LUL."""

HARD = "#board=8.6.7-2.5.4-3.0.1"
"""31 moves from the goal, as far as any."""


def link(board: Board) -> str:
    return "#board=" + str(board).replace(" ", ".").replace("/", "-")


def open_tab(page: Any, name: str) -> Any:
    page.get_by_role("tab", name=name).click()
    panel = page.get_by_role("tabpanel", name=name)
    panel.locator("h2").first.wait_for(state="attached")
    return panel


def figure(panel: Any, key: str) -> str:
    return panel.locator(f"[data-figure='{key}']").inner_text()


def solved(page: Any) -> Any:
    """The panel Solve, when the shortest answer is there."""
    panel = open_tab(page, "Solve")
    panel.get_by_role("button", name="Solve").click()
    panel.locator(".verdict[data-kind=good]").wait_for()
    return panel


def film(panel: Any) -> list[list[list[int]]]:
    """Every board of the scrubber in a panel, by its own buttons."""
    return panel.evaluate(
        """(panel) => {
            const [first, , , next] = panel.querySelectorAll('.scrubber .bar button');
            const rows = () => [...panel.querySelectorAll('.board [role=row]')].map((row) =>
                [...row.children].map((cell) => parseInt(cell.getAttribute('aria-label')) || 0));
            first.click();
            const boards = [rows()];
            while (!next.disabled) {
                next.click();
                boards.push(rows());
            }
            return boards;
        }"""
    )


# --- solve --------------------------------------------------------------------------------------


def test_the_shortest_answer_and_its_film(visit: Any) -> None:
    page = visit(HARD)
    panel = solved(page)
    assert "31 moves, the fewest possible" in panel.locator(".verdict").inner_text()
    assert [figure(panel, f"solve.{key}") for key in ("length", "bound", "proof")] == [
        "31",
        "31",
        "shortest",
    ]
    panel.get_by_label("Speed").select_option("16")
    panel.get_by_role("button", name="Play", exact=True).click()
    panel.get_by_text("31 of 31").wait_for()
    assert tiles_of(page) == "1 2 3/4 5 6/7 8 0"


def test_giving_up_a_5x5_stopping_and_going_through_the_whole_path(visit: Any) -> None:
    board = Board.random(5, 5, seed=5)
    page = visit(link(board))
    page.keyboard.press("ArrowUp" if "U" in board.moves() else "ArrowDown")
    page.get_by_role("button", name="Give up").click()
    panel = page.get_by_role("tabpanel", name="Solve")
    panel.get_by_text("Looking for a shorter one").wait_for()
    for key in ("length", "bound", "proof", "expanded", "speed", "seconds"):
        expect(panel.locator(f"[data-figure='solve.{key}']")).not_to_have_text("–")
    panel.get_by_role("button", name="Stop").click()
    panel.get_by_text("Stopped. The best answer found has").wait_for()
    start = Board(tiles_of(page))
    length = int(figure(panel, "solve.length"))
    assert length > int(figure(panel, "solve.bound")) > 0

    steps = panel.get_by_role("listbox")
    last = panel.locator(f"[role=option][aria-posinset='{length + 1}']")
    assert last.count() == 0, "only the steps in view are drawn"
    assert steps.get_by_role("option").first.get_attribute("aria-setsize") == str(length + 1)
    assert_leads(film(panel), start, length)
    assert last.get_attribute("aria-selected") == "true"
    assert panel.get_by_role("slider").input_value() == str(length)


def assert_leads(shown: list[list[list[int]]], start: Board, length: int) -> None:
    """A film shows every board of a way from the start to the goal."""
    boards = [Board(tiles) for tiles in shown]
    assert len(boards) == length + 1
    assert all(after in before.neighbours() for before, after in pairwise(boards))
    assert boards[0] == start
    assert boards[-1] == goals.blank_last(*start.shape)


@pytest.mark.parametrize("quality", ["fast", "within"])
def test_8x8_is_solved_the_same_way(visit: Any, quality: str) -> None:
    board = Board.random(8, 8, seed=1)
    page = visit(link(board))
    panel = open_tab(page, "Solve")
    panel.get_by_label("Answer").select_option(quality)
    if quality == "within":
        panel.get_by_label("Times the shortest").fill("9")
    panel.get_by_role("button", name="Solve").click()
    panel.get_by_text("No answer has fewer than").wait_for()
    assert figure(panel, "solve.proof").startswith("within ")
    length = int(figure(panel, "solve.length").replace(",", ""))
    assert panel.locator("[role=option]").first.get_attribute("aria-setsize") == str(length + 1)
    assert_leads(film(panel), board, length)


def test_a_link_to_a_solution_that_was_found(visit: Any) -> None:
    page = visit(HARD)
    panel = solved(page)
    panel.get_by_role("button", name="Share").click()
    assert page.get_by_label("What").input_value() == "solution"
    address = page.get_by_label("Link", exact=True).input_value()
    other = visit("#" + address.partition("#")[2])
    other.get_by_role("heading", name="A solution").wait_for()
    assert_leads(film(other.get_by_role("dialog")), Board("8 6 7/2 5 4/3 0 1"), 31)


def test_playing_on_from_a_step(visit: Any) -> None:
    page = visit(NEAR)
    panel = solved(page)
    panel.get_by_role("button", name="One step on").click()
    board = tiles_of(page)
    panel.get_by_role("button", name="Play on from here").click()
    page.get_by_role("tabpanel", name="Play").wait_for()
    assert tiles_of(page) == board == "1 2 3/4 0 6/7 5 8"


def test_solve_takes_the_current_position(visit: Any) -> None:
    page = visit(NEAR)
    open_tab(page, "Solve")
    open_tab(page, "Play")
    page.locator(".play .board").focus()
    page.keyboard.press("ArrowLeft")
    panel = solved(page)
    assert figure(panel, "solve.length") == "2"


def test_without_a_server_solve_says_so(visit: Any, tmp_path: Path) -> None:
    visit.allowed.append("net::ERR_")
    server = Served(tmp_path)
    page = visit(NEAR, server=server)
    panel = open_tab(page, "Solve")
    server.end()
    panel.get_by_role("button", name="Solve").click()
    panel.get_by_text("The server does not answer").wait_for()


@pytest.mark.parametrize(
    ("language", "words"),
    [("en-GB", "The server is busy."), ("de-DE", "Der Server ist ausgelastet.")],
)
def test_a_full_server_says_when_to_come_back(
    visit: Any, tmp_path: Path, language: str, words: str
) -> None:
    visit.allowed.append("429")
    server = Served(tmp_path, "--jobs", "1", "--queue", "0")
    try:
        page = visit(NEAR, server=server, language=language)
        page.get_by_role("tab").nth(1).click()
        button = page.locator("#panel-solve .solve-controls .button")
        button.wait_for()
        # Nobody waits for this answer, so the server does not look for it for long.
        long = {"board": str(Board.random(6, 6, seed=1))}
        assert page.request.post("/api/solve", data=long).status == 202
        button.click()
        page.locator("#panel-solve .verdict").get_by_text(words).wait_for()
    finally:
        server.end()


# --- hints --------------------------------------------------------------------------------------


def hinted(page: Any, words: str) -> None:
    page.locator(".hint-words", has_text=words).wait_for()


KEYS = {"U": "ArrowUp", "D": "ArrowDown", "L": "ArrowLeft", "R": "ArrowRight"}


def next_move(page: Any) -> Move:
    """The move that is marked on the board."""
    arrow = page.locator(".play .tile[data-mark=next] .badge").inner_text()
    return Move("UDLR"["↑↓←→".index(arrow)])


def test_hints_follow_the_player(visit: Any) -> None:
    page = visit(HARD)
    searches: list[str] = []
    page.on("request", lambda asked: asked.method == "POST" and searches.append(asked.url))
    page.get_by_role("button", name="Hint").click()
    hinted(page, "31 moves left, the fewest possible")
    page.get_by_label("Keep showing").check()
    page.locator(".play .board").focus()
    left = 31
    others: list[Move] = []
    while left > 28 or not others:
        move = next_move(page)
        page.keyboard.press(KEYS[move])
        left -= 1
        hinted(page, f"{left} moves left, the fewest possible")
        possible = Board(tiles_of(page)).moves()
        others = [other for other in possible if other not in (next_move(page), move.opposite)]
    assert len(searches) == 1, "along the answer no search is needed"

    page.keyboard.press(KEYS[others[0]])
    hinted(page, f"{left + 1} moves left, the fewest possible")
    assert len(searches) == 2
    page.keyboard.press("Control+z")
    hinted(page, f"{left} moves left, the fewest possible")
    assert len(searches) == 2, "nor on the way back"


def test_a_hint_counts_once_for_each_board(visit: Any) -> None:
    page = visit(NEAR)
    page.get_by_role("button", name="Hint").wait_for()
    page.keyboard.press("h")
    hinted(page, "3 moves left")
    page.keyboard.press("h")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".play .tile[data-mark=next]").count() == 0, "only when it is asked for"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.get_by_text("1 hint").wait_for()


# --- watch --------------------------------------------------------------------------------------


def watching(page: Any, algorithm: str = "astar", heuristic: str = "manhattan") -> Any:
    panel = open_tab(page, "Watch")
    panel.get_by_role("combobox", name="Board", exact=True).select_option("current")
    panel.get_by_label("Heuristic").select_option(heuristic)
    panel.get_by_label("Algorithm").select_option(algorithm)
    panel.get_by_text("Expansion 1", exact=True).wait_for()
    return panel


def test_every_algorithm_can_be_watched(visit: Any) -> None:
    page = visit(NEAR)
    panel = watching(page)
    for algorithm in ALGORITHMS:
        panel.get_by_label("Algorithm").select_option(algorithm)
        panel.get_by_text("Expansion 1", exact=True).wait_for()
        assert tiles_of(page) == "1 2 3/0 4 6/7 5 8"
        assert figure(panel, "watch.g") == "0"
        panel.get_by_role("button", name="One step on").click()
        panel.locator(".tree-node.current").wait_for()
        panel.get_by_role("button", name="To the end").click()
        panel.get_by_text(re.compile("Goal found:|Not found within 3,000")).wait_for()
        assert panel.locator(".tree-node.current").count() == 1


def test_a_search_step_by_step(visit: Any) -> None:
    page = visit("#board=1.2.3-4.5.6-0.7.8")
    panel = watching(page)
    assert figure(panel, "watch.f") == "2"
    panel.get_by_role("button", name="One step on").click()
    assert tiles_of(page) == "1 2 3/4 5 6/7 0 8"
    shown = [figure(panel, f"watch.{key}") for key in ("g", "h", "f", "closedcount")]
    assert shown == ["1", "1", "2", "2"]
    panel.locator(".tree-node.goal").wait_for()
    assert panel.locator(".tree-node.on-path").count() == 1
    assert panel.locator(".tree-node").count() == 5
    panel.get_by_role("button", name="One step back").click()
    assert tiles_of(page) == "1 2 3/4 5 6/0 7 8"
    expect(panel.locator(".tree-node")).to_have_count(3)


def test_a_running_search_can_be_paused(visit: Any) -> None:
    page = visit(HARD)
    panel = watching(page)
    panel.get_by_label("Speed").select_option("60")
    panel.get_by_role("button", name="Play", exact=True).click()
    expect(panel.get_by_role("slider")).to_have_value(re.compile("^[2-9][0-9]"))
    panel.get_by_role("button", name="Pause").click()
    place = panel.get_by_role("slider").input_value()
    page.wait_for_timeout(100)
    assert panel.get_by_role("slider").input_value() == place


def test_a_large_tree_is_drawn_in_part_and_says_so(visit: Any) -> None:
    page = visit(HARD)
    panel = watching(page, "bfs")
    panel.get_by_role("button", name="To the end").click()
    panel.get_by_text("Not found within 3,000 expansions").wait_for()
    panel.get_by_text("those expanded last, and the way to them").wait_for()
    assert 300 < panel.locator(".tree-node").count() < 450


def test_thresholds(visit: Any) -> None:
    page = visit("#board=2.1.3-4.5.6-8.7.0")
    panel = watching(page, "idastar", "misplaced")
    panel.get_by_role("button", name="To the end").click()
    bars = panel.locator(".watch-thresholds .chart-row")
    bars.nth(2).wait_for()
    names = bars.locator(".chart-name")
    assert names.all_text_contents()[:2] == ["f ≤ 4", "f ≤ 5"]
    # The search may still go on while the figures are read.
    for _ in range(500):
        if f"f ≤ {figure(panel, 'watch.threshold')}" == names.all_text_contents()[-1]:
            return
        page.wait_for_timeout(20)
    pytest.fail("the threshold is not that of the last bar")


def test_the_heuristic_is_explained_on_the_board(visit: Any) -> None:
    board = Board("2 1 3 / 4 5 6 / 8 7 0")
    breakdown = linear_conflict.explain(board)
    page = visit(link(board))
    panel = watching(page, "astar", "linear-conflict")
    panel.get_by_text(f"Linear conflict: {breakdown.total}").wait_for()
    conflicts = {tile for part in breakdown.parts if not part.is_tile for tile in part.tiles}
    marked = panel.locator(".tile[data-mark=conflict]")
    assert {
        int(tile) for tile in marked.evaluate_all("(all) => all.map((e) => e.dataset.tile)")
    } == (conflicts)
    assert panel.get_by_text("must step aside").count() == 2
    for tile, distance in breakdown.per_tile().items():
        badge = panel.locator(f".tile[data-tile='{tile}'] .badge")
        shown = badge.inner_text().rstrip("!") if badge.count() else "0"
        assert int(shown) == distance


# --- compare ------------------------------------------------------------------------------------


def test_comparing_two_algorithms(visit: Any) -> None:
    page = visit(HARD)
    panel = open_tab(page, "Compare")
    panel.get_by_role("combobox", name="Boards", exact=True).select_option("current")
    for name in ("Breadth first", "Greedy best first", "Linear conflict"):
        panel.get_by_label(name, exact=True).uncheck()
    panel.get_by_role("button", name="Compare").click()
    panel.get_by_text("2 runs").wait_for()
    rows = panel.locator("tbody tr")
    assert rows.locator("th").all_inner_texts() == ["A* · Manhattan", "IDA* · Manhattan"]
    assert rows.first.locator("td").nth(1).inner_text() == "31"
    assert panel.locator(".charts figure").count() == 4
    panel.locator(".charts .chart-bar").nth(7).wait_for()

    with page.expect_download() as download:
        panel.get_by_role("button", name="CSV").click()
    text = Path(download.value.path()).read_text()
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [line["algorithm"] for line in lines] == ["astar", "idastar"]
    assert {line["length"] for line in lines} == {"31"}
    with page.expect_download() as download:
        panel.get_by_role("button", name="JSON").click()
    results = json.loads(Path(download.value.path()).read_text())["results"]
    assert [result["stats"]["expanded"] for result in results] == [
        int(line["expanded"]) for line in lines
    ]


def test_comparing_on_several_boards(visit: Any) -> None:
    page = visit(NEAR)
    panel = open_tab(page, "Compare")
    panel.get_by_label("How many").select_option("5")
    for name in ("Breadth first", "Greedy best first", "Linear conflict"):
        panel.get_by_label(name, exact=True).uncheck()
    panel.get_by_role("button", name="Compare").click()
    panel.get_by_text("10 runs").wait_for()
    with page.expect_download() as download:
        panel.get_by_role("button", name="CSV").click()
    lines = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    assert len({line["board"] for line in lines}) == 5
    assert len(lines) == 10
    for row, algorithm in enumerate(("astar", "idastar")):
        cells = panel.locator("tbody tr").nth(row).locator("td").all_inner_texts()
        mine = [line for line in lines if line["algorithm"] == algorithm]
        assert cells[0] == cells[2] == "5 / 5"
        for cell, key in ((cells[1], "length"), (cells[3], "expanded")):
            mean = sum(int(line[key]) for line in mine) / 5
            assert float(cell.replace(",", "")) == pytest.approx(mean, rel=0.01)


def test_a_comparison_can_be_stopped(visit: Any) -> None:
    page = visit(link(Board.random(4, 4, seed=1)))
    panel = open_tab(page, "Compare")
    panel.get_by_role("combobox", name="Boards", exact=True).select_option("current")
    panel.get_by_label("Time for each run").select_option("30")
    panel.get_by_role("button", name="Compare").click()
    panel.get_by_text("Run 0 of 7").wait_for()
    panel.get_by_role("button", name="Stop").click()
    panel.get_by_role("button", name="CSV").wait_for()


def test_nothing_chosen_is_told(visit: Any) -> None:
    panel = open_tab(visit(NEAR), "Compare")
    for box in panel.get_by_role("checkbox").all():
        box.uncheck()
    panel.get_by_role("button", name="Compare").click()
    panel.get_by_text("Choose at least one algorithm").wait_for()


# --- records ------------------------------------------------------------------------------------


def test_a_game_comes_to_the_records_with_replay_and_analysis(visit: Any, tmp_path: Path) -> None:
    server = Served(tmp_path)
    try:
        page = visit("#board=1.2-0.3", server=server)
        panel = open_tab(page, "Records")
        panel.get_by_text("No games yet").wait_for()
        open_tab(page, "Play")
        page.locator(".play .board").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        with page.expect_response("**/api/records"):
            page.keyboard.press("ArrowLeft")
        open_tab(page, "Records")
        game = panel.locator(".games tbody tr")
        game.wait_for()
        assert game.locator("td").nth(1).inner_text() == "3"
        panel.locator(".line-chart .chart-dot").wait_for()

        game.get_by_role("button").click()
        panel.get_by_role("heading", name="A game of 3 moves").wait_for()
        assert tiles_of(page) == "1 2/0 3"
        panel.get_by_role("button", name="To the end").click()
        assert tiles_of(page) == "1 2/3 0"
        panel.get_by_role("button", name="Find where moves were lost").click()
        panel.get_by_text("3 moves where 1 would do: 2 moves were lost").wait_for()
        panel.get_by_role("button", name="Move 1: 2 lost. Better was 3 ←").click()
        assert tiles_of(page) == "1 2/0 3"
        assert panel.locator(".tile[data-mark=next]").get_attribute("data-tile") == "3"
        assert "loses 2 moves" in panel.locator(".step-words").inner_text()
        panel.get_by_role("button", name="All games").click()
        game.wait_for()
    finally:
        server.end()


def test_bests_averages_and_history(visit: Any, tmp_path: Path) -> None:
    server = Served(tmp_path)
    try:
        page = visit(NEAR, server=server)
        record_some(page)
        panel = open_tab(page, "Records")
        rows = panel.locator(".bests tbody tr")
        single = rows.filter(has=page.get_by_role("rowheader", name="Single"))
        assert single.locator("td").first.inner_text() == "0:01.40"
        average = rows.filter(has=page.get_by_role("rowheader", name="Average of 5"))
        # The best and the worst of five don't count.
        shown = average.locator("td").all_inner_texts()
        assert shown[:2] == ["0:01.51", "0:01.60"]
        assert panel.locator(".line-chart .chart-dot").count() == 6
        assert panel.locator(".games tbody tr").count() == 6

        told = subprocess.run(
            [sys.executable, "-m", "taquin", "records"],
            env={**os.environ, "TAQUIN_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert "1.40" in told.stdout, "the terminal has the same records"
    finally:
        server.end()


# --- looks --------------------------------------------------------------------------------------


def record_some(page: Any) -> None:
    replay = Replay.parse("1 2 3/0 4 6/7 5 8;DULUL;0,250,600,900,1400")
    for seconds in (1.4, 1.6, 1.5, 2.0, 1.45, 1.7):
        response = page.request.post("/api/records", data={**replay.to_dict(), "seconds": seconds})
        assert response.ok


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1280, False)])
def test_axe_finds_nothing_on_filled_panels(visit: Any, width: int, dark: bool) -> None:
    page = visit(NEAR, width=width, height=760, dark=dark, reduced_motion="reduce")
    record_some(page)
    page.get_by_role("button", name="Hint").click()
    hinted(page, "3 moves left")
    assert_accessible(page)
    solved(page)
    assert_fits(page, width)

    watching(page, "idastar", "linear-conflict").get_by_role("button", name="To the end").click()
    page.get_by_text("Goal found:").wait_for()
    assert_fits(page, width)

    panel = open_tab(page, "Compare")
    panel.get_by_role("combobox", name="Boards", exact=True).select_option("current")
    panel.get_by_role("button", name="Compare").click()
    panel.get_by_text("7 runs").wait_for()
    assert_fits(page, width)

    panel = open_tab(page, "Records")
    panel.locator(".games tbody tr").first.wait_for()
    assert_fits(page, width)
    panel.locator(".games tbody button").first.click()
    panel.get_by_role("button", name="Find where moves were lost").click()
    panel.get_by_text("2 moves were lost").wait_for()
    assert_fits(page, width)


def assert_fits(page: Any, width: int) -> None:
    """Nothing is wider than the window, and axe finds nothing wrong."""
    page.wait_for_timeout(50)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert_accessible(page)


@pytest.mark.parametrize("language", ["de-DE", "zh-TW"])
def test_panels_speak_other_languages(visit: Any, language: str) -> None:
    page = visit(NEAR, language=language)
    for tab in page.get_by_role("tab").all():
        tab.click()
        page.wait_for_load_state("networkidle")
        shown = page.locator("[role=tabpanel]:not([hidden])").inner_text()
        assert not re.search(r"\b(solve|hint|watch|compare|records|name|explain)\.[a-z]", shown)
