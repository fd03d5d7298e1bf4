"""Linkages that draw exact straight lines, from rough sketches, in every kind of coordinates.

SOURCE: Kempe, How to Draw a Straight Line (1877): Peaucellier's and Hart's inversors, Scott Russell's motion. Inversors
keep |OP| |OQ| = k²; a point P on a circle through O then takes Q along a line at the distance k²/2r from O.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from combinations import KINDS, every_combination, every_kind

import linkwork as lw
from linkwork.numerics.paths.displacement import METHODS
from linkwork.position.closing import CLOSINGS


@dataclass(frozen=True)
class Drawer:
    """A linkage whose point Q stays on the line normal · Q = distance, while ``input`` swings about ``start``."""

    data: dict[str, Any]
    normal: tuple[float, float]
    distance: float
    input: str
    start: float
    swing: float

    def model(self, **more: Any) -> lw.Model:
        return lw.Model(**{**self.data, **more})

    def driven(self, **more: Any) -> lw.Model:
        motion = f"{self.start!r} + {self.swing!r}*sin(2*pi*t)"
        return self.model(drivers={"motor": {"joint": self.input, "position": motion}}, **more)

    def off(self, result: lw.Result) -> float:
        """How far Q leaves its line at most."""
        away = self.normal[0] * result["Q.x"] + self.normal[1] * result["Q.y"] - self.distance
        return float(np.abs(away).max())

    def drawn(self, result: lw.Result) -> float:
        """The length of the line that is drawn."""
        return float(np.hypot(np.ptp(result["Q.x"]), np.ptp(result["Q.y"])))


def pins(**bodies: str) -> dict[str, Any]:
    """Revolute joints: name or name__point, with the names of two bodies."""
    return {
        name: {"kind": "revolute", "bodies": pair.split(), "at": name.partition("__")[0]}
        for name, pair in bodies.items()
    }


def peaucellier() -> Drawer:
    """Arms 5, rhombus 2, crank and base 3: the line is x = (25 - 4)/(2*3) = 3.5."""
    height = math.sqrt(2**2 - 1.25**2)
    arms = {"arm_a": ("O", "A", 5), "arm_b": ("O", "B", 5), "crank": ("C", "P", 3)}
    sides = {"a_p": ("A", "P", 2), "b_p": ("B", "P", 2), "a_q": ("A", "Q", 2), "b_q": ("B", "Q", 2)}
    data = {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {"O": [0, 0], "C": [3, 0], "A": [4.75, height], "B": [4.75, -height], "P": [6, 0], "Q": [3.5, 0]},
        "bodies": {n: {"bar": [i, j], "length": x, "mass": x} for n, (i, j, x) in (arms | sides).items()},
        "joints": pins(
            C="ground crank", O__a="ground arm_a", O__b="ground arm_b", A__p="arm_a a_p", A__q="arm_a a_q",
            B__p="arm_b b_p", B__q="arm_b b_q", P__a="crank a_p", P__b="crank b_p", Q="a_q b_q",
        ),
    }  # fmt: skip
    return Drawer(data, (1.0, 0.0), 3.5, "C", 0.0, math.radians(30))


def hart() -> Drawer:
    """A crossed parallelogram of bars 5 and 3; O, P, Q in the middle of three of them: |OP| |OQ| = (5² - 3²)/4 = 4.

    Its diagonals AC = c and DB = d stay parallel, with c d = 5² - 3². P and Q lie on opposite sides of O.
    """
    c, d = 3.0, 16 / 3
    height = math.sqrt(3**2 - ((c - d) / 2) ** 2)
    x, y = (c + d) / 4, height / 2  # of O, in axes at A
    p = (-d / 2, 0.0)
    centre, radius = (p[0] / 2, -0.9), math.hypot(p[0] / 2, 0.9)
    points = {"A": [0, 0], "B": [(c + d) / 2, height], "C": [c, 0], "D": [(c - d) / 2, height]}
    data = {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {name: [place[0] - x, place[1] - y] for name, place in points.items()}
        | {"pivot": [0, 0], "G": list(centre), "P": list(p)},
        "bodies": {
            "ab": {"bar": ["A", "B"], "length": 5, "mass": 1, "points": {"O": [2.5, 0]}},
            "ad": {"bar": ["A", "D"], "length": 3, "mass": 1, "points": {"P": [1.5, 0]}},
            "cb": {"bar": ["C", "B"], "length": 3, "mass": 1, "points": {"Q": [1.5, 0]}},
            "cd": {"bar": ["C", "D"], "length": 5, "mass": 1},
            "crank": {"bar": ["G", "P"], "length": radius, "mass": 1},
        },
        "joints": pins(G="ground crank", P="crank ad", A="ab ad", B="ab cb", C="cb cd", D="ad cd")
        | {"O": {"kind": "revolute", "bodies": ["ground", "ab"], "at": ["pivot", "O"]}},
    }
    normal = (-centre[0] / radius, -centre[1] / radius)
    return Drawer(data, normal, 4 / (2 * radius), "G", math.atan2(p[1] - centre[1], p[0] - centre[0]), 0.3)


def scott_russell() -> Drawer:
    """A crank of 1 m to the middle of a bar of 2 m whose end slides along x through the pivot: the other end keeps x = 0."""
    angle = 0.7
    data = {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {
            "O": [0, 0],
            "A": [math.cos(angle), math.sin(angle)],
            "B": [2 * math.cos(angle), 0],
        },
        "bodies": {
            "crank": {"bar": ["O", "A"], "length": 1, "mass": 1},
            "bar": {"bar": ["B", "Q"], "length": 2, "mass": 2, "points": {"A": [1, 0]}},
            "block": {"points": ["B"], "mass": 1, "inertia": 0.01},
        },
        "joints": pins(O="ground crank", A="crank bar", B="bar block")
        | {"guide": {"kind": "prismatic", "bodies": ["ground", "block"], "at": ["O", "B"], "axis": [1, 0]}},
    }
    data["points"]["Q"] = [0, 2 * math.sin(angle)]
    return Drawer(data, (1.0, 0.0), 0.0, "O", angle, 0.5)


DRAWERS = {"peaucellier": peaucellier, "hart": hart, "scott_russell": scott_russell}


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", DRAWERS)
def test_the_line_is_straight(name: str, kind: str) -> None:
    drawer = DRAWERS[name]()
    assert lw.analyse(drawer.model()).freedoms == 1
    result = lw.simulate(drawer.driven(), 1.0, step=0.02, coordinates=kind)
    assert result.outcome.completed
    assert drawer.off(result) <= 1e-10
    assert drawer.drawn(result) > 0.5


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_peaucellier_falls_along_its_line(coordinates: str, formulation: str) -> None:
    drawer = peaucellier()
    model = drawer.model(initial={"C": {"angle": 0.4}})
    result = lw.simulate(model, 0.5, step=0.05, coordinates=coordinates, formulation=formulation, rtol=1e-9, atol=1e-11)
    assert drawer.off(result) <= 1e-10
    assert drawer.drawn(result) > 0.5
    assert np.ptp(result.energy) < 1e-5


def roughly(drawer: Drawer, seed: int) -> dict[str, list[float]]:
    """Every point drawn wrong by up to 5 % of the linkage."""
    random = np.random.default_rng(seed)
    return {
        name: list(np.array(place) + (0.3 * random.uniform(-1, 1, 2) if name not in "OC" else 0))
        for name, place in drawer.data["points"].items()
    }


@pytest.mark.parametrize("method", [*METHODS, "closed_form"])
def test_peaucellier_by_every_method(method: str) -> None:
    """Inversion with k² = 25 - 4: the point keeps x = 3.5 while the crank swings by 30 degrees to both sides."""
    drawer = peaucellier()
    model = drawer.model(points=roughly(drawer, 7))
    assert lw.analyse(model).freedoms == 1
    swing = np.radians(np.linspace(-30, 30, 61))
    result = lw.solve_kinematics(model, {"C": swing}, method=method)
    assert result.settings["method"] == method
    np.testing.assert_allclose(result["C.angle"], swing, atol=1e-12)
    assert drawer.off(result) <= 1e-10
    # a straight path has no curvature
    assert np.abs(lw.measures.path_curvature(result, "Q")).max() < 1e-9


@pytest.mark.parametrize("method", CLOSINGS)
@pytest.mark.parametrize("seed", range(3))
def test_peaucellier_closes_from_a_rough_sketch_by_every_method(seed: int, method: str) -> None:
    drawer = peaucellier()
    pose = lw.assemble(drawer.model(points=roughly(drawer, seed)), {"C": "10 deg"}, method=method)
    assert pose.reached
    assert abs(pose["Q.x"] - 3.5) <= 1e-10
    assert pose["C.angle"] == pytest.approx(np.radians(10), abs=1e-10)


@pytest.mark.matrix("kind")
@every_kind
@pytest.mark.parametrize("seed", range(3))
def test_a_rough_sketch_is_enough(seed: int, kind: str) -> None:
    """Every point drawn wrong by up to 5 % of the linkage; its bars have lengths, so that it closes where it should."""
    drawer = peaucellier()
    model = drawer.driven(points=roughly(drawer, seed))
    topology = lw.analyse(model)
    assert topology.freedoms == 1
    assert topology.assembly.moved > 0.1
    result = lw.simulate(model, 0.5, step=0.05, coordinates=kind)
    assert drawer.off(result) <= 1e-10
