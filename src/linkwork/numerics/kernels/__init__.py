"""Compiled kernels: functions on scalars and raw pointers, in a part of Python that becomes machine code."""
