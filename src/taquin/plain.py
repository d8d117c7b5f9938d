"""The game line by line: for pipes, screen readers and terminals that can't be drawn on.

What is typed is a tile's number, a direction or a command; every answer is in words.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import TextIO

import click

from . import goals
from .cli_options import INTERRUPTED, OK, ShapeType
from .errors import IllegalMoveError, NotationError, OptionError, TaquinError
from .game import Game
from .notation import read_moves, write_moves
from .proposal import Proposal, check_playable, examine
from .records import quick_optimum
from .report import count, drawing, moves_word
from .report_records import clock
from .session import Session
from .settings import CHOICES

HELP = """\
7              slide tile 7, and all tiles between it and the blank; 7 8 slides both in turn
U D L R        slide a tile up, down, left or right: capitals, words (up), or several (R2UL)
u, undo        take a move back; u 5 takes back five
r, redo        make a move again that was taken back
b, begin       back to the first board
h, hint        the next move; again: the next few, then how many are left
n, new         a new board; n 3x5 for another size
e, enter       enter a board; e 1 2 3/4 5 6/7 0 8, or just the board
s, show        show the board again
o, options     list the settings; o goal snail changes one
p, pause       let the clock stand still until your next line
q, give up     give up: every board of the solution, its moves and how many they are
x, quit        leave; the game is kept for taquin play --resume
?, help        this list"""

_FEW_MOVES = 5
_GLANCE, _PATIENCE = 2.0, 60.0
"""Seconds that the shortest answer may take for a hint, and when someone gives up."""


def run(session: Session) -> int:
    """Play on standard input and output; gives the exit code."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        Plain(session, sys.stdin, sys.stdout).play()
    except KeyboardInterrupt:
        print(
            "\ninterrupted" + session.is_under_way * ": the game is kept for taquin play --resume"
        )
        return INTERRUPTED
    return OK


class Plain:
    """Reads lines and answers them, until the input ends or the player leaves."""

    def __init__(self, session: Session, lines: TextIO | None, out: TextIO) -> None:
        self.session = session
        self.lines = lines
        self.out = out
        self.is_over = False
        self._hints = 0
        self._commands: dict[str, Callable[[str], None]] = {
            "u": self.undo, "undo": self.undo, "r": self.redo, "redo": self.redo,
            "b": self.begin, "begin": self.begin, "restart": self.begin,
            "h": self.hint, "hint": self.hint, "n": self.new, "new": self.new,
            "e": self.enter, "enter": self.enter, "s": self.show, "show": self.show,
            "o": self.options, "options": self.options, "p": self.pause, "pause": self.pause,
            "q": self.give_up, "give": self.give_up, "x": self.leave, "quit": self.leave,
            "exit": self.leave, "?": self.help, "help": self.help,
        }  # fmt: skip

    @property
    def game(self) -> Game:
        return self.session.game

    def say(self, text: str = "") -> None:
        print(text, file=self.out, flush=True)

    def play(self) -> None:
        self._introduce()
        while not self.is_over:
            line = self._ask("tile or direction?" if not self.game.finished else "n or x?")
            if line is None:
                return
            self.answer(line)
            for note in self.session.told():
                self.say(f"note: {note}")

    def answer(self, line: str) -> None:
        """Do what one line says; whatever it is, the answer is in words."""
        if self.game.paused:
            self.game.resume()
        word, _, rest = line.strip().partition(" ")
        # A capital U or R is a move; the small letter takes one back or makes it again.
        command = self._commands.get(word if word in ("U", "R") else word.lower())
        try:
            if not word:
                self.say("type a tile's number or a direction; ? shows all commands")
            elif command is not None:
                command(rest.strip())
            elif _is_board(line):
                self._propose(line)
            else:
                self._move(line)
        except IllegalMoveError as error:
            self.say(f"illegal move: {error}; try again")
        except NotationError:
            self.say(f"{line.strip()!r} is no tile, direction or command; ? shows all commands")
        except TaquinError as error:
            self.say(f"{error}; ? shows all commands")

    def _ask(self, question: str) -> str | None:
        """A line of input, or None at its end. Who types sees the question before the cursor."""
        is_typed = self.lines is not None and self.lines.isatty()
        print(question, end=" " if is_typed else "\n", file=self.out, flush=True)
        line = self.lines.readline() if self.lines is not None else ""
        if not line:
            self.say()
            return None
        return line

    # --- moving

    def _move(self, line: str) -> None:
        before = len(self.game.moves)
        if re.fullmatch(r"[\d\s,]+", line):
            for number in re.findall(r"\d+", line):
                self._slide(number, before)
        else:
            self.game.play(read_moves(line, moves=self.session.settings.direction))
        if len(self.game.moves) > before:
            self._changed()

    def _slide(self, number: str, before: int) -> None:
        try:
            self.game.slide_tile(int(number[:9]))
        except IllegalMoveError:
            # What was slid before by the same line stays, so it must be shown and kept.
            if len(self.game.moves) > before:
                self._changed()
            raise

    def _changed(self) -> None:
        """Show where the game stands, and keep it."""
        self._hints = 0
        game = self.game
        self.say(drawing(game.board, game.goal))
        if game.finished:
            self._end()
        else:
            self.session.save()
            self.say(f"{moves_word(len(game.moves))} made")

    def _end(self) -> None:
        game = self.game
        entry = self.session.finish(game)
        if not game.solved:
            return
        made, seconds = len(game.moves), clock(game.seconds)
        self.say(f"You win! Solved with {moves_word(made)} in {seconds} s.")
        optimum = game.optimum or quick_optimum(game.start, game.goal)
        if optimum is not None:
            self.session.learn_optimum(entry, optimum)
            more = f"{moves_word(made - optimum)} more than needed"
            self.say(f"That is {more if made > optimum else 'the fewest possible'}.")
        for line in entry.news:
            self.say(f"{line[0].upper()}{line[1:]}.")

    def undo(self, rest: str) -> None:
        self._step(self.game.undo, rest, "no move to take back (U slides a tile up)")

    def redo(self, rest: str) -> None:
        self._step(self.game.redo, rest, "no move to make again (R slides a tile to the right)")

    def _step(self, step: Callable[[int], int], rest: str, otherwise: str) -> None:
        steps = int(rest[:6]) if rest.isdecimal() else 1
        if step(steps):
            self._changed()
        else:
            self.say(otherwise)

    def begin(self, rest: str) -> None:
        self.game.restart()
        self._changed()

    # --- help of all kinds

    def hint(self, rest: str) -> None:
        game = self.game
        if game.finished:
            self.say("the game is over: n deals a new board")
            return
        self._think(_GLANCE)
        hint = game.hint(_FEW_MOVES)
        if hint is None:
            self.say(game.planner.problem or "no answer was found yet; try again")
            return
        self._hints = min(self._hints + 1, 3)
        direction = self.session.settings.direction
        words = write_moves(hint.moves, "words", moves=direction).split()
        named = [f"tile {tile} {word}" for tile, word in zip(hint.tiles, words, strict=True)]
        if self._hints == 1:
            self.say(f"hint: slide {named[0]}")
        elif self._hints == 2:
            self.say(f"the next moves: {', '.join(named)}")
        else:
            self.say(str(hint))

    def _think(self, seconds: float) -> None:
        """Give the planner time for the shortest answer; Ctrl-C is content with the best so far."""
        planner = self.game.planner
        if planner.wait(_GLANCE / 10):
            return
        self.say("thinking … (Ctrl-C: be content with the best answer so far)")
        try:
            planner.wait(seconds)
        except KeyboardInterrupt:
            planner.cancel()
        planner.wait_for_answer(_PATIENCE)

    def give_up(self, rest: str) -> None:
        game = self.game
        if game.finished:
            self.say("the game is over: n deals a new board, x leaves")
            return
        self._think(_PATIENCE)
        solution = game.give_up(_PATIENCE)
        made = moves_word(len(game.moves))
        self.say(f"given up after {made}")
        self.session.finish(game)
        if solution is None:
            self.say(game.planner.problem or "no solution was found in time")
            return
        self.say(solution.show(moves=self.session.settings.direction))
        hint = game.planner.hint(0)
        proof = f" ({hint})" if hint is not None else ""
        self.say(f"moves: {solution.text(moves=self.session.settings.direction)}")
        self.say(f"tiles: {solution.text('tiles')}")
        self.say(f"{moves_word(len(solution))}{proof}")

    def help(self, rest: str) -> None:
        self.say(HELP)

    def show(self, rest: str) -> None:
        game = self.game
        self.say(drawing(game.board, game.goal))
        self.say(f"{moves_word(len(game.moves))} made, {clock(game.seconds)}")

    def pause(self, rest: str) -> None:
        self.game.pause()
        self.session.save()
        self.say(f"paused at {clock(self.game.seconds)}: your next line goes on")

    def leave(self, rest: str) -> None:
        self.is_over = True
        if self.session.is_under_way:
            self.session.save()
            self.say("the game is kept: taquin play --resume")

    # --- other boards and settings

    def new(self, rest: str) -> None:
        shape, goal = self.game.start.shape, self.game.goal
        if rest:
            shape = _shape(rest)
            goal = goals.resolve(self.session.settings.goal, shape)
        self.session.deal(shape, goal)
        self._introduce()

    def enter(self, rest: str) -> None:
        text = rest or self._ask("the board, with / between its rows?")
        if text is not None:
            self._propose(text)

    def _propose(self, text: str) -> None:
        goal = goals.name_of(self.game.goal) or self.game.goal
        proposal = examine(text, goal)
        if proposal.fix is not None and not self._accepts(proposal):
            self.say("the game goes on as it was")
            return
        board = proposal.fix or proposal.board
        if board is None or proposal.goal is None or not (proposal.playable or proposal.fix):
            self.say(proposal.words)
            return
        self.session.begin(board, proposal.goal)
        self._introduce()

    def _accepts(self, proposal: Proposal) -> bool:
        self.say(proposal.words)
        answer = self._ask(f"{proposal.fix_words} and play {proposal.fix}? (y or n)")
        return answer is not None and answer.strip().lower() in ("y", "yes")

    def options(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if not value:
            for key, known in CHOICES.items():
                now = getattr(self.session.settings, key)
                self.say(f"{key} {now}  (of {', '.join(map(str, known))})")
            return
        chosen = int(value) if value.isdecimal() and len(value) < 4 else value
        if name not in CHOICES or chosen not in CHOICES[name]:
            self.say(f"there is no option '{name} {value}'; o lists all of them")
            return
        self.session.choose(self.session.settings.change(**{name: chosen}))
        self.say(f"{name} is {chosen}; sizes and goals are for new boards: n {self._size()}")

    def _size(self) -> str:
        rows, cols = self.session.settings.shape
        return f"{rows}x{cols}"

    def _introduce(self) -> None:
        self._hints = 0
        game = self.game
        rows, cols = game.start.shape
        name = goals.name_of(game.goal)
        self.say(f"{rows}×{cols}, to be brought into order ({name or game.goal}); ? shows help")
        for note in self.session.told():
            self.say(f"note: {note}")
        self.say(drawing(game.board, game.goal))
        if game.moves:
            self.say(f"{count(len(game.moves), 'move')} made")


def _shape(text: str) -> tuple[int, int]:
    try:
        shape: tuple[int, int] = ShapeType().convert(text, None, None)
    except click.BadParameter as error:
        raise OptionError(error.message) from None
    return check_playable(shape)


def _is_board(line: str) -> bool:
    """Whether a line is meant as a board: it has rows, or a list of tiles with the blank."""
    numbers = re.findall(r"\d+", line)
    return "/" in line or (len(numbers) > 3 and "0" in numbers)
