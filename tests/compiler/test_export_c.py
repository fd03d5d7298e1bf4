"""The exported file compiles as strict C99 without a warning and computes what the program computes."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import casadi as ca
import numpy as np
import pytest
from random_graphs import EXACT, SIZE_P, SIZE_Y, SMOOTH, make_function

from linkwork.compiler import Reference, build, export_c
from linkwork.errors import CompileError

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="no C compiler on this machine")


def compile_c(path: Path) -> ctypes.CDLL:
    library = path.with_suffix(".so")
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([str(GCC), *flags, str(path), "-o", str(library), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def call(library: ctypes.CDLL, name: str, t: float, y: np.ndarray, p: np.ndarray, size: int) -> np.ndarray:
    out = np.empty(size)
    function = getattr(library, name)
    function.argtypes = [ctypes.c_double, *[ctypes.c_void_p] * 3]
    function.restype = None
    function(t, y.ctypes.data, p.ctypes.data, out.ctypes.data)
    return out


@needs_gcc
def test_it_computes_what_the_program_computes(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    functions = {}
    for k in range(12):
        functions[f"exact{k}"] = make_function(random.integers(0, 1000, (30, 3)).tolist(), EXACT)
        functions[f"smooth{k}"] = make_function(random.integers(0, 1000, (30, 3)).tolist(), SMOOTH)
    program = build(functions, Reference())
    library = compile_c(export_c(program, tmp_path / "functions.c"))
    for name, compiled in program.items():
        for _ in range(5):
            t, y, p = random.uniform(-1, 1), random.uniform(-1, 1, SIZE_Y), random.uniform(-1, 1, SIZE_P)
            expected = compiled(t, y, p)
            actual = call(library, f"linkwork_{name}", t, y, p, compiled.size_out)
            if name.startswith("exact"):
                np.testing.assert_array_equal(actual, expected)
            else:
                np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-12)


@needs_gcc
def test_unused_inputs_and_special_numbers(tmp_path: Path) -> None:
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 2), ca.SX.sym("p", 0)
    numbers = [0.1, 1e22, 1e-310, -2.5, 1 / 3, np.inf, -np.inf, np.nan, 5.0]
    functions = {
        "constants": ca.Function("f", [t, y, p], [ca.vertcat(*numbers)]),
        "nothing": ca.Function("f", [t, y, p], [ca.SX(0, 1)]),
    }
    library = compile_c(export_c(functions, tmp_path / "constants.c"))
    out = call(library, "linkwork_constants", 0.0, np.zeros(2), np.zeros(0), len(numbers))
    np.testing.assert_array_equal(out, numbers)


def test_the_file_says_what_it_holds(tmp_path: Path) -> None:
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 2), ca.SX.sym("p", 1)
    function = ca.Function("f", [t, y, p], [y * p, y @ y.T], ["t", "y", "p"], ["velocity", "square"])
    text = export_c({"rate": function}, tmp_path / "rate.c", prefix="my_").read_text(encoding="utf-8")
    assert "/* my_rate: y[2], p[1], out[6] = (velocity 2 x 1, square 2 x 2); 5 operations */" in text
    assert "void my_rate(double t, const double *y, const double *p, double *out);" in text


def test_a_name_that_c_does_not_know_is_refused(tmp_path: Path) -> None:
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 2), ca.SX.sym("p", 0)
    with pytest.raises(CompileError, match=r"'linkwork_joint\.A' cannot be a name in C"):
        export_c({"joint.A": ca.Function("f", [t, y, p], [t])}, tmp_path / "f.c")
