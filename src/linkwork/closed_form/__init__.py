"""Closed forms of loops without freedom, planar, spherical and spatial: one file per family, pure geometry on expressions.

Every solver gives all its branches as straight-line expressions, or one alone: of two the one on a side, of four the one
nearest to a guess. ``valid`` of a branch is positive where it is real.
"""
