"""
A car in real time
==================

A car of 25 bodies and 15 freedoms (``benchmarks/car.yaml``): McPherson struts and rack-and-pinion steering in front, arms
and links behind, springs, dampers and tyres. It is stepped by hand, a millisecond at a time. Between the steps somebody
turns the steering wheel, and the left wheels run over a kerb: both are live parameters, and nothing is compiled again.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.load("../benchmarks/car.yaml")
rt = lw.realtime(model, "1 ms", outputs=["chassis.vx"], keep=500, every=10)

# 2 s of a lane change, and a kerb of 60 mm on the way of the left wheels, which are 2.6 m behind each other
while rt.time < 5.0:
    steer = np.radians(45) * np.sin(np.pi * (np.clip(rt.time, 0.5, 2.5) - 0.5))
    kerb = np.interp([15 * rt.time + 2.6, 15 * rt.time], [44, 44.5, 46.5, 47], [0, 0.06, 0.06, 0])
    rt.set(steer=steer, road_FL=kerb[0], road_RL=kerb[1])
    rt.step(10)
print(rt)

# %%
# The last 500 samples are a result like any other; each has the parameters of its time. Here the left front wheel is on
# the kerb.

result = rt.result
moment, turn = 282, np.linspace(0, 2 * np.pi, 61)
figure = plt.figure(figsize=(11, 7.5), layout="constrained")
scene = figure.add_subplot(2, 1, 1, projection="3d")


def draw(corners, text, **style):
    # a line through points of some corners at the moment of the picture
    names = [f"{corner}_{point}.{axis}" for corner in corners.split() for point in text.split() for axis in "xyz"]
    values = result.values(names)
    places = np.array([values[name][moment] for name in names]).reshape(-1, 3)
    scene.plot(*places.T, **style)
    return places


for level in ("top", "hinge"):
    draw("FL FR RR RL FL", level, color="0.6", linewidth=4)
front = "hinge ball tie_out tie_in tie_out ball hub ball foot top"
rear = "top seat hinge ball hub toe_link_out toe_link_in toe_link_out hub front_link_out front_link_in"
for corner, line in {"FL": front, "FR": front, "RL": rear, "RR": rear}.items():
    draw(corner, line, color="#0072b2", linewidth=2)
    hub, axle, patch = draw(corner, "hub axle patch", alpha=0)
    rim = np.outer(np.cos(turn), patch - hub) + np.outer(np.sin(turn), np.cross((axle - hub) / 0.1, patch - hub))
    scene.plot(*(hub + rim).T, color="0.2", linewidth=3)
scene.set_box_aspect(np.ptp([scene.get_xlim(), scene.get_ylim(), scene.get_zlim()], axis=1), zoom=1.25)
scene.view_init(elev=18, azim=-35)
scene.set_axis_off()
for place, names in ((3, ("FL_spring.length", "FR_spring.length")), (4, ("chassis.wx", "chassis.wz"))):
    axes = figure.add_subplot(2, 2, place, xlabel="time [s]", ylabel=result.quantity(names[0]).unit)
    for name in names:
        axes.plot(result.time, result[name], label=name)
    axes.legend(frameon=False)
plt.show()
