import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL.ImageColor import getrgb
from strategies import boards

from taquin import Board, goals
from taquin.errors import UnknownNameError
from taquin.palette import MAX_HUES, SCHEMES, Palette, Shade, fringe, oklch


def light(color: str) -> float:
    """How light a colour is without its hue, from 0 to 255, as Pillow and printers see it."""
    red, green, blue = getrgb(color)[:3]
    return 0.299 * red + 0.587 * green + 0.114 * blue


looks = st.tuples(st.sampled_from(SCHEMES), st.booleans())


@given(boards(max_side=14), looks)
def test_colours_can_be_told_apart_in_greys(goal: Board, look: tuple[str, bool]) -> None:
    scheme, dark = look
    palette = Palette(goal, scheme, dark=dark)
    shades = {
        home: [palette.shade(tile, home=home) for tile in goal if tile] for home in (False, True)
    }
    for all_of_a_kind in shades.values():
        for shade in all_of_a_kind:
            assert abs(light(shade.face) - light(shade.ink)) > 90, "a number must be readable"
            assert abs(light(shade.face) - light(palette.board)) > 18, "a tile must be seen"
            assert shade in palette.shades()
    for away, home in zip(*shades.values(), strict=True):
        assert abs(light(away.face) - light(home.face)) > 35, "being in place must be seen"


@pytest.mark.parametrize("dark", [False, True])
def test_a_scheme_says_where_a_tile_belongs(dark: bool) -> None:
    goal = goals.blank_last(4, 4)

    def groups(scheme: str) -> int:
        palette = Palette(goal, scheme, dark=dark)
        shades: set[Shade] = {palette.shade(tile, home=True) for tile in range(1, 16)}
        return len(shades)

    # The last fringe is the blank's alone.
    assert [groups(scheme) for scheme in SCHEMES] == [1, 4, 3]
    assert len(Palette(goal, "fringe", dark=dark).shades()) == 2 * 3


def test_fringes_end_at_the_blank() -> None:
    def drawn(goal: Board) -> list[int]:
        return [fringe(goal, cell) for cell in range(len(goal))]

    assert drawn(goals.blank_last(3, 4)) == [0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 2, 2]
    assert drawn(goals.blank_first(3, 3)) == [2, 1, 0, 1, 1, 0, 0, 0, 0]
    assert drawn(goals.snail(3, 3)) == [0, 0, 0, 0, 1, 0, 0, 0, 0]


def test_hues_are_few_enough_for_a_gif() -> None:
    assert len(Palette(goals.blank_last(40, 40), "rows").shades()) == 2 * MAX_HUES


def test_unknown_scheme() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'fringe'"):
        Palette(goals.blank_last(3, 3), "fringes")


def test_oklch_gives_the_known_colours() -> None:
    assert oklch(0.62796, 0.25768, 29.23) == "#ff0000"
    assert oklch(0.86644, 0.29483, 142.5) == "#00ff00"
    assert oklch(0.45201, 0.31321, 264.05) == "#0000ff"
