"""Small mechanisms on which kinds are checked: loops in the plane and in space, a chain, and some with a difficulty."""

from __future__ import annotations

from functools import cache

from linkwork.model import Model


@cache
def crank_rocker() -> Model:
    """A four-bar that swings."""
    pairs = {"O": ["ground", "crank"], "A": ["crank", "coupler"], "B": ["coupler", "rocker"], "C": ["rocker", "ground"]}
    return Model(
        name="crank rocker",
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0.4, 0], "B": [0.7, 1.058], "C": [1, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": 0.4, "mass": 5},
            "coupler": {"bar": ["A", "B"], "length": 1.1, "mass": 1},
            "rocker": {"bar": ["B", "C"], "length": 0.8, "mass": 1},
        },
        joints={name: {"kind": "revolute", "bodies": pair} for name, pair in pairs.items()},
        initial={"O": {"angle": 0, "speed": 3}},
    )


@cache
def driven() -> Model:
    """The four-bar with its crank turned."""
    return crank_rocker().with_(initial={"O": None}, drivers={"motor": {"joint": "O", "position": "2*t + 0.3*t^2"}})


@cache
def damped() -> Model:
    """The four-bar with a spring and a damper, whose works the audit counts."""
    spring = {"kind": "spring", "between": ["coupler.B", "ground.O"], "stiffness": 30, "damping": 2, "free_length": 1.2}
    return crank_rocker().with_(forces={"spring": spring})


@cache
def two_hinges() -> Model:
    """Two arms on skew hinges in space, with a rod between their ends: one freedom, and no condition too many."""
    return Model(
        name="two hinges",
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0], "A": [0.5, 0, 0.1], "C": [0, 1, 0], "B": [0.2, 1, 0.6]},
        bodies={
            "arm": {"points": ["O", "A"], "com": [0.25, 0.05, 0.02], "mass": 2, "inertia": [0.05, 0.1, 0.12]},
            "lever": {"points": ["C", "B"], "com": [0.05, 0.02, 0.3], "mass": 1, "inertia": [0.04, 0.05, 0.01]},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "arm"], "axis": [0, 0.2, 1]},
            "C": {"kind": "revolute", "bodies": ["ground", "lever"], "axis": [1, 0, 0.1]},
        },
        relations={"rod": {"kind": "distance", "between": ["arm.A", "lever.B"]}},
        initial={"O": {"speed": 2}},
    )


@cache
def swinging_chain() -> Model:
    """A hinge and a ball in a row: no loop, and an orientation in space."""
    return Model(
        name="swinging chain",
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0], "A": [0.6, 0, 0]},
        bodies={
            "arm": {"points": ["O", "A"], "com": [0.3, 0, 0.1], "mass": 2, "inertia": [0.05, 0.1, 0.12]},
            "bob": {"points": ["A"], "com": [0.1, 0.3, -0.2], "mass": 1, "inertia": [0.04, 0.05, 0.02]},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "arm"], "axis": [0, 1, 0]},
            "A": {"kind": "spherical", "bodies": ["arm", "bob"]},
        },
        initial={"O": {"speed": 1}},
    )


@cache
def flat_in_space() -> Model:
    """The four-bar with hinges in space, which hold three times more than they have to."""
    flat = crank_rocker()
    bars = (("crank", "OA", 0.4, 5), ("coupler", "AB", 1.1, 1), ("rocker", "BC", 0.8, 1))
    return Model(
        name="four-bar in space",
        space="spatial",
        gravity=[0, -9.81, 0],
        points={"O": [0, 0, 0], "A": [0.4, 0, 0], "B": [0.7, 1.058, 0], "C": [1, 0, 0]},
        bodies={
            name: {"bar": list(pair), "length": length, "mass": mass, "radius": 0.03}
            for name, pair, length, mass in bars
        },
        joints={
            name: {"kind": "revolute", "bodies": list(joint.bodies), "axis": [0, 0, 1]}
            for name, joint in flat.joints.items()
        },
        initial={"O": {"angle": 0, "speed": 3}},
    )


@cache
def light_coupler() -> Model:
    """The four-bar with a coupler without mass."""
    return crank_rocker().with_(bodies={"coupler": {"bar": ["A", "B"], "length": 1.1, "mass": 0, "inertia": 0}})


@cache
def sleigh() -> Model:
    """A body on an edge that does not slip sideways: a condition on velocities alone."""
    return Model(
        name="sleigh",
        space="planar",
        points={"O": [0, 0], "C": [0.2, 1.0]},
        bodies={"sleigh": {"points": ["C"], "com": [0.3, 0.1], "mass": 2, "inertia": 0.3}},
        relations={"edge": {"kind": "knife_edge", "point": "sleigh.C", "along": [1, 0.3]}},
        initial={"sleigh": {"speed": 1.5}},
    )


@cache
def roped() -> Model:
    """A pendulum whose bob runs out of rope, and is held by it from then on."""
    return Model(
        name="roped",
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [1, 0], "B": [1.5, -0.6], "G": [0, 0.5]},
        bodies={
            "arm": {"bar": ["O", "A"], "mass": 2, "radius": 0.02},
            "bob": {"bar": ["A", "B"], "mass": 1, "radius": 0.02},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "arm"]},
            "A": {"kind": "revolute", "bodies": ["arm", "bob"]},
        },
        relations={"rope": {"kind": "rope", "between": ["bob.B", "ground.G"], "length": 1.9}},
    )
