"""Why a run ended, in words that name the element of the model."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.prepare import Mechanism
from linkwork.numerics.integrators.flow import Flow
from linkwork.numerics.integrators.solution import Solution
from linkwork.numerics.integrators.solution import Status as RunStatus
from linkwork.results.outcome import Outcome, Status
from linkwork.topology.analyse import condition_rows
from linkwork.topology.geometry import Pose
from linkwork.topology.limits import limit_near

Array = NDArray[np.float64]
AHEAD = 1e-2  # rad, or part of the size of the mechanism: a limit this near is what stopped a driver
SINGULAR = 1e-2  # relative size of the last singular value under which a position is called singular


def explain(mechanism: Mechanism, flow: Flow, solution: Solution, p: Array, events: Sequence[str]) -> Outcome:
    """Turn the status of an integration into an outcome with its reason and element."""
    time = solution.t_reached
    match solution.status:
        case RunStatus.COMPLETED:
            return Outcome(Status.COMPLETED, "", time)
        case RunStatus.EVENT:
            last = solution.events[-1]
            if last.index >= len(events):
                return _ended(mechanism, last.index - len(events), last.t)
            return Outcome(Status.STOPPED_BY_EVENT, f"event '{events[last.index]}'", last.t, events[last.index])
        case RunStatus.INTERRUPTED:
            return Outcome(Status.INTERRUPTED, "the run was interrupted; what it had reached is kept", time)
        case RunStatus.TOO_MANY_STEPS:
            return Outcome(Status.STOPPED_EARLY, solution.status.value, time)
    culprit = _undefined_element(mechanism, solution, p)
    if culprit:
        reason = f"'{culprit}' gives an infinite or undefined value; check its formula"
        return Outcome(Status.STOPPED_EARLY, reason, time, culprit)
    past = _past_limit(mechanism, solution, p)
    if past is not None:
        return past
    joint = _singular_joint(mechanism, solution, p)
    if joint:
        reason = (
            f"singular position: the motion at joint {joint} is no longer determined by the loops and drivers "
            "(dead centre, end of the range, or a branching of the motion)"
        )
        return Outcome(Status.STOPPED_EARLY, reason, time, joint)
    return _from_failure(mechanism, flow, solution)


def _ended(mechanism: Mechanism, index: int, time: float) -> Outcome:
    """The relation that has come to its end."""
    name, bound = mechanism.coordinates.bounds[index]
    return Outcome(Status.STOPPED_EARLY, f"relation '{name}' has come to {bound.end}", time, name)


def _from_failure(mechanism: Mechanism, flow: Flow, solution: Solution) -> Outcome:
    failure = mechanism.equations.scheme.failure(flow) if solution.failure else None
    if failure is None:
        return Outcome(Status.STOPPED_EARLY, solution.status.value, solution.t_reached)
    labels, names = mechanism.coordinates.labels, mechanism.coordinates.kinematics.v_names
    element, where = "", ""
    if failure.row is not None:
        element, where = labels[failure.row].element, f" at {labels[failure.row]}"
    elif failure.coordinate is not None:
        element, where = names[failure.coordinate].split(".")[0], f" at {names[failure.coordinate]}"
    return Outcome(Status.STOPPED_EARLY, f"{failure.message}{where}", solution.t_reached, element)


def _undefined_element(mechanism: Mechanism, solution: Solution, p: Array) -> str:
    """The force or driver whose value is not finite just after the last state."""
    c = mechanism.coordinates
    suspects = dict(c.loading.by_element)
    suspects |= {row.label.element: row.residual for row in c.rows if row.label.kind == "driver"}
    if not suspects:
        return ""
    f = ca.Function("suspects", [c.t, c.y, c.p], [ca.densify(value) for value in suspects.values()])
    later = solution.t_reached + 1e-6 * max(1.0, abs(solution.t_reached))
    for time in (solution.t_reached, later):
        found = f.call([ca.DM(time), ca.DM(solution.y_reached), ca.DM(p)])
        for name, values in zip(suspects, found, strict=True):
            if not np.all(np.isfinite(np.array(values))):
                return name
    return ""


def _singular_joint(mechanism: Mechanism, solution: Solution, p: Array) -> str:
    """The joint that moves most in a motion which the loops and drivers just fail to prevent, if there is one."""
    topology = mechanism.topology
    conditions = topology.conditions
    values = p[: len(topology.geometry.defaults)]
    poses = poses_at(mechanism, solution, p)
    rows = condition_rows(topology.model, conditions, poses, values)
    rank = conditions.size - topology.mobility.free
    if rank == 0:
        return ""
    _, sizes, motions = np.linalg.svd(rows.all)
    if len(sizes) < rank or sizes[rank - 1] > SINGULAR * sizes[0]:
        return ""
    moved = np.abs(rows.readings @ motions[rank - 1])
    joints = [
        (moved[i], reading.element)
        for i, reading in enumerate(conditions.readings)
        if reading.element in topology.model.joints
    ]
    return max(joints)[1] if joints else ""


def _past_limit(mechanism: Mechanism, solution: Solution, p: Array) -> Outcome | None:
    """The driver that pushes its joint past a dead centre just ahead of the last state, if one does; the fastest."""
    drivers = mechanism.model.joint_drivers
    poses = poses_at(mechanism, solution, p) if drivers else {}
    speeds = {name: _driven(mechanism, solution, p, name) for name in drivers}
    for name, (value, rate, unit) in sorted(speeds.items(), key=lambda item: -abs(item[1][1]) / item[1][2]):
        others = [(other.joint, other.freedom) for key, other in drivers.items() if key != name]
        limit = limit_near(
            mechanism.topology,
            poses,
            p[: len(mechanism.topology.geometry.defaults)],
            drivers[name].joint,
            drivers[name].freedom,
            sense=int(np.sign(rate)),
            held=others,
        )
        # a step of fixed size ends before the limit, by as much as it would have gone
        last_step = float(np.diff(solution.step_times)[-1]) if len(solution.step_times) > 1 else 0.0
        if limit is not None and abs(limit.ahead) < max(AHEAD * unit, 2 * abs(rate) * last_step):
            reason = _limit_text(mechanism, name, value + limit.ahead, limit.joints)
            where = (solution.t_reached, drivers[name].joint, value + limit.ahead)
            return Outcome(Status.STOPPED_EARLY, reason, *where)
    return None


def _driven(mechanism: Mechanism, solution: Solution, p: Array, name: str) -> tuple[float, float, float]:
    """Value and rate of a driven coordinate in the last state, and its unit: 1 rad, or the size of the mechanism."""
    driver = mechanism.model.joint_drivers[name]
    freedom = driver.freedom or mechanism.model.joints[driver.joint].freedoms[0].coordinate
    coordinate = mechanism.coordinates.motion.coordinates[driver.joint, freedom]
    value, rate = _values(mechanism, solution, p, [coordinate.value, coordinate.rate])
    unit = 1.0 if coordinate.kind == "angle" else mechanism.topology.conditions.length
    return float(value[0, 0]), float(rate[0, 0]), unit


def _limit_text(mechanism: Mechanism, name: str, value: float, locked: Sequence[str]) -> str:
    driver = mechanism.model.joint_drivers[name]
    freedoms = mechanism.model.joints[driver.joint].freedoms
    freedom = driver.freedom or freedoms[0].coordinate
    angular = next(f.angular for f in freedoms if f.coordinate == freedom)
    which = driver.joint if len(freedoms) == 1 else f"{driver.joint}.{freedom}"
    number = f"{np.degrees(value):.12g} deg ({value:.12g} rad)" if angular else f"{value:.12g} m"
    others = ", the other drivers where they are" if len(mechanism.model.joint_drivers) > 1 else ""
    where = f" (dead centre of {_listed(locked)}{others})" if locked else ""
    return f"driver '{name}' drives joint {which} past its limit of {number}: the loop cannot close beyond it{where}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _values(mechanism: Mechanism, solution: Solution, p: Array, expressions: Sequence[ca.SX]) -> list[Array]:
    """Expressions of the state, in the last state."""
    c = mechanism.coordinates
    f = ca.Function("values", [c.t, c.y, c.p], [ca.densify(ca.SX(item)) for item in expressions])
    return [np.array(item) for item in f.call([ca.DM(solution.t_reached), ca.DM(solution.y_reached), ca.DM(p)])]


def poses_at(mechanism: Mechanism, solution: Solution, p: Array) -> dict[str, Pose]:
    """The poses of all bodies in the last state, and the unknowns of the relations."""
    c = mechanism.coordinates
    frames = [c.kinematics.frames[name] for name in c.geometry.bodies]
    outputs = [ca.densify(item) for frame in frames for item in (frame.origin, frame.axes)]
    found = _values(mechanism, solution, p, outputs)
    poses = {}
    for i, name in enumerate(c.geometry.bodies):
        origin, axes = found[2 * i].ravel(), found[2 * i + 1]
        angle = float(np.arctan2(axes[1, 0], axes[0, 0])) if c.space.planar else None
        poses[name] = Pose(origin, axes, angle)
    own = {name: unknowns for name, unknowns in c.unknowns.items() if unknowns.numel()}
    for name, values in zip(own, _values(mechanism, solution, p, list(own.values())), strict=True):
        poses[name] = Pose(values.ravel(), np.zeros((0, 0)))
    return poses
