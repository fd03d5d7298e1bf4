"""All combinations of coordinates and formulation move a mechanism alike; an ordinary run takes some of them.

The reference backend saves the compilation of models that are used once.
"""

from __future__ import annotations

import numpy as np
from combinations import several

import linkwork as lw


def compare(model: lw.Model, conserved: str = "energy.total") -> None:
    """Same motion and reactions by all methods; *conserved* names what must stay as it is at the start."""
    axes = "xy" if model.space == "planar" else "xyz"
    names = [f"{body}.{letter}{axis}" for body in model.bodies for letter in ("", "v", "a") for axis in axes]
    # a parallel joint transmits no force
    joints = [name for name, joint in model.joints.items() if joint.kind != "parallel"]
    names += [f"{joint}.f{axis}" for joint in joints for axis in axes]
    first: dict[str, np.ndarray] = {}
    for coordinates, formulation in several(" ".join(model.joints)):
        result = lw.simulate(
            model,
            0.05,
            step=0.025,
            coordinates=coordinates,
            formulation=formulation,
            rtol=1e-11,
            atol=1e-13,
            max_steps=10_000,
            backend="reference",
        )
        assert result.outcome.completed, result.outcome
        values = result.values(names)
        assert np.max(result.closure_error) < 1e-10
        turnover = max(1.0, float(np.max(result["energy.kinetic"])))
        np.testing.assert_allclose(result[conserved], result[conserved][0], atol=1e-8 * turnover)
        first = first or values
        for name in names:
            size = max(1.0, float(np.max(np.abs(first[name]))))
            np.testing.assert_allclose(values[name], first[name], atol=1e-6 * size, err_msg=name)
