"""Positions of rest: four ways agree on ten mechanisms and in all coordinates; exact solutions; stability; bad input."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest
from ten_mechanisms import model_of

import linkwork as lw
from linkwork.analysis.statics.stiffness import stability
from linkwork.numerics.paths.rest import WAYS

G = 9.81
METHODS = list(WAYS)
KINDS = ["relative", "reference_point", "natural", "mixed"]
# mechanisms that have a stable position of rest, or a neutral direction; rolling disc: none but upright
TEN = [
    "four-bar",
    "slider-crank",
    "spatial slider-crank",
    "Bricard",
    "five-link pendulum",
    "double wishbone",
    "six-bar",
]
OTHERS = {"Andrews": mechanisms.andrews, "RSCR": linkages.rscr, "spherical four-bar": linkages.spherical_four_bar}


@cache
def named(name: str) -> lw.Model:
    return OTHERS[name]() if name in OTHERS else model_of(name)


def centres(eq: lw.answers.Equilibrium) -> np.ndarray:
    """Centres of mass of all bodies."""
    drawing = eq.result.drawing
    return np.array([eq[f"{body}.{axis}"] for body in drawing.bodies for axis in "xyz"[: drawing.dimension]])


@pytest.mark.parametrize("name", [*TEN, *OTHERS])
def test_four_ways_lead_to_one_position(name: str) -> None:
    found = {method: lw.find_equilibrium(named(name), method=method) for method in METHODS}
    for eq in found.values():
        assert eq.stability == "stable" and eq.residual < 1e-12
        np.testing.assert_allclose(centres(eq), centres(found["virtual_power"]), rtol=0, atol=1e-9)
        np.testing.assert_allclose(eq.curvatures, found["virtual_power"].curvatures, rtol=1e-6)


@pytest.mark.parametrize(("name", "axis"), [("7R arm", "J1.angle"), ("gyroscope", "precession.angle")])
def test_four_ways_agree_but_for_neutral_directions(name: str, axis: str) -> None:
    found = [lw.find_equilibrium(named(name), method=method) for method in METHODS]
    for eq in found:
        assert eq.stability == "neutral" and axis in eq.soft
        heights = [eq[f"{body}.z"] - found[0][f"{body}.z"] for body in eq.result.drawing.bodies]
        np.testing.assert_allclose(heights, 0.0, atol=1e-9)


def test_a_disc_that_rolls_stands_upright_and_would_fall() -> None:
    for method in METHODS[:3]:
        eq = lw.find_equilibrium(named("rolling disc"), method=method, stable=False)
        assert eq.stability == "unstable"
        # a disc of 2 kg with a radius of 0.3 m
        assert eq["disc.z"] == pytest.approx(0.3, abs=1e-9) and eq.energy == pytest.approx(2 * G * 0.3, rel=1e-9)


@pytest.mark.parametrize("name", ["four-bar", "spatial slider-crank", "Bricard"])
def test_all_coordinates_lead_to_one_position(name: str) -> None:
    first = lw.find_equilibrium(named(name))
    for kind in KINDS[1:]:
        for method in METHODS:
            eq = lw.find_equilibrium(named(name), coordinates=kind, method=method)
            np.testing.assert_allclose(centres(eq), centres(first), rtol=0, atol=1e-9)
            np.testing.assert_allclose(eq.curvatures, first.curvatures, rtol=1e-6)


# -- exact solutions ---------------------------------------------------------------------------------------------------


def chain(links: int) -> lw.Model:
    """Bars of 1 kg and 0.5 m between two supports 1.6 m apart."""
    places = {f"P{i}": [1.6 * i / links, -0.1 * i * (links - i)] for i in range(links + 1)}
    bars = {f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "length": 0.5, "mass": 1} for i in range(links)}
    order = ["ground", *bars, "ground"]
    joints = {f"P{i}": {"kind": "revolute", "bodies": [order[i], order[i + 1]]} for i in range(links + 1)}
    return lw.Model(space="planar", gravity=[0, -G], points=places, bodies=bars, joints=joints)


def test_slopes_of_a_hanging_chain_grow_by_its_weight() -> None:
    eq = lw.find_equilibrium(chain(6))
    pull = abs(eq["P0.fx"])
    slopes = [np.tan(eq[f"b{i}.angle"]) for i in range(6)]
    # each joint balances half the weights of both its bars: H (tan θ' − tan θ) = m g
    np.testing.assert_allclose(np.diff(slopes), G / pull, rtol=1e-10)
    assert abs(eq["P0.fy"]) == pytest.approx(3 * G, rel=1e-10)
    assert eq.stability == "stable" and len(eq.directions) == 4


def balance(stiffness: float = 200.0) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        parameters={"F": {"value": 0, "live": True}},
        points={"O": [0, 0], "P": [0, -0.5]},
        bodies={"pan": {"points": ["P"], "mass": 2, "inertia": 1}},
        joints={"guide": {"kind": "prismatic", "bodies": ["ground", "pan"], "at": ["O", "P"], "axis": [0, 1]}},
        forces={
            "spring": {"kind": "spring", "between": ["O", "pan.P"], "stiffness": stiffness, "free_length": 0.3},
            "load": {"kind": "force", "at": "pan.P", "value": [0, "-F"]},
        },
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_spring_balance_shows_the_weight(method: str) -> None:
    eq = lw.find_equilibrium(balance(), method=method, parameters={"F": 5})
    stretch = (2 * G + 5) / 200
    assert eq["P.y"] == pytest.approx(-0.3 - stretch, abs=1e-12)
    assert eq.stiffness[0] == pytest.approx(200, rel=1e-12) and eq.directions[0].unit == "N/m"
    assert eq.energy == pytest.approx((2 * G + 5) * eq["P.y"] + 100 * stretch**2, rel=1e-12)


def spinning(omega: float, **more: Any) -> lw.Model:
    """Two links of 1 m with 1 kg at both ends, on a ground that turns about the vertical."""
    hinge = {"kind": "revolute", "axis": [0, -1, 0]}
    data: dict[str, Any] = {
        "name": "spinning pendulum",
        "space": "spatial",
        "gravity": [0, 0, -G],
        "base": {"omega": [0, 0, omega]},
        "points": {"O": [0, 0, 0], "A": [0, 0, -1], "B": [0, 0, -2]},
        "bodies": {
            "upper": {"bar": ["O", "A"], "masses": {"O": 1, "A": 1}},
            "lower": {"bar": ["A", "B"], "masses": {"A": 1, "B": 1}},
        },
        "joints": {"O": {**hinge, "bodies": ["ground", "upper"]}, "A": {**hinge, "bodies": ["upper", "lower"]}},
    }
    return lw.Model(**{**data, **more})


# SOURCE: García de Jalón and Bayo, example 9.1, equations with their errata, solved by SymPy and Newton's method
@pytest.mark.parametrize(
    ("omega", "angles"), [(3, (0.692180, 0.228817)), (5, (1.273977, 0.096877)), (8, (1.455687, 0.038252))]
)
def test_a_double_pendulum_rises_on_a_ground_that_turns(omega: float, angles: tuple[float, float]) -> None:
    model = spinning(omega)
    for method in METHODS:
        eq = lw.find_equilibrium(model, method=method)
        turned = eq["O.angle"], eq["A.angle"]
        np.testing.assert_allclose(np.abs(turned), angles, atol=1e-6)
        # both links balance: Σ m (ω² x cos φ − g sin φ) = 0 about each hinge
        one, two = turned[0], turned[0] + turned[1]
        x1, x2 = np.sin(one), np.sin(one) + np.sin(two)
        lower = omega**2 * x2 * np.cos(two) - G * np.sin(two)
        upper = 2 * (omega**2 * x1 * np.cos(one) - G * np.sin(one)) + omega**2 * x2 * np.cos(one) - G * np.sin(one)
        np.testing.assert_allclose([lower, upper], 0.0, atol=1e-9)
        assert eq.stability == "stable" and any("unstable" in note for note in eq.notes)


def test_below_its_critical_speed_the_pendulum_hangs() -> None:
    eq = lw.find_equilibrium(spinning(1.0))
    assert eq["O.angle"] == 0.0 and eq.stability == "stable"


def test_an_actuator_with_a_lag_rests_where_its_demand_does() -> None:
    lever = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"bar": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"]}},
        forces={
            "motor": {"kind": "actuator", "joint": "O", "signal": "0.8 - O.angle", "gain": 5, "lag": "0.1 s"},
            "spring": {"kind": "torsion_spring", "joint": "O", "free_angle": 0, "stiffness": 3},
        },
    )
    eq = lw.find_equilibrium(lever)
    assert eq["O.angle"] == pytest.approx(0.5, abs=1e-12)  # 5 (0.8 − φ) = 3 φ
    assert eq.stiffness[0] == pytest.approx(8.0, rel=1e-12)


# -- stability ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stiffness", "expected"), [(6.0, "stable"), (4.0, "unstable"), (0.5 * G, "neutral")])
def test_an_upright_bar_stands_by_the_sign_of_its_energy(stiffness: float, expected: str) -> None:
    spring = {"kind": "torsion_spring", "joint": "O", "stiffness": stiffness, "free_angle": "90 deg"}
    bar = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0, 1]},
        bodies={"bar": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"]}},
        forces={"spring": spring},
    )
    eq = lw.find_equilibrium(bar, stable=False)
    assert eq["O.angle"] == pytest.approx(np.pi / 2) and eq.stability == expected
    # V = ½ k φ² + ½ m g l cos φ
    assert eq.stiffness[0] == pytest.approx(stiffness - 0.5 * G, abs=1e-12)
    if expected == "unstable":
        left = lw.find_equilibrium(bar)
        tilt = left["O.angle"] - np.pi / 2
        assert left.stability == "stable" and stiffness * tilt == pytest.approx(0.5 * G * np.sin(tilt), abs=1e-11)


def four_bar(**more: Any) -> lw.Model:
    hinge = {"kind": "revolute"}
    data: dict[str, Any] = {
        "name": "four-bar",
        "space": "planar",
        "gravity": [0, -G],
        "points": {"O": [0, 0], "A": [0.4, -0.3], "B": [1.1, 0.2], "C": [1, -0.8]},
        "bodies": {
            "a": {"bar": ["O", "A"], "mass": 1},
            "b": {"bar": ["A", "B"], "mass": 2},
            "c": {"bar": ["C", "B"], "mass": 1},
        },
        "joints": {
            "O": {**hinge, "bodies": ["ground", "a"]},
            "A": {**hinge, "bodies": ["a", "b"]},
            "B": {**hinge, "bodies": ["b", "c"]},
            "C": {**hinge, "bodies": ["c", "ground"]},
        },
        "forces": {"s": {"kind": "spring", "between": ["a.A", "ground.C"], "stiffness": 50, "free_length": 0.3}},
    }
    return lw.Model(**{**data, **more})


def test_stiffness_of_a_loop_is_the_second_derivative_of_its_energy() -> None:
    found = lw.find_equilibria(four_bar(), tries=12, assemblies=False)
    assert [eq.stability for eq in found] == ["stable", "unstable"] and found[0].energy < found[1].energy
    held = four_bar(
        parameters={"phi": {"value": -0.6, "live": True}}, drivers={"hold": {"joint": "O", "position": "phi"}}
    )
    for eq in found:
        at, h = eq["O.angle"], 1e-3
        offsets = (-2 * h, -h, 0.0, h, 2 * h)
        energies = [lw.find_equilibrium(held, parameters={"phi": at + d}).energy for d in offsets]
        second = np.dot([-1, 16, -30, 16, -1], energies) / (12 * h * h)
        direction = eq.directions[0]
        assert direction.stiffness / direction.moves["O.angle"] ** 2 == pytest.approx(second, rel=1e-6)


def energies_of_the_four_bar(phi: np.ndarray, side: float) -> np.ndarray:
    """V at crank angles in one of two ways to put it together, by the intersection of circles; nan where there is none."""
    a = np.array([0.5 * np.cos(phi), 0.5 * np.sin(phi)])
    c, coupler, rocker = np.array([[1.0], [-0.8]]), np.hypot(0.7, 0.5), np.hypot(0.1, 1.0)
    reach = np.hypot(*(c - a))
    along = (coupler**2 - rocker**2 + reach**2) / (2 * reach)
    with np.errstate(invalid="ignore"):
        beside = side * np.sqrt(coupler**2 - along**2)
    way = (c - a) / reach
    b = a + along * way + beside * np.array([-way[1], way[0]])
    weights = G * (a[1] / 2 + 2 * (a[1] + b[1]) / 2 + (c[1] + b[1]) / 2)
    return np.asarray(weights + 25 * (reach - 0.3) ** 2)


@pytest.mark.parametrize("coordinates", KINDS)
def test_positions_of_rest_are_those_of_all_assembly_modes(coordinates: str) -> None:
    """Minima and maxima of the energy of both circuits, of which no motion leads from one to the other."""
    phi = np.linspace(-np.pi, np.pi, 200001)
    exact = []
    for side in (1.0, -1.0):
        v = energies_of_the_four_bar(phi, side)
        inner = (v[1:-1] - v[:-2]) * (v[2:] - v[1:-1]) <= 0
        exact += [(v[i], "stable" if v[i] < v[i - 1] else "unstable") for i in np.flatnonzero(inner) + 1]
    exact.sort()
    found = lw.find_equilibria(four_bar(), coordinates=coordinates)
    assert [eq.stability for eq in found] == [kind for _, kind in exact]
    assert [eq.energy for eq in found] == pytest.approx([energy for energy, _ in exact], abs=1e-6)
    assert "from 40 starts in 2 assembly modes" in str(found)
    drawn = lw.find_equilibria(four_bar(), coordinates=coordinates, tries=8, assemblies=False)
    assert {round(eq.energy, 6) for eq in drawn} < {round(eq.energy, 6) for eq in found}


def test_where_other_assemblies_are_not_looked_for_is_told() -> None:
    """A disc rolls, and nothing holds where it stands."""
    disc = lw.example("rolling_disc")
    found = lw.find_equilibria(disc, tries=2)
    told = "looked for in the assembly in which the search began alone: the modes of a mechanism with relations"
    assert told in " ".join(str(found).split())
    assert told not in " ".join(str(lw.find_equilibria(disc, tries=2, assemblies=False)).split())


def test_rest_in_another_assembly_is_told_with_how_far_it_is() -> None:
    """A lift that is drawn nearly folded upwards falls through its change point, and hangs."""
    model = four_bar(points={"O": [0, 0], "A": [-0.05, 0.5], "B": [0.9, 0.4], "C": [1, -0.8]}, forces={})
    found = lw.find_equilibrium(model)
    told = " ".join(found.notes)
    assert ("the search ended" in told) == (max(map(abs, found.moved.values())) > np.pi / 2)
    moved = max(found.moved.values(), key=abs)
    assert f"{np.degrees(moved):.0f}"[:3] in told
    near = lw.find_equilibrium(model, start={"O.angle": found["O.angle"] + 0.1})
    assert not any("the search ended" in note for note in near.notes)


def test_equilibria_are_sorted_and_drawn(tmp_path: Path) -> None:
    found = lw.find_equilibria(four_bar(), tries=6, seed=3)
    text = str(found)
    assert "equilibri" in text and "stable" in text and "O.angle" in text
    found.plot(path=tmp_path / "all.png")
    found[0].plot(path=tmp_path / "one.png")
    page = found[0].animate(tmp_path / "rest.html")
    assert (tmp_path / "all.png").stat().st_size > 5000 and page.exists()


def test_an_equilibrium_prints_what_a_user_asks() -> None:
    eq = lw.find_equilibrium(four_bar())
    text = str(eq)
    assert "Equilibrium of four-bar: stable" in text and "N*m/rad" in text and "deg" in text
    weight = sum(abs(eq.result[f"{name}.fy"][0]) * np.sign(eq[f"{name}.fy"]) for name in ("O",))
    # the ground holds the weights and feels the spring: its pull on A, against C
    pull = 50 * (np.hypot(eq["A.x"] - 1, eq["A.y"] + 0.8) - 0.3)
    along = np.array([1 - eq["A.x"], -0.8 - eq["A.y"]]) / np.hypot(eq["A.x"] - 1, eq["A.y"] + 0.8)
    assert weight - eq["C.fy"] == pytest.approx(4 * G - pull * along[1], rel=1e-9)


# -- bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_what_falls_for_ever_is_named(method: str) -> None:
    falling = balance(stiffness=0.0)
    with pytest.raises(lw.errors.EquilibriumError, match=r"guide\.position .* -19\.62 N .* for ever"):
        lw.find_equilibrium(falling, method=method, max_iterations=20)


def test_free_bodies_are_neutral_and_named() -> None:
    eq = lw.find_equilibrium(linkages.floating_pair(gravity=[0, 0, 0]))
    assert eq.stability == "neutral" and {"a.x", "b.x"} <= set(eq.soft)


@pytest.mark.parametrize(
    ("value", "meaning"),
    [(2.0, "stable"), (-2.0, "unstable"), (2 + 1j, "unstable"), (1e-12 + 1e-12j, "neutral"), (2 + 1e-12j, "stable")],
)
def test_a_stiffness_of_rounding_errors_does_not_flutter(value: complex, meaning: str) -> None:
    assert stability(complex(value), 1e-10) == meaning


def floating(gravity: float) -> lw.Model:
    """Two bars of 1 kg with a spring across their hinge, and nothing that holds them."""
    return lw.Model(
        name="tongs",
        space="planar",
        gravity=[0, -gravity],
        points={"A": [0, 0], "B": [1, 0], "C": [1, 1]},
        bodies={"a": {"bar": ["A", "B"], "mass": 1}, "b": {"bar": ["B", "C"], "mass": 1}},
        joints={"B": {"kind": "revolute", "bodies": ["a", "b"]}},
        forces={"s": {"kind": "spring", "between": ["a.A", "b.C"], "stiffness": 10, "free_length": 0.8}},
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_floating_mechanism_rests_by_its_spring_or_falls(method: str) -> None:
    """Unstressed, the spring has the length 0.8 = 2 sin(γ/2) between bars at an angle γ."""
    eq = lw.find_equilibrium(floating(0.0), method=method)
    opening = np.pi - eq["B.angle"]
    assert 2 * np.sin(opening / 2) == pytest.approx(0.8, abs=1e-11)
    assert eq.stability == "neutral" and {"a.x", "a.y", "a.angle"} <= set(eq.soft) and "B.angle" not in eq.soft
    assert eq.stiffness[-1] == pytest.approx(10 * np.cos(opening / 2) ** 2, rel=1e-9)
    assert list(eq.positions) == ["a.x", "a.y", "a.angle", "B.angle"]
    with pytest.raises(lw.errors.EquilibriumError, match=r"a\.y has moved by -.* pushed with -19\.62 N .* for ever"):
        lw.find_equilibrium(floating(G), method=method, max_iterations=30)


@pytest.mark.parametrize("method", METHODS)
def test_a_bar_on_a_spring_returns_to_its_place(method: str) -> None:
    # SOURCE: Modelica Standard Library, MultiBody.Examples.Elementary.InitSpringConstant
    eq = lw.find_equilibrium(mechanisms.spring_bar(), method=method, start={"O": "-20 deg"})
    assert eq["bar.angle"] == pytest.approx(0.0, abs=1e-10) and eq.stability == "stable"


def test_a_driver_that_moves_is_refused_by_name() -> None:
    turning = four_bar(drivers={"motor": {"joint": "O", "speed": "2 rad/s"}})
    with pytest.raises(lw.errors.RefusedError, match=r"motor.* moves by itself at t = 0 s"):
        lw.find_equilibrium(turning)


def lever(force: dict[str, Any]) -> lw.Model:
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"bar": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"]}},
        forces={"push": force},
    )


def test_a_force_without_a_value_is_named() -> None:
    with pytest.raises(lw.errors.EquilibriumError, match="force 'push' gives an infinite or undefined value"):
        lw.find_equilibrium(lever({"kind": "effort", "joint": "O", "value": "sqrt(O.angle - 1)"}))


@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_a_wound_spring_counts_its_turns(kind: str) -> None:
    spring = {"kind": "torsion_spring", "joint": "O", "stiffness": 1, "free_angle": "900 deg"}
    eq = lw.find_equilibrium(lever(spring), coordinates=kind)
    assert eq["O.angle"] == pytest.approx(5 * np.pi, abs=1e-11)


def test_other_bad_input_is_refused() -> None:
    model = four_bar()
    with pytest.raises(lw.errors.RefusedError, match="virtual_power"):
        lw.find_equilibrium(model, method="virtual_pover")
    with pytest.raises(lw.errors.UnknownNameError, match=r"no joint coordinate 'X\.angle'"):
        lw.find_equilibrium(model, start={"X.angle": 0.1})
    with pytest.raises(lw.errors.UnknownNameError, match=r"no joint coordinate 'a'; .*A\.angle"):
        lw.find_equilibrium(model, start={"a": 0.1})
    with pytest.raises(lw.errors.UnknownNameError, match=r"O\.angel.*O\.angle"):
        lw.find_equilibrium(model, start={"O.angel": 0.1})
    with pytest.raises(lw.errors.AssemblyError, match="O"):
        lw.find_equilibrium(model, start={"O.angle": "180 deg", "C.angle": "90 deg"})
    with pytest.raises(lw.errors.RefusedError, match="tolerance"):
        lw.find_equilibrium(model, tolerance=0.0)
    with pytest.raises(lw.errors.RefusedError, match="tries"):
        lw.find_equilibria(model, tries=0)
