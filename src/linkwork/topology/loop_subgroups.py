"""The displacement subgroup of every loop, how many conditions close it, and the freedoms that follow from that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.topology.graph.subgroups import classify, count_conditions
from linkwork.topology.topology import Topology


@dataclass(frozen=True)
class LoopSubgroup:
    """A loop by its joints, the cut one first; the subgroup of its motions; the conditions that close it."""

    joints: tuple[str, ...]
    subgroup: str
    conditions: int


def find_loop_subgroups(topology: Topology) -> tuple[LoopSubgroup, ...]:
    """The subgroups of all independent loops."""
    edges, found = topology.planner.network.edges, []
    for joints in topology.loops:
        twists = [edges[name].twists for name in joints]
        found.append(LoopSubgroup(joints, classify(np.vstack(twists)).name, count_conditions(twists)))
    return tuple(found)


def count_freedoms(topology: Topology) -> int | None:
    """Σ f − λ of a mechanism with one loop: freedoms of all joints less the conditions of the loop; else None.

    Loops that share joints are not independent in this sense, and couplings and relations are no motions of a subgroup.
    """
    loops = find_loop_subgroups(topology)
    if len(loops) != 1 or topology.model.couplings or topology.model.relations:
        return None
    return sum(len(edge.twists) for edge in topology.planner.network.edges.values()) - loops[0].conditions
