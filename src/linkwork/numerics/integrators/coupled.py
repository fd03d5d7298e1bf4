"""Methods of collocation: all stages are found at once, as the polynomial that satisfies the equations at s nodes.

The matrix A⁻¹ has pairs of complex eigenvalues, and one real one where s is odd. In the basis of T the systems of
Newton's method fall apart into one of n unknowns for each (Hairer and Wanner, "Solving Ordinary Differential Equations
II", section IV.8).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from linkwork.numerics.integrators.base import Array, RungeKutta
from linkwork.numerics.integrators.interpolation import collocation_polynomial
from linkwork.numerics.integrators.nodes import NodeRule, collocation_rule
from linkwork.numerics.kernels.stepping.coupled_stages import CoupledStages
from linkwork.numerics.kernels.stepping.run import Stepping


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CoupledRungeKutta(RungeKutta):
    """A Runge-Kutta method whose stages 1 to *collocated* depend on each other; the first row of the tableau is the
    start.

    gamma: γ of the filter of the estimate, e in (I − hγ J) e = h Σ_j E_j k_j, so that stiff components do not raise it
    sharpness: exponent q ≤ 1 of the tolerance 0.1 rtol^q that the estimate is held to, in the place of rtol. A formula
        of order s estimates the error of a method of order 2s − 1 or 2s; q = 2/3 is that of the program RADAU5 of
        Hairer and Wanner
    """

    memory: ClassVar[type[Stepping]] = CoupledStages
    family: ClassVar[str] = "coupled"
    own_control: ClassVar[bool] = True
    coupled: ClassVar[bool] = True

    collocated: int
    gamma: float
    sharpness: float = 1.0

    @cached_property
    def node_rule(self) -> NodeRule:
        return collocation_rule(self.nodes, self.matrix[self.stages])

    @property
    def evaluations(self) -> str:
        return f"{self.collocated} solved at once" + ("" if self.stiffly_accurate else " + 1")

    @property
    def estimate(self) -> str:
        return f"embedded formula of order {self.collocated}, with and without its stiff components"

    def own(self) -> Mapping[str, float | Array]:
        inner = slice(1, self.collocated + 1)
        inverse = np.asarray(np.linalg.inv(self.matrix[inner, inner]), np.float64)
        transform, spectrum = decompose(inverse)
        return {
            "collocated": self.collocated,
            "gamma": self.gamma,
            "sharpness": self.sharpness,
            "inverse": inverse,
            "transform": transform,
            "back": np.asarray(np.linalg.inv(transform), np.float64),
            "spectrum": spectrum,
            "polynomial": collocation_polynomial(self.nodes[inner]),
        }


def decompose(inverse: Array) -> tuple[Array, Array]:
    """Real T (s, s) and the eigenvalues (α, β) of pairs, with T⁻¹ A⁻¹ T made of the real eigenvalue, first, and of the
    blocks [[α, β], [−β, α]]."""
    values, vectors = np.linalg.eig(inverse)
    real = [vectors[:, i].real for i in np.flatnonzero(np.abs(values.imag) < 1e-8)]
    upper = np.flatnonzero(values.imag >= 1e-8)
    pairs = [part for i in upper for part in (vectors[:, i].real, vectors[:, i].imag)]
    spectrum = np.column_stack([values[upper].real, values[upper].imag])
    return np.column_stack([*real, *pairs]), spectrum.ravel()


def full_tableau(nodes: Array) -> tuple[Array, Array]:
    """Nodes and matrix of the collocation at the nodes c (s), with the start in front, and the end behind where it is no
    node: a_ij is the integral of the polynomial that is 1 at c_j and 0 at the other nodes, from 0 to c_i."""
    ends = nodes if nodes[-1] == 1.0 else np.append(nodes, 1.0)
    count, (points, weights) = len(nodes), np.polynomial.legendre.leggauss(len(nodes))
    matrix = np.zeros((len(ends) + 1, len(ends) + 1))
    for j in range(count):
        others = np.delete(nodes, j)
        for i, end in enumerate(ends):
            x = end * (points + 1) / 2
            values = np.prod((x[:, None] - others) / (nodes[j] - others), axis=1)
            matrix[i + 1, j + 1] = end / 2 * (weights @ values)
    return np.concatenate([[0.0], ends]), matrix


def estimator(nodes: Array, size: int) -> tuple[Array, float]:
    """Weights E (1, size) of h Σ_j E_j k_j = O(h^(s+1)), the derivative at the start having the weight γ, and γ.

    Σ_j E_j c_j^m = 0 for m < s. γ is the inverse of the real eigenvalue of A⁻¹, whose matrix is factored anyway, or
    that of the size of its pair.
    """
    values = np.linalg.eigvals(np.linalg.inv(full_tableau(nodes)[1][1 : len(nodes) + 1, 1 : len(nodes) + 1]))
    real = values[np.abs(values.imag) < 1e-8].real
    gamma = 1.0 / float(real[0] if len(real) else np.abs(values[0]))
    weights = np.zeros((1, size))
    weights[0, 0] = gamma
    weights[0, 1 : len(nodes) + 1] = np.linalg.solve(
        np.vander(nodes, increasing=True).T, -gamma * np.eye(len(nodes))[0]
    )
    return weights, gamma


def coupled_runge_kutta(nodes: Array, **declared: Any) -> CoupledRungeKutta:
    """The method with these nodes. Dense output is the integral of the polynomial through the derivatives at the start, the
    stages and the end: smooth, and of order s + 1."""
    ends, matrix = full_tableau(nodes)
    weights, gamma = estimator(nodes, len(ends))
    return CoupledRungeKutta(
        stages=len(ends) - 1,
        collocated=len(nodes),
        nodes=ends,
        matrix=matrix,
        error=weights,
        gamma=gamma,
        dense_order=len(nodes) + 1,
        dense=collocation_polynomial(ends),
        exponents=(1 / (len(nodes) + 1), 0.0),
        **declared,
    )
