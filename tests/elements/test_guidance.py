"""Bodies and points that are moved as functions of time.

SOURCE: García de Jalón and Bayo, Problem 3/21 (a rigid body guided in position and by roll, pitch and yaw); forces and
torques by Newton and Euler from the given motion.
"""

import numpy as np
import pytest
from combinations import COMBINATIONS
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import linkwork as lw

G, MASS = 9.81, 2.0
INERTIA = np.diag([0.1, 0.2, 0.25])
RUN = {"until": 1.0, "step": 0.125, "rtol": 1e-10, "atol": 1e-12}


def plate(driver: dict, **extra: object) -> lw.Model:
    """A floating plate in the plane with a corner C beside its centre of mass."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0]},
        bodies={
            "plate": {"points": {"C": [0.3, 0.1]}, "origin": [0, 0], "mass": MASS, "com": [0, 0], "inertia": 0.4},
        },
        drivers={"guide": driver},
        **extra,
    )


@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_guided_plate(coordinates, formulation):
    """Force m (a − g), torque J α; angles count turns; the guide brings in what the plate gains."""
    model = plate({"body": "plate", "position": ["0.2*sin(3*t)", "0.1*t^2"], "angle": "7 + 2*t^2"})
    mobility = lw.analyse(model).mobility
    assert (mobility.by_count, mobility.by_rank, mobility.driven) == (3, 3, 3)
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **RUN)
    t = result.time
    assert np.allclose(result["plate.x"], 0.2 * np.sin(3 * t), atol=1e-11)
    assert np.allclose(result["plate.y"], 0.1 * t**2, atol=1e-11)
    assert np.allclose(result["plate.angle"], 7 + 2 * t**2, atol=1e-10)
    assert np.allclose(result["guide.fx"], -MASS * 1.8 * np.sin(3 * t), atol=1e-8)
    assert np.allclose(result["guide.fy"], MASS * (0.2 + G), atol=1e-8)
    assert np.allclose(result["guide.torque"], 0.4 * 4, atol=1e-8)
    power = -MASS * 1.8 * np.sin(3 * t) * 0.6 * np.cos(3 * t) + MASS * (0.2 + G) * 0.2 * t + 1.6 * 4 * t
    assert np.allclose(result["guide.power"], power, atol=1e-8)


def test_the_balance_of_energy_knows_guides_and_winches():
    model = plate({"body": "plate", "at": "C", "position": ["0.2*sin(3*t)", "0.1*t^2"], "angle": "2*t^2"})
    result = lw.simulate(model, until=1.0)
    assert np.ptp(result["energy.total"]) > 1
    assert np.max(np.abs(result["energy.balance"])) < 1e-9
    winch = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "P": [0.3, -1]},
        bodies={"load": {"points": ["P"], "mass": 2, "inertia": 0.1}},
        relations={"rope": {"kind": "cable", "points": ["ground.O", "load.P"], "length": "1.1 - 0.2*t"}},
    )
    result = lw.simulate(winch, until=1.0)
    assert np.allclose(result["rope.power"], 0.2 * result["rope.tension"], rtol=1e-12)
    assert np.max(np.abs(result["energy.balance"])) < 1e-8


ROLL, PITCH, YAW = "0.3*sin(2*t)", "1.2 + 0.8*t", "3.1 + t^2"
PATH = ["0.2*sin(3*t)", "0.1*t", "0.3*t^2"]


def orientation(t: np.ndarray) -> Rotation:
    """Yaw, then pitch, then roll, about the axes of the body."""
    return Rotation.from_euler("ZYX", np.column_stack([3.1 + t**2, 1.2 + 0.8 * t, 0.3 * np.sin(2 * t)]))


def spin(t: np.ndarray) -> np.ndarray:
    """Angular velocity in world axes from the rates of the angles."""
    yaw, pitch = 3.1 + t**2, 1.2 + 0.8 * t
    upright, none = np.array([0, 0, 1.0]), np.zeros_like(t)
    across = np.column_stack([-np.sin(yaw), np.cos(yaw), none])
    ahead = np.column_stack([np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), -np.sin(pitch)])
    return 2 * t[:, None] * upright + 0.8 * across + (0.6 * np.cos(2 * t))[:, None] * ahead


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_body_guided_in_space(coordinates, formulation):
    """Problem 3/21, drawn half a turn away, with a pitch that goes through 90°."""
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"O": [0, 0, 0]},
        bodies={
            "plate": {
                "points": {"C": [0.3, 0.1, 0.2]},
                "origin": [0, 0, 0],
                "mass": MASS,
                "com": [0, 0, 0],
                "inertia": np.diag(INERTIA).tolist(),
            }
        },
        drivers={"guide": {"body": "plate", "position": PATH, "rotation": {"roll": ROLL, "pitch": PITCH, "yaw": YAW}}},
    )
    assert lw.analyse(model).mobility.driven == 6
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **RUN)
    t = result.time
    found = Rotation.from_quat(np.column_stack([result[f"plate.q{i}"] for i in (1, 2, 3, 0)]))
    assert np.max((found * orientation(t).inv()).magnitude()) < 1e-9
    omega = np.column_stack([result[f"plate.w{axis}"] for axis in "xyz"])
    assert np.max(np.abs(omega - spin(t))) < 1e-8
    assert np.allclose(result["plate.x"], 0.2 * np.sin(3 * t), atol=1e-10)
    assert np.allclose(result["guide.fx"], -MASS * 1.8 * np.sin(3 * t), atol=1e-7)
    assert np.allclose(result["guide.fz"], MASS * (G + 0.6), atol=1e-7)

    def momentum(at: np.ndarray) -> np.ndarray:
        axes = orientation(at).as_matrix()
        return np.einsum("nij,jk,nlk,nl->ni", axes, INERTIA, axes, spin(at))

    step = 1e-4
    rate = (
        (8 * (momentum(t + step) - momentum(t - step)) - (momentum(t + 2 * step) - momentum(t - 2 * step))) / 12 / step
    )
    torque = np.column_stack([result[f"guide.m{axis}"] for axis in "xyz"])
    assert np.max(np.abs(torque - rate)) < 1e-6
    velocity = np.column_stack([result[f"plate.v{axis}"] for axis in "xyz"])
    force = np.column_stack([result[f"guide.f{axis}"] for axis in "xyz"])
    power = np.sum(force * velocity + torque * omega, axis=1)
    assert np.allclose(result["guide.power"], power, atol=1e-7)


@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_pendulum_whose_pivot_is_shaken(coordinates, formulation):
    """A point is guided along x and held in y: (J + m l²) θ̈ = −m l (g sin θ + ẍ cos θ)."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [0, 0], "B": [0.3, -0.4]},
        bodies={"rod": {"bar": ["A", "B"], "mass": 1.5}},
        drivers={"shaker": {"point": "rod.A", "position": ["0.1*sin(7*t)", 0]}},
    )
    assert lw.analyse(model).mobility.free == 1
    result = lw.simulate(
        model, coordinates=coordinates, formulation=formulation, **{**RUN, "rtol": 1e-11, "atol": 1e-13}
    )

    def rates(t: float, y: np.ndarray) -> list[float]:
        shake = -4.9 * np.sin(7 * t)
        # a slender rod of length l about its end: m (l/2) / (m l²/3) = 3 / (2 l), with l = 0.5 m
        return [y[1], -3.0 * (G * np.sin(y[0]) + shake * np.cos(y[0]))]

    start = np.arctan2(0.3, 0.4)
    first = [start, float(result["rod.speed"][0])]
    angle = solve_ivp(rates, (0, 1), first, "DOP853", result.time, rtol=1e-12, atol=1e-14).y[0]
    assert np.max(np.abs(result["rod.angle"] - (angle - np.pi / 2))) < 2e-8
    assert np.allclose(result["shaker.fy"], 1.5 * (result["rod.ay"] + G), atol=1e-6)
    assert np.allclose(result["shaker.power"], result["shaker.fx"] * 0.7 * np.cos(7 * result.time), atol=1e-7)


def test_one_angle_of_a_body_is_a_driver_of_its_joint():
    shared = {
        "space": "spatial",
        "points": {"O": [0, 0, 0]},
        "bodies": {"wheel": {"points": {"O": [0, 0, 0]}, "origin": "O", "mass": 1, "com": "O", "inertia": [1, 1, 2]}},
        "joints": {"O": {"kind": "revolute", "bodies": ["ground", "wheel"], "axis": [0, 0, 1]}},
    }
    motor = lw.Model(**shared, drivers={"turn": {"joint": "O", "position": "0.4 + t^3"}})
    guide = lw.Model(**shared, drivers={"turn": {"body": "wheel", "rotation": {"yaw": "0.4 + t^3"}}})
    first, second = lw.simulate(motor, until=2.0), lw.simulate(guide, until=2.0)
    assert np.max(np.abs(first["O.angle"] - second["O.angle"])) < 1e-10
    assert np.allclose(first["turn.effort"], second["turn.yaw_torque"], atol=1e-8)
    assert second.quantity("turn.yaw_torque").unit == "N*m"


def test_a_point_of_a_linkage_is_driven():
    """A four-bar whose coupler point moves along x as told; the loops do the rest."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.2, 0.4], "B": [0.9, 0.6], "C": [1.0, 0]},
        bodies={
            name: {"bar": list(ends), "mass": 1}
            for name, ends in {"crank": "OA", "coupler": "AB", "rocker": "CB"}.items()
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
        drivers={"pull": {"point": "coupler.B", "position": ["0.9 + 0.1*sin(t)", None]}},
    )
    result = lw.simulate(model, until=3.0)
    assert np.allclose(result["B.x"], 0.9 + 0.1 * np.sin(result.time), atol=1e-10)
    assert np.allclose(np.hypot(result["B.x"] - 1, result["B.y"]), np.hypot(0.1, 0.6), atol=1e-11)
    assert np.max(np.abs(result["energy.balance"])) < 1e-8


def test_what_is_driven_already_is_refused():
    joints = {"pin": {"kind": "revolute", "bodies": ["ground", "plate"], "at": ["O", "C"]}}
    model = plate({"body": "plate", "at": "C", "position": ["0.3*t", None]}, joints=joints)
    with pytest.raises(lw.LinkworkError, match="guide"):
        lw.analyse(model)
    twice = plate({"body": "plate", "angle": "t"}, joints=joints).to_dict()
    twice["drivers"]["motor"] = {"joint": "pin", "position": "t"}
    with pytest.raises(lw.errors.ModelError, match=r"drivers\.(guide|motor).*determine already"):
        lw.analyse(lw.Model(**twice))


@pytest.mark.parametrize(
    ("driver", "words"),
    [
        ({"body": "plate"}, "no motion is given"),
        ({"body": "plate", "position": [None, None]}, "no motion is given"),
        ({"body": "plate", "point": "C", "angle": 1}, "conflicts with point"),
        ({"body": "ground", "angle": 1}, "the ground, which does not move"),
        ({"body": "plat", "angle": 1}, "there is no body 'plat'"),
        ({"body": "plate", "at": "D", "position": [0, 0]}, "has no point 'D'"),
        ({"point": "ground.O", "position": [0, 0]}, "is on the ground"),
        ({"point": "C", "angle": 1}, "belongs to a body"),
        ({"body": "plate", "position": 3}, "is not a list of formulas"),
        ({"body": "plate", "position": [0, 0, 0]}, "has 3 components"),
        ({"body": "plate", "position": ["1 kg", 0]}, "length"),
        ({"body": "plate", "rotation": {"yaw": 1}}, "belongs to space"),
        ({"body": "plate", "rotation": {"jaw": 1}}, "unknown angle 'jaw'"),
        ({"body": "plate", "angle": "plate.x"}, "may not depend on the state"),
    ],
)
def test_faults_name_the_guide(driver, words):
    with pytest.raises(lw.errors.ModelError, match=r"drivers\.guide") as error:
        plate(driver)
    assert words in str(error.value)


def test_a_guide_is_written_as_it_was_read():
    keys = {"body": "plate", "at": "C", "position": ["0.1*t", None], "angle": "30 deg"}
    model = plate(keys)
    assert model.to_dict()["drivers"]["guide"] == keys
    assert lw.Model(**model.to_dict()) == model
    assert "guide  plate" in str(model)


def tumbling(**more: object) -> lw.Model:
    return lw.Model(
        space="spatial",
        bodies={"box": {"points": {"T": [0.1, 0, 0]}, "mass": 1, "inertia": [1, 2, 3]}},
        initial={"box": {"omega": [0.3, 2, 0.5]}},
        **more,
    )


def test_roll_pitch_and_yaw_of_a_body_are_those_of_its_driver_and_of_scipy():
    """R = R_z(yaw) R_y(pitch) R_x(roll): SciPy's intrinsic zyx or extrinsic xyz."""
    free = lw.simulate(tumbling(outputs={"lean": "2*box.roll"}), until=3)
    turned = Rotation.from_quat(np.stack([free[f"box.q{i}"] for i in (1, 2, 3, 0)], axis=1))
    angles = dict(zip(("roll", "pitch", "yaw"), turned.as_euler("xyz").T, strict=True))
    for name, expected in angles.items():
        assert np.ptp(expected) > 0.5
        np.testing.assert_allclose(free[f"box.{name}"], expected, atol=1e-9)
        assert free.quantity(f"box.{name}").unit == "rad"
    np.testing.assert_allclose(free["lean"], 2 * angles["roll"], atol=1e-9)
    asked = {"roll": "0.3*t", "pitch": "0.2 - 0.5*t", "yaw": "1 + t^2"}
    driven = tumbling(drivers={"hold": {"body": "box", "position": [0, 0, 0], "rotation": asked}}).with_(initial=None)
    moved = lw.simulate(driven, until=1)
    t = moved.time
    for name, expected in {"roll": 0.3 * t, "pitch": 0.2 - 0.5 * t, "yaw": 1 + t**2}.items():
        np.testing.assert_allclose(moved[f"box.{name}"], expected, atol=1e-9)


def test_a_body_is_drawn_by_roll_pitch_and_yaw():
    """Formulas of parameters, missing angles zero; the same body by the matrix of SciPy."""
    angles = {"roll": 0.3, "pitch": -0.4, "yaw": 2.0}
    matrix = Rotation.from_euler("xyz", list(angles.values())).as_matrix()
    body = {"points": {"T": [0.1, 0.2, 0.3]}, "origin": [1, 2, 3], "mass": 1, "inertia": [1, 2, 3]}
    given = {
        "numbers": angles,
        "formulas": {"roll": "lean", "pitch": "-0.4 rad", "yaw": "2 rad"},
        "matrix": {"matrix": matrix.tolist()},
    }
    for rotation in given.values():
        lean = {"lean": {"value": "0.3 rad", "live": True}}
        model = lw.Model(space="spatial", parameters=lean, bodies={"box": {**body, "rotation": rotation}})
        again = lw.Model(**{key: item for key, item in model.to_dict().items() if key != "linkwork"})
        for drawn in (model, again):
            pose = lw.analyse(drawn).assembly.poses["box"]
            np.testing.assert_allclose(pose.axes, matrix, atol=1e-12)
            np.testing.assert_allclose(pose.point([0.1, 0.2, 0.3]), [1, 2, 3] + matrix @ [0.1, 0.2, 0.3], atol=1e-12)
    turned = lw.Model(space="spatial", bodies={"box": {**body, "rotation": {"yaw": "90 deg"}}})
    np.testing.assert_allclose(
        lw.analyse(turned).assembly.poses["box"].axes, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-12
    )
    with pytest.raises(lw.errors.ModelError, match="a rotation with the keys pitch, rol"):
        lw.Model(space="spatial", bodies={"box": {**body, "rotation": {"rol": 0.1, "pitch": 0}}})
