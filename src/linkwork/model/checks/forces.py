"""Forces: the points, bodies and joints that they act on exist, and quantities have the right dimension."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from linkwork.errors import Fault, ModelError, did_you_mean
from linkwork.model.checks.joints import freedom_faults, freedom_of
from linkwork.model.draft import Draft
from linkwork.model.fields import as_faults, literal_faults
from linkwork.model.forces import Effort, Force, Spring, Torque, TorsionSpring
from linkwork.model.joint import GROUND
from linkwork.model.places import locate

Located = Generator[Fault, None, tuple[str, str] | None]


def faults(draft: Draft) -> Iterator[Fault]:
    """All faults of the sound forces."""
    for name, force in draft.forces.items():
        path = f"forces.{name}"
        match force:
            case Force():
                yield from _force(draft, path, force)
            case Torque():
                yield from _loaded_body(draft, f"{path}.body", force.body)
            case Effort():
                yield from freedom_faults(draft, path, force.joint, force.freedom)
                freedom = freedom_of(draft, force.joint, force.freedom)
                if freedom is not None:
                    yield from literal_faults(f"{path}.value", force.value, freedom.effort_dimension)
            case Spring():
                yield from _spring(draft, path, force)
            case TorsionSpring():
                yield from _torsion_spring(draft, path, force)


def _loaded_body(draft: Draft, path: str, body: str) -> Iterator[Fault]:
    if body == GROUND:
        yield Fault(path, "acts on the ground, which does not move", "name a body that moves")
    elif body not in draft.names("bodies"):
        yield Fault(path, f"there is no body '{body}'", did_you_mean(body, draft.names("bodies")))


def _force(draft: Draft, path: str, force: Force) -> Iterator[Fault]:
    body = force.body
    if body is not None and "." in force.at:
        yield Fault(f"{path}.body", f"at: {force.at} names the body already", "leave one of them out")
        return
    if body is not None and (body == GROUND or body not in draft.names("bodies")):
        yield from _loaded_body(draft, f"{path}.body", body)
        return
    place = yield from _located(draft, f"{path}.at", force.at, body)
    if place is not None and place[0] == GROUND:
        hint = f"write a point of a body, or body: with the name of the body that carries '{force.at}'"
        yield Fault(f"{path}.at", f"'{force.at}' is on no body: the force would act on the ground", hint)


def _located(draft: Draft, path: str, reference: str, body: str | None = None) -> Located:
    """Yield the fault of a reference; return where it is, or None when that cannot be decided."""
    holder = body or (reference.partition(".")[0] if "." in reference else None)
    if holder in draft.names("bodies") and holder not in draft.bodies:
        return None  # the body has faults of its own
    try:
        return locate(draft, reference, body)
    except ModelError as error:
        if holder is not None or len(draft.bodies) == len(draft.names("bodies")):
            yield from as_faults(path, error)
    return None


def _spring(draft: Draft, path: str, spring: Spring) -> Iterator[Fault]:
    places = []
    for reference in spring.between:
        place = yield from _located(draft, f"{path}.between", reference)
        places.append(place)
    first, second = places
    if first is not None and second is not None and first[0] == second[0]:
        reason = f"both points are on '{first[0]}': the spring would have no effect"
        yield Fault(f"{path}.between", reason, "name points of two different bodies")
    free_length = draft.number(spring.free_length)
    if free_length is not None and free_length < 0.0:
        yield Fault(f"{path}.free_length", f"is {free_length:g} m; it cannot be negative")


def _torsion_spring(draft: Draft, path: str, spring: TorsionSpring) -> Iterator[Fault]:
    yield from freedom_faults(draft, path, spring.joint, spring.freedom)
    freedom = freedom_of(draft, spring.joint, spring.freedom)
    if freedom is not None and not freedom.angular:
        reason = f"{spring.joint}.{freedom.coordinate} is not an angle"
        yield Fault(f"{path}.joint", reason, "use kind: spring between two points")
