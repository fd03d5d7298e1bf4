"""The basis of every body in natural coordinates: r = r_o + X y, with y = X̄⁻¹ (r̄ − r̄_o).

Candidates are the segments between the points of a body and its unit vectors, and those of all bodies with the same
orientation. In the plane one of them is enough: its normal is the second. In space three of them are taken where they
are well spread; of two the third is the vector product, so that X is quadratic in q (García de Jalón and Bayo, eq. 4.72);
where there are fewer, unit vectors of the body's own are added. Where a constant mass matrix is wanted, there are always
three: two points and two unit vectors, as a rule (its eq. 4.61). A slender bar has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import frame_about, snap
from linkwork.algebra.space import Space, numbers
from linkwork.coordinates.base import Array, Twist
from linkwork.coordinates.natural.attitude import Attitude
from linkwork.coordinates.natural.sharing import Entity, Sharing
from linkwork.position.geometry import GROUND, BodyGeometry, Geometry

SPREAD = 0.2  # smallest singular value of a set of unit vectors that counts as well spread
GOOD = 0.5  # one that need not be better


@dataclass(frozen=True, eq=False)
class LinearVector:
    """A vector of a group that is linear in q: a segment between two points, or a unit vector."""

    key: tuple[str, ...]
    world: ca.SX
    rate: ca.SX
    local: ca.SX  # axes of the root
    constant: bool
    title: str
    ratio: ca.SX = field(default_factory=lambda: ca.SX(1))  # of its length to that of its segment, where it has one


@dataclass(frozen=True, eq=False)
class Basis:
    """The basis of a group: vectors that are linear in q, and the columns X that they give, with their rates.

    Of a slender bar only the first column moves mass; the others follow it without spin.
    """

    vectors: tuple[LinearVector, ...]
    columns: ca.SX  # X (d × d)
    rates: ca.SX
    inverse: ca.SX  # X̄⁻¹
    omega: ca.SX
    slender: bool = False


@dataclass(frozen=True, eq=False)
class BodyBasis:
    """A body by one of its points and the basis of its group."""

    geometry: Geometry
    body: BodyGeometry
    start: Entity
    attitude: Attitude
    basis: Basis

    def components(self, local: ca.SX) -> ca.SX:
        """y of vectors in body axes."""
        return self.geometry.product(self.basis.inverse, self.attitude.turn, local)

    def arm(self, local: ca.SX) -> ca.SX:
        """y of the way from the start to a point."""
        return self.components(local - self.start.places[self.body.name])

    def vectors(self, local: ca.SX) -> ca.SX:
        """Vectors in body axes (d × n), seen from the world."""
        return self.basis.columns @ self.components(local)

    def group_vector(self, local: ca.SX) -> ca.SX:
        """A vector in the axes of the root, seen from the world."""
        return self.basis.columns @ self.geometry.product(self.basis.inverse, local)

    def point(self, local: ca.SX) -> ca.SX:
        return self.start.position + self.basis.columns @ self.arm(local)

    def place(self, inner: Frame) -> Frame:
        """A frame of the body in the world, with as few products as the basis allows."""
        return Frame(self.point(inner.origin), self.vectors(inner.axes))

    def motion(self, space: Space) -> tuple[Frame, Twist]:
        """The body frame and its velocity."""
        zero = ca.SX(space.dimension, 1)
        frame = self.place(Frame(zero, ca.SX.eye(space.dimension)))
        velocity = self.start.rate + self.basis.rates @ self.arm(zero)
        return frame, Twist(velocity, self.basis.omega)


def choose_bases(sharing: Sharing, linear: bool = False) -> dict[str, BodyBasis]:
    """The basis of every body, with the points and vectors that bodies add for themselves.

    linear: no column is a vector product, so that the mass matrix is constant.
    """
    geometry = sharing.geometry
    starts = {name: _start_point(sharing, name) for name in geometry.bodies}
    found: dict[str, BodyBasis] = {}
    for root in dict.fromkeys(attitude.root for attitude in sharing.attitudes.values()):
        basis = _choose(sharing, root, starts, linear)
        for name in sharing.members(root):
            found[name] = BodyBasis(geometry, geometry.bodies[name], starts[name], sharing.attitudes[name], basis)
    return {name: found[name] for name in geometry.bodies}


def _start_point(sharing: Sharing, body: str) -> Entity:
    """The point from which the longest segment starts; a fixed one if there is one; the origin if there is none."""
    points = sharing.points_of(body)
    if not points:
        return sharing.add_point(body, "origin", ca.SX(sharing.space.dimension, 1))
    fixed = [point for point in points if point.constant]
    if fixed:
        return fixed[0]
    places = [np.atleast_1d(sharing.geometry.number(point.places[body])) for point in points]
    spread = [max(float(np.linalg.norm(one - other)) for other in places) for one in places]
    return points[int(np.argmax(np.array(spread)))]


def _choose(sharing: Sharing, root: str, starts: Mapping[str, Entity], linear: bool) -> Basis:
    """The basis of one group."""
    geometry, space = sharing.geometry, sharing.space
    if root == GROUND:
        return _basis(geometry, [LinearVector((), e, ca.SX(*e.shape), e, True, "") for e in _world(space)])
    candidates = _candidates(sharing, root, starts)
    if root in geometry.slender:
        return _slender_basis(geometry, root, candidates[0])
    chosen = _select(geometry, candidates)
    wanted = 1 if space.planar else 3 if linear else 2
    while len(chosen) < wanted:
        local = _missing_direction(sharing, root, [_unit(geometry, vector) for vector in chosen])
        chosen.append(_vector(root, sharing.add_vector(root, local)))
    return _basis(geometry, chosen)


def _world(space: Space) -> list[ca.SX]:
    return [ca.SX.eye(space.dimension)[:, i] for i in range(1 if space.planar else 3)]


def _candidates(sharing: Sharing, root: str, starts: Mapping[str, Entity]) -> list[LinearVector]:
    """Segments and vectors of a group: what the ground holds first, then the longest segments, then unit vectors."""
    geometry = sharing.geometry
    segments = [
        _segment(sharing.attitudes[name], name, starts[name], other)
        for name in sharing.members(root)
        for other in sharing.points_of(name)
        if other is not starts[name]
    ]
    segments.sort(key=lambda vector: -float(np.linalg.norm(geometry.number(vector.local))))
    found = [*segments, *(_vector(root, vector) for vector in sharing.vectors_of(root))]
    found.sort(key=lambda vector: not vector.constant)
    return list({vector.key: vector for vector in reversed(found)}.values())[::-1]


def segment_key(one: Entity, other: Entity) -> tuple[str, ...]:
    """What names a segment, whichever way it is walked."""
    return ("segment", *sorted((one.name, other.name)))


def vector_key(vector: Entity) -> tuple[str, ...]:
    """What names a vector; a multiple of a segment has the name of that."""
    return ("vector", vector.name) if vector.ends is None else segment_key(*vector.ends)


def _segment(attitude: Attitude, body: str, start: Entity, end: Entity) -> LinearVector:
    local = attitude.local(end.places[body] - start.places[body])
    return LinearVector(
        segment_key(start, end), end.position - start.position, end.rate - start.rate, local,
        start.constant and end.constant, f"distance {start.name} {end.name}",
    )  # fmt: skip


def _vector(root: str, vector: Entity) -> LinearVector:
    title, ratio = vector.name, ca.SX(1)
    moving = [end for end in vector.ends or () if not end.constant]
    if vector.ends is not None:
        title = f"distance {vector.ends[0].name} {vector.ends[1].name}"
        ratio = ca.fabs(ca.jacobian(vector.position, moving[0].position)[0, 0]) if moving else ratio
    local = vector.places[root]
    return LinearVector(vector_key(vector), vector.position, vector.rate, local, vector.constant, title, ratio)


def _unit(geometry: Geometry, vector: LinearVector) -> Array:
    local = np.atleast_1d(geometry.number(vector.local))
    return np.asarray(local / np.linalg.norm(local), dtype=np.float64)


def _select(geometry: Geometry, candidates: Sequence[LinearVector]) -> list[LinearVector]:
    """The well-spread ones that are taken: one in the plane; in space three, two or one, whatever there is."""
    if geometry.space.planar:
        return list(candidates[:1])
    held = [vector for vector in candidates if vector.constant]
    # what the ground holds needs no rows: two such directions are enough, one is taken if it can be
    attempts: list[tuple[Sequence[LinearVector], int, Sequence[LinearVector]]] = [(held, 2, [])]
    attempts += [(candidates, count, first) for count in (3, 2, 1) for first in (held[:1], [])]
    for among, count, first in attempts:
        found = _spread(geometry, among, count, first)
        if found:
            return found
    return []


def _spread(
    geometry: Geometry, candidates: Sequence[LinearVector], count: int, first: Sequence[LinearVector] = ()
) -> list[LinearVector]:
    """The *first* and further candidates, *count* in all: some that are spread well, else the best ones.

    None where all choices are nearly dependent.
    """
    best, size = [], SPREAD
    rest = [vector for vector in candidates if vector not in first]
    for others in combinations(rest, count - len(first)):
        subset = (*first, *others)
        smallest = _smallest([_unit(geometry, vector) for vector in subset])
        if smallest > size:
            best, size = list(subset), smallest
        if smallest > GOOD:
            break
    return best


def _smallest(units: Sequence[Array]) -> float:
    """The smallest singular value of unit vectors: 1 when they are orthogonal, 0 when they are dependent."""
    return float(np.linalg.svd(np.column_stack(units), compute_uv=False)[-1])


def _missing_direction(sharing: Sharing, root: str, units: list[Array]) -> Array:
    """A unit vector beside *units*: an axis that a joint compares, if it is spread well, else a normal one."""
    d = sharing.space.dimension
    for local in _compared_axes(sharing, root):
        if _smallest([*units, local]) > GOOD:
            return local
    rests = np.eye(d)
    for unit in np.linalg.qr(np.column_stack(units))[0].T if units else ():
        rests = rests - np.outer(rests @ unit, unit)
    sizes = np.linalg.norm(rests, axis=1)
    best = int(np.argmax(sizes > sizes.max() - 1e-9))
    return snap(rests[best] / sizes[best])


def _compared_axes(sharing: Sharing, root: str) -> Iterator[Array]:
    """Axes of a group that are not shared but compared with axes of other bodies (universal joints)."""
    for joint in sharing.geometry.joints.values():
        if joint.kind.compared_axes is None:
            continue
        for body, frame, i in zip(
            (joint.parent, joint.child), (joint.a, joint.b), joint.kind.compared_axes, strict=True
        ):
            attitude, axis = sharing.attitudes[body], frame.axis(i)
            if attitude.root == root and axis.is_constant() and attitude.turn.is_constant():
                yield snap(numbers(attitude.local(axis)).ravel())


def _basis(geometry: Geometry, chosen: Sequence[LinearVector]) -> Basis:
    """X and Ẋ of one vector in the plane, of three, or of two and their vector product in space."""
    space = geometry.space
    first = chosen[0]
    if space.planar:
        columns, rates, local = (_with_normal(e) for e in (first.world, first.rate, first.local))
        inverse = local.T / ca.dot(first.local, first.local)
        omega = space.moment(first.world, first.rate) / ca.dot(first.local, first.local)
        return Basis(tuple(chosen), columns, rates, _tidied(geometry, inverse), omega)
    world, rate, locals_ = ([getattr(v, part) for v in chosen] for part in ("world", "rate", "local"))
    if len(chosen) == 2:
        size = float(np.linalg.norm(geometry.number(first.local)))
        rate.append((ca.cross(rate[0], world[1]) + ca.cross(world[0], rate[1])) / size)
        world.append(ca.cross(world[0], world[1]) / size)
        locals_.append(ca.cross(locals_[0], locals_[1]) / size)
    inverse = _inverse(geometry, ca.horzcat(*locals_))
    # ω = ½ Σ eᵢ × ėᵢ over orthonormal axes = ½ Σ g_αβ x_α × ẋ_β with the reciprocal metric g = X̄⁻¹ X̄⁻ᵀ
    metric = geometry.product(inverse, inverse.T)
    omega = sum(
        (metric[i, j] * ca.cross(world[i], rate[j]) for i in range(3) for j in range(3) if not metric[i, j].is_zero()),
        ca.SX(3, 1),
    )
    return Basis(tuple(chosen), ca.horzcat(*world), ca.horzcat(*rate), inverse, omega / 2)


def _with_normal(e: ca.SX) -> ca.SX:
    return ca.horzcat(e, ca.vertcat(-e[1], e[0]))


def _tidied(geometry: Geometry, inverse: ca.SX) -> ca.SX:
    """X̄⁻¹ without rounding errors: its rows are of the sizes of 1 over the lengths of the basis."""
    if not inverse.is_constant():
        return inverse
    return geometry.tidy(inverse, np.linalg.norm(numbers(inverse), axis=1, keepdims=True))


def _inverse(geometry: Geometry, local: ca.SX) -> ca.SX:
    if local.is_constant():
        return _tidied(geometry, ca.SX(np.linalg.inv(numbers(local))))
    return ca.inv(local)


def _slender_basis(geometry: Geometry, name: str, segment: LinearVector) -> Basis:
    """The segment and two normals, which follow it by the smallest rotation from the sketch: no spin.

    The smallest rotation from e₀ to e turns n by n + w × n + w × (w × n) / (1 + c) with w = e₀ × e and c = e₀·e. Where e
    points backwards it starts from −e₀, so that nothing is divided by zero; nobody sees that the bar turns over there.
    """
    length2 = ca.dot(segment.local, segment.local)
    length = ca.sqrt(length2)
    aside = ca.SX(frame_about(_unit(geometry, segment))[:, 0])
    second = ca.cross(ca.cross(segment.local, aside), segment.local)
    second = geometry.tidy(second / ca.norm_2(second))
    third = geometry.tidy(ca.cross(segment.local, second) / length)
    drawn = geometry.bodies[name].drawn.axes
    e, e0, n0 = segment.world / length, drawn @ segment.local / length, drawn @ second
    sign = ca.if_else(ca.dot(e0, e) > -0.5, 1.0, -1.0)
    w, c = sign * ca.cross(e0, e), sign * ca.dot(e0, e)
    n = n0 + ca.cross(w, n0) + ca.cross(w, ca.cross(w, n0)) / (1 + c)
    m = ca.cross(e, n)
    omega = ca.cross(segment.world, segment.rate) / length2
    inverse = ca.vertcat(segment.local.T / length2, second.T, third.T)
    rates = ca.horzcat(segment.rate, ca.cross(omega, n), ca.cross(omega, m))
    return Basis((segment,), ca.horzcat(segment.world, n, m), rates, _tidied(geometry, inverse), omega, slender=True)
