"""The mechanisms of García de Jalón and Bayo, Kinematic and Dynamic Simulation of Multibody Systems, chapters 2, 3 and 8.

The book prints no measures; those here are any that are not special.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import linkwork as lw


def planar(points: dict[str, Any], bodies: dict[str, Any], joints: dict[str, str], **more: Any) -> lw.Model:
    """Bodies of mass 1 from their points (two make a bar), pins by 'parent child', other joints in *more*."""
    made: dict[str, Any] = {}
    for name, places in bodies.items():
        plate = {"points": places, "com": [0.1, 0.1], "inertia": 0.05}
        made[name] = {"mass": 1, **({"bar": places} if len(places) == 2 else plate)}
    pins = {name: {"kind": "revolute", "bodies": pair.split()} for name, pair in joints.items()}
    return lw.Model(space="planar", gravity=[0, -9.81], points=points, bodies=made, joints=pins | more)


def four_bar() -> lw.Model:
    """Figures 2.2, 2.3b and 2.8a: examples 2.1, 2.2 and 2.5."""
    return planar(
        {"A": [0, 0], "P1": [0.1, 0.3], "P2": [0.8, 0.7], "B": [0.9, 0]},
        {"two": ["A", "P1"], "three": ["P1", "P2"], "four": ["B", "P2"]},
        {"A": "ground two", "P1": "two three", "P2": "three four", "B": "ground four"},
    )


def open_chain() -> lw.Model:
    """Figure 2.3a: three moving bars on three pins."""
    return planar(
        {"O": [0, 0], "P1": [0.3, 0.2], "P2": [0.7, 0.1], "P3": [0.9, 0.6]},
        {"one": ["O", "P1"], "two": ["P1", "P2"], "three": ["P2", "P3"]},
        {"O": "ground one", "P1": "one two", "P2": "two three"},
    )


def four_bar_with_slide() -> lw.Model:
    """Figures 2.5, 2.8b, 2.12 and 2.17, examples 2.3, 2.6 and 2.9: body four slides on body three."""
    return planar(
        {"A": [0, 0], "P1": [0, 0.4], "P2": [1, 0.6], "P3": [0.6, 0.52], "B": [0.7, 0]},
        {"two": ["A", "P1"], "three": ["P1", "P2"], "four": ["B", "P3"]},
        {"A": "ground two", "P1": "two three", "B": "ground four"},
        P3={"kind": "prismatic", "bodies": ["three", "four"], "axis": [1, 0.2]},
    )


def telescope() -> lw.Model:
    """Figure 2.15, example 2.7: a tube P1 P2 and a rod P3 P4 in it, between the ground and a crank."""
    return planar(
        {"P1": [0, 0], "P2": [0.6, 0.3], "P3": [0.4, 0.2], "P4": [1, 0.5], "B": [1.1, 0.1]},
        {"tube": ["P1", "P2"], "rod": ["P3", "P4"], "crank": ["B", "P4"]},
        {"P1": "ground tube", "P4": "rod crank", "B": "ground crank"},
        slide={"kind": "prismatic", "bodies": ["tube", "rod"], "at": ["P2", "P3"], "axis": [2, 1]},
    )


def six_bodies() -> lw.Model:
    """Figures 2.6, 2.7 and 2.11, example 2.4: two bars and two rockers on the corners of a triangle."""
    return planar(
        {"O": [0, 0], "A": [0.1, 0.3], "B": [0.6, 0.5], "C": [0.9, 0.4], "D": [0.8, 0.8], "E": [1, 0], "F": [1.3, 0.7]},
        {"two": ["O", "A"], "three": ["A", "B"], "four": ["B", "C", "D"], "five": ["E", "C"], "six": ["F", "D"]},
        {
            "O": "ground two", "A": "two three", "B": "three four", "C": "four five", "D": "four six",
            "E": "ground five", "F": "ground six",
        },
    )  # fmt: skip


PLATES = {
    "three points": [[0, 0], [1, 0], [0.3, 0.7]],
    "three points in a line": [[0, 0], [0.4, 0.2], [1.2, 0.6]],
    "four points": [[0, 0], [1, 0], [0.3, 0.7], [0.9, 0.8]],
}


def plate(places: list[list[float]]) -> lw.Model:
    """Figure 2.16, example 2.8: a body with these points, which moves freely in the plane."""
    points = {f"P{i}": place for i, place in enumerate(places)}
    body = {"points": points, "origin": [0, 0], "mass": 1, "com": [0.3, 0.3], "inertia": 0.1}
    return lw.Model(space="planar", bodies={"plate": body})


def rscr() -> lw.Model:
    """Figures 2.25, 2.46 and 2.47, example 2.10 and tables 2.1 to 2.3: the coupler slides on a shaft of the rocker."""
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0.1, 0.05, 0.02], "A": [0.22, 0.2, 0.1], "B": [0.7, 0.35, 0.4], "C": [0.9, 0.1, 0.05]},
        bodies={
            name: {"points": ends.split(), "mass": 1, "com": [0.03, 0.04, 0.05], "inertia": [0.02, 0.03, 0.04]}
            for name, ends in {"crank": "O A", "coupler": "A B", "rocker": "C B"}.items()
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"], "axis": [0.3, 0.1, 1]},
            "A": {"kind": "spherical", "bodies": ["crank", "coupler"]},
            "B": {"kind": "cylindrical", "bodies": ["rocker", "coupler"], "axis": [0.2, 1, 0.3]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"], "axis": [1, 0.1, 0.2]},
        },
    )


def spherical_four_bar() -> lw.Model:
    """Figure 3.15, example 3.9: four revolute joints whose axes meet in the origin."""
    places = {"A": [0.5, 0, 0], "B": [0.4, 0.2, 0.3], "C": [0.1, 0.5, 0.4], "D": [0, 0.6, 0]}
    chain = ["ground", "crank", "coupler", "rocker", "ground"]
    bars = {"crank": ["A", "B"], "coupler": ["B", "C"], "rocker": ["D", "C"]}
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points=places,
        bodies={name: {"bar": ends, "mass": 1, "radius": 0.02} for name, ends in bars.items()},
        joints={
            name: {"kind": "revolute", "bodies": chain[i : i + 2], "axis": place}
            for i, (name, place) in enumerate(places.items())
        },
    )


CUBE = ([0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [0, 0, 1])
"""Corners of a unit cube along six of its edges; the last edge is the ground."""


def five_links(closed: bool) -> lw.Model:
    """Examples 8.6 and 8.7: five links with half their mass of 1 kg at each end, open, or closed to a mechanism of Bricard.

    The book prints no geometry: links are edges of a cube, axes are perpendicular to both links of a joint. The weight is
    along x or y, by the parameters gx and gy.
    """
    corners = np.array(CUBE, dtype=float)
    edges = np.roll(corners, -1, axis=0) - corners
    axes = np.cross(np.roll(edges, 1, axis=0), edges)
    chain = ["ground", *(f"link{i}" for i in range(1, 6)), "ground"]
    return lw.Model(
        space="spatial",
        parameters={"gx": {"value": 0.0, "live": True}, "gy": {"value": 9.81, "live": True}},
        gravity=["gx", "gy", 0],
        points={f"P{i}": place for i, place in enumerate(CUBE)},
        bodies={
            f"link{i}": {"points": [f"P{i - 1}", f"P{i}"], "masses": {f"P{i - 1}": 0.5, f"P{i}": 0.5}}
            for i in range(1, 6)
        },
        joints={
            f"P{i}": {"kind": "revolute", "bodies": chain[i : i + 2], "axis": axes[i].tolist()}
            for i in range(6 if closed else 5)
        },
    )


def stiff_pendulum(angles: tuple[float, float] = (0.0, 0.0), speed: float = 100.0) -> lw.Model:
    """Example 7.2: a double pendulum without weight; live stiffnesses k1, k2 and damping c of the rotational springs."""
    pairs = {"O": ["ground", "upper"], "A": ["upper", "lower"]}
    springs = {
        name: {"kind": "torsion_spring", "joint": joint, "free_angle": 0, "stiffness": stiffness, "damping": "c"}
        for name, joint, stiffness in (("s1", "O", "k1"), ("s2", "A", "k2"))
    }
    return lw.Model(
        name="double pendulum with rotational springs",
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        parameters={name: {"value": 0, "live": True} for name in ("k1", "k2", "c")},
        bodies={
            "upper": {"points": ["O", "A"], "mass": 1, "com": "A", "inertia": 0},
            "lower": {"points": ["A", "B"], "mass": 1, "com": "B", "inertia": 0},
        },
        joints={name: {"kind": "revolute", "bodies": pair} for name, pair in pairs.items()},
        forces=springs,
        initial={name: {"angle": angle, "speed": speed} for name, angle in zip(pairs, angles, strict=True)},
    )
