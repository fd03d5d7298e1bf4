"""Symmetric elimination written out as straight-line code: A x = r by LDLᵀ with a fixed order of pivots.

The order is chosen once, from the numbers of a typical state: the pivot must be large enough within its row, and among
those that are, the one with the fewest neighbours comes first (little fill-in). A multiplier has no pivot of its own
before one of the coordinates it acts on has been eliminated, so the order is that of a saddle-point system by itself.
Straight-line code cannot pivot at run time; it reports its smallest pivot, relative to that of the typical state.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

THRESHOLDS = (0.05, 0.01, 0.001)  # a pivot must be at least this fraction of the largest entry of its row
SMALLEST = 1e-9  # relative size under which a matrix counts as singular in this order


def choose_order(matrix: Array, pattern: NDArray[np.bool_]) -> list[int] | None:
    """The order of pivots for a symmetric matrix (n × n) with the given pattern of non-zeros; None if there is none."""
    scale = _equilibrate(matrix)
    work = matrix * np.outer(scale, scale)
    orders = (_order(work.copy(), pattern | (np.abs(work) > 0), threshold) for threshold in THRESHOLDS)
    return next((order for order in orders if order is not None), None)


def _order(work: Array, graph: NDArray[np.bool_], threshold: float) -> list[int] | None:
    left = list(range(len(work)))
    order: list[int] = []
    while left:
        best = _best_pivot(work, graph, left, threshold)
        if best is None:
            return None
        order.append(best)
        left.remove(best)
        near = [i for i in left if graph[i, best]]
        column = work[left, best]
        work[np.ix_(left, left)] -= np.outer(column, column) / work[best, best]
        graph[np.ix_(near, near)] = True
    return order


def _best_pivot(work: Array, graph: NDArray[np.bool_], left: list[int], threshold: float) -> int | None:
    candidates = []
    for i in left:
        row = np.abs(work[i, left])
        pivot = abs(work[i, i])
        if pivot > max(threshold * float(row.max()), SMALLEST):
            candidates.append((int(graph[i, left].sum()), -pivot, i))
    return min(candidates)[2] if candidates else None


def _equilibrate(matrix: Array) -> Array:
    scale = np.ones(len(matrix))
    for _ in range(6):
        size = np.max(np.abs(matrix * np.outer(scale, scale)), axis=1, initial=0.0)
        scale /= np.sqrt(np.where(size > 0, size, 1.0))
    return scale


def solve_symmetric(matrix: ca.SX, right: ca.SX, order: Sequence[int]) -> tuple[ca.SX, list[ca.SX]]:
    """x and the pivots, for a symmetric SX matrix (n × n) and right-hand side (n)."""
    n = len(order)
    place = {index: k for k, index in enumerate(order)}
    rows: list[dict[int, ca.SX]] = [{} for _ in range(n)]
    for i in range(n):
        for j in range(n):
            entry = matrix[i, j]
            if place[j] >= place[i] and not entry.is_zero():
                rows[place[i]][place[j]] = entry
    x = [right[index] for index in order]
    pivots: list[ca.SX] = []
    for k in range(n):
        pivot = rows[k].pop(k)
        pivots.append(pivot)
        factors = {j: entry / pivot for j, entry in rows[k].items()}
        for j, factor in factors.items():
            x[j] = x[j] - factor * x[k]
            for l, entry in rows[k].items():
                if l >= j:
                    rows[j][l] = rows[j].get(l, ca.SX(0)) - factor * entry
        rows[k] = factors
    for k in reversed(range(n)):
        x[k] = x[k] / pivots[k]
        for j, factor in rows[k].items():
            x[k] = x[k] - factor * x[j]
    solution = ca.vertcat(*[x[place[i]] for i in range(n)]) if n else ca.SX(0, 1)
    return solution, pivots
