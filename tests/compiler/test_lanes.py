"""Sine, cosine and the angle of a point in the lanes agree with the C library to two units in the last place, everywhere."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import casadi as ca
import numpy as np
import pytest

from linkwork.compiler import CompiledFunction, build
from linkwork.compiler.llvm import lanes


@pytest.fixture(scope="module")
def circular() -> CompiledFunction:
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y"), ca.SX.sym("p", 0)
    return build({"f": ca.Function("f", [t, y, p], [ca.sin(y), ca.cos(y), ca.tan(y)])})["f"]


def units_off(actual: np.ndarray, expected: np.ndarray) -> float:
    """Return the largest difference in units of the last place of the expected values."""
    return float(np.max(np.abs(actual - expected) / np.spacing(np.abs(expected))))


def check(circular: CompiledFunction, angles: np.ndarray) -> None:
    values = circular.batch(0.0, angles[:, None])
    assert units_off(values[:, 0], np.array([math.sin(x) for x in angles])) <= 1.0
    assert units_off(values[:, 1], np.array([math.cos(x) for x in angles])) <= 1.0
    assert units_off(values[:, 2], np.array([math.tan(x) for x in angles])) <= 3.0


def test_on_a_dense_grid(circular: CompiledFunction) -> None:
    check(circular, np.linspace(-20.0, 20.0, 40_001))


@pytest.mark.parametrize("size", [1e3, 1e5, 1e8, 1e12, 1e15, 1e22, 1e300])
def test_on_random_angles(circular: CompiledFunction, size: float) -> None:
    check(circular, np.random.default_rng(1).uniform(-size, size, 4000))


def test_next_to_multiples_of_a_quarter_turn(circular: CompiledFunction) -> None:
    n = np.unique(np.concatenate([np.arange(1, 3000), np.geomspace(3000, 6e11, 3000).round()]))
    nearest = n * (math.pi / 2)
    check(circular, np.concatenate([nearest, -nearest, np.nextafter(nearest, 0), np.nextafter(nearest, np.inf)]))


def test_where_doubles_come_closest_to_multiples_of_a_quarter_turn(circular: CompiledFunction) -> None:
    # m 2^e lies closest to a multiple of π/2 where m is the numerator of a convergent of (π/2) / 2^e.
    # The reference is exact arithmetic: the C library itself is wrong by several units at some of these angles
    candidates = (
        float(m) * 2.0**e for e in range(-52, 20) for m in numerators_of_convergents(quarter_turn() / Fraction(2) ** e)
    )
    angles = sorted({x for x in candidates if 0 < x < 2.0**40})
    values = circular.batch(0.0, np.array(angles)[:, None])
    worst = 0.0
    for x, computed in zip(angles, values, strict=True):
        for value, exact in zip(computed, exact_sine_and_cosine(x), strict=False):
            worst = max(worst, float(abs(Fraction(float(value)) - exact) / Fraction(float(np.spacing(abs(value))))))
    assert min(abs(values[:, 1])) < 1e-17
    assert worst < 0.8


def test_tiny_angles(circular: CompiledFunction) -> None:
    tiny = np.geomspace(5e-324, 1e-3, 500)
    check(circular, np.concatenate([tiny, -tiny]))


def test_what_is_not_finite_gives_not_a_number(circular: CompiledFunction) -> None:
    assert np.all(np.isnan(circular.batch(0.0, [[math.inf], [-math.inf], [math.nan]])))


def test_lanes_do_not_disturb_each_other(circular: CompiledFunction) -> None:
    angles = np.array([0.5, math.inf, 1e15, -0.25, math.nan, 2.0, 1e300, 3.0])
    together = circular.batch(0.0, angles[:, None])
    alone = np.concatenate([circular.batch(0.0, [[x]]) for x in angles])
    np.testing.assert_array_equal(together, alone)
    assert np.all(np.isfinite(together[[2, 6]]))


@cache
def quarter_turn() -> Fraction:
    """Return π/2 to 120 decimal digits by Machin's formula, π/4 = 4 arctan(1/5) - arctan(1/239)."""

    def arctan_of_inverse(n: int, one: int) -> int:
        power, total, k = one // n, 0, 0
        while power:
            total += (-1) ** k * (power // (2 * k + 1))
            power //= n * n
            k += 1
        return total

    one = 10**130
    return Fraction(2 * (4 * arctan_of_inverse(5, one) - arctan_of_inverse(239, one)), one)


def exact_sine_and_cosine(x: float) -> tuple[Fraction, Fraction]:
    """Return sin x and cos x with an error below 10^-60, for |x| < 2^40."""
    one = 10**80
    n = round(Fraction(x) / quarter_turn())
    r = math.floor((Fraction(x) - n * quarter_turn()) * one)
    sums, term, k = [0, 0], one, 0
    while term:
        sums[k % 2] += term if k % 4 < 2 else -term
        k += 1
        term = term * r // (one * k)
        if term == -1:  # rounding towards minus infinity never reaches zero from below
            term = 0
    cosine, sine = (Fraction(total, one) for total in sums)
    quadrants = [(sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine)]
    return quadrants[n % 4]


def numerators_of_convergents(x: Fraction) -> list[int]:
    """Return the numerators below 2^53 of the convergents of the continued fraction of *x*."""
    found = []
    before, numerator = 0, 1
    while True:
        whole = math.floor(x)
        before, numerator = numerator, whole * numerator + before
        if numerator >= 2**53:
            return found
        if numerator > 0:
            found.append(numerator)
        x = 1 / (x - whole)


def test_the_parts_of_a_quarter_turn() -> None:
    parts = Fraction(lanes._P1) + Fraction(lanes._P2) + Fraction(lanes._P3)
    assert abs(parts - quarter_turn()) < Fraction(1, 2**160)


def test_many_angles_are_called_and_not_inlined() -> None:
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 60), ca.SX.sym("p", 0)
    function = build({"f": ca.Function("f", [t, y, p], [ca.sin(y), ca.cos(y)])})["f"]
    states = np.random.default_rng(2).normal(size=(11, 60)) * 10
    np.testing.assert_allclose(function.batch(0.0, states), np.hstack([np.sin(states), np.cos(states)]), atol=3e-16)


@cache
def angle() -> CompiledFunction:
    """atan2 of two states."""
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 2), ca.SX.sym("p", 0)
    function = ca.Function("angle", [t, y, p], [ca.atan2(y[0], y[1])], ["t", "y", "p"], ["angle"])
    return build({"angle": function})["angle"]


def check_angles(points: np.ndarray) -> None:
    """Two units in the last place of the C library, with the signs of zeros."""
    found, exact = angle().batch(0.0, points)[:, 0], np.arctan2(points[:, 0], points[:, 1])
    np.testing.assert_array_equal(np.isnan(found), np.isnan(exact))
    known = ~np.isnan(exact)
    np.testing.assert_array_equal(np.signbit(found[known]), np.signbit(exact[known]))
    assert np.max(np.abs(found - exact)[known] / np.spacing(np.maximum(np.abs(exact[known]), 5e-324))) <= 2.0


def test_angles_of_points_everywhere() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(200_000, 2))
    check_angles(points)
    check_angles(points * 10.0 ** rng.uniform(-150, 150, size=points.shape))
    edges = np.arange(16) * np.pi / 8 + np.array([-1e-9, -1e-16, 0, 1e-16, 1e-9])[:, None]
    check_angles(np.column_stack([np.sin(edges.ravel()), np.cos(edges.ravel())]))


def test_angles_of_points_on_the_axes_and_far_away() -> None:
    numbers = [0.0, 1.0, 5e-324, 2.3e-308, 1e-300, 1e300, 1.7e308, math.inf]
    signed = [sign * number for number in numbers for sign in (1.0, -1.0)]
    check_angles(np.array([(y, x) for y in [*signed, math.nan] for x in [*signed, math.nan]]))
