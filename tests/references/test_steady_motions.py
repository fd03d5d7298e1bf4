"""Small motions about steady ones in which bodies spin freely: textbook formulas, in the states that are chosen."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import linkwork as lw

G = 9.81
KINDS = ["relative", "reference_point", "natural"]


@cache
def rolling(shape: str) -> lw.Model:
    """A disc or a hoop of 2 kg and 0.3 m that rolls upright along x."""
    across, about = {"disc": (0.25, 0.5), "hoop": (0.5, 1.0)}[shape]
    moments = [2 * 0.09 * part for part in (across, about, across)]
    return lw.Model(
        space="spatial",
        name=shape,
        gravity=[0, 0, -G],
        parameters={"spin": {"value": 6, "live": True}},
        points={"E": [0, 0, 0]},
        bodies={"disc": {"points": {"O": [0, 0, 0]}, "origin": [0, 0, 0.3], "mass": 2, "com": "O", "inertia": moments}},
        relations={
            "floor": {"kind": "rolling", "centre": "disc.O", "axis": [0, 1, 0], "radius": 0.3, "plane": "ground.E"}
        },
        initial={"disc": {"omega": [0, "spin", 0]}},
    )


@cache
def top() -> lw.Model:
    """A top that stands upright on its tip, 0.5 kg, 0.1 m to its centre of mass."""
    return lw.Model(
        space="spatial",
        name="top",
        gravity=[0, 0, -G],
        parameters={"spin": {"value": 60, "live": True}},
        points={"O": [0, 0, 0], "C": [0, 0, 0.1]},
        bodies={"top": {"points": ["O", "C"], "mass": 0.5, "com": "C", "inertia": [0.0008, 0.0008, 0.0011]}},
        joints={"O": {"kind": "spherical", "bodies": ["ground", "top"]}},
        initial={"O": {"omega": [0, 0, "spin"]}},
    )


def eigenvalues(found: lw.answers.VibrationModes) -> np.ndarray:
    return np.sort_complex([mode.eigenvalue for mode in found])


# SOURCE: Ju. I. Neimark, N. A. Fufaev, "Dynamics of Nonholonomic Systems" (1972); the disc also in the documentation of
# sympy.physics.mechanics ("A rolling disc, with Kane's method"). With moments A across the axis and C about it,
# (A + m r²) θ'' + (C (C + m r²) ω²/A − m g r) θ = 0
@pytest.mark.parametrize("shape", ["disc", "hoop"])
def test_a_disc_and_a_hoop_roll_on_where_they_are_fast_enough(shape: str) -> None:
    across, about = {"disc": (0.25, 0.5), "hoop": (0.5, 1.0)}[shape]
    for spin in (1.0, 8.0):
        stiffness = about * (about + 1) / across * spin**2 - G / 0.3
        found = lw.modes(rolling(shape), parameters={"spin": spin})
        root = np.emath.sqrt(-stiffness / (across + 1))
        exact = [root] if stiffness > 0 else [-root, root]
        np.testing.assert_allclose(eigenvalues(found), exact, rtol=1e-10, atol=1e-10)
        assert found.linearisation.steady and "steady motion" in str(found)
    locus = lw.root_locus(rolling(shape), {"spin": np.linspace(1, 6, 6)})
    (crossing,) = locus.crossings
    # SOURCE: ω² > g/(3 r) for the disc, ω² > g/(4 r) for the hoop
    assert crossing.value == pytest.approx(np.sqrt(G / (0.3 * {"disc": 3, "hoop": 4}[shape])), rel=1e-11)
    assert not crossing.grows and crossing.omega == 0.0 and locus.ranges == [(crossing.value, 6.0)]


# SOURCE: H. Goldstein, "Classical Mechanics", 2nd ed., section 5-7: a sleeping top is stable where ω² > 4 m g l I₁/I₃²;
# with z = ϑ_x + i ϑ_y: I₁ z'' − i I₃ ω z' − m g l z = 0
@pytest.mark.parametrize("kind", KINDS[:2])
@pytest.mark.parametrize("form", ["independent", "dependent", "canonical"])
def test_a_sleeping_top_wakes_below_its_critical_spin(kind: str, form: str) -> None:
    tipped, spun, weight = 0.0008 + 0.5 * 0.1**2, 0.0011, 0.5 * G * 0.1
    for spin in (60.0, 150.0):
        exact = np.roots([tipped, -1j * spun * spin, -weight])
        found = eigenvalues(lw.modes(top(), parameters={"spin": spin}, coordinates=kind, method=form))
        np.testing.assert_allclose(found.real, np.sort(exact.real), rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(np.sort(found.imag), np.sort(exact.imag), rtol=1e-8)
    if form == "independent":
        (crossing,) = lw.root_locus(top(), {"spin": [60, 90, 130]}, coordinates=kind).crossings
        assert crossing.value == pytest.approx(np.sqrt(4 * weight * tipped) / spun, rel=1e-11)
        assert crossing.omega == pytest.approx(np.sqrt(weight / tipped), rel=1e-8) and crossing.meeting
        assert "grows no more beyond" in str(crossing)


def test_spinning_states_are_named_and_can_be_asked_for() -> None:
    linear = lw.linearise(top(), states=["O.ry", "O.rx", "O.rz"], outputs=["top.x", "O.rx_rate", "O.wx"])
    assert linear.states == ("O.ry", "O.rx", "O.rz", "O.rx_rate", "O.ry_rate", "O.rz_rate")
    # the centre of mass goes by ϑ × l e_z, and dϑ/dt = δω + ω × δϑ
    np.testing.assert_allclose(linear.c, [[0.1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0], [60, 0, 0, 1, 0, 0]], atol=1e-12)
    assert linear.source.unit("O.rx") == "rad" and linear.source.unit("O.rx_rate") == "rad/s"


def test_rates_of_wanted_positions_are_states() -> None:
    """x = [p, p'] has the matrix [0 1; −M⁻¹K 0]: two pendulums that stand on a cart, in angles from the x axis."""
    m, l1, l2 = (0.6, 0.2, 0.2), 0.5, 0.7
    cart = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"C": [0, 0], "A": [0, l1], "B": [0, l1 + l2]},
        bodies={
            "cart": {"points": ["C"], "mass": m[0], "inertia": 1},
            "lower": {"bar": ["C", "A"], "mass": m[1]},
            "upper": {"bar": ["A", "B"], "mass": m[2]},
        },
        joints={
            "rail": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "C", "axis": [1, 0]},
            "C": {"kind": "revolute", "bodies": ["cart", "lower"]},
            "A": {"kind": "revolute", "bodies": ["lower", "upper"]},
        },
    )
    linear = lw.linearise(cart, states=["rail.position", "lower.angle", "upper.angle"], inputs=["rail.effort"])
    assert linear.states[3:] == ("rail.speed", "lower.speed", "upper.speed")
    s1, s2, s3 = -(m[1] / 2 + m[2]) * l1, -m[2] * l2 / 2, m[2] * l1 * l2 / 2
    mass = np.array([[sum(m), s1, s2], [s1, (m[1] / 3 + m[2]) * l1**2, s3], [s2, s3, m[2] * l2**2 / 3]])
    stiffness = np.diag([0, s1 * G, s2 * G])
    exact = np.block([[np.zeros((3, 3)), np.eye(3)], [-np.linalg.solve(mass, stiffness), np.zeros((3, 3))]])
    np.testing.assert_allclose(linear.a, exact, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(linear.b[:, 0], [0, 0, 0, *np.linalg.inv(mass)[:, 0]], rtol=1e-12, atol=1e-13)


def test_a_motion_that_is_not_steady_says_so() -> None:
    """A pendulum that swings through its lowest point: nothing changes there to first order, but it does soon after."""
    pendulum = lw.Model(
        space="planar",
        gravity=[0, -G],
        parameters={"speed": {"value": 2, "live": True}},
        points={"O": [0, 0], "A": [0, -1]},
        bodies={"bar": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"]}},
        initial={"O": {"speed": "speed"}},
    )
    linear = lw.linearise(pendulum)
    assert not linear.steady and "not steady" in str(linear) and "hold for this moment" in str(lw.modes(linear))
    locus = lw.root_locus(pendulum, {"speed": [1, 2, 3]})
    assert locus.unsteady == (1.0, 2.0, 3.0) and "speed = 1, 2, 3" in str(locus)
