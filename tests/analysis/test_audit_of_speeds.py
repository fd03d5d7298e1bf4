"""What the audit allows positions that are compared with speeds: no alarm of runs that are right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms import simple_pendulum

import linkwork as lw

MECHANISMS = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"


@pytest.mark.parametrize("options", [{}, {"coordinates": "reference_point"}, {"coordinates": "natural"}])
@pytest.mark.parametrize("side", [1, -1])
def test_dry_friction_that_begins_at_rest_is_no_alarm(options: dict[str, Any], side: int) -> None:
    """sign(0) is 0: the first acceleration is that without friction, all others are those with it.

    A point mass of 1 kg on a rod of 1 m, let go at the level: v̇ = g − f there.
    """
    place = {
        "points": {"P": [side, 0]},
        "forces": {"rubs": {"kind": "effort", "joint": "O", "value": "-2*sign(O.speed)"}},
    }
    rubs = simple_pendulum().with_(**place)
    result = lw.simulate(rubs, 0.25, step=0.0025, **options)
    assert abs(result["O.acceleration"][0]) == pytest.approx(9.81)
    assert abs(result["O.acceleration"][1]) == pytest.approx(9.81 - 2.0, rel=1e-3)
    assert result.audit.passed, str(result.audit)


def test_axes_that_hardly_turn_are_known_to_the_tolerance_of_those_that_do() -> None:
    """A component of an axis that is zero but for errors of the others: it is known to rtol of 1, not of itself."""
    gyroscope = lw.load(MECHANISMS / "gyroscope.yaml").with_(
        forces={"push": {"kind": "effort", "joint": "precession", "value": "if(t > 0.09, 2.425, 0)"}}
    )
    result = lw.simulate(
        gyroscope,
        times=np.linspace(0, 0.25, 101),
        coordinates="reference_point",
        formulation="baumgarte",
        rtol=1e-9,
        atol=1e-11,
    )
    assert result.audit.passed, str(result.audit)


def test_positions_are_known_no_better_than_loops_are_closed() -> None:
    """Errors of the place across the plane of a linkage grow, and are gone where coordinates are chosen anew: 2e-9 m."""
    engine = lw.load(MECHANISMS / "steam_engine.yaml").with_(
        forces={"rubs": {"kind": "effort", "joint": "left", "freedom": "angle", "value": "-1.688*left.speed"}},
        drivers={"leads": {"joint": "left_pin", "freedom": "angle", "speed": 3.663}},
    )
    result = lw.simulate(
        engine,
        times=np.linspace(0, 0.25, 101),
        coordinates="reference_point",
        formulation="stabilised_partitioning",
        integrator="ab3",
        fixed_step=2e-4,
    )
    assert result.audit["closure"].value > 1e-10
    assert result.audit.passed, str(result.audit)
