"""A point at a distance from a line: a bead beside a turning rod in the plane, a point on a round rail in space."""

import numpy as np
import pytest
from combinations import COMBINATIONS
from scipy.integrate import solve_ivp

import linkwork as lw

TIGHT = {"until": 1.0, "step": 0.1, "rtol": 1e-11, "atol": 1e-13}
G = 9.81
ROD, BEAD, LENGTH, OFFSET = 2.0, 0.5, 1.2, 0.1


def bead_beside_a_rod(**relation: object) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        parameters={"d": {"value": OFFSET, "live": True}},
        points={"O": [0, 0], "A": [LENGTH, 0], "P": [0.4, 0.1]},
        bodies={
            "rod": {"bar": ["O", "A"], "mass": ROD},
            "bead": {"points": ["P"], "mass": BEAD, "inertia": 0.01},
        },
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        relations={"slide": {"kind": "line_distance", "point": "bead.P", "line": ["rod.O", "rod.A"], **relation}},
        initial={"O": {"speed": 1.5}, "bead": {"speed": 0.3}},
    )


def bead_motion(times: np.ndarray, start: tuple[float, ...], side: float = 1.0) -> np.ndarray:
    """Angle of the rod and place of the bead along it, from the momenta of T = ½Iθ̇² + ½m((ṡ − dθ̇)² + s²θ̇²)."""
    inertia, d = ROD * LENGTH**2 / 3, side * OFFSET

    def rates(_: float, y: np.ndarray) -> list[float]:
        angle, s, turning, sliding = y  # θ, s and their momenta
        relative = sliding / BEAD  # ṡ − dθ̇
        w = (turning + d * sliding) / (inertia + BEAD * s**2)
        along = BEAD * s * w**2 - BEAD * G * np.sin(angle)
        about = -ROD * G * LENGTH / 2 * np.cos(angle) - BEAD * G * (s * np.cos(angle) - d * np.sin(angle))
        return [w, relative + d * w, about, along]

    angle, s, w, v = start
    momentum = BEAD * (v - d * w)
    y = [angle, s, inertia * w - d * momentum + BEAD * s**2 * w, momentum]
    return solve_ivp(rates, (0, times[-1]), y, "DOP853", times, rtol=1e-12, atol=1e-14).y


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_bead_beside_a_rod(coordinates, formulation):
    result = lw.simulate(bead_beside_a_rod(), coordinates=coordinates, formulation=formulation, **TIGHT)
    w, v = result["rod.speed"][0], result["bead.vx"][0] + 0.1 * result["rod.speed"][0]
    angle, s = bead_motion(result.time, (0.0, 0.4, w, v))[:2]
    assert np.max(np.abs(result["rod.angle"] - angle)) < 2e-8
    assert np.max(np.abs(result["slide.along"] - s)) < 2e-8
    # the bead turns as it likes, and is pushed across the rod only
    assert np.allclose(result["bead.speed"], 0.3, atol=1e-9)
    normal = np.array([-np.sin(angle), np.cos(angle)])
    push = BEAD * np.array([result["bead.ax"], result["bead.ay"] + G])
    assert np.allclose(result["slide.force"], np.sum(push * normal, axis=0), atol=1e-6)
    assert np.allclose([result["slide.fx"], result["slide.fy"]], push, atol=1e-6)
    energy = result["energy.total"]
    assert np.max(np.abs(energy - energy[0])) < 1e-8


def test_the_side_is_kept_and_the_distance_is_live():
    model = bead_beside_a_rod(distance="d")
    other = lw.Model(**{**model.to_dict(), "points": {**model.to_dict()["points"], "P": [0.4, -0.1]}})
    left = lw.simulate(model, until=0.1, parameters={"d": 0.05})
    assert left["P.y"][0] == pytest.approx(0.05, abs=1e-12)
    right = lw.simulate(other, until=0.1)
    assert right["P.y"][0] == pytest.approx(-0.1, abs=1e-12)
    # held up from below: the push away from the rod is against the weight
    assert left["slide.force"][0] * right["slide.force"][0] < 0


@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_point_on_a_round_rail_is_a_pendulum_that_drifts(coordinates, formulation):
    """The line is horizontal: a pendulum of length d across it, uniform motion along it."""
    d, start = 0.8, 0.6
    place = [0, d * np.sin(start), -d * np.cos(start)]
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -G],
        points={"O": [0, 0, 0], "Q": [2, 0, 0], "P": place},
        bodies={"weight": {"points": ["P"], "mass": 3, "inertia": [0.1, 0.2, 0.25]}},
        relations={"rail": {"kind": "line_distance", "point": "weight.P", "line": ["ground.O", "ground.Q"]}},
        initial={"weight": {"velocity": [0.3, 0, 0], "omega": [0.1, 0.2, 0.3]}},
    )
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **TIGHT)
    assert lw.analyse(model).mobility.by_rank == 5
    swing = solve_ivp(
        lambda t, y: [y[1], -G / d * np.sin(y[0])],
        (0, 1),
        [start, 0],
        "DOP853",
        result.time,
        rtol=1e-12,
        atol=1e-14,
    ).y
    assert np.allclose(result["P.y"], d * np.sin(swing[0]), atol=2e-8)
    assert np.allclose(result["rail.along"], 0.3 * result.time, atol=1e-9)
    pull = 3 * (d * swing[1] ** 2 + G * np.cos(swing[0]))
    assert np.allclose(result["rail.force"], -pull, atol=1e-5)


def test_a_distance_that_grows_with_time_does_work():
    """A weight pushed up from a horizontal line by d(t): force m (g + d̈), power force · ḋ."""
    model = lw.Model(
        space="planar",
        gravity=[0, -10],
        points={"O": [0, 0], "Q": [1, 0], "P": [0.5, 0.2]},
        bodies={"weight": {"points": ["P"], "mass": 3, "inertia": 0.1}},
        relations={
            "lift": {
                "kind": "line_distance",
                "point": "weight.P",
                "line": ["ground.O", "ground.Q"],
                "distance": "0.2 + 0.1*t^2",
            }
        },
    )
    result = lw.simulate(model, until=1.0)
    assert np.allclose(result["lift.force"], 3 * (10 + 0.2), rtol=1e-9)
    power = np.gradient(result["energy.total"], result.time)[1:-1]
    assert np.allclose(power, (result["lift.force"] * 0.2 * result.time)[1:-1], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ({"distance": 0}, "point_on_line"),
        ({"distance": "-1 cm"}, "must be positive"),
        ({"point": "rod.A"}, "'rod.A' is on 'rod' too"),
        ({"point": "Z"}, "there is no point 'Z'"),
        ({"line": ["rod.O", "rod.O"]}, "joins 'rod.O' with itself"),
        ({"line": ["rod.O", "bead.P"]}, "'rod.O' is on 'rod', 'bead.P' on 'bead'"),
    ],
)
def test_faults_name_the_relation(relation, words):
    with pytest.raises(lw.errors.ModelError, match=r"relations\.slide") as error:
        bead_beside_a_rod(**relation)
    assert words in str(error.value)


def test_a_point_drawn_on_the_line_is_refused():
    model = bead_beside_a_rod().to_dict()
    model["points"]["P"] = [0.4, 0]
    with pytest.raises(lw.errors.ModelError, match=r"relations\.slide.*drawn on the line[\s\S]*point_on_line"):
        lw.analyse(lw.Model(**model))
