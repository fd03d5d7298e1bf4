"""Formulas of the state that jump there and back within one step, against legs of SciPy that end at every jump."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.results.outcome import Status

CELLS: list[dict[str, Any]] = [
    {"integrator": "dop853"},
    {"integrator": "dop853", "coordinates": "natural"},
    {"integrator": "radau5"},
    {"integrator": "adams"},
]
cells = pytest.mark.parametrize("cell", CELLS, ids=lambda cell: "-".join(cell.values()))
PUSH, PLACE = 50.0, 1.5  # torque in a narrow region about the angle -PLACE
CRANK, ROD = 0.1, 0.3  # the slide begins at √(ROD² - CRANK²), its dead centre is at CRANK + ROD
DEAD = CRANK + ROD - float(np.sqrt(ROD**2 - CRANK**2))


def pendulum(width: float) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0, -1]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        forces={"push": {"kind": "effort", "joint": "O", "value": f"if(abs(O.angle + {PLACE}) < {width}, {PUSH}, 0)"}},
        initial={"O": {"angle": -1.0, "speed": 1.0}},
    )


def slider_crank(depth: float, stiffness: float = 1e5) -> lw.Model:
    x = f"(slide.position - {DEAD - depth:.17g})"
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0, CRANK], "B": [float(np.sqrt(ROD**2 - CRANK**2)), 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 0.5},
            "piston": {"points": ["B"], "mass": 0.3, "inertia": 1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
            "B": {"kind": "revolute", "bodies": ["rod", "piston"]},
            "slide": {"kind": "prismatic", "bodies": ["ground", "piston"], "at": "B", "axis": [1, 0]},
        },
        forces={"stop": {"kind": "effort", "joint": "slide", "value": f"if({x} > 0, -{stiffness}*{x}, 0)"}},
        initial={"O": {"speed": -10}},
    )


def in_legs(rate: Callable[..., float], guard: Callable[[float], float], start: list[float], until: float) -> Any:
    """The state at the end: q̈ = rate(q, q̇, inside), with legs that end where the guard, negative inside, is zero.

    Steps are so short that none passes a dip.
    """
    t, y, inside, jumps = 0.0, np.array(start), guard(start[0]) < 0, 0
    while t < until:

        def crossing(t: float, y: Any) -> float:
            return guard(y[0])

        crossing.terminal, crossing.direction = True, 1.0 if inside else -1.0  # type: ignore[attr-defined]
        leg = solve_ivp(
            lambda t, y, inside=inside: [y[1], rate(y[0], y[1], inside)],
            (t, until),
            y,
            "DOP853",
            events=crossing,
            rtol=1e-12,
            atol=1e-13,
            max_step=1e-4,
        )
        t, y = float(leg.t[-1]), leg.y[:, -1]
        if t < until:
            inside, jumps = not inside, jumps + 1
    return y, jumps


@cache
def exact_pendulum(width: float, until: float) -> Any:
    def rate(q: float, v: float, inside: bool) -> float:
        return 3.0 * ((PUSH if inside else 0.0) - 9.81 * 0.5 * np.cos(q))

    return in_legs(rate, lambda q: abs(q + PLACE) - width, [-1.0, 1.0], until)


@pytest.mark.parametrize("width", [0.004, 0.001])
@cells
def test_a_pendulum_is_pushed_in_a_region_narrower_than_a_step(width: float, cell: dict[str, Any]) -> None:
    until = 1.5
    expected, jumps = exact_pendulum(width, until)
    assert jumps >= 2
    result = lw.simulate(pendulum(width), until=until, step=until, rtol=1e-9, atol=1e-11, **cell)
    assert result.outcome.completed
    assert result["O.angle"][-1] == pytest.approx(expected[0], abs=2e-6)
    assert result["O.speed"][-1] == pytest.approx(expected[1], abs=2e-6)


def inertia_and_slide(q: float) -> tuple[float, float, float]:
    """Inertia about the crank, place of the slide from its dead centre and its derivative; q from that dead centre."""
    s, c = CRANK * np.sin(q), CRANK * np.cos(q)
    depth = np.sqrt(ROD**2 - s**2)
    slide, turn = -s - s * c / depth, -c / depth
    middle = 0.25 * ((-s + slide) ** 2 + c**2)
    inertia = CRANK**2 / 3 + 0.3 * slide**2 + 0.5 * (middle + ROD**2 / 12 * turn**2)
    return float(inertia), float(c + depth - CRANK - ROD), float(slide)


@cache
def exact_crank(depth: float, stiffness: float, until: float) -> Any:
    def rate(q: float, v: float, inside: bool) -> float:
        e = 1e-5
        here, place, slide = inertia_and_slide(q)
        # fourth-order difference of I(q)
        near, far = (inertia_and_slide(q + k * e)[0] - inertia_and_slide(q - k * e)[0] for k in (1, 2))
        slope = (8 * near - far) / (12 * e)
        return ((-stiffness * (place + depth) * slide if inside else 0.0) - 0.5 * slope * v**2) / here

    return in_legs(rate, lambda q: -inertia_and_slide(q)[1] - depth, [np.pi / 2, -10.0], until)


@pytest.mark.parametrize(("depth", "stiffness"), [(1e-6, 1e9), (1e-7, 1e11)])
@cells
def test_a_stop_is_touched_for_a_moment_at_the_dead_centre(
    depth: float, stiffness: float, cell: dict[str, Any]
) -> None:
    """For 0.8 and 0.2 ms: a run that leaps over it has a crank that is 1.3e-6 and 4e-7 rad ahead."""
    until = 0.3
    expected, jumps = exact_crank(depth, stiffness, until)
    assert jumps >= 2
    result = lw.simulate(slider_crank(depth, stiffness), until=until, step=until, rtol=1e-10, atol=1e-12, **cell)
    assert result.outcome.completed
    assert result["O.angle"][-1] == pytest.approx(expected[0], abs=2e-8)
    assert result["stop.work"][-1] == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize("depth", [0.0, 1e-15, 1e-13, 1e-11, -1e-13])
@cells
def test_a_dip_that_only_grazes_is_passed(depth: float, cell: dict[str, Any]) -> None:
    result = lw.simulate(slider_crank(depth), until=2.0, step=2.0, **cell)
    assert result.outcome.completed, result.outcome
    assert result.statistics["steps"] < 3000
    free = lw.simulate(slider_crank(-1.0), until=2.0, step=2.0, **cell)
    assert result["O.angle"][-1] == pytest.approx(free["O.angle"][-1], abs=1e-4)


EVENT_CELLS: list[dict[str, Any]] = [
    *CELLS,
    {"integrator": "taylor"},
    *[{"integrator": name} for name in ("cvode", "ida")],
]
event_cells = pytest.mark.parametrize("cell", EVENT_CELLS, ids=lambda cell: "-".join(cell.values()))


@cache
def zone_times(width: float, until: float) -> list[tuple[float, int]]:
    """When a pendulum that nothing pushes enters (+1) and leaves (-1) a zone about -PLACE: it passes its edges, by SciPy."""
    edges = [lambda t, y, edge=edge: y[0] - edge for edge in (-PLACE - width, -PLACE + width)]
    free = solve_ivp(
        lambda t, y: [y[1], -1.5 * 9.81 * np.cos(y[0])],
        (0.0, until),
        [-1.0, 1.0],
        "DOP853",
        events=edges,
        rtol=1e-12,
        atol=1e-13,
    )
    times = sorted(float(t) for found in free.t_events for t in found)
    return [(t, 1 if i % 2 == 0 else -1) for i, t in enumerate(times)]


def swinging() -> lw.Model:
    data = pendulum(0.1).to_dict()
    del data["forces"]
    return lw.Model(**data)


@pytest.mark.matrix("cell", "direction", "width", strength=2)
@pytest.mark.parametrize("width", [0.05, 0.004])
@pytest.mark.parametrize("direction", [0, 1, -1])
@event_cells
def test_events_of_a_user_that_cross_twice_in_a_step(cell: dict[str, Any], direction: int, width: float) -> None:
    if cell["integrator"] in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    until = 3.0
    expected = [t for t, way in zone_times(width, until) if direction * way >= 0]
    assert len(expected) >= (6 if direction == 0 else 3)
    zone = lw.Event(f"{width} - abs(O.angle + {PLACE})", direction=direction)
    options = {"until": until, "step": until, "rtol": 1e-8, "atol": 1e-10} | cell
    result = lw.simulate(swinging(), events={"zone": zone}, **options)
    np.testing.assert_allclose([event.time for event in result.events], expected, atol=2e-5)
    # and the run ends at the first one
    stopped = lw.simulate(swinging(), events={"zone": lw.Event(zone.formula, direction, stop=True)}, **options)
    assert stopped.status is Status.STOPPED_BY_EVENT
    assert stopped.time[-1] == pytest.approx(expected[0], abs=2e-5)


@pytest.mark.parametrize("integrator", ["cvode", "ida"])
def test_sundials_see_forces_that_jump_there_and_back_within_a_step(integrator: str) -> None:
    pytest.importorskip("sksundae")
    until = 1.5
    expected, _ = exact_pendulum(0.004, until)
    result = lw.simulate(pendulum(0.004), until=until, step=until, rtol=1e-9, atol=1e-11, integrator=integrator)
    assert result["O.angle"][-1] == pytest.approx(expected[0], abs=2e-5)
    assert result["O.speed"][-1] == pytest.approx(expected[1], abs=2e-5)
