"""Steps by hand: they are those of a run, live parameters act from the next step on, and failures leave the last state."""

import pickle
from functools import cache

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.methods.stability_limits import stability_limits

STEP = 1e-3

# a mass on a slide, pushed by a live force against a spring that is slack at first
SLIDE = """
linkwork: 1
name: slide
space: planar
parameters:
  force: {value: 3 N, live: true}
  k: {value: 0 N/m, live: true}
  share: {value: 1, live: true}
  fixed: 2 kg
points: {O: [0, 0], P: [1, 0]}
bodies: {mass: {points: [P], mass: fixed}}
joints: {guide: {kind: prismatic, bodies: [ground, mass], at: P, axis: [1, 0]}}
forces:
  push: {kind: effort, joint: guide, value: force/share}
  spring: {kind: spring, between: [ground.O, mass.P], stiffness: k, free_length: 1 m}
"""

# a four-bar whose coupler has a live length, with a live torque on its crank
FOUR_BAR = """
linkwork: 1
name: four_bar
space: planar
parameters:
  coupler: {value: 2.5 m, live: true}
  torque: {value: 0 N*m, live: true}
  start: {value: 2 rad/s, live: true}
points: {O: [0, 0], A: [0, 1], B: [2.3, 1.9], C: [3, 0]}
bodies:
  crank: {bar: [O, A], mass: 1}
  rod: {bar: [A, B], length: coupler, mass: 2}
  rocker: {bar: [C, B], length: 2, mass: 1}
joints:
  O: {kind: revolute, bodies: [ground, crank]}
  A: {kind: revolute, bodies: [crank, rod]}
  B: {kind: revolute, bodies: [rod, rocker]}
  C: {kind: revolute, bodies: [ground, rocker]}
forces: {motor: {kind: effort, joint: O, value: torque}}
initial: {O: {speed: start}}
"""

# the rocker of the same linkage turned by a motor whose speed is live
DRIVEN = """
linkwork: 1
name: driven
space: planar
parameters: {speed: {value: 0.5, live: true}}
points: {O: [0, 0], A: [0, 1], B: [2, 2], C: [3, 0]}
bodies:
  crank: {bar: [O, A], mass: 1}
  rod: {bar: [A, B], mass: 2}
  rocker: {bar: [C, B], mass: 1}
joints:
  O: {kind: revolute, bodies: [ground, crank]}
  A: {kind: revolute, bodies: [crank, rod]}
  B: {kind: revolute, bodies: [rod, rocker]}
  C: {kind: revolute, bodies: [ground, rocker]}
drivers: {motor: {joint: C, speed: speed}}
"""


@cache
def model(text):
    return lw.loads(text)


def live(text, **options):
    return lw.realtime(model(text), STEP, **options)


def test_steps_are_those_of_a_run_with_the_same_step():
    rt = live(FOUR_BAR, outputs=["B.x", "energy.total"])
    run = lw.simulate(model(FOUR_BAR), 0.5, step=0.1, integrator="rk4", fixed_step=STEP)
    for i in range(1, 6):
        assert rt.step(100).completed
        assert rt.time == pytest.approx(run.time[i], abs=1e-15)
        for name in ("B.x", "energy.total", "A.fx", "O.acceleration"):
            assert rt[name] == pytest.approx(run[name][i], rel=1e-12, abs=1e-12), name
    assert rt.state["O.angle"] == run["O.angle"][-1]


def test_a_force_acts_from_the_step_after_it_is_set():
    """Constant forces, 2 kg: the motion is a parabola in each part, which steps of order 4 have exactly."""
    rt = live(SLIDE, outputs=["guide.position", "guide.speed", "guide.acceleration"])
    rt.advance("0.2 s")
    rt.set(force="-5 N")
    assert rt["guide.acceleration"] == pytest.approx(-2.5)
    rt.advance(0.5)
    x, v = 0.75 * 0.2**2, 1.5 * 0.2
    assert rt["guide.speed"] == pytest.approx(v - 2.5 * 0.3, abs=1e-13)
    assert rt["guide.position"] == pytest.approx(x + v * 0.3 - 1.25 * 0.3**2, abs=1e-13)
    assert rt.parameters == {"force": -5.0, "k": 0.0, "share": 1.0}


FORMULATIONS = (
    "hybrid",
    "partitioning",
    "multipliers",
    "canonical",
    "penalty",
    "r_method",
    "index3_augmented_lagrangian",
)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_hears_of_a_new_value(formulation):
    """The work of the torque, 5 N m times the angle since it was set, is what the energy has grown by."""
    rt = live(FOUR_BAR, formulation=formulation, max_iterations=8)
    rt.step(50)
    energy, angle = rt["energy.total"], rt["O.angle"]
    rt.set({"torque": "5 N*m"})
    rt.step(200)
    turned = rt["O.angle"] - angle
    assert turned > 0.3
    assert rt["energy.total"] - energy == pytest.approx(5.0 * turned, rel=1e-4)
    assert rt["closure"] < 1e-5


@pytest.mark.parametrize(
    ("integrator", "error"),
    [("abm4", 1e-9), ("newmark", 1e-4), ("hht", 1e-4), ("bdf2", 1e-4), ("gauss4", 1e-10), ("energy_midpoint", 1e-10)],
)
def test_every_integrator_forgets_what_it_knew_of_a_force(integrator, error):
    """Nothing that a method remembers may carry the old torque into the steps behind a jump."""
    rt = live(FOUR_BAR, integrator=integrator)
    rt.step(50)
    energy, angle = rt["energy.total"], rt["O.angle"]
    rt.set(torque=5.0)
    rt.step(200)
    assert rt["energy.total"] - energy == pytest.approx(5.0 * (rt["O.angle"] - angle), rel=error)


@pytest.mark.parametrize("formulation", ["hybrid", "multipliers", "index3_augmented_lagrangian"])
def test_a_length_that_changes_closes_the_loop_again(formulation):
    rt = live(FOUR_BAR, formulation=formulation)
    rt.step(100)
    before = rt["B.x"]
    rt.set(coupler=2.52)
    assert rt["closure"] < 1e-9
    length = np.hypot(rt["B.x"] - rt["A.x"], rt["B.y"] - rt["A.y"])
    assert length == pytest.approx(2.52, abs=1e-9)
    assert 1e-4 < abs(rt["B.x"] - before) < 0.1
    assert rt.step(100).completed
    assert rt["closure"] < 1e-6


def test_a_length_with_which_the_loop_cannot_close_is_refused_and_changes_nothing():
    rt, other = live(FOUR_BAR), live(FOUR_BAR)
    rt.step(100)
    other.step(100)
    with pytest.raises(lw.errors.RefusedError, match=r"coupler cannot be set at t = 0\.1 s.*as it was before"):
        rt.set(coupler=9.0)
    assert rt.parameters["coupler"] == 2.5
    assert rt.state == pytest.approx(other.state, rel=1e-14)
    rt.step(50)
    other.step(50)
    assert rt.state == pytest.approx(other.state, rel=1e-12)


def test_a_motor_changes_its_speed():
    rt = live(DRIVEN)
    rt.step(100)
    angle = rt["C.angle"]
    rt.set(speed=-0.25)
    assert rt["C.speed"] == pytest.approx(-0.25, abs=1e-12)
    rt.step(100)
    assert rt["C.angle"] == pytest.approx(angle - 0.025, abs=1e-12)
    assert rt["closure"] < 1e-12


def test_a_step_that_fails_says_why_and_the_run_can_go_on_from_the_last_state():
    rt = live(DRIVEN, keep=10)
    outcome = rt.step(10_000)
    assert not outcome.completed
    assert outcome.element == "C"
    assert "motor" in outcome.reason
    assert outcome.time == rt.time
    stopped, count = rt.state, rt.timing.steps
    assert count == round(rt.time / STEP)
    assert str(outcome) in " ".join(str(rt).split())
    # it fails again, and is where it was
    assert not rt.step().completed
    assert rt.state == pytest.approx(stopped, rel=1e-9)
    # turning back
    rt.set(speed=-0.5)
    assert rt.step(100).completed
    assert rt["C.angle"] == pytest.approx(stopped["C.angle"] - 0.05, abs=1e-9)
    rt.reset()
    assert (rt.time, rt.parameters["speed"], rt.timing.steps) == (0.0, 0.5, 0)
    assert rt.step(100).completed


def test_reset_begins_again_also_from_other_values():
    rt = live(FOUR_BAR)
    first = rt.state
    rt.step(100)
    later = rt.state
    rt.set(torque=3)
    rt.reset()
    assert rt.state == first
    rt.step(100)
    assert rt.state == later
    rt.reset({"start": "-1 rad/s", "coupler": 2.4})
    assert rt["O.speed"] == pytest.approx(-1.0)
    assert rt["closure"] < 1e-12


def test_parameters_are_named_where_they_are_set_and_told_where_they_are_not():
    """As keywords of set and reset, arrays of one number too; a step takes none, and says who does."""
    stepped = live(SLIDE, integrator="rk4")
    stepped.set(force=np.array([5.0]))
    assert stepped.parameters["force"] == 5.0
    stepped.reset(force=7)
    assert stepped.parameters["force"] == 7.0 and stepped.time == 0.0
    with pytest.raises(lw.errors.ArgumentError, match=r"step sets no parameter: write rt\.set\(force=3\)"):
        stepped.step(force=3)
    with pytest.raises(lw.errors.ArgumentError, match="advance sets no parameter"):
        stepped.advance("1 s", force=3)
    with pytest.raises(lw.errors.ArgumentError, match="step has no argument 'cuont'; did you mean 'count'"):
        stepped.step(cuont=3)
    with pytest.raises(lw.errors.UnknownNameError, match="'forse'; did you mean 'force'"):
        stepped.reset(forse=3)
    with pytest.raises(lw.errors.UnitError, match="parameter 'force' has 2 values; one number is wanted"):
        stepped.set(force=np.array([5.0, 6.0]))
    assert stepped.parameters["force"] == 7.0


def test_samples_become_a_result():
    """A ring of the last samples, each with the parameters of its time."""
    rt = live(SLIDE, keep=20, every=10)
    rt.step(150)
    rt.set(force=1.0)
    rt.step(150)
    run = rt.result
    assert len(run) == 20
    assert run.time == pytest.approx(np.arange(11, 31) * 0.01)
    assert run["guide.acceleration"] == pytest.approx(np.where(run.time < 0.1505, 1.5, 0.5))
    power = np.where(run.time < 0.1505, 3.0, 1.0) * run["guide.speed"]
    assert run["push.power"] == pytest.approx(power, rel=1e-12)
    with pytest.raises(lw.errors.ResultError, match="keep="):
        _ = live(SLIDE).result


def test_samples_have_reactions_under_changing_parameters():
    """On a rod that is pushed by a torque T about its pin, the pin holds the mass: m a of the centre."""
    rt = live(FOUR_BAR, keep=30)
    rt.step(10)
    rt.set(torque=7)
    rt.step(10)
    run = rt.result
    total = sum(run[f"{body}.ax"] * mass for body, mass in (("crank", 1), ("rod", 2), ("rocker", 1)))
    assert run["O.fx"] + run["C.fx"] == pytest.approx(total, abs=1e-9)
    assert np.ptp(np.diff(run["O.acceleration"])) > 0.1


def test_the_method_follows_from_the_stiffness():
    """A spring of 2 kg that vibrates with ω: Runge-Kutta 4 is stable up to hω = 2√2, beyond it the step is implicit."""
    limit = stability_limits("rk4").imaginary
    for ratio, name in ((0.7, "rk4"), (1.3, "trapezoidal")):
        stiffness = 2.0 * (ratio * limit / STEP) ** 2
        rt = live(SLIDE, parameters={"k": stiffness, "force": 0.01 * stiffness})
        assert rt.chosen.method.name == name
        assert rt.chosen.fastest * STEP == pytest.approx(ratio * limit, rel=1e-3)
        assert rt.step(2000).completed
        # static deflection and amplitude
        assert 0.0 < np.abs(rt["guide.position"]) < 0.021


@pytest.mark.parametrize("integrator", ["trapezoidal", "radau5"])
@pytest.mark.parametrize("text", [SLIDE, FOUR_BAR], ids=["slide", "four_bar"])
def test_implicit_steps_take_the_iterations_asked_for(integrator, text):
    rt = live(text, integrator=integrator, max_iterations=3)
    rt.step(100)
    assert rt.statistics["iterations"] == 300


@pytest.mark.parametrize("integrator", ["ab3", "abm4", "am3", "bdf2", "generalised_alpha", "gauss4", "radau9"])
def test_methods_of_every_family_step_as_in_a_run(integrator):
    rt = live(FOUR_BAR, integrator=integrator, max_iterations=8)
    run = lw.simulate(model(FOUR_BAR), 0.1, integrator=integrator, fixed_step=STEP)
    assert rt.step(100).completed
    assert rt.state["O.angle"] == pytest.approx(run["O.angle"][-1], abs=1e-9)


def test_the_clock_counts_every_step():
    rt = live(SLIDE)
    rt.step(500)
    timing = rt.timing
    assert timing.steps == timing.counts.sum() == 500
    assert 0.0 < timing.mean <= timing.worst
    assert timing.factor == timing.mean / STEP
    assert timing.quantile(0.0) <= timing.quantile(0.5) <= timing.quantile(1.0) == timing.worst
    assert timing.missed <= timing.counts[timing.edges[1:] > STEP].sum()
    assert "mean step time / step" in str(timing)
    assert timing.plot().axes[0].has_data()


def test_a_paced_run_keeps_the_time_of_the_wall():
    import time

    rt, seen = live(SLIDE), []
    begin = time.perf_counter()
    pacing = rt.pace("0.05 s", lambda run: seen.append(run.time), count=10)
    assert time.perf_counter() - begin >= 0.05
    assert seen == pytest.approx([0.01, 0.02, 0.03, 0.04, 0.05])
    assert pacing.frames == 5
    assert rt.pace(1.0, lambda run: run.time < 0.0595, count=1, speed=1000).frames == 10


WRONG = [
    (lambda rt: rt["guide.positon"], lw.errors.UnknownNameError, "did you mean.*guide.position"),
    (lambda rt: rt.set(forc=1), lw.errors.UnknownNameError, "did you mean.*force"),
    (lambda rt: rt.set(fixed=1), lw.errors.UnknownNameError, "live: true"),
    (lambda rt: rt.set(force=float("inf")), lw.errors.UnitError, "finite"),
    (
        lambda rt: rt.set(share=0),
        lw.errors.RefusedError,
        "share cannot be set at t = 0 s: force 'push' gives an infinite",
    ),
    (lambda rt: rt.step(-1), lw.errors.RefusedError, "whole number"),
    (lambda rt: rt.step(1.5), lw.errors.RefusedError, "whole number"),
    (lambda rt: rt.advance(-1), lw.errors.RefusedError, "already"),
    (lambda rt: rt.pace(0), lw.errors.RefusedError, "duration"),
]


@pytest.mark.parametrize(("wrong", "kind", "match"), WRONG)
def test_wrong_requests_are_refused(wrong, kind, match):
    rt = live(SLIDE)
    with pytest.raises(kind, match=match):
        wrong(rt)
    assert rt.step(10).completed


OPTIONS = [
    ({"fixed_step": "0 s"}, "positive"),
    ({"fixed_step": "-1 ms"}, "positive"),
    ({"keep": -1}, "keep"),
    ({"every": 0}, "every"),
    ({"max_iterations": 0}, "max_iterations"),
    ({"integrator": "bdf"}, "chooses its steps itself"),
    ({"clock": "sundial"}, "wall"),
    ({"integrator": "rk4", "formulation": "index3_augmented_lagrangian"}, "trapezoidal"),
]


@pytest.mark.parametrize(("options", "match"), OPTIONS)
def test_wrong_options_are_refused(options, match):
    with pytest.raises(lw.errors.RefusedError, match=match):
        lw.realtime(model(SLIDE), **options)


def test_what_runs_is_not_kept_and_says_what_is():
    running = live(SLIDE, keep=10)
    running.advance(0.005)
    with pytest.raises(lw.errors.RefusedError, match="runs, and is not kept: keep its result, timing or audit"):
        pickle.dumps(running)
    assert pickle.loads(pickle.dumps(running.timing)).worst == running.timing.worst


def test_a_force_that_is_set_between_steps_raises_no_alarm():
    """A controller holds its force over each step: the acceleration at a sample is that before it was set."""
    live = lw.realtime(lw.loads(SLIDE), STEP, keep=100)
    for _ in range(60):
        live.set(force=-4000.0 * (live["guide.position"] - 0.5) - 120.0 * live["guide.speed"])
        live.step()
    assert live.audit.passed, live.audit.findings
    assert live.result["guide.position"][-1] > 0.3


def test_stops_that_give_way_act_in_real_time() -> None:
    """A gate falls on a spring with a damper: where it rests, and errors of the first order of the step behind the hit."""
    gate = lw.loads("""
linkwork: 1
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [1, 0]}
bodies: {gate: {bar: [O, A], mass: 2}}
joints: {O: {kind: revolute, bodies: [ground, gate], limits: [-30 deg, null], stops: {stiffness: 2000, damping: 20}}}
""")
    rt = lw.realtime(gate, "1 ms")
    rt.advance(4)
    depth = -np.pi / 6 - rt["O.angle"]
    assert 2000 * depth == pytest.approx(9.81 * np.cos(rt["O.angle"]), rel=1e-6)
    assert not rt.notes
    exact = lw.simulate(gate, 0.7, step=0.7, rtol=1e-11, atol=1e-13)["O.angle"][-1]
    errors = []
    for size in (2e-3, 1e-3, 5e-4, 2.5e-4):
        rt = lw.realtime(gate, size)
        rt.advance(0.7)
        errors.append(abs(rt["O.angle"] - exact) / size)
    assert max(errors) < 2.0
