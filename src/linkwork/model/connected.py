"""What ties connect: bodies by joints, points by seats."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reached(start: Node, ties: Collection[Collection[Node]]) -> set[Node]:
    """All that ties connect with *start*, and itself."""
    found = fresh = {start}
    while fresh:
        fresh = {node for tie in ties if not fresh.isdisjoint(tie) for node in tie} - found
        found = found | fresh
    return found


def groups(nodes: Iterable[Node], ties: Collection[Collection[Node]]) -> Iterator[tuple[Node, ...]]:
    """Nodes that ties connect with each other, in their order."""
    left = list(nodes)
    while left:
        group = reached(left[0], ties)
        yield tuple(node for node in left if node in group)
        left = [node for node in left if node not in group]
