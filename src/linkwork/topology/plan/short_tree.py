"""Joints of a tree over a group of clusters that close together."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from linkwork.topology.plan.blocks import Clusters, Edge


def short_tree(clusters: Clusters, edges: Sequence[Edge], hub: int, reserved: frozenset[str]) -> set[str]:
    """Joints of a tree over the clusters of a group: few freedoms first, then near the hub; reserved ones always."""
    near: dict[int, list[tuple[int, int, int]]] = {}  # by cluster: joint, which way, the cluster behind it
    for i, edge in enumerate(edges):
        for way, (inner, outer) in enumerate(_both(clusters, edge)):
            near.setdefault(inner, []).append((i, way, outer))
    tree, distance = set[str](), {hub: 0}
    rim: list[tuple[bool, int, int, int, int, int]] = []

    def reach(cluster: int) -> None:
        for i, way, outer in near.get(cluster, ()):
            if outer not in distance:
                own = edges[i].name not in reserved, len(edges[i].twists), distance[cluster]
                heappush(rim, (*own, i, way, outer))

    reach(hub)
    while rim:
        *_, far, i, _, outer = heappop(rim)
        if outer not in distance:
            tree.add(edges[i].name)
            distance[outer] = far + 1
            reach(outer)
    return tree


def _both(clusters: Clusters, edge: Edge) -> tuple[tuple[int, int], tuple[int, int]]:
    one, two = clusters.ends(edge)
    return (one, two), (two, one)
