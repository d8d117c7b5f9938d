"""Pictures of boards: SVG, which notebooks show by themselves, and PNG.

Both are made of the same measures (`Layout`) and colours (`Palette`), as are the moving pictures of
`animation`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING

from .board import Board, Shape
from .errors import MissingExtraError, OptionError
from .goals import resolve
from .palette import Palette, Shade

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont, ImageFont

CELL = 64
"""The side of a cell, where there is room for it."""

MAX_CELLS = 20_000
"""The most cells of a picture made of pixels."""

_FINE = 4
"""Pixels are painted so much finer than they are shown, for smooth edges."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of a picture: cells, what is around them, and room for a caption below."""

    rows: int
    cols: int
    cell: int = CELL
    caption: int = 0
    """How many characters the longest caption has; 0: there is none."""

    @property
    def side(self) -> int:
        """The side of a tile, which leaves a gap to the next."""
        return self.cell - max(1, self.cell // 16)

    @property
    def margin(self) -> int:
        return max(2, self.cell * 10 // 64)

    @property
    def radius(self) -> int:
        return self.cell // 8

    @property
    def pad(self) -> int:
        """What is around the board, where it is not the whole picture."""
        return self.margin if self.caption else 0

    @property
    def board_size(self) -> tuple[int, int]:
        around = 2 * self.margin - (self.cell - self.side)
        return self.cols * self.cell + around, self.rows * self.cell + around

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        width, height = self.board_size
        below = 2 * self.caption_font if self.caption else 0
        # Small boards have long captions. A character is about as wide as 0.6 of its height.
        width = max(width, self.caption * self.caption_font * 6 // 10)
        return width + 2 * self.pad, height + 2 * self.pad + below

    @property
    def board_corner(self) -> tuple[int, int]:
        return (self.size[0] - self.board_size[0]) // 2, self.pad

    @property
    def caption_font(self) -> int:
        return max(14, self.cell // 4)

    @property
    def caption_middle(self) -> tuple[float, float]:
        return self.size[0] / 2, self.size[1] - self.pad - self.caption_font * 0.8

    def font(self, tile: int) -> int:
        """The size of a tile's number; those of four digits and more must shrink to fit."""
        return self.cell * 26 * 3 // max(3, len(str(tile))) // 64

    def place(self, row: float, col: float) -> tuple[float, float]:
        """The upper left corner of a tile."""
        left, top = self.board_corner
        return left + self.margin + col * self.cell, top + self.margin + row * self.cell

    def place_of(self, cell: int) -> tuple[float, float]:
        return self.place(*divmod(cell, self.cols))


def layout_for(shape: Shape, longest: int, *, caption: int = 0) -> Layout:
    """The measures of a picture of pixels, whose board is about `longest` pixels long at most."""
    rows, cols = shape
    if rows * cols > MAX_CELLS:
        raise OptionError(
            "a board of {rows}×{cols} cells is too large for this kind of picture, "
            "which has {most:,} at most",
            code="picture-large", rows=rows, cols=cols, most=MAX_CELLS,
        )  # fmt: skip
    return Layout(rows, cols, max(14, min(CELL, longest // max(rows, cols))), caption)


# --- SVG ----------------------------------------------------------------------------------------


def svg(
    board: Board,
    goal: Board | str | None = None,
    *,
    title: str | None = None,
    scheme: str = "plain",
    dark: bool = False,
) -> str:
    """The board as an SVG image; tiles that are in their place have a deeper colour.

    `scheme` is one of `palette.SCHEMES`.

    >>> svg(Board("1 2 / 3 0")).count("<rect")
    4
    """
    target = resolve(goal, board.shape)
    palette = Palette(target, scheme, dark=dark)
    layout = Layout(*board.shape)
    tiles = (
        svg_tile(layout, palette.shade(tile, home=tile == target.tiles[cell]), tile, cell)
        for cell, tile in enumerate(board.tiles)
        if tile
    )
    return svg_document(layout, palette, title or name_of(board), tiles)


def name_of(board: Board) -> str:
    """A board in words, for those who can't see it."""
    return f"{board.rows}×{board.cols} sliding puzzle: {board}"


def svg_document(layout: Layout, palette: Palette, title: str, parts: Iterable[str]) -> str:
    """A picture of a board with whatever is on it.

    Colours and fonts are attributes, since a style sheet would reach all pictures of a page.
    """
    width, height = layout.size
    left, top = layout.board_corner
    board_width, board_height = layout.board_size
    page = f'<rect width="{width}" height="{height}" fill="{palette.page}"/>\n'
    body = "\n".join(parts)
    return (
        f'<svg class="taquin" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="system-ui, sans-serif" '
        f'font-weight="600" text-anchor="middle">\n<title>{escape(title)}</title>\n'
        f"{page if layout.caption else ''}"
        f'<rect x="{left}" y="{top}" width="{board_width}" height="{board_height}" '
        f'rx="{layout.radius * 1.5:g}" fill="{palette.board}"/>\n{body}\n</svg>\n'
    )


def svg_tile(
    layout: Layout,
    shade: Shade,
    tile: int,
    cell: int,
    *,
    motion: str = "",
    tint: tuple[str, str] = ("", ""),
) -> str:
    """A tile; what is inside its elements may move it, and change the colours of face and ink."""
    x, y = layout.place_of(cell)
    side, font = layout.side, layout.font(tile)
    face, ink = tint
    return (
        f'<g transform="translate({x:g} {y:g})">{motion}'
        f'<rect width="{side}" height="{side}" rx="{layout.radius}" '
        f'fill="{shade.face}">{face}</rect>'
        f'<text x="{side / 2:g}" y="{side / 2:g}" dy=".35em" font-size="{font}" '
        f'fill="{shade.ink}">{tile}{ink}</text></g>'
    )


# --- pixels -------------------------------------------------------------------------------------


def png(
    board: Board, goal: Board | str | None = None, *, scheme: str = "plain", dark: bool = False
) -> bytes:
    """The board as a PNG image, like that of `svg`; needs Pillow.

    >>> png(Board("1 2 / 3 0"))[1:4]
    b'PNG'
    """
    target = resolve(goal, board.shape)
    painter = Painter(layout_for(board.shape, 1024), Palette(target, scheme, dark=dark), target)
    image = painter.paint(board)
    image.putalpha(painter.board_mask())
    return encode_png(image)


def encode_png(image: Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def need_pillow() -> None:
    """Tell how to get Pillow, if it is not there."""
    try:
        import PIL.Image  # noqa: F401
    except ImportError:
        raise MissingExtraError("Pillow", "picture") from None


class Painter:
    """Paints boards on their way to a goal. A tile is painted once, and pasted from then on."""

    def __init__(self, layout: Layout, palette: Palette, goal: Board) -> None:
        need_pillow()
        self.layout = layout
        self.palette = palette
        self._goal = goal
        self._tile_mask = _rounded((layout.side, layout.side), layout.radius)
        self.tile = cache(self._paint_tile)

    def paint(self, board: Board, caption: str = "") -> Image:
        """A picture of a board."""
        image = self.blank_page(*self.layout.size)
        image.paste(self.palette.board, self.layout.board_corner, self.board_mask())
        for cell, tile in enumerate(board.tiles):
            if tile:
                home = tile == self._goal.tiles[cell]
                image.paste(self.tile(tile, home), whole(self.layout.place_of(cell)))
        if caption:
            image.paste(self.caption(caption), self.caption_corner)
        return image

    def blank_page(self, width: int, height: int) -> Image:
        from PIL import Image

        return Image.new("RGB", (width, height), self.palette.page)

    def board_mask(self) -> Image:
        return _rounded(self.layout.board_size, self.layout.radius * 3 // 2)

    def _paint_tile(self, tile: int, home: bool) -> Image:
        """A tile with what shows of the board at its corners."""
        from PIL import Image

        side = self.layout.side
        shade = self.palette.shade(tile, home=home)
        face = _text((side, side), str(tile), self.layout.font(tile), shade.ink, shade.face)
        board = Image.new("RGB", face.size, self.palette.board)
        return Image.composite(face, board, self._tile_mask)

    @property
    def caption_corner(self) -> tuple[int, int]:
        return 0, self.layout.size[1] - self._caption_height

    @property
    def _caption_height(self) -> int:
        """What is below the board, from edge to edge."""
        return self.layout.size[1] - self.layout.board_corner[1] - self.layout.board_size[1]

    def caption(self, text: str) -> Image:
        """The strip below the board."""
        size = self.layout.size[0], self._caption_height
        return _text(size, text, self.layout.caption_font, self.palette.caption, self.palette.page)


def whole(place: tuple[float, float]) -> tuple[int, int]:
    return round(place[0]), round(place[1])


def _text(size: tuple[int, int], text: str, font_size: int, ink: str, ground: str) -> Image:
    """Text in the middle of a rectangle; its height is that of digits, wherever they are."""
    from PIL import Image, ImageDraw

    width, height = size[0] * _FINE, size[1] * _FINE
    image = Image.new("RGB", (width, height), ground)
    font = _font(font_size * _FINE)
    rise = -font.getbbox("0", anchor="ls")[1]
    ImageDraw.Draw(image).text(
        (width / 2, (height + rise) / 2),
        text,
        ink,
        font,
        anchor="ms",
        # The font is thinner than that of the SVG.
        stroke_width=font_size * _FINE // 36,
        stroke_fill=ink,
    )
    return image.reduce(_FINE)


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont | FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _rounded(size: tuple[int, int], radius: int) -> Image:
    """Where a rectangle with rounded corners is."""
    from PIL import Image, ImageDraw

    mask = Image.new("L", size, 255)
    fine = 2 * radius * _FINE
    disc = Image.new("L", (fine + 1, fine + 1))
    ImageDraw.Draw(disc).ellipse((0, 0, fine, fine), fill=255)
    disc = disc.resize((2 * radius, 2 * radius), Image.Resampling.BOX) if radius else disc
    for across in (0, 1):
        for down in (0, 1):
            left, top = across * radius, down * radius
            corner = disc.crop((left, top, left + radius, top + radius))
            mask.paste(corner, (across * (size[0] - radius), down * (size[1] - radius)))
    return mask
