"""``solve_kinematics(model, inputs)``: where a mechanism goes when its inputs move, with velocities, accelerations and jerk.

No integration: every position is a finite displacement from the last one, by Newton's method on the conditions Φ(q, t) = 0
(``numerics/displacement.py``), or by the closed forms of its loops where there are some.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.expressions import to_float
from linkwork.algebra.units import si
from linkwork.analysis.assemble import assemble
from linkwork.analysis.kinematic_inputs import Driven, Input, check_inputs, drive_inputs, explain_inputs
from linkwork.analysis.kinematic_trajectory import KinematicTrajectory
from linkwork.analysis.outcome import past_limit
from linkwork.analysis.prepare import Mechanism, Start, prepare
from linkwork.coordinates.numbering import KindChoice
from linkwork.equations.prescribed import prescribed_functions
from linkwork.errors import AssemblyError, ModelError, RefusedError, did_you_mean
from linkwork.model import Model
from linkwork.numerics.closure import rank_report
from linkwork.numerics.displacement import METHODS, Displacements, PrescribedSystem, complete, follow
from linkwork.results.outcome import Outcome, Status
from linkwork.results.result import Result

Array = NDArray[np.float64]
CLOSED_FORM = "closed_form"
LARGEST = 60  # iterations of one displacement


def solve_kinematics(
    model: Model,
    inputs: Mapping[str, Input] | None = None,
    *,
    until: float | str | None = None,
    times: Sequence[float] | Array | None = None,
    coordinates: KindChoice = "relative",
    method: str | None = None,
    prediction: int = 2,
    tolerance: float = 1e-12,
    parameters: Mapping[str, float | str] | None = None,
) -> Result:
    """Move the inputs of a mechanism and find its positions, velocities, accelerations and jerks.

    inputs: by joint ('O') or coordinate ('O.angle'): a formula of t ("2*pi*t", "30 deg"), or one row of values, which then
    stands for the time: derivatives are those with respect to this coordinate. Drivers of the model move the rest.
    until, times: the end, or all times.
    method: 'newton', 'damped', 'modified' (the matrix of the last position), 'least_squares', or 'closed_form'; by default
    the closed form of all loops where there is one, and 'modified' elsewhere.
    prediction: order of the first approximation, 0 to 2; tolerance: of all conditions, as a part of the size.

    A displacement that fails is divided; where an input comes to a dead centre the result ends, and names joint and limit.
    """
    known = [*METHODS, CLOSED_FORM]
    if method is not None and method not in known:
        raise RefusedError(f"unknown method '{method}'; {did_you_mean(method, known)}")
    if prediction not in (0, 1, 2):
        raise RefusedError(f"prediction = {prediction}: its order is 0, 1 or 2")
    if not 0.0 < tolerance < 1e-3:
        raise RefusedError(f"tolerance = {tolerance:g}: give a small positive number such as 1e-12")
    driven = drive_inputs(model, inputs, until, times)
    try:
        mechanism = prepare(driven.model, coordinates=coordinates)
    except (AssemblyError, ModelError) as error:
        raise _out_of_reach(driven.model) or explain_inputs(driven.model, error) from None
    check_inputs(mechanism.topology)
    start = mechanism.start({name: si(value, "any") for name, value in (parameters or {}).items()})
    system = prescribed_system(mechanism, start)
    known_forms = "motion" in mechanism.equations.functions
    if method == CLOSED_FORM and not known_forms:
        raise RefusedError("not all loops have a closed form in these coordinates; take method='modified'")
    found = (
        _by_closed_form(mechanism, system, start, driven.times)
        if method in (None, CLOSED_FORM) and known_forms
        else None
    )
    used = CLOSED_FORM
    if found is None:
        used = "modified" if method in (None, CLOSED_FORM) else method
        found = follow(
            system, driven.times, start.y, method=used, prediction=prediction, tolerance=tolerance, limit=LARGEST
        )
    return _result(mechanism, start, driven, found, used, prediction)


def _out_of_reach(model: Model) -> RefusedError | None:
    """Where inputs cannot begin, if there are not too many: what they ask for, and what is nearest."""
    values = {**model.parameter_values(), "t": 0.0}
    first = {
        f"{d.joint}.{d.freedom or model.joints[d.joint].freedoms[0].coordinate}": to_float(
            d.position, values.__getitem__
        )
        for d in model.joint_drivers.values()
        if d.position is not None
    }
    pose = assemble(model, first)
    missed = [wish for wish in pose.wishes if not wish.reached]
    if len(pose.wishes) != 1 or not missed:
        return None
    return RefusedError(f"the input cannot begin where it is asked to: {missed[0]}")


def prescribed_system(mechanism: Mechanism, start: Start) -> PrescribedSystem:
    """The conditions of a mechanism whose motion is prescribed, compiled."""
    c = mechanism.coordinates
    code = {name: mechanism.compiled(function) for name, function in prescribed_functions(c).items()}
    addresses = {name: code[name].address if name in code else 0
                 for name in ("gap", "closure", "bend", "jerk", "retract", "count")}  # fmt: skip
    rows = replace(mechanism.system(start.p), closure=addresses["closure"])
    rank = rank_report(rows, 0.0, start.y).rank if c.rows else 0
    sizes = c.q.numel(), c.v.numel(), c.s.numel(), len(c.rows)
    return PrescribedSystem(
        sizes, **addresses, rank=rank, scale=c.kinematics.scale, p=start.p, keepalive=(code, mechanism)
    )


def _by_closed_form(mechanism: Mechanism, system: PrescribedSystem, start: Start, times: Array) -> Displacements | None:
    """Positions by formulas; None where a loop cannot be closed: iteration tells why."""
    try:
        q = mechanism.motion(times, start)[0]
    except AssemblyError:
        return None
    y = np.tile(start.y, (len(times), 1))
    y[:, : q.shape[1]] = q
    found = complete(system, times, y)
    return found if len(found.y) == len(times) else None


@dataclass(frozen=True, eq=False)
class _End:
    t_reached: float
    y_reached: Array
    step_times: Array


def _result(
    mechanism: Mechanism, start: Start, driven: Driven, found: Displacements, method: str, prediction: int
) -> Result:
    times = driven.times[: len(found.y)]
    source = KinematicTrajectory(mechanism, (times, found.y, found.vdot), start.p, found.jerk)
    notes = (
        [f"time is the way of {driven.swept} from its first value: velocities are derivatives with respect to it"]
        if driven.swept
        else []
    )
    if mechanism.topology.redundant:
        notes.append(f"redundant conditions ({'; '.join(mechanism.topology.redundant)}): some reactions are not unique")
    if any(state.role == "force" for state in mechanism.coordinates.auxiliaries):
        notes.append("states of forces stay at their first values: no integration takes place")
    predicted = ("none", "first order", "second order")[prediction]
    settings = {"coordinates": str(mechanism.coordinates.kind), "method": method}
    return Result(
        name=mechanism.model.name or "mechanism",
        time=times,
        source=source,
        drawing=mechanism.drawing(start.p),
        outcome=_outcome(mechanism, start, driven, found),
        model_text=mechanism.text,
        settings=settings if method == CLOSED_FORM else {**settings, "prediction": predicted},
        statistics=_costs(found, method),
        notes=tuple(notes),
    )


def _costs(found: Displacements, method: str) -> dict[str, float | int | str]:
    spent = found.iterations
    costs: dict[str, float | int | str] = {"positions": len(found.y)}
    if method != CLOSED_FORM:
        mean = float(np.mean(spent[1:])) if len(spent) > 1 else 0.0
        costs |= {"displacements": found.steps, "divided": found.rejected, "iterations": int(np.sum(spent))}
        costs |= {"iterations per position": round(mean, 3), "most iterations": int(np.max(spent, initial=0))}
    return costs | {"factorisations": found.factorisations, "wall time": found.wall_time}


def _outcome(mechanism: Mechanism, start: Start, driven: Driven, found: Displacements) -> Outcome:
    if len(found.y) == len(driven.times):
        return Outcome(Status.COMPLETED, "", float(driven.times[-1]))
    end = _End(found.reached, found.last, driven.times[: len(found.y)])
    past = past_limit(mechanism, end, start.p)
    reason = (
        "the inputs cannot move any further: the conditions lose their independence there, or cannot be closed beyond"
    )
    return past or Outcome(Status.STOPPED_EARLY, reason, found.reached)
