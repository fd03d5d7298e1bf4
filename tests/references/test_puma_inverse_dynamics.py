"""Inverse dynamics of the PUMA 560, with the inertia of its motors and their friction.

SOURCE: petercorke/robotics-toolbox-python@a9ed8d45, models/DH/Puma560.py (data), tests/test_DHRobot.py (values, 4 to 6
digits); digits beyond these by an independent recursion. Standard Denavit-Hartenberg data; the inertia of a motor counts
with the square of its ratio and has no gyroscopic effect: here it is a wheel on the ground, geared to the joint. No body can
have the published inertia of the third link (0.066 + 0.0125 < 0.086): torques are linear in it, so two that can be are
extrapolated, which is exact. Of the first link only the moment about its axis matters.
"""

from functools import cache

import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.inverse.ways import ALL_INVERSE_METHODS

D = (0.67183, 0, 0.15005, 0.4318, 0, 0)
A = (0, 0.4318, 0.0203, 0, 0, 0)
ALPHA = np.radians((90, 0, -90, 90, -90, 0))
MASS = (1, 17.4, 4.8, 0.82, 0.34, 0.09)
COM = ((0, 0, 0), (-0.3638, 0.006, 0.2275), (-0.0203, -0.0141, 0.070), (0, 0.019, 0), (0, 0, 0), (0, 0, 0.032))
INERTIA = (
    (0.35, 0.35, 0.35), (0.13, 0.524, 0.539), (0.066, 0.086, 0.0125), (1.8e-3, 1.3e-3, 1.8e-3), (0.3e-3, 0.4e-3, 0.3e-3),
    (0.15e-3, 0.15e-3, 0.04e-3),
)  # fmt: skip
REAL, MORE = 0.0735, 0.081  # Ixx of the third link that bodies can have
MOTOR = (2e-4, 2e-4, 2e-4, 3.3e-5, 3.3e-5, 3.3e-5)
RATIO = (-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686)
VISCOUS = (1.48e-3, 0.817e-3, 1.38e-3, 71.2e-6, 82.6e-6, 36.7e-6)
COULOMB = (0.395, 0.126, 0.132, 0.0112, 0.00926, 0.00396)
NOMINAL = np.array([0, np.pi / 4, np.pi, 0, np.pi / 4, 0])
JOINTS = [f"J{i}" for i in range(1, 7)]


def link_frame(theta, i):
    """Denavit-Hartenberg: from frame i − 1 to frame i."""
    c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(ALPHA[i]), np.sin(ALPHA[i])
    return np.array([[c, -s * ca, s * sa, A[i] * c], [s, c * ca, -c * sa, A[i] * s], [0, sa, ca, D[i]], [0, 0, 0, 1]])


@cache
def puma():
    """With live parameters: gravity g, the share mu of friction that acts, and Ixx of the third link."""
    frame, inertias = np.eye(4), [*INERTIA[:2], ("third", *INERTIA[2][1:]), *INERTIA[3:]]
    points, bodies, joints, couplings, forces = {}, {}, {}, {}, {}
    for i, joint in enumerate(JOINTS):
        points[joint] = frame[:3, 3].tolist()
        joints[joint] = {
            "kind": "revolute", "bodies": [f"link{i}" if i else "ground", f"link{i + 1}"], "at": joint,
            "axis": frame[:3, 2].tolist(),
        }  # fmt: skip
        frame = frame @ link_frame(0.0, i)
        bodies[f"link{i + 1}"] = {
            "origin": frame[:3, 3].tolist(), "rotation": {"matrix": frame[:3, :3].tolist()},
            "mass": MASS[i], "com": list(COM[i]), "inertia": list(inertias[i]), "points": {"F": [0, 0, 0]},
        }  # fmt: skip
        points[f"M{i + 1}"] = [2.0 + i, 0, 0]
        bodies[f"rotor{i + 1}"] = {"origin": points[f"M{i + 1}"], "mass": 1.0, "com": [0, 0, 0]}
        bodies[f"rotor{i + 1}"] |= {"points": {"R": [0, 0, 0]}, "inertia": [1e-3, 1e-3, MOTOR[i]]}
        joints[f"M{i + 1}"] = {"kind": "revolute", "bodies": ["ground", f"rotor{i + 1}"], "axis": [0, 0, 1]}
        terms = [{"joint": f"M{i + 1}", "factor": 1}, {"joint": joint, "factor": -RATIO[i]}]
        couplings[f"gear{i + 1}"] = {"kind": "linear", "terms": terms}
        viscous, coulomb = RATIO[i] ** 2 * VISCOUS[i], abs(RATIO[i]) * COULOMB[i]
        lost = f"-mu*({viscous!r}*{joint}.speed + {coulomb!r}*sign({joint}.speed))"
        forces[f"friction{i + 1}"] = {"kind": "effort", "joint": joint, "value": lost}
    return lw.Model(
        linkwork=1, space="spatial", gravity=[0, 0, "-g"], points=points, bodies=bodies, joints=joints,
        couplings=couplings, forces=forces,
        parameters={name: {"value": v, "live": True} for name, v in (("g", 9.81), ("mu", 1.0), ("third", REAL))},
    )  # fmt: skip


def torques(speeds, accelerations, gravity=9.81, friction=1.0, method="virtual_power"):
    """At the nominal position, for N sets (N, 6) of speeds and accelerations."""
    count, motion = len(speeds), {}
    for i, joint in enumerate(JOINTS):
        motion |= {f"{joint}.angle": np.full(count, NOMINAL[i]), f"{joint}.speed": np.transpose(speeds)[i]}
        motion[f"{joint}.acceleration"] = np.transpose(accelerations)[i]

    def solved(third):
        values = {"g": gravity, "mu": friction, "third": third}
        options = {"times": np.arange(count), "motors": JOINTS, "method": method}
        found = lw.inverse_dynamics(puma(), motion, parameters=values, **options)
        return np.column_stack([found[f"{joint}.angle.effort"] for joint in JOINTS])

    real = solved(REAL)
    return real + (INERTIA[2][0] - REAL) / (MORE - REAL) * (solved(MORE) - real)


# speed, acceleration, torques
WITH_FRICTION = [
    (0, 0, (0, 31.639880, 6.035138, 0, 0.028253, 0)),
    (0, 1, (3.353111, 36.002511, 7.425964, 0.190043, 0.203441, 0.194133)),
    (1, 1, (32.495243, 60.866988, 17.743595, 1.454519, 1.299110, 0.713781)),
    (1, 0, (29.142132, 56.504358, 16.352769, 1.264476, 1.123922, 0.519648)),
]


@pytest.mark.parametrize("method", [method.name for method in ALL_INVERSE_METHODS])
def test_torques(method):
    speeds, accelerations, expected = zip(*WITH_FRICTION, strict=True)
    sixfold = (np.repeat(np.array([given], dtype=float).T, 6, axis=1) for given in (speeds, accelerations))
    assert torques(*sixfold, method=method) == pytest.approx(np.array(expected), abs=1e-6)


@pytest.mark.parametrize("method", [method.name for method in ALL_INVERSE_METHODS[1:]])
def test_methods_differ_by_rounding_errors(method):
    """Through gears of 1 to 100, with rotors of which the reactions are in other sizes than those of the arm."""
    rng = np.random.default_rng(1)
    speeds, accelerations = rng.normal(size=(2, 40, 6))
    expected = torques(speeds, accelerations)
    found = torques(speeds, accelerations, method=method)
    assert found == pytest.approx(expected, abs=1e-11 * np.abs(expected).max())


def test_torques_without_friction_and_without_weight():
    still, unit = np.zeros((1, 6)), np.ones((1, 6))
    expected = (-1.391074, 33.422799, 5.283111, 0.001223, 0.030632, 0.000148)
    assert torques(unit, still, friction=0.0)[0] == pytest.approx(expected, abs=1e-6)
    expected = (32.495243, 29.227108, 11.708457, 1.454519, 1.270858, 0.713781)
    assert torques(unit, unit, gravity=0.0)[0] == pytest.approx(expected, abs=1e-6)


def test_inertia_matrix():
    """The diagonal: what a unit acceleration of one joint asks of it, at rest and without weight."""
    found = np.diag(torques(np.zeros((6, 6)), np.eye(6), gravity=0.0, friction=0.0))
    assert found == pytest.approx([3.6594, 4.4137, 0.9378, 0.1925, 0.1713, 0.1941], abs=1e-4)


def test_forward_dynamics():
    """M q̈ = τ - h with the columns of M by unit accelerations: the published accelerations, to their four digits."""
    speeds = np.tile([0.1, 0.2, 0.8, 0.2, 0.5, 1.0], (7, 1))
    found = torques(speeds, np.vstack([np.zeros(6), np.eye(6)]))
    inertia = (found[1:] - found[0]).T
    assert inertia == pytest.approx(inertia.T, abs=1e-9)
    accelerations = np.linalg.solve(inertia, np.array([1, 3.2, 1.8, 0.1, 0.7, 4.6]) - found[0])
    assert accelerations == pytest.approx([-7.4102, -9.8432, -10.9694, -4.4314, -0.9881, 21.0228], abs=1e-4)
