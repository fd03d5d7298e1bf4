"""Runs as motions without drivers: their leading coordinates have motors, as in a saved table of the same run."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw


@pytest.mark.parametrize("name", ["four_bar", "double_pendulum", "pendulum"])
def test_a_run_and_its_saved_table_have_the_same_motors(tmp_path, name):
    """What falls by itself needs no effort; of a loop one coordinate leads the others."""
    model = lw.example(name).with_(drivers=None)
    run = lw.simulate(model, until=0.5, step=0.02, rtol=1e-11)
    found = lw.inverse_dynamics(model, run)
    assert len(found.motors) == lw.analyse(model).mobility.free
    again = lw.inverse_dynamics(model, found.result)
    saved = lw.inverse_dynamics(model, run.save(tmp_path / "run.csv", units={"*.angle": "deg"}))
    assert found.motors == again.motors == saved.motors
    weight = max(np.abs(run[item]).max() for item in run.select(["*.fx", "*.fy"]))
    for motor in found.motors:
        for answer in (found, again, saved):
            np.testing.assert_allclose(answer[f"{motor}.effort"], 0.0, atol=1e-7 * weight)


def test_coordinates_that_are_named_have_motors_all():
    model = lw.example("four_bar").with_(drivers=None)
    run = lw.simulate(model, until=0.5, step=0.02, rtol=1e-11)
    given = {name: run[name] for name in ("O.angle", "A.angle")}
    assert list(lw.inverse_dynamics(model, given, times=run.time).motors) == ["O.angle", "A.angle"]


def test_a_joint_s_name_is_told_what_can_be_asked():
    found = lw.inverse_dynamics(lw.example("pendulum"), {"O": "0.1*t"}, until=1, step=0.1)
    with pytest.raises(lw.errors.UnknownNameError, match=r"effort is 'O\.angle\.effort', its coordinate 'O\.angle'"):
        found["O"]


def test_a_parameter_takes_one_number():
    model = lw.example("pendulum")
    model = model.with_(parameters={"gain": {"value": 1.0, "live": True}})
    function = lw.inverse_function(model, ["O"])
    for verb in (
        lambda values: function({"O": np.zeros(1000)}, parameters=values),
        lambda values: lw.simulate(model, until=1, parameters=values),
    ):
        with pytest.raises(
            lw.errors.UnitError, match=r"^parameter 'gain' has 1000 values; one number is wanted"
        ) as told:
            verb({"gain": np.ones(1000)})
        assert "array" not in str(told.value)


def test_a_locus_over_a_fixed_parameter_says_how_it_becomes_live():
    model = lw.example("pendulum").with_(parameters={"span": {"value": 1.0}})
    with pytest.raises(lw.errors.UnknownNameError, match=r"parameter 'span' is fixed.*live: true"):
        lw.root_locus(model, {"span": [1.0, 2.0]})


def test_a_wheel_that_is_held_down_is_told():
    """Lifted by 30 N from 0.4 s on, a wheel of 2 kg would leave the floor: N = m g − F < 0."""
    text = """
space: spatial
gravity: [0, 0, -9.81]
points: {E: [0, 0, 0], R: [0, 0, 0.3]}
bodies: {w: {points: [R], mass: 2, inertia: [0.1, 0.2, 0.1]}}
relations: {floor: {kind: rolling, centre: w.R, axis: [0, 1, 0], radius: 0.3, plane: ground.E}}
definitions: {lift: {table: [[0, 0], [0.4, 0], [0.4, 30 N]]}}
forces: {pull: {kind: force, at: w.R, value: [0, 0, lift]}}
"""
    run = lw.simulate(lw.loads(text), until=1.0, step=0.1)
    np.testing.assert_allclose(run["floor.normal"][:4], 2 * 9.81, rtol=1e-9)
    np.testing.assert_allclose(run["floor.normal"][5:], 2 * 9.81 - 30, rtol=1e-9)
    assert "floor pulls, first at t = 0.4 s, with up to 10.38 N" in " ".join(str(run).split())
    light = lw.simulate(lw.loads(text.replace("30 N", "19 N")), until=1.0, step=0.1)
    assert "pulls" not in str(light)
