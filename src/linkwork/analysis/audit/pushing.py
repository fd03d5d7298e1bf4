"""What rows have to push with for a force or an impulse, where some of them can only push."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.arrays import Array


def push(rows: Array, holding: Sequence[int], pushing: Sequence[int], force: Array) -> tuple[Array, float]:
    """Multipliers (m) of rows (m × n) with Cᵀ λ next to a force (n), and what is left of it; others than these are zero.

    holding: of either sign; pushing: λ ≥ 0
    """
    found = np.zeros(len(rows))
    basis = np.linalg.qr(rows[list(holding)].T)[0] if holding else np.zeros((len(force), 0))

    def rest(values: Array) -> Array:
        return np.asarray(values - basis @ (basis.T @ values))

    free, left = rest(force), float(np.linalg.norm(rest(force)))
    if pushing:
        found[list(pushing)], left = _least(rest(rows[list(pushing)].T), free)
    if holding:
        found[list(holding)] = np.linalg.lstsq(rows[list(holding)].T, force - rows.T @ found, rcond=1e-12)[0]
    return found, left


def _least(columns: Array, force: Array) -> tuple[Array, float]:
    """λ ≥ 0 (k) of columns (n × k) next to a force (n), and what is left of it."""
    found = np.linalg.lstsq(columns, force, rcond=1e-12)[0]
    if np.all(found >= 0.0):
        return np.asarray(found), float(np.linalg.norm(force - columns @ found))
    from scipy.optimize import nnls  # which takes longer to load than most audits take

    pushed, left = nnls(columns, force)
    return np.asarray(pushed), float(left)
