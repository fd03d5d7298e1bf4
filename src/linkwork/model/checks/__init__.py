"""Checks of a whole description; each yields all faults that it finds."""

from collections.abc import Callable, Iterator

from linkwork.algebra.expressions import known_units
from linkwork.errors import TOLD, Fault
from linkwork.model.checks import (
    bodies,
    branches,
    contacts,
    couplings,
    drivers,
    forces,
    formulas,
    groups,
    initial,
    joint_limits,
    joints,
    magnitudes,
    names,
    parts,
    relations,
    sizes,
    start,
    switches,
)
from linkwork.model.reading import DraftModel

ALL_CHECKS: tuple[Callable[[DraftModel], Iterator[Fault]], ...] = (
    names.faults,
    sizes.faults,
    formulas.faults,
    magnitudes.faults,
    bodies.faults,
    parts.faults,
    joints.faults,
    joint_limits.faults,
    couplings.faults,
    relations.faults,
    contacts.faults,
    switches.faults,
    drivers.faults,
    forces.faults,
    initial.faults,
    start.faults,
    branches.faults,
    groups.faults,
)


CHECKS_OF_VALUES: tuple[Callable[[DraftModel], Iterator[Fault]], ...] = (
    magnitudes.faults,
    bodies.faults,
    parts.faults,
    joints.faults,
    joint_limits.faults,
    couplings.faults,
    relations.faults,
    contacts.faults,
    switches.faults,
    drivers.faults,
    forces.faults,
)
"""Those that ask for numbers which may be others later; where it begins is told by whoever puts it together."""


def faults_of_values(draft: DraftModel) -> list[Fault]:
    """The faults of numbers in a description that is sound otherwise."""
    with known_units(draft.units):
        return list(dict.fromkeys(fault for check in CHECKS_OF_VALUES for fault in check(draft)))


def all_faults(draft: DraftModel) -> list[Fault]:
    """The faults of reading and of every check, each once; not all of very many."""
    found = dict.fromkeys(draft.faults)
    with known_units(draft.units):
        for fault in (fault for check in ALL_CHECKS if not draft.is_hopeless for fault in check(draft)):
            found[fault] = None
            if len(found) >= TOLD:
                break
    return list(found)
