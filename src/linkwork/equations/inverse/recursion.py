"""The forces of a given motion by recursion along the spanning tree, Newton and Euler from body to body.

Outwards the velocities and accelerations, inwards the wrenches (García de Jalón and Bayo, section 6.2.6; Luh, Walker and
Paul, 1980):

    ω = ω₀ + w,   α = α₀ + ω₀ × w + ẇ,   a = a₀ + α₀ × d + ω₀ × (ω₀ × d) + 2 ω₀ × u + u̇,
    f = m a_G + Σ f',   n = I α + ω × I ω + r × m a_G + Σ (n' + d' × f'),   e = Uᵀ f + Wᵀ n,

with gravity as an upward acceleration of the ground. All vectors stand in the axes of the joint frame of their own body,
where inertias and places are constant, so that a revolute joint costs one turn about its axis and no more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.coordinates.base import OrientedKind
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.gearing import gear_inertia, geared
from linkwork.coordinates.relative import TreeJoint, tree_joints
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError
from linkwork.position.geometry import GROUND, Geometry

ROUNDING = 1e-15  # entries of constant rotations below this are zero


@dataclass(frozen=True, eq=False)
class _Outer:
    """A body while the recursion runs, in the axes of its joint frame and at the origin of that."""

    axes: ca.SX  # of the joint frame in the body
    origin: ca.SX  # of the joint frame in the body
    omega: ca.SX
    alpha: ca.SX
    acceleration: ca.SX
    turn: ca.SX  # R: from these axes to those of the inboard body's joint frame
    arm: ca.SX  # d, in inboard axes
    columns: tuple[ca.SX, ca.SX]  # U and W, in these axes


def recursive_forces(c: Coordinates, vdot: ca.SX) -> ca.SX:
    """e = M v̇ − h (nv), found without M."""
    kind = c.kind
    if kind.name != "relative" or not isinstance(kind, OrientedKind):
        raise RefusedError(f"recursion runs along joint coordinates, not in {kind} ones; take coordinates='relative'")
    joints = tree_joints(c.geometry, c.topology.tree, kind.parametrisation)
    q = ca.vertcat(ca.SX(0, 1), *[joint.q for joint in joints])
    v = ca.vertcat(ca.SX(0, 1), *[joint.v for joint in joints])
    a = ca.SX.sym("a", v.numel())
    forces = _recursion(c.geometry, joints, a)
    f = ca.Function("recursion", [q, v, a, c.p], [ca.densify(forces)], {"allow_free": False})
    n = v.numel()
    found = f.call([c.q[: q.numel()], c.v[:n], vdot[:n], c.p], True, False)[0]
    mass, bias = gear_inertia(c.motion, geared(c.loading.actions))
    return ca.vertcat(found, ca.SX(c.v.numel() - n, 1)) - c.loading.generalised + mass @ vdot - bias


def recursion_function(c: Coordinates) -> ca.Function:
    """The function (t, [y, v̇], p) → e (nv) of a mechanism in relative coordinates, for whole batches of motions."""
    vdot = ca.SX.sym("vdot", c.v.numel())
    return make_function("recursion", c, {"e": ca.cse(recursive_forces(c, vdot))}, vdot)


def _recursion(geometry: Geometry, joints: list[TreeJoint], a: ca.SX) -> ca.SX:
    space = geometry.space
    still, fixed = ca.SX(space.rotations, 1), ca.SX.eye(space.dimension)
    zero = ca.SX(space.dimension, 1)
    upward = geometry.ground_frame.axes.T @ (-geometry.gravity)
    bodies = {GROUND: _Outer(fixed, zero, still, still, upward, fixed, zero, (zero, still))}
    for joint in joints:
        bodies[joint.outboard] = _advance(space, joint, bodies[joint.inboard], a)
    loads = {name: _inertia_wrench(geometry, name, body) for name, body in bodies.items() if name != GROUND}
    efforts: list[ca.SX] = []
    for joint in reversed(joints):
        body, (f, n) = bodies[joint.outboard], loads[joint.outboard]
        efforts.insert(0, body.columns[0].T @ f + body.columns[1].T @ n)
        if joint.inboard in loads:
            f0, n0 = loads[joint.inboard]
            force, moment = body.turn @ f, _turned(space, body.turn, n)
            loads[joint.inboard] = (f0 + force, n0 + moment + space.moment(body.arm, force))
    return ca.vertcat(ca.SX(0, 1), *efforts)


def _advance(space: Space, joint: TreeJoint, inner: _Outer, a: ca.SX) -> _Outer:
    """The outboard body of a joint; its accelerations with those of its own coordinates, ``a``."""
    step = _constant(inner.axes.T @ joint.near.axes)  # near axes in the joint axes of the inboard body
    place = _constant(inner.axes.T @ (joint.near.origin - inner.origin))
    relative, (along, about) = joint.motion(space), joint.columns(space)
    turn = step @ relative.axes  # outer joint axes → inner joint axes
    back = relative.axes.T
    rates = joint.kind.rates(space, joint.q, joint.v)
    own = a[list(joint.index)] if joint.index else ca.SX(0, 1)

    def drift(column: ca.SX) -> ca.SX:
        return ca.jtimes(column, joint.q, rates) if joint.q.numel() else ca.SX(*column.shape)

    u, w = along @ joint.v, about @ joint.v  # near axes
    slide, spin = along @ own + drift(u), about @ own + drift(w)
    omega, alpha = (_turned(space, step.T, item) for item in (inner.omega, inner.alpha))
    arm = step.T @ place + relative.origin  # near axes
    swept = ca.SX(1, 1) if space.planar else ca.cross(omega, w)
    carried = step.T @ inner.acceleration + space.turn(alpha, arm) + space.turn(omega, space.turn(omega, arm))
    moved = carried + 2 * space.turn(omega, u) + slide
    columns = back @ along, _turned(space, back, about)
    return _Outer(
        axes=joint.far.axes,
        origin=joint.far.origin,
        omega=_turned(space, back, omega + w),
        alpha=_turned(space, back, alpha + swept + spin),
        acceleration=back @ moved,
        turn=turn,
        arm=step @ arm,
        columns=(ca.sparsify(ca.simplify(columns[0])), ca.sparsify(ca.simplify(columns[1]))),
    )


def _inertia_wrench(geometry: Geometry, name: str, body: _Outer) -> tuple[ca.SX, ca.SX]:
    """m a_G and its moment about the origin of the joint frame with that of the rotation."""
    seen = geometry.rigid(name, "recursions along chains").seen(geometry.space, body.axes.T, body.origin)
    matter = replace(seen, centre=_constant(seen.centre), inertia=_constant(seen.inertia))
    return matter.wrench(geometry.space, body.acceleration, body.alpha, body.omega)


def _turned(space: Space, axes: ca.SX, rotation: ca.SX) -> ca.SX:
    return rotation if space.planar else axes @ rotation


def _constant(matrix: ca.SX) -> ca.SX:
    """The matrix without entries that are rounding errors of zero, where it is one of numbers."""
    if not matrix.is_constant():
        return matrix
    return ca.SX(ca.sparsify(ca.DM(matrix), ROUNDING))
