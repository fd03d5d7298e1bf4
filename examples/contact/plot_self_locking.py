r"""
A screw and a bar clamp that hold by themselves
===============================================

Friction grows with the load, and so does what the load asks of it. Whether a wedge, a screw or a clamp holds is decided by
its shape and its coefficient of friction alone: then it holds *any* load.
"""

# %%
# A screw jack
# ------------
# A screw holds its load where the coefficient is above the slope of its thread, here
# :math:`\frac{p}{2\pi R} = \frac{8}{2\pi\,12} = 0.106`. A motor lifts 200 kg for half a second and lets go.

import numpy as np

import linkwork as lw

jack = lw.loads("""
linkwork: 1
name: screw jack
space: spatial
gravity: [0, 0, -9.81]
points: {P: [0, 0, 0]}
parameters: {mu: {value: 0.12, live: true}}
bodies:
  screw: {points: [P], com: P, mass: 200, inertia: [1, 1, 0.4]}
joints:
  thread:
    kind: helical
    bodies: [ground, screw]
    at: P
    axis: [0, 0, 1]
    pitch: 8 mm
    friction: {coefficient: mu, radius: 12 mm}
forces:
  motor: {kind: effort, joint: thread, value: 8*(step(t - 0.2) - step(t - 0.7))}
""")
holds = lw.simulate(jack, until="1.5 s", step="1 ms")
runs_down = lw.simulate(jack, until="1.5 s", parameters={"mu": 0.08})
print(holds.modes)
holds.plot("screw.z", label="0.12", beside={"0.08": runs_down}, units={"screw.z": "mm"})

# %%
# A rising screw asks for :math:`F R \tan(\lambda + \varphi)` with the force :math:`F = m(g + \ddot z)` in it; what the motor
# gives beyond turns it faster.

lead, arm = 0.008 / (2 * np.pi), 0.012 * np.tan(np.arctan(8 / (2 * np.pi * 12)) + np.arctan(0.12))
gained = 0.5 * (8 - 200 * 9.81 * arm) / (0.4 + 200 * lead * arm)
print("speed when the motor lets go", holds["thread.speed"][700], "rad/s; by hand", gained)

# %%
# A bar clamp
# -----------
# Its jaw slides on the bar with a guide of 30 mm. A force at the distance :math:`a` presses both ends of the guide with
# :math:`F a/L` each: beyond :math:`a = L/2\mu` = 100 mm they hold whatever the force is. Here it is 100 N.

bar_clamp = lw.loads("""
linkwork: 1
name: bar clamp
space: planar
points: {P: [0, 0], Q: [reach, 0]}
parameters: {reach: {value: 120 mm, live: true}}
bodies: {jaw: {bar: [P, Q], mass: 0.5}}
joints:
  bar: {kind: prismatic, bodies: [ground, jaw], at: P, axis: [0, 1], friction: {coefficient: 0.15, length: 30 mm}}
forces: {work: {kind: force, at: jaw.Q, value: [0, 100]}}
""")
for reach in ("120 mm", "80 mm"):
    print(reach, *lw.simulate(bar_clamp, until="2 s", parameters={"reach": reach}).modes.lines)
