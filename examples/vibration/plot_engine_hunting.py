r"""
Why steam engines hunt
======================

The governor of :doc:`plot_governor` on the shaft of a steam engine: as the balls rise, the sleeve closes the valve, and the
engine slows down. In the 1860s engines whose governors were made with more care, and rubbed less, began to hunt: their speed
swung to and fro. I. A. Vyshnegradskii told why in 1876 (see L. S. Pontryagin, Ordinary Differential Equations, section 27).

In a steady motion the speed and the sleeve stay as they are. The root locus over the friction of the sleeve crosses the
axis: with less of it, a swing of speed and sleeve grows.
"""

# sphinx_gallery_thumbnail_number = 3
import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

engine = lw.example("steam_engine")
locus = lw.root_locus(engine, {"damping": np.linspace(2, 30, 15)}, parameters={"kick": 0})
print(locus)

locus.plot()

# %%
# With little friction the speed swings more and more; with more of it, it settles.
hunts, settles = (lw.simulate(engine, until=5.0, step=0.01, parameters={"damping": friction}) for friction in (8, 20))
hunts.plot("turn.speed", label="8 N s/m", beside={"20 N s/m": settles})

# %%
hunts.animate("hunting.html", trace=["B", "D"], plot=["turn.speed", "lift.position"])

# %%
hunts.plot_path("B", "D", time="4 s")

# %%
# Vyshnegradskii's condition
# --------------------------
#
# With D = 2 m l², the inertia I = D + M l² sin² φ of balls and sleeve, and the friction b = c l² sin² φ of the sleeve as the
# arms feel it, Hurwitz' condition on the three eigenvalues is b ω (J + D sin² φ + 4 D cos² φ) > 2 I F for a load F and a
# flywheel J. For a heavy flywheel it is Vyshnegradskii's,
#
# .. math:: \frac{b J}{I} \cdot \frac{\omega}{2 F} > 1 .
#
# Friction and a heavy flywheel keep an engine steady. What was gained by lighter wheels and smoother sleeves was lost by
# hunting.
D, lever, speed, load = 2 * 1.5 * 0.4**2, (0.4 * 0.8) ** 2, np.sqrt(9.81 * 2 / (1.5 * 0.4 * 0.6)), 24
heavy, least = np.linspace(0.8, 9, 100), 2 * (D + lever) * load / speed / lever
figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
axes.plot(heavy, least / (heavy + D * (0.64 + 4 * 0.36)), color="0.7", linewidth=4, label="Hurwitz")
axes.plot(heavy, least / heavy, "--", color="0.4", label="Vyshnegradskii")
for wheel in (1, 2, 4, 8):
    found = lw.root_locus(engine, {"damping": [1, 50]}, parameters={"kick": 0, "flywheel": wheel}).crossings[0].value
    axes.plot(wheel, found, "o", color="#0072b2", label="root locus" if wheel == 1 else None)
axes.set(xlabel="flywheel [kg m²]", ylabel="least friction of the sleeve [N s/m]", ylim=(0, 30))
axes.legend(frameon=False)
plt.show()
