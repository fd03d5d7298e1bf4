"""Shortest least-squares solutions of A x = b for many samples of one pattern, with the components W x that are asked for.

One order of elimination serves all samples to which it suits: no entry of L is large, what is left behind the rank is
rounding error, and the inverse is so small that no singular value can be near what counts as zero. Samples to which it does
not suit get orders of their own. What no order settles, because the rank itself is in doubt, is left to singular values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.kernels.linear.least_norm import JUDGED, SampleMemory, solve_samples
from linkwork.numerics.loader import compiled
from linkwork.numerics.matrices.elimination import Elimination, Pattern, free_groups, plan_elimination

LISTS = (
    "steps",
    "lower",
    "lower_transposed",
    "upper",
    "upper_transposed",
    "left",
    "pivots",
)  # of a plan, as kernels take them
ORDERS = 8  # that are tried
STEEPEST = 1e3  # largest entry of L that is accepted
ROUNDING = 1e-12  # part of the norm of A that may be left behind the rank
LEFT_OPEN = 1e-10  # part of a right side that projections may leave in a direction that no x has
MARGIN = 0.01  # of the smallest singular value to what counts as zero
WORKING_SET = 64_000  # numbers of all lanes that elimination works on


@dataclass(frozen=True, eq=False)
class LeastNorm:
    """Of N samples: W x (N, nc), the lengths (N, nc) of the rows of W Z, the nullity (N), whether that is certain (N).

    condition: (N), about the largest singular value beside the smallest that counts
    """

    values: Array
    loose: Array
    nullity: NDArray[np.int64]
    certain: NDArray[np.bool_]
    condition: Array

    def take(self, places: NDArray[np.intp], part: LeastNorm) -> None:
        """Enter what is certain of a solution at some places."""
        for whole, own in zip(vars(self).values(), vars(part).values(), strict=True):
            whole[places[part.certain]] = own[part.certain]


@dataclass(eq=False)
class LeastNormSolver:
    """Solves all matrices of a pattern; the orders that it has found are kept."""

    pattern: Pattern
    orders: list[Order] = field(default_factory=list)

    def solve(self, samples: Array, zero: Array) -> LeastNorm:
        """From samples [A, b, W, ...] (N, width or more) and the part (N) of the norm of A that counts as zero."""
        found, tried = self._nothing(len(samples)), 0
        while not found.certain.all() and tried < ORDERS:
            left = np.flatnonzero(~found.certain)
            new = tried == len(self.orders)
            if new and not self._add(samples[left]):
                break
            part = self.orders[tried].solve(samples[left] if tried else samples, zero[left])
            tried += 1
            if tried == 1:
                found = part
            elif part.certain.any():
                found.take(left, part)
            elif new:
                break
        return found

    def null_spaces(self, samples: Array, zero: Array) -> tuple[Array, NDArray[np.bool_]]:
        """W Z (N, k, nc) by the first order, and where it is certain."""
        if not self.orders and not self._add(samples):
            return np.zeros((len(samples), 0, self.pattern.components)), np.zeros(len(samples), dtype=bool)
        found, free = self.orders[0].solve_all(samples, zero, free=True)
        return free, found.certain

    def _add(self, samples: Array) -> bool:
        """An order for one of the samples; none where all are without numbers."""
        first = len(samples) // 3  # away from symmetric positions, where motions like to begin and end
        known = samples[first:] if np.isfinite(samples[first]).all() else samples[np.isfinite(samples).all(axis=1)]
        if len(known):
            self.orders.append(Order(plan_elimination(self.pattern, known[0])))
        return bool(len(known))

    def _nothing(self, count: int) -> LeastNorm:
        values = np.zeros((count, self.pattern.components))
        none = np.zeros(count, dtype=bool)
        return LeastNorm(values, values.copy(), none.astype(np.int64), none, np.full(count, np.inf))


class Order:
    """One order of elimination with what its kernels work on."""

    def __init__(self, plan: Elimination) -> None:
        self.plan, self.pattern = plan, plan.pattern
        self.nullity = plan.pattern.shape[1] - plan.rank
        self.lanes = int(np.clip(WORKING_SET // max(plan.slots, 1) // 8 * 8, 8, 64))
        self._lay_out()

    def _lay_out(self) -> None:
        """Sizes, lists and places of the kernels; see `SampleMemory`."""
        plan, pattern, (n, m) = self.plan, self.pattern, self.pattern.shape
        size, weights = max(n, m), pattern.weight_rows.size
        columns = np.argsort(plan.column_order)[pattern.weight_columns]
        behind = plan.slots + np.argsort(plan.row_order), plan.slots + size + np.arange(weights)
        groups = list(free_groups(plan, columns))
        lists = {
            "places": np.concatenate([plan.places, *behind]),
            **{name: getattr(plan, name) for name in LISTS},
            "weights_at": np.column_stack([pattern.weight_rows, columns]),
            "groups": np.concatenate([np.zeros(0), *(group.listed for group in groups)]),
        }
        self._fixed: dict[str, Any] = {
            **{name: np.ascontiguousarray(item, dtype=np.int64) for name, item in lists.items()},
            "rows": n,
            "columns": m,
            "size": size,
            "rank": plan.rank,
            "lanes": self.lanes,
            "slots": plan.slots,
            "components": pattern.components,
            "width": pattern.width,
            "weights_count": weights,
            "left_count": plan.left.size,
            "lower_count": len(plan.lower),
            "upper_count": len(plan.upper),
            "groups_count": len(groups),
            "group_size": max((group.size for group in groups), default=0),
            "group_parts": max((group.parts for group in groups), default=0),
            "group_basis": max((group.size * group.nullity for group in groups), default=0),
        }

    def solve(self, samples: Array, zero: Array) -> LeastNorm:
        """The solutions of all samples, also of those to which the order does not suit."""
        return self.solve_all(samples, zero)[0]

    def solve_all(self, samples: Array, zero: Array, free: bool = False) -> tuple[LeastNorm, Array]:
        """The same with W Z (N, k, nc) where it is wanted."""
        data = np.ascontiguousarray(samples, dtype=np.float64)
        count, nc, nullity = len(data), self.pattern.components, self.nullity
        out, squares, told = np.empty((count, nc)), np.zeros((count, nc)), np.empty((count, JUDGED))
        basis = np.zeros((count, nullity, nc) if free else (0, nullity, nc))
        memory = SampleMemory(**self._fixed, stride=data.shape[1], told_free=int(free))
        compiled(solve_samples)(data, count, memory, out, squares, basis, told)
        norm, largest, rest, inverse, faintest, gap = told.T
        norm = np.sqrt(norm)
        with np.errstate(invalid="ignore"):
            condition = inverse * norm
            # pivots that are no question tell the rank of large systems, whose motions are soft though none is free
            clear = (condition * zero <= MARGIN) | (zero <= MARGIN * faintest)
            certain = (largest <= STEEPEST) & (rest <= ROUNDING * norm) & (gap <= LEFT_OPEN) & clear
        certain &= np.isfinite(out).all(axis=1)
        return LeastNorm(out, np.sqrt(squares), np.full(count, nullity), certain, condition), basis
