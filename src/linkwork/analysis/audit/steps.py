"""Steps that no error of velocities has chosen, checked by steps of half their size.

Nothing chooses steps of one size by their errors, and what keeps the energy may still lose the phase of a fast motion; steps
of equations of index 3 are chosen by errors of positions, whose velocities may be far less accurate. So a few
stretches of the run are integrated again from states that it has reached, once with its steps h and once with h/2, by the
method and the formulation of the run. By a method of order p the ends x differ by the error of the first but for 2⁻ᵖ of it:

    e = (x(h) − x(h/2)) / (1 − 2⁻ᵖ),    E = T ( |⟨e · v̂⟩| + ⟨|e − (e · v̂) v̂|⟩ ) / W

with the time W of a stretch and T of the run. E is what errors add up to if none of them dies out or grows: along the motion
v̂ with their signs, since what a body is too late or too fast here it may be too early or too slow there. A body that keeps
its direction of motion, such as a wheel that spins, is carried on by errors of its speed along that direction, from the time
t of a stretch to the end:

    E ← E + T |⟨(T − t) ė · v̂⟩| / W

Errors of speed waver with every turn, and what is left of them in a whole one carries: where that is short enough, a
stretch is a turn of the fastest body.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.motion.course import Run, begin_flow
from linkwork.analysis.motion.written import written
from linkwork.analysis.prepared.memo import of_noun
from linkwork.analysis.prepared.prepare import Start
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.errors import LinkworkError
from linkwork.numerics.integrators.run import ShortRuns
from linkwork.numerics.integrators.solution import RunStatus, Solution

ALONE, BEFORE = 4, 8  # steps of a stretch; and before it, of methods that have to gather former steps
FEWEST, MOST = 3, 8  # stretches
PART = 0.1  # of the steps of a run that may be spent again
BEGUN, BEGUN_ALONE = 20, 200  # steps in whose time a way is begun: in a memory that is there, and as a run of its own
SAME = 1e-6  # of a step: times that are the same
TURN, TURNS = 2 * np.pi, 5  # rad; and whole turns of a stretch, at most
SURE = 2.0  # standard errors of a mean of stretches that count as none
ALONG = 0.5  # cosine between directions of motion that are the same
KINDS = "place", "attitude", "velocity", "angular velocity"  # of errors
SAMPLES = 128  # outputs in which the largest rate, and one direction of motion, are looked for


@dataclass(frozen=True, eq=False)
class Bodies:
    """Of B bodies at N states: origins (N, B, d), axes (N, B, d, d), rates (2, N, B, d): velocities and angular velocities.

    In the plane d = 2, and angles and their rates are the first of two components. N stands for one index or several.
    """

    origins: Array
    axes: Array
    rates: Array

    def shaped(self, *shape: int) -> Bodies:
        """The same with the index N in several."""
        count = self.origins.shape[1:]
        axes = self.axes.reshape(*shape, *self.axes.shape[1:])
        return Bodies(self.origins.reshape(*shape, *count), axes, self.rates.reshape(2, *shape, *count))

    def minus(self, other: Bodies) -> Array:
        """How far they are from others (2, 2, N, B, d): places and small rotations, velocities and angular velocities."""
        # R₁ R₀ᵀ − R₀ R₁ᵀ = 2 ã sin φ, with the axis a and the angle φ of the rotation from one to the other
        turned = self.axes @ other.axes.swapaxes(-1, -2)
        rows, columns = ([1, 0], [0, 0]) if turned.shape[-1] == 2 else ([2, 0, 1], [1, 2, 0])
        rotation = 0.5 * (turned[..., rows, columns] - turned[..., columns, rows])
        return np.array([[self.origins - other.origins, rotation], self.rates - other.rates])


@dataclass(frozen=True, eq=False)
class Stretch:
    """Steps of one size to be made again, from an output on: the times t (2 or 3) where it begins, where what is looked at
    begins, and where it ends.

    y: the states of the run there, where it has made these steps itself
    """

    first: int
    t: Array
    step: float
    y: Array | None = None


@dataclass(frozen=True, eq=False)
class StepCheck:
    """A run with steps of one size, or with those that errors of positions have chosen, and what it has given."""

    run: Run
    solution: Solution

    def __call__(self) -> tuple[float, str, bool] | None:
        """How far errors of steps add up, over the size of what they are errors of, whose, and whether that is known from
        enough places of the run; None: it is not known at all."""
        names = list(self.run.mechanism.coordinates.geometry.bodies)
        # penalties that follow the size of steps are others with half of it
        known = names and not self.run.mechanism.equations.formulation.needs_fixed_step
        stretches = self._stretches() if known else []
        found = [(stretch, ends) for stretch in stretches if (ends := self._ends(stretch)) is not None]
        if not found:
            return None
        sums = self._sums([stretch for stretch, _ in found], np.concatenate([ends for _, ends in found]))
        kind, body = divmod(int(np.argmax(np.where(np.isfinite(sums), sums, np.inf))), len(names))
        enough = len(found) >= FEWEST or self._few
        return float(sums[kind, body]), f"the {KINDS[kind]} of {names[body]}", enough

    def _sums(self, stretches: Sequence[Stretch], states: Array) -> Array:
        """(4, B) what errors of stretches add up to by the end of the run, over their sizes: those of `KINDS`, of each body.

        states: those of `_ends`, of one stretch after the other
        """
        end = float(self.solution.t[-1])
        span, length = end - float(self.solution.t[0]), float(self.run.mechanism.coordinates.kinematics.length)
        times = np.array([stretch.t[-2:] for stretch in stretches])
        errors, rates = self._errors(times, states)
        along = _along(errors, rates)
        across = np.sqrt(np.maximum((errors * errors).sum(axis=-1) - along * along, 0.0))
        sums = span * (np.abs(along.mean(axis=2)) + across.mean(axis=2))
        # few outputs say nothing of when errors come: half of the time is left to them
        left = end - times[:, 1:] if len(times) >= FEWEST else np.full((len(times), 1), 0.5 * span)
        shortest = float(np.min(times[:, 1] - times[:, 0]))
        sums[0] += span * _carried(left * along[1], self._sampled.rates, shortest)
        scales = np.array([[length, 1.0], [length * self._rate, self._rate]])
        return np.asarray((sums / scales[:, :, None]).reshape(len(KINDS), -1))

    def _stretches(self) -> list[Stretch]:
        """What to integrate again, evenly spread over the time of the run; of few steps all of it."""
        t, steps, before = self.solution.t, self._count, self._before
        if self._few:
            return [Stretch(0, t[[0, -1]], self._usual)] if t[-1] > t[0] else []
        count = self._turns
        last = int(np.searchsorted(t, t[-1] - (before + count) * self._usual, "right")) - 1
        begun = BEGUN_ALONE if self._short is None else BEGUN
        number = int(min(max(PART * steps / (3 * (before + count) + 2 * begun), FEWEST), MOST))
        spread = np.searchsorted(t[: last + 1], t[0] + (np.arange(number) + 0.5) / number * (t[last] - t[0]))
        chosen = np.unique(np.minimum(spread, last)) if last >= 0 else np.empty(0, int)
        # few outputs: from all of them, from the last one beyond the end of the run
        return self._from(chosen if len(chosen) >= FEWEST else np.arange(len(t)), count)

    def _from(self, first: NDArray[np.intp], count: int) -> list[Stretch]:
        """So many steps from each of these outputs on, or some more, to next outputs, where the run has made these steps."""
        t, before, ends, sizes = self.solution.t, self._before, self.solution.step_times, self._steps(first)[:, None]
        wanted = np.array([0, before, before + count] if before else [0, count])
        outputs = np.minimum(t.searchsorted(t[first, None] + (wanted - SAME) * sizes), len(t) - 1)
        places = t[outputs]
        made = np.rint((places - places[:, :1]) / sizes)
        off = np.abs(ends[np.minimum(ends.searchsorted(places - SAME * sizes), len(ends) - 1)] - places)
        whole = (made[:, 1:] > made[:, :-1]).all(axis=1) & (off < SAME * sizes).all(axis=1)
        # more than the fewest steps are those of whole turns
        whole &= (made[:, -1] <= (1.5 if count == ALONE else 1.0) * (before + count)) & self._alike
        return [
            Stretch(i, there, size, self.solution.y[row]) if own else Stretch(i, t[i] + size * wanted, size)
            for i, there, size, row, own in zip(
                first.tolist(), places, sizes[:, 0].tolist(), outputs, whole, strict=True
            )
        ]

    @property
    def _count(self) -> int:
        """Steps of the run."""
        return len(self.solution.step_times) - 1

    @property
    def _few(self) -> bool:
        """Whether there are so few of them that all are made again."""
        return self._count <= FEWEST * (self._before + ALONE)

    @property
    def _alike(self) -> bool:
        """Whether all steps have one size, and nothing has changed on the way."""
        return self.run.effort.step is not None and len(self.solution.parts) == 1

    def _steps(self, outputs: NDArray[np.intp]) -> Array:
        """The sizes of steps at some outputs."""
        if self.run.effort.step is not None:
            return np.full(len(outputs), self.run.effort.step)
        ends = self.solution.step_times
        last = np.clip(ends.searchsorted(self.solution.t[outputs], "right"), 1, len(ends) - 1)
        return ends[last] - ends[last - 1]

    @cached_property
    def _usual(self) -> float:
        """The usual size of steps."""
        return self.run.effort.step or float(np.median(np.diff(self.solution.step_times)))

    @property
    def _before(self) -> int:
        """Steps before a stretch."""
        method = self.run.choice.method
        return BEFORE if method.remembers or method.carries else 0

    @property
    def _turns(self) -> int:
        """Steps of a stretch: those of whole turns of the body that turns fastest on average where they are few enough."""
        turning = float(_sizes(self._sampled.rates[1]).mean(axis=0).max())
        turn = TURN / ((turning or self._rate) * self._usual)
        most = PART * self._count / (3 * FEWEST) - self._before
        return max(ALONE, round(turn * min(most // turn, TURNS)))

    def _ends(self, stretch: Stretch) -> Array | None:
        """States where what is looked at of a stretch begins and ends, by its steps and by half of them: (4, n); None: there
        is no way on."""
        t, y = stretch.t, self.solution.y[stretch.first]
        made = self._way(t, y, stretch.step) if stretch.y is None else stretch.y
        finer = None if made is None else self._way(t, y, stretch.step / 2)
        return None if made is None or finer is None else np.concatenate([made[-2:], finer[-2:]])

    def _errors(self, times: Array, states: Array) -> tuple[Array, Array]:
        """Errors (2, 2, K, B, d) of stretches over their times, see `Bodies.minus`, and rates (2, K, B, d) there.

        times: (K, 2) where they begin and end; states (4 K, n)
        """
        found = self._bodies(np.hstack([times, times]).ravel(), states).shaped(len(times), 2, 2)
        made, finer = (Bodies(found.origins[:, i], found.axes[:, i], found.rates[:, :, i]) for i in (0, 1))
        apart = made.minus(finer)
        part = (times[:, 1] - times[:, 0]) * (1.0 - 0.5 ** max(self.run.choice.method.order, 1))
        return (apart[:, :, :, 1] - apart[:, :, :, 0]) / part[:, None, None], finer.rates[:, :, 1]

    @cached_property
    def _short(self) -> ShortRuns | None:
        """What makes steps again where nothing changes within a run; None: something may."""
        run, c = self.run, self.run.mechanism.coordinates
        if c.switches or c.limits or c.bounds:
            return None
        method, start, outputs = run.choice.method, run.start, 3 if self._before and not self._few else 2

        def make() -> ShortRuns:
            flow = begin_flow(run.mechanism, replace(start, p=start.p.copy()), method)
            return ShortRuns(method, flow, len(start.y), outputs)

        return of_noun(run.mechanism, "short_runs", (method, outputs, start.p.tobytes()), make)

    def _way(self, t: Array, y: Array, step: float) -> Array | None:
        """States at the times t, from y on."""
        if self._short is not None:
            return self._short(t, y, step)
        start = Start(y, self.run.start.p, self.run.start.assembly, float(t[0]))
        effort = replace(self.run.effort, step=step, until=float(t[-1]))
        again = replace(self.run, start=start, effort=effort, gather=None)
        try:
            solution = again.advance(t).solution
        except LinkworkError:
            return None
        return solution.y if solution.status is RunStatus.COMPLETED else None

    def _bodies(self, t: Array, y: Array) -> Bodies:
        c = self.run.mechanism.coordinates
        count, d = len(c.geometry.bodies), c.space.dimension
        origins, axes, velocities, omegas = written(c, _motions)(
            t, y, np.zeros((len(t), c.v.numel())), self.run.start.p
        )
        rates = np.zeros((2, len(t), count, d))
        rates[0] = velocities.reshape(len(t), count, -1)
        rates[1, :, :, : c.space.rotations] = omegas.reshape(len(t), count, -1)
        return Bodies(origins.reshape(len(t), count, d), axes.reshape(len(t), count, d, d).swapaxes(2, 3), rates)

    @cached_property
    def _rate(self) -> float:
        """rad/s: the largest rate of any body along the run; 1 where nothing moves."""
        velocity, omega = np.abs(self._sampled.rates).max(axis=(1, 2, 3)).tolist()
        return max(velocity / float(self.run.mechanism.coordinates.kinematics.length), omega) or 1.0

    @cached_property
    def _sampled(self) -> Bodies:
        """The bodies along the run."""
        t, y = self.solution.t, self.solution.y
        picked = np.linspace(0, len(t) - 1, min(len(t), SAMPLES)).astype(int)
        return self._bodies(t[picked], y[picked])


def _along(errors: Array, rates: Array) -> Array:
    """The parts (…, K, B) of errors (…, K, B, d) along rates (…, K, B, d)."""
    sizes = _sizes(rates)
    return np.asarray((errors * rates).sum(axis=-1) / np.where(sizes > 0.0, sizes, 1.0))


def _sizes(vectors: Array) -> Array:
    return np.asarray(np.sqrt((vectors * vectors).sum(axis=-1)))


def _carried(ahead: Array, rates: Array, shortest: float) -> Array:
    """(2, B) how far errors of speeds, times the time left to them (2, K, B), carry bodies that keep the direction of their
    rates (2, N, B, d) along the run, for every second of it. What is at rest for a while keeps it.

    Errors of whole turns within the shortest of K stretches carry. Of others, which waver, a mean counts as far as it is
    one.
    """
    sizes, mean = _sizes(rates), rates.mean(axis=1, keepdims=True)
    kept = ((rates * mean).sum(axis=-1) >= ALONG * sizes * _sizes(mean)).all(axis=1)
    # what one stretch differs from the next by is no trend: σ² = ½ ⟨(xₖ₊₁ − xₖ)²⟩
    count = ahead.shape[1]
    noise = np.sqrt(0.5 * ((ahead[:, 1:] - ahead[:, :-1]) ** 2).mean(axis=1)) if count > 1 else 0.0
    doubt = np.where(shortest * sizes[1].max(axis=0) >= TURN, 0.0, SURE * noise / math.sqrt(count))
    return np.where(kept, np.maximum(np.abs(ahead.mean(axis=1)) - doubt, 0.0), 0.0)


def _motions(c: Coordinates, _vdot: ca.SX) -> list[ca.SX]:
    frames = [c.kinematics.frames[name] for name in c.geometry.bodies]
    twists = [c.kinematics.twists[name] for name in c.geometry.bodies]
    columns = (
        [frame.origin for frame in frames],
        [frame.axes for frame in frames],
        [twist.velocity for twist in twists],
        [twist.omega for twist in twists],
    )
    return [ca.vertcat(*[ca.densify(ca.vec(item)) for item in column]) for column in columns]
