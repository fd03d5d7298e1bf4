"""Limits of a run: none may be exceeded, and none may pull where it can only push, whatever has decided that they hold."""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.analysis.audit.limits import ROUNDING, Limits
from linkwork.analysis.audit.measures import Measures
from linkwork.coordinates.coordinates import Coordinates
from linkwork.results.audit import Check

PUSH = 1e-5  # of the largest push: what is found of one that is none


def check_limits(measures: Measures, limits: Limits) -> list[Check]:
    """Rooms Φ ≥ 0 at the outputs, and λ ≥ 0 of M v̇ = h + Cᵀ λ, as far as it is unique."""
    run, c = measures.trajectory, measures.c
    if not c.one_sided:
        return []
    pushes = {item.label: item for item in run.multipliers("least_norm") if item.unique}
    known = [limit for limit in c.one_sided.values() if str(limit.label) in pushes]
    rooms, names = measures.at(_rooms)[0], [limit.name for limit in c.one_sided.values()]
    found = np.column_stack([np.zeros(len(run.t)), *(pushes[str(limit.label)].multiplier for limit in known)])
    # where none of them pushes, rounding errors of what moves and weighs are all there is
    least = ROUNDING * measures.sizes.mass * (measures.pull + measures.gravity)
    largest = max(PUSH * float(np.max(np.abs(found))), least)
    return [
        _check("limits", rooms, limits.closure * measures.length, names, "is exceeded by"),
        _check("pushes", found, largest, ["", *(limit.name for limit in known)], "acts the wrong way with"),
    ]


def _rooms(c: Coordinates, _vdot: ca.SX) -> list[ca.SX]:
    return [ca.vertcat(*[limit.room for limit in c.one_sided.values()])]


def _check(name: str, values: np.ndarray, allowed: float, names: list[str], what: str) -> Check:
    error = max(-float(np.min(values)), 0.0)
    unit, who = "m" if name == "limits" else "N", names[int(np.argmin(np.min(values, axis=0)))]
    finding = f"{who} {what} {error:.3g} {unit} ({allowed:.2g} {unit} are allowed): tighten rtol"
    return Check(name, error, allowed, finding="" if error <= allowed else finding)
