"""What users import: every name is there, says what it is, and stands in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import linkwork as lw

PAGE = (Path(__file__).parents[1] / "docs" / "api" / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", lw.__all__)
def test_a_name_is_there_and_documented(name: str) -> None:
    found = getattr(lw, name)
    if isinstance(found, type) or callable(found):
        assert (found.__doc__ or "").strip(), f"{name} does not say what it is"
    assert re.search(rf"\b{name}\b", PAGE), f"{name} is not in docs/api/index.md"


def test_a_name_is_listed_once() -> None:
    assert len(set(lw.__all__)) == len(lw.__all__)
    assert set(lw.__all__) <= set(dir(lw))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        lw.simulat  # noqa: B018
