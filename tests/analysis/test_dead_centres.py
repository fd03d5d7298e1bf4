"""Dead centres of drivers: none is told where a motor carries its crank on, and a real one is told once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from drawn_linkages import four_bar
from linkages import revolute

import linkwork as lw


def crank_rocker(ground: float, speed: float) -> lw.Model:
    """Links 1, 3, 3: the crank turns as long as 1 + ground < 6, and passes ever closer to links in one line."""
    drawn = four_bar((1, 3, 3, ground), 1.0, side=1.0)
    return drawn.with_(gravity=[0, -9.81], drivers={"m": {"joint": "O", "speed": speed}})


@pytest.mark.matrix("kind", "formulation")
@pytest.mark.parametrize(
    ("kind", "formulation"),
    [("relative", None), ("natural", "partitioning"), ("relative", "multipliers"), ("reference_point", "multipliers")],
)
@pytest.mark.parametrize(("speed", "step"), [(1000.0, 0.0023), (1.0, 2.3)])
def test_a_crank_that_its_motor_carries_on_is_at_no_dead_centre(
    kind: str, formulation: str | None, speed: float, step: float
) -> None:
    """A right run, however far apart its outputs are: states interpolated between them are no states."""
    model, until = crank_rocker(4.999, speed), 200 / speed
    result = lw.simulate(model, until, step=step, coordinates=kind, formulation=formulation)
    assert result.outcome.completed and result.audit.passed
    np.testing.assert_allclose(result["O.angle"][-1] - result["O.angle"][0], speed * until, rtol=1e-9)
    assert not [note for note in result.notes if "singular" in note or "dead centre" in note]


@pytest.mark.parametrize("kind", ["natural", "relative"])
def test_a_dead_centre_that_is_passed_is_told_once(kind: str) -> None:
    """A slide that is driven as the crank would drive it stands still where the crank is in line, at 5 t + φ = π."""
    start = math.atan2(0.08, 0.06)
    drawn = 0.06 + math.sqrt(0.09 - 0.0064)
    angle = f"(5*t + {start!r})"
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.06, 0.08], "B": [drawn, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 1},
            "piston": {"points": ["B"], "mass": 1, "inertia": 0.01},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "rod"),
            "B": revolute("rod", "piston"),
            "S": {"kind": "prismatic", "bodies": ["ground", "piston"], "at": "B", "axis": [1, 0]},
        },
        drivers={"m": {"joint": "S", "position": f"0.1*cos{angle} + sqrt(0.09 - (0.1*sin{angle})^2) - {drawn!r}"}},
    )
    result = lw.simulate(model, 1.0, step=0.01, coordinates=kind, formulation="penalty")
    told = [note for note in result.notes if "dead centre" in note]
    assert len(told) == 1 and told[0].startswith(f"1 singular position ({(math.pi - start) / 5:.6g} s): dead centre: m")
