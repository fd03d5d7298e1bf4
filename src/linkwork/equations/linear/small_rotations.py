"""Small rotations as states: what orientations vary by, in axes that do not turn with them.

Four parameters of an orientation, or angles, vary in another way while a body spins, even if nothing happens that could be
seen: about a top that sleeps or a disc that rolls straight on, linear equations in them change from moment to moment. The
small rotation δϑ in world axes does not turn with the body. With q̇ = T(q) σ, the components σ of the angular velocity ω
along axes of the body, and ω = W(q) σ,

    δϑ = W T⁺ δq = Ω δy .

δϑ is no variation of any three coordinates, so that the rows Ω stand for them. Rows R(y) vary with the rate

    d(R δy)/dt = (Ṙ + R ∂ẏ/∂y) δy + R ∂ẏ/∂v̇ δv̇ + R ∂ẏ/∂u δu ,

which gives those of the rates of δϑ from Ω, and the linear equations from both. These rates are δω + ω × δϑ: they are zero
where all of a motion is turned about a fixed axis, whereas δω is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from linkwork.equations.linear.variations import VariationalEquations

SPINS = ("spinx", "spiny", "spinz")  # angular velocity of an orientation, in axes of its body
RATE = "_rate"  # behind the name of a rotation


@dataclass(frozen=True, eq=False)
class TurningCoordinates:
    """One orientation among the coordinates: its places in q and in v; name: of the body or joint that has it."""

    name: str
    positions: tuple[int, ...]
    spins: tuple[int, ...]

    @property
    def rotations(self) -> list[str]:
        """Names of its small rotations."""
        return [f"{self.name}.{last}" for last in ("rx", "ry", "rz")]

    @property
    def rates(self) -> list[str]:
        """Names of the rates of these."""
        return [f"{name}{RATE}" for name in self.rotations]


def orientations(names: Sequence[str], rates: ca.SX, v: ca.SX) -> tuple[TurningCoordinates, ...]:
    """The orientations of coordinates with q̇ = rates; names: of v."""
    found = []
    for i, name in enumerate(names):
        prefix, _, last = name.rpartition(".")
        if last == SPINS[0]:
            spins = (i, i + 1, i + 2)
            rows = ca.jacobian(rates, v[list(spins)]).sparsity().get_triplet()[0]
            found.append(TurningCoordinates(prefix, tuple(sorted(set(rows))), spins))
    return tuple(found)


class SmallRotations:
    """Small rotations of all orientations and their rates; omega gives expressions of named angular velocities."""

    def __init__(self, equations: VariationalEquations, omega: Callable[[Sequence[str]], ca.SX]) -> None:
        self._equations, self._omega, c = equations, omega, equations.c
        self.of = orientations(c.kinematics.v_names, c.kinematics.rates, c.v)

    @cached_property
    def names(self) -> list[str]:
        """Names of the rotations, three of each orientation, and behind them of their rates."""
        return [
            *(name for item in self.of for name in item.rotations),
            *(name for item in self.of for name in item.rates),
        ]

    @cached_property
    def _turns(self) -> ca.SX:
        """Ω (3 of each orientation, n)."""
        c, found = self._equations.c, ca.SX(3 * len(self.of), self._equations.c.y.numel())
        omega = self._omega([f"{item.name}.{last}" for item in self.of for last in ("wx", "wy", "wz")])
        for i, item in enumerate(self.of):
            own, spins = list(item.positions), c.v[list(item.spins)]
            along = ca.jacobian(c.kinematics.rates[own], spins)
            inverse = ca.solve(along.T @ along, along.T)
            found[3 * i : 3 * i + 3, own] = ca.jacobian(omega[3 * i : 3 * i + 3], spins) @ inverse
        return found

    @cached_property
    def _rows(self) -> ca.SX:
        """Rows of all names by y."""
        return ca.vertcat(self._turns, self._moved(self._turns))

    def _moved(self, rows: ca.SX) -> ca.SX:
        """What rows of variations become by y in the course of the motion, v̇ held."""
        e = self._equations
        turned = ca.jtimes(ca.vec(rows), e.c.y, e.ydot) + ca.jtimes(ca.vec(rows), e.c.t, ca.SX(1))
        return ca.reshape(turned, *rows.shape) + rows @ ca.jacobian(e.ydot, e.c.y)

    def slopes(self, expression: ca.SX, chosen: Sequence[int]) -> ca.Function:
        """``VariationalEquations.slopes`` of an expression, and behind it of the chosen rotations and rates."""
        e, rows, still = self._equations, self._rows[list(chosen), :], len(self.of) * 3
        value = ca.vertcat(ca.SX(still, 1), self._turns @ e.ydot)[list(chosen)]
        none = [ca.SX(len(chosen), item.numel()) for item in (e.vdot, e.inputs)]
        return self._joined(expression, [rows, *none, value])

    def rate_slopes(self, expression: ca.SX, chosen: Sequence[int]) -> ca.Function:
        """The same of their rates."""
        e, rows = self._equations, self._rows[list(chosen), :]
        others = [rows @ ca.jacobian(e.ydot, item) for item in (e.vdot, e.inputs)]
        return self._joined(e.rate(expression), [self._moved(rows), *others, rows @ e.ydot])

    def _joined(self, expression: ca.SX, turned: list[ca.SX]) -> ca.Function:
        e = self._equations
        own = [*(ca.jacobian(expression, item) for item in (e.c.y, e.vdot, e.inputs)), expression]
        return e.function(*(ca.vertcat(a, b) for a, b in zip(own, turned, strict=True)))
