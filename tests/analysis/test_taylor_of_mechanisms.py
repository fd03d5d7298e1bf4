"""The Taylor method on mechanisms: the motion of other methods, through changes of inputs and where formulas end."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.formulations import Hybrid
from linkwork.errors import RefusedError

TIGHT = {"rtol": 1e-11, "atol": 1e-12}


@functools.cache
def rocking() -> lw.Model:
    """A four-bar without a crank: every coordinate turns back, so that the inputs must change."""
    pairs = {"O": ["ground", "crank"], "A": ["crank", "coupler"], "B": ["coupler", "rocker"], "C": ["ground", "rocker"]}
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "C": [2.2, 0], "A": [0.3, 0.9539392014169456], "B": [1.6, 1.4]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "coupler": {"bar": ["A", "B"], "mass": 1.4},
            "rocker": {"bar": ["C", "B"], "mass": 1.5},
        },
        joints={name: {"kind": "revolute", "bodies": pair} for name, pair in pairs.items()},
        initial={"O": {"speed": 2.0}},
    )


@functools.cache
def pendulum(torque: str) -> lw.Model:
    """A pendulum that hangs, with a torque."""
    return lw.loads(f"""
linkwork: 1
space: planar
gravity: [9.81, 0]
points: {{O: [0, 0], A: [1, 0]}}
bodies: {{rod: {{bar: [O, A], mass: 2}}}}
joints: {{O: {{kind: revolute, bodies: [ground, rod]}}}}
forces: {{drive: {{kind: torque, body: rod, value: "{torque}"}}}}
initial: {{O: {{speed: 3}}}}
""")


@functools.cache
def reference() -> np.ndarray:
    result = lw.simulate(rocking(), 3.0, coordinates="natural", formulation="multipliers", integrator="dop853", **TIGHT)
    return result["rocker.angle"]


@pytest.mark.parametrize("variants", [1, 3])
def test_inputs_change_and_formulas_end(variants: int) -> None:
    """With one set of inputs coordinate partitioning takes over near its dead centre, which has no series."""
    result = lw.simulate(rocking(), 3.0, formulation=Hybrid(variants=variants), integrator="taylor", **TIGHT)
    assert "the set changed" in result.statistics["workings"]
    assert result["rocker.angle"] == pytest.approx(reference(), abs=1e-8)
    assert np.max(result["closure"]) < 1e-13


def test_multipliers_have_series_too() -> None:
    result = lw.simulate(rocking(), 3.0, formulation="multipliers", integrator="taylor", **TIGHT)
    assert result["rocker.angle"] == pytest.approx(reference(), abs=1e-8)


@pytest.mark.parametrize("torque", ["2*sin(2*t) - 0.1*O.speed", "-80*max(O.angle, 0)"])
def test_driven_pendulum_and_one_that_meets_a_spring(torque: str) -> None:
    runs = [
        lw.simulate(pendulum(torque), 4.0, integrator=name, events={"low": "O.angle"}, **TIGHT)
        for name in ("taylor", "dop853")
    ]
    assert runs[0]["O.angle"] == pytest.approx(runs[1]["O.angle"], abs=1e-8)
    times = [[event.time for event in run.events] for run in runs]
    assert times[0] == pytest.approx(times[1], abs=1e-8)
    assert len(times[0]) > 2


def test_works_are_integrated_as_exactly_as_the_motion() -> None:
    result = lw.simulate(pendulum("3*sin(2*t)"), 4.0, integrator="taylor", **TIGHT)
    energy = result["energy.total"]
    assert energy - energy[0] == pytest.approx(result["drive.work"], abs=1e-8)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"formulation": "partitioning"}, "not one expression"),
        ({"formulation": Hybrid(closed_form=False)}, "by iteration"),
        ({"backend": "reference"}, "take 'cpu'"),
    ],
)
def test_what_has_no_series_is_refused_with_the_reason(options: dict[str, object], reason: str) -> None:
    with pytest.raises(RefusedError, match=reason):
        lw.simulate(rocking(), 1.0, integrator="taylor", **options)  # type: ignore[arg-type]
