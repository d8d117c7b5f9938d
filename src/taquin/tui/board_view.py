"""The widget that shows a board and tells which tile is clicked."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip

from ..board import Board, Move
from .colors import OUTLINES, Paint, tray
from .drawing import SIZES, Drawing, TileSize
from .lined import Lined


class BoardView(Lined):
    """A board at a tile size; click a tile to hear of it by `TileClicked`."""

    DEFAULT_CSS = """
    BoardView { width: auto; height: auto; }
    """

    @dataclass
    class TileClicked(Message):
        tile: int

    def __init__(self, board: Board, goal: Board, *, scheme: str = "plain") -> None:
        super().__init__()
        self.board = board
        self.goal = goal
        self.scheme = scheme
        self.tile_size = SIZES[-1]
        self.hint: Move | None = None
        self.hidden = False
        self.framed = False
        self._glowing: int | None = None

    def show(
        self,
        board: Board,
        goal: Board | None = None,
        *,
        size: TileSize | None = None,
        hint: Move | None = None,
        hidden: bool = False,
        scheme: str | None = None,
        framed: bool | None = None,
    ) -> None:
        """Show a board; what is left out of goal, size, scheme and frame stays as it was."""
        self.goal = goal or self.goal
        self.scheme = scheme or self.scheme
        self.framed = self.framed if framed is None else framed
        size = size or self.tile_size
        resized = size is not self.tile_size or board.shape != self.board.shape
        self.board, self.tile_size, self.hint, self.hidden = board, size, hint, hidden
        self._frame()
        if resized:
            self.refresh(layout=True)
        self.redraw()

    def _frame(self) -> None:
        """Draw the tray that the tiles lie in, where there is room and colour for it."""
        color = tray(self.goal, self.scheme, self.app.current_theme.dark)
        framed = self.framed and not self.is_outlined and not self.tile_size.lines
        self.styles.border = ("inner", color) if framed else ("none", color)

    def glow(self, diagonal: int | None) -> None:
        """Light up the tiles of a diagonal, or none."""
        self._glowing = diagonal
        self.redraw()

    @property
    def is_outlined(self) -> bool:
        return self.scheme == OUTLINES or self.app.no_color

    def get_content_width(self, container: object, viewport: object) -> int:
        return self.tile_size.extent(self.board.shape)[0]

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return self.tile_size.extent(self.board.shape)[1]

    def draw(self) -> list[Strip]:
        drawing = Drawing(
            self.board,
            self.goal,
            self.tile_size,
            outlined=self.is_outlined,
            hint=self.hint,
            hidden=self.hidden,
            glowing=self._glowing,
        )
        paint = Paint(drawing, self.scheme, self.app.current_theme.dark)
        base = self.rich_style
        return [
            Strip([Segment(span.text, base + paint(span)) for span in line])
            for line in drawing.lines()
        ]

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        if place is None:
            return
        cell = self.tile_size.cell_at(self.board.shape, place.x, place.y)
        if cell is not None and self.board.tiles[cell]:
            self.post_message(self.TileClicked(self.board.tiles[cell]))
