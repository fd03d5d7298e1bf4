"""Which rows to keep of those that depend on each other: the best conditioned ones, by pivoting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.policy import POLICY


def pivoted_rows(rows: NDArray[np.float64], most: int, first: Sequence[int] = ()) -> list[int]:
    """At most so many of the rows (m × n) of length one, each the one that is farthest from those before; *first* anyway."""
    rest, kept = np.array(rows, dtype=np.float64), list(first)
    for row in first:
        _project(rest, row)
    while len(kept) < most:
        lengths = np.linalg.norm(rest, axis=1)
        lengths[kept] = 0.0
        best = int(np.argmax(lengths))
        if lengths[best] < POLICY.rank:
            break
        kept.append(best)
        _project(rest, best)
    return sorted(kept)


def _project(rest: NDArray[np.float64], row: int) -> None:
    direction = rest[row] / max(float(np.linalg.norm(rest[row])), 1e-300)
    rest -= np.outer(rest @ direction, direction)
