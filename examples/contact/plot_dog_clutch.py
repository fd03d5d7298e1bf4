r"""
A clutch that is engaged and disengaged
=======================================

A dog of one shaft falls into a slot of another while both turn: from then on they turn as one. Angular momentum stays,
energy does not: what is lost is that of the relative motion, whatever the clutch is made of (Carnot).
"""

# %%
# The dog is a point of the driven shaft in a radial slot of the driving one. A lever pushes it from 0.5 s on; it falls
# in where it meets the slot, half a turn later at most: where the sine of the angle between the shafts comes to zero.
# Pushed elsewhere it passes. The load brakes with the square of its speed.

import linkwork as lw

clutch = lw.loads("""
linkwork: 1
name: dog clutch
space: planar
points: {O: [0, 0], D: [60 mm, 0], R: [-50 mm, 0]}
bodies:
  engine: {points: [O, D], com: O, mass: 10, inertia: 0.4}
  load:   {points: [O, D, R], com: O, mass: 8, inertia: 0.1}
joints:
  a: {kind: revolute, bodies: [ground, engine], at: O}
  b: {kind: revolute, bodies: [ground, load], at: O}
relations:
  dog: {kind: connection, active: false, joint: {kind: point_on_line, bodies: [engine, load], at: [O, D], axis: [1, 0]}}
switches:
  engage:    {connect: dog, when: sin(b.angle - a.angle) + 2*away, catching: 0.1 mm, otherwise: pass}
  disengage: {release: dog, at: 1.4 s}
definitions:
  away: 1 - max(0, min(1, 100*(t - 0.5))) + max(0, min(1, 100*(t - 1.3)))
forces:
  motor: {kind: effort, joint: a, value: 6*(1 - a.speed/100)}
  brake: {kind: effort, joint: b, value: -5e-4*b.speed*abs(b.speed)}
initial: {a: {speed: 90}}
""")
run = lw.simulate(clutch, until="2 s")
print(run.modes)
run.plot("a.speed", "b.speed", "work.dissipated")

# %%
# The first engagement by hand: the common speed, and the loss with the reduced inertia.

caught = run.events[0].time
start = lw.simulate(clutch.with_(switches=None), times=[0, caught])
fast, slow = start["a.speed"][-1], start["b.speed"][-1]
common = (0.4 * fast + 0.1 * slow) / 0.5
lost = 0.5 * (0.4 * 0.1 / 0.5) * (fast - slow) ** 2
just = lw.simulate(clutch, times=[0, caught + 1e-9])
print("speed", just["b.speed"][-1], "by hand", common)
print("lost", just["work.dissipated"][-1], "J, by hand", lost, "J")

# %%
# What the dog transmits while it is engaged drives the load and nothing else: its torque is that of the brake and the
# acceleration of the load.

run.plot("dog.fx", "dog.fy", "b.acceleration")
run.animate("dog_clutch.html", plot=["a.speed", "b.speed"])
