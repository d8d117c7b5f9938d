"""Pictures of boards. (SVG, which notebooks show by themselves.)"""

from __future__ import annotations

from html import escape

from .board import Board
from .goals import resolve

_CELL = 64
_GAP = 4
_MARGIN = 10

_STYLE = """
  .taquin .board { fill: #3a3f4b }
  .taquin .tile { fill: #f3efe6 }
  .taquin .home { fill: #cfe8cf }
  .taquin text { font: 600 26px system-ui, sans-serif; fill: #23262e; text-anchor: middle }
"""


def svg(board: Board, goal: Board | str | None = None, *, title: str | None = None) -> str:
    """The board as an SVG image; tiles that are in their place are tinted.

    >>> svg(Board("1 2 / 3 0")).count("<rect")
    4
    """
    target = resolve(goal, board.shape)
    width = 2 * _MARGIN + board.cols * _CELL - _GAP
    height = 2 * _MARGIN + board.rows * _CELL - _GAP
    label = title or f"{board.rows}×{board.cols} sliding puzzle: {board}"
    tiles = "\n".join(
        _tile(tile, *divmod(cell, board.cols), home=tile == target.tiles[cell])
        for cell, tile in enumerate(board.tiles)
        if tile
    )
    return (
        f'<svg class="taquin" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">\n'
        f"<title>{escape(label)}</title>\n<style>{_STYLE}</style>\n"
        f'<rect class="board" width="{width}" height="{height}" rx="12"/>\n{tiles}\n</svg>\n'
    )


def _tile(tile: int, row: int, col: int, *, home: bool) -> str:
    x, y = _MARGIN + col * _CELL, _MARGIN + row * _CELL
    side = _CELL - _GAP
    # Numbers of four digits and more must shrink to fit.
    shrink = f' style="font-size:{26 * 3 // len(str(tile))}px"' if tile > 999 else ""
    return (
        f'<rect class="tile{" home" if home else ""}" x="{x}" y="{y}" '
        f'width="{side}" height="{side}" rx="8"/>'
        f'<text x="{x + side / 2:g}" y="{y + side / 2:g}" dy=".35em"{shrink}>{tile}</text>'
    )
