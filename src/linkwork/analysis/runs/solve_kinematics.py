"""``solve_kinematics(model, inputs)``: where a mechanism goes when its inputs move, with velocities, accelerations and jerk.

No integration: every position is a finite displacement from the last one, by Newton's method on the conditions Φ(q, t) = 0
(``numerics/paths/displacement.py``), or by the closed forms of its loops where there are some.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.expressions import to_float
from linkwork.algebra.given import Parameters, Scalar
from linkwork.analysis.audit.auditor import kinematic_auditor
from linkwork.analysis.kinematics.enough_inputs import check_inputs, explain_inputs, refuse_change_point
from linkwork.analysis.kinematics.inputs import Driven, Inputs, drive_inputs, input_name
from linkwork.analysis.kinematics.leading import with_own_parameters
from linkwork.analysis.kinematics.position_search import CLOSED_FORM, PositionSearch, prescribed_system
from linkwork.analysis.motion.beyond import beyond_notes, passings
from linkwork.analysis.motion.driven_trajectory import KinematicTrajectory, LookedAt
from linkwork.analysis.motion.outcome import past_limit, stopped_at, stuck
from linkwork.analysis.motion.singular import diagnose_state
from linkwork.analysis.motion.trajectory import since_asked
from linkwork.analysis.motion.undefined import ahead_of, undefined_forces, undefined_outputs
from linkwork.analysis.position.assemble import assemble
from linkwork.analysis.position.led_points import lead_joints
from linkwork.analysis.prepared.prepare import Mechanism, Start, compiled, driven, forget_driven, formulated, numbered
from linkwork.analysis.walk.structures import structure_error
from linkwork.analysis.walk.subject import Noun, subject_of
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.compiler.backends import Backend
from linkwork.coordinates.numbering import KindChoice
from linkwork.coordinates.told import remarks
from linkwork.coordinates.undefined import undefined_at
from linkwork.errors import AssemblyError, ExpressionError, LinkworkError, ModelError, RefusedError, did_you_mean
from linkwork.formats import dump
from linkwork.model import Model
from linkwork.model.remarks import unpulled, unstruck
from linkwork.numerics.paths.displacement import (
    METHODS,
    Displacements,
)
from linkwork.position.drives import Drives
from linkwork.results.outcome import Outcome, Status
from linkwork.results.quantities import QuantitySource, Variable
from linkwork.results.result import Result
from linkwork.results.time_grid import time_grid
from linkwork.topology import Topology
from linkwork.topology.analyse import begun_at, check_drives
from linkwork.topology.mobility.spins import spins_taken

LISTED = 6  # times in a note
LOST = 1e-2  # singular value that counts as lost where a motion cannot be told
NEAR = 1e-6  # rad, or part of the size: a value that is missed by less is the end of a way


@verb
def solve_kinematics(
    model: Noun,
    motion: Inputs | None = None,
    *,
    until: Scalar | None = None,
    step: Scalar | None = None,
    times: ArrayLike | None = None,
    coordinates: KindChoice | None = None,
    method: str | None = None,
    prediction: int = 2,
    tolerance: float = 1e-12,
    parameters: Parameters | None = None,
    audit: bool = True,
) -> Result:
    """Move the inputs of a mechanism and find its positions, velocities, accelerations and jerks.

    motion: by joint ('O') or coordinate ('O.angle'): a formula of t ("2*pi*t", "30 deg"), a function of an array of times,
    or values at all *times*, with their rates ('O.speed', 'O.acceleration') or with those of splines; a file (.csv) with
    such columns; or a run, whose coordinates that lead the others are the inputs. A rate may also be a formula alone:
    {"O.speed": "2 + sin(t)"}. One row of values without times stands for the time itself: ``result.time`` has its values,
    and derivatives are by it. Several rows are taken sample by sample. Drivers of the model move the rest.
    Places of a point (``{"platform.P": places}``, N × 3), attitudes of a body and others of ``solve_positions`` lead the
    joints; notes tell which are out of reach and left out.
    until, step, times: the end and the spacing, by default a thousandth of it, or all times; as in ``simulate``.
    coordinates: by default those of what is given, else relative ones.
    method: 'newton', 'damped', 'modified' (the matrix of the last position), 'least_squares', or 'closed_form'; by default
    the closed form of all loops where there is one, and 'modified' elsewhere.
    prediction: order of the first approximation, 0 to 2; tolerance: of all conditions, as a part of the size.
    audit: False leaves out the audit of the result.

    A displacement that fails is divided; where an input comes to a dead centre the result ends, and names joint and limit.
    """
    subject = subject_of(model, "solve_kinematics")
    topology = subject.begun
    _check_choices(method, prediction, tolerance)
    given = with_own_parameters(topology, motion, parameters)
    if step is not None and times is None:
        times, until = time_grid(until, step, None), None
    topology, motion, asked = _led(topology, motion, until, times, given)
    named = ", ".join(map(str, motion)) if isinstance(motion, Mapping) else "its input"
    mechanism, start = begin_inputs(topology, asked, coordinates or subject.kind or "relative", subject.backend, named)
    along = asked.along(start.p, len(mechanism.topology.geometry.defaults))
    system = prescribed_system(mechanism, start)
    known_forms = "motion" in mechanism.equations.functions
    if method == CLOSED_FORM and not known_forms:
        raise RefusedError("not all loops have a closed form in these coordinates; take method='modified'")
    wanted = method == CLOSED_FORM or method is None
    search = PositionSearch(mechanism, system, start, "modified" if wanted else str(method), prediction, tolerance)
    found, used = search.all(asked.times, along, wanted and known_forms)
    start = start if along is None else replace(start, p=along)
    result = _result(mechanism, start, asked, found, used, prediction)
    auditor = kinematic_auditor(_upward(result.source), tolerance, result.variable, asked.breaks) if audit else None
    return replace(since_asked(result, asked.first), auditor=auditor)


def _check_choices(method: str | None, prediction: int, tolerance: float) -> None:
    known = [*METHODS, CLOSED_FORM]
    if method is not None and method not in known:
        raise RefusedError(f"unknown method '{method}'; {did_you_mean(method, known)}")
    if prediction not in (0, 1, 2):
        raise RefusedError(f"prediction = {prediction}: its order is 0, 1 or 2")
    if not 0.0 < tolerance < 1e-3:
        raise RefusedError(f"tolerance = {tolerance:g}: give a small positive number such as 1e-12")


def _led(
    topology: Topology,
    motion: Inputs | None,
    until: Scalar | None,
    times: ArrayLike | None,
    given: Mapping[str, float],
) -> tuple[Topology, Inputs | None, Driven]:
    """The inputs, or those of the joints that places lead: the mechanism that they move, the motion and its samples."""
    led = lead_joints(topology, motion, times, given)
    if led is not None:
        topology, motion, times = led.topology, led.inputs, led.times
    asked = drive_inputs(topology, motion, until, times, given)
    return topology, motion, asked if led is None else replace(asked, notes=(*led.note, *asked.notes))


def begin_inputs(
    topology: Topology, asked: Driven, kind: KindChoice, backend: Backend | str, named: str
) -> tuple[Mechanism, Start]:
    """The driven mechanism where it begins, or what is wrong with its inputs, which are *named* so."""
    try:
        return _driven(topology, asked, kind, backend)
    except ExpressionError as error:
        raise ExpressionError(_as_input(asked.drives, str(error))) from None
    except (AssemblyError, ModelError) as error:
        held = structure_error(topology, named)
        named_error = _named_error(asked.drives, _anew(topology, asked) or error)
        raise held or _out_of_reach(topology, asked) or explain_inputs(topology, asked.drives, named_error) from None


def _driven(topology: Topology, motion: Driven, kind: KindChoice, backend: Backend | str) -> tuple[Mechanism, Start]:
    """The mechanism with its inputs, which is the same for all their motions, and where this one begins."""
    moved = driven(topology, motion.drives)
    try:
        check_inputs(moved)
    except RefusedError:
        forget_driven(topology, motion.drives)
        raise
    mechanism = compiled(formulated(numbered(moved, kind), None), backend)
    start = mechanism.start(motion.values, 0.0, inputs=motion.drives.first)
    if start.assembly is not moved.assembly:
        values = start.p[: len(moved.geometry.defaults)]
        check_drives(moved, start.assembly.poses, values)
        refuse_change_point(moved, start.assembly.poses, values)
    return mechanism, start


def _anew(topology: Topology, asked: Driven) -> AssemblyError | ModelError | None:
    """What is wrong where these inputs begin, as an analysis says that begins there: one that is kept began elsewhere."""
    p = topology.parameters(asked.values)
    try:
        begun_at(topology, asked.drives, replace(topology.assembly, poses=topology.geometry.beginning(p)), p)
    except (AssemblyError, ModelError) as error:
        return error
    return None


def _as_input(drives: Drives, text: str) -> str:
    """Words about drivers that stand for inputs, as words about the inputs."""
    for name, key in drives.inputs.items():
        if name == input_name(key):
            text = text.replace(f"drivers.{name}", f"inputs: {'.'.join(key)}")
    return text


def _named_error(drives: Drives, error: AssemblyError | ModelError) -> LinkworkError:
    """An error about inputs as they were given."""
    if isinstance(error, ModelError):
        faults = [replace(fault, path=_as_input(drives, fault.path)) for fault in error.faults]
        return ModelError(faults, error.source)
    return AssemblyError(_as_input(drives, str(error)))


def _out_of_reach(topology: Topology, motion: Driven) -> RefusedError | None:
    """Where inputs cannot begin, if there are not too many: what they ask for, and what is nearest."""
    drives = motion.drives
    values = {**topology.model.parameter_values(motion.values), "t": 0.0}
    first = {
        ".".join(drives.keys[name]): to_float(driver.position, values.__getitem__)
        for name, driver in drives.drivers.items()
        if driver.position is not None
    }
    first |= {".".join(drives.keys[name]): levels[0] for name, levels in drives.starts(0.0).items()}
    pose = assemble(topology, first, parameters=motion.values)
    missed = [wish for wish in pose.wishes if not wish.reached]
    if len(pose.wishes) != 1 or not missed:
        return None
    if missed[0].distance < NEAR * (1.0 if missed[0].angular else topology.conditions.length):
        return RefusedError(
            f"the input begins at a dead centre, the end of its way: {replace(missed[0], reached=True)}, where nothing says "
            "which way the rest of the loop turns; begin a little before it, or move another joint"
        )
    return RefusedError(f"the input cannot begin where it is asked to: {missed[0]}")


@dataclass(frozen=True, eq=False)
class _End:
    t_reached: float
    y_reached: Array
    step_times: Array


def _result(
    mechanism: Mechanism, start: Start, asked: Driven, found: Displacements, method: str, prediction: int
) -> Result:
    written = asked.model if asked.goes_on else None
    singular = [] if found.singular is None else found.singular.tolist()
    source = _trajectory(mechanism, start, asked, found, written)
    times, p = source.t, source.p
    model = mechanism.model
    notes = [*remarks(mechanism.coordinates, p), *unstruck(model), *unpulled(model), *asked.notes, *start.assembly.ways]
    notes += _said_of(times[singular], asked.variable)
    notes += beyond_notes(source, asked.variable)
    notes += spins_taken(mechanism.topology.spins)
    notes += asked.table.unread_note(source.catalogue) if asked.table is not None else ()
    notes += [*undefined_forces(mechanism, times, source.y, p), *undefined_outputs(source)]
    if mechanism.topology.redundant:
        notes.append(
            f"redundant constraints ({'; '.join(mechanism.topology.redundant)}): some reactions are not unique"
        )
    if any(state.role == "force" for state in mechanism.coordinates.auxiliaries):
        notes.append("states of forces stay at their first values: no integration takes place")
    predicted = ("none", "first order", "second order")[prediction]
    settings = {"coordinates": str(mechanism.coordinates.kind), "method": method}
    return Result(
        name=mechanism.model.name or "mechanism",
        time=times,
        source=source,
        drawing=mechanism.drawing(np.atleast_2d(start.p)[0]),
        outcome=ending(mechanism, start, asked, found),
        model_text=dump(asked.model) if written is not None and asked.samples else mechanism.text,
        settings=settings if method == CLOSED_FORM else {**settings, "prediction": predicted},
        statistics=_costs(found, method),
        noted=tuple(notes),
        variable=asked.variable,
        freedoms=mechanism.topology.freedom_names,
        events=passings(source, asked.variable),
    )


def _trajectory(
    mechanism: Mechanism, start: Start, asked: Driven, found: Displacements, written: Model | None
) -> KinematicTrajectory:
    """What was found, over time or over the coordinate that was moved."""
    times, c, swept = asked.times[: len(found.y)], mechanism.coordinates, asked.swept
    p, y, jerk = start.p if start.p.ndim == 1 else start.p[: len(times)], found.y, found.jerk
    dips = LookedAt(found.passed, () if found.singular is None else tuple(found.singular.tolist()), found.near)
    if swept is not None:
        nq, nv = c.q.numel(), c.v.numel()
        times, p = swept.values(times), swept.parameters(p, len(c.geometry.defaults))
        y, jerk, dips = swept.state(y, slice(nq, nq + nv)), swept.sign * jerk, swept.looked_at(dips)
    return KinematicTrajectory(mechanism, (times, y, found.vdot), p, jerk, asked.variable, written, dips=dips)


def _upward(source: QuantitySource) -> QuantitySource:
    """The samples in the order in which what they are over grows."""
    return source.backwards() if isinstance(source, KinematicTrajectory) and np.any(np.diff(source.t) < 0) else source


def _said_of(times: Array, variable: Variable) -> list[str]:
    """What to know of samples at change points."""
    if not len(times):
        return []
    name = "t" if variable.is_time else variable.name
    listed = ", ".join(f"{time:.6g}" for time in times[:LISTED]) + (", ..." if len(times) > LISTED else "")
    return [
        f"at {name} = {listed} {variable.unit}".rstrip()
        + " branches meet (change point): positions, speeds and accelerations are those of the smooth motion through it; "
        "forces are not determined there (nan)"
    ]


def _costs(found: Displacements, method: str) -> dict[str, float | int | str]:
    spent = found.iterations
    costs: dict[str, float | int | str] = {"positions": len(found.y)}
    if method != CLOSED_FORM:
        mean = float(np.mean(spent[1:])) if len(spent) > 1 else 0.0
        costs |= {"displacements": found.steps, "divided": found.rejected, "iterations": int(np.sum(spent))}
        costs |= {"iterations per position": round(mean, 3), "most iterations": int(np.max(spent, initial=0))}
    return costs | {"factorisations": found.factorisations, "wall time": found.wall_time}


def ending(mechanism: Mechanism, start: Start, asked: Driven, found: Displacements) -> Outcome:
    """How a motion ends and where it is then, with the place in words where it is not over time."""
    over, outcome = asked.variable, _outcome(mechanism, start, asked, found)
    outcome = replace(outcome, time=asked.place(outcome.time))
    return outcome if outcome.completed or over.is_time else replace(outcome, place=over.place(outcome.time))


def _outcome(mechanism: Mechanism, start: Start, asked: Driven, found: Displacements) -> Outcome:
    if len(found.y) == len(asked.times):
        return Outcome(Status.COMPLETED, "", float(asked.times[-1]))
    if found.interrupted:
        return Outcome(Status.INTERRUPTED, "the run was interrupted; what it had reached is kept", found.reached)
    end = _End(found.reached, found.last, asked.times[: len(found.y)])
    p = np.atleast_2d(start.p)[-1 if start.p.ndim == 1 else len(found.y)]
    following = float(asked.times[len(found.y)])
    for time in (*ahead_of(found.reached), following):
        culprit = undefined_at(mechanism.coordinates, (time, found.last, p), asked.model)
        if culprit is not None:
            return stopped_at(culprit, found.reached)
    past = past_limit(mechanism, end, p)
    if found.lost is not None and past is None:
        return _lost(mechanism, asked, found, p)
    return past or Outcome(Status.STOPPED_EARLY, *_stuck(mechanism, found, p))


def _stuck(mechanism: Mechanism, found: Displacements, p: Array) -> tuple[str, float, str]:
    """Why a motion ends without a limit of a joint, where, and by which input."""
    reason, element = stuck(mechanism, found.reached, found.last, p)
    return reason, found.reached, element


def _lost(mechanism: Mechanism, asked: Driven, found: Displacements, p: Array) -> Outcome:
    """Where branches meet, or nearly do, and nothing tells which is the motion."""
    assert found.lost is not None
    cause = diagnose_state(mechanism, found.lost, found.last, p, near=LOST)
    told = f" ({cause})" if cause.singular else ""
    place = asked.variable.place(asked.place(found.lost)) if not asked.variable.is_time else f"t = {found.lost:.6g} s"
    reason = (
        f"near {place} branches of the motion meet, or nearly do{told}, and the samples do not tell which one goes on "
        "smoothly: take a smaller spacing, or begin behind it"
    )
    return Outcome(Status.STOPPED_EARLY, reason, float(asked.times[len(found.y) - 1]))
