"""A constrained system as its kernels see it: sizes, functions, work, and what a failure was about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.sparse_pattern import SparsePattern
from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import MachineCode

FUNCTIONS = "closure", "terms", "retract", "reframe", "accelerate"

FAILURES = {
    codes.POSITIONS_NOT_FOUND: "the closing conditions cannot be met near the last position",
    codes.DEPENDENT_SINGULAR: "the dependent coordinates cannot be found from the independent ones (dead centre)",
    codes.MASS_SINGULAR: "the mass matrix of the degrees of freedom is singular: a degree of freedom moves without inertia",
    codes.RANK_CHANGED: "the number of independent constraints has changed: the position is singular",
    codes.NOT_FINITE: "a value of the model is not finite",
    codes.LEAPT: "two branches of the motion come so near to each other that no step can tell them apart",
    codes.VELOCITIES_NOT_FOUND: "no velocities satisfy all constraints: some of them contradict each other",
    codes.BRANCH_ENDS: "the branch of a closed loop ends here (dead centre)",
    codes.NOT_CONVERGED: "a block of closing conditions cannot be met near the last position",
    codes.BLOCK_SINGULAR: "a block of closing conditions is singular (dead centre)",
    codes.STAGE_NOT_FOUND: "the equations of a step have no solution near the last one; a shorter step may help",
}
"""What each failure code means."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ConstrainedSystem:
    """Sizes and model functions ``f(t, y, p, out)`` of a constrained system; matrices are column-major.

    holonomic: how many of the m rows restrict positions, the first ones; None: all. The others have Φ = 0
    functions: by name
    closure: out = [Φ (m), C (m, nv), a (m)], Φ̇ = C v + a
    terms: out = [q̇ (nq), ṡ (ns), h (nv), b (m), M (nv, nv), C (m, nv)]
    retract: out = q ⊕ δ (nq), with δ (nv) in the place of v in y; without it q + δ
    reframe: out = [q in other charts where the present ones end (nq), 1 where that is another q]; without it no charts
    accelerate: out = [ẏ, health], health = smallest relative pivot; and others that a procedure names
    selectors: (m) where p says whether a row holds, -1: it always does; None: all of them do
    p: parameters, float64; changing them in place takes effect at once, but for selectors (``choose_active``)
    scale: (nv) typical size of each coordinate, positive, in its own unit
    entries: of large systems, whose functions give C and M by their entries too: sparse_closure: out = [Φ (m), entries of C
        row by row, a (m)]; sparse_terms: out = [q̇, ṡ, h, b, entries of M column by column, entries of C row by row]
    """

    nq: int
    nv: int
    ns: int = 0
    m: int
    holonomic: int | None = None
    selectors: np.ndarray | None = None
    functions: Mapping[str, MachineCode]
    p: np.ndarray
    scale: np.ndarray
    entries: SparsePattern | None = None

    def __post_init__(self) -> None:
        if self.p.dtype != np.float64 or not self.p.flags.c_contiguous:
            raise ValueError("p is read in place: it must be a contiguous array of float64")
        if self.scale.shape != (self.nv,) or not np.all((self.scale > 0) & np.isfinite(self.scale)):
            raise ValueError(f"scale must hold {self.nv} positive numbers, got {self.scale}")
        if "retract" not in self.functions and self.nq != self.nv:
            raise ValueError(f"{self.nq} positions and {self.nv} velocities need a retract function")

    @property
    def size(self) -> int:
        """Length of the state y."""
        return self.nq + self.nv + self.ns


@dataclass(frozen=True)
class Failure:
    """What the last failed evaluation was about; row and coordinate are None where they say nothing."""

    code: int
    message: str
    row: int | None
    coordinate: int | None
    value: float


def failure_of(memory: Workspace) -> Failure:
    """Read the failure noted in the memory of a flow."""
    code, row, coordinate = memory.failure, memory.failed_row, memory.failed_coordinate
    return Failure(
        code,
        FAILURES.get(code, f"failure {code}"),
        int(memory.active[row]) if row >= 0 else None,
        coordinate if coordinate >= 0 else None,
        memory.failed_value,
    )


def allocate(
    system: ConstrainedSystem,
    log_limit: int = 0,
    iteration_limit: int = 20,
    record: type[Workspace] = Workspace,
    dense: bool = True,
    entrywise: bool = False,
    **further: Any,
) -> Workspace:
    """The memory of the constrained kernels, ready for a run; *further*: other fields that decide on sizes.

    dense: with matrices of all velocities; entrywise: C and M are known by their entries where the system has them
    """
    holonomic = system.m if system.holonomic is None else system.holonomic
    known = system.functions
    if entrywise and system.entries is not None and system.m:
        known = {name: function for name, function in known.items() if name not in FUNCTIONS[:2]}
        further = {"entrywise": 1, "sparse": system.entries.memory(system.nq, system.ns, known), **further}
    memory = record(
        **{name: getattr(system, name) for name in ("nq", "nv", "ns", "m")},
        **{name: known.get(name) for name in FUNCTIONS},
        n=system.size,
        square=system.nv if dense else 0,
        p=system.p,
        every=system.m,
        every_position=holonomic,
        limit=iteration_limit,
        log_limit=log_limit,
        **further,
    )
    memory.selectors[:] = -1 if system.selectors is None else system.selectors
    memory.scale[:] = system.scale
    choose_active(memory)
    return memory


def choose_active(memory: Workspace) -> None:
    """Take the rows that hold, as the selectors in p say, and forget what was found out about others."""
    places = memory.selectors
    held = np.flatnonzero((places < 0) | (memory.p[np.maximum(places, 0)] > 0.5 if np.any(places >= 0) else True))
    memory.active[: held.size] = held
    memory.m, memory.holonomic = held.size, int(np.sum(held < memory.every_position))
    memory.rank = -1 if memory.m else 0
    memory.position_rank = -1 if memory.holonomic else 0
    memory.order[:] = np.arange(memory.nv)
    memory.rows[:] = np.arange(memory.every)
    memory.lengths[:] = 0.0
    if memory.entrywise:
        memory.sparse.most[:] = 0.0
        memory.sparse.examined = 0.0
    memory.watched = memory.closed = 0


def memory_of(flow: Flow) -> Workspace:
    """The memory of a flow of a constrained system."""
    assert isinstance(flow.memory, Workspace)
    return flow.memory


def flow_parameters(flow: Flow) -> np.ndarray:
    """The parameters that a flow works with: those of its system, and what it sets behind them."""
    return memory_of(flow).p
