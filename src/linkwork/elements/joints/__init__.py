"""Joints, one file per kind. Adding one is a new file and a line in ``ALL_JOINTS``."""

from linkwork.elements.joints.base import Directions, Follower, Freedom, JointKind, JointNumber, Measure
from linkwork.elements.joints.constant_velocity import ConstantVelocity
from linkwork.elements.joints.cylindrical import Cylindrical
from linkwork.elements.joints.fixed import Fixed
from linkwork.elements.joints.free import Free
from linkwork.elements.joints.helical import Helical
from linkwork.elements.joints.parallel import Parallel
from linkwork.elements.joints.planar import Planar
from linkwork.elements.joints.point_on_line import PointOnLine
from linkwork.elements.joints.point_on_plane import PointOnPlane
from linkwork.elements.joints.prismatic import Prismatic
from linkwork.elements.joints.revolute import Revolute
from linkwork.elements.joints.spherical import Spherical
from linkwork.elements.joints.universal import Universal

ALL_JOINTS: tuple[JointKind, ...] = (
    Revolute(), Prismatic(), Fixed(), Spherical(), Universal(), ConstantVelocity(), Cylindrical(), Helical(), Planar(),
    PointOnLine(), PointOnPlane(), Parallel(),
)  # fmt: skip
FREE = Free()

_BY_NAME = {kind.name: kind for kind in (*ALL_JOINTS, FREE)}


def joint_kind(name: str) -> JointKind:
    """Return the joint kind called *name*."""
    return _BY_NAME[name]


def add_joint(kind: JointKind) -> None:
    """One more kind of joint."""
    _BY_NAME[kind.name] = kind


__all__ = [
    "ALL_JOINTS",
    "FREE",
    "Directions",
    "Follower",
    "Freedom",
    "JointKind",
    "JointNumber",
    "Measure",
    "add_joint",
    "joint_kind",
]
