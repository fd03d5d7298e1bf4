"""What a linear multistep method of fixed step is: data. One kernel runs them all (``kernels/stepping/multistep.py``).

Output between the steps comes from the point at the end and the k points before it: the polynomial whose slopes are the
rates there (Adams), or that goes through the states there (backward differences).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from linkwork.numerics.integrators.base import Array, Method, RungeKutta, as_numbers
from linkwork.numerics.integrators.dopri5 import DOPRI5
from linkwork.numerics.integrators.rk4 import RK4
from linkwork.numerics.kernels.stepping.multistep import StepHistory
from linkwork.numerics.kernels.stepping.run import Stepping

ROUNDING = 1e-9  # of the terms of an order condition
APART = 1e-6  # of roots that are 1: twofold ones are found no better


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Multistep(Method):
    """y₊ = y + h Σ_i w_i f_{n−i} + h β₀ f₊, or y₊ = y + Σ_i w_i y_{n−i} + h β₀ f₊ where states are kept, i = 0 ... k − 1.

    states_kept: whether the history is one of states, else of rates
    predictor: w of the prediction (k), with β₀ = 0
    corrector: w of the correction (k), empty where the prediction is all
    end_weight: β₀ of the correction
    corrections: of a predictor-corrector, each followed by an evaluation; 0: until they no longer change the state. None:
        the correction is solved for by Newton's method
    """

    memory: ClassVar[type[Stepping]] = StepHistory
    family: ClassVar[str] = "multistep"
    remembers: ClassVar[bool] = True
    adaptive = False

    predictor: Array
    corrector: Array
    end_weight: float = 0.0
    states_kept: bool = False
    corrections: int | None = 1

    def __post_init__(self) -> None:
        for key in ("predictor", "corrector"):
            object.__setattr__(self, key, as_numbers(getattr(self, key)))
        super().__post_init__()

    def faults(self) -> Iterator[str]:
        own = [*super().faults()]
        k = self.predictor.size
        for key, sizes in (("predictor", (k,)), ("corrector", (0, k))):
            given = getattr(self, key)
            if not k or given.ndim != 1 or given.size not in sizes or not np.all(np.isfinite(given)):
                own.append(f"{key} is {given.shape}; it has a finite number for each step of the history")
        if not np.isfinite(self.end_weight) or (self.end_weight and not self.corrector.size):
            own.append(f"end_weight is {self.end_weight!r}; it is a finite number, and that of a corrector")
        if self.corrections is not None and not (isinstance(self.corrections, int) and self.corrections >= 0):
            own.append(f"corrections is {self.corrections!r}; it is None, or a whole number from 0 on")
        yield from own or self._order_faults()

    def _order_faults(self) -> Iterator[str]:
        """Polynomials of degree p are followed exactly: y = xʲ from 0 to 1, with the history at 0, −1, −2, ..."""
        rows = {"predictor": (self.predictor, 0.0, self.order - bool(self.corrector.size))}
        if self.corrector.size:
            rows["corrector"] = self.corrector, self.end_weight, self.order
        for key, (weights, end, order) in rows.items():
            past, kept = -np.arange(weights.size, dtype=np.float64), self.states_kept
            for j in range(0 if kept else 1, order + 1):
                known = past**j if kept else j * past ** (j - 1)
                found = (kept and j == 0) + weights @ known + j * end
                if abs(found - 1.0) > ROUNDING * max(1.0, float(np.abs(weights) @ np.abs(known))):
                    yield f"its {key} is not of order {order}: x^{j} comes to {found:.6g} one step on, not to 1"
                    break
        last = self.corrector if self.corrector.size else self.predictor
        if self.states_kept and np.any(np.abs(np.roots([1.0, *(-np.eye(last.size)[0] - last)])) > 1.0 + APART):
            yield "it is not zero-stable: errors of its history grow from step to step however short they are"

    @property
    def steps(self) -> int:
        """k, the length of the history."""
        return len(self.predictor)

    @property
    def implicit(self) -> bool:
        return self.corrector.size > 0 and self.corrections is None

    @property
    def stiffly_accurate(self) -> bool:
        """Not of Adams-Moulton from order 3 on: the rates of algebraic unknowns, which nothing damps, would grow."""
        return self.implicit and (self.states_kept or self.order <= 2)

    @property
    def evaluations(self) -> str:
        if self.implicit:
            return "1 solved"
        if not self.corrector.size:
            return "1"
        return str(1 + self.corrections) if self.corrections else "until converged"

    @property
    def start(self) -> RungeKutta:
        """What takes the first k − 1 steps of an explicit method."""
        return starter(self.order)

    @property
    def rows(self) -> tuple[int, int]:
        return super().rows if self.implicit else self.start.rows

    @property
    def numbers(self) -> Mapping[str, float]:
        return {} if self.implicit else {"degree": self.start.numbers["degree"]}

    def coefficients(self) -> Mapping[str, Array]:
        return {} if self.implicit else self.start.coefficients()

    def own(self) -> Mapping[str, float | Array]:
        corrects = self.corrector.size and self.corrections is not None
        return {
            "steps": self.steps,
            "states_kept": int(self.states_kept),
            "implicit": int(self.implicit),
            "corrections": (self.corrections or -1) if corrects else 0,
            "end_weight": self.end_weight,
            "predictor": self.predictor,
            "corrector": self.corrector,
            "dense_table": dense(self.steps, self.states_kept),
        }


def starter(order: int) -> RungeKutta:
    """What takes the first steps of an explicit method of this order."""
    return RK4 if order < 5 else DOPRI5


def dense(k: int, states_kept: bool) -> Array:
    """P (k + 1, k + 1) of b_i(θ) = Σ_j P_ij θ^j, j = 1 ... k + 1, for the end, the start and k − 1 points before."""
    nodes = [Fraction(1 - i) for i in range(k + 1)]
    table = np.zeros((k + 1, k + 1))
    for i, node in enumerate(nodes):
        basis = [Fraction(1)]
        for other in nodes:
            if other != node:
                basis = _times(basis, -other / (node - other), 1 / (node - other))
        # states: less the one at the start, which the sum begins with; rates: their integrals
        table[i] = [*map(float, basis[1:]), 0.0] if states_kept else [float(b / (j + 1)) for j, b in enumerate(basis)]
    return table


def _times(polynomial: list[Fraction], constant: Fraction, slope: Fraction) -> list[Fraction]:
    low, high = [constant * a for a in polynomial], [slope * a for a in polynomial]
    return [a + b for a, b in zip([*low, Fraction(0)], [Fraction(0), *high], strict=True)]
