"""Right-hand sides and event functions for the tests of the integrators, compiled from the kernel language."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

import numpy as np

from linkwork.machine import compile_ir
from linkwork.numerics.integrators.flow import Events, Flow
from linkwork.numerics.kernels.calling import Kernel, kernel
from linkwork.numerics.kernels.translation import translate

FLOW = "int32(double t, double* y, double* ydot, int64* ic, double* w)"
REFRESH = "int32(double t, double* y, int64* ic, double* w)"
MODEL = "void(double t, double* y, double* p, double* out)"


def address(declared: Kernel) -> int:
    return compile_ir(translate([declared])).address(declared.symbol)


@kernel(FLOW)
def pendulum(t, y, ydot, ic, w):
    ydot[0] = y[1]
    ydot[1] = -math.sin(y[0]) + 0.3 * math.cos(2.0 * t)
    return 0


@kernel(FLOW)
def oscillator(t, y, ydot, ic, w):
    """y = (cos t, -sin t) from (1, 0)"""
    ydot[0] = y[1]
    ydot[1] = -y[0]
    return 0


@kernel(FLOW)
def empty(t, y, ydot, ic, w):
    return 0


@kernel(FLOW)
def blow_up(t, y, ydot, ic, w):
    """y = 1 / (1 - t)"""
    ydot[0] = y[0] * y[0]
    return 0


@kernel(FLOW)
def bell(t, y, ydot, ic, w):
    """y = 1 / (1 + t²)"""
    ydot[0] = -2.0 * t * y[0] * y[0]
    return 0


@kernel(FLOW)
def wall(t, y, ydot, ic, w):
    """ẏ = 1; cannot be evaluated beyond y = 1."""
    if y[0] > 1.0:
        return -7
    ydot[0] = 1.0
    return 0


@kernel(FLOW)
def root(t, y, ydot, ic, w):
    """y = 1/16 + (√(15/16) - t/2)² from 1; undefined below 1/16, where explicit stages trespass."""
    ydot[0] = -math.sqrt(y[0] - 0.0625)
    return 0


@kernel(FLOW)
def circle(t, y, ydot, ic, w):
    """Uniform motion on the unit circle; counts its calls in ic[0]."""
    ic[0] += 1
    ydot[0] = -y[1]
    ydot[1] = y[0]
    return 0


@kernel(REFRESH)
def onto_circle(t, y, ic, w):
    """Scale back to the unit circle; counts in ic[1]; returns ic[2]."""
    ic[1] += 1
    length = math.hypot(y[0], y[1])
    y[0] /= length
    y[1] /= length
    return ic[2]


@kernel(REFRESH)
def not_in_window(t, y, ic, w):
    """Cannot correct states at 0.5 < t < 0.501."""
    if 0.5 < t < 0.501:
        return -5
    return 0


@kernel(FLOW)
def stages_on_circle(t, y, ydot, ic, w):
    """Circle whose flow corrects its argument in place."""
    length = math.hypot(y[0], y[1])
    y[0] /= length
    y[1] /= length
    ydot[0] = -y[1]
    ydot[1] = y[0]
    return 0


@kernel(MODEL)
def shifted_cosines(t, y, p, out):
    """Zeros of y₀ - p₀ and of y₁ - p₁"""
    out[0] = y[0] - p[0]
    out[1] = y[1] - p[1]


@kernel(MODEL)
def clock(t, y, p, out):
    """t - p₀"""
    out[0] = t - p[0]


def flow(declared: Kernel, refresh: Kernel | None = None, *ic: int) -> Flow:
    context = np.array([*ic, 0, 0, 0], dtype=np.int64)
    return Flow(address(declared), 0 if refresh is None else address(refresh), context)


def events(declared: Kernel, p: list[float], directions: object = 0, terminal: object = False) -> Events:
    return Events(address(declared), len(p), p, directions, terminal)  # type: ignore[arg-type]
