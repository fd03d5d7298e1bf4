"""Linear systems as straight-line code: small ones that need no luck with their pivots, symmetric ones in a given order."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

CRAMER = 3  # unknowns that are solved for by Cramer's rule


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


def linear_operations(n: int, m: int) -> int:
    """About how many operations `solve_linear` takes for n unknowns and m right sides, all full.

    Beyond Cramer's rule each entry below a pivot is chosen twice, by three operations, and then eliminated by two.
    """
    if n <= CRAMER:
        return n**3 + 2 * n**2 * m - n * m
    return 8 * sum((n - k - 1) * (n - k + m) for k in range(n)) + n**2 * m


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


# -- symmetric systems ---------------------------------------------------------------------------------------------------


def saddle_order(pattern: ca.Sparsity, first: int) -> list[tuple[int, ...]]:
    """An order of pivots for [[A, Bᵀ], [B, 0]] with a positive definite A, of size *first*, and independent rows B.

    A first, then the rows, whose pivots are those of −B A⁻¹ Bᵀ: all of them are as far from zero as the matrix is from
    singular ones, in whatever order. Of each part the one with the fewest neighbours comes first.
    """
    n, near = pattern.size1(), _neighbours(pattern)
    order: list[tuple[int, ...]] = []
    for left in (set(range(first)), set(range(first, n))):
        while left:
            best = min(left, key=lambda i: (len(near[i]), i))
            left.remove(best)
            order.append((best,))
            for i in near[best]:
                near[i] |= near[best] - {i}
                near[i].discard(best)
    return order


def eliminated_operations(pattern: ca.Sparsity, order: Sequence[tuple[int, ...]]) -> int:
    """How many sums, products and quotients `solve_symmetric` takes for one right side, of a full one, in an order."""
    near, total = _neighbours(pattern), 0
    for pivot in order:
        beyond, w = set().union(*(near[i] for i in pivot)).difference(pivot), len(pivot)
        d = len(beyond)
        total += w * d * (d + 1) + (4 * w * d + w if w == 1 else 6 * d + 4 * w * d + 9)
        for i in beyond:
            near[i] |= beyond - {i}
            near[i].difference_update(pivot)
    return total


def _neighbours(pattern: ca.Sparsity) -> list[set[int]]:
    """Which columns each row of a symmetric matrix has entries in, beside its own."""
    near: list[set[int]] = [set() for _ in range(pattern.size1())]
    for i, j in zip(*pattern.get_triplet(), strict=True):
        if i != j:
            near[i].add(j)
            near[j].add(i)
    return near


def mirrored(matrix: ca.SX) -> ca.SX:
    """A symmetric matrix whose lower half is that above."""
    return ca.triu2symm(ca.triu(matrix))


def solve_symmetric(matrix: ca.SX, right: ca.SX, order: Sequence[tuple[int, ...]]) -> tuple[ca.SX, list[ca.SX]]:
    """x (n × m) with *matrix* x = *right* by LDLᵀ in a fixed order of pivots, of one index or two, and the pivots
    (determinants of 2 × 2 ones).
    """
    n = matrix.shape[0]
    rows: list[dict[int, ca.SX]] = [{} for _ in range(n)]
    kept = ca.sparsify(matrix)
    for i, j in zip(*kept.sparsity().get_triplet(), strict=True):
        rows[i][j] = kept[i, j]
    x = [right[i, :] for i in range(n)]
    pivots: list[ca.SX] = []
    steps: list[tuple[_Block, dict[int, tuple[ca.SX, ...]]]] = []
    for indices in order:
        block = _Block(indices, rows)
        near = {j: None for i in indices for j in rows[i] if j not in indices}
        columns = {j: [rows[i].get(j, ca.SX(0)) for i in indices] for j in near}
        factors = {j: block.solve(column) for j, column in columns.items()}
        _subtract(rows, x, indices, columns, factors)
        pivots.append(block.determinant)
        steps.append((block, factors))
    for block, factors in reversed(steps):
        values = block.solve([x[i] for i in block.indices])
        for k, i in enumerate(block.indices):
            x[i] = values[k] - sum((factor[k] * x[j] for j, factor in factors.items()), ca.SX(1, 1))
    return (ca.vertcat(*x) if n else ca.SX(*right.shape)), pivots


def _subtract(
    rows: list[dict[int, ca.SX]],
    x: list[ca.SX],
    indices: tuple[int, ...],
    columns: dict[int, list[ca.SX]],
    factors: dict[int, tuple[ca.SX, ...]],
) -> None:
    """Subtract the pivot rows from all rows they touch: a_jl −= f_j·c_l."""
    for j, factor in factors.items():
        for k, i in enumerate(indices):
            x[j] = x[j] - factor[k] * x[i]
            rows[j].pop(i, None)
        for l, column in columns.items():
            if l >= j:
                change = sum((factor[k] * column[k] for k in range(len(indices))), ca.SX(1, 1))
                rows[j][l] = rows[l][j] = rows[j].get(l, ca.SX(0)) - change


class _Block:
    """A pivot of one or two indices."""

    def __init__(self, indices: tuple[int, ...], rows: list[dict[int, ca.SX]]) -> None:
        self.indices = indices
        i, j = indices[0], indices[-1]
        self._a, self._b, self._c = (rows[m].get(l, ca.SX(0)) for m, l in ((i, i), (i, j), (j, j)))
        self.determinant = self._a if len(indices) == 1 else self._a * self._c - self._b**2

    def solve(self, right: list[ca.SX]) -> tuple[ca.SX, ...]:
        """D⁻¹ r."""
        if len(self.indices) == 1:
            return (right[0] / self.determinant,)
        first, second = right
        return (
            (self._c * first - self._b * second) / self.determinant,
            (self._a * second - self._b * first) / self.determinant,
        )
