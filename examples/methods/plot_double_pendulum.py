"""
One motion, several formulations
================================

Coordinates and formulations are choices of method: they must not change the motion. A double pendulum is chaotic, so
every difference grows by factors of ten, and it is a severe judge. All six combinations of coordinates and
formulations start together here, and part when their rounding errors and tolerances have been amplified enough.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: double_pendulum
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0.7, 0.7], E: [0.7, 1.5]}
bodies:
  upper: {bar: [O, A], mass: 1 kg}
  lower: {bar: [A, E], mass: 0.8 kg}
joints:
  O: {kind: revolute, bodies: [ground, upper]}
  A: {kind: revolute, bodies: [upper, lower]}
""")

# %%
# Relative coordinates are the two angles; natural ones are the four coordinates of the points A and E with two
# conditions of rigidity; mixed ones are the places of both bars and the two angles, with a condition for each but two.

runs = {}
for coordinates in ("relative", "natural", "mixed"):
    for formulation in ("partitioning", "multipliers"):
        run = lw.simulate(model, until="10 s", coordinates=coordinates, formulation=formulation, rtol=1e-12, atol=1e-13)
        runs[f"{coordinates}, {formulation}"] = run
        steps, drift = run.statistics["steps"], np.ptp(run.energy)
        print(f"{coordinates:>9}, {formulation:<12}  {steps:4d} steps, energy changes by {drift:.1e} J")

# %%
reference = runs["relative, partitioning"]
reference.animate("double_pendulum.html", trace="E", plot=["O.angle", "A.angle"])

# %%
reference.plot_path("E", time="0.8 s")

# %%
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for name, run in list(runs.items())[1:]:
    apart = np.hypot(run["E.x"] - reference["E.x"], run["E.y"] - reference["E.y"])
    axes.semilogy(run.time, apart + 1e-17, label=name, linewidth=1)
axes.set(xlabel="time [s]", ylabel="distance from 'relative, partitioning' [m]", ylim=(1e-17, 10))
axes.legend(frameon=False)
plt.show()
