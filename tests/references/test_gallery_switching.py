"""Scripts of the gallery in which joints close and open, against what follows by hand and from each phase alone."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from references.planar_bodies import GROUND, Array, Bound, Part, Pin, PlanarBodies

GALLERY = Path(__file__).parents[2] / "examples" / "contact"


@pytest.fixture
def ran(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names of a script that has been run."""
    monkeypatch.chdir(tmp_path)
    found = runpy.run_path(str(GALLERY / f"plot_{request.param}.py"), run_name="__main__")
    plt.close("all")
    return found


@pytest.mark.parametrize("ran", ["door_latch"], indirect=True)
def test_the_door_latches_when_it_comes_to_the_frame(ran: dict[str, Any]) -> None:
    inertia = 1.1 + 20 * 0.4**2

    def shut(_: float, y: Array) -> float:
        return float(y[0])

    shut.terminal = True  # type: ignore[attr-defined]
    found = solve_ivp(
        lambda _, y: [y[1], (-4 * (y[0] + np.radians(10)) - 3 * y[1]) / inertia],
        (0, 5),
        [np.radians(70), 0.0],
        events=shut,
        rtol=1e-12,
        atol=1e-13,
        method="DOP853",
    )
    run = ran["run"]
    assert run.events[0].time == pytest.approx(found.t[-1], abs=1e-8)
    lost = 0.5 * inertia * found.y[1, -1] ** 2
    closer = np.trapezoid(3 * run["O.speed"] ** 2, run.time)
    after = np.searchsorted(run.time, 2.0)
    damped = np.trapezoid(3 * run["O.speed"][: after + 1] ** 2, run.time[: after + 1])
    assert run["work.dissipated"][after] == pytest.approx(lost + damped, rel=1e-3)
    assert closer > damped
    assert run["bolt.fy"][after] == pytest.approx(4 * np.radians(10) / 0.8, rel=1e-9)
    # 400 N at 0.8 m, against the closer and the hand of 60 (t − 2.4) N·m
    torn = next(event for event in ran["burst"].events if event.name == "bolt breaks")
    assert torn.time == pytest.approx(2.4 + (400 * 0.8 + 4 * np.radians(10)) / 60, abs=1e-8)


@pytest.mark.parametrize("ran", ["dog_clutch"], indirect=True)
def test_the_clutch_keeps_angular_momentum_and_loses_the_relative_energy(ran: dict[str, Any]) -> None:
    assert ran["just"]["b.speed"][-1] == pytest.approx(ran["common"], rel=1e-8)
    assert ran["just"]["work.dissipated"][-1] == pytest.approx(ran["lost"], rel=1e-7)
    run = ran["run"]
    engaged = (run.time > run.events[0].time + 0.01) & (run.time < 1.39)
    np.testing.assert_allclose(run["a.speed"][engaged], run["b.speed"][engaged], rtol=1e-11)
    torque = 0.1 * run["b.acceleration"] + 5e-4 * run["b.speed"] ** 2
    force = np.hypot(run["dog.fx"], run["dog.fy"])
    np.testing.assert_allclose(60e-3 * force[engaged], np.abs(torque)[engaged], atol=1e-9)
    assert force[run.time > 1.41].max() == 0.0
    assert len(run.events) == 2 and run.events[0].values["opening"] < 1e-10
    assert run.audit.passed, run.audit


# -- a step, phase by phase -----------------------------------------------------------------------------------------------

BODIES = ("trunk", "back_thigh", "back_shank", "front_thigh", "front_shank")
MASS = {"trunk": 40.0, "back_thigh": 8.0, "back_shank": 4.0, "front_thigh": 8.0, "front_shank": 4.0}
DRAWN = {name: np.array(at) for name, at in {"F": (0, 0), "K": (0.03, 0.44), "H": (-0.05, 0.87)}.items()}
DRAWN |= {"L": np.array([0.05, 0.45]), "G": np.array([-0.28, 0.18])}
ENDS = {"back_thigh": "HK", "back_shank": "KF", "front_thigh": "HL", "front_shank": "LG"}
LENGTH = {name: float(np.linalg.norm(DRAWN[b] - DRAWN[a])) for name, (a, b) in ENDS.items()}
ANGLE = {name: float(np.arctan2(*(DRAWN[b] - DRAWN[a])[::-1])) for name, (a, b) in ENDS.items()} | {"trunk": 0.0}


def torques(q: Array, v: Array) -> Array:
    """Those of the script, on all bodies."""
    turned = {name: q[3 * i + 2] - ANGLE[name] for i, name in enumerate(BODIES)}
    speed = {name: v[3 * i + 2] for i, name in enumerate(BODIES)}
    hip, knee = turned["front_thigh"] - turned["trunk"], turned["front_shank"] - turned["front_thigh"]
    swing = 150 * (0.2 - hip) - 15 * (speed["front_thigh"] - speed["trunk"])
    upright = 600 * turned["trunk"] + 60 * speed["trunk"]
    stand = -2000 * (turned["back_shank"] - turned["back_thigh"]) - 60 * (speed["back_shank"] - speed["back_thigh"])
    extend = 80 * (0.6 - knee) - 6 * (speed["front_shank"] - speed["front_thigh"])
    found = np.zeros(15)
    found[2::3] = [-(upright - swing) - swing, upright - swing - stand, stand, swing - extend, extend]
    return found


def chain() -> list[Bound]:
    half = {name: length / 2 for name, length in LENGTH.items()}
    return [
        Pin(0, (0.0, 0.0), 1, (-half["back_thigh"], 0.0)),
        Pin(0, (0.0, 0.0), 3, (-half["front_thigh"], 0.0)),
        Pin(1, (half["back_thigh"], 0.0), 2, (-half["back_shank"], 0.0)),
        Pin(3, (half["front_thigh"], 0.0), 4, (-half["front_shank"], 0.0)),
    ]


def state(run: lw.Result, sample: int) -> tuple[Array, Array]:
    q = [run[f"{body}.{name}"][sample] for body in BODIES for name in ("x", "y", "angle")]
    v = [run[f"{body}.{name}"][sample] for body in BODIES for name in ("vx", "vy", "speed")]
    return np.array(q), np.array(v)


@pytest.mark.parametrize("coordinates", ["relative", "natural"])
@pytest.mark.parametrize("ran", ["step"], indirect=True)
def test_a_step_is_an_open_chain_a_closed_loop_and_an_open_chain(ran: dict[str, Any], coordinates: str) -> None:
    """Each phase from NumPy alone, with the state handed over by the impulse equations: motion, and forces of both feet."""
    model, events = ran["walker"], ran["run"].events
    strike, lift = (event.time for event in events)
    times = [0.0, strike - 0.02, 0.5 * (strike + lift), lift + 0.05]
    run = lw.simulate(model, times=times, coordinates=coordinates, rtol=1e-12, atol=1e-13)
    parts = tuple(Part(MASS[name], 3.0 if name == "trunk" else MASS[name] * LENGTH[name] ** 2 / 12) for name in BODIES)
    legs = PlanarBodies(parts, further=torques)
    toe = Pin(GROUND, (0.0, 0.0), 2, (LENGTH["back_shank"] / 2, 0.0))
    heel = Pin(GROUND, (0.0, 0.0), 4, (LENGTH["front_shank"] / 2, 0.0))
    first = [*chain(), toe]
    q, v = legs.moved(first, *state(run, 0), strike - 0.02)
    np.testing.assert_allclose(state(run, 1), (q, v), atol=1e-9)
    q, v = legs.moved(first, q, v, 0.02)
    both = [*first, heel.here(q)]
    assert Pin.place(q, 4, heel.to)[1] == pytest.approx(0.0, abs=1e-9)
    behind, _ = legs.behind(both, q, v)
    assert run["work.dissipated"][2] == pytest.approx(legs.kinetic(v) - legs.kinetic(behind), rel=1e-7)
    q, v = legs.moved(both, q, behind, times[2] - strike)
    np.testing.assert_allclose(state(run, 2), (q, v), atol=1e-8)
    # the instantaneous equations at the very state of the run
    acceleration, push = legs.accelerations(both, *state(run, 2))
    found = np.array([run[f"{body}.{name}"][2] for body in BODIES for name in ("ax", "ay", "acceleration")])
    np.testing.assert_allclose(found, acceleration, atol=1e-10 * np.abs(acceleration).max())
    feet = [run[f"{foot}.{name}"][2] for foot in ("toe", "heel") for name in ("fx", "fy")]
    np.testing.assert_allclose(feet, push[-4:], atol=1e-9 * np.abs(push).max())
    assert run.reactions["toe"].not_unique == run.reactions["heel"].not_unique == ()
    q, v = legs.moved(both, q, v, lift - times[2])
    q, v = legs.moved([*chain(), both[-1]], q, v, 0.05)
    np.testing.assert_allclose(state(run, 3), (q, v), atol=1e-8)
    assert run["toe.fx"][3] == run["toe.fy"][3] == 0.0
