"""Reference-point coordinates: the place of every body.

A body has the position of its centre of mass, which is its reference point, and its angle, in space its orientation in a
parametrisation of choice; its velocities are that of the centre of mass in world axes and its angular velocity, in space
about its own axes: q̇ = T(q) v. The mass matrix is then constant, and only ω × I ω stands beside the weights, whatever the
parametrisation. Every joint adds its conditions between the frames of its two bodies. The reference point of a body that is
not rigid is its centre of mass as it is drawn; its own coordinates stand behind those of all bodies.

Source: García de Jalón and Bayo, sections 2.1.2 and 2.2.2 (numbers 19 to 21 of its capabilities).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from linkwork.coordinates.base import Array, Kinematics, OrientedKind
from linkwork.coordinates.layout import Layout
from linkwork.coordinates.natural.sharing import share
from linkwork.coordinates.placed_body import place_body
from linkwork.position.geometry import Geometry, Pose
from linkwork.topology.graph.graph import SpanningTree


@dataclass(frozen=True)
class ReferencePoint(OrientedKind):
    """*orientation*: how bodies in space are turned."""

    name: ClassVar[str] = "reference_point"
    summary: ClassVar[str] = "centres of mass and orientations of the bodies, conditions for all joints"

    def describe(self, geometry: Geometry, tree: SpanningTree) -> Kinematics:
        return self._lay_out(geometry).kinematics()

    def place(
        self, geometry: Geometry, tree: SpanningTree, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array
    ) -> tuple[Array, Array]:
        return self._lay_out(geometry).place(poses, twists, p)

    def _lay_out(self, geometry: Geometry) -> Layout:
        """Every body is placed; no joint carries any, and none shares points."""
        placed = [place_body(geometry, name, self.parametrisation) for name in geometry.bodies]
        return Layout(geometry, [], placed, share(replace(geometry, bodies={}, joints={})), {})
