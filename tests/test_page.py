"""The page in a real browser before the real server: playing, entering, sharing, looks."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser import Served, assert_accessible, tiles_of, until

from taquin import Board, goals, palette, solvability
from taquin.replay import Replay

WEB = Path(__file__).parent.parent / "src" / "taquin" / "web"

NEAR = "#board=1.2.3-4.5.6-0.7.8"
"""Two moves from the goal: LL."""


def address_of(board: Board) -> str:
    return "#board=" + str(board).replace(" ", ".").replace("/", "-")


def cell(page: Any, tile: int) -> Any:
    return page.get_by_role("gridcell", name=re.compile(rf"^{tile}(,|$)")).first


def middle(page: Any, tile: int) -> tuple[float, float, float]:
    """Where a tile is on the screen, and how large."""
    box = cell(page, tile).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"]


# --- playing ------------------------------------------------------------------------------------


def test_playing_to_the_end_with_the_mouse(visit: Any) -> None:
    page = visit("#board=1.2.3-0.4.6-7.5.8")
    cell(page, 4).click()
    assert tiles_of(page) == "1 2 3/4 0 6/7 5 8"
    cell(page, 5).click()
    # Sparks are gone after a moment, so the page itself must look out for them.
    page.evaluate(
        """() => {
            const look = () => { window.sparks ||= document.querySelectorAll('.spark').length; };
            new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
        }"""
    )
    cell(page, 8).click()
    page.get_by_role("heading", name="Solved!").wait_for()
    until(page, "window.sparks")
    assert "3 moves in 0:0" in page.locator(".finish").inner_text()


def test_a_click_far_from_the_blank_slides_the_run(visit: Any) -> None:
    page = visit(NEAR)
    cell(page, 1).click()
    assert tiles_of(page) == "0 2 3/1 5 6/4 7 8"
    cell(page, 3).click()
    assert tiles_of(page) == "2 3 0/1 5 6/4 7 8"
    cell(page, 7).click()
    assert tiles_of(page) == "2 3 0/1 5 6/4 7 8", "7 is in neither row nor column of the blank"
    assert page.locator(".status").inner_text().split("\n")[2] == "4"


def test_playing_to_the_end_with_keys(visit: Any) -> None:
    page = visit("#board=1.2.3-0.4.6-7.5.8")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("w")
    assert tiles_of(page) == "1 2 3/4 5 6/7 0 8"
    page.keyboard.press("a")
    page.get_by_role("heading", name="Solved!").wait_for()


def test_shift_slides_all_that_go_that_way(visit: Any) -> None:
    page = visit(NEAR)
    page.keyboard.press("Shift+ArrowLeft")
    page.get_by_role("heading", name="Solved!").wait_for()


def test_arrows_may_mean_the_blank(visit: Any) -> None:
    page = visit(NEAR)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Arrow keys move").select_option("blank")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    assert tiles_of(page) == "1 2 3/4 5 6/7 0 8"


def test_a_tile_follows_the_pointer_and_snaps(visit: Any) -> None:
    page = visit(NEAR)
    x, y, side = middle(page, 7)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - side * 0.2, y, steps=5)
    shown = page.locator(".tile[data-tile='7']").bounding_box()
    assert shown["x"] + shown["width"] / 2 == pytest.approx(x - side * 0.2, abs=2)
    page.wait_for_timeout(120)
    page.mouse.move(x - side * 0.2 + 1, y)
    page.mouse.up()
    assert tiles_of(page) == "1 2 3/4 5 6/0 7 8", "a short way, so it goes back"
    page.mouse.down()
    page.mouse.move(x - side * 0.7, y, steps=5)
    page.mouse.up()
    assert tiles_of(page) == "1 2 3/4 5 6/7 0 8"


def test_dragging_moves_the_whole_run(visit: Any) -> None:
    page = visit(NEAR)
    x, y, side = middle(page, 1)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + side * 0.6, steps=4)
    shifted = page.locator(".tile.held").evaluate_all("(all) => all.map((one) => one.dataset.tile)")
    page.mouse.up()
    assert shifted == ["1", "4"]
    assert tiles_of(page) == "0 2 3/1 5 6/4 7 8"


def test_playing_to_the_end_with_a_finger(visit: Any) -> None:
    page = visit("#board=1.2.3-0.4.6-7.5.8", width=360, height=740, has_touch=True, is_mobile=True)
    cell(page, 4).tap()
    assert tiles_of(page) == "1 2 3/4 0 6/7 5 8"
    finger = page.context.new_cdp_session(page)

    def swipe(x: float, y: float, right: float, down: float) -> None:
        def touch(kind: str, part: float) -> None:
            points = [] if kind == "touchEnd" else [{"x": x + part * right, "y": y + part * down}]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", 0)
        for step in range(1, 6):
            touch("touchMove", step / 5)
        touch("touchEnd", 1)

    x, y, side = middle(page, 3)
    swipe(x, y, 0, -side * 0.6)
    assert tiles_of(page) == "1 2 3/4 5 6/7 0 8", "a swipe anywhere on the board"
    x, y, side = middle(page, 8)
    swipe(x, y, -side * 0.8, 0)
    page.get_by_role("heading", name="Solved!").wait_for()


def test_undo_redo_restart_pause(visit: Any) -> None:
    page = visit(NEAR)
    assert page.get_by_role("button", name="Undo").is_disabled()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Undo").click()
    assert tiles_of(page) == "1 2 3/0 5 6/4 7 8"
    page.keyboard.press("Control+z")
    assert tiles_of(page) == "1 2 3/4 5 6/0 7 8"
    page.get_by_role("button", name="Redo").click()
    page.keyboard.press("Control+y")
    assert tiles_of(page) == "0 2 3/1 5 6/4 7 8"
    page.get_by_role("button", name="Pause").click()
    time = page.locator(".status .time").inner_text()
    page.keyboard.press("ArrowLeft")
    assert page.locator(".board.covered").count() == 1
    page.wait_for_timeout(250)
    assert page.locator(".status .time").inner_text() == time
    page.locator(".veil").get_by_role("button").click()
    assert tiles_of(page) == "0 2 3/1 5 6/4 7 8"
    page.get_by_role("button", name="Restart").click()
    assert tiles_of(page) == "1 2 3/4 5 6/0 7 8"
    assert page.locator(".status .time").inner_text() == "0:00.0"


def test_a_game_that_was_left_can_be_taken_up_again(visit: Any) -> None:
    page = visit(NEAR)
    for _ in range(2):
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("n")
    assert tiles_of(page) != "1 2 3/0 5 6/4 7 8"
    page.get_by_role("button", name="Back to it").click()
    page.keyboard.press("p")
    assert tiles_of(page) == "1 2 3/0 5 6/4 7 8"


def test_the_clock_starts_with_the_first_move(visit: Any) -> None:
    page = visit(NEAR)
    page.wait_for_timeout(200)
    assert page.locator(".status .time").inner_text() == "0:00.0"
    page.keyboard.press("ArrowDown")
    until(page, "document.querySelector('.status .time').textContent > '0:00.2'")


def test_new_boards_of_any_size_goal_and_seed(visit: Any) -> None:
    page = visit()
    page.get_by_label("Rows", exact=True).select_option("10")
    page.get_by_label("Columns", exact=True).select_option("2")
    page.get_by_label("Goal").select_option("snail")
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="New board").click()
    assert tiles_of(page) == str(Board.random(10, 2, goal="snail", seed=7))
    page.get_by_role("button", name="3×3").click()
    assert tiles_of(page) == str(Board.random(3, 3, goal="snail", seed=7))
    page.get_by_label("Seed").fill("seven")
    page.get_by_role("button", name="New board").click()
    assert tiles_of(page) == str(Board.random(3, 3, goal="snail", seed=7)), "that is no seed"


def test_a_finished_game_is_recorded(visit: Any, served: Served) -> None:
    page = visit(NEAR)
    with page.expect_response("**/api/records") as response:
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(60)
        page.keyboard.press("ArrowLeft")
    assert response.value.ok
    sent = json.loads(response.value.request.post_data)
    replay = Replay.from_dict(sent)
    assert replay.solved
    assert sent["seconds"] == replay.seconds >= 0.05
    assert not sent["given_up"]


def test_a_game_goes_on_after_reloading(visit: Any) -> None:
    page = visit(NEAR)
    page.keyboard.press("ArrowDown")
    until(page, "location.hash.includes('moves=D')")
    page.reload()
    page.get_by_role("button", name="Undo").click()
    assert tiles_of(page) == "1 2 3/4 5 6/0 7 8"


# --- any board ----------------------------------------------------------------------------------


def test_an_unsolvable_board_and_its_fix(visit: Any) -> None:
    page = visit()
    page.get_by_role("button", name="Enter a board").first.click()
    text = page.get_by_label("Board as text")
    text.fill("[[1, 8, 2], [0, 4, 5], [3, 7, 6]]")
    fix = page.get_by_role("button", name="Mend it")
    fix.wait_for()
    assert "9 is odd" in page.locator(".verdict").inner_text()
    assert page.get_by_role("button", name="Play this board").is_disabled()
    fix.click()
    page.locator(".verdict[data-kind=good]").wait_for()
    assert text.input_value() == "1 8 3/0 4 5/2 7 6"
    page.get_by_role("button", name="Play this board").click()
    assert tiles_of(page) == "1 8 3/0 4 5/2 7 6"


def test_the_reason_is_that_of_the_library(visit: Any) -> None:
    page = visit()
    page.get_by_role("button", name="Enter a board").first.click()
    for seed in range(2):
        for rows, cols in ((3, 3), (3, 4), (4, 4)):
            board = Board.random(rows, cols, seed=seed)
            for tried in (board, board.exchange(1, 2)):
                page.get_by_label("Board as text").fill(str(tried))
                verdict = solvability(tried)
                reason = verdict.reason.partition(": ")[2].replace("'", "’")
                kind = "good" if verdict else "warn"
                told = page.locator(f".verdict[data-kind={kind}]")
                told.get_by_text(reason[1:]).wait_for()


def test_what_is_no_board_is_told_why(visit: Any) -> None:
    page = visit()
    page.get_by_role("button", name="Enter a board").first.click()
    for text, reason in (
        ("1 2 3 / 4 5 5 / 7 8 0", "tile 5 appears twice"),
        ("hello", "hexadecimal"),
        ("1 2 3 / 4 5", "row 2"),
    ):
        page.get_by_label("Board as text").fill(text)
        page.locator(".verdict[data-kind=bad]").get_by_text(reason).wait_for()
        assert page.get_by_role("button", name="Play this board").is_disabled()


def test_a_board_can_be_pasted_anywhere(visit: Any) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('3\\n1 2 3\\n4 0 6\\n7 5 8')")
    page.keyboard.press("Control+v")
    page.locator(".verdict[data-kind=good]").wait_for()
    page.get_by_role("button", name="Play this board").click()
    assert tiles_of(page) == "1 2 3/4 0 6/7 5 8"


def test_a_board_by_hand_with_mouse_and_keys(visit: Any) -> None:
    page = visit(NEAR)
    page.get_by_role("button", name="Enter a board").first.click()
    grid = page.get_by_role("grid", name="Board by hand")
    grid.get_by_role("gridcell", name="1").click()
    grid.get_by_role("gridcell", name="2").click()
    assert page.get_by_label("Board as text").input_value() == "2 1 3/4 5 6/0 7 8"
    page.locator(".verdict[data-kind=warn]").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("8")
    assert page.get_by_label("Board as text").input_value() == "2 1 3/4 8 6/0 7 5"
    page.locator(".verdict[data-kind=good]").wait_for()


# --- sharing ------------------------------------------------------------------------------------


def shared_link(page: Any, what: str | None = None) -> str:
    page.get_by_role("button", name="Share").first.click()
    if what:
        page.get_by_label("What").select_option(what)
    link = page.get_by_label("Link").input_value()
    page.keyboard.press("Escape")
    return "#" + link.partition("#")[2]


def test_a_link_to_a_position(visit: Any) -> None:
    page = visit("#board=8.6.7-2.5.4-1.3.0&goal=snail", permissions=["clipboard-read"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    link = shared_link(page, "position")
    other = visit(link)
    assert tiles_of(other) == tiles_of(page) == "8 6 7/2 0 5/1 3 4"
    other.get_by_role("button", name="Undo").click()
    assert tiles_of(other) == "8 6 7/2 5 0/1 3 4"
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Link copied.").first.wait_for()
    assert "board=8.6.7-2.5.4-1.3.0" in page.evaluate("navigator.clipboard.readText()")


def test_a_link_to_a_replay(visit: Any) -> None:
    page = visit(NEAR)
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(120)
    page.keyboard.press("ArrowLeft")
    other = visit(shared_link(page))
    assert "A game" in other.get_by_role("dialog").inner_text()
    board = "dialog .board"
    assert tiles_of(other, board) == "1 2 3/4 5 6/0 7 8"
    other.get_by_role("button", name="One step on").click()
    assert tiles_of(other, board) == "1 2 3/4 5 6/7 0 8"
    other.get_by_role("button", name="To the end").click()
    assert tiles_of(other, board) == "1 2 3/4 5 6/7 8 0"
    assert other.get_by_role("listbox").get_by_role("option").count() == 3
    other.get_by_role("button", name="Play this board").click()
    assert tiles_of(other) == "1 2 3/4 5 6/0 7 8"


def test_a_link_to_a_solution_plays(visit: Any) -> None:
    page = visit(f"#show=solution&{NEAR[1:]}&moves=LL")
    assert "A solution" in page.get_by_role("dialog").inner_text()
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("2 of 2").wait_for()
    assert tiles_of(page, "dialog .board") == "1 2 3/4 5 6/7 8 0"


@pytest.mark.parametrize(
    "link",
    ["#board=1.2.3-4.5.6-8.7.0", "#board=1.2-3.0&moves=UX", "#show=replay&board=%"],
)
def test_a_broken_link_gives_a_new_board(visit: Any, link: str) -> None:
    assert Board(tiles_of(visit(link))).shape == (4, 4)


def test_pictures_and_films(visit: Any) -> None:
    page = visit(NEAR)
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Share").click()
    for format, head in (("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("GIF", b"GIF8")):
        with page.expect_download() as download:
            page.get_by_role("button", name=format).click()
        assert Path(download.value.path()).read_bytes().startswith(head)


# --- looks --------------------------------------------------------------------------------------


def test_a_picture_on_the_tiles(visit: Any, tmp_path: Path) -> None:
    from PIL import Image

    file = tmp_path / "picture.png"
    Image.linear_gradient("L").resize((300, 200)).save(file)
    page = visit(NEAR)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Picture file").set_input_files(file)
    page.locator(".board.pictured").wait_for()
    page.get_by_label("Numbers on the tiles").uncheck()
    assert page.locator(".play .board.numberless").count() == 1
    face = page.locator(".play .tile[data-tile='5'] .face")
    assert "blob:" in face.evaluate("(face) => getComputedStyle(face).backgroundImage")
    assert_accessible(page)
    page.get_by_role("button", name="Without a picture").click()
    assert page.locator(".board.pictured").count() == 0
    assert "POST" not in sent

    page.get_by_label("Picture file").set_input_files(Path(__file__))
    page.get_by_text("not a picture").wait_for()


@pytest.mark.parametrize(
    ("width", "height"),
    [(320, 568), (360, 640), (740, 360), (768, 1024), (1280, 720), (1920, 1080)],
)
def test_boards_fit_without_scroll_bars(visit: Any, width: int, height: int) -> None:
    # German words are the longest.
    page = visit(width=width, height=height, dark=width == 360, language="de-DE")
    for rows, cols in ((3, 3), (10, 10), (2, 6), (10, 3)):
        board = Board.random(rows, cols, seed=1)
        page.evaluate(f"location.hash = '{address_of(board)}'")
        until(page, f"document.querySelectorAll('.play .tile').length == {len(board) - 1}")
        box = page.locator(".play .board").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        tile = page.locator(".play .tile").first.bounding_box()
        assert tile["width"] == pytest.approx(tile["height"], rel=0.01)


def test_dark_and_light(visit: Any) -> None:
    def ground(page: Any) -> str:
        return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")

    light, dark = visit(), visit(dark=True)
    assert ground(light) != ground(dark)
    light.get_by_role("button", name="Settings").click()
    light.get_by_label("Light or dark").select_option("dark")
    assert ground(light) == ground(dark)
    light.reload()
    assert ground(light) == ground(dark), "the choice is kept"


@pytest.mark.parametrize("dark", [False, True])
def test_tiles_have_the_colours_of_pictures(visit: Any, dark: bool) -> None:
    goal = goals.named("blank-last", 4, 4)
    board = goal.slide("RDRD")
    page = visit(address_of(board), dark=dark, reduced_motion="reduce")
    page.get_by_role("button", name="Settings").click()
    for scheme in palette.SCHEMES:
        page.get_by_label("Colours of tiles").select_option(scheme)
        colours = palette.Palette(goal, scheme, dark=dark)
        for tile, (face, ink) in enumerate(colours_of_tiles(page), 1):
            shade = colours.shade(tile, home=board.tiles.index(tile) == goal.tiles.index(tile))
            for seen, wanted in ((face, shade.face), (ink, shade.ink)):
                assert seen == pytest.approx(list(bytes.fromhex(wanted[1:])), abs=3), tile


def colours_of_tiles(page: Any) -> list[tuple[list[int], list[int]]]:
    """Face and ink of each tile, as red, green and blue."""
    return page.evaluate(
        """() => {
            const pixel = document.createElement('canvas').getContext('2d');
            return [...document.querySelectorAll('.play .face')].map((face) => {
                const {backgroundColor, color} = getComputedStyle(face);
                return [backgroundColor, color].map((one) => {
                    pixel.fillStyle = one;
                    pixel.fillRect(0, 0, 1, 1);
                    return [...pixel.getImageData(0, 0, 1, 1).data.slice(0, 3)];
                });
            });
        }"""
    )


def test_motion_can_be_switched_off(visit: Any) -> None:
    def moves(page: Any) -> bool:
        style = "getComputedStyle(document.querySelector('.tile')).transitionDuration"
        return page.evaluate(style) != "0s"

    page = visit()
    assert moves(page)
    assert not moves(visit(reduced_motion="reduce"))
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Motion").select_option("off")
    assert not moves(page)


def test_modules_are_fetched_at_once() -> None:
    """The page names what it needs first, so that no module waits for another."""
    head = (WEB / "index.html").read_text(encoding="utf-8")
    named = set(re.findall(r'rel="modulepreload" href="js/([\w.-]+)"', head))
    needed = {"main.js", "play.js"}
    found: set[str] = set()
    while needed != found:
        found = set(needed)
        for name in found:
            code = (WEB / "js" / name).read_text(encoding="utf-8")
            needed |= set(re.findall(r"^(?:import|export) [^;]*?from '\./([\w.-]+)';", code, re.M))
    assert named == needed - {"main.js"}


def test_every_module_is_described() -> None:
    described = (WEB.parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert [path.name for path in (WEB / "js").iterdir() if f"`{path.name}`" not in described] == []


# --- languages ----------------------------------------------------------------------------------


def test_all_languages_have_the_same_keys_and_holes(visit: Any) -> None:
    page = visit()
    words = page.evaluate(
        """async () => {
            const all = {};
            for (const name of ['en', 'de', 'zh-Hant'])
                all[name] = (await import(`/strings/${name}.js`)).default;
            return all;
        }"""
    )
    english = words["en"]
    for language in ("de", "zh-Hant"):
        assert words[language].keys() == english.keys()
        for key, text in english.items():
            assert type(words[language][key]) is type(text), key
            holes = set(re.findall(r"{\w+}", str(text)))
            assert set(re.findall(r"{\w+}", str(words[language][key]))) == holes, key


def test_every_key_is_used_and_every_used_key_is_there(visit: Any) -> None:
    page = visit()
    keys = page.evaluate("import('/strings/en.js').then((words) => Object.keys(words.default))")
    code = "\n".join(path.read_text(encoding="utf-8") for path in (WEB / "js").glob("*.js"))
    code = re.sub(r"/\*\*.*?\*/", "", code, flags=re.DOTALL)
    used = set(re.findall(r"""\bt\(\s*['"]([^'"]+)['"]""", code))
    assert used <= set(keys)
    known = set(re.findall(r"""['"`]([\w.-]+)['"`]""", code))
    parts = tuple(set(re.findall(r"`([\w.-]+\.)\$\{", code)))
    assert [key for key in keys if key not in known and not key.startswith(parts)] == []


@pytest.mark.parametrize(
    ("language", "tab"), [("de-AT", "Spielen"), ("zh-TW", "遊玩"), ("fr-FR", "Play")]
)
def test_the_page_speaks_the_browsers_language(visit: Any, language: str, tab: str) -> None:
    assert visit(language=language).get_by_role("tab", name=tab).count() == 1


def test_the_language_can_be_switched(visit: Any) -> None:
    page = visit(NEAR)
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("de")
    page.get_by_role("tab", name="Lösen").wait_for()
    assert page.evaluate("document.documentElement.lang") == "de"
    assert tiles_of(page) == "1 2 3/0 5 6/4 7 8"
    page.keyboard.press("ArrowDown")
    assert tiles_of(page) == "0 2 3/1 5 6/4 7 8", "keys act once"


# --- access -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_on_the_panel_play_and_its_dialogs(visit: Any, dark: bool) -> None:
    page = visit(NEAR, dark=dark, reduced_motion="reduce")
    assert_accessible(page)
    for name in ("Enter a board", "Share", "Settings"):
        page.get_by_role("button", name=name).first.click()
        assert_accessible(page)
        page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("p")
    assert_accessible(page)
    page.keyboard.press("p")
    page.keyboard.press("Control+z")
    page.keyboard.press("Shift+ArrowLeft")
    page.get_by_role("heading", name="Solved!").wait_for()
    assert_accessible(page)
    page.get_by_role("button", name="Watch it again").click()
    assert_accessible(page)


def test_axe_finds_nothing_on_any_tab(visit: Any) -> None:
    page = visit(NEAR, reduced_motion="reduce", width=360, height=740)
    for tab in ("Solve", "Watch", "Compare", "Records", "Play"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_load_state("networkidle")
        assert_accessible(page)


def test_moves_are_announced(visit: Any) -> None:
    page = visit(NEAR)
    said = page.locator("[aria-live=polite]")
    page.keyboard.press("ArrowLeft")
    assert said.inner_text().strip() == "7 left"
    page.keyboard.press("ArrowLeft")
    assert "2 moves in" in said.inner_text()


def test_the_keyboard_alone_reaches_everything(visit: Any) -> None:
    page = visit(NEAR)
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "document.activeElement.getAttribute('aria-label') ?? "
                "document.activeElement.innerText ?? document.activeElement.tagName"
            )
        )
    wanted = {"Play", "Share", "Settings", "Board", "Give up", "3×3", "Rows", "New board"}
    assert wanted <= {str(name).strip() for name in reached}
    page.get_by_role("tab", name="Play").focus()
    page.keyboard.press("ArrowLeft")
    assert page.get_by_role("tab", name="Records").get_attribute("aria-selected") == "true"
    assert tiles_of(page, ".play .board") == "1 2 3/4 5 6/0 7 8"


# --- without the server -------------------------------------------------------------------------


def test_playing_goes_on_when_the_server_is_gone(visit: Any, tmp_path: Path) -> None:
    visit.allowed.append("net::ERR_")
    server = Served(tmp_path)
    page = visit(NEAR, server=server)
    page.wait_for_load_state("networkidle")
    server.end()
    page.keyboard.press("Shift+ArrowLeft")
    page.get_by_role("heading", name="Solved!").wait_for()
    page.get_by_text("The server is gone.").wait_for()
    page.get_by_role("button", name="5×5").click()
    assert Board(tiles_of(page)).shape == (5, 5)
    page.get_by_role("button", name="Enter a board").first.click()
    page.get_by_label("Board as text").fill("1 2 3 / 4 5 6 / 8 7 0")
    page.get_by_role("button", name="Mend it").click()
    page.get_by_role("button", name="Play this board").click()
    assert Board(tiles_of(page)).shape == (3, 3)

    again = Served(tmp_path, port=server.port)
    try:
        with page.expect_response("**/api/records") as response:
            pass
        assert response.value.ok, "the game that waited is recorded"
        page.get_by_text("The server is gone.").wait_for(state="detached")
    finally:
        again.end()
