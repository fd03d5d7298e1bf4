"""Velocities, accelerations and jerks against complex steps through closed forms written by hand.

f'(θ) = Im f(θ + ih) / h with h = 1e-30 has no error but rounding (W. Squire, G. Trapp, SIAM Review 40, 1998). The velocity
is the complex step of the position, the acceleration that of a velocity written by hand, the jerk that of such an
acceleration: each of them checks the one before, too. The crank turns with unit speed.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from combinations import KINDS
from drawn_linkages import four_bar, slider_crank

import linkwork as lw
from linkwork.numerics.paths.displacement import METHODS

TURN = np.linspace(0.3, 0.3 + 2 * np.pi, 13)
GROUND, CRANK, COUPLER, ROCKER = 2.2, 1.0, 2.5, 2.0
R, L, E = 0.5, 1.7, 0.2
WAYS = [(None, "relative"), *((method, "relative") for method in METHODS), *(("modified", kind) for kind in KINDS[1:])]


def complex_step(f, places):
    return np.imag(f(places + 1e-30j)) / 1e-30


def angles(theta):
    """Coupler and rocker: two circles meet above the ground; logarithms of unit numbers, so that θ may be complex."""
    ax, ay = CRANK * np.cos(theta), CRANK * np.sin(theta)
    dx, dy = GROUND - ax, -ay
    square = dx * dx + dy * dy
    along = (COUPLER**2 - ROCKER**2 + square) / (2 * square)
    off = np.sqrt(COUPLER**2 / square - along * along)
    ux, uy = (along * dx - off * dy) / COUPLER, (along * dy + off * dx) / COUPLER
    wx, wy = (ax + COUPLER * ux - GROUND) / ROCKER, (ay + COUPLER * uy) / ROCKER
    # arctan2 of complex numbers: only a shift by a whole turn is lost
    return 2 * np.arctan(uy / (1 + ux)), 2 * np.arctan(wy / (1 + wx))


def speeds(theta):
    """Loop closure, r₂ e^{iθ} + r₃ e^{iφ} = r₁ + r₄ e^{iψ}, differentiated once and divided by each unit in turn."""
    phi, psi = angles(theta)
    slant = np.sin(psi - phi)
    return CRANK * np.sin(theta - psi) / (COUPLER * slant), CRANK * np.sin(theta - phi) / (ROCKER * slant)


def accelerations(theta):
    """Differentiated twice."""
    (phi, psi), (u, w) = angles(theta), speeds(theta)
    slant = np.sin(psi - phi)
    across = CRANK * np.cos(theta - psi) + COUPLER * u**2 * np.cos(phi - psi) - ROCKER * w**2
    along = CRANK * np.cos(theta - phi) + COUPLER * u**2 - ROCKER * w**2 * np.cos(psi - phi)
    return across / (COUPLER * slant), along / (ROCKER * slant)


@cache
def linkage() -> lw.Model:
    return four_bar((CRANK, COUPLER, ROCKER, GROUND), 0.3, 1.0)


@pytest.mark.parametrize(("method", "kind"), WAYS)
def test_the_rocker_of_a_four_bar(method, kind):
    result = lw.solve_kinematics(linkage(), {"O": TURN}, method=method, coordinates=kind, tolerance=1e-14)
    np.testing.assert_allclose(result["C.angle"], angles(TURN)[1], rtol=0, atol=1e-10)
    np.testing.assert_allclose(result["C.speed"], complex_step(lambda z: angles(z)[1], TURN), rtol=0, atol=1e-10)
    np.testing.assert_allclose(result["C.acceleration"], complex_step(lambda z: speeds(z)[1], TURN), rtol=0, atol=1e-10)
    np.testing.assert_allclose(result["C.jerk"], complex_step(lambda z: accelerations(z)[1], TURN), rtol=0, atol=1e-10)


def slider(theta):
    return R * np.cos(theta) + np.sqrt(L**2 - (R * np.sin(theta) - E) ** 2)


def slider_speed(theta):
    """x = r cos θ + l cos φ with l sin φ = e − r sin θ."""
    rise = R * np.sin(theta) - E
    return -R * np.sin(theta) - rise * R * np.cos(theta) / np.sqrt(L**2 - rise**2)


def slider_acceleration(theta):
    rise, rate = R * np.sin(theta) - E, R * np.cos(theta)
    root = np.sqrt(L**2 - rise**2)
    return -rate - (rate**2 - rise * R * np.sin(theta)) / root - rise**2 * rate**2 / root**3


@cache
def engine() -> lw.Model:
    return slider_crank((R, L, E), 0.3, 1.0)


@pytest.mark.parametrize(("method", "kind"), WAYS)
def test_the_slider_of_a_crank(method, kind):
    result = lw.solve_kinematics(engine(), {"O": TURN}, method=method, coordinates=kind, tolerance=1e-14)
    np.testing.assert_allclose(result["guide.position"], slider(TURN), rtol=0, atol=1e-10)
    np.testing.assert_allclose(result["guide.speed"], complex_step(slider, TURN), rtol=0, atol=1e-10)
    np.testing.assert_allclose(result["guide.acceleration"], complex_step(slider_speed, TURN), rtol=0, atol=1e-10)
    np.testing.assert_allclose(result["guide.jerk"], complex_step(slider_acceleration, TURN), rtol=0, atol=1e-10)
