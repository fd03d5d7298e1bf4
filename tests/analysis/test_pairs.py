"""Every pair of a formulation, coordinates, a mechanism and an integrator meets in one of eighty runs: a quick look at all.

An orthogonal array of strength two over 20 × 4 × 4 × 4 choices. With the four numbers of GF(4), whose sum is the exclusive
or, and the product by its generator ω, the row of formulation f and coordinates c has

    mechanism c + a_f,   integrator ω c + b_f,   (a_f, b_f) all sixteen pairs in turn,

so that within one formulation each mechanism and each integrator comes once, and every other pair comes with some f.
``make explore`` runs all of them, with an integrator of every other family too: 4,800.
"""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from combinations import KINDS
from exploring import EXPLORING

import linkwork as lw
from linkwork.equations.formulations import ALL_FORMULATIONS, Formulation
from linkwork.numerics.integrators import ALL_METHODS, method_named

FILES = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
MECHANISMS = ("four_bar", "rscr", "door", "slider_crank")
INTEGRATORS = ("dopri5", "radau5", "rk4", "trapezoidal")
OTHER_FAMILIES = (
    *("taylor", "adams", "abm4", "bdf3", "bdf"),
    *("generalised_alpha", "hht", "newmark", "wilson_theta", "collocation", "energy_midpoint"),
)
TIMES_OMEGA = (0, 2, 3, 1)
UNTIL, STEP = 0.2, 0.001


pytestmark = pytest.mark.matrix


def rows() -> list[tuple[Formulation, str, str, str]]:
    """(formulation, coordinates, mechanism, integrator), 4 of each formulation."""
    return [
        (
            formulation,
            KINDS[c],
            MECHANISMS[c ^ (number % 4)],
            INTEGRATORS[TIMES_OMEGA[c] ^ (number // 4 % 4)],
        )
        for number, formulation in enumerate(ALL_FORMULATIONS)
        for c in range(4)
    ]


EVERY = itertools.product(ALL_FORMULATIONS, KINDS, MECHANISMS, (*INTEGRATORS, *OTHER_FAMILIES))
ROWS = list(EVERY) if EXPLORING else rows()


@cache
def usual(mechanism: str) -> tuple[lw.Model, dict[str, np.ndarray]]:
    """The mechanism, and where its bodies are when all is left to Linkwork."""
    model = lw.load(FILES / f"{mechanism}.yaml")
    return model, places(model, lw.simulate(model, UNTIL, step=UNTIL / 4))


def places(model: lw.Model, result: lw.Result) -> dict[str, np.ndarray]:
    return result.values([f"{body}.{axis}" for body in model.bodies for axis in "xy"])


@pytest.mark.parametrize(
    ("formulation", "kind", "mechanism", "integrator"),
    ROWS,
    ids=["-".join((row[0].name, *row[1:])) for row in ROWS],
)
def test_a_run_moves_as_usual_or_is_refused(
    formulation: Formulation, kind: str, mechanism: str, integrator: str
) -> None:
    model, wanted = usual(mechanism)
    options = {"coordinates": kind, "formulation": formulation.name, "integrator": integrator, "step": UNTIL / 4}
    fixed = not method_named(integrator).adaptive or formulation.implicit
    try:
        result = lw.simulate(model, UNTIL, **options, **({"fixed_step": STEP} if fixed else {}), audit=False)
    except lw.errors.RefusedError as error:
        assert any(word in str(error) for word in (f"'{formulation.name}'", f"'{integrator}'")), error
        assert "take" in str(error) or "needs" in str(error), error
        return
    assert result.outcome.completed, result.outcome
    for name, place in places(model, result).items():
        scale = max(1.0, float(np.ptp(wanted[name])))
        allowed = 1e-3 if formulation.name in ("penalty", "canonical_index_two") or fixed else 1e-5
        np.testing.assert_allclose(place, wanted[name], rtol=0, atol=allowed * scale, err_msg=name)


def test_every_family_of_integrators_is_explored() -> None:
    explored = {type(method_named(name)) for name in (*INTEGRATORS, *OTHER_FAMILIES)}
    assert explored == {type(method) for method in ALL_METHODS}


def test_all_pairs_meet() -> None:
    found = rows()
    for first, second in itertools.combinations(range(4), 2):
        met = {(str(row[first]), str(row[second])) for row in found}
        each = [{str(row[place]) for row in found} for place in (first, second)]
        assert len(met) == len(each[0]) * len(each[1])
    assert len({row[0].name for row in found}) == len(ALL_FORMULATIONS)
