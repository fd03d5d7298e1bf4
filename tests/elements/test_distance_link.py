"""A distance link is a massless rod between two balls."""

import numpy as np
import pytest
from combinations import COMBINATIONS

import linkwork as lw

POINTS = {"O": [0, 0], "A": [0.3, 0.1], "B": [0.9, 0.5], "C": [1.0, 0]}
CRANKS = {
    "crank": {"bar": ["O", "A"], "mass": 1, "radius": 0.02},
    "rocker": {"bar": ["C", "B"], "mass": 2, "radius": 0.02},
}
PINS = {
    "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
    "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
}
ROD = {"rod": {"kind": "distance", "between": ["A", "B"]}}
COUPLER = {
    "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
    "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
}
TIGHT = {"until": 1.0, "step": 0.1, "rtol": 1e-11, "atol": 1e-13}


def linkage(**extra: object) -> lw.Model:
    return lw.Model(space="planar", gravity=[0, -9.81], points=POINTS, **extra)


@pytest.fixture(scope="module")
def four_bar() -> lw.Result:
    """The same with a body of no mass in place of the link."""
    bodies = CRANKS | {"coupler": {"bar": ["A", "B"], "mass": 0}}
    return lw.simulate(linkage(bodies=bodies, joints=PINS | COUPLER), **TIGHT)


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_a_link_moves_and_pulls_like_a_massless_body(four_bar, coordinates, formulation):
    model = linkage(bodies=CRANKS, joints=PINS, relations=ROD)
    result = lw.simulate(model, coordinates=coordinates, formulation=formulation, **TIGHT)
    assert np.max(np.abs(result["rocker.angle"] - four_bar["rocker.angle"])) < 2e-8
    for component in ("fx", "fy"):
        # the force on the rocker is that of the coupler on it
        assert np.max(np.abs(result[f"rod.{component}"] - four_bar[f"B.{component}"])) < 1e-6
        assert np.max(np.abs(result[f"O.{component}"] - four_bar[f"O.{component}"])) < 1e-6
    assert np.max(np.abs(result["closure"])) < 1e-12 or formulation == "baumgarte"
    pull = np.hypot(result["rod.fx"], result["rod.fy"])
    assert np.allclose(np.abs(result["rod.tension"]), pull, atol=1e-9)


def test_tension_of_a_hanging_weight():
    """A weight on a rod of 2 m, at rest: the tension is its weight."""
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0]},
        bodies={"weight": {"points": {"W": [0, 0, 0]}, "origin": [0, 0, -2], "mass": 3, "inertia": [0.1, 0.1, 0.1]}},
        relations={"rod": {"kind": "distance", "between": ["ground.O", "weight.W"]}},
    )
    assert lw.analyse(model).mobility.by_rank == 5
    result = lw.simulate(model, until=0.1)
    assert np.allclose(result["rod.tension"], 3 * 9.81, rtol=1e-12)
    assert np.allclose(result["rod.fz"], 3 * 9.81, rtol=1e-12)


def test_a_length_that_is_a_function_of_time():
    """A mass hauled in along a fixed line: r = L(t), T = m (g + r̈) upwards."""
    model = lw.Model(
        space="planar",
        gravity=[0, -10],
        points={"O": [0, 0], "W": [0, -2]},
        bodies={"weight": {"points": ["W"], "mass": 3, "inertia": 0.1}},
        joints={"rail": {"kind": "prismatic", "bodies": ["ground", "weight"], "at": ["O", "W"], "axis": [0, 1]}},
        relations={"rod": {"kind": "distance", "between": ["ground.O", "weight.W"], "length": "2 - 0.2*t^2"}},
    )
    result = lw.simulate(model, until=1.0)
    assert np.allclose(result["W.y"], -2 + 0.2 * result.time**2, atol=1e-12)
    assert np.allclose(result["rod.tension"], 3 * (10 + 0.4), rtol=1e-9)


@pytest.mark.parametrize(
    ("rod", "words"),
    [
        ({"kind": "distance", "between": ["A", "A"]}, "joins 'A' with itself"),
        ({"kind": "distance", "between": ["A", "Z"]}, "there is no point 'Z'"),
        ({"kind": "distance", "between": ["crank.O", "A"]}, "both points are on 'crank'"),
        ({"kind": "distance", "between": ["A", "B"], "length": "-1 m"}, "must be positive"),
        ({"kind": "distance", "between": ["A", "B"], "length": "2 kg"}, "length"),
        ({"kind": "twine", "between": ["A", "B"]}, "is not one of: distance"),
        ({"between": ["A", "B"]}, "kind: is missing"),
    ],
)
def test_faults_name_the_link(rod, words):
    with pytest.raises(lw.errors.ModelError, match=r"relations\.rod") as error:
        linkage(bodies=CRANKS, joints=PINS, relations={"rod": rod})
    assert words in str(error.value)


def test_a_link_that_cannot_be_closed_is_named():
    model = linkage(bodies=CRANKS, joints=PINS, relations={"rod": {**ROD["rod"], "length": 5}})
    with pytest.raises(lw.errors.AssemblyError, match="relation rod between crank and rocker"):
        lw.analyse(model)


def test_a_rod_beside_the_line_of_two_balls_holds_the_body_between_them():
    """An upright between two ball joints could spin; its tie rod prevents that, and the report knows it."""
    points = {
        "O": [0, 0, 0],
        "A": [0.3, 0, 0],
        "B": [0.3, 0, 0.3],
        "C": [0, 0, 0.3],
        "T": [0.3, 0.1, 0.1],
        "R": [0, 0.1, 0.1],
    }
    model = lw.Model(
        space="spatial",
        points=points,
        bodies={
            "lower": {"bar": ["O", "A"], "mass": 1, "radius": 0.02},
            "upper": {"bar": ["C", "B"], "mass": 1, "radius": 0.02},
            "upright": {"points": ["A", "B", "T"], "mass": 5, "com": "A", "inertia": [0.1, 0.1, 0.1]},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "lower"], "axis": [0, 1, 0]},
            "C": {"kind": "revolute", "bodies": ["ground", "upper"], "axis": [0, 1, 0]},
            "A": {"kind": "spherical", "bodies": ["lower", "upright"]},
            "B": {"kind": "spherical", "bodies": ["upper", "upright"]},
        },
    )
    free = lw.analyse(model)
    assert (free.freedoms, free.passive) == (2, ("upright",))
    held = lw.analyse(
        lw.Model(**{**model.to_dict(), "relations": {"tie": {"kind": "distance", "between": ["R", "T"]}}})
    )
    assert (held.freedoms, held.mobility.by_count, held.passive) == (1, 1, ())
    assert "passive" not in str(held)
    assert "by the subgroup" not in str(held)
