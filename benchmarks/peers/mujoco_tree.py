"""MuJoCo on the open chains: its RK4 of fixed step, and its implicit integrator, in their own compiled loop."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from peers.base import Contender, Run
from peers.equation import Array
from peers.trees import TREES, Tree

if TYPE_CHECKING:
    from problems import Problem

PACKAGE = "mujoco"
COUNTS = tuple(100 * 4**k for k in range(1, 7))  # steps of a run
MODEL = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="{step!r}" integrator="{integrator}" gravity="{gravity}"><flag contact="disable"/></option>
  <worldbody>{bodies}</worldbody>
</mujoco>"""
BODY = """
<body pos="{at} 0 0">
  <joint type="{kind}" axis="0 0 1" stiffness="{stiffness!r}" damping="{damping!r}"/>
  <inertial pos="{com}" mass="{mass!r}" diaginertia="{inertia}"/>
  {inner}
</body>"""
LEAST = 1e-9  # moment of inertia that it accepts


def contenders(problem: Problem) -> list[Contender]:
    import mujoco.rollout  # noqa: F401

    if problem.name not in TREES:
        return []
    steps = tuple(problem.end / count for count in COUNTS)
    names = {"RK4": "RK4", "implicit": "implicit steps"}
    return [Contender(f"MuJoCo, {names[kind]}", steps, partial(_prepare, problem, kind), "step") for kind in names]


def _text(tree: Tree, step: float, integrator: str) -> str:
    inner = ""
    for i in reversed(range(tree.links)):
        inner = BODY.format(
            at=1.0 if i else 0.0,
            kind="ball" if tree.ball else "hinge",
            stiffness=tree.stiffness[i],
            damping=tree.damping[i],
            com=" ".join(map(repr, tree.com)),
            mass=tree.mass,
            inertia=" ".join(repr(max(value, LEAST)) for value in tree.inertia),
            inner=inner,
        )
    return MODEL.format(step=step, integrator=integrator, gravity=" ".join(map(repr, tree.gravity)), bodies=inner)


def _prepare(problem: Problem, integrator: str, step: float) -> Run:
    import mujoco
    import mujoco.rollout

    mujoco.set_mju_user_warning(lambda text: None)  # steps too long for it are part of the trial
    tree = TREES[problem.name]
    model = mujoco.MjModel.from_xml_string(_text(tree, step, integrator))
    data = mujoco.MjData(model)
    data.qvel[:] = tree.speeds
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.zeros((1, mujoco.mj_stateSize(model, kind)))
    mujoco.mj_getState(model, data, start[0], kind)
    count = round(problem.end / step)
    every = count // (len(problem.grid) - 1)
    first = np.array(data.qpos)

    def run() -> Array:
        states, _ = mujoco.rollout.rollout(model, data, start, nstep=count)
        q = np.vstack([first, states[0, every - 1 :: every, 1 : 1 + model.nq]])
        return problem.observe((), q) if tree.ball else q[:, 0]

    return run
