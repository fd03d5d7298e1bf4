"""Powers of motors and of everything else between the samples of a motion, or along the slow way from pose to pose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from linkwork.analysis.inverse.hold import Problem, among, with_efforts
from linkwork.analysis.kinematics.closing_motion import MotionClosing
from linkwork.analysis.kinematics.record import GivenMotion
from linkwork.analysis.motion.between import StatesBetween
from linkwork.analysis.motion.powers import balance
from linkwork.analysis.motion.work import States
from linkwork.analysis.motion.written import written
from linkwork.arrays import Array
from linkwork.coordinates.motors import motor_rates
from linkwork.equations.terms import make_function
from linkwork.results.quantities import Variable

SLOW = 1e-8  # rad or sizes of the mechanism per second: so slow is what goes slowly

STILL = 1e-12  # s from pose to pose: what changes with time stands still

Solve = Callable[[States, Array], Array]  # from states and parameters to the efforts of motors (N, k)


def standing(states: States, over: Variable) -> States:
    """States with their times, or at the times of poses, whose numbers they have."""
    return states if over.is_time else (STILL * states[0], *states[1:])


@dataclass(eq=False)
class PowersBetween:
    """Powers between samples t (N), whose numbers are the times of poses.

    p: (np), or (N, np); solve: efforts at other states; poses: what is given of them, None of a motion over time
    rubbed: parameters with the friction of joints at other states, None where nothing rubs
    """

    problem: Problem
    states: States
    p: Array
    solve: Solve
    poses: GivenMotion | None = None
    rubbed: Callable[[States, Array], Array] | None = None
    _last: tuple[Array, Array] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        mechanism, full = self.problem.mechanism, self._full(self.p)
        self._between = StatesBetween(mechanism, self.states, np.atleast_2d(full)[-1])
        if self.poses is not None:
            self._closing = MotionClosing(mechanism, full, list(self.poses.values))
            given = np.column_stack([levels[0] for levels in self.poses.values.values()])
            self._rows = self._closing.in_turn(self.states[1][0], given)[1:]

    def others(self, t: Array) -> Array:
        """S − D (n) of all that is no motor, at some times."""
        if written(self.problem.mechanism.coordinates, balance).is_zero:
            return np.zeros(len(t))
        if self.poses is None:
            y, _, p = self._moment(t)
            return self._others(t, y, p)
        y, v = self._slowly(t)
        # what grows with the speed, as the loss of a damper, is none at last
        slow, slower = (self._others(t, self._moving(y, speed * v), self.p) / speed for speed in (SLOW, SLOW / 2))
        return 2 * slower - slow

    def of_motor(self, i: int, t: Array) -> Array:
        """The power (n) of a motor at some times."""
        if self._last is None or not np.array_equal(self._last[0], t):
            self._last = t, self._of_motors(t)
        return np.asarray(self._last[1][:, i])

    def _of_motors(self, t: Array) -> Array:
        if self.poses is None:
            y, vdot, p = self._moment(t)
            return self.solve((t, y, vdot), p) * self.paces(t, y, p)
        y, v = self._slowly(t)
        efforts = self.solve((self._when(t), self._moving(y, 0.0 * v), 0.0 * v), self.p)
        return efforts * self.paces(t, self._moving(y, v), self.p)

    def at_samples(self, efforts: Array) -> tuple[Array, Array]:
        """Powers of motors (N, k) with these efforts, and of all others (N)."""
        t, y, _ = self.states
        return efforts * self.paces(t, y, self.p), self._others(t, y, self.p)

    def paces(self, t: Array, y: Array, p: Array) -> Array:
        """How fast (n, k) motors move, at some states."""
        c, motors = self.problem.motorised.coordinates, self.problem.motorised.motors
        compiled = self.problem.mechanism.compiled(make_function("motor_paces", c, {"r": motor_rates(c, motors) @ c.v}))
        return np.asarray(compiled.sample(self._when(t), y, self._full(p)))

    def _others(self, t: Array, y: Array, p: Array) -> Array:
        c = self.problem.mechanism.coordinates
        given, lost = written(c, balance)(self._when(t), y, np.zeros((len(t), c.v.numel())), self._full(p))
        return np.asarray(given[:, 0] - lost[:, 0])

    def _when(self, t: Array) -> Array:
        """Times of samples, or of poses by their numbers."""
        return t if self.poses is None else STILL * t

    def _full(self, p: Array) -> Array:
        """Parameters, and motors that do not push."""
        return with_efforts(p, np.zeros(len(self.problem.motorised.motors)))

    def _moment(self, t: Array) -> tuple[Array, Array, Array]:
        """States, accelerations, and the parameters of the interval in which a time is."""
        y, vdot, p = self._between.states(t), self._between.accelerations(t), among(self.p, self._between.places(t) + 1)
        return y, vdot, p if self.rubbed is None else self.rubbed((t, y, vdot), p)

    def _moving(self, y: Array, v: Array) -> Array:
        """States (n, ny) with these velocities (n, nv)."""
        found, nq = y.copy(), self.problem.mechanism.coordinates.q.numel()
        found[:, nq : nq + v.shape[1]] = v
        return found

    def _slowly(self, t: Array) -> tuple[Array, Array]:
        """Positions on the straight way between poses, and velocities along it, one pose per second."""
        k, y = self._between.places(t), self.states[1]
        part, way = (t - k)[:, None], np.diff(self._rows, axis=0)[k]
        found = self._closing.positions(t, y[k] + part * (y[k + 1] - y[k]), self._rows[k] + part * way)
        speeds = self._closing.rates(t, found, "a", way, np.zeros((len(t), self._closing.nv)))[0]
        return found, speeds


def power_functions(powers: PowersBetween) -> list[Callable[[Array], Array]]:
    """The powers of all motors as functions of times."""
    return [partial(powers.of_motor, i) for i in range(len(powers.problem.motors))]
