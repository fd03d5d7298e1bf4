"""Which points and unit vectors the bodies of a mechanism share, for natural coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field

import casadi as ca
import numpy as np

from linkwork.algebra.space import Space
from linkwork.coordinates.base import Array
from linkwork.topology.geometry import GROUND, Geometry, JointGeometry


@dataclass(eq=False)
class Entity:
    """A point or a unit vector, with the bodies that carry it and its local coordinates in each of them."""

    kind: str  # 'point' or 'vector'
    name: str
    places: dict[str, ca.SX]
    position: ca.SX = field(default_factory=ca.SX)
    rate: ca.SX = field(default_factory=ca.SX)

    @property
    def constant(self) -> bool:
        """Whether the ground carries it."""
        return GROUND in self.places

    @property
    def carrier(self) -> tuple[str, ca.SX]:
        """A body that carries it, and where."""
        return next(iter(self.places.items()))

    def local_of(self, body: str) -> ca.SX:
        return self.places[body]


class Sharing:
    """All shared points and vectors; the ones that move are unknowns."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.entities: list[Entity] = []

    @property
    def moving(self) -> list[Entity]:
        return [entity for entity in self.entities if not entity.constant]

    def points_of(self, body: str) -> list[Entity]:
        return [entity for entity in self.entities if entity.kind == "point" and body in entity.places]

    def vectors_of(self, body: str) -> list[Entity]:
        return [entity for entity in self.entities if entity.kind == "vector" and body in entity.places]

    def add_point(self, body: str, name: str, local: ca.SX) -> Entity:
        """A point that one body has for itself."""
        return self._add(Entity("point", f"{body}.{name}", {body: local}))

    def add_vector(self, body: str, local: Array) -> Entity:
        """A unit vector that one body has for itself."""
        count = sum(entity.name.startswith(f"{body}.u") for entity in self.entities)
        return self._add(Entity("vector", f"{body}.u{count + 1}", {body: ca.sparsify(ca.SX(ca.DM(local)))}))

    def _add(self, entity: Entity) -> Entity:
        d = self.space.dimension
        if entity.constant:
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
        return frozenset(parts)


def share(geometry: Geometry) -> Sharing:
    """Find the points and, in space, the axes that joints hold together."""
    sharing = Sharing(geometry.space)
    points: list[Entity] = []
    vectors: list[Entity] = []
    for joint in geometry.joints.values():
        if joint.kind.shares_point:
            _join(points, "point", joint, joint.a.origin, joint.b.origin)
        if joint.kind.shares_axis and not geometry.space.planar:
            _join(vectors, "vector", joint, joint.a.axis(2), joint.b.axis(2))
    for entity in [*points, *vectors]:
        sharing._add(entity)
    return sharing


def _join(entities: list[Entity], kind: str, joint: JointGeometry, in_parent: ca.SX, in_child: ca.SX) -> None:
    """Make the parent's and the child's entity one, merging with what either body has at the same place already."""
    new = {joint.parent: in_parent, joint.child: in_child}
    touched = [entity for entity in entities if any(b in entity.places and same(entity.places[b], new[b]) for b in new)]
    name = joint.name if kind == "point" else f"{joint.name}.axis"
    merged = Entity(kind, touched[0].name if touched else name, {})
    for entity in touched:
        merged.places.update(entity.places)
        entities.remove(entity)
    merged.places.update(new)
    entities.append(merged)


def same(one: ca.SX, other: ca.SX) -> bool:
    """Whether two local vectors are the same for every value of the live parameters."""
    if one.is_constant() and other.is_constant():
        return bool(np.allclose(np.array(ca.DM(one)), np.array(ca.DM(other)), rtol=0, atol=1e-13))
    return bool(ca.is_equal(ca.densify(one), ca.densify(other), 8))
