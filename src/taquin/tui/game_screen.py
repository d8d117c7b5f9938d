"""The game on the screen: keys and clicks become calls of the game, and what it says is shown."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Middle, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from .. import goals
from ..board import Board, Move
from ..errors import TaquinError
from ..game import Game
from ..moves import by_convention
from ..notation import write_moves
from ..proposal import Proposal
from ..result import Solution
from ..session import Entry, Session
from ..settings import Settings
from .board_view import BoardView
from .colors import theme_for
from .dialogs import EnterBoard, Help, Options, Question
from .drawing import ARROWS, ROW, SIDE, Layout, arrange
from .end import EndScreen, Standings
from .gauges import Gauges
from .panel import Facts, Panel
from .solving import Solving
from .typing_buffer import TypedNumber
from .watch import WatchScreen
from .widgets import Key, KeyBar

if TYPE_CHECKING:
    from ..averages import Statistics
    from .app import PlayApp

_TICK = 0.1
"""Seconds between two looks at the clock."""

_TYPING_PAUSE = 0.7
"""Seconds after which a number is taken to be complete."""

_WAVE = 0.04
"""Seconds from one diagonal to the next of the wave that runs over a solved board."""

_FEW_MOVES = 5
"""How many moves the second hint tells."""

KEYS = (
    Key("h", "hint", "hint"),
    Key("u", "undo", "undo", 1),
    Key("r", "redo", "redo", 4),
    Key("n", "new", "new", 1),
    Key("g", "give up", "give_up", 2),
    Key("e", "enter", "enter_board", 4),
    Key("p", "pause", "pause", 3),
    Key("o", "options", "options", 2),
    Key("?", "help", "help"),
    Key("q", "quit", "quit"),
)


class GameEntered(Message):
    """A finished game was entered in the records."""

    def __init__(self, game: Game, entry: Entry) -> None:
        super().__init__()
        self.game, self.entry = game, entry


class StandingsArrived(Message):
    """The records of a size were looked up."""

    def __init__(self, statistics: Statistics | None) -> None:
        super().__init__()
        self.statistics = statistics


class GaugesReady(Message):
    """The heuristics are bound to the goal."""

    def __init__(self, gauges: Gauges) -> None:
        super().__init__()
        self.gauges = gauges


class GameScreen(Screen[None]):
    """The board, the panel, a line for messages, and the keys."""

    DEFAULT_CSS = """
    GameScreen { layout: vertical; }
    GameScreen #main { height: 1fr; }
    GameScreen #table { width: 1fr; height: 100%; }
    GameScreen #stage { height: 1fr; align: center middle; }
    GameScreen #message {
        height: 1; text-align: center; text-wrap: nowrap; text-overflow: ellipsis;
    }
    GameScreen #small { height: auto; text-align: center; color: $warning; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,w", "slide('U')", "Up"),
        Binding("down,s", "slide('D')", "Down"),
        Binding("left,a", "slide('L')", "Left"),
        Binding("right,d", "slide('R')", "Right"),
        Binding("u", "undo", "Undo"),
        Binding("r", "redo", "Redo"),
        Binding("b", "restart", "Begin again"),
        Binding("h", "hint", "Hint"),
        Binding("g", "give_up", "Give up"),
        Binding("n", "new", "New"),
        Binding("e", "enter_board", "Enter a board"),
        Binding("o", "options", "Options"),
        Binding("p,space", "pause", "Pause"),
        Binding("t", "standings", "Records"),
        Binding("question_mark,f1", "help", "Help"),
        Binding("enter", "take_number", "Take the number"),
        Binding("escape", "escape", "Stop"),
        Binding("q", "quit", "Quit"),
    ]

    app: PlayApp

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        game = session.game
        self.view = BoardView(game.board, game.goal, scheme=session.settings.colors)
        self.side = Panel(Facts(""))
        self.line = Panel(Facts(""))
        self.message = Static(id="message", markup=False)
        self.arrangement = Layout(None, ROW, (0, 0))
        self.gauges: Gauges | None = None
        self.hints_shown = 0
        """How much of the hint is shown for this board: 0 nothing, 1 to 3."""
        self.typed = TypedNumber(len(game.board) - 1)
        self.entry: Entry | None = None
        self.heading = ""
        """The size and the goal, in words."""
        self._waits_for_hint = False
        self._typing: Timer | None = None
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="taquin-writer")
        """Keeps the game; a disk may be slow, and another process may hold the records."""

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def settings(self) -> Settings:
        return self.session.settings

    # --- what is seen

    def compose(self) -> ComposeResult:
        with Horizontal(id="main"):
            with Vertical(id="table"):
                with Middle(id="stage"), Center():
                    yield self.view
                    yield Static(id="small", markup=False)
                yield self.line
            yield self.side
        yield self.message
        yield KeyBar(KEYS)

    def on_mount(self) -> None:
        self.set_interval(_TICK, self._tick)
        self._game_began()
        self.tell(*self.session.told())

    def on_unmount(self) -> None:
        self.keep()
        self._writer.shutdown(wait=True)

    def on_resize(self) -> None:
        self.show()

    def tell(self, *words: str | Content) -> None:
        """Show a message, until the next key."""
        shown = [Content(text) if isinstance(text, str) else text for text in words]
        self.message.update(Content(" · ").join(shown), layout=False)

    def show(self) -> None:
        """Bring the screen up to date with the game."""
        width, height = self.size
        self.arrangement = layout = arrange(self.game.board.shape, width, height)
        self.view.display = layout.size is not None
        self._say_if_small(layout, width, height)
        hint = self.game.planner.hint() if self.hints_shown else None
        self.view.show(
            self.game.board,
            self.game.goal,
            size=layout.size,
            hint=hint.moves[0] if hint and hint.moves else None,
            hidden=self.game.paused,
            scheme=self.settings.colors,
            framed=layout.framed,
        )
        self._show_facts()

    def _say_if_small(self, layout: Layout, width: int, height: int) -> None:
        small = self.query_one("#small", Static)
        small.display = layout.size is None
        if layout.size is not None:
            return
        rows, cols = self.game.board.shape
        needed, high = layout.needs
        small.update(
            f"A {rows}×{cols} board needs {needed} columns × {high} rows;"
            f" this terminal has {width} × {height}."
        )

    def _show_facts(self) -> None:
        is_side = self.arrangement.panel == SIDE
        self.side.display, self.line.display = is_side, not is_side
        panel = self.side if is_side else self.line
        panel.show(self.facts(), self.arrangement.panel)

    def facts(self) -> Facts:
        """What there is to tell of the game."""
        game = self.game
        state = "paused" if game.paused else "solved" if game.solved else ""
        figures = self.settings.figures == "shown"
        facts = Facts(
            self.heading,
            seconds=game.seconds,
            moves=len(game.moves),
            hints=game.hints_used,
            state="given up" if game.given_up else state,
            figures=figures,
        )
        return replace(facts, **self._knowledge()) if figures and not game.paused else facts

    def _knowledge(self) -> dict[str, Any]:
        """What is known of the board: bounds at once, answers as they are found."""
        game = self.game
        hint = game.planner.hint(0)
        progress = game.planner.progress
        return {
            "bounds": self.gauges.read(game.board) if self.gauges else {},
            "optimum": game.optimum,
            "best": hint.left if hint else None,
            "lower_bound": hint.lower_bound if hint else 0,
            "thinking": progress.seconds if progress else None,
        }

    def _tick(self) -> None:
        if self.hints_shown and not self.game.finished and self._waits_for_hint:
            self._show_hint()
        self._show_facts()
        notes = self.session.told()
        if notes:
            self.tell(*notes)

    # --- the game

    def _game_began(self) -> None:
        """All that must be done once for a board."""
        self.hints_shown = 0
        self._waits_for_hint = False
        self.entry = None
        self.tell()
        self._clear_typing()
        self.typed = TypedNumber(len(self.game.board) - 1)
        rows, cols = self.game.start.shape
        self.heading = f"{rows}×{cols} · {goals.name_of(self.game.goal) or 'own goal'}"
        if self.gauges is None or self.gauges.goal != self.game.goal:
            self.gauges = None
            self._prepare_gauges(self.game.goal)
        self.show()

    @work(thread=True, exclusive=True, group="gauges")
    def _prepare_gauges(self, goal: Board) -> None:
        self.post_message(GaugesReady(Gauges(goal)))

    def on_gauges_ready(self, event: GaugesReady) -> None:
        if event.gauges.goal == self.game.goal:
            self.gauges = event.gauges
            self._show_facts()

    def _changed(self) -> None:
        """The player did something: keep it, show it, and see whether that was the end."""
        self.hints_shown = 0
        game = self.game
        if game.finished:
            self._writer.submit(self._enter_in_records, game)
        self.keep()
        self.show()
        if game.solved:
            self._celebrate()

    def _try(self, action: Callable[[], object]) -> None:
        """Do something that may not be possible, which is then told."""
        before = self.game.board
        try:
            action()
        except TaquinError as error:
            self.tell(str(error))
            return
        if self.game.board != before:
            self.tell()
            self._changed()

    def action_slide(self, letter: str) -> None:
        move = by_convention([Move(letter)], self.settings.direction)[0]
        self._clear_typing()
        if move in self.game.board.moves():
            self._try(lambda: self.game.play(move))
        else:
            self.tell(f"no tile can slide {write_moves([move], 'words')}")

    def slide_tile(self, tile: int) -> None:
        self._try(lambda: self.game.slide_tile(tile))

    def on_board_view_tile_clicked(self, event: BoardView.TileClicked) -> None:
        self._clear_typing()
        self.slide_tile(event.tile)

    def action_undo(self) -> None:
        self._take_steps(self.game.undo, "no move to take back")

    def action_redo(self) -> None:
        self._take_steps(self.game.redo, "no move to make again")

    def _take_steps(self, step: Callable[[], int], otherwise: str) -> None:
        self._clear_typing()
        if step():
            self.tell()
            self._changed()
        else:
            self.tell("the game is paused" if self.game.paused else otherwise)

    def action_restart(self) -> None:
        if self.game.finished:
            # The finished one may still be on its way to the records.
            self.session.begin(self.game.start, self.game.goal)
        else:
            self.game.restart()
        self._writer.submit(self.session.save, self.game.to_dict())
        self._game_began()
        self.tell("back at the first board")

    def action_pause(self) -> None:
        if self.game.paused:
            self.game.resume()
            self.tell()
        elif not self.game.finished:
            self.game.pause()
            self.keep()
            self.tell("paused: p goes on")
        self.show()

    # --- typing a number

    def on_key(self, event: events.Key) -> None:
        if (
            event.character is not None
            and event.character.isdecimal()
            and event.character.isascii()
        ):
            event.stop()
            self._stop_typing_timer()
            tile = self.typed.add(event.character)
            if tile is not None:
                self._take_tile(tile)
                return
            self.tell(Content.assemble("tile ", (f"{self.typed.text}_", "bold")))
            self._typing = self.set_timer(_TYPING_PAUSE, self.action_take_number)
        elif event.key == "backspace" and self.typed.text:
            self._clear_typing()
            self.tell()

    def action_take_number(self) -> None:
        self._stop_typing_timer()
        tile = self.typed.take()
        if tile is not None:
            self._take_tile(tile)

    def _take_tile(self, tile: int) -> None:
        self.tell()
        self.slide_tile(tile)

    def _stop_typing_timer(self) -> None:
        if self._typing is not None:
            self._typing.stop()
            self._typing = None

    def _clear_typing(self) -> None:
        self._stop_typing_timer()
        self.typed.take()

    # --- hints

    def action_hint(self) -> None:
        if self.game.finished or self.game.paused:
            self.tell("there is nothing to hint at")
            return
        self.hints_shown = min(self.hints_shown + 1, 3)
        self._show_hint()

    def _show_hint(self) -> None:
        """Show as much of the hint as was asked for, or wait for it."""
        hint = self.game.hint(_FEW_MOVES)
        self._waits_for_hint = hint is None
        if hint is None:
            self.tell("thinking …")
            return
        moves = self._named(hint.tiles, hint.moves)
        if self.hints_shown == 1:
            self.tell(f"slide {moves[0]}")
        elif self.hints_shown == 2:
            self.tell("next: " + ", ".join(moves) + (" …" if hint.left > len(moves) else ""))
        else:
            self.tell(str(hint))
        self.show()

    def _named(self, tiles: tuple[int, ...], moves: tuple[Move, ...]) -> list[str]:
        return [f"{tile} {ARROWS[move]}" for tile, move in zip(tiles, moves, strict=True)]

    def action_escape(self) -> None:
        if self.typed.text:
            self._clear_typing()
            self.tell()
        elif self.game.planner.planning:
            self.game.planner.cancel()
            self.tell("no better answer is looked for, until you leave this one")
        else:
            self.hints_shown = 0
            self.tell()
            self.show()

    # --- giving up

    def action_give_up(self) -> None:
        if self.game.finished:
            self._watch_solution()
        elif not self.game.started:
            self._give_up(True)
        else:
            question = Question("Give up?", "You will see the solution from here.")
            self.app.push_screen(question, self._give_up)

    def _give_up(self, is_sure: bool | None) -> None:
        if not is_sure:
            return
        hint = self.game.planner.hint(0)
        if hint is not None and not hint.planning:
            self._show_solution(True)
        else:
            self.app.push_screen(Solving(self.game.planner), self._show_solution)

    def _show_solution(self, is_wanted: bool | None) -> None:
        """Give up, now that there is something to see."""
        if not is_wanted:
            return
        solution = self.game.give_up()
        if solution is None:
            self.tell(self.game.planner.problem or "no solution was found")
            return
        made = len(self.game.moves)
        self.tell(f"given up after {made} move{'s' * (made != 1)}: n for a new board")
        self._changed()
        self._watch(solution, self._proof())

    def _watch_solution(self) -> None:
        solution = self.game.solution
        if self.game.solved:
            replay = self.game.replay()
            self._watch(Solution(replay.board, replay.goal, replay.moves), "your game")
        elif solution is not None:
            self._watch(solution, self._proof())

    def _proof(self) -> str:
        hint = self.game.planner.hint(0)
        if hint is None or hint.proof == "optimal":
            return "shortest solution"
        return f"a solution (at least {hint.lower_bound} needed)"

    def _watch(self, solution: Solution, title: str) -> None:
        self.app.push_screen(
            WatchScreen(
                solution.start,
                solution.goal,
                solution.moves,
                title=title,
                direction=self.settings.direction,
                scheme=self.settings.colors,
            )
        )

    # --- the end

    def _enter_in_records(self, game: Game) -> None:
        """Runs in the writer's thread."""
        self.post_message(GameEntered(game, self.session.finish(game)))

    def on_game_entered(self, event: GameEntered) -> None:
        if event.game is self.game:
            self.entry = event.entry
            for screen in self.app.screen_stack:
                if isinstance(screen, EndScreen):
                    screen.take_entry(event.entry)

    def _celebrate(self, diagonal: int = 0) -> None:
        """A wave over the board, then the end screen."""
        rows, cols = self.game.board.shape
        if not self.game.solved:
            self.view.glow(None)
            return
        if diagonal < rows + cols and self.app.animation_level != "none":
            self.view.glow(diagonal)
            self.set_timer(_WAVE, lambda: self._celebrate(diagonal + 1))
            return
        self.view.glow(None)
        self.app.push_screen(EndScreen(self.session, self.entry), self._after_end)

    def _after_end(self, wish: str | None) -> None:
        if wish == "new":
            self._deal()
        elif wish == "watch":
            self._watch_solution()
        elif wish == "quit":
            self.action_quit()

    # --- other boards

    def _unless_playing(self, title: str, action: Callable[[], None]) -> None:
        """Do something that ends the game, but ask first if the game has come some way."""
        if not self.game.moves or self.game.finished:
            action()
            return

        def answer(is_sure: bool | None) -> None:
            if is_sure:
                action()

        count = len(self.game.moves)
        text = f"This game has {count} move{'s' * (count != 1)} and would be left."
        self.app.push_screen(Question(title, text), answer)

    def action_new(self) -> None:
        self._unless_playing("A new board?", self._deal)

    def _deal(self) -> None:
        """Another board of the same size and goal."""
        self.session.deal(self.game.start.shape, self.game.goal)
        self._game_began()

    def action_enter_board(self) -> None:
        goal = goals.name_of(self.game.goal) or self.game.goal
        self.app.push_screen(EnterBoard(goal), self._take_proposal)

    def _take_proposal(self, proposal: Proposal | None) -> None:
        if proposal is None or proposal.board is None or proposal.goal is None:
            return
        board, goal = proposal.board, proposal.goal

        def begin() -> None:
            self.session.begin(board, goal)
            self._game_began()

        self._unless_playing("Play this board?", begin)

    def action_options(self) -> None:
        before = self.settings

        def done(chosen: Settings | None) -> None:
            if chosen is None or chosen == before:
                return
            self.session.choose(chosen)
            self.show()
            if (chosen.shape, chosen.goal) != (before.shape, before.goal):
                self._unless_playing("A board with the new options?", self._deal_as_chosen)

        self.app.push_screen(Options(before, self._preview), done)

    def _preview(self, chosen: Settings) -> None:
        """Let choices about looks be seen at once."""
        self.app.theme = theme_for(chosen.appearance)
        self.view.show(self.game.board, scheme=chosen.colors, hidden=self.game.paused)

    def _deal_as_chosen(self) -> None:
        self.session.deal()
        self._game_began()

    # --- the rest

    def action_standings(self) -> None:
        self._ask_standings(self.game)

    @work(thread=True, exclusive=True, group="standings")
    def _ask_standings(self, game: Game) -> None:
        self.post_message(StandingsArrived(self.session.standings(game.goal)))

    def on_standings_arrived(self, event: StandingsArrived) -> None:
        self.app.push_screen(Standings(self.game, event.statistics))

    def action_help(self) -> None:
        self.app.push_screen(Help(self.game.goal))

    def action_quit(self) -> None:
        self.app.leave()

    def keep(self) -> None:
        """Keep the game as it stands, unless nothing has been done yet, or all."""
        if self.session.is_under_way:
            self._writer.submit(self.session.save, self.game.to_dict())
