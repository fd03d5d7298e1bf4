"""A run of a mechanism by time stepping, from its start to its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from linkwork.analysis.motion.stepped_source import SteppedSource
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.analysis.timestepping.auditing import SteppedAuditor
from linkwork.analysis.timestepping.description import step_system
from linkwork.analysis.timestepping.refusals import require_no_switches, require_steps
from linkwork.analysis.timestepping.touching import Touches, modes_of, pair_of, told_of_changes
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.told import remarks
from linkwork.errors import AssemblyError
from linkwork.numerics.collision.broad_phase import all_contacts
from linkwork.numerics.kernels.language.records import ModelFunction
from linkwork.numerics.kernels.timestepping.step_memory import StepMemory
from linkwork.numerics.timestepping.method import MoreauJean
from linkwork.numerics.timestepping.room import Room, StepSettings, step_memory
from linkwork.numerics.timestepping.running import FAILURES, SteppedRun, step_through
from linkwork.numerics.timestepping.system import POSE, StepSystem
from linkwork.results.audit import Audit
from linkwork.results.outcome import EventRecord, Outcome, Status
from linkwork.results.result import Result

OVERLAPPING = 1e-9  # depth, of the size of the mechanism, with which a run does not begin
MEANS = "accelerations and forces are means over the last step before each output, those of impacts included"


@dataclass(frozen=True, eq=False)
class StepRun:
    """A mechanism with a start, the method and its longest step (s)."""

    mechanism: Mechanism
    start: Start
    method: MoreauJean
    step: float

    def advance(self, grid: Array, progress: Callable[[float], object] | None = None) -> Result:
        """Step over a grid of outputs."""
        c, p = self.mechanism.coordinates, self.start.p.copy()
        require_no_switches(c)
        require_steps(c)
        p[c.limit_places] = 0.0
        system = step_system(self.mechanism, p)
        settings = StepSettings(self.step, self.method.theta, self.method.asked, self.method.tolerance)
        require_room(c, system, settings, grid, self.start.y)
        return self._result(step_through(system, self.start.y, grid, settings, progress), p)

    def _result(self, found: SteppedRun, p: Array) -> Result:
        mechanism, memory = self.mechanism, found.memory
        trajectory = Trajectory(mechanism, (found.t, found.y, found.vdot), p)
        touches = Touches.of(mechanism.coordinates, memory, len(found.t))
        source = SteppedSource(trajectory, found.works, touches)
        auditor: Callable[[], Audit] = SteppedAuditor(source, memory, self.step)
        return Result(
            name=mechanism.model.name or "mechanism",
            time=found.t,
            source=source,
            drawing=mechanism.drawing(p),
            outcome=_outcome(found),
            model_text=mechanism.text,
            steps=found.t,
            events=tuple(hits(mechanism.coordinates, memory)),
            modes=modes_of(mechanism.coordinates, memory),
            freedoms=mechanism.topology.freedom_names,
            settings={
                "coordinates": str(mechanism.coordinates.kind),
                "integrator": self.method.name,
                "law": self.method.law,
                "solver": _solver_names(found),
                "backend": mechanism.program.backend.name,
                "fixed step": f"{self.step:g} s",
            },
            statistics=_costs(found),
            noted=partial(_notes, mechanism, self.start, memory, p),
            auditor=auditor,
        )


def require_room(c: Coordinates, system: StepSystem, settings: StepSettings, grid: Array, y: Array) -> None:
    """Refuse to begin where shapes overlap, or beyond a limit."""
    memory = step_memory(system, Room.first(system), settings, grid, y)
    out, t, size = memory.out, float(grid[0]), float(system.size)
    ModelFunction(system.terms)(t, np.ascontiguousarray(y), system.p, out)
    for limit, item in zip(system.limits, c.one_sided.values(), strict=True):
        left = float(out[limit.room])
        if left < -OVERLAPPING * size:
            raise AssemblyError(
                f"{item.label} is exceeded by {item.measured(-left)} where the mechanism is assembled: {item.remedy}"
            )
    if memory.scene is None:
        return
    for k, entry in enumerate(memory.scene.entries):
        pose = out[system.poses + POSE * k : system.poses + POSE * (k + 1)]
        entry.shape.place[:], entry.shape.axes[:] = pose[:3], pose[3:]
    count = all_contacts(memory.scene)
    gaps = memory.scene.gap[:count]
    pairs = memory.scene.contact_pair[: 2 * count].reshape(-1, 2)
    meant = system.shapes.pairs[pairs[:, 0], pairs[:, 1]] >= 0
    deep = np.where(meant, gaps, 0.0)
    if count and deep.min() < -OVERLAPPING * size:
        one, other = (c.geometry.touchables.shapes[i].name for i in pairs[np.argmin(deep)])
        raise AssemblyError(
            f"'{one}' and '{other}' overlap by {-deep.min():.3g} m where the mechanism is assembled: move one of them, or "
            "let them ignore each other"
        )


def _outcome(found: SteppedRun) -> Outcome:
    time = float(found.memory.t)
    if found.interrupted:
        return Outcome(Status.INTERRUPTED, "the run was interrupted; what it had reached is kept", time)
    if found.failure:
        return Outcome(Status.STOPPED_EARLY, FAILURES[found.failure], time)
    return Outcome(Status.COMPLETED, "", time)


def hits(c: Coordinates, memory: StepMemory) -> Iterator[EventRecord]:
    """The impacts that were told one by one."""
    tally = memory.tally
    for time, one, other, impulse, speed in tally.hits.reshape(-1, 5)[: min(tally.hit_count, tally.hit_room)]:
        number = int(one) * memory.shape_count + int(other) if one >= 0 else memory.shape_count**2 + int(other)
        name, lever, unit, rate = pair_of(c, memory.shape_count, number).name, 1.0, "N*s", "m/s"
        word = "touches"
        if one < 0:
            limit = list(c.one_sided.values())[int(other)]
            lever, unit, word = limit.lever or 1.0, limit.impulse_unit, limit.words[-1]
            rate = "m/s" if limit.lever is None else "rad/s"
        values = {"impulse": lever * float(impulse), "speed": max(0.0, float(speed)) / lever}
        yield EventRecord(f"{name} {word}", float(time), values, units={"impulse": unit, "speed": rate})


def _solver_names(found: SteppedRun) -> str:
    """Who has solved the cones, the one that has solved most first."""
    used = sorted((name for name, count in found.solved.items() if count), key=lambda name: -found.solved[name])
    return " and ".join(used) or "none was needed"


def _costs(found: SteppedRun) -> dict[str, Any]:
    tally, pushing = found.memory.tally, found.memory.pushing
    return {
        "steps": int(tally.steps),
        "rejected": 0,
        "evaluations": int(tally.steps),
        "most contacts": int(tally.contacts),
        "contacts begun": int(tally.hit_count),
        "iterations of cones": int(pushing.iterations),
        "largest residual of cones": float(pushing.worst),
        "largest overlap": float(tally.deepest),
        "wall time": found.wall_time,
    }


def _notes(mechanism: Mechanism, start: Start, memory: StepMemory, p: Array) -> tuple[str, ...]:
    told, tally = list[str](), memory.tally
    if tally.hit_count > tally.hit_room:
        told.append(f"{tally.hit_count} contacts have begun; the first {tally.hit_room} are among the events")
    if memory.pushing.failures:
        told.append(
            f"contacts were not solved as well as was asked for in {memory.pushing.failures} of {tally.steps} steps; the "
            f"worst residual is {memory.pushing.worst:.2g} of the largest velocity"
        )
    told += told_of_changes(memory)
    return (*remarks(mechanism.coordinates, p), *start.assembly.notes, *told, MEANS)
