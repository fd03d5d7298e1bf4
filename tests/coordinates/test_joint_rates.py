"""Rates of joints along which efforts act: spins of balls too, which have no coordinate each."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates.contributions import joint_rate


def pendulum_on_a_door() -> lw.Model:
    """A door on two hinges, which is a loop with redundant constraints, and a rod that hangs from it by a ball."""
    rod = {"mass": 1, "radius": 0.02}
    hinge = {"kind": "revolute", "bodies": ["ground", "door"], "axis": [0, 0, 1]}
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0], "A": [0.1, 0.04, 0.02], "B": [0.55, 0.11, 0.48], "C": [0, 0, 0.5]},
        bodies={"door": {"bar": ["O", "A"], **rod}, "rod": {"bar": ["A", "B"], **rod}},
        joints={"O": hinge, "C": {**hinge, "at": "C"}, "A": {"kind": "spherical", "bodies": ["door", "rod"]}},
    )


def test_spins_are_those_of_relative_coordinates() -> None:
    c = lw.number(lw.analyse(pendulum_on_a_door()), "relative")
    rates = ca.vertcat(*[joint_rate(c.motion, "A", i) for i in range(3)])
    f = ca.Function("spins", [c.t, c.y, c.p], [rates, c.kinematics.joint_rates["A"]])
    y = np.random.default_rng(0).normal(size=c.y.numel())
    parts = [i for i, name in enumerate(c.kinematics.q_names) if name.startswith("A.q")]
    y[parts] /= np.linalg.norm(y[parts])
    found, own = f(0.0, y, np.zeros(c.p.numel()))
    np.testing.assert_allclose(np.array(found), np.array(own), atol=1e-13)


@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural", "mixed"])
def test_loops_beside_a_ball_are_audited(coordinates: str) -> None:
    result = lw.simulate(pendulum_on_a_door(), 0.3, coordinates=coordinates)
    assert result.audit.passed and "energy" in str(result)
    assert coordinates == "relative" or "branch kept" in result.audit.line
