"""A, B, C and D against complex steps of equations written by hand: f'(x) = Im f(x + ih) / h with h = 1e-30.

A slider-crank about an equilibrium and about a state of a run, with the forces in its joints; a pendulum on a vertical shaft
about its steady rotation. The equations are in one or two coordinates, from Lagrange's and Newton's equations.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

import linkwork as lw

KINDS = ("relative", "reference_point", "natural", "mixed")
G = 9.81
Numbers = np.ndarray


def derivatives(f: Callable[[Numbers], Numbers], at: Numbers) -> Numbers:
    steps = at + 1e-30j * np.eye(len(at))
    return np.array([f(step).imag / 1e-30 for step in steps]).T


def compare(found: lw.answers.Linearisation, exact: Numbers) -> None:
    """Every row to 1e-10 of its largest number."""
    blocks = np.block([[found.a, found.b], [found.c, found.d]])
    assert blocks.shape == exact.shape
    size = np.abs(exact).max(axis=1, keepdims=True)
    np.testing.assert_allclose(blocks / size, exact / size, rtol=0, atol=1e-10)


# -- slider-crank ----------------------------------------------------------------------------------------------------

STATES = ("O.angle", "O.speed")
INPUTS = ("k", "r", "torque", "guide.effort")
OUTPUTS = (
    "B.x",
    "B.vx",
    "B.ax",
    "A.acceleration",
    "energy.total",
    "O.fx",
    "O.fy",
    "A.fx",
    "A.fy",
    "B.fx",
    "B.fy",
    "guide.fy",
)
SIZES = {"k": 120.0, "r": 0.3, "torque": 0.8}
ROD, SEAT, FREE, DAMPING = 0.9, 2.0, 0.7, 3.0
MASSES, INERTIAS = (1.0, 0.6, 1.5), (0.012, 0.05)


@cache
def slider_crank() -> lw.Model:
    return lw.Model(
        name="slider-crank",
        space="planar",
        gravity=[0, -G],
        parameters={name: {"value": value, "live": True} for name, value in SIZES.items()},
        points={"O": [0, 0], "A": [0.2, 0.22], "B": [1.1, 0], "S": [SEAT, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": MASSES[0], "inertia": INERTIAS[0], "length": "r"},
            "rod": {"bar": ["A", "B"], "mass": MASSES[1], "inertia": INERTIAS[1], "length": ROD},
            "slider": {"points": ["B"], "mass": MASSES[2], "com": "B", "inertia": 0.01},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
            "B": {"kind": "revolute", "bodies": ["rod", "slider"]},
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "axis": [1, 0], "at": ["O", "B"]},
        },
        forces={
            "s": {
                "kind": "spring",
                "between": ["S", "slider.B"],
                "stiffness": "k",
                "free_length": FREE,
                "damping": DAMPING,
            },
            "m": {"kind": "effort", "joint": "O", "value": "torque"},
        },
        initial={"O": {"angle": 0.9, "speed": 4.0}},
    )


def written(x: Numbers) -> Numbers:
    """ẋ and the outputs of (φ, φ̇, k, r, torque, force on the slider)."""
    phi, rate, k, r, torque, push = x
    c, s = np.cos(phi), np.sin(phi)
    # the rod: sin β = −r sin φ / l, and the first two derivatives of β by φ
    sb = -r * s / ROD
    cb = np.sqrt(1 - sb**2)
    b1 = -r * c / (ROD * cb)
    b2 = r * s / (ROD * cb) - r * c * sb * b1 / (ROD * cb**2)
    # centres of mass with two derivatives by φ: crank, rod, slider
    h = ROD / 2
    place = np.array([[r * c / 2, r * s / 2], [r * c + h * cb, r * s + h * sb], [r * c + ROD * cb, 0]])
    first = np.array(
        [[-r * s / 2, r * c / 2], [-r * s - h * sb * b1, r * c + h * cb * b1], [-r * s - ROD * sb * b1, 0]]
    )
    bend = np.array([-(cb * b1**2 + sb * b2), cb * b2 - sb * b1**2])
    second = np.array(
        [[-r * c / 2, -r * s / 2], [-r * c + h * bend[0], -r * s + h * bend[1]], [-r * c + ROD * bend[0], 0]]
    )
    masses = np.array(MASSES)
    inertia = masses @ np.sum(first**2, axis=1) + INERTIAS[0] + INERTIAS[1] * b1**2
    change = masses @ np.sum(first * second, axis=1) + INERTIAS[1] * b1 * b2
    # the spring pulls towards its seat
    stretch = SEAT - place[2, 0] - FREE
    pull = k * stretch - DAMPING * first[2, 0] * rate
    force = torque - G * masses @ first[:, 1] + (pull + push) * first[2, 0]
    acceleration = (force - change * rate**2) / inertia
    moved = first * acceleration + second * rate**2
    turned = b1 * acceleration + b2 * rate**2
    inertial = masses[:, None] * (moved + [0, G])
    energy = inertia * rate**2 / 2 + G * masses @ place[:, 1] + k * stretch**2 / 2
    bx = masses[2] * moved[2, 0] - pull - push
    by = ((-2 * INERTIAS[1] * turned / ROD + sb * (2 * bx + inertial[1, 0])) / cb - inertial[1, 1]) / 2
    ax, ay = bx + inertial[1, 0], by + inertial[1, 1]
    joints = [ax + inertial[0, 0], ay + inertial[0, 1], ax, ay, bx, by, masses[2] * G - by]
    seen = [place[2, 0], first[2, 0] * rate, moved[2, 0], turned - acceleration, energy]
    return np.array([rate, acceleration, *seen, *joints])


def at(angle: float, speed: float) -> Numbers:
    return np.array([angle, speed, *SIZES.values(), 0.0])


def test_the_written_slider_crank_moves_as_the_compiled_one_does():
    run = lw.simulate(slider_crank(), times=[0.0, 1e-3])
    exact = written(at(0.9, 4.0))
    np.testing.assert_allclose([run[name][0] for name in OUTPUTS], exact[2:], rtol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
def test_a_slider_crank_about_a_state_of_a_run(kind):
    run = lw.simulate(slider_crank(), until=0.2, step=0.05, coordinates=kind, rtol=1e-10, atol=1e-10)
    found = lw.linearise(run, 0.15, states=STATES, inputs=INPUTS, outputs=OUTPUTS)
    here = at(run["O.angle"][3], run["O.speed"][3])
    assert abs(here[1]) > 1.0
    np.testing.assert_allclose(found.rates, written(here)[:2], rtol=1e-9)
    compare(found, derivatives(written, here))


def test_a_slider_crank_about_an_equilibrium():
    rest = lw.find_equilibrium(slider_crank())
    found = lw.linearise(rest, states=STATES, inputs=INPUTS, outputs=OUTPUTS)
    assert found.resting
    here = at(float(found.at[0]), 0.0)
    assert abs(written(here)[1]) < 1e-9
    compare(found, derivatives(written, here))


# -- steady rotation -------------------------------------------------------------------------------------------------

SHAFT, MASS, LENGTH, DRAG = 0.4, 1.3, 0.8, 0.5
TURNING = ("T.angle", "H.angle", "T.speed", "H.speed")
SEEN = ("P.x", "P.vz", "P.ay", "H.fx", "H.fy", "H.fz", "H.my", "T.fz")


@cache
def governor() -> lw.Model:
    return lw.Model(
        name="governor",
        space="spatial",
        gravity=[0, -G, 0],
        parameters={name: {"value": 0.0, "live": True} for name in ("lean", "spin", "gravity_load")},
        points={"O": [0, 0, 0], "T": [0, 0.5, 0], "P": [0, -LENGTH, 0]},
        bodies={
            "shaft": {"points": ["O", "T"], "mass": 2.0, "com": "O", "inertia": [0.3, SHAFT, 0.3]},
            "arm": {"bar": ["O", "P"], "mass": MASS, "com": "P", "inertia": "point"},
        },
        joints={
            "T": {"kind": "revolute", "bodies": ["ground", "shaft"], "axis": [0, 1, 0]},
            "H": {"kind": "revolute", "bodies": ["shaft", "arm"], "axis": [0, 0, 1], "at": "O"},
        },
        forces={
            "drag": {"kind": "effort", "joint": "H", "value": f"-{DRAG}*H.speed"},
            "load": {"kind": "force", "at": "arm.P", "value": [0, "-gravity_load", 0]},
        },
        initial={"H": {"angle": "lean"}, "T": {"angle": 0.3, "speed": "spin"}},
    )


def turning(x: Numbers) -> Numbers:
    """ẋ and the outputs of (ψ, θ, ψ̇, θ̇, load, torque on the shaft)."""
    psi, theta, spin, lean, load, torque = x
    c, s, ml2 = np.cos(theta), np.sin(theta), MASS * LENGTH**2
    faster = (torque - 2 * ml2 * s * c * lean * spin) / (SHAFT + ml2 * s**2)
    steeper = s * c * spin**2 - (MASS * G + load) * LENGTH * s / ml2 - DRAG * lean / ml2
    # radial and height of the mass, then world axes
    radius, outward = LENGTH * s, LENGTH * c * lean
    along = LENGTH * (c * steeper - s * lean**2) - radius * spin**2
    around = radius * faster + 2 * outward * spin
    rise = LENGTH * (s * steeper + c * lean**2)
    cp, sp = np.cos(psi), np.sin(psi)
    speed = np.array([outward * cp - radius * spin * sp, -outward * sp - radius * spin * cp])
    pulled = np.array([along * cp - around * sp, -along * sp - around * cp])
    hinge = np.array([MASS * pulled[0], MASS * (rise + G) + load, MASS * pulled[1]])
    # moment about the vertical on the arm: that of its circumferential inertia
    seen = [radius * cp, speed[1], rise, *hinge, MASS * around * radius, hinge[2]]
    return np.array([spin, lean, faster, steeper, *seen])


@pytest.mark.parametrize("kind", KINDS)
def test_a_governor_about_its_steady_rotation(kind):
    lean = 1.1
    spin = np.sqrt(G / (LENGTH * np.cos(lean)))
    given = {"lean": lean, "spin": float(spin)}
    found = lw.linearise(
        governor(),
        states=TURNING,
        inputs=("gravity_load", "T.effort"),
        outputs=SEEN,
        parameters=given,
        coordinates=kind,
    )
    np.testing.assert_allclose(found.rates, [spin, 0, 0, 0], atol=1e-9)
    compare(found, derivatives(turning, np.array([0.3, lean, spin, 0.0, 0.0, 0.0])))
