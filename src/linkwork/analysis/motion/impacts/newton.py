"""Newton's law of restitution in the form of Moreau, with Coulomb's law for impulses, for all that meets at an instant.

    M (v⁺ − v⁻) = Cᵀ Λ,   0 ≤ γ⁺ + e min(γ⁻, 0)  ⊥  Λ ≥ 0

A limit that is hit alone, or with others that are hit too and push, sends e times its speed back. Where it rubs, with the
slip s behind the blow,

    s⁺ ≠ 0: Λ_t = −μ Λ s⁺/|s⁺|;   s⁺ = 0: |Λ_t| ≤ μ Λ.

Source: J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics" (1988).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from linkwork.analysis.motion.complementarity import ZERO, Contradiction
from linkwork.analysis.motion.impacts.base import Blow, ImpactLaw, Struck
from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.complementarity.contact_problem import ContactProblem

WITHIN = 1e-9  # residual of an answer, of the largest speed
EXACT = 1e-13  # what is asked of solvers


class NewtonImpact(ImpactLaw):
    """What comes back is a part of the speed along the normal; what slips behind it was rubbed all the time."""

    name: ClassVar[str] = "newton"
    told: ClassVar[str] = (
        "impacts follow Newton's law of restitution in the form of Moreau, with Coulomb's law for impulses along surfaces"
    )

    def strike(self, blow: Blow) -> Struck:
        asked = blow.rates.copy()
        for limit, part in blow.back.items():
            asked[blow.normal(limit)] *= 1.0 + part
        none = np.zeros(len(blow.system.mass))
        if not blow.rubbing:
            found = blow.system.solve(blow.near, none, asked, blow.size)
            return Struck(found.x, found.f)
        rows, f = _rubbed(blow, asked)
        found = blow.system.pushed(rows, f, none, asked)
        return Struck(found.x, found.f)


def _rubbed(blow: Blow, asked: Array) -> tuple[list[int], Array]:
    """Impulses of all rows of the limits that are near, each the normal first."""
    from linkwork.numerics.complementarity.solving import solve_contacts

    if any(len(blow.system.groups[i]) > 1 for i in blow.near):
        raise RefusedError(
            "an impact beside friction has a limit with conditions on velocities of its own; leave the friction out, or the "
            "relation that rolls or glides only while it touches"
        )
    groups = [(blow.normal(i), *(blow.rubbing[i].rows if i in blow.rubbing else ())) for i in blow.near]
    mu = [blow.rubbing[i].coefficient if i in blow.rubbing else 0.0 for i in blow.near]
    rows = [row for group in groups for row in group]
    matrix = blow.system.answer_of(rows)
    b = (blow.system.jacobian @ blow.system.free(np.zeros(len(blow.system.mass)), asked) + asked)[rows]
    problem = ContactProblem.of((matrix + matrix.T) / 2, b, mu, [len(group) for group in groups])
    found = solve_contacts(problem, tolerance=EXACT * blow.size)
    f = _sharpened(problem, found.f, blow.size)
    if problem.misfit(f).residual > WITHIN * blow.size:
        raise Contradiction([blow.normal(i) for i in blow.near])
    return rows, f


def _sharpened(problem: ContactProblem, f: Array, size: float) -> Array:
    """The same answer to rounding: what pushes has u_n = 0, what sticks u = 0, and what slides f_t = −μ f_n u_t/|u_t|."""
    u, most = problem.speeds(f), float(np.max(np.abs(f), initial=0.0))
    columns, wanted = [], []
    for i in range(problem.count):
        first, last = problem.first[i], problem.first[i + 1]
        if f[first] <= ZERO * most:
            continue
        column = np.zeros(f.size)
        column[first] = 1.0
        wanted.append(first)
        slip = u[first + 1 : last]
        speed = float(np.linalg.norm(slip))
        if speed > ZERO * size:
            column[first + 1 : last] = -problem.mu[i] * slip / speed
            columns.append(column)
        elif problem.mu[i] > 0.0:
            columns += [column, *np.eye(f.size)[first + 1 : last]]
            wanted += range(first + 1, last)
        else:
            columns.append(column)
    if not columns:
        return np.zeros(f.size)
    basis = np.array(columns).T
    parts = np.linalg.lstsq((problem.entries @ basis)[wanted], -problem.b[wanted], rcond=1e-12)[0]
    sharp = basis @ parts
    better = problem.misfit(sharp).residual <= max(problem.misfit(f).residual, EXACT * size)
    return np.asarray(sharp) if better else f
