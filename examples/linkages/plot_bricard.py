"""
Bricard's mechanism
===================

Six revolute joints in a ring of five rods: by the count of freedoms it cannot move, yet it does, because its axes are
special. This is problem A04 of the IFToMM benchmark for multibody dynamics. Linkwork counts, finds the rank at the
assembled position, and names the condition that is redundant.
"""

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
result.animate("bricard.html", trace=["P2", "P3", "P4", "P5"], plot=["P3.x", "P3.y", "P3.z"])

# %%
result.plot_path("P2", "P3", "P4", "P5", time="1.25 s")

# %%
result.plot("P3.x", "P3.y", "P3.z")
