"""The numbers of an audit, from the states of a run at its outputs.

At most `MOST` outputs are looked at, evenly spread, the first and the last among them; whether all numbers are finite is
asked at every one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.audit_limits import WEIGHTLESS
from linkwork.analysis.trajectory import Trajectory
from linkwork.analysis.written import Writer, written
from linkwork.coordinates.numbering import Coordinates
from linkwork.coordinates.power import element_powers
from linkwork.equations.energy import kinetic_energy, potential_energy

Array = NDArray[np.float64]
MOST = 501  # outputs that are looked at
SLOW = 1e-9  # of the size of the mechanism in the time of a run: a mechanism at rest
INSTANT = 1e-12  # of the time: an output at a jump
NEAR = 2  # steps that may lie between two outputs whose positions and speeds are compared
FAR = 20  # steps that may lie between them where outputs look smooth: with more, something happens between
SHORT = 1e-2  # of the time between them: where a step is shorter, something begins or dies out there
LITTLE = 1e-5  # of the largest position
RANK = 1e-10  # singular values of conditions, over the largest, that count as none
SMOOTH = 0.3  # rad that rates and accelerations at outputs allow between two of them: these are near too
STEEP = 0.15  # of the way: a second term beyond comes from 1.3 rad or more between two outputs
CURVED = 0.25  # of the largest second term of a way between two outputs: what its remainder may be
FASTEST = 0.05  # of the longest way of a coordinate between two outputs: errors of speeds are measured by the fastest
ROUGH = 1e-3  # of the range of a coordinate: a way that is that short is not looked at for its own sake


class Measures:
    """Energies, openings and changes along a run."""

    def __init__(self, trajectory: Trajectory, steps: Array, breaks: Sequence[float] = ()) -> None:
        self.trajectory, self.mechanism, self.steps = trajectory, trajectory.mechanism, steps
        self._breaks = breaks
        self.c = self.mechanism.coordinates
        count = len(trajectory.t)
        self.picked = np.unique(np.linspace(0, count - 1, min(MOST, count)).astype(int))
        self.length = float(self.c.kinematics.length)
        self.rows = len(self.c.rows) + len(self.c.kinematics.identities)

    def at(self, write: Writer, picked: NDArray[np.intp] | None = None) -> list[Array]:
        """Columns of expressions of t, y, v̇ and p, each (N, k), at some outputs."""
        c, run = self.c, self.trajectory
        chosen = self.picked if picked is None else picked
        p = np.broadcast_to(np.atleast_2d(run.p)[:, : c.p.numel()], (len(run.t), c.p.numel()))
        return written(c, write)(run.t[chosen], run.y[chosen], run.vdot[chosen], p[chosen])

    # -- sizes -------------------------------------------------------------------------------------------------

    @cached_property
    def span(self) -> float:
        """s, from the first to the last output; 1 where there is one."""
        t = self.trajectory.t
        return float(t[-1] - t[0]) or 1.0

    @cached_property
    def rate(self) -> float:
        """1/s: the largest velocity of outputs and between them, each in sizes of its coordinate."""
        nq, nv = self.c.q.numel(), self.c.v.numel()
        v = np.max(np.abs(self.trajectory.y[:, nq : nq + nv]), axis=0, initial=0.0)
        kept = self.trajectory.gathered
        if kept is not None:
            v = np.maximum(v, np.broadcast_to(kept.extremes, self.trajectory.y.shape[1:])[nq : nq + nv])
        return float(np.max(v / self.c.kinematics.scale, initial=0.0)) + SLOW / self.span

    @property
    def speed(self) -> float:
        """m/s: the size of the mechanism times that."""
        return self.length * self.rate

    @property
    def pull(self) -> float:
        """m/s²: the size times the largest acceleration, each in sizes of its coordinate, or the square of the rate."""
        vdot = self.trajectory.vdot / self.c.kinematics.scale
        return self.length * (float(np.max(np.abs(vdot), initial=0.0)) + self.rate**2)

    @property
    def moves(self) -> bool:
        """Whether the mechanism does not rest."""
        return self.rate > 2 * SLOW / self.span

    @cached_property
    def weight(self) -> float:
        """J: the weight of all bodies times the size."""
        geometry = self.c.geometry
        masses = sum(abs(float(geometry.number(body.mass))) for body in geometry.bodies.values())
        return float(masses * self.gravity * self.length)

    @cached_property
    def gravity(self) -> float:
        """m/s²"""
        number = self.c.geometry.number
        return float(np.linalg.norm([float(number(part)) for part in ca.vertsplit(ca.SX(self.c.geometry.gravity))]))

    @property
    def held(self) -> float:
        """m/s²: the largest acceleration of a motion, and a part of gravity, which conditions hold where nothing moves."""
        return self.pull + WEIGHTLESS * self.gravity

    @property
    def energy_rate(self) -> float:
        """W: the largest energies times the largest rate."""
        kinetic, potential = self.at(_energies)
        return (float(np.max(np.abs(kinetic))) + float(np.max(np.abs(potential))) + self.weight) * self.rate

    # -- measures ----------------------------------------------------------------------------------------------

    def undefined(self) -> tuple[str, float] | None:
        """The first coordinate or acceleration that is no number, and when."""
        run, names = self.trajectory, self.c.state_names
        wrong = ~np.isfinite(run.y)
        labels: Sequence[str] = names
        if not wrong.any():
            wrong = ~np.isfinite(run.vdot)
            labels = [f"the acceleration of {name}" for name in self.c.kinematics.v_names]
        if not wrong.any():
            return None
        first = int(np.argmax(wrong.any(axis=1)))
        return labels[int(np.argmax(wrong[first]))], float(run.t[first])

    def energies(self) -> tuple[Array, Array, Array, Array, float]:
        """Times, kinetic and potential energy, work brought in less work destroyed since the start, each (N,); and how much
        works have turned over."""
        kinetic, potential = (part[:, 0] for part in self.at(_energies))
        given, lost, turned = self.trajectory.balance(float(np.max(kinetic) + np.ptp(potential)))
        work = (given - lost)[self.picked]
        most = max(turned, float(np.max(np.abs(given), initial=0.0) + np.max(np.abs(lost), initial=0.0)))
        return self.trajectory.t[self.picked], kinetic, potential, work, most

    def power_gap(self) -> tuple[float, float, float]:
        """The largest gap (W) between what comes in and what energies take up, the size of all powers there, and when.

        Conditions that move bring in −λᵀ a with the λ of least squares of M v̇ − h = Cᵀ λ.
        """
        c, found = self.c, self.at(_powers)
        terms = found[0]
        if not c.a.is_zero():
            rows = found[2].reshape(len(terms), c.v.numel(), -1)  # Cᵀ
            pairs = zip(rows * c.kinematics.scale[:, None], found[1] * c.kinematics.scale, strict=True)
            multipliers = [np.linalg.lstsq(row, force, rcond=RANK)[0] for row, force in pairs]
            terms = np.hstack([terms, -np.array(multipliers) * found[3]])
        gaps, sizes = np.abs(terms.sum(axis=1)), np.abs(terms).sum(axis=1)
        worst = int(np.argmax(np.where(np.isfinite(gaps), gaps, np.inf)))
        return float(gaps[worst]), float(np.max(sizes, initial=0.0)), float(self.trajectory.t[self.picked[worst]])

    def no_power(self) -> str:
        """Whose power is no number, and from when on."""
        for name, values in zip(self.c.loading.actions, self.at(_element_powers), strict=True):
            wrong = ~np.isfinite(values).all(axis=1)
            if wrong.any():
                return (
                    f"'{name}' is infinite or undefined at t = {self.trajectory.t[self.picked][np.argmax(wrong)]:.6g} s"
                )
        return "check formulas of forces and drivers"

    @cached_property
    def _openings(self) -> list[Array]:
        """Conditions, their rates and second rates (N, m), in metres."""
        return self.at(_conditions)

    def opening(self, level: int) -> tuple[float, str, float]:
        """The largest error of conditions (0), their rates (1) or second rates (2): m, s; which one, and when."""
        sizes = np.abs(self._openings[level])
        if not sizes.size:
            return 0.0, "", 0.0
        if level > 0:
            times = self.trajectory.t[self.picked][:, None]
            at_jump = np.any(np.abs(times - self._struck) <= INSTANT * np.maximum(1.0, np.abs(times)), axis=1)
            sizes = np.where(at_jump[:, None], 0.0, sizes)
        place = np.unravel_index(np.argmax(np.where(np.isfinite(sizes), sizes, np.inf)), sizes.shape)
        labels = [str(label) for label in self.c.labels] + ["an orientation"] * len(self.c.kinematics.identities)
        return float(sizes[place]), labels[place[1]], float(self.trajectory.t[self.picked[place[0]]])

    def speeds(self, tolerance: tuple[float, float]) -> tuple[float, str, float] | None:
        """Speeds against positions: the largest gap of any coordinate, over the way and the range; which one, and when.

        Between two outputs with few steps between: q₁ − q₀ = h/2 (q̇₀ + q̇₁) + h²/12 (q̈₀ − q̈₁) + O(h⁵), where a part of the
        second term is left to the remainder: of the largest of this coordinate, and of the largest of any at this output;
        all of it where more than a few steps were needed. Outputs where it is a large part of the way are too far apart.
        What a step may be off by its *tolerance*, relative and absolute, is left to each of the steps, and positions are
        known no better than loops are closed. None: no outputs are near each other.
        """
        picked = np.concatenate([self.picked[:-1], self.picked[1:] - 1])
        first = self._near(np.unique(picked)) if len(self.trajectory.t) > 1 else picked
        if not first.size:
            return None
        gap, second, way = self._gaps(first)
        if not gap.size:
            return None
        way += ROUGH * self._sizes
        # a second term beyond the way is that of a vibration which dies out, or begins, between the two: it tells nothing
        part = np.where(np.abs(second) <= way, np.abs(second) / way, 0.0)
        resolved = np.max(part, axis=1) <= STEEP
        if not resolved.any():
            return None
        first, gap, second, way, part = (item[resolved] for item in (first, gap, second, way, part))
        remainder = np.maximum(np.max(part * way, axis=0), np.max(part, axis=1, keepdims=True) * way)
        blur = FAR * (tolerance[0] * self._extremes + tolerance[1]) + self._open(first)[:, None] * self._reach
        told = np.where(np.abs(second) <= way, gap, 0.0)
        steep = np.where(self._inside(first)[:, None] > NEAR, np.abs(second), 0.0)
        usual = way + FASTEST * np.max(way, axis=0)
        error = np.maximum(told - CURVED * remainder - steep - blur, 0.0) / usual
        place = np.unravel_index(np.argmax(np.where(np.isfinite(error), error, np.inf)), error.shape)
        return float(error[place]), self._compared[place[1]], float(self.trajectory.t[first[place[0]]])

    def leap(self, low: int, high: int) -> float:
        """How far positions go from an output to a later one that speeds do not explain, over what these say and the range.

        Outputs that are far apart tell nothing.
        """
        first = self._near(np.arange(low, high))
        if not first.size:
            return 0.0
        gap, second, way = self._gaps(first)
        return float(np.max((gap - np.abs(second)) / (way + 0.1 * self._sizes), initial=0.0))

    def _near(self, first: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of the outputs after which the next one comes within a few steps, or soon enough for how fast it goes."""
        t, steps = self.trajectory.t, self.steps
        fastest = max(self.rate, np.sqrt(self.pull / self.length))
        near = (t[first + 1] - t[first]) * fastest < SMOOTH
        if steps.size:
            inside = self._inside(first)
            near = ((inside <= NEAR) | (near & (inside <= FAR))) & ~self._begins(first)
        for time in (*self._struck, *self._breaks):
            near &= (t[first + 1] < time) | (t[first] > time)
        return first[near & ~self._jumps(first)]

    def _inside(self, first: NDArray[np.intp]) -> NDArray[np.intp]:
        """How many steps have ended between outputs and the next ones."""
        t = self.trajectory.t
        return np.searchsorted(self.steps, t[first + 1]) - np.searchsorted(self.steps, t[first])

    def _begins(self, first: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether a step before the next output is far shorter than the time to it."""
        t, ends = self.trajectory.t, np.concatenate([self.trajectory.t[:1], self.steps])
        size = np.diff(ends)
        low = np.searchsorted(self.steps, t[first], "right")
        high = np.minimum(np.searchsorted(self.steps, t[first + 1], "left"), len(size) - 1)
        # the steps that begin before the next output and end after this one; those that outputs cut have their whole size
        shortest = np.minimum.reduceat(np.append(size, np.inf), np.column_stack([low, high + 1]).ravel())[::2]
        return np.asarray(shortest < SHORT * (t[first + 1] - t[first]))

    @cached_property
    def _struck(self) -> Array:
        """Times at which speeds have jumped: the output there is that before the jump, and formulas say what follows it."""
        kept = self.trajectory.gathered
        return np.unique([impulse.time for impulse in kept.impulses] if kept is not None else [])

    def _jumps(self, first: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether a formula changes its branch before the next output: accelerations jump there, and tell nothing."""
        if not self.c.switches or not first.size:
            return np.zeros(first.size, dtype=bool)
        (before,), (after,) = (self.at(_switches, picked) for picked in (first, first + 1))
        return np.asarray(np.any(before != after, axis=1))

    def _open(self, first: NDArray[np.intp]) -> Array:
        """How far conditions are broken at outputs and the next ones, in sizes of the mechanism: by those looked at."""
        if not self.rows:
            return np.zeros(first.size)
        sizes = np.max(np.abs(self._openings[0]), axis=1) / self.length
        low = np.searchsorted(self.picked, first, "right") - 1
        return np.asarray(sizes[low] + sizes[np.minimum(low + 1, len(sizes) - 1)])

    def _gaps(self, first: NDArray[np.intp]) -> tuple[Array, Array, Array]:
        """From outputs to the next ones: what is left of their ways, the second terms, and the ways, each (N, nq)."""
        t = self.trajectory.t
        (q0, r0, b0), (q1, r1, b1) = (self.at(_ways, picked) for picked in (first, first + 1))
        h = (t[first + 1] - t[first])[:, None]
        second = h**2 / 12 * (b0 - b1)
        gap = np.abs(q1 - q0 - h / 2 * (r0 + r1) - second)
        return gap, second, np.maximum(np.abs(q1 - q0), h * np.maximum(np.abs(r0), np.abs(r1)))

    @cached_property
    def _compared(self) -> list[str]:
        """What positions are called that are compared."""
        if _plain(self.c):
            return list(self.c.kinematics.q_names)
        sizes = [("place", self.c.space.dimension), ("attitude", self.c.space.dimension**2)]
        return [f"the {what} of {name}" for name in self.c.geometry.bodies for what, size in sizes for _ in range(size)]

    @cached_property
    def _places(self) -> Array:
        """(N, k) positions that are compared."""
        return self.trajectory.y[:, : self.c.q.numel()] if _plain(self.c) else self.at(_ways)[0]

    @cached_property
    def _sizes(self) -> Array:
        """(k) the range of each position over the run, and a little of the largest of all, whose rounding others have."""
        largest = float(np.max(np.abs(self._places), initial=0.0))
        return np.asarray(np.ptp(self._places, axis=0) + LITTLE * (1.0 + largest))

    @cached_property
    def _extremes(self) -> Array:
        """(k) the largest size of each position over the run; of places and attitudes, which follow from several
        coordinates, that of any."""
        largest = np.max(np.abs(self._places), axis=0, initial=0.0)
        if _plain(self.c):
            return np.asarray(largest)
        places = np.array([name.startswith("the place") for name in self._compared])
        return np.where(places, np.max(largest[places], initial=0.0), np.max(largest[~places], initial=0.0))

    @cached_property
    def _reach(self) -> Array:
        """(k) how far each position goes where the mechanism moves by its size."""
        if _plain(self.c):
            return np.asarray(self.c.kinematics.scale)
        return np.array([self.length if name.startswith("the place") else 1.0 for name in self._compared])


# --- what is looked at, of coordinates and v̇ ---------------------------------------------------------------------------


def _energies(c: Coordinates, _vdot: ca.SX) -> list[ca.SX]:
    return [kinetic_energy(c), potential_energy(c)]


def _powers(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    """What energies take up and elements bring in, what conditions push with, the conditions and their own rates."""
    energies = kinetic_energy(c), potential_energy(c)
    rates = [c.motion.acceleration(energy, vdot) + ca.jtimes(energy, c.t, ca.SX(1)) for energy in energies]
    for state in c.loading.states:
        rates = [
            rate + ca.jtimes(energy, state.symbol, state.rate) for rate, energy in zip(rates, energies, strict=True)
        ]
    own = [item for power in element_powers(c, vdot).values() for item in (power.supplied, -power.dissipated)]
    return [ca.vertcat(*[-rate for rate in rates], *own), c.mass @ vdot - c.forces, c.jacobian, c.a]


def _element_powers(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    return [ca.vertcat(item.given, item.dissipated) for item in element_powers(c, vdot).values()]


def _conditions(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    """Φ, C v + a and C v̇ + b, in metres."""
    weights = np.array([row.weight for row in c.rows])
    own = [row.residual * row.weight for row in c.kinematics.identities]
    speeds, accelerations = c.jacobian @ c.v + c.a, c.jacobian @ vdot + c.b
    return [ca.vertcat(c.phi * weights, *own), speeds * weights, accelerations * weights]


def _switches(c: Coordinates, _vdot: ca.SX) -> list[ca.SX]:
    """Which branches hold, and whether their guards are zero: a formula may have another value there."""
    held = [(switch, switch.value, guard.value) for switch in c.switches for guard in switch.guards]
    edges = [ca.sign(ca.substitute(guard, switch.selector, value)) for switch, value, guard in held]
    return [ca.vertcat(*[switch.value for switch in c.switches], *edges)]


def _plain(c: Coordinates) -> bool:
    """Whether coordinates are plain numbers, and do not change their charts on the way."""
    return c.kinematics.retract is None and c.kinematics.reframe is None


def _ways(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    """Positions whose derivatives are compared with speeds, their rates and second rates: coordinates, or places and axes of
    bodies where those are no plain numbers."""
    positions, rates = c.q, c.kinematics.rates
    if not _plain(c):
        frames = [c.kinematics.frames[name] for name in c.geometry.bodies]
        parts = [ca.densify(ca.vec(part)) for frame in frames for part in (frame.origin, frame.axes)]
        positions = ca.vertcat(ca.SX(0, 1), *parts)
        rates = c.motion.drift(positions)
    return [positions, rates, c.motion.acceleration(rates, vdot)]
