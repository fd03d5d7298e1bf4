"""Why a run ended, in words that name the element of the model."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.prepare import Mechanism
from linkwork.numerics.constrained import last_failure
from linkwork.numerics.integrators.flow import Flow
from linkwork.numerics.integrators.solution import Solution
from linkwork.numerics.integrators.solution import Status as RunStatus
from linkwork.results.outcome import Outcome, Status
from linkwork.topology.analyse import condition_rows
from linkwork.topology.geometry import Pose

Array = NDArray[np.float64]
SINGULAR = 1e-2  # relative size of the last singular value under which a position is called singular


def explain(mechanism: Mechanism, flow: Flow, solution: Solution, p: Array, events: Sequence[str]) -> Outcome:
    """Turn the status of an integration into an outcome with its reason and element."""
    time = solution.t_reached
    match solution.status:
        case RunStatus.COMPLETED:
            return Outcome(Status.COMPLETED, "", time)
        case RunStatus.EVENT:
            last = solution.events[-1]
            return Outcome(Status.STOPPED_BY_EVENT, f"event '{events[last.index]}'", last.t, events[last.index])
        case RunStatus.INTERRUPTED:
            return Outcome(Status.INTERRUPTED, "the run was interrupted; what it had reached is kept", time)
        case RunStatus.TOO_MANY_STEPS:
            return Outcome(Status.STOPPED_EARLY, solution.status.value, time)
    culprit = _undefined_element(mechanism, solution, p)
    if culprit:
        reason = f"'{culprit}' gives an infinite or undefined value; check its formula"
        return Outcome(Status.STOPPED_EARLY, reason, time, culprit)
    joint = _singular_joint(mechanism, solution, p)
    if joint:
        reason = (
            f"singular position: the motion at joint {joint} is no longer determined by the loops and drivers "
            "(dead centre, end of the range, or a branching of the motion)"
        )
        return Outcome(Status.STOPPED_EARLY, reason, time, joint)
    return _from_failure(mechanism, flow, solution)


def _from_failure(mechanism: Mechanism, flow: Flow, solution: Solution) -> Outcome:
    failure = last_failure(flow) if solution.failure else None
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
    poses = poses_at(mechanism, solution.t_reached, solution.y_reached, p)
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


def poses_at(mechanism: Mechanism, t: float, y: Array, p: Array) -> dict[str, Pose]:
    """The poses of all bodies in a state."""
    c = mechanism.coordinates
    frames = [c.kinematics.frames[name] for name in c.geometry.bodies]
    outputs = [ca.densify(item) for frame in frames for item in (frame.origin, frame.axes)]
    found = [
        np.array(item) for item in ca.Function("poses", [c.t, c.y, c.p], outputs).call([ca.DM(t), ca.DM(y), ca.DM(p)])
    ]
    poses = {}
    for i, name in enumerate(c.geometry.bodies):
        origin, axes = found[2 * i].ravel(), found[2 * i + 1]
        angle = float(np.arctan2(axes[1, 0], axes[0, 0])) if c.space.planar else None
        poses[name] = Pose(origin, axes, angle)
    return poses
