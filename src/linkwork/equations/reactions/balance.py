"""Newton and Euler of all bodies as numbers, at a number of states, in forces alone: what the reactions are solved from.

Moments are divided by the size of the mechanism, so that all equations and all unknowns are forces and ranks can be told.
What counts as zero depends on how well the conditions hold: where loops are open by some error, nothing below it is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.equations.reactions.reactions import ReactionPlan
from linkwork.numerics.matrices.elimination import Pattern
from linkwork.numerics.matrices.least_norm import LeastNorm
from linkwork.numerics.matrices.long_rows import LongRows
from linkwork.numerics.matrices.sparse_rows import SparseRows
from linkwork.numerics.policy import POLICY

Flags = NDArray[np.bool_]

DRIFT = 10.0  # errors of the conditions below which singular values are zero too
MANY = 300  # unknowns, above which elimination decides what it can before singular values do
OPEN = 1e-7  # a component is open when it changes by more than this part of an unknown


@dataclass(frozen=True, eq=False)
class BodyInertia:
    """Of N states: inertia M (N, n, n), velocities J (N, n, nv) of the bodies by those of the mechanism, C (N, m, nv), b
    (N, m), the size of each of v (nv), and r (N, n) for other accelerations v̇ (N, nv)."""

    mass: Array
    velocities: Array
    jacobian: Array
    bias: Array
    scale: Array
    right: Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Balance:
    """G f = r of N states, with components W f: G (N, n, nf), r (N, n), W (N, nc, nf)."""

    plan: ReactionPlan
    time: Array
    matrix: Array
    right: Array
    world: Array
    error: Array  # (N,) of the conditions, relative
    inertia: Callable[[], BodyInertia]
    evaluate: Callable[[ca.Function], Mapping[str, Array]]  # other functions of the plan at the same states

    @cached_property
    def tolerance(self) -> Array:
        """(N,) what counts as zero."""
        return relative_zero(self.error) * self._factors[1].max(axis=-1, initial=1e-300)

    @cached_property
    def _factors(self) -> tuple[Array, Array, Array]:
        u, sizes, vt = np.linalg.svd(self.matrix)
        return u, sizes, vt

    @cached_property
    def least(self) -> Array:
        """f (N, nf) of least norm."""
        u, sizes, vt = self._factors
        k = sizes.shape[-1]
        kept = sizes > self.tolerance[:, None]
        along = np.einsum("nij,ni->nj", u[:, :, :k], self.right)
        return np.einsum("nij,ni->nj", vt[:, :k], np.divide(along, sizes, out=np.zeros_like(along), where=kept))

    @cached_property
    def open(self) -> Flags:
        """(N, nc): components that change with the solution, W z ≠ 0 for some z with G z = 0."""
        _, sizes, vt = self._factors
        nf = vt.shape[-1]
        rank = np.sum(sizes > self.tolerance[:, None], axis=-1)
        free = np.arange(nf) >= rank[:, None]  # (N, nf)
        moved = np.abs(self.world @ vt.swapaxes(-1, -2)) * free[:, None, :]
        return np.asarray(moved.max(axis=-1, initial=0.0) > OPEN)

    @cached_property
    def elements(self) -> Mapping[str, tuple[list[int], list[int]]]:
        """The places of every element among the pushes, and among the components."""
        pushes, components = self.plan.pushers, self.plan.components
        return {
            name: (
                [i for i, pusher in enumerate(pushes) if pusher == name],
                [i for i, (element, _) in enumerate(components) if element == name],
            )
            for name in dict.fromkeys(pushes)
        }

    def rows_of(self, body: str) -> list[int]:
        """The places of the equations of a body."""
        k = self.plan.coordinates.space.freedoms
        start = list(self.plan.coordinates.geometry.bodies).index(body) * k
        return list(range(start, start + k))


def relative_zero(error: Array) -> Array:
    """What counts as zero beside the largest singular value, for conditions that hold up to a relative *error*."""
    return np.maximum(POLICY.rank, DRIFT * error)


def open_components(found: LeastNorm) -> tuple[Flags, Flags]:
    """Components (N, nc) that change with the solution; samples (N) at which that depends on the choice of a basis."""
    if not found.nullity.any():
        return np.zeros(found.loose.shape, dtype=bool), np.zeros(len(found.loose), dtype=bool)
    loose = found.loose > OPEN
    unclear = loose & (found.loose <= OPEN * np.sqrt(found.nullity)[:, None])
    return loose, np.asarray(unclear.any(axis=1))


def decided(pattern: Pattern, sample: Array, zero: float) -> tuple[Array, Flags]:
    """The components (nc) of least norm of one sample of a pattern, and which are open, where elimination leaves doubt.

    zero: part of the largest singular value that counts as none
    """
    matrix, right, weights = pattern.parts(sample)
    if not np.isfinite(sample).all():
        return np.full(pattern.components, np.nan), np.zeros(pattern.components, dtype=bool)
    if matrix.width > MANY:
        largest = _largest(matrix)
        rows = SparseRows(matrix.with_values(matrix.values / largest), right / largest)
        rank = rows.clear + int(np.sum(rows.sizes > zero))
        x, free = rows.solution(zero), rows.null_space(rank)
    else:
        u, sizes, vt = np.linalg.svd(np.asarray(matrix))
        rank = int(np.sum(sizes > zero * sizes.max(initial=1e-300)))
        x, free = (u[:, :rank].T @ right / sizes[:rank]) @ vt[:rank], vt[rank:].T
    values, moved = np.zeros(pattern.components), np.zeros((pattern.components, free.shape[1]))
    np.add.at(values, pattern.weight_rows, weights * x[pattern.weight_columns])
    np.add.at(moved, pattern.weight_rows, weights[:, None] * free[pattern.weight_columns])
    return values, np.asarray(np.abs(moved).max(axis=1, initial=0.0) > OPEN)


def _largest(matrix: LongRows) -> float:
    """About the largest singular value: what all rows and columns add up to bounds it."""
    sizes = np.abs(matrix.values)
    rows, columns = (np.bincount(places, sizes) for places in (matrix.owners, matrix.columns))
    return float(np.sqrt(rows.max(initial=0.0) * columns.max(initial=0.0))) or 1.0


def scaled_balance(
    plan: ReactionPlan,
    time: Array,
    parts: Mapping[str, Array],
    inertia: Callable[[], BodyInertia],
    evaluate: Callable[[ca.Function], Mapping[str, Array]],
) -> Balance:
    """The balance from the outputs of ``ReactionPlan.function`` at some times."""
    straight = Balance(
        plan=plan,
        time=time,
        matrix=plan.sizes[:, None] * parts["G"] * plan.scale,
        right=plan.sizes * parts["r"][..., 0],
        world=parts["W"] * plan.scale,
        error=parts["e"][..., 0, 0],
        inertia=inertia,
        evaluate=evaluate,
    )
    if not plan.leaning:
        return straight
    # (G + A σ) f = r with the signs σ of f, which A does not change
    sizes = plan.scale * np.sign(straight.least)[:, None, :]
    matrix = straight.matrix + plan.sizes[:, None] * parts["A"] * sizes
    return replace(straight, matrix=matrix, world=straight.world + parts["V"] * sizes)


def scaled_inertia(plan: ReactionPlan, parts: Mapping[str, Array], right: Callable[[Array], Array]) -> BodyInertia:
    """The inertia of the bodies from the outputs of ``ReactionPlan.inertia``; *right*: r of given v̇."""
    sizes = plan.sizes
    return BodyInertia(
        mass=sizes[:, None] * parts["M"] * sizes,
        velocities=parts["J"] / sizes[:, None],
        jacobian=parts["C"],
        bias=parts["b"][..., 0],
        scale=plan.coordinates.kinematics.scale,
        right=lambda vdot: sizes * right(vdot),
    )
