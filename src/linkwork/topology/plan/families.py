"""Which closed form solves a loop of clusters that has no freedom left."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.closed_form.recognise import ChainRow, find_row
from linkwork.topology.graph.subgroups import classify
from linkwork.topology.plan.blocks import Clusters, Edge, Family, spinning

DYADS = {
    "RRR": Family("dyad RRR", "dyad", ("left", "right")),
    "PRR": Family("dyad RRP", "dyad", ("ahead", "behind")),
    "PPR": Family("dyad PRP", "dyad", ("only",)),
}
PARALLELOGRAM = Family("parallelogram", "parallelogram", ("uncrossed",))
SPHERICAL = Family("spherical dyad", "spherical", ("left", "right"))
TWO_BALLS = Family("link on two balls", "balls", ("only",))
DISTANCE = Family("distance link RGG", "distance", ("beyond", "before"))
TRANSLATION = Family("parallel slides", "translation", ("only",))
NAMES = {1: ("only",), 2: ("+", "-"), 4: ("1", "2", "3", "4")}


def letters_of(clusters: Clusters, edge: Edge) -> str:
    """The letters of what is unknown of a joint; empty where they have no closed form."""
    places = [place for _, place in clusters.unknown(edge)]
    whole = len(places) == len(edge.twists)
    if edge.letter == "L":
        return "".join("PR"[place] for place in places) if clusters.network.planar else ""
    if edge.letter == "U":
        return "R" * len(places)
    if edge.letter == "C" and not whole:
        return "R" if places == [0] else "P"
    return edge.letter if whole else ""


def recognise(clusters: Clusters, edges: Sequence[Edge], nodes: Sequence[int]) -> Family | None:
    """The closed form of a cycle without freedom; None where it needs iteration."""
    letters = [letters_of(clusters, edge) for edge in edges]
    if "" in letters:
        return None
    kinds = "".join(sorted("".join(letters)))
    links = spinning(clusters, nodes)
    if links:
        return {"GG": TWO_BALLS, "GGR": DISTANCE}.get(kinds) if len(links) == 1 else None
    if clusters.network.planar and "R" in kinds:
        return DYADS.get(kinds)
    subgroup = classify(np.vstack([clusters.twists(edge) for edge in edges]))
    if subgroup.name == "planar" and len(edges) == 3:
        return DYADS.get(kinds)
    if subgroup.name == "translational" and set(kinds) == {"P"} and len(edges) == subgroup.dimension:
        return TRANSLATION
    if subgroup.name == "spherical":
        return SPHERICAL if kinds == "RRR" and len(edges) == 3 else None
    if subgroup.name != "spatial":
        return None
    row = find_row(kinds)
    return _of_row(row) if row is not None else None


def _of_row(row: ChainRow) -> Family:
    return Family(f"{row.row}, {row.family}", "chain", NAMES[row.branches])
