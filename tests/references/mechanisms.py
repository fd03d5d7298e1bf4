"""Published mechanisms as Linkwork models. Sources stand beside each; units are SI."""

from __future__ import annotations

from typing import Any

import linkwork as lw
from linkwork.bench.iftomm import ANDREWS_START, andrews, n_four_bar, simple_pendulum  # noqa: F401

PLANAR: dict[str, Any] = {"linkwork": 1, "space": "planar"}
SPATIAL: dict[str, Any] = {"linkwork": 1, "space": "spatial"}


def four_bar() -> lw.Model:
    """The four-bar of the documentation."""
    return lw.Model(
        **PLANAR,
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0.6, 0.8], "B": [2.9, 1.9], "C": [2.2, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": 1.0, "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": 2.5, "mass": 2},
            "rocker": {"bar": ["C", "B"], "length": 2.0, "mass": 1.5},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
        initial={"O": {"speed": 2.0}},
    )


def spatial_four_bar() -> lw.Model:
    """The same four-bar with bodies and revolute joints in space: three redundant constraints."""
    flat = four_bar()
    return lw.Model(
        **SPATIAL,
        gravity=[0, -9.81, 0],
        points={"O": [0, 0, 0], "A": [0.6, 0.8, 0], "B": [2.9, 1.9, 0], "C": [2.2, 0, 0]},
        bodies=dict(flat.bodies),
        joints={
            name: {"kind": "revolute", "bodies": list(joint.bodies), "axis": [0, 0, 1]}
            for name, joint in flat.joints.items()
        },
        initial={"O": {"speed": 2.0}},
    )


def bricard() -> lw.Model:
    """IFToMM A04: five rods of 1 m, 1 kg, square section 0.1 m, six revolutes with axes y, z, x, y, z, x."""
    corners = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    chain = ["ground", "r1", "r2", "r3", "r4", "r5", "ground"]
    axes = {"y": [0, 1, 0], "z": [0, 0, 1], "x": [1, 0, 0]}
    return lw.Model(
        **SPATIAL,
        gravity=[0, -9.81, 0],
        points={f"P{i + 1}": list(corner) for i, corner in enumerate(corners)},
        bodies={f"r{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1, "section": [0.1, 0.1]} for i in range(1, 6)},
        joints={
            f"P{i + 1}": {"kind": "revolute", "bodies": [chain[i], chain[i + 1]], "axis": axes[letter]}
            for i, letter in enumerate("yzxyzx")
        },
    )


def modelica_fourbar() -> lw.Model:
    """Modelica MultiBody Loops.Fourbar1: revolute x, prismatic x, revolutes y and z (a universal joint), spherical."""
    rod = {"radius": 0.025, "density": 7700}
    return lw.Model(
        **SPATIAL,
        gravity=[0, -9.80665, 0],
        points={"O": [0, 0, 0], "P1": [0, 0.5, 0.1], "Q": [1.2, 0, 0], "P2": [1.0, 0, 0], "P3": [1.0, 0.2, 0]},
        bodies={
            "b1": {"bar": ["O", "P1"], **rod},
            "b2": {"bar": ["P2", "P3"], **rod},
            "b3": {"bar": ["P3", "P1"], **rod},
        },
        joints={
            "j1": {"kind": "revolute", "bodies": ["ground", "b1"], "at": "O", "axis": [1, 0, 0]},
            "j2": {"kind": "prismatic", "bodies": ["ground", "b2"], "at": ["Q", "P2"], "axis": [1, 0, 0]},
            "j34": {"kind": "universal", "bodies": ["b2", "b3"], "at": "P3", "axes": [[0, 1, 0], [0, 0, 1]]},
            "j5": {"kind": "spherical", "bodies": ["b1", "b3"], "at": "P1"},
        },
        initial={"j1": {"speed": "300 deg/s"}},
    )


def heavy_top() -> lw.Model:
    """Geradin and Cardona's heavy top: m = 15, I = diag(.234375, .46875, .234375), R(0) = 1."""
    return lw.Model(
        **SPATIAL,
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0], "G": [0, 1, 0]},
        bodies={"top": {"points": ["O", "G"], "mass": 15, "com": "G", "inertia": [0.234375, 0.46875, 0.234375]}},
        joints={"O": {"kind": "spherical", "bodies": ["ground", "top"]}},
        initial={"O": {"omega": [0, 150, -4.61538]}},
    )


def double_pendulum() -> lw.Model:
    """Modelica MultiBody Elementary.DoublePendulum: two boxes of 0.5 m, a damper in the first joint."""
    box = {"section": [0.06, 0.06], "density": 7700}
    return lw.Model(
        **SPATIAL,
        gravity=[0, -9.80665, 0],
        points={"O": [0, 0, 0], "P": [0.5, 0, 0], "Q": [1, 0, 0]},
        bodies={"upper": {"bar": ["O", "P"], **box}, "lower": {"bar": ["P", "Q"], **box}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "upper"], "axis": [0, 0, 1]},
            "P": {"kind": "revolute", "bodies": ["upper", "lower"], "axis": [0, 0, 1]},
        },
        forces={"damper": {"kind": "torsion_spring", "joint": "O", "damping": 0.1}},
    )


def geared_rotors() -> lw.Model:
    """Modelica GearConstraint: ratio 10, solid cylinders of 0.4 m, torque 2 sin(2πt) on the fast shaft."""
    return lw.Model(
        **SPATIAL,
        points={"A": [0, 0, 0], "A2": [0.4, 0, 0], "B": [0, 1, 0], "B2": [0.4, 1, 0]},
        bodies={
            "fast": {"bar": ["A", "A2"], "radius": 0.05, "density": 7700},
            "slow": {"bar": ["B", "B2"], "radius": 0.1, "density": 7700},
        },
        joints={
            "A": {"kind": "revolute", "bodies": ["ground", "fast"], "axis": [1, 0, 0]},
            "B": {"kind": "revolute", "bodies": ["ground", "slow"], "axis": [1, 0, 0]},
        },
        couplings={"gear": {"joints": ["A", "B"], "ratio": 10}},
        forces={"motor": {"kind": "effort", "joint": "A", "value": "2*sin(2*pi*t)"}},
    )


def spring_bar(stiffness: float = 49.03325) -> lw.Model:
    """Modelica InitSpringConstant: a bar of 1 m held level by a spring from (1, 0.2) to its end, free length 0.1."""
    return lw.Model(
        **PLANAR,
        gravity=[0, -9.80665],
        points={"O": [0, 0], "P": [1, 0], "S": [1, 0.2]},
        bodies={"bar": {"bar": ["O", "P"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"]}},
        forces={"spring": {"kind": "spring", "between": ["S", "P"], "stiffness": stiffness, "free_length": 0.1}},
    )


def car_axis() -> lw.Model:
    """Car axis (IVP Test Set): an axle of two point masses on springs above a base that tilts, asin(0.1 sin 10 t).

    The left wheel stays above the left end of the base, at right angles to it.
    """
    mass, tilt = 10 * 0.01**2 / 2, "0.1*sin(10*t)"
    spring = {"kind": "spring", "stiffness": 1, "free_length": 0.5}
    return lw.Model(
        **PLANAR,
        gravity=[0, -1],
        points={"O": [0, 0], "B": [1, 0], "P": [0, 0.5], "Q": [1, 0.5]},
        bodies={
            "base": {"bar": ["O", "B"], "mass": 1},
            "axle": {"bar": ["P", "Q"], "masses": {"P": mass, "Q": mass}},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "base"]},
            "slot": {"kind": "point_on_line", "bodies": ["base", "axle"], "at": ["O", "P"], "axis": [0, 1]},
        },
        drivers={"tilt": {"joint": "O", "position": f"asin({tilt})"}},
        forces={
            "left": {**spring, "between": ["base.O", "axle.P"]},
            "right": {**spring, "between": ["base.B", "axle.Q"]},
        },
        initial={"slot": {"position_rate": 0.0, "angle_rate": -1.0}},
    )
