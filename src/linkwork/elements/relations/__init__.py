"""Relations, one file per kind: conditions between bodies that are no joints."""

from linkwork.elements.relations.base import Condition, Formula, Place, Relation, Unknown
from linkwork.elements.relations.distance import Distance
from linkwork.elements.relations.line_distance import LineDistance

__all__ = ["Condition", "Distance", "Formula", "LineDistance", "Place", "Relation", "Unknown"]
