"""One policy for "rank", "closed" and "singular": every room draws its line at the same place, at every size."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from linkages import flat_four_bar, revolute

import linkwork as lw
from linkwork.analysis.prepared.prepare import prepare
from linkwork.equations.inverse.ways import ALL_INVERSE_METHODS
from linkwork.numerics.flows.closure import rank_at
from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.policy import POLICY
from linkwork.position.rank import decompose, dependent_rows, null_space, rank_of

ALL = [1e-4, 1e-5, 1e-6, 4e-7, 2e-7, 1e-7, 1e-8, 1e-10, 1e-12]  # how far from the singular position
NEAR = {1.0: ALL, 1e-9: [1e-4, 1e-6, 4e-7], 1e9: [1e-4, 1e-6, 4e-7]}  # at which size of the mechanism


def window(away: float, k: float = 1.0) -> lw.Model:
    """A parallelogram of links of 1 m, *away* from where all lie in one line and its branches meet."""
    return flat_four_bar(k, k, k, away)


def pushed(away: float, k: float = 1.0) -> lw.Model:
    """A slider-crank, its slider driven, *away* from its dead centre."""
    end = [k * math.cos(away), k * math.sin(away)]
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": end, "B": [end[0] + math.sqrt(4 * k * k - end[1] ** 2), 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 1},
            "slider": {"points": ["B"], "mass": 1},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "rod"),
            "B": revolute("rod", "slider"),
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": "B", "axis": [1, 0]},
        },
        drivers={"push": {"joint": "guide", "position": "0*t"}},
    )


def tilted(away: float, k: float = 1.0) -> lw.Model:
    """A four-bar in space whose last axis is *away* from being parallel to the others, where it can move."""
    places = {"O": [0, 0, 0], "A": [0.2, 0.3, 0], "B": [1.1, 0.8, 0], "C": [1, 0, 0]}
    upright = [0.0, 0.0, 1.0]

    def pin(first: str, second: str, axis: list[float]) -> dict[str, object]:
        return {"kind": "revolute", "bodies": [first, second], "axis": axis}

    return lw.Model(
        space="spatial",
        gravity=[0, -9.81 * k, 0],
        points={name: [k * x for x in place] for name, place in places.items()},
        bodies={
            name: {"bar": ends, "mass": 1}
            for name, ends in {"crank": ["O", "A"], "rod": ["A", "B"], "rocker": ["B", "C"]}.items()
        },
        joints={
            "O": pin("ground", "crank", upright),
            "A": pin("crank", "rod", upright),
            "B": pin("rod", "rocker", upright),
            "C": pin("rocker", "ground", [math.sin(away), 0.0, math.cos(away)]),
        },
    )


def freedoms(verb: Callable[[], object]) -> int:
    """How many freedoms a verb says that there are, where it refuses to go on."""
    try:
        verb()
    except lw.errors.LinkworkError as error:
        found = re.search(r"(no|\d+) degrees? of freedom", str(error))
        assert found, error
        return 0 if found[1] == "no" else int(found[1])
    return 1


def rank_of_run(model: lw.Model) -> int:
    """The freedoms that the kernels of a run count, in coordinates of their own."""
    mechanism = prepare(model, coordinates="reference_point", formulation="multipliers")
    start = mechanism.start()
    system = mechanism.system(start.p)
    return int(system.nv - rank_at(system, 0.0, start.y))


@pytest.mark.parametrize("k", NEAR)
def test_all_rooms_see_branches_meet_from_the_same_distance_on(k: float) -> None:
    lines = set()
    for away in NEAR[k]:
        model = window(away, k)
        topology, found = lw.analyse(model), lw.diagnose(model)
        count = topology.mobility.by_rank
        lines.add((away, count))
        assert (found.freedoms, found.singular, found.elsewhere) == (count, count == 2, 1)
        assert freedoms(partial(lw.find_limits, topology)) == count
        assert freedoms(partial(lw.solve_kinematics, model, until=1e-3)) == count
        assert freedoms(partial(lw.simulate, model, 1e-3)) == count
        assert lw.assemble(model).reached
        # other coordinates have other singular values, but not by orders of magnitude
        assert rank_of_run(model) == count or 0.2 < away / 4e-7 < 5
    assert {away for away, count in lines if count == 2} == {away for away in NEAR[k] if away < 5e-7}


@pytest.mark.parametrize("k", NEAR)
def test_all_rooms_see_a_driver_at_its_dead_centre_from_the_same_distance_on(k: float) -> None:
    """The row of a driver of a slide is a length: at a billionth of a metre it vanished, wherever the crank stood."""
    for away in NEAR[k]:
        model = pushed(away, k)
        verbs = [partial(verb, model) for verb in (lw.analyse, lw.diagnose, lw.find_limits)]
        verbs += [partial(lw.solve_kinematics, model, until=1e-3), partial(lw.simulate, model, 1e-3)]
        if away > 5e-7:
            assert not lw.diagnose(model).singular
            assert lw.analyse(model).mobility.free == 0
            assert lw.solve_kinematics(model, until=1e-3).outcome.completed
            continue
        for verb in verbs:
            with pytest.raises(lw.errors.ModelError, match="dead centre"):
                verb()


@pytest.mark.parametrize("k", NEAR)
def test_all_rooms_take_axes_for_parallel_from_the_same_angle_on(k: float) -> None:
    counts = []
    for away in NEAR[k]:
        topology = lw.analyse(tilted(away, k))
        count = topology.mobility.by_rank
        found = lw.diagnose(topology)
        counts.append(count)
        assert (found.freedoms, found.redundant) == (count, len(topology.mobility.redundant))
        assert freedoms(partial(lw.find_limits, topology)) == count
        assert k != 1.0 or rank_of_run(tilted(away)) == count or 0.1 < away / 2e-6 < 10
    assert counts == [int(away < 5e-6) for away in NEAR[k]]


@pytest.mark.parametrize("method", [item.name for item in ALL_INVERSE_METHODS if item.name != "recursion"])
def test_one_motor_moves_a_mechanism_of_any_size(method: str) -> None:
    """With all lengths and gravity times k, so are forces; a slide of a billionth of a metre still reaches the freedom.

    But for recursion, of which three digits are left at this size, as its audit says.
    """
    found = []
    for k in (1.0, 1e-9):
        data = pushed(0.7, k).to_dict() | {"gravity": [0, -9.81 * k]}
        data["drivers"] = {"push": {"joint": "guide", "position": f"{0.1 * k!r}*sin(t)"}}
        run = lw.inverse_dynamics(lw.Model(**data), until=1, step=0.25, method=method)
        assert list(run.motors) == ["push"]
        found.append(run["push"] / k)
    np.testing.assert_allclose(found[1], found[0], rtol=1e-7)


@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 8), st.integers(0, 9))
def test_a_further_condition_takes_no_rank_away(seed: int, m: int, n: int, small: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(m, n)) * 10.0 ** rng.uniform(-2, 2, (m, 1))
    rows[-1] = rows[0] * rng.normal() + 10.0**-small * rng.normal(size=n)
    ranks = [POLICY.rank_of(rows[:i]) for i in range(m + 1)]
    assert ranks == sorted(ranks)
    # whoever asks, and in which order: one answer
    assert rank_of(rows) == n - null_space(rows).shape[1] == m - len(dependent_rows(rows)) == ranks[-1]
    assert POLICY.count(decompose(rows)[1]) == ranks[-1]
    for i in range(m + 1):
        assert len(dependent_rows(rows[i:], rows[:i])) + len(dependent_rows(rows[:i])) == m - ranks[-1]


def test_kernels_and_rooms_share_their_limits() -> None:
    assert (POLICY.rank, POLICY.faint) == (codes.RANK_TOLERANCE, codes.FAINT_ROW)


OWN = {
    "RANK": {"topology/plan/coupled.py"},  # ratios of gears: numbers of a model and no measures of a position
    "CLOSED": {"analysis/motion/limit_numbers.py"},  # room that is left to a stop
    # where a formula is replaced by another one, and where loads have no value: a determinant that is one without them
    "SINGULAR": {"closed_form/outer_pair.py", "coordinates/implied.py"},
}
FITTED = {  # least squares that are no question of rank: rounding errors alone are left out
    "analysis/audit/impacts.py",
    "analysis/audit/pushing.py",
    "analysis/motion/complementarity.py",
    "analysis/motion/connecting.py",
    "analysis/motion/gripping.py",
    "analysis/motion/impacts/newton.py",
    "analysis/motion/switching.py",
    "analysis/statics/load_steps.py",
    "numerics/integrators/interpolation.py",
    "numerics/paths/arc_length.py",
    "testing/states.py",
}


def files_with(pattern: str) -> set[str]:
    root = Path(lw.__file__).parent
    return {
        str(path.relative_to(root)) for path in root.rglob("*.py") if re.search(pattern, path.read_text(), re.MULTILINE)
    }


@pytest.mark.parametrize("word", OWN)
def test_no_room_has_a_limit_of_its_own(word: str) -> None:
    """Another limit is a field of the policy, with its reason."""
    assert files_with(rf"^_?{word}\w* = [0-9]") == OWN[word]


def test_ranks_are_no_parts_of_the_largest_singular_value() -> None:
    """A further condition would take rank away."""
    assert not files_with(r"rcond=POLICY|POLICY\.rank \* |matrix_rank\([^,\n]*\)$")
    assert files_with(r"rcond=[0-9]") == FITTED
