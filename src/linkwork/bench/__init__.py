"""Linkwork beside other programs: the same problems on the same machine in one run."""
