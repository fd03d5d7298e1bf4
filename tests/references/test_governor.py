"""Watt's governor and the engine that hunts: angles, eigenvalues and the limit of stability in closed form.

With balls m on arms l, a sleeve M that links at half the arms lift, D = 2 m l² and G = (2 m + M) g l the energy at the
speed Ω is V = −G cos φ − ½ D Ω² sin² φ and the inertia of the arms I = D + M l² sin² φ. On a shaft with a flywheel J, with
steam of a torque k l cos φ and a load F = k l cos φ, the characteristic polynomial of the steady motion is

    (I λ² + b λ + D ω² sin² φ) (J + D sin² φ) λ + 2 D ω sin φ cos φ (2 D ω sin φ cos φ λ + k l sin φ) .

Hurwitz: it is stable where b ω (J + D sin² φ + 4 D cos² φ) > 2 I F.
SOURCE: for J ≫ D it is I. A. Vyshnegradskii's condition (b J / I) (ω / 2 F) > 1, in L. S. Pontryagin, Ordinary Differential
Equations (1962), section 27.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
BALL, SLEEVE, ARM, G = 1.5, 1.0, 0.4, 9.81
D = 2 * BALL * ARM**2
SLOWEST = np.sqrt((BALL + SLEEVE / 2) * G / (BALL * ARM))
VALVE, COSINE = 100.0, 0.6
LOAD = VALVE * ARM * COSINE
SPEED = SLOWEST / np.sqrt(COSINE)
SINE2 = 1 - COSINE**2
INERTIA = D + SLEEVE * ARM**2 * SINE2


@cache
def governor() -> lw.Model:
    return lw.load(LIBRARY / "governor.yaml")


@cache
def engine() -> lw.Model:
    return lw.load(LIBRARY / "steam_engine.yaml")


@pytest.mark.parametrize("method", ["virtual_power", "multipliers", "penalty", "relaxation"])
def test_balls_fly_as_high_as_their_speed_says(method: str) -> None:
    for speed in (6.0, 8.0, 12.0):
        eq = lw.find_equilibrium(governor(), method=method, parameters={"Omega": speed})
        cosine = (SLOWEST / speed) ** 2
        assert eq["lift.position"] == pytest.approx(-ARM * cosine, abs=1e-10)
        direction = eq.directions[0]
        # V'' = D Ω² sin² φ
        stiffness = direction.stiffness / direction.moves["right.angle"] ** 2
        assert stiffness == pytest.approx(D * speed**2 * (1 - cosine**2), rel=1e-10)


def test_balls_hang_below_a_speed() -> None:
    path = lw.equilibrium_path(governor(), {"Omega": np.linspace(9, 5, 5)})
    cosines = np.minimum((SLOWEST / path["Omega"]) ** 2, 1.0)
    np.testing.assert_allclose(-path["lift.position"], ARM * cosines, atol=1e-9)


def test_eigenvalues_over_the_speed() -> None:
    speeds, friction = np.linspace(6, 14, 5), 20.0
    locus = lw.root_locus(governor(), {"Omega": speeds}, about="equilibrium", parameters={"damping": friction})
    sines = 1 - (SLOWEST / speeds) ** 4
    lever = ARM**2 * sines
    exact = [
        np.roots([D + SLEEVE * arm, friction * arm, D * w**2 * s])
        for w, s, arm in zip(speeds, sines, lever, strict=True)
    ]
    np.testing.assert_allclose(np.sort_complex(locus.eigenvalues), np.sort_complex(exact), rtol=1e-9)
    assert np.all(locus.stable) and not locus.crossings and not locus.snaps


def roots(friction: float, flywheel: float) -> np.ndarray:
    b, total = friction * ARM**2 * SINE2, flywheel + D * SINE2
    mixed = 2 * D * SPEED * np.sqrt(SINE2) * COSINE
    cubic = [
        INERTIA * total,
        b * total,
        D * SPEED**2 * SINE2 * total + mixed**2,
        mixed * VALVE * ARM * np.sqrt(SINE2),
    ]
    return np.sort_complex(np.roots(cubic))


@pytest.mark.parametrize("coordinates", ["relative", "natural"])
def test_an_engine_hunts_below_the_friction_of_vyshnegradskii(coordinates: str) -> None:
    # in these states the motion is steady, whatever the coordinates
    states, options = ["turn.angle", "lift.position", "turn.speed", "lift.speed"], {"coordinates": coordinates}
    locus = lw.root_locus(engine(), {"damping": [2, 8, 20, 30]}, states=states, parameters={"kick": 0}, **options)
    assert locus.neutral == 1, "the shaft may stand at any angle"
    for friction, found in zip(locus.values, locus.eigenvalues, strict=True):
        np.testing.assert_allclose(np.sort_complex(found), roots(friction, 2.0), rtol=1e-9)
    (crossing,) = locus.crossings
    limit = 2 * INERTIA * LOAD / (SPEED * (2.0 + D * (SINE2 + 4 * COSINE**2)))
    assert crossing.value * ARM**2 * SINE2 == pytest.approx(limit, rel=1e-11) and not crossing.grows
    assert crossing.omega == pytest.approx(abs(roots(crossing.value, 2.0)[-1].imag), rel=1e-9)


def test_a_heavy_flywheel_leads_to_the_published_condition() -> None:
    """(b J / I) (ω / 2 F) = 1 − O(D/J)."""
    heavy = 1e5  # eigenvalues are right to 1e-16 of their size, real parts are the 1e-5 part of it
    locus = lw.root_locus(engine(), {"damping": [1e-6, 1e-3]}, parameters={"kick": 0, "flywheel": heavy})
    b = locus.crossings[0].value * ARM**2 * SINE2
    published = b * heavy / INERTIA * SPEED / (2 * LOAD)
    assert published == pytest.approx(1 / (1 + D * (SINE2 + 4 * COSINE**2) / heavy), rel=1e-9)
    lighter = lw.root_locus(engine(), {"flywheel": [0.5, 1, 4, 8]}, parameters={"kick": 0, "damping": 20})
    exact = 2 * INERTIA * LOAD / (SPEED * 20 * ARM**2 * SINE2) - D * (SINE2 + 4 * COSINE**2)
    assert lighter.crossings[0].value == pytest.approx(exact, rel=1e-10)
