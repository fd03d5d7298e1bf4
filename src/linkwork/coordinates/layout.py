"""The unknowns of all bodies side by side, whatever places each of them, and the motion and the inertia of all.

Joints of the spanning tree carry bodies, others are placed by themselves or share points and vectors, in one mechanism. The
inertia of bodies of points and of rigid ones that are placed is that of their unknowns; carried bodies, and those that are
not rigid, have it from the Jacobian J = ∂u/∂v of their velocities u (ṙ_G, ω about body axes, ṡ) in all unknowns,

    M = Σ Jᵀ B J,   h = Σ Jᵀ (w − B J̇ v).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.coordinates.base import (
    Array,
    ConstraintRow,
    Kinematics,
    Later,
    Twist,
    joint_rows,
    orientation_rows,
    reframe_all,
)
from linkwork.coordinates.natural.basis import BodyBasis
from linkwork.coordinates.natural.inertia import mass_and_bias
from linkwork.coordinates.natural.kind import place_entities
from linkwork.coordinates.natural.rigidity import conditions
from linkwork.coordinates.natural.sharing import Sharing
from linkwork.coordinates.placed_body import PlacedBody
from linkwork.coordinates.relative import advance, carried, origin_twist
from linkwork.coordinates.tree import TreeJoint, place_joint
from linkwork.elements.joints import FREE
from linkwork.position.geometry import GROUND, Geometry, Pose, inside


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
            inertia=Later(lambda: ca.diagcat(*masses) + further_mass),
            weights=Later(lambda: ca.vertcat(*biases) + further_bias),
            of_points=frozenset(self.bases),
            spinless=frozenset(name for name, body in self.bases.items() if body.basis.slender),
        )

    def place(self, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array) -> tuple[Array, Array]:
        """q and v from the poses and velocities of the bodies."""
        parts = [place_joint(self.geometry, joint, poses, twists, p) for joint in self.joints]
        parts += [body.place(self.geometry, poses[body.name], twists[body.name], p) for body in self.placed]
        parts.append(place_entities(self.sharing, poses, twists, p))
        parts += [(poses[name].origin, poses[name].rates) for name in map(inside, self.own)]
        q, v = (np.concatenate(halves) for halves in zip(*parts, strict=True))
        return q, v

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
            inertia=Later(lambda: ca.SX(v.numel(), v.numel())),
            weights=Later(lambda: ca.SX(v.numel(), 1)),
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
