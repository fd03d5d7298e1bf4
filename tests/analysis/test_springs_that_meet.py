"""Springs and dampers whose ends lie on each other, at the start and on the way."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw

MECHANISMS = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
ARM, MASS, G, STIFFNESS, DAMPING = 0.5, 1.0, 9.81, 100.0, 3.0
INERTIA = MASS * ARM**2 / 3


def held_rod(**spring: Any) -> lw.Model:
    """A horizontal rod, its end on a point of the ground to which a spring ties it."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "P": [ARM, 0], "Q": [0.2 + 0.3, 0]},
        bodies={"rod": {"bar": ["O", "P"], "mass": MASS}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        forces={"S": {"kind": "spring", "between": ["P", "Q"], **spring}},
    )


def exact(damping: float = 0.0) -> float:
    """θ of the rod after 1 s: the length of the spring is 2 l sin(θ/2), its rate l cos(θ/2) θ̇."""

    def rates(t: float, y: np.ndarray) -> list[float]:
        resisting = damping * (ARM * np.cos(y[0] / 2)) ** 2 * y[1]
        pull = STIFFNESS * ARM**2 * np.sin(y[0])
        return [y[1], (-MASS * G * ARM / 2 * np.cos(y[0]) - pull - resisting) / INERTIA]

    return float(solve_ivp(rates, (0, 1), [0.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-13).y[0, -1])


@pytest.mark.matrix("integrator", "coordinates")
@pytest.mark.parametrize("coordinates", ["relative", "natural", "reference_point"])
@pytest.mark.parametrize("integrator", ["dop853", "radau5"])
@pytest.mark.parametrize("damping", [0.0, DAMPING])
def test_a_spring_of_no_free_length_pulls_where_its_ends_meet(
    coordinates: str, integrator: str, damping: float
) -> None:
    model = held_rod(stiffness=STIFFNESS, damping=damping, free_length=0)
    result = lw.simulate(model, until=1, step=0.5, coordinates=coordinates, integrator=integrator)
    assert result.outcome.completed
    assert result["O.angle"][-1] == pytest.approx(exact(damping), abs=1e-7)
    assert result["S.force"][0] == result["S.speed"][0] == 0.0


def test_small_motions_about_meeting_ends_are_those_of_spring_and_damper() -> None:
    found = lw.linearise(held_rod(stiffness=STIFFNESS, damping=DAMPING, free_length=0)).eigenvalues
    decay, square = DAMPING * ARM**2 / (2 * INERTIA), STIFFNESS * ARM**2 / INERTIA
    np.testing.assert_allclose(sorted(found.imag), [-np.sqrt(square - decay**2), np.sqrt(square - decay**2)], rtol=1e-9)
    np.testing.assert_allclose(found.real, -decay, rtol=1e-9)


@pytest.mark.parametrize("spring", [{"stiffness": 100, "free_length": 0.1}, {"force": "5 + length"}])
def test_a_force_without_a_direction_is_told_with_its_ends(spring: dict[str, Any]) -> None:
    told = r"force 'S' .*its ends 'P' and 'Q' meet.*no direction.*free_length of 0"
    result = lw.simulate(held_rod(**spring), until=1)
    assert result.outcome.element == "S"
    assert re.search(told, result.outcome.reason)
    with pytest.raises(lw.errors.EquilibriumError, match=told):
        lw.find_equilibrium(held_rod(**spring))


def test_a_cable_that_is_slack_needs_no_direction() -> None:
    result = lw.simulate(held_rod(stiffness=100, free_length=2.0, only="pull"), until=0.2)
    assert result.outcome.completed
    free = lw.simulate(held_rod(stiffness=0, damping=0), until=0.2)
    np.testing.assert_allclose(result["O.angle"], free["O.angle"], atol=1e-9)


KINDS = ["relative", "reference_point", "natural", "mixed"]
LINES = [
    {"kind": "spring", "stiffness": 40, "free_length": 0.07},
    {"kind": "spring", "force": "5 + length", "damping": 2.0},
    {"kind": "actuator", "signal": "3*cos(t)"},
]


@pytest.mark.matrix("coordinates")
@pytest.mark.parametrize("coordinates", KINDS)
@pytest.mark.parametrize("line", LINES)
def test_a_spring_whose_ends_never_part_moves_nothing_and_is_told(coordinates: str, line: dict[str, Any]) -> None:
    """Rings and rotor of a gyroscope have the point O in common, by a chain of two joints."""
    free = lw.load(MECHANISMS / "gyroscope.yaml")
    held = free.with_(forces={"S": {**line, "between": ["outer.O", "rotor.O"]}})
    told = "force S never acts: joints hold its ends outer.O and rotor.O together, so that it has no length"
    assert told in lw.analyse(held).remarks
    assert told in " ".join(str(lw.analyse(held)).split())
    runs = [lw.simulate(model, until=0.1, step=0.05, coordinates=coordinates) for model in (free, held)]
    assert all(run.outcome.completed and run.audit.passed for run in runs)
    np.testing.assert_allclose(runs[1]["inner.W.z"], runs[0]["inner.W.z"], rtol=1e-9, atol=1e-12)
    assert told in runs[1].notes
    assert np.all(runs[1]["S.length"] == 0.0)
    assert np.all(runs[1]["S.power"] == 0.0)


def test_ends_that_part_by_sliding_are_no_such_spring() -> None:
    """A slide along the ground at its own point, and a pin on that slide: only the pin holds its bodies together."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [ARM, 0]},
        bodies={"block": {"points": ["O"], "mass": MASS, "inertia": 0.1}, "rod": {"bar": ["O", "P"], "mass": MASS}},
        joints={
            "slide": {"kind": "prismatic", "bodies": ["ground", "block"], "at": "O", "axis": [1, 0]},
            "pin": {"kind": "revolute", "bodies": ["block", "rod"], "at": "O"},
        },
    )
    ends = {"S": ("block.O", "rod.O"), "T": ("ground.O", "rod.O"), "U": ("rod.P", "block.O")}
    springs = {
        name: {"kind": "spring", "between": pair, "free_length": 0, "stiffness": STIFFNESS}
        for name, pair in ends.items()
    }
    assert [
        name for name in ends if f"force {name} never acts" in str(lw.analyse(model.with_(forces=springs)).remarks)
    ] == ["S"]


def pinned_pair(ends: tuple[str, str], **spring: Any) -> lw.Model:
    """Two bars on pins, each with points of its own where the pins are."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0.3, 0.1], "B": [0.6, 0.0]},
        bodies={
            "a": {"bar": ["O", "A"], "mass": MASS, "points": {"M": ["sqrt(0.1)", 0], "N": [0, 0]}},
            "b": {"bar": ["A", "B"], "mass": MASS, "points": {"K": [0, 0]}},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "pin": {"kind": "revolute", "bodies": ["a", "b"], "at": "A"},
        },
        forces={"S": {"kind": "spring", "between": list(ends), "stiffness": STIFFNESS, **spring}},
    )


@pytest.mark.matrix("coordinates")
@pytest.mark.parametrize("coordinates", KINDS)
@pytest.mark.parametrize("ends", [("a.M", "b.A"), ("a.M", "b.K"), ("a.pin", "b.K"), ("ground.O", "a.N")])
def test_two_names_of_one_pinned_place_are_one_place(coordinates: str, ends: tuple[str, str]) -> None:
    """Places tell whether joints hold ends together, not names: reactions and energies are those without the spring."""
    held = pinned_pair(ends, free_length=0.1)
    free = held.with_(forces={"S": None})
    told = f"force S never acts: joints hold its ends {ends[0]} and {ends[1]} together, so that it has no length"
    runs = [lw.simulate(model, until=0.2, step=0.1, coordinates=coordinates) for model in (free, held)]
    assert all(run.outcome.completed and run.audit.passed for run in runs)
    assert told in runs[1].notes
    for name in ("O.fx", "pin.fy", "energy.total"):
        np.testing.assert_allclose(runs[1][name], runs[0][name], rtol=1e-7, atol=1e-9)


def hinged_in_space(kind: str, where: list[float], **joint: Any) -> lw.Model:
    """A door on a post, each with a point of its own at the same place of the sketch."""
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"H": [0, 0, 0], "E": [0.5, 0, 0.2]},
        bodies={
            "door": {
                "points": {"H": [0, 0, 0], "E": [0.5, 0, 0.2], "Q": where},
                "mass": MASS,
                "com": "E",
                "inertia": "point",
            },
            "handle": {
                "points": {"E": [0, 0, 0], "Q": [w - e for w, e in zip(where, (0.5, 0, 0.2), strict=True)]},
                "mass": 0.1,
                "com": [0, 0, 0.1],
                "inertia": [0.01, 0.01, 0.01],
            },
        },
        joints={
            "H": {"kind": "revolute", "bodies": ["ground", "door"], "axis": [1, 0, 0]},
            "E": {"kind": kind, "bodies": ["door", "handle"], **joint},
        },
        forces={"S": {"kind": "spring", "between": ["door.Q", "handle.Q"], "stiffness": STIFFNESS, "free_length": 0.1}},
    )


@pytest.mark.parametrize(
    ("kind", "where", "joint", "together"),
    [
        ("revolute", [0.5, 0, 0.7], {"axis": [0, 0, 1]}, True),  # on its axis
        ("revolute", [0.9, 0, 0.7], {"axis": [0, 0, 1]}, False),
        ("revolute", [0.7, 0, 0.4], {"axis": [1, 0, 1]}, True),  # on an axis that is turned by 45 degrees
        ("fixed", [0.9, 0.3, 0.7], {}, True),
        ("spherical", [0.5, 0, 0.2], {}, True),
        ("spherical", [0.5, 0, 0.7], {}, False),
        ("cylindrical", [0.5, 0, 0.7], {"axis": [0, 0, 1]}, False),  # it slides along
        ("universal", [0.5, 0, 0.7], {"axes": [[0, 0, 1], [1, 0, 0]]}, False),
    ],
)
def test_joints_in_space_hold_what_no_freedom_of_theirs_moves(
    kind: str, where: list[float], joint: dict[str, Any], together: bool
) -> None:
    told = lw.analyse(hinged_in_space(kind, where, **joint)).remarks
    assert any("force S never acts" in remark for remark in told) == together


def test_places_that_a_live_parameter_parts_are_two() -> None:
    model = pinned_pair(("a.M", "b.A"))
    parted = model.with_(
        parameters={"d": {"value": "sqrt(0.1)", "live": True}},
        bodies={"a": model.bodies["a"].with_(points={"M": ["d", 0], "N": [0, 0]})},
    )
    assert not lw.analyse(parted).remarks
    assert lw.analyse(model).remarks
