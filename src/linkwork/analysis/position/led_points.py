"""Points and bodies that lead a mechanism through many places, as values of its joints: inputs of ``solve_kinematics``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.analysis.position.solve_positions import positions_of
from linkwork.analysis.position.targets import is_array_of_targets
from linkwork.analysis.prepared.prepare import driven
from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.topology import Topology

LISTED = 6  # stretches of samples that are told


@dataclass(frozen=True, eq=False)
class Led:
    """An analysis at the first sample in reach, rows of its independent joints, their times, and what to tell."""

    topology: Topology
    inputs: Mapping[str, Array]
    times: Array
    note: tuple[str, ...]


def lead_joints(
    topology: Topology,
    inputs: object,
    times: Sequence[float] | ArrayLike | None,
    parameters: Mapping[str, float],
) -> Led | None:
    """Rows of joint coordinates for inputs that are places of points or attitudes of bodies; None where there are none."""
    if not isinstance(inputs, Mapping) or not any(is_array_of_targets(value) for value in inputs.values()):
        return None
    found, poses_at = positions_of(topology, inputs, parameters)
    moments = np.arange(len(found), dtype=float) if times is None else np.asarray(times, dtype=float).ravel()
    if len(moments) != len(found):
        raise RefusedError(f"inputs have {len(found)} rows, and there are {len(moments)} times: give as many")
    reached = np.flatnonzero(found.reached)
    if len(reached) < 2:
        raise RefusedError(f"{found}: a motion needs two places or more that can be reached")
    planner = driven(topology, topology.drives.released).planner
    names = [planner.name_of(key) for key in planner.best.inputs]
    missing = [name for name in names if name not in found.values]
    if missing or not names:
        raise RefusedError(
            "points lead a mechanism through the coordinates of its joints, and here "
            f"{', '.join(missing) or 'none'} would have to be moved; solve_positions gives positions alone"
        )
    rows = {name: found[name][reached] for name in names}
    rows = {name: np.unwrap(row) if found.units[name] == "rad" else row for name, row in rows.items()}
    released = topology.drives.released.asking({})
    begun = driven(topology, released, poses_at(int(reached[0])))
    return Led(begun, rows, moments[reached], _told(found.reached))


def _told(reached: NDArray[np.bool_]) -> tuple[str, ...]:
    """Which samples are left out."""
    out = np.flatnonzero(~reached)
    if not len(out):
        return ()
    parts = np.split(out, np.flatnonzero(np.diff(out) > 1) + 1)
    texts = [f"{part[0]}" if len(part) == 1 else f"{part[0]} to {part[-1]}" for part in parts]
    more = f" and {len(texts) - LISTED} more" if len(texts) > LISTED else ""
    listed = ", ".join(texts[:LISTED])
    return (
        f"{len(out)} of {len(reached)} places are out of reach and left out: samples {listed}{more}, counted from 0",
    )
