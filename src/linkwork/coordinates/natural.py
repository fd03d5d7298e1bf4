"""Natural coordinates: Cartesian coordinates of points and components of unit vectors, shared between bodies.

A joint that holds two points together costs nothing: both bodies use the same point. A joint with an axis in space lets
both bodies use the same unit vector. A body is described by one of its points and a *basis*: in the plane one direction
(a segment to a second point, or a unit vector of its own), in space three of them. Rigidity is that the products of the
basis stay what they are; every other point and vector of the body is a linear combination with constant coefficients.

Source: García de Jalón and Bayo, sections 2.1.3, 2.2.3 and 4.2 (numbers 26 to 42 and 81 to 89 of its capabilities).
The rotation matrix is linear in q, hence the mass matrix is constant and there are no quadratic velocity forces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import snap
from linkwork.algebra.space import Space
from linkwork.coordinates.base import (
    Array,
    ConstraintRow,
    CoordinateKind,
    Kinematics,
    RowLabel,
    Twist,
    characteristic_length,
    joint_rows,
)
from linkwork.coordinates.sharing import Entity, Sharing, share
from linkwork.topology.geometry import GROUND, BodyGeometry, Geometry, Pose
from linkwork.topology.graph import SpanningTree

INDEPENDENT = 0.3  # smallest sine of the angle between a new basis vector and the span of those before it


@dataclass(frozen=True, eq=False)
class BasisVector:
    """A vector of a body that is linear in q: a segment between two points, or a unit vector."""

    key: tuple[str, ...]
    world: ca.SX
    local: ca.SX
    rate: ca.SX
    constant: bool
    title: str


@dataclass(frozen=True, eq=False)
class BodyBasis:
    """A point and a basis of one body: r = r_o + X y, with y = X̄⁻¹ (r̄ − r̄_o)."""

    body: BodyGeometry
    point: Entity
    vectors: tuple[BasisVector, ...]
    inverse: ca.SX  # X̄⁻¹ (space), or Ēᵀ (plane)

    def components(self, local: ca.SX) -> ca.SX:
        """y of a local vector."""
        return self.inverse @ local

    def columns(self, world: bool = True) -> ca.SX:
        """X, or its rate."""
        columns = [vector.world if world else vector.rate for vector in self.vectors]
        if len(columns) == 1:  # the plane: e and its normal
            e = columns[0]
            return ca.horzcat(e, ca.vertcat(-e[1], e[0]))
        return ca.horzcat(*columns)


class Natural(CoordinateKind):
    name = "natural"
    summary = "points and unit vectors, shared at the joints"

    def describe(self, geometry: Geometry, tree: SpanningTree) -> Kinematics:
        space = geometry.space
        sharing = share(geometry)
        bases = {body.name: _choose_basis(geometry, sharing, body) for body in geometry.bodies.values()}
        frames = {GROUND: geometry.ground_frame}
        still = Twist(ca.SX(space.dimension, 1), ca.SX(space.rotations, 1))
        twists = {GROUND: still}
        for name, basis in bases.items():
            frames[name], twists[name] = _motion(space, basis)
        q, v, names = sharing.unknowns()
        energy = sum((_kinetic_energy(space, basis) for basis in bases.values()), ca.SX(1, 1))
        mass = ca.hessian(energy, v)[0] if v.numel() else ca.SX(0, 0)
        weight = sum((_weight_power(geometry, basis) for basis in bases.values()), ca.SX(1, 1))
        length = characteristic_length(geometry)
        return Kinematics(
            q=q,
            v=v,
            q_names=names,
            v_names=tuple(f"{name}'" for name in names),
            rates=v,
            retract=None,
            frames=frames,
            twists=twists,
            joint_values={},
            joint_rates={},
            rows=tuple(_rows(geometry, sharing, bases, frames, q, length)),
            mass=mass,
            bias=ca.gradient(weight, v) if v.numel() else ca.SX(0, 1),
            scale=np.repeat([length if entity.kind == "point" else 1.0 for entity in sharing.moving], space.dimension),
            length=length,
        )

    def place(
        self, geometry: Geometry, tree: SpanningTree, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array
    ) -> tuple[Array, Array]:
        space, d = geometry.space, geometry.space.dimension
        sharing = share(geometry)
        for body in geometry.bodies.values():
            _choose_basis(geometry, sharing, body)
        q: list[Array] = []
        v: list[Array] = []
        for entity in sharing.moving:
            carrier, local = entity.carrier
            pose, twist = poses[carrier], twists[carrier]
            arm = pose.axes @ np.atleast_1d(geometry.number(local, p))
            turned = np.array(ca.DM(space.turn(ca.SX(ca.DM(twist[d:])), ca.SX(ca.DM(arm))))).ravel()
            q.append(pose.origin + arm if entity.kind == "point" else arm)
            v.append(twist[:d] + turned if entity.kind == "point" else turned)
        return (np.concatenate(q) if q else np.zeros(0)), (np.concatenate(v) if v else np.zeros(0))


def _choose_basis(geometry: Geometry, sharing: Sharing, body: BodyGeometry) -> BodyBasis:
    """Take shared points and vectors that are well spread; add points and unit vectors of the body's own if needed."""
    space = geometry.space
    points = sharing.points_of(body.name)
    if not points:
        points = [sharing.add_point(body.name, "origin", ca.SX(space.dimension, 1))]
    start = _start_point(geometry, body.name, points)
    candidates = [_segment(body.name, start, other) for other in points if other is not start]
    candidates.sort(key=lambda vector: -float(np.linalg.norm(geometry.number(vector.local))))
    candidates += [_unit(body.name, vector) for vector in sharing.vectors_of(body.name)]
    wanted = 1 if space.planar else 3
    chosen: list[BasisVector] = []
    directions: list[Array] = []
    for candidate in candidates:
        direction = _new_direction(geometry.number(candidate.local), directions)
        if len(chosen) < wanted and direction is not None:
            chosen.append(candidate)
            directions.append(direction)
    while len(chosen) < wanted:
        local = _missing_direction(space, directions)
        directions.append(local)
        chosen.append(_unit(body.name, sharing.add_vector(body.name, local)))
    return BodyBasis(body, start, tuple(chosen), _inverse(space, chosen))


def _start_point(geometry: Geometry, body: str, points: list[Entity]) -> Entity:
    """The point from which the longest segment starts; a fixed one if there is one."""
    fixed = [point for point in points if point.constant]
    if fixed:
        return fixed[0]
    places = [np.atleast_1d(geometry.number(point.local_of(body))) for point in points]
    spread = [max(float(np.linalg.norm(one - other)) for other in places) for one in places]
    return points[int(np.argmax(np.array(spread)))]


def _new_direction(local: Array, directions: list[Array]) -> Array | None:
    """The unit part of *local* normal to *directions*, or None when there is too little of it."""
    length = float(np.linalg.norm(local))
    if length < 1e-12:
        return None
    rest = local / length
    for direction in directions:
        rest = rest - np.dot(rest, direction) * direction
    size = float(np.linalg.norm(rest))
    return rest / size if size > INDEPENDENT else None


def _missing_direction(space: Space, directions: list[Array]) -> Array:
    """A unit vector normal to *directions*, along a local axis where that is possible."""
    rests = np.eye(space.dimension)
    for direction in directions:
        rests = rests - np.outer(rests @ direction, direction)
    sizes = np.linalg.norm(rests, axis=1)
    best = int(np.argmax(sizes > sizes.max() - 1e-9))
    return snap(rests[best] / sizes[best])


def _segment(body: str, start: Entity, end: Entity) -> BasisVector:
    local = end.local_of(body) - start.local_of(body)
    constant = start.constant and end.constant
    names = (start.name, end.name)
    return BasisVector(
        ("segment", *sorted(names)), end.position - start.position, local, end.rate - start.rate, constant,
        f"distance {names[0]} {names[1]}",
    )  # fmt: skip


def _unit(body: str, vector: Entity) -> BasisVector:
    local = vector.local_of(body)
    return BasisVector(("vector", vector.name), vector.position, local, vector.rate, vector.constant, vector.name)


def _inverse(space: Space, chosen: list[BasisVector]) -> ca.SX:
    """X̄⁻¹; in the plane the columns are ē and its normal, so that the inverse is the transpose over the length²."""
    if space.planar:
        e = chosen[0].local
        return ca.vertcat(e.T, ca.horzcat(-e[1], e[0])) / ca.dot(e, e)
    local = ca.horzcat(*[vector.local for vector in chosen])
    if local.is_constant():
        return ca.sparsify(ca.SX(ca.DM(snap(np.linalg.inv(np.array(ca.DM(local)))))))
    return ca.inv(local)


def _motion(space: Space, basis: BodyBasis) -> tuple[Frame, Twist]:
    axes = basis.columns() @ basis.inverse
    axes_rate = basis.columns(world=False) @ basis.inverse
    start = basis.point.local_of(basis.body.name)
    frame = Frame(basis.point.position - axes @ start, axes)
    velocity = basis.point.rate - axes_rate @ start
    return frame, Twist(velocity, space.angular_velocity(axes, axes_rate))


def _kinetic_energy(space: Space, basis: BodyBasis) -> ca.SX:
    """T = ½ m ṙ_o² + m ṙ_o·Ẋ y_G + ½ Σ Z_αβ Ẋ_α·Ẋ_β with Z = X̄⁻¹ J_o X̄⁻ᵀ (eq. 4.61), J_o = ∫ρ (r̄−r̄_o)(r̄−r̄_o)ᵀ.

    In the plane Ẋ_α·Ẋ_β = δ_αβ ė², so that only the polar moment of inertia enters (eq. 4.48).
    """
    body = basis.body
    arm = body.com - basis.point.local_of(body.name)
    point, columns = basis.point.rate, basis.columns(world=False)
    energy = body.mass * (ca.dot(point, point) / 2 + ca.dot(point, columns @ basis.components(arm)))
    if space.planar:
        e = columns[:, 0]
        length2 = ca.dot(basis.vectors[0].local, basis.vectors[0].local)
        return energy + (body.inertia + body.mass * ca.dot(arm, arm)) / length2 * ca.dot(e, e) / 2
    # ∫ρ r rᵀ = ½ tr(I) 1 − I about the centre of mass
    second = ca.trace(body.inertia) / 2 * ca.SX.eye(3) - body.inertia + body.mass * arm @ arm.T
    z = basis.inverse @ second @ basis.inverse.T
    return energy + sum(
        (z[i, j] * ca.dot(columns[:, i], columns[:, j]) / 2 for i in range(3) for j in range(3)), ca.SX(1, 1)
    )


def _weight_power(geometry: Geometry, basis: BodyBasis) -> ca.SX:
    """m g·ṙ_G: its gradient with respect to v is the generalised weight (eq. 4.128, with the right sign)."""
    arm = basis.components(basis.body.com - basis.point.local_of(basis.body.name))
    velocity = basis.point.rate + basis.columns(world=False) @ arm
    return basis.body.mass * ca.dot(geometry.gravity, velocity)


def _rows(
    geometry: Geometry,
    sharing: Sharing,
    bases: Mapping[str, BodyBasis],
    frames: Mapping[str, Frame],
    q: ca.SX,
    length: float,
) -> list[ConstraintRow]:
    """Rigidity of every body, its further points and vectors, and what the joints do not share."""
    rows: list[ConstraintRow] = []
    seen: set[frozenset[tuple[str, ...]]] = set()
    for basis in bases.values():
        rows += _rigidity(geometry, basis, seen, length)
        rows += _combinations(geometry.space, sharing, basis, frames[basis.body.name], length)
    for joint in geometry.joints.values():
        rows += joint_rows(geometry, joint.name, frames, length, sharing.shared_parts(joint))
    # rows between fixed things only hold by themselves
    return [row for row in rows if q.numel() and ca.depends_on(row.residual, q)]


def _rigidity(
    geometry: Geometry, basis: BodyBasis, seen: set[frozenset[tuple[str, ...]]], length: float
) -> list[ConstraintRow]:
    """The products of the basis vectors stay what they are (numbers 26, 27, 38 to 42)."""
    rows = []
    for i, first in enumerate(basis.vectors):
        for second in basis.vectors[i:]:
            key = frozenset((first.key, second.key))
            if key in seen or (first.constant and second.constant):
                continue
            seen.add(key)
            same = first is second
            kind = "normalisation" if same and first.key[0] == "vector" else "body"
            title = first.title if same else f"angle of {first.title} and {second.title}"
            residual = ca.dot(first.world, second.world) - ca.dot(first.local, second.local)
            sizes = [float(np.linalg.norm(geometry.number(vector.local))) for vector in (first, second)]
            reach = length if first.key[0] == second.key[0] == "vector" else max(sizes)
            weight = reach / (sizes[0] * sizes[1] * (2 if same else 1))
            rows.append(ConstraintRow(RowLabel(basis.body.name, title, kind), residual, weight))
    return rows


def _combinations(space: Space, sharing: Sharing, basis: BodyBasis, frame: Frame, length: float) -> list[ConstraintRow]:
    """Further shared points and vectors of the body are linear combinations of its basis (numbers 30 and 42)."""
    name = basis.body.name
    used = {basis.point.name}.union(*(vector.key[1:] for vector in basis.vectors))
    rows = []
    for entity in [*sharing.points_of(name), *sharing.vectors_of(name)]:
        if entity.name in used:
            continue
        local = entity.local_of(name)
        here = frame.point(local) if entity.kind == "point" else frame.vector(local)
        gap = entity.position - here
        weight = 1.0 if entity.kind == "point" else length
        rows += [
            ConstraintRow(RowLabel(name, f"{entity.kind} {entity.name} {axis}", "body"), gap[i], weight)
            for i, axis in enumerate(space.axis_names)
        ]
    return rows
