"""J = ∂ẏ/∂y of ``variations.py`` at many states of one motion, all at once.

The rows of C that are independent at the first state are taken at all of them; where they come near to depending on each
other on the way, each state chooses its own.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.equations.linear.variations import Array, Moment, VariationalEquations

WELL = 1e-5  # least singular value of the rows, each of length 1, that is safe


def jacobians_along(equations: VariationalEquations, t: Array, y: Array, p: Array) -> Array:
    """J (N, n, n) at times (N) and states (N, n)."""
    rows = equations.about(Moment(float(t[0]), y[0], p)).rows
    mass, forces, jacobian, b = _mapped(equations.terms, t, y, p)
    chosen = jacobian[:, rows]
    if not _are_well(chosen * equations.c.kinematics.scale):
        return np.array([equations.about(Moment(float(at), state, p)).jacobian for at, state in zip(t, y, strict=True)])
    nv, m, first = equations.c.v.numel(), len(rows), equations.c.q.numel()
    system = np.zeros((len(t), nv + m, nv + m))
    system[:, :nv, :nv], system[:, :nv, nv:], system[:, nv:, :nv] = mass, -chosen.transpose(0, 2, 1), chosen
    given = np.concatenate([forces[:, :, 0], -b[:, rows, 0]], axis=1)
    solved = np.linalg.solve(system, given[:, :, None])[:, :, 0]
    push = np.zeros((len(t), len(equations.c.rows)))
    push[:, rows] = solved[:, nv:]
    balance, _, ydot = _mapped(equations.variations, t, y, p, solved[:, :nv], push)[:3]
    kept = np.concatenate([np.arange(nv), nv + rows])
    found = ydot.copy()
    found[:, first : first + nv] = np.linalg.solve(system, -balance[:, kept])[:, :nv]
    return found


def _are_well(rows: Array) -> bool:
    """Whether rows (N, m, nv) are independent at all states."""
    if not rows.shape[1]:
        return True
    size = np.linalg.norm(rows, axis=2, keepdims=True)
    return bool(np.all(np.linalg.svd(rows / np.maximum(size, 1e-300), compute_uv=False)[:, -1] > WELL))


def _mapped(function: ca.Function, t: Array, y: Array, p: Array, *others: Array) -> list[Array]:
    """Outputs (N, rows, columns) of a function at N states."""
    count = len(t)
    given = [t[None, :], y.T, np.tile(p[:, None], count), *(item.T for item in others)]
    found = function.map(count).call([ca.DM(np.ascontiguousarray(item)) for item in given])
    shapes = [function.size_out(i) for i in range(function.n_out())]
    return [
        np.array(x).reshape(shape[0], count, shape[1]).transpose(1, 0, 2)
        for x, shape in zip(found, shapes, strict=True)
    ]
