"""Routes of inverse dynamics: files and back, joints of all kinds by Newton's equations, redundancy, penalties, loads."""

from functools import cache

import linkages
import numpy as np
import pytest
from mechanisms import bricard, double_pendulum, four_bar, spatial_four_bar
from ten_mechanisms import LIBRARY, TEN, model_of

import linkwork as lw
from linkwork.equations.inverse.ways import ALL_INVERSE_METHODS
from linkwork.equations.reactions.newton import newton_system

METHODS = [method.name for method in ALL_INVERSE_METHODS]


def extended(model, **more):
    return lw.Model(**{**{key: getattr(model, key) for key in type(model).model_fields}, **more})


# -- forwards and back ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "joint"), [("four-bar", "O"), ("spatial slider-crank", "O"), ("six-bar", "O"), ("Bricard", None)]
)
def test_the_torque_of_a_recorded_motion_is_the_torque_applied(name, joint, tmp_path):
    """A loop is simulated with a torque over time and stored; from the file alone the torque is found again."""
    model = model_of(name)
    joint = joint if joint in model.joints else next(iter(model.joints))
    motor = {"kind": "effort", "joint": joint, "value": "0.3*sin(9*t) - 0.2"}
    powered = extended(model, forces={**model.forces, "motor": motor})
    run = lw.simulate(powered, TEN[name].until, step=TEN[name].until / 20, rtol=1e-11, atol=1e-13)
    loaded = lw.load_result(run.save(tmp_path / "motion.nc"))
    found = lw.inverse_dynamics(powered, loaded)
    assert list(found.motors) == ["motor"]
    assert found["motor"] == pytest.approx(0.3 * np.sin(9 * run.time) - 0.2, abs=1e-9)


# -- Newton's equations ------------------------------------------------------------------------------------------------

SPATIAL = {
    "revolute, spherical, cylindrical": linkages.rscr,
    "helical, universal": linkages.screw_crank,
    "universal, planar": linkages.sliding_shoe,
    "gears": lambda: lw.load(LIBRARY / "planetary_gear.yaml"),
}


SILENT = {"revolute": ["mz"], "universal": ["mz"], "cylindrical": ["fz", "mz"], "planar": ["fx", "fy", "mz"]}


@cache
def by_newton(name):
    model = SPATIAL[name]()
    if name == "gears":
        motors, motion = ["S", "A"], {"S": "3*t*t", "A": "sin(5*t)"}
    else:
        motion = lw.simulate(model, times=[0.0, 0.03, 0.06], rtol=1e-10)
        motors = [next(f"{joint}.{f.name}" for joint, item in model.joints.items() for f in item.freedoms)]
    times = {"times": [0.0, 0.03, 0.06], "motors": motors}
    return model, motion, [lw.inverse_dynamics(model, motion, method=m, **times) for m in ("newton", "multipliers")]


@pytest.mark.parametrize("name", list(SPATIAL))
def test_newtons_equations_with_joints_of_all_kinds(name):
    """Every body: forces of joints and teeth are m (a - g). What a joint cannot transmit vanishes. Multipliers agree."""
    model, _, (found, other) = by_newton(name)
    reactions, axes = found.result.reactions, "xyz"[: 2 if model.space == "planar" else 3]
    gravity = np.array([item.value for item in model.gravity])
    for body, item in model.bodies.items():
        forces = np.zeros((3, len(axes)))
        for joint, pair in ((joint, held.bodies) for joint, held in model.joints.items()):
            forces += ((pair[1] == body) * 1.0 - (pair[0] == body)) * reactions[joint].force
        for mesh in (reactions[name] for name in model.couplings):
            forces += ((mesh.info.child == body) * 1.0 - (mesh.info.parent == body)) * mesh.force
        acceleration = np.column_stack([found[f"{body}.a{axis}"] for axis in axes])
        size = np.abs(forces).max() + 1.0
        assert forces == pytest.approx(item.mass.value * (acceleration - gravity), abs=1e-9 * size)
    own = found.result.reactions(axes="joint")
    for joint, held in model.joints.items() if model.space == "spatial" else ():
        for component in SILENT.get(held.kind, []):
            assert np.abs(own[joint][component]).max() < 1e-9 if component in own[joint].info.components else True
        if held.kind == "helical":
            assert own[joint]["mz"] == pytest.approx(-0.3 / (2 * np.pi) * own[joint]["fz"], abs=1e-10)
    for joint, reaction in reactions.items():
        for component in set(reaction.info.components) - set(reaction.not_unique):
            size = max(1.0, np.abs(reaction[component]).max())
            assert found[f"{joint}.{component}"] == pytest.approx(other[f"{joint}.{component}"], abs=1e-9 * size)


def test_newtons_system_has_six_unknowns_for_every_joint():
    """Bodies × 6 equations and one for every freedom of a joint (García de Jalón and Bayo, 6.2.1)."""
    _, run, _ = by_newton("revolute, spherical, cylindrical")
    balance = run.source._pushes._balance("world", slice(None))
    system = newton_system(balance)
    assert system.matrix.shape[1:] == (3 * 6 + (1 + 3 + 2 + 1), 4 * 6)
    assert np.linalg.matrix_rank(system.matrix[0]) == 24


@pytest.mark.parametrize("kind", ["reference_point", "natural", "mixed"])
def test_gears_that_turn_often_in_other_coordinates(kind):
    """Angles that count their turns are followed over more than half a turn, from a run in relative coordinates."""
    model = SPATIAL["gears"]()
    run = lw.simulate(model, 0.2, step=0.02)
    found = lw.inverse_dynamics(model, run, motors=["S", "A"], coordinates=kind)
    assert np.ptp(run["P2.angle"]) > 4 * np.pi
    assert found["P2.angle"] == pytest.approx(run["P2.angle"], abs=1e-9)


# -- redundant constraints ------------------------------------------------------------------------------------------------


def door():
    return lw.load(LIBRARY / "door.yaml")


@pytest.mark.parametrize("build", [bricard, door, spatial_four_bar])
def test_redundant_conditions_give_least_norm_by_all_methods(build):
    """What is unique and what is not is the same by all methods, and what is open is of least norm."""
    model = build()
    joint = next(iter(model.joints))
    run = lw.simulate(model, times=[0.05, 0.1], rtol=1e-10)
    found = [lw.inverse_dynamics(model, run, motors=[joint], method=method) for method in METHODS]
    loose = {load.element: load.not_unique for load in found[0].peak_loads()}
    assert any(loose.values())
    for item in found[1:]:
        assert {load.element: load.not_unique for load in item.peak_loads()} == loose
        for name, reaction in found[0].result.reactions.items():
            for component in reaction.info.components:
                size = max(1.0, np.abs(reaction[component]).max())
                assert item[f"{name}.{component}"] == pytest.approx(reaction[component], abs=1e-9 * size), item.method


# -- penalties -----------------------------------------------------------------------------------------------------------


@cache
def exact():
    motion = {"O.angle": "0.9 + 2*t + 0.3*sin(4*t)"}
    return motion, lw.inverse_dynamics(four_bar(), motion, until=1.0, step=0.05)


def test_penalties_alone_have_six_digits_and_corrections_make_them_exact():
    """The error of λ* falls as 1/α (García de Jalón and Bayo, 6.2.4), until rounding errors of the size ε α are reached."""
    motion, reference = exact()

    def error(**options):
        found = lw.inverse_dynamics(
            four_bar(), motion, until=1.0, step=0.05, method=lw.formulations.PenaltyEstimate(**options)
        )
        exactly = reference["O.effort"]
        return np.abs(found["O.effort"] - exactly).max() / np.abs(exactly).max()

    with pytest.warns(
        lw.errors.AuditWarning, match=r"(?s)the efforts do not give this motion.* more corrections of penalties"
    ):
        coarse, fine = (error(alpha=alpha, corrections=0) for alpha in (1e4, 1e5))
    assert coarse / fine == pytest.approx(10.0, rel=0.05)
    assert 1e-8 < error(alpha=1e7, corrections=0) < 1e-5
    assert error() < 1e-10


def test_penalties_that_cannot_end_say_so():
    motion, _ = exact()
    with pytest.raises(lw.errors.RefusedError, match=r"after 3 corrections .* take a larger alpha than 0\.001"):
        lw.inverse_dynamics(
            four_bar(), motion, until=0.1, method=lw.formulations.PenaltyEstimate(alpha=1e-3, corrections=3)
        )
    with pytest.raises(lw.errors.RefusedError, match=r"alpha = -1 must be positive; mu = -2 must not be negative"):
        lw.formulations.PenaltyEstimate(alpha=-1, mu=-2)


# -- loads -----------------------------------------------------------------------------------------------------------------


def test_loads_of_motors_over_time():
    """τ = a + b sin ω t on a wheel without weight: exact peak, root mean square and work over whole turns of the sine."""
    wheel = lw.loads("""
linkwork: 1
space: planar
points: {O: [0, 0]}
bodies: {wheel: {points: [O], mass: 1, com: O, inertia: 2}}
joints: {O: {kind: revolute, bodies: [ground, wheel]}}
""")
    # uneven samples: a mean over samples would be wrong
    t = np.concatenate([np.linspace(0, 0.5, 400, endpoint=False), np.linspace(0.5, 1.0, 101)])
    motion = {"O": "0.5*t*t*1.5 - sin(2*pi*t)/(2*pi)^2"}
    found = lw.inverse_dynamics(wheel, motion, times=t)
    (load,) = found.motor_loads()
    assert found["O.angle.effort"] == pytest.approx(2 * (1.5 + np.sin(2 * np.pi * t)), abs=1e-12)
    assert load.peak == pytest.approx(5.0, abs=1e-3) and load.peak_time == pytest.approx(0.25, abs=2e-3)
    assert load.rms == pytest.approx(2 * np.sqrt(1.5**2 + 0.5), rel=1e-4)
    speed = 1.5 - 1 / (2 * np.pi)
    start = -1 / (2 * np.pi)
    assert load.energy == pytest.approx(speed**2 - start**2, abs=1e-6)
    assert load.mean_power == pytest.approx(load.energy, rel=1e-12) and load.unit == "N*m"


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_the_shaking_moment_about_any_point(space):
    """About a joint to the ground that force has no moment: what is left is the motor and the other joints."""
    base = four_bar() if space == "planar" else spatial_four_bar()
    found = lw.inverse_dynamics(base, {"O": "0.9 + 2*t"}, until=0.3, step=0.1)
    place = [2.2, 0.0] if space == "planar" else [2.2, 0.0, 0.0]
    about = found.shaking_moment_about("C")
    assert about == pytest.approx(found.shaking_moment_about(place), abs=1e-12)
    # by hand: minus the reaction in O with its arm from C, and the motor
    by_hand = -found["O.angle.effort"] - (-2.2) * found["O.fy"]
    assert about[:, -1] == pytest.approx(by_hand, abs=1e-9)
    assert found.shaking_moment_about(np.zeros(len(place))) == pytest.approx(found.shaking_moment, abs=1e-15)
    with pytest.raises(lw.errors.RefusedError, match=f"{len(place)} coordinates in metres"):
        found.shaking_moment_about([1.0])


def test_at_a_dead_centre_nothing_is_invented():
    """The rocker stands still where crank and coupler are in line: its motor has no effort there, and no joint a load."""
    reach = float(np.arccos((2.2**2 + 3.5**2 - 2.0**2) / (2 * 2.2 * 3.5)))
    motion = {"O": f"{reach!r} + 2*(t - 0.5)"}
    t = np.linspace(0.0, 1.0, 21)
    found = lw.inverse_dynamics(four_bar(), motion, times=t, motors=["C"])
    driven = lw.inverse_dynamics(four_bar(), motion, times=t, motors=["O"])
    there = t == 0.5
    for name in ("C.angle.effort", "A.fx", "C.fy"):
        assert np.array_equal(np.isnan(found[name]), there)
    assert np.isfinite([found.motor_loads()[0].peak, *(load.force for load in found.peak_loads())]).all()
    assert np.array_equal(np.isnan(found.result.reactions(axes="child")["A"]["fx"]), there)
    # power and work are those of the motor that can
    assert found.power["C.angle"][~there] == pytest.approx(driven.power["O.angle"][~there], abs=1e-9)
    assert "dead centre at t = 0.5 s" in str(found)


# -- what is refused -------------------------------------------------------------------------------------------------------


def test_all_faults_are_told_at_once():
    motion = {"O.angel": [0, 1, 2], "A": [0.0, np.nan, 1.0], "C": [1, 2]}
    with pytest.raises(lw.errors.RefusedError) as raised:
        lw.inverse_dynamics(
            four_bar(), motion, times=[0.0, 1.0, 0.5], motors=["elbow", "O"], weights={"O.angle": 0}, method="newtn"
        )
    text = str(raised.value)
    wanted = [
        "unknown method",
        "did you mean 'newton'",
        "sample 1 is at 1 s, the next at 0.5 s",
        "'O.angel'",
        "'elbow'",
    ]
    assert all(item in text for item in [*wanted, "not finite at sample 1", "must have 3 numbers"])
    assert text.startswith("inverse dynamics: 6 faults")


def test_a_file_with_cells_that_are_no_numbers(tmp_path):
    file = tmp_path / "motion.csv"
    file.write_text("time [s],O.angle [rad]\n0,0.9\n0.1,nan\n\n0.2,one\n0.3\n", encoding="utf-8")
    with pytest.raises(lw.errors.RefusedError) as raised:
        lw.inverse_dynamics(four_bar(), file)
    for line, cell in ((3, "nan"), (5, "one"), (6, "")):
        assert f"line {line} of '{file}': O.angle [rad] is '{cell}', which is no number" in str(raised.value)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(lw.errors.RefusedError, match="is no table of text"):
        lw.inverse_dynamics(four_bar(), file)
    file.write_text("time,O.angel\n0,1\n", encoding="utf-8")
    with pytest.raises(
        lw.errors.RefusedError, match=r"must name time and coordinates such as O\.angle.*it names time, O\.angel"
    ):
        lw.inverse_dynamics(four_bar(), file)


@pytest.mark.parametrize(
    ("motion", "options", "text"),
    [
        ({"C.angle": "1.2 + 3*t"}, {}, r"cannot follow C\.angle at t = .*joint B.*dead centre or out of reach"),
        ({}, {}, r"gives no joint coordinate; give some, such as O\.angle"),
        ({"O": []}, {"times": []}, "has no samples"),
        ({"O": ["a", "b", "c"]}, {"times": [0, 1, 2]}, r"'O' of the motion is \['a', 'b', 'c'\]; it must be numbers"),
        ({"O": "t"}, {"times": "soon"}, "'time' of the motion is 'soon'"),
        (5, {}, "the motion is 5; it must be a result"),
        ({"O": "1 + t"}, {"tolerance": -1.0}, "tolerance = -1.0: it must be positive"),
        ({"O": "1 + t"}, {"until": "-1 s", "times": None}, "must be a positive time"),
    ],
)
def test_bad_input_says_what_is_wrong(motion, options, text):
    with pytest.raises(lw.LinkworkError, match=text):
        lw.inverse_dynamics(four_bar(), motion, **{"times": np.linspace(0.0, 1.0, 11), **options})


def test_efforts_of_the_model_are_motors_before_coordinates():
    model = extended(double_pendulum(), forces={})
    first, second = model.joints
    forces = {"hand": {"kind": "effort", "joint": first, "value": "1"}}
    motion = {first: "sin(t)", second: "0.5*t"}
    found = lw.inverse_dynamics(extended(model, forces=forces), motion, until=1.0, step=0.1)
    assert list(found.motors) == ["hand"] and found.undriven == (f"{second}.angle",)
    assert list(lw.inverse_dynamics(model, motion, until=1.0, step=0.1).motors) == [f"{first}.angle", f"{second}.angle"]


def test_the_same_motors_are_compiled_once():
    """Asked again with another motion, or with a driver that is taken out of the model, the mechanism is the same object."""
    driven = extended(four_bar(), initial={}, drivers={"motor": {"joint": "O", "position": "0.9 + 2*t"}})
    for model, motions in ((four_bar(), ({"O": "0.9 + t"}, {"O": "0.9 + 2*t"})), (driven, (None, {"O": "0.9 + t"}))):
        runs = [lw.inverse_dynamics(model, motion, until=0.2, step=0.1) for motion in motions]
        first, second = (run.result.source.source.mechanism for run in runs)
        assert first is second
        assert runs[0]["O.speed"] != pytest.approx(runs[1]["O.speed"])
