"""Output times of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.units import si
from linkwork.errors import RefusedError

Array = NDArray[np.float64]
SAMPLES = 1000  # output intervals when no spacing is given


def time_grid(until: float | str | None, step: float | str | None, times: Sequence[float] | None) -> Array:
    """Times from 0: those that are given, or up to *until* with a spacing, by default a thousand of them."""
    if times is not None:
        grid = np.asarray(times, dtype=float).ravel()
        return grid if grid.size and grid[0] == 0.0 else np.concatenate([[0.0], grid])
    if until is None:
        raise RefusedError("when does the run end? give until, such as '10 s', or the output times")
    end = si(until, "time")
    if not end > 0.0 or not np.isfinite(end):
        raise RefusedError(f"until = {until}: the end of a run must be a positive time such as '10 s'")
    if step is None:
        return np.linspace(0.0, end, SAMPLES + 1)
    spacing = si(step, "time")
    if not 0.0 < spacing <= end:
        raise RefusedError(f"step = {step}: the spacing of the output must be positive and not longer than the run")
    grid = np.arange(0.0, end + spacing * 1e-9, spacing)
    return grid if end - grid[-1] < 1e-9 * spacing else np.append(grid, end)
