"""What runs by time stepping do not take, by name."""

from __future__ import annotations

from collections.abc import Mapping

from linkwork.coordinates.coming import Connected, OneSided
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.rubbing import joint_of
from linkwork.elements.shapes.touchables import ContactPair
from linkwork.errors import RefusedError
from linkwork.numerics.timestepping.method import MoreauJean

NAME = MoreauJean.name
OTHERWISE = "leave the integrator out: runs that locate events take it"


def require_settings(step: float | None, given: Mapping[str, object]) -> float:
    """The step (s), which there must be. Refuse what such a run cannot heed; given: what was asked for beside it."""
    if step is None:
        raise RefusedError(
            f"the integrator '{NAME}' needs a step size: give fixed_step, such as '1 ms' (step is the spacing of the output)"
        )
    if not 0.0 < step < float("inf"):
        raise RefusedError(f"fixed_step = {step}: a step must be positive, such as '1 ms'")
    for key, value in given.items():
        if value is not None and value != {}:
            raise RefusedError(f"the integrator '{NAME}' takes no {key}: leave it out, or take another integrator")
    return step


def require_no_switches(c: Coordinates) -> None:
    """Refuse what closes and opens by switches."""
    for item in c.connections.values():
        raise RefusedError(f"'{item.name}' closes and opens by switches, which '{NAME}' does not heed; {OTHERWISE}")


def require_steps(c: Coordinates, otherwise: str = OTHERWISE) -> None:
    """Refuse what a mechanism has that is not stepped, and say what to do otherwise."""
    for name in c.strikes:
        raise RefusedError(f"the impulse '{name}' strikes at a time, which '{NAME}' does not locate; {otherwise}")
    for name, (_, law) in c.geometry.clearings.items():
        if law.compliance is None:
            raise RefusedError(f"joint '{name}' rubs in its clearance, which '{NAME}' does not know; {otherwise}")
    for grip in c.grips.values():
        raise RefusedError(
            f"friction of joint '{joint_of(grip.name)}' holds by itself, and '{NAME}' knows that of contacts alone: give it "
            f"a smoothing; or {otherwise}"
        )
    for other in c.limits:
        if not isinstance(other, OneSided | Connected):
            raise RefusedError(
                f"'{other.name}' holds at times, and '{NAME}' knows limits and contacts alone; {otherwise}"
            )
    for number, limit in c.one_sided.items():
        if len(c.coming[number]) > 1:
            raise RefusedError(
                f"'{limit.name}' holds velocities too while it holds, which '{NAME}' does not know; {otherwise}"
            )
    for name, bound in c.bounds:
        raise RefusedError(f"{c.told(name)} may come to {bound.end}, where '{NAME}' does not stop; {otherwise}")
    if c.kinematics.reframe is not None:
        raise RefusedError(f"'{NAME}' does not change charts: take coordinates other than '{c.kind}'")
    for pair in c.geometry.touchables.pairs:
        _require_contact(c, pair, otherwise)


def _require_contact(c: Coordinates, pair: ContactPair, otherwise: str) -> None:
    law, ends = pair.law, c.geometry.touchables.ends(pair)
    wrong = {
        "gives way (stiffness)": law.compliance is not None,
        "has a smoothing": law.smoothing is not None,
        "resists rolling or spinning": law.resists_turning,
        "has an arc": any(end.word == "arc" for end in ends),
    }
    if any(end.word == "curve" for end in ends):
        told = f"contact '{pair.contact}' has a curve, which no run follows yet"
        raise RefusedError(f"{told}; take arcs, balls or polygons along the curve")
    for what, found in wrong.items():
        if found:
            raise RefusedError(f"contact '{pair.contact}' {what}, which '{NAME}' does not know; {otherwise}")
