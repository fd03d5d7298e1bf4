"""Spanning tree and fundamental loops of a connected or disconnected multigraph. Knows no mechanics."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linkwork.outline import outlined


@dataclass(frozen=True)
class Link:
    """An edge of the graph between two nodes; a light one is wanted in the tree, a heavy one is rather cut."""

    name: str
    first: str
    second: str
    weight: int = 0

    def other(self, node: str) -> str:
        return self.second if node == self.first else self.first


@dataclass(frozen=True)
class TreeStep:
    """A tree edge walked away from the root; ``link`` is None where a new component starts."""

    link: Link | None
    inboard: str
    outboard: str

    @property
    def reversed(self) -> bool:
        """Whether the walk goes from the link's second node to its first."""
        return self.link is not None and self.link.first == self.outboard


@dataclass(frozen=True)
class Loop:
    """A cut link and the tree path that it closes; ``links`` in order round the loop, starting at the cut."""

    cut: Link
    links: tuple[Link, ...]
    nodes: tuple[str, ...]


@outlined
@dataclass(frozen=True)
class SpanningTree:
    """Steps in an order in which every inboard node comes before its outboard nodes, and the loops they leave."""

    root: str
    steps: tuple[TreeStep, ...]
    cuts: tuple[Link, ...]
    loops: tuple[Loop, ...]


def spanning_tree(root: str, nodes: Sequence[str], links: Sequence[Link]) -> SpanningTree:
    """Grow a tree from *root*: light links first, then short distance from the root, then the order given.

    Short paths keep the loop equations short; a node that cannot be reached becomes the root of its own component,
    attached to *root* by a step without a link.
    """
    order = {link.name: i for i, link in enumerate(links)}
    touching: dict[str, list[Link]] = {node: [] for node in (root, *nodes)}
    for link in links:
        touching[link.first].append(link)
        touching[link.second].append(link)
    depth = {root: 0}
    steps: list[TreeStep] = []
    used: set[str] = set()

    def grow(start: str) -> None:
        heap = [(link.weight, depth[start], order[link.name], start) for link in touching[start]]
        heapq.heapify(heap)
        while heap:
            _, _, index, node = heapq.heappop(heap)
            link = links[index]
            reached = link.other(node)
            if reached in depth:
                continue
            used.add(link.name)
            depth[reached] = depth[node] + 1
            steps.append(TreeStep(link, node, reached))
            for following in touching[reached]:
                heapq.heappush(heap, (following.weight, depth[reached], order[following.name], reached))

    grow(root)
    for node in nodes:
        if node not in depth:
            depth[node] = 1
            steps.append(TreeStep(None, root, node))
            grow(node)
    cuts = tuple(link for link in links if link.name not in used)
    inward = {step.outboard: step for step in steps}
    return SpanningTree(root, tuple(steps), cuts, tuple(_close(cut, inward) for cut in cuts))


def _close(cut: Link, inward: Mapping[str, TreeStep]) -> Loop:
    def path(node: str) -> list[TreeStep]:
        found = []
        while node in inward:
            found.append(inward[node])
            node = inward[node].inboard
        return found

    first, second = path(cut.first), path(cut.second)
    while first and second and first[-1] == second[-1]:
        first.pop()
        second.pop()
    # round the loop: from the cut's first node inwards to the meeting node, then outwards to its second node
    links = [step.link for step in first] + [step.link for step in reversed(second)]
    nodes = [cut.first, *(step.inboard for step in first), *(step.outboard for step in reversed(second))]
    return Loop(cut, (cut, *(link for link in links if link is not None)), tuple(dict.fromkeys(nodes)))
