"""Dormand-Prince 8(5,3): twelve stages, two error estimators, dense output of order 7 with three more stages.

``dop853.csv`` has the nodes c and the matrix a_ij of the stages, of which stage 12 is the end of the step, with the weights
b, and 13 to 15 serve the dense output; the estimators of order 5 and 3; and D_ij of the interpolation.
"""

import csv
from pathlib import Path

import numpy as np

from linkwork.numerics.integrators.base import Array, RungeKutta

STAGES = 16


def table(name: str, rows: int, columns: int = STAGES) -> Array:
    """The entries of one of the tables (rows, columns), zero elsewhere."""
    found = np.zeros((rows, columns))
    for entry in ENTRIES:
        if entry["table"] == name:
            found[int(entry["row"]), int(entry["column"])] = float(entry["value"])
    return found


def dense_matrix(matrix: Array) -> Array:
    """Bring the nested form of the dense output to powers of θ.

    Hairer, Nørsett, Wanner I, section II.6, formula (6.13), with ϑ = 1 - θ:
    y(θ) = y + θ (F₀ + ϑ (F₁ + θ (F₂ + ϑ (F₃ + θ (F₄ + ϑ (F₅ + θ F₆)))))),
    F₀ = y_new - y, F₁ = h k_0 - F₀, F₂ = 2 F₀ - h (k_0 + k_12), F₃ ... F₆ = h D k.
    """
    start, end = np.eye(STAGES)[0], np.eye(STAGES)[12]
    b = matrix[12]
    coefficients = [b, start - b, 2.0 * b - start - end, *table("interpolation", 4)]
    dense = np.zeros((STAGES, len(coefficients)))
    factor = np.polynomial.Polynomial([1.0])
    for i, coefficient in enumerate(coefficients):
        factor = factor * np.polynomial.Polynomial([0.0, 1.0] if i % 2 == 0 else [1.0, -1.0])
        dense[:, : i + 1] += np.outer(coefficient, factor.coef[1:])
    return dense


with Path(__file__).with_suffix(".csv").open(newline="", encoding="utf-8") as stream:
    ENTRIES = list(csv.DictReader(stream))
matrix = table("matrix", STAGES)

DOP853 = RungeKutta(
    name="dop853",
    title="Dormand-Prince 8(5,3)",
    order=8,
    dense_order=7,
    stages=12,
    nodes=table("nodes", STAGES, 1)[:, 0].copy(),
    matrix=matrix,
    error=table("error", 2),
    dense=dense_matrix(matrix),
    second_weight=0.01,
    exponents=(1 / 8 - 0.2 * 0.04, 0.04),
    stability="conditionally stable",
    source="E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. 1993, "
    "section II.5; coefficients of their program DOP853",
)
