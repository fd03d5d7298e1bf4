"""Outputs and definitions put together what fits: quantities of the state are known by what they measure."""

from __future__ import annotations

from typing import Any

import pytest

import linkwork as lw
from linkwork.algebra.unit_texts import read_unit
from linkwork.errors import ModelError
from linkwork.model.state_units import state_units


def upright(**more: Any) -> lw.Model:
    return lw.Model(
        space="spatial",
        parameters={"L": "2 m", "c": 3},
        points={"O": [0, 0, 0], "X": [1, 0, 0], "W": [1, 1, 0]},
        bodies={"upright": {"points": ["O", "X", "W"], "mass": 1, "com": [0, 0, 0], "inertia": [1, 1, 1]}},
        joints={"lo": {"kind": "cylindrical", "bodies": ["ground", "upright"], "at": "O", "axis": [0, 0, 1]}},
        groups={"all": ["upright"]},
        **more,
    )


REFUSED = {
    "upright.X.z + 3 kg": "a length and a mass cannot be added",
    "asin((upright.X.z - upright.W.z)*100 mm)": r"the argument of asin\(...\) is a pure number or an angle, not an area",
    "lo.angle + upright.X.z": "an angle and a length cannot be added",
    "lo.angle - lo.position": "an angle and a length cannot be subtracted",
    "max(lo.angle_rate, upright.X.z)": "an angular speed and a length cannot stand together",
    "if(upright.X.z > lo.angle, 1, 2)": "a length and an angle cannot be compared",
    "mass.total + energy.kinetic": "a mass and a torque or an energy cannot be added",
    "upright.wx + upright.alphax": "an angular speed and an angular acceleration cannot be added",
    "upright.X.vz - L": "a speed and a length cannot be subtracted",
}
TAKEN = (
    "upright.X.z + 3",
    "upright.X.z + 3 mm",
    "asin((upright.X.z - upright.W.z)/(100 mm))",
    "c*upright.X.z + lo.angle",
    "2*upright.X.z + lo.angle",
    "lo.angle + 90 deg",
    "sin(t) + sin(lo.angle)",
    "exp(-t)*upright.X.z",
    "upright.q0 + upright.q1",
    "upright.wx*upright.X.x - upright.X.vy",
    "energy.kinetic - angular_momentum.z*upright.wz/2",
    "inertia.xx - mass.total*upright.X.z^2",
    "angular_momentum.x - momentum.x*upright.X.x",
    "all.centre_of_mass.vx*mass.total - momentum.x",
    "sqrt(upright.X.x^2 + upright.X.y^2) - lo.position",
)


@pytest.mark.parametrize("formula", REFUSED)
def test_what_does_not_fit_is_refused_in_words(formula: str) -> None:
    for section in ("outputs", "definitions"):
        with pytest.raises(ModelError, match=REFUSED[formula]) as told:
            upright(**{section: {"q": formula}})
        assert [fault.path for fault in told.value.faults] == [f"{section}.q"]


@pytest.mark.parametrize("formula", TAKEN)
def test_what_fits_or_cannot_be_known_is_taken(formula: str) -> None:
    upright(outputs={"q": formula}, definitions={"d": formula})


def test_an_output_does_not_repeat_the_fault_of_a_definition() -> None:
    with pytest.raises(ModelError) as told:
        upright(definitions={"d": "lo.angle + upright.X.z"}, outputs={"q": "d*2"})
    assert [fault.path for fault in told.value.faults] == ["definitions.d"]
    with pytest.raises(ModelError, match="a length and a mass") as told:
        upright(definitions={"d": "upright.X.z"}, outputs={"q": "d + 1 kg"})


PLANAR = {
    "space": "planar",
    "points": {"O": [0, 0], "A": [1, 0], "B": [2, 0.5]},
    "bodies": {
        "crank": {"bar": ["O", "A"], "mass": 1},
        "rod": {"bar": ["A", "B"], "mass": 1},
        "slider": {"points": ["B"], "mass": 1},
    },
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
        "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
        "B": {"kind": "revolute", "bodies": ["rod", "slider"]},
        "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": "B", "axis": [1, 0]},
    },
}


@pytest.mark.parametrize("name", ["planar", "spatial"])
def test_units_are_those_that_results_give(name: str) -> None:
    """Of all quantities of a run whose names formulas know."""
    model = lw.Model(**PLANAR) if name == "planar" else upright()
    result = lw.simulate(model, until=0.01)
    found = state_units(model, result.names())
    compared = [item for item in found if result.quantity(item).unit]
    assert len(compared) > 60
    for item in compared:
        assert found[item].exponents == read_unit(result.quantity(item).unit).exponents, item
