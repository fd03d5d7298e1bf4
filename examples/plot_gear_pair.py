"""
A gear pair
===========

A fast shaft drives a slow one through a gear of ratio 10. A coupling binds the two joint coordinates; its effort is the
torque in the teeth, seen from the first shaft. The torque of the motor is a formula of time.
"""

import matplotlib.pyplot as plt
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
  gear: {joints: [A, B], ratio: 10}
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
figure, axes = plt.subplots(2, 1, figsize=(7, 5), sharex=True, layout="constrained")
axes[0].plot(result.time, result["A.speed"], color="#0072b2", label="fast shaft")
axes[0].plot(result.time, 10 * result["B.speed"], "--", color="#d55e00", label="slow shaft × 10")
axes[0].set_ylabel("speed [rad/s]")
axes[1].plot(result.time, 2 * np.sin(2 * np.pi * result.time), color="#0072b2", label="motor")
axes[1].plot(result.time, result["gear.effort"], color="#009e73", label="gear, on the fast shaft")
axes[1].plot(result.time, inertia[0] * result["A.acceleration"], color="0.5", label="inertia of the fast shaft")
axes[1].set(ylabel="torque [N m]", xlabel="time [s]")
for axis in axes:
    axis.legend(frameon=False, loc="upper right")
plt.show()
