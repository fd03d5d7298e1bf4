"""``equivalent_linkage(model, relation, point)``: rods that hold a wheel for an instant as its track does.

A wheel that rolls moves as the coupler of a four-bar O'OAA' at this position: its centre O and a point A of it keep their
distances from the centres of curvature O' and A' of their paths over the track, up to accelerations. O' is that of the
track at the contact P, and A' lies on the line PA by the equation of Euler and Savary

    (1/PA + 1/PA') sin ψ = 1/PO + 1/PO',

where ψ is the angle of PA from the tangent, and distances to the primed points count across P from the others. A wheel that
slides has the rod OO' alone. With A in line with P and O the two rods are in line, and do not determine the motion.
Source: García de Jalón and Bayo, section 3.6.2, (3.58) to (3.60).
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.algebra.given import Parameters
from linkwork.analysis.walk.subject import Noun, topology_of
from linkwork.arrays import Array
from linkwork.elements.relations.track import TrackRelation
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.model.relations import Track as TrackElement
from linkwork.position.geometry import GROUND, Pose
from linkwork.results.equivalent_linkage import EquivalentLinkage, InstantRod
from linkwork.topology import Topology

STRAIGHT = 1e-9  # curvature in units of 1/radius below which a path counts as straight


def equivalent_linkage(
    model: Noun, relation: str, point: str, *, parameters: Parameters | None = None
) -> EquivalentLinkage:
    """Find the rods that replace a relation of kind track at the assembled position; *point* is one of the wheel.

    parameters: values of live parameters
    """
    topology = topology_of(model, "equivalent_linkage", parameters)
    declared, held = topology.model.relations.get(relation), topology.geometry.relations.get(relation)
    if not isinstance(declared, TrackElement) or not isinstance(held, TrackRelation):
        tracks = [name for name, item in topology.model.relations.items() if isinstance(item, TrackElement)]
        raise UnknownNameError(f"there is no track '{relation}'; {did_you_mean(relation, tracks)}".rstrip("; "))
    body, name = topology.model.locate(point)
    if body != held.centre.body:
        raise RefusedError(f"'{point}' is on '{body}'; name a point of the wheel '{held.centre.body}'")
    poses, number = topology.assembly.poses, topology.geometry.number
    track, wheel = (_pose(topology, name) for name in held.bodies)
    u = ca.SX(float(poses[relation].origin[0]))
    contact = track.point(_flat(number(held.origin.local)) + _flat(number(held.curve.point(u))))
    centre = wheel.point(_flat(number(held.centre.local)))
    radius = float(np.linalg.norm(centre - contact))
    away = (centre - contact) / radius
    bend = held.side * float(number(held.curve.curvature(u)))
    rods = [
        InstantRod(".".join(topology.model.locate(declared.centre)), centre, _across(contact, away, -bend, 1 / radius))
    ]
    if not held.slides:
        place = wheel.point(_flat(number(topology.local_point(body, name))))
        rods.append(InstantRod(f"{body}.{name}", place, _centre_of_curvature(contact, centre, place, bend)))
    return EquivalentLinkage(topology, relation, held.origin.body, contact, tuple(rods))


def _centre_of_curvature(pole: Array, centre: Array, place: Array, bend: float) -> Array | None:
    """A' of a point A from the pole P, the centre O and the curvature of the track towards it, −1/PO'."""
    radius, reach = float(np.linalg.norm(centre - pole)), float(np.linalg.norm(place - pole))
    if reach < STRAIGHT * radius:
        raise RefusedError("the point is at the contact, where its path has a cusp: name another point of the wheel")
    if float(np.linalg.norm(place - centre)) < STRAIGHT * radius:
        raise RefusedError("the point is the centre of the wheel, which has a rod anyway: name another point of it")
    ray = (place - pole) / reach
    sine = float(ray @ (centre - pole)) / radius
    if abs(sine) < STRAIGHT:
        return pole
    return _across(pole, ray, (1 / radius - bend) / sine - 1 / reach, 1 / radius)


def _across(pole: Array, ray: Array, inverse: float, size: float) -> Array | None:
    """The place at the distance 1/*inverse* from the pole, across it from where the ray goes."""
    return None if abs(inverse) < STRAIGHT * size else pole - ray / inverse


def _pose(topology: Topology, body: str) -> Pose:
    d = topology.geometry.space.dimension
    return Pose(np.zeros(d), np.eye(d)) if body == GROUND else topology.assembly.poses[body]


def _flat(value: Array) -> Array:
    return np.atleast_1d(value)
