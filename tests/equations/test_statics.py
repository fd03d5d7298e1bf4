"""Forces at rest against the energy, and the stiffness against differences of the forces, in all coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.equations import place_state
from linkwork.equations.statics.forces_at_rest import Statics
from linkwork.numerics.paths.rest import balance


def loaded() -> lw.Model:
    """A spatial pendulum of two bars on balls, with springs, dead loads and a ground that turns and accelerates."""
    data: dict[str, Any] = {
        "space": "spatial",
        "gravity": [0, 0, -9.81],
        "base": {"omega": [0.3, -0.2, 1.1], "acceleration": [0.5, 0.2, -0.3]},
        "points": {"O": [0, 0, 0], "A": [0.3, 0.3, 0.2], "B": [0.7, 0.1, 0.1], "W": [1, 1, 0]},
        "bodies": {
            "upper": {"points": ["O", "A"], "mass": 1, "com": [0.2, 0.1, 0.1], "inertia": [0.02, 0.03, 0.025]},
            "lower": {"points": ["A", "B"], "mass": 0.7, "com": [0.5, 0.1, 0.2], "inertia": [0.02, 0.015, 0.025]},
        },
        "joints": {
            "O": {"kind": "spherical", "bodies": ["ground", "upper"]},
            "A": {"kind": "revolute", "bodies": ["upper", "lower"], "axis": [0, 1, 0]},
        },
        "forces": {
            "spring": {"kind": "spring", "between": ["lower.B", "ground.W"], "stiffness": 30, "free_length": 0.2},
            "dead": {"kind": "force", "at": "lower.B", "value": [1, -2, 3]},
            "motor": {"kind": "effort", "joint": "A", "value": 0.7},
        },
    }
    return lw.Model(**data)


@pytest.mark.parametrize("kind", ["relative", "reference_point", "natural", "mixed"])
def test_forces_are_slopes_of_the_energy_and_stiffness_that_of_the_forces(kind: str) -> None:
    topology = lw.analyse(loaded())
    c = lw.number(topology, kind)
    y, p = place_state(c, topology.assembly, topology.geometry.defaults)
    statics = Statics(c, 0.0, p)
    x = statics.close(statics.position(y))[0]
    now, h = balance(statics, x), 1e-5
    for k in range(now.directions.shape[1]):
        ahead, back = (statics.close(statics.move(x, s * h * now.directions[:, k]))[0] for s in (1, -1))
        slope = (statics.energy(ahead) - statics.energy(back)) / (2 * h)
        assert -slope == pytest.approx(now.force[k], rel=1e-7, abs=1e-7)
        # along itself: the second derivative of the energy on a path whose curvature does no work to first order
        push = statics.push(*[statics.forces(x)[i] for i in (0, 2)])
        forces = []
        for place in (ahead, back):
            acting, _, jacobian = statics.forces(place)
            forces.append(acting + jacobian.T @ push)
        change = -(forces[0] - forces[1]) / (2 * h)
        expected = statics.stiffness(x, push) @ now.directions[:, k]
        np.testing.assert_allclose(change, expected, rtol=1e-6, atol=1e-5 * now.stiffest)
