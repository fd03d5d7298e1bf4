"""Lists as tables and loops: the same numbers to the last bit, code in proportion to what differs."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from exploring import drawn
from hypothesis import given
from hypothesis import strategies as st
from random_graphs import SMOOTH, make_function

import linkwork as lw
from linkwork.compiler import Cpu, build
from linkwork.compiler.folding import fold
from linkwork.compiler.folding.cuts import sections_of
from linkwork.compiler.folding.marks import operations_of
from linkwork.compiler.folding.work import NOBODY
from linkwork.compiler.instructions import Instructions
from linkwork.compiler.lower import lower
from linkwork.compiler.operations import SOURCES, Op
from linkwork.errors import RefusedError
from linkwork.machine import compilation_count

STRAIGHT = Cpu(contract=False, reciprocals=False, shape="straight")
TABLES = Cpu(contract=False, reciprocals=False, shape="tables")


def chain_of_formulas(links: int, masses: np.ndarray | None = None) -> ca.Function:
    """One step after another outwards, then inwards, each with numbers of its own: as recursions along chains are."""
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", links), ca.SX.sym("p", 2)
    masses = np.linspace(1.1, 1.9, links) if masses is None else masses
    carried, turned, felt = ca.SX(0), [], ca.SX(0)
    for i in range(links):
        carried = carried * ca.cos(y[i]) + p[0] * ca.sin(y[i]) / (2 + masses[i]) + ca.sin(t) * y[i]
        turned.append(carried)
    rates = []
    for i in reversed(range(links)):
        felt = felt / (1.5 + ca.sin(y[i]) ** 2) + masses[i] * turned[i] + p[1]
        rates.append(felt)
    return ca.Function("chain", [t, y, p], [ca.vertcat(*reversed(rates)), y, t, 3.0])


def both(function: ca.Function, samples: int = 11) -> list[np.ndarray]:
    """Values in both shapes, one by one and in lanes."""
    random = np.random.default_rng(2)
    t, y, p = (random.uniform(-1, 1, (samples, size)) for size in (1, function.numel_in(1), function.numel_in(2)))
    found = []
    for backend in (STRAIGHT, TABLES):
        compiled = build({"f": function}, backend)["f"]
        found.append(np.array([compiled(*sample) for sample in zip(t[:, 0], y, p, strict=True)]))
        found.append(compiled.batch(t[:, 0], y, p))
    return found


@pytest.mark.parametrize("links", [1, 2, 3, 40, 400])
def test_both_shapes_give_the_same_bits(links: int) -> None:
    straight, straight_lanes, tables, tables_lanes = both(chain_of_formulas(links))
    np.testing.assert_array_equal(tables, straight)
    np.testing.assert_array_equal(tables_lanes, straight_lanes)


@drawn(20)
@given(st.lists(st.tuples(*[st.integers(0, 60)] * 3), max_size=12), st.integers(1, 30))
def test_lists_that_repeat_give_the_same_bits(graph: list[tuple[int, int, int]], times: int) -> None:
    straight, straight_lanes, tables, tables_lanes = both(make_function(graph * times, SMOOTH), samples=3)
    np.testing.assert_array_equal(tables, straight)
    np.testing.assert_array_equal(tables_lanes, straight_lanes)


def test_a_long_list_without_repetition_gives_the_same_bits() -> None:
    random = np.random.default_rng(5)
    straight, straight_lanes, tables, tables_lanes = both(
        make_function(random.integers(0, 1000, (5000, 3)).tolist(), SMOOTH)
    )
    np.testing.assert_array_equal(tables, straight)
    np.testing.assert_array_equal(tables_lanes, straight_lanes)


@pytest.mark.parametrize("numbers", ["alike", "different", "special"])
def test_code_does_not_grow_with_what_repeats(numbers: str) -> None:
    drawn_masses = {
        "alike": lambda n: np.full(n, 1.7),
        "different": lambda n: np.linspace(1.1, 1.9, n),
        "special": lambda n: np.where(np.arange(n) % 2, 1.0, 2.5),
    }[numbers]
    short, long = (fold(lower(chain_of_formulas(n, drawn_masses(n)))) for n in (800, 3200))
    assert long.written <= short.written * 1.2 < long.instructions.operations / 4
    assert len(long.rows) < 4.2 * len(short.rows)


def test_other_numbers_in_known_kinds_compile_the_tables_only() -> None:
    random = np.random.default_rng(1)
    first, other = (chain_of_formulas(300, random.uniform(1.1, 1.9, 300)) for _ in range(2))
    for form in ("address", "lanes_address"):
        getattr(build({"f": first}, TABLES)["f"], form)
        before = compilation_count()
        getattr(build({"f": other}, TABLES)["f"], form)
        assert compilation_count() == before + 1


def test_a_row_of_short_repetitions_is_folded() -> None:
    """63 times the same few operations: joined in pairs, but not until too few are left to count as repeated."""
    folded = fold(lower(chain_of_formulas(63, np.full(63, 1.7))))
    assert folded.written < 0.6 * folded.instructions.operations


def test_constants_that_are_stored_count_as_lines() -> None:
    """A long C of ones and zeros takes its time to compile straight; zeros by themselves do not."""
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 2), ca.SX.sym("p", 0)
    ones, zeros = (ca.Function("f", [t, y, p], [ca.SX(m), y * 2]) for m in (ca.DM.ones(200, 200), ca.DM(200, 200)))
    for function, tables in ((ones, True), (zeros, False)):
        made = build({"f": function})["f"]
        assert np.array_equal(made(0.0, [1.0, 2.0]), np.concatenate([np.full(40_000, float(tables)), [2.0, 4.0]]))
        assert ("as tables" in made.codes["scalar"].note) == tables


def run_sections(code: Instructions, t: float, y: np.ndarray, p: np.ndarray) -> np.ndarray:
    """What the tables say, read by hand: each section reads its places, computes and writes."""
    folded, out = fold(code), np.full(code.size_out, np.nan)
    work, at = np.full(folded.slots, np.nan), 0
    sources = {Op.STATE: y, Op.PARAMETER: p, Op.CONSTANT: code.constants, None: work, Op.TIME: np.array([t])}
    do = {Op.ADD: np.add, Op.SUB: np.subtract, Op.MUL: np.multiply, Op.DIV: np.divide, Op.SIN: np.sin, Op.COS: np.cos}
    for k in folded.order.tolist():
        kind = folded.kinds[k]
        row = folded.rows[at : at + kind.width]
        at += kind.width
        places, plain = dict(zip(kind.listed, row, strict=False)), dict(kind.numbers)
        values: list[float] = []

        read = [
            plain[j] if j in plain else sources[source][places.get(j, 0)] for j, source in enumerate(kind.pattern.reads)
        ]
        for op, *operands in kind.pattern.rows:
            numbers = [values[one] if one >= 0 else read[-2 - one] for one in operands if one != -1]
            values.append(float(do[op](*numbers)))
        for own, place in zip(kind.writes, row[len(kind.listed) :], strict=True):
            work[place] = values[own]
    for source, (entries, places) in folded.outputs.items():
        out[entries] = t if source is Op.TIME else sources[source][places]
    return out


def test_the_tables_read_by_hand_are_the_list() -> None:
    function, random = chain_of_formulas(60), np.random.default_rng(4)
    y, p = random.normal(size=60), random.normal(size=2)
    expected = np.concatenate([np.array(item).ravel() for item in function(0.3, y, p)])
    np.testing.assert_allclose(run_sections(lower(function), 0.3, y, p), expected, rtol=1e-13)


def test_sections_follow_each_other_and_cover_the_list() -> None:
    random = np.random.default_rng(6)
    for length in (0, 1, 9, 700):
        code = lower(make_function(random.integers(0, 1000, (length, 3)).tolist(), SMOOTH))
        operations = operations_of(code)
        cuts = sections_of(operations.marks)
        assert cuts[0] == 0 and cuts[-1] == len(operations) and np.all(np.diff(cuts) > 0)
        assert len(operations) == sum(op not in SOURCES for op, _, _ in code.rows())


def test_a_slot_is_used_again_and_never_before_its_time() -> None:
    folded = fold(lower(chain_of_formulas(500)))
    # what goes outwards and comes back is kept; what goes on from link to link is not
    assert 500 < folded.slots < 500 * 3
    assert NOBODY not in folded.outputs[None][1]


def test_the_shape_is_chosen_by_length_and_can_be_told() -> None:
    short, long = chain_of_formulas(10), chain_of_formulas(1500)
    for shape, function, tables in ((None, short, False), (None, long, True), ("tables", short, True)):
        program = lw.build({"f": function}, shape=shape)
        program["f"].address  # noqa: B018
        assert ("as tables: " in str(program)) == tables
    with pytest.raises(RefusedError, match=r"no shape 'table'.*tables"):
        lw.build({"f": short}, shape="table")
    with pytest.raises(RefusedError, match="'reference' has no shapes"):
        lw.build({"f": short}, "reference", shape="tables")


@pytest.mark.parametrize("name", ["four_bar", "stewart_platform", "puma_560", "rolling_disc"])
def test_a_mechanism_moves_the_same_in_both_shapes(name: str) -> None:
    model = lw.example(name)
    straight, tables = (
        lw.simulate(model, until=0.2, step=0.05, shape=shape, audit=False) for shape in ("straight", "tables")
    )
    for quantity in (f"{body}.x" for body in model.bodies):
        np.testing.assert_allclose(tables[quantity], straight[quantity], rtol=0, atol=1e-8)
