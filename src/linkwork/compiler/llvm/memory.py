"""Lines that load and store values of arrays, and the heads of functions."""

from __future__ import annotations

from linkwork.compiler.llvm.width import Width

CLEAR = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"


def load(lines: list[str], width: Width, name: str, array: str, index: int | str) -> str:
    """Entry *index* of an array, a number or a name, as *name*."""
    lines.append(f"  {name}_at = getelementptr inbounds {width.real}, ptr %{array}, i64 {index}")
    lines.append(f"  {name} = load {width.real}, ptr {name}_at, align 8")
    return name


def store(lines: list[str], width: Width, value: str, array: str, index: int | str) -> None:
    """A value as entry *index* of an array."""
    place = f"%{array}_at{len(lines)}"
    lines.append(f"  {place} = getelementptr inbounds {width.real}, ptr %{array}, i64 {index}")
    lines.append(f"  store {width.real} {value}, ptr {place}, align 8")


def time_of(lines: list[str], width: Width) -> str:
    """The time."""
    return "%t" if width.is_scalar else load(lines, width, "%time", "t", 0)


def clear(width: Width, size: int) -> str:
    """All of out is zero."""
    return f"  call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 {8 * size * width.lanes}, i1 false)"


def define(symbol: str, lines: list[str], width: Width, further: str = "ptr noalias %out") -> str:
    """A function of the time, y, p and *further* parameters."""
    time, attributes = "double %t" if width.is_scalar else "ptr noalias readonly %t", "nounwind"
    if not width.is_scalar:
        attributes += ' "min-legal-vector-width"="512" "prefer-vector-width"="512"'
    parameters = f"{time}, ptr noalias readonly %y, ptr noalias readonly %p, {further}"
    return "\n".join([f"define void @{symbol}({parameters}) {attributes} {{", *lines, "  ret void", "}"])
