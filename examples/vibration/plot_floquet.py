"""
A rod that stands upside down
=============================

A rod on a pivot that is shaken up and down stands on its head, if it is shaken fast enough but not too wide (Stephenson
1908, Kapitza 1951). Standing there is a periodic motion, and its multipliers tell whether it lasts: after a period of the
shaker a small tilt has become so many times larger. Without damping their product is 1. So they lie on the unit circle, and
the rod swings about the top; or they are real, and it falls over at once (beyond 1) or to either side in turn (beyond −1).
"""

# sphinx_gallery_thumbnail_number = 3
import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: shaken rod
space: planar
gravity: [0, -9.81]
parameters:
  a: {value: 50 mm, live: true}
  w: {value: 60 rad/s, live: true}
  tilt: {value: 0 deg, live: true}
points: {O: [0, 0], P: [0, 0.5]}
bodies:
  slide: {points: [O], mass: 1, com: O, inertia: 1}
  rod: {bar: [O, P], mass: 2}
joints:
  S: {kind: prismatic, bodies: [ground, slide], axis: [0, 1], at: O}
  O: {kind: revolute, bodies: [slide, rod]}
drivers:
  shaker: {joint: S, position: a*cos(w*t)}
initial:
  O: {angle: pi/2 + tilt}
""")
print(lw.floquet(model))

# %%
# The chart of Ince and Strutt for this rod, by a handful of points. Below the line, a w = √(2 g l) with the reduced length
# l = 1/3 m of the rod, the pivot is too slow. On the right: the multipliers at 60 rad/s while the shaker goes wider.
figure, (chart, plane) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
for w in np.linspace(30, 100, 5):
    for a in np.linspace(0.03, 0.18, 6):
        found = lw.floquet(model, parameters={"a": a, "w": w})
        chart.plot(w, 1000 * a, "o" if found.stable else "x", color="#009e73" if found.stable else "#d55e00")
speeds = np.linspace(26, 105, 50)
chart.plot(speeds, 1000 * np.sqrt(2 * 9.81 / 3) / speeds, color="0.5")
chart.set(xlabel="shaker [rad/s]", ylabel="amplitude [mm]", title="stands (o) or falls (x)")
plane.plot(*np.array([[np.cos(x), np.sin(x)] for x in np.linspace(0, 2 * np.pi, 200)]).T, color="0.7")
for a in np.linspace(0.03, 0.17, 12):
    values = lw.floquet(model, parameters={"a": a}).multipliers
    plane.scatter(values.real, values.imag, c=[1000 * a] * 2, cmap="viridis", vmin=30, vmax=170)
figure.colorbar(plane.collections[0], label="amplitude [mm]")
plane.set(xlabel="real part", ylabel="imaginary part", title="multipliers at 60 rad/s")
plane.set_aspect("equal", adjustable="datalim")
plt.show()

# %%
# The rod itself, let go 3 degrees beside the top: with 35 mm it falls, with 50 mm it swings about the top.
falls, stands = (lw.simulate(model, until="2 s", parameters={"a": a, "tilt": "3 deg"}) for a in (0.035, 0.05))
figure = stands.plot("O.angle", units={"O.angle": "deg"}, label="50 mm", beside={"35 mm": falls})
figure.axes[0].set_ylim(70, 150)

# %%
stands.animate("shaken_rod.html", trace="P", plot=["O.angle", "S.position"])

# %%
falls.plot_path("P", time="1.3 s")
