"""Events of the oscillator (cos t, -sin t), whose times are known exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compiled_flows import circle, clock, events, flow, onto_circle, oscillator, shifted_cosines

from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus

ADAPTIVE = [method for method in ALL_METHODS if method.adaptive and method.order > 3]
EXPLICIT = [method for method in ALL_METHODS if not (method.implicit or method.variable_order)]
ACCURATE = [method for method in EXPLICIT if method.order > 2]  # at half a radian a step
methods = pytest.mark.parametrize("method", EXPLICIT, ids=lambda method: method.name)
accurate = pytest.mark.parametrize("method", ACCURATE, ids=lambda method: method.name)
adaptive = pytest.mark.parametrize("method", ADAPTIVE, ids=lambda method: method.name)
TIGHT: dict[str, Any] = {"rtol": 1e-13, "atol": 1e-13}
GRID = np.linspace(0.0, 10.0, 11)


def crossings(value: float, until: float) -> list[float]:
    """Times at which cos t = value."""
    first = np.arccos(value)
    times = [s * first + 2 * np.pi * k for k in range(5) for s in (1, -1)]
    return sorted(t for t in times if 0.0 < t < until)


@adaptive
def test_times_are_exact(method: Method) -> None:
    found = integrate(method, flow(oscillator), [1.0, 0.0], GRID, events=events(shifted_cosines, [0.3, 5.0]), **TIGHT)
    expected = crossings(0.3, 10.0)
    assert [event.index for event in found.events] == [0] * len(expected)
    np.testing.assert_allclose([event.t for event in found.events], expected, atol=1e-11)
    for event in found.events:
        np.testing.assert_allclose(event.y, [np.cos(event.t), -np.sin(event.t)], atol=1e-11)
    assert found.status is RunStatus.COMPLETED


@methods
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_location_is_as_fine_as_the_time(method: Method, offset: float) -> None:
    """A zero in t alone has no error of integration: it is found to 1e-12 of the time, at or after the zero."""
    target = offset + 0.5 * np.sqrt(2.0)
    found = integrate(
        method, flow(oscillator), [1.0, 0.0], [offset, offset + 1.0], events=events(clock, [target]), step=0.2
    )
    (event,) = found.events
    assert 0.0 <= event.t - target <= 1e-14 * max(offset, 1.0)


@adaptive
@pytest.mark.parametrize(("direction", "rising"), [(1, True), (-1, False)])
def test_direction(method: Method, direction: int, rising: bool) -> None:
    watch = events(shifted_cosines, [0.3, 5.0], directions=[direction, 0])
    found = integrate(method, flow(oscillator), [1.0, 0.0], GRID, events=watch, **TIGHT)
    expected = [t for t in crossings(0.3, 10.0) if (np.sin(t) < 0.0) == rising]
    np.testing.assert_allclose([event.t for event in found.events], expected, atol=1e-11)


@accurate
def test_two_events_in_one_step_come_in_time_order(method: Method) -> None:
    """-sin t = -0.2 comes before cos t = 0.95."""
    size = 0.5
    watch = events(shifted_cosines, [0.95, -0.2])
    found = integrate(method, flow(oscillator), [1.0, 0.0], [0.0, size], events=watch, step=size)
    assert found.statistics.steps == 1
    assert [event.index for event in found.events] == [1, 0]
    times = [event.t for event in found.events]
    np.testing.assert_allclose(times, [np.arcsin(0.2), np.arccos(0.95)], atol=1e-3)


@accurate
def test_terminal_event_ends_the_run(method: Method) -> None:
    """The first event is recorded, the terminal one is the last output, the later one does not occur."""
    size = 0.6
    watch = events(shifted_cosines, [0.95, -0.2], terminal=[True, False])
    grid = np.linspace(0.0, 0.6, 13)
    found = integrate(method, flow(oscillator), [1.0, 0.0], grid, events=watch, step=size)
    assert found.status is RunStatus.EVENT
    assert [event.index for event in found.events] == [1, 0]
    assert found.t[-1] == found.t_reached == found.step_times[-1] == found.events[-1].t
    np.testing.assert_array_equal(found.y[-1], found.events[-1].y)
    np.testing.assert_array_equal(found.t[:-1], grid[grid < found.t_reached])
    np.testing.assert_allclose(found.y[:, 0], np.cos(found.t), atol=2e-3)
    first = integrate(
        method, flow(oscillator), [1.0, 0.0], grid, events=events(shifted_cosines, [0.95, -0.2], 0, True), step=size
    )
    assert [event.index for event in first.events] == [1]


def test_event_at_a_grid_point_is_written_once() -> None:
    found = integrate(
        "dopri5",
        flow(oscillator),
        [1.0, 0.0],
        [0.0, 0.25, 0.5, 0.75],
        events=events(clock, [0.5], terminal=True),
        step=0.25,
    )
    np.testing.assert_array_equal(found.t, [0.0, 0.25, 0.5])
    assert found.status is RunStatus.EVENT


def test_event_at_the_end_of_a_step_counts_once() -> None:
    found = integrate("rk4", flow(oscillator), [1.0, 0.0], GRID, events=events(clock, [0.5]), step=0.25)
    assert [event.t for event in found.events] == [0.5]


def test_zero_at_the_start_is_no_event() -> None:
    found = integrate("rk4", flow(oscillator), [1.0, 0.0], GRID, events=events(clock, [0.0]), step=0.25)
    assert found.events == ()


def test_events_see_corrected_states() -> None:
    """Coarse steps: on the refreshed dense output the event state lies on the circle, at its own polar angle."""
    watch = events(shifted_cosines, [0.5, 5.0], terminal=True)
    found = integrate("rk4", flow(circle, onto_circle), [1.0, 0.0], [0.0, 3.0], events=watch, step=0.5)
    assert np.hypot(*found.events[0].y) == pytest.approx(1.0, abs=4e-16)
    assert found.events[0].y[0] == pytest.approx(0.5, abs=1e-13)


def test_more_events_than_one_buffer_holds() -> None:
    watch = events(shifted_cosines, [0.0, 0.0])
    found = integrate("dop853", flow(oscillator), [1.0, 0.0], [0.0, 400.0], events=watch, **TIGHT)
    cosine = [event.t for event in found.events if event.index == 0]
    np.testing.assert_allclose(cosine, np.pi * (np.arange(len(cosine)) + 0.5), atol=1e-9)
    assert len(cosine) == 127
    assert len(found.events) == 127 + 127


STEPPED = [m for m in EXPLICIT if m.order >= 5 and not m.remembers]  # to 1e-5 at half a radian a step
LONG = pytest.mark.parametrize("method", STEPPED, ids=lambda method: method.name)


@LONG
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("direction", [0, 1, -1])
def test_functions_that_cross_twice_in_a_step_are_found(method: Method, sign: int, direction: int) -> None:
    """cos t rises above 0.995 and falls again within 0.2 s, a step takes 0.5 s; below -0.995 the other way round."""
    watch = events(shifted_cosines, [sign * 0.995, 5.0], directions=[direction, 0])
    found = integrate(method, flow(oscillator), [1.0, 0.0], [0.0, 20.0], events=watch, step=0.5)
    expected = [t for t in crossings(sign * 0.995, 20.0) if direction * np.sin(t) <= 0.0]
    assert len(expected) >= (6 if direction == 0 else 3)
    np.testing.assert_allclose([event.t for event in found.events], expected, atol=2e-2)
    assert np.all(np.diff([event.t for event in found.events]) > 0.0)


@pytest.mark.parametrize("method", ["dop853", "radau5", "adams"])
@pytest.mark.parametrize("width", [1e-2, 3e-3])
def test_crossings_that_are_nearer_than_looks_are_found(method: str, width: float) -> None:
    """The region is a hundredth of a step, and there is no output inside it."""
    watch = events(shifted_cosines, [np.cos(width), 5.0])
    options = {"step": 0.5} if method == "dop853" else {"rtol": 1e-10, "atol": 1e-12}
    found = integrate(method, flow(oscillator), [1.0, 0.0], [0.0, 20.0], events=watch, **options)
    expected = crossings(float(np.cos(width)), 20.0)
    assert len(expected) == 7
    np.testing.assert_allclose([event.t for event in found.events], expected, atol=1e-4)


def test_a_function_that_ends_the_run_does_so_where_it_crosses_first() -> None:
    watch = events(shifted_cosines, [0.995, 0.0], terminal=[True, False], directions=[1, 0])
    found = integrate("dop853", flow(oscillator), [0.0, -1.0], [np.pi / 2, 20.0], events=watch, step=0.5)
    assert found.status is RunStatus.EVENT
    assert [event.index for event in found.events] == [1, 0]
    assert found.t_reached == pytest.approx(2 * np.pi - np.arccos(0.995), abs=1e-5)
    np.testing.assert_array_equal(found.y[-1], found.events[-1].y)


def test_zeros_of_several_functions_come_in_order() -> None:
    """-sin t is zero between the two zeros of cos t - 0.995."""
    watch = events(shifted_cosines, [0.995, 0.0])
    start = 2 * np.pi - 0.27
    y0 = [np.cos(start), -np.sin(start)]
    found = integrate("dop853", flow(oscillator), y0, [start, start + 0.5], events=watch, step=0.5)
    assert [event.index for event in found.events] == [0, 1, 0]
    zero = np.arccos(0.995)
    np.testing.assert_allclose([e.t - 2 * np.pi for e in found.events], [-zero, 0.0, zero], atol=1e-5)


def test_a_function_that_does_not_reach_zero_is_no_event() -> None:
    """cos t - 1.0001 bends up to -0.0001 and down again."""
    watch = events(shifted_cosines, [1.0001, 5.0])
    found = integrate("dop853", flow(oscillator), [0.0, -1.0], [np.pi / 2, 20.0], events=watch, step=0.5)
    assert found.events == ()
