"""Screenshots of every panel, dark and narrow, light and wide.

They are kept in `build/screens` for whoever wants to look. A test can see in them that all has
the colours of the theme, that nothing glares in the dark, and that boards are drawn as in pictures.
"""

import io
from pathlib import Path
from typing import Any

import pytest
from browser import Visits
from PIL import Image

from taquin import Board, goals
from taquin.palette import Palette

SCREENS = Path(__file__).parent.parent / "build" / "screens"
TABS = ("Play", "Solve", "Watch", "Compare", "Records")
GROUND = {True: (0x10, 0x12, 0x16), False: (0xF5, 0xF3, 0xEE)}
"""The colour of the page, dark or light."""

BOARD = goals.named("blank-last", 4, 4).slide("RDRD")


def screenshot(page: Any, name: str) -> Image.Image:
    picture = page.screenshot()
    SCREENS.mkdir(parents=True, exist_ok=True)
    (SCREENS / f"{name}.png").write_bytes(picture)
    return Image.open(io.BytesIO(picture)).convert("RGB")


def share(picture: Image.Image, *, above: int = 0, below: int = 255) -> float:
    """How much of a picture has a brightness within bounds."""
    counts = picture.convert("L").histogram()
    return sum(counts[above : below + 1]) / sum(counts)


def link(board: Board) -> str:
    return "#board=" + str(board).replace(" ", ".").replace("/", "-")


@pytest.mark.parametrize(
    ("width", "height", "dark"), [(360, 740, True), (768, 1024, True), (1280, 800, False)]
)
def test_panels(visit: Visits, width: int, height: int, dark: bool) -> None:
    page = visit(link(BOARD), width=width, height=height, dark=dark, reduced_motion="reduce")
    for tab in TABS:
        page.get_by_role("tab", name=tab).click()
        page.get_by_role("tabpanel", name=tab).locator("h2").first.wait_for(state="attached")
        page.wait_for_load_state("networkidle")
        picture = screenshot(page, f"{tab.lower()}-{width}-{'dark' if dark else 'light'}")
        assert picture.size == (width, height)
        assert picture.getpixel((2, 2)) == GROUND[dark]
        # In the dark only words are bright, and in the light only words and the rim are dark.
        assert share(picture, above=200) < 0.05 if dark else share(picture, below=60) < 0.2, tab


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1280, False)])
def test_tiles_look_as_in_pictures(visit: Visits, width: int, dark: bool) -> None:
    page = visit(link(BOARD), width=width, height=740, dark=dark, reduced_motion="reduce")
    picture = screenshot(page, f"board-{width}-{'dark' if dark else 'light'}")
    goal = goals.named("blank-last", 4, 4)
    palette = Palette(goal, "plain", dark=dark)
    for cell, tile in enumerate(BOARD.tiles):
        if not tile:
            continue
        box = page.locator(f".play .tile[data-tile='{tile}']").bounding_box()
        # The lower part of a face: above it light falls on it, and below is its edge.
        left, top = box["x"] + 0.2 * box["width"], box["y"] + 0.7 * box["height"]
        part = picture.crop(
            tuple(round(side) for side in (left, top, left + 0.6 * box["width"], top + 4))
        )
        seen = max(part.getcolors() or [])[1]
        wanted = palette.shade(tile, home=goal.tiles[cell] == tile).face
        assert seen == pytest.approx(tuple(bytes.fromhex(wanted[1:])), abs=6), tile
