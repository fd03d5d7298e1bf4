"""One branch alone, by its side or by nearness, against all branches together; with symbols and with numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import casadi as ca
import numpy as np
import pytest
from compiled_closed_form import closed_form
from loop_chains import Array, Chain, newton, random_chain
from test_special_geometry import CASES, special_chain

from linkwork.algebra.frames import Frame
from linkwork.closed_form.base import ChainBranch, ChainElement, Guess
from linkwork.closed_form.outer_pair import Outer, nearest_pair, solve_pair
from linkwork.closed_form.recognise import ChainRow, all_rows, find_row, follow, solve, solve_on
from linkwork.errors import RefusedError

TWO = pytest.mark.parametrize("row", [row for row in all_rows() if row.branches == 2], ids=lambda row: row.row)
FOUR = pytest.mark.parametrize("row", [row for row in all_rows() if row.branches == 4], ids=lambda row: row.row)
FOUR_CASES = [name for name, (kinds, _, _) in CASES.items() if find_row(kinds).branches == 4]
GEOMETRY = pytest.mark.parametrize("fixed", [False, True], ids=["symbols", "numbers"])
"""Whether the chain is made of numbers, with the displacement alone as symbols: what can be decided then is decided."""


def elements_of(kinds: str, numbers: ca.SX) -> tuple[list[ChainElement], Frame]:
    """The elements and the displacement of a chain from the vector of all its numbers."""
    n = len(kinds)
    axes, points = ca.reshape(numbers[: 3 * n], 3, n), ca.reshape(numbers[3 * n : 6 * n], 3, n)
    elements = [ChainElement(kinds[i], axes[:, i], points[:, i], numbers[6 * n + i]) for i in range(n)]
    return elements, Frame(numbers[7 * n + 9 :], ca.reshape(numbers[7 * n : 7 * n + 9], 3, 3))


def flat(branch: ChainBranch) -> list[ca.SX]:
    """Validity and frames (12 n) of a branch."""
    frames = [ca.vec(ca.horzcat(m.frame.axes, m.frame.origin)) for m in branch.motions]
    return [ca.densify(branch.valid), ca.densify(ca.vertcat(*frames))]


def coordinates(branch: ChainBranch, kinds: str) -> ca.SX:
    """(cosine, sine, slide) of every element, 3 × n; nought where it has none."""
    columns = []
    for kind, motion in zip(kinds, branch.motions, strict=True):
        turn = motion.turn if motion.turn is not None and kind != "F" else (ca.SX(0), ca.SX(0))
        slide = motion.slide if motion.slide is not None and kind in "PC" else ca.SX(0)
        columns.append(ca.vertcat(*turn, slide))
    return ca.horzcat(*columns)


def guesses_of(kinds: str, given: ca.SX, known: Sequence[bool]) -> list[Guess]:
    """Guesses of the elements that are *known*, from their coordinates *given* (3 × n)."""
    found = []
    for i, kind in enumerate(kinds):
        turn = (given[0, i], given[1, i]) if known[i] and kind in "RC" else None
        found.append(Guess(turn, given[2, i] if known[i] and kind in "PC" else None))
    return found


@cache
def all_coordinates(kinds: str) -> ca.Function:
    numbers = ca.SX.sym("numbers", 7 * len(kinds) + 12)
    branches = solve(*elements_of(kinds, numbers))
    valid = ca.vertcat(*[branch.valid for branch in branches])
    return ca.Function("all", [numbers], [valid, *[coordinates(branch, kinds) for branch in branches]])


@cache
def sided(kinds: str) -> ca.Function:
    numbers, side = ca.SX.sym("numbers", 7 * len(kinds) + 12), ca.SX.sym("side")
    return ca.Function("on", [numbers, side], flat(solve_on(*elements_of(kinds, numbers), side)))


@cache
def followed(kinds: str, known: tuple[bool, ...]) -> ca.Function:
    numbers, given = ca.SX.sym("numbers", 7 * len(kinds) + 12), ca.SX.sym("given", 3, len(kinds))
    branch = follow(*elements_of(kinds, numbers), guesses_of(kinds, given, known))
    return ca.Function("follow", [numbers, given], [*flat(branch), coordinates(branch, kinds)])


def split_numbers(chain: Chain) -> tuple[ca.SX, ca.SX]:
    """All numbers of a chain, with those of the displacement as symbols; and these symbols."""
    moving = ca.SX.sym("displacement", 12)
    return ca.vertcat(ca.SX(chain.flat[:-12]), moving), moving


def on_side(chain: Chain, side: int, fixed: bool) -> list[Array]:
    if not fixed:
        return [np.array(item).ravel() for item in sided(chain.kinds)(chain.flat, side)]
    numbers, moving = split_numbers(chain)
    symbol = ca.SX.sym("side")
    function = ca.Function("on", [moving, symbol], flat(solve_on(*elements_of(chain.kinds, numbers), symbol)))
    return [np.array(item).ravel() for item in function(chain.flat[-12:], side)]


def nearest(chain: Chain, given: Array, known: Sequence[bool], fixed: bool) -> list[Array]:
    """Validity, frames and coordinates of the branch nearest to coordinates *given* (3 × n)."""
    if not fixed:
        return [np.array(item) for item in followed(chain.kinds, tuple(known))(chain.flat, given)]
    numbers, moving = split_numbers(chain)
    symbols = ca.SX.sym("given", 3, len(chain.kinds))
    branch = follow(*elements_of(chain.kinds, numbers), guesses_of(chain.kinds, symbols, known))
    function = ca.Function("follow", [moving, symbols], [*flat(branch), coordinates(branch, chain.kinds)])
    return [np.array(item) for item in function(chain.flat[-12:], given)]


def real_ones(chain: Chain) -> list[Array]:
    """Coordinates (3 × n) of the real branches of all."""
    valid, *found = all_coordinates(chain.kinds)(chain.flat)
    return [np.array(item) for item, ok in zip(found, np.array(valid).ravel() >= 0, strict=True) if ok]


def blurred(given: Array, size: float, rng: np.random.Generator) -> Array:
    """Coordinates turned and moved at random by *size*."""
    angle = np.arctan2(given[1], given[0]) + size * rng.uniform(-1, 1, given.shape[1])
    return np.array([np.cos(angle), np.sin(angle), given[2] + size * rng.uniform(-1, 1, given.shape[1])])


def everything(kinds: str) -> list[bool]:
    return [True] * len(kinds)


@GEOMETRY
@TWO
def test_a_side_is_the_branch_of_that_number(row: ChainRow, fixed: bool) -> None:
    rng = np.random.default_rng(31)
    for _ in range(2 if fixed else 10):
        chain = random_chain(row.kinds, rng)
        valid, frames, _ = closed_form(chain.kinds)(chain.flat, np.zeros(len(chain.kinds)), 0.0)
        for number, side in enumerate((1, -1)):
            alone = on_side(chain, side, fixed)
            # the size of the validity depends on the unit of length, its sign does not
            assert (alone[0] >= 0) == (float(valid[number]) >= 0)
            wanted = np.array(frames[:, number]).ravel()
            # both close; nearly special chains magnify rounding errors of the coordinates
            assert alone[1] == pytest.approx(wanted, abs=1e-9 * (1 + np.abs(wanted).max()))


@GEOMETRY
@FOUR
def test_following_a_branch_gives_that_branch(row: ChainRow, fixed: bool) -> None:
    """From near every real branch, and with any one element, as the cut one, not known."""
    rng = np.random.default_rng(41)
    for _ in range(1 if fixed else 4):
        chain = random_chain(row.kinds, rng)
        for wanted in real_ones(chain):
            start = blurred(wanted, 1e-4, rng)
            for hidden in range(len(chain.kinds)):
                known = [i != hidden for i in range(len(chain.kinds))]
                valid, _, found = nearest(chain, start, known, fixed)
                assert valid >= 0
                assert found == pytest.approx(wanted, abs=1e-9 * (1 + np.abs(wanted).max()))


@GEOMETRY
@pytest.mark.parametrize("name", FOUR_CASES)
def test_following_in_special_geometry(name: str, fixed: bool) -> None:
    """Where the quartic falls to square roots two branches can share the value of an outer freedom."""
    rng = np.random.default_rng(43)
    for away in (0.0,) if fixed else (0.0, 1e-6, 1e-4, 1e-2):
        chain = special_chain(name, rng, away)
        for wanted in real_ones(chain):
            start = blurred(wanted, 1e-6, rng)
            for hidden in (chain.kinds.index("G") if "G" in chain.kinds else chain.kinds.index("F"), 0):
                known = [i != hidden for i in range(len(chain.kinds))]
                valid, _, found = nearest(chain, start, known, fixed)
                assert valid >= 0
                assert found == pytest.approx(wanted, abs=1e-7 * (1 + np.abs(wanted).max()))


@pytest.mark.parametrize("name", [*(row.row for row in all_rows() if row.branches == 4), *FOUR_CASES])
def test_a_branch_that_is_not_real_is_never_the_nearest(name: str) -> None:
    """From anywhere: as long as there is a real branch, a real one is found, and it closes."""
    rng = np.random.default_rng(47)
    not_all_real = 0
    for _ in range(20):
        special = name in CASES
        chain = special_chain(name, rng, 0.0) if special else random_chain(find_row_named(name).kinds, rng)
        real = real_ones(chain)
        not_all_real += 0 < len(real) < 4
        for _ in range(4 if real else 0):
            start = blurred(np.zeros((3, len(chain.kinds))), np.pi, rng)
            valid, _, found = nearest(chain, start, everything(chain.kinds), False)
            assert valid >= 0
            assert min(np.abs(found - item).max() / (1 + np.abs(item).max()) for item in real) < 1e-7
    # where axes meet or are parallel all four can be real whenever one is
    assert name in CASES or not_all_real > 3


def find_row_named(name: str) -> ChainRow:
    return next(row for row in all_rows() if row.row == name)


@pytest.mark.parametrize("turning", [True, False], ids=["turn", "slide"])
def test_of_nested_equations_a_real_pair_is_the_nearest(turning: bool) -> None:
    """Rank one: where the outer equation has no root for the inner root that is near, the other inner root is taken."""
    rng = np.random.default_rng(67)
    numbers, guess = ca.SX.sym("numbers", 10), ca.SX.sym("guess", 4)
    # the matrix of the eliminated turn is the product of a column and a row
    gone = Outer(True, ca.horzcat(numbers[:2], numbers[2:4] @ numbers[4:6].T), ca.SX(0))
    kept = Outer(turning, ca.horzcat(ca.SX([0.1, -0.2]), ca.reshape(numbers[6:], 2, 2)), ca.SX(0))
    of_kept = (guess[0], guess[1]) if turning else guess[0]
    found = nearest_pair(kept, gone, of_kept, (guess[2], guess[3]))
    pairs = [*solve_pair(kept, gone), found]
    values = [
        ca.vertcat(*pair.first, *pair.third) if turning else ca.vertcat(pair.first, *pair.third) for pair in pairs
    ]
    valid = ca.vertcat(*[pair.valid for pair in pairs])
    function = ca.Function("pairs", [numbers, guess], [valid, ca.horzcat(*values)])
    mixed = 0
    for _ in range(400):
        angles = rng.uniform(-np.pi, np.pi, 2)
        start = [np.cos(angles[0]), np.sin(angles[0]), np.cos(angles[1]), np.sin(angles[1])]
        valid, values = (np.array(item) for item in function(rng.normal(size=10), start))
        real = np.flatnonzero(valid[:4].ravel() >= 0)
        mixed += len(real) == 2
        if len(real):
            assert valid[4] >= 0
            assert np.abs(values[:, [4]] - values[:, real]).max(axis=0).min() < 1e-12
        else:
            assert valid[4] < 0
    assert mixed > 50


@pytest.mark.parametrize("kinds", ["RRRG", "RPRG", "RCG", "RRRF"])
def test_the_nearest_in_the_outer_turns_is_found(kinds: str) -> None:
    """Of all real branches the one whose outer turns are nearest to a guess anywhere; these chains are in their order."""
    rng = np.random.default_rng(53)
    outer = [0, 1] if kinds == "RCG" else [0, 2]
    for _ in range(25):
        chain = random_chain(kinds, rng)
        while chain.kinds != kinds:
            chain = random_chain(kinds, rng)
        real = real_ones(chain)
        for _ in range(4 if real else 0):
            start = blurred(np.zeros((3, len(kinds))), np.pi, rng)
            scores = [float(np.sum(item[:2, outer] * start[:2, outer])) for item in real]
            found = nearest(chain, start, everything(kinds), False)[2]
            best = real[int(np.argmax(scores))]
            if len(real) > 1 and np.diff(np.sort(scores)[-2:])[0] < 1e-6:
                continue  # as near as the next one
            assert found == pytest.approx(best, abs=1e-8 * (1 + np.abs(best).max()))


@GEOMETRY
@FOUR
def test_a_followed_branch_is_one_of_newton(row: ChainRow, fixed: bool) -> None:
    """The frames of what is followed, against multistart Newton on the closure."""
    rng = np.random.default_rng(59)
    chain = random_chain(row.kinds, rng)
    iterated = newton(chain, rng, 90)
    start = blurred(np.zeros((3, len(chain.kinds))), np.pi, rng)
    valid, frames, _ = nearest(chain, start, everything(chain.kinds), fixed)
    assert valid >= 0
    blocks = np.swapaxes(frames.reshape(len(chain.kinds), 4, 3), 1, 2)
    assert min(np.abs(blocks - np.array(other)[:, :3]).max() for other in iterated) < 1e-7


def test_out_of_reach_a_followed_branch_is_finite_and_not_valid() -> None:
    rng = np.random.default_rng(61)
    for kinds in ("RRRG", "RPRG", "RCG", "RRRF", "PRRG"):
        chain = random_chain(kinds, rng)
        away = chain.displacement.copy()
        away[:3, 3] += 100.0 * (1 + chain.size) * np.array([1.0, 2.0, -1.0])
        if set(chain.kinds) & set("PC"):
            away[:3, 3] = 1e6 * np.cross(chain.axes[chain.kinds.index("C" if "C" in kinds else "P")], [0.3, 0.5, 0.8])
        moved = Chain(chain.kinds, chain.axes, chain.points, chain.pitches, away)
        start = blurred(np.zeros((3, len(kinds))), 0.1, rng)
        valid, frames, _ = nearest(moved, start, everything(kinds), False)
        assert np.isfinite(frames).all()
        if "F" not in kinds:
            assert valid < 0


def test_refusals_name_the_loop() -> None:
    four = [ChainElement(kind, ca.SX([0, 0, 1]), ca.SX(3, 1)) for kind in "RRRG"]
    two = [ChainElement(kind, ca.SX([0, 0, 1]), ca.SX(3, 1)) for kind in "CCC"]
    with pytest.raises(RefusedError, match="3R1G has 4 branches, not 2"):
        solve_on(four, Frame.identity(3), 1)
    with pytest.raises(RefusedError, match="3C has 2 branches, not 4"):
        follow(two, Frame.identity(3), [Guess()] * 3)
    with pytest.raises(RefusedError, match="no element of the loop 3R1G has a guess"):
        follow(four, Frame.identity(3), [Guess()] * 4)
