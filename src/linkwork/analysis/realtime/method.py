"""Which method steps a mechanism in real time: of fixed cost, and stable at the given step.

Explicit steps cost least where they are stable. Whether they are is asked at the start: with the eigenvalues λ of ∂f/∂y
there, by differences, a method with the stability function R lets nothing grow that should not where |R(hλ)| ≤ 1 for all λ
with Re λ ≤ 0. Elsewhere the step is implicit, A-stable, with a fixed number of iterations (García de Jalón and Bayo, section
7.3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.equations.formulations import Formulation, Index3AugmentedLagrangian
from linkwork.errors import RefusedError
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.integrators import method_named
from linkwork.numerics.integrators.automatic import spectrum
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.stability import stability_function
from linkwork.numerics.timestepping.method import MoreauJean

EXPLICIT, IMPLICIT = "rk4", "trapezoidal"
ITERATIONS = 3  # of an implicit step
RESERVE = 1.25  # rates that are so many times as fast must be stable too
GROWING = 1e-6  # real part of λ, relative to the fastest, above which a motion grows by itself


@dataclass(frozen=True)
class Chosen:
    """A method, and why; *fastest*: the largest |λ| at the start, 1/s, 0 where nobody has asked."""

    method: Method | MoreauJean
    fastest: float
    reason: str

    def told(self, mechanism: Mechanism, step: float) -> str:
        """What steps, how, and why."""
        how = (
            f"{self.method.name}, {mechanism.equations.formulation.name} in {mechanism.coordinates.kind} coordinates: "
        )
        fast = f" (h|λ| up to {step * self.fastest:.3g} at the start)" if self.fastest else ""
        return f"{how}{self.reason}{fast}"

    def settings(self, mechanism: Mechanism, step: float) -> dict[str, str]:
        """The same for a result."""
        return {
            "coordinates": str(mechanism.coordinates.kind),
            "formulation": mechanism.equations.formulation.name,
            "integrator": self.method.name,
            "backend": mechanism.program.backend.name,
            "fixed step": f"{step:g} s",
        }


def choose_formulation(given: str | Formulation | None, iterations: int | None) -> str | Formulation | None:
    """The formulation that was asked for, with a fixed number of iterations where it has such an option."""
    iterations = ITERATIONS if iterations is None else iterations
    if iterations < 1:
        raise RefusedError(f"max_iterations = {iterations}; at least 1 is needed")
    if given == Index3AugmentedLagrangian.name:
        return Index3AugmentedLagrangian(iterations=iterations, tolerance=None)
    return given


def choose_method(given: str | Method | None, formulation: Formulation, flow: Flow, y: Array, step: float) -> Chosen:
    """The integrator that was asked for, or one that is stable with steps of this size."""
    if given is not None:
        method = method_named(given) if isinstance(given, str) else given
        if formulation.implicit and not method.implicit:
            raise RefusedError(
                f"the formulation '{formulation.name}' has equations of implicit steps, which the integrator "
                f"'{method.name}' cannot integrate; take '{IMPLICIT}'"
            )
        if method.variable_order:
            raise RefusedError(
                f"the integrator '{method.name}' chooses its steps itself, and real time has steps of one size: take one of "
                f"fixed order, such as '{EXPLICIT}', 'abm4' or '{IMPLICIT}'"
            )
        return Chosen(method, 0.0, "as asked for")
    if formulation.implicit:
        return Chosen(method_named(IMPLICIT), 0.0, "the formulation has implicit steps")
    rates = eigenvalues(flow, y)
    fastest = float(np.max(np.abs(rates), initial=0.0))
    stable = bool(np.all(np.abs(stability_function(EXPLICIT)(RESERVE * step * rates)) <= 1.0 + 1e-9))
    method = method_named(EXPLICIT if stable else IMPLICIT)
    return Chosen(method, fastest, f"explicit steps are {'stable' if stable else 'not stable'}")


def eigenvalues(flow: Flow, y: Array) -> NDArray[np.complex128]:
    """λ of the flow at its start that do not grow."""
    rates = spectrum(flow, 0.0, flow.encode(0.0, y))
    limit = GROWING * np.max(np.abs(rates), initial=0.0)
    kept = rates[rates.real <= limit]
    # a real part that is an error of the differences says nothing
    return np.where(np.abs(kept.real) <= limit, 1j * kept.imag, kept)
