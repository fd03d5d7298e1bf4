"""Penalties with corrected multipliers on the slider-crank of García de Jalón and Bayo, example 10.5.

SOURCE: table 10.1 for α = 10⁴ at the regular position; its third and fourth errors lie below the rounding errors of double
precision. The first iterate at the singular position follows from the printed matrix (the printed one does not).
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from constrained_systems import Parts, make_system

from linkwork.numerics.flows.constrained import augmented_log, by_penalties, last_failure
from linkwork.numerics.flows.context import ConstrainedSystem
from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.loader import compiled

MASS = np.array([[4.0, 0, 1], [0, 4, 0], [1, 0, 2]]) / 6
EXACT = np.array([2.37731457505, -5.2057416998, 4.7546291501])


def slider_crank() -> ConstrainedSystem:
    """q = [x₁, y₁, x₂]: both links of 1 m and 1 kg."""

    def jacobian(q: np.ndarray) -> np.ndarray:
        x1, y1, x2 = q
        return np.array([[x1, y1, 0], [x1 - x2, y1, x2 - x1]])

    def closure(t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray, p: np.ndarray) -> Parts:
        return [(q[0] ** 2 + q[1] ** 2 - 1) / 2, ((q[2] - q[0]) ** 2 + q[1] ** 2 - 1) / 2], jacobian(q), [0.0, 0.0]

    def terms(t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray, p: np.ndarray) -> Parts:
        b = [v[0] ** 2 + v[1] ** 2, (v[2] - v[0]) ** 2 + v[1] ** 2]
        return v, s, [0.0, -9.81, 0.0], b, MASS, jacobian(q)

    return make_system((3, 3, 0), 2, closure, terms)


def accelerations(q: list[float], v: list[float], corrections: int) -> np.ndarray:
    flow = by_penalties(np.full(2, 1e4), corrections).begin(slider_crank())
    y, rates = np.array([*q, *v], dtype=float), np.zeros(6)
    assert flow.evaluate(0.0, y, rates) == 0
    return rates[3:]


@pytest.mark.parametrize(("corrections", "error"), [(0, 6.5792e-4), (1, 4.3705e-8)])
def test_corrections_converge_as_published(corrections: int, error: float) -> None:
    half = math.sqrt(0.5)
    found = accelerations([half, half, 2 * half], [-1, 1, -2], corrections)
    assert np.linalg.norm(found - EXACT) == pytest.approx(error, rel=1e-3)


def test_accelerations_exist_at_a_singular_position() -> None:
    first = accelerations([0, 1, 0], [-1, 0, -2], 0)
    np.testing.assert_allclose(first, [0, -1.000457151428, 0], atol=1e-12)
    np.testing.assert_allclose(accelerations([0, 1, 0], [-1, 0, -2], 3), [0, -1, 0], atol=1e-11)


@pytest.mark.parametrize(
    ("corrections", "tolerance", "counted"),
    [(0, 1e-10, (0, 0)), (1, 1e-10, (1, 1)), (20, 1e-10, (4, 0)), (3, 1e-10, (3, 1))],
    ids=["none", "too few", "to the tolerance", "one too few"],
)
def test_corrections_end_by_their_tolerance(corrections: int, tolerance: float, counted: tuple[int, int]) -> None:
    """Each is 6.6e-5 of the last one, as the errors above, and the first one is all: 1, 7e-5, 4e-9, 3e-13."""
    half = math.sqrt(0.5)
    flow = by_penalties(np.full(2, 1e4), corrections, tolerance).begin(slider_crank())
    assert flow.evaluate(0.0, np.array([half, half, 2 * half, -1, 1, -2]), np.zeros(6)) == 0
    log = augmented_log(flow)
    assert (log.corrections, log.unfinished) == counted and log.evaluations == 1


def test_corrections_end_where_they_cease_to_shrink() -> None:
    half = math.sqrt(0.5)
    flow = by_penalties(np.full(2, 1e4), 1000, 0.0).begin(slider_crank())
    assert flow.evaluate(0.0, np.array([half, half, 2 * half, -1, 1, -2]), np.zeros(6)) == 0
    assert 4 < augmented_log(flow).corrections < 20 and augmented_log(flow).unfinished == 0


def test_a_state_returns_to_its_conditions_by_penalties() -> None:
    half = math.sqrt(0.5)
    flow = by_penalties(np.full(2, 1e4), project=True).begin(slider_crank())
    y = np.array([half + 1e-3, half, 2 * half - 1e-3, -1.1, 1, -2])
    assert flow.refresh is not None and compiled(flow.refresh)(0.0, y, flow.memory) == 1
    (x1, y1, x2), (u1, w1, u2) = y[:3], y[3:]
    assert x1**2 + y1**2 == pytest.approx(1.0, abs=1e-14) and (x2 - x1) ** 2 + y1**2 == pytest.approx(1.0, abs=1e-14)
    assert x1 * u1 + y1 * w1 == pytest.approx(0.0, abs=1e-13)
    assert (x2 - x1) * (u2 - u1) + y1 * w1 == pytest.approx(0.0, abs=1e-13)
    assert compiled(flow.refresh)(0.0, y, flow.memory) == 0


@pytest.mark.parametrize(
    ("off", "code"), [(0.1, codes.POSITIONS_NOT_FOUND), (math.nan, codes.NOT_FINITE)], ids=["far", "undefined"]
)
def test_what_is_far_from_its_conditions_is_refused(off: float, code: int) -> None:
    half = math.sqrt(0.5)
    flow = by_penalties(np.full(2, 1e4), project=True).begin(slider_crank())
    y = np.array([half + off, half, 2 * half, -1, 1, -2])
    assert flow.refresh is not None and compiled(flow.refresh)(0.0, y, flow.memory) == code
    failure = last_failure(flow)
    assert failure is not None and failure.code == code
