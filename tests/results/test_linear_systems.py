"""Linear equations as systems of SciPy and python-control: the same names, matrices and motions."""

import sys
from functools import cache

import control
import numpy as np
import pytest
import scipy.signal

import linkwork as lw

STATES, INPUTS, OUTPUTS = ("C.position", "C.speed"), ("road", "C.effort"), ("car.y", "car.ay", "wheel.y")


@cache
def quarter_car() -> lw.answers.Linearisation:
    model = lw.Model(
        name="quarter car",
        space="planar",
        parameters={"road": {"value": 0.0, "live": True}},
        points={"R": [0, 0], "W": [0, 0.3], "C": [0, 0.7]},
        bodies={
            "wheel": {"points": ["W"], "mass": 40, "com": "W", "inertia": 1},
            "car": {"points": ["C"], "mass": 400, "com": "C", "inertia": 1},
        },
        joints={
            "W": {"kind": "prismatic", "bodies": ["ground", "wheel"], "axis": [0, 1]},
            "C": {"kind": "prismatic", "bodies": ["ground", "car"], "axis": [0, 1]},
        },
        forces={
            "tyre": {"kind": "force", "at": "wheel.W", "value": [0, "200000*(road - W.position)"]},
            "suspension": {
                "kind": "spring",
                "between": ["wheel.W", "car.C"],
                "stiffness": 20000,
                "free_length": 0.4,
                "damping": 1200,
            },
        },
    )
    return lw.linearise(model, states=STATES, inputs=INPUTS, outputs=OUTPUTS)


def test_names_and_matrices_of_python_control():
    linear, system = quarter_car(), quarter_car().to_control()
    assert isinstance(system, control.StateSpace)
    assert system.name == "quarter car"
    assert system.state_labels[:2] == ["C_position", "C_speed"]
    assert system.input_labels == ["road", "C_effort"]
    assert system.output_labels == ["car_y", "car_ay", "wheel_y"]
    for name in "abcd":
        assert np.array_equal(getattr(system, name.upper()), getattr(linear, name))
    np.testing.assert_allclose(np.sort_complex(control.poles(system)), np.sort_complex(linear.eigenvalues), rtol=1e-10)


def test_a_response_of_python_control():
    linear, system, omega = quarter_car(), quarter_car().to_control(), np.array([0.1, 6.7, 74.0])
    found = control.frequency_response(system["car_ay", "road"], omega).complex
    exact = linear.frequency_response(omega)["car.ay", "road"]
    np.testing.assert_allclose(np.squeeze(found), exact, rtol=1e-9)


def test_a_step_of_python_control_and_scipy():
    """A kerb of 1 m: both follow e^{At}, here by its eigenvectors; in the end the car stands 1 m higher."""
    linear = quarter_car()
    times = np.linspace(0.0, 8.0, 161)
    values, vectors = np.linalg.eig(linear.a)
    rest = np.linalg.solve(linear.a, linear.b[:, 0])
    weights = np.linalg.solve(vectors, rest.astype(complex))
    x = ((vectors * weights) @ np.exp(np.outer(values, times))).real - rest[:, None]
    exact = linear.c @ x + linear.d[:, [0]]
    stepped = control.step_response(linear.to_control(), times, input=0)
    np.testing.assert_allclose(np.squeeze(stepped.outputs), exact, atol=1e-9 * np.abs(exact).max())
    assert stepped.output_labels == ["car_y", "car_ay", "wheel_y"]
    system = linear.to_scipy()
    assert isinstance(system, scipy.signal.StateSpace)
    drive = np.column_stack([np.ones_like(times), np.zeros_like(times)])
    np.testing.assert_allclose(scipy.signal.lsim(system, drive, times)[1].T, exact, atol=1e-9 * np.abs(exact).max())
    assert exact[0, -1] == pytest.approx(1.0, abs=1e-3)


def test_python_control_that_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(lw.errors.RefusedError, match=r"pip install \"linkwork\[control\]\""):
        quarter_car().to_control()


def test_systems_without_inputs():
    linear = lw.linearise(lw.loads(TWO_MASSES))
    assert linear.to_control().nstates == 4
    with pytest.raises(lw.errors.RefusedError, match="needs inputs and outputs"):
        linear.to_scipy()


TWO_MASSES = """
linkwork: 1
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0, -1], B: [0, -2]}
bodies:
  upper: {bar: [O, A], mass: 1}
  lower: {bar: [A, B], mass: 1}
joints:
  O: {kind: revolute, bodies: [ground, upper]}
  A: {kind: revolute, bodies: [upper, lower]}
"""
