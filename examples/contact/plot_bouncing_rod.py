r"""
A rod that falls on its end
===========================

A rod is let go at an angle. Its lower end hits the floor, the blow turns it, the other end comes down, and so it rattles
until it lies. Every blow can be computed by hand from the speeds before it.
"""

# %%
# The floor is rough and sends back 60 % of the speed with which an end hits it. The rod is its own shape: both of its ends
# may touch.

import numpy as np

import linkwork as lw

model = lw.loads("""
linkwork: 1
name: bouncing rod
space: planar
gravity: [0, -9.81]
parameters: {mu: {value: 0.3, live: true}, back: {value: 0.6, live: true}}
points: {A: [0, 0.5], B: [0.3, 0.9]}
bodies: {rod: {bar: [A, B], mass: 2}}
surfaces: {floor: {plane: [0, 1]}}
contacts: {ends: {between: [floor, rod], friction: mu, restitution: back}}
""")
print(run := lw.simulate(model, until="2.5 s"))
run.plot("rod.A.y", "rod.B.y", "ends.corner_1.force", "ends.corner_2.force")
run.animate("rod.html", trace=["A", "B"], plot=["rod.A.y", "rod.B.y"])

# %%
# The first blow
# --------------
# It comes after a fall of half a metre, without slip along the floor before it: the end would slide away under the rod, and
# friction holds it as far as it can. With :math:`r = (r_x, r_y)` from the middle of the rod to its end,
#
# .. math:: \Lambda_n = \frac{(1 + e)\,v}{A_{nn} - \mu\,A_{nt}\,\sigma}, \quad A_{nn} = \frac1m + \frac{r_x^2}{I}, \quad
#    A_{nt} = -\frac{r_x r_y}{I}
#
# while it slides with the sign :math:`\sigma`.

m, inertia, (rx, ry) = 2.0, 2 * 0.5**2 / 12, (-0.15, -0.2)
ann, ant, v = 1 / m + rx**2 / inertia, -rx * ry / inertia, np.sqrt(2 * 9.81 * 0.5)
blow = 1.6 * v / (ann + 0.3 * ant * np.sign(-ant))
first = run.events[0]
print(first, "by hand", np.sqrt(2 * 0.5 / 9.81), "s and", blow, "N*s")

# %%
# Energy goes at the blows alone, and in sliding along the floor while an end lies on it.

run.plot("energy.total", "work.dissipated")
