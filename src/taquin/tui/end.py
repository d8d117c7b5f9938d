"""The end of a game: its figures, what is new in the records, and where moves were lost."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from ..game import Game
from ..moves import tile_numbers
from ..report import count, moves_word
from ..report_records import clock, moves_text
from ..session import Entry, Session
from .dialogs import Box
from .drawing import ARROWS
from .widgets import Key, KeyBar

if TYPE_CHECKING:
    from ..analysis import Analysis, Mistake
    from ..averages import Statistics

_MOST_MISTAKES = 3
_MOST_MOVES = 4
"""How much is told of where moves were lost."""


class AnalysisReady(Message):
    """It is known where moves were lost, as far as that is quick."""

    def __init__(self, analysis: Analysis) -> None:
        super().__init__()
        self.analysis = analysis


class EndScreen(ModalScreen[str]):
    """Solved: the figures of the game. Gives what the player wants next."""

    DEFAULT_CSS = """
    EndScreen { align: center middle; }
    EndScreen Box { width: 60; border: heavy $success; }
    EndScreen Static { height: auto; width: 100%; }
    EndScreen #title { text-align: center; margin-bottom: 1; color: $success; text-style: bold; }
    EndScreen #news { color: $accent; text-style: bold; }
    EndScreen #losses { margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,enter", "wish('new')", "New board"),
        Binding("g", "wish('watch')", "Watch"),
        Binding("escape,space", "wish('')", "Look at the board"),
        Binding("q", "wish('quit')", "Quit"),
        Binding("down,s", "scroll(1)"),
        Binding("up", "scroll(-1)"),
    ]

    def __init__(self, session: Session, entry: Entry | None) -> None:
        super().__init__()
        self.session = session
        self.game = session.game
        self.entry = entry
        self.optimum = self.game.optimum
        self._left = threading.Event()

    def compose(self) -> ComposeResult:
        with Box():
            yield Static("★  S O L V E D  ★", id="title")
            yield Static(id="figures")
            yield Static(id="news")
            yield Static("looking where moves were lost …", id="losses")
        yield KeyBar(
            [
                Key("n", "new board", "wish('new')"),
                Key("g", "watch it", "wish('watch')", 1),
                Key("esc", "back", "wish('')", 2),
                Key("q", "quit", "wish('quit')"),
            ]
        )

    def on_mount(self) -> None:
        self._show_figures()
        self._show_news()
        self._analyse()

    def on_unmount(self) -> None:
        self._left.set()

    def take_entry(self, entry: Entry) -> None:
        """What the records have to say; it may come a moment before the screen, or after it."""
        self.entry = entry
        if self.is_mounted:
            self._show_news()

    def _show_news(self) -> None:
        news = self.entry.news if self.entry is not None else ()
        shown = self.query_one("#news", Static)
        shown.display = bool(news)
        shown.update(Content("\n".join(f"★ {line}" for line in news)))

    def _show_figures(self) -> None:
        moves, seconds = len(self.game.moves), self.game.seconds
        rows = {
            "Time": clock(seconds),
            "Moves": f"{moves:,}",
            "Moves a second": f"{moves / seconds:.2f}" if seconds > 0 else "–",
            "Hints": str(self.game.hints_used),
            "Optimum": _compared(moves, self.optimum),
        }
        self.query_one("#figures", Static).update(_table(rows.items()))

    @work(thread=True)
    def _analyse(self) -> None:
        from ..analysis import analyse

        analysis = analyse(self.game.replay(), cancel=self._left)
        if not self._left.is_set():
            self.post_message(AnalysisReady(analysis))

    def on_analysis_ready(self, event: AnalysisReady) -> None:
        analysis = event.analysis
        if analysis.optimum is not None:
            self.optimum = analysis.optimum
            if self.entry is not None:
                self._keep_optimum(self.entry, analysis.optimum)
        self._show_figures()
        self.query_one("#losses", Static).update(Content("\n".join(losses(analysis))))

    @work(thread=True)
    def _keep_optimum(self, entry: Entry, optimum: int) -> None:
        self.session.learn_optimum(entry, optimum)

    def action_scroll(self, by: int) -> None:
        self.query_one(Box).scroll_relative(y=by, animate=False)

    def action_wish(self, wish: str) -> None:
        self.dismiss(wish)


def _table(rows: Iterable[tuple[str, str]]) -> Content:
    lines = [Content.assemble((f"{name:<15}", "$faint"), (v, "bold")) for name, v in rows]
    return Content("\n").join(lines)


def _compared(moves: int, optimum: int | None) -> str:
    if optimum is None:
        return "not known"
    if moves == optimum:
        return f"{optimum:,}: as short as can be!"
    return f"{optimum:,} (you made {moves - optimum:,} more)"


def losses(analysis: Analysis) -> list[str]:
    """Where moves were lost, the costliest places first."""
    known = analysis.known
    if not known:
        return ["It would take long to tell where moves were lost."]
    part = "" if known == analysis.replay.length else f" in the last {moves_word(known)}"
    if not analysis.mistakes:
        return [f"No move was lost{part}."]
    where = count(len(analysis.mistakes), "place")
    told = [_mistake(analysis, mistake) for mistake in analysis.mistakes[:_MOST_MISTAKES]]
    return [f"{moves_word(analysis.lost)} lost{part}, in {where}:", *told]


def _mistake(analysis: Analysis, mistake: Mistake) -> str:
    place = mistake.first - 1
    board = analysis.replay.board.slide(analysis.replay.moves[:place])
    moves = mistake.instead[:_MOST_MOVES]
    tiles = tile_numbers(board, moves)
    named = " ".join(f"{t}{ARROWS[m]}" for t, m in zip(tiles, moves, strict=True))
    more = " …" if len(mistake.instead) > len(moves) else ""
    alone = mistake.first == mistake.last
    at = f"move {mistake.first}" if alone else f"moves {mistake.first}–{mistake.last}"
    return f"  {at}: {mistake.lost} lost; better {named}{more}"


class Standings(ModalScreen[None]):
    """The player's records for a size."""

    DEFAULT_CSS = """
    Standings { align: center middle; }
    Standings Box { width: 48; }
    Standings Static { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,space,t", "leave", "Back")]

    def __init__(self, game: Game, statistics: Statistics | None) -> None:
        super().__init__()
        self.game = game
        self.statistics = statistics

    def compose(self) -> ComposeResult:
        rows, cols = self.game.start.shape
        with Box() as box:
            box.border_title = f"Your records for {rows}×{cols}"
            yield Static(self._text())
        yield KeyBar([Key("esc", "back", "leave")])

    def _text(self) -> Content:
        found = self.statistics
        if found is None:
            return Content("No game of this size and goal is finished yet.")
        times, moves = found.seconds, found.moves.single
        averages = {
            "Mean of 3": times.mo3,
            "Average of 5": times.ao5,
            "Average of 12": times.ao12,
        }
        rows = [("Best time", "–" if times.single is None else clock(times.single))]
        rows += [
            (name, "–" if of is None else f"{clock(of.best)}  (now {clock(of.current)})")
            for name, of in averages.items()
        ]
        rows.append(("Fewest moves", "–" if moves is None else moves_text(moves)))
        rows.append(("Solved", f"{found.solved:,} of {count(found.games, 'game')}"))
        return _table(rows)

    def action_leave(self) -> None:
        self.dismiss()
