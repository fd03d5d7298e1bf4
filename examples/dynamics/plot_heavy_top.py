"""
The heavy top
=============

A body on a ball joint that spins fast about its own axis, while the axis itself turns and nods: the classical test of
large rotations in space (Geradin and Cardona, *Flexible Multibody Dynamics*). The ball joint is described by a unit
quaternion and the components of the angular velocity, so no position of the top is special.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: heavy_top
space: spatial
gravity: [0, 0, -9.81]
points: {O: [0, 0, 0], G: [0, 1, 0]}
bodies:
  top: {points: [O, G], mass: 15 kg, com: G, inertia: [0.234375, 0.46875, 0.234375]}
joints:
  O: {kind: spherical, bodies: [ground, top]}
initial: {O: {omega: [0, 150, -4.61538]}}
""")
result = lw.simulate(model, until="2 s")
print(result)

# %%
# What must stay: the energy, the angular momentum about the vertical through the support, and the spin about the axis
# of the top. With the velocity of the centre of mass and the angular velocity in world axes:

centre = np.stack([result[f"G.{axis}"] for axis in "xyz"])
velocity = np.stack([result[f"G.v{axis}"] for axis in "xyz"])
omega = np.stack([result[f"top.w{axis}"] for axis in "xyz"])
spin = (omega * centre).sum(axis=0)  # the axis of the top is the unit vector to G
momentum = 15 * (centre[0] * velocity[1] - centre[1] * velocity[0])
momentum += 0.234375 * (omega[2] - spin * centre[2]) + 0.46875 * spin * centre[2]
for name, values in {"energy": result.energy, "momentum about z": momentum, "spin": spin}.items():
    print(f"{name}: {values[0]:.6g}, changes by {np.ptp(values) / abs(values[0]):.1e} of it")

# %%
result.animate("heavy_top.html", trace="G", plot="G.z")

# %%
result.plot_path("G", time="0.5 s")

# %%
result.plot("G.z")

# %%
# In steps of a fixed size a quaternion leaves the unit sphere and is put back. Methods on the group of rotations multiply
# with rotations instead. With the velocity of the centre of mass, which is slow, only the turn itself is left to be found:

exact = [result[f"top.q{i}"][500] for i in range(4)]  # at 1 s
steps, chosen = np.array([8, 4, 2, 1]) * 1e-3, ("rk4", "rkmk4", "generalised_alpha", "lie_generalised_alpha")
figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
for integrator in chosen:
    settings = {"coordinates": "reference_point", "integrator": integrator}
    # some of these steps are too long on purpose: their audit would say so
    runs = [lw.simulate(model, times=[1], fixed_step=float(step), audit=False, **settings) for step in steps]
    errors = [np.linalg.norm([run[f"top.q{i}"][-1] - exact[i] for i in range(4)]) for run in runs]
    axes.loglog(steps * 1e3, errors, "o-", label=integrator)
axes.minorticks_off()
axes.set_xticks(steps * 1e3, [f"{step * 1e3:g}" for step in steps])
axes.set(xlabel="step [ms]", ylabel="error of the quaternion after 1 s")
axes.legend(frameon=False)
plt.show()
