"""Teeth, racks, belts and wheels push where they touch: bearings against statics and dynamics by hand.

All forces of teeth here are worked out in the test from torques and radii: F = M / r along the tangent, F tan α apart,
F tan β along the axis (J. E. Shigley, C. R. Mischke, Mechanical Engineering Design, 5th ed. 1989, chapter 13).
"""

from __future__ import annotations

import math
from typing import Any

import gear_trains
import numpy as np
import pytest
from combinations import KINDS, every_combination
from numpy.typing import NDArray

import linkwork as lw
from linkwork.equations.inverse.ways import ALL_INVERSE_METHODS
from linkwork.equations.reactions.schemes import ALL_REACTION_SCHEMES

Array = NDArray[np.float64]
METHODS = [method.name for method in ALL_INVERSE_METHODS]
SCHEMES = [scheme.name for scheme in ALL_REACTION_SCHEMES]
DEG = math.pi / 180


def torque(joint: str, value: Any) -> dict[str, Any]:
    return {"kind": "effort", "joint": joint, "value": value}


def turned(x: float, y: float, turn: float) -> Array:
    return np.array([x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)])


def first(result: Any, joint: str, d: int = 2) -> Array:
    """The force in a joint at the first output."""
    return np.array([result[f"{joint}.f{axis}"][0] for axis in "xyz"[:d]])


# -- spur gears ------------------------------------------------------------------------------------------------------


def spur(radii: tuple[float, float] = (4.0, 2.0), turn: float = 0.0, push: float = 1000.0, **more: Any) -> lw.Model:
    """Two wheels on the ground, from A towards B along *turn*; a torque on the second, held by the first."""
    internal = more.get("internal", False)
    distance = radii[0] - radii[1] if internal else radii[0] + radii[1]
    return lw.Model(
        space="planar",
        points={"A": [0, 0], "B": turned(distance, 0, turn).tolist()},
        bodies={name: gear_trains.wheel(point, 3, 2.0) for name, point in (("one", "A"), ("two", "B"))},
        joints={name: gear_trains.revolute("ground", body) for name, body in (("A", "one"), ("B", "two"))},
        couplings={"mesh": {"bodies": ["one", "two"], "radii": list(radii), **more}},
        forces={"load": torque("B", push)},
        drivers={"brake": {"joint": "A", "speed": 0.0}},
    )


@pytest.mark.matrix("alpha", "push", "size", "turn", strength=2)
@pytest.mark.parametrize("turn", [0.0, math.pi / 4, 2.5])
@pytest.mark.parametrize("size", [1.0, 10.0, 0.001])
@pytest.mark.parametrize("push", [1000.0, -300.0])
@pytest.mark.parametrize("alpha", [0.0, 20.0])
def test_a_spur_pair_loads_both_shafts(turn: float, size: float, push: float, alpha: float) -> None:
    """1000 N m at a radius of 2 m: 500 N on either shaft, across the line of centres; teeth drive the shafts apart."""
    model = spur((4 * size, 2 * size), turn, push, pressure_angle=f"{alpha} deg")
    result = lw.simulate(model, 0.1, step=0.1)
    force = push / (2 * size)
    apart = abs(force) * math.tan(alpha * DEG)
    # a positive torque moves the teeth of the second wheel, left of its axis, down: they push the first down
    expected = turned(apart, force, turn)
    np.testing.assert_allclose(first(result, "A"), expected, rtol=1e-9, atol=1e-9 * abs(force))
    np.testing.assert_allclose(first(result, "B"), -expected, rtol=1e-9, atol=1e-9 * abs(force))
    np.testing.assert_allclose(first(result, "mesh"), expected, rtol=1e-9, atol=1e-9 * abs(force))
    # the torque that the brake holds is not changed by any of this
    assert result["brake.effort"][0] == pytest.approx(2 * push, rel=1e-9)
    assert result["mesh.effort"][0] == pytest.approx(-2 * push, rel=1e-9)


@pytest.mark.parametrize(("radii", "which"), [((5.0, 2.0), 0), ((2.0, 5.0), 1)])
@pytest.mark.parametrize("push", [1000.0, -1000.0])
def test_an_internal_pair(radii: tuple[float, float], which: int, push: float) -> None:
    """The pinion is pushed from the ring towards its own centre, the ring away from the pinion."""
    result = lw.simulate(spur(radii, 0.0, push, internal=True, pressure_angle="20 deg"), 0.1, step=0.1)
    across = push / radii[1]
    sideways = abs(across) * math.tan(20 * DEG)
    if which == 0:  # the ring about A, the pinion right of it: they touch at the right, and the ring is pushed there
        expected = [-sideways, -across]
    else:  # the pinion about A, 3 m left of the axis of the ring... drawn at −3 m: they touch at its far right
        expected = [sideways, -across]
    np.testing.assert_allclose(first(result, "A"), expected, rtol=1e-9)
    np.testing.assert_allclose(first(result, "A") + first(result, "B"), 0.0, atol=1e-9 * abs(across))


@every_combination
def test_teeth_carry_what_the_inertia_of_the_other_shaft_needs(coordinates: str, formulation: str) -> None:
    """T = (J₂ + J₁ (r₂/r₁)²) α₂, and the tooth gets what is left: F = (T − J₂ α₂) / r₂."""
    data = spur(pressure_angle="20 deg").to_dict()
    data.pop("drivers")
    result = lw.simulate(lw.Model(**data), 0.2, step=0.1, coordinates=coordinates, formulation=formulation)
    alpha = 1000.0 / (2.0 + 2.0 / 4)
    force = (1000.0 - 2.0 * alpha) / 2.0
    expected = np.array([force * math.tan(20 * DEG), force])
    for joint, sign in (("A", 1.0), ("B", -1.0)):
        for i, axis in enumerate("xy"):
            np.testing.assert_allclose(result[f"{joint}.f{axis}"], sign * expected[i], rtol=1e-7)
    np.testing.assert_allclose(result["B.acceleration"], alpha, rtol=1e-9)


# -- helical gears ---------------------------------------------------------------------------------------------------


def helical(beta: float, alpha: float, push: float, **more: Any) -> lw.Model:
    """Wheels of 0.1 and 0.05 m about z, the bearings at z = 0 and the mesh where *at* says."""
    return lw.Model(
        space="spatial",
        points={"A": [0, 0, 0], "B": [0.15, 0, 0], "M": [0.1, 0, 0.2]},
        bodies={
            "one": {"points": ["A"], "mass": 1, "inertia": [0.1, 0.1, 0.1]},
            "two": {"points": ["B"], "mass": 1, "inertia": [0.1, 0.1, 0.1]},
        },
        joints={
            "A": gear_trains.revolute("ground", "one", axis=[0, 0, 1]),
            "B": gear_trains.revolute("ground", "two", axis=[0, 0, -1]),
        },
        couplings={
            "mesh": {
                "bodies": ["one", "two"], "teeth": [40, 20],
                "pressure_angle": f"{alpha} deg", "helix_angle": f"{beta} deg", **more,
            }
        },
        forces={"load": torque("A", push)},
        drivers={"brake": {"joint": "B", "speed": 0.0}},
    )  # fmt: skip


@pytest.mark.parametrize("beta", [15.0, -30.0])
@pytest.mark.parametrize("push", [50.0, -50.0])
def test_helical_teeth_push_along_the_shaft(beta: float, push: float) -> None:
    """A right-handed wheel that drives anticlockwise is pushed along its axis the way that a right hand's thumb points."""
    result = lw.simulate(helical(beta, 20.0, push, at="M"), 0.1, step=0.1)
    tangential = push / 0.1
    radial = abs(tangential) * math.tan(20 * DEG) / math.cos(beta * DEG)
    axial = tangential * math.tan(beta * DEG)  # of the teeth on the first wheel
    teeth = np.array([-radial, -tangential, axial])
    np.testing.assert_allclose(first(result, "A", 3), -teeth, rtol=1e-9)
    np.testing.assert_allclose(first(result, "B", 3), teeth, rtol=1e-9)
    np.testing.assert_allclose(first(result, "mesh", 3), -teeth, rtol=1e-9)
    # moments about the bearings: those of the teeth at their places, but about the shafts
    for joint, arm, sign in (("A", [0.1, 0, 0.2], -1.0), ("B", [-0.05, 0, 0.2], 1.0)):
        moment = sign * np.cross(arm, teeth)
        found = [result[f"{joint}.m{axis}"][0] for axis in "xyz"]
        np.testing.assert_allclose(found, [*moment[:2], 0.0], rtol=1e-9, atol=1e-9)
    # thrust does no work: the motion of a free train does not know of the angles
    free = {key: value for key, value in helical(beta, 20.0, push, at="M").to_dict().items() if key != "drivers"}
    plain = {key: value for key, value in helical(0.0, 0.0, push).to_dict().items() if key != "drivers"}
    for kind in KINDS:
        runs = [lw.simulate(lw.Model(**data), 0.2, step=0.1, coordinates=kind) for data in (free, plain)]
        np.testing.assert_array_equal(runs[0]["A.angle"], runs[1]["A.angle"])


# -- bevel gears -----------------------------------------------------------------------------------------------------


def bevel(push: float, alpha: float, psi: float, sense: float = 1.0) -> lw.Model:
    """A pinion about x of 0.03 m, a wheel about −z of 0.06 m, the apex at the origin; a torque on the pinion."""
    return lw.Model(
        space="spatial",
        points={"P": [0.06, 0, 0], "W": [0, 0, -0.03], "apex": [0, 0, 0]},
        bodies={
            "pinion": {"points": ["P"], "mass": 1, "inertia": [0.01, 0.01, 0.01]},
            "wheel": {"points": ["W"], "mass": 1, "inertia": [0.01, 0.01, 0.01]},
        },
        joints={
            "P": gear_trains.revolute("ground", "pinion", axis=[sense, 0, 0]),
            "W": gear_trains.revolute("ground", "wheel", axis=[0, 0, 1]),
        },
        couplings={
            "mesh": {
                "bodies": ["pinion", "wheel"], "radii": [0.03, 0.06],
                "pressure_angle": f"{alpha} deg", "helix_angle": f"{psi} deg",
            }
        },
        forces={"load": torque("P", push * sense)},
        drivers={"brake": {"joint": "W", "speed": 0.0}},
    )  # fmt: skip


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("push", [6.0, -6.0])
@pytest.mark.parametrize("psi", [0.0, 35.0, -35.0])
def test_bevel_gears(push: float, psi: float, sense: float) -> None:
    """W_r = W_t (tan φ cos γ / cos ψ ± tan ψ sin γ), W_a = W_t (tan φ sin γ / cos ψ ∓ tan ψ cos γ).

    The upper signs: a right-handed pinion that drives clockwise, seen from behind towards the apex.
    """
    result = lw.simulate(bevel(push, 20.0, psi, sense), 0.1, step=0.1)
    tangential = push / 0.03  # what the pinion gives, about +x, at the mesh below it
    gamma, phi, tilt = math.atan2(0.03, 0.06), 20 * DEG, psi * DEG
    # seen from behind (the wheel's far side, +x) towards the apex a turn about +x is anticlockwise
    upper = -math.copysign(1.0, push)
    radial = abs(tangential) * (
        math.tan(phi) * math.cos(gamma) / math.cos(tilt) + upper * math.tan(tilt) * math.sin(gamma)
    )
    axial = abs(tangential) * (
        math.tan(phi) * math.sin(gamma) / math.cos(tilt) - upper * math.tan(tilt) * math.cos(gamma)
    )
    # they touch at (0.06, 0, −0.03): the pinion is pushed up by W_r, away from the apex by W_a, back by W_t along y
    teeth = np.array([axial, -tangential, radial])
    np.testing.assert_allclose(first(result, "P", 3), -teeth, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(first(result, "W", 3), teeth, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(abs(result["brake.effort"][0]), 2 * abs(push), rtol=1e-9)
    moment = np.cross([0, 0, -0.03], -teeth)
    np.testing.assert_allclose([result[f"P.m{axis}"][0] for axis in "yz"], moment[1:], rtol=1e-9, atol=1e-9)


# -- worms -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", ["right", "left"])
def test_a_worm_is_pushed_along_its_axis_by_what_turns_the_wheel(hand: str) -> None:
    """The tangential force of the wheel is the thrust of the worm, and the other way round."""
    data = gear_trains.worm(hand).to_dict()
    data["points"]["C"] = [0, 0, 0.08]  # 20 mm below the axis of the worm, 80 mm from that of the wheel
    data["couplings"]["mesh"] |= {"at": "C", "pressure_angle": "20 deg"}
    data |= {"forces": {"load": torque("V", 8.0)}, "drivers": {"hold": {"joint": "W", "speed": 0.0}}}
    result = lw.simulate(lw.Model(**data), 0.1, step=0.1)
    worm_torque = 8.0 * 2 / 40
    along, across = 8.0 / 0.08, worm_torque / 0.02
    apart = math.hypot(along, across) * math.tan(20 * DEG)
    # the wheel turns about +y: above its axis it pushes the worm along +x, and away from itself
    found = first(result, "W", 3)
    np.testing.assert_allclose(np.abs(found), [along, across, apart], rtol=1e-9)
    assert found[0] == pytest.approx(-along, rel=1e-9) and found[2] == pytest.approx(-apart, rel=1e-9)
    # what the worm's motor holds turns it back about x: force × 20 mm below the axis
    assert found[1] * 0.02 == pytest.approx(result["hold.effort"][0], rel=1e-9)
    assert np.sign(found[1]) == (1.0 if hand == "right" else -1.0)
    np.testing.assert_allclose(first(result, "V", 3), -found, rtol=1e-9)


# -- racks and rolling wheels ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("axis", [-1, 1])
@pytest.mark.parametrize("pull", [100.0, -100.0])
def test_a_rack_loads_pinion_and_guide(side: int, axis: int, pull: float) -> None:
    model = gear_trains.rack(
        side, axis,
        forces={"pull": {"kind": "force", "at": "rack.B", "value": [pull, 0]}},
        drivers={"brake": {"joint": "O", "speed": 0.0}},
        couplings={
            "mesh": {"kind": "rack", "bodies": ["pinion", "rack"], "radius": 0.2, "pressure_angle": "20 deg"}
        },
    )  # fmt: skip
    result = lw.simulate(model, 0.1, step=0.1)
    apart = 100.0 * math.tan(20 * DEG)
    # the rack is held by the teeth along x and by its guide across
    np.testing.assert_allclose(first(result, "O"), [-pull, side * apart], rtol=1e-9)
    np.testing.assert_allclose(first(result, "B"), [0.0, -side * apart], rtol=1e-9, atol=1e-9)
    # the teeth push at (0, ±0.2), the guide and the pull act at (0.5, ±0.2)
    assert result["B.mz"][0] == pytest.approx(0.5 * side * apart, rel=1e-9)
    assert result["brake.effort"][0] == pytest.approx(pull * 0.2 * side, rel=1e-9)
    assert abs(result["mesh.effort"][0]) == pytest.approx(100.0, rel=1e-9)


def test_the_ground_feels_what_bearings_and_guides_feel() -> None:
    """The shaking force and moment of a rack that is pulled from outside are what joints and motor do to the ground."""
    model = gear_trains.rack(
        forces={"pull": {"kind": "force", "at": "rack.B", "value": ["100*cos(3*t)", 40]}},
        couplings={"mesh": {"kind": "rack", "bodies": ["pinion", "rack"], "radius": 0.2, "pressure_angle": "25 deg"}},
    )
    found = lw.inverse_dynamics(model, {"O": "sin(5*t)"}, times=[0.0, 0.1, 0.2, 0.3])
    o, b = (found.result.reactions[joint] for joint in "OB")
    np.testing.assert_allclose(found.shaking_force, -o.force - b.force, atol=1e-9)
    at = np.column_stack([found["rack.B.x"], found["rack.B.y"]])
    turned_by = at[:, 0] * b.force[:, 1] - at[:, 1] * b.force[:, 0]
    moment = -found["O.angle.effort"] - b.moment - turned_by
    np.testing.assert_allclose(np.ravel(found.shaking_moment), moment, atol=1e-9)
    assert np.abs(o.force).max() > 50.0


@pytest.mark.parametrize("slope", [0.3, math.pi / 4])
def test_a_wheel_that_rolls_down_a_slope(slope: float) -> None:
    """Friction at the contact turns the wheel; its axle feels what is left, the rail the weight across."""
    result = lw.simulate(gear_trains.rolling_wheel(slope), 0.2, step=0.1)
    m, j, r, g = 2.0, 0.15, 0.3, 9.81
    acceleration = g * math.sin(slope) / (1 + j / (m * r**2))
    friction = j / r**2 * acceleration
    down = np.array([math.cos(slope), -math.sin(slope)])
    normal = np.array([math.sin(slope), math.cos(slope)])
    # m a = m g sin − friction along the slope: nothing else but the friction, and the axle across
    np.testing.assert_allclose(first(result, "C"), m * g * math.cos(slope) * normal, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(abs(result["rolling.effort"]), friction, rtol=1e-9)
    np.testing.assert_allclose(first(result, "rolling"), -friction * down, rtol=1e-9, atol=1e-9)


# -- belts and chains --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("push", [10.0, -10.0])
@pytest.mark.parametrize("slack", [0.0, 30.0])
def test_the_strands_of_a_belt_pull_the_shafts_together(crossed: bool, push: float, slack: float) -> None:
    """The pull of the tight strand is more than that of the slack one by M / r; both lie along common tangents."""
    belt = {"kind": "belt", "bodies": ["small", "large"], "radii": [0.1, 0.25], "crossed": crossed, "tension": slack}
    model = gear_trains.belt(
        couplings={"belt": belt}, forces={"load": torque("A", push)}, drivers={"brake": {"joint": "B", "speed": 0.0}}
    )
    result = lw.simulate(model, 0.1, step=0.1)
    tilt = math.asin((0.1 + 0.25 if crossed else 0.1 - 0.25) / 1.0)
    tight = slack + 10.0 / 0.1
    # the belt turns the small pulley against the load: pulled from below if the load turns it forwards
    upper, lower = (tight, slack) if push > 0 else (slack, tight)
    # the upper strand leaves at the angle 90° − tilt and runs along −tilt, the lower one its mirror image
    pull = np.array([(upper + lower) * math.cos(tilt), (lower - upper) * math.sin(tilt)])
    turning = 0.1 * (lower - upper)
    assert turning == pytest.approx(-push, rel=1e-12)
    np.testing.assert_allclose(first(result, "A"), -pull, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(first(result, "B"), pull, rtol=1e-9, atol=1e-9)
    assert abs(result["brake.effort"][0]) == pytest.approx(25.0, rel=1e-9)


# -- planetary trains --------------------------------------------------------------------------------------------------


def documented(**more: Any) -> lw.Model:
    """The train of docs/model.md: sun 40 mm, planet 30 mm, the ring is the ground."""
    data: dict[str, Any] = {
        "space": "planar",
        "parameters": {"r_sun": {"value": 0.04, "live": True}, "r_planet": 0.03},
        "points": {"O": [0, 0], "P": ["r_sun + r_planet", 0]},
        "bodies": {
            "sun": gear_trains.wheel("O", 1, 8e-4),
            "planet": gear_trains.wheel("P", 0.5, 2e-4),
            "arm": {"points": ["O", "P"], "com": "O", "mass": 0.4, "inertia": 3e-4},
        },
        "joints": {
            "S": gear_trains.revolute("ground", "sun", at="O"),
            "A": gear_trains.revolute("ground", "arm", at="O"),
            "P": gear_trains.revolute("arm", "planet"),
        },
        "couplings": {
            "inner": {"bodies": ["sun", "planet"], "radii": ["r_sun", "r_planet"]},
            "outer": {"bodies": ["planet", "ground"], "radii": ["r_planet", "r_sun + 2*r_planet"], "internal": True},
        },
    }
    return lw.Model(**{**data, **more})


@pytest.mark.parametrize("r_sun", [0.04, 0.05])
def test_the_pin_of_a_planet_carries_both_meshes(r_sun: float) -> None:
    """10 N m on the sun against a brake on the arm: 250 N in either mesh, 500 N in the pin."""
    model = documented(forces={"input": torque("S", 10.0)}, drivers={"brake": {"joint": "A", "speed": 0.0}})
    result = lw.simulate(model, 0.1, step=0.1, parameters={"r_sun": r_sun})
    force = 10.0 / r_sun
    # teeth of the sun, right of its axis, move up: they push the planet up, the ring does so too
    np.testing.assert_allclose(first(result, "inner"), [0.0, force], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(first(result, "outer"), [0.0, force], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(first(result, "P"), [0.0, -2 * force], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(first(result, "S"), [0.0, force], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(first(result, "A"), [0.0, -2 * force], rtol=1e-8, atol=1e-8)
    assert result["brake.effort"][0] == pytest.approx(-2 * force * (r_sun + 0.03), rel=1e-8)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_every_body_of_a_moving_train_obeys_newton_and_euler(coordinates: str, formulation: str) -> None:
    """Joint forces and the forces of teeth at their places, with 20 degrees, against m a and I α of each body."""
    couplings = {
        "inner": {"bodies": ["sun", "planet"], "radii": [gear_trains.SUN, gear_trains.PLANET]},
        "outer": {"bodies": ["planet", "ring"], "radii": [gear_trains.PLANET, gear_trains.RING], "internal": True},
    }
    model = gear_trains.planetary(
        {name: item | {"pressure_angle": "20 deg"} for name, item in couplings.items()},
        forces={"motor": torque("S", "5*cos(8*t)"), "load": torque("R", "-3 - 2*t")},
        initial={"S": {"speed": 3.0}, "A": {"speed": 1.0}},
    )
    result = lw.simulate(model, 0.6, step=0.1, coordinates=coordinates, formulation=formulation, rtol=1e-10)
    where = np.column_stack([np.cos(result["A.angle"]), np.sin(result["A.angle"])])
    along = np.column_stack([-where[:, 1], where[:, 0]])
    # by hand: torques on sun and ring give the tangential forces
    on_sun = (0.02 * result["S.acceleration"] - 5 * np.cos(8 * result.time)) / gear_trains.SUN
    on_ring = (0.3 * result["R.acceleration"] + 3 + 2 * result.time) / gear_trains.RING
    lean = math.tan(20 * DEG)
    inner = on_sun[:, None] * along - lean * np.abs(on_sun)[:, None] * where  # on the sun, towards its centre
    outer = on_ring[:, None] * along + lean * np.abs(on_ring)[:, None] * where  # on the ring, outwards
    size = np.abs(np.concatenate([inner, outer])).max()

    def check(found: Array, expected: Array) -> None:
        np.testing.assert_allclose(found, expected, atol=1e-7 * size)

    forces = {joint: result.reactions[joint].force for joint in "SARP"}
    check(forces["S"] + inner, np.zeros_like(inner))
    check(forces["R"] + outer, np.zeros_like(outer))
    acceleration = np.column_stack([result["planet.ax"], result["planet.ay"]])
    check(forces["P"] - inner - outer, 1.0 * acceleration)
    check(forces["A"] - forces["P"], np.zeros_like(inner))  # the centre of the arm rests
    spin = result["A.acceleration"] + result["P.acceleration"]
    check(gear_trains.PLANET * (on_sun - on_ring), 0.01 * spin)
    reach = gear_trains.SUN + gear_trains.PLANET
    check(-reach * np.sum(forces["P"] * along, axis=1), 0.05 * result["A.acceleration"])
    check(result.reactions["inner"].force, -inner)
    check(result.reactions["outer"].force, outer)


def test_of_three_planets_only_their_sum_is_known() -> None:
    """Three planets share the load as their stiffness decides: pins are not unique; what the shafts carry together is."""
    model = lw.load("src/linkwork/mechanisms/planetary_gear.yaml").to_dict()
    model["drivers"] = {"hold": {"joint": "R", "speed": 0.0}, "brake": {"joint": "A", "speed": 0.0}}
    model |= {"forces": {"input": torque("S", 12.0)}, "initial": {}}
    result = lw.simulate(lw.Model(**model), 0.1, step=0.1)
    for name in ("P1", "P2", "P3", "inner1", "outer2"):
        assert not result.reactions[name].unique
    assert result.reactions["brake"].unique and result.reactions["hold"].unique
    assert result["brake.effort"][0] == pytest.approx(-12.0 * (1 + 100 / 40), rel=1e-9)
    # of least norm: all planets alike, and the sun floats between them
    for name in ("P1", "P2", "P3"):
        assert np.linalg.norm(first(result, name)) == pytest.approx(2 * 12.0 / 0.04 / 3, rel=1e-6)
    np.testing.assert_allclose(first(result, "S"), 0.0, atol=1e-6)


# -- all ways to the same ------------------------------------------------------------------------------------------------


def leaning_train() -> lw.Model:
    """A pinion on a swinging arm drives a wheel on the same arm and a belt to the ground's axis."""
    form = {"pressure_angle": "20 deg"}
    return gear_trains.planetary(
        {
            "inner": {"bodies": ["sun", "planet"], "radii": [gear_trains.SUN, gear_trains.PLANET], **form},
            "belt": {"kind": "belt", "bodies": ["planet", "ring"], "radii": [0.04, 0.1], "tension": 5},
        },
        gravity=[0, -9.81],
        forces={"motor": torque("S", "4*cos(20*t)"), "load": torque("R", 1.5)},
        initial={"S": {"speed": 1.0}, "A": {"speed": -2.0}},
    )


def spatial_train() -> lw.Model:
    """The differential of a car with bevel teeth of 20 degrees and spirals of 10."""
    data = gear_trains.differential().to_dict()
    for mesh, psi in (("left_mesh", 10), ("right_mesh", -10)):
        data["couplings"][mesh] |= {"pressure_angle": "20 deg", "helix_angle": f"{psi} deg"}
    data["forces"] = {"engine": torque("O", "3*cos(4*t)"), "left": torque("L", -0.5), "right": torque("R", 0.2)}
    data["initial"] = {"O": {"speed": 4.0}, "L": {"speed": 5.0}}
    return lw.Model(**data)


MODELS = {
    "planar": leaning_train,
    "spatial": spatial_train,
    "rack": lambda: gear_trains.rack(
        forces={"motor": torque("O", "2*sin(9*t)")},
        couplings={"mesh": {"kind": "rack", "bodies": ["pinion", "rack"], "radius": 0.2, "pressure_angle": 0.3}},
    ),
    "rolling": lambda: gear_trains.wheel_on_a_rod(),
}


def components(run: Any) -> dict[str, Array]:
    return {f"{name}.{part}": item[part] for name, item in run.items() for part in item.info.components}


@pytest.mark.parametrize("name", list(MODELS))
def test_all_schemes_and_coordinates_give_the_same(name: str) -> None:
    model = MODELS[name]()
    runs = {kind: lw.simulate(model, 0.3, step=0.1, coordinates=kind, rtol=1e-10, atol=1e-12) for kind in KINDS}
    expected = components(runs["relative"].reactions)
    size = max(float(np.abs(values).max()) for values in expected.values())
    assert all(item.unique for item in runs["relative"].reactions.values())
    for kind, run in runs.items():
        for scheme in SCHEMES:
            if scheme == "inverse_inertia" and name == "rack":  # which has no inertia
                continue
            found = components(run.reactions(scheme=scheme))
            assert found.keys() == expected.keys()
            for key, values in expected.items():
                np.testing.assert_allclose(found[key], values, atol=2e-6 * size, err_msg=f"{kind} {scheme} {key}")


@pytest.mark.matrix("method")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["planar", "spatial"])
def test_inverse_dynamics_finds_the_same_bearings(name: str, method: str) -> None:
    """The efforts of a driven run, and the reactions of all joints, from its motion alone."""
    data = MODELS[name]().to_dict()
    motors = ["S", "A"] if name == "planar" else ["O", "L"]
    data.pop("initial")
    data["drivers"] = {
        f"m_{joint}": {"joint": joint, "position": f"0.3*sin({3 + i}*t)"} for i, joint in enumerate(motors)
    }
    run = lw.simulate(lw.Model(**data), times=[0.0, 0.1, 0.25])
    data.pop("drivers")
    found = lw.inverse_dynamics(lw.Model(**data), run, motors=motors, method=method)
    for joint in motors:
        np.testing.assert_allclose(found[f"{joint}.angle.effort"], run[f"m_{joint}.effort"], atol=1e-6)
    for joint in lw.Model(**data).joints:
        np.testing.assert_allclose(
            found.result.reactions[joint].force, run.reactions[joint].force, atol=1e-6, err_msg=joint
        )


def test_reactions_of_teeth_have_derivatives() -> None:
    """∂(bearing force)/∂(torque) of a pair: 1/r along the tangent and tan α / r across, by differences as well."""
    data = spur(pressure_angle="20 deg").to_dict()
    data["forces"]["load"]["value"] = "push"
    data["parameters"] = {"push": {"value": 1000, "live": True}}
    linear = lw.linearise(lw.Model(**data), inputs=["B.effort"], outputs=["A.fx", "A.fy", "mesh.fx"])
    np.testing.assert_allclose(np.ravel(linear.d), [0.5 * math.tan(20 * DEG), 0.5, 0.5 * math.tan(20 * DEG)], rtol=1e-6)


def test_couplings_that_do_not_know_where_they_push_say_so() -> None:
    """A gear by its ratio, and a worm by its teeth alone, pass on torques; the tables say that bearings lack the rest."""
    by_ratio = spur().to_dict()
    by_ratio["couplings"]["mesh"] = {"bodies": ["one", "two"], "ratio": -0.5}
    by_joints = spur().to_dict()
    by_joints["couplings"]["mesh"] = {"joints": ["A", "B"], "ratio": -0.5}
    for data in (by_ratio, by_joints):
        result = lw.simulate(lw.Model(**data), 0.1, step=0.1)
        np.testing.assert_allclose(first(result, "A"), 0.0, atol=1e-9)
        assert "mesh: told without wheels that touch" in str(result.reactions)
    assert "told without" not in str(lw.simulate(spur(), 0.1, step=0.1).reactions)
    worm = gear_trains.worm()
    found = lw.inverse_dynamics(worm, {"W": "t"}, times=[0.0, 0.1])
    assert "mesh: told without wheels that touch" in str(found)


def test_many_bearings_at_once() -> None:
    """The function for whole batches of motions gives what one run gives; teeth are among tables and peak loads."""
    data = spur(pressure_angle="20 deg").to_dict()
    data.pop("drivers")
    model = lw.Model(**data)
    one = lw.inverse_dynamics(model, {"B": "sin(3*t)"}, motors=["B"], times=[0.0, 0.2, 0.5])
    many = lw.inverse_function(model, ["B"])(
        {f"B.{name}": one[f"B.{name}"] for name in ("angle", "speed", "acceleration")}
    )
    for name in ("A.fx", "A.fy", "B.fx", "mesh.fx", "mesh.fy", "mesh.effort", "B.angle.effort"):
        np.testing.assert_allclose(many[name], one[name], rtol=1e-9, atol=1e-9)
    dataset = one.result.reactions.to_xarray()
    assert list(dataset.joint.values) == ["A", "B", "mesh"] and list(dataset.actuator.values) == ["mesh"]
    np.testing.assert_allclose(dataset.force.sel(joint="mesh"), dataset.force.sel(joint="A"), atol=1e-9)
    assert [item.element for item in one.peak_loads()] == ["A", "B", "mesh"]
