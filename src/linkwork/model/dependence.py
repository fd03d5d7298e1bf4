"""Named formulas that need each other: in which order they are found, and where they go round in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from linkwork.algebra.expressions import Expression


def circles(formulas: Mapping[str, Expression]) -> list[tuple[str, ...]]:
    """The chains of names that are defined by themselves; each ends where it began."""
    found: list[tuple[str, ...]] = []
    finished: set[str] = set()
    for start in formulas:
        chain: dict[str, Iterator[str]] = {}
        if start in finished:
            continue
        chain[start] = _needs(formulas, start)
        while chain:
            current = next(reversed(chain))
            following = next(chain[current], None)
            if following is None:
                finished.add(current)
                chain.pop(current)
            elif following in chain:
                names = list(chain)
                found.append((*names[names.index(following) :], following))
            elif following not in finished:
                chain[following] = _needs(formulas, following)
    return found


def in_order(formulas: Mapping[str, Expression]) -> list[str]:
    """Names such that each comes after those that it needs (without circles)."""
    ordered: dict[str, None] = {}
    for start in formulas:
        stack = [(start, _needs(formulas, start))] if start not in ordered else []
        while stack:
            name, needs = stack[-1]
            following = next(needs, None)
            if following is None:
                ordered[name] = None
                stack.pop()
            elif following not in ordered:
                stack.append((following, _needs(formulas, following)))
    return list(ordered)


def _needs(formulas: Mapping[str, Expression], name: str) -> Iterator[str]:
    return iter(sorted(formulas[name].names() & formulas.keys()))
