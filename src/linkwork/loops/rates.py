"""Velocities and accelerations from a plan: v = T u + η and v̇ = T u̇ + ξ, with u the rates of the inputs.

    C v + a = 0,   C v̇ + b = 0

The rows that close the loops are solved in block triangular form, group by group, by small exact formulas. Two kinds of
rows are added: a parallelogram closes by two relations between angular velocities, which hold in every position, and the
spin of a link between two balls is a rate of its own. Where rows are redundant, as many are kept as are independent;
those of a point are first turned into the axes of the joint, in which the choice stays good while the loop is carried
about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.linear import solve_linear
from linkwork.algebra.turns import replace_values
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.elements.joints import FREE
from linkwork.errors import RefusedError
from linkwork.loops.closing import Closing, orientation_of
from linkwork.loops.triangular import SolvedTogether, block_triangular
from linkwork.numerics.matrices.pivoted_rows import pivoted_rows
from linkwork.numerics.policy import POLICY
from linkwork.topology.graph.graph import SpanningTree
from linkwork.topology.plan.blocks import Block, Spin
from linkwork.topology.plan.pins import passed_joint


@dataclass(frozen=True, eq=False)
class RateRow:
    """One condition: its residual where it has one, and C, a, b of its rates; ``element`` is the joint that it closes."""

    element: str
    residual: ca.SX | None
    jacobian: ca.SX
    a: ca.SX
    b: ca.SX


@dataclass(frozen=True, eq=False)
class Rates:
    """The linear equations of the rates, ready to be solved: rows × dependent columns in groups.

    spins: rows whose value is an input (links between two balls), unless they are held: then it is zero
    """

    closing: Closing
    rows: tuple[RateRow, ...]
    spins: tuple[RateRow, ...]
    dependent: tuple[int, ...]
    groups: tuple[SolvedTogether, ...]
    jacobian: ca.SX  # of the rows, then of the spins, with all positions replaced
    held: frozenset[int] = frozenset()

    @property
    def free_spins(self) -> list[int]:
        """The spins that are independent rates."""
        return [i for i in range(len(self.spins)) if i not in self.held]

    @property
    def count(self) -> int:
        """Number of independent rates."""
        return len(self.closing.independent) + len(self.free_spins)

    def basis(self) -> tuple[ca.SX, list[ca.SX]]:
        """T (nv × k), and the determinant of every group."""
        nv, inputs, m = self.jacobian.shape[1], self.closing.independent, len(self.rows)
        t = ca.SX(nv, self.count)
        for l, column in enumerate(inputs):
            t[column, l] = 1
        right = ca.SX(m + len(self.spins), self.count)
        for l, column in enumerate(inputs):
            right[:, l] = -self.jacobian[:, column]
        for l, spin in enumerate(self.free_spins):
            right[m + spin, len(inputs) + l] = 1
        return self._solve(right, t)

    def particular(self, right: ca.SX) -> ca.SX:
        """The solution (nv) with all inputs at rest: C x = *right*."""
        return self._solve(right, ca.SX(self.jacobian.shape[1], 1))[0]

    def _solve(self, right: ca.SX, x: ca.SX) -> tuple[ca.SX, list[ca.SX]]:
        determinants, order = [], dict[int, int]()
        for rows, places in self.groups:
            columns = [self.dependent[i] for i in places]
            known = right[list(rows), :]
            before = sorted({j for i in rows for j in self._touched[i] if j in order}, key=order.__getitem__)
            if before:
                known = known - self.jacobian[list(rows), before] @ x[before, :]
            solved, determinant = solve_linear(self.jacobian[list(rows), columns], ca.densify(known))
            for i, column in enumerate(columns):
                x[column, :] = solved[i, :]
                order[column] = len(order)
            determinants.append(determinant)
        return x, determinants

    @cached_property
    def _touched(self) -> list[list[int]]:
        """The columns in which each row has entries."""
        found: list[list[int]] = [[] for _ in range(self.jacobian.shape[0])]
        for i, j in zip(*self.jacobian.sparsity().get_triplet(), strict=True):
            found[i].append(j)
        return found


def closing_rows(closing: Closing) -> list[RateRow]:
    """The conditions of a mechanism as a plan closes it."""
    c = closing.coordinates
    # crossed, its lengths are those of a parallelogram too, but nothing turns alike
    parallel = [block for block in closing.plan.loops if block.family.solver == "parallelogram"]
    special = {cut: block for block in parallel for cut in block.cuts}
    rows: list[RateRow] = []
    inside = _inside(closing)
    for name, places in _by_element(c).items():
        if name not in special:
            rows += inside[name] if name in inside else _own_axes(c, name, places)
    return rows + _rate_rows(c, [rate for block in special.values() for rate in _parallel(c, block)])


def _by_element(c: Coordinates) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for i, label in enumerate(c.labels):
        found.setdefault(label.element, []).append(i)
    return found


def _inside(closing: Closing) -> dict[str, list[RateRow]]:
    """The conditions of cut joints in space whose loops are carried about, from within: with what carries them at rest.

    A gap and its rates do not depend on where the whole loop is, only the axes that they are seen from do: of a linkage
    on a chassis nothing is left of the chassis. All at once, as what they have in common is differentiated once.
    """
    c = closing.coordinates
    phi = {}
    for name, places in _by_element(c).items():
        carriers = [] if c.space.planar else _carriers(c.topology.tree, name)
        rows = c.phi[places] if carriers and max(places) < c.phi.numel() else ca.SX(0, 1)
        if rows.numel() and not ca.depends_on(rows, ca.vertcat(c.t, c.s)):
            at = [closing.places.slices[carrier] for carrier in carriers]
            symbols, rest = ca.vertcat(*[c.q[part] for part in at]), ca.vertcat(*[_at_rest(c, one) for one in carriers])
            phi[name] = ca.substitute(rows, symbols, ca.densify(rest))
    stacked = ca.vertcat(ca.SX(0, 1), *phi.values())
    along = c.motion.drift(stacked)
    jacobian = ca.jacobian(along, c.v)
    drift = c.motion.drift(jacobian @ c.v)
    found, i = dict[str, list[RateRow]](), 0
    for name, rows in phi.items():
        found[name] = [
            RateRow(name, rows[k], jacobian[i + k, :], ca.SX(1, 1), drift[i + k]) for k in range(rows.numel())
        ]
        i += rows.numel()
    return found


def _carriers(tree: SpanningTree, cut: str) -> list[str]:
    """Joints of the tree, and floating bodies, between the ground and the body in which the loop of a cut joint meets."""
    nodes = next((set(loop.nodes) for loop in tree.loops if loop.cut.name == cut), set[str]())
    inward = {step.outboard: step for step in tree.steps} if nodes else {}
    node = next((node for node in nodes if node not in inward or inward[node].inboard not in nodes), tree.root)
    found = []
    while node in inward:
        step = inward[node]
        found.append(step.outboard if step.link is None else step.link.name)
        node = step.inboard
    return found


def _at_rest(c: Coordinates, name: str) -> ca.SX:
    """The coordinates of a joint of the tree, or of a floating body, with its frames on each other."""
    kind = c.geometry.joints[name].kind if name in c.geometry.joints else FREE
    return kind.oriented(orientation_of(c)).neutral(c.space)


def _own_axes(c: Coordinates, name: str, places: Sequence[int]) -> list[RateRow]:
    """Rows of one element; the three of a point in space are seen from the axes of its joint."""
    points = [i for i in places if c.labels[i].component in ("position x", "position y", "position z")]
    phi, jacobian, a, b = c.phi[places], c.jacobian[places, :], c.a[places], c.b[places]
    if name in c.geometry.joints and len(points) == 3 and len(places) > 3:
        axes = c.geometry.joints[name].frames(c.kinematics.frames)[0].axes
        turn = ca.SX.eye(len(places))
        at = [places.index(i) for i in points]
        turn[at, at] = axes.T
        # the gap vanishes, and with it what the turning of the axes would add
        phi, jacobian, a, b = turn @ phi, turn @ jacobian, turn @ a, turn @ b
    return [RateRow(name, phi[i], jacobian[i, :], a[i], b[i]) for i in range(len(places))]


def _parallel(c: Coordinates, block: Block) -> list[tuple[str, ca.SX]]:
    """Coupler and ground, rocker and crank of a parallelogram turn alike."""
    first, inner, last = (passed_joint(block, name, c.geometry.joints.__getitem__) for name in block.joints)
    shared = {inner.parent, inner.child}
    coupler = first.parent if first.parent in shared else first.child
    crank = first.child if first.parent in shared else first.parent
    rocker = last.parent if last.parent in shared else last.child
    ground = last.child if last.parent in shared else last.parent
    twists = c.kinematics.twists
    axis = ca.SX(1) if c.space.planar else first.frames(c.kinematics.frames)[0].axis(2)
    pairs = ((coupler, ground), (rocker, crank))
    return [(block.cuts[0], ca.dot(axis, twists[one].omega - twists[two].omega)) for one, two in pairs]


def _spin(c: Coordinates, spin: Spin) -> tuple[str, ca.SX]:
    """The rate of a link about the line of its balls, against the neighbour that holds it in the tree."""
    balls = [c.geometry.joints[name] for name in spin.balls]
    ends = [joint.frames(c.kinematics.frames)[1].origin for joint in balls]
    line = ends[1] - ends[0]
    held = c.geometry.joints[spin.held]
    relative = c.kinematics.twists[held.child].omega - c.kinematics.twists[held.parent].omega
    return held.name, ca.dot(line / ca.norm_2(line), relative)


def _rate_rows(c: Coordinates, rates: Sequence[tuple[str, ca.SX]]) -> list[RateRow]:
    """Conditions that rates of elements vanish; all at once, as what they have in common is differentiated once."""
    stacked = ca.vertcat(ca.SX(0, 1), *[rate for _, rate in rates])
    jacobians, drifts = ca.vertsplit(ca.jacobian(stacked, c.v)), c.motion.drift(stacked)
    return [RateRow(element, None, jacobians[i], ca.SX(1, 1), drifts[i]) for i, (element, _) in enumerate(rates)]


def order_rates(closing: Closing, evaluate: Callable[[ca.SX], Array]) -> Rates:
    """Choose independent rows and the groups in which they are solved; *evaluate* gives numbers at a typical state."""
    c = closing.coordinates
    rows = closing_rows(closing)
    spins = _rate_rows(c, [_spin(c, spin) for block in closing.plan.loops for spin in block.spins])
    dependent = [i for i in range(c.v.numel()) if i not in closing.independent]
    stacked = ca.vertcat(*[row.jacobian for row in (*rows, *spins)]) if rows or spins else ca.SX(0, c.v.numel())
    (jacobian,) = replace_values([stacked], closing.values)
    square = len(rows) + len(spins) == len(dependent)
    kept = list(range(len(dependent))) if square else _independent_rows(evaluate(jacobian)[:, dependent], len(rows))
    chosen = [row for i, row in enumerate((*rows, *spins)) if i in kept and i < len(rows)]
    jacobian = jacobian[kept, :]
    pattern = np.zeros(jacobian.shape, dtype=bool)
    pattern[tuple(jacobian.sparsity().get_triplet())] = True
    pattern = pattern[:, dependent]
    groups = block_triangular(pattern) if len(kept) == len(dependent) else None
    if groups is None:
        raise RefusedError("the plan does not determine all coordinates at the assembled position")
    return Rates(closing, tuple(chosen), tuple(spins), tuple(dependent), tuple(groups), jacobian)


def _independent_rows(numbers: Array, first: int) -> list[int]:
    """As many rows as are independent, the best conditioned first; all from *first* on are kept."""
    m, n = numbers.shape
    return pivoted_rows(POLICY.unit_rows(numbers)[0], min(m, n), range(first, m))
