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
from linkwork.analysis.inverse.hold import Problem, among, pose_problem, weak_positions, with_efforts
from linkwork.analysis.inverse.inverse_question import (
    LEAST,
    InverseQuestion,
    WantedMotion,
    ask,
    asked_about,
    read_motion,
)
from linkwork.analysis.inverse.motor_choice import without_motors
from linkwork.analysis.inverse.motor_works import Worked, motor_works
from linkwork.analysis.inverse.powers_between import STILL, PowersBetween, power_functions, standing
from linkwork.analysis.inverse.rubbing_efforts import RubbedMotion, RubbingEfforts, rubbing_of
from linkwork.analysis.inverse.taken_over import start_with
from linkwork.analysis.inverse.whole_motion import WholeMotion, whole_motion
from linkwork.analysis.kinematics.leading import own_parameters
from linkwork.analysis.kinematics.record import GivenMotion
from linkwork.analysis.motion.beyond import beyond_notes, passings
from linkwork.analysis.motion.outcome import stopped_at
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.motion.undefined import undefined_along
from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism, compiled, formulated, numbered
from linkwork.analysis.walk.subject import Noun
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.coordinates.numbering import KindChoice
from linkwork.coordinates.told import changing, remarks
from linkwork.elements.stops import LOWER, UPPER
from linkwork.equations.inverse.base import InverseMethod, Samples
from linkwork.equations.reactions.penalty_estimate import PenaltyEstimate
from linkwork.equations.reactions.shaking import shaking_function
from linkwork.errors import RefusedError
from linkwork.model.remarks import unpulled
from linkwork.progress import counted
from linkwork.results.inverse_dynamics import InverseDynamics, SupplementedSource, Undetermined
from linkwork.results.outcome import Outcome, Status
from linkwork.results.quantities import TIME, Quantity, Variable
from linkwork.results.result import Result

TOLERANCE = 1e-6
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
    friction: bool = True,
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
    friction: of joints, by what they transmit. Where joints stand still, 'O.angle.effort.lower' and 'O.angle.effort.upper'
    bound the effort. False leaves it out
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
    own, explicit = own_parameters(about.topology, asked.motion), about.topology.model.in_si(parameters)
    free = without_motors(about.topology, asked.choice)
    mechanism = compiled(formulated(numbered(free, coordinates or about.kind), None), about.backend)
    begun = start_with(mechanism, about.topology.live | own, explicit)
    whole = whole_motion(mechanism, begun, asked.motion, tolerance)
    p, over = whole.start.p, asked.motion.variable if isinstance(asked.motion, GivenMotion) else TIME
    states, outcome = _defined(mechanism, asked.motion, standing(whole.states, over), p)
    outcome = outcome if over.is_time else replace(outcome, time=outcome.time / STILL)
    rubbing = rubbing_of(mechanism, len(states[0]), p, friction=friction)
    problem = pose_problem(rubbing.mechanism, replace(whole.start, p=rubbing.p), states, asked)
    solved = partial(_solve, problem, asked.method)
    efforts = solved(states, rubbing.p)
    if len(efforts) < len(states[0]):
        states = (states[0][: len(efforts)], states[1][: len(efforts)], states[2][: len(efforts)])
        outcome = Outcome(Status.INTERRUPTED, "what was found before is kept", float(states[0][-1]))
    time = whole.states[0][: len(efforts)]
    acting = RubbingEfforts(problem, rubbing, solved, asked.method.reactions)
    rubbed = acting.along(time, states, efforts)
    weak = weak_positions(problem, states, rubbed.p, whole.singular)
    dead = weak.dead | weak.meeting | rubbed.jammed
    notes = (*_known(rubbing.mechanism, whole, outcome, over), *problem.notes, *weak.notes(time, over))
    notes = (*notes, *rubbed.notes(over, [motor.name for motor in problem.motors]))
    found = _result(acting, _Loaded(states, rubbed, dead, over), asked, notes, outcome)
    if not audit:
        return found
    complete = not problem.missing and not dead.any()
    return replace(
        found,
        result=replace(found.result, auditor=inverse_auditor(found.result.source, complete, found.result.variable)),
    )


def _known(mechanism: Mechanism, whole: WholeMotion, outcome: Outcome, over: Variable) -> tuple[str, ...]:
    """What to know of a motion before its efforts."""
    ended = () if outcome.completed else (f"the motion could not be followed to its end: {outcome}",)
    told = () if over.is_time else changing(mechanism.coordinates, 0.0)
    noted = (*remarks(mechanism.coordinates, whole.start.p), *unpulled(mechanism.model))
    return (*ended, *noted, *whole.notes, *told)


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


def _solve(problem: Problem, method: InverseMethod, states: States, p: Array) -> Array:
    """Efforts (N, k) of all motors, in portions; of fewer samples where Ctrl-C comes in between."""
    t, y, vdot = states
    k = problem.motorised.u.numel()
    full, found = with_efforts(p, np.zeros(k)), [np.zeros((0, k))]
    if not k:
        return np.zeros((len(t), 0))
    for first in counted(range(0, len(t), PORTION), "finding efforts"):
        part = slice(first, first + PORTION)

        def evaluate(function: ca.Function, part: slice = part) -> Mapping[str, Array]:
            compiled = problem.mechanism.compiled(function)
            state = np.hstack([y[part], vdot[part]])
            return compiled.unpack(compiled.sample(t[part], state, among(full, part)))

        try:
            found.append(method.solve(problem.motorised, Samples(t[part], vdot[part], evaluate)))
        except KeyboardInterrupt:
            if first < LEAST:
                raise
            break
    return np.concatenate(found)


@dataclass(frozen=True, eq=False)
class _Loaded:
    """States of a motion with its efforts and friction, where these are none (N,), and what it is over."""

    states: States
    rubbed: RubbedMotion
    dead: NDArray[np.bool_]
    over: Variable


def _result(
    acting: RubbingEfforts, found: _Loaded, asked: InverseQuestion, notes: tuple[str, ...], outcome: Outcome
) -> InverseDynamics:
    problem, motion = acting.problem, asked.motion
    mechanism = problem.mechanism
    source = _source(acting, found, asked)
    trajectory = source.source
    assert isinstance(trajectory, Trajectory)
    unread = motion.unread(source.catalogue) if isinstance(motion, GivenMotion) and motion.unread else ()
    notes = (*notes, *beyond_notes(trajectory, found.over), *unread)
    result = Result(
        name=mechanism.model.name or "mechanism",
        time=found.rubbed.time,
        source=source,
        drawing=mechanism.drawing(trajectory.p[0]),
        outcome=outcome,
        model_text=mechanism.text,
        settings={
            "coordinates": str(mechanism.coordinates.kind),
            "method": asked.method.name,
            "reactions": asked.method.reactions.name,
        },
        noted=notes,
        variable=found.over,
        freedoms=mechanism.topology.freedom_names,
        events=passings(trajectory, found.over),
    )
    return InverseDynamics(
        result=result,
        method=asked.method.name,
        motors={motor.name: motor.coordinate for motor in problem.motors},
        undriven=tuple(motor.name for motor in problem.missing),
        freedoms=problem.freedoms,
        notes=notes,
        units={m.name: trajectory.catalogue[f"{m.name}.effort"].unit for m in (*problem.motors, *problem.missing)},
    )


def _source(acting: RubbingEfforts, found: _Loaded, asked: InverseQuestion) -> SupplementedSource:
    """All quantities of the motion with its efforts."""
    problem, motion, t = acting.problem, asked.motion, found.rubbed.time
    efforts = np.where(found.dead[:, None], 0.0, found.rubbed.efforts)
    each = with_efforts(found.rubbed.p, efforts)
    trajectory = Trajectory(problem.mechanism, found.states, each, scheme=asked.method.reactions)
    poses = motion if isinstance(motion, GivenMotion) and not motion.variable.is_time else None
    # from pose to pose everything is slow, and what stands does not rub
    rubs = acting.at if acting.rubbing.any and poses is None else None
    p = found.rubbed.p if poses is None else acting.rubbing.p
    between = PowersBetween(problem, (t, *found.states[1:]), p, acting.efforts, poses, rubs)
    quantities, columns = _supplements(problem, trajectory, _Works(between, efforts, ~found.dead))
    for name, (quantity, column) in _bounds(problem, trajectory, found.rubbed).items():
        quantities[name], columns[name] = quantity, column
    pushing = (tuple(motor.coordinate for motor in motors) for motors in (problem.motors, problem.missing))
    return SupplementedSource(trajectory, quantities, columns, _unknown_there(problem, found.dead), *pushing)


def _bounds(
    problem: Problem, trajectory: Trajectory, rubbed: RubbedMotion
) -> dict[str, tuple[Quantity, Callable[[], Array]]]:
    """Between which the effort of every motor is, where joints rub that may stand still."""
    found: dict[str, tuple[Quantity, Callable[[], Array]]] = {}
    for i, motor in enumerate(problem.motors if rubbed.standing.any() else ()):
        for side, word, ends in ((LOWER, "least", rubbed.lower), (UPPER, "largest", rubbed.upper)):
            name, unit = f"{motor.name}.effort.{side}", trajectory.catalogue[f"{motor.name}.effort"].unit
            text = f"{word} effort of {motor.name} that friction of what stands still leaves"
            found[name] = Quantity(name, unit, text), partial(np.array, ends[:, i])
    return found


@dataclass(frozen=True, eq=False)
class _Works:
    """What works are made of: powers between samples, efforts (N, k) at these, and where they are known (N)."""

    between: PowersBetween
    efforts: Array
    known: NDArray[np.bool_]

    def of_motors(self, trajectory: Trajectory) -> dict[str, Array]:
        """The works (N) of all motors by name."""
        problem, count = self.between.problem, len(self.between.problem.motors)
        moved = problem.mechanism.topology.drives.names or not problem.motorised.coordinates.a.is_zero()
        powers, others = self.between.at_samples(self.efforts)
        run = Worked(
            t=self.between.states[0],
            motors=powers[:, :count],
            others=others,
            energy=trajectory.evaluate(["energy.total"])["energy.total"],
            known=self.known,
            motor_at=power_functions(self.between),
            others_at=self.between.others,
            alone=not (problem.missing or moved or problem.mechanism.model.base),
            slowly=self.between.poses is not None,
        )
        return dict(zip((motor.name for motor in problem.motors), motor_works(run).T, strict=True))


def _unknown_there(problem: Problem, dead: NDArray[np.bool_]) -> Undetermined:
    """What has no value at dead centres: efforts and powers of motors, and all reactions."""
    if not dead.any():
        return Undetermined(dead, frozenset())
    names = {f"{motor.name}.{what}" for motor in problem.motorised.motors for what in ("effort", "force", "power")}
    names |= {f"{element}.{component}" for element, component in problem.mechanism.equations.reactions.components}
    return Undetermined(dead, frozenset(names))


def _supplements(
    problem: Problem, trajectory: Trajectory, done: _Works
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
        return done.of_motors(trajectory)

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
