"""Rotation matrices and quaternions against each other, SciPy, and finite differences."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_mechanisms import examples, random_rotation, seeds
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from linkwork.algebra.rotations import (
    about_x,
    about_z,
    exponential,
    frame_about,
    from_quaternion,
    least_rotation,
    matrix_to_quaternion,
    nearest_rotation,
    planar_rotation,
    quaternion_rate,
    snap,
    straightened,
    to_quaternion,
)

few = examples(25)


def numeric(expression: ca.SX) -> np.ndarray:
    return np.array(ca.DM(expression))


def matrix_of(e: np.ndarray) -> np.ndarray:
    return numeric(from_quaternion(ca.DM(e)))


def unit(rng: np.random.Generator, size: int = 4) -> np.ndarray:
    e = rng.normal(size=size)
    return e / np.linalg.norm(e)


@few
@given(seed=seeds)
def test_matrix_of_a_quaternion(seed: int) -> None:
    e = unit(np.random.default_rng(seed))
    expected = Rotation.from_quat(np.roll(e, -1)).as_matrix()
    np.testing.assert_allclose(matrix_of(e), expected, atol=1e-14)


@pytest.mark.parametrize("largest", range(4))
@few
@given(seed=seeds)
def test_quaternion_of_a_matrix_in_each_of_the_four_branches(largest: int, seed: int) -> None:
    e = unit(np.random.default_rng(seed))
    # the component that is largest selects the branch
    i = int(np.argmax(np.abs(e)))
    e[[i, largest]] = e[[largest, i]]
    back = numeric(to_quaternion(ca.DM(matrix_of(e)))).ravel()
    np.testing.assert_allclose(back * np.sign(back @ e), e, atol=1e-14)
    positive = matrix_to_quaternion(matrix_of(e))
    assert positive[0] >= 0.0
    np.testing.assert_allclose(matrix_of(positive), matrix_of(e), atol=1e-14)


@pytest.mark.parametrize("axis", range(3))
def test_quaternion_of_half_turns_and_of_nothing(axis: int) -> None:
    half = -np.eye(3)
    half[axis, axis] = 1.0
    np.testing.assert_allclose(np.abs(matrix_to_quaternion(half)), np.eye(4)[axis + 1], atol=1e-15)
    np.testing.assert_allclose(matrix_to_quaternion(np.eye(3)), [1, 0, 0, 0], atol=1e-15)


@few
@given(seed=seeds)
def test_rate_of_a_quaternion_by_finite_differences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    e, omega, h = unit(rng), rng.normal(size=3), 1e-5
    # ω in body axes: R(t + h) = R(t) exp(h ω~)
    r = matrix_of(e)
    ahead, behind = (Rotation.from_matrix(r @ exponential(s * h * omega)).as_quat()[[3, 0, 1, 2]] for s in (1, -1))
    ahead, behind = ahead * np.sign(ahead @ e), behind * np.sign(behind @ e)
    rate = numeric(quaternion_rate(ca.DM(e), ca.DM(omega))).ravel()
    np.testing.assert_allclose(rate, (ahead - behind) / (2 * h), atol=1e-9)
    assert abs(rate @ e) < 1e-14


@few
@given(phi=st.lists(st.floats(-4, 4), min_size=3, max_size=3), power=st.integers(-12, 0))
def test_exponential_is_the_matrix_exponential(phi: list[float], power: int) -> None:
    vector = np.array(phi) * 10.0**power
    skew = np.array([[0, -vector[2], vector[1]], [vector[2], 0, -vector[0]], [-vector[1], vector[0], 0]])
    np.testing.assert_allclose(exponential(vector), expm(skew), atol=2e-14)


def test_elementary_rotations() -> None:
    angle = 0.7
    np.testing.assert_allclose(numeric(about_x(ca.SX(angle))), exponential(np.array([angle, 0, 0])), atol=1e-15)
    np.testing.assert_allclose(numeric(about_z(ca.SX(angle))), exponential(np.array([0, 0, angle])), atol=1e-15)
    np.testing.assert_allclose(numeric(planar_rotation(ca.SX(angle))), exponential(np.array([0, 0, angle]))[:2, :2])
    assert about_z(ca.SX.sym("a")).nnz() == 5


@few
@given(seed=seeds)
def test_frame_about_is_right_handed_with_z_along_the_axis(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis, beside = 3 * unit(rng, 3), unit(rng, 3)
    for axes in (frame_about(axis), frame_about(axis, beside)):
        np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-14)
        assert np.linalg.det(axes) > 0
        np.testing.assert_allclose(axes[:, 2], axis / 3, atol=1e-14)
    assert abs(np.dot(np.cross(axes[:, 0], beside), axis)) < 1e-12 and axes[:, 0] @ beside > 0


@pytest.mark.parametrize("axis", [*np.eye(3), *-np.eye(3)])
def test_frame_about_a_coordinate_direction_is_made_of_zeros_and_ones(axis: np.ndarray) -> None:
    assert set(np.abs(frame_about(axis)).ravel()) == {0.0, 1.0}


@few
@given(seed=seeds)
def test_nearest_rotation_beats_its_neighbours_and_repairs_rounding(seed: int) -> None:
    rng = np.random.default_rng(seed)
    r = random_rotation(rng)
    matrix = r + 0.2 * rng.normal(size=(3, 3))
    nearest = nearest_rotation(matrix)
    np.testing.assert_allclose(nearest.T @ nearest, np.eye(3), atol=1e-13)
    assert np.linalg.det(nearest) > 0
    distance = np.linalg.norm(nearest - matrix)
    for _ in range(10):
        assert np.linalg.norm(nearest @ exponential(0.05 * rng.normal(size=3)) - matrix) >= distance
    np.testing.assert_allclose(nearest_rotation(r + 1e-12 * rng.normal(size=(3, 3))), r, atol=1e-11)


@few
@given(seed=seeds)
def test_least_rotation_turns_one_direction_to_another_and_no_further(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = rng.normal(size=3), unit(rng, 3)
    turned = least_rotation(one, other)
    np.testing.assert_allclose(turned @ one, other * np.linalg.norm(one), atol=1e-13)
    angle = np.arccos(np.clip(one @ other / np.linalg.norm(one), -1, 1))
    assert Rotation.from_matrix(turned).magnitude() == pytest.approx(angle, abs=1e-7)
    np.testing.assert_allclose(least_rotation(one, 2 * one), np.eye(3), atol=1e-12)
    back = least_rotation(one, -one)
    np.testing.assert_allclose(back @ one, -one, atol=1e-13)
    assert np.linalg.det(back) == pytest.approx(1.0)


def test_snap_touches_rounding_errors_only() -> None:
    values = np.array([1e-17, 1 - 1e-16, -1 + 2e-16, 1e-12, 0.5, -0.0])
    np.testing.assert_array_equal(snap(values), [0.0, 1.0, -1.0, 1e-12, 0.5, 0.0])
    assert not np.signbit(snap(values))[-1]


def test_rounding_errors_of_a_rotation_are_taken_off() -> None:
    """As the nearest rotation does, but for the square of the error."""
    rng = np.random.default_rng(5)
    exact = exponential(rng.standard_normal(3))
    bent = exact + 1e-7 * rng.standard_normal((3, 3))
    np.testing.assert_allclose(straightened(bent), nearest_rotation(bent), rtol=0, atol=1e-13)
    np.testing.assert_allclose(straightened(bent).T @ straightened(bent), np.eye(3), rtol=0, atol=1e-12)
