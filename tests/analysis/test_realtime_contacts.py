"""Steps in real time in which conditions come and go: against runs that locate events, exact motions, and what is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AssemblyError, RefusedError
from linkwork.model import Model

G = 9.81
PROBLEMS = 4  # of a step at most: velocities, looked at again where others close, and overlaps
SIZES = (4e-3, 2e-3, 1e-3, 5e-4)

GATE = """
linkwork: 1
space: planar
gravity: [0, -9.81]
parameters: {push: {value: 0 N*m, live: true}}
points: {O: [0, 0], A: [1, 0]}
bodies: {gate: {bar: [O, A], mass: 2}}
joints: {O: {kind: revolute, bodies: [ground, gate], limits: [-30 deg, null], stops: {restitution: 0.4}}}
forces: {motor: {kind: effort, joint: O, value: push}}
"""

ROPE = """
linkwork: 1
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0.6, 0]}
bodies: {load: {points: [A], com: A, mass: 2, inertia: 0.1}}
relations: {line: {kind: rope, between: [ground.O, load.A], length: 1}}
"""

BALL = """
linkwork: 1
space: spatial
gravity: [0, 0, -9.81]
bodies: {ball: {points: {c: [0, 0, 0]}, origin: [0, 0, 1], shapes: {skin: {sphere: {radius: 0.1}, mass: 1}}}}
surfaces: {floor: {plane: [0, 0, 1]}}
contacts: {touch: {between: [floor, ball], restitution: 0.7}}
"""

BLOCK = """
linkwork: 1
space: planar
gravity: [0, -9.81]
parameters: {pull: {value: 0 N, live: true}}
bodies: {block: {points: {B: [0, 0]}, origin: [0, 0.1], shapes: {hull: {box: [0.4, 0.2], mass: 2}}}}
surfaces: {floor: {plane: [0, 1]}}
contacts: {touch: {between: [floor, block], friction: 0.3, static: 0.4}}
forces: {hand: {kind: force, at: B, value: [pull, 0]}}
"""


def order(errors: list[float]) -> float:
    """The power of the step with which errors fall."""
    return float(np.polyfit(np.log(SIZES), np.log(errors), 1)[0])


def errors_of(model: Model, until: float, names: tuple[str, ...]) -> list[float]:
    """Mean differences from a run that locates its events, over samples of 20 ms, for steps of several sizes."""
    exact, found = lw.simulate(model, until, step=0.02, rtol=1e-11, atol=1e-13), []
    for size in SIZES:
        rt = lw.realtime(model, size, keep=10_000)
        assert rt.advance(until).completed
        kept = rt.result
        assert kept.audit.passed, kept.audit.findings
        at = np.searchsorted(kept.time, exact.time - 1e-9)
        found.append(float(np.mean([np.mean(np.abs(kept[name][at] - exact[name])) for name in names])))
    return found


# -- against located events --------------------------------------------------------------------------------------------


def test_a_gate_hits_its_stop_and_errors_fall_with_the_step() -> None:
    errors = errors_of(lw.loads(GATE), 1.2, ("O.angle",))
    assert 0.7 < order(errors) < 1.6
    assert errors[-1] < 1e-4
    rt = lw.realtime(lw.loads(GATE), "1 ms")
    rt.advance(2)
    assert rt["O.angle"] == pytest.approx(-np.pi / 6, abs=1e-12)
    assert abs(rt["O.speed"]) < 1e-12


def test_a_ball_bounces_and_comes_to_rest() -> None:
    errors = errors_of(lw.loads(BALL), 3.0, ("ball.z",))
    assert 0.7 < order(errors) < 1.6
    rt = lw.realtime(lw.loads(BALL), "1 ms")
    rt.advance(4)
    assert rt["ball.z"] == pytest.approx(0.1, abs=1e-11)
    assert abs(rt["ball.vz"]) < 1e-11


def test_a_load_on_a_rope_falls_and_swings() -> None:
    model = lw.loads(ROPE)
    errors = errors_of(model, 2.0, ("load.x", "load.y"))
    assert 0.7 < order(errors) < 1.6
    rt = lw.realtime(model, "1 ms", outputs=["load.x", "load.y"])
    longest = 0.0
    for _ in range(3000):
        rt.step()
        longest = max(longest, float(np.hypot(rt["load.x"], rt["load.y"])))
    assert longest < 1.0 + 5e-6


def test_a_closed_loop_hits_a_stop_and_stays_closed() -> None:
    model = lw.loads("""
linkwork: 1
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0, 1], B: [2.3, 1.9], C: [3, 0]}
bodies:
  crank: {bar: [O, A], mass: 1}
  rod: {bar: [A, B], mass: 2}
  rocker: {bar: [C, B], mass: 1}
joints:
  O: {kind: revolute, bodies: [ground, crank], limits: [-20 deg, null], stops: {restitution: 0.5}}
  A: {kind: revolute, bodies: [crank, rod]}
  B: {kind: revolute, bodies: [rod, rocker]}
  C: {kind: revolute, bodies: [ground, rocker]}
initial: {O: {speed: -1}}
""")
    errors = errors_of(model, 1.0, ("O.angle", "C.angle"))
    assert 0.7 < order(errors) < 1.7
    rt = lw.realtime(model, "1 ms", outputs=["closure"])
    for _ in range(300):
        rt.step(10)
        assert rt["closure"] < 1e-12


TEETH: dict[str, Any] = {
    "space": "planar",
    "points": {"O": [0, 0], "P": [0.09, 0]},
    "bodies": {
        "pinion": {"points": ["O"], "com": "O", "mass": 1, "inertia": 4e-4},
        "wheel": {"points": ["P"], "com": "P", "mass": 2, "inertia": 2e-3},
    },
    "joints": {
        "A": {"kind": "revolute", "bodies": ["ground", "pinion"], "at": "O"},
        "B": {"kind": "revolute", "bodies": ["ground", "wheel"], "at": "P"},
    },
    "couplings": {
        "mesh": {
            "bodies": ["pinion", "wheel"],
            "radii": [0.03, 0.06],
            "pressure_angle": "20 deg",
            "backlash": {"gap": 2e-4, "restitution": 0.5},
        }
    },
    "initial": {"A": {"speed": 1.0}},
}


def test_teeth_rattle_in_their_backlash() -> None:
    """They cross it in 7 ms: errors are in proportion to the step where that is several of them."""
    errors = errors_of(lw.Model(**TEETH), 0.3, ("A.angle", "B.angle"))
    assert max(error / size for error, size in zip(errors, SIZES, strict=True)) < 0.06
    with pytest.raises(RefusedError, match="'mesh'"):
        lw.realtime(TEETH, "1 ms", integrator="rk4")


# -- friction of contacts ----------------------------------------------------------------------------------------------


def test_a_block_sticks_without_creep_and_slips_under_a_hand() -> None:
    """Three minutes of holding: what is left is the tolerance of the solver, to and fro, and does not add up."""
    rt = lw.realtime(lw.loads(BLOCK), "1 ms", outputs=["block.x", "block.vx"])
    for pull in (3.0, -5.0, 0.399 * 2 * G):
        rt.set(pull=pull)
        rt.step(60_000)
        assert abs(rt["block.vx"]) < 1e-9
        assert abs(rt["block.x"]) < 1e-9
    rt.set(pull=10.0)
    begun = rt.time
    rt.step(500)
    # static friction is overcome, and what slides is rubbed by less
    rate = 10.0 / 2.0 - 0.3 * G
    assert rt["block.vx"] == pytest.approx(rate * (rt.time - begun), rel=5e-3)
    rt.set(pull=0.0)
    stops = rt["block.vx"] / (0.3 * G)
    rt.advance(rt.time + 1.1 * stops)
    where = rt["block.x"]
    rt.step(60_000)
    assert abs(rt["block.vx"]) < 1e-9
    assert rt["block.x"] == pytest.approx(where, abs=1e-9)


def test_a_block_goes_where_located_events_take_it_under_a_force_in_steps() -> None:
    """Errors stay below a part of the step: where within a step it comes to rest is left to chance."""
    pushes = {0.0: 9.0, 0.4: -9.0, 0.8: 4.0}
    for size in (*SIZES, 1e-4):
        rt = lw.realtime(lw.loads(BLOCK), size)
        for begin, pull in pushes.items():
            rt.advance(begin)
            rt.set(pull=pull)
        rt.advance(1.2)
        assert abs(rt["block.x"] - slid()) < 0.5 * size


def slid() -> float:
    """Where the block is after 1.2 s: it is pulled, held up and turned round, and held up again, by constant forces."""
    first, rub = 0.4, 0.3 * G
    v = (4.5 - rub) * first
    x = v * first / 2
    # pushed back: it comes to rest, and goes the other way, since 9 N is more than what sticks
    rest = v / (4.5 + rub)
    x += v * rest / 2
    v = -(4.5 - rub) * (0.4 - rest)
    x += v * (0.4 - rest) / 2
    # pulled by less than what sticks: it comes to rest and stays
    rest = -v / (2.0 + rub)
    assert rest < 0.4
    return x + v * rest / 2


# -- by hand -----------------------------------------------------------------------------------------------------------

LATCH: dict[str, Any] = {
    "space": "planar",
    "gravity": [0, -9.81],
    "points": {"O": [0, 0], "A": [1, 0], "B": [1.7, 0.2]},
    "bodies": {"upper": {"bar": ["O", "A"], "mass": 2}, "lower": {"bar": ["A", "B"], "mass": 1}},
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "upper"], "limits": ["-25 deg", None]},
        "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
    },
    "relations": {
        "weld": {
            "kind": "connection",
            "active": False,
            "joint": {"kind": "fixed", "bodies": ["upper", "lower"], "at": ["A", "A"]},
        }
    },
    "switches": {"foot": {"ground": "upper"}},
}


def test_a_latch_closes_and_opens_by_hand_beside_a_stop() -> None:
    switches = {
        "one": {"connect": "weld", "at": 0.15, "catching": "anywhere"},
        "two": {"release": "weld", "at": 0.6},
        "foot": {"ground": "upper", "at": 0.7},
        "three": {"release": "foot", "at": 0.8},
    }
    run = lw.simulate(lw.Model(**LATCH | {"switches": switches}), 1.0, step=0.05, rtol=1e-11, atol=1e-13)
    assert any("O.angle.lower" in event.name for event in run.events)
    errors = []
    for size in SIZES:
        rt = lw.realtime(LATCH, size, keep=10_000)
        rt.advance(0.15)
        rt.connect("weld", "anywhere")
        assert rt.hand.closed == ("weld",)
        rt.advance(0.6)
        assert abs(rt["A.speed"]) < 1e-12
        rt.release("weld")
        rt.advance(0.7)
        rt.ground("upper")
        rt.advance(0.8)
        assert abs(rt["O.speed"]) < 1e-12
        rt.release("upper")
        rt.advance(1)
        errors.append(abs(rt["A.angle"] - run["A.angle"][-1]) + abs(rt["O.angle"] - run["O.angle"][-1]))
        assert any("weld" in event.name for event in rt.result.events)
        assert rt.result.audit.passed
    assert errors[-1] < 2e-3
    assert order(errors) > 0.7


def test_what_a_hand_cannot_do_changes_nothing() -> None:
    rt = lw.realtime(LATCH, "1 ms")
    rt.step(100)
    before, events = rt.state, len(rt.hand.events)
    for call, match in ((lambda: rt.connect("weld"), "weld is open by"), (lambda: rt.connect("wld"), "weld")):
        with pytest.raises(RefusedError, match=match):
            call()
    assert rt.state == before
    assert len(rt.hand.events) == events
    assert rt.step().completed


def test_live_values_of_laws_shapes_and_forces_act_from_the_next_step_on() -> None:
    model = lw.loads("""
linkwork: 1
space: planar
gravity: [0, -9.81]
parameters:
  mu: {value: 0.2, live: true}
  r: {value: 0.1 m, live: true}
bodies:
  sled: {points: {B: [0, 0]}, origin: [0, 0.1], shapes: {hull: {box: [0.4, 0.2], mass: 2}}}
  ball: {points: {C: [0, 0]}, origin: [3, 0.1], mass: 1, inertia: 0.004}
surfaces:
  floor: {plane: [0, 1]}
  skin: {ball: r, on: ball, at: [3, 0.1]}
contacts: {rubs: {between: [floor, sled], friction: mu}, rests: {between: [floor, skin]}}
initial: {sled: {vx: 4}}
""")
    rt = lw.realtime(model, "1 ms", outputs=["sled.vx", "ball.y"])
    rt.advance(0.5)
    assert rt["sled.vx"] == pytest.approx(4 - 0.1 * G, abs=1e-9)
    rt.set(mu=0.5)
    rt.advance(0.8)
    assert rt["sled.vx"] == pytest.approx(4 - 0.1 * G - 0.15 * G, abs=1e-9)
    rt.set(r="0.13 m")
    rt.step(3)
    assert rt["ball.y"] == pytest.approx(0.13, abs=1e-9)
    assert "energy (parameters were set on the way)" in rt.audit.unchecked


CARRIED = """
linkwork: 1
space: planar
gravity: [0, -9.81]
parameters: {{by: {{value: VALUE, live: true}}}}
points: {{P: [0, 0]}}
bodies:
  plate: {{points: [P], com: P, mass: 5, inertia: 1}}
  crate: {{points: {{B: [0, 0]}}, origin: [0, 0.1], shapes: {{hull: {{box: [0.4, 0.2], mass: 2}}}}}}
joints: {{lift: {{kind: prismatic, bodies: [ground, plate], at: P, axis: AXIS}}}}
drivers: {{hand: {{joint: lift, KEY: by}}}}
surfaces: {{top: {{plane: [0, 1], on: plate}}}}
contacts: {{lies: {{between: [top, crate], friction: 0.3}}}}
""".replace("{{", "{").replace("}}", "}")


def test_a_belt_whose_speed_is_set_takes_along_what_lies_on_it() -> None:
    text = CARRIED.replace("VALUE", "0.2 m/s").replace("AXIS", "[1, 0]").replace("KEY", "speed")
    rt = lw.realtime(lw.loads(text), "1 ms", outputs=["crate.vx", "P.vx"])
    rt.advance(0.5)
    assert rt["crate.vx"] == pytest.approx(0.2, abs=1e-9)
    rt.set(by=1.0)
    rt.step(100)
    assert rt["P.vx"] == pytest.approx(1.0)
    assert rt["crate.vx"] == pytest.approx(0.2 + 0.03 * G, abs=1e-9)
    rt.step(400)
    assert rt["crate.vx"] == pytest.approx(1.0, abs=1e-9)


def test_a_plate_that_a_hand_lifts_step_by_step_lifts_what_lies_on_it() -> None:
    text = CARRIED.replace("VALUE", "0 m").replace("AXIS", "[0, 1]").replace("KEY", "position")
    rt = lw.realtime(lw.loads(text), "1 ms", outputs=["crate.y", "crate.x"])
    for k in range(200):
        rt.set(by=0.0005 * (k + 1))
        rt.step(2)
    assert rt["crate.y"] == pytest.approx(0.2, abs=1e-6)
    assert rt["crate.x"] == pytest.approx(0.0, abs=1e-9)


# -- what is kept, and what is told ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["relative", "reference_point", "natural", "mixed"])
def test_all_coordinates_take_the_same_steps(kind: str) -> None:
    other = lw.realtime(lw.loads(GATE), "1 ms", coordinates=kind, keep=2000)
    assert other.advance(1).completed
    exact = lw.simulate(lw.loads(GATE), 1.0)["O.angle"][-1]
    assert other["O.angle"] == pytest.approx(exact, abs=2e-3)
    assert other["closure"] < 1e-12
    assert other.result.audit.passed


def test_coordinates_that_change_charts_are_refused_by_name() -> None:
    with pytest.raises(RefusedError, match="charts"):
        lw.realtime(lw.loads(BALL), "1 ms", coordinates="reference_point:rotation_vector")


def test_steps_are_those_of_a_run_by_time_stepping() -> None:
    model = lw.loads(BALL)
    run = lw.simulate(model, 2.0, step=0.1, integrator="moreau_jean", fixed_step="1 ms")
    rt = lw.realtime(model, "1 ms", coordinates="reference_point", outputs=["ball.z", "energy.total"])
    for i in range(1, 21):
        rt.step(100)
        for name in ("ball.z", "ball.vz", "energy.total", "work.dissipated"):
            assert rt[name] == pytest.approx(run[name][i], rel=1e-9, abs=1e-9), name


def test_how_well_contacts_were_solved_can_be_read_at_each_step() -> None:
    rt = lw.realtime(lw.loads(BLOCK), "1 ms", keep=100)
    rt.step()
    solved = rt.solved
    assert solved is not None
    assert (solved.contacts, solved.met) == (2, True)
    assert solved.residual <= solved.tolerance
    assert 0 < solved.iterations <= PROBLEMS * solved.most
    assert "2 touching" in str(rt)
    assert rt.statistics["most contacts"] == 2
    assert rt.result.audit["cones"].passed
    smooth = lw.realtime(lw.loads(GATE), "1 ms", integrator="rk4")
    assert smooth.solved is None
    assert any("nothing stops at the limits of joints here: O" in note for note in smooth.notes)


def test_what_contacts_push_with_is_read_at_each_step_and_in_samples() -> None:
    rt = lw.realtime(lw.loads(BLOCK), "1 ms", outputs=["touch.force"], keep=200)
    assert rt["touch.force"] == 0.0
    rt.set(pull=5.0)
    rt.step(100)
    assert rt["touch.force"] == pytest.approx(2 * G, abs=1e-6)
    assert abs(rt["touch.friction"]) == pytest.approx(5.0, abs=1e-6)
    assert (rt["touch.nx"], rt["touch.ny"]) == pytest.approx((0.0, 1.0))
    assert rt["touch.x"] == pytest.approx(5.0 * 0.1 / (2 * G), abs=1e-6)  # of two corners, where their sum acts
    rt.set(pull=9.0)
    rt.step(100)
    kept = rt.result
    assert kept["touch.force"][-1] == pytest.approx(2 * G, abs=1e-6)
    assert abs(kept["touch.friction"][-1]) == pytest.approx(0.3 * 2 * G, abs=1e-6)
    run = lw.simulate(
        lw.loads(BLOCK), 0.1, step=0.1, integrator="moreau_jean", fixed_step="1 ms", parameters={"pull": 5.0}
    )
    assert kept["touch.friction"][99] == pytest.approx(run["touch.friction"][-1], abs=1e-6)


def test_a_bound_that_is_too_small_is_told() -> None:
    """Heavy on light, by sweeps: 1000 kg on 1 kg want more than two of them."""
    bodies = "".join(
        f"  b{k}: {{points: {{c{k}: [0, 0]}}, origin: [0, {0.1 + 0.2 * k}],"
        f" shapes: {{hull: {{box: [0.4, 0.2], mass: {m}}}}}}}\n"
        for k, m in enumerate((1, 30, 1000))
    )
    model = lw.loads(f"""
linkwork: 1
space: planar
gravity: [0, -9.81]
bodies:
{bodies}
surfaces: {{floor: {{plane: [0, 1]}}}}
contacts: {{touch: {{between: [floor, b0, b1, b2], friction: 0.5}}}}
""")
    sweeps = lw.integrators.MoreauJean(solver="gauss_seidel")
    rough = lw.realtime(model, "1 ms", integrator=sweeps, max_iterations=2)
    rough.step(20)
    assert rough.statistics["steps not solved"] > 0
    assert rough.statistics["most iterations of a step"] <= 2 * PROBLEMS
    assert any("not solved as well as was asked for" in note for note in rough.notes)
    fine = lw.realtime(model, "1 ms")
    fine.step(2000)
    assert fine.statistics["steps not solved"] == 0
    assert fine["b2.y"] == pytest.approx(0.5, abs=1e-9)


def test_a_reset_begins_again() -> None:
    rt = lw.realtime(lw.loads(GATE), "1 ms")
    rt.advance(0.7)
    first = rt.state
    rt.reset()
    assert rt.time == 0.0
    assert rt.timing.steps == 0
    assert rt.statistics["contacts begun"] == 0
    rt.advance(0.7)
    assert rt.state == first


def test_a_reset_takes_other_laws_and_shapes() -> None:
    text = BALL.replace("restitution: 0.7", "restitution: back").replace("radius: 0.1", "radius: r")
    text = text.replace(
        "bodies:", "parameters: {back: {value: 0.7, live: true}, r: {value: 0.1 m, live: true}}\nbodies:", 1
    )
    rt = lw.realtime(lw.loads(text), "1 ms", outputs=["ball.vz", "ball.z"])
    rt.reset(back=1.0, r="0.2 m")
    rt.advance(0.5)
    fall = np.sqrt(2 * 0.8 / G)
    assert rt["ball.vz"] == pytest.approx(G * fall - G * (0.5 - fall), abs=2e-2)
    rt.reset(back=0.0)
    rt.advance(1.0)
    assert rt["ball.z"] == pytest.approx(0.1, abs=1e-11)


def test_it_goes_on_from_a_run_that_rests_on_its_stop_and_a_run_from_it() -> None:
    """Limits that held in the run are decided anew in each step: a push lifts the gate off."""
    run = lw.simulate(lw.loads(GATE), 2.0)
    rt = lw.realtime(run, "1 ms", keep=1000)
    assert rt.time == pytest.approx(2.0)
    rt.step(200)
    assert rt["O.angle"] == pytest.approx(-np.pi / 6, abs=1e-9)
    rt.set(push="30 N*m")
    rt.step(300)
    assert rt["O.angle"] > -np.pi / 6 + 0.1
    further = lw.simulate(rt.result, rt.time + 0.1, parameters={"push": 30.0})
    rt.step(100)
    assert further["O.angle"][-1] == pytest.approx(rt["O.angle"], abs=1e-4)


def test_a_run_goes_on_with_what_a_hand_has_closed() -> None:
    rt = lw.realtime(LATCH, "1 ms", keep=10)
    rt.step(100)
    rt.connect("weld", "anywhere")
    rt.step(50)
    further = lw.simulate(rt.result, rt.time + 0.2, coordinates="relative")
    assert np.max(np.abs(further["A.angle"] - rt["A.angle"])) < 1e-9
    again = lw.realtime(rt.result, "1 ms")
    assert again.hand.closed == ("weld",)
    again.step(100)
    assert again["A.angle"] == pytest.approx(rt["A.angle"], abs=1e-9)


def test_a_million_steps_tell_their_time() -> None:
    rt = lw.realtime(lw.loads(GATE), 1e-3)
    rt.step(1_000_000)
    assert rt.time == pytest.approx(1000.0, abs=1e-9)
    assert rt["O.angle"] == pytest.approx(-np.pi / 6, abs=1e-12)


# -- what tries to break it --------------------------------------------------------------------------------------------


def boxes(count: int, size: float, angle: float = 0.0, mass: float = 1.0) -> Model:
    """A stack of boxes, all turned together with gravity and the floor by an angle, that begins at rest."""
    c, s = np.cos(angle), np.sin(angle)
    bodies = "".join(
        f"  b{k}: {{points: {{c{k}: [0, 0]}}, origin: [{-s * size * (k + 0.5)}, {c * size * (k + 0.5)}], rotation: {angle},"
        f" shapes: {{hull: {{box: [{size}, {size}], mass: {mass}}}}}}}\n"
        for k in range(count)
    )
    names = ", ".join(f"b{k}" for k in range(count))
    return lw.loads(f"""
linkwork: 1
space: planar
gravity: [{s * G}, {-c * G}]
bodies:
{bodies}
surfaces: {{floor: {{plane: [{-s}, {c}]}}}}
contacts: {{touch: {{between: [floor, {names}], friction: 0.6}}}}
""")


@pytest.mark.parametrize(
    ("count", "size", "angle", "mass"), [(5, 1.0, 0.0, 1.0), (10, 1.0, np.pi / 4, 1.0), (5, 10.0, 0.3, 1e3)]
)
def test_stacks_stand_turned_higher_larger(count: int, size: float, angle: float, mass: float) -> None:
    rt = lw.realtime(boxes(count, size, angle, mass), "1 ms")
    assert rt.advance(2).completed
    top = count - 1
    assert rt[f"b{top}.x"] == pytest.approx(-np.sin(angle) * size * (top + 0.5), abs=1e-7 * size)
    assert rt[f"b{top}.y"] == pytest.approx(np.cos(angle) * size * (top + 0.5), abs=1e-7 * size)
    assert rt.statistics["steps not solved"] == 0
    assert rt.audit.passed


def test_two_stops_and_a_rope_at_one_instant() -> None:
    """Twins that hit their stops together stay twins, and a bar between two ropes stays level."""
    model = lw.loads("""
linkwork: 1
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [1, 0], P: [3, 0], Q: [4, 0], L: [6, 0], R: [7, 0], U: [6, 1], V: [7, 1]}
bodies:
  one: {bar: [O, A], mass: 2}
  other: {bar: [P, Q], mass: 2}
  beam: {bar: [L, R], mass: 3}
joints:
  O: {kind: revolute, bodies: [ground, one], limits: [-30 deg, null], stops: {restitution: 0.4}}
  P: {kind: revolute, bodies: [ground, other], limits: [-30 deg, null], stops: {restitution: 0.4}}
relations:
  left: {kind: rope, between: [ground.U, beam.L], length: 1.5}
  right: {kind: rope, between: [ground.V, beam.R], length: 1.5}
""")
    rt = lw.realtime(model, "1 ms", outputs=["O.angle", "P.angle", "beam.angle", "L.y"])
    for _ in range(200):
        rt.step(10)
        assert rt["O.angle"] == pytest.approx(rt["P.angle"], abs=1e-10)
        assert abs(rt["beam.angle"]) < 1e-9
    assert rt["L.y"] == pytest.approx(-0.5, abs=1e-9)
    assert rt.audit.passed


def test_what_is_squeezed_by_a_driver_is_told_and_no_number_is_made_up() -> None:
    """A driver that runs into a stop cannot be met: the steps say so, by their residual, overlap and audit."""
    model = lw.loads("""
linkwork: 1
space: planar
points: {O: [0, 0], A: [1, 0]}
bodies: {arm: {bar: [O, A], mass: 2}}
joints: {O: {kind: revolute, bodies: [ground, arm], limits: [null, 20 deg]}}
drivers: {motor: {joint: O, position: 0.5*t}}
""")
    rt = lw.realtime(model, "1 ms", keep=1000)
    rt.advance(1)
    with pytest.warns(lw.errors.AuditWarning, match="overlap by"):
        assert rt.result.audit.passed is False
    assert any("contacts were left" in finding for finding in rt.audit.findings)
    assert rt.solved is not None
    assert not rt.solved.met


def test_more_contacts_than_there_was_room_for() -> None:
    names = [f"n{k}" for k in range(30)]
    balls = "".join(
        f"  {name}: {{points: {{{name}c: [0, 0, 0]}}, origin: [{0.21 * (k % 5)}, {0.003 * k}, {0.2 + 0.21 * (k // 5)}],"
        f" shapes: {{skin: {{sphere: {{radius: 0.1}}, mass: 1}}}}}}\n"
        for k, name in enumerate(names)
    )
    model = lw.loads(f"""
linkwork: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
{balls}
surfaces: {{floor: {{plane: [0, 0, 1]}}}}
contacts: {{touch: {{between: [floor, {", ".join(names)}]}}}}
""")
    rt = lw.realtime(model, "2 ms", coordinates="reference_point")
    assert rt.step(300).completed
    assert rt.statistics["most contacts"] > 20
    assert rt.audit.passed, rt.audit.findings


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_a_start_with_an_overlap_is_refused() -> None:
    with pytest.raises(AssemblyError, match="overlap"):
        lw.realtime(lw.loads(BALL.replace("origin: [0, 0, 1]", "origin: [0, 0, 0.05]")), "1 ms")


def test_what_time_stepping_does_not_know_is_refused_by_name() -> None:
    soft = BALL.replace("restitution: 0.7", "stiffness: 1e5").replace(
        "contacts: {", "contacts: {hard: {between: [wall, ball]}, "
    )
    soft = soft.replace("surfaces: {", "surfaces: {wall: {plane: [1, 0, 0], at: [-1, 0, 0]}, ")
    with pytest.raises(RefusedError, match=r"'touch' gives way.*such as 'rk4'"):
        lw.realtime(lw.loads(soft), "1 ms")
    with pytest.raises(RefusedError, match="formulation"):
        lw.realtime(lw.loads(BALL), "1 ms", integrator="moreau_jean", formulation="multipliers")
    with pytest.raises(RefusedError, match="'line'"):
        lw.realtime(lw.loads(ROPE), "1 ms", integrator="rk4")
    with pytest.raises(RefusedError, match="max_iterations"):
        lw.realtime(lw.loads(ROPE), "1 ms", max_iterations=0)


def test_contacts_that_give_way_are_forces_in_real_time() -> None:
    """A ball that rests on a spring of its own: m g / k deep."""
    soft = lw.loads(
        BALL.replace("restitution: 0.7", "stiffness: 2000, damping: 30").replace("0, 0, 1]", "0, 0, 0.15]", 1)
    )
    rt = lw.realtime(soft, "1 ms")
    rt.advance(4)
    assert rt["ball.z"] == pytest.approx(0.1 - G / 2000, abs=1e-6)
    assert not any("touches" in note for note in rt.notes)
