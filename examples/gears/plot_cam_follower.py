"""
A cam and its spring
====================

A cam lifts a roller by 20 mm and lets it down again once a turn. Its profile follows from the lift; the spring keeps the
roller on it, up to a speed. In the model the contact holds in both directions: where its force is negative, a real roller
would lift off.
"""

import numpy as np

import linkwork as lw

model = lw.example("cam_follower")
result = lw.simulate(model, until=2 * np.pi / 30, step=2 * np.pi / 30 / 360)
lift = 1000 * (result["follower.y"] - result["follower.y"][0])
print(
    f"lift {lift.max():.2f} mm, contact force {result['touch.force'].min():.0f} to {result['touch.force'].max():.0f} N"
)

# %%
# The cam as it turns: its profile is drawn from the lift.

result.animate("cam.html", plot=["follower.y", "touch.force"])

# %%
result.plot_path("follower.T", time="80 ms")

# %%
# Faster, the spring no longer holds the roller down where the follower slows down at the top: the force falls with the
# square of the speed, and its first zero is the speed at which the roller begins to jump.

faster = {}
for speed in (80, 120):
    other = model.with_(drivers={"motor": {"joint": "O", "position": f"{speed}*t"}})
    faster[f"{speed} rad/s"] = run = lw.simulate(other, until=2 * np.pi / speed, step=2 * np.pi / speed / 360)
    print(f"{speed:4d} rad/s: least contact force {run['touch.force'].min():8.1f} N")
result.plot("touch.force", over="O.angle", units={"O.angle": "deg"}, label="30 rad/s", beside=faster)
