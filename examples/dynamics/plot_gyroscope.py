"""
A gyroscope in gimbals
======================

A weight hangs on the axis of a spinning rotor and should pull it down. Instead the axis walks round sideways: it
*precesses*, at the rate :math:`\\Omega = m g l / (C n)` with the moment of inertia :math:`C` and the spin :math:`n` of the
rotor. With a level axis this is exact, if the precession has its rate from the start. Let go from rest, the axis nods
(nutation) about the same mean motion.

.. literalinclude:: ../../../src/linkwork/mechanisms/gyroscope.yaml
   :language: yaml
   :class: model-file
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.example("gyroscope")
inertia = 0.5 * 0.05**2 / 2


def rate(spin):
    """Precession of the fast gyroscope, rad/s."""
    return 0.2 * 9.81 * 0.05 / (inertia * spin)


steady = lw.simulate(model, until="4 s", parameters={"start": rate(100)}, rtol=1e-10)
print(f"steady: the axis leaves the level by {abs(steady['nutation.angle']).max():.1e} rad")

# %%
# Let go from rest: the faster the spin, the nearer the mean precession comes to the formula.

runs = {spin: lw.simulate(model, until="4 s", step=0.002, parameters={"spin": spin}) for spin in (50, 100, 200)}
for spin, run in runs.items():
    mean = np.polyfit(run.time, run["precession.angle"], 1)[0]
    print(f"spin {spin:3d} rad/s: mean precession {mean:.3f} rad/s, {mean / rate(spin) - 1:+.1%} from {rate(spin):.3f}")

# %%
# The rings have no shape in the model, which knows their inertia alone: they are drawn here by hand.

figure = plt.figure(figsize=(6, 5), layout="constrained")
scene = figure.add_subplot(projection="3d")
run, k, turn = runs[100], 850, np.linspace(0, 2 * np.pi, 91)
psi, theta = run["precession.angle"][k], run["nutation.angle"][k]
about_z = np.array([[np.cos(psi), -np.sin(psi), 0], [np.sin(psi), np.cos(psi), 0], [0, 0, 1]])
about_y = np.array([[np.cos(theta), 0, np.sin(theta)], [0, 1, 0], [-np.sin(theta), 0, np.cos(theta)]])
level, upright = np.array([[np.cos(turn), np.sin(turn), 0 * turn], [0 * turn, np.cos(turn), np.sin(turn)]])
scene.plot(*about_z @ (0.09 * upright), color="#0072b2", linewidth=4, label="outer ring")
scene.plot(*about_z @ about_y @ (0.075 * level), color="#009e73", linewidth=4, label="inner ring")
scene.plot(*about_z @ about_y @ (0.05 * upright), color="#d55e00", linewidth=6, label="rotor")
scene.plot(*np.outer(about_z @ about_y @ [0.12, 0, 0], [-0.6, 1]), color="0.3", linewidth=2)
tip = 2.4 * np.array([run[f"W.{axis}"] for axis in "xyz"])
scene.plot(*tip[:, : k + 1], "-o", color="0.3", linewidth=1, markersize=8, markevery=[-1], label="path of the axis")
scene.set(xlim=(-0.1, 0.1), ylim=(-0.1, 0.1), zlim=(-0.1, 0.1), title="after 1.7 s, spin 100 rad/s")
scene.set_box_aspect((1, 1, 1), zoom=1.2)
scene.set_axis_off()
scene.view_init(elev=25, azim=35)
scene.legend(frameon=False, loc="upper left")
plt.show()

# %%
# On the page, the arm is the axis of the rotor with its weight.

runs[100].animate("gyroscope.html", trace="W", plot=["nutation.angle", "precession.angle"])

# %%
# The precession from rest. The slower the spin, the faster it is, and the more the axis nods.

others = {f"spin {spin} rad/s": runs[spin] for spin in (100, 200)}
runs[50].plot("precession.angle", units={"precession.angle": "deg"}, label="spin 50 rad/s", beside=others)
