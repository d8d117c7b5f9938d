"""A picture of the game's real screen: python tools/play_screenshot.py FILE.svg BOARD [KEY]…"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

from taquin import Board, goals
from taquin.session import Session
from taquin.tui.app import PlayApp


async def main() -> None:
    file, board, *keys = sys.argv[1:]
    start = Board(board)
    clock = iter(range(10**6))
    with Session(clock=lambda: next(clock) / 50) as session:
        session.begin(start, goals.blank_last(*start.shape))
        app = PlayApp(session)
        async with app.run_test(size=(86, 26)) as pilot:
            session.game.planner.wait()
            await pilot.press(*keys)
            await pilot.pause(0.5)
            picture = app.export_screenshot()
    # Whoever looks at it shall not fetch a font from elsewhere.
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    Path(file).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
