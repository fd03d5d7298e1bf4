"""Statics pose by pose through positions where branches meet: poses follow each other like a motion.

Compared with the slope of the potential energy: a parallelogram with equal bars of mass m lifts 2 m by the length r of its
crank, M = 2 m g r cos θ; a scissor lift of n stages lifts 2 bars by r (2 i + 1) at stage i. Where branches meet, M has this
limit, and reactions have none.
"""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.inverse.ways import ALL_INVERSE_METHODS
from linkwork.errors import RefusedError

G = 9.81
KINDS = ["relative", "reference_point", "natural", "mixed"]
FLAT = {
    "through it": [-20, -10, 0, 10, 20],
    "over it": [30, 0, -30],
    "beside it": [20, -20, 20, -20],
    "there and back": [20, 10, 0, 10, 20],
    "again and again": [30, 0, 0, -30, 0, 30],
    "folded": [170, 175, 180, 185, 190],
    "behind it": [195, 190, 185],
    "mostly there": [-190, -180, -170, 0, 180, 360, 400],
    "there alone": [0],
}


def pin(*bodies):
    return {"kind": "revolute", "bodies": bodies}


def parallelogram(start=0.5, turn=0.0, size=1.0):
    """Crank and rocker of a length stand at the angle *start* to the ground, which is turned."""
    arm = np.array([np.cos(start), np.sin(start)])
    c, s = size * np.cos(turn), size * np.sin(turn)
    drawn = {"O": (0, 0), "A": arm, "B": arm + [2, 0], "C": (2, 0)}
    points = {name: [float(c * x - s * y), float(s * x + c * y)] for name, (x, y) in drawn.items()}
    bodies = {
        name: {"bar": list(ends), "mass": 1} for name, ends in (("crank", "OA"), ("coupler", "AB"), ("rocker", "CB"))
    }
    joints = {"O": pin("ground", "crank"), "A": pin("crank", "coupler"), "B": pin("coupler", "rocker")}
    joints["C"] = pin("ground", "rocker")
    return lw.Model(space="planar", gravity=[0, -G], points=points, bodies=bodies, joints=joints)


def scissor_lift(stages, start=0.5):
    """Crossed bars of 2 m, the lowest pinned at L0 and on a slide at R0."""
    c, s = 2 * float(np.cos(start)), 2 * float(np.sin(start))
    points = {f"{side}{i}": [x, i * s] for i in range(stages + 1) for side, x in (("L", 0.0), ("R", c))}
    bodies = {"foot": {"points": ["R0"], "mass": 1, "inertia": 1}}
    slide = {"kind": "prismatic", "bodies": ["ground", "foot"], "at": "R0", "axis": [1, 0]}
    joints = {"L0": pin("ground", "up0"), "R0": pin("foot", "down0"), "slide": slide}
    for i in range(stages):
        bodies[f"up{i}"] = {"bar": [f"L{i}", f"R{i + 1}"], "points": {f"M{i}": [1.0, 0.0]}, "mass": 1}
        bodies[f"down{i}"] = {"bar": [f"R{i}", f"L{i + 1}"], "points": {f"N{i}": [1.0, 0.0]}, "mass": 1}
        joints[f"M{i}"] = {**pin(f"up{i}", f"down{i}"), "at": [f"M{i}", f"N{i}"]}
        if i:
            joints |= {f"L{i}": pin(f"down{i - 1}", f"up{i}"), f"R{i}": pin(f"up{i - 1}", f"down{i}")}
    return lw.Model(space="planar", gravity=[0, -G], points=points, bodies=bodies, joints=joints)


def held(model, joint, angles, slope, flat, **options):
    """Efforts that hold poses are the slope of the potential, and none where the mechanism is flat."""
    found = lw.inverse_dynamics(model, {joint: angles}, motors=[joint], **options)
    effort = found[f"{joint}.angle.effort"]
    expected = np.where(flat, np.nan, slope(angles))
    size = np.abs(slope(np.linspace(0, 7, 99))).max()
    np.testing.assert_allclose(effort, expected, atol=1e-8 * size)
    assert found.undriven == () and found.freedoms == 1
    assert any("branches meet" in note for note in found.notes) == bool(flat.any())
    return found


@pytest.mark.parametrize("rows", FLAT)
@pytest.mark.parametrize(("turn", "size"), [(0.0, 1.0), (np.pi / 4, 10.0), (0.7, 0.01)])
def test_a_parallelogram_stays_one(rows, turn, size):
    along = np.radians(FLAT[rows])
    flat = np.isclose(np.sin(along), 0.0)
    found = held(parallelogram(0.5, turn, size), "O", along + turn, lambda a: 2 * G * size * np.cos(a), flat)
    turned = found["C.angle"] - found["O.angle"]
    assert np.abs(np.sin(turned / 2)).max() < 1e-7
    height = 2 * G * size * np.sin(along + turn)
    assert found.energy["O.angle"] == pytest.approx(height - height[0], abs=1e-7 * G * size)


@pytest.mark.parametrize("kind", KINDS)
def test_a_parallelogram_stays_one_in_all_coordinates(kind):
    along = np.radians(FLAT["through it"])
    held(parallelogram(), "O", along, lambda a: 2 * G * np.cos(a), along == 0.0, coordinates=kind)


@pytest.mark.parametrize("method", [item.name for item in ALL_INVERSE_METHODS])
def test_all_methods_find_the_same(method):
    along = np.radians(FLAT["again and again"])
    held(parallelogram(), "O", along, lambda a: 2 * G * np.cos(a), along == 0.0, method=method)


@pytest.mark.parametrize("stages", [2, 3, 5])
@pytest.mark.parametrize("rows", [[-5, -1, 0, 1, 5], [1, 0, -1], [10, -10], [5, 0, 5]])
def test_a_scissor_lift_goes_through_its_flat_position(stages, rows):
    along = np.radians(rows)
    held(scissor_lift(stages), "L0", along, lambda a: 2 * G * stages**2 * np.cos(a), along == 0.0)


def test_one_stage_alone_is_held_in_its_flat_position_too():
    along = np.radians([-5, -1, 0, 1, 5])
    held(scissor_lift(1), "L0", along, lambda a: 2 * G * np.cos(a), np.zeros(5, dtype=bool))


def test_poses_that_begin_where_branches_meet_are_refused():
    for rows in ([0], [-10, 0, 10]):
        with pytest.raises(RefusedError, match="begins at a change point"):
            lw.inverse_dynamics(parallelogram(0.0), {"O": np.radians(rows)}, motors=["O"])


def five_bar():
    """Two cranks whose rods meet in P."""
    points = {"O": [0, 0], "A": [-0.3, 0.9], "P": [0.5, 1.8], "B": [1.3, 0.9], "E": [1, 0]}
    bars = {"left": "OA", "left_rod": "AP", "right": "EB", "right_rod": "BP"}
    bodies = {name: {"bar": list(ends), "mass": i + 1} for i, (name, ends) in enumerate(bars.items())}
    joints = {"O": pin("ground", "left"), "A": pin("left", "left_rod"), "P": pin("left_rod", "right_rod")}
    joints |= {"B": pin("right", "right_rod"), "E": pin("ground", "right")}
    return lw.Model(space="planar", gravity=[0, -G], points=points, bodies=bodies, joints=joints)


def test_poses_in_no_order_are_on_one_branch():
    """Efforts are the slopes of the potential energy, found by differences on both sides of each pose."""
    model, h, draw = five_bar(), 1e-5, np.random.default_rng(3)
    start = lw.assemble(model)
    centres = np.array([start["O.angle"], start["E.angle"]]) + 0.4 * draw.uniform(-1, 1, (30, 2))
    steps = h * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    rows = (centres[:, None] + steps).reshape(-1, 2)
    found = lw.inverse_dynamics(model, {"O": rows[:, 0], "E": rows[:, 1]}, motors=["O", "E"])
    potential = found["energy.potential"].reshape(-1, 5)
    for motor, one, other in (("O", 1, 2), ("E", 3, 4)):
        slope = (potential[:, one] - potential[:, other]) / (2 * h)
        assert found[f"{motor}.angle.effort"][::5] == pytest.approx(slope, abs=1e-5)


def test_a_function_of_positions_has_no_value_where_branches_meet():
    function = lw.inverse_function(parallelogram(), ["O"])
    angles = np.radians([-20, 0, 20, 180, 190, 360])
    found = function({"O": angles})
    flat = np.array([False, True, False, True, False, True])
    np.testing.assert_allclose(found["O.angle.effort"], np.where(flat, np.nan, 2 * G * np.cos(angles)), atol=1e-9)
    assert np.all(np.isnan(found["C.fx"]) == flat)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_has_a_sample_where_branches_meet(kind):
    """All joint coordinates of the motion are known, and the motor does not hold the mechanism in one position."""
    along = np.radians([-20, -10, 0, 10, 20, 30])
    run = lw.solve_kinematics(parallelogram(-0.5), {"O": along}, times=np.arange(6.0), coordinates=kind)
    for motion in (run, run.detach()):
        found = lw.inverse_dynamics(parallelogram(), motion, motors=["O"], coordinates=kind)
        assert np.flatnonzero(np.isnan(found["O.effort"])).tolist() == [2]
        assert sum("branches meet" in note for note in found.notes) == 1
