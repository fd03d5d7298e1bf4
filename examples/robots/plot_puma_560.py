"""
A robot with six revolute joints
================================

The PUMA 560 with the link data that have been used to compare robot programs for decades. Its joints are driven along a
smooth path between two positions; what the motors must give comes out as the efforts of the drivers.

.. literalinclude:: ../../../src/linkwork/mechanisms/puma_560.yaml
   :language: yaml
   :class: model-file
"""

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
result.animate("puma_560.html", trace="tool", plot=["m1.effort", "m2.effort", "m3.effort"])

# %%
result.plot_path("tool", time="0.5 s")

# %%
result.plot("m?.effort")
