"""What a run is as a motion: the coordinates that lead the others, over its samples, and the parameters it was made with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.algebra.given import Parameters
from linkwork.analysis.kinematics.record import level_names
from linkwork.analysis.prepared.prepare import driven
from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.model import Model
from linkwork.results.quantities import LiveValue
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer, motion_of
from linkwork.results.rising import rising
from linkwork.topology import Topology


def coordinates_among(model: Model, names: Sequence[str]) -> list[str]:
    """The joint coordinates among some names, and joints that stand for theirs; rates and accelerations are none."""
    known = {f"{name}.{freedom.name}" for name, joint in model.joints.items() for freedom in joint.freedoms}
    return [name for name in names if name in known or name in model.joints]


def independent(topology: Topology, recorded: Sequence[str]) -> list[str]:
    """Of the coordinates of a run those on which the others depend; all of them where that is not to be told."""
    names = coordinates_among(topology.model, recorded)
    planner = driven(topology, topology.drives.released).planner
    inputs = {planner.name_of(key) for key in planner.best.inputs}
    return [name for name in names if name in inputs] if inputs and inputs <= set(names) else names


def leading_columns(topology: Topology, run: Result) -> dict[str, Array]:
    """Time, and the coordinates of a run that lead the others, with their rates and accelerations."""
    if not len(run):
        raise RefusedError(f"the motion has no samples: its run has {run.outcome}")
    run, known = rising(run), level_names(topology.model)
    leading = independent(topology, [name for name in known if "." in name and name in run])
    keys = {known[name][0] for name in leading}
    names = [name for name, (key, _) in known.items() if key in keys and "." in name and name in run]
    if not names:
        raise RefusedError(
            "the result is of another model, and has no joint coordinates of this one: take a run of the model, or give its "
            "motion by their names"
        )
    return {"time": run.time, **run.values(names)}


def own_parameters(topology: Topology, motion: object) -> dict[str, LiveValue]:
    """Live parameters of a mechanism with which a run was made; what is no run has none."""
    if not isinstance(motion, Result | ResultAnswer):
        return {}
    known = topology.geometry.parameter_names
    return {name: value for name, value in motion_of(motion).parameters.items() if name in known}


def with_own_parameters(topology: Topology, motion: object, parameters: Parameters | None) -> dict[str, float]:
    """Values of live parameters: those that are given, else those of the run, else those of the model."""
    own, given = own_parameters(topology, motion), topology.model.in_si(parameters)
    changed = [name for name, value in own.items() if isinstance(value, np.ndarray) and name not in given]
    if changed:
        raise RefusedError(
            f"{', '.join(changed)} changed in the course of the run: give one value for the whole motion by parameters"
        )
    return {**topology.live, **own, **given}  # type: ignore[dict-item]
