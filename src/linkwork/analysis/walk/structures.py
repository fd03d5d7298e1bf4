"""Mechanisms in which nothing can move: what is said to somebody who gives them a motion."""

from __future__ import annotations

import re

from linkwork.analysis.prepared.prepare import analysed
from linkwork.errors import LinkworkError, RefusedError
from linkwork.model import Model
from linkwork.topology import Topology

TIME = re.compile(r"\bt\b")


def structure_error(subject: Model | Topology, asked: str) -> RefusedError | None:
    """That the closed joints leave nothing to move, where it is so; *asked*: who wants it to move, in words."""
    try:
        topology = subject if isinstance(subject, Topology) else analysed(subject)
    except LinkworkError:
        return None
    if topology.mobility.by_rank > 0 or not topology.model.bodies:
        return None
    if any(TIME.search(str(relation)) for relation in topology.model.relations.values()):
        return None  # struts whose lengths change move it
    return RefusedError(
        f"nothing can move: the mechanism is a structure, its mobility is 0, and {asked} cannot be given a motion; "
        "find_equilibrium and simulate tell its reactions. To let it move, take away a body or a joint of its loops"
    )
