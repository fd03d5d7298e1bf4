"""``simulate`` by time stepping: what is asked for, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from linkwork.algebra.given import Parameters, Scalar
from linkwork.algebra.units import si
from linkwork.analysis.motion.stepped_source import SteppedSource
from linkwork.analysis.prepared.idle import check_inertia
from linkwork.analysis.prepared.prepare import compiled, formulated, numbered
from linkwork.analysis.timestepping.refusals import require_settings
from linkwork.analysis.timestepping.run import StepRun
from linkwork.analysis.walk.subject import Subject
from linkwork.compiler.backends import Backend
from linkwork.coordinates.numbering import KindChoice
from linkwork.formats import dump
from linkwork.numerics.timestepping.method import MoreauJean
from linkwork.progress import working
from linkwork.results.result import Result
from linkwork.results.time_grid import first_asked, time_grid

DEFAULT = "reference_point"  # coordinates
Over = tuple[Scalar | None, Scalar | None, ArrayLike | None]  # until, step, times
Ways = tuple[KindChoice | None, Backend | str | None]  # coordinates, backend


@dataclass(frozen=True)
class SteppedQuestion:
    """The method, its step, live parameters, what it does not heed, and whether the result is audited."""

    method: MoreauJean
    fixed_step: Scalar | None
    parameters: Parameters | None
    unheeded: Mapping[str, object]
    audit: bool

    def answer(
        self, subject: Subject, over: Over, ways: Ways, progress: Callable[[float], object] | None = None
    ) -> Result:
        """The run of a subject over some times."""
        step = None if self.fixed_step is None else si(self.fixed_step, "time")
        longest = require_settings(step, self.unheeded)
        # M is constant there, and impacts turn no coordinates
        kind = ways[0] or subject.kind or DEFAULT
        mechanism = compiled(
            formulated(numbered(subject.topology, kind, stops=True, touching=False), None), ways[1] or subject.backend
        )
        if mechanism.topology.mobility.free > 0:
            check_inertia(mechanism)
        until, spacing, times = over
        grid, start = time_grid(until, spacing, times, subject.time), subject.start(mechanism, self.parameters)
        with working(f"simulating {mechanism.model.name or 'the model'}", progress) as done:
            found = StepRun(mechanism, start, self.method, longest).advance(grid, done)
        found = since_asked(found if self.audit else replace(found, auditor=None), first_asked(times, grid))
        return found if subject.written is None else replace(found, model_text=dump(subject.written()))


def since_asked(result: Result, first: int) -> Result:
    """A result with the samples that were asked for."""
    if not first or len(result) <= first:
        return result
    assert isinstance(result.source, SteppedSource)
    return replace(result, time=result.time[first:], source=result.source.since(first))
