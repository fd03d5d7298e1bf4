"""Φ, C, a and b of loops, drivers and couplings against finite differences along a motion."""

from __future__ import annotations

from typing import Any

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest
from combinations import every_kind
from hypothesis import assume, example, given
from random_mechanisms import Array, Numbers, examples, numbers, random_state, random_tree, seeds

import linkwork as lw
from linkwork.equations.equations import place_state

few = examples(4)
STEP = 1e-5
JUMP = 1e-3  # a change of the rate within a step that no smooth motion has

DRIVERS: dict[str, dict[str, Any]] = {
    "position": {"position": "0.3 + sin(2*t)"},
    "speed": {"speed": "cos(3*t) + t"},
    "acceleration": {"acceleration": "t*t - 0.5", "initial_speed": 0.4},
}


def motion(n: Numbers, t: float, y: Array, vdot: Array, p: Array, h: float) -> tuple[float, Array]:
    """Time and state a moment h later, to first order (what a central difference needs)."""
    c = n.coordinates
    q, v, s = n.split(y)
    q_rate, s_rate = n.value(c.kinematics.rates, t, y, p).ravel(), n.value(c.s_rates, t, y, p).ravel()
    return t + h, np.concatenate([q + h * q_rate, v + h * vdot, s + h * s_rate])


def check_rates(n: Numbers, t: float, y: Array, p: Array, rng: np.random.Generator) -> None:
    c = n.coordinates
    vdot = rng.normal(size=c.v.numel())

    def difference(expression: ca.SX) -> Array:
        behind, here, ahead = (n.value(expression, *motion(n, t, y, vdot, p, h), p).ravel() for h in (-STEP, 0.0, STEP))
        found, sides = (ahead - behind) / (2 * STEP), np.array([here - behind, ahead - here]) / STEP
        # where an angle jumps by a turn between them, the side without that
        jumps = np.abs(ahead - 2 * here + behind) > JUMP
        return np.where(jumps, np.take_along_axis(sides, np.argmin(np.abs(sides), axis=0)[None], 0)[0], found)

    first = c.jacobian @ c.v + c.a
    rate = n.value(first, t, y, p).ravel()
    scale = 1e-6 * max(1.0, float(np.max(np.abs(rate), initial=0.0))) ** 2
    np.testing.assert_allclose(difference(c.phi), rate, atol=scale)
    second = n.value(c.jacobian @ ca.SX(ca.DM(vdot)) + c.b, t, y, p).ravel()
    scale = 1e-5 * max(1.0, float(np.max(np.abs(second), initial=0.0)))
    np.testing.assert_allclose(difference(first), second, atol=scale)


@pytest.mark.matrix("kind")
@every_kind
@pytest.mark.parametrize("space", ["planar", "spatial"])
@few
@example(seed=36079034)  # a screw beside half a turn
@given(seed=seeds)
def test_rates_of_the_conditions_of_random_loops(space: str, kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = ["universal", "cylindrical", "revolute", "helical", "planar"]
    closing = ["prismatic", "fixed"] if space == "planar" else [str(rng.choice(kinds))]
    data = random_tree(
        rng, space, ["revolute", "prismatic", "revolute" if space == "planar" else "spherical"], closing=closing
    )
    n = numbers(lw.Model(**data), kind)
    assume(len(n.coordinates.rows) > 0)  # closing joints beside a fixed one close nothing
    if kind == "relative":
        y = random_state(rng, n)
    else:
        y = rng.normal(size=n.coordinates.y.numel())
    check_rates(n, 0.0, y, np.zeros(n.coordinates.p.numel()), rng)


@pytest.mark.matrix("kind")
@every_kind
@pytest.mark.parametrize("level", list(DRIVERS))
@pytest.mark.parametrize("joint", ["O", "B"])
def test_rates_of_driven_loops(kind: str, level: str, joint: str) -> None:
    rng = np.random.default_rng(1)
    data = mechanisms.four_bar().to_dict() | {"initial": {}, "drivers": {"motor": {"joint": joint, **DRIVERS[level]}}}
    if level == "position":
        data["drivers"]["motor"]["position"] = "1.2 + sin(2*t)"
    model = lw.Model(**data)
    n = numbers(model, kind)
    t = 0.37
    y, p = place_state(n.coordinates, n.coordinates.topology.assembly, n.coordinates.geometry.defaults)
    # anywhere near: the identities hold off the conditions too
    check_rates(n, t, y + 0.1 * rng.normal(size=y.shape), p, rng)


@every_kind
def test_rates_of_couplings_and_of_drivers_of_spatial_joints(kind: str) -> None:
    rng = np.random.default_rng(2)
    data = mechanisms.geared_rotors().to_dict() | {"drivers": {"drive": {"joint": "A", "speed": "3*t"}}}
    spatial = linkages.rscr().to_dict() | {"initial": {}}
    slide = spatial | {"drivers": {"motor": {"joint": "B", "freedom": "position", "position": "0.02*sin(5*t)"}}}
    turn = spatial | {"drivers": {"motor": {"joint": "B", "freedom": "angle", "speed": "0.5"}}}
    wind = linkages.screw_crank().to_dict() | {"initial": {}}
    wind["joints"]["screw"]["reference"] = "4 turn"
    wind["drivers"] = {"motor": {"joint": "screw", "position": "25 + 0.5*sin(5*t)"}}
    shift = linkages.sliding_shoe().to_dict() | {"initial": {}}
    shift |= {"drivers": {"motor": {"joint": "slope", "freedom": "position_x", "position": "0.02*sin(5*t)"}}}
    for case in (data, slide, turn, wind, shift):
        n = numbers(lw.Model(**case), kind)
        y, p = place_state(n.coordinates, n.coordinates.topology.assembly, n.coordinates.geometry.defaults)
        noise = 0.05 * rng.normal(size=y.shape)
        noise[: n.coordinates.q.numel()] *= 0.1
        check_rates(n, 0.2, y + noise, p, rng)


@pytest.mark.matrix("kind")
@every_kind
@pytest.mark.parametrize(
    "model",
    [
        mechanisms.four_bar(), mechanisms.spatial_four_bar(), mechanisms.bricard(), mechanisms.andrews(),
        mechanisms.modelica_fourbar(), linkages.slider_crank(), linkages.spatial_slider_crank(), linkages.six_bar(),
        linkages.rscr(), linkages.sarrus(), linkages.spherical_four_bar(), mechanisms.geared_rotors(),
        linkages.screw_crank(), linkages.screw_jack(), linkages.sliding_shoe(),
    ],
)  # fmt: skip
def test_the_assembled_start_satisfies_the_conditions_and_their_rank_leaves_the_freedoms(
    model: lw.Model, kind: str
) -> None:
    n = numbers(model, kind)
    c = n.coordinates
    y, p = place_state(c, c.topology.assembly, c.geometry.defaults)
    weights = np.array([row.weight for row in c.rows])
    assert np.max(np.abs(n.value(c.phi, 0, y, p).ravel()) * weights) < 1e-9
    rates = n.value(c.jacobian @ c.v + c.a, 0, y, p).ravel()
    assert np.max(np.abs(rates)) < 1e-8 * max(1.0, float(np.max(np.abs(n.split(y)[1]))))
    rank = np.linalg.matrix_rank(n.value(c.jacobian, 0, y, p), tol=1e-7)
    assert c.v.numel() - rank == c.topology.freedoms


def test_counts_of_natural_coordinates() -> None:
    planar = numbers(mechanisms.four_bar(), "natural").coordinates
    # García de Jalón and Bayo: the moving pins of a four-bar and three lengths
    assert (planar.q.numel(), len(planar.rows)) == (4, 3)
    assert set(planar.kinematics.q_names) == {"A.x", "A.y", "B.x", "B.y"}
    relative = numbers(mechanisms.four_bar()).coordinates
    assert (relative.q.numel(), len(relative.rows)) == (3, 2)
    # in space the parallel axes are shared with the ground: nothing is redundant any more
    flat = numbers(mechanisms.spatial_four_bar(), "natural").coordinates
    assert not any("axis" in name for name in flat.kinematics.q_names)


def test_natural_counts_of_the_spherical_four_bar() -> None:
    c = numbers(linkages.spherical_four_bar(), "natural").coordinates
    moving = {name.rsplit(".", 1)[0] for name in c.kinematics.q_names}
    assert {"B", "C", "B.axis", "C.axis"} <= moving and "A.axis" not in moving


def test_names_and_report() -> None:
    c = numbers(mechanisms.four_bar()).coordinates
    assert (
        c.state_names == ("O.angle", "C.angle", "A.angle", "O.speed", "C.speed", "A.speed") or len(c.state_names) == 6
    )
    text = str(c)
    assert "3 positions, 3 velocities, 2 conditions" in text
    assert all(str(label) in text for label in c.labels)
    with pytest.raises(lw.errors.RefusedError, match="relative"):
        lw.number(lw.analyse(mechanisms.four_bar()), "relativ")
