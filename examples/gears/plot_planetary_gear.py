"""
A planetary gear
================

Sun, ring and arm turn about one line; the planets on the arm mesh with both. The couplings name the wheels and their radii:
which way they turn, and how the turning arm enters, follows from how they lie.

.. literalinclude:: ../../../src/linkwork/mechanisms/planetary_gear.yaml
   :language: yaml
   :class: model-file
"""

import linkwork as lw

model = lw.example("planetary_gear")
print(lw.analyse(model))

# %%
# Hold one member and drive another: three gearboxes in one. The formula is that of Willis,
# :math:`r_s\,(\omega_s - \omega_a) + r_r\,(\omega_r - \omega_a) = 0`.

sun, ring = 0.04, 0.1
gearboxes = {"RSA": sun / (sun + ring), "SRA": ring / (sun + ring), "ASR": -sun / ring}
for (held, driven, output), willis in gearboxes.items():
    motors = {"brake": {"joint": held, "speed": 0}, "motor": {"joint": driven, "speed": 1}}
    run = lw.simulate(lw.Model(**model.to_dict() | {"drivers": motors, "initial": {}}), until="1 s")
    print(f"{held} held, {driven} driven: {output} turns {run[f'{output}.speed'][-1]:+.6f} (Willis {willis:+.6f})")

# %%
# An automatic gearbox changes gear like this. The motor turns the sun, the arm has to move a load. At first the ring runs
# free, backwards; from 0.5 s on a brake is closed, the ring stops, and the load is driven.

forces = {
    "motor": {"kind": "effort", "joint": "S", "value": "2 - 0.01*S.speed"},
    "load": {"kind": "effort", "joint": "A", "value": "-0.05*A.speed - 1.5*tanh(20*A.speed)"},
    "brake": {"kind": "effort", "joint": "R", "value": "-10*max(t - 0.5, 0)*R.speed"},
}
result = lw.simulate(lw.Model(**model.to_dict() | {"forces": forces, "initial": {}}), until="1.5 s")
print(f"{result.outcome}; the meshes keep together to {result.closure_error.max():.0e} m")

# %%
result.animate("planetary_gear.html", trace="P1", plot=["S.speed", "A.speed", "R.speed"])

# %%
result.plot_path("P1")

# %%
result.plot("S.speed", "A.speed", "R.speed")
