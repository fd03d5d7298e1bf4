"""Positions of rest along live parameters: up to limit points and bifurcations, and beyond them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

STIFFNESS, HALF, RISE = 1000.0, 1.0, 0.3
LENGTH = float(np.hypot(HALF, RISE))


def truss() -> lw.Model:
    """Half of von Mises' truss: a sprung bar to a tip that slides up and down under a load."""
    return lw.Model(
        name="truss",
        space="planar",
        parameters={"F": {"value": 0, "live": True}},
        points={"S": [0, RISE], "A": [HALF, 0], "O": [0, 0]},
        bodies={"tip": {"points": ["S"], "mass": 1, "inertia": 1}},
        joints={"g": {"kind": "prismatic", "bodies": ["ground", "tip"], "at": ["O", "S"], "axis": [0, 1]}},
        forces={
            "bar": {"kind": "spring", "between": ["ground.A", "tip.S"], "stiffness": STIFFNESS, "free_length": LENGTH},
            "load": {"kind": "force", "at": "tip.S", "value": [0, "-F"]},
        },
    )


def load(z: np.ndarray) -> np.ndarray:
    """What holds the tip at the height z."""
    length = np.hypot(HALF, z)
    return STIFFNESS * (LENGTH - length) * z / length


def test_a_shallow_truss_snaps_through_at_its_limit_load(tmp_path: Path) -> None:
    loads = np.linspace(0, 8, 9)
    path = lw.equilibrium_path(truss(), {"F": loads})
    np.testing.assert_allclose(load(path["S.y"]), loads, atol=1e-9)
    # dF/dz = 0 where the length is ∛(L a²)
    limit = float(load(np.sqrt((LENGTH * HALF**2) ** (2 / 3) - HALF**2)))
    (snap,) = path.snaps
    assert snap.index == 5 and snap.parameters["F"] == pytest.approx(limit, abs=2 / 4096)
    assert np.all(path["S.y"][:5] > 0.2) and np.all(path["S.y"][5:] < -0.3)
    assert set(path.stability) == {"stable"} and np.all(np.diff(path.softest[:5]) < 0)
    assert "it snaps at F = 4.97" in str(path)
    path.plot(path=tmp_path / "path.png")
    assert (tmp_path / "path.png").stat().st_size > 5000
    assert list(path.to_dataframe()["F"]) == list(loads)


def test_many_starts_find_both_sides_of_the_truss_and_its_crest() -> None:
    found = lw.find_equilibria(truss())
    assert sorted(eq.stability for eq in found) == ["stable", "stable", "unstable"]
    np.testing.assert_allclose(sorted(eq["S.y"] for eq in found), [-RISE, 0.0, RISE], atol=1e-10)


def test_without_snaps_a_path_ends_at_its_limit_point() -> None:
    with pytest.raises(lw.errors.EquilibriumError):
        lw.equilibrium_path(truss(), {"F": [0.0, 4.0, 6.0]}, stable=False)


def column() -> lw.Model:
    """A rigid column on a torsion spring of 10 N m/rad: it buckles at P = k / l."""
    return lw.Model(
        name="column",
        space="planar",
        parameters={"P": {"value": 0, "live": True}},
        points={"O": [0, 0], "A": [0, 1]},
        bodies={"column": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "column"]}},
        forces={
            "spring": {"kind": "torsion_spring", "joint": "O", "stiffness": 10, "free_angle": "90 deg"},
            "load": {"kind": "force", "at": "column.A", "value": [0, "-P"]},
        },
    )


def test_a_column_buckles_at_its_critical_load() -> None:
    model, loads = column(), np.array([0.0, 4.0, 8.0, 12.0, 16.0])
    path = lw.equilibrium_path(model, {"P": loads})
    (snap,) = path.snaps
    assert snap.parameters["P"] == pytest.approx(10.0, abs=4 / 2048)
    tilt = path["O.angle"] - np.pi / 2
    np.testing.assert_allclose(10 * tilt, loads * np.sin(tilt), atol=1e-9)
    assert np.all(np.abs(tilt[:3]) < 1e-12) and np.all(np.abs(tilt[3:]) > 0.9)
    straight = lw.equilibrium_path(model, {"P": loads}, stable=False)
    assert straight.stability == ("stable", "stable", "stable", "unstable", "unstable")
    np.testing.assert_allclose(straight.softest[3] / straight.softest[0], (10 - 12) / 10, rtol=1e-9)


def test_paths_need_values_of_live_parameters() -> None:
    with pytest.raises(lw.errors.RefusedError, match="as many values"):
        lw.equilibrium_path(truss(), {})
    with pytest.raises(lw.LinkworkError, match="G"):
        lw.equilibrium_path(truss(), {"G": [1.0, 2.0]})


def ziegler() -> lw.Model:
    """Two bars of 1 m with springs of 1 N m/rad, masses of 2 kg and 1 kg, and a force P that follows the upper one."""
    return lw.Model(
        name="Ziegler's column",
        space="planar",
        parameters={"P": {"value": 0, "live": True}},
        points={"O": [0, 0], "A": [0, 1], "B": [0, 2]},
        bodies={"a": {"bar": ["O", "A"], "masses": {"A": 2}}, "b": {"bar": ["A", "B"], "masses": {"B": 1}}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "A": {"kind": "revolute", "bodies": ["a", "b"]},
        },
        forces={
            "lower": {"kind": "torsion_spring", "joint": "O", "stiffness": 1, "free_angle": "90 deg"},
            "upper": {"kind": "torsion_spring", "joint": "A", "free_angle": 0, "stiffness": 1},
            "follower": {"kind": "force", "at": "b.B", "value": ["-P", 0], "axes": "body"},
        },
    )


def test_a_force_that_follows_makes_a_column_flutter() -> None:
    """SOURCE: H. Ziegler, Ingenieur-Archiv 20 (1952): without damping at P = (7/2 − √2) k/l."""
    exact, model, loads = 3.5 - np.sqrt(2), ziegler(), np.linspace(0, 4, 9)
    path = lw.equilibrium_path(model, {"P": loads})
    assert [kind == "unstable" for kind in path.stability] == list(loads > exact)
    (snap,) = path.snaps
    assert snap.kind == "flutter" and snap.parameters["P"] == pytest.approx(exact, rel=1e-9)
    assert "it begins to flutter at P = 2.08579" in str(path)
    locus = lw.root_locus(model, {"P": loads}, about="equilibrium", stable=False)
    (crossing,) = locus.crossings
    assert crossing.value == pytest.approx(exact, rel=1e-10) and crossing.grows
    # both frequencies meet: 2 ω⁴ − (7 − 2 P) ω² + 1 = 0
    assert crossing.omega == pytest.approx(2**-0.25, rel=1e-4)
    assert locus.ranges == [(0.0, pytest.approx(exact))]


def test_forces_along_a_path_are_those_of_its_time() -> None:
    """F = k (1 + t) at t = 0.5 s, not at the number of the position."""
    model = lw.Model(
        space="planar",
        parameters={"k": {"value": 1, "live": True}},
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
        forces={
            "push": {"kind": "force", "at": "arm.A", "value": [0, "k*(1 + t)"]},
            "spring": {"kind": "torsion_spring", "joint": "O", "free_angle": 0, "stiffness": 20},
        },
    )
    path = lw.equilibrium_path(model, {"k": [0.0, 1.0, 2.0]}, time=0.5)
    assert path.result["push.fy"] == pytest.approx([0.0, 1.5, 3.0], abs=1e-12)
    assert path.result.reactions["O"]["fy"] == pytest.approx([0.0, -1.5, -3.0], abs=1e-9)


def test_a_path_is_drawn_over_any_quantity_in_any_unit() -> None:
    """The force over the height: the curve of the truss lies on its side."""
    model = truss().with_(parameters={"F": {"value": "0 kN", "live": True}})
    path = lw.equilibrium_path(model, {"F": np.linspace(0, 4, 5)})
    (axis,) = path.plot("F", over="S.y", units={"F": "kN", "S.y": "mm"}).axes
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("S.y [mm]", "F [kN]")
    across, up = axis.lines[-2].get_xdata(), axis.lines[-2].get_ydata()
    np.testing.assert_allclose(1e3 * np.asarray(up), load(1e-3 * np.asarray(across)), atol=1e-9)
    assert path.table(["S.y"], units={"F": "kN"})[0][1] == "F [kN]"
    for wrong in ({"over": "Sy"}, {"units": {"H": "kN"}}):
        with pytest.raises(lw.errors.UnknownNameError):
            path.plot("F", **wrong)
