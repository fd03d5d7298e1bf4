"""``floquet``: whether motions near a periodic one come back to it, by the multipliers of its monodromy matrix.

A variation of the start has become δξ(T) = M δξ(0) after a period T (``analysis/vibration/orbit.py``): the motion draws in
what is near it where all eigenvalues of M, its multipliers, lie inside of the unit circle. Where time is not in the
equations, the motion itself a moment later is a variation that stays, M f = f with f = ξ̇: this multiplier 1 is taken out
before the others are found, so that they are not those of a Jordan block.

A periodic motion that is not known is looked for by Newton's method on the state and, where it is free, on the period,

    (M − 1) Δξ + f ΔT = −gap,

by least squares: motions of conservative mechanisms come in families, of which the nearest one is taken.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.linalg import null_space

from linkwork.algebra.given import Parameters, Scalar
from linkwork.algebra.units import si
from linkwork.analysis.motion.course import Event
from linkwork.analysis.motion.states import known_states
from linkwork.analysis.motion.trajectory import Trajectory, run_of
from linkwork.analysis.prepared.idle import check_inertia
from linkwork.analysis.prepared.prepare import Array, Start, compiled, formulated
from linkwork.analysis.vibration.forcing_period import forcing_period, is_forced
from linkwork.analysis.vibration.hybrid import OwnJump
from linkwork.analysis.vibration.orbit import Lap, Orbit
from linkwork.analysis.walk.subject import Noun, subject_of
from linkwork.arguments import verb
from linkwork.coordinates.numbering import KindChoice
from linkwork.coordinates.told import remarks
from linkwork.errors import AssemblyError, RefusedError, UnknownNameError, did_you_mean
from linkwork.numerics.policy import POLICY
from linkwork.numerics.systems.eigenvalues import block_eigenvalues
from linkwork.progress import told
from linkwork.results.floquet import FloquetMultipliers
from linkwork.results.linear_system import ComplexArray
from linkwork.results.result import Result

PERIODIC = 1e-8  # gap of a motion, in units of the coordinates, that is periodic
SHUT = 1e-11  # gap at which a search ends
LAPS, IMPROVED = 25, 0.95  # of a search; what two of them must make of the gap
SINGULAR = POLICY.rank  # singular value beside the largest that counts as none in a search
HALVINGS, LONGER = 8, 0.2  # of a step in a search; the most by which it changes the period
NEAR = 0.2  # distance of a state of a run from the last one, beside the largest, that may be a return
SAMPLES = 201  # of the periodic motion


@verb
@told("following small variations over a period")
def floquet(
    model: Noun,
    period: Scalar | None = None,
    *,
    find: bool = False,
    events: Mapping[str, str | Event] | None = None,
    maps: Mapping[str, Mapping[str, str]] | None = None,
    coordinates: KindChoice | None = None,
    parameters: Parameters | None = None,
) -> FloquetMultipliers:
    """Find the multipliers of a periodic motion: from the assembled state of a model, a pose, or the last state of a run.

    period: s. Without it, that of the formulas of time, or the time since a run was last at its last state. Where time is
    not in the equations, it may be given roughly: it is found exactly.
    find: look for a periodic motion near the state, rather than refuse a state that does not come back
    events: one event to which the motion returns, {"strike": lw.Event("b.angle - 2*a.angle", direction=1)}; maps: the state
    behind it, {"strike": {"a.angle": "-a.angle"}}, names and formulas of states before it. The period is then about that of
    one return
    coordinates, parameters: of a model; a run has its own
    """
    orbit, t, y = _begin(model, coordinates, parameters, _own_jump(events, maps))
    forced = is_forced(orbit.c)
    if forced and orbit.own is not None:
        raise RefusedError(
            "time is in the equations: their period is known, and events with maps do not give another one"
        )
    length = _period(model, orbit, period, forced)
    forced = forced or orbit.own is not None  # the return is at an event, and no period is looked for
    if find:
        y, length = _searched(orbit, t, y, length, forced)
    elif not forced:
        length = _refined(orbit, t, y, length)
    _check_closed(orbit, t, y, length, find)
    lap = orbit.lap(t, y, length)
    length = lap.period
    return _result(orbit, lap, length, forced)


def _own_jump(events: Mapping[str, str | Event] | None, maps: Mapping[str, Mapping[str, str]] | None) -> OwnJump | None:
    """The event to which a motion returns, with what happens there."""
    if not events and not maps:
        return None
    if not events or len(events) > 1:
        example = 'events={"strike": lw.Event("b.angle - 2*a.angle", direction=1)}'
        raise RefusedError(f"give one event to which the motion returns, {example}")
    ((name, event),) = events.items()
    unknown = [other for other in maps or {} if other != name]
    if unknown:
        raise UnknownNameError(f"maps: there is no event '{unknown[0]}'; {did_you_mean(unknown[0], [name])}")
    event = Event(event) if isinstance(event, str) else event
    return OwnJump(name, event, (maps or {}).get(name, {}))


def _begin(
    subject: Noun, kind: KindChoice | None, parameters: Parameters | None, own: OwnJump | None
) -> tuple[Orbit, float, Array]:
    """Where the motion starts."""
    if not isinstance(subject, Result):
        asked = subject_of(subject, "floquet")
        mechanism = asked.prepare(kind or asked.kind or "relative")
        start = asked.start(mechanism, parameters)
        t, y, p = start.time, start.y, start.p
    else:
        source = run_of(subject.source, "give its model, or the run itself")
        if parameters:
            raise RefusedError("a run has its parameters already: give them there, or take the model")
        run = source.mechanism
        mechanism = compiled(formulated(run.coordinates, None), run.program.backend)
        t, y, p = float(source.t[-1]), source.y[-1].copy(), source.p[-1] if source.p.ndim > 1 else source.p
    check_inertia(mechanism)
    orbit = Orbit(mechanism, p, own)
    if not orbit.about(t, y).basis.shape[1]:
        raise RefusedError("all degrees of freedom of the mechanism are driven: nothing can leave its motion")
    return orbit, t, y


def _period(subject: Noun, orbit: Orbit, given: Scalar | None, forced: bool) -> float:
    """The period, or a guess of it."""
    if given is not None:
        length = si(given, "time")
        if not 0.0 < length < np.inf:
            raise RefusedError(f"period = {given}: a period is a positive time such as '2 s'")
        return length
    if forced:
        return forcing_period(orbit.c, orbit.p)
    if not isinstance(subject, Result):
        raise RefusedError(
            "nothing in the equations depends on time: give the period, roughly, or a run that comes back"
        )
    source = subject.source
    assert isinstance(source, Trajectory)
    return _last_return(orbit, source)


def _last_return(orbit: Orbit, run: Trajectory) -> float:
    """The time since a run was last near its last state."""
    scale = orbit.equations.scale
    apart = np.array([np.max(np.abs(orbit.apart(y, run.y[-1])[0]) / scale) for y in run.y])
    low = [
        i for i in range(1, len(apart) - 1) if apart[i - 1] >= apart[i] < apart[i + 1] and apart[i] < NEAR * apart.max()
    ]
    if not low:
        raise RefusedError("the run does not come back to its last state: simulate longer, or give the period")
    return float(run.t[-1] - run.t[low[-1]])


def _refined(orbit: Orbit, t: float, y: Array, length: float) -> float:
    """The period at which the motion comes nearest to its start, where it is free."""
    scale = orbit.equations.scale
    for _ in range(LAPS):
        end, gap = orbit.end(t, y, length)
        rate = orbit.about(t + length, end).ydot * _kept(orbit) / scale
        step = -float(rate @ (gap / scale)) / max(float(rate @ rate), 1e-300)
        length += float(np.clip(step, -0.1 * length, 0.1 * length))
        if abs(step) <= 1e-14 * length:
            break
    return length


def _kept(orbit: Orbit) -> Array:
    """1 for states that count, 0 for counters of turns and charts."""
    found = np.zeros(orbit.c.y.numel())
    found[orbit.equations.moving] = 1.0
    return found


def _searched(orbit: Orbit, t: float, y: Array, length: float, forced: bool) -> tuple[Array, float]:
    """A state and a period near the given ones with which the motion closes."""
    best, idle = np.inf, 0
    for _ in range(LAPS):
        lap = orbit.lap(t, y, length, precise=False)
        length = lap.period if orbit.own is not None else length
        size = _size(orbit, lap.gap)
        if size <= SHUT or (size < PERIODIC and size > 0.5 * best):
            return y, length
        idle = idle + 1 if size > IMPROVED * best else 0
        best = min(best, size)
        if idle > 1:
            break
        y, length = _nearer(orbit, lap, length, forced)
    raise RefusedError(
        f"no periodic motion was found near the state: the best one still misses its start by {best:.3g}, at "
        f"'{_widest(orbit, lap.gap)}'; start nearer to it, from a run that has settled, or give another period"
    )


def _nearer(orbit: Orbit, lap: Lap, length: float, forced: bool) -> tuple[Array, float]:
    """A step of Newton's method, halved until the gap becomes smaller."""
    t, y = lap.start.t, lap.start.y
    begin = orbit.about(t, y)
    chosen = begin.independent
    units = orbit.equations.scale[chosen]
    matrix = (lap.matrix - np.eye(len(chosen))) * units / units[:, None]
    if not forced:
        matrix = np.column_stack([matrix, length * begin.ydot[chosen] / units])
    step = np.linalg.lstsq(matrix, -lap.gap[chosen] / units, rcond=SINGULAR)[0]
    if not forced:
        step *= min(1.0, LONGER / max(abs(step[-1]), 1e-300))
    found, after = y, length
    for _ in range(HALVINGS):
        after = length if forced else length * (1.0 + float(step[-1]))
        try:
            start = Start(
                y + begin.basis @ (step[: len(chosen)] * units), orbit.p.copy(), orbit.mechanism.topology.assembly
            )
            found = orbit.mechanism.settle(start, t).y
            if _size(orbit, orbit.end(t, found, after)[1]) < _size(orbit, lap.gap):
                break
        except (AssemblyError, RefusedError):
            pass
        step = step / 2
    return found, after


def _size(orbit: Orbit, gap: Array) -> float:
    return float(np.max(np.abs(gap) / orbit.equations.scale))


def _widest(orbit: Orbit, gap: Array) -> str:
    return str(orbit.c.state_names[int(np.argmax(np.abs(gap) / orbit.equations.scale))])


def _check_closed(orbit: Orbit, t: float, y: Array, length: float, found: bool) -> None:
    """Refuse a motion that does not come back, or whose forces do not."""
    end, gap = orbit.end(t, y, length)
    scale = orbit.equations.scale
    if _size(orbit, gap) > PERIODIC:
        name = _widest(orbit, gap)
        advice = "" if found else "; find=True looks for a periodic motion near it"
        raise RefusedError(
            f"the motion is not periodic: after {length:.6g} s '{name}' is off by "
            f"{gap[orbit.c.state_names.index(name)]:.3g}{advice}"
        )
    if orbit.hybrid is not None:
        return  # what holds is the same at both ends
    first, last = orbit.about(t, y).ydot, orbit.about(t + length, end).ydot
    change = np.abs(orbit.apart(y, end)[1] * last - first) * _kept(orbit) / scale
    if np.max(change) > 1e-4 * max(1.0, float(np.max(np.abs(first) / scale))):
        name = orbit.c.state_names[int(np.argmax(change))]
        raise RefusedError(
            f"the motion is not periodic: after {length:.6g} s it is where it was, but the rate of '{name}' is another one; "
            "forces that wind up, or another period of time, keep it from repeating"
        )


def _told(lap: Lap) -> tuple[str, ...]:
    """How many events the motion crosses."""
    count = len(lap.crossings)
    return (f"the motion crosses {count} event{'' if count == 1 else 's'} in a period",) if count else ()


def _largest_first(values: ComplexArray) -> ComplexArray:
    return values[np.lexsort((-values.imag, -values.real, -np.round(np.abs(values), 9)))]


def _result(orbit: Orbit, lap: Lap, length: float, forced: bool) -> FloquetMultipliers:
    """Multipliers, those of the motion itself apart, with one period of the motion as a result."""
    mechanism, (t, y, p) = orbit.mechanism, (lap.start.t, lap.start.y, lap.start.p)
    begin = orbit.about(t, y, p)
    scale = orbit.equations.scale[begin.independent]
    matrix = lap.matrix * scale / scale[:, None]
    rate = begin.ydot[begin.independent] / scale
    along = not forced and bool(np.linalg.norm(rate) > 0.0)
    if along:
        # M = [1 *; 0 M'] in a basis that begins with the motion itself
        across = null_space(rate[None, :])
        matrix = across.T @ matrix @ across
    times = np.linspace(0.0, length, SAMPLES)
    states, modes = orbit.sampled(t, y, times)
    known = known_states(mechanism, Start(y, p, mechanism.topology.assembly), t + times, states)
    source = Trajectory(mechanism, (times, *known[1:]), modes)
    name = mechanism.model.name or "mechanism"
    motion = Result(f"periodic motion of {name}", times, source, mechanism.drawing(p), model_text=mechanism.text)
    return FloquetMultipliers(
        name=name,
        period=length,
        states=tuple(orbit.c.state_names[i] for i in begin.independent),
        start=y[begin.independent],
        monodromy=lap.matrix,
        others=_largest_first(block_eigenvalues(matrix)),
        autonomous=along,
        gap=_size(orbit, lap.gap),
        error=lap.error,
        motion=motion,
        notes=(*remarks(mechanism.coordinates, p), *_told(lap)),
    )
