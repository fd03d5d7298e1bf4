"""All combinations of coordinates and formulation give the same motion; driven mechanisms follow exact kinematics."""

from __future__ import annotations

from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest
from combinations import every_combination, every_kind, several

import linkwork as lw
from linkwork.results import Result

TIGHT = {"rtol": 1e-10, "atol": 1e-12}

MODELS = {
    "slider-crank": linkages.slider_crank,
    "spatial slider-crank": linkages.spatial_slider_crank,
    "six-bar": linkages.six_bar,
    "rscr": linkages.rscr,
    "screw-crank": linkages.screw_crank,
    "screw jack": linkages.screw_jack,
    "sliding shoe": linkages.sliding_shoe,
    "arm": linkages.arm,
    "chain": linkages.spherical_chain,
    "floating": linkages.floating_pair,
    "spherical four-bar": linkages.spherical_four_bar,
    "overconstrained": mechanisms.spatial_four_bar,
}


def run(model: lw.Model, until: float, **more: Any) -> Result:
    result = lw.simulate(model, until, **{"step": until / 4, **TIGHT, **more})
    assert result.outcome.completed, result.outcome
    return result


def observed(model: lw.Model, result: Result) -> dict[str, np.ndarray]:
    axes = "xy" if model.space == "planar" else "xyz"
    names = [f"{body}.{kind}{axis}" for body in model.bodies for kind in ("", "v", "a") for axis in axes]
    names += [
        f"{joint}.{name}"
        for joint, declared in model.joints.items()
        for freedom in declared.freedoms
        for name in (freedom.name, freedom.rate)
    ]
    return result.values(names)


@pytest.mark.matrix
@pytest.mark.parametrize("name", list(MODELS))
def test_every_combination_gives_the_same_motion(name: str) -> None:
    model = MODELS[name]()
    runs = [observed(model, run(model, 0.5, coordinates=c, formulation=f)) for c, f in several(name)]
    for quantity, first in runs[0].items():
        scale = max(1.0, float(np.max(np.abs(first))))
        for other in runs[1:]:
            np.testing.assert_allclose(other[quantity], first, atol=1e-7 * scale, err_msg=quantity)


def test_space_and_plane_agree() -> None:
    flat, solid = mechanisms.four_bar(), mechanisms.spatial_four_bar()
    one, other = run(flat, 1.0), run(solid, 1.0)
    for name in ("A.x", "B.y", "coupler.vx", "rocker.ay", "O.speed", "O.fx"):
        np.testing.assert_allclose(other[name], one[name], atol=1e-6, err_msg=name)


# -- driven mechanisms against exact kinematics ------------------------------------------------------------------------

OMEGA = 4.0
LEVELS: dict[str, dict[str, Any]] = {
    "position": {"position": "1 + 4*t + 0.5*sin(6*t)"},
    "speed": {"speed": "4 + 3*cos(6*t)", "initial": 1.0},
    "acceleration": {"acceleration": "-18*sin(6*t)", "initial": 1.0, "initial_speed": 7.0},
}


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
@pytest.mark.parametrize("level", list(LEVELS))
def test_a_driven_slider_crank_follows_the_closed_form(level: str, coordinates: str, formulation: str) -> None:
    model = linkages.slider_crank(initial={}, drivers={"motor": {"joint": "O", **LEVELS[level]}})
    result = run(model, 1.0, step=0.05, coordinates=coordinates, formulation=formulation)
    t = result.time
    theta, omega, alpha = 1 + 4 * t + 0.5 * np.sin(6 * t), 4 + 3 * np.cos(6 * t), -18 * np.sin(6 * t)
    r, l = 0.3, 0.9
    root = np.sqrt(l**2 - (r * np.sin(theta)) ** 2)
    x = r * np.cos(theta) + root
    first = -r * np.sin(theta) - r**2 * np.sin(theta) * np.cos(theta) / root
    second = -r * np.cos(theta) - (
        r**2 * np.cos(2 * theta) / root + r**4 * (np.sin(theta) * np.cos(theta)) ** 2 / root**3
    )
    np.testing.assert_allclose(result["O.angle"], theta, atol=1e-8)
    np.testing.assert_allclose(result["B.x"], x, atol=1e-8)
    np.testing.assert_allclose(result["B.vx"], first * omega, atol=1e-7)
    np.testing.assert_allclose(result["slider.ax"], second * omega**2 + first * alpha, atol=1e-6)
    np.testing.assert_allclose(result["guide.position"], result["B.x"], atol=1e-9)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_a_driver_of_a_cut_joint_is_as_good_as_any(coordinates: str, formulation: str) -> None:
    """Drive the last joint of the loop with the motion that it has when the first one is driven."""
    steady = {"motor": {"joint": "O", "position": "0.9273 + 2*t"}}
    base = mechanisms.four_bar().to_dict() | {"initial": {}}
    first = run(lw.Model(**{**base, "drivers": steady}), 0.4, step=0.1)
    second = lw.Model(**{**base, "drivers": {"motor": {"joint": "C", "speed": 1.3}}})
    result = run(second, 0.4, step=0.1, coordinates=coordinates, formulation=formulation)
    np.testing.assert_allclose(result["C.angle"], result["C.angle"][0] + 1.3 * result.time, atol=1e-9)
    assert result["O.angle"][0] == pytest.approx(first["O.angle"][0], abs=1e-4)
    assert np.max(result.closure_error) < 1e-11


@pytest.mark.matrix
def test_a_universal_joint_drives_like_the_textbook_says() -> None:
    """Cardan's joint between shafts at an angle β: tan θ₂ = tan θ₁ / cos β, with the fork axes as measured."""
    beta = 0.5
    tilted = [np.cos(beta), np.sin(beta), 0.0]
    model = lw.Model(
        space="spatial",
        points={"I": [-1, 0, 0], "U": [0, 0, 0], "Q": tilted},
        bodies={
            "input": {"bar": ["I", "U"], "mass": 1, "radius": 0.05},
            "output": {"bar": ["U", "Q"], "mass": 1, "radius": 0.05},
        },
        joints={
            "I": linkages.revolute("ground", "input", axis=[1, 0, 0]),
            "U": {"kind": "universal", "bodies": ["input", "output"], "axes": [[0, 0, 1], [-tilted[1], tilted[0], 0]]},
            "Q": linkages.revolute("ground", "output", axis=tilted),
        },
        drivers={"motor": {"joint": "I", "speed": 3.0}},
    )
    assert lw.analyse(model).freedoms == 1
    for coordinates, formulation in several("a_universal_joint_drives_like_the_textbook_says"):
        result = run(model, 1.0, step=0.05, coordinates=coordinates, formulation=formulation)
        theta = 3.0 * result.time
        # the cross lies normal to the plane of the shafts at the start
        expected = np.unwrap(np.arctan2(np.sin(theta) * np.cos(beta), np.cos(theta)))
        np.testing.assert_allclose(result["Q.angle"], expected, atol=1e-8)


@pytest.mark.matrix("kind")
@every_kind
@pytest.mark.parametrize("name", ["six-bar", "rscr", "spatial slider-crank", "chain"])
def test_reversed_joints_give_the_same_motion(name: str, kind: str) -> None:
    data = MODELS[name]().to_dict() | {"initial": {}}
    turned = {**data, "joints": {name: reverse(joint) for name, joint in data["joints"].items()}}
    one, other = lw.Model(**data), lw.Model(**turned)
    forward, backward = run(one, 0.3, coordinates=kind), run(other, 0.3, coordinates=kind)
    for body in one.bodies:
        for quantity in (f"{body}.{letter}{axis}" for axis in "xy" for letter in ("", "v", "a")):
            np.testing.assert_allclose(backward[quantity], forward[quantity], atol=1e-7, err_msg=quantity)
    for joint, declared in one.joints.items():
        if declared.kind not in ("prismatic", "cylindrical"):
            for quantity in (f"{joint}.fx", f"{joint}.fy"):
                np.testing.assert_allclose(backward[quantity], -forward[quantity], atol=1e-6, err_msg=quantity)


def reverse(joint: dict[str, Any]) -> dict[str, Any]:
    """The same joint, declared from its child to its parent."""
    turned = {**joint, "bodies": list(reversed(joint["bodies"]))}
    for key in ("at", "axes"):
        if isinstance(joint.get(key), list | tuple):
            turned[key] = list(reversed(joint[key]))
    return turned


def test_baumgarte_stays_near_the_conditions() -> None:
    model = mechanisms.four_bar()
    exact = run(model, 1.0)
    damped = run(model, 1.0, formulation=lw.formulations.Baumgarte(20, 20))
    assert np.max(damped.closure_error) < 1e-8
    np.testing.assert_allclose(damped["B.x"], exact["B.x"], atol=1e-6)


@pytest.mark.parametrize(("integrator", "order"), [("rk4", 4)])
def test_fixed_steps_converge_with_their_order(integrator: str, order: int) -> None:
    model = mechanisms.four_bar()
    exact = run(model, 0.5, rtol=1e-13, atol=1e-14)["B.x"][-1]
    errors = [
        abs(lw.simulate(model, 0.5, step=0.5, integrator=integrator, fixed_step=h)["B.x"][-1] - exact)
        for h in (0.02, 0.01)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.5)
