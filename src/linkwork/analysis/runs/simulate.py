"""``simulate(model, until)``: the motion of a mechanism over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.given import Parameters, Scalar
from linkwork.algebra.orientations.exponential import Exponential
from linkwork.algebra.units import si
from linkwork.analysis.audit.auditor import Auditor, another_formulation
from linkwork.analysis.audit.limits import Limits, limits_of
from linkwork.analysis.audit.steps import StepCheck
from linkwork.analysis.motion.accuracy import check_accuracy, reach
from linkwork.analysis.motion.changes import modes_of, parameters_along
from linkwork.analysis.motion.course import Course, Event, Run
from linkwork.analysis.motion.effort import RunEffort, check_tolerances
from linkwork.analysis.motion.gathering import gatherer
from linkwork.analysis.motion.impacts import ImpactLaw, impact_law
from linkwork.analysis.motion.integrator import choose_integrator, find_integrator
from linkwork.analysis.motion.outcome import explain, stopped_at
from linkwork.analysis.motion.singular import check_position, passage_notes
from linkwork.analysis.motion.states import known_states
from linkwork.analysis.motion.trajectory import Trajectory, since_asked
from linkwork.analysis.motion.undefined import pole_in_time, undefined_along, undefined_events, undefined_outputs
from linkwork.analysis.prepared.idle import check_inertia
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.analysis.runs.stepped import SteppedQuestion
from linkwork.analysis.walk.subject import Noun, Subject, subject_of
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.compiler.backends import Backend
from linkwork.compiler.program import in_shape
from linkwork.coordinates.numbering import KindChoice, coordinate_kind
from linkwork.coordinates.told import remarks
from linkwork.coordinates.undefined import Undefined
from linkwork.equations.formulations import Formulation
from linkwork.errors import RefusedError
from linkwork.formats import dump
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.legs import before
from linkwork.numerics.integrators.solution import RunStatus, Solution
from linkwork.numerics.timestepping.method import MoreauJean, stepping_named
from linkwork.progress import told, working
from linkwork.results.audit import Audit, KeptAudit
from linkwork.results.outcome import EventRecord
from linkwork.results.result import Result
from linkwork.results.time_grid import first_asked, time_grid
from linkwork.topology.doubts import doubts

TIGHT = 1e-12  # rtol below which tightening changes nothing
AT_ONCE = Audit(skipped="the run has stopped where it began")
BETWEEN = Audit(skipped="the run has stopped before its next sample")
TOWARDS_A_POLE = 20_000  # steps in which a driver that grows without bound is followed, faster and faster
BESIDE_A_POLE = 0.1  # of the time of a run: what ends so near to a pole ends there for it
MORE = 8  # times as many steps where they are used up far from a pole
MOST_CHANGES = 6  # of the integrator that are told one by one


@verb
@told("preparing")
def simulate(
    model: Noun,
    until: Scalar | None = None,
    *,
    step: Scalar | None = None,
    times: ArrayLike | None = None,
    coordinates: KindChoice | None = None,
    formulation: str | Formulation | None = None,
    integrator: str | Method | MoreauJean | None = None,
    rtol: float = 1e-9,
    atol: float = 1e-11,
    fixed_step: Scalar | None = None,
    max_steps: int = 10**7,
    parameters: Parameters | None = None,
    events: Mapping[str, str | Event] | None = None,
    backend: str | Backend | None = None,
    shape: str | None = None,
    progress: Callable[[float], object] | None = None,
    audit: bool = True,
    accuracy: float | None = None,
    impact: str | ImpactLaw = "newton",
) -> Result:
    """Simulate the motion of a mechanism from t = 0, or on from where another run has ended.

    model: or its file, what was prepared from it, a pose, an assembly mode or an equilibrium, in which it begins; or a
    result, from the last sample of which it goes on: t goes on too, so that formulas of t stay right.
    until: end of the run, seconds or a text such as "10 s"; step: spacing of the output (default: 1000 intervals);
    times: instead of both, the output times themselves; the run begins at t = 0, the output with the first of them.
    coordinates: 'relative' (by default, else those of what is given), 'reference_point', 'natural' or 'mixed'; other
    orientations than Euler parameters follow behind a colon, as in 'reference_point:tait_bryan'.
    formulation: by name or as an object, see `ALL_FORMULATIONS`: 'hybrid', 'partitioning', 'multipliers', 'canonical',
    ...; by default hybrid in relative coordinates (multipliers for loops of
    many freedoms), partitioning in others.
    integrator: by default chosen by accuracy, and changed where the run is stiff. By name or as an object, see
    `ALL_METHODS`: 'dop853', 'dopri5', 'taylor', 'adams'; 'radau5', 'esdirk43', 'bdf' or others for stiff models; 'rk4',
    'rkmk4' (the same on the group of rotations), 'heun', 'abm4' or others with a fixed_step; 'trapezoidal' for formulations
    whose steps are implicit; 'moreau_jean' for many contacts, by time stepping. rtol, atol for adaptive steps, fixed_step
    for steps of one size.
    parameters: values of live parameters; events: names with formulas, or with ``Event``.
    backend, shape: as in `prepare`.
    accuracy: a wish such as 1e-6 for the error of every coordinate over the whole run, relative to its scale; runs are
    repeated with tighter tolerances until two of them agree, and `Result.accuracy` says what was reached.
    progress: is called with the fraction done. audit: False leaves out the audit of the result (`Result.audit`), for
    millions of runs.

    impact: the law of impacts, 'newton' (with the restitution of speeds), 'poisson' (of impulses) or 'stronge' (of work).

    A model whose freedoms are all driven is simulated kinematically, with the forces that its drivers need.
    """
    if isinstance(integrator, MoreauJean) or integrator == MoreauJean.name:
        law = None if impact == "newton" else impact
        unheeded = {"formulation": formulation, "events": events, "accuracy": accuracy, "impact": law}
        asked = SteppedQuestion(stepping_named(integrator), fixed_step, parameters, unheeded, audit)
        ways = coordinates, in_shape(backend, shape)
        return asked.answer(subject_of(model, "simulate"), (until, step, times), ways, progress)
    if accuracy is not None:
        same = {"step": step, "times": times, "coordinates": coordinates, "formulation": formulation,
                "integrator": integrator, "max_steps": max_steps, "parameters": parameters, "events": events,
                "backend": backend, "shape": shape, "progress": progress, "audit": audit, "impact": impact}  # fmt: skip
        size = None if fixed_step is None else si(fixed_step, "time")
        wish = check_accuracy(accuracy)
        return reach(wish, lambda **finer: simulate(model, until, **{**same, **finer}), rtol, size)
    check_tolerances(rtol, atol)
    subject = subject_of(model, "simulate")
    mechanism = subject.prepare(stepped_kind(coordinates, integrator, subject), formulation, in_shape(backend, shape))
    if mechanism.topology.mobility.free > 0:
        check_inertia(mechanism)
    size = None if fixed_step is None else si(fixed_step, "time")
    choice = choose_integrator(integrator, mechanism.equations, rtol, size is not None)
    grid = time_grid(until, step, times, subject.time)
    effort = RunEffort(choice.method, rtol, atol, max_steps, float(grid[-1]), size)
    effort.check()
    start = subject.start(mechanism, parameters)
    pole = pole_in_time(mechanism, grid, start.y, start.p)
    check_position(mechanism, start)
    named = {name: item if isinstance(item, Event) else Event(item) for name, item in (events or {}).items()}
    run = Run(mechanism, choice, start, effort, gatherer(mechanism, start), impact_law(impact))
    with working(f"simulating {mechanism.model.name or 'the model'}", progress) as done:
        course = _defined(run, named, _advanced(run, grid, named, done, pole))
    solution = course.solution
    if _at_pole(solution, pole, grid) and solution.status in (RunStatus.TOO_MANY_STEPS, RunStatus.STEP_TOO_SMALL):
        assert pole is not None
        course = replace(course, ended=stopped_at(pole, solution.t_reached))
    settings = {"rtol": f"{rtol:g}", "atol": f"{atol:g}"} if size is None else {"fixed step": f"{size:g} s"}
    source = _trajectory(run, course)
    limits = limits_of(mechanism.equations.formulation, choice.method, (rtol, atol), size is not None)
    auditor = _auditor(source, limits, run, course) if audit else None
    result = since_asked(_result(run, course, source, named, settings, auditor), first_asked(times, grid))
    return result if subject.written is None else replace(result, model_text=dump(subject.written()))


def _advanced(
    run: Run,
    grid: Array,
    events: Mapping[str, Event],
    progress: Callable[[float], object] | None,
    pole: Undefined | None,
) -> Course:
    """A run over a grid; towards a pole with few steps at first, and with more where these are used up far from it."""
    most = run.effort.max_steps
    allowed = most if pole is None else min(most, TOWARDS_A_POLE)
    while True:
        course = replace(run, effort=replace(run.effort, max_steps=allowed)).advance(grid, events, progress)
        used_up = course.solution.status is RunStatus.TOO_MANY_STEPS and allowed < most
        if not used_up or _at_pole(course.solution, pole, grid):
            return course
        allowed = min(MORE * allowed, most)


def _at_pole(solution: Solution, pole: Undefined | None, grid: Array) -> bool:
    """Whether a run has ended shortly before a pole."""
    return pole is not None and 0.0 <= pole.time - solution.t_reached <= BESIDE_A_POLE * float(grid[-1] - grid[0])


def _trajectory(run: Run, course: Course) -> Trajectory:
    """The states of a run, where conditions come and go with those that hold at each of them."""
    mechanism, (t, y), gathered = run.mechanism, (course.solution.t, course.solution.y), course.gathered
    if not mechanism.coordinates.limits or gathered is None or not t.size:
        states = t, y, lambda: known_states(mechanism, run.start, t, y)[2]
        return Trajectory(mechanism, states, run.start.p, gathered)
    p = parameters_along(mechanism.coordinates, course.solution.parts, t, run.start.p)
    return Trajectory(mechanism, gathered.states(t, y, p), p, gathered)


def _auditor(source: Trajectory, limits: Limits, run: Run, course: Course) -> Callable[[], Audit]:
    """What audits a run, where it has samples behind its start."""
    solution = course.solution
    if len(solution.t) == 1 and (course.ended is not None or solution.status is not RunStatus.COMPLETED):
        return KeptAudit(AT_ONCE if solution.t_reached <= solution.t[0] else BETWEEN)
    remedy, closes = _remedies(run)
    breaks = tuple(part.start for part in solution.parts[1:])
    by_positions = run.mechanism.equations.formulation.by_positions and not run.choice.method.variable_order
    again = StepCheck(run, solution) if run.effort.step is not None or by_positions else None
    return Auditor(
        source, limits, solution.step_times, breaks, remedy=remedy, closes=closes, again=again, doubt=_outside(run)
    )


def _remedies(run: Run) -> tuple[str, str]:
    """What to do about an error of the integration, and about conditions that are broken."""
    effort, other = run.effort, another_formulation(run.mechanism)
    if effort.step is not None:
        remedy = f"take a smaller fixed_step than {effort.step:g} s, or adaptive steps"
    elif effort.rtol > TIGHT:
        remedy = f"tighten rtol from {effort.rtol:g}"
    else:
        return "take another formulation or integrator", f"{other}, or another integrator"
    if run.mechanism.equations.formulation.by_positions and effort.step is None:
        remedy = f"take 'ggl', in which errors of velocities choose the steps too, or {remedy}"
    return remedy, f"{other}, or {remedy}"


def _outside(run: Run) -> str:
    """What else may be wrong where forces from outside say themselves what they store and bring in."""
    own = [
        name for name, force in run.mechanism.model.forces.items() if not type(force).__module__.startswith("linkwork.")
    ]
    listed = ", ".join(f"'{name}'" for name in own)
    return f"or potential and powers that {listed} give do not belong to their loads" if own else ""


def stepped_kind(
    coordinates: KindChoice | None, integrator: str | Method | None, subject: Subject
) -> KindChoice | None:
    """The coordinates, with orientations as the integrator steps them; None where those of the subject are right."""
    method = find_integrator(integrator)
    if method is None:
        return coordinates
    kind = coordinate_kind(coordinates or subject.kind or "relative")
    if method.remembers and Exponential.name in str(kind):
        raise RefusedError(
            f"the integrator '{method.name}' remembers former steps, and '{Exponential.name}' coordinates are others after "
            "every step: leave them out, or take 'rotation_vector' ones"
        )
    return kind.oriented(method.orientation) if method.orientation else coordinates


def _defined(run: Run, events: Mapping[str, Event], course: Course) -> Course:
    """A run that ends before a formula has no value which its equations do not contain, and why it ends there."""
    solution = course.solution
    known = np.all(np.isfinite(solution.y), axis=1)
    if not known.all():
        solution = before(solution, float(solution.t[np.argmin(known)]))
    found = undefined_along(run.mechanism, solution.t, solution.y, run.start.p)
    if found is None:
        return replace(course, solution=solution)
    solution = before(solution, found.time)
    if len(solution.t) > 1:
        # once more, with steps that end there: what is integrated along the way has no value beyond
        course = run.advance(solution.t, events)
        solution = course.solution
    else:
        course = replace(course, gathered=None if run.gather is None else run.gather(solution.t, run.start.p))
    return replace(course, solution=solution, ended=stopped_at(found))


def _result(
    run: Run,
    course: Course,
    source: Trajectory,
    events: Mapping[str, Event],
    settings: Mapping[str, str],
    auditor: Callable[[], Audit] | None,
) -> Result:
    mechanism, solution = run.mechanism, course.solution
    unstable = run.effort.unstable(lambda: mechanism.flow(run.start), float(solution.step_times[0]), run.start.y)
    p, names = run.start.p, list(events)
    return Result(
        name=mechanism.model.name or "mechanism",
        time=solution.t,
        source=source,
        drawing=mechanism.drawing(p),
        outcome=course.ended
        or course.changes.stopped
        or run.effort.blown_up(solution, unstable)
        or explain(mechanism, course.flow, solution, p, names, run.effort),
        model_text=mechanism.text,
        steps=solution.step_times,
        events=_events(course, events),
        modes=modes_of(mechanism.coordinates, solution.parts, course.changes.freedoms),
        freedoms=mechanism.topology.freedom_names,
        settings={
            "coordinates": str(mechanism.coordinates.kind),
            "formulation": mechanism.equations.formulation.name,
            "integrator": " and ".join(dict.fromkeys(part.method for part in solution.parts)),
            "backend": mechanism.program.backend.name,
            **settings,
            **({"impacts": run.law.name} if run.law.name != "newton" else {}),
        },
        statistics=_costs(solution) | _workings(mechanism.equations.scheme.notes(course.flow)),
        noted=partial(_notes, run, course, source, events, unstable),
        auditor=auditor,
    )


def _notes(
    run: Run, course: Course, source: Trajectory, events: Mapping[str, Event], unstable: Sequence[str]
) -> tuple[str, ...]:
    """What is to be known of a run, in the order of the walk."""
    mechanism, solution = run.mechanism, course.solution
    return (
        *remarks(mechanism.coordinates, run.start.p),
        *mechanism.equations.scheme.doubts(course.flow),
        *run.start.assembly.notes,
        *_listed([str(change) for change in course.methods]),
        *course.changes.switching.notes,
        *course.changes.holding.notes,
        *run.effort.notes(),
        *(unstable if solution.status is RunStatus.COMPLETED else ()),
        *undefined_events(mechanism, {name: event.formula for name, event in events.items()}, solution, run.start.p),
        *undefined_outputs(source),
        *_redundancy_notes(mechanism),
        *doubts(mechanism.model, mechanism.topology.geometry),
        *passage_notes(source),
    )


def _events(course: Course, asked: Mapping[str, Event]) -> tuple[EventRecord, ...]:
    """The events that were asked for, and conditions that came and went, in the order of time."""
    names = list(asked)
    found = [
        EventRecord(names[e.index], e.t, {}, asked[names[e.index]].stop)
        for e in course.solution.events
        if e.index < len(names)
    ]
    return tuple(sorted([*found, *course.changes.holding.events], key=lambda event: event.time))


def _costs(solution: Solution) -> dict[str, float | int | str]:
    """What a run cost: in all, and by integrators where there were several."""
    cost = solution.statistics
    newton = {"Newton iterations": cost.iterations, "Jacobians": cost.jacobians, "factorisations": cost.factorisations}
    costs: dict[str, float | int | str] = {
        "steps": cost.steps,
        "rejected": cost.rejected,
        "evaluations": cost.evaluations,
    }
    costs |= newton if any(newton.values()) else {}
    names = dict.fromkeys(part.method for part in solution.parts)
    for name in names if len(names) > 1 else ():
        own = [part.statistics for part in solution.parts if part.method == name]
        costs[f"steps of {name}"] = sum(cost.steps for cost in own)
        costs[f"evaluations of {name}"] = sum(cost.evaluations for cost in own)
    return costs | {"wall time": cost.wall_time}


def _workings(notes: Sequence[str]) -> dict[str, float | int | str]:
    """How the method went, beside what it cost: no part of what is printed."""
    return {"workings": "; ".join(notes)} if notes else {}


def _listed(entries: list[str]) -> list[str]:
    return entries if len(entries) <= MOST_CHANGES else [*entries[:MOST_CHANGES], f"... {len(entries)} changes in all"]


def _redundancy_notes(mechanism: Mechanism) -> tuple[str, ...]:
    redundant = mechanism.topology.redundant
    if not redundant:
        return ()
    count = "1 redundant constraint" if len(redundant) == 1 else f"{len(redundant)} redundant constraints"
    return (f"{count} ({'; '.join(redundant)}): some reactions are not unique",)
