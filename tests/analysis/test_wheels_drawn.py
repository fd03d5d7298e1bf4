"""Wheels of couplings are drawn: their circles touch, and a spoke shows how they turn."""

from __future__ import annotations

import gear_trains
import numpy as np
import pytest

import linkwork as lw
from linkwork.results.sketch import draw


def circle(model: lw.Model, body: str) -> tuple[np.ndarray, float]:
    """Centre in the sketch and radius of the one circle on a body."""
    topology = lw.analyse(model)
    (line,) = draw(topology, topology.geometry.defaults).bodies[body].outlines
    points = np.array(line)
    radii = np.linalg.norm(points[1:] - points[0], axis=1)
    np.testing.assert_allclose(radii, radii[0], rtol=1e-9)
    np.testing.assert_allclose(points[1], points[-1], atol=1e-12)
    pose = topology.geometry.sketch()[body]
    return pose.point(points[0]), float(radii[0])


def test_circles_of_a_planetary_train_touch() -> None:
    model = gear_trains.planetary()
    sun, planet, ring = (circle(model, body) for body in ("sun", "planet", "ring"))
    distance = np.linalg.norm(planet[0] - sun[0])
    assert distance == pytest.approx(sun[1] + planet[1], rel=1e-9)
    assert distance == pytest.approx(ring[1] - planet[1], rel=1e-9)


def test_teeth_give_circles_too() -> None:
    """The distance of the axes is shared in the ratio of the teeth; with bevel gears the cones touch."""
    model = gear_trains.planetary({"mesh": {"bodies": ["sun", "planet"], "teeth": [20, 30]}})
    assert circle(model, "sun")[1] == pytest.approx(0.1, rel=1e-9)
    assert circle(model, "planet")[1] == pytest.approx(0.15, rel=1e-9)
    bevel = gear_trains.differential()
    assert circle(bevel, "right")[1] == pytest.approx(0.1, rel=1e-9)
    assert circle(bevel, "planet")[1] == pytest.approx(0.1, rel=1e-9)


def test_joints_alone_draw_no_wheels() -> None:
    model = gear_trains.planetary({"mesh": {"joints": ["S", "P"], "ratio": -2}})
    topology = lw.analyse(model)
    assert all(not body.outlines for body in draw(topology, topology.geometry.defaults).bodies.values())
