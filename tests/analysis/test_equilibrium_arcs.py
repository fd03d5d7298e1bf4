"""Positions of rest by the length of their path: round limit points, back, and onto branches, against exact curves."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from test_equilibrium import G, spinning
from test_equilibrium_path import HALF, LENGTH, RISE, STIFFNESS, column, load, truss

import linkwork as lw

HIGHEST = np.sqrt((LENGTH * HALF**2) ** (2 / 3) - HALF**2)  # where dF/dz = 0


def test_a_truss_is_followed_through_its_snap(tmp_path: Path) -> None:
    path = lw.equilibrium_path(truss(), {"F": [0, 8]}, arc_length=0.05)
    heights = path["S.y"]
    np.testing.assert_allclose(load(heights), path["F"], atol=1e-9)
    assert path["F"][0] == 0.0 and path["F"][-1] == pytest.approx(8.0, abs=1e-12)
    assert np.all(np.diff(heights) < 0.0) and heights[0] == pytest.approx(RISE) and heights[-1] < -0.37
    for point, sign in zip(path.critical, (1, -1), strict=True):
        assert point.kind == "limit point" and point.along == "g.position"
        assert point.parameters["F"] == pytest.approx(sign * load(HIGHEST), rel=1e-12)
        assert heights[point.index] == pytest.approx(sign * HIGHEST, abs=1e-6)
    # stable but between the limit points, where the energy curves downwards
    unstable = np.abs(heights) < HIGHEST - 1e-6
    assert [kind == "unstable" for kind in path.stability] == list(unstable)
    np.testing.assert_array_equal(path.softest < 0, path.softest < 0)
    text = str(path)
    assert "limit point at F = 4.97496, along g.position" in text and "of them are shown" in text
    assert not path.notes and len(path.table()) == len(path) + 1
    path.plot("S.y", path=tmp_path / "path.png")
    with path.save(tmp_path / "path.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["F"]) for row in rows] == list(path["F"]) and rows[0]["stability"] == "stable"


def device(stiffness: float) -> lw.Model:
    """The truss pulled down by a spring whose other end is moved by u."""
    data = truss().to_dict()
    data["parameters"] = {"u": {"value": RISE, "live": True}}
    data["points"]["D"] = [0, 1 + RISE]
    data["bodies"]["device"] = {"points": ["D"], "mass": 1, "inertia": 1}
    data["joints"]["d"] = {"kind": "prismatic", "bodies": ["ground", "device"], "at": ["O", "D"], "axis": [0, 1]}
    data["forces"]["load"] = {
        "kind": "spring",
        "between": ["device.D", "tip.S"],
        "stiffness": stiffness,
        "free_length": 1,
    }
    data["drivers"] = {"pull": {"joint": "d", "position": "u + 1"}}
    return lw.Model(**data)


@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_a_soft_device_snaps_back(kind: str) -> None:
    """u = z − F(z)/k goes back where dF/dz > k, while z goes on."""
    soft = 20.0
    path = lw.equilibrium_path(device(soft), {"u": [RISE, -0.6]}, arc_length=0.05, coordinates=kind)
    heights = path["S.y"]
    np.testing.assert_allclose(heights - load(heights) / soft, path["u"], atol=1e-10)
    # k (L a²/l³ − 1) = the stiffness of the device
    lengths = (STIFFNESS * LENGTH * HALF**2 / (STIFFNESS + soft)) ** (1 / 3)
    turn = np.sqrt(lengths**2 - HALF**2)
    assert [point.kind for point in path.critical] == ["limit point"] * 2
    exact = turn - load(turn) / soft
    np.testing.assert_allclose([point.parameters["u"] for point in path.critical], [exact, -exact], atol=1e-12)
    stiff = lw.equilibrium_path(device(200.0), {"u": [RISE, -0.6]}, arc_length=0.05, coordinates=kind)
    assert not stiff.critical and set(stiff.stability) == {"stable"}


def test_a_column_goes_on_straight_or_buckles() -> None:
    straight = lw.equilibrium_path(column(), {"P": [0, 16]}, arc_length=0.05)
    (point,) = straight.critical
    assert point.kind == "bifurcation" and point.along == "O.angle"
    assert point.parameters["P"] == pytest.approx(10.0, rel=1e-12)
    assert straight.stability[-1] == "unstable" and straight["O.angle"][-1] == pytest.approx(np.pi / 2)
    buckled = lw.equilibrium_path(column(), {"P": [0, 30]}, arc_length=0.05, switch=True)
    tilt = buckled["O.angle"] - np.pi / 2
    np.testing.assert_allclose(10 * tilt, buckled["P"] * np.sin(tilt), atol=1e-9)
    assert abs(tilt[-1]) > 2.2 and "unstable" not in buckled.stability
    back = lw.equilibrium_path(column(), {"P": [30, 0]}, arc_length=0.05)
    assert back.critical[0].kind == "bifurcation"
    assert back.critical[0].parameters["P"] == pytest.approx(10.0, abs=1e-8)
    assert "to the other side: it ends at P = 60" in str(back)


def test_a_spinning_pendulum_rises_where_its_hanging_position_branches() -> None:
    """Two links of 1 m with 1 kg at their joints: det of (g/l) diag(3, 1) − ω² [[3, 1], [1, 1]] is zero."""
    model = spinning("w", parameters={"w": {"value": 1.0, "live": True}})  # type: ignore[arg-type]
    hanging = lw.equilibrium_path(model, {"w": [0.5, 8]}, arc_length=0.05, stable=False)
    # 2 w⁴ − 6 (g/l) w² + 3 (g/l)² = 0
    exact = np.sqrt(G * np.array([(3 - np.sqrt(3)) / 2, (3 + np.sqrt(3)) / 2]))
    assert [point.kind for point in hanging.critical] == ["bifurcation"] * 2
    np.testing.assert_allclose([point.parameters["w"] for point in hanging.critical], exact, rtol=1e-11)
    risen = lw.equilibrium_path(model, {"w": [0.5, 8]}, arc_length=0.05, switch=True)
    end = risen["O.angle"][-1], risen["A.angle"][-1]
    # SOURCE: García de Jalón and Bayo, example 9.1, as in test_equilibrium.py
    np.testing.assert_allclose(np.abs(end), (1.455687, 0.038252), atol=1e-6)


def steep(rise: float) -> lw.Model:
    """A tip on two sprung bars from (±1, 0), free to move sideways too."""
    bars = {
        name: {
            "kind": "spring",
            "between": [name, "tip.T"],
            "stiffness": STIFFNESS,
            "free_length": float(np.hypot(1, rise)),
        }
        for name in ("L", "R")
    }
    slide = {"kind": "prismatic"}
    return lw.Model(
        name="steep truss",
        space="planar",
        parameters={"F": {"value": 0, "live": True}},
        points={"L": [-1, 0], "R": [1, 0], "S": [0, rise], "T": [0, rise]},
        bodies={
            "block": {"points": ["S"], "mass": 1, "inertia": 1},
            "tip": {"points": ["T"], "mass": 1, "inertia": 1},
        },
        joints={
            "side": {**slide, "at": "S", "bodies": ["ground", "block"], "axis": [1, 0]},
            "up": {**slide, "at": ["S", "T"], "bodies": ["block", "tip"], "axis": [0, 1]},
        },
        forces={**bars, "load": {"kind": "force", "at": "tip.T", "value": [0, "-F"]}},
    )


def test_a_steep_truss_gives_way_sideways_before_it_snaps() -> None:
    """Upright, the stiffness across is 2 k (1 + z² (1 − L₀/L))/L²: zero at a height above that of the limit point."""
    rise = 3.0
    free = np.hypot(1, rise)

    def upright(z: float) -> float:
        return float(2 * STIFFNESS * (free / np.hypot(1, z) - 1) * z)

    # z² (L₀/L − 1) = 1 with z² = L² − 1: L³ − L₀ L² + L₀ = 0
    length = float(max(root.real for root in np.roots([1, -free, 0, free]) if abs(root.imag) < 1e-12))
    height = np.sqrt(length**2 - 1)
    path = lw.equilibrium_path(steep(rise), {"F": [0, 1500]}, arc_length=0.05, switch=True, max_steps=60)
    (point, *_) = path.critical
    assert point.kind == "bifurcation" and point.along == "side.position"
    assert point.parameters["F"] == pytest.approx(upright(height), rel=1e-9)
    assert path["T.y"][point.index] == pytest.approx(height, abs=1e-7)
    # beyond it the tip leans over: forces of both bars balance the load
    x, y = path["T.x"], path["T.y"]
    assert np.all(np.abs(x[: point.index]) < 1e-9) and np.abs(x[point.index + 1 :]).min() > 1e-4
    lengths = np.array([np.hypot(x + 1, y), np.hypot(x - 1, y)])
    pulls = STIFFNESS * (lengths - free) / lengths
    np.testing.assert_allclose(pulls[0] * (x + 1) + pulls[1] * (x - 1), 0.0, atol=1e-7)
    np.testing.assert_allclose((pulls[0] + pulls[1]) * y, -path["F"], atol=1e-7)


def test_a_snap_and_an_error_name_the_limit_point() -> None:
    snapped = lw.equilibrium_path(truss(), {"F": np.linspace(0, 8, 9)})
    assert snapped.snaps[0].kind == "limit point"
    assert snapped.snaps[0].parameters["F"] == pytest.approx(load(HIGHEST), rel=1e-12)
    with pytest.raises(
        lw.errors.EquilibriumError, match=r"ends at F = 4\.97496, a limit point; arc_length=0\.05 goes on"
    ):
        lw.equilibrium_path(truss(), {"F": [0.0, 4.0, 6.0]}, stable=False)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"switch": True}, "switch belongs to arc_length"),
        ({"arc_length": 0.0}, "steps above zero"),
        ({"arc_length": 0.1, "max_steps": 1}, "max_steps = 1"),
    ],
)
def test_other_paths_are_refused(options: dict[str, object], says: str) -> None:
    with pytest.raises(lw.errors.RefusedError, match=says):
        lw.equilibrium_path(truss(), {"F": [0.0, 1.0]}, **options)  # type: ignore[arg-type]
    with pytest.raises(lw.errors.RefusedError, match="from a first to another last value"):
        lw.equilibrium_path(truss(), {"F": [0.0, 1.0, 2.0]}, arc_length=0.05)


def test_a_path_that_does_not_arrive_says_so() -> None:
    few = lw.equilibrium_path(truss(), {"F": [0, 8]}, arc_length=0.05, max_steps=5)
    assert len(few) == 5 and "after 5 points; allow more with max_steps" in str(few)


def cart(spring: bool) -> lw.Model:
    """A cart on a rail, pushed by F; beside it a balanced wheel that nothing holds."""
    held = {"s": {"kind": "effort", "joint": "rail", "value": "-50*rail.position"}} if spring else {}
    return lw.Model(
        name="cart",
        space="planar",
        parameters={"F": {"value": 0, "live": True}},
        points={"P": [0, 0], "O": [0, 1]},
        bodies={
            "cart": {"points": ["P"], "mass": 1, "inertia": 1},
            "wheel": {"points": ["O"], "mass": 1, "inertia": 1},
        },
        joints={
            "rail": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "P", "axis": [1, 0]},
            "O": {"kind": "revolute", "bodies": ["ground", "wheel"]},
        },
        forces={"push": {"kind": "force", "at": "cart.P", "value": ["F", 0]}, **held},
    )


def test_a_neutral_direction_is_left_alone() -> None:
    path = lw.equilibrium_path(cart(spring=True), {"F": [0, 5]}, arc_length=0.05)
    np.testing.assert_allclose(path["rail.position"], path["F"] / 50, atol=1e-12)
    np.testing.assert_allclose(path["O.angle"], 0.0, atol=1e-12)
    assert set(path.stability) == {"neutral"} and not path.critical


def test_what_nothing_holds_is_named() -> None:
    with pytest.raises(lw.errors.EquilibriumError, match=r"nothing holds .* against the load where the path begins"):
        lw.equilibrium_path(cart(spring=False), {"F": [0, 5]}, arc_length=0.05)
