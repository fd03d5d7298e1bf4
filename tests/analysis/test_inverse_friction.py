"""Inverse dynamics with friction of joints: against runs, closed forms and equations written apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.inverse.ways import ALL_INVERSE_METHODS
from linkwork.errors import RefusedError

G = 9.81
ALL_KINDS = ("relative", "reference_point", "natural", "mixed")
TIGHT = {"rtol": 1e-11, "atol": 1e-13}
MU, RADIUS = 0.25, 0.02
POINTS = {"O": (0.0, 0.0), "A": (0.0, 0.3), "B": (0.8, 0.5), "C": (0.7, 0.0)}
BARS = {"crank": ("O", "A", 1.0), "coupler": ("A", "B", 2.0), "rocker": ("B", "C", 1.5)}
PINS = {"O": ["ground", "crank"], "A": ["crank", "coupler"], "B": ["coupler", "rocker"], "C": ["ground", "rocker"]}


def four_bar(friction: dict[str, Any] | None, turned: float = 0.0, size: float = 1.0, **more: Any) -> lw.Model:
    """A four-bar with friction in all its pins, turned with gravity, *size* times as large."""
    c, s = np.cos(turned) * size, np.sin(turned) * size
    return lw.Model(
        space="planar",
        gravity=[s * G, -c * G],
        points={name: [c * x - s * y, s * x + c * y] for name, (x, y) in POINTS.items()},
        bodies={name: {"bar": [a, b], "mass": mass} for name, (a, b, mass) in BARS.items()},
        joints={
            name: {"kind": "revolute", "bodies": pair, **({} if friction is None else {"friction": friction})}
            for name, pair in PINS.items()
        },
        **more,
    )


def block(friction: dict[str, Any], turned: float = 0.0) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[G * np.sin(turned), -G * np.cos(turned)],
        points={"P": [0, 0]},
        bodies={"block": {"points": ["P"], "com": "P", "mass": 2}},
        joints={
            "rail": {
                "kind": "prismatic",
                "bodies": ["ground", "block"],
                "at": "P",
                "axis": [np.cos(turned), np.sin(turned)],
                "friction": friction,
            }
        },
    )


@pytest.mark.parametrize("turned", [0.0, np.pi / 4])
def test_a_block_that_goes_back_and_forth(turned: float) -> None:
    """F = m a + μ m g sgn v; where it turns back, F = m a ± μ₀ m g."""
    times = np.linspace(0, np.pi, 9)  # two of them where it turns back
    found = lw.inverse_dynamics(
        block({"coefficient": 0.3, "static": 0.4}, turned), {"rail": "0.1*sin(2*t)"}, times=times
    )
    speed, acceleration = 0.2 * np.cos(2 * times), -0.4 * np.sin(2 * times)
    turns = np.abs(speed) < 1e-12
    assert np.count_nonzero(turns) == 2
    rubs = np.where(turns, 0.0, 0.3 * 2 * G * np.sign(speed))
    assert found["rail.effort"] == pytest.approx(2 * acceleration + rubs, abs=1e-12)
    assert found["rail.friction.force"] == pytest.approx(-rubs, abs=1e-12)
    assert found["rail.friction.contact"] == pytest.approx(2 * G)
    ends = np.where(turns, 0.4 * 2 * G, 0.0)
    assert found["rail.position.effort.lower"] == pytest.approx(found["rail.effort"] - ends, abs=1e-12)
    assert found["rail.position.effort.upper"] == pytest.approx(found["rail.effort"] + ends, abs=1e-12)
    (note,) = (text for text in found.notes if "stand still" in text)
    assert "at t = 0.785398 s and at 1 more sample" in note


@pytest.mark.parametrize("kind", ALL_KINDS)
@pytest.mark.parametrize(("turned", "size"), [(0.0, 1.0), (np.pi / 4, 10.0)])
def test_the_torque_of_a_run_is_found_again(kind: str, turned: float, size: float) -> None:
    """Friction from what pins transmit in the run, and from what they transmit in a motion that is only given."""
    friction = {"coefficient": MU, "static": 0.3, "radius": RADIUS * size, "stribeck": 0.1 * size}
    motor = {"motor": {"kind": "effort", "joint": "O", "value": f"{size**2}*(14 + 9*sin(3*t))"}}
    run = lw.simulate(four_bar(friction, turned, size, forces=motor), until=1.5, step=0.05, coordinates=kind, **TIGHT)
    assert run.audit.passed
    found = lw.inverse_dynamics(run, coordinates=kind)
    wanted = size**2 * (14 + 9 * np.sin(3 * run.time))
    assert found["motor"][1:] == pytest.approx(wanted[1:], abs=1e-8 * size**2)
    assert found["motor.effort.lower"][0] < wanted[0] < found["motor.effort.upper"][0]  # from rest
    for pin in PINS:
        for name in (f"{pin}.friction.torque", f"{pin}.fx"):
            assert found[name][1:] == pytest.approx(run[name][1:], abs=1e-8 * size**2)
    assert found.audit.passed, str(found.audit)
    assert not any("rubs" in note for note in found.notes)


@pytest.mark.parametrize("method", [method.name for method in ALL_INVERSE_METHODS])
def test_all_methods_give_the_same(method: str) -> None:
    model, motion = four_bar({"coefficient": MU, "radius": RADIUS}), {"O": "pi/2 + 0.8*sin(2*t)"}
    times = np.linspace(0.05, 1.4, 12)
    usual = lw.inverse_dynamics(model, motion, times=times)
    other = lw.inverse_dynamics(model, motion, times=times, method=method)
    assert other["O.effort"] == pytest.approx(usual["O.effort"], rel=1e-8, abs=1e-8)
    assert other["B.friction.torque"] == pytest.approx(usual["B.friction.torque"], rel=1e-8, abs=1e-8)


def test_what_friction_takes_is_the_work_of_the_motor() -> None:
    """Over a whole turn of the motion the motor does what the pins destroy."""
    model, motion = four_bar({"coefficient": MU, "radius": RADIUS}), {"O": "pi/2 + 0.8*sin(2*t)"}
    found = lw.inverse_dynamics(model, motion, times=np.linspace(0, np.pi, 401))
    powers = sum(found[f"{pin}.friction.power"] for pin in PINS)
    lost = -float(np.sum((powers[1:] + powers[:-1]) / 2 * np.diff(found.time)))
    assert lost > 0.1
    assert found.energy["O.angle"][-1] == pytest.approx(lost, rel=1e-4)
    dry = lw.inverse_dynamics(model, motion, times=np.linspace(0, np.pi, 401), friction=False)
    assert abs(dry.energy["O.angle"][-1]) < 1e-8
    assert any("nothing rubs in joints here" in note for note in dry.notes)


@pytest.mark.parametrize("part", [0.5, 0.99, 1.01, 2.0])
def test_a_screw_that_holds_its_load(part: float) -> None:
    """The torque between R W tan(λ − φ) and R W tan(λ + φ), with tan φ = μ and tan λ = h/R (Shigley)."""
    radius, pitch, weight = 0.01, 0.01, 100.0
    lead = np.arctan(pitch / (2 * np.pi) / radius)
    angle = np.arctan(part * np.tan(lead))
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"P": [0, 0, 0]},
        bodies={"nut": {"points": ["P"], "mass": weight / G, "com": "P", "inertia": [0.01] * 3}},
        joints={
            "screw": {
                "kind": "helical",
                "bodies": ["ground", "nut"],
                "at": "P",
                "axis": [0, 0, 1],
                "pitch": pitch,
                "friction": {"coefficient": float(np.tan(angle)), "radius": radius},
            }
        },
    )
    found = lw.inverse_dynamics(model, {"screw.angle": [0.0, 1.0]})
    assert found["screw.angle.effort.lower"] == pytest.approx(radius * weight * np.tan(lead - angle))
    assert found["screw.angle.effort.upper"] == pytest.approx(radius * weight * np.tan(lead + angle))
    assert (found["screw.angle.effort.lower"] < 0).all() == (part > 1)
    # what lifts the load slowly, without friction, from pose to pose
    assert found.energy["screw.angle"][-1] == pytest.approx(weight * pitch / (2 * np.pi))
    slowly = lw.inverse_dynamics(model, {"screw.angle": "0.1*t"}, times=[0.0, 1.0])
    assert slowly["screw.angle.effort"] == pytest.approx(radius * weight * np.tan(lead + angle))


def test_bounds_of_several_pins_are_the_largest_of_all_choices() -> None:
    """A four-bar at rest: every pin at one end of its friction, all 16 ways, by a motion that is slow that way."""
    model = four_bar({"coefficient": 0.6, "radius": 0.08})
    found = lw.inverse_dynamics(model, {"O.angle": [np.pi / 2 - 0.2, np.pi / 2 + 0.3]})
    ways = [
        lw.inverse_dynamics(model, {"O": f"{angle} + {way}*1e-7*t"}, times=[0.0, 1e-9])["O.effort"][0]
        for angle in (np.pi / 2 - 0.2, np.pi / 2 + 0.3)
        for way in (-1, 1)
    ]
    ends = np.ravel(np.column_stack([found["O.angle.effort.lower"], found["O.angle.effort.upper"]]))
    # the mechanism has one freedom: where it would just go, all its pins rub against it
    assert ends == pytest.approx(ways, rel=1e-6)


def slider(mu: float, crank: float) -> lw.Model:
    """A slider that a crank drives by a steep rod, without weight."""
    a = np.array([np.cos(crank), np.sin(crank)])
    b = a + [-0.6, -0.8] if crank > 1 else a + [0.8, -0.6]
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": a.tolist(), "B": b.tolist()},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 1e-9},
            "block": {"points": ["B"], "mass": 3},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
            "B": {"kind": "revolute", "bodies": ["rod", "block"]},
            "guide": {
                "kind": "prismatic",
                "bodies": ["ground", "block"],
                "at": "B",
                "axis": [1, 0],
                "friction": {"coefficient": mu},
            },
        },
        forces={"load": {"kind": "force", "at": "block.B", "value": ["-50", "0"]}},
    )


def test_a_rod_that_is_too_steep_jams_and_is_told() -> None:
    """S cos β − F = μ S sin β has no S > 0 where tan β > 1/μ: no torque moves the block against its load."""
    model = slider(2.0, np.pi / 2)
    x = lw.analyse(model).assembly.poses["block"].origin[0]
    found = lw.inverse_dynamics(model, {"guide": f"{x} + 0.05*t"}, times=[0.0, 0.1], motors=["O.angle"])
    assert np.isnan(found["O.angle.effort"]).all()
    assert any("friction jams the motion throughout" in note for note in found.notes)
    with_less = lw.inverse_dynamics(slider(0.2, np.pi / 2), {"guide": "t/20"}, times=[0.0, 0.1], motors=["O.angle"])
    assert np.isfinite(with_less["O.angle.effort"]).all()


def test_friction_of_what_is_not_unique_is_refused_by_name() -> None:
    rail = {"kind": "prismatic", "bodies": ["ground", "block"], "axis": [1, 0], "friction": {"coefficient": 0.1}}
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0], "Q": [1, 0]},
        bodies={"block": {"points": ["P", "Q"], "mass": 1, "com": "P", "inertia": 1}},
        joints={"one": {**rail, "at": "P"}, "other": {**rail, "at": "Q"}},
    )
    with pytest.raises(RefusedError, match=r"friction of joint 'one' .* fy is not unique.*friction=False"):
        lw.inverse_dynamics(model, {"one": "t"}, times=[0.0, 1.0], motors=["one"])
    free = lw.inverse_dynamics(model, {"one": "t"}, times=[0.0, 1.0], motors=["one"], friction=False)
    assert free["one.effort"] == pytest.approx(0.0)


def test_a_joint_that_carries_nothing_is_named() -> None:
    wheel = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "P": [1, 0]},
        bodies={
            "arm": {"bar": ["O", "P"], "mass": 1},
            "weightless": {"points": ["P"], "mass": 0, "com": "P", "inertia": 0.1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "arm"], "friction": {"coefficient": 0.1, "radius": "5 mm"}},
            "P": {
                "kind": "revolute",
                "bodies": ["arm", "weightless"],
                "friction": {"coefficient": 0.1, "radius": 0.01},
            },
        },
    )
    found = lw.inverse_dynamics(wheel, {"O": "t", "P": "2*t"}, times=[0.1, 0.2, 0.3])
    assert "joint P carries no load in this motion: its friction does nothing" in found.notes
    assert found["P.effort"] == pytest.approx(0.0, abs=1e-12)
    arm = 0.005 * 0.1 / np.hypot(1, 0.1)
    force = np.hypot(found["O.fx"], found["O.fy"])
    assert found["O.friction.torque"] == pytest.approx(-arm * force)


@pytest.mark.parametrize("kind", ["spherical", "cylindrical", "point_on_plane"])
def test_smooth_friction_along_several_coordinates(kind: str) -> None:
    """The same law as in a run: what the run has, the motion of the run has too."""
    friction = {"coefficient": 0.2, "smoothing": 1e-3}
    rates: dict[str, Any] = {
        "spherical": {"omega": [0.5, 0.2, 1.0]},
        "cylindrical": {"angle_rate": 6.0, "position_rate": 0.4},
        "point_on_plane": {"position_x_rate": 1.0, "position_y_rate": 0.5},
    }
    if kind != "point_on_plane":
        friction |= {"radius": 0.05} | ({"length": 0.4} if kind == "cylindrical" else {})
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"O": [0, 0, 0], "S": [0.3, 0.1, 0.0]},
        bodies={"body": {"points": ["O", "S"], "mass": 3, "com": "S", "inertia": [0.2, 0.25, 0.3]}},
        joints={
            "O": {
                "kind": kind,
                "bodies": ["ground", "body"],
                "at": "O",
                "friction": friction,
                **({} if kind == "spherical" else {"axis": [0, 0, 1]}),
            }
        },
        initial={"O": rates[kind]},
    )
    run = lw.simulate(model, until=0.2, step=0.02, coordinates="reference_point", **TIGHT)
    found = lw.inverse_dynamics(run, motors=[], coordinates="reference_point")
    for name in run.source.catalogue:
        if name.startswith("O.friction.") and name.endswith(("force", "torque", "contact", "_x", "_y", "_z")):
            assert found[name] == pytest.approx(run[name], abs=1e-7), name
