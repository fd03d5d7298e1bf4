"""Newton's method: one loop for all corrections of a state, and the policies that say when it ends.

A correction is found and made by a kernel of its own, (t, y, memory) → its size, or the code of a failure < 0. What follows
from the sizes is for a judge and its policy to say:

    by_size   it ends with a correction below the tolerance, with one that no longer shrinks and is small enough to be
              rounding errors, or with one whose square is below them. One that is too long, or grows, leads elsewhere.
    by_rate   it ends when what is still to come, by the rate of convergence, is below the tolerance (Hairer and Wanner,
              "Solving Ordinary Differential Equations II", section IV.8), with steps of fixed size when it is lost in
              rounding errors. It is given up as soon as the iterations that are left will not do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats, Record
from linkwork.numerics.kernels.linear.dense import HUGE

M = TypeVar("M", bound=Record)
GO_ON, DONE, SLOW, ASTRAY = 0, 1, -1, -2  # what a judge says; SLOW: a better matrix may help

LEAST, UNKNOWN = 1e-16, 0.25  # rate of convergence
STALLED, STUCK = 0.3, 0.9  # rates of steps of fixed size from which on corrections are taken for rounding errors
# sizes of corrections that may stall, and that may be stuck: stiff penalties round so
SMALL_ENOUGH, ROUNDING = 1.0, 1e6
RETURNING = 1.5  # rate of the second iteration that is not given up, where rates are those of two
SOONEST = 1e-3  # rate that two corrections may tell: the first one is long and straight, what bends comes behind it
AT_ONCE = 0.01  # rate that is assumed where one iteration was enough


class IterationPolicy(Record):
    """When an iteration ends. A record of constants, or one that belongs to a run."""

    limit: int  # most iterations
    further: int  # and so many more
    fixed: int  # 1: exactly as many, whatever they find
    tolerance: float  # a correction that ends it
    rounding: float  # one that ends it where it no longer shrinks
    stalled: float  # of the last one: it no longer shrinks
    square: float  # one that ends it behind one below the root: Newton's method squares the error
    root: float
    longest: float = HUGE  # one that leads elsewhere
    growth: float = HUGE  # times the last one: so does one that has grown
    small: float  # unless it is still smaller than this


class RatePolicy(IterationPolicy):
    """The same by the rate of convergence, which is known from one iteration to the next."""

    constant: int  # 1: steps are of fixed size, and the iteration goes on to rounding errors
    algebraic: int  # 1: some unknowns are algebraic
    pairs: int  # 1: corrections may shrink in every other iteration only, and rates are those of two
    rate: float  # of the last convergence
    assumed: float  # rate of the next one before it is measured
    before: float  # the correction before the last


P = TypeVar("P", bound=IterationPolicy)


@kernel
def iterate(
    correct: Callable[[float, Floats, M], float],
    judge: Callable[[int, float, float, P], int],
    policy: P,
    t: float,
    y: Floats,
    memory: M,
) -> int:
    """Correct y until the judge has seen enough. Returns how often, < 0: the code of a failure, SLOW or ASTRAY."""
    last, limit = HUGE, policy.limit + policy.further
    for count in range(limit):
        size = correct(t, y, memory)
        if size < 0.0:
            return int(size)
        if policy.fixed == 1 and size < policy.longest:
            continue
        verdict = judge(count, size, last, policy)
        if verdict != GO_ON:
            return count + 1 if verdict == DONE else verdict
        last = size
    return limit if policy.fixed == 1 else SLOW


@kernel
def by_size(count: int, size: float, last: float, policy: IterationPolicy) -> int:
    """By this correction and the last one alone."""
    if not size < policy.longest or size > max(policy.growth * last, policy.small):
        return ASTRAY
    if size <= policy.tolerance or (size < policy.rounding and size >= policy.stalled * last):
        return DONE
    return DONE if size < policy.square and last < policy.root else GO_ON


@kernel
def by_rate(count: int, size: float, last: float, policy: RatePolicy) -> int:
    """By what is still to come. Where the first correction is the last one of a pair, nothing should keep the next step
    short."""
    if size == 0.0:
        policy.rate = 0.0 if policy.pairs == 1 else policy.rate
        return DONE
    rate = convergence(count, size, last, policy)
    if count == 1 and policy.pairs == 1 and policy.algebraic == 1:
        rate = max(rate, SOONEST)
    limit = policy.limit + policy.further
    verdict = still_to_come(size, rate, limit - 1 - count if count > 0 else limit, policy)
    if verdict == DONE and count == 0 and policy.pairs == 1:
        policy.rate = min(policy.rate, AT_ONCE)
    policy.before = last
    if verdict == SLOW and not (count > policy.pairs or (count == 1 and rate > RETURNING)):
        return GO_ON
    return verdict


@kernel
def convergence(count: int, size: float, last: float, policy: RatePolicy) -> float:
    """Rate of convergence, from the sizes of two corrections."""
    # before there is a rate, the one of the last stage, made worse each time that it is not measured anew
    rate = min(max(policy.assumed, LEAST), 0.9) ** 0.8
    if policy.constant == 1 or policy.algebraic == 1:
        # no guess will do with rounding errors as the goal, nor of corrections that may return in the second iteration
        rate = UNKNOWN
    if count > 0:
        rate = size / (math.sqrt(policy.before * size) if count > 1 and policy.pairs == 1 else last)
        policy.rate = rate
    policy.assumed = rate
    return rate


@kernel
def still_to_come(size: float, rate: float, left: int, policy: RatePolicy) -> int:
    """What a correction and its rate tell, with so many iterations *left*."""
    if policy.constant == 1 and rate > STALLED and size < (ROUNDING if rate > STUCK else SMALL_ENOUGH):
        return DONE
    if rate >= 1.0:
        return SLOW
    coming = rate / (1.0 - rate) * size
    if coming <= policy.tolerance:
        return DONE
    return SLOW if rate**left * coming > policy.tolerance else GO_ON
