"""Relations, one file per kind: conditions between bodies that are no joints."""

from linkwork.elements.relations.base import Condition, Formula, Place, Relation, Unknown
from linkwork.elements.relations.distance import Distance

__all__ = ["Condition", "Distance", "Formula", "Place", "Relation", "Unknown"]
