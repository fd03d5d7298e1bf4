"""Labels of constraint rows. Reports on redundancy, singularities and stops are written from them."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.elements.contribution import Condition
from linkwork.elements.relations.base import Relation


def relation_label(relation: Relation) -> str:
    """The kind of the rows of a relation between bodies."""
    return "driver" if relation.driving else "relation"


def condition_label(name: str, relation: Relation, condition: Condition) -> RowLabel:
    """The label of a condition of a relation between bodies."""
    return RowLabel(name, condition.component, relation_label(relation), condition.level, condition.switched)


@dataclass(frozen=True)
class RowLabel:
    """Where a constraint row comes from.

    ``kind``: 'joint', 'body' (rigidity), 'normalisation', 'definition' (of a relative variable), 'driver', 'coupling',
    'relation' or 'stop' (of a joint coordinate).
    ``level``: 'position' or 'velocity' (a condition on velocities that is nobody's derivative). Rows of
    one named ``group`` can be switched together.
    """

    element: str
    component: str
    kind: str = "joint"
    level: str = "position"
    group: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.element}: {self.component}" + (" (velocity)" if self.level == "velocity" else "")
