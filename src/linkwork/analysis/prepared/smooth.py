"""What cannot follow impulses at times, by name."""

from __future__ import annotations

from linkwork.errors import RefusedError
from linkwork.model import Model
from linkwork.model.forces import Impulse

UNSTRUCK = ("inverse_dynamics", "realtime", "floquet")
"""Verbs along whose motions nothing strikes."""


def require_smooth(model: Model, verb: str) -> None:
    """Refuse impulses that are given, where nothing strikes."""
    names = [f"'{name}'" for name, force in model.forces.items() if isinstance(force, Impulse)]
    if names and verb in UNSTRUCK:
        raise RefusedError(
            f"{verb} does not take impulses that are given at a time: {', '.join(names)}; simulate does, elsewhere leave "
            "them out"
        )


def require_no_flanks(model: Model, verb: str) -> None:
    """Refuse teeth with rigid flanks, and rigid parts that rub in their clearance, where no run says which of them touch."""
    rigid = [name for name, item in model.couplings.items() if item.play is not None and item.play.stiffness is None]
    if rigid:
        listed = ", ".join(f"'{name}'" for name in rigid)
        raise RefusedError(
            f"{verb} does not take teeth whose flanks come and go: {listed}; simulate does; leave the backlash out where it "
            "does not count, or give its flanks a stiffness"
        )
    loose = {name: joint.clearance for name, joint in model.joints.items() if joint.clearance is not None}
    rubbing = [name for name, item in loose.items() if item.touches and item.stiffness is None]
    if rubbing:
        listed = ", ".join(f"'{name}'" for name in rubbing)
        raise RefusedError(
            f"{verb} does not take clearances whose parts come and go: {listed}; simulate does; leave the clearance out "
            "where it does not count, or give its parts a stiffness"
        )
