"""How the main screens look at three sizes of a terminal.

The pictures are text files in tests/data/screens. After a change that is meant, look at the new
ones: REWRITE_SCREENS=1 pytest tests/test_tui_snapshots.py
"""

import os
from pathlib import Path

import pytest
from screens import EASY, Player, played

SCREENS = Path(__file__).parent / "data" / "screens"
SIZES = [(40, 15), (80, 24), (120, 40)]

KEYS: dict[str, list[str]] = {
    "game": [],
    "played": ["up", "u", "left"],
    "hint": ["h", "h"],
    "paused": ["up", "p"],
    "help": ["question_mark"],
    "options": ["o", "down", "right"],
    "enter": ["e", *"182", "slash", *"045", "slash", *"376"],
    "question": ["up", "n"],
    "watch": ["g", "space", "home", "right"],
    "records": ["t"],
    "end": ["left", "right", "up", "up", "left"],
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", KEYS)
def test_screens_look_as_before(name: str, size: tuple[int, int]) -> None:
    seen = []

    @played(EASY, size=size)
    async def scenario(player: Player) -> None:
        await player.press(*KEYS[name])
        await player.settle()
        await player.settle()
        seen.append(player.text())

    scenario()
    path = SCREENS / f"{name}-{size[0]}x{size[1]}.txt"
    if os.environ.get("REWRITE_SCREENS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(seen[0], encoding="utf-8")
    assert seen[0] == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("shape", [(2, 2), (2, 10), (5, 5), (10, 10)], ids=str)
def test_boards_of_all_sizes_look_as_before(shape: tuple[int, int]) -> None:
    from taquin import Board

    seen = []
    board = str(Board.random(*shape, seed=1, walk=8))

    @played(board, size=(80, 24))
    async def scenario(player: Player) -> None:
        seen.append(player.text())

    scenario()
    path = SCREENS / f"board-{shape[0]}x{shape[1]}.txt"
    if os.environ.get("REWRITE_SCREENS"):
        path.write_text(seen[0], encoding="utf-8")
    assert seen[0] == path.read_text(encoding="utf-8")
