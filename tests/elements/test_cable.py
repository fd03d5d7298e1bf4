"""Cables over points, pulleys and drums.

SOURCE: García de Jalón and Bayo, Problems 2/16 and 3/15 (a frame that a string turns about a fixed axis), 3/14 (a
clam-shell bucket closed by its cable); Atwood's machine, any text on mechanics.
"""

import numpy as np
import pytest
from combinations import COMBINATIONS
from scipy.integrate import solve_ivp

import linkwork as lw

G = 9.81
TIGHT = {"until": 1.0, "step": 0.1, "rtol": 1e-11, "atol": 1e-13}


def weight(place: list[float], mass: float) -> dict:
    return {"points": {"P": [0, 0]}, "origin": place, "mass": mass, "inertia": 0.01}


def atwood(**extra: object) -> dict:
    """Two weights on vertical rails, 0.1 m left and right of O."""
    return {
        "space": "planar",
        "gravity": [0, -G],
        "points": {"O": [0, 0], "L": [-0.1, 0], "R": [0.1, 0]},
        "bodies": {"left": weight([-0.1, -1], 3.0), "right": weight([0.1, -1.5], 2.0)},
        "joints": {
            "rail_left": {"kind": "prismatic", "bodies": ["ground", "left"], "at": ["L", "P"], "axis": [0, 1]},
            "rail_right": {"kind": "prismatic", "bodies": ["ground", "right"], "at": ["R", "P"], "axis": [0, 1]},
        },
        **extra,
    }


OVER = {
    "points": ["left.P", "ground.L", "ground.R", "right.P"],
    "pulley": ["left.P", {"point": "ground.O", "radius": 0.1, "side": "right"}, "right.P"],
}


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_two_weights_over_a_pulley(over, coordinates, formulation):
    """a = g (m₁ − m₂) / (m₁ + m₂), T = 2 m₁ m₂ g / (m₁ + m₂)."""
    model = lw.Model(**atwood(relations={"rope": {"kind": "cable", "points": OVER[over]}}))
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **TIGHT)
    assert np.allclose(result["left.y"], -1 - G / 5 * result.time**2 / 2, atol=1e-10)
    assert np.allclose(result["right.y"], -1.5 + G / 5 * result.time**2 / 2, atol=1e-10)
    assert np.allclose(result["rope.tension"], 2 * 3 * 2 * G / 5, rtol=1e-9)
    assert np.allclose(result["rope.fy"], result["rope.tension"], rtol=1e-9)
    drawn = 2.5 + {"points": 0.2, "pulley": np.pi * 0.1}[over]
    assert np.allclose(result["rope.length"], drawn, rtol=1e-12)


@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_drum_with_inertia_turns_many_times(coordinates, formulation):
    """A weight unwinds a drum: a = m g / (m + J/R²), and the drum counts its turns."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "R": [0.1, 0]},
        bodies={
            "drum": {"points": {"O": [0, 0]}, "origin": "O", "mass": 4, "inertia": 0.02},
            "load": weight([0.1, -1], 2.0),
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "drum"]},
            "rail": {"kind": "prismatic", "bodies": ["ground", "load"], "at": ["R", "P"], "axis": [0, 1]},
        },
        relations={"rope": {"kind": "cable", "points": ["ground.R", "load.P"], "drum": {"joint": "O", "radius": 0.1}}},
    )
    assert lw.analyse(model).mobility.by_rank == 1
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **{**TIGHT, "until": 2.0})
    fall = 2 * G / (2 + 0.02 / 0.1**2)
    assert np.allclose(result["load.y"], -1 - fall * result.time**2 / 2, atol=1e-8)
    assert np.allclose(result["drum.angle"], -fall * result.time**2 / 2 / 0.1, atol=1e-7)
    assert result["drum.angle"][-1] < -10 * np.pi
    assert np.allclose(result["rope.tension"], 2 * (G - fall), atol=1e-6)
    # the rope holds the load; the drum is turned by a couple
    assert np.allclose(result["rope.fy"], result["rope.tension"], atol=1e-6)


def test_a_winch_hauls_a_crate_in():
    """A driven drum: the rope shortens by R φ; the motor's power is that of the load."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "R": [0.1, 0], "P": [0.1, -3]},
        bodies={
            "drum": {"points": {"O": [0, 0]}, "origin": "O", "mass": 4, "inertia": 0.02},
            "load": {"points": ["P"], "mass": 2, "inertia": 0.1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "drum"]},
            "rail": {"kind": "prismatic", "bodies": ["ground", "load"], "at": ["R", "P"], "axis": [0, 1]},
        },
        relations={"rope": {"kind": "cable", "points": ["ground.R", "load.P"], "drum": {"joint": "O", "radius": 0.1}}},
        drivers={"motor": {"joint": "O", "position": "10*t^2"}},
    )
    result = lw.simulate(model, until=1.0)
    assert np.allclose(result["load.y"], -3 + result.time**2, atol=1e-10)
    assert np.allclose(result["rope.tension"], 2 * (G + 2), rtol=1e-9)
    assert np.allclose(result["motor.effort"], 0.02 * 20 + 0.1 * 2 * (G + 2), rtol=1e-9)
    assert result["rope.length"][-1] == pytest.approx(2.0, abs=1e-10)


def test_a_pendulum_on_a_string_that_wraps_a_pulley():
    """A bob on a string that winds on a fixed cylinder, the involute pendulum: with θ from the vertical and the free length
    ℓ = L + r θ, ℓ θ̈ + r θ̇² = −g sin θ."""
    r, length, start = 0.2, 1.0, 0.7
    # the string comes over the top of the cylinder and leaves it on its right
    free = length + r * start
    contact = r * np.array([np.cos(start), np.sin(start)])
    bob = contact + free * np.array([np.sin(start), -np.cos(start)])
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [-1.0, r], "C": [0, 0], "P": bob.tolist()},
        bodies={"bob": {"points": ["P"], "mass": 0.7, "inertia": 0.01}},
        relations={
            "string": {
                "kind": "cable",
                "points": ["ground.A", {"point": "ground.C", "radius": r, "side": "right"}, "bob.P"],
            }
        },
    )
    result = lw.simulate(model, **TIGHT)

    def rates(_: float, y: np.ndarray) -> list[float]:
        angle, speed = y
        return [speed, -(G * np.sin(angle) + r * speed**2) / (length + r * angle)]

    angle, speed = solve_ivp(rates, (0, 1), [start, 0], "DOP853", result.time, rtol=1e-12, atol=1e-14).y
    free = length + r * angle
    assert np.max(np.abs(result["P.x"] - (r * np.cos(angle) + free * np.sin(angle)))) < 2e-8
    assert np.allclose(result["string.tension"], 0.7 * (free * speed**2 + G * np.cos(angle)), atol=1e-6)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_cable_between_two_pulleys_crosses_where_the_sides_differ(side):
    """Lengths by hand, over two equal pulleys in line."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [0, -2], "C": [0.1, 0], "D": [1.1, 0], "P": [1.2, -1]},
        bodies={"load": {"points": ["P"], "mass": 1, "inertia": 0.1}},
        relations={
            "rope": {
                "kind": "cable",
                "points": [
                    "ground.A",
                    {"point": "ground.C", "radius": 0.1, "side": "right"},
                    {"point": "ground.D", "radius": 0.1, "side": side},
                    "load.P",
                ],
            }
        },
    )
    length = float(lw.simulate(model, times=[0.0, 1e-6])["rope.length"][0])
    if side == "right":
        assert length == pytest.approx(2 + 1 + 1 + np.pi * 0.1, abs=1e-12)
        return
    # crossed: tangent of length √(1 − 0.2²), then round the second pulley from below, leaving it towards P
    straight = np.sqrt(1 - 0.2**2)
    slant = np.arcsin(0.2)
    down = np.sqrt(0.1**2 + 1 - 0.1**2)
    heading = np.arctan2(-1, 0.1) + np.arctan2(0.1, down)
    first, second = np.pi / 2 + slant, heading + slant + 2 * np.pi
    assert length == pytest.approx(2 + straight + down + 0.1 * (first + second), abs=1e-12)


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_frame_turned_by_a_string(coordinates, formulation):
    """Problem 3/15: point 2 at the distance b from the axis AB, C above the axis at the height c:
    s² = b² + c² + d² − 2 b c sin ψ, hence s ṡ = −b c cos ψ ψ̇."""
    b, c, d = 0.5, 0.8, 0.3
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"A": [0, 0, 0], "B": [1, 0, 0], "C": [d, 0, c], "N": [0, b, 0], "M": [1, b, 0]},
        bodies={
            "frame": {"points": ["A", "N", "M", "B"], "mass": 2, "com": [0.5, b / 2, 0], "inertia": [0.04, 0.17, 0.2]}
        },
        joints={"A": {"kind": "revolute", "bodies": ["ground", "frame"], "axis": [1, 0, 0]}},
        relations={
            "string": {
                "kind": "cable",
                "points": ["ground.C", "frame.N"],
                "length": f"sqrt({b**2 + c**2 + d**2!r}) - 0.1*t",
            }
        },
    )
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, until=2.0, step=0.25)
    s = np.sqrt(b**2 + c**2 + d**2) - 0.1 * result.time
    angle = np.arcsin((b**2 + c**2 + d**2 - s**2) / (2 * b * c))
    assert np.max(np.abs(result["A.angle"] - angle)) < 1e-9
    assert np.max(np.abs(s * -0.1 + b * c * np.cos(angle) * result["A.speed"])) < 1e-9
    # the string's power is that of the frame: T ṡ = −d(kinetic + potential)/dt
    inertia = 0.04 + 2 * (b / 2) ** 2
    power = inertia * result["A.speed"] * result["A.acceleration"]
    power += 2 * G * b / 2 * np.cos(angle) * result["A.speed"]
    assert np.allclose(result["string.tension"] * 0.1, power, atol=1e-7)


def clam_shell() -> lw.Model:
    """Problem 3/14: the cable runs from the crane over the head H down to the block A, whose two shells hang on rods."""
    shell = {"mass": 40, "com": [0.35, -0.1], "inertia": 3.0}
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"H": [0, 0], "A": [0, -1.2], "E": [0.15, 0]},
        bodies={
            "block": {"points": ["A"], "mass": 30, "inertia": 1},
            "shell": {"points": {"A": [0, 0], "C": [0.7, 0]}, "origin": "A", "rotation": "10 deg", **shell},
        },
        joints={
            "guide": {"kind": "prismatic", "bodies": ["ground", "block"], "at": ["H", "A"], "axis": [0, 1]},
            "A": {"kind": "revolute", "bodies": ["block", "shell"], "at": ["A", "A"]},
        },
        relations={
            "rod": {"kind": "distance", "between": ["ground.E", "shell.C"], "length": 1.2},
            "rope": {"kind": "cable", "points": ["ground.H", "block.A", "ground.H"], "length": "2.4 - 0.2*t"},
        },
    )


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_clam_shell_bucket(coordinates, formulation):
    """(b cos θ − a)² + (b sin θ − h)² = l² with h = half the rope; its rate gives θ̇ from the speed of the cable."""
    a, b, long = 0.15, 0.7, 1.2
    result = lw.simulate(clam_shell(), coordinates=coordinates, formulation=formulation, until=1.0, step=0.125)
    angle, h = result["shell.angle"], 1.2 - 0.1 * result.time
    x, y = b * np.cos(angle) - a, b * np.sin(angle) - h
    assert np.max(np.abs(np.hypot(x, y) - long)) < 1e-11
    assert np.max(np.abs(result["shell.C.x"] - b * np.cos(angle))) < 1e-11
    speed = y * 0.1 / (x * b * np.sin(angle) - y * b * np.cos(angle))
    assert np.max(np.abs(result["shell.speed"] - speed)) < 1e-9
    # what the cable spends, T v, goes into the bucket
    power = (
        30 * 0.1 * G
        + 40 * G * result["shell.vy"]
        + 40 * (result["shell.vx"] * result["shell.ax"] + result["shell.vy"] * result["shell.ay"])
        + 3 * result["shell.speed"] * result["shell.acceleration"]
    )
    assert np.allclose(result["rope.tension"] * 0.2, power, rtol=1e-8)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"points": ["left.P"]}, "a cable needs two points at least"),
        ({"points": ["left.P", "left.P"]}, "twice in a row"),
        ({"points": ["left.P", "right.Z"]}, "body 'right' has no point 'Z'"),
        ({"points": ["ground.L", "ground.R"]}, "all points are on 'ground'"),
        ({"points": ["left.P", {"point": "ground.O", "radius": 0, "side": "left"}, "right.P"]}, "must be positive"),
        (
            {"points": ["left.P", {"point": "ground.O", "radius": 1, "side": "up"}, "right.P"]},
            "is not one of: left, right",
        ),
        ({"points": ["left.P", {"point": "ground.O", "radius": "w", "side": "left"}, "right.P"]}, "unknown name 'w'"),
        ({"points": ["left.P", {"point": "ground.O", "radius": 0.1, "side": "left"}]}, "ends in a point"),
        ({"points": OVER["points"], "length": -1}, "must be positive"),
        ({"points": OVER["points"], "drum": "rail_left"}, "is not a drum"),
        ({"points": OVER["points"], "drum": {"joint": "Z", "radius": 1}}, "there is no joint 'Z'"),
        ({"points": OVER["points"], "drum": {"joint": "rail_left", "radius": 1}}, "'rail_left' is prismatic"),
    ],
)
def test_faults_name_the_cable(keys, words):
    with pytest.raises(lw.errors.ModelError, match=r"relations\.rope") as error:
        lw.Model(**atwood(relations={"rope": {"kind": "cable", **keys}}))
    assert words in str(error.value)


def test_a_cable_that_cannot_be_drawn_is_refused():
    points = ["left.P", {"point": "ground.O", "radius": 3, "side": "left"}, "right.P"]
    model = lw.Model(**atwood(relations={"rope": {"kind": "cable", "points": points}}))
    with pytest.raises(lw.errors.ModelError, match=r"relations\.rope.*inside"):
        lw.analyse(model)


def test_a_cable_is_written_as_it_was_read():
    keys = {"kind": "cable", "points": OVER["pulley"]}
    model = lw.Model(**atwood(relations={"rope": keys}))
    assert model.to_dict()["relations"]["rope"] == keys
    assert lw.Model(**model.to_dict()) == model


def test_the_report_says_what_moves_the_bucket():
    report = str(lw.analyse(clam_shell()))
    assert "inputs: moved by rope" in report
    assert "relation rod" in report
