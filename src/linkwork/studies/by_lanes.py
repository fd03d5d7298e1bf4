"""Variants in lanes and on all cores: put together at once, integrated eight at a time, and looked at all together.

Where lanes cannot do what is asked, nothing is found here; where they cannot do one variant, that one is left. Either way it
is done one by one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.units import si
from linkwork.analysis.motion.effort import RunEffort
from linkwork.analysis.motion.integrator import choose_integrator
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.idle import check_inertia
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.analysis.walk.subject import subject_of
from linkwork.arrays import Array
from linkwork.compiler.compiled import CompiledFunction, always_compiled
from linkwork.compiler.program import build
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.undefined import partial_formulas
from linkwork.equations.formulations import Hybrid
from linkwork.equations.formulations.base import Compiled, Scheme
from linkwork.numerics.flows.constrained import NOISE
from linkwork.numerics.flows.context import flow_parameters
from linkwork.numerics.flows.explicit import Variant, first_selector
from linkwork.numerics.integrators.base import RungeKutta
from linkwork.numerics.integrators.lanes import (
    ClosedOutput,
    LaneFormulas,
    LaneMethod,
    LaneSystem,
    LaneTasks,
    integrate_lanes,
)
from linkwork.numerics.kernels.constrained.explicit import FLOOR
from linkwork.numerics.kernels.stepping.lane_tasks import LANES
from linkwork.results.outcome import Outcome
from linkwork.studies.collected import Numbers, Portion
from linkwork.studies.many_starts import LeftOutError, ManyStarts
from linkwork.studies.possible import possible
from linkwork.studies.question import Question, peaks_of
from linkwork.studies.variants import GivenVariants

MEMORY = 1 << 22  # numbers of states that a core keeps
FEWEST, MOST, PORTIONS = (
    32,
    512,
    32,
)  # variants at a time, where lanes that end early are few, and parts that are wished
SAMPLES = 1 << 17  # states that are looked at at once
FEW = 16  # variants that are not worth it
OWN = ("integrator", "rtol", "atol", "fixed_step", "max_steps", "times", "audit")
"""Options of simulate that lanes know; others are left out, or those of the mechanism."""
QUATERNION = (".q0", ".q1", ".q2", ".q3")  # of which signs follow from the samples before
MADE = ("coordinates", "formulation", "backend")


@dataclass(frozen=True, eq=False)
class StudyLanes:
    """A question in lanes: the mechanism and its functions, how it is put together, and how it is integrated.

    live: parameters (N, np) of all variants; sound (N): which of them can be
    """

    question: Question
    given: GivenVariants
    mechanism: Mechanism
    system: LaneSystem
    starts: ManyStarts
    way: LaneMethod
    live: Array
    sound: NDArray[np.bool_]
    outputs: VariantOutputs

    @classmethod
    def of(cls, question: Question, given: GivenVariants) -> StudyLanes:
        """LeftOutError where lanes cannot do what is asked."""
        options = dict(question.options)
        others = options.keys() - {*OWN, *MADE}
        if question.verb != "simulate" or others:
            raise LeftOutError(f"{question.verb} with {', '.join(sorted(others))}" if others else question.verb)
        subject = subject_of(question.noun, question.verb)
        if subject.state is not None or subject.poses is not None:
            raise LeftOutError("it begins in a pose")
        mechanism = subject.prepare(*(options.get(name) for name in MADE))
        check_inertia(mechanism)
        way = _way(mechanism, options)
        _check_motion(mechanism.coordinates)
        system = _system(mechanism)
        outputs = VariantOutputs.of(mechanism, question.names)
        live = _live(mechanism, given)
        starts = ManyStarts(mechanism, system, given.names)
        starts.check(live)
        sound = possible(mechanism.topology, given.names, given.values)
        return cls(question, given, mechanism, system, starts, way, live, sound, outputs)

    def portions(self, numbers: Numbers, workers: int) -> Iterator[Portion]:
        """What lanes find of some variants, in parts, on so many cores; the others are left out."""
        numbers, size = numbers[self.sound[numbers]], self._portion
        parts = [numbers[first : first + size] for first in range(0, len(numbers), size)]
        ended = threading.Event()
        with ThreadPoolExecutor(workers, thread_name_prefix="linkwork study") as pool:
            waiting = {pool.submit(self._find, part, lambda: not ended.is_set()) for part in parts}
            try:
                for done in as_completed(waiting):
                    waiting.discard(done)
                    yield done.result()
            except KeyboardInterrupt:
                # what has come to its end by now is kept
                ended.set()
                pool.shutdown(cancel_futures=True)
                yield from (each.result() for each in waiting if not each.cancelled())
                raise
            finally:
                ended.set()
                pool.shutdown(cancel_futures=True)

    @property
    def _portion(self) -> int:
        """How many variants are found at once: few of few, so that all cores have some."""
        even = LANES * -(-len(self.given) // (LANES * PORTIONS))
        most = MEMORY // (len(self.question.samples) * self.system.states)
        return max(min(max(even, FEWEST), MOST, most), LANES)

    @cached_property
    def _grid(self) -> Array:
        """Where it begins, and the samples."""
        samples, begin = self.question.samples, self.mechanism.topology.drives.time
        return samples if samples[0] == begin else np.concatenate([[begin], samples])

    def _find(self, numbers: Numbers, goes_on: Callable[[], bool]) -> Portion:
        """Put variants together, integrate them, and look at those that have reached their end."""
        starts = self.starts.begin(self.live[numbers])
        tasks = LaneTasks(starts.states[starts.known], starts.parameters[starts.known])
        grid = self._grid
        integrate_lanes(self.system, self.way, tasks, grid, goes_on)
        found = numbers[starts.known][tasks.done]
        values = self._look(tasks, np.flatnonzero(tasks.done))
        outcome = Outcome(time=float(grid[-1]))
        question, shape = self.question, (len(found), len(self.question.names))
        peaks = np.zeros((len(found), 0, 4))
        if question.peaks:
            peaks = np.array([peaks_of(question.samples, each) for each in values]).reshape(*shape, 4)
        kept = values[:, :, -1] if question.final else values
        return Portion(found, kept, peaks, (outcome,) * len(found), ({},) * len(found))

    def _look(self, tasks: LaneTasks, done: Numbers) -> Array:
        """Quantities (variants, quantities, samples looked at) of tasks that have reached their end."""
        grid, question = self._grid, self.question
        first_row = -1 if question.final and not question.peaks else len(grid) - len(question.samples)
        rows = np.arange(len(grid))[first_row:]
        times = grid[rows]
        found = np.empty((len(done), len(self.question.names), len(times)))
        others: dict[int, list[ClosedOutput]] = {}
        for stretch in tasks.stretches:
            others.setdefault(stretch.task, []).append(stretch)
        step = max(SAMPLES // len(times), 1)
        for first in range(0, len(done), step):
            part = done[first : first + step]
            found[first : first + step] = self._evaluate(tasks, part, rows, others)
        return found

    def _evaluate(
        self, tasks: LaneTasks, part: Numbers, rows: Numbers, others: Mapping[int, list[ClosedOutput]]
    ) -> Array:
        """The same of some of them, at some samples."""
        count, size = len(part), len(rows)
        t = np.tile(self._grid[rows], count)
        y = np.ascontiguousarray(tasks.output[part][:, rows].reshape(count * size, -1))
        p = np.repeat(tasks.parameters[part], size, axis=0)
        which = np.zeros(count * size, dtype=np.int64)
        for i, task in enumerate(part.tolist()) if others else ():
            for stretch in others.get(task, ()):
                own = np.flatnonzero((rows >= stretch.first) & (rows < stretch.last)) + i * size
                which[own], p[own] = stretch.formulas, stretch.p
        vdot = np.empty((count * size, self.mechanism.coordinates.v.numel()))
        nq = self.mechanism.coordinates.q.numel()
        for own in np.unique(which).tolist():
            at = which == own
            y[at] = self.system.closed_states(own, t[at], y[at], p[at])[0]
            vdot[at] = self.system.rates(own, t[at], y[at], p[at])[:, nq : nq + vdot.shape[1]]
        plain = np.ascontiguousarray(p[:, : self.mechanism.coordinates.p.numel()])
        return self.outputs.evaluate((t, y, vdot), plain).reshape(count, size, -1).swapaxes(1, 2)


def by_lanes(question: Question, given: GivenVariants, numbers: Numbers, workers: int) -> Iterator[Portion]:
    """What lanes find of some variants, in parts; LeftOutError where they cannot do what is asked."""
    if len(numbers) >= FEW:
        yield from StudyLanes.of(question, given).portions(numbers, workers)


def _live(mechanism: Mechanism, given: GivenVariants) -> Array:
    """The live parameters (N, np) of all variants."""
    topology, names = mechanism.topology, mechanism.topology.geometry.parameter_names
    if any(topology.model.parameters[name].value.names() for name in names):
        return np.array([topology.parameters(given.of(i)) for i in range(len(given))])
    live = np.tile(topology.parameters(None), (len(given), 1))
    live[:, [names.index(name) for name in given.names]] = given.values
    return live


def _way(mechanism: Mechanism, options: Mapping[str, Any]) -> LaneMethod:
    """The integrator with its tolerances."""
    wanted, step = options.get("integrator"), options.get("fixed_step")
    size = None if step is None else si(step, "time")
    rtol, atol = options["rtol"], options["atol"]
    choice = choose_integrator(wanted, mechanism.equations, rtol, size is not None)
    method = choice.method
    if (
        not isinstance(method, RungeKutta)
        or method.implicit
        or method.family != RungeKutta.family
        or method.orientation
    ):
        raise LeftOutError(f"lanes take explicit steps of Runge and Kutta, not '{method.name}'")
    RunEffort(method, rtol, atol, options["max_steps"], 1.0, size).check()
    return LaneMethod(method, rtol, atol, size, options["max_steps"], choice.stiff is not None)


def _check_motion(c: Coordinates) -> None:
    for wrong, why in (
        (bool(c.limits), "conditions come and go"),
        (bool(c.switches), "formulas jump"),
        (bool(c.strikes), "impulses strike"),
        (bool(c.bounds), "forces or relations end"),
        (bool(c.multipliers), "forces read what conditions push with"),
        (bool(partial_formulas(c.topology.model)), "formulas may be without a value"),
    ):
        if wrong:
            raise LeftOutError(why)


@dataclass(frozen=True, eq=False)
class VariantOutputs:
    """What is looked at: expressions by name, as one function of (t, [y, v̇], p), reactions, and what is made of both."""

    mechanism: Mechanism
    names: tuple[str, ...]
    expressions: tuple[str, ...]
    reactions: tuple[str, ...]
    function: CompiledFunction | None

    @classmethod
    def of(cls, mechanism: Mechanism, names: tuple[str, ...]) -> VariantOutputs:
        """Quantities of a run as a whole are none of lanes."""
        start = mechanism.start()
        c = mechanism.coordinates
        one = np.array([start.time]), start.y[None], np.zeros((1, c.v.numel()))
        source = Trajectory(mechanism, one, start.p)
        whole = [name for name in names if name not in source.catalogue or name.endswith(QUATERNION)]
        if whole:
            raise LeftOutError(f"{whole[0]} follows from a run as a whole")
        parts = source.ingredients(names)
        expressions = tuple(name for name in parts if source.is_expression(name))
        reactions = tuple(name for name in parts if name not in expressions)
        if reactions:
            source.evaluate(reactions)  # chooses one order of elimination for all
        function = build({"outputs": source.function(expressions)}, mechanism.program.backend)["outputs"]
        return cls(mechanism, names, expressions, reactions, function if expressions else None)

    def evaluate(self, states: States, p: Array) -> Array:
        """Values (N, names) at some states."""
        source, found = Trajectory(self.mechanism, states, p), dict[str, Array]()
        if self.function is not None:
            t, y, vdot = states
            values = self.function.batch(t, np.hstack([y, vdot]), p)
            found |= dict(zip(self.expressions, values.T, strict=True))
        if self.reactions:
            with always_compiled():
                found |= source.evaluate(self.reactions)
        if not all(name in found for name in self.names):
            found |= source.combine(self.names, found)
        return np.column_stack([found[name] for name in self.names]) if self.names else np.zeros((len(states[0]), 0))


def _system(mechanism: Mechanism) -> LaneSystem:
    """The functions of the equations, where formulas alone close all loops."""
    c, scheme, program = mechanism.coordinates, mechanism.equations.scheme, mechanism.program
    if not isinstance(mechanism.equations.formulation, Hybrid) or program.backend.name != "cpu":
        raise LeftOutError("its equations are not in minimal coordinates")
    straight, given = scheme.straight, scheme.given
    n, live = c.y.numel(), c.p.numel()
    if straight == "accelerate":
        return LaneSystem(n, 0, live, live, NOISE, [LaneFormulas(program[straight])])
    if not straight or not given:
        raise LeftOutError("not all of its loops have a closed form")
    first = _formulas(_first(scheme), program, 0)
    more = partial(_more, mechanism, first)
    count = flow_parameters(mechanism.flow(mechanism.start())).size
    return LaneSystem(n, c.q.numel() + c.v.numel(), live, count, FLOOR, [first], more if scheme.further else None)


def _formulas(variant: Variant, functions: Mapping[str, Any], before: int) -> LaneFormulas:
    """One way to close the loops; before: selectors of the first one."""
    select = functions[variant.select] if variant.select else None
    return LaneFormulas(functions[variant.flow], functions[variant.state], select, before, variant.selectors)


def _first(scheme: Scheme) -> Variant:
    """The formulas that a run begins with."""
    select = "select0" if "select0" in scheme.functions else ""
    count = int(scheme.functions[select].numel_out(0)) if select else 0
    return Variant(scheme.straight, scheme.given, select, count)


def _more(mechanism: Mechanism, first: LaneFormulas) -> list[LaneFormulas]:
    """Other ways to close the loops, as many as can do without iteration."""
    further = mechanism.equations.scheme.further
    assert further is not None
    compiled = Compiled(lambda functions: {name: mechanism.compiled(f) for name, f in functions.items()})
    found = []
    for i, code in enumerate(further(compiled), start=1):
        if not code.variant.iterations:
            found.append(_formulas(code.variant, code.functions, first_selector(i, first.selectors)))
    return found
