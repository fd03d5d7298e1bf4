"""The methods that must all give the same answers: every kind of coordinates, with the formulations that close loops."""

from __future__ import annotations

import itertools

import pytest

from linkwork.coordinates.numbering import ALL_COORDINATES
from linkwork.equations.equations import find_formulation

KINDS = tuple(kind.name for kind in ALL_COORDINATES)
COMBINATIONS = (("relative", "hybrid"), *itertools.product(KINDS, ("partitioning", "multipliers")))
# with those of them that hold conditions on velocities alone
ROLLING = tuple(pair for pair in COMBINATIONS if find_formulation(pair[1]).abilities.rolling)

every_kind = pytest.mark.parametrize("kind", KINDS)
every_combination = pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
