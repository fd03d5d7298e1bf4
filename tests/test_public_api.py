"""What users import: about forty names, the rest one dot deeper; each says what it is and stands in the documentation."""

from __future__ import annotations

import re
import subprocess
import sys
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
    *("load", "loads", "save", "dump", "load_result", "register"),
    *("analyse", "diagnose", "find_limits", "assemble", "drag_point", "solve_positions", "assembly_modes"),
    *("number", "formulate", "build", "prepare", "export_c"),
    *("simulate", "integrate", "realtime", "solve_kinematics", "inverse_dynamics", "inverse_function"),
    *("find_equilibrium", "find_equilibria", "equilibrium_path"),
    *("linearise", "modes", "root_locus", "floquet", "envelope", "interference", "forget"),
}
NOUNS = {"Model", "Event", "Result", "ConstrainedEquations", "LinkworkError"}
ROOMS = {"answers", "coordinates", "elements", "errors", "formats", "formulations", "integrators", "measures"}
EVERY = [(room, name) for room in sorted(ROOMS) for name in getattr(lw, room).__all__]


def test_the_top_level_is_what_ten_lines_need() -> None:
    assert set(lw.__all__) == VERBS | NOUNS | ROOMS
    assert len(VERBS | NOUNS) <= 40


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
    with pytest.raises(AttributeError, match=r"no attribute 'simulat'$"):
        lw.simulat  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'Baumgarte'; it is linkwork\.formulations\.Baumgarte$"):
        lw.Baumgarte  # noqa: B018
    with pytest.raises(AttributeError, match=r"'linkwork\.elements' has no attribute 'Bodi'"):
        lw.elements.Bodi  # noqa: B018


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    asked = "import sys, linkwork; dir(linkwork); print(*[m for m in sys.modules if m.startswith('linkwork')])"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert set(told.split()) == {"linkwork", "linkwork.above"}


@pytest.mark.parametrize("file", sorted(PAGES), ids=lambda path: path.name)
def test_names_that_the_documentation_uses_exist(file: Path) -> None:
    for chain in set(re.findall(r"\blw\.(\w+(?:\.\w+)?)", file.read_text(encoding="utf-8"))):
        room, _, name = chain.partition(".")
        assert hasattr(lw, room), f"{file.name}: lw.{chain}"
        if name and room in ROOMS:
            assert hasattr(import_module(f"linkwork.{room}"), name), f"{file.name}: lw.{chain}"
