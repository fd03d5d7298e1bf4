"""House rules that no linter knows: sizes, and one meaning for every class name."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "linkwork"
LONGEST_FILE, LONGEST_FUNCTION = 400, 40  # lines, without the docstring of a function
STILL_LONGER = {
    "analysis/kinematics/solve_kinematics.py solve_kinematics",
    "analysis/motion/simulate.py _result",
    "compiler/llvm/series.py _sums",
    "numerics/integrators/sundials.py integrate",
}
"""Functions that are to become shorter: whoever does that takes them out."""

TREES = {str(path.relative_to(SOURCE)): ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_files_are_short() -> None:
    sizes = {name: len((SOURCE / name).read_text(encoding="utf-8").splitlines()) for name in TREES}
    assert not {name: size for name, size in sizes.items() if size > LONGEST_FILE}


def test_functions_are_short() -> None:
    functions = (
        (name, node)
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert {f"{name} {node.name}" for name, node in functions if length(node) > LONGEST_FUNCTION} == STILL_LONGER


def test_a_class_name_has_one_meaning() -> None:
    homes = defaultdict(list)
    for name, tree in TREES.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(name)
    assert not {name: files for name, files in homes.items() if len(files) > 1}


MASS_ASKED = {
    "coordinates/reference_point.py": "reference points, and the constant block of rigid bodies",
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
