"""Closed forms in coordinates: the branch that the state is on, from a state whose dependent part is only roughly right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest

import linkwork as lw
from linkwork.algebra.frames import Frame
from linkwork.loops.closing import choose_branches, close

EXAMPLES = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
MODELS = {
    "3C": lambda: lw.load(EXAMPLES / "rccc.yaml"),
    "1R1C1G": lambda: lw.load(EXAMPLES / "rgcr.yaml"),
    "3R1G": lambda: lw.load(EXAMPLES / "rgrrr.yaml"),
    "2R1P1G with a universal joint": linkages.spatial_slider_crank,
    "2R1P1G with parallel axes": mechanisms.modelica_fourbar,
}


@pytest.mark.parametrize("name", MODELS)
def test_a_rough_state_leads_to_the_same_bodies(name: str) -> None:
    """All variants: the inputs are exact, everything else is off by 1e-3; the bodies are where they were."""
    rng = np.random.default_rng(3)
    mechanism = lw.prepare(MODELS[name](), formulation="hybrid")
    c, start = mechanism.coordinates, mechanism.start()
    wanted = ca.Function("bodies", [c.t, c.y, c.p], [_stacked(c.kinematics.frames, c.geometry.bodies)])
    for plan in c.topology.planner.variants(4):
        closing = close(c, plan)
        if not plan.closed:
            continue
        inputs = [closing.places.positions[key] for key in plan.inputs]
        rough = start.y.copy()
        others = [place for place in closing.places.positions.values() if place not in inputs]
        rough[others] += 1e-3 * rng.uniform(-1, 1, len(others))
        selectors = ca.vertcat(*closing.selectors.values()) if closing.selectors else ca.SX(0, 1)
        select = ca.Function("select", [c.t, c.y, c.p], [ca.densify(choose_branches(closing))])
        found = ca.Function("found", [c.t, c.y, c.p, selectors], [_stacked(closing.solved.frames, c.geometry.bodies)])
        bodies = np.array(found(0.0, rough, start.p, select(0.0, rough, start.p))).ravel()
        assert bodies == pytest.approx(np.array(wanted(0.0, start.y, start.p)).ravel(), abs=1e-12)


def _stacked(frames: Mapping[str, Frame], names: Iterable[str]) -> ca.SX:
    """Frames (12 per body) of all bodies."""
    return ca.vertcat(*[ca.densify(ca.vec(ca.horzcat(frames[name].origin, frames[name].axes))) for name in names])


def test_a_ball_in_the_tree_is_solved_too() -> None:
    """A joint with initial values is not cut: then the quaternion of the ball follows from the closed form."""
    asked = lw.Model(**{**lw.load(EXAMPLES / "rgcr.yaml").to_dict(), "initial": {"A": {"omega": [0, 0, 0]}}})
    loops = lw.prepare(asked, formulation="hybrid").coordinates.topology.plan.loops
    assert "A" not in loops[0].cuts
    result = lw.simulate(asked, 0.5, formulation="hybrid")
    other = lw.simulate(asked, 0.5, formulation="partitioning")
    assert result["closure"].max() < 1e-13
    for axis in "xyz":
        assert result[f"coupler.{axis}"] == pytest.approx(other[f"coupler.{axis}"], abs=1e-9)
