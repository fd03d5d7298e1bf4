"""Force elements: the power of their loads is what they bring in, less what they destroy and what they store."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import examples, seeds

from linkwork.algebra.curves import linear_curve, smooth_curve
from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import from_quaternion, quaternion_rate
from linkwork.algebra.space import PLANAR, SPATIAL, Space
from linkwork.elements.contribution import Contribution, JointCoordinate, MeasuredAngle, Solid, Station
from linkwork.elements.forces.actuator import Amplifier, joint_actuator, line_actuator
from linkwork.elements.forces.bushing import Seat, bushing
from linkwork.elements.forces.drag import drag
from linkwork.elements.forces.friction import ball_friction, joint_friction
from linkwork.elements.forces.law import (
    LawForce,
    elastic_curve,
    linear,
    one_sided,
    polynomial,
    resisting_curve,
)
from linkwork.elements.forces.point_force import effort, point_force, torque
from linkwork.elements.forces.spring import Line, spring
from linkwork.elements.forces.torsion_spring import torsion_spring, torsion_spring_between

few = examples(8)
both_spaces = pytest.mark.parametrize("space", [PLANAR, SPATIAL], ids=lambda space: space.name)


class Free:
    """Two free bodies with their positions and velocities as symbols."""

    def __init__(self, space: Space, rng: np.random.Generator) -> None:
        self.space, d, k = space, space.dimension, space.rotations
        turns = 1 if space.planar else 4
        self.q, self.v = ca.SX.sym("q", 2 * (d + turns)), ca.SX.sym("v", 2 * (d + k))
        self.rates = []
        self.solids: list[Solid] = []
        self.velocities: dict[str, tuple[ca.SX, ca.SX, ca.SX]] = {}
        values = []
        for i, name in enumerate(("one", "two")):
            q, v = self.q[i * (d + turns) :][: d + turns], self.v[i * (d + k) :][: d + k]
            if space.planar:
                frame, omega = Frame.planar(q[:2], q[2]), v[2]
                self.rates.append(v)
                values += [rng.normal(size=3)]
            else:
                frame = Frame(q[:3], from_quaternion(q[3:]))
                omega = frame.axes @ v[3:]
                self.rates.append(ca.vertcat(v[:3], quaternion_rate(q[3:], v[3:])))
                e = rng.normal(size=4)
                values += [np.concatenate([rng.normal(size=3), e / np.linalg.norm(e)])]
            angle = frame.angle if space.planar else None
            self.solids.append(Solid(name, frame, omega, angle))
            self.velocities[name] = (frame.origin, v[:d], omega)
        self.values = np.concatenate(values), rng.normal(size=2 * (d + k))

    def station(self, i: int, local: np.ndarray) -> Station:
        solid = self.solids[i]
        at = solid.frame.point(ca.SX(local))
        return Station(solid.body, at, self.velocity(solid.body, at))

    def velocity(self, body: str, at: ca.SX) -> ca.SX:
        origin, velocity, omega = self.velocities[body]
        return velocity + self.space.turn(omega, at - origin)

    def power(self, action: Contribution) -> ca.SX:
        """Of all loads."""
        total = ca.SX(1, 1)
        for load in action.loads:
            total += ca.dot(load.force, self.velocity(load.body, load.at))
            total += ca.dot(load.moment, self.velocities[load.body][2])
        return total

    def number(self, expression: ca.SX) -> float:
        return float(ca.Function("f", [self.q, self.v], [expression])(*self.values))

    def unaccounted(self, action: Contribution) -> float:
        """P + D + dV/dt, which vanishes for an element without a source."""
        stored = ca.jtimes(action.potential, self.q, ca.vertcat(*self.rates))
        return self.number(self.power(action) + action.dissipation + stored)

    def size(self, action: Contribution) -> float:
        """What P, D and dV/dt are sums of, all parts positive, and at least one: errors are parts of it."""
        total = ca.SX(1) + action.dissipation + ca.fabs(ca.jtimes(action.potential, self.q, ca.vertcat(*self.rates)))
        for load in action.loads:
            total += ca.norm_2(load.force) * ca.norm_2(self.velocity(load.body, load.at))
            total += ca.norm_2(load.moment) * ca.norm_2(self.velocities[load.body][2])
        return self.number(total)

    def load_size(self, action: Contribution) -> float:
        """What the resulting force and moment are sums of, likewise."""
        parts = [ca.norm_2(load.force) * (1 + ca.norm_2(load.at)) + ca.norm_2(load.moment) for load in action.loads]
        return self.number(sum(parts, ca.SX(1)))

    def net(self, action: Contribution) -> np.ndarray:
        """Resulting force, and moment about the origin of the world."""
        force = sum((load.force for load in action.loads), ca.SX(self.space.dimension, 1))
        moments = [load.moment + self.space.moment(load.at, load.force) for load in action.loads]
        total = ca.vertcat(force, sum(moments, ca.SX(self.space.rotations, 1)))
        return np.array(ca.Function("f", [self.q, self.v], [ca.densify(total)])(*self.values)).ravel()


def curve(smooth: bool = False, odd: bool = False) -> object:
    x, f = [-1.0, 0.0, 0.5, 2.0], [-3.0, 0.0, 0.2, 4.0]
    make = smooth_curve if smooth else linear_curve
    return make([ca.SX(item) for item in x], [ca.SX(item if odd else item + 1) for item in f])


LAWS: dict[str, Callable[[ca.SX, ca.SX], LawForce]] = {
    "linear": lambda x, r: linear(ca.SX(7), ca.SX(3), x - 0.4, r),
    "cable": lambda x, r: one_sided(ca.SX(7), ca.SX(3), x - 0.4, r, "pull"),
    "stop": lambda x, r: one_sided(ca.SX(7), ca.SX(30), x - 4, r, "push"),
    "table": lambda x, r: elastic_curve(curve(), x) + resisting_curve(curve(odd=True), r),  # type: ignore[arg-type]
    "smooth": lambda x, r: elastic_curve(curve(True), x) + resisting_curve(curve(True, True), r),  # type: ignore[arg-type]
    "polynomial": lambda x, r: polynomial(lambda y: 2 - y + 3 * (y - 0.4) ** 15, ca.SX(0.4), x / 3),
}


@both_spaces
@pytest.mark.parametrize("law", LAWS)
@few
@given(seed=seeds)
def test_springs_between_points_give_back_what_they_store(space: Space, law: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    free = Free(space, rng)
    line = Line((free.station(0, rng.normal(size=space.dimension)), free.station(1, rng.normal(size=space.dimension))))
    answer = LAWS[law](line.length, line.rate)
    if law == "polynomial":
        answer = LawForce(answer.force / 3, answer.potential)
    action = spring(space, line, answer)
    assert free.unaccounted(action) == pytest.approx(0.0, abs=1e-12 * free.size(action))
    assert free.number(action.dissipation) >= 0.0
    np.testing.assert_allclose(free.net(action), 0.0, atol=1e-14 * free.load_size(action))


@few
@given(seed=seeds)
def test_bushings_give_back_what_they_store(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for space in (PLANAR, SPATIAL):
        free, size = Free(space, rng), space.freedoms
        seats = []
        for i in range(2):
            station = free.station(i, rng.normal(size=space.dimension))
            frame = Frame(station.position, free.solids[i].frame.axes, free.solids[i].angle)
            seats.append(Seat(free.solids[i], frame, station.velocity))
        root, damper = rng.normal(size=(size, size)), rng.normal(size=(size, size))
        matrices = [ca.SX(ca.DM(a @ a.T)) for a in (root, damper)]
        action = bushing(space, (seats[0], seats[1]), *matrices, ca.SX(rng.normal(size=size)))
        # φ from R: a rounding error is 1/(1 + cos φ) times as large
        turn = 1 / (
            1 + np.cos(np.linalg.norm([free.number(x.value) for name, x in action.readings.items() if name[0] == "r"]))
        )
        turn = 0.0 if space.planar else turn
        assert free.unaccounted(action) == pytest.approx(0.0, abs=1e-13 * (1 + turn) * free.size(action))
        assert free.number(action.dissipation) >= 0.0
        np.testing.assert_allclose(free.net(action), 0.0, atol=1e-14 * (1 + turn) * free.load_size(action))


def test_a_bushing_measures_the_rotation_vector() -> None:
    """θ = φ n, on both sides of where its series ends, tan²(φ/2) = 0.01, and far beyond."""
    still, axis = ca.SX(3, 1), np.array([2.0, -1.0, 2.0]) / 3
    for angle in (1e-6, 1e-3, 0.1, 0.199337, 0.199338, 1.0, 2.9):
        k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        axes = ca.SX(np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k)
        solids = (Solid("one", Frame.identity(3), still), Solid("two", Frame(still, axes), still))
        seats = (Seat(solids[0], solids[0].frame, still), Seat(solids[1], solids[1].frame, still))
        readings = bushing(SPATIAL, seats, ca.SX.eye(6), ca.SX(6, 6), ca.SX(6, 1)).readings
        found = [float(readings[f"r{name}"].value) for name in "xyz"]
        np.testing.assert_allclose(found, angle * axis, rtol=1e-9 if angle < 1e-2 else 2e-14)


@both_spaces
@few
@given(seed=seeds)
def test_torsion_between_bodies_and_friction_in_balls(space: Space, seed: int) -> None:
    free = Free(space, np.random.default_rng(seed))
    pair = (free.solids[0], free.solids[1])
    if space.planar:
        angle = pair[1].angle - pair[0].angle  # type: ignore[operator]
        rate = pair[1].omega - pair[0].omega
        measured = MeasuredAngle("b.angle - a.angle", angle, rate)
        action = torsion_spring_between(pair, measured, linear(ca.SX(5), ca.SX(2), angle - 0.3, rate))
        assert free.unaccounted(action) == pytest.approx(0.0, abs=1e-13 * free.size(action))
    action = ball_friction(space, pair, ca.SX(0.3), ca.SX(2), ca.SX(1e-2))
    assert free.unaccounted(action) == pytest.approx(0.0, abs=1e-13 * free.size(action))
    assert free.number(action.dissipation) > 0.0


@both_spaces
@few
@given(seed=seeds)
def test_drag_destroys_power_and_the_wind_brings_some_in(space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    free, wind = Free(space, rng), rng.normal(size=space.dimension)
    station = free.station(0, rng.normal(size=space.dimension))
    calm = drag(space, station, ca.SX(0.2), ca.SX(1.7))
    assert free.unaccounted(calm) == pytest.approx(0.0, abs=1e-14 * free.size(calm))
    blown = drag(space, station, ca.SX(0.2), ca.SX(1.7), ca.SX(wind))
    brought = free.number(ca.dot(blown.loads[0].force, ca.SX(wind)))
    assert free.unaccounted(blown) == pytest.approx(brought, abs=1e-14 * free.size(blown))
    assert free.number(blown.dissipation) > 0.0


def test_a_stretched_spring_pulls_its_ends_together() -> None:
    still = ca.SX(2, 1)
    line = Line((Station("one", ca.SX([0, 0]), still), Station("two", ca.SX([3, 4]), still)))
    action = spring(PLANAR, line, linear(ca.SX(10), ca.SX(0), line.length - 1, line.rate))
    np.testing.assert_allclose(np.array(ca.DM(action.loads[0].force)).ravel(), [24, 32])
    np.testing.assert_allclose(np.array(ca.DM(action.loads[1].force)).ravel(), [-24, -32])
    assert float(action.potential) == pytest.approx(80.0)
    pushed = line_actuator(PLANAR, line, Amplifier(ca.SX(5), ca.SX(2)))
    np.testing.assert_allclose(np.array(ca.DM(pushed.loads[1].force)).ravel(), [6, 8])


def test_a_cable_does_not_push_and_a_stop_does_not_pull() -> None:
    def force(side: str, deflection: float, rate: float) -> float:
        return float(one_sided(ca.SX(10), ca.SX(2), ca.SX(deflection), ca.SX(rate), side).force)

    assert [force("pull", -0.1, 5), force("pull", 0.1, -5), force("pull", 0.1, 1)] == [0, 0, 3]
    assert [force("push", 0.1, -5), force("push", -0.1, 5), force("push", -0.1, -1)] == [0, 0, -3]


def test_springs_friction_and_actuators_of_joints() -> None:
    angle, rate = ca.SX.sym("angle"), ca.SX.sym("rate")
    joint = JointCoordinate("O", 0, angle, rate)
    action = torsion_spring(joint, linear(ca.SX(5), ca.SX(2), angle - 0.3, rate))
    (item,) = action.efforts
    difference = item.value + ca.gradient(action.potential, angle) + 2 * rate
    assert float(ca.Function("f", [angle, rate], [difference])(0.9, -1.4)) == pytest.approx(0.0, abs=1e-14)
    rubbed = joint_friction(joint, ca.SX(0.5), ca.SX(3), ca.SX(1e-6))
    values = ca.Function("f", [rate], [rubbed.efforts[0].value, rubbed.dissipation])(-2.0)
    assert [float(value) for value in values] == pytest.approx([1.0 + 3.0, 2.0 * 4.0])
    assert (item.joint, item.freedom) == ("O", 0)
    assert float(effort(joint, ca.SX(4)).efforts[0].value) == 4.0
    lagging = joint_actuator(joint, Amplifier(angle, ca.SX(10), (ca.SX(-1), ca.SX(2)), ca.SX(0.5)))
    (state,) = lagging.states
    found = ca.Function("f", [angle, state.symbol], [state.rate, state.start])(0.9, 1.5)
    assert [float(value) for value in found] == [1.0, 2.0]


def test_given_forces_and_torques() -> None:
    station = Station("body", ca.SX([1, 2, 3]), ca.SX(3, 1))
    (load,) = point_force(SPATIAL, station, ca.SX([4, 5, 6])).loads
    assert load.moment.is_zero() and np.array(ca.DM(load.at)).ravel().tolist() == [1, 2, 3]
    first, second = point_force(SPATIAL, station, ca.SX([4, 5, 6]), "other").loads
    assert second.body == "other" and np.array(ca.DM(first.force + second.force)).ravel().tolist() == [0, 0, 0]
    solids = [Solid(name, Frame.identity(3), ca.SX(3, 1)) for name in ("body", "other")]
    first, second = torque(SPATIAL, solids[0], ca.SX([4, 5, 6]), solids[1]).loads
    assert first.force.is_zero() and np.array(ca.DM(second.moment)).ravel().tolist() == [-4, -5, -6]
