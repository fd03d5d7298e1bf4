"""Backward differentiation formulas of order 1 to 5 and fixed step: y₊ = Σ_i a_i y_{n−i} + h β₀ f₊, implicit.

They damp: what is stiff dies out, and so does a vibration that the steps resolve badly. The first k − 1 steps are
extrapolated implicit Euler steps of the same order.
"""

from math import comb

import numpy as np

from linkwork.numerics.integrators.base import Array, Stability
from linkwork.numerics.integrators.multistep import Multistep

SOURCE = "García de Jalón and Bayo, table 7.3, signs restored; Hairer, Nørsett, Wanner I, section III.1"

# β₀, then the a_i
ROWS: dict[int, Array] = {
    1: np.array([1.0, 1.0]),
    2: np.array([2.0, 4.0, -1.0]) / 3,
    3: np.array([6.0, 18.0, -9.0, 2.0]) / 11,
    4: np.array([12.0, 48.0, -36.0, 16.0, -3.0]) / 25,
    5: np.array([60.0, 300.0, -300.0, 200.0, -75.0, 12.0]) / 137,
}
STABILITY: dict[int, Stability] = {1: "L-stable", 2: "L-stable"}


def beyond(k: int) -> Array:
    """Value one step further of the polynomial through k states."""
    return np.array([(-1.0) ** i * comb(k, i + 1) for i in range(k)])


BDF1, BDF2, BDF3, BDF4, BDF5 = (
    Multistep(
        name=f"bdf{k}",
        title=f"backward differentiation {k}",
        order=k,
        dense_order=k,
        predictor=beyond(k) - np.eye(k)[0],
        corrector=row[1:] - np.eye(k)[0],
        end_weight=row[0],
        states_kept=True,
        corrections=None,
        stability=STABILITY.get(k, "A(α)-stable"),
        source=SOURCE,
    )
    for k, row in ROWS.items()
)
