"""Minimal equations of motion from a plan, for one set of inputs u:

    q = g(q_I, t),   v = T u + η,   v̇ = T u̇ + ξ,   M' u̇ = h',   M' = Tᵀ M T,   h' = Tᵀ (h − M ξ)

Source: Geering's explicit closing conditions as digested by Blajer, Schiehlen and Schirm, with D = Tᵀ; García de Jalón
and Bayo, section 5.3. Nothing is differentiated through the closed forms: T, η and ξ solve the closing conditions at the
positions that the closed forms give.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.linear import solve_symmetric
from linkwork.algebra.turns import Replacements, replace_values
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.loops.closing import Closing, choose_branches, close
from linkwork.loops.rates import Rates, order_rates
from linkwork.topology.plan.blocks import Block, Plan

MEASURED = ("dyad", "spherical", "distance", "balls", "parallelogram")
"""Solvers whose validity is a squared sine, which measures how far a dead centre is."""
SMALL = 3  # rows of a group whose determinant is compared with their lengths
AMPLE = 3.0  # a determinant of n rows of length 1 beyond AMPLE⁻ⁿ is as good as any
IDLE = 1e-12  # kinetic energy of a spin, relative to the largest, that counts as none


@dataclass(frozen=True, eq=False)
class Iteration:
    """A block that Newton's method solves: Φ (m), its derivative (m × m) and the velocities (m) that it determines."""

    block: Block
    residual: ca.SX
    jacobian: ca.SX
    unknowns: tuple[int, ...]


class Minimal:
    """Expressions of (t, y, p, selectors): the minimal equations for one plan.

    t, y, p are a typical state, from which independent rows are chosen and against which determinants are measured.
    """

    def __init__(self, c: Coordinates, plan: Plan, t: float, y: Array, p: Array) -> None:
        self.coordinates, self.plan = c, plan
        self.closing: Closing = close(c, plan)
        self._typical = (t, y, p)
        self.rates: Rates = order_rates(self.closing, self._evaluate)
        if self.rates.spins:
            self.rates = replace(self.rates, held=self._idle_spins())

    def _idle_spins(self) -> frozenset[int]:
        """Spins that meet no inertia, such as that of a slender bar about itself: nothing moves them, they rest."""
        basis, _ = self.rates.basis()
        (mass,) = replace_values([self.coordinates.mass], self.closing.values)
        energies = np.diag(self._evaluate(basis.T @ mass @ basis))
        first = len(self.closing.independent)
        return frozenset(i for i in range(len(self.rates.spins)) if energies[first + i] < IDLE * np.max(energies))

    @cached_property
    def selectors(self) -> ca.SX:
        """Symbols of the branches."""
        symbols = list(self.closing.selectors.values())
        return ca.vertcat(*symbols) if symbols else ca.SX(0, 1)

    @cached_property
    def choices(self) -> ca.SX:
        """What the selectors must be for the state: for each, +1 or −1 by the nearer of the two assemblies."""
        return choose_branches(self.closing)

    @cached_property
    def typical_choices(self) -> Array:
        """The selectors of the typical state."""
        c = self.coordinates
        f = ca.Function("choices", [c.t, c.y, c.p], [ca.densify(self.choices)])
        return np.array(f(*self._typical)).ravel()

    def _evaluate(self, expression: ca.SX) -> Array:
        c = self.coordinates
        f = ca.Function("typical", [c.t, c.y, c.p, self.selectors], [ca.densify(expression)])
        return np.array(f(*self._typical, self.typical_choices)).reshape(expression.shape)

    @cached_property
    def _solution(self) -> tuple[ca.SX, list[ca.SX]]:
        return self.rates.basis()

    @cached_property
    def velocities(self) -> ca.SX:
        """v (nv) from the independent rates of the state."""
        basis, _ = self._solution
        # spins have no drift of their own
        drift = ca.vertcat(*[row.a for row in self.rates.rows], ca.SX(len(self.rates.spins), 1))
        (placed,) = replace_values([drift], self.closing.values)
        moved = basis @ self._independent if basis.shape[1] else ca.SX(basis.shape[0], 1)
        return moved + self.rates.particular(-placed)

    @cached_property
    def _independent(self) -> ca.SX:
        """u (k): velocities of the inputs, then spins, both as the state has them."""
        c = self.coordinates
        parts = [c.v[i] for i in self.closing.independent]
        spins = [self.rates.spins[i].jacobian @ c.v for i in self.rates.free_spins]
        parts += replace_values(spins, self.closing.values) if spins else []
        return ca.vertcat(*parts) if parts else ca.SX(0, 1)

    @cached_property
    def positions(self) -> ca.SX:
        """q (nq), angles with the turn that the state has."""
        c, values = self.coordinates, self.closing.values
        # a unit quaternion that is an input is put right like any other
        settled = c.q if c.kinematics.retract is None else _at_rest(c.kinematics.retract, c.v)
        found = [values.angle(i) if i in values.turns else values.direct.get(i, settled[i]) for i in range(c.q.numel())]
        return ca.vertcat(*found) if found else ca.SX(0, 1)

    @cached_property
    def derivative(self) -> ca.SX:
        """ẏ = [q̇, v̇, ṡ]."""
        c = self.coordinates
        wanted = [c.kinematics.rates, c.s_rates, c.forces, c.mass, self._rows_b]
        rates, own, forces, mass, b = self._with_velocities(wanted)
        basis, _ = self._solution
        bias = self.rates.particular(-b)
        if not basis.shape[1]:
            return ca.vertcat(rates, bias, own)
        product = mass @ basis
        reduced, right = basis.T @ product, basis.T @ forces - product.T @ bias
        accelerations, _ = solve_symmetric(reduced, right, [(i,) for i in range(basis.shape[1])])
        return ca.vertcat(rates, basis @ accelerations + bias, own)

    @property
    def _rows_b(self) -> ca.SX:
        found = [row.b for row in (*self.rates.rows, *self.rates.spins)]
        return ca.vertcat(*found) if found else ca.SX(0, 1)

    def _with_velocities(self, expressions: list[ca.SX]) -> list[ca.SX]:
        """Expressions of q and v with both replaced; what the velocities take from the state stays as it is."""
        c = self.coordinates
        placed = replace_values(expressions, self.closing.values)
        free = [i for i in range(c.v.numel()) if i not in self.closing.independent]
        values = Replacements(c.v, {i: self.velocities[i] for i in free})
        return replace_values(placed, values)

    @cached_property
    def health(self) -> ca.SX:
        """How far the next dead centre is, from 1 down to 0; below that the branch is not real."""
        _, determinants = self._solution
        health = ca.SX(1)
        for place, valid in self.closing.solved.valid.items():
            if self.plan.blocks[place].family.solver in MEASURED:
                health = ca.fmin(health, valid)
            else:
                health = ca.if_else(valid >= 0, health, -1)
        for determinant, (rows, columns) in zip(determinants, self.rates.groups, strict=True):
            if not determinant.is_constant() and self._by_determinant(rows):
                typical = float(self._evaluate(determinant).item())
                health = ca.fmin(health, (determinant / typical) ** 2)
            elif not determinant.is_constant() and len(rows) <= SMALL:
                health = ca.fmin(health, self._independence(determinant, rows, columns))
        return health

    def _independence(self, determinant: ca.SX, rows: tuple[int, ...], columns: tuple[int, ...]) -> ca.SX:
        """How independent the rows of a small group are, squared: |det| over their usual lengths.

        A formula may be good to its end while the rates fail, as where a slider meets the pivot of its crank.
        """
        scale = self.coordinates.kinematics.scale
        unit = np.prod([scale[self.rates.dependent[i]] for i in columns]) / np.prod([self._lengths[i] for i in rows])
        return (float(unit) * AMPLE ** len(rows) * determinant) ** 2

    @cached_property
    def _lengths(self) -> Array:
        """The usual length of each row in units of the coordinate scale: the largest of some positions."""
        c = self.coordinates
        t, y, p = self._typical
        jacobian = ca.vertcat(*[row.jacobian for row in (*self.rates.rows, *self.rates.spins)])
        f = ca.Function("rows", [c.t, c.y, c.p], [ca.densify(jacobian)])
        rng = np.random.default_rng(0)
        moves = [np.zeros(len(y)), *(0.3 * rng.uniform(-1, 1, (5, len(y))) * np.maximum(np.abs(y), 1.0))]
        found = [np.linalg.norm(np.array(f(t, y + move, p)) * c.kinematics.scale, axis=1) for move in moves]
        return np.maximum(np.max(found, axis=0), 1e-300)

    def _by_determinant(self, rows: tuple[int, ...]) -> bool:
        """Whether a group belongs to a block whose validity is no measure."""
        elements = {self.rates.rows[i].element for i in rows if i < len(self.rates.rows)}
        blocks = {place: block for element in elements for place, block in self._closed_by.get(element, ())}
        return len(blocks) > 1 or any(block.family.solver not in MEASURED for block in blocks.values())

    @cached_property
    def _closed_by(self) -> dict[str, list[tuple[int, Block]]]:
        """The blocks with their places in which each element stands."""
        found: dict[str, list[tuple[int, Block]]] = {}
        for place, block in enumerate(self.plan.loops):
            for element in {*block.cuts, *block.ties}:
                found.setdefault(element, []).append((place, block))
        return found

    @cached_property
    def iterations(self) -> list[Iteration]:
        """The blocks that need iteration, in their order."""
        found = []
        for block in self.plan.loops:
            if block.family.closed:
                continue
            unknowns = tuple(self.closing.places.velocities[key] for key in block.unknowns)
            elements = {*block.cuts, *block.relations, *block.ties}
            chosen = [row for row in self.rates.rows if row.element in elements]
            # a correction does not spin a link between two balls: nothing asks for that
            chosen += [row for row in self.rates.spins if row.element in {spin.held for spin in block.spins}]
            stacked = ca.vertcat(*[ca.SX(1, 1) if row.residual is None else row.residual for row in chosen])
            slopes = ca.vertcat(*[row.jacobian[:, list(unknowns)] for row in chosen])
            residual, jacobian = replace_values([stacked, slopes], self.closing.values)
            found.append(Iteration(block, residual, ca.densify(jacobian), unknowns))
        return found


def _at_rest(expression: ca.SX, v: ca.SX) -> ca.SX:
    return ca.substitute(expression, v, ca.SX.zeros(v.shape))
