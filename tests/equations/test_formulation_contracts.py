"""Every formulation, and every kind of coordinates, keeps its contract on small mechanisms."""

from __future__ import annotations

import pytest

import linkwork as lw
from linkwork.coordinates.base import CoordinateKind
from linkwork.coordinates.numbering import ALL_COORDINATES, coordinate_kind
from linkwork.equations.formulations import ALL_FORMULATIONS, Formulation
from linkwork.testing import check_coordinates, check_formulation, mechanisms
from linkwork.testing.formulations import UNTIL

VARIANTS = ("relative:rotation_vector", "reference_point:tait_bryan")


@pytest.mark.parametrize("formulation", ALL_FORMULATIONS, ids=str)
def test_a_formulation_keeps_its_contract(formulation: Formulation) -> None:
    check_formulation(formulation)


@pytest.mark.parametrize("kind", [*ALL_COORDINATES, *map(coordinate_kind, VARIANTS)], ids=str)
def test_coordinates_keep_their_contract(kind: CoordinateKind) -> None:
    check_coordinates(kind)


def test_the_rope_of_the_checks_becomes_taut() -> None:
    result = lw.simulate(mechanisms.roped(), UNTIL, step=UNTIL / 8)
    assert result["rope.tension"][0] == 0.0 < result["rope.tension"][-1]
