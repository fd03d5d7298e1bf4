"""Numbers with a meaning in the kernels of the integrators: how a run ends, what a refresh returns, kinds of events."""

# values of STATUS
RUNNING, COMPLETED, EVENT, STEP_TOO_SMALL, NOT_FINITE, FLOW_FAILED, TOO_MANY_STEPS, HANDED_OVER = range(8)

NODE_DENSE, NODE_STAGES, NODE_KNOTS, NODE_SERIES = range(4)
"""Values of NODE_KIND: nodes of the dense output, stages, ends of steps, power series; see ``keeping.py``."""

NOT_FINITE_CODE = -1_000_000
"""Failure code that the integrator itself gives to infinite or undefined values."""

ATTEND = 2
"""What a refresh returns when its owner should look after it before the next step; the derivative is unchanged."""

RESTART = 3
"""What a refresh returns when the state means something else now: its derivative is another, histories are void."""

RENEWED = 4
"""The same, where not only positions have become other numbers, but states behind them too, such as momenta."""

HELD = -2
"""Direction of an event function that must stay positive: it counts where it is negative at the end of a step by more than
its rounding errors, even if it was not positive at the start."""

WATCHED = -3
"""The same, of a function that is looked at inside the steps too: it may be negative there and positive at both ends."""

LOOKS = 5
"""At event functions inside a step."""

CROSSINGS = 2 * (LOOKS + 1)
"""Of one function in a step, at most: there and back between two looks."""

STRONG = 32
"""How much more a step near the stability limit counts than others that may be stiff."""
