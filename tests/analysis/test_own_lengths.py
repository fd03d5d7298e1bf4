"""Actuators and springs know their own length or angle and its rate: in their formulas, and as quantities of results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from combinations import every_kind
from linkages import revolute

import linkwork as lw
from linkwork.errors import ModelError

TIGHT: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-12}


def arm(**forces: Any) -> lw.Model:
    """An arm on a hinge, beside a wall W."""
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [1, 0], "W": [0.2, 0.9]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": revolute("ground", "arm")},
        forces=forces,
        parameters={"k": {"value": 30, "live": True}},
    )


@every_kind
def test_a_strut_that_knows_its_length_is_a_spring_and_a_damper(kind: str) -> None:
    """An actuator pushes with k (0.8 − L) − c dL/dt as a spring and a damper pull with the opposite."""
    strut = {"kind": "actuator", "between": ["ground.W", "arm.A"], "signal": "k*(0.8 - length) - 2*speed"}
    spring = {"kind": "spring", "between": ["W", "arm.A"], "stiffness": "k", "damping": 2, "free_length": 0.8}
    by_signal, real = (lw.simulate(arm(s=item), 1.0, step=0.05, coordinates=kind, **TIGHT) for item in (strut, spring))
    for name in ("O.angle", "O.speed", "s.length", "s.speed"):
        np.testing.assert_allclose(by_signal[name], real[name], atol=1e-9, err_msg=name)
    np.testing.assert_allclose(by_signal["s.force"], -real["s.force"], atol=1e-8)
    gap = [by_signal[f"A.{axis}"] - by_signal[f"W.{axis}"] for axis in "xy"]
    np.testing.assert_allclose(by_signal["s.length"], np.hypot(*gap), atol=1e-12)
    rate = (gap[0] * by_signal["A.vx"] + gap[1] * by_signal["A.vy"]) / by_signal["s.length"]
    np.testing.assert_allclose(by_signal["s.speed"], rate, atol=1e-11)
    np.testing.assert_allclose(real["s.extension"], real["s.length"] - 0.8, atol=1e-13)
    units = {"s.length": "m", "s.speed": "m/s", "s.extension": "m"}
    assert {name: real.quantity(name).unit for name in units} == units


@every_kind
def test_a_motor_that_knows_its_angle(kind: str) -> None:
    near = {"kind": "actuator", "joint": "O", "signal": "0.3 - angle - 0.4*speed", "gain": 10, "lag": 0.05}
    far = {**near, "signal": "0.3 - O.angle - 0.4*O.speed"}
    one, other = (lw.simulate(arm(m=item), 1.0, step=0.05, coordinates=kind, **TIGHT) for item in (near, far))
    np.testing.assert_allclose(one["O.angle"], other["O.angle"], atol=1e-10)
    np.testing.assert_allclose(one["m.angle"], one["O.angle"], atol=1e-14)
    np.testing.assert_allclose(one["m.speed"], one["O.speed"], atol=1e-14)
    assert (one.quantity("m.angle").unit, one.quantity("m.speed").unit) == ("rad", "rad/s")


def test_a_cylinder_on_a_slide_knows_its_position() -> None:
    model = lw.Model(
        space="planar",
        points={"O": [0, 0]},
        bodies={"ram": {"points": ["O"], "mass": 2, "com": "O", "inertia": 1}},
        joints={"S": {"kind": "prismatic", "bodies": ["ground", "ram"], "at": "O", "axis": [1, 0]}},
        forces={"oil": {"kind": "actuator", "joint": "S", "signal": "8*(0.5 - position)"}},
    )
    result = lw.simulate(model, 1.0, step=0.1, **TIGHT)
    np.testing.assert_allclose(result["oil.position"], 0.5 * (1 - np.cos(2 * result.time)), atol=1e-9)
    np.testing.assert_allclose(result["oil.speed"], np.sin(2 * result.time), atol=1e-9)


def test_springs_call_their_rate_speed() -> None:
    keys = {"kind": "spring", "between": ["W", "arm.A"], "free_length": "0.5 m"}
    coil = {"kind": "torsion_spring", "joint": "O", "free_angle": 0.2}
    runs = [
        lw.simulate(
            arm(s={**keys, "force": f"k*extension + 3*{word}"}, c={**coil, "torque": f"deflection + 0.1*{word}"}),
            0.5,
            step=0.05,
            **TIGHT,
        )
        for word in ("speed", "rate")
    ]
    np.testing.assert_allclose(runs[0]["O.angle"], runs[1]["O.angle"], atol=1e-12)
    run = runs[0]
    np.testing.assert_allclose(run["s.force"], 30 * run["s.extension"] + 3 * run["s.speed"], atol=1e-11)
    np.testing.assert_allclose(-run["c.torque"], run["c.deflection"] + 0.1 * run["c.speed"], atol=1e-12)
    np.testing.assert_allclose(run["c.deflection"], run["O.angle"] - 0.2, atol=1e-14)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"between": ["ground.W", "arm.A"], "signal": "angle"}, "unknown name 'angle'"),
        ({"joint": "O", "signal": "2*length"}, "unknown name 'length'"),
        ({"joint": "O", "signal": "position"}, r"'position': the coordinate of 'O' is its angle"),
        ({"between": ["ground.W", "arm.A"], "signal": "k*lenght"}, "did you mean 'length'"),
    ],
)
def test_names_that_an_actuator_does_not_know(keys: dict[str, Any], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        arm(m={"kind": "actuator", **keys})


def test_a_name_of_its_own_that_is_a_parameter_too_is_refused() -> None:
    strut = {"kind": "actuator", "between": ["ground.W", "arm.A"], "signal": "length"}
    with pytest.raises(ModelError, match="'length' is the length of the actuator and a parameter"):
        arm(m=strut).with_(parameters={"length": 2})
