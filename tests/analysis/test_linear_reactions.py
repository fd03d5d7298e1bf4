"""Reactions and efforts of drivers as outputs of linear equations; those of joints stand in test_linear_complex_step.py."""

import mechanisms
import numpy as np
import pytest
from test_linear_complex_step import derivatives
from test_linearise import HERE, INPUTS, KINDS, STATES, four_bar

import linkwork as lw

G, ARM, ROD, MASSES = 9.81, 0.5, 0.7, (1.2, 0.9)
FORCES = ("O.fx", "A.fx", "A.fy", "B.fy", "C.fx")


def driven() -> lw.Model:
    """A pendulum at the end of an arm that a motor turns at the speed w."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        parameters={"w": {"value": 1.7, "live": True}},
        points={"O": [0, 0], "A": [ARM, 0], "P": [ARM + ROD, 0]},
        bodies={
            "arm": {"bar": ["O", "A"], "mass": MASSES[0]},
            "rod": {"bar": ["A", "P"], "mass": MASSES[1], "com": "P", "inertia": "point"},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "arm"]},
            "A": {"kind": "revolute", "bodies": ["arm", "rod"]},
        },
        drivers={"motor": {"joint": "O", "position": "w*t"}},
        initial={"A": {"angle": -0.8, "speed": 2.0}},
    )


def effort(x: np.ndarray) -> np.ndarray:
    """Torque of the motor and force of the pin on the rod, of (angle and speed of the rod on the arm, w), 0.3 s later."""
    angle, speed, w = x
    turn = w * 0.3
    lean, rate = angle + turn, speed + w
    along, across = np.array([np.cos(lean), np.sin(lean)]), np.array([-np.sin(lean), np.cos(lean)])
    pin = -ARM * w**2 * np.array([np.cos(turn), np.sin(turn)])
    turned = -(across @ (pin + [0, G])) / ROD
    force = MASSES[1] * (pin + ROD * (turned * across - rate**2 * along) + [0, G])
    torque = MASSES[0] * G * ARM / 2 * np.cos(turn) + ARM * (np.cos(turn) * force[1] - np.sin(turn) * force[0])
    return np.array([torque, *force])


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_motor_has_to_give(kind):
    states, names = ("A.angle", "A.speed"), ("motor.effort", "A.fx", "A.fy")
    found = lw.linearise(driven(), 0.3, states=states, inputs=("w",), outputs=names, coordinates=kind)
    exact = derivatives(effort, np.array([-0.8, 2.0, 1.7]))
    np.testing.assert_allclose(np.hstack([found.c, found.d]), exact, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_unique_forces_of_redundant_conditions_are_those_of_the_plane(kind):
    """A plane linkage built in space has three conditions too many, which leave forces in its plane unique."""
    data = four_bar().to_dict()
    data["space"], data["gravity"] = "spatial", [*data["gravity"], 0]
    data["points"] = {name: [*place, 0] for name, place in data["points"].items()}
    for joint in data["joints"].values():
        joint["axis"] = [0, 0, 1]
    given = {"states": STATES, "inputs": INPUTS, "outputs": FORCES}
    # in space the angle counts from the drawing
    turned = HERE | {"phi": HERE["phi"] - np.arctan2(-0.3, 0.4)}
    flat = lw.linearise(four_bar(), parameters=HERE, **given)
    deep = lw.linearise(lw.Model(**data), parameters=turned, coordinates=kind, **given)
    np.testing.assert_allclose(deep.c, flat.c, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(deep.d, flat.d, rtol=1e-9, atol=1e-9)
    with pytest.raises(
        lw.errors.RefusedError, match=r"'B.fz' is not unique, as conditions are redundant.*unique are O.fx, O.fy"
    ):
        lw.linearise(lw.Model(**data), outputs=["O.fx", "B.fz"], coordinates=kind)


def test_a_shape_in_reactions():
    """A hanging pendulum: of first order the pin pushes sideways alone, with m a of its mass."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "P": [0, -1]},
        bodies={"rod": {"bar": ["O", "P"], "mass": 3, "com": "P", "inertia": "point"}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
    )
    shape = lw.modes(model)[0].shape("O.fx", "O.fy", "P.ax")
    assert shape["O.fx"] == pytest.approx(-3 * G, rel=1e-12)
    assert shape["O.fx"] == pytest.approx(3 * shape["P.ax"], rel=1e-12)
    assert abs(shape["O.fy"]) < 1e-12


def test_what_is_unique_is_said():
    with pytest.raises(lw.errors.RefusedError, match=r"'P1.fx' is not unique.*unique are P1.my"):
        lw.linearise(mechanisms.bricard(), outputs=["P1.my", "P1.fx"])
