"""Random mechanisms and states: trees of every joint kind in general position, and loops that close at the sketch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from exploring import drawn
from hypothesis import Phase, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import linkwork as lw
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import number
from linkwork.elements.joints import ALL_JOINTS, joint_kind
from linkwork.position.geometry import Pose

Array = NDArray[np.float64]
seeds = st.integers(0, 2**32 - 1)


def examples(count: int) -> settings:
    """Settings for a test over seeds: one seed is as simple as another, so that nothing is gained by shrinking it."""
    return drawn(count, phases=(Phase.explicit, Phase.reuse, Phase.generate))


PLANAR_KINDS = tuple(kind.name for kind in ALL_JOINTS if "planar" in kind.spaces)
SPATIAL_KINDS = tuple(kind.name for kind in ALL_JOINTS if "spatial" in kind.spaces)


def random_rotation(rng: np.random.Generator) -> Array:
    """A rotation matrix, uniformly distributed."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.linalg.det(q)


def random_inertia(rng: np.random.Generator) -> Array:
    """Inertia (3 × 3) of a cloud of eight point masses about its centre: a possible one."""
    cloud = rng.normal(scale=0.4, size=(8, 3))
    cloud -= cloud.mean(axis=0)
    mass = rng.uniform(0.05, 0.3)
    return mass * sum((np.dot(r, r) * np.eye(3) - np.outer(r, r) for r in cloud), np.zeros((3, 3)))


def random_body(rng: np.random.Generator, space: str) -> dict[str, Any]:
    """A body anywhere, turned anyhow, with its centre of mass beside its origin."""
    if space == "planar":
        return {
            "points": {"P": rng.normal(size=2).tolist()},
            "origin": rng.normal(size=2).tolist(),
            "rotation": float(rng.uniform(-3, 3)),
            "mass": float(rng.uniform(0.5, 3)),
            "com": rng.normal(scale=0.5, size=2).tolist(),
            "inertia": float(rng.uniform(0.1, 1)),
        }
    return {
        "points": {"P": rng.normal(size=3).tolist()},
        "origin": rng.normal(size=3).tolist(),
        "rotation": {"matrix": random_rotation(rng).tolist()},
        "mass": float(rng.uniform(0.5, 3)),
        "com": rng.normal(scale=0.5, size=3).tolist(),
        "inertia": random_inertia(rng).tolist(),
    }


def random_joint(rng: np.random.Generator, space: str, kind: str, bodies: tuple[str, str], at: str) -> dict[str, Any]:
    """A joint of a kind, with random axes, between two bodies in either order."""
    pair = list(bodies) if rng.random() < 0.5 else list(reversed(bodies))
    joint: dict[str, Any] = {"kind": kind, "bodies": pair, "at": at}
    element, axes = joint_kind(kind), random_rotation(rng)
    for key in element.numbers:
        joint[key] = float(rng.choice([-1, 1]) * rng.uniform(0.1, 1))
    if element.bends and rng.random() < 0.5:
        bent = axes[:, 0] + rng.uniform(0.1, 1) * axes[:, 1]
        return joint | {"axes": [axes[:, 0].tolist(), bent.tolist()]}
    match element.axes[space]:
        case 1:
            return joint | {"axis": axes[: 2 if space == "planar" else 3, 0].tolist()}
        case 2:
            return joint | {"axes": [axes[:, 0].tolist(), axes[:, 1].tolist()]}
    return joint


def random_tree(
    rng: np.random.Generator,
    space: str,
    kinds: Sequence[str],
    floating: bool = False,
    closing: Sequence[str] = (),
    reach: int | None = None,
) -> dict[str, Any]:
    """Data of a model: one body per kind, each hung on a random earlier one, all joints closed at the sketch.

    floating: the first body has no joint. closing: kinds of further joints between random bodies.
    reach: how many bodies before it may carry a body, without it all of them: 1 makes a chain.
    """
    d = 2 if space == "planar" else 3
    points: dict[str, Any] = {}
    bodies: dict[str, Any] = {}
    joints: dict[str, Any] = {}
    for i, kind in enumerate(kinds):
        name = f"b{i}"
        held = i == 0 or (not floating and rng.random() < 0.2)
        nearest = 0 if reach is None else max(i - reach, 0)
        inner = "ground" if held else f"b{rng.integers(nearest, i)}"
        bodies[name] = random_body(rng, space)
        if i > 0 or not floating:
            points[f"J{i}"] = rng.normal(size=d).tolist()
            joints[f"j{i}"] = random_joint(rng, space, kind, (inner, name), f"J{i}")
    for k, kind in enumerate(closing):
        one, other = rng.choice(len(kinds), size=2, replace=False)
        points[f"K{k}"] = rng.normal(size=d).tolist()
        joints[f"k{k}"] = random_joint(rng, space, kind, (f"b{one}", f"b{other}"), f"K{k}")
    gravity = rng.normal(scale=5, size=d).tolist()
    return {"space": space, "gravity": gravity, "points": points, "bodies": bodies, "joints": joints}


def random_kinds(rng: np.random.Generator, space: str, count: int) -> list[str]:
    return [str(kind) for kind in rng.choice(PLANAR_KINDS if space == "planar" else SPATIAL_KINDS, size=count)]


@dataclass(frozen=True)
class Numbers:
    """A numbered model that evaluates expressions at given states."""

    coordinates: Coordinates

    def value(self, expression: ca.SX, t: float, y: Array, p: Array | None = None) -> Array:
        c = self.coordinates
        f = ca.Function("f", [c.t, c.y, c.p], [ca.densify(expression)])
        return np.array(f(t, y, np.zeros(c.p.numel()) if p is None else p))

    def split(self, y: Array) -> tuple[Array, Array, Array]:
        """q, v and s of a state."""
        nq, nv = self.coordinates.q.numel(), self.coordinates.v.numel()
        return y[:nq], y[nq : nq + nv], y[nq + nv :]

    def poses(self, y: Array, p: Array | None = None) -> dict[str, Pose]:
        found = {}
        for name in self.coordinates.geometry.bodies:
            frame = self.coordinates.kinematics.frames[name]
            origin, axes = self.value(frame.origin, 0.0, y, p).ravel(), self.value(frame.axes, 0.0, y, p)
            angle = float(np.arctan2(axes[1, 0], axes[0, 0])) if self.coordinates.space.planar else None
            found[name] = Pose(origin, axes, angle)
        return found

    def twists(self, y: Array, p: Array | None = None) -> dict[str, Array]:
        """Velocity of the origin and angular velocity of every body, in one array."""
        twists = self.coordinates.kinematics.twists
        return {
            name: self.value(ca.vertcat(twists[name].velocity, twists[name].omega), 0.0, y, p).ravel()
            for name in self.coordinates.geometry.bodies
        }


def numbers(model: lw.Model, kind: str = "relative") -> Numbers:
    return Numbers(number(lw.analyse(model), kind))


def random_state(rng: np.random.Generator, n: Numbers) -> Array:
    """Any state of relative coordinates: quaternions have unit length; nothing else is asked of it."""
    c = n.coordinates
    q = rng.normal(size=c.q.numel())
    names = c.kinematics.q_names
    for i, name in enumerate(names):
        if name.endswith(".q0"):
            q[i : i + 4] /= np.linalg.norm(q[i : i + 4])
    return np.concatenate([q, rng.normal(size=c.v.numel()), np.zeros(c.s.numel())])
