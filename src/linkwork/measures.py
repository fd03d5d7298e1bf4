"""``lw.measures``: measures of a position or of a motion, and how well coordinates and cuts suit it."""

from linkwork.analysis.position.ellipsoids import acceleration_ellipsoid, force_ellipsoid, velocity_ellipsoid
from linkwork.analysis.position.equivalent_linkage import equivalent_linkage
from linkwork.analysis.position.ranking import rank_along, rank_coordinates, rank_cuts
from linkwork.analysis.statics.friction_at_rest import friction_at_rest
from linkwork.results.measures import (
    centrodes,
    instant_centre,
    mechanical_advantage,
    path_curvature,
    transmission_angle,
)
from linkwork.results.point_paths import point_path

__all__ = sorted(name for name in globals() if not name.startswith("_"))
