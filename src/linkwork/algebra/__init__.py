"""Vectors, rotations, frames and formulas, planar and spatial behind one interface, on expressions."""
