"""Which points and unit vectors the bodies of a mechanism share, for natural coordinates.

A joint that holds two points together makes them one point; a joint with an axis in space makes the axis one vector of
both bodies, and parallel axes of a body are one vector. A vector along the segment between two shared points of a body is
a multiple of that segment and no unknown of its own (García de Jalón and Bayo, section 2.2.3 and eq. 2.30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.coordinates.natural.attitude import Attitude, group_attitudes, prevents_rotation
from linkwork.position.geometry import GROUND, Geometry, JointGeometry

SHORT = 1e-9  # of the size of the mechanism: distance of two points that are one


@dataclass(eq=False)
class Entity:
    """A point or a unit vector, with those that carry it and its local coordinates there.

    Points are carried by bodies, vectors by groups of bodies with the same orientation, in the axes of their roots.
    """

    kind: str  # 'point' or 'vector'
    name: str
    places: dict[str, ca.SX]
    position: ca.SX = field(default_factory=ca.SX)
    rate: ca.SX = field(default_factory=ca.SX)
    ends: tuple[Entity, Entity] | None = None  # of the segment that a vector is a multiple of

    @property
    def constant(self) -> bool:
        """Whether the ground carries it, or both ends of its segment."""
        if self.ends is not None:
            return all(end.constant for end in self.ends)
        return GROUND in self.places

    @property
    def carrier(self) -> tuple[str, ca.SX]:
        """A body that carries it, and where."""
        return next(iter(self.places.items()))


class Sharing:
    """All shared points and vectors; the ones that move and are no multiples of others are unknowns."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.space = geometry.space
        self.attitudes: Mapping[str, Attitude] = group_attitudes(geometry)
        self.entities: list[Entity] = []

    @property
    def moving(self) -> list[Entity]:
        """Those that are unknowns."""
        return [entity for entity in self.entities if not entity.constant and entity.ends is None]

    def points_of(self, body: str) -> list[Entity]:
        return [entity for entity in self.entities if entity.kind == "point" and body in entity.places]

    def vectors_of(self, root: str) -> list[Entity]:
        return [entity for entity in self.entities if entity.kind == "vector" and root in entity.places]

    def members(self, root: str) -> list[str]:
        """The bodies of a group, without the ground."""
        return [name for name in self.geometry.bodies if self.attitudes[name].root == root]

    def add_point(self, body: str, name: str, local: ca.SX) -> Entity:
        """A point that one body has for itself, unless it shares one there."""
        for known in self.points_of(body):
            if self.geometry.vanishes(known.places[body] - local, self.geometry.length):
                return known
        return self._add(Entity("point", f"{body}.{name}", {body: local}))

    def add_vector(self, root: str, local: Array) -> Entity:
        """A unit vector that one group has for itself."""
        count = sum(entity.name.startswith(f"{root}.u") for entity in self.entities)
        return self._add(Entity("vector", f"{root}.u{count + 1}", {root: ca.sparsify(ca.SX(local))}))

    def _add(self, entity: Entity) -> Entity:
        d = self.space.dimension
        if entity.ends is not None:
            entity.position, entity.rate = _along(self.geometry, self.attitudes, entity)
        elif entity.constant:
            entity.position, entity.rate = entity.places[GROUND], ca.SX(d, 1)
        else:
            entity.position, entity.rate = ca.SX.sym(entity.name, d), ca.SX.sym(f"{entity.name}'", d)
        self.entities.append(entity)
        return entity

    def unknowns(self) -> tuple[ca.SX, ca.SX, tuple[str, ...]]:
        """q, v and their names."""
        moving = self.moving
        names = tuple(f"{entity.name}.{axis}" for entity in moving for axis in self.space.axis_names)
        if not moving:
            return ca.SX(0, 1), ca.SX(0, 1), names
        return ca.vertcat(*[e.position for e in moving]), ca.vertcat(*[e.rate for e in moving]), names

    def shared_parts(self, joint: JointGeometry) -> frozenset[str]:
        """The parts of a joint's conditions that sharing satisfies."""
        parts = set()
        if joint.kind.shares_point:
            parts.add("point")
        if joint.kind.shares_axis and not self.space.planar:
            parts.add("axis")
        if prevents_rotation(self.space, joint.kind):
            parts |= {"axis", "lock"}
        return frozenset(parts)


@dataclass(frozen=True, eq=False)
class OwnPoint:
    """A point of a body that is wanted as an unknown."""

    name: str
    body: str
    local: ca.SX


def share(geometry: Geometry, wanted: Sequence[OwnPoint] = ()) -> Sharing:
    """Find the points and, in space, the axes that joints hold together; further points may be *wanted*."""
    geometry.all_rigid("natural coordinates")
    sharing = Sharing(geometry)
    points: list[Entity] = []
    vectors: list[Entity] = []
    for joint in geometry.joints.values():
        if joint.kind.shares_point:
            new = {joint.parent: joint.a.origin, joint.child: joint.b.origin}
            _join_points(geometry, points, joint.name, new)
        if joint.kind.shares_axis and not geometry.space.planar:
            _join_axes(sharing, vectors, joint)
    for own in wanted:
        _join_points(geometry, points, own.name, {own.body: own.local})
    _hold_points(sharing, points, vectors)
    for entity in points:
        sharing._add(entity)
    for entity in vectors:
        if GROUND not in entity.places:
            entity.ends = _parallel_segment(sharing, entity)
        sharing._add(entity)
    return sharing


def _join_points(geometry: Geometry, points: list[Entity], name: str, new: Mapping[str, ca.SX]) -> None:
    """Make the points of some bodies one, merging with what any of them has at the same place already."""
    touched = [
        entity
        for entity in points
        if any(
            body in entity.places and geometry.vanishes(entity.places[body] - new[body], geometry.length)
            for body in new
        )
    ]
    merged = Entity("point", touched[0].name if touched else name, {})
    for entity in touched:
        merged.places.update(entity.places)
        points.remove(entity)
    merged.places.update(new)
    points.append(merged)


def _hold_points(sharing: Sharing, points: list[Entity], vectors: list[Entity]) -> None:
    """A point of a body on a line that the ground holds in it, such as the axis of its hinge, stands still."""
    changed = True
    while changed:
        changed = False
        for entity in points:
            found = None if GROUND in entity.places else _still_place(sharing, entity, points, vectors)
            if found is not None:
                entity.places[GROUND] = found
                changed = True


def _still_place(sharing: Sharing, point: Entity, points: list[Entity], vectors: list[Entity]) -> ca.SX | None:
    """Where a point stands still: on a line through a still point of a body, along a still direction of it."""
    for body, local in point.places.items():
        attitude = sharing.attitudes[body]
        still = [other for other in points if GROUND in other.places and body in other.places]
        lines = [
            (v.places[attitude.root], v.places[GROUND]) for v in vectors if {GROUND, attitude.root} <= v.places.keys()
        ]
        lines += [
            (attitude.local(b.places[body] - a.places[body]), b.places[GROUND] - a.places[GROUND])
            for a, b in combinations(still, 2)
        ]
        for other in still:
            arm = attitude.local(local - other.places[body])
            for inside, outside in lines:
                if sharing.space.planar or not _parallel(sharing.geometry, arm, inside):
                    continue
                return other.places[GROUND] + outside * (ca.dot(arm, inside) / ca.dot(inside, inside))
    return None


def _parallel(geometry: Geometry, arm: ca.SX, line: ca.SX) -> bool:
    """Whether a way (m) goes along a line, which is a vector of any length."""
    size = float(np.linalg.norm(geometry.number(line)))
    return geometry.vanishes(ca.cross(arm, line), geometry.length * size)


def _join_axes(sharing: Sharing, vectors: list[Entity], joint: JointGeometry) -> None:
    """Make the axis one vector of both groups, merging with the parallel ones that either has already."""
    geometry = sharing.geometry
    parent, child = sharing.attitudes[joint.parent], sharing.attitudes[joint.child]
    if parent.root == child.root:
        return  # a slide or a second joint within a group: its axis is no news
    new = {parent.root: parent.local(joint.a.axis(2)), child.root: child.local(joint.b.axis(2))}
    merged = Entity("vector", "", {})
    for entity in list(vectors):
        sign = _sense(geometry, entity, new)
        if sign:
            merged.name = merged.name or entity.name
            merged.places.update({root: sign * local for root, local in entity.places.items()})
            vectors.remove(entity)
    merged.name = merged.name or f"{joint.name}.axis"
    merged.places.update({root: geometry.tidy(local) for root, local in new.items()})
    vectors.append(merged)


def _sense(geometry: Geometry, entity: Entity, new: Mapping[str, ca.SX]) -> int:
    """1 where a vector is that of *new* in a common group, −1 where it is its opposite, else 0."""
    for root in new:
        if root in entity.places:
            for sign in (1, -1):
                if geometry.vanishes(entity.places[root] - sign * new[root]):
                    return sign
    return 0


def _segments(sharing: Sharing, entity: Entity) -> Iterator[tuple[Entity, Entity, ca.SX]]:
    """Pairs of points of the bodies that carry a vector, with their distance along it."""
    for root, local in entity.places.items():
        for body in sharing.members(root):
            for one, other in combinations(sharing.points_of(body), 2):
                segment = sharing.attitudes[body].local(other.places[body] - one.places[body])
                if sharing.geometry.vanishes(ca.cross(segment, local), sharing.geometry.length):
                    yield one, other, ca.dot(segment, local)


def _parallel_segment(sharing: Sharing, entity: Entity) -> tuple[Entity, Entity] | None:
    """The ends of a segment along a vector: of one that the ground holds, else of the longest one."""
    best: tuple[bool, float, tuple[Entity, Entity]] | None = None
    for one, other, distance in _segments(sharing, entity):
        size, fixed = float(sharing.geometry.number(distance)), one.constant and other.constant
        if abs(size) > SHORT * sharing.geometry.length and (best is None or (fixed, abs(size)) > best[:2]):
            best = fixed, abs(size), (one, other) if size > 0 else (other, one)
    return None if best is None else best[2]


def _along(geometry: Geometry, attitudes: Mapping[str, Attitude], entity: Entity) -> tuple[ca.SX, ca.SX]:
    """A vector and its rate as multiples of its segment."""
    assert entity.ends is not None
    start, end = entity.ends
    body = next(name for name in start.places if name in end.places and attitudes[name].root in entity.places)
    attitude = attitudes[body]
    segment = attitude.local(end.places[body] - start.places[body])
    factor = 1 / geometry.product(segment.T, entity.places[attitude.root])
    return (end.position - start.position) * factor, (end.rate - start.rate) * factor
