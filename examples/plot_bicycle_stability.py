"""
At which speeds a bicycle balances itself
=========================================

The bicycle of :doc:`plot_bicycle`, linearised about steady rolling: its eigenvalues over the speed. Between the weave speed
and the capsize speed no mode grows. The model is made of bodies, joints and wheels that roll; its derivatives are exact, and
the speeds agree with the benchmark of Meijaard, Papadopoulos, Ruina and Schwab (2007) to all digits: 4.292382536 m/s and
6.024262015 m/s.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.example("bicycle")
locus = lw.root_locus(model, {"v": np.linspace(0.25, 10, 27)}, parameters={"push": 0})
print(locus)

figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
for branch in locus.eigenvalues.T:
    axes.plot(locus.values, branch.real, color="#0072b2")
    axes.plot(locus.values, np.where(branch.imag > 0, branch.imag, np.nan), "--", color="#d55e00")
for low, high in locus.ranges:
    axes.axvspan(low, high, color="#009e73", alpha=0.15, label="stays up by itself")
axes.axhline(0, color="0.6", linewidth=0.8)
axes.set_ylim(-10, 10)
axes.set_xlabel("speed [m/s]")
axes.set_ylabel("real parts (full), imaginary parts (dashed) [1/s]")
axes.legend(frameon=False)
plt.show()

# %%
# The modes at 5 m/s: capsize, weave and the castering of the front wheel, in lean (how far the axle rises) and steer.
print(lw.modes(model, states=["L.z", "S.angle", "R.angle"], parameters={"v": 5, "push": 0}))
