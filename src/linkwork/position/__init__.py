"""Positions: the conditions of all joints on the poses of all bodies, closed, followed, and judged, without coordinates."""
