"""The colours of pictures: which tile gets which, in light and in dark.

A tile's hue says where it belongs; its lightness says whether it is there. All hues have the same
lightness (by OKLCH), so a picture in greys still tells tiles in their place from the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

from .board import Board
from .errors import look_up

SCHEMES = ("plain", "rows", "fringe")
"""One colour; a hue for each row of the goal; a hue for each fringe (see `fringe`)."""

MAX_HUES = 12
"""More would not be told apart, nor fit with their shades into the 256 colours of a GIF."""


@dataclass(frozen=True, slots=True)
class Shade:
    """The colours of a tile."""

    face: str
    ink: str


@dataclass(frozen=True, slots=True)
class _Theme:
    page: str
    board: str
    caption: str
    away: tuple[float, float]
    """Lightness and chroma of tiles that are not in their place."""
    home: tuple[float, float]
    away_ink: str
    home_ink: str
    plain_away: str
    plain_home: str


_LIGHT = _Theme(
    page="#ffffff",
    board="#3a3f4b",
    caption="#4a505e",
    away=(0.91, 0.065),
    home=(0.75, 0.115),
    away_ink="#23262e",
    home_ink="#16181d",
    plain_away="#f3efe6",
    plain_home="#94cc9c",
)
_DARK = _Theme(
    page="#101216",
    board="#262a33",
    caption="#b3bac8",
    away=(0.43, 0.08),
    home=(0.76, 0.12),
    away_ink="#eef0f4",
    home_ink="#101216",
    plain_away="#4b5263",
    plain_home="#8fca98",
)


class Palette:
    """The colours of a picture of boards on their way to a goal.

    >>> palette = Palette(Board("1 2 3 / 4 5 0"), "rows")
    >>> palette.shade(1, home=True) == palette.shade(3, home=True)
    True
    >>> palette.shade(1, home=True) == palette.shade(4, home=True)
    False
    """

    def __init__(self, goal: Board, scheme: str = "plain", *, dark: bool = False) -> None:
        scheme = look_up("scheme", scheme, SCHEMES)
        theme = _DARK if dark else _LIGHT
        self.page, self.board, self.caption = theme.page, theme.board, theme.caption
        self._hue_of = _hues(goal, scheme)
        self._shades = _shades(theme, 1 + max(self._hue_of), plain=scheme == "plain")

    def shade(self, tile: int, *, home: bool) -> Shade:
        """The colours of a tile, in its place or not."""
        return self._shades[self._hue_of[tile]][home]

    def shades(self) -> list[Shade]:
        """All that `shade` may give."""
        return [shade for pair in self._shades for shade in pair]


def _hues(goal: Board, scheme: str) -> list[int]:
    """For each tile the number of its hue; the blank takes none for itself."""
    hues = [0] * len(goal)
    for cell, tile in enumerate(goal.tiles):
        if tile and scheme == "rows":
            hues[tile] = cell // goal.cols % MAX_HUES
        elif tile and scheme == "fringe":
            hues[tile] = fringe(goal, cell) % MAX_HUES
    return hues


def fringe(goal: Board, cell: int) -> int:
    """How many lines lie between a cell and the sides from which the goal is filled.

    These are the sides far from the blank, so a fringe is a row and a column; it is a whole ring
    if the blank is in the middle.

    >>> goal = Board("1 2 3 / 4 5 6 / 7 8 0")
    >>> [fringe(goal, cell) for cell in range(9)]
    [0, 0, 0, 0, 1, 1, 0, 1, 2]
    """
    row, col = divmod(cell, goal.cols)
    blank_row, blank_col = divmod(goal.blank, goal.cols)
    return min(_from_far_side(row, blank_row, goal.rows), _from_far_side(col, blank_col, goal.cols))


def _from_far_side(place: int, blank: int, count: int) -> int:
    last = count - 1
    if 2 * blank == last:
        return min(place, last - place)
    return place if 2 * blank > last else last - place


def _shades(theme: _Theme, count: int, *, plain: bool) -> list[tuple[Shade, Shade]]:
    """For each hue the colours away from and in its place."""
    if plain:
        faces = [(theme.plain_away, theme.plain_home)]
    else:
        # From red to violet; the rest of the circle would look like red again.
        hues = [25 + 285 * number / max(count - 1, 1) for number in range(count)]
        faces = [(oklch(*theme.away, hue), oklch(*theme.home, hue)) for hue in hues]
    return [(Shade(away, theme.away_ink), Shade(home, theme.home_ink)) for away, home in faces]


def oklch(lightness: float, chroma: float, hue: float) -> str:
    """A colour by its lightness (0 to 1), chroma and hue (degrees), as the eye orders them.

    >>> oklch(1, 0, 0), oklch(0, 0, 0)
    ('#ffffff', '#000000')
    """
    a, b = chroma * cos(radians(hue)), chroma * sin(radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _gamma(value)):02x}" for value in linear)


def _gamma(linear: float) -> float:
    """The sRGB value of an amount of light, kept within what a screen can show."""
    linear = min(max(linear, 0.0), 1.0)
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
