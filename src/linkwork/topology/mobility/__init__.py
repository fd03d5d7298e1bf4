"""How a mechanism can move at a position, and how it cannot."""
