"""Every joint kind in every space it admits answers the five questions of its contract consistently."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import examples, random_rotation, seeds

from linkwork.algebra.frames import Frame
from linkwork.algebra.orientations import ALL_ORIENTATIONS
from linkwork.algebra.rotations import exponential
from linkwork.algebra.space import PLANAR, SPATIAL, Space
from linkwork.elements.joints import ALL_JOINTS, FREE, JointKind, joint_kind
from linkwork.model.joint import JOINT_KINDS

CASES = [
    pytest.param(kind, space, id=f"{kind.name}-{space.name}")
    for kind in (*ALL_JOINTS, FREE)
    for space in (PLANAR, SPATIAL)
    if space.name in kind.spaces
]
TURNING = [
    pytest.param(kind.oriented(orientation), SPATIAL, id=f"{kind.name}-{orientation}")
    for kind in (*ALL_JOINTS, FREE)
    for orientation in ALL_ORIENTATIONS[1:]
    if "spatial" in kind.spaces and kind.spins(SPATIAL)
]
every_kind = pytest.mark.parametrize(("kind", "space"), CASES)
every_attitude = pytest.mark.parametrize(("kind", "space"), [*CASES, *TURNING])
few = examples(6)


def numeric(expression: ca.SX) -> np.ndarray:
    return np.array(ca.DM(ca.densify(expression)))


def random_frame(rng: np.random.Generator, space: Space) -> Frame:
    origin = ca.SX(ca.DM(rng.normal(size=space.dimension)))
    if space.planar:
        return Frame.planar(origin, ca.SX(float(rng.uniform(-4, 4))))
    return Frame(origin, ca.SX(ca.DM(random_rotation(rng))))


def random_q(rng: np.random.Generator, kind: JointKind, space: Space) -> ca.SX:
    # a constant-velocity joint must not be bent by nearly 180 degrees
    most = 2 if kind.name == "constant_velocity" else 3
    q = rng.uniform(-most, most, size=kind.count_positions(space))
    if kind.spins(space):
        q[-kind.orientation.count :] = kind.orientation.coordinates(random_rotation(rng))
    return ca.SX(ca.DM(q))


def moved(frame: Frame, space: Space, delta: np.ndarray) -> Frame:
    """The frame displaced by a small displacement and rotation vector in world axes."""
    d = space.dimension
    origin = frame.origin + ca.DM(delta[:d])
    if space.planar:
        assert frame.angle is not None
        return Frame.planar(origin, frame.angle + delta[d])
    return Frame(origin, ca.SX(ca.DM(exponential(delta[d:]))) @ frame.axes)


def without_angle(frame: Frame) -> Frame:
    return Frame(frame.origin, frame.axes)


def central(f: Callable[[float], np.ndarray], h: float = 1e-5) -> np.ndarray:
    return (f(h) - f(-h)) / (2 * h)


def residuals(kind: JointKind, space: Space, a: Frame, b: Frame) -> np.ndarray:
    return np.array([float(row.residual) for row in kind.rows(space, a, b)])


def world_columns(kind: JointKind, space: Space, a: Frame, q: ca.SX) -> tuple[np.ndarray, np.ndarray]:
    translation, rotation = kind.columns(space, q)
    turn = np.eye(1) if space.planar else numeric(a.axes)
    return numeric(a.axes) @ numeric(translation), turn @ numeric(rotation)


@every_kind
def test_counts_agree_with_the_declarations(kind: JointKind, space: Space) -> None:
    assert len(kind.freedoms(space)) + kind.count_rows(space) == space.freedoms
    assert joint_kind(kind.name) is kind
    if kind is not FREE:
        declared = JOINT_KINDS[kind.name]
        assert space.name in declared.axes
        named = [(f.name, f.rate, f.acceleration, f.kind == "angle") for f in kind.scalars(space)]
        freedoms = declared.freedoms[space.name]
        assert named == [(f.coordinate, f.rate, f.acceleration, f.angular) for f in freedoms]
        assert (space.name in declared.spins) == kind.spins(space)


@every_kind
@few
@given(seed=seeds)
def test_rows_vanish_along_the_motion(kind: JointKind, space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = random_frame(rng, space)
    b = a @ kind.motion(space, random_q(rng, kind, space))
    assert len(kind.rows(space, a, b)) == kind.count_rows(space)
    np.testing.assert_allclose(residuals(kind, space, a, b), 0.0, atol=1e-13)
    np.testing.assert_allclose(residuals(kind, space, without_angle(a), without_angle(b)), 0.0, atol=1e-13)


@every_kind
@few
@given(seed=seeds)
def test_rows_are_independent_and_exclude_all_but_the_freedoms(kind: JointKind, space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = random_frame(rng, space)
    q = random_q(rng, kind, space)
    b = a @ kind.motion(space, q)
    # relative displacement of b's origin and rotation of b, everything else at rest
    jacobian = np.column_stack(
        [central(lambda h, u=u: residuals(kind, space, a, moved(b, space, h * u))) for u in np.eye(space.freedoms)]
    ).reshape(kind.count_rows(space), space.freedoms)
    if kind.count_rows(space):
        assert np.linalg.svd(jacobian, compute_uv=False)[-1] > 0.1
        # what the joint lets move is exactly what the rows do not see
        np.testing.assert_allclose(jacobian @ np.vstack(world_columns(kind, space, a, q)), 0.0, atol=1e-9)


@every_attitude
@few
@given(seed=seeds)
def test_columns_are_the_velocity_of_the_motion(kind: JointKind, space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    q, v = random_q(rng, kind, space), ca.SX(ca.DM(rng.normal(size=len(kind.freedoms(space)))))
    rates = kind.rates(space, q, v)
    frame = kind.motion(space, q)
    translation, rotation = kind.columns(space, q)
    velocity = central(lambda h: numeric(kind.motion(space, q + h * rates).origin))
    np.testing.assert_allclose(numeric(translation @ v), velocity, atol=1e-8)
    axes_rate = central(lambda h: numeric(kind.motion(space, q + h * rates).axes))
    spin = axes_rate @ numeric(frame.axes).T
    omega = numeric(rotation @ v).ravel()
    expected = [spin[1, 0]] if space.planar else [spin[2, 1], spin[0, 2], spin[1, 0]]
    np.testing.assert_allclose(omega, expected, atol=1e-8)


@every_kind
@few
@given(seed=seeds)
def test_measure_reads_the_coordinates_back(kind: JointKind, space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, q = random_frame(rng, space), random_q(rng, kind, space)
    b = a @ kind.motion(space, q)
    for first, second in ((a, b), (without_angle(a), without_angle(b))):
        measures = kind.measure(space, first, second)
        assert len(measures) == len(kind.scalars(space))
        for i, measure in enumerate(measures):
            if measure.value is not None:
                found = float(measure.value)
            else:
                sine, cosine = float(measure.sine), float(measure.cosine)
                assert sine**2 + cosine**2 == pytest.approx(1.0, abs=1e-13)
                found = float(np.arctan2(sine, cosine))
            gap = found - float(q[i])
            if kind.scalars(space)[i].kind == "angle":
                gap = (gap + np.pi) % (2 * np.pi) - np.pi
            assert abs(gap) < 1e-12


@every_kind
@few
@given(seed=seeds)
def test_reactions_do_no_work_on_the_freedoms_and_carry_all_else(kind: JointKind, space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, q = random_frame(rng, space), random_q(rng, kind, space)
    b = a @ kind.motion(space, q)
    directions = kind.reactions(space, a, b)
    d, k = space.dimension, space.rotations
    wrenches = [np.concatenate([numeric(f).ravel(), np.zeros(k)]) for f in directions.forces]
    wrenches += [np.concatenate([np.zeros(d), numeric(m).ravel()]) for m in directions.moments]
    assert all(np.linalg.norm(wrench) == pytest.approx(1.0, abs=1e-12) for wrench in wrenches)
    for f, m in directions.combined:
        assert np.linalg.norm(numeric(f)) == pytest.approx(1.0, abs=1e-12)
        wrenches.append(np.concatenate([numeric(f).ravel(), numeric(m).ravel()]))
    assert len(wrenches) == kind.count_rows(space)
    if not wrenches:
        return
    stacked = np.array(wrenches)
    assert np.linalg.matrix_rank(stacked, tol=1e-8) == kind.count_rows(space)
    velocities = np.vstack(world_columns(kind, space, a, q))
    np.testing.assert_allclose(stacked @ velocities, 0.0, atol=1e-12)


@every_kind
@few
@given(seed=seeds)
def test_efforts_do_unit_work_on_their_own_freedom_only(kind: JointKind, space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, q = random_frame(rng, space), random_q(rng, kind, space)
    b = a @ kind.motion(space, q)
    efforts = kind.efforts(space, a, b)
    n = len(kind.freedoms(space))
    assert len(efforts) == n
    if n:
        wrenches = np.array([np.concatenate([numeric(f).ravel(), numeric(m).ravel()]) for f, m in efforts])
        velocities = np.vstack(world_columns(kind, space, a, q))
        np.testing.assert_allclose(wrenches @ velocities, np.eye(n), atol=1e-12)


@every_attitude
@few
@given(seed=seeds)
def test_retraction_moves_with_the_columns_and_stays_on_the_manifold(kind: JointKind, space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    q, v = random_q(rng, kind, space), ca.SX(ca.DM(rng.normal(size=len(kind.freedoms(space)))))
    step = central(lambda h: numeric(kind.retract(space, q, h * v)))
    np.testing.assert_allclose(step, numeric(kind.rates(space, q, v)), atol=1e-8)
    far = kind.retract(space, q, v)
    for _, residual in kind.identities(space, far):
        assert float(residual) == pytest.approx(0.0, abs=1e-14)


@every_attitude
def test_neutral_coordinates_make_the_frames_coincide(kind: JointKind, space: Space) -> None:
    frame = kind.motion(space, kind.neutral(space))
    np.testing.assert_allclose(numeric(frame.origin), 0.0)
    np.testing.assert_allclose(numeric(frame.axes), np.eye(space.dimension), atol=1e-15)
