"""One loop for all corrections of Newton's method, and what its policies make of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from linkwork.numerics.kernels.language.calling import Kernel, kernel
from linkwork.numerics.kernels.language.records import Floats, Record
from linkwork.numerics.kernels.language.translation import translate
from linkwork.numerics.kernels.linear.iteration import (
    ASTRAY,
    SLOW,
    IterationPolicy,
    RatePolicy,
    by_rate,
    by_size,
    iterate,
)
from linkwork.numerics.loader import compiled

TIGHT = IterationPolicy(limit=20, tolerance=1e-12, rounding=1e-8, stalled=0.25, longest=1.0, growth=2.0, small=1e-6)
SQUARED = IterationPolicy(limit=20, tolerance=1e-15, square=1e-6, root=1e-2)
FAILED = -77


class Root(Record):
    """√number; *slope*: 0, or a derivative that is kept."""

    number: float
    slope: float
    calls: int


class Rated(RatePolicy):
    """A policy and what it is for in one record."""

    number: float


@kernel
def correct_root(t: float, y: Floats, root: Root) -> float:
    root.calls += 1
    if y[0] < t:
        return float(FAILED)
    slope = root.slope if root.slope != 0.0 else 2.0 * y[0]
    change = (root.number - y[0] * y[0]) / slope
    y[0] += change
    return abs(change)


@kernel
def correct_rated(t: float, y: Floats, rated: Rated) -> float:
    change = (rated.number - y[0] * y[0]) / (2.0 * t)
    y[0] += change
    return abs(change)


@kernel
def tightly(t: float, y: Floats, root: Root) -> int:
    return iterate(correct_root, by_size, TIGHT, t, y, root)


@kernel
def squared(t: float, y: Floats, root: Root) -> int:
    return iterate(correct_root, by_size, SQUARED, t, y, root)


@kernel
def by_policy_of_a_run(t: float, y: Floats, root: Root, policy: IterationPolicy) -> int:
    return iterate(correct_root, by_size, policy, t, y, root)


@kernel
def at_its_rate(t: float, y: Floats, rated: Rated) -> int:
    return iterate(correct_rated, by_rate, rated, t, y, rated)


def found(declared: Kernel, start: float, record: Record, *more: Any, t: float = 0.0) -> tuple[int, float]:
    """How it ended and where, in compiled code and as the Python function that it is."""
    ends = []
    for call in (compiled(declared), declared):
        y, kept = np.array([start]), record._cells.copy()
        ends.append((int(call(t, y, record, *more)), float(y[0])))
        last = record._cells.copy()
        record._cells[:] = kept
    record._cells[:] = last
    assert ends[0] == ends[1]
    return ends[0]


def test_the_square_root_is_found() -> None:
    count, end = found(tightly, 1.5, Root(number=2.0))
    assert end == pytest.approx(math.sqrt(2.0), abs=1e-15)
    # errors e ← e²/(2 y): corrections of 8.3e-2, 2.5e-3, 2.1e-6, 1.6e-12, and one below the tolerance
    assert count == 5


def test_the_square_of_a_small_correction_needs_no_other() -> None:
    count, end = found(squared, 1.5, Root(number=2.0))
    assert end == pytest.approx(math.sqrt(2.0), abs=1e-15)
    assert count == 4
    assert found(squared, math.sqrt(2.0) + 1e-3, Root(number=2.0))[0] == 2


@kernel
def correct_evenly(t: float, y: Floats, root: Root) -> float:
    y[0] += 1.0
    return root.number


@kernel
def evenly(t: float, y: Floats, root: Root, policy: IterationPolicy) -> int:
    return iterate(correct_evenly, by_size, policy, t, y, root)


def test_a_correction_as_long_as_the_last_one_no_longer_shrinks() -> None:
    policy = IterationPolicy(limit=20, rounding=1.0, stalled=1.0)
    assert found(evenly, 0.0, Root(number=0.5), policy) == (2, 2.0)
    assert found(evenly, 0.0, Root(number=2.0), policy) == (SLOW, 20.0)


@pytest.mark.parametrize(("start", "slope"), [(1e-3, 0.0), (1.5, -3.0)], ids=["too long", "growing"])
def test_what_leads_elsewhere_is_told(start: float, slope: float) -> None:
    assert found(tightly, start, Root(number=2.0, slope=slope))[0] == ASTRAY


def test_slow_corrections_and_failures_are_told_apart() -> None:
    assert found(tightly, 1.5, Root(number=2.0, slope=30.0))[0] == SLOW
    assert found(tightly, 1.5, Root(number=2.0), t=1.6)[0] == FAILED


def test_a_policy_may_belong_to_a_run() -> None:
    root, policy = Root(number=2.0), IterationPolicy(limit=3, fixed=1)
    assert found(by_policy_of_a_run, 1.5, root, policy)[0] == 3
    policy.fixed, policy.tolerance, policy.further = 0, 1e-2, 1
    assert found(by_policy_of_a_run, 1.5, root, policy)[0] == 2


def test_a_known_rate_tells_when_to_end() -> None:
    """With a kept slope of 2 t = 3 corrections shrink by 1 − 2√2/3 = 0.057: what is left is less than the tolerance."""
    rated = Rated(number=2.0, limit=20, tolerance=1e-8, assumed=1.0)
    count, end = found(at_its_rate, 1.5, rated, t=1.5)
    assert abs(end - math.sqrt(2.0)) < 1e-8
    assert rated.rate == pytest.approx(1 - 2 * math.sqrt(2) / 3, rel=0.05)
    # size 0.0858·0.943·0.057ⁿ, times 0.057/0.943
    assert count == 1 + math.ceil(math.log(1e-8 / (0.081 * 0.0606)) / math.log(0.0572))


def test_what_cannot_end_in_time_is_given_up_early() -> None:
    rated = Rated(number=2.0, limit=10, tolerance=1e-12, assumed=1.0)
    assert found(at_its_rate, 1.5, rated, t=15.0)[0] == SLOW


def test_one_translation_for_every_kernel_that_is_given() -> None:
    text = translate([tightly, squared, at_its_rate])
    assert text.count("@linkwork_iteration_iterate__") == 6  # definitions and calls
    assert len({line for line in text.splitlines() if line.startswith("define") and "iteration_iterate" in line}) == 3
