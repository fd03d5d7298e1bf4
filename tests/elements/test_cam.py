"""Cams: eccentric circles, whose followers have exact formulas, and followers that do what their law says.

SOURCE: eccentric circular cam, exact displacement of flat and roller followers (case D5 of the validation set): radius
R = 0.05 m, eccentricity e = 0.02 m, s = R + e sin θ under a flat face, s = e sin θ + √((R + r)² − e² cos² θ) under a roller
of r = 0.01 m in line with the centre. At θ = 30°: 0.06 m and 0.0674456265 m.
"""

import numpy as np
import pytest
from combinations import COMBINATIONS, KINDS
from scipy.integrate import solve_ivp

import linkwork as lw

G, R, E, MASS, STIFFNESS = 9.81, 0.05, 0.02, 0.4, 200.0
TIGHT = {"rtol": 1e-11, "atol": 1e-13}
CIRCLE = {"x": "0.02 + 0.05*cos(u)", "y": "0.05*sin(u)"}
RADIUS = {"knife": 0.0, "roller": 0.01}
FOLLOWERS = ("flat", "roller", "knife")


def follower_keys(kind: str) -> dict:
    if kind == "flat":
        return {"follower": "flat", "face": ["lifter.F", "lifter.H"]}
    return {"follower": kind, "point": "lifter.F"} | ({"radius": 0.01} if kind == "roller" else {})


def eccentric(kind: str, **extra: object) -> lw.Model:
    height = R if kind == "flat" else float(np.sqrt((R + RADIUS[kind]) ** 2 - E**2))
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0]},
        bodies={
            "cam": {"points": {"O": [0, 0]}, "origin": "O", "mass": 1, "com": [0, 0], "inertia": 0.002},
            "lifter": {
                "points": {"F": [0, 0], "H": [0.04, 0]},
                "origin": [0, height],
                "mass": MASS,
                "com": [0, 0],
                "inertia": 0.001,
            },
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "cam"]},
            "guide": {"kind": "prismatic", "bodies": ["ground", "lifter"], "at": ["O", "F"], "axis": [0, 1]},
        },
        relations={"touch": {"kind": "cam", "body": "cam", **CIRCLE, **follower_keys(kind)}},
        **extra,
    )


def lift(kind: str, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """s(θ) and its first two derivatives."""
    c, s = np.cos(angle), np.sin(angle)
    if kind == "flat":
        return R + E * s, E * c, -E * s
    root = np.sqrt((R + RADIUS[kind]) ** 2 - E**2 * c**2)
    slope = E**2 * c * s / root
    return E * s + root, E * c + slope, -E * s + (E**2 * (c**2 - s**2) - slope**2) / root


MOTOR = {"motor": {"joint": "O", "position": "10*t"}}
SPRING = {
    "spring": {"kind": "spring", "between": ["ground.O", "lifter.F"], "stiffness": STIFFNESS, "free_length": 0.04}
}


@pytest.mark.matrix("coordinates", "formulation", "kind")
@pytest.mark.parametrize("kind", FOLLOWERS)
@pytest.mark.parametrize(
    ("coordinates", "formulation"), [("relative", "hybrid"), *((k, "partitioning") for k in KINDS)]
)
def test_a_driven_eccentric(kind, coordinates, formulation):
    times = [0.0, np.pi / 60, 0.1, 0.2, 0.5, 0.9]
    result = lw.simulate(
        eccentric(kind, drivers=MOTOR, forces=SPRING),
        times=times,
        coordinates=coordinates,
        formulation=formulation,
        **TIGHT,
    )
    s, slope, bend = lift(kind, 10 * result.time)
    assert np.max(np.abs(result["lifter.y"] - s)) < 1e-10
    assert np.max(np.abs(result["lifter.ay"] - 100 * bend)) < 1e-8
    if kind != "knife":
        assert result["lifter.y"][1] == pytest.approx({"flat": 0.06, "roller": 0.0674456265}[kind], abs=5e-11)
    # the push of the cam carries the follower, its weight and the spring; it turns negative where it would lift off
    push = MASS * (100 * bend + G) + STIFFNESS * (s - 0.04)
    assert np.max(np.abs(result["touch.fy"] - push)) < 1e-8
    # nothing is lost: the motor's torque is push × slope
    assert np.max(np.abs(result["motor.effort"] - push * slope)) < 1e-8
    normal = np.array([result["touch.fx"], result["touch.fy"]])
    assert np.allclose(np.abs(result["touch.force"]), np.hypot(*normal), atol=1e-9)
    assert np.all(np.sign(result["touch.force"]) == np.sign(push))


def test_where_the_contact_is():
    angle = 10 * np.linspace(0, 0.6, 7)
    centre = E * np.array([np.cos(angle), np.sin(angle)])
    flat = lw.simulate(eccentric("flat", drivers=MOTOR), times=angle / 10)
    assert np.allclose([flat["touch.contact.x"], flat["touch.contact.y"]], centre + [[0], [R]], atol=1e-10)
    assert np.allclose(flat["touch.along"], centre[0], atol=1e-10)
    assert np.allclose(flat["touch.u"], np.pi / 2 - angle, atol=1e-9)
    roller = lw.simulate(eccentric("roller", drivers=MOTOR), times=angle / 10)
    towards = np.array([0 * angle, roller["lifter.y"]]) - centre
    contact = centre + R * towards / np.hypot(*towards)
    assert np.allclose([roller["touch.contact.x"], roller["touch.contact.y"]], contact, atol=1e-10)


@pytest.mark.matrix("coordinates", "formulation", "kind")
@pytest.mark.parametrize("kind", ["flat", "roller"])
@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_cam_that_spins_freely(kind, coordinates, formulation):
    """(J + m s'²) θ̈ + m s' s'' θ̇² + m g s' = 0."""

    def rates(_: float, y: np.ndarray) -> list[float]:
        _, slope, bend = lift(kind, y[0])
        turn = -(MASS * slope * bend * y[1] ** 2 + MASS * G * slope) / (0.002 + MASS * slope**2)
        return [y[1], float(turn)]

    model = eccentric(kind, initial={"O": {"speed": 12}})
    assert lw.analyse(model).mobility.by_rank == 1
    run = {"until": 1.0, "step": 0.1, "coordinates": coordinates, "formulation": formulation}
    result = lw.simulate(model, **run, **TIGHT)
    angle = solve_ivp(rates, (0, 1), [0, 12], "DOP853", result.time, rtol=1e-12, atol=1e-14).y[0]
    assert angle[-1] > 6  # about once round
    assert np.max(np.abs(result["cam.angle"] - angle)) < 1e-7
    energy = result["energy.total"]
    assert np.max(np.abs(energy - energy[0])) < 1e-9


def test_a_profile_by_points_is_the_circle():
    """A spline through 48 points of the eccentric: errors of some (2π/48)⁴ of its radius."""
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    points = np.column_stack([E + R * np.cos(turn), R * np.sin(turn)])
    for kind in FOLLOWERS:
        model = eccentric(kind, drivers=MOTOR).to_dict()
        # clockwise points make the same cam
        model["relations"]["touch"] = {
            "kind": "cam",
            "body": "cam",
            "points": points[::-1].tolist(),
            **follower_keys(kind),
        }
        result = lw.simulate(lw.Model(**model), until=0.7)
        assert np.max(np.abs(result["lifter.y"] - lift(kind, 10 * result.time)[0])) < 2e-6 * R


def test_a_roller_inside_a_ring():
    """A roller in an eccentric ring: its centre is on a circle of R − r."""
    model = eccentric("roller", drivers=MOTOR).to_dict()
    model["relations"]["touch"]["side"] = "inside"
    model["bodies"]["lifter"]["origin"] = [0, 0.035]
    result = lw.simulate(lw.Model(**model), until=0.7)
    angle = 10 * result.time
    inner = E * np.sin(angle) + np.sqrt((R - 0.01) ** 2 - E**2 * np.cos(angle) ** 2)
    assert np.max(np.abs(result["lifter.y"] - inner)) < 1e-10
    # above the roller, the ring presses it down
    push = MASS * (result["lifter.ay"] + G)
    assert np.allclose(np.sign(result["touch.force"]), -np.sign(push))


LAW = "0.01*(1 - cos(u)) + 0.002*sin(2*u)"


def law(angle: np.ndarray) -> np.ndarray:
    return 0.01 * (1 - np.cos(angle)) + 0.002 * np.sin(2 * angle)


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", FOLLOWERS)
@pytest.mark.parametrize("direction", [(0.0, 1.0), (0.6, -0.8)])
def test_a_sliding_follower_does_what_its_lift_says(kind, direction):
    base, offset = 0.04, 0.0 if kind == "flat" else 0.012
    along = np.array(direction)
    across = np.array([-along[1], along[0]])
    rest = base if kind == "flat" else np.sqrt((base + RADIUS[kind]) ** 2 - offset**2)
    keys = follower_keys(kind) | {"lift": LAW, "base_radius": base, "axis": direction}
    model = eccentric(kind, drivers={"motor": {"joint": "O", "position": "3*t"}}).to_dict()
    model["relations"]["touch"] = {"kind": "cam", "body": "cam", **keys}
    model["bodies"]["cam"]["rotation"] = "25 deg"  # the drawn position of the cam is the beginning of its law
    model["bodies"]["lifter"] |= {
        "points": {"F": [0, 0], "H": (0.04 * across).tolist()},
        "origin": (rest * along + offset * across).tolist(),
    }
    model["joints"]["guide"] |= {"axis": direction, "at": ["Q", "F"]}
    model["joints"]["O"]["reference"] = 0
    model["points"]["Q"] = (offset * across).tolist()
    result = lw.simulate(lw.Model(**model), until=2.5)
    place = np.array([result["lifter.x"], result["lifter.y"]])
    assert np.max(np.abs(along @ place - rest - law(3 * result.time))) < 1e-11
    assert np.max(np.abs(result["touch.u"] - 3 * result.time)) < 1e-9


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", FOLLOWERS)
@pytest.mark.parametrize("left", [1.0, -1.0])
def test_a_turning_follower_does_what_its_lift_says(kind, left):
    base, pivot, arm = 0.04, 0.09, 0.08
    near = base + RADIUS.get(kind, 0.0)
    if kind == "flat":
        # a face through the pivot, tangent to the base circle
        start = np.pi - left * np.arcsin(base / pivot)
    else:
        start = np.pi - left * np.arccos((pivot**2 + arm**2 - near**2) / (2 * pivot * arm))
    tip = np.array([pivot + arm * np.cos(start), arm * np.sin(start)])
    keys = follower_keys(kind) | {"lift": f"10*({LAW})", "base_radius": base, "pivot": "ground.Q"}
    keys |= {"face": ["arm.Q", "arm.F"]} if kind == "flat" else {"point": "arm.F"}
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "Q": [pivot, 0], "F": tip.tolist()},
        bodies={
            "cam": {"points": {"O": [0, 0]}, "origin": "O", "mass": 1, "com": [0, 0], "inertia": 0.002},
            "arm": {"bar": ["Q", "F"], "mass": 0.1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "cam"]},
            "Q": {"kind": "revolute", "bodies": ["ground", "arm"], "reference": 0},
        },
        relations={"touch": {"kind": "cam", "body": "cam", **keys}},
        drivers={"motor": {"joint": "O", "position": "3*t"}},
    )
    result = lw.simulate(model, until=2.5)
    assert np.max(np.abs(result["Q.angle"] + left * 10 * law(3 * result.time))) < 1e-11
    assert np.max(np.abs(result["touch.u"] - 3 * result.time)) < 1e-9


def refused(kind: str, **keys: object) -> str:
    model = eccentric(kind).to_dict()
    model["relations"]["touch"] = {"kind": "cam", "body": "cam", **follower_keys(kind), **keys}
    with pytest.raises(lw.errors.ModelError, match=r"relations\.touch") as error:
        lw.analyse(lw.Model(**model))
    return str(error.value)


def test_cams_that_undercut_are_refused():
    """r = 0.1 + 0.02 cos 3u is hollow at u = π/3 with the radius 0.064 m; the lifts follow from h + h'' and R²/(R − R'')."""
    hollow = "0.1 + 0.02*cos(3*u)"
    text = refused("roller", r=hollow, radius=0.07)
    assert "the roller undercuts" in text
    assert "is 0.064 m" in text
    text = refused("flat", r=hollow)
    assert "hollow with a radius of 0.064 m" in text
    steep = "0.02*(1 - cos(3*u))"
    text = refused("flat", lift=steep, base_radius=0.1, axis=[0, 1])
    assert "at u = 1.047 its radius of curvature would be -0.04 m" in text
    assert "base_radius above 0.14 m" in text
    text = refused("roller", lift=steep, base_radius=0.02, axis=[0, 1], radius=0.04)
    assert "at u = 1.047 the path of the roller bends with a radius of 0.03571 m" in text
    # a roller that fits
    model = eccentric("roller").to_dict()
    model["relations"]["touch"] = {
        "kind": "cam",
        "body": "cam",
        **follower_keys("roller"),
        "r": hollow,
        "radius": 0.063,
    }
    lw.analyse(lw.Model(**model))


@pytest.mark.parametrize(
    ("kind", "keys", "words"),
    [
        ("roller", {}, "neither a profile nor a lift"),
        ("roller", {**CIRCLE, "radius": -0.01}, "must be positive"),
        ("roller", {**CIRCLE, "face": ["lifter.F", "lifter.H"]}, "face: a roller follower has none"),
        ("knife", {**CIRCLE, "radius": 0.01}, "belongs to a roller"),
        ("roller", {**CIRCLE, "radius": None}, "is missing: a roller has a radius"),
        ("flat", {**CIRCLE, "face": None}, "face: is missing"),
        ("flat", {**CIRCLE, "side": "inside"}, "does not fit into a hollow"),
        ("flat", {**CIRCLE, "face": ["lifter.F", "lifter.F"]}, "with itself"),
        ("flat", {**CIRCLE, "follower": "round"}, "is not one of: knife, roller, flat"),
        ("knife", {"r": "1 + u"}, "the curve is not closed"),
        ("knife", {**CIRCLE, "lift": "0", "base_radius": 1, "axis": [0, 1]}, "conflicts with lift"),
        ("knife", {"lift": "u", "base_radius": 1, "axis": [0, 1]}, "lift: the curve is not closed"),
        ("knife", {"lift": "0", "axis": [0, 1]}, "base_radius: is missing"),
        ("knife", {"lift": "0", "base_radius": 1}, "axis: is missing"),
        ("knife", {"lift": "0", "base_radius": 1, "axis": [0, 0]}, "axis: is zero"),
        ("knife", {**CIRCLE, "axis": [0, 1]}, "belongs to a lift"),
        ("knife", {"lift": "0", "base_radius": 0.02, "axis": [1, 0]}, "does not meet the base circle"),
        ("knife", {**CIRCLE, "point": "cam.O"}, "is on 'cam' too"),
    ],
)
def test_faults_name_the_cam(kind, keys, words):
    assert words in refused(kind, **keys)
