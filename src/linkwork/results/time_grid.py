"""Output times of a run."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.given import Scalar
from linkwork.algebra.units import si
from linkwork.arrays import Array
from linkwork.errors import RefusedError, UnitError

SAMPLES = 1000  # output intervals when no spacing is given
MOST = 10**7  # outputs of one run


def as_times(times: ArrayLike) -> Array:
    """Times (N,), s, from numbers or texts with units; RefusedError where they are none, not finite or too many."""
    try:
        given = np.ravel(times)
        texts = given.dtype.kind in "OUS"
        found = np.array([si(item, "time") for item in given.tolist()]) if texts else given.astype(float)
    except (TypeError, ValueError, UnitError):
        raise RefusedError(f"times = {str(times)[:60]}: give numbers of seconds, such as [0, 0.5, 1]") from None
    if not np.all(np.isfinite(found)):
        raise RefusedError("times: some are not finite; give numbers of seconds, such as [0, 0.5, 1]")
    if found.size > MOST:
        raise RefusedError(f"times: {found.size} outputs are more than the {MOST:g} that are kept")
    return found


def first_asked(times: ArrayLike | None, grid: Array) -> int:
    """Which of the times that a motion goes through is the first that was asked for; before it is only where it begins."""
    return 0 if times is None else grid.size - as_times(times).size


def moment(time: Scalar | None) -> float | None:
    """One moment, s, or none."""
    return None if time is None else si(time, "time")


def time_grid(until: Scalar | None, step: Scalar | None, times: ArrayLike | None, begin: float = 0.0) -> Array:
    """Times from *begin*: it and those that are given, or up to *until* with a spacing, by default a thousand of them."""
    if times is not None:
        grid = as_times(times)
        if not grid.size:
            raise RefusedError("times: there are none; give those of the output, such as [0, 0.5, 1]")
        if begin > 0.0 and grid[0] < begin:
            raise RefusedError(f"times: it goes on from t = {begin:.9g} s; {grid[0]:g} s is before that")
        return grid if grid[0] == begin else np.concatenate([[begin], grid])
    if until is None:
        raise RefusedError("when does the run end? give until, such as '10 s', or the output times")
    end = si(until, "time")
    if not end > 0.0 or not np.isfinite(end):
        raise RefusedError(f"until = {until}: the end of a run must be a positive time such as '10 s'")
    if not end > begin:
        raise RefusedError(f"until = {until}: it goes on from t = {begin:.9g} s; give a later time at which it ends")
    if step is None:
        return np.linspace(begin, end, SAMPLES + 1)
    spacing = si(step, "time")
    if not 0.0 < spacing <= (end - begin) * (1 + 1e-9):
        raise RefusedError(f"step = {step}: the spacing of the output must be positive and not longer than the run")
    if (end - begin) / spacing > MOST:
        raise RefusedError(
            f"step = {step}: {(end - begin) / spacing:.3g} outputs are more than the {MOST:g} that are kept; "
            "take a longer spacing"
        )
    grid = np.arange(begin, end + spacing * 1e-9, spacing)
    return grid if end - grid[-1] < 1e-9 * spacing else np.append(grid, end)
