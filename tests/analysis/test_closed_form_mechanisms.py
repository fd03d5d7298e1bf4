"""Classical mechanisms driven through a whole turn: closed forms against iteration on the same blocks and on all at once."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
FAMILIES = {
    "four_bar": ["dyad RRR"],
    "slider_crank": ["dyad RRP"],
    "quick_return": ["dyad RRP", "dyad RRP"],
    "watt_1": ["dyad RRR", "dyad RRR"],
    "watt_2": ["dyad RRR", "dyad RRR"],
    "stephenson_1": ["dyad RRR", "dyad RRR"],
    "stephenson_2": ["iteration"],
    "stephenson_3": ["dyad RRR", "dyad RRR"],
    "peaucellier": ["dyad RRR", "dyad RRR", "dyad RRR"],
    "eight_bar": ["dyad RRR", "iteration"],
    "spherical_four_bar": ["spherical dyad"],
    "rggr": ["distance link RGG"],
    "rccc": ["3C, rotations first"],
    "rgcr": ["1R1C1G, point first"],
    "rgrrr": ["3R1G, point first"],
}
INPUTS = {"spherical_four_bar": "A", "peaucellier": "C"}


@cache
def driven(name: str) -> lw.Model:
    """The mechanism with its first joint at the ground driven by a whole turn in a second, from where it is drawn."""
    text = (LIBRARY / f"{name}.yaml").read_text()
    joint = INPUTS.get(name, "O")
    start = float(lw.assemble(lw.loads(text))[f"{joint}.angle"])
    motion = f"{start!r} + 2*pi*t" if name != "peaucellier" else f"{start!r} + 0.6*sin(2*pi*t)"
    return lw.loads(text + f"\ndrivers:\n  motor: {{joint: {joint}, position: {motion}}}\n")


@pytest.mark.parametrize("name", FAMILIES)
def test_the_plan_names_the_families(name: str) -> None:
    plan = lw.analyse(driven(name)).plan
    assert [block.family.name for block in plan.loops] == FAMILIES[name]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_whole_turn_agrees_with_iteration(name: str) -> None:
    model = driven(name)
    results = [
        lw.simulate(model, 1.0, step=0.01, formulation=formulation)
        for formulation in (lw.formulations.Hybrid(), lw.formulations.Hybrid(closed_form=False), "partitioning")
    ]
    assert all(result.outcome.completed for result in results)
    names = [q for q in results[0].names() if q.count(".") == 1 and q.split(".")[0] in model.joints]
    compared = [q for q in names if q.split(".")[1] in ("angle", "position", "speed", "acceleration")]
    assert compared
    for quantity in compared:
        exact = results[2][quantity]
        for result in results[:2]:
            np.testing.assert_allclose(
                result[quantity], exact, rtol=1e-9, atol=1e-9 * max(1.0, np.max(np.abs(exact))), err_msg=quantity
            )
    assert np.max(results[0]["closure"]) < 1e-12


def test_peaucellier_draws_a_straight_line() -> None:
    """The tip of the inversor moves on a line: its distance from the best line through its path vanishes."""
    result = lw.simulate(driven("peaucellier"), 1.0, step=0.01)
    path = np.column_stack([result["Q.x"], result["Q.y"]])
    away = np.linalg.svd(path - path.mean(axis=0))[1]
    assert away[0] > 0.5
    assert away[1] < 1e-13


def test_prescribed_motion_needs_no_integration() -> None:
    """Positions, velocities and accelerations at any times, against a simulation of the same motion."""
    mechanism = lw.prepare(driven("watt_1"))
    times = np.linspace(0.0, 1.0, 101)
    q, v, vdot = mechanism.motion(times)
    result = lw.simulate(mechanism.model, times=times)
    for i, name in enumerate(mechanism.coordinates.kinematics.q_names):
        joint = name.split(".")[0]
        np.testing.assert_allclose(q[:, i], result[f"{joint}.angle"], atol=1e-12)
        np.testing.assert_allclose(v[:, i], result[f"{joint}.speed"], atol=1e-11)
        np.testing.assert_allclose(vdot[:, i], result[f"{joint}.acceleration"], atol=1e-9)


def test_motion_by_formulas_is_refused_where_there_are_none() -> None:
    with pytest.raises(lw.errors.RefusedError, match="use simulate"):
        lw.prepare(lw.load(LIBRARY / "four_bar.yaml")).motion([0.0])
    text = (LIBRARY / "four_bar.yaml").read_text()
    start = float(lw.simulate(lw.loads(text), 1e-3, step=1e-3)["C.angle"][0])
    locking = text + f"\ndrivers:\n  motor: {{joint: C, position: {start!r} + t}}\n"
    with pytest.raises(lw.errors.AssemblyError, match="past its limit"):
        lw.prepare(lw.loads(locking)).motion(np.linspace(0, 3, 50))


def turned(axis: np.ndarray, angle: float, arm: np.ndarray) -> np.ndarray:
    u = axis / np.linalg.norm(axis)
    c, s = np.cos(angle), np.sin(angle)
    return c * arm + s * np.cross(u, arm) + (1 - c) * (u @ arm) * u


def test_both_branches_of_rggr_through_a_whole_turn() -> None:
    """SOURCE: C1 cos φ + C2 sin φ + C3 = 0 with C1 = 2a·(l4 − l1), C2 = 2b·(l4 − l1), and both of its roots."""
    model = driven("rggr")
    results = {name: lw.simulate(model.with_branches({"A-B-C": name}), 1.0, step=0.02) for name in ("beyond", "before")}
    pivot, axis = np.array([0.9, 0, 0]), np.array([0.1, 1, 0]) / np.sqrt(1.01)
    drawn = np.array([0.8, 0.25, 0.45])
    arm, length = drawn - pivot, np.linalg.norm(drawn - np.array([0.15, 0.2, 0.05]))
    along = (axis @ arm) * axis
    a, b = arm - along, np.cross(axis, arm)
    crank = np.column_stack([results["beyond"][f"A.{x}"] for x in "xyz"])
    tips = {name: np.column_stack([result[f"B.{x}"] for x in "xyz"]) for name, result in results.items()}
    for i, ball in enumerate(crank):
        gap = pivot - ball
        c1, c2 = 2 * a @ gap, 2 * b @ gap
        c3 = gap @ gap + arm @ arm - length**2 + 2 * along @ gap
        middle, half = np.arctan2(-c2, -c1), np.arccos(c3 / np.hypot(c1, c2))
        for name, side in (("beyond", 1), ("before", -1)):
            expected = pivot + turned(axis, middle + side * half, arm)
            np.testing.assert_allclose(tips[name][i], expected, atol=1e-12)
