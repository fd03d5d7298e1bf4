"""
A Geneva drive
==============

A crank that turns steadily moves a wheel by a quarter of a turn and lets it stand for the rest: film projectors and
indexing tables work so. While the pin is in the slot the joint is a point on a line. The run begins where the pin enters
and ends, by an event, where it leaves.

.. literalinclude:: ../../../src/linkwork/mechanisms/geneva.yaml
   :language: yaml
   :class: model-file
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.example("geneva")
leaves = lw.Event("slot.position - 0.06", direction=1, stop=True)
result = lw.simulate(model, until="1 s", step=5e-4, events={"exit": leaves}, rtol=1e-10, atol=1e-12)
print(result.outcome)

# %%
# With the crank angle :math:`\alpha` from the line of centres and :math:`\lambda = r/a`, the slot has the angle
# :math:`\beta = \arctan(\lambda \sin\alpha / (1 - \lambda\cos\alpha))`. Its rates are exact formulas too.

alpha, speed, ratio = result["C.angle"] - np.pi, 4 * np.pi, np.sqrt(0.5)
below = 1 - 2 * ratio * np.cos(alpha) + ratio**2
velocity = -speed * (ratio * np.cos(alpha) - ratio**2) / below
acceleration = -(speed**2) * ratio * (ratio**2 - 1) * np.sin(alpha) / below**2
print(f"turned by {np.degrees(np.ptp(result['wheel.angle'])):.9f} degrees in {result.time[-1]:.9f} s")
print(f"speed differs by {abs(result['wheel.speed'] - velocity).max():.1e} rad/s of {abs(velocity).max():.1f}")
print(f"acceleration differs by {abs(result['wheel.acceleration'] - acceleration).max():.1e} rad/s²")

# %%
# The pin enters the slot, turns the wheel, and leaves it.

figure = plt.figure(figsize=(11, 3.6), layout="constrained")
circle = np.array([np.cos(np.linspace(0, 2 * np.pi, 91)), np.sin(np.linspace(0, 2 * np.pi, 91))])
for k, place in ((0, 1), (len(result) // 2, 2), (len(result) - 1, 3)):
    scene = figure.add_subplot(1, 3, place, aspect="equal", title=f"{1000 * result.time[k]:.0f} ms")
    scene.fill(*0.06 * circle, color="#56b4e9")
    for slot in result["wheel.angle"][k] + np.pi / 4 + np.arange(4) * np.pi / 2:
        along, between = ([np.cos(angle), np.sin(angle)] for angle in (slot, slot + np.pi / 4))
        scene.plot(*np.outer(along, [0.02, 0.07]), color="white", linewidth=7, solid_capstyle="round")
        scene.fill(*(0.085 * np.array([between]).T + 0.04 * circle), color="white")
    crank = np.array([[result[f"{point}.{axis}"][k] for point in "CP"] for axis in "xy"])
    scene.plot(*crank, color="#d55e00", linewidth=5, solid_capstyle="round")
    scene.plot(*np.column_stack([crank, [0, 0]]), "o", color="0.2")
    scene.set(xlim=(-0.065, 0.095), ylim=(-0.065, 0.065))
    scene.set_axis_off()
plt.show()

# %%
result.animate("geneva.html", trace="P", plot=["wheel.speed", "wheel.acceleration"])

# %%
# The acceleration begins and ends with a jump: a Geneva drive knocks, and the pin feels it.

result.plot("wheel.speed", "wheel.acceleration", "motor.effort")
