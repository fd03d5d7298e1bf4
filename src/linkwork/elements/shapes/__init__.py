"""Shapes that may touch: how they are placed in bodies, their gaps as expressions, and the memory of the kernels for them.

What a shape is says `forms.py`; an ``Extent`` (a hull of corners with a radius) and a ``BodyCurve`` are what they are
elsewhere in this house. A pair has its gap as an expression where it is smooth (`gaps.py`, `curve_gaps.py`), and all pairs
of solid shapes have the compiled narrow phase of ``linkwork.numerics.collision`` (`records.py`); `pairs.py` tells which has
what.
"""
