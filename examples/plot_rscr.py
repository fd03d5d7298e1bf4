"""
A spatial four-bar in all kinds of coordinates
==============================================

A crank on a revolute joint (R), a ball (S), a coupler that slides and turns on a shaft of the rocker (C), and a rocker on
a revolute joint (R): the mechanism with which García de Jalón and Bayo compare kinds of coordinates (Tables 2.1 to 2.3 of
*Kinematic and Dynamic Simulation of Multibody Systems*). It has one freedom and no redundant constraint.

.. literalinclude:: ../../src/linkwork/mechanisms/rscr.yaml
   :language: yaml
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.example("rscr")
topology = lw.analyse(model)
print(topology)

# %%
# The same mechanism costs different numbers of unknowns and conditions; their difference is the freedom.

for kind in ("relative", "reference_point", "natural", "mixed"):
    print(str(lw.number(topology, kind)).splitlines()[0])

# %%
# A motor turns the crank. The loop has a closed form with up to four branches, so that nothing is iterated. Over a whole
# turn the motor does no work: everything comes back to where it was.

driven = lw.Model(**{**model.to_dict(), "drivers": {"motor": {"joint": "O", "speed": "60 rpm"}}})
result = lw.simulate(driven, until="1 s", step=0.005)
work = np.trapezoid(result["motor.effort"] * 2 * np.pi, result.time)
print(f"torque up to {abs(result['motor.effort']).max():.2f} N m, work of a turn {work:.1e} J")

# %%
figure = plt.figure(figsize=(11, 4.8), layout="constrained")
scene = figure.add_subplot(1, 2, 1, projection="3d")
names = ("O", "A", "coupler.B", "C", "rocker.B", "E", "F")
place = {name: np.array([result[f"{name}.{axis}"] for axis in "xyz"]) for name in names}  # each (3, N)
parts = {"crank": "O A", "coupler": "A coupler.B", "rocker and its shaft": "C rocker.B E F"}
for k, shade in ((0, 0.25), (90, 1.0)):
    for (part, points), colour in zip(parts.items(), ("#d55e00", "#009e73", "#0072b2"), strict=True):
        line = np.transpose([place[name][:, k] for name in points.split()])
        scene.plot(*line, "o-", color=colour, alpha=shade, linewidth=4, label=part if shade == 1 else None)
for name in ("A", "coupler.B"):
    scene.plot(
        *place[name], color="0.4", linewidth=1, label="paths of the ball and of the sleeve" if name == "A" else None
    )
scene.set(title="at 0 s (pale) and 0.45 s", xlim=(-0.15, 0.85), ylim=(-0.2, 0.4), zlim=(-0.1, 0.4))
scene.set_box_aspect((1, 0.6, 0.5), zoom=1.35)
scene.view_init(elev=30, azim=-70)
scene.set_axis_off()
scene.legend(frameon=False, loc="upper left")
right = figure.add_subplot(2, 2, 2)
right.plot(np.degrees(result["O.angle"]), np.degrees(result["C.angle"]), color="#0072b2")
right.set(ylabel="rocker [deg]", xticks=range(0, 361, 60))
below = figure.add_subplot(2, 2, 4)
below.plot(np.degrees(result["O.angle"]), 1000 * result["B.position"], color="#009e73")
below.set(xlabel="crank [deg]", ylabel="sleeve on the shaft [mm]", xticks=range(0, 361, 60))
plt.show()
