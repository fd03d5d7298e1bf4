"""Two systems that a joint joins in a run, against dynamical balance on twists and wrenches, in NumPy alone.

Body twists V = (v, ω), of frames at centres of mass, with V_child = Ad⁻¹ V_parent + S q̇. Each system k by itself has
d'Alembertian wrenches and torques, which vanish while it is alone,

    (F*, τ*) = −(M_k ν̇_k + h_k),   ν_k = (V_k, q̇_k),

and where a joint with the twist E q̇ joins body α of the first to body β of the second,

    V₂ = X V₁ + Y₁ q̇₁ + E' q̇ − Y₂ q̇₂,   F₁* = −Xᵀ F₂*,  τ₁* = −Y₁ᵀ F₂*,  0 = E'ᵀ F₂*,  τ₂* = Y₂ᵀ F₂*.

SOURCE: Y. Youm, Multibody Dynamics of Closed, Open, and Switching Loop Mechanical Systems, Theorem 1, with the transposes
of the adjoint matrices put right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import linkwork as lw

Array = NDArray[np.float64]
G = np.array([0.3, -0.2, -9.81])


def hat(w: Array) -> Array:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def adjoint(axes: Array, origin: Array) -> Array:
    """Ad of a frame that is seen from another one: twists from the inner to the outer."""
    return np.block([[axes, hat(origin) @ axes], [np.zeros((3, 3)), axes]])


def bracket(twist: Array) -> Array:
    """ad of a twist."""
    return np.block([[hat(twist[3:]), hat(twist[:3])], [np.zeros((3, 3)), hat(twist[3:])]])


@dataclass(frozen=True)
class Rigid:
    """A body in a state: mass, inertia in its axes, axes, centre, body twist."""

    mass: float
    inertia: Array
    axes: Array
    centre: Array
    twist: Array

    @property
    def block(self) -> Array:
        return np.block([[self.mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), np.diag(self.inertia)]])

    @property
    def load(self) -> Array:
        """Weight and the wrench of velocities, adᵀ(V) G V."""
        weight = np.concatenate([self.mass * self.axes.T @ G, np.zeros(3)])
        return weight + bracket(self.twist).T @ self.block @ self.twist

    def sees(self, other: Rigid) -> Array:
        """Ad of the other body, seen from this one."""
        return adjoint(self.axes.T @ other.axes, self.axes.T @ (other.centre - self.centre))


def screw(axis: Array, place: Array) -> Array:
    """The twist, in a body, of a turn about an axis through a place of it."""
    return np.concatenate([np.cross(place, axis), axis])


@dataclass(frozen=True)
class System:
    """A base and a body that turns on it: S is the twist of the joint in the body, and q̇ its rate."""

    base: Rigid
    tip: Rigid
    joint: Array

    @property
    def back(self) -> Array:
        """Ad⁻¹: twists of the base, seen from the tip."""
        return self.tip.sees(self.base)

    @property
    def rate(self) -> float:
        relative = self.tip.twist - self.back @ self.base.twist
        assert np.abs(relative - self.joint * (self.joint @ relative) / (self.joint @ self.joint)).max() < 1e-8
        return float(self.joint @ relative / (self.joint @ self.joint))

    @property
    def drift(self) -> Array:
        """V̇ of the tip without V̇ of the base and q̈."""
        return bracket(self.tip.twist) @ self.joint * self.rate

    def dynamics(self) -> tuple[Array, Array]:
        """M (7 × 7) and h (7)."""
        path = np.column_stack([self.back, self.joint])
        first = np.column_stack([np.eye(6), np.zeros(6)])
        mass = first.T @ self.base.block @ first + path.T @ self.tip.block @ path
        return mass, path.T @ (self.tip.block @ self.drift - self.tip.load) - first.T @ self.base.load


def joined(one: System, two: System, loading: Array) -> tuple[Array, Array, Array, Array]:
    """V̇₁, (q̈₁, q̈, q̈₂), V̇₂ and F₂*; *loading*: E of the joint between the tips, in the second of them."""
    across = two.tip.sees(one.tip)
    home = np.linalg.inv(two.back)
    x, y1, e, y2 = home @ across @ one.back, home @ across @ one.joint, home @ loading, home @ two.joint
    transfer = np.column_stack([x, y1, e, -y2])
    relative = two.tip.twist - across @ one.tip.twist
    rate = float(loading @ relative / (loading @ loading))
    assert np.abs(relative - loading * rate).max() < 1e-8
    tip = across @ one.drift + bracket(two.tip.twist) @ loading * rate
    drift = home @ (tip - two.drift)
    (m1, h1), (m2, h2) = one.dynamics(), two.dynamics()
    # ν̇ = (V̇₁, q̈₁, q̈, q̈₂), F₂*
    system, right = np.zeros((15, 15)), np.zeros(15)
    system[:7, :7], right[:7] = m1, -h1
    system[:6, 9:], system[6, 9:] = -x.T, -y1
    system[7, 9:] = e
    own = np.vstack([transfer, np.eye(9)[8]])
    balance, rest = m2 @ own, m2[:, :6] @ drift + h2
    system[8, :9], right[8] = balance[6], -rest[6]
    system[8, 9:] = y2
    system[9:, :9], right[9:] = balance[:6], -rest[:6]
    system[9:, 9:] = np.eye(6)
    found = np.linalg.solve(system, right)
    return found[:6], found[6:9], transfer @ found[:9] + drift, found[9:]


# -- the same in the program ---------------------------------------------------------------------------------------------

INERTIA = {"a": [0.3, 0.2, 0.25], "b": [0.05, 0.08, 0.07], "c": [0.12, 0.1, 0.15], "d": [0.04, 0.06, 0.05]}
MASS = {"a": 3.0, "b": 1.0, "c": 2.0, "d": 0.8}
CENTRE = {"a": [0, 0, 0], "b": [0.7, 0.2, 0.1], "c": [2.3, 0.4, 0.6], "d": [1.6, 0.2, 0.3]}
PIN = {"ab": [0.4, 0.1, 0.0], "cd": [1.9, 0.3, 0.5]}
AXIS = {"ab": [0.2, 0.3, 1.0], "cd": [1.0, -0.4, 0.2], "bd": [0.3, 1.0, 0.4]}
HOOK = {"b": [0.25, 0.05, 0.1], "d": [-0.2, 0.1, -0.1]}


def local(body: str, joint: str) -> list[float]:
    return (np.array(PIN[joint]) - CENTRE[body]).tolist()


def model(kind: str) -> lw.Model:
    points = {
        "a": {"G": [0, 0, 0], "J": local("a", "ab")},
        "b": {"G": [0, 0, 0], "J": local("b", "ab"), "H": HOOK["b"]},
        "c": {"G": [0, 0, 0], "J": local("c", "cd")},
        "d": {"G": [0, 0, 0], "J": local("d", "cd"), "H": HOOK["d"]},
    }
    bodies: dict[str, Any] = {
        name: {"points": own, "com": "G", "mass": MASS[name], "inertia": INERTIA[name], "origin": CENTRE[name]}
        for name, own in points.items()
    }
    joint = {"kind": kind, "bodies": ["b", "d"], "at": ["H", "H"]} | (
        {"axis": AXIS["bd"]} if kind == "revolute" else {}
    )
    return lw.Model(
        space="spatial",
        gravity=G.tolist(),
        bodies=bodies,
        joints={
            "ab": {"kind": "revolute", "bodies": ["a", "b"], "at": ["J", "J"], "axis": AXIS["ab"]},
            "cd": {"kind": "revolute", "bodies": ["c", "d"], "at": ["J", "J"], "axis": AXIS["cd"]},
        },
        relations={"hook": {"kind": "connection", "joint": joint, "active": False}},
        switches={"join": {"connect": "hook", "at": 0.25, "catching": "anywhere"}},
        initial={
            "a": {"velocity": [1.0, 0.0, 2.0], "omega": [0.4, 0.8, 0.0]},
            "c": {"velocity": [-0.5, 0.0, 1.5], "omega": [0.0, 0.0, -1.2]},
            "ab": {"speed": 1.5},
            "cd": {"speed": -2.0},
        },
    )


def seen(result: lw.Result, name: str) -> Rigid:
    q = [float(result[f"{name}.q{i}"][-1]) for i in (1, 2, 3, 0)]
    axes = Rotation.from_quat(q).as_matrix()
    centre, v, w = (np.array([result[f"{name}.{k}{x}"][-1] for x in "xyz"]) for k in ("", "v", "w"))
    return Rigid(MASS[name], np.array(INERTIA[name]), axes, centre, np.concatenate([axes.T @ v, axes.T @ w]))


def unit(vector: Any) -> Array:
    return np.array(vector) / np.linalg.norm(vector)


@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural"])
def test_joined_systems_balance(coordinates: str) -> None:
    result = lw.simulate(model("revolute"), times=[0, 0.5], coordinates=coordinates, rtol=1e-12, atol=1e-13)
    assert result.outcome.completed, result.outcome
    assert [mode.holds for mode in result.modes] == [(), ("hook",)]
    bodies = {name: seen(result, name) for name in "abcd"}
    one = System(bodies["a"], bodies["b"], screw(unit(AXIS["ab"]), np.array(local("b", "ab"))))
    two = System(bodies["c"], bodies["d"], screw(unit(AXIS["cd"]), np.array(local("d", "cd"))))
    # the axis on d is the declared one in its own axes; its place stays where it is declared on the child
    first, _, second, push = joined(one, two, screw(unit(AXIS["bd"]), np.array(HOOK["d"])))
    size = np.abs([first, second]).max()
    for name, rate in (("a", first), ("c", second)):
        body = bodies[name]
        acceleration = body.axes @ (rate[:3] + np.cross(body.twist[3:], body.twist[:3]))
        np.testing.assert_allclose([result[f"{name}.a{x}"][-1] for x in "xyz"], acceleration, atol=1e-10 * size)
        np.testing.assert_allclose(
            [result[f"{name}.alpha{x}"][-1] for x in "xyz"], body.axes @ rate[3:], atol=1e-9 * 30
        )
    force = -bodies["c"].axes @ push[:3]
    np.testing.assert_allclose([result[f"hook.f{x}"][-1] for x in "xyz"], force, atol=1e-10 * np.linalg.norm(force))
    assert result.audit.passed, result.audit
