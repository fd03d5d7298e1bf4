"""Formulas that are written once: the same expressions as without it, and numbers fold."""

import casadi as ca
import numpy as np
import pytest

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import PLANAR
from linkwork.algebra.written import written, written_by_pattern


@written((2, 1), (1, 1))
def _scaled(vector: ca.SX, factor: ca.SX) -> list[ca.SX]:
    return [vector * factor, ca.dot(vector, vector)]


def test_what_is_put_in_stands_in_the_formula() -> None:
    x, k = ca.SX.sym("x", 2), ca.SX.sym("k")
    found = _scaled(x, k)
    assert [ca.is_equal(a, b, 5) for a, b in zip(found, [x * k, ca.dot(x, x)], strict=True)] == [True, True]


def test_numbers_and_zeros_fold() -> None:
    k = ca.SX.sym("k")
    scaled, square = _scaled(ca.SX(2, 1), k)
    assert scaled.is_zero() and square.is_zero()
    scaled, square = _scaled(ca.SX([1, 3]), ca.SX(2))
    assert np.array_equal(np.array(ca.DM(scaled)).ravel(), [2, 6]) and float(square) == 10


def test_frames_and_turns_are_those_of_complex_numbers() -> None:
    """In the plane a frame is z ↦ o + e^{iα} z, and ω × r is i ω r."""
    rng = np.random.default_rng(1)
    (ox, oy, a), (lx, ly, b) = rng.normal(size=(2, 3))
    outer, inner = Frame.planar(ca.SX([ox, oy]), ca.SX(a)), Frame.planar(ca.SX([lx, ly]), ca.SX(b))
    seen, place = outer @ inner, complex(ox, oy) + np.exp(1j * a) * complex(lx, ly)
    assert np.allclose(np.array(ca.DM(seen.origin)).ravel(), [place.real, place.imag])
    assert seen.angle is not None and np.isclose(float(seen.angle), a + b)
    assert np.isclose(complex(*np.array(ca.DM(seen.axes))[:, 0]), np.exp(1j * (a + b)))
    turned = 1j * a * complex(lx, ly)
    assert np.allclose(np.array(ca.DM(PLANAR.turn(ca.SX(a), ca.SX([lx, ly])))).ravel(), [turned.real, turned.imag])
    moment = (complex(ox, -oy) * complex(lx, ly)).imag
    assert np.isclose(float(PLANAR.moment(ca.SX([ox, oy]), ca.SX([lx, ly]))), moment)


def test_points_in_space_are_placed_by_their_frame() -> None:
    rng = np.random.default_rng(2)
    origin, axes, local = rng.normal(size=3), np.linalg.qr(rng.normal(size=(3, 3)))[0], rng.normal(size=3)
    placed = Frame(ca.SX(origin), ca.SX(axes)).point(ca.SX(local))
    assert np.allclose(np.array(ca.DM(placed)).ravel(), origin + axes @ local)


@written_by_pattern
def _congruent(axes: ca.SX, matrix: ca.SX, *, twice: bool) -> list[ca.SX]:
    found = axes @ matrix @ axes.T
    return [found @ axes if twice else found]


@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize(
    "pattern", [ca.Sparsity.dense(3, 3), ca.Sparsity.lower(3), ca.Sparsity.diag(3), ca.Sparsity(3, 3)]
)
def test_what_is_zero_by_structure_stays_so(pattern: ca.Sparsity, twice: bool) -> None:
    """Whatever patterns came before: the same entries as in the formula itself, and the same numbers."""
    axes, matrix = ca.SX.sym("R", ca.Sparsity.upper(3)), ca.SX.sym("A", pattern)
    expected = axes @ matrix @ axes.T
    expected = expected @ axes if twice else expected
    (found,) = _congruent(axes, matrix, twice=twice)
    assert found.sparsity() == expected.sparsity()
    values = [ca.DM(item.sparsity(), np.random.default_rng(3).normal(size=item.nnz())) for item in (axes, matrix)]
    one, other = ca.Function("both", [axes, matrix], [found, expected])(*values)
    assert np.array_equal(one.full(), other.full())


def test_numbers_fold_in_a_pattern() -> None:
    x = ca.SX.sym("x", 3, 3)
    (found,) = _congruent(ca.SX.eye(3), x, twice=False)
    assert all(found.nz[k].is_symbolic() for k in range(9))
