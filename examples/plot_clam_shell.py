"""
A clam-shell bucket on its cable
================================

The cable of a clam-shell bucket runs round a pulley on the block between the shells and back to the head. As the crane hauls
it in, the block comes nearer to the head, and two rods swing the shells shut. Cable and rods are relations: conditions
between bodies that are no joints.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.example("clam_shell")
result = lw.simulate(model, until=2.2, step=0.02)
angle, h = result["right.angle"], 1.6 - 0.25 * result.time

# %%
# The closed loop of head, rod, shell and block gives the angle without any program:
# :math:`(b \cos\theta - a)^2 + (b \sin\theta - h)^2 = l^2`.

gap = np.hypot(0.7 * np.cos(angle) - 0.15, 0.7 * np.sin(angle) - h) - 1.2
print(
    f"shells from {np.degrees(angle[0]):.1f} to {np.degrees(angle[-1]):.1f} deg, largest error {abs(gap).max():.1e} m"
)
print(f"tension {result['rope.tension'].min():.0f} to {result['rope.tension'].max():.0f} N")
print(f"energy that the cable brings in and the bucket has not: {abs(result['energy.balance']).max():.1e} J")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.5), layout="constrained")
for k, shade in ((0, 0.25), (-1, 1.0)):
    for shell, colour in (("right", "#0072b2"), ("left", "#009e73")):
        corners = [[result[f"{shell}.{p}.{axis}"][k] for p in "ACLA"] for axis in "xy"]
        left.fill(*corners, color=colour, alpha=0.4 * shade)
    for end, rod in ((0.15, "right.C"), (-0.15, "left.C")):
        left.plot([end, result[f"{rod}.x"][k]], [0, result[f"{rod}.y"][k]], color="0.3", alpha=shade)
    left.plot([0, 0], [0, -h[k]], color="#d55e00", alpha=shade)
left.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="open and shut")
right.plot(result.time, result["rope.tension"], color="#d55e00", label="cable")
right.plot(result.time, result["rod_right.tension"], color="0.3", label="rod")
right.set(xlabel="time [s]", ylabel="tension [N]")
right.legend(frameon=False)
plt.show()
