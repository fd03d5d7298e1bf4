"""What "rank", "closed" and "singular" mean: one answer for every room.

All measures are free of units. Lengths are over the size of the mechanism, angles in rad, rows of conditions of length one,
so that no choice of a unit, and no factor of a gear, makes one of them fainter than the others.

- **rank**: how many singular values of such rows exceed ``rank``. It is no part of the largest one, so that a further
  condition never takes rank away (the singular values of a matrix do not fall when a row is added). A position in which
  links are stretched is a double root: it is known to half of the sixteen digits, √ε = 1.5e-8, and so is what vanishes
  there. The limit stands above that.
- **closed**: the largest residual of all conditions is below ``closed``. Iterations go on to ``exact``, and are content
  with ``closed`` where rounding errors let them go no further.
- **singular**: the rank is lower than in the positions around. This has no limit of its own.

What cannot have these limits has one of its own here, with its reason. Matrices that are no rows of conditions (stiffnesses,
powers of motors, monodromies) have no size that counts as one: their singular values are those beside the largest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array


@dataclass(frozen=True)
class Policy:
    """The limits, each of them once."""

    rank: float = 1e-7  # singular value of rows of length one that counts as none
    faint: float = 1e-6  # of the longest row: fainter ones are not stretched to full length, lest rounding errors count
    closed: float = 1e-10  # residual of a position in which all joints are closed
    exact: float = 1e-12  # residual at which nothing is left to be put right
    reached: float = (
        1e-5  # singular value that counts as none where a search has closed to `exact`: ten times its square root
    )
    improved: float = 1e-14  # residual to which positions that are nearly known are improved, or as far as it falls
    followed: float = (
        1e-10  # singular value along which iterations still take a step: double roots are reached by halves
    )
    apart: float = 1e-13  # residual of assemblies that are compared: a double root is known to its square root alone
    stalled: float = (
        1e-9  # residual, in sizes of coordinates, that is taken where it falls no further: a size may be small
    )
    agreed: float = 1e-8  # misfit of rates beside the largest: rates are known by two digits less than positions
    pivot: float = 1e-10  # pivot of a square system beside the largest, below which nothing is left of its digits
    weak: float = 1e-6  # pivot beside its row, below which accelerations lose their digits: others become independent
    regular: float = (
        1e-11  # of the inverse condition number of systems that mix forces and moments, or masses and inertias
    )
    soft: float = (
        1e-9  # singular value of stiffnesses and forces, beside the largest, of which rounding of springs is left
    )
    worthless: float = 1e-4  # singular value below which accelerations that were guessed by the rank are not taken
    linear: float = (
        1e-5  # independence of conditions of which equations of motion are linear: they lose its cube in digits
    )
    unresisted: float = 1e-12  # of the largest inertia: a motion that meets less meets none

    def unit_rows(self, rows: Array) -> tuple[Array, Array]:
        """Rows (..., m × n) of length one, and what each was divided by (..., m)."""
        sizes = self.sizes(np.linalg.norm(rows, axis=-1))
        return rows / sizes[..., None], sizes

    def sizes(self, lengths: Array) -> Array:
        """What rows of some lengths (..., m) are divided by (..., m)."""
        longest = np.max(lengths, axis=-1, keepdims=True, initial=0.0)
        return np.maximum(lengths, np.where(longest > 0.0, self.faint * longest, 1.0))

    def count(self, values: NDArray[np.floating[Any]], near: float = 0.0) -> int:
        """The rank, from the singular values of rows of length one; *near*: more where a position is not known better."""
        return int(np.sum(values > max(self.rank, near)))

    def beside(self, values: NDArray[np.floating[Any]]) -> NDArray[np.bool_]:
        """Which singular values (..., k) of a matrix without a size of its own count beside the largest."""
        return np.asarray(values > self.rank * np.max(values, axis=-1, keepdims=True, initial=1e-300))

    def rank_of(self, rows: Array, near: float = 0.0) -> int:
        """The rank of rows (m × n)."""
        return self.count(np.linalg.svd(self.unit_rows(rows)[0], compute_uv=False), near) if rows.size else 0


POLICY = Policy()
