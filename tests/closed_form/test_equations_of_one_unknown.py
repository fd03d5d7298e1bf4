"""The equations that every closed form ends in, against known roots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest
from exploring import drawn
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.algebra.frames import Frame
from linkwork.closed_form.base import ChainElement
from linkwork.closed_form.quartic import best_slide, best_turn, slides_of, turns_of
from linkwork.closed_form.recognise import all_rows, find_row, solve
from linkwork.closed_form.trigonometric import solve_quadratic, solve_trigonometric
from linkwork.errors import RefusedError

ANGLES = st.floats(-np.pi, np.pi)
NUMBERS = st.floats(-5, 5)


def function_of(count: int, solver: Callable[..., list]) -> ca.Function:
    """Rows (values, validity) of all roots as a function of the coefficients."""
    x = ca.SX.sym("x", count)
    rows = []
    for root in solver(*ca.vertsplit(x)):
        values = root.turn if hasattr(root, "turn") else (root.slide,)
        rows.append(ca.horzcat(*values, root.valid))
    return ca.Function("roots", [x], [ca.vertcat(*rows)])


TRIGONOMETRIC = function_of(3, solve_trigonometric)
QUADRATIC = function_of(3, solve_quadratic)


def symmetric(*entries: ca.SX) -> ca.SX:
    """The matrix (3 × 3) with the entries 11, 12, 13, 22, 23, 33."""
    a, b, c, d, e, f = entries
    return ca.vertcat(ca.horzcat(a, b, c), ca.horzcat(b, d, e), ca.horzcat(c, e, f))


# Σ kⱼ dʲ = vᵀ form v with v = (1, d, d²), and two harmonics with v = (1, cos q, sin q)
QUARTIC = function_of(5, lambda k0, k1, k2, k3, k4: slides_of(symmetric(k0, k1 / 2, 0, k2, k3 / 2, k4)))
HARMONIC = function_of(5, lambda a0, a1, b1, a2, b2: turns_of(symmetric(a0, a1 / 2, b1 / 2, a2, b2, -a2)))


def real_roots(function: ca.Function, coefficients: np.ndarray) -> np.ndarray:
    rows = np.array(function(coefficients))
    assert np.isfinite(rows).all()
    return rows[rows[:, -1] >= 0, :-1]


@given(NUMBERS, NUMBERS, ANGLES)
def test_trigonometric_finds_the_angle(a: float, b: float, q: float) -> None:
    r = np.hypot(a, b)
    assume(r > 1e-3 and abs(np.sin(q - np.arctan2(b, a))) > 1e-3)
    roots = real_roots(TRIGONOMETRIC, np.array([a, b, a * np.cos(q) + b * np.sin(q)]))
    assert len(roots) == 2
    assert np.hypot(*roots.T) == pytest.approx(1, abs=1e-14)
    assert np.abs(roots - [np.cos(q), np.sin(q)]).max(axis=1).min() < 1e-11


def test_trigonometric_beyond_reach_has_no_root() -> None:
    assert len(real_roots(TRIGONOMETRIC, np.array([3.0, 4.0, 5.001]))) == 0
    assert len(real_roots(TRIGONOMETRIC, np.array([3.0, 4.0, -5.001]))) == 0


def test_quadratic_with_a_root_at_infinity() -> None:
    assert np.sort(real_roots(QUADRATIC, np.array([6.0, -5.0, 1.0])).ravel()) == pytest.approx([2, 3])
    assert real_roots(QUADRATIC, np.array([6.0, -2.0, 0.0])).ravel() == pytest.approx([3])


@drawn(200)
@given(st.lists(st.floats(-4, 4), min_size=4, max_size=4), st.floats(0.1, 10))
def test_quartic_of_four_real_roots(wanted: list[float], leading: float) -> None:
    wanted = sorted(wanted)
    assume(min(np.diff(wanted)) > 0.02)
    roots = real_roots(QUARTIC, leading * np.polynomial.polynomial.polyfromroots(wanted))
    assert np.sort(roots.ravel()) == pytest.approx(wanted, abs=1e-7)


@drawn(200)
@given(st.lists(st.floats(-4, 4), min_size=2, max_size=2), NUMBERS, st.floats(0.1, 4))
def test_quartic_of_two_real_roots(wanted: list[float], centre: float, half_width: float) -> None:
    wanted = sorted(wanted)
    assume(wanted[1] - wanted[0] > 0.02)
    pair = [centre**2 + half_width**2, -2 * centre, 1]
    quartic = np.polynomial.polynomial.polymul(np.polynomial.polynomial.polyfromroots(wanted), pair)
    assert np.sort(real_roots(QUARTIC, quartic).ravel()) == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize(
    ("coefficients", "wanted"),
    [
        ([4, 0, -5, 0, 1], [-2, -1, 1, 2]),  # biquadratic
        ([-1, 0, 0, 0, 1], [-1, 1]),  # α = 0 in Ferrari's factors
        ([-4, 0, 3, 0, 1], [-1, 1]),
        ([1, 0, 0, 0, 1], []),
        ([6, -5, 1, 0, 0], [2, 3]),  # two roots at infinity
        ([6, -5, 1, 0, 1e-18], [2, 3]),
        ([-6, 11, -6, 1, 0], [1, 2, 3]),
        ([-6, 2, 0, 0, 0], [3]),
    ],
)
def test_quartic_of_special_form(coefficients: list[float], wanted: list[float]) -> None:
    roots = np.sort(real_roots(QUARTIC, np.array(coefficients, dtype=float)).ravel())
    near = roots[np.abs(roots) < 1e6]
    assert near == pytest.approx(wanted, abs=1e-8)


@drawn(200)
@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.one_of(ANGLES, st.just(np.pi), st.just(0.0)))
def test_second_harmonic_finds_the_angle(a1: float, b1: float, a2: float, b2: float, q: float) -> None:
    """Half a turn, where the half-angle tangent is infinite, is an angle like any other."""
    slope = -a1 * np.sin(q) + b1 * np.cos(q) - 2 * a2 * np.sin(2 * q) + 2 * b2 * np.cos(2 * q)
    a0 = -(a1 * np.cos(q) + b1 * np.sin(q) + a2 * np.cos(2 * q) + b2 * np.sin(2 * q))
    assume(abs(slope) > max(1e-2 * np.linalg.norm([a1, b1, a2, b2]), 1e-3))
    roots = real_roots(HARMONIC, np.array([a0, a1, b1, a2, b2]))
    assert len(roots) in {2, 4}
    assert np.abs(roots - [np.cos(q), np.sin(q)]).max(axis=1).min() < 1e-10


FORM = ca.SX.sym("form", 3, 3)
SCORE = ca.SX.sym("score", 3)
SYMMETRIC = FORM + FORM.T
BEST_TURN = best_turn(SYMMETRIC, tuple(ca.vertsplit(SCORE)))
BEST_SLIDE = best_slide(SYMMETRIC, tuple(ca.vertsplit(SCORE)))
BEST = {
    "turn": ca.Function("turn", [FORM, SCORE], [ca.vertcat(*BEST_TURN.turn), BEST_TURN.valid]),
    "slide": ca.Function("slide", [FORM, SCORE], [BEST_SLIDE.slide, BEST_SLIDE.valid]),
}


def roots_by_eigenvalues(form: np.ndarray, kind: str) -> np.ndarray:
    """Real roots as rows (1, cos q, sin q) or (1, d, d²), from the companion matrix of the quartic."""
    # (1, cos q, sin q) times 1 + d² with d = tan(q/2), or (1, d, d²), as polynomials in d
    basis = [[1, 0, 1], [1, 0, -1], [0, 2, 0]] if kind == "turn" else [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    quartic = sum(form[i, j] * np.convolve(basis[i], basis[j])[::-1] for i in range(3) for j in range(3))
    d = np.roots(quartic)
    d = d[np.abs(d.imag) < 1e-9 * (1 + np.abs(d))].real
    rows = np.array([np.polyval(b[::-1], d) for b in basis]).T
    return rows / rows[:, :1] if kind == "slide" else rows / (1 + d[:, None] ** 2)


@pytest.mark.parametrize("kind", BEST)
def test_the_best_root_is_a_real_one_with_the_highest_score(kind: str) -> None:
    rng = np.random.default_rng(71)
    counts = Counter()
    for _ in range(500):
        half, score = rng.normal(size=(3, 3)), rng.normal(size=3)
        expected = roots_by_eigenvalues(half + half.T, kind)
        counts[len(expected)] += 1
        found, valid = (np.array(item).ravel() for item in BEST[kind](half, score))
        assert (valid >= 0) == (len(expected) > 0)
        if len(expected):
            best = expected[np.argmax(expected @ score)]
            row = [1, *found] if kind == "turn" else [1, found[0], found[0] ** 2]
            # a score that is as high counts as well: double roots are not told apart
            assert np.dot(row, score) == pytest.approx(best @ score, rel=1e-5, abs=1e-5)
            assert np.abs(expected - row).max(axis=1).min() < 1e-5 * (1 + np.abs(row).max())
    assert min(counts[0], counts[2], counts[4]) > 10


def test_the_table_is_the_enumeration_of_its_patterns() -> None:
    """Ten rows of three turns and three slides, six with a ball, five with a plane, and the dual of the first ball."""
    rows = all_rows()
    assert Counter(row.family for row in rows) == {
        "rotations first": 10,
        "point first": 6,
        "normal first": 5,
        "plane first": 1,
    }
    freedoms = {"R": 1, "P": 1, "S": 1, "C": 2, "G": 3, "F": 3}
    assert all(sum(freedoms[kind] for kind in row.kinds) == 6 for row in rows)
    assert len({"".join(sorted(row.kinds)) for row in rows}) == 22


def test_find_row_reads_letters_in_any_order() -> None:
    row = find_row("GRPR")
    assert row is not None
    assert (row.row, row.degree) == ("2R1P1G", 4)
    assert find_row("SPPG") is None


def test_a_chain_outside_the_table_is_refused() -> None:
    chain = [ChainElement(kind, ca.SX([0, 0, 1]), ca.SX(3, 1)) for kind in "SPPG"]
    with pytest.raises(RefusedError, match="SPPG has no closed form"):
        solve(chain, Frame.identity(3))
