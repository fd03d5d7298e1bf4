"""``lw.formulations``: the equations of motion in each of their forms, and the scheme of reactions that has options."""

from linkwork.equations.formulations import *  # noqa: F403
from linkwork.equations.formulations import ALL_FORMULATIONS as ALL
from linkwork.equations.formulations import __all__ as _each
from linkwork.equations.reactions.penalty_estimate import PenaltyEstimate

__all__ = ["ALL", "PenaltyEstimate", *_each]
