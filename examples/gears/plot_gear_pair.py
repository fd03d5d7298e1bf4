"""
A gear pair
===========

A fast shaft drives a slow one, ten times as slow and the other way round. A coupling binds the two wheels by their radii;
its effort is the torque in the teeth, seen from the first shaft. The torque of the motor is a formula of time.
"""

import numpy as np

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: gear_pair
space: spatial
points: {A: [0, 0, 0], A2: [0.4, 0, 0], B: [0, 1, 0], B2: [0.4, 1, 0]}
bodies:
  fast: {bar: [A, A2], radius: 50 mm, density: 7700}
  slow: {bar: [B, B2], radius: 100 mm, density: 7700}
joints:
  A: {kind: revolute, bodies: [ground, fast], axis: [1, 0, 0]}
  B: {kind: revolute, bodies: [ground, slow], axis: [1, 0, 0]}
couplings:
  gear: {bodies: [fast, slow], radii: [1/11, 10/11]}
forces:
  motor: {kind: effort, joint: A, value: 2*sin(2*pi*t)}
""")
result = lw.simulate(model, until="2 s")

# %%
# The exact answer: the two rotors are one, with the inertia :math:`J_1 + J_2 / 10^2` seen from the fast shaft.

mass = 7700 * np.pi * 0.4 * np.array([0.05, 0.1]) ** 2
inertia = mass * np.array([0.05, 0.1]) ** 2 / 2
exact = (1 - np.cos(2 * np.pi * result.time)) / (np.pi * (inertia[0] + inertia[1] / 100))
print(f"largest difference of the fast speed: {abs(result['A.speed'] - exact).max():.1e} rad/s")

# %%
result.animate("gear_pair.html", plot=["A.speed", "B.speed"])

# %%
result.plot_path(time="0.2 s")

# %%
result.plot("A.speed", "B.speed", "gear.effort")
