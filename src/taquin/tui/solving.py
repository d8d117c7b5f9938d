"""Waiting for a solution: how the search goes, with a way to end it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ..hints import Planner
from .dialogs import Box
from .widgets import Key, KeyBar

_TICK = 0.1


class Solving(ModalScreen[bool]):
    """Shows a search until it ends; gives whether the solution is to be seen."""

    DEFAULT_CSS = """
    Solving { align: center middle; }
    Solving Box { width: 56; }
    Solving Static { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,g", "take", "Show the best so far"),
        Binding("escape,q", "leave", "Back to the game"),
    ]

    def __init__(self, planner: Planner) -> None:
        super().__init__()
        self.planner = planner

    def compose(self) -> ComposeResult:
        with Box() as box:
            box.border_title = "Looking for the shortest solution"
            yield Static(id="progress")
        yield KeyBar([Key("esc", "back to the game", "leave")])

    def on_mount(self) -> None:
        self.set_interval(_TICK, self._show)
        self._show()

    def _show(self) -> None:
        if not self.is_current:
            return
        progress = self.planner.progress
        if progress is None:
            self.dismiss(True)
            return
        best = "…" if progress.best is None else f"{progress.best:,} moves"
        rows = {
            "Best so far": best,
            "At least": f"{progress.lower_bound:,} moves",
            "Boards expanded": f"{progress.expanded:,}",
            "Time": f"{progress.seconds:.1f} s",
        }
        lines = [Content.assemble((f"{name:<18}", "$faint"), v) for name, v in rows.items()]
        self.query_one("#progress", Static).update(Content("\n").join(lines))
        keys = [Key("esc", "back to the game", "leave")]
        if progress.best is not None:
            keys.insert(0, Key("enter", "show the best so far", "take"))
        self.query_one(KeyBar).show(keys)

    def action_take(self) -> None:
        if self.planner.hint(0) is not None:
            self.planner.cancel()
            self.dismiss(True)

    def action_leave(self) -> None:
        self.planner.cancel()
        self.dismiss(False)
