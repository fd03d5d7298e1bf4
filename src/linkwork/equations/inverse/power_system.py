"""Efforts of motors and multipliers of the conditions in one system, in few entries, for many samples.

    [Cᵀ  ∂h/∂u] [λ; u] = e

Elimination of λ leaves Nᵀ ∂h/∂u u = Nᵀ e with the motions N that the conditions allow: virtual power (García de Jalón and
Bayo, section 6.2.5). All velocities and conditions count in metres, so that ranks can be told.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.motors import Motor
from linkwork.equations.terms import make_function
from linkwork.numerics.matrices.elimination import Pattern
from linkwork.numerics.matrices.least_norm import LeastNormSolver


@dataclass(frozen=True, eq=False)
class PowerSystem:
    """The function (t, [y, v̇], p) → entries of the matrix, right side and sizes of the efforts; and what solves it for u.

    Without a solver the function gives u.
    """

    function: ca.Function
    solver: LeastNormSolver | None


def write_power_system(
    name: str, c: Coordinates, motors: tuple[Motor, ...], u: ca.SX, terms: tuple[ca.SX, ca.SX]
) -> PowerSystem:
    """Of a mechanism whose forces contain the efforts u of motors; *terms*: e, and the v̇ that it contains."""
    (needed, vdot), length = terms, c.kinematics.length
    sizes = np.array([length if motor.turns(c) else 1.0 for motor in motors])
    scale = ca.SX(c.kinematics.scale / length)
    conditions = c.jacobian.T @ ca.diag(ca.SX([row.weight for row in c.rows]))
    pushes = ca.jacobian(c.forces, u) @ ca.diag(ca.SX(sizes))
    matrix = ca.sparsify(ca.diag(scale) @ ca.horzcat(conditions, pushes))
    entries = ca.cse(ca.vertcat(ca.vec(matrix.nz[:]), ca.densify(scale * needed), ca.SX(sizes)))
    rows, columns = (np.array(places, dtype=np.int64) for places in matrix.sparsity().get_triplet())
    own = np.arange(len(motors))
    pattern = Pattern(matrix.shape, rows, columns, own.size, own, len(c.rows) + own)
    return PowerSystem(make_function(name, c, {"entries": entries}, vdot), LeastNormSolver(pattern))
