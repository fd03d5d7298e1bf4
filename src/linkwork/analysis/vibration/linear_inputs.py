"""Inputs of linear equations: live parameters, and efforts along the coordinates of joints."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.motors import Motor, with_motors
from linkwork.errors import Faults, UnknownNameError, did_you_mean

EFFORT = ".effort"  # behind the name of a joint coordinate: a force or torque along it as an input


def with_inputs(c: Coordinates, names: Sequence[str]) -> tuple[Coordinates, ca.SX]:
    """The coordinates with efforts as further forces, and the symbols of all inputs."""
    parameters = list(c.geometry.parameter_names)
    efforts = {f"{joint}.{freedom}{EFFORT}": (joint, freedom) for joint, freedom in c.motion.coordinates}
    # the freedom may be left out where there is only one
    joints = [joint for joint, _ in c.motion.coordinates]
    efforts |= {f"{j}{EFFORT}": (j, f) for j, f in c.motion.coordinates if joints.count(j) == 1}
    faults = Faults("inputs")
    for name in names:
        with faults:
            if name not in parameters and name not in efforts:
                raise UnknownNameError(
                    f"there is no input '{name}'; {did_you_mean(name, [*parameters, *efforts])} (live parameters, or joint "
                    f"coordinates with '{EFFORT}' behind them)"
                )
    faults.tell()
    motors = [Motor(name, *efforts[name]) for name in names if name not in parameters]
    pushed, pushes = with_motors(c, motors)
    own = iter(ca.vertsplit(pushes))
    symbols = [c.p[parameters.index(name)] if name in parameters else next(own) for name in names]
    return pushed, ca.vertcat(ca.SX(0, 1), *symbols)
