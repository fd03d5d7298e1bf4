"""Forces of contacts that push and rub: the problem, what its answers are worth, and how kernels see it.

    K ∋ f  ⊥  u + c ∈ K*,   u = A f + b,   |f_t| ≤ μ f_n

f: forces, impulses or whatever; u: speeds or accelerations, those of contact points, the normal first. The law is
Coulomb's with c_n = μ |u_t|, or with c = 0 the associated one: a convex problem, of which contacts that slide part
with u_n = μ |u_t|.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.arrays import Array
from linkwork.errors import RefusedError, did_you_mean
from linkwork.numerics.kernels.complementarity.cones import CONVEX, COULOMB, FREE, ROUNDING, WIDEST, ConeProblem

LAWS = {"coulomb": COULOMB, "convex": CONVEX}
STEEPEST = 1e8  # μ: nothing is known of larger ones in sixteen digits
LEAST = 1e-290  # bound of a force
EVEN = 1e-9  # of the largest entry, by which A may differ from its transpose


def law_number(law: str) -> int:
    """That of a law as kernels know it."""
    if law not in LAWS:
        raise RefusedError(f"law = '{law}'; {did_you_mean(law, list(LAWS))}")
    return LAWS[law]


def within(most: float) -> float:
    """In the place of μ: forces |f| ≤ most of any direction, and u = 0 or against them: dry friction of a known load."""
    if not 0.0 <= most < -FREE:
        raise RefusedError(f"within({most:g}): a bound of forces is not negative")
    return -max(most, LEAST)


def project_cones(problem: ContactProblem, x: Array) -> Array:
    """The nearest point of K (m)."""
    out, tail = x.copy(), problem.tails
    slip = np.sqrt(np.bincount(problem.contact_of, np.where(tail, x**2, 0.0), problem.count))
    n, mu = x[problem.first[:-1]], np.maximum(problem.mu, 0.0)
    inside, outside = slip <= mu * n, mu * slip <= -n
    pushed = np.where(inside, n, np.where(outside, 0.0, (n + mu * slip) / (1.0 + mu**2)))
    factor = np.where(inside, 1.0, mu * pushed / np.where(slip > 0.0, slip, 1.0))
    out[tail] *= factor[problem.contact_of][tail]
    out[problem.first[:-1]] = pushed
    # balls, infinite ones among them
    length = np.sqrt(np.bincount(problem.contact_of, x**2, problem.count))
    outer = (problem.mu < 0.0) & (length > -problem.mu)
    share = np.where(outer, -problem.mu, 1.0) / np.where(outer, length, 1.0)
    return np.where((problem.mu < 0.0)[problem.contact_of], share[problem.contact_of] * x, out)


@dataclass(frozen=True)
class Misfit:
    """What is wrong with an answer.

    residual: the largest |f − P(f − ρ (u + c))| / ρ of a contact, in units of u, and not less than its rounding errors
    gap: |f · (u + c)|, in units of f u; of forces within bounds |f · u + h |u||
    sinking: the largest −u_n, in units of u
    """

    residual: float
    gap: float
    sinking: float


@dataclass(frozen=True, eq=False)
class ContactProblem:
    """A (m × m) in blocks of contacts, b (m), μ (n; FREE: u = 0; −h: |f| ≤ h), the rows (n) of every contact: 1, 2 or 3.

    starts (n + 1), columns: blocks of A by contacts; matrix: their numbers, each block by rows, from its place on
    """

    b: Array
    mu: Array
    sizes: NDArray[np.int64]
    starts: NDArray[np.int64]
    columns: NDArray[np.int64]
    places: NDArray[np.int64]
    matrix: Array

    @classmethod
    def of(cls, matrix: Any, b: ArrayLike, mu: ArrayLike, sizes: int | Sequence[int] = 3) -> ContactProblem:
        """From A, dense or of SciPy's sparse kinds. mu: FREE of those without a cone, within(h) where |f| ≤ h."""
        right = np.ascontiguousarray(b, dtype=float)
        wide = isinstance(sizes, int)
        own = np.full(right.size // sizes, sizes) if isinstance(sizes, int) else np.asarray(sizes)
        own = own.astype(np.int64)
        rub = np.broadcast_to(np.asarray(mu, dtype=float), own.shape).copy()
        if own.sum() != right.size or (own.size and not (own.min() >= 1 and own.max() <= WIDEST)):
            told = f"{sizes} each" if wide else f"{own.sum()} in all"
            raise RefusedError(f"b has {right.size} rows, contacts have {told}: 1, 2 or {WIDEST} for every contact")
        if not np.all((rub < 0.0) & (rub >= FREE) | (rub >= 0.0) & (rub <= STEEPEST)):
            raise RefusedError(f"mu = {rub.min():g} ... {rub.max():g}; coefficients of friction are 0 to {STEEPEST:g}")
        problem = cls(right, rub, own, *_blocks(matrix, own))
        if not (np.isfinite(problem.matrix).all() and np.isfinite(right).all()):
            raise RefusedError("A and b have entries that are no numbers")
        return problem

    @classmethod
    def largest(cls, count: int, size: int = 3) -> ContactProblem:
        """So many contacts, each of which knows all others: records that are made for it serve all smaller problems."""
        return cls.within_reach(count, count, size)

    @classmethod
    def within_reach(cls, count: int, reach: int, size: int = 3) -> ContactProblem:
        """So many contacts, each of which knows so many before and behind it: room for all problems with such a band."""
        own = np.arange(count)
        first, last = np.maximum(own - reach, 0), np.minimum(own + reach + 1, count)
        widths = last - first
        starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        columns = np.arange(starts[-1]) - np.repeat(starts[:-1] - first, widths)
        square, numbers = int(starts[-1]), size * size
        sizes, mu, b = np.full(count, size), np.zeros(count), np.zeros(count * size)
        return cls(b, mu, sizes, starts, columns, numbers * np.arange(square), np.zeros(square * numbers))

    @property
    def count(self) -> int:
        """Contacts."""
        return self.sizes.size

    @property
    def bounded(self) -> bool:
        """Whether there are forces within bounds."""
        return bool(np.any((self.mu < 0.0) & (self.mu > FREE)))

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """First row of each contact, and what follows the last."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    @cached_property
    def contact_of(self) -> NDArray[np.int64]:
        """The contact of each row."""
        return np.repeat(np.arange(self.count), self.sizes)

    @cached_property
    def tails(self) -> NDArray[np.bool_]:
        """Which rows are tangential."""
        found = np.ones(self.b.size, dtype=bool)
        found[self.first[:-1]] = False
        return found

    @cached_property
    def own(self) -> NDArray[np.int64]:
        """The places of the blocks of contacts with themselves."""
        of = np.repeat(np.arange(self.count), np.diff(self.starts))
        return np.ascontiguousarray(self.places[of == self.columns])

    @cached_property
    def entries(self) -> Any:
        """A as SciPy's rows of entries."""
        from scipy.sparse import csr_array

        of = np.repeat(np.arange(self.count), np.diff(self.starts))
        heights, widths = self.sizes[of], self.sizes[self.columns]
        lengths = heights * widths
        block = np.repeat(np.arange(of.size), lengths)
        within = np.arange(lengths.sum()) - np.repeat(self.places, lengths)
        rows = self.first[of][block] + within // widths[block]
        columns = self.first[self.columns][block] + within % widths[block]
        return csr_array((self.matrix, (rows, columns)), shape=(self.b.size, self.b.size))

    @cached_property
    def weights(self) -> Array:
        """The largest sum of a row of magnitudes of each contact's own block: the inverse of ρ."""
        found = np.zeros(self.count)
        for size in np.unique(self.sizes):
            some = np.flatnonzero(self.sizes == size)
            blocks = self.matrix[self.own[some][:, None] + np.arange(size * size)].reshape(-1, size, size)
            found[some] = np.abs(blocks).sum(axis=2).max(axis=1)
        return np.where(found > 0.0, found, 1.0)

    @property
    def size(self) -> float:
        """The largest |b|: what residuals are compared with."""
        return float(np.max(np.abs(self.b), initial=0.0))

    def speeds(self, f: Array) -> Array:
        """u (m)"""
        return np.asarray(self.entries @ f + self.b)

    def slips(self, u: Array) -> Array:
        """|u_t| (n)"""
        return np.sqrt(np.bincount(self.contact_of, np.where(self.tails, u**2, 0.0), self.count))

    def misfit(self, f: Array, law: str = "coulomb") -> Misfit:
        """How far f is from an answer."""
        u = self.speeds(f)
        sinking = float(np.max(-u[self.first[:-1]][self.mu >= 0.0], initial=0.0))
        if law_number(law) == COULOMB:
            u[self.first[:-1]] += np.maximum(self.mu, 0.0) * self.slips(u)
        weight = self.weights[self.contact_of]
        apart = weight * (f - project_cones(self, f - u / weight))
        rounding = ROUNDING * weight * f
        square = max(np.max(np.bincount(self.contact_of, x**2, self.count), initial=0.0) for x in (apart, rounding))
        # a ball takes h |u| out of the motion
        balls = np.where((self.mu < 0.0) & (self.mu > FREE), -self.mu, 0.0)
        gap = float(f @ u + balls @ np.sqrt(np.bincount(self.contact_of, u**2, self.count)))
        return Misfit(float(np.sqrt(square)), abs(gap), sinking)

    def softened(self, share: float) -> ContactProblem:
        """The same with a compliance of so much of the mean diagonal of each contact's own block: r f is added to u."""
        matrix = self.matrix.copy()
        for i, size in enumerate(self.sizes):
            diagonal = self.own[i] + np.arange(size) * (size + 1)
            matrix[diagonal] += share * matrix[diagonal].mean()
        return replace(self, matrix=matrix)

    def record(self, law: str = "coulomb") -> ConeProblem:
        """The problem as kernels see it."""
        return ConeProblem(
            count=self.count,
            rows=self.b.size,
            blocks=self.columns.size,
            numbers=self.matrix.size,
            law=law_number(law),
            first=self.first,
            starts=self.starts,
            columns=self.columns,
            places=self.places,
            own=self.own,
            matrix=self.matrix,
            right=self.b,
            mu=self.mu,
        )


def _blocks(matrix: Any, sizes: NDArray[np.int64]) -> tuple[Any, ...]:
    """Starts, columns, places and numbers of the blocks of A that are not zero, and of all on the diagonal."""
    from scipy.sparse import coo_array

    found = coo_array(matrix)
    rows, columns = (np.asarray(x, dtype=np.int64) for x in found.coords)
    count, m = sizes.size, int(sizes.sum())
    if found.shape != (m, m):
        raise RefusedError(f"A is {found.shape[0]} × {found.shape[1]}; contacts have {m} rows")
    apart = abs(found - found.T).max() if found.nnz else 0.0
    if apart > EVEN * np.max(np.abs(found.data), initial=0.0):
        raise RefusedError(f"A differs from its transpose by {apart:g}; A = J M⁻¹ Jᵀ of contacts is symmetric")
    first = np.concatenate([[0], np.cumsum(sizes)])
    of = np.repeat(np.arange(count), sizes)
    own = np.arange(count)
    keys, inverse = np.unique(np.concatenate([of[rows] * count + of[columns], own * count + own]), return_inverse=True)
    above, beside = (keys // count, keys % count) if count else (keys, keys)
    lengths = sizes[above] * sizes[beside]
    places = (np.cumsum(lengths) - lengths).astype(np.int64)
    block = inverse[: rows.size]
    at = places[block] + (rows - first[above[block]]) * sizes[beside[block]] + columns - first[beside[block]]
    numbers = np.bincount(at, found.data, int(lengths.sum())) if rows.size else np.zeros(int(lengths.sum()))
    starts = np.searchsorted(above, np.arange(count + 1)).astype(np.int64)
    return starts, beside.astype(np.int64), places, np.ascontiguousarray(numbers, dtype=float)
