"""ACUBE command files: the published four-bar is read, what is refused and with which line, round trips, damage.

SOURCE: models/fourbar.dat is the file printed in section 4 of D. Lee, Y. Youm, W. Chung, "Dynamics of Multibody Systems
with Analytical Kinematics", number for number. Its coordinates close the loop to the digits printed (1.5708 for a right
angle). Its crank speed, 0.10965, is 2π degrees per second in radians; the text of the paper says 2π without a unit.
"""

import contextlib
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import linkwork as lw
from linkwork.errors import LinkworkError, ModelError, RefusedError
from linkwork.formats import dump, load, loads, save
from linkwork.formats.acube import read_acube, write_acube

FILE = Path(__file__).parent / "models" / "fourbar.dat"
PRINTED = FILE.read_text()
ANALYSES = ("kinematic", "force", "motion")
quick = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


# -- reading -----------------------------------------------------------------------------------------------------------


def test_the_printed_file_is_a_motion_from_initial_conditions():
    file = read_acube(PRINTED)
    model = file.model
    assert file.analysis == "motion"
    assert model.name == "fourbar"
    assert model.description.endswith("This data file test the closed planar four bar constraint library.")
    assert [command.name for command in file.commands][:2] == ["total_number_of_body", "planar_fourbar"]
    assert file.commands[1].rows[0] == (0.0, 0.0, 0.0, 4.0, -1.0)
    assert [model.number(model.bodies[name].mass) for name in ("crank", "coupler", "follower")] == [22.0] * 3
    assert [model.number(component) for component in model.gravity] == [0.0, 0.0]
    assert model.number(model.initial["O"]["speed"]) == 0.10965
    assert round(2 * np.pi / 57.3, 5) == 0.10965
    assert lw.analyse(model).mobility.free == 1


def test_the_printed_coordinates_close_the_loop_to_their_digits():
    *_, psi1, psi3, x, y, psi2 = read_acube(PRINTED).commands[6].rows[0]
    centre, digit = x + 1j * y, 0.5e-4
    # complex numbers: crank 2 from the origin, follower 3 from D, coupler 2 to either side of its centre
    assert abs(2 * np.exp(1j * psi1) - (centre - 2 * np.exp(1j * psi2))) < 2 * digit
    assert abs(4 - 1j + 3 * np.exp(1j * psi3) - (centre + 2 * np.exp(1j * psi2))) < 3 * digit
    # another reading, crank 4 and coupler 2 long, leaves a gap that no angles close
    assert abs(4 - 1j - 4 * np.exp(1j * psi1)) > 2 + 3


def test_masses_belong_to_crank_coupler_and_follower():
    text = PRINTED.replace("22. 22. 22. 0.", "1. 2. 3. 0.").replace("11. 11. 11. 0.", "4. 5. 6. 0.")
    bodies = read_acube(text).model.to_dict()["bodies"]
    assert [(name, body["mass"], body["inertia"]) for name, body in bodies.items()] == [
        ("crank", 1, 4),
        ("coupler", 2, 5),
        ("follower", 3, 6),
    ]


def test_the_analysis_follows_from_inertia_and_driver():
    prescribed = PRINTED.replace("\n0 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0.", "\n1 0.5 0. 0. 0. 0. 0. 0. 0. 0. 0. 0.")
    force = read_acube(prescribed)
    assert force.analysis == "force"
    assert force.model.to_dict()["drivers"]["motor"] == {
        "joint": "O",
        "acceleration": 0.5,
        "initial": 1.5708,
        "initial_speed": 0.10965,
    }
    without = PRINTED[: PRINTED.index(">inertia")] + ">END_OF_DATA"
    assert read_acube(without).analysis == "kinematic"
    for analysis in ANALYSES:
        assert read_acube(PRINTED, analysis).analysis == analysis
    with pytest.raises(ModelError, match="inertia_properties: is missing"):
        read_acube(without, "motion")
    with pytest.raises(RefusedError, match="did you mean 'motion'"):
        read_acube(PRINTED, "motions")


@pytest.mark.parametrize(
    ("old", "new", "fragment"),
    [
        (
            ">planar_fourbar",
            ">planar_forbar",
            "line 7: this command is not known\n    -> did you mean 'planar_fourbar'",
        ),
        (">planar_fourbar", ">PLANAR_FOURBAR", "did you mean 'planar_fourbar'"),
        (">END_OF_DATA", "", "END_OF_DATA: is missing"),
        (">END_OF_DATA", ">END_OF_DATA\n>inertia_properties", "line 34: is given twice, first in line 29"),
        ("End of data sets\n>END", ">END_OF_DATA\n>END", "line 33: is given twice, first in line 32"),
        ("\n2\n", "\n3\n", "line 6: 3 bodies are given"),
        ("\n2\n", "\n1e300\n", "bodies are given"),
        ("\n2\n", "\n2\n2\n", "line 7: more numbers than the command takes"),
        ("\n2\n", "\n", "line 5: 1 line is needed after it, not 0"),
        ("\n2\n", "\ntwo\n", "line 6: 'two' is not a finite number"),
        ("1 -2. 0.", "2 -2. 0.", "line 9: there is no body 2\n    -> the bodies are 0 to 1"),
        ("1 -2. 0.", "0.5 -2. 0.", "line 9: there is no body 0.5"),
        ("1 -2. 0.", "0 -2. 0.", "line 9: body 0 stands where the coupler is expected"),
        ("1 -2. 0. 2.", "1 -2. 0. -2.", "line 9: the two joints of the coupler coincide"),
        ("-1. 0. -1.5 0.", "-1. 0. -1.5", "line 10: 4 numbers are needed here, not 3"),
        ("-1. 0. -1.5 0.", "-1. 0. -1.5 0.2", "line 10: number 4 is 0.2"),
        ("2. 3. 0. 0.", "2. 3. 1. 0.", "line 11: number 3 is 1"),
        ("2. 3. 0. 0.", "-2. 3. 0. 0.", "line 11: the length of the crank is -2"),
        ("2. 3. 0. 0.\n", "", "line 11: 'Ground' is not a finite number"),
        ("2. 3. 0. 0.", "2. nan 0. 0.", "line 11: 'nan' is not a finite number"),
        ("2. 3. 0. 0.", "2. 1e999 0. 0.", "line 11: '1e999' is not a finite number"),
        ("0 0. 0. 0. 0. 0.\n>absolute_y", "0 0. 0. 1. 0. 0.\n>absolute_y", "line 14: number 4 is 1"),
        ("0 0. 0. 0.\n", "1 0. 0. 0.\n", "line 18: body 1 stands where the ground is expected"),
        ("driver\n0", "driver\n1", "line 21: coordinate 1 is selected"),
        (
            "1 1.5708 0.",
            "1 1.5 0.",
            "line 22: the crank starts at 1.5, but its coordinate (line 27, number 4) is 1.5708",
        ),
        ("1 1.5708 0.", "0 1.5708 0.", "line 22: the angle is 1.5708 and begins with 0, not given"),
        ("1 0.10965 0.", "2 0.10965 0.", "line 23: the line of the speed begins with 2"),
        ("1 0.10965 0.", "1 0.10965 3.", "line 23: number 3 is 3"),
        ("0. 0. 0. 1.5708", "1. 0. 0. 1.5708", "line 27: the ground is not at the origin"),
        ("22. 22. 22. 0.", "22. -2. 22. 0.", "line 30: the mass of the coupler is -2"),
        ("11. 11. 11. 0.", "11. 11. 11. 1.", "line 31: the inertia of the fourth link is 1"),
    ],
)
def test_what_is_refused_with_its_line(old, new, fragment):
    assert old in PRINTED
    with pytest.raises(ModelError) as caught:
        read_acube(PRINTED.replace(old, new, 1))
    assert fragment in str(caught.value)


def test_all_faults_come_at_once_and_name_the_file(tmp_path):
    path = tmp_path / "broken.dat"
    path.write_text(PRINTED.replace("\n2\n", "\n5\n").replace("22. 22.", "22. x").replace(">END_OF_DATA", ">gravity"))
    with pytest.raises(ModelError) as caught:
        load(path)
    assert caught.value.source == str(path)
    assert {fault.path for fault in caught.value.faults} == {
        "total_number_of_body",
        "inertia_properties",
        "gravity",
        "END_OF_DATA",
    }
    with pytest.raises(ModelError, match="contains no commands"):
        read_acube("just words\n")


# -- writing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("analysis", ANALYSES)
def test_round_trip(analysis, tmp_path):
    file = read_acube(PRINTED, analysis)
    again = read_acube(write_acube(file.model, analysis))
    assert again.model == file.model
    assert again.analysis == analysis
    assert loads(dump(file.model, "acube"), "acube") == file.model
    save(file.model, tmp_path / "copy.dat")
    assert load(tmp_path / "copy.dat") == file.model


def test_the_printed_file_is_written_with_the_same_numbers():
    printed, written = (read_acube(text).commands for text in (PRINTED, write_acube(read_acube(PRINTED).model)))
    assert [(command.name, command.rows) for command in printed] == [(c.name, c.rows) for c in written]


lengths = st.floats(1e-6, 1e25)
places = st.floats(-1e25, 1e25)
angles = st.floats(-10, 10)


@quick
@given(
    st.tuples(lengths, lengths, places, places), st.tuples(angles, angles, angles), st.tuples(places, places), lengths
)
def test_any_numbers_come_back_exactly(link, angle, centre, mass):
    l1, l3, a1, a3 = link
    psi1, psi3, psi2 = angle
    text = PRINTED.replace("-1. 0. -1.5 0.", f"{a1!r} 0. {a3!r} 0.").replace("2. 3. 0. 0.", f"{l1!r} {l3!r} 0. 0.")
    text = text.replace("1 1.5708", f"1 {psi1!r}").replace("22. 22. 22.", f"22. {mass!r} 22.")
    text = text.replace("1.5708 1.5708 2. 2. 0.", f"{psi1!r} {psi3!r} {centre[0]!r} {centre[1]!r} {psi2!r}")
    model = read_acube(text).model
    assert read_acube(write_acube(model)).model == model


BARS = {
    "space": "planar",
    "points": {"P": [0, 0], "Q": [0, 2], "R": [4, 2], "S": [4, -1]},
    "bodies": {
        "rocker": {"bar": ["R", "S"], "mass": 3},
        "input": {"bar": ["P", "Q"], "mass": 1, "com": [0.5, 0]},
        "rod": {"points": ["R", "Q"], "mass": 2, "com": [-2, 0.5], "inertia": 1.5},
    },
    "joints": {
        "S": {"kind": "revolute", "bodies": ["rocker", "ground"]},
        "P": {"kind": "revolute", "bodies": ["ground", "input"]},
        "Q": {"kind": "revolute", "bodies": ["input", "rod"]},
        "R": {"kind": "revolute", "bodies": ["rocker", "rod"]},
    },
    "initial": {"P": {"speed": 3}},
}


def test_a_four_bar_of_other_words_moves_the_same_after_writing():
    own = lw.simulate(lw.Model(**BARS), 1.0, step=0.05)
    read = lw.simulate(read_acube(write_acube(lw.Model(**BARS))).model, 1.0, step=0.05)
    for mine, theirs in {"input.angle": "crank.angle", "rod.x": "coupler.x", "rod.y": "coupler.y"}.items():
        assert np.abs(own[mine] - read[theirs]).max() < 1e-7
    assert np.abs(own["R.x"] - read["follower.B.x"]).max() < 1e-7
    assert own.energy[0] == pytest.approx(read.energy[0], rel=1e-12)


def changed(**sections):
    return lw.Model(**{**BARS, **sections})


def bodies_with(name, **keys):
    return {**BARS["bodies"], name: {**BARS["bodies"][name], **keys}}


@pytest.mark.parametrize(
    ("sections", "path"),
    [
        ({"gravity": [0, -9.81]}, "gravity"),
        ({"description": "a\n>b"}, "description"),
        ({"forces": {"push": {"kind": "torque", "body": "rod", "value": 1}}}, "forces.push"),
        ({"outputs": {"twice": "2*t"}}, "outputs.twice"),
        ({"branches": {"B": "right"}}, "branches.B"),
        ({"parameters": {"k": {"value": 1, "live": True}}}, "parameters.k"),
        ({"initial": {"S": {"speed": 1}}}, "joints.S"),
        ({"initial": {"P": {"speed": 1}, "Q": {"speed": 0}}}, "joints.Q"),
        ({"initial": {}, "drivers": {"motor": {"joint": "P", "position": "sin(t)"}}}, "drivers.motor.position"),
        ({"initial": {}, "drivers": {"motor": {"joint": "P", "speed": "sin(t)"}}}, "drivers.motor.speed"),
        ({"bodies": bodies_with("input", com=[0.5, 0.1])}, "bodies.input.com"),
        ({"bodies": bodies_with("input", inertia={"box": [1, 1]})}, "bodies.input.inertia"),
        ({"joints": {name: joint for name, joint in BARS["joints"].items() if name != "S"}}, "joints"),
        ({"joints": {**BARS["joints"], "R": {"kind": "fixed", "bodies": ["rocker", "rod"]}}}, "joints.R"),
        ({"joints": {**BARS["joints"], "R": {"kind": "revolute", "bodies": ["input", "rod"], "at": "Q"}}}, "joints.Q"),
    ],
)
def test_models_that_the_format_cannot_express(sections, path):
    with pytest.raises(ModelError) as caught:
        write_acube(changed(**sections))
    assert path in {fault.path for fault in caught.value.faults}


@pytest.mark.parametrize("made_for", ANALYSES)
def test_an_analysis_that_does_not_fit_the_model_is_refused(made_for):
    model = read_acube(PRINTED, made_for).model
    fitting = {"kinematic": {"kinematic", "force"}}.get(made_for, {made_for})
    for analysis in set(ANALYSES) - fitting:
        with pytest.raises(ModelError, match=f"does not fit the analysis '{analysis}'"):
            write_acube(model, analysis)


# -- damage ------------------------------------------------------------------------------------------------------------


@quick
@given(st.lists(st.tuples(st.integers(0, 5000), st.text(max_size=3)), min_size=1, max_size=5))
def test_damaged_texts_raise_errors_of_linkwork_only(patches):
    text = PRINTED
    for position, piece in patches:
        position %= len(text) + 1
        text = text[:position] + piece + text[position + 1 :]
    with contextlib.suppress(LinkworkError):
        file = read_acube(text)
        assert read_acube(write_acube(file.model)).analysis in ("kinematic", file.analysis)


WORDS = ["", "0", "-1", "1e308", "-1e-320", "5e-324", "1e999", "nan", ">", ">END_OF_DATA", "\n", "x", "1_0", "٣", "0x1"]


@quick
@given(st.lists(st.tuples(st.integers(0, 500), st.sampled_from(WORDS)), min_size=1, max_size=4))
def test_damaged_words_raise_errors_of_linkwork_only(patches):
    lines = [line.split(" ") for line in PRINTED.split("\n")]
    places = [(row, column) for row, line in enumerate(lines) for column in range(len(line))]
    for position, word in patches:
        row, column = places[position % len(places)]
        lines[row][column] = word
    with contextlib.suppress(LinkworkError):
        write_acube(read_acube("\n".join(" ".join(line) for line in lines)).model)


def test_every_truncation_is_refused():
    for end in range(len(PRINTED.rstrip())):
        with pytest.raises(ModelError):
            read_acube(PRINTED[:end])


@pytest.mark.parametrize("analysis", ["kinematic", "force", "motion"])
def test_the_module_becomes_a_block_in_closed_form(analysis: str) -> None:
    plan = lw.analyse(read_acube(FILE.read_text(), analysis).model).plan
    assert [(block.name, block.family.name) for block in plan.loops] == [("A-B-D", "dyad RRR")]
    assert (len(plan.inputs), len(plan.driven)) == ((1, 0) if analysis == "motion" else (0, 1))
