"""The sections of a model stand in one table: models, drafts, checks, reports, files and the documentation agree with it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.model.reading import DraftModel
from linkwork.model.sections import KEYS, SECTIONS

PAGE = (Path(__file__).parents[2] / "docs" / "model.md").read_text(encoding="utf-8")
HEAD = {"linkwork": 1, "space": "planar"}


def test_a_model_and_its_draft_have_these_sections_in_this_order() -> None:
    assert tuple(lw.Model.model_fields) == KEYS
    assert [field.name for field in fields(DraftModel)][: len(KEYS) - 1] == list(KEYS[1:])


def test_the_page_of_the_model_file_has_a_line_for_each() -> None:
    table = PAGE.split("| key |", 1)[1].split("\n\n", 1)[0]
    firsts = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    assert [key for cell in firsts for key in re.findall(r"\w+", cell)] == list(KEYS)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)
def test_what_is_no_mapping_is_told_with_an_example(section) -> None:
    with pytest.raises(lw.errors.ModelError) as told:
        lw.Model(**HEAD, **{section.name: 3})
    (fault,) = [fault for fault in told.value.faults if fault.path == section.name and "mapping" in fault.reason]
    assert fault.suggestion == f"write {section.name}: {section.example}"


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)
def test_names_that_users_give_are_checked(section) -> None:
    with pytest.raises(lw.errors.ModelError) as told:
        lw.Model(**HEAD, **{section.name: {"left.knee": {}}})
    misspelt = [fault for fault in told.value.faults if "is not a valid name" in fault.reason]
    assert [fault.path for fault in misspelt] == [f"{section.name}.left.knee"] * section.named


@pytest.mark.parametrize(
    "section", [section for section in SECTIONS if section.kinds], ids=lambda section: section.name
)
def test_kinds_are_those_that_a_model_may_have(section) -> None:
    with pytest.raises(lw.errors.ModelError) as told:
        lw.Model(**HEAD, **{section.name: {"x": {"kind": "nothing_of_the_sort"}}})
    (fault,) = [fault for fault in told.value.faults if fault.path == f"{section.name}.x.kind"]
    assert all(kind in fault.reason for kind in section.kinds or ())
