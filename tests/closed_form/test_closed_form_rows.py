"""Every row of the table of chains, against Newton from many starts and against the linearised closure."""

from __future__ import annotations

from itertools import product

import casadi as ca
import numpy as np
import pytest
from compiled_closed_form import INPUT_TWIST, assemblies, closed_form
from loop_chains import Array, Chain, distance, distinct, hat, implicit_rates, newton, random_chain

from linkwork.algebra.frames import Frame
from linkwork.closed_form.base import ChainElement
from linkwork.closed_form.recognise import ChainRow, all_rows, solve

ROWS = pytest.mark.parametrize("row", all_rows(), ids=lambda row: row.row)
STARTS = (90, 200, 400, 900)
"""Starts of Newton by the number of screws; each screw has three assemblies per branch in three turns."""
COUNTS = {4: {0, 2, 4}, 2: {2}, 1: {1}}
"""Real assemblies of a loop that can be assembled, by the degree of its equation."""


def in_three_turns(chain: Chain) -> list[tuple[list[Array], list[Array]]]:
    """The assemblies of all combinations of turn numbers −1, 0, 1 of the screws."""
    screws = [i for i, kind in enumerate(chain.kinds) if kind == "S"]
    found = []
    for combination in product((-1, 0, 1), repeat=len(screws)):
        turns = np.zeros(len(chain.kinds))
        turns[screws] = combination
        found += assemblies(chain, turns)
    return found


def gap(chain: Chain, frames: list[Array]) -> float:
    """Closure error |T₁ … Tₙ − D| relative to the size of the loop."""
    total = np.linalg.multi_dot([np.eye(4), *frames])
    return float(np.abs(total - chain.displacement).max() / (chain.size + max(np.abs(f[:3, 3]).max() for f in frames)))


@ROWS
def test_all_assemblies_of_newton_and_no_others(row: ChainRow) -> None:
    rng = np.random.default_rng(5)
    for _ in range(2):
        chain = random_chain(row.kinds, rng)
        screws = chain.kinds.count("S")
        closed = distinct([frames for frames, _ in in_three_turns(chain)])
        iterated = newton(chain, rng, STARTS[screws])
        assert len(closed) == len(iterated)
        assert len(closed) in {count * 3**screws for count in COUNTS[row.degree]}
        for frames in iterated:
            assert min(distance(frames, other) for other in closed) < 1e-7


@ROWS
def test_closes_and_moves_with_the_input(row: ChainRow) -> None:
    rng = np.random.default_rng(17)
    seen = set()
    for _ in range(20):
        chain = random_chain(row.kinds, rng)
        found = assemblies(chain)
        seen.add(len(found))
        for frames, rates in found:
            assert gap(chain, frames) < 1e-12
            expected = implicit_rates(chain, frames, INPUT_TWIST)
            size = 1 + max(np.abs(twist).max() for twist in expected)
            for frame, rate, twist in zip(frames, rates, expected, strict=True):
                # dM M⁻¹ = [ω̃ v; 0 0]
                spin = rate @ np.linalg.inv(frame)
                assert np.array([spin[2, 1], spin[0, 2], spin[1, 0], *spin[:3, 3]]) == pytest.approx(
                    twist, abs=1e-8 * size
                )
    assert seen <= COUNTS[row.degree]
    assert max(seen) == row.branches


@ROWS
def test_out_of_reach_is_not_valid_but_finite(row: ChainRow) -> None:
    """Where Newton finds nothing the closed form has no valid branch; its numbers stay finite all the same."""
    rng = np.random.default_rng(23)
    for _ in range(10):
        chain = random_chain(row.kinds, rng)
        n = len(chain.kinds)
        away = chain.displacement.copy()
        away[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        away[:3, :3] *= np.linalg.det(away[:3, :3])
        away[:3, 3] *= 4
        moved = Chain(chain.kinds, chain.axes, chain.points, chain.pitches, away)
        for values in closed_form(chain.kinds)(moved.flat, np.zeros(n), 0.0):
            assert np.isfinite(np.array(values)).all()
        for frames, _ in assemblies(moved):
            assert gap(moved, frames) < 1e-12


@pytest.mark.parametrize("kinds", ["RFPR", "FRRR", "RSPPPR", "CGR", "CSF"])
def test_coordinates_make_the_frames(kinds: str) -> None:
    """The turns and slides that a branch reports reproduce its frames; a flat joint stays in its plane."""
    rng = np.random.default_rng(2)
    chain = random_chain(kinds, rng)
    elements = [
        ChainElement(kind, ca.SX(axis), ca.SX(point), ca.SX(pitch))
        for kind, axis, point, pitch in zip(chain.kinds, chain.axes, chain.points, chain.pitches, strict=True)
    ]
    given = Frame(ca.SX(chain.displacement[:3, 3]), ca.SX(chain.displacement[:3, :3]))
    for branch in solve(elements, given):
        if float(branch.valid) < 0:
            continue
        for i, motion in enumerate(branch.motions):
            axis, point = chain.axes[i], chain.points[i]
            c, s = (1.0, 0.0) if motion.turn is None else map(float, motion.turn)
            slide = np.zeros(3) if motion.slide is None else np.array(ca.DM(motion.slide)).ravel() * np.ones(3)
            if chain.kinds[i] in "PCS":
                slide = slide * axis
            axes, origin = np.array(ca.DM(motion.frame.axes)), np.array(ca.DM(motion.frame.origin)).ravel()
            if chain.kinds[i] != "G":
                k = hat(axis)
                assert axes == pytest.approx(np.eye(3) + s * k + (1 - c) * k @ k, abs=1e-13)
            assert axes @ point + origin == pytest.approx(point + slide, abs=1e-12)
            if chain.kinds[i] == "F":
                assert slide @ axis == pytest.approx(0, abs=1e-12)
            if chain.kinds[i] == "S":
                angle = slide @ axis / chain.pitches[i]
                assert (np.cos(angle), np.sin(angle)) == pytest.approx((c, s), abs=1e-12)


def test_screw_angle_takes_whole_turns() -> None:
    """Another turn number is another assembly; the screw itself has advanced by pitch × 2π."""
    chain = random_chain("SPPRRP", np.random.default_rng(3))
    screw = chain.kinds.index("S")
    turns = np.zeros(6)
    here = assemblies(chain, turns)[0][0][screw]
    turns[screw] = 1
    further = assemblies(chain, turns)[0][0][screw]
    advance = 2 * np.pi * chain.pitches[screw] * chain.axes[screw]
    assert further[:3, :3] == pytest.approx(here[:3, :3], abs=1e-14)
    assert further[:3, 3] - here[:3, 3] == pytest.approx(advance, abs=1e-13)
