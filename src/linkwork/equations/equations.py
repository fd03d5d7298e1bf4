"""``formulate(coordinates, formulation)``: the equations of motion as functions of (t, y, p)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca

from linkwork.answer import Answer, Column, Text
from linkwork.arrays import Array
from linkwork.coordinates.by_body import ByBody
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import place_state
from linkwork.equations.counted import by_multipliers
from linkwork.equations.formulations import ALL_FORMULATIONS, Formulation, Multipliers
from linkwork.equations.formulations.base import Scheme
from linkwork.equations.reactions.reactions import ReactionPlan, plan_reactions
from linkwork.equations.saddle import pushes_function
from linkwork.equations.terms import idle_velocities, with_diagonal
from linkwork.errors import RefusedError, did_you_mean
from linkwork.numerics.flows.context import ConstrainedSystem
from linkwork.numerics.flows.sparse_pattern import FUNCTIONS, SparsePattern
from linkwork.numerics.kernels.language.calling import MachineCode
from linkwork.plugins import discover


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

    @property
    def seldom(self) -> frozenset[str]:
        """Functions that runs call a few times only: not worth the time that it takes to compile a long one well."""
        return self.scheme.seldom

    @cached_property
    def pushes(self) -> ca.Function:
        """What conditions that come and go push with."""
        return pushes_function(self.coordinates, 0.0, *self.start)

    @cached_property
    def all_pushes(self) -> ca.Function:
        """The same of all their rows, limit by limit."""
        return pushes_function(self.coordinates, 0.0, *self.start, every=True)

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
            selectors=c.selectors,
            functions=functions,
            p=p,
            scale=c.kinematics.scale,
            entries=self.entries,
        )

    @cached_property
    def entries(self) -> SparsePattern | None:
        """Where C and M have entries, for those who take them by their entries."""
        if not set(FUNCTIONS.values()) <= self.scheme.functions.keys():
            return None
        from scipy.sparse import csc_array  # slow to import, and few mechanisms are large

        c = self.coordinates
        rows, mass = (csc_array(ca.DM(x.sparsity(), 1).sparse()) for x in (c.jacobian.T, with_diagonal(c.mass)))
        return SparsePattern.of(rows, mass, c.holonomic)

    @property
    def title(self) -> str:
        return f"{self.formulation.name}: {self.formulation.summary}"

    @property
    def brief(self) -> str:
        return f"Equations: {self.formulation.name} in {self.coordinates.title}"

    def report(self) -> list[Text | str]:
        """The coordinates, and what there is to compile."""
        counts = (f"{name}: {function.n_instructions()} instructions" for name, function in self.functions.items())
        return [Text(f"in {self.coordinates}"), *self.scheme.remarks, *counts]

    def columns(self) -> list[Column]:
        """The functions of the formulation and their sizes."""
        sizes = [function.n_instructions() for function in self.functions.values()]
        return [Column("function", list(self.functions)), Column("instructions", sizes, "1")]


def start_of(coordinates: Coordinates) -> tuple[Array, Array]:
    """The state y and the parameters p where the mechanism is put together, whatever the formulation."""
    return place_state(coordinates, coordinates.topology.assembly, coordinates.geometry.defaults)


def formulate(
    coordinates: Coordinates,
    formulation: str | Formulation | None = None,
    start: tuple[Array, Array] | None = None,
) -> Equations:
    """Write the equations of motion in a formulation, chosen by name or as an object with its own parameters.

    Without a choice it is the first that works in these coordinates. start: ``start_of`` them, where it is known
    """
    y, p = start_of(coordinates) if start is None else (array.copy() for array in start)
    remarks: tuple[str, ...] = ()
    if formulation is None:
        chosen, remarks = default_formulation(coordinates, y, p)
    else:
        chosen = find_formulation(formulation)
    if chosen.kinds and coordinates.kind.name not in chosen.kinds:
        raise RefusedError(
            f"the formulation '{chosen.name}' works in {' and '.join(chosen.kinds)} coordinates, not in "
            f"{coordinates.kind.name} ones{_why_by_body(coordinates)}; in these take {_others(coordinates, y, p)}"
        )
    if coordinates.holonomic < len(coordinates.rows) and not chosen.able.rolling:
        label = coordinates.labels[coordinates.holonomic]
        raise RefusedError(
            f"the formulation '{chosen.name}' cannot hold nonholonomic constraints ({label}); "
            f"take {_others(coordinates, y, p)}"
        )
    if coordinates.limits and not chosen.able.limits:
        raise RefusedError(
            f"the formulation '{chosen.name}' cannot hold conditions that come and go ({coordinates.limits[0].label}); "
            f"take {_others(coordinates, y, p)}"
        )
    scheme = chosen.write(coordinates, coordinates.topology.drives.time, y, p)
    return Equations(coordinates, chosen, replace(scheme, remarks=(*scheme.remarks, *remarks)), (y, p))


def default_formulation(c: Coordinates, y: Array, p: Array) -> tuple[Formulation, tuple[str, ...]]:
    """The formulation that is used where none is named, and what there is to say of it; y, p: the start."""
    if c.limits:
        return Multipliers(), ()  # its accelerations are one formula, as what limits push with is
    remarks = by_multipliers(c, c.topology.drives.time, y, p)
    if remarks is not None:
        return Multipliers(), remarks
    return next(known for known in ALL_FORMULATIONS if not known.kinds or c.kind.name in known.kinds), ()


def _why_by_body(c: Coordinates) -> str:
    """Why coordinates are not those that somebody may have asked for."""
    joints = [label.element for label in c.multipliers if label.kind == "joint"]
    if not joints or not isinstance(c.kind, ByBody):
        return ""
    return f" (a body at {', '.join(joints)} has coordinates of its own, as a force reads what the joint pushes with)"


def _others(c: Coordinates, y: Array, p: Array) -> str:
    """The formulations that declare all that this mechanism asks for in these coordinates."""
    rolling, massless = c.holonomic < len(c.rows), bool(idle_velocities(c, 0.0, y, p))
    working = [known for known in ALL_FORMULATIONS if not known.kinds or c.kind.name in known.kinds]
    names = [
        known.name
        for known in working
        if known.able.rolling >= rolling and known.able.massless >= massless and known.able.limits >= bool(c.limits)
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
        raise RefusedError(
            f"unknown formulation '{formulation}'; {did_you_mean(formulation, list(names), 'formulation')}"
        )
    return names[formulation]
