"""Closed forms of loops without freedom, planar, spherical and spatial: one file per family, pure geometry on expressions.

Every solver returns all its branches as straight-line expressions. ``valid`` of a branch is positive where it is real.
"""
