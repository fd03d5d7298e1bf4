"""How wide a value is: one double, or eight lanes of a vector register. The only difference between the two codes."""

from __future__ import annotations

import struct
from dataclasses import dataclass

LANES = 8


@dataclass(frozen=True)
class Width:
    """Spelling of types, constants and intrinsics for a number of lanes."""

    lanes: int

    @property
    def is_scalar(self) -> bool:
        """Whether there is one lane only."""
        return self.lanes == 1

    @property
    def real(self) -> str:
        """Type of a value."""
        return "double" if self.is_scalar else f"<{self.lanes} x double>"

    @property
    def truth(self) -> str:
        """Type of a comparison."""
        return "i1" if self.is_scalar else f"<{self.lanes} x i1>"

    @property
    def integer(self) -> str:
        """Type of the bit pattern of a value."""
        return "i64" if self.is_scalar else f"<{self.lanes} x i64>"

    @property
    def suffix(self) -> str:
        """Ending of the names of overloaded intrinsics."""
        return "f64" if self.is_scalar else f"v{self.lanes}f64"

    def constant(self, number: float) -> str:
        """Spell a number exactly."""
        bits = f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"
        return bits if self.is_scalar else f"splat (double {bits})"

    def pattern(self, number: int) -> str:
        """Spell a bit pattern."""
        return str(number) if self.is_scalar else f"splat (i64 {number})"


SCALAR = Width(1)
VECTOR = Width(LANES)
