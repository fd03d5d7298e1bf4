"""The memory of the compiled narrow phase for shapes of bodies, and the expressions that move it."""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.elements.contribution import Frames
from linkwork.elements.curves import ToNumbers
from linkwork.elements.extents import Extent
from linkwork.elements.shapes.forms import ContactShape, HalfSpace, Outline, Turned
from linkwork.errors import RefusedError
from linkwork.numerics.collision.solids import convex_record, plane_record, turned_record
from linkwork.numerics.kernels.collision.shape_record import ShapeRecord

POSE = 12  # numbers: place (3), and axes (9) by rows
_ORDERS = {"x": (1, 2, 0), "y": (2, 0, 1), "z": (0, 1, 2)}  # of axes, so that the third one is the named one


def record_of(shape: ContactShape, number: ToNumbers) -> ShapeRecord:
    """A shape with the values that live parameters have now, at the origin."""
    dimension = shape.frame.origin.numel()
    match shape.form:
        case Extent(corners, radius):
            places = np.reshape(number(corners[:dimension, :]), (dimension, -1)).T
            return convex_record(places, _one(number, radius))
        case Turned(_, (low, high), radius):
            ends = [(_one(number, a), _one(number, b)) for a, b in (low, high)]
            return turned_record(ends, _one(number, radius))
        case HalfSpace():
            return plane_record(planar=dimension == 2)
        case Outline():
            raise RefusedError(f"'{shape.name}' is a curve: its contacts are conditions (`curve_gaps.py`)")
    raise AssertionError(shape.form)


def _one(number: ToNumbers, value: ca.SX | float) -> float:
    return float(np.ravel(number(ca.SX(value)))[0])


def pose_of(shape: ContactShape, frames: Frames) -> ca.SX:
    """The pose (POSE) of a shape as its record has it, from where its body is."""
    return pose_in_space(shape, shape.seen(frames))


def pose_in_space(shape: ContactShape, frame: Frame) -> ca.SX:
    """A frame of the plane or of space with the axes that kernels expect: planes and turned shapes have theirs along z."""
    dimension = frame.origin.numel()
    axes = frame.axes if dimension == 3 else ca.diagcat(frame.axes, 1)
    place = ca.vertcat(frame.origin, ca.SX(3 - dimension, 1))
    order: tuple[int, ...] = (0, 1, 2)
    if isinstance(shape.form, Turned):
        order = _ORDERS[shape.form.axis]
    elif isinstance(shape.form, HalfSpace) and dimension == 2:
        order = _ORDERS["y"]
    return ca.vertcat(place, ca.vec(axes[:, list(order)].T))
