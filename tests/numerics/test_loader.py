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
