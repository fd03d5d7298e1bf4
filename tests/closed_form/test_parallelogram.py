"""Parallelograms: the uncrossed branch is the dyad RRR where that is regular, and stays regular where it is not."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from linkwork.closed_form.dyads import rrr
from linkwork.closed_form.parallelogram import is_parallelogram, parallelogram

CRANK, GROUND = 0.7, 1.9
theta = ca.SX.sym("theta")
base, pin = ca.SX([0.3, -0.2]), ca.SX([0.3 + GROUND * 0.6, -0.2 + GROUND * 0.8])
crank_pin = base + CRANK * ca.vertcat(ca.cos(theta), ca.sin(theta))
translated = parallelogram(base, crank_pin, pin, ca.SX(GROUND), ca.SX(CRANK))
left, right = (rrr(crank_pin, ca.SX(GROUND), ca.SX(CRANK), pin, side) for side in (1, -1))
aligned = float(np.arctan2(0.8, 0.6))


def values(branch_stuff: list[ca.SX]) -> ca.Function:
    return ca.Function("f", [theta], branch_stuff)


@pytest.mark.parametrize("turn", np.linspace(0.2, 2.9, 7))
@pytest.mark.parametrize("side", [1, -1])
def test_it_is_the_uncrossed_branch_of_the_dyad(turn: float, side: int) -> None:
    # going round, the uncrossed branch of the dyad is the left one on one side of the ground line, then the right one
    dyad = left if side > 0 else right
    angle = aligned + side * turn
    parts = [ca.vertcat(b.point, b.first, b.second) for b in (translated, dyad)]
    ours, expected = values(parts)(angle)
    np.testing.assert_allclose(np.array(ours), np.array(expected), atol=1e-13)


@pytest.mark.parametrize("angle", [aligned, aligned + np.pi])
def test_it_is_regular_when_the_links_are_aligned(angle: float) -> None:
    def derivatives(point: ca.SX) -> ca.SX:
        speed = ca.jacobian(point, theta)
        return ca.horzcat(point, speed, ca.jacobian(speed, theta))

    ours, dyad, valid = values([derivatives(translated.point), derivatives(right.point), right.valid])(angle)
    spoke = CRANK * np.array([np.cos(angle), np.sin(angle)])
    exact = np.column_stack(
        [np.array([0.3 + GROUND * 0.6, -0.2 + GROUND * 0.8]) + spoke, spoke[[1, 0]] * [-1, 1], -spoke]
    )
    np.testing.assert_allclose(np.array(ours), exact, atol=1e-14)
    # the two circles touch: the dyad has lost its velocities
    assert abs(float(valid)) < 1e-14
    assert np.abs(np.array(dyad)[:, 1] - exact[:, 1]).max() > 0.1


def test_only_equal_opposite_sides_make_a_parallelogram() -> None:
    assert is_parallelogram(0.7, 1.9, 0.7, 1.9)
    assert is_parallelogram(1.0, 1.0, 1.0, 1.0)
    assert not is_parallelogram(0.7, 0.7, 1.9, 1.9)
    assert not is_parallelogram(0.7, 1.9, 0.7 + 1e-12, 1.9)
    assert not is_parallelogram(0.7, 1.9, 0.7, 1.9 - 1e-12)
    assert not is_parallelogram(0.0, 1.9, 0.0, 1.9)


def test_lengths_from_coordinates_are_recognised() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        corner, arm, side = rng.normal(size=(3, 2))
        corners = [corner, corner + arm, corner + arm + side, corner + side]
        lengths = [float(np.linalg.norm(corners[i] - corners[i - 1])) for i in (1, 2, 3, 0)]
        assert is_parallelogram(*lengths)
