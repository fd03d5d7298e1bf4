"""Contacts that give way, and friction that is smooth: against closed forms of impacts, rest and creeping."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import beta

import linkwork as lw

G, R, MASS = 9.81, 0.1, 2.0


def thrown(space: str, law: dict[str, Any], speed: float = 1.0, gravity: float = 0.0, gap: float = 0.01) -> lw.Model:
    """A ball that flies at a floor."""
    d = 2 if space == "planar" else 3
    up = [0.0] * (d - 1) + [1.0]
    skin = {"cylinder": {"radius": R, "length": 0.1, "axis": "z"}} if d == 2 else {"sphere": {"radius": R}}
    start = {"vx": 0.0, "vy": -speed} if d == 2 else {"velocity": [0.0, 0.0, -speed]}
    ball = {"points": {"C": [0] * d}, "origin": [(R + gap) * x for x in up], "shapes": {"skin": {**skin, "mass": MASS}}}
    return lw.Model(
        space=space,
        gravity=[-gravity * x for x in up],
        bodies={"ball": ball},
        surfaces={"floor": {"plane": up}},
        contacts={"c": {"between": ["floor", "ball"], **law}},
        initial={"ball": start},
    )


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize(
    ("law", "stiffness", "power"),
    [
        ({"stiffness": 2e5}, 2e5, 1.0),
        ({"stiffness": 2e6, "law": "hunt_crossley"}, 2e6, 1.5),
        ({"stiffness": "2 MPa", "law": "hertz"}, 4 / 3 * 2e6 * np.sqrt(R), 1.5),
    ],
)
def test_an_impact_lasts_as_long_as_theory_says(
    space: str, law: dict[str, Any], stiffness: float, power: float
) -> None:
    """½ m v² = k δ^(p+1)/(p+1) at the deepest, and the time is 2 δ/v ∫ dx/√(1 − x^(p+1))."""
    deepest = ((power + 1) * MASS / (2 * stiffness)) ** (1 / (power + 1))
    begin, end = 0.01, 0.01 + 2 * deepest * beta(1 / (power + 1), 0.5) / (power + 1)
    times = [0, (begin + end) / 2, 0.06]
    result = lw.simulate(thrown(space, law), until=0.06, times=times, rtol=1e-11, atol=1e-13)
    height = "ball.y" if space == "planar" else "ball.z"
    assert result["c.gap"][1] == pytest.approx(-deepest, rel=1e-9)
    assert result["c.force"][1] == pytest.approx(stiffness * deepest**power, rel=1e-9)
    assert result[height][-1] - R == pytest.approx(0.06 - end, abs=1e-9)
    assert result.audit.passed


def test_what_hunt_and_crossley_send_back() -> None:
    """Damping 3/2 α of small α sends e = 1 − α v back to first order, and its work is the energy that is lost."""
    e = []
    for alpha in (0.02, 0.01):
        model = thrown("planar", {"stiffness": 2e6, "law": "hunt_crossley", "damping": 1.5 * alpha})
        result = lw.simulate(model, until=0.06, rtol=1e-11, atol=1e-13)
        e.append(result["ball.vy"][-1])
        assert result.audit.passed
        lost = MASS * (1 - e[-1] ** 2) / 2
        assert result["c.work"][-1] == pytest.approx(-lost, rel=1e-6)
    assert [(1 - x) / alpha for x, alpha in zip(e, (0.02, 0.01), strict=True)] == pytest.approx([1.0, 1.0], abs=0.02)
    # halving alpha halves what is missing of the first order
    first, second = (abs(1 - x - a) / a for x, a in zip(e, (0.02, 0.01), strict=True))
    assert second == pytest.approx(first / 2, rel=0.2)


def test_a_ball_comes_to_rest_as_deep_as_it_weighs() -> None:
    result = lw.simulate(thrown("spatial", {"stiffness": 1e4, "damping": 200.0}, 0.0, G, 0.001), until=2)
    assert result["c.gap"][-1] == pytest.approx(-MASS * G / 1e4, rel=1e-9)
    assert result["c.force"][-1] == pytest.approx(MASS * G, rel=1e-9)
    assert np.min(result["c.force"]) >= 0.0
    assert result.audit.passed


def sliding(space: str, law: dict[str, Any]) -> lw.Model:
    """A ball that cannot turn, on a slope of 20 degrees."""
    a, d = np.radians(20), 2 if space == "planar" else 3
    normal = np.array([0.0, 1.0] if d == 2 else [0.0, 0.0, 1.0])
    skin = {"cylinder": {"radius": R, "length": 0.1, "axis": "z"}} if d == 2 else {"sphere": {"radius": R}}
    pull = G * np.sin(a) * np.eye(d)[0] - G * np.cos(a) * normal
    return lw.Model(
        space=space,
        gravity=list(pull),
        points={"C": list(R * normal), "D": [0] * d},
        bodies={
            "ball": {"points": ["C"], "shapes": {"skin": {**skin, "mass": MASS}}},
            "lift": {"points": ["D"], "mass": 0.1, "inertia": 1 if d == 2 else [1, 1, 1]},
        },
        joints={
            "D": {"kind": "prismatic", "bodies": ["ground", "lift"], "axis": list(np.eye(d)[0])},
            "C": {"kind": "prismatic", "bodies": ["lift", "ball"], "axis": list(normal)},
        },
        surfaces={"floor": {"plane": list(normal)}},
        contacts={"c": {"between": ["floor", "ball"], **law}},
    )


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("soft", [{}, {"stiffness": 1e5, "damping": 500.0}])
def test_smooth_friction_creeps(space: str, soft: dict[str, Any]) -> None:
    """What would hold creeps with ε r/√(1 − r²), r the part of its friction that is needed."""
    mu, slow = 0.6, 0.001
    result = lw.simulate(sliding(space, {"friction": mu, "smoothing": slow, **soft}), until=1)
    a = np.radians(20)
    part = (MASS + 0.1) * np.sin(a) / (mu * MASS * np.cos(a))
    speed = slow * part / np.sqrt(1 - part**2)
    assert abs(result["c.slip"][-1]) == pytest.approx(speed, rel=1e-6)
    assert abs(result["c.friction"][-1]) == pytest.approx((MASS + 0.1) * G * np.sin(a), rel=1e-6)
    assert result.audit.passed


@pytest.mark.parametrize(
    ("law", "reason"),
    [
        ({"stiffness": 1e5, "friction": 0.3}, "give the speed below which it is smooth"),
        ({"friction": 0.1, "spinning": 0.001}, "nothing spins about a normal in the plane"),
        ({"stiffness": 1e5, "rolling": 0.001}, "rolling and spinning friction are those of rigid contacts"),
    ],
)
def test_what_does_not_act_is_refused(law: dict[str, Any], reason: str) -> None:
    with pytest.raises(lw.errors.RefusedError, match=reason):
        lw.simulate(thrown("planar", law), until=0.1)


def test_hertz_wants_round_surfaces() -> None:
    box = {"points": {"C": [0, 0]}, "origin": [0, 1], "shapes": {"h": {"box": [0.1, 0.1], "mass": 1}}}
    law = {"between": ["floor", "box"], "stiffness": 1e9, "law": "hertz"}
    model = lw.Model(space="planar", bodies={"box": box}, surfaces={"floor": {"plane": [0, 1]}}, contacts={"c": law})
    with pytest.raises(lw.errors.RefusedError, match="Hertz's theory is used of balls"):
        lw.simulate(model, until=0.1)


@pytest.mark.parametrize("law", [{"stiffness": 1e6, "damping": 50}, {"stiffness": 1e7, "damping": 0}])
@pytest.mark.parametrize("kind", ["linear", "hunt_crossley", "hertz"])
@pytest.mark.parametrize("until", [0.5, 1.0])
def test_what_is_destroyed_is_what_the_energy_loses(law: dict[str, float], kind: str, until: float) -> None:
    """A free flight is one step, which looks deep into the floor before it is cut where the ball touches."""
    damping = law["damping"] if kind == "linear" else law["damping"] / 200
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        bodies={
            "ball": {
                "points": {"C": [0, 0]},
                "origin": [0, 0.25],
                "shapes": {"s": {"sphere": {"radius": 0.05}, "mass": 0.5}},
            }
        },
        surfaces={"floor": {"plane": [0, 1]}},
        contacts={"c": {"between": ["floor", "ball"], "law": kind, **law, "damping": damping}},
    )
    result = lw.simulate(model, until=until)
    energy, lost = result["energy.total"], result["work.dissipated"]
    assert lost == pytest.approx(energy[0] - energy, abs=1e-6 * energy[0])
    assert -result["c.work"][-1] == pytest.approx(lost[-1], abs=1e-6 * energy[0])
    assert np.all(np.diff(lost) > -1e-6)
    assert result.audit.passed and not result.audit.unchecked
