"""Linear equations of all components of the state, dependent ones too, with penalties in the place of the conditions.

    form         states x      García de Jalón and Bayo
    dependent    q, v, s       section 9.1.2:  M v̇ + Cᵀ α (Φ̈ + 2 μ Ω Φ̇ + Ω² Φ) = h + Cᵀ λ
    canonical    q, π, s       section 9.1.3:  π = M v + Cᵀ τ,  τ = α Φ̇,
                                               π̇ = h + Ṁ v + Ċᵀ τ − Cᵀ (2 μ Ω τ + α Ω² Φ) + Cᵀ λ

λ is that of the state, held as forces: ∂(Cᵀλ)/∂q is the geometric stiffness, which the book leaves out. Both are the same
motion in other variables. δv̇ and δv are solved for without Cᵀ α C, in which the inertia would be lost to rounding:

    [M   Cᵀ ] [ δv̇ ]     [δR₁                       ]      [M   Cᵀ ] [δv]   [δπ − (Mv)_q δq − ...]
    [C  −1/α] [ −δσ ] = − [δR₂ + 2 μ Ω δΦ̇ + Ω² δΦ],      [C  −1/α] [δτ] = [−Φ̇_q δq − ...      ]

Reactions have no part in NᵀM v̇ or in Nᵀ π̇, where C N = 0. So the rows

    L x = [ξ_q; ξ_s; (NᵀM N)⁻¹ NᵀM (v − ...)]   or   (NᵀM N)⁻¹ Nᵀ (π − ...),   L T = 1,   T = x_y E,

take from ẋ what the conditions leave, and L A T − L Ṫ is the matrix of the independent ξ, whatever α, Ω and μ are: modes of
the conditions are projected away, and with them the error of 1/α that the eigenvalues of the whole A have.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.linalg import lu_factor, lu_solve

from linkwork.arrays import Array
from linkwork.equations.linear.variations import Variation, VariationalEquations

MOMENTUM = ".momentum"  # behind the name of a velocity


@dataclass(frozen=True, eq=False)
class Weights:
    """Penalties α (m) of all rows, with the frequency Ω, 1/s, and the damping μ of their errors."""

    alpha: Array
    omega: float
    mu: float


@dataclass(frozen=True, eq=False)
class VariedMotion:
    """What k variations do to y (n, k), to v̇ (nv, k) and to the rates of x."""

    y: Array
    vdot: Array
    rates: Array


class PenaltyForm(ABC):
    """All components of the state about a variation of it; x holds those that have rates."""

    name: ClassVar[str]

    def __init__(self, variation: Variation, weights: Weights) -> None:
        self.about, self.weights = variation, weights
        self.equations: VariationalEquations = variation.equations
        c = self.equations.c
        self.moving, self.nq, self.nv, self.m = self.equations.moving, c.q.numel(), c.v.numel(), len(c.rows)
        self._speeds = slice(self.nq, self.nq + self.nv)

    @property
    @abstractmethod
    def states(self) -> tuple[str, ...]:
        """Names of x."""

    @property
    @abstractmethod
    def values(self) -> tuple[Array, Array]:
        """x and ẋ at the state."""

    @abstractmethod
    def vary(self, x: Array, u: Array) -> VariedMotion:
        """What variations of x (n, k) and of the inputs (nu, k) do."""

    @property
    @abstractmethod
    def _tangents(self) -> tuple[Array, Array]:
        """∂y → x (n, k) along ξ, and its rate."""

    @abstractmethod
    def _powers(self, motions: Array) -> Array:
        """Rows in which reactions have no part, of the velocities or momenta: NᵀM or Nᵀ."""

    @property
    def projected(self) -> tuple[Array, Array]:
        """A on the variations that satisfy the conditions (k, k), and these variations T of x (n, k)."""
        (tangent, turning), left = (part[self.moving] for part in self._tangents), self._left
        moved = self.vary(tangent, np.zeros((self.equations.inputs.numel(), tangent.shape[1]))).rates
        return left @ (moved - turning), tangent

    @property
    def _left(self) -> Array:
        """L (k, n)."""
        chosen, tangent = self.about.independent, self._tangents[0]
        fast = (chosen >= self.nq) & (chosen < self.nq + self.nv)
        left = np.zeros((len(chosen), len(tangent)))
        left[~fast, chosen[~fast]] = 1.0
        powers = self._powers(self.about.basis[self._speeds, fast])
        rows = -tangent[self._speeds, ~fast] @ left[~fast]
        rows[:, self._speeds] += np.eye(self.nv)
        left[fast] = np.linalg.solve(powers @ tangent[self._speeds, fast], powers @ rows)
        return left[:, self.moving]

    @cached_property
    def _factors(self) -> tuple[Array, Array]:
        mass, _, jacobian, _ = self.about.terms
        return lu_factor(np.block([[mass, jacobian.T], [jacobian, -np.diag(1.0 / self.weights.alpha)]]))

    def _solve(self, forces: Array, errors: Array) -> Array:
        """[M Cᵀ; C −1/α]⁻¹ [forces; errors]."""
        return np.asarray(lu_solve(self._factors, np.vstack([forces, errors])))

    def _vdot(self, y: Array, u: Array) -> Array:
        """δv̇ of variations of y and u."""
        omega, mu = self.weights.omega, self.weights.mu
        balance, (values, rates) = _along(self.about.balance, y, u), self.about.errors
        errors = balance[self.nv :] + 2 * mu * omega * _along(rates, y, u) + omega**2 * _along(values, y, u)
        return self._solve(-balance[: self.nv], -errors)[: self.nv]

    def _spread(self, x: Array) -> Array:
        """x among all components, zero for those without rates."""
        found = np.zeros((len(self.about.at.y), x.shape[1]))
        found[self.moving] = x
        return found


class DependentForm(PenaltyForm):
    """Positions and velocities."""

    name = "dependent"

    @property
    def states(self) -> tuple[str, ...]:
        return tuple(self.equations.c.state_names[i] for i in self.moving)

    @property
    def values(self) -> tuple[Array, Array]:
        return self.about.at.y[self.moving], self.about.ydot[self.moving]

    def vary(self, x: Array, u: Array) -> VariedMotion:
        y = self._spread(x)
        vdot, rates = self._vdot(y, u), _along(self.about.known_rates, y, u)
        rates[self._speeds] = vdot
        return VariedMotion(y, vdot, rates[self.moving])

    @property
    def _tangents(self) -> tuple[Array, Array]:
        return self.about.basis, self.about.basis_rate

    def _powers(self, motions: Array) -> Array:
        return motions.T @ self.about.terms[0]


class CanonicalForm(PenaltyForm):
    """Positions and momenta."""

    name = "canonical"

    @property
    def states(self) -> tuple[str, ...]:
        c = self.equations.c
        fast = range(self.nq, self.nq + self.nv)
        return tuple(c.state_names[i] + (MOMENTUM if i in fast else "") for i in self.moving)

    @property
    def values(self) -> tuple[Array, Array]:
        state, rates = self.about.at.y.copy(), self.about.ydot.copy()
        state[self._speeds], rates[self._speeds] = self._parts[5].ravel(), self._parts[6].ravel()
        return state[self.moving], rates[self.moving]

    @cached_property
    def _parts(self) -> list[Array]:
        return self.about.value(self.equations.momenta)

    def vary(self, x: Array, u: Array) -> VariedMotion:
        y, about = self._spread(x), self.about
        momenta = y[self._speeds].copy()
        y[self._speeds] = 0.0
        of_momentum, of_gain, jacobian = tuple(self._parts[0:2]), tuple(self._parts[2:4]), about.terms[2]
        by_tau = self._parts[4] - 2 * self.weights.mu * self.weights.omega * jacobian.T
        values, slipping = about.errors
        solved = self._solve(momenta - _along(of_momentum, y, u), -_along(slipping, y, u))
        y[self._speeds] = solved[: self.nv]
        rates = _along(about.known_rates, y, u)
        push = (self.weights.alpha * self.weights.omega**2)[:, None] * _along(values, y, u)
        rates[self._speeds] = _along(of_gain, y, u) + by_tau @ solved[self.nv :] - jacobian.T @ push
        return VariedMotion(y, self._vdot(y, u), rates[self.moving])

    @cached_property
    def _tangents(self) -> tuple[Array, Array]:
        about = self.about
        tangent, turning = about.basis.copy(), about.basis_rate.copy()
        changing = about.slope_rate(self.equations.momenta_turning)
        tangent[self._speeds] = self._parts[0] @ about.basis
        turning[self._speeds] = self._parts[0] @ about.basis_rate + changing @ about.basis
        return tangent, turning

    def _powers(self, motions: Array) -> Array:
        return motions.T


def _along(slopes: tuple[Array, ...], y: Array, u: Array) -> Array:
    """A variation from derivatives by y and u."""
    return np.asarray(slopes[0] @ y + slopes[1] @ u)


ALL_PENALTY_FORMS: tuple[type[PenaltyForm], ...] = (DependentForm, CanonicalForm)
