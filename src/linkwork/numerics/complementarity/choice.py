"""Which solver is for which problem.

Up to some hundred rows a factor takes less than the sweeps that it saves; beyond that only products with A are cheap. Sweeps
reach two or three digits soonest, whatever the size; heavy on light and tall stacks they do not end. Figures are those of
``benchmarks/complementarity.py``, the table with the reasons is in ``docs/theory/contact.md``.
"""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.errors import RefusedError, did_you_mean
from linkwork.numerics.complementarity.accelerated_gradient import AcceleratedGradient
from linkwork.numerics.complementarity.alternating_directions import AlternatingDirections
from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.gauss_seidel import GaussSeidel
from linkwork.numerics.complementarity.interior_point import InteriorPoint
from linkwork.numerics.complementarity.regularised_newton import RegularisedNewton
from linkwork.numerics.complementarity.semismooth_newton import SemismoothNewton
from linkwork.numerics.complementarity.solver import ContactSolver

ALL_SOLVERS: tuple[ContactSolver, ...] = (
    GaussSeidel(),
    AcceleratedGradient(),
    AlternatingDirections(),
    InteriorPoint(),
    SemismoothNewton(),
    RegularisedNewton(),
)
FACTORED = 400  # rows up to which a factor costs less than what it saves
ROUGH = 1e-4  # residual, of the largest |b|, that sweeps reach soonest


@dataclass(frozen=True)
class SolverChoice:
    """A solver, why it is taken, and the one that is asked where it does not end."""

    solver: ContactSolver
    reason: str
    otherwise: ContactSolver


def choose(problem: ContactProblem, accuracy: float) -> SolverChoice:
    """accuracy: residual beside the largest |b|."""
    rows = problem.b.size
    if problem.count == 1:
        return SolverChoice(GaussSeidel(), "one contact is solved by cases", SemismoothNewton())
    if rows <= FACTORED:
        return SolverChoice(
            InteriorPoint(),
            f"{rows} rows: factors are cheap, and masses and redundancy do not matter",
            SemismoothNewton(),
        )
    if accuracy >= ROUGH:
        return SolverChoice(
            GaussSeidel(both_ways=True),
            f"{rows} rows, {accuracy:.0e}: sweeps have a few digits soonest",
            AcceleratedGradient(),
        )
    return SolverChoice(
        AcceleratedGradient(), f"{rows} rows, {accuracy:.0e}: products with A alone, and momentum", GaussSeidel()
    )


def solver_named(name: str) -> ContactSolver:
    """The solver of a name, with its usual settings."""
    known = {solver.name: solver for solver in ALL_SOLVERS}
    if name not in known:
        raise RefusedError(f"solver = '{name}'; {did_you_mean(name, list(known))}")
    return known[name]
