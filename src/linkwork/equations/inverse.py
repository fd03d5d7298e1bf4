"""Efforts of motors from a known motion, in several ways that give the same.

With the forces e = M v̇ − h that the motion asks for, the rates B v of the coordinates of the motors and the conditions C,

    e = Bᵀ u + Cᵀ λ.

virtual power     Nᵀ Bᵀ u = Nᵀ e with C N = 0: only the motors do work in motions that the conditions allow
multipliers       [Bᵀ Cᵀ] [u; λ] = e: efforts and multipliers together
newton            [−∂r/∂u, G] [u; f] = r: Newton's and Euler's equations of every body, with all pushes f of the joints
recursion         virtual power with e by recursion along the tree, without M

(García de Jalón and Bayo, sections 6.2.1, 6.2.2, 6.2.5 and 6.2.6.) All divide by the sizes of the coordinates, so that
ranks can be told. Where there are more motors than freedoms, Σ wᵢ uᵢ² is least among all that give the motion. Which
freedoms no motor reaches is found beforehand (``reach``): an effort that is missing there is an unknown like those of the
motors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.coordinates.numbering import Coordinates
from linkwork.equations.balance import pseudo_inverse
from linkwork.equations.reactions import plan_reactions
from linkwork.equations.recursion import recursive_forces
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError, did_you_mean

Array = NDArray[np.float64]
Evaluate = Callable[[ca.Function], Mapping[str, Array]]
RANK = 1e-9  # singular values below this part of the largest are zero


@dataclass(frozen=True, eq=False)
class Motorised:
    """A mechanism with motors: coordinates whose forces contain the symbols u (k), with the weights w (k) of these."""

    coordinates: Coordinates
    u: ca.SX
    weights: Array

    def at_rest(self, expression: ca.SX) -> ca.SX:
        """An expression with motors that do not push."""
        return ca.substitute(expression, self.u, ca.SX.zeros(self.u.numel()))

    @property
    def scale(self) -> Array:
        return self.coordinates.kinematics.scale


class InverseMethod(ABC):
    """One way to get the efforts u (N, k) of all motors."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def solve(self, motorised: Motorised, evaluate: Evaluate) -> Array:
        """The efforts; *evaluate* gives the outputs of a function (t, [y, v̇], p) at all samples."""


class VirtualPower(InverseMethod):
    """Nᵀ Bᵀ u = Nᵀ (M v̇ − h)."""

    name = "virtual_power"
    summary = "power of the motors in all motions that the conditions allow"

    def needed(self, c: Coordinates, vdot: ca.SX) -> ca.SX:
        """e."""
        return c.mass @ vdot - c.forces

    def solve(self, motorised: Motorised, evaluate: Evaluate) -> Array:
        c, vdot = motorised.coordinates, _accelerations(motorised.coordinates)
        needed = motorised.at_rest(self.needed(c, vdot))
        outputs = {"e": needed, "B": ca.jacobian(c.forces, motorised.u), "C": c.jacobian}
        if not c.rows and _is_plain(outputs["B"]):
            found = evaluate(make_function(self.name, c, {"u": outputs["B"].T @ needed}, vdot))
            return np.asarray(found["u"][..., 0])
        parts = evaluate(make_function(self.name, c, outputs, vdot))
        n = allowed_motions(parts["C"], motorised.scale)
        power = n.swapaxes(-1, -2)
        return _least(power @ parts["B"], (power @ parts["e"])[..., 0], motorised.weights)


class Recursion(VirtualPower):
    """The same, with e by recursion."""

    name = "recursion"
    summary = "recursion of Newton's and Euler's equations along the tree; loops by virtual power"

    def needed(self, c: Coordinates, vdot: ca.SX) -> ca.SX:
        return ca.cse(recursive_forces(c, vdot))


class Multipliers(InverseMethod):
    """[Bᵀ Cᵀ] [u; λ] = e."""

    name = "multipliers"
    summary = "efforts and multipliers of all conditions in one system"

    def solve(self, motorised: Motorised, evaluate: Evaluate) -> Array:
        c, vdot = motorised.coordinates, _accelerations(motorised.coordinates)
        e = motorised.at_rest(c.mass @ vdot - c.forces)
        outputs = {"e": e, "B": ca.jacobian(c.forces, motorised.u), "C": c.jacobian}
        parts = evaluate(make_function(self.name, c, outputs, vdot))
        scale = motorised.scale[:, None]
        return _with_others(
            scale * parts["B"],
            scale * parts["C"].swapaxes(-1, -2),
            motorised.scale * parts["e"][..., 0],
            motorised.weights,
        )


class Newton(InverseMethod):
    """[−∂r/∂u, G] [u; f] = r."""

    name = "newton"
    summary = "Newton's and Euler's equations of all bodies, with all reactions"

    def solve(self, motorised: Motorised, evaluate: Evaluate) -> Array:
        c = motorised.coordinates
        plan = plan_reactions(c)
        t, state, p = plan.function.sx_in()
        found = plan.function.call([t, state, p])
        r = found[plan.function.index_out("r")]
        u = p[p.numel() - motorised.u.numel() :]
        outputs = {
            "G": found[plan.function.index_out("G")],
            "r": ca.substitute(r, u, ca.SX.zeros(u.numel())),
            "R": -ca.jacobian(r, u),
        }
        dense = [ca.densify(item) for item in outputs.values()]
        parts = evaluate(ca.Function(self.name, [t, state, p], dense, ["t", "y", "p"], list(outputs)))
        sizes = plan.sizes[:, None]
        return _with_others(
            sizes * parts["R"],
            sizes * parts["G"] * plan.scale,
            plan.sizes * parts["r"][..., 0],
            motorised.weights,
        )


ALL_INVERSE_METHODS: tuple[InverseMethod, ...] = (VirtualPower(), Multipliers(), Newton(), Recursion())


def inverse_method(name: str) -> InverseMethod:
    """The method with this name."""
    known = {method.name: method for method in ALL_INVERSE_METHODS}
    if name not in known:
        raise RefusedError(f"unknown method of inverse dynamics '{name}'; {did_you_mean(name, list(known))}")
    return known[name]


def allowed_motions(jacobian: Array, scale: Array) -> Array:
    """N (N, nv, k): motions that the conditions C (N, m, nv) allow, orthonormal in sizes of the coordinates.

    Where rows depend on each other at single samples alone, the rank is that of most samples.
    """
    count, m, nv = jacobian.shape
    if not m:
        return np.broadcast_to(np.diag(scale), (count, nv, nv))
    rows = jacobian * scale
    length = np.linalg.norm(rows, axis=-1, keepdims=True)
    _, sizes, vt = np.linalg.svd(rows / np.where(length > 0.0, length, 1.0))
    ranks = np.sum(sizes > RANK * sizes.max(axis=-1, initial=1e-300, keepdims=True), axis=-1)
    rank = int(np.median(ranks)) if count else 0
    return np.asarray(scale[:, None] * vt[:, rank:].swapaxes(-1, -2))


@dataclass(frozen=True, eq=False)
class Reach:
    """Which coordinates motors would have to push besides the given ones to reach every freedom: places among all."""

    freedoms: int
    rank: int
    missing: tuple[int, ...]


def reach(motions: Array, given: Array, others: Array) -> Reach:
    """How far motors reach: N (nv, k) at one position, B (m, nv) of the motors, and of all coordinates (n, nv)."""
    freedoms = motions.shape[-1]
    powers = given @ motions
    rank = int(np.linalg.matrix_rank(powers, tol=RANK * max(1.0, float(np.abs(powers).max(initial=0.0)))))
    missing: list[int] = []
    candidates = others @ motions
    held = powers
    while rank + len(missing) < freedoms:
        left = candidates - (candidates @ np.linalg.pinv(held, rcond=RANK)) @ held if len(held) else candidates
        sizes = np.linalg.norm(left, axis=-1)
        best = int(np.argmax(sizes)) if sizes.size else -1
        if best < 0 or sizes[best] < RANK:
            break
        missing.append(best)
        held = np.vstack([held, candidates[best : best + 1]])
    return Reach(freedoms, rank, tuple(missing))


def _accelerations(c: Coordinates) -> ca.SX:
    return ca.SX.sym("vdot", c.v.numel())


def _is_plain(matrix: ca.SX) -> bool:
    """Whether B is a permutation: every freedom has its own motor."""
    if not matrix.is_constant() or matrix.shape[0] != matrix.shape[1]:
        return False
    values = np.array(ca.DM(matrix))
    return bool(np.all((values == 0.0) | (values == 1.0)) and np.all(values.sum(0) == 1) and np.all(values.sum(1) == 1))


def _least(matrix: Array, right: Array, weights: Array) -> Array:
    """u with A u = r and least Σ w u²; of least squares where there is none."""
    root = 1.0 / np.sqrt(weights)
    scaled = matrix * root
    zero = RANK * np.linalg.norm(scaled, ord=2, axis=(-2, -1)) if scaled.size else np.zeros(len(matrix))
    return np.asarray(root * (pseudo_inverse(scaled, np.maximum(zero, 1e-300)) @ right[..., None])[..., 0])


def _with_others(matrix: Array, others: Array, right: Array, weights: Array) -> Array:
    """u of [A, D] [u; x] = r with any x, and least Σ w u².

    All solutions are u₀ + Z z, with the null space Z of [A, D].
    """
    root = 1.0 / np.sqrt(weights)
    k = matrix.shape[-1]
    whole = np.concatenate([matrix * root, others], axis=-1)
    if not whole.shape[-1]:
        return np.zeros((len(matrix), 0))
    length = np.linalg.norm(whole, axis=-2, keepdims=True)
    length = np.where(length > 0.0, length, 1.0)
    u, sizes, vt = np.linalg.svd(whole / length)
    zero = RANK * sizes.max(axis=-1, initial=1e-300)
    kept = sizes > zero[:, None]
    inner = sizes.shape[-1]
    along = np.einsum("nij,ni->nj", u[:, :, :inner], right)
    found = np.einsum("nij,ni->nj", vt[:, :inner], np.divide(along, sizes, out=np.zeros_like(along), where=kept))
    loose = np.arange(vt.shape[-1]) >= np.sum(kept, axis=-1)[:, None]
    free = ((vt * loose[..., None]).swapaxes(-1, -2) / length.swapaxes(-1, -2))[:, :k]
    start = (found / length[:, 0])[:, :k]
    size = np.linalg.norm(free, ord=2, axis=(-2, -1)) if k else np.zeros(len(free))
    step = pseudo_inverse(free, np.maximum(RANK, RANK * size)) @ start[..., None]
    return np.asarray(root * (start - (free @ step)[..., 0]))
