"""Reading many boards: every layout and format, whatever stands between them, however it comes."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import boards, goal_names

from taquin import Board, Limit, goals, notation, solve
from taquin.batch_lines import answer_lines, quick_read
from taquin.boards_file import BoardsFile, Digest, Lines, LinesSource, read_entry
from taquin.errors import NotationError, TaquinError
from taquin.tally import Figures, Tally, median

ONE_LINE = ("slash", "nested")
SQUARE_LINE = (*ONE_LINE, "flat", "korf", "hex", "letters")
SEVERAL_LINES = ("rows", "csv", "box", "ascii", "lodz")
SQUARE_LINES = (*SEVERAL_LINES, "princeton", "npuzzle")

Entry = tuple[str, int, bytes]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "boards.txt"


def entries(path: Path | str, layout: str = "auto", count: int = 7) -> list[Entry]:
    """All entries, taken in groups of some size."""
    source = LinesSource(BoardsFile(str(path), layout))
    found: list[Entry] = []
    while not source.ended:
        group = source.take(count, wait=True)
        assert group.first == len(found) + 1
        found += zip(group.files, group.lines, group.texts, strict=True)
    return found


def read_all(path: Path) -> list[Board]:
    return [read_entry(text) for _, _, text in entries(path)]


# --- one board a line ---------------------------------------------------------------------------

fillers = st.sampled_from(["", "  ", "# a comment", "\t", "#"])


@st.composite
def line_files(draw: st.DrawFn) -> tuple[list[Board], list[int], str]:
    """Boards, the lines they are on, and the text of a file with other things between them."""
    chosen = draw(st.lists(boards(max_side=4), min_size=1, max_size=12))
    lines, numbers = draw(st.lists(fillers, max_size=3)), []
    for board in chosen:
        names = SQUARE_LINE if board.rows == board.cols and len(board) <= 16 else ONE_LINE
        text = notation.write(board, draw(st.sampled_from(names)))
        numbers.append(len(lines) + 1)
        lines.append(
            draw(st.sampled_from(["", " ", "\t"])) + text + draw(st.sampled_from(["", "  # easy"]))
        )
        lines += draw(st.lists(fillers, max_size=2))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return chosen, numbers, mark + end.join(lines) + draw(st.sampled_from(["", end]))


@given(line_files())
def test_a_board_a_line_in_any_format(tmp_path_factory: Any, drawn: Any) -> None:
    chosen, numbers, text = drawn
    readings = [line for line in text.split("\n") if line.strip() and line.strip()[0] != "#"]
    assume(all(_unambiguous(line) for line in readings))
    path = tmp_path_factory.mktemp("lines") / "boards.txt"
    path.write_bytes(text.encode())
    assert read_all(path) == chosen
    assert [line for _, line, _ in entries(path)] == numbers


def _unambiguous(line: str) -> bool:
    try:
        notation.read(line)
    except TaquinError:
        return False
    return True


# --- blocks -------------------------------------------------------------------------------------


@st.composite
def block_files(draw: st.DrawFn) -> tuple[list[Board], str]:
    several = boards(max_side=5).filter(lambda board: board.rows > 1 and board.cols > 1)
    chosen = draw(st.lists(several, min_size=1, max_size=8))
    blocks = []
    for board in chosen:
        names = SQUARE_LINES if board.rows == board.cols else SEVERAL_LINES
        comment = draw(st.sampled_from(["", "# from a course\n"]))
        blocks.append(comment + notation.write(board, draw(st.sampled_from(names))))
        assume(_unambiguous(blocks[-1]))
    between = draw(st.sampled_from(["\n\n", "\n\n\n", "\n \n", "\n\n# on its own\n\n"]))
    return chosen, draw(st.sampled_from(["", "\n\n"])) + between.join(blocks) + "\n"


@given(block_files())
def test_blocks_in_any_format(tmp_path_factory: Any, drawn: tuple[list[Board], str]) -> None:
    chosen, text = drawn
    path = tmp_path_factory.mktemp("blocks") / "boards.txt"
    path.write_text(text)
    assert read_all(path) == chosen


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_it_does_not_matter_how_the_bytes_come(
    file: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "1 2 3/4 5 6/7 8 0\n\n# one\n867254301\r\n[[1,2],[3,0]]\nnonsense"
    blocks = "3\n1 2 3\n4 5 6\n7 8 0\n\n\n+---+---+\n| 1 | 2 |\n+---+---+\n| 3 |   |\n+---+---+"
    for text in (lines, blocks):
        file.write_text(text)
        whole = entries(file)
        monkeypatch.setattr("taquin.boards_file._CHUNK", size)
        assert entries(file, count=1) == whole
        monkeypatch.undo()


# --- which of the two ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1 2 3/4 5 6/7 8 0\n1 2 3/4 5 6/7 0 8\n", 2),
        ("1 2 3\n4 5 6\n7 8 0\n", 1),
        ("1 2 3\n4 5 6\n7 8 0\n\n1 2 3\n4 5 6\n7 0 8\n", 2),
        # Its first row reads like a 2×2 board.
        ("0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n", 1),
        ("1 2 3 0\n3 2 1 0\n", 2),
        ("1 2 3 4 5 6 7 8 0\n" * 500, 500),
        ("1 2 3 4 5 6 7 8 0\n\n" * 3, 3),
        ("3\n1 2 3\n4 5 6\n7 8 0\n\n2 3\n1 2 3\n4 5 0\n", 2),
        ("oops\n1 2 3/4 5 6/7 8 0\n", 2),
        ("oops\n\n1 2 3\n4 5 6\n7 8 0\n", 2),
        ("1 2 3\n4 5 5\n7 8 0\n", 1),
        ("# nothing\n\n", 0),
        ("", 0),
        ("oops", 1),
        ("# a comment\n0 1/\n0 1/\n[[0, 1]]", 3),
        ("# one\n# two\n1 2\n3 0\n", 1),
    ],
)
def test_layouts(file: Path, text: str, found: int) -> None:
    file.write_text(text)
    assert len(entries(file)) == found


def test_a_large_board_in_rows_is_one_block(file: Path) -> None:
    board = Board.random(300, 3, seed=1)
    file.write_text(notation.write(board, "rows") + "\n\n" + notation.write(board, "rows"))
    assert read_all(file) == [board, board]
    square = goals.blank_first(225, 225)
    file.write_text(notation.write(square, "rows"))
    assert read_all(file) == [square]


def test_a_layout_that_is_named(file: Path) -> None:
    file.write_text("1 2 3 0\n0 1 2 3\n\n3 2 1 0\n")
    assert len(entries(file)) == 3
    assert [line for _, line, _ in entries(file, "blocks")] == [1, 4]


def test_the_line_of_a_block_is_where_its_board_begins(file: Path) -> None:
    file.write_text("\n# made by hand\n3\n1 2 3\n4 5 6\n7 8 0\n\n# and\n1 2\n3 0\n")
    assert [line for _, line, _ in entries(file)] == [3, 9]


# --- folders and other sources ------------------------------------------------------------------


def test_a_folder_by_name(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "1.txt").write_text("1 2\n3 0\n")
    (tmp_path / "a.txt").write_text("1 2 3/4 5 6/7 8 0\n1 2/0 3\n")
    (tmp_path / ".hidden").write_text("no board")
    (tmp_path / "empty").write_text("")
    found = [(Path(name).relative_to(tmp_path), line) for name, line, _ in entries(tmp_path)]
    assert found == [(Path("a.txt"), 1), (Path("a.txt"), 2), (Path("b/1.txt"), 1)]


def test_a_file_that_is_not_there_comes_after_those_before_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1 2/3 0\n1 2/0 3\n")
    (tmp_path / "b").symlink_to(tmp_path / "nowhere")
    source = LinesSource(BoardsFile(str(tmp_path)))
    assert len(source.take(100, wait=True)) == 2
    with pytest.raises(FileNotFoundError, match="b"):
        source.take(100, wait=True)


def test_what_comes_later_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    sent = threading.Event()

    def write() -> None:
        with pipe.open("w") as out:
            print("1 2 3/4 5 6/7 8 0", file=out, flush=True)
            sent.wait(60)
            print("1 2 3/4 5 6/7 0 8", file=out)

    writer = threading.Thread(target=write)
    writer.start()
    source = LinesSource(BoardsFile(str(pipe)))
    assert list(_numbers(source, until=1)) == [1]
    assert len(source.take(5, wait=False)) == 0
    assert not source.ended
    sent.set()
    assert list(_numbers(source, until=2)) == [2]
    writer.join()


def _numbers(source: LinesSource, until: int) -> Iterator[int]:
    while source.taken < until:
        group = source.take(1, wait=True)
        yield from range(group.first, group.first + len(group))


def test_a_line_without_end_takes_no_more_memory_than_a_board(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taquin.boards_file.MAX_TEXT", 1000)
    monkeypatch.setattr("taquin.boards_file._CHUNK", 100)
    file.write_text("1 2/3 0\n" + "1 " * 100_000 + "\n1 2/0 3\n")
    (_, _, first), (_, _, second), (_, line, third) = entries(file)
    assert (first, third, line) == (b"1 2/3 0", b"1 2/0 3", 3)
    assert len(second) < 2000
    with pytest.raises(NotationError, match="more than 1,000 bytes, which no board has"):
        read_entry(second)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(NotationError, match="byte 3 is not UTF-8 text"):
        read_entry(b"1 \xff")


def test_the_digest_sees_every_change(file: Path) -> None:
    def digest(text: str, count: int) -> str:
        file.write_text(text)
        found = Digest()
        LinesSource(BoardsFile(str(file))).skip(count, found)
        return found.text()

    text = "1 2/3 0\n1 2/0 3\n0 1/2 3\n"
    assert digest(text, 2) == digest(text + "1 2/3 0\n", 2)
    others = ["1 2/3 0\n1 2/0 3\n\n0 1/2 3\n", text.replace("1 2/0", "2 1/0"), text.upper() + "1/0"]
    assert len({digest(text, 3), *(digest(other, 4) for other in others)}) == 4
    whole, parts = Digest(), Digest()
    group = Lines(1, ["a", "a", "b"], [1, 2, 1], [b"x", b"y", b"z"])
    whole.add(group)
    parts.add(group[:1])
    parts.add(group[1:])
    assert whole.text() == parts.text()


# --- the quick way and the long way -------------------------------------------------------------


@given(st.text("0123456789 /", max_size=30))
@example("1 2 3/4 0 5")
@example("01 2 3/4 0 5")
@example("123456780")
@example("1/0")
@example("0 1 2 3")
def test_what_is_read_quickly_is_read_the_same(text: str) -> None:
    _assert_read_the_same(text)


@given(boards(max_side=4), st.sampled_from(["slash", "flat", "hex", "rows"]))
def test_boards_that_are_read_quickly_are_the_same(board: Board, format: str) -> None:
    try:
        _assert_read_the_same(notation.write(board, format))
    except NotationError:
        assume(False)


def _assert_read_the_same(text: str) -> None:
    small = quick_read(text.encode())
    if small is not None:
        board = Board(small.tiles, shape=small.shape)
        assert notation.read(text) == board
        assert small.text in ("", str(board))


OPTIONS = {"quality": "optimal", "algorithm": None, "heuristic": None, "tables": "auto",
           "metric": "single", "limit": None}  # fmt: skip


def expected(number: int, text: str, goal: str | None, moves: str) -> dict[str, Any]:
    place = {"number": number, "file": "f", "line": number}
    try:
        data = solve(text, goal).to_dict(moves=moves)
    except TaquinError as error:
        blank = dict.fromkeys(solve("1 0/2 3").to_dict())
        return {**place, **blank, "status": "bad", "reason": str(error)}
    return {**place, **data, "stats": {**data["stats"], "seconds": 0}}


@given(
    st.lists(
        st.one_of(
            boards(max_side=3).map(str),
            boards(3, 3).map(lambda board: notation.write(board, "hex")),
            st.sampled_from(["1 2 3", "", "oops", "1 0 2 3 4", "01 2/0 3", "1 2/3 3"]),
        ),
        max_size=15,
    ),
    st.one_of(st.none(), goal_names(), st.just("1 2 3/4 0 5/6 7 8")),
    st.sampled_from(["tile", "blank"]),
)
def test_lines_are_what_solve_gives(texts: list[str], goal: str | None, moves: str) -> None:
    group = Lines(1, ["f"] * len(texts), [*range(1, len(texts) + 1)], [t.encode() for t in texts])
    part = answer_lines(group, goal, OPTIONS, "jsonl", moves, None)
    assert part.done == len(texts)
    data, tally = part.answer
    rows = [json.loads(line) for line in data.splitlines()]
    for row in rows:
        if row["stats"]:
            row["stats"]["seconds"] = 0
    wanted = [expected(number, text, goal, moves) for number, text in enumerate(texts, 1)]
    assert rows == wanted
    assert [list(row) for row in rows] == [list(row) for row in wanted]
    assert tally.boards == len(texts)
    assert sorted(tally.lengths.elements()) == sorted(
        row["length"] for row in wanted if row["length"] is not None
    )
    assert tally.statuses["bad"] == sum(row["status"] == "bad" for row in wanted)


# --- the tally ----------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 10**12), min_size=1), st.integers(1, 50))
def test_figures(numbers: list[int], cut: int) -> None:
    one, two = Figures(), Figures()
    for place, number in enumerate(numbers):
        (one if place < cut else two).add(number)
    one.merge(two)
    one = Figures.from_dict(json.loads(json.dumps(one.to_dict())))
    assert one.worst == max(numbers)
    assert one.mean == pytest.approx(sum(numbers) / len(numbers))
    middle = sorted(numbers)[(len(numbers) - 1) // 2]
    assert one.median == pytest.approx(middle, rel=0.011)


@given(st.lists(st.floats(1e-6, 1e5)))
def test_figures_take_little_memory(numbers: list[float]) -> None:
    figures = Figures()
    for number in numbers:
        figures.add(number)
    sizes = figures.to_dict()["by_size"]
    assert len(sizes) <= len(set(numbers))
    assert all(len(f"{size:e}".rstrip("0")) for size, _ in sizes)


def test_a_tally_comes_back_from_json() -> None:
    tally = Tally()
    tally.add(solve("1 2/0 3", algorithm="bfs"))
    tally.add(solve("8 6 7/2 5 4/3 0 1", algorithm="bfs", limit=Limit(expanded=7)))
    tally.add_bad("f", 3, "no board")
    tally.add_looked_up([3, 4, 4], 2, 0.001)
    again = Tally.from_dict(json.loads(json.dumps(tally.to_dict())))
    assert again.to_dict() == tally.to_dict()
    assert again.boards == 8
    assert median(again.lengths) == 3
    assert again.statuses["limit"] == 1
    again.merge(tally)
    assert again.lengths[4] == 4
