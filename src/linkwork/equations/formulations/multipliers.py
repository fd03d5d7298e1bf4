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

from linkwork.coordinates.numbering import Coordinates
from linkwork.equations.elimination import choose_order, solve_symmetric
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.terms import closure_function, make_function, position_functions, terms_function
from linkwork.numerics.flows.constrained import by_multipliers, fallback_count
from linkwork.numerics.integrators.flow import Flow
from linkwork.position.rank import dependent_rows


@dataclass(frozen=True)
class Multipliers(Formulation):
    """Index-1 equations with multipliers; *project* returns every step to the conditions."""

    name: ClassVar[str] = "multipliers"
    summary: ClassVar[str] = "Lagrange multipliers, index 1, all coordinates integrated, steps projected"
    abilities: ClassVar[Abilities] = Abilities(rolling=True)

    project: bool = True

    def drifting(self) -> Multipliers:
        return replace(self, project=False)

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        return multipliers_scheme(index_one_functions(coordinates, coordinates.b, t, y, p), self.project)


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
    n, m = c.v.numel(), len(c.rows)
    values = make_function("typical", c, {"M": c.mass, "C": c.jacobian})(t, y, p)
    mass, jacobian = np.array(values[0]).reshape(n, n), np.array(values[1]).reshape(m, n)
    # rows are compared where all conditions are lengths and all velocities parts of the size of the mechanism
    weights = np.array([row.weight for row in c.rows])[:, None]
    surplus = dependent_rows(weights * jacobian * c.kinematics.scale)
    kept = [i for i in range(m) if i not in surplus]
    rows = c.jacobian[kept, :] if kept else ca.SX(0, n)
    matrix = ca.vertcat(ca.horzcat(c.mass, rows.T), ca.horzcat(rows, ca.SX(len(kept), len(kept))))
    numbers = np.block([[mass, jacobian[kept].T], [jacobian[kept], np.zeros((len(kept), len(kept)))]])
    order = choose_order(numbers, np.array(ca.DM(matrix.sparsity(), 1), dtype=bool))
    if order is None:
        return None
    right = ca.vertcat(c.forces, -curvature[kept]) if kept else c.forces
    solution, pivots = solve_symmetric(matrix, right, order)
    typical = make_function("pivots", c, {"d": ca.vertcat(*pivots)})(t, y, p) if pivots else ca.DM(0, 1)
    health = ca.SX(1)
    for pivot, size in zip(pivots, np.abs(np.array(typical).ravel()), strict=True):
        if not pivot.is_constant():
            health = ca.fmin(health, ca.fabs(pivot) / size)
    outputs = {"rates": ca.vertcat(c.kinematics.rates, solution[:n], c.s_rates), "health": health}
    return make_function("accelerate", c, outputs)
