"""
A disc that rolls
=================

On a floor that is too rough to slip the contact takes one freedom of position from a disc, and rolling two more of velocity.
Rolled upright and nudged, a thin disc stays up if :math:`v^2 > g r / 3`, wavering about its way. Slower, it falls into a
turn that becomes tighter, until the turn lifts it up again: nothing takes energy away.

.. literalinclude:: ../../src/linkwork/mechanisms/rolling_disc.yaml
   :language: yaml
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model, radius = lw.example("rolling_disc"), 0.3
mobility = lw.analyse(model).mobility
print(f"freedoms: {mobility.free} of position, {mobility.free_velocities} of velocity")
critical = np.sqrt(9.81 / (3 * radius))
runs = {part: lw.simulate(model, until=3, step=0.01, parameters={"spin": part * critical}) for part in (0.8, 1.2, 2.0)}
for part, run in runs.items():
    lowest = np.degrees(np.arccos(run["O.z"].min() / radius))
    print(f"{part} of the critical speed: leans by up to {lowest:.0f} deg, energy within {np.ptp(run.energy):.0e} J")

# %%
# The way of the slow disc, and how far all of them lean: the centre is at the height :math:`r \\cos\\theta`.
figure = plt.figure(figsize=(11, 4.8), layout="constrained")
scene, right = figure.add_subplot(1, 2, 1, projection="3d"), figure.add_subplot(1, 2, 2)
run, turn = runs[0.8], np.linspace(0, 2 * np.pi, 91)
centre, end, contact = (np.array([run[name + axis] for axis in "xyz"]) for name in ("O.", "A.", "floor.contact."))
for k in range(0, 241, 40):
    up = centre[:, k] - contact[:, k]
    level = np.cross((end - centre)[:, k] / 0.1, up)
    rim = centre[:, [k]] + np.outer(up, np.cos(turn)) + np.outer(level, np.sin(turn))
    scene.plot(*rim, color="#0072b2", linewidth=1.2)
scene.plot(*contact[:, :241], color="#d55e00", linewidth=2, label="path of the contact")
for part, run in runs.items():
    lean = np.degrees(np.arccos(np.clip(run["O.z"] / radius, -1, 1)))
    right.plot(run.time, lean, label=f"{part} of the critical speed")
scene.set_aspect("equal")
scene.view_init(elev=40, azim=-100)
scene.set(xlabel="x [m]", ylabel="y [m]", zticks=[], title="0.8 of the critical speed, every 0.4 s")
scene.legend(frameon=False, loc="upper left")
right.set(xlabel="time [s]", ylabel="lean [deg]")
right.legend(frameon=False)
plt.show()
