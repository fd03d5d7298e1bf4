"""Swept regions against formulas: circles, rings, strips, boxes."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import pytest

import linkwork as lw
from linkwork.numerics.geometry.polygons import cut_convex, signed_area
from linkwork.numerics.geometry.union import union_of_hulls

TURN = np.linspace(0.0, 2 * np.pi, 73)


@cache
def turned(first: tuple[float, float], last: tuple[float, float], width: float = 0.0) -> lw.Result:
    """A bar between two places that turns once about the origin."""
    body = {"bar": ["A", "B"], "mass": 1} | ({"width": width} if width else {})
    model = lw.Model(
        name="turning",
        space="planar",
        points={"O": [0, 0], "A": list(first), "B": list(last)},
        bodies={"bar": body},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"], "at": "O"}},
    )
    return lw.solve_kinematics(model, {"O": TURN})


@cache
def slid() -> lw.Result:
    """A box that slides along a line of 30 degrees, forth alone."""
    model = lw.Model(
        name="sliding",
        space="planar",
        points={"O": [0, 0]},
        bodies={"box": {"points": ["O"], "shapes": {"box": {"box": [0.4, 0.2], "rotation": "30 deg", "mass": 1}}}},
        joints={"O": {"kind": "prismatic", "bodies": ["ground", "box"], "axis": [float(np.cos(np.pi / 6)), 0.5]}},
    )
    return lw.solve_kinematics(model, {"O": np.linspace(0.0, 1.5, 16)})


@pytest.mark.parametrize(
    ("first", "last", "outer", "inner"),
    [
        ((0.0, 0.0), (1.0, 0.0), 1.0, 0.0),  # about its end
        ((-0.3, 0.0), (0.7, 0.0), 0.7, 0.0),  # about a place of its own
        ((0.4, 0.0), (1.0, 0.0), 1.0, 0.4),  # a ring
        ((0.2, 0.5), (0.2, -0.4), np.hypot(0.2, 0.5), 0.2),  # beside the pole: the inner circle is touched by its side
    ],
)
def test_a_bar_that_turns(first, last, outer, inner):
    """Area π (R² − r²); the error is that of chords, and shrinks as the resolution does."""
    exact = np.pi * (outer**2 - inner**2)
    errors = []
    for resolution in (4e-3, 4e-4):
        found = lw.envelope(turned(first, last), "bar", resolution=resolution)
        errors.append(abs(found.area - exact))
        assert errors[-1] <= found.error * 2 * np.pi * (outer + inner)
        assert len(found.outlines) == 1 + (inner > 0) and len(found.holes) == (inner > 0)
        for ring in found.outlines:
            radius = np.linalg.norm(ring, axis=1)
            wanted = outer if signed_area(ring) > 0 else inner
            assert np.max(np.abs(radius - wanted)) < found.error
    assert errors[1] < 0.15 * errors[0]


def test_a_wide_bar_that_turns():
    found = lw.envelope(turned((0.0, 0.0), (1.0, 0.0), 0.2))
    assert found.area == pytest.approx(np.pi * 1.1**2, rel=1e-3)
    assert found.reach() == pytest.approx(1.1, abs=1e-3)
    assert found.reach("O") == found.reach([0, 0])
    np.testing.assert_allclose([found.low, found.high], [[-1.1, -1.1], [1.1, 1.1]], atol=found.error)


def test_a_box_that_slides_sweeps_a_box():
    found = lw.envelope(slid(), "box")
    assert found.area == pytest.approx((0.4 + 1.5) * 0.2, rel=1e-9)
    assert found.hull_content == pytest.approx(found.area, rel=1e-9)
    c, s = np.cos(np.pi / 6), 0.5
    np.testing.assert_allclose(found.high, [1.5 * c + 0.2 * c + 0.1 * s, 1.5 * s + 0.2 * s + 0.1 * c], atol=1e-9)


def test_a_body_that_stands_takes_its_own_room():
    still = lw.envelope(turned((0.0, 0.0), (1.0, 0.0), 0.2))
    assert still.area > 3.0
    model = lw.Model(
        name="standing",
        space="planar",
        points={"O": [0, 0], "A": [0.3, 0], "B": [1, 0], "C": [1.5, 0]},
        bodies={"post": {"bar": ["B", "C"], "mass": 1, "width": 0.1}, "arm": {"bar": ["O", "A"], "mass": 1}},
        joints={
            "B": {"kind": "fixed", "bodies": ["ground", "post"]},
            "O": {"kind": "revolute", "bodies": ["ground", "arm"]},
        },
    )
    run = lw.solve_kinematics(model, {"O": np.linspace(0.0, 1.0, 11)})
    assert lw.envelope(run, "post").area == pytest.approx(0.05 + np.pi * 0.05**2, rel=1e-3)
    both = lw.envelope(run, ["post", "arm"])
    assert both.area == pytest.approx(0.05 + np.pi * 0.05**2 + 0.09 / 2, rel=1e-3)
    assert len(both.outlines) == 2 and both.bodies == ("post", "arm")
    assert lw.envelope(run).area == pytest.approx(both.area)


def test_in_space():
    """A bar of a square section turns once about z: a cylinder of its diagonal reach, with a spherical end none."""
    model = lw.Model(
        name="rotor",
        space="spatial",
        points={"O": [0, 0, 0], "A": [1, 0, 0]},
        bodies={
            "bar": {"bar": ["O", "A"], "mass": 1, "section": [0.2, 0.3]},
            "ball": {"points": ["A"], "mass": 1, "width": 0.4},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "bar"], "axis": [0, 0, 1]},
            "A": {"kind": "fixed", "bodies": ["bar", "ball"]},
        },
    )
    run = lw.solve_kinematics(model, {"O": TURN})
    found = lw.envelope(run, "bar")
    radius = np.hypot(1.0, 0.1)
    assert found.area is None and found.outlines == ()
    assert found.hull_content == pytest.approx(np.pi * radius**2 * 0.3, rel=1e-3)
    assert found.reach() == pytest.approx(np.sqrt(radius**2 + 0.15**2), rel=1e-9)
    np.testing.assert_allclose(found.high, [radius, radius, 0.15], atol=found.error)
    ball = lw.envelope(run, "ball")
    np.testing.assert_allclose([ball.low, ball.high], [[-1.2, -1.2, -0.2], [1.2, 1.2, 0.2]], atol=1e-3)


def test_the_union_of_squares():
    square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    both = union_of_hulls([square, square + [0.5, 0.5]])
    assert both.area == pytest.approx(1.75) and len(both.rings) == 1
    assert union_of_hulls([square, square]).area == pytest.approx(1.0)
    assert union_of_hulls([square, square + [1.0, 0.0]]).area == pytest.approx(2.0)
    apart = union_of_hulls([square, square + [3.0, 0.0]])
    assert apart.area == pytest.approx(2.0) and len(apart.rings) == 2
    frame = [square * [3, 1], square * [3, 1] + [0, 2], square * [1, 3], square * [1, 3] + [2, 0]]
    ring = union_of_hulls(frame)
    assert ring.area == pytest.approx(8.0)
    assert sorted(signed_area(line) for line in ring.rings) == pytest.approx([-1.0, 9.0])


def test_the_union_of_random_polygons():
    """Against points at random: the share of them that lies in some polygon."""
    rng = np.random.default_rng(2)
    polygons = []
    for _ in range(60):
        angle = np.sort(rng.uniform(0, 2 * np.pi, 7))
        polygons.append(rng.uniform(-3, 3, 2) + rng.uniform(0.2, 0.8) * np.column_stack([np.cos(angle), np.sin(angle)]))
    found = union_of_hulls(polygons)
    points = rng.uniform(-4, 4, (40_000, 2))
    inside = np.zeros(len(points), dtype=bool)
    for ring in polygons:
        way = np.roll(ring, -1, axis=0) - ring
        inside |= np.all(
            [w[0] * (points[:, 1] - p[1]) - w[1] * (points[:, 0] - p[0]) >= 0 for p, w in zip(ring, way, strict=True)],
            axis=0,
        )
    assert found.area == pytest.approx(64 * np.mean(inside), abs=4 * 64 * 0.5 / np.sqrt(len(points)))
    assert sum(signed_area(ring) for ring in found.rings) == pytest.approx(found.area, rel=1e-9)


def test_a_polygon_is_cut_in_two():
    square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    halves = cut_convex(square, np.array([0.25, 0.0]), np.array([1.0, 0.0]))
    assert sorted(signed_area(half) for half in halves) == pytest.approx([0.25, 0.75])
    assert len(cut_convex(square, np.array([2.0, 0.0]), np.array([1.0, 0.0]))) == 1


def test_what_a_user_reads(tmp_path):
    found = lw.envelope(turned((0.4, 0.0), (1.0, 0.0)), "bar")
    assert str(found).startswith("turning: what bar sweeps\n  area") and "1 hole" in str(found)
    lines = found.save(tmp_path / "swept.csv").read_text().splitlines()
    assert lines[0] == '"line","x [m]","y [m]"' and lines[-1].startswith("2,")
    found.plot(path=tmp_path / "swept.png")
    assert (tmp_path / "swept.png").stat().st_size > 1000
    with pytest.raises(lw.errors.UnknownNameError, match="'bat' is no body"):
        lw.envelope(turned((0.4, 0.0), (1.0, 0.0)), "bat")
    with pytest.raises(lw.errors.RefusedError, match="resolution = 0"):
        lw.envelope(turned((0.4, 0.0), (1.0, 0.0)), "bar", resolution=0)
    with pytest.raises(lw.errors.UnknownNameError, match="no point of the ground"):
        found.reach("Z")


def test_a_region_that_hangs_together_by_a_point_is_one():
    """A bar that turns about its end: triangles that meet at the pivot, which poses between samples miss by 1e-11."""
    found = lw.envelope(turned((0.0, 0.0), (1.0, 0.0)), "bar", resolution=1e-5)
    assert len(found.outlines) == 1
    assert found.area == pytest.approx(np.pi, rel=1e-4)


def test_without_shapely_regions_of_the_plane_are_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "shapely", None)
    with pytest.raises(lw.errors.RefusedError, match=r"pip install \"linkwork\[regions\]\""):
        lw.envelope(turned((0.4, 0.0), (1.0, 0.0)), "bar")
