"""Shapes: their hulls, distances and unions."""
