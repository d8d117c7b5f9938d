import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from taquin import Board, Move, Solution, export, goals, solve
from taquin.errors import OptionError, TaquinError
from taquin.replay import Replay
from taquin.sharing import KINDS, kind_of, render

BOARD = Board("8 6 7 / 2 5 4 / 3 0 1")
SUBJECTS = {
    "board": BOARD,
    "solution": solve(BOARD).solution,
    "game": Replay.parse("1 2 3/4 5 6/0 7 8;L2;0,480"),
    "no moves": Replay.parse("1 2 3/4 5 6/0 7 8;"),
}


def is_sound(path: Path) -> bool:
    if path.suffix == ".svg":
        return ElementTree.parse(path).getroot().tag.endswith("svg")
    if path.suffix == ".cast":
        return all(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    with Image.open(path) as image:
        image.load()
        return image.format == path.suffix[1:].upper()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SUBJECTS)
def test_everything_can_be_exported_as_everything(tmp_path: Path, name: str, kind: str) -> None:
    path = tmp_path / f"file{kind}"
    path.write_bytes(b"old")
    export(SUBJECTS[name], path, scheme="rows", dark=True)
    assert is_sound(path)
    assert render(SUBJECTS[name], kind, scheme="rows", dark=True) == path.read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_board_has_the_goal_that_is_said(tmp_path: Path) -> None:
    export(BOARD, tmp_path / "a.svg", goal="snail")
    export(BOARD, tmp_path / "b.svg", goal=goals.snail(3, 3))
    export(BOARD, tmp_path / "c.svg")
    texts = [(tmp_path / f"{name}.svg").read_text() for name in "abc"]
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize("name", ["film", "film.jpg", "film.svg.bak", ".gif", ""])
def test_names_of_no_kind_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(OptionError, match=r"must end in \.svg, \.png, \.gif or \.cast"):
        kind_of(name)
    with pytest.raises(OptionError):
        export(BOARD, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_films_without_end_are_refused(tmp_path: Path) -> None:
    board = goals.blank_last(100, 100)
    film = Solution(board, board, (Move.R, Move.L) * 600)
    path = tmp_path / "film.cast"
    path.write_text("old")
    with pytest.raises(TaquinError, match="1,200 boards of 100×100 cells are too many"):
        export(film, path)
    assert path.read_text() == "old"
