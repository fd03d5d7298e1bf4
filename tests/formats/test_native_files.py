"""Model files: what loads, what is refused and with which line, round trips."""

import math
from pathlib import Path

import pytest

from linkwork.errors import ModelError
from linkwork.formats import dump, load, loads, save
from linkwork.formats.base import SourceText
from linkwork.formats.yaml_text import plain_value, read_yaml

MODELS = sorted((Path(__file__).parent / "models").glob("*.yaml"))
FOUR_BAR = (Path(__file__).parent / "models" / "four_bar.yaml").read_text()


def test_the_four_bar_loads_as_written():
    model = loads(FOUR_BAR)
    assert list(model.bodies) == ["crank", "coupler", "rocker"]
    assert model.number(model.bodies["rocker"].mass) == 1.5
    assert model.number(model.initial["O"]["speed"]) == 2.0
    assert [model.number(component) for component in model.gravity] == [0.0, -9.81]
    assert model.joints["O"].child == "crank"


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
@pytest.mark.parametrize("suffix", ["yaml", "json", "yml"])
def test_files_round_trip(path, suffix, tmp_path):
    model = load(path)  # copies elsewhere name files of the first folder
    assert loads(dump(model, suffix), suffix, allow_outside=True) == model
    save(model, tmp_path / f"copy.{suffix}")
    assert load(tmp_path / f"copy.{suffix}", allow_outside=True) == model


@pytest.mark.parametrize("format_", ["yaml", "json"])
def test_branches_are_texts_whatever_they_look_like(format_):
    model = loads(FOUR_BAR + "branches: {A-B-C: 2}\n")
    assert model.branches == {"A-B-C": "2"}
    for name in ("left", "+", "-", "3"):
        changed = model.with_branches({"B": name})
        assert loads(dump(changed, format_), format_) == changed
        assert changed.branches == {"B": name}


def test_a_fault_of_a_branch_has_its_line():
    with pytest.raises(ModelError, match=r"branches.A-B-Z: line 15: there is no joint 'Z'"):
        loads(FOUR_BAR + "branches: {A-B-Z: left}\n")


def test_texts_of_all_letters_stay_as_they_are():
    told = "größe, 長さ, 😀"
    model = loads(FOUR_BAR).with_(description=told)
    text = dump(model)
    assert told in text
    assert loads(text).description == told


def test_quantities_and_formulas_keep_their_spelling():
    model = load(MODELS[0].parent / "slider_crank.yaml")
    text = dump(model)
    for word in ("50 mm", "3*r", "60 rpm", "r + l", "1 lb", "if(t < 1, 0, 5)"):
        assert word in text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e3", 1000.0),
        ("1E-3", 0.001),
        (".5", 0.5),
        ("-2", -2),
        ("012", 12),
        ("1_000", "1_000"),
        ("0x10", "0x10"),
        ("1:30", "1:30"),
        ("2020-01-01", "2020-01-01"),
        ("yes", "yes"),
        ("on", "on"),
        ("y", "y"),
        ("true", True),
        ("~", None),
        (".inf", math.inf),
        ("9" * 400, math.inf),
    ],
)
def test_words_of_yaml(text, value):
    assert plain_value(text) == value
    if value is not None:
        assert read_yaml(SourceText(f"key: {text}")).data["key"] == value


def test_quoted_words_stay_texts_and_keys_are_always_texts():
    assert read_yaml(SourceText("a: '1e3'\nb: \"true\"\n1: x\nnull: y\non: z")).data == {
        "a": "1e3",
        "b": "true",
        "1": "x",
        "null": "y",
        "on": "z",
    }


def test_anchors_may_be_used_again():
    text = FOUR_BAR.replace("mass: 1 kg", "mass: &m 1 kg").replace("mass: 2 kg", "mass: *m")
    assert loads(text).number(loads(text).bodies["coupler"].mass) == 1.0


BOMB = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("", "empty"),
        ("# only a comment\n", "empty"),
        ("[1, 2]", "a list"),
        ("just words", "a single value"),
        ("a: [1, 2", "not valid YAML"),
        ("space: planar\n\tgravity: [0, 0]", "tabs"),
        ("f: {value: 3 [N/m]*x}", "quote formulas"),
        ("a: &x [*x]", "*x refers to nothing"),
        ("a: *y", "*y refers to nothing"),
        ("a: !!python/object/apply:os.system ['true']", "tag"),
        ("a: !!float 3", "tag"),
        ("? [1, 2]\n: 3", "a key must be a name"),
        ("a: 1\n---\nb: 2", "second document"),
        (BOMB, "expands to more than"),
        ("a: " + "[" * 100 + "]" * 100, "nested"),
        ("[" * 100_000, "nested"),
        ("a: \x00", "not valid YAML"),
        ("a: \ud800", "not valid YAML"),
    ],
)
def test_texts_that_are_no_description(text, fragment):
    with pytest.raises(ModelError) as caught:
        loads(text)
    assert len(caught.value.faults) == 1
    assert fragment in str(caught.value)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("", "empty"),
        ("[]", "a list"),
        ("null", "empty"),
        ('{"space": }', "line 1, column 11: not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ('{"a": ' * 60 + "1" + "}" * 60, "nested"),
        ('{"a": ' + "1" * 5000 + "}", "not valid JSON"),
    ],
)
def test_json_texts_that_are_no_description(text, fragment):
    with pytest.raises(ModelError) as caught:
        loads(text, "json")
    assert fragment in str(caught.value)


def faults_of(text, format="yaml"):
    with pytest.raises(ModelError) as caught:
        loads(text, format)
    return {fault.path: str(fault) for fault in caught.value.faults}


def test_faults_tell_their_line():
    text = FOUR_BAR.replace("mass: 2 kg", "mass: 2 m").replace("[ground, rocker]", "[ground, rock]")
    text = text.replace("0.6, 0.8", "0.6, 8 kg").replace("length: 1.0, mass: 1 kg", "length: 1.0")
    faults = faults_of(text)
    assert set(faults) == {"bodies.coupler.mass", "joints.C.bodies", "points.A[1]", "bodies.crank.mass"}
    assert "line 7: '2 m' is a length" in faults["bodies.coupler.mass"]
    assert "line 13: there is no body 'rock'" in faults["joints.C.bodies"]
    assert "line 4: '8 kg' is a mass" in faults["points.A[1]"]
    assert "line 6: is missing" in faults["bodies.crank.mass"]


def test_keys_given_twice_are_faults_with_both_lines():
    faults = faults_of(FOUR_BAR + "gravity: [0, 0]\nname: x\nname: y\n")
    assert "line 15: is given twice, first in line 3" in faults["gravity"]
    assert "line 17: is given twice, first in line 16" in faults["name"]
    inner = faults_of(FOUR_BAR.replace("mass: 1 kg}", "mass: 1 kg, mass: 2 kg}"))
    assert list(inner) == ["bodies.crank.mass"]
    assert "given twice" in faults_of('{"space": "planar", "space": "spatial"}', "json")["space"]


@pytest.mark.parametrize("key", ["a[", "]", "..", "[0]", ".a.", "x]y[", "'a.b.c'"])
def test_odd_keys_are_faults_with_a_line(key):
    text = f"'{key}': 1\n" if "'" not in key else f"{key}: 1\n"
    assert any("line 15: unknown key" in fault for fault in faults_of(FOUR_BAR + text).values())


def test_special_numbers_are_refused_by_the_model():
    assert "finite" in faults_of(FOUR_BAR.replace("length: 1.0", "length: .nan"))["bodies.crank.length"]
    json_text = dump(loads(FOUR_BAR), "json").replace("2.5", "Infinity")
    assert "finite" in faults_of(json_text, "json")["bodies.coupler.length"]


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "four_bar.yaml").write_text(FOUR_BAR)
    (tmp_path / "latin.yaml").write_bytes(b"name: caf\xe9\n")
    (tmp_path / "folder.yaml").mkdir()
    for name, fragment in {
        "fourbar.yaml": "did you mean 'four_bar.yaml'?",
        "latin.yaml": "not UTF-8 text (byte 10)",
        "folder.yaml": "cannot be read",
        "model.txt": ".yaml, .yml, .json",
        "model": ".yaml, .yml, .json",
    }.items():
        with pytest.raises(ModelError) as caught:
            load(tmp_path / name)
        assert fragment in str(caught.value)
        assert name in str(caught.value)
    with pytest.raises(ModelError, match="cannot be written"):
        save(loads(FOUR_BAR), tmp_path / "nowhere" / "x.yaml")
    with pytest.raises(ModelError, match="not a known format"):
        loads("", "toml")


@pytest.mark.parametrize("name", ["notes.yaml", "notes.json"])
def test_a_foreign_file_is_not_overwritten_unless_asked_for(tmp_path, name):
    model, file = loads(FOUR_BAR), tmp_path / name
    file.write_text("my own notes")
    for overwrite in (None, False):
        with pytest.raises(ModelError, match=r"exists already(.|\n)*overwrite=True"):
            save(model, file, overwrite=overwrite)
        assert file.read_text() == "my own notes"
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert save(model, file, overwrite=True) == file
    written = file.read_text()
    assert save(model, str(file)) == file  # the same content is no obstacle
    assert file.read_text() == written
    with pytest.raises(ModelError, match="exists already"):
        save(model, file, overwrite=False)


def test_a_byte_order_mark_does_no_harm(tmp_path):
    (tmp_path / "bom.yaml").write_bytes(b"\xef\xbb\xbf" + FOUR_BAR.encode())
    assert load(tmp_path / "bom.yaml") == loads(FOUR_BAR)
