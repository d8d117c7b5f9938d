"""What a player has chosen: kept in a file, forgiving towards what is in it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from . import goals
from .board import Shape
from .errors import OptionError
from .moves import CONVENTIONS
from .palette import SCHEMES

SIDES = tuple(range(2, 11))
"""How many rows and columns can be chosen."""

CHOICES: dict[str, tuple[Any, ...]] = {
    "rows": SIDES,
    "cols": SIDES,
    "goal": tuple(goals.NAMED),
    "direction": CONVENTIONS,
    "appearance": ("auto", "dark", "light"),
    "colors": (*SCHEMES, "outlines"),
    "figures": ("shown", "hidden"),
}
"""What there is to choose from; what is not in the list is not a setting."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices, each one of `CHOICES`.

    >>> Settings().shape, Settings().change(rows=3).shape
    ((4, 4), (3, 4))
    """

    rows: int = 4
    cols: int = 4
    goal: str = goals.DEFAULT
    direction: str = "tile"
    """What an arrow key moves: the tile, or the blank."""
    appearance: str = "auto"
    """Light, dark, or as the terminal is."""
    colors: str = "plain"
    """By what the tiles are coloured."""
    figures: str = "shown"
    """Whether lower bounds and the optimum are shown during the game."""

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            value = getattr(self, name)
            if type(value) is not type(known[0]) or value not in known:
                raise OptionError(f"the setting {name} can't be {value!r}")

    @property
    def shape(self) -> Shape:
        return self.rows, self.cols

    def change(self, **choices: Any) -> Settings:
        """The settings with some of them changed."""
        return replace(self, **choices)

    def step(self, name: str, by: int) -> Settings:
        """The settings with one of them changed to its next choice, or the one before.

        >>> Settings().step("goal", 1).goal, Settings().step("goal", -1).goal
        ('blank-first', 'snail')
        """
        known = CHOICES[name]
        place = known.index(getattr(self, name)) + by
        return self.change(**{name: known[place % len(known)]})

    def save(self, path: Path) -> None:
        """Write the file; the old one stays if that fails."""
        from . import files

        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(asdict(self), indent=2) + "\n"
        files.write(path, lambda beside: beside.write_text(text, encoding="utf-8"))


def load(path: Path) -> tuple[Settings, str]:
    """The settings in a file, and what is wrong with it in words; what is wrong is left out."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings(), ""
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else "this is not JSON"
        return Settings(), f"{path}: {reason}; the usual settings are used"
    if not isinstance(data, dict):
        return Settings(), f"{path}: this is no list of settings; the usual ones are used"
    settings, wrong = Settings(), []
    for field in fields(Settings):
        if field.name in data:
            try:
                settings = settings.change(**{field.name: data[field.name]})
            except OptionError as error:
                wrong.append(str(error))
    return settings, f"{path}: {'; '.join(wrong)}" if wrong else ""
