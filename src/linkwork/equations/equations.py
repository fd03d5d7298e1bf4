"""``formulate(coordinates, formulation)``: the equations of motion as functions of (t, y, p)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.answer import Answer, Column, Text
from linkwork.coordinates.contributions import place_unknowns
from linkwork.coordinates.numbering import Coordinates, starting_state
from linkwork.equations.formulations import ALL_FORMULATIONS, Formulation
from linkwork.equations.formulations.base import Scheme
from linkwork.equations.reactions.reactions import ReactionPlan, plan_reactions
from linkwork.equations.terms import idle_velocities
from linkwork.errors import RefusedError, did_you_mean
from linkwork.numerics.flows.context import ConstrainedSystem
from linkwork.numerics.kernels.language.calling import MachineCode
from linkwork.plugins import discover
from linkwork.position.assembly import Assembly

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Equations(Answer):
    """The equations of a mechanism, ready to be compiled."""

    coordinates: Coordinates
    formulation: Formulation
    scheme: Scheme
    start: tuple[Array, Array]  # y and p at the assembled position, default parameters

    def __reduce__(self) -> tuple[object, ...]:
        return formulate, (self.coordinates, self.formulation)

    @property
    def functions(self) -> Mapping[str, ca.Function]:
        """The functions of the formulation: those that its flow needs, and others."""
        return {**self.scheme.functions, **self.scheme.extra}

    @cached_property
    def reactions(self) -> ReactionPlan:
        """How to get the reactions of joints, drivers and couplings."""
        return plan_reactions(self.coordinates)

    def system(self, functions: Mapping[str, MachineCode], p: Array) -> ConstrainedSystem:
        """What the kernels need to know: sizes, and the machine code of the functions by name."""
        c = self.coordinates
        return ConstrainedSystem(
            nq=c.q.numel(),
            nv=c.v.numel(),
            ns=c.s.numel(),
            m=len(c.rows),
            holonomic=c.holonomic,
            functions=functions,
            p=p,
            scale=c.kinematics.scale,
        )

    @property
    def title(self) -> str:
        return f"{self.formulation.name}: {self.formulation.summary}"

    @property
    def brief(self) -> str:
        return f"Equations: {self.formulation.name} in {self.coordinates.title}"

    def report(self) -> list[Text | str]:
        """The coordinates, and what there is to compile."""
        counts = (f"{name}: {function.n_instructions()} instructions" for name, function in self.functions.items())
        return [Text(f"in {self.coordinates}"), *counts]

    def columns(self) -> list[Column]:
        """The functions of the formulation and their sizes."""
        sizes = [function.n_instructions() for function in self.functions.values()]
        return [Column("function", list(self.functions)), Column("instructions", sizes, "1")]


def formulate(coordinates: Coordinates, formulation: str | Formulation | None = None) -> Equations:
    """Write the equations of motion in a formulation, chosen by name or as an object with its own parameters.

    Without a choice it is the first that works in these coordinates.
    """
    chosen = default_formulation(coordinates) if formulation is None else find_formulation(formulation)
    y, p = place_state(coordinates, coordinates.topology.assembly, coordinates.geometry.defaults)
    if chosen.kinds and coordinates.kind.name not in chosen.kinds:
        raise RefusedError(
            f"the formulation '{chosen.name}' works in {' and '.join(chosen.kinds)} coordinates, not in "
            f"{coordinates.kind.name} ones; in these take {_others(coordinates, y, p)}"
        )
    if coordinates.holonomic < len(coordinates.rows) and not chosen.abilities.rolling:
        label = coordinates.labels[coordinates.holonomic]
        raise RefusedError(
            f"the formulation '{chosen.name}' cannot hold conditions on velocities alone ({label}); "
            f"take {_others(coordinates, y, p)}"
        )
    if coordinates.limits and not chosen.abilities.limits:
        raise RefusedError(
            f"the formulation '{chosen.name}' cannot hold conditions that come and go ({coordinates.limits[0].label}); "
            f"take {_others(coordinates, y, p)}"
        )
    return Equations(coordinates, chosen, chosen.write(coordinates, coordinates.topology.drives.time, y, p), (y, p))


def place_state(
    coordinates: Coordinates,
    assembly: Assembly,
    parameters: Array,
    time: float | None = None,
    known: tuple[Array, Array] | None = None,
) -> tuple[Array, Array]:
    """The state y and the full parameters p of an assembled position; *known*: its q and v.

    parameters: live ones, and the numbers of inputs where they are others than those of the topology
    """
    c, time = coordinates, coordinates.topology.drives.time if time is None else time
    if known is not None:
        return starting_state(c, *known, time, parameters)
    q, v = c.kind.place(
        c.geometry, c.topology.tree, assembly.poses, assembly.twists, parameters[: len(c.geometry.defaults)]
    )
    own, rates = place_unknowns(c.geometry, assembly)
    return starting_state(c, np.concatenate([q, own]), np.concatenate([v, rates]), time, parameters)


def default_formulation(c: Coordinates) -> Formulation:
    """The formulation that is used where none is named."""
    working = [known for known in ALL_FORMULATIONS if not known.kinds or c.kind.name in known.kinds]
    return next(known for known in working if known.abilities.limits or not c.limits)


def _others(c: Coordinates, y: Array, p: Array) -> str:
    """The formulations that declare all that this mechanism asks for in these coordinates."""
    rolling, massless = c.holonomic < len(c.rows), bool(idle_velocities(c, 0.0, y, p))
    working = [known for known in ALL_FORMULATIONS if not known.kinds or c.kind.name in known.kinds]
    names = [
        known.name
        for known in working
        if known.abilities.rolling >= rolling
        and known.abilities.massless >= massless
        and known.abilities.limits >= bool(c.limits)
    ]
    return " or ".join(f"'{name}'" for name in names)


def find_formulation(formulation: str | Formulation) -> Formulation:
    """Return the formulation with this name."""
    if isinstance(formulation, type) and issubclass(formulation, Formulation):
        return formulation()
    if isinstance(formulation, Formulation):
        return formulation
    names = {known.name: known for known in ALL_FORMULATIONS}
    if formulation not in names and discover():
        names = {known.name: known for known in ALL_FORMULATIONS}
    if formulation not in names:
        raise RefusedError(f"unknown formulation '{formulation}'; {did_you_mean(formulation, list(names))}")
    return names[formulation]
