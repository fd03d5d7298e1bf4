"""``find_limits(model)``: how far a mechanism with one freedom moves, and ``limit_near``: the limit just ahead.

The motion is followed from the assembled position through all its positions (``tracing``, ``circuit``). A coordinate q
turns back where its rate along the curve passes through zero; there the joint cannot be driven any further, because all
conditions allow a motion that leaves it at rest: a dead centre.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, pi

import numpy as np

from linkwork.closed_form.limits import Range
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.model.remarks import unfelt, untouched
from linkwork.numerics.matrices.many_matrices import multipliers
from linkwork.position.circuit import LONGEST, Continuation, Trace, trace, turning_point
from linkwork.position.drives import FreedomName
from linkwork.position.geometry import GROUND, Array
from linkwork.position.poses import Poses
from linkwork.position.tracing import Point, PoseCurve, TracedStep
from linkwork.topology.analyse import analyse
from linkwork.topology.limits.linkage_class import find_class
from linkwork.topology.limits.motion_limits import BranchPoint, CoordinateLimits, MotionLimits, TurningPoint
from linkwork.topology.topology import Topology

STILL = 1e-9  # rate (over the size of the mechanism, rad) below which a reading counts as at rest
OFFSET = 0.0371  # from the assembled position to where the walk begins: a drawn position is often a dead centre
NEARBY = 0.7  # length of curve on which a limit is looked for


def find_limits(model: Model | Topology, input: str | None = None, *, max_steps: int = LONGEST) -> MotionLimits:
    """Follow the only motion of a mechanism and find the ranges, dead centres and branch points of its coordinates.

    input: a joint, or a coordinate such as 'O.angle', against which positions are given; by default the driven joint,
    else the first joint at the ground. Drivers are left out: they could move the mechanism anywhere. Where there are several
    motions, those with a constant position hold.
    max_steps: how long the motion is followed, each way. A circuit may take hundreds of turns of a gear; where it does not
    come round by then, ranges are what was seen on the way, and say so.
    """
    if max_steps < 1:
        raise RefusedError(f"max_steps = {max_steps}: give a positive number, such as {LONGEST}")
    topology = analyse(model) if isinstance(model, Model) else model
    topology.geometry.require_shape(topology.geometry.bodies, "limits of motions")
    freedoms, poses = topology.mobility.by_rank, topology.assembly.poses
    steady = _steady(topology, input) if freedoms > 1 else []
    held = [_reading(topology, *key) for key in steady]
    curve = PoseCurve(topology.conditions, freedoms, poses, topology.geometry.defaults, held)
    driving = _input(topology, input, steady)
    start = _only_motion(topology, curve)
    if start.rates[driving] < 0:
        start = start.backwards()
    traces = _both_ways(curve, start, max_steps)
    course = max((part.course for part in traces), key=list(Continuation).index, default=Continuation.ENDED)
    shown = [i for i in range(len(curve.readings)) if curve.of_joints[i]]
    names = {i: f"{curve.readings[i].element}.{curve.readings[i].name}" for i in shown}
    return MotionLimits(
        input=names[driving],
        coordinates={names[i]: _coordinate(curve, start, traces, i, driving) for i in shown},
        branch_points=tuple(_branch_points(traces, names, driving)),
        course=course,
        kind=find_class(topology, curve.readings[driving].element),
        name=topology.model.name or "",
        notes=(
            *topology.remarks,
            *unfelt(topology.model, stops=False, rubs=False),
            *untouched(topology.model),
            *_told(steady),
        ),
    )


def _steady(topology: Topology, input: str | None) -> list[FreedomName]:
    """Coordinates that drivers hold where they are, but for that of the input."""
    named = "" if input is None else topology.model.named(input)
    constant = (
        topology.drives.keys[name]
        for name, driver in topology.drives.drivers.items()
        if driver.position is not None and "t" not in driver.position.names()
    )
    return [key for key in constant if named not in (key[0], ".".join(key))]


def _told(steady: Sequence[FreedomName]) -> tuple[str, ...]:
    names = ", ".join(".".join(key) for key in steady)
    return (f"held by drivers with a constant position: {names}",) if steady else ()


def _only_motion(topology: Topology, curve: PoseCurve) -> Point:
    """The assembled position on the curve; refuses mechanisms that have no motion or several."""
    start = curve.start() if curve.freedoms > 0 else None
    count = 0 if start is None else len(curve.moving(start.kernel, start.reading_rows))
    if start is not None and count == 1:
        return start
    name = topology.model.name or "the mechanism"
    if count == 0:
        raise RefusedError(f"{name} has no degree of freedom that moves a joint, so there is no motion to follow")
    raise RefusedError(
        f"{name} has {count} degrees of freedom at its assembled position, and limits are found along a single motion; "
        f"hold {count - 1} of them with fixed joints, couplings or drivers at a constant position, or, where a branch point "
        "is drawn, draw the sketch beside it"
    )


def _input(topology: Topology, name: str | None, held: Sequence[FreedomName]) -> int:
    """The reading against which positions are given; none that is *held*, unless it is named."""
    conditions, model = topology.conditions, topology.model
    shown = {
        f"{reading.element}.{reading.name}": i
        for i, reading in enumerate(conditions.readings)
        if reading.element in model.joints and not reading.rate_only
    }
    if name is None:
        driven = [".".join(key) for key in topology.drives.keys.values()]
        grounded = [key for key, i in shown.items() if GROUND in model.joints[conditions.readings[i].element].bodies]
        still = {".".join(key) for key in held}
        wanted = [name for name in (*driven, *grounded, *shown) if name not in still]
        if not wanted:
            raise RefusedError(f"{model.name or 'the mechanism'} has no joint coordinate whose limits could be found")
        return shown[wanted[0]]
    name = model.named(name)
    matching = [i for key, i in shown.items() if name in (key, conditions.readings[i].element)]
    if not matching:
        raise UnknownNameError(f"input '{name}' is no coordinate of a joint; {did_you_mean(name, list(shown))}")
    return matching[0]


def _both_ways(curve: PoseCurve, start: Point, longest: int) -> tuple[Trace, ...]:
    """The motion from a point beside the assembled position, backwards too where it does not come round."""
    beside = (curve.advance(start, OFFSET * shorter) for shorter in (1.0, 0.1, 0.01))
    base = next((point for point in beside if point is not None), None)
    if base is None:
        return ()
    forward = trace(curve, base, longest)
    if forward.course is Continuation.CLOSED:
        return (forward,)
    return forward, trace(curve, base.backwards(), longest)


def _coordinate(curve: PoseCurve, start: Point, traces: Sequence[Trace], i: int, driving: int) -> CoordinateLimits:
    """The limits of one reading, from the points where its rate vanishes and from how the motion ends."""
    reading = curve.readings[i]
    found = [list(_dead_centres(curve, part, i, driving)) for part in traces]
    # the way back is walked in the other direction
    dead = [*(point for back in found[1:] for point in reversed(back)), *(found[0] if found else ())]
    turns, ends = 0, [point.value for point in dead]
    endless = any(part.course is Continuation.ENDLESS for part in traces)
    if traces and (traces[0].course is Continuation.CLOSED or endless):
        change = traces[0].last.values[i] - traces[0].steps[0].start.values[i]
        whole = round(float(change) / (2 * pi)) if not endless else int(float(change) / (2 * pi))
        turns = whole if reading.wraps else 0
    if traces and traces[0].course is not Continuation.CLOSED:
        ends += [_end_value(part, i, bool(back)) for part, back in zip(traces, found, strict=True) if part.steps]
    reached = [float(start.values[i]), *ends]
    limits = Range(-pi, pi) if turns else Range(min(reached), max(reached))
    certain = not endless or bool(turns) or limits.width == inf
    return CoordinateLimits(
        reading.element,
        reading.name,
        reading.angular,
        float(start.values[i]),
        limits,
        turns,
        tuple(dead),
        certain,
        float(curve.scale[i]),
    )


def _dead_centres(curve: PoseCurve, part: Trace, i: int, driving: int) -> Iterator[TurningPoint]:
    for step in part.steps:
        if _turns_back(curve, step, i):
            values = turning_point(curve, step, i).values
            yield TurningPoint(float(values[i]), float(values[driving]))


def _turns_back(curve: PoseCurve, step: TracedStep, i: int) -> bool:
    a, b = step.start.rates[i] / curve.scale[i], step.end.rates[i] / curve.scale[i]
    return bool(a * b < 0 and max(abs(a), abs(b)) > STILL)


def _end_value(part: Trace, i: int, turned: bool) -> float:
    """Where a reading goes when the motion does not return: to infinity, to its last value, or to an asymptote.

    One that has *turned* back on a motion without an end goes to and fro: it has a range, as far as was seen.
    """
    values = np.array([part.steps[0].start.values[i], *(step.end.values[i] for step in part.steps)])
    arc = np.concatenate([[0.0], np.cumsum([step.length for step in part.steps])])
    last, rate = float(values[-1]), float(part.last.rates[i])
    if part.course is Continuation.ENDED or (part.course is Continuation.ENDLESS and turned):
        return last
    # a reading that moves on in the second half as it did in the first has no bound
    second = last - float(np.interp(arc[-1] / 2, arc, values))
    if abs(second) > 0.2 * float(np.ptp(values)) and second * rate > 0:
        return inf if second > 0 else -inf
    # q ≈ q∞ − c/s far out, so that q∞ ≈ q + s dq/ds
    return last + float(arc[-1]) * rate if part.course is Continuation.UNBOUNDED else last


def _branch_points(traces: Sequence[Trace], names: dict[int, str], driving: int) -> Iterator[BranchPoint]:
    for part in traces:
        for step in part.steps:
            if step.branch is not None:
                values = step.start.values + step.branch * step.start.rates
                yield BranchPoint(float(values[driving]), {name: float(values[i]) for i, name in names.items()})


@dataclass(frozen=True, eq=False)
class Limit:
    """A limit of a driven coordinate.

    value: the coordinate there, rad or m, counted from the position where the search began; ahead: from there to here
    joints: those that carry a push on the driven one and still give way, so that it is pushed in vain
    """

    value: float
    ahead: float
    poses: Poses
    joints: tuple[str, ...]


def limit_near(
    topology: Topology,
    poses: Poses,
    p: Array,
    joint: str,
    freedom: str | None = None,
    *,
    sense: int = 0,
    held: Sequence[tuple[str, str | None]] = (),
) -> Limit | None:
    """The limit of a joint coordinate just ahead of a position in which all joints are closed; None if there is none.

    sense: +1 or −1 for the direction in which the coordinate is driven, 0 for the nearer limit
    held: other coordinates (joint, freedom) that keep their values on the way, such as those of other drivers
    """
    reading, *fixed = (_reading(topology, *item) for item in ((joint, freedom), *held))
    curve = PoseCurve(topology.conditions, topology.mobility.by_rank, poses, p, fixed)
    point = curve.start() if curve.freedoms > 0 else None
    if point is None:
        return None
    uphill = point.reading_rows[reading] @ point.kernel.T @ point.kernel
    found = [
        _limit_ahead(topology, curve, curve.start(way * uphill), reading, way)
        for way in ((1, -1) if sense == 0 else (sense,))
    ]
    return min((limit for limit in found if limit is not None), key=lambda limit: abs(limit.ahead), default=None)


def _limit_ahead(topology: Topology, curve: PoseCurve, start: Point | None, reading: int, way: int) -> Limit | None:
    """The limit that a reading reaches when it goes *way* (+1 or −1), if it does so nearby."""
    if start is None:
        return None
    arc, first = 0.0, float(start.values[reading])
    for step in curve.steps(start, 0.01):
        if way * step.end.rates[reading] < 0:
            # a start that goes no way is itself the limit
            inside = way * step.start.rates[reading] > 0
            point = turning_point(curve, step, reading) if inside else step.start
            # with several motions the curve is one of many: the reading must be at rest in all of them
            left = point.reading_rows[reading] @ point.kernel.T / curve.scale[reading]
            if float(np.max(np.abs(left))) > 1e-6:
                return None
            value = float(point.values[reading])
            return Limit(value, value - first, point.poses, _locked(topology, curve, point, reading))
        arc += step.length
        if arc > NEARBY:
            return None
    return None


def _locked(topology: Topology, curve: PoseCurve, point: Point, reading: int) -> tuple[str, ...]:
    """The joints that carry a push on the reading, ∂q/∂δ = λᵀ J, and still move."""
    push = multipliers(point.rows, point.reading_rows[reading] / curve.scale[reading])
    labels = curve.conditions.labels
    carried = {label.element for label, size in zip(labels, push, strict=False) if abs(size) > 1e-6}
    moving = {r.element for i, r in enumerate(curve.readings) if abs(point.rates[i]) > 1e-6 * curve.scale[i]}
    return tuple(name for name in topology.model.joints if name in carried & moving)


def _reading(topology: Topology, joint: str, freedom: str | None) -> int:
    return topology.conditions.index(joint, freedom or topology.model.joints[joint].freedoms[0].name)
