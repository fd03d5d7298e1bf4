"""Methods of collocation: Newmark's interpolation over θ h, the equations of motion at its end, back to the end of the step.

    a_θ = (1 − θ) a + θ a₊,   γ = 1/2,   θ/(2(θ + 1)) ≥ β ≥ (2θ² − 1)/(4(2θ³ − 1)),   θ ≥ 1

Within these limits second order and stable for every step. θ = 1 is Newmark's method, β = 1/6 that of Wilson. They damp high
frequencies, but in the first steps from an initial displacement such a vibration overshoots, the more the longer the step:
GeneralisedAlpha and HHT do less of it. The equations hold at t + θ h, so that conditions of mechanisms do not hold at
the ends of the steps: for formulations that give derivatives.
"""

from __future__ import annotations

import math

from linkwork.numerics.integrators.structural import Structural, label, require

DEFAULT_THETA, DEFAULT_BETA, DEFAULT_WILSON = 1.25, 0.19, 1.4
LEAST_WILSON = (1 + math.sqrt(3)) / 2


class Collocation(Structural):
    """Collocation with θ ≥ 1 and β in the limits of stability for every step; fixed step."""

    def __init__(self, theta: float = DEFAULT_THETA, beta: float = DEFAULT_BETA) -> None:
        require("Collocation", "theta", theta, lambda x: 1 <= x < math.inf, "at least 1")
        least, most = (2 * theta**2 - 1) / (4 * (2 * theta**3 - 1)), theta / (2 * (theta + 1))
        valid = f"between {least:.4g} and {most:.4g} for theta = {theta:g}"
        require("Collocation", "beta", beta, lambda b: least * (1 - 1e-9) <= b <= most * (1 + 1e-9), valid)
        super().__init__(
            name=label("collocation", theta=(theta, DEFAULT_THETA), beta=(beta, DEFAULT_BETA)),
            title=f"collocation, θ = {theta:.4g}, β = {beta:.4g}",
            order=2,
            dense_order=2,
            stability="A-stable",
            source="H. M. Hilber, T. J. R. Hughes, Earthquake Engng. Struct. Dyn. 6 (1978) 99-117; "
            "García de Jalón and Bayo, section 7.1.5",
            beta=beta,
            gamma=1 / 2,
            theta=theta,
        )


class WilsonTheta(Structural):
    """Wilson's method, a linear acceleration over θ h, with θ ≥ (1 + √3)/2; fixed step."""

    def __init__(self, theta: float = DEFAULT_WILSON) -> None:
        valid = "at least (1 + √3)/2 = 1.366, under which it is not stable for every step"
        require("WilsonTheta", "theta", theta, lambda x: LEAST_WILSON <= x < math.inf, valid)
        super().__init__(
            name=label("wilson_theta", theta=(theta, DEFAULT_WILSON)),
            title=f"Wilson-θ, θ = {theta:.4g}",
            order=2,
            dense_order=2,
            stability="A-stable",
            source="E. L. Wilson, I. Farhoomand, K. J. Bathe, Earthquake Engng. Struct. Dyn. 1 (1973) 241-252; "
            "García de Jalón and Bayo, section 7.1.5",
            beta=1 / 6,
            gamma=1 / 2,
            theta=theta,
        )


COLLOCATION = Collocation()
WILSON_THETA = WilsonTheta()
