from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import boards

from taquin import Board, goals
from taquin.picture import svg

SVG = "{http://www.w3.org/2000/svg}"


@settings(max_examples=40)
@given(boards(max_side=6))
def test_an_svg_shows_every_tile_in_its_place(board):
    root = ElementTree.fromstring(svg(board))
    texts = root.findall(f"{SVG}text")
    assert [int(text.text) for text in texts] == [tile for tile in board if tile]
    places = [(float(text.get("y")), float(text.get("x"))) for text in texts]
    assert places == sorted(places)
    width, height = (float(root.get(name)) for name in ("width", "height"))
    assert all(0 < y < height and 0 < x < width for y, x in places)
    assert len({x for _, x in places}) <= board.cols


def test_tiles_at_home_are_tinted():
    board = Board("1 2 3/4 5 6/7 0 8")
    assert svg(board).count('class="tile home"') == 7
    assert svg(board, "snail").count('class="tile home"') == 4
    assert svg(board, goals.snail(3, 3)) == svg(board, "snail")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1))
def test_any_title_is_text_and_not_markup(title):
    root = ElementTree.fromstring(svg(Board("1 2/3 0"), title=title))
    assert root.find(f"{SVG}title").text == title


@pytest.mark.parametrize("shape", [(40, 40), (1, 2), (2, 1)])
def test_large_and_small(shape):
    root = ElementTree.fromstring(svg(goals.blank_last(*shape)))
    assert len(root.findall(f"{SVG}text")) == shape[0] * shape[1] - 1
    assert "sliding puzzle" in root.find(f"{SVG}title").text
