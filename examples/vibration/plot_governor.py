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
rest = lw.find_equilibrium(governor, parameters={"Omega": 8})
print(rest)
rest.plot()

# %%
# The path over the speed, and the closed form.
path = lw.equilibrium_path(governor, {"Omega": np.linspace(14, 4, 41)})
arm, slowest = 0.4, np.sqrt((1.5 + 0.5) * 9.81 / (1.5 * 0.4))
speeds = np.linspace(slowest, 14, 200)

figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
axes.plot(speeds, np.degrees(np.arccos((slowest / speeds) ** 2)), color="0.7", linewidth=4, label="closed form")
axes.plot(path["Omega"], np.degrees(np.arccos(-path["lift.position"] / arm)), ".", color="#0072b2", label="found")
axes.axvline(slowest, color="0.5", linestyle=":")
axes.set(xlabel="speed [rad/s]", ylabel="angle of the arms [deg]")
axes.legend(frameon=False)
plt.show()

# %%
# The spindle goes from 8 to 10 rad/s at once: the balls rise from their first position of rest and swing about the other.
run = lw.simulate(rest, until="3 s", parameters={"Omega": 10, "damping": 20})
run.animate("governor.html", trace=["B", "D"], plot="lift.position")

# %%
# The balls swing about this position. ``root_locus`` takes a position of rest along from speed to speed: the faster the
# spindle turns, the more stiffly it holds the balls.
locus = lw.root_locus(governor, {"Omega": np.linspace(6, 14, 33)}, about="equilibrium", parameters={"damping": 20})
print(locus)
locus.plot()
