"""Formulas without a value in a run: where the integrator stops, behind it at the outputs, and between them at poles.

A run finds out by itself that its equations have no value. What its equations do not contain (a force on a joint whose
motion is prescribed, a formula that is only put out) and what its steps leap over (a pole between two of them) is looked
at behind it, at the outputs, and only in formulas that can be without a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.algebra.expressions.undefined import find_hole, may_fail, poles
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.prepared.memo import of_noun
from linkwork.analysis.prepared.prepare import Array, Mechanism
from linkwork.compiler.program import build
from linkwork.coordinates.contributions import unfelt
from linkwork.coordinates.naming import Lookup
from linkwork.coordinates.undefined import (
    NamedFormula,
    Undefined,
    formulas,
    is_number,
    lookup,
    partial_formulas,
    rates,
    undefined_at,
)
from linkwork.model import Model
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.integrators.solution import Solution

AHEAD = (0.0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3)  # s, or parts of the time: where formulas are looked at
HUGE = 1e12  # times its size at the start: a value that grows without bound
VANISHED = 1e-6  # of its largest value: what is left of a factor where a run stops at the pole that it makes
HALVINGS = 60  # of the time between two outputs, to find where a value ends
DIP = 0.1  # of the usual size of a factor: it may touch zero between two outputs
BESIDE = (1e-4, 1e-7)  # of the time between two outputs: where values beside a pole are compared
GROWN = 10.0  # times as large nearer to the pole
MANY = 1 << 15  # outputs from which on compiling takes less time than it saves


# -- where a run has stopped ---------------------------------------------------------------------------------------


def undefined_ahead(mechanism: Mechanism, flow: Flow, solution: Solution, p: Array) -> Undefined | None:
    """The driver or force without a value at the last state of a run or just ahead of it, or that grows without bound."""
    c = mechanism.coordinates
    for time, y in _ahead(flow, solution):
        found = undefined_at(c, (time, y, p))
        if found is not None:
            return found
    return _pole_ahead(mechanism, solution, p) or _growing(mechanism, flow, solution, p)


def _ahead(flow: Flow, solution: Solution) -> list[tuple[float, Array]]:
    """The last state, and where it goes from there."""
    t, y = solution.t_reached, solution.y_reached
    if not np.all(np.isfinite(y)):
        known = np.flatnonzero(np.all(np.isfinite(solution.y), axis=1))
        y = solution.y[known[-1]] if known.size else np.nan_to_num(y)
    rates = np.zeros(y.size)
    moving = flow.own is None and flow.evaluate(t, y.copy(), rates) >= 0 and bool(np.all(np.isfinite(rates)))
    return [(time, y + (time - t) * rates if moving else y) for time in ahead_of(t)]


def ahead_of(time: float) -> list[float]:
    """A time, and times just behind it."""
    return [time + ahead * max(1.0, abs(time)) for ahead in AHEAD]


def _pole_ahead(mechanism: Mechanism, solution: Solution, p: Array) -> Undefined | None:
    """A formula whose divisor has all but vanished where a run has stopped."""
    name, y = lookup(mechanism.coordinates), solution.y_reached
    if not solution.t.size or not np.all(np.isfinite(y)):
        return None
    times, states = np.append(solution.t, solution.t_reached), np.vstack([solution.y, y])
    for formula in partial_formulas(mechanism.model):
        for _, factor in poles(formula.expression):
            values = np.abs(_along(mechanism, [ca.SX(to_sx(factor, name))], times, states, p)[0])
            if values[-1] < VANISHED * np.max(values):
                return _pole(formula, factor, solution.t_reached)
    return None


def _growing(mechanism: Mechanism, flow: Flow, solution: Solution, p: Array) -> Undefined | None:
    """A force or driver that has become larger than anything at the start: a motion that runs away."""
    c = mechanism.coordinates
    sizes = {("force", name): values for name, values in c.loading.by_element.items()}
    drivers = [state for state in c.auxiliaries if state.role == "driver"]
    sizes |= {("driver", state.name.rpartition(".")[0]): state.rate for state in drivers}
    if not sizes or not solution.t.size or not np.all(np.isfinite(solution.y_reached)):
        return None
    ways = _ahead(flow, solution)
    times = np.array([solution.t[0], *(time for time, _ in ways)])
    states = np.vstack([solution.y[0], *(y for _, y in ways)])
    for (kind, name), values in sizes.items():
        found = np.max(np.abs(_along(mechanism, [values], times, states, p)), axis=0, initial=0.0)
        if not np.all(found[1:] < HUGE * max(float(found[0]), 1.0)):
            own = next((str(item.expression) for item in formulas(mechanism.model) if item.element == name), "")
            return Undefined(kind, name, own, solution.t_reached, "it grows without bound", "check its sign and size")
    return None


def _pole(formula: NamedFormula, factor: Expression, time: float) -> Undefined:
    reason = f"it grows without bound where '{factor}' is zero"
    remedy = "keep what it divides by away from zero"
    return Undefined(formula.kind, formula.element, str(formula.expression), time, reason, remedy)


def pole_in_time(mechanism: Mechanism, t: Array, y: Array, p: Array) -> Undefined | None:
    """The first pole of a driver between times t (N) of a run from y, where it is a formula of time alone."""
    fixed = {"t", *mechanism.model.parameters}
    suspects = [
        item for item in partial_formulas(mechanism.model) if item.kind == "driver" and item.expression.names() <= fixed
    ]
    return _first_pole(mechanism, suspects, t, np.tile(y, (len(t), 1)), p) if suspects else None


# -- behind a run --------------------------------------------------------------------------------------------------


def undefined_along(mechanism: Mechanism, t: Array, y: Array, p: Array) -> Undefined | None:
    """The first driver or force without a value at N outputs t (N), y (N, n), or with a pole between two of them.

    p (np), or (N, np) where parameters change. Loads that are not in the equations are looked at too: on places that nothing
    moves, and all of them where nothing is left to move.
    """
    watched, suspects = _watched(mechanism), partial_formulas(mechanism.model)
    if not t.size or watched is None:
        return None
    missing = ~np.all(is_number(_each(mechanism, watched, t, y, p)), axis=0)
    found = None
    if missing.any():
        first = int(np.argmax(missing))
        found = _where(mechanism, first, t, y, p)
        t, y, p = t[:first], y[:first], p if p.ndim == 1 else p[:first]
    passed = _first_pole(mechanism, suspects, t, y, p)
    return passed or found


def _watched(mechanism: Mechanism) -> ca.Function | None:
    """All values that must be finite, of (t, y, p); None where there is nothing to look at."""
    return of_noun(mechanism, "watched", None, lambda: _all_watched(mechanism))


def _all_watched(mechanism: Mechanism) -> ca.Function | None:
    c, suspects = mechanism.coordinates, partial_formulas(mechanism.model)
    loads = (
        list(c.loading.by_element.values()) if mechanism.topology.mobility.free == 0 else unfelt(c.motion, c.loading)
    )
    if not (suspects or loads):
        return None
    name = lookup(c)
    values = [item for formula in suspects for item in (formula.sx(name), *rates(c, formula, name))]
    return _function(mechanism, [*values, *loads])


def is_defined(mechanism: Mechanism, t: float, y: Array, p: Array) -> bool:
    """Whether all that is looked at has a value at a state."""
    watched = _watched(mechanism)
    return watched is None or bool(np.all(is_number(np.array(watched(t, y, p[: watched.size1_in(2)])))))


def undefined_forces(mechanism: Mechanism, t: Array, y: Array, p: Array) -> list[str]:
    """What to say where a motion goes on although a force has no value: reactions are not known there."""
    found = undefined_along(mechanism, t, y, p)
    return (
        [] if found is None else [f"{found}. Efforts and reactions that it has a part in are no numbers from there on"]
    )


def _where(mechanism: Mechanism, first: int, t: Array, y: Array, p: Array) -> Undefined | None:
    """What is undefined at an output, from the time on at which it is, as far as a straight way between outputs tells."""
    c = mechanism.coordinates
    values = p if p.ndim == 1 else p[first]
    found = undefined_at(c, (float(t[first]), y[first], values))
    if found is None or first == 0:
        return found
    good, bad = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (good + bad) / 2
        between = t[first - 1] + middle * (t[first] - t[first - 1]), y[first - 1] + middle * (y[first] - y[first - 1])
        other = undefined_at(c, (*between, values))
        good, bad, found = (middle, bad, found) if other is None else (good, middle, other)
        if (bad - good) * (t[first] - t[first - 1]) < 1e-9 * max(1.0, abs(float(t[first]))):
            break
    return found


def _first_pole(
    mechanism: Mechanism, suspects: Sequence[NamedFormula], t: Array, y: Array, p: Array
) -> Undefined | None:
    """The first pole between outputs that steps have leapt over."""
    name, found = lookup(mechanism.coordinates), []
    for formula in suspects if t.size > 1 else ():
        for _, factor in poles(formula.expression):
            sx = ca.SX(to_sx(factor, name))
            values = _along(mechanism, [sx], t, y, p)[0]
            for i in _zeros(values):
                time = _crossing(mechanism, (formula.sx(name), sx), i, t, y, p)
                if time is not None:
                    found.append(_pole(formula, factor, time))
                    break
    return min(found, key=lambda item: item.time, default=None)


def _zeros(values: Array) -> Array:
    """Intervals (i, i + 1) or outputs i near which a factor (N) may vanish."""
    changes = np.flatnonzero(values[:-1] * values[1:] < 0.0)
    sizes = np.abs(values)
    low = (sizes[1:-1] <= sizes[:-2]) & (sizes[1:-1] <= sizes[2:]) & (sizes[1:-1] < DIP * np.median(sizes))
    return np.unique(np.concatenate([changes, np.flatnonzero(low), np.flatnonzero(low) + 1]))


def _crossing(mechanism: Mechanism, pair: tuple[ca.SX, ca.SX], i: int, t: Array, y: Array, p: Array) -> float | None:
    """The time between two outputs at which a factor vanishes and its formula grows without bound, if it does."""
    c = mechanism.coordinates
    f = ca.Function("pole", [c.t, c.y, c.p], [ca.densify(item) for item in pair])
    step, values = float(t[i + 1] - t[i]), (p if p.ndim == 1 else p[i])[: c.p.numel()]

    def at(share: float) -> tuple[float, float]:
        found = f.call([t[i] + share * step, y[i] + share * (y[i + 1] - y[i]), values])
        return float(found[0]), float(found[1])

    share = _root(lambda x: at(x)[1])
    far, near = (max(abs(at(share - way)[0]), abs(at(share + way)[0])) for way in BESIDE)
    return float(t[i] + share * step) if near > GROWN * far else None


def _root(factor: Callable[[float], float]) -> float:
    """Where a factor vanishes between 0 and 1, or is nearest to it."""
    from scipy.optimize import brentq, minimize_scalar

    ends = factor(0.0), factor(1.0)
    if ends[0] * ends[1] < 0.0:
        return float(brentq(factor, 0.0, 1.0, xtol=1e-15))
    return float(
        minimize_scalar(lambda x: abs(factor(x)), bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-12}).x
    )


def _along(mechanism: Mechanism, expressions: Sequence[ca.SX], t: Array, y: Array, p: Array) -> Array:
    """Expressions of the state at N outputs, (·, N)."""
    return _each(mechanism, _function(mechanism, expressions), t, y, p)


def _function(mechanism: Mechanism, expressions: Sequence[ca.SX]) -> ca.Function:
    c = mechanism.coordinates
    stacked = ca.densify(ca.vertcat(ca.SX(0, 1), *[ca.vec(item) for item in expressions]))
    return ca.Function("watched", [c.t, c.y, c.p], [stacked], ["t", "y", "p"], ["x"])


def _each(mechanism: Mechanism, function: ca.Function, t: Array, y: Array, p: Array) -> Array:
    """Values (·, N) at N outputs; compiled where there are many of them."""
    p = p[..., : function.size1_in(2)]
    if t.size > MANY:
        return build({function.name(): function}, mechanism.program.backend)[function.name()].sample(t, y, p).T
    values = np.tile(p[None], (t.size, 1)) if p.ndim == 1 else p
    return np.array(function.map(t.size)(t[None, :], y.T, values.T))


# -- formulas that are only put out --------------------------------------------------------------------------------


def undefined_outputs(source: Trajectory) -> list[str]:
    """What to say about formulas of ``outputs`` that have no value at some outputs of a run."""
    model = source.mechanism.model
    named = {name: formula for name, formula in model.named_formulas.items() if may_fail(formula)}
    if not named or not source.t.size:
        return []
    f = source.function(list(named)).map(source.t.size)
    c, state = source.mechanism.coordinates, np.hstack([source.y, source.vdot])
    p = np.tile(source.p[None], (source.t.size, 1)) if source.p.ndim == 1 else source.p
    found = np.array(f(source.t[None, :], state.T, p[:, : c.p.numel()].T))
    return [
        _note(f"{_sort(model, name)} '{name}'", str(formula), row, source.t, _hole(source, formula, row))
        for (name, formula), row in zip(named.items(), found, strict=True)
        if not np.all(np.isfinite(row))
    ]


def _sort(model: Model, name: str) -> str:
    return "output" if name in model.outputs else "definition"


def _hole(source: Trajectory, formula: Expression, row: Array) -> str:
    """Why a formula has no value where it first has none."""
    first = int(np.argmin(np.isfinite(row)))
    names = sorted(formula.names())
    at = Trajectory(
        source.mechanism,
        (source.t[[first]], source.y[[first]], source.vdot[[first]]),
        source.p if source.p.ndim == 1 else source.p[[first]],
    )
    values = dict(zip(names, at.numbers(names).tolist(), strict=True))
    hole = find_hole(formula, values.__getitem__)
    return "" if hole is None else hole.reason


def undefined_events(mechanism: Mechanism, events: Mapping[str, str], solution: Solution, p: Array) -> list[str]:
    """What to say about formulas of events that have no value at some outputs."""
    c = mechanism.coordinates
    if not events or not solution.t.size:
        return []
    names = Lookup(c.topology, c.motion, c.t, c.related)
    values = [ca.SX(to_sx(mechanism.model.formula(formula), names.name)) for formula in events.values()]
    found = _along(mechanism, values, solution.t, solution.y, p)
    return [
        _note(f"event '{name}'", formula, row, solution.t)
        for (name, formula), row in zip(events.items(), found, strict=True)
        if not np.all(np.isfinite(row))
    ]


def _note(what: str, formula: str, row: Array, t: Array, reason: str = "") -> str:
    missing = ~np.isfinite(row)
    why = f" ({reason})" if reason else ""
    return (
        f"{what}: '{formula}' has no value at {missing.sum()} outputs, first at t = {t[np.argmax(missing)]:.6g} s{why}"
    )
