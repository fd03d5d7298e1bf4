"""``modes``: frequencies, damping and shapes of the small motions of a mechanism about a state."""

from __future__ import annotations

from collections.abc import Sequence

from linkwork.algebra.given import Parameters, Scalar
from linkwork.analysis.vibration.linearise import linearise
from linkwork.analysis.walk.subject import Noun
from linkwork.arguments import verb
from linkwork.coordinates.numbering import KindChoice
from linkwork.equations.formulations.penalty import Penalty
from linkwork.errors import RefusedError
from linkwork.results.linearisation import Linearisation
from linkwork.results.vibration_modes import VibrationModes


@verb
def modes(
    model: Noun | Linearisation,
    time: Scalar | None = None,
    *,
    states: Sequence[str] = (),
    coordinates: KindChoice | None = None,
    parameters: Parameters | None = None,
    holds: Sequence[str] | None = None,
    method: str = "independent",
    penalty: Penalty | None = None,
) -> VibrationModes:
    """Find the modes of a mechanism about its assembled state with its initial speeds, an equilibrium, or a run at a time.

    states: named quantities in which shapes are given; see ``linearise``, whose answer is taken as well.
    holds: what holds of stops, ropes and joints that stick
    method, penalty: as there; frequencies and damping are the same, shapes are given in all components of the state.
    Modes mean something about an equilibrium or a steady motion; elsewhere they hold for a moment.
    """
    if isinstance(model, Linearisation):
        if time is not None or states or parameters or holds is not None or penalty is not None:
            raise RefusedError(
                "a linearisation has its states, time, parameters and method already: give them to linearise"
            )
        return VibrationModes(model)
    return VibrationModes(
        linearise(
            model,
            time,
            states=states,
            coordinates=coordinates,
            parameters=parameters,
            holds=holds,
            method=method,
            penalty=penalty,
        )
    )
