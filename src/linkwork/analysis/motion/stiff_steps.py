"""Explicit steps on stiff models, in words: what limits them, and which method would do.

A step of size h multiplies a motion e^{λt} by R(hλ) (``numerics/integrators/stability.py``). Where that is more than e^{hλ}
itself, step after step, what comes out is a motion of the method and not of the model.
"""

from __future__ import annotations

import numpy as np

from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.integrators.automatic import Spectrum, spectrum
from linkwork.numerics.integrators.base import Array, Method, RungeKutta
from linkwork.numerics.integrators.multistep import Multistep
from linkwork.numerics.integrators.radau import RADAU5
from linkwork.numerics.integrators.stability import stability_function

NEAR = 0.5  # of the longest stable step: steps that are longer are limited by stability
GROWN = 10.0  # times in a run: what a method may add to a motion that does not grow
SOLID = 1e-3  # |hλ| that matters
SPANS = np.geomspace(1e-6, 1.0, 1201)
DECAYING = 0.1  # −Re λ / |λ| of what decays


def stiffness(method: Method, flow: Flow, t: float, y: Array, h: float) -> str:
    """Why steps of an adaptive method are short at a state, if its stability is what limits them; else nothing."""
    values = _fast(method, flow, t, y, h)
    if not values.size or not np.any(_growth(method, h / NEAR * values) > 1.0 + SOLID):
        return ""
    return f"the model is stiff: {_limit(method, values)}; take '{RADAU5.name}', or name no integrator"


def instability(method: Method, flow: Flow, t: float, y: Array, h: float, count: int) -> str:
    """What is wrong with *count* steps of fixed size h from a state where they are longer than stability allows."""
    values = _fast(method, flow, t, y, h)
    if not values.size:
        return ""
    excess = np.log(np.maximum(_growth(method, h * values), 1e-300)) - h * np.maximum(values.real, 0.0)
    worst = int(np.argmax(excess))
    if count * excess[worst] < np.log(GROWN):
        return _lost(method, values, h, count)
    unstable = np.flatnonzero(_growth(method, h * SPANS * values[worst]) > 1.0 + SOLID)
    stable = h * float(SPANS[unstable[0]]) if unstable.size else 0.0
    shorter = f"a fixed_step below {stable:.2g} s, " if stable > 0.0 else ""
    return (
        f"the steps of {h:.3g} s are unstable: {_limit(method, values)}, and errors grow {np.exp(excess[worst]):.3g} times "
        f"in each step; take {shorter}'{RADAU5.name}' with this step, or no fixed_step"
    )


def _lost(method: Method, values: Spectrum, h: float, count: int) -> str:
    """What is wrong with *count* steps that are stable, and in which vibrations of the model die out."""
    swinging = values[-values.real < DECAYING * np.abs(values)]
    if not swinging.size:
        return ""
    kept = np.log(np.maximum(_growth(method, h * swinging), 1e-300)) - h * swinging.real
    worst = int(np.argmin(kept))
    if count * kept[worst] > -np.log(GROWN):
        return ""
    frequency = abs(swinging[worst]) / (2 * np.pi)
    return (
        f"the steps of {h:.3g} s do not follow vibrations of {frequency:.3g} Hz: '{method.name}' damps them to nothing, "
        f"{1 - np.exp(kept[worst]):.2g} of their size in each step; take a shorter fixed_step, or none"
    )


def _growth(method: Method, z: Spectrum) -> Array:
    """``|R(z)|``; of a method without a tableau 2 where z is long and decays, else 1."""
    if isinstance(method, (RungeKutta, Multistep)):
        return np.asarray(stability_function(method).growth(z), dtype=float)
    return np.where((np.abs(z) > 1.0) & (-z.real > DECAYING * np.abs(z)), 2.0, 1.0)


def _limit(method: Method, values: Spectrum) -> str:
    fastest = values[np.argmax(np.abs(values))]
    what = "vibrations" if -fastest.real < DECAYING * abs(fastest) else "motions that decay"
    return f"{what} within {1.0 / abs(fastest):.2g} s limit the steps of the explicit '{method.name}', not its accuracy"


def _fast(method: Method, flow: Flow, t: float, y: Array, h: float) -> Spectrum:
    """Eigenvalues at a state that matter in a step; none where the method is implicit or nothing is known."""
    if method.implicit or flow.own is not None or flow.solver is not None or not np.all(np.isfinite(y)):
        return np.zeros(0, dtype=complex)
    values = spectrum(flow, t, y)
    return values[h * np.abs(values) > SOLID]
