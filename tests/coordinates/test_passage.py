"""What a joint does on the way from body to body: written once for a kind, and another one where its numbers are others."""

import casadi as ca
import numpy as np
import pytest

from linkwork.algebra.space import SPATIAL, space_named
from linkwork.coordinates.passage import columns_at, passage, positions
from linkwork.elements.joints import ALL_JOINTS, FREE, JointKind
from linkwork.elements.joints.helical import Helical
from linkwork.position.geometry import Pose

KINDS = [(kind, space) for kind in (*ALL_JOINTS, FREE) for space in kind.spaces]
STEP = 1e-6


def _state(kind: JointKind, space: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng, own = np.random.default_rng(seed), space_named(space)
    q, v = rng.uniform(-0.7, 0.7, kind.count_positions(own)), rng.normal(size=len(kind.freedoms(own)))
    if kind.spins(own):
        q[-4:] /= np.linalg.norm(q[-4:]) * np.sign(q[-4])
    return q, v


def _pose(kind: JointKind, space: str, backwards: bool, q: np.ndarray) -> Pose:
    own = space_named(space)
    found = passage(kind, own, backwards, ca.SX(q), ca.SX(len(kind.freedoms(own)), 1))
    angle = float(found.angle) if found.angle.numel() else None
    return Pose(ca.DM(found.origin).full().ravel(), ca.DM(found.axes).full(), angle)


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(("kind", "space"), KINDS, ids=lambda x: getattr(x, "name", x))
def test_columns_are_rates_of_the_frame(kind: JointKind, space: str, backwards: bool) -> None:
    """Against differences of the frame itself, with the rates of its coordinates."""
    own = space_named(space)
    (q, v), d = _state(kind, space, 5), own.dimension
    rates = ca.DM(kind.rates(own, ca.SX(q), ca.SX(v))).full().ravel()
    before, after = (_pose(kind, space, backwards, q + sign * STEP * rates) for sign in (-1, 1))
    here = _pose(kind, space, backwards, q)
    spin = (after.axes - before.axes) / (2 * STEP) @ here.axes.T
    turning = [spin[1, 0]] if own.planar else [spin[2, 1], spin[0, 2], spin[1, 0]]
    expected = np.concatenate([(after.origin - before.origin) / (2 * STEP), turning])
    np.testing.assert_allclose(columns_at(kind, own, backwards, np.eye(d), q) @ v, expected, atol=1e-8)


@pytest.mark.parametrize(("kind", "space"), KINDS, ids=lambda x: getattr(x, "name", x))
def test_coordinates_are_read_off_the_frames(kind: JointKind, space: str) -> None:
    own = space_named(space)
    q, _ = _state(kind, space, 6)
    here = Pose(np.zeros(own.dimension), np.eye(own.dimension), 0.0 if own.planar else None)
    np.testing.assert_allclose(positions(kind, own, here, _pose(kind, space, False, q)), q, atol=1e-12)


def test_threads_of_other_pitch_are_other_kinds() -> None:
    heights = [_pose(Helical(pitch), "spatial", False, np.array([2.0])).origin[2] for pitch in (0.1, -0.3, 0.1)]
    np.testing.assert_allclose(heights, [0.2, -0.6, 0.2])


def test_a_live_pitch_stays_an_expression() -> None:
    pitch, q = ca.SX.sym("h"), ca.SX.sym("q")
    found = passage(Helical(pitch), SPATIAL, False, q, ca.SX.sym("v"))
    assert float(ca.Function("z", [pitch, q], [found.origin[2]])(0.2, 3.0)) == pytest.approx(0.6)
