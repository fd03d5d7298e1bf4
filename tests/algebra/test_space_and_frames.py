"""The products of the plane and of space, and frames, against point clouds, matrices and finite differences."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import examples, random_rotation, seeds

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import planar_rotation
from linkwork.algebra.space import PLANAR, SPATIAL, Space, column, space_named

few = examples(20)
spaces = pytest.mark.parametrize("space", [PLANAR, SPATIAL], ids=lambda space: space.name)


def numeric(expression: ca.SX) -> np.ndarray:
    return np.array(ca.DM(expression))


def in_space(space: Space, vector: np.ndarray) -> np.ndarray:
    """The vector with a third component, for the cross product of numpy."""
    return np.append(vector, 0.0) if space.planar else vector


def turn_vector(space: Space, omega: np.ndarray) -> np.ndarray:
    return np.array([0.0, 0.0, omega[0]]) if space.planar else omega


def homogeneous(frame: Frame) -> np.ndarray:
    d = frame.origin.numel()
    matrix = np.eye(d + 1)
    matrix[:d, :d], matrix[:d, d] = numeric(frame.axes), numeric(frame.origin).ravel()
    return matrix


def random_frame(rng: np.random.Generator, space: Space, with_angle: bool = True) -> Frame:
    origin = column(rng.normal(size=space.dimension))
    if not space.planar:
        return Frame(origin, ca.SX(ca.DM(random_rotation(rng))))
    angle = ca.SX(float(rng.uniform(-9, 9)))
    return Frame.planar(origin, angle) if with_angle else Frame(origin, planar_rotation(angle))


def test_sizes_and_names() -> None:
    assert (PLANAR.freedoms, SPATIAL.freedoms) == (3, 6)
    assert PLANAR.axis_names == ("x", "y") and PLANAR.turn_names == ("z",)
    assert space_named("planar") is PLANAR and space_named("spatial") is SPATIAL


@spaces
@few
@given(seed=seeds)
def test_turn_and_moment_are_cross_products(space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    omega, r, f = (rng.normal(size=n) for n in (space.rotations, space.dimension, space.dimension))
    swept = np.cross(turn_vector(space, omega), in_space(space, r))
    np.testing.assert_allclose(numeric(space.turn(column(omega), column(r))).ravel(), swept[: space.dimension])
    moment = np.cross(in_space(space, r), in_space(space, f))
    expected = moment[2:] if space.planar else moment
    np.testing.assert_allclose(numeric(space.moment(column(r), column(f))).ravel(), expected)


@spaces
@few
@given(seed=seeds)
def test_shift_inertia_is_that_of_the_same_cloud_about_another_point(space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    masses, cloud = rng.uniform(0.1, 2, size=7), rng.normal(size=(7, space.dimension))
    shift = rng.normal(size=space.dimension)

    def about(places: np.ndarray) -> np.ndarray:
        full = np.array([in_space(space, r) for r in places])
        tensor = sum(m * (np.dot(r, r) * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, full, strict=True))
        return tensor[2:, 2:] if space.planar else tensor

    first = column(masses @ cloud)
    # the new point lies *shift* behind the present one: every arm grows by it
    moved = space.shift_inertia(ca.SX(ca.DM(about(cloud))), ca.SX(masses.sum()), first, column(shift))
    np.testing.assert_allclose(numeric(moved), about(cloud + shift), atol=1e-12)
    point = space.steiner(ca.SX(masses[0]), column(cloud[0]))
    masses[1:] = 0.0
    np.testing.assert_allclose(numeric(point), about(cloud), atol=1e-13)


@few
@given(seed=seeds)
def test_rotated_inertia_and_gyroscopic_moment(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axes, diagonal, omega = random_rotation(rng), np.diag(rng.uniform(1, 3, 3)), rng.normal(size=3)
    world = axes @ diagonal @ axes.T
    np.testing.assert_allclose(numeric(SPATIAL.rotate_inertia(ca.SX(ca.DM(axes)), ca.SX(ca.DM(diagonal)))), world)
    gyroscopic = SPATIAL.gyroscopic(ca.SX(ca.DM(world)), column(omega))
    np.testing.assert_allclose(numeric(gyroscopic).ravel(), np.cross(omega, world @ omega), atol=1e-13)
    assert PLANAR.gyroscopic(ca.SX(2.0), ca.SX(3.0)).is_zero()


@pytest.mark.parametrize("with_angle", [True, False])
@spaces
@few
@given(seed=seeds)
def test_frames_compose_and_invert_like_homogeneous_matrices(space: Space, with_angle: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, two = (random_frame(rng, space, with_angle) for _ in range(2))
    product = homogeneous(one) @ homogeneous(two)
    np.testing.assert_allclose(homogeneous(one @ two), product, atol=1e-13)
    np.testing.assert_allclose(homogeneous(one.inverse()), np.linalg.inv(homogeneous(one)), atol=1e-13)
    np.testing.assert_allclose(homogeneous(one.inverse() @ one), np.eye(space.dimension + 1), atol=1e-13)
    local = column(rng.normal(size=space.dimension))
    place = homogeneous(one) @ np.append(numeric(local).ravel(), 1.0)
    np.testing.assert_allclose(numeric(one.point(local)).ravel(), place[:-1], atol=1e-13)
    np.testing.assert_allclose(numeric(one.vector(local)), numeric(one.axes) @ numeric(local), atol=1e-13)


def test_the_angle_of_a_planar_frame_counts_turns() -> None:
    one, two = (Frame.planar(ca.SX(2, 1), ca.SX(angle)) for angle in (5.0, 4.0))
    both, back = one @ two, one.inverse()
    assert both.angle is not None and float(both.angle) == 9.0
    assert back.angle is not None and float(back.angle) == -5.0
    assert Frame.identity(3).angle is None


def test_column_turns_exact_zeros_into_structural_ones() -> None:
    assert column([1.0, 0.0, 2.0]).nnz() == 2
    assert column(np.zeros(3)).nnz() == 0
