"""Angles that are given without a unit and beyond a turn: they are radians, and may be meant as degrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import pi

import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.expressions import TIME
from linkwork.errors import LinkworkError
from linkwork.model import Model
from linkwork.model.bare_angles import doubt_of

TURN = 2 * pi
TURNED = {"planar": ("angle",), "spatial": ("roll", "pitch", "yaw")}
"""Angles of a body."""


def bare_angles(model: Model, given: Mapping[str, object]) -> tuple[str, ...]:
    """What to know of coordinates (by joint, coordinate or angle of a body) that are given so: values, one value, or a
    formula."""
    found = []
    for names in _angles(model):
        value = next((given[name] for name in names if name in given), None)
        text = _doubt(model, value) if value is not None else None
        if text is not None:
            found.append(f"{names[0]} {text}")
    return tuple(found)


def _angles(model: Model) -> Iterator[tuple[str, ...]]:
    """The names of every angle that can be asked for."""
    for name, joint in model.joints.items():
        for freedom in joint.freedoms:
            if freedom.angular:
                yield f"{name}.{freedom.name}", *([name] if len(joint.freedoms) == 1 else [])
    yield from ((f"{body}.{angle}",) for body in model.bodies for angle in TURNED[model.space])


def _doubt(model: Model, given: ArrayLike | Callable[..., object] | object) -> str | None:
    if callable(given):
        return None
    if isinstance(given, str):
        return _of_formula(model, given)
    try:
        return _of_numbers(np.atleast_1d(np.asarray(given, dtype=np.float64)))
    except (TypeError, ValueError):
        return None


def _of_formula(model: Model, text: str) -> str | None:
    try:
        formula = model.formula(text)
    except LinkworkError:  # told by who reads it
        return None
    doubt = doubt_of(formula, {**model.parameter_values(), TIME: 0.0}, model.parameters)
    return None if doubt is None else doubt[1]


def _of_numbers(values: np.ndarray) -> str | None:
    """What a row of plain numbers is in turns, where it begins and ends with whole numbers and goes beyond one."""
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
