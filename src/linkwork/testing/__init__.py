"""The checks that Linkwork runs over its own kinds, for kinds from outside: ``from linkwork import testing``.

Each takes a kind, or a model that has it, and raises an AssertionError that says what does not hold.
"""

from linkwork.testing.coordinates import check_coordinates
from linkwork.testing.elements import check_elements
from linkwork.testing.files import check_format, check_saved
from linkwork.testing.formulations import check_formulation
from linkwork.testing.integrators import check_integrator
from linkwork.testing.joints import check_joint

__all__ = [
    "check_coordinates",
    "check_elements",
    "check_format",
    "check_formulation",
    "check_integrator",
    "check_joint",
    "check_saved",
]
