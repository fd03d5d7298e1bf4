"""Constant-velocity joints, points on lines and planes, parallel joints: exact solutions in every combination."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from combinations import every_combination, several
from scipy.integrate import simpson

import linkwork as lw
from linkwork.results import Result

G = 9.81


def run(model: lw.Model, until: float = 1.0, **more: Any) -> Result:
    options = {"step": until / 8, "rtol": 1e-11, "atol": 1e-13, "backend": "reference", **more}
    result = lw.simulate(model, until, **options)
    assert result.outcome.completed, result.outcome
    return result


# -- constant velocity ---------------------------------------------------------------------------------------------


def drive_line(kind: str, bearing: str = "revolute", **more: Any) -> lw.Model:
    """Two shafts that meet at J under the angle of the live parameter 'bend', both in bearings."""
    ahead = ["cos(bend)", "sin(bend)", 0]
    axes = [[1, 0, 0], ahead] if kind == "constant_velocity" else [[0, 0, 1], ["-sin(bend)", "cos(bend)", 0]]
    data: dict[str, Any] = {
        "space": "spatial",
        "parameters": {"bend": {"value": "30 deg", "live": True}},
        "points": {"A": [-1, 0, 0], "J": [0, 0, 0], "B": ahead},
        "bodies": {
            "one": {"bar": ["A", "J"], "mass": 1, "radius": 0.02},
            "two": {"bar": ["J", "B"], "mass": 2, "radius": 0.03},
        },
        "joints": {
            "A": {"kind": "revolute", "bodies": ["ground", "one"], "axis": [1, 0, 0]},
            "J": {"kind": kind, "bodies": ["one", "two"], "axes": axes},
            "B": {"kind": bearing, "bodies": ["ground", "two"], "axis": ahead},
        },
        "outputs": {"speed2": "two.wx*cos(bend) + two.wy*sin(bend)"},
    }
    return lw.Model(**data, **more)


@every_combination
def test_shafts_of_a_constant_velocity_joint_turn_alike(coordinates: str, formulation: str) -> None:
    model = drive_line("constant_velocity", initial={"A": {"speed": 3}})
    result = run(model, 3.0, coordinates=coordinates, formulation=formulation)
    np.testing.assert_allclose(result["B.speed"], result["A.speed"], rtol=1e-8)
    np.testing.assert_allclose(result["B.angle"], result["A.angle"], atol=1e-8)
    # nothing accelerates them
    np.testing.assert_allclose(result["A.speed"], 3.0, rtol=1e-8)
    # the plane of the bend stands still while both shafts turn under it
    bend = 2 * np.arctan(np.hypot(np.tan(result["J.angle1"] / 2), np.tan(result["J.angle2"] / 2)))
    np.testing.assert_allclose(bend, np.pi / 6, atol=1e-8)


@pytest.mark.parametrize("bend", ["5 deg", "45 deg", "80 deg", "110 deg"])
def test_a_universal_joint_does_not_what_a_constant_velocity_joint_does(bend: str) -> None:
    """Cardan's ratio: ω₂/ω₁ = cos β / (1 − sin² β cos² θ), θ of the driving yoke from the plane of the shafts.

    At the sketch the axis of the driving yoke is normal to that plane.
    """
    angle = np.radians(float(bend.split()[0]))
    drivers = {"motor": {"joint": "A", "speed": 2}}
    cardan, equal = (
        run(drive_line(kind, drivers=drivers), 3.0, parameters={"bend": bend})
        for kind in ("universal", "constant_velocity")
    )
    theta = cardan["A.angle"] + np.pi / 2
    ratio = np.cos(angle) / (1 - np.sin(angle) ** 2 * np.cos(theta) ** 2)
    np.testing.assert_allclose(cardan["B.speed"], 2 * ratio, rtol=1e-8)
    np.testing.assert_allclose(equal["B.speed"], 2.0, rtol=1e-11)


@pytest.mark.matrix
def test_it_transmits_its_moment_about_the_bisector_of_the_shafts() -> None:
    """A brake T on the second shaft: the moment M in the joint has M·z₂ = T, so that |M| = T / cos(β/2)."""
    brake = {"brake": {"kind": "torque", "body": "two", "value": ["-5*cos(bend)", "-5*sin(bend)", 0]}}
    model = drive_line(
        "constant_velocity", "point_on_line", drivers={"motor": {"joint": "A", "speed": 7}}, forces=brake
    )
    assert lw.analyse(model).redundant == ()
    for coordinates, formulation in several("it_transmits_its_moment_about_the_bisector_of_the_shafts"):
        result = run(model, coordinates=coordinates, formulation=formulation)
        np.testing.assert_allclose(result["speed2"], 7.0, rtol=1e-10)
        np.testing.assert_allclose(result["motor.effort"], 5.0, rtol=1e-9)
        middle = np.array([np.cos(np.pi / 12), np.sin(np.pi / 12), 0])
        moment = np.column_stack([result[f"J.m{axis}"] for axis in "xyz"])
        np.testing.assert_allclose(moment, np.tile(5 / np.cos(np.pi / 12) * middle, (len(moment), 1)), atol=1e-8)


def test_drawn_straight_and_bent_afterwards_it_is_the_same() -> None:
    shaft = {"bar": ["O", "P"], "mass": 1.5, "radius": 0.05}
    data: dict[str, Any] = {"space": "spatial", "gravity": [0, 0, -G], "bodies": {"shaft": shaft}}
    joint = {"kind": "constant_velocity", "bodies": ["ground", "shaft"]}
    speeds = {"angle1_rate": 1.2, "angle2_rate": -0.7}
    straight = lw.Model(
        **data,
        points={"O": [0, 0, 0], "P": [0, 0, -1]},
        joints={"O": {**joint, "axis": [0, 0, -1]}},
        initial={"O": {"angle1": 0.6, **speeds}},
    )
    bend = lw.analyse(straight).assembly.poses["shaft"].axes[:, 0]
    drawn = lw.Model(
        **data,
        points={"O": [0, 0, 0], "P": bend.tolist()},
        joints={"O": {**joint, "axes": [[0, 0, -1], bend.tolist()]}},
        initial={"O": speeds},
    )
    one, other = run(straight), run(drawn)
    assert other["O.angle1"][0] == pytest.approx(0.6, abs=1e-12)
    for name in ("P.x", "P.y", "P.z", "O.angle1", "O.angle2", "shaft.wz", "O.mz"):
        np.testing.assert_allclose(other[name], one[name], atol=1e-9, err_msg=name)


# -- point on a line -----------------------------------------------------------------------------------------------


def quick_return(**more: Any) -> lw.Model:
    """Crank and slotted lever (García de Jalón and Bayo, problem 3/8): the pin of the crank runs in a slot of the lever."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0, 0.1], "C": [0, -0.3]},
        bodies={"crank": {"bar": ["O", "A"], "mass": 0.5}, "lever": {"bar": ["C", "A"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "C": {"kind": "revolute", "bodies": ["ground", "lever"]},
            "slot": {"kind": "point_on_line", "bodies": ["lever", "crank"], "at": ["C", "A"], "axis": [0, 1]},
        },
        **more,
    )


@every_combination
def test_a_quick_return_mechanism(coordinates: str, formulation: str) -> None:
    model = quick_return(drivers={"motor": {"joint": "O", "speed": 5}})
    result = run(model, 2.0, coordinates=coordinates, formulation=formulation)
    angle = np.pi / 2 + 5 * result.time
    x, y = 0.1 * np.cos(angle), 0.3 + 0.1 * np.sin(angle)
    np.testing.assert_allclose(result["lever.angle"], np.arctan2(y, x), atol=1e-9)
    np.testing.assert_allclose(result["slot.position"], np.hypot(x, y), atol=1e-9)
    # cos γ of the angle between crank and lever carries the speed of the pin over
    rate = 5 * 0.1 * np.cos(angle - result["lever.angle"]) / np.hypot(x, y)
    np.testing.assert_allclose(result["C.speed"], rate, atol=1e-8)
    # the slot pushes across itself only, on the crank
    along = result["slot.fx"] * np.cos(result["lever.angle"]) + result["slot.fy"] * np.sin(result["lever.angle"])
    np.testing.assert_allclose(along, 0.0, atol=1e-9)
    turning = result["C.acceleration"] * 1.0 * 0.4**2 / 3 + G * 0.2 * np.cos(result["lever.angle"])
    across = -result["slot.fx"] * np.sin(result["lever.angle"]) + result["slot.fy"] * np.cos(result["lever.angle"])
    np.testing.assert_allclose(-across * result["slot.position"], turning, atol=1e-6)


@pytest.mark.matrix
def test_a_plate_with_two_slots_on_fixed_pins() -> None:
    """Problem 2/9: the crossing of two perpendicular slots runs on the circle over the distance of the pins (Thales).

    The ground is the child of both joints: the slots are on the plate, which is their parent.
    """
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"X": [0.2, 0.4], "P": [-0.3, 0.4], "Q": [0.2, -0.1]},
        bodies={"plate": {"points": ["X", "P", "Q"], "mass": 2, "com": "X", "inertia": 0.05}},
        joints={
            "along": {"kind": "point_on_line", "bodies": ["plate", "ground"], "at": ["X", "P"], "axis": [1, 0]},
            "across": {"kind": "point_on_line", "bodies": ["plate", "ground"], "at": ["X", "Q"], "axis": [0, 1]},
        },
    )
    assert lw.analyse(model).freedoms == 1
    for coordinates, formulation in several("a_plate_with_two_slots_on_fixed_pins"):
        result = run(model, coordinates=coordinates, formulation=formulation)
        radius = np.hypot(result["X.x"] + 0.05, result["X.y"] - 0.15)
        np.testing.assert_allclose(radius, np.sqrt(2) / 4, atol=1e-9)
        np.testing.assert_allclose(result.energy, result.energy[0], atol=1e-8)
        assert np.ptp(result["plate.angle"]) > 0.3


@every_combination
def test_a_ladder_leaves_the_wall(coordinates: str, formulation: str) -> None:
    """A smooth ladder at the angle θ to the floor, released at θ₀: the wall pushes with ¾ m g cos θ (3 sin θ − 2 sin θ₀).

    That vanishes at two thirds of the first height.
    """
    tilt = 1.2
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [2 * np.cos(tilt), 0], "B": [0, 2 * np.sin(tilt)]},
        bodies={"ladder": {"bar": ["A", "B"], "mass": 10}},
        joints={
            "base": {"kind": "point_on_line", "bodies": ["ground", "ladder"], "at": ["O", "A"], "axis": [1, 0]},
            "wall": {"kind": "point_on_line", "bodies": ["ground", "ladder"], "at": ["O", "B"], "axis": [0, 1]},
        },
    )
    result = run(model, 0.9, coordinates=coordinates, formulation=formulation)
    sine, cosine = result["wall.position"] / 2, result["base.position"] / 2
    force = 7.5 * G * cosine * (3 * sine - 2 * np.sin(tilt))
    np.testing.assert_allclose(result["wall.fx"], force, atol=1e-7)
    assert np.min(result["wall.position"]) < 2 / 3 * 2 * np.sin(tilt)
    # the speed follows from the energy: θ̇² = 3 g (sin θ₀ − sin θ) / L
    np.testing.assert_allclose(result["ladder.speed"] ** 2, 1.5 * G * (np.sin(tilt) - sine), atol=1e-7)


@pytest.mark.matrix
@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_bead_on_a_turning_rod(space: str) -> None:
    """r̈ = ω² r: r = r₀ cosh ω t; the rod pushes with 2 m ṙ ω across."""
    planar = space == "planar"

    def vector(*values: float) -> list[float]:
        return list(values[:2] if planar else values)

    model = lw.Model(
        space=space,
        points={"O": vector(0, 0, 0), "A": vector(0.2, 0, 0)},
        bodies={
            "rod": {"points": ["O"], "mass": 1, "inertia": 0.1 if planar else [0.1, 0.1, 0.1]},
            "bead": {"points": ["A"], "mass": 0.3, "inertia": 0.001 if planar else [0.001, 0.001, 0.001]},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "rod"], **({} if planar else {"axis": [0, 0, 1]})},
            "bead_on_rod": {
                "kind": "point_on_line",
                "bodies": ["rod", "bead"],
                "at": ["O", "A"],
                "axis": vector(1, 0, 0),
            },
        },
        drivers={"motor": {"joint": "O", "speed": 3}},
    )
    for coordinates, formulation in several("a_bead_on_a_turning_rod"):
        result = run(model, coordinates=coordinates, formulation=formulation)
        t = result.time
        np.testing.assert_allclose(result["bead_on_rod.position"], 0.2 * np.cosh(3 * t), atol=1e-8)
        push = 2 * 0.3 * (0.6 * np.sinh(3 * t)) * 3
        np.testing.assert_allclose(result["bead_on_rod.fx"], -push * np.sin(3 * t), atol=1e-6)
        np.testing.assert_allclose(result["bead_on_rod.fy"], push * np.cos(3 * t), atol=1e-6)


# -- point on a plane, parallel planes -----------------------------------------------------------------------------


@every_combination
def test_a_top_on_a_smooth_floor(coordinates: str, formulation: str) -> None:
    """The floor pushes upwards only: the centre of mass goes on uniformly across, the spin about the vertical stays."""
    inertia = [0.002, 0.002, 0.001]
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"O": [0.1, 0.2, 0]},
        bodies={
            "top": {
                "points": {"tip": [0, 0, 0]},
                "origin": "O",
                "rotation": {"axis": [1, 0, 0], "angle": "20 deg"},
                "mass": 0.4,
                "com": [0, 0, 0.1],
                "inertia": inertia,
            }
        },
        joints={"base": {"kind": "point_on_plane", "bodies": ["ground", "top"], "at": ["O", "tip"], "axis": [0, 0, 1]}},
        initial={
            "base": {
                "position_x_rate": 0.3,
                "position_y_rate": 0,
                "omega": [0.5, -40 * np.sin(0.349066), 40 * np.cos(0.349066)],
            }
        },
    )
    result = run(model, coordinates=coordinates, formulation=formulation)
    np.testing.assert_allclose(result["top.vx"], result["top.vx"][0], atol=1e-8)
    np.testing.assert_allclose(result["top.vy"], result["top.vy"][0], atol=1e-8)
    np.testing.assert_allclose(result["base.fz"], 0.4 * (G + result["top.az"]), atol=1e-7)
    np.testing.assert_allclose(result["base.position_x"], result["top.tip.x"] - 0.1, atol=1e-9)
    np.testing.assert_allclose(result["base.position_y"], result["top.tip.y"] - 0.2, atol=1e-9)
    np.testing.assert_allclose(result.energy, result.energy[0], atol=1e-9)
    # the floor has no arm to the vertical through the centre of mass, nor to the axis of the top
    axis = np.column_stack([result[f"top.{a}"] - result[f"top.tip.{a}"] for a in "xyz"]) / 0.1
    omega = np.column_stack([result[f"top.w{a}"] for a in "xyz"])
    spin = np.sum(axis * omega, axis=1)
    np.testing.assert_allclose(spin, spin[0], rtol=1e-9)
    vertical = 0.002 * omega[:, 2] + (0.001 - 0.002) * spin * axis[:, 2]
    np.testing.assert_allclose(vertical, vertical[0], rtol=1e-8)


@pytest.mark.matrix
def test_a_body_parallel_to_a_plane_falls_freely() -> None:
    """Problem 2/15: the joint leaves position and spin about the normal alone; it carries the gyroscopic moment."""
    inertia = np.array([[0.03, 0.004, -0.006], [0.004, 0.05, 0.008], [-0.006, 0.008, 0.04]])
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"O": [0, 0, 0], "P": [0.4, 0.1, 0.2]},
        bodies={"body": {"points": ["P"], "mass": 2, "com": "P", "inertia": inertia.tolist()}},
        joints={"level": {"kind": "parallel", "bodies": ["ground", "body"], "at": ["O", "P"], "axis": [0, 0, 1]}},
        initial={"level": {"angle_rate": 6, "position_x_rate": 0.5}},
    )
    for coordinates, formulation in several("a_body_parallel_to_a_plane_falls_freely"):
        result = run(model, coordinates=coordinates, formulation=formulation)
        t = result.time
        np.testing.assert_allclose(result["level.angle"], 6 * t, atol=1e-9)
        np.testing.assert_allclose(result["level.position_x"], 0.4 + 0.5 * t, atol=1e-9)
        np.testing.assert_allclose(result["level.position_z"], 0.2 - G * t**2 / 2, atol=1e-8)
        # ω × I ω with ω along z, in axes that turn
        local = 36 * np.array([-inertia[1, 2], inertia[0, 2]])
        c, s = np.cos(6 * t), np.sin(6 * t)
        np.testing.assert_allclose(result["level.mx"], c * local[0] - s * local[1], atol=1e-8)
        np.testing.assert_allclose(result["level.my"], s * local[0] + c * local[1], atol=1e-8)
        np.testing.assert_allclose(result["level.mz"], 0.0, atol=1e-12)
        assert "level.fx" not in result.names()


def test_a_rod_between_a_ball_and_a_plane() -> None:
    """Its other end runs on a circle of the plane; the spin about its own line, without inertia, is held."""
    points = {"A": [0.6, 0.2, 0], "B": [0, 0.4, 0.8]}
    joints = {
        "A": {"kind": "spherical", "bodies": ["ground", "rod"]},
        "B": {"kind": "point_on_plane", "bodies": ["ground", "rod"], "axis": [1, 0, 0]},
    }
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points=points,
        bodies={"rod": {"bar": ["A", "B"], "mass": 1}},
        joints=joints,
    )
    topology = lw.analyse(model)
    assert (topology.freedoms, topology.plan.passive) == (2, ("rod",))
    result = run(model)
    radius = np.hypot(0.2, 0.8)
    np.testing.assert_allclose(np.hypot(result["B.y"] - 0.2, result["B.z"]), radius, atol=1e-9)
    # a physical pendulum about the normal through A: ½ (m/3) v² of the end
    speed = result["B.vy"] ** 2 + result["B.vz"] ** 2
    np.testing.assert_allclose(speed / 6, 0.5 * G * (0.8 - result["B.z"]), atol=1e-8)
    limits = lw.find_limits(topology)
    assert limits["B.position_x"].range.low == pytest.approx(-0.2 - radius, abs=1e-9)
    assert limits["B.position_x"].range.high == pytest.approx(-0.2 + radius, abs=1e-9)


FREEDOMS = [
    ("constant_velocity", "angle1", 0.5),
    ("constant_velocity", "angle2", 0.5),
    ("point_on_line", "position", 0.3),
    ("point_on_plane", "position_y", 0.3),
    ("parallel", "position_z", 0.3),
    ("parallel", "angle", 4.0),
]


@pytest.mark.matrix
@pytest.mark.parametrize(("kind", "freedom", "size"), FREEDOMS)
def test_drivers_and_efforts_of_single_freedoms(kind: str, freedom: str, size: float) -> None:
    """The power of a driver is what the energy gains; an effort that pulls like a spring keeps the energy with it."""
    body = {"points": ["O"], "mass": 2, "com": [0.1, 0.05, -0.2], "inertia": [0.1, 0.08, 0.06]}
    data: dict[str, Any] = {
        "space": "spatial",
        "gravity": [0, 1, -G],
        "points": {"O": [0.3, 0, 0]},
        "bodies": {"body": body},
        "joints": {"O": {"kind": kind, "bodies": ["ground", "body"], "axis": [1, 2, 3]}},
        "initial": {"O": {f"{freedom}_rate": size}},
    }
    driver = {"motor": {"joint": "O", "freedom": freedom, "position": f"{size}*sin(t) + 0.1*t^2"}}
    driven = lw.Model(**{**data, "initial": {}}, drivers=driver)
    for coordinates, formulation in several(kind):
        result = run(driven, coordinates=coordinates, formulation=formulation, step=1 / 64)
        t = result.time
        np.testing.assert_allclose(result[f"O.{freedom}"], size * np.sin(t) + 0.1 * t**2, atol=1e-8)
        power = result["motor.effort"] * result[f"O.{freedom}_rate"]
        np.testing.assert_allclose(simpson(power, x=t), result.energy[-1] - result.energy[0], atol=1e-6)
    pulled = lw.Model(
        **data, forces={"pull": {"kind": "effort", "joint": "O", "freedom": freedom, "value": f"-30*O.{freedom}"}}
    )
    first: np.ndarray | None = None
    for coordinates, formulation in several(kind):
        result = run(pulled, coordinates=coordinates, formulation=formulation)
        first = result[f"O.{freedom}"] if first is None else first
        np.testing.assert_allclose(result[f"O.{freedom}"], first, atol=1e-8)
        total = result.energy + 15 * result[f"O.{freedom}"] ** 2
        np.testing.assert_allclose(total, total[0], atol=1e-8)
