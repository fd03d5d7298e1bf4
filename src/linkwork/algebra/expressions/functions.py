"""The functions and constants that formulas may use."""

from __future__ import annotations

import math

CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e}

MANY = 1000
"""Most arguments of a function that takes any number of them."""

MOST_ROWS = 1000
"""Of a table in a formula."""

FUNCTIONS: dict[str, tuple[int, int]] = {
    **{name: (1, 1) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")},
    **{name: (1, 1) for name in ("sqrt", "exp", "log", "abs", "sign", "floor", "ceil", "step")},
    "atan2": (2, 2),
    "mod": (2, 2),
    "min": (2, MANY),
    "max": (2, MANY),
    "if": (3, 3),
    **{name: (5, 1 + 2 * MOST_ROWS) for name in ("linear_table", "smooth_table")},
}
"""Function name -> least and greatest number of arguments.

``log`` is natural; ``step(x)`` is 1 for x >= 0, else 0; ``sign(0)`` is 0; ``mod(a, b) = a - b*floor(a/b)``;
``if(a < b, x, y)`` is x where the comparison holds, else y; tables have x and then rows,
``linear_table(x, x0, f0, x1, f1)``.
"""

TIME = "t"
RESERVED_NAMES: frozenset[str] = frozenset({TIME, *CONSTANTS, *FUNCTIONS})
"""Names that no parameter may have."""
