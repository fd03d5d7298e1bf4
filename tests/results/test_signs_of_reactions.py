"""What is one number is told with its sign: a strut that is pushed together is not in tension."""

import linkwork as lw

WEIGHT = 3.0 * 9.81


def hung(side: float) -> lw.Model:
    """A mass on a vertical guide that a strut carries, from above or from below."""
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"A": [0, 0], "B": [0, side]},
        bodies={"block": {"points": ["A"], "mass": 3, "inertia": 1}},
        joints={"guide": {"kind": "prismatic", "bodies": ["ground", "block"], "at": "A", "axis": [0, 1]}},
        relations={"strut": {"kind": "distance", "between": ["B", "block.A"], "length": 1}},
    )


def test_a_strut_that_pushes_is_printed_so() -> None:
    for side, sign in ((1.0, ""), (-1.0, "-")):
        result = lw.simulate(hung(side), until=0.1)
        told = f"tension {sign}{WEIGHT:.4g} N"
        assert result["strut.tension"][0] * side > 0
        for reactions in (result.reactions, result.reactions(on="parent")):
            assert told in " ".join(str(reactions).split())
        assert f"in strut ({told})" in " ".join(str(result).split())


def test_a_driver_that_holds_back_is_printed_so() -> None:
    model = hung(1.0).with_(relations=None, drivers={"lift": {"joint": "guide", "position": "0.1*t"}})
    result = lw.simulate(model, until=0.1)
    turned = model.with_(gravity=[0, 9.81])
    assert f" {WEIGHT:.4g} N of lift" in str(result)
    assert f" -{WEIGHT:.4g} N of lift" in str(lw.simulate(turned, until=0.1))
