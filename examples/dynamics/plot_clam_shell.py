"""
A clam-shell bucket on its cable
================================

The cable of a clam-shell bucket runs round a pulley on the block between the shells and back to the head. As the crane hauls
it in, the block comes nearer to the head, and two rods swing the shells shut. Cable and rods are relations: conditions
between bodies that are no joints.
"""

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
result.animate("clam_shell.html", trace=["right.C", "right.L"], plot=["rope.tension", "rod_right.tension"])

# %%
result.plot_path("right.C", "right.L", time="1.4 s")

# %%
result.plot("rope.tension", "rod_right.tension")
