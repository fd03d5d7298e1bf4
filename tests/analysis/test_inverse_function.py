"""Inverse dynamics as a compiled function against inverse_dynamics, which solves general systems, and against formulas."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
TIMES = np.linspace(0.0, 0.8, 9)


def library(name: str) -> lw.Model:
    return lw.load(LIBRARY / f"{name}.yaml")


def motion(model: lw.Model, joint: str) -> dict[str, np.ndarray]:
    """A coordinate that swings about the position in which the mechanism is drawn, with its rates."""
    first = float(lw.assemble(model, {})[f"{joint}.angle"])
    return {
        f"{joint}.angle": first + 0.3 * np.sin(2 * TIMES),
        f"{joint}.speed": 0.6 * np.cos(2 * TIMES),
        f"{joint}.acceleration": -1.2 * np.sin(2 * TIMES),
    }


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "rscr", "watt_1"])
def test_loads_of_loops_are_those_of_general_systems(name: str) -> None:
    model = library(name)
    given = motion(model, "O")
    exact = lw.inverse_dynamics(model, given, times=TIMES, motors=["O"])
    function = lw.inverse_function(model, ["O"])
    found = function(given)
    assert set(found) == set(function.outputs) and function.outputs[0] == "O.angle.effort"
    for output, values in found.items():
        np.testing.assert_allclose(values, exact[output], rtol=0, atol=1e-9)


def test_efforts_of_a_chain_by_recursion_in_any_order_of_motors() -> None:
    model = library("seven_axis_arm")
    model = lw.Model(**{**model.to_dict(), "forces": {}, "initial": {}})
    names = list(model.joints)
    rng = np.random.default_rng(1)
    given = {
        f"{name}.{level}": rng.uniform(-1, 1, TIMES.size)
        for level in ("angle", "speed", "acceleration")
        for name in names
    }
    exact = lw.inverse_dynamics(model, given, times=TIMES, motors=names)
    for motors in (names, names[::-1]):
        found = lw.inverse_function(model, motors, reactions=False)(given)
        assert list(found) == [f"{name}.angle.effort" for name in motors]
        for output, values in found.items():
            np.testing.assert_allclose(values, exact[output], rtol=0, atol=1e-9)


def pendulum() -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        parameters={"m": {"value": 2, "live": True}},
        points={"O": [0, 0], "A": [1.5, 0]},
        bodies={"arm": {"points": ["O"], "mass": "m", "com": [1.5, 0], "inertia": 0.25}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
    )


def test_live_parameters_and_single_numbers() -> None:
    function = lw.inverse_function(pendulum(), ["O"])
    for mass in (2.0, 3.0):
        found = function({"O": 0.4, "O.acceleration": 2}, {"m": mass})
        expected = (0.25 + mass * 1.5**2) * 2 + mass * 9.81 * 1.5 * np.cos(0.4)
        np.testing.assert_allclose(found["O.angle.effort"], [expected], rtol=1e-13)
        # m a of the centre of mass
        np.testing.assert_allclose(found["O.fx"], [-mass * 1.5 * 2 * np.sin(0.4)], rtol=1e-12)


def test_positions_out_of_reach_have_no_numbers() -> None:
    function = lw.inverse_function(library("slider_crank"), ["guide"])
    found = function({"guide.position": [0.8, 5.0, 0.9]})
    assert [bool(np.isnan(column).any()) for column in np.array(list(found.values())).T] == [False, True, False]


def test_one_row_is_one_sample() -> None:
    pushed = lw.inverse_function(pendulum(), ["O"])
    table = np.array([[0.4, 0.0, 2.0], [-0.7, 1.5, 0.3]])
    for parameters in (None, {"m": 3.0}):
        rows = [pushed.evaluate(row, parameters) for row in table]
        np.testing.assert_allclose(rows, pushed.evaluate(table, parameters), rtol=1e-13, atol=1e-13)
    guided = lw.inverse_function(library("slider_crank"), ["guide"])
    near, far = (guided.evaluate([place, 0.0, 0.0]) for place in (0.8, 5.0))
    assert near.shape == far.shape == (len(guided.outputs),)
    assert not np.isnan(near).any() and np.isnan(far).all()


def test_prints_what_goes_in_and_what_comes_out() -> None:
    text = str(lw.inverse_function(pendulum(), ["O"]))
    assert "from  O.angle, O.speed, O.acceleration" in text and "to    O.angle.effort, O.fx, O.fy" in text


def test_bad_input_is_refused_all_at_once() -> None:
    function = lw.inverse_function(pendulum(), ["O"])
    with pytest.raises(lw.LinkworkError, match=r"(?s)names 'O.angel'.*lacks O.angle.*2 and 3 samples"):
        function({"O.angel": 1.0, "O.speed": [1, 2], "O.acceleration": [1, 2, 3]})
    with pytest.raises(lw.errors.RefusedError, match=r"shape \(2, 2\); it must be \(N, 3\)"):
        function.evaluate(np.zeros((2, 2)))
    with pytest.raises(lw.errors.RefusedError, match=r"shape \(2,\); it must be \(N, 3\)"):
        function.evaluate(np.zeros(2))
    with pytest.raises(lw.errors.RefusedError, match="who drives"):
        lw.inverse_function(library("four_bar"))
    with pytest.raises(lw.errors.RefusedError, match="one for every degree of freedom"):
        lw.inverse_function(library("four_bar"), ["O", "C"])
    with pytest.raises(lw.errors.RefusedError, match="inverse_dynamics solves it"):
        lw.inverse_function(library("bricard"), ["P1"])
