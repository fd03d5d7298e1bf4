"""The bicycle of Whipple: from bodies, joints and wheels that roll, against its published linear equations.

SOURCE: J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, "Linearized dynamics equations for the balance and
steer of a bicycle: a benchmark and review", Proc. R. Soc. A 463 (2007) 1955-1982: M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0 for
q = [lean, steer], its matrices and eigenvalues.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

import linkwork as lw

FILE = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "bicycle.yaml"
G = 9.81
M = np.array([[80.81722, 2.319413322087], [2.319413322087, 0.297841881997]])
C1 = np.array([[0, 33.866413914925], [-0.850356414570, 1.685403973976]])
K0 = np.array([[-80.95, -2.599516852499], [-2.599516852499, -0.803294884586]])
K2 = np.array([[0, 76.597345895732], [0, 2.654315237946]])
EIGENVALUES = {
    3.0: [1.706756056640 + 2.315824473843j, 1.706756056640 - 2.315824473843j, -2.633661372537, -10.351014672459],
    5.0: [-0.775341882196 + 4.464867713788j, -0.775341882196 - 4.464867713788j, -0.322866429004, -14.078389692798],
    7.0: [-2.138756442584 + 7.195259133298j, -2.138756442584 - 7.195259133298j, 0.102681705748, -18.157884661252],
}
# a few of all that hold rolling: a model of this size is compiled for each of them
FORMULATIONS = (
    ("relative", "hybrid"),
    ("relative", "multipliers"),
    ("relative", "r_method"),
    ("reference_point", "partitioning"),
    ("natural", "partitioning"),
    ("natural", "canonical"),
    ("mixed", "multipliers"),
)
WEAVE, CAPSIZE = 4.292382536341, 6.024262015388  # m/s; stable between them


def state_matrix(v: float) -> np.ndarray:
    """ẋ = A x of x = [lean, steer, their rates]."""
    return np.block(
        [[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, G * K0 + v**2 * K2), -np.linalg.solve(M, v * C1)]]
    )


@cache
def bicycle() -> lw.Model:
    return lw.load(FILE)


def run(v: float, push: float, until: float, **options: object) -> lw.Result:
    tight = {"step": until / 40, "rtol": 1e-11, "atol": 1e-13, **options}
    return lw.simulate(bicycle(), until=until, parameters={"v": v, "push": push}, **tight)


def lean_and_steer(result: lw.Result) -> np.ndarray:
    """[lean, steer, their rates] (4 × n); the axle of the frame is 1 m long."""
    lean = np.arcsin(result["L.z"] - result["R.z"])
    rate = (result["L.vz"] - result["R.vz"]) / np.cos(lean)
    return np.array([lean, result["S.angle"], rate, result["S.speed"]])


def linear(v: float, push: float, t: np.ndarray) -> np.ndarray:
    """The same by the published equations, pushed to a rate of lean at the start."""
    return np.array([expm(state_matrix(v) * time)[:, 2] * push for time in t]).T


def slip(result: lw.Result, wheel: str, hub: str, radius: float) -> float:
    """The largest velocity of the material point of a wheel at its contact."""
    centre, touch, velocity, omega = (
        np.array([result[f"{name}{axis}"] for axis in "xyz"])
        for name in (f"{hub}.", f"{'rear' if hub == 'R' else 'front'}.contact.", f"{hub}.v", f"{wheel}.w")
    )
    assert np.allclose(np.linalg.norm(touch - centre, axis=0), radius, rtol=0, atol=1e-12)
    return float(np.max(np.abs(velocity + np.cross(omega, touch - centre, axis=0))))


@pytest.mark.parametrize("v", EIGENVALUES)
def test_the_published_numbers_agree_among_themselves(v):
    assert np.allclose(np.sort_complex(np.linalg.eigvals(state_matrix(v))), np.sort_complex(EIGENVALUES[v]), rtol=1e-10)


def test_freedoms_and_the_report():
    topology = lw.analyse(bicycle())
    mobility = topology.mobility
    assert (mobility.free, mobility.free_velocities, mobility.redundant) == (7, 3, ())
    assert "none: nonholonomic constraints (rear, front)" in str(topology)
    assert "nothing can move" not in str(topology)


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), FORMULATIONS)
def test_a_small_motion_is_the_published_one(coordinates, formulation):
    """But for terms of third order: at 3 m/s the motion grows by a factor of 40 in the time."""
    for v, differs in ((3.0, 4e-6), (5.0, 4e-7)):
        result = run(v, 1e-4, 2.0, coordinates=coordinates, formulation=formulation)
        exact = linear(v, 1e-4, result.time)
        largest = np.max(np.abs(exact), axis=1)
        assert np.all(np.max(np.abs(lean_and_steer(result) - exact), axis=1) < differs * largest)


@pytest.mark.parametrize("v", [0.5, 3.0, 5.0, 7.0, 10.0])
def test_what_differs_from_the_linear_motion_is_of_third_order(v):
    """Left and right are alike, so that lean and steer are odd functions of the push."""
    differ = []
    for push in (0.04, 0.02):
        result = run(v, push, 0.6)
        differ.append(np.max(np.abs(lean_and_steer(result) - linear(v, push, result.time)), axis=1))
    assert np.all(np.abs(np.log2(differ[0] / differ[1]) - 3) < 0.1)


@pytest.mark.parametrize("v", EIGENVALUES)
def test_eigenvalues_from_a_motion(v):
    """The map of one step onto the next by least squares: its eigenvalues are exp(λ h)."""
    result = run(v, 1e-5, 1.0, step=0.02)
    x = lean_and_steer(result) * np.array([[1], [1], [0.2], [0.2]])
    step = np.linalg.lstsq(x[:, :-1].T, x[:, 1:].T)[0].T
    found = np.log(np.linalg.eigvals(step).astype(complex)) / 0.02
    assert np.allclose(np.sort_complex(found), np.sort_complex(EIGENVALUES[v]), rtol=1e-6)


@pytest.mark.parametrize(
    ("v", "settles"), [(WEAVE - 0.2, False), (WEAVE + 0.2, True), (CAPSIZE - 0.2, True), (CAPSIZE + 0.2, False)]
)
def test_it_stays_up_by_itself_between_two_speeds(v, settles):
    """The real parts of the eigenvalues change their signs there."""
    lean = np.abs(lean_and_steer(run(v, 1e-4, 40.0, step=0.1, rtol=1e-9))[0])
    assert (np.max(lean[300:]) < np.max(lean[100:200])) == settles


def test_a_start_with_turned_handlebars_stands_on_both_wheels():
    """The frame gives way until the front wheel touches again, and the steer is what was asked for."""
    steer, data = 0.6, bicycle().to_dict()
    topology = lw.analyse(lw.Model(**{**data, "initial": {"S": {"angle": steer}}}))
    poses = topology.assembly.poses
    for wheel, radius in (("rear_wheel", 0.3), ("front_wheel", 0.35)):
        # a wheel has its origin in its hub and its axle along y
        lowest = poses[wheel].origin[2] - radius * np.sqrt(1 - poses[wheel].axes[2, 1] ** 2)
        assert abs(lowest) < 1e-12
    turned = Rotation.from_matrix(poses["frame"].axes.T @ poses["fork"].axes).as_rotvec()
    assert np.allclose(turned, steer * np.array([np.sin(np.pi / 10), 0, -np.cos(np.pi / 10)]), rtol=0, atol=1e-11)
    assert topology.assembly.moved > 1e-3


@pytest.mark.parametrize(("coordinates", "formulation"), FORMULATIONS)
def test_coasting_keeps_energy_and_rolls(coordinates, formulation):
    result = run(5.0, 0.5, 2.0, coordinates=coordinates, formulation=formulation)
    assert np.max(np.abs(lean_and_steer(result)[:2])) > 0.05
    assert np.ptp(result.energy) < 1e-9 * result.energy[0]
    assert result.closure_error.max() < 1e-11
    assert slip(result, "rear_wheel", "R", 0.3) < 1e-11
    assert slip(result, "front_wheel", "F", 0.35) < 1e-11
    # the wheels carry the weight of everything but for what the centre of mass goes up and down
    bodies = {"rear_wheel": 2, "frame": 85, "fork": 4, "front_wheel": 3}
    lifted = sum(mass * (result[f"{name}.az"] + G) for name, mass in bodies.items())
    assert np.allclose(result["rear.normal"] + result["front.normal"], lifted, rtol=1e-8)
