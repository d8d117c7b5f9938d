"""Moving pictures of a solution or of a game: GIF, SVG and asciinema casts; and a PNG of all steps.

`Film` says what is to be seen and when; each kind of picture is made from that alone, step by step,
so that long films need no more memory than short ones.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from . import picture
from .board import Board
from .errors import OptionError
from .palette import Palette
from .picture import (
    Layout,
    Painter,
    encode_png,
    layout_for,
    name_of,
    svg_document,
    svg_tile,
    whole,
)
from .replay import Replay
from .result import Solution

if TYPE_CHECKING:
    from PIL.Image import Image

PACE = 0.4
"""Seconds from one move to the next, where nobody knows better."""

LEAD, SLIDE, END = 0.8, 0.15, 2.5
"""Seconds before the first move, of a slide, and after the last move."""

TOGETHER = 0.02
"""What begins within so many seconds moves together; viewers show no shorter pictures in a GIF."""

MAX_PAUSE = 86_400.0
"""Seconds of the longest pause; longer ones can't be waited for."""

MAX_PIXELS = 40_000_000
"""The most pixels of a picture with all steps."""


# --- what is to be seen, and when ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """A change of the picture: tiles slide, and there is another board."""

    board: Board
    begins: float
    """When the tiles begin to slide, in seconds."""
    until: float
    """When the next step begins, or the film ends."""
    caption: str

    @property
    def ends(self) -> float:
        """When the tiles are there."""
        return min(self.begins + SLIDE, self.until)


class Film:
    """A solution at a steady pace, or a game at the player's own.

    `speed` 2 is twice as fast. No pause is longer than `max_pause` seconds, if that is given.

    >>> film = Film(Replay.parse("1 2 3/4 5 6/0 7 8;L2;0,5000"), max_pause=1)
    >>> [(round(step.begins, 2), step.caption) for step in film.steps()]
    [(0.8, '1 / 2 · 0.00 s'), (1.8, '2 / 2 · 5.00 s')]
    """

    def __init__(
        self, sequence: Solution | Replay, *, speed: float = 1.0, max_pause: float | None = None
    ) -> None:
        if not 0 < speed < math.inf:
            raise OptionError(f"speed must be a number above 0, not {speed:g}")
        if max_pause is not None and not max_pause > 0:
            raise OptionError(f"the longest pause must be above 0 seconds, not {max_pause:g}")
        self._sequence = sequence
        self._times = sequence.times if isinstance(sequence, Replay) else ()
        self.start = next(iter(sequence.boards()))
        self.goal = sequence.goal
        self._groups = self._schedule(speed, min(max_pause or MAX_PAUSE, MAX_PAUSE))
        self.seconds = (self._groups[-1][0] + SLIDE if self._groups else 0) + END

    @property
    def begins(self) -> float:
        """When the first board goes."""
        return self._groups[0][0] if self._groups else self.seconds

    @property
    def caption(self) -> str:
        """What is below the first board."""
        return self.caption_after(0)

    @property
    def widest(self) -> int:
        """The length of the longest caption."""
        return len(self.caption_after(len(self._sequence.moves)))

    def caption_after(self, made: int) -> str:
        """Where the film is after so many moves; nothing, if nothing ever moves."""
        total = len(self._sequence.moves)
        words = f"{made} / {total}" if total else ""
        if not self._times:
            return words
        return f"{words} · {clock(self._times[made - 1] if made else 0.0)}"

    @property
    def title(self) -> str:
        """The film in words."""
        count = len(self._sequence.moves)
        moves = f", {count} move{'' if count == 1 else 's'}" if count else ""
        return name_of(self.start) + moves

    def __len__(self) -> int:
        """How many steps there are."""
        return len(self._groups)

    def steps(self) -> Iterator[Step]:
        """Every change, in order."""
        boards = enumerate(self._sequence.boards())
        ends = [begins for begins, _ in self._groups[1:]] + [self.seconds]
        for (begins, made), until in zip(self._groups, ends, strict=False):
            board = next(board for number, board in boards if number == made)
            yield Step(board, begins, until, self.caption_after(made))

    def _schedule(self, speed: float, max_pause: float) -> list[tuple[float, int]]:
        """When each step begins, and how many moves are made with it."""
        times = self._times or [PACE * number for number in range(len(self._sequence.moves))]
        groups: list[tuple[float, int]] = []
        now, before = LEAD, 0.0
        for made, time in enumerate(times, 1):
            now += min((time - before) / speed, max_pause)
            before = time
            begins = now
            if groups and now - groups[-1][0] < TOGETHER:
                begins, _ = groups.pop()
            groups.append((begins, made))
        return groups


def clock(seconds: float) -> str:
    """A time as speed-solvers write it.

    >>> clock(9.871), clock(83.5), clock(4000)
    ('9.87 s', '1:23.50', '1:06:40.00')
    """
    hundredths = round(100 * seconds)
    minutes, rest = divmod(hundredths, 6000)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{rest / 100:05.2f}"
    return f"{minutes}:{rest / 100:05.2f}" if minutes else f"{rest / 100:.2f} s"


Slide = tuple[int, int, int]
"""A tile, the cell from which it goes, and the cell to which."""


def _slides(before: Board, after: Board) -> list[Slide]:
    """Which tiles move."""
    cells = [cell for cell, pair in enumerate(zip(before, after, strict=True)) if len({*pair}) == 2]
    origin = {before.tiles[cell]: cell for cell in cells}
    return [(tile, origin[tile], cell) for cell in cells if (tile := after.tiles[cell])]


# --- asciinema ----------------------------------------------------------------------------------


def cast(film: Film) -> Iterator[str]:
    """The lines of an asciinema recording (asciicast v2), which shows a board after the other.

    >>> film = Film(Replay.parse("1 2 3/4 5 6/0 7 8;L2;0,480"))
    >>> json.loads(next(cast(film)))["width"]
    14
    """
    lines = film.start.show().split("\n")
    header = {
        "version": 2,
        "width": max(len(lines[0]), film.widest),
        "height": len(lines) + bool(film.widest),
        "duration": round(film.seconds, 3),
        "title": film.title,
        "env": {"TERM": "xterm-256color"},
    }
    yield json.dumps(header, ensure_ascii=False)
    yield _output(0, "\x1b[?25l" + _screen(film.start, film.goal, film.caption))
    for step in film.steps():
        yield _output(step.begins, _screen(step.board, film.goal, step.caption))
    # A recording is over with its last event, so this one is also what keeps the end in view.
    yield _output(film.seconds, "\x1b[?25h")


def _screen(board: Board, goal: Board, caption: str) -> str:
    """A cleared screen, a board and its caption."""
    lines = board.show(color=True, goal=goal).split("\n") + ([caption] if caption else [])
    return "\x1b[H\x1b[2J" + "\r\n".join(lines)


def _output(seconds: float, text: str) -> str:
    return json.dumps([round(seconds, 3), "o", text], ensure_ascii=False)


# --- SVG ----------------------------------------------------------------------------------------


def svg(film: Film, *, scheme: str = "plain", dark: bool = False) -> str:
    """The film as an SVG image that moves by itself, without a script, again and again."""
    palette = Palette(film.goal, scheme, dark=dark)
    layout = Layout(*film.start.shape, caption=film.widest)
    journeys = _journeys(film)
    captions = [(0.0, film.caption), *((step.begins, step.caption) for step in film.steps())]
    tiles = (
        _moving_tile(film, layout, palette, tile, cell, journeys[tile])
        for cell, tile in enumerate(film.start.tiles)
        if tile
    )
    below = [_moving_caption(film, layout, palette, captions)] if len(film) else []
    return svg_document(layout, palette, film.title, [*tiles, *below])


def _journeys(film: Film) -> dict[int, list[tuple[Step, int]]]:
    """For each tile the steps in which it slides, and to which cells."""
    journeys: dict[int, list[tuple[Step, int]]] = defaultdict(list)
    before = film.start
    for step in film.steps():
        for tile, _, cell in _slides(before, step.board):
            journeys[tile].append((step, cell))
        before = step.board
    return journeys


def _moving_tile(
    film: Film,
    layout: Layout,
    palette: Palette,
    tile: int,
    cell: int,
    journey: list[tuple[Step, int]],
) -> str:
    home = film.goal.tiles.index(tile)
    place = layout.place_of(cell)
    places = [(0.0, place)]
    tints = [(0.0, cell == home)]
    for step, target in journey:
        places.append((step.begins, places[-1][1]))
        places.append((step.ends, layout.place_of(target)))
        if tints[-1][1]:
            tints.append((step.begins, False))
        if target == home:
            tints.append((step.ends, True))
    places.append((film.seconds, places[-1][1]))
    shades = [(time, palette.shade(tile, home=is_home)) for time, is_home in tints]
    translate = [(time, f"{x:g} {y:g}") for time, (x, y) in places]
    moves = 'attributeName="transform" type="translate"'
    return svg_tile(
        layout,
        shades[0][1],
        tile,
        cell,
        motion=_animate("animateTransform", moves, film, translate) if journey else "",
        tint=(
            _tint(film, [(time, shade.face) for time, shade in shades]),
            _tint(film, [(time, shade.ink) for time, shade in shades]),
        ),
    )


def _tint(film: Film, colors: list[tuple[float, str]]) -> str:
    if len({color for _, color in colors}) == 1:
        return ""
    return _animate("animate", 'attributeName="fill" calcMode="discrete"', film, colors)


def _moving_caption(
    film: Film, layout: Layout, palette: Palette, captions: list[tuple[float, str]]
) -> str:
    """All captions one below the other, behind a window that shows one of them."""
    x, y = layout.caption_middle
    font = layout.caption_font
    line = 2 * font
    lines = "".join(
        f'<text x="{x:g}" y="{font + number * line}" dy=".35em">{escape(text)}</text>'
        for number, (_, text) in enumerate(captions)
    )
    shifts = [(time, f"0 {-number * line}") for number, (time, _) in enumerate(captions)]
    moves = 'attributeName="transform" type="translate" calcMode="discrete"'
    motion = _animate("animateTransform", moves, film, shifts)
    return (
        f'<svg y="{y - font:g}" width="{layout.size[0]}" height="{line}" overflow="hidden" '
        f'font-size="{font}" fill="{palette.caption}"><g>{motion}{lines}</g></svg>'
    )


def _animate(element: str, attributes: str, film: Film, values: list[tuple[float, str]]) -> str:
    times = ";".join(_short(min(time / film.seconds, 1)) for time, _ in values)
    texts = ";".join(text for _, text in values)
    return (
        f'<{element} {attributes} dur="{film.seconds:.3f}s" repeatCount="indefinite" '
        f'keyTimes="{times}" values="{texts}"/>'
    )


def _short(fraction: float) -> str:
    return f"{fraction:.6f}".rstrip("0").rstrip(".")


# --- GIF ----------------------------------------------------------------------------------------


def gif(film: Film, *, scheme: str = "plain", dark: bool = False) -> Iterator[bytes]:
    """The film as a GIF that runs again and again, part by part; needs Pillow."""
    layout = layout_for(film.start.shape, 600, caption=film.widest)
    palette = Palette(film.goal, scheme, dark=dark)
    projector = _Projector(film, Painter(layout, palette, film.goal))
    return _encode(projector.frames(), projector.transparent)


def _encode(frames: Iterable[tuple[Image, float]], transparent: int) -> Iterator[bytes]:
    """Pictures, each with the time until which it is shown, as a GIF with only what changes.

    Pillow could do the same in one call, but only with all pictures at hand.
    """
    from PIL import GifImagePlugin

    before: Image | None = None
    shown = 0
    for image, until in frames:
        if before is None:
            patch, corner = image.copy(), (0, 0)
            yield from GifImagePlugin.getheader(patch, info={"loop": 0})[0]
        else:
            patch, corner = _change(before, image, transparent)
        hundredths = max(2, round(100 * until) - shown)
        shown += hundredths
        yield from GifImagePlugin.getdata(
            patch,
            corner,
            duration=10 * min(hundredths, 0xFFFF),
            transparency=transparent,
            disposal=1,
        )
        before = image.copy()
    yield b";"


def _change(before: Image, after: Image, transparent: int) -> tuple[Image, tuple[int, int]]:
    """The part of a picture that is new, and where it is."""
    from PIL import ImageChops

    change = ImageChops.subtract_modulo(after, before)
    box = change.getbbox() or (0, 0, 1, 1)
    same = change.crop(box).point([255, *[0] * 255], "1")
    patch = after.crop(box)
    patch.paste(transparent, mask=same)
    return patch, box[:2]


class _Projector:
    """The pictures of a film, all in the same few colours."""

    def __init__(self, film: Film, painter: Painter) -> None:
        from PIL import Image

        self._film = film
        self._painter = painter
        self._layout = painter.layout
        colors = _colors(painter.palette)
        self._colors = Image.new("P", (1, 1))
        self._colors.putpalette([part for color in [*colors, (0, 0, 0)] for part in color])
        self.transparent = len(colors)
        self._tile = cache(lambda tile, home: self._reduce(painter.tile(tile, home)))
        # As large as a cell, so that nothing is left between two tiles.
        cell = (self._layout.cell, self._layout.cell)
        self._hole = self._reduce(Image.new("RGB", cell, painter.palette.board))
        self._between = 3 if len(film) <= 300 else 1

    def frames(self) -> Iterator[tuple[Image, float]]:
        """One picture that changes, and until when it is to be seen."""
        film = self._film
        canvas = self._reduce(self._painter.paint(film.start, film.caption))
        yield canvas, film.begins
        before = film.start
        for step in film.steps():
            slides = _slides(before, step.board)
            for fraction, until in self._moments(step, slides):
                self._slide(canvas, slides, fraction)
                yield canvas, until
            self._settle(canvas, slides, step.caption)
            yield canvas, step.until
            before = step.board

    def _moments(self, step: Step, slides: list[Slide]) -> Iterator[tuple[float, float]]:
        """How far the tiles have come in the pictures between, and until when these are shown."""
        count = min(self._between, int((step.ends - step.begins) / TOGETHER) - 1)
        if any(abs(a - b) not in (1, self._layout.cols) for _, a, b in slides):
            return
        for number in range(1, count + 1):
            part = number / (count + 1)
            # Gently off and gently on.
            yield part * part * (3 - 2 * part), step.begins + part * (step.ends - step.begins)

    def _slide(self, canvas: Image, slides: list[Slide], fraction: float) -> None:
        self._clear(canvas, slides)
        for tile, origin, target in slides:
            x, y = self._layout.place_of(origin)
            to_x, to_y = self._layout.place_of(target)
            place = x + fraction * (to_x - x), y + fraction * (to_y - y)
            canvas.paste(self._tile(tile, False), whole(place))

    def _settle(self, canvas: Image, slides: list[Slide], caption: str) -> None:
        self._clear(canvas, slides)
        for tile, _, target in slides:
            home = tile == self._film.goal.tiles[target]
            canvas.paste(self._tile(tile, home), whole(self._layout.place_of(target)))
        canvas.paste(self._reduce(self._painter.caption(caption)), self._painter.caption_corner)

    def _clear(self, canvas: Image, slides: list[Slide]) -> None:
        for _, *cells in slides:
            for cell in cells:
                canvas.paste(self._hole, whole(self._layout.place_of(cell)))

    def _reduce(self, image: Image) -> Image:
        """A picture in the colours of the film."""
        from PIL.Image import Dither

        return image.quantize(palette=self._colors, dither=Dither.NONE)


def _colors(palette: Palette) -> list[tuple[int, int, int]]:
    """All colours of a film: the pure ones, and some between those that touch, for smooth edges."""
    from PIL.ImageColor import getrgb

    shades = palette.shades()
    pairs = {(palette.page, palette.board), (palette.page, palette.caption)}
    pairs |= {(palette.board, shade.face) for shade in shades}
    pairs |= {(shade.face, shade.ink) for shade in shades}
    pure = sorted({color for pair in pairs for color in pair})
    between = min(14, (255 - len(pure)) // len(pairs))
    colors = [getrgb(color)[:3] for color in pure]
    for one, other in sorted(pairs):
        for number in range(1, between + 1):
            part = number / (between + 1)
            a, b = getrgb(one), getrgb(other)
            mix = [round(x + part * (y - x)) for x, y in zip(a, b, strict=True)]
            colors.append((mix[0], mix[1], mix[2]))
    return list(dict.fromkeys(colors))


# --- all steps in one picture -------------------------------------------------------------------


def png(film: Film, *, scheme: str = "plain", dark: bool = False) -> bytes:
    """Every board of the film, side by side in one PNG image; needs Pillow."""
    if not len(film):
        return picture.png(film.start, film.goal, scheme=scheme, dark=dark)
    palette = Palette(film.goal, scheme, dark=dark)
    layout = layout_for(film.start.shape, 160, caption=film.widest)
    width, height = layout.size
    count = len(film) + 1
    # About three wide for two high, as screens and pages are.
    cols = min(count, math.ceil(math.sqrt(1.5 * count * height / width)))
    rows = math.ceil(count / cols)
    if rows * cols * width * height > MAX_PIXELS:
        raise OptionError(
            "{boards:,} boards are too many for one PNG; a GIF can show them",
            code="sheet-large", boards=count,
        )  # fmt: skip
    painter = Painter(layout, palette, film.goal)
    sheet = painter.blank_page(cols * width, rows * height)
    boards = [(film.start, film.caption), *((step.board, step.caption) for step in film.steps())]
    for number, (board, caption) in enumerate(boards):
        row, col = divmod(number, cols)
        sheet.paste(painter.paint(board, caption), (col * width, row * height))
    return encode_png(sheet)
