"""Rotors that joints drive by gears, against bodies with joints and couplings of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from combinations import every_combination, every_kind

import linkwork as lw
from linkwork.equations.inverse.ways import ALL_INVERSE_METHODS
from linkwork.errors import LinkworkError, ModelError

TIGHT: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-13}
AXIS = [2.0, -1.0, 2.0]  # of the rotor in the first link, of length 3
ROTOR, MASS = 4e-4, 0.5
HAND = {"mass": 1, "com": [0.2, 0.1, 0], "inertia": [0.01, 0.02, 0.03]}
LOCAL = np.array([0.3, 0.1, 0.05])  # where the rotor sits in the first link


def of_rotor(axial: float, across: float) -> np.ndarray:
    u = np.array(AXIS) / 3
    return across * (np.eye(3) - np.outer(u, u)) + axial * np.outer(u, u)


def arm(real: bool, *, on_ground: bool = False, ratio: float = 40.0) -> lw.Model:
    """Two links in space; the first carries a rotor, or the ground does, which turns with the second hinge.

    real: the rotor is a body on a hinge, coupled to the joint
    """
    link, rotor = np.diag([0.02, 0.05, 0.04]), of_rotor(ROTOR, 3e-4)
    mass, com = 2.0, np.array([0.25, 0, 0])
    whole, inertia = mass, link
    if not real and not on_ground:
        whole = mass + MASS
        centre = (mass * com + MASS * LOCAL) / whole
        inertia = link + rotor
        for m, r in ((mass, com), (MASS, LOCAL)):
            d = r - centre
            inertia = inertia + m * (d @ d * np.eye(3) - np.outer(d, d))
        com = centre
    first = {"mass": whole, "com": com.tolist(), "inertia": inertia.tolist()}
    bodies: dict[str, Any] = {
        "first": {"origin": [0, 0, 0], "points": {"O": [0, 0, 0], "A": [0.5, 0, 0], "R": LOCAL.tolist()}, **first},
        "second": {
            "origin": [0.5, 0, 0],
            "points": {"A": [0, 0, 0]},
            "mass": 1,
            "com": [0.2, 0.1, 0],
            "inertia": [0.01, 0.02, 0.03],
        },
    }
    joints: dict[str, Any] = {
        "O": {"kind": "revolute", "bodies": ["ground", "first"], "at": ["O", "O"], "axis": [0, 1, 1]},
        "A": {"kind": "revolute", "bodies": ["first", "second"], "at": ["A", "A"], "axis": [1, 2, 0]},
    }
    load, hold = (
        {"kind": "effort", "joint": joint, "value": text} for joint, text in (("O", "3*cos(4*t)"), ("A", "t"))
    )
    more: dict[str, Any] = {"forces": {"load": load, "hold": hold}}
    carrier, joint = ("ground", "O") if on_ground else ("first", "A")
    if real:
        bodies["rotor"] = {
            "origin": LOCAL.tolist(),
            "points": {"R": [0, 0, 0]},
            "mass": MASS,
            "com": "R",
            "inertia": rotor.tolist(),
        }
        joints["R"] = {"kind": "revolute", "bodies": [carrier, "rotor"], "at": ["R", "R"], "axis": AXIS}
        terms = [{"joint": "R", "factor": 1}, {"joint": joint, "factor": -ratio}]
        more["couplings"] = {"gear": {"kind": "linear", "terms": terms}}
    else:
        inside = {"kind": "rotor", "body": carrier, "axis": AXIS, "inertia": ROTOR, "joint": joint, "ratio": ratio}
        more["forces"]["rotor"] = inside
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0], "R": LOCAL.tolist()},
        bodies=bodies,
        joints=joints,
        initial={"O": {"speed": 1.0}, "A": {"speed": -2.0}},
        **more,
    )


def compare(one: lw.Result, other: lw.Result, size: float) -> None:
    for name in ("O.angle", "A.angle", "O.speed", "A.speed", "O.acceleration", "A.acceleration"):
        np.testing.assert_allclose(one[name], other[name], atol=size, err_msg=name)
    np.testing.assert_allclose(one["energy.kinetic"], other["energy.kinetic"], atol=size)
    for joint in ("O", "A"):
        for what in ("force", "moment"):
            found, expected = (getattr(run.reactions[joint], what) for run in (one, other))
            np.testing.assert_allclose(found, expected, atol=10 * size, err_msg=f"{joint} {what}")


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize("on_ground", [False, True], ids=["carried", "on the ground"])
@every_combination
def test_a_geared_rotor_moves_as_a_body_with_a_gear(coordinates: str, formulation: str, on_ground: bool) -> None:
    real = lw.simulate(arm(True, on_ground=on_ground), 0.6, step=0.02, **TIGHT)
    method = {"coordinates": coordinates, "formulation": formulation}
    inside = lw.simulate(arm(False, on_ground=on_ground), 0.6, step=0.02, **method, **TIGHT)
    compare(inside, real, 1e-9 * max(1.0, float(np.abs(real["A.acceleration"]).max())))
    np.testing.assert_allclose(inside["rotor.spin"], real["R.speed"], atol=1e-8)
    assert np.abs(inside["energy.balance"]).max() < 1e-8 and np.ptp(inside["rotor.spin"]) > 10
    if not on_ground:
        for name in ("momentum", "angular_momentum", "angular_momentum.centre_of_mass"):
            for axis in "xyz":
                np.testing.assert_allclose(inside[f"{name}.{axis}"], real[f"{name}.{axis}"], atol=1e-9)
        for pair in ("xx", "yy", "zz", "xy", "yz", "zx"):
            np.testing.assert_allclose(inside[f"inertia.{pair}"], real[f"inertia.{pair}"], atol=1e-12)


@every_kind
def test_reflected_inertia_in_the_plane(kind: str) -> None:
    """A rotor on the ground adds n² J to a joint, one in its child J ((n + 1)² − 1): all of it is J (n + 1)²."""
    arm_inertia, rotor, n, torque = 0.5, 2e-3, 30.0, 4.0
    for body, added in (("ground", n**2 * rotor), ("arm", ((n + 1) ** 2 - 1) * rotor)):
        model = lw.Model(
            space="planar",
            points={"O": [0, 0]},
            bodies={"arm": {"points": ["O"], "mass": 1, "com": "O", "inertia": arm_inertia}},
            joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
            forces={
                "rotor": {"kind": "rotor", "body": body, "inertia": rotor, "joint": "O", "ratio": n},
                "push": {"kind": "effort", "joint": "O", "value": torque},
            },
        )
        result = lw.simulate(model, 0.5, step=0.1, coordinates=kind, **TIGHT)
        np.testing.assert_allclose(result["O.acceleration"], torque / (arm_inertia + added), rtol=1e-12)
        np.testing.assert_allclose(result["rotor.spin"], n * result["O.speed"], rtol=1e-12)
        assert result.audit.passed


@every_kind
def test_a_ball_screw(kind: str) -> None:
    """A nut that a spindle drives has the mass m + (2π/h)² J along its slide."""
    lead, spindle, mass = 5e-3, 1e-4, 3.0
    gear = {"joint": "S", "ratio": "2*pi/lead"}
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0]},
        bodies={"nut": {"points": ["O"], "mass": mass, "com": "O", "inertia": [1, 1, 1]}},
        joints={"S": {"kind": "prismatic", "bodies": ["ground", "nut"], "at": "O", "axis": [1, 0, 0]}},
        parameters={"lead": f"{lead} m"},
        forces={
            "spindle": {"kind": "rotor", "body": "ground", "axis": [1, 0, 0], "inertia": spindle, **gear},
            "push": {"kind": "force", "at": "nut.O", "value": [100, 0, 0]},
        },
    )
    result = lw.simulate(model, 0.2, step=0.05, coordinates=kind, **TIGHT)
    expected = 100 / (mass + (2 * np.pi / lead) ** 2 * spindle)
    np.testing.assert_allclose(result["S.acceleration"], expected, rtol=1e-11)
    # the guide holds the nut against the torque that turns the spindle: it is the ground that feels both
    np.testing.assert_allclose(result["S.mx"], 0.0, atol=1e-9)


@pytest.mark.parametrize("method", [method.name for method in ALL_INVERSE_METHODS])
def test_motors_of_a_given_motion(method: str) -> None:
    motion = {"O.angle": "0.4*sin(3*t)", "A.angle": "t^2"}
    real = lw.inverse_dynamics(arm(True), motion, until=0.5, step=0.05)
    inside = lw.inverse_dynamics(arm(False), motion, until=0.5, step=0.05, method=method)
    for name in ("load.effort", "hold.effort", "ground.fx", "ground.mx", "ground.my", "ground.mz"):
        np.testing.assert_allclose(inside[name], real[name], atol=1e-9, err_msg=name)
    bare = lw.inverse_dynamics(arm(False).with_(forces={"rotor": None}), motion, until=0.5, step=0.05)
    assert np.abs(real["hold.effort"] - bare["hold.effort"]).max() > 1.0  # n² J α = 1.28 N m


def test_schemes_of_reactions_and_velocity_transformations_know_the_rotor() -> None:
    result = lw.simulate(arm(False), 0.3, step=0.05, formulation="velocity_transformation", **TIGHT)
    real = lw.simulate(arm(True), 0.3, step=0.05, **TIGHT)
    compare(result, real, 1e-8)
    for scheme in ("projection", "joint_elimination", "element_elimination", "newton", "tree_recursion"):
        np.testing.assert_allclose(
            result.reactions(scheme=scheme)["O"].moment, real.reactions["O"].moment, atol=1e-7, err_msg=scheme
        )
    with pytest.raises(LinkworkError, match=r"rotor in 'first' is geared.*'projection' works"):
        result.reactions(scheme="inverse_inertia")["O"].moment  # noqa: B018


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"joint": "X"}, r"rotor\.joint: there is no joint 'X'"),
        ({"joint": "A", "spin": 3}, r"rotor\.joint: conflicts with spin"),
        ({"joint": "A", "torque": 3}, r"rotor\.torque: conflicts with joint"),
        ({"spin": 3, "ratio": 2}, r"rotor\.ratio: goes with a joint"),
        ({"joint": "A", "ratio": "2 mm"}, r"rotor\.ratio: .*2 mm"),
        ({}, r"rotor\.spin: is missing.*joint: for a rotor that is geared"),
        ({"spin": 3, "body": "ground"}, r"rotor\.body: acts on the ground"),
    ],
)
def test_rotors_that_cannot_be_are_refused(keys: dict[str, Any], told: str) -> None:
    inside = {"kind": "rotor", "body": "first", "axis": AXIS, "inertia": ROTOR, **keys}
    with pytest.raises(ModelError, match=rf"(?s){told}"):
        arm(False).with_(forces={"rotor": inside})


def test_geared_rotors_on_a_ground_that_turns_are_refused() -> None:
    with pytest.raises(LinkworkError, match="rotor in 'first' is geared, and the ground turns"):
        lw.simulate(arm(False).with_(base={"omega": [0, 0, 1]}), 0.1)
