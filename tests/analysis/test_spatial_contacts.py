"""Contacts of models in space, in runs with events: slips with two components, rolling, oblique impacts, feet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.algebra.rotations import frame_about

G = 9.81
CRATE = {"points": {"P": [0, 0, 0]}, "origin": [0, 0, 0.25], "shapes": {"h": {"box": [0.3, 0.2, 0.1], "mass": 2}}}
NORMALS = [(0.0, 0.0, 1.0), (0.0, 0.6, 0.8), (1.0, 1.0, 1.0)]


def ball(place: Any, radius: float = 0.1, mass: float = 1.0) -> dict[str, Any]:
    """A uniform sphere with its centre at a place."""
    skin = {"sphere": {"radius": radius}, "mass": mass}
    return {"points": {"C": [0, 0, 0]}, "origin": [float(x) for x in place], "shapes": {"skin": skin}}


def on_plane(normal: Any, v: Any, omega: Any, **law: Any) -> tuple[lw.Model, np.ndarray]:
    """A ball on a plane that is level for its weight, with velocities in axes of the plane; and these axes."""
    axes = frame_about(np.array(normal))
    model = lw.Model(
        space="spatial",
        gravity=list(-G * axes[:, 2]),
        bodies={"ball": ball(0.1 * axes[:, 2])},
        surfaces={"floor": {"plane": list(axes[:, 2])}},
        contacts={"c": {"between": ["floor", "ball"], **law}},
        initial={"ball": {"velocity": list(axes @ v), "omega": list(axes @ omega)}},
    )
    return model, axes


def vector(result: lw.Result, body: str, names: str = "vx vy vz") -> np.ndarray:
    """Components (N, 3) of a quantity."""
    return np.column_stack([result[f"{body}.{name}"] for name in names.split()])


@pytest.mark.parametrize("normal", NORMALS)
@pytest.mark.parametrize(("v", "omega"), [((3, 0, 0), (0, 0, 0)), ((2, 1, 0), (20, -5, 7)), ((0, 0, 0), (0, 40, 0))])
def test_a_sphere_slides_until_it_rolls(normal: Any, v: Any, omega: Any) -> None:
    """The slip s = v + R (ω_y, −ω_x)... keeps its direction; it rolls from |s|/(7/2 μ g) on, also with side spin."""
    mu, r = 0.2, 0.1
    model, axes = on_plane(normal, np.array(v, float), np.array(omega, float), friction=mu)
    result = lw.simulate(model, until=1.5, rtol=1e-11, atol=1e-13)
    start = np.array(v[:2], float)
    slip = start + np.cross(omega, [0, 0, -r])[:2]
    way, time = slip / np.linalg.norm(slip), np.linalg.norm(slip) / (3.5 * mu * G)
    (rolls,) = result.events
    assert rolls.name == "c sticks"
    assert rolls.time == pytest.approx(time, abs=1e-9)
    if v == (3, 0, 0):
        assert rolls.time == pytest.approx(0.436871996505, abs=1e-9)
    end = vector(result, "ball")[-1] @ axes
    assert end == pytest.approx([*(start - mu * G * time * way), 0.0], abs=1e-8)
    place = (vector(result, "ball", "x y z")[-1] - vector(result, "ball", "x y z")[0]) @ axes
    path = start * time - mu * G * time**2 / 2 * way + (1.5 - time) * end[:2]
    assert place == pytest.approx([*path, 0.0], abs=1e-8)
    # spinning about the normal has no resistance
    assert (vector(result, "ball", "wx wy wz")[-1] @ axes)[2] == pytest.approx(omega[2], abs=1e-8)
    assert np.max(np.abs(result["c.gap"])) <= 1e-10
    assert result["c.force"] == pytest.approx(G, rel=1e-9)
    assert result.audit.passed


@pytest.mark.parametrize("mu", [0.05, 0.8])
@pytest.mark.parametrize("normal", NORMALS[1:])
def test_a_spinning_ball_hits_a_wall(mu: float, normal: Any) -> None:
    """Λ = (1 + e) m |v_n|, and along the wall the least of μ Λ and what takes the slip away, 2/7 m |s|."""
    r, e, v, omega = 0.1, 0.7, np.array([2.0, 1.0, -3.0]), np.array([5.0, 30.0, -4.0])
    axes = frame_about(np.array(normal))
    model = lw.Model(
        space="spatial",
        bodies={"ball": ball(0.4 * axes[:, 2])},
        surfaces={"wall": {"plane": list(axes[:, 2])}},
        contacts={"c": {"between": ["ball", "wall"], "friction": mu, "restitution": e}},
        initial={"ball": {"velocity": list(axes @ v), "omega": list(axes @ omega)}},
    )
    result = lw.simulate(model, until=0.2)
    slip = v + np.cross(omega, [0, 0, -r])
    slip[2] = 0.0
    rub = -slip / np.linalg.norm(slip) * min(mu * (1 + e) * 3.0, 2 / 7 * np.linalg.norm(slip))
    after = v + rub + [0, 0, (1 + e) * 3.0]
    spin = omega + np.cross([0, 0, -r], rub) / (0.4 * r**2)
    assert vector(result, "ball")[-1] @ axes == pytest.approx(after, abs=1e-9)
    assert vector(result, "ball", "wx wy wz")[-1] @ axes == pytest.approx(spin, abs=1e-7)
    assert result.audit.passed


def test_two_balls_in_flight_keep_momentum_and_moment_of_momentum() -> None:
    model = lw.Model(
        space="spatial",
        bodies={"a": ball([0, 0, 0], 0.1, 1.0), "b": ball([0.5, 0.05, 0.08], 0.15, 2.0)},
        contacts={"ab": {"between": ["a", "b"], "friction": 0.3, "restitution": 0.5}},
        initial={"a": {"velocity": [3, 0.1, 0], "omega": [3, 40, -20]}, "b": {"omega": [0, -10, 5]}},
    )
    result = lw.simulate(model, until=0.3)
    assert [event.name for event in result.events] == ["ab is hit"]
    assert "momentum" in str(result.audit)
    assert result.audit.passed
    n = (vector(result, "b", "x y z") - vector(result, "a", "x y z"))[np.argmin(result["ab.gap"])]
    n /= np.linalg.norm(n)
    before, after = ((vector(result, "b") - vector(result, "a"))[i] @ n for i in (0, -1))
    assert after == pytest.approx(-0.5 * before, rel=1e-3)  # n is that of a sample beside the impact


@pytest.mark.parametrize("mu", [0.3, 0.5])
def test_a_tripod_slides_down_a_slope_or_stands(mu: float) -> None:
    a = np.radians(20)
    angles = 0.3 + 2.1 * np.arange(3)
    middle = {"points": {"P": [0, 0, 0]}, "origin": [0, 0, 0.1]}
    feet = {f"f{i}": {"point": [0.2 * np.cos(q), 0.2 * np.sin(q), 0], "on": "stool"} for i, q in enumerate(angles)}
    model = lw.Model(
        space="spatial",
        gravity=[G * np.sin(a), 0, -G * np.cos(a)],
        bodies={
            "stool": {
                **middle,
                "com": "P",
                "mass": 2,
                "inertia": [0.02, 0.03, 0.04],
            }
        },
        surfaces={"floor": {"plane": [0, 0, 1]}, **feet},
        contacts={f"c{i}": {"between": ["floor", f"f{i}"], "friction": mu} for i in range(3)},
    )
    result = lw.simulate(model, until=1)
    pull = max(G * (np.sin(a) - mu * np.cos(a)), 0.0)
    assert result["stool.x"][-1] == pytest.approx(pull / 2, abs=1e-11)
    assert abs(result["stool.y"][-1]) <= 1e-11
    assert sum(result[f"c{i}.force"] for i in range(3)) == pytest.approx(2 * G * np.cos(a), rel=1e-9)
    # moments about the centre of mass, in which friction acts 0.1 m below
    moment = sum(result[f"c{i}.force"] * 0.2 * np.cos(q) for i, q in enumerate(angles))
    rubs = min(mu * np.cos(a), np.sin(a)) * 2 * G
    assert moment == pytest.approx(0.1 * rubs, rel=1e-8)


def test_a_crate_without_friction_falls_flat_and_slides() -> None:
    model = lw.Model(
        space="spatial",
        gravity=[1.0, 0, -G],
        bodies={
            "crate": {
                "points": {"P": [0, 0, 0]},
                "origin": [0, 0, 0.25],
                "shapes": {"h": {"box": [0.3, 0.2, 0.1], "mass": 2}},
            }
        },
        surfaces={"floor": {"plane": [0, 0, 1]}},
        contacts={"c": {"between": ["floor", "crate"]}},
    )
    result = lw.simulate(model, until=1)
    assert result["crate.z"][-1] == pytest.approx(0.05, abs=1e-11)
    assert result["crate.x"][-1] == pytest.approx(0.5, abs=1e-11)
    assert result.events[0].time == pytest.approx(np.sqrt(2 * 0.2 / G), abs=1e-12)
    assert result.audit.passed


@pytest.mark.parametrize("normal", NORMALS)
@pytest.mark.parametrize("spin", [0.0, 3.0])
def test_a_ball_with_rolling_friction_rolls_out(normal: Any, spin: float) -> None:
    """It loses ρ g/(R (1 + 2/5)) of its speed in a second along a straight line, whatever its spin, and stays."""
    r, rho, v = 0.1, 0.004, np.array([0.3, -0.4, 0.0])
    omega = np.array([-v[1] / r, v[0] / r, spin])
    model, axes = on_plane(normal, v, omega, friction=0.5, rolling=rho)
    result = lw.simulate(model, until=3, rtol=1e-10, atol=1e-12)
    slower = rho * G / (r * 1.4)
    (stops,) = [event.time for event in result.events if "stops rolling" in event.name]
    assert stops == pytest.approx(0.5 / slower, abs=1e-7)
    way = (vector(result, "ball", "x y z")[-1] - vector(result, "ball", "x y z")[0]) @ axes
    assert way == pytest.approx(list(v / 0.5 * 0.5**2 / (2 * slower)), abs=1e-7)
    assert result["c.rolling"][0] == pytest.approx(rho * G, rel=1e-9)
    assert (vector(result, "ball", "wx wy wz")[-1] @ axes) == pytest.approx([0, 0, spin], abs=1e-7)
    assert result.outcome.completed and result.audit.passed, str(result.audit)


@pytest.mark.parametrize("normal", NORMALS)
@pytest.mark.parametrize("omega", [8.0, -3.0])
def test_a_ball_that_drills_comes_to_rest(normal: Any, omega: float) -> None:
    """J ω' = −ρ m g about the normal; it rolls on meanwhile as if nothing was."""
    r, rho, v = 0.1, 0.002, np.array([0.2, 0.1, 0.0])
    model, axes = on_plane(normal, v, np.array([-v[1] / r, v[0] / r, omega]), friction=0.5, spinning=rho)
    result = lw.simulate(model, until=2.5)
    (stops,) = [event.time for event in result.events if "stops spinning" in event.name]
    assert stops == pytest.approx(abs(omega) * 0.4 * r**2 / (rho * G), abs=1e-8)
    way = (vector(result, "ball", "x y z")[-1] - vector(result, "ball", "x y z")[0]) @ axes
    assert way == pytest.approx(list(2.5 * v), abs=1e-8)
    assert result["c.spinning"][0] == pytest.approx(-np.sign(omega) * rho * G, rel=1e-9)
    assert abs(result["c.spinning"][-1]) <= 1e-9
    assert result.outcome.completed and result.audit.passed, str(result.audit)


@pytest.mark.parametrize(("degrees", "rolls"), [(2.0, False), (3.0, True)])
def test_rolling_friction_holds_a_ball_up_to_an_angle(degrees: float, rolls: bool) -> None:
    """tan θ = ρ/R = 0.04, at 2.29 degrees; beyond, it rolls with g (sin θ − ρ/R cos θ)/(1 + 2/5)."""
    a, d = np.radians(degrees), 0.7
    model, _ = on_plane((0, 0, 1), np.zeros(3), np.zeros(3), friction=0.5, rolling=0.004, spinning=0.001)
    slope = model.with_(gravity=[G * np.sin(a) * np.cos(d), G * np.sin(a) * np.sin(d), -G * np.cos(a)])
    result = lw.simulate(slope, until=1)
    way = G * (np.sin(a) - 0.04 * np.cos(a)) / 1.4 / 2 if rolls else 0.0
    assert [result["ball.x"][-1], result["ball.y"][-1]] == pytest.approx([way * np.cos(d), way * np.sin(d)], abs=1e-9)
    assert result.outcome.completed and result.audit.passed


def test_a_ball_that_rolls_across_a_slope_goes_as_its_equation_says() -> None:
    """7/5 v' = g sin a − ρ g cos a/R v/|v|, solved by itself."""
    a, r, rho, v = np.radians(5), 0.1, 0.004, np.array([0.1, 0.6, 0.0])
    model, _ = on_plane((0, 0, 1), v, np.array([-v[1] / r, v[0] / r, 0]), friction=0.6, rolling=rho)
    slope = model.with_(gravity=[G * np.sin(a), 0, -G * np.cos(a)])
    result = lw.simulate(slope, until=1.5, rtol=1e-10, atol=1e-12)

    def rates(_t: float, y: np.ndarray) -> list[float]:
        drag = rho / r * G * np.cos(a) / np.hypot(*y[2:])
        return [y[2], y[3], (G * np.sin(a) - drag * y[2]) / 1.4, -drag * y[3] / 1.4]

    own = solve_ivp(rates, (0, 1.5), [0, 0, 0.1, 0.6], rtol=1e-12, atol=1e-14, method="DOP853").y[:, -1]
    found = [result[f"ball.{name}"][-1] for name in ("x", "y", "vx", "vy")]
    assert found == pytest.approx([own[0], own[1], own[2], own[3]], abs=1e-7)
    assert result.audit.passed


def test_a_ball_that_resists_rolling_more_than_its_friction_turns_it_slides() -> None:
    """ρ/R = 0.1 against μ = 0.05: it slides to a stop and never rolls."""
    model, _ = on_plane((0, 0, 1), np.array([0.6, 0.8, 0]), np.zeros(3), friction=0.05, rolling=0.01)
    result = lw.simulate(model, until=2.5)
    stop = 1 / (0.05 * G)
    assert [event.time for event in result.events if event.name == "c sticks"] == pytest.approx([stop], abs=1e-9)
    assert [result["ball.x"][-1], result["ball.y"][-1]] == pytest.approx([0.3 * stop, 0.4 * stop], abs=1e-9)
    assert np.max(np.abs(vector(result, "ball", "wx wy wz"))) <= 1e-9
    assert result.audit.passed


# -- crates: four feet, which share their load in many ways --------------------------------------------------------------

EDGES = (0.3, 0.2, 0.1)
FEET = np.array([[x, y] for x in (-0.15, 0.15) for y in (-0.1, 0.1)])


def crate(
    edges: tuple[float, float, float] = EDGES,
    at: Any = (0, 0),
    v: Any = (0, 0, 0),
    omega: Any = (0, 0, 0),
    turn: Any = 0.0,
) -> lw.Model:
    """A crate on a slope by the angle a that falls off into the direction d, in axes of the slope."""
    middle = {"points": {"P": [0, 0, 0]}, "origin": [*at, edges[2] / 2], "rotation": {"axis": [0, 0, 1], "angle": turn}}
    return lw.Model(
        space="spatial",
        parameters={name: {"value": value, "live": True} for name, value in (("a", 0.35), ("d", 0.3), ("mu", 0.2))},
        gravity=["9.81*sin(a)*cos(d)", "9.81*sin(a)*sin(d)", "-9.81*cos(a)"],
        bodies={"crate": {**middle, "shapes": {"h": {"box": list(edges), "mass": 2}}}},
        surfaces={"floor": {"plane": [0, 0, 1]}},
        contacts={"c": {"between": ["floor", "crate"], "friction": "mu"}},
        initial={"crate": {"velocity": list(v), "omega": list(omega)}},
    )


def judge_crate(result: lw.Result) -> None:
    assert result.outcome.completed, result.outcome
    assert result.audit.passed, str(result.audit)
    for i in range(1, 5):
        gap, force = result[f"c.corner_{i}.gap"], result[f"c.corner_{i}.force"]
        assert np.min(gap) >= -1e-10
        assert np.min(force) >= -1e-8
        assert np.max(np.abs(gap * force)) <= 1e-10


def shared(x: np.ndarray, y: np.ndarray, load: float, moment: Any) -> np.ndarray:
    """λ of least norm with Σ λ, Σ λ x, Σ λ y as given: those of equal springs under a crate, linear in x and y."""
    rows = np.array([np.ones(len(x)), x, y])
    return np.asarray(np.linalg.pinv(rows) @ [load, *moment])


@pytest.mark.parametrize(
    ("degrees", "way", "mu"), [(20, 0.0, 0.2), (20, 0.7, 0.2), (25, 4.0, 0.4), (20, 0.7, 0.37), (0, 0, 0.5)]
)
def test_a_crate_slides_down_a_slope_in_any_direction_or_stays(degrees: float, way: float, mu: float) -> None:
    a = np.radians(degrees)
    result = lw.simulate(crate(turn=0.4), until=1, parameters={"a": a, "d": way, "mu": mu})
    pull = max(G * (np.sin(a) - mu * np.cos(a)), 0.0)
    place = [result["crate.x"][-1], result["crate.y"][-1]]
    assert place == pytest.approx([pull / 2 * np.cos(way), pull / 2 * np.sin(way)], abs=1e-10)
    assert np.max(np.abs(result["crate.wz"])) <= 1e-9
    judge_crate(result)
    # moments about the centre of mass, 0.05 m above the feet
    c, s = np.cos(0.4), np.sin(0.4)
    x, y = (np.array([result[f"c.corner_{i}.{axis}"][0] for i in range(1, 5)]) for axis in "xy")
    feet = FEET @ [[c, s], [-s, c]]
    assert np.sort(x) == pytest.approx(np.sort(feet[:, 0]), abs=1e-12)
    assert np.sort(y) == pytest.approx(np.sort(feet[:, 1]), abs=1e-12)
    rubs = min(mu * np.cos(a), np.sin(a)) * 2 * G * np.array([np.cos(way), np.sin(way)])
    expected = shared(x, y, 2 * G * np.cos(a), 0.05 * rubs)
    assert [result[f"c.corner_{i}.force"][0] for i in range(1, 5)] == pytest.approx(list(expected), rel=1e-7)
    (note,) = [note for note in result.notes if "not unique" in note]
    assert note.startswith("c.corner_1, c.corner_2, c.corner_3 and c.corner_4 touch together")
    assert "the motion depends on it" not in note
    assert result.source.undetermined(["c.corner_1.force"])


@pytest.mark.parametrize("omega", [5.0, -2.0])
def test_a_crate_spins_to_a_stop(omega: float) -> None:
    """All feet are as far from the middle: J α = −μ m g r, whatever each of them carries."""
    mu, r, inertia = 0.2, np.hypot(0.15, 0.1), 2 * (0.3**2 + 0.2**2) / 12
    result = lw.simulate(crate(omega=(0, 0, omega)), until=0.3, parameters={"a": 0.0, "mu": mu})
    slower = mu * 2 * G * r / inertia
    stops = [event.time for event in result.events if "sticks" in event.name]
    assert stops == pytest.approx([abs(omega) / slower] * 4, abs=1e-9)
    turned = 2 * np.arctan2(result["crate.q3"][-1], result["crate.q0"][-1])
    assert turned == pytest.approx(np.sign(omega) * omega**2 / (2 * slower), abs=1e-9)
    assert not any("the motion depends on it" in note for note in result.notes)
    judge_crate(result)


@pytest.mark.parametrize("turn", [0.0, 0.8])
def test_a_crate_that_spins_and_slides_goes_as_on_feet_that_yield_alike(turn: float) -> None:
    """Against three equations of a body in the plane, with the loads of equal springs; notes say that these decide."""
    v, omega, mu, inertia = np.array([1.0, 0.5]), 5.0, 0.2, 2 * (0.3**2 + 0.2**2) / 12
    result = lw.simulate(
        crate(v=(*v, 0), omega=(0, 0, omega), turn=turn),
        until=0.5,
        parameters={"a": 0.0, "mu": mu},
        rtol=1e-10,
        atol=1e-12,
    )

    def rates(_t: float, y: np.ndarray) -> list[float]:
        c, s = np.cos(y[2]), np.sin(y[2])
        r = FEET @ [[c, s], [-s, c]]
        slip = y[3:5] + y[5] * np.column_stack([-r[:, 1], r[:, 0]])
        into = slip / np.linalg.norm(slip, axis=1)[:, None]
        # Σ λ = m g, Σ λ r = 0.05 μ Σ λ d: friction acts 0.05 m below the middle
        least = np.linalg.pinv(np.array([np.ones(4), r[:, 0], r[:, 1]]))
        lever = 0.05 * mu * np.vstack([np.zeros(4), into.T])
        force = np.linalg.solve(np.eye(4) - least @ lever, least @ [2 * G, 0, 0])
        rub = -mu * force[:, None] * into
        moment = np.sum(r[:, 0] * rub[:, 1] - r[:, 1] * rub[:, 0])
        return [*y[3:], *(np.sum(rub, axis=0) / 2), moment / inertia]

    own = solve_ivp(rates, (0, 0.5), [0, 0, turn, *v, omega], rtol=1e-11, atol=1e-13, method="DOP853").y[:, -1]
    end = [result[f"crate.{name}"][-1] for name in ("x", "y", "vx", "vy", "wz")]
    assert end == pytest.approx([own[0], own[1], *own[3:]], abs=1e-7)
    assert any("the motion depends on it" in note for note in result.notes)
    judge_crate(result)


@pytest.mark.parametrize("way", [0.0, np.pi])
def test_a_tall_crate_tips_over_an_edge(way: float) -> None:
    """It begins to where tan a = b/h, and goes by (b² + h²)/3 α = g (h sin a − b cos a)/2."""
    b, h = 0.1, 0.3
    for degrees in (18.0, 20.0):
        a = np.radians(degrees)
        result = lw.simulate(crate((b, 0.3, h)), until=0.3, parameters={"a": a, "d": way, "mu": 2.0})
        begins = max(G * (h * np.sin(a) - b * np.cos(a)) / 2 / ((b**2 + h**2) / 3), 0.0)
        assert result["crate.alphay"][0] * np.cos(way) == pytest.approx(begins, abs=1e-8)
        holding = sum(result[f"c.corner_{i}.force"][-1] > 0 for i in range(1, 5))
        assert holding == (2 if begins else 4)
        judge_crate(result)
        # the energy of a bar about its edge
        if begins:
            tilt = 2 * np.arcsin(abs(result["crate.q2"][-1]))
            # the middle rises by one and runs along by the other
            rise = h / 2 * (np.cos(tilt) - 1) + b / 2 * np.sin(tilt)
            along = h / 2 * np.sin(tilt) + b / 2 * (1 - np.cos(tilt))
            gain = G * (np.sin(a) * along - np.cos(a) * rise)
            assert result["crate.wy"][-1] ** 2 * (b**2 + h**2) / 6 == pytest.approx(gain, rel=1e-7)


def test_a_crate_that_falls_flat_stays_where_friction_holds_it() -> None:
    model = crate().with_(bodies={"crate": CRATE})
    result = lw.simulate(model, until=0.6, parameters={"a": 0.1, "d": 0.7, "mu": 0.5})
    t = np.sqrt(2 * 0.2 / (G * np.cos(0.1)))
    assert result.events[0].time == pytest.approx(t, abs=1e-11)
    # the blow takes the speed along the slope as well: tan 0.1 is less than 0.5
    assert np.hypot(result["crate.x"][-1], result["crate.y"][-1]) == pytest.approx(
        G * np.sin(0.1) * t**2 / 2, abs=1e-10
    )
    judge_crate(result)


def test_feet_on_three_places_go_as_time_stepping_has_them() -> None:
    """What three feet carry is unique: a stool that spins and slides, beside steps that become small."""
    feet = {
        f"f{i}": {"point": [0.2 * np.cos(q), 0.2 * np.sin(q), 0], "on": "stool"} for i, q in enumerate((0.3, 2.4, 4.5))
    }
    body = {"points": {"P": [0, 0, 0]}, "origin": [0, 0, 0.1], "com": "P", "mass": 2, "inertia": [0.02, 0.03, 0.04]}
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        bodies={"stool": body},
        surfaces={"floor": {"plane": [0, 0, 1]}, **feet},
        contacts={f"c{i}": {"between": ["floor", f"f{i}"], "friction": 0.2} for i in range(3)},
        initial={"stool": {"velocity": [0.8, -0.3, 0], "omega": [0, 0, 6]}},
    )
    result = lw.simulate(model, until=0.3)
    names = ("stool.x", "stool.y", "stool.wz")
    errors = []
    for count in (300, 600):
        stepped = lw.simulate(model, until=0.3, integrator="moreau_jean", fixed_step=0.3 / count, times=[0.0, 0.3])
        errors.append(max(abs(stepped[name][-1] - result[name][-1]) for name in names))
    assert errors[1] < 0.6 * errors[0] or errors[1] < 1e-6
    assert errors[1] < 5e-3
    assert result.audit.passed
