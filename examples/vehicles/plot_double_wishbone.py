"""
A double wishbone suspension
============================

Two arms hinged to the body of the car carry the upright of a front wheel; a tie rod from the steering rack keeps it
from turning about the line of the two ball joints. What is left is one freedom, the travel of the wheel, and on the way
the wheel leans (camber) and steers (toe) by a little: that little is what such a suspension is designed for. The tie
rod is a distance link, the tyre a formula of the state.

.. literalinclude:: ../../../src/linkwork/mechanisms/double_wishbone.yaml
   :language: yaml
   :class: model-file
"""

import numpy as np

import linkwork as lw

model = lw.example("double_wishbone")
print(lw.analyse(model))

# %%
# The wheel runs over a bump of 60 mm, 0.1 s long. Whatever its speed, at the same travel it
# has the same camber and toe: the curves on the right are run through many times. The toe hardly changes, because the
# inner end of the tie rod lies near the line between the hinges of the arms.

result = lw.simulate(model, until="1 s", step=0.002)
travel, camber, toe = 1000 * result["travel"], np.degrees(result["camber"]), np.degrees(result["toe_in"])
print(f"travel {travel.min():.0f} to {travel.max():.0f} mm, camber {camber.min():.1f} deg, toe-in {toe.max():.2f} deg")
print(f"force in the tie rod {result['tie_rod.tension'].min():.0f} to {result['tie_rod.tension'].max():.0f} N")

# %%
result.animate("double_wishbone.html", trace=["centre", "patch"], plot=["travel", "camber"])

# %%
# On the bump, with the path of the contact.

result.plot_path("patch", "centre", time=float(result.time[np.argmax(travel)]))

# %%
figure = result.plot("camber", "toe_in", over="travel", units={"travel": "mm"})
figure.axes[0].set_ylabel("camber, toe in [rad]")
