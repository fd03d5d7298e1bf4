"""Loops in space on something that moves: they close from within, and move as they do by multipliers."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.minimal import Minimal

POINTS = {"O": [0, 0, 0], "A": [0.3, 0, 0], "B": [1.26, 0.2, 0.48], "C": [0.9, 0.2, 0], "P": [0.2, -0.8, 0.1]}
AXES = {"O": [0, 0, 1], "C": [0, 1, 0], "P": [1, 0.2, 0.3], "first": [1, 0, -2], "second": [0, 1, 0]}
CARRIED = ("floating", "swinging", "on two arms", "two on one")


def turn(angle: float) -> np.ndarray:
    """About an axis that is none of the world."""
    k = np.array([1.0, 2.0, -1.0]) / np.sqrt(6.0)
    cross = np.cross(np.eye(3), k).T
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def mechanism(carried: str, angle: float, size: float) -> lw.Model:
    """A four-bar of revolute, ball, universal and revolute joint on a frame that floats, or hangs on one or two arms."""
    turned = turn(angle)

    def axis(name: str) -> list[float]:
        return list(turned @ AXES[name])

    points, bodies, joints = dict[str, Sequence[float]](), dict[str, object](), dict[str, object]()
    # the frame comes first in the file, and last by its name
    bodies["z_frame"] = {"bar": ["O", "C"], "mass": 4, "radius": 0.1 * size}
    for i in range(2 if carried == "two on one" else 1):
        o, a, b, c = (f"{name}{i or ''}" for name in "OABC")
        shift = np.array([0, -0.5 * i, 0.3 * i])
        points |= {f"{n}{i or ''}": list(size * turned @ (np.array(POINTS[n]) + shift)) for n in "OABC"}
        crank, coupler, rocker = (f"{name}{i or ''}" for name in ("crank", "coupler", "rocker"))
        bodies |= {
            crank: {"bar": [o, a], "mass": 1, "radius": 0.02 * size},
            coupler: {"bar": [a, b], "mass": 1.5, "radius": 0.015 * size},
            rocker: {"bar": [c, b], "mass": 1.2, "radius": 0.02 * size},
        }
        joints |= {
            o: {"kind": "revolute", "bodies": ["z_frame", crank], "axis": axis("O")},
            a: {"kind": "spherical", "bodies": [crank, coupler]},
            b: {"kind": "universal", "bodies": [coupler, rocker], "axes": [axis("first"), axis("second")]},
            c: {"kind": "revolute", "bodies": ["z_frame", rocker], "axis": axis("C")},
        }
    points["P"] = list(size * turned @ POINTS["P"])
    points["Q"] = list(size * turned @ [0.1, -1.5, 0.4])
    if carried == "on two arms":
        bodies["arm"] = {"bar": ["Q", "P"], "mass": 1, "radius": 0.02 * size}
        joints["Q"] = {"kind": "revolute", "bodies": ["ground", "arm"], "axis": axis("first")}
        joints["P"] = {
            "kind": "universal",
            "bodies": ["arm", "z_frame"],
            "axes": [axis("P"), list(turned @ [0.2, -1, 0])],
        }
    elif carried != "floating":
        joints["P"] = {"kind": "revolute", "bodies": ["ground", "z_frame"], "axis": axis("P")}
    initial = {"O": {"speed": 3.0}} | ({} if carried == "floating" else {"P": {"speed": 1.0}})
    if carried == "on two arms":
        initial["P"] = {"angle1_rate": 1.0}
    return lw.Model(space="spatial", points=points, bodies=bodies, joints=joints, initial=initial)


def minimal(model: lw.Model) -> Minimal:
    made = lw.prepare(model)
    return Minimal(made.coordinates, made.topology.plan, 0.0, *made.equations.start)


@pytest.mark.parametrize("angle", [0.0, np.pi / 4])
@pytest.mark.parametrize("carried", CARRIED)
def test_they_close_by_formulas_of_their_own(carried: str, angle: float) -> None:
    found = minimal(mechanism(carried, angle, 1.0))
    rows = ca.vertcat(*[row.jacobian for row in found.rates.rows])
    names = found.coordinates.kinematics.v_names
    inside = {names[j] for j in set(rows.sparsity().get_col())}
    assert inside
    assert not [name for name in inside if name.startswith(("z_frame", "P.", "Q."))]


@pytest.mark.parametrize("carried", CARRIED)
def test_their_rates_are_those_of_the_conditions(carried: str) -> None:
    # v and v̇ of the formulas satisfy the conditions as they are written in the axes of the world
    model = mechanism(carried, 0.7, 1.0)
    found, made = minimal(model), lw.prepare(model)
    c = made.coordinates
    y, p = made.equations.start
    v, rates = found.velocities, found.derivative
    accelerations = rates[c.q.numel() : c.q.numel() + c.v.numel()]
    at = ca.Function("at", [c.t, c.y, c.p, found.selectors], [v, accelerations])
    state = ca.Function("state", [c.t, c.y, c.p], [c.jacobian, c.a, c.b])
    speeds = np.random.default_rng(3).normal(size=c.v.numel())
    y = np.concatenate([y[: c.q.numel()], speeds, y[c.q.numel() + c.v.numel() :]])
    moving, _ = (np.array(item).ravel() for item in at(0.0, y, p, found.typical_choices))
    y[c.q.numel() : c.q.numel() + c.v.numel()] = moving
    velocities, speeding = (np.array(item).ravel() for item in at(0.0, y, p, found.typical_choices))
    jacobian, a, b = (np.array(item) for item in state(0.0, y, p))
    size = 1.0 + np.max(np.abs(speeding))
    assert np.max(np.abs(jacobian @ velocities + a.ravel())) < 1e-11 * size
    assert np.max(np.abs(jacobian @ speeding + b.ravel())) < 1e-10 * size


@pytest.mark.parametrize(("angle", "size"), [(0.0, 1.0), (np.pi / 4, 1.0), (1.1, 10.0)])
@pytest.mark.parametrize("carried", CARRIED)
def test_they_move_as_they_do_by_multipliers(carried: str, angle: float, size: float) -> None:
    model = mechanism(carried, angle, size)
    runs = [
        lw.simulate(model, until=0.4, step=0.05, formulation=name, rtol=1e-11, atol=1e-11)
        for name in ("hybrid", "multipliers")
    ]
    assert "flow0" in lw.prepare(model).equations.functions
    assert all(run.audit.passed for run in runs)
    for name in ("O.angle", "C.angle", "coupler.origin.x", "rocker.origin.z", "z_frame.origin.y"):
        one, other = (run[name] for run in runs)
        np.testing.assert_allclose(one, other, rtol=0, atol=2e-8 * max(size, 1.0))
