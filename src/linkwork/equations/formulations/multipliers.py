"""Lagrange multipliers, index 1 (García de Jalón and Bayo, eq. 5.10):

    [ M  Cᵀ ] [  v̇ ]   [  h ]
    [ C  0  ] [ −λ ] = [ −b ]

All coordinates are integrated. The accelerations satisfy the conditions, positions and velocities drift; after every
accepted step they are returned to the conditions by the smallest correction (``project``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.linear import solve_symmetric
from linkwork.coordinates.numbering import Coordinates
from linkwork.equations.elimination import choose_order
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.terms import closure_function, make_function, position_functions, terms_function
from linkwork.errors import RefusedError
from linkwork.numerics.flows.constrained import by_multipliers, fallback_count
from linkwork.numerics.integrators.flow import Flow
from linkwork.position.rank import dependent_rows


@dataclass(frozen=True)
class Multipliers(Formulation):
    """Index-1 equations with multipliers; *project* returns every step to the conditions."""

    name: ClassVar[str] = "multipliers"
    summary: ClassVar[str] = "Lagrange multipliers, index 1, all coordinates integrated, steps projected"
    abilities: ClassVar[Abilities] = Abilities(rolling=True, limits=True)

    project: bool = True

    def drifting(self) -> Multipliers:
        return replace(self, project=False)

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        functions = index_one_functions(coordinates, coordinates.b, t, y, p)
        scheme = multipliers_scheme(functions, self.project)
        if not coordinates.limits:
            return scheme
        return replace(scheme, extra={**scheme.extra, "pulls": pulls_function(coordinates, t, y, p)})


def multipliers_scheme(functions: Mapping[str, ca.Function], project: bool) -> Scheme:
    """Index-1 equations, integrated in all coordinates."""
    no_series = "" if "accelerate" in functions else "its accelerations have no fixed order of elimination"
    return Scheme(functions, by_multipliers(project), _fallback_notes, no_series=no_series, straight="accelerate")


def _fallback_notes(flow: Flow) -> tuple[str, ...]:
    count = fallback_count(flow)
    if not count:
        return ()
    what = "1 evaluation" if count == 1 else f"{count} evaluations"
    return (f"{what} by the null space of the conditions: the order of elimination has small pivots there",)


def index_one_functions(c: Coordinates, curvature: ca.SX, t: float, y: Array, p: Array) -> dict[str, ca.Function]:
    """Closure, terms and, where an order of pivots exists, straight-line accelerations; *curvature* stands for b."""
    found = {"closure": closure_function(c), "terms": terms_function(c, curvature), **position_functions(c)}
    accelerate = accelerate_function(c, curvature, t, y, p)
    if accelerate is not None:
        found["accelerate"] = accelerate
    return found


def accelerate_function(c: Coordinates, curvature: ca.SX, t: float, y: Array, p: Array) -> ca.Function | None:
    """[q̇, v̇, ṡ, health] by straight-line elimination, with the rows that are independent at the typical state."""
    found = _eliminated(c, curvature, t, y, p)
    if found is None:
        return None
    outputs = {
        "rates": ca.vertcat(c.kinematics.rates, found.solution[: c.v.numel()], c.s_rates),
        "health": found.health,
    }
    return make_function("accelerate", c, outputs)


def pulls_function(c: Coordinates, t: float, y: Array, p: Array) -> ca.Function:
    """What the conditions that come and go push with, λ, zero while they do not hold."""
    found = _eliminated(c, c.b, t, y, p)
    if found is None:
        raise RefusedError(
            f"what {c.limits[0].label} pushes with has no formula: the equations of this mechanism have no fixed order of "
            "elimination where it is assembled; draw another position, or give masses to bodies without"
        )
    return make_function("pulls", c, {"pulls": -found.solution[found.solution.numel() - len(c.limits) :]})


@dataclass(frozen=True, eq=False)
class _Eliminated:
    """v̇, −λ of the rows that are kept and last of those that come and go, and the smallest pivot beside a typical one."""

    solution: ca.SX
    health: ca.SX


def _eliminated(c: Coordinates, curvature: ca.SX, t: float, y: Array, p: Array) -> _Eliminated | None:
    """The equations at the top of this file, solved in a fixed order of pivots; None where there is none.

    Rows that come and go are the last: what they leave of the diagonal is −C M⁻¹ Cᵀ, negative and as large as those that
    hold are independent. They are multiplied by selectors σ; where σ = 0, (σ − 1) s on the diagonal leaves λ = 0, with the
    size s of that pivot where they hold.
    """
    n, coming = c.v.numel(), [c.labels.index(limit.label) for limit in c.limits]
    always = [i for i in range(len(c.rows)) if i not in coming]
    values = make_function("typical", c, {"M": c.mass, "C": c.jacobian})(t, y, _all_holding(c, p))
    mass, jacobian = np.array(values[0]).reshape(n, n), np.array(values[1]).reshape(len(c.rows), n)
    # rows are compared where all conditions are lengths and all velocities parts of the size of the mechanism
    weights = np.array([row.weight for row in c.rows])[:, None]
    surplus = dependent_rows((weights * jacobian * c.kinematics.scale)[always])
    kept = [row for i, row in enumerate(always) if i not in surplus]
    first = n + len(kept)
    numbers = np.block([[mass, jacobian[kept].T], [jacobian[kept], np.zeros((len(kept), len(kept)))]])
    sizes = [float(jacobian[row] @ np.linalg.lstsq(mass, jacobian[row], rcond=None)[0]) or 1.0 for row in coming]
    rows = c.jacobian[[*kept, *coming], :] if kept or coming else ca.SX(0, n)
    idle = [(limit.selector - 1) * size for limit, size in zip(c.limits, sizes, strict=True)]
    corner = ca.diagcat(ca.SX(len(kept), len(kept)), *idle)
    matrix = ca.vertcat(ca.horzcat(c.mass, rows.T), ca.horzcat(rows, corner))
    order = choose_order(numbers, np.array(ca.DM(matrix.sparsity(), 1), dtype=bool)[:first, :first])
    if order is None:
        return None
    right = ca.vertcat(c.forces, -curvature[[*kept, *coming]]) if kept or coming else c.forces
    solution, pivots = solve_symmetric(matrix, right, [*order, *((first + i,) for i in range(len(coming)))])
    typical = make_function("pivots", c, {"d": ca.vertcat(*pivots)})(t, y, p) if pivots else ca.DM(0, 1)
    health = ca.SX(1)
    for pivot, size in zip(pivots, np.abs(np.array(typical).ravel()), strict=True):
        if not pivot.is_constant():
            health = ca.fmin(health, ca.fabs(pivot) / size)
    return _Eliminated(solution, health)


def _all_holding(c: Coordinates, p: Array) -> Array:
    """The parameters with which all conditions hold that come and go."""
    found, last = np.array(p, dtype=float), c.p.numel() - len(c.switches)
    found[last - len(c.limits) : last] = 1.0
    return found
