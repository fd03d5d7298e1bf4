"""MuJoCo: three hinges, the loop closed by a stiff ``connect`` equality, RK4 of fixed step, in its own compiled loop.

MuJoCo's constraints are damped springs by design. Here the loop has the largest impedance that MuJoCo accepts, critical
damping, and a rate that follows the step; of rates from 0.02 to 1.5 per step this one gave the smallest errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from peers.base import Contender, Run
from peers.equation import COUPLER, CRANK, GRAVITY, GRID, GROUND, ROCKER, Array, start_angles

if TYPE_CHECKING:
    from problems import Problem

PACKAGE = "mujoco"
STEPS = (1e-2, 4e-3, 2e-3, 1e-3, 5e-4, 2e-4)
RATE = 0.25  # of the loop, per step
BODY = """
<body name="{name}" pos="{at} 0 0" euler="0 0 {turn!r}">
  <joint type="hinge" axis="0 0 1"/>
  <inertial pos="{middle} 0 0" mass="{length}" diaginertia="1e-6 {about!r} {about!r}"/>
  {inner}
</body>"""
MODEL = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="{step!r}" integrator="RK4" gravity="0 -{gravity} 0" solver="Newton" tolerance="0" iterations="1">
    <flag contact="disable"/>
  </option>
  <worldbody>{bodies}</worldbody>
  <equality>
    <connect body1="coupler" body2="rocker" anchor="{anchor} 0 0" solref="{stiffness!r} {damping!r}"
             solimp="0.9999 0.9999 0.001 0.5 2"/>
  </equality>
</mujoco>"""


def contenders(problem: Problem) -> list[Contender]:
    import mujoco.rollout  # noqa: F401

    if problem.name != "four_bar":
        return []
    return [Contender("MuJoCo RK4, stiff loop", STEPS, _prepare, unit="step")]


def _bar(name: str, at: float, turn: float, length: float, inner: str = "") -> str:
    about = length**3 / 12
    return BODY.format(name=name, at=at, turn=turn, length=length, middle=length / 2, about=about, inner=inner)


def _prepare(step: float) -> Run:
    import mujoco
    import mujoco.rollout
    import numpy as np

    psi = start_angles()
    coupler = _bar("coupler", CRANK, psi[1] - psi[0], COUPLER)
    bodies = _bar("crank", 0.0, psi[0], CRANK, coupler) + _bar("rocker", GROUND, psi[2], ROCKER)
    rate = RATE / step
    text = MODEL.format(
        step=step, gravity=GRAVITY, bodies=bodies, anchor=COUPLER, stiffness=-(rate**2), damping=-2 * rate
    )
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.zeros((1, mujoco.mj_stateSize(model, kind)))
    mujoco.mj_getState(model, data, start[0], kind)
    every, count = round(0.1 / step), round(GRID[-1] / step)

    def run() -> Array:
        states, _ = mujoco.rollout.rollout(model, data, start, nstep=count)
        return psi[0] + np.concatenate([[0.0], states[0, every - 1 :: every, 1]])

    return run
