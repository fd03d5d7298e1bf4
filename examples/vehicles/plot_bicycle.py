"""
A bicycle that balances itself
==============================

A bicycle whose rider sits still and does not steer: frame, fork and two wheels that roll. At a walking pace it falls in a
growing weave, faster it steers itself under its fall and comes upright, and beyond 6.02 m/s it falls slowly into a turn. The
numbers are those of the benchmark of Meijaard, Papadopoulos, Ruina and Schwab (2007), whose linear equations

.. math:: M \\ddot q + v C_1 \\dot q + (g K_0 + v^2 K_2) q = 0, \\qquad q = (\\text{lean}, \\text{steer}),

are drawn dashed beside the motion of the model, which knows nothing of them.

.. literalinclude:: ../../../src/linkwork/mechanisms/bicycle.yaml
   :language: yaml
   :class: model-file
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import expm

import linkwork as lw

model = lw.example("bicycle")
topology = lw.analyse(model)
mobility = topology.mobility
print(f"freedoms: {mobility.free} of position, {mobility.free_velocities} of velocity")
topology.plot()

# %%
speeds, push = {3.5: 1.8, 5.0: 5.0, 8.0: 5.0}, 0.2
names = ("it weaves more and more", "it stays up", "it falls slowly into a turn")
runs = {v: lw.simulate(model, until=end, step=0.02, parameters={"v": v, "push": push}) for v, end in speeds.items()}
for v, run in runs.items():
    print(f"{v} m/s: energy {run.energy[0]:.1f} J within {np.ptp(run.energy):.0e} J, {run.outcome}")

# %%
# The first metres at 5 m/s, in which it falls to one side and steers itself under its fall.
first = lw.simulate(model, until="0.8 s", step=0.01, parameters={"v": 5, "push": push})
first.animate("bicycle.html", trace=["R", "F"], plot=["S.angle", "frame.wx"])

# %%
# The published matrices, and lean and steer after a push of 0.2 rad/s to the right.
M = np.array([[80.81722, 2.319413322087], [2.319413322087, 0.297841881997]])
C1 = np.array([[0, 33.866413914925], [-0.850356414570, 1.685403973976]])
K0 = np.array([[-80.95, -2.599516852499], [-2.599516852499, -0.803294884586]])
K2 = np.array([[0, 76.597345895732], [0, 2.654315237946]])
figure, panels = plt.subplots(2, 3, figsize=(11, 5.5), sharex="col", layout="constrained")
for (v, run), name, (top, bottom) in zip(runs.items(), names, panels.T, strict=True):
    state = np.linalg.solve(M, np.hstack([-9.81 * K0 - v**2 * K2, -v * C1]))
    linear = [expm(np.vstack([np.eye(2, 4, 2), state]) * t)[:2, 2] * push for t in run.time]
    lean = np.arcsin(run["L.z"] - run["R.z"])
    for panel, angle, exact in zip((top, bottom), (lean, run["S.angle"]), np.transpose(linear), strict=True):
        panel.plot(run.time, np.degrees(angle), color="#0072b2", label="model")
        panel.plot(run.time, np.degrees(exact), "--", color="#d55e00", label="linear equations")
        panel.axhline(0, color="0.8", linewidth=0.8, zorder=0)
    top.set_title(f"{v} m/s: {name}")
    bottom.set_xlabel("time [s]")
panels[0, 0].set_ylabel("lean [deg]")
panels[1, 0].set_ylabel("steer [deg]")
panels[0, 0].legend(frameon=False)
plt.show()
