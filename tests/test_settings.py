"""Settings are kept, and whatever is in the file does no harm."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.errors import OptionError
from taquin.settings import CHOICES, Settings, load

chosen = st.fixed_dictionaries({name: st.sampled_from(known) for name, known in CHOICES.items()})
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


def test_every_setting_has_choices() -> None:
    assert [field.name for field in fields(Settings)] == list(CHOICES)


@given(chosen)
def test_what_is_saved_is_loaded(tmp_path_factory: Any, choices: dict[str, Any]) -> None:
    path = tmp_path_factory.mktemp("settings") / "deep" / "settings.json"
    settings = Settings(**choices)
    settings.save(path)
    assert load(path) == (settings, "")


@given(st.sampled_from(list(CHOICES)), chosen)
def test_choices_go_round(name: str, choices: dict[str, Any]) -> None:
    settings = Settings(**choices)
    there = settings
    for _ in CHOICES[name]:
        there = there.step(name, 1)
    assert there == settings
    assert settings.step(name, 1).step(name, -1) == settings


@given(st.dictionaries(st.sampled_from([*CHOICES, "other"]), json_values) | json_values)
def test_nothing_in_the_file_does_harm(tmp_path_factory: Any, content: Any) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    settings, problem = load(path)
    assert isinstance(settings, Settings)
    assert isinstance(problem, str)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"7"])
def test_a_damaged_file_is_told_of(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    settings, problem = load(path)
    assert settings == Settings()
    assert str(path) in problem


def test_what_is_right_in_a_file_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"rows": 99, "cols": 5, "goal": "snail", "colors": true}')
    settings, problem = load(path)
    assert settings == Settings(cols=5, goal="snail")
    assert "rows can't be 99" in problem
    assert "colors can't be True" in problem


def test_no_file_is_no_problem(tmp_path: Path) -> None:
    assert load(tmp_path / "none.json") == (Settings(), "")
    assert load(tmp_path)[1]


def test_a_setting_is_one_of_its_choices() -> None:
    with pytest.raises(OptionError, match="the setting rows can't be 11"):
        Settings(rows=11)
    with pytest.raises(OptionError, match="can't be True"):
        Settings(rows=True)
