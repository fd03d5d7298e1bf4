"""The choice between an explicit and an implicit method, made and made again while a run goes on.

Explicit steps are watched: the quotient h ‖k_s − k_{s−1}‖ / ‖Y_s − Y_{s−1}‖ of two stages at the end of a step comes near
to h ρ, ρ being the spectral radius of the Jacobian (Hairer, Wanner, "Solving Ordinary Differential Equations II",
section IV.2). That costs next to nothing. Where it arouses suspicion, the eigenvalues λ of the Jacobian itself are
found. The implicit method takes over

- where the steps are as long as |R(hλ)| ≤ 1 allows: stability limits them, not accuracy;
- where they are shorter, but not much so for many steps, and the largest λ belongs to a decay: then the error that
  explicit stages make in what decays may limit them. Whether implicit steps are better is tried.

Its steps are compared from time to time: the explicit method returns where it would need fewer evaluations, its need being
in proportion to ρ. Each return makes the next leave harder.

All decisions follow from states and counts of evaluations, never from the clock: a run that is repeated decides the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.flows.flow import Flow, evaluate_flow
from linkwork.numerics.integrators.base import Array, Method, RungeKutta
from linkwork.numerics.integrators.memory import Memory
from linkwork.numerics.integrators.run import Review
from linkwork.numerics.integrators.stability import StabilityFunction, stability_function
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.status import STRONG

PATIENCE = 15  # steps near the stability limit before eigenvalues are found; as many times STRONG others
EVERY, SELDOM = 25, 800  # implicit steps between two looks, at first and at last
LONGER = 4  # times an implicit step: the longest explicit one that is hoped for
SOLVING = 2  # evaluations that a Newton iteration costs beside its own
LIMITED = 0.7  # of the stability limit: steps beyond are limited by it
DAMPED, VIBRATING = 0.7, 0.1  # −Re λ / |λ| of a decay, and of a vibration
GAIN = 0.8  # of the evaluations, below which the explicit method returns
LOOSE = 1.001  # |R| that counts as stable: methods of high order are hardly unstable for vibrations
DIFFERENCE = 1e-7


Spectrum = NDArray[np.complex128]


@dataclass(frozen=True)
class MethodChange:
    """A change of the method: when (s), to which, and why."""

    time: float
    method: str
    why: str

    def __str__(self) -> str:
        return f"{self.method} from t = {self.time:.6g} s on: {self.why}"


@dataclass(eq=False)
class Automatic(Review):
    """An explicit Runge-Kutta method and an implicit one that take turns; ``method`` is the one in use."""

    explicit: RungeKutta
    implicit: Method
    changes: list[MethodChange] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.method: Method = self.explicit
        self._patience = PATIENCE * STRONG
        self._need = 0.0  # evaluations of the explicit method for a unit of t ρ
        self._mark = (0.0, 0, 0)  # time, steps and evaluations at the last look at implicit steps
        self._every = EVERY

    @property
    def _function(self) -> StabilityFunction:
        return _known(self.explicit)[0]

    def begin(self, memory: Memory) -> None:
        run = memory.run
        run.watch, run.suspicion, run.calm = self._patience, 0, 0
        run.review_at = self._every if self.method is self.implicit else 0
        run.stiff_limit = stiff_limit(self.explicit)
        self._mark = (run.time, 0, 0)

    def __call__(self, memory: Memory) -> bool:
        """Whether the other method should take over; it is then the one in use."""
        time, h = memory.run.time, memory.run.step
        values = spectrum(memory.flow, time, memory.state)
        found = self._leave(memory.run, values, h) if self.method is self.explicit else self._return(memory, values)
        if not found:
            return False
        self.method = self.implicit if self.method is self.explicit else self.explicit
        self.changes.append(MethodChange(time, self.method.name, found))
        return True

    def _leave(self, run: Stepping, values: Spectrum, h: float) -> str:
        """Why the implicit method should take over; empty: it should not."""
        run.suspicion = 0
        if not values.size:
            return ""
        largest = values[np.argmax(np.abs(values))]
        radius = float(abs(largest))
        self._need = self.explicit.stages / (h * radius) if radius > 0.0 else np.inf
        if longest(self._function, values, h) >= LIMITED:
            return f"stiff (h·ρ = {h * radius:.2g}: stability limits the steps)"
        if h * radius > 1.0 and -largest.real >= DAMPED * radius:
            return f"perhaps stiff (h·ρ = {h * radius:.2g} with a decay)"
        # vibrations that accuracy follows; the next look comes later
        self._patience *= 2
        run.watch = self._patience
        return ""

    def _return(self, memory: Memory, values: Spectrum) -> str:
        """Why the explicit method should return; empty: it should not."""
        run, time = memory.run, memory.run.time
        steps, cost = run.accepted, run.evaluations + SOLVING * run.iterations
        span, taken, used = time - self._mark[0], steps - self._mark[1], cost - self._mark[2]
        self._mark = (time, steps, cost)
        radius = float(np.max(np.abs(values), initial=0.0))
        needed = max(self._need * span * radius, float(taken * self.explicit.stages) / LONGER)
        if needed > GAIN * used:
            self._every = min(2 * self._every, SELDOM)
            run.review_at = steps + self._every
            return ""
        self._every, self._patience = EVERY, 4 * self._patience
        return f"no longer stiff (about {needed:.0f} evaluations instead of {used})"


@cache
def _known(method: RungeKutta) -> tuple[StabilityFunction, float]:
    """The stability function of a method, and how far it is stable for decays."""
    function = stability_function(method)
    assert isinstance(function, StabilityFunction)
    return function, reach(function, -1.0)


def stiff_limit(method: RungeKutta) -> float:
    """h ρ from which on stability limits the steps of a method, of decays."""
    return LIMITED * _known(method)[1]


def spectrum(flow: Flow, t: float, state: Array) -> Spectrum:
    """Eigenvalues of the Jacobian of a flow at a state that it integrates, by differences; none where it fails."""
    n = state.size
    size = DIFFERENCE * np.maximum(np.abs(state), 1.0)
    found = evaluate_flow(flow, t, np.vstack([state + np.diag(size), state - np.diag(size)]))
    slopes = (found[:n] - found[n:]) / (2.0 * size[:, None])
    if not np.all(np.isfinite(slopes)):
        return np.zeros(0, dtype=complex)
    return np.asarray(np.linalg.eigvals(slopes.T), dtype=complex)


@lru_cache(maxsize=256)  # vibrations ask for the same direction again and again
def reach(function: StabilityFunction, direction: complex) -> float:
    """The longest |z| so that |R(z)| stays at or next to 1 from 0 to z in a direction."""
    r = np.linspace(0.0, 10.0, 201)[1:]
    beyond = np.flatnonzero(~(np.abs(function(r * direction)) <= LOOSE))
    return float(r[beyond[0]]) if beyond.size else float(r[-1])


def longest(function: StabilityFunction, values: Spectrum, h: float) -> float:
    """h over the longest stable step, of the largest eigenvalues; growing motions count as vibrations.

    Vibrations count less: where they are followed, accuracy keeps the steps near the limit too.
    """
    ratio = 0.0
    for value in sorted(values, key=abs)[-2:]:
        size = abs(value)
        if size * h > 1e-3:
            # conjugate values are alike
            direction = complex(round(min(value.real, 0.0) / size, 6), round(abs(value.imag) / size, 6))
            found = h * size / reach(function, direction)
            ratio = max(ratio, found if -direction.real > VIBRATING else LIMITED * found)
    return ratio
