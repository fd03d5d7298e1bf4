"""The generalised-α method of Chung and Hulbert: the least damping of low frequencies for a given one of the highest.

    (1 − α_m) a₊ + α_m a = (1 − α_f) v̇₊ + α_f v̇
    α_m = (2ρ − 1)/(ρ + 1),   α_f = ρ/(ρ + 1),   γ = 1/2 − α_m + α_f,   β = (1 − α_m + α_f)²/4

ρ is what one step leaves of a vibration at hω → ∞: 1 keeps all, 0 kills it in one step. The form with accelerations v̇ of the
equations of motion, which also holds for conditions of index 3, is that of Arnold and Brüls. On the group of rotations the
positions of a step are rotation vectors from its start, as in the method of Brüls, Cardona and Arnold; theirs leaves out
the terms of third order in the step that dexp⁻¹ has.
"""

from __future__ import annotations

from linkwork.numerics.integrators.structural import Structural, label, require

DEFAULT_RHO = 0.8
LIE_SOURCE = "O. Brüls, A. Cardona, M. Arnold, Mechanism and Machine Theory 48 (2012) 121-137; "


class GeneralisedAlpha(Structural):
    """Generalised-α with 0 ≤ ρ ≤ 1; estimates its error, so that steps may follow it. *lie*: on the group of rotations."""

    def __init__(self, rho: float = DEFAULT_RHO, lie: bool = False) -> None:
        require("GeneralisedAlpha", "rho", rho, lambda r: 0 <= r <= 1, "between 0, most damping, and 1, none")
        alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        super().__init__(
            name=label("lie_" * lie + "generalised_alpha", rho=(rho, DEFAULT_RHO)),
            title=f"generalised-α, ρ = {rho:.4g}" + ", a Lie-group method" * lie,
            order=2,
            dense_order=2,
            stability="L-stable" if rho == 0 else "A-stable",
            source="J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993) 371-375; "
            + LIE_SOURCE * lie
            + "M. Arnold, O. Brüls, Multibody Syst. Dyn. 18 (2007) 185-202",
            orientation="exponential" * lie,
            exponents=(1 / 3 - 0.75 * 0.04, 0.04),
            beta=(1 - alpha_m + alpha_f) ** 2 / 4,
            gamma=1 / 2 - alpha_m + alpha_f,
            alpha_m=alpha_m,
            alpha_f=alpha_f,
            estimates=True,
        )


GENERALISED_ALPHA = GeneralisedAlpha()
LIE_GENERALISED_ALPHA = GeneralisedAlpha(lie=True)
