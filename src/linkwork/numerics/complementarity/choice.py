"""Which solver is for which problem.

Where a factor of the band costs little more than some sweeps, interior points are asked: they know no bad problems.
Where it costs much, alternating directions are, which write few of them; for a few digits sweeps are tried before, as
long as some factors would take: piles of bodies that touch at a point each are solved by then. Figures are those of
``benchmarks/complementarity.py``, the table with the reasons is in ``docs/theory/contact.md``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.errors import RefusedError, did_you_mean
from linkwork.numerics.complementarity.accelerated_gradient import AcceleratedGradient
from linkwork.numerics.complementarity.alternating_directions import AlternatingDirections
from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.gauss_seidel import GaussSeidel
from linkwork.numerics.complementarity.interior_point import InteriorPoint
from linkwork.numerics.complementarity.polyhedral import Polyhedral
from linkwork.numerics.complementarity.regularised_newton import RegularisedNewton
from linkwork.numerics.complementarity.semismooth_newton import SemismoothNewton
from linkwork.numerics.complementarity.solver import ContactSolver, band

ALL_SOLVERS: tuple[ContactSolver, ...] = (
    GaussSeidel(),
    AcceleratedGradient(),
    AlternatingDirections(),
    InteriorPoint(),
    SemismoothNewton(),
    RegularisedNewton(),
)
APPROXIMATE: tuple[ContactSolver, ...] = (Polyhedral(),)
FLOP, BLOCK, CONTACT = 0.1, 4.0, 40.0  # ns of an operation of a factor, and in a sweep of a block and of a contact
CHEAP = 12.0  # sweeps that a factor may take, for which nothing else is tried
TRIED = 4.0  # times the time of a factor that sweeps get before factors are written
ROUGH = 1e-3  # accuracy that sweeps reach soonest where contacts are single points
NEAR = 5  # steps of Newton's method that the neighbourhood of an answer takes at most
STEEP = 3.0  # μ, up to which alternating directions are known to end
ENDLESS = 1e9  # ns of a factor for which there is no time


@dataclass(frozen=True)
class SolverChoice:
    """Solvers that are asked one after the other, each from the same start, until one ends; and why."""

    solvers: tuple[ContactSolver, ...]
    reason: str


def sweeps_of_a_factor(problem: ContactProblem) -> tuple[float, float]:
    """How many sweeps take the time of a factor, and that of a factor in ns; on a processor like those of the benchmarks."""
    factor = FLOP * problem.b.size * (band(problem).width + 10.0) ** 2
    return factor / (BLOCK * problem.columns.size + CONTACT * problem.count), factor


def choose(problem: ContactProblem, accuracy: float, *, started: bool = False) -> SolverChoice:
    """Solvers in the order in which they are worth asking.

    accuracy: residual beside the largest |b|; started: there is an answer to a problem that is nearly the same
    """
    sure = (SemismoothNewton(),) if problem.bounded else (InteriorPoint(), SemismoothNewton())
    if problem.count <= 1:
        return SolverChoice((GaussSeidel(), *sure), "one contact is solved by cases")
    sweeps, factor = sweeps_of_a_factor(problem)
    told = f"{problem.b.size} rows, a factor takes the time of {sweeps:.0f} sweeps"
    if problem.bounded and sweeps <= CHEAP:
        return SolverChoice((*sure, AlternatingDirections(), GaussSeidel()), f"{told}: some forces are within bounds")
    if sweeps <= CHEAP:
        return SolverChoice(sure, f"{told}: masses and redundancy do not matter")
    quick = GaussSeidel(limit=int(TRIED * sweeps))
    if factor > ENDLESS:
        return SolverChoice((quick, AcceleratedGradient(), GaussSeidel()), f"{told}: products with A alone")
    if np.max(problem.mu) > STEEP:
        return SolverChoice((quick, *sure), f"{told}: μ is large, which alternating directions do not like")
    few = AlternatingDirections(limit=2000), *sure
    if accuracy >= ROUGH:
        return SolverChoice((quick, *few), f"{told}: sweeps may have a few digits before")
    if started:
        return SolverChoice((SemismoothNewton(limit=NEAR), *few), f"{told}: near an answer Newton's method is soonest")
    return SolverChoice(few, f"{told}: one factor, and many solutions with it")


def solver_named(name: str) -> ContactSolver:
    """The solver of a name, with its usual settings."""
    known = {solver.name: solver for solver in (*ALL_SOLVERS, *APPROXIMATE)}
    if name not in known:
        raise RefusedError(f"solver = '{name}'; {did_you_mean(name, list(known))}")
    return known[name]
