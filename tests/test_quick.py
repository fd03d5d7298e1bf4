"""``make quick``: the small rooms, and every pair of choices in some run. What it leaves out is here, with the reason."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
QUICK = {Path(line).relative_to("tests").as_posix() for line in (HERE / "quick.txt").read_text().split()}
LONG = {
    "analysis": "runs of all verbs; its pairs are quick",
    "bench": "every problem of the comparison, by every program that is there",
    "answer": "every verb is asked for its answer",
    "compiler": "compiles with every backend",
    "coordinates": "momentum and energy in all coordinates, on drawn mechanisms; its conditions are quick",
    "elements": "relations in all coordinates; its contracts, forces and kinds of joints are quick",
    "equations": "all formulations",
    "loops": "runs of loops in closed form; one of them is quick",
    "numerics": "all integrators, and their orders",
    "position": "searches for positions; assembly is quick",
    "properties": "drawn mechanisms through every verb",
    "references": "published cases",
    "results": "runs that are written and read",
    "studies": "many runs, on all cores",
    "topology": "searches for all assembly modes",
    "views": "pictures and pages",
    "test_examples.py": "every example and page runs",
    "test_mechanism_library.py": "every mechanism of the library runs",
    "test_notebook.py": "every class and answer is shown",
    "test_words.py": "runs the lines that are proposed",
    "test_order_of_a_file.py": "every mechanism of the library runs, shuffled",
    "test_extending.py": "runs with kinds from outside",
    "test_pages.py": "the Python of every page runs",
    "test_testing.py": "checks of kinds run in all coordinates",
    "test_cli.py": "starts programs",
    "test_cli_answers.py": "every command",
    "test_cli_audit.py": "starts programs",
    "test_cli_doctor.py": "compiles and runs",
    "test_cli_equilibrium.py": "starts programs",
    "test_cli_floquet.py": "starts programs",
    "test_cli_inverse.py": "starts programs",
    "test_cli_modes.py": "starts programs",
    "test_position_commands.py": "starts programs",
    "test_extras.py": "compiles and runs",
    "test_progress.py": "waits, compiles and runs",
}


def test_every_room_is_quick_or_says_why_not() -> None:
    rooms = {path.name for path in HERE.iterdir() if path.is_dir() and any(path.rglob("test_*.py"))}
    there = rooms | {path.name for path in HERE.glob("test_*.py")}
    whole = {place for place in QUICK if "/" not in place}
    assert whole | set(LONG) == there
    assert not whole & set(LONG)


def test_what_is_quick_is_there() -> None:
    assert all((HERE / place).exists() for place in QUICK)
    parts = {place.partition("/")[0] for place in QUICK if "/" in place}
    assert parts <= set(LONG), "a part of a room that is quick as a whole"
