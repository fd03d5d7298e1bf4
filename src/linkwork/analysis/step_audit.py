"""Steps of one size, checked by steps of half that size.

Nothing chooses such steps by their errors, and what keeps the energy may still lose the phase of a fast motion. So a few
stretches of the run are integrated again from states that it has reached, once with its steps h and once with h/2, by the
method and the formulation of the run. By a method of order p the ends x differ by the error of the first but for 2⁻ᵖ of it:

    e = (x(h) − x(h/2)) / (1 − 2⁻ᵖ),    E = T ⟨|e| / W⟩

with the time W of a stretch and T of the run. E is what errors add up to if none of them dies out or grows. A body that
keeps its direction of motion, such as a wheel that spins, is carried on by errors of its speed along that direction:

    E ← E + ½ T² |⟨ė · v̂ / W⟩|
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.course import Run
from linkwork.analysis.prepare import Start
from linkwork.analysis.written import written
from linkwork.coordinates.numbering import Coordinates
from linkwork.errors import LinkworkError
from linkwork.numerics.integrators.solution import Solution, Status

Array = NDArray[np.float64]
ALONE, REMEMBERING = 4, 12  # steps of a stretch: of methods that forget, and of those that have to gather former steps
FEWEST, MOST = 3, 8  # stretches
PART = 0.1  # of the steps of a run that may be made again
ALONG = 0.5  # cosine between directions of motion that are the same
SAMPLES = 128  # states that the largest rate is looked for in


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

    def __call__(self) -> tuple[float, str] | None:
        """How far errors of steps add up, over the size of what they are errors of, and whose; None: that is not known."""
        t, y = self.solution.t, self.solution.y
        names = list(self.run.mechanism.coordinates.geometry.bodies)
        found = [self._errors(t[i], y[i], span) for i, span in self._stretches()] if names else []
        known = [item for item in found if item is not None]
        if not known:
            return None
        span = float(t[-1] - t[0])
        places, attitudes, speeds, turns, velocities, omegas = (np.array(part) for part in zip(*known, strict=True))
        length, rate = self._sizes()
        sums = {
            "place": (_added(places, span) + _carried(speeds, velocities, span)) / length,
            "attitude": _added(attitudes, span) + _carried(turns, omegas, span),
            "velocity": _added(speeds, span) / (length * rate),
            "angular velocity": _added(turns, span) / rate,
        }
        worst = {what: int(np.argmax(np.where(np.isfinite(part), part, np.inf))) for what, part in sums.items()}
        what = max(worst, key=lambda item: float(np.nan_to_num(sums[item][worst[item]], nan=np.inf)))
        return float(sums[what][worst[what]]), f"the {what} of {names[worst[what]]}"

    def _stretches(self) -> list[tuple[int, float]]:
        """Outputs from which to go on again, evenly spread over the time of the run, and how long."""
        assert self.run.effort.step is not None
        t, steps = self.solution.t, len(self.solution.step_times)
        count = REMEMBERING if self.run.choice.method.remembers else ALONE
        span = count * self.run.effort.step
        last = int(np.searchsorted(t, t[-1] - span, "right")) - 1
        if last < 0:
            return [(0, float(t[-1] - t[0]))] if len(t) > 1 else []
        number = int(np.clip(PART * steps / (3 * count), FEWEST, MOST))
        spread = np.searchsorted(t[: last + 1], t[0] + (np.arange(number) + 0.5) / number * (t[last] - t[0]))
        return [(int(i), span) for i in np.unique(np.minimum(spread, last))]

    def _errors(self, t: float, y: Array, span: float) -> tuple[Array, ...] | None:
        """Errors of steps from a state on, over their time, and the velocities there; None where there is no way on."""
        method, step = self.run.choice.method, self.run.effort.step
        assert step is not None
        ends = [self._end(t, y, span, size) for size in (step, step / 2)]
        if any(end is None for end in ends):
            return None
        bodies = self._bodies(np.full(2, t + span), np.array(ends))
        part = span * (1.0 - 0.5 ** max(method.order, 1))
        return (*(error / part for error in bodies.apart()), bodies.velocities[1], bodies.omegas[1])

    def _end(self, t: float, y: Array, span: float, step: float) -> Array | None:
        start = Start(y, self.run.start.p, self.run.start.assembly, t)
        again = replace(self.run, start=start, effort=replace(self.run.effort, step=step, until=t + span), gather=None)
        try:
            solution = again.advance(np.array([t, t + span])).solution
        except LinkworkError:
            return None
        return solution.y[-1] if solution.status is Status.COMPLETED else None

    def _bodies(self, t: Array, y: Array) -> Bodies:
        c = self.run.mechanism.coordinates
        p = np.broadcast_to(self.run.start.p[: c.p.numel()], (len(t), c.p.numel()))
        found = written(c, _motions)(t, y, np.zeros((len(t), c.v.numel())), p)
        count, d = len(c.geometry.bodies), c.space.dimension
        origins, axes, velocities, omegas = (part.reshape(len(t), count, -1) for part in found)
        return Bodies(origins, np.swapaxes(axes.reshape(len(t), count, d, d), 2, 3), velocities, omegas)

    def _sizes(self) -> tuple[float, float]:
        """m: of the mechanism; 1/s: the largest rate of its bodies, where velocities count over that size."""
        t, y = self.solution.t, self.solution.y
        picked = np.unique(np.linspace(0, len(t) - 1, min(len(t), SAMPLES)).astype(int))
        bodies, length = self._bodies(t[picked], y[picked]), float(self.run.mechanism.coordinates.kinematics.length)
        rate = max(np.max(np.abs(bodies.velocities)) / length, np.max(np.abs(bodies.omegas)))
        return length, float(rate) or 1.0


def _added(errors: Array, span: float) -> Array:
    """(B) what errors (K, B, n) of K stretches add up to."""
    return np.asarray(span * np.mean(np.linalg.norm(errors, axis=2), axis=0))


def _carried(errors: Array, rates: Array, span: float) -> Array:
    """(B) how far errors (K, B, n) of rates (K, B, n) carry those that keep their direction."""
    sizes, mean = np.linalg.norm(rates, axis=2), np.mean(rates, axis=0)
    along = np.einsum("kbn,bn->kb", rates, mean)
    keeps = np.all(along > ALONG * sizes * np.linalg.norm(mean, axis=1), axis=0)
    faster = np.einsum("kbn,kbn->kb", errors, rates) / np.where(sizes > 0.0, sizes, 1.0)
    return np.where(keeps, 0.5 * span**2 * np.abs(np.mean(faster, axis=0)), 0.0)


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
