"""Kinds of coordinates by body: a mechanism in which every body has a kind of its own.

A relative body is placed by its joint of the spanning tree from the body before it, whatever the kind of that is; natural
bodies share points and vectors with each other and with the ground, and have a point at every joint with other bodies; a
reference-point body has its own place. All joints that neither the tree nor sharing satisfies give their conditions between
frames. The inertia of natural and rigid reference-point bodies is that of these coordinates; relative bodies, and those that
are not rigid, have it from the Jacobian J = ∂u/∂v of their velocities u (ṙ_G, ω about body axes, ṡ) in all unknowns,

    M = Σ Jᵀ B J,   h = Σ Jᵀ (w − B J̇ v).

Source: García de Jalón and Bayo, problem 2/12.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.coordinates.base import (
    Array,
    ConstraintRow,
    CoordinateKind,
    Kinematics,
    Twist,
    joint_rows,
    orientation_rows,
    reframe_all,
)
from linkwork.coordinates.natural import Natural
from linkwork.coordinates.natural.basis import BodyBasis, choose_bases
from linkwork.coordinates.natural.inertia import mass_and_bias
from linkwork.coordinates.natural.kind import own_point, place_entities
from linkwork.coordinates.natural.rigidity import conditions
from linkwork.coordinates.natural.sharing import OwnPoint, Sharing, share
from linkwork.coordinates.reference_point import PlacedBody, ReferencePoint, place_body
from linkwork.coordinates.relative import Relative, TreeJoint, advance, carried, origin_twist, place_joint, tree_joint
from linkwork.elements.joints import FREE
from linkwork.errors import RefusedError, did_you_mean
from linkwork.position.geometry import GROUND, Geometry, Pose, inside
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
        layout = self._lay_out(geometry, tree)
        parts = [place_joint(geometry, joint, poses, twists, p) for joint in layout.joints]
        parts += [body.place(geometry, poses[body.name], twists[body.name], p) for body in layout.placed]
        parts.append(place_entities(layout.sharing, poses, twists, p))
        parts += [(poses[name].origin, poses[name].rates) for name in map(inside, layout.own)]
        q, v = (np.concatenate(halves) for halves in zip(*parts, strict=True))
        return q, v

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


@dataclass(frozen=True, eq=False)
class Layout:
    """The unknowns: of joints of the tree, of placed bodies, of points and vectors, and bodies' own, in this order."""

    geometry: Geometry
    joints: list[TreeJoint]
    placed: list[PlacedBody]
    sharing: Sharing
    bases: dict[str, BodyBasis]

    @cached_property
    def length(self) -> float:
        return self.geometry.length

    def kinematics(self) -> Kinematics:
        """The motion of all bodies, with the inertia of all."""
        bare = self._unknowns()
        frames, twists = self._motions()
        q, v, _ = self.sharing.unknowns()
        rows = [*conditions(self.sharing, self.bases, q, self.length), *self._joint_rows(frames)]
        moving = replace(bare, frames=frames, twists=twists, rows=tuple(rows))
        mass, bias = mass_and_bias(self.sharing.geometry, self.bases.values(), q, v)
        first, last = sum(len(joint.index) for joint in self.joints), sum(v.numel() for _, v in self.own.values())
        placed = [body.inertia(self.geometry.space, self.geometry.gravity) for body in self.placed]
        masses = [ca.SX(first, first), *(block for block, _ in placed), mass, ca.SX(last, last)]
        biases = [ca.SX(first, 1), *(load for _, load in placed), bias, ca.SX(last, 1)]
        further_mass, further_bias = self._further_inertia(moving)
        return replace(
            moving,
            mass=ca.diagcat(*masses) + further_mass,
            bias=ca.vertcat(*biases) + further_bias,
            of_points=frozenset(self.bases),
            spinless=frozenset(name for name, body in self.bases.items() if body.basis.slender),
        )

    def _unknowns(self) -> Kinematics:
        """q, v and q̇ with their names; nothing moves yet."""
        space, free = self.geometry.space, [(j.name, j.kind, j.q, j.v) for j in self.joints]
        free += [(b.name, b.kind, b.q, b.v) for b in self.placed]
        freedoms = [(name, f) for name, kind, _, _ in free for f in kind.freedoms(space)]
        v = ca.vertcat(ca.SX(0, 1), *[item[3] for item in free])
        spins = any(kind.spins(space) for _, kind, _, _ in free)
        retract = ca.vertcat(*[kind.retract(space, q, dq) for _, kind, q, dq in free]) if spins else None
        held = [joint for joint in self.joints if joint.kind.name != FREE.name]
        start = Kinematics(
            q=ca.vertcat(ca.SX(0, 1), *[item[2] for item in free]),
            v=v,
            q_names=tuple(f"{name}.{own}" for name, kind, _, _ in free for own in kind.position_names(space)),
            v_names=tuple(f"{name}.{f.rate}" for name, f in freedoms),
            rates=ca.vertcat(ca.SX(0, 1), *[kind.rates(space, q, dq) for _, kind, q, dq in free]),
            retract=retract,
            frames={},
            twists={},
            joint_values={joint.name: joint.q for joint in held},
            joint_rates={joint.name: joint.v for joint in self.joints},
            rows=(),
            mass=ca.SX(v.numel(), v.numel()),
            bias=ca.SX(v.numel(), 1),
            scale=np.array([self.length if f.kind == "length" else 1.0 for _, f in freedoms]),
            length=self.length,
            identities=tuple(
                row for name, kind, q, _ in free for row in orientation_rows(space, name, kind, q, self.length)
            ),
            reframe=reframe_all(space, [(kind, q) for _, kind, q, _ in free]) if free else None,
        )
        q, dq, names = self.sharing.unknowns()
        sizes = [self.length if e.kind == "point" else 1.0 for e in self.sharing.moving for _ in range(space.dimension)]
        return self._with_own(start.extended(q, dq, (names, [f"{name}'" for name in names]), sizes))

    @cached_property
    def own(self) -> dict[str, tuple[ca.SX, ca.SX]]:
        """Coordinates that bodies have for themselves, and their rates."""
        counts = {name: len(body.kind.unknowns) for name, body in self.geometry.bodies.items()}
        return {name: (ca.SX.sym(f"s_{name}", n), ca.SX.sym(f"ds_{name}", n)) for name, n in counts.items() if n}

    def _with_own(self, k: Kinematics) -> Kinematics:
        for name, (s, rates) in self.own.items():
            unknowns = self.geometry.bodies[name].kind.unknowns
            names = [f"{name}.{unknown.name}" for unknown in unknowns]
            sizes = [self.length if unknown.is_length else 1.0 for unknown in unknowns]
            k = k.extended(s, rates, (names, [f"{name}'" for name in names]), sizes)
        return replace(k, own=self.own)

    def _motions(self) -> tuple[dict[str, Frame], dict[str, Twist]]:
        """Frames and velocities of all bodies, the ground included."""
        geometry, space = self.geometry, self.geometry.space
        still = Twist(ca.SX(space.dimension, 1), ca.SX(space.rotations, 1))
        motions = {GROUND: (geometry.ground_frame, still)}
        motions |= {name: body.motion(space) for name, body in self.bases.items()}
        motions |= {body.name: body.motion(space) for body in self.placed}
        chain = {name: carried(space, *motion) for name, motion in motions.items()}
        for joint in self.joints:
            chain[joint.outboard] = advance(space, joint, chain[joint.inboard])
            motions[joint.outboard] = chain[joint.outboard].frame, origin_twist(space, chain[joint.outboard])
        order = (GROUND, *geometry.bodies)
        frames = {name: motions[name][0] for name in order}
        frames |= {name: geometry.bodies[name].kind.carried(frames[name], s) for name, (s, _) in self.own.items()}
        return frames, {name: motions[name][1] for name in order}

    def _joint_rows(self, frames: Mapping[str, Frame]) -> list[ConstraintRow]:
        """The conditions of the joints that neither the tree nor sharing satisfies."""
        done = {joint.name for joint in self.joints}.union(self.sharing.geometry.joints)
        return [
            row
            for name in self.geometry.joints
            if name not in done
            for row in joint_rows(self.geometry, name, frames, self.length)
        ]

    def _further_inertia(self, k: Kinematics) -> tuple[ca.SX, ca.SX]:
        """M and h of the bodies that joints of the tree carry, and of those that are not rigid."""
        geometry, space = self.geometry, self.geometry.space
        mass, bias = ca.SX(k.v.numel(), k.v.numel()), ca.SX(k.v.numel(), 1)
        carried = [joint.outboard for joint in self.joints if k.v.numel()]
        for name in (*carried, *(body.name for body in self.placed if not body.body.is_rigid)):
            own = geometry.bodies[name].kind.inertia(space, k.carrier(name), geometry.gravity, own_axes=True)
            transfer = ca.jacobian(own.velocities, k.v)
            mass += transfer.T @ own.block @ transfer
            bias += transfer.T @ (own.load - own.block @ ca.jtimes(own.velocities, k.q, k.rates))
        return mass, bias
