"""
Steps that are too long
=======================

A step of an integrator multiplies a solution of :math:`\\dot y = \\lambda y` by :math:`R(h\\lambda)`. Where
:math:`|R| \\le 1` it does not grow: the region of absolute stability, inside which :math:`h\\lambda` of every motion of a
model has to lie that decays or vibrates. Vibrations without damping are on the imaginary axis.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

names = ["euler", "heun", "rk4", "rkf45", "dopri5", "dop853"]
figure, axes = plt.subplots(figsize=(6.5, 7), layout="constrained")
lw.integrators.stability_region(*names).plot(axes=axes)
axes.set_title("regions of absolute stability")
plt.show()

# %%
# Their ends on both axes, and errors of period and amplitude of a vibration at several steps.
print(*map(lw.integrators.stability_limits, [*names, "trapezoidal"]), sep="\n")
print(lw.integrators.oscillator_table([*names, "trapezoidal"], steps=[0.1, 0.5]))

# %%
# The limits are those of mechanisms too. A pendulum with small swings and steps just below and above
# :math:`2\sqrt 2 / \omega`, the limit of Runge-Kutta 4:
pendulum = lw.Model(
    name="pendulum",
    space="planar",
    gravity=[0, -9.81],
    bodies={"bob": {"bar": ["O", "P"], "length": 1, "mass": 1}},
    points={"O": [0, 0], "P": [0, -1]},
    joints={"O": {"kind": "revolute", "bodies": ["ground", "bob"]}},
    initial={"O": {"speed": 1e-6}},
)
omega = np.sqrt(1.5 * 9.81)
figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
for factor in (0.97, 1.03):
    step = factor * lw.integrators.stability_limits("rk4").imaginary / omega
    run = lw.simulate(pendulum, until=60 * step, step=step, integrator="rk4", fixed_step=step, audit=False)
    axes.semilogy(np.abs(run["O.angle"] - run["O.angle"][0])[1:], label=f"{factor} of the limit")
axes.set(xlabel="step", ylabel="size of the angle [rad]")
axes.legend(frameon=False)
plt.show()
