"""Forces and stiffness at rest against complex steps of energies that are written by hand, and against the book's ∂R/∂z.

SOURCE: García de Jalón and Bayo, section 6.1, with the factor 1/L that (6.8) lacks and the sign of (6.18).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.statics.resting import ask
from linkwork.numerics.paths.rest import Search, balance

G, TINY = 9.81, 1e-30
LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
Array = np.ndarray


def complex_step(function: Callable[[Array], Any], z: Array) -> Array:
    """∂f/∂z, the derivatives by z in the last axis."""
    return np.stack([np.imag(function(z + 1j * TINY * e)) / TINY for e in np.eye(len(z))], axis=-1)


def statics_of(
    model: lw.Model, names: Sequence[str], at: Mapping[str, float], kind: Any = "relative", **parameters: float
) -> tuple[Array, Array]:
    """∂V/∂z and ∂²V/∂z² by independent joint coordinates z, as statics has them where the search begins."""
    question = ask(
        model, Search(), method="virtual_power", coordinates=kind, at=dict(at), parameters=dict(parameters), time=0.0
    )
    statics, x = question.statics, question.start
    now = balance(statics, x)
    rates = (statics.rates(x)[0] @ now.directions)[[statics.joint_names.index(name) for name in names]]
    back = np.linalg.inv(rates)
    return -back.T @ now.force, back.T @ now.stiffness @ back


# -- two bars with everything that can act -----------------------------------------------------------------------------

WALL, HIGH = np.array([-0.2, 0.5]), np.array([0.9, 0.6])
ROWS = np.array([[0.1, -6.0], [0.4, 0.0], [0.6, 9.0], [1.2, 20.0]])  # length, pull


@cache
def lamp() -> lw.Model:
    return lw.Model(
        name="lamp",
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0.5, 0], "B": [0.9, 0], "W": list(WALL), "H": list(HIGH)},
        bodies={"lower": {"bar": ["O", "A"], "mass": 2}, "upper": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "lower"]},
            "A": {"kind": "revolute", "bodies": ["lower", "upper"]},
        },
        forces={
            "hard": {
                "kind": "spring",
                "between": ["W", "lower.A"],
                "free_length": 0.4,
                "force": "40*extension + 300*extension^3",
            },
            "leaf": {"kind": "spring", "between": ["H", "upper.B"], "table": {"rows": ROWS.tolist()}},
            "elbow": {"kind": "torsion_spring", "joint": "A", "stiffness": 5, "free_angle": 0.2},
            "hand": {"kind": "force", "at": "upper.B", "value": [3, -2]},
            "wrist": {"kind": "torque", "body": "upper", "value": 1.5},
            "motor": {"kind": "effort", "joint": "O", "value": 0.7},
        },
    )


def lamp_points(z: Array) -> tuple[Array, Array]:
    elbow = 0.5 * np.array([np.cos(z[0]), np.sin(z[0])])
    return elbow, elbow + 0.4 * np.array([np.cos(z[0] + z[1]), np.sin(z[0] + z[1])])


def lamp_energy(z: Array) -> complex:
    elbow, tip = lamp_points(z)
    hard, leaf = np.sqrt(np.sum((elbow - WALL) ** 2)) - 0.4, np.sqrt(np.sum((tip - HIGH) ** 2))
    row = int(np.searchsorted(ROWS[:, 0], leaf.real)) - 1
    slope = (ROWS[row + 1, 1] - ROWS[row, 1]) / (ROWS[row + 1, 0] - ROWS[row, 0])
    pulled = ROWS[row, 1] * (leaf - ROWS[row, 0]) + slope * (leaf - ROWS[row, 0]) ** 2 / 2
    weights = 2 * G * elbow[1] / 2 + G * (elbow[1] + tip[1]) / 2
    loads = 3 * tip[0] - 2 * tip[1] + 1.5 * (z[0] + z[1]) + 0.7 * z[0]
    return complex(weights + 20 * hard**2 + 75 * hard**4 + pulled + 2.5 * (z[1] - 0.2) ** 2 - loads)


def lamp_slope(z: Array) -> Array:
    """∂V/∂z by virtual work."""
    elbow, tip = lamp_points(z)
    turned = np.array([-elbow[1], elbow[0]])
    by_elbow = np.stack([turned, 0 * turned], axis=1)
    arm = tip - elbow
    by_tip = by_elbow + np.array([[-arm[1]], [arm[0]]]) * np.ones(2)
    hard, leaf = np.sqrt(np.sum((elbow - WALL) ** 2)), np.sqrt(np.sum((tip - HIGH) ** 2))
    pull = 40 * (hard - 0.4) + 300 * (hard - 0.4) ** 3
    row = int(np.searchsorted(ROWS[:, 0], leaf.real)) - 1
    slope = (ROWS[row + 1, 1] - ROWS[row, 1]) / (ROWS[row + 1, 0] - ROWS[row, 0])
    held = ROWS[row, 1] + slope * (leaf - ROWS[row, 0])
    at_elbow = np.array([0, -1.5 * G]) - pull * (elbow - WALL) / hard
    at_tip = np.array([3, -2 - 0.5 * G]) - held * (tip - HIGH) / leaf
    efforts = np.array([1.5 + 0.7, 1.5 - 5 * (z[1] - 0.2)])
    return np.asarray(-by_elbow.T @ at_elbow - by_tip.T @ at_tip - efforts)


@pytest.mark.parametrize("z", [(0.3, 0.2), (1.2, -0.7), (-0.8, 1.1)])
def test_springs_weights_forces_and_torques(z: tuple[float, float]) -> None:
    """Anywhere, not only at rest."""
    at, names = np.array(z), ["O.angle", "A.angle"]
    slope, curvature = statics_of(lamp(), names, dict(zip(names, z, strict=True)))
    np.testing.assert_allclose(slope, complex_step(lamp_energy, at), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(curvature, complex_step(lamp_slope, at), rtol=1e-10, atol=1e-10)


# -- a loop of two freedoms, and the book's derivatives of R -------------------------------------------------------------

RIGHT, HOOK = np.array([1.0, 0.0]), np.array([0.4, 1.7])
NAMES = ["O.angle", "D.angle"]


@cache
def five_bar() -> lw.Model:
    """Cranks of 0.4 m at O and D, couplers of 0.6 m that meet at B, where a weight and a spring hang."""
    hinge = {"kind": "revolute"}
    return lw.Model(
        name="five-bar",
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0.1, 0.4], "B": [0.5, 0.8], "C": [0.9, 0.4], "D": [1, 0], "H": list(HOOK)},
        bodies={
            "left": {"bar": ["O", "A"], "length": 0.4, "mass": 0},
            "up": {"bar": ["A", "B"], "length": 0.6, "masses": {"B": 3}},
            "down": {"bar": ["C", "B"], "length": 0.6, "mass": 0},
            "right": {"bar": ["D", "C"], "length": 0.4, "mass": 0},
        },
        joints={
            "O": {**hinge, "bodies": ["ground", "left"]},
            "A": {**hinge, "bodies": ["left", "up"]},
            "B": {**hinge, "bodies": ["up", "down"]},
            "C": {**hinge, "bodies": ["right", "down"]},
            "D": {**hinge, "bodies": ["ground", "right"]},
        },
        forces={
            "hook": {"kind": "spring", "between": ["H", "up.B"], "stiffness": 60, "free_length": 0.5},
            "hold_O": {"kind": "torsion_spring", "joint": "O", "stiffness": 100, "free_angle": "100 deg"},
            "hold_D": {"kind": "torsion_spring", "joint": "D", "stiffness": 80, "free_angle": "70 deg"},
        },
    )


def meeting(z: Array) -> Array:
    """B by the intersection of two circles."""
    a = 0.4 * np.array([np.cos(z[0]), np.sin(z[0])])
    c = RIGHT + 0.4 * np.array([np.cos(z[1]), np.sin(z[1])])
    apart = c - a
    squared = np.sum(apart**2)
    return (a + c) / 2 + np.sqrt(0.36 / squared - 0.25) * np.array([-apart[1], apart[0]])


def five_bar_energy(z: Array) -> complex:
    b = meeting(z)
    hook = np.sqrt(np.sum((b - HOOK) ** 2)) - 0.5
    held = 50 * (z[0] - np.radians(100)) ** 2 + 40 * (z[1] - np.radians(70)) ** 2
    return complex(3 * G * b[1] + 30 * hook**2 + held)


def conditions(q: Array) -> Array:
    """Φ (2) of q = [z, B]."""
    a = 0.4 * np.array([np.cos(q[0]), np.sin(q[0])])
    c = RIGHT + 0.4 * np.array([np.cos(q[1]), np.sin(q[1])])
    return np.array([np.sum((q[2:] - a) ** 2), np.sum((q[2:] - c) ** 2)]) / 2 - 0.18


def condition_slopes(q: Array) -> Array:
    """Φ_q (2, 4)."""
    rows = []
    for i, middle in ((0, np.zeros(2)), (1, RIGHT)):
        turned = 0.4 * np.array([-np.sin(q[i]), np.cos(q[i])])
        arm = q[2:] - middle - 0.4 * np.array([np.cos(q[i]), np.sin(q[i])])
        rows.append([*((-np.sum(arm * turned), 0) if i == 0 else (0, -np.sum(arm * turned))), *arm])
    return np.array(rows)


def spread(q: Array) -> Array:
    """R (4, 2): [Φ_q; B] R = [0; I] with z for B."""
    return np.linalg.solve(np.vstack([condition_slopes(q), np.eye(2, 4)]), np.vstack([np.zeros((2, 2)), np.eye(2)]))


def five_bar_forces(q: Array) -> Array:
    """Q (4)."""
    arm = q[2:] - HOOK
    length = np.sqrt(np.sum(arm**2))
    efforts = -100 * (q[0] - np.radians(100)), -80 * (q[1] - np.radians(70))
    return np.array([*efforts, *(np.array([0, -3 * G]) - 60 * (length - 0.5) * arm / length)])


def slopes_of_spread(q: Array) -> Array:
    """∂R/∂q_i (4, 2, 4) by example 6.2: [Φ_q; B] ∂R/∂q_i = −[∂Φ_q/∂q_i; 0] R."""
    matrix, tensor = np.vstack([condition_slopes(q), np.eye(2, 4)]), complex_step(condition_slopes, q)
    parts = [np.linalg.solve(matrix, -np.vstack([tensor[:, :, i] @ spread(q), np.zeros((2, 2))])) for i in range(4)]
    return np.stack(parts, axis=-1)


@cache
def resting() -> Array:
    """z of the five-bar at rest."""
    eq = lw.find_equilibrium(five_bar())
    z = np.array([eq[name] for name in NAMES])
    np.testing.assert_allclose([eq["B.x"], eq["B.y"]], meeting(z), atol=1e-12)
    np.testing.assert_allclose(complex_step(five_bar_energy, z), 0.0, atol=1e-9)
    return z


@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_the_stiffness_of_a_loop_is_that_of_the_book(kind: str) -> None:
    """−∂Ψ/∂z with ∂Ψ/∂z = (∂Rᵀ/∂z) Q + Rᵀ Q_q R (6.42) is the Hessian that the multipliers carry here."""
    z = resting()
    q = np.concatenate([z, meeting(z)])
    np.testing.assert_allclose(conditions(q), 0.0, atol=1e-13)
    by_q, r = slopes_of_spread(q), spread(q)
    np.testing.assert_allclose(by_q, complex_step(spread, q), atol=1e-12)
    by_z = by_q @ r
    tangent = np.einsum("ijk,i->jk", by_z, five_bar_forces(q)) + r.T @ complex_step(five_bar_forces, q) @ r
    slope, curvature = statics_of(five_bar(), NAMES, dict(zip(NAMES, z, strict=True)), kind)
    np.testing.assert_allclose(slope, complex_step(five_bar_energy, z), atol=1e-9)
    np.testing.assert_allclose(curvature, -tangent, rtol=1e-10, atol=1e-10)

    def moments(at: Array) -> Array:
        everything = np.concatenate([at, meeting(at)])
        return np.asarray(-spread(everything).T @ five_bar_forces(everything))

    np.testing.assert_allclose(curvature, complex_step(moments, z), rtol=1e-10, atol=1e-10)


def test_accelerations_are_the_derivatives_of_r() -> None:
    """(6.46) and (6.47): steady inputs e_1, e_2 and e_1 + e_2 give ∂R/∂z, here of B."""
    z = resting()
    q = np.concatenate([z, meeting(z)])
    exact = (slopes_of_spread(q) @ spread(q))[2:]

    def accelerations(*speeds: float) -> Array:
        inputs = {name: f"{at!r} + {speed}*t" for name, at, speed in zip(NAMES, z.tolist(), speeds, strict=True)}
        run = lw.solve_kinematics(five_bar(), inputs, times=[0.0, 1e-3])
        return np.array([run["B.ax"][0], run["B.ay"][0]])

    first, second = accelerations(1, 0), accelerations(0, 1)
    mixed = (accelerations(1, 1) - first - second) / 2
    np.testing.assert_allclose(np.stack([first, mixed], axis=1), exact[:, 0], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(np.stack([mixed, second], axis=1), exact[:, 1], rtol=1e-10, atol=1e-10)


# -- a frame that turns --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["relative", "reference_point", "natural"])
def test_a_governor_in_a_frame_that_turns(kind: str) -> None:
    """V = −(2 m + M) g l cos φ − m (Ω l sin φ)², in space, with six conditions that repeat others."""
    arm, speed = 0.4, 8.0
    drawn = np.arctan2(0.32, 0.24)

    def slope(z: Array) -> Array:
        phi = z[0] + drawn
        return np.array(
            [(2 * 1.5 + 1) * G * arm * np.sin(phi) - 2 * 1.5 * (speed * arm) ** 2 * np.sin(phi) * np.cos(phi)]
        )

    model, names = lw.load(LIBRARY / "governor.yaml"), ["right.angle"]
    rest = lw.find_equilibrium(model, parameters={"Omega": speed})["right.angle"]
    _, curvature = statics_of(model, names, {"right.angle": rest}, kind, Omega=speed)
    np.testing.assert_allclose(curvature, complex_step(slope, np.array([rest])), rtol=1e-10)
    force, _ = statics_of(model, names, {"right.angle": 0.1}, kind, Omega=speed)
    np.testing.assert_allclose(force, slope(np.array([0.1])), rtol=1e-10)


def test_a_spring_of_changing_stiffness_between_two_points() -> None:
    """(6.8) with its 1/L: k(L) (1 − L₀/L) I + (k' (1 − L₀/L)/L + k L₀/L³) r rᵀ, for a point that moves in the plane."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [0.6, 0.5]},
        bodies={"bead": {"points": ["P"], "mass": 1, "inertia": 1}},
        forces={
            "spring": {
                "kind": "spring",
                "between": ["O", "bead.P"],
                "free_length": 0.4,
                "force": "100*extension + 250*extension^2",
            }
        },
    )
    question = ask(model, Search(), method="virtual_power", coordinates="relative", at=None, parameters=None, time=0.0)
    now = balance(question.statics, question.start)
    twists = question.statics.rates(question.start)[1] @ now.directions
    length = question.statics.c.kinematics.length
    back = np.linalg.inv(twists * np.array([length, length, 1.0])[:, None])
    curvature = (back.T @ now.stiffness @ back)[:2, :2]
    r = np.array([0.6, 0.5])
    far = float(np.linalg.norm(r))
    k, steeper = 100 + 250 * (far - 0.4), 250.0
    exact = k * (1 - 0.4 / far) * np.eye(2) + (steeper * (1 - 0.4 / far) / far + k * 0.4 / far**3) * np.outer(r, r)
    np.testing.assert_allclose(curvature, exact, rtol=1e-11)
