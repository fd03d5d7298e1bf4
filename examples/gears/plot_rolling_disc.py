"""
A disc that rolls
=================

On a floor that is too rough to slip the contact takes one freedom of position from a disc, and rolling two more of velocity.
Rolled upright and nudged, a thin disc stays up if :math:`v^2 > g r / 3`, wavering about its way. Slower, it falls into a
turn that becomes tighter, until the turn lifts it up again: nothing takes energy away.

.. literalinclude:: ../../../src/linkwork/mechanisms/rolling_disc.yaml
   :language: yaml
   :class: model-file
"""

import numpy as np

import linkwork as lw

radius = 0.3
model = lw.example("rolling_disc").with_(outputs={"lean": f"180/pi*acos(min(1, O.z/{radius}))"})
mobility = lw.analyse(model).mobility
print(f"freedoms: {mobility.free} of position, {mobility.free_velocities} of velocity")
critical = np.sqrt(9.81 / (3 * radius))
runs = {part: lw.simulate(model, until=3, step=0.01, parameters={"spin": part * critical}) for part in (0.8, 1.2, 2.0)}
for part, run in runs.items():
    lowest = run["lean"].max()
    print(f"{part} of the critical speed: leans by up to {lowest:.0f} deg, energy within {np.ptp(run.energy):.0e} J")

# %%
# The slow disc.
runs[0.8].animate("rolling_disc.html", trace="O", plot="lean")

# %%
runs[0.8].plot_path("O", time="1.2 s")

# %%
# How far all of them lean: the centre is at the height :math:`r \cos\theta`.
others = {f"{part} of it": runs[part] for part in (1.2, 2.0)}
figure = runs[0.8].plot("lean", label="0.8 of the critical speed", beside=others)
figure.axes[0].set_ylabel("lean [deg]")
