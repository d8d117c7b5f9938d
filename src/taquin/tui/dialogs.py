"""The dialogs over the game: help, options, entering a board, questions."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static, TextArea

from .. import goals
from ..board import Board
from ..proposal import Proposal, examine
from ..settings import Settings
from .board_view import BoardView
from .drawing import SIZES
from .widgets import Key, KeyBar


class Box(VerticalScroll, can_focus=False):
    """The frame of a dialog."""

    DEFAULT_CSS = """
    Box {
        width: 64; max-width: 100%; height: auto; max-height: 100%;
        background: $surface; border: round $primary; padding: 0 1;
        border-title-color: $accent; border-title-style: bold; scrollbar-size-vertical: 1;
    }
    Box > KeyBar { dock: none; margin-top: 1; background: $surface; }
    """


_DIALOG_CSS = """
$dialog { align: center middle; }
$dialog Box Static { width: 100%; height: auto; }
"""


class Question(ModalScreen[bool]):
    """A question to be answered by yes or no."""

    DEFAULT_CSS = _DIALOG_CSS.replace("$dialog", "Question")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "Yes"),
        Binding("n,escape,q", "answer(False)", "No"),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self.heading, self.text = title, text

    def compose(self) -> ComposeResult:
        with Box() as box:
            box.border_title = self.heading
            yield Static(self.text, markup=False)
            yield KeyBar([Key("y", "yes", "answer(True)"), Key("n", "no", "answer(False)")])

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)


# --- help ---------------------------------------------------------------------------------------

KEYS = (
    ("arrows, wasd", "slide a tile that way (or the blank: see options)"),
    ("a number", "slide that tile, and all between it and the blank"),
    ("click", "the same, for the tile under the mouse"),
    ("u  r", "take moves back, make them again"),
    ("b", "back to the beginning of this game"),
    ("h", "a hint; again for more: the next moves, how many are left"),
    ("g", "give up and watch the solution from here"),
    ("n", "a new board"),
    ("e", "enter a board"),
    ("p", "pause: the clock stands still and the board is hidden"),
    ("o", "options: size, goal, colours …"),
    ("t", "your records for this size"),
    ("esc", "stop thinking; clear what was typed"),
    ("q", "leave; the game is kept for taquin play --resume"),
)
"""The keys of the game, in words."""


class KeyTable(Widget):
    """The keys with what they do, in two columns."""

    DEFAULT_CSS = """
    KeyTable { height: auto; }
    """

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Content:
        return Content("\n").join(self._lines(self.size.width))

    def _lines(self, width: int) -> list[Content]:
        indent = max(len(keys) for keys, _ in KEYS) + 2
        lines = []
        for keys, words in KEYS:
            first, *more = textwrap.wrap(words, max(width - indent, 10))
            lines.append(Content.assemble((f"{keys:<{indent}}", "bold $accent"), first))
            lines += [Content(" " * indent + rest) for rest in more]
        return lines


class Help(ModalScreen[None]):
    """What the keys do."""

    DEFAULT_CSS = (
        _DIALOG_CSS.replace("$dialog", "Help")
        + """
    Help Box { width: 76; }
    Help Static { margin-bottom: 1; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,question_mark", "leave", "Back"),
        Binding("down,s", "scroll(1)"),
        Binding("up,w", "scroll(-1)"),
        Binding("pagedown", "scroll(10)"),
        Binding("pageup", "scroll(-10)"),
    ]

    def __init__(self, goal: Board) -> None:
        super().__init__()
        self.goal = goal

    def compose(self) -> ComposeResult:
        name = goals.name_of(self.goal)
        with Box() as box:
            box.border_title = "How to play"
            yield Static(
                "Slide tiles into the blank until all are in their places"
                f"{f' ({name})' if name else ''}. The clock starts with your first move.",
                markup=False,
            )
            yield KeyTable()
        yield KeyBar([Key("esc", "back", "leave"), Key("↓", "more", "scroll(1)")])

    def action_scroll(self, by: int) -> None:
        self.query_one(Box).scroll_relative(y=by, animate=False)

    def action_leave(self) -> None:
        self.dismiss()


# --- options ------------------------------------------------------------------------------------

LABELS = {
    "rows": "Rows",
    "cols": "Columns",
    "goal": "Goal",
    "direction": "Arrow keys move",
    "appearance": "Light or dark",
    "colors": "Colours",
    "figures": "Bounds, optimum",
}
_WORDS = {
    "tile": "the tile",
    "blank": "the blank",
    "rows": "by row",
    "fringe": "by fringe",
    "outlines": "none, outlines",
}


class OptionLine(Static):
    """A setting and its choice; a click takes the next choice."""

    DEFAULT_CSS = """
    OptionLine { height: 1; }
    OptionLine.chosen { background: $panel; text-style: bold; }
    """

    class Clicked(Message):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.option = name

    def __init__(self, option: str) -> None:
        super().__init__()
        self.option = option

    def show(self, settings: Settings, chosen: bool) -> None:
        value = getattr(settings, self.option)
        mark = "▸" if chosen else " "
        words = _WORDS.get(value, str(value))
        self.set_class(chosen, "chosen")
        self.update(
            Content.assemble(
                f"{mark} {LABELS[self.option]:<16} ", ("‹ ", "$accent"), words, (" ›", "$accent")
            )
        )

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Clicked(self.option))


class Options(ModalScreen[Settings]):
    """What can be chosen. Looks change at once; another size or goal is for the next board."""

    DEFAULT_CSS = (
        _DIALOG_CSS.replace("$dialog", "Options")
        + """
    Options Box { width: 50; }
    Options Center { height: auto; margin-top: 1; }
    Options #note { color: $faint; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,w", "choose(-1)", "Up"),
        Binding("down,s,tab", "choose(1)", "Down"),
        Binding("left,a", "change(-1)", "Before"),
        Binding("right,d,space", "change(1)", "Next"),
        Binding("escape,enter,o,q", "leave", "Done"),
    ]

    def __init__(self, settings: Settings, on_change: Callable[[Settings], None]) -> None:
        super().__init__()
        self.settings = settings
        self.before = settings
        self.on_change = on_change
        self.lines = [OptionLine(name) for name in LABELS]
        self.at = 0
        goal = goals.named(settings.goal, *settings.shape)
        self.picture = BoardView(goal, goal, scheme=settings.colors)

    def compose(self) -> ComposeResult:
        with Box() as box:
            box.border_title = "Options"
            yield from self.lines
            yield Static(id="note")
            with Center():
                yield self.picture
        yield KeyBar(
            [
                Key("↑↓", "choose", "choose(1)"),
                Key("←→", "change", "change(1)"),
                Key("esc", "done", "leave"),
            ]
        )

    def on_mount(self) -> None:
        self._show()

    def _show(self) -> None:
        for place, line in enumerate(self.lines):
            line.show(self.settings, place == self.at)
        goal = goals.named(self.settings.goal, *self.settings.shape)
        self.picture.show(goal, goal, size=SIZES[-1], scheme=self.settings.colors)
        note = "a new board is dealt when you leave" if self.deals_anew else "the goal:"
        self.query_one("#note", Static).update(note)

    @property
    def deals_anew(self) -> bool:
        """Whether the choices are such that only a new board can have them."""
        return (self.settings.shape, self.settings.goal) != (self.before.shape, self.before.goal)

    def action_choose(self, by: int) -> None:
        self.at = (self.at + by) % len(self.lines)
        self._show()

    def action_change(self, by: int) -> None:
        self.settings = self.settings.step(self.lines[self.at].option, by)
        self.on_change(self.settings)
        self._show()

    def on_option_line_clicked(self, event: OptionLine.Clicked) -> None:
        self.at = [line.option for line in self.lines].index(event.option)
        self.action_change(1)

    def action_leave(self) -> None:
        self.dismiss(self.settings)


# --- entering a board ---------------------------------------------------------------------------

_LONGEST = 20_000
"""Characters of a text that may be a board to play."""


class EnterBoard(ModalScreen[Proposal | None]):
    """A board is typed or pasted, and checked as it grows."""

    DEFAULT_CSS = (
        _DIALOG_CSS.replace("$dialog", "EnterBoard")
        + """
    EnterBoard TextArea {
        height: 6; border: tall $panel; background: $background; padding: 0 1;
    }
    EnterBoard #verdict { min-height: 3; }
    EnterBoard #verdict.good { color: $success; }
    EnterBoard #verdict.bad { color: $error; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back", priority=True),
        Binding("enter", "enter", "Play", priority=True),
        Binding("tab", "mend", "Take the fix", priority=True),
    ]

    def __init__(self, goal: Board | str, text: str = "") -> None:
        super().__init__()
        self.goal = goal
        self.text = text
        self.proposal = examine(text, goal)

    def compose(self) -> ComposeResult:
        with Box() as box:
            box.border_title = "Enter a board"
            yield TextArea(self.text, show_line_numbers=False, soft_wrap=True, compact=True)
            yield Static(id="verdict", markup=False)
        yield KeyBar([])

    def on_mount(self) -> None:
        self.query_one(TextArea).focus()
        self._show()

    def on_text_area_changed(self) -> None:
        text = self.query_one(TextArea).text
        if len(text) > _LONGEST:
            self.proposal = Proposal(None, None, False, "this is too long for a board to be played")
        else:
            self.proposal = examine(text, self.goal)
        self._show()

    def _show(self) -> None:
        proposal = self.proposal
        verdict = self.query_one("#verdict", Static)
        verdict.update(proposal.words)
        verdict.set_class(proposal.playable, "good")
        verdict.set_class(not proposal.playable and proposal.board is not None, "bad")
        keys = [Key("esc", "back", "leave")]
        if proposal.fix is not None:
            keys.insert(0, Key("tab", proposal.fix_words, "mend"))
        keys.insert(0, Key("enter", "play" if proposal.playable else "new line", "enter"))
        self.query_one(KeyBar).show(keys)

    def action_enter(self) -> None:
        if self.proposal.playable:
            self.dismiss(self.proposal)
        else:
            self.query_one(TextArea).insert("\n")

    def action_mend(self) -> None:
        if self.proposal.fix is not None:
            self.query_one(TextArea).text = str(self.proposal.fix)

    def action_leave(self) -> None:
        self.dismiss(None)
