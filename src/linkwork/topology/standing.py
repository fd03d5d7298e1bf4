"""A model that begins in given poses of all its bodies: what its ``start``, ``initial`` and ``branches`` say then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from linkwork.algebra.rotations import matrix_to_quaternion
from linkwork.model import Model
from linkwork.position.geometry import Array, Pose
from linkwork.position.poses import Poses
from linkwork.topology.topology import Topology

AXES = ("x", "y", "z")


def coordinates_at(topology: Topology, poses: Poses, p: Array) -> dict[str, float]:
    """Coordinates of all joints in given poses by name, rad and m; angles within half a turn, screws as they are."""
    c = topology.conditions
    values = c.readings_at(poses, p)
    return {
        f"{reading.element}.{reading.name}": c.told(reading, value, p)
        for reading, value in zip(c.readings, values, strict=True)
        if reading.element in topology.model.joints and not reading.rate_only
    }


def standing_model(topology: Topology, poses: Poses, p: Array) -> Model:
    """The model whose assembly begins in these poses, with the values of its live parameters and ``initial`` as they are."""
    model, c = topology.model, topology.conditions
    values = c.readings_at(poses, p)
    found = {(r.element, r.name): float(value) for r, value in zip(c.readings, values, strict=True) if not r.rate_only}
    initial = {name: _moved(given, name, found) for name, given in model.initial.items()}
    names = topology.geometry.parameter_names
    given = {
        name: model.parameters[name].with_(value=float(value))
        for name, value in zip(names, p, strict=False)
        if float(value) != model.parameter_values()[name]
    }
    start = start_poses(poses, model.bodies)
    return model.with_(start=start, initial=initial, parameters=given, branches=None)


def start_poses(poses: Poses, bodies: Iterable[str]) -> dict[str, Any]:
    """The section ``start`` of a model whose bodies begin in these poses."""
    return {name: _pose(poses[name]) for name in bodies}


def _moved(given: Mapping[str, Any], element: str, found: Mapping[tuple[str, str], float]) -> dict[str, Any]:
    """Initial values of one element with its coordinates where they are in the poses; speeds stay."""
    places = {key: found.get((element, key), value) for key, value in given.items()}
    if "position" in places and all((element, axis) in found for axis in AXES):
        places["position"] = tuple(found[element, axis] for axis in AXES)
    return places


def _pose(pose: Pose) -> dict[str, Any]:
    origin = [float(x) for x in pose.origin]
    if pose.angle is not None:
        return {"origin": origin, "rotation": float(pose.angle)}
    return {"origin": origin, "rotation": {"wxyz": [float(x) for x in matrix_to_quaternion(pose.axes)]}}
