"""Contacts of models in the plane, in runs with events: falls, impacts, friction, rolling, against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import linkwork as lw

G = 9.81
TURNS = [0.0, 45.0, 120.0]


def turned(angle: float) -> np.ndarray:
    """Axes that an angle (rad) turns."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def disc(place: Any, radius: float = 0.1, mass: float = 1.0, **more: Any) -> dict[str, Any]:
    """A uniform disc with its centre at a place."""
    skin = {"cylinder": {"radius": radius, "length": 0.1, "axis": "z"}, "mass": mass}
    return {"points": {"C": [0, 0]}, "origin": [float(x) for x in place], "shapes": {"skin": skin}, **more}


def box(place: Any, edges: tuple[float, float], mass: float = 1.0, angle: float = 0.0) -> dict[str, Any]:
    """A uniform box with its middle at a place."""
    hull = {"box": list(edges), "mass": mass}
    at = [float(x) for x in place]
    return {"points": {"G": [0, 0]}, "origin": at, "rotation": float(angle), "shapes": {"hull": hull}}


def names(result: lw.Result, word: str) -> list[float]:
    """Times of the events that a word tells."""
    return [event.time for event in result.events if word in event.name]


def judge(result: lw.Result, places: list[str], size: float = 1.0) -> None:
    """No place is passed, none pulls, and what is apart does not push; the energy is told; all to 1e-10."""
    assert result.outcome.completed, result.outcome
    assert result.audit.passed, str(result.audit)
    for place in places:
        gap, force = result[f"{place}.gap"], result[f"{place}.force"]
        largest = np.max(np.abs(force))
        assert np.min(gap) >= -1e-10 * size
        assert np.min(force) >= -1e-10 * largest
        assert np.max(np.abs(gap * force)) <= 1e-10 * size * max(largest, 1.0)


# -- without friction -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", TURNS)
def test_a_ball_bounces_and_comes_to_rest_when_its_bounces_end(turn: float) -> None:
    axes, e = turned(np.radians(turn)), 0.9
    model = lw.Model(
        space="planar",
        gravity=list(axes @ [0, -G]),
        bodies={"ball": disc(axes @ [0, 1.1])},
        surfaces={"floor": {"plane": list(axes @ [0, 1])}},
        contacts={"c": {"between": ["floor", "ball"], "restitution": e}},
    )
    result = lw.simulate(model, until=9)
    first = np.sqrt(2 / G)
    hits = names(result, "is hit")
    expected = [first * (1 + 2 * e * (1 - e**n) / (1 - e)) for n in range(20)]
    assert hits[:20] == pytest.approx(expected, abs=1e-12)
    assert result.events[-1].values["rest from"] == pytest.approx(8.578949178729, abs=5e-10)
    judge(result, ["c"])


@pytest.mark.parametrize("e", [1.0, 0.9])
def test_newtons_cradle_with_gaps(e: float) -> None:
    r, gap = 0.05, 1e-4
    balls = {f"b{i}": disc([i * (2 * r + gap), 0.0], r, 1.0) for i in range(5)}
    model = lw.Model(
        space="planar",
        bodies=balls,
        contacts={"row": {"between": list(balls), "restitution": e}},
        initial={"b0": {"vx": 1}},
    )
    result = lw.simulate(model, until=0.02)
    expected = [((1 + e) / 2) ** k * (1 - e) / 2 for k in range(4)] + [((1 + e) / 2) ** 4]
    assert [result[f"b{i}.vx"][-1] for i in range(5)] == pytest.approx(expected, abs=1e-12)
    assert result.audit.passed


def test_a_ladder_leaves_the_wall_at_two_thirds_of_its_height() -> None:
    length, start = 2.0, np.radians(60)
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [length * np.cos(start), 0], "B": [0, length * np.sin(start)]},
        bodies={"ladder": {"bar": ["A", "B"], "mass": 3}},
        surfaces={"floor": {"plane": [0, 1]}, "wall": {"plane": [1, 0]}},
        contacts={"c": {"between": ["floor", "ladder"]}, "w": {"between": ["wall", "ladder"]}},
    )
    result = lw.simulate(model, until=0.6)
    (left,) = names(result, "w.corner_2 parts")
    end = np.arcsin(2 / 3 * np.sin(start))
    expected = quad(lambda u: 1 / np.sqrt(3 * G / length * (np.sin(start) - np.sin(u))), end, start, limit=400)[0]
    assert left == pytest.approx(expected, abs=1e-9)
    judge(result, ["c.corner_1", "w.corner_2"])


def test_a_double_pendulum_hits_a_wall_as_by_hand() -> None:
    q = np.array([0.3, 0.9])
    first = np.array([np.sin(q[0]), -np.cos(q[0])])
    second = first + [np.sin(q[1]), -np.cos(q[1])]
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": list(first), "B": list(second)},
        bodies={"u": {"bar": ["O", "A"], "mass": 1}, "l": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "u"]},
            "A": {"kind": "revolute", "bodies": ["u", "l"]},
        },
        surfaces={"wall": {"plane": [1, 0], "at": [0.2, 0]}, "tip": {"point": "B", "on": "l"}},
        contacts={"c": {"between": ["wall", "tip"], "restitution": 0.5}},
    )
    hit = lw.simulate(model, until=1.5).events[0]
    # M of two slender bars by absolute angles; the normal is x, J = (cos q1, cos q2)
    fine = 1e-7
    result = lw.simulate(model, times=[0, hit.time - fine, hit.time + fine], until=hit.time + fine)
    a, b = (result[f"{name}.angle"][1] for name in ("u", "l"))
    mass = np.array([[1 / 3 + 1, np.cos(a - b) / 2], [np.cos(a - b) / 2, 1 / 3]])
    # bars lie along their angle: x = cos(angle), so that the speed of the tip along x is −sin(angle) rate
    row = -np.sin([a, b])
    before, after = (np.array([result["u.speed"][i], result["l.speed"][i]]) for i in (1, 2))
    answer = np.linalg.solve(mass, row)
    push = -1.5 * (row @ before) / (row @ answer)
    assert hit.values["impulse"] == pytest.approx(push, rel=1e-5)
    assert after == pytest.approx(before + push * answer, abs=1e-4)


@pytest.mark.parametrize("place", [0.0, 0.2, 0.35])
def test_a_rod_bounces_beside_its_middle(place: float) -> None:
    """Behind a first impact at one end: (1 + e) v / (1/m + d²/J)."""
    length, height, e, angle = 1.0, 0.5, 0.6, place
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [-0.5 * np.cos(angle), height], "B": [0.5 * np.cos(angle), height + np.sin(angle)]},
        bodies={"rod": {"bar": ["A", "B"], "mass": 2}},
        surfaces={"floor": {"plane": [0, 1]}},
        contacts={"c": {"between": ["floor", "rod"], "restitution": e}},
    )
    result = lw.simulate(model, until=1.0)
    t = np.sqrt(2 * height / G)
    hit = [event for event in result.events if "is hit" in event.name]
    assert hit[0].time == pytest.approx(t, abs=1e-12)
    arm = 0.5 * np.cos(angle)
    if place == 0.0:
        expected = [2 * (1 + e) * G * t / 2] * 2
        assert [event.values["impulse"] for event in hit[:2]] == pytest.approx(expected, rel=1e-12)
    else:
        push = (1 + e) * G * t / (1 / 2 + arm**2 / (2 * length**2 / 12))
        assert hit[0].values["impulse"] == pytest.approx(push, rel=1e-12)
    judge(result, ["c.corner_1", "c.corner_2"])


# -- with friction --------------------------------------------------------------------------------------------------------


def on_slope(degrees: float, mu: float, turn: float = 0.0, speed: float = 0.0, **law: Any) -> lw.Model:
    """A box on a slope; everything turned, its weight too."""
    a = np.radians(degrees)
    axes = turned(np.radians(turn))
    along, across = axes @ turned(a) @ [1, 0], axes @ turned(a) @ [0, 1]
    return lw.Model(
        space="planar",
        gravity=list(axes @ [0, -G]),
        bodies={"box": box(0.05 * across, (0.4, 0.1), 2.0, a + np.radians(turn))},
        surfaces={"slope": {"plane": list(across)}},
        contacts={"c": {"between": ["slope", "box"], "friction": mu, **law}},
        initial={"box": {"vx": speed * along[0], "vy": speed * along[1]}},
    )


def moved(result: lw.Result) -> float:
    """How far a box has gone."""
    return float(np.hypot(result["box.x"][-1] - result["box.x"][0], result["box.y"][-1] - result["box.y"][0]))


@pytest.mark.parametrize("turn", [0.0, 45.0, 200.0])
@pytest.mark.parametrize(
    ("degrees", "mu"), [(30.0, 0.3), (10.0, 0.3), (30.0, 0.0), (30.0, np.tan(np.radians(30)) * 1.001)]
)
def test_a_block_slides_down_a_slope_or_does_not(degrees: float, mu: float, turn: float) -> None:
    result = lw.simulate(on_slope(degrees, mu, turn), until=1)
    a = np.radians(degrees)
    pull = max(G * (np.sin(a) - mu * np.cos(a)), 0.0)
    assert moved(result) == pytest.approx(pull / 2, abs=1e-12)
    judge(result, ["c.corner_1", "c.corner_2"])
    weight = 2 * G * np.cos(a)
    assert result["c.corner_1.force"] + result["c.corner_2.force"] == pytest.approx(weight, rel=1e-9)


def test_a_block_that_is_thrown_up_a_slope_stops_and_stays_or_comes_back() -> None:
    for degrees, mu in ((20.0, 0.5), (30.0, 0.3)):
        a = np.radians(degrees)
        up, down = G * (np.sin(a) + mu * np.cos(a)), max(G * (np.sin(a) - mu * np.cos(a)), 0.0)
        result = lw.simulate(on_slope(degrees, mu, speed=2.0), until=1)
        stop = 2.0 / up
        told = names(result, "corner_1 sticks") if down == 0.0 else []
        assert told == pytest.approx([stop] if down == 0.0 else [], abs=1e-11)
        back = down * (1 - stop) ** 2 / 2
        place = result["box.x"][-1] * np.cos(a) + result["box.y"][-1] * np.sin(a)
        assert place == pytest.approx(2.0**2 / (2 * up) - back, abs=1e-10)
        judge(result, ["c.corner_1", "c.corner_2"])


@pytest.mark.parametrize(("radius", "shape"), [(0.1, 2 / 5), (1.0, 1 / 2), (0.01, 2 / 5)])
@pytest.mark.parametrize("turn", [0.0, 45.0])
def test_a_sphere_slides_until_it_rolls(radius: float, shape: float, turn: float) -> None:
    """v₀ = 3 m/s, μ = 0.2: it rolls from t = v₀/(μ g (1 + 1/k)) on, with v = v₀/(1 + k), J = k m R²."""
    axes = turned(np.radians(turn))
    ball = {"points": {"C": [0, 0]}, "origin": list(axes @ [0, radius]), "mass": 1, "inertia": shape * radius**2}
    model = lw.Model(
        space="planar",
        gravity=list(axes @ [0, -G]),
        bodies={"ball": ball},
        surfaces={
            "floor": {"plane": list(axes @ [0, 1])},
            "skin": {"ball": radius, "on": "ball", "at": list(axes @ [0, radius])},
        },
        contacts={"c": {"between": ["floor", "skin"], "friction": 0.2}},
        initial={"ball": {"vx": 3 * axes[0, 0], "vy": 3 * axes[1, 0]}},
    )
    result = lw.simulate(model, until=1)
    (rolls,) = names(result, "c sticks")
    assert rolls == pytest.approx(3 / (0.2 * G * (1 + 1 / shape)), abs=1e-10)
    if shape == 2 / 5:
        assert rolls == pytest.approx(0.436871996505, abs=1e-11)
    speed = np.hypot(result["ball.vx"], result["ball.vy"])
    assert speed[-1] == pytest.approx(3 / (1 + shape), abs=1e-11)
    assert -result["ball.speed"][-1] * radius == pytest.approx(speed[-1], abs=1e-11)
    way = np.hypot(result["ball.x"][-1] - result["ball.x"][0], result["ball.y"][-1] - result["ball.y"][0])
    assert way == pytest.approx(3 * rolls - 0.2 * G * rolls**2 / 2 + (1 - rolls) * 3 / (1 + shape), abs=1e-9)
    judge(result, ["c"])


@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural"])
@pytest.mark.parametrize("formulation", ["multipliers", "partitioning", "baumgarte", "r_projection"])
def test_formulations_and_coordinates_agree_on_rolling(coordinates: str, formulation: str) -> None:
    ball = {"points": {"C": [0, 0]}, "origin": [0, 0.1], "mass": 1, "inertia": 0.004}
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        bodies={"ball": ball},
        surfaces={"floor": {"plane": [0, 1]}, "skin": {"ball": 0.1, "on": "ball", "at": [0, 0.1]}},
        contacts={"c": {"between": ["floor", "skin"], "friction": 0.2}},
        initial={"ball": {"vx": 3}},
    )
    result = lw.simulate(model, until=1, coordinates=coordinates, formulation=formulation)
    assert names(result, "c sticks") == pytest.approx([0.436871996505], abs=1e-9)
    assert result["ball.vx"][-1] == pytest.approx(15 / 7, abs=2e-9)
    judge(result, ["c"])


@pytest.mark.parametrize("turn", [0.0, 45.0])
def test_a_disc_with_rolling_friction_rolls_out(turn: float) -> None:
    """Rolling it loses ρ g/(R (1 + k)) of its speed in a second, J = k m R², and stays where it has stopped."""
    axes, r, rho, v = turned(np.radians(turn)), 0.1, 0.004, 0.3
    along = axes @ [1, 0]
    model = lw.Model(
        space="planar",
        gravity=list(axes @ [0, -G]),
        bodies={"ball": disc(axes @ [0, r], r)},
        surfaces={"floor": {"plane": list(axes @ [0, 1])}},
        contacts={"c": {"between": ["floor", "ball"], "friction": 0.5, "rolling": rho}},
        initial={"ball": {"vx": v * along[0], "vy": v * along[1], "speed": -v / r}},
    )
    result = lw.simulate(model, until=2)
    slower = rho * G / (r * 1.5)
    (stops,) = names(result, "stops rolling")
    assert stops == pytest.approx(v / slower, abs=1e-9)
    way = np.hypot(result["ball.x"][-1] - result["ball.x"][0], result["ball.y"][-1] - result["ball.y"][0])
    assert way == pytest.approx(v**2 / (2 * slower), abs=1e-9)
    assert np.abs(result["c.rolling"][0]) == pytest.approx(rho * G, rel=1e-9)
    judge(result, ["c"])


@pytest.mark.parametrize(("degrees", "rolls"), [(2.0, False), (3.0, True)])
def test_rolling_friction_holds_up_to_an_angle(degrees: float, rolls: bool) -> None:
    """tan θ = ρ/R = 0.04, at 2.29 degrees; beyond, it rolls with g (sin θ − ρ/R cos θ)/(1 + k)."""
    a = np.radians(degrees)
    model = lw.Model(
        space="planar",
        gravity=[G * np.sin(a), -G * np.cos(a)],
        bodies={"ball": disc([0, 0.1])},
        surfaces={"floor": {"plane": [0, 1]}},
        contacts={"c": {"between": ["floor", "ball"], "friction": 0.5, "rolling": 0.004}},
    )
    result = lw.simulate(model, until=1)
    expected = G * (np.sin(a) - 0.04 * np.cos(a)) / 1.5 / 2 if rolls else 0.0
    assert result["ball.x"][-1] == pytest.approx(expected, abs=1e-11)
    judge(result, ["c"])


def test_a_block_on_a_belt_sticks_and_slips_with_the_period_of_theory() -> None:
    mu, static, k, m, v = 0.2, 0.4, 100.0, 1.0, 0.5
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0.05], "W": [-1, 0.05], "B": [0, 0]},
        bodies={
            "block": {"points": ["P"], "shapes": {"hull": {"box": [0.2, 0.1], "mass": m}}},
            "belt": {"points": ["B"], "mass": 1, "inertia": 1},
        },
        joints={"B": {"kind": "prismatic", "bodies": ["ground", "belt"], "at": "B", "axis": [1, 0]}},
        drivers={"motor": {"joint": "B", "speed": v}},
        surfaces={"top": {"plane": [0, 1], "on": "belt"}},
        forces={"s": {"kind": "spring", "between": ["ground.W", "block.P"], "stiffness": k, "free_length": 1.0}},
        contacts={"c": {"between": ["top", "block"], "friction": mu, "static": static}},
        initial={"block": {"vx": v}},
    )
    result = lw.simulate(model, until=3)
    reach, w = (static - mu) * m * G / k, np.sqrt(k / m)
    period = 2 * reach / v + (2 * np.pi - 2 * np.arctan(reach * w / v)) / w
    for corner in ("corner_1", "corner_2"):
        slips = names(result, f"{corner} slips")
        assert slips[0] == pytest.approx(static * m * G / k / v, abs=1e-8)
        assert np.diff(slips) == pytest.approx(period, abs=1e-8)
    judge(result, ["c.corner_1", "c.corner_2"])


def test_a_rocking_block_loses_energy_as_housner_says() -> None:
    """ω⁺/ω⁻ = 1 − 3/2 sin²α at every impact, and the times between are those of the pendulum about a corner."""
    half, height = 0.1, 0.4
    alpha, r = np.arctan(half / height), np.hypot(half, height)
    tilt = 0.5 * alpha
    middle = np.arctan2(height, half) + tilt
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        bodies={"block": box([r * np.cos(middle), r * np.sin(middle)], (2 * half, 2 * height), 1.0, tilt)},
        surfaces={"floor": {"plane": [0, 1]}},
        contacts={"c": {"between": ["floor", "block"], "friction": 2.0}},
    )
    result = lw.simulate(model, until=2.5)
    hits = [event for event in result.events if "touches" in event.name]
    factor, inertia = 1 - 1.5 * np.sin(alpha) ** 2, 4 / 3 * r**2
    speed = np.sqrt(2 * G * r * (np.cos(alpha - tilt) - np.cos(alpha)) / inertia)

    # the time from rest at a tilt, u = alpha − |tilt|
    def quarter(start: float) -> float:
        rates = lambda t, y: [y[1], -G * r / inertia * np.sin(alpha - y[0])]  # noqa: E731
        land = lambda t, y: y[0]  # noqa: E731
        land.terminal = True
        return float(solve_ivp(rates, (0, 9), [start, 0.0], events=land, rtol=1e-12, atol=1e-14).t_events[0][0])

    assert hits[0].time == pytest.approx(quarter(tilt), abs=1e-9)
    times, now = [], hits[0].time
    for _ in range(4):
        speed *= factor
        top = alpha - np.arccos(np.cos(alpha) + inertia * speed**2 / (2 * G * r))
        times.append(2 * quarter(top))
    assert np.diff([event.time for event in hits[:5]]) == pytest.approx(times, abs=1e-7)
    assert now > 0
    judge(result, ["c.corner_1", "c.corner_2"])


@pytest.mark.parametrize("wide, high, tilt, mu", [(1.0, 1.0, -5.0, 3.0), (0.5, 1.0, -5.0, 3.0), (0.2, 1.0, 7.0, 0.8)])
def test_a_block_rocks_until_it_rests(wide: float, high: float, tilt: float, mu: float) -> None:
    """Of small angles every half swing takes r of the one before, with r = 1 − 3/2 sin²α: they have an end."""
    angle, side = np.radians(tilt), np.sign(tilt)
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    foot = np.array([-side * wide / 2, 0.0])
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        bodies={"block": box(foot - turned @ [foot[0], -high / 2], (wide, high), 1.0, angle)},
        surfaces={"floor": {"plane": [0, 1]}},
        contacts={"c": {"between": ["floor", "block"], "friction": mu}},
    )
    result = lw.simulate(model, until=12.0)
    hits = np.array([event.time for event in result.events if "touches" in event.name])
    factor = 1 - 1.5 * np.sin(np.arctan(wide / high)) ** 2
    times = np.diff(hits)
    # the last ones end in rounding errors of the heights of their jumps
    assert times[-5:-3] / times[-6:-4] == pytest.approx(factor, rel=1e-4)
    assert abs(result["block.angle"][-1]) < 1e-9
    assert result["block.y"][-1] == pytest.approx(high / 2, abs=1e-11)
    judge(result, ["c.corner_1", "c.corner_2"])


@pytest.mark.parametrize("mu, e", [(0.3, 0.5), (0.2, 0.7), (0.4, 0.3)])
def test_a_wedge_that_a_ball_kicks_away_sticks_between_bounces_that_end(mu: float, e: float) -> None:
    """A ball on a vertical guide bounces on a wedge; every bounce kicks it along the floor, where it rests again."""
    heavy, slope = 3.0, 2.0 / 3.0
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0.75]},
        bodies={
            "wedge": {"points": {"W": [0, 0]}, "com": [0, 0.2], "mass": heavy, "inertia": 0.2},
            "ball": {"points": ["P"], "com": "P", "mass": 1.0},
        },
        joints={"guide": {"kind": "prismatic", "bodies": ["ground", "ball"], "at": "P", "axis": [0, 1]}},
        surfaces={
            "floor": {"plane": [0, 1]},
            "top": {"polygon": [[-0.6, 0], [0.6, 0], [0.6, 0.1], [-0.6, 0.9]], "on": "wedge"},
        },
        contacts={
            "f": {"between": ["floor", "top"], "friction": mu},
            "b": {"between": ["top", "ball"], "restitution": e},
        },
    )
    result = lw.simulate(model, until=2)
    # height h of the ball above the slope, its speed v, the place x and speed u <= 0 of the wedge; h' = v - slope u
    h, v, x, u, now, hits = 0.25, 0.0, 0.0, 0.0, 0.0, []
    for _ in range(200):
        stop = -u / (mu * G)
        a, b = -(1 + slope * mu) * G, v - slope * u
        span = (-b - np.sqrt(max(b * b - 2 * a * h, 0.0))) / a
        if u < 0 and span > stop:
            h, v, x, now = h + b * stop + a * stop**2 / 2, v - G * stop, x + u * stop / 2, now + stop
            u = 0.0
        if u == 0.0:
            span = (v + np.sqrt(v * v + 2 * G * max(h, 0.0))) / G
            v, now = v - G * span, now + span
        else:
            x, v, u, now = x + u * span + mu * G * span**2 / 2, v - G * span, u + mu * G * span, now + span
        h = 0.0
        hits.append(now)
        rate = v - slope * u
        push = -(1 + e) * rate / (1 + slope * (slope - mu) / heavy)
        v, u = v + push, u - push * (slope - mu) / heavy
    assert names(result, "b is hit")[:10] == pytest.approx(hits[:10], abs=1e-10)
    assert result["wedge.x"][-1] == pytest.approx(x, abs=1e-9)
    assert result.modes.rows[-1].start == pytest.approx(now, abs=1e-5)
    judge(result, ["f.corner_1", "f.corner_2"])


@pytest.mark.parametrize("mu", [0.05, 0.2, 0.6])
def test_a_disc_that_is_thrown_at_a_wall_slides_or_grips(mu: float) -> None:
    """Behind an oblique impact with spin: Λ_t = −min(μ Λ_n, m* |s⁻|) against s⁻, by hand."""
    r, m, e = 0.1, 1.0, 0.5
    v, spin = np.array([2.0, -3.0]), 5.0
    model = lw.Model(
        space="planar",
        bodies={"ball": disc([0.0, r + 0.3], r, m)},
        surfaces={"floor": {"plane": [0, 1]}},
        contacts={"c": {"between": ["floor", "ball"], "friction": mu, "restitution": e}},
        initial={"ball": {"vx": v[0], "vy": v[1], "speed": spin}},
    )
    result = lw.simulate(model, until=0.2)
    push = (1 + e) * m * 3.0
    slip = v[0] + r * spin
    whole = slip / (1 / m + r**2 / (m * r**2 / 2))
    rub = -np.sign(slip) * min(mu * push, abs(whole))
    assert result["ball.vy"][-1] == pytest.approx(e * 3.0, abs=1e-12)
    assert any(note.startswith("impacts follow Newton's law") for note in result.notes)
    assert result["ball.vx"][-1] == pytest.approx(v[0] + rub / m, abs=1e-12)
    assert result["ball.speed"][-1] == pytest.approx(spin + r * rub / (m * r**2 / 2), abs=1e-11)
    judge(result, ["c"])


def test_two_boxes_on_each_others_floor_do_not_know_each_other() -> None:
    """Twice as many: each slides as alone."""
    one = lw.simulate(on_slope(30.0, 0.3), until=0.5)
    model = on_slope(30.0, 0.3)
    shift = 2 * np.array([1.0, np.tan(np.radians(30))])
    place = [model.number(x) for x in model.bodies["box"].origin] + shift
    other = model.bodies["box"].with_(origin=list(place))
    both = model.with_(bodies={"second": other}, contacts={"d": {"between": ["slope", "second"], "friction": 0.3}})
    result = lw.simulate(both, until=0.5)
    assert result["second.x"][-1] - result["second.x"][0] == pytest.approx(
        one["box.x"][-1] - one["box.x"][0], abs=1e-12
    )
    judge(result, [f"{c}.corner_{i}" for c in "cd" for i in (1, 2)])


def test_friction_follows_live_parameters() -> None:
    model = on_slope(30.0, 0.3).with_(
        parameters={"mu": {"value": 0.1, "live": True}}, contacts={"c": {"between": ["slope", "box"], "friction": "mu"}}
    )
    for mu in (0.1, 0.4, 0.7):
        result = lw.simulate(model, until=1, parameters={"mu": mu})
        pull = max(G * (np.sin(np.radians(30)) - mu * np.cos(np.radians(30))), 0.0)
        assert moved(result) == pytest.approx(pull / 2, abs=1e-12)


@pytest.mark.parametrize(("mu", "e"), [(0.3, 0.5), (0.8, 0.3), (0.0, 0.4), (0.3, 0.0)])
@pytest.mark.parametrize("size", [1.0, 0.01])
def test_a_box_tumbles_and_passes_nothing(mu: float, e: float, size: float) -> None:
    """No impact brings energy in, and none is left out: between samples it falls by what is destroyed."""
    law = {"friction": mu} if mu else {}
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        bodies={"b": box([0, size], (0.4 * size, 0.2 * size), size, 0.5)},
        surfaces={"floor": {"plane": [0, 1]}},
        contacts={"c": {"between": ["floor", "b"], "restitution": e, **law}},
        initial={"b": {"vx": 2 * np.sqrt(size), "speed": 3 / np.sqrt(size)}},
    )
    result = lw.simulate(model, until=2 * np.sqrt(size))
    judge(result, ["c.corner_1", "c.corner_2"], size)
    energy = result["energy.total"]
    assert np.max(np.diff(energy)) <= 1e-9 * np.max(np.abs(energy))
    assert len(result.events) > 5


def test_three_discs_in_a_pile_stand_by_friction() -> None:
    """A disc on two that touch: it stands where μ between them and on the ground is above tan 15 degrees."""
    r = 0.1
    for mu, stands in ((0.3, True), (0.2, False)):
        model = lw.Model(
            space="planar",
            gravity=[0, -G],
            bodies={"a": disc([-r, r], r), "b": disc([r, r], r), "top": disc([0, r * (1 + np.sqrt(3))], r)},
            surfaces={"floor": {"plane": [0, 1]}},
            contacts={"c": {"between": ["floor", "a", "b", "top"], "friction": mu}},
        )
        result = lw.simulate(model, until=0.2)
        sinks = result["top.y"][0] - result["top.y"][-1]
        assert (sinks < 1e-12) == stands
        judge(result, ["c.floor_a_skin", "c.floor_b_skin", "c.a_skin_top_skin", "c.b_skin_top_skin"])


def test_a_block_on_a_shaken_table_lifts_off_with_both_corners() -> None:
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0.05], "T": [0, 0]},
        bodies={
            "block": {"points": ["P"], "shapes": {"hull": {"box": [0.2, 0.1], "mass": 1}}},
            "table": {"points": ["T"], "mass": 1, "inertia": 1},
        },
        joints={"T": {"kind": "prismatic", "bodies": ["ground", "table"], "at": "T", "axis": [0, 1]}},
        drivers={"shaker": {"joint": "T", "position": "0.05*(1 - cos(16*t))"}},
        surfaces={"top": {"plane": [0, 1], "on": "table"}},
        contacts={"c": {"between": ["top", "block"], "friction": 0.3, "restitution": 0.4}},
    )
    result = lw.simulate(model, until=1)
    leaves = np.arccos(-G / (0.05 * 16**2)) / 16
    assert names(result, "corner_1 parts")[0] == pytest.approx(leaves, abs=1e-8)
    assert names(result, "corner_2 parts")[0] == pytest.approx(leaves, abs=1e-8)
    assert result.outcome.completed
    assert np.max(np.abs(result["block.angle"])) <= 1e-12
    assert np.min(result["c.corner_1.gap"]) >= -1e-12


def test_a_box_flush_in_a_corner_rests() -> None:
    """Two floors and two walls hold three freedoms: what each of them presses with is not unique, and nothing moves."""
    model = lw.Model(
        space="planar",
        gravity=[-1, -G],
        bodies={"b": box([0.3, 0.1], (0.4, 0.2))},
        surfaces={"floor": {"plane": [0, 1]}, "wall": {"plane": [1, 0]}},
        contacts={"c": {"between": ["floor", "wall", "b"], "friction": 0.05}},
    )
    result = lw.simulate(model, until=1)
    arrives = np.sqrt(2 * 0.1 / (1 - 0.05 * G))
    assert names(result, "wall_b_hull.corner_1 touches") == pytest.approx([arrives], abs=1e-9)
    assert [result["b.x"][-1], result["b.y"][-1], result["b.angle"][-1]] == pytest.approx([0.2, 0.1, 0.0], abs=1e-12)
    assert any("not unique" in note for note in result.notes)
    floor, wall = (
        [f"c.{plane}_b_hull.corner_{i}" for i in corners] for plane, corners in (("floor", (1, 2)), ("wall", (1, 2)))
    )
    held = sum(result[f"{place}.force"][-1] for place in wall) - sum(result[f"{place}.friction"][-1] for place in floor)
    assert abs(held) <= 1.0 + 1e-9
    judge(result, [*floor, *wall])


# -- what is refused or told ----------------------------------------------------------------------------------------------


def test_what_overlaps_at_the_start_is_told() -> None:
    model = on_slope(0.0, 0.3).with_(bodies={"box": box([0, 0.04], (0.4, 0.1))})
    with pytest.raises(lw.errors.AssemblyError, match=r"exceeded by 0.01 m.*draw 'slope' and 'box.hull' apart"):
        lw.simulate(model, until=1)


def test_pairs_without_a_formula_are_refused_by_name() -> None:
    model = lw.Model(
        space="planar",
        bodies={"a": disc([0, 0])},
        surfaces={"rail": {"curve": {"x": "u", "y": "-1 - u**2", "range": [-1, 1], "side": "right"}}},
        contacts={"crash": {"between": ["a", "rail"]}},
    )
    with pytest.raises(
        lw.errors.RefusedError, match=r"contact 'crash' of 'a.skin' and 'rail': no run follows .* polygons"
    ):
        lw.simulate(model, until=1)


@pytest.mark.parametrize(("degrees", "speed", "sound"), [(60, 1.0, False), (60, -1.0, True), (80, 1.0, True)])
def test_a_rod_in_painleves_paradox_is_named(degrees: float, speed: float, sound: bool) -> None:
    """A rod that slides on its tip: what its force does there is 1 + 3 cos²θ − 3 μ sinθ cosθ, which is negative at 60°."""
    theta, mu = np.radians(degrees), 1.6
    assert (1 + 3 * np.cos(theta) ** 2 - 3 * mu * np.sin(theta) * np.cos(theta) < 0) == (degrees == 60)
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [0, 0], "B": [-np.cos(theta), np.sin(theta)]},
        bodies={"rod": {"bar": ["A", "B"], "mass": 1}},
        surfaces={"floor": {"plane": [0, 1]}},
        contacts={"c": {"between": ["floor", "rod"], "friction": mu}},
        initial={"rod": {"vx": speed}},
    )
    if sound:
        judge(lw.simulate(model, until=0.1), ["c.corner_1"])
        return
    with pytest.raises(lw.errors.RefusedError, match=r"at the start friction of c.corner_1 has no solution"):
        lw.simulate(model, until=0.1)
