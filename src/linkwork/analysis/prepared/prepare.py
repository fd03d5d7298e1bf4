"""From a model to machine code, once: what every analysis starts from."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.analysis.prepared.memo import forget_of, of_model, of_noun
from linkwork.answer import Answer, Column, Text
from linkwork.arrays import Array
from linkwork.compiler.backends import Backend
from linkwork.compiler.compiled import CompiledFunction
from linkwork.compiler.program import Program, build
from linkwork.coordinates.contributions import acts_at_times
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.given_friction import GivenFrictions, with_given_friction
from linkwork.coordinates.motors import Motor, with_motors
from linkwork.coordinates.numbering import KindChoice, coordinate_kind, number, place_state
from linkwork.equations import Equations, formulate, start_of
from linkwork.equations.formulations import Formulation
from linkwork.equations.formulations.base import Compiled, SlopeWriter
from linkwork.equations.terms import slope_entries, slope_matrix
from linkwork.errors import AssemblyError, RefusedError
from linkwork.formats import dump
from linkwork.model import Model
from linkwork.numerics.flows.closure import solve_positions, solve_velocities
from linkwork.numerics.flows.context import ConstrainedSystem, flow_parameters
from linkwork.numerics.flows.flow import Flow, Series
from linkwork.numerics.integrators.solution import Mode
from linkwork.numerics.integrators.taylor import LONGEST
from linkwork.numerics.kernels.linear.slope import Slope
from linkwork.position.assembly import Assembly
from linkwork.position.condition_rows import condition_rows
from linkwork.position.drives import Drives
from linkwork.position.geometry import Pose
from linkwork.progress import told
from linkwork.results.drawing import Drawing
from linkwork.results.sketch import draw
from linkwork.topology import Topology, analyse
from linkwork.topology.analyse import assemble, begun_at, with_drives
from linkwork.topology.mobility.mobility import find_mobility
from linkwork.topology.resolve import resolve

CHOICES = 3  # ways to go on from a stage that it remembers
STARTS = 64  # assembled starts that a mechanism remembers, by the values of its parameters
LONG = 300_000  # instructions of derivatives, which are found by differences beyond
PORTION = 8192  # samples that are evaluated at once
CONDITIONS = ("closure", "sparse_closure", "retract", "reframe")  # functions that put a position right


@dataclass(frozen=True, eq=False)
class Start:
    """A consistent state at a time: y = [q, v, s], the parameters p with the constants of the assembly, and the poses.

    mode: what holds there of what comes and goes; None where it is not known yet
    """

    y: Array
    p: Array
    assembly: Assembly
    time: float = 0.0
    mode: Mode | None = None

    @property
    def place(self) -> tuple[Array, Array]:
        """y and p."""
        return self.y, self.p


@dataclass(frozen=True, eq=False, repr=False)
class Mechanism(Answer):
    """A model with its topology, coordinates, equations and program. Live parameters change without recompiling."""

    view = "modes.plot_start"

    topology: Topology
    coordinates: Coordinates
    equations: Equations
    program: Program

    def __reduce__(self) -> tuple[object, ...]:
        return Mechanism, (self.topology, self.coordinates, self.equations, self.program)

    @property
    def model(self) -> Model:
        return self.topology.model

    @cached_property
    def text(self) -> str:
        """The model as a file has it."""
        return dump(self.model)

    def drawing(self, p: Array) -> Drawing:
        """What it looks like with the parameters p; some are remembered."""
        values = p[: len(self.topology.geometry.defaults)]
        return of_noun(self, "drawing", values.tobytes(), lambda: draw(self.topology, values))

    def system(self, p: Array) -> ConstrainedSystem:
        """The constrained system with parameters p, which are read in place."""
        return self.equations.system({name: self.program[name] for name in self.equations.scheme.functions}, p)

    def conditions(self, p: Array) -> ConstrainedSystem:
        """The same without what only a motion needs, which is not compiled for it."""
        known = [name for name in CONDITIONS if name in self.equations.scheme.functions]
        return self.equations.system({name: self.program[name] for name in known}, p)

    def flow(self, start: Start, time: float | None = None, *, series: bool = False, slope: bool = False) -> Flow:
        """The flow of the formulation from a consistent state; on request with its power series, or with ∂ẏ/∂y."""
        compiled = Compiled(self._compile, self._series if series else None, self._slope if slope else None)
        moment = start.time if time is None else time
        flow = self.equations.scheme.begin(self.system(start.p), compiled, moment, start.y)
        return replace(flow, positions=self.coordinates.q.numel())

    def motion(
        self, times: ArrayLike, start: Start | None = None, along: Array | None = None
    ) -> tuple[Array, Array, Array]:
        """q, v and v̇ (N × n each) at the *times* (N) of a mechanism whose motion is prescribed, without integration.

        All loops must have a closed form, and drivers must give positions as formulas of time; the times must be so near
        to each other that no angle goes half a turn between two of them. along (N × np): the parameters at every time,
        where they change.
        """
        if "motion" not in self.equations.functions:
            raise RefusedError("the motion is not prescribed by formulas alone: use simulate")
        if any(state.role == "driver" for state in self.coordinates.auxiliaries):
            raise RefusedError("a driver gives a speed or an acceleration, which is integrated: use simulate")
        t = np.ascontiguousarray(times, dtype=np.float64)
        nq, nv = self.coordinates.q.numel(), self.coordinates.v.numel()
        found = self._prescribed(t, start or self.start(), along)
        closed = found[:, -1] > 0.0
        if not closed.all():
            first = float(t[np.argmin(closed)])
            raise AssemblyError(f"a loop cannot be closed at t = {first:g} s: a driver goes past its limit")
        names = self.coordinates.kinematics.q_names
        for i in (i for i, name in enumerate(names) if "angle" in name.split(".")[-1]):
            if np.all(np.isfinite(found[:, i])) and np.any(np.abs(np.diff(found[:, i])) > np.pi):
                found[:, i] = np.unwrap(found[:, i])
        return found[:, :nq], found[:, nq : nq + nv], found[:, nq + nv : nq + 2 * nv]

    def _prescribed(self, t: Array, start: Start, along: Array | None) -> Array:
        """The function 'motion' at all times, in portions that stay in the cache of the processor."""
        function = self.program["motion"]
        p = flow_parameters(self.flow(start))[: function.size_p]
        found = np.empty((t.size, function.size_out))
        states = np.tile(start.y, (min(t.size, PORTION), 1))
        for first in range(0, t.size, PORTION):
            part = t[first : first + PORTION]
            now = p
            if along is not None:
                now = np.tile(p, (part.size, 1))
                now[:, : along.shape[1]] = along[first : first + PORTION]
            found[first : first + PORTION] = function.batch(part, states[: part.size], now)
        return found

    def _compile(self, functions: Mapping[str, ca.Function]) -> Mapping[str, CompiledFunction]:
        """Compile functions that a run turns out to need; they are kept with the mechanism."""
        return {name: self.compiled(function) for name, function in functions.items()}

    def _series(self, function: ca.Function, given: ca.Function | None) -> Series:
        """The power series of a function [ẏ, ...]: of all states, or of those from which *given* finds q and v."""
        c = self.coordinates
        first = c.q.numel() + c.v.numel()
        states = frozenset(range(first)) if given is None else self._function(given).states_read()
        code = self._function(function).series(states | frozenset(range(first, c.y.numel())))
        return Series(code, np.zeros(code.layout.size(LONGEST)))

    def _slope(self, function: ca.Function, written: SlopeWriter | None) -> Slope | None:
        """∂ẏ/∂y of a function [ẏ, ...], *written* in a way of its own or by differentiation.

        None where it would be compiled for minutes: differences take milliseconds.
        """

        def found() -> tuple[ca.Function, NDArray[np.int64]]:
            return slope_entries(f"{function.name()}_slope", slope_matrix(function) if written is None else written())

        entries, places = of_noun(self, "slope", function.name(), found, most=None)
        if entries.n_instructions() > LONG:
            return None
        return Slope(function=self.compiled(entries), places=places, count=places.size)

    def _function(self, function: ca.Function) -> CompiledFunction:
        name = function.name()
        return self.program[name] if name in self.program else self.compiled(function)

    def compiled(self, function: ca.Function) -> CompiledFunction:
        """A function that somebody asks for, known by its name; it is compiled once and kept with the mechanism."""
        name = function.name()
        return of_noun(self, "compiled", name, lambda: build({name: function}, self.program.backend)[name], most=None)

    def with_motors(self, motors: tuple[Motor, ...]) -> tuple[Mechanism, ca.SX]:
        """The mechanism with motors among its forces, and the symbols of their efforts; kept, with all that it compiles."""

        def acted() -> tuple[Mechanism, ca.SX]:
            coordinates, u = with_motors(self.coordinates, motors)
            equations = replace(self.equations, coordinates=coordinates)
            return replace(self, coordinates=coordinates, equations=equations), u

        return of_noun(self, "motors", motors, acted)

    def with_given_friction(self) -> tuple[Mechanism, GivenFrictions]:
        """The mechanism with friction of its joints whose numbers are given; kept, with all that it compiles."""

        def acted() -> tuple[Mechanism, GivenFrictions]:
            coordinates, found = with_given_friction(self.coordinates)
            equations = replace(self.equations, coordinates=coordinates)
            return replace(self, coordinates=coordinates, equations=equations), found

        return of_noun(self, "given friction", None, acted)

    def start(
        self,
        parameters: Mapping[str, float] | None = None,
        time: float | None = None,
        inputs: Sequence[float] | None = None,
    ) -> Start:
        """Assemble the mechanism for given live parameters, to the last digit of these coordinates; remembered.

        inputs: numbers of its inputs, where they are others than those with which it was put together first
        """
        values = self.topology.parameters(parameters)
        drives = self.topology.drives
        time = drives.time if time is None else time
        drives = drives if inputs is None else replace(drives, first=tuple(inputs))
        key = values.tobytes(), time, drives.first
        known = of_noun(self, "start", key, lambda: self._started(values, time, drives), most=STARTS)
        return replace(known, y=known.y.copy(), p=known.p.copy())

    def _started(self, values: Array, time: float, drives: Drives) -> Start:
        topology = self.topology
        same = time == topology.drives.time and drives.first == topology.drives.first
        if same and np.array_equal(values, topology.geometry.defaults):
            assembly = topology.assembly
            y, p = (array.copy() for array in self.equations.start)
        else:
            assembly = assemble(topology, values, time, drives)
            known = self._known(assembly, values)
            if known is None:
                _check_dimensions(topology, assembly, values)
            y, p = place_state(self.coordinates, assembly, np.concatenate([values, drives.first]), time, known)
        return self.settle(Start(y, p, assembly, time), time)

    def _known(self, assembly: Assembly, values: Array) -> tuple[Array, Array] | None:
        """q and v at the start, where other parameters (masses, springs) leave bodies and joints as they are."""
        topology, known = self.topology, self.topology.assembly
        geometry = topology.geometry
        same = all(
            np.array_equal(one, other)
            for name, pose in assembly.poses.items()
            for one, other in (
                (pose.origin, known.poses[name].origin),
                (pose.axes, known.poses[name].axes),
                (assembly.twists[name], known.twists[name]),
            )
        )
        if not same or not np.array_equal(geometry.seats(values), geometry.seats(geometry.defaults)):
            return None
        nq, nv, y = self.coordinates.q.numel(), self.coordinates.v.numel(), self.equations.start[0]
        return y[:nq], y[nq : nq + nv]

    def settle(self, start: Start, time: float) -> Start:
        """Bring a state near its conditions onto them, in place."""
        system = self.conditions(start.p)
        if "closure" not in system.functions and system.m:
            return self._settled(start, time)
        for solve in (solve_positions, solve_velocities):
            report = solve(system, time, start.y)
            if not report.converged:
                row = int(np.argmax(np.abs(report.residual))) if report.residual.size else 0
                where = f" at {self.coordinates.labels[row]}" if self.coordinates.labels else ""
                reason = report.failure.message if report.failure else "it did not converge"
                raise AssemblyError(f"the position cannot be closed{where}: {reason}")
        return start

    def _settled(self, start: Start, time: float) -> Start:
        """A state put right by the formulas of its flow, where no closure function is compiled."""
        if self.flow(start, time).correct(time, start.y) < 0:
            raise AssemblyError("the position cannot be closed by the formulas of its plan")
        return start

    @property
    def title(self) -> str:
        return self.topology.title

    @property
    def brief(self) -> str:
        how = f"{self.equations.formulation.name} in {self.coordinates.kind} coordinates"
        return f"Mechanism '{self.model.name or 'mechanism'}': {how}, backend '{self.program.backend.name}'"

    def report(self) -> list[Text]:
        """Topology, equations and program."""
        return [*self.topology.report(), Text(f"\n{self.equations}\n\n{self.program}")]

    def columns(self) -> Sequence[Column]:
        """The joints, as of the topology."""
        return self.topology.columns()


def prepare(
    model: Model,
    *,
    coordinates: KindChoice = "relative",
    formulation: str | Formulation | None = None,
    backend: str | Backend = "cpu",
    near: Mapping[str, Pose] | None = None,
    stops: bool = False,
) -> Mechanism:
    """Analyse, number, formulate and compile a model. Asked again for an equal model, it is remembered.

    near: for verbs that go on from a pose, the poses of all bodies near which it is put together, with the unknowns of
    relations; by default the sketch, with what ``start`` says of it. It is not the same: ``start`` belongs to the model, its
    free coordinates are held as in a sketch, and ``branches`` count. A user writes ``start``.
    stops: those of joints act
    """
    return compiled(formulated(numbered(analysed(model, near), coordinates, stops=stops), formulation), backend)


def analysed(model: Model, near: Mapping[str, Pose] | None = None, drives: Drives | None = None) -> Topology:
    """The analysis of a model near some poses, with its own drives or others; of an equal model the same one."""
    own = drives is None or drives.shape == Drives.of(model).shape
    key = _pose_key(near) if drives is None or own else (drives.shape, _pose_key(near))
    return of_model(model, "topology", key, lambda: _analyse(model, near, None if own else drives))


_analyse, _number = told("analysing")(analyse), told("numbering the unknowns")(number)
_formulate = told("writing the equations")(formulate)


def driven(topology: Topology, drives: Drives, near: Mapping[str, Pose] | None = None) -> Topology:
    """The analysis with other drives; asked again for them the same one, whatever the numbers of its inputs."""
    if near is None and drives.shape == topology.drives.shape:
        return topology
    return of_noun(topology, "driven", (drives.shape, _pose_key(near)), lambda: with_drives(topology, drives, near))


def forget_driven(topology: Topology, drives: Drives) -> None:
    """Let go of an analysis that cannot move: another motion of the same inputs begins elsewhere, and may."""
    forget_of(topology, "driven", (drives.shape, _pose_key(None)))


def begun(topology: Topology, drives: Drives, assembly: Assembly, p: Array) -> Topology:
    """The analysis of a mechanism that begins in a state; asked again for it, the same one."""
    moving = tuple((name, twist.tobytes()) for name, twist in assembly.twists.items())
    key = drives.shape, _pose_key(assembly.poses), moving, p.tobytes()
    return of_noun(topology, "begun", key, lambda: begun_at(topology, drives, assembly, p))


def _pose_key(near: Mapping[str, Pose] | None) -> Hashable:
    return tuple((name, at.origin.tobytes(), at.axes.tobytes(), at.angle) for name, at in (near or {}).items())


def numbered(topology: Topology, kind: KindChoice, *, stops: bool = False, **parts: bool | None) -> Coordinates:
    """The coordinates of an analysis; asked again for the same kind, the same ones. stops, parts: see ``number``."""
    chosen, acting = coordinate_kind(kind), stops and acts_at_times(topology.model)
    rubs, touching = parts.get("rubs"), parts.get("touching") is not False
    rubbing = acting if rubs is None else rubs and acting
    make = partial(_number, topology, chosen, stops=acting, rubs=rubbing, touching=touching)
    return of_noun(topology, "coordinates", (repr(chosen), acting, rubbing, touching), make, CHOICES)


def formulated(coordinates: Coordinates, formulation: str | Formulation | None) -> Equations:
    """The equations in a formulation; asked again for it, the same ones."""
    start = of_noun(coordinates, "start", None, partial(start_of, coordinates))
    make = partial(_formulate, coordinates, formulation, start)
    return of_noun(coordinates, "equations", repr(formulation), make, CHOICES)


def compiled(equations: Equations, backend: str | Backend) -> Mechanism:
    """The mechanism of some equations; asked again for the same backend, the same one."""
    key, make = repr(backend), lambda: mechanism_of(equations, build(equations, backend))
    return of_noun(equations, "mechanism", key, make, CHOICES)


def mechanism_of(equations: Equations, program: Program) -> Mechanism:
    """The mechanism of a program that was built from its equations."""
    return Mechanism(equations.coordinates.topology, equations.coordinates, equations, program)


def _check_dimensions(topology: Topology, assembly: Assembly, values: Array) -> None:
    """Refuse parameters with which wheels that were drawn to mesh do not, or with which conditions that were redundant are
    none: nothing would hold them."""
    mobility = topology.mobility
    if topology.model.couplings:
        resolve(topology.model, values)
    if not mobility.redundant:
        return
    rows = condition_rows(topology.drives, topology.conditions, assembly.poses, values)
    cuts = [link.name for link in topology.tree.cuts]
    now = find_mobility(topology.conditions, assembly.poses, values, rows, cuts)
    more = [str(label) for label in mobility.redundant if label not in now.redundant]
    if now.free < mobility.free:
        raise RefusedError(
            f"with these parameters the mechanism has {now.free} degrees of freedom, and {mobility.free} with those of the "
            f"model, for which it is compiled ({', '.join(more)} would not be held): give the values in the model itself, "
            "as in model.with_(parameters={...})"
        )
