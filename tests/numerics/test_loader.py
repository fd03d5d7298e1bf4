"""Kernels come from the disk once they have been compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from linkwork.errors import CompileError
from linkwork.numerics.loader import kernel_address

SCRIPT = """
import sys
from linkwork.machine import compilation_count
from linkwork.numerics.loader import kernel_address
assert kernel_address("advance.advance") != 0
print(compilation_count(), "linkwork.numerics.kernels.language.translation" in sys.modules, "numba" in sys.modules)
"""


def test_a_second_process_neither_translates_nor_compiles(tmp_path: Path) -> None:
    environment = {**os.environ, "LINKWORK_CACHE": str(tmp_path)}
    outputs = []
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
        )
        outputs.append(run.stdout.split())
    assert outputs == [["1", "True", "False"], ["0", "False", "False"]]


def test_unknown_kernels_are_named() -> None:
    with pytest.raises(CompileError, match="runge_kutta"):
        kernel_address("runge_kuta.advance")
    with pytest.raises(CompileError, match="advanse"):
        kernel_address("advance.advanse")


APART = """
import ctypes
from functools import cache
import linkwork as lw
from linkwork.numerics import loader
from linkwork.numerics.kernels.constrained.sparse_factors import factor_all

loaded = []
load = loader.load_kernels.__wrapped__
loader.load_kernels = cache(lambda unit: loaded.append(unit) or load(unit))
result = lw.simulate(lw.example("four_bar"), until="1 s")
print(*sorted(set(loaded)))
gate = loader._gate()
print(ctypes.c_void_p.from_address(gate.data(f"slot_{factor_all.symbol}")).value)
loader.open_gate()
found = ctypes.c_void_p.from_address(gate.data(f"slot_{factor_all.symbol}")).value
print(found == factor_all.address != gate.address(factor_all.symbol))
"""


def test_units_that_a_run_does_not_need_are_not_compiled(tmp_path: Path) -> None:
    """Conditions by their entries lie behind a gate, and partitioning is loaded where formulas come near their end."""
    environment = {**os.environ, "LINKWORK_CACHE": str(tmp_path)}
    for _ in range(2):  # compiled, and from the disk
        run = subprocess.run([sys.executable, "-c", APART], env=environment, capture_output=True, text=True, check=True)
        assert run.stdout.splitlines() == ["advance closing explicit", "None", "True"]
