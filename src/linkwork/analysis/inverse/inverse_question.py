"""What is asked of ``inverse_dynamics``: its words are checked, the motion is read, and all faults are told at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.given import Parameters
from linkwork.analysis.inverse.motor_choice import MotorChoice, choose_motors
from linkwork.analysis.kinematics.bare_angles import bare_angles
from linkwork.analysis.kinematics.inputs import Inputs
from linkwork.analysis.kinematics.leading import independent
from linkwork.analysis.kinematics.motion_table import read_motion_table
from linkwork.analysis.kinematics.record import (
    GivenCourse,
    GivenMotion,
    fixed_values,
    level_names,
    read_poses,
    read_record,
)
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.position.led_points import lead_joints
from linkwork.analysis.position.targets import is_array_of_targets
from linkwork.analysis.runs.simulate import simulate
from linkwork.analysis.runs.solve_kinematics import solve_kinematics
from linkwork.analysis.walk.structures import structure_error
from linkwork.analysis.walk.subject import Noun, subject_of
from linkwork.arrays import Array
from linkwork.compiler.backends import Backend
from linkwork.coordinates.numbering import KindChoice
from linkwork.elements.relations.connection import ConnectionRelation
from linkwork.equations.inverse.base import InverseMethod
from linkwork.equations.inverse.ways import VirtualPower, inverse_method
from linkwork.equations.reactions.penalty_estimate import PenaltyEstimate
from linkwork.errors import Faults, RefusedError
from linkwork.model.forces import Actuator, AppliedForce, Rotor
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer, motion_of
from linkwork.results.rising import rising
from linkwork.results.time_grid import as_times, time_grid
from linkwork.topology import Topology

AT_REST = "pose by pose, since no times are given: all stands still, and works are those from pose to pose, done slowly"
LEAST = 2  # samples of a motion that ends early
JUMPING = re.compile(
    r"\b(if|step|sign|floor|ceil|mod|abs|min|max|linear_table|smooth_table)\(|[<>]"
)  # formulas whose branches a run has to find
WantedMotion = Result | ResultAnswer | Mapping[str, GivenCourse] | str | Path


@dataclass(frozen=True, eq=False)
class InverseQuestion:
    """The question after its words have been checked: who drives what, with which weights (k), by which method."""

    motion: Result | GivenMotion
    choice: MotorChoice
    weights: Array
    method: InverseMethod


@dataclass(frozen=True, eq=False)
class About:
    """What is asked about: its analysis, its coordinates, its backend."""

    topology: Topology
    kind: KindChoice
    backend: str | Backend


def asked_about(noun: Noun, motion: WantedMotion | None) -> tuple[About, WantedMotion | None]:
    """The mechanism where it begins, and the motion; a run alone is mechanism and motion."""
    if isinstance(noun, Result) and motion is None and isinstance(noun.source, Trajectory):
        run = noun.source.mechanism
        return About(run.topology, run.coordinates.kind, run.program.backend), noun
    subject = subject_of(noun, "inverse_dynamics")
    return About(subject.begun, subject.kind or "relative", subject.backend), motion


def ask(
    topology: Topology,
    motors: Sequence[str] | None,
    weights: Mapping[str, float],
    method: str | PenaltyEstimate,
    read: Callable[[], Result | GivenMotion],
) -> InverseQuestion:
    """Check all that was asked for, and tell all faults at once."""
    faults, found, choice = Faults("inverse dynamics"), None, MotorChoice((), frozenset())
    solver: InverseMethod = VirtualPower()
    with faults:
        solver = inverse_method(method)
    with faults:
        found = read()
    with faults:
        choice = choose_motors(topology, motors, _recorded(topology, found))
        if not choice.motors and motors is None and found is not None:
            raise RefusedError(
                "who drives this motion? give motors: names of joints or of their coordinates, such as 'A.angle'"
            )
    size = np.ones(len(choice.motors))
    if choice.motors:
        with faults:
            size = _weights([motor.name for motor in choice.motors], weights)
    faults.tell()
    assert found is not None
    _require_one_phase(topology, found)
    return InverseQuestion(found, choice, size, solver)


def _require_one_phase(topology: Topology, motion: Result | GivenMotion) -> None:
    """Refuse runs in which joints have closed or opened: what holds at the start is taken to hold throughout."""
    relations = topology.geometry.relations.items()
    first = {name: item.active for name, item in relations if isinstance(item, ConnectionRelation)}
    for row in motion.modes if isinstance(motion, Result) else ():
        other = [name for name, active in first.items() if (name in row.holds) != active]
        if other:
            done = "has closed" if other[0] in row.holds else "has opened"
            raise RefusedError(
                f"inverse_dynamics takes motions with the same joints closed throughout: '{other[0]}' {done} at "
                f"t = {row.start:.6g} s; run each phase by itself, as a model of its own"
            )


def _recorded(topology: Topology, motion: Result | GivenMotion | None) -> Sequence[str]:
    """The coordinates that a motion gives; of a run, and of a file of one, those that lead the others."""
    if isinstance(motion, GivenMotion):
        return motion.names if motion.unread is None else independent(topology, motion.names)
    if motion is None:
        return ()
    return independent(topology, [name for name in level_names(topology.model) if "." in name and name in motion])


def _weights(motors: Sequence[str], weights: Mapping[str, float]) -> Array:
    """A weight for each motor."""
    faults = Faults("weights")
    for name, value in weights.items():
        with faults:
            if name not in motors:
                raise RefusedError(f"weights name '{name}', which is no motor; motors are {', '.join(motors)}")
            if not isinstance(value, int | float | np.number) or not 0.0 < value < np.inf:
                raise RefusedError(f"the weight of '{name}' is {value}; it must be positive")
    faults.tell()
    return np.array([float(weights.get(name, 1.0)) for name in motors])


def read_motion(
    topology: Topology,
    motion: WantedMotion | None,
    sampling: tuple[ArrayLike | None, float | str | None, float | str | None],
    parameters: Parameters | None,
    max_steps: int,
) -> Result | GivenMotion:
    """What is known of the motion: a result, or joint coordinates over time; *sampling*: times, until and step."""
    (times, until, step), model = sampling, topology.model
    if motion is None:
        return _driven(topology, sampling, parameters, max_steps)
    if isinstance(motion, Result | ResultAnswer):
        return rising(motion_of(motion))
    doubts = bare_angles(model, model.with_names(motion)) if isinstance(motion, Mapping) else ()
    given = topology.live | model.in_si(parameters)
    table = read_motion_table(model, motion, given) if isinstance(motion, str | Path) else None
    motion = motion if table is None else table.columns
    if not isinstance(motion, Mapping):
        raise RefusedError(
            f"the motion is {motion!r:.60}; it must be a result, joint coordinates by name such as {{'A.angle': ...}}, "
            "or a file"
        )
    if times is None and until is not None and not {"time", "t"}.intersection(motion):
        times = time_grid(until, step, None)
    timed = times is not None or bool({"time", "t"}.intersection(motion))
    motion, times = _led(topology, model.with_names(motion), times, given)
    poses = None if timed else read_poses(model, motion)
    found = poses or _by_rates(topology, motion, times, parameters) or read_record(model, motion, times)
    if table is None:
        return replace(found, doubts=doubts)
    return replace(found, doubts=(*doubts, *table.notes), unread=table.unread_note)


def told_of_pace(motion: Result | GivenMotion) -> tuple[str, ...]:
    """What to know of a motion that is not over time, or whose rates nobody gives."""
    if isinstance(motion, Result):
        return motion.variable.pace
    return motion.notes if motion.variable.is_time else (AT_REST, *motion.doubts)


def _by_rates(
    topology: Topology, motion: Mapping[str, GivenCourse], times: ArrayLike | None, parameters: Parameters | None
) -> GivenMotion | None:
    """The motion of formulas of speeds or accelerations alone, from where the mechanism begins; else None."""
    names = level_names(topology.model)
    known = {name: names[name] for name in motion if name in names}
    rates = {key for name, (key, level) in known.items() if level and isinstance(motion[name], str | int | float)}
    if not rates - {key for key, level in known.values() if not level}:
        return None
    found = solve_kinematics(topology, cast(Inputs, motion), times=times, parameters=parameters, audit=False)
    if not found.outcome.completed:
        raise RefusedError(f"the motion cannot be followed: {found.outcome}")
    moved = {key for key, _ in known.values()}
    followed = {name: found[name] for name, (key, _) in names.items() if key in moved and "." in name}
    return read_record(topology.model, followed, found.time)


def _led(
    topology: Topology, motion: Mapping[str, GivenCourse], times: ArrayLike | None, given: Mapping[str, float]
) -> tuple[Mapping[str, GivenCourse], ArrayLike | None]:
    """The motion and its times; where places of points or attitudes of bodies lead it, that of the joints."""
    known = level_names(topology.model)
    if not any(is_array_of_targets(value) for name, value in motion.items() if name not in known):
        return motion, times
    moments = motion.get("time", motion.get("t", times))
    places = {name: value for name, value in motion.items() if name not in ("time", "t")}
    led = lead_joints(topology, places, moments, given)  # type: ignore[arg-type]
    if led is None or led.note:
        raise RefusedError(f"the motion: {' '.join(led.note) if led is not None else 'places lead no joint'}")
    return led.inputs, led.times


def _moves_all_but_spins(topology: Topology) -> bool:
    """Whether smooth formulas of time move all but passive spins of round links: then nothing is left to integrate."""
    model, drivers = topology.model, topology.drives.drivers.values()
    fixed = fixed_values(model).keys() | {"t"}
    if model.guides or any(driver.position is None or driver.position.names() - fixed for driver in drivers):
        return False
    if any(JUMPING.search(str(driver.position)) for driver in drivers) or any(map(_lags, model.forces.values())):
        return False
    return bool(topology.idle_spins) and topology.mobility.free == len(topology.idle_spins)


def _lags(force: AppliedForce) -> bool:
    """Whether a force has states of its own."""
    return isinstance(force, Rotor) or (isinstance(force, Actuator) and force.lag is not None)


def _driven(
    topology: Topology,
    sampling: tuple[ArrayLike | None, float | str | None, float | str | None],
    parameters: Parameters | None,
    max_steps: int,
) -> Result | GivenMotion:
    """The motion that the drivers give."""
    model, drives = topology.model, topology.drives
    if not drives.names:
        held = structure_error(topology, "it")
        if held is not None:
            raise held
        struts = ", ".join(f"'{name}'" for name in model.relations)
        raise RefusedError(
            "the model has no drivers: give a motion, as a result or as joint coordinates over time"
            + (
                f"; forces of relations ({struts}) are in the results of simulate and solve_kinematics"
                if struts
                else ""
            )
        )
    times, until, step = sampling
    if _moves_all_but_spins(topology) and (times is not None or until is not None):
        motion = {".".join(drives.keys[name]): str(driver.position) for name, driver in drives.drivers.items()}
        return read_record(model, motion, time_grid(until, step, None) if times is None else as_times(times))
    moments = None if times is None else list(as_times(times))
    result = simulate(topology, until, step=step, times=moments, parameters=parameters, max_steps=max_steps)
    if not result.outcome.completed and len(result) < LEAST:
        raise RefusedError(f"the drivers cannot be followed: {result.outcome}")
    return result
