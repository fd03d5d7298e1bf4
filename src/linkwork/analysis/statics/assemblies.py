"""In which assemblies positions of rest are looked for, and whether one has come into another than that of its start.

A mechanism with loops can be put together in several ways, and no motion may lead from one to the other: its positions of
rest are those of all of them. They are looked for with the inputs of the plan held where a search begins and, where all
loops have closed forms, at a few places on walks from there too: ways to put it together may be real there that were not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from linkwork.analysis.motion.singular import poses_of
from linkwork.analysis.statics.resting import RestQuestion
from linkwork.arrays import Array
from linkwork.equations.equations import place_state
from linkwork.equations.statics.forces_at_rest import Statics
from linkwork.errors import RefusedError
from linkwork.position.geometry import Pose
from linkwork.topology.analyse import refuse_loose_modes, situated
from linkwork.topology.modes.modes import IN_USE, distinct_modes, find_modes, names_in_use

MOST = 64  # assembly modes in which rest is looked for
ALONE = "positions of rest were looked for in the assembly in which the search began alone"
CUT = f"there are more than {MOST} assembly modes: positions of rest were looked for in the first {MOST}"


def other_assemblies(question: RestQuestion, further: Sequence[Array]) -> tuple[list[RestQuestion], str]:
    """The same question in the other assembly modes than that in which it begins, and what has to be known of them.

    further: positions at which assembly modes are looked for too, if others may be real there
    """
    topology = question.mechanism.topology
    if not (topology.loops or topology.geometry.relations):
        return [], ""
    connected = [item.name for item in question.mechanism.coordinates.connections.values()]
    if connected:
        told = ", ".join(connected)
        return [], f"{ALONE}: {told} would have another seat in others"
    try:
        refuse_loose_modes(topology)
    except RefusedError as error:
        # what would help there is no help here
        why = re.split("[:;]", str(error))[0]
        return [], f"{ALONE}: {why}"
    places = [question.start, *(further if topology.plan.closed else ())]
    found: list[RestQuestion] = []
    known: set[str] = set()
    for i, x in enumerate(places):
        situation = situated(topology, _live(question), _poses(question, x), question.statics.t)
        for mode in islice(distinct_modes(situation, find_modes(situation)), MOST + 1):
            drawn = i == 0 and situation.distance(mode.poses) <= IN_USE
            if not drawn and mode.name not in known:
                found.append(_begun(question, mode.poses))
            known.add(mode.name)
    return (found, "") if len(found) < MOST else (found[: MOST - 1], CUT)


def changed_assembly(question: RestQuestion, x: Array) -> str:
    """Blocks in which a position is another assembly than that in which the search began, with both branches."""
    topology = question.mechanism.topology
    if not topology.loops:
        return ""
    begun, ended = (_branches(question, at) for at in (question.start, x))
    told = [
        f"{name} {ended[name]}, not {branch}" for name, branch in begun.items() if ended.get(name, branch) != branch
    ]
    return ", ".join(told)


def _branches(question: RestQuestion, x: Array) -> dict[str, str]:
    """Of every block with a closed form, by its name, the branch in which a position is."""
    topology = question.mechanism.topology
    situation = situated(topology, _live(question), _poses(question, x), question.statics.t)
    return {topology.plan.blocks[place].name: name for place, name in names_in_use(situation).items()}


def _live(question: RestQuestion) -> Array:
    return question.statics.p[: len(question.mechanism.topology.geometry.defaults)]


def _poses(question: RestQuestion, x: Array) -> dict[str, Pose]:
    statics = question.statics
    return poses_of(question.mechanism, statics.t, statics.state(x), statics.p)


def _begun(question: RestQuestion, poses: Mapping[str, Pose]) -> RestQuestion:
    """The same question from other poses that close all joints."""
    c, t, still = question.mechanism.coordinates, question.statics.t, question.mechanism.topology.assembly
    twists = {name: 0.0 * twist for name, twist in still.twists.items()}
    y, p = place_state(c, replace(still, poses=dict(poses), twists=twists), _live(question), t)
    statics = Statics(c, t, p)
    return replace(question, statics=statics, start=statics.position(y))
