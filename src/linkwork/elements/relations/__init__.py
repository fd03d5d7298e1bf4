"""Relations, one file per kind: conditions between bodies that are no joints."""

from linkwork.elements.relations.base import Bound, Condition, Formula, Hinge, Place, Relation, Unknown
from linkwork.elements.relations.cable import Cable, Drum, Stop
from linkwork.elements.relations.cam import Cam, FlatCam, RollerCam
from linkwork.elements.relations.curve import OnCurve
from linkwork.elements.relations.distance import Distance
from linkwork.elements.relations.guidance import Guidance
from linkwork.elements.relations.knife_edge import KnifeEdge
from linkwork.elements.relations.line_distance import LineDistance
from linkwork.elements.relations.rolling import Rolling
from linkwork.elements.relations.track import Track

__all__ = [
    "Bound",
    "Cable",
    "Cam",
    "Condition",
    "Distance",
    "Drum",
    "FlatCam",
    "Formula",
    "Guidance",
    "Hinge",
    "KnifeEdge",
    "LineDistance",
    "OnCurve",
    "Place",
    "Relation",
    "RollerCam",
    "Rolling",
    "Stop",
    "Track",
    "Unknown",
]
