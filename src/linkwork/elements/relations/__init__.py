"""Relations, one file per kind: conditions between bodies that are no joints."""

from linkwork.elements.relations.base import Formula, Hinge, Place, Relation
from linkwork.elements.relations.cable import CableRelation, Stop, WoundDrum
from linkwork.elements.relations.cam import CamRelation, FlatCam, RollerCam
from linkwork.elements.relations.curve import OnCurve
from linkwork.elements.relations.distance import DistanceRelation
from linkwork.elements.relations.guidance import Guidance
from linkwork.elements.relations.knife_edge import KnifeEdgeRelation
from linkwork.elements.relations.line_distance import LineDistanceRelation
from linkwork.elements.relations.rolling import RollingRelation
from linkwork.elements.relations.track import TrackRelation

__all__ = [
    "CableRelation",
    "CamRelation",
    "DistanceRelation",
    "FlatCam",
    "Formula",
    "Guidance",
    "Hinge",
    "KnifeEdgeRelation",
    "LineDistanceRelation",
    "OnCurve",
    "Place",
    "Relation",
    "RollerCam",
    "RollingRelation",
    "Stop",
    "TrackRelation",
    "WoundDrum",
]
