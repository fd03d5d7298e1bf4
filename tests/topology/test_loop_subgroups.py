"""Subgroups of loops and the freedoms that follow from them, beside Grübler's count and the rank; passive spins."""

from __future__ import annotations

from math import asin, pi, sin, tan
from math import atan as arctan
from pathlib import Path
from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest

import linkwork as lw
from linkwork.topology.loop_subgroups import count_freedoms, find_loop_subgroups

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"


def bennett(a: float = 1.0, b: float = 1.4, alpha: float = 0.6, theta: float = 1.1) -> lw.Model:
    """Bennett's linkage: opposite links have equal lengths a, b and twists α, β with a sin β = b sin α.

    SOURCE: J. E. Baker, "The Bennett, Goldberg and Myard linkages", Mechanism and Machine Theory 14 (1979):
    tan(θ₁/2) tan(θ₂/2) = sin((β + α)/2) / sin((β − α)/2), θ₃ = 2π − θ₁, θ₄ = 2π − θ₂.
    """
    beta = asin(b * sin(alpha) / a)
    other = 2 * arctan(sin((beta + alpha) / 2) / sin((beta - alpha) / 2) / tan(theta / 2))
    turns, lengths, twists = (theta, other, -theta, -other), (a, b, a, b), (alpha, beta, alpha, beta)
    frame, places, axes = np.eye(4), [], []
    for turn, length, twist in zip(turns, lengths, twists, strict=True):
        places.append(frame[:3, 3].tolist())
        axes.append(frame[:3, 2].tolist())
        c, s, ct, st = np.cos(turn), np.sin(turn), np.cos(twist), np.sin(twist)
        # Denavit and Hartenberg: turn about z, length along x, twist about x
        frame = frame @ np.array(
            [[c, -s * ct, s * st, length * c], [s, c * ct, -c * st, length * s], [0, st, ct, 0], [0, 0, 0, 1]]
        )
    np.testing.assert_allclose(frame, np.eye(4), atol=1e-12)
    names = ("A", "B", "C", "D")
    chain = ("ground", "one", "two", "three", "ground")
    return lw.Model(
        space="spatial",
        points=dict(zip(names, places, strict=True)),
        bodies={
            body: {"bar": [names[i], names[i + 1]], "mass": 1, "radius": 0.05} for i, body in enumerate(chain[1:4])
        },
        joints={name: linkages.revolute(chain[i], chain[i + 1], axis=axes[i]) for i, name in enumerate(names)},
    )


@pytest.mark.parametrize(
    ("make", "subgroup", "conditions", "by_subgroup", "by_count", "by_rank"),
    [
        (mechanisms.four_bar, "planar", 3, 1, 1, 1),
        (mechanisms.spatial_four_bar, "planar", 3, 1, -2, 1),
        (linkages.spherical_four_bar, "spherical", 3, 1, -2, 1),
        # two pairs of hinges: 3 + 3 − 1 conditions, since both planar motions have one translation in common
        (linkages.sarrus, "spatial", 5, 1, 0, 1),
        # no subgroup explains why Bennett's linkage moves; the rank sees that it does
        (bennett, "spatial", 6, -2, -2, 1),
        (lambda: lw.load(LIBRARY / "rccc.yaml"), "spatial", 6, 1, 1, 1),
        (lambda: lw.load(LIBRARY / "rggr.yaml"), "spatial", 6, 2, 2, 2),
        # spindle and nut move in a cylinder, the pins in a plane: 2 + 3 − 1
        (linkages.screw_jack, "spatial", 4, 1, -1, 1),
    ],
)
def test_freedoms_by_subgroup_by_count_and_by_rank(
    make: Any, subgroup: str, conditions: int, by_subgroup: int, by_count: int, by_rank: int
) -> None:
    topology = lw.analyse(make())
    (loop,) = find_loop_subgroups(topology)
    assert (loop.subgroup, loop.conditions) == (subgroup, conditions)
    assert loop.joints == topology.loops[0]
    assert count_freedoms(topology) == by_subgroup
    assert (topology.mobility.by_count, topology.freedoms) == (by_count, by_rank)


def test_bennetts_linkage_moves_through_a_whole_turn() -> None:
    limits = lw.find_limits(bennett())
    assert limits["A"].full_turn
    assert abs(limits["A"].range.width - 2 * pi) < 1e-9


def test_several_loops_are_not_counted_by_subgroups() -> None:
    topology = lw.analyse(linkages.six_bar())
    assert [loop.conditions for loop in find_loop_subgroups(topology)] == [3, 3]
    assert count_freedoms(topology) is None
    assert count_freedoms(lw.analyse(mechanisms.simple_pendulum())) is None


def test_joints_outside_the_loop_count_with_all_their_freedoms() -> None:
    data = mechanisms.four_bar().to_dict()
    data["points"]["Q"] = [3.4, 2.5]
    data["bodies"]["flap"] = {"bar": ["B", "Q"], "mass": 1}
    data["joints"]["hinge"] = {"kind": "revolute", "bodies": ["coupler", "flap"], "at": "B"}
    topology = lw.analyse(lw.Model(**data))
    assert count_freedoms(topology) == topology.freedoms == 2


def test_a_link_between_two_balls_spins_freely() -> None:
    topology = lw.analyse(lw.load(LIBRARY / "rggr.yaml"))
    assert topology.planner.passive == ("coupler",) == topology.plan.passive
    assert "of these passive: spin of coupler" in str(topology)
    # the spin moves nothing else: one input is enough
    assert len(topology.plan.inputs) == 1
    assert lw.analyse(linkages.rscr()).planner.passive == ()


REPORTS = [
    (
        mechanisms.spatial_four_bar,
        (
            "by the subgroup of the loop: 1 (4 of the joints - 3)",
            "1: B - A - O - C: planar, 3 independent constraints of 6",
            "inputs: independent O.angle",
            "1: O: known",
            "2: A-B-C: dyad RRR (planar), gives A.angle, C.angle; branches: left (in use), right",
        ),
    ),
    (
        linkages.sarrus,
        ("spatial, 5 independent constraints of 6", "by the subgroup of the loop: 1 (6 of the joints - 5)"),
    ),
    (
        lambda: lw.load(LIBRARY / "eight_bar.yaml"),
        ("3: D-E-F-P-Q-R: Newton's method on 4 unknowns (planar), gives D.angle, E.angle, F.angle, P.angle",),
    ),
    (
        mechanisms.geared_rotors,
        ("inputs: independent A.angle", "2: B: linear relation gear, gives B.angle", "No loops: an open mechanism"),
    ),
    (
        lambda: lw.Model(
            **{**mechanisms.four_bar().to_dict(), "initial": {}, "drivers": {"motor": {"joint": "O", "speed": 1}}}
        ),
        ("inputs: driven O.angle", "crank-rocker", "O.angle: full turns"),
    ),
    (lambda: lw.load(LIBRARY / "slider_crank.yaml"), ("crank-slider", "branches: ahead (in use), behind")),
]


@pytest.mark.parametrize(("make", "lines"), REPORTS)
def test_the_report_tells_the_plan(make: Any, lines: tuple[str, ...]) -> None:
    text = str(lw.analyse(make()))
    for line in lines:
        assert line in text


def test_an_input_that_turns_back_is_reported_with_its_range() -> None:
    data = mechanisms.four_bar().to_dict()
    # SOURCE: docs, the triple-rocker of find_limits; cos θ = (1.5² + 3² − 3.1²)/(2·1.5·3)
    lengths = {"crank": 1.5, "coupler": 1.9, "rocker": 1.2}
    data["points"] = {"O": [0, 0], "A": [0.9, 1.2], "B": [2.7, 1.1], "C": [3, 0]}
    for name, length in lengths.items():
        data["bodies"][name]["length"] = length
    limit = np.degrees(np.arccos((1.5**2 + 3**2 - 3.1**2) / 9))
    assert f"O.angle: {-limit:.6f} deg to {limit:.6f} deg" in str(lw.analyse(lw.Model(**data)))
