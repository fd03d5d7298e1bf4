"""Leave out conditions that hold by themselves.

A second hinge on the axis of the first, a pin beside a weld, two parallel guides: the conditions of the joint that closes
such a loop vanish whatever the coordinates are. Written out they are not zero but rounding errors, of which no method
can tell the direction. They are recognised by their size at a few random states and random live parameters.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.coordinates.base import Array, ConstraintRow, Kinematics
from linkwork.position.geometry import Geometry

VOID = 1e-11  # largest entry of a row that is nothing but rounding errors, in dimensionless coordinates
SAMPLES = 3
LENGTHS = ("x", "y", "z", "position", "position_x", "position_y")


def effective_rows(geometry: Geometry, kinematics: Kinematics) -> tuple[ConstraintRow, ...]:
    """The conditions of the kinematics less those that say nothing."""
    k = kinematics
    if not k.rows or not k.v.numel():
        return k.rows
    phi = ca.vertcat(*[row.residual for row in k.rows])
    jacobian = ca.jacobian(ca.jtimes(phi, k.q, k.rates), k.v)
    rows, columns = map(np.array, jacobian.sparsity().get_triplet())
    f = ca.Function("rows", [k.q, k.v, geometry.parameters], [ca.densify(jacobian.nz[:])])
    rng, count = np.random.default_rng(0), len(geometry.defaults)
    weights, scale = np.array([row.weight for row in k.rows]) / k.length, np.broadcast_to(k.scale, k.v.numel())
    largest = np.zeros(len(k.rows))
    for _ in range(SAMPLES):
        p = geometry.defaults * rng.uniform(0.9, 1.1, count) + 0.01 * rng.normal(size=count)
        values = np.array(f(_random_positions(k, rng), 0, p)).ravel()
        if values.size:
            np.maximum.at(largest, rows, np.abs(values * scale[columns]) * weights[rows])
    # a row that is not a number there stays
    return tuple(row for row, size in zip(k.rows, largest, strict=True) if not size <= VOID)


def _random_positions(k: Kinematics, rng: np.random.Generator) -> Array:
    """Positions (nq) anywhere: lengths of the size of the mechanism, orientations on their manifolds."""
    q = rng.normal(size=k.q.numel())
    if k.retract is None:
        return q * k.scale
    for i, name in enumerate(k.q_names):
        if name.endswith(".chart"):
            q[i] = 0.0
        elif name.rsplit(".", 1)[-1] in LENGTHS:
            q[i] *= k.length
    settled = ca.Function("settled", [k.q, k.v], [ca.densify(k.retract)])
    return np.array(settled(q, np.zeros(k.v.numel()))).ravel()
