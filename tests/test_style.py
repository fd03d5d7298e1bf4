"""House rules that no linter knows: sizes, and one meaning for every class name."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "linkwork"
LONGEST_FILE, LONGEST_FUNCTION = 400, 40  # lines, without the docstring of a function
MOST_ARGUMENTS = 6  # by position, without self
BY_POSITION_ALONE = {
    "cli": "options of a command, which are given by name",
    "numerics/kernels": "compiled code is called by position, and has no tuples to pass arrays in",
}
EMPTY_NAMES = {"utils", "helpers", "misc", "common", "manager"}

TREES = {str(path.relative_to(SOURCE)): ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def arguments(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Those that may be given by position."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """All functions and methods, with their files."""
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield name, node


def test_files_are_short() -> None:
    sizes = {name: len((SOURCE / name).read_text(encoding="utf-8").splitlines()) for name in TREES}
    assert not {name: size for name, size in sizes.items() if size > LONGEST_FILE}


def test_functions_are_short() -> None:
    assert not {f"{name} {node.name}" for name, node in functions() if length(node) > LONGEST_FUNCTION}


def test_functions_take_few_arguments_by_position() -> None:
    longer = {name for name, node in functions() if len(arguments(node)) > MOST_ARGUMENTS}
    assert not {name for name in longer if not name.startswith(tuple(BY_POSITION_ALONE))}
    assert all(any(name.startswith(home) for name in longer) for home in BY_POSITION_ALONE)


def test_files_say_what_is_in_them() -> None:
    assert not {name for name in TREES if EMPTY_NAMES & set(re.split(r"[/_.]", name))}


def test_files_of_tests_have_names_of_their_own() -> None:
    """pytest imports them by name alone: of two with one name it collects neither."""
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert not [name for name, count in names.items() if count > 1]


def named_types(tree: ast.Module) -> Iterator[str]:
    """Classes and aliases of types, but for those of NumPy's arrays."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(
            node.value, ast.Subscript | ast.BinOp | ast.Name | ast.Attribute
        ):
            array = ast.unparse(node.value).startswith("NDArray[")
            yield from (
                x.id for x in node.targets if isinstance(x, ast.Name) and re.match("[A-Z][a-z]", x.id) and not array
            )


def test_the_name_of_a_type_has_one_meaning() -> None:
    homes = defaultdict(list)
    for name, tree in TREES.items():
        for known in named_types(tree):
            if not known.startswith("_"):
                homes[known].append(name)
    assert not {name: files for name, files in homes.items() if len(files) > 1}


MASS_ASKED = {
    "coordinates/placed_body.py": "reference points, and the constant block of rigid bodies",
    "elements/forces/moving_base.py": "given rigid bodies",
    "position/geometry.py": "rigid(), which refuses other bodies by name",
    "position/inertia.py": "of bodies as they are drawn",
    "topology/report.py": "of bodies as they are drawn",
}
"""Who may read mass, centre of mass and inertia of a body beside its kind; all others ask the kind, or ``rigid``."""
FRAMES_ASKED = {
    "results/sketch.py": "drawings",
    "coordinates/by_body.py": "natural bodies",
    "coordinates/motion.py": "places of markers",
    "coordinates/natural": "rigid bodies alone, which share asks for",
    "position": "bodies as they are drawn",
    "topology": "bodies as they are drawn",
}
"""Who may read the frames of a joint in its bodies; all others ask ``JointGeometry.frames``, or ``fixed_frames``."""


def readers(pattern: str, allowed: Iterable[str]) -> set[str]:
    """Files that match, but those that may and the homes of bodies, joints and declarations."""
    homes = (
        "elements/bodies",
        "elements/inertia.py",
        "elements/relations/base.py",
        "model",
        "numerics",
        "testing",
        *allowed,
    )
    found = {name for name in TREES if re.search(pattern, (SOURCE / name).read_text(encoding="utf-8"))}
    return {name for name in found if not name.startswith(homes)}


def test_nobody_reads_the_mass_of_a_body_beside_its_kind() -> None:
    matter = r"\.matter\b|\bkind\.(drawn|distribution|inertia)\.|\.drawn\.(mass|centre|inertia)|\bkind\.drawn\b"
    assert not readers(matter, MASS_ASKED)
    assert readers(matter, ()) == set(MASS_ASKED)
    alone = r"\bDistribution\b"  # of those who take rigid bodies alone
    asking = {name for name in readers(alone, MASS_ASKED) if "rigid" not in (SOURCE / name).read_text(encoding="utf-8")}
    assert not asking


def test_nobody_reads_a_constant_frame_of_a_joint() -> None:
    constant = r"\b(joint|declared|found|hinge|pin)\.[ab]\b(?!\s*=)|\.frame_in\("
    assert not readers(constant, FRAMES_ASKED)
    assert all(any(name.startswith(home) for name in readers(constant, ())) for home in FRAMES_ASKED)
