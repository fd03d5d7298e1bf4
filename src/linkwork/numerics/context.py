"""A constrained system as its kernels see it: sizes, addresses, work, and what a failure was about."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from linkwork.numerics import bounds
from linkwork.numerics.kernels import slots
from linkwork.numerics.loader import kernel_address

FAILURES = {
    slots.POSITIONS_NOT_FOUND: "the closing conditions cannot be met near the last position",
    slots.DEPENDENT_SINGULAR: "the dependent coordinates cannot be found from the independent ones (dead centre)",
    slots.MASS_SINGULAR: "the mass matrix of the freedoms is singular: a freedom moves without inertia",
    slots.RANK_CHANGED: "the number of independent constraints has changed: the position is singular",
    slots.NOT_FINITE: "a value of the model is not finite",
    slots.LEAPT: "two branches of the motion come so near to each other that no step can tell them apart",
    slots.VELOCITIES_NOT_FOUND: "no velocities satisfy all constraints: some of them contradict each other",
    slots.STAGE_NOT_FOUND: "the equations of a step have no solution near the last one; a shorter step may help",
}
"""What each failure code means."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ConstrainedSystem:
    """Sizes and model functions ``f(t, y, p, out)`` of a constrained system; matrices are column-major.

    holonomic: how many of the m rows restrict positions, the first ones; None: all. The others have Φ = 0
    closure: address; out = [Φ (m), C (m, nv), a (m)], Φ̇ = C v + a
    terms: address; out = [q̇ (nq), ṡ (ns), h (nv), b (m), M (nv, nv), C (m, nv)]
    retract: address; out = q ⊕ δ (nq), with δ (nv) in the place of v in y; 0: q + δ
    reframe: address; out = [q in other charts where the present ones end (nq), 1 where that is another q]; 0: no charts
    accelerate: address; out = [ẏ, health], health = smallest relative pivot; 0: there is none
    p: parameters, float64; changing them in place takes effect at once
    scale: (nv) typical size of each coordinate, positive, in its own unit
    keepalive: objects that own the addresses
    """

    nq: int
    nv: int
    ns: int = 0
    m: int
    holonomic: int | None = None
    closure: int
    terms: int
    retract: int = 0
    reframe: int = 0
    accelerate: int = 0
    p: np.ndarray
    scale: np.ndarray
    keepalive: tuple[object, ...] = ()

    def __post_init__(self) -> None:
        if self.p.dtype != np.float64 or not self.p.flags.c_contiguous:
            raise ValueError("p is read in place: it must be a contiguous array of float64")
        if self.scale.shape != (self.nv,) or not np.all((self.scale > 0) & np.isfinite(self.scale)):
            raise ValueError(f"scale must hold {self.nv} positive numbers, got {self.scale}")
        if self.retract == 0 and self.nq != self.nv:
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


def failure_of(ic: np.ndarray, w: np.ndarray) -> Failure:
    """Read the failure noted in a context."""
    code = int(ic[slots.FAILURE])
    row, coordinate = int(ic[slots.FAILED_ROW]), int(ic[slots.FAILED_COORDINATE])
    return Failure(
        code,
        FAILURES.get(code, f"failure {code}"),
        row if row >= 0 else None,
        coordinate if coordinate >= 0 else None,
        float(w[slots.FAILED_VALUE]),
    )


def allocate(
    system: ConstrainedSystem, log_limit: int = 0, iteration_limit: int = 20, further: Mapping[int, int] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the context ``ic`` and the work ``w`` of the constrained kernels, ready for a run.

    further: lengths of more number blocks, by the slots of their offsets
    """
    nq, nv, ns, m = system.nq, system.nv, system.ns, system.m
    indices = slots.index_blocks(nv, m, log_limit)
    ic_offsets, ic_size = _offsets(indices, slots.HEADER)
    blocks = slots.number_blocks(nq, nv, ns, m, log_limit) | dict(further or {})
    w_offsets, w_size = _offsets(blocks, slots.SCALARS)
    ic, w = np.zeros(ic_size, dtype=np.int64), np.zeros(w_size)
    bounds.note_layout(ic, ic_offsets, indices)
    bounds.note_layout(w, w_offsets, blocks)
    bounds.note(system.p)
    for slot, offset in {**ic_offsets, **w_offsets}.items():
        ic[slot] = offset
    ic[[slots.NQ, slots.NV, slots.NS, slots.M]] = nq, nv, ns, m
    ic[[slots.CLOSURE, slots.TERMS, slots.RETRACT]] = system.closure, system.terms, system.retract
    ic[[slots.ACCELERATE, slots.PARAMETERS]] = system.accelerate, system.p.ctypes.data
    ic[slots.REFRAME] = system.reframe
    ic[slots.HOLONOMIC] = m if system.holonomic is None else system.holonomic
    ic[slots.RANK] = -1 if m > 0 else 0
    ic[slots.POSITION_RANK] = -1 if ic[slots.HOLONOMIC] > 0 else 0
    ic[[slots.FAILED_ROW, slots.FAILED_COORDINATE]] = -1
    ic[[slots.LIMIT, slots.LOG_LIMIT]] = iteration_limit, log_limit
    ic[ic_offsets[slots.ORDER] :][:nv] = np.arange(nv)
    ic[ic_offsets[slots.ROWS] :][:m] = np.arange(m)
    w[w_offsets[slots.SCALE] :][:nv] = system.scale
    return ic, w


def call_refresh(kernel: str, t: float, y: np.ndarray, ic: np.ndarray, w: np.ndarray) -> int:
    """Call the kernel ``"file.function"`` with the signature of a refresh; y is corrected in place."""
    function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *[ctypes.c_void_p] * 3)
    return int(function(kernel_address(kernel))(t, y.ctypes.data, ic.ctypes.data, w.ctypes.data))


def _offsets(blocks: dict[int, int], start: int) -> tuple[dict[int, int], int]:
    """Lay the blocks one after the other; returns the offset of each and the total length."""
    offsets = {}
    for slot, length in blocks.items():
        offsets[slot] = start
        start += length
    return offsets, start
