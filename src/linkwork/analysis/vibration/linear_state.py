"""About which state a mechanism is linearised, and what holds there of all that comes and goes.

Linear equations are those of one mode. Without a word it is what holds at the state: what a run or an equilibrium has, and
of a model what is decided at the start of a run, of its limits. Named instead, limits without room and joints without slip
may be held, and others let go.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np

from linkwork.algebra.given import Parameters
from linkwork.analysis.motion.changes import Changes
from linkwork.analysis.motion.course import begin_flow
from linkwork.analysis.motion.trajectory import run_of
from linkwork.analysis.prepared.idle import check_inertia
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.analysis.walk.subject import Noun, subject_of
from linkwork.arrays import Array
from linkwork.coordinates.coming import Grip, OneSided
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import KindChoice
from linkwork.equations.linear.variations import Moment
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.numerics.flows.context import flow_parameters
from linkwork.numerics.integrators import method_named
from linkwork.results.equilibrium import Equilibrium
from linkwork.results.result import Result

METHOD = method_named("dop853")
OPEN = 1e-7  # room, of the size of the mechanism, and slip or approach, of this in a second, that is none


def linear_state(
    subject: Noun,
    time: float | None,
    kind: KindChoice | None,
    parameters: Parameters | None,
    holds: Sequence[str] | None,
) -> tuple[Mechanism, Moment]:
    """The mechanism, and its state with what holds; *holds*: by name, None: what holds there anyhow."""
    mechanism, state, known = _found(subject, time, kind, parameters)
    if not mechanism.coordinates.limits:
        if holds:
            raise RefusedError(f"holds names '{holds[0]}', and nothing comes and goes in this mechanism")
        return mechanism, state
    if holds is not None:
        return mechanism, _named(mechanism.coordinates, state, holds)
    return mechanism, state if known else _decided(mechanism, state)


def _found(
    subject: Noun, time: float | None, kind: KindChoice | None, parameters: Parameters | None
) -> tuple[Mechanism, Moment, bool]:
    """The same, with whether it is known what holds."""
    if not isinstance(subject, Result | Equilibrium):
        asked = subject_of(subject, "linearise")
        mechanism = asked.prepare(kind)
        begun = asked.time if time is None else time
        check_inertia(mechanism)
        start = asked.start(mechanism, parameters, begun)
        return mechanism, Moment(begun, start.y, start.p), start.mode is not None
    source = subject.result.source if isinstance(subject, Equilibrium) else subject.source
    source = run_of(source, "linearise its model, or the run itself")
    if parameters:
        raise RefusedError("a run or an equilibrium has its parameters already: give them there, or ask its model")
    if len(source.t) == 1:
        time = float(source.t[0])
    if time is None:
        raise RefusedError("at which time of the run? give time, in seconds")
    if not source.t[0] <= time <= source.t[-1]:
        raise RefusedError(f"the run goes from {source.t[0]:g} s to {source.t[-1]:g} s: t = {time:g} s is not in it")
    nearest = int(np.argmin(np.abs(source.t - time)))
    p = source.p[nearest] if source.p.ndim > 1 else source.p
    return source.mechanism, Moment(float(source.t[nearest]), source.y[nearest], p), True


def _decided(mechanism: Mechanism, state: Moment) -> Moment:
    """With what would hold where a run begins there."""
    flow = begin_flow(mechanism, Start(state.y.copy(), state.p.copy(), mechanism.topology.assembly), METHOD, state.t)
    begun = Changes.of(mechanism, flow, fixed=False, others=0).begin(state.t, state.y, None, strikes=False)
    p = state.p.copy()
    places = mechanism.coordinates.limit_places
    p[places] = flow_parameters(flow)[places]
    return Moment(state.t, begun.y, p)


def _named(c: Coordinates, state: Moment, holds: Sequence[str]) -> Moment:
    """With these that hold, and no others."""
    names, p = [item.name for item in c.limits], state.p.copy()
    p[c.limit_places] = 0.0
    for name in [holds] if isinstance(holds, str) else holds:
        if name not in names:
            raise UnknownNameError(
                f"holds: nothing that comes and goes is called '{name}'; {did_you_mean(name, names)}"
            )
        _require_closed(c, state, names.index(name))
        p[c.limit_places][names.index(name)] = 1.0
    return Moment(state.t, state.y, p)


def _require_closed(c: Coordinates, state: Moment, number: int) -> None:
    """Refuse to hold what has room, comes or slips."""
    item, length = c.limits[number], float(c.kinematics.length)
    p = state.p.copy()
    p[c.limit_places] = 1.0
    room, speed = ca.SX(0), ca.SX(0)
    if isinstance(item, OneSided):
        room, row = item.room, c.coming[number][0]
        speed = (c.jacobian @ c.v + c.a)[row]
    elif isinstance(item, Grip):
        speed = item.slip
    left, moves = (_number(c, part, state, p) for part in (room, speed))
    if abs(left) > OPEN * length and isinstance(item, OneSided):
        raise RefusedError(f"{item.name} does not hold in this state: {item.measured(left)} are left to it")
    if abs(moves) > OPEN * length:
        raise RefusedError(f"{item.name} does not hold in this state: it moves by {moves:.4g} m/s there")


def _number(c: Coordinates, expression: ca.SX, state: Moment, p: Array) -> float:
    f = ca.Function("f", [c.t, c.y, c.p], [ca.densify(expression)])
    return float(f(state.t, state.y, p[: c.p.numel()]))


def held_note(c: Coordinates, p: Array) -> tuple[str, ...]:
    """What holds, where something comes and goes."""
    if not c.limits:
        return ()
    names = [item.name for item, selector in zip(c.limits, p[c.limit_places], strict=True) if selector > 0.5]
    return (f"linear within one mode: {', '.join(names) + ' hold' if names else 'nothing that comes and goes holds'}",)
