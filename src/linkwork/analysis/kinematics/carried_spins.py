"""How round links turn about their lines in a motion that does not spin them: u·ω = 0 from sample to sample.

From the line u₀ of a sample to that of the next one, the smallest rotation takes any direction across the line along the
great circle. Along the way that the line really goes, u(t), a link without spin gets ahead of that by the angle

    φ = ∫ u₀·(u × u̇) / (1 + u₀·u) dt,

the area between both ways on the sphere. Between samples the line is the quintic with its u, u̇ and ü at both.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.coordinates.spinning import SpinRates
from linkwork.equations.terms import make_function

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)


def carry_spins(mechanism: Mechanism, spins: SpinRates, states: States, p: Array) -> Array:
    """Directions across the lines (N, k, 3) without spin since the first sample, for states with any spins."""
    t, u, du, ddu, e = _lines(mechanism, spins, states, p)
    start, end = u[:-1], u[1:]
    # e of a sample by the smallest rotation to the next line, and how far the next e is from it
    taken = _smallest_rotation(start, end, e[:-1])
    ahead = _area(np.diff(t), (u, du, ddu))
    turned = np.zeros(u.shape[:2])
    turned[1:] = np.cumsum(ahead - angles_about(end, taken, e[1:]), axis=0)
    cosine, sine = np.cos(turned)[..., None], np.sin(turned)[..., None]
    return cosine * e + sine * np.cross(u, e)


def angles_about(u: Array, one: Array, other: Array) -> Array:
    """Angles about u from one direction across it to the other, (-pi, pi]; all (..., 3)."""
    sine = np.sum(u * np.cross(one, other), axis=-1)
    return np.asarray(np.arctan2(sine, np.sum(one * other, axis=-1)))


def _lines(mechanism: Mechanism, spins: SpinRates, states: States, p: Array) -> tuple[Array, ...]:
    """t, and u, u̇, ü and e (N, k, 3): u̇ = ω × u and ü = α × u + ω × u̇."""
    c, (t, y, vdot) = mechanism.coordinates, states
    symbols = ca.SX.sym("vdot", c.v.numel())
    alphas = [ca.jacobian(omega, c.v) @ symbols + c.motion.drift(omega) for omega in spins.omegas]
    outputs = {"u": spins.lines, "e": spins.across, "omega": spins.omegas, "alpha": alphas}
    stacked = {name: ca.densify(ca.vertcat(*parts)) for name, parts in outputs.items()}
    f = mechanism.compiled(make_function(spins.label, c, stacked, symbols))
    found = f.unpack(f.sample(t, np.hstack([y, vdot]), p))
    u, e, omega, alpha = (found[name].reshape(len(t), -1, 3) for name in outputs)
    du = np.cross(omega, u)
    return t, u, du, np.cross(alpha, u) + np.cross(omega, du), e


def _smallest_rotation(start: Array, end: Array, vectors: Array) -> Array:
    """Vectors as the smallest rotation from *start* to *end* takes them: R x = x + w × x + w × (w × x) / (1 + cos)."""
    w = np.cross(start, end)
    once = np.cross(w, vectors)
    cosine = np.sum(start * end, axis=-1, keepdims=True)
    return np.asarray(vectors + once + np.cross(w, once) / (1.0 + cosine))


def _area(h: Array, course: tuple[Array, Array, Array]) -> Array:
    """φ (N - 1, k) between samples."""
    u, du, ddu = course
    span, total = h[:, None, None], np.zeros((len(h), u.shape[1]))
    for node, weight in zip((NODES + 1) / 2, WEIGHTS / 2, strict=True):
        values, slopes = _quintic(node)
        ends = u[:-1], span * du[:-1], span**2 * ddu[:-1], u[1:], span * du[1:], span**2 * ddu[1:]
        place = sum(factor * end for factor, end in zip(values, ends, strict=True))
        speed = sum(factor * end for factor, end in zip(slopes, ends, strict=True))
        size = np.linalg.norm(place, axis=-1)
        along = np.sum(u[:-1] * np.cross(place, speed), axis=-1)
        total += weight * along / (size * (size + np.sum(u[:-1] * place, axis=-1)))
    return total


def _quintic(s: float) -> tuple[list[float], list[float]]:
    """Weights of u, u̇, ü at both ends in the quintic at 0 <= s <= 1, and in its slope."""
    rows = np.array(
        [[1, 0, 0, -10, 15, -6], [0, 1, 0, -6, 8, -3], [0, 0, 0.5, -1.5, 1.5, -0.5],
         [0, 0, 0, 10, -15, 6], [0, 0, 0, -4, 7, -3], [0, 0, 0, 0.5, -1, 0.5]]
    )  # fmt: skip
    powers = np.arange(6)
    return list(rows @ s**powers), list(rows @ (powers * s ** np.maximum(powers - 1, 0)))
