"""Poses near what is wanted: exact nearest points, priorities and weights, ways to close a sketch, dragged points."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from drawn_delta import delta
from drawn_linkages import four_bar
from gear_trains import rack
from linkages import revolute, spherical_four_bar
from scipy.optimize import minimize_scalar
from ten_mechanisms import TEN, model_of

import linkwork as lw
from linkwork.position.closing import CLOSINGS
from linkwork.position.nearest import Nearest, ReadingGoal


@cache
def linkage() -> lw.Model:
    """A crank-rocker with a coupler point P."""
    data = four_bar((1.0, 2.5, 2.0, 2.2), 0.9, 1.0).to_dict()
    data["bodies"]["coupler"]["points"] = {"P": [1.1, 0.9]}
    return lw.Model(**data)


@cache
def chain() -> lw.Model:
    """Two bars of 1 m and 0.6 m in the plane."""
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [1.2, np.sqrt(0.36 - 0.04)]},
        bodies={"upper": {"bar": ["O", "A"], "mass": 1}, "lower": {"bar": ["A", "B"], "mass": 1}},
        joints={"O": revolute("ground", "upper"), "A": revolute("upper", "lower")},
    )


def coupler_point(theta):
    """P of the linkage at a crank angle, by the meeting of two circles."""
    pin = np.array([np.cos(theta), np.sin(theta)])
    d = np.array([2.2, 0.0]) - pin
    square = d @ d
    along = (2.5**2 - 2.0**2 + square) / (2 * square)
    off = np.sqrt(2.5**2 / square - along**2)
    across = np.array([-d[1], d[0]])
    unit = (along * d + off * across) / 2.5
    return pin + 1.1 * unit + 0.9 * np.array([-unit[1], unit[0]])


def test_the_drawn_linkage_is_on_the_written_curve():
    pose = lw.assemble(linkage())
    assert pose["O.angle"] == pytest.approx(0.9, abs=1e-12)
    np.testing.assert_allclose([pose["P.x"], pose["P.y"]], coupler_point(0.9), atol=1e-12)


@pytest.mark.parametrize("angle", [-150, -60, 30, 120])
def test_a_joint_is_put_where_it_can_be(angle):
    pose = lw.assemble(linkage(), {"O": f"{angle} deg"})
    assert pose.reached
    assert pose["O.angle"] == pytest.approx(np.radians(angle), abs=1e-10)
    np.testing.assert_allclose([pose["P.x"], pose["P.y"]], coupler_point(np.radians(angle)), atol=1e-9)


@pytest.mark.parametrize("far", [(1.0, 2.0), (0.5, 3.5), (-1.0, 1.0)])
def test_the_nearest_place_of_a_coupler_point(far):
    """On a curve with one parameter the nearest point is where the distance is least: by a search along the curve."""
    pose = lw.assemble(linkage(), {"coupler.P": far})
    angle = pose["O.angle"]
    away = minimize_scalar(
        lambda x: np.linalg.norm(coupler_point(x) - far),
        bounds=(angle - 0.3, angle + 0.3),
        method="bounded",
        options={"xatol": 1e-10},
    )
    assert not pose.reached
    assert pose.distance == pytest.approx(away.fun, abs=1e-9)
    assert pose.distance == pytest.approx(np.linalg.norm(coupler_point(angle) - far), abs=1e-9)
    assert "nearest to" in str(pose)


def test_a_chain_stretches_towards_what_it_cannot_reach():
    """Two bars of 1 and 0.6 m reach 1.6 m: they point at a place 5 m away and end 3.4 m before it."""
    pose = lw.assemble(chain(), {"B": (3.0, 4.0)})
    assert pose.distance == pytest.approx(3.4, abs=1e-9)
    assert pose["A.angle"] == pytest.approx(0.0, abs=1e-6)
    assert pose["O.angle"] == pytest.approx(np.arctan2(4, 3), abs=1e-6)


def test_a_rocker_ends_at_its_dead_centre():
    """Beyond its reach the rocker stops where crank and coupler are in line."""
    pose = lw.assemble(linkage(), {"C": "175 deg"})
    limit = np.pi - np.arccos((2.2**2 + 2.0**2 - (2.5 - 1.0) ** 2) / (2 * 2.2 * 2.0))
    assert pose["C.angle"] == pytest.approx(limit, abs=1e-8)
    assert abs(pose["A.angle"]) == pytest.approx(np.pi, abs=1e-4)


def test_priorities_come_one_after_the_other():
    """First the elbow, then the end as near as the elbow allows: it turns about O at a fixed distance."""
    elbow, place = np.radians(60), np.array([0.2, 3.0])
    pose = lw.assemble(chain(), {"B": tuple(place), "A": "60 deg"}, priorities={"B": 2})
    reach = np.hypot(1 + 0.6 * np.cos(elbow), 0.6 * np.sin(elbow))
    assert pose["A.angle"] == pytest.approx(elbow, abs=1e-10)
    assert pose.distance == pytest.approx(np.linalg.norm(place) - reach, abs=1e-9)
    # the other way round the arm is stretched, and the elbow has nothing to say
    other = lw.assemble(chain(), {"B": tuple(place), "A": "60 deg"}, priorities={"A": 2})
    np.testing.assert_allclose([other["B.x"], other["B.y"]], 1.6 * place / np.linalg.norm(place), atol=1e-6)


def test_weights_share_what_cannot_be_had():
    """Two wishes for one angle: their mean, weighted with the squares of the weights (least squares)."""
    pose = lw.assemble(chain(), {"O.angle": 0.2, "upper.angle": 0.8}, weights={"O.angle": 2.0})
    assert pose["O.angle"] == pytest.approx((4 * 0.2 + 0.8) / 5, abs=1e-10)


def test_what_nothing_asks_for_stays_as_drawn():
    drawn, pose = lw.assemble(chain()), lw.assemble(chain(), {"O": 1.0})
    assert pose["A.angle"] == pytest.approx(drawn["A.angle"], abs=1e-10)
    pose = lw.assemble(chain(), {"A": 1.0})
    assert pose["O.angle"] == pytest.approx(drawn["O.angle"], abs=1e-10)


def test_the_model_of_a_pose_starts_there():
    pose = lw.assemble(linkage(), {"O": "-40 deg"})
    again = lw.analyse(pose.model)
    values = again.conditions.evaluate(again.assembly.poses, again.geometry.defaults)[2]
    assert values[again.conditions.index("O", "angle")] == pytest.approx(np.radians(-40), abs=1e-10)
    assert values[again.conditions.index("C", "angle")] == pytest.approx(pose["C.angle"], abs=1e-10)


# of the rolling disc, whose height is stationary, readings alone do not tell the position
CLOSED = [*(name for name in TEN if name != "rolling disc"), "spherical four-bar"]


@cache
def torn(name: str) -> lw.Model:
    if name == "spherical four-bar":
        return spherical_four_bar()
    return lw.Model(**{**model_of(name).to_dict(), "initial": {}, "drivers": {}})


@pytest.mark.parametrize("name", CLOSED)
def test_all_ways_to_close_a_torn_sketch_agree(name):
    """Joints are pulled open by some millimetres; with as many values given as there are freedoms there is one answer."""
    topology = lw.analyse(torn(name))
    conditions, p = topology.conditions, topology.geometry.defaults
    rng = np.random.default_rng(3)
    start = conditions.move(topology.assembly.poses, 0.01 * rng.standard_normal(conditions.size))
    values = conditions.evaluate(topology.assembly.poses, p)[2]
    goals = [ReadingGoal(i, float(values[i])) for i, r in enumerate(conditions.readings) if not r.rate_only]
    found = {}
    for method, close in CLOSINGS.items():
        poses, _, left = close(conditions, p, start)
        assert left < 1e-11, method
        assert np.max(np.abs(conditions.evaluate(poses, p)[0]), initial=0.0) < 1e-11
        settled, _ = Nearest(conditions, p).settle(poses, [goals])
        found[method] = conditions.evaluate(settled, p)[2]
    for method, readings in found.items():
        gap = np.abs((readings - values + np.pi) % (2 * np.pi) - np.pi)
        assert np.max(gap[[not r.rate_only for r in conditions.readings]]) < 1e-9, method


def test_a_dragged_coupler_point_stays_on_its_curve():
    model = linkage()
    first = coupler_point(0.9)
    path = first + np.column_stack([np.linspace(0, -0.8, 9), np.linspace(0, 0.5, 9)])
    drag = lw.drag_point(model, "coupler.P", path)
    on_curve = np.array([coupler_point(angle) for angle in drag["O.angle"]])
    np.testing.assert_allclose(drag.places, on_curve, atol=1e-9)
    # nearest: what is missing is perpendicular to the curve
    for angle, miss in zip(drag["O.angle"], path - drag.places, strict=True):
        tangent = (coupler_point(angle + 1e-6) - coupler_point(angle - 1e-6)) / 2e-6
        assert abs(tangent @ miss) < 1e-7
    assert not drag.followed
    assert "cannot follow" in str(drag)


def test_a_point_on_its_curve_follows():
    angles = np.linspace(0.9, 0.9 + 2 * np.pi, 25)
    drag = lw.drag_point(linkage(), "P", [coupler_point(angle) for angle in angles])
    assert drag.followed
    assert np.max(drag.distances) < 1e-9
    np.testing.assert_allclose(drag["O.angle"], angles, atol=1e-7)


def test_a_rack_turns_its_wheel_while_it_is_dragged():
    """0.3 m along a rack below a wheel of 0.2 m: its lowest point moves with the rack, 1.5 rad to the left."""
    drag = lw.drag_point(rack(), "B", [(0.6, -0.2), (0.8, -0.2)])
    assert drag.followed
    np.testing.assert_allclose(drag["B.position"], [0.1, 0.3], atol=1e-9)
    np.testing.assert_allclose(drag["O.angle"], [0.5, 1.5], atol=1e-9)


def test_a_point_that_nothing_moves_is_not_searched_for(monkeypatch):
    """A pin of two bodies that hold it on the ground: rounding errors of its place are no slope to follow."""
    model = lw.load(Path(__file__).parents[2] / "src/linkwork/mechanisms/bricard.yaml")
    restore, restored = Nearest._restore, []
    monkeypatch.setattr(Nearest, "_restore", lambda *given: restored.append(given) or restore(*given))
    drag = lw.drag_point(model, "P6", [[0.1, 0.1, 0.1], [0.12, 0.12, 0.12]])
    np.testing.assert_allclose(drag.places, [[0, 0, 1], [0, 0, 1]], atol=1e-12)
    assert len(restored) < 50


def test_bad_wishes_are_refused():
    with pytest.raises(lw.errors.UnknownNameError, match="no coordinate of a joint"):
        lw.assemble(linkage(), {"X": 1.0})
    with pytest.raises(lw.errors.UnknownNameError, match="is no point of a body"):
        lw.assemble(linkage(), {"Q": (1.0, 2.0)})
    with pytest.raises(lw.errors.RefusedError, match="needs 2 components"):
        lw.assemble(linkage(), {"B": (1.0, 2.0, 3.0)})
    with pytest.raises(lw.errors.RefusedError, match="a weight is a positive number"):
        lw.assemble(linkage(), {"O": 1.0}, weights={"O": 0.0})
    with pytest.raises(lw.errors.UnknownNameError, match="no value in near"):
        lw.assemble(linkage(), {"O": 1.0}, priorities={"C": 2})
    with pytest.raises(lw.errors.RefusedError, match="did you mean 'damped'"):
        lw.assemble(linkage(), method="dampd")
    with pytest.raises(lw.errors.RefusedError, match="rows of 2 finite numbers"):
        lw.drag_point(linkage(), "P", [(1.0, 2.0, 3.0)])


def test_pictures(tmp_path):
    pose = lw.assemble(linkage(), {"O": 1.0})
    pose.plot(path=tmp_path / "pose.png")
    lw.drag_point(pose, "P", [(1.0, 2.0)]).plot(path=tmp_path / "drag.png")
    assert (tmp_path / "pose.png").exists()
    assert (tmp_path / "drag.png").exists()


def test_a_sketch_that_does_not_close_names_the_bodies_that_moved() -> None:
    """One rod of a delta robot 1 mm short: no angle of a motor moves, but the platform turns."""
    model = delta(rods=True)
    short = {**model.to_dict()["bodies"]["rod0l"], "length": 0.699}
    told = lw.analyse(model.with_(bodies={"rod0l": short})).assembly.notes
    assert any("moved: no joint coordinate, but bodies, most of all" in note and "turned by" in note for note in told)
