r"""
A step: open chain, closed loop, open chain
===========================================

Who walks stands on one leg, then on two, then on the other. On one leg the body is an open chain, on two it is a closed
loop: feet are joints that close and open, in one model.
"""

# %%
# The toe of the back leg stands at the start, the heel of the front leg comes down in front of it, and when the hip has
# come far enough the toe is lifted. Torques in hips and knees swing the front leg, keep the trunk upright and the back
# knee straight.

import numpy as np

import linkwork as lw

walker = lw.loads("""
linkwork: 1
name: a step
space: planar
gravity: [0, -9.81]
points: {F: [0, 0], K: [0.03, 0.44], H: [-0.05, 0.87], L: [0.05, 0.45], G: [-0.28, 0.18]}
bodies:
  trunk:       {points: [H], com: H, mass: 40, inertia: 3}
  back_thigh:  {bar: [H, K], mass: 8}
  back_shank:  {bar: [K, F], mass: 4}
  front_thigh: {bar: [H, L], mass: 8}
  front_shank: {bar: [L, G], mass: 4}
joints:
  back_hip:   {kind: revolute, bodies: [trunk, back_thigh], at: H, reference: 0}
  front_hip:  {kind: revolute, bodies: [trunk, front_thigh], at: H, reference: 0}
  back_knee:  {kind: revolute, bodies: [back_thigh, back_shank], at: K, reference: 0}
  front_knee: {kind: revolute, bodies: [front_thigh, front_shank], at: L, reference: 0}
relations:
  toe:  {kind: connection, joint: {kind: revolute, bodies: [ground, back_shank], at: [F, F]}}
  heel: {kind: connection, joint: {kind: revolute, bodies: [ground, front_shank], at: [F, G]}, active: false}
definitions:
  upright: 600*trunk.angle + 60*trunk.speed
  swing: 150*(0.2 - front_hip.angle) - 15*front_hip.speed
switches:
  strike: {connect: heel, when: "G.y + 2*max(0, 0.2 - G.x)", crossing: falling, catching: anywhere}
  lift:   {release: toe, when: H.x - 0.36, crossing: rising}
forces:
  back_hip_torque:   {kind: effort, joint: back_hip, value: upright - swing}
  front_hip_torque:  {kind: effort, joint: front_hip, value: swing}
  back_knee_torque:  {kind: effort, joint: back_knee, value: -2000*back_knee.angle - 60*back_knee.speed}
  front_knee_torque: {kind: effort, joint: front_knee, value: 80*(0.6 - front_knee.angle) - 6*front_knee.speed}
initial: {trunk: {vx: 0.9, vy: 0, speed: 0}, front_hip: {speed: 0}, front_knee: {speed: 0}}
""")
run = lw.simulate(walker, until="0.48 s")
print(run.modes)
run.plot("toe.fy", "heel.fy", "trunk.vx")

# %%
# In double support both feet push. With given torques what each of them bears is unique, and the table of reactions would
# say otherwise: together they move the centre of mass.

two = slice(*np.searchsorted(run.time, [run.events[0].time, run.events[1].time]))
ground = run["toe.fy"] + run["heel.fy"]
moved = 64 * (run["centre_of_mass.ay"] + 9.81)
print("largest difference", np.abs(ground - moved)[two].max(), "N; not unique:", run.reactions["heel"].not_unique)
print("lost where the heel comes down:", run["work.dissipated"][-1], "J")
run.animate("step.html", plot=["toe.fy", "heel.fy"])
