"""``frequency_response``: what outputs of a mechanism do while its inputs swing, about one of its states."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from linkwork.algebra.given import Parameters, Scalar
from linkwork.analysis.vibration.linearise import linearise
from linkwork.analysis.walk.subject import Noun
from linkwork.arguments import verb
from linkwork.coordinates.numbering import KindChoice
from linkwork.errors import RefusedError
from linkwork.results.frequency_response import FrequencyResponse
from linkwork.results.linearisation import Linearisation


@verb
def frequency_response(
    model: Noun | Linearisation,
    time: Scalar | None = None,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    omega: ArrayLike | None = None,
    between: tuple[float, float] | None = None,
    coordinates: KindChoice | None = None,
    parameters: Parameters | None = None,
) -> FrequencyResponse:
    """Find how outputs swing when inputs do, about the assembled state with its initial speeds, an equilibrium, or a run.

    inputs: live parameters, or joint coordinates with '.effort' behind them: a force or torque along them
    outputs: named quantities; see ``linearise``, whose answer is taken as well
    omega: angular frequencies, rad/s; by default chosen so that every mode shows, or *between* two of them
    It means something about an equilibrium or a steady motion; elsewhere it holds for a moment.
    """
    if isinstance(model, Linearisation):
        if time is not None or inputs or outputs or parameters:
            raise RefusedError(
                "a linearisation has its inputs, outputs, time and parameters already: give them to linearise"
            )
        return model.frequency_response(omega, between=between)
    linear = linearise(model, time, inputs=inputs, outputs=outputs, coordinates=coordinates, parameters=parameters)
    return linear.frequency_response(omega, between=between)
