"""
A Stewart platform
==================

Six struts carry a platform; with their lengths they hold all its six freedoms. Here the lengths are formulas of time:
those of a platform that runs round a circle, rising and sinking twice on the way, without turning. Nothing is left to
move by itself, so the platform must follow exactly, and the forces in the struts are what Newton's law says.

.. literalinclude:: ../../../src/linkwork/mechanisms/stewart_platform.yaml
   :language: yaml
   :class: model-file
"""

import numpy as np

import linkwork as lw

model = lw.example("stewart_platform")
print(lw.analyse(model))

# %%
# The platform keeps to the motion that its struts were cut for.

result = lw.simulate(model, until="1 s", step=0.005)
angle = 2 * np.pi * result.time
wanted = [0.1 * np.sin(angle), 0.1 - 0.1 * np.cos(angle), 0.6 + 0.02 * np.sin(2 * angle)]
print(f"off its path by {max(abs(result[f'G.{a}'] - w).max() for a, w in zip('xyz', wanted, strict=True)):.1e} m")

# %%
# Six tensions must give the forces :math:`m (a - g)` and no moment: an independent solution of six equations at every
# moment.

place = {name: np.stack([result[f"{name}.{axis}"] for axis in "xyz"]) for name in model.points}  # each (3, N)
legs = [place[f"A{i}"] - place[f"B{i}"] for i in range(1, 7)]
units = [leg / np.linalg.norm(leg, axis=0) for leg in legs]
moments = [np.cross(place[f"B{i + 1}"] - place["G"], unit, axis=0) for i, unit in enumerate(units)]
pull = np.moveaxis(np.stack([np.vstack(pair) for pair in zip(units, moments, strict=True)]), 2, 0)  # (N, 6 legs, 6)
forces = 25 * np.stack([result["G.ax"], result["G.ay"], result["G.az"] + 9.81, *3 * [0 * angle]], axis=1)
exact = np.linalg.solve(np.swapaxes(pull, 1, 2), forces[:, :, None])[:, :, 0]
tension = np.stack([result[f"leg{i}.tension"] for i in range(1, 7)], axis=1)
print(f"tensions from {tension.min():.0f} to {tension.max():.0f} N, wrong by {abs(tension - exact).max():.1e} N")

# %%
result.animate("stewart_platform.html", trace="G", plot="leg*.tension")

# %%
result.plot_path("G", time="0.3 s")

# %%
result.plot("leg*.tension")
