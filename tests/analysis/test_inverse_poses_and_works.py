"""Inverse dynamics of poses at rest, and the works of motors where accelerations jump."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw


def two_bars(**more: object) -> lw.Model:
    """Two bars of 1 m and 1 kg, one after the other, drawn along x and y."""
    data = {"points": {"O": [0, 0], "A": [1, 0], "B": [1, 1]}, "gravity": [0, -9.81], "space": "planar"}
    data["bodies"] = {"upper": {"bar": ["O", "A"], "mass": 1}, "lower": {"bar": ["A", "B"], "mass": 1}}
    pin = {"kind": "revolute"}
    data["joints"] = {"O": {**pin, "bodies": ["ground", "upper"]}, "A": {**pin, "bodies": ["upper", "lower"]}}
    return lw.Model(**data, **more)


@pytest.mark.parametrize("places", [False, True])
def test_rows_without_times_are_statics_pose_by_pose(places: bool) -> None:
    """Torques hold the weights of two bars at any pose, whatever the next one is; a damper between them is without force."""
    first, second = np.array([0.1, 0.9, -0.4, 0.5]), np.array([1.2, 0.3, 0.8, 0.9])
    damper = {"kind": "torsion_spring", "joint": "A", "stiffness": 0, "free_angle": 0, "damping": 50}
    model, whole = two_bars(forces={"damper": damper}), first + second
    x, y = np.cos(first) + np.cos(whole), np.sin(first) + np.sin(whole)
    motion = {"lower.B": np.column_stack([x, y])} if places else {"O": first, "A.angle": second}
    found = lw.inverse_dynamics(model, motion, motors=["O", "A"])
    below = 9.81 * 0.5 * np.cos(whole)
    assert found["A.effort"] == pytest.approx(below, abs=1e-9)
    assert found["O.effort"] == pytest.approx(below + 9.81 * 1.5 * np.cos(first), abs=1e-9)
    assert np.all(found["upper.speed"] == 0) and np.all(found.power["O.angle"] == 0)
    # slowly from pose to pose, motors lift what they have to lift
    height = 1.5 * np.sin(first) + 0.5 * np.sin(whole)
    assert sum(found.energy.values()) == pytest.approx(9.81 * (height - height[0]), abs=1e-9)
    assert found.result.variable.name == "sample" and any("pose by pose" in note for note in found.notes)
    assert "at sample" in str(found.motor_loads())
    assert np.all(found.to_dataframe().index == np.arange(4))


def test_one_pose_is_one_row_and_rates_need_times() -> None:
    model = two_bars()
    found = lw.inverse_dynamics(model, {"O": 0.3, "A": 0.0})
    assert found["A.effort"] == pytest.approx([9.81 * 0.5 * np.cos(0.3)])
    for motion in ({"O": [0.1, 0.2], "A": 0.0, "O.speed": [1, 1]}, {"O": "0.3", "A": [0.1, 0.2]}):
        with pytest.raises(lw.errors.RefusedError, match="rows of positions alone need none"):
            lw.inverse_dynamics(model, motion)
    with pytest.raises(lw.errors.LinkworkError, match="the motion names 'OO'"):
        lw.inverse_dynamics(model, {"OO": [0.1, 0.2], "A": 0.0})


def two_carts() -> lw.Model:
    """Two carts of 3 and 5 kg on rails beside each other, the first against a damper."""
    points = {"W": [-9, 0], "A": [0, 0], "B": [0, 1]}
    return lw.Model(
        space="planar",
        points=points,
        bodies={"a": {"points": ["A"], "mass": 3, "inertia": 1}, "b": {"points": ["B"], "mass": 5, "inertia": 1}},
        joints={
            rail: {"kind": "prismatic", "bodies": ["ground", body], "at": at, "axis": [1, 0]}
            for rail, body, at in (("one", "a", "A"), ("two", "b", "B"))
        },
        forces={
            "brake": {"kind": "spring", "between": ["ground.W", "a.A"], "stiffness": 0, "free_length": 9, "damping": 2}
        },
    )


@pytest.mark.parametrize("step", ["10 ms", "17 ms", "0.1 s"])
def test_works_of_motors_are_those_of_the_energy_where_accelerations_jump(step: str) -> None:
    """v = t up to 1 s, then 1 m/s, and back to rest within half a second, beside a cart that goes smoothly."""
    trapezoid = "if(t < 1, t^2/2, if(t < 3, t - 1/2, 5/2 + (t - 3) - (t - 3)^2))"
    found = lw.inverse_dynamics(two_carts(), {"one": trapezoid, "two": "0.4*sin(2*t)"}, until="3.5 s", step=step)
    t = found.time
    speed = np.interp(t, [0, 1, 3, 3.5], [0, 1, 1, 0])
    smooth = 2.5 * 0.64 * (np.cos(2 * t) ** 2 - 1)
    together = sum(found.energy.values())
    brake = np.piecewise(
        t,
        [t < 1, (t >= 1) & (t < 3), t >= 3],
        [lambda t: t**3 / 3, lambda t: t - 2 / 3, lambda t: 2.5 - (7 - 2 * t) ** 3 / 6],
    )
    own = 1.5 * speed**2 + 2 * brake
    # the power of the damper, 2 v², has corners of 4 and 8 W/s, which are known to Δ h²/8 by samples; the jumps of the
    # motor, 3 and 6 W, would be known to Δ h/2
    allowed = (4 + 8) * float(t[1]) ** 2 / 8
    assert together == pytest.approx(own + smooth, abs=allowed)
    # a jump of one motor is no matter of another
    assert found.energy["two.position"] == pytest.approx(smooth, abs=allowed)


def test_motors_that_depend_on_each_other_are_told_with_what_is_wrong() -> None:
    """A five-bar whose rods are in one line: both cranks turn alike there, and the pin moves while they stand."""
    points = {"O": [-0.4, 0], "Q": [0.4, 0], "A": [-0.4, 0.6], "B": [0.4, 0.6], "P": [0, 0.6]}
    bars = {"left": "OA", "right": "QB", "left_rod": "AP", "right_rod": "BP"}
    pairs = {"O": ["ground", "left"], "Q": ["ground", "right"], "A": ["left", "left_rod"], "B": ["right", "right_rod"]}
    pairs |= {"P": ["left_rod", "right_rod"]}
    model = lw.Model(
        space="planar",
        points=points,
        bodies={name: {"bar": list(ends), "mass": 1} for name, ends in bars.items()},
        joints={name: {"kind": "revolute", "bodies": bodies} for name, bodies in pairs.items()},
    )
    told = r"gives 1 of the 2 degrees .* the 2 coordinates that it gives depend on each other .*singular position"
    with pytest.raises(lw.errors.RefusedError, match=told):
        lw.inverse_dynamics(model, {"O": [np.pi / 2], "Q": [np.pi / 2]})
