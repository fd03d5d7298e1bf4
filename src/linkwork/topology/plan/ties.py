"""Which joint coordinates relations between bodies give: a rod, a cam, a cable ties clusters together.

A set of relations is solved, by Newton's method, as soon as the joints between the clusters that they tie have just as
many unknown freedoms as the relations take away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from linkwork.topology.plan.blocks import Clusters, Edge, Tie

MOST_SETS = 2000


@dataclass(frozen=True, eq=False)
class Tied:
    """Relations with the joints and clusters that they make rigid; the hub is the first cluster."""

    ties: tuple[Tie, ...]
    edges: tuple[Edge, ...]
    clusters: tuple[int, ...]


def find_tied(clusters: Clusters, ties: Sequence[Tie]) -> Tied | None:
    """The smallest set of relations that determines the joints between what it ties."""
    open_ties = [tie for tie in ties if len(_tied_clusters(clusters, tie)) > 1]
    for tried, chosen in enumerate(_sets(open_ties)):
        if tried > MOST_SETS:
            return None
        found = _span(clusters, chosen)
        if found is None:
            continue
        unknowns = sum(len(clusters.unknown(edge)) for edge in found.edges)
        if unknowns == sum(tie.conditions for tie in chosen):
            return found
    return None


def _sets(ties: Sequence[Tie]) -> Iterator[tuple[Tie, ...]]:
    for size in range(1, len(ties) + 1):
        yield from combinations(ties, size)


def _tied_clusters(clusters: Clusters, tie: Tie) -> list[int]:
    return list(dict.fromkeys(clusters.home[body] for body in tie.bodies))


def _span(clusters: Clusters, ties: Sequence[Tie]) -> Tied | None:
    """The shortest ways between all clusters that the relations tie, from the one that holds the ground if it is there."""
    ends = list(dict.fromkeys(cluster for tie in ties for cluster in _tied_clusters(clusters, tie)))
    ground = clusters.home[clusters.network.ground]
    hub = ground if ground in ends else ends[0]
    came: dict[int, tuple[int, Edge]] = {}
    reached, rim = {hub}, [hub]
    while rim:
        current = rim.pop(0)
        for edge in clusters.at(current):
            other = clusters.other(edge, current)
            if other not in reached:
                reached.add(other)
                came[other] = (current, edge)
                rim.append(other)
    edges: dict[str, Edge] = {}
    nodes = {hub: None}
    for end in ends:
        if end not in reached:
            return None
        while end != hub:
            nodes[end] = None
            end, edge = came[end]
            edges[edge.name] = edge
    return Tied(tuple(ties), tuple(edges.values()), tuple(nodes))
