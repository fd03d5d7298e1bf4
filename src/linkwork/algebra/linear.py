"""Small linear systems as straight-line code that needs no luck with its pivots."""

from __future__ import annotations

import casadi as ca


def solve_linear(matrix: ca.SX, right: ca.SX) -> tuple[ca.SX, ca.SX]:
    """x (n × m) with *matrix* x = *right*, and the determinant.

    Up to three unknowns by Cramer's rule; beyond by elimination with partial pivoting, in which rows are exchanged by
    choosing between two values, so that the code has no branches.
    """
    n = matrix.shape[0]
    if n == 1:
        return right / matrix[0, 0], matrix[0, 0]
    if n == 2:
        a, b, c, d = matrix[0, 0], matrix[0, 1], matrix[1, 0], matrix[1, 1]
        determinant = a * d - b * c
        inverse = 1 / determinant
        first, second = right[0, :], right[1, :]
        return ca.vertcat((d * first - b * second) * inverse, (a * second - c * first) * inverse), determinant
    if n == 3:
        a, b, c = (matrix[:, i] for i in range(3))
        bc = ca.cross(b, c)
        determinant = ca.dot(a, bc)
        cofactors = ca.horzcat(bc, ca.cross(c, a), ca.cross(a, b)).T
        return cofactors @ right / determinant, determinant
    return _eliminate(matrix, right)


def _eliminate(matrix: ca.SX, right: ca.SX) -> tuple[ca.SX, ca.SX]:
    n, m = matrix.shape[0], right.shape[1]
    rows = [[matrix[i, j] for j in range(n)] + [right[i, j] for j in range(m)] for i in range(n)]
    determinant = ca.SX(1)
    for k in range(n):
        for i in range(k + 1, n):
            determinant = _order(rows, k, i, determinant)
        pivot = rows[k][k]
        determinant = determinant * pivot
        inverse = 1 / pivot
        for i in range(k + 1, n):
            if rows[i][k].is_zero():
                continue
            factor = rows[i][k] * inverse
            rows[i] = [
                *rows[i][: k + 1],
                *(x - factor * y for x, y in zip(rows[i][k + 1 :], rows[k][k + 1 :], strict=True)),
            ]
    for k in reversed(range(n)):
        solved = [sum((rows[k][j] * rows[j][n + c] for j in range(k + 1, n)), ca.SX(0)) for c in range(m)]
        rows[k] = rows[k][:n] + [(rows[k][n + c] - solved[c]) / rows[k][k] for c in range(m)]
    return ca.vertcat(*[ca.horzcat(*rows[k][n:]) for k in range(n)]), determinant


def _order(rows: list[list[ca.SX]], k: int, i: int, determinant: ca.SX) -> ca.SX:
    """Exchange rows k and i where the entry of row i in column k is the larger one; the determinant changes its sign."""
    if rows[i][k].is_zero():
        return determinant
    if rows[k][k].is_zero():
        rows[k], rows[i] = rows[i], rows[k]
        return -determinant
    larger = ca.fabs(rows[i][k]) > ca.fabs(rows[k][k])
    for j in range(k, len(rows[k])):
        upper, lower = rows[k][j], rows[i][j]
        if upper.is_zero() and lower.is_zero():
            continue
        rows[k][j], rows[i][j] = ca.if_else(larger, lower, upper), ca.if_else(larger, upper, lower)
    return ca.if_else(larger, -determinant, determinant)
