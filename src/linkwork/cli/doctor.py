"""The command `doctor`: whether everything that Linkwork needs is in place, and works."""

from __future__ import annotations

import json
import os
import platform
import time
from typing import Annotated, Any

import typer

import linkwork as lw
from linkwork.cli.printing import WRONG, complain
from linkwork.extras import EXTRAS

NEEDED = ("casadi", "llvmlite", "numpy", "scipy", "pydantic", "pyyaml", "typer")
TRIAL = "pendulum"
"""The mechanism that is compiled and run; its energy is known to be constant."""


def doctor(
    json_: Annotated[
        bool, typer.Option("--json", help="Print what was found as JSON, and nothing else there.")
    ] = False,
) -> None:
    """Look whether everything is in place: versions, extras, cache, and a mechanism that is compiled and run."""
    found, faults = examine()
    if json_:
        typer.echo(json.dumps({**found, "faults": faults}, ensure_ascii=False))
    else:
        for section, rows in found.items():
            typer.echo(section)
            for name, text in rows.items():
                typer.echo(f"  {name:<14} {_shown(name, text)}")
        typer.echo("everything is in place" if not faults else "")
    for fault in faults:
        complain(fault)
    if faults:
        raise typer.Exit(WRONG)


def _shown(name: str, value: Any) -> str:
    """A value with its unit."""
    if name in ("bytes", "limit"):
        return f"{value / 1e6:.3g} MB"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value}"


def examine() -> tuple[dict[str, dict[str, Any]], list[str]]:
    """What there is by sections, and what is wrong."""
    faults: list[str] = []
    versions = {"linkwork": lw.__version__, "python": platform.python_version()}
    versions |= {name: _version(name) or "missing" for name in NEEDED}
    faults += [f"{name} is missing: install Linkwork again" for name in NEEDED if versions[name] == "missing"]
    extras = {
        extra.package: f"{known} ({extra.gives})"
        if (known := _version(extra.package))
        else f"missing: {extra.gives}; {extra.remedy}"
        for extra in EXTRAS.values()
    }
    machine = {"system": platform.platform(), "processor": platform.machine(), "cores": os.cpu_count()}
    found: dict[str, dict[str, Any]] = {"versions": versions, "extras": extras, "machine": machine}
    found["cache"] = _cache(faults)
    if "missing" not in versions.values():
        found["trial"] = _trial(faults)
    return found, faults


def _version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and help does not need it

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cache(faults: list[str]) -> dict[str, Any]:
    """The folder of compiled code, its size in bytes, and whether it can be written to."""
    from linkwork.machine.cache import ObjectCache

    store = ObjectCache()
    writable = store.works()
    if not writable:
        faults.append(
            f"the cache '{store.directory}' cannot be used: every run compiles; set LINKWORK_CACHE to a folder"
        )
    return {"folder": str(store.directory), "bytes": store.size(), "limit": store.limit, "writable": writable}


def _trial(faults: list[str]) -> dict[str, Any]:
    """Compile a mechanism that no cache knows, by its weight, run it, and look at its audit."""
    from linkwork.machine.engine import compilation_count

    began, before = time.perf_counter(), compilation_count()
    try:
        model = lw.example(TRIAL).with_(gravity=[0.0, -9.81 - 1e-9 * (time.time_ns() % 10**6)])
        result = lw.simulate(model, until=1.0)
        outcome, audit = str(result.outcome), result.audit.line
        good = result.outcome.completed and bool(result.audit)
    except Exception as error:  # whatever is wrong with this machine is what is asked for
        good, outcome, audit = False, f"{type(error).__name__}: {error}", ""
    if not good:
        faults.append(f"a {TRIAL} cannot be compiled and run: {outcome} {audit}")
    seconds, compiled = round(time.perf_counter() - began, 2), compilation_count() - before
    return {"mechanism": TRIAL, "outcome": outcome, "audit": audit, "compiled": compiled, "seconds": seconds}
