"""Readers of other formats: they see the folder of a file, say what they left out, and give names that formulas can have."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.formats import names
from linkwork.formats.base import Document, Format, SourceText
from linkwork.formats.names import changed, model_names


def read_legs(source: SourceText) -> Document:
    """Lines such as ``link left-shin from hip to left-knee``; masses stand in a file beside it; colours are left out."""
    rows = [(number, line.split()) for number, line in enumerate(source.text.splitlines(), 1) if line.strip()]
    assert source.folder is not None
    masses = dict(line.split() for line in (source.folder / "masses.txt").read_text(encoding="utf-8").splitlines())
    named = model_names(row[1] for _, row in rows if row[0] in ("point", "link"))
    data: dict = {"space": "planar", "gravity": [0, -9.81], "points": {}, "bodies": {}, "joints": {}}
    lines, notes = {}, []
    for number, row in rows:
        match row:
            case ["point", name, x, y]:
                data["points"][named[name]] = [float(x), float(y)]
            case ["link", name, "from", first, "to", second]:
                path = f"bodies.{named[name]}"
                data["bodies"][named[name]] = {"bar": [named[first], named[second]], "mass": masses[name]}
                before = [body for body, bar in data["bodies"].items() if bar["bar"][1] == named[first]]
                data["joints"][named[first]] = {"kind": "revolute", "bodies": [*(before or ["ground"]), named[name]]}
                lines[path] = number
            case ["colour", name, _]:
                notes.append(f"the colour of {name} is left out")
    return Document(data, lines, notes=tuple(notes), renames=changed(named))


LEGS = Format("Legs", (".legs",), read_legs, lambda data: "")
TEXT = """\
point hip 0 0
point left-knee 0.1 -0.4
point left.knee 0.3 -0.8
link left-thigh from hip to left-knee
link 2nd from left-knee to left.knee
colour 2nd red
"""


@pytest.fixture
def legs(tmp_path: Path) -> Iterator[Path]:
    lw.register(LEGS)
    (tmp_path / "masses.txt").write_text("left-thigh 8\n2nd 4\n", encoding="utf-8")
    (tmp_path / "a.legs").write_text(TEXT, encoding="utf-8")
    yield tmp_path / "a.legs"
    lw.formats.ALL.remove(LEGS)


def test_a_file_with_names_of_its_own_moves_as_the_same_model_by_hand(legs: Path) -> None:
    model = lw.load(legs)
    assert set(model.bodies) == {"left_thigh", "_2nd"}
    by_hand = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"hip": [0, 0], "knee": [0.1, -0.4], "toe": [0.3, -0.8]},
        bodies={"thigh": {"bar": ["hip", "knee"], "mass": 8}, "shin": {"bar": ["knee", "toe"], "mass": 4}},
        joints={
            "hip": {"kind": "revolute", "bodies": ["ground", "thigh"]},
            "knee": {"kind": "revolute", "bodies": ["thigh", "shin"]},
        },
    )
    found, wanted = (lw.simulate(each, until=1.0, step=0.1) for each in (model, by_hand))
    np.testing.assert_allclose(found["left_knee_2.y"], wanted["toe.y"], rtol=0, atol=1e-9)
    assert np.ptp(wanted["toe.y"]) > 0.01


def test_what_was_renamed_and_left_out_stands_in_every_report(legs: Path) -> None:
    model = lw.load(legs)
    told = (
        "the colour of 2nd is left out",
        "names that are others in formulas and tables: left_knee ('left-knee'), left_knee_2 ('left.knee'), "
        "left_thigh ('left-thigh'), _2nd ('2nd')",
    )
    assert model.notes == told[:1]
    assert model.remarks[:2] == told
    assert "left-thigh" in lw.dump(model)
    assert all(note in " ".join(str(lw.analyse(model)).split()) for note in told)
    assert lw.loads(lw.dump(model)) == model


def test_faults_name_what_stands_in_the_file(legs: Path) -> None:
    legs.with_name("masses.txt").write_text("left-thigh 8\n2nd -4\n", encoding="utf-8")
    with pytest.raises(lw.errors.ModelError, match=r"bodies\._2nd\.mass: line 5: .*\('2nd' in the file\)"):
        lw.load(legs)


def test_names_stay_apart_and_sound_ones_stay() -> None:
    assert doctest.testmod(names).failed == 0
    given = ["a-b", "a_b", "a b", "sin", "ground", "", "é"]
    found = model_names(given)
    assert found["a_b"] == "a_b"
    assert len(set(found.values())) == len(given)
    assert changed(found) == {new: old for old, new in found.items() if old != "a_b"}
    lw.Model(
        space="planar", points={name: [0, 0] for name in found.values()}, bodies={"x": {"points": ["a_b"], "mass": 1}}
    )


@pytest.mark.parametrize("notes", ["one text", [1], {"a": "b"}])
def test_notes_are_a_list_of_texts(notes: object) -> None:
    with pytest.raises(lw.errors.ModelError, match=r"notes: .* is not a list of texts"):
        lw.Model(space="planar", points={"O": [0, 0]}, bodies={"x": {"points": ["O"], "mass": 1}}, notes=notes)
