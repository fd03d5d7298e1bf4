r"""
A toggle clamp that holds
=========================

A hand turns a handle, a link pushes a plunger on a workpiece. Where handle and link are in line the workpiece is pressed
most; a few degrees further the handle meets its stop. The workpiece pushes back and turns the handle the harder against
the stop: the clamp holds without the hand.
"""

# %%
# The workpiece is a stop of the plunger that gives way, with stiffness and damping. The stop of the handle is rigid, 4
# degrees past the line, and pins rub. The hand lets go after 0.2 s; its torque is a live parameter.

import numpy as np

import linkwork as lw

clamp = lw.loads("""
linkwork: 1
name: toggle clamp
space: planar
points: {O: [0, 0], A: [35 mm, 35.7 mm], B: [106.59 mm, 0]}
parameters:
  hand: {value: 0.5 N*m, live: true}
  k: 5e5 N/m
bodies:
  handle:  {bar: [O, A], mass: 0.2}
  link:    {bar: [A, B], mass: 0.1}
  plunger: {points: [B], com: B, mass: 0.1}
joints:
  O:
    kind: revolute
    bodies: [ground, handle]
    limits: [-4 deg, 60 deg]
    friction: {coefficient: 0.15, radius: 4 mm}
  A: {kind: revolute, bodies: [handle, link], friction: {coefficient: 0.15, radius: 4 mm}}
  B: {kind: revolute, bodies: [link, plunger], friction: {coefficient: 0.15, radius: 4 mm}}
  guide:
    kind: prismatic
    bodies: [ground, plunger]
    at: B
    axis: [1, 0]
    limits: [null, 22.6 mm]
    stops: {stiffness: k, damping: 100}
forces:
  push: {kind: effort, joint: O, value: -hand*(1 - step(t - 0.2))}
""")
print(closed := lw.simulate(clamp, until="0.4 s"))
closed.plot("O.angle", "guide.position.stop", "O.angle.stop", units={"O.angle": "deg"})

# %%
# What it holds with follows from where it stands: handle 50 mm, link 79.99 mm, 4 degrees past the line.

r, s = np.hypot(35e-3, 35.7e-3), np.hypot(71.59e-3, 35.7e-3)
angle = np.radians(-4)
depth = r * np.cos(angle) + np.sqrt(s**2 - (r * np.sin(angle)) ** 2) - 106.59e-3 - 22.6e-3
print("held with", -closed["guide.position.stop"][-1], "N; by hand", 5e5 * depth, "N")

# %%
# A weaker hand does not come past the line. While it pushes, the pins stick; when it lets go, the clamp springs open.

weak = lw.simulate(clamp, until="0.4 s", parameters={"hand": "0.3 N*m"})
print(weak.modes)
weak.plot("O.angle", "guide.position.stop", units={"O.angle": "deg"})
closed.animate("clamp.html", plot=["O.angle", "guide.position.stop"])
