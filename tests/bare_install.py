"""A built wheel and sdist in bare environments: python tests/bare_install.py dist [python3.11 python3.13 ...]

Every archive of the folder is installed for every interpreter, without extras, into an environment of its own, and used from
an empty folder as a newcomer would. Told: seconds, and megabytes beyond those of the empty environment. `make package`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OLDEST = (3, 11)
SECONDS = 900.0  # for any single step

USE = """
import sys, warnings
warnings.simplefilter("error")
import linkwork as lw
for name in lw.example():
    lw.example(name)
result = lw.simulate(lw.example("four_bar"), until="1 s")
assert result.outcome.completed and result.audit, result
result.plot("B.x", path="bx.svg")
result.animate("page.html")
result.save("run.nc"), result.save("run.csv")
assert (lw.load_result("run.nc")["B.x"] == result["B.x"]).all()
assert "pandas" not in sys.modules and "xarray" not in sys.modules
for ask in (result.to_dataframe, result.to_xarray):
    try:
        ask()
    except lw.errors.RefusedError as error:
        assert "linkwork[tables]" in str(error), error
    else:
        raise AssertionError("an extra is here that nobody asked for")
"""
COMMANDS = (
    ("linkwork", "doctor"),
    ("linkwork", "demo", "--out", "demo"),
    ("linkwork", "new", "four_bar", "--out", "mine.yaml"),
    ("linkwork", "simulate", "mine.yaml", "--until", "1 s", "--html", "mine.html"),
    ("python", "-c", USE),
)


def interpreters() -> list[str]:
    """The oldest that will do and the newest that is here, of the search path and of pyenv."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    folders += sorted((Path.home() / ".pyenv" / "versions").glob("*/bin"))
    found: dict[tuple[int, int], str] = {}
    for folder in folders:
        for path in folder.glob("python3.*"):
            if (match := re.fullmatch(r"python3\.(\d+)", path.name)) and (version := (3, int(match[1]))) >= OLDEST:
                works = subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0
                found.update({version: found.get(version, str(path))} if works else {})
    return [found[version] for version in sorted({min(found), max(found)})] if found else [sys.executable]


def megabytes(environment: Path) -> float:
    """Of all files below a folder."""
    return sum(path.stat().st_blocks * 512 for path in environment.rglob("*") if not path.is_symlink()) / 1e6


def run(*command: str | Path, folder: Path) -> float:
    """Run a command in a *folder*; the seconds that it took. What it says is told where it fails."""
    began = time.perf_counter()
    alone = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    alone |= {"MPLBACKEND": "Agg", "LINKWORK_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=alone,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(str(word) for word in command)}\n{done.stdout}{done.stderr}\nexit code {done.returncode}")
    return time.perf_counter() - began


def try_out(archive: Path, interpreter: str) -> str:
    """Install an *archive* and use it; what that took, as a line of the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = folder / "environment"
        run(interpreter, "-m", "venv", environment, folder=folder)
        bare, programs = megabytes(environment), environment / "bin"
        installed = run(programs / "python", "-m", "pip", "install", "--quiet", archive, folder=folder)
        size = megabytes(environment) - bare
        used = [run(programs / first, *others, folder=folder) for first, *others in COMMANDS]
    kind = "wheel" if archive.suffix == ".whl" else "sdist"
    return (
        f"{Path(interpreter).name:<11} {kind:<6} {installed:8.0f} s {size:7.0f} MB {used[1]:6.1f} s  {sum(used):6.1f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("interpreters", nargs="*")
    asked = parser.parse_args()
    archives = sorted(path.resolve() for pattern in ("*.whl", "*.tar.gz") for path in asked.folder.glob(pattern))
    if not archives:
        sys.exit(f"no .whl and no .tar.gz in '{asked.folder}': python -m build")
    print(f"{'':<11} {'':<6} {'installed':>10} {'size':>10} {'demo':>8}  {'all uses':>8}")
    for interpreter in asked.interpreters or interpreters():
        found = shutil.which(interpreter) or sys.exit(f"there is no interpreter '{interpreter}'")
        for archive in archives:
            print(try_out(archive, found), flush=True)


if __name__ == "__main__":
    main()
