"""The forces of a given motion by recursion along the spanning tree, with all that acts on it."""

from __future__ import annotations

import casadi as ca

from linkwork.coordinates.base import OrientedKind
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.gearing import gear_inertia, geared
from linkwork.coordinates.recursion.newton_euler import forces_of
from linkwork.coordinates.recursion.outward import go_outwards
from linkwork.coordinates.tree import TreeJoint, tree_joints
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError


def tree_of(c: Coordinates) -> list[TreeJoint]:
    """The joints of the tree with symbols of their own, in walking order."""
    kind = c.kind
    if kind.name != "relative" or not isinstance(kind, OrientedKind):
        raise RefusedError(f"recursion runs along joint coordinates, not in {kind} ones; take coordinates='relative'")
    return tree_joints(c.geometry, c.topology.tree, kind.parametrisation)


def tree_symbols(joints: list[TreeJoint]) -> tuple[ca.SX, ca.SX]:
    """q and v of the tree."""
    q = ca.vertcat(ca.SX(0, 1), *[joint.q for joint in joints])
    return q, ca.vertcat(ca.SX(0, 1), *[joint.v for joint in joints])


def needed_forces(c: Coordinates, vdot: ca.SX) -> ca.SX:
    """M v̇ − h (nv), in the way that takes the fewest operations."""
    return recursive_forces(c, vdot) if c.along_tree and c.v.numel() else c.mass @ vdot - c.forces


def recursive_forces(c: Coordinates, vdot: ca.SX) -> ca.SX:
    """e = M v̇ − h (nv), found without M."""
    joints = tree_of(c)
    q, v = tree_symbols(joints)
    a = ca.SX.sym("a", v.numel())
    forces = forces_of(c.geometry, joints, go_outwards(c.geometry, joints), a)
    f = ca.Function("recursion", [q, v, a, c.p], [ca.densify(forces)], {"allow_free": False})
    n = v.numel()
    found = f.call([c.q[: q.numel()], c.v[:n], vdot[:n], c.p], True, False)[0]
    mass, bias = gear_inertia(c.motion, geared(c.loading.actions))
    return ca.vertcat(found, ca.SX(c.v.numel() - n, 1)) - c.loading.generalised + mass @ vdot - bias


def recursion_function(c: Coordinates) -> ca.Function:
    """The function (t, [y, v̇], p) → e (nv) of a mechanism in relative coordinates, for whole batches of motions."""
    vdot = ca.SX.sym("vdot", c.v.numel())
    return make_function("recursion", c, {"e": ca.cse(recursive_forces(c, vdot))}, vdot)
