"""
Reactions: what the pins of a four-bar carry, and what two hinges do not tell
==============================================================================

Every run knows the reactions of all joints, whatever its coordinates and formulation were. Printed, they are a table; as
vectors over time they size a pin.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

four_bar = lw.example("four_bar")
driven = lw.Model(**four_bar.to_dict() | {"initial": {}, "drivers": {"motor": {"joint": "O", "speed": "60 rpm"}}})
result = lw.simulate(driven, until="1 s", step="5 ms")
print(result.reactions)

# %%
# The tip of the force on a pin, drawn over a turn, is its *hodograph*. In world axes it shows what a bearing in the frame
# has to carry; in the axes of the crank, on which side the pin wears.

figure, (scene, fixed, turning) = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
k = int(np.argmax(np.linalg.norm(result.reactions["O"].force, axis=1)))
places = {name: np.array([result[f"{name}.x"][k], result[f"{name}.y"][k]]) for name in "AB"}
places |= {"O": np.zeros(2), "C": np.array([3.0, 0.0])}
colours = dict(zip("OABC", ("#0072b2", "#d55e00", "#009e73", "#cc79a7"), strict=True))
scene.plot(*np.array([places[name] for name in "OABC"]).T, "-o", color="0.35", lw=3, markersize=5)
for name, colour in colours.items():
    force = result.reactions[name].force
    scene.quiver(
        *places[name], *force[k], color=colour, angles="xy", scale_units="xy", scale=300, width=0.012, zorder=3
    )
    fixed.plot(*force.T, color=colour, label=name)
    fixed.plot(*force[k], "o", color=colour)
scene.set(title="forces on the child when they are largest", aspect="equal", xlim=(-3, 5), ylim=(-2, 4.5))
scene.set_axis_off()
pin = result.reactions(axes="crank", on="parent")["A"].force
turning.plot(*pin.T, color=colours["A"])
fixed.set(title="world axes, on the child", xlabel="x [N]", ylabel="y [N]", aspect="equal")
fixed.legend(loc="upper left", frameon=False)
turning.set(title="pin A on the crank, axes of the crank", xlabel="along [N]", ylabel="across [N]", aspect="equal")

# %%
# The same by virtual power: the pin is cut, and the motion that opens it along one component gives that component.

cut = result.reactions(scheme="joint_elimination")
apart = max(np.abs(cut[name].force - result.reactions[name].force).max() for name in "OABC")
print(f"cutting one pin after the other gives the same forces to {apart:.0e} N")

# %%
# A door on two hinges is redundant: how they share its weight depends on what a rigid model leaves out. Linkwork gives
# the solution of least norm and marks what it could not know; the sum is known all the same.

swing = lw.simulate(lw.example("door"), until="1 s", step="10 ms")
print(swing.reactions)
print("together they carry", *np.unique((swing["lower.fz"] + swing["upper.fz"]).round(6)), "N")

# %%
figure = swing.plot("lower.fx", "upper.fx", "lower.fz", "closer.effort")

plt.show()
