"""The application: themes, the first screen, and the ways out."""

from __future__ import annotations

import os
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from ..session import Session
from .colors import DARK, LIGHT, theme_for
from .game_screen import GameScreen


class PlayApp(App[None]):
    """The game on a terminal."""

    TITLE = "taquin"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave", "Quit", priority=True, show=False),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False),
    ]

    def __init__(self, session: Session) -> None:
        # Native colours are the only ones that textual leaves out altogether.
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.session = session

    def on_mount(self) -> None:
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = theme_for(self.session.settings.appearance)
        self.push_screen(GameScreen(self.session))

    def action_leave(self) -> None:
        self.leave()

    def leave(self) -> None:
        """End the game on the screen; it is kept already."""
        self.exit()
