"""Declarations of relations, one file per kind. Adding one is a new file and a line in ``ALL_RELATIONS``."""

from linkwork.model.relations.base import RelationElement
from linkwork.model.relations.cable import Cable
from linkwork.model.relations.cam import Cam
from linkwork.model.relations.connection import Connection
from linkwork.model.relations.curve import Curve
from linkwork.model.relations.distance import Distance
from linkwork.model.relations.knife_edge import KnifeEdge
from linkwork.model.relations.line_distance import LineDistance
from linkwork.model.relations.rolling import Rolling
from linkwork.model.relations.rope import Rope
from linkwork.model.relations.track import Track

ALL_RELATIONS: tuple[type[RelationElement], ...] = (
    Distance,
    LineDistance,
    Curve,
    Cam,
    Cable,
    Rope,
    KnifeEdge,
    Rolling,
    Track,
    Connection,
)
RELATION_KINDS: dict[str, type[RelationElement]] = {cls.model_fields["kind"].default: cls for cls in ALL_RELATIONS}

__all__ = [
    "ALL_RELATIONS",
    "RELATION_KINDS",
    "Cable",
    "Cam",
    "Connection",
    "Curve",
    "Distance",
    "KnifeEdge",
    "LineDistance",
    "RelationElement",
    "Rolling",
    "Rope",
    "Track",
]
