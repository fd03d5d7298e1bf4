"""Linkages for tests: one of every sort that the formulations must agree on. Units are SI."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

import linkwork as lw

DOWN, DOWN_Z = [0, -9.81], [0, 0, -9.81]


def revolute(*bodies: str, **more: Any) -> dict[str, Any]:
    return {"kind": "revolute", "bodies": list(bodies), **more}


def flat_four_bar(crank: float, coupler: float, rocker: float, away: float = 0.0, **more: Any) -> lw.Model:
    """A four-bar with crank + coupler = ground + rocker, in one line, or by an angle *away* from it where it stays one."""
    ground = crank + coupler - rocker
    a = [crank * math.cos(away), crank * math.sin(away)]
    b = [ground + rocker * math.cos(away), rocker * math.sin(away)]
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": a, "B": b, "C": [ground, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "coupler": {"bar": ["A", "B"], "mass": 1},
            "rocker": {"bar": ["C", "B"], "mass": 1},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "coupler"),
            "B": revolute("coupler", "rocker"),
            "C": revolute("ground", "rocker"),
        },
        **more,
    )


def slider_crank(**more: Any) -> lw.Model:
    """In-line slider-crank: crank 0.3 m, rod 0.9 m, slider along x."""
    height = 0.3 * math.sin(1.0)
    start = 0.3 * math.cos(1.0) + math.sqrt(0.9**2 - height**2)
    data: dict[str, Any] = {
        "space": "planar",
        "gravity": DOWN,
        "points": {"O": [0, 0], "A": [0.3 * math.cos(1.0), height], "B": [start, 0]},
        "bodies": {
            "crank": {"bar": ["O", "A"], "length": 0.3, "mass": 2},
            "rod": {"bar": ["A", "B"], "length": 0.9, "mass": 1},
            "slider": {"points": ["B"], "mass": 0.5},
        },
        "joints": {
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "rod"),
            "B": revolute("rod", "slider"),
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": ["O", "B"], "axis": [1, 0]},
        },
        "initial": {"O": {"speed": 7.0}},
    }
    return lw.Model(**{**data, **more})


def spatial_slider_crank() -> lw.Model:
    """Crank about x, rod with a spherical and a universal joint, slider along x: one freedom, no redundancy."""
    return lw.Model(
        space="spatial",
        gravity=DOWN_Z,
        points={"O": [0, 0.1, 0.12], "A": [0, 0.1, 0.2], "B": [0.22, 0, 0], "S": [0, 0, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 0.12, "radius": 0.01},
            "rod": {"bar": ["A", "B"], "mass": 0.5, "radius": 0.012},
            "slider": {"points": ["B"], "mass": 2, "inertia": {"box": [0.05, 0.04, 0.03]}},
        },
        joints={
            "O": revolute("ground", "crank", axis=[1, 0, 0]),
            "A": {"kind": "spherical", "bodies": ["crank", "rod"]},
            "B": {"kind": "universal", "bodies": ["rod", "slider"], "axes": [[0, 1, 0], [0, 0, 1]]},
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": ["S", "B"], "axis": [1, 0, 0]},
        },
        initial={"O": {"speed": 12.0}},
    )


def six_bar() -> lw.Model:
    """A Watt six-bar: a crank-rocker whose ternary rocker drives a second dyad."""
    return lw.Model(
        space="planar",
        gravity=DOWN,
        points={
            "O": [0, 0], "A": [0.05, 0.09], "B": [0.3, 0.28], "C": [0.28, 0], "D": [0.4, 0.22], "E": [0.62, 0.3],
            "F": [0.6, 0],
        },
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "coupler": {"bar": ["A", "B"], "mass": 2},
            "plate": {"points": ["C", "B", "D"], "mass": 3, "com": [0.05, 0.17], "inertia": 0.03},
            "link": {"bar": ["D", "E"], "mass": 1},
            "output": {"bar": ["F", "E"], "mass": 1.5},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "coupler"),
            "B": revolute("coupler", "plate"),
            "C": revolute("plate", "ground"),
            "D": revolute("plate", "link"),
            "E": revolute("link", "output"),
            "F": revolute("ground", "output"),
        },
        initial={"O": {"speed": 9.0}},
    )  # fmt: skip


def rscr() -> lw.Model:
    """A spatial loop of revolute, spherical, cylindrical and revolute joints: one freedom."""
    return lw.Model(
        space="spatial",
        gravity=DOWN_Z,
        points={"O": [0, 0, 0], "A": [0.1, 0.25, 0.05], "B": [0.6, 0.3, 0.3], "C": [0.8, 0, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1, "radius": 0.02},
            "coupler": {"bar": ["A", "B"], "mass": 2, "radius": 0.02},
            "rocker": {"bar": ["C", "B"], "mass": 1.5, "radius": 0.02},
        },
        joints={
            "O": revolute("ground", "crank", axis=[0.2, 0.1, 1]),
            "A": {"kind": "spherical", "bodies": ["crank", "coupler"]},
            "B": {"kind": "cylindrical", "bodies": ["coupler", "rocker"], "axis": [0.3, 1, 0.2]},
            "C": revolute("ground", "rocker", axis=[0, 1, 0.2]),
        },
        initial={"O": {"speed": 3.0}},
    )


def screw_crank(**more: Any) -> lw.Model:
    """A nut that turns on an upright screw carries a rod whose other end leads a crank: S-U-G-R, one freedom."""
    data: dict[str, Any] = {
        "space": "spatial",
        "gravity": DOWN_Z,
        "points": {"S": [0, 0, 0], "B": [0, 0, 0.3], "A": [0.45, 0.3, 0.35], "C": [0.6, -0.3, 0.2]},
        "bodies": {
            "nut": {"points": ["B"], "mass": 1.2, "com": [0.05, 0.02, 0.01], "inertia": [0.02, 0.025, 0.03]},
            "rod": {"bar": ["B", "A"], "mass": 0.8, "radius": 0.02},
            "crank": {"bar": ["C", "A"], "mass": 1, "radius": 0.02},
        },
        "joints": {
            "screw": {
                "kind": "helical",
                "bodies": ["ground", "nut"],
                "at": ["S", "B"],
                "axis": [0, 0, 1],
                "pitch": 0.3,
            },
            "B": {"kind": "universal", "bodies": ["nut", "rod"], "axes": [[0, 1, 0], [0, 0, 1]]},
            "A": {"kind": "spherical", "bodies": ["rod", "crank"]},
            "C": revolute("ground", "crank", axis=[1, 0.3, 0.2]),
        },
        "initial": {"C": {"speed": -1.0}},
    }
    return lw.Model(**{**data, **more})


def screw_jack(**more: Any) -> lw.Model:
    """A spindle in a cradle and a nut on a rocker, all pins along y: a flat loop in space whose bodies turn in it."""
    cradle, nut = np.array([0.5, 0, 0]), np.array([0.1, 0, 0.4])
    along = (nut - cradle).tolist()
    block = {"mass": 1.0, "inertia": [0.002, 0.0015, 0.003]}
    data: dict[str, Any] = {
        "space": "spatial",
        "gravity": DOWN_Z,
        "points": {
            "O": [0, 0, 0], "N": nut.tolist(), "C": cradle.tolist(), "E": (cradle + 1.3 * (nut - cradle)).tolist(),
        },
        "bodies": {
            "rocker": {"bar": ["O", "N"], "mass": 3, "radius": 0.02},
            "nut": {"points": ["N"], **block},
            "cradle": {"points": ["C"], **block},
            "spindle": {"bar": ["C", "E"], "mass": 1.0, "radius": 0.015},
        },
        "joints": {
            "O": revolute("ground", "rocker", axis=[0, 1, 0]),
            "N": revolute("rocker", "nut", axis=[0, 1, 0]),
            "C": revolute("ground", "cradle", axis=[0, 1, 0]),
            "bearing": revolute("cradle", "spindle", at="C", axis=along),
            "thread": {"kind": "helical", "bodies": ["spindle", "nut"], "at": ["C", "N"], "axis": along, "pitch": "6 mm"},
        },
        "forces": {"hand": {"kind": "effort", "joint": "bearing", "value": "0.05*cos(2*t)"}},
    }  # fmt: skip
    return lw.Model(**{**data, **more})


def sliding_shoe(**more: Any) -> lw.Model:
    """A crank leads a rod with a universal joint; the rod is hinged to a shoe that stays flat on a slope: R-U-R-F."""
    data: dict[str, Any] = {
        "space": "spatial",
        "gravity": DOWN_Z,
        "points": {"O": [0, 0, 0.4], "A": [0.1, 0.05, 0.5], "B": [0.5, 0.1, 0.1], "P": [0.55, 0.1, 0.0]},
        "bodies": {
            "crank": {"bar": ["O", "A"], "mass": 1, "radius": 0.02},
            "rod": {"bar": ["A", "B"], "mass": 0.7, "radius": 0.02},
            "shoe": {"points": ["B", "P"], "mass": 2, "com": [0.02, 0.01, -0.05], "inertia": [0.02, 0.03, 0.025]},
        },
        "joints": {
            "O": revolute("ground", "crank", axis=[0.2, 1, 0.1]),
            "A": {"kind": "universal", "bodies": ["crank", "rod"], "axes": [[0, 1, 0], [0, 0, 1]]},
            "B": revolute("rod", "shoe", axis=[0.1, 1, 0]),
            "slope": {"kind": "planar", "bodies": ["ground", "shoe"], "at": "P", "axis": [0.2, 0, 1]},
        },
        "initial": {"O": {"speed": 2.0}},
    }
    return lw.Model(**{**data, **more})


def arm() -> lw.Model:
    """An open chain of three revolutes with different axes, with springs and dampers in two joints."""
    return lw.Model(
        space="spatial",
        gravity=DOWN_Z,
        points={"O": [0, 0, 0], "A": [0, 0, 0.5], "B": [0.6, 0, 0.5], "C": [1.0, 0.1, 0.4]},
        bodies={
            "column": {"bar": ["O", "A"], "mass": 5, "radius": 0.08},
            "upper": {"bar": ["A", "B"], "mass": 3, "radius": 0.05},
            "lower": {"bar": ["B", "C"], "mass": 2, "section": [0.05, 0.03]},
        },
        joints={
            "O": revolute("ground", "column", axis=[0, 0, 1]),
            "A": revolute("column", "upper", axis=[0, 1, 0]),
            "B": revolute("lower", "upper", axis=[0, 1, 0.3]),
        },
        forces={
            "shoulder": {"kind": "torsion_spring", "joint": "A", "stiffness": 40, "damping": 0.5, "free_angle": -0.4},
            "elbow": {"kind": "torsion_spring", "joint": "B", "damping": 0.8},
        },
        initial={"O": {"speed": 1.5}, "B": {"speed": -1.0}},
    )


def spherical_chain() -> lw.Model:
    """Two rods on spherical joints, spinning."""
    return lw.Model(
        space="spatial",
        gravity=DOWN_Z,
        points={"O": [0, 0, 0], "A": [0.5, 0.1, -0.1], "B": [0.9, 0.4, -0.2]},
        bodies={
            "upper": {"bar": ["O", "A"], "mass": 1, "radius": 0.06},
            "lower": {"bar": ["A", "B"], "mass": 0.7, "radius": 0.06},
        },
        joints={
            "O": {"kind": "spherical", "bodies": ["ground", "upper"]},
            "A": {"kind": "spherical", "bodies": ["lower", "upper"]},
        },
        initial={"O": {"omega": [0.5, -1.0, 2.0]}, "A": {"omega": [0.3, 0.2, -0.8]}},
    )


def floating_pair(space: str = "spatial", **more: Any) -> lw.Model:
    """Two bodies joined to each other and to nothing else, thrown into empty space."""
    flat = space == "planar"
    cut = (lambda values: values[:2]) if flat else (lambda values: values)
    inertia = {"a": 0.3 if flat else [0.3, 0.5, 0.6], "b": 0.2 if flat else [0.2, 0.3, 0.25]}
    start = (
        {"x": 0.1, "y": -0.2, "vx": 0.4, "vy": 0.3, "speed": 2.0}
        if flat
        else {"velocity": [0.4, 0.3, -0.2], "omega": [1.0, 2.0, -0.5]}
    )
    data: dict[str, Any] = {
        "space": space,
        "points": {"J": cut([0.4, 0.3, 0.1])},
        "bodies": {
            "a": {
                "points": {"J": cut([0.4, 0.3, 0.1]), "P": cut([-0.2, 0.1, 0.3])}, "origin": cut([0, 0, 0]), "mass": 2,
                "com": cut([0.05, -0.02, 0.03]), "inertia": inertia["a"],
            },
            "b": {
                "points": {"Q": cut([0.5, 0.2, 0.0])}, "origin": cut([0.7, 0.5, 0.2]), "mass": 1,
                "com": cut([0.1, 0.1, 0.1]), "inertia": inertia["b"],
            },
        },
        "joints": {"J": revolute("a", "b", **({} if flat else {"axis": [0.3, -0.2, 1]}))},
        "forces": {"spring": {"kind": "torsion_spring", "joint": "J", "stiffness": 1.5, "free_angle": 0.7}},
        "initial": {"a": start, "J": {"speed": -3.0}},
    }  # fmt: skip
    return lw.Model(**{**data, **more})


def sarrus() -> lw.Model:
    """Sarrus' linkage: two pairs of hinged plates in perpendicular planes guide a platform along z."""
    low, high = 0.5, 1.0
    return lw.Model(
        space="spatial",
        gravity=DOWN_Z,
        points={
            "A": [1, 0, 0], "B": [1.4, 0, low], "C": [1, 0, high],
            "D": [0, 1, 0], "E": [0, 1.4, low], "F": [0, 1, high],
        },
        bodies={
            "a1": {"bar": ["A", "B"], "mass": 1, "radius": 0.03},
            "a2": {"bar": ["B", "C"], "mass": 1, "radius": 0.03},
            "b1": {"bar": ["D", "E"], "mass": 1, "radius": 0.03},
            "b2": {"bar": ["E", "F"], "mass": 1, "radius": 0.03},
            "top": {"points": ["C", "F"], "mass": 2, "com": [-1, 0, 0], "inertia": [0.1, 0.1, 0.2]},
        },
        joints={
            "A": revolute("ground", "a1", axis=[0, 1, 0]),
            "B": revolute("a1", "a2", axis=[0, 1, 0]),
            "C": revolute("a2", "top", axis=[0, 1, 0]),
            "D": revolute("ground", "b1", axis=[1, 0, 0]),
            "E": revolute("b1", "b2", axis=[1, 0, 0]),
            "F": revolute("b2", "top", axis=[1, 0, 0]),
        },
        initial={"A": {"speed": 0.8}},
    )  # fmt: skip


def spherical_four_bar() -> lw.Model:
    """Four revolutes whose axes meet in the origin: one freedom, three redundant constraints."""
    directions = {"A": (1.0, 0.0, 0.0), "B": (0.8, 0.3, 0.5), "C": (0.2, 0.7, 0.6), "D": (0.0, 1.0, 0.0)}
    places = {name: (np.array(way) / np.linalg.norm(way)).tolist() for name, way in directions.items()}
    chain = {"one": ("A", "B"), "two": ("B", "C"), "three": ("C", "D")}
    order = ["ground", "one", "two", "three", "ground"]
    return lw.Model(
        space="spatial",
        gravity=DOWN_Z,
        points=places,
        bodies={name: {"bar": list(ends), "mass": 1, "radius": 0.05} for name, ends in chain.items()},
        joints={
            name: revolute(order[i], order[i + 1], axis=list(way)) for i, (name, way) in enumerate(directions.items())
        },
        initial={"A": {"speed": 0.7}},
    )


@cache
def swing() -> lw.Model:
    """Two bodies between three balls, two of them on the ground: they swing over the line of these two, and spin."""
    ball = {"kind": "spherical"}
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0], "A": [0.3, 0.3, 0.2], "C": [0.7, 0, 0.1]},
        bodies={
            "upper": {"points": ["O", "A"], "mass": 1, "com": [0.2, 0.1, 0.1], "inertia": [0.02, 0.03, 0.025]},
            "lower": {"points": ["A", "C"], "mass": 0.7, "com": [0.5, 0.1, 0.2], "inertia": [0.02, 0.015, 0.025]},
        },
        joints={
            "O": {**ball, "bodies": ["ground", "upper"]},
            "A": {**ball, "bodies": ["upper", "lower"]},
            "C": {**ball, "bodies": ["lower", "ground"]},
        },
    )
