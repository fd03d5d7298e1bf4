"""Accelerations of open mechanisms along their joints, by whatever recursion takes the fewest operations.

Composite bodies give M, and M v̇ = h is eliminated from the tips inwards, where nothing fills in: a number of operations that
grows with the cube of the number of joints in a row, but fewest for few. Articulated bodies take a number in proportion to
that of the joints (García de Jalón and Bayo, section 8.1; they find the latter ahead from nine or ten joints in a row).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

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
from linkwork.equations.recursion.forces import tree_of, tree_symbols
from linkwork.equations.terms import make_function
from linkwork.numerics.policy import POLICY
from linkwork.position.geometry import Geometry
from linkwork.topology.graph.graph import SpanningTree

ENTRIES = 500  # entries of M beyond which composite bodies are left out: they would take far more operations

TreeSolution = tuple[ca.SX, Sequence[ca.SX]]
"""v̇ and the pivots on the way."""


@dataclass(frozen=True, eq=False)
class TreeAccelerations:
    """The function (t, y, p) → [ẏ, health] of an open mechanism.

    way: how it was found; counts: operations of all ways that were written
    """

    function: ca.Function
    way: str
    counts: Mapping[str, int]

    @property
    def remark(self) -> str:
        """Which recursion was chosen."""
        others = [f"{name} would take {count}" for name, count in self.counts.items() if name != self.way]
        if not others:
            return f"accelerations by {self.way}, as many joints follow each other"
        return "; ".join([f"accelerations by {self.way}, {self.counts[self.way]} operations", *others])


def tree_accelerations(c: Coordinates, t: float, y: Array, p: Array) -> TreeAccelerations | None:
    """The accelerations with the fewest operations; None: something moves without inertia at the typical state t, y, p."""
    joints, counts, written = tree_of(c), dict[str, int](), dict[str, ca.Function]()
    ways = dict(WAYS)
    if _entries(c.topology.tree) > ENTRIES:
        del ways[COMPOSITE]
    for name, way in ways.items():
        function = _write(c, joints, way, t, y, p, compared=len(ways) > 1)
        if function is None:
            return None
        written[name], counts[name] = function, function.n_instructions()
    best = min(counts, key=lambda name: counts[name])
    return TreeAccelerations(written[best], best, counts)


def _write(
    c: Coordinates,
    joints: list[TreeJoint],
    way: Callable[[Geometry, list[TreeJoint], ca.SX], TreeSolution],
    t: float,
    y: Array,
    p: Array,
    *,
    compared: bool,
) -> ca.Function | None:
    """The function by one way; *compared*: with the number of operations that it takes when none is repeated."""
    (q, v), efforts = tree_symbols(joints), ca.SX.sym("efforts", c.v.numel())
    solution, pivots = way(c.geometry, joints, efforts)
    inner = [q, v, efforts, c.p], [solution, ca.vertcat(*pivots)]
    known = ca.Function("tree", *inner).call([c.q, c.v, c.loading.generalised, c.p], True, False)
    vdot, sizes = known
    health = tree_health(c, joints, sizes, t, y, p)
    if health is None:
        return None
    found = [ca.vertcat(c.kinematics.rates, vdot, c.s_rates), health]
    found = ca.cse(found) if compared else found
    return make_function("accelerate", c, dict(zip(("rates", "health"), found, strict=True)))


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


def _entries(tree: SpanningTree) -> int:
    """How many pairs of a joint and one that carries it there are, itself included."""
    depth, total = {step.outboard: 0 for step in tree.steps}, 0
    for step in tree.steps:
        depth[step.outboard] = depth.get(step.inboard, 0) + 1
        total += depth[step.outboard]
    return total


def _by_composite(geometry: Geometry, joints: list[TreeJoint], efforts: ca.SX) -> TreeSolution:
    bodies, n = go_outwards(geometry, joints), efforts.numel()
    right = efforts - forces_of(geometry, joints, bodies, ca.SX(n, 1))
    found, pivots = solve_symmetric(mass_matrix(geometry, joints, bodies), right, [(i,) for i in reversed(range(n))])
    return found, pivots[::-1]


def _by_articulated(geometry: Geometry, joints: list[TreeJoint], efforts: ca.SX) -> TreeSolution:
    tree = ArticulatedTree(geometry, joints)
    return tree.accelerations(efforts), tree.pivots


COMPOSITE, ARTICULATED = "composite bodies", "articulated bodies"
WAYS: dict[str, Callable[[Geometry, list[TreeJoint], ca.SX], TreeSolution]] = {
    ARTICULATED: _by_articulated,
    COMPOSITE: _by_composite,
}
