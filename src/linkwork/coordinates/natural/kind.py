"""Natural coordinates: Cartesian coordinates of points and components of unit vectors, shared between bodies.

A joint that holds two points together costs nothing: both bodies use the same point. A joint with an axis in space lets
both bodies use the same unit vector, a joint that prevents rotation the same basis. A body is described by one of its
points and a basis; rigidity is that the products of the basis stay what they are.

In space the mass matrix depends on q where a basis has two vectors and their product. With ``constant_mass`` bodies take
unit vectors of their own until they have three, and nothing depends on q or v.

Source: García de Jalón and Bayo, sections 2.1.3, 2.2.3 and 4.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.space import numbers
from linkwork.coordinates.base import Array, CoordinateKind, Kinematics, Later, Twist
from linkwork.coordinates.natural.basis import BodyBasis, choose_bases
from linkwork.coordinates.natural.inertia import mass_and_bias
from linkwork.coordinates.natural.rigidity import conditions
from linkwork.coordinates.natural.sharing import OwnPoint, Sharing, share
from linkwork.errors import RefusedError, did_you_mean
from linkwork.position.geometry import GROUND, Geometry, Pose
from linkwork.topology.graph.graph import SpanningTree

CONSTANT_MASS = "constant_mass"  # name of the variant


@dataclass(frozen=True)
class Natural(CoordinateKind):
    """Natural coordinates; further *points* of bodies ("coupler.P") can be unknowns too.

    *constant_mass*: as many unit vectors as a constant mass matrix needs; as a text ``"natural:constant_mass"``.
    """

    name: ClassVar[str] = "natural"
    summary: ClassVar[str] = "points and unit vectors, shared at the joints"

    points: tuple[str, ...] = ()
    constant_mass: bool = False

    def variant(self, text: str) -> Natural:
        words = [word.strip() for word in text.split(",")]
        points = tuple(word for word in words if word != CONSTANT_MASS)
        if not all("." in point for point in points):
            raise RefusedError(
                f"natural coordinates have no orientations but points, such as 'natural:coupler.P', or "
                f"'natural:{CONSTANT_MASS}', not '{text}'; relative, reference_point and mixed ones have orientations"
            )
        return Natural(points, CONSTANT_MASS in words)

    def __str__(self) -> str:
        words = [*self.points, *([CONSTANT_MASS] if self.constant_mass else [])]
        return f"{self.name}:{','.join(words)}" if words else self.name

    def describe(self, geometry: Geometry, tree: SpanningTree) -> Kinematics:
        space, length = geometry.space, geometry.length
        sharing, bases = self.lay_out(geometry)
        motions = {name: body.motion(space) for name, body in bases.items()}
        still = Twist(ca.SX(space.dimension, 1), ca.SX(space.rotations, 1))
        q, v, names = sharing.unknowns()
        mass, bias = mass_and_bias(geometry, bases.values(), q, v)
        return Kinematics(
            q=q,
            v=v,
            q_names=names,
            v_names=tuple(f"{name}'" for name in names),
            rates=v,
            retract=None,
            frames={GROUND: geometry.ground_frame, **{name: frame for name, (frame, _) in motions.items()}},
            twists={GROUND: still, **{name: twist for name, (_, twist) in motions.items()}},
            joint_values={},
            joint_rates={},
            rows=tuple(conditions(sharing, bases, q, length)),
            inertia=Later(lambda: mass),
            weights=Later(lambda: bias),
            scale=np.repeat([length if entity.kind == "point" else 1.0 for entity in sharing.moving], space.dimension),
            length=length,
            of_points=frozenset(bases),
            spinless=frozenset(name for name, body in bases.items() if body.basis.slender),
        )

    def place(
        self, geometry: Geometry, tree: SpanningTree, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array
    ) -> tuple[Array, Array]:
        return place_entities(self.lay_out(geometry)[0], poses, twists, p)

    def lay_out(self, geometry: Geometry) -> tuple[Sharing, dict[str, BodyBasis]]:
        """What is shared, and the bases that are made of it."""
        sharing = share(geometry, [own_point(geometry, name) for name in self.points])
        return sharing, choose_bases(sharing, self.constant_mass)


def place_entities(
    sharing: Sharing, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array
) -> tuple[Array, Array]:
    """q and v of all points and vectors that are unknowns."""
    geometry, d = sharing.geometry, sharing.space.dimension
    q, v = [np.zeros(0)], [np.zeros(0)]
    for entity in sharing.moving:
        carrier, local = entity.carrier
        pose, twist = poses[carrier], twists[carrier]
        arm = pose.axes @ np.atleast_1d(geometry.number(local, p))
        turned = numbers(sharing.space.turn(ca.SX(twist[d:]), ca.SX(arm))).ravel()
        q.append(pose.origin + arm if entity.kind == "point" else arm)
        v.append(twist[:d] + turned if entity.kind == "point" else turned)
    return np.concatenate(q), np.concatenate(v)


def own_point(geometry: Geometry, reference: str) -> OwnPoint:
    """A further point of a body, by its name."""
    known = [f"{name}.{point}" for name, body in geometry.bodies.items() for point in body.points]
    if reference not in known:
        raise RefusedError(f"natural coordinates: there is no point '{reference}'; {did_you_mean(reference, known)}")
    body, point = reference.split(".", 1)
    return OwnPoint(reference, body, geometry.bodies[body].points[point])
