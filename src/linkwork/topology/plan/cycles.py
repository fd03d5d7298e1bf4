"""Loops of clusters: simple cycles of open joints, found once and kept while others are closed."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from linkwork.topology.plan.blocks import Clusters, Edge

Cycle = tuple[list[Edge], list[int]]
"""The joints in order and the clusters between them, the first one twice of use: at both ends."""


def cycles(clusters: Clusters, start: int, most: int, first: Edge | None = None) -> Iterator[Cycle]:
    """Simple cycles of open joints through cluster *start* with at most *most* unknown freedoms.

    Gives the joints in order and the clusters between them, *start* first. Each cycle comes once; of those that begin with
    the joint *first* each way round.
    """

    def walk(edges: list[Edge], nodes: list[int], used: int) -> Iterator[Cycle]:
        for edge in clusters.at(nodes[-1]) if edges or first is None else [first]:
            if edges and edge.name == edges[-1].name:
                continue
            reached = clusters.other(edge, nodes[-1])
            total = used + len(clusters.unknown(edge)) - (1 if clusters.spins(reached) else 0)
            if total > most:
                continue
            if reached == start and edges:
                once = first is not None or edges[0].name < edge.name
                if once or len({e.name for e in (*edges, edge)}) == 1:
                    yield [*edges, edge], list(nodes)
            elif reached not in nodes:
                yield from walk([*edges, edge], [*nodes, reached], total)

    yield from walk([], [start], 0)


class LoopSearch:
    """The cycles through a cluster, shortest first, in the order of ``cycles``; those that have come do not come again.

    Clusters that become part of it bring their joints, from which alone is looked further: nothing else has changed.
    """

    def __init__(self, clusters: Clusters, start: int, most: int) -> None:
        self._clusters, self._start, self._most = clusters, start, most
        self._waiting: list[tuple[int, list[int], Cycle]] = []
        self._known, self._walked = set[frozenset[str]](), set[str]()
        self.spare: list[Cycle] = []  # cycles without a closed form
        self.look_further()

    def look_further(self) -> None:
        """Look from joints that were not there before."""
        new = [edge for edge in self._clusters.at(self._start) if edge.name not in self._walked]
        self._walked.update(edge.name for edge in new)
        for edge in new:
            for edges, nodes in cycles(self._clusters, self._start, self._most, edge):
                names = frozenset(item.name for item in edges)
                if names not in self._known:
                    self._known.add(names)
                    if edges[0].name > edges[-1].name:
                        edges, nodes = edges[::-1], [nodes[0], *nodes[:0:-1]]
                    places = [self._clusters.place(item.name) for item in edges]
                    heapq.heappush(self._waiting, (len(edges), places, (edges, nodes)))

    def __iter__(self) -> Iterator[Cycle]:
        while self._waiting:
            cycle = heapq.heappop(self._waiting)[2]
            if self.holds(cycle):
                yield cycle

    def holds(self, cycle: Cycle) -> bool:
        """Whether nothing of a cycle has become part of another cluster."""
        edges, nodes = cycle
        return all(node in self._clusters.members for node in nodes) and all(
            edge.name in self._clusters.open for edge in edges
        )
