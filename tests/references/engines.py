"""Engines whose pistons are pushed by constant forces that change with the direction of their motion.

The crank is the only freedom, and each force is constant in a stroke. So the speed of the crank follows from the balance of
energy, and the time from one quadrature,

    ½ I(φ) φ̇² = ½ I(φ₀) φ̇₀² + W(φ),   t(φ) = ∫ √(I / 2 E) dφ,

stroke by stroke: no integrator, no formula that jumps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

import linkwork as lw

CRANK, ROD = 0.1, 0.3  # lengths, m
CRANK_MASS, CRANK_INERTIA, ROD_MASS, PISTON_MASS = 1.0, 0.01, 0.5, 0.3
SPEED = 10.0  # rad/s, of the crank at the start
INWARDS, OUTWARDS = 200.0, 20.0  # N towards the crank, while the piston goes there and while it comes back


@dataclass(frozen=True)
class Engine:
    """Cylinders by their directions from the crank and the directions of their pins at the start, rad."""

    cylinders: tuple[tuple[float, float], ...]
    turned: float = 0.0

    @cached_property
    def model(self) -> lw.Model:
        points: dict[str, list[float]] = {"O": [0.0, 0.0]}
        bodies: dict[str, object] = {}
        joints: dict[str, object] = {"O": {"kind": "revolute", "bodies": ["ground", "crank"]}}
        forces: dict[str, object] = {}
        for i, (direction, pin) in enumerate(self.cylinders):
            axis = np.array([np.cos(direction + self.turned), np.sin(direction + self.turned)])
            at = CRANK * np.array([np.cos(pin + self.turned), np.sin(pin + self.turned)])
            points |= {f"A{i}": at.tolist(), f"B{i}": (_distance(pin - direction) * axis).tolist()}
            bodies |= {
                f"rod{i}": {"bar": [f"A{i}", f"B{i}"], "length": ROD, "mass": ROD_MASS},
                f"piston{i}": {"points": [f"B{i}"], "mass": PISTON_MASS, "inertia": 1.0},
            }
            joints |= {
                f"A{i}": {"kind": "revolute", "bodies": ["crank", f"rod{i}"]},
                f"B{i}": {"kind": "revolute", "bodies": [f"rod{i}", f"piston{i}"]},
                f"s{i}": {
                    "kind": "prismatic",
                    "bodies": ["ground", f"piston{i}"],
                    "at": f"B{i}",
                    "axis": (-axis).tolist(),
                },
            }
            value = f"if(s{i}.speed < 0, {OUTWARDS}, {INWARDS})"
            forces[f"gas{i}"] = {"kind": "effort", "joint": f"s{i}", "value": value}
        pins = [f"A{i}" for i in range(len(self.cylinders))]
        bodies["crank"] = {
            "points": ["O", *pins],
            "mass": CRANK_MASS,
            "inertia": CRANK_INERTIA,
            "com": "O",
        }
        return lw.Model(
            name="engine",
            space="planar",
            points=points,
            bodies=bodies,
            joints=joints,
            forces=forces,
            initial={"O": {"speed": SPEED}},
        )

    def inertia(self, phi: float) -> float:
        """Of everything, about the crank, at an angle of it from the start."""
        total = CRANK_INERTIA
        for direction, pin in self.cylinders:
            a = pin - direction + phi
            s, c = CRANK * np.sin(a), CRANK * np.cos(a)
            depth = np.sqrt(ROD**2 - s**2)
            slide = -s - s * c / depth  # dx/dφ of the piston
            turn = -c / depth  # dψ/dφ of the rod
            middle = 0.5 * np.array([-s + slide, c])  # of its centre
            total += PISTON_MASS * slide**2 + ROD_MASS * (middle @ middle + ROD**2 / 12 * turn**2)
        return float(total)

    def work(self, phi: float) -> float:
        """Of all forces, from the start to an angle of the crank."""
        return sum(_work(pin - direction, pin - direction + phi) for direction, pin in self.cylinders)

    def angle(self, until: float) -> float:
        """Of the crank at a time, from the start."""
        energy = 0.5 * self.inertia(0.0) * SPEED**2

        def slowness(phi: float) -> float:
            return float(np.sqrt(self.inertia(phi) / (2.0 * (energy + self.work(phi)))))

        def time(a: float, b: float) -> float:
            return float(quad(slowness, a, b, epsabs=1e-14, epsrel=1e-13, limit=200)[0])

        dead = sorted({round(-(pin - d) % np.pi, 12) for d, pin in self.cylinders})
        ends = (k * np.pi + place for k in range(1000) for place in dead)
        begin, passed = 0.0, 0.0
        for end in ends:
            more = time(begin, end) if end > begin else 0.0
            if passed + more >= until:
                return float(brentq(lambda phi, a=begin, t=passed: t + time(a, phi) - until, begin, end, xtol=1e-13))
            begin, passed = max(begin, end), passed + more
        raise AssertionError("the crank turns too fast")


def _distance(a: float) -> float:
    """Of the piston from the crank's axis, with the crank at an angle a from the cylinder."""
    return float(CRANK * np.cos(a) + np.sqrt(ROD**2 - (CRANK * np.sin(a)) ** 2))


def _work(a: float, b: float) -> float:
    """Of the force on one piston while its crank goes from a to b, dead centre by dead centre."""
    stops = [a, *(k * np.pi for k in range(int(np.floor(a / np.pi)) + 1, int(np.ceil(b / np.pi)))), b]
    total = 0.0
    for one, other in pairwise(stops):
        inwards = _distance(one) - _distance(other)
        total += inwards * (INWARDS if np.sin(0.5 * (one + other)) > 0.0 else OUTWARDS)
    return total


def single(degrees: float) -> Engine:
    """One cylinder at its outer dead centre, drawn along a direction."""
    return Engine(((0.0, 0.0),), float(np.deg2rad(degrees)))


def boxer(degrees: float) -> Engine:
    """Two opposed cylinders, whose pistons turn round at the same instants."""
    return Engine(((0.0, 0.0), (np.pi, np.pi)), float(np.deg2rad(degrees)))


def vee_six(degrees: float) -> Engine:
    """Two banks 90° apart on three pins: pistons of both banks turn round at the same instants."""
    pins = np.deg2rad([0.0, 120.0, 240.0])
    return Engine(tuple((bank, float(pin)) for pin in pins for bank in (0.0, np.pi / 2)), float(np.deg2rad(degrees)))
