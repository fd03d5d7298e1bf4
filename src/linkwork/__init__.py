"""Linkwork: a mechanism compiler.

A description of a mechanism goes in; specialised machine code for its kinematics and dynamics comes out::

    import linkwork as lw

    model = lw.load("four_bar.yaml")
    print(lw.analyse(model))
    result = lw.simulate(model, until="10 s")
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from linkwork.above import tell
from linkwork.uncollected import uncollected

__version__ = "0.1.0"

if TYPE_CHECKING:
    from linkwork import answers, coordinates, elements, errors, formats, formulations, integrators, measures, studies
    from linkwork.analysis.inverse.inverse_dynamics import inverse_dynamics
    from linkwork.analysis.inverse.inverse_function import inverse_function
    from linkwork.analysis.motion.integrate import integrate
    from linkwork.analysis.position.assemble import assemble, drag_point
    from linkwork.analysis.position.assembly_modes import assembly_modes
    from linkwork.analysis.position.envelope import envelope
    from linkwork.analysis.position.interference import interference
    from linkwork.analysis.position.solve_positions import solve_positions
    from linkwork.analysis.prepared.memo import forget
    from linkwork.analysis.realtime.stepped import realtime
    from linkwork.analysis.runs.simulate import Event, simulate
    from linkwork.analysis.runs.solve_kinematics import solve_kinematics
    from linkwork.analysis.statics.equilibrium import find_equilibria, find_equilibrium
    from linkwork.analysis.statics.equilibrium_path import equilibrium_path
    from linkwork.analysis.vibration.floquet import floquet
    from linkwork.analysis.vibration.frequency_response import frequency_response
    from linkwork.analysis.vibration.linearise import linearise
    from linkwork.analysis.vibration.modes import modes
    from linkwork.analysis.vibration.root_locus import root_locus
    from linkwork.analysis.walk.walk import (
        analyse,
        build,
        diagnose,
        export_c,
        find_limits,
        formulate,
        number,
        prepare,
    )
    from linkwork.equations.own import ConstrainedEquations
    from linkwork.errors import LinkworkError
    from linkwork.extending import register
    from linkwork.formats import dump, load, loads, save
    from linkwork.formats.examples import example
    from linkwork.model import Model
    from linkwork.results import Result, load_result
    from linkwork.studies.simulate_many import simulate_many

# what users call, by stage; every module is imported when one of its names is first used
_NAMES: dict[str, tuple[str, ...]] = {
    "linkwork.formats": ("dump", "load", "loads", "save"),
    "linkwork.formats.examples": ("example",),
    "linkwork.extending": ("register",),
    "linkwork.results": ("Result", "load_result"),
    "linkwork.analysis.prepared.memo": ("forget",),
    "linkwork.analysis.walk.walk": (
        "analyse",
        "build",
        "diagnose",
        "export_c",
        "find_limits",
        "formulate",
        "number",
        "prepare",
    ),
    "linkwork.analysis.position.assemble": ("assemble", "drag_point"),
    "linkwork.analysis.position.solve_positions": ("solve_positions",),
    "linkwork.analysis.position.assembly_modes": ("assembly_modes",),
    "linkwork.analysis.runs.simulate": ("Event", "simulate"),
    "linkwork.studies.simulate_many": ("simulate_many",),
    "linkwork.analysis.runs.solve_kinematics": ("solve_kinematics",),
    "linkwork.analysis.inverse.inverse_dynamics": ("inverse_dynamics",),
    "linkwork.analysis.inverse.inverse_function": ("inverse_function",),
    "linkwork.analysis.statics.equilibrium": ("find_equilibria", "find_equilibrium"),
    "linkwork.analysis.statics.equilibrium_path": ("equilibrium_path",),
    "linkwork.analysis.vibration.linearise": ("linearise",),
    "linkwork.analysis.vibration.frequency_response": ("frequency_response",),
    "linkwork.analysis.vibration.modes": ("modes",),
    "linkwork.analysis.vibration.root_locus": ("root_locus",),
    "linkwork.analysis.vibration.floquet": ("floquet",),
    "linkwork.analysis.realtime.stepped": ("realtime",),
    "linkwork.analysis.motion.integrate": ("integrate",),
    "linkwork.analysis.position.envelope": ("envelope",),
    "linkwork.analysis.position.interference": ("interference",),
    "linkwork.model": ("Model",),
    "linkwork.errors": ("LinkworkError",),
    "linkwork.equations.own": ("ConstrainedEquations",),
}
# the other names are one dot deeper
_ROOMS = (
    *("answers", "coordinates", "elements", "errors", "formats", "formulations", "integrators", "measures", "studies"),
)
_HOME = {name: module for module, names in _NAMES.items() for name in names}
__all__ = sorted([*_HOME, *_ROOMS])

tell(
    draws="linkwork.views",
    registers="linkwork.extending",
    declares="linkwork.model.declarations",
    loads="linkwork.numerics.loader",
    reports="linkwork.topology.report",
)


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return _imported(f"linkwork.{name}")
    if name in _HOME:
        return getattr(_imported(_HOME[name]), name)
    homes = [] if name.startswith("_") else [room for room in _ROOMS if hasattr(_imported(f"linkwork.{room}"), name)]
    from linkwork.errors import did_you_mean

    hint = f"it is linkwork.{homes[0]}.{name}" if homes else did_you_mean(name, __all__, "function")
    raise AttributeError(f"module 'linkwork' has no attribute '{name}'; {hint}")


def _imported(module: str) -> ModuleType:
    with uncollected():
        return import_module(module)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
