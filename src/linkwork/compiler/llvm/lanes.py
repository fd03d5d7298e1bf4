"""Functions of mathematics on lanes, without a vector library of the system.

Sine and cosine are polynomials after an exact reduction of the argument; every other function of the C library is
called lane by lane.
"""

from __future__ import annotations

from string import Template

from linkwork.compiler.llvm.width import VECTOR, Width

# π/2 = P1 + P2 + P3 to 161 bits
_P1 = float.fromhex("0x1.921fb54442d18p+0")
_P2 = float.fromhex("0x1.1a62633145c07p-54")
_P3 = float.fromhex("-0x1.f1976b7ed8fbcp-110")
_TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")

# adding 1.5·2⁵² rounds to an integer and leaves it in the low bits of the number
_ROUNDER = 6755399441055744.0
# up to here the integer nearest to 2x/π is found with certainty, and x - n P1 is exact
_LIMIT = 2.0**40

# sin r = r + r³ (S1 + z S2 + ...), cos r = 1 - z/2 + z² (C1 + z C2 + ...), z = r², |r| <= π/4;
# coefficients: FDLIBM 5.3, k_sin.c and k_cos.c (Sun Microsystems, freely distributable)
_S = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
_C = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)

# sin and cos of eight arguments
_SINCOS = """
define internal {$R, $R} @sincos($R %x) $INLINE "min-legal-vector-width"="512" {
  ; n = nearest integer to 2x/π
  %scaled = fmul $R %x, $TWO_OVER_PI
  %biased = fadd $R %scaled, $ROUNDER
  %n = fsub $R %biased, $ROUNDER
  %minus = fneg $R %n
  ; r + low = x - n π/2; the first difference is exact, and so is product + tail = n P2
  %r1 = call $R @llvm.fma.$SUFFIX($R %minus, $R $P1, $R %x)
  %product = fmul $R %n, $P2
  %minus_product = fneg $R %product
  %tail = call $R @llvm.fma.$SUFFIX($R %n, $R $P2, $R %minus_product)
  %r = fsub $R %r1, %product
  %back = fsub $R %r1, %r
  %lost = fsub $R %back, %product
  %rest = fsub $R %lost, %tail
  %low = call $R @llvm.fma.$SUFFIX($R %minus, $R $P3, $R %rest)
  %z = fmul $R %r, %r
  ; sin(r + low) = r - ((z (low/2 - r³ S') - low) - r³ S1)
  %v = fmul $R %z, %r
$SINE_POLYNOMIAL
  %half_low = fmul $R %low, $HALF
  %vs = fmul $R %v, %s
  %s1 = fsub $R %half_low, %vs
  %s2 = fmul contract $R %z, %s1
  %s3 = fsub contract $R %s2, %low
  %s4 = fmul contract $R %v, $S1
  %s5 = fsub contract $R %s3, %s4
  %s6 = fsub $R %r, %s5
  %nought = fcmp oeq $R %x, $ZERO
  %sine = select $TRUTH %nought, $R %x, $R %s6
  ; cos(r + low) = w + (((1 - w) - z/2) + (z² C - r low)), w = 1 - z/2
$COSINE_POLYNOMIAL
  %half_z = fmul $R %z, $HALF
  %w = fsub $R $ONE, %half_z
  %w1 = fsub $R $ONE, %w
  %w2 = fsub $R %w1, %half_z
  %zz = fmul $R %z, %z
  %zc = fmul contract $R %zz, %c
  %rl = fmul contract $R %r, %low
  %w3 = fsub contract $R %zc, %rl
  %w4 = fadd $R %w2, %w3
  %cosine = fadd $R %w, %w4
  ; quadrant n mod 4: odd ones swap, the second bit changes the sign
  %bits = bitcast $R %biased to $I
  %odd = and $I %bits, $ONE_BIT
  %swap = icmp ne $I %odd, $ZERO_BIT
  %sin_upper = shl $I %bits, $BIT_62
  %sin_sign = and $I %sin_upper, $SIGN_BIT
  %next = add $I %bits, $ONE_BIT
  %cos_upper = shl $I %next, $BIT_62
  %cos_sign = and $I %cos_upper, $SIGN_BIT
  %sin_size = select $TRUTH %swap, $R %cosine, $R %sine
  %cos_size = select $TRUTH %swap, $R %sine, $R %cosine
  %sin_bits = bitcast $R %sin_size to $I
  %cos_bits = bitcast $R %cos_size to $I
  %sin_signed = xor $I %sin_bits, %sin_sign
  %cos_signed = xor $I %cos_bits, %cos_sign
  %sin_fast = bitcast $I %sin_signed to $R
  %cos_fast = bitcast $I %cos_signed to $R
  ; huge arguments: lane by lane
  %size = call $R @llvm.fabs.$SUFFIX($R %x)
  %huge = fcmp ogt $R %size, $LIMIT
  %any = call i1 @llvm.vector.reduce.or.v8i1($TRUTH %huge)
  br i1 %any, label %slow, label %done, !prof !0
slow:
  %sin_far = call $R @lanes_sin($R %x)
  %cos_far = call $R @lanes_cos($R %x)
  ; the other lanes keep what they have: no digit of a lane depends on its neighbours
  %sin_slow = select $TRUTH %huge, $R %sin_far, $R %sin_fast
  %cos_slow = select $TRUTH %huge, $R %cos_far, $R %cos_fast
  br label %done
done:
  %sin = phi $R [ %sin_fast, %0 ], [ %sin_slow, %slow ]
  %cos = phi $R [ %cos_fast, %0 ], [ %cos_slow, %slow ]
  %pair = insertvalue {$R, $R} poison, $R %sin, 0
  %both = insertvalue {$R, $R} %pair, $R %cos, 1
  ret {$R, $R} %both
}
!0 = !{!"branch_weights", i32 1, i32 100000}
"""


def sincos_definition(inline: bool) -> str:
    """Return the text of `@sincos`: both functions of eight arguments, to about one unit in the last place.

    Cody & Waite's reduction with fused multiply-add: x - n P1 is exact, because all its bits lie between the last of
    P1 and 1; what the further differences lose is carried along in a second number, so that arguments next to a
    multiple of π/2 keep their accuracy.
    Arguments above 2⁴⁰ (and infinities) go to the C library lane by lane.
    """
    width = VECTOR
    numbers = {"TWO_OVER_PI": _TWO_OVER_PI, "ROUNDER": _ROUNDER, "LIMIT": _LIMIT, "P1": _P1, "P2": _P2, "P3": _P3}
    numbers |= {"HALF": 0.5, "ZERO": 0.0, "ONE": 1.0, "S1": _S[0]}
    patterns = {"ONE_BIT": 1, "ZERO_BIT": 0, "BIT_62": 62, "SIGN_BIT": -(2**63)}
    return Template(_SINCOS).substitute(
        {name: width.constant(number) for name, number in numbers.items()},
        **{name: width.pattern(number) for name, number in patterns.items()},
        R=width.real,
        I=width.integer,
        TRUTH=width.truth,
        SUFFIX=width.suffix,
        INLINE="alwaysinline" if inline else "noinline",
        SINE_POLYNOMIAL=horner("s", _S[1:]),
        COSINE_POLYNOMIAL=horner("c", _C),
    )


def by_lanes_definition(symbol: str, arity: int, width: Width = VECTOR) -> str:
    """Return the text of `@lanes_<symbol>`: a function of the C library, called for each lane."""
    arguments = ("%a", "%b")[:arity]
    lines = []
    previous = "poison"
    for lane in range(width.lanes):
        for argument in arguments:
            lines.append(f"  {argument}{lane} = extractelement {width.real} {argument}, i32 {lane}")
        operands = ", ".join(f"double {argument}{lane}" for argument in arguments)
        lines.append(f"  %f{lane} = call double @{symbol}({operands})")
        lines.append(f"  %r{lane} = insertelement {width.real} {previous}, double %f{lane}, i32 {lane}")
        previous = f"%r{lane}"
    parameters = ", ".join(f"{width.real} {argument}" for argument in arguments)
    head = f'define internal {width.real} @lanes_{symbol}({parameters}) noinline "min-legal-vector-width"="512" {{'
    return "\n".join([head, *lines, f"  ret {width.real} {previous}", "}"])


def horner(name: str, coefficients: tuple[float, ...]) -> str:
    """Return the lines that evaluate Σ cₖ zᵏ into %name, of all lanes."""
    width = VECTOR
    value = width.constant(coefficients[-1])
    lines = []
    for k in range(len(coefficients) - 2, -1, -1):
        target = f"%{name}" if k == 0 else f"%{name}_{k}"
        addend = width.constant(coefficients[k])
        lines.append(
            f"  {target} = call {width.real} @llvm.fma.{width.suffix}"
            f"({width.real} {value}, {width.real} %z, {width.real} {addend})"
        )
        value = target
    return "\n".join(lines)
