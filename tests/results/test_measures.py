"""Instant centres, centrodes, curvature, transmission angle and advantage, against what geometry says of them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from drawn_linkages import four_bar, slider_crank
from linkages import spherical_four_bar

import linkwork as lw

TURN = np.linspace(0.4, 2.4, 9)


@cache
def four() -> lw.Result:
    return lw.solve_kinematics(four_bar((1.0, 2.5, 2.0, 2.2), 0.4, 1.0), {"O": TURN})


@cache
def slider() -> lw.Result:
    return lw.solve_kinematics(slider_crank((0.5, 1.7, 0.0), 0.4, 1.0), {"O": TURN})


def places(result: lw.Result, point: str) -> np.ndarray:
    return np.column_stack([result[f"{point}.x"], result[f"{point}.y"]])


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def test_the_instant_centre_of_a_coupler_is_where_crank_and_rocker_meet():
    """Aronhold and Kennedy: it lies on the lines of both arms."""
    result = four()
    centre = lw.measures.instant_centre(result, "coupler")
    for pivot, pin in (("O", "A"), ("C", "B")):
        arm = places(result, pin) - places(result, pivot)
        np.testing.assert_allclose(cross(arm, centre - places(result, pivot)), 0.0, atol=1e-9)
    np.testing.assert_allclose(lw.measures.instant_centre(result, "crank"), 0.0, atol=1e-12)


def test_crank_and_rocker_have_their_relative_centre_on_two_lines():
    """Aronhold and Kennedy: on the line of the pivots and on that of the coupler."""
    result = four()
    centre = lw.measures.instant_centre(result, "rocker", relative_to="crank")
    np.testing.assert_allclose(centre[:, 1], 0.0, atol=1e-9)
    pin = places(result, "A")
    np.testing.assert_allclose(cross(places(result, "B") - pin, centre - pin), 0.0, atol=1e-9)


def test_centrodes_touch_at_the_centre_and_roll():
    """Both have the same arc length: |ċ| of the fixed one is |ċ| of the moving one."""
    fine = lw.solve_kinematics(four_bar((1.0, 2.5, 2.0, 2.2), 0.4, 1.0), {"O": np.linspace(0.4, 0.5, 201)})
    found = lw.measures.centrodes(fine, "coupler")
    lengths = [np.sum(np.linalg.norm(np.diff(path, axis=0), axis=1)) for path in (found.fixed, found.moving)]
    assert lengths[0] == pytest.approx(lengths[1], rel=1e-5)


def test_circles_have_their_curvature():
    np.testing.assert_allclose(lw.measures.path_curvature(four(), "A"), 1.0, rtol=1e-10)
    np.testing.assert_allclose(np.abs(lw.measures.path_curvature(four(), "B")), 0.5, rtol=1e-9)


def test_the_transmission_angle_by_the_law_of_cosines():
    diagonal = 1.0 + 2.2**2 - 2 * 2.2 * np.cos(TURN)
    angle = np.arccos((2.5**2 + 2.0**2 - diagonal) / (2 * 2.5 * 2.0))
    np.testing.assert_allclose(lw.measures.transmission_angle(four(), "B"), np.minimum(angle, np.pi - angle), atol=1e-9)


def test_the_advantage_is_the_ratio_of_the_ideal_efforts():
    """A slider-crank: x = r cos θ + sqrt(l² − r² sin² θ), so that the force is 1 / (dx/dθ) of the torque."""
    r, l = 0.5, 1.7
    rate = -r * np.sin(TURN) - r**2 * np.sin(TURN) * np.cos(TURN) / np.sqrt(l**2 - (r * np.sin(TURN)) ** 2)
    np.testing.assert_allclose(
        lw.measures.mechanical_advantage(slider(), "O.speed", "guide.speed"), 1 / rate, rtol=1e-9
    )


def test_what_has_no_answer_is_refused():
    with pytest.raises(lw.errors.UnknownNameError, match="is no joint"):
        lw.measures.transmission_angle(four(), "Q")
    with pytest.raises(lw.errors.RefusedError, match="is not clear"):
        lw.measures.transmission_angle(four(), "O")
    spatial = spherical_four_bar()
    joint = next(iter(spatial.joints))
    result = lw.solve_kinematics(spatial, {joint: [0.0, 0.01]})
    with pytest.raises(lw.errors.RefusedError, match="moves in space"):
        lw.measures.path_curvature(result, "A")


@pytest.mark.parametrize("offset", [0.0, 0.2])
@pytest.mark.parametrize("turned", [0.0, 45.0, 180.0])
def test_the_transmission_angle_of_a_slider_crank(offset, turned):
    """Between rod and the normal of the guide: the rod leans by asin((r sin θ − e) / l), μ is 90 degrees less that."""
    c, s = np.cos(np.radians(turned)), np.sin(np.radians(turned))

    def place(x, y):
        return [c * x - s * y, s * x + c * y]

    r, l, first = 0.5, 1.7, 0.4
    across = np.sqrt(l**2 - (r * np.sin(first) - offset) ** 2)
    model = lw.Model(
        space="planar",
        points={
            "O": place(0, 0),
            "A": place(r * np.cos(first), r * np.sin(first)),
            "B": place(r * np.cos(first) + across, offset),
        },
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 1},
            "slider": {"points": ["B"], "mass": 1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
            "B": {"kind": "revolute", "bodies": ["rod", "slider"]},
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": "B", "axis": place(1, 0)},
        },
    )
    result = lw.solve_kinematics(model, {"O": TURN + np.radians(turned)})
    lean = np.arcsin((r * np.sin(TURN) - offset) / l)
    np.testing.assert_allclose(lw.measures.transmission_angle(result, "B"), np.pi / 2 - np.abs(lean), atol=1e-9)


LEG = {
    "m": ("O", "A", 15.0),
    "j": ("A", "C", 50.0),
    "k": ("A", "E", 61.9),
    "b": ("B", "C", 41.5),
    "c": ("B", "E", 39.3),
    "d": ("B", "D", 40.1),
    "e1": ("C", "D", 55.8),
}
SKETCH = {"O": (0, 0), "A": (15, 0), "B": (-38, -7.8), "C": (-20, 29), "D": (-75, 5), "E": (-30, -43)}  # mm


@cache
def leg(turned: float) -> lw.Result:
    """The upper part of a Jansen leg, with pins of three and four bodies, turned about its crank."""
    c, s = np.cos(np.radians(turned)), np.sin(np.radians(turned))
    pins: dict[str, list[str]] = {name: ["ground"] if name in "OB" else [] for name in SKETCH}
    for body, (first, last, _) in LEG.items():
        pins[first].append(body)
        pins[last].append(body)
    model = lw.Model(
        space="planar",
        points={name: [1e-3 * (c * x - s * y), 1e-3 * (s * x + c * y)] for name, (x, y) in SKETCH.items()},
        bodies={name: {"bar": [one, other], "length": 1e-3 * l, "mass": 0.1} for name, (one, other, l) in LEG.items()},
        joints={name: {"kind": "revolute", "bodies": bodies} for name, bodies in pins.items()},
        drivers={"motor": {"joint": "O", "speed": 6.0}},
    )
    return lw.solve_kinematics(model, until=1.0, step=0.05)


@pytest.mark.parametrize("turned", [0.0, 45.0])
@pytest.mark.parametrize(("joint", "ends"), [("C_j", ("B", "A")), ("C_e1", ("B", "D")), ("D", ("C", "B"))])
def test_the_transmission_angle_on_a_pin_of_several_bodies_is_that_between_its_bars(joint, ends, turned):
    result = leg(turned)
    one, other = (places(result, end) - places(result, joint[0]) for end in ends)
    cosine = np.abs(np.sum(one * other, axis=1)) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)
    np.testing.assert_allclose(lw.measures.transmission_angle(result, joint), np.arccos(cosine), atol=1e-12)


def test_a_pin_of_several_bodies_names_all_of_its_joints():
    with pytest.raises(lw.errors.UnknownNameError, match="pin of several bodies: its joints are C_e1, C_j; name one"):
        lw.measures.transmission_angle(leg(0.0), "C")


@cache
def with_plate() -> lw.Result:
    """A four-bar whose coupler is a plate A-B-P with a loose link at P."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.3, 0.9], "B": [2.5, 1.8], "C": [2.2, 0], "P": [1.2, 2.0], "Q": [1.2, 1.0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "plate": {"points": ["A", "B", "P"], "mass": 1, "inertia": 1, "com": "A"},
            "rocker": {"bar": ["C", "B"], "mass": 1},
            "link": {"bar": ["P", "Q"], "mass": 1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "plate"]},
            "B": {"kind": "revolute", "bodies": ["plate", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
            "P": {"kind": "revolute", "bodies": ["plate", "link"]},
        },
        drivers={"motor": {"joint": "O", "speed": 1.0}, "hold": {"joint": "P", "speed": 0.0}},
    )
    return lw.solve_kinematics(model, until=0.3, step=0.1)


@pytest.mark.parametrize("end", ["A", "P"])
def test_the_bar_of_a_plate_is_chosen(end):
    result = with_plate()
    one, other = (places(result, name) - places(result, "B") for name in (end, "C"))
    cosine = np.abs(np.sum(one * other, axis=1)) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)
    found = lw.measures.transmission_angle(result, "B", ends={"plate": end})
    np.testing.assert_allclose(found, np.arccos(cosine), atol=1e-12)


def test_a_bar_that_is_not_clear_says_how_to_choose_one():
    with pytest.raises(lw.errors.RefusedError, match=r"several directions: A, P; .* such as ends=\{'plate': 'A'\}"):
        lw.measures.transmission_angle(with_plate(), "B")
    with pytest.raises(lw.errors.UnknownNameError, match="plate has no point or joint 'X'"):
        lw.measures.transmission_angle(with_plate(), "B", ends={"plate": "X"})
    with pytest.raises(lw.errors.UnknownNameError, match="'crank', which is not at B: plate and rocker are"):
        lw.measures.transmission_angle(with_plate(), "B", ends={"crank": "O"})
    with pytest.raises(lw.errors.RefusedError, match="from B to B: both are at the same point"):
        lw.measures.transmission_angle(with_plate(), "B", ends={"plate": "B"})


def test_measures_are_asked_of_inverse_dynamics_too():
    model = four_bar((1.0, 2.5, 2.0, 2.2), 0.4, 1.0)
    inverse = lw.inverse_dynamics(model, {"O": "0.4 + t"}, until=1, step=0.1)
    motion = lw.solve_kinematics(model, {"O": "0.4 + t"}, until=1, step=0.1)
    for measure, names in (
        (lw.measures.transmission_angle, ("B",)),
        (lw.measures.mechanical_advantage, ("O.speed", "C.speed")),
        (lw.measures.instant_centre, ("coupler",)),
    ):
        np.testing.assert_allclose(measure(inverse, *names), measure(motion, *names), rtol=1e-9)


def test_the_advantage_is_asked_by_joints():
    found = lw.measures.mechanical_advantage(slider(), "O", "guide")
    np.testing.assert_array_equal(found, lw.measures.mechanical_advantage(slider(), "O.speed", "guide.speed"))
    with pytest.raises(lw.errors.LinkworkError, match="'X'"):
        lw.measures.mechanical_advantage(slider(), "X", "guide")


def test_measures_are_drawn_over_another_quantity_and_told_in_degrees():
    measured = lw.measures.transmission_angle(four(), "B")
    axis = measured.plot(over="O.angle").axes[0]
    line = axis.lines[0]
    np.testing.assert_allclose(line.get_xdata(), four()["O.angle"])
    np.testing.assert_allclose(line.get_ydata(), measured)
    assert "O.angle" in axis.get_xlabel()
    (name, told) = measured.facts()[0]
    assert name.endswith("[deg]") and float(told.split()[0]) == pytest.approx(np.degrees(np.min(measured)), rel=1e-5)
    with pytest.raises(lw.errors.LinkworkError, match="angel"):
        measured.plot(over="O.angel")
    with pytest.raises(lw.errors.RefusedError, match="over step alone"):
        lw.integrators.spectral_radius("dop853", [0.1, 1.0]).plot(over="O.angle")


def test_the_instant_centre_against_the_ground_is_the_ordinary_one():
    result = four()
    own = lw.measures.instant_centre(result, "coupler")
    named = lw.measures.instant_centre(result, "coupler", relative_to="ground")
    np.testing.assert_array_equal(named, own.values)
    assert named.title == own.title
    # P of two bodies is one point, whichever moves
    np.testing.assert_allclose(lw.measures.instant_centre(result, "ground", relative_to="coupler"), own, atol=1e-12)


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda r: lw.measures.instant_centre(r, "couplr"), "'couplr' is no body; did you mean 'coupler'"),
        (lambda r: lw.measures.instant_centre(r, "coupler", relative_to="crnk"), "'crnk' is no body; .*'crank'"),
        (lambda r: lw.measures.instant_centre(r, "crank", relative_to="crank"), "crank does not move against itself"),
        (lambda r: lw.measures.instant_centre(r, "ground"), "ground does not move against itself"),
        (lambda r: lw.measures.centrodes(r, "couplr"), "'couplr' is no body that moves; .*'coupler'"),
        (lambda r: lw.measures.mechanical_advantage(r, "O", "D"), "'D' is no joint or speed; valid names: A, B, C, O$"),
        (lambda r: lw.measures.mechanical_advantage(r, "O", "C.sped"), "did you mean .*C.speed"),
        (lambda r: lw.measures.mechanical_advantage(r, "O", "C.angle"), r"C.angle \[rad\] is no speed"),
    ],
)
def test_names_of_bodies_and_speeds_are_answered_with_such(ask, told):
    with pytest.raises(lw.LinkworkError, match=told):
        ask(four())


def test_the_unit_of_an_advantage_is_one_of_ways():
    """Over the way of an input speeds have other units than over time; their ratio has not."""
    over_time = lw.solve_kinematics(slider_crank((0.5, 1.7, 0.0), 0.4, 1.0), {"O": "0.4 + t"}, until=1)
    found = [lw.measures.mechanical_advantage(result, "O", "guide") for result in (slider(), over_time)]
    assert [item.unit for item in found] == ["rad/m", "rad/m"]
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-12)
    assert lw.measures.mechanical_advantage(four(), "O", "C").unit == "1"


def drawn(units, over="O.angle"):
    axes = lw.measures.transmission_angle(four(), "B").plot(over=over, units=units).axes[0]
    line = axes.get_lines()[0]
    return line.get_xdata(), line.get_ydata(), axes.get_xlabel(), axes.get_ylabel()


def test_a_measure_is_drawn_over_an_angle_in_degrees():
    angle = lw.measures.transmission_angle(four(), "B").values
    x, y, below, beside = drawn({"*": "deg"})
    np.testing.assert_allclose(x, np.degrees(TURN), atol=1e-9)
    np.testing.assert_allclose(y, np.degrees(angle), atol=1e-9)
    assert below == "O.angle [deg]" and beside.endswith("[deg]")
    for units in ({"O.angle": "deg"}, {"O.*": "deg"}):
        x, y, below, beside = drawn(units)
        np.testing.assert_allclose(x, np.degrees(TURN), atol=1e-9)
        np.testing.assert_allclose(y, angle, atol=1e-12)
    x, y, *_ = drawn({"transmission angle at B": "deg"})
    np.testing.assert_allclose(x, TURN, atol=1e-12)
    np.testing.assert_allclose(y, np.degrees(angle), atol=1e-9)
    # a quantity of the run that is not drawn is let be, as in its own plots; others are errors
    np.testing.assert_allclose(drawn({"C.angle": "deg"})[0], TURN, atol=1e-12)
    with pytest.raises(lw.LinkworkError, match=r"O\.angle"):
        drawn({"O.angel": "deg"})


def test_a_transmission_angle_that_turns_back_at_90_degrees_says_so():
    """A parallelogram: the angle between coupler and rocker is that of the crank, from 0 to 180 degrees."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.1, 0.2], "B": [0.5, 0.2], "C": [0.4, 0]},
        bodies={
            name: {"bar": list(pair), "mass": 1}
            for name, pair in (("crank", "OA"), ("coupler", "AB"), ("rocker", "CB"))
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
    )
    angles = np.radians(np.arange(60, 121, 10))
    found = lw.measures.transmission_angle(lw.solve_kinematics(model, {"O": angles}), "B")
    np.testing.assert_allclose(np.degrees(found), [60, 70, 80, 90, 80, 70, 60], atol=1e-9)
    assert "angles beyond are given by 180 deg less them" in " ".join(found.notes)
    one_side = lw.measures.transmission_angle(lw.solve_kinematics(model, {"O": angles[:3]}), "B")
    assert not one_side.notes


def test_no_word_on_attitudes_in_space_where_there_are_none():
    with pytest.raises(lw.LinkworkError) as told:
        lw.measures.transmission_angle(four(), "B").table(units={"C.angle": "deg"})
    assert "quaternion" not in str(told.value)
    with pytest.raises(lw.LinkworkError) as told:
        four()["coupler.orientation"]
    assert "quaternion" not in str(told.value)
