"""What rows have to push with for a force or an impulse, where some of them can only push."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.arrays import Array


def push(rows: Array, holding: Sequence[int], pushing: Sequence[int], force: Array) -> tuple[Array, float]:
    """Multipliers (m) of rows (m × n) with Cᵀ λ next to a force (n), and what is left of it; others than these are zero.

    holding: of either sign; pushing: λ ≥ 0
    """
    from scipy.optimize import nnls

    found = np.zeros(len(rows))
    basis = np.linalg.qr(rows[list(holding)].T)[0] if holding else np.zeros((len(force), 0))

    def rest(values: Array) -> Array:
        return np.asarray(values - basis @ (basis.T @ values))

    free, left = rest(force), float(np.linalg.norm(rest(force)))
    if pushing:
        found[list(pushing)], left = nnls(rest(rows[list(pushing)].T), free)
    if holding:
        found[list(holding)] = np.linalg.lstsq(rows[list(holding)].T, force - rows.T @ found, rcond=1e-12)[0]
    return found, left
