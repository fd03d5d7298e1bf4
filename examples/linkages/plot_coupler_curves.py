"""
An atlas of coupler curves
==========================

A point of the coupler of a four-bar draws a curve of sixth degree. J. A. Hrones and G. L. Nelson drew some seven thousand of
them in their *Analysis of the Four-Bar Linkage* (1951), so that designers could look up the curve that they needed: for
each linkage a grid of points of the coupler, each curve in dashes of five degrees of the crank, which are long where the
point is fast. One page of such an atlas is one call here.
"""

# sphinx_gallery_thumbnail_number = 2
import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

# %%
# The linkage of a page: crank 1 m, coupler, rocker and ground 2 m. The points of the grid are points of the coupler, whose
# x axis goes from A to B.

model = lw.loads("""
linkwork: 1
name: four-bar
space: planar
points: {O: [0, 0], A: [0.5, 0.87], B: [2.2, 1.9], C: [2, 0]}
bodies:
  crank: {bar: [O, A], length: 1, mass: 1}
  coupler: {bar: [A, B], length: 2, mass: 1}
  rocker: {bar: [C, B], length: 2, mass: 1}
joints:
  O: {kind: revolute, bodies: [ground, crank]}
  A: {kind: revolute, bodies: [crank, coupler]}
  B: {kind: revolute, bodies: [coupler, rocker]}
  C: {kind: revolute, bodies: [ground, rocker]}
""")
rows, columns = (1.2, 0.6, 0.0, -0.6), (-0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5)
grid = {f"P{i}{k}": [x, y] for i, y in enumerate(rows) for k, x in enumerate(columns)}


def with_points(points):
    data = model.to_dict()
    data["bodies"]["coupler"]["points"] = points
    return lw.Model(**data)


turn = lw.solve_kinematics(with_points(grid), {"O": np.linspace(0, 2 * np.pi, 145)})  # every 2.5 degrees
print(turn)

# %%
# The page: each picture belongs to one point of the grid, at its place in it, which the dot shows on the coupler. Two
# samples make one dash.

fig, axes = plt.subplots(4, 7, figsize=(12, 7.4), layout="constrained")
bars = np.array([[turn[f"{pin}.{axis}"][20] for axis in "xy"] for pin in "OABC"])
for name, axis in zip(grid, axes.flat, strict=True):
    curve = lw.measures.point_path(turn, name)
    axis.plot(*bars.T, "o-", color="0.75", markersize=2.5)
    axis.plot(*np.array([bars[1], curve.places[20], bars[2]]).T, color="0.85", linewidth=0.8)
    for first in range(0, 144, 4):
        axis.plot(*curve.places[first : first + 3].T, color="C0", linewidth=1.3)
    axis.plot(*curve.places[20], "o", color="C1", markersize=4)
    axis.set(aspect="equal", xlim=(-2.4, 3.1), ylim=(-2.2, 3.2), xticks=[], yticks=[])
fig.suptitle("28 points of one coupler, dashes of 5 degrees of the crank")

# %%
# Every curve has a length, a curvature and a box. Flat pieces guide along a line: here is the point with the longest way on
# which the radius of curvature is more than ten times the crank.

paths = {name: lw.measures.point_path(turn, name) for name in grid}
flat = {name: np.sum(np.diff(path.length)[path.radius[1:] > 10]) for name, path in paths.items()}
best = max(flat, key=flat.get)
print(f"{best} goes {flat[best]:.2f} m nearly straight, of {paths[best].length[-1]:.2f} m", paths[best], sep="\n")

# %%
# The coupler moves as if its moving centrode rolled on the fixed one; they touch in the instant centre, where the lines of
# crank and rocker meet. The dashed circle is the circle of curvature of the coupler curve.

smooth = lw.solve_kinematics(with_points({best: grid[best]}), {"O": np.linspace(0, 2 * np.pi, 721)})
smooth.plot_path(best, time=0.9, body="coupler", circle=True)

# %%
# The linkage as it draws this curve.

smooth.animate("coupler_curve.html", trace=best)
