"""Convex polygons on each other in the plane, in runs with events: corners on sides that change, against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw

G = 9.81
TURNS = [0.0, 45.0, 200.0]


def turned(degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s], [s, c]])


def box(place: Any, edges: tuple[float, float], mass: float = 1.0, angle: float = 0.0) -> dict[str, Any]:
    """A uniform box with its middle at a place."""
    hull = {"box": list(edges), "mass": mass}
    at = [float(x) for x in place]
    return {"points": {"G": [0, 0]}, "origin": at, "rotation": float(angle), "shapes": {"hull": hull}}


def polygon(place: Any, count: int, radius: float, mass: float = 1.0, angle: float = 0.0) -> dict[str, Any]:
    """A regular polygon with its middle at a place."""
    q = 2 * np.pi * np.arange(count) / count
    corners = np.round(radius * np.column_stack([np.cos(q), np.sin(q)]), 12).tolist()
    at = [float(x) for x in place]
    plate = {"plate": {"points": corners, "thickness": 0.1}, "mass": mass}
    points = {"G": [0, 0], "A": [radius, 0]}
    return {"points": points, "origin": at, "rotation": float(angle), "shapes": {"hull": plate}}


def judge(result: lw.Result, size: float = 1.0) -> None:
    """No place is passed, none pulls, and what is apart does not push; the energy is told; all to 1e-10."""
    assert result.outcome.completed, result.outcome
    assert result.audit.passed, str(result.audit)
    gaps = result.names("*.gap")
    assert gaps
    for name in gaps:
        gap, force = result[name], result[name.removesuffix("gap") + "force"]
        largest = np.max(np.abs(force))
        assert np.min(gap) >= -1e-10 * size
        assert np.min(force) >= -1e-10 * largest
        assert np.max(np.abs(gap * force)) <= 1e-10 * size * max(largest, 1.0)


def names(result: lw.Result, word: str) -> list[float]:
    return [event.time for event in result.events if word in event.name]


# -- box on box -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("size", [1.0, 10.0])
def test_a_box_slides_on_a_box_until_both_go_together(turn: float, size: float) -> None:
    """On a floor without friction: μ g slows the one and drives the other until t = v/(μ g (1 + m/M)), then v m/(m + M)."""
    axes, mu, v, m, heavy = turned(turn), 0.3, 1.0 * np.sqrt(size), 1.0, 2.0
    a, b = np.radians(turn), size
    model = lw.Model(
        space="planar",
        gravity=list(axes @ [0, -G]),
        bodies={
            "lower": box(axes @ [0, 0.05 * b], (0.8 * b, 0.1 * b), heavy, a),
            "upper": box(axes @ [-0.1 * b, 0.15 * b], (0.2 * b, 0.1 * b), m, a),
        },
        surfaces={"floor": {"plane": list(axes @ [0, 1])}},
        contacts={"g": {"between": ["floor", "lower"]}, "c": {"between": ["lower", "upper"], "friction": mu}},
        initial={"upper": {"vx": float(v * axes[0, 0]), "vy": float(v * axes[1, 0])}},
    )
    result = lw.simulate(model, until=0.5 * np.sqrt(size))
    together = v / (mu * G * (1 + m / heavy))
    assert names(result, "sticks") == pytest.approx([together] * 2, abs=1e-10)
    for body in ("lower", "upper"):
        speed = axes.T @ [result[f"{body}.vx"][-1], result[f"{body}.vy"][-1]]
        assert speed == pytest.approx([v * m / (m + heavy), 0.0], abs=1e-10)
    way = axes.T @ [result["upper.x"][-1] - result["lower.x"][-1], result["upper.y"][-1] - result["lower.y"][-1]]
    assert way == pytest.approx([-0.1 * b + v * together / 2, 0.1 * b], abs=1e-10 * size)
    judge(result, size)


@pytest.mark.parametrize("wide", [0.2, 0.4, 0.6])
@pytest.mark.parametrize("turn", TURNS)
def test_boxes_stand_on_each_other(wide: float, turn: float) -> None:
    """Narrower, flush on both sides, and wider than what it stands on."""
    axes, a = turned(turn), np.radians(turn)
    model = lw.Model(
        space="planar",
        gravity=list(axes @ [0, -G]),
        bodies={"a": box(axes @ [0, 0.05], (0.4, 0.1), 2.0, a), "b": box(axes @ [0, 0.15], (wide, 0.1), 1.0, a)},
        surfaces={"floor": {"plane": list(axes @ [0, 1])}},
        contacts={"c": {"between": ["floor", "a", "b"], "friction": 0.5}},
    )
    result = lw.simulate(model, until=1)
    assert axes.T @ [result["b.x"][-1], result["b.y"][-1]] == pytest.approx([0.0, 0.15], abs=1e-11)
    assert not result.events
    places = result.names("c.a_hull_b_hull.*.force")
    assert sum(result[name] for name in places) == pytest.approx(G, rel=1e-9)
    judge(result)


def test_a_box_is_pushed_off_a_table_and_tips() -> None:
    """Without friction it tips when its middle passes the edge, and then goes on about it as by hand."""
    v, half, height, m = 1.0, 0.1, 0.05, 1.0
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        bodies={"b": box([-0.15, height], (2 * half, 2 * height), m)},
        surfaces={"table": {"box": [1.0, 0.4], "at": [-0.5, -0.2]}},
        contacts={"c": {"between": ["table", "b"]}},
        initial={"b": {"vx": v}},
    )
    result = lw.simulate(model, until=0.25)
    # its front corner leaves the table, its middle passes the edge
    assert names(result, "parts")[:1] == pytest.approx([0.05], abs=1e-12)
    inertia = m * (4 * half**2 + 4 * height**2) / 12

    def rates(_t: float, y: np.ndarray) -> list[float]:
        """x, θ and their rates; the lower side runs over the edge at the origin."""
        x, q, u, w = y
        # y = (h + x sin q)/cos q, differentiated twice: ay = A ax + B α + R
        c, s = np.cos(q), np.sin(q)
        by_x, by_q = s / c, (height * s + x) / c**2
        rest = 2 * u * w / c**2 + w**2 * (height * (1 + s**2) / c**3 + 2 * x * s / c**3)
        # m ax = −N sin q, m ay = N cos q − m g, J α = −N (the lever along the side), lever = x/cos q + height tan q
        lever = -(x / c + height * s / c)
        system = np.array([[m, 0, s], [m * by_x, m * by_q, -c], [0, inertia, -lever]])
        ax, alpha, _ = np.linalg.solve(system, [0, -m * G - m * rest, 0])
        return [u, w, ax, alpha]

    own = solve_ivp(rates, (0.15, 0.25), [0, 0, v, 0], rtol=1e-12, atol=1e-14).y[:, -1]
    end = [result[f"b.{name}"][-1] for name in ("x", "angle", "vx", "speed")]
    assert end == pytest.approx(list(own), abs=1e-8)
    judge(result)


@pytest.mark.parametrize("over", [0.99, 1.01])
def test_a_box_over_an_edge_tips_where_its_middle_is_beyond(over: float) -> None:
    """α = m g d/(J + m (d² + h²)) at the start, where d is how far the middle is beyond the edge."""
    half, height, m = 0.1, 0.05, 3.0
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        bodies={"b": box([half * (over - 1), height], (2 * half, 2 * height), m)},
        surfaces={"table": {"box": [1.0, 0.4], "at": [-0.5, -0.2]}},
        contacts={"c": {"between": ["table", "b"], "friction": 0.8}},
    )
    result = lw.simulate(model, until=0.05)
    beyond = max(half * (over - 1), 0.0)
    inertia = m * (4 * half**2 + 4 * height**2) / 12 + m * (beyond**2 + height**2)
    assert -result["b.acceleration"][0] == pytest.approx(m * G * beyond / inertia, abs=1e-10)
    judge(result)


# -- wedges and grooves ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("degrees", [30.0, 50.0])
def test_a_block_slides_down_a_wedge_that_gives_way(degrees: float) -> None:
    """Without friction the wedge goes with m g sin a cos a/(M + m sin² a), the block against it by M/m of that."""
    a, m, heavy, b = np.radians(degrees), 1.0, 3.0, 0.6
    down, off = np.array([np.cos(a), -np.sin(a)]), np.array([np.sin(a), np.cos(a)])
    place = np.array([0.2, 0.4 * np.tan(a)]) + 0.05 * off
    plate = {"plate": {"points": [[0, 0], [b, 0], [0, float(b * np.tan(a))]], "thickness": 0.1}, "mass": heavy}
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        bodies={
            "wedge": {"points": {"A": [0, 0], "B": [b, 0]}, "origin": [0, 0], "shapes": {"hull": plate}},
            "block": box(place, (0.2, 0.1), m, -a),
        },
        surfaces={"floor": {"plane": [0, 1]}},
        contacts={"g": {"between": ["floor", "wedge"]}, "c": {"between": ["wedge", "block"]}},
    )
    result = lw.simulate(model, until=0.15)
    back = m * G * np.sin(a) * np.cos(a) / (heavy + m * np.sin(a) ** 2)
    assert result["wedge.A.x"][-1] == pytest.approx(-back * 0.15**2 / 2, abs=1e-11)
    assert result["block.x"][-1] - place[0] == pytest.approx(heavy / m * back * 0.15**2 / 2, abs=1e-11)
    apart = np.array([result["block.x"][-1] - result["wedge.A.x"][-1], result["block.y"][-1]]) - place
    assert apart == pytest.approx(list(np.linalg.norm(apart) * down), abs=1e-11)
    judge(result)


@pytest.mark.parametrize("turn", [0.0, 45.0])
@pytest.mark.parametrize("degrees", [30.0, 45.0])
def test_a_disc_spins_down_in_a_groove(degrees: float, turn: float) -> None:
    """ΣN = m g/((1 + μ²) cos a): friction of both walls carries too, and ω' = −μ R ΣN/J."""
    a, r, mu, spin, axes = np.radians(degrees), 0.1, 0.2, 20.0, turned(turn)
    walls = {}
    for name, side in (("left", 1), ("right", -1)):
        n, t = np.array([side * np.sin(a), np.cos(a)]), np.array([np.cos(a), -side * np.sin(a)])
        middle = axes @ (-0.05 * n - side * 0.25 * t)
        walls[name] = {"box": [0.5, 0.1], "at": middle.tolist(), "rotation": float(-side * a + np.radians(turn))}
    skin = {"cylinder": {"radius": r, "length": 0.1, "axis": "z"}, "mass": 2.0}
    place = axes @ [0, r / np.cos(a)]
    model = lw.Model(
        space="planar",
        gravity=list(axes @ [0, -G]),
        bodies={"disc": {"points": {"C": [0, 0]}, "origin": place.tolist(), "shapes": {"skin": skin}}},
        surfaces=walls,
        contacts={"v": {"between": ["left", "right", "disc"], "friction": mu}},
        initial={"disc": {"speed": spin}},
    )
    slower = 2 * mu * G / ((1 + mu**2) * np.cos(a) * r)
    result = lw.simulate(model, until=1.2 * spin / slower)
    assert names(result, "sticks")[0] == pytest.approx(spin / slower, abs=1e-9)
    assert np.hypot(result["disc.x"][-1] - place[0], result["disc.y"][-1] - place[1]) <= 1e-11
    assert result["disc.angle"][-1] - result["disc.angle"][0] == pytest.approx(spin**2 / (2 * slower), abs=1e-8)
    judge(result)


# -- in flight ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second"), [(3, 4), (4, 4), (5, 6), (3, 3), (7, 4)])
@pytest.mark.parametrize(("mu", "e"), [(0.0, 1.0), (0.4, 0.6)])
def test_polygons_hit_each_other_in_flight(first: int, second: int, mu: float, e: float) -> None:
    """Momentum, moment of momentum, and energy: kept without friction where all of it comes back, never more."""
    law = {"friction": mu} if mu else {}
    model = lw.Model(
        space="planar",
        bodies={"a": polygon([0, 0], first, 0.3, 1.0, 0.2), "b": polygon([0.9, 0.07], second, 0.2, 2.0, 0.5)},
        contacts={"c": {"between": ["a", "b"], "restitution": e, **law}},
        initial={"a": {"vx": 2, "speed": 4}, "b": {"vx": -1, "vy": 0.1, "speed": -7}},
    )
    result = lw.simulate(model, until=0.6)
    assert [event for event in result.events if "is hit" in event.name]
    assert "momentum" in str(result.audit)
    energy = result["energy.total"]
    assert np.max(np.diff(energy)) <= 1e-10 * energy[0]
    if e == 1.0:
        assert energy[-1] == pytest.approx(energy[0], rel=1e-10)
    judge(result)


@pytest.mark.parametrize("count", [3, 4, 5])
def test_a_polygon_rolls_over_its_corners_down_a_box(count: int) -> None:
    """On the top side of a large box as on a plane, whatever place a corner has."""
    a, r = np.radians(12), 0.1
    inner = r * np.cos(np.pi / count)
    start = {"p": polygon([0, inner], count, r, 1.0, -np.pi / 2 - np.pi / count)}
    law = {"friction": 3.0}
    common: dict[str, Any] = {"space": "planar", "gravity": [G * np.sin(a), -G * np.cos(a)], "bodies": start}
    push = {"p": {"vx": 1.0, "speed": -1.0 / inner}}
    on_box = lw.Model(
        **common,
        initial=push,
        surfaces={"floor": {"box": [3, 0.4], "at": [1.2, -0.2]}},
        contacts={"c": {"between": ["floor", "p"], **law}},
    )
    on_plane = on_box.with_(surfaces={"floor": {"plane": [0, 1]}})
    one, other = (lw.simulate(model, until=0.4) for model in (on_box, on_plane))
    assert len(names(one, "touches")) >= 2
    for name in ("p.x", "p.y", "p.angle"):
        assert one[name][-1] == pytest.approx(other[name][-1], abs=1e-8)
    judge(one)
    judge(other)


def test_round_edges_move_sides_out() -> None:
    """A box with a radius slides as one that is larger by it, and rolls over its corners as a disc there."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        bodies={"b": {"points": {"G": [0, 0]}, "origin": [0, 0.07], "mass": 1, "inertia": 0.003}},
        surfaces={
            "skin": {"box": [0.2, 0.1], "radius": 0.02, "on": "b", "at": [0, 0.07]},
            "table": {"box": [4.0, 0.4], "at": [0, -0.2]},
        },
        contacts={"c": {"between": ["table", "skin"], "friction": 0.2}},
        initial={"b": {"vx": 1}},
    )
    result = lw.simulate(model, until=0.4)
    assert result["b.x"][-1] == pytest.approx(0.2 * G * 0 + 0.4 - 0.2 * G * 0.08, abs=1e-10)
    assert result["b.y"][-1] == pytest.approx(0.07, abs=1e-12)
    judge(result)


# -- what is refused ------------------------------------------------------------------------------------------------------


def test_what_has_no_thickness_is_refused_by_name() -> None:
    model = lw.Model(
        space="planar",
        points={"A": [0, 1], "B": [1, 1]},
        bodies={"rod": {"bar": ["A", "B"], "mass": 1}, "b": box([0, 0], (0.2, 0.1))},
        contacts={"c": {"between": ["rod", "b"]}},
    )
    with pytest.raises(lw.errors.RefusedError, match="'rod' has no thickness"):
        lw.simulate(model, until=0.1)
