"""Textbook questions of statics, inverse dynamics and vibration with answers that have a formula."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

import linkwork as lw

G = 9.81


def rods(points: list[list[float]], *, length: float, mass: float, bob: bool, ends: int) -> lw.Model:
    """Rods in a row, the first hung from the ground, the last too where *ends* is 2; *bob*: masses at their lower ends."""
    n = len(points) - 1
    shape = {"mass": mass, "length": length}
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={f"P{k}": point for k, point in enumerate(points)},
        bodies={
            f"rod{k}": {
                "bar": [f"P{k}", f"P{k + 1}"],
                **shape,
                **({"com": f"P{k + 1}", "inertia": "point"} if bob else {}),
            }
            for k in range(n)
        },
        joints={
            f"P{k}": {
                "kind": "revolute",
                "bodies": [f"rod{k - 1}" if k else "ground", f"rod{k}" if k < n else "ground"],
            }
            for k in range(n + ends - 1)
        },
    )


# SOURCE: the N equal masses of a hanging chain have ω² = g x/l with the zeros x of the Laguerre polynomial L_N; F. R.
# Gantmacher, M. G. Krein, "Oscillation Matrices and Kernels and Small Vibrations of Mechanical Systems"
@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_a_hanging_chain_swings_with_zeros_of_a_laguerre_polynomial(kind: str) -> None:
    n, length = 6, 0.05
    chain = rods([[0, -k * length] for k in range(n + 1)], length=length, mass=0.3, bob=True, ends=1)
    exact = np.sqrt(G / length * np.sort(np.polynomial.Laguerre.basis(n).roots()))
    np.testing.assert_allclose([mode.omega for mode in lw.modes(chain, coordinates=kind)], exact, rtol=1e-10)


# SOURCE: statics of a chain of equal rods between two pins at one height: a constant pull H, and rods along (H, V_k) with
# the load V_k on their middles; H from the span
def test_rods_between_two_pins_hang_in_the_discrete_catenary() -> None:
    n, length, mass, span = 6, 0.25, 0.4, 1.2
    load = (np.arange(n) - (n - 1) / 2) * mass * G
    pull = brentq(lambda h: np.sum(length * h / np.hypot(h, load)) - span, 1e-3, 100, xtol=1e-14)
    exact = np.cumsum(length * load / np.hypot(pull, load))
    sketch = [[span * k / n, -0.4 * np.sin(np.pi * k / n)] for k in range(n + 1)]
    chain = rods(sketch, length=length, mass=mass, bob=False, ends=2)
    eq = lw.find_equilibrium(chain)
    assert eq.stability == "stable"
    np.testing.assert_allclose([eq[f"P{k}.y"] for k in range(1, n)], exact[:-1], atol=1e-11)
    assert abs(eq["P0.fx"]) == pytest.approx(pull, rel=1e-10)
    assert eq["P0.fy"] == pytest.approx(n * mass * G / 2, rel=1e-10)


# SOURCE: G. Carwardine's lamp of 1932: a spring without free length between points at a and b from the pivot
# holds the weight everywhere where k a b = m g l
def test_a_balanced_lamp_stays_wherever_it_is_put() -> None:
    lamp = lw.Model(
        space="planar",
        gravity=[0, -G],
        parameters={"k": {"value": 1, "live": True}},
        points={"O": [0, 0], "A": [0.3, 0.2], "T": [0, 0.25]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 2, "points": {"K": [0.1, 0]}}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
        forces={"s": {"kind": "spring", "between": ["T", "arm.K"], "stiffness": "k", "free_length": 0}},
    )
    balanced = 2 * G * np.hypot(0.3, 0.2) / 2 / (0.1 * 0.25)
    for angle in ("-70 deg", "20 deg", "130 deg"):
        eq = lw.find_equilibrium(lamp, start={"O": angle}, parameters={"k": balanced})
        assert eq.stability == "neutral" and eq["O.angle"] == pytest.approx(
            np.radians(float(angle.split()[0])), abs=1e-9
        )
    soft = lw.find_equilibria(lamp, parameters={"k": 0.9 * balanced})
    assert [(item.stability, round(np.degrees(item["O.angle"]) % 360, 6)) for item in soft] == [
        ("stable", 270.0),
        ("unstable", 90.0),
    ]


# SOURCE: J. J. Uicker, G. R. Pennock, J. E. Shigley, "Theory of Machines and Mechanisms", dynamics of the slider-crank: the
# shaking force is −Σ m a, the torque of the crank the power of all inertia forces by its speed
def test_shaking_force_and_torque_of_an_engine() -> None:
    r, rod, a, w, mass, moment = 0.05, 0.2, 0.06, 100.0, (0.8, 0.5), 0.002
    engine = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [r, 0], "B": [r + rod, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1.2, "com": "O", "inertia": 0.001},
            "rod": {"bar": ["A", "B"], "mass": mass[0], "com": [a, 0], "inertia": moment},
            "piston": {"points": ["B"], "mass": mass[1]},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
            "B": {"kind": "revolute", "bodies": ["rod", "piston"]},
            "bore": {"kind": "prismatic", "bodies": ["ground", "piston"], "at": "B", "axis": [1, 0]},
        },
        drivers={"motor": {"joint": "O", "position": "0.3 + 100*t"}},
    )
    found = lw.inverse_dynamics(engine, until=0.0628, step=0.0004)
    th = 0.3 + w * found.time
    s, cosine = r * np.sin(th) / rod, r * np.cos(th) / rod
    f, fd = -np.arcsin(s), -cosine * w / np.sqrt(1 - s**2)
    fdd = s * w**2 / np.sqrt(1 - s**2) - cosine**2 * w**2 * s / (1 - s**2) ** 1.5

    def along(at: float) -> tuple[np.ndarray, np.ndarray]:
        """Velocity and acceleration of a point of the rod as complex numbers."""
        crank, bar = r * np.exp(1j * th), at * np.exp(1j * f)
        return 1j * w * crank + 1j * fd * bar, -(w**2) * crank + (1j * fdd - fd**2) * bar

    (gv, ga), (pv, pa) = along(a), along(rod)
    force = -(mass[0] * ga + mass[1] * pa.real)
    torque = (mass[0] * (gv.conj() * ga).real + mass[1] * pv.real * pa.real + moment * fd * fdd) / w
    np.testing.assert_allclose(found.shaking_force, np.stack([force.real, force.imag], axis=1), atol=1e-9)
    np.testing.assert_allclose(found["motor"], torque, atol=1e-10)


def circles(one: np.ndarray, r1: float, other: np.ndarray, r2: float, side: int) -> np.ndarray:
    d = other - one
    square = d[0] ** 2 + d[1] ** 2
    part = (r1**2 - r2**2 + square) / (2 * square)
    return one + part * d + side * np.sqrt(r1**2 / square - part**2) * np.array([-d[1], d[0]])


# SOURCE: virtual power with the inverse and direct kinematics of a symmetric five-bar by circles, accelerations by
# differences of eighth order, Jacobians by complex steps
def test_motors_of_a_five_bar_whose_tool_is_led_round_a_circle() -> None:
    """The driver of a point gives the motion; the motors that are named do the work."""
    upper, lower = np.hypot(0.1, 0.3), np.hypot(0.25, 0.2)
    left, right, weights = np.zeros(2), np.array([0.3, 0.0]), np.array([1, 0.8, 0.8, 1])
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [0, 0], "B": [-0.1, 0.3], "P": [0.15, 0.5], "C": [0.4, 0.3], "D": [0.3, 0]},
        bodies={
            "a": {"bar": ["A", "B"], "mass": 1},
            "b": {"bar": ["B", "P"], "mass": 0.8},
            "c": {"bar": ["C", "P"], "mass": 0.8},
            "d": {"bar": ["D", "C"], "mass": 1},
        },
        joints={
            name: {"kind": "revolute", "bodies": bodies}
            for name, bodies in {
                "A": ["ground", "a"],
                "B": ["a", "b"],
                "P": ["b", "c"],
                "C": ["d", "c"],
                "D": ["ground", "d"],
            }.items()
        },
        drivers={"path": {"point": "b.P", "position": ["0.1 + 0.05*cos(2*pi*t)", "0.5 + 0.05*sin(2*pi*t)"]}},
    )

    def bars(b: np.ndarray, c: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Centres of mass (8) and angles (4)."""
        ends = [(left, b), (b, p), (c, p), (right, c)]
        return np.concatenate([*((u + v) / 2 for u, v in ends), [np.log((v - u) @ [1, 1j]).imag for u, v in ends]])

    def at(t: float) -> tuple[np.ndarray, ...]:
        p = np.array([0.1 + 0.05 * np.cos(2 * np.pi * t), 0.5 + 0.05 * np.sin(2 * np.pi * t)])
        return circles(left, upper, p, lower, 1), circles(right, upper, p, lower, -1), p

    def moved(t: float, k: int) -> np.ndarray:
        """Rates of all by one of the motors."""
        b, c, _ = at(t)
        first, second = b.astype(complex), c.astype(complex)
        turned, pivot = (first, left) if k == 0 else (second, right)
        turned += 1e-30j * np.array([-(turned - pivot)[1], (turned - pivot)[0]])
        p = circles(first, lower, second, lower, 1)
        ends = [(left, first), (first, p), (second, p), (right, second)]
        arms = [v - u for u, v in ends]
        spins = [(x.real[0] * x.imag[1] - x.real[1] * x.imag[0]) / (x.real @ x.real) for x in arms]
        return np.concatenate([*(((u + v) / 2).imag for u, v in ends), spins]) / 1e-30

    times, h = np.array([0.0, 0.3, 0.7]), 2e-3
    stencil = [-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560]
    lengths = np.array([upper, lower, lower, upper])
    inertia = np.concatenate([np.repeat(weights, 2), weights * lengths**2 / 12])
    exact = []
    for t in times:
        rates = sum(c * bars(*at(t + j * h)) for c, j in zip(stencil, range(-4, 5), strict=True)) / h**2
        rates[1:8:2] += G
        exact.append([float((inertia * rates) @ moved(t, k)) for k in range(2)])
    found = lw.inverse_dynamics(model, motors=["A", "D"], times=times)
    np.testing.assert_allclose(np.stack([found["A.angle.effort"], found["D.angle.effort"]], axis=1), exact, atol=1e-8)
    assert not found.undriven


def test_a_guided_body_stays_guided_where_motors_have_freedoms_of_their_own() -> None:
    """An arm on a table that is shaken: its motor holds it still, and the table needs no motor."""
    arm = lw.Model(
        space="planar",
        points={"T": [0, 0], "E": [0.5, 0]},
        bodies={"table": {"points": ["T"], "mass": 10, "inertia": 1}, "arm": {"bar": ["T", "E"], "mass": 2}},
        joints={"T": {"kind": "revolute", "bodies": ["table", "arm"]}},
        drivers={
            "shaker": {"body": "table", "position": [0, "0.01*sin(60*t)"], "angle": 0},
            "hold": {"joint": "T", "position": 0},
        },
    )
    found = lw.inverse_dynamics(arm, motors=["T"], until=0.1, step=0.005)
    np.testing.assert_allclose(found["T.angle.effort"], -2 * 0.25 * 36 * np.sin(60 * found.time), atol=1e-9)


def test_kinematics_over_a_spacing() -> None:
    model = rods([[0, 0], [1, 0]], length=1, mass=1, bob=False, ends=1)
    result = lw.solve_kinematics(model, {"P0": "2*t"}, until="1 s", step="0.25 s")
    np.testing.assert_allclose(result.time, [0, 0.25, 0.5, 0.75, 1])
    with pytest.raises(lw.errors.RefusedError, match="until"):
        lw.solve_kinematics(model, {"P0": "2*t"}, step=0.1)


# SOURCE: J.-P. Merlet, "Parallel Robots": forces along massless struts balance the wrench of the platform, J f = w
def test_forces_in_the_struts_of_a_stewart_platform() -> None:
    model = lw.load(Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "stewart_platform.yaml")
    result, points = lw.solve_kinematics(model, until=1, step=0.1), model.to_dict()["points"]
    feet, heads = (np.array([points[f"{letter}{i}"] for i in range(1, 7)], dtype=float) for letter in "AB")
    heads = heads - [0, 0, 0.6]
    for k, t in enumerate(result.time):
        s, c, w = np.sin(2 * np.pi * t), np.cos(2 * np.pi * t), 2 * np.pi
        at = np.array([0.1 * s, 0.1 - 0.1 * c, 0.6 + 0.02 * np.sin(2 * w * t)])
        acceleration = np.array([-0.1 * s, 0.1 * c, -0.08 * np.sin(2 * w * t)]) * w**2 + [0, 0, G]
        u = heads + at - feet
        u /= np.linalg.norm(u, axis=1)[:, None]
        exact = np.linalg.solve(np.vstack([u.T, np.cross(heads, u).T]), [*(25 * acceleration), 0, 0, 0])
        np.testing.assert_allclose([result[f"leg{i}.tension"][k] for i in range(1, 7)], -exact, atol=1e-8)
    with pytest.raises(lw.errors.RefusedError, match=r"'leg1'.*solve_kinematics"):
        lw.inverse_dynamics(model, until=1)
