"""Formulas that jump where their guards are zero: at the start, or several of them at one instant."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import linkwork as lw
from references.engines import Engine, boxer, single, vee_six

UNTIL = 0.3
DIRECTIONS = (0, 45, 90, 135, 150, 180, 225, 270)


@cache
def exact(make: Any) -> float:
    """The angle of the crank, which does not depend on how the engine is turned."""
    return float(make(0).angle(UNTIL))


def run(engine: Engine, **options: Any) -> lw.Result:
    options = {"rtol": 1e-11, "atol": 1e-13} | options
    result = lw.simulate(engine.model, until=UNTIL, step=UNTIL / 3, **options)
    assert result.outcome.completed, result.outcome
    return result


@pytest.mark.parametrize("degrees", DIRECTIONS)
def test_a_piston_at_its_dead_centre_starts_on_the_right_branch_however_it_is_turned(degrees: int) -> None:
    result = run(single(degrees))
    turned = result["O.angle"][-1] - result["O.angle"][0]
    assert turned == pytest.approx(exact(single), abs=1e-8)
    gained = result["energy.kinetic"][-1] - result["energy.kinetic"][0]
    assert gained == pytest.approx(single(0).work(exact(single)), abs=1e-5)
    assert gained == pytest.approx(result["gas0.work"][-1], abs=1e-5)


CELLS: list[dict[str, Any]] = [
    {"coordinates": "natural"},
    {"coordinates": "mixed"},
    {"coordinates": "reference_point", "formulation": "multipliers"},
    {"coordinates": "reference_point", "formulation": "r_projection"},
    {"coordinates": "reference_point:rotation_vector", "formulation": "multipliers"},
    {"coordinates": "natural", "formulation": "canonical"},
    {"coordinates": "relative", "formulation": "baumgarte"},
    {"integrator": "radau5"},
    {"integrator": "taylor"},
]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: "-".join(cell.values()))
@pytest.mark.parametrize("degrees", [150, 270])
def test_the_branch_is_right_in_all_coordinates_and_methods(degrees: int, cell: dict[str, Any]) -> None:
    result = run(single(degrees), **cell)
    assert result["O.angle"][-1] - result["O.angle"][0] == pytest.approx(exact(single), abs=2e-8)
    # by states inside the steps, whichever the method leaves there
    gained = result["energy.kinetic"][-1] - result["energy.kinetic"][0]
    assert gained == pytest.approx(result["gas0.work"][-1], abs=1e-5)


@pytest.mark.parametrize("integrator", ["adams", "bdf", "cvode"])
def test_methods_with_a_memory_start_on_the_right_branch_too(integrator: str) -> None:
    if integrator == "cvode":
        pytest.importorskip("sksundae")
    result = run(single(150), integrator=integrator)
    assert result["O.angle"][-1] - result["O.angle"][0] == pytest.approx(exact(single), abs=1e-6)


@pytest.mark.matrix("cell", "degrees", "make", strength=2)
@pytest.mark.parametrize("make", [boxer, vee_six])
@pytest.mark.parametrize("degrees", [0, 45])
@pytest.mark.parametrize(
    "cell",
    [{}, {"coordinates": "natural"}, {"coordinates": "reference_point", "formulation": "multipliers"}],
    ids=lambda cell: cell.get("coordinates", "relative"),
)
def test_guards_that_are_zero_at_the_same_instant_all_change(make: Any, degrees: int, cell: dict[str, Any]) -> None:
    result = run(make(degrees), **cell)
    assert result["O.angle"][-1] - result["O.angle"][0] == pytest.approx(exact(make), abs=2e-8)


def test_a_fixed_step_changes_branches_at_the_same_places() -> None:
    results = [run(boxer(45), integrator="rk4", fixed_step=UNTIL / n) for n in (1000, 4000)]
    errors = [abs(result["O.angle"][-1] - result["O.angle"][0] - exact(boxer)) for result in results]
    assert errors[0] / errors[1] == pytest.approx(4.0**4, rel=0.5)


def test_a_jump_at_the_very_end_completes_the_run() -> None:
    model = lw.Model(
        space="planar",
        points={"O": [0, 0]},
        bodies={"cart": {"points": ["O"], "mass": 2, "inertia": 1}},
        joints={"S": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "O", "axis": [1, 0]}},
        forces={"f": {"kind": "effort", "joint": "S", "value": "if(t < 0.5, 4, 0)"}},
    )
    result = lw.simulate(model, until=0.5)
    assert result.outcome.completed
    assert result["S.speed"][-1] == pytest.approx(1.0, abs=1e-9)


def test_a_guard_of_rounding_errors_alone_does_not_end_a_run() -> None:
    # the coupler of a parallelogram does not turn: its speed is a rounding error
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.3, 0.4], "B": [1.3, 0.4], "C": [1, 0]},
        bodies={name: {"bar": list(pair), "mass": 1} for name, pair in (("a", "OA"), ("b", "AB"), ("c", "CB"))},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "A": {"kind": "revolute", "bodies": ["a", "b"]},
            "B": {"kind": "revolute", "bodies": ["b", "c"]},
            "C": {"kind": "revolute", "bodies": ["ground", "c"]},
        },
        forces={"f": {"kind": "effort", "joint": "O", "value": "if(b.speed < 0, 0.2, 0.2)"}},
        initial={"O": {"speed": 3}},
    )
    for coordinates in ("relative", "natural", "reference_point"):
        result = lw.simulate(model, until=0.6, coordinates=coordinates)
        assert result.outcome.completed, (coordinates, result.outcome)
        inertia = 2 * 0.25 / 3 + 0.25
        turned = 3 * 0.6 + 0.5 * 0.2 / inertia * 0.6**2
        assert result["O.angle"][-1] - result["O.angle"][0] == pytest.approx(turned, abs=1e-8)


@pytest.mark.parametrize("integrator", ["esdirk43", "radau9", "backward_euler"])
def test_a_force_that_no_acceleration_feels_does_not_end_a_run(integrator: str) -> None:
    """Friction by sign in a driven mechanism at rest: its speed is zero but for rounding errors of either sign."""
    path = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "rscr.yaml"
    rubbing = {"kind": "effort", "joint": "B", "freedom": "position", "value": "-1.712*sign(B.position_rate)"}
    driver = {"joint": "C", "freedom": "angle", "acceleration": "if(t > 0.0363, 0.1096, 0)"}
    model = lw.load(path).with_(forces={"rubbing": rubbing}, drivers={"lead": driver})
    options: dict[str, Any] = {"coordinates": "reference_point", "formulation": "index1", "integrator": integrator}
    rtol, close = (1e-5, 1e-2) if integrator == "backward_euler" else (1e-9, 1e-6)
    result = lw.simulate(model, 0.25, step=0.05, rtol=rtol, **options)
    assert result.outcome.completed, result.outcome
    turned = 0.1096 / 2 * max(0.0, 0.25 - 0.0363) ** 2
    assert result["C.angle"][-1] - result["C.angle"][0] == pytest.approx(turned, rel=close)
    way = abs(result["B.position"][-1] - result["B.position"][0])
    assert result["rubbing.work"][-1] == pytest.approx(-1.712 * way, rel=close)


def test_a_joint_that_sticks_still_ends_a_run() -> None:
    """The same friction where it is felt: a block that comes to rest on a slope it does not slide down."""
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"block": {"mass": 1, "inertia": 1, "points": {"O": [0, 0]}}},
        joints={"slide": {"kind": "prismatic", "bodies": ["ground", "block"], "at": "O", "axis": [1, 0.1]}},
        forces={"rubbing": {"kind": "effort", "joint": "slide", "value": "-5*sign(slide.speed)"}},
        initial={"slide": {"speed": 1.0}},
    )
    result = lw.simulate(model, 1.0, step=0.1)
    assert "jumps back and forth without end" in result.outcome.reason
    assert result.outcome.time == pytest.approx(1.0 / (5 + 9.81 * 0.1 / 1.01**0.5), rel=1e-6)


def test_a_joint_that_sticks_beside_a_formula_that_nothing_feels_ends_a_run() -> None:
    """Two formulas jump in rounding errors, and only one of them is felt: neither wakes the other for ever."""
    path = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "sarrus.yaml"
    later = {"kind": "effort", "joint": "B2", "value": "if(t < 0.1104, 0, if(B2.speed > 0, -6.408, 6.332))"}
    rubbing = {"kind": "effort", "joint": "A1", "value": "-34.46*sign(A1.speed)"}
    result = lw.simulate(lw.load(path).with_(forces={"later": later, "rubbing": rubbing}), 0.25, max_steps=30_000)
    assert "'-34.46*sign(A1.speed)' jumps back and forth without end" in result.outcome.reason
