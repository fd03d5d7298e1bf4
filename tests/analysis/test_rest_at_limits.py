"""Positions of rest at stops and on ropes: which of them hold, with which pushes, against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw

G = 9.81
METHODS = ("virtual_power", "multipliers", "penalty", "relaxation")
ALL_KINDS = ("relative", "reference_point", "natural", "mixed")


def arm(turned: float = 0.0, size: float = 1.0, **joint: Any) -> lw.Model:
    """A rod of 2 kg on a pin, drawn level."""
    c, s = np.cos(turned), np.sin(turned)
    return lw.Model(
        space="planar",
        gravity=[s * G, -c * G],
        points={"O": [0, 0], "A": [c * size, s * size]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 2}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"], "reference": 0, **joint}},
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_door_rests_on_its_stop(method: str, kind: str) -> None:
    """M = m g l/2 cos α pushes it up; it cannot move, and is stable."""
    eq = lw.find_equilibrium(arm(limits=["-30 deg", "90 deg"]), method=method, coordinates=kind)
    assert eq["O.angle"] == pytest.approx(-np.pi / 6, abs=1e-10)
    (held,) = eq.holds
    assert (held.name, held.unit) == ("O.angle.lower", "N*m")
    assert held.push == pytest.approx(2 * G / 2 * np.cos(np.pi / 6), rel=1e-9)
    assert eq["O.angle.stop"] == pytest.approx(held.push)
    assert (eq.stability, eq.directions) == ("stable", ())
    assert not any("nothing stops" in note for note in eq.notes)
    assert "O.angle.lower (8.49571 N*m)" in str(eq)


@pytest.mark.parametrize(("turned", "size"), [(0.0, 1.0), (np.pi / 4, 10.0), (-2.0, 1e-3)])
def test_it_rests_where_no_stop_is_in_its_way(turned: float, size: float) -> None:
    free = lw.find_equilibrium(arm(turned, size, limits=["-100 deg", "90 deg"]))
    assert free["O.angle"] == pytest.approx(-np.pi / 2, abs=1e-9)
    assert free.holds == ()
    stopped = lw.find_equilibrium(arm(turned, size, limits=["-80 deg", "90 deg"]))
    assert stopped["O.angle"] == pytest.approx(np.radians(-80), abs=1e-9)
    assert stopped.holds[0].push == pytest.approx(2 * G * size / 2 * np.cos(np.radians(80)), rel=1e-8)


def test_a_search_that_begins_at_a_stop_leaves_it_where_it_would_pull() -> None:
    eq = lw.find_equilibrium(arm(limits=["-150 deg", 0]), start={"O.angle": "0 deg"})
    assert eq["O.angle"] == pytest.approx(-np.pi / 2, abs=1e-9)
    assert eq.holds == ()
    beyond = lw.find_equilibrium(arm(limits=["-60 deg", "-10 deg"]), start={"O.angle": "10 deg"})
    assert [held.name for held in beyond.holds] == ["O.angle.lower"]


def test_a_limit_that_is_touched_does_not_hold() -> None:
    """A tie: the stop stands where the rod hangs."""
    eq = lw.find_equilibrium(arm(limits=["-90 deg", "90 deg"]))
    assert eq["O.angle"] == pytest.approx(-np.pi / 2, abs=1e-7)
    assert all(held.push == pytest.approx(0.0, abs=1e-6) for held in eq.holds)


def chain(**joints: Any) -> lw.Model:
    """Two rods that fall over to the right, with stops."""
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        bodies={"one": {"bar": ["O", "A"], "mass": 1}, "two": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "one"], **joints.get("O", {})},
            "A": {"kind": "revolute", "bodies": ["one", "two"], **joints.get("A", {})},
        },
    )


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_two_stops_hold_at_once(kind: str) -> None:
    model = chain(O={"limits": ["-20 deg", None]}, A={"limits": ["-30 deg", None]})
    eq = lw.find_equilibrium(model, coordinates=kind)
    one, two = np.radians(-20), np.radians(-50)
    assert [held.name for held in eq.holds] == ["O.angle.lower", "A.angle.lower"]
    outer = G / 2 * np.cos(two)
    assert eq["A.angle.stop"] == pytest.approx(outer)
    assert eq["O.angle.stop"] == pytest.approx(G / 2 * np.cos(one) + G * np.cos(one) + outer)
    held = chain(A={"limits": ["-30 deg", None]})
    hangs = lw.find_equilibrium(held)
    assert hangs["O.angle"] + hangs["A.angle"] / 2 == pytest.approx(-np.pi / 2, abs=0.3)
    assert hangs.holds == ()  # hangs straight down: the stop that was in its way has been left


def test_a_load_hangs_on_a_rope_and_stands_below_two() -> None:
    """A taut rope carries the weight; of two the shorter one; both where the load is between them."""

    def hung(ropes: dict[str, Any]) -> lw.Model:
        return lw.Model(
            space="planar",
            gravity=[0, -G],
            points={"O": [0, 0], "Q": [0.6, 0], "P": [0.25, -0.3]},
            bodies={"load": {"points": ["P"], "com": "P", "mass": 3, "inertia": 0.1}},
            relations={
                name: {"kind": "rope", "between": [f"ground.{point}", "load.P"], "length": length}
                for name, (point, length) in ropes.items()
            },
        )

    one = lw.find_equilibrium(hung({"line": ("O", 1.0)}))
    assert one.holds[0].name == "line"
    assert one.holds[0].push == pytest.approx(3 * G)
    assert [one["P.x"], one["P.y"]] == pytest.approx([0, -1], abs=1e-8)
    both = lw.find_equilibrium(hung({"line": ("O", 0.5), "other": ("Q", 0.5)}))
    assert [held.name for held in both.holds] == ["line", "other"]
    slope = np.arccos(0.3 / 0.5)
    assert [both["P.x"], both["P.y"]] == pytest.approx([0.3, -0.4], abs=1e-9)
    assert [held.push for held in both.holds] == pytest.approx([3 * G / 2 / np.sin(slope)] * 2)


def test_a_four_bar_rests_on_the_stop_of_its_rocker() -> None:
    """Against the run that ends there, by another way: with damping it comes to rest."""
    data: dict[str, Any] = {
        "space": "planar",
        "gravity": [0, -G],
        "points": {"O": [0, 0], "A": [0.1, 0.2], "B": [0.55, 0.45], "C": [0.5, 0]},
        "bodies": {
            "crank": {"bar": ["O", "A"], "mass": 1},
            "coupler": {"bar": ["A", "B"], "mass": 1},
            "rocker": {"bar": ["B", "C"], "mass": 1},
        },
        "joints": {
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
        "forces": {"brake": {"kind": "torsion_spring", "joint": "O", "stiffness": 0, "damping": 2.0}},
    }
    free = lw.Model(**data)
    fallen = lw.find_equilibrium(free)
    drawn = lw.simulate(free, 0.01, step=0.01)["C.angle"][0]
    middle = 0.5 * (fallen["C.angle"] + drawn)
    ends = [middle, None] if fallen["C.angle"] < drawn else [None, middle]
    data["joints"]["C"]["limits"] = ends
    stopped = lw.Model(**data)
    eq = lw.find_equilibrium(stopped)
    run = lw.simulate(stopped, 20, step=0.5)
    assert eq["C.angle"] == pytest.approx(middle, abs=1e-9)
    assert run["C.angle"][-1] == pytest.approx(middle, abs=1e-6)
    assert eq["C.angle.stop"] == pytest.approx(run["C.angle.stop"][-1], rel=1e-5)
    assert eq["B.fx"] == pytest.approx(run["B.fx"][-1], rel=1e-4)


def test_all_equilibria_know_the_stops_too() -> None:
    found = lw.find_equilibria(arm(limits=["-30 deg", "90 deg"]), tries=10)
    assert {(item.stability, round(item["O.angle"], 6)) for item in found} == {
        ("stable", round(-np.pi / 6, 6)),
        ("unstable", round(np.pi / 2, 6)),
    }


def test_a_stop_that_gives_way_is_a_spring_at_rest() -> None:
    """k δ = m g l/2 cos(α)."""
    eq = lw.find_equilibrium(arm(limits=["-30 deg", "90 deg"], stops={"stiffness": 500, "damping": 3}))
    depth = -np.pi / 6 - eq["O.angle"]
    assert 500 * depth == pytest.approx(2 * G / 2 * np.cos(eq["O.angle"]), rel=1e-9)
    assert not any("nothing stops" in note for note in eq.notes)


def test_a_disc_rests_in_a_trough_of_two_planes() -> None:
    """Contacts are limits too: two planes at angles α and β carry W sin β/sin(α+β) and W sin α/sin(α+β)."""
    one, other = np.radians(30), np.radians(50)
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        bodies={"disc": {"points": {"C": [0, 0]}, "origin": [0.05, 0.5], "mass": 3, "inertia": 0.01}},
        surfaces={
            "left": {"plane": [float(np.sin(one)), float(np.cos(one))]},
            "right": {"plane": [float(-np.sin(other)), float(np.cos(other))]},
            "rim": {"ball": 0.1, "on": "disc", "at": [0.05, 0.5]},
        },
        contacts={
            "below_left": {"between": ["left", "rim"], "friction": 0.3},
            "below_right": {"between": ["right", "rim"]},
        },
    )
    eq = lw.find_equilibrium(model)
    pushes = {held.name: held.push for held in eq.holds}
    whole = 3 * G / np.sin(one + other)
    assert pushes == pytest.approx({"below_left": whole * np.sin(other), "below_right": whole * np.sin(one)})
    assert eq["below_left.gap"] == pytest.approx(0.0, abs=1e-10)
    assert eq.stability == "neutral"  # it may turn
    assert any("nothing rubs in contacts here: below_left" in note for note in eq.notes)
