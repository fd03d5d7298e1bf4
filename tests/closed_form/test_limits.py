"""Classes, ranges and dead centres of four-bars and slider-cranks against sweeps, bisection and geometry."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import numpy as np
import pytest
from linkage_limits import LinkageLimits, four_bar_limits, slider_crank_limits
from numpy.typing import NDArray

from linkwork.closed_form.limits import LinkageClass, Range, grashof_class
from linkwork.errors import AssemblyError

Lengths = tuple[float, float, float, float]
SWEEP = np.linspace(-pi, pi, 2001)


def four_bar_slack(arm: float, b: float, c: float, ground: float, angle: NDArray | float) -> NDArray:
    """Positive where a link turned by *angle* about one end of the ground leaves b and c able to meet."""
    square = arm**2 + ground**2 - 2 * arm * ground * np.cos(angle)
    return ((b + c) ** 2 - square) * (square - (b - c) ** 2)


def crank_slack(a: float, b: float, e: float, angle: NDArray | float) -> NDArray:
    return b**2 - (e - a * np.sin(angle)) ** 2


def travel_slack(a: float, b: float, e: float, x: NDArray | float) -> NDArray:
    square = x**2 + e**2
    return ((a + b) ** 2 - square) * (square - (a - b) ** 2)


def random_four_bars(count: int, seed: int) -> list[Lengths]:
    """Four-bars that can move, not within a hair of a change point."""
    rng = np.random.default_rng(seed)
    found: list[Lengths] = []
    while len(found) < count:
        sides = np.sort(rng.uniform(0.3, 2.0, 4))
        if sides[3] < 0.97 * sides[:3].sum() and abs(sides[0] + sides[3] - sides[1] - sides[2]) > 0.02:
            a, b, c, d = (float(x) for x in rng.permutation(sides))
            found.append((a, b, c, d))
    return found


def random_slider_cranks(count: int, seed: int) -> list[tuple[float, float, float]]:
    rng = np.random.default_rng(seed)
    found: list[tuple[float, float, float]] = []
    while len(found) < count:
        a, b, e = rng.uniform(0.3, 2), rng.uniform(0.3, 2), rng.uniform(-1.5, 1.5)
        if abs(e) < 0.97 * (a + b) and abs(abs(a - b) - abs(e)) > 0.02:
            found.append((float(a), float(b), float(e)))
    return found


def inside(ranges: tuple[Range, ...], angles: NDArray) -> NDArray:
    """Whether the angles lie in the ranges, whichever whole turn they are written in."""
    return np.any(
        [(r.low <= angles + k) & (angles + k <= r.high) for r in ranges for k in (-2 * pi, 0, 2 * pi)], axis=0
    )


def assert_ends_are_roots(ranges: tuple[Range, ...], slack: Callable[[float], NDArray]) -> None:
    """Every end of a range is a change of sign of *slack*, found again by bisection from 0.01 to either side of it."""
    for r in ranges:
        for end, inward in ((r.low, 1), (r.high, -1)):
            good, bad = end + inward * 0.01, end - inward * 0.01
            assert slack(good) > 0 > slack(bad)
            for _ in range(60):
                middle = (good + bad) / 2
                good, bad = (middle, bad) if slack(middle) > 0 else (good, middle)
            assert abs(good - end) < 1e-12


@pytest.mark.parametrize(
    ("lengths", "kind"),
    [
        ((2, 7, 6, 5), LinkageClass.CRANK_ROCKER),
        ((6, 7, 2, 5), LinkageClass.ROCKER_CRANK),
        ((5, 7, 6, 2), LinkageClass.DOUBLE_CRANK),
        ((5, 2, 6, 7), LinkageClass.DOUBLE_ROCKER),
        ((4, 5, 6, 8), LinkageClass.TRIPLE_ROCKER),
        ((3, 5, 6, 9), LinkageClass.TRIPLE_ROCKER),
        ((2, 5, 4, 3), LinkageClass.CHANGE_POINT),
        ((0.1, 0.3, 0.2, 0.2), LinkageClass.CHANGE_POINT),
        ((1, 2, 1, 2), LinkageClass.CHANGE_POINT),
    ],
)
def test_classes_checked_by_hand(lengths: Lengths, kind: LinkageClass) -> None:
    assert grashof_class(*lengths) is kind
    assert four_bar_limits(*lengths).kind is kind


def test_the_class_says_which_links_turn_fully_in_a_sweep() -> None:
    seen = set()
    for a, b, c, d in random_four_bars(300, 1):
        input_turns = bool((four_bar_slack(a, b, c, d, SWEEP) > 0).all())
        output_turns = bool((four_bar_slack(c, b, a, d, SWEEP) > 0).all())
        # against the ground, the coupler turns like a crank of its length between links a and c
        coupler_turns = bool((four_bar_slack(b, a, c, d, SWEEP) > 0).all())
        kind = {
            (True, True, True): LinkageClass.DOUBLE_CRANK,
            (True, False, False): LinkageClass.CRANK_ROCKER,
            (False, True, False): LinkageClass.ROCKER_CRANK,
            (False, False, True): LinkageClass.DOUBLE_ROCKER,
            (False, False, False): LinkageClass.TRIPLE_ROCKER,
        }[input_turns, output_turns, coupler_turns]
        assert grashof_class(a, b, c, d) is kind
        limits = four_bar_limits(a, b, c, d)
        assert limits.input[0].full_turn == input_turns
        assert limits.output[0].full_turn == output_turns
        seen.add(kind)
    assert len(seen) == 5


def test_four_bar_ranges_are_where_a_sweep_finds_assemblies() -> None:
    for a, b, c, d in random_four_bars(200, 2):
        limits = four_bar_limits(a, b, c, d)
        np.testing.assert_array_equal(inside(limits.input, SWEEP), four_bar_slack(a, b, c, d, SWEEP) >= 0)
        np.testing.assert_array_equal(inside(limits.output, SWEEP), four_bar_slack(c, b, a, d, pi - SWEEP) >= 0)


def test_four_bar_limits_are_roots_of_the_discriminant() -> None:
    for a, b, c, d in random_four_bars(200, 3):
        limits = four_bar_limits(a, b, c, d)
        if not limits.input[0].full_turn:
            assert_ends_are_roots(limits.input, lambda x, s=(a, b, c, d): four_bar_slack(*s, x))
        if not limits.output[0].full_turn:
            assert_ends_are_roots(limits.output, lambda x, s=(c, b, a, d): four_bar_slack(*s, pi - x))


def spoke(length: float, angle: float) -> complex:
    return length * np.exp(1j * angle)


def test_four_bar_dead_centres_close_with_two_links_in_line() -> None:
    for a, b, c, d in random_four_bars(200, 4):
        limits = four_bar_limits(a, b, c, d)
        for dead in limits.dead_centres:
            crank, rocker = spoke(a, dead.input), spoke(c, dead.output)
            coupler = d + rocker - crank
            assert abs(abs(coupler) - b) < 1e-12
            # from the end that turns back, along its chain: coupler then output reversed, or input then coupler
            one, other = (coupler, -rocker) if dead.stops == "input" else (crank, coupler)
            product = other / one / abs(other / one)
            assert abs(product - (1 if dead.shape == "stretched" else -1)) < 1e-11
        assert_ends_belong_to_dead_centres(limits)


def assert_ends_belong_to_dead_centres(limits: LinkageLimits) -> None:
    """The ends of the ranges and the dead centres are the same values, on both joints."""
    for joint, ranges in (("input", limits.input), ("output", limits.output)):
        slides = limits.slides and joint == "output"
        stops = sorted(_turn(getattr(d, joint), slides) for d in limits.dead_centres if d.stops == joint)
        open_ranges = [r for r in ranges if slides or not r.full_turn]
        ends = sorted(_turn(end, slides) for r in open_ranges for end in (r.low, r.high))
        np.testing.assert_allclose(stops, ends, atol=1e-14)


def _turn(value: float, slides: bool) -> float:
    return value if slides else float(np.angle(np.exp(1j * value)))


def test_a_change_point_passes_through_the_aligned_position() -> None:
    limits = four_bar_limits(1, 2, 1, 2)
    assert limits.input[0].full_turn and limits.output[0].full_turn
    assert limits.change_points == (0, pi)
    # coupler shortest: the crank turns back stretched, but passes the folded position
    limits = four_bar_limits(5, 2, 4, 3)
    assert limits.change_points == (0,)
    assert len(limits.input) == 1 and -pi < limits.input[0].low < 0 < limits.input[0].high < pi


def test_slider_crank_ranges_are_where_a_sweep_finds_assemblies() -> None:
    seen = set()
    for a, b, e in random_slider_cranks(300, 5):
        limits = slider_crank_limits(a, b, e)
        np.testing.assert_array_equal(inside(limits.input, SWEEP), crank_slack(a, b, e, SWEEP) >= 0)
        x = np.linspace(-5, 5, 2001)
        reached = np.any([(r.low <= x) & (x <= r.high) for r in limits.output], axis=0)
        np.testing.assert_array_equal(reached, travel_slack(a, b, e, x) >= 0)
        crank_turns = bool((crank_slack(a, b, e, SWEEP) > 0).all())
        coupler_turns = bool((crank_slack(b, a, e, SWEEP) > 0).all())
        kind = {
            (True, False): LinkageClass.CRANK_SLIDER,
            (False, True): LinkageClass.ROCKER_SLIDER,
            (False, False): LinkageClass.DOUBLE_ROCKER_SLIDER,
        }[crank_turns, coupler_turns]
        assert limits.kind is kind
        seen.add(kind)
    assert len(seen) == 3


def test_slider_crank_limits_are_roots_of_the_discriminant() -> None:
    for a, b, e in random_slider_cranks(200, 6):
        limits = slider_crank_limits(a, b, e)
        if not limits.input[0].full_turn:
            assert_ends_are_roots(limits.input, lambda x, s=(a, b, e): crank_slack(*s, x))
        assert_ends_are_roots(limits.output, lambda x, s=(a, b, e): travel_slack(*s, x))


def test_slider_crank_dead_centres_close_in_their_shape() -> None:
    for a, b, e in random_slider_cranks(200, 7):
        limits = slider_crank_limits(a, b, e)
        for dead in limits.dead_centres:
            crank = spoke(a, dead.input)
            coupler = dead.output + 1j * e - crank
            assert abs(abs(coupler) - b) < 1e-12
            if dead.stops == "input":
                assert abs(coupler.real) < 1e-12
            else:
                product = coupler / crank * a / b
                assert abs(product - (1 if dead.shape == "stretched" else -1)) < 1e-11
        assert_ends_belong_to_dead_centres(limits)


def test_slider_crank_change_points() -> None:
    limits = slider_crank_limits(1, 1, 0)
    assert limits.kind is LinkageClass.CHANGE_POINT and limits.input[0].full_turn
    assert limits.change_points == (pi / 2, -pi / 2)
    limits = slider_crank_limits(1, 1.5, 0.5)
    assert limits.kind is LinkageClass.CHANGE_POINT and limits.change_points == (-pi / 2,)


def test_limits_print_as_a_table() -> None:
    text = str(four_bar_limits(2, 2.5, 2.2, 4))
    assert text.splitlines()[:2] == ["triple-rocker", "  input   -97.5057° to 97.5057°"]
    assert "coupler and output stretched" in text
    assert str(four_bar_limits(2, 7, 6, 5)).splitlines()[1] == "  input   full turn"
    assert "1.93649 to 3.96863" in str(slider_crank_limits(1, 3, 0.5))
    assert "branches meet at input 0.0000°, 180.0000°" in str(four_bar_limits(1, 2, 1, 2))


@pytest.mark.parametrize(
    ("lengths", "named"),
    [((1, 1, 1, 3.5), "ground"), ((4, 1, 1, 1), "crank"), ((1, 0, 1, 1), "coupler"), ((1, 1, -2, 1), "rocker")],
)
def test_lengths_that_cannot_move_are_refused(lengths: Lengths, named: str) -> None:
    with pytest.raises(AssemblyError, match=f"the {named} "):
        four_bar_limits(*lengths)


def test_an_offset_out_of_reach_is_refused() -> None:
    with pytest.raises(AssemblyError, match="the offset is not shorter"):
        slider_crank_limits(1, 1, -2.5)
    # a long coupler is no obstacle
    assert slider_crank_limits(1, 9, 0.5).kind is LinkageClass.CRANK_SLIDER
