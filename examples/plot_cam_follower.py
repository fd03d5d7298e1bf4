"""
A cam and its spring
====================

A cam lifts a roller by 20 mm and lets it down again once a turn. Its profile follows from the lift; the spring keeps the
roller on it, up to a speed. In the model the contact holds in both directions: where its force is negative, a real roller
would lift off.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.example("cam_follower")
result = lw.simulate(model, until=2 * np.pi / 30, step=2 * np.pi / 30 / 360)
angle = np.degrees(result["O.angle"])
lift = 1000 * (result["follower.y"] - result["follower.y"][0])
print(
    f"lift {lift.max():.2f} mm, contact force {result['touch.force'].min():.0f} to {result['touch.force'].max():.0f} N"
)

# %%
# Faster, the spring no longer holds the roller down where the follower slows down at the top: the force falls with the
# square of the speed, and its first zero is the speed at which the roller begins to jump.

forces = {}
for speed in (30, 80, 120):
    faster = lw.Model(**model.to_dict() | {"drivers": {"motor": {"joint": "O", "position": f"{speed}*t"}}})
    forces[speed] = lw.simulate(faster, until=2 * np.pi / speed, step=2 * np.pi / speed / 360)["touch.force"]
    print(f"{speed:4d} rad/s: least contact force {forces[speed].min():8.1f} N")

# %%
# The profile under the roller, and the path of its centre.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
profile = np.array(result.drawing.bodies["cam"].outlines[0])
left.fill(*(1000 * profile.T), color="#0072b2", alpha=0.25)
left.plot(*(1000 * profile.T), color="#0072b2")
left.add_patch(plt.Circle((0, 50), 10, fill=False, color="#d55e00"))
left.set(aspect="equal", xlabel="x [mm]", ylabel="y [mm]", title="as drawn")
for speed, force in forces.items():
    right.plot(angle, force, label=f"{speed} rad/s")
right.axhline(0, color="0.7", linewidth=0.8)
right.set(xlabel="cam angle [deg]", ylabel="contact force [N]", xticks=range(0, 361, 90))
right.legend(frameon=False)
plt.show()
