"""Whether inputs are enough for a motion, too many, or begin where they cannot tell it."""

from __future__ import annotations

from collections.abc import Mapping

from linkwork.analysis.kinematics.inputs import input_name
from linkwork.analysis.prepared.prepare import driven
from linkwork.arrays import Array
from linkwork.errors import LinkworkError, RefusedError
from linkwork.position.condition_rows import condition_rows
from linkwork.position.drives import Drives
from linkwork.position.geometry import Pose
from linkwork.position.rank import dependent_rows, free_rows, null_space
from linkwork.topology import Topology
from linkwork.topology.graph.floating import floating_texts
from linkwork.topology.mobility.singularity import Cause, diagnose_position


def check_inputs(topology: Topology) -> None:
    """Refuse inputs that leave some motion open, and conditions on velocities alone."""
    model, conditions, poses = topology.model, topology.conditions, topology.assembly.poses
    if conditions.rate_labels:
        raise RefusedError(f"{conditions.rate_labels[0]} restricts velocities alone: positions follow from the way there, "
                           "not from the inputs; use simulate")  # fmt: skip
    for name in topology.geometry.own_unknowns:
        raise RefusedError(f"{name} is a coordinate of the body's own: forces move it, no input does; use simulate")
    left = topology.steered
    if left <= 0:
        return
    p = topology.geometry.defaults
    refuse_change_point(topology, poses, p)
    rows = condition_rows(topology.drives, conditions, poses, p)
    order = [i for i, r in enumerate(conditions.readings) if r.element in model.joints and not r.rate_only]
    names = [
        f"{conditions.readings[i].element}.{conditions.readings[i].name}"
        for i in free_rows(null_space(rows.all), rows.readings, order)
    ]
    given = len(topology.drives.names)
    word = "it" if left == 1 else "they" if len(names) == left else "some of them"
    which = f": {', '.join(names)} could be {word}" if names else ""
    loose = "".join(f". {text}" for text in floating_texts(topology.geometry))
    raise RefusedError(
        f"{given or 'no'} input{'' if given == 1 else 's'} for {given + left} "
        f"degree{'' if given + left == 1 else 's'} of freedom; "
        f"give {left} more{which}{loose}"
    )


def refuse_change_point(topology: Topology, poses: Mapping[str, Pose], p: Array) -> None:
    """Refuse to begin where branches of the motion meet."""
    if not topology.loops:
        return
    held = condition_rows(topology.drives, topology.conditions, poses, p).held
    if not len(dependent_rows(held)):
        return
    found = diagnose_position(topology.drives, topology.conditions, poses, p)
    if found.cause is Cause.BRANCHING:
        raise RefusedError(
            f"the motion begins at a change point ({found}): nothing says on which branch it goes on; begin a little way "
            "from it"
        )


def explain_inputs(topology: Topology, drives: Drives, error: LinkworkError) -> LinkworkError:
    """Why a mechanism cannot be assembled with its inputs: there are too many, or what the error says itself."""
    drawn = driven(topology, drives.released)
    free = drawn.steered
    joints = [
        key[0] if name == input_name(key) else f"{key[0]} of driver '{name}'" for name, key in drives.keys.items()
    ]
    if len(joints) <= free:
        return error
    freedoms = "1 degree of freedom" if free == 1 else f"{free} degrees of freedom"
    return RefusedError(f"{len(joints)} inputs ({', '.join(joints)}) for {freedoms}: leave {len(joints) - free} out")
