"""House rules that no linter knows: sizes, and one meaning for every class name."""

from __future__ import annotations

import ast
from collections import defaultdict
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
