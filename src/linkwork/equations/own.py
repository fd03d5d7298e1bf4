"""Equations of motion that somebody writes down, as expressions of CasADi:

    q̇ = v,   M(t, q) v̇ = h(t, q, v, s) + Cᵀ λ,   ṡ = σ(t, q, v, s),   Φ(t, q) = 0,   ψ(t, q, v) = 0

with C = ∂[Φ, ψ]/∂[q, v]. They are integrated by the same formulations as mechanisms are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.equations.differential_algebraic import Statement
from linkwork.errors import RefusedError

EXPRESSIONS = ("q", "v", "mass", "forces", "conditions", "velocity_conditions", "t", "s", "s_rates", "p")


def _nothing() -> ca.SX:
    return ca.SX(0, 1)


@dataclass(frozen=True, eq=False)
class ConstrainedEquations:
    """M v̇ = forces + Cᵀ λ under conditions, of symbols that the writer has chosen.

    q, v: columns of symbols, v the rates of q. mass: M (n × n), or its diagonal (n). forces: h (n).
    conditions: Φ (t, q), a column; velocity_conditions: ψ (t, q, v), linear in v, that no Φ stands for.
    t: the symbol of the time, where one occurs. s, s_rates: further states and their rates.
    p: symbols of parameters, whose values are given when the equations are integrated. scale: typical sizes of q.
    """

    q: ca.SX
    v: ca.SX
    mass: ca.SX
    forces: ca.SX
    conditions: ca.SX = field(default_factory=_nothing)
    velocity_conditions: ca.SX = field(default_factory=_nothing)
    t: ca.SX = field(default_factory=lambda: ca.SX.sym("t"))
    s: ca.SX = field(default_factory=_nothing)
    s_rates: ca.SX = field(default_factory=_nothing)
    p: ca.SX = field(default_factory=_nothing)
    scale: Any = 1.0

    def __post_init__(self) -> None:
        for name in EXPRESSIONS:
            object.__setattr__(self, name, _expression(name, getattr(self, name)))
        n = self.q.numel()
        if self.mass.shape != (n, n):
            if self.mass.numel() != n:
                raise RefusedError(
                    f"mass: {self.mass.shape[0]} × {self.mass.shape[1]} for {n} coordinates; give a matrix {n} × {n}, or "
                    f"its diagonal of {n}"
                )
            object.__setattr__(self, "mass", ca.diag(ca.vec(self.mass)))
        for name, other, size in (("v", "q", n), ("forces", "q", n), ("s_rates", "s", self.s.numel())):
            if getattr(self, name).numel() != size:
                raise RefusedError(f"{name}: {getattr(self, name).numel()} for {size} of {other}; give as many")
        self._check_symbols()
        _ = self.sizes

    def _check_symbols(self) -> None:
        """Refuse what is not a symbol where one must be, and symbols in places where they cannot stand."""
        for name in ("q", "v", "s", "t", "p"):
            if not all(item.is_symbolic() for item in getattr(self, name).nonzeros()):
                raise RefusedError(f"{name}: these are unknowns, and must be symbols (casadi.SX.sym)")
        fixed = [self.t, self.p]
        everything = [*fixed, self.q, self.v, self.s]
        allowed = {
            "mass": [*fixed, self.q],
            "forces": everything,
            "s_rates": everything,
            "conditions": [*fixed, self.q],
            "velocity_conditions": [*fixed, self.q, self.v],
        }
        for name, symbols in allowed.items():
            known = {item.element_hash(): item.name() for item in ca.symvar(ca.vertcat(*symbols))}
            foreign = [item.name() for item in ca.symvar(getattr(self, name)) if item.element_hash() not in known]
            if foreign:
                raise RefusedError(
                    f"{name} depends on {', '.join(foreign)}; it may depend on {', '.join(known.values())} alone"
                )
        psi = self.velocity_conditions
        if psi.numel() and ca.jacobian(ca.jacobian(psi, self.v), self.v).nnz():
            raise RefusedError("velocity_conditions must be linear in v")

    @property
    def sizes(self) -> Array:
        """Typical sizes of the coordinates (n)."""
        found = np.broadcast_to(np.asarray(self.scale, dtype=float), (self.q.numel(),)).copy()
        if not np.all((found > 0) & np.isfinite(found)):
            raise RefusedError(f"scale = {self.scale}: sizes of coordinates must be positive")
        return found

    @cached_property
    def statement(self) -> Statement:
        """C, a and b by exact differentiation."""
        phi, psi, n = self.conditions, self.velocity_conditions, self.q.numel()
        jacobian = ca.vertcat(ca.jacobian(phi, self.q), ca.jacobian(psi, self.v))
        at_rest = ca.substitute(psi, self.v, ca.SX.zeros(n)) if psi.numel() else psi
        a = ca.vertcat(ca.jtimes(phi, self.t, ca.SX(1)), at_rest)
        rate = jacobian @ self.v + a
        return Statement(
            t=self.t,
            q=self.q,
            v=self.v,
            s=self.s,
            p=self.p,
            rates=self.v,
            s_rates=self.s_rates,
            mass=self.mass,
            forces=self.forces,
            phi=ca.vertcat(phi, ca.SX(psi.numel(), 1)),
            jacobian=jacobian,
            a=a,
            b=ca.jtimes(rate, self.q, self.v) + ca.jtimes(rate, self.t, ca.SX(1)),
            holonomic=int(phi.numel()),
            identities=ca.SX(0, 1),
            scale=self.sizes,
        )

    def __str__(self) -> str:
        parts = [f"{self.q.numel()} coordinates", f"{self.conditions.numel()} conditions"]
        if self.velocity_conditions.numel():
            parts.append(f"{self.velocity_conditions.numel()} on velocities alone")
        if self.s.numel():
            parts.append(f"{self.s.numel()} further states")
        return "ConstrainedEquations: " + ", ".join(parts)


def _expression(name: str, given: Any) -> ca.SX:
    """What was given as an expression; lists and numbers are welcome."""
    try:
        return ca.SX(ca.vertcat(*given) if isinstance(given, list | tuple) else given)
    except NotImplementedError as error:
        raise RefusedError(
            f"{name}: {type(given).__name__} is not an expression (casadi.SX), nor a list of them"
        ) from error
