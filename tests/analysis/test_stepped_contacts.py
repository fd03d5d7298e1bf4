"""What runs by time stepping tell of contacts: forces against weights and located events, modes, piles, and their audit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import RefusedError
from linkwork.integrators import MoreauJean
from linkwork.model import Model
from linkwork.numerics.timestepping import room
from linkwork.results.result import Result
from linkwork.views.scene import build_scene

G = 9.81


def stepped(model: Model, until: float, size: float = 1e-3, **further: Any) -> Result:
    over = {} if "times" in further else {"until": until}
    return lw.simulate(model, integrator="moreau_jean", fixed_step=size, **over, **further)


def slope(mu: float = 0.5, between: str = "[slope, box]") -> Model:
    return lw.loads(f"""
linkwork: 1
space: planar
gravity: [0, -{G}]
bodies: {{box: {{points: {{G: [0, 0]}}, origin: [0, 0.35], shapes: {{hull: {{box: [0.4, 0.2], mass: 2 kg}}}}}}}}
surfaces: {{slope: {{plane: [0.3, 1]}}}}
contacts: {{landing: {{between: {between}, friction: {mu}, restitution: 0.2}}}}
""")


def balls(places: list[tuple[float, float, float]], friction: float, walls: str = "", further: str = "") -> Model:
    bodies = "".join(
        f"  s{i}: {{points: {{c{i}: [0, 0, 0]}}, origin: {list(place)}, "
        "shapes: {hull: {sphere: {radius: 0.05}, mass: 0.5}}}\n"
        for i, place in enumerate(places)
    )
    named = ", ".join(f"s{i}" for i in range(len(places)))
    return lw.loads(f"""
linkwork: 1
space: spatial
gravity: [0, 0, -{G}]
bodies:
{bodies}
surfaces: {{floor: {{plane: [0, 0, 1]}}{walls}}}
contacts: {{touch: {{between: [ground, {named}], friction: {friction}}}}}
{further}
""")


# -- forces ------------------------------------------------------------------------------------------------------------


def test_a_box_that_has_come_to_rest_is_carried_as_with_located_events() -> None:
    run, exact = stepped(slope(), 1.2), lw.simulate(slope(), until=1.2)
    alpha = np.arctan(0.3)
    for part, wanted in (("force", 2 * G * np.cos(alpha)), ("friction", -2 * G * np.sin(alpha))):
        assert np.isclose(run[f"landing.{part}"][-1], wanted, rtol=1e-9)
        located = sum(exact[f"landing.corner_{i}.{part}"][-1] for i in (1, 2))
        assert np.isclose(run[f"landing.{part}"][-1], located, rtol=1e-9)
    # what presses is below the centre, on the slope
    assert np.isclose(run["landing.x"][-1], run["box.x"][-1], atol=1e-9)
    assert np.isclose(run["landing.y"][-1], -0.3 * run["box.x"][-1], atol=1e-9)
    assert np.isclose(run["landing.nx"][-1], np.sin(alpha))


@pytest.mark.parametrize("between", ["[slope, box]", "[box, slope]"])
def test_forces_are_those_on_the_second_whichever_it_is(between: str) -> None:
    run = stepped(slope(0.2, between), 1.2)
    sign = 1.0 if between == "[slope, box]" else -1.0
    alpha = np.arctan(0.3)
    assert np.isclose(run["landing.ny"][-1], sign * np.cos(alpha))
    # t = (n_y, −n_x) turns with the normal, and so does what the second does to the first: both signs cancel
    assert np.isclose(run["landing.friction"][-1], -0.2 * run["landing.force"][-1])
    assert run["landing.slip"][-1] > 0.1
    push = run["landing.force"][-1] * np.array([run["landing.nx"][-1], run["landing.ny"][-1]])
    along = run["landing.friction"][-1] * np.array([run["landing.ny"][-1], -run["landing.nx"][-1]])
    moved = 2.0 * np.array([run["box.G.ax"][-1], run["box.G.ay"][-1] + G])
    np.testing.assert_allclose(sign * (push + along), moved, atol=1e-9)


def test_mass_times_acceleration_is_the_sum_of_forces_at_every_output_with_impacts() -> None:
    initial = "initial: {s0: {velocity: [0.4, 0.2, -1], omega: [3, 1, 9]}}"
    model = balls([(0.0, 0.0, 0.08), (0.13, 0.06, 0.05)], 0.4, further=initial)
    run = stepped(model, 0.5, 1e-3, step=1e-3)
    total = np.zeros((len(run), 3))
    for name in ("touch.ground_s0", "touch.floor_s0", "touch.floor_s0_hull", "touch.s0_s1", "touch.s0_hull_s1_hull"):
        if f"{name}.force" not in run:
            continue
        sign = 1.0 if "floor" in name or "ground" in name else -1.0
        normal = np.nan_to_num(np.column_stack([run[f"{name}.n{axis}"] for axis in "xyz"]))
        rub = np.column_stack([run[f"{name}.friction_{axis}"] for axis in "xyz"])
        total += sign * (run[f"{name}.force"][:, None] * normal + rub)
    moved = 0.5 * np.column_stack([run["s0.c0.ax"], run["s0.c0.ay"], run["s0.c0.az"] + G])
    np.testing.assert_allclose(total[1:], moved[1:], atol=1e-8 * np.max(np.abs(moved)))
    assert np.max(total) > 50.0  # an impact was among them


def test_what_pushes_at_many_outputs_has_room() -> None:
    run = stepped(balls([(0.2 * i, 0.0, 0.05) for i in range(4)], 0.3), 2.0, 1e-3, step=1e-3)
    pushes = [run[name] for name in run.names("touch*.force")]
    assert len(pushes) == 4
    for push in pushes:
        np.testing.assert_allclose(push[1:], 0.5 * G, rtol=1e-9)
        assert push[0] == 0.0  # before the first step nothing is known


def test_pages_draw_the_forces() -> None:
    run = stepped(slope(), 0.6, 1e-3, step=0.01)
    drawn = {entry["name"] for entry in build_scene(run)["loads"] if entry["kind"] == "contact"}
    assert drawn == {"landing", "landing.friction"}


# -- modes -------------------------------------------------------------------------------------------------------------


def test_modes_are_those_of_located_events_to_some_steps() -> None:
    run, exact = stepped(slope(), 1.2), lw.simulate(slope(), until=1.2)
    stuck = run.modes.spans["landing.friction"][-1]
    located = max(exact.modes.spans[f"landing.corner_{i}.friction"][-1][0] for i in (1, 2))
    assert abs(stuck[0] - located) < 5e-3
    assert stuck[1] == pytest.approx(1.2)
    rests = run.modes.spans["landing"][-1][0]
    assert abs(rests - exact.modes.spans["landing.corner_2"][0][0]) < 5e-3
    assert "landing (touches)" in str(run.modes)
    assert run.modes[0].holds == ()


def test_limits_are_among_the_modes() -> None:
    gate = lw.loads(f"""
linkwork: 1
space: planar
gravity: [0, -{G}]
points: {{O: [0, 0], A: [0.6, 0.7]}}
bodies: {{gate: {{bar: [O, A], mass: 4}}}}
joints: {{O: {{kind: revolute, bodies: [ground, gate], limits: [0, 100 deg]}}}}
""")
    run, exact = stepped(gate, 1.0, 1e-4), lw.simulate(gate, until=1.0)
    assert abs(run.modes.spans["O.angle.lower"][0][0] - exact.modes.spans["O.angle.lower"][0][0]) < 3e-4


def test_runs_without_contacts_have_no_modes() -> None:
    free = lw.loads("linkwork: 1\nspace: planar\nbodies: {box: {points: {G: [0, 0]}, com: G, mass: 1, inertia: 1}}\n")
    assert len(stepped(free, 0.1).modes) == 0


def test_changes_beyond_those_that_are_kept_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CHANGES", 3)
    run = stepped(slope(), 1.2)
    assert len(run.modes) == 3
    assert any("the first 3 changes are among the modes" in note for note in run.notes)
    assert run.modes[-1].end < 0.3


# -- piles with friction -----------------------------------------------------------------------------------------------


def test_thirty_balls_with_friction_come_to_rest_in_a_pile() -> None:
    beside = np.random.default_rng(0).uniform(-2.5e-3, 2.5e-3, (30, 2)).tolist()
    places = [
        (0.11 * (i % 3) + beside[i][0], 0.11 * (i // 3 % 3) + beside[i][1], 0.06 + 0.11 * (i // 9)) for i in range(30)
    ]
    walls = ", w0: {plane: [1, 0, 0], at: [-0.06, 0, 0]}, w1: {plane: [-1, 0, 0], at: [0.28, 0, 0]}"
    walls += ", w2: {plane: [0, 1, 0], at: [0, -0.06, 0]}, w3: {plane: [0, -1, 0], at: [0, 0.28, 0]}"
    run = stepped(balls(places, 0.4, walls), 1.0, 1e-3, step=0.02)
    assert run.audit.passed
    assert run.statistics["largest overlap"] < 1e-5
    assert np.max(np.abs(run["energy.balance"])) < 1e-5 * run["energy.total"][0]
    energy = run["energy.total"] - run["work.shifted"]
    assert np.max(np.diff(energy)) < 1e-6 * energy[0]
    # the floor carries what does not move any more
    floor = [run[name] for name in run.names("touch*floor*.force")]
    assert abs(np.mean(np.sum(floor, axis=0)[-20:]) - 30 * 0.5 * G) < 0.1 * 30 * 0.5 * G
    centres = np.stack([np.stack([run[f"s{i}.{axis}"] for axis in "xyz"], -1) for i in range(30)], axis=1)
    apart = np.linalg.norm(centres[-1, :, None] - centres[-1, None], axis=-1) + np.eye(30)
    assert apart.min() > 0.1 - 1e-5


# -- blows, and what the audit tells apart --------------------------------------------------------------------------------


def boxes(count: int, restitution: float, apart: float = 1e-3) -> Model:
    """Boxes over each other, each a little beside the one below, which fall by 0.1 m."""
    listed = "".join(
        f"  b{i}: {{points: {{c{i}: [0, 0, 0]}}, origin: [{0.003 * i}, 0, {0.15 + (0.1 + apart) * i}], "
        "shapes: {hull: {box: [0.2, 0.2, 0.1], mass: 1}}}\n"
        for i in range(count)
    )
    named = ", ".join(f"b{i}" for i in range(count))
    return lw.loads(f"""
linkwork: 1
space: spatial
gravity: [0, 0, -{G}]
bodies:
{listed}
surfaces: {{floor: {{plane: [0, 0, 1]}}}}
contacts: {{touch: {{between: [floor, {named}], friction: 0.5, restitution: {restitution}}}}}
""")


@pytest.mark.parametrize(("apart", "restitution", "size"), [(1e-3, 0.0, 1e-3), (0.01, 0.0, 5e-3), (1e-3, 0.0, 2e-3)])
def test_dropped_stacks_do_not_overlap_in_the_step_of_a_blow(apart: float, restitution: float, size: float) -> None:
    run = lw.simulate(
        boxes(5, restitution, apart), until=0.6, integrator="moreau_jean", fixed_step=size, step=0.02, audit=False
    )
    # what lies above is stopped in the same step as what is hit below it
    assert run.statistics["largest overlap"] < 1e-6
    assert abs(run["b4.z"][-1] - 0.45) < 1e-6


CHAIN = 10


def chain() -> Model:
    points = ", ".join(f"P{i}: [{0.1 * i:.6g}, {0.5 + 0.02 * (i % 2)}]" for i in range(CHAIN + 1))
    links = "\n".join(f"  link{i}: {{bar: [P{i}, P{i + 1}], mass: 0.1, radius: 0.01}}" for i in range(CHAIN))
    pins = "\n".join(f"  P{i}: {{kind: revolute, bodies: [link{i - 1}, link{i}]}}" for i in range(1, CHAIN))
    return lw.loads(f"""
linkwork: 1
space: planar
gravity: [0, -{G}]
points: {{{points}}}
bodies:
{links}
joints:
{pins}
surfaces: {{floor: {{plane: [0, 1]}}, table: {{box: [0.4, 0.2], at: [0.5, 0.2]}}}}
contacts: {{c: {{between: [ground, {", ".join(f"link{i}" for i in range(CHAIN))}], friction: 0.4, restitution: 0.1}}}}
""")


@pytest.mark.parametrize(
    ("model", "size", "settings", "finding"),
    [
        (chain(), 1e-3, {}, ""),
        (chain(), 8e-3, {}, "overlap"),  # links turn by more than 5 degrees in a step
        (boxes(6, 0.3), 1e-3, {}, ""),
        (boxes(6, 0.3), 2e-2, {}, "shifted"),  # blows in the middle of long steps lift what is hit
        (boxes(6, 0.3), 1e-3, {"tolerance": 1e-4}, ""),
        (boxes(6, 0.3), 1e-3, {"tolerance": 1e-2}, "were left with"),  # a solver that ends too early
        (boxes(6, 0.3), 1e-3, {"solver": "gauss_seidel", "tolerance": 1e-2}, "were left with"),
    ],
)
@pytest.mark.filterwarnings("ignore::linkwork.errors.AuditWarning")
def test_the_audit_tells_right_runs_from_wrong_ones(
    model: Model, size: float, settings: dict[str, Any], finding: str
) -> None:
    run = lw.simulate(model, until=0.5, integrator=MoreauJean(**settings), fixed_step=size, step=0.02)
    found = " ".join(run.audit.findings)
    assert run.audit.passed == (not finding)
    assert finding in found


@pytest.mark.filterwarnings("ignore::linkwork.errors.AuditWarning")
def test_what_is_squeezed_fails_the_audit() -> None:
    # a piston is driven towards a wall, with a ball between that has nowhere to go: no impulses exist
    model = lw.loads("""
linkwork: 1
space: planar
gravity: [0, 0]
points: {Q: [-0.3, 0]}
bodies:
  ball: {points: {B: [0, 0]}, origin: [0, 0], shapes: {hull: {sphere: {radius: 0.1}, mass: 1}}}
  piston: {points: {Q: [0, 0]}, origin: Q, shapes: {hull: {box: [0.2, 0.4], mass: 1}}}
joints: {guide: {kind: prismatic, bodies: [ground, piston], at: Q, axis: [1, 0]}}
surfaces: {wall: {plane: [-1, 0], at: [0.15, 0]}}
contacts: {c: {between: [wall, ball, piston], friction: 0.3}}
drivers: {push: {joint: guide, position: 0.5*t}}
""")
    run = lw.simulate(model, until=0.5, integrator="moreau_jean", fixed_step=1e-3)
    assert not (run.outcome.completed and run.audit.passed)


# -- pyramids --------------------------------------------------------------------------------------------------------------


def test_pyramids_are_told_with_their_facets() -> None:
    model = balls([(0.0, 0.0, 0.05)], 0.3, further="initial: {s0: {velocity: [1.2, 0.5, 0]}}")
    exact = stepped(model, 0.1)["s0.vx"][-1]
    errors = []
    for facets in (4, 64):
        method = MoreauJean(solver="polyhedral", facets=facets)
        run = lw.simulate(model, until=0.1, integrator=method, fixed_step=1e-3)
        assert f"pyramids of {facets} facets" in run.settings["law"]
        assert run.audit.passed
        errors.append(abs(run["s0.vx"][-1] - exact))
    assert errors[1] < 0.02 * errors[0]


def test_facets_without_pyramids_are_refused() -> None:
    with pytest.raises(RefusedError, match="polyhedral"):
        MoreauJean(solver="gauss_seidel", facets=8)
    with pytest.raises(RefusedError, match="3 to 64"):
        MoreauJean(solver="polyhedral", facets=2)


# -- ropes -----------------------------------------------------------------------------------------------------------------


def test_ropes_go_taut_as_with_located_events() -> None:
    swing = lw.loads(f"""
linkwork: 1
space: planar
gravity: [0, -{G}]
points: {{O: [0, 0], A: [0.6, 0]}}
bodies: {{load: {{points: [A], com: A, mass: 2, inertia: 0.1}}}}
relations: {{line: {{kind: rope, between: [ground.O, load.A], length: 1}}}}
""")
    times = np.linspace(0.0, 1.0, 21)
    exact, errors = lw.simulate(swing, times=times), []
    for size in (4e-3, 1e-3):
        run = stepped(swing, 1.0, size, times=times)
        errors.append(np.max(np.hypot(run["A.x"] - exact["A.x"], run["A.y"] - exact["A.y"])))
        assert run.audit.passed
        assert abs(run.modes.spans["line"][0][0] - exact.events[0].time) <= 1.5 * size
    assert errors[1] < 0.5 * errors[0] < 0.02
