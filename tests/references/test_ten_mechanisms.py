"""Every formulation in every kind of coordinates moves ten mechanisms alike, and finds the same reactions.

A new formulation is covered by its line in ``ALL_FORMULATIONS``; what it declares says how near it must come, and what it
may refuse. The reference shares no code with any of them. CasADi's evaluator saves the compilation of models that are used
once; compiled functions are compared with it elsewhere. The four-bar takes all of the matrix, the others every pair of
choices; ``make explore`` runs all of it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from combinations import KINDS
from exploring import EXPLORING
from free_bodies import Motion
from random_mechanisms import Array, numbers
from ten_mechanisms import TEN, model_of, reference

import linkwork as lw
from linkwork.equations.differential_algebraic import FORMS
from linkwork.equations.equations import place_state
from linkwork.equations.formulations import ALL_FORMULATIONS, Formulation

NAMES = {formulation.name: formulation for formulation in ALL_FORMULATIONS}
WHOLE = "four-bar"  # takes all of the matrix
OTHERS = tuple(name for name in TEN if name != WHOLE)


@dataclass(frozen=True)
class Demand:
    """Tolerances of a run, and how near it must come, relative to the largest value of each sort of quantity."""

    motion: float
    reactions: float
    closure: float  # relative to the size of the mechanism
    options: Mapping[str, Any] = field(default_factory=dict)


# loops stay closed: only the integrator errs
CLOSED = Demand(1e-7, 1e-7, 1e-10, {"rtol": 1e-10, "atol": 1e-12})
# errors of the conditions are damped, or the equations hold as far as penalties allow
DAMPED = Demand(1e-4, 1e-4, 1e-5, {"rtol": 1e-7, "atol": 1e-9})


# fixed implicit steps, which err like the square of the step: a quarter with half of it
STEPPED = Demand(5e-3, 1e-3, 1e-6)
STEPS = (200, 400)
# differential and algebraic equations, which have integrators with tolerances
SOLVED = Demand(1e-6, 1e-5, 1e-10, {"rtol": 1e-9, "atol": 1e-11, "integrator": "radau5"})
# in index 3 velocities count in errors only as much as they change positions in a step
SOLVED_INDEX3 = replace(SOLVED, options={**SOLVED.options, "rtol": 1e-11, "atol": 1e-13})
LEAST_GAIN, SMALL = 3.0, 1e-8


def demand(formulation: Formulation) -> Demand:
    if formulation.name in FORMS:
        return SOLVED_INDEX3 if formulation.name == "index3" else SOLVED
    if formulation.implicit:
        return STEPPED
    return CLOSED if formulation.abilities.closes_loops and formulation.abilities.exact else DAMPED


# -- comparisons -------------------------------------------------------------------------------------------------------


def sort_of(name: str) -> str:
    """position, velocity, turn, force or moment, by the last part of a name such as crank.vx."""
    last = name.rsplit(".", 1)[1]
    sorts = {"v": "velocity", "w": "turn", "f": "force", "m": "moment", "s": "turn"}
    return sorts[last[0]] if len(last) > 1 else "position"


def sizes(expected: Motion) -> dict[str, float]:
    """The largest value of each sort; a moment is as large as the largest force at the largest distance, too."""
    found: dict[str, float] = {}
    for name, values in {**expected.values, **expected.reactions}.items():
        found[sort_of(name)] = max(found.get(sort_of(name), 0.0), float(np.abs(values).max()))
    found["moment"] = max(found.get("moment", 0.0), found["force"] * found["position"])
    return found


def errors(result: lw.Result, expected: Motion) -> dict[str, float]:
    """The largest error of each sort of quantity, relative to the largest value; reactions only where they are unique."""
    scale = sizes(expected)
    unique = {n: x for n, x in expected.reactions.items() if n in result and n not in expected.not_unique}
    wanted = {**expected.values, **unique}
    turns = [f"{body}.{part}" for body in expected.axes for part in ("angle", "q0", "q1", "q2", "q3")]
    found = result.values([*wanted, *(name for name in turns if name in result), "closure"])
    worst = dict.fromkeys(scale, 0.0)
    for name, values in wanted.items():
        sort = sort_of(name)
        worst[sort] = max(worst[sort], float(np.abs(found[name] - values).max()) / scale[sort])
    worst["axes"] = max(float(np.abs(axes_of(result, body) - x[:, :, :2]).max()) for body, x in expected.axes.items())
    worst["closure"] = float(result.closure_error.max()) / scale["position"]
    return worst


def axes_of(result: lw.Result, body: str) -> Array:
    """First two columns of the axes of a body (N, 3, 2)."""
    if f"{body}.angle" in result:
        c, s = np.cos(result[f"{body}.angle"]), np.sin(result[f"{body}.angle"])
        return np.moveaxis(np.array([[c, -s], [s, c], [0 * c, 0 * c]]), 2, 0)
    w, x, y, z = (result[f"{body}.q{i}"] for i in range(4))
    first = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
    second = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)]
    return np.moveaxis(np.array([first, second]), 2, 0).swapaxes(1, 2)


def compare(result: lw.Result, expected: Motion, wanted: Demand) -> dict[str, float]:
    """Places, velocities and axes of all bodies, all reactions that the conditions determine, and which these are."""
    assert result.outcome.completed, result.outcome
    found = errors(result, expected)
    allowed = {"force": wanted.reactions, "moment": wanted.reactions, "closure": wanted.closure}
    assert {sort: error for sort, error in found.items() if not error <= allowed.get(sort, wanted.motion)} == {}
    left_open = {f"{joint}.{part}" for joint, parts in result.reactions.items() for part in parts.not_unique}
    assert left_open == {name for name in expected.not_unique if name in result}
    return found


def check_order(coarse: Mapping[str, float], fine: Mapping[str, float]) -> None:
    """Halved steps have errors of less than a third."""
    slow = {sort: (coarse[sort], fine[sort]) for sort in fine if fine[sort] > max(coarse[sort] / LEAST_GAIN, SMALL)}
    assert slow == {}


# -- refusals ----------------------------------------------------------------------------------------------------------


def declared_refusal(formulation: Formulation, name: str, kind: str) -> str | None:
    """What a formulation declares that it cannot do, of what this mechanism asks for in these coordinates."""
    if formulation.kinds and kind not in formulation.kinds:
        return "kinds"
    can = formulation.abilities
    if can.rolling and can.massless and can.redundant:
        return None
    return next((what for what in asked_for(name, kind) if not getattr(can, what)), None)


@cache
def asked_for(name: str, kind: str) -> tuple[str, ...]:
    """Abilities that a mechanism asks for in some coordinates."""
    n = numbers(model_of(name), kind)
    c = n.coordinates
    y, p = place_state(c, c.topology.assembly, c.geometry.defaults)
    mass = n.value(c.mass, 0, y, p).reshape(c.v.numel(), -1)
    jacobian = n.value(c.jacobian, 0, y, p).reshape(len(c.rows), c.v.numel())
    asked = {
        "rolling": c.holonomic < len(c.rows),
        "massless": np.linalg.matrix_rank(mass, tol=1e-12 * np.abs(mass).max()) < len(mass),
        "redundant": np.linalg.matrix_rank(jacobian, tol=1e-9) < len(jacobian),
    }
    return tuple(what for what, there in asked.items() if there)


def others_that_work(message: str, own: Formulation, name: str, kind: str) -> Iterator[str]:
    """The formulations that a refusal recommends; each must be one that declares that it works."""
    for other in dict.fromkeys(re.findall(r"'(\w+)'", message)):
        if other in NAMES and other != own.name:
            assert declared_refusal(NAMES[other], name, kind) is None, f"'{other}' would be refused, too"
            yield other


# -- the matrix ----------------------------------------------------------------------------------------------------------


def kinds_of(name: str, formulation: Formulation) -> tuple[str, ...]:
    """All coordinates; with most mechanisms those of them that a formulation takes, one after the other in turn."""
    if EXPLORING or name == WHOLE:
        return KINDS
    taken = formulation.kinds or KINDS
    return (taken[(OTHERS.index(name) + ALL_FORMULATIONS.index(formulation)) % len(taken)],)


CELLS = [(name, kind, known) for name in TEN for known in ALL_FORMULATIONS for kind in kinds_of(name, known)]


@pytest.mark.matrix
@pytest.mark.parametrize(
    ("name", "kind", "formulation"), CELLS, ids=["-".join((*cell[:2], cell[2].name)) for cell in CELLS]
)
def test_same_motion_and_reactions(name: str, kind: str, formulation: Formulation) -> None:
    case, wanted = TEN[name], demand(formulation)
    options = {"coordinates": kind, "formulation": formulation, "backend": "reference", "max_steps": 20_000}
    if declared_refusal(formulation, name, kind):
        with pytest.raises(lw.errors.RefusedError) as refusal:
            lw.simulate(model_of(name), times=case.times, **options, **wanted.options)
        assert list(others_that_work(str(refusal.value), formulation, name, kind))
        return
    if wanted is not STEPPED:
        result = lw.simulate(model_of(name), times=case.times, **options, **wanted.options)
        compare(result, reference(name), wanted)
        return
    runs = [lw.simulate(model_of(name), times=case.times, fixed_step=case.until / n, **options) for n in STEPS]
    check_order(errors(runs[0], reference(name)), compare(runs[1], reference(name), wanted))


def test_every_pair_of_choices_meets_among_the_other_mechanisms() -> None:
    cells = [cell for cell in CELLS if cell[0] != WHOLE]
    assert {cell[:2] for cell in cells} == set(itertools.product(OTHERS, KINDS))
    assert {cell[::2] for cell in cells} == set(itertools.product(OTHERS, ALL_FORMULATIONS))
    assert {cell[1:] for cell in cells} >= {
        (kind, known) for known in ALL_FORMULATIONS for kind in known.kinds or KINDS
    }
