"""What a Runge-Kutta method is: data. One kernel runs them all (``numerics/kernels/runge_kutta.py``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Stability = Literal["conditionally stable", "A-stable", "L-stable"]


@dataclass(frozen=True, eq=False)
class Method:
    """A tableau, its error estimators and its dense output.

    With s stages, stage s is the derivative at the end of the step (and the first stage of the next one); e extra
    stages may follow for the dense output. S = s + 1 + e.

    nodes: c (S)
    matrix: A (S, S), lower triangular; row s holds the weights b. Stages with a_ii ≠ 0 are implicit: flows that can solve
        them are needed. The first stage is explicit
    error: (1 or 2, S), h Σ_j E_j k_j estimates the error; empty for a method of fixed step
    second_weight: weight w of the second estimator in err = |h| e₁² / √(n (e₁² + w e₂²))
    dense: P (S, degree), y(t + θ h) = y + h Σ_i k_i Σ_j P_ij θ^j with j = 1 ... degree
    exponents: α and β of the step control h ← h · 0.9 · err^-α · err_last^β
    stability: on ẏ = λ y with Re λ < 0: for short steps only; for every step (A-stable); and dying out in one step as
        Re hλ → −∞ (L-stable). ``stability.py`` computes the same from the tableau
    """

    name: str
    title: str
    order: int
    dense_order: int
    stages: int
    nodes: Array
    matrix: Array
    error: Array
    dense: Array
    stability: Stability
    source: str
    second_weight: float = 0.0
    exponents: tuple[float, float] = (0.0, 0.0)

    @property
    def adaptive(self) -> bool:
        """Whether the method estimates its error and can choose its step."""
        return self.error.size > 0

    @property
    def implicit(self) -> bool:
        """Whether some of its stages are solved for."""
        return bool(np.any(np.diag(self.matrix)))

    @property
    def all_stages(self) -> int:
        """S, the derivative at the end and the extra stages of the dense output included."""
        return len(self.nodes)

    @property
    def evaluations(self) -> str:
        """Evaluations of the derivative a step, those for output inside it apart; systems to solve if implicit."""
        extra = self.all_stages - self.stages - 1
        solved = " solved" if self.implicit else ""
        return f"{self.stages}{solved}" + (f" + {extra}" if extra else "")

    def __repr__(self) -> str:
        return f"Method({self.name!r}: {self.title}, order {self.order})"


def square(rows: list[list[float]]) -> Array:
    """Fill a list of rows of a lower triangle up to a square matrix."""
    matrix = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        matrix[i, : len(row)] = row
    return matrix


def hermite(weights: list[float]) -> Array:
    """Dense output of the cubic with the states and derivatives at both ends, for a method with these weights b.

    y(θ) = y + θ² (3 − 2θ) (y_new − y) + (θ − 2θ² + θ³) h k_0 + (θ³ − θ²) h k_s (Hairer, Nørsett, Wanner I, section II.6).
    Its order is 3, or the order of the method where that is lower.
    """
    dense = np.outer([*weights, 0.0], [0.0, 3.0, -2.0])
    dense[0] += [1.0, -2.0, 1.0]
    dense[-1] += [0.0, -1.0, 1.0]
    return dense
