"""A motion across events, piece by piece, and how a neighbouring motion goes across them: saltation matrices.

Between events ẏ = f(t, y) in one mode. At the time of a zero of a guard, g(t, y) = 0, the state jumps, y⁺ = R(y⁻), and
another mode holds. A motion beside it by δy⁻ is there earlier or later by δt = −∇g·δy⁻/ġ, ġ = g_t + ∇g·f⁻, so that behind
the event

    δy⁺ = S δy⁻,   S = R' + (f⁺ − R' f⁻ − R_t) ∇g / ġ

(Aizerman and Gantmakher 1958; Leine and Nijmeijer, Dynamics and Bifurcations of Non-Smooth Mechanical Systems, chapter 7).
Of impacts R' follows from their equations, with the conditions C that push and the parts e of speeds that they send back,

    M (v⁺ − v⁻) = Cᵀ Λ,   C v⁺ + a = −e (C v⁻ + a),

differentiated by q and v⁻. An event of one's own has R as formulas; a motion that returns to it has the Poincaré map

    y ↦ R(y(t_g)),   with the derivative R' (1 − f⁻ ∇g/ġ) Y(t_g).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import to_sx
from linkwork.analysis.motion.changes import Changes
from linkwork.analysis.motion.course import Event, begin_flow, event_functions
from linkwork.analysis.prepared.prepare import Array, Mechanism, Start
from linkwork.coordinates.naming import Lookup
from linkwork.errors import RefusedError
from linkwork.numerics.flows.context import flow_parameters
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.legs import NextLeg, integrate_in_legs
from linkwork.numerics.integrators.solution import RunStatus, Solution, State

QUIET = 0.02  # part of a period in which a motion leaves the event from which it begins
LONGER = 3.0  # periods in which it has to come back
PUSHES = 1e-9  # of the largest impulse: less is none
NEAR = 1e-7  # room, of the size of the mechanism, of what may push in an impact
SAME = 1e-6  # of what two events are compared by: less is the same
GRAZES = 1e-7  # ġ, beside the size of its parts, at which an event is touched and not passed

StateRates = Callable[[float, Array, Array], Array]
"""From t, y and p to ẏ."""


@dataclass(frozen=True, eq=False)
class OwnJump:
    """An event of one's own, by its name, and the state behind it as formulas of that before, by quantities."""

    name: str
    event: Event
    formulas: Mapping[str, str]

    @property
    def stopping(self) -> dict[str, Event]:
        """The event by its name, as one that ends a run."""
        return {self.name: Event(self.event.formula, self.event.direction, True)}

    def guard(self, mechanism: Mechanism) -> ca.SX:
        """g."""
        lookup = _lookup(mechanism)
        return ca.SX(to_sx(mechanism.model.formula(self.event.formula), lookup.name))

    def behind(self, mechanism: Mechanism) -> ca.SX:
        """R(y) (n)."""
        c, lookup = mechanism.coordinates, _lookup(mechanism)
        found = [c.y[i] for i in range(c.y.numel())]
        for name, formula in self.formulas.items():
            state = ca.SX(lookup.name(mechanism.model.named(name)))
            slope = ca.sparsify(ca.jacobian(state, c.y))
            if slope.nnz() != 1 or not slope.is_constant():
                known = ", ".join(c.state_names)
                raise RefusedError(
                    f"maps of '{self.name}': '{name}' is no state in {c.kind} coordinates; states: {known}"
                )
            i, rate = slope.sparsity().get_triplet()[1][0], slope.nz[0]
            offset = ca.substitute(state, c.y, ca.SX.zeros(c.y.numel()))
            found[i] = (ca.SX(to_sx(mechanism.model.formula(formula), lookup.name)) - offset) / rate
        return ca.vertcat(*found)


@dataclass(frozen=True, eq=False)
class PassedEvent:
    """An event: when, its place among the guards, states (n) and parameters (np) before it and behind it.

    others: the guards that have their zeros there too
    """

    t: float
    guard: int
    before: Array
    after: Array
    p_before: Array
    p_after: Array
    others: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class SmoothPart:
    """A part of a motion in one mode: from a state (n) at a time to another time, and the event at its end, if any."""

    t: float
    y: Array
    p: Array
    end: float
    crossing: PassedEvent | None


@dataclass(frozen=True, eq=False)
class Followed:
    """A motion with its pieces; solution: on the times that were asked for."""

    pieces: tuple[SmoothPart, ...]
    solution: Solution
    end: float
    y: Array


def returned(
    follow: Callable[[float, Array, Array], Followed],
    quiet: Callable[[float, Array, float], Array],
    start: tuple[float, Array],
    period: float,
) -> Followed:
    """A motion to its return to an event, which it leaves first, unseen; *period*: about how long it takes."""
    t, y = start
    away = t + QUIET * period
    found = follow(away, quiet(t, y, away), np.array([t + LONGER * period]))
    if not found.pieces or found.pieces[-1].crossing is None:
        told = f"the motion does not come back to its event within {LONGER * period:.6g} s"
        raise RefusedError(f"{told}: give a longer period, or begin elsewhere")
    first = found.pieces[0]
    return replace(found, pieces=(SmoothPart(t, y, first.p, first.end, first.crossing), *found.pieces[1:]))


class HybridMotion:
    """Motions of a mechanism across events, with limits, switches and one event of one's own."""

    def __init__(self, mechanism: Mechanism, p: Array, method: Method, own: OwnJump | None) -> None:
        self.mechanism, self.p, self.method, self.own = mechanism, p, method, own
        self.c = mechanism.coordinates
        if own is not None and (self.c.limits or self.c.connections):
            raise RefusedError(
                f"events with maps of their own ('{own.name}') beside limits are not followed: leave one out"
            )

    def follow(self, t: float, y: Array, times: Array, options: Mapping[str, Any]) -> Followed:
        """From y at t over increasing times; with an event of one's own to its next zero, at which it ends."""
        start = Start(y.copy(), self.p.copy(), self.mechanism.topology.assembly)
        flow = begin_flow(self.mechanism, start, self.method, t)
        named = {} if self.own is None else self.own.stopping
        first = len(named) + len(self.c.bounds)
        changes = Changes.of(self.mechanism, flow, fixed=False, others=first)
        begun = changes.begin(t, y, None)
        p = flow_parameters(flow)[: self.c.p.numel()]
        watched = event_functions(self.mechanism, named, p, changes.guards, changes.switching.rounding)
        self.guards, self._formulas = changes.guards, changes.switching.count
        pieces: list[SmoothPart] = []
        here = [SmoothPart(begun.t, begun.y.copy(), p.copy(), begun.t, None)]  # the one that goes on

        def turn(leg: Solution) -> NextLeg | None:
            if leg.status is not RunStatus.EVENT:
                return None
            index, end, before = leg.events[-1].index, leg.t_reached, leg.y_reached.copy()
            if index < first:
                self._own(pieces, here[0], (index, end, before), p)
                return None
            passed = {e.index - first for e in leg.events if e.index >= first and e.t >= end - 4 * np.spacing(abs(end))}
            p_before = p.copy()
            found = changes.turn(State(end, before, leg.parts[-1].mode), leg.statistics.steps, passed)
            if found is None:
                return None
            others = tuple(sorted(passed - {index - first}))
            crossing = PassedEvent(end, index - first, before, found[0].y.copy(), p_before, p.copy(), others)
            pieces.append(replace(here[0], end=end, crossing=crossing))
            here[0] = SmoothPart(end, crossing.after, crossing.p_after, end, None)
            return NextLeg(self.method, found[0], found[1])

        grid = np.concatenate([[t], times])
        solution = integrate_in_legs(NextLeg(self.method, begun), flow, grid, turn, events=watched, **options)
        self._check(solution, changes)
        if not (pieces and (self.own is not None or pieces[-1].end >= solution.t_reached)):
            pieces.append(replace(here[0], end=solution.t_reached))
        last = pieces[-1].crossing
        y_end = last.after if last is not None and last.t >= solution.t_reached else solution.y_reached
        return Followed(tuple(pieces), solution, solution.t_reached, y_end)

    def _own(self, pieces: list[SmoothPart], here: SmoothPart, at: tuple[int, float, Array], p: Array) -> None:
        """The end at an event of one's own."""
        index, end, before = at
        if self.own is None or index > 0:
            raise RefusedError("the motion comes to a bound of a relation or force: there is no period")
        after = np.array(self._behind(end, before, p)).ravel()
        crossing = PassedEvent(end, -1, before, after, p.copy(), p.copy())
        pieces.append(replace(here, end=end, crossing=crossing))

    def _check(self, solution: Solution, changes: Changes) -> None:
        if solution.interrupted:
            raise KeyboardInterrupt
        if changes.stopped is not None:
            raise RefusedError(f"the motion cannot be followed over a period: {changes.stopped}")
        if not solution.status.ok:
            raise RefusedError(
                f"the motion cannot be followed over a period (from t = {solution.t_reached:.6g} s on): "
                f"{solution.status.value}"
            )

    # -- across events ---------------------------------------------------------------------------------------------------

    def saltation(self, crossing: PassedEvent, rates: StateRates, *, returns: bool) -> Array:
        """S (n, n) of an event; *returns*: of a motion that ends at it."""
        gradient, drift = self._slopes(crossing)
        before = rates(crossing.t, crossing.before, crossing.p_before)
        pace = float(drift + gradient @ before)
        size = float(np.abs(gradient) @ np.abs(before) + abs(drift))
        if abs(pace) <= GRAZES * max(size, 1e-300):
            raise RefusedError(
                f"the motion touches an event at t = {crossing.t:.9g} s and does not pass it (grazing): neighbouring "
                "motions do not go beside it smoothly, and there are no multipliers"
            )
        self._require_one(crossing, before, gradient / pace)
        jump, moved = (self._own_slope(crossing), 0.0) if crossing.guard < 0 else self._jump(crossing)
        if returns:
            return np.asarray(jump @ (np.eye(len(gradient)) - np.outer(before, gradient) / pace))
        after = rates(crossing.t, crossing.after, crossing.p_after)
        return np.asarray(jump + np.outer(after - jump @ before - moved, gradient) / pace)

    def _require_one(self, crossing: PassedEvent, rate: Array, gradient: Array) -> None:
        """Refuse events at one instant that neighbouring motions do not pass at one instant; gradient: ∇g/ġ."""
        if crossing.guard < 0:
            return
        places = list(self.c.connections)
        known = [p[self.c.limit_places][places] for p in (crossing.p_before, crossing.p_after)]
        if crossing.guard >= self._formulas + len(self.c.limits) or np.any(known[0] != known[1]):
            raise RefusedError(
                f"a connection closes or opens at t = {crossing.t:.9g} s: multipliers across that are not known yet"
            )
        by_y, by_t = (np.array(item) for item in self._guard_slopes(crossing.t, crossing.before, crossing.p_before))
        for i in sorted({*crossing.others, *self._hit(crossing)} - {crossing.guard}):
            pace = float(by_t[i, 0] + by_y[i] @ rate)
            alike = by_y[i] / (pace or 1e-300)
            if not np.allclose(alike, gradient, rtol=0.0, atol=SAME * float(np.max(np.abs(gradient), initial=0.0))):
                raise RefusedError(
                    f"several events at one instant, t = {crossing.t:.9g} s: neighbouring motions pass them one after the "
                    "other, in an order that depends on where they are, and there are no multipliers"
                )

    def _hit(self, crossing: PassedEvent) -> set[int]:
        """The guards of limits that are hit: without room, and coming."""
        c, p = self.c, crossing.p_after.copy()
        if not c.one_sided:
            return set()
        p[c.limit_places][list(c.one_sided)] = 1.0
        none = np.zeros(len(c.rows))
        speeds = self._struck(crossing, p, none, none)[3][:, 0]
        left = np.array(self._rooms(crossing.t, crossing.before, p)).ravel()
        v = crossing.before[c.q.numel() :][: c.v.numel()]
        coming = SAME * float(np.max(np.abs(v / c.kinematics.scale), initial=0.0)) * float(c.kinematics.length)
        near = [i for i, room in zip(c.one_sided, left, strict=True) if room <= NEAR * float(c.kinematics.length)]
        held = crossing.p_before[c.limit_places] > 0.5
        return {self._formulas + i for i in near if speeds[c.coming[i][0]] < -coming and not held[i]}

    @cached_property
    def _rooms(self) -> ca.Function:
        c = self.c
        rooms = ca.vertcat(ca.SX(0, 1), *[item.room for item in c.one_sided.values()])
        return ca.Function("rooms", [c.t, c.y, c.p], [ca.densify(rooms)])

    def _slopes(self, crossing: PassedEvent) -> tuple[Array, float]:
        """∇g (n) and g_t, in the mode before."""
        guard = self._own_guard if crossing.guard < 0 else self._guard_slopes
        by_y, by_t = guard(crossing.t, crossing.before, crossing.p_before)
        row = 0 if crossing.guard < 0 else crossing.guard
        return np.array(by_y)[row], float(np.array(by_t)[row, 0])

    @cached_property
    def _guard_slopes(self) -> ca.Function:
        return self._sloped("guards", self.guards)

    @cached_property
    def _own_guard(self) -> ca.Function:
        assert self.own is not None
        return self._sloped("own_guard", self.own.guard(self.mechanism))

    def _sloped(self, name: str, g: ca.SX) -> ca.Function:
        c = self.c
        outputs = [ca.densify(ca.jacobian(g, c.y)), ca.densify(ca.jacobian(g, c.t))]
        return ca.Function(name, [c.t, c.y, c.p], outputs)

    @cached_property
    def _behind(self) -> ca.Function:
        assert self.own is not None
        c = self.c
        return ca.Function("behind", [c.t, c.y, c.p], [ca.densify(self.own.behind(self.mechanism))])

    def _own_slope(self, crossing: PassedEvent) -> Array:
        assert self.own is not None
        c, found = self.c, self.own.behind(self.mechanism)
        slope = ca.Function("behind_slope", [c.t, c.y, c.p], [ca.densify(ca.jacobian(found, c.y))])
        return np.array(slope(crossing.t, crossing.before, crossing.p_before))

    def _jump(self, crossing: PassedEvent) -> tuple[Array, Array]:
        """R' of what conditions do at an event, 1 where speeds stay, and R_t, where conditions move."""
        c, n, nq, nv = self.c, self.c.y.numel(), self.c.q.numel(), self.c.v.numel()
        v = slice(nq, nq + nv)
        found, change = np.eye(n), crossing.after[v] - crossing.before[v]
        if np.max(np.abs(change), initial=0.0) <= 1e-13 * max(
            1.0, float(np.max(np.abs(crossing.before[v]), initial=0.0))
        ):
            return found, np.zeros(n)
        pushing, back, p = self._pushing(crossing, change)
        push = np.zeros(len(c.rows))
        mass, jacobian, *_ = self._struck(crossing, p, push, back)
        rows = jacobian[pushing]
        push[pushing] = np.linalg.lstsq(rows.T, mass @ change)[0]
        slopes = self._struck(crossing, p, push, back)[2]
        count = len(pushing)
        system = np.block([[mass, -rows.T], [rows, np.zeros((count, count))]])
        right = -np.vstack([slopes[:nv], slopes[nv:][pushing]])
        by_all, drift = np.linalg.lstsq(system, right)[0][:nv], np.zeros(n)
        found[v], drift[v] = by_all[:, :n], by_all[:, n]
        return found, drift

    def _pushing(self, crossing: PassedEvent, change: Array) -> tuple[Array, Array, Array]:
        """The rows with an impulse, the parts e of their speeds that come back (m), and parameters with which they hold."""
        c = self.c
        p, near = crossing.p_after.copy(), list[int]()
        p[c.limit_places][list(c.one_sided)] = 1.0
        left = np.array(self._rooms(crossing.t, crossing.before, p)).ravel()
        own = {row for rows in c.coming for row in rows}
        closed = [i for i in c.connections if p[c.limit_places][i] > 0.5]
        always = [row for row in range(len(c.rows)) if row not in own] + [row for i in closed for row in c.coming[i]]
        for (i, _), room in zip(c.one_sided.items(), left, strict=True):
            if room <= NEAR * float(c.kinematics.length):
                near.append(c.coming[i][0])
        back = np.zeros(len(c.rows))
        mass, jacobian, _, speeds = self._struck(crossing, p, back, back)
        rows = [*always, *near]
        push = np.linalg.lstsq(jacobian[rows].T, mass @ change)[0]
        left_over = float(np.max(np.abs(jacobian[rows].T @ push - mass @ change), initial=0.0))
        if left_over > 1e-7 * float(np.max(np.abs(mass @ change))):
            hit = ", ".join(dict.fromkeys(c.rows[row].label.element for row in near))
            raise RefusedError(
                f"the impact at t = {crossing.t:.9g} s ({hit}) has impulses along surfaces (friction): multipliers across "
                "it are not known yet"
            )
        largest = float(np.max(np.abs(push), initial=0.0))
        pushing = [row for row, value in zip(rows, push, strict=True) if row in always or abs(value) > PUSHES * largest]
        for row in pushing:
            if row not in always and speeds[row, 0] < 0.0:
                back[row] = -speeds[row, 1] / speeds[row, 0]
        return np.array(pushing, dtype=int), back, p

    def _struck(self, crossing: PassedEvent, p: Array, push: Array, back: Array) -> list[Array]:
        """M, C, ∂/∂(y⁻, t) and speeds of an impact."""
        behind = crossing.after[self.c.q.numel() :][: self.c.v.numel()]
        found = self._impact.call([crossing.t, crossing.before, behind, p, push, back])
        return [np.array(item) for item in found]

    @cached_property
    def _impact(self) -> ca.Function:
        """Of (t, y⁻, v⁺, p, Λ, e): M, C, ∂/∂(y⁻, t) of both equations of an impact, and the speeds before and behind."""
        c = self.c
        after, push, back = ca.SX.sym("after", c.v.numel()), *(ca.SX.sym(x, len(c.rows)) for x in ("push", "back"))
        before, behind = c.jacobian @ c.v + c.a, c.jacobian @ after + c.a
        balance = c.mass @ (after - c.v) - c.jacobian.T @ push
        whole = ca.vertcat(balance, behind + back * before)
        outputs = [c.mass, c.jacobian, ca.jacobian(whole, ca.vertcat(c.y, c.t)), ca.horzcat(before, behind)]
        return ca.Function("impact", [c.t, c.y, after, c.p, push, back], [ca.densify(item) for item in outputs])


def _lookup(mechanism: Mechanism) -> Lookup:
    c = mechanism.coordinates
    return Lookup(c.topology, c.motion, c.t, c.related)
