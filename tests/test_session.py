"""A session keeps the game in hand, whatever happens to its files."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from strategies import boards

from taquin import Board, goals
from taquin.averages import Outcome, statistics
from taquin.parity import reaches
from taquin.proposal import check_playable, examine
from taquin.records import Records
from taquin.session import Session, news
from taquin.settings import Settings

START = Board("1 2 3/4 5 6/0 7 8")
GOAL = goals.blank_last(3, 3)


def session_in(home: Path, **options: int) -> Session:
    return Session(Records(home / "records.db"), home / "settings.json", **options)


def test_boards_follow_the_settings_and_the_seed(tmp_path: Path) -> None:
    with session_in(tmp_path, seed=7) as one, Session(seed=7) as other:
        one.choose(Settings(rows=3, cols=5, goal="snail"))
        dealt = one.deal()
        assert dealt.start.shape == (3, 5)
        assert dealt.goal == goals.snail(3, 5)
        assert other.deal((3, 5), "snail").start == dealt.start
        assert one.deal().start != dealt.start
    with session_in(tmp_path) as again:
        assert again.settings.shape == (3, 5)


def test_no_board_is_solved_from_the_start() -> None:
    with Session(seed=1) as session:
        assert all(not session.deal((2, 2)).solved for _ in range(50))


def test_a_game_is_gone_on_with(tmp_path: Path) -> None:
    with session_in(tmp_path) as session:
        assert not session.resume()
        session.begin(START, GOAL)
        session.game.play("L")
        session.game.undo()
        session.save()
        assert session.is_under_way
    with session_in(tmp_path) as session:
        assert session.resume()
        assert session.game.start == START
        assert session.game.redo() == 1
        session.game.play("L")
        assert session.finish(session.game).news == ("your first 3×3 on record",)
        assert not session.is_under_way
    with session_in(tmp_path) as session:
        assert not session.resume()


def test_an_optimum_that_is_learnt_later(tmp_path: Path) -> None:
    with session_in(tmp_path) as session:
        session.begin(START, GOAL)
        session.game.play("LL")
        entry = session.finish(session.game)
        assert entry.record is not None
        session.learn_optimum(entry, 2)
        assert session.records is not None
        assert session.records.all()[0].optimum == 2


def test_a_kept_game_that_cant_be_read(tmp_path: Path) -> None:
    with session_in(tmp_path) as session:
        assert session.records is not None
        session.records.save_current({"board": "1 2 3"})
    with session_in(tmp_path) as session:
        assert not session.resume()
        assert "can't be read" in session.told()[0]
        assert session.told() == []


def test_complaints_are_made_once(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    session.begin(START, GOAL)
    assert session.records is not None
    session.records.close()
    for move in "LL":
        session.game.play(move)
        session.save()
    assert session.finish(session.game).record is None
    (note,) = session.told()
    assert note.startswith("this game can't be kept")
    session.close()


@pytest.mark.skipif(os.getuid() == 0, reason="nothing is forbidden to root")
def test_a_directory_that_cant_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o500)
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path / "home"))
    _check_unkept()


def test_a_home_that_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").write_text("not a directory")
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path / "home"))
    _check_unkept()


def _check_unkept() -> None:
    with Session.open(seed=1) as session:
        assert len([note for note in session.told() if "can't be kept" in note]) == 1
        session.deal((2, 2))
        session.save()
        session.choose(Settings(rows=3))
        assert session.told() == []


# --- news ---------------------------------------------------------------------------------------


def outcome(number: int, seconds: float, moves: int, hints: int = 0) -> Outcome:
    moment = datetime(2026, 5, 1, 12, number, tzinfo=UTC)
    return Outcome(f"{number:016}", moment, GOAL, moves, seconds, hints, False, None)


def news_of(*games: tuple[float, int]) -> list[str]:
    """What is new with the last of some games."""
    outcomes = [outcome(number, *game) for number, game in enumerate(games)]
    before = statistics(outcomes[:-1])
    return news(before[0] if before else None, statistics(outcomes)[0])


def test_news() -> None:
    assert news_of((9, 30)) == ["your first 3×3 on record"]
    assert news_of((9, 30), (9, 30)) == []
    assert news_of((9, 30), (8, 30)) == ["your best time for 3×3: 8.000"]
    assert news_of((9, 30), (10, 28)) == ["your fewest moves for 3×3: 28"]
    assert news_of((9, 30), (9, 30), (12, 30)) == ["your best mean of 3 for 3×3: 10.000"]


# --- boards that are typed ----------------------------------------------------------------------


@given(boards(max_side=4))
def test_a_board_is_playable_or_there_is_a_reason(board: Board) -> None:
    proposal = examine(str(board))
    if proposal.playable:
        assert proposal.board == board
        assert reaches(board, goals.blank_last(*board.shape))
    else:
        assert proposal.words
    if proposal.fix is not None:
        assert examine(str(proposal.fix)).playable


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "type the rows"),
        ("1 2 3 / 4 5", "row 2 has 2 cells"),
        ("1 2 / 3 0", "the goal already"),
        ("1 0/", "a side has 2 to 50 cells"),
        ("foo", "not a"),
        ("1 2 3 / 4 5 6 / 8 7 0", "With 7 and 8 exchanged it is the goal"),
        ("2 1 3 / 4 5 6 / 0 7 8", "unsolvable"),
    ],
)
def test_what_cant_be_played(text: str, words: str) -> None:
    proposal = examine(text)
    assert not proposal.playable
    assert words in proposal.words


def test_a_goal_of_another_shape_is_not_meant() -> None:
    assert examine("1 2 3/4 5 6/0 7 8", goals.snail(4, 4)).goal == GOAL
    assert examine("1 2 3/8 4 0/7 6 5", "snail").goal == goals.snail(3, 3)


def test_shapes_that_can_be_played() -> None:
    assert check_playable((2, 50)) == (2, 50)
