"""Every parametrisation of orientations: matrices, rates, retraction, and charts that cover all rotations."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import Array, examples, random_rotation, seeds
from scipy.spatial.transform import Rotation

from linkwork.algebra.orientations import ALL_ORIENTATIONS, Orientation, orientation_named
from linkwork.algebra.orientations.charted import LIMIT, ChartedOrientation
from linkwork.algebra.orientations.exponential import Exponential
from linkwork.algebra.rotations import exponential
from linkwork.errors import RefusedError

few = examples(25)
every = pytest.mark.parametrize("orientation", ALL_ORIENTATIONS, ids=str)
charted = pytest.mark.parametrize(
    "orientation", [o for o in ALL_ORIENTATIONS if isinstance(o, ChartedOrientation)], ids=str
)


class Numbers:
    """The functions of a parametrisation on numbers."""

    def __init__(self, orientation: Orientation) -> None:
        self.orientation = orientation
        e, x, axes = ca.SX.sym("e", orientation.count), ca.SX.sym("x", 3), ca.SX.sym("axes", 3, 3)
        o = orientation
        conditions = ca.vertcat(ca.SX(0, 1), *[residual for _, residual in o.conditions(e)])
        self._axes = ca.Function("axes", [e], [o.axes(e)])
        self._rates = ca.Function("rates", [e, x], [o.rates(e, x)])
        self._retract = ca.Function("retract", [e, x], [o.retract(e, x)])
        self._conditions = ca.Function("conditions", [e], [ca.densify(conditions)])
        self._read = ca.Function("read", [axes, e], [o.read(axes, e)])
        self._quaternion = ca.Function("quaternion", [e], [o.quaternion(e)])
        framed = o.reframe(e)
        self._reframe = ca.Function("reframe", [e], [e, 0] if framed is None else list(framed))

    def __getattr__(self, name: str) -> Any:
        function = self.__dict__[f"_{name}"]
        if name == "reframe":
            return lambda *given: [np.array(item).ravel() for item in function(*given)]
        return lambda *given: np.array(function(*given)).squeeze()

    def coordinates(self, axes: Array) -> Array:
        return self.orientation.coordinates(axes)


NUMBERS = {orientation.name: Numbers(orientation) for orientation in ALL_ORIENTATIONS}


@every
@few
@given(seed=seeds)
def test_coordinates_of_a_matrix_give_the_matrix_back(orientation: Orientation, seed: int) -> None:
    n, axes = NUMBERS[orientation.name], random_rotation(np.random.default_rng(seed))
    e = n.coordinates(axes)
    assert e.shape == (len(orientation.names),)
    np.testing.assert_allclose(n.axes(e), axes, atol=1e-14)
    np.testing.assert_allclose(n.axes(e).T @ n.axes(e), np.eye(3), atol=1e-14)
    np.testing.assert_allclose(n.conditions(e), 0.0, atol=1e-14)
    quaternion = n.quaternion(e)
    np.testing.assert_allclose(Rotation.from_quat(np.roll(quaternion, -1)).as_matrix(), axes, atol=1e-14)


@every
@few
@given(seed=seeds)
def test_rates_are_those_of_the_matrix(orientation: Orientation, seed: int) -> None:
    rng, n = np.random.default_rng(seed), NUMBERS[orientation.name]
    e, omega, h = n.coordinates(random_rotation(rng)), rng.normal(size=3), 1e-6
    step = h * n.rates(e, omega)
    found = (n.axes(e + step) - n.axes(e - step)) / (2 * h)
    np.testing.assert_allclose(found, n.axes(e) @ np.array(ca.DM(ca.skew(omega))), atol=2e-8)
    # the rates stay on the manifold
    slope = (n.conditions(e + step) - n.conditions(e - step)) / (2 * h)
    np.testing.assert_allclose(slope, 0.0, atol=1e-9)


@every
@few
@given(seed=seeds)
def test_retraction_is_a_small_turn_and_lands_on_the_manifold(orientation: Orientation, seed: int) -> None:
    rng, n = np.random.default_rng(seed), NUMBERS[orientation.name]
    axes = random_rotation(rng)
    e, direction = n.coordinates(axes), rng.normal(size=3)
    errors = []
    for size in (1e-3, 1e-4):
        moved = n.retract(e, size * direction)
        np.testing.assert_allclose(n.conditions(moved), 0.0, atol=1e-15)
        errors.append(np.abs(n.axes(moved) - axes @ exponential(size * direction)).max())
    assert errors[0] < 3e-5 and errors[1] < 3e-7
    # what has drifted away comes back, and what is there stays
    drifted = n.retract(e + 1e-6 * rng.normal(size=e.size) * (np.array(orientation.names) != "chart"), np.zeros(3))
    np.testing.assert_allclose(n.conditions(drifted), 0.0, atol=1e-15)
    np.testing.assert_allclose(n.axes(drifted), axes, atol=2e-5)
    np.testing.assert_allclose(n.retract(e, np.zeros(3)), e, atol=1e-15)


@every
@few
@given(seed=seeds)
def test_reading_next_to_known_coordinates(orientation: Orientation, seed: int) -> None:
    rng, n = np.random.default_rng(seed), NUMBERS[orientation.name]
    e = n.coordinates(random_rotation(rng))
    turns = [name in ("phi", "psi", "yaw", "roll") and orientation.name != "axis_angle" for name in orientation.names]
    e = e + 2 * np.pi * np.where(turns, 3, 0)
    near = n.retract(e, 0.05 * rng.normal(size=3))
    np.testing.assert_allclose(n.read(n.axes(e), near), e, atol=1e-12)


def test_angles_are_those_of_scipy() -> None:
    # SOURCE: scipy.spatial.transform.Rotation, intrinsic sequences ZYX and ZXZ
    rng = np.random.default_rng(3)
    for name, sequence in (("tait_bryan", "ZYX"), ("euler_angles", "ZXZ")):
        found = 0
        while found < 5:
            axes = random_rotation(rng)
            e = NUMBERS[name].coordinates(axes)
            if e[-1] == 0.0:
                np.testing.assert_allclose(e[:-1], Rotation.from_matrix(axes).as_euler(sequence), atol=1e-13)
                found += 1


SINGULAR = {
    "tait_bryan": ("ZYX", [(0.4, angle, -1.2) for angle in (np.pi / 2, -np.pi / 2)]),
    "euler_angles": ("ZXZ", [(0.4, angle, -1.2) for angle in (0.0, np.pi)]),
    "axis_angle": ("XYZ", [(0.0, 0.0, 0.0), (2 * np.pi, 0.0, 0.0)]),
}


@charted
def test_the_second_chart_covers_the_singularities_of_the_first(orientation: ChartedOrientation) -> None:
    n, (sequence, places) = NUMBERS[orientation.name], SINGULAR[orientation.name]
    for angles in places:
        axes = Rotation.from_euler(sequence, angles).as_matrix()
        assert float(orientation.regularity(ca.SX(ca.DM(axes)))) < 1e-15
        e = n.coordinates(axes)
        assert e[-1] == 1.0
        np.testing.assert_allclose(n.axes(e), axes, atol=1e-14)
        assert np.all(np.isfinite(n.rates(e, np.ones(3))))


@charted
def test_each_chart_is_left_for_the_middle_of_the_other(orientation: ChartedOrientation) -> None:
    rng, n = np.random.default_rng(7), NUMBERS[orientation.name]
    e = ca.SX.sym("e", orientation.count)
    here = ca.Function("here", [e], [orientation.regularity(orientation.plain_axes(e[:-1]))])
    state, left = n.coordinates(np.eye(3)), {0.0: 0, 1.0: 0}
    for _ in range(1500):
        state = n.retract(state, 0.2 * rng.normal(size=3))
        moved, changed = n.reframe(state)
        assert bool(changed[0]) == (float(here(state)) < LIMIT)
        np.testing.assert_allclose(n.axes(moved), n.axes(state), atol=1e-13)
        if changed[0]:
            left[state[-1]] += 1
            assert moved[-1] == 1.0 - state[-1] and float(here(moved)) >= 1 - LIMIT - 1e-12
        else:
            np.testing.assert_array_equal(moved, state)
        state = moved
    assert min(left.values()) > 3


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(RefusedError, match=r"tait_bryan.*euler_parameters, euler_angles, tait_bryan, axis_angle"):
        orientation_named("tait_brian")


VECTORS = [orientation for orientation in ALL_ORIENTATIONS if isinstance(orientation, Exponential)]
vectors = pytest.mark.parametrize("orientation", VECTORS, ids=str)


def turned(orientation: Orientation, axes: Array, theta: Array) -> Array:
    """The coordinates of axes exp(θ) with the rotation vector θ."""
    e = orientation.coordinates(axes)
    e[:3] = theta
    return e


@vectors
@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 0.5, 3.0, np.pi, 6.2])
def test_rotation_vectors_and_their_rates_up_to_a_whole_turn(orientation: Exponential, angle: float) -> None:
    # SOURCE: scipy.spatial.transform.Rotation.from_rotvec; the rate of the matrix is Ȧ = A ω̃, by exact differentiation
    rng, n = np.random.default_rng(2), NUMBERS[orientation.name]
    start, omega, direction = random_rotation(rng), rng.normal(size=3), rng.normal(size=3)
    theta = angle * direction / np.linalg.norm(direction)
    e = turned(orientation, start, theta)
    np.testing.assert_allclose(n.axes(e), start @ Rotation.from_rotvec(theta).as_matrix(), atol=3e-15)
    x, v = ca.SX.sym("x", 7), ca.SX.sym("v", 3)
    slope = ca.Function("slope", [x, v], [ca.jtimes(orientation.axes(x), x, orientation.rates(x, v))])
    # dexp⁻¹ grows without limit where the vector nears a whole turn
    np.testing.assert_allclose(
        slope(e, omega), n.axes(e) @ np.array(ca.DM(ca.skew(omega))), atol=1e-13 / (6.29 - angle)
    )


@vectors
def test_the_vector_starts_anew_from_where_it_leads(orientation: Exponential) -> None:
    rng, n = np.random.default_rng(4), NUMBERS[orientation.name]
    for size in (0.5, 0.99, 1.01, 3.0):
        direction = rng.normal(size=3)
        e = turned(orientation, random_rotation(rng), size * direction / np.linalg.norm(direction))
        moved, changed = n.reframe(e)
        assert bool(changed[0]) == (size > orientation.limit)
        np.testing.assert_allclose(n.axes(moved), n.axes(e), atol=1e-15)
        np.testing.assert_array_equal(moved, np.append(np.zeros(3), moved[3:]) if changed[0] else e)


@pytest.mark.parametrize("theta", [[0.1, 0.7, 0.3], [0.01, 0.007, 0.003]])
def test_a_hundred_thousand_products_keep_the_unit_length(theta: list[float]) -> None:
    # nothing else touches the quaternion; the rounding of single products, all alike, would add up to 1.5e-12
    steps, e, x = 100_000, ca.SX.sym("e", 4), ca.SX.sym("x", 3)
    step = ca.vertcat(x, e)
    orientation = orientation_named("exponential")
    framed = orientation.reframe(step)
    assert framed is not None
    product = ca.Function("product", [e, x], [framed[0][3:], ca.norm_2(orientation.quaternion(step))])
    moved, plain = product.mapaccum(steps)([1.0, 0.0, 0.0, 0.0], np.tile(theta, (steps, 1)).T)
    assert np.abs(np.array(plain) - 1).max() < 1e-15
    assert np.abs(np.linalg.norm(np.array(moved), axis=0) - 1).max() < 1e-15
    # and the turn is the one that the vectors add up to
    exact = Rotation.from_rotvec(steps * np.array(theta)).as_matrix()
    found = Rotation.from_quat(np.roll(np.array(moved)[:, -1], -1)).as_matrix()
    np.testing.assert_allclose(found, exact, atol=2e-11)
