"""Branches that meet in a position: their directions are exact, and so are the quadratic forms that they satisfy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from linkages import flat_four_bar

import linkwork as lw
from linkwork.position.branching import Meeting
from linkwork.position.condition_rows import relations_of

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
WIDE = 3e-3


def meeting_of(model: lw.Model) -> Meeting:
    topology = lw.analyse(model)
    return Meeting(topology.drives, topology.conditions, topology.assembly.poses, topology.geometry.defaults)


@pytest.mark.parametrize("lengths", [(1.0, 2.0, 1.0), (1.0, 1.5, 0.7), (0.4, 2.1, 1.9), (2.0, 1.0, 0.5)])
def test_directions_of_a_flat_four_bar(lengths: tuple[float, float, float]) -> None:
    """Turns φ, ψ, θ of crank, coupler, rocker: in line a φ + c ψ = d θ, and to second order a φ² + c ψ² = d θ²."""
    a, c, d = lengths
    found = sorted(
        branch.rates["C.speed"] / branch.rates["O.speed"] for branch in meeting_of(flat_four_bar(*lengths)).branches()
    )
    # θ = x φ: c ψ = (d x − a) φ, so that a c + (d x − a)² = c d x²
    exact = sorted(np.roots([d * d - c * d, -2 * a * d, a * a + a * c]).real)
    np.testing.assert_allclose(found, exact, rtol=2e-9)


@pytest.mark.parametrize("away", [0.0, 1e-8, 1e-7, 4e-7])
def test_the_motion_of_a_parallelogram_belongs_wherever_it_counts_as_singular(away: float) -> None:
    meeting = meeting_of(flat_four_bar(1.0, 2.0, 1.0, away))
    assert len(meeting.motions) == 2
    k, turning = 3, np.zeros(9)
    length = meeting.conditions.length
    # crank and rocker turn by one, the coupler is carried along
    for i, name in enumerate(meeting.conditions.bodies):
        arm = meeting.poses["crank"].axes[:, 0] if name == "coupler" else np.zeros(2)
        spin = 0.0 if name == "coupler" else 1.0
        turning[i * k : (i + 1) * k] = [-arm[1] / length, arm[0] / length, spin]
    assert meeting.belongs(turning)
    # crank alone is the motion of no branch
    other = meeting.motions.T @ (meeting.motions @ np.where(np.arange(9) == 2, 1.0, 0.0))
    assert not meeting.belongs(other)


@pytest.mark.parametrize("name", ["planetary_gear", "rack_steering", "spherical_four_bar", "rscr", "cam_follower"])
def test_forms_are_the_second_differences_of_the_conditions(name: str) -> None:
    """Of weights on all conditions: those of couplings are sums of readings."""
    meeting = meeting_of(lw.load(LIBRARY / f"{name}.yaml"))
    c, p = meeting.conditions, meeting.p
    relations, rng = relations_of(c, p), np.random.default_rng(3)
    holding = [i for i, label in enumerate(c.labels) if label.kind != "driver"]
    meeting.vanishing = rng.normal(size=(3, len(holding) + len(relations)))

    def gaps(step: float) -> np.ndarray:
        phi, _, values, _ = c.evaluate(c.move(meeting.poses, step * motion), p)
        return np.concatenate([phi[holding], [item.of(values) / item.size(c.units) for item in relations]])

    for motion in meeting.motions:
        parts = zip((-2, -1, 0, 1, 2), (-1, 16, -30, 16, -1), strict=True)
        second = sum(weight * gaps(way * WIDE) for way, weight in parts) / (12 * WIDE**2)
        np.testing.assert_allclose(meeting.bend(motion), meeting.vanishing @ second, atol=1e-8)
