"""The loop over many samples: blocks of eight are laid out by lanes, evaluated, and laid out by samples again.

The loop knows no model: it gets the address of the function, so that it is compiled once for all.
"""

from __future__ import annotations

import ctypes
from functools import cache
from string import Template

import numpy as np
from numpy.typing import NDArray

from linkwork.compiler.llvm.width import LANES
from linkwork.machine import Module, compile_ir

# gather:  lanes[8 e + l] = samples[l][e];  scatter: samples[l][e] = lanes[8 e + l].
# The last block has fewer than eight samples: the lanes left over repeat the last one, in both directions.
_TRANSPOSITION = """
define internal void @$NAME(ptr noalias %samples, i64 %width, i64 %valid, ptr noalias %lanes) {
entry:
  %last = sub i64 %valid, 1
$ROWS
  %none = icmp eq i64 %width, 0
  br i1 %none, label %done, label %element
element:
  %e = phi i64 [ 0, %entry ], [ %next, %element ]
  %lanes_at = getelementptr <8 x double>, ptr %lanes, i64 %e
$MOVE
  %next = add i64 %e, 1
  %more = icmp ult i64 %next, %width
  br i1 %more, label %element, label %done
done:
  ret void
}
"""

_ROW = """  %s$L = call i64 @llvm.umin.i64(i64 $L, i64 %last)
  %offset$L = mul i64 %s$L, %width
  %row$L = getelementptr double, ptr %samples, i64 %offset$L"""

_GATHER = """  %at$L = getelementptr double, ptr %row$L, i64 %e
  %x$L = load double, ptr %at$L, align 8
  %v$L = insertelement <8 x double> $PREVIOUS, double %x$L, i32 $L"""

_SCATTER = """  %at$L = getelementptr double, ptr %row$L, i64 %e
  %x$L = extractelement <8 x double> %v, i32 $L
  store double %x$L, ptr %at$L, align 8"""

_LOOP = """
define void @batch(ptr %f, i64 %count, ptr %sizes, ptr %t, ptr %y, ptr %p, ptr %out, ptr %work) {
entry:
  %np_at = getelementptr i64, ptr %sizes, i64 1
  %nout_at = getelementptr i64, ptr %sizes, i64 2
  %shared_at = getelementptr i64, ptr %sizes, i64 3
  %ny = load i64, ptr %sizes
  %np = load i64, ptr %np_at
  %nout = load i64, ptr %nout_at
  %shared = load i64, ptr %shared_at
  %y_lanes = getelementptr <8 x double>, ptr %work, i64 1
  %p_lanes = getelementptr <8 x double>, ptr %y_lanes, i64 %ny
  %out_lanes = getelementptr <8 x double>, ptr %p_lanes, i64 %np
  %own_parameters = icmp eq i64 %shared, 0
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %first
first:
  call void @gather(ptr %p, i64 %np, i64 1, ptr %p_lanes)
  br label %block
block:
  %start = phi i64 [ 0, %first ], [ %next, %run ]
  %left = sub i64 %count, %start
  %valid = call i64 @llvm.umin.i64(i64 %left, i64 8)
  %t_at = getelementptr double, ptr %t, i64 %start
  call void @gather(ptr %t_at, i64 1, i64 %valid, ptr %work)
  %y_start = mul i64 %start, %ny
  %y_at = getelementptr double, ptr %y, i64 %y_start
  call void @gather(ptr %y_at, i64 %ny, i64 %valid, ptr %y_lanes)
  br i1 %own_parameters, label %parameters, label %run
parameters:
  %p_start = mul i64 %start, %np
  %p_at = getelementptr double, ptr %p, i64 %p_start
  call void @gather(ptr %p_at, i64 %np, i64 %valid, ptr %p_lanes)
  br label %run
run:
  call void %f(ptr %work, ptr %y_lanes, ptr %p_lanes, ptr %out_lanes)
  %out_start = mul i64 %start, %nout
  %out_at = getelementptr double, ptr %out, i64 %out_start
  call void @scatter(ptr %out_at, i64 %nout, i64 %valid, ptr %out_lanes)
  %next = add i64 %start, 8
  %more = icmp ult i64 %next, %count
  br i1 %more, label %block, label %done
done:
  ret void
}
"""


def _transposition(name: str, step: str, before: str, after: str) -> str:
    rows = [Template(_ROW).substitute(L=lane) for lane in range(LANES)]
    previous = ["poison", *(f"%v{lane}" for lane in range(LANES))]
    moves = [Template(step).safe_substitute(L=lane, PREVIOUS=previous[lane]) for lane in range(LANES)]
    move = "\n".join([*([before] if before else []), *moves, *([after] if after else [])])
    return Template(_TRANSPOSITION).substitute(NAME=name, ROWS="\n".join(rows), MOVE=move)


def _text() -> str:
    store = "  store <8 x double> %v7, ptr %lanes_at, align 8"
    load = "  %v = load <8 x double>, ptr %lanes_at, align 8"
    return _transposition("gather", _GATHER, "", store) + _transposition("scatter", _SCATTER, load, "") + _LOOP


@cache
def _loop() -> ctypes._FuncPointer:
    prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, *[ctypes.c_void_p] * 6)
    return prototype(_module().address("batch"))


@cache
def _module() -> Module:
    return compile_ir(_text(), opt=1)


def run_batch(
    address: int, size_out: int, t: NDArray[np.float64], y: NDArray[np.float64], p: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Evaluate the function with lanes at *address* for each sample; return (N, size_out).

    t: (N,), y: (N, ny), p: (np,) for all samples or (N, np) for each; all contiguous.
    """
    count, size_y = y.shape
    size_p = p.shape[-1]
    sizes = np.array([size_y, size_p, size_out, p.ndim == 1], dtype=np.int64)
    work = np.empty((1 + size_y + size_p + size_out) * LANES)
    out = np.empty((count, size_out))
    arrays = (sizes, t, y, p, out, work)
    _loop()(address, count, *(array.ctypes.data for array in arrays))
    return out
