"""Where points are: which bodies have a point, and what ``A``, ``crank.A`` or ``ground.O`` refers to.

A body has the points that it lists, and the points of the sketch where its joints sit (pins), also by the names of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from linkwork.errors import ModelError, did_you_mean
from linkwork.model.body import Body
from linkwork.model.fields import refused
from linkwork.model.joint import GROUND, Joint
from linkwork.model.seats import Seats, joint_points, point_on


class Places(Protocol):
    """What is needed to find points: the sketch, the bodies and the joints; and groups of bodies."""

    @property
    def points(self) -> Mapping[str, Any]: ...
    @property
    def bodies(self) -> Mapping[str, Body]: ...
    @property
    def joints(self) -> Mapping[str, Joint]: ...
    @property
    def relations(self) -> Mapping[str, Any]: ...
    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def seats(self) -> Seats: ...


def has_point(places: Places, body: str, point: str) -> bool:
    """Whether *body* lists *point* or has a joint there; the ground has all sketch points."""
    if body == GROUND:
        return point in places.points
    return point in places.bodies[body].point_names or point in pins_of(places, body)


def seat_of(places: Places, body: str, name: str) -> str:
    """The point of a body that a name means: one that it has, or else that at which the joint of this name holds it."""
    joint = places.joints.get(name)
    if joint is None or body not in joint.bodies or has_point(places, body, name):
        return name
    return point_on(name, joint, body)


def pins_of(places: Places, body: str) -> list[str]:
    """The sketch points at which joints hold a body, whether it lists them or not."""
    return places.seats.pins(body)


def pin_owner(places: Places, point: str) -> str | None:
    """Whose a sketch point is that no body lists; None where joints let the bodies slide apart there.

    The ground's where one of its joints sits there, else that of the first body which a joint holds there.
    """
    joints = places.seats.joints(point)
    together = [joint for name, joint in joints.items() if set(joint_points(name, joint)) == {point}]
    if not all(joint.mechanics.shares_point for joint in together):
        return None
    held = [
        body
        for name, joint in joints.items()
        for body, own in zip(joint.bodies, joint_points(name, joint), strict=True)
        if own == point
    ]
    return GROUND if GROUND in held or not held else held[0]


def locate(places: Places, reference: str, body: str | None = None) -> tuple[str, str]:
    """Return (body, point) of a reference; ModelError when it is unknown or several bodies have the point."""
    if body is None and "." in reference:
        body, _, reference = reference.partition(".")
    if body is not None:
        return _on_body(places, body, reference)
    found = places.seats.owners(reference)
    if found == [GROUND] and pin_owner(places, reference) is None:
        raise _sliding(places, reference)
    if len(found) == 1:
        return found[0], reference
    if len(found) > 1:
        choices = " or ".join(f"{name}.{reference}" for name in found)
        raise refused(f"point '{reference}' belongs to {', '.join(found)}", f"write {choices}")
    if reference in places.points:
        owner = pin_owner(places, reference)
        if owner is None:
            raise _sliding(places, reference)
        return owner, reference
    known = [*places.points, *(f"{name}.{point}" for name, b in places.bodies.items() for point in b.local_points)]
    raise refused(f"there is no point '{reference}'", did_you_mean(reference, known))


def _sliding(places: Places, point: str) -> ModelError:
    bodies = dict.fromkeys(body for joint in places.seats.joints(point).values() for body in joint.bodies)
    named = [body for body in bodies if has_point(places, body, point)]
    choices = " or ".join(f"{body}.{point}" for body in named)
    return refused(f"point '{point}' is where {' and '.join(named)} slide on each other", f"write {choices}")


def _on_body(places: Places, body: str, point: str) -> tuple[str, str]:
    if body != GROUND and body not in places.bodies:
        raise refused(f"there is no body '{body}'", did_you_mean(body, [*places.bodies, GROUND]))
    if has_point(places, body, seat_of(places, body, point)):
        return body, seat_of(places, body, point)
    known = places.points if body == GROUND else [*places.bodies[body].point_names, *pins_of(places, body)]
    raise refused(f"body '{body}' has no point '{point}'", did_you_mean(point, list(known)))
