"""Contacts of models in space, in runs with events: slips with two components, rolling, oblique impacts, feet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

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


def test_friction_of_many_places_in_space_is_refused_by_name() -> None:
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        bodies={"crate": CRATE},
        surfaces={"floor": {"plane": [0, 0, 1]}},
        contacts={"c": {"between": ["floor", "crate"], "friction": 0.2}},
    )
    with pytest.raises(
        lw.errors.RefusedError, match=r"contact 'c' of 'floor' and 'crate.h': they touch at up to 8 places"
    ):
        lw.simulate(model, until=1)
