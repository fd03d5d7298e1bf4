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

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.motion.course import Run
from linkwork.analysis.motion.written import written
from linkwork.analysis.prepared.prepare import Start
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.errors import LinkworkError
from linkwork.numerics.integrators.solution import RunStatus, Solution

ALONE, BEFORE = 4, 8  # steps of a stretch; and before it, of methods that have to gather former steps
FEWEST, MOST = 3, 8  # stretches
PART = 0.1  # of the steps of a run, and of its time, that may be spent again
BEGUN = 6e-4  # s that it takes to begin a run
SAME = 1e-6  # of a step: times that are the same
TURN, TURNS = 2 * np.pi, 5  # rad; and whole turns of a stretch, at most
SURE = 2.0  # standard errors of a mean of stretches that count as none
ALONG = 0.5  # cosine between directions of motion that are the same
SAMPLES = 128  # outputs in which the largest rate, and one direction of motion, are looked for


@dataclass(frozen=True, eq=False)
class Bodies:
    """Of B bodies at N states: origins (N, B, d), axes (N, B, d, d), velocities (N, B, d), angular velocities (N, B, k)."""

    origins: Array
    axes: Array
    velocities: Array
    omegas: Array

    def apart(self) -> tuple[Array, ...]:
        """Of the first state from the second, the same without the first index; of axes the small rotation (B, k)."""
        # R₁ R₀ᵀ − R₀ R₁ᵀ = 2 ã sin φ, with the axis a and the angle φ of the rotation from one to the other
        turned = np.einsum("bij,bkj->bik", self.axes[0], self.axes[1])
        turned = 0.5 * (turned - np.swapaxes(turned, 1, 2))
        plane = turned.shape[1] == 2
        rotation = turned[:, 1:, 0] if plane else np.stack([turned[:, 2, 1], turned[:, 0, 2], turned[:, 1, 0]], axis=1)
        return (
            self.origins[0] - self.origins[1],
            rotation,
            self.velocities[0] - self.velocities[1],
            self.omegas[0] - self.omegas[1],
        )


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
        found = [(stretch, errors) for stretch in stretches if (errors := self._errors(stretch)) is not None]
        if not found:
            return None
        sums = self._sums([stretch for stretch, _ in found], [errors for _, errors in found])
        worst = {what: int(np.argmax(np.where(np.isfinite(part), part, np.inf))) for what, part in sums.items()}
        what = max(worst, key=lambda item: float(np.nan_to_num(sums[item][worst[item]], nan=np.inf)))
        enough = len(found) >= FEWEST or self._count <= FEWEST * (self._before + ALONE)
        return float(sums[what][worst[what]]), f"the {what} of {names[worst[what]]}", enough

    def _sums(self, stretches: Sequence[Stretch], errors: Sequence[tuple[Array, ...]]) -> dict[str, Array]:
        """What errors of stretches add up to by the end of the run, over their sizes and for each body, by their kinds."""
        end = float(self.solution.t[-1])
        span, length = end - float(self.solution.t[0]), float(self.run.mechanism.coordinates.kinematics.length)
        places, attitudes, speeds, turns, velocities, omegas = (np.array(part) for part in zip(*errors, strict=True))
        # few outputs say nothing of when errors come: half of the time is left to them
        left = np.array([end - float(stretch.t[-1]) for stretch in stretches])
        left = (left if len(left) >= FEWEST else np.full(len(left), 0.5 * span))[:, None]
        run, rate = self._sampled, self._rate
        time = min(float(stretch.t[-1] - stretch.t[-2]) for stretch in stretches)
        whole = time * np.max(np.linalg.norm(run.omegas, axis=2), axis=0) >= TURN
        moved = _carried(left * _along(speeds, velocities), run.velocities, span, whole)
        turned = _carried(left * _along(turns, omegas), run.omegas, span, whole)
        return {
            "place": (_added(places, velocities, span) + moved) / length,
            "attitude": _added(attitudes, omegas, span) + turned,
            "velocity": _added(speeds, velocities, span) / (length * rate),
            "angular velocity": _added(turns, omegas, span) / rate,
        }

    def _stretches(self) -> list[Stretch]:
        """What to integrate again, evenly spread over the time of the run; of few steps all of it."""
        t, steps, before = self.solution.t, self._count, self._before
        if steps <= FEWEST * (before + ALONE):
            return [Stretch(0, t[[0, -1]], self._usual)] if t[-1] > t[0] else []
        count = self._turns
        last = int(np.searchsorted(t, t[-1] - (before + count) * self._usual, "right")) - 1
        dearest = min(steps / (3 * (before + count)), self.solution.statistics.wall_time / (2 * BEGUN))
        number = int(np.clip(PART * dearest, FEWEST, MOST))
        spread = np.searchsorted(t[: last + 1], t[0] + (np.arange(number) + 0.5) / number * (t[last] - t[0]))
        chosen = np.unique(np.minimum(spread, last)) if last >= 0 else np.empty(0, int)
        # few outputs: from all of them, from the last one beyond the end of the run
        return [self._stretch(int(i), count) for i in (chosen if len(chosen) >= FEWEST else range(len(t)))]

    def _stretch(self, i: int, count: int) -> Stretch:
        """So many steps from an output on, or some more, to the next outputs, where the run itself has made these steps."""
        t, before, steps, step = self.solution.t, self._before, self.solution.step_times, self._step(i)
        wanted = np.array([before, before + count] if before else [count])
        ends = np.minimum(np.searchsorted(t, t[i] + (wanted - SAME) * step), len(t) - 1)
        made = np.rint((t[ends] - t[i]) / step)
        places = np.concatenate([[t[i]], t[ends]])
        near = np.abs(steps[np.minimum(np.searchsorted(steps, places - SAME * step), len(steps) - 1)] - places)
        whole = np.all(np.diff(made, prepend=0.0) > 0) and np.all(near < SAME * step) and len(self.solution.parts) == 1
        if self.run.effort.step is not None and whole and 2 * made[-1] <= 3 * (before + count):
            return Stretch(i, places, step, self.solution.y[np.concatenate([[i], ends])])
        return Stretch(i, t[i] + step * np.concatenate([[0.0], wanted]), step)

    @property
    def _count(self) -> int:
        """Steps of the run."""
        return len(self.solution.step_times) - 1

    def _step(self, i: int) -> float:
        """The size of steps at an output."""
        if self.run.effort.step is not None:
            return self.run.effort.step
        ends = self.solution.step_times
        last = int(np.clip(np.searchsorted(ends, self.solution.t[i], "right"), 1, len(ends) - 1))
        return float(ends[last] - ends[last - 1])

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
        """Steps of a stretch: those of whole turns of the fastest body where they are few enough."""
        turn = TURN / (self._rate * self._usual)
        most = PART * self._count / (3 * FEWEST) - self._before
        return max(ALONE, int(np.ceil(turn * min(most // turn, TURNS))))

    def _errors(self, stretch: Stretch) -> tuple[Array, ...] | None:
        """Errors of a stretch, over its time, and velocities there; None: there is no way on."""
        t, y = stretch.t, self.solution.y[stretch.first]
        made = self._way(t, y, stretch.step) if stretch.y is None else stretch.y
        finer = None if made is None else self._way(t, y, stretch.step / 2)
        if made is None or finer is None:
            return None
        # at the beginning of the stretch, and at its end
        first, last = (self._bodies(t[[k, k]], np.array([made[k], finer[k]])) for k in (-2, -1))
        part = float(t[-1] - t[-2]) * (1.0 - 0.5 ** max(self.run.choice.method.order, 1))
        errors = [(b - a) / part for a, b in zip(first.apart(), last.apart(), strict=True)]
        return (*errors, last.velocities[1], last.omegas[1])

    def _way(self, t: Array, y: Array, step: float) -> Array | None:
        """States at the times t, from y on."""
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
        p = np.broadcast_to(self.run.start.p[: c.p.numel()], (len(t), c.p.numel()))
        found = written(c, _motions)(t, y, np.zeros((len(t), c.v.numel())), p)
        count, d = len(c.geometry.bodies), c.space.dimension
        origins, axes, velocities, omegas = (part.reshape(len(t), count, -1) for part in found)
        return Bodies(origins, np.swapaxes(axes.reshape(len(t), count, d, d), 2, 3), velocities, omegas)

    @cached_property
    def _rate(self) -> float:
        """rad/s: the largest rate of any body along the run; 1 where nothing moves."""
        run, length = self._sampled, float(self.run.mechanism.coordinates.kinematics.length)
        return float(max(np.max(np.abs(run.velocities)) / length, np.max(np.abs(run.omegas)))) or 1.0

    @cached_property
    def _sampled(self) -> Bodies:
        """The bodies along the run."""
        t, y = self.solution.t, self.solution.y
        picked = np.unique(np.linspace(0, len(t) - 1, min(len(t), SAMPLES)).astype(int))
        return self._bodies(t[picked], y[picked])


def _along(errors: Array, rates: Array) -> Array:
    """(K, B) the parts of errors (K, B, n) along rates (K, B, n)."""
    sizes = np.linalg.norm(rates, axis=2)
    return np.asarray(np.einsum("kbn,kbn->kb", errors, rates) / np.where(sizes > 0.0, sizes, 1.0))


def _added(errors: Array, rates: Array, span: float) -> Array:
    """(B) what errors (K, B, n) of K stretches add up to, where bodies move with these rates."""
    along = _along(errors, rates)
    across = np.sqrt(np.maximum(np.sum(errors**2, axis=2) - along**2, 0.0))
    return np.asarray(span * (np.abs(np.mean(along, axis=0)) + np.mean(across, axis=0)))


def _carried(ahead: Array, rates: Array, span: float, whole: NDArray[np.bool_]) -> Array:
    """(B) how far errors of speeds, times the time left to them (K, B), carry bodies that keep the direction of their rates
    (N, B, n) along the run. What is at rest for a while keeps it.

    whole (B): whose errors are those of whole turns. Of others, which waver, a mean counts as far as it is one.
    """
    sizes, mean = np.linalg.norm(rates, axis=2), np.mean(rates, axis=0)
    kept = np.einsum("kbn,bn->kb", rates, mean) >= ALONG * sizes * np.linalg.norm(mean, axis=1)
    # what one stretch differs from the next by is no trend: σ² = ½ ⟨(xₖ₊₁ − xₖ)²⟩
    noise = np.sqrt(0.5 * np.mean(np.diff(ahead, axis=0) ** 2, axis=0)) if len(ahead) > 1 else 0.0
    doubt = np.where(whole, 0.0, SURE * noise / np.sqrt(len(ahead)))
    return np.where(np.all(kept, axis=0), span * np.maximum(np.abs(np.mean(ahead, axis=0)) - doubt, 0.0), 0.0)


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
