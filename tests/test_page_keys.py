"""Everything with the keyboard alone: no test here touches a pointer."""

from typing import Any

from browser import tiles_of
from playwright.sync_api import expect

from taquin import Board

NEAR = "#board=1.2.3-0.4.6-7.5.8"
"""Three moves from the goal: LUL."""

MOST_TABS = 80


def name_of_focus(page: Any) -> str:
    """What a screen reader calls what has the focus, as far as a test needs it."""
    return page.evaluate(
        """() => {
            const it = document.activeElement;
            const label = it.labels?.[0]?.querySelector('span')?.innerText;
            return (it.getAttribute('aria-label') ?? label ?? it.innerText ?? '').trim();
        }"""
    )


def tab_to(page: Any, name: str, key: str = "Tab") -> None:
    """Press Tab until something of that name has the focus."""
    seen = []
    for _ in range(MOST_TABS):
        page.keyboard.press(key)
        seen.append(name_of_focus(page))
        if seen[-1] == name:
            return
    raise AssertionError(f"no {name!r} among {seen}")


def open_tab(page: Any, name: str) -> Any:
    """Through the list of tabs, by arrows."""
    for _ in range(MOST_TABS):
        if page.evaluate("document.activeElement.role") == "tab":
            break
        page.keyboard.press("Shift+Tab")
    while name_of_focus(page) != name:
        page.keyboard.press("ArrowRight")
    panel = page.get_by_role("tabpanel", name=name)
    panel.locator("h2").first.wait_for(state="attached")
    return panel


def test_entering_mending_and_editing_a_board(visit: Any) -> None:
    page = visit(NEAR)
    tab_to(page, "Enter a board")
    page.keyboard.press("Enter")
    assert name_of_focus(page) == "Board as text"
    page.keyboard.press("Control+a")
    page.keyboard.type("2 1 3/4 5 6/7 8 0")
    page.get_by_role("button", name="Mend it").wait_for()
    tab_to(page, "Mend it: exchange tiles 1 and 2")
    page.keyboard.press("Enter")
    page.locator(".verdict[data-kind=good]").wait_for()
    assert name_of_focus(page) == "Board as text", "the button is gone, and the focus is not lost"

    tab_to(page, "1, in place")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    text = page.get_by_label("Board as text")
    assert text.input_value() == "2 1 3/4 5 6/7 8 0"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("8")
    assert text.input_value() == "2 1 3/4 8 6/7 5 0"
    page.locator(".verdict[data-kind=good]").wait_for()
    tab_to(page, "Play this board", "Shift+Tab")
    page.keyboard.press("Enter")
    assert tiles_of(page) == "2 1 3/4 8 6/7 5 0"


def test_solving_and_scrubbing(visit: Any) -> None:
    page = visit(NEAR)
    panel = open_tab(page, "Solve")
    tab_to(page, "Solve")
    page.keyboard.press("Enter")
    panel.locator(".verdict[data-kind=good]").wait_for()
    place = panel.locator("output.place")
    tab_to(page, "Step")
    for key, told in (("ArrowRight", 1), ("End", 3), ("Home", 0)):
        page.keyboard.press(key)
        expect(place).to_have_text(f"{told} of 3")
    tab_to(page, "All steps")
    for key, told in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", 3)):
        page.keyboard.press(key)
        expect(place).to_have_text(f"{told} of 3")
        chosen = panel.get_by_role("listbox").get_attribute("aria-activedescendant")
        assert page.locator(f"#{chosen}").get_attribute("aria-selected") == "true"
    tab_to(page, "Speed", "Shift+Tab")
    page.keyboard.press("ArrowDown")
    tab_to(page, "Play", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(place).to_have_text("3 of 3")
    assert tiles_of(page) == "1 2 3/4 5 6/7 8 0"


def test_watching(visit: Any) -> None:
    page = visit(NEAR)
    panel = open_tab(page, "Watch")
    panel.get_by_text("Expansion 1", exact=True).wait_for()
    tab_to(page, "Algorithm")
    page.keyboard.type("br")
    assert panel.get_by_label("Algorithm").input_value() == "bfs"
    panel.get_by_text("Expansion 1", exact=True).wait_for()
    tab_to(page, "One step on")
    page.keyboard.press("Enter")
    panel.get_by_text("Expansion 2", exact=True).wait_for()
    tab_to(page, "Expansion")
    page.keyboard.press("ArrowRight")
    panel.get_by_text("Expansion 3", exact=True).wait_for()


def test_comparing(visit: Any) -> None:
    page = visit(NEAR)
    panel = open_tab(page, "Compare")
    tab_to(page, "Breadth first")
    page.keyboard.press(" ")
    tab_to(page, "Compare")
    page.keyboard.press("Enter")
    panel.get_by_text("18 runs").wait_for()
    tab_to(page, "CSV")
    with page.expect_download():
        page.keyboard.press("Enter")


def test_records(visit: Any) -> None:
    page = visit(NEAR)
    with page.expect_response("**/api/records"):
        for key in ("ArrowLeft", "ArrowUp", "ArrowLeft"):
            page.keyboard.press(key)
    panel = open_tab(page, "Records")
    panel.locator(".games tbody tr").first.wait_for()
    newest = panel.locator(".games tbody button").first.inner_text()
    tab_to(page, newest)
    page.keyboard.press("Enter")
    panel.get_by_role("heading", name="A game of").wait_for()
    tab_to(page, "One step on")
    page.keyboard.press("Enter")
    tab_to(page, "All games", "Shift+Tab")
    page.keyboard.press("Enter")
    assert name_of_focus(page) == newest, "back where one came from"


def test_settings_and_sharing(visit: Any) -> None:
    page = visit(NEAR)
    tab_to(page, "Settings")
    page.keyboard.press("Enter")
    tab_to(page, "Colours of tiles")
    page.keyboard.press("ArrowDown")
    assert page.locator(".play .board").get_attribute("data-scheme") == "rows"
    page.keyboard.press("Escape")
    assert name_of_focus(page) == "Settings"
    tab_to(page, "Share", "Shift+Tab")
    page.keyboard.press("Enter")
    tab_to(page, "Copy link")
    page.keyboard.press("Enter")
    page.get_by_text("Link copied.").first.wait_for()


def test_new_boards_undo_and_pause(visit: Any) -> None:
    page = visit(NEAR)
    tab_to(page, "Rows")
    page.keyboard.press("5")
    tab_to(page, "Seed")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    assert tiles_of(page) == str(Board.random(5, 3, seed=7))
    tab_to(page, "Board", "Shift+Tab")
    start = tiles_of(page)
    for key in ("ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    tab_to(page, "Pause")
    page.keyboard.press("Enter")
    assert page.locator(".board.covered").count() == 1
    page.keyboard.press("Enter")
    assert page.locator(".board.covered").count() == 0
    tab_to(page, "Restart")
    page.keyboard.press(" ")
    assert tiles_of(page) == start
