"""Quantities as pages list them: grouped by elements, with values that keep their digits."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.results.drawing import Drawing
from linkwork.results.quantities import NOT_UNIQUE
from linkwork.results.resolution import resolutions
from linkwork.results.result import Result

MOST_QUANTITIES = 300
WRITTEN = ("outputs", "definitions")  # sections of a model with formulas that are quantities
WHOLE = ("energy", "power", "work", "base", "closure")  # quantities of the mechanism as a whole


def pack(values: Array, kind: type[np.floating[Any]] = np.float32) -> str:
    """Little-endian floats as base64 text."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<")).tobytes()).decode()


def listed(result: Result, quantities: Sequence[str] | None, plotted: list[str]) -> tuple[list[str], int]:
    """Names of the quantities in the page, and how many were left out."""
    if quantities is not None:
        return list(dict.fromkeys([*plotted, *result.select(quantities)])), 0
    names = result.names()
    if len(names) <= MOST_QUANTITIES:
        return names, 0
    # beside the first ones what somebody has written down, and what is plotted
    written = (name for name in names if result.drawing.sections.get(name) in WRITTEN)
    chosen = {*plotted, *written, *names[:MOST_QUANTITIES]}
    return [name for name in names if name in chosen], len(names) - len(chosen)


def quantity_entries(result: Result, names: Sequence[str], kept: NDArray[np.intp]) -> list[dict[str, Any]]:
    """All that the page knows of some quantities; what changes by less than *least* is drawn as a level line."""
    values, loose, least = result.values(names), result.undetermined(names), resolutions(result, names)
    entries = []
    for name in names:
        quantity = result.quantity(name)
        text = quantity.description + (f" ({NOT_UNIQUE})" if name in loose else "")
        entry = quantity_entry(result.drawing, name, quantity.unit, text, values[name][kept])
        entries.append({**entry, "least": least[name]})
    return entries


def quantity_entry(drawing: Drawing, name: str, unit: str, text: str, series: Array) -> dict[str, Any]:
    """Values as 32-bit deviations from a 64-bit offset, so that small changes of large numbers survive."""
    finite = series[np.isfinite(series)]
    offset = float(finite[0]) if len(finite) else 0.0
    section, element = group_of(drawing, name)
    return {
        "name": name,
        "unit": unit,
        "text": text,
        "section": section,
        "element": element,
        "offset": offset,
        "least": 0.0,
        "values": pack(series - offset),
    }


def group_of(drawing: Drawing, name: str) -> tuple[str, str]:
    """The section and the element that a quantity belongs to."""
    element, _, rest = name.partition(".")
    if element in drawing.bodies:
        return "bodies", element
    if any(joint.name == element for joint in drawing.joints):
        return "joints", element
    if element in drawing.sections:
        return drawing.sections[element], element
    if element in WHOLE:
        return "whole mechanism", element
    return ("points" if rest else "others"), element
