"""MuJoCo: hinges, sliders and balls; RK4 of fixed step and its implicit integrator, in its own compiled loop.

MuJoCo's constraints are damped springs by design. Loops have the largest impedance that MuJoCo accepts, critical damping,
and a rate that follows the step; of rates from 0.02 to 1.5 per step this one gave the smallest errors. Springs between
points are tendons.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arrays import Array
from linkwork.bench.peers.base import Contender, Timed
from linkwork.bench.peers.layout import Arrangement, layout, steps_of

if TYPE_CHECKING:
    from linkwork.bench.task import Task

PACKAGE = "mujoco"
COUNTS = (4, 16, 64, 256, 1024, 4096)  # steps between two outputs
INTEGRATORS = {"RK4": "RK4", "implicit": "implicit steps"}
RATE = 0.25  # of loops, per step
LEAST = 1e-9  # moment of inertia that it accepts
KINDS = {"revolute": "hinge", "prismatic": "slide", "spherical": "ball"}
MODEL = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="{step!r}" integrator="{integrator}" gravity="{gravity}" solver="Newton" {loops}>
    <flag contact="disable" energy="enable"/>
  </option>
  <worldbody>{bodies}</worldbody>
  <equality>{closures}</equality>
  <tendon>{tendons}</tendon>
  <actuator>{motors}</actuator>
</mujoco>"""
BODY = """
<body name="b{number}" pos="{at}">
  <joint name="j{number}" type="{kind}" axis="{axis}" stiffness="{stiffness!r}" damping="{damping!r}"/>
  <inertial pos="{com}" mass="{mass!r}" {inertia}/>
  {inner}
</body>"""
CLOSURE = """
<connect {bodies} anchor="{anchor}" solref="{stiffness!r} {damping!r}" solimp="0.9999 0.9999 0.001 0.5 2"/>"""
TENDON = """
<spatial stiffness="{stiffness!r}" damping="{damping!r}" springlength="{free!r}">
  <site site="{first}"/><site site="{last}"/>
</spatial>"""
MOTOR = '<general joint="j{number}" gaintype="fixed" gainprm="0" biastype="affine" biasprm="{torque!r} 0 0"/>'


def contenders(task: Task) -> list[Contender]:
    import mujoco.rollout  # noqa: F401

    steps, read = steps_of(task, COUNTS), partial(_observed, task)
    return [
        Contender(f"MuJoCo, {name}", steps, partial(_prepare, task, kind), read, "step")
        for kind, name in INTEGRATORS.items()
    ]


def _text(vector: Array) -> str:
    return " ".join(repr(float(x)) for x in vector)


def model_text(bodies: Arrangement, step: float, integrator: str) -> str:
    """The model as MuJoCo reads it."""
    rate = RATE / step
    closures = "".join(
        CLOSURE.format(
            bodies=" ".join(
                f'body{i}="b{n}"' for i, n in enumerate(sorted((c.first, c.second), reverse=True), 1) if n >= 0
            ),
            anchor=_text(bodies.local(max(c.first, c.second), place)),
            stiffness=-(rate**2),
            damping=-2 * rate,
        )
        for c in bodies.closures
        for place in bodies.pins(c)
    )
    tendons = "".join(
        TENDON.format(stiffness=s.stiffness, damping=s.damping, free=s.free, first=f"s{i}a", last=f"s{i}b")
        for i, s in enumerate(bodies.struts)
    )
    return MODEL.format(
        step=step,
        integrator=integrator,
        gravity=_text(bodies.gravity),
        loops='tolerance="0" iterations="1"' if bodies.closures else "",
        bodies=_sites(bodies, -1) + _inside(bodies, -1),
        closures=closures,
        tendons=tendons,
        motors="".join(MOTOR.format(number=n, torque=value) for n, value in bodies.torques.items()),
    )


def _sites(bodies: Arrangement, number: int) -> str:
    """Ends of springs on a body."""
    return "".join(
        f'<site name="s{i}{end}" pos="{_text(bodies.local(number, place))}"/>'
        for i, s in enumerate(bodies.struts)
        for end, body, place in (("a", s.first, s.ends[0]), ("b", s.second, s.ends[1]))
        if body == number
    )


def _inside(bodies: Arrangement, parent: int) -> str:
    """Bodies that a body carries."""
    return "".join(
        BODY.format(
            number=number,
            at=_text(bodies.offset(number)),
            kind=KINDS[link.kind],
            axis=_text(link.axis),
            stiffness=link.stiffness,
            damping=link.damping,
            com=_text(link.centre - link.place),
            mass=link.mass,
            inertia=_inertia(link.inertia),
            inner=_sites(bodies, number) + _inside(bodies, number),
        )
        for number, link in enumerate(bodies.links)
        if link.parent == parent
    )


def _inertia(inertia: Array) -> str:
    if np.allclose(inertia, np.diag(np.diag(inertia)), rtol=0.0, atol=1e-12 * np.trace(inertia)):
        return f'diaginertia="{_text(np.maximum(np.diag(inertia), LEAST))}"'
    places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    return f'fullinertia="{_text(np.array([inertia[place] for place in places]))}"'


def _model(task: Task, step: float, integrator: str) -> tuple[Any, Array]:
    """The model, and the whole state at the start."""
    import mujoco

    mujoco.set_mju_user_warning(lambda text: None)  # steps too long for it are part of the trial
    bodies = layout(task)
    model = mujoco.MjModel.from_xml_string(model_text(bodies, step, integrator))
    data = mujoco.MjData(model)
    order = [model.joint(f"j{number}").dofadr[0] for number in range(len(bodies.links))]
    for place, link in zip(order, bodies.links, strict=True):
        data.qvel[place : place + len(link.speed)] = link.speed
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.zeros((1, mujoco.mj_stateSize(model, kind)))
    mujoco.mj_getState(model, data, start[0], kind)
    return model, start


def _prepare(task: Task, integrator: str, step: float) -> Timed:
    import mujoco
    import mujoco.rollout

    model, start = _model(task, step, integrator)
    data = mujoco.MjData(model)
    count = round(task.end / step)
    every = count // (len(task.grid) - 1)

    def run() -> Array:
        states, _ = mujoco.rollout.rollout(model, data, start, nstep=count)
        return np.vstack([start, states[0, every - 1 :: every]])

    return run


def _observed(task: Task, states: Array) -> Array:
    """What is observed, of whole states (N, n): time, positions and velocities."""
    import mujoco

    model, _ = _model(task, 1e-3, "RK4")
    bodies = layout(task)
    if task.observe is not None:
        q = states[:, 1 : 1 + model.nq]
        ball = bodies.links[0].kind == "spherical"
        return task.observe(
            bodies.names, q if ball else q[:, [model.joint(f"j{n}").qposadr[0] for n in range(model.nq)]]
        )
    data = mujoco.MjData(model)
    found = []
    for state in states:
        data.qpos[:], data.qvel[:] = state[1 : 1 + model.nq], state[1 + model.nq : 1 + model.nq + model.nv]
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mujoco.mj_energyPos(model, data)
        mujoco.mj_energyVel(model, data)
        found.append(data.energy.sum())
    return np.array(found)
