"""
A Stewart platform there and back
=================================

For a platform on six struts the inverse problem is easy and the forward one is hard, the other way round than for an arm:
from the pose the lengths of the struts follow at once, from the lengths the pose comes by iteration, and there are up to
forty of them. The mechanism is that of :doc:`plot_stewart_platform`.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.example("stewart_platform")
home = {name: np.array([model.number(x) for x in place]) for name, place in model.points.items()}

# %%
# **Inverse**: without struts, the platform is led along a figure of eight while it tilts. The lengths are distances of
# points.

path = ["0.12*sin(2*pi*t)", "0.08*sin(4*pi*t)", "0.6 + 0.03*cos(2*pi*t)"]
tilt = {"roll": "0.2*sin(2*pi*t)", "pitch": "0.15*sin(4*pi*t)", "yaw": 0}
led = {"body": "platform", "at": "G", "position": path, "rotation": tilt}
free = {**model.to_dict(), "relations": {}}
motion = lw.solve_kinematics(lw.Model(**{**free, "drivers": {"hand": led}}), until="1 s")
tops = {i: np.stack([motion[f"B{i}.{axis}"] for axis in "xyz"], axis=1) for i in range(1, 7)}
lengths = {i: np.linalg.norm(top - home[f"A{i}"], axis=1) for i, top in tops.items()}
print(f"struts from {min(map(np.min, lengths.values())):.3f} to {max(map(np.max, lengths.values())):.3f} m")

# %%
# **Forward**: the lengths of one moment, and the platform drawn where it is at home. Every method finds the pose of the
# inverse problem, 0.1 m and 13 degrees away.

then = 180
struts = {f"leg{i}": {"kind": "distance", "between": [f"A{i}", f"B{i}"], "length": l[then]} for i, l in lengths.items()}
for method in ("newton", "damped", "least_squares", "continuation"):
    pose = lw.assemble(lw.Model(**{**free, "relations": struts}), method=method)
    off = max(abs(pose[f"G.{axis}"] - motion[f"G.{axis}"][then]) for axis in "xyz")
    print(f"{method:<14} {pose.iterations:>2} iterations, centre off by {off:.0e} m")
pose.plot()

# %%
# **Reach**: struts of 0.55 to 0.82 m let the level platform go wherever all six lengths lie between: inverse kinematics
# on a grid. Outside, the picture shows how much the worst strut lacks.

x, z = np.meshgrid(np.linspace(-0.6, 0.6, 241), np.linspace(0.2, 0.9, 141))
centre = np.stack([x, 0 * x, z], axis=-1)
needed = np.stack([np.linalg.norm(centre + home[f"B{i}"] - home["G"] - home[f"A{i}"], axis=-1) for i in range(1, 7)])
lack = np.max(np.maximum(0.55 - needed, needed - 0.82), axis=0)

fig, (over, reach) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
for i, length in lengths.items():
    over.plot(motion.time, length, label=f"strut {i}")
over.set(title="lengths of the struts", xlabel="time [s]", ylabel="[m]", ylim=(0.47, 0.83))
over.legend(frameon=False, ncols=2, loc="lower left")
shades = reach.contourf(x, z, np.maximum(lack, 0), levels=12, cmap="Greys")
reach.contour(x, z, lack, levels=[0], colors="C3")
reach.set(title="within reach: inside the red line", xlabel="x of the centre [m]", ylabel="z [m]", aspect="equal")
fig.colorbar(shades, ax=reach, label="the worst strut lacks [m]", shrink=0.8)
plt.show()
