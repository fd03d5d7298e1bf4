"""Rotors and a moving ground against the same things built of bodies, joints and drivers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from combinations import every_kind

import linkwork as lw

TIGHT: dict[str, Any] = {"until": 1.5, "rtol": 1e-11, "atol": 1e-12}
AXIS = [2.0, -1.0, 2.0]


def rotor_inertia(axial: float, across: float) -> np.ndarray:
    u = np.array(AXIS) / 3
    return across * (np.eye(3) - np.outer(u, u)) + axial * np.outer(u, u)


def satellite(with_rotor_body: bool, law: dict[str, Any]) -> lw.Model:
    """A satellite with a rotor at its centre of mass, as a body of its own or as a rotor inside.

    SOURCE: García de Jalón and Bayo, problem 5/9.
    """
    hull, rotor = np.diag([2.0, 3.0, 4.0]), rotor_inertia(0.5, 0.3)
    omega = [0.4, -0.3, 0.7]
    if not with_rotor_body:
        body = {"points": {"P": [0, 0, 0]}, "mass": 12, "com": "P", "inertia": (hull + rotor).tolist()}
        inside = {"kind": "rotor", "body": "hull", "axis": AXIS, "inertia": 0.5, **law}
        return lw.Model(
            space="spatial", bodies={"hull": body}, forces={"wheel": inside}, initial={"hull": {"omega": omega}}
        )
    bodies = {
        "hull": {"points": {"P": [0, 0, 0]}, "mass": 10, "com": "P", "inertia": hull.tolist()},
        "wheel": {"points": {"P": [0, 0, 0]}, "mass": 2, "com": "P", "inertia": rotor.tolist()},
    }
    joints = {"R": {"kind": "revolute", "bodies": ["hull", "wheel"], "at": ["P", "P"], "axis": AXIS}}
    extra: dict[str, Any] = {"initial": {"hull": {"omega": omega}}}
    if "spin" in law:
        extra["drivers"] = {"motor": {"joint": "R", "speed": law["spin"]}}
    else:
        extra["forces"] = {
            "motor": {"kind": "effort", "joint": "R", "value": law["torque"].replace("spin", "R.speed")},
            "bearing": {"kind": "friction", "joint": "R", "viscous": law["friction"]},
        }
        extra["initial"]["R"] = {"speed": law["initial"]}
    return lw.Model(space="spatial", bodies=bodies, joints=joints, **extra)


@pytest.mark.matrix("kind")
@every_kind
@pytest.mark.parametrize(
    "law",
    [{"spin": "20 + 5*sin(3*t)"}, {"torque": "0.4*t - 0.2*spin", "friction": 0.05, "initial": 8.0}],
    ids=["given spin", "free"],
)
def test_a_rotor_in_a_satellite(law: dict[str, Any], kind: str) -> None:
    real, inside = (lw.simulate(satellite(with_body, law), coordinates=kind, **TIGHT) for with_body in (True, False))
    for axis in "xyz":
        np.testing.assert_allclose(inside[f"hull.w{axis}"], real[f"hull.w{axis}"], atol=1e-9)
        np.testing.assert_allclose(inside[f"hull.alpha{axis}"], real[f"hull.alpha{axis}"], atol=1e-8)
    np.testing.assert_allclose(inside["wheel.spin"], real["R.speed"], atol=1e-9)
    np.testing.assert_allclose(inside["energy.kinetic"], real["energy.kinetic"], atol=1e-8)
    np.testing.assert_allclose(inside["work.supplied"], real["work.supplied"], atol=1e-8)
    np.testing.assert_allclose(inside["work.dissipated"], real["work.dissipated"], atol=1e-8)
    assert np.abs(inside["energy.balance"]).max() < 1e-8
    assert np.ptp(real["hull.wx"]) > 0.1


@every_kind
def test_a_reaction_wheel_in_the_plane(kind: str) -> None:
    """Σ I ω is constant without outer moments: the body turns back as much as the wheel turns forward."""
    body = {"points": {"P": [0, 0]}, "mass": 1, "com": "P", "inertia": 0.5}
    wheel = {"kind": "rotor", "body": "b", "inertia": 0.1, "torque": "sin(t)"}
    model = lw.Model(space="planar", bodies={"b": body}, forces={"wheel": wheel})
    result = lw.simulate(model, coordinates=kind, **TIGHT)
    momentum = 1 - np.cos(result.time)
    np.testing.assert_allclose(result["b.speed"], -momentum / 0.4, atol=1e-10)
    np.testing.assert_allclose(result["wheel.spin"], momentum / 0.1 + momentum / 0.4, atol=1e-9)


def test_a_rotor_on_a_turning_base() -> None:
    """A gyroscope that is held on a base feels −Ω × J σ u."""
    body = {"points": {"P": [0, 0, 0]}, "mass": 1, "com": "P", "inertia": [1, 1, 1]}
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0]},
        base={"omega": [0, 0, 0.7]},
        bodies={"b": body},
        joints={"O": {"kind": "fixed", "bodies": ["ground", "b"], "at": ["O", "P"]}},
        forces={"wheel": {"kind": "rotor", "body": "b", "axis": [1, 0, 0], "inertia": 0.2, "spin": 100}},
    )
    result = lw.simulate(model, until=0.1)
    # the joint must give the moment Ω × J σ u = 0.7 ez × 20 ex = 14 ey
    np.testing.assert_allclose(result.reactions["O"].moment, [[0, 14.0, 0]] * len(result), atol=1e-10)


# -- moving ground -----------------------------------------------------------------------------------------------------

ARM: dict[str, Any] = {
    "a": {
        "points": {"P": [0, 0, 0], "Q": [0.5, 0.1, 0.2]},
        "mass": 2,
        "com": [0.2, 0, 0.1],
        "inertia": [0.2, 0.3, 0.4],
    },
    "b": {"points": {"Q": [0, 0, 0]}, "mass": 1, "com": [0.3, 0.2, 0], "inertia": [0.1, 0.05, 0.12], "origin": "J"},
}
JOINTS: dict[str, Any] = {
    "U": {"kind": "universal", "at": ["S", "P"], "axes": [[0, 1, 0], [1, 0, 0]]},
    "R": {"kind": "revolute", "bodies": ["a", "b"], "at": "Q", "axis": [1, 1, 0]},
}


@every_kind
def test_a_base_that_turns_about_two_axes_and_shakes(kind: str) -> None:
    """R = Rz(α) Rx(β) and a drive along x: Ω = [β', α' sin β, α' cos β], a₀ = s'' Rᵀ ex in axes of the base."""
    alpha, beta, shift = "(0.7*t + 0.3*sin(2*t))", "(0.5*sin(3*t))", "0.2*sin(4*t)"
    alpha_rate, beta_rate, shake = "(0.7 + 0.6*cos(2*t))", "(1.5*cos(3*t))", "(-3.2*sin(4*t))"
    points = {"S": [0.3, 0.2, 0.1], "J": [0.8, 0.3, 0.3]}
    arm = {**ARM, "a": {**ARM["a"], "origin": "S"}}
    start = {"U": {"angle1": 0.2, "angle1_rate": 1.0, "angle2_rate": 0.0}, "R": {"angle": -0.3, "speed": 0.5}}
    moving = lw.Model(
        space="spatial",
        points=points,
        base={
            "omega": [beta_rate, f"{alpha_rate}*sin{beta}", f"{alpha_rate}*cos{beta}"],
            "acceleration": [
                f"{shake}*cos{alpha}",
                f"-{shake}*sin{alpha}*cos{beta}",
                f"{shake}*sin{alpha}*sin{beta}",
            ],
        },
        bodies=arm,
        joints={"U": {**JOINTS["U"], "bodies": ["ground", "a"]}, "R": JOINTS["R"]},
        initial=start,
    )
    light = {"points": {"O": [0, 0, 0]}, "mass": 1, "com": "O", "inertia": [1, 1, 1]}
    real = lw.Model(
        space="spatial",
        points={**points, "O": [0, 0, 0]},
        bodies={"sled": light, "tower": light, "table": {**light, "points": {"O": [0, 0, 0], "S": points["S"]}}, **arm},
        joints={
            "X": {"kind": "prismatic", "bodies": ["ground", "sled"], "at": "O", "axis": [1, 0, 0]},
            "Z": {"kind": "revolute", "bodies": ["sled", "tower"], "at": "O", "axis": [0, 0, 1]},
            "B": {"kind": "revolute", "bodies": ["tower", "table"], "at": "O", "axis": [1, 0, 0]},
            "U": {**JOINTS["U"], "bodies": ["table", "a"]},
            "R": JOINTS["R"],
        },
        drivers={
            "x": {"joint": "X", "position": shift},
            "z": {"joint": "Z", "position": alpha},
            "b": {"joint": "B", "position": beta},
        },
        initial=start,
    )
    one = lw.simulate(moving, coordinates=kind, **TIGHT)
    other = lw.simulate(real, **TIGHT)
    for name in ("U.angle1", "U.angle2", "R.angle", "R.speed", "R.acceleration"):
        size = 1e-7 if name == "R.acceleration" else 1e-8
        np.testing.assert_allclose(one[name], other[name], atol=size, err_msg=name)
    # what the joint transmits does not depend on the axes in which it is written
    sizes = [np.linalg.norm(result.reactions["R"].force, axis=1) for result in (one, other)]
    np.testing.assert_allclose(sizes[0], sizes[1], atol=1e-6)
    assert np.abs(one["energy.balance"]).max() < 1e-8
    assert np.abs(one["base.work"]).max() > 0.1


@every_kind
def test_a_bead_on_a_turning_rod(kind: str) -> None:
    """x'' = Ω² x: x = cosh Ωt; the guide gives the Coriolis force 2 m Ω x' across."""
    rate = 1.3
    model = lw.Model(
        space="planar",
        base={"omega": rate},
        points={"O": [0, 0], "P": [1, 0]},
        bodies={"bead": {"points": ["P"], "mass": 2, "com": "P", "inertia": "point"}},
        joints={"rod": {"kind": "prismatic", "bodies": ["ground", "bead"], "at": ["O", "P"], "axis": [1, 0]}},
        initial={"rod": {"position": 1.0}},
    )
    result = lw.simulate(model, coordinates=kind, **TIGHT)
    t = result.time
    np.testing.assert_allclose(result["bead.x"], np.cosh(rate * t), atol=1e-9)
    np.testing.assert_allclose(result["rod.fy"], 2 * 2 * rate * rate * np.sinh(rate * t), atol=1e-8)
