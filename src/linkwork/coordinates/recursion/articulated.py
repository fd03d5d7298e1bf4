"""The accelerations of a tree by articulated bodies, and solutions of M x = r without M: both in operations linear in the
number of bodies.

What a body resists with all that moves beyond it, K = [A B; Bᵀ I] about the origin of its joint frame, and its load p, from
the tips inwards; S = [U; W] are the columns of its joint, c its acceleration where v̇ = 0:

    D = Sᵀ K S,   Y = K S D⁻¹,   u = τ − Sᵀ p,   K' = K − Y D Yᵀ,   p' = p + K' c + Y u,
    K₀ ← K₀ + Xᵀ K' X,   p₀ ← p₀ + Xᵀ p',

with X that gives the acceleration of the body from that of the inboard one; then outwards

    a' = X a₀ + c,   v̇ = D⁻¹ u − Yᵀ a',   a = a' + S v̇.

With τ = r, c = 0, p = 0 and a ground at rest the same gives x. Source: Featherstone, *Rigid Body Dynamics Algorithms*,
section 7.3; García de Jalón and Bayo, section 8.1.2, whose formulas have no τ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.linear import mirrored, solve_symmetric
from linkwork.algebra.space import Space
from linkwork.algebra.written import written_by_pattern
from linkwork.coordinates.recursion.outward import TreeBody, go_outwards, matter_of, sweep, upward
from linkwork.coordinates.tree import TreeJoint
from linkwork.elements.inertia import Distribution
from linkwork.position.geometry import GROUND, Geometry


@dataclass(frozen=True, eq=False)
class ArticulatedInertia:
    """A symmetric matrix [A B; Bᵀ I] on velocity (d) and angular velocity (k): the wrench that an acceleration takes."""

    a: ca.SX
    b: ca.SX
    i: ca.SX

    @classmethod
    def of(cls, space: Space, matter: Distribution) -> ArticulatedInertia:
        """A rigid body: f = m a + α × m r, n = m r × a + (I + m (r·r 1 − r rᵀ)) α."""
        return cls(*_rigid(matter.mass, matter.centre, matter.inertia, space=space))

    @property
    def parts(self) -> tuple[ca.SX, ca.SX, ca.SX]:
        return self.a, self.b, self.i

    @property
    def whole(self) -> ca.SX:
        return ca.vertcat(ca.horzcat(self.a, self.b), ca.horzcat(self.b.T, self.i))

    @classmethod
    def cut(cls, space: Space, whole: ca.SX) -> ArticulatedInertia:
        d = space.dimension
        return cls(whole[:d, :d], whole[:d, d:], whole[d:, d:])

    def with_carried(self, space: Space, other: ArticulatedInertia, body: TreeBody) -> ArticulatedInertia:
        """With what a body that is carried hands on to its inboard one."""
        return ArticulatedInertia(
            *_with_carried(*self.parts, *other.parts, body.back, body.step, body.arm, space=space)
        )

    def turned(self, space: Space, axes: ca.SX) -> ArticulatedInertia:
        """In the axes of which those of now are the columns of *axes*."""
        if space.planar:
            return ArticulatedInertia(_congruence(axes, self.a), axes @ self.b, self.i)
        return ArticulatedInertia(_congruence(axes, self.a), axes @ self.b @ axes.T, _congruence(axes, self.i))

    def moved(self, space: Space, arm: ca.SX) -> ArticulatedInertia:
        """About a point *arm* before the present one: B' = B − A d̃, I' = I + d̃ B' − Bᵀ d̃ with d̃ α = d × α."""
        if arm.nnz() == 0:
            return self
        across = -sweep(space, arm)
        b = self.b - self.a @ across
        # with d̃ᵀ: what a force at the present point is as a moment about the other
        return ArticulatedInertia(self.a, b, mirrored(self.i - across.T @ b - self.b.T @ across))


@written_by_pattern
def _rigid(mass: ca.SX, centre: ca.SX, inertia: ca.SX, *, space: Space) -> list[ca.SX]:
    m, first, about = Distribution(mass, centre, inertia).about(space)
    return [m * ca.SX.eye(space.dimension), sweep(space, first), ca.sparsify(about)]


@written_by_pattern
def _with_carried(*given: ca.SX, space: Space) -> list[ca.SX]:
    own, carried, (back, step, arm) = given[:3], ArticulatedInertia(*given[3:6]), given[6:]
    near = carried.turned(space, back.T).turned(space, step).moved(space, arm)
    return [one + other for one, other in zip(own, near.parts, strict=True)]


@dataclass(frozen=True, eq=False)
class Released:
    """A joint whose own motion has been taken out: S, D⁻¹ as its factor, Y = K S D⁻¹, and K'."""

    columns: ca.SX
    inverse: ca.SX
    gain: ca.SX
    left: ArticulatedInertia
    units: tuple[int, ...]  # places of the columns where each is one axis, else none
    pivots: tuple[ca.SX, ...]


class ArticulatedTree:
    """K of all bodies of a tree, and what they give; expressions of the q and v of its joints and of p."""

    def __init__(self, geometry: Geometry, joints: Sequence[TreeJoint]) -> None:
        self.geometry, self.joints, self.space = geometry, list(joints), geometry.space
        self.bodies: dict[str, TreeBody] = go_outwards(geometry, self.joints)
        self.distributions = {joint.outboard: matter_of(geometry, joint.outboard, self.bodies) for joint in self.joints}
        self.released = self._release()

    @property
    def pivots(self) -> list[ca.SX]:
        """Pivots of all D; each is positive as long as some inertia resists."""
        return [pivot for joint in self.joints for pivot in self.released[joint.outboard].pivots]

    def _release(self) -> dict[str, Released]:
        space, found = self.space, dict[str, Released]()
        felt = {name: ArticulatedInertia.of(space, matter) for name, matter in self.distributions.items()}
        for joint in reversed(self.joints):
            body = self.bodies[joint.outboard]
            found[joint.outboard] = released = _released(space, felt[joint.outboard], body)
            if joint.inboard in felt:
                felt[joint.inboard] = felt[joint.inboard].with_carried(space, released.left, body)
        return found

    def accelerations(self, efforts: ca.SX) -> ca.SX:
        """v̇ (n) under weights and *efforts* along the coordinates (n)."""
        space, none = self.space, (ca.SX(self.space.dimension, 1), ca.SX(self.space.rotations, 1))
        loads = {
            name: matter.wrench(space, *none, self.bodies[name].omega) for name, matter in self.distributions.items()
        }
        start = ca.vertcat(upward(self.geometry), none[1])
        return self._sweep(efforts, {name: ca.vertcat(*load) for name, load in loads.items()}, start, moving=True)

    def solve(self, right: ca.SX) -> ca.SX:
        """x (n × m) with M x = *right*."""
        none = ca.SX(self.space.freedoms, right.shape[1])
        return self._sweep(right, dict.fromkeys(self.distributions, none), none, moving=False)

    def _sweep(self, right: ca.SX, loads: dict[str, ca.SX], ground: ca.SX, moving: bool) -> ca.SX:
        """Inwards u and p, outwards the accelerations of bodies and rates; moving: with what velocities add."""
        own = self._go_inwards(right, loads, moving)
        moved, found = {GROUND: ground}, [ca.SX(0, right.shape[1])]
        for joint in self.joints:
            name, body, released = joint.outboard, self.bodies[joint.outboard], self.released[joint.outboard]
            given = moved[joint.inboard], own[name], released.inverse, released.gain, released.columns
            moved[name], rates = _outwards(*given, *_steps(body, moving), space=self.space, moving=moving)
            found.append(rates)
        return ca.vertcat(*found)

    def _go_inwards(self, right: ca.SX, loads: dict[str, ca.SX], moving: bool) -> dict[str, ca.SX]:
        """u of all joints."""
        felt, own = dict(loads), dict[str, ca.SX]()
        for joint in reversed(self.joints):
            name, body, released = joint.outboard, self.bodies[joint.outboard], self.released[joint.outboard]
            given = _rows(right, joint.index), felt[name], released.columns
            if joint.inboard not in felt:
                own[name] = given[0] - released.columns.T @ felt[name]
                continue
            carried = released.gain, *released.left.parts, felt[joint.inboard], *_steps(body, moving)
            own[name], felt[joint.inboard] = _inwards(
                *given, *carried, space=self.space, moving=moving, units=released.units
            )
        return own


def _steps(body: TreeBody, moving: bool) -> tuple[ca.SX, ...]:
    """What leads from a body to its inboard one, and what velocities add."""
    return (body.step, body.back, body.arm, *((body.swung, *body.swept) if moving else ()))


def _body(space: Space, step: ca.SX, back: ca.SX, arm: ca.SX, *added: ca.SX) -> TreeBody:
    """A body with these steps and nothing else."""
    none = ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)
    swung, *swept = added or (none[0], *none)
    return TreeBody(back, none[0], none[1], step, back, arm, none, swung, (swept[0], swept[1]))


@written_by_pattern
def _inwards(*given: ca.SX, space: Space, moving: bool, units: tuple[int, ...]) -> list[ca.SX]:
    """u of a joint, and p of its inboard body with what it hands on."""
    (efforts, load, columns, gain), left, felt, steps = given[:4], given[4:7], given[7], given[8:]
    body, d = _body(space, *steps), space.dimension
    own = efforts - columns.T @ load
    passed = load + gain @ own
    if moving:
        passed += ArticulatedInertia(*left).whole @ ca.vertcat(*body.drift)
    for k, place in enumerate(units):
        # what a joint lets go is what acts along it
        passed[place, :] = efforts[k, :]
    return [own, felt + ca.vertcat(*body.inwards(space, passed[:d, :], passed[d:, :]))]


@written_by_pattern
def _outwards(*given: ca.SX, space: Space, moving: bool) -> list[ca.SX]:
    """a of a body, and the rates of its joint."""
    (carrier, own, inverse, gain, columns), steps = given[:5], given[5:]
    body, d = _body(space, *steps), space.dimension
    hand_on = body.moving_outwards if moving else body.outwards
    carried = ca.vertcat(*hand_on(space, carrier[:d, :], carrier[d:, :]))
    rates = inverse @ own - gain.T @ carried
    return [carried + columns @ rates, rates]


def _released(space: Space, block: ArticulatedInertia, body: TreeBody) -> Released:
    columns = ca.vertcat(*body.columns)
    if not columns.shape[1]:
        return Released(columns, ca.SX(0, 0), ca.SX(space.freedoms, 0), block, (), ())
    units = _units(columns)
    inverse, gain, sizes, *left = _eliminated(*block.parts, columns, space=space, units=units)
    pivots = tuple(sizes[i] for i in range(sizes.numel()))
    return Released(columns, inverse, gain, ArticulatedInertia(*map(ca.sparsify, left)), units, pivots)


@written_by_pattern
def _eliminated(a: ca.SX, b: ca.SX, i: ca.SX, columns: ca.SX, *, space: Space, units: tuple[int, ...]) -> list[ca.SX]:
    """D⁻¹, Y, the pivots, and K'; *units*: the places of columns that are axes."""
    whole, n = ArticulatedInertia(a, b, i).whole, columns.shape[1]
    felt = whole @ columns
    inverse, pivots = solve_symmetric(columns.T @ felt, ca.SX.eye(n), [(k,) for k in range(n)])
    gain = felt @ inverse
    left = whole - _outer_product(gain, felt)
    for place in units:
        # what a joint lets go resists nothing
        left[place, :] = left[:, place] = 0
    return [inverse, gain, ca.vertcat(*pivots), *ArticulatedInertia.cut(space, ca.sparsify(left)).parts]


def _units(columns: ca.SX) -> tuple[int, ...]:
    """The places of the ones where every column is an axis; else none."""
    if not columns.is_constant():
        return ()
    values = np.array(ca.DM(columns))
    places = [np.flatnonzero(values[:, k]) for k in range(values.shape[1])]
    if any(len(place) != 1 or values[place[0], k] != 1.0 for k, place in enumerate(places)):
        return ()
    return tuple(int(place[0]) for place in places)


def _rows(matrix: ca.SX, rows: Sequence[int]) -> ca.SX:
    return matrix[list(rows), :] if len(rows) else ca.SX(0, matrix.shape[1])


def _congruence(axes: ca.SX, matrix: ca.SX) -> ca.SX:
    """R A Rᵀ of a symmetric A."""
    return _upper(axes @ matrix, axes)


def _outer_product(gain: ca.SX, felt: ca.SX) -> ca.SX:
    """Y Fᵀ where it is symmetric."""
    return _upper(gain, felt)


def _upper(left: ca.SX, right: ca.SX) -> ca.SX:
    """left rightᵀ, of which the upper half is computed and the other is the same."""
    n = left.shape[0]
    result = ca.SX(n, n)
    for i in range(n):
        for j in range(i, n):
            entry = left[i, :] @ right[j, :].T
            if not entry.is_zero():
                result[i, j] = result[j, i] = entry
    return result
