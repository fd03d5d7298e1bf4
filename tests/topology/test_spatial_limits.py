"""Limits of motions in space against exact relations: spherical, Bennett, Bricard, and a rod that may spin."""

from __future__ import annotations

from math import pi

import drawn_linkages
import linkages
import mechanisms
import numpy as np
import pytest
from drawn_linkages import revolute
from numpy.typing import NDArray

import linkwork as lw
from linkwork.position.circuit import Continuation, trace
from linkwork.position.tracing import PoseCurve

Array = NDArray[np.float64]


def test_spherical_four_bar_stops_where_its_coupler_and_output_lie_on_one_great_circle() -> None:
    limits = lw.find_limits(linkages.spherical_four_bar())
    axes = [np.array(v) / np.linalg.norm(v) for v in ((1, 0, 0), (0.8, 0.3, 0.5), (0.2, 0.7, 0.6), (0, 1, 0))]
    ground, crank, coupler, output = (np.arccos(axes[i] @ axes[j]) for i, j in ((0, 3), (0, 1), (1, 2), (2, 3)))
    # spherical law of cosines for the side between the crank's end and the output's axis
    stretched = (np.cos(coupler + output) - np.cos(crank) * np.cos(ground)) / (np.sin(crank) * np.sin(ground))
    folded = (np.cos(coupler - output) - np.cos(crank) * np.cos(ground)) / (np.sin(crank) * np.sin(ground))
    assert abs(stretched) < 1 < folded
    # the angle at A from the ground's great circle to the crank's, about A
    across = axes[3] - (axes[3] @ axes[0]) * axes[0]
    to_crank = axes[1] - (axes[1] @ axes[0]) * axes[0]
    drawn = np.arctan2(np.cross(across, to_crank) @ axes[0], across @ to_crank)
    ends = np.array([-np.arccos(stretched), np.arccos(stretched)]) - drawn
    assert [limits["A"].range.low, limits["A"].range.high] == pytest.approx(ends, abs=1e-12)


def bennett(theta: float) -> tuple[lw.Model, float]:
    """Bennett's linkage in a position, and its constant tan(θ/2) tan(φ/2)."""
    a, alpha, beta = 0.4, 0.6, 1.3
    b = a * np.sin(beta) / np.sin(alpha)
    constant = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    phi = 2 * np.arctan(constant / np.tan(theta / 2))

    def link(turn: float, length: float, twist: float) -> Array:
        c, s, ct, st = np.cos(turn), np.sin(turn), np.cos(twist), np.sin(twist)
        return np.array(
            [[c, -s * ct, s * st, length * c], [s, c * ct, -c * st, length * s], [0, st, ct, 0], [0, 0, 0, 1]]
        )

    frame, places, ways = np.eye(4), [], []
    for turn, length, twist in ((theta, a, alpha), (phi, b, beta), (-theta, a, alpha), (-phi, b, beta)):
        places.append(frame[:3, 3].tolist())
        ways.append(frame[:3, 2].tolist())
        frame = frame @ link(turn, length, twist)
    np.testing.assert_allclose(frame, np.eye(4), atol=1e-12)
    order = ["ground", "l1", "l2", "l3", "ground"]
    model = lw.Model(
        space="spatial",
        points=dict(zip("ABCD", places, strict=True)),
        bodies={f"l{i + 1}": {"bar": ["ABCD"[i], "ABCD"[i + 1]], "mass": 1, "radius": 0.01} for i in range(3)},
        joints={name: revolute(order[i], order[i + 1], axis=ways[i]) for i, name in enumerate("ABCD")},
    )
    return model, float(constant)


def test_bennett_turns_fully_and_keeps_its_relation_all_the_way() -> None:
    theta = 0.9
    model, constant = bennett(theta)
    topology = lw.analyse(model)
    limits = lw.find_limits(topology)
    assert limits.course is Continuation.CLOSED and not limits.branch_points
    assert all(item.full_turn for item in limits.coordinates.values())
    assert all(not item.dead_centres for item in limits.coordinates.values())
    curve = PoseCurve(
        topology.conditions, topology.mobility.by_rank, topology.assembly.poses, topology.geometry.defaults
    )
    start = curve.start()
    assert start is not None
    phi = 2 * np.arctan(constant / np.tan(theta / 2))
    first, second, third = (topology.conditions.index(name, "angle") for name in "ABC")
    steps = trace(curve, start).steps
    for step in steps:
        moved = step.end.values - start.values
        a, b = (theta + moved[first]) / 2, (phi + moved[second]) / 2
        assert np.sin(a) * np.sin(b) == pytest.approx(constant * np.cos(a) * np.cos(b), abs=1e-12)
        assert moved[third] == pytest.approx(-moved[first], abs=1e-12)
    assert len(steps) > 10


def test_a_rod_that_may_spin_does_not_hide_the_limits() -> None:
    limits = lw.find_limits(drawn_linkages.rssr())
    assert lw.analyse(drawn_linkages.rssr()).freedoms == 2
    assert limits.course is Continuation.CLOSED and limits["O"].full_turn
    assert [limits["C"].range.low, limits["C"].range.high] == pytest.approx(drawn_linkages.rssr_limits(), abs=1e-12)


def test_bricard_swings_through_240_degrees() -> None:
    # all six angles of the symmetric loop go from −30° to 210° of the drawn position
    limits = lw.find_limits(mechanisms.bricard())
    for item in limits.coordinates.values():
        assert [item.range.low, item.range.high] == pytest.approx([-pi / 6, 7 * pi / 6], abs=1e-11)
