import sys
from io import BytesIO
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops
from PIL.ImageColor import getrgb
from strategies import boards

from taquin import Board, goals
from taquin.errors import MissingExtraError, OptionError
from taquin.palette import SCHEMES, Palette
from taquin.picture import Layout, layout_for, png, svg

SVG = "{http://www.w3.org/2000/svg}"


def places(root: ElementTree.Element) -> dict[int, tuple[float, float]]:
    """The corner of each tile of a drawing, as x and y."""
    found = {}
    for group in root.findall(f"{SVG}g"):
        x, y = group.get("transform").removeprefix("translate(").removesuffix(")").split()
        found[int(group.find(f"{SVG}text").text)] = (float(x), float(y))
    return found


def opened(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    image.load()
    return image


@settings(max_examples=40)
@given(boards(max_side=6))
def test_an_svg_shows_every_tile_in_its_place(board):
    root = ElementTree.fromstring(svg(board))
    found = places(root)
    assert list(found) == [tile for tile in board if tile]
    in_order = [(y, x) for x, y in found.values()]
    assert in_order == sorted(in_order)
    width, height = (float(root.get(name)) for name in ("width", "height"))
    side = Layout(*board.shape).side
    assert all(0 < x < width - side and 0 < y < height - side for x, y in found.values())
    assert len({x for x, _ in found.values()}) <= board.cols


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("dark", [False, True])
def test_tiles_at_home_have_another_colour(scheme, dark):
    board = Board("1 2 3/4 5 6/7 0 8")
    for goal in (goals.blank_last(3, 3), goals.snail(3, 3)):
        palette = Palette(goal, scheme, dark=dark)
        root = ElementTree.fromstring(svg(board, goal, scheme=scheme, dark=dark))
        for group in root.findall(f"{SVG}g"):
            tile = int(group.find(f"{SVG}text").text)
            shade = palette.shade(tile, home=board.tiles.index(tile) == goal.tiles.index(tile))
            assert group.find(f"{SVG}rect").get("fill") == shade.face
            assert group.find(f"{SVG}text").get("fill") == shade.ink
    assert svg(board, goals.snail(3, 3)) == svg(board, "snail") != svg(board)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1))
def test_any_title_is_text_and_not_markup(title):
    root = ElementTree.fromstring(svg(Board("1 2/3 0"), title=title))
    assert root.find(f"{SVG}title").text == title


@pytest.mark.parametrize("shape", [(40, 40), (1, 2), (2, 1)])
def test_large_and_small(shape):
    root = ElementTree.fromstring(svg(goals.blank_last(*shape)))
    assert len(places(root)) == shape[0] * shape[1] - 1
    assert "sliding puzzle" in root.find(f"{SVG}title").text


# --- pixels -------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(boards(max_side=6), st.sampled_from(SCHEMES), st.booleans())
def test_a_png_has_the_colours_of_the_svg_in_the_same_places(board, scheme, dark):
    goal = goals.blank_last(*board.shape)
    image = opened(png(board, goal, scheme=scheme, dark=dark))
    root = ElementTree.fromstring(svg(board, goal, scheme=scheme, dark=dark))
    assert image.size == (int(root.get("width")), int(root.get("height")))
    side = Layout(*board.shape).side
    for group, (x, y) in zip(root.findall(f"{SVG}g"), places(root).values(), strict=True):
        face = getrgb(group.find(f"{SVG}rect").get("fill"))
        ink = getrgb(group.find(f"{SVG}text").get("fill"))
        assert image.getpixel((int(x) + side // 2, int(y) + 3))[:3] == face
        tile = image.crop((int(x), int(y), int(x) + side, int(y) + side)).convert("RGB")
        assert ink in [color for _, color in tile.getcolors(10_000)], "the number is missing"
    row, col = divmod(board.blank, board.cols)
    x, y = Layout(*board.shape).place(row, col)
    hole = image.crop((int(x), int(y), int(x) + side, int(y) + side)).convert("RGB")
    assert hole.getcolors() == [(side * side, getrgb(Palette(goal, scheme, dark=dark).board))]


def test_numbers_are_in_the_middle_of_their_tiles():
    board = goals.blank_last(10, 11)
    image = opened(png(board)).convert("RGB")
    layout = Layout(*board.shape)
    face = getrgb(Palette(board).shade(1, home=True).face)
    for cell in range(109):
        x, y = map(int, layout.place_of(cell))
        inner = image.crop((x + 8, y + 8, x + layout.side - 8, y + layout.side - 8))
        ground = Image.new("RGB", inner.size, face)
        left, top, right, bottom = ImageChops.difference(inner, ground).getbbox()
        # A number that ends in 1 looks to be to the left of its place in most fonts.
        assert abs(left - (inner.width - right)) <= 4
        assert abs(top - (inner.height - bottom)) <= 2


def test_a_png_lets_through_what_is_around_its_corners():
    image = opened(png(Board("1 2/3 0")))
    assert image.mode == "RGBA"
    assert image.getpixel((0, 0))[3] == 0
    assert image.getpixel((image.width // 2, 0))[3] == 255


def test_large_boards_have_small_tiles_and_huge_ones_no_pixels():
    assert max(opened(png(Board.random(30, 40, seed=1))).size) < 1200
    with pytest.raises(OptionError, match="200×101 cells is too large"):
        layout_for((200, 101), 1000)
    with pytest.raises(OptionError, match="too large"):
        png(goals.blank_last(1000, 1000))


def test_without_pillow_there_is_a_hint(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(MissingExtraError, match=r"Pillow: pip install 'taquin\[picture\]'"):
        png(Board("1 2/3 0"))
