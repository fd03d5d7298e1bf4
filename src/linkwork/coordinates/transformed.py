"""Velocity transformations of an open chain: dependent velocities of all bodies from the velocities ż of its joints,

    q̇ = R ż,   q̈ = R z̈ + Sc,   RᵀM R z̈ = Rᵀ(Q − C − M Sc) + applied forces.

Column i of R is the motion that ż_i = 1 alone gives. It is written down from the geometry, joint by joint along the way from
a body to the base: t + r × (P − o) for a point P and r × u for a unit vector u, with the velocity t of the joint's
origin o and the angular velocity r per unit of ż_i. No constraint is formed, and nothing is factored; C R = 0 all the
same. Sc are the accelerations with z̈ = 0, by recursion from the base outwards.

Two sets of dependent velocities (formulations A and B of the source):

- points: points and unit vectors, shared between neighbours; M is constant, and there are no centrifugal forces C;
- bodies: velocity of the centre of mass and angular velocity of every body; M has one block for each body.

Source: García de Jalón and Bayo, sections 5.3.1, 8.2.2 and 8.2.5 to 8.2.10. Balls and a
floating base turn by angular velocities, as in eq. 8.103 but about axes of the body, so that no parameters of an orientation
occur in R.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.coordinates.base import Kinematics
from linkwork.coordinates.natural import Natural
from linkwork.coordinates.natural.inertia import mass_and_bias
from linkwork.coordinates.natural.sharing import Entity
from linkwork.coordinates.relative import BodyMotion, Relative, propagate
from linkwork.coordinates.tree import TreeJoint, tree_joints
from linkwork.position.geometry import GROUND, Geometry
from linkwork.topology.graph.graph import SpanningTree


@dataclass(frozen=True, eq=False)
class DependentVelocities:
    """Dependent velocities q̇ (n) of an open chain with nv velocities ż, all in world axes.

    transfer: R (n × nv), sparse; carried: Sc (n); mass: M (n × n); loads: Q − C (n), the weights less the centrifugal forces
    """

    names: tuple[str, ...]
    transfer: ca.SX
    carried: ca.SX
    mass: ca.SX
    loads: ca.SX

    @cached_property
    def reduced(self) -> tuple[ca.SX, ca.SX]:
        """RᵀM R (nv × nv) and Rᵀ(Q − C − M Sc) (nv); products with zeros are left out, and the half below the diagonal."""
        product = self.mass @ self.transfer
        nv = self.transfer.shape[1]
        reduced = ca.SX(nv, nv)
        for i in range(nv):
            upper = ca.sparsify(self.transfer[:, i].T @ product[:, i:])
            reduced[i, i:] = upper
            reduced[i:, i] = upper.T
        return reduced, self.transfer.T @ (self.loads - self.mass @ self.carried)


@dataclass(frozen=True, eq=False)
class ChainMotion(BodyMotion):
    """The same with what a joint adds (world axes): accelerations where v̇ = 0, the way from joint to joint, its columns."""

    acceleration: ca.SX  # of o
    alpha: ca.SX
    arm: ca.SX
    translation: ca.SX
    rotation: ca.SX


class OpenChain:
    """The tree of relative coordinates, with the motion of every body and the way from it to the base."""

    def __init__(self, geometry: Geometry, tree: SpanningTree, kind: Relative, k: Kinematics) -> None:
        joints = _own_symbols(tree_joints(geometry, tree, kind.parametrisation), k)
        self.geometry, self.joints, self.size = geometry, joints, k.v.numel()
        self.motions = _accelerated(geometry, joints)
        self._held = {step.link.name for step in tree.steps if step.link is not None}
        self._inward = {joint.outboard: joint for joint in joints}

    @property
    def space(self) -> Space:
        return self.geometry.space

    def bodies(self) -> DependentVelocities:
        """ġ and ω of every body."""
        geometry, space = self.geometry, self.space
        names, rows, carried, masses, loads = [], [], [], [], []
        for name in (joint.outboard for joint in self.joints):
            motion = self.motions[name]
            matter = geometry.rigid(name, "relative coordinates").seen(space, motion.frame.axes, motion.reference)
            arm = matter.centre
            names += [f"{name}.com.v{axis}" for axis in space.axis_names]
            names += [f"{name}.omega_{axis}" for axis in space.turn_names]
            rows.append(self._rows({i: ca.vertcat(t, r) for i, t, r in self._columns(name, arm)}, space.freedoms))
            carried.append(ca.vertcat(motion.acceleration + _swept(space, motion, arm), motion.alpha))
            masses.append(matter.block(space))
            loads.append(matter.load(space, geometry.gravity, motion.omega))
        return DependentVelocities(
            tuple(names), ca.vertcat(*rows), ca.vertcat(*carried), ca.diagcat(*masses), ca.vertcat(*loads)
        )

    def points(self, wanted: tuple[str, ...] = ()) -> DependentVelocities:
        """Velocities of the points and unit vectors that describe all bodies by a constant M; *wanted*: further points."""
        joints = {name: joint for name, joint in self.geometry.joints.items() if name in self._held}
        # a bar that is slender between two balls has only one of them in the open chain
        part = replace(self.geometry, joints=joints, slender=frozenset())
        sharing, bases = Natural(wanted, constant_mass=True).lay_out(part)
        q, v, names = sharing.unknowns()
        mass, weights = mass_and_bias(part, bases.values(), q, v)
        moving = [self._entity(entity) for entity in sharing.moving]
        return DependentVelocities(
            tuple(f"{name}'" for name in names),
            ca.vertcat(ca.SX(0, self.size), *[rows for rows, _ in moving]),
            ca.vertcat(ca.SX(0, 1), *[carried for _, carried in moving]),
            mass,
            weights,
        )

    def _entity(self, entity: Entity) -> tuple[ca.SX, ca.SX]:
        """The rows of R and of Sc (d) of a point or vector, as part of the body that is nearest to the base."""
        name = min(entity.places, key=lambda body: len(self._way(body)))
        motion, local, space = self.motions[name], entity.places[name], self.space
        if entity.kind == "point":
            arm = motion.frame.axes @ (local - motion.reference)
            found = {i: t for i, t, _ in self._columns(name, arm)}
            return self._rows(found, space.dimension), motion.acceleration + _swept(space, motion, arm)
        u = motion.frame.axes @ local
        found = {i: space.turn(r, u) for joint in self._way(name) for i, _, r in _joint_columns(joint, self.motions)}
        return self._rows(found, space.dimension), _swept(space, motion, u)

    def _way(self, body: str) -> list[TreeJoint]:
        """The joints from a body to the base."""
        found: list[TreeJoint] = []
        while body in self._inward:
            found.append(self._inward[body])
            body = found[-1].inboard
        return found

    def _columns(self, body: str, arm: ca.SX) -> Iterator[tuple[int, ca.SX, ca.SX]]:
        """Velocity of a point and angular velocity of its body per unit of each ż_i on the way to the base.

        arm: from the origin of the body's joint to the point, world axes
        """
        for joint in self._way(body):
            for i, t, r in _joint_columns(joint, self.motions):
                yield i, t + self.space.turn(r, arm), r
            arm = arm + self.motions[joint.outboard].arm

    def _rows(self, columns: Mapping[int, ca.SX], count: int) -> ca.SX:
        """Rows of R (count × nv) from the columns that are not zero."""
        found = ca.SX(count, self.size)
        for i, column in columns.items():
            found[:, i] = ca.sparsify(column)
        return found


def _accelerated(geometry: Geometry, joints: list[TreeJoint]) -> dict[str, ChainMotion]:
    """The motions of all bodies with their accelerations; gravity is a load here, and the ground does not accelerate."""
    space, motions = geometry.space, propagate(geometry, joints)
    zero, still = ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)
    columns = ca.SX(space.dimension, 0), ca.SX(space.rotations, 0)
    ground = vars(motions[GROUND])
    found = {
        GROUND: ChainMotion(
            **ground, acceleration=zero, alpha=still, arm=zero, translation=columns[0], rotation=columns[1]
        )
    }
    for joint in joints:
        found[joint.outboard] = _accelerate(space, joint, found[joint.inboard], motions[joint.outboard])
    return found


def _accelerate(space: Space, joint: TreeJoint, inner: ChainMotion, motion: BodyMotion) -> ChainMotion:
    near, own = (inner.frame @ joint.near).axes, joint.passage(space)
    turn = ca.SX.eye(1) if space.planar else near
    u, w = near @ (own.translation @ joint.v), turn @ (own.rotation @ joint.v)
    arm = inner.frame.axes @ (joint.near.origin - inner.reference) + near @ own.origin
    # α = α₀ + ω₀ × w + ẇ, with ω₀ of the inboard body
    carried = ca.SX(1, 1) if space.planar else ca.cross(inner.omega, w)
    return ChainMotion(
        **vars(motion),
        acceleration=inner.acceleration + _swept(space, inner, arm) + 2 * space.turn(inner.omega, u) + near @ own.slide,
        alpha=inner.alpha + carried + turn @ own.spin,
        arm=arm,
        translation=near @ own.translation,
        rotation=turn @ own.rotation,
    )


def _own_symbols(joints: list[TreeJoint], k: Kinematics) -> list[TreeJoint]:
    """The joints with the unknowns that the coordinates have for them."""
    found, first = [], 0
    for joint in joints:
        last = first + joint.q.numel()
        found.append(replace(joint, q=_some(k.q, range(first, last)), v=_some(k.v, joint.index)))
        first = last
    return found


def _some(symbols: ca.SX, places: Iterable[int]) -> ca.SX:
    """Some of the symbols as a column, perhaps an empty one."""
    return ca.vertcat(ca.SX(0, 1), *[symbols[i] for i in places])


def _joint_columns(joint: TreeJoint, motions: Mapping[str, ChainMotion]) -> Iterator[tuple[int, ca.SX, ca.SX]]:
    """Velocity of the joint's origin and angular velocity beyond the joint, per unit of each of its velocities."""
    motion = motions[joint.outboard]
    for k, i in enumerate(joint.index):
        yield i, motion.translation[:, k], motion.rotation[:, k]


def _swept(space: Space, motion: ChainMotion, arm: ca.SX) -> ca.SX:
    """α × r + ω × (ω × r)."""
    return space.turn(motion.alpha, arm) + space.turn(motion.omega, space.turn(motion.omega, arm))
