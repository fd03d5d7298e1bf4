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
# When the force in O is largest:

k = int(np.argmax(np.linalg.norm(result.reactions["O"].force, axis=1)))
result.plot_path("A", "B", time=float(result.time[k]))

# %%
# The tip of the force on a pin, drawn over a turn, is its *hodograph*. In world axes it shows what a bearing in the frame
# has to carry; in the axes of the crank, on which side the pin wears.

figure, (fixed, turning) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for name in "OABC":
    force = result.reactions[name].force
    (line,) = fixed.plot(*force.T, label=name)
    fixed.plot(*force[k], "o", color=line.get_color())
turning.plot(*result.reactions(axes="crank", on="parent")["A"].force.T, color="C1")
fixed.set(title="world axes, on the child", xlabel="x [N]", ylabel="y [N]", aspect="equal")
fixed.legend(loc="upper left", frameon=False)
turning.set(title="pin A on the crank, axes of the crank", xlabel="along [N]", ylabel="across [N]", aspect="equal")
plt.show()

# %%
# As the linkage turns: the button *Reactions* of the page draws the reactions as arrows.

result.animate("four_bar.html", plot=["O.fx", "O.fy"])

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
swing.plot("lower.fx", "upper.fx", "lower.fz", "closer.effort")
