"""Friction in chains of joints in space beside the same chains with efforts, found by repetition from their reactions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import linkwork as lw

KINDS = ("revolute", "prismatic", "helical")
MOMENT = {"times": [0.0, 1e-9], "backend": "reference"}


@dataclass(frozen=True)
class Rubbing:
    """Friction of one joint: its kind, axis, advance per radian, coefficient, radius and length; twisted: takes torsion."""

    kind: str
    axis: np.ndarray
    advance: float
    mu: float
    radius: float
    length: float | None
    twisted: bool

    @property
    def declared(self) -> dict[str, Any]:
        found: dict[str, Any] = {"coefficient": self.mu}
        if self.kind != "prismatic" or self.twisted:
            found["radius"] = self.radius
        return found | ({"length": self.length} if self.length else {})

    def effort(self, force: np.ndarray, moment: np.ndarray, rate: float, before: float) -> float:
        """By the force and moment of the joint on the child at its point."""
        along, about = float(self.axis @ force), float(self.axis @ moment)
        across, bending = force - along * self.axis, moment - about * self.axis
        couple = np.cross(self.axis, bending) / self.length if self.length else np.zeros(3)
        ends = [across / 2 + couple, across / 2 - couple] if self.length else [across]
        pressed = sum(float(np.linalg.norm(end)) for end in ends)
        if self.kind == "revolute":
            size = self.radius * (self.mu / np.sqrt(1 + self.mu**2) * pressed + self.mu * abs(along))
        elif self.kind == "prismatic":
            size = self.mu * (pressed + (abs(about) / self.radius if self.twisted else 0.0))
        else:
            slope = np.hypot(self.radius, self.advance)
            size = slope * self.mu * abs(along * slope / self.radius - before * self.advance / (self.radius * slope))
        return float(-np.sign(rate) * size)


def chain(seed: int) -> tuple[dict[str, Any], dict[str, dict[str, Any]], dict[str, Rubbing]]:
    """Three bodies one after the other on joints anywhere, in motion: what a model takes, its joints, and their friction."""
    rng = np.random.default_rng(seed)
    place, points, bodies = np.zeros(3), {"P0": [0.0, 0.0, 0.0]}, {}
    joints: dict[str, dict[str, Any]] = {}
    rubbing: dict[str, Rubbing] = {}
    for i in range(3):
        kind, axis = KINDS[(seed + 2 * i) % 3 if seed % 2 else rng.integers(3)], rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        place = place + rng.uniform(-0.4, 0.4, 3)
        points[f"P{i + 1}"] = place.tolist()
        bodies[f"b{i}"] = {
            "points": [f"P{i}", f"P{i + 1}"],
            "mass": rng.uniform(1, 3),
            "com": rng.uniform(-0.2, 0.2, 3).tolist(),
            "inertia": np.diag(rng.uniform(0.03, 0.05, 3)).tolist(),
        }
        pitch = float(rng.uniform(0.05, 0.3)) if kind == "helical" else 0.0
        joints[f"j{i}"] = {
            "kind": kind,
            "bodies": [f"b{i - 1}" if i else "ground", f"b{i}"],
            "at": f"P{i}",
            "axis": axis.tolist(),
        } | ({"pitch": pitch} if pitch else {})
        length = float(rng.uniform(0.3, 0.6)) if rng.random() < 0.7 and kind != "helical" else None
        mu, radius = float(rng.uniform(0.02, 0.15)), float(rng.uniform(0.02, 0.05))
        twisted = kind == "prismatic" and length is not None and bool(rng.random() < 0.5)
        rubbing[f"j{i}"] = Rubbing(kind, axis, pitch / (2 * np.pi), mu, 0.2 if twisted else radius, length, twisted)
    speeds = {name: {"speed": float(rng.uniform(-3, 3))} for name in joints}
    base = {"space": "spatial", "gravity": [0, 0, -9.81], "points": points, "bodies": bodies, "initial": speeds}
    return base, joints, rubbing


@pytest.mark.parametrize("seed", range(6))
def test_friction_is_what_repetition_from_the_reactions_finds(seed: int) -> None:
    base, joints, rubbing = chain(seed)
    rubbed = {name: {**joint, "friction": rubbing[name].declared} for name, joint in joints.items()}
    result = lw.simulate(lw.Model(joints=rubbed, **base), until=1e-9, **MOMENT)
    plain = lw.Model(
        joints=joints,
        **base,
        parameters={f"e_{name}": {"value": 0.0, "live": True} for name in joints},
        forces={f"drag_{name}": {"kind": "effort", "joint": name, "value": f"e_{name}"} for name in joints},
    )
    efforts = dict.fromkeys(joints, 0.0)
    for _ in range(300):
        beside = lw.simulate(plain, until=1e-9, parameters={f"e_{n}": e for n, e in efforts.items()}, **MOMENT)
        found = {}
        for name, rub in rubbing.items():
            force, moment = (np.array([beside[f"{name}.{what}{axis}"][0] for axis in "xyz"]) for what in "fm")
            found[name] = rub.effort(force, moment, beside[f"{name}.speed"][0], efforts[name])
        change = max(abs(found[name] - efforts[name]) for name in joints)
        efforts = {name: 0.5 * efforts[name] + 0.5 * found[name] for name in joints}
        if change < 1e-12:
            break
    assert change < 1e-10
    for name, rub in rubbing.items():
        key = "force" if rub.kind == "prismatic" else "torque"
        assert result[f"{name}.friction.{key}"][0] == pytest.approx(efforts[name], rel=1e-9, abs=1e-11)
        assert result[f"{name}.acceleration"][0] == pytest.approx(
            beside[f"{name}.acceleration"][0], rel=1e-9, abs=1e-10
        )
