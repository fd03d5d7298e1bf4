"""All that can be asked of a model, for models with mistakes: the verbs, and what else there is."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any


def silent(result: Any) -> str:
    """Which quantities of a run that says it has completed are no numbers, without a word in its notes."""
    import numpy as np

    if not result.outcome.completed:
        return ""
    said = " ".join(result.notes)
    names = [n for n, values in result.values(result.names()).items() if not np.all(np.isfinite(values))]
    return "" if not names or "no value" in said or "no number" in said else ", ".join(names[:5])


def verbs(model: Any) -> dict[str, Callable[[], object]]:
    """Every verb on a short motion; what they give is printed and read."""
    import linkwork as lw

    def run() -> str:
        result = lw.simulate(model, 0.1, step=0.005, max_steps=3000)
        str(result)
        return silent(result)

    def kinematics() -> str:
        result = lw.solve_kinematics(model, until=0.1, step=0.01)
        str(result)
        return silent(result)

    def inverse() -> None:
        str(lw.inverse_dynamics(model, until=0.1, step=0.01, max_steps=3000))

    def live() -> None:
        rt = lw.realtime(model, "2 ms", keep=50)
        rt.advance(0.1)
        str(rt), str(rt.result)

    return {
        "analyse": lambda: str(lw.analyse(model)) and None,
        "simulate": run,
        "solve_kinematics": kinematics,
        "inverse_dynamics": inverse,
        "find_equilibrium": lambda: str(lw.find_equilibrium(model, max_iterations=40)) and None,
        "linearise": lambda: str(lw.linearise(model)) and None,
        "modes": lambda: str(lw.modes(model)) and None,
        "realtime": live,
    }


def further_verbs(model: Any) -> dict[str, Callable[[], object]]:
    """What else can be asked of a model, of a point of it, and of a run."""
    import linkwork as lw

    turning = [(name, joint.freedoms[0].name) for name, joint in model.joints.items() if joint.freedoms]
    near = {f"{name}.{coordinate}": 0.3 for name, coordinate in turning[:1]}
    point, place = next(reversed(model.points), "none"), [0.1] * (2 if model.space == "planar" else 3)

    def run() -> Any:
        return lw.simulate(model, 0.02, step=0.002, max_steps=2000)

    def stored() -> None:
        with tempfile.TemporaryDirectory() as folder:
            str(lw.load_result(run().save(Path(folder) / "run.nc")))

    def shown() -> None:
        with tempfile.TemporaryDirectory() as folder:
            result = run()
            result.plot(*result.names()[:2], path=Path(folder) / "run.png")
            result.animate(Path(folder) / "run.html")

    def swept() -> None:
        result = run()
        str(lw.interference(result)), str(lw.envelope(result, resolution=1e-2))

    asked: dict[str, Callable[[], object]] = {
        "find_limits": lambda: lw.find_limits(model),
        "assembly_modes": lambda: lw.assembly_modes(model, max_modes=20),
        "assemble": lambda: lw.assemble(model, near),
        "diagnose": lambda: lw.diagnose(model),
        "velocity_ellipsoid": lambda: lw.measures.velocity_ellipsoid(model, point),
        "force_ellipsoid": lambda: lw.measures.force_ellipsoid(model, point),
        "acceleration_ellipsoid": lambda: lw.measures.acceleration_ellipsoid(model, point),
        "find_equilibria": lambda: lw.find_equilibria(model, tries=3, max_iterations=40),
        "rank_coordinates": lambda: lw.measures.rank_coordinates(model),
        "rank_cuts": lambda: lw.measures.rank_cuts(model),
        "inverse_function": lambda: lw.inverse_function(model),
        "floquet": lambda: lw.floquet(model, 0.05),
        "solve_positions": lambda: lw.solve_positions(model, {point: [place, place]}),
        "drag_point": lambda: lw.drag_point(model, point, [place, [1.2 * x for x in place]]),
        "accuracy": lambda: lw.simulate(model, 0.02, step=0.002, max_steps=2000, accuracy=1e-6).accuracy,
    }
    printed = {name: partial(_printed, verb) for name, verb in asked.items()}
    return {**printed, "save": stored, "views": shown, "interference": swept}


def _printed(verb: Callable[[], object]) -> None:
    str(verb())
