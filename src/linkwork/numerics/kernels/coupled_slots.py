"""Where methods of collocation keep their things: a block of integers, and one of numbers."""

from __future__ import annotations

# --- integers: sizes, what is known, offsets of blocks ---------------------------------------------------------------
COUNT = 0  # s
FRESH = 1  # 1: F_y and F_k are those of the state at the start of the step
FACTORED = 2  # 1: the matrices are factored for FACTORED_STEP
INVERSE, TRANSFORM, BACK = 3, 4, 5  # A⁻¹, T and T⁻¹ (s, s), rows, T⁻¹ A⁻¹ T being made of blocks
SPECTRUM = 6  # real and imaginary part of the eigenvalue of each pair
POLYNOMIAL = 7  # (s, s) of the polynomial through the stages
INCREMENTS, CORRECTIONS, TRANSFORMED = 8, 9, 10  # (s, n)
LAST = 11  # derivatives of the stages of the last step (s, n)
COMPLEX = 12  # factors, real and imaginary parts, (2, n, n) of each pair
SCALE = 13  # (n)
START = 14  # derivative at the start of the step as the polynomial of the last one has it (n)
PIVOTS = 15  # (n) of each pair; in the block of integers
HEADER = 16

# --- numbers: scalars ------------------------------------------------------------------------------------------------
FACTORED_STEP = 0
LAST_STEP = 1  # size of the last step, 0: there is none
LAST_ERROR = 2
SHARPNESS = 3  # exponent of the relative tolerance
GAMMA = 4  # γ of the matrix F_y + F_k / (hγ): the real eigenvalue, where there is one, and the filter of the error
SCALARS = 5
