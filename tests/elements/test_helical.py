"""A screw knows its turn by its advance: far turns, the joins of the turns, and positions between two of them."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from random_mechanisms import random_rotation

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import about_z
from linkwork.algebra.space import SPATIAL
from linkwork.elements.joints.helical import Helical

PITCHES = (0.002, -0.3)  # m per turn


def screw(pitch: float) -> Helical:
    kind = Helical().with_numbers({"pitch": ca.SX(pitch)})
    assert isinstance(kind, Helical)
    return kind


def base(seed: int = 0) -> Frame:
    rng = np.random.default_rng(seed)
    return Frame(ca.SX(ca.DM(rng.normal(size=3))), ca.SX(ca.DM(random_rotation(rng))))


@pytest.mark.parametrize("pitch", PITCHES)
def test_one_turn_advances_by_the_pitch(pitch: float) -> None:
    frame = screw(pitch).motion(SPATIAL, ca.SX(2 * np.pi))
    np.testing.assert_allclose(np.array(ca.DM(frame.origin)).ravel(), [0, 0, pitch], rtol=0, atol=1e-17)
    (advance,) = screw(pitch).followers(SPATIAL)
    assert float(advance.ratio) * 2 * np.pi == pytest.approx(pitch, rel=1e-15)


@pytest.mark.parametrize("pitch", PITCHES)
@pytest.mark.parametrize("angle", [0.0, 3.0, np.pi, -np.pi, 3 * np.pi, 1000.0, -12345.6])
def test_the_angle_is_read_with_its_turns(pitch: float, angle: float) -> None:
    kind, a = screw(pitch), base()
    (measure,) = kind.measure(SPATIAL, a, a @ kind.motion(SPATIAL, ca.SX(angle)))
    assert float(measure.value) == pytest.approx(angle, abs=1e-9)


@pytest.mark.parametrize("pitch", PITCHES)
def test_between_two_turns_the_nearer_one_counts(pitch: float) -> None:
    kind, a = screw(pitch), base(1)
    for part, turn in ((0.4, 7), (-0.4, 7), (0.6, 8)):
        # turned by seven whole turns and a bit, but advanced by *part* of a pitch too much
        bit = 0.2
        b = a @ Frame(ca.vertcat(0, 0, pitch * (7 + bit / (2 * np.pi) + part)), about_z(ca.SX(bit)))
        (measure,) = kind.measure(SPATIAL, a, b)
        assert float(measure.value) == pytest.approx(2 * np.pi * turn + bit, abs=1e-9)
        gap = kind.rows(SPATIAL, a, b)[-1].residual
        assert float(gap) == pytest.approx(pitch * (part + 7 - turn), abs=1e-12 * abs(pitch) + 1e-15)


def test_the_condition_is_linear_in_turn_and_advance() -> None:
    """Its derivatives by the turn and by the advance are −h and 1 everywhere, also where atan2 jumps."""
    pitch = 0.05
    kind = screw(pitch)
    turned, risen = ca.SX.sym("turned"), ca.SX.sym("risen")
    a = base(2)
    gap = kind.rows(SPATIAL, a, a @ Frame(ca.vertcat(0, 0, risen), about_z(turned)))[-1].residual
    f = ca.Function("f", [turned, risen], [gap, ca.jacobian(gap, ca.vertcat(turned, risen))])
    for angle in np.concatenate([np.linspace(-20, 20, 101), np.pi * np.arange(-5, 6)]):
        value, slopes = f(angle, pitch * angle / (2 * np.pi))
        assert abs(float(value)) < 1e-15
        np.testing.assert_allclose(np.array(slopes), [[-pitch / (2 * np.pi), 1.0]], rtol=1e-13)
