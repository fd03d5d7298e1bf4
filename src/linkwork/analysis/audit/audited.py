"""What every audit looks at: expressions of coordinates and v̇, and the numbers of a mechanism that no run changes."""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.coordinates.contributions import joint_rate
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.power import element_powers
from linkwork.equations.energy import kinetic_energy, potential_energy
from linkwork.equations.recursion.forces import needed_forces

HELD = 5  # expressions that `write_held` gives
LARGEST = 800  # numbers of the matrix by which branches are told that are looked at together with all the rest


class Sizes:
    """Numbers and names of a mechanism that all its audits share, by the default values of its parameters.

    q, v, holonomic: how many coordinates, velocities and conditions of positions
    scale (nv): sizes of velocities; length: m, of the mechanism
    mass: kg, of all bodies; weight: N; fall (dimension): m/s², gravity with its direction, and its size
    rows: the names of all conditions; compared: of positions that are compared with their speeds
    places (k): which of them are places of bodies; reach (k): how far each goes where the mechanism moves by its size
    plain: whether coordinates are plain numbers; switches: whether there are formulas that jump
    """

    def __init__(self, c: Coordinates) -> None:
        geometry, k = c.geometry, c.kinematics
        self.q, self.v, self.scale, self.length = c.q.numel(), c.v.numel(), k.scale, float(k.length)
        masses = geometry.masses()
        self.mass = sum(masses)
        self.fall = np.array([float(geometry.number(part)) for part in ca.vertsplit(ca.SX(geometry.gravity))])
        self.gravity = float(np.linalg.norm(self.fall))
        self.weight = sum(map(abs, masses)) * self.gravity
        self.rows = (*map(str, c.labels), *["an orientation"] * len(k.identities))
        self.plain, self.switches = _plain(c), bool(c.switches)
        self.holonomic = c.holonomic
        self.compared = tuple(k.q_names) if self.plain else _names_of_frames(c)
        self.places = np.array([name.startswith("the place") for name in self.compared], dtype=bool)
        self.reach = np.asarray(k.scale) if self.plain else np.where(self.places, self.length, 1.0)


def _names_of_frames(c: Coordinates) -> tuple[str, ...]:
    sizes = [("place", c.space.dimension), ("attitude", c.space.dimension**2)]
    return tuple(f"the {what} of {name}" for name in c.geometry.bodies for what, size in sizes for _ in range(size))


def write_every(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    """All that is looked at in every run."""
    rows = write_rows(c, vdot)
    return [*write_held(c, vdot), *write_along(c, vdot), *(rows if rows[0].numel() <= LARGEST else [ca.SX(0, 1)])]


def write_held(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    """Kinetic and potential energy; conditions, their rates and second rates."""
    return [*_energies(c), *_conditions(c, vdot)]


def write_along(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    """Positions that are compared, their rates and second rates; switches of formulas that jump."""
    return [*_ways(c, vdot), *_switches(c)]


def _energies(c: Coordinates) -> list[ca.SX]:
    return [kinetic_energy(c), potential_energy(c)]


def write_rows(c: Coordinates, _vdot: ca.SX) -> list[ca.SX]:
    """[C; B], with the conditions C v + a = 0 of positions and the rates B v of the inputs; none where no loop is told."""
    inputs = c.topology.plan.inputs
    if not c.topology.loops or not c.holonomic or any(name not in c.topology.model.joints for name, _ in inputs):
        return [ca.SX(0, 1)]
    rates = ca.vertcat(ca.SX(0, 1), *[joint_rate(c.motion, name, freedom) for name, freedom in inputs])
    return [ca.vertcat(c.jacobian[: c.holonomic, :], ca.jacobian(rates, c.v))]


def write_powers(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    """What energies take up and elements bring in, what conditions push with, the conditions and their own rates."""
    energies = kinetic_energy(c), potential_energy(c)
    rates = [c.motion.acceleration(energy, vdot) + ca.jtimes(energy, c.t, ca.SX(1)) for energy in energies]
    for state in c.loading.states:
        rates = [
            rate + ca.jtimes(energy, state.symbol, state.rate) for rate, energy in zip(rates, energies, strict=True)
        ]
    own = [item for power in element_powers(c, vdot).values() for item in (power.supplied, -power.dissipated)]
    return [ca.vertcat(*[-rate for rate in rates], *own), needed_forces(c, vdot), c.jacobian, c.a]


def write_element_powers(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    return [ca.vertcat(item.given, item.dissipated) for item in element_powers(c, vdot).values()]


def _conditions(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    """Φ, C v + a and C v̇ + b, in metres."""
    weights = np.array([row.weight for row in c.rows])
    own = [row.residual * row.weight for row in c.kinematics.identities]
    speeds, accelerations = c.jacobian @ c.v + c.a, c.jacobian @ vdot + c.b
    return [ca.vertcat(c.phi * weights, *own), speeds * weights, accelerations * weights]


def _switches(c: Coordinates) -> list[ca.SX]:
    """Which branches hold, and whether their guards are zero: a formula may have another value there."""
    held = [(switch, switch.value, guard.value) for switch in c.switches for guard in switch.guards]
    edges = [ca.sign(ca.substitute(guard, switch.selector, value)) for switch, value, guard in held]
    return [ca.vertcat(ca.SX(0, 1), *[switch.value for switch in c.switches], *edges)]


def _plain(c: Coordinates) -> bool:
    """Whether coordinates are plain numbers, and do not change their charts on the way."""
    return c.kinematics.retract is None and c.kinematics.reframe is None


def _ways(c: Coordinates, vdot: ca.SX) -> list[ca.SX]:
    """Positions whose derivatives are compared with speeds, their rates and second rates: coordinates, or places and axes of
    bodies where those are no plain numbers."""
    positions, rates = c.q, c.kinematics.rates
    if not _plain(c):
        frames = [c.kinematics.frames[name] for name in c.geometry.bodies]
        parts = [ca.densify(ca.vec(part)) for frame in frames for part in (frame.origin, frame.axes)]
        positions = ca.vertcat(ca.SX(0, 1), *parts)
        rates = c.motion.drift(positions)
    return [positions, rates, c.motion.acceleration(rates, vdot)]
