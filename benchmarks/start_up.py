"""Time from a YAML file to the first result, with an empty and with a filled cache, and of ``import linkwork``.

Every figure is a process of its own, started several times; the best counts. "inside" is measured in the process from
before the import to the end of the simulation; "whole" includes the start of Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from models import FOUR_BAR

SCRIPT = """\
import sys, time
start = time.perf_counter()
import linkwork as lw
imported = time.perf_counter()
result = lw.simulate(lw.load(sys.argv[1]), until="10 s")
result["B.x"]
print(imported - start, time.perf_counter() - start)
"""
IMPORT = "import time; start = time.perf_counter(); import linkwork; t = time.perf_counter() - start; print(t, t)"
PEER = "import time; start = time.perf_counter(); import casadi; t = time.perf_counter() - start; print(t, t)"


def run(script: str, arguments: list[str], cache: str) -> tuple[float, float]:
    """Seconds inside the process, and of the whole process."""
    environment = {**os.environ, "LINKWORK_CACHE": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its byte code
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], env=environment, check=True, capture_output=True, text=True
    )
    return float(done.stdout.split()[1]), time.perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "four_bar.yaml"
        model.write_text(FOUR_BAR, encoding="utf-8")
        run(SCRIPT, [str(model)], f"{folder}/first")  # byte code of an edited checkout
        cold = [run(SCRIPT, [str(model)], f"{folder}/cold{i}") for i in range(3)]
        warm = [run(SCRIPT, [str(model)], f"{folder}/cold0") for _ in range(5)]
        alone = [run(IMPORT, [], folder) for _ in range(5)]
        peer = [run(PEER, [], folder) for _ in range(5)]
    print("From a YAML four-bar to its first result (s)      inside   whole process")
    for name, figures in (
        ("empty cache", cold),
        ("filled cache", warm),
        ("import linkwork", alone),
        ("import casadi", peer),
    ):
        inside, whole = min(f[0] for f in figures), min(f[1] for f in figures)
        print(f"{name:<48}{inside:8.2f}{whole:16.2f}")


if __name__ == "__main__":
    main()
