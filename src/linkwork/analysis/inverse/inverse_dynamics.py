"""``inverse_dynamics``: which efforts of motors give a known motion, and which reactions come with them.

The motion is that of the drivers of a model, or one that is given. Its conditions are closed at every sample
(``closing_motion``), the efforts follow by one of several methods (``equations/inverse``), and with these as applied forces
the motion is a run like any other: reactions, energies and all quantities come from it by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.algebra.given import Parameters, Scalar
from linkwork.analysis.audit.auditor import inverse_auditor
from linkwork.analysis.inverse.change_points import change_notes, singular_samples, through_change_points
from linkwork.analysis.inverse.inverse_question import (
    LEAST,
    InverseQuestion,
    WantedMotion,
    ask,
    asked_about,
    read_motion,
    told_of_pace,
)
from linkwork.analysis.inverse.motor_choice import check_reach, without_motors
from linkwork.analysis.inverse.motor_works import motor_works
from linkwork.analysis.inverse.taken_over import every_coordinate, same_states
from linkwork.analysis.kinematics.closing_motion import close_record, close_states
from linkwork.analysis.kinematics.record import GivenMotion
from linkwork.analysis.motion.outcome import stopped_at
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.motion.undefined import undefined_along
from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism, Start, compiled, formulated, numbered
from linkwork.analysis.walk.structures import structure_error
from linkwork.analysis.walk.subject import Noun
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.coordinates.motors import Motor, motor_rates
from linkwork.coordinates.numbering import KindChoice
from linkwork.coordinates.spinning import spin_rates
from linkwork.coordinates.told import remarks
from linkwork.equations.inverse.base import RANK, InverseMethod, Motorised, Samples
from linkwork.equations.inverse.ways import VirtualPower, allowed_motions, reach
from linkwork.equations.reactions.penalty_estimate import PenaltyEstimate
from linkwork.equations.reactions.shaking import shaking_function
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError
from linkwork.numerics.policy import POLICY
from linkwork.progress import counted
from linkwork.results.inverse_dynamics import InverseDynamics, SupplementedSource, Undetermined
from linkwork.results.outcome import Outcome, Status
from linkwork.results.quantities import TIME, Quantity, Variable
from linkwork.results.result import Result
from linkwork.topology.mobility.spins import spin_texts

TOLERANCE = 1e-6
DEAD = POLICY.rank  # part of their usual hold on a freedom below which motors are at a dead centre
STEEP = 1e4  # condition number above which that is looked at
USUAL = 999  # samples that tell what is usual
PORTION = 4096  # samples whose matrices are solved at once


@verb
def inverse_dynamics(
    model: Noun,
    motion: WantedMotion | None = None,
    *,
    motors: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    method: str | PenaltyEstimate = "virtual_power",
    times: ArrayLike | None = None,
    until: Scalar | None = None,
    step: Scalar | None = None,
    tolerance: float = TOLERANCE,
    coordinates: KindChoice | None = None,
    parameters: Parameters | None = None,
    max_steps: int = 10**7,
    audit: bool = True,
) -> InverseDynamics:
    """Efforts of motors and all reactions of a known motion.

    model: or what else `simulate` takes; a result alone is the motion too.
    motion: without one, that of the drivers of the model over *times* or *until* an end. Or a result; or joint coordinates
    by name ('A.angle', with 'A.speed' and 'A.acceleration' where they are known) as arrays over 'time' or *times*,
    as functions or as formulas of t; or a file (.csv) with such columns. Independent ones are enough: the rest follows.
    Rows of positions without times are statics, pose by pose.
    motors: names of drivers, of efforts or actuators of the model, of joints or their coordinates; by default the drivers,
    else the efforts of the model, else the coordinates that are given, of a run those that lead it. More than freedoms:
    least Σ weight × effort²; fewer: the result says which freedoms are not driven, and what is missing there.
    method: 'virtual_power', 'multipliers', 'penalty', 'newton', 'recursion', 'joint_elimination', 'element_elimination' or
    'constraint_variation', for efforts and reactions alike; all give the same. `PenaltyEstimate` has numbers to choose.
    coordinates: by default those of what is given, else relative ones.
    tolerance: how far a motion may be from the conditions, relative to the size of the mechanism.
    max_steps: in which the motion of drivers is followed, as in `simulate`. audit: False leaves out the audit of the result.
    """
    if not tolerance > 0.0:
        raise RefusedError(f"tolerance = {tolerance}: it must be positive, such as {TOLERANCE:g}")
    about, motion = asked_about(model, motion)
    asked = ask(
        about.topology,
        motors,
        weights or {},
        method,
        lambda: read_motion(about.topology, motion, (times, until, step), parameters, max_steps),
    )
    values = about.topology.live | about.topology.model.in_si(parameters)
    free = without_motors(about.topology, asked.choice)
    mechanism = compiled(formulated(numbered(free, coordinates or about.kind), None), about.backend)
    begun = mechanism.start(values)
    start, states, notes, followed = _states(mechanism, begun, asked.motion, tolerance, parameters)
    states, outcome = _defined(mechanism, asked.motion, states, start.p)
    problem = _pose(mechanism, start, states, asked)
    efforts = _solve(problem, states, start.p, asked.method)
    if len(efforts) < len(states[0]):
        states = (states[0][: len(efforts)], states[1][: len(efforts)], states[2][: len(efforts)])
        outcome = Outcome(Status.INTERRUPTED, "what was found before is kept", float(states[0][-1]))
    dead, met = _dead_centres(problem, states, start.p), np.zeros(len(states[0]), dtype=bool)
    met[[i for i in singular_samples(followed) if i < len(met)]] = True
    ended = () if outcome.completed else (f"the motion could not be followed to its end: {outcome}",)
    told = remarks(mechanism.coordinates, start.p)
    notes = (*ended, *told, *notes, *problem.notes, *_said_of(states[0][dead & ~met]))
    dead |= met
    over = asked.motion.variable if isinstance(asked.motion, GivenMotion) else TIME
    found = _result(problem, _Loaded(states, start.p, efforts, dead, over), asked, notes, outcome)
    if not audit:
        return found
    complete = not problem.missing and not dead.any()
    return replace(
        found,
        result=replace(found.result, auditor=inverse_auditor(found.result.source, complete, found.result.variable)),
    )


def _defined(mechanism: Mechanism, motion: Result | GivenMotion, states: States, p: Array) -> tuple[States, Outcome]:
    """The samples before a force without a value, and how the motion ends."""
    found = undefined_along(mechanism, *states[:2], p)
    if found is None:
        if isinstance(motion, Result) and motion.status in (Status.STOPPED_EARLY, Status.INTERRUPTED):
            return states, motion.outcome
        return states, Outcome(time=float(states[0][-1]))
    count = int(np.searchsorted(states[0], found.time - 1e-12 * max(1.0, abs(found.time))))
    if count < LEAST:
        raise RefusedError(str(found))
    return (states[0][:count], states[1][:count], states[2][:count]), stopped_at(found)


def _states(
    mechanism: Mechanism,
    start: Start,
    motion: Result | GivenMotion,
    tolerance: float,
    parameters: Parameters | None,
) -> tuple[Start, States, tuple[str, ...], Result | None]:
    """A start with the constants of the motion, the closed states, what is to be said about them, and whose they are."""
    followed: Result | None = None
    if isinstance(motion, Result):
        if not len(motion):
            raise RefusedError(f"the motion has no samples: its run has {motion.outcome}")
        found = same_states(mechanism, start, motion)
        if found is not None:
            said = (*told_of_pace(motion), *change_notes(motion))
            return found[0], close_states(mechanism, *found, tolerance), said, motion
        followed, motion = motion, every_coordinate(mechanism, motion)
    held = structure_error(mechanism.topology, ", ".join(motion.names) or "it")
    if held is not None:
        raise held
    notes = told_of_pace(motion)
    # what stands still, pose by pose, passes nothing
    passed = through_change_points(mechanism, start, motion, parameters) if motion.variable.is_time else None
    if passed is not None:
        notes, same = (*notes, *change_notes(passed)), same_states(mechanism, start, passed)
        if same is not None:
            return start, close_states(mechanism, start, same[1], tolerance), notes, passed
        return start, close_record(mechanism, start, every_coordinate(mechanism, passed), tolerance), notes, passed
    return start, close_record(mechanism, start, motion, tolerance), (*notes, *change_notes(followed)), followed


@dataclass(frozen=True, eq=False)
class _Problem:
    """A mechanism whose motors are among its forces; behind the motors stand efforts where no motor reaches."""

    mechanism: Mechanism
    motorised: Motorised
    motors: tuple[Motor, ...]
    missing: tuple[Motor, ...]
    freedoms: int
    notes: tuple[str, ...]


def _pose(mechanism: Mechanism, start: Start, states: States, asked: InverseQuestion) -> _Problem:
    c, (t, y, _), motors = mechanism.coordinates, states, asked.choice.motors
    keys = list(c.motion.coordinates)
    all_rates = motor_rates(c, [Motor("", *key) for key in keys])
    pushed = [(m.joint, m.freedom) for m in motors if not m.between]
    given = asked.motion.values if isinstance(asked.motion, GivenMotion) else pushed
    left = c.topology.spins_beside(given)
    idle, others = ([spin for spin in left if bool(spin.matters) == told] for told in (False, True))
    spins = ca.jacobian(spin_rates(c.geometry, idle, c.kinematics).rates, c.v)
    held = ca.vertcat(c.jacobian, spins)
    f = make_function("reach", c, {"C": held, "B": motor_rates(c, motors), "all": all_rates})
    middle = len(t) // 3  # away from symmetric and dead positions, where motions like to begin and end
    parts = [np.array(item) for item in f.call([t[middle], y[middle], start.p])]
    nv = c.v.numel()
    motions = allowed_motions(parts[0].reshape(1, -1, nv), c.kinematics.scale)[0]
    found = reach(motions, parts[1].reshape(-1, nv), parts[2].reshape(-1, nv), c.kinematics.scale)
    guides = ", ".join(mechanism.model.guides)
    check_reach(motors, guides, found, float(t[middle]), bool(left))
    missing = tuple(Motor(".".join(keys[i]), *keys[i]) for i in found.missing)
    notes = [f"passive spins, driven by nothing: {', '.join(spin.name for spin in idle)}"] if idle else []
    notes += [f"{text}; it is as the motion has it" for text in spin_texts(others)]
    if found.rank + len(missing) + len(others) < found.freedoms:
        notes.append("some degrees of freedom are those of no joint coordinate: reactions are of least squares there")
    if len(motors) > found.rank:
        notes.append(
            f"{len(motors)} motors for {found.rank} degree{'' if found.rank == 1 else 's'} of freedom in reach: least "
            f"weighted squares of efforts{f'; {guides} pushes too' if guides else ''}"
        )
    acted, u = mechanism.with_motors((*motors, *missing))
    size = np.concatenate([asked.weights, np.ones(len(missing))])
    motorised = Motorised(acted.coordinates, (*motors, *missing), u, size)
    return _Problem(acted, motorised, motors, missing, found.freedoms, tuple(notes))


def _solve(problem: _Problem, states: States, p: Array, method: InverseMethod) -> Array:
    """Efforts (N, k) of all motors, in portions; of fewer samples where Ctrl-C comes in between."""
    t, y, vdot = states
    k = problem.motorised.u.numel()
    full, found = np.concatenate([p, np.zeros(k)]), [np.zeros((0, k))]
    if not k:
        return np.zeros((len(t), 0))
    for first in counted(range(0, len(t), PORTION), "finding efforts"):
        part = slice(first, first + PORTION)

        def evaluate(function: ca.Function, part: slice = part) -> Mapping[str, Array]:
            compiled = problem.mechanism.compiled(function)
            return compiled.unpack(compiled.sample(t[part], np.hstack([y[part], vdot[part]]), full))

        try:
            found.append(method.solve(problem.motorised, Samples(t[part], vdot[part], evaluate)))
        except KeyboardInterrupt:
            if first < LEAST:
                raise
            break
    return np.concatenate(found)


def _dead_centres(problem: _Problem, states: States, p: Array) -> NDArray[np.bool_]:
    """(N,) where motors lose their hold on a freedom: there no effort gives the motion."""
    (t, y, vdot), k = states, problem.motorised.u.numel()
    dead, steepness, nullity = np.zeros(len(t), dtype=bool), np.zeros(len(t)), np.zeros(len(t))
    if not problem.motorised.coordinates.rows or not k:
        return dead
    system, full = VirtualPower().system(problem.motorised), np.concatenate([p, np.zeros(k)])
    compiled = problem.mechanism.compiled(system.function)
    assert system.solver is not None  # there are conditions
    for first in range(0, len(t), PORTION):
        part = slice(first, first + PORTION)
        entries = compiled.sample(t[part], np.hstack([y[part], vdot[part]]), full)
        found = system.solver.solve(entries, np.full(len(entries), RANK))
        steepness[part], nullity[part] = np.where(found.certain, found.condition, np.inf), found.nullity
    steep = (steepness > STEEP) | (nullity > nullity.min())
    if not steep.any():
        return dead
    usual = np.arange(0, len(t), 1 + len(t) // max(USUAL, 2 * int(np.count_nonzero(steep))))
    looked_at = np.union1d(usual, np.flatnonzero(steep))
    hold = _hold(problem, t[looked_at], y[looked_at], full)
    dead[looked_at] = hold < DEAD * np.median(hold)
    return dead


def _hold(problem: _Problem, t: Array, y: Array, p: Array) -> Array:
    """(N,) the least speed of the motors in a motion of unit size."""
    c = problem.motorised.coordinates
    rates = motor_rates(c, (*problem.motors, *problem.missing))
    compiled = problem.mechanism.compiled(make_function("hold", c, {"C": c.jacobian, "B": rates}))
    parts = compiled.unpack(compiled.sample(t, y, p))
    motions = allowed_motions(parts["C"], c.kinematics.scale)
    return np.asarray(np.linalg.svd(parts["B"] @ motions, compute_uv=False).min(axis=-1, initial=np.inf))


def _said_of(dead: Array) -> tuple[str, ...]:
    if not dead.size:
        return ()
    more = f" and {dead.size - 1} more times" if dead.size > 1 else ""
    return (
        f"the motors are at a dead centre at t = {dead[0]:.6g} s{more}: no effort gives the motion there, and efforts and "
        "reactions are no numbers",
    )


@dataclass(frozen=True, eq=False)
class _Loaded:
    """States, parameters and efforts (N, k) of a motion, where these are no numbers (N,), and what it is over."""

    states: States
    p: Array
    efforts: Array
    dead: NDArray[np.bool_]
    over: Variable


def _result(
    problem: _Problem, found: _Loaded, asked: InverseQuestion, notes: tuple[str, ...], outcome: Outcome
) -> InverseDynamics:
    mechanism, t, method, motion = problem.mechanism, found.states[0], asked.method, asked.motion
    efforts = np.where(found.dead[:, None], 0.0, found.efforts)
    each = np.hstack([np.broadcast_to(found.p, (len(t), found.p.size)), efforts])
    trajectory = Trajectory(mechanism, found.states, each, scheme=method.reactions)
    quantities, columns = _supplements(problem, trajectory, found.dead)
    acting = (tuple(motor.coordinate for motor in motors) for motors in (problem.motors, problem.missing))
    source = SupplementedSource(trajectory, quantities, columns, _unknown_there(problem, found.dead), *acting)
    notes = (*notes, *(motion.unread(source.catalogue) if isinstance(motion, GivenMotion) and motion.unread else ()))
    result = Result(
        name=mechanism.model.name or "mechanism",
        time=t,
        source=source,
        drawing=mechanism.drawing(found.p),
        outcome=outcome,
        model_text=mechanism.text,
        settings={
            "coordinates": str(mechanism.coordinates.kind),
            "method": method.name,
            "reactions": method.reactions.name,
        },
        notes=notes,
        variable=found.over,
        freedoms=mechanism.topology.freedom_names,
    )
    return InverseDynamics(
        result=result,
        method=method.name,
        motors={motor.name: motor.coordinate for motor in problem.motors},
        undriven=tuple(motor.name for motor in problem.missing),
        freedoms=problem.freedoms,
        notes=notes,
        units={m.name: trajectory.catalogue[f"{m.name}.effort"].unit for m in (*problem.motors, *problem.missing)},
    )


def _unknown_there(problem: _Problem, dead: NDArray[np.bool_]) -> Undetermined:
    """What has no value at dead centres: efforts and powers of motors, and all reactions."""
    if not dead.any():
        return Undetermined(dead, frozenset())
    names = {f"{motor.name}.{what}" for motor in problem.motorised.motors for what in ("effort", "force", "power")}
    names |= {f"{element}.{component}" for element, component in problem.mechanism.equations.reactions.components}
    return Undetermined(dead, frozenset(names))


def _supplements(
    problem: _Problem, trajectory: Trajectory, dead: NDArray[np.bool_]
) -> tuple[dict[str, Quantity], dict[str, Callable[[], Array]]]:
    """Energies of the motors, and what the mechanism does to the ground."""
    space, t = problem.mechanism.coordinates.space, trajectory.t

    @cache
    def shaking() -> Array:
        compiled = problem.mechanism.compiled(shaking_function(problem.mechanism.coordinates))
        return compiled.sample(t, np.hstack([trajectory.y, trajectory.vdot]), trajectory.p)

    def pushed(i: int) -> Array:
        return np.asarray(shaking()[:, i])

    @cache
    def works() -> Mapping[str, Array]:
        moved = problem.mechanism.topology.drives.names or not problem.motorised.coordinates.a.is_zero()
        alone = not (problem.missing or moved or problem.mechanism.model.base)
        return motor_works(trajectory, [motor.name for motor in problem.motors], ~dead, alone)

    def energy(name: str) -> Array:
        return works()[name]

    names = [(f"ground.f{axis}", "N", f"{axis} force of the mechanism on the ground") for axis in space.axis_names]
    names += [
        (f"ground.m{axis}", "N*m", f"{axis} moment of the mechanism on the ground, about the origin")
        for axis in space.turn_names
    ]
    columns: dict[str, Callable[[], Array]] = {name: partial(pushed, i) for i, (name, *_) in enumerate(names)}
    for motor in problem.motors:
        names.append((f"{motor.name}.energy", "J", f"work of {motor.name} since the first sample"))
        columns[names[-1][0]] = partial(energy, motor.name)
    return {name: Quantity(name, unit, text) for name, unit, text in names}, columns
