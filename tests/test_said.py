"""What goes wrong, told in every language of the page by its code."""

import re
from pathlib import Path
from typing import Any

import pytest
from browser import Visits
from hypothesis import given
from hypothesis import strategies as st

from taquin import TaquinError, notation
from taquin.server.limits import limits_for
from taquin.server.reading import Reader
from taquin.server.trouble import Refused, told

SOURCES = Path(notation.__file__).parent
LANGUAGES = ("en", "de", "zh-Hant")

NO_BOARDS = {
    "tile-twice": "1 2 3/4 5 5/7 8 0",
    "blank-twice": "1 2 3/4 0 5/7 8 0",
    "tile-missing": "1 2 3/4 5 6/7 9 0",
    "blank-missing": "1 2 3/4 5 6/7 8 9",
    "ragged": "1 2 3/4",
    "too-small": "0",
    "any-shape": "1 2 3 4 5 0",
    "ambiguous": "4 1 2 3 0",
    "no-text": "1 2\x00 3",
    "empty": "# nothing",
    "tile-large": "12345678901 1/2 0",
    "tile-negative": "-1 2/3 0",
    "no-tile": "1 2/3 {x}",
    "brackets-empty": "[[]]",
    "brackets-open": "[[1, 2], [3, 0]",
    "drawing-empty": "┌──┐",
    "other-size": "3\n1 2\n3 0",
    "no-hex": "hello",
    "cells": "/".join(" ".join(str(40 * row + col) for col in range(40)) for row in range(40)),
}
"""A text for each way to be no board."""


def trouble_with(text: str) -> Refused:
    reader = Reader(limits_for(strict=False))
    with pytest.raises(Refused) as refused:
        reader.board(text)
    return refused.value


def translated(page: Any, troubles: list[dict[str, Any]], language: str) -> list[str]:
    return page.evaluate(
        """async ([troubles, language]) => {
            const {said, useLanguage} = await import('/js/i18n.js');
            await useLanguage(language);
            return troubles.map(said);
        }""",
        [troubles, language],
    )


def test_every_way_to_be_no_board_is_told_in_every_language(visit: Visits) -> None:
    troubles = {code: trouble_with(text) for code, text in NO_BOARDS.items()}
    assert {code: trouble.code for code, trouble in troubles.items()} == {c: c for c in NO_BOARDS}
    page = visit()
    words = [told(trouble) for trouble in troubles.values()]
    english, *others = (translated(page, words, language) for language in LANGUAGES)
    assert [text.replace("’", "'") for text in english] == [told["error"] for told in words]
    for other in others:
        assert all("{" not in text.replace("{x}", "") for text in other)
        assert not set(other) & set(english)


@pytest.mark.parametrize(
    ("language", "twice", "gone"),
    [
        ("de-DE", "Stein 5 kommt zweimal vor (Felder 5 und 6)", "es gibt kein Spiel"),
        ("zh-TW", "方塊 5 出現兩次（第 5 格與第 6 格）", "沒有「"),
    ],
)
def test_the_page_tells_it_so(visit: Visits, language: str, twice: str, gone: str) -> None:
    visit.allowed.append("404")
    page = visit(language=language)
    page.locator(".actions button").first.click()
    page.locator("dialog textarea").fill("1 2 3/4 5 5/7 8 0")
    page.locator(".verdict[data-kind=bad]").get_by_text(twice).wait_for()
    told = page.evaluate(
        """import('/js/api.js')
            .then((api) => api.records.get('0123456789abcdef'))
            .catch((error) => error.message)"""
    )
    assert gone in told


@given(st.one_of(st.text(), st.text(alphabet="0123456789abx_.-/;,|[]()#+│ \n\t")))
def test_whatever_text_is_no_board_has_a_code(text: str) -> None:
    try:
        notation.recognise(text)
    except TaquinError as error:
        code = error.code
    else:
        code = None
    assert code in {None, *NO_BOARDS}


def test_every_code_has_words_and_all_words_have_a_code() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    codes = set(re.findall(r'\bcode="([a-z-]+)"', sources))
    ends = tuple(re.findall(r'"([a-z-]+)"', sources))
    for language in LANGUAGES:
        strings = (SOURCES / "web" / "strings" / f"{language}.js").read_text(encoding="utf-8")
        known = set(re.findall(r"^  'said\.([a-z-]+)':", strings, re.MULTILINE))
        assert codes <= known
        assert [code for code in known if not code.endswith(ends)] == []
