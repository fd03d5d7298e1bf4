"""A relation from outside whose unknowns have inertia: a point mass on a guide of a body, against a body in a slot there.

The unknowns are the place of the mass in the axes of the ground, T = ½ m (ẋ² + ẏ²); one condition keeps it on the guide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import casadi as ca
import numpy as np
import pytest

import linkwork as lw
from linkwork import testing
from linkwork.arrays import Array
from linkwork.elements.contribution import Condition, Contribution, Load, Place, Placement, Reading, Unknown
from linkwork.elements.relations.base import Relation
from linkwork.errors import RefusedError
from linkwork.model.fields import ElementName, Value
from linkwork.model.relations.base import RelationElement, Sketch

GRAVITY, KINDS = 9.81, ("relative", "natural", "reference_point", "mixed")
TIGHT = {"rtol": 1e-11, "atol": 1e-12}


@dataclass(frozen=True, eq=False)
class OnGuide(Relation):
    """A mass on the line along x of a body through a place of it, drawn to that place by a spring."""

    kind: ClassVar[str] = "guided_mass"

    origin: Place
    mass: ca.SX
    stiffness: ca.SX
    begin: ca.SX

    @property
    def bodies(self) -> tuple[str, ...]:
        return "ground", self.origin.body

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return Unknown("x", True, self.mass), Unknown("y", True, self.mass)

    def contribute(self, at: Placement) -> Contribution:
        place, origin = at.frames["ground"].point(at.own), self.origin.world(at.frames)
        gap = place - origin
        pull = self.stiffness * gap
        return Contribution(
            (Condition("across", ca.dot(at.frames[self.origin.body].axis(1), gap), "push"),),
            loads=(Load(self.origin.body, origin, pull, ca.SX(1, 1)),),
            own_forces=(-pull[0], -pull[1] - GRAVITY * self.mass),
            potential=self.stiffness * ca.dot(gap, gap) / 2 + GRAVITY * self.mass * place[1],
            readings={axis: Reading("m", f"{axis} of the mass", place[i]) for i, axis in enumerate("xy")},
        )

    def start(self, space: Any, frames: Any, number: Any) -> Array:
        along = frames[self.origin.body].vector(ca.vertcat(self.begin, 0))
        return np.ravel(number(self.origin.world(frames) + along))


class GuidedMass(RelationElement):
    """A mass on a guide."""

    kind: Literal["guided_mass"] = "guided_mass"
    at: ElementName
    mass: Value
    stiffness: Value
    begin: Value

    def relate(self, sketch: Sketch) -> OnGuide:
        numbers = (sketch.value(item) for item in (self.mass, self.stiffness, self.begin))
        return OnGuide(sketch.place(self.at), *numbers)


def pendulum() -> dict[str, Any]:
    return {
        "space": "planar",
        "gravity": [0, -GRAVITY],
        "points": {"O": [0, 0], "A": [0.5, 0], "B": [0.7, 0]},
        "bodies": {"rod": {"points": ["O", "A"], "mass": 2, "inertia": 0.1, "com": [0.3, 0]}},
        "joints": {"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        "initial": {"O": {"speed": 1.0}},
    }


def four_bar() -> dict[str, Any]:
    """The rod, held by a coupler and a rocker."""
    rest = pendulum()
    rest["points"] |= {"C": [1.2, 0.8], "D": [1.3, -0.2]}
    rest["bodies"] |= {
        "coupler": {"bar": ["A", "C"], "mass": 1},
        "rocker": {"bar": ["C", "D"], "mass": 1},
    }
    rest["joints"] |= {
        "A": {"kind": "revolute", "bodies": ["rod", "coupler"]},
        "C": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
        "D": {"kind": "revolute", "bodies": ["ground", "rocker"]},
    }
    return rest


def pair(parts: dict[str, Any]) -> tuple[lw.Model, lw.Model]:
    """The mass as a relation, and as a body in a slot."""
    lw.register(GuidedMass)
    mass = {"kind": "guided_mass", "at": "rod.A", "mass": "m", "stiffness": 60, "begin": 0.2}
    live = {"m": {"value": 0.5, "live": True}}
    own = lw.Model(**parts).with_(parameters=live, relations={"bead": mass})
    body = lw.Model(**parts).with_(
        parameters=live,
        bodies={"bead": {"points": ["B"], "mass": "m", "inertia": 0, "com": "B"}},
        joints={"slot": {"kind": "prismatic", "bodies": ["rod", "bead"], "at": "B", "axis": [1, 0]}},
        forces={"spring": {"kind": "spring", "between": ["rod.A", "bead.B"], "stiffness": 60, "free_length": 0}},
    )
    return own, body


@pytest.mark.matrix("formulation")
@pytest.mark.parametrize("parts", [pendulum, four_bar])
@pytest.mark.parametrize("formulation", ["hybrid", "multipliers", "partitioning", "r_method", "augmented_lagrangian"])
def test_a_mass_on_a_guide_moves_and_pushes_as_a_body_does(parts: Any, formulation: str) -> None:
    own, body = pair(parts())
    expected = lw.simulate(body, 1.0, step=0.05, formulation="partitioning", **TIGHT)
    assert np.ptp(expected["slot.position"]) > 0.1
    for kind in KINDS if formulation != "hybrid" else ("relative",):
        result = lw.simulate(own, 1.0, step=0.05, coordinates=kind, formulation=formulation, **TIGHT)
        for name in ("bead.x", "bead.y", "rod.x", "O.angle"):
            assert np.abs(result[name] - expected[name]).max() < 1e-9, (kind, name)
        assert result["energy.kinetic"] == pytest.approx(expected["energy.kinetic"], abs=1e-8)
        assert result["O.fx"] == pytest.approx(expected["O.fx"], abs=1e-6)
        assert result["bead.push"] == pytest.approx(_push(expected), abs=1e-6)
        assert result.audit.passed
        assert "energy" in result.audit


def _push(run: Any) -> Array:
    """What the slot pushes with, across the rod."""
    angle = run["O.angle"]
    return np.asarray(-np.sin(angle) * run["slot.fx"] + np.cos(angle) * run["slot.fy"])


def test_its_inertia_counts_where_positions_and_speeds_are_found() -> None:
    """Frequencies, a heavier mass by a live parameter, checks of strangers' elements, and what a plan says of it."""
    own, body = pair(four_bar())
    testing.check_elements(own)
    first, second = (
        sorted(abs(mode.eigenvalue.imag) for mode in lw.modes(lw.find_equilibrium(model)).modes)
        for model in (own, body)
    )
    assert first == pytest.approx(second, rel=1e-6)
    ends = [lw.simulate(model, 0.5, step=0.1, parameters={"m": 3.0}, **TIGHT)["O.angle"] for model in (own, body)]
    assert np.abs(ends[0] - ends[1]).max() < 1e-9
    assert "none: unknowns of relations have inertia (bead)" in str(lw.analyse(own))
    assert lw.analyse(own).mobility.free == 2


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"unknowns": (Unknown("x", True, ca.SX(0)), Unknown("y", True, ca.SX(1)))},
            "the mass of its unknown 'x' is 0",
        ),
        ({"forces": (ca.SX(1),)}, "has 1 own_forces; they are one for each unknown of a relation, and it has 2"),
    ],
)
def test_what_is_no_inertia_and_no_force_is_refused(
    changes: dict[str, Any], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, _ = pair(pendulum())
    if "unknowns" in changes:
        monkeypatch.setattr(OnGuide, "unknowns", changes["unknowns"])
    else:
        usual = OnGuide.contribute
        monkeypatch.setattr(
            OnGuide, "contribute", lambda self, at: replace(usual(self, at), own_forces=changes["forces"])
        )
    with pytest.raises(RefusedError, match=f"'bead': .*{reason}"):
        lw.number(own.with_(name="wrong"), "relative")
