"""Actuators of the model as motors of inverse dynamics: by virtual work, and against a rod that holds the same motion."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.inverse.ways import ALL_INVERSE_METHODS

METHODS = [method.name for method in ALL_INVERSE_METHODS]
ARM, LOAD, G = 40.0, 500.0, 9.81
CYLINDER = {"kind": "actuator", "between": ["one.S", "other.Q"], "signal": 0}


@cache
def scissor(turned: float = 0.0) -> lw.Model:
    """Two arms of 2 m, pinned in the middle, carry a platform; the ground may lie askew, with gravity across it."""
    c, s, across = np.cos(0.3), np.sin(0.3), np.array([np.cos(turned), np.sin(turned)])
    up = np.array([-across[1], across[0]])
    sketch = {"O": (0, 0), "R": (2 * c, 0), "M": (c, s), "L": (0, 2 * s), "T": (2 * c, 2 * s), "end": (2.1, 2 * s)}
    return lw.Model(
        space="planar",
        gravity=(-G * up).tolist(),
        points={name: (x * across + y * up).tolist() for name, (x, y) in sketch.items()},
        bodies={
            "one": {"bar": ["O", "T"], "length": 2, "mass": ARM, "points": {"M": [1, 0], "S": [0.1, 0]}},
            "other": {"bar": ["R", "L"], "length": 2, "mass": ARM, "points": {"M": [1, 0], "Q": [1.2, 0]}},
            "platform": {"bar": ["L", "end"], "length": 2.1, "mass": LOAD},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "one"]},
            "R": {"kind": "point_on_line", "bodies": ["ground", "other"], "at": ["O", "R"], "axis": across.tolist()},
            "M": {"kind": "revolute", "bodies": ["one", "other"]},
            "L": {"kind": "revolute", "bodies": ["other", "platform"]},
            "T": {"kind": "point_on_line", "bodies": ["platform", "one"], "at": ["L", "T"], "axis": [1, 0]},
        },
        forces={"cylinder": CYLINDER},
    )


@pytest.mark.parametrize("turned", [0.0, np.pi / 4])
@pytest.mark.parametrize("lean", [0.3, 0.7])
def test_a_scissor_at_rest_by_virtual_work(lean: float, turned: float) -> None:
    """F = (dV/dθ) / (dl/dθ) with V = g sin θ (2 m + 2 M) and l² = (0.7 cos θ)² + (1.1 sin θ)²."""
    c, s = np.cos(lean), np.sin(lean)
    length = np.hypot(0.7 * c, 1.1 * s)
    force = G * c * (2 * ARM + 2 * LOAD) / ((1.1**2 - 0.7**2) * s * c / length)
    held = lw.inverse_dynamics(
        scissor(turned), {"O": f"{lean + turned!r} + 0*t"}, until=1.0, step=0.25, motors=["cylinder"]
    )
    assert held["cylinder"] == pytest.approx(force, rel=1e-9)
    assert held["cylinder.length"] == pytest.approx(length, rel=1e-12)
    assert held["cylinder.force"] == pytest.approx(force, rel=1e-9)
    assert held.motors == {"cylinder": "cylinder.length"}
    assert held.units == {"cylinder": "N"}


@cache
def held_by_a_rod() -> lw.Result:
    """The motion of the lift whose cylinder is a rod of changing length, in 1 s."""
    rod = {"kind": "distance", "between": ["one.S", "other.Q"], "length": "0.76 + 0.1*t - 0.02*sin(6*t)"}
    model = scissor().with_(forces={"cylinder": None}, relations={"rod": rod})
    return lw.solve_kinematics(model, until=1.0, step=0.05)


@pytest.mark.matrix("method", "kind")
@pytest.mark.parametrize("kind", ["relative", "reference_point", "natural", "mixed"])
@pytest.mark.parametrize("method", METHODS)
def test_a_moving_cylinder_pushes_as_a_rod_of_its_length_does(method: str, kind: str) -> None:
    if method == "recursion" and kind != "relative":
        with pytest.raises(lw.errors.RefusedError, match="take coordinates='relative'"):
            lw.inverse_dynamics(
                scissor(), {"O": "0.3 + 0.1*t"}, until=1.0, motors=["cylinder"], method=method, coordinates=kind
            )
        return
    rod = held_by_a_rod()
    motion = {"time": rod.time, **{name: rod[name] for name in ("O.angle", "O.speed", "O.acceleration")}}
    found = lw.inverse_dynamics(scissor(), motion, motors=["cylinder"], method=method, coordinates=kind)
    assert found["cylinder"] == pytest.approx(-rod["rod.tension"], rel=1e-9)
    assert found["cylinder.speed"] * found["cylinder"] == pytest.approx(found.power["cylinder"], rel=1e-9)
    for name in ("M.fx", "O.fy", "L.fx"):
        assert found[name] == pytest.approx(rod[name], abs=1e-6)
    assert found.audit.passed


def test_two_points_in_space_push_with_the_lever_of_their_line() -> None:
    """A boom with its cylinder beside it: force × dl/dθ is the torque that a motor in the joint would need."""
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"O": [0, 0, 0], "T": [2, 0.3, 0.5], "F": [0.4, 0.2, -0.7], "K": [0.8, 0.1, 0.3]},
        bodies={"boom": {"points": ["O", "T", "K"], "mass": 30, "com": "T", "inertia": [1, 2, 3]}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "boom"], "axis": [0, 1, 0]}},
        forces={"ram": {"kind": "actuator", "between": ["ground.F", "boom.K"], "signal": 1, "gain": "5 kN"}},
    )
    asked = {"motion": {"O": "0.2*sin(2*t)"}, "until": 1.0, "step": 0.1}
    ram = lw.inverse_dynamics(model, **asked, motors=["ram"])
    torque = lw.inverse_dynamics(model.with_(forces={"ram": None}), **asked, motors=["O"])
    assert ram["ram"] * ram["ram.speed"] == pytest.approx(
        torque["O.angle.effort"] * torque["O.speed"], rel=1e-9, abs=1e-9
    )


def test_an_actuator_on_a_joint_is_a_motor_like_an_effort() -> None:
    model = scissor().with_(
        forces={"cylinder": None, "servo": {"kind": "actuator", "joint": "O", "signal": 7, "lag": 0.1}}
    )
    asked = {"motion": {"O": "0.3 + 0.2*t^2"}, "until": 1.0, "step": 0.1}
    bare = lw.inverse_dynamics(model.with_(forces={"servo": None}), **asked, motors=["O"])
    assert lw.inverse_dynamics(model, **asked, motors=["servo"])["servo"] == pytest.approx(
        bare["O.angle.effort"], rel=1e-9
    )


def test_cylinder_and_joint_share_by_least_squares() -> None:
    """Of u₁ + u₂ r = T with least w₁ u₁² + u₂², with the lever r = dl/dθ: u₁ / u₂ = 1 / (w₁ r)."""
    asked = {"motion": {"O": "0.3 + 0.2*t"}, "until": 1.0, "step": 0.1}
    found = lw.inverse_dynamics(scissor(), **asked, motors=["O", "cylinder"], weights={"O.angle": 3})
    lever = found["cylinder.speed"] / found["O.speed"]
    assert found["O.angle.effort"] * 3 * lever == pytest.approx(found["cylinder"], rel=1e-9)


def test_functions_name_what_takes_a_cylinder() -> None:
    with pytest.raises(lw.errors.RefusedError, match=r"'cylinder' works between two points.*inverse_dynamics takes it"):
        lw.inverse_function(scissor(), ["cylinder"])
    with pytest.raises(lw.errors.UnknownNameError, match="did you mean 'cylinder'"):
        lw.inverse_dynamics(scissor(), {"O": "0.3"}, until=1.0, motors=["cylindre"])
