"""
Sarrus' linkage: an exact straight line
=======================================

The oldest linkage that guides a body along a straight line exactly (Sarrus, 1853): two pairs of hinged plates in planes
that cross. Each pair keeps the platform parallel to one direction; together they leave it the vertical alone. The count
of freedoms says that it cannot move. Its rank says that it can, and the report names the condition that is one too
many.

.. literalinclude:: ../../src/linkwork/mechanisms/sarrus.yaml
   :language: yaml
"""

import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

import linkwork as lw

model = lw.example("sarrus")
topology = lw.analyse(model)
print(f"freedoms by count: {topology.mobility.by_count}, by rank: {topology.freedoms}; redundant:", *topology.redundant)

# %%
# Let go, the platform bounces on its spring. It leaves its line by rounding errors only.

result = lw.simulate(model, until="1.5 s", step=0.005, rtol=1e-10)
off = np.hypot(result["T.x"], result["T.y"]).max()
tilt = np.sqrt(sum(result[f"platform.q{i}"] ** 2 for i in (1, 2, 3))).max()
print(f"off the line by {off:.1e} m, tilted by {2 * tilt:.1e} rad; energy changes by {np.ptp(result.energy):.1e} J")

# %%
# Which reactions can be told? The redundant constraint is a moment that the two pairs could hold against each other.

for name, reaction in result.reactions.items():
    print(f"{name}: not unique: {', '.join(reaction.not_unique) or 'none'}")

# %%
figure = plt.figure(figsize=(11, 4.8), layout="constrained")
scene = figure.add_subplot(1, 2, 1, projection="3d")
corner = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
for k, shade in ((0, 0.15), (np.argmin(result["T.z"]), 0.7)):
    place = {name: np.array([result[f"{name}.{axis}"][k] for axis in "xyz"]) for name in model.points}
    for i, colour, across in ((1, "#0072b2", [0, 0.08, 0]), (2, "#009e73", [0.08, 0, 0])):
        for start, end in ((place[f"A{i}"], place[f"B{i}"]), (place[f"B{i}"], place[f"C{i}"])):
            plate = [start - across, end - across, end + across, start + across]
            scene.add_collection3d(Poly3DCollection([plate], facecolor=colour, edgecolor="0.2", alpha=shade))
    top = place["T"] + 0.2 * corner
    scene.add_collection3d(Poly3DCollection([top], facecolor="#d55e00", edgecolor="0.2", alpha=shade))
scene.add_collection3d(Poly3DCollection([0.2 * corner], facecolor="0.8", edgecolor="0.2", alpha=0.8))
scene.plot([0, 0], [0, 0], [0, 0.4], "--", color="0.3")
scene.set(xlim=(-0.2, 0.4), ylim=(-0.2, 0.4), zlim=(0, 0.4), title="at the top (pale) and at the bottom")
scene.set_box_aspect((0.6, 0.6, 0.4), zoom=1.3)
scene.set_axis_off()
scene.view_init(elev=14, azim=40)
right = figure.add_subplot(1, 2, 2)
right.plot(result.time, 1000 * result["T.z"], color="#d55e00")
right.set(xlabel="time [s]", ylabel="height of the platform [mm]")
plt.show()
