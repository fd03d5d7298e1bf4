"""Prescribed motions: against closed forms with their exact derivatives, and all methods against each other."""

from __future__ import annotations

from functools import cache
from math import factorial, hypot
from pathlib import Path

import gear_trains
import numpy as np
import pytest
from drawn_linkages import four_bar, slider_crank
from exploring import some
from ten_mechanisms import model_of

import linkwork as lw
from linkwork.analysis.runs.solve_kinematics import prescribed_system
from linkwork.numerics.paths.displacement import METHODS, Displacements, follow

ROBOT = Path(__file__).parents[2] / "benchmarks" / "six_axis_robot.yaml"
TURN = np.linspace(0.3, 0.3 + 2 * np.pi, 13)


def derivatives(f, places, radius=0.05, points=32):
    """f and its first three derivatives on the real axis, by Cauchy's integral around each place: exact but for rounding."""
    ring = np.exp(2j * np.pi * np.arange(points) / points)
    values = f(places[:, None] + radius * ring)
    return [factorial(k) / radius**k * np.mean(values * ring**-k, axis=1).real for k in range(4)]


def rocker_pin(theta, lengths, side):
    """x and y of the pin between coupler and rocker, an analytic function of the crank angle: two circles meet."""
    ground, crank, coupler, rocker = lengths
    ax, ay = crank * np.cos(theta), crank * np.sin(theta)
    dx, dy = ground - ax, -ay
    square = dx**2 + dy**2
    along = (coupler**2 - rocker**2 + square) / (2 * square)
    off = side * np.sqrt(coupler**2 / square - along**2)
    return ax + along * dx - off * dy, ay + along * dy + off * dx


@pytest.mark.matrix("kind", "method")
@pytest.mark.parametrize("method", [None, "newton", "modified", "least_squares"])
@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_four_bar_is_that_of_the_closed_form_up_to_the_jerk(method, kind):
    model = _four_bar()
    ends = model.points
    lengths = [float(hypot(*(b - a))) for a, b in _bars(ends)]
    result = lw.solve_kinematics(model, {"O": TURN}, method=method, coordinates=kind)
    drawn = np.array([model.number(x) for x in ends["B"]])
    side = min((1, -1), key=lambda s: np.hypot(*(np.array(rocker_pin(0.3, lengths, s)) - drawn)))
    for i, axis in enumerate("xy"):
        exact = derivatives(lambda z, i=i: rocker_pin(z, lengths, side)[i], TURN)
        for name, wanted in zip((f"B.{axis}", f"B.v{axis}", f"B.a{axis}", f"B.j{axis}"), exact, strict=True):
            np.testing.assert_allclose(result[name], wanted, rtol=1e-9, atol=1e-9, err_msg=name)


@cache
def _four_bar():
    return four_bar((1.0, 2.5, 2.0, 2.2), 0.3, 1.0)


def _bars(points):
    places = {name: np.array([_four_bar().number(x) for x in place]) for name, place in points.items()}
    return [(places[a], places[b]) for a, b in ("OC", "OA", "AB", "CB")]


@pytest.mark.parametrize("method", [None, "damped"])
def test_slider_crank_is_that_of_the_closed_form_up_to_the_jerk(method):
    r, l, e = 0.5, 1.7, 0.2
    result = lw.solve_kinematics(slider_crank((r, l, e), 0.3, 1.0), {"O": TURN}, method=method)
    exact = derivatives(lambda z: r * np.cos(z) + np.sqrt(l**2 - (r * np.sin(z) - e) ** 2), TURN)
    names = ("guide.position", "guide.speed", "guide.acceleration", "guide.jerk")
    for name, wanted in zip(names, exact, strict=True):
        np.testing.assert_allclose(result[name], wanted, rtol=1e-10, atol=1e-10, err_msg=name)


def test_formulas_of_time_have_their_own_rates():
    """θ = 0.3 + sin t: ẋ = x' θ̇, ẍ = x'' θ̇² + x' θ̈, and so on."""
    r, l = 0.5, 1.7
    result = lw.solve_kinematics(
        slider_crank((r, l, 0.0), 0.3, 1.0), {"O.angle": "0.3 + sin(t)"}, times=[0.5, 1.0, 2.0]
    )
    t = result.time
    angle = lambda z: 0.3 + np.sin(z)  # noqa: E731
    exact = derivatives(lambda z: r * np.cos(angle(z)) + np.sqrt(l**2 - (r * np.sin(angle(z))) ** 2), t)
    names = ("guide.position", "guide.speed", "guide.acceleration", "guide.jerk")
    for name, wanted in zip(names, exact, strict=True):
        np.testing.assert_allclose(result[name], wanted, rtol=1e-10, atol=1e-10, err_msg=name)


TEN = {
    "four-bar": ("O",),
    "slider-crank": ("O",),
    "spatial slider-crank": ("O",),
    "Bricard": ("P1",),
    "five-link pendulum": ("P0", "P1", "P2", "P3", "P4"),
    "double wishbone": ("lower",),
    "six-bar": ("O",),
    "7R arm": ("J1", "J2", "J3", "J4", "J5", "J6", "J7"),
    "gyroscope": ("precession", "nutation", "spindle"),
    "planetary gear": ("S", "K"),
}


@cache
def driven(name):
    """A model with inputs that swing about the drawn position."""
    if name == "planetary gear":
        model = gear_trains.planetary()
    else:
        model = lw.Model(**{**model_of(name).to_dict(), "drivers": {}, "initial": {}})
    topology = lw.analyse(model)
    conditions = topology.conditions
    values = conditions.evaluate(topology.assembly.poses, topology.geometry.defaults)[2]
    joints = TEN[name] if name != "planetary gear" else tuple(model.joints)[:2]
    inputs = {}
    for i, joint in enumerate(joints):
        start = float(values[conditions.index(joint, model.joints[joint].freedoms[0].name)])
        inputs[joint] = f"{start!r} + 0.2*sin({i + 1}*t)"
    return model, inputs


@pytest.mark.parametrize("name", TEN)
def test_all_methods_agree_on_ten_mechanisms(name):
    model, inputs = driven(name)
    times = np.linspace(0.0, 1.0, 6)
    kind = "natural" if name in ("four-bar", "six-bar") else "relative"
    results = {m: lw.solve_kinematics(model, inputs, times=times, method=m, coordinates=kind) for m in METHODS}
    results |= {f"prediction {k}": lw.solve_kinematics(model, inputs, times=times, method="newton", prediction=k,
                                                       coordinates=kind) for k in (0, 1)}  # fmt: skip
    if kind == "relative":
        results["by default"] = lw.solve_kinematics(model, inputs, times=times)
    reference = results["newton"]
    assert np.max(reference.closure_error) < 1e-11
    for method, result in results.items():
        assert result.outcome.completed, method
        for level in ("y", "vdot", "vddot"):
            wanted = getattr(reference.source, level)
            assert np.ptp(wanted, axis=0).max() > 1e-2
            atol = 1e-9 * max(1.0, float(np.max(np.abs(wanted))))
            found = getattr(result.source, level)
            np.testing.assert_allclose(found, wanted, rtol=0, atol=atol, err_msg=f"{method} {level}")


# mixed coordinates of space are those of reference points with the relative ones of the joints beside them: plane ones do
KINDS = {
    "7R arm": ("natural",),
    **{
        name: ("reference_point", "natural", "mixed")
        for name in ("four-bar", "slider-crank", "six-bar", "planetary gear")
    },
}


@pytest.mark.matrix
@pytest.mark.parametrize("name", TEN)
def test_all_coordinates_agree_on_ten_mechanisms(name):
    """Centres of all bodies, with velocities, accelerations and jerks."""
    model, inputs = driven(name)
    times = np.linspace(0.0, 1.0, 6)
    axes = "xy" if model.space == "planar" else "xyz"
    names = [f"{body}.{level}{axis}" for body in model.bodies for axis in axes for level in ("", "v", "a", "j")]
    wanted = lw.solve_kinematics(model, inputs, times=times).values(names)
    for kind in some(KINDS.get(name, ("reference_point", "natural")), 1, name):
        found = lw.solve_kinematics(model, inputs, times=times, coordinates=kind).values(names)
        for key in names:
            atol = 1e-9 * max(1.0, float(np.max(np.abs(wanted[key]))))
            np.testing.assert_allclose(found[key], wanted[key], rtol=0, atol=atol, err_msg=f"{kind} {key}")


@pytest.mark.parametrize("method", METHODS)
def test_redundant_conditions_are_left_alone(method):
    """Sarrus' linkage: its platform rises by 2 b sin θ, straight, with one condition more than there must be."""
    model = lw.load(Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "sarrus.yaml")
    start = lw.assemble(model)["A1.angle"]
    result = lw.solve_kinematics(model, {"A1": f"{start!r} + 0.3*sin(t)"}, times=np.linspace(0, 1, 5), method=method)
    assert "redundant constraints" in result.notes[0]
    bar = hypot(0.12, 0.16)
    drawn = np.arcsin(0.16 / bar)  # the plate turns towards the other way than its joint counts, or with it
    swing = drawn + np.sign(result["T.z"][-1] - result["T.z"][0]) * 0.3 * np.sin(result.time)
    np.testing.assert_allclose(result["T.z"], 2 * bar * np.sin(swing), rtol=0, atol=1e-11)
    np.testing.assert_allclose(np.hypot(result["T.x"], result["T.y"]), 0.0, atol=1e-11)


@cache
def robot():
    mechanism = lw.prepare(lw.load(ROBOT), coordinates="natural")
    start = mechanism.start()
    return prescribed_system(mechanism, start), start


def along_the_ellipse(count: int, method: str, prediction: int, tolerance: float = 1e-9) -> Displacements:
    system, start = robot()
    times = np.linspace(0.0, 1.0, count + 1)
    return follow(system, times, start.y, method=method, prediction=prediction, derivatives=0, tolerance=tolerance)


@pytest.mark.parametrize("count", [1000, 60])
def test_iterations_of_a_robot_along_an_ellipse(count):
    """SOURCE: García de Jalón and Bayo (1994), table 3.1: 1000 displacements of a 6R robot cost 53.1 s by Newton's method,
    21.7 s with the matrix kept and 15.5 s with a prediction too. What saves the time is counted here."""
    standard = along_the_ellipse(count, "newton", 0)
    modified = along_the_ellipse(count, "modified", 0)
    predicted = along_the_ellipse(count, "modified", 1)
    spent = [int(np.sum(run.iterations)) for run in (standard, modified, predicted)]
    assert [run.rejected for run in (standard, modified, predicted)] == [0, 0, 0]
    # Newton: a matrix for every iteration; modified: one for every position, for more iterations
    assert standard.factorisations == spent[0] + 1
    assert modified.factorisations == predicted.factorisations == count + 1
    assert standard.factorisations > 1.9 * modified.factorisations
    assert spent[1] > spent[0]
    assert spent[2] < 0.9 * spent[1]
    for other in (modified, predicted):
        np.testing.assert_allclose(other.y[:, :18], standard.y[:, :18], rtol=0, atol=1e-7)


@pytest.mark.parametrize("method", ["newton", "modified"])
def test_iterations_are_those_of_the_orders_of_convergence(method):
    """A prediction of order p misses by h^(p+1) (equation 3.10). Iterations with the matrix of the last position gain one
    order of h each, so that each order of the prediction saves one of them. Newton's double the order: from h over h^8, from
    h^2 over h^8 and from h^3 over h^6 below the residual it takes 3, 2 and 1 of them."""
    for count in (500, 1000):
        runs = [along_the_ellipse(count, method, order, tolerance=1e-13) for order in (0, 1, 2)]
        saved = -np.diff([float(np.mean(run.iterations[1:])) for run in runs])
        np.testing.assert_allclose(saved, 1.0, atol=0.4)


def test_long_displacements_are_divided():
    """Quarter turns without a prediction: more displacements than positions, and the same branch."""
    model = _four_bar()
    rough = lw.solve_kinematics(model, {"O": TURN[::3]}, method="newton", prediction=0)
    fine = lw.solve_kinematics(model, {"O": TURN}, method="newton")
    assert rough.statistics["displacements"] > len(rough) - 1
    np.testing.assert_allclose(rough["B.x"], fine["B.x"][::3], rtol=0, atol=1e-11)


@pytest.mark.parametrize("method", ["newton", "modified", "least_squares", None])
def test_an_input_ends_at_its_dead_centre(method):
    """The rocker stops where crank and coupler are in line: cos of its angle by the law of cosines."""
    lengths = [2.2, 1.0, 2.5, 2.0]
    ground, crank, coupler, rocker = lengths
    model = _four_bar()
    start = lw.solve_kinematics(model, {"O": [0.3, 0.31]})["C.angle"][0]
    ways = np.linspace(start, start - 3.0, 40)
    result = lw.solve_kinematics(model, {"C": ways}, method=method)
    assert not result.outcome.completed
    assert result.outcome.element == "C"
    stretched, folded = (
        np.pi - np.arccos((ground**2 + rocker**2 - reach**2) / (2 * ground * rocker))
        for reach in (coupler + crank, coupler - crank)
    )
    limits = (stretched, folded)
    assert min(abs(result.outcome.limit - limit) for limit in limits) < 1e-6
    assert "past its limit" in str(result.outcome)
    assert "dead centre" in str(result.outcome)


def test_bad_inputs_are_refused_with_what_would_be_right():
    model = _four_bar()
    with pytest.raises(lw.errors.RefusedError, match=r"no inputs for 1 degree of freedom; give 1 more: O\.angle"):
        lw.solve_kinematics(model, until=1)
    with pytest.raises(lw.errors.RefusedError, match=r"2 inputs \(O, C\) for 1 degree of freedom: leave 1 out"):
        lw.solve_kinematics(model, {"O": "t", "C": "t"}, until=1)
    with pytest.raises(lw.errors.UnknownNameError, match=r"'X' is no coordinate of a joint"):
        lw.solve_kinematics(model, {"X": "t"}, until=1)
    with pytest.raises(lw.errors.RefusedError, match=r"cannot begin .* C\.angle at 1\d\d\.\d+ deg, nearest to 175 deg"):
        lw.solve_kinematics(model, {"C": ["175 deg", "178 deg"]})
    with pytest.raises(lw.errors.RefusedError, match="when does the motion end"):
        lw.solve_kinematics(model, {"O": "t"})
    with pytest.raises(lw.errors.RefusedError, match="without times"):
        lw.solve_kinematics(model, {"O": [0.0, 1.0]}, until=1)
    with pytest.raises(lw.errors.RefusedError, match="must all grow"):
        lw.solve_kinematics(model, {"O": [0.0, 1.0, 0.5]})
    with pytest.raises(lw.errors.RefusedError, match="did you mean 'newton'"):
        lw.solve_kinematics(model, {"O": [0.0, 1.0]}, method="newtno")
    with pytest.raises(lw.errors.RefusedError, match="velocities alone"):
        lw.solve_kinematics(model_of("rolling disc"), until=1)


def test_a_constant_speed_of_a_driver_is_a_position():
    model = _four_bar()
    turning = lw.Model(**{**model.to_dict(), "drivers": {"motor": {"joint": "O", "speed": "2 rad/s"}}})
    result = lw.solve_kinematics(turning, times=[0.25, 0.5])
    np.testing.assert_allclose(result["O.angle"], [0.8, 1.3], atol=1e-12)
    np.testing.assert_allclose(result["O.speed"], 2.0, atol=1e-12)


def test_the_result_is_kept_with_its_jerks(tmp_path):
    result = lw.solve_kinematics(_four_bar(), {"O": TURN})
    again = lw.load_result(result.save(tmp_path / "four_bar.nc"))
    np.testing.assert_array_equal(again["B.jx"], result["B.jx"])
    assert result.quantity("C.jerk").unit == "rad/rad^3"  # over the angle of the crank
    assert "C.jerk" in result.names("C.*")
