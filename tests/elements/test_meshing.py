"""Signs of meshes: where two wheels touch, they have the same velocity, wherever they lie."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.elements.couplings.base import Coupled
from linkwork.elements.couplings.belt import run_belt
from linkwork.elements.couplings.gear import WheelSizes, mesh
from linkwork.elements.couplings.motion import CoupledMotion, Term
from linkwork.elements.couplings.rack import mesh_with_rack

RADII = st.floats(0.1, 2.0)
SIGNS = st.sampled_from([-1.0, 1.0])
SEEDS = st.integers(0, 10**6)


def number(expression: ca.SX) -> float:
    return float(expression)


def motion(name: str, point: np.ndarray, direction: np.ndarray) -> CoupledMotion:
    return CoupledMotion(name, (Term(name, "angle", ca.SX(1)),), point, direction, point, direction)


def speeds(coupled: Coupled) -> tuple[float, float]:
    """Rates of the two coordinates that the coupling allows, the first 1."""
    factors = {term.joint: float(term.factor) for term in coupled.terms}
    return 1.0, -factors["one"] / factors["two"]


def axes(seed: int) -> np.ndarray:
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]


@given(r1=RADII, r2=RADII, s1=SIGNS, s2=SIGNS, seed=SEEDS, internal=st.booleans())
def test_parallel_axes(r1: float, r2: float, s1: float, s2: float, seed: int, internal: bool) -> None:
    if internal and abs(r1 - r2) < 1e-3:
        return
    x, _, z = axes(seed).T
    distance = r1 - r2 if internal else r1 + r2
    centres = np.zeros(3), distance * x + 0.3 * z
    one, two = motion("one", centres[0], s1 * z), motion("two", centres[1], s2 * z)
    w1, w2 = speeds(mesh(one, two, WheelSizes(ca.SX(r1), ca.SX(r2), True), internal, None, number))
    touch = r1 * x
    gap = np.cross(w1 * s1 * z, touch) - np.cross(w2 * s2 * z, touch - distance * x)
    np.testing.assert_allclose(gap, 0, atol=1e-9)


@given(g1=st.floats(0.2, 1.2), g2=st.floats(0.2, 1.2), s1=SIGNS, s2=SIGNS, seed=SEEDS, internal=st.booleans())
def test_bevel_gears(g1: float, g2: float, s1: float, s2: float, seed: int, internal: bool) -> None:
    """Cones with half angles γ₁ and γ₂ touch along a line; the centres of their circles stand on the axes."""
    if internal and abs(g1 - g2) < 0.05:
        return
    turn = axes(seed)

    def on_plane(angle: float) -> np.ndarray:
        return turn @ np.array([np.cos(angle), np.sin(angle), 0.0])

    line, e1, e2 = on_plane(0.0), on_plane(g1), on_plane(g2 if internal else -g2)
    apex = turn @ np.array([1.0, 2.0, 3.0])
    one = motion("one", apex + np.cos(g1) * e1, s1 * e1)
    two = motion("two", apex + np.cos(g2) * e2, s2 * e2)
    sizes = WheelSizes(ca.SX(np.sin(g1)), ca.SX(np.sin(g2)), True)
    coupled = mesh(one, two, sizes, internal, None, number)
    w1, w2 = speeds(coupled)
    np.testing.assert_allclose(np.cross(w1 * s1 * e1 - w2 * s2 * e2, line), 0, atol=1e-9)
    if not internal:
        np.testing.assert_allclose([w.radius for w in coupled.wheels], [np.sin(g1), np.sin(g2)], rtol=1e-9)


@given(s1=SIGNS, s2=SIGNS, height=st.floats(-2, 2), seed=SEEDS, hand=st.sampled_from(["right", "left"]))
def test_a_worm_moves_its_wheel_like_a_nut(s1: float, s2: float, height: float, seed: int, hand: str) -> None:
    """A nut on a right-handed screw that turns in place by ω about e moves along −e."""
    if abs(height) < 0.1:
        return
    x, y, z = axes(seed).T
    worm, wheel = motion("one", height * z + 0.4 * x, s1 * x), motion("two", -0.2 * y, s2 * y)
    w1, w2 = speeds(mesh(worm, wheel, WheelSizes(ca.SX(1), ca.SX(30), False), False, hand, number))
    touch = np.cross(w2 * s2 * y, height * z)
    assert np.sign(touch @ (w1 * s1 * x)) == (-1.0 if hand == "right" else 1.0)
    assert abs(w2) == pytest.approx(1 / 30, rel=1e-12)


@given(radius=RADII, s1=SIGNS, s2=SIGNS, side=SIGNS, seed=SEEDS)
def test_racks(radius: float, s1: float, s2: float, side: float, seed: int) -> None:
    x, y, z = axes(seed).T
    pinion = motion("one", np.zeros(3), s1 * z)
    rack = motion("two", 0.7 * x + side * radius * y, s2 * x)
    w, v = speeds(mesh_with_rack(pinion, rack, ca.SX(radius), None, radius))
    np.testing.assert_allclose(v * s2 * x, np.cross(w * s1 * z, side * radius * y), atol=1e-9)


@given(r1=RADII, r2=RADII, s1=SIGNS, s2=SIGNS, crossed=st.booleans(), seed=SEEDS)
def test_belts(r1: float, r2: float, s1: float, s2: float, crossed: bool, seed: int) -> None:
    """The belt has the same speed on both pulleys; along an open one it passes their far sides the same way round."""
    x, _, z = axes(seed).T
    one, two = motion("one", np.zeros(3), s1 * z), motion("two", 5 * x, s2 * z)
    w1, w2 = speeds(run_belt(one, two, (ca.SX(r1), ca.SX(r2)), crossed, (r1, r2)))
    assert r1 * w1 * s1 == pytest.approx((-1.0 if crossed else 1.0) * r2 * w2 * s2, rel=1e-9)
