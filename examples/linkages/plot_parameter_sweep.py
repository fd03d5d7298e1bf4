"""
A sweep over a live parameter
=============================

A parameter that is declared *live* stays an input of the compiled code: it may change from run to run, and nothing is
compiled again. Here it is the length of the crank, so every run is assembled anew, and draws another coupler curve.
"""

import time

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: coupler_curves
space: planar
parameters:
  crank: {value: 0.5 m, live: true, description: length of the crank}
points: {O: [0, 0], A: [0, crank], B: [2.3, 2], C: [2.2, 0]}
bodies:
  disc:    {bar: [O, A], length: crank, mass: 1 kg}
  coupler: {bar: [A, B], length: 2.5 m, mass: 2 kg, points: {P: [1.2, 1.0]}}
  rocker:  {bar: [C, B], length: 2 m, mass: 2 kg}
joints:
  O: {kind: revolute, bodies: [ground, disc]}
  A: {kind: revolute, bodies: [disc, coupler]}
  B: {kind: revolute, bodies: [coupler, rocker]}
  C: {kind: revolute, bodies: [ground, rocker]}
drivers: {motor: {joint: O, speed: 60 rpm}}
""")

# %%
lengths = np.linspace(0.2, 1.4, 25)
lw.simulate(model, until="1 s")  # compiles
start = time.perf_counter()
runs = [lw.simulate(model, until="1 s", step="5 ms", parameters={"crank": length}) for length in lengths]
print(f"{len(runs)} runs, {(time.perf_counter() - start) / len(runs) * 1000:.0f} ms each")

# %%
# The coupler curves, with the linkage that draws the middle one.

figure, axes = plt.subplots(figsize=(7, 5), layout="constrained")
for run, colour in zip(runs, plt.cm.viridis(np.linspace(0, 1, len(runs))), strict=True):
    axes.plot(run["coupler.P.x"], run["coupler.P.y"], color=colour, linewidth=1)
middle = runs[len(runs) // 2]
middle.plot_path(time="0.15 s", axes=axes)
scale = plt.cm.ScalarMappable(plt.Normalize(lengths[0], lengths[-1]), "viridis")
figure.colorbar(scale, ax=axes, label="crank [m]")
plt.show()

# %%
middle.animate("coupler_curve.html", trace="coupler.P", plot="motor.effort")

# %%
# The swing of the rocker, and the largest torque of the motor, over the length of the crank.

figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
axes.plot(lengths, [np.degrees(np.ptp(run["C.angle"])) for run in runs], color="#0072b2")
axes.set(xlabel="crank [m]")
axes.set_ylabel("swing of the rocker [deg]", color="#0072b2")
other = axes.twinx()
other.plot(lengths, [abs(run["motor.effort"]).max() for run in runs], color="#d55e00")
other.set_ylabel("largest motor torque [N m]", color="#d55e00")
plt.show()
