"""Quantities by name, reactions, outcomes and the summary."""

from collections.abc import Sequence

import numpy as np
import pytest

from exact_results import BASE, ROCKER, conical_pendulum_result, four_bar_result
from linkwork.arrays import Array
from linkwork.errors import ResultError, UnknownNameError
from linkwork.results import ArraySource, EventRecord, Outcome, Quantity, Result, Status


class CountingSource(ArraySource):
    """A source that notes every evaluation."""

    asked: list[list[str]]

    def evaluate(self, names: Sequence[str]) -> dict[str, Array]:
        self.asked.append(list(names))
        return super().evaluate(names)


@pytest.fixture
def counted() -> Result:
    original = four_bar_result()
    source = CountingSource(original.source.catalogue, original.source.evaluate(original.names()))
    object.__setattr__(source, "asked", [])
    return Result(name="counted", time=original.time, source=source, drawing=original.drawing)


def test_quantity_is_the_array_of_the_source() -> None:
    result = four_bar_result()
    np.testing.assert_allclose(np.hypot(result["B.x"] - BASE, result["B.y"]), ROCKER, rtol=1e-14)
    assert len(result) == result["B.x"].size


def test_a_point_is_found_by_each_of_its_bodies(counted: Result) -> None:
    assert counted["rocker.B.x"] is counted["coupler.B.x"] is counted["B.x"]
    assert "rocker.B.x" in counted
    assert "crank.B.x" not in counted
    assert counted.source.asked == [["B.x"]]


def test_quantities_are_evaluated_once_and_together(counted: Result) -> None:
    counted.values(["B.x", "B.y"])
    counted.values(["B.y", "A.x"])
    assert counted["B.x"] is counted["B.x"]
    assert counted.source.asked == [["B.x", "B.y"], ["A.x"]]


def test_arrays_cannot_be_changed_by_accident() -> None:
    with pytest.raises(ValueError, match="read-only"):
        four_bar_result()["B.x"][0] = 1.0


def test_unknown_name_gives_the_nearest() -> None:
    result = four_bar_result()
    assert "B.z" not in result
    with pytest.raises(UnknownNameError, match=r"'four_bar' has no quantity 'rocker\.angel'.*rocker\.angle"):
        result["rocker.angel"]


def test_patterns_select_names_in_order_without_repeats() -> None:
    result = four_bar_result()
    assert result.names("B.[xy]") == ["B.x", "B.y"]
    assert result.select(["B.y", "B.[xy]"]) == ["B.y", "B.x"]
    with pytest.raises(UnknownNameError, match=r"no quantity 'Z\.\*'"):
        result.select(["B.x", "Z.*"])


def test_energy_and_closure_are_quantities() -> None:
    result = four_bar_result()
    np.testing.assert_array_equal(result.energy, result["energy.total"])
    np.testing.assert_array_equal(result.closure_error, result["closure"])


def test_planar_reaction_has_force_and_scalar_moment() -> None:
    result = four_bar_result()
    reaction = result.reactions["B"]
    np.testing.assert_array_equal(reaction.force, np.column_stack([result["B.fx"], result["B.fy"]]))
    assert reaction.moment.shape == (len(result),)
    assert reaction.not_unique == ("mz",) and not reaction.unique
    assert result.reactions["A"].unique and not result.reactions["A"].moment.any()


def test_spatial_reaction_is_found_by_its_names() -> None:
    result = conical_pendulum_result()
    assert list(result.reactions) == ["S"]
    np.testing.assert_allclose(np.linalg.norm(result.reactions["S"].force, axis=1), 20.0, rtol=1e-14)
    assert result.reactions["S"].moment.shape == (len(result), 3)


def test_unknown_reaction_gives_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"'b'.*'B'"):
        four_bar_result().reactions["b"]


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (Outcome(), "completed"),
        (
            Outcome(Status.STOPPED_EARLY, "the loop cannot be closed at joint B", 1.25, "B"),
            "stopped at t = 1.25 s: the",
        ),
        (Outcome(Status.STOPPED_EARLY, "dead centre", 1.25, "joint B"), "stopped at t = 1.25 s: dead centre (joint B)"),
        (Outcome(Status.INTERRUPTED, "", 0.5), "interrupted at t = 0.5 s"),
        (Outcome(Status.STOPPED_BY_EVENT, "landed", 2.0), "stopped by an event at t = 2 s: landed"),
    ],
)
def test_outcome_says_what_happened(outcome: Outcome, text: str) -> None:
    assert str(outcome).startswith(text)
    assert outcome.completed is (outcome.status is Status.COMPLETED)
    assert repr(outcome).startswith(f"<Outcome: {text}"[:60]) and len(repr(outcome)) < 120


def test_outcomes_and_events_are_short_where_they_are_shown() -> None:
    assert repr(Outcome()) == "<Outcome: completed>"
    long = Outcome(Status.STOPPED_EARLY, "the loop\nopens " + "here " * 80, 0.25, "B")
    assert repr(long).startswith("<Outcome: stopped at t = 0.25 s: the loop opens here") and len(repr(long)) < 120
    assert "\n" not in repr(long) and repr(long).endswith("...>")
    assert repr(EventRecord("hit", 0.5, {"impulse": 2.0})) == "<Event: hit at t = 0.5 s (impulse = 2)>"


def test_summary_names_outcome_energy_events_and_notes() -> None:
    text = str(four_bar_result())
    for part in (
        "completed",
        "0 to 2 s, 201 samples",
        "energy 3e-09 of 135 J, closure 2e-15 m, branch kept",
        "rocker turns",
        "changed 3 times",
        "dop853",
    ):
        assert part in text


def test_summary_of_a_run_that_never_started() -> None:
    source = ArraySource({"x": Quantity("x", "m")}, {"x": np.empty(0)})
    result = Result("empty", np.empty(0), source, four_bar_result().drawing, Outcome(Status.STOPPED_EARLY, "no", 0.0))
    assert "no samples" in str(result)


def test_event_prints_its_values() -> None:
    assert str(EventRecord("stop", 0.25, {"x": 1.5})) == "stop at t = 0.25 s (x = 1.5)"


def test_source_refuses_a_catalogue_without_arrays() -> None:
    with pytest.raises(ResultError, match="differ in: x"):
        ArraySource({"x": Quantity("x", "m")}, {})
