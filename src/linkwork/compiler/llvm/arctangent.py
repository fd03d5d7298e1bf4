"""The angle of a point, atan2(y, x), in all lanes at once, without a vector library of the system.

With a = max(|x|, |y|), b = min(|x|, |y|) the angle of (a, b) is at most π/4; tan(π/8) halves it once more:

    atan(b / a) = atan u,  u = b / a,                          b <= a tan(π/8),
    atan(b / a) = π/4 + atan u,  u = (b − a) / (b + a),        else,

so that |u| <= tan(π/8) and one division is enough. The rest follows by the octant and the signs.
"""

from __future__ import annotations

from string import Template

from linkwork.compiler.llvm.lanes import horner
from linkwork.compiler.llvm.width import VECTOR

# atan u = u − u³ (A0 + z (A1 + ...)), z = u², |u| < 7/16; coefficients: FDLIBM 5.3, s_atan.c (Sun Microsystems)
_A = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)
# π/4, π/2 and π, and what is missing in these numbers
_QUARTER = float.fromhex("0x1.921fb54442d18p-1"), float.fromhex("0x1.1a62633145c07p-55")
_HALF = float.fromhex("0x1.921fb54442d18p+0"), float.fromhex("0x1.1a62633145c07p-54")
_WHOLE = float.fromhex("0x1.921fb54442d18p+1"), float.fromhex("0x1.1a62633145c07p-53")
_TAN = 0.41421356237309503  # of π/8
_LARGE, _SMALLER = 2.0**1000, 2.0**-600  # sizes whose sums may overflow, and a factor against that

_ATAN2 = """
define internal $R @lanes_atan2($R %y, $R %x) noinline "min-legal-vector-width"="512" {
  %ax = call $R @llvm.fabs.$SUFFIX($R %x)
  %ay = call $R @llvm.fabs.$SUFFIX($R %y)
  %steep = fcmp ogt $R %ay, %ax
  %a0 = select $TRUTH %steep, $R %ay, $R %ax
  %b0 = select $TRUTH %steep, $R %ax, $R %ay
  ; large numbers are made smaller; of infinite ones only whether both are; nothing over nothing is nothing
  %large = fcmp ogt $R %a0, $LARGE
  %factor = select $TRUTH %large, $R $SMALLER, $R $ONE
  %a1 = fmul $R %a0, %factor
  %b1 = fmul $R %b0, %factor
  %endless = fcmp oeq $R %a0, $INFINITE
  %both = fcmp oeq $R %b0, $INFINITE
  %b_endless = select $TRUTH %both, $R $ONE, $R $ZERO
  %b = select $TRUTH %endless, $R %b_endless, $R %b1
  %none = fcmp oeq $R %a0, $ZERO
  %unit = or $TRUTH %endless, %none
  %a = select $TRUTH %unit, $R $ONE, $R %a1
  ; u, with the larger half of the octant about π/4
  %edge = fmul $R %a, $TAN
  %upper = fcmp ogt $R %b, %edge
  %difference = fsub $R %b, %a
  %sum = fadd $R %b, %a
  %over = select $TRUTH %upper, $R %difference, $R %b
  %under = select $TRUTH %upper, $R %sum, $R %a
  %u = fdiv $R %over, %under
  %z = fmul $R %u, %u
$POLYNOMIAL
  ; angle + low = base + u - u z s
  %base = select $TRUTH %upper, $R $QUARTER, $R $ZERO
  %base_low = select $TRUTH %upper, $R $QUARTER_LOW, $R $ZERO
  %zs = fmul $R %z, %s
  %bend = fmul $R %u, %zs
  %bend_low = fsub $R %bend, %base_low
  %from_line = fsub $R %u, %bend_low
  %first = fadd $R %base, %from_line
  %back = fsub $R %first, %base
  %low = fsub $R %from_line, %back
  ; beyond π/4: π/2 - angle; left of the axis: π - angle
  %left_bits = bitcast $R %x to $I
  %left = icmp slt $I %left_bits, $NO_BITS
  %turned = xor $TRUTH %steep, %left
  %minus = fneg $R %first
  %minus_low = fneg $R %low
  %signed = select $TRUTH %turned, $R %minus, $R %first
  %signed_low = select $TRUTH %turned, $R %minus_low, $R %low
  %flat = select $TRUTH %left, $R $WHOLE, $R $ZERO
  %flat_low = select $TRUTH %left, $R $WHOLE_LOW, $R $ZERO
  %whole = select $TRUTH %steep, $R $HALF, $R %flat
  %whole_low = select $TRUTH %steep, $R $HALF_LOW, $R %flat_low
  %lows = fadd $R %signed_low, %whole_low
  %near = fadd $R %signed, %lows
  %size = fadd $R %whole, %near
  %angle = call $R @llvm.copysign.$SUFFIX($R %size, $R %y)
  %missing = fcmp uno $R %x, %y
  %nothing = fadd $R %x, %y
  %found = select $TRUTH %missing, $R %nothing, $R %angle
  ret $R %found
}
"""


def atan2_definition() -> str:
    """The text of ``@lanes_atan2``, to two units in the last place, with the signs of zeros as in C."""
    width = VECTOR
    numbers = {"LARGE": _LARGE, "SMALLER": _SMALLER, "ONE": 1.0, "ZERO": 0.0, "INFINITE": float("inf"), "TAN": _TAN}
    numbers |= {"QUARTER": _QUARTER[0], "QUARTER_LOW": _QUARTER[1], "HALF": _HALF[0], "HALF_LOW": _HALF[1]}
    numbers |= {"WHOLE": _WHOLE[0], "WHOLE_LOW": _WHOLE[1]}
    return Template(_ATAN2).substitute(
        {name: width.constant(number) for name, number in numbers.items()},
        R=width.real,
        I=width.integer,
        TRUTH=width.truth,
        SUFFIX=width.suffix,
        NO_BITS=width.pattern(0),
        POLYNOMIAL=horner("s", _A),
    )
