"""What a run may cost, and in words what it met where that was not enough."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linkwork.analysis.motion.stiff_steps import instability, stiffness
from linkwork.analysis.prepared.prepare import Array, Mechanism
from linkwork.errors import LinkworkError, RefusedError
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus, Solution
from linkwork.results.outcome import Outcome, Status

ROUNDING = 4.0 * float(np.finfo(np.float64).eps)
LOOSEST = 0.1  # of rtol: beyond it no error would ever count
MEANINGFUL = 1e-14  # the tightest rtol that changes anything


def check_tolerances(rtol: object, atol: object) -> None:
    """Refuse tolerances that are none."""
    for name, value in (("rtol", rtol), ("atol", atol)):
        numbers = np.asarray(value)
        if numbers.dtype.kind not in "iuf" or not bool(np.all((numbers >= 0.0) & (numbers < np.inf))):
            raise RefusedError(f"{name} = {value!r}: a tolerance is a number that is not negative, such as 1e-9")
    if np.any(np.asarray(rtol) > LOOSEST):
        raise RefusedError(f"rtol = {rtol!r}: more than {LOOSEST:g} of each state is no tolerance; 1e-9 is usual")


@dataclass(frozen=True, eq=False)
class RunEffort:
    """Tolerances and limits of a run by a method that ends at a time (s); *step*: of fixed size, None: adaptive."""

    method: Method
    rtol: float
    atol: ArrayLike
    max_steps: int
    until: float
    step: float | None = None

    @property
    def options(self) -> dict[str, Any]:
        """As the integrators name them."""
        return {"rtol": self.rtol, "atol": self.atol, "step": self.step, "max_steps": self.max_steps}

    def check(self) -> None:
        """Refuse what cannot be."""
        if self.rtol == 0.0 and not np.all(np.asarray(self.atol) > 0.0):
            raise RefusedError("rtol and atol are both zero; one of them must be positive, such as rtol = 1e-9")
        if isinstance(self.max_steps, bool) or not isinstance(self.max_steps, (int, np.integer)) or self.max_steps < 1:
            raise RefusedError(f"max_steps = {self.max_steps!r}: the limit of steps is a whole number of at least 1")
        if self.step is None and not self.method.adaptive:
            others = ", ".join(f"'{known.name}'" for known in ALL_METHODS if known.adaptive)
            raise RefusedError(
                f"the integrator '{self.method.name}' needs a step size: give fixed_step, such as '1 ms', or take one that "
                f"chooses its steps: {others}"
            )
        if self.step is not None and not 0.0 < self.step < math.inf:
            raise RefusedError(f"fixed_step = {self.step}: a step must be positive, such as '1 ms'")

    def notes(self) -> list[str]:
        """What to say about tolerances that cannot be kept."""
        if self.step is not None or self.rtol >= ROUNDING or np.any(np.asarray(self.atol) >= 1e-14):
            return []
        return [
            f"rtol = {self.rtol:g} is below the rounding errors of each step, which remain; rtol = {MEANINGFUL:g} is the "
            "tightest that makes a difference"
        ]

    def unstable(self, flow: Callable[[], Flow], t: float, y: Array) -> list[str]:
        """What to say about a fixed step that is too long for the method, from a state on."""
        if self.step is None:
            return []
        found = instability(self.method, flow(), t, y, self.step, math.ceil((self.until - t) / self.step))
        return [found] if found else []

    def blown_up(self, solution: Solution, unstable: Sequence[str]) -> Outcome | None:
        """The end of a run whose steps were too long, where nothing else needs to be looked for."""
        if not unstable or solution.status not in (RunStatus.NOT_FINITE, RunStatus.FLOW_FAILED):
            return None
        return Outcome(Status.STOPPED_EARLY, unstable[0], solution.t_reached)

    def too_many_steps(self, mechanism: Mechanism, flow: Flow, solution: Solution) -> str:
        """The limit of steps, how many would be needed, and which state is to blame."""
        start = float(solution.step_times[0])
        done = (solution.t_reached - start) / (self.until - start)
        needed = f"about {self.max_steps / done:.3g} at this rate" if done > 0.0 else "many more"
        reached = f"the limit of {self.max_steps} steps is reached; the run needs {needed}"
        stiff = stiffness(self.method, flow, solution.t_reached, solution.y_reached, solution.last_step)
        if stiff and self.step is None:
            return f"{reached}: {stiff}"
        blame = self._blame(mechanism, flow, solution)
        remedy = "allow more with max_steps" + ("" if self.step is not None else ", or loosen the tolerances")
        return f"{reached}: {remedy}{blame}"

    def too_short_steps(self, mechanism: Mechanism, flow: Flow, solution: Solution) -> str:
        """Steps without length: which tolerance would do."""
        error = solution.last_error
        needed = f"; rtol = {self.rtol * error:.1e} would accept it" if 1.0 < error < 1e12 and self.rtol > 0.0 else ""
        return (
            f"the tolerances cannot be met: with a step of {solution.last_step:.1e} s the error is still {error:.2g} times "
            f"what they allow{needed}{self._blame(mechanism, flow, solution)}"
        )

    def _blame(self, mechanism: Mechanism, flow: Flow, solution: Solution) -> str:
        """The state with the largest error in its tolerance: that of one step against two of half its size."""
        if self.step is not None or self.method.remembers:
            return ""
        t, y, h = (
            solution.t_reached,
            solution.y_reached,
            max(solution.last_step, 1e-12 * max(1.0, abs(solution.t_reached))),
        )
        try:
            ends = [self._end(flow, t, y, h, count) for count in (1, 2)]
        except LinkworkError:
            return ""
        scale = np.asarray(self.atol) + self.rtol * np.abs(y)
        found = np.abs(ends[0] - ends[1]) / np.where(scale > 0.0, scale, np.inf)
        if not np.all(np.isfinite(found)) or not found.size or float(found.max()) == 0.0:
            return ""
        return f"; the largest error is that of {mechanism.coordinates.state_names[int(np.argmax(found))]}"

    def _end(self, flow: Flow, t: float, y: Array, h: float, count: int) -> Array:
        return integrate(self.method, flow, y, [t, t + h], step=h / count).y[-1]
