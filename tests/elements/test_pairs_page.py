"""The tables of the page on contact say what the source has for every pair."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from linkwork.algebra.space import PLANAR, SPATIAL, Space
from linkwork.elements.shapes.pairs import PLANAR_WORDS, SPATIAL_WORDS, offers

PAGE = (Path(__file__).parents[2] / "docs" / "theory" / "contact.md").read_text(encoding="utf-8")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|\n").split("|")]


@pytest.mark.parametrize(("space", "head"), [(SPATIAL, "in space"), (PLANAR, "in the plane")])
def test_the_page_has_what_pairs_offer(space: Space, head: str) -> None:
    table = re.search(rf"^\| {head} \|.*?(?=\n\n)", PAGE, re.MULTILINE | re.DOTALL)
    assert table is not None
    first, _, *rows = (cells(line) for line in table.group().splitlines())
    told = set()
    for row in rows:
        for column, cell in zip(first[1:], row[1:], strict=True):
            words = tuple(re.findall("expression|kernel|conditions", cell))
            for one in row[0].split(", "):
                for other in column.split(", "):
                    if cell:
                        assert offers(space, one, other) == offers(space, other, one) == words
                        told |= {(one, other), (other, one)}
    known = SPATIAL_WORDS if space is SPATIAL else PLANAR_WORDS
    silent = {(one, other) for one in known for other in known} - told
    assert all(not offers(space, *pair) for pair in silent)
