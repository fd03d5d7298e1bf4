"""Every kind of force in a run: exact solutions, integration by SciPy, or the same thing built of bodies and joints."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np
import pytest
from combinations import every_kind
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.interpolate import PchipInterpolator

import linkwork as lw

Array = NDArray[np.float64]
TIMES = [0.0, 0.4, 1.1, 2.0]
TIGHT: dict[str, Any] = {"times": TIMES, "rtol": 1e-12, "atol": 1e-13}


def slider(**sections: Any) -> lw.Model:
    """A mass of 2 kg on the x axis, with its point P 1 m from the point W of the ground."""
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "W": [0, 0], "P": [1, 0]},
        bodies={"block": {"points": ["P"], "mass": 2, "com": "P", "inertia": "point"}},
        joints={"slide": {"kind": "prismatic", "bodies": ["ground", "block"], "at": ["O", "P"], "axis": [1, 0]}},
        initial={"slide": {"position": 1.0, "speed": 0.3}},
        **sections,
    )


def integrated(f: Callable[[float, Array], list[float]], start: list[float]) -> Array:
    """States (times × n) by SciPy at its limit."""
    found = solve_ivp(f, (0.0, TIMES[-1]), start, method="DOP853", t_eval=TIMES, rtol=1e-13, atol=1e-13, max_step=0.01)
    return np.asarray(found.y.T)


# -- springs -----------------------------------------------------------------------------------------------------------


@every_kind
def test_a_cubic_spring(kind: str) -> None:
    spring = {"kind": "spring", "between": ["W", "P"], "free_length": 0.8, "force": "k*extension + 40*extension^3"}
    model = slider(parameters={"k": {"value": 5.0, "live": True}}, forces={"s": spring})
    result = lw.simulate(model, coordinates=kind, parameters={"k": 9.0}, **TIGHT)
    force = lambda x: 9.0 * (x - 0.8) + 40.0 * (x - 0.8) ** 3  # noqa: E731
    reference = integrated(lambda t, y: [y[1], -force(y[0]) / 2], [1.0, 0.3])
    np.testing.assert_allclose(result["P.x"], reference[:, 0], atol=1e-11)
    x = result["P.x"] - 0.8
    np.testing.assert_allclose(result["energy.potential"], 4.5 * x**2 + 10 * x**4, atol=1e-12)
    np.testing.assert_allclose(result["s.force"], force(result["P.x"]), atol=1e-12)


ROWS = [[0.2, -6.0], [0.5, -1.0], [0.9, 0.5], [1.1, 4.0], [1.6, 9.0]]
DAMPER = [[-1.0, -2.0], [0.0, 0.0], [0.5, 0.4], [2.0, 3.0]]


@pytest.mark.matrix("kind")
@every_kind
@pytest.mark.parametrize("way", ["linear", "smooth"])
def test_springs_and_dampers_by_tables(way: str, kind: str) -> None:
    spring = {
        "kind": "spring",
        "between": ["W", "P"],
        "table": {"rows": ROWS, "interpolation": way},
        "damping_table": {"rows": DAMPER, "interpolation": way},
    }
    result = lw.simulate(slider(forces={"s": spring}), coordinates=kind, **TIGHT)
    columns = [np.array(rows).T for rows in (ROWS, DAMPER)]
    if way == "smooth":
        elastic, damper = (PchipInterpolator(*column) for column in columns)
    else:
        elastic, damper = (lambda x, c=column: np.interp(x, *c) for column in columns)
    reference = integrated(lambda t, y: [y[1], -float(elastic(y[0]) + damper(y[1])) / 2], [1.0, 0.3])
    np.testing.assert_allclose(result["P.x"], reference[:, 0], atol=1e-8 if way == "linear" else 1e-10)
    assert np.abs(result["energy.balance"]).max() < 1e-8
    assert result["work.dissipated"][-1] > 0.01


def test_a_table_in_a_file_beside_the_model(tmp_path: Path) -> None:
    rows = "\n".join(f"{x}, {f}" for x, f in ROWS)
    (tmp_path / "curve.csv").write_text(f"length, force\n# of a leaf spring\n{rows}\n")
    written = slider(forces={"s": {"kind": "spring", "between": ["W", "P"], "table": ROWS}})
    data = written.to_dict()
    data["forces"]["s"]["table"] = {"file": "curve.csv"}
    (tmp_path / "model.json").write_text(json.dumps(data))
    assert lw.load(tmp_path / "model.json") == written
    assert lw.loads(lw.dump(written)) == written
    with pytest.raises(lw.errors.ModelError, match=r"there is no file 'curve\.csv'"):
        lw.loads(json.dumps(data), "json")


@every_kind
def test_a_cable_catches_a_falling_mass(kind: str) -> None:
    """Free fall through h to the length of the cable, then an oscillation about its stretched length."""
    stiffness, h, g = 200.0, 0.5, 9.81
    model = lw.Model(
        space="planar",
        gravity=[g, 0],
        points={"O": [0, 0], "W": [0, 0], "P": [1, 0]},
        bodies={"block": {"points": ["P"], "mass": 2, "com": "P", "inertia": "point"}},
        joints={"slide": {"kind": "prismatic", "bodies": ["ground", "block"], "at": ["O", "P"], "axis": [1, 0]}},
        forces={
            "cable": {
                "kind": "spring",
                "between": ["W", "P"],
                "stiffness": stiffness,
                "free_length": 1 + h,
                "only": "pull",
            }
        },
        initial={"slide": {"position": 1.0}},
    )
    result = lw.simulate(model, until=0.6, coordinates=kind, rtol=1e-12, atol=1e-13)
    taut, omega = np.sqrt(2 * h / g), np.sqrt(stiffness / 2)
    t = result.time
    late = t - taut
    caught = 1 + h + g / omega**2 * (1 - np.cos(omega * late)) + g * taut / omega * np.sin(omega * late)
    slack_again = caught[(late > 0)] < 1 + h
    end = taut + (late[late > 0][np.argmax(slack_again)] if slack_again.any() else np.inf)
    exact = np.where(late < 0, 1 + g * t**2 / 2, caught)
    np.testing.assert_allclose(result["P.x"][t < end], exact[t < end], atol=1e-8)
    assert np.abs(result.energy - result.energy[0]).max() < 1e-8
    assert result["cable.force"].min() >= 0.0


@every_kind
def test_a_torsion_spring_between_bodies_counts_turns(kind: str) -> None:
    """On the coordinate of the joint, and between the bodies: the same, through several turns."""
    common: dict[str, Any] = {
        "space": "planar",
        "points": {"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        "bodies": {"a": {"bar": ["O", "A"], "mass": 50}, "b": {"bar": ["A", "B"], "mass": 1}},
        "joints": {
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "A": {"kind": "revolute", "bodies": ["a", "b"]},
        },
        "initial": {"O": {"angle": 0.1, "speed": 0.5}, "A": {"angle": 0.4, "speed": -15.0}},
    }
    law = {"torque": "0.05*deflection + 0.002*deflection^3", "damping": 0.02, "free_angle": 0.2}
    on_joint = lw.Model(**common, forces={"s": {"kind": "torsion_spring", "joint": "A", **law}})
    between = lw.Model(**common, forces={"s": {"kind": "torsion_spring", "bodies": ["a", "b"], **law}})
    one, other = (lw.simulate(model, coordinates=kind, **TIGHT) for model in (on_joint, between))
    assert np.abs(one["A.angle"]).max() > 2 * np.pi
    for name in ("A.angle", "s.torque", "energy.potential", "O.angle"):
        np.testing.assert_allclose(other[name], one[name], atol=1e-9, err_msg=name)


# -- bushing -----------------------------------------------------------------------------------------------------------


@every_kind
def test_a_planar_bushing(kind: str) -> None:
    """Displacements and the rotation oscillate on their own: I φ'' = −k φ."""
    plate = {"points": {"P": [0, 0]}, "mass": 2, "com": "P", "inertia": 0.3, "origin": [0.5, 0.2], "rotation": 0.7}
    model = lw.Model(
        space="planar",
        points={"W": [0.5, 0.2]},
        bodies={"plate": plate},
        forces={
            "b": {
                "kind": "bushing",
                "between": ["ground.W", "plate.P"],
                "stiffness": [50, 80, 6],
                "damping": [4, 0, 0],
                "preload": [0, 8, 0],
            }
        },
        initial={"plate": {"x": 0.6, "y": 0.2, "angle": 1.5}},
    )
    result = lw.simulate(model, coordinates=kind, **TIGHT)
    t = np.array(TIMES)
    damped = np.sqrt(25 - 1)
    exact_x = 0.1 * np.exp(-t) * (np.cos(damped * t) + np.sin(damped * t) / damped)
    np.testing.assert_allclose(result["plate.x"] - 0.5, exact_x, atol=1e-11)
    np.testing.assert_allclose(result["plate.y"] - 0.2, 0.1 * (1 - np.cos(np.sqrt(40) * t)), atol=1e-11)
    np.testing.assert_allclose(result["plate.angle"] - 0.7, 0.8 * np.cos(np.sqrt(20) * t), atol=1e-10)
    assert np.abs(result["energy.balance"]).max() < 1e-10


@every_kind
def test_a_planar_bushing_counts_turns(kind: str) -> None:
    """Wound by two and a half turns it oscillates as by a degree, and says at the start that it is."""
    model = lw.Model(
        space="planar",
        points={"W": [0, 0]},
        bodies={"plate": {"points": {"P": [0, 0]}, "mass": 1, "com": "P", "inertia": 1, "rotation": "170 deg"}},
        forces={
            "b": {"kind": "bushing", "between": ["ground.W", "plate.P"], "stiffness": [1, 1, 4], "damping": [0, 0, 0]}
        },
        initial={"plate": {"angle": "1070 deg"}},
    )
    result = lw.simulate(model, coordinates=kind, **TIGHT)
    np.testing.assert_allclose(result["b.rz"], 5 * np.pi * np.cos(2 * np.array(TIMES)), atol=1e-8)
    np.testing.assert_allclose(result["b.mz"], -4 * result["b.rz"], rtol=1e-12)
    assert "force b: starts wound by +2 turns" in result.notes


@every_kind
@pytest.mark.parametrize("axis", [[0, 0, 1], [1, 1, 0], [1, -2, 2]])
def test_a_bushing_in_space_turns_about_any_axis_as_one_in_the_plane(kind: str, axis: list[float]) -> None:
    """With one stiffness and one inertia all rotations about a fixed axis are φ'' = −4 φ, however large."""
    turned = {"rotation": {"axis": axis, "angle": "150 deg"}, "origin": [0, 0, 0]}
    model = lw.Model(
        space="spatial",
        points={"W": [0, 0, 0]},
        bodies={"plate": {"points": {"P": [0, 0, 0]}, "mass": 1, "com": "P", "inertia": [1, 1, 1]}},
        forces={"b": {"kind": "bushing", "between": ["ground.W", "plate.P"], "stiffness": [1, 1, 1, 4, 4, 4]}},
        start={"plate": turned},
    )
    result = lw.simulate(model, coordinates=kind, **TIGHT)
    way = np.outer(np.cos(2 * np.array(TIMES)), np.radians(150) * np.array(axis) / np.linalg.norm(axis))
    np.testing.assert_allclose(np.column_stack([result[f"b.r{x}"] for x in "xyz"]), way, atol=1e-8)
    assert result.audit.passed


def test_a_bushing_in_space_ends_short_of_half_a_turn() -> None:
    model = lw.Model(
        space="spatial",
        points={"W": [0, 0, 0]},
        bodies={"plate": {"points": {"P": [0, 0, 0]}, "mass": 1, "com": "P", "inertia": [1, 1, 1]}},
        forces={"b": {"kind": "bushing", "between": ["ground.W", "plate.P"], "stiffness": [1, 1, 1, 4, 4, 4]}},
        initial={"plate": {"omega": [0, 0, 6.2]}},
    )
    ended = lw.simulate(model, until=2).outcome
    # φ = 3.1 sin 2t
    assert ended.element == "b"
    assert ended.time == pytest.approx(np.arcsin(np.radians(170) / 3.1) / 2, abs=1e-7)
    assert "force 'b' has come to a rotation by 170 degrees" in str(ended)
    begun = model.with_(
        initial={}, start={"plate": {"origin": [0, 0, 0], "rotation": {"axis": [1, 0, 0], "angle": "175 deg"}}}
    )
    with pytest.raises(lw.errors.RefusedError, match="force 'b' is beyond a rotation by 170 degrees"):
        lw.simulate(begun, until=1)


@every_kind
def test_a_stiff_bushing_is_nearly_a_weld(kind: str) -> None:
    """Static deflection under weight by the inverse of a full stiffness matrix, reached by damping."""
    rng = np.random.default_rng(2)
    root = rng.normal(size=(6, 6))
    stiffness = 1e4 * (root @ root.T + 6 * np.eye(6))
    body = {"points": {"P": [0, 0, 0]}, "mass": 1, "com": [0.1, 0.2, -0.1], "inertia": [0.2, 0.3, 0.4]}
    model = lw.Model(
        space="spatial",
        gravity=[1, 2, -9],
        points={"W": [0, 0, 0]},
        bodies={"b": body},
        forces={
            "h": {
                "kind": "bushing",
                "between": ["ground.W", "b.P"],
                "stiffness": stiffness.tolist(),
                "damping": (0.03 * stiffness).tolist(),
            }
        },
    )
    result = lw.simulate(model, times=[0.5], coordinates=kind, rtol=1e-9, atol=1e-12)
    gravity, arm = np.array([1.0, 2.0, -9.0]), np.array([0.1, 0.2, -0.1])
    expected = np.linalg.solve(stiffness, np.concatenate([gravity, np.cross(arm, gravity)]))
    names = [*(f"h.d{axis}" for axis in "xyz"), *(f"h.r{axis}" for axis in "xyz")]
    found = np.array([result[name][-1] for name in names])
    np.testing.assert_allclose(found, expected, atol=1e-3 * np.abs(expected).max())


# -- drag and friction -------------------------------------------------------------------------------------------------


@every_kind
def test_a_ball_falls_against_drag(kind: str) -> None:
    g, m, t = 9.81, 0.4, np.array(TIMES)

    def ball(**law: Any) -> lw.Result:
        model = lw.Model(
            space="spatial",
            gravity=[0, 0, -g],
            bodies={"ball": {"points": {"P": [0, 0, 0]}, "mass": m, "com": "P", "inertia": [1, 1, 1]}},
            forces={"air": {"kind": "drag", "at": "ball.P", **law}},
        )
        return lw.simulate(model, coordinates=kind, **TIGHT)

    quadratic = 1.2 * 0.47 * 0.05 / 2
    limit = np.sqrt(m * g / quadratic)
    result = ball(density=1.2, coefficient=0.47, area=0.05)
    np.testing.assert_allclose(result["ball.vz"], -limit * np.tanh(g * t / limit), atol=1e-11)
    lost = -result.energy + result.energy[0]
    np.testing.assert_allclose(result["work.dissipated"], lost, atol=1e-10)
    result = ball(linear=0.3, wind=[2.0, 0, 0])
    decay = np.exp(-0.3 * t / m)
    np.testing.assert_allclose(result["ball.vz"], -m * g / 0.3 * (1 - decay), atol=1e-11)
    np.testing.assert_allclose(result["ball.vx"], 2.0 * (1 - decay), atol=1e-11)
    # the wind brings in f·u: 2 m/s times the momentum that the ball gains
    np.testing.assert_allclose(result["work.supplied"], 2.0 * m * result["ball.vx"], atol=1e-10)
    assert np.abs(result["energy.balance"]).max() < 1e-10


@every_kind
def test_friction_in_a_ball_joint(kind: str) -> None:
    """Equal moments of inertia: the axis of rotation stays, and the speed falls by I ω' = −c ω − F ω/√(ω² + ε²)."""
    start = np.array([1.0, -2.0, 2.0])
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0]},
        bodies={"b": {"points": {"P": [0, 0, 0]}, "mass": 1, "com": "P", "inertia": [0.5, 0.5, 0.5]}},
        joints={"O": {"kind": "spherical", "bodies": ["ground", "b"], "at": ["O", "P"]}},
        forces={"f": {"kind": "friction", "joint": "O", "viscous": 0.1, "dry": 0.6, "smoothing": 0.2}},
        initial={"O": {"omega": start.tolist()}},
    )
    result = lw.simulate(model, coordinates=kind, **TIGHT)
    slow = integrated(lambda t, w: [-(0.1 + 0.6 / np.sqrt(w[0] ** 2 + 0.04)) * w[0] / 0.5], [3.0])[:, 0]
    for i, axis in enumerate("xyz"):
        np.testing.assert_allclose(result[f"b.w{axis}"], slow * start[i] / 3, atol=1e-11)
    np.testing.assert_allclose(result["work.dissipated"], 0.25 * (9 - slow**2), atol=1e-10)


# -- actuators ---------------------------------------------------------------------------------------------------------


@every_kind
def test_an_actuator_follows_its_signal_with_a_lag(kind: str) -> None:
    """Limited to 3 N and rising like 1 − e^(−t/τ)."""
    lag, t = 0.25, np.array(TIMES)
    motor = {"joint": "slide", "signal": "10", "gain": 2, "limits": [-3, 3], "lag": lag, "initial": 0}
    for place in (motor, {**motor, "joint": None, "between": ["W", "P"]}):
        forces = {"m": {"kind": "actuator", **{key: value for key, value in place.items() if value is not None}}}
        result = lw.simulate(slider(forces=forces), coordinates=kind, **TIGHT)
        np.testing.assert_allclose(result["m.force"], 3 * (1 - np.exp(-t / lag)), atol=1e-11)
        speed = 0.3 + 1.5 * (t - lag * (1 - np.exp(-t / lag)))
        np.testing.assert_allclose(result["block.vx"], speed, atol=1e-11)
        np.testing.assert_allclose(result["m.work"], speed**2 - 0.09, atol=1e-10)


@every_kind
def test_a_controlled_double_pendulum_stands(kind: str) -> None:
    # SOURCE: García de Jalón and Bayo, problem 5/10: torque in the second joint only; gains by pole placement with SciPy
    from scipy.signal import place_poles

    g, bar = 9.81, {"mass": 1}
    # angles of both bars from the vertical, uniform bars of 1 m and 1 kg
    mass = np.array([[4 / 3, 1 / 2], [1 / 2, 1 / 3]])
    weight = g * np.diag([3 / 2, 1 / 2])
    a = np.block([[np.zeros((2, 2)), np.eye(2)], [np.linalg.solve(mass, weight), np.zeros((2, 2))]])
    b = np.concatenate([np.zeros(2), np.linalg.solve(mass, [-1.0, 1.0])])[:, None]
    gains = place_poles(a, b, [-3, -4, -5, -6]).gain_matrix[0].tolist()
    # relative coordinates: O.angle from the x axis, A.angle between the bars
    signal = (
        f"-({gains[0]!r}*(O.angle - pi/2) + {gains[1]!r}*(O.angle + A.angle - pi/2)"
        f" + {gains[2]!r}*O.speed + {gains[3]!r}*(O.speed + A.speed))"
    )
    model = lw.Model(
        space="planar",
        gravity=[0, -g],
        points={"O": [0, 0], "A": [0, 1], "B": [0, 2]},
        bodies={"a": {"bar": ["O", "A"], **bar}, "b": {"bar": ["A", "B"], **bar}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "A": {"kind": "revolute", "bodies": ["a", "b"]},
        },
        forces={"motor": {"kind": "actuator", "joint": "A", "signal": signal}},
        initial={"O": {"angle": np.pi / 2 + 0.02}, "A": {"angle": -0.01}},
    )
    result = lw.simulate(model, until=6, coordinates=kind)
    assert abs(result["B.x"][-1]) < 1e-5 and result["B.y"][-1] == pytest.approx(2.0, abs=1e-9)
    assert np.abs(result["energy.balance"]).max() < 1e-7


# -- reactions on other bodies -----------------------------------------------------------------------------------------


@every_kind
def test_forces_with_a_reaction_leave_the_momentum_alone(kind: str) -> None:
    bodies = {
        name: {"points": {"P": [0.1 * i, 0.2, 0.3]}, "mass": 1 + i, "com": [0.1, 0, 0.2], "inertia": [0.2, 0.3, 0.4]}
        for i, name in enumerate(("one", "two"))
    }
    model = lw.Model(
        space="spatial",
        bodies={"one": bodies["one"], "two": {**bodies["two"], "origin": [1, 2, 3]}},
        forces={
            "f": {"kind": "force", "at": "one.P", "value": ["2*sin(t)", 1, "two.x"], "axes": "body", "reaction": "two"},
            "n": {"kind": "torque", "body": "two", "value": [0.3, "one.wx", 0.1], "reaction": "one"},
        },
        outputs={
            "px": "one.vx + 2*two.vx",
            "lz": "one.x*one.vy - one.y*one.vx + 2*(two.x*two.vy - two.y*two.vx)",
        },
    )
    result = lw.simulate(model, until=1, coordinates=kind, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(result["px"], 0.0, atol=1e-9)
    assert np.abs(result["one.vx"]).max() > 0.1
    spin = sum(_angular_momentum(result, name) for name in ("one", "two"))
    np.testing.assert_allclose(spin[:, 2] + result["lz"], 0.0, atol=1e-9)


def _angular_momentum(result: lw.Result, body: str) -> Array:
    """I ω in world axes (N × 3), by the quaternion of a body with the inertia of the test above."""
    e = np.array([result[f"{body}.q{i}"] for i in range(4)]).T
    omega = np.array([result[f"{body}.w{axis}"] for axis in "xyz"]).T
    found = []
    for (w, *v), rate in zip(e, omega, strict=True):
        v = np.array(v)
        cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
        axes = (2 * w**2 - 1) * np.eye(3) + 2 * (np.outer(v, v) + w * cross)
        found.append(axes @ np.diag([0.2, 0.3, 0.4]) @ axes.T @ rate)
    return np.array(found)


# -- equilibrium -------------------------------------------------------------------------------------------------------


@every_kind
def test_a_spring_that_holds_a_bar(kind: str) -> None:
    # SOURCE: Modelica standard library, MultiBody.Examples.Elementary.InitSpringConstant: 49.03325 N/m = m g 0.5/(1·0.1)
    model = lw.Model(
        space="spatial",
        gravity=[0, -9.80665, 0],
        parameters={"c": {"value": 30.0, "live": True}},
        points={"O": [0, 0, 0], "E": [1, 0, 0], "W": [1, 0.2, 0]},
        bodies={"bar": {"bar": ["O", "E"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"], "axis": [0, 0, 1]}},
        forces={"s": {"kind": "spring", "between": ["W", "E"], "stiffness": "c", "free_length": 0.1}},
    )

    def acceleration(c: float) -> float:
        return float(lw.simulate(model, times=[0.0], coordinates=kind, parameters={"c": c})["O.acceleration"][0])

    # the acceleration is linear in the spring constant
    low, high = acceleration(0.0), acceleration(100.0)
    found = 100.0 * low / (low - high)
    assert found == pytest.approx(49.03325, abs=1e-10)
    assert acceleration(found) == pytest.approx(0.0, abs=1e-12)


def test_the_bar_finds_back_to_its_equilibrium() -> None:
    """Newton's method on the potential, from −20°: level again to 1e-10."""
    model = lw.Model(
        space="planar",
        gravity=[0, -9.80665],
        points={"O": [0, 0], "E": [1, 0], "W": [1, 0.2]},
        bodies={"bar": {"bar": ["O", "E"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"]}},
        forces={"s": {"kind": "spring", "between": ["W", "E"], "stiffness": 49.03325, "free_length": 0.1}},
    )
    c = lw.number(lw.analyse(model))
    slope = ca.gradient(c.loading.potential, c.q)
    f = ca.Function("f", [c.q, c.p], [slope, ca.jacobian(slope, c.q)])
    angle = np.radians(-20.0)
    for _ in range(20):
        value, stiffness = (float(item) for item in f(angle, 0.0))
        angle -= value / stiffness
    assert angle == pytest.approx(0.0, abs=1e-10)
