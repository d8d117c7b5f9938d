"""The game on the screen, played with keys and mouse by textual's pilot."""

from pathlib import Path

import pytest
from screens import EASY, Player, played

from taquin import Board, Move
from taquin.records import Records
from taquin.settings import load
from taquin.tui.board_view import BoardView
from taquin.tui.dialogs import EnterBoard, Options
from taquin.tui.watch import SPEEDS, Playback, WatchScreen
from taquin.tui.widgets import KeyBar, ScrubBar

HARD = str(Board.random(8, 8, seed=1))
"""The shortest solution of such a board is never found."""

MIDDLE = "1 2 3/4 0 5/7 8 6"


@pytest.fixture
def slow_films(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a film does not end between two keys."""
    monkeypatch.setattr("taquin.tui.watch.SPEEDS", [speed / 100 for speed in SPEEDS])


@pytest.fixture
def slow_typing(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that two digits belong together, however long the second takes."""
    monkeypatch.setattr("taquin.tui.game_screen._TYPING_PAUSE", 60)


# --- moving -------------------------------------------------------------------------------------


@played(MIDDLE)
async def test_arrow_keys_slide_tiles(player: Player) -> None:
    await player.press("left", "right", "up", "down")
    assert player.moves == "LRUD"
    await player.press("right", "left", "down", "up")
    assert player.moves == "LRUDRLDU"


@played(MIDDLE)
async def test_letters_slide_tiles(player: Player) -> None:
    await player.press("a", "d", "w", "s")
    assert player.moves == "LRUD"


@played(MIDDLE)
async def test_arrow_keys_can_move_the_blank(player: Player) -> None:
    player.session.choose(player.session.settings.change(direction="blank"))
    await player.press("right", "down")
    assert player.moves == "LU"
    assert player.game.solved


@played("1 2/3 0")
async def test_a_solved_board_takes_no_moves(player: Player) -> None:
    await player.press("down")
    assert player.moves == ""
    assert "solved" in player.message


@played("1 2 3/4 5 6/0 7 8")
async def test_a_key_that_moves_nothing_says_so(player: Player) -> None:
    await player.press("up")
    assert player.message == "no tile can slide up"
    await player.press("left")
    assert player.message == ""
    assert player.moves == "L"


@played("1 2 3/4 5 6/0 7 8")
async def test_a_single_digit_slides_a_run_at_once(player: Player) -> None:
    await player.press("8")
    assert player.moves == "LL"


@pytest.mark.usefixtures("slow_typing")
@played(EASY)
async def test_a_number_of_two_digits(player: Player) -> None:
    await player.press("1")
    assert player.message == "tile 1_"
    assert player.moves == ""
    await player.press("1")
    assert player.moves == "UU"
    assert player.message == ""


AMBIGUOUS = "2 3 4 8/0 1 6 12/5 10 7 11/9 13 14 15"


@pytest.mark.usefixtures("slow_typing")
@played(AMBIGUOUS)
async def test_an_ambiguous_number_waits_for_enter(player: Player) -> None:
    await player.press("1")
    assert player.moves == ""
    await player.press("enter")
    assert player.moves == "L"


@played(AMBIGUOUS)
async def test_an_ambiguous_number_waits_for_a_pause(player: Player) -> None:
    await player.press("1")
    await player.until(lambda: player.moves == "L")


@pytest.mark.usefixtures("slow_typing")
@played(EASY)
async def test_what_was_typed_can_be_cleared(player: Player) -> None:
    await player.press("1", "escape", "7")
    assert player.moves == "U"
    await player.press("1", "backspace", "1", "left")
    assert player.screen.typed.text == ""


@pytest.mark.usefixtures("slow_typing")
@played(EASY)
async def test_numbers_that_slide_nothing_are_answered_in_words(player: Player) -> None:
    await player.press("2")
    assert player.message.startswith("tile 2 can't slide")
    await player.press("1", "9")
    assert player.message.startswith("there is no tile 19")
    await player.press("0", "0")
    assert player.message.startswith("there is no tile 0")
    assert player.moves == ""


@played("1 2 3/4 5 6/0 7 8")
async def test_clicks_slide_runs(player: Player) -> None:
    view = player.screen.view
    last = view.size.width - 2, view.size.height - 2
    await player.pilot.click(BoardView, offset=last)
    assert player.moves == "LL"


@played("1 2 3/4 5 6/0 7 8")
async def test_clicks_elsewhere_are_answered_or_ignored(player: Player) -> None:
    view = player.screen.view
    middle, corner = (view.size.width // 2, view.size.height // 2), (1, view.size.height - 2)
    await player.pilot.click(BoardView, offset=middle)
    await player.pilot.pause()
    assert player.message.startswith("tile 5 can't slide")
    await player.pilot.click(BoardView, offset=corner)
    assert player.moves == ""


@pytest.mark.parametrize("size", [(40, 15), (60, 20), (120, 40)])
def test_clicks_at_other_tile_sizes(size: tuple[int, int]) -> None:
    @played(EASY, size=size)
    async def scenario(player: Player) -> None:
        view = player.screen.view
        width, height = view.tile_size.extent((4, 4))
        # The last row of the blank's column.
        await player.pilot.click(BoardView, offset=(width * 5 // 8, height - 2))
        assert player.moves == "UU"

    scenario()


@played(MIDDLE)
async def test_undo_and_redo(player: Player) -> None:
    await player.press("u")
    assert player.message == "no move to take back"
    await player.press("left", "down", "u", "u")
    assert player.moves == ""
    await player.press("r")
    assert player.moves == "L"
    await player.press("r", "r")
    assert player.moves == "LD"
    assert player.message == "no move to make again"


@played(MIDDLE)
async def test_back_to_the_beginning(player: Player) -> None:
    await player.press("left", "down", "b")
    assert player.moves == ""
    assert player.game.board == Board(MIDDLE)


@played(EASY)
async def test_a_solved_board_is_played_once_more(player: Player) -> None:
    await player.press("up", "up", "left", "escape", "b")
    assert player.moves == ""
    await player.press("up", "up", "left")
    await player.settle()
    assert len(player.session.records.all()) == 2


# --- clock and panel ----------------------------------------------------------------------------


@played(MIDDLE)
async def test_the_panel_tells_time_moves_and_bounds(player: Player) -> None:
    player.clock.now = 100
    assert player.screen.facts().seconds == 0
    await player.press("right")
    player.clock.now = 104
    facts = player.screen.facts()
    assert (facts.seconds, facts.moves, facts.pace) == (4, 1, "0.25")
    assert facts.bounds == {"manhattan": 3, "linear-conflict": 3, "walking-distance": 3}
    assert facts.optimum == 2
    await player.until(lambda: "0:04.0" in player.text())
    for words in ("0:04.0", "0.25", "Manhattan              3", "Optimum                2"):
        assert words in player.text()


@played(MIDDLE)
async def test_figures_can_be_hidden(player: Player) -> None:
    player.session.choose(player.session.settings.change(figures="hidden"))
    player.screen.show()
    await player.pilot.pause()
    assert "Manhattan" not in player.text()
    assert "Time" in player.text()


@pytest.mark.parametrize(
    ("size", "place"), [((80, 24), "side"), ((50, 22), "under"), ((40, 13), "row")]
)
def test_the_panel_goes_where_there_is_room(size: tuple[int, int], place: str) -> None:
    @played(MIDDLE, size=size)
    async def scenario(player: Player) -> None:
        assert player.screen.arrangement.panel == place
        assert "0:00.0" in player.text()

    scenario()


@played(MIDDLE)
async def test_pause_hides_the_board_and_stops_the_clock(player: Player) -> None:
    await player.press("right")
    player.clock.now = 3
    await player.press("p")
    player.clock.now = 50
    assert player.game.seconds == 3
    assert "┏" not in player.text()
    await player.press("left")
    assert player.moves == "R"
    assert "paused" in player.message
    await player.press("h")
    assert player.game.hints_used == 0
    await player.press("p", "left")
    assert player.moves == "RL"
    assert player.game.seconds == 3


# --- fitting ------------------------------------------------------------------------------------


@played(EASY)
async def test_resizing_changes_the_tiles(player: Player) -> None:
    names = []
    for size in ((80, 24), (80, 20), (30, 13), (20, 9), (120, 40)):
        await player.pilot.resize_terminal(*size)
        await player.pilot.pause()
        names.append(player.screen.view.tile_size.name)
    assert names == ["huge", "large", "small", "bare", "giant"]


@played(EASY)
async def test_what_does_not_fit_is_said(player: Player) -> None:
    await player.pilot.resize_terminal(30, 6)
    await player.pilot.pause()
    text = " ".join(player.text().split())
    assert "needs 16 columns × 7 rows; this terminal has 30 × 6" in text
    await player.press("up")
    assert player.moves == "U"
    await player.pilot.resize_terminal(80, 24)
    await player.pilot.pause()
    assert "needs" not in player.text()


# --- hints --------------------------------------------------------------------------------------


@played(EASY)
async def test_hints_tell_more_and_more(player: Player) -> None:
    await player.press("h")
    assert player.message == "slide 7 ↑"
    assert player.screen.view.hint == "U"
    await player.press("h")
    assert player.message == "next: 7 ↑, 11 ↑, 15 ←"
    await player.press("h")
    assert player.message == "3 moves to the goal, the fewest possible"
    assert player.game.hints_used == 1
    await player.press("up")
    assert player.message == ""
    assert player.screen.view.hint is None
    await player.press("h")
    assert player.message == "slide 11 ↑"
    assert player.game.hints_used == 2
    await player.press("escape")
    assert player.screen.view.hint is None


# --- giving up ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("slow_films")
@played(EASY)
async def test_give_up_and_watch(player: Player) -> None:
    await player.press("up", "g")
    assert player.dialog == "Question"
    await player.press("n")
    assert not player.game.given_up
    await player.press("g", "y")
    assert player.game.given_up
    watch = player.app.screen
    assert isinstance(watch, WatchScreen)
    assert watch.film.last == 2
    assert watch.film.is_playing
    await player.press("space")
    assert not watch.film.is_playing
    await player.press("home", "right")
    assert watch.film.place == 1
    await player.press("left", "left")
    assert watch.film.place == 0
    await player.press("end")
    assert watch.film.board == player.game.goal
    speed = watch.film.speed
    await player.press("up")
    assert watch.film.speed == 2 * speed
    await player.press("down", "down")
    assert watch.film.speed == speed / 2
    await player.press("escape")
    assert player.dialog == "GameScreen"
    await player.press("left")
    assert "given up" in player.message
    await player.settle()
    assert [record.given_up for record in player.session.records.all()] == [True]


@played(EASY)
async def test_a_film_runs_to_its_end(player: Player) -> None:
    await player.press("g")
    watch = player.app.screen
    assert isinstance(watch, WatchScreen)
    await player.press("up", "up", "up")
    await player.until(lambda: watch.film.place == watch.film.last)
    assert watch.film.board == player.game.goal
    assert not watch.film.is_playing


def test_a_film_begins_again_after_its_end() -> None:
    film = Playback(Board("1 2 3/4 5 6/0 7 8"), [Move.L, Move.L])
    film.toggle()
    film.go(5)
    assert (film.place, film.is_playing, film.next_move) == (2, False, None)
    film.toggle()
    assert (film.place, film.is_playing, film.next_move) == (0, True, Move.L)
    film.go(-3)
    assert film.place == 0


@played(EASY)
async def test_a_film_can_be_scrubbed(player: Player) -> None:
    await player.press("g", "space")
    watch = player.app.screen
    assert isinstance(watch, WatchScreen)
    bar = watch.query_one(ScrubBar)
    await player.pilot.click(ScrubBar, offset=(bar.size.width - 1, 0))
    await player.pilot.pause()
    assert watch.film.place == 3
    await player.pilot.click(ScrubBar, offset=(0, 0))
    await player.pilot.pause()
    assert watch.film.place == 0


@played("1 2/3 0")
async def test_a_film_without_moves_can_be_seen(player: Player) -> None:
    await player.press("g")
    watch = player.app.screen
    assert isinstance(watch, WatchScreen)
    await player.press("space", "right", "left", "end", "home", "escape")
    assert player.dialog == "GameScreen"


@played(HARD, settled=False)
async def test_a_hard_board_is_played_while_it_is_being_solved(player: Player) -> None:
    keys = {"U": "up", "D": "down", "L": "left", "R": "right"}
    for number in range(1, 6):
        player.strike(keys[player.game.board.moves()[0]])
        await player.until(lambda number=number: len(player.game.moves) == number)
        assert player.game.planner.planning
    player.strike("h")
    await player.until(lambda: player.message.startswith("slide "))
    player.strike("h", "h")
    await player.until(lambda: "by the best answer known" in player.message)
    assert player.screen.facts().thinking is not None


@played(HARD, settled=False)
async def test_solving_shows_progress_and_can_be_left(player: Player) -> None:
    player.strike("g")
    await player.until(lambda: "show the best so far" in player.text())
    assert player.dialog == "Solving"
    for words in ("Best so far", "At least", "Boards expanded", "Time"):
        assert words in player.text()
    player.strike("escape")
    await player.until(lambda: player.dialog == "GameScreen")
    assert not player.game.given_up
    await player.until(lambda: not player.game.planner.planning)


@played(HARD, settled=False)
async def test_solving_can_be_content_with_the_best_so_far(player: Player) -> None:
    player.strike("g")
    await player.until(lambda: "show the best so far" in player.text())
    player.strike("enter")
    await player.until(lambda: player.dialog == "WatchScreen")
    watch = player.app.screen
    assert isinstance(watch, WatchScreen)
    assert watch.film.boards[-1] == player.game.goal
    assert player.game.given_up
    await player.until(lambda: "a solution (at least" in player.text())


@played(HARD, settled=False)
async def test_escape_stops_thinking(player: Player) -> None:
    await player.until(lambda: player.game.planner.hint() is not None)
    player.strike("escape")
    await player.until(lambda: "no better answer" in player.message)
    await player.until(lambda: not player.game.planner.planning)
    assert player.game.planner.hint() is not None


# --- the end ------------------------------------------------------------------------------------


@played(EASY)
async def test_solving_is_celebrated_and_entered_in_the_records(player: Player) -> None:
    await player.press("left", "right", "up", "up")
    player.clock.now = 2.5
    await player.press("left")
    assert player.game.solved
    await player.settle()
    await player.settle()
    assert player.dialog == "EndScreen"
    text = player.text()
    for words in ("S O L V E D", "2.500", "2.00", "3 (you made 2 more)", "first 4×4 on record"):
        assert words in text
    assert "2 moves lost, in 1 place:" in text
    assert "move 1: 2 lost; better 7↑ 11↑ 15←" in text
    (record,) = player.session.records.all()
    assert (record.replay.length, record.seconds, record.optimum) == (5, 2.5, 3)
    assert player.session.records.current() is None


@played(EASY)
async def test_after_the_end(player: Player) -> None:
    await player.press("up", "up", "left")
    assert player.dialog == "EndScreen"
    await player.settle()
    assert "as short as can be" in player.text()
    await player.press("g")
    watch = player.app.screen
    assert isinstance(watch, WatchScreen)
    assert watch.film.last == 3
    await player.press("escape")
    assert player.dialog == "GameScreen"
    await player.press("u")
    assert player.moves == "UUL"
    await player.press("n")
    assert not player.game.solved
    assert player.game.start.shape == (4, 4)


@played(EASY)
async def test_the_end_screen_leads_to_a_new_board(player: Player) -> None:
    await player.press("up", "up", "left")
    await player.press("n")
    assert player.dialog == "GameScreen"
    assert player.moves == ""
    assert not player.game.solved


@played(EASY)
async def test_better_games_are_noticed(player: Player) -> None:
    for seconds in (9, 5):
        player.session.begin(Board(EASY), player.game.goal)
        player.screen._game_began()
        await player.press("up", "up")
        player.clock.now += seconds
        await player.press("left")
        await player.settle()
        if seconds == 5:
            assert "★ your best time for 4×4: 5.000" in player.text()
        await player.press("escape")
    await player.press("t")
    await player.settle()
    assert player.dialog == "Standings"
    assert "Best time      5.000" in player.text()
    assert "2 of 2 games" in player.text()
    await player.press("escape")
    assert player.dialog == "GameScreen"


# --- other boards -------------------------------------------------------------------------------


@played(EASY)
async def test_a_new_board(player: Player) -> None:
    await player.press("n")
    first = player.game.start
    assert first != Board(EASY)
    move = {"U": "up", "D": "down", "L": "left", "R": "right"}[first.moves()[0]]
    await player.press(move, "n")
    assert player.dialog == "Question"
    await player.press("n")
    assert player.game.start == first
    await player.press("n", "y")
    assert player.game.start != first
    assert player.moves == ""


@played(EASY)
async def test_entering_a_board(player: Player) -> None:
    await player.press("e")
    dialog = player.app.screen
    assert isinstance(dialog, EnterBoard)
    await player.press(*"1 2 3", "slash", *"4 5 6", "slash", *"0 7")
    assert "1 2 3/4 5 6/0 7" in player.text()
    assert not dialog.proposal.playable
    await player.press(*" 8")
    assert dialog.proposal.playable
    assert "solvable" in player.text()
    await player.press("enter")
    assert player.game.board == Board("1 2 3/4 5 6/0 7 8")
    assert player.dialog == "GameScreen"
    await player.press("8")
    assert player.game.solved


@played(EASY)
async def test_an_unsolvable_board_is_explained_and_mended(player: Player) -> None:
    await player.press("e", *"182", "slash", *"045", "slash", *"376")
    dialog = player.app.screen
    assert isinstance(dialog, EnterBoard)
    assert "unsolvable" in player.text()
    assert "9 is odd" in player.text()
    assert "exchange 2 and 3" in player.text()
    await player.press("enter")
    assert player.dialog == "EnterBoard"
    await player.press("tab")
    assert dialog.proposal.playable
    await player.press("enter")
    assert player.game.board == Board("1 8 3/0 4 5/2 7 6")


@played(EASY)
async def test_entering_can_be_left(player: Player) -> None:
    await player.press("up", "e", *"1 2", "escape")
    assert player.game.start == Board(EASY)
    assert player.moves == "U"


@played(EASY)
async def test_options_change_looks_at_once_and_the_board_at_last(player: Player) -> None:
    await player.press("o")
    dialog = player.app.screen
    assert isinstance(dialog, Options)
    await player.press("left", "down", "right")
    assert dialog.settings.shape == (3, 5)
    assert "new board is dealt" in player.text()
    await player.press("down", "right", "down", "right", "down", "right", "right", "down", "right")
    assert player.app.theme == "taquin-light"
    assert player.screen.view.scheme == "rows"
    await player.press("escape")
    assert player.game.start.shape == (3, 5)
    assert player.game.goal == Board("0 1 2 3 4/5 6 7 8 9/10 11 12 13 14")
    settings, problem = load(player.session.settings_path)
    assert not problem
    assert settings == player.session.settings
    assert (settings.direction, settings.appearance, settings.colors) == ("blank", "light", "rows")


@played(EASY)
async def test_options_ask_before_they_end_a_game(player: Player) -> None:
    await player.press("up", "o", "left", "escape")
    assert player.dialog == "Question"
    await player.press("n")
    assert player.moves == "U"
    assert player.session.settings.rows == 3
    await player.press("n", "y")
    assert player.game.start.shape == (4, 4)


@played(EASY)
async def test_options_by_mouse(player: Player) -> None:
    await player.press("o")
    dialog = player.app.screen
    assert isinstance(dialog, Options)
    await player.pilot.click(dialog.lines[3])
    await player.pilot.pause()
    assert dialog.settings.direction == "blank"


# --- help, keys and leaving ---------------------------------------------------------------------


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_help(size: tuple[int, int]) -> None:
    @played(EASY, size=size)
    async def scenario(player: Player) -> None:
        await player.press("question_mark")
        assert player.dialog == "Help"
        assert "How to play" in player.text()
        await player.press("pagedown", "down", "up", "escape")
        assert player.dialog == "GameScreen"

    scenario()


@played(EASY)
async def test_every_key_of_the_help_does_something(player: Player) -> None:
    from taquin.tui.dialogs import KEYS
    from taquin.tui.game_screen import GameScreen

    bound = {key for binding in GameScreen.BINDINGS for key in binding.key.split(",")}
    letters = [key for keys, _ in KEYS for key in keys.split() if len(key) == 1 and key.isalpha()]
    assert {key for key in letters if key != "a"} <= bound
    assert len(set(letters) - {"a"}) == len([key for key in letters if key != "a"])


@played(EASY)
async def test_the_bar_of_keys_can_be_clicked(player: Player) -> None:
    await player.pilot.click(KeyBar, offset=(3, 0))
    await player.pilot.pause()
    assert player.message == "slide 7 ↑"


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
@pytest.mark.parametrize("dialog", [None, "question_mark", "e", "o"])
def test_leaving_keeps_the_game(key: str, dialog: str | None) -> None:
    if dialog and key == "q":
        return

    @played(EASY)
    async def scenario(player: Player) -> None:
        await player.press("up")
        if dialog:
            await player.press(dialog)
        await player.press(key)
        assert not player.app.is_running or player.app._exit
        player.screen._writer.submit(int).result()
        assert player.session.records.current()["moves"] == "U"

    scenario()


@played(EASY)
async def test_the_game_is_kept_after_every_move(player: Player) -> None:
    for keys, moves in (("up", "U"), ("up", "U2"), ("u", "U"), ("left", "UL")):
        await player.press(keys)
        player.screen._writer.submit(int).result()
        assert player.session.records.current()["moves"].replace("UU", "U2") == moves


@played(EASY)
async def test_records_that_cant_be_written_are_told_of_once(player: Player) -> None:
    player.session.records.close()
    await player.press("up")
    await player.until(lambda: "can't be kept" in player.message)
    await player.press("up")
    player.screen._writer.submit(int).result()
    await player.pilot.pause(0.3)
    assert player.message == ""
    await player.press("left")
    assert player.game.solved


@played(EASY, records=False)
async def test_a_game_without_records(player: Player) -> None:
    await player.press("up", "t")
    await player.settle()
    assert player.dialog == "Standings"
    await player.press("escape", "up", "left")
    assert player.dialog == "EndScreen"


def test_a_game_goes_on_where_it_was(tmp_path: Path) -> None:
    from taquin.session import Session

    path = tmp_path / "records.db"
    with Session(Records(path), seed=1) as session:
        session.begin(Board(EASY), Board("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"))
        session.game.play("U")
        session.save()
    with Session(Records(path)) as session:
        assert session.resume()
        assert "".join(session.game.moves) == "U"
        assert session.game.start == Board(EASY)
