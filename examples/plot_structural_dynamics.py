"""
Vibrations that are too fast
============================

Methods of structural dynamics are made for vibrations that a step cannot follow. What a step leaves of one is the spectral
radius: all with Newmark's average acceleration, and with generalised-α as little as is asked for at the right end, while
slow vibrations, on the left, are hardly damped. Wilson's method does worse at both ends, and in the first steps the
vibrations that it cannot follow overshoot by far.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw
from linkwork.integrators import HHT, Collocation, GeneralisedAlpha, Newmark, WilsonTheta, spectral_radius

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
per_period = np.geomspace(0.01, 1000, 400)  # h/T
damped = [GeneralisedAlpha(rho) for rho in (0.8, 0.4, 0.0)]
chosen = [Newmark(), *damped, HHT(-0.3), WilsonTheta(), Collocation()]
for method in chosen:
    axes.semilogx(per_period, spectral_radius(method, 2 * np.pi * per_period), label=method.title)
axes.set(xlabel="step / period", ylabel="spectral radius", ylim=(0, 1.05))
axes.legend(frameon=False)
plt.show()

# %%
# A stiff spring in the elbow of a double pendulum shows the same. Its vibration is kept, or gone after a few steps:
elbow = lw.Model(
    name="elbow",
    space="planar",
    gravity=[0, -9.81],
    points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
    bodies={"upper": {"bar": ["O", "A"], "mass": 1}, "lower": {"bar": ["A", "B"], "mass": 1}},
    joints={
        "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
        "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
    },
    forces={"spring": {"kind": "torsion_spring", "joint": "A", "free_angle": 0, "stiffness": 1e6}},
    initial={"A": {"angle": 0.01}},
)
figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
for rho in (1.0, 0.5):
    run = lw.simulate(elbow, until=0.2, step=0.002, integrator=GeneralisedAlpha(rho), fixed_step=0.002, audit=False)
    axes.plot(run.time, run["A.angle"], label=f"ρ = {rho}")
axes.set(xlabel="time [s]", ylabel="angle of the elbow [rad]")
axes.legend(frameon=False, loc="lower right")
plt.show()
