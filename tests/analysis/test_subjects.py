"""Verbs take what a user has in hand: a file, a mechanism, a pose, a mode, an equilibrium, a result."""

from inspect import isfunction
from pathlib import Path
from tempfile import gettempdir

import numpy as np
import pytest

import linkwork as lw

FOLDER = Path(__file__).parents[2] / "src/linkwork/mechanisms"
FILE = FOLDER / "four_bar.yaml"
KINDS = ("relative", "reference_point", "natural", "mixed")


def pushed(formula: str = "3*sin(2*t)") -> lw.Model:
    """A four-bar whose crank is pushed by a torque that changes with time."""
    return lw.load(FILE).with_(forces={"push": lw.elements.Effort(joint="O", value=formula)})


def mixer() -> lw.Model:
    """A model with all that a state can have: a driver that is integrated, an actuator with a state, turns."""
    return lw.Model(
        space="spatial",
        gravity=(0, 0, -9.81),
        points={"O": (0, 0, 0), "A": (0.2, 0, 0), "B": (0.2, 0.1, -0.3)},
        bodies={
            "table": {"bar": ("O", "A"), "mass": 1, "radius": 0.01},
            "bob": {"bar": ("A", "B"), "mass": 1, "radius": 0.02},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ("ground", "table"), "axis": (0, 0, 1)},
            "A": {"kind": "spherical", "bodies": ("table", "bob")},
        },
        drivers={"motor": {"joint": "O", "speed": "8 + sin(3*t)"}},
    )


# -- going on ------------------------------------------------------------------------------------------------------------


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", [pushed(), mixer()], ids=["four_bar", "mixer"])
def test_a_run_in_two_parts_is_the_run_in_one(model: lw.Model, kind: str) -> None:
    options = {"coordinates": kind, "rtol": 1e-11, "atol": 1e-12}
    whole = lw.simulate(model, 1.6, step=0.1, **options)
    first = lw.simulate(model, 0.7, step=0.1, **options)
    second = lw.simulate(first, 1.6, step=0.1, rtol=1e-11, atol=1e-12)
    assert second.time[0] == first.time[-1] and second.time[-1] == pytest.approx(1.6)
    assert second.settings["coordinates"] == first.settings["coordinates"]
    for name in ("O.angle", "O.speed", "O.acceleration", "A.x", "A.vx", "energy.total"):
        assert second[name] == pytest.approx(whole[name][7:], abs=2e-8), name


def test_a_run_goes_on_in_other_coordinates_and_formulations() -> None:
    model = pushed()
    whole = lw.simulate(model, 0.8, step=0.1, rtol=1e-11, atol=1e-12)
    first = lw.simulate(model, 0.5, step=0.1, rtol=1e-11, atol=1e-12)
    for choice in (*({"coordinates": kind} for kind in KINDS), {"formulation": "canonical"}):
        second = lw.simulate(first, 0.8, step=0.1, rtol=1e-11, atol=1e-12, **choice)
        assert second["O.speed"] == pytest.approx(whole["O.speed"][5:], abs=1e-8), choice


def test_turns_that_other_coordinates_would_lose_are_refused() -> None:
    run = lw.simulate(mixer(), 1.0)
    assert run["O.angle"][-1] > np.pi
    assert lw.simulate(run, 1.1)["O.angle"][0] == pytest.approx(run["O.angle"][-1], abs=1e-12)
    with pytest.raises(lw.errors.RefusedError, match=r"O\.angle has gone round"):
        lw.simulate(run, 1.1, coordinates="natural")


def test_live_parameters_of_a_run_stay_and_can_change() -> None:
    model = lw.Model(
        space="planar",
        parameters={"k": {"value": 0, "live": True}},
        points={"O": (0, 0), "A": (1, 0)},
        bodies={"rod": {"bar": ("O", "A"), "mass": 3}},
        joints={"O": {"kind": "revolute", "bodies": ("ground", "rod")}},
        forces={"push": {"kind": "effort", "joint": "O", "value": "k"}},
    )
    # φ̈ = k about a rod of inertia 1, piece by piece
    first = lw.simulate(model, 1.0, parameters={"k": 2})
    second = lw.simulate(first, 2.0)
    third = lw.simulate(second, 3.0, parameters={"k": 0})
    assert third["O.angle"][-1] == pytest.approx(2 * 2**2 / 2 + 2 * 2 * 1, abs=1e-9)
    live = lw.realtime(second, "1 ms")
    live.advance(2.5)
    assert live.time == pytest.approx(2.5)
    assert live["O.speed"] == pytest.approx(5.0, abs=1e-9)
    live.reset()
    assert live["O.speed"] == pytest.approx(4.0, abs=1e-9)


def test_the_end_of_a_run_that_goes_on_is_a_time_of_its_own() -> None:
    run = lw.simulate(FILE, 1.0)
    for faulty in ({"until": 1.0}, {"until": 0.5}, {"times": [0.5, 2.0]}):
        with pytest.raises(lw.errors.RefusedError, match="goes on from t = 1 s"):
            lw.simulate(run, **faulty)


def test_stored_results_and_sampled_motions_say_why_they_end(tmp_path: Path) -> None:
    run = lw.simulate(FILE, 0.1)
    stored = lw.load_result(run.save(tmp_path / "run.nc"))
    with pytest.raises(lw.errors.RefusedError, match="stored result"):
        lw.simulate(stored, 1.0)
    swept = lw.solve_kinematics(FILE, {"O.angle": np.linspace(1.0, 2.0, 5)}, times=np.arange(5.0))
    with pytest.raises(lw.errors.RefusedError, match="samples"):
        lw.simulate(swept, 2.0)


# -- poses ---------------------------------------------------------------------------------------------------------------


def test_an_equilibrium_rests() -> None:
    rest = lw.find_equilibrium(lw.load(FILE))
    run = lw.simulate(rest, 1.0)
    assert np.ptp(run["O.angle"]) < 1e-9
    assert run["O.angle"][0] == pytest.approx(rest["O.angle"], abs=1e-12)
    assert lw.linearise(rest).a == pytest.approx(lw.linearise(run, 0.0).a, rel=1e-6)


def test_every_assembly_mode_can_be_run() -> None:
    model = lw.load(FILE).with_(initial={"O": {"speed": 1}})
    modes = lw.assembly_modes(model)
    assert len(modes) == 2
    for mode in modes:
        run = lw.simulate(mode, 0.3)
        for body, pose in mode.poses.items():
            place = [run[f"{body}.origin.{axis}"][0] for axis in "xy"]
            assert place == pytest.approx(pose.origin, abs=1e-9)
        assert run["O.speed"][0] == pytest.approx(1.0, abs=1e-12)
        assert np.ptp(run.energy) < 1e-6
        # verbs that put it together themselves find it there too
        assert lw.assembly_modes(mode).in_use.name == mode.name
        assert lw.assemble(mode).values["A.angle"] == pytest.approx(run["A.angle"][0], abs=1e-8)


def test_the_model_of_the_run_of_a_mode_begins_in_it() -> None:
    for mode in lw.assembly_modes(lw.load(FILE)):
        run = lw.simulate(mode, 0.1, step=0.05)
        again = lw.simulate(lw.loads(run.model_text), 0.1, step=0.05)
        np.testing.assert_allclose(again["B.y"], run["B.y"], atol=1e-9)


def test_a_pose_begins_there_and_tells_what_it_lacks() -> None:
    driven = lw.load(FILE).with_(drivers={"motor": {"joint": "O", "speed": 2}})
    pose = lw.assemble(driven, {"O": "50 deg"})
    run = lw.simulate(pose, 0.1)
    assert np.degrees(run["O.angle"][0]) == pytest.approx(50, abs=1e-9)
    assert any("without the drivers of joints: motor" in note for note in run.notes)
    assert "without the drivers of joints: motor" in str(pose)


def test_a_pose_keeps_the_parameters_with_which_it_closes() -> None:
    model = lw.Model(
        space="planar",
        parameters={"l": {"value": 1, "live": True}},
        points={"O": (0, 0), "A": ("l", 0)},
        bodies={"rod": {"bar": ("O", "A"), "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ("ground", "rod")}},
    )
    pose = lw.assemble(model, {"O": "90 deg"}, parameters={"l": 2})
    assert lw.simulate(pose, times=[0.0])["A.y"][0] == pytest.approx(2.0)


# -- all verbs -----------------------------------------------------------------------------------------------------------


def lively() -> lw.Model:
    """The four-bar with a spring whose stiffness is live, which holds it."""
    return lw.load(FILE).with_(
        parameters={"k": {"value": 400.0, "live": True}},
        forces={"hold": {"kind": "effort", "joint": "O", "value": "-k*(O.angle - 1) - 2*O.speed"}},
    )


def places() -> np.ndarray:
    """Where a point can go, by one of its components."""
    turned = lw.solve_kinematics(FILE, {"O": np.linspace(1.0, 1.2, 4)})
    return np.column_stack([turned["A.x"], np.full(4, np.nan)])


TIMES = np.linspace(0, 0.2, 5)
# all that a user can ask of a mechanism, whatever of it is in hand
VERBS = {
    "simulate": lambda x: lw.simulate(x, 0.1),
    "realtime": lambda x: lw.realtime(x),
    "analyse": lambda x: lw.analyse(x),
    "prepare": lambda x: lw.prepare(x),
    "number": lambda x: lw.number(x),
    "formulate": lambda x: lw.formulate(x),
    "build": lambda x: lw.build(x),
    "export_c": lambda x: lw.export_c(x, Path(gettempdir()) / "linkwork_subjects.c"),
    "assemble": lambda x: lw.assemble(x),
    "drag_point": lambda x: lw.drag_point(x, "A", [(0.5, 0.85)]),
    "solve_positions": lambda x: lw.solve_positions(x, {"A": places()}),
    "assembly_modes": lambda x: lw.assembly_modes(x),
    "find_limits": lambda x: lw.find_limits(x),
    "diagnose": lambda x: lw.diagnose(x, 0.0) if isinstance(x, lw.Result) else lw.diagnose(x),
    "solve_kinematics": lambda x: lw.solve_kinematics(x, {"O": "1 + t"}, times=TIMES),
    "inverse_dynamics": lambda x: lw.inverse_dynamics(x, {"O": "1 + t"}, times=TIMES),
    "inverse_function": lambda x: lw.inverse_function(x, ["O"]),
    "find_equilibrium": lambda x: lw.find_equilibrium(x),
    "find_equilibria": lambda x: lw.find_equilibria(x, tries=5),
    "equilibrium_path": lambda x: lw.equilibrium_path(x, {"k": [300.0, 400.0]}),
    "linearise": lambda x: lw.linearise(x, 0.0),
    "frequency_response": lambda x: lw.frequency_response(x, 0.0, inputs=["k"], outputs=["O.angle"]),
    "modes": lambda x: lw.modes(x, 0.0),
    "root_locus": lambda x: lw.root_locus(x, {"k": [300.0, 400.0]}),
    "velocity_ellipsoid": lambda x: lw.measures.velocity_ellipsoid(x, "A", ["O"]),
    "rank_cuts": lambda x: lw.measures.rank_cuts(x),
    "rank_coordinates": lambda x: lw.measures.rank_coordinates(x),
    "rank_along": lambda x: sorted(lw.measures.rank_along(x, lw.simulate(lively(), times=[0.0]))),
}
# verbs of a motion that has been found already, and of equations that somebody has written down
OF_A_MOTION = {"envelope": lambda x: lw.envelope(x, "crank"), "interference": lambda x: lw.interference(x)}
OTHERS = {
    "integrate",
    "simulate_many",
    "floquet",
    "forget",
    "register",
    "load",
    "loads",
    "dump",
    "save",
    "load_result",
    "example",
}
NOUNS = (
    "file",
    "path",
    "data",
    "model",
    "topology",
    "coordinates",
    "equations",
    "program",
    "mechanism",
    "pose",
    "mode",
    "result",
    "equilibrium",
)


@pytest.fixture(scope="module")
def nouns(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    model = lively()
    file = tmp_path_factory.mktemp("subjects") / "four_bar.yaml"
    lw.save(model, file)
    return {
        "file": str(file),
        "path": file,
        "data": model.to_dict(),
        "model": model,
        "topology": lw.analyse(model),
        "coordinates": lw.number(model),
        "equations": lw.formulate(model),
        "program": lw.build(model),
        "mechanism": lw.prepare(model),
        "pose": lw.assemble(model, {"O": lw.simulate(model, times=[0.0])["O.angle"][0]}),
        "mode": lw.assembly_modes(model)[0],
        "result": lw.simulate(model, times=[0.0]),
        "equilibrium": lw.find_equilibrium(model),
    }


def test_all_verbs_are_looked_at() -> None:
    """Functions of the top level are here, or take no noun."""
    functions = {name for name in lw.__all__ if name.islower() and isfunction(getattr(lw, name))}
    assert functions == {*VERBS, *OF_A_MOTION, *OTHERS} & functions
    assert functions - OTHERS <= {*VERBS, *OF_A_MOTION}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_every_noun(verb: str, nouns: dict[str, object]) -> None:
    """All nouns but the equilibrium are the assembled model here: the answers are the same."""
    expected = str(VERBS[verb](lively())).splitlines()[0]
    for name in NOUNS:
        found = str(VERBS[verb](nouns[name])).splitlines()[0]
        assert found == expected or name == "equilibrium", name


@pytest.mark.parametrize("verb", VERBS)
def test_what_no_verb_takes_is_told(verb: str) -> None:
    modes = lw.assembly_modes(FILE)
    for noun in (None, 3.5, [1, 2], lw.elements.Body, modes):
        with pytest.raises(lw.errors.RefusedError, match=r"takes a model|asked about one of them"):
            VERBS[verb](noun)
    with pytest.raises(lw.LinkworkError, match=r"nowhere\.yaml"):
        VERBS[verb]("nowhere.yaml")


@pytest.mark.parametrize("verb", OF_A_MOTION)
def test_verbs_of_a_motion_take_what_has_one(verb: str, nouns: dict[str, object]) -> None:
    motion = lw.simulate(lively(), 0.1, step=0.05)
    inverse = lw.inverse_dynamics(motion)
    assert str(OF_A_MOTION[verb](inverse)) == str(OF_A_MOTION[verb](inverse.result))
    assert str(OF_A_MOTION[verb](nouns["equilibrium"])) == str(OF_A_MOTION[verb](nouns["equilibrium"].result))
    for name in NOUNS[:-2]:
        with pytest.raises(lw.errors.RefusedError, match=f"{verb} takes a motion"):
            OF_A_MOTION[verb](nouns[name])
    for noun in (None, 3.5, lw.assembly_modes(FILE)):
        with pytest.raises(lw.errors.RefusedError, match=f"{verb} takes a motion"):
            OF_A_MOTION[verb](noun)


def test_what_integrate_takes_is_told(nouns: dict[str, object]) -> None:
    for name in NOUNS:
        with pytest.raises(lw.errors.RefusedError, match="integrate takes equations that somebody has written down"):
            lw.integrate(nouns[name], 1.0, q=[0.0], v=[0.0])


# -- what has been made is used as it is ---------------------------------------------------------------------------------


def kind_of(answer: object) -> str:
    """The coordinates in which a verb has answered."""
    if isinstance(answer, lw.Result):
        return answer.settings["coordinates"]
    if isinstance(answer, lw.answers.InverseDynamics):
        return answer.result.settings["coordinates"]
    if isinstance(answer, lw.answers.CoordinateRanking):
        return answer.coordinates
    return str(getattr(answer, "coordinates", answer).kind)


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("noun", ["mechanism", "equations", "coordinates", "program", "result", "equilibrium"])
@pytest.mark.parametrize("kind", ["natural", "reference_point"])
@pytest.mark.parametrize(
    "verb", ["simulate", "solve_kinematics", "inverse_dynamics", "number", "formulate", "prepare", "rank_coordinates"]
)
def test_the_coordinates_of_what_is_given_are_used(verb: str, kind: str, noun: str) -> None:
    mechanism = lw.prepare(lively(), coordinates=kind)
    given = {
        "mechanism": mechanism,
        "equations": mechanism.equations,
        "coordinates": mechanism.coordinates,
        "program": mechanism.program,
        "result": lw.simulate(mechanism, times=[0.0]),
        "equilibrium": lw.find_equilibrium(mechanism),
    }[noun]
    assert kind_of(VERBS[verb](given)) == kind


def test_the_formulation_and_the_backend_of_what_is_given_are_used() -> None:
    mechanism = lw.prepare(lively(), formulation="baumgarte", backend="reference")
    assert lw.formulate(mechanism).formulation.name == "baumgarte"
    assert lw.prepare(lw.simulate(mechanism, times=[0.0])).equations.formulation.name == "baumgarte"
    assert lw.build(mechanism) is mechanism.program
    assert lw.build(lw.simulate(mechanism, times=[0.0])).backend.name == "reference"
    assert lw.build(mechanism, "cpu").backend.name == "cpu"


@pytest.mark.parametrize("kind", ["natural", "reference_point", "mixed"])
def test_answers_do_not_depend_on_the_coordinates_of_what_is_given(kind: str) -> None:
    """Positions, roots and efforts of one mechanism, asked of it as it is prepared in other coordinates."""
    model, given = lively(), lw.prepare(lively(), coordinates=kind)
    targets = places()
    one, other = (lw.solve_positions(x, {"A": targets}) for x in (model, given))
    assert other["B.angle"] == pytest.approx(one["B.angle"], abs=1e-9)
    one, other = (lw.root_locus(x, {"k": [300.0, 350.0, 400.0]}, about="equilibrium") for x in (model, given))
    assert np.sort_complex(other.eigenvalues[1]) == pytest.approx(np.sort_complex(one.eigenvalues[1]), rel=1e-7)
    one, other = (lw.inverse_function(x, ["O"])({"O.angle": [1.1, 1.2], "O.speed": [2.0, 1.0]}) for x in (model, given))
    assert other["O.angle.effort"] == pytest.approx(one["O.angle.effort"], rel=1e-12)


def test_a_root_locus_of_a_state_is_that_of_the_model_there() -> None:
    rest = lw.find_equilibrium(lively())
    by_model = lw.root_locus(lively(), {"k": [300.0, 400.0]}, about="equilibrium")
    by_rest = lw.root_locus(rest, {"k": [300.0, 400.0]}, about="equilibrium")
    assert np.sort_complex(by_rest.eigenvalues[0]) == pytest.approx(np.sort_complex(by_model.eigenvalues[0]), rel=1e-6)
    run = lw.simulate(lively(), 0.3)
    assert np.sort_complex(lw.root_locus(run, {"k": [390.0, 400.0]}).eigenvalues[1]) == pytest.approx(
        np.sort_complex(lw.linearise(run, 0.3).eigenvalues), rel=1e-6
    )


@pytest.mark.parametrize("coordinates", KINDS)
def test_what_is_prepared_from_a_state_begins_there(coordinates: str) -> None:
    """Balls, drivers by speed and bodies that float: with its speeds, at its time."""
    turning = mixer().with_(drivers={"motor": {"joint": "O", "speed": 8}}, initial={"A": {"omega": (0.3, 2, 1)}})
    floating = turning.with_(
        bodies={"stone": {"points": {"S": (0, 0, 0)}, "mass": 2, "inertia": (1, 2, 2.5)}},
        initial={"stone": {"velocity": (1, 2, 3), "omega": (4, 5, 6)}},
    )
    first = lw.simulate(floating, 0.2, coordinates=coordinates, rtol=1e-11, atol=1e-12)
    again = lw.simulate(lw.prepare(first), 0.3, step=0.1, rtol=1e-11, atol=1e-12)
    onwards = lw.simulate(first, 0.3, step=0.1, rtol=1e-11, atol=1e-12)
    for name in ("O.angle", "bob.x", "bob.vz", "stone.x", "stone.vz", "stone.wx", "bob.wy", "energy.kinetic"):
        assert again[name] == pytest.approx(onwards[name], abs=1e-7), name


@pytest.mark.parametrize("coordinates", KINDS)
def test_formulas_of_time_stay_right_in_what_is_prepared_from_a_state(coordinates: str) -> None:
    whole = lw.simulate(pushed(), 0.8, step=0.1, rtol=1e-11, atol=1e-12)
    first = lw.simulate(pushed(), 0.5, step=0.1, rtol=1e-11, atol=1e-12)
    mechanism = lw.prepare(lw.analyse(first), coordinates=coordinates)
    second = lw.simulate(mechanism, 0.8, step=0.1, rtol=1e-11, atol=1e-12)
    assert second.time[0] == 0.5
    assert second["O.speed"] == pytest.approx(whole["O.speed"][5:], abs=1e-8)
    about = (lw.linearise(item, states=["O.angle", "O.speed"]) for item in (mechanism, lw.simulate(first, times=[0.5])))
    one, other = (item.a for item in about)
    assert one == pytest.approx(other, rel=1e-6, abs=1e-7)


def test_live_parameters_of_a_state_stay_in_what_is_prepared_from_it() -> None:
    run = lw.simulate(lively(), 0.2, parameters={"k": 150.0})
    mechanism = lw.prepare(run)
    onwards, again = (lw.simulate(item, 0.4, step=0.1) for item in (run, mechanism))
    assert again["O.angle"] == pytest.approx(onwards["O.angle"], abs=1e-8)
    stiffer = lw.simulate(mechanism, 0.4, step=0.1, parameters={"k": 400.0})
    assert stiffer["O.angle"][-1] == pytest.approx(
        lw.simulate(run, 0.4, parameters={"k": 400.0})["O.angle"][-1], abs=1e-7
    )
    assert abs(stiffer["O.angle"][-1] - again["O.angle"][-1]) > 1e-3
    assert mechanism.model == lively()
