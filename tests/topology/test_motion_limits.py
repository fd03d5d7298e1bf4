"""The limits of motions against closed forms, sweeps of the crank, and exact relations of spatial linkages."""

from __future__ import annotations

import re
from math import pi
from pathlib import Path

import drawn_linkages
import linkages
import mechanisms
import numpy as np
import pytest
from drawn_linkages import circles_meet, revolute
from hypothesis import example, given
from linkage_limits import LinkageLimits, four_bar_limits, slider_crank_limits
from numpy.typing import NDArray
from random_mechanisms import examples, seeds

import linkwork as lw
from linkwork.closed_form.limits import LinkageClass, Range
from linkwork.position.circuit import Continuation
from linkwork.topology.limits.limits import limit_near
from linkwork.topology.limits.motion_limits import CoordinateLimits, MotionLimits

Array = NDArray[np.float64]


def wrapped(angle: float) -> float:
    return (angle + pi) % (2 * pi) - pi


def assert_range(found: CoordinateLimits, expected: tuple[Range, ...], tolerance: float) -> None:
    """The range found is one of the expected ones, in whichever turn they are written."""
    assert found.full_turn == (found.angular and expected[0].full_turn)
    if found.full_turn:
        return
    near = wrapped if found.angular else float
    gaps = [max(abs(near(found.range.low - r.low)), abs(near(found.range.high - r.high))) for r in expected]
    assert min(gaps) < tolerance


def assert_dead_centres(limits: MotionLimits, exact: LinkageLimits, output: str, tolerance: float) -> None:
    """Every turning point is a dead centre of the closed form, at the same input and output."""
    for stops, name in (("input", "O"), ("output", output)):
        for dead in limits[name].dead_centres:
            gaps = [
                abs(wrapped(dead.input - known.input))
                + abs(wrapped(dead.value - (known.input if stops == "input" else known.output)))
                for known in exact.dead_centres
                if known.stops == stops
            ]
            assert min(gaps) < tolerance


def random_four_bar(rng: np.random.Generator, change_point: bool) -> tuple[float, ...]:
    while True:
        sides = np.sort(rng.uniform(0.3, 2.0, 4))
        if change_point:
            sides[3] = sides[1] + sides[2] - sides[0]
        spread = min(np.diff(np.sort(sides)))
        apart = change_point or abs(sides[0] + sides[3] - sides[1] - sides[2]) > 0.01
        if sides[3] < 0.97 * sides[:3].sum() and apart and spread > 0.01:
            return tuple(float(side) for side in rng.permutation(sides))


def blurred(lengths: tuple[float, ...], change_point: float) -> float:
    """How far (rad) rounded lengths a, b, c, d move the place where two curves of a four-bar meet.

    The diagonal r² = a² + d² − 2 a d cos φ makes a flat triangle with b and c there, and is a d φ² / (2 r) longer beside it:
    lengths that are wrong by δ ≤ ε (a + b + c + d) are those of a diagonal at φ = √(2 r δ / (a d)).
    """
    a, _, _, d = lengths
    r = np.sqrt(a**2 + d**2 - 2 * a * d * np.cos(change_point))
    return float(np.sqrt(2 * r * np.finfo(float).eps * sum(lengths) / (a * d)))


def somewhere(rng: np.random.Generator, ranges: tuple[Range, ...]) -> float:
    part = ranges[rng.integers(len(ranges))]
    return float(part.low + part.width * rng.uniform(0.05, 0.95))


# -- planar linkages ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change_point", [False, True])
@examples(10)
@given(seed=seeds)
@example(seed=18919)  # 1.2e-8 rad off, by lengths that are 1.1e-16 m off
def test_four_bars_move_as_far_as_their_triangles_say(change_point: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    lengths = random_four_bar(rng, change_point)
    exact = four_bar_limits(*lengths)
    limits = lw.find_limits(drawn_linkages.four_bar(lengths, somewhere(rng, exact.input), rng.choice([-1.0, 1.0])))
    assert limits.course is Continuation.CLOSED
    assert limits.kind is exact.kind
    # the motion runs straight through the one change point and covers both branches
    assert_range(limits["O"], exact.input, 1e-11)
    assert_range(limits["C"], exact.output, 1e-11)
    assert_dead_centres(limits, exact, "C", 1e-10)
    found = [wrapped(branch.input - known) for branch in limits.branch_points for known in exact.change_points]
    assert len(found) == (2 if change_point else 0)
    assert all(abs(gap) < blurred(lengths, known) for gap, known in zip(found, 2 * exact.change_points, strict=True))


@pytest.mark.parametrize("gap", [1e-4, -1e-4, 1e-7, -1e-7])
def test_branches_that_nearly_meet_are_told_apart(gap: float) -> None:
    lengths = (0.7, 1.6, 1.1, 1.6 + 1.1 - 0.7 + gap)
    exact = four_bar_limits(*lengths)
    limits = lw.find_limits(drawn_linkages.four_bar(lengths, 1.0, 1.0))
    assert not limits.branch_points and limits.kind is exact.kind is not LinkageClass.CHANGE_POINT
    # near the change point a limit moves by the square root of an error
    for name, expected in (("O", exact.input), ("C", exact.output)):
        assert_range(limits[name], expected, 1e-11)


@pytest.mark.parametrize("change_point", [False, True])
@examples(10)
@given(seed=seeds)
def test_slider_cranks_move_as_far_as_their_triangles_say(change_point: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    crank, coupler, offset = rng.uniform(0.3, 2), rng.uniform(0.3, 2), rng.uniform(-1.5, 1.5)
    if change_point:
        offset = rng.choice([-1.0, 1.0]) * abs(crank - coupler)
    elif abs(abs(offset) - abs(crank - coupler)) < 0.01 or abs(offset) > 0.97 * (crank + coupler):
        offset = 0.4 * abs(crank - coupler)
    lengths = (float(crank), float(coupler), float(offset))
    exact = slider_crank_limits(*lengths)
    limits = lw.find_limits(drawn_linkages.slider_crank(lengths, somewhere(rng, exact.input), rng.choice([-1.0, 1.0])))
    assert limits.course is Continuation.CLOSED
    assert limits.kind is exact.kind
    assert_range(limits["O"], exact.input, 1e-11)
    assert_range(limits["guide"], exact.output, 1e-11)
    assert bool(limits.branch_points) == bool(exact.change_points)


def test_a_linkage_drawn_at_a_dead_centre_has_no_other_limits() -> None:
    drawn, elsewhere = (lw.find_limits(drawn_linkages.slider_crank((0.3, 0.9, 0.0), angle, 1)) for angle in (0.0, 1.0))
    for name in drawn.coordinates:
        assert len(drawn[name].dead_centres) == len(elsewhere[name].dead_centres)
    assert (drawn["guide"].range.low, drawn["guide"].range.high) == pytest.approx((0.6, 1.2), abs=1e-13)


def test_a_place_far_from_the_origin_changes_nothing() -> None:
    lengths = (1.5, 1.9, 1.2, 2.6)
    near, far = (lw.find_limits(drawn_linkages.four_bar(lengths, 1.0, 1, shift)) for shift in ((0, 0), (3000, -500)))
    assert far.course is Continuation.CLOSED
    for name in near.coordinates:
        ranges = [(limits[name].range.low, limits[name].range.high) for limits in (near, far)]
        assert ranges[0] == pytest.approx(ranges[1], abs=1e-9)


def test_watt_six_bar_against_a_sweep_of_its_crank() -> None:
    model = linkages.six_bar()
    limits = lw.find_limits(model)
    theta = np.linspace(0, 2 * pi, 400_001)
    O, A, B, C, D, E, F = (np.array([float(x) for x in model.to_dict()["points"][name]]) for name in "OABCDEF")

    def length(a: Array, b: Array) -> float:
        return float(np.linalg.norm(b - a))

    def side(a: Array, p: Array, b: Array) -> float:
        return float(np.sign((b - a)[0] * (p - a)[1] - (b - a)[1] * (p - a)[0]))

    pin = O + length(O, A) * np.stack([np.cos(theta), np.sin(theta)], axis=1)
    joint = circles_meet(pin, length(A, B), C, length(B, C), side(A, B, C))
    plate = np.arctan2(*(joint - C).T[::-1])
    lever = np.arctan2(*(D - C)[::-1]) - np.arctan2(*(B - C)[::-1]) + plate
    end = C + length(C, D) * np.stack([np.cos(lever), np.sin(lever)], axis=1)
    elbow = circles_meet(end, length(D, E), F, length(E, F), side(D, E, F))
    output = np.arctan2(*(elbow - F).T[::-1])
    start = np.arctan2(*(E - F)[::-1])
    assert limits["O"].full_turn and limits["A"].full_turn and limits.kind is None
    expected = limits["F"].start + np.array([output.min(), output.max()]) - start
    # the largest of samples h apart misses the maximum by some h²
    assert [limits["F"].range.low, limits["F"].range.high] == pytest.approx(expected, abs=1e-9)
    swing = limits["C"].start - (plate - np.arctan2(*(B - C)[::-1]))
    assert [limits["C"].range.low, limits["C"].range.high] == pytest.approx([swing.min(), swing.max()], abs=1e-9)


@pytest.mark.parametrize("windows", [1, 2])
def test_parallelograms_turn_fully_through_their_branch_points(windows: int) -> None:
    limits = lw.find_limits(mechanisms.n_four_bar(windows))
    assert limits.course is Continuation.CLOSED
    assert all(item.full_turn and not item.dead_centres for item in limits.coordinates.values())
    # the rods start upright and lie flat twice in a turn, where the crossed motion could be taken up
    found = sorted(wrapped(branch.values["A0.angle"]) % (2 * pi) for branch in limits.branch_points)
    np.testing.assert_allclose(np.cos(found) ** 2, 1, atol=1e-12)
    assert len(found) == 2 and found[1] - found[0] == pytest.approx(pi, abs=1e-9)


def test_a_kite_goes_round_twice_and_folds_once() -> None:
    """Two short and two long sides, side by side: the long ones swing until they are in line with the short ones."""
    limits = lw.find_limits(drawn_linkages.four_bar((1.0, 2.0, 2.0, 1.0), 1.0, 1))
    assert limits.kind is LinkageClass.CHANGE_POINT
    assert (limits["O"].turns, abs(limits["C"].turns)) == (2, 1)
    # at θ = π the short sides are in line, 2 m long, and the long ones form an equilateral triangle with them
    assert limits["B"].range.width == pytest.approx(2 * pi / 3, abs=1e-12)


# -- couplings ---------------------------------------------------------------------------------------------------------


def test_a_gear_counts_the_turns() -> None:
    limits = lw.find_limits(mechanisms.geared_rotors())
    assert (limits["A"].turns, limits["B"].turns) == (10, 1)


def test_geared_five_bar_against_a_sweep() -> None:
    """Two cranks of which one turns twice as fast; the circuit takes two turns of the fast one."""
    points = {"O": [0, 0], "A": [0.1, 0.3], "B": [0.7, 1.1], "D": [1.1, 0.25], "C": [1.0, 0]}
    bars = {"fast": ["O", "A"], "left": ["A", "B"], "right": ["D", "B"], "slow": ["C", "D"]}
    model = lw.Model(
        space="planar",
        points=points,
        bodies={name: {"bar": ends, "mass": 1} for name, ends in bars.items()},
        joints={
            "O": revolute("ground", "fast"),
            "A": revolute("fast", "left"),
            "B": revolute("left", "right"),
            "D": revolute("slow", "right"),
            "C": revolute("ground", "slow"),
        },
        couplings={"gear": {"joints": ["O", "C"], "ratio": 2}},
    )
    limits = lw.find_limits(model)
    assert (limits["O"].turns, limits["C"].turns, limits.course) == (2, 1, Continuation.CLOSED)
    O, A, B, D, C = (np.array(point) for point in points.values())
    turn = np.linspace(0, 4 * pi, 800_001)

    def turned(start: Array, pivot: Array, angle: Array) -> Array:
        x, y = start - pivot
        return pivot + np.stack([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)], axis=1)

    a, d = turned(A, O, turn), turned(D, C, turn / 2)
    lengths = [float(np.linalg.norm(x)) for x in (B - A, B - D)]
    distance = np.linalg.norm(d - a, axis=1)
    assert distance.max() < sum(lengths), "the dyad never stretches"
    # the angle at B between the two long bars, by the law of cosines
    angle = np.arccos((lengths[0] ** 2 + lengths[1] ** 2 - distance**2) / (2 * lengths[0] * lengths[1]))
    assert limits["B"].range.width == pytest.approx(angle.max() - angle.min(), abs=1e-8)
    assert len(limits["B"].dead_centres) == int(np.sum(np.diff(np.sign(np.diff(angle))) != 0))


@pytest.mark.parametrize("size", [1.0, 10.0])
@pytest.mark.parametrize("turned", [0.0, pi / 4])
def test_a_pin_on_an_ellipse_that_turns_about_its_focus(size: float, turned: float) -> None:
    """The pin slides towards the focus: a − c ≤ r ≤ a + c. The place on the curve is an unknown of the relation."""
    a, c = 0.5 * size, 0.3 * size
    along = [np.cos(turned), np.sin(turned)]
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [(a + c) * x for x in along]},
        bodies={
            "disc": {"points": {"O": [0, 0]}, "origin": "O", "rotation": turned, "mass": 1, "com": [0, 0], "inertia": 1},
            "follower": {"points": {"P": [0, 0]}, "origin": "P", "mass": 1, "com": [0, 0], "inertia": 1},
        },
        joints={
            "O": revolute("ground", "disc"),
            "guide": {"kind": "prismatic", "bodies": ["ground", "follower"], "at": ["O", "P"], "axis": along},
        },
        relations={
            "slot": {
                "kind": "curve", "point": "follower.P", "body": "disc", "x": f"{c} + {a}*cos(u)",
                "y": f"{0.4 * size}*sin(u)",
            }
        },
    )  # fmt: skip
    limits = lw.find_limits(model)
    assert limits.course is Continuation.CLOSED and limits["O"].full_turn
    assert limits["guide"].range.low == pytest.approx(a - c, rel=1e-9)
    assert limits["guide"].range.high == pytest.approx(a + c, rel=1e-9)


def test_a_cam_lifts_its_follower_by_its_lift() -> None:
    limits = lw.find_limits(lw.load(Path(__file__).parents[2] / "src/linkwork/mechanisms/cam_follower.yaml"))
    assert limits.course is Continuation.CLOSED and limits["O"].full_turn
    assert limits["guide"].range.low == pytest.approx(0.05, rel=1e-9)
    assert limits["guide"].range.high == pytest.approx(0.07, rel=1e-9)


# -- what users read ---------------------------------------------------------------------------------------------------


def test_the_input_is_the_driven_joint_else_the_first_at_the_ground() -> None:
    data = drawn_linkages.four_bar((1.0, 2.5, 2.0, 2.2), 1.0, 1).to_dict()
    assert lw.find_limits(lw.Model(**data)).input == "O.angle"
    assert lw.find_limits(lw.Model(**data), "B").input == "B.angle"
    data["drivers"] = {"motor": {"joint": "C", "speed": 1}}
    limits = lw.find_limits(lw.analyse(lw.Model(**data)))
    assert limits.input == "C.angle" and limits["C"].full_turn is False
    assert limits.kind is LinkageClass.ROCKER_CRANK


def test_the_text_names_ranges_dead_centres_and_class() -> None:
    text = str(lw.find_limits(drawn_linkages.slider_crank((0.3, 0.9, 0.0), 1.0, 1)))
    assert "closed circuit; crank-slider" in text
    assert "O.angle         full turns  (input)" in text
    assert "guide.position  0.6 m to 1.2 m" in text
    assert "turns back at 1.2 m (at O.angle = 0.000000 deg)" in text
    flat = lw.find_limits(mechanisms.spatial_four_bar())
    assert flat.kind is LinkageClass.CRANK_ROCKER


def test_other_numbers_of_freedoms_are_refused() -> None:
    triangle = {"points": {"O": [0, 0], "A": [1, 1], "B": [2, 0]}, "space": "planar"}
    bars = {"left": {"bar": ["O", "A"], "mass": 1}, "right": {"bar": ["A", "B"], "mass": 1}}
    pins = {"O": revolute("ground", "left"), "A": revolute("left", "right"), "B": revolute("ground", "right")}
    for model, text in (
        (linkages.arm(), "3 degrees of freedom"),
        (mechanisms.heavy_top(), "no joint coordinate"),
        (lw.Model(**triangle, bodies=bars, joints=pins), "no degree of freedom"),
    ):
        with pytest.raises(lw.errors.RefusedError, match=text):
            lw.find_limits(model)


def test_unknown_names_are_answered_with_known_ones() -> None:
    limits = lw.find_limits(mechanisms.simple_pendulum())
    with pytest.raises(lw.errors.UnknownNameError, match=r"O\.angle"):
        limits["O.angel"]
    with pytest.raises(lw.errors.UnknownNameError, match=r"O\.angle"):
        lw.find_limits(mechanisms.simple_pendulum(), "O.angel")


# -- the limit just ahead ----------------------------------------------------------------------------------------------

ROCKER = (1.5, 1.9, 1.2, 2.6)
HIGHEST = four_bar_limits(*ROCKER).input[0].high


@pytest.mark.parametrize("back", [0.1, 1e-3, 1e-7, 0.0])
def test_the_limit_ahead_is_exact_from_any_distance(back: float) -> None:
    topology = lw.analyse(drawn_linkages.four_bar(ROCKER, HIGHEST - back, 1))
    p = topology.geometry.defaults
    limit = limit_near(topology, topology.assembly.poses, p, "O", sense=1)
    assert limit is not None
    assert limit.value == pytest.approx(HIGHEST, abs=1e-12)
    # a position within rounding errors of the limit cannot be closed any better
    assert limit.ahead == pytest.approx(back, abs=1e-10)
    assert limit.joints == ("A", "B", "C")
    assert np.abs(topology.conditions.evaluate(limit.poses, p)[0]).max() < 1e-12
    either = limit_near(topology, topology.assembly.poses, p, "O")
    assert either is not None and either.value == pytest.approx(HIGHEST, abs=1e-12)


def test_there_is_no_limit_ahead_of_a_crank_or_in_the_other_direction() -> None:
    topology = lw.analyse(drawn_linkages.four_bar(ROCKER, HIGHEST - 0.01, 1))
    assert limit_near(topology, topology.assembly.poses, topology.geometry.defaults, "O", sense=-1) is None
    crank = lw.analyse(mechanisms.four_bar())
    assert limit_near(crank, crank.assembly.poses, crank.geometry.defaults, "O", sense=1) is None


def test_fixed_parameters_evaluate_as_any_do() -> None:
    for model in (mechanisms.four_bar(), mechanisms.bricard(), mechanisms.heavy_top()):
        topology = lw.analyse(model)
        poses, p = topology.assembly.poses, topology.geometry.defaults
        evaluate = topology.conditions.evaluator(p)
        for _ in range(2):
            for fast, plain in zip(evaluate(poses), topology.conditions.evaluate(poses, p), strict=True):
                np.testing.assert_array_equal(fast, plain)


def test_angles_that_turn_on_and_on_are_told_between_minus_180_and_180_degrees() -> None:
    limits = lw.find_limits(lw.example("four_bar"))
    told = [float(found) for found in re.findall(r"O\.angle = (-?[\d.]+) deg", str(limits))]
    assert len(told) == 4 and all(-180.0 < angle <= 180.0 for angle in told)
    # crank and coupler in line: B is 4 - 1 away from O, behind the crank, and 4 + 1
    behind, ahead = (np.degrees(np.arccos((arm**2 + 3**2 - 3.5**2) / (6 * arm))) for arm in (3.0, 5.0))
    np.testing.assert_allclose(told[2:], [behind - 180.0, ahead], atol=1e-6)
