"""In which steps a mechanism goes in real time: of time stepping where conditions come and go, else of an integrator."""

from __future__ import annotations

from collections.abc import Callable

from linkwork.analysis.prepared.prepare import Mechanism, Start, compiled, formulated, numbered
from linkwork.analysis.prepared.smooth import require_no_flanks
from linkwork.analysis.realtime.asked import LiveQuestion, LiveWay
from linkwork.analysis.realtime.contact_steps import ContactSteps
from linkwork.analysis.realtime.method import choose_formulation
from linkwork.analysis.realtime.smooth_steps import SmoothSteps
from linkwork.analysis.runs.simulate import stepped_kind
from linkwork.analysis.walk.subject import Subject
from linkwork.compiler.backends import Backend
from linkwork.coordinates.contributions import acts_at_times
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import KindChoice
from linkwork.elements.relations.connection import ConnectionRelation
from linkwork.equations.formulations import Formulation
from linkwork.errors import RefusedError
from linkwork.numerics.timestepping.method import MoreauJean

MakeSteps = Callable[[Mechanism, Start, LiveQuestion], LiveWay]
Wanted = tuple[KindChoice | None, str | Formulation | None, str | Backend | None]  # coordinates, formulation, backend


def prepare_way(subject: Subject, asked: LiveQuestion, wanted: Wanted) -> tuple[Mechanism, MakeSteps]:
    """The mechanism that is stepped, and what makes its steps."""
    kind, formulation, backend = wanted
    stepping = isinstance(asked.integrator, MoreauJean) or asked.integrator == MoreauJean.name
    if stepping and formulation is not None:
        raise RefusedError(f"the integrator '{MoreauJean.name}' takes no formulation: leave it out")
    own = asked.integrator is None and formulation is None
    coming = acts_at_times(subject.model) or bool(subject.topology.conditions.loose)
    c = _in_time_stepping(subject, kind) if stepping or (own and coming) else None
    if c is not None and (stepping or comes_and_goes(c)):
        if asked.iterations is not None and asked.iterations < 1:
            raise RefusedError(f"max_iterations = {asked.iterations}; at least 1 is needed")
        return compiled(formulated(c, None), backend or subject.backend), ContactSteps
    _require_steady(subject)
    if c is not None:
        # what is left of stops and contacts is forces, and friction is one unless it holds
        known = numbered(subject.topology, kind or subject.kind or "relative", stops=True)
        subject = subject.with_stops(True, not known.grips)
    chosen = choose_formulation(formulation or (None if kind else subject.formulation), asked.iterations)
    assert not isinstance(asked.integrator, MoreauJean)
    return subject.prepare(stepped_kind(kind, asked.integrator, subject), chosen, backend), SmoothSteps


def _in_time_stepping(subject: Subject, kind: KindChoice | None) -> Coordinates:
    """The coordinates, in which stops are conditions and contacts are left to time stepping."""
    known = subject.topology, kind or subject.kind or "relative"
    c = numbered(*known, stops=True, touching=False)
    return numbered(*known, stops=True, rubs=False, touching=False) if c.grips else c


def comes_and_goes(c: Coordinates) -> bool:
    """Whether something is hit: by a limit, or by a contact that does not give way."""
    return bool(c.one_sided) or any(pair.law.compliance is None for pair in c.geometry.touchables.pairs)


def _require_steady(subject: Subject) -> None:
    """Refuse integrators where relations and flanks come and go: they hold always, or not at all."""
    topology = subject.topology
    require_no_flanks(subject.model, "realtime in smooth steps")
    relations = topology.geometry.relations
    loose = [name for name in topology.conditions.loose if relations[name].kind != ConnectionRelation.kind]
    if loose:
        listed = ", ".join(f"'{name}'" for name in loose)
        raise RefusedError(
            f"{listed} come and go, which steps of an integrator or a formulation do not heed: leave integrator and "
            f"formulation out, or take '{MoreauJean.name}'"
        )
