r"""
A door that latches
===================

A closer turns a door shut. Where it meets the frame a bolt snaps in: a joint that was open is closed from then on, and an
impulse takes what speed the door has left. Later a hand draws the bolt and pulls; a door that is pulled without drawing
it breaks out.
"""

# %%
# The bolt is a relation of kind ``connection``: a point of the door that stays on a line of the frame. It carries nothing
# while it is open. Switches close and open it: where the angle of the door comes to zero from above, when the hand draws
# it, and where the force in it exceeds what the plate bears.

import numpy as np

import linkwork as lw

door = lw.loads("""
linkwork: 1
name: door latch
space: planar
parameters: {drawn: {value: 2.5, live: true}}
points: {O: [0, 0], E: [0.8, 0], A: [0.8, 0], C: [0.4, 0], W: [-0.1, -0.15]}
bodies:
  door: {points: [O, E, C], com: C, mass: 20, inertia: 1.1}
joints:
  O: {kind: revolute, bodies: [ground, door], limits: [-2 deg, 120 deg]}
relations:
  bolt: {kind: connection, active: false, joint: {kind: point_on_line, bodies: [ground, door], at: [A, E], axis: [1, 0]}}
switches:
  snap:  {connect: bolt, when: O.angle, crossing: falling}
  draw:  {release: bolt, at: drawn}
  burst: {release: bolt, force: 400 N}
forces:
  closer: {kind: torsion_spring, joint: O, stiffness: 4 N*m/rad, free_angle: -10 deg, damping: 3 N*m*s/rad}
  hand:   {kind: effort, joint: O, value: 60*(t - 2.4)*step(t - 2.4)}
initial: {O: {angle: 70 deg}}
""")
run = lw.simulate(door, until="3.5 s")
print(run)
run.plot("O.angle", "bolt.fy", units={"O.angle": "deg"})

# %%
# What the bolt takes from the door is the energy of its last speed; then it holds against the closer, whose moment over
# the width of the door it bears.

caught = run.events[0].time
before = lw.simulate(door.with_(switches=None), times=[0, caught])
inertia = 1.1 + 20 * 0.4**2
print("lost", run["work.dissipated"][-1], "J, of which speed", 0.5 * inertia * before["O.speed"][-1] ** 2, "J")
held = np.searchsorted(run.time, 2.0)
print("holds", run["bolt.fy"][held], "N against", 4 * np.radians(10) / 0.8, "N")

# %%
# A hand that pulls ever harder and forgets the bolt.

burst = lw.simulate(door, until="10 s", parameters={"drawn": 20})
print(burst.events)
burst.plot("O.angle", "bolt.fy", units={"O.angle": "deg"})
run.animate("door.html", plot=["O.angle", "bolt.fy"])
