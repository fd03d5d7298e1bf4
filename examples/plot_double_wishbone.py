"""
A double wishbone suspension
============================

Two arms hinged to the body of the car carry the upright of a front wheel; a tie rod from the steering rack keeps it
from turning about the line of the two ball joints. What is left is one freedom, the travel of the wheel, and on the way
the wheel leans (camber) and steers (toe) by a little: that little is what such a suspension is designed for. The tie
rod is a distance link, the tyre a formula of the state.

.. literalinclude:: ../../src/linkwork/mechanisms/double_wishbone.yaml
   :language: yaml
"""

import matplotlib.pyplot as plt
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
figure = plt.figure(figsize=(11, 5), layout="constrained")
scene = figure.add_subplot(1, 2, 1, projection="3d")
names = ("lower arm", "upper arm", "upright", "tie rod", "spring and damper")
parts = ("LF L LR LF", "UF U UR UF", "L arm U centre L", "rack arm", "top seat")
turn = np.linspace(0, 2 * np.pi, 61)
for k, shade in ((0, 0.2), (np.argmax(travel), 1.0)):
    place = {name: np.array([result[f"{name}.{axis}"][k] for axis in "xyz"]) for name in model.points}
    for part, name, colour in zip(parts, names, ("#0072b2", "#56b4e9", "#d55e00", "#009e73", "0.3"), strict=True):
        corners = np.transpose([place[point] for point in part.split()])
        scene.plot(*corners, "o-", color=colour, alpha=shade, linewidth=3, label=name if shade == 1 else None)
    down, axle = place["patch"] - place["centre"], (place["axle"] - place["centre"]) / 0.1
    wheel = place["centre"] + np.outer(np.cos(turn), down) + np.outer(np.sin(turn), np.cross(axle, down))
    for side in (-0.08, 0.08):
        scene.plot(*(wheel + side * axle).T, color="0.2", alpha=shade)
scene.set(title="at rest (pale) and on the bump", xlim=(-0.3, 0.3), ylim=(0.35, 0.85), zlim=(0, 0.7))
scene.set_box_aspect((0.6, 0.5, 0.7), zoom=1.3)
scene.set_axis_off()
scene.view_init(elev=12, azim=28)
scene.legend(frameon=False, loc="upper left")
right = figure.add_subplot(2, 2, 2)
right.plot(result.time, travel, color="0.3")
right.set(xlabel="time [s]", ylabel="wheel travel [mm]", xlim=(0.4, 1))
below = figure.add_subplot(2, 2, 4)
below.plot(travel, camber, color="#d55e00", label="camber")
below.plot(travel, toe, color="#009e73", label="toe-in")
below.set(xlabel="wheel travel [mm]", ylabel="angle [deg]")
below.legend(frameon=False)
plt.show()
