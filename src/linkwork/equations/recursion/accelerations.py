"""Accelerations of open mechanisms along their joints, by whatever recursion takes the fewest operations.

Composite bodies give M, and M v̇ = h is eliminated from the tips inwards, where nothing fills in: a number of operations that
grows with the cube of the number of joints in a row, but fewest for few. Articulated bodies take a number in proportion to
that of the joints (García de Jalón and Bayo, section 8.1; they find the latter ahead from nine or ten joints in a row).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import casadi as ca
import numpy as np

from linkwork.algebra.linear import solve_symmetric
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.recursion.articulated import ArticulatedTree
from linkwork.coordinates.recursion.composite import mass_matrix, own_inertias
from linkwork.coordinates.recursion.newton_euler import forces_of
from linkwork.coordinates.recursion.outward import go_outwards
from linkwork.coordinates.tree import TreeJoint
from linkwork.equations.recursion.choice import FewestOperations, fewest
from linkwork.equations.recursion.forces import tree_of, tree_symbols
from linkwork.equations.terms import make_function
from linkwork.numerics.policy import POLICY
from linkwork.position.geometry import Geometry
from linkwork.topology.graph.graph import SpanningTree

ENTRIES = 500  # entries of M beyond which composite bodies are left out: they would take far more operations


class TreeWay(Protocol):
    """v̇ of a tree and solutions of M x = r, in one way."""

    @property
    def pivots(self) -> Sequence[ca.SX]:
        """What divides on the way."""
        ...

    def accelerations(self, efforts: ca.SX) -> ca.SX:
        """v̇ (n) under weights and *efforts* along the coordinates (n)."""
        ...

    def solve(self, right: ca.SX) -> ca.SX:
        """x (n × m) with M x = *right*."""
        ...


class CompositeTree:
    """M by composite bodies, eliminated from the tips inwards."""

    def __init__(self, geometry: Geometry, joints: Sequence[TreeJoint]) -> None:
        bodies = go_outwards(geometry, joints)
        self.mass = mass_matrix(geometry, joints, bodies)
        self.bias = forces_of(geometry, joints, bodies, ca.SX(self.mass.shape[0], 1))
        self.pivots: list[ca.SX] = []

    def accelerations(self, efforts: ca.SX) -> ca.SX:
        return self.solve(efforts - self.bias)

    def solve(self, right: ca.SX) -> ca.SX:
        found, pivots = solve_symmetric(self.mass, right, [(i,) for i in reversed(range(right.shape[0]))])
        self.pivots = pivots[::-1]
        return found


COMPOSITE, ARTICULATED = "composite bodies", "articulated bodies"
WAYS: dict[str, Callable[[Geometry, list[TreeJoint]], TreeWay]] = {
    ARTICULATED: ArticulatedTree,
    COMPOSITE: CompositeTree,
}


def tree_accelerations(c: Coordinates, t: float, y: Array, p: Array) -> FewestOperations | None:
    """The function (t, y, p) → [ẏ, health] of an open mechanism with the fewest operations.

    None: something moves without inertia at the typical state t, y, p.
    """
    joints, written = tree_of(c), dict[str, ca.Function]()
    for name, way in WAYS.items():
        if name == COMPOSITE and entries(c.topology.tree) > ENTRIES:
            continue
        function = _write(c, joints, way(c.geometry, joints), (t, y, p))
        if function is None:
            return None
        written[name] = function
    return fewest("accelerations", written, "as many joints follow each other")


def _write(
    c: Coordinates, joints: list[TreeJoint], way: TreeWay, state: tuple[float, Array, Array]
) -> ca.Function | None:
    """The function by one way."""
    (q, v), efforts = tree_symbols(joints), ca.SX.sym("efforts", c.v.numel())
    solution = way.accelerations(efforts)
    inner = [q, v, efforts, c.p], [solution, ca.vertcat(*way.pivots)]
    known = ca.Function("tree", *inner).call([c.q, c.v, c.loading.generalised, c.p], True, False)
    vdot, sizes = known
    health = tree_health(c, joints, sizes, *state)
    if health is None:
        return None
    return make_function("accelerate", c, {"rates": ca.vertcat(c.kinematics.rates, vdot, c.s_rates), "health": health})


def tree_health(c: Coordinates, joints: list[TreeJoint], sizes: ca.SX, t: float, y: Array, p: Array) -> ca.SX | None:
    """The smallest of the pivots *sizes* beside what it is at a typical state; None: one is zero there."""
    typical = np.array(make_function("pivots", c, {"d": sizes})(t, y, p)).ravel()
    scales = _scales(c, joints)
    if not np.all(typical > POLICY.unresisted * np.max(typical / scales, initial=0.0) * scales):
        return None
    health, resisted = ca.SX(1), _resisted(c, joints, typical, t, y, p)
    for i in range(typical.size):
        if not sizes[i].is_constant():
            # what is not positive is none, as a quotient by zero would not be
            health = ca.fmin(health, ca.if_else(resisted[i] > 0, sizes[i] / resisted[i], 0))
    return health


def _resisted(c: Coordinates, joints: list[TreeJoint], typical: Array, t: float, y: Array, p: Array) -> ca.SX:
    """What pivots are compared with: those of the typical state, as parameters change what the joints carry there."""
    if not c.geometry.parameters.numel():
        return ca.SX(typical)
    here, n = ca.SX(np.concatenate([[t], np.ravel(y)])), c.q.numel()
    q, _ = tree_symbols(joints)
    own = ca.Function("own", [q, c.p], [own_inertias(c.geometry, joints)]).call([here[1 : 1 + n], c.p], True, False)[0]
    usual = np.array(ca.Function("usual", [c.p], [own])(p)).ravel()
    return ca.vertcat(*[
        ca.SX(size) if own[i].is_constant() else size / usual[i] * own[i] for i, size in enumerate(typical)
    ])  # fmt: skip


def _scales(c: Coordinates, joints: list[TreeJoint]) -> Array:
    """What pivots are measured by, from the tips inwards: masses along lengths, inertias about angles of one size."""
    squares = c.kinematics.scale**-2.0
    return np.concatenate([squares[list(joint.index)] for joint in joints])


def entries(tree: SpanningTree) -> int:
    """How many pairs of a joint and one that carries it there are, itself included."""
    depth, total = {step.outboard: 0 for step in tree.steps}, 0
    for step in tree.steps:
        depth[step.outboard] = depth.get(step.inboard, 0) + 1
        total += depth[step.outboard]
    return total
