"""Conditions that come and go in every formulation that takes them, with all of its options, against exact motions."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.formulations import (
    ALL_FORMULATIONS,
    AugmentedLagrangian,
    Baumgarte,
    Formulation,
    Partitioning,
    Penalty,
    RangeSpace,
    RMethod,
    RProjection,
    VelocityTransformation,
)

G = 9.81
TAKE_LIMITS = [item for item in ALL_FORMULATIONS if item.able.limits]
OTHERS = [
    Partitioning(integrate="all"),
    Penalty(project=False),
    AugmentedLagrangian(project=False),
    RangeSpace(project=False),
    RProjection(project=False),
    RProjection(basis="svd"),
    *(RMethod(basis=basis) for basis in ("qr", "svd", "gram_schmidt", "svd_each", "eigen_each", "differentiable")),
    RMethod(integrate="all"),
    Baumgarte(around=RangeSpace()),
    Baumgarte(around=RProjection()),
    *(VelocityTransformation(closed_by=name) for name in ("penalty", "transformation")),
    VelocityTransformation(closed_by=Baumgarte()),
    VelocityTransformation(dependent="points"),
]


def accuracy(formulation: Formulation) -> float:
    rough = isinstance(formulation, Penalty) or getattr(formulation, "closed_by", "") == "penalty"
    return 1e-5 if rough else 1e-7


def load(
    at: tuple[float, float], velocity: tuple[float, float], ropes: dict[str, tuple[float, float, float]]
) -> lw.Model:
    """A load on ropes from places x, y, with lengths."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": list(at)} | {f"O_{name}": [x, y] for name, (x, y, _) in ropes.items()},
        bodies={"load": {"points": ["A"], "com": "A", "mass": 2, "inertia": 0.1}},
        relations={
            name: {"kind": "rope", "between": [f"ground.O_{name}", "load.A"], "length": length}
            for name, (_, _, length) in ropes.items()
        },
        initial={"load": {"vx": velocity[0], "vy": velocity[1]}},
    )


def names(result: lw.Result) -> list[str]:
    return [event.name for event in result.events]


def fits(formulation: Formulation, kind: str) -> bool:
    return not formulation.kinds or kind in formulation.kinds


@pytest.mark.matrix("formulation", "kind")
@pytest.mark.parametrize("kind", ["relative", "natural", "reference_point"])
@pytest.mark.parametrize("formulation", [*TAKE_LIMITS, *OTHERS], ids=repr)
def test_it_leaves_its_circle_and_comes_back(formulation: Formulation, kind: str) -> None:
    """With v² = g L (2 + 3 sin α) the string is slack at α = 30 degrees above the horizontal; the parabola meets the circle
    again at 3 α below it, straight below its centre, and what is left of the speed is that across the string."""
    if not fits(formulation, kind):
        with pytest.raises(lw.errors.RefusedError, match="works in relative coordinates"):
            lw.simulate(load((0, -1), (0, 0), {"rope": (0, 0, 1)}), until=1, formulation=formulation, coordinates=kind)
        return
    alpha, near = np.pi / 6, accuracy(formulation)
    model = load((0.0, -1.0), (np.sqrt(3.5 * G), 0.0), {"rope": (0.0, 0.0, 1.0)})
    result = lw.simulate(model, until=1.5, formulation=formulation, coordinates=kind)
    assert result.outcome.completed, str(result.outcome)
    assert names(result) == ["rope goes slack", "rope goes taut"]
    slack, taut = (event.time for event in result.events)
    speed = np.sqrt(G * np.sin(alpha))
    flight = 4 * speed * np.cos(alpha) / G
    assert taut - slack == pytest.approx(flight, rel=near)
    # the parabola from the point where it leaves, with that speed across the string
    fall = G * flight - speed * np.cos(alpha)
    assert result.events[1].values["impulse"] == pytest.approx(2.0 * fall, rel=near)
    late = result.time > taut + 1e-6
    assert result["energy.total"][late] == pytest.approx((speed * np.sin(alpha)) ** 2 - 2.0 * G, abs=30 * near)
    assert np.min(result["rope.tension"]) >= 0.0
    assert np.max(result["rope.distance"]) <= 1.0 + near
    assert [mode.holds for mode in result.modes] == [("rope",), (), ("rope",)]


@pytest.mark.parametrize("formulation", TAKE_LIMITS, ids=str)
def test_two_ropes_leave_it_no_freedom(formulation: Formulation) -> None:
    """The impulse along both is m v / 2 cos, and then it hangs: nothing is left to integrate."""
    ropes = {"left": (-0.6, 0.0, 1.0), "right": (0.6, 0.0, 1.0)}
    result = lw.simulate(load((0.0, 0.0), (0.0, 0.0), ropes), until=1.0, formulation=formulation)
    assert sorted(names(result)) == ["left goes taut", "right goes taut"]
    near, late = accuracy(formulation), result.time > result.events[0].time
    for event in result.events:
        assert event.values["impulse"] == pytest.approx(2.0 * np.sqrt(1.6 * G) / 1.6, rel=near)
    assert result["A.y"][late] == pytest.approx(-0.8, abs=near)
    assert result["left.tension"][late] == pytest.approx(2.0 * G / 1.6, rel=10 * near)


@pytest.mark.matrix("formulation")
@pytest.mark.parametrize("speed", [0.5, -0.5])
@pytest.mark.parametrize("formulation", TAKE_LIMITS, ids=str)
def test_a_bar_rests_on_a_rope_until_its_cart_jumps(formulation: Formulation, speed: float) -> None:
    """With p = m L²/3 ω − m L/2 sin θ u kept by the jump the bar turns up, or its rope takes Λ = −m L/2 sin θ u / lever."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "E": [1, 0], "P": [0, 1]},
        bodies={
            "cart": {"points": ["O", "P"], "com": "O", "mass": 1, "inertia": 0.1},
            "bar": {"bar": ["O", "E"], "mass": 3},
        },
        joints={
            "rail": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "O", "axis": [1, 0]},
            "hinge": {"kind": "revolute", "bodies": ["cart", "bar"], "at": "O"},
        },
        drivers={"motor": {"joint": "rail", "speed": f"{speed}*step(t - 1.5)"}},
        relations={"stop": {"kind": "rope", "between": ["cart.P", "bar.E"], "length": 1.8}},
    )
    times = [*np.linspace(0, 1.49, 150), 1.5 + 1e-6, 1.55]
    result = lw.simulate(model, times=times, formulation=formulation)
    assert result.outcome.completed, str(result.outcome)
    near, angle, lever = accuracy(formulation), np.pi / 2 - 2 * np.arcsin(0.9), np.cos(np.arcsin(0.9))
    rests = (result.time > result.events[0].time) & (result.time < 1.5)
    assert result["hinge.angle"][rests] == pytest.approx(angle, abs=near)
    assert result["stop.tension"][rests] == pytest.approx(1.5 * G * np.cos(angle) / lever, rel=10 * near)
    if speed > 0.0:
        assert names(result) == ["stop goes taut", "stop goes taut"]
        assert result.events[1].values["impulse"] == pytest.approx(-1.5 * np.sin(angle) * speed / lever, rel=10 * near)
        assert result["hinge.angle"][-1] == pytest.approx(angle, abs=near)
    else:
        assert names(result) == ["stop goes taut", "stop goes slack"]
        behind = 1.5 * np.sin(angle) * speed - 1.5 * G * np.cos(angle) * 1e-6
        assert result["hinge.speed"][-2] == pytest.approx(behind, abs=10 * near)


def test_those_that_cannot_say_what_would_do() -> None:
    model = load((0.6, 0.0), (0.0, 0.0), {"rope": (0.0, 0.0, 1.0)})
    for item in ALL_FORMULATIONS:
        if item not in TAKE_LIMITS:
            told = rf"'{item.name}' cannot hold conditions that come and go.*take 'partitioning' or 'multipliers'"
            with pytest.raises(lw.errors.RefusedError, match=told):
                lw.simulate(model, until=1.0, formulation=item)
