"""Formulas without a value: which force, driver or event it is."""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import parse, to_sx
from linkwork.analysis.prepare import Array, Mechanism
from linkwork.coordinates.naming import Lookup
from linkwork.numerics.integrators.flow import Flow
from linkwork.numerics.integrators.solution import Solution

AHEAD = (0.0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3)  # s, or parts of the time: where formulas are looked at
HUGE = 1e12  # times its size at the start: a value that grows without bound


def undefined_element(mechanism: Mechanism, flow: Flow, solution: Solution, p: Array) -> str:
    """The force or driver whose value is not finite, or grows without bound, at the last state or just ahead of it."""
    c = mechanism.coordinates
    suspects = dict(c.loading.by_element)
    suspects |= {row.label.element: row.residual for row in c.rows if row.label.kind == "driver"}
    for state in c.auxiliaries:
        if state.role != "turns":
            name = state.name.rpartition(".")[0]
            suspects[name] = ca.vertcat(suspects.get(name, ca.SX(0, 1)), state.rate)
    if not suspects or not np.all(np.isfinite(solution.y_reached)):
        return ""
    f = ca.Function("suspects", [c.t, c.y, c.p], [ca.densify(value) for value in suspects.values()])
    first = _sizes(f, float(solution.t[0]), solution.y[0], p) if solution.t.size else [1.0] * len(suspects)
    for time, y in _ahead(flow, solution):
        for name, size, usual in zip(suspects, _sizes(f, time, y, p), first, strict=True):
            if not size < HUGE * max(usual, 1.0):
                return name
    return ""


def _sizes(f: ca.Function, time: float, y: Array, p: Array) -> list[float]:
    return [float(np.max(np.abs(np.array(value)), initial=0.0)) for value in f.call([ca.DM(time), ca.DM(y), ca.DM(p)])]


def _ahead(flow: Flow, solution: Solution) -> list[tuple[float, Array]]:
    """The last state, and where it goes from there."""
    t, y = solution.t_reached, solution.y_reached
    rates = np.zeros(y.size)
    known = flow.own is None and flow.evaluate(t, y.copy(), rates) >= 0 and bool(np.all(np.isfinite(rates)))
    steps = [ahead * max(1.0, abs(t)) for ahead in AHEAD]
    return [(t + step, y + step * rates if known else y) for step in steps]


def undefined_events(mechanism: Mechanism, events: Mapping[str, str], solution: Solution, p: Array) -> list[str]:
    """What to say about formulas of events that have no value at some outputs."""
    c = mechanism.coordinates
    if not events or not solution.t.size:
        return []
    lookup = Lookup(c.topology, c.motion, c.t, c.unknowns)
    values = [ca.SX(to_sx(parse(formula), lookup.name)) for formula in events.values()]
    f = ca.Function("events", [c.t, c.y, c.p], [ca.vertcat(*values)]).map(solution.t.size)
    found = np.array(f(solution.t[None, :], solution.y.T, np.tile(p[: c.p.numel(), None], solution.t.size)))
    notes = []
    for (name, formula), row in zip(events.items(), found, strict=True):
        missing = ~np.isfinite(row)
        if missing.any():
            first = solution.t[np.argmax(missing)]
            notes.append(
                f"event '{name}': '{formula}' has no value at {missing.sum()} outputs, first at t = {first:.6g} s"
            )
    return notes
