"""Angles of a motion that are whole numbers beyond a turn, without a unit: they are radians, and may be meant as degrees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import pi

import numpy as np
from numpy.typing import ArrayLike

from linkwork.model import Model

TURN = 2 * pi


def bare_angles(model: Model, motion: Mapping[str, object]) -> tuple[str, ...]:
    """What to know of coordinates (by joint or coordinate) that are given so: values or one value, no formulas of time."""
    found = []
    for name, joint in model.joints.items():
        for freedom in joint.freedoms:
            names = [f"{name}.{freedom.name}", *([name] if len(joint.freedoms) == 1 else [])]
            given = next((motion[item] for item in names if item in motion), None)
            text = _doubt(given) if freedom.angular and given is not None else None
            if text is not None:
                found.append(f"{names[0]} {text}")
    return tuple(found)


def _doubt(given: ArrayLike | Callable[..., object] | object) -> str | None:
    """What a row of plain numbers is in turns, where it begins and ends with whole numbers and goes beyond one."""
    if callable(given):
        return None
    try:
        values = np.atleast_1d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError):
        return None
    if values.ndim != 1 or not values.size or not np.all(np.isfinite(values)):
        return None
    first, last, far = float(values[0]), float(values[-1]), float(np.max(np.abs(values)))
    if far <= TURN or first != round(first) or last != round(last):
        return None
    way = f"is {first:g} rad" if first == last else f"goes from {first:g} to {last:g} rad"
    return (
        f"{way}, {far / TURN:.3g} turns: numbers without a unit are radians; where degrees are meant write np.radians(...), "
        f"or texts such as '{far:g} deg'"
    )
