"""Blocks of a multigraph: the largest parts that no node alone holds together. Knows no mechanics."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def blocks(edges: Sequence[Sequence[Hashable]]) -> list[int]:
    """The number of the block of every edge; an edge that leads from a node to itself is a block of its own.

    SOURCE: J. Hopcroft, R. Tarjan, *Algorithm 447: efficient algorithms for graph manipulation*, Communications of the ACM
    16 (1973); the walk is a loop, since chains may be longer than the stack.
    """
    touching: dict[Hashable, list[tuple[int, Hashable]]] = {}
    for number, (first, second) in enumerate(edges):
        touching.setdefault(first, []).append((number, second))
        if first != second:
            touching.setdefault(second, []).append((number, first))
    found, count = [-1] * len(edges), 0
    depth: dict[Hashable, int] = {}  # when a node was reached
    lowest: dict[Hashable, int] = {}  # the earliest node to which edges lead back from behind it
    for root in touching:
        if root in depth:
            continue
        depth[root] = lowest[root] = len(depth)
        walk, passed = [(root, -1, iter(touching[root]))], list[int]()
        while walk:
            node, by, left = walk[-1]
            number, other = next(left, (-1, None))
            if number < 0:
                walk.pop()
                if not walk:
                    break
                before = walk[-1][0]
                lowest[before] = min(lowest[before], lowest[node])
                if lowest[node] >= depth[before]:
                    while found[by] < 0:
                        found[passed.pop()] = count
                    count += 1
            elif node == other:
                found[number], count = count, count + 1
            elif number != by and found[number] < 0 and other not in depth:
                depth[other] = lowest[other] = len(depth)
                passed.append(number)
                walk.append((other, number, iter(touching[other])))
            elif number != by and depth[other] < depth[node]:
                passed.append(number)
                lowest[node] = min(lowest[node], depth[other])
    return found
