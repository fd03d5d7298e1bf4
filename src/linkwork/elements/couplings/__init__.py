"""Couplings, one file per kind: linear relations between joint coordinates."""
