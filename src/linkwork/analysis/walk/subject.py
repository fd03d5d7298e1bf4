"""What a verb is asked about: any noun of the walk, from a file to a result, as a model and the state in which it begins.

A model, a file or plain data begin where they are assembled, at t = 0; what has been analysed, numbered, formulated or
compiled likewise, in its own coordinates. A pose, an assembly mode or an equilibrium begin there. A result begins in its
last sample, at its time, so that formulas of t stay right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from linkwork.algebra.expressions.switches import FREE
from linkwork.algebra.given import Parameters
from linkwork.analysis.motion.driven_trajectory import KinematicTrajectory
from linkwork.analysis.motion.singular import poses_of, state_values, twists_of
from linkwork.analysis.motion.stepped_source import SteppedSource
from linkwork.analysis.motion.trajectory import Trajectory, run_of
from linkwork.analysis.prepared.prepare import (
    Mechanism,
    Start,
    analysed,
    begun,
    compiled,
    formulated,
    mechanism_of,
    numbered,
    prepare,
)
from linkwork.analysis.prepared.smooth import require_no_flanks, require_smooth
from linkwork.analysis.walk.states import Standing, drives_at, mode_in
from linkwork.compiler.backends import Backend
from linkwork.compiler.program import Program
from linkwork.coordinates.contributions import acts_at_times
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import KindChoice
from linkwork.elements.relations.rope import RopeRelation
from linkwork.equations import Equations
from linkwork.equations.equations import place_state
from linkwork.equations.formulations import Formulation
from linkwork.errors import RefusedError
from linkwork.formats import load
from linkwork.model import Model
from linkwork.model.parameters import ReadNumber
from linkwork.model.varied import check_values
from linkwork.numerics.integrators.solution import Mode
from linkwork.position.assembly import Assembly
from linkwork.position.geometry import Pose
from linkwork.results.assembled import AssembledPose
from linkwork.results.assembly_modes import AssemblyModes
from linkwork.results.equilibrium import Equilibria, Equilibrium
from linkwork.results.inverse_dynamics import InverseDynamics
from linkwork.results.result import Result
from linkwork.topology import Topology
from linkwork.topology.analyse import assemble_from
from linkwork.topology.assembly_mode import AssemblyMode

Noun = (
    Model
    | str
    | PathLike[str]
    | Mapping[str, Any]
    | Topology
    | Coordinates
    | Equations
    | Program
    | Mechanism
    | AssembledPose
    | AssemblyMode
    | Equilibrium
    | Result
)
Moved = Result | Equilibrium | InverseDynamics
TAKEN = "a model, its file, what was prepared from it, a pose, an assembly mode, an equilibrium or a result"

REST, RUBBED_REST = "the search for rest", "friction_at_rest"
TAKES_FRICTION = ("simulate", "floquet", "number", "formulate", "prepare", "build", "export_c")
"""Verbs in which the stops of joints act, and their friction."""
TAKES_STOPS = (*TAKES_FRICTION, REST, RUBBED_REST, "linearise")
"""Verbs in which the stops of joints act. In all others nothing stops, and notes say so."""
TAKES_LOOSE = (*TAKES_STOPS, "realtime", "simulate_many", "analyse", "assemble", "diagnose")
"""Verbs for which it does not matter that a relation holds only at times, or that look after it."""


PASSES_ROPES = ("solve_kinematics", "inverse_dynamics")
"""Verbs that follow a motion beyond the length of a rope, and tell where."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A model, how it is described unless a verb is told otherwise, and where it begins: a state, or poses of all bodies."""

    model: Model
    made: Topology | Coordinates | Equations | None = None  # how far it has come on its way to a mechanism
    mechanism: Mechanism | None = None
    state: Standing | None = None
    poses: Mapping[str, Pose] | None = None
    values: Mapping[str, float] | None = None  # live parameters with which the poses close
    near: Mapping[str, Pose] | None = None  # poses near which the model has to be put together, not its sketch
    notes: tuple[str, ...] = ()  # what a user should know of it
    written: Callable[[], Model] | None = None  # the model that begins there, where *model* does not say so
    stops: bool = False  # whether those of joints act
    rubs: bool = False  # whether joints rub

    @property
    def topology(self) -> Topology:
        """Its analysis; one that was made is used again."""
        coordinates = self.coordinates
        if coordinates is not None:
            return coordinates.topology
        return self.made if isinstance(self.made, Topology) else analysed(self.model, self.near)

    @property
    def coordinates(self) -> Coordinates | None:
        """Its own coordinates, if it has any."""
        if isinstance(self.made, Equations):
            return self.made.coordinates
        return self.made if isinstance(self.made, Coordinates) else None

    @property
    def kind(self) -> KindChoice | None:
        """The kind of its own coordinates."""
        return None if self.coordinates is None else self.coordinates.kind

    @property
    def formulation(self) -> Formulation | None:
        """Its own formulation, if it has one."""
        return self.made.formulation if isinstance(self.made, Equations) else None

    @property
    def backend(self) -> Backend | str:
        """Its own backend, or the usual one."""
        return "cpu" if self.mechanism is None else self.mechanism.program.backend

    @property
    def time(self) -> float:
        """When it begins, s."""
        if self.state is not None:
            return self.state.t
        made = self.coordinates.topology if self.coordinates is not None else self.made
        return made.drives.time if isinstance(made, Topology) else 0.0

    @property
    def given(self) -> dict[str, float]:
        """Live parameters that it begins with, where they are not those of the model."""
        if self.state is None:
            return {name: ReadNumber(value) for name, value in (self.values or {}).items()}
        names = self.state.mechanism.topology.geometry.parameter_names
        return dict(zip(names, map(ReadNumber, self.state.p.tolist()), strict=False))

    def prepare(
        self,
        coordinates: KindChoice | None = None,
        formulation: str | Formulation | None = None,
        backend: str | Backend | None = None,
    ) -> Mechanism:
        """The mechanism in the coordinates, formulation and backend asked for, else in its own, else in the usual ones."""
        if self.mechanism is not None and (coordinates, formulation, backend) == (None, None, None):
            return self.mechanism
        own = self.coordinates if coordinates is None else None
        if own is not None and formulation is None and isinstance(self.made, Equations):
            return compiled(self.made, backend or self.backend)
        chosen = own or numbered(self.topology, coordinates or "relative", stops=self.stops, rubs=self.rubs)
        return compiled(formulated(chosen, formulation), backend or self.backend)

    @property
    def begun(self) -> Topology:
        """Its analysis where it begins: one that was made already, or that of the same mechanism in a state."""
        return self.begun_with(None)

    def begun_with(self, parameters: Parameters | None) -> Topology:
        """Its analysis where it begins, put together with other values of live parameters."""
        if self.state is None and (self.poses is None or self.near is not None):
            return self._analysed_with(parameters) if parameters else self.topology
        mechanism = self.prepare()
        start = self.start(mechanism, parameters)
        moment = mechanism, start.time, start.y, start.p
        assembly = replace(start.assembly, poses=poses_of(*moment), twists=twists_of(*moment))
        live = start.p[: len(mechanism.topology.geometry.defaults)]
        return begun(mechanism.topology, drives_at(Standing(*moment), assembly.poses), assembly, live)

    def _analysed_with(self, parameters: Parameters) -> Topology:
        """Its analysis with other values of live parameters in the model, and with the drives of one that was made."""
        given = self.model.in_si(parameters)
        if self.made is None:
            return analysed(_valued(self.model, given), self.near)
        known = self.topology
        model = _valued(self.model, known.live | given)
        return analysed(model, known.near, replace(known.drives, model=model))

    def start(self, mechanism: Mechanism, parameters: Parameters | None = None, time: float | None = None) -> Start:
        """Where a mechanism that was prepared from this begins, at a time, with live parameters that may be others."""
        given = self.given | self.model.in_si(parameters)
        moment = self.time if time is None else time
        if self.state is not None:
            return self._resumed(mechanism, self.state, given, moment)
        if self.poses is None:
            return mechanism.start(given, moment)
        topology = mechanism.topology
        p = topology.parameters(given)
        assembly = assemble_from(topology, self.poses, p, moment)
        y, p = place_state(mechanism.coordinates, assembly, p, moment)
        told = replace(assembly, changed=(*assembly.changed, *self.notes))
        return mechanism.settle(Start(y, p, told, moment), moment)

    def _resumed(self, mechanism: Mechanism, state: Standing, given: Mapping[str, float], time: float) -> Start:
        """The state as it is where the coordinates are the same, else by the poses and velocities of all bodies."""
        own, other = state.mechanism.coordinates, mechanism.coordinates
        values = mechanism.topology.parameters(given)
        poses = poses_of(state.mechanism, state.t, state.y, state.p)
        assembly = Assembly(poses, twists_of(state.mechanism, state.t, state.y, state.p), 0.0, 0.0, ())
        if str(own.kind) == str(other.kind) and own.state_names == other.state_names:
            y, p = state.y.copy(), place_state(other, assembly, values, time)[1]
            named = {constant.name: i for i, constant in enumerate(own.constants, start=values.size)}
            for i, constant in enumerate(other.constants, start=values.size):
                p[i] = state.p[named[constant.name]] if constant.name in named else p[i]
        else:
            _check_turns(state)
            y, p = place_state(other, assembly, values, time)
            kept = {name: i for i, name in enumerate(own.state_names)}
            for name in (s.name for s in other.auxiliaries if s.role != "turns" and s.name in kept):
                y[other.state_names.index(name)] = state.y[kept[name]]
        mode = None if state.mode is None else _translated(state.mode, own, other)
        if mode is not None or not other.connections:
            p[other.limit_places], p[other.slide_places] = 0.0, 0.0
        if mode is not None:
            p[other.limit_places][list(mode.held)] = 1.0
            p[other.slide_places] = mode.slides
            p[[place for places in other.seat_places.values() for place in places]] = mode.seats
        return mechanism.settle(Start(y, p, assembly, time, mode), time)

    def with_stops(self, stops: bool, rubs: bool) -> Subject:
        """The same with the stops and the friction of joints, or without them."""
        own, acts = self.coordinates, acts_at_times(self.model)
        if own is None or (own.stops, own.rubs) == (stops and acts, rubs and acts):
            return replace(self, stops=stops, rubs=rubs)
        coordinates = numbered(own.topology, own.kind, stops=stops, rubs=rubs)
        if not isinstance(self.made, Equations):
            return replace(self, made=coordinates, stops=stops, rubs=rubs)
        able = self.made.formulation.able.limits or not coordinates.limits
        made = formulated(coordinates, self.made.formulation if able else None)
        mechanism = compiled(made, self.backend) if self.mechanism else None
        return replace(self, made=made, mechanism=mechanism, stops=stops, rubs=rubs)


def _translated(mode: Mode, own: Coordinates, other: Coordinates) -> Mode:
    """A mode in the numbers of other coordinates; what these do not know does not hold there."""
    if own.limits == other.limits:
        return mode
    places = {(item.name, item.label.component): i for i, item in enumerate(other.limits)}
    names = [(item.name, item.label.component) for item in own.limits]
    into = {names[i]: slide for i, slide in zip(own.grips, mode.slides, strict=True)}
    slides = tuple(into.get((item.name, item.label.component), 0.0) for item in other.grips.values())
    held = [names[i] for i in mode.held]
    return replace(mode, held=tuple(places[name] for name in held if name in places), slides=slides)


def subject_of(noun: Noun, verb: str) -> Subject:
    """What a verb is asked about, or an error that says what it takes."""
    subject = _subject(noun, verb).with_stops(verb in TAKES_STOPS, verb in TAKES_FRICTION)
    model = subject.model
    require_smooth(model, verb)
    loose_joints = any(joint.clearance is not None for joint in model.joints.values())
    coming = bool(model.relations or model.switches) or loose_joints
    loose = subject.topology.conditions.loose if coming and verb not in TAKES_LOOSE else ()
    if verb in PASSES_ROPES:
        relations = subject.topology.geometry.relations
        loose = tuple(name for name in loose if relations[name].kind != RopeRelation.kind)
    if loose:
        listed = ", ".join(f"'{name}'" for name in loose)
        raise RefusedError(
            f"{verb} does not take relations that come and go yet: {listed}; simulate does, for one that is taut "
            "throughout take a relation of kind 'distance', and leave the clearance of a joint out where it does not count"
        )
    if verb not in TAKES_LOOSE:
        require_no_flanks(model, verb)
    return subject


def _subject(noun: Noun, verb: str) -> Subject:
    if isinstance(noun, (Topology, Coordinates, Equations, Program, Mechanism)):
        return _on_its_way(noun, verb)
    if isinstance(noun, Model):
        return Subject(noun)
    if isinstance(noun, (str, PathLike)):
        return Subject(load(noun))
    if isinstance(noun, AssembledPose):
        return Subject(noun.model, poses=noun.poses, near=noun.poses, notes=noun.left_out)
    if isinstance(noun, AssemblyMode):
        return _of_mode(noun)
    if isinstance(noun, Equilibrium):
        return _of_result(noun.result, verb)
    if isinstance(noun, Result):
        return _of_result(noun, verb)
    if isinstance(noun, Mapping):
        return Subject(Model(**noun))
    raise RefusedError(_refusal(noun, verb))


def topology_of(noun: Noun, verb: str, parameters: Parameters | None = None) -> Topology:
    """The analysis of a noun: one that was made already, or a new one."""
    return subject_of(noun, verb).begun_with(parameters)


def motion_of_noun(noun: object, verb: str) -> Result:
    """The motion that a verb looks at: a result, or what was found along one; else an error that says what it takes."""
    found = noun.result if isinstance(noun, Equilibrium | InverseDynamics) else noun
    if isinstance(found, Result):
        return found
    raise RefusedError(
        f"{verb} takes a motion: a result, an equilibrium or inverse dynamics; this is {_named(noun)}. simulate and "
        "solve_kinematics find motions"
    )


def _valued(model: Model, parameters: Parameters) -> Model:
    """The model with other values of live parameters."""
    values, given = model.parameter_values(parameters), model.with_names(parameters)
    check_values(model, values)
    return model.with_(parameters={name: model.parameters[name].with_(value=values[name]) for name in given})


def _refusal(noun: object, verb: str) -> str:
    if isinstance(noun, (AssemblyModes, Equilibria)):
        return f"{verb} is asked about one of them: give one of the {len(noun)}, such as the first, [0]"
    return f"{verb} takes {TAKEN}; this is {_named(noun)}"


def _named(noun: object) -> str:
    return "None" if noun is None else f"of type {type(noun).__name__}"


def _on_its_way(noun: Topology | Coordinates | Equations | Program | Mechanism, verb: str) -> Subject:
    """What has been made of a model already is used as it is."""
    if isinstance(noun, Program):
        if not isinstance(noun.source, Equations):
            raise RefusedError(
                f"{verb}: this program has functions alone; that of a mechanism is made by build(equations)"
            )
        noun = mechanism_of(noun.source, noun)
    if isinstance(noun, Mechanism):
        return Subject(noun.model, noun.equations, noun)
    numbered = noun.coordinates if isinstance(noun, Equations) else noun
    return Subject(numbered.topology.model if isinstance(numbered, Coordinates) else numbered.model, noun)


def _of_mode(mode: AssemblyMode) -> Subject:
    names = mode.topology.geometry.parameter_names
    values = dict(zip(names, mode.p[: len(names)].tolist(), strict=True))
    return Subject(mode.topology.model, poses=mode.poses, values=values, written=lambda: mode.model)


def _of_result(result: Result, verb: str) -> Subject:
    """The last sample of a run."""
    source = result.source
    if isinstance(source, SteppedSource):
        run = run_of(source.trajectory, "take the run itself")
        p = np.atleast_2d(run.p)[-1].copy()
        mode = mode_in(run.mechanism.coordinates, p) if run.mechanism.coordinates.connections else None
        state = Standing(run.mechanism, float(run.t[-1]), run.y[-1].copy(), p, mode)
        return Subject(run.mechanism.model, run.mechanism.topology, state=state)
    if not isinstance(source, Trajectory):
        raise RefusedError(
            f"{verb}: a stored result has no state to go on from; take the run itself, or begin anew with "
            "loads(result.model_text), parameters=result.parameters"
        )
    if isinstance(source, KinematicTrajectory) and (source.written is None or not result.variable.is_time):
        raise RefusedError(
            f"{verb}: the inputs of this motion are samples, which end with it; give formulas of t, or begin with the model "
            "in a pose, such as assemble(model, near)"
        )
    mechanism = run_of(source, "take the run itself").mechanism
    p = np.atleast_2d(source.p)[-1].copy()
    mode = mode_in(mechanism.coordinates, p)
    p[mechanism.coordinates.switch_places] = FREE
    last = Standing(mechanism, float(source.t[-1]), source.y[-1].copy(), p, mode)
    if isinstance(source, KinematicTrajectory) and source.written is not None:
        # it moves on by formulas, not by the numbers of samples
        mechanism = prepare(source.written, coordinates=mechanism.coordinates.kind, backend=mechanism.program.backend)
    return Subject(mechanism.model, mechanism.equations, mechanism, last)


def _check_turns(state: Standing) -> None:
    """Refuse other coordinates where angles have gone round: they would begin with fewer turns."""
    c = state.mechanism.coordinates
    angles = {key: item for key, item in c.motion.coordinates.items() if item.kind == "angle"}
    found = state_values(state.mechanism, state.t, state.y, state.p, [item.value for item in angles.values()])
    for (joint, freedom), value in zip(angles, (item.item() for item in found), strict=True):
        if abs(value) > np.pi:
            raise RefusedError(
                f"{joint}.{freedom} has gone round ({value:.4g} rad), which is not seen in other coordinates than "
                f"those of the run: go on in {c.kind} coordinates, or begin in others"
            )
