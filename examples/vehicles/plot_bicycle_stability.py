"""
At which speeds a bicycle balances itself
=========================================

The bicycle of :doc:`plot_bicycle`, linearised about steady rolling: its eigenvalues over the speed. Between the weave speed
and the capsize speed no mode grows. The model is made of bodies, joints and wheels that roll; its derivatives are exact, and
the speeds agree with the benchmark of Meijaard, Papadopoulos, Ruina and Schwab (2007) to all digits: 4.292382536 m/s and
6.024262015 m/s.
"""

# sphinx_gallery_thumbnail_number = 2
import numpy as np

import linkwork as lw

model = lw.example("bicycle")
locus = lw.root_locus(model, {"v": np.linspace(0.25, 10, 27)}, parameters={"push": 0})
print(locus)

figure = locus.plot()
over, _ = figure.axes
over.set_ylim(-10, 10)
for low, high in locus.ranges:
    over.axvspan(low, high, color="#009e73", alpha=0.15, label="stays up by itself")
over.legend(frameon=False)

# %%
# The modes at 5 m/s: capsize, weave and the castering of the front wheel, in lean (how far the axle rises) and steer.
modes = lw.modes(model, states=["L.z", "S.angle", "R.angle"], parameters={"v": 5, "push": 0})
print(modes)

# %%
weave = next(mode for mode in modes if mode.frequency > 0)
weave.plot()

# %%
weave.motion().animate("weave.html", trace=["F", "R"], plot="S.angle")
