"""The language of kernels: records, declarations, and the translation to machine code."""
