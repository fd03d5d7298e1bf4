"""Block triangular form: in which order, and in how small groups, linear equations can be solved.

A perfect matching of rows and columns, then the strongly connected components of the graph in which a row points at the
rows that determine its other unknowns (Dulmage and Mendelsohn; Tarjan).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Pattern = NDArray[np.bool_]
Group = tuple[tuple[int, ...], tuple[int, ...]]
"""Rows and columns of one square group."""


def block_triangular(pattern: Pattern) -> list[Group] | None:
    """Groups of a square *pattern* (n × n) in the order in which they are solved; None where it is singular."""
    columns = [np.flatnonzero(row).tolist() for row in pattern]
    owner = _match(columns, pattern.shape[1])
    if owner is None:
        return None
    column_of = {row: column for column, row in owner.items()}
    needs = [[owner[column] for column in columns[row] if owner[column] != row] for row in range(len(columns))]
    return [(tuple(sorted(group)), tuple(sorted(column_of[row] for row in group))) for group in _components(needs)]


def _match(columns: Sequence[Sequence[int]], count: int) -> dict[int, int] | None:
    """The row that determines each column: augmenting paths; None where some row gets none."""
    owner: dict[int, int] = {}
    for row in range(len(columns)):
        if not _augment(row, columns, owner, count):
            return None
    return owner


def _augment(row: int, columns: Sequence[Sequence[int]], owner: dict[int, int], count: int) -> bool:
    """Give *row* a column, moving other rows along a path; without recursion, for long chains."""
    came: dict[int, int] = {}
    rows, seen = [row], set[int]()
    while rows:
        current = rows.pop()
        for column in columns[current]:
            if column in seen:
                continue
            seen.add(column)
            came[column] = current
            if column not in owner:
                _shift(column, came, owner, row)
                return True
            rows.append(owner[column])
    return False


def _shift(column: int, came: dict[int, int], owner: dict[int, int], start: int) -> None:
    held = {row: column for column, row in owner.items()}
    while True:
        row = came[column]
        previous = held.get(row)
        owner[column] = row
        if row == start:
            return
        assert previous is not None
        column = previous


def _components(needs: Sequence[Sequence[int]]) -> list[list[int]]:
    """Strongly connected components, those that others need first (Tarjan, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(needs)):
        if root in index:
            continue
        work = [(root, iter(needs[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, following = work[-1]
            step = next((n for n in following if n not in index or n in on_stack), None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found.append(_pop(stack, on_stack, node))
            elif step in index:
                low[node] = min(low[node], index[step])
            else:
                index[step] = low[step] = len(index)
                stack.append(step)
                on_stack.add(step)
                work.append((step, iter(needs[step])))
    return found


def _pop(stack: list[int], on_stack: set[int], node: int) -> list[int]:
    group = []
    while True:
        member = stack.pop()
        on_stack.discard(member)
        group.append(member)
        if member == node:
            return group
