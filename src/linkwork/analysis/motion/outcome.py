"""Why a run ended, in words that name the element of the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from linkwork.analysis.motion.effort import RunEffort
from linkwork.analysis.motion.folds import fold_at
from linkwork.analysis.motion.singular import diagnose_state, poses_of, state_values
from linkwork.analysis.motion.undefined import undefined_ahead
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.coordinates.undefined import Undefined
from linkwork.equations.formulations import Partitioning
from linkwork.numerics.flows.constrained import last_failure
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.newton import FAILURES as NEWTON_FAILURES
from linkwork.numerics.integrators.solution import RunStatus, Solution
from linkwork.numerics.kernels.constrained.codes import DEPENDENT_SINGULAR, RANK_CHANGED
from linkwork.results.outcome import Outcome, Status
from linkwork.topology.limits.limits import limit_near
from linkwork.topology.mobility.singularity import Diagnosis

TURN = 2 * np.pi
AHEAD = 1e-2  # rad, or part of the size of the mechanism: a limit this near is what stopped a driver
SINGULAR = (
    1e-4,
    1e-3,
    1e-2,
)  # singular values that count as lost where a run has stopped, the smallest that tells first:
# large mechanisms have some below the last one in every position


class Reached(Protocol):
    """How far a run has come: the time, the state (n) there, and the ends of its steps."""

    @property
    def t_reached(self) -> float: ...
    @property
    def y_reached(self) -> Array: ...
    @property
    def step_times(self) -> Array: ...


def explain(
    mechanism: Mechanism,
    flow: Flow,
    solution: Solution,
    p: Array,
    events: Sequence[str],
    effort: RunEffort | None = None,
) -> Outcome:
    """Turn the status of an integration into an outcome with its reason and element; *effort*: what it may have cost."""
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
        case RunStatus.TOO_MANY_STEPS if effort is not None:
            return Outcome(Status.STOPPED_EARLY, effort.too_many_steps(mechanism, flow, solution), time)
    culprit = undefined_ahead(mechanism, flow, solution, p)
    if culprit is not None:
        return stopped_at(culprit, time)
    known = bool(np.all(np.isfinite(solution.y_reached)))
    past = past_limit(mechanism, solution, p) if known else None
    if past is not None:
        return past
    near = _singular(mechanism, time, solution.y_reached, p) if known else None
    if near is not None:
        return Outcome(Status.STOPPED_EARLY, f"singular position, {near}{_passing(mechanism)}", time, near.joints[0])
    if effort is not None and not solution.failure and solution.status is RunStatus.STEP_TOO_SMALL:
        return Outcome(Status.STOPPED_EARLY, effort.too_short_steps(mechanism, flow, solution), time)
    found = _from_failure(mechanism, flow, solution)
    if effort is None or effort.step is None:
        return found
    return replace(
        found, reason=f"{found.reason}; a fixed_step of less than {effort.step:g} s, or adaptive ones, may go on"
    )


def _singular(mechanism: Mechanism, time: float, y: Array, p: Array) -> Diagnosis | None:
    """The singular position that a state is near to, if there is one."""
    found = (diagnose_state(mechanism, time, y, p, near=near) for near in SINGULAR)
    return next((diagnosis for diagnosis in found if diagnosis.singular), None)


def stopped_at(culprit: Undefined, time: float | None = None) -> Outcome:
    """A run that ends where something has no value; *time*: how far it came, unless it ends there."""
    reached = culprit.time if time is None else time
    same = abs(culprit.time - reached) < 1e-6 * max(1.0, abs(reached))
    return Outcome(Status.STOPPED_EARLY, culprit.told() if same else str(culprit), reached, culprit.element)


def _ended(mechanism: Mechanism, index: int, time: float) -> Outcome:
    """The relation, the force or the body that has come to its end."""
    c = mechanism.coordinates
    name, bound = c.bounds[index]
    return Outcome(Status.STOPPED_EARLY, f"{c.told(name)} has come to {bound.end}", time, name)


def _from_failure(mechanism: Mechanism, flow: Flow, solution: Solution) -> Outcome:
    if solution.failure in NEWTON_FAILURES:
        reason = f"{NEWTON_FAILURES[solution.failure]}{_instead(mechanism)}"
        return Outcome(Status.STOPPED_EARLY, reason, solution.t_reached)
    failure = last_failure(flow) if solution.failure else None
    if failure is None:
        return Outcome(Status.STOPPED_EARLY, solution.status.value, solution.t_reached)
    labels, names = mechanism.coordinates.labels, mechanism.coordinates.kinematics.v_names
    element, where = "", ""
    if failure.row is not None:
        element, where = labels[failure.row].element, f" at {labels[failure.row]}"
    elif failure.coordinate is not None:
        element, where = names[failure.coordinate].split(".")[0], f" at {names[failure.coordinate]}"
    remedy = _passing(mechanism) if solution.failure == RANK_CHANGED else ""
    remedy = _instead(mechanism) if solution.failure == DEPENDENT_SINGULAR else remedy
    return Outcome(Status.STOPPED_EARLY, f"{failure.message}{where}{remedy}", solution.t_reached, element)


def _passing(mechanism: Mechanism) -> str:
    """What passes singular positions, where the formulation of a run does not."""
    passes = mechanism.equations.formulation.able.singular_positions
    return "" if passes else f"; the formulation '{Partitioning.name}' passes such positions on their branch"


def _instead(mechanism: Mechanism) -> str:
    """What chooses its independent coordinates anew, where other equations cannot be solved."""
    if mechanism.equations.formulation.name == Partitioning.name:
        return ""
    return f"; the formulation '{Partitioning.name}', which chooses independent coordinates anew, may go on"


def past_limit(mechanism: Mechanism, solution: Reached, p: Array) -> Outcome | None:
    """The driver that pushes its joint past a dead centre just ahead of the last state, if one does, the fastest; or the
    relation that moves the mechanism into its fold."""
    drivers = mechanism.topology.drives.keys
    poses = poses_of(mechanism, solution.t_reached, solution.y_reached, p) if drivers else {}
    speeds = {name: _driven(mechanism, solution, p, name) for name in drivers}
    for name, (value, rate, unit) in sorted(speeds.items(), key=lambda item: -abs(item[1][1]) / item[1][2]):
        others = [other for key, other in drivers.items() if key != name]
        limit = limit_near(
            mechanism.topology,
            poses,
            p[: len(mechanism.topology.geometry.defaults)],
            *drivers[name],
            sense=int(np.sign(rate)),
            held=others,
        )
        # a step of fixed size ends before the limit, by as much as it would have gone
        last_step = float(np.diff(solution.step_times)[-1]) if len(solution.step_times) > 1 else 0.0
        if limit is not None and abs(limit.ahead) < max(AHEAD * unit, 2 * abs(rate) * last_step):
            # of the closed loop, which that of the state need not be; turns are those of the state
            turns = round((value + limit.ahead - limit.value) / TURN) * TURN if _angular(mechanism, name) else 0.0
            reason = _limit_text(mechanism, name, limit.value + turns, limit.joints)
            return Outcome(Status.STOPPED_EARLY, reason, solution.t_reached, drivers[name][0], limit.value + turns)
    fold = fold_at(mechanism, solution.t_reached, solution.y_reached, p)
    return None if fold is None else Outcome(Status.STOPPED_EARLY, str(fold), solution.t_reached, fold.relation)


def stuck(mechanism: Mechanism, time: float, y: Array, p: Array) -> tuple[str, str]:
    """Why inputs cannot move any further, and the name of one of them: of those at a dead centre the fastest."""
    speeds = _speeds(mechanism, time, y, p)
    near = _singular(mechanism, time, y, p)
    dead = {_input_name(mechanism, name) for name in near.inputs} if near is not None else set()
    moving = [name for name, speed in speeds.items() if speed > 0.0 and (name in dead or not dead)]
    moving.sort(key=lambda name: -speeds[name])
    if near is None or not dead or not moving:
        who = _listed(moving) if moving else "the inputs"
        why = str(near) if near is not None else "conditions lose their independence there, or cannot be closed beyond"
        return f"{who} cannot move any further: {why}", moving[0] if moving else ""
    held = [name for name in dead if name not in moving]
    beside = (
        f", {_listed(sorted(held))} where it is" if len(held) == 1 else ", the others where they are" if held else ""
    )
    return f"{_listed(moving)} can go no further: dead centre of {_listed(near.joints)}{beside}", moving[0]


def _speeds(mechanism: Mechanism, time: float, y: Array, p: Array) -> dict[str, float]:
    """How fast conditions move by themselves, by the names of their drivers and inputs."""
    c, found = mechanism.coordinates, dict[str, float]()
    known = {*mechanism.topology.drives.names}
    for label, rate in zip(c.labels, state_values(mechanism, time, y, p, [c.a])[0].ravel(), strict=True):
        if label.element in known:
            name = _input_name(mechanism, label.element)
            found[name] = max(found.get(name, 0.0), abs(float(rate)))
    return found


def _input_name(mechanism: Mechanism, name: str) -> str:
    """A driver of the model by its name, an input of an analysis by its coordinate."""
    drives = mechanism.topology.drives
    joint = mechanism.model.joints.get(drives.inputs[name][0]) if name in drives.inputs else None
    if joint is None or name in mechanism.model.joint_drivers:
        return name
    return drives.inputs[name][0] if len(joint.freedoms) == 1 else ".".join(drives.inputs[name])


def _driven(mechanism: Mechanism, solution: Reached, p: Array, name: str) -> tuple[float, float, float]:
    """Value and rate of a driven coordinate in the last state, and its unit: 1 rad, or the size of the mechanism."""
    coordinate = mechanism.coordinates.motion.coordinates[mechanism.topology.drives.keys[name]]
    wanted = [coordinate.value, coordinate.rate]
    value, rate = state_values(mechanism, solution.t_reached, solution.y_reached, p, wanted)
    unit = 1.0 if coordinate.kind == "angle" else mechanism.topology.conditions.length
    return float(value[0, 0]), float(rate[0, 0]), unit


def _limit_text(mechanism: Mechanism, name: str, value: float, locked: Sequence[str]) -> str:
    joint, freedom = mechanism.topology.drives.keys[name]
    which = joint if len(mechanism.model.joints[joint].freedoms) == 1 else f"{joint}.{freedom}"
    number = f"{np.degrees(value):.12g} deg ({value:.12g} rad)" if _angular(mechanism, name) else f"{value:.12g} m"
    others = ", the other drivers where they are" if len(mechanism.topology.drives.keys) > 1 else ""
    where = f" (dead centre of {_listed(locked)}{others})" if locked else ""
    known = name in mechanism.model.joint_drivers
    who = f"driver '{name}' drives joint {which}" if known else f"input {which} goes"
    return f"{who} past its limit of {number}: the loop cannot close beyond it{where}"


def _angular(mechanism: Mechanism, name: str) -> bool:
    """Whether what a driver drives is an angle."""
    joint, freedom = mechanism.topology.drives.keys[name]
    return next(f.angular for f in mechanism.model.joints[joint].freedoms if f.name == freedom)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
