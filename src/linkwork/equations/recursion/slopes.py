"""Derivatives of what moves along a tree, by recursion: of the forces that a motion takes, and of accelerations,

    ∂v̇/∂y = −M⁻¹ ∂(M v̇ − h)/∂y,

beside the differentiation of their expressions, and taken where they are fewer operations. What acts on the tree is
differentiated as an expression: few velocities take part in each force.
"""

from __future__ import annotations

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.recursion.slopes import force_slopes
from linkwork.coordinates.tree import TreeJoint
from linkwork.equations.recursion.accelerations import WAYS, TreeWay, entries
from linkwork.equations.recursion.choice import FewestOperations, fewest
from linkwork.equations.recursion.forces import needed_forces, tree_of, tree_symbols
from linkwork.equations.terms import make_function, slope_matrix

FEW = 60  # entries of M up to which all ways are written and counted; beyond, recursion takes fewer operations
DIFFERENTIATED, RECURSION = "differentiation of their expression", "recursion"
MANY = "as many joints carry each other"


def needed_slope(c: Coordinates, vdot: ca.SX) -> FewestOperations:
    """∂(M v̇ − h)/∂y (nv × ny) by (t, [y, v̇], p), *vdot* a symbol; of velocities that are not those of a tree by
    differentiation.
    """
    written, along = dict[str, ca.Function](), c.along_tree and c.v.numel() > 0
    if along:
        written[RECURSION] = make_function("needed_slope", c, {"slope": _of_forces(c, vdot)}, vdot)
    if not along or entries(c.topology.tree) <= FEW:
        matrix = ca.jacobian(needed_forces(c, vdot), c.y)
        written[DIFFERENTIATED] = make_function("needed_slope", c, {"slope": matrix}, vdot)
    return fewest("derivatives of forces", written, MANY if along else "as velocities are not those of a tree")


def tree_slope(c: Coordinates, accelerations: FewestOperations) -> FewestOperations:
    """∂ẏ/∂y of the *accelerations* of an open mechanism by (t, y, p), in the way with the fewest operations."""
    joints, few = tree_of(c), entries(c.topology.tree) <= FEW
    written = dict[str, ca.Function]()
    for name, way in WAYS.items():
        if few or name == accelerations.way:
            matrix = _of_accelerations(c, joints, way(c.geometry, joints))
            written[f"{RECURSION} and {name}"] = make_function("slope", c, {"slope": matrix})
    if few:
        written[DIFFERENTIATED] = slope_matrix(accelerations.function)
    return fewest("derivatives of accelerations", written, MANY)


def _of_forces(c: Coordinates, vdot: ca.SX) -> ca.SX:
    taken = _taken(c, tree_of(c)).call([c.q, c.v, vdot, c.p], True, False)
    return ca.horzcat(*taken, ca.SX(c.v.numel(), c.s.numel())) - ca.jacobian(c.loading.generalised, c.y)


def _of_accelerations(c: Coordinates, joints: list[TreeJoint], tree: TreeWay) -> ca.SX:
    """∂ẏ/∂y (ny × ny)."""
    (q, v), n = tree_symbols(joints), c.v.numel()
    efforts, applied = ca.SX.sym("efforts", n), ca.jacobian(c.loading.generalised, c.y)
    pushed = ca.SX.sym("pushed", applied.sparsity())
    taken = _taken(c, joints).call([q, v, tree.accelerations(efforts), c.p], True, False)
    right = pushed - ca.horzcat(*taken, ca.SX(n, c.s.numel()))
    found = ca.Function("tree", [q, v, efforts, pushed, c.p], [tree.solve(ca.sparsify(right))])
    (solved,) = found.call([c.q, c.v, c.loading.generalised, applied, c.p], True, False)
    return ca.vertcat(ca.jacobian(c.kinematics.rates, c.y), solved, ca.jacobian(c.s_rates, c.y))


def _taken(c: Coordinates, joints: list[TreeJoint]) -> ca.Function:
    """∂e/∂q and ∂e/∂v of the tree by (q, v, v̇, p)."""
    (q, v), a = tree_symbols(joints), ca.SX.sym("a", c.v.numel())
    found = force_slopes(c.geometry, joints, a)
    return ca.Function("taken", [q, v, a, c.p], [found.by_positions, found.by_velocities])
