"""Bring single states onto their constraints, and look at the constraints there.

For initial states and messages: each call allocates its own work. The steps of a run do the same inside their kernels.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.numerics.flows.context import FAILURES, ConstrainedSystem, Failure, allocate, failure_of
from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.closing import close_positions, close_velocities
from linkwork.numerics.kernels.constrained.state import start_partition
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import Kernel, MachineCode
from linkwork.numerics.kernels.language.records import Floats, ModelFunction
from linkwork.numerics.loader import compiled
from linkwork.numerics.policy import POLICY

PORTION = 4096  # states whose matrices are looked at together

MODEL_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)


@dataclass(frozen=True)
class ClosureReport:
    """How a state was brought onto its constraints.

    residual: (m) what is left, each row divided by its length in scaled coordinates (1 = one typical size of a coordinate)
    rows: C S there, fixed coordinates zero; failure: None when it converged
    """

    converged: bool
    iterations: int
    residual: np.ndarray
    rows: np.ndarray
    failure: Failure | None

    @cached_property
    def rank(self) -> int:
        """Number of independent rows there, fixed coordinates not counted."""
        return POLICY.rank_of(self.rows)


def solve_positions(
    system: ConstrainedSystem, t: float, y: np.ndarray, fixed: Sequence[int] = (), *, iteration_limit: int = 60
) -> ClosureReport:
    """Correct q in y until Φ(q, t) = 0, with the smallest change in scaled coordinates.

    fixed: coordinates (indices into v) that must not move.
    """
    return _close(close_positions, system, t, y, fixed, iteration_limit)


def solve_velocities(system: ConstrainedSystem, t: float, y: np.ndarray, fixed: Sequence[int] = ()) -> ClosureReport:
    """Correct v in y so that C v + a = 0, with the smallest change in scaled coordinates; q closes already.

    fixed: velocities that must keep their values.
    """
    return _close(close_velocities, system, t, y, fixed, 1)


def rank_at(system: ConstrainedSystem, t: float, y: np.ndarray, *, tolerance: float = codes.RANK_TOLERANCE) -> int:
    """Number of independent constraint rows at a state, by their singular values."""
    return int(count_ranks(system, np.array([t]), y[None], tolerance=tolerance)[0])


def count_ranks(system: ConstrainedSystem, t: np.ndarray, y: np.ndarray, *, tolerance: float) -> np.ndarray:
    """Numbers (N) of independent constraint rows at times t (N) and states y (N, n)."""
    found = np.zeros(len(t), dtype=int)
    for first in range(0, len(t) if system.m and system.nv else 0, PORTION):
        part = slice(first, first + PORTION)
        rows = _rows(system, t[part], y[part]) * system.scale
        values = np.linalg.svd(POLICY.unit_rows(rows)[0], compute_uv=False)
        found[part] = np.sum(values > tolerance, axis=-1)
    return found


def criterion(mass: np.ndarray, constraints: np.ndarray, scale: np.ndarray | None = None) -> np.ndarray:
    """Projective criterion cos²α (nv) of each coordinate, from M (nv, nv) and C (m, nv)."""
    return _criteria(mass, constraints, scale)[0]


def worth(mass: np.ndarray, constraints: np.ndarray, scale: np.ndarray | None = None) -> np.ndarray:
    """What the choice of independent coordinates goes by (nv): the criterion, with a lower bound for light coordinates."""
    return _criteria(mass, constraints, scale)[1]


def _criteria(mass: np.ndarray, constraints: np.ndarray, scale: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    m, nv = constraints.shape
    terms = np.concatenate([np.zeros(2 * nv + m), np.ravel(mass, order="F"), np.ravel(constraints, order="F")])
    closure = np.concatenate([np.zeros(m), np.ravel(constraints, order="F"), np.zeros(m)])
    system = ConstrainedSystem(
        nq=nv,
        nv=nv,
        m=m,
        functions={"closure": ConstantFunction(closure), "terms": ConstantFunction(terms)},
        p=np.zeros(0),
        scale=np.ones(nv) if scale is None else np.asarray(scale, dtype=float),
    )
    memory = allocate(system, log_limit=1)
    cos2 = memory.cos2
    cos2[:] = 1.0 if m == 0 else 0.0
    if compiled(start_partition)(0.0, np.zeros(2 * nv), memory) < 0 or np.isnan(cos2).any():
        raise ValueError("the projective criterion needs a mass matrix without negative directions")
    k = nv - max(memory.rank, 0)
    chosen_by = np.sum(memory.frame[: k * nv].reshape(nv, k) ** 2, axis=1) if m else cos2
    return cos2.copy(), chosen_by.copy()


def evaluate_closure(system: ConstrainedSystem, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return Φ (m), C (m, nv) and a (m) at a state."""
    m, nv, entries = system.m, system.nv, system.entries
    size = m * nv if entries is None else entries.rows.rows.size
    out = np.zeros(2 * m + size)
    if m > 0:
        state = np.ascontiguousarray(y, dtype=float)
        ModelFunction(_closure(system))(t, state, system.p, out)
    return out[:m], _spread(system, out[None, m : m + size])[0], out[m + size :]


def _closure(system: ConstrainedSystem) -> MachineCode:
    """What gives C, by its entries where the system has these."""
    return system.functions["closure" if system.entries is None else "sparse_closure"]


def _spread(system: ConstrainedSystem, values: np.ndarray) -> np.ndarray:
    """C (N, m, nv), from all its numbers (N, m nv) or from its entries."""
    m, nv, entries = system.m, system.nv, system.entries
    if entries is None:
        return values.reshape(len(values), nv, m).swapaxes(1, 2)
    found = np.zeros((len(values), m, nv))
    found[:, np.repeat(np.arange(m), np.diff(entries.rows.starts)), entries.rows.rows] = values
    return found


def _rows(system: ConstrainedSystem, t: np.ndarray, y: np.ndarray) -> np.ndarray:
    """C (N, m, nv) at times t (N) and states y (N, n)."""
    m, nv = system.m, system.nv
    size = m * nv if system.entries is None else system.entries.rows.rows.size
    states, out = np.ascontiguousarray(y, dtype=float), np.zeros((len(t), 2 * m + size))
    function, p = MODEL_FUNCTION(_closure(system).address), system.p.ctypes.data
    given, found = states.ctypes.data, out.ctypes.data
    for time in t.tolist():
        function(time, given, p, found)
        given, found = given + states.strides[0], found + out.strides[0]
    return _spread(system, out[:, m : m + size])


def _close(
    kernel: Kernel[[float, Floats, Workspace], int],
    system: ConstrainedSystem,
    t: float,
    y: np.ndarray,
    fixed: Sequence[int],
    iteration_limit: int,
) -> ClosureReport:
    if y.shape != (system.size,) or y.dtype != np.float64 or not y.flags.c_contiguous:
        raise ValueError(f"y is corrected in place: it must be a contiguous array of {system.size} float64")
    memory = allocate(system, iteration_limit=iteration_limit, dense=False, entrywise=True)
    memory.scale[list(fixed)] = 0.0
    failure = failure_of(memory) if memory.m and compiled(kernel)(t, y, memory) < 0 else None
    phi, c, a = evaluate_closure(system, t, y)
    velocity = y[system.nq : system.nq + system.nv]
    lengths = np.linalg.norm(c * system.scale, axis=1)
    open_by = c @ velocity + a if kernel is close_velocities else phi
    # rows that are empty beside the others, as in the kernels, have no length to be measured by
    longest = lengths.max(initial=0.0)
    measures = np.maximum(lengths, codes.FAINT_ROW * longest)
    residual = np.divide(open_by, measures, out=open_by.copy(), where=lengths > codes.EMPTY_ROW * longest)
    # the kernel itself has checked positions, but not whether redundant rows agree on the velocities
    speed = float(np.max(np.abs(velocity) / system.scale, initial=1.0))
    if failure is None and np.max(np.abs(residual), initial=0.0) > POLICY.agreed * speed:
        row = int(np.argmax(np.abs(residual)))
        code = codes.VELOCITIES_NOT_FOUND
        failure = Failure(code, FAILURES[code], row, None, float(residual[row]))
    return ClosureReport(failure is None, memory.iterations, residual, c * memory.scale, failure)


class ConstantFunction:
    """A model function that always gives the same values."""

    def __init__(self, values: np.ndarray) -> None:
        self._call = MODEL_FUNCTION(
            lambda t, y, p, out: ctypes.memmove(out, values.ctypes.data, values.nbytes) and None
        )
        self.address = int(ctypes.cast(self._call, ctypes.c_void_p).value or 0)
