"""Minimal coordinates or multipliers, by the operations of one evaluation, counted before either is written.

M, h and C stand in both. Multipliers eliminate M and C together, in an order with little fill-in, and return the end of each
step to the conditions; along a tree they may do without M. Minimal coordinates solve C T = 0 group by group, then reduce M
to Tᵀ M T and eliminate that: the places of their entries say how many products there are. Their closed forms come on top.
"""

from __future__ import annotations

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.linear import eliminated_operations, linear_operations
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.relative import Relative
from linkwork.equations.recursion.loops import FEW, fewer_than_minimal
from linkwork.equations.saddle import Saddle
from linkwork.loops.closing import find_places
from linkwork.loops.triangular import block_triangular

LARGE = 400  # unknowns beyond which elimination is not written out, and there is nothing to count
PARTICULAR = 2  # solutions beside T, of velocities and of accelerations
LOOPED = 6  # operations of straight code that take as long as one in the loops of a kernel
STAGES = 12  # evaluations of a step, by the methods of high order that are taken by default


def by_multipliers(c: Coordinates, t: float, y: Array, p: Array) -> tuple[str, ...] | None:
    """Why multipliers take fewer operations, as far as their equations do not say it themselves; None: they do not.

    t, y, p: a typical state
    """
    if not c.rows or c.holonomic < len(c.rows) or c.topology.mobility.free <= FEW:
        return None
    if fewer_than_minimal(c, t, y, p):
        return ()
    if not isinstance(c.kind, Relative) or sum(c.jacobian.shape) > LARGE:
        return None
    saddle = Saddle.of(c, t, y, p)
    if saddle.order is None:
        return None
    own, others = saddle.operations + _returned(c, len(saddle.kept)), _reduced(c, saddle.kept)
    told = f"multipliers: behind M, h and C an evaluation takes about {own} operations, "
    if others is None:
        return (told + "and minimal coordinates have no plan here",)
    return (told + f"and minimal coordinates would take {others} and their closed forms",) if own < others else None


def _returned(c: Coordinates, rows: int) -> int:
    """Of the smallest correction at the end of a step, shared among its evaluations: C Cᵀ and its elimination."""
    return int(LOOPED * (rows**2 * c.v.numel() + rows**3 / 3) / STAGES)


def _reduced(c: Coordinates, kept: list[int]) -> int | None:
    """Of T, of M T and Tᵀ (M T), and of the elimination of what that leaves; None: no plan says what is independent."""
    places, inputs = find_places(c).velocities, c.topology.plan.inputs
    if any(key not in places for key in inputs):
        return None
    free = [places[key] for key in inputs]
    bound = [i for i in range(c.v.numel()) if i not in free]
    slopes, inertia = _pattern(c.jacobian[kept, :]), _pattern(c.mass)
    groups = block_triangular(slopes[:, bound]) if len(bound) == len(kept) else None
    if groups is None:
        return None
    basis, total = np.zeros((c.v.numel(), len(free)), bool), 0
    basis[free, range(len(free))] = True
    for rows, columns in groups:
        own = [bound[i] for i in columns]
        others: NDArray[np.bool_] = np.any(slopes[list(rows)], axis=0)
        others[own] = False
        reached = basis[others].any(axis=0)
        basis[own] = reached
        total += 2 * int(basis[others].sum()) + linear_operations(len(rows), int(reached.sum()) + PARTICULAR)
    solved = basis.copy()
    solved[free] = False  # ones are no factors
    total += 2 * int((inertia.astype(int) @ solved).sum())
    moved = inertia @ basis
    total += int((solved.astype(int).T @ moved).sum())  # of a half, products and sums
    left = _sparsity(basis.T @ moved)
    return total + eliminated_operations(left, [(i,) for i in range(len(free))])


def _pattern(matrix: ca.SX) -> NDArray[np.bool_]:
    found = np.zeros(matrix.shape, bool)
    found[tuple(matrix.sparsity().get_triplet())] = True
    return found


def _sparsity(pattern: NDArray[np.bool_]) -> ca.Sparsity:
    return ca.Sparsity.triplet(*pattern.shape, *(places.tolist() for places in np.nonzero(pattern)))
