"""Inputs of a prescribed motion: samples with and without rates, functions, files, rates as formulas, several at once."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from drawn_linkages import four_bar, slider_crank

import linkwork as lw

R, L = 0.5, 1.7
TIMES = np.linspace(0.0, 1.0, 41)
NAMES = ("guide.position", "guide.speed", "guide.acceleration", "guide.jerk")


@cache
def engine() -> lw.Model:
    return slider_crank((R, L, 0.0), 0.3, 1.0)


def angle(t):
    return 0.3 + np.sin(2 * t)


@cache
def exact() -> tuple[np.ndarray, ...]:
    """x = r cos θ + √(l² − r² sin² θ) with θ = 0.3 + sin 2t and its derivatives: the first by a complex step, which loses
    no digits; the others by Cauchy's integral around each time."""
    x = lambda z: R * np.cos(angle(z)) + np.sqrt(L**2 - (R * np.sin(angle(z))) ** 2)  # noqa: E731
    ring, radius = np.exp(2j * np.pi * np.arange(32) / 32), 0.1
    values = x(TIMES[:, None] + radius * ring)
    higher = [k / radius**m * np.mean(values * ring**-m, axis=1).real for m, k in ((2, 2), (3, 6))]
    return x(TIMES), np.imag(x(TIMES + 1e-30j)) / 1e-30, *higher


def check(result: lw.Result, *tolerances: float) -> None:
    assert result.outcome.completed
    np.testing.assert_array_equal(result.time, TIMES)
    for name, wanted, tolerance in zip(NAMES, exact(), tolerances, strict=True):
        np.testing.assert_allclose(result[name], wanted, rtol=0, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("method", [None, "newton", "damped", "modified", "least_squares"])
def test_samples_with_their_rates_are_taken_as_they_are(method):
    """Only the jerk is not given: a spline through the accelerations has it to the fifth order of the interval."""
    given = {"O": angle(TIMES), "O.speed": 2 * np.cos(2 * TIMES), "O.acceleration": -4 * np.sin(2 * TIMES)}
    result = lw.solve_kinematics(engine(), given, times=TIMES, method=method)
    check(result, 1e-11, 1e-11, 1e-10, 1e-5)
    assert not result.notes


@pytest.mark.parametrize("given", [angle(TIMES), angle], ids=["array", "function"])
def test_rates_that_are_missing_are_those_of_a_spline(given):
    result = lw.solve_kinematics(engine(), {"O": given}, times=TIMES)
    check(result, 1e-12, 1e-6, 1e-4, 2e-2)
    assert result.notes == ("rates of O.angle are those of splines",)


@pytest.mark.parametrize("coordinates", ["relative", "natural"])
@pytest.mark.parametrize(
    "rate",
    [{"speed": "2*cos(2*t)"}, {"acceleration": "-4*sin(2*t)", "initial_speed": 2}],
    ids=lambda rate: next(iter(rate)),
)
def test_a_driver_by_a_rate_that_changes_is_integrated(rate, coordinates):
    model = lw.Model(**{**engine().to_dict(), "drivers": {"motor": {"joint": "O", **rate}}})
    result = lw.solve_kinematics(model, times=TIMES, coordinates=coordinates)
    check(result, 1e-11, 1e-11, 1e-10, 1e-10)
    assert "motor.effort" in result


def test_an_input_may_be_the_formula_of_a_rate():
    check(lw.solve_kinematics(engine(), {"O.speed": "2*cos(2*t)"}, times=TIMES), 1e-11, 1e-11, 1e-10, 1e-10)


def test_long_displacements_between_samples_are_divided():
    """Five samples a turn, by Newton's method without a prediction: between them the input follows its rates."""
    t = np.linspace(0.0, 1.0, 6)
    given = {"O": 0.3 + 6 * t, "O.speed": np.full(6, 6.0), "O.acceleration": np.zeros(6)}
    rough = lw.solve_kinematics(four_bar((1.0, 2.5, 2.0, 2.2), 0.3, 1.0), given, times=t, method="newton", prediction=0)
    fine = lw.solve_kinematics(four_bar((1.0, 2.5, 2.0, 2.2), 0.3, 1.0), {"O": "0.3 + 6*t"}, times=t)
    assert rough.statistics["divided"] > 0
    for name in ("B.x", "C.angle", "C.speed", "C.acceleration", "C.jerk"):
        np.testing.assert_allclose(rough[name], fine[name], rtol=0, atol=1e-9, err_msg=name)


def test_turns_are_counted_however_far_apart_the_values_are():
    result = lw.solve_kinematics(engine(), {"O": [0.3, 4.0, 9.0, 20.0]})
    np.testing.assert_allclose(result["O.angle"], [0.3, 4.0, 9.0, 20.0], atol=1e-12)


@cache
def arm() -> lw.Model:
    """Three bars of 1 m in the plane."""
    links = {f"link{i}": {"bar": [f"P{i - 1}", f"P{i}"], "mass": 1} for i in (1, 2, 3)}
    pairs = (("ground", "link1"), ("link1", "link2"), ("link2", "link3"))
    joints = {f"P{i}": {"kind": "revolute", "bodies": list(pair)} for i, pair in enumerate(pairs)}
    return lw.Model(space="planar", points={f"P{i}": [i, 0] for i in range(4)}, bodies=links, joints=joints)


def test_three_rows_at_once_over_times_and_by_sample():
    t = np.linspace(0.0, 1.0, 51)
    names = [f"P{i}" for i in range(3)]
    formulas = lw.solve_kinematics(arm(), {name: f"0.2*sin({i + 1}*t)" for i, name in enumerate(names)}, times=t)
    rows = {name: 0.2 * np.sin((i + 1) * t) for i, name in enumerate(names)}
    timed, numbered = lw.solve_kinematics(arm(), rows, times=t), lw.solve_kinematics(arm(), rows)
    np.testing.assert_allclose(timed["link3.x"], formulas["link3.x"], atol=1e-14)
    np.testing.assert_allclose(timed["link3.vx"], formulas["link3.vx"], atol=1e-6)
    np.testing.assert_array_equal(numbered.time, np.arange(51.0))
    np.testing.assert_allclose(50 * numbered["link3.vx"], timed["link3.vx"], atol=1e-12)
    assert "number of the sample" in numbered.notes[0]


def test_one_row_is_swept_while_others_stand():
    others = {f"P{i}": "10 deg" for i in range(1, 3)}
    result = lw.solve_kinematics(arm(), {"P0": [0.0, 0.5, 1.0], **others})
    assert "derivatives with respect" in result.notes[0]
    np.testing.assert_allclose(result["P0.speed"], 1.0, atol=1e-14)
    np.testing.assert_allclose(result["P2.angle"], np.radians(10), atol=1e-14)


def test_samples_and_formulas_together():
    t = np.linspace(0.0, 1.0, 51)
    others = {f"P{i}": "0.1*t" for i in range(1, 3)}
    mixed = lw.solve_kinematics(arm(), {"P0": 0.2 * np.sin(t), **others}, times=t)
    plain = lw.solve_kinematics(arm(), {"P0": "0.2*sin(t)", **others}, times=t)
    np.testing.assert_allclose(mixed["link3.vy"], plain["link3.vy"], atol=1e-8)


def test_a_file_of_samples(tmp_path):
    rows = [f"{t},{a}" for t, a in zip(TIMES, angle(TIMES), strict=True)]
    path = tmp_path / "motion.csv"
    path.write_text("time [s],O.angle [rad]\n" + "\n".join(rows))
    check(lw.solve_kinematics(engine(), path), 1e-12, 1e-6, 1e-4, 2e-2)


def test_a_recorded_motion_may_begin_at_any_time_and_ends_at_a_dead_centre():
    model = four_bar((1.0, 2.5, 2.0, 2.2), 0.3, 1.0)
    result = lw.solve_kinematics(model, {"C": np.linspace(1.5, 3.0, 50)}, times=np.linspace(5.0, 6.0, 50))
    # crank and coupler in line, folded (law of cosines)
    limit = np.pi - np.arccos((2.2**2 + 2.0**2 - 1.5**2) / (2 * 2.2 * 2.0))
    assert result.outcome.element == "C"
    assert result.outcome.limit == pytest.approx(limit, abs=1e-6)
    assert result.time[0] == 5.0
    assert np.all(result["C.angle"] < limit)


def test_an_input_at_a_dead_centre_from_the_start_is_refused():
    """Crank and coupler in one line: the rocker is at its limit, and does not say which way the crank turns."""
    stretched = np.arccos((2.2**2 + 3.5**2 - 2.0**2) / (2 * 2.2 * 3.5))
    model = four_bar((1.0, 2.5, 2.0, 2.2), float(stretched), 1.0)
    begin = lw.assemble(model)["C.angle"]
    for method in (None, "newton", "least_squares"):
        with pytest.raises(lw.errors.ModelError, match="joint C, which is at a dead centre here"):
            lw.solve_kinematics(model, {"C": np.linspace(begin, begin + 0.5, 5)}, method=method)


def test_bad_samples_are_refused_with_what_would_be_right():
    model, three = engine(), [0.0, 0.1, 0.2]

    def refuse(reason, inputs, **more):
        with pytest.raises(lw.LinkworkError, match=reason):
            lw.solve_kinematics(model, inputs, **more)

    refuse("give times, one for every value", {"O": three}, until=1)
    refuse("3 numbers, one for every time", {"O": three[:2]}, times=three)
    refuse("must grow", {"O": three}, times=three[::-1])
    refuse("give rates and accelerations of O.angle, or 3 samples", {"O": three[:2]}, times=three[:2])
    refuse("but not O.angle itself", {"O.speed": three}, times=three)
    refuse("given twice; give its position, or its rate", {"O": "t", "O.speed": "1"}, until=1)
    refuse("by samples and by a formula", {"O": three, "O.speed": "1"}, times=three)
    refuse("O has a value that is none: nan", {"O": [0.0, np.nan, 1.0]}, times=three)
    refuse("give one value for each sample", {"O.angle": [[0.0, 1.0]]})
    refuse("there is no motion file 'no.csv'", "no.csv")
    refuse("speed of joint O has no finite value", {"O.speed": "1/t"}, until=1)
    refuse("2 inputs .O, guide. for 1 degree of freedom: leave 1 out", {"O": three, "guide": three}, times=three)
    refuse("times are given twice", {"O": three, "time": three}, times=three)
    with pytest.raises(lw.errors.RefusedError, match="begin at 1 s"):
        lw.solve_kinematics(arm(), {"P0": three, **{f"P{i}": "t" for i in range(1, 3)}}, times=[1.0, 2.0, 3.0])
    with pytest.raises(lw.errors.RefusedError, match="give times, one for every value, where other inputs"):
        lw.solve_kinematics(arm(), {"P0": three, **{f"P{i}": "t" for i in range(1, 3)}})


def test_an_input_at_a_dead_centre_is_named_as_it_was_given() -> None:
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [4, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 1},
            "piston": {"points": ["B"], "mass": 1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
            "B": {"kind": "revolute", "bodies": ["rod", "piston"]},
            "cylinder": {"kind": "prismatic", "bodies": ["ground", "piston"], "at": "B", "axis": [1, 0]},
        },
    )
    with pytest.raises(lw.errors.ModelError, match=r"inputs: cylinder\.position: moves joint cylinder") as caught:
        lw.solve_kinematics(model, {"cylinder": np.linspace(0, -0.1, 11)})
    assert "input_" not in str(caught.value)


@pytest.mark.parametrize("held", [False, True])
def test_a_point_that_is_led_out_of_reach_ends_the_motion_by_the_name_of_its_driver(held):
    """The end of a bar of 1 m goes outwards from 0.5 m at 1 m/s: the bar lies along the way after 0.5 s."""
    rail = {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "S", "axis": [0, 1]}
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.5, float(np.sqrt(0.75))], "S": [3, 0]},
        bodies={"bar": {"bar": ["O", "A"], "mass": 1}, "cart": {"points": ["S"], "mass": 1, "inertia": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"]}, "rail": rail},
        drivers={"pull": {"point": "bar.A", "position": ["0.5 + t", None]}}
        | ({"still": {"joint": "rail", "position": 0}} if held else {}),
    )
    result = lw.solve_kinematics(model, None if held else {"rail": "0*t"}, until=1, step=0.01)
    assert result.outcome.element == "pull" and result.outcome.time == pytest.approx(0.5, abs=1e-6)
    assert "pull can go no further: dead centre of O" in str(result.outcome)
