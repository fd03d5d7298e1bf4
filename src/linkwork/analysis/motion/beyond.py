"""Where a motion that is given goes beyond the limits of joints: it is followed there, and told."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.arrays import Array
from linkwork.coordinates.stops import limited, stop_name
from linkwork.model.report import range_text
from linkwork.results.quantities import TIME, Variable

ROUNDING = 1e-9  # of a value, in rad, or of the size of the mechanism: beyond a limit by less, it rests on it


def beyond_notes(source: Trajectory, over: Variable = TIME) -> tuple[str, ...]:
    """A line for every coordinate that is beyond its limits at some of the samples."""
    return tuple(_notes(source, over))


def _notes(source: Trajectory, over: Variable) -> Iterator[str]:
    c, model = source.mechanism.coordinates, source.mechanism.model
    names = [stop_name(*key) for key in limited(model)]
    values = source.evaluate(names) if names and source.t.size else {}
    for joint, freedom in limited(model) if values else ():
        declared, angular = model.joints[joint].ranges[freedom], c.motion.coordinates[joint, freedom].kind != "length"
        low, high = (_along(source, end, side) for end, side in zip(declared, (-np.inf, np.inf), strict=True))
        x = values[stop_name(joint, freedom)]
        if angular and np.isfinite(low[0]) and np.isfinite(high[0]):
            x = x + 2 * pi * np.round(((low[0] + high[0]) / 2 - x[0]) / (2 * pi))
        margin = ROUNDING * (1.0 if angular else float(c.kinematics.length))
        outside = (x < low - margin) | (x > high + margin)
        if outside.any():
            first = float(source.t[np.argmax(outside)])
            place = f"t = {first:.6g} s" if over.is_time else over.place(first)
            told = range_text(declared, angular).removeprefix("from ")
            yield f"{joint}.{freedom} is beyond its limits ({told}) at {place}: a stop is there, which this motion passes"


def _along(source: Trajectory, end: Expression | None, otherwise: float) -> Array:
    """A limit at all samples (N)."""
    if end is None:
        return np.full(source.t.size, otherwise)
    c = source.mechanism.coordinates
    value = ca.SX(to_sx(end, c.geometry.fixed_values.__getitem__))
    f = ca.Function("end", [c.p], [value])
    return np.array(
        [float(f(row[: c.p.numel()])) for row in np.broadcast_to(source.p, (source.t.size, source.p.shape[-1]))]
    )
