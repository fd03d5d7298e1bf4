r"""
A stack of fifty boxes, a chain that falls on a table
=====================================================

Where much touches at once, no run looks for the moment of every touch: steps of one size find all pushes together, by the
method of Moreau and Jean. It is asked for by its name, with a step.
"""

# %%
# Fifty boxes
# -----------
# They stand a centimetre to the left and to the right in turn, and nothing may move in ten seconds: what creeps, sinks in or
# falls over is a stack of soft contacts, or one whose pushes were not found.

import numpy as np

import linkwork as lw

hull = {"hull": {"box": [0.3, 0.1], "mass": 1}}
boxes = {
    f"box{i}": {"points": {"G": [0, 0]}, "origin": [0.01 * (-1) ** i, 0.05 + 0.1 * i], "shapes": hull}
    for i in range(50)
}
surfaces = {"floor": {"plane": [0, 1]}}
contacts = {"pile": {"between": ["floor", *boxes], "friction": 0.5}}
flat = {"space": "planar", "gravity": [0, -9.81]}
stack = lw.Model(name="stack", **flat, bodies=boxes, surfaces=surfaces, contacts=contacts)
run = lw.simulate(stack, until="10 s", step="10 ms", integrator="moreau_jean", fixed_step="2 ms")
heights = np.array([run[f"box{i}.y"] for i in range(50)])
print(run.audit)
print("moved by", np.max(np.abs(heights - heights[:, :1])), "m in ten seconds")

# %%
# A chain
# -------
# Twenty links fall on a table, lie over its edge, and those that hang pull the others down.

points = {f"P{i}": [-0.1 + 0.06 * i, 0.5 + 0.08 * i] for i in range(21)}
links = {f"link{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 0.1, "radius": "12 mm"} for i in range(20)}
joints = {f"P{i}": {"kind": "revolute", "bodies": [f"link{i - 1}", f"link{i}"]} for i in range(1, 20)}
surfaces = {"table": {"box": [1, 0.1], "at": [0.3, -0.05]}, "floor": {"plane": [0, 1], "at": [0, -0.6]}}
contacts = {
    "fall": {"between": ["table", *links], "friction": 0.3},
    "down": {"between": ["floor", *links], "friction": 0.3, "ignore": [[*links]]},
}
chain = lw.Model(name="chain", **flat, points=points, bodies=links, joints=joints, surfaces=surfaces, contacts=contacts)
fallen = lw.simulate(chain, until="1.5 s", integrator="moreau_jean", fixed_step="1 ms")
print(fallen.audit)
fallen.animate("chain.html", trace=[], plot=["energy.total", "work.dissipated"])
fallen.plot("energy.total", "work.dissipated", band=False)
