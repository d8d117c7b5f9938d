"""Films are opened again as a viewer would, and every board in them is looked at."""

import json
import re
import subprocess
import sys
from io import BytesIO
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops
from PIL.ImageColor import getrgb
from strategies import shapes

from taquin import Board, Move, Solution, goals, solve
from taquin.animation import END, LEAD, PACE, SLIDE, Film, cast, clock, gif, png, svg
from taquin.errors import OptionError
from taquin.palette import SCHEMES, Palette
from taquin.picture import Layout, Painter, layout_for
from taquin.replay import Replay

SVG = "{http://www.w3.org/2000/svg}"
FARTHEST = solve("8 6 7 / 2 5 4 / 3 0 1").solution
assert FARTHEST is not None


@st.composite
def replays(draw: st.DrawFn, max_side: int = 4) -> Replay:
    """Games with runs, pauses and moves at the same instant; some without times."""
    rows, cols = draw(shapes(max_side))
    board = Board.random(rows, cols, seed=draw(st.integers(0, 99)))
    moves: list[Move] = []
    here = board
    for choice in draw(st.lists(st.integers(0, 11), max_size=12)):
        possible = here.moves()
        moves.append(possible[choice % len(possible)])
        here = here.slide(moves[-1])
    gaps = st.sampled_from([0, 0, 5, 19, 20, 60, 130, 400, 3000])
    times: list[float] = []
    if moves and draw(st.booleans()):
        times = [0.0]
        for _ in moves[1:]:
            times.append(round(times[-1] + draw(gaps) / 1000, 3))
    return Replay(board, goals.blank_last(rows, cols), tuple(moves), tuple(times))


# --- time ---------------------------------------------------------------------------------------


@given(replays(), st.sampled_from([0.5, 1, 4]), st.sampled_from([None, 0.1, 2]))
def test_steps_follow_the_players_times(game, speed, max_pause):
    film = Film(game, speed=speed, max_pause=max_pause)
    steps = list(film.steps())
    assert len(steps) == len(film)
    shown = [film.start, *(step.board for step in steps)]
    every = iter(game.boards())
    assert all(board in every for board in shown), "boards may be left out, not put in"
    assert shown[-1] == game.final
    for step, after in pairwise(steps):
        assert step.until == after.begins >= step.begins + 0.0199
    for step in steps:
        assert step.begins <= step.ends <= min(step.until, step.begins + SLIDE)
    if steps:
        assert (film.begins, steps[-1].until) == (LEAD, film.seconds)
        assert film.seconds == pytest.approx(steps[-1].begins + SLIDE + END)
    if max_pause:
        assert all(b.begins - a.begins < max_pause + 0.021 for a, b in pairwise(steps))
    elif game.times and steps:
        assert steps[-1].begins - LEAD == pytest.approx(game.seconds / speed, abs=0.021)


def test_a_solution_has_a_steady_pace():
    steps = list(Film(FARTHEST).steps())
    assert [step.board for step in steps] == list(FARTHEST.boards())[1:]
    assert [step.begins for step in steps] == pytest.approx(
        [LEAD + PACE * number for number in range(31)]
    )
    assert [step.caption for step in steps][::10] == ["1 / 31", "11 / 31", "21 / 31", "31 / 31"]


def test_tiles_of_a_run_move_together():
    film = Film(Replay.parse("0 1 2 3/4 5 6 7/8 9 10 11;L3U;0,0,0,900", goal="blank-first"))
    assert [step.caption for step in film.steps()] == ["3 / 4 · 0.00 s", "4 / 4 · 0.90 s"]


def test_no_pause_is_longer_than_a_day():
    game = Replay.parse("1 2 3/4 5 6/0 7 8;L2;0,900000000000")
    for film in (Film(game), Film(game, speed=1e-300), Film(game, max_pause=float("inf"))):
        assert film.seconds < 86_400 + LEAD + SLIDE + END + 1
    assert len(Film(game, speed=1e300)) == 1


@pytest.mark.parametrize("speed", [0, -1, float("nan"), float("inf")])
def test_bad_speeds(speed):
    with pytest.raises(OptionError, match="speed must be a number above 0"):
        Film(FARTHEST, speed=speed)


@pytest.mark.parametrize("pause", [0, -1, float("nan")])
def test_bad_pauses(pause):
    with pytest.raises(OptionError, match="longest pause"):
        Film(FARTHEST, max_pause=pause)


@given(st.integers(0, 10**7))
def test_the_clock_never_shows_sixty(hundredths):
    *larger, seconds = clock(hundredths / 100).removesuffix(" s").split(":")
    assert all(int(part) < 60 for part in larger[1:])
    total = 0
    for part in larger:
        total = 60 * (total + int(part))
    assert float(seconds) < 60
    assert total + float(seconds) == pytest.approx(hundredths / 100)


# --- asciinema ----------------------------------------------------------------------------------


class Screen:
    """A terminal that knows what a cast may use, and refuses to scroll or wrap."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.clear()

    def clear(self) -> None:
        self.rows = [[" "] * self.width for _ in range(self.height)]
        self.row = self.col = 0

    def write(self, text: str) -> None:
        for part in re.findall(r"\x1b\[[?0-9;]*[A-Za-z]|\r|\n|[^\x1b\r\n]", text):
            if part == "\x1b[2J":
                assert (self.row, self.col) == (0, 0)
                self.clear()
            elif part == "\x1b[H":
                self.row = self.col = 0
            elif part == "\r":
                self.col = 0
            elif part == "\n":
                self.row += 1
                assert self.row < self.height, "the screen would scroll"
            elif part.startswith("\x1b"):
                assert part[-1] in "mlh", f"unknown sequence {part!r}"
            else:
                assert self.col < self.width, "the line would wrap"
                self.rows[self.row][self.col] = part
                self.col += 1

    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.rows]


@given(replays())
def test_a_cast_shows_every_board_at_its_time(game):
    film = Film(game)
    header, *events = map(json.loads, cast(film))
    assert header["version"] == 2
    assert header["duration"] == pytest.approx(film.seconds, abs=0.001)
    screen = Screen(header["width"], header["height"])
    seen = []
    for seconds, kind, text in events[:-1]:
        assert kind == "o"
        screen.write(text)
        *drawn, last = screen.lines()
        caption = last if film.caption else ""
        seen.append((seconds, "\n".join(drawn if caption else [*drawn, last]), caption))
    wanted = [(0.0, film.start, film.caption)]
    wanted += [(step.begins, step.board, step.caption) for step in film.steps()]
    assert [caption for *_, caption in seen] == [caption for *_, caption in wanted]
    for (at, drawn, _), (begins, board, _) in zip(seen, wanted, strict=True):
        assert at == pytest.approx(begins, abs=0.001)
        assert drawn == board.show()
    assert events[-1] == [pytest.approx(film.seconds, abs=0.001), "o", "\x1b[?25h"]


# --- SVG ----------------------------------------------------------------------------------------


def value_at(animation: ElementTree.Element, seconds: float) -> str:
    """What a viewer makes of an animation at some time."""
    total = float(animation.get("dur").removesuffix("s"))
    times = [total * float(time) for time in animation.get("keyTimes").split(";")]
    values = animation.get("values").split(";")
    assert len(times) == len(values)
    assert times == sorted(times)
    assert times[0] == 0
    last = max(number for number, time in enumerate(times) if time <= seconds)
    if animation.get("calcMode") == "discrete" or last == len(times) - 1:
        return values[last]
    assert times[-1] == pytest.approx(total)
    part = (seconds - times[last]) / (times[last + 1] - times[last])
    pairs = zip(values[last].split(), values[last + 1].split(), strict=True)
    return " ".join(f"{float(a) + part * (float(b) - float(a)):g}" for a, b in pairs)


def board_at(root: ElementTree.Element, film: Film, seconds: float) -> tuple[Board, set[int]]:
    """The board that an animated SVG shows, and the tiles that it shows as in their place."""
    layout = Layout(*film.start.shape, caption=film.widest)
    cells = {layout.place_of(cell): cell for cell in range(len(film.start))}
    palette = Palette(film.goal)
    tiles = [0] * len(film.start)
    home = set()
    for group in root.findall(f"{SVG}g"):
        place = group.get("transform").removeprefix("translate(").removesuffix(")")
        motion = group.find(f"{SVG}animateTransform")
        if motion is not None:
            place = value_at(motion, seconds)
        x, y = map(float, place.split())
        tile = int(group.find(f"{SVG}text").text)
        tiles[cells[x, y]] = tile
        face = group.find(f"{SVG}rect").get("fill")
        tint = group.find(f"{SVG}rect/{SVG}animate")
        face = face if tint is None else value_at(tint, seconds)
        if face == palette.shade(tile, home=True).face:
            home.add(tile)
    return Board(tiles, shape=film.start.shape), home


@given(replays())
def test_an_animated_svg_shows_every_board_at_its_time(game):
    film = Film(game)
    root = ElementTree.fromstring(svg(film))
    moments = [(0.0, film.begins, film.start, film.caption)]
    moments += [(step.ends, step.until, step.board, step.caption) for step in film.steps()]
    for begins, until, board, caption in moments:
        # Times in the file are exact to about a millionth of the whole.
        moment = begins + 0.9 * (until - begins)
        if until - begins < 0.01:
            continue
        shown, home = board_at(root, film, moment)
        assert shown == board
        assert home == {a for a, b in zip(board, film.goal, strict=True) if a == b != 0}
        if caption:
            strip = root.find(f"{SVG}svg")
            shift = value_at(strip.find(f"{SVG}g/{SVG}animateTransform"), moment).split()[1]
            line = float(strip.get("height"))
            texts = strip.findall(f"{SVG}g/{SVG}text")
            seen = [t.text for t in texts if 0 < float(t.get("y")) + float(shift) < line]
            assert seen == [caption]


def test_an_animated_svg_stands_alone():
    text = svg(Film(FARTHEST), scheme="rows", dark=True)
    assert "<script" not in text
    assert not re.search(r"(?:href|src|url)\b", text)
    assert text.count("http") == 1, "only the name of the language"
    assert len(text) < 20_000
    assert ElementTree.fromstring(text).find(f"{SVG}title").text.endswith("31 moves")


# --- GIF ----------------------------------------------------------------------------------------


def frames(data: bytes) -> list[tuple[Image.Image, int]]:
    """Every picture of a GIF as it is seen, and for how many milliseconds."""
    image = Image.open(BytesIO(data))
    found = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        found.append((image.convert("RGB"), image.info["duration"]))
    return found


def same(one: Image.Image, other: Image.Image) -> bool:
    """Whether two pictures differ by no more than what 256 colours cost."""
    high = [extreme for _, extreme in ImageChops.difference(one, other).getextrema()]
    return max(high) <= 40


@settings(max_examples=40)
@given(replays(), st.sampled_from(SCHEMES), st.booleans())
def test_a_gif_shows_every_board_in_order_and_for_its_time(game, scheme, dark):
    film = Film(game)
    pictures = frames(b"".join(gif(film, scheme=scheme, dark=dark)))
    assert all(duration >= 20 for _, duration in pictures)
    assert sum(duration for _, duration in pictures) == pytest.approx(1000 * film.seconds, abs=25)
    layout = layout_for(film.start.shape, 600, caption=film.widest)
    painter = Painter(layout, Palette(film.goal, scheme, dark=dark), film.goal)
    wanted = [(film.start, film.caption)]
    wanted += [(step.board, step.caption) for step in film.steps()]
    assert len(wanted) <= len(pictures) <= 4 * len(wanted)
    assert same(pictures[-1][0], painter.paint(*wanted[-1]))
    remaining = iter(image for image, _ in pictures)
    for board, caption in wanted:
        still = painter.paint(board, caption)
        assert any(same(image, still) for image in remaining), f"{caption} is missing"


def test_the_pictures_between_show_a_tile_on_its_way():
    film = Film(Solution(Board("1 2/0 3"), Board("1 2/3 0"), (Move.L,)))
    pictures = [image for image, _ in frames(b"".join(gif(film)))]
    assert len(pictures) == 5
    palette = Palette(film.goal)
    layout = layout_for((2, 2), 600, caption=film.widest)
    (left, y), (right, _) = layout.place(1, 0), layout.place(1, 1)
    face = getrgb(palette.shade(3, home=False).face)
    edges = []
    for image in pictures[1:-1]:
        row = [image.getpixel((x, int(y) + layout.side // 4)) for x in range(image.width)]
        assert row.count(face) > layout.side - 8, "the whole tile is there"
        edges.append(row.index(face))
        assert int(left) < row.index(face) < int(right)
    assert edges == sorted(edges, reverse=True), "it goes to the left"
    hole, tile = ((int(x) + 9, int(y) + 9) for x in (right, left))
    assert pictures[-1].getpixel(hole) == getrgb(palette.board)
    assert pictures[-1].getpixel(tile) == getrgb(palette.shade(3, home=True).face)


def test_a_gif_is_small_and_runs_again_and_again():
    data = b"".join(gif(Film(FARTHEST)))
    image = Image.open(BytesIO(data))
    assert image.n_frames == 1 + 4 * 31
    assert image.info["loop"] == 0
    assert len(data) < 100_000


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_colours_of_a_gif_are_exact_even_if_there_are_many(scheme):
    goal = goals.blank_last(14, 13)
    solution = Solution(goal.slide("R"), goal, (Move.L,))
    last, _ = frames(b"".join(gif(Film(solution), scheme=scheme)))[-1]
    layout = layout_for(goal.shape, 600, caption=5)
    palette = Palette(goal, scheme)
    for cell, tile in enumerate(goal):
        if tile:
            x, y = layout.place_of(cell)
            face = getrgb(palette.shade(tile, home=True).face)
            assert last.getpixel((int(x) + layout.side // 2, int(y) + 2)) == face


def test_pauses_that_a_gif_cannot_tell_are_cut():
    film = Film(Replay.parse("1 2 3/4 5 6/0 7 8;L2;0,900000000"))
    assert [d for _, d in frames(b"".join(gif(film)))][4] == 655_350


def test_a_long_gif_is_made_piece_by_piece():
    """Frames that were all kept would take ten times as much memory."""
    script = """
import re
from taquin import Board, Solution
from taquin.animation import Film, gif
board = Board.random(10, 10, seed=1)
moves, here = [], board
for number in range(1200):
    moves.append(here.moves()[number * 7 % len(here.moves())])
    here = here.slide(moves[-1])
size = sum(map(len, gif(Film(Solution(board, here, tuple(moves))))))
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())
print(size, int(peak[1]))
"""
    out = subprocess.check_output([sys.executable, "-c", script], text=True, timeout=300)
    size, peak = map(int, out.split())
    assert size < 5_000_000
    assert peak < 120_000


# --- all steps in one picture -------------------------------------------------------------------


def test_a_png_of_a_solution_shows_all_its_boards():
    film = Film(FARTHEST)
    image = Image.open(BytesIO(png(film))).convert("RGB")
    layout = layout_for((3, 3), 160, caption=film.widest)
    painter = Painter(layout, Palette(film.goal), film.goal)
    width, height = layout.size
    across = image.width // width
    assert image.size == (across * width, -(-32 // across) * height)
    for number, board in enumerate(FARTHEST.boards()):
        x, y = number % across * width, number // across * height
        part = image.crop((x, y, x + width, y + height))
        assert part.tobytes() == painter.paint(board, f"{number} / 31").tobytes()


def test_a_png_of_too_many_boards_is_refused():
    board = goals.blank_last(4, 4)
    film = Film(Solution(board, board, (Move.R, Move.L) * 2000))
    with pytest.raises(OptionError, match="4,001 boards are too many for one PNG"):
        png(film)


def test_a_film_in_which_nothing_happens_is_a_picture():
    board = goals.blank_last(3, 3)
    film = Film(Solution(board, board, ()))
    assert len(frames(b"".join(gif(film)))) == 1
    assert "animate" not in svg(film)
    assert film.widest == 0
    assert len(list(cast(film))) == 3
