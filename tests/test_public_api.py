"""What users import: about forty names, the rest one dot deeper; each says what it is and stands in the documentation."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import linkwork as lw

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "api" / "index.md").read_text(encoding="utf-8")
PARTS = re.findall(r"^.. currentmodule:: linkwork\.?(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
LISTED = {(room, name) for room, part in PARTS for name in re.findall(r"^   (\w+)$", part, re.MULTILINE)}
PAGES = [path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if path.name != "CHANGELOG.md"]
VERBS = {
    *("load", "loads", "save", "dump", "example", "load_result", "register"),
    *("analyse", "diagnose", "find_limits", "assemble", "drag_point", "solve_positions", "assembly_modes"),
    *("number", "formulate", "build", "prepare", "forget", "export_c"),
    *("simulate", "simulate_many", "integrate", "realtime", "solve_kinematics", "inverse_dynamics", "inverse_function"),
    *("find_equilibrium", "find_equilibria", "equilibrium_path"),
    *("linearise", "frequency_response", "modes", "root_locus", "floquet", "envelope", "interference"),
}
NOUNS = {"Model", "Event", "Result", "ConstrainedEquations", "LinkworkError"}
ROOMS = {
    "answers",
    "coordinates",
    "elements",
    "errors",
    "formats",
    "formulations",
    "integrators",
    "measures",
    "studies",
}
EVERY = [(room, name) for room in sorted(ROOMS) for name in getattr(lw, room).__all__]


def test_the_top_level_is_what_ten_lines_need() -> None:
    assert set(lw.__all__) == VERBS | NOUNS | ROOMS
    assert len(VERBS | NOUNS) <= 42


@pytest.mark.parametrize(("room", "name"), [("", name) for name in sorted(VERBS | NOUNS)] + EVERY)
def test_a_name_is_there_and_documented(room: str, name: str) -> None:
    found = getattr(getattr(lw, room) if room else lw, name)
    if isinstance(found, type) or callable(found):
        assert (found.__doc__ or "").strip(), f"{name} does not say what it is"
    assert (room, name) in LISTED, f"{room}.{name} is not in docs/api/index.md"


@pytest.mark.parametrize("module", [lw, *(getattr(lw, room) for room in sorted(ROOMS))], ids=lambda m: m.__name__)
def test_a_room_lists_each_name_once_and_a_star_brings_them(module: ModuleType) -> None:
    assert len(set(module.__all__)) == len(module.__all__)
    assert set(module.__all__) <= set(dir(module))
    given: dict[str, object] = {}
    exec(f"from {module.__name__} import *", given)
    assert {name: getattr(module, name) for name in module.__all__}.items() <= given.items()


def test_a_name_has_one_home() -> None:
    """At the top or in one room; the verbs of files are at the top, and the room of formats has them too."""
    homes: dict[str, list[str]] = {}
    for room, name in [*(("", name) for name in VERBS | NOUNS), *EVERY]:
        homes.setdefault(name, []).append(room)
    twice = {name: rooms for name, rooms in homes.items() if len(rooms) > 1 and name != "ALL"}
    assert twice == {
        **{name: ["", "formats"] for name in ("dump", "load", "loads", "save")},
        "LinkworkError": ["", "errors"],
    }


def test_an_unknown_name_is_an_attribute_error_that_says_where_it_is() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'simulat'; did you mean one of: simulate"):
        lw.simulat  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'Baumgarte'; it is linkwork\.formulations\.Baumgarte$"):
        lw.Baumgarte  # noqa: B018
    with pytest.raises(AttributeError, match=r"'linkwork\.elements' has no attribute 'Bodi'"):
        lw.elements.Bodi  # noqa: B018


def test_what_is_offered_is_what_is_public() -> None:
    assert set(dir(lw)) == {*lw.__all__, "__version__"}


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    asked = "import sys, linkwork; dir(linkwork); print(*[m for m in sys.modules if m.startswith('linkwork')])"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert set(told.split()) == {"linkwork", "linkwork.above", "linkwork.uncollected"}


@pytest.mark.parametrize("file", sorted(PAGES), ids=lambda path: path.name)
def test_names_that_the_documentation_uses_exist(file: Path) -> None:
    for chain in set(re.findall(r"\blw\.(\w+(?:\.\w+)?)", file.read_text(encoding="utf-8"))):
        room, _, name = chain.partition(".")
        assert hasattr(lw, room), f"{file.name}: lw.{chain}"
        if name and room in ROOMS:
            assert hasattr(import_module(f"linkwork.{room}"), name), f"{file.name}: lw.{chain}"


WORDS = {
    # what it is about
    "model": "a model, its file, or what was made of it: a pose, a run, a mechanism",
    "equations": "equations of motion",
    "result": "a run",
    "thing": "an addition from outside",
    "text": "a model as text",
    "table": "a table of samples",
    "other": "another answer of this kind",
    # where it begins
    "start": "a position from which it begins",
    "initial": "values of the state at the first moment",
    "near": "where joints and points should be, as near as they can",
    "targets": "where joints or points are in every sample",
    "about": "the position around which it is linear",
    **{name: f"the initial {name} of equations of one's own" for name in ("q", "v", "s", "p")},
    "seed": "from which random numbers are drawn",
    # when, and how long
    "until": "the moment at which it ends",
    "times": "the moments of samples",
    "time": "one moment",
    "step": "from one sample to the next",
    "fixed_step": "the size of all steps of an integrator",
    "impact": "a law of impacts",
    "arc_length": "the longest step along a path",
    "steps": "sizes of steps, one row each",
    "period": "the time after which a motion repeats",
    "duration": "a length of time",
    "every": "steps from one kept sample to the next",
    # which algorithm
    "method": "the algorithm that answers",
    "integrator": "the integrator, by name or as an object",
    "integrators": "several of them",
    "coordinates": "the kind of coordinates",
    "formulation": "the form of the equations of motion",
    "backend": "for what it is compiled",
    "shape": "of compiled code",
    "penalty": "the penalties of linear equations",
    "prediction": "the order of extrapolation",
    "order": "the order of a formula",
    "switch": "whether a path turns off at a bifurcation",
    "find": "whether a period is looked for",
    "stable": "whether it goes downhill",
    "reactions": "whether reactions are found too",
    "masses": "whether masses count",
    # how well
    "rtol": "the relative error of a step",
    "atol": "the absolute error of a step",
    "tolerance": "what is left of a residual",
    "accuracy": "the error of a whole run",
    "audit": "whether the answer is checked",
    "resolution": "the smallest detail, of the size of the mechanism",
    "clearance": "the distance below which bodies interfere",
    # how many
    "max_steps": "steps at most, of a run or along a path",
    "max_iterations": "iterations of a search or of a step at most",
    "max_modes": "modes at most",
    "corrections": "corrections of a step",
    "tries": "starts of a search",
    "assemblies": "whether it looks in all assembly modes",
    "count": "steps at a time",
    "keep": "samples that are kept",
    "frames": "frames at most",
    "dashes": "samples of a dash",
    # which values
    "parameters": "values of live parameters",
    "values": "values of live parameters that change now",
    "named": "values of live parameters as keywords",
    "quantities": "what is kept of every variant of a study",
    "final": "whether the last sample alone is kept",
    "peaks": "whether the smallest and largest values are kept",
    "motion": "prescribed motions, by coordinate",
    "along": "live parameters with the values that are passed one after the other",
    "places": "places that a point is led to one after the other",
    "weights": "how much each counts",
    "priorities": "what comes first",
    "damping": "the damping ratio of an oscillator",
    "scale": "how much larger deviations are drawn",
    "amplitude": "the size of a vibration",
    "speed": "how much faster than the clock",
    # which parts, by name
    "inputs": "coordinates or signals that drive",
    "input": "one of them",
    "outputs": "quantities that are read",
    "output": "one of them that is read",
    "states": "coordinates of linear equations",
    "motors": "coordinates with an unknown effort",
    "of": "points, bodies or coordinates whose rates are meant",
    "point": "a point",
    "points": "several points",
    "body": "a body",
    "bodies": "several bodies, or pairs of them",
    "joint": "a joint",
    "joined": "whether bodies at a joint count",
    "relation": "a relation",
    "ends": "the point or joint at the other end of the bar of a body",
    "relative_to": "the body from which it is seen",
    "cut": "joints that are cut",
    "events": "formulas whose zeros are looked for",
    "maps": "states behind events, as formulas of those before",
    "catching": "how far open what a hand closes may be",
    "name": "one quantity",
    "names": "quantities, by name or pattern",
    "pattern": "a pattern of names",
    "mode": "one mode, by number or name",
    "holds": "names of what holds of what comes and goes",
    "modes": "which modes, or whether they are shown",
    "sample": "the number of a sample",
    "place": "a place in the plane or in space",
    "direction": "a direction",
    "omega": "angular frequencies",
    "between": "the range of frequencies",
    # files and figures
    "path": "the file that is read or written",
    "folder": "where a study is kept while it goes on",
    "overwrite": "whether a file may be replaced",
    "format": "the format of a text",
    "allow_outside": "whether a file may name files outside its folder",
    "prefix": "how names in C begin",
    "show": "whether a window opens",
    "axes": "where to draw",
    "unit": "one unit",
    "units": "units by name or pattern",
    "options": "what else the view takes",
    "over": "the quantity of the horizontal axis",
    "beside": "other runs in the same figure",
    "friction": "whether friction of joints acts",
    "band": "whether a band below curves says what holds when",
    "label": "what the legend calls this run",
    "size": "width and height of a picture, in millimetres, of a film in pixels",
    "fps": "frames in a second of film",
    "view": "from where a film is taken in space",
    "follow": "the body that a camera goes along with",
    "trace": "points whose paths are shown",
    "plot": "quantities plotted at first",
    "circle": "whether circles of curvature are shown",
    "progress": "called with the part that is done",
    "callback": "called after every step",
    "clock": "which clock is meant",
    "workers": "how many cores are used",
    "number": "which variant is meant",
}
"""Every parameter of what users call: one word, one meaning."""
# stages of the walk are for those who build on them: their methods speak of expressions and arrays
STAGES = {"Topology", "Coordinates", "Equations", "Program", "Mechanism"}


def asked_of_users() -> Iterator[tuple[str, Callable[..., object]]]:
    """Functions of the top level and of the rooms; methods of answers."""
    for room in ("", "measures", "integrators", "formats", "studies"):
        module = getattr(lw, room) if room else lw
        yield from (
            (name, getattr(module, name)) for name in module.__all__ if inspect.isfunction(getattr(module, name))
        )
    for answer in (lw.Result, *(getattr(lw.answers, name) for name in lw.answers.__all__ if name not in STAGES)):
        for name, found in inspect.getmembers(answer, inspect.isfunction):
            if not name.startswith("_") and found.__module__.startswith("linkwork"):
                yield f"{answer.__name__}.{name}", found


def test_parameters_are_words_with_one_meaning() -> None:
    used: dict[str, list[str]] = {}
    for owner, function in asked_of_users():
        for word in inspect.signature(function).parameters:
            used.setdefault(word, []).append(owner)
    del used["self"]
    new = {word: owners for word, owners in used.items() if word not in WORDS}
    assert not new, f"take a word of the list, or add one with its meaning: {new}"
    assert set(WORDS) <= set(used), f"not in use: {sorted(set(WORDS) - set(used))}"
    assert len(set(WORDS.values())) == len(WORDS), "two words for one meaning"


ONE_DEFAULT = {
    *("until", "times", "time", "step", "period", "start", "initial", "parameters", "near", "states", "outputs"),
    *("rtol", "atol", "accuracy", "audit", "show", "axes", "units", "over"),
}
"""Words that mean the same where they are left out, too."""
SEVERAL_TYPES = {
    "integrator": "of runs also time stepping",
    "parameters": "of a study, a value for each variant",
    "initial": "of a study, a value for each variant",
    "model": "stages of the walk, or what files hold",
    "inputs": "names, names with limits, or signals",
    "motion": "prescribed by formulas, or by samples too",
    "method": "an estimate has parameters of its own",
    "names": "one after the other, or as a list",
    "path": "of an answer that writes itself, as an object",
    "integrators": "one after the other, or as a list",
    "bodies": "or pairs of them",
    "of": "one name, or several",
    "point": "or a place",
    "size": "of films in pixels",
    "steps": "sizes in rows of a table, or in an array",
    "result": "a run, or what was found along one too",
}
"""Words with more than one type, and why."""


def test_a_word_has_one_type_and_one_default() -> None:
    types: dict[str, set[str]] = {}
    defaults: dict[str, set[str]] = {}
    for _, function in asked_of_users():
        for word, given in inspect.signature(function).parameters.items():
            types.setdefault(word, set()).add(str(given.annotation).removesuffix(" | None"))
            if given.default is not inspect.Parameter.empty:
                defaults.setdefault(word, set()).add(repr(given.default))
    several = {word: found for word, found in types.items() if len(found) > 1 and word not in SEVERAL_TYPES}
    assert not several, f"take the type of the others (algebra/given.py): {several}"
    assert all(len(types[word]) > 1 for word in SEVERAL_TYPES), "these have one type by now"
    other = {word: defaults[word] for word in ONE_DEFAULT if len(defaults.get(word, ())) > 1}
    assert not other, f"take the default of the others: {other}"
