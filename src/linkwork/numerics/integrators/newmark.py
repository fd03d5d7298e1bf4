"""Newmark's family: positions and velocities by a parabola of the acceleration, with two free numbers.

    v₊ = v + h [(1 − γ) a + γ a₊],   q₊ = q + h v + h²/2 [(1 − 2β) a + 2β a₊]

Stable for every step where 2β ≥ γ ≥ 1/2. β = 1/4, γ = 1/2 takes the average of both accelerations, which is the trapezoidal
rule; β = 1/6, γ = 1/2 a linear acceleration, stable up to hω = 2√3. γ > 1/2 damps at the price of one order.
"""

from __future__ import annotations

from linkwork.numerics.integrators.structural import Structural, label, require

NEWMARK_SOURCE = (
    "N. M. Newmark, J. Engng. Mech. Div. ASCE 85 (1959) EM3, 67-94; García de Jalón and Bayo, eqs. 7.29 to 7.36"
)


class Newmark(Structural):
    """Newmark's method with 0 < β ≤ 1 and 1/2 ≤ γ ≤ 1; fixed step."""

    def __init__(self, beta: float = 1 / 4, gamma: float = 1 / 2) -> None:
        require("Newmark", "beta", beta, lambda b: 0 < b <= 1, "above 0 and at most 1")
        require("Newmark", "gamma", gamma, lambda g: 1 / 2 <= g <= 1, "between 1/2, without damping, and 1")
        kinds = {(1 / 4, 1 / 2): ", average acceleration", (1 / 6, 1 / 2): ", linear acceleration"}
        order = 2 if gamma == 1 / 2 else 1
        super().__init__(
            name="linear_acceleration"
            if (beta, gamma) == (1 / 6, 1 / 2)
            else label("newmark", beta=(beta, 1 / 4), gamma=(gamma, 1 / 2)),
            title=f"Newmark{kinds.get((beta, gamma), f', β = {beta:.4g}, γ = {gamma:.4g}')}",
            order=order,
            dense_order=order,
            stability="A-stable" if 2 * beta >= gamma else "conditionally stable",
            source=NEWMARK_SOURCE,
            beta=beta,
            gamma=gamma,
        )


NEWMARK = Newmark()
LINEAR_ACCELERATION = Newmark(beta=1 / 6)
