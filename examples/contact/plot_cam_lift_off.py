"""
A cam follower that lifts off
=============================

An eccentric disc drives a sprung tappet with a flat face. Up to a certain speed the spring keeps it on the cam; faster, the
tappet lifts off where the force between them ends, flies, and lands with a blow. With :math:`s = R + e \\sin\\theta` the
force is :math:`N = m\\,(\\ddot s + g) + k\\,(s - s_0)`, and the moment of the lift-off is known in closed form.
"""

import numpy as np

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: cam_lift_off
space: planar
gravity: [0, -9.81]
parameters: {speed: {value: 40 rad/s, live: true}}
points: {O: [0, 0], T: [0, 0.05], F: [-0.06, 0.05], H: [0.06, 0.05]}
bodies:
  cam: {points: [O], com: O, mass: 1 kg, inertia: 1e-3}
  tappet: {points: [T, F, H], com: T, mass: 0.5 kg, inertia: 1e-3}
joints:
  O: {kind: revolute, bodies: [ground, cam]}
  guide: {kind: prismatic, bodies: [ground, tappet], at: T, axis: [0, 1], reference: 50 mm}
relations:
  touch: {kind: cam, body: cam, origin: O, follower: flat, face: [tappet.F, tappet.H],
          x: 0.02 + 0.05*cos(u), y: 0.05*sin(u), lifts: true, restitution: 0.3}
forces: {spring: {kind: effort, joint: guide, value: "-50*(guide.position - 0.04)"}}
drivers: {motor: {joint: O, position: speed*t}}
initial: {guide: {speed: 0.02*speed}}
""")
result = lw.simulate(model, until="0.4 s")
print(result.modes)

# %%
# N vanishes where sin θ = (m g + k (R - s₀)) / (e (m ω² - k)).

sine = (0.5 * 9.81 + 50 * (0.05 - 0.04)) / (0.02 * (0.5 * 40**2 - 50))
print(f"lift-off at {result.events[0].time:.12f} s, by the formula at {np.arcsin(sine) / 40:.12f} s")

# %%
# Slower cams keep their followers: here the same model, with its live parameter.

for speed in (20, 30, 40):
    run = lw.simulate(model, until="0.4 s", parameters={"speed": speed})
    print(f"{speed} rad/s: at most {run['touch.gap'].max() * 1e3:.3f} mm off the cam, {len(run.events)} events")

# %%
result.animate("cam_lift_off.html", plot=["touch.gap", "touch.force"])

# %%
result.plot("touch.gap")
