"""Accelerations of loops along the joints of a spanning tree, without M:

    x = M⁻¹ h,   X = M⁻¹ Cᵀ,   (C X + (1 − σ) s) λ = −b − C x,   v̇ = x + X λ

by articulated bodies, with the conditions C v̇ + b = 0 of the joints that were cut. C X = C M⁻¹ Cᵀ is as large as the number
of these conditions, however many bodies there are; it is symmetric and positive, so that any order of its pivots is good,
and one with little fill-in is taken. Conditions that come and go have selectors σ, as in ``saddle``. Sources: Featherstone,
*Rigid Body Dynamics Algorithms*, section 8.5; García de Jalón and Bayo, section 8.1.3.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import casadi as ca
import numpy as np

from linkwork.algebra.linear import saddle_order, solve_symmetric
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.recursion.articulated import ArticulatedTree
from linkwork.equations.recursion.accelerations import tree_health
from linkwork.equations.recursion.forces import tree_of, tree_symbols
from linkwork.equations.terms import DEPENDENT, held, kept_rows, make_function
from linkwork.model.connected import groups


@dataclass(frozen=True, eq=False)
class LoopAccelerations:
    """The function (t, y, p) → [ẏ, health] of loops along a tree; rows: the conditions that are kept, last those that
    come and go; count: its operations.
    """

    function: ca.Function
    rows: tuple[int, ...]
    count: int

    @property
    def remark(self) -> str:
        n = len(self.rows)
        return (
            f"accelerations by articulated bodies and {n} conditions of joints that were cut, {self.count} operations"
        )


COMPARED = 60  # velocities up to which the number of operations is counted when none is repeated, which takes its time
CUT = 12  # conditions beyond which it is not written: each of them goes through all joints
ENTRY = 12  # operations of an entry of M, about
FEW = 8  # freedoms up to which minimal coordinates are not compared: they take few operations, and pass singular positions
_KNOWN: WeakKeyDictionary[Coordinates, tuple[object, LoopAccelerations | None]] = WeakKeyDictionary()


def fewer_than_minimal(c: Coordinates, t: float, y: Array, p: Array) -> bool:
    """Whether many freedoms move on with fewer operations along the tree than minimal coordinates would take."""
    if not c.rows or c.v.numel() - len(c.rows) <= FEW:
        return False
    found = loop_accelerations(c, c.b, t, y, p)
    return found is not None and found.count < _of_minimal(c)


def _of_minimal(c: Coordinates) -> float:
    """About how many operations minimal coordinates take at least: the entries of M, Tᵀ M T and its elimination.

    An entry of M stands for each pair of a joint and one that carries it; from the tips inwards d²/2 products eliminate a
    freedom with d others between it and the ground; m conditions on k freedoms that move together take m k².
    """
    tree, depth, own, total = c.topology.tree, dict[str, int](), dict[str, int](), 0.0
    for step, rates in zip(tree.steps, c.kinematics.joint_rates.values(), strict=True):
        own[step.outboard] = n = rates.numel()
        depth[step.outboard] = d = depth.get(step.inboard, 0) + n
        total += n * (d * d / 2 + ENTRY * d)
    conditions = Counter(row.element for row in c.labels)
    ties = [(step.inboard, step.outboard) for step in tree.steps] + [(cut.first, cut.second) for cut in tree.cuts]
    for group in groups(own, [tie for tie in ties if tree.root not in tie]):
        m = sum(conditions[cut.name] for cut in tree.cuts if not {cut.first, cut.second}.isdisjoint(group))
        total += m * max(sum(own[body] for body in group) - m, 0) ** 2
    return total


def loop_accelerations(c: Coordinates, curvature: ca.SX, t: float, y: Array, p: Array) -> LoopAccelerations | None:
    """The accelerations by articulated bodies; *curvature* stands for b.

    None: where there are no loops or many conditions, where something moves without inertia, or where the velocities are
    not those of the joints of a tree.
    """
    if not c.along_tree or not 0 < len(c.rows) <= CUT:
        return None
    if curvature is not c.b:
        return _written(c, curvature, t, y, p)
    state = t, y.tobytes(), p.tobytes()
    if c not in _KNOWN or _KNOWN[c][0] != state:
        _KNOWN[c] = state, _written(c, curvature, t, y, p)
    return _KNOWN[c][1]


def _written(c: Coordinates, curvature: ca.SX, t: float, y: Array, p: Array) -> LoopAccelerations | None:
    kept, coming = kept_rows(c, t, y, p)
    rows = [*kept, *(row for row, _ in coming)]
    if not rows:
        return None
    slopes = ca.sparsify(c.jacobian[rows, :])
    joints = tree_of(c)
    tree, (q, v) = ArticulatedTree(c.geometry, joints), tree_symbols(joints)
    efforts, columns = ca.SX.sym("efforts", c.v.numel()), ca.SX.sym("columns", slopes.T.sparsity())
    inner = [q, v, efforts, columns, c.p], [tree.accelerations(efforts), tree.solve(columns), ca.vertcat(*tree.pivots)]
    given = [c.q, c.v, c.loading.generalised, slopes.T, c.p]
    free, pushed, sizes = ca.Function("tree", *inner).call(given, True, False)
    health = tree_health(c, joints, sizes, t, y, p)
    if health is None:
        return None
    matrix = slopes @ pushed
    idle = _idle(c, matrix, coming, (t, y, p))
    right = -(curvature[rows] + slopes @ free)
    order = saddle_order(matrix.sparsity(), len(rows))
    multipliers, pivots = solve_symmetric(matrix + idle, right, order)
    alone = np.abs(_numbers(c, [matrix[i, i] for i in range(len(rows))], t, y, held(c, p)))
    alone = np.where(alone > 0.0, alone, 1.0)
    for pivot, size, indices in zip(pivots, _numbers(c, pivots, t, y, p), order, strict=True):
        if not pivot.is_constant():
            # a pivot that vanishes there, of conditions that depend on each other, is no measure
            least = float(np.prod(DEPENDENT * alone[list(indices)]))
            health = ca.fmin(health, pivot / (size if abs(size) > least else np.copysign(least, size)))
    found = [ca.vertcat(c.kinematics.rates, free + pushed @ multipliers, c.s_rates), health]
    if c.v.numel() <= COMPARED:
        found = ca.cse(found)
    function = make_function("accelerate", c, dict(zip(("rates", "health"), found, strict=True)))
    return LoopAccelerations(function, tuple(rows), function.n_instructions())


def _idle(c: Coordinates, matrix: ca.SX, coming: list[tuple[int, int]], state: tuple[float, Array, Array]) -> ca.SX:
    """(1 − σ) s on the diagonal of conditions that come and go, with s what stands there where they hold."""
    (t, y, p), first = state, matrix.shape[0] - len(coming)
    sizes = _numbers(c, [matrix[first + i, first + i] for i in range(len(coming))], t, y, held(c, p))
    parts = [(1 - c.limits[number].selector) * (s or 1.0) for (_, number), s in zip(coming, sizes, strict=True)]
    return ca.diagcat(ca.SX(first, first), *parts)


def _numbers(c: Coordinates, expressions: list[ca.SX], t: float, y: Array, p: Array) -> list[float]:
    if not expressions:
        return []
    return [float(x) for x in np.array(make_function("typical", c, {"x": ca.vertcat(*expressions)})(t, y, p)).ravel()]
