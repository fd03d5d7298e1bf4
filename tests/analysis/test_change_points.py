"""Prescribed motions through change points, where branches of a loop meet: they go on smoothly.

Compared with exact motions: rocker and crank of a parallelogram turn alike, the piston of an isosceles slider-crank is at
2 r cos θ, and a four-bar whose links lie in one line once in a turn is continued by extrapolation of its angle in NumPy.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AuditWarning
from linkwork.numerics.paths.displacement import METHODS

KINDS = ["relative", "reference_point", "natural", "mixed"]
GRIDS = {
    "on it": np.arange(60, 421, 5.0),
    "beside it": np.arange(60, 421, 7.0),
    "close to it": np.array([60, 90, 120, 150, 170, 179.999, 180.0001, 200, 230, 270, 320, 350, 359.9, 360.2, 380]),
    "coarse": np.arange(60, 421, 30.0),
    "backwards": np.arange(60, -301, -5.0),
}


def pin(*bodies):
    return {"kind": "revolute", "bodies": bodies}


def chain(points, turn=0.0, size=1.0, second=False):
    """A four-bar O A B C with its points turned and scaled; *second*: and another one, C B D E, behind it."""
    c, s = size * np.cos(turn), size * np.sin(turn)
    points = {name: [float(c * x - s * y), float(s * x + c * y)] for name, (x, y) in points.items()}
    bodies = {name: {"bar": ends, "mass": 1} for name, ends in (("crank", "OA"), ("coupler", "AB"), ("rocker", "CB"))}
    joints = {"O": pin("ground", "crank"), "A": pin("crank", "coupler"), "B": pin("coupler", "rocker")}
    joints["C"] = pin("ground", "rocker")
    if second:
        bodies |= {"link": {"bar": "BD", "mass": 1}, "last": {"bar": "ED", "mass": 1}}
        joints |= {"F": {**pin("rocker", "link"), "at": "B"}, "D": pin("link", "last"), "E": pin("ground", "last")}
    for body in bodies.values():
        body["bar"] = list(body["bar"])
    return lw.Model(space="planar", points=points, bodies=bodies, joints=joints)


def parallelogram(start, turn=0.0, size=1.0, second=False):
    arm = np.array([np.cos(start), np.sin(start)])
    points = {"O": (0, 0), "A": arm, "B": arm + [2, 0], "C": (2, 0)}
    return chain(points | ({"D": arm + [4, 0], "E": (4, 0)} if second else {}), turn, size, second)


def slider_crank(start):
    """Crank and rod of length 1: at 90 degrees the piston stands over the pivot, and could stay there."""
    points = {"O": [0, 0], "A": [float(np.cos(start)), float(np.sin(start))], "B": [float(2 * np.cos(start)), 0]}
    bodies = {"crank": {"bar": ["O", "A"], "mass": 1}, "rod": {"bar": ["A", "B"], "mass": 1}}
    bodies["piston"] = {"points": ["B"], "mass": 1}
    joints = {"O": pin("ground", "crank"), "A": pin("crank", "rod"), "B": pin("rod", "piston")}
    joints["guide"] = {"kind": "prismatic", "bodies": ["ground", "piston"], "at": ["O", "B"], "axis": [1, 0]}
    return lw.Model(space="planar", points=points, bodies=bodies, joints=joints)


LENGTHS = 1.0, 2.0, 3.0, 2.0  # crank, coupler, rocker, ground: in one line where the crank lies on the ground


def rocker_angles(crank):
    """Both angles of the rocker of this four-bar."""
    a, b, c, g = LENGTHS
    joint = a * np.exp(1j * crank)
    line = g - joint
    along = (abs(line) ** 2 + b**2 - c**2) / (2 * abs(line))
    across = np.sqrt(max(b**2 - along**2, 0.0))
    return [np.angle(joint + (along + 1j * side * across) * line / abs(line) - g) for side in (1, -1)]


def smooth_rocker(angles):
    """The rocker along the angles of the crank, continued by parabolas in steps of less than a tenth of a degree."""
    ways = [np.linspace(low, high, 400, endpoint=False) for low, high in pairwise(angles)]
    found = []
    for crank in [*np.concatenate(ways), angles[-1]]:
        both = rocker_angles(crank)
        if len(found) < 3:
            found.append(both[0])
            continue
        ahead = 3 * found[-1] - 3 * found[-2] + found[-3]
        both = [item + 2 * np.pi * np.round((ahead - item) / (2 * np.pi)) for item in both]
        # at the change point itself the roots say nothing that the parabola does not
        found.append(ahead if abs(both[0] - both[1]) < 1e-6 else min(both, key=lambda item: abs(item - ahead)))
    return np.array(found)[::400]


def four_bar(start, lengths=LENGTHS):
    a, b, c, g = lengths
    joint = a * np.exp(1j * start)
    line = g - joint
    along = (abs(line) ** 2 + b**2 - c**2) / (2 * abs(line))
    end = joint + (along + 1j * np.sqrt(b**2 - along**2)) * line / abs(line)
    return chain({"O": (0, 0), "A": (joint.real, joint.imag), "B": (end.real, end.imag), "C": (g, 0)})


def solved(model, angles, **options):
    result = lw.solve_kinematics(model, {"O": angles}, **options)
    assert result.outcome.completed, result.outcome
    assert result.audit.passed, result.audit
    return result


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("method", [None, *METHODS])
def test_a_parallelogram_stays_one(method, grid):
    angles = np.radians(GRIDS[grid])
    result = solved(parallelogram(angles[0]), angles, method=method)
    np.testing.assert_allclose(result["C.angle"], angles, atol=1e-9)
    np.testing.assert_allclose(result["C.speed"], 1.0, atol=1e-7)  # over the angle, whichever way it goes
    np.testing.assert_allclose(result["C.acceleration"], 0.0, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_parallelogram_stays_one_in_all_coordinates(kind):
    angles = np.radians(GRIDS["on it"])
    np.testing.assert_allclose(solved(parallelogram(angles[0]), angles, coordinates=kind)["C.angle"], angles, atol=1e-9)


@pytest.mark.parametrize(("turn", "size"), [(np.pi / 4, 1.0), (0.0, 10.0), (np.pi / 4, 0.01)])
def test_a_parallelogram_may_be_turned_and_of_any_size(turn, size):
    angles = np.radians(GRIDS["on it"])
    result = solved(parallelogram(angles[0], turn, size), angles + turn)
    np.testing.assert_allclose(result["C.angle"], angles + turn, atol=1e-9)


def test_a_formula_goes_through_two_change_points():
    result = lw.solve_kinematics(parallelogram(np.pi / 2), {"O": "pi/2 + 2*pi*t"}, until=1)
    np.testing.assert_allclose(result["C.angle"], result["O.angle"], atol=1e-9)


@pytest.mark.parametrize("method", [None, "newton"])
def test_two_loops_may_meet_their_branches_at_once(method):
    angles = np.radians(GRIDS["on it"])
    result = solved(parallelogram(angles[0], second=True), angles, method=method)
    for name in ("C.angle", "E.angle"):
        np.testing.assert_allclose(result[name], angles, atol=1e-9)


@pytest.mark.parametrize("step", [5.0, 7.0])
@pytest.mark.parametrize("method", [None, *METHODS])
def test_the_piston_of_an_isosceles_slider_crank_goes_on(method, step):
    angles = np.radians(np.arange(20, 400, step))
    result = solved(slider_crank(angles[0]), angles, method=method)
    np.testing.assert_allclose(result["B.x"], 2 * np.cos(angles), atol=1e-9)
    np.testing.assert_allclose(result["B.vx"], -2 * np.sin(angles), atol=1e-7)
    np.testing.assert_allclose(result["B.ax"], -2 * np.cos(angles), atol=1e-5)


@pytest.mark.parametrize("grid", ["on it", "beside it", "coarse", "backwards"])
@pytest.mark.parametrize("method", [None, *METHODS])
def test_a_four_bar_with_a_change_point_goes_on_smoothly(method, grid):
    angles = np.radians(GRIDS[grid])
    result = solved(four_bar(angles[0]), angles, method=method)
    np.testing.assert_allclose(result["C.angle"], smooth_rocker(angles), atol=1e-6)


@pytest.mark.parametrize("excess", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("method", [None, "newton"])
def test_branches_that_only_come_near_are_not_changed(method, excess):
    lengths = (*LENGTHS[:3], LENGTHS[3] + excess)
    angles = np.radians(GRIDS["beside it"])
    result = lw.solve_kinematics(four_bar(angles[0], lengths), {"O": angles}, method=method)
    a, b, c, g = lengths
    line = g - a * np.exp(1j * angles)
    along = (np.abs(line) ** 2 + b**2 - c**2) / (2 * np.abs(line))
    # the coupler stays on its side of the line from A to C
    exact = a * np.exp(1j * angles) + (along + 1j * np.sqrt(b**2 - along**2)) * line / np.abs(line) - g
    np.testing.assert_allclose(np.exp(1j * result["C.angle"]), exact / c, atol=1e-9)


@pytest.mark.parametrize("grid", ["beside it", "backwards"])
def test_the_audit_sees_a_kink(monkeypatch, grid):
    """The closed form alone stays on one side of the line from A to C: behind the change point that is another branch."""
    monkeypatch.setattr("linkwork.analysis.kinematics.position_search.keep_smooth", lambda *given: given[3])
    angles = np.radians(GRIDS[grid] + 1.0)
    result = lw.solve_kinematics(four_bar(angles[0]), {"O": angles}, method="closed_form", audit=True)
    with pytest.warns(AuditWarning, match="speeds jump"):
        assert not result.audit.passed
    assert any("speeds jump" in finding for finding in result.audit.findings)


def test_forces_are_not_told_at_a_change_point():
    result = lw.solve_kinematics(slider_crank(np.radians(20)), {"O": np.radians(np.arange(20, 161, 5.0))})
    force = result["guide.effort" if "guide.effort" in result else "O.fx"]
    there = np.isclose(result["O.angle"], np.pi / 2)
    assert np.isnan(force[there]).all()
    assert np.abs(force[~there]).max() < 100.0
    assert any("change point" in note and "O.angle = 1.5708 rad" in note for note in result.notes)


@pytest.mark.parametrize("step", ["7 ms", "10 ms"])
def test_inverse_dynamics_takes_the_smooth_motion(step):
    found = lw.inverse_dynamics(slider_crank(0.3), {"O": "pi/4 + 2*pi*t"}, until=1, step=step)
    np.testing.assert_allclose(found["B.x"], 2 * np.cos(found["O.angle"]), atol=1e-9)


def test_inverse_dynamics_tells_samples_at_change_points():
    found = lw.inverse_dynamics(parallelogram(np.pi / 2), {"O": "pi/2 + 2*pi*t"}, until=1, step="10 ms")
    np.testing.assert_allclose(found["C.angle"], found["O.angle"], atol=1e-9)
    assert np.flatnonzero(np.isnan(found.efforts["O.angle"])).tolist() == [25, 75]
    assert any("change point" in note for note in found.notes)


def test_a_motion_that_begins_at_a_change_point_is_refused_in_words():
    for model in (parallelogram(np.pi / 2), parallelogram(np.pi / 2)):
        with pytest.raises(lw.LinkworkError, match="begins at a change point"):
            lw.solve_kinematics(model, {"O": np.linspace(0, 2 * np.pi, 73)})
        # what is prepared for other motions of the same input refuses it too
        assert lw.solve_kinematics(model, {"O": np.linspace(1.0, 2.0, 5)}).outcome.completed
