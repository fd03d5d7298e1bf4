"""
Sarrus' linkage: an exact straight line
=======================================

The oldest linkage that guides a body along a straight line exactly (Sarrus, 1853): two pairs of hinged plates in planes
that cross. Each pair keeps the platform parallel to one direction; together they leave it the vertical alone. The count
of freedoms says that it cannot move. Its rank says that it can, and the report names the condition that is one too
many.

.. literalinclude:: ../../../src/linkwork/mechanisms/sarrus.yaml
   :language: yaml
   :class: model-file
"""

import numpy as np

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
result.animate("sarrus.html", trace="T", plot="T.z")

# %%
result.plot_path("T", "B1", "B2", time=float(result.time[np.argmin(result["T.z"])]))

# %%
result.plot("T.z", units={"T.z": "mm"})
