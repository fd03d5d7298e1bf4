"""Force elements: their loads are minus the gradient of their potential, and dampers only take power out."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import examples, seeds

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import PLANAR, SPATIAL, Space
from linkwork.elements.forces import (
    JointCoordinate,
    Solid,
    Station,
    effort,
    point_force,
    spring,
    torque,
    torsion_spring,
)

few = examples(8)


@pytest.mark.parametrize("space", [PLANAR, SPATIAL], ids=lambda space: space.name)
@few
@given(seed=seeds)
def test_spring_and_damper_between_points(space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = space.dimension
    r, v = ca.SX.sym("r", 2 * d), ca.SX.sym("v", 2 * d)
    ends = (Station("one", r[:d], v[:d]), Station("two", r[d:], v[d:]))
    values = (rng.normal(size=2 * d), rng.normal(size=2 * d))
    elastic = spring(space, ends, ca.SX(7.0), ca.SX(0.0), ca.SX(0.4))
    forces = ca.vertcat(*[load.force for load in elastic.loads])
    gap = ca.Function("f", [r, v], [forces + ca.gradient(elastic.potential, r)])(*values)
    np.testing.assert_allclose(np.array(gap), 0.0, atol=1e-12)
    damped = spring(space, ends, ca.SX(0.0), ca.SX(3.0), ca.SX(0.4))
    forces = ca.vertcat(*[load.force for load in damped.loads])
    length = ca.norm_2(r[d:] - r[:d])
    power = ca.dot(forces, v) + 3.0 * ca.jtimes(length, r, v) ** 2
    np.testing.assert_allclose(float(ca.Function("f", [r, v], [power])(*values)), 0.0, atol=1e-12)
    assert [load.body for load in damped.loads] == ["one", "two"]


def test_a_stretched_spring_pulls_its_ends_together() -> None:
    still = ca.SX(2, 1)
    ends = (Station("one", ca.SX([0, 0]), still), Station("two", ca.SX([3, 4]), still))
    action = spring(PLANAR, ends, ca.SX(10), ca.SX(0), ca.SX(1))
    np.testing.assert_allclose(np.array(ca.DM(action.loads[0].force)).ravel(), [24, 32])
    np.testing.assert_allclose(np.array(ca.DM(action.loads[1].force)).ravel(), [-24, -32])
    assert float(action.potential) == pytest.approx(80.0)


def test_torsion_spring_and_actuator() -> None:
    angle, rate = ca.SX.sym("angle"), ca.SX.sym("rate")
    action = torsion_spring(JointCoordinate("O", 0, angle, rate), ca.SX(5), ca.SX(2), ca.SX(0.3))
    (item,) = action.efforts
    difference = item.value + ca.gradient(action.potential, angle) + 2 * rate
    assert float(ca.Function("f", [angle, rate], [difference])(0.9, -1.4)) == pytest.approx(0.0, abs=1e-14)
    assert (item.joint, item.freedom) == ("O", 0)
    assert float(effort(JointCoordinate("O", 1, angle, rate), ca.SX(4)).efforts[0].value) == 4.0


def test_given_forces_and_torques() -> None:
    station = Station("body", ca.SX([1, 2, 3]), ca.SX(3, 1))
    (load,) = point_force(SPATIAL, station, ca.SX([4, 5, 6])).loads
    assert load.moment.is_zero() and np.array(ca.DM(load.at)).ravel().tolist() == [1, 2, 3]
    (load,) = torque(SPATIAL, Solid("body", Frame.identity(3), ca.SX(3, 1)), ca.SX([4, 5, 6])).loads
    assert load.force.is_zero() and np.array(ca.DM(load.moment)).ravel().tolist() == [4, 5, 6]
