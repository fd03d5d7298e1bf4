"""
Peaucellier's straight line
===========================

Until 1864 nobody knew a linkage that draws an exact straight line: Watt's and Chebyshev's draw nearly straight ones.
Peaucellier's inverts a circle. Two long bars and a rhombus keep :math:`|OP|\\,|OQ| = |OA|^2 - |AP|^2`, and a crank leads P
along a circle through O, which inversion turns into a line.

.. literalinclude:: ../../../src/linkwork/mechanisms/peaucellier.yaml
   :language: yaml
   :class: model-file
"""

import numpy as np

import linkwork as lw

model = lw.example("peaucellier")
print(lw.analyse(model))

# %%
# The crank is led through 100 degrees. All loops have closed forms; iteration finds the same to rounding errors.

start = lw.assemble(model)["C.angle"]
swing = start + np.radians(np.linspace(-95, 5, 201))
results = {method: lw.solve_kinematics(model, {"C": swing}, method=method) for method in ("closed_form", "modified")}
for method, result in results.items():
    off = abs(result["Q.y"] + 1.05).max()
    print(f"{method:<12} Q leaves its line by {off:.1e} m on a way of {np.ptp(result['Q.x']):.3f} m")
result = results["closed_form"]
product = np.hypot(result["P.x"], result["P.y"]) * np.hypot(result["Q.x"], result["Q.y"])
print(f"|OP| |OQ| = {product.mean():.15f}, constant to {np.ptp(product):.1e}")

# %%
# A sketch need not be exact: with every point drawn wrong by up to 5 cm, each of the four methods of `assemble` puts the
# linkage together, and the drawing point is on its line.

rng = np.random.default_rng(1)
data = model.to_dict()
data["points"] |= {name: list(np.array(data["points"][name]) + rng.uniform(-0.05, 0.05, 2)) for name in "APBQ"}
for method in ("newton", "damped", "least_squares", "continuation"):
    pose = lw.assemble(lw.Model(**data), method=method)
    print(f"{method:<14} {pose.iterations:>2} iterations, Q.y = {pose['Q.y']:.12f} m")

# %%
# Led along a line that rises, Q goes as near as it can: straight below it.

wanted = np.column_stack([np.linspace(0.35, -0.5, 9), np.linspace(-1.05, -0.85, 9)])
drag = lw.drag_point(model, "Q", wanted)
print(drag)

# %%
result.animate("peaucellier.html", trace=["P", "Q"], plot="Q.y")

# %%
# A circle through O becomes a line.

result.plot_path("P", "Q", time=-1.4)

# %%
# Led along a line that it cannot follow.

drag.plot()
