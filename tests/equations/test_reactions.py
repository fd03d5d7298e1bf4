"""Reactions: Newton and Euler for every body, hand calculations, and the same numbers from every formulation."""

from __future__ import annotations

import itertools
from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest
from combinations import KINDS, every_kind, several
from random_mechanisms import Array

import linkwork as lw
from linkwork.results import Result

G = 9.81


def run(model: lw.Model, until: float = 0.2, **more: Any) -> Result:
    result = lw.simulate(
        model, until, **{"step": until / 2, "rtol": 1e-11, "atol": 1e-13, "backend": "reference", **more}
    )
    assert result.outcome.completed
    return result


def vector(result: Result, name: str, letter: str, d: int) -> Array:
    """Components of a vector, (N, 3); what is not there is zero."""
    parts = [f"{name}.{letter}{axis}" for axis in "xyz"[:d]]
    known = result.values([part for part in parts if part in result])
    columns = [known.get(part, np.zeros(len(result))) for part in parts]
    return np.column_stack([*columns, *[np.zeros(len(result))] * (3 - d)])


def moments(result: Result, name: str) -> Array:
    parts = [f"{name}.m{axis}" for axis in "xyz"]
    return np.column_stack([result[part] if part in result else np.zeros(len(result)) for part in parts])


def rotation(result: Result, body: str, sample: int) -> Array:
    w, x, y, z = (values[sample] for values in result.values([f"{body}.q{i}" for i in range(4)]).values())
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def check_balance(model: lw.Model, result: Result, joint_points: dict[str, str], tolerance: float) -> None:
    """m a = m g + Σ F and d(I ω)/dt = Σ N about the centre of mass, from the named quantities of a result alone."""
    geometry = lw.analyse(model).geometry
    d = geometry.space.dimension
    gravity = np.append(geometry.number(geometry.gravity), [0.0] * (3 - d))
    for name, body in geometry.bodies.items():
        mass = float(geometry.number(body.kind.mass))
        force = mass * (vector(result, name, "a", d) - gravity)
        centre, total = vector(result, name, "", d), np.zeros((len(result), 3))
        for joint, declared in model.joints.items():
            if name not in declared.bodies:
                continue
            sign = 1.0 if declared.child == name else -1.0
            arm = vector(result, joint_points[joint], "", d) - centre
            push = sign * vector(result, joint, "f", d)
            force = force - push
            total = total + np.cross(arm, push) + sign * moments(result, joint)
        np.testing.assert_allclose(force, 0.0, atol=tolerance)
        np.testing.assert_allclose(total, angular_momentum_rate(geometry, result, name, d), atol=tolerance)


def angular_momentum_rate(geometry: Any, result: Result, name: str, d: int) -> Array:
    inertia = np.atleast_2d(geometry.number(geometry.bodies[name].kind.drawn.inertia))
    if d == 2:
        rate = inertia[0, 0] * result[f"{name}.acceleration"]
        return np.column_stack([0 * rate, 0 * rate, rate])
    found = []
    for k in range(len(result)):
        axes = rotation(result, name, k)
        world = axes @ inertia @ axes.T
        omega = np.array([result[f"{name}.w{axis}"][k] for axis in "xyz"])
        alpha = np.array([result[f"{name}.alpha{axis}"][k] for axis in "xyz"])
        found.append(world @ alpha + np.cross(omega, world @ omega))
    return np.array(found)


BALANCED = {
    "slider-crank": (linkages.slider_crank, {"O": "O", "A": "A", "B": "B", "guide": "B"}),
    "six-bar": (linkages.six_bar, {name: name for name in "OABCDEF"}),
    "rscr": (linkages.rscr, {"O": "O", "A": "A", "B": "rocker.B", "C": "C"}),  # the child slides along its parent
    "spatial slider-crank": (linkages.spatial_slider_crank, {"O": "O", "A": "A", "B": "B", "guide": "B"}),
    "screw-crank": (linkages.screw_crank, {"screw": "B", "A": "A", "B": "B", "C": "C"}),
    "sliding shoe": (linkages.sliding_shoe, {"O": "O", "A": "A", "B": "B", "slope": "P"}),
    "overconstrained": (mechanisms.spatial_four_bar, {name: name for name in "OABC"}),
    "bricard": (mechanisms.bricard, {f"P{i}": f"P{i}" for i in range(1, 7)}),
    "chain": (linkages.spherical_chain, {"O": "O", "A": "A"}),
}


@pytest.mark.matrix("kind")
@every_kind
@pytest.mark.parametrize("name", list(BALANCED))
def test_newton_and_euler_hold_for_every_body(name: str, kind: str) -> None:
    make, points = BALANCED[name]
    model = make()
    result = run(model, coordinates=kind, formulation="multipliers")
    check_balance(model, result, points, 1e-8 * max(1.0, float(np.max(np.abs(result.energy)))))


@pytest.mark.matrix
@pytest.mark.parametrize("name", [name for name in BALANCED if name not in ("bricard", "chain")])
def test_all_combinations_give_the_same_reactions(name: str) -> None:
    model = BALANCED[name][0]()
    found = []
    for coordinates, formulation in several(name):
        result = run(model, coordinates=coordinates, formulation=formulation)
        names = [name for joint in model.joints for name in result.reactions[joint].names]
        found.append((names, np.array([result[q] for q in names])))
    for names, values in found[1:]:
        assert names == found[0][0]
        np.testing.assert_allclose(values, found[0][1], rtol=1e-6, atol=1e-6 * np.max(np.abs(found[0][1])))


@pytest.mark.matrix
def test_tension_of_a_pendulum_at_the_bottom() -> None:
    speed, length, mass = 3.0, 1.5, 2.0
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "P": [0, -length]},
        bodies={"rod": {"bar": ["O", "P"], "mass": mass, "com": "P", "inertia": "point"}},
        joints={"O": linkages.revolute("ground", "rod")},
        initial={"O": {"speed": speed}},
    )
    for coordinates, formulation in several("tension_of_a_pendulum_at_the_bottom"):
        result = run(model, 0.01, coordinates=coordinates, formulation=formulation)
        assert result["O.fy"][0] == pytest.approx(mass * (G + speed**2 * length), rel=1e-12)
        assert result["O.fx"][0] == pytest.approx(0.0, abs=1e-10)
        # the same joint declared from the rod to the ground reports the force on the ground
        turned = lw.Model(**{**model.to_dict(), "joints": {"O": linkages.revolute("rod", "ground")}, "initial": {}})
        still = run(turned, 0.01, coordinates=coordinates, formulation=formulation)
        assert still["O.fy"][0] == pytest.approx(-mass * G, rel=1e-12)


def test_a_loaded_truss_of_two_bars() -> None:
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 1], "B": [2, 0]},
        bodies={"left": {"bar": ["O", "A"], "mass": 0}, "right": {"bar": ["B", "A"], "mass": 0}},
        joints={
            "O": linkages.revolute("ground", "left"),
            "A": linkages.revolute("left", "right"),
            "B": linkages.revolute("ground", "right"),
        },
        forces={"load": {"kind": "force", "at": "left.A", "value": [30, -100]}},
    )
    assert lw.analyse(model).freedoms == 0
    for coordinates in KINDS:
        result = run(model, 0.01, coordinates=coordinates)
        # both bars carry axial forces only: O (1, 1) a + B (−1, 1) b + load = 0
        a, b = (100 - 30) / 2, (100 + 30) / 2
        np.testing.assert_allclose([result["O.fx"][0], result["O.fy"][0]], [a, a], atol=1e-9)
        np.testing.assert_allclose([result["B.fx"][0], result["B.fy"][0]], [-b, b], atol=1e-9)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_cantilever_carries_force_and_moment(space: str) -> None:
    cut = slice(2 if space == "planar" else 3)
    model = lw.Model(
        space=space,
        gravity=[0, -G, 0][cut],
        points={"O": [0, 0, 0][cut], "A": [2, 0, 0][cut]},
        bodies={"beam": {"bar": ["O", "A"], "mass": 3}},
        joints={"wall": {"kind": "fixed", "bodies": ["ground", "beam"], "at": "O"}},
        forces={"tip": {"kind": "force", "at": "A", "value": [5, -10, 0][cut]}},
    )
    for coordinates in KINDS:
        result = run(model, 0.01, coordinates=coordinates)
        assert result["wall.fx"][0] == pytest.approx(-5)
        assert result["wall.fy"][0] == pytest.approx(3 * G + 10)
        assert result["wall.mz"][0] == pytest.approx(3 * G * 1 + 10 * 2)


@pytest.mark.matrix
def test_a_motor_delivers_the_power_that_the_energy_gains() -> None:
    data = linkages.slider_crank().to_dict() | {"initial": {}}
    data["drivers"] = {"motor": {"joint": "O", "speed": "5 + 2*sin(9*t)"}}
    model = lw.Model(**data)
    times = np.linspace(0, 0.5, 26)
    h = 1e-4
    grid = np.unique(np.concatenate([times, times[1:] - h, times[:-1] + h]))
    for coordinates, formulation in several("a_motor_delivers_the_power_that_the_energy_gains"):
        result = lw.simulate(model, 0.5, times=grid, coordinates=coordinates, formulation=formulation, rtol=1e-11)
        power = result["motor.effort"] * result["O.speed"]
        middle = np.searchsorted(grid, times[1:-1])
        rate = (result.energy[middle + 1] - result.energy[middle - 1]) / (2 * h)
        np.testing.assert_allclose(power[middle], rate, atol=1e-4 * np.max(np.abs(rate)))


@pytest.mark.matrix
def test_the_teeth_of_a_gear_carry_what_the_slow_shaft_needs() -> None:
    model = mechanisms.geared_rotors()
    geometry = lw.analyse(model).geometry
    slow, fast = (float(geometry.number(geometry.bodies[name].kind.drawn.inertia)[0, 0]) for name in ("slow", "fast"))
    for coordinates, formulation in several("the_teeth_of_a_gear_carry_what_the_slow_shaft_needs"):
        result = run(model, 0.3, coordinates=coordinates, formulation=formulation)
        torque = 2 * np.sin(2 * np.pi * result.time)
        # 10 α_slow = α_fast; the gear pushes the first joint by f and the second by −10 f
        expected = torque / (fast + slow / 100)
        np.testing.assert_allclose(result["A.acceleration"], expected, atol=1e-9 * np.max(expected))
        np.testing.assert_allclose(result["gear.effort"], fast * expected - torque, atol=1e-9)
        np.testing.assert_allclose(-10 * result["gear.effort"], slow * expected / 10, atol=1e-9)


@every_kind
def test_components_that_redundancy_leaves_open_are_named(kind: str) -> None:
    result = run(mechanisms.spatial_four_bar(), coordinates=kind, formulation="multipliers")
    for joint in "OABC":
        assert set(result.reactions[joint].not_unique) == {"fz", "mx", "my"}
    # least norm: a flat mechanism under loads in its plane needs none of them
    for joint in "OABC":
        np.testing.assert_allclose(result[f"{joint}.fz"], 0.0, atol=1e-8)
    flat = run(mechanisms.four_bar(), coordinates=kind)
    assert all(flat.reactions[joint].unique for joint in "OABC")
    for joint, axis in itertools.product("OABC", "xy"):
        np.testing.assert_allclose(result[f"{joint}.f{axis}"], flat[f"{joint}.f{axis}"], atol=1e-6)


def test_efforts_in_a_joint_are_felt_by_both_bodies() -> None:
    data = mechanisms.double_pendulum().to_dict()
    data["forces"] = {"motor": {"kind": "effort", "joint": "P", "value": 7.0}}
    data["drivers"] = {
        "hold": {"joint": "O", "position": "0"},
        "lock": {"joint": "P", "position": "0"},
    }
    data["initial"] = {}
    result = run(lw.Model(**data), 0.01)
    mass = 7700 * 0.06**2 * 0.5
    weight = mass * 9.80665
    # the lock must carry the weight of the lower box less the torque of the motor; the hold carries both boxes
    assert result["lock.effort"][0] == pytest.approx(weight * 0.25 - 7.0, rel=1e-9)
    assert result["hold.effort"][0] == pytest.approx(weight * 0.25 + weight * 0.75, rel=1e-9)
