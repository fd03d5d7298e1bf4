"""Arrows on the page: with weight and inertia, the loads on a body are in balance; wheels mesh; quantities have groups."""

import numpy as np
import pytest
from test_scene import unpack

import linkwork as lw
from linkwork.results import Result
from linkwork.views.listed import group_of
from linkwork.views.scene import build_scene

MASS, GRAVITY = 2.0, 9.81


def swing(space: str) -> Result:
    """A pendulum with a spring, a strut, a force and a torque on it, and a spring and a motor in its joint."""
    flat = space == "planar"
    at = lambda *x: list(x if not flat else x[:2])  # noqa: E731
    joint = {"kind": "revolute", "bodies": ["ground", "arm"], **({} if flat else {"axis": [0, 0, 1]})}
    forces = {
        "wind": {"kind": "force", "at": "arm.A", "value": at("3*cos(4*t)", 1.5, 0.7)},
        "twist": {"kind": "torque", "body": "arm", "value": "2*sin(t)" if flat else [0.1, 0.2, "2*sin(t)"]},
        "coil": {"kind": "spring", "between": ["ground.W", "arm.A"], "stiffness": 30, "free_length": 0.4},
        "ram": {"kind": "actuator", "between": ["ground.V", "arm.M"], "signal": "5 + t"},
        "clock": {"kind": "torsion_spring", "joint": "O", "free_angle": 0, "stiffness": 2},
    }
    model = lw.Model(
        name="swing",
        space=space,
        gravity=at(0, -GRAVITY, 0),
        points={
            "O": at(0, 0, 0),
            "A": at(0.8, -0.3, 0.2),
            "M": at(0.4, -0.1, 0.1),
            "W": at(1, 1, 0),
            "V": at(0.2, -1, 0),
        },
        bodies={
            "arm": {"points": ["O", "A", "M"], "com": "M", "mass": MASS, "inertia": 0.2 if flat else [0.2, 0.3, 0.4]}
        },
        joints={"O": joint},
        forces=forces,
    )
    return lw.simulate(model, until=1.0, step=0.02)


def on_body(scene: dict, number: int, dimension: int) -> np.ndarray:
    """The sum of all forces that act on a body (N, d)."""
    forces = [load for load in scene["loads"] if load.get("body") == number and load["force"]]
    return sum(unpack(load["force"]).reshape(-1, dimension).astype(float) for load in forces)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_arrows_on_a_body_are_its_mass_times_acceleration_less_its_weight(space: str) -> None:
    result = swing(space)
    scene, d = build_scene(result), result.drawing.dimension
    kinds = {(load["name"], load["kind"]) for load in scene["loads"]}
    assert {("O", "reaction"), ("wind", "applied"), ("coil", "applied"), ("ram", "applied")} <= kinds
    inertia = MASS * np.column_stack([result[f"arm.a{axis}"] for axis in "xyz"[:d]])
    inertia[:, 1] += MASS * GRAVITY
    np.testing.assert_allclose(on_body(scene, 0, d), inertia, atol=1e-4 * np.max(np.abs(inertia)))


def test_moments_of_torques_and_joints_reach_the_page() -> None:
    result = swing("planar")
    loads = {load["name"]: load for load in build_scene(result)["loads"] if load["moment"]}
    np.testing.assert_allclose(unpack(loads["twist"]["moment"]), 2 * np.sin(result.time), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(unpack(loads["clock"]["moment"]), -2 * result["O.angle"], rtol=1e-5, atol=1e-6)
    assert loads["twist"]["point"] == [0.4, -0.1]


def test_a_motor_on_a_joint_of_space_turns_about_its_axis() -> None:
    model = lw.Model(
        name="motor", space="spatial", gravity=[0, 0, -9.81], points={"O": [0, 0, 0], "A": [0.5, 0, 0]},
        bodies={"arm": {"points": ["O", "A"], "com": "A", "mass": 1, "inertia": [0.1, 0.1, 0.1]}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"], "axis": [0, 1, 0]}},
        drivers={"drive": {"joint": "O", "speed": 2}},
    )  # fmt: skip
    result = lw.simulate(model, until=0.5, step=0.05)
    (load,) = [load for load in build_scene(result)["loads"] if load["name"] == "drive"]
    moment = unpack(load["moment"]).reshape(-1, 3)
    np.testing.assert_allclose(moment[:, 1], result["drive.effort"], rtol=1e-5)
    np.testing.assert_allclose(moment[:, [0, 2]], 0.0, atol=1e-5)
    # it holds the weight of the arm: M = -g m x about +y for x = 0.5 cos(angle)
    np.testing.assert_allclose(moment[:, 1], -9.81 * 0.5 * np.cos(result["O.angle"]), rtol=1e-4, atol=1e-4)


def test_forces_of_rods_act_at_their_ends_and_rods_that_change_are_struts() -> None:
    result = lw.simulate(lw.example("stewart_platform"), until=0.5, step=0.02)
    scene = build_scene(result)
    assert {string["kind"] for string in scene["strings"]} == {"strut"}
    inertia = 25.0 * np.column_stack([result[f"platform.a{axis}"] for axis in "xyz"]) + [0, 0, 25 * 9.81]
    np.testing.assert_allclose(on_body(scene, 0, 3), inertia, atol=1e-2)
    wishbone = build_scene(lw.simulate(lw.example("double_wishbone"), until=0.6, step=0.01))
    assert [string["kind"] for string in wishbone["strings"]] == ["rod"]


def test_wheels_push_where_they_touch_the_ground() -> None:
    """A bicycle upright at a steady speed: the normal forces are its weight, at the lowest points of its wheels."""
    result = lw.simulate(lw.example("bicycle"), until=0.2, step=0.02, parameters={"push": 0.0})
    loads = {load["name"]: load for load in build_scene(result)["loads"]}
    normal = sum(unpack(loads[name]["force"]).reshape(-1, 3)[:, 2] for name in ("rear", "front"))
    np.testing.assert_allclose(normal, 94.0 * 9.81, rtol=1e-5)
    np.testing.assert_allclose(unpack(loads["rear"]["path"]).reshape(-1, 3)[:, 2], 0.0, atol=1e-7)


# -- wheels ----------------------------------------------------------------------------------------------------


def tips(scene: dict, entry: dict, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """Centre and tips of the teeth of a planar wheel in the world; those of a ring point inwards."""
    body = scene["bodies"][entry["body"]]
    x, y, angle = unpack(body["poses"]).reshape(-1, 3)[frame].astype(float)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    origin = np.array([x, y]) - turn @ body["centre"]
    local = np.array(entry["rings"][1] if len(entry["rings"]) == 2 else entry["rings"][0])
    radii = np.linalg.norm(local - entry["centre"], axis=1)
    wanted = radii.min() if len(entry["rings"]) == 2 else radii.max()
    found = local[np.abs(radii - wanted) < 1e-4 * wanted]
    angles = np.arctan2(*(found - entry["centre"]).T[::-1])
    # the two corners of a tip belong together
    order = np.exp(1j * angles)
    pairs = [order[i] + order[np.argsort(np.abs(order - order[i]))[1]] for i in range(len(order))]
    middle = np.unique(np.round(np.angle(pairs), 5))
    places = np.column_stack([np.cos(middle), np.sin(middle)])
    return origin + turn @ np.array(entry["centre"]), places @ turn.T


def test_teeth_stand_in_gaps_at_all_times() -> None:
    """Sun, three planets and ring: where circles touch, the teeth of one are half a pitch off those of the other."""
    result = lw.simulate(lw.example("planetary_gear"), until=0.2, step=0.004)
    scene = build_scene(result)
    entries = {scene["bodies"][entry["body"]]["name"]: entry for entry in scene["wheels"]}
    radius = {"sun": 0.04, "ring": 0.1, **{f"planet{i}": 0.03 for i in (1, 2, 3)}}
    for frame in (0, 7, 23, 50):
        for i in (1, 2, 3):
            for wheel, other in (("sun", f"planet{i}"), ("ring", f"planet{i}")):
                (c1, teeth1), (c2, teeth2) = (tips(scene, entries[name], frame) for name in (wheel, other))
                assert len(teeth1) / radius[wheel] == pytest.approx(len(teeth2) / radius[other])
                toward = (c2 - c1) / np.linalg.norm(c2 - c1)
                across, pitch = np.array([-toward[1], toward[0]]), 2 * np.pi * radius[wheel] / len(teeth1)
                inner = wheel == "ring"
                arcs1 = radius[wheel] * np.arctan2(teeth1 @ across, teeth1 @ toward)
                arcs2 = radius[other] * np.arctan2(teeth2 @ across, teeth2 @ (toward if inner else -toward))
                offset = (arcs1[np.argmin(np.abs(arcs1))] - arcs2[np.argmin(np.abs(arcs2))]) / pitch
                assert abs(abs(offset - round(offset)) - 0.5) < 0.02, (frame, wheel, other)


def test_belts_and_their_pulleys() -> None:
    model = lw.Model(
        name="belt", space="planar", points={"A": [0, 0], "B": [1, 0]},
        bodies={name: {"points": [name.upper()], "mass": 1, "inertia": 0.1} for name in "ab"},
        joints={name.upper(): {"kind": "revolute", "bodies": ["ground", name]} for name in "ab"},
        couplings={"belt": {"kind": "belt", "bodies": ["a", "b"], "radii": [0.1, 0.3], "crossed": True}},
    )  # fmt: skip
    scene = build_scene(lw.simulate(model, until=0.1))
    (belt,) = scene["belts"]
    assert belt["crossed"] and [wheel["radius"] for wheel in belt["wheels"]] == [0.1, 0.3]
    rim = np.array(scene["wheels"][1]["rings"][0])
    np.testing.assert_allclose(np.linalg.norm(rim, axis=1), 0.3, rtol=1e-4)
    # the circle of a pulley is not drawn twice
    assert all(body["outlines"] == [] for body in scene["bodies"])


# -- groups ----------------------------------------------------------------------------------------------------


def test_quantities_stand_with_their_elements() -> None:
    result = swing("planar")
    groups = {name: group_of(result.drawing, name) for name in result.names()}
    assert groups["arm.vx"] == ("bodies", "arm") and groups["O.fx"] == ("joints", "O")
    assert groups["coil.force"] == ("forces", "coil") and groups["energy.total"] == ("whole mechanism", "energy")
    assert groups["A.x"] == ("points", "A") and groups["closure"] == ("whole mechanism", "closure")
    entry = next(q for q in build_scene(result)["quantities"] if q["name"] == "ram.force")
    assert (entry["section"], entry["element"]) == ("forces", "ram")


@pytest.mark.parametrize(("friction", "turned"), [(0.5, 0.0), (0.2, 20.0), (0.0, -30.0), (0.9, 20.0)])
def test_arrows_of_contacts_carry_the_body_that_touches(friction: float, turned: float) -> None:
    """A box that falls on a plane: pushes and friction at its corners are its mass times acceleration less its weight."""
    a = np.radians(turned)
    model = lw.Model(
        space="planar",
        gravity=[0, -GRAVITY],
        bodies={
            "box": {"points": {"G": [0, 0]}, "origin": [0, 0.4], "shapes": {"hull": {"box": [0.4, 0.2], "mass": MASS}}}
        },
        surfaces={"floor": {"plane": [-np.sin(a), np.cos(a)]}},
        contacts={"landing": {"between": ["floor", "box"]} | ({"friction": friction} if friction else {})},
    )
    result = lw.simulate(model, until=1)
    loads = {load["name"]: load for load in build_scene(result)["loads"]}
    touched = [name for name in result.modes.spans if not name.endswith("friction")]
    rubbing = {f"{name}.friction" for name in touched if friction}
    assert (
        touched and {*touched} <= {*loads} <= {*touched} | rubbing and (not turned or {*loads} == {*touched} | rubbing)
    )
    forces = {name: unpack(load["force"]).reshape(-1, 2) for name, load in loads.items()}
    carried = MASS * np.column_stack([result["box.ax"], result["box.ay"] + GRAVITY])
    assert sum(forces.values()) == pytest.approx(carried, abs=1e-4)
    for name in touched:
        across = forces[name] @ (-np.sin(a), np.cos(a))
        assert np.all(across >= 0) and np.linalg.norm(forces[name], axis=1) == pytest.approx(across, abs=1e-5)
        # corners lie on the plane while something pushes there
        places = unpack(loads[name]["path"]).reshape(-1, 2)[across > 0]
        assert np.max(np.abs(places @ (-np.sin(a), np.cos(a)))) < 1e-6
        assert all(load["kind"] == "contact" for load in loads.values())


def test_friction_in_space_is_drawn_against_the_slip() -> None:
    """A ball that slides on a tilted plane with 0.1: μ N against its way, along the plane."""
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -GRAVITY],
        bodies={"ball": {"points": {"C": [0, 0, 0]}, "origin": [0, 0, 0.1], "mass": MASS, "inertia": [1e3, 1e3, 1e3]}},
        surfaces={"floor": {"plane": [0, 0, 1]}, "skin": {"ball": 0.1, "on": "ball", "at": [0, 0, 0.1]}},
        contacts={"road": {"between": ["floor", "skin"], "friction": 0.1}},
        initial={"ball": {"velocity": [3, 4, 0]}},
    )
    result = lw.simulate(model, until=0.5)
    loads = {load["name"]: unpack(load["force"]).reshape(-1, 3) for load in build_scene(result)["loads"]}
    weight = MASS * GRAVITY
    assert loads["road"] == pytest.approx(np.tile([0, 0, weight], (len(result), 1)), abs=1e-4)
    expected = np.tile([-0.06 * weight, -0.08 * weight, 0], (len(result), 1))
    assert loads["road.friction"] == pytest.approx(expected, abs=1e-4)
    sizes = np.linalg.norm([result[f"road.friction_{axis}"] for axis in "xyz"], axis=0)
    assert sizes == pytest.approx(result["road.friction"], rel=1e-9)


def test_contacts_that_give_way_have_arrows_too() -> None:
    model = lw.Model(
        space="planar",
        gravity=[0, -GRAVITY],
        bodies={"ball": {"points": {"C": [0, 0]}, "origin": [0, 0.1], "mass": MASS, "inertia": 0.01}},
        surfaces={"floor": {"plane": [0, 1]}, "skin": {"ball": 0.1, "on": "ball", "at": [0, 0.1]}},
        contacts={"road": {"between": ["floor", "skin"], "stiffness": 1e4, "damping": 100}},
    )
    result = lw.simulate(model, until=2)
    (load,) = build_scene(result)["loads"]
    assert load["kind"] == "contact" and unpack(load["force"]).reshape(-1, 2)[-1] == pytest.approx(
        [0, MASS * GRAVITY], rel=1e-3
    )
