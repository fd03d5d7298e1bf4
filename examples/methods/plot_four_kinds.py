"""
One four-bar in four kinds of coordinates
=========================================

The unknowns of a mechanism can be chosen in several ways: angles of the joints, places of the bodies, points of the bars,
or bodies and joints together. All give the same motion. They differ in the number of unknowns and conditions, and in what
one step costs.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.example("four_bar")
topology = lw.analyse(model)
kinds = ("relative", "reference_point", "natural", "mixed")
for kind in kinds:
    print(f"{kind:>15}: {lw.number(topology, kind).counts()}")

# %%
# The four-bar falls from rest for ten seconds. Every run uses the formulation that is the default with its coordinates.
# The best of five integrations is noted; what is compiled once is not part of it.

runs, times = {}, {}
for kind in kinds:
    options = {"until": "10 s", "step": 0.02, "coordinates": kind, "rtol": 1e-11, "atol": 1e-13}
    found = [lw.simulate(model, **options) for _ in range(5)]
    runs[kind], times[kind] = found[0], 1000 * min(run.statistics["wall time"] for run in found)
    error = abs(runs[kind]["crank.angle"] - runs["relative"]["crank.angle"]).max()
    print(f"{kind:>15}: {times[kind]:5.2f} ms, crank angle differs by {error:.0e} rad from relative coordinates")

# %%
# Where the unknowns of each kind are: angles of joints, positions of points, or positions and angles of bodies.

texts = ("angles of joints", "positions and angles of bodies", "positions of points", "bodies, and angles of joints")
names = {"O": "OO", "A": "AA", "B": "BB", "C": "CC", "crank": "OA", "coupler": "AB", "rocker": "CB"}
place = {name: np.array([runs["relative"][f"{name}.{axis}"][0] for axis in "xy"]) for name in "OABC"}
spots = {name: (place[ends[0]] + place[ends[1]]) / 2 for name, ends in names.items()}
figure, axes = plt.subplots(2, 2, figsize=(10, 6), layout="constrained")
for axis, kind, text in zip(axes.flat, kinds, texts, strict=True):
    runs["relative"].plot_path(axes=axis)
    coordinates = lw.number(topology, kind)
    for owner in dict.fromkeys(name.split(".")[0] for name in coordinates.kinematics.q_names):
        axis.plot(*spots[owner], "o", color="#0072b2" if owner in model.bodies else "#d55e00", markersize=11, zorder=9)
    size = coordinates.counts()
    axis.set_title(f"{kind}: {text}\n{size.positions} unknowns, {size.conditions} conditions, {times[kind]:.1f} ms")
    axis.set(aspect="equal", xlim=(-0.6, 4.2), ylim=(-0.3, 3.7))
    axis.set_axis_off()
plt.show()
