"""Boards drawn at every size: nothing overlaps, everything can be clicked, and it fits.

On the screen, only what has changed is drawn again.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from screens import EASY, Player, played
from strategies import boards

from taquin import Board, goals
from taquin.settings import CHOICES
from taquin.tui.colors import DARK, LIGHT, Paint, theme_for
from taquin.tui.drawing import FACE, SIZES, Drawing, TileSize, arrange
from taquin.tui.typing_buffer import TypedNumber
from taquin.tui.widgets import Key, fitting

shapes = st.tuples(st.integers(2, 10), st.integers(2, 10))
playable = shapes.flatmap(lambda shape: boards(*shape))
sizes = st.sampled_from(SIZES)


def rows_of(drawing: Drawing) -> list[str]:
    return ["".join(span.text for span in line) for line in drawing.lines()]


@given(playable, sizes, st.booleans(), st.booleans(), st.booleans())
def test_a_drawing_fills_exactly_its_extent(
    board: Board, size: TileSize, outlined: bool, hinted: bool, hidden: bool
) -> None:
    hint = board.moves()[0] if hinted else None
    goal = goals.blank_last(*board.shape)
    drawn = rows_of(Drawing(board, goal, size, outlined=outlined, hint=hint, hidden=hidden))
    width, height = size.extent(board.shape)
    assert len(drawn) == height
    assert {len(row) for row in drawn} == {width}


@given(playable, sizes)
def test_every_place_of_a_tile_leads_to_its_cell(board: Board, size: TileSize) -> None:
    drawing = Drawing(board, goals.blank_last(*board.shape), size)
    for y, line in enumerate(drawing.lines()):
        x = 0
        for span in line:
            if span.tile:
                cell = board.tiles.index(span.tile)
                places = range(x, x + len(span.text))
                assert {size.cell_at(board.shape, place, y) for place in places} == {cell}
            x += len(span.text)


@given(playable, sizes.filter(lambda size: size.digit == 1))
def test_every_number_can_be_read(board: Board, size: TileSize) -> None:
    shown = [
        int(span.text)
        for line in Drawing(board, goals.blank_last(*board.shape), size).lines()
        for span in line
        if span.part == FACE and span.text.strip()
    ]
    assert shown == [tile for tile in board.tiles if tile]


@given(playable, sizes)
def test_hidden_boards_tell_nothing(board: Board, size: TileSize) -> None:
    goal = goals.blank_last(*board.shape)
    for outlined in (False, True):
        hidden = rows_of(Drawing(board, goal, size, outlined=outlined, hidden=True))
        assert not any(char.isdigit() or char in "[]┏" for row in hidden for char in row)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.name)
def test_tiles_in_their_place_differ_without_colours(size: TileSize) -> None:
    goal = goals.blank_last(2, 2)
    board = Board("1 0 / 3 2")
    home = Drawing(board, goal, size, outlined=True)
    away = Drawing(board, Board("0 1 / 2 3"), size, outlined=True)
    assert home.is_home(1)
    assert not away.is_home(1)
    assert rows_of(home) != rows_of(away)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.name)
@pytest.mark.parametrize("scheme", CHOICES["colors"])
@pytest.mark.parametrize("dark", [True, False])
def test_tiles_in_their_place_and_hints_look_different(
    size: TileSize, scheme: str, dark: bool
) -> None:
    board, goal = Board("1 0 / 3 2"), goals.blank_last(2, 2)
    drawing = Drawing(board, goal, size, outlined=scheme == "outlines", hint=board.moves()[0])
    hinted = drawing.hinted_tile()
    paint = Paint(drawing, scheme, dark)
    styles = {
        span.tile: paint(span) for line in drawing.lines() for span in line if span.part == FACE
    }
    assert hinted == 2
    assert styles[1] != styles[hinted]
    moved = Drawing(board, Board("0 1 / 2 3"), size, outlined=scheme == "outlines")
    away = Paint(moved, scheme, dark)
    elsewhere = {
        span.tile: away(span) for line in moved.lines() for span in line if span.part == FACE
    }
    assert styles[1] != elsewhere[1]


@given(shapes, st.integers(10, 200), st.integers(5, 80))
def test_what_is_arranged_fits(shape: tuple[int, int], width: int, height: int) -> None:
    layout = arrange(shape, width, height)
    columns, rows = layout.needs
    if layout.size is None:
        assert columns > width or rows > height
    else:
        assert columns <= width
        assert rows + 2 <= height


@given(shapes, st.integers(10, 200), st.integers(5, 80))
def test_more_room_never_makes_tiles_smaller(
    shape: tuple[int, int], width: int, height: int
) -> None:
    before, after = arrange(shape, width, height).size, arrange(shape, width + 1, height + 1).size
    if before is not None:
        assert after is not None
        # But for giant tiles, which give way to a panel beside huge ones.
        assert SIZES.index(after) <= max(SIZES.index(before), 1)


def test_every_board_that_can_be_chosen_fits_a_usual_terminal() -> None:
    assert all(arrange((r, c), 80, 24).size for r in range(2, 11) for c in range(2, 11))


# --- numbers, keys, themes ----------------------------------------------------------------------


@given(st.integers(3, 2499), st.data())
def test_every_tile_can_be_typed(highest: int, data: st.DataObject) -> None:
    tile = data.draw(st.integers(1, highest))
    typed = TypedNumber(highest)
    taken = [typed.add(digit) for digit in str(tile)]
    assert taken[:-1] == [None] * (len(taken) - 1)
    last = taken[-1]
    assert (last if last is not None else typed.take()) == tile
    assert typed.take() is None


def test_a_number_is_complete_as_soon_as_it_can_mean_one_tile_only() -> None:
    typed = TypedNumber(24)
    assert typed.add("3") == 3
    assert typed.add("2") is None
    assert typed.add("4") == 24
    assert typed.add("0") is None
    assert typed.add("7") == 7


def test_keys_of_a_high_rank_are_left_out_first() -> None:
    keys = [Key("a", "aaa", "a", 2), Key("b", "bbb", "b"), Key("c", "ccc", "c", 1)]
    assert fitting(keys, 100) == keys
    assert [key.key for key in fitting(keys, 14)] == ["b", "c"]
    assert [key.key for key in fitting(keys, 7)] == ["b"]
    assert fitting(keys, 3) == []


def test_themes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLORFGBG", raising=False)
    assert theme_for("auto") == theme_for("dark") == DARK.name
    assert theme_for("light") == LIGHT.name
    monkeypatch.setenv("COLORFGBG", "0;15")
    assert theme_for("auto") == LIGHT.name
    assert theme_for("dark") == DARK.name


# --- on the screen ------------------------------------------------------------------------------


def test_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    @played(EASY, size=(40, 13))
    async def scenario(player: Player) -> None:
        assert player.screen.view.is_outlined
        assert "[ 1]" in player.text()
        await player.press("h")
        assert "> 7<" in player.text()
        svg = player.app.export_screenshot()
        assert "#73daca" not in svg

    scenario()


@played("8 6 7/2 5 4/3 0 1")
async def test_what_is_not_drawn_again_is_what_drawing_everything_again_would_show(
    player: Player,
) -> None:
    for key in ("down", "right", "h", "up", "u", "r", "p", "p", "left", "b"):
        await player.press(key)
        player.clock.now += 1.3
        for widget in (player.screen.view, player.screen.side):
            kept = widget.render_lines(widget.size.region)
            widget.notify_style_update()
            widget.refresh()
            assert kept == widget.render_lines(widget.size.region)


def changed(before: list[object], after: list[object]) -> int:
    return sum(old != new for old, new in zip(before, after, strict=True))


@played(size=(90, 28))
async def test_a_move_draws_two_rows_of_tiles_again_and_the_clock_two_lines(player: Player) -> None:
    view, side = player.screen.view, player.screen.side
    await player.press("up")
    rows = view.tile_size.extent((2, 4))[1]
    before = list(view._strips)
    player.screen.action_slide("U")
    assert 0 < changed(before, view._strips) <= rows
    before = list(side._strips)
    player.clock.now += 0.5
    player.screen._show_facts()
    assert changed(before, side._strips) == 2
