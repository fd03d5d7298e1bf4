"""A driver that pushes a joint past its dead centre: the run stops and names the limit to the last digits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import drawn_linkages
import numpy as np
import pytest
from drawn_linkages import revolute
from linkage_limits import four_bar_limits, slider_crank_limits

import linkwork as lw
from linkwork.results.outcome import Outcome, Status

BOTH = pytest.mark.parametrize("kind", ["relative", "natural"])
TRIPLE_ROCKER = (1.5, 1.9, 1.2, 3.0)
HIGHEST = four_bar_limits(*TRIPLE_ROCKER).input[0].high


def driven(model: lw.Model, **drivers: Any) -> lw.Model:
    return lw.Model(**(model.to_dict() | {"drivers": drivers}))


def stop(model: lw.Model, kind: str, **options: Any) -> Outcome:
    result = lw.simulate(model, 5.0, step=0.1, coordinates=kind, **options)
    assert result.status is Status.STOPPED_EARLY
    assert result.outcome.element in str(result.outcome)
    return result.outcome


def assert_limit(outcome: Outcome, joint: str, limit: float, angular: bool = True) -> None:
    """The field has the exact value, and so has the text, as far as it is printed."""
    assert outcome.element == joint
    assert outcome.limit == pytest.approx(limit, abs=1e-12)
    numbers = re.search(r"past its limit of (\S+) (deg|m)(?: \((\S+) rad\))?:", outcome.reason)
    assert numbers is not None
    assert float(numbers[1]) == pytest.approx(np.degrees(limit) if angular else limit, rel=1e-11)
    assert not angular or float(numbers[3]) == pytest.approx(limit, rel=1e-11)


@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
@BOTH
def test_four_bar_without_a_crank(kind: str, formulation: str) -> None:
    model = driven(drawn_linkages.four_bar(TRIPLE_ROCKER, 0.8, 1), motor={"joint": "O", "position": "0.8 + t"})
    outcome = stop(model, kind, formulation=formulation)
    assert_limit(outcome, "O", HIGHEST)
    assert outcome.reason.startswith("driver 'motor' drives joint O past its limit of ")
    assert outcome.reason.endswith(": the loop cannot close beyond it (dead centre of A, B and C)")
    assert outcome.time == pytest.approx(HIGHEST - 0.8, abs=1e-3)


@BOTH
def test_limits_are_counted_in_the_turn_of_the_driver(kind: str) -> None:
    """The same limit, reached downwards by speed from a start two turns away."""
    start = 0.8 + 4 * np.pi
    motor = {"joint": "O", "speed": "-t", "initial": start}
    outcome = stop(driven(drawn_linkages.four_bar(TRIPLE_ROCKER, 0.8, 1), motor=motor), kind)
    assert_limit(outcome, "O", 4 * np.pi - HIGHEST)


@BOTH
def test_a_fixed_step_ends_before_the_limit(kind: str) -> None:
    model = driven(drawn_linkages.four_bar(TRIPLE_ROCKER, 0.8, 1), motor={"joint": "O", "position": "0.8 + t"})
    outcome = stop(model, kind, integrator="rk4", fixed_step=0.07)
    assert_limit(outcome, "O", HIGHEST)


@BOTH
def test_slider_crank_whose_crank_is_longer_than_its_rod(kind: str) -> None:
    lengths = (1.5, 0.8, 0.1)
    exact = slider_crank_limits(*lengths)
    model = drawn_linkages.slider_crank(lengths, 0.3, 1)
    turned = stop(driven(model, motor={"joint": "O", "position": "0.3 + t**2"}), kind)
    assert_limit(turned, "O", exact.input[0].high)
    assert "dead centre of A, B and guide" in turned.reason
    travel = float(1.5 * np.cos(0.3) + np.sqrt(0.8**2 - (0.1 - 1.5 * np.sin(0.3)) ** 2))
    pushed = stop(driven(model, cylinder={"joint": "guide", "position": f"{travel!r} + t/3"}), kind)
    assert_limit(pushed, "guide", exact.output[1].high, angular=False)
    assert "dead centre of O, A and B" in pushed.reason


@BOTH
def test_a_spatial_linkage_with_a_rod_that_may_spin(kind: str) -> None:
    low, high = drawn_linkages.rssr_limits()
    for speed, limit in ((0.1, high), (-0.1, low)):
        motor = {"joint": "C", "position": f"{speed}*t"}
        outcome = stop(driven(drawn_linkages.rssr(), motor=motor), kind)
        assert_limit(outcome, "C", limit)


@BOTH
def test_what_hangs_freely_does_not_move_the_limit(kind: str) -> None:
    data = drawn_linkages.four_bar(TRIPLE_ROCKER, 0.8, 1).to_dict() | {"gravity": [0, -9.81]}
    x, y = data["points"]["B"]
    data["points"]["Q"] = [x + 0.5, y - 0.4]
    data["bodies"]["pendulum"] = {"bar": ["B", "Q"], "mass": 1}
    data["joints"]["P"] = revolute("coupler", "pendulum", at="B")
    outcome = stop(driven(lw.Model(**data), motor={"joint": "O", "position": "0.8 + t"}), kind)
    assert_limit(outcome, "O", HIGHEST)


@BOTH
def test_of_several_drivers_the_moving_one_is_named(kind: str) -> None:
    """A five-bar with one crank held: it stops where the two couplers are stretched."""
    points = {"O": [0, 0], "A": [-0.3, 1], "B": [1, 1.8], "D": [2.3, 1], "C": [2, 0]}
    bars = {"l1": ["O", "A"], "l2": ["A", "B"], "l3": ["D", "B"], "l4": ["C", "D"]}
    model = lw.Model(
        space="planar",
        points=points,
        bodies={name: {"bar": ends, "mass": 1} for name, ends in bars.items()},
        joints={
            "O": revolute("ground", "l1"),
            "A": revolute("l1", "l2"),
            "B": revolute("l2", "l3"),
            "D": revolute("l4", "l3"),
            "C": revolute("ground", "l4"),
        },
    )
    angles = [float(np.arctan2(1, x)) for x in (-0.3, 0.3)]
    left = {"joint": "O", "position": f"{angles[0]!r} + t/2"}
    right = {"joint": "C", "position": f"{angles[1]!r}"}
    outcome = stop(driven(model, right=right, left=left), kind)
    crank, reach = float(np.hypot(0.3, 1)), 2 * float(np.hypot(1.3, 0.8))
    # triangle of crank, line to D, and both couplers in line
    to_d = np.hypot(2.3, 1)
    limit = np.arctan2(1, 2.3) + np.arccos((crank**2 + to_d**2 - reach**2) / (2 * crank * to_d))
    assert_limit(outcome, "O", float(limit))
    assert "driver 'left'" in outcome.reason and "the other drivers where they are" in outcome.reason


def test_a_saved_result_keeps_the_limit(tmp_path: Path) -> None:
    model = driven(drawn_linkages.four_bar(TRIPLE_ROCKER, 0.8, 1), motor={"joint": "O", "position": "0.8 + t"})
    result = lw.simulate(model, 5.0, step=0.1)
    result.save(tmp_path / "stopped.nc")
    assert lw.load_result(tmp_path / "stopped.nc").outcome == result.outcome
    assert result.outcome.limit is not None


def test_other_stops_name_no_limit() -> None:
    data = drawn_linkages.four_bar(TRIPLE_ROCKER, 0.8, 1).to_dict()
    data["drivers"] = {"motor": {"joint": "O", "position": "0.8 + 0.1*sqrt(0.5 - t)"}}
    result = lw.simulate(lw.Model(**data), 1.0, step=0.1)
    assert result.status is Status.STOPPED_EARLY
    assert result.outcome.limit is None and result.outcome.element == "motor"


def test_the_limit_is_that_of_the_closed_loop_where_penalties_open_it() -> None:
    """They push the driver on behind the limit, by a degree; what is told is where the loop could still be closed."""
    model = lw.example("rggr")
    limit = lw.find_limits(model, "C").coordinates["C.angle"].range.high
    pushed = model.with_(drivers={"lead": {"joint": "C", "speed": 2.126}})
    options = {"coordinates": "mixed", "formulation": "index3_augmented_lagrangian"}
    outcome = lw.simulate(pushed, 0.25, step=0.0025, fixed_step=1e-4, **options).outcome
    assert outcome.limit == pytest.approx(limit, abs=1e-9)
