"""The game on a terminal, drawn with textual. It shows a `Game` and calls it; it has no rules."""

from __future__ import annotations

import gc
import os

from ..session import Session

_FRAMES_A_SECOND = 200
"""What a key changes is shown with the next frame; where nothing changes there is none."""


def run(session: Session) -> int:
    """Play the session's game until the player leaves; gives the exit code."""
    os.environ.setdefault("TEXTUAL_FPS", str(_FRAMES_A_SECOND))
    # The planner needs it at once, and an import in its thread would make the keys wait.
    from .. import solver  # noqa: F401
    from .app import PlayApp

    app = PlayApp(session)
    # All that was imported stays; to look through it for garbage again and again would be felt.
    gc.freeze()
    try:
        app.run()
    finally:
        gc.unfreeze()
    for note in session.told():
        print(f"note: {note}")
    if session.is_under_way:
        print("the game is kept: taquin play --resume")
    return app.return_code or 0
