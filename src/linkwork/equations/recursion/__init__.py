"""Equations by recursion along the joints: forces from motions, and motions from forces."""
