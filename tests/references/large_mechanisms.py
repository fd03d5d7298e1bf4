"""Large random mechanisms: trees of all joints with branches, loops, forces, drivers and live parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from random_loads import DRIVEN, forces_between, forces_in, moving_base
from random_mechanisms import random_joint, random_kinds, random_tree

import linkwork as lw
from linkwork.algebra.space import space_named
from linkwork.elements.joints import joint_kind

# how many conditions a joint or rod has that closes a loop, of which each takes a turn of a joint on the way
ROD = "distance"
CLOSING = {
    "planar": {"revolute": 2, "prismatic": 2, "point_on_line": 1, ROD: 1},
    "spatial": {
        "spherical": 3,
        "universal": 4,
        "cylindrical": 4,
        "point_on_line": 2,
        "point_on_plane": 1,
        "revolute": 5,
    },
}


@dataclass(frozen=True)
class Large:
    """What a large mechanism consists of.

    reach: among how many bodies before it the carrier of a body is chosen: 1 makes a chain, none any of them
    loops: how many joints and rods close one, as far as turns are left for them
    forces: pairs of bodies with forces of all kinds; live: whether numbers of bodies and joints are parameters
    light: whether one body has no inertia
    """

    bodies: int
    reach: int | None = None
    floating: bool = False
    loops: int = 0
    forces: int = 0
    drivers: int = 0
    live: bool = False
    light: bool = False


def large_mechanism(rng: np.random.Generator, space: str, wanted: Large) -> lw.Model:
    """A random mechanism of that kind; its loops are closed at the sketch, and no condition follows from others."""
    kinds = random_kinds(rng, space, wanted.bodies)
    data = random_tree(rng, space, kinds, wanted.floating, reach=wanted.reach)
    data["points"]["W"] = rng.normal(size=2 if space == "planar" else 3).tolist()
    turns = _freedoms(data, turning=True)
    more: dict[str, Any] = {"drivers": _drivers(rng, data, turns, wanted.drivers)}
    for number in range(wanted.loops):
        _close(rng, data, turns, number)
    if wanted.forces:
        more["forces"], more["base"] = _forces(rng, data, wanted), moving_base(rng, space)
    if wanted.light:
        _lighten(rng, data)
    if wanted.live:
        more["parameters"] = _live(data, with_points=not wanted.loops)
    return lw.Model(**data, **more)


def _lighten(rng: np.random.Generator, data: dict[str, Any]) -> None:
    """Take all inertia from one body that has some others on it, which meet it at once in all its freedoms."""
    turns, lengths = _freedoms(data, turning=True), _freedoms(data, turning=False)
    for name in rng.permutation(list(data["bodies"])):
        own = f"j{name[1:]}"
        carried = [joint for joint, item in data["joints"].items() if name in item["bodies"] and joint != own]
        if own in data["joints"] and len(carried) == 1 and carried[0] in turns:
            moved = [turns[joint] + lengths[joint] for joint in (own, *carried)]
            if sum(moved) <= 2 and "helical" not in {data["joints"][joint]["kind"] for joint in (own, *carried)}:
                zero = 0 if data["space"] == "planar" else [0, 0, 0]
                data["bodies"][str(name)] |= {"mass": 0, "inertia": zero}
                return


def _live(data: dict[str, Any], with_points: bool) -> dict[str, Any]:
    """Live masses and places of centres of mass, and of joints, which are those of the data at first."""
    found: dict[str, float] = {}

    def free(where: Any, key: Any, name: str) -> None:
        found[name], where[key] = float(where[key]), name

    for i, body in enumerate(data["bodies"].values()):
        if i % 3 == 0:
            free(body, "mass", f"m{i}")
        if i % 3 == 1:
            free(body["com"], 0, f"c{i}")
        if i % 4 == 2 and with_points:
            free(data["points"][f"J{i}"], 0, f"x{i}")
    return {name: {"value": value, "live": True} for name, value in found.items()}


def _freedoms(data: dict[str, Any], *, turning: bool) -> dict[str, int]:
    """How many angles the joints of a tree have, or how many lengths."""
    space = space_named(data["space"])
    found = {name: joint_kind(joint["kind"]).freedoms(space) for name, joint in data["joints"].items()}
    return {name: sum(freedom.angular == turning for freedom in freedoms) for name, freedoms in found.items()}


def _drivers(rng: np.random.Generator, data: dict[str, Any], turns: dict[str, int], count: int) -> dict[str, Any]:
    """Speeds and accelerations of some joints."""
    able = [name for name, joint in data["joints"].items() if joint["kind"] in DRIVEN]
    found: dict[str, Any] = {}
    for i, name in enumerate(rng.choice(able, size=min(count, len(able)), replace=False)):
        freedom = DRIVEN[data["joints"][name]["kind"]]
        given = {"speed": "0.7*cos(2*t) + 0.1"} if i % 2 else {"acceleration": "0.5 - t", "initial_speed": 0.3}
        found[f"d{i}"] = {"joint": str(name), "freedom": freedom, **given}
        turns[name] -= freedom == "angle"
    return found


def _close(rng: np.random.Generator, data: dict[str, Any], turns: dict[str, int], number: int) -> None:
    """One more joint between two bodies whose way through the tree has turns enough, one of them still free behind it."""
    costs, names = CLOSING[data["space"]], list(data["bodies"])
    for _ in range(20):
        pair, kind = rng.choice(names, size=2, replace=False), str(rng.choice(list(costs)))
        way = sorted(_way(data, *pair), key=lambda name: turns[name], reverse=True)
        if sum(turns[name] for name in way) <= costs[kind]:
            continue
        missing = costs[kind]
        for name in way:
            taken = min(missing, turns[name])
            turns[name] -= taken
            missing -= taken
        ends = str(pair[0]), str(pair[1])
        if kind == ROD:
            data.setdefault("relations", {})[f"k{number}"] = {"kind": ROD, "between": [f"{end}.P" for end in ends]}
            return
        at = f"K{number}"
        data["points"][at] = rng.normal(size=2 if data["space"] == "planar" else 3).tolist()
        data["joints"][f"k{number}"] = random_joint(rng, data["space"], kind, ends, at)
        return


def _way(data: dict[str, Any], one: str, other: str) -> list[str]:
    """The joints of the tree between two bodies."""
    up = [_outwards(data, name) for name in (one, other)]
    return [name for name in (*up[0], *up[1]) if (name in up[0]) != (name in up[1])]


def _outwards(data: dict[str, Any], body: str) -> list[str]:
    """The joints that carry a body, its own first; that of body b7 is j7."""
    found = []
    while (joint := f"j{body[1:]}") in data["joints"]:
        found.append(joint)
        one, other = data["joints"][joint]["bodies"]
        body = other if one == body else one
    return found


def _forces(rng: np.random.Generator, data: dict[str, Any], wanted: Large) -> dict[str, Any]:
    some = rng.choice(list(data["joints"]), size=max(len(data["joints"]) // 4, 1), replace=False)
    found = forces_in({str(name): data["joints"][name] for name in some})
    for number in range(wanted.forces):
        one, other = rng.choice(list(data["bodies"]), size=2, replace=False)
        between = forces_between(rng, data["space"], str(one), str(other))
        found |= {f"{name}{number}": force for name, force in between.items()}
    return found
