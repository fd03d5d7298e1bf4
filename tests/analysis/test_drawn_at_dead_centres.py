"""Mechanisms that are drawn with their links in one line, as a textbook draws them, and inputs that lead out of there."""

from __future__ import annotations

import numpy as np
import pytest
from linkages import revolute

import linkwork as lw

R, L = 0.05, 0.2
PLACES = np.linspace(0.22, 0.16, 13)


def slider_crank(**more: object) -> lw.Model:
    """Crank and rod along the guide: the slider stands at its outer dead centre."""
    drawn = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [R, 0], "B": [R + L, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 1},
            "slider": {"points": ["B"], "mass": 1},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "rod"),
            "B": revolute("rod", "slider"),
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": ["O", "B"], "axis": [1, 0]},
        },
    )
    return drawn.with_(**more) if more else drawn


def crank_angle(x: np.ndarray) -> np.ndarray:
    """Of a slider at x: the law of cosines in the triangle of crank, rod and guide."""
    return np.arccos((R**2 + x**2 - L**2) / (2 * R * x))


def test_a_motion_leads_out_of_the_dead_centre_of_a_sketch():
    """Of two ways that on which the angle of the crank grows; the answer says so."""
    result = lw.solve_kinematics(slider_crank(), {"guide": PLACES})
    np.testing.assert_allclose(result["O.angle"], crank_angle(PLACES), atol=1e-9)
    told = [note for note in result.notes if "dead centre" in note]
    assert len(told) == 1 and "guide.position" in told[0] and "O.angle" in told[0]
    assert result.audit.passed


def test_the_way_out_does_not_depend_on_the_order_of_a_file():
    model = slider_crank()
    turned = {name: dict(reversed(list(model.to_dict()[name].items()))) for name in ("bodies", "joints")}
    other = lw.Model(**{**model.to_dict(), **turned})
    one, two = (lw.assemble(item, {"guide": 0.2})["O.angle"] for item in (model, other))
    assert one == pytest.approx(crank_angle(np.array(0.2)), abs=1e-9)
    assert two == pytest.approx(one, abs=1e-9)


@pytest.mark.parametrize("angle", [1.0, -1.0])
def test_the_model_of_a_pose_leaves_a_dead_centre_on_its_own_side(angle):
    begun = lw.assemble(slider_crank(), {"O": angle}).model
    result = lw.solve_kinematics(begun, {"guide": PLACES})
    np.testing.assert_allclose(result["O.angle"], np.sign(angle) * crank_angle(PLACES), atol=1e-9)
    assert not [note for note in result.notes if "dead centre" in note]


def test_a_driver_leads_out_of_the_dead_centre_too():
    model = slider_crank(drivers={"m": {"joint": "guide", "position": "0.2 + 0.01*sin(t)"}})
    result = lw.simulate(model, 1.0, step=0.1)
    np.testing.assert_allclose(result["O.angle"], crank_angle(0.2 + 0.01 * np.sin(result.time)), atol=1e-9)


@pytest.mark.parametrize("angle", [0.0, 1.0])
def test_a_motion_that_begins_at_the_dead_centre_is_told_what_it_is(angle):
    """Also where other motions of the same input have been asked for before."""
    model = lw.assemble(slider_crank(), {"O": angle}).model
    lw.solve_kinematics(model, {"guide": PLACES})
    with pytest.raises(lw.LinkworkError, match="dead centre"):
        lw.solve_kinematics(model, {"guide": np.linspace(R + L, 0.16, 13)})
    with pytest.raises(lw.LinkworkError, match=r"nearest to 0.26 m: 0.01 m away"):
        lw.solve_kinematics(model, {"guide": np.linspace(R + L + 0.01, 0.16, 13)})


def test_the_model_of_a_pose_takes_drivers():
    """It begins in the pose, and a motor turns on from there; a motor with a place of its own has its way."""
    begun = lw.assemble(slider_crank(), {"O": "30 deg"}).model
    assert not begun.initial
    turning = begun.with_(drivers={"mot": {"joint": "O", "speed": "60 rpm"}})
    result = lw.simulate(turning, 0.25, step=0.05)
    np.testing.assert_allclose(result["O.angle"], np.pi / 6 + 2 * np.pi * result.time, atol=1e-9)
    placed = begun.with_(drivers={"mot": {"joint": "O", "position": "1 + t"}})
    np.testing.assert_allclose(lw.simulate(placed, 0.1, step=0.1)["O.angle"], [1.0, 1.1], atol=1e-9)


def test_the_model_of_a_pose_keeps_the_speeds_that_were_written():
    model = slider_crank(initial={"O": {"angle": 0.5, "speed": 2.0}})
    begun = lw.assemble(model, {"O": 0.8}).model
    first = lw.simulate(begun, 0.01, step=0.01)
    assert first["O.angle"][0] == pytest.approx(0.8, abs=1e-9)
    assert first["O.speed"][0] == pytest.approx(2.0, abs=1e-9)
