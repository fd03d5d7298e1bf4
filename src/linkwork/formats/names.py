"""Names of a file as names of a model: formulas take letters, digits and _, other programs take more."""

from __future__ import annotations

from collections.abc import Iterable

from linkwork.algebra.expressions import RESERVED_NAMES
from linkwork.algebra.renames import spelt
from linkwork.model.joint import GROUND
from linkwork.model.quantities import ENERGY, TOGETHER

TAKEN = {*RESERVED_NAMES, GROUND, ENERGY, *TOGETHER}


def model_names(names: Iterable[str]) -> dict[str, str]:
    """A name that a model can have for every one of a file; sound ones stay, and no two become the same.

    >>> model_names(["left-knee", "left.knee", "hip", "3rd"])
    {'left-knee': 'left_knee', 'left.knee': 'left_knee_2', 'hip': 'hip', '3rd': '_3rd'}
    """
    given = list(dict.fromkeys(names))
    taken = TAKEN | {name for name in given if spelt(name) == name}
    found: dict[str, str] = {}
    for name in given:
        found[name] = name if spelt(name) == name and name not in TAKEN else _free(spelt(name), taken)
        taken.add(found[name])
    return found


def changed(names: dict[str, str]) -> dict[str, str]:
    """Those of a model that are others in the file, for ``Document.renames``."""
    return {new: old for old, new in names.items() if new != old}


def _free(name: str, taken: set[str]) -> str:
    """The name, or with a number behind it where it is taken."""
    count, found = 1, name
    while found in taken:
        count += 1
        found = f"{name}_{count}"
    return found
