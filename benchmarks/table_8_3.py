"""Table 8.3 of García de Jalón and Bayo: operations of one evaluation of the accelerations of a human body, and of a car.

The source counts multiplications and additions of its velocity transformations for a body of 40 bodies, all on hinges, with
45 freedoms: of points (A) and of bodies (B); its car has no such table. Beside them stand the operations of what Linkwork
runs by default, and the time of one evaluation beside Pinocchio, called from Python: articulated bodies of the tree, and
constrained dynamics of the car, whose loops are cut at twelve balls. By default Linkwork
closes the loops of the car in each evaluation, which Pinocchio does not; with ``multipliers`` both do the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import casadi as ca
import numpy as np
from table_models import car, human_body

import linkwork as lw
from linkwork.arrays import Array
from linkwork.bench.timing import best_times
from linkwork.numerics.flows.flow import evaluate_flow

SAMPLES = 50
PUBLISHED = {"human body": {"A": (56_894, 53_752), "B": (31_782, 27_550)}}  # multiplications, additions
EQUAL = 1e-8  # of the largest acceleration, between Linkwork and Pinocchio
BALLS = [f"front_{side}_ball" for side in ("left", "right")] + [f"front_{side}_tie_b" for side in ("left", "right")]
BALLS += [f"rear_{side}_link{k}_b" for side in ("left", "right") for k in range(2, 6)]
PUSHED = {"rack_guide": 400.0}  # N


def at_rest(model: lw.Model, loads: dict[str, float]) -> lw.Model:
    """A model without springs that stands as it is drawn, pushed along joints."""
    kept = {key: getattr(model, key) for key in type(model).model_fields}
    forces = {f"push {name}": {"kind": "effort", "joint": name, "value": value} for name, value in loads.items()}
    return lw.Model(**{**kept, "forces": forces, "initial": {}})


def peer_of(model: lw.Model, cut: list[str]) -> tuple[Any, dict[str, int], list[Any]]:
    """The tree of a model as it is drawn, in axes of the world, the joint that carries each body, and the loops."""
    import pinocchio as pin

    places = {name: np.array([model.number(x) for x in place]) for name, place in model.points.items()}
    geometry = lw.analyse(model).geometry
    found, numbers, where = pin.Model(), {"ground": 0}, {"ground": np.zeros(3)}
    found.gravity.linear = np.array([model.number(x) for x in model.gravity])
    free = next(iter(model.bodies))
    numbers[free] = found.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), free)
    where[free] = np.zeros(3)
    ends: dict[str, list[tuple[str, str]]] = {name: [] for name in ["ground", *model.bodies]}
    for name, joint in model.joints.items():
        if name not in cut:
            for inner, outer in (joint.bodies, joint.bodies[::-1]):
                ends[inner].append((name, outer))
    ahead = [(free, item) for item in reversed(ends[free])]
    while ahead:  # depth first: it takes bodies of a branch to have numbers in a row
        inner, (name, outer) = ahead.pop()
        if outer in numbers:
            continue
        start = places[(model.joints[name].at or (name,))[0]]
        carrier, place = numbers[inner], pin.SE3(np.eye(3), start - where[inner])
        parts = joints_of(model, model.joints[name])
        for i, part in enumerate(parts):
            carrier = found.addJoint(carrier, part, place, name if i + 1 == len(parts) else f"{name} {i}")
            place = pin.SE3.Identity()
        numbers[outer], where[outer] = carrier, start
        ahead += [(outer, item) for item in reversed(ends[outer])]
    for name, body in model.bodies.items():
        own = geometry.rigid(name, "Pinocchio")
        mass, moments = float(ca.DM(own.mass)), np.array(ca.DM(own.inertia))
        inertia = pin.Inertia(mass, places[body.com] - where[name], moments)
        found.appendBodyToJoint(numbers[name], inertia, pin.SE3.Identity())
    loops = []
    for name in cut:
        joint = model.joints[name]
        sides = [
            item
            for body in joint.bodies
            for item in (numbers[body], pin.SE3(np.eye(3), places[(joint.at or (name,))[0]] - where[body]))
        ]
        loops.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, found, *sides))
    return found, numbers, loops


def joints_of(model: lw.Model, joint: Any) -> list[Any]:
    """A joint as joints of Pinocchio whose axes are those of the world."""
    import pinocchio as pin

    if joint.kind == "spherical":
        return [pin.JointModelSpherical()]
    axes = np.array(
        [[model.number(x) for x in axis] for axis in (joint.axes if joint.kind == "universal" else [joint.axis])]
    )
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    turns = [pin.JointModelRevoluteUnaligned(axis) for axis in axes]
    slides = (
        [pin.JointModelPrismaticUnaligned(axis) for axis in axes] if joint.kind in ("prismatic", "cylindrical") else []
    )
    return slides + (turns if joint.kind != "prismatic" else [])


def peer_accelerations(model: lw.Model, cut: list[str]) -> tuple[Callable[[], Array], Array]:
    """v̇ of Pinocchio at rest as drawn, and where in it the accelerations of hinges and guides are, in order of the model."""
    import pinocchio as pin

    found, _, loops = peer_of(model, cut)
    data, q, v, tau = found.createData(), pin.neutral(found), np.zeros(found.nv), np.zeros(found.nv)
    single = [name for name, joint in model.joints.items() if joint.kind in ("revolute", "prismatic")]
    places = np.array([found.joints[found.getJointId(name)].idx_v for name in single])
    for name, value in loads_of(model).items():
        tau[found.joints[found.getJointId(name)].idx_v] = value
    if not loops:
        return lambda: np.array(pin.aba(found, data, q, v, tau)), places
    known, work = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for loop in loops:
        known.append(loop)
        work.append(loop.createData())
    pin.initConstraintDynamics(found, data, known, work)
    proximal = pin.ProximalSettings(1e-12, 1e-12, 20)
    return lambda: np.array(pin.constraintDynamics(found, data, q, v, tau, known, work, proximal)), places


def loads_of(model: lw.Model) -> dict[str, float]:
    return {force.joint: model.number(force.value) for force in model.forces.values() if force.kind == "effort"}


def row(name: str, model: lw.Model, cut: list[str], formulations: tuple[str | None, ...]) -> None:
    made = [lw.prepare(model, formulation=formulation) for formulation in formulations]
    print(f"{name}: {made[0].coordinates.v.numel()} velocities")
    for kind, (products, sums) in PUBLISHED.get(name, {}).items():
        print(f"    published, {kind:<13}{products + sums:>8} operations, {products} products and {sums} sums")
    flows = [
        (mechanism.flow(start), np.tile(start.y, (SAMPLES, 1))) for mechanism in made for start in (mechanism.start(),)
    ]
    ways = [partial(evaluate_flow, flow, np.zeros(SAMPLES), states) for flow, states in flows]
    peer, places = peer_accelerations(model, cut)
    other = peer()[places]
    for mechanism, way in zip(made, ways, strict=True):
        apart = np.abs(of_joints(mechanism, way()[0]) - other).max() / np.abs(other).max()
        assert apart < EQUAL, f"{name} is another one for Pinocchio: {apart:.1e}"
    times = best_times([*ways, lambda: [peer() for _ in range(SAMPLES)]])
    print(f"    {'Pinocchio':<34}{1e6 * times[-1] / SAMPLES:10.2f} us")
    for mechanism, time in zip(made, times, strict=False):
        functions = [key for key in ("accelerate", "flow0") if key in mechanism.program]
        operations = mechanism.program[functions[0]].operations
        told = f"Linkwork, {mechanism.equations.formulation.name}"
        print(f"    {told:<24}{operations:>8} op{1e6 * time / SAMPLES:10.2f} us, {times[-1] / time:.1f} times")


def of_joints(mechanism: lw.answers.Mechanism, rates: Array) -> Array:
    """Accelerations of hinges and guides, in the order of the model."""
    c, model = mechanism.coordinates, mechanism.model
    names = [name.rpartition(".")[0] for name in c.kinematics.v_names]
    single = [name for name, joint in model.joints.items() if joint.kind in ("revolute", "prismatic")]
    return np.array([rates[c.q.numel() + names.index(name)] for name in single])


def main() -> None:
    print("Accelerations of a human body and of a car: operations, and the time of one evaluation")
    if find_spec("pinocchio") is None:
        print("Pinocchio is not installed: pip install pin")
        return
    bent = {f"{side}_arm_j4": 3.0 for side in ("left", "right")}
    row("human body", at_rest(human_body(), bent), [], (None,))
    row("car", at_rest(car(), PUSHED), BALLS, (None, "multipliers"))


if __name__ == "__main__":
    main()
