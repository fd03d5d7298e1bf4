"""What tests try: in an ordinary run the same examples and some cells of each matrix, in ``make explore`` all of them.

EXPLORE_TIMES says how many times as many examples tests of properties draw as usual. A test with the mark
``matrix("coordinates", "formulation")`` makes the same statement of all choices of these parameters: an ordinary run takes
cells in which every value of each of them comes, and every case of its other parameters; ``matrix(..., strength=2)`` takes
cells in which all pairs come that meet anywhere. The mark without names says that a test chooses its cells itself.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")

TIMES = int(os.environ.get("EXPLORE_TIMES", "1"))
EXPLORING = os.environ.get("HYPOTHESIS_PROFILE") == "explore"  # new seeds, and every cell of the matrix


def drawn(count: int, **others: Any) -> settings:
    """Settings for a test that draws *count* examples when it explores, and half of them in an ordinary run."""
    return settings(deadline=None, max_examples=count * TIMES if EXPLORING else (count + 1) // 2, **others)


def covering(cells: Sequence[tuple[Hashable, ...]], strength: int = 1, seed: str = "") -> list[int]:
    """Numbers of some *cells* in which every value of each place comes, or with *strength* 2 every pair that there is.

    The cell that adds most comes first; among equals *seed* decides, so that other tests take other cells.
    """
    parts = [set(itertools.combinations(enumerate(cell), min(strength, len(cell)))) for cell in cells]
    turn = list(range(len(cells)))
    random.Random(seed).shuffle(turn)
    missing, chosen = set().union(*parts), []
    while missing:
        chosen.append(max(turn, key=lambda number: len(parts[number] & missing)))
        missing -= parts[chosen[-1]]
    return sorted(chosen)


def some(values: Iterable[T], count: int, seed: str) -> list[T]:
    """*count* of the values, others for another *seed*, for a test that goes through a list itself; exploring, all."""
    every = list(values)
    chosen = set(range(len(every)) if EXPLORING else random.Random(seed).sample(range(len(every)), count))
    return [value for number, value in enumerate(every) if number in chosen]


def left_out(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The cells of matrices that an ordinary run does not take."""
    matrices: dict[str, list[pytest.Function]] = {}
    for item in items:
        mark = item.get_closest_marker("matrix")
        if isinstance(item, pytest.Function) and mark is not None and mark.args:
            matrices.setdefault(item.nodeid.partition("[")[0], []).append(item)
    found: list[pytest.Item] = []
    for name, cells in matrices.items():
        mark = cells[0].get_closest_marker("matrix")
        assert mark is not None
        taken = covering([_place(cell, mark.args) for cell in cells], mark.kwargs.get("strength", 1), name)
        found += [cell for number, cell in enumerate(cells) if number not in taken]
    return found


def _place(cell: pytest.Function, names: Sequence[str]) -> tuple[Hashable, ...]:
    """The values of the named parameters, and those of all others together; what is no text is itself alone."""
    values = {name: value if isinstance(value, str) else id(value) for name, value in cell.callspec.params.items()}
    return (*(values.pop(name) for name in names), tuple(values.values()))
