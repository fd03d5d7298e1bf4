"""Recursion along a spanning tree, from the ground outwards and from the tips inwards."""
