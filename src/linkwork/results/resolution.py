"""How small a change of a quantity says anything: what is smaller is an error of the run or of rounding, and drawn flat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from linkwork.arrays import Array
from linkwork.results.run_record import RunRecord

ACCURATE = 1e-6  # of the largest value: runs with default tolerances keep energies and momenta to 1e-8
ROUNDING = 1e-9  # of the largest value of what is alike: a component that is zero is computed from others that are not
KEPT = ("energy", "momentum", "angular_momentum")  # parts of names of what can be conserved, at zero too
AXES = ("x", "y", "z")


def resolutions(result: RunRecord, names: Sequence[str]) -> dict[str, float]:
    """The smallest change of each quantity that says anything, in its unit; 0 where nothing is known of its scale.

    A part of the largest value of the quantity, or of those like it: other components of its vector, the same quantity of
    other elements. What can be conserved is as accurate as the largest of its kind: a momentum of zero has the error of
    those of the bodies.
    """
    alike = {name: list(_alike(result, name)) for name in names}
    values = result.values(list(dict.fromkeys([*names, *(other for found in alike.values() for other in found)])))
    sizes = {name: _size(series) for name, series in values.items()}
    found = {}
    for name, others in alike.items():
        part = ACCURATE if _kept(name) else ROUNDING
        found[name] = max(ACCURATE * sizes[name], part * max((sizes[other] for other in others), default=0.0))
    return found


def _alike(result: RunRecord, name: str) -> Iterator[str]:
    """Quantities of the same unit with the same last part, in the same vector, or of the same conserved kind."""
    known, unit, kind = result.quantity(name).name, result.quantity(name).unit, _kept(name)
    last, stem = known.rpartition(".")[2], known[:-1] if known.endswith(AXES) else known
    for other in result.names():
        vector = other.endswith(AXES) and other[:-1] == stem
        if (vector or other.rpartition(".")[2] == last or (kind and kind == _kept(other))) and (
            result.quantity(other).unit == unit
        ):
            yield other


def _kept(name: str) -> str:
    return next((part for part in name.split(".") if part in KEPT), "")


def _size(series: Array) -> float:
    known = np.abs(series[np.isfinite(series)])
    return float(known.max()) if known.size else 0.0
