"""The double pendulum of García de Jalón and Bayo, example 5.1: how the error follows penalties and corrections.

SOURCE: Table 5.1 there, Ω = 10, μ = 1. Unit masses and lengths; start, duration, gravity and the places of the masses are
not printed: here masses at the ends, horizontal at rest, 9.81 m/s², 10 s. Their conditions x² + y² − L² are twice ours.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw

Array = np.ndarray
OMEGA, MU = 10.0, 1.0
MASS = 2.0  # of the heaviest unknown, the elbow, that penalties are relative to


@cache
def pendulum() -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        bodies={
            "upper": {"bar": ["O", "A"], "mass": 1, "com": "A", "inertia": "point"},
            "lower": {"bar": ["A", "B"], "mass": 1, "com": "B", "inertia": "point"},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
            "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
        },
    )


def open_by(points: Array) -> Array:
    """x² + y² − 1 of both rods (2, N), from x₁, y₁, x₂, y₂ (4, N)."""
    return np.array([points[0] ** 2 + points[1] ** 2, np.sum((points[2:] - points[:2]) ** 2, axis=0)]) - 1


def largest_error(alpha: float, corrections: int, tolerance: float) -> float:
    """Of a run of 10 s; *alpha* is that of the book, for conditions without the factor 1/2 of ours."""
    settings = {"alpha": 4 * alpha / MASS, "omega": OMEGA, "mu": MU, "project": False}
    method = lw.formulations.AugmentedLagrangian(**settings, corrections=corrections, tolerance=0.0)
    if not corrections:
        method = lw.formulations.Penalty(**settings)
    # the audit would find what is looked at here
    options = {"until": 10, "step": 0.01, "rtol": tolerance, "atol": tolerance, "audit": False}
    result = lw.simulate(pendulum(), coordinates="natural", formulation=method, **options)
    assert result.outcome.completed
    points = np.array([result[name] for name in ("upper.A.x", "upper.A.y", "lower.B.x", "lower.B.y")])
    return float(np.abs(open_by(points)).max())


def error_by_hand(alpha: float, corrections: int) -> float:
    """Eqs. 5.37 and 5.51 in x₁, y₁, x₂, y₂, by SciPy."""

    def rates(_: float, y: Array) -> Array:
        (x1, y1, x2, y2), v = y[:4], y[4:]
        c = 2 * np.array([[x1, y1, 0, 0], [x1 - x2, y1 - y2, x2 - x1, y2 - y1]])
        b = 2 * np.array([v[:2] @ v[:2], (v[2:] - v[:2]) @ (v[2:] - v[:2])])
        b = b + 2 * OMEGA * MU * c @ v + OMEGA**2 * open_by(y[:4, None])[:, 0]
        matrix, multipliers = np.eye(4) + alpha * c.T @ c, np.zeros(2)
        for _ in range(corrections + 1):
            acceleration = np.linalg.solve(matrix, [0, -9.81, 0, -9.81] - c.T @ (alpha * b + multipliers))
            multipliers = multipliers + alpha * (c @ acceleration + b)
        return np.concatenate([v, acceleration])

    grid = np.linspace(0, 10, 1001)
    run = solve_ivp(rates, (0, 10), [1, 0, 2, 0, 0, 0, 0, 0], "DOP853", grid, rtol=1e-9, atol=1e-9)
    return float(np.abs(open_by(run.y[:4])).max())


@pytest.mark.parametrize("corrections", [0, 1, 2])
def test_errors_are_those_of_the_equations_written_by_hand(corrections: int) -> None:
    assert largest_error(10.0, corrections, 1e-9) == pytest.approx(error_by_hand(10.0, corrections), rel=1e-3)


def test_errors_are_inversely_proportional_to_penalties() -> None:
    """Table 5.1 without iterations: 0.07 at 10, a hundredth of it at 1000; with a tight integrator it goes on so."""
    errors = [largest_error(alpha, 0, 1e-9) for alpha in (1e3, 1e5, 1e7)]
    assert largest_error(10, 0, 1e-9) / errors[0] == pytest.approx(100, rel=0.1)
    np.testing.assert_allclose(np.array(errors[:-1]) / errors[1:], 100, rtol=0.02)


def test_a_correction_gains_digits_until_the_integrator_sets_the_floor() -> None:
    """Table 5.1: 0.07, 0.007, 0.0009 for 0, 1, 2 iterations at 10; at 1000 one is enough, and from 10⁷ on none is needed."""
    soft = [largest_error(10, corrections, 1e-6) for corrections in (0, 1, 2)]
    assert soft[0] > 10 * soft[1] > 100 * soft[2]
    floor = largest_error(1e5, 2, 1e-6)
    assert 1e-7 < floor < 1e-5
    assert largest_error(1e3, 0, 1e-6) > 30 * floor
    for alpha, corrections in ((1e3, 1), (1e3, 2), (1e5, 1), (1e7, 0), (1e7, 1), (1e9, 0)):
        assert largest_error(alpha, corrections, 1e-6) == pytest.approx(floor, rel=0.5)
