"""How far the conditions are from losing their independence, along the states of a run.

A measure vanishes where rank is lost: the smallest singular value of the rows of C that count elsewhere, or, of large
mechanisms, their smallest pivot. Rows are over the greatest length that each of them has in the run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.policy import POLICY


class Independence(Protocol):
    """rank: the greatest of all states, 0 where there is nothing to look at; smallest: (N) the measure at these states.

    lengths: (m) the greatest of each row of C S
    """

    rank: int
    smallest: Array
    lengths: Array

    def at(self, t: Array, y: Array) -> Array:
        """(N) the measure at other states."""
        ...


class SingularValues:
    """The smallest singular value; rows: C S (N, m, nv) at times and states."""

    def __init__(self, rows: Callable[[Array, Array], Array], t: Array, y: Array) -> None:
        self._rows, self.rank, self.smallest = rows, 0, np.zeros(len(t))
        found = rows(t, y)
        if np.all(np.isfinite(found)):
            self.lengths = np.maximum(np.max(np.linalg.norm(found, axis=2), axis=0), 1e-300)
            values = self._values(found)
            self.rank = int(np.max(np.sum(values > POLICY.rank, axis=1)))
            self.smallest = values[:, self.rank - 1]

    def at(self, t: Array, y: Array) -> Array:
        """(N) at other states."""
        return self._values(self._rows(t, y))[:, self.rank - 1]

    def _values(self, rows: Array) -> Array:
        return np.asarray(np.linalg.svd(rows / self.lengths[:, None], compute_uv=False))
