"""Steps of one size, checked by steps of half that size.

Nothing chooses such steps by their errors, and what keeps the energy may still lose the phase of a fast motion. So a few
stretches of the run are integrated again from states that it has reached, once with its steps h and once with h/2, by the
method and the formulation of the run. By a method of order p the ends x differ by the error of the first but for 2⁻ᵖ of it:

    e = (x(h) − x(h/2)) / (1 − 2⁻ᵖ),    E = T ( |⟨e · v̂⟩| + ⟨|e − (e · v̂) v̂|⟩ ) / W

with the time W of a stretch and T of the run. E is what errors add up to if none of them dies out or grows: along the motion
v̂ with their signs, since what a body is too late or too fast here it may be too early or too slow there. A body that keeps
its direction of motion, such as a wheel that spins, is carried on by errors of its speed along that direction:

    E ← E + ½ T² |⟨ė · v̂⟩| / W
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

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
class StepCheck:
    """A run with steps of one size, and what it has given."""

    run: Run
    solution: Solution

    def __call__(self) -> tuple[float, str, bool] | None:
        """How far errors of steps add up, over the size of what they are errors of, whose, and whether that is known from
        enough places of the run; None: it is not known at all."""
        t = self.solution.t
        names = list(self.run.mechanism.coordinates.geometry.bodies)
        # penalties that follow the size of steps are others with half of it
        known = names and not self.run.mechanism.equations.formulation.needs_fixed_step
        found = [self._errors(i, count) for i, count in self._stretches()] if known else []
        errors = [item for item in found if item is not None]
        if not errors:
            return None
        span = float(t[-1] - t[0])
        places, attitudes, speeds, turns, velocities, omegas = (np.array(part) for part in zip(*errors, strict=True))
        run, length = self._sampled, float(self.run.mechanism.coordinates.kinematics.length)
        rate = float(max(np.max(np.abs(run.velocities)) / length, np.max(np.abs(run.omegas)))) or 1.0
        moved = _carried(_along(speeds, velocities), run.velocities, span)
        turned = _carried(_along(turns, omegas), run.omegas, span)
        sums = {
            "place": (_added(places, velocities, span) + moved) / length,
            "attitude": _added(attitudes, omegas, span) + turned,
            "velocity": _added(speeds, velocities, span) / (length * rate),
            "angular velocity": _added(turns, omegas, span) / rate,
        }
        worst = {what: int(np.argmax(np.where(np.isfinite(part), part, np.inf))) for what, part in sums.items()}
        what = max(worst, key=lambda item: float(np.nan_to_num(sums[item][worst[item]], nan=np.inf)))
        enough = len(errors) >= FEWEST or len(self.solution.step_times) - 1 <= FEWEST * (self._before + ALONE)
        return float(sums[what][worst[what]]), f"the {what} of {names[worst[what]]}", enough

    def _stretches(self) -> list[tuple[int, int]]:
        """Outputs from which to go on again, evenly spread over the time of the run, and how many steps; few: all of it."""
        assert self.run.effort.step is not None
        t, steps = self.solution.t, len(self.solution.step_times) - 1
        if steps <= FEWEST * (self._before + ALONE):
            return [(0, steps)] if t[-1] > t[0] else []
        last = int(np.searchsorted(t, t[-1] - (self._before + ALONE) * self.run.effort.step, "right")) - 1
        dearest = min(steps / (3 * (self._before + ALONE)), self.solution.statistics.wall_time / (2 * BEGUN))
        number = int(np.clip(PART * dearest, FEWEST, MOST))
        spread = np.searchsorted(t[: last + 1], t[0] + (np.arange(number) + 0.5) / number * (t[last] - t[0]))
        chosen = np.unique(np.minimum(spread, last)) if last >= 0 else np.empty(0, int)
        # few outputs: from all of them, from the last one beyond the end of the run
        return [(int(i), ALONE) for i in (chosen if len(chosen) >= FEWEST else range(len(t)))]

    @property
    def _before(self) -> int:
        """Steps before a stretch."""
        method = self.run.choice.method
        return BEFORE if method.remembers or method.carries else 0

    def _errors(self, i: int, count: int) -> tuple[Array, ...] | None:
        """Errors of so many steps from an output on, over their time, and velocities there; None: there is no way on."""
        method, step = self.run.choice.method, self.run.effort.step
        assert step is not None
        before = self._before if len(self.solution.step_times) - 1 > count else 0
        t = self.solution.t[i] + step * np.array([0, *([before] if before else []), before + count])
        if count == len(self.solution.step_times) - 1:
            t[-1] = self.solution.t[-1]
        ways = [self._way(t, self.solution.y[i], size) for size in (step, step / 2)]
        found = [way for way in ways if way is not None]
        if len(found) < len(ways):
            return None
        # at the beginning of the stretch, and at its end
        first, last = (self._bodies(t[[k, k]], np.array([way[k] for way in found])) for k in (-2, -1))
        part = float(t[-1] - t[-2]) * (1.0 - 0.5 ** max(method.order, 1))
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

    @property
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


def _carried(faster: Array, rates: Array, span: float) -> Array:
    """(B) how far errors (K, B) of speeds carry bodies that keep the direction of their rates (N, B, n) along the run."""
    sizes, mean = np.linalg.norm(rates, axis=2), np.mean(rates, axis=0)
    kept = np.einsum("kbn,bn->kb", rates, mean) > ALONG * sizes * np.linalg.norm(mean, axis=1)
    return np.where(np.all(kept, axis=0), 0.5 * span**2 * np.abs(np.mean(faster, axis=0)), 0.0)


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
