"""What ties connect: bodies by joints, points by seats."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reached(start: Node, ties: Collection[Collection[Node]]) -> set[Node]:
    """All that ties connect with *start*, and itself."""
    return _walked(start, _touching(ties))


def groups(nodes: Iterable[Node], ties: Collection[Collection[Node]]) -> Iterator[tuple[Node, ...]]:
    """Nodes that ties connect with each other, in their order."""
    touching, order = _touching(ties), dict.fromkeys(nodes)
    place, done = {node: i for i, node in enumerate(order)}, set[Node]()
    for node in order:
        if node not in done:
            group = _walked(node, touching)
            done |= group
            yield tuple(sorted((other for other in group if other in place), key=place.__getitem__))


def _touching(ties: Collection[Collection[Node]]) -> dict[Node, list[Collection[Node]]]:
    """The ties of every node."""
    found: dict[Node, list[Collection[Node]]] = {}
    for tie in ties:
        for node in tie:
            found.setdefault(node, []).append(tie)
    return found


def _walked(start: Node, touching: dict[Node, list[Collection[Node]]]) -> set[Node]:
    found, fresh = {start}, [start]
    while fresh:
        for tie in touching.get(fresh.pop(), ()):
            for node in tie:
                if node not in found:
                    found.add(node)
                    fresh.append(node)
    return found
