"""Which cells of a matrix an ordinary run takes: every value comes, every case too, and every time the same."""

from __future__ import annotations

import itertools

import pytest
from combinations import COMBINATIONS, several
from exploring import EXPLORING, covering, left_out, some

CELLS = list(itertools.product("abcdefg", range(4), (True, False)))


@pytest.mark.parametrize("strength", [1, 2, 3])
def test_all_that_meets_is_met(strength: int) -> None:
    chosen = [CELLS[number] for number in covering(CELLS, strength)]
    for places in itertools.combinations(range(3), strength):
        met, there = ({tuple(cell[place] for place in places) for cell in cells} for cells in (chosen, CELLS))
        assert met == there
    assert len(chosen) < len(CELLS) or strength == 3


def test_of_choices_of_which_all_values_come_in_a_diagonal_no_more_are_taken() -> None:
    assert len(covering(CELLS)) == 7


def test_one_place_keeps_all_its_values() -> None:
    assert covering([(name,) for name in "abc"], strength=2) == [0, 1, 2]


def test_another_seed_takes_other_cells_and_the_same_the_same() -> None:
    assert covering(CELLS, seed="one") == covering(CELLS, seed="one") != covering(CELLS, seed="two")


@pytest.mark.skipif(EXPLORING, reason="exploring takes all")
def test_combinations_have_every_kind_and_every_formulation() -> None:
    for seed in ("one", "two"):
        found = several(seed)
        assert found[0] == COMBINATIONS[0] and len(found) < len(COMBINATIONS)
        assert [set(place) for place in zip(*found, strict=True)] == [set(p) for p in zip(*COMBINATIONS, strict=True)]


def test_some_are_in_their_order_and_all_when_exploring() -> None:
    assert some(range(9), 4, "seed") == sorted(some(range(9), 4, "seed"))
    assert len(some(range(9), 4, "seed")) == (9 if EXPLORING else 4)


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", ["relative", "natural"])
@pytest.mark.parametrize(("case", "size"), [(1, 2.0), (1, 3.0), (2, 2.0)])
def test_a_small_matrix(kind: str, case: int, size: float) -> None:
    assert kind and case < size + 1


def test_cases_that_are_not_named_all_come(request: pytest.FixtureRequest) -> None:
    every = [item for item in request.node.parent.collect() if item.originalname == "test_a_small_matrix"]
    away = left_out(every)
    taken = [item.callspec.params for item in every if item not in away]
    assert (len(every), len(taken)) == (6, 3)
    assert {(cell["case"], cell["size"]) for cell in taken} == {(1, 2.0), (1, 3.0), (2, 2.0)}
    assert {cell["kind"] for cell in taken} == {"relative", "natural"}
