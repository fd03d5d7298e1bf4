"""The numbers of an audit, from the states of a run at its outputs.

Of more than `ALL` outputs, as many as a run has by default, `MOST` are looked at, evenly spread, the first and the last
among them; whether all numbers are finite is asked at every one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.audit.audited import (
    HELD,
    Sizes,
    write_along,
    write_element_powers,
    write_every,
    write_held,
    write_powers,
    write_rows,
)
from linkwork.analysis.audit.limits import ROUNDING, WEIGHTLESS
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.motion.written import Writer, written
from linkwork.analysis.prepared.memo import of_noun
from linkwork.arrays import Array
from linkwork.numerics.matrices.many_matrices import multipliers

ALL, MOST = 1001, 501  # outputs that are all looked at, and those of more: neighbours of these are looked at too
SLOW = 1e-9  # of the size of the mechanism in the time of a run: a mechanism at rest
INSTANT = 1e-12  # of the time: an output at a jump
NEAR = 2  # steps that may lie between two outputs whose positions and speeds are compared
FAR = 20  # steps that may lie between them where outputs look smooth: with more, something happens between
SHORT = 1e-2  # of the time between them: where a step is shorter, something begins or dies out there
LITTLE = 1e-5  # of the largest position
SMOOTH = 0.3  # rad that rates and accelerations at outputs allow between two of them: these are near too
STEEP = 0.15  # of the way: a second term beyond comes from 1.3 rad or more between two outputs
CURVED = 0.25  # of the largest second term of a way between two outputs: what its remainder may be
FASTEST = 0.05  # of the longest way of a coordinate between two outputs: errors of speeds are measured by the fastest
NONE = np.empty(0)
ROUGH = 1e-3  # of the range of a coordinate: a way that is that short is not looked at for its own sake


class Measures:
    """Energies, openings and changes along a run."""

    def __init__(self, trajectory: Trajectory, steps: Array, breaks: Sequence[float] = ()) -> None:
        self.trajectory, self.mechanism, self.steps = trajectory, trajectory.mechanism, steps
        self._breaks = breaks
        self.c = self.mechanism.coordinates
        self.sizes = of_noun(self.c, "sizes", None, lambda: Sizes(self.c))
        self.length, self.rows = self.sizes.length, len(self.sizes.rows)
        count = len(trajectory.t)
        self._all = count <= ALL
        self.picked = np.arange(count) if self._all else np.linspace(0, count - 1, MOST).astype(int)

    def at(self, write: Writer, picked: NDArray[np.intp] | None = None) -> list[Array]:
        """Columns of expressions of t, y, v̇ and p, each (N, k), at some outputs."""
        run = self.trajectory
        if picked is None and self._all:
            return written(self.c, write)(run.t, run.y, run.vdot, run.p)
        chosen = self.picked if picked is None else picked
        p = run.p if run.p.ndim == 1 else run.p[chosen]
        return written(self.c, write)(run.t[chosen], run.y[chosen], run.vdot[chosen], p)

    @cached_property
    def _held(self) -> list[Array]:
        """Energies, and conditions with their rates and second rates in metres, each (N, k), at the outputs picked."""
        return self._every[:HELD] if self._all else self.at(write_held)

    @cached_property
    def _at_last(self) -> list[Array]:
        """The same of the last output, with formulas as they are shortly before it."""
        run, last = self.trajectory, slice(len(self.trajectory.t) - 1, None)
        before = run.t[last] - 10 * INSTANT * np.maximum(1.0, np.abs(run.t[last]))
        return written(self.c, write_held)(
            before, run.y[last], run.vdot[last], run.p if run.p.ndim == 1 else run.p[last]
        )

    @cached_property
    def _along(self) -> list[Array]:
        """Positions that are compared, their rates and second rates, and switches, each (N, k), where neighbours are."""
        return self._every[HELD:-1] if self._all else self.at(write_along, self._neighbours)

    @cached_property
    def _every(self) -> list[Array]:
        """Both at once, and `write_rows` where it is no large matrix."""
        return self.at(write_every)

    def branch_rows(self, picked: NDArray[np.intp]) -> Array:
        """[C; B] by columns, (N, k), at some of the outputs picked."""
        found = self._every[-1] if self._all else NONE
        return found if found.size and len(picked) == len(self.picked) else self.at(write_rows, picked)[0]

    @cached_property
    def _neighbours(self) -> NDArray[np.intp]:
        """The outputs picked, those before and those behind them."""
        last = len(self.trajectory.t) - 1
        return np.unique(np.clip(np.concatenate([self.picked - 1, self.picked, self.picked + 1]), 0, last))

    def _pairs(self, first: NDArray[np.intp]) -> tuple[list[Array], list[Array]]:
        """What `_along` has, at some outputs and at the next ones."""
        if self._all and len(first) == len(self.picked) - 1:
            return [part[:-1] for part in self._along], [part[1:] for part in self._along]
        return self._course(first), self._course(first + 1)

    def _course(self, chosen: NDArray[np.intp]) -> list[Array]:
        """What `_along` has, at some outputs."""
        if not self._all:
            places = np.searchsorted(self._neighbours, chosen)
            if not np.array_equal(self._neighbours[np.minimum(places, len(self._neighbours) - 1)], chosen):
                return self.at(write_along, chosen)
            chosen = places
        return [part[chosen] for part in self._along]

    # -- sizes -------------------------------------------------------------------------------------------------

    @cached_property
    def span(self) -> float:
        """s, from the first to the last output; 1 where there is one."""
        t = self.trajectory.t
        return float(t[-1] - t[0]) or 1.0

    @cached_property
    def rate(self) -> float:
        """1/s: the largest velocity of outputs and between them, each in sizes of its coordinate."""
        nq, nv = self.sizes.q, self.sizes.v
        v = _extremes(self.trajectory.y)[nq : nq + nv]
        kept = self.trajectory.gathered
        if kept is not None and kept.any:
            v = np.maximum(v, kept.extremes[nq : nq + nv])
        return float((v / self.sizes.scale).max(initial=0.0)) + SLOW / self.span

    @property
    def speed(self) -> float:
        """m/s: the size of the mechanism times that."""
        return self.length * self.rate

    @cached_property
    def pull(self) -> float:
        """m/s²: the size times the largest acceleration, each in sizes of its coordinate, or the square of the rate."""
        vdot = _extremes(self.trajectory.vdot) / self.sizes.scale
        return self.length * (float(vdot.max(initial=0.0)) + self.rate * self.rate)

    @property
    def moves(self) -> bool:
        """Whether the mechanism does not rest."""
        return self.rate > 2 * SLOW / self.span

    @property
    def weight(self) -> float:
        """J: the weight of all bodies times the size."""
        return self.sizes.weight * self.length

    @property
    def thrust(self) -> float:
        """J: the mass of all bodies times the largest acceleration of a motion, along the size."""
        return self.sizes.mass * self.pull * self.length

    @property
    def least_push(self) -> float:
        """N: rounding errors of what moves and weighs."""
        return ROUNDING * self.sizes.mass * (self.pull + self.gravity)

    @property
    def gravity(self) -> float:
        """m/s²"""
        return self.sizes.gravity

    @property
    def held(self) -> float:
        """m/s²: the largest acceleration of a motion, and a part of gravity, which conditions hold where nothing moves."""
        return self.pull + WEIGHTLESS * self.gravity

    @property
    def energy_rate(self) -> float:
        """W: the largest energies times the largest rate."""
        kinetic, potential = self._held[:2]
        return (float(np.max(np.abs(kinetic))) + float(np.max(np.abs(potential))) + self.weight) * self.rate

    # -- measures ----------------------------------------------------------------------------------------------

    def undefined(self) -> tuple[str, float] | None:
        """The first coordinate or acceleration that is no number, and when."""
        run = self.trajectory
        if np.isfinite(run.y).all() and np.isfinite(run.vdot).all():
            return None
        wrong = ~np.isfinite(run.y)
        labels: Sequence[str] = self.c.state_names
        if not wrong.any():
            wrong = ~np.isfinite(run.vdot)
            labels = [f"the acceleration of {name}" for name in self.c.kinematics.v_names]
        first = int(np.argmax(wrong.any(axis=1)))
        return labels[int(np.argmax(wrong[first]))], float(run.t[first])

    def energies(self) -> tuple[Array, Array, Array, Array, float]:
        """Times, kinetic and potential energy, work brought in less work destroyed since the start, each (N,); and how much
        works have turned over."""
        kinetic, potential = self._held[0][:, 0], self._held[1][:, 0]
        given, lost, turned = self.trajectory.balance(float(kinetic.max() + np.ptp(potential)))
        work = given - lost if self._all else (given - lost)[self.picked]
        most = max(turned, float(np.abs(given).max(initial=0.0) + np.abs(lost).max(initial=0.0)))
        return self.trajectory.t[self.picked], kinetic, potential, work, most

    @property
    def resolved(self) -> bool:
        """Whether works are known as well as the states, once they were asked for."""
        return self.trajectory.gathered is None or not self.trajectory.gathered.unresolved

    def power_gap(self) -> tuple[float, float, float]:
        """The largest gap (W) between what comes in and what energies take up, the size of all powers there, and when.

        Conditions that move bring in −λᵀ a with the λ of least squares of M v̇ − h = Cᵀ λ.
        """
        c, found = self.c, self.at(write_powers)
        terms = found[0]
        if not c.a.is_zero():
            rows = found[2].reshape(len(terms), c.v.numel(), -1)  # Cᵀ
            scaled = (rows * c.kinematics.scale[:, None]).swapaxes(-1, -2)
            terms = np.hstack([terms, -multipliers(scaled, found[1] * c.kinematics.scale) * found[3]])
        gaps, sizes = np.abs(terms.sum(axis=1)), np.abs(terms).sum(axis=1)
        worst = int(np.argmax(np.where(np.isfinite(gaps), gaps, np.inf)))
        return float(gaps[worst]), float(np.max(sizes, initial=0.0)), float(self.trajectory.t[self.picked[worst]])

    def no_power(self) -> str:
        """Whose power is no number, and from when on."""
        for name, values in zip(self.c.loading.actions, self.at(write_element_powers), strict=True):
            wrong = ~np.isfinite(values).all(axis=1)
            if wrong.any():
                return (
                    f"'{name}' is infinite or undefined at t = {self.trajectory.t[self.picked][np.argmax(wrong)]:.6g} s"
                )
        return "check formulas of forces and drivers"

    def opening(self, level: int) -> tuple[float, str, float]:
        """The largest error of conditions (0), their rates (1) or second rates (2): m, s; which one, and when."""
        sizes = np.abs(self._held[2 + level])
        if not sizes.size:
            return 0.0, "", 0.0
        if level > 0:
            # a formula that jumps at the end of the run does so behind it
            sizes = np.vstack([sizes[:-1], np.minimum(sizes[-1:], np.abs(self._at_last[2 + level]))])
        if level > 0 and self._struck.size:
            times = self.trajectory.t[self.picked][:, None]
            at_jump = np.any(np.abs(times - self._struck) <= INSTANT * np.maximum(1.0, np.abs(times)), axis=1)
            sizes = np.where(at_jump[:, None], 0.0, sizes)
        place = _largest(sizes)
        return float(sizes[place]), self.sizes.rows[place[1]], float(self.trajectory.t[self.picked[place[0]]])

    def speeds(self, tolerance: tuple[float, float]) -> tuple[float, str, float] | None:
        """Speeds against positions: the largest gap of any coordinate, over the way and the range; which one, and when.

        Between two outputs with few steps between: q₁ − q₀ = h/2 (q̇₀ + q̇₁) + h²/12 (q̈₀ − q̈₁) + O(h⁵), where a part of the
        second term is left to the remainder: of the largest of this coordinate, and of the largest of any at this output;
        all of it where more than a few steps were needed. Outputs where it is a large part of the way are too far apart.
        What a step may be off by its *tolerance*, relative and absolute, is left to each of the steps, and positions are
        known no better than loops are closed. None: no outputs are near each other.
        """
        if len(self.trajectory.t) < 2:
            return None
        picked = self.picked[:-1] if self._all else np.unique([self.picked[:-1], self.picked[1:] - 1])
        first, inside = self._near(picked)
        if not first.size or not self.sizes.compared:
            return None
        gap, second, way = self._gaps(first)
        second = np.abs(second)
        way += ROUGH * self._sizes
        # a second term beyond the way is that of a vibration which dies out, or begins, between the two: it tells nothing
        tells = second <= way
        part = np.where(tells, second / way, 0.0)
        steepest = part.max(axis=1)
        resolved = steepest <= STEEP
        if not resolved.all():
            if not resolved.any():
                return None
            first, inside, gap, second, way = (item[resolved] for item in (first, inside, gap, second, way))
            tells, part, steepest = tells[resolved], part[resolved], steepest[resolved]
        remainder = np.maximum((part * way).max(axis=0), steepest[:, None] * way)
        blur = FAR * (tolerance[0] * self._extremes + tolerance[1]) + self._open(first)[:, None] * self.sizes.reach
        error = np.where(tells, gap, 0.0) - CURVED * remainder - blur
        if (steep := inside > NEAR).any():
            error[steep] -= second[steep]
        error = np.maximum(error, 0.0) / (way + FASTEST * way.max(axis=0))
        place = _largest(error)
        return float(error[place]), self.sizes.compared[place[1]], float(self.trajectory.t[first[place[0]]])

    def leap(self, low: int, high: int) -> float:
        """How far positions go from an output to a later one that speeds do not explain, over what these say and the range.

        Outputs that are far apart tell nothing.
        """
        first, _ = self._near(np.arange(low, high))
        if not first.size:
            return 0.0
        gap, second, way = self._gaps(first)
        return float(np.max((gap - np.abs(second)) / (way + 0.1 * self._sizes), initial=0.0))

    def _near(self, first: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Those of the outputs after which the next one comes within a few steps, or soon enough for how fast it goes; and
        how many steps have ended between them and the next ones."""
        t = self.trajectory.t
        start, end = t[first], t[first + 1]
        near = (end - start) * max(self.rate, math.sqrt(self.pull / self.length)) < SMOOTH
        inside = np.zeros_like(first)
        if self.steps.size:
            inside = self.steps.searchsorted(end) - self.steps.searchsorted(start)
            # a pin goes round in its clearance, or trembles where it gives way, faster than the size of the mechanism tells
            far = NEAR if self.c.one_sided or self.c.geometry.clearings else FAR
            near = ((inside <= NEAR) | (near & (inside <= far))) & ~self._begins(start, end)
        for time in (*self._struck, *self._breaks):
            near &= (end < time) | (start > time)
        if self.sizes.switches:
            near &= ~self._jumps(first)
        return (first, inside) if near.all() else (first[near], inside[near])

    def _begins(self, start: Array, end: Array) -> NDArray[np.bool_]:
        """Whether a step before the end of some times is far shorter than these."""
        size = np.empty(len(self.steps) + 1)
        size[0], size[-1] = self.steps[0] - self.trajectory.t[0], np.inf
        np.subtract(self.steps[1:], self.steps[:-1], out=size[1:-1])
        time = end - start
        if size.min() >= SHORT * time.max(initial=0.0):
            return np.zeros(len(start), dtype=bool)
        # the steps that begin before the next output and end after this one; those that outputs cut have their whole size
        edges = np.empty((len(start), 2), dtype=np.intp)
        edges[:, 0] = self.steps.searchsorted(start, "right")
        edges[:, 1] = np.minimum(self.steps.searchsorted(end), len(self.steps) - 1) + 1
        return np.asarray(np.minimum.reduceat(size, edges.ravel())[::2] < SHORT * time)

    @cached_property
    def _struck(self) -> Array:
        """Times at which speeds have jumped: the output there is that before the jump, and formulas say what follows it."""
        kept = self.trajectory.gathered
        return np.unique([impulse.time for impulse in kept.impulses]) if kept is not None and kept.impulses else NONE

    def _jumps(self, first: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether a formula changes its branch before the next output: accelerations jump there, and tell nothing."""
        before, after = self._pairs(first)
        return np.asarray(np.any(before[3] != after[3], axis=1))

    def _open(self, first: NDArray[np.intp]) -> Array:
        """How far conditions are broken at outputs and the next ones, in sizes of the mechanism: by those looked at."""
        if not self.rows:
            return np.zeros(first.size)
        sizes = np.abs(self._held[2]).max(axis=1) / self.length
        low = first if self._all else np.searchsorted(self.picked, first, "right") - 1
        return np.asarray(sizes[low] + sizes[np.minimum(low + 1, len(sizes) - 1)])

    def _gaps(self, first: NDArray[np.intp]) -> tuple[Array, Array, Array]:
        """From outputs to the next ones: what is left of their ways, the second terms, and the ways, each (N, nq)."""
        t = self.trajectory.t
        (q0, r0, b0, _), (q1, r1, b1, _) = self._pairs(first)
        h = (t[first + 1] - t[first])[:, None]
        second = h**2 / 12 * (b0 - b1)
        change = q1 - q0
        gap = np.abs(change - h / 2 * (r0 + r1) - second)
        return gap, second, np.maximum(np.abs(change), h * np.maximum(np.abs(r0), np.abs(r1)))

    @cached_property
    def _places(self) -> Array:
        """(N, k) positions that are compared."""
        return self.trajectory.y[:, : self.sizes.q] if self.sizes.plain else self._course(self.picked)[0]

    @cached_property
    def _sizes(self) -> Array:
        """(k) the range of each position over the run, and a little of the largest of all, whose rounding others have."""
        places = self._places
        return np.asarray(places.max(axis=0) - places.min(axis=0) + LITTLE * (1.0 + self._extremes.max(initial=0.0)))

    @cached_property
    def _extremes(self) -> Array:
        """(k) the largest size of each position over the run; of places and attitudes, which follow from several
        coordinates, that of any."""
        largest = _extremes(self._places)
        if self.sizes.plain:
            return largest
        places = self.sizes.places
        return np.where(places, largest[places].max(initial=0.0), largest[~places].max(initial=0.0))


def _extremes(values: Array) -> Array:
    """The largest sizes (k) of numbers (N, k)."""
    return np.asarray(np.abs(values).max(axis=0, initial=0.0))


def _largest(values: Array) -> tuple[int, int]:
    """Where the largest of numbers (N, k) is, or one that is no number."""
    place = int(np.argmax(values))  # the first that is not a number, if there is one
    return place // values.shape[1], place % values.shape[1]
