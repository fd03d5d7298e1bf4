"""Parts of a mechanism that nothing connects with the ground, and where a joint may have been forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from linkwork.model.connected import groups
from linkwork.position.geometry import GROUND, Geometry


def floating_parts(geometry: Geometry) -> list[tuple[str, ...]]:
    """Groups of bodies that no chain of joints and relations connects with the ground, in the order of the model."""
    ties: list[Sequence[str]] = [(joint.parent, joint.child) for joint in geometry.joints.values()]
    ties += [tuple(relation.bodies) for relation in geometry.relations.values()]
    return [group for group in groups((GROUND, *geometry.bodies), ties) if GROUND not in group]


def floating_texts(geometry: Geometry) -> Iterator[str]:
    """What to say about each floating part where the mechanism has joints, so that one may have been forgotten."""
    if not geometry.joints:
        return
    for group in floating_parts(geometry):
        what = group[0] if len(group) == 1 else f"{', '.join(group[:-1])} and {group[-1]}"
        verb, it = ("floats", "it") if len(group) == 1 else ("float", "them")
        yield f"{what} {verb}: no joint connects {it} with the ground{_shared(geometry, group)}"


def _shared(geometry: Geometry, group: tuple[str, ...]) -> str:
    """A point that the group has in common with another body or the ground: there a joint is missing."""
    for name in group:
        for point in geometry.bodies[name].points:
            others = [other for other, body in geometry.bodies.items() if other not in group and point in body.points]
            others += [GROUND] if point in geometry.ground_points else []
            if others:
                other = "the ground" if others[0] == GROUND else others[0]
                return f" ({name} and {other} have the point {point} in common: is a joint missing there?)"
    return ""
