"""Inverse dynamics: what was applied is found again, all methods agree, loads balance, published numbers."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from mechanisms import double_pendulum, four_bar, spatial_four_bar
from ten_mechanisms import LIBRARY, TEN, model_of

import linkwork as lw
from linkwork.equations.inverse.ways import ALL_INVERSE_METHODS, inverse_method

METHODS = [method.name for method in ALL_INVERSE_METHODS]
TORQUE = "20*sin(3*t) + 5"


def extended(model, **more):
    return lw.Model(**{**{key: getattr(model, key) for key in type(model).model_fields}, **more})


@cache
def powered(space="planar"):
    base = four_bar() if space == "planar" else spatial_four_bar()
    return extended(base, forces={"motor": {"kind": "effort", "joint": "O", "value": TORQUE}})


@cache
def recorded(space="planar"):
    return lw.simulate(powered(space), 1.0, step=0.02, rtol=1e-11, atol=1e-12)


@cache
def driven():
    """A crank that turns unevenly."""
    return extended(four_bar(), initial={}, drivers={"motor": {"joint": "O", "position": "0.9 + 2*t + 0.3*sin(4*t)"}})


@pytest.mark.matrix("method")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_the_torque_of_a_loop_is_found_again(method, space):
    run = recorded(space)
    found = lw.inverse_dynamics(powered(space), run, method=method)
    assert found["motor"] == pytest.approx(20 * np.sin(3 * run.time) + 5, abs=1e-9)
    for name in ("A.fx", "B.fy", "C.fx", "O.fy"):
        assert found[name] == pytest.approx(run[name], abs=1e-8)


def test_independent_coordinates_are_enough():
    run = recorded()
    motion = {name: run[name] for name in ("O.angle", "O.speed", "O.acceleration")}
    found = lw.inverse_dynamics(powered(), motion, times=run.time, motors=["motor"])
    assert found["motor"] == pytest.approx(20 * np.sin(3 * run.time) + 5, abs=1e-8)
    assert found["C.angle"] == pytest.approx(run["C.angle"], abs=1e-11)
    # the angle of a joint that is cut open counts turns as the run does
    assert np.unwrap(found["B.angle"]) == pytest.approx(found["B.angle"], abs=1e-12)
    assert found.result.closure_error.max() < 1e-12


@pytest.mark.parametrize("kind", ["reference_point", "natural", "mixed"])
def test_other_coordinates_of_the_same_motion(kind):
    run = recorded()
    found = lw.inverse_dynamics(powered(), run, coordinates=kind)
    assert found["motor"] == pytest.approx(20 * np.sin(3 * run.time) + 5, abs=1e-8)


def test_splines_converge_to_the_motion(tmp_path):
    """A driven motion is sampled and written to a file: the error of its efforts falls with the fourth power of the step."""
    exact = lw.inverse_dynamics(driven(), times=np.linspace(0.0, 1.0, 201))
    errors = []
    for every in (10, 5):
        file = tmp_path / f"motion{every}.csv"
        table = np.column_stack([exact.time, exact["O.angle"]])[::every]
        np.savetxt(file, table, delimiter=",", header="time [s],O.angle [rad]", comments="", fmt="%.17g")
        found = lw.inverse_dynamics(driven(), file)
        assert any("splines" in note for note in found.notes)
        errors.append(np.abs(found["motor"] - exact["motor"][::every])[2:-2].max())
    assert 3.0 < np.log2(errors[0] / errors[1]) < 7.0


def test_formulas_and_functions_give_the_motion_of_a_driver():
    t = np.linspace(0.0, 1.0, 101)
    reference = lw.inverse_dynamics(driven(), times=t)
    formula = lw.inverse_dynamics(four_bar(), {"O.angle": "0.9 + 2*t + 0.3*sin(4*t)"}, times=t)
    assert formula["O.angle.effort"] == pytest.approx(reference["motor"], abs=1e-9)
    function = {"O": lambda t: 0.9 + 2 * t + 0.3 * np.sin(4 * t)}
    function |= {"O.speed": lambda t: 2 + 1.2 * np.cos(4 * t), "O.acceleration": lambda t: -4.8 * np.sin(4 * t)}
    by_function = lw.inverse_dynamics(four_bar(), function, times=t)
    assert by_function.efforts["O.angle"] == pytest.approx(reference["motor"], abs=1e-9)
    # a name means the same in the answer and in its result
    assert by_function["O.angle"] == pytest.approx(0.9 + 2 * t + 0.3 * np.sin(4 * t), abs=1e-9)
    assert by_function["O.effort"] == pytest.approx(reference["motor"], abs=1e-9)


def test_places_of_a_point_are_a_motion_too():
    """The tool of two bars along an arc: the torques are those of the angles, by the law of cosines."""
    data = {"points": {"O": [0, 0], "A": [1, 0], "B": [1, 1]}, "gravity": [0, -9.81], "space": "planar"}
    data["bodies"] = {"upper": {"bar": ["O", "A"], "mass": 1}, "lower": {"bar": ["A", "B"], "mass": 1}}
    pin = {"kind": "revolute"}
    data["joints"] = {"O": {**pin, "bodies": ["ground", "upper"]}, "A": {**pin, "bodies": ["upper", "lower"]}}
    model, t = lw.Model(**data), np.linspace(0.0, 1.0, 101)
    bend, turn = 0.3 * np.sin(t), 0.2 * t**2  # angles from the sketch
    places = np.column_stack([np.cos(turn) - np.sin(turn + bend), np.sin(turn) + np.cos(turn + bend)])
    found = lw.inverse_dynamics(model, {"lower.B": places}, times=t)
    exact = lw.inverse_dynamics(model, {"O": "0.2*t^2", "A": "pi/2 + 0.3*sin(t)"}, times=t)
    assert found["A.angle"] == pytest.approx(exact["A.angle"], abs=1e-9)
    for joint in "OA":
        assert found[f"{joint}.effort"] == pytest.approx(exact[f"{joint}.effort"], abs=1e-4)
    with pytest.raises(lw.errors.RefusedError, match=r"1 of 101 places are out of reach and left out: samples 5"):
        lw.inverse_dynamics(model, {"lower.B": np.where(np.arange(101)[:, None] == 5, 9.0, places)}, times=t)


def test_efforts_of_drivers_are_those_of_a_run():
    run = lw.simulate(driven(), 1.0, step=0.02)
    found = lw.inverse_dynamics(driven(), until=1.0, step=0.02)
    assert found["motor"] == pytest.approx(run["motor.effort"], abs=1e-9)
    change = run["energy.total"] - run["energy.total"][0]
    assert found.energy["motor"] == pytest.approx(change, abs=2e-5)
    assert found.power["motor"] == pytest.approx(found["motor"] * run["O.speed"], abs=1e-9)


# -- all methods, on many mechanisms ----------------------------------------------------------------------------------


def unique_reactions(found):
    """All components that are the same for every solution, as columns."""
    reactions = found.result.reactions
    names = [(n, c) for n in reactions for c in reactions[n].info.components if c not in reactions[n].not_unique]
    return np.column_stack([np.zeros(len(found.time)), *(found[f"{n}.{c}"] for n, c in names)])


@pytest.mark.parametrize("name", [*(name for name in TEN if model_of(name).joints), "quick return"])
def test_methods_agree(name):
    """The motion of a free run, but weights that pull elsewhere: motors along as many joint coordinates as freedoms."""
    model = lw.load(LIBRARY / "quick_return.yaml") if name == "quick return" else model_of(name)
    run = lw.simulate(model, times=TEN[name].times if name in TEN else [0.1, 0.2])
    other = extended(model, gravity=[3.0, 1.0] if model.space == "planar" else [3.0, 1.0, -2.0])
    coordinates = [f"{joint}.{f.name}" for joint, item in model.joints.items() for f in item.freedoms]
    motors = [*model.joint_drivers, *coordinates][: lw.analyse(model).mobility.free or 1]
    found = [lw.inverse_dynamics(other, run, motors=motors, method=method) for method in METHODS]
    efforts = [np.column_stack([*item.efforts.values(), *item.left_over.values()]) for item in found]
    reactions = [unique_reactions(item) for item in found]
    assert np.abs(efforts[0]).max() > 1e-3
    for i, method in enumerate(METHODS):
        assert found[i].result.settings["reactions"] == inverse_method(method).reactions.name
        assert efforts[i] == pytest.approx(efforts[0], abs=1e-9 * max(1.0, np.abs(efforts[0]).max())), method
        assert reactions[i] == pytest.approx(reactions[0], abs=1e-9 * np.abs(reactions[0]).max()), method
        every = [
            found[i][f"{name}.{c}"] for name, item in found[i].result.reactions.items() for c in item.info.components
        ]
        assert np.all(np.isfinite(every)), method


@pytest.mark.parametrize("method", METHODS)
def test_no_motors_at_all(method):
    """A disc that rolls has no joints: nobody can drive it, and all reactions are those of the run."""
    model = model_of("rolling disc")
    run = rolling()
    found = lw.inverse_dynamics(model, run, motors=[], method=method)
    assert not found.motors and not found.left_over
    (name,) = found.result.reactions
    for axis in "xyz":
        assert found[f"{name}.f{axis}"] == pytest.approx(run[f"{name}.f{axis}"], abs=1e-9)


@cache
def rolling():
    return lw.simulate(model_of("rolling disc"), times=TEN["rolling disc"].times)


def test_recursion_agrees_with_virtual_power_on_a_7r_arm():
    model = model_of("7R arm")
    rng = np.random.default_rng(0)
    joints = list(model.joints)
    t = np.arange(20.0)
    motion = {f"{j}.{n}": rng.uniform(-2, 2, 20) for j in joints for n in ("angle", "speed", "acceleration")}
    one, other = (
        lw.inverse_dynamics(model, motion, times=t, motors=joints, method=m) for m in ("virtual_power", "recursion")
    )
    assert list(one.motors) == [f"{joint}.angle" for joint in joints]
    for name in one.motors:
        assert one[f"{name}.effort"] == pytest.approx(other[f"{name}.effort"], rel=1e-11, abs=1e-11)


# -- loads on the ground ----------------------------------------------------------------------------------------------


def test_shaking_force_is_the_rate_of_momentum():
    """F − Σ m g = −dP/dt, with the momenta of the bodies differentiated by a spline of ninth degree."""
    from scipy.interpolate import make_interp_spline

    t = np.linspace(0.0, 1.0, 801)
    found = lw.inverse_dynamics(driven(), times=t)
    masses = {"crank": 1.0, "coupler": 2.0, "rocker": 1.5}
    middle = slice(40, -40)
    for i, axis in enumerate("xy"):
        momentum = sum(m * found[f"{body}.v{axis}"] for body, m in masses.items())
        rate = make_interp_spline(t, momentum, k=9).derivative()(t)
        weight = -9.81 * sum(masses.values()) if axis == "y" else 0.0
        assert found.shaking_force[middle, i] == pytest.approx((weight - rate)[middle], abs=1e-7)
    inertia = {"crank": 1.0 / 12, "coupler": 2 * 2.5**2 / 12, "rocker": 1.5 * 2.0**2 / 12}
    spin = sum(
        m * (found[f"{b}.x"] * found[f"{b}.vy"] - found[f"{b}.y"] * found[f"{b}.vx"]) + inertia[b] * found[f"{b}.speed"]
        for b, m in masses.items()
    )
    weights = sum(-9.81 * m * found[f"{b}.x"] for b, m in masses.items())
    rate = make_interp_spline(t, spin, k=9).derivative()(t)
    assert found.shaking_moment[middle, 0] == pytest.approx((weights - rate)[middle], abs=1e-6)


def test_the_ground_feels_its_joints():
    found = lw.inverse_dynamics(driven(), until=1.0, step=0.05)
    for i, axis in enumerate("xy"):
        assert found.shaking_force[:, i] == pytest.approx(-found[f"O.f{axis}"] - found[f"C.f{axis}"], abs=1e-9)
    moment = -found["motor"] - 2.2 * found["C.fy"]
    assert found.shaking_moment[:, 0] == pytest.approx(moment, abs=1e-9)


# -- more and fewer motors than freedoms ------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_too_many_motors_share_by_least_squares(method):
    """τ_O + k τ_C = τ with the ratio k of the speeds: the weighted pseudo-inverse of [1 k]."""
    run = lw.simulate(driven(), 1.0, step=0.05)
    alone, k = run["motor.effort"], run["C.speed"] / run["O.speed"]
    found = lw.inverse_dynamics(driven(), run, motors=["motor", "C"], weights={"C.angle": 3.0}, method=method)
    root = np.diag([1.0, 3.0**-0.5])
    rows = np.stack([np.ones_like(k), k], axis=-1)[:, None, :]
    shared = (root @ np.linalg.pinv(rows @ root) @ alone[:, None, None])[..., 0]
    assert np.column_stack(list(found.efforts.values())) == pytest.approx(shared, abs=1e-9)
    assert any("2 motors" in note for note in found.notes)


@pytest.mark.parametrize("method", METHODS)
def test_too_few_motors_leave_something_over(method):
    model = double_pendulum()
    run = lw.simulate(model, 0.5, step=0.05, rtol=1e-10)
    joints = list(model.joints)
    motion = {name: run[f"{name}.angle"] + 0.1 * run.time**2 for name in joints}
    whole = lw.inverse_dynamics(model, motion, times=run.time, method=method)
    part = lw.inverse_dynamics(model, motion, times=run.time, motors=joints[:1], method=method)
    first, second = (f"{name}.angle" for name in joints)
    assert part.freedoms == 2 and part.undriven == (second,) and not whole.undriven
    assert part[f"{first}.effort"] == pytest.approx(whole[f"{first}.effort"], abs=1e-10)
    assert part.left_over[second] == pytest.approx(whole[f"{second}.effort"], abs=1e-10)
    assert "not driven" in str(part)


def test_a_dead_centre_of_the_motor_is_named():
    """The rocker stands still where crank and coupler are in line, and its motor cannot turn the crank there."""
    reach = float(np.arccos((2.2**2 + 3.5**2 - 2.0**2) / (2 * 2.2 * 3.5)))  # of the line O to B, of length 1 + 2.5
    motion = {"O": f"{reach!r} + 2*(t - 0.5)"}
    found = lw.inverse_dynamics(four_bar(), motion, times=np.linspace(0.0, 1.0, 21), motors=["C"])
    assert any("dead centre at t = 0.5 s" in note for note in found.notes)
    safe = lw.inverse_dynamics(four_bar(), motion, times=np.linspace(0.0, 1.0, 21), motors=["O"])
    assert not safe.notes


def test_redundant_reactions_are_flagged():
    found = lw.inverse_dynamics(powered("spatial"), recorded("spatial"))
    loose = {item.element: item.not_unique for item in found.peak_loads()}
    assert any("fz" in components or "mx" in components for components in loose.values())
    assert all("fx" not in components for components in loose.values())


# -- what is refused --------------------------------------------------------------------------------------------------


def test_a_motion_that_violates_the_conditions_is_refused():
    run = recorded()
    motion = {"time": run.time, "O.angle": run["O.angle"], "C.angle": run["C.angle"] + 0.01}
    with pytest.raises(lw.errors.RefusedError, match=r"joint B: position [xy] is off by 0\.0\d+ m at t = "):
        lw.inverse_dynamics(powered(), motion, motors=["O"])
    speeds = {name: run[name] for name in ("time", "O.angle", "C.angle") if name != "time"}
    speeds |= {"O.speed": run["O.speed"], "C.speed": run["C.speed"] * 1.01}
    speeds |= {"O.acceleration": run["O.acceleration"], "C.acceleration": run["C.acceleration"]}
    with pytest.raises(lw.errors.RefusedError, match="the speeds of the motion violate"):
        lw.inverse_dynamics(powered(), speeds, times=run.time, motors=["O"])


@pytest.mark.parametrize(
    ("motion", "options", "text"),
    [
        ({"O.angel": [0, 1]}, {}, "O.angel"),
        ({"O.angle": [0, 1, 2]}, {}, "must have 2 numbers"),
        ({"O.angle": [0, np.nan]}, {}, "not finite at sample 1"),
        ({"O.angle": [0, 1], "time": [1, 0]}, {}, "must grow"),
        ({"O.speed": [0, 1]}, {}, "but not O.angle itself"),
        ({"O.angle": [0, 1]}, {"motors": ["elbow"]}, "elbow"),
        ({"O.angle": [0, 1]}, {"motors": ["O", "O.angle"]}, "named twice"),
        ({"O.angle": [0, 1]}, {}, "2 samples give no derivatives"),
        ({"O.angle": "2*t"}, {"weights": {"O.angle": -1}}, "must be positive"),
        ({"O.angle": "2*t"}, {"weights": {"C": 1}}, "no motor"),
        ({"O.angle": [0, 1]}, {"method": "magic"}, "unknown method"),
        ({"O.angle": "2*x"}, {}, "may depend on t alone"),
        ("nowhere.csv", {}, "no motion file"),
        (None, {}, "has no drivers"),
    ],
)
def test_bad_input_is_refused(motion, options, text):
    with pytest.raises(lw.LinkworkError, match=text):
        lw.inverse_dynamics(four_bar(), motion, **{"times": [0.0, 0.1], **options})


def test_freedoms_that_are_not_given_are_named():
    first, second = list(double_pendulum().joints)
    with pytest.raises(lw.errors.RefusedError, match=rf"1 of the 2 degrees of freedom.*give {second}\.angle"):
        lw.inverse_dynamics(double_pendulum(), {f"{first}.angle": [0.0, 0.1, 0.2]}, times=[0, 1, 2])


# -- the result -------------------------------------------------------------------------------------------------------


def test_prints_plots_and_saves(tmp_path: Path):
    found = lw.inverse_dynamics(driven(), until=1.0, step=0.05)
    text = str(found)
    assert "1 motor for 1 degree of freedom" in text and "peak loads" in text and "on the ground" in text
    peak = {item.element: item for item in found.peak_loads()}["A"]
    size = np.hypot(found["A.fx"], found["A.fy"])
    assert peak.force == size.max() and found.time[np.argmax(size)] == peak.force_time
    # a hinge of the plane transmits no moment
    assert peak.moment == 0.0 and np.isnan(peak.moment_time)
    loads = [line.split() for line in text.split("peak loads")[1].splitlines()]
    assert next(cells for cells in loads if cells[:1] == ["A"])[3:] == ["-", "-"]
    assert len(found.plot().axes) == 3
    loaded = lw.load_result(found.save(tmp_path / "motor.nc"))
    assert loaded["motor.effort"] == pytest.approx(found["motor"], abs=0)
    assert loaded["ground.fy"] == pytest.approx(found.shaking_force[:, 1], abs=0)
    assert found.save(tmp_path / "motor.csv").read_text().startswith('"time [s]"')
    with pytest.raises(lw.errors.UnknownNameError, match="motor"):
        found["moter"]


@pytest.mark.filterwarnings("ignore::linkwork.errors.AuditWarning")
@pytest.mark.parametrize("tilt", [1e-9, 1e-10])
def test_motors_that_almost_parallel_axes_hold_are_refused(tilt: float) -> None:
    """A door whose hinges are not quite in line cannot turn: no torque gives the motion of its driver."""
    data = lw.load(Path(__file__).parents[2] / "src/linkwork/mechanisms/door.yaml").to_dict()
    data["joints"]["upper"]["axis"] = [0, tilt, 1]
    with pytest.raises(lw.errors.RefusedError, match=r"closer: nothing can move .* nearly parallel"):
        lw.inverse_dynamics(lw.Model(**data), until=0.1, step=0.01)


def test_a_motion_may_be_a_formula_of_a_speed() -> None:
    """Its position follows from the sketch, as in solve_kinematics."""
    model = lw.example("four_bar")
    by_speed = lw.inverse_dynamics(model, {"O.speed": "30 rpm"}, until=1, step=0.1)
    by_angle = lw.inverse_dynamics(model, {"O": "1 + pi*t"}, until=1, step=0.1)
    np.testing.assert_allclose(by_speed["O.angle"], by_angle["O.angle"], rtol=1e-9, atol=1e-9)
    growing = lw.inverse_dynamics(model, {"O.speed": "1 + t"}, until=1, step=0.1)
    exact = lw.inverse_dynamics(model, {"O": "1 + t + t^2/2"}, until=1, step=0.1)
    np.testing.assert_allclose(growing["O.angle"], exact["O.angle"], rtol=1e-7, atol=1e-7)
