"""
A spatial four-bar in all kinds of coordinates
==============================================

A crank on a revolute joint (R), a ball (S), a coupler that slides and turns on a shaft of the rocker (C), and a rocker on
a revolute joint (R): the mechanism with which García de Jalón and Bayo compare kinds of coordinates (Tables 2.1 to 2.3 of
*Kinematic and Dynamic Simulation of Multibody Systems*). It has one freedom and no redundant constraint.

.. literalinclude:: ../../../src/linkwork/mechanisms/rscr.yaml
   :language: yaml
   :class: model-file
"""

import numpy as np

import linkwork as lw

model = lw.example("rscr")
topology = lw.analyse(model)
print(topology)

# %%
# The same mechanism costs different numbers of unknowns and conditions; their difference is the freedom.

for kind in ("relative", "reference_point", "natural", "mixed"):
    print(str(lw.number(topology, kind)).splitlines()[0])

# %%
# A motor turns the crank. The loop has a closed form with up to four branches, so that nothing is iterated. Over a whole
# turn the motor does no work: everything comes back to where it was.

driven = lw.Model(**{**model.to_dict(), "drivers": {"motor": {"joint": "O", "speed": "60 rpm"}}})
result = lw.simulate(driven, until="1 s", step=0.005)
work = np.trapezoid(result["motor.effort"] * 2 * np.pi, result.time)
print(f"torque up to {abs(result['motor.effort']).max():.2f} N m, work of a turn {work:.1e} J")

# %%
result.animate("rscr.html", trace=["A", "B"], plot=["C.angle", "B.position"])

# %%
result.plot_path("A", "coupler.B", time="0.45 s")

# %%
result.plot("C.angle", "B.position", over="O.angle", units={"*.angle": "deg", "B.position": "mm"})
