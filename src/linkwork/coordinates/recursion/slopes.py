"""Derivatives of the forces of a tree of rigid bodies, e = M v̇ − h without what acts on it, by positions, speeds and
accelerations.

A small motion of a joint along one of its velocities changes what all bodies beyond it see, in their own axes: the angular
velocity by δω, the acceleration of the place x of a body by

    δa + α × x + 2 δω × ẋ,   α = δα + ω × δω,

with δω, α and δa the same for all of them. So what a joint and all that it carries feel changes by

    δf = m δa + α × c + 2 δω × P,   δn = J α + c × δa + J̇ δω − H × δω,

with the mass m, the first moment c = Σ m x and its rate P, the inertia J and its rate, and the angular momentum
H = Σ m x × ẋ of all that moves with the joint. Towards the ground that is felt together with what the motion itself turns
and shifts, f turned by θ and moved by d. An entry between two joints is a product of a few vectors of each, and there is
none where neither carries the other: operations go with the number of such pairs. All vectors stand in the axes of the
first body of their tree, about its origin. Sources: Carpentier and Mansard, Robotics: Science and Systems, 2018; Singh,
Russell and Wensing, IEEE Robotics and Automation Letters 7, 2022, pp. 1776-1783, whose twists are written here with
accelerations of points, so that nothing depends on the velocity of the tree as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import casadi as ca

from linkwork.algebra.linear import mirrored, solve_linear
from linkwork.algebra.space import Space
from linkwork.coordinates.recursion.newton_euler import SpatialPair, efforts_in, motions_and_loads
from linkwork.coordinates.recursion.outward import TreeBody, advance, go_outwards, matter_of, sweep, turned
from linkwork.coordinates.tree import TreeJoint
from linkwork.elements.inertia import Distribution
from linkwork.position.geometry import Geometry


@dataclass(frozen=True, eq=False)
class ForceSlopes:
    """e (n) of a tree and its derivatives (n × n): by displacements along the velocities, by these, and by accelerations.

    A displacement along v is that which q̇ = T v makes of it; ``by_positions`` has them by q.
    """

    forces: ca.SX
    by_displacements: ca.SX
    by_velocities: ca.SX
    mass: ca.SX
    tangents: ca.SX  # N (n × nq) with N T = 1

    @property
    def by_positions(self) -> ca.SX:
        """∂e/∂q (n × nq), along the conditions that q satisfies by itself."""
        return self.by_displacements @ self.tangents


@dataclass(frozen=True, eq=False)
class _Frame:
    """Axes and origin of a joint frame seen from the first body of its tree, and the rate of the latter but for turning."""

    axes: ca.SX
    origin: ca.SX
    rate: ca.SX


@dataclass(frozen=True, eq=False)
class _Moments:
    """m, c, J and P, J̇, H of bodies about the origin of the first one; H̃ stands for H (none in the plane)."""

    mass: ca.SX
    first: ca.SX
    inertia: ca.SX
    first_rate: ca.SX
    inertia_rate: ca.SX
    momentum: ca.SX

    def __add__(self, other: _Moments) -> _Moments:
        mine, others = (tuple(vars(item).values()) for item in (self, other))
        return _Moments(*(a + b for a, b in zip(mine, others, strict=True)))

    def rows(self, space: Space, columns: SpatialPair) -> tuple[ca.SX, ca.SX, ca.SX]:
        """f, n and b of columns t, r: f δa + n α + b δω along them; f and n are what accelerations take."""
        (t, r), across, turned_by = columns, sweep(space, self.first), self.inertia_rate + self.momentum
        swept = 2 * (sweep(space, self.first_rate).T @ t)
        return self.mass * t + across @ r, self.inertia @ r + across.T @ t, swept + turned_by @ r

    def felt(self, space: Space, change: _Change) -> ca.SX:
        """δf and δn."""
        across, swept = sweep(space, self.first), 2 * sweep(space, self.first_rate)
        f = self.mass * change.acceleration + across @ change.alpha + swept @ change.omega
        n = self.inertia @ change.alpha + across.T @ change.acceleration
        return ca.vertcat(f, n + (self.inertia_rate - self.momentum) @ change.omega)


@dataclass(frozen=True, eq=False)
class _Change:
    """What displacements or velocities of one joint do: δω, α (k × n) and δa (d × n) of all that it carries."""

    omega: ca.SX
    alpha: ca.SX
    acceleration: ca.SX

    @property
    def whole(self) -> ca.SX:
        return ca.vertcat(self.acceleration, self.alpha, self.omega)


@dataclass(frozen=True, eq=False)
class _Path:
    """All joints from the ground to a body.

    columns (f × n); displaced, moved: what displacements and velocities of them change; index: their places in v
    """

    columns: ca.SX
    displaced: ca.SX
    moved: ca.SX
    index: tuple[int, ...]

    @classmethod
    def ground(cls, space: Space) -> _Path:
        changes = ca.SX(space.freedoms + space.rotations, 0)
        return cls(ca.SX(space.freedoms, 0), changes, changes, ())

    def onwards(self, own: _Path) -> _Path:
        return _Path(
            ca.horzcat(self.columns, own.columns),
            ca.horzcat(self.displaced, own.displaced),
            ca.horzcat(self.moved, own.moved),
            (*self.index, *own.index),
        )


def force_slopes(geometry: Geometry, joints: Sequence[TreeJoint], a: ca.SX) -> ForceSlopes:
    """The derivatives of what v̇ = a (n) takes; expressions of the q and v of the joints, of a and of p."""
    space, bodies = geometry.space, go_outwards(geometry, joints)
    accelerations, loads = motions_and_loads(geometry, joints, bodies, a)
    frames = _frames(space, joints, bodies)
    carried = _carried(geometry, joints, bodies, frames)
    paths: dict[str, _Path] = {}
    found = _Found()
    for joint in joints:
        name, frame = joint.outboard, frames[joint.outboard]
        own = a[list(joint.index)] if joint.index else ca.SX(0, 1)
        moving = bodies[joint.inboard].omega, *reversed(accelerations[joint.inboard]), own
        (displaced, moved), turning = _changes(space, joint, bodies, moving, loads[name])
        displaced, moved = (_seen(space, frame, change, bodies[name].omega) for change in (displaced, moved))
        columns = _columns(space, bodies[name], frame)
        before = paths.get(joint.inboard, _Path.ground(space))
        path = before.onwards(_Path(ca.vertcat(*columns), displaced.whole, moved.whole, joint.index))
        along = _carried_along(space, frame, loads[name], columns)
        found.before(before, joint, [carried[name].felt(space, item) for item in (displaced, moved)], along)
        found.beyond(path, joint, ca.vertcat(*carried[name].rows(space, columns)).T, turning)
        paths[name] = path
    by_displacements, by_velocities, mass = (part.matrix(int(a.numel())) for part in found.parts)
    efforts = ca.vertcat(ca.SX(0, 1), *(efforts_in(bodies[joint.outboard], loads[joint.outboard]) for joint in joints))
    tangents = ca.diagcat(ca.SX(0, 0), *(_tangent(space, joint) for joint in joints))
    return ForceSlopes(efforts, by_displacements, by_velocities, mass, tangents)


class _Found:
    """The entries by displacements, by velocities and by accelerations."""

    def __init__(self) -> None:
        self.parts = [_Entries() for _ in range(3)]

    def before(self, before: _Path, joint: TreeJoint, felt: Sequence[ca.SX], along: ca.SX) -> None:
        """What displacements and velocities of a joint let those before it feel; along: of the load that is carried."""
        for part, load in zip(self.parts, (felt[0] + along, felt[1]), strict=False):
            part.add(before.index, joint.index, before.columns.T @ load)

    def beyond(self, path: _Path, joint: TreeJoint, rows: ca.SX, turning: ca.SX) -> None:
        """What a joint feels of those before it and of itself; turning: of its own columns."""
        first, size = len(path.index) - len(joint.index), path.columns.shape[0]
        blocks = [rows @ path.displaced, rows @ path.moved, rows[:, :size] @ path.columns]
        if joint.index:
            blocks[0][:, first:] += turning
            self.parts[2].add(path.index[:first], joint.index, blocks[2][:, :first].T)
        for part, block in zip(self.parts, blocks, strict=True):
            part.add(joint.index, path.index, block)


class _Entries:
    """Blocks of a matrix, put together at once."""

    def __init__(self) -> None:
        self._rows: list[int] = []
        self._columns: list[int] = []
        self._values: list[ca.SX] = []

    def add(self, rows: Sequence[int], columns: Sequence[int], block: ca.SX) -> None:
        if not rows or not columns:
            return
        kept = ca.sparsify(block)
        for k, (i, j) in enumerate(zip(*kept.sparsity().get_triplet(), strict=True)):
            self._rows.append(rows[i])
            self._columns.append(columns[j])
            self._values.append(kept.nz[k])

    def matrix(self, n: int) -> ca.SX:
        if not self._values:
            return ca.SX(n, n)
        pattern, order = ca.Sparsity.triplet(n, n, self._rows, self._columns, False)
        return ca.SX(pattern, ca.vertcat(*(self._values[k] for k in order)))


def _frames(space: Space, joints: Sequence[TreeJoint], bodies: Mapping[str, TreeBody]) -> dict[str, _Frame]:
    """The joint frames of all bodies; the first one of a tree is where it is."""
    found: dict[str, _Frame] = {}
    none = ca.SX(space.dimension, 1)
    for joint in joints:
        body, inner = bodies[joint.outboard], found.get(joint.inboard)
        if inner is None:
            found[joint.outboard] = _Frame(ca.SX.eye(space.dimension), none, none)
            continue
        slid = body.step @ (body.back.T @ (body.columns[0] @ joint.v))
        rate = space.turn(bodies[joint.inboard].omega, body.arm) + slid
        found[joint.outboard] = _Frame(
            (inner.axes @ body.step) @ body.back.T, inner.origin + inner.axes @ body.arm, inner.rate + inner.axes @ rate
        )
    return found


def _carried(
    geometry: Geometry, joints: Sequence[TreeJoint], bodies: Mapping[str, TreeBody], frames: Mapping[str, _Frame]
) -> dict[str, _Moments]:
    """By outboard bodies, the moments of all that moves with their joints."""
    found: dict[str, _Moments] = {}
    for joint in reversed(joints):
        name = joint.outboard
        matter = matter_of(geometry, name, bodies)
        own = _moments(geometry.space, matter, frames[name], bodies[name].omega)
        found[name] = found[name] + own if name in found else own
        if joint.inboard in frames:
            inner = found.get(joint.inboard)
            found[joint.inboard] = found[name] if inner is None else inner + found[name]
    return found


def _moments(space: Space, matter: Distribution, frame: _Frame, omega: ca.SX) -> _Moments:
    arm = frame.axes @ matter.centre
    x, spin = frame.origin + arm, turned(space, frame.axes, omega)
    rate = frame.rate + space.turn(spin, arm)
    first, first_rate = matter.mass * x, matter.mass * rate
    central = mirrored(space.rotate_inertia(frame.axes, matter.inertia))
    inertia = central + mirrored(space.steiner(matter.mass, x))
    if space.planar:
        return _Moments(matter.mass, first, inertia, first_rate, 2 * ca.dot(first, rate), ca.SX(1, 1))
    turning = ca.skew(spin) @ central
    moved = 2 * ca.dot(first, rate) * ca.SX.eye(3) - first @ rate.T - rate @ first.T
    momentum = central @ spin + ca.cross(first, rate)
    return _Moments(matter.mass, first, inertia, first_rate, mirrored(turning + turning.T + moved), ca.skew(momentum))


def _columns(space: Space, body: TreeBody, frame: _Frame) -> SpatialPair:
    """Velocity of the reference point and angular velocity per unit of v."""
    r = turned(space, frame.axes, body.columns[1])
    return frame.axes @ body.columns[0] - sweep(space, frame.origin) @ r, r


def _changes(
    space: Space, joint: TreeJoint, bodies: Mapping[str, TreeBody], moving: tuple[ca.SX, ...], load: SpatialPair
) -> tuple[tuple[_Change, _Change], ca.SX]:
    """What displacements and velocities of a joint change in the motion of its outboard body, in the axes of that, and how
    displacements turn the columns on which its *load* acts (n × n).

    moving: ω, α and a of the inboard body, and v̇ of the joint
    """
    inner, k = bodies[joint.inboard], space.rotations
    symbols = [ca.SX.sym("given", *item.shape) for item in (*moving, *load)]
    omega, alpha, acceleration, own, force, moment = symbols
    body = advance(space, joint, replace(inner, omega=omega))
    carried = body.moving_outwards(space, acceleration, alpha)
    a, turning = (x + column @ own for x, column in zip(carried, body.columns, strict=True))
    felt, motion = efforts_in(body, (force, moment)), ca.vertcat(body.omega, turning, a)
    along = ca.jacobian(joint.kind.rates(space, joint.q, joint.v), joint.v)
    slopes = [ca.jacobian(motion, joint.q) @ along, ca.jacobian(motion, joint.v), ca.jacobian(felt, joint.q) @ along]
    *found, columns = ca.substitute(slopes, symbols, [ca.densify(item) for item in (*moving, *load)])
    displaced, moved = (_Change(item[:k, :], item[k : 2 * k, :], item[2 * k :, :]) for item in found)
    return (displaced, moved), columns


def _seen(space: Space, frame: _Frame, change: _Change, omega: ca.SX) -> _Change:
    """δω, α = δα + ω × δω and δa about the reference point, in its axes."""
    turning = change.alpha if space.planar else change.alpha + ca.skew(omega) @ change.omega
    a = frame.axes @ change.acceleration
    delta, alpha = (turned(space, frame.axes, item) for item in (change.omega, turning))
    return _Change(delta, alpha, a - sweep(space, frame.origin) @ alpha - 2 * sweep(space, frame.rate) @ delta)


def _carried_along(space: Space, frame: _Frame, load: SpatialPair, columns: SpatialPair) -> ca.SX:
    """f and n, turned and shifted with what carries them: θ × f, θ × n + d × f."""
    t, r = columns
    f = frame.axes @ load[0]
    n = turned(space, frame.axes, load[1]) + space.moment(frame.origin, f)
    # d × f = −f × d
    moved = -sweep(space, f).T @ t
    if not space.planar:
        moved += sweep(space, n) @ r
    return ca.vertcat(sweep(space, f) @ r, moved)


def _tangent(space: Space, joint: TreeJoint) -> ca.SX:
    """N (n × nq) with N T = 1: displacements along v of those of q."""
    along = ca.jacobian(joint.kind.rates(space, joint.q, joint.v), joint.v)
    n = along.shape[1]
    if along.is_constant() and along.shape[0] == n and bool(ca.DM(along - ca.SX.eye(n)).is_zero()):
        return ca.SX.eye(n)
    scalars = n - 3 if joint.kind.spins(space) else n
    spun = along[scalars:, scalars:]
    inverse, _ = solve_linear(ca.densify(spun.T @ spun), ca.densify(spun.T))
    return ca.diagcat(ca.SX.eye(scalars), inverse)
