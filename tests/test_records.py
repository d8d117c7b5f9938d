"""Records: what is kept, what a killed process loses (nothing), and several of them at once."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_samples import NOON, end, records, sample, start
from strategies import assert_clear, exact_distance

from taquin import Board, goals, store
from taquin.errors import OptionError, RecordsError, TaquinError
from taquin.game import Game
from taquin.playing import WAITING_GAMES
from taquin.records import Record, Records, find_replay, quick_optimum
from taquin.replay import Replay


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "records.db"


# --- a record -------------------------------------------------------------------------------------


@given(records())
def test_a_record_is_the_same_after_json(record: Record) -> None:
    data = json.loads(json.dumps(record.to_dict()))
    assert Record.from_dict(data) == record
    assert Record.from_dict(data).id == record.id
    assert Replay.from_dict(data) == record.replay


def test_the_id_follows_from_all_that_was_played() -> None:
    record = sample(1, moves=20)
    others = [
        replace(record, finished_at=record.finished_at + timedelta(milliseconds=1)),
        replace(record, seconds=record.seconds + 0.001),
        replace(record, hints=1),
        replace(record, given_up=True),
        replace(record, replay=replace(record.replay, times=())),
        sample(2, moves=20),
        sample(1, goal="snail"),
    ]
    assert len({record.id, *(other.id for other in others)}) == len(others) + 1
    assert replace(record, optimum=20).id == record.id


def test_moments_are_kept_to_the_millisecond_in_utc() -> None:
    east = timezone(timedelta(hours=2))
    moment = datetime(2026, 5, 1, 14, 0, 0, 123_456, east)
    record = replace(sample(1), finished_at=moment)
    assert record.to_dict()["finished_at"] == "2026-05-01T12:00:00.123Z"
    assert record == Record.from_dict(record.to_dict())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"finished_at": "yesterday"}, "'yesterday' is not a moment"),
        ({"finished_at": "2026-05-01T12:00:00"}, "give it one"),
        ({"finished_at": "0001-01-01T00:00:00+02:00"}, "before or after all time"),
        ({"finished_at": None}, "'finished_at' must be text"),
        ({"seconds": -1}, "can't take -1 seconds"),
        ({"seconds": float("nan")}, "can't take nan seconds"),
        ({"seconds": 10**400}, "seconds"),
        ({"seconds": "3"}, "which is not a number"),
        ({"seconds": True}, "which is not a number"),
        ({"hints": -1}, "hints is -1"),
        ({"hints": 1.5}, "hints is 1.5"),
        ({"hints": None}, "hints is None"),
        ({"given_up": 1}, "given_up is 1"),
        ({"optimum": 22}, "no board that 20 moves solve has the optimum 22"),
        ({"optimum": 19}, "no board that 20 moves solve has the optimum 19"),
        ({"optimum": "20"}, "optimum is '20'"),
        ({"moves": ""}, "don't end at the goal"),
        ({"board": "1 2 3"}, r"tile 3 \(cell 3\) is none of them"),
        ({"board": 5}, "'board' must be text"),
        ({"times": [0, 1]}, "times for 20 moves"),
        ({"id": "0123456789abcdef"}, "does not give its id 0123456789abcdef"),
        ({"id": 5}, "does not give its id 5"),
    ],
    ids=str,
)
def test_what_is_no_record_is_told_in_words(change: dict[str, Any], message: str) -> None:
    data = {**sample(1, moves=20).to_dict(), **change}
    if "times" not in change:
        data["times"] = None
    if "id" not in change:
        del data["id"]
    with pytest.raises(TaquinError, match=message) as caught:
        Record.from_dict(data)
    assert_clear(caught.value)


def test_only_what_is_needed_must_be_there() -> None:
    data = {"finished_at": "2026-05-01T12:00:00Z", "board": "1 2/0 3", "moves": "L"}
    assert Record.from_dict(data) == Record(Replay.parse("1 2/0 3;L"), NOON, 0.0)


# --- games ----------------------------------------------------------------------------------------


def test_a_game_goes_in_and_comes_out(path: Path) -> None:
    ticks = iter(range(100))
    with Game("1 2 3/4 5 6/0 7 8", clock=lambda: next(ticks) / 4) as game, Records(path) as kept:
        with pytest.raises(OptionError, match="the game is not finished"):
            kept.add(game)
        game.play("L")
        kept.save_current(game)
        game.play("L")
        record = kept.finish(game, optimum=2)
        assert kept.all() == [record]
        assert kept.current() is None
        assert record.replay == game.replay()
        assert record.seconds == game.seconds > 0
        assert (record.given_up, record.hints, record.optimum) == (False, 0, 2)


def test_a_game_that_is_given_up_is_kept_as_that(path: Path) -> None:
    with Game("1 2 3/4 5 6/0 7 8") as game, Records(path) as kept:
        game.play("L")
        game.give_up()
        kept.add(game)
        assert [record.given_up for record in kept.all()] == [True]


def test_a_game_goes_on_where_it_was(path: Path) -> None:
    with Game("1 2 3/4 5 6/0 7 8") as game, Records(path) as kept:
        game.play("LR")
        game.undo()
        kept.save_current(game)
    with Records(path) as kept:
        saved = kept.current()
        assert saved is not None
        with Game.from_dict(saved) as again:
            assert (again.moves, again.undone) == (game.moves, game.undone)
            again.play("L")
            kept.finish(again)
        assert kept.current() is None
        assert len(kept.all()) == 1


def test_add_twice_is_once(path: Path) -> None:
    with Records(path) as kept:
        kept.add(sample(1))
        kept.add(sample(1), optimum=10)
        kept.add(sample(1))
        assert kept.all() == [replace(sample(1), optimum=10)]


def test_all_of_a_size_and_a_goal(path: Path) -> None:
    games = [sample(1), sample(2, size=(4, 4)), sample(3, goal="snail"), sample(4)]
    with Records(path) as kept:
        for game in games[::-1]:
            kept.add(game)
        assert kept.all() == games
        assert kept.all(size=(3, 3)) == [games[0], games[2], games[3]]
        assert kept.all(goal="snail") == kept.all(goal=goals.snail(3, 3)) == [games[2]]
        assert kept.all(goal="blank-last") == [games[0], games[1], games[3]]
        assert kept.all((3, 3), "1 2 3/4 5 6/7 8 0") == [games[0], games[3]]
        assert kept.all((5, 5)) == []
        assert kept.outcomes() == [game.outcome for game in games]
        with pytest.raises(TaquinError, match="unknown goal 'snale': did you mean 'snail'"):
            kept.all(goal="snale")


def test_ids_may_be_cut_short(path: Path) -> None:
    games = [sample(number) for number in range(20)]
    with Records(path) as kept:
        for game in games:
            kept.add(game)
        assert all(kept.get(game.id[:10]) == game for game in games)
        firsts = [game.id[0] for game in games]
        twice = next(first for first in firsts if firsts.count(first) > 1)
        for id, message in ((twice, "several games"), ("", "no game"), ("x%_", "no game 'x%_'")):
            with pytest.raises(OptionError, match=message):
                kept.get(id)
        with pytest.raises(OptionError, match="no game"):
            kept.delete(games[0].id, "nobody")
        assert kept.all() == games
        assert kept.delete(games[0].id[:10], games[1].id) == [games[0].id, games[1].id]
        assert kept.all() == games[2:]


def test_the_last_game(path: Path) -> None:
    with Records(path) as kept:
        with pytest.raises(OptionError, match="no game 'last'"):
            kept.get("last")
        for number in (2, 3, 1):
            kept.add(sample(number))
        assert kept.get("last") == sample(3)


def test_replays_are_found_by_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path))
    game = sample(1)
    assert find_replay(game.id) is None
    assert not list(tmp_path.iterdir())
    with Records() as kept:
        kept.add(game)
    for text in (game.id, game.id[:8].upper(), "last"):
        assert find_replay(text) == game.replay
    for text in (game.replay.text(), "games.txt", "ffffffff", "", "12345678"):
        assert find_replay(text) is None


def test_threads_share_records(path: Path) -> None:
    with Records(path) as kept:

        def play(first: int) -> None:
            for number in range(first, first + 25):
                kept.add(sample(number))
                kept.save_current({"number": number})

        threads = [threading.Thread(target=play, args=(first,)) for first in (0, 25, 50, 75)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert kept.all() == [sample(number) for number in range(100)]


# --- optima ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("goal", sorted(goals.NAMED))
def test_quick_optima_are_right(goal: str) -> None:
    board = Board.random(3, 3, goal=goal, seed=5)
    target = goals.resolve(goal, (3, 3))
    assert quick_optimum(board, target, seconds=60) == exact_distance(board, goal)


def test_no_tables_are_built_for_an_optimum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path))
    board = Board.random(4, 4, seed=1, walk=30)
    assert quick_optimum(board, goals.blank_last(4, 4), seconds=60) is not None
    assert store.entries() == []
    assert quick_optimum(Board.random(5, 5, seed=1), goals.blank_last(5, 5)) is None


def test_missing_optima_are_filled_in(path: Path) -> None:
    games = [sample(1), sample(2, optimum=20, moves=20), sample(3, size=(5, 5))]
    with Records(path) as kept:
        for game in games:
            kept.add(game)
        assert kept.fill_optima(seconds=60) == 1
        found = [game.optimum for game in kept.all()]
        assert found == [exact_distance(games[0].replay.board), 20, None]
        with pytest.raises(OptionError, match="has the optimum 1000"):
            kept.set_optimum(games[0].id, 1000)


# --- export and import ----------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.lists(records(), max_size=12))
def test_export_and_import_lose_and_double_nothing(
    tmp_path_factory: pytest.TempPathFactory, games: list[Record]
) -> None:
    folder = tmp_path_factory.mktemp("records")
    with Records(folder / "one.db") as one, Records(folder / "other.db") as other:
        for game in games:
            one.add(game)
        lines = list(one.export())
        distinct = len({game.id for game in games})
        assert len(lines) == distinct
        first, second = other.import_(lines), other.import_(line.encode() for line in lines)
        assert (first.added, first.known, first.bad) == (distinct, 0, [])
        assert (second.added, second.known, second.bad) == (0, distinct, [])
        assert list(other.export()) == lines
        assert other.all() == one.all()


def test_an_import_brings_optima_and_keeps_them(path: Path) -> None:
    known, unknown = sample(1, moves=20, optimum=20), sample(1, moves=20)
    with Records(path) as kept:
        kept.add(unknown)
        assert kept.import_([json.dumps(known.to_dict())]).known == 1
        assert kept.import_([json.dumps(unknown.to_dict())]).known == 1
        assert kept.all() == [known]


def test_bad_lines_are_told_and_the_others_taken(path: Path) -> None:
    good = [json.dumps(sample(number).to_dict()) for number in range(3)]
    changed = good[2].replace('"hints": 0', '"hints": 1')
    lines = [
        good[0], "", "no json", good[1].encode(), "[1, 2]", b"\xff\xfe", '{"board": "1 2/3 0"}',
        changed, "[" * 10**5, "9" * 5000, good[2],
    ]  # fmt: skip
    with Records(path) as kept:
        done = kept.import_(lines)
        assert (done.added, done.known) == (3, 0)
        assert len(kept.all()) == 3
    reasons = dict(done.bad)
    assert list(reasons) == [3, 5, 6, 7, 8, 9, 10]
    assert reasons[3].startswith("not JSON: ")
    assert reasons[5] == "not a JSON object"
    assert "not UTF-8" in reasons[6]
    assert reasons[7] == "'moves' is missing"
    assert "does not give its id" in reasons[8]


# --- the game that is being played ----------------------------------------------------------------


def test_the_newest_game_that_nobody_plays_is_gone_on_with(path: Path) -> None:
    with Records(path) as one, Records(path) as two:
        one.save_current({"game": 1})
        two.save_current({"game": 2})
        assert (one.current(), two.current()) == ({"game": 1}, {"game": 2})
        with Records(path) as three:
            assert three.current() is None
        one.save_current({"game": 1, "moves": "L"})
    with Records(path) as first, Records(path) as second, Records(path) as third:
        assert first.current() == {"game": 1, "moves": "L"}
        assert second.current() == {"game": 2}
        assert third.current() is None
        first.clear_current()
        assert first.current() is None
    with Records(path) as last:
        assert last.current() == {"game": 2}
    assert [file.name for file in path.parent.iterdir()] == ["records.db"]


def test_to_clear_what_is_not_there(path: Path) -> None:
    with Records(path) as kept:
        kept.clear_current()
        assert kept.current() is None


def test_games_that_nobody_goes_on_with_are_forgotten_at_last(path: Path) -> None:
    for number in range(WAITING_GAMES + 10):
        with Records(path) as kept:
            kept.save_current({"number": number})
    found = []
    with Records(path) as kept:
        while (game := kept.current()) is not None:
            found.append(game["number"])
            kept.clear_current()
    assert found == list(range(WAITING_GAMES + 10))[: -WAITING_GAMES - 1 : -1]


PLAYER = """
import sys
from taquin.records import Records
records = Records(sys.argv[1])
game = records.current() or {"name": sys.argv[2], "moves": 0}
print(game["moves"], flush=True)
while True:
    game["moves"] += 1
    records.save_current(game)
    print(game["moves"], flush=True)
    if len(sys.argv) > 3:
        sys.stdin.readline()
"""


def kill_player(process: subprocess.Popen[str]) -> int:
    """The last move that the player had told of as kept; 0 if there was no time for one."""
    process.kill()
    out, _ = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    complete = out.split("\n")[:-1]
    return int(complete[-1]) if complete else 0


def test_kill_9_in_the_midst_of_a_move_loses_that_at_most(path: Path) -> None:
    random, moves = Random(1), 0
    for _ in range(6):
        player = start(PLAYER, path, "me")
        assert player.stdout is not None
        found = int(player.stdout.readline())
        assert found >= moves
        time.sleep(random.random() / 20)
        moves = max(kill_player(player), found)
    with Records(path) as kept:
        saved = kept.current()
    assert saved is not None
    assert saved["name"] == "me"
    assert moves <= saved["moves"] <= moves + 1
    assert [file.name for file in path.parent.iterdir()] == ["records.db"]


def test_kill_9_between_two_moves_loses_nothing(path: Path) -> None:
    player = start(PLAYER, path, "me", "step by step")
    assert player.stdin is not None
    assert player.stdout is not None
    for _ in range(4):
        player.stdin.write("\n")
        player.stdin.flush()
    assert [player.stdout.readline() for _ in range(6)] == [f"{number}\n" for number in range(6)]
    with Records(path) as kept:
        assert kept.current() is None, "it is being played"
    player.kill()
    player.communicate(timeout=60)
    with Records(path) as kept:
        assert kept.current() == {"name": "me", "moves": 5}


FINISHER = """
import sys
from record_samples import sample
from taquin.records import Records
records = Records(sys.argv[1])
left = records.current()
number = left["number"] if left else int(sys.argv[2])
print("start", flush=True)
while True:
    records.save_current({"number": number})
    records.finish(sample(number))
    print(number, flush=True)
    number += 1
"""


def test_kill_9_leaves_a_game_current_or_finished(path: Path) -> None:
    random, done = Random(2), 0
    for _ in range(6):
        player = start(FINISHER, path, done)
        assert player.stdout is not None
        assert player.stdout.readline() == "start\n"
        if not done:
            player.stdout.readline()
        time.sleep(random.random() / 10)
        player.kill()
        player.communicate(timeout=60)
        with Records(path) as kept:
            games = kept.all()
            current = kept.current()
        done = len(games)
        assert games == [sample(number) for number in range(done)]
        assert current in (None, {"number": done})
    assert done > 0


WRITER = """
import sys
from record_samples import sample
from taquin.records import Records
sys.stdin.readline()
name, first = sys.argv[2], int(sys.argv[3])
with Records(sys.argv[1]) as records:
    for number in range(first, first + 150):
        records.save_current({"name": name, "number": number})
        records.add(sample(number))
        assert records.current() == {"name": name, "number": number}
"""


def test_two_who_play_at_once_are_not_in_each_others_way(path: Path) -> None:
    writers = [start(WRITER, path, "ann", 0), start(WRITER, path, "bob", 150)]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        end(writer)
    with Records(path) as kept, Records(path) as other:
        assert kept.all() == [sample(number) for number in range(300)]
        found = [kept.current(), other.current()]
    assert {"name": "ann", "number": 149} in found
    assert {"name": "bob", "number": 299} in found


RESUMER = """
import sys
from taquin.records import Records
records = Records(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
print(records.current() is not None, flush=True)
sys.stdin.readline()
"""


def test_two_who_go_on_at_once_do_not_get_the_same_game(path: Path) -> None:
    with Records(path) as kept:
        kept.save_current({"moves": "L"})
    resumers = [start(RESUMER, path) for _ in range(3)]
    for resumer in resumers:
        assert resumer.stdout is not None
        resumer.stdout.readline()
    for resumer in resumers:
        assert resumer.stdin is not None
        resumer.stdin.write("\n")
        resumer.stdin.flush()
    got = [resumer.stdout.readline() for resumer in resumers if resumer.stdout]
    assert sorted(got) == ["False\n", "False\n", "True\n"]
    for resumer in resumers:
        resumer.communicate("\n", timeout=60)


def test_a_saved_game_that_can_not_be_read_is_passed_over(path: Path) -> None:
    with Records(path) as kept:
        kept.save_current({"game": 1})
    with Records(path) as kept, kept._database.writing() as connection:
        connection.execute("INSERT INTO playing VALUES ('x', '9999', '{no json')")
    with Records(path) as kept:
        assert kept.current() == {"game": 1}


def test_closed_records_can_not_be_used(path: Path) -> None:
    kept = Records(path)
    kept.close()
    kept.close()
    with pytest.raises(RecordsError, match="closed"):
        kept.all()


def test_records_are_not_loaded_by_those_who_need_none() -> None:
    script = (
        "import sys, taquin, taquin.cli; print(sorted(sys.modules.keys() & {'sqlite3', 'rich'}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "[]\n"
