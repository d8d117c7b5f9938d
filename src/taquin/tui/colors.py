"""The colours on the screen: a dark and a light theme, and how a board's drawing is coloured."""

from __future__ import annotations

import os
from functools import lru_cache

from rich.style import Style
from textual.color import Color
from textual.theme import Theme

from ..board import Board
from ..palette import Palette, Shade
from .drawing import BOTTOM, GAP, LINE, TOP, Drawing, Span

DARK = Theme(
    name="taquin-dark",
    primary="#7aa2f7",
    secondary="#9aa5ce",
    accent="#f0b429",
    warning="#e0af68",
    error="#f7768e",
    success="#73daca",
    foreground="#c8d0ea",
    background="#15171f",
    surface="#1c1f2a",
    panel="#242838",
    dark=True,
    variables={"faint": "#7f88ac"},
)
LIGHT = Theme(
    name="taquin-light",
    primary="#2e5cb8",
    secondary="#5a6486",
    accent="#c77800",
    warning="#a86200",
    error="#b3263f",
    success="#0f7a63",
    foreground="#262b3d",
    background="#f4f3ef",
    surface="#eae8e1",
    panel="#dedbd2",
    dark=False,
    variables={"faint": "#656a80"},
)

_LIT = {True: Shade("#f0b429", "#1a1c22"), False: Shade("#ffb938", "#1a1c22")}
"""What stands out: the tile of a hint."""
_LINES = {True: "#6b7394", False: "#8b8577"}

OUTLINES = "outlines"
"""The scheme without colours."""


def theme_for(appearance: str) -> str:
    """The theme for `dark`, `light`, or `auto`: as the terminal says, dark if it says nothing."""
    if appearance == "auto":
        background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
        appearance = "light" if background in ("7", "15") else "dark"
    return (LIGHT if appearance == "light" else DARK).name


class Paint:
    """How the spans of a drawing are coloured."""

    def __init__(self, drawing: Drawing, scheme: str, dark: bool) -> None:
        self.drawing = drawing
        self.dark = dark
        self.palette = None if drawing.outlined else _palette(drawing.goal, scheme, dark)

    def __call__(self, span: Span) -> Style:
        drawing, palette = self.drawing, self.palette
        if palette is None:
            if span.part in (GAP, LINE):
                return Style(dim=span.part == LINE)
            is_lit = drawing.is_lit(span.tile)
            return Style(bold=is_lit or drawing.is_home(span.tile), reverse=is_lit)
        if span.part == GAP:
            return Style(bgcolor=palette.board)
        if span.part == LINE:
            return Style(color=_LINES[self.dark], bgcolor=palette.board)
        if drawing.is_lit(span.tile):
            return _style(_LIT[self.dark], True, span.part)
        is_home = drawing.is_home(span.tile)
        return _style(palette.shade(span.tile, home=is_home), is_home, span.part)


def tray(goal: Board, scheme: str, dark: bool) -> str:
    """The colour of what the tiles lie in."""
    return _palette(goal, "plain" if scheme == OUTLINES else scheme, dark).board


@lru_cache(maxsize=8)
def _palette(goal: Board, scheme: str, dark: bool) -> Palette:
    return Palette(goal, scheme, dark=dark)


@lru_cache(maxsize=256)
def _style(shade: Shade, strong: bool, part: str) -> Style:
    """A tile's face, or one of its edges, which makes it stand out from the board."""
    ink = shade.ink
    if part == TOP:
        ink = Color.parse(shade.face).lighten(0.1).hex6
    elif part == BOTTOM:
        ink = Color.parse(shade.face).darken(0.16).hex6
    return Style(color=ink, bgcolor=shade.face, bold=strong)
