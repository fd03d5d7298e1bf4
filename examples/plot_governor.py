r"""
How high the balls of a governor fly
====================================

Watt's governor turns with the shaft of an engine; the faster it turns, the higher its balls fly and lift a sleeve. Seen
from the spindle, at a given speed, that is a question of statics: weights and centrifugal forces are in balance. With balls
of mass m on arms of length l, and a sleeve of mass M that is lifted by links at half the arms, the arms stand at

.. math:: \cos\varphi = \frac{(m + M/2)\,g}{m\,\Omega^2 l},

and hang below the speed at which this is one. ``equilibrium_path`` follows the position from high speeds to low ones.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

governor = lw.example("governor")
print(lw.find_equilibrium(governor, parameters={"Omega": 8}))
path = lw.equilibrium_path(governor, {"Omega": np.linspace(14, 4, 41)})
arm, slowest = 0.4, np.sqrt((1.5 + 0.5) * 9.81 / (1.5 * 0.4))
speeds = np.linspace(slowest, 14, 200)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
left.plot(speeds, np.degrees(np.arccos((slowest / speeds) ** 2)), color="0.7", linewidth=4, label="closed form")
left.plot(path["Omega"], np.degrees(np.arccos(-path["lift.position"] / arm)), ".", color="#0072b2", label="found")
left.axvline(slowest, color="0.5", linestyle=":")
left.set(xlabel="speed [rad/s]", ylabel="angle of the arms [deg]")
left.legend(frameon=False)
for speed, colour in ((6, "#009e73"), (8, "#0072b2"), (12, "#d55e00")):
    eq = lw.find_equilibrium(governor, parameters={"Omega": speed})
    places = np.array([[eq[f"{point}.x"], eq[f"{point}.z"]] for point in "DOBASCO"])
    right.plot(*places.T, "-", color=colour, linewidth=2, label=f"{speed} rad/s")
    right.plot(*places[[0, 2]].T, "o", color=colour, markersize=14)
right.set_aspect("equal")
right.margins(0.12)
right.legend(frameon=False)
plt.show()

# %%
# The balls swing about this position. ``root_locus`` takes a position of rest along from speed to speed: the faster the
# spindle turns, the more stiffly it holds the balls.
locus = lw.root_locus(governor, {"Omega": np.linspace(6, 14, 33)}, about="equilibrium", parameters={"damping": 20})
print(locus)

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.plot(locus.values, locus.eigenvalues.real, color="#0072b2", label="real parts")
axes.plot(locus.values, locus.eigenvalues.imag, "--", color="#d55e00", label="imaginary parts")
axes.set(xlabel="speed [rad/s]", ylabel="eigenvalues [1/s]")
axes.legend(*(items[::2] for items in axes.get_legend_handles_labels()), frameon=False)
plt.show()
