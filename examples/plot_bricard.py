"""
Bricard's mechanism
===================

Six revolute joints in a ring of five rods: by the count of freedoms it cannot move, yet it does, because its axes are
special. This is problem A04 of the IFToMM benchmark for multibody dynamics. Linkwork counts, finds the rank at the
assembled position, and names the condition that is redundant.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

corners = {"P1": [0, 0, 0], "P2": [1, 0, 0], "P3": [1, -1, 0], "P4": [1, -1, 1], "P5": [0, -1, 1], "P6": [0, 0, 1]}
x, y, z = [1, 0, 0], [0, 1, 0], [0, 0, 1]
axes = [y, z, x, y, z, x]
chain = ["ground", "r1", "r2", "r3", "r4", "r5", "ground"]

hinge = {"kind": "revolute"}
model = lw.Model(
    name="Bricard",
    space="spatial",
    gravity=[0, -9.81, 0],
    points=corners,
    bodies={f"r{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1, "section": [0.1, 0.1]} for i in range(1, 6)},
    joints={name: dict(hinge, bodies=[*chain[i : i + 2]], axis=axes[i]) for i, name in enumerate(corners)},
)
topology = lw.analyse(model)
print(f"freedoms by count: {topology.mobility.by_count}, by rank: {topology.freedoms}")
print("redundant:", *topology.redundant)

# %%
# It falls from rest, and comes back. Energy is constant; the loop stays closed to rounding errors.

result = lw.simulate(model, until="10 s")
print(f"energy changes by {np.ptp(result.energy):.1e} J, the loop opens by {result.closure_error.max():.1e} m")

# %%
figure = plt.figure(figsize=(10, 4.2), layout="constrained")
scene = figure.add_subplot(1, 2, 1, projection="3d")
ring = np.array([[result[f"{name}.{axis}"] for axis in "zxy"] for name in [*corners, "P1"]])  # (7, 3, N)
for k, shade in ((0, 0.3), (125, 1.0)):
    scene.plot(*ring[:, :, k].T, "o-", color="#0072b2", alpha=shade, linewidth=2.5)
for i in (1, 2, 3, 4):
    scene.plot(*ring[i], color="#d55e00", linewidth=1, label="paths of P2 to P5" if i == 1 else None)
scene.set(xlabel="z [m]", ylabel="x [m]", zlabel="y [m]", title="at 0 s (pale) and 1.25 s", aspect="equal")
for axis in (scene.xaxis, scene.yaxis, scene.zaxis):
    axis.set_major_locator(plt.MultipleLocator(1))
scene.legend(frameon=False)
right = figure.add_subplot(1, 2, 2)
for name in ("P3.x", "P3.y", "P3.z"):
    right.plot(result.time, result[name], label=name)
right.set(xlabel="time [s]", ylabel="position of P3 [m]")
right.legend(frameon=False)
plt.show()
