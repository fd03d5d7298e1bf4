"""``simulate(model, until)``: the motion of a mechanism over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.expressions import parse, to_sx
from linkwork.algebra.units import si
from linkwork.analysis.outcome import explain
from linkwork.analysis.prepare import Mechanism, Start, check_inertia, prepare
from linkwork.analysis.singular import check_position, passage_notes
from linkwork.analysis.sketch import draw
from linkwork.analysis.trajectory import Trajectory
from linkwork.analysis.work import Rerun, States
from linkwork.compiler.backends import Backend
from linkwork.compiler.program import build
from linkwork.coordinates.naming import Lookup
from linkwork.coordinates.numbering import KindChoice, coordinate_kind
from linkwork.equations import AugmentedLagrangian, Formulation
from linkwork.equations.energy import energy_function
from linkwork.equations.formulations.penalty import penalties
from linkwork.errors import RefusedError, ResultError
from linkwork.formats import dump
from linkwork.model import Model
from linkwork.numerics.accelerations import accelerations
from linkwork.numerics.constrained import ConstrainedSystem, augmented_flow
from linkwork.numerics.integrators import ALL_METHODS, method_named
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.energy_midpoint import ENERGY_MIDPOINT
from linkwork.numerics.integrators.flow import Energy, Events, Flow, evaluate_flow
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import Solution
from linkwork.numerics.integrators.trapezoidal import TRAPEZOIDAL
from linkwork.results.outcome import EventRecord
from linkwork.results.result import Result

Array = NDArray[np.float64]
Quantity = float | str
DEFAULT = "dop853"
SAMPLES = 1000  # output intervals when no spacing is given


@dataclass(frozen=True)
class Event:
    """A formula of the state whose zeros are found during a run.

    direction: +1 only upward crossings, −1 only downward ones, 0 both. stop: whether a crossing ends the run.
    """

    formula: str
    direction: int = 0
    stop: bool = False


def simulate(
    model: Model,
    until: Quantity | None = None,
    *,
    step: Quantity | None = None,
    times: Sequence[float] | None = None,
    coordinates: KindChoice = "relative",
    formulation: str | Formulation | None = None,
    integrator: str | Method | None = None,
    rtol: float = 1e-9,
    atol: float = 1e-11,
    fixed_step: Quantity | None = None,
    max_steps: int = 10**7,
    parameters: Mapping[str, Quantity] | None = None,
    events: Mapping[str, str | Event] | None = None,
    backend: str | Backend = "cpu",
    progress: Callable[[float], object] | None = None,
) -> Result:
    """Simulate the motion of a mechanism from t = 0.

    until: end of the run, seconds or a text such as "10 s"; step: spacing of the output (default: 1000 intervals);
    times: instead of both, the output times themselves.
    coordinates: 'relative', 'reference_point', 'natural' or 'mixed'; other orientations than Euler parameters follow
    behind a colon, as in 'reference_point:tait_bryan'.
    formulation: by name or as an object, see `ALL_FORMULATIONS`: 'hybrid', 'partitioning', 'multipliers', 'canonical',
    ...; by default hybrid in relative coordinates, partitioning in others.
    integrator: 'dop853' (default), 'dopri5' or 'rkf45'; 'rk4', 'rkmk4' (the same on the group of rotations), 'heun' or
    'euler' with a fixed_step; 'trapezoidal' for formulations whose steps are implicit. rtol, atol for adaptive steps,
    fixed_step for steps of one size.
    parameters: values of live parameters; events: names with formulas, or with ``Event``.
    progress: is called with the fraction done.

    A model whose freedoms are all driven is simulated kinematically, with the forces that its drivers need.
    """
    kind = _kind(coordinates, integrator)
    mechanism = prepare(model, coordinates=kind, formulation=formulation, backend=backend)
    if mechanism.topology.mobility.free > 0:
        check_inertia(mechanism)
    method = _method(integrator, mechanism.equations.formulation)
    if not method.adaptive and fixed_step is None:
        raise RefusedError(f"the integrator '{method.name}' needs a step size: give fixed_step, such as '1 ms'")
    grid = _grid(until, step, times)
    start = mechanism.start({name: _number(value) for name, value in (parameters or {}).items()})
    check_position(mechanism, start)
    named = {name: item if isinstance(item, Event) else Event(item) for name, item in (events or {}).items()}
    size = None if fixed_step is None else si(fixed_step, "time")
    run = _Run(mechanism, method, start, {"rtol": rtol, "atol": atol, "step": size, "max_steps": max_steps})
    watched = _event_functions(mechanism, named, start) if named or mechanism.coordinates.bounds else None
    flow, solution = run.advance(grid, watched, progress)
    settings = {"rtol": f"{rtol:g}", "atol": f"{atol:g}"} if size is None else {"fixed step": f"{size:g} s"}
    rerun = Rerun(lambda times: run.between(solution, times), solution.step_times, method.order)
    source = Trajectory(mechanism, run.states(solution.t, solution.y), start.p, rerun)
    return _result(mechanism, method, flow, solution, source, named, settings)


@dataclass(frozen=True, eq=False)
class _Run:
    """A mechanism with a start, an integrator and its options, which can be run and run again with the same steps."""

    mechanism: Mechanism
    method: Method
    start: Start
    options: Mapping[str, Any]

    def advance(
        self, grid: Array, events: Events | None = None, progress: Callable[[float], object] | None = None
    ) -> tuple[Flow, Solution]:
        flow = self.mechanism.flow(self.start)
        if self.method.keeps_energy:
            flow = replace(flow, energy=_energy(self.mechanism, self.start))
        return flow, integrate(self.method, flow, self.start.y, grid, events=events, progress=progress, **self.options)

    def between(self, solution: Solution, times: Array) -> States:
        """States of a run at further times before its last output."""
        found = self.advance(np.concatenate([solution.t[:1], times, solution.t[-1:]]))[1]
        if len(found.t) <= len(times):
            raise ResultError(f"the run could not be repeated to integrate powers: {found.status.value}")
        return self.states(found.t[1 : len(times) + 1], found.y[1 : len(times) + 1])

    def states(self, t: Array, y: Array) -> States:
        """t, y and v̇: of formulations that count no rank their own, elsewhere by the null space of the conditions.

        No choice of coordinates can fail there, and at singular positions the formulation is asked.
        """
        c = self.mechanism.coordinates
        system = replace(self.mechanism.system(self.start.p), accelerate=0)
        rankless = self.mechanism.equations.formulation.abilities.singular_start
        own = self._own_flow() if rankless or not system.terms else None
        if own is None:
            return t, y, accelerations(system, t, y, (self._own_flow, lambda: self._penalised(system)))
        return t, y, evaluate_flow(own, t, y)[:, c.q.numel() : c.q.numel() + c.v.numel()]

    def _own_flow(self) -> Flow | None:
        """The flow of the formulation, where it gives the derivatives of the state y."""
        flow = self.mechanism.flow(self.start)
        return flow if flow.own is None and not self.mechanism.equations.formulation.implicit else None

    def _penalised(self, system: ConstrainedSystem) -> Flow:
        chosen, c = AugmentedLagrangian(), self.mechanism.coordinates
        penalty = penalties(c, chosen.alpha, 0.0, self.start.y, self.start.p)
        return augmented_flow(system, penalty, corrections=chosen.corrections, tolerance=chosen.tolerance)


def _kind(coordinates: KindChoice, integrator: str | Method | None) -> KindChoice:
    """The coordinates, with orientations as the integrator steps them."""
    method = method_named(integrator) if isinstance(integrator, str) else integrator
    return coordinate_kind(coordinates).oriented(method.orientation) if method and method.orientation else coordinates


def _method(chosen: str | Method | None, formulation: Formulation) -> Method:
    """The integrator, or the first that can step the equations of the formulation."""
    if chosen is None:
        return TRAPEZOIDAL if formulation.implicit else method_named(DEFAULT)
    method = method_named(chosen) if isinstance(chosen, str) else chosen
    if formulation.implicit and not method.stiffly_accurate:
        names = " or ".join(f"'{known.name}'" for known in ALL_METHODS if known.stiffly_accurate)
        raise RefusedError(
            f"the formulation '{formulation.name}' has equations of implicit steps, which the integrator '{method.name}' "
            f"cannot integrate; take {names}"
        )
    return method


def _energy(mechanism: Mechanism, start: Start) -> Energy:
    """The energy of a mechanism that nothing drives."""
    c, name = mechanism.coordinates, ENERGY_MIDPOINT.name
    if not c.a.is_zero() or mechanism.model.drivers:
        raise RefusedError(f"the integrator '{name}' keeps energies, but drivers and moving conditions change them")
    compiled = mechanism.compiled(energy_function(c))
    return Energy(compiled.address, start.p, c.v.numel(), (compiled,))


def _number(value: Quantity) -> float:
    return si(value, "any")


def _grid(until: Quantity | None, step: Quantity | None, times: Sequence[float] | None) -> Array:
    if times is not None:
        grid = np.asarray(times, dtype=float).ravel()
        return grid if grid.size and grid[0] == 0.0 else np.concatenate([[0.0], grid])
    if until is None:
        raise RefusedError("when does the run end? give until, such as '10 s', or the output times")
    end = si(until, "time")
    if not end > 0.0 or not np.isfinite(end):
        raise RefusedError(f"until = {until}: the end of a run must be a positive time such as '10 s'")
    if step is None:
        return np.linspace(0.0, end, SAMPLES + 1)
    spacing = si(step, "time")
    if not 0.0 < spacing <= end:
        raise RefusedError(f"step = {step}: the spacing of the output must be positive and not longer than the run")
    grid = np.arange(0.0, end + spacing * 1e-9, spacing)
    return grid if end - grid[-1] < 1e-9 * spacing else np.append(grid, end)


def _event_functions(mechanism: Mechanism, events: Mapping[str, Event], start: Start) -> Events:
    """The formulas of the events, and behind them the bounds of the relations, which end the run."""
    c = mechanism.coordinates
    lookup = Lookup(c.topology, c.motion, c.t, c.unknowns)
    values = [ca.SX(to_sx(parse(event.formula), lookup.name)) for event in events.values()]
    values += [bound.room for _, bound in c.bounds]
    function = ca.Function("events", [c.t, c.y, c.p], [ca.densify(ca.vertcat(*values))], ["t", "y", "p"], ["g"])
    program = build({"events": function}, mechanism.program.backend)
    return Events(
        address=program["events"].address,
        count=len(values),
        p=start.p,
        directions=[*(event.direction for event in events.values()), *([-1] * len(c.bounds))],
        terminal=[*(event.stop for event in events.values()), *([True] * len(c.bounds))],
        keepalive=(program,),
    )


def _result(
    mechanism: Mechanism,
    method: Method,
    flow: Flow,
    solution: Solution,
    source: Trajectory,
    events: Mapping[str, Event],
    settings: Mapping[str, str],
) -> Result:
    c, formulation = mechanism.coordinates, mechanism.equations.formulation
    notes = (*mechanism.equations.scheme.notes(flow), *_redundancy_notes(mechanism), *passage_notes(source))
    p, names = source.p, list(events)
    cost = solution.statistics
    return Result(
        name=mechanism.model.name or "mechanism",
        time=solution.t,
        source=source,
        drawing=draw(mechanism.topology, p[: len(mechanism.topology.geometry.defaults)]),
        outcome=explain(mechanism, flow, solution, p, names),
        model_text=dump(mechanism.model),
        steps=solution.step_times,
        events=tuple(
            EventRecord(names[e.index], e.t, {}, events[names[e.index]].stop)
            for e in solution.events
            if e.index < len(names)
        ),
        settings={
            "coordinates": str(c.kind),
            "formulation": formulation.name,
            "integrator": method.name,
            "backend": mechanism.program.backend.name,
            **settings,
        },
        statistics={
            "steps": cost.steps,
            "rejected": cost.rejected,
            "evaluations": cost.evaluations,
            **({"Newton iterations": cost.iterations, "Jacobians": cost.jacobians} if method.implicit else {}),
            "wall time": cost.wall_time,
        },
        notes=notes,
    )


def _redundancy_notes(mechanism: Mechanism) -> tuple[str, ...]:
    redundant = mechanism.topology.redundant
    if not redundant:
        return ()
    count = "1 redundant condition" if len(redundant) == 1 else f"{len(redundant)} redundant conditions"
    return (f"{count} ({'; '.join(redundant)}): some reactions are not unique",)
