"""Problems A01 to A05 of the IFToMM library of computational benchmark problems for multibody dynamics.

Where energy is conserved it is the energy that may not drift: by 5e-5 J (A01, the limit of the library), 0.1 J (A02) and
1e-3 J (A04). A03 and A05 are compared with motions. The limits but that of A01 are ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.arrays import Array
from linkwork.bench.task import ByHand, Task, angle

GRAVITY = 9.81
PLANAR: dict[str, Any] = {"linkwork": 1, "space": "planar"}


def simple_pendulum() -> lw.Model:
    """IFToMM A01: point mass 1 kg on a massless rod of 1 m, from rest at (−1, 0)."""
    return lw.Model(
        **PLANAR,
        gravity=[0, -9.81],
        points={"O": [0, 0], "P": [-1, 0]},
        bodies={"rod": {"bar": ["O", "P"], "mass": 1, "com": "P", "inertia": "point"}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
    )


def n_four_bar(windows: int) -> lw.Model:
    """IFToMM A02: windows + 1 vertical rods on ground pivots, joined by horizontal couplers; tops at 1 m/s."""
    points: dict[str, Any] = {}
    bodies: dict[str, Any] = {}
    joints: dict[str, Any] = {}
    for k in range(windows + 1):
        points |= {f"A{k}": [k, 0], f"B{k}": [k, 1]}
        bodies[f"rod{k}"] = {"bar": [f"A{k}", f"B{k}"], "mass": 1}
        joints[f"A{k}"] = {"kind": "revolute", "bodies": ["ground", f"rod{k}"]}
    for k in range(windows):
        bodies[f"coupler{k}"] = {"bar": [f"B{k}", f"B{k + 1}"], "mass": 1}
        joints[f"left{k}"] = {"kind": "revolute", "bodies": [f"rod{k}", f"coupler{k}"], "at": f"B{k}"}
        joints[f"right{k}"] = {"kind": "revolute", "bodies": [f"coupler{k}", f"rod{k + 1}"], "at": f"B{k + 1}"}
    return lw.Model(
        **PLANAR, gravity=[0, -9.81], points=points, bodies=bodies, joints=joints, initial={"A0": {"speed": -1}}
    )


ANDREWS_START = (
    -0.0617138900142764, 0.0, 0.455279819163070, 0.222668390165886, 0.487364979543843, -0.222668390165886,
    1.23054744454982,
)  # fmt: skip


MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
PAIRS = {
    "O": ("ground", "K1", "O"), "F": ("K1", "K2", "F"), "E3": ("K2", "K3", "E"), "B": ("ground", "K3", "B"),
    "E4": ("K2", "K4", "E"), "G": ("K5", "K4", "G"), "A5": ("ground", "K5", "A"), "E6": ("K2", "K6", "E"),
    "H": ("K7", "K6", "H"), "A7": ("ground", "K7", "A"),
}  # fmt: skip


def andrews() -> lw.Model:
    """Andrews' squeezing mechanism (IFToMM A03, IVP Test Set), K1 to K7; start at rest."""
    beta, theta, gamma, _, delta, _, epsilon = ANDREWS_START
    xa, ya, xb, yb = -0.06934, -0.00227, -0.03635, 0.03273
    d, e, rr, ss = 0.028, 0.02, 0.007, 0.035
    u, zf, zt = 0.04, 0.02, 0.04
    f = (rr * math.cos(beta), rr * math.sin(beta))
    top = (f[0] - d * math.cos(beta + theta), f[1] - d * math.sin(beta + theta))
    g = (xa + zt * math.cos(delta), ya + zt * math.sin(delta))
    h = (xa + u * math.sin(epsilon), ya - u * math.cos(epsilon))
    c, s = math.cos(gamma), math.sin(gamma)
    spring_end = (0.02 * c + 0.018 * s + xb, 0.02 * s - 0.018 * c + yb)
    locals_: list[tuple[dict[str, Any], list[float]]] = [
        ({"O": [0, 0], "F": [rr, 0]}, [0.00092, 0]),
        ({"F": [0, 0], "E": [-d, 0]}, [-0.0115, 0]),
        ({"B": [0, 0], "E": [0, -ss], "D": [0.02, -0.018]}, [0.01043, -0.01874]),
        ({"G": [0, 0], "E": [0, -e]}, [0, -(e - 0.01421)]),
        ({"A": [0, 0], "G": [zt, 0]}, [0.02308, 0.00916]),
        ({"H": [0, 0], "E": [zf, 0]}, [zf - 0.01421, 0]),
        ({"A": [0, 0], "H": [0, -u]}, [-0.00449, -0.01228]),
    ]
    bodies = {
        f"K{i + 1}": {"points": points, "mass": MASSES[i], "com": com, "inertia": INERTIAS[i]}
        for i, (points, com) in enumerate(locals_)
    }
    return lw.Model(
        **PLANAR,
        name="Andrews' squeezing mechanism",
        points={
            "O": [0, 0], "F": list(f), "E": list(top), "B": [xb, yb], "D": list(spring_end), "G": list(g), "H": list(h),
            "A": [xa, ya], "C": [0.014, 0.072],
        },
        bodies=bodies,
        joints={name: {"kind": "revolute", "bodies": [a, b], "at": at} for name, (a, b, at) in PAIRS.items()},
        forces={
            "drive": {"kind": "torque", "body": "K1", "value": 0.033},
            "spring": {"kind": "spring", "between": ["C", "K3.D"], "stiffness": 4530, "free_length": 0.07785},
        },
    )  # fmt: skip


# -- the governor ----------------------------------------------------------------------------------------------------------

ARM, CENTRE, OFFSET, TURN = 1.0, (0.3 * 0.5 + 5.0) / 5.3, 0.05, 2 * math.pi  # m, rad/s
ROD, BALL, SLIDER, SHAFT = 0.3, 5.0, 3.0, 0.3  # kg
STIFFNESS, DAMPING, FREE = 8e5, 4e4, 0.5  # N/m, N s/m, m
TILT = math.pi / 6  # of the rods below the horizontal at the start
ALONG = ROD * 2e-4 / 12  # kg m², of a rod about its own axis
ACROSS = ROD * 1.0001 / 12 + ROD * (CENTRE - 0.5) ** 2 + BALL * (1 - CENTRE) ** 2  # of rod and ball about their centre
TURNING = SHAFT * 2e-4 / 12 + SLIDER * 0.02 / 12  # of shaft and slider about their axis


def governor() -> lw.Model:
    """IFToMM A05: rods with balls hang on a shaft that turns, and lift a slider by stiff dampers instead of links."""
    c, s = math.cos(TILT), math.sin(TILT)
    points: dict[str, Any] = {"O": [0, 0, 0], "Z": [0, 0, 1], "S": [0, 0, 0.5]}
    bodies: dict[str, Any] = {
        "shaft": {"points": ["O", "Z"], "mass": SHAFT, "com": "O", "inertia": [0.025, 0.025, SHAFT * 2e-4 / 12]}
    }
    joints: dict[str, Any] = {
        "O": {"kind": "revolute", "bodies": ["ground", "shaft"], "axis": [0, 0, 1]},
        "S": {"kind": "prismatic", "bodies": ["shaft", "slider"], "axis": [0, 0, 1]},
    }
    forces: dict[str, Any] = {}
    ends = []
    for name, side in (("right", 1), ("left", -1)):
        foot, middle, end, com = f"A{name}", f"M{name}", f"E{name}", f"C{name}"
        points |= {foot: [side * OFFSET, 0, 1], end: [side * OFFSET, 0, 0.5]}
        points |= {place: [side * (OFFSET + c * at), 0, 1 - s * at] for place, at in ((middle, 0.5), (com, CENTRE))}
        ends.append(end)
        along = np.array([side * c, 0.0, -s])
        inertia = ALONG * np.outer(along, along) + ACROSS * (np.eye(3) - np.outer(along, along))
        bodies[name] = {
            "points": [foot, middle, com],
            "mass": ROD + BALL,
            "com": com,
            "inertia": inertia.tolist(),
        }
        joints[foot] = {"kind": "revolute", "bodies": ["shaft", name], "axis": [0, 1, 0]}
        between = [f"slider.{end}", f"{name}.{middle}"]
        spring = {"stiffness": STIFFNESS, "damping": DAMPING, "free_length": FREE}
        forces[name] = {"kind": "spring", "between": between, **spring}
    bodies["slider"] = {"points": ["S", *ends], "mass": SLIDER, "com": "S", "inertia": [0.005, 0.005, 0.005]}
    return lw.Model(
        linkwork=1, space="spatial", gravity=[0, 0, -GRAVITY], points=points, bodies=bodies, joints=joints, forces=forces,
        initial={"O": {"speed": TURN}},
    )  # fmt: skip


def governor_rates(y: Sequence[Any], m: Any) -> list[Any]:
    """Both sides alike: turn φ, lift s, tilt α, and their rates, with J(α) the inertia about the shaft.

    J φ̇ is constant;  2 I α̈ = J' φ̇²/2 + 2 M g l cos α - 2 F ∂d/∂α;  m s̈ = -m g - 2 F ∂d/∂s;  F = k (d - d0) + c ḋ.
    """
    _, s, a, w, u, v = y
    sin, cos, mass = m.sin(a), m.cos(a), ROD + BALL
    i = ACROSS + mass * CENTRE**2
    j = TURNING + 2 * (mass * OFFSET**2 + 2 * OFFSET * mass * CENTRE * cos + i * cos * cos + ALONG * sin * sin)
    slope = -4 * sin * (OFFSET * mass * CENTRE + (i - ALONG) * cos)
    x, z = cos / 2, 1 - sin / 2 - s  # from the slider to the middle of the rod
    d = m.sqrt(x * x + z * z)
    by_tilt, by_lift = (-x * sin - z * cos) / (2 * d), -z / d
    force = STIFFNESS * (d - FREE) + DAMPING * (by_tilt * v + by_lift * u)
    lift = -GRAVITY - 2 * force * by_lift / SLIDER
    tilt = (slope * w * w / 2 + 2 * mass * GRAVITY * CENTRE * cos - 2 * force * by_tilt) / (2 * i)
    return [w, u, v, -slope * v * w / j, lift, tilt]


# -- the others by hand ----------------------------------------------------------------------------------------------------


def pendulum_rates(y: Sequence[Any], m: Any) -> list[Any]:
    """θ from the horizontal."""
    return [y[1], -GRAVITY * m.cos(y[0])]


def pendulum_energy(y: Array) -> Array:
    energy: Array = y[:, 1] ** 2 / 2 + GRAVITY * np.sin(y[:, 0])
    return energy


def _windows(n: int) -> tuple[float, float]:
    """I and W of windows whose rods are parallel."""
    return (n + 1) / 3 + n, ((n + 1) / 2 + n) * GRAVITY


def windows_rates(n: int) -> Callable[[Sequence[Any], Any], list[Any]]:
    """All rods are parallel: I θ̈ = W sin θ, I = (N + 1)/3 + N, W = ((N + 1)/2 + N) g."""
    inertia, weight = _windows(n)
    return lambda y, m: [y[1], weight / inertia * m.sin(y[0])]


def windows_energy(n: int) -> Callable[[Array], Array]:
    inertia, weight = _windows(n)
    return lambda y: inertia * y[:, 1] ** 2 / 2 + weight * np.cos(y[:, 0])


def tasks() -> tuple[Task, ...]:
    """The five of them."""
    return (
        Task(
            *("a01", "A01 simple pendulum, 10 s", simple_pendulum, 10.0, None),
            hand=ByHand((math.pi, 0.0), pendulum_rates, pendulum_energy),
            unit="J",
            accuracy=5e-5,
            official=True,
        ),
        Task(
            *("a02", "A02 two windows, 10 s", lambda: n_four_bar(2), 10.0, None),
            hand=ByHand((0.0, 1.0), windows_rates(2), windows_energy(2)),
            unit="J",
            accuracy=0.1,
        ),
        Task("andrews", "A03 Andrews' squeezer, 0.03 s", andrews, 0.03, angle("O.angle"), accuracy=1e-5),
        Task(
            *("a04", "A04 Bricard's mechanism, 10 s", lambda: lw.example("bricard"), 10.0, None),
            unit="J",
            accuracy=1e-3,
        ),
        Task(
            *("a05", "A05 stiff flyball governor, 10 s", governor, 10.0, angle("S.position")),
            hand=ByHand((0.0, 0.5, TILT, TURN, 0.0, 0.0), governor_rates, lambda y: y[:, 1] - y[0, 1]),
            unit="m",
            accuracy=1e-5,
        ),
    )
