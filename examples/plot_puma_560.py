"""
A robot with six revolute joints
================================

The PUMA 560 with the link data that have been used to compare robot programs for decades. Its joints are driven along a
smooth path between two positions; what the motors must give comes out as the efforts of the drivers.

.. literalinclude:: ../../src/linkwork/mechanisms/puma_560.yaml
   :language: yaml
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

arm = lw.example("puma_560").to_dict()
nominal = [0, np.pi / 4, np.pi, 0, np.pi / 4, 0]


def follow(*formulas):
    """The robot with a formula of time for the angle of every joint."""
    drivers = {f"m{i}": {"joint": f"j{i}", "position": formula} for i, formula in enumerate(formulas, start=1)}
    return lw.Model(**{**arm, "drivers": drivers})


# %%
# First at rest in the nominal position: the torques against gravity are those of the literature (P. Corke's Robotics
# Toolbox), to the last digit that is known.

holding = lw.simulate(follow(*map(str, nominal)), until=0.01)
torques = np.array([holding[f"m{i}.effort"][0] for i in range(1, 7)])
print("at rest:", torques.round(6))
print("largest difference:", abs(torques - [0, 31.639880, 6.035138, 0, 0.028253, 0]).max())

# %%
# Then from there to a stretched arm on the other side, in one second. The path is a polynomial of degree five that
# starts and ends without speed and acceleration.

target = [2.2, 0.5, 4.5, 1.0, -0.6, 1.5]
path = [f"{a} + ({b - a})*t^3*(10 - 15*t + 6*t^2)" for a, b in zip(nominal, target, strict=True)]
result = lw.simulate(follow(*path), until="1 s", step=0.005)
power = sum(result[f"m{i}.effort"] * result[f"j{i}.speed"] for i in range(1, 7))
work, gain = np.trapezoid(power, result.time), result.energy[-1] - result.energy[0]
print(f"the motors do {work:.3f} J of work, the arm gains {gain:.3f} J; peak power {power.max():.0f} W")

# %%
figure = plt.figure(figsize=(11, 4.8), layout="constrained")
scene = figure.add_subplot(1, 2, 1, projection="3d")
joints = ("base", "shoulder", "elbow", "forearm", "wrist", "tool")
outline = np.array([[result[f"{name}.{axis}"] for axis in "xyz"] for name in joints])
for k, colour in ((0, "#56b4e9"), (100, "#009e73"), (200, "#0072b2")):
    scene.plot(*outline[:, :, k].T, "o-", color=colour, linewidth=5, markersize=8, label=f"at {result.time[k]:.1f} s")
    scene.plot(*outline[:, :2, k].T, 0, color="0.8", linewidth=3)
scene.plot(*outline[-1], color="#d55e00", label="path of the tool")
scene.set(xlim=(-0.7, 0.7), ylim=(-0.5, 0.9), zlim=(0, 1.2), xlabel="x [m]", ylabel="y [m]")
scene.set_box_aspect((1.4, 1.4, 1.2), zoom=1.05)
scene.view_init(elev=22, azim=-35)
scene.legend(frameon=False, loc="upper left")
right = figure.add_subplot(1, 2, 2)
for i in range(1, 7):
    right.plot(result.time, result[f"m{i}.effort"], label=f"joint {i}")
right.set(xlabel="time [s]", ylabel="torque of the motors [N m]")
right.legend(frameon=False)
plt.show()
