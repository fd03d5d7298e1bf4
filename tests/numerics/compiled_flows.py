"""Right-hand sides and event functions for the tests of the integrators, compiled from the kernel language."""

from __future__ import annotations

import math
from typing import Any

from linkwork.numerics.flows.flow import Events, Flow
from linkwork.numerics.kernels.language.calling import Kernel, kernel
from linkwork.numerics.kernels.language.records import Code, Floats, Record


class Counts(Record):
    calls: int
    corrections: int
    answer: int


@kernel
def pendulum(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    ydot[0] = y[1]
    ydot[1] = -math.sin(y[0]) + 0.3 * math.cos(2.0 * t)
    return 0


@kernel
def oscillator(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """y = (cos t, -sin t) from (1, 0)"""
    ydot[0] = y[1]
    ydot[1] = -y[0]
    return 0


@kernel
def empty(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    return 0


@kernel
def blow_up(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """y = 1 / (1 - t)"""
    ydot[0] = y[0] * y[0]
    return 0


@kernel
def bell(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """y = 1 / (1 + t²)"""
    ydot[0] = -2.0 * t * y[0] * y[0]
    return 0


@kernel
def wall(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """ẏ = 1; cannot be evaluated beyond y = 1."""
    if y[0] > 1.0:
        return -7
    ydot[0] = 1.0
    return 0


@kernel
def root(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """y = 1/16 + (√(15/16) - t/2)² from 1; undefined below 1/16, where explicit stages trespass."""
    ydot[0] = -math.sqrt(y[0] - 0.0625)
    return 0


@kernel
def circle(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """Uniform motion on the unit circle; counts its calls."""
    memory.calls += 1
    ydot[0] = -y[1]
    ydot[1] = y[0]
    return 0


@kernel
def onto_circle(t: float, y: Floats, memory: Counts) -> Code:
    """Scale back to the unit circle; counts that; returns what it is told to."""
    memory.corrections += 1
    length = math.hypot(y[0], y[1])
    y[0] /= length
    y[1] /= length
    return memory.answer


@kernel
def not_in_window(t: float, y: Floats, memory: Counts) -> Code:
    """Cannot correct states at 0.5 < t < 0.501."""
    if 0.5 < t < 0.501:
        return -5
    return 0


@kernel
def stages_on_circle(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """Circle whose flow corrects its argument in place."""
    length = math.hypot(y[0], y[1])
    y[0] /= length
    y[1] /= length
    ydot[0] = -y[1]
    ydot[1] = y[0]
    return 0


@kernel
def shifted_cosines(t: float, y: Floats, p: Floats, out: Floats) -> None:
    """Zeros of y₀ - p₀ and of y₁ - p₁"""
    out[0] = y[0] - p[0]
    out[1] = y[1] - p[1]


@kernel
def clock(t: float, y: Floats, p: Floats, out: Floats) -> None:
    """t - p₀"""
    out[0] = t - p[0]


def flow(declared: Kernel[..., Any], refresh: Kernel[..., Any] | None = None, answer: int = 0) -> Flow:
    return Flow(declared, refresh, Counts(answer=answer))


def events(declared: Kernel[..., Any], p: list[float], directions: object = 0, terminal: object = False) -> Events:
    return Events(declared, len(p), p, directions, terminal)  # type: ignore[arg-type]
