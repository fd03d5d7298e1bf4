"""Parts of a mechanism that nothing connects with the ground, and where a joint may have been forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from linkwork.position.geometry import GROUND, Geometry


def floating_parts(geometry: Geometry) -> list[tuple[str, ...]]:
    """Groups of bodies that no chain of joints and relations connects with the ground, in the order of the model."""
    ties = [{joint.parent, joint.child} for joint in geometry.joints.values()]
    ties += [set(relation.bodies) for relation in geometry.relations.values()]
    left, groups = list(geometry.bodies), []
    reached = _reached({GROUND}, ties)
    left = [name for name in left if name not in reached]
    while left:
        group = _reached({left[0]}, ties)
        groups.append(tuple(name for name in left if name in group))
        left = [name for name in left if name not in group]
    return groups


def _reached(start: set[str], ties: list[set[str]]) -> set[str]:
    found, fresh = set(start), set(start)
    while fresh:
        fresh = {body for tie in ties if tie & fresh for body in tie} - found
        found |= fresh
    return found


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
