"""Linear complementarity: 0 ≤ z ⊥ M z + q ≥ 0 by Lemke's method, boxes by Dantzig's, and all solutions of small problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.kernels.complementarity import dantzig, lemke
from linkwork.numerics.kernels.complementarity.dantzig import BoxProblem, run_dantzig
from linkwork.numerics.kernels.complementarity.lemke import LinearProblem, run_lemke
from linkwork.numerics.loader import compiled

MOST = 16  # unknowns whose combinations are all tried
ROUNDS = 4  # of making rows and columns of size one
CERTAIN = 1e-9  # part of the terms of a sum that it may have the wrong sign by
EVEN = 1e-9  # of the largest entry, by which a symmetric matrix may differ from its transpose

SOLVED, INFEASIBLE, RAY, LIMIT, UNBOUNDED = (
    "solved",
    "no solution: no z ≥ 0 has M z + q ≥ 0",
    "none found: the pivots end in a ray, and the matrix is not one of which that tells",
    "not solved: the pivots have come to their end",
    "no solution: w of a row stays on the wrong side whatever x is",
)


@dataclass(frozen=True, eq=False)
class LinearSolution:
    """z (n), w = M z + q (n), what became of it in words, and how many pivots that took.

    ray: y ≥ 0 with Mᵀy ≤ 0 and qᵀy < 0, where there is no solution
    """

    z: Array
    w: Array
    status: str
    pivots: int
    ray: Array | None = None

    @property
    def solved(self) -> bool:
        return self.status == SOLVED

    @property
    def residual(self) -> float:
        """The largest |min(z, w)|, which is zero for a solution; in whatever units z and w are."""
        return float(np.max(np.abs(np.minimum(self.z, self.w)), initial=0.0))


def _square(matrix: ArrayLike, right: ArrayLike) -> tuple[Array, Array]:
    a, b = np.array(matrix, dtype=float), np.array(right, dtype=float)
    if b.ndim != 1 or a.shape != (b.size, b.size):
        raise RefusedError(f"the matrix is {a.shape} and the vector {b.shape}; n × n and n are wanted")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise RefusedError("matrix and vector have entries that are no numbers")
    return a, b


def solve_linear(matrix: ArrayLike, q: ArrayLike, limit: int | None = None) -> LinearSolution:
    """Lemke's method for any M (n × n), with rows and columns of size one; limit: pivots, by default 50 n + 1000."""
    m, right = _square(matrix, q)
    rows, columns = _sizes(m)
    scaled = m * np.outer(rows, columns)
    size = float(np.max(np.abs(rows * right), initial=0.0)) or 1.0
    most = 50 * right.size + 1000 if limit is None else limit
    problem = LinearProblem(
        n=right.size, limit=most, matrix=np.ascontiguousarray(scaled).reshape(-1), q=rows * right / size
    )
    code = compiled(run_lemke)(problem)
    z = columns * problem.z * (size if code == lemke.SOLVED else 1.0)
    if code == lemke.RAY:
        return _told_ray(m, right, (columns * problem.z, rows * problem.z), problem.pivots)
    return LinearSolution(z, m @ z + right, SOLVED if code == lemke.SOLVED else LIMIT, problem.pivots)


def _sizes(m: Array) -> tuple[Array, Array]:
    """Factors of rows and columns that make both of size one, and symmetric matrices symmetric ones."""
    rows, columns = np.ones(len(m)), np.ones(len(m))
    for _ in range(ROUNDS):
        left = np.abs(m) * np.outer(rows, columns)
        for factors, axis in ((rows, 1), (columns, 0)):
            size = np.max(left, axis=axis, initial=0.0)
            factors /= np.sqrt(np.where(size > 0.0, size, 1.0))
    return rows, columns


def _told_ray(m: Array, q: Array, directions: Sequence[Array], pivots: int) -> LinearSolution:
    """Whether a ray says that there is no solution: one of its directions, in units of w, does."""
    for y in directions:
        along = m.T @ y
        if np.all(along <= CERTAIN * (np.abs(m.T) @ y)) and q @ y < -CERTAIN * (np.abs(q) @ y):
            return LinearSolution(np.zeros_like(q), q.copy(), INFEASIBLE, pivots, y)
    return LinearSolution(np.zeros_like(q), q.copy(), RAY, pivots)


def all_solutions(matrix: ArrayLike, q: ArrayLike) -> list[Array]:
    """Every z with z ≥ 0 ⊥ M z + q ≥ 0 whose rows with z > 0 are independent, of at most 16 unknowns.

    Sliding that jams has none or two (P. Painlevé 1895): a solver that gives one of them does not say so.
    """
    m, right = _square(matrix, q)
    if right.size > MOST:
        raise RefusedError(f"{right.size} unknowns; all combinations are tried of at most {MOST}")
    found: list[Array] = []
    for z in _candidates(m, right):
        near = CERTAIN * (np.abs(m) @ np.abs(z) + np.abs(right))
        size = CERTAIN * np.max(np.abs(z), initial=0.0)
        if np.all(z >= -size) and np.all(m @ z + right >= -near):
            z = np.maximum(z, 0.0)
            if not any(np.allclose(z, other, rtol=CERTAIN, atol=size) for other in found):
                found.append(z)
    return found


def _candidates(m: Array, q: Array) -> Iterator[Array]:
    """z of all combinations of rows."""
    for chosen in product((False, True), repeat=q.size):
        own, z = np.flatnonzero(chosen), np.zeros(q.size)
        block = m[np.ix_(own, own)]
        if own.size:
            size = np.linalg.norm(block, axis=1, keepdims=True)
            if np.linalg.matrix_rank(block / np.where(size > 0.0, size, 1.0)) < own.size:
                continue
            z[own] = np.linalg.solve(block, -q[own])
        yield z


@dataclass(frozen=True, eq=False)
class BoxSolution:
    """x (n), w = A x + b (n), the bounds (n) that hold, what became of it, changes of sides and passes of friction.

    compliance: part of the diagonal that was added because A is singular
    """

    x: Array
    w: Array
    lo: Array
    hi: Array
    status: str
    steps: int
    passes: int
    compliance: float

    @property
    def solved(self) -> bool:
        return self.status == SOLVED


def solve_box(
    matrix: ArrayLike,
    b: ArrayLike,
    lo: ArrayLike = 0.0,
    hi: ArrayLike = np.inf,
    *,
    friction: tuple[Sequence[int], ArrayLike] | None = None,
    passes: int = 100,
) -> BoxSolution:
    """Dantzig's method for w = A x + b with lo ≤ x ≤ hi; A is symmetric and positive semi-definite.

    friction: for every row the row of its normal force or -1, and μ: its bounds are ± μ x of that row. Each direction by
    itself: a box, not a cone. One pass takes the bounds that frictionless contacts have, as game engines do.
    """
    a, right = _square(matrix, b)
    n = right.size
    if np.max(np.abs(a - a.T), initial=0.0) > EVEN * np.max(np.abs(a), initial=0.0):
        raise RefusedError("Dantzig's method takes a symmetric matrix; solve_linear takes any")
    low, high = (np.broadcast_to(np.asarray(x, dtype=float), n).copy() for x in (lo, hi))
    if np.any(low > high) or np.any(np.isnan(low) | np.isnan(high)):
        raise RefusedError("a lower bound is above its upper one")
    normal, mu = np.full(n, -1, dtype=np.int64), np.zeros(n)
    if friction is not None:
        normal[:], mu[:] = np.asarray(friction[0]), np.asarray(friction[1])
        low[normal >= 0], high[normal >= 0] = 0.0, 0.0
    # x begins at the point of the box next to zero
    begin = np.clip(0.0, low, high)
    problem = BoxProblem(
        n=n,
        passes=passes + 1 if friction is not None else 1,
        given=a.reshape(-1),
        b=right + a @ begin,
        lo=np.clip(low - begin, -2 * dantzig.FAR, 0.0),
        hi=np.clip(high - begin, 0.0, 2 * dantzig.FAR),
        mu=mu,
        normal=normal,
    )
    code = compiled(run_dantzig)(problem)
    words = {dantzig.SOLVED: SOLVED, dantzig.LIMIT: LIMIT, dantzig.UNBOUNDED: UNBOUNDED}
    x = problem.x + begin
    bounds = np.where(normal >= 0, problem.hi, 0.0)
    low, high = np.where(normal >= 0, -bounds, low), np.where(normal >= 0, bounds, high)
    return BoxSolution(x, a @ x + right, low, high, words[code], problem.steps, problem.done, problem.compliance)
