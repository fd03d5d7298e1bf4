"""What a method of structural dynamics is: five numbers. One kernel runs them all (``kernels/stepping/structural.py``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkwork.errors import RefusedError
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.structural import ALL, CarriedAlong


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Structural(Method):
    """Newmark's interpolation with β and γ over θ h, and accelerations weighted with α_m and α_f.

    Of second order where γ = 1/2 − α_m + α_f; steps follow the error only where the method says so.
    """

    memory: ClassVar[type[Stepping]] = CarriedAlong
    family: ClassVar[str] = "structural"
    carries: ClassVar[bool] = True
    implicit = True

    beta: float
    gamma: float
    alpha_m: float = 0.0
    alpha_f: float = 0.0
    theta: float = 1.0
    estimates: bool = False

    @property
    def adaptive(self) -> bool:
        return self.estimates

    @property
    def stiffly_accurate(self) -> bool:
        # conditions are springs without end, which nothing but stability for every step copes with
        return self.theta == 1.0 and self.stability != "conditionally stable"

    @property
    def evaluations(self) -> str:
        return "1 solved" if self.theta == 1.0 else "1 solved, 1"

    @property
    def estimate(self) -> str:
        return "changes of the accelerations" if self.estimates else super().estimate

    def own(self) -> Mapping[str, float | Array]:
        lag = self.alpha_m - self.alpha_f
        return {
            "fresh": ALL,
            "newmark_beta": self.beta,
            "newmark_gamma": self.gamma,
            "alpha_m": self.alpha_m,
            "alpha_f": self.alpha_f,
            "theta": self.theta,
            "position_error": 1 / 6 - self.beta - lag / 2,
            "velocity_error": -1 / 12 + lag * (1 / 2 - self.alpha_f),
        }

    def amplification(self, step: float, damping: float = 0.0) -> Array:
        """What a step makes of x, h ẋ and h² a (3 × 3) on ẍ + 2ξω ẋ + ω² x = 0, with step = ωh and damping = ξ.

        a is the acceleration that the method carries along.
        """
        x, v, a = np.eye(3)
        span, m, f, part = self.theta, self.alpha_m, self.alpha_f, self.beta / self.gamma
        stiffness, damper = step**2, 2.0 * damping * step
        tau_q, tau = span * part, span * self.gamma * (1 - f) / (1 - m)
        rate = -stiffness * x - damper * v
        x_hat = x + span * (1 - part) * v + span**2 * (1 / 2 - part) * a
        v_hat = v + span * ((1 - self.gamma) * a + self.gamma / (1 - m) * (f * rate - m * a))
        v_end = (v_hat - tau * stiffness * x_hat) / (1 + tau * damper + tau * tau_q * stiffness)
        rate_end = (v_end - v_hat) / tau
        a_end = ((1 - f) * rate_end + f * rate - m * a) / (1 - m)
        if self.theta == 1.0:
            # not x_hat + tau_q v_end, of which little is left after very long steps
            return np.array([-(rate_end + damper * v_end) / stiffness, v_end, a_end])
        a_new = a + (a_end - a) / self.theta
        x_new = x + v + (1 / 2 - self.beta) * a + self.beta * a_new
        return np.array([x_new, v + (1 - self.gamma) * a + self.gamma * a_new, a_new])


def require(method: str, name: str, value: float, fits: Callable[[float], bool], valid: str) -> None:
    """Refuse a parameter of a method that is out of its range."""
    if not fits(value):
        raise RefusedError(f"{method}: {name} = {value:g}; it must be {valid}")


def label(name: str, **parameters: tuple[float, float]) -> str:
    """Name of a method, with those of its parameters that are not at their default: (value, default) each."""
    given = [f"{key}={value:.6g}" for key, (value, default) in parameters.items() if value != default]
    return f"{name}({', '.join(given)})" if given else name
