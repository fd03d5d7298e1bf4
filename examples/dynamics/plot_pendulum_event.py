"""
A pendulum and its period, by events
====================================

Events are formulas of the state; their zeros are located on the dense output while the run goes on. Here they give the
period of a pendulum as it grows with the amplitude, and the exact period is an elliptic integral to compare with.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import ellipk

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: pendulum
space: planar
gravity: [0, -9.81]
parameters: {amplitude: {value: 90 deg, live: true}}
points: {O: [0, 0], E: [0, -1]}
bodies: {rod: {bar: [O, E], mass: 1 kg, com: E, inertia: point}}
joints: {O: {kind: revolute, bodies: [ground, rod], reference: 0}}
initial: {O: {angle: amplitude}}
""")

# %%
# The event *passes* is noted at every passage of the lowest point, in both directions. *rests* ends the run when the
# pendulum has come back to where it was let go.

events = {"passes": "O.angle", "rests": lw.Event("O.speed", direction=-1, stop=True)}
result = lw.simulate(model, until="20 s", parameters={"amplitude": "170 deg"}, events=events)
print(result.outcome)
print(*result.events, sep="\n")

# %%
result.animate("pendulum.html", trace="E", plot="O.angle")

# %%
result.plot_path("E", time="0.9 s")

# %%
result.plot("O.angle", units={"O.angle": "deg"})

# %%
# The period over the amplitude: :math:`T = 4 \sqrt{l/g}\, K(\sin^2(\varphi_0/2))`. The amplitude is a live parameter:
# the model is compiled once.

amplitudes = np.radians(np.arange(5, 176, 5))
periods = []
for amplitude in amplitudes:
    swing = lw.simulate(model, until="20 s", parameters={"amplitude": amplitude}, events=events)
    periods.append(swing.events[-1].time)
exact = 4 * np.sqrt(1 / 9.81) * ellipk(np.sin(amplitudes / 2) ** 2)
print(f"largest relative difference: {np.max(np.abs(periods / exact - 1)):.1e}")

# %%
figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
axes.plot(np.degrees(amplitudes), exact, color="0.7", linewidth=4, label="elliptic integral")
axes.plot(np.degrees(amplitudes), periods, ".", color="#d55e00", label="events")
axes.set(xlabel="amplitude [deg]", ylabel="period [s]")
axes.legend(frameon=False)
plt.show()
