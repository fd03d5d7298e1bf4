"""The walker of the gallery with both of its feet, against its two phases and its impact written by hand."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import root

import linkwork as lw
from linkwork.arrays import Array

SCRIPT = Path(__file__).parents[2] / "examples" / "contact" / "plot_compass_walker.py"
SLOPE, HIP, FOOT = 0.009, 1000.0, 1.0
# behind a step: angle and speed of the leg that stands, angle and speed between the legs; P. Bhounsule's program
PUBLISHED = (0.200161072169750, -0.199906060087682, 0.400322144339512, -0.015805473227965)
PRECISE: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-13}


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The names of the script."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("walker"))
        found = runpy.run_path(str(SCRIPT), run_name="__main__")
    plt.close("all")
    return found


# -- by hand -------------------------------------------------------------------------------------------------------------


def moving(_: float, y: Array) -> Array:
    """Angles a, b of the legs that stand and swing: hip H = (-sin a, cos a), foot of the other H - (-sin b, cos b)."""
    a, b, u, w = y
    mass = np.array([[HIP + FOOT, -FOOT * np.cos(a - b)], [-FOOT * np.cos(a - b), FOOT]])
    bent = FOOT * np.sin(a - b) * np.array([-(w**2), u**2])
    weight = np.array([(HIP + FOOT) * np.sin(a - SLOPE), -FOOT * np.sin(b - SLOPE)])
    return np.array([u, w, *np.linalg.solve(mass, weight - bent)])


def lands(_: float, y: Array) -> float:
    """Height of the foot that swings, where it is in front."""
    return float(max(np.cos(y[0]) - np.cos(y[1]), 0.3 - (np.sin(y[1]) - np.sin(y[0]))))


def upright(_: float, y: Array) -> float:
    return float(y[0])


for section in (lands, upright):
    section.terminal, section.direction = True, -1  # type: ignore[attr-defined]


def until(y: Array, section: Any) -> tuple[float, Array]:
    """Time and state at a section."""
    found = solve_ivp(moving, (0, 10), y, events=section, method="DOP853", rtol=1e-12, atol=1e-13)
    return float(found.t[-1]), np.asarray(found.y[:, -1])


def struck(y: Array) -> Array:
    """Behind the impact: moments of momentum about the new foot, of the leg behind about the hip; legs swapped."""
    a, b, u, _ = y
    speed = HIP * np.cos(a - b) / (HIP + FOOT * np.sin(a - b) ** 2) * u
    return np.array([b, a, speed, np.cos(a - b) * speed])


def stepped(state: Array) -> Array:
    """From upright to upright, as in the script."""
    speed, between, swing = state
    _, hit = until(np.array([0.0, between, speed, speed + swing]), lands)
    _, y = until(struck(hit), upright)
    return np.array([y[2], y[1] - y[0], y[3] - y[2]])


# -- the gait ------------------------------------------------------------------------------------------------------------


def test_the_gait_and_its_multipliers_are_those_of_the_phases_by_hand(ran: dict[str, Any]) -> None:
    gait = root(lambda state: stepped(state) - state, ran["gait"] * 1.01, tol=1e-12).x
    assert ran["gait"] == pytest.approx(gait, abs=1e-10)
    slopes = np.transpose([(stepped(gait + e) - stepped(gait - e)) / 2e-5 for e in 1e-5 * np.eye(3)])
    wanted = sorted(np.linalg.eigvals(slopes), key=lambda value: value.imag)
    assert sorted(ran["multipliers"], key=lambda value: value.imag) == pytest.approx(wanted, abs=1e-6)
    # near those of feet without mass, -0.190100 ± 0.557599 i (Garcia et al. 1998), by a part of the root of m / M
    assert np.abs(wanted[0] - (-0.190100 - 0.557599j)) < 0.03


def behind_a_step(ran: dict[str, Any], **changes: Any) -> lw.Model:
    """The model, started in the published state behind a step."""
    angle, speed, between, swing = PUBLISHED
    start = {"one": {"angle": angle, "speed": speed}, "hip": {"angle": -between, "speed": -swing}}
    model: lw.Model = ran["walker"].with_(initial=start, **changes)
    return model


@pytest.mark.parametrize("coordinates", ["relative", "natural", "reference_point"])
def test_the_published_state_comes_back_after_each_step_on_the_other_leg(ran: dict[str, Any], coordinates: str) -> None:
    model = behind_a_step(ran)
    run = lw.simulate(model, until=9, coordinates=coordinates, **PRECISE)
    first, second = (event.time for event in run.events if event.name.endswith("connects"))
    assert [event.name for event in run.events[1::2]] == ["foot_a lets go", "foot_b lets go"]
    behind = 1e-12
    steps = lw.simulate(model, times=[0, first + behind, second + behind], coordinates=coordinates, **PRECISE)
    for row, stands, sign in ((1, "two", 1), (2, "one", -1)):
        found = [steps[f"{stands}.{name}"][row] for name in ("angle", "speed")]
        found += [sign * steps[f"hip.{name}"][row] for name in ("angle", "speed")]
        assert found == pytest.approx(PUBLISHED, abs=1e-9)


def test_heel_strike_by_hand(ran: dict[str, Any]) -> None:
    """The impulse is at the foot that lands alone, what all momenta change by; the loss is that of the speeds by hand."""
    model = behind_a_step(ran)
    run = lw.simulate(model, until=4, **PRECISE)
    a, speed = PUBLISHED[:2]
    time, before = until(np.array([a, -a, speed, speed - PUBLISHED[3]]), lands)
    behind = struck(before)
    assert run.events[0].time == pytest.approx(time, abs=1e-9)

    def velocities(stands: float, other: float, u: float, w: float) -> Array:
        """Of the hip and of the foot that is in the air."""
        hip = u * np.array([-np.cos(stands), -np.sin(stands)])
        return np.array([hip, hip + w * np.array([np.cos(other), np.sin(other)])])

    (hip, landing), (turned, lifted) = velocities(*before), velocities(*behind)
    impulse = HIP * (turned - hip) + FOOT * (lifted - landing)
    told = run.events[0].reactions
    assert [told["foot_b.fx"], told["foot_b.fy"]] == pytest.approx(impulse, rel=1e-8)
    assert told["foot_a.fx"] == told["foot_a.fy"] == 0.0
    lost = 0.5 * (HIP * (hip @ hip - turned @ turned) + FOOT * (landing @ landing - lifted @ lifted))
    assert run["work.dissipated"][-1] == pytest.approx(lost, rel=1e-8)


# -- models that try to break it -----------------------------------------------------------------------------------------


def durations(model: lw.Model, until: float, **options: Any) -> Array:
    """Of all steps."""
    run = lw.simulate(model, until=until, **options)
    landed = [event.time for event in run.events if event.name.endswith("connects")]
    assert [event.name[:6] for event in run.events[::2]] == ["foot_b", "foot_a"] * (len(landed) // 2)
    return np.diff(landed, prepend=0.0)


def test_the_order_of_the_switches_and_the_side_of_the_slope_decide_nothing(ran: dict[str, Any]) -> None:
    wanted = durations(behind_a_step(ran), 24, **PRECISE)
    assert len(wanted) == 6
    assert wanted == pytest.approx(wanted[0], abs=1e-8)
    data = ran["walker"].to_dict()
    turned = behind_a_step(ran, switches=dict(reversed(list(data["switches"].items()))))
    assert durations(turned, 24, **PRECISE) == pytest.approx(wanted, abs=1e-10)
    angle, speed, between, swing = PUBLISHED
    mirrored = ran["walker"].with_(
        gravity=["-sin(slope)", "-cos(slope)"],
        definitions={
            "a_comes": "max(A.y - B.y, 0.3 + (A.x - B.x))",
            "b_comes": "max(B.y - A.y, 0.3 + (B.x - A.x))",
        },
        initial={"one": {"angle": -angle, "speed": -speed}, "hip": {"angle": between, "speed": swing}},
    )
    assert durations(mirrored, 24, **PRECISE) == pytest.approx(wanted, abs=1e-8)


def test_a_walker_ten_times_as_large_on_ground_that_leans_by_45_degrees(ran: dict[str, Any]) -> None:
    """The same gait in other axes, in times √10 as long."""
    lean, size = np.pi / 4, 10.0
    c, s = np.cos(lean), np.sin(lean)
    angle, speed, between, swing = PUBLISHED

    def comes(foot: str, other: str) -> str:
        x, y = (f"({foot}.{axis} - {other}.{axis})" for axis in "xy")
        return f"max({c}*{y} - {s}*{x}, {0.3 * size} - {c}*{x} - {s}*{y})"

    rate = 1 / np.sqrt(size)
    model = ran["walker"].with_(
        gravity=[float(np.sin(SLOPE + lean)), float(-np.cos(SLOPE + lean))],
        points={"H": [-s * size, c * size], "A": [0, 0], "B": [0, 0]},
        definitions={"a_comes": comes("A", "B"), "b_comes": comes("B", "A")},
        initial={"one": {"angle": angle, "speed": speed * rate}, "hip": {"angle": -between, "speed": -swing * rate}},
    )
    wanted = durations(behind_a_step(ran), 24, **PRECISE)
    assert durations(model, 24 * np.sqrt(size), **PRECISE) == pytest.approx(wanted * np.sqrt(size), abs=1e-7)


def test_steeper_slopes_make_it_limp(ran: dict[str, Any]) -> None:
    """Steps of one kind, of two, of four; published for feet without mass: two from 0.0151 on, four from about 0.017 on."""
    one, two, _, four = ran["steps"].values()
    assert np.ptp(one) < 1e-6
    assert two[:2] == pytest.approx(two[2:], abs=1e-6)
    assert np.ptp(two) > 0.1
    assert np.min(np.abs(four[:2] - four[2:])) > 0.01
