"""
Which coordinate to integrate
=============================

A four-bar with its loop cut at the last joint has three angles, of which one is independent. Which one should it be? The
projective criterion of Blajer, Schiehlen and Schirm (1994) measures with the mass matrix how much of the direction of a
coordinate the conditions leave free: 1 is best, 0 is singular. Singular positions are a matter of geometry: the angle
:math:`\\alpha_3` between coupler and rocker stands still where the crank is in line with the base, whatever the bars weigh.
Which angle is best between them depends on the masses, which a criterion of the geometry alone, such as singular values,
does not see.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

model = lw.Model(
    name="crank rocker",
    space="planar",
    parameters={name: {"value": "1 kg", "live": True} for name in ("crank_mass", "coupler_mass", "rocker_mass")},
    points={"O": [0, 0], "A": [0.4, 0], "B": [0.7, 1.058], "C": [1, 0]},
    bodies={
        "crank": {"bar": ["O", "A"], "length": 0.4, "mass": "crank_mass"},
        "coupler": {"bar": ["A", "B"], "length": 1.1, "mass": "coupler_mass"},
        "rocker": {"bar": ["B", "C"], "length": 0.8, "mass": "rocker_mass"},
    },
    joints={name: {"kind": "revolute", "bodies": bodies} for name, bodies in {
        "O": ["ground", "crank"], "A": ["crank", "coupler"], "B": ["coupler", "rocker"], "C": ["rocker", "ground"]}.items()},
    initial={"O": {"angle": 0, "speed": "60 rpm"}},
)  # fmt: skip
topology = lw.analyse(model)
print(lw.measures.rank_coordinates(topology, cut=["C"]), lw.measures.rank_cuts(topology), sep="\n\n")

# %%
# Positions of a whole turn come from a motion, and the criterion along it for several masses.
turn = lw.simulate(model, until=1.05, step=0.005)
turn.plot_path("A", "B", time=0.15)

# %%
angle = np.degrees(turn["O.angle"])
cases = {"equal bars": {}} | {f"{bar} of 10 kg": {f"{bar}_mass": 10.0} for bar in ("crank", "coupler", "rocker")}
ranked = {
    title: lw.measures.rank_along(topology, turn, cut=["C"], parameters=masses) for title, masses in cases.items()
}
ranked["geometry alone"] = lw.measures.rank_along(topology, turn, cut=["C"], masses=False)

figure, panels = plt.subplots(1, len(ranked), figsize=(13, 3.6), sharey=True, layout="constrained")
for panel, (title, values) in zip(panels, ranked.items(), strict=True):
    for name, color, style in (("O", "#0072b2", "-"), ("A", "#d55e00", "--"), ("B", "#009e73", "-.")):
        label = rf"$\alpha_{'OAB'.index(name) + 1}$, at {name}"
        panel.plot(angle, values[f"{name}.speed"], style, color=color, label=label)
    panel.set(title=title, xlim=(0, 360), ylim=(0, 1), xticks=[0, 180, 360], xlabel="crank [deg]")
panels[0].set_ylabel(r"$\cos^2\alpha$")
panels[-1].legend(frameon=False)
plt.show()
