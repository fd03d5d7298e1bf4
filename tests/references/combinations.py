"""The methods that must all give the same answers: every kind of coordinates, with the formulations that close loops."""

from __future__ import annotations

import itertools

import pytest
from exploring import EXPLORING, covering

from linkwork.coordinates.numbering import ALL_COORDINATES
from linkwork.equations.equations import find_formulation
from linkwork.equations.formulations import ALL_FORMULATIONS

KINDS = tuple(kind.name for kind in ALL_COORDINATES)
COMBINATIONS = (("relative", "hybrid"), *itertools.product(KINDS, ("partitioning", "multipliers")))
# with those of them that hold conditions on velocities alone
ROLLING = tuple(pair for pair in COMBINATIONS if find_formulation(pair[1]).abilities.rolling)
# and all other formulations that do, now in these coordinates, now in those; penalties apart, which hold nothing exactly,
# and those of implicit steps, which have no tolerances
_TAKEN = {"penalty", *(name for _, name in COMBINATIONS), *(known.name for known in ALL_FORMULATIONS if known.implicit)}
_OTHERS = [known for known in ALL_FORMULATIONS if known.abilities.rolling and known.name not in _TAKEN]
EVERY_ROLLING = (
    *ROLLING,
    *(
        (known.kinds[0] if known.kinds else kind, known.name)
        for known, kind in zip(_OTHERS, itertools.cycle(("natural", "relative")), strict=False)
    ),
)


def several(seed: str) -> tuple[tuple[str, str], ...]:
    """For a test that goes through all combinations itself: some with every kind and formulation; exploring, all."""
    return COMBINATIONS if EXPLORING else tuple(COMBINATIONS[i] for i in covering(COMBINATIONS, seed=seed))


every_kind = pytest.mark.parametrize("kind", KINDS)
every_combination = pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
