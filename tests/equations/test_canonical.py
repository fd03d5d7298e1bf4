"""Momenta as states: the motion and reactions of the other formulations, and passes through singular positions."""

from __future__ import annotations

import math
from collections.abc import Callable

import linkages
import mechanisms
import numpy as np
import pytest
from combinations import KINDS
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

import linkwork as lw

TIGHT = {"until": 0.5, "step": 0.05, "rtol": 1e-10, "atol": 1e-12}


def driven() -> lw.Model:
    return linkages.slider_crank(drivers={"motor": {"joint": "O", "speed": "3 + sin(4*t)"}}, initial={})


CASES = (
    *((linkages.six_bar, kind) for kind in KINDS),
    *((model, kind) for model in (linkages.rscr, mechanisms.modelica_fourbar) for kind in KINDS if kind != "mixed"),
    *((mechanisms.heavy_top, kind) for kind in ("relative", "reference_point:tait_bryan")),
    *((driven, kind) for kind in ("relative", "natural")),
)
CANONICAL = ("canonical", "canonical_independent", "canonical_augmented")


def quantities(model: lw.Model, result: lw.Result) -> dict[str, np.ndarray]:
    """Positions, velocities and accelerations of all bodies, and the reactions that are unique."""
    axes = "xy" if model.space == "planar" else "xyz"
    names = [f"{body}.{letter}{axis}" for body in model.bodies for letter in ("", "v", "a") for axis in axes]
    for joint in model.joints:
        loose = result.reactions[joint].not_unique
        names += [name for name in result.reactions[joint].names if name.split(".")[-1] not in loose]
    return result.values(names)


@pytest.mark.matrix("kind")
@pytest.mark.parametrize(("make", "kind"), CASES)
def test_motion_and_reactions_are_those_of_partitioning(make: Callable[[], lw.Model], kind: str) -> None:
    """Redundant constraints, quaternions with angular velocities, angles that change their charts, drivers with states."""
    model = make()
    wanted = quantities(model, lw.simulate(model, coordinates=kind, formulation="partitioning", **TIGHT))
    for formulation in CANONICAL:
        result = lw.simulate(model, coordinates=kind, formulation=formulation, **TIGHT)
        assert result.outcome.completed
        for key, values in quantities(model, result).items():
            size = max(1.0, float(np.max(np.abs(wanted[key]))))
            np.testing.assert_allclose(values, wanted[key], atol=1e-6 * size, err_msg=f"{formulation} {key}")
        assert np.max(result.closure_error) < (1e-8 if formulation == "canonical_augmented" else 1e-12)


@pytest.mark.matrix("formulation", "kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("formulation", CANONICAL)
def test_a_pendulum_swings_exactly(formulation: str, kind: str) -> None:
    """From rest at the horizontal: sin(θ/2) = k sn(K − √(g/l) t), k = sin 45°, θ from below."""
    result = lw.simulate(
        mechanisms.simple_pendulum(), until=5, coordinates=kind, formulation=formulation, rtol=1e-11, atol=1e-12
    )
    sine = math.sqrt(0.5) * ellipj(ellipk(0.5) - math.sqrt(9.81) * result.time, 0.5)[0]
    angle = 2 * np.arcsin(sine)
    np.testing.assert_allclose(result["P.x"], -np.sin(angle), atol=2e-8)
    np.testing.assert_allclose(result["P.y"], -np.cos(angle), atol=2e-8)
    assert np.ptp(result["energy.total"]) < 1e-7


@pytest.mark.parametrize("formulation", CANONICAL)
def test_events_and_works_see_velocities_not_momenta(formulation: str) -> None:
    """At the lowest point of a pendulum from the horizontal the speed is √(2 g l), after a quarter of its period."""
    model = mechanisms.simple_pendulum()
    result = lw.simulate(
        model,
        until=2,
        coordinates="natural",
        formulation=formulation,
        rtol=1e-11,
        atol=1e-12,
        events={"fast": lw.Event("P.vx - 4", stop=False), "low": lw.Event("P.x", stop=True)},
    )
    assert [record.name for record in result.events] == ["fast", "low"]
    assert result.events[1].time == pytest.approx(ellipk(0.5) / math.sqrt(9.81), abs=1e-9)
    assert result["P.vx"][-1] == pytest.approx(math.sqrt(2 * 9.81), abs=1e-8)
    assert np.max(np.abs(result["energy.balance"])) < 1e-8


def test_the_basic_form_keeps_its_conditions_as_well_as_its_penalties_are_large() -> None:
    """Φ̈ + 2ΩμΦ̇ + Ω²Φ = −λ/α: the openings are inversely proportional to α."""
    openings = [
        np.max(
            lw.simulate(
                linkages.six_bar(),
                until=0.2,
                coordinates="natural",
                formulation=lw.formulations.CanonicalAugmented(alpha=alpha, basic=True),
                rtol=1e-8,
                atol=1e-10,
            ).closure_error
        )
        for alpha in (1e3, 1e4)
    ]
    assert openings[0] / openings[1] == pytest.approx(10, rel=0.1)


def singular_slider_crank() -> lw.Model:
    """Both links of 1 m and 1 kg: the slider passes the crank's bearing whenever the crank is upright."""
    half = math.sqrt(0.5)
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [half, half], "B": [2 * half, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 1},
            "slider": {"points": ["B"], "mass": 0},
        },
        joints={
            "O": linkages.revolute("ground", "crank"),
            "A": linkages.revolute("crank", "rod"),
            "B": linkages.revolute("rod", "slider"),
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": ["O", "B"], "axis": [1, 0]},
        },
        initial={"O": {"speed": 2 * math.sqrt(2)}},
    )


def largest_spike(formulation: lw.formulations.Formulation, tolerance: float) -> tuple[int, float]:
    """Passes in 10 s, and the largest error of the acceleration of the crank's end.

    The acceleration is compared with that of the equation of one freedom at the angle and speed of the run itself, so that
    errors of the phase do not count.
    """
    result = lw.simulate(
        singular_slider_crank(),
        until=10,
        coordinates="natural",
        formulation=formulation,
        rtol=tolerance,
        atol=tolerance,
        events={"upright": "A.x"},
    )
    assert result.outcome.completed
    angle = np.arctan2(result["A.y"], result["A.x"])
    cosine, sine = np.cos(angle), np.sin(angle)
    speed = result["A.vy"] * cosine - result["A.vx"] * sine
    turn = one_freedom(angle, speed)
    return len(result.events), float(np.max(np.abs(result["A.ax"] + cosine * speed**2 + sine * turn)))


def one_freedom(angle: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """θ̈ from T = (1/3 + sin²θ) θ̇² and V = g sin θ."""
    return -(9.81 + 2 * np.sin(angle) * speed**2) * np.cos(angle) / (2 / 3 + 2 * np.sin(angle) ** 2)


def test_singular_positions_are_passed_when_the_equation_of_one_freedom_says() -> None:
    """SOURCE: García de Jalón and Bayo, example 10.6, eleven passes in 10 s; α = 10⁷, Ω = 10, μ = 1."""

    def upright(t: float, x: np.ndarray) -> float:
        return math.cos(x[0])

    run = solve_ivp(
        lambda t, x: [x[1], one_freedom(x[0], x[1])],
        (0, 10),
        [math.pi / 4, 2 * math.sqrt(2)],
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
        events=upright,
    )
    result = lw.simulate(
        singular_slider_crank(),
        until=10,
        coordinates="natural",
        formulation=lw.formulations.CanonicalAugmented(alpha=1e7),
        events={"upright": "A.x"},
    )
    assert len(run.t_events[0]) == 11
    np.testing.assert_allclose([record.time for record in result.events], run.t_events[0], atol=1e-6)


def test_repeated_singular_positions_leave_no_spikes() -> None:
    """SOURCE: García de Jalón and Bayo, example 10.6, α = 10⁷, Ω = 10, μ = 1: the accelerations of the acceleration form
    have spikes after some passes, those of the canonical form have none. When the spikes come depends on the integrator and
    its tolerance, so that several are tried: at some of them the acceleration form has spikes, at none the canonical one."""
    tolerances = 10.0 ** -np.arange(5, 10)
    for tolerance in tolerances:
        passes, spike = largest_spike(lw.formulations.CanonicalAugmented(alpha=1e7), tolerance)
        assert passes == 11
        assert spike < 0.02
    acceleration_form = lw.formulations.AugmentedLagrangian(alpha=1e7, project=False)
    with pytest.warns(lw.errors.AuditWarning, match="the energy is off by"):
        spikes = [largest_spike(acceleration_form, tolerance)[1] for tolerance in tolerances]
    assert sum(spike > 1.0 for spike in spikes) >= 2
