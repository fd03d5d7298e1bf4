"""Second derivatives of conditions and goals are exact: differences of slopes come to the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.position.condition_rows import relations_of
from linkwork.position.nearest import AttitudeGoal, Goal, Nearest, PointGoal, ReadingGoal

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
NAMES = ["four_bar", "rack_steering", "rgrrr", "rscr", "spherical_four_bar", "cam_follower", "planetary_gear"]
WIDE = 1e-3


def goals_of(conditions: lw.topology.Topology, rng: np.random.Generator) -> list[Goal]:
    """One of each kind, and none of them met."""
    c = conditions.conditions
    d, body = c.space.dimension, c.bodies[-1]
    values = c.evaluate(conditions.assembly.poses, conditions.geometry.defaults)[2]
    place = conditions.assembly.poses[body].origin + 0.3 * c.length * rng.normal(size=d)
    place[0] = np.nan
    turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
    reading = next(i for i, item in enumerate(c.readings) if not item.rate_only)
    return [
        ReadingGoal(reading, float(values[reading]) + 0.2 * float(c.units[reading]), 1.3),
        PointGoal(body, 0.4 * c.length * rng.normal(size=d), place, 0.7),
        AttitudeGoal(body, turn, 1.1),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_curvature_is_the_derivative_of_the_slope(name: str) -> None:
    topology = lw.analyse(lw.load(LIBRARY / f"{name}.yaml"))
    c, p, poses = topology.conditions, topology.geometry.defaults, dict(topology.assembly.poses)
    rng = np.random.default_rng(5)
    goals = goals_of(topology, rng)
    values = c.evaluate(poses, p)[2]
    search = Nearest(c, p, tuple(relations_of(c, p)), values, reached=(goals[1],))
    level = [goals[0], goals[2]]
    gaps, rows = search.residual(poses, level)
    held = search.conditions_at(poses)[1]
    multipliers = np.linalg.lstsq(held.T, -rows.T @ gaps, rcond=1e-7)[0]

    def slope(step: np.ndarray) -> np.ndarray:
        there = c.move(poses, step)
        miss, along = search.residual(there, level)
        return np.asarray(along.T @ miss + search.conditions_at(there)[1].T @ multipliers)

    def difference(z: np.ndarray) -> np.ndarray:
        parts = [weight * slope(step * WIDE * z) for step, weight in ((1, 8), (-1, -8), (2, -1), (-2, 1))]
        return np.asarray(sum(parts) / (12 * WIDE))

    # in every direction, not only those that the conditions leave free
    matrix = np.column_stack([difference(z) for z in np.eye(c.size)])
    found = search._curvature(poses, level, np.eye(c.size))
    np.testing.assert_allclose(found, (matrix + matrix.T) / 2, atol=1e-9 * float(np.max(np.abs(found))))
