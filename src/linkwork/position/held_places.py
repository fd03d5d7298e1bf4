"""Places of several bodies that joints hold together at all times: pins, points on an axis, what is fixed.

The place r of one body (in axes of the joint) stays a place of the other where no freedom of the joint moves it,

    V_i + W_i × r = 0   for all freedoms i,

with the columns V, W of the joint. In the origin of a pin all do, along its axis in space those of a hinge do, and
everywhere those of a joint that is fixed.
"""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca

from linkwork.position.geometry import GROUND, Geometry, JointGeometry

BodyPlace = tuple[str, ca.SX]
"""A body, and local coordinates in it."""


def never_part(geometry: Geometry, one: BodyPlace, other: BodyPlace) -> bool:
    """Whether joints hold two places together, whatever the live parameters."""
    found = [one]
    for place in found:
        found += [new for new in _beside(geometry, place) if not any(_same(geometry, new, known) for known in found)]
    return any(_same(geometry, other, place) for place in found)


def _same(geometry: Geometry, one: BodyPlace, other: BodyPlace) -> bool:
    return one[0] == other[0] and geometry.vanishes(one[1] - other[1], geometry.length)


def _beside(geometry: Geometry, place: BodyPlace) -> Iterator[BodyPlace]:
    """The places of other bodies that the joints of a body hold to one of its places."""
    body, local = place
    for joint in geometry.joints.values():
        if body not in (joint.parent, joint.child) or not joint.kind.shares_point:
            continue
        own = joint.frame_in(body)
        other = joint.child if body == joint.parent else joint.parent
        seen = own.axes.T @ (local - own.origin)
        if _is_held(geometry, joint, seen):
            yield other, joint.frame_in(other).point(seen)


def _is_held(geometry: Geometry, joint: JointGeometry, seen: ca.SX) -> bool:
    """Whether no freedom of a joint moves a place; of a body that changes its shape only the joint itself is known."""
    space, kind = geometry.space, joint.kind
    if not all(geometry.bodies[name].kind.keeps_shape for name in (joint.parent, joint.child) if name != GROUND):
        return geometry.vanishes(seen, geometry.length)
    shift, spin = kind.columns(space, kind.neutral(space))
    moved = [shift[:, i] + space.turn(spin[:, i], seen) for i in range(shift.shape[1])]
    return geometry.vanishes(ca.vertcat(ca.SX(0, 1), *moved), geometry.length)


__all__ = ["BodyPlace", "never_part"]
