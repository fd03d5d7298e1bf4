"""Expressions of the kernel language, from the syntax tree of Python to LLVM instructions."""

from __future__ import annotations

import ast
import inspect
import re
import struct
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from linkwork.errors import CompileError
from linkwork.numerics.kernels.language.calling import Kernel
from linkwork.numerics.kernels.language.checking import element_address
from linkwork.numerics.kernels.language.layout import Field, RecordRow
from linkwork.numerics.kernels.language.records import Record

LLVM_TYPES = {
    "void": "void",
    "int32": "i32",
    "int64": "i64",
    "double": "double",
    "int64*": "ptr",
    "double*": "ptr",
    "bool": "i1",
}
MARKS = {"double*": "!tbaa !3", "int64*": "!tbaa !4"}
ADDRESS = "!tbaa !6"  # of what fields of records stand for: numbers are never stored over it

ARITHMETIC = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
COMPARISONS = {
    ast.Lt: ("olt", "slt"),
    ast.LtE: ("ole", "sle"),
    ast.Gt: ("ogt", "sgt"),
    ast.GtE: ("oge", "sge"),
    ast.Eq: ("oeq", "eq"),
    ast.NotEq: ("une", "ne"),
}
BUILTINS = {"abs": abs, "min": min, "max": max, "int": int, "float": float}


@dataclass(frozen=True)
class TypedValue:
    """An LLVM value with its type in the kernel language: double, int64, bool, double*, int64*, a record, compiled code."""

    type: Any
    name: str


def llvm(kind: Any) -> str:
    """The type of LLVM for a type of the kernel language."""
    return LLVM_TYPES[kind] if isinstance(kind, str) else "ptr"


def is_record(kind: Any) -> bool:
    """Whether a type is that of a record."""
    return isinstance(kind, type) and issubclass(kind, Record)


@dataclass(frozen=True)
class Bounds:
    """How accesses are checked: the address of the list of blocks, and a number for each line of each file."""

    table: int
    place: Callable[[str, int], int]


class Expressions:
    """The instructions of one kernel, written one after the other, and the names that it knows."""

    def __init__(self, kernel: Kernel, bounds: Bounds | None = None) -> None:
        source, first = inspect.getsourcelines(kernel.function)
        definition = ast.parse(textwrap.dedent("".join(source))).body[0]
        assert isinstance(definition, ast.FunctionDef)
        self.kernel = kernel
        self.bounds = bounds
        self.definition = definition
        self.first_line = first
        self.globals = kernel.function.__globals__
        self.given = dict(kernel.known)
        self.lines: list[str] = []
        self.stack: list[str] = []
        self.variables: dict[str, TypedValue] = {}
        self.assigned: set[str] = set()  # variables that have a value here, on whatever way this is reached
        self.called: dict[str, Kernel] = {}
        self.declarations: set[str] = set()
        self.closed = False  # the current block has ended with a jump
        self.lane = ""  # which element of the parts of arrays is being computed, where an assignment is one of parts
        self.count = 0

    def error(self, node: Any, reason: str) -> CompileError:
        line = self.first_line + getattr(node, "lineno", 1) - 1
        return CompileError(f"kernel {self.kernel.file}.{self.kernel.name}, line {line} of its file: {reason}")

    # --- instructions --------------------------------------------------------------------------------------------

    def emit(self, instruction: str) -> None:
        self.lines.append("  " + instruction)

    def result(self, instruction: str) -> str:
        self.count += 1
        self.emit(f"%v{self.count} = {instruction}")
        return f"%v{self.count}"

    def label(self) -> str:
        self.count += 1
        return f"l{self.count}"

    def reserve(self, llvm_type: str) -> str:
        self.count += 1
        self.stack.append(f"  %s{self.count} = alloca {llvm_type}")
        return f"%s{self.count}"

    def c_function(self, llvm_type: str, name: str, *values: str) -> str:
        """Call a function whose result and arguments all have the type *llvm_type*."""
        self.declarations.add(f"declare {llvm_type} @{name}({', '.join([llvm_type] * len(values))})")
        return self.result(f"call {llvm_type} @{name}({', '.join(f'{llvm_type} {value}' for value in values)})")

    # --- variables -----------------------------------------------------------------------------------------------

    def assign(self, node: Any, name: str, value: TypedValue) -> None:
        if name not in self.variables:
            self.variables[name] = TypedValue(value.type, self.reserve(llvm(value.type)))
        place = self.variables[name]
        if place.type != value.type:
            value = self.convert(node, value, place.type, f"'{name}' is {place.type}")
        self.emit(f"store {llvm(value.type)} {value.name}, ptr {place.name}")
        self.assigned.add(name)

    def store(self, target: ast.expr, value: TypedValue) -> None:
        if isinstance(target, ast.Name):
            self.assign(target, target.id, value)
        elif isinstance(target, ast.Subscript):
            pointer, place = self.element(target)
            value = self.convert(target, value, pointer[:-1], f"the array is of type {pointer[:-1]}")
            self.emit(f"store {LLVM_TYPES[value.type]} {value.name}, ptr {place}, {MARKS[pointer]}")
        elif isinstance(target, ast.Attribute):
            field, place = self.field(target)
            if field.begin:
                raise self.error(target, f"'{target.attr}' is a part of '{field.default.of}' and stays there")
            value = self.convert(target, value, field.kind, f"the field is of type {field.kind}")
            self.emit(f"store {llvm(value.type)} {value.name}, ptr {place}, {_mark(field)}")
        else:
            raise self.error(target, "only a name, an element of an array or a field of a record can be assigned")

    def field(self, node: ast.Attribute) -> tuple[Field, str]:
        """A field of a record, and the address of its cell."""
        record = self.value(node.value)
        if not is_record(record.type):
            raise self.error(node, f"'{ast.unparse(node.value)}' is no record")
        known = record.type.fields()
        if node.attr not in known:
            raise self.error(node, f"a {record.type.__name__} has no field '{node.attr}'; it has {', '.join(known)}")
        field = known[node.attr]
        return field, self.result(f"getelementptr inbounds i64, ptr {record.name}, i64 {field.cell}")

    def element(self, node: ast.Subscript) -> tuple[str, str]:
        """Type of the pointer and address of the element."""
        pointer = self.value(node.value)
        if pointer.type not in MARKS:
            raise self.error(node, f"a {pointer.type} has no elements")
        index = self.place_in_part(node.slice) if isinstance(node.slice, ast.Slice) else self.integer(node.slice)
        if self.bounds is not None:
            return pointer.type, self.checked(node, pointer, index)
        return pointer.type, self.offset(pointer, index)

    def place_in_part(self, part: ast.Slice) -> str:
        """Index of the element at hand of a part of an array."""
        if not self.lane or part.upper is None or part.step is not None:
            raise self.error(
                part, "x[a:b] stands in assignments to such parts of arrays, y[c:d] = ... x[a:b] ..., with its end"
            )
        return self.lane if part.lower is None else self.result(f"add nsw i64 {self.integer(part.lower)}, {self.lane}")

    def checked(self, node: ast.Subscript, pointer: TypedValue, index: str) -> str:
        """Address of an element that lies in its block of memory."""
        assert self.bounds is not None
        begin = self.result(f"ptrtoint ptr {pointer.name} to i64")
        self.called[element_address.symbol] = element_address
        place = self.bounds.place(self.kernel.file, self.first_line + node.lineno - 1)
        table = f"ptr inttoptr (i64 {self.bounds.table} to ptr)"
        call = f"call i64 @{element_address.symbol}(i64 {begin}, i64 {index}, i64 {place}, {table})"
        return self.result(f"inttoptr i64 {self.result(call)} to ptr")

    def offset(self, pointer: TypedValue, index: str) -> str:
        return self.result(f"getelementptr inbounds {LLVM_TYPES[pointer.type[:-1]]}, ptr {pointer.name}, i64 {index}")

    def convert(self, node: Any, value: TypedValue, wanted: str, because: str = "") -> TypedValue:
        if value.type == wanted or (is_record(value.type) and is_record(wanted) and wanted in value.type.__mro__):
            return value
        if wanted == "double" and value.type == "int64":
            return TypedValue("double", self.result(f"sitofp i64 {value.name} to double"))
        if wanted == "double" and value.type == "bool":
            return TypedValue("double", self.result(f"uitofp i1 {value.name} to double"))
        if wanted == "int64" and value.type == "bool":
            return TypedValue("int64", self.result(f"zext i1 {value.name} to i64"))
        raise self.error(
            node,
            f"a {_word(value.type)} cannot become a {_word(wanted)} by itself" + (f"; {because}" if because else ""),
        )

    def from_c(self, c_type: str, name: str) -> TypedValue:
        if c_type == "int32":
            return TypedValue("int64", self.result(f"sext i32 {name} to i64"))
        return TypedValue(c_type, name)

    def to_c(self, node: Any, c_type: str, value: TypedValue) -> str:
        if c_type == "int32":
            return self.result(f"trunc i64 {self.convert(node, value, 'int64').name} to i32")
        return self.convert(node, value, c_type).name

    # --- values --------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> TypedValue:
        visit = getattr(self, f"of_{type(node).__name__}", None)
        if visit is None:
            raise self.error(node, f"{type(node).__name__} is not in the language of kernels")
        value: TypedValue = visit(node)
        return value

    def integer(self, node: ast.expr) -> str:
        return self.convert(node, self.value(node), "int64").name

    def truth(self, node: ast.expr) -> str:
        value = self.value(node)
        if value.type != "bool":
            raise self.error(node, f"a condition is a comparison, not a {value.type}")
        return value.name

    def constant(self, node: Any, value: Any) -> TypedValue:
        if isinstance(value, bool):
            return TypedValue("bool", "true" if value else "false")
        if isinstance(value, int):
            return TypedValue("int64", str(value))
        if isinstance(value, float):
            return TypedValue("double", f"0x{struct.pack('>d', value).hex().upper()}")
        raise self.error(node, f"{value!r} is not a number")

    def of_Constant(self, node: ast.Constant) -> TypedValue:
        return self.constant(node, node.value)

    def of_Name(self, node: ast.Name) -> TypedValue:
        if node.id in self.variables:
            place = self.variables[node.id]
            if node.id not in self.assigned:
                raise self.error(node, f"'{node.id}' has no value on every way here; give it one before they part")
            return TypedValue(place.type, self.result(f"load {llvm(place.type)}, ptr {place.name}"))
        return self.constant(node, self.known(node))

    def of_Attribute(self, node: ast.Attribute) -> TypedValue:
        if not self.is_field(node):
            return self.constant(node, self.known(node))
        field, place = self.field(node)
        value = TypedValue(field.kind, self.result(f"load {llvm(field.kind)}, ptr {place}, {_mark(field)}"))
        if field.begin in ("", "0"):  # other parts of arrays begin where the integers of the record say
            return value
        integers = re.sub(r"[a-z]\w*", rf"{ast.unparse(node.value)}.\g<0>", field.begin)
        return TypedValue(value.type, self.offset(value, self.integer(ast.parse(integers, mode="eval").body)))

    def is_field(self, node: ast.expr) -> bool:
        """Whether an attribute begins with a variable: then it is a field of a record, or of one inside it."""
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.variables

    def known(self, node: ast.expr) -> Any:
        """Python object that a global name or the attribute of a module stands for."""
        if isinstance(node, ast.Name) and node.id in self.given:
            return self.given[node.id]
        if isinstance(node, ast.Name) and node.id in self.globals:
            return self.globals[node.id]
        if isinstance(node, ast.Name) and node.id in BUILTINS:
            return BUILTINS[node.id]
        if isinstance(node, ast.Attribute):
            owner = self.known(node.value)
            if isinstance(owner, ModuleType) and node.attr in vars(owner):
                return vars(owner)[node.attr]
            if isinstance(owner, Record) and node.attr in owner.fields():
                return getattr(owner, node.attr)
        raise self.error(node, f"'{ast.unparse(node)}' is not known here")

    def of_Subscript(self, node: ast.Subscript) -> TypedValue:
        if self.is_field(node.value):
            row = self.value(node.value)
            if isinstance(row.type, RecordRow):
                cell = self.result(f"mul nsw i64 {self.integer(node.slice)}, {row.type.record.layout().width}")
                place = self.result(f"getelementptr inbounds i64, ptr {row.name}, i64 {cell}")
                return TypedValue(row.type.record, place)
        pointer, place = self.element(node)
        return TypedValue(pointer[:-1], self.result(f"load {LLVM_TYPES[pointer[:-1]]}, ptr {place}, {MARKS[pointer]}"))

    def of_UnaryOp(self, node: ast.UnaryOp) -> TypedValue:
        if isinstance(node.op, ast.Not):
            return TypedValue("bool", self.result(f"xor i1 {self.truth(node.operand)}, true"))
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub) and value.type == "double":
            return TypedValue("double", self.result(f"fneg double {value.name}"))
        if isinstance(node.op, ast.USub) and value.type == "int64":
            return TypedValue("int64", self.result(f"sub nsw i64 0, {value.name}"))
        raise self.error(node, f"this sign does not go with a {value.type}")

    def common(self, node: Any, a: TypedValue, b: TypedValue) -> tuple[TypedValue, TypedValue]:
        wanted = "double" if "double" in (a.type, b.type) else "int64"
        return self.convert(node, a, wanted), self.convert(node, b, wanted)

    def of_BinOp(self, node: ast.BinOp) -> TypedValue:
        a, b = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Div | ast.Pow):
            x, y = self.convert(node, a, "double").name, self.convert(node, b, "double").name
            if isinstance(node.op, ast.Div):
                return TypedValue("double", self.result(f"fdiv double {x}, {y}"))
            return TypedValue("double", self.c_function("double", "llvm.pow.f64", x, y))
        a, b = self.common(node, a, b)
        if type(node.op) in ARITHMETIC:
            operation = ARITHMETIC[type(node.op)]
            kind = f"f{operation} double" if a.type == "double" else f"{operation} nsw i64"
            return TypedValue(a.type, self.result(f"{kind} {a.name}, {b.name}"))
        if isinstance(node.op, ast.FloorDiv | ast.Mod) and a.type == "int64":
            return self.floor_division(a.name, b.name, remainder=isinstance(node.op, ast.Mod))
        raise self.error(node, f"'{ast.unparse(node)}' is not in the language of kernels")

    def floor_division(self, a: str, b: str, *, remainder: bool) -> TypedValue:
        """Python rounds towards minus infinity, the machine towards zero."""
        rest = self.result(f"srem i64 {a}, {b}")
        mixed = self.result(f"icmp slt i64 {self.result(f'xor i64 {rest}, {b}')}, 0")
        lower = self.result(f"and i1 {mixed}, {self.result(f'icmp ne i64 {rest}, 0')}")
        if remainder:
            return TypedValue(
                "int64", self.result(f"add i64 {rest}, {self.result(f'select i1 {lower}, i64 {b}, i64 0')}")
            )
        quotient = self.result(f"sdiv i64 {a}, {b}")
        return TypedValue("int64", self.result(f"sub i64 {quotient}, {self.result(f'zext i1 {lower} to i64')}"))

    def of_Compare(self, node: ast.Compare) -> TypedValue:
        if isinstance(node.ops[0], ast.Is | ast.IsNot):
            return self.presence(node)
        operands = [self.value(operand) for operand in (node.left, *node.comparators)]
        total = ""
        for operation, a, b in zip(node.ops, operands, operands[1:], strict=False):
            total_now = self.compare(node, operation, a, b)
            total = self.result(f"and i1 {total}, {total_now}") if total else total_now
        return TypedValue("bool", total)

    def presence(self, node: ast.Compare) -> TypedValue:
        """``field is None``"""
        (other,) = node.comparators
        value = self.value(node.left)
        if llvm(value.type) != "ptr" or not (isinstance(other, ast.Constant) and other.value is None):
            raise self.error(node, "only a field that may be absent is compared with None")
        kind = "eq" if isinstance(node.ops[0], ast.Is) else "ne"
        return TypedValue("bool", self.result(f"icmp {kind} ptr {value.name}, null"))

    def compare(self, node: Any, operation: ast.cmpop, a: TypedValue, b: TypedValue) -> str:
        if type(operation) not in COMPARISONS:
            raise self.error(node, f"'{ast.unparse(node)}' is not in the language of kernels")
        ordered, signed = COMPARISONS[type(operation)]
        a, b = self.common(node, a, b)
        kind = f"fcmp {ordered} double" if a.type == "double" else f"icmp {signed} i64"
        return self.result(f"{kind} {a.name}, {b.name}")

    def of_BoolOp(self, node: ast.BoolOp) -> TypedValue:
        """``and`` and ``or`` look at their right side only when the left one does not decide."""
        place, after = self.reserve("i1"), self.label()
        for operand in node.values:
            truth = self.truth(operand)
            self.emit(f"store i1 {truth}, ptr {place}")
            following = self.label()
            targets = (following, after) if isinstance(node.op, ast.And) else (after, following)
            self.emit(f"br i1 {truth}, label %{targets[0]}, label %{targets[1]}")
            self.lines.append(f"{following}:")
        self.emit(f"br label %{after}")
        self.lines.append(f"{after}:")
        return TypedValue("bool", self.result(f"load i1, ptr {place}"))

    def of_IfExp(self, node: ast.IfExp) -> TypedValue:
        yes, no, after = self.label(), self.label(), self.label()
        self.emit(f"br i1 {self.truth(node.test)}, label %{yes}, label %{no}")
        self.lines.append(f"{yes}:")
        first = self.value(node.body)
        place = self.reserve(llvm(first.type))
        self.emit(f"store {llvm(first.type)} {first.name}, ptr {place}")
        self.emit(f"br label %{after}")
        self.lines.append(f"{no}:")
        second = self.convert(node, self.value(node.orelse), first.type, "both sides of 'if' have one type")
        self.emit(f"store {llvm(first.type)} {second.name}, ptr {place}")
        self.emit(f"br label %{after}")
        self.lines.append(f"{after}:")
        return TypedValue(first.type, self.result(f"load {llvm(first.type)}, ptr {place}"))


def _mark(field: Field) -> str:
    """What the optimiser may know of a cell: numbers of the two kinds and addresses do not share memory."""
    return {"double": MARKS["double*"], "int64": MARKS["int64*"]}.get(field.kind, ADDRESS)


def _word(kind: Any) -> str:
    return kind if isinstance(kind, str) else str(getattr(kind, "__name__", kind))
