"""Kinds of coordinates by body: a mechanism in which every body has a kind of its own.

A relative body is placed by its joint of the spanning tree from the body before it, whatever the kind of that is; natural
bodies share points and vectors with each other and with the ground, and have a point at every joint with other bodies; a
reference-point body has its own place. All joints that neither the tree nor sharing satisfies give their conditions between
frames.

Source: García de Jalón and Bayo, problem 2/12.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from linkwork.coordinates.base import Array, CoordinateKind, Kinematics
from linkwork.coordinates.layout import Layout
from linkwork.coordinates.natural import Natural
from linkwork.coordinates.natural.basis import choose_bases
from linkwork.coordinates.natural.kind import own_point
from linkwork.coordinates.natural.sharing import OwnPoint, share
from linkwork.coordinates.placed_body import place_body
from linkwork.coordinates.reference_point import ReferencePoint
from linkwork.coordinates.relative import Relative
from linkwork.coordinates.tree import TreeJoint, tree_joint
from linkwork.errors import RefusedError, did_you_mean
from linkwork.position.geometry import GROUND, Geometry, Pose
from linkwork.topology.graph.graph import SpanningTree

ALL_OTHERS = "*"


@dataclass(frozen=True)
class ByBody(CoordinateKind):
    """*kinds*: relative, reference-point or natural coordinates by the name of the body; '*' stands for all others."""

    name: ClassVar[str] = "by_body"
    summary: ClassVar[str] = "every body has a kind of its own"

    kinds: Mapping[str, CoordinateKind] = field(default_factory=dict)

    def __str__(self) -> str:
        return ", ".join(f"{body} {kind}" for body, kind in self.kinds.items())

    def oriented(self, orientation: str) -> CoordinateKind:
        kinds = {ALL_OTHERS: Relative(), **self.kinds}
        return ByBody({body: kind.oriented(orientation) for body, kind in kinds.items()})

    def describe(self, geometry: Geometry, tree: SpanningTree) -> Kinematics:
        return self._lay_out(geometry, tree).kinematics()

    def place(
        self, geometry: Geometry, tree: SpanningTree, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array
    ) -> tuple[Array, Array]:
        return self._lay_out(geometry, tree).place(poses, twists, p)

    def _lay_out(self, geometry: Geometry, tree: SpanningTree) -> Layout:
        """Give every body the unknowns of its kind."""
        kinds = self._chosen(geometry)
        joints: list[TreeJoint] = []
        for step in tree.steps:
            kind = kinds[step.outboard]
            if isinstance(kind, Relative):
                geometry.rigid(step.outboard, "relative coordinates")
                first = sum(len(joint.index) for joint in joints)
                joints.append(tree_joint(geometry, step, first, kind.parametrisation))
        placed = [
            place_body(geometry, name, kind.parametrisation)
            for name, kind in kinds.items()
            if isinstance(kind, ReferencePoint)
        ]
        natural = {name: kind for name, kind in kinds.items() if isinstance(kind, Natural)}
        part = _part(geometry, natural)
        sharing = share(part, list(_own_points(geometry, part, natural)))
        linear = any(kind.constant_mass for kind in natural.values())
        return Layout(geometry, joints, placed, sharing, choose_bases(sharing, linear))

    def _chosen(self, geometry: Geometry) -> dict[str, CoordinateKind]:
        """The kind of every body."""
        known = list(geometry.bodies)
        for body, kind in self.kinds.items():
            if body not in (*known, ALL_OTHERS):
                raise RefusedError(f"coordinates by body: there is no body '{body}'; {did_you_mean(body, known)}")
            if not isinstance(kind, Relative | ReferencePoint | Natural):
                raise RefusedError(
                    f"coordinates by body: '{body}' cannot have {kind} coordinates of its own; "
                    "relative, reference_point or natural ones"
                )
        others = self.kinds.get(ALL_OTHERS, Relative())
        return {body: self.kinds.get(body, others) for body in known}


def _part(geometry: Geometry, bodies: Mapping[str, CoordinateKind]) -> Geometry:
    """The geometry of some bodies and of the joints between them and to the ground."""
    inside = {GROUND, *bodies}
    return replace(
        geometry,
        bodies={name: geometry.bodies[name] for name in bodies},
        joints={name: joint for name, joint in geometry.joints.items() if {joint.parent, joint.child} <= inside},
    )


def _own_points(geometry: Geometry, part: Geometry, natural: Mapping[str, Natural]) -> Iterator[OwnPoint]:
    """The points of natural bodies that somebody wants, and those at joints with bodies of other kinds."""
    for kind in dict.fromkeys(natural.values()):
        yield from (own_point(geometry, point) for point in kind.points)
    for name, joint in geometry.joints.items():
        if name not in part.joints and joint.kind.shares_point:
            for body, frame in ((joint.parent, joint.a), (joint.child, joint.b)):
                if body in natural:
                    yield OwnPoint(name, body, frame.origin)
