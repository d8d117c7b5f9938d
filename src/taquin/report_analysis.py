"""How the analysis of a game looks: a few words, the moves, the costliest mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .analysis import Analysis, Mistake, Step
from .board import Move
from .report import bold, count, figure_table, has_color, moves_word, print_table, style

_GROUP, _GROUPS = 10, 5
"""Moves that stand together, and how many such groups stand in a line."""

_SHOWN_MOVES = 12
"""Letters of a way that are shown of it."""

_PLAIN = str.maketrans({"→": "->", "–": "-", "…": "..."})


def show(analysis: Analysis, most: int, steps: bool) -> None:
    """Print an analysis, with its costliest mistakes or with every step."""
    for line in summary_lines(analysis):
        print(line)
    if analysis.known:
        print()
        for line in move_lines(analysis):
            print(line)
    if steps and analysis.steps:
        print()
        _print_steps(analysis)
    elif analysis.mistakes and most:
        print()
        _print_mistakes(analysis, analysis.mistakes[:most])
        if len(analysis.mistakes) > most:
            print(_writable(f"… and {len(analysis.mistakes) - most:,} more"))


def summary_lines(analysis: Analysis) -> Iterator[str]:
    replay = analysis.replay
    took = "" if replay.seconds is None else f" in {replay.seconds:.3f} s"
    state = "solved" if replay.solved else "not solved"
    yield bold(f"{state}: {moves_word(replay.length)}{took}")
    if analysis.optimum is not None:
        yield f"the shortest way from the first board has {moves_word(analysis.optimum)}"
    if not analysis.known:
        if analysis.steps:
            yield f"nothing is known of these moves: {analysis.reason}"
        return
    of_these = ""
    if analysis.known < replay.length:
        first = next(step.number for step in analysis.steps if step.lost is not None)
        yield f"what the moves lost is known from move {first:,} on: {analysis.reason}"
        of_these = f"of these {analysis.known:,}, "
    if analysis.mistakes:
        by = count(len(analysis.mistakes), "mistake")
        yield f"{of_these}{moves_word(analysis.lost)} lost by {by}"
    else:
        yield f"{of_these}none was lost"


def move_lines(analysis: Analysis) -> Iterable[str]:
    """The moves, as far as they are known; those that lost something in small letters."""
    known = [step for step in analysis.steps if step.lost is not None]
    if any(step.lost for step in known):
        yield "the moves (in small letters: off every shortest way)"
    width = len(str(known[-1].number))
    for start in range(0, len(known), _GROUP * _GROUPS):
        line = known[start : start + _GROUP * _GROUPS]
        groups = [line[i : i + _GROUP] for i in range(0, len(line), _GROUP)]
        letters = " ".join("".join(map(_letter, group)) for group in groups)
        yield f"{line[0].number:>{width}}  {letters}"


def _letter(step: Step) -> str:
    if not step.lost:
        return str(step.move)
    return f"\x1b[31m{step.move.lower()}\x1b[0m" if has_color() else step.move.lower()


def _print_mistakes(analysis: Analysis, mistakes: Sequence[Mistake]) -> None:
    times = ["at"] if analysis.replay.times else []
    columns = ["moves", *times, "lost", "needed", "played", "best"]
    table = figure_table(columns, left=("played", "best"))
    for mistake in mistakes:
        row = analysis.steps[mistake.first - 1 : mistake.last]
        one = mistake.first == mistake.last
        table.add_row(
            str(mistake.first) if one else _writable(f"{mistake.first}–{mistake.last}"),
            *_clock(row[0]),
            str(mistake.lost),
            _writable(f"{row[0].before} → {row[-1].after}"),
            _way([step.move for step in row]),
            _way(mistake.instead),
        )
    print_table(table)


def _print_steps(analysis: Analysis) -> None:
    times = ["at"] if analysis.replay.times else []
    columns = ["number", *times, "move", "tile", "needed", "lost", "best"]
    table = figure_table(columns, left=("move", "best"))
    for step in analysis.steps:
        known = step.lost is not None
        table.add_row(
            str(step.number),
            *_clock(step),
            step.move,
            str(step.tile),
            _writable(f"{step.before} → {step.after}") if known else "?",
            str(step.lost) if known else "?",
            step.best if step.lost else "",
            style="red" if step.lost else None,
        )
    print_table(table)


def _way(moves: Sequence[Move]) -> str:
    more = "…" if len(moves) > _SHOWN_MOVES else ""
    return _writable("".join(moves[:_SHOWN_MOVES]) + more)


def _writable(text: str) -> str:
    """The text, in plain characters where the output can't carry others."""
    return text if style() == "box" else text.translate(_PLAIN)


def _clock(step: Step) -> list[str]:
    return [] if step.seconds is None else [f"{step.seconds:.3f} s"]
