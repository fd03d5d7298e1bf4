"""The page of words: sorted, each word once, each where it says, and each in use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "linkwork"
PAGE = ROOT / "docs" / "theory" / "glossary.md"
ROWS = re.findall(r"^\| ([a-z ]+) \| (.+) \| `([\w/.]+)` \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_words_are_sorted_and_stand_there_once() -> None:
    words = [word for word, _, _ in ROWS if word != "word"]
    assert len(words) > 60
    assert words == sorted(set(words))


@pytest.mark.parametrize(("word", "meaning", "home"), ROWS, ids=[word for word, _, _ in ROWS])
def test_a_word_lives_where_the_page_says(word: str, meaning: str, home: str) -> None:
    place = SOURCE / home
    assert place.exists(), f"there is no {home}"
    files = [place] if place.is_file() else sorted(place.rglob("*.py"))
    text = "\n".join(
        re.sub(r"(?<=[a-z])(?=[A-Z])", " ", file.read_text(encoding="utf-8")) + file.stem for file in files
    )
    text = text.lower().replace("_", " ")
    assert re.search(rf"\b{word[:-1] if word.endswith('y') else word}", text), f"{home} does not speak of '{word}'"


def test_the_page_is_linked_from_where_people_begin() -> None:
    assert "glossary" in (ROOT / "docs" / "theory" / "index.md").read_text(encoding="utf-8")
    assert "glossary.md" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
