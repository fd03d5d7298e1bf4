"""Multipliers of conditions: the forces and couples that they stand for, and three ways to get them."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest
from combinations import every_kind

import linkwork as lw
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.natural.inertia import mass_and_bias
from linkwork.equations.terms import make_function
from linkwork.results import Result

G = 9.81


def run(model: lw.Model, until: float = 0.3, **more: Any) -> Result:
    options = {"step": until / 5, "rtol": 1e-11, "atol": 1e-13, "backend": "reference", **more}
    result = lw.simulate(model, until, **options)
    assert result.outcome.completed
    return result


@cache
def four_bar(kind: str) -> Result:
    return run(mechanisms.four_bar(), coordinates=kind)


def numbers(result: Result, **outputs: Any) -> dict[str, Array]:
    """Expressions of the coordinates of a run, (N, rows, columns) each."""
    source: Any = result.source
    function = make_function("numbers", source.mechanism.coordinates, outputs)
    compiled = lw.build({"numbers": function}, "reference")["numbers"]
    return compiled.unpack(compiled.batch(source.t, source.y, source.p))


def coordinates(result: Result) -> Coordinates:
    source: Any = result.source
    return source.mechanism.coordinates  # type: ignore[no-any-return]


def test_bars_of_a_truss_carry_their_multiplier_times_their_length() -> None:
    # (6.61) with half the squared length: f = λ L. Bars along (1, 1) and (−1, 1), O (1, 1) a + B (−1, 1) b + load = 0
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
    found = run(model, 0.01, coordinates="natural").multipliers
    left, right = found["body left: distance O A"], found["body right: distance B A"]
    np.testing.assert_allclose(left.effort, 35 * math.sqrt(2), rtol=1e-9)
    np.testing.assert_allclose(right.effort, 65 * math.sqrt(2), rtol=1e-9)
    np.testing.assert_allclose(left.multiplier, 35, rtol=1e-9)  # λ = f / L
    assert left.meaning == "force that pushes A and O apart" and left.unit == "N" and left.unique


def test_a_constant_angle_carries_a_couple() -> None:
    # (6.97) to (6.100): the axis of a hinge stays normal to the bar that a force along the axis bends
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0], "A": [0.8, 0, 0]},
        bodies={"bar": {"bar": ["O", "A"], "mass": 1, "radius": 0.02}},
        joints={"O": linkages.revolute("ground", "bar", axis=[0, 0, 1])},
        forces={"load": {"kind": "force", "at": "bar.A", "value": [0, 3, -50]}},
    )
    result = run(model, coordinates="natural")
    (couple,) = [item for item in result.multipliers.of("bar") if item.meaning.startswith("couple")]
    assert couple.unit == "N*m"
    # towards the axis of the hinge, against the load: λ L with L = 0.8
    np.testing.assert_allclose(couple.effort, 0.8 * 50, rtol=1e-9)
    np.testing.assert_allclose(couple.effort, np.linalg.norm(result.reactions["O"].moment, axis=1), rtol=1e-9)


def test_a_combination_of_points_balances_itself() -> None:
    # (6.82) to (6.84): forces 1 − α − β, α, β and −1 on four points have neither a resultant nor a moment
    data = mechanisms.four_bar().to_dict()
    data["bodies"]["coupler"] |= {"points": {"P": [1.0, 0.6]}}
    result = run(lw.Model(**data), coordinates="natural:coupler.P")
    c = coordinates(result)
    rows = [i for i, label in enumerate(c.labels) if label.component.startswith("point coupler.P")]
    assert len(rows) == 2
    parts = numbers(result, C=c.jacobian, q=c.q)
    for i, axis in zip(rows, "xy", strict=True):
        push = parts["C"][:, i]
        places = parts["q"][..., 0]
        x, y = (np.array([name.endswith(f".{letter}") for name in c.kinematics.q_names]) for letter in "xy")
        np.testing.assert_allclose(push[:, x].sum(axis=1), 0.0, atol=1e-12)
        np.testing.assert_allclose(push[:, y].sum(axis=1), 0.0, atol=1e-12)
        moment = np.sum(places[:, x] * push[:, y] - places[:, y] * push[:, x], axis=1)
        np.testing.assert_allclose(moment, 0.0, atol=1e-9)
        found = result.multipliers[str(c.labels[i])]
        assert (
            found.unit == "N" and found.meaning == f"force on coupler.P along {axis}, balanced by the basis of coupler"
        )


def test_multipliers_of_joints_are_their_reactions() -> None:
    result = run(linkages.spatial_slider_crank(), coordinates="reference_point")
    for joint in "OAB":
        for axis in "xyz":
            found = result.multipliers[f"joint {joint}: position {axis}"].effort
            np.testing.assert_allclose(found, result[f"{joint}.f{axis}"], atol=1e-8)
    inside = result.reactions(axes="joint")["O"]
    for axis in "xy":
        np.testing.assert_allclose(
            result.multipliers[f"joint O: rotation about {axis}"].effort, inside[f"m{axis}"], atol=1e-8
        )


@every_kind
def test_multipliers_of_drivers_and_gears_are_their_efforts(kind: str) -> None:
    data = mechanisms.geared_rotors().to_dict()
    geared = run(lw.Model(**data), coordinates=kind)
    (gear,) = geared.multipliers.of("gear")
    np.testing.assert_allclose(gear.effort, geared["gear.effort"], atol=1e-9)
    data = mechanisms.four_bar().to_dict() | {"initial": {}, "drivers": {"motor": {"joint": "O", "speed": "3 + t"}}}
    driven = run(lw.Model(**data), coordinates=kind)
    (motor,) = driven.multipliers.of("motor")
    assert motor.unit == "N*m" and motor.meaning == "torque along O, on the child"
    np.testing.assert_allclose(motor.effort, driven["motor.effort"], atol=1e-9)
    # (6.110): τ = Rᵀ (M v̇ − h), with R the motion by a unit speed of the motor
    c, source = coordinates(driven), driven.source
    parts = numbers(driven, M=c.mass, h=c.forces, C=c.jacobian)
    vdot: Array = source.vdot  # type: ignore[attr-defined]
    unit = np.array([label.element == "motor" for label in c.labels], dtype=float)
    for i in range(len(driven)):
        r = np.linalg.lstsq(parts["C"][i], unit, rcond=None)[0]
        tau = r @ (parts["M"][i] @ vdot[i] - parts["h"][i, :, 0])
        assert tau == pytest.approx(driven["motor.effort"][i], abs=1e-9)


@every_kind
def test_three_ways_to_the_multipliers(kind: str) -> None:
    result = four_bar(kind)
    largest = max(np.max(np.abs(item.effort)) for item in result.multipliers.values())
    for label, item in result.multipliers.items():
        varied = result.multipliers(scheme="constraint_variation")[label]
        np.testing.assert_allclose(varied.multiplier, item.multiplier, atol=1e-9 * largest)
        # (6.107): about six digits for α = 10⁷
        guess = result.multipliers(scheme="penalty")[label]
        np.testing.assert_allclose(guess.effort, item.effort, atol=1e-6 * largest)


def test_the_penalty_method_itself_applies_its_estimate() -> None:
    exact = four_bar("natural").multipliers
    penalised = run(mechanisms.four_bar(), coordinates="natural", formulation="penalty", rtol=1e-9, atol=1e-11)
    largest = max(np.max(np.abs(item.effort)) for item in exact.values())
    for label, item in exact.items():
        np.testing.assert_allclose(penalised.multipliers[label].effort, item.effort, atol=1e-5 * largest)


def test_joint_forces_from_the_equilibrium_of_each_element() -> None:
    # (6.101): with natural coordinates joints have no conditions; M_e v̇ − h_e − C_eᵀ λ_e of one body is what its
    # neighbours do to its points; a load acts on the coupler, aside of its line
    data = mechanisms.four_bar().to_dict()
    data["bodies"]["coupler"] |= {"points": {"P": [1.0, 0.6]}}
    data["forces"] = {"load": {"kind": "force", "at": "coupler.P", "value": [20, "-30*t"]}}
    result = run(lw.Model(**data), coordinates="natural")
    c = coordinates(result)
    source: Any = result.source
    kind: Any = c.kind
    sharing, bases = kind.lay_out(c.geometry)
    q, v, _ = sharing.unknowns()
    multipliers = {label: item.multiplier for label, item in result.multipliers.items()}
    for body, ends in (("crank", "OA"), ("coupler", "AB"), ("rocker", "CB")):
        own = [
            ca.substitute(part, ca.vertcat(q, v), ca.vertcat(c.q, c.v))
            for part in mass_and_bias(c.geometry, [bases[body]], q, v)
        ]
        rows = [i for i, label in enumerate(c.labels) if label.element == body]
        gradient = ca.vertcat(ca.SX(0, c.v.numel()), *[c.jacobian[i, :] for i in rows])
        loads = c.loading.generalised if body == "coupler" else 0
        parts = numbers(result, M=own[0], h=own[1] + loads, C=gradient)
        held = np.column_stack([multipliers[str(c.labels[i])] for i in rows])
        push = np.einsum("nij,nj->ni", parts["M"], source.vdot) - parts["h"][..., 0]
        push -= np.einsum("nij,ni->nj", parts["C"], held)
        for end in ends:
            if f"{end}.x" not in c.kinematics.q_names:
                continue  # a point of the ground has no coordinates
            at = c.kinematics.q_names.index(f"{end}.x")
            sign = 1.0 if result.reactions[end].info.child == body else -1.0
            np.testing.assert_allclose(push[:, at : at + 2], sign * result.reactions[end].force, atol=1e-9)


def test_redundant_conditions_have_multipliers_of_least_norm() -> None:
    result = run(mechanisms.spatial_four_bar(), coordinates="reference_point")
    c, source = coordinates(result), result.source
    parts = numbers(result, M=c.mass, h=c.forces, C=c.jacobian)
    vdot: Array = source.vdot  # type: ignore[attr-defined]
    found = np.column_stack([item.multiplier for item in result.multipliers.values()])
    load = np.einsum("nij,nj->ni", parts["M"], vdot) - parts["h"][..., 0]
    np.testing.assert_allclose(np.einsum("nij,ni->nj", parts["C"], found), load, atol=1e-9)
    loose = {label for label, item in result.multipliers.items() if not item.unique}
    assert loose == {
        f"joint {joint}: {component}"
        for joint in "OABC"
        for component in ("position z", "rotation about x", "rotation about y")
    }
    with pytest.raises(lw.errors.RefusedError, match="'least_norm' works"):
        result.multipliers(scheme="constraint_variation")
    with pytest.raises(lw.errors.RefusedError, match="did you mean 'penalty'"):
        result.multipliers(scheme="penalties")


def test_the_table_of_multipliers() -> None:
    result = four_bar("natural")
    lines = str(result.multipliers).splitlines()
    assert lines[0] == "Multipliers of 'mechanism' in natural coordinates (least_norm)"
    assert lines[2].startswith("  body crank: distance O A") and lines[2].endswith("force that pushes A and O apart")
    with pytest.raises(lw.errors.UnknownNameError, match="there is no condition 'body crank'"):
        result.multipliers["body crank"]
    pendulum = run(mechanisms.simple_pendulum(), 0.01)
    assert not pendulum.multipliers and "no conditions" in str(pendulum.multipliers)
