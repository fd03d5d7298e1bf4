"""How much friction a mechanism needs to stay where it is, against closed forms and against runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import RefusedError, UnknownNameError

G = 9.81
friction_at_rest = lw.measures.friction_at_rest


def incline(slope: float, static: float, size: float = 1.0, **more: Any) -> lw.Model:
    """A block of 2 kg on a rail, pushed along it by a live force."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0]},
        parameters={"F": {"value": "0 N", "live": True}},
        bodies={"block": {"points": ["P"], "com": "P", "mass": 2 * size}},
        joints={
            "rail": {
                "kind": "prismatic",
                "bodies": ["ground", "block"],
                "at": "P",
                "axis": [np.cos(slope), np.sin(slope)],
                "friction": {"coefficient": 0.1, "static": static},
                **more,
            }
        },
        forces={"push": {"kind": "effort", "joint": "rail", "value": "F"}},
    )


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("slope", [0.0, 0.3, np.arctan(0.4), 0.6, -0.3])
def test_a_block_stays_on_an_incline_up_to_the_angle_of_friction(slope: float, size: float) -> None:
    """tan α ≤ μ₀, and the loads between which it stays."""
    found = friction_at_rest(incline(slope, 0.4, size))
    assert found.usage == pytest.approx(abs(np.tan(slope)) / 0.4, abs=1e-12)
    assert found.rests == (abs(slope) <= np.arctan(0.4) + 1e-12)
    assert found["rail.friction.force"] == pytest.approx(2 * size * G * np.sin(slope), abs=1e-12 * size)
    weight = 2 * size * G
    ends = weight * (np.sin(slope) - 0.4 * np.cos(slope)), weight * (np.sin(slope) + 0.4 * np.cos(slope))
    loads = friction_at_rest(incline(slope, 0.4, size), along={"F": (-2 * weight, 2 * weight)})
    assert loads.ranges[0] == pytest.approx(ends, abs=1e-10 * size)
    assert len(loads.ranges) == 1


def test_the_answer_is_printed_tabulated_and_saved(tmp_path: Any) -> None:
    found = friction_at_rest(incline(0.3, 0.4), along={"F": ("-20 N", "20 N")})
    text = str(found)
    assert "0.773341 of the friction, which could be 1.29309 times smaller" in text
    assert "from -1.69937431 to 13.2955872 N, F, of -20 to 20 N" in text
    assert "nothing rubs" not in text
    assert list(found.to_dataframe().columns)[-1].startswith("usage")
    assert friction_at_rest(incline(0.6, 0.4)).safety < 1.0
    assert "does not stay by friction" in str(friction_at_rest(incline(0.6, 0.4)))


LENGTH = 3.0


def ladder(angle: float, floor: float, wall: float, mass: float = 20.0) -> lw.Model:
    """A ladder on a floor and at a wall."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [-LENGTH * np.cos(angle), 0], "B": [0, LENGTH * np.sin(angle)]},
        bodies={"ladder": {"bar": ["A", "B"], "mass": mass}},
        joints={
            "ground_line": {
                "kind": "point_on_line",
                "bodies": ["ground", "ladder"],
                "at": "A",
                "axis": [1, 0],
                "friction": {"coefficient": floor},
            },
            "wall": {
                "kind": "point_on_line",
                "bodies": ["ground", "ladder"],
                "at": "B",
                "axis": [0, 1],
                "friction": {"coefficient": wall},
            },
        },
    )


@pytest.mark.parametrize(("floor", "wall"), [(0.4, 0.4), (0.3, 0.7), (0.5, 0.05)])
@pytest.mark.parametrize("angle", [0.4, 0.9, 1.2, 1.5])
def test_a_ladder_needs_the_friction_of_floor_and_wall(angle: float, floor: float, wall: float) -> None:
    """tan α = (1 − s² μ_f μ_w)/(2 s μ_f): with all of it s = 1, one freedom and two joints that share."""
    found = friction_at_rest(ladder(angle, floor, wall))
    a, b = floor * wall, 2 * floor * np.tan(angle)
    usage = (-b + np.sqrt(b * b + 4 * a)) / (2 * a)
    assert found.usage == pytest.approx(usage, rel=1e-9)
    assert list(found.shares.values()) == pytest.approx([usage, usage], rel=1e-8)
    assert found.rests == (np.tan(angle) >= (1 - floor * wall) / (2 * floor))


def test_the_range_of_a_ladder_along_its_foot() -> None:
    """A range of equilibria, which ends where tan α = (1 − μ²)/2μ."""
    found = friction_at_rest(ladder(1.3, 0.4, 0.4), along={"ground_line.position": (0.0, 2.8)}, start={})
    names = found.along, found.unit
    assert names == ("ground_line.position", "m")
    drawn = -LENGTH * np.cos(1.3)
    last = np.arctan((1 - 0.16) / 0.8)
    assert len(found.ranges) == 1
    low, high = found.ranges[0]
    # the coordinate counts from the point on the ground where the foot is drawn
    ends = sorted(-LENGTH * np.cos(angle) - drawn for angle in (last, np.pi - last))
    inside = [max(ends[0], 0.0), min(ends[1], 2.8)]
    assert [low, high] == pytest.approx(inside, abs=1e-9)


def screw(mu: float) -> lw.Model:
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"P": [0, 0, 0]},
        parameters={"T": {"value": "0 N*m", "live": True}},
        bodies={"nut": {"points": ["P"], "mass": 10, "com": "P", "inertia": [1, 1, 1]}},
        joints={
            "screw": {
                "kind": "helical",
                "bodies": ["ground", "nut"],
                "at": "P",
                "axis": [0, 0, 1],
                "pitch": 0.01,
                "friction": {"coefficient": mu, "radius": 0.01},
            }
        },
        forces={"turn": {"kind": "effort", "joint": "screw", "value": "T"}},
    )


@pytest.mark.parametrize("part", [0.5, 0.99, 1.01, 3.0])
def test_a_screw_holds_by_itself_beyond_its_lead(part: float) -> None:
    """tan λ ≤ μ, and torques between R W tan(λ ∓ φ)."""
    lead = np.arctan(0.01 / (2 * np.pi) / 0.01)
    mu = part * np.tan(lead)
    found = friction_at_rest(screw(mu), along={"T": (-1.0, 1.0)})
    assert found.usage == pytest.approx(1 / part)
    assert found.rests == (part > 1)
    phi = np.arctan(mu)
    ends = 0.01 * 10 * G * np.tan([lead - phi, lead + phi])
    assert found.ranges[0] == pytest.approx(ends, abs=1e-12)


def pendulum(mu: float, radius: float) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0.2, 0]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 2}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "rod"], "friction": {"coefficient": mu, "radius": radius}}
        },
    )


def test_a_pendulum_stays_within_the_circle_of_friction_at_both_ends() -> None:
    """|sin from the vertical| · l/2 ≤ R sin φ, hanging and standing: two ranges of a turn, and runs stay there."""
    found = friction_at_rest(pendulum(0.3, 0.05), along={"O.angle": ("-190 deg", "170 deg")})
    half = np.arcsin(0.05 * 0.3 / np.hypot(1, 0.3) / 0.1)
    assert np.ravel(found.ranges) == pytest.approx(
        np.ravel([(middle - half, middle + half) for middle in (-np.pi / 2, np.pi / 2)]), abs=1e-9
    )
    for angle, stays in ((-np.pi / 2 + 0.99 * half, True), (-np.pi / 2 + 1.01 * half, False)):
        model = pendulum(0.3, 0.05).with_(initial={"O": {"angle": float(angle)}})
        assert friction_at_rest(model).rests == stays
        run = lw.simulate(model, 0.5, step=0.1)
        assert (abs(run["O.angle"][-1] - angle) < 1e-9) == stays


def four_bar(mu: float, load: float) -> lw.Model:
    points = {"O": (0.0, 0.0), "A": (0.0, 0.3), "B": (0.8, 0.5), "C": (0.7, 0.0)}
    bars = {"crank": ("O", "A", 1.0), "coupler": ("A", "B", 2.0), "rocker": ("B", "C", 1.5)}
    pins = {"O": ["ground", "crank"], "A": ["crank", "coupler"], "B": ["coupler", "rocker"], "C": ["ground", "rocker"]}
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={name: list(place) for name, place in points.items()},
        parameters={"T": {"value": load, "live": True}},
        bodies={name: {"bar": [a, b], "mass": mass} for name, (a, b, mass) in bars.items()},
        joints={
            name: {"kind": "revolute", "bodies": pair, "friction": {"coefficient": mu, "radius": 0.04}}
            for name, pair in pins.items()
        },
        forces={"motor": {"kind": "effort", "joint": "O", "value": "T"}},
    )


def test_pins_of_a_four_bar_share_a_load_as_far_as_inverse_dynamics_says() -> None:
    """The ends of the range of torques are the efforts that just move it either way."""
    model = four_bar(0.4, 0.0)
    moved = lw.inverse_dynamics(model, {"O.angle": [np.pi / 2, np.pi / 2]}, motors=["motor"])
    low, high = moved["motor.effort.lower"][0], moved["motor.effort.upper"][0]
    found = friction_at_rest(model, along={"T": (low - 2.0, high + 2.0)})
    assert found.ranges[0] == pytest.approx((low, high), rel=1e-7)
    # and runs stay, or go
    for torque, stays in ((low + 0.01, True), (high - 0.01, True), (low - 0.01, False), (high + 0.01, False)):
        run = lw.simulate(four_bar(0.4, float(torque)), 0.2, step=0.1)
        assert (abs(run["O.angle"][-1] - run["O.angle"][0]) < 1e-9) == stays


def test_a_stop_takes_what_friction_does_not() -> None:
    """A block on a steep incline at a stop below it: the stop pushes, and pulls nothing."""
    slope = 0.6
    found = friction_at_rest(incline(slope, 0.4, limits=[0, None]))
    assert found.usage == pytest.approx(0.0, abs=1e-12)
    assert found.holds[0].name == "rail.position.lower"
    assert found.holds[0].push == pytest.approx(2 * G * np.sin(slope))
    pulled = friction_at_rest(incline(slope, 0.4, limits=[None, 0]))
    assert pulled.usage == pytest.approx(np.tan(slope) / 0.4)
    assert not pulled.holds


def test_what_no_friction_holds_is_named() -> None:
    model = pendulum(0.3, 0.05).with_(
        points={"B": [0.5, 0]},
        bodies={"free": {"bar": ["A", "B"], "mass": 1}},
        joints={"A": {"kind": "revolute", "bodies": ["rod", "free"]}},
    )
    found = friction_at_rest(model)
    assert not found.rests
    assert found.usage == np.inf
    assert "A.angle is pushed with" in found.unheld
    assert "no friction of these joints holds it" in str(found)


def test_what_is_asked_wrongly_is_told() -> None:
    model = incline(0.3, 0.4)
    with pytest.raises(UnknownNameError, match="did you mean"):
        friction_at_rest(model, along={"rail.positon": (0, 1)})
    with pytest.raises(RefusedError, match="takes two values"):
        friction_at_rest(model, along={"F": (0,)})
    with pytest.raises(RefusedError, match="below the second"):
        friction_at_rest(model, along={"F": (1, 0)})
    smooth = incline(0.3, 0.4, friction={"coefficient": 0.4, "smoothing": "1 mm/s"})
    assert any("no joint has dry friction that sticks" in note for note in friction_at_rest(smooth).notes)
    rail = {"kind": "prismatic", "bodies": ["ground", "block"], "axis": [1, 0], "friction": {"coefficient": 0.1}}
    twice = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0], "Q": [1, 0]},
        bodies={"block": {"points": ["P", "Q"], "mass": 1, "com": "P", "inertia": 1}},
        joints={"one": {**rail, "at": "P"}, "other": {**rail, "at": "Q"}},
    )
    with pytest.raises(RefusedError, match=r"friction of joint 'one'.*not unique"):
        friction_at_rest(twice)
