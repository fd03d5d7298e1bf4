"""A million inverse dynamics of a 7R arm on one core, beside Pinocchio where it is installed.

Positions, speeds and accelerations of the arm of ``examples/mechanisms`` are drawn at random; the torques of its motors are
solved for by recursion, compiled to one function without branches, eight samples at a time. Beside it stand the same
function called from Python sample by sample, M v̇ − h written out, and ``pinocchio.rnea`` of the same arm called from
Python. Torques of all are compared with each other. A four-bar follows with its torque and all reactions.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import casadi as ca
import numpy as np
from numpy.typing import NDArray
from published import driven_model
from timing import best_time

import linkwork as lw
from linkwork.compiler.program import build
from linkwork.equations.determinate import loads_function
from linkwork.equations.recursion import recursion_function
from linkwork.equations.terms import make_function

Array = NDArray[np.float64]
LIBRARY = Path(__file__).parents[1] / "examples" / "mechanisms"
COUNT = 1_000_000
FEW = 20_000  # samples of what is called one by one
PORTION = 8192  # samples that stay in the cache of the processor


def arm() -> lw.Model:
    """The arm without the torques of its file."""
    model = lw.load(LIBRARY / "seven_axis_arm.yaml")
    kept = {key: getattr(model, key) for key in type(model).model_fields}
    return lw.Model(**{**kept, "forces": {}, "initial": {}})


def direct_function(c: lw.Coordinates) -> ca.Function:
    """M v̇ − h, as the equations of motion have it."""
    vdot = ca.SX.sym("vdot", c.v.numel())
    return make_function("direct", c, {"e": ca.cse(c.mass @ vdot - c.forces)}, vdot)


def pinocchio_torques(states: Array) -> Callable[[], Array] | None:
    """Torques of the first samples by Pinocchio, whose arm is built from the same numbers."""
    if importlib.util.find_spec("pinocchio") is None:
        return None
    import pinocchio as pin

    text, model = arm(), pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -9.81])
    parent, last = 0, np.zeros(3)
    for i, (name, joint) in enumerate(text.joints.items(), start=1):
        place = np.array([float(text.number(x)) for x in text.points[name]])
        axis = np.array([float(text.number(x)) for x in joint.axis])
        parent = model.addJoint(parent, pin.JointModelRevoluteUnaligned(axis), pin.SE3(np.eye(3), place - last), name)
        body = lw.analyse(text).geometry.bodies[f"link{i}"]
        com, inertia = (np.array(ca.DM(item)) for item in (body.com, body.inertia))
        model.appendBodyToJoint(parent, pin.Inertia(float(body.mass), com.ravel(), inertia), pin.SE3.Identity())
        last = place
    data = model.createData()
    q, v, a = (np.ascontiguousarray(states[:FEW, i : i + 7]) for i in (0, 7, 14))
    return lambda: np.array([pin.rnea(model, data, q[i], v[i], a[i]).copy() for i in range(FEW)])


def time_arm() -> None:
    rng = np.random.default_rng(0)
    states = rng.uniform(-2.0, 2.0, (COUNT, 21))
    c = lw.number(lw.analyse(arm()))
    _, p = lw.formulate(c).start
    program = build({"recursion": recursion_function(c), "direct": direct_function(c)})
    recursion, direct = program["recursion"], program["direct"]
    reference = recursion.batch(0.0, states, p)
    rows: list[tuple[str, float, Array]] = [
        ("Linkwork, recursion, batch", best_time(lambda: recursion.batch(0.0, states, p), COUNT, rounds=5), reference),
        ("Linkwork, M v̇ − h, batch", best_time(lambda: direct.batch(0.0, states, p), COUNT, rounds=5),
         direct.batch(0.0, states, p)),
        ("Linkwork, from Python one by one",
         best_time(lambda: [recursion(0.0, y, p) for y in states[:FEW]], FEW, rounds=5), reference),
    ]  # fmt: skip
    peer = pinocchio_torques(states)
    if peer is not None:
        rows.append(("Pinocchio, from Python one by one", best_time(peer, FEW, rounds=5), peer()))
    counts = ", ".join(f"{name} {program[name].instructions.operations}" for name in program)
    print(f"Inverse dynamics of a 7R arm (operations: {counts})")
    print(f"{'':<36}{'each, ns':>10}{'a million, s':>14}{'difference':>13}")
    for name, seconds, values in rows:
        gap = np.abs(values - reference[: len(values)]).max() / np.abs(reference).max()
        print(f"{name:<36}{seconds * 1e9:10.0f}{seconds * COUNT:14.3f}{gap:13.1e}")


def time_four_bar() -> None:
    """Torque and all reactions from the angle of the crank: the loop in closed form, then the loads of the bodies."""
    mechanism, times = lw.prepare(driven_model()), np.linspace(0.0, 1.0, COUNT)
    start, c = mechanism.start(), mechanism.coordinates
    loads = build({"loads": loads_function(c)})["loads"]
    states = np.tile(np.concatenate([start.y, np.zeros(c.v.numel())]), (PORTION, 1))

    nq, nv = c.q.numel(), c.v.numel()

    def solve() -> Array:
        found = np.empty((COUNT, loads.size_out))
        q, v, vdot = mechanism.motion(times, start)
        for first in range(0, COUNT, PORTION):
            part = slice(first, min(first + PORTION, COUNT))
            here = states[: part.stop - first]
            here[:, :nq], here[:, nq : nq + nv], here[:, -nv:] = q[part], v[part], vdot[part]
            found[part] = loads.batch(times[part], here, start.p)
        return found

    seconds = best_time(solve, rounds=5, limit=10.0)
    few = times[:: COUNT // 200]
    reference = lw.inverse_dynamics(mechanism.model, times=few)
    gap = np.abs(solve()[:: COUNT // 200, -1] - reference["motor"]).max() / np.abs(reference["motor"]).max()
    print("Four-bar: loop closed, torque and all reactions")
    print(f"{'Linkwork, closed form, batch':<36}{seconds / COUNT * 1e9:10.0f}{seconds:14.3f}{gap:13.1e}")


if __name__ == "__main__":
    time_arm()
    time_four_bar()
