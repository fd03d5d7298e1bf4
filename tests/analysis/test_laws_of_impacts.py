"""Laws of Newton, Poisson and Stronge: against impulse equations by hand, paths in small steps, and what they may not do."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.analysis.motion.impacts import IMPACT_LAWS
from linkwork.errors import RefusedError

LAWS = tuple(IMPACT_LAWS)
TIGHT = {"rtol": 1e-11, "atol": 1e-13}
RUB, BACK = 0.6, 0.5


def falling_rod(angle: float, speeds: tuple[float, float, float], friction: float, back: float) -> lw.Model:
    """A rod of 1 m and 1 kg without weight, whose end A comes down on a floor 1 mm below it."""
    c, s = np.cos(angle), np.sin(angle)
    return lw.Model(
        space="planar",
        points={"A": [0, 1e-3], "B": [c, 1e-3 + s]},
        bodies={"rod": {"bar": ["A", "B"], "mass": 1}},
        surfaces={"floor": {"plane": [0, 1], "at": [0, 0]}},
        contacts={"tip": {"between": ["floor", "rod"], "friction": friction, "restitution": back}},
        initial={"rod": {"vx": speeds[0], "vy": speeds[1], "speed": speeds[2]}},
    )


def by_small_steps(
    before: tuple[float, float], answer: np.ndarray, friction: float, back: float, law: str
) -> tuple[float, float]:
    """Speeds γ, s behind a blow: the slip against which friction acts smoothed over 1e-6 m/s, and p in small steps."""

    def rates(_p: float, u: np.ndarray) -> np.ndarray:
        push = np.array([1.0, -friction * u[1] / np.sqrt(u[1] ** 2 + 1e-12)])
        speeds = answer @ push
        return np.array([*speeds, u[0]])  # and the work of the normal

    def closing(_p: float, u: np.ndarray) -> float:
        return float(u[0])

    closing.terminal, closing.direction = True, 1  # type: ignore[attr-defined]
    options = {"method": "Radau", "rtol": 1e-9, "atol": 1e-12}
    down = solve_ivp(rates, (0.0, 50.0), [*before, 0.0], events=closing, **options)
    p, state = down.t[-1], down.y[:, -1]
    if law == "poisson":
        up = solve_ivp(rates, (p, p * (1 + back)), state, **options)
        return float(up.y[0, -1]), float(up.y[1, -1])
    wanted = (1 - back**2) * state[2]

    def given_back(_p: float, u: np.ndarray) -> float:
        return float(u[2] - wanted)

    given_back.terminal = True  # type: ignore[attr-defined]
    up = solve_ivp(rates, (p, p + 50.0), state, events=given_back, **options)
    return float(up.y[0, -1]), float(up.y[1, -1])


def tip_of(angle: float, after: tuple[float, float, float]) -> tuple[float, float]:
    """γ and s of the end A, from the velocity of the middle and the angular one."""
    c, s = 0.5 * np.cos(angle), 0.5 * np.sin(angle)
    return after[1] - after[2] * c, after[0] + after[2] * s


def answer_at(angle: float) -> np.ndarray:
    """What unit impulses at the end A do there: 1/m + (r × n)²/J and so on, J = m L²/12."""
    c, s = -0.5 * np.cos(angle), -0.5 * np.sin(angle)
    n, t = c * 1.0, -s * 1.0  # moments of the normal and of the tangent about the middle
    return np.array([[1.0 + 12 * n * n, 12 * n * t], [12 * n * t, 1.0 + 12 * t * t]])


CASES = [
    (np.radians(45.0), (0.3, -1.0, 0.0), 0.4),  # slip that ends
    (np.radians(60.0), (-0.5, -1.0, 0.5), 0.9),
    (np.radians(72.0), (0.05, -1.0, 0.0), 0.2),  # slip that turns round
    (np.radians(72.0), (2.0, -1.0, 0.0), 0.3),  # slip that goes on
    (np.radians(30.0), (-1.0, -1.0, -0.4), 1.4),
]


def struck(model: lw.Model, law: str) -> lw.Result:
    return lw.simulate(model, until=0.05, impact=law, **TIGHT)


@pytest.mark.parametrize("law", ["poisson", "stronge"])
@pytest.mark.parametrize(("angle", "speeds", "friction"), CASES)
def test_a_rod_that_hits_a_rough_floor_goes_the_way_of_small_steps(
    angle: float, speeds: tuple[float, float, float], friction: float, law: str
) -> None:
    result = struck(falling_rod(angle, speeds, friction, BACK), law)
    time = result.events[0].time
    last = tuple(float(result[f"rod.{name}"][-1]) for name in ("vx", "vy", "speed"))
    turned = angle + speeds[2] * time
    before = tip_of(turned, speeds)
    expected = by_small_steps(before, answer_at(turned), friction, BACK, law)
    assert tip_of(turned, last) == pytest.approx(expected, abs=1e-5)
    assert result.settings["impacts"] == law


@pytest.mark.parametrize("law", LAWS)
def test_without_friction_all_laws_are_one(law: str) -> None:
    """γ⁺ = −e γ⁻ and Λ = (1 + e) |γ⁻| / a_nn, by hand."""
    angle, speeds = np.radians(50.0), (0.4, -1.0, 0.3)
    result = struck(falling_rod(angle, speeds, 0.0, BACK), law)
    turned = angle + speeds[2] * result.events[0].time
    before, after = tip_of(turned, speeds), tip_of(turned, tuple(result[f"rod.{x}"][-1] for x in ("vx", "vy", "speed")))
    assert after[0] == pytest.approx(-BACK * before[0], rel=1e-9)
    assert result.events[0].values["impulse"] == pytest.approx(-1.5 * before[0] / answer_at(turned)[0, 0], rel=1e-9)


def kinetic(result: lw.Result) -> tuple[float, float]:
    return float(result["energy.kinetic"][0]), float(result["energy.kinetic"][-1])


def test_stronge_never_brings_energy_in_where_poisson_and_newton_differ() -> None:
    """Over many blows: with e = 1 and friction the energetic law never gains; Newton's, with slips that turn, does."""
    rng, gained = np.random.default_rng(1), {law: 0 for law in LAWS}
    for _ in range(40):
        angle = rng.uniform(0.3, 1.3)
        model = falling_rod(angle, (rng.uniform(-2, 2), -1.0, rng.uniform(-0.3, 0.3)), rng.uniform(0.1, 1.2), 0.9)
        for law in LAWS:
            before, after = kinetic(lw.simulate(model, until=0.01, impact=law, audit=False))
            gained[law] += after > before * (1 + 1e-9)
    assert gained["stronge"] == 0
    assert gained["poisson"] == 0


def pendulum(friction: float, speeds: tuple[float, float]) -> lw.Model:
    """Kane's double pendulum whose end is about to touch a floor, at 20 and 35 degrees from upright."""
    one, two = np.radians(20.0), np.radians(35.0)
    knee = np.array([np.sin(one), -np.cos(one)])
    end = knee + np.array([np.sin(two), -np.cos(two)])
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "K": knee, "E": end},
        bodies={"upper": {"bar": ["O", "K"], "mass": 1}, "lower": {"bar": ["K", "E"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
            "K": {"kind": "revolute", "bodies": ["upper", "lower"]},
        },
        surfaces={"floor": {"plane": [0, 1], "at": [0, end[1] - 1e-9]}},
        contacts={"tip": {"between": ["floor", "lower"], "friction": friction, "restitution": 0.7}},
        initial={"O": {"speed": speeds[0]}, "K": {"speed": speeds[1] - speeds[0]}},
    )


def test_the_double_pendulum_gains_with_newton_and_not_with_stronge() -> None:
    """The energetic law takes energy out in blows of the double pendulum on a rough floor in which Newton's brings it in."""
    gains = {law: [] for law in LAWS}
    for speed in np.linspace(-3.0, -0.1, 12):
        for other in (-1.0, -0.3, 0.2):
            model = pendulum(RUB, (speed, other))
            for law in LAWS:
                result = lw.simulate(model, until=1e-4, impact=law, audit=False, **TIGHT)
                if result.events:
                    before, after = kinetic(result)
                    gains[law].append(after / before - 1.0)
    assert len(gains["newton"]) > 10
    assert max(gains["newton"]) > 1e-3
    assert max(gains["stronge"]) < 1e-9


def test_the_double_pendulum_obeys_the_impulse_equations() -> None:
    """Without friction: M Δω = Jᵀ Λ with M of two rods and J of the height of the end, all by hand."""
    speeds = (-1.0, -0.5)
    result = lw.simulate(pendulum(0.0, speeds), until=1e-4, impact="stronge", **TIGHT)
    one, two = np.radians(20.0), np.radians(35.0)
    c = 0.5 * np.cos(two - one)
    mass = np.array([[1 / 3 + 1.0, c], [c, 1 / 3]])
    height = np.array([np.sin(one), np.sin(two)])
    closing = height @ speeds
    push = -1.7 * closing / (height @ np.linalg.solve(mass, height))
    expected = np.array(speeds) + np.linalg.solve(mass, height) * push
    found = [result["upper.speed"][-1], result["lower.speed"][-1]]
    assert found == pytest.approx(expected, abs=1e-3)  # centrifugal forces act for 1e-4 s
    assert result.events[0].values["impulse"] == pytest.approx(push, rel=1e-6)


@pytest.mark.parametrize("law", ["poisson", "stronge"])
def test_two_at_once_with_friction_are_refused_by_name(law: str) -> None:
    model = lw.Model(
        space="planar",
        points={"A": [0, 1e-3], "B": [1, 1e-3]},
        bodies={"rod": {"bar": ["A", "B"], "mass": 1}},
        surfaces={"floor": {"plane": [0, 1], "at": [0, 0]}},
        contacts={"land": {"between": ["floor", "rod"], "friction": 0.3, "restitution": 0.5}},
        initial={"rod": {"vy": -1.0}},
    )
    result = lw.simulate(model, until=0.05, impact=law)
    assert not result.outcome.completed
    assert f"impact='{law}' follows friction at one place at a time" in result.outcome.reason
    assert result.time[-1] < 1e-3 == pytest.approx(result.outcome.time)  # the motion up to there is kept


def test_a_law_that_is_not_known_is_refused() -> None:
    with pytest.raises(RefusedError, match=r"unknown law of impacts 'stonge'.*stronge"):
        lw.simulate(falling_rod(0.5, (0, -1, 0), 0.1, 0.5), until=0.01, impact="stonge")


def test_time_stepping_has_a_law_of_its_own() -> None:
    with pytest.raises(RefusedError, match="'moreau_jean' takes no impact"):
        lw.simulate(
            falling_rod(0.5, (0, -1, 0), 0.1, 0.5),
            until=0.01,
            integrator="moreau_jean",
            fixed_step="1 ms",
            impact="stronge",
        )


# -- unlike restitutions at one instant ----------------------------------------------------------------------------------


def beam(first: float, second: float) -> lw.Model:
    """A rod of 1 m and 1 kg that comes down flat on two points 1 mm below its ends, without weight."""
    return lw.Model(
        space="planar",
        points={"A": [0, 1e-3], "B": [1, 1e-3], "P": [0, 0], "Q": [1, 0]},
        bodies={"rod": {"bar": ["A", "B"], "mass": 1}},
        surfaces={
            "floor": {"plane": [0, 1], "at": [0, 0]},
            "one": {"point": "A", "on": "rod"},
            "two": {"point": "B", "on": "rod"},
        },
        contacts={
            "left": {"between": ["floor", "one"], "restitution": first},
            "right": {"between": ["floor", "two"], "restitution": second},
        },
        initial={"rod": {"vy": -1.0}},
    )


def test_unlike_restitutions_bring_back_their_works_together() -> None:
    """Λ = (1, 1)/2, A = ((4, −2), (−2, 4)), p = s (e₁, e₂)/2 with p·A p = Σ e² Λ: by hand."""
    e = np.array([0.6, 0.9])
    answer, pressed = np.array([[4.0, -2.0], [-2.0, 4.0]]), np.array([0.5, 0.5])
    s = np.sqrt(np.sum(e**2 * pressed) / ((e * pressed) @ answer @ (e * pressed)))
    up = answer @ (s * e * pressed)
    result = lw.simulate(beam(*e), until=2e-3, impact="stronge", **TIGHT)
    assert [result["rod.vy"][-1], result["rod.speed"][-1]] == pytest.approx([up.mean(), up[1] - up[0]], rel=1e-10)
    assert result["energy.kinetic"][-1] == pytest.approx(np.sum(e**2) / 4, rel=1e-10)
    assert [event.values["impulse"] for event in result.events] == pytest.approx(pressed + s * e * pressed, rel=1e-10)
    assert any("Stronge" in note for note in result.notes)
    assert result.audit.passed


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("first", "second"), [(0.0, 1.0), (0.2, 0.9), (1.0, 1.0), (0.5, 0.5)])
def test_no_choice_of_restitutions_brings_energy_in(law: str, first: float, second: float) -> None:
    """The energetic law never does; alike, all laws are one."""
    result = lw.simulate(beam(first, second), until=2e-3, impact=law, **TIGHT)
    assert result["rod.vy"].size
    assert min(result["A.vy"][-1], result["B.vy"][-1]) > -1e-12
    if law == "stronge" or first == second:
        assert result["energy.kinetic"][-1] <= 0.5 * (first**2 + second**2) / 2 + 1e-12
    if first == second:
        assert [result["A.vy"][-1], result["B.vy"][-1]] == pytest.approx([first, first], abs=1e-12)
