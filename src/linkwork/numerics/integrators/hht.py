"""The α-method of Hilber, Hughes and Taylor: forces of both ends of a step, and a damping that high frequencies feel.

    M a₊ = (1 + α) F₊ − α F,   γ = (1 − 2α)/2,   β = (1 − α)²/4,   −1/3 ≤ α ≤ 0

Second order, stable for every step; at hω → ∞ a step leaves (1 + α)/(1 − α) of a vibration, 1/2 at α = −1/3. Here with the
accelerations of the equations of motion in the place of forces, so that mass matrices may change and conditions hold at the
end of every step.
"""

from __future__ import annotations

from linkwork.numerics.integrators.structural import Structural, label, require

DEFAULT_ALPHA = -0.1


class HHT(Structural):
    """HHT-α with −1/3 ≤ α ≤ 0, α = 0 being the trapezoidal rule; fixed step."""

    def __init__(self, alpha: float = DEFAULT_ALPHA) -> None:
        require("HHT", "alpha", alpha, lambda a: -1 / 3 <= a <= 0, "between -1/3, most damping, and 0, none")
        super().__init__(
            name=label("hht", alpha=(alpha, DEFAULT_ALPHA)),
            title=f"Hilber-Hughes-Taylor, α = {alpha:.4g}",
            order=2,
            dense_order=2,
            stability="A-stable",
            source="H. M. Hilber, T. J. R. Hughes, R. L. Taylor, Earthquake Engng. Struct. Dyn. 5 (1977) 283-292; "
            "García de Jalón and Bayo, section 7.1.5",
            beta=(1 - alpha) ** 2 / 4,
            gamma=(1 - 2 * alpha) / 2,
            alpha_f=-alpha,
        )


HILBER_HUGHES_TAYLOR = HHT()
