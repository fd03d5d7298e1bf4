"""Time stepping with contacts: against exact motions, runs that locate events, and what must be kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AssemblyError, RefusedError
from linkwork.integrators import MoreauJean
from linkwork.model import Model
from linkwork.results.result import Result

G = 9.81


def stepped(model: Model, until: float, size: float, **further: Any) -> Result:
    over = {} if "times" in further else {"until": until}
    return lw.simulate(model, integrator="moreau_jean", fixed_step=size, **over, **further)


def on_floor(bodies: str, *, friction: float = 0.0, restitution: float = 0.0, further: str = "") -> Model:
    """Floating bodies over a level floor; all of them touch each other and the floor."""
    names = [line.split(":")[0].strip() for line in bodies.strip().splitlines()]
    return lw.loads(f"""
linkwork: 1
space: spatial
gravity: [0, 0, -{G}]
bodies:
{bodies}
surfaces: {{floor: {{plane: [0, 0, 1]}}}}
contacts: {{touch: {{between: [floor, {", ".join(names)}], friction: {friction}, restitution: {restitution}}}}}
{further}
""")


def ball(name: str, place: tuple[float, float, float], radius: float = 0.5, mass: float = 1.0) -> str:
    shape = f"{{sphere: {{radius: {radius}}}, mass: {mass}}}"
    return f"  {name}: {{points: {{{name}c: [0, 0, 0]}}, origin: {list(place)}, shapes: {{hull: {shape}}}}}\n"


def box(name: str, place: tuple[float, float, float], edges: tuple[float, float, float], mass: float = 1.0) -> str:
    shape = f"{{box: {list(edges)}, mass: {mass}}}"
    return f"  {name}: {{points: {{{name}c: [0, 0, 0]}}, origin: {list(place)}, shapes: {{hull: {shape}}}}}\n"


# -- bouncing: F1 ------------------------------------------------------------------------------------------------------

BACK = 0.9
FIRST = np.sqrt(2.0 / G)


def bounced(t: np.ndarray) -> np.ndarray:
    """The height of a point that falls by 1 m and comes back with 0.9 of its speed, and rests at last."""
    height, start, speed = np.where(t < FIRST, 1.0 - G * t**2 / 2.0, 0.0), FIRST, BACK * G * FIRST
    while speed > 1e-9:
        flight = t - start
        height = np.where((flight >= 0.0) & (flight < 2.0 * speed / G), speed * flight - G * flight**2 / 2.0, height)
        start, speed = start + 2.0 * speed / G, BACK * speed
    return height


def bouncing() -> Model:
    return on_floor(ball("ball", (0, 0, 1.5)), restitution=BACK)


def test_bounces_converge_with_the_first_power_of_the_step_and_end() -> None:
    model, steps, errors = bouncing(), (4e-3, 2e-3, 1e-3, 5e-4), []
    for step in steps:
        result = stepped(model, 10.0, step, step=0.02)
        errors.append(float(np.mean(np.abs(result["ball.z"] - 0.5 - bounced(result.time)))))
        assert abs(result.events[0].time - FIRST) <= step
        assert abs(result.events[-1].time - FIRST * (1 + BACK) / (1 - BACK)) < 60.0 * step
        assert abs(result["ball.z"][-1] - 0.5) < 1e-9
        assert abs(result["ball.vz"][-1]) < 1e-9
        assert result.audit.passed
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert 0.8 < order < 1.6


def test_energy_stays_where_all_speed_comes_back() -> None:
    model = on_floor(ball("ball", (0, 0, 1.5)), restitution=1.0)
    result = stepped(model, 10.0, 1e-3)
    energy = result["energy.total"]
    assert np.ptp(energy) < 1e-9 * energy[0]
    assert len(result.events) == 11  # one at FIRST, and one every 2 FIRST


# -- sliding: F6, an incline -------------------------------------------------------------------------------------------


def test_a_sphere_slides_then_rolls() -> None:
    initial = "initial: {ball: {velocity: [3, 0, 0]}}"
    model = on_floor(ball("ball", (0, 0, 0.5)), friction=0.2, further=initial)
    errors, steps = [], (4e-3, 2e-3, 1e-3)
    begin, speed = 0.436871996505, 15.0 / 7.0
    for step in steps:
        result = stepped(model, 1.0, step, times=[0.0, 0.2, 1.0])
        assert np.max(np.abs(result["ball.vx"] - [3.0, 3.0 - 0.04 * G, speed])) < 1e-9
        assert abs(result["ball.wy"][-1] - speed / 0.5) < 1e-8
        errors.append(abs(result["ball.x"][-1] - 1.12338513387 - (1.0 - begin) * speed))
    assert max(errors) < 1e-4
    assert errors[-1] < 0.6 * errors[0]


@pytest.mark.parametrize(("friction", "accelerates"), [(0.3, True), (0.0, True), (1.2, False)])
def test_a_box_on_an_incline_of_45_degrees(friction: float, accelerates: bool) -> None:
    model = lw.loads(f"""
linkwork: 1
space: planar
gravity: [{-G * np.sin(np.pi / 4)}, {-G * np.cos(np.pi / 4)}]
bodies: {{block: {{points: {{B: [0, 0]}}, origin: [0, 0.1], shapes: {{hull: {{box: [0.4, 0.2], mass: 3}}}}}}}}
surfaces: {{floor: {{plane: [0, 1]}}}}
contacts: {{touch: {{between: [floor, block], friction: {friction}}}}}
""")
    result = stepped(model, 1.0, 1e-3)
    wanted = -G * np.sqrt(0.5) * (1.0 - friction) * result.time if accelerates else 0.0 * result.time
    assert np.max(np.abs(result["block.vx"] - wanted)) < 1e-8
    assert np.max(np.abs(result["block.y"] - 0.1)) < 1e-9


def test_an_incline_is_turned_by_45_degrees_without_a_difference() -> None:
    tilted = lw.loads(f"""
linkwork: 1
space: planar
gravity: [0, -{G}]
bodies:
  block: {{points: {{B: [0, 0]}}, origin: [{-0.1 * np.sqrt(0.5)}, {0.1 * np.sqrt(0.5)}], rotation: 45 deg,
          shapes: {{hull: {{box: [0.4, 0.2], mass: 3}}}}}}
surfaces: {{floor: {{plane: [-1, 1]}}}}
contacts: {{touch: {{between: [floor, block], friction: 0.3}}}}
""")
    result = stepped(tilted, 1.0, 1e-3)
    down = -(result["block.vx"] + result["block.vy"]) * np.sqrt(0.5)
    assert np.max(np.abs(down - G * np.sqrt(0.5) * 0.7 * result.time)) < 1e-8


def test_what_sticks_and_what_slides_have_their_coefficients() -> None:
    # pulled by a force that grows: it begins to slide at static friction, and accelerates with that of sliding then
    model = lw.loads(f"""
linkwork: 1
space: planar
gravity: [0, -{G}]
bodies: {{block: {{points: {{B: [0, 0]}}, origin: [0, 0.1], shapes: {{hull: {{box: [0.4, 0.2], mass: 2}}}}}}}}
surfaces: {{floor: {{plane: [0, 1]}}}}
contacts: {{touch: {{between: [floor, block], friction: 0.3, static: 0.5}}}}
forces: {{pull: {{kind: force, at: B, value: [5*t, 0]}}}}
""")
    result = stepped(model, 3.0, 1e-3)
    begin, weight = 0.5 * 2.0 * G / 5.0, 2.0 * G
    moving = result.time > begin
    wanted = np.where(moving, (2.5 * (result.time**2 - begin**2) - 0.3 * weight * (result.time - begin)) / 2.0, 0.0)
    assert np.max(np.abs(result["block.vx"] - wanted)) < 0.02


# -- piles -------------------------------------------------------------------------------------------------------------


def test_a_stack_of_fifty_boxes_stays_where_it_is() -> None:
    edge = 0.2
    model = on_floor("".join(box(f"b{i}", (0, 0, edge * (i + 0.5)), (edge,) * 3) for i in range(50)), friction=0.5)
    result = stepped(model, 10.0, 1e-2, times=[0.0, 5.0, 10.0])
    for i in (0, 10, 49):
        place = np.column_stack([result[f"b{i}.{axis}"] for axis in "xyz"])
        assert np.max(np.abs(place - [0.0, 0.0, edge * (i + 0.5)])) < 1e-7
        assert abs(result[f"b{i}.vz"][-1]) < 1e-8
    assert result.statistics["largest overlap"] < 1e-9
    assert np.ptp(result["energy.total"]) < 1e-6 * result["energy.potential"][0]
    assert result.audit.passed


def test_heavy_lies_on_light_in_two_piles() -> None:
    light_then_heavy = box("a", (0, 0, 0.1), (0.2,) * 3, 1.0) + box("b", (0, 0, 0.3), (0.2,) * 3, 1e4)
    beside = box("c", (3, 0, 0.1), (0.2,) * 3, 1e4) + box("d", (3, 0, 0.3), (0.2,) * 3, 1.0)
    result = stepped(on_floor(light_then_heavy + beside, friction=0.5), 1.0, 1e-3)
    for name, height in (("a", 0.1), ("b", 0.3), ("c", 0.1), ("d", 0.3)):
        assert np.max(np.abs(result[f"{name}.z"] - height)) < 1e-8
    assert result.audit.passed


def test_spheres_fall_into_a_box_and_lose_energy_alone() -> None:
    places = [(0.11 * (i % 2) + 0.003 * (i // 4), 0.11 * (i // 2 % 2), 0.06 + 0.11 * (i // 4)) for i in range(16)]
    bodies = "".join(ball(f"s{i}", place, 0.05, 0.5) for i, place in enumerate(places))
    walls = ("[1, 0, 0], at: [-0.06, 0, 0]", "[-1, 0, 0], at: [0.18, 0, 0]")
    walls += ("[0, 1, 0], at: [0, -0.06, 0]", "[0, -1, 0], at: [0, 0.17, 0]")
    listed = "".join(f", w{i}: {{plane: {wall}}}" for i, wall in enumerate(walls))
    model = lw.loads(f"""
linkwork: 1
space: spatial
gravity: [0, 0, -{G}]
bodies:
{bodies}
surfaces: {{floor: {{plane: [0, 0, 1]}}{listed}}}
contacts: {{c: {{between: [ground, {", ".join(f"s{i}" for i in range(16))}], friction: 0.3, restitution: 0.2}}}}
""")
    result = stepped(model, 1.0, 1e-3, step=0.01)
    centres = np.stack([np.stack([result[f"s{i}.{axis}"] for axis in "xyz"], -1) for i in range(16)], axis=1)
    apart = np.linalg.norm(centres[:, :, None] - centres[:, None], axis=-1) + np.eye(16)
    assert apart.min() > 0.1 - 1e-3
    assert centres[..., 2].min() > 0.05 - 1e-4
    energy = result["energy.total"] - result["work.shifted"]
    assert np.max(np.diff(energy)) < 1e-6 * energy[0]
    assert np.max(np.abs(result["energy.balance"])) < 1e-6 * energy[0]


# -- mechanisms --------------------------------------------------------------------------------------------------------

FOUR_BAR = f"""
linkwork: 1
space: planar
gravity: [0, -{G}]
points: {{O: [0, 0], A: [0.6, 0.8], B: [2.9, 1.9], C: [2.2, 0]}}
bodies:
  crank:   {{bar: [O, A], length: 1 m, mass: 1 kg}}
  coupler: {{bar: [A, B], length: 2.5 m, mass: 2 kg}}
  rocker:  {{bar: [C, B], length: 2 m, mass: 1.5 kg}}
joints:
  O: {{kind: revolute, bodies: [ground, crank]LIMITS}}
  A: {{kind: revolute, bodies: [crank, coupler]}}
  B: {{kind: revolute, bodies: [coupler, rocker]}}
  C: {{kind: revolute, bodies: [ground, rocker]}}
initial: {{O: {{speed: 2 rad/s}}}}
"""
STOPPED = FOUR_BAR.replace("LIMITS", ", limits: [30 deg, 100 deg], stops: {restitution: 0.5}")


@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural"])
def test_smooth_motion_of_a_loop_is_of_second_order(coordinates: str) -> None:
    model, errors = lw.loads(FOUR_BAR.replace("LIMITS", "")), []
    exact = lw.simulate(model, times=[0.0, 1.0], rtol=1e-11, atol=1e-12)["O.angle"][-1]
    for step in (4e-3, 2e-3):
        result = stepped(model, 1.0, step, coordinates=coordinates, times=[0.0, 1.0])
        errors.append(abs(result["O.angle"][-1] - exact))
        assert np.max(result["closure"]) < 1e-12
    assert 3.5 < errors[0] / errors[1] < 4.5


def test_a_loop_that_hits_its_stop_goes_where_located_events_take_it() -> None:
    model = lw.loads(STOPPED)
    times = np.linspace(0.0, 1.6, 81)
    exact, errors = lw.simulate(model, times=times, rtol=1e-10, atol=1e-12)["O.angle"], []
    for step in (4e-3, 1e-3, 2.5e-4):
        result = stepped(model, 1.6, step, times=times)
        errors.append(float(np.mean(np.abs(result["O.angle"] - exact))))
        assert np.max(result["closure"]) < 1e-12
        assert np.min(result["O.angle"]) > np.radians(30.0) - 1e-3
        assert result.audit.passed
        assert "O.angle.lower" in result.events[0].name
    assert errors[2] < 0.5 * errors[1] < 0.25 * errors[0]


def test_a_loop_that_lands_on_a_block_stays_closed() -> None:
    model = lw.loads(
        FOUR_BAR.replace("LIMITS", "")
        + """
surfaces: {block: {box: [0.6, 0.4], at: [1.2, 0.3]}}
contacts: {landing: {between: [block, coupler], friction: 0.4}}
"""
    )
    result = stepped(model, 4.0, 1e-3)
    assert result.events
    assert np.max(result["closure"]) < 1e-12
    assert result.statistics["largest overlap"] < 1e-3
    assert np.max(np.diff(result["energy.total"])) < 1e-3
    assert result.audit.passed


def test_a_chain_falls_on_a_table() -> None:
    count = 20
    points = ", ".join(f"P{i}: [{0.1 * i:.6g}, {0.5 + 0.02 * (i % 2)}]" for i in range(count + 1))
    links = "\n".join(f"  link{i}: {{bar: [P{i}, P{i + 1}], mass: 0.1, radius: 0.01}}" for i in range(count))
    pins = "\n".join(f"  P{i}: {{kind: revolute, bodies: [link{i - 1}, link{i}]}}" for i in range(1, count))
    model = lw.loads(f"""
linkwork: 1
space: planar
gravity: [0, -{G}]
points: {{{points}}}
bodies:
{links}
joints:
{pins}
surfaces: {{floor: {{plane: [0, 1]}}, table: {{box: [0.6, 0.2], at: [1.0, 0.2]}}}}
contacts: {{c: {{between: [ground, {", ".join(f"link{i}" for i in range(count))}], friction: 0.4, restitution: 0.1}}}}
""")
    result = stepped(model, 0.5, 1e-3, step=0.01)
    assert np.max(result["closure"]) < 1e-12
    assert min(result[f"P{i}.y"].min() for i in range(count + 1)) > -2e-3
    energy = result["energy.total"]
    assert np.max(np.diff(energy)) < 1e-3 * energy[0]
    assert energy[-1] < 0.9 * energy[0]
    assert result.audit.passed


def test_drivers_bring_in_what_contacts_take() -> None:
    # a slider that is driven at a constant speed drags a block along the floor: friction takes all that it gives
    model = lw.loads(f"""
linkwork: 1
space: planar
gravity: [0, -{G}]
bodies: {{block: {{points: {{B: [0, 0]}}, origin: [0, 0.1], shapes: {{hull: {{box: [0.4, 0.2], mass: 2}}}}}}}}
surfaces: {{floor: {{plane: [0, 1]}}}}
contacts: {{touch: {{between: [floor, block], friction: 0.3}}}}
relations: {{line: {{kind: distance, between: [ground.O, block.B], length: 1 + 0.5*t}}}}
points: {{O: [-1, 0.1]}}
""")
    result = stepped(model, 1.0, 1e-3)
    assert np.max(np.abs(result["block.vx"] - 0.5)) < 1e-8
    assert abs(result["work.dissipated"][-1] - 0.3 * 2.0 * G * 0.5) < 1e-6
    assert abs(result["work.supplied"][-1] - result["work.dissipated"][-1]) < 5e-5  # with the square of the step


@pytest.mark.parametrize("solver", ["gauss_seidel", "interior_point", "alternating_directions", "semismooth_newton"])
def test_all_solvers_take_the_same_steps(solver: str) -> None:
    model = on_floor(box("a", (0, 0, 0.3), (0.2, 0.3, 0.4)) + ball("b", (0.05, 0.02, 0.7), 0.1), friction=0.4)
    method = MoreauJean(solver=solver)
    one = lw.simulate(model, until=0.5, integrator=method, fixed_step="2 ms")
    other = stepped(model, 0.5, 2e-3)
    assert np.max(np.abs(one["b.z"] - other["b.z"])) < 1e-6
    assert solver in one.settings["solver"]


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_a_run_without_a_step_is_refused() -> None:
    with pytest.raises(RefusedError, match="fixed_step"):
        lw.simulate(bouncing(), until=1, integrator="moreau_jean")


def test_a_start_with_an_overlap_names_both_shapes() -> None:
    with pytest.raises(AssemblyError, match=r"'floor' and 'ball.hull' overlap by 0.1 m"):
        stepped(on_floor(ball("ball", (0, 0, 0.4))), 1.0, 1e-3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"formulation": "multipliers"}, "takes no formulation"),
        ({"events": {"low": "ball.z"}}, "takes no events"),
        ({"accuracy": 1e-3}, "takes no accuracy"),
    ],
)
def test_what_it_does_not_heed_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        stepped(bouncing(), 1.0, 1e-3, **given)


def test_unknown_solvers_and_settings_are_refused() -> None:
    with pytest.raises(RefusedError, match="gauss_seidel"):
        MoreauJean(solver="gauss_seidle")
    with pytest.raises(RefusedError, match="theta"):
        MoreauJean(theta=2.0)


def test_friction_that_holds_in_joints_is_refused_by_name() -> None:
    model = lw.loads(FOUR_BAR.replace("LIMITS", ", friction: {coefficient: 0.2, radius: 0.02}"))
    with pytest.raises(RefusedError, match="joint 'O'"):
        stepped(model, 1.0, 1e-3)


def test_reactions_are_refused_and_not_among_the_quantities() -> None:
    result = stepped(lw.loads(STOPPED), 0.1, 1e-3)
    assert "O.fx" not in result
    assert len(result.reactions) == 0
    with pytest.raises(RefusedError, match="no reactions of joints"):
        result.source.multipliers("least_norm")


def test_real_time_and_variants_take_it() -> None:
    model = lw.loads(STOPPED)
    run = stepped(model, 0.5, 1e-3, coordinates="relative", times=[0.0, 0.5])
    rt = lw.realtime(model, "1 ms", integrator="moreau_jean")
    rt.advance(0.5)
    assert rt["O.angle"] == pytest.approx(run["O.angle"][-1], abs=1e-9)


def test_runs_go_on_from_where_they_have_ended() -> None:
    model = bouncing()
    whole = stepped(model, 1.0, 1e-3, times=[0.0, 0.5, 1.0])
    first = stepped(model, 0.5, 1e-3, times=[0.0, 0.5])
    further = stepped(first, 1.0, 1e-3, times=[0.5, 1.0])
    assert abs(further["ball.z"][-1] - whole["ball.z"][-1]) < 1e-12
    # with events from there on: contacts act there too
    exact = lw.simulate(first, until=0.9)
    assert abs(exact["ball.z"][-1] - 0.5 - bounced(np.array([0.9]))[0]) < 5e-3


def test_joints_that_close_at_times_are_refused() -> None:
    model = lw.loads(
        """
linkwork: 1
space: planar
gravity: [0, -9.81]
points: {H: [0, 0], P: [0, 0], Q: [1, 0]}
bodies: {arm: {bar: [P, Q], mass: 1}}
relations: {hook: {kind: connection, joint: {kind: revolute, bodies: [ground, arm], at: [H, P]}}}
switches: {let_go: {at: 0.5 s, release: hook}}
"""
    )
    with pytest.raises(RefusedError, match="'hook"):
        stepped(model, 1.0, 1e-3)
