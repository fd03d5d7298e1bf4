"""Calls of the kernel language: of other kernels, of compiled code that records hold, and of functions of ``math``."""

from __future__ import annotations

import ast
import math
from typing import Any

from linkwork.numerics.kernels.language.calling import Kernel, LibraryFunction, at
from linkwork.numerics.kernels.language.expressions import Expressions, TypedValue, llvm
from linkwork.numerics.kernels.language.records import MachineFunction, Record, Signature

INTRINSICS = {"sqrt", "exp", "log", "sin", "cos", "fabs", "copysign"}
LIBRARY = {"tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "hypot", "atan2", "fmod"}


class Calls(Expressions):
    """The calls of one kernel."""

    def of_Call(self, node: ast.Call) -> TypedValue:
        if self.is_field(node.func):
            code = self.value(node.func)
            if not (isinstance(code.type, type) and issubclass(code.type, MachineFunction)):
                raise self.error(node, f"'{ast.unparse(node.func)}' is no compiled code")
            return self.call(node, code.type.signature(), code.name, [self.value(argument) for argument in node.args])
        function = self.known(node.func)
        if isinstance(function, Kernel):
            return self.call_kernel(node, function)
        arguments = [self.value(argument) for argument in node.args]
        if isinstance(function, LibraryFunction):
            signature, name = function.signature, f"@{function.symbol}"
            kinds = ", ".join(llvm(kind) for kind in signature.arguments)
            self.declarations.add(f"declare {llvm(signature.result)} {name}({kinds})")
            return self.call(node, signature, name, arguments)
        if function is at:
            return TypedValue(
                arguments[0].type, self.offset(arguments[0], self.convert(node, arguments[1], "int64").name)
            )
        return self.mathematics(node, function, arguments)

    def call_kernel(self, node: ast.Call, function: Kernel) -> TypedValue:
        """Call another kernel, or what it becomes with the kernels, constants and kinds of records that it is given."""
        known, kinds, arguments = {}, {}, []
        for name, kind, argument in zip(function.parameters, function.signature.arguments, node.args, strict=False):
            constant = self.constant_of(argument)
            if constant is not None:
                known[name] = constant
                continue
            arguments.append(self.value(argument))
            if kind is None:
                kinds[name] = arguments[-1].type
        if known or kinds:
            function = function.given(known, kinds)
        elif len(node.args) != len(function.parameters):
            raise self.error(node, f"'{ast.unparse(node.func)}' takes {len(function.parameters)} arguments")
        self.called[function.symbol] = function
        return self.call(node, function.signature, f"@{function.symbol}", arguments)

    def constant_of(self, node: ast.expr) -> Kernel | Record | None:
        """The kernel or the record of constants that a name stands for."""
        if not isinstance(node, ast.Name | ast.Attribute) or self.is_field(node):
            return None
        found = self.known(node)
        return found if isinstance(found, Kernel | Record) else None

    def call(self, node: ast.Call, signature: Signature, function: str, arguments: list[TypedValue]) -> TypedValue:
        if len(arguments) != len(signature.arguments):
            raise self.error(node, f"'{ast.unparse(node.func)}' takes {len(signature.arguments)} arguments")
        pairs = zip(signature.arguments, arguments, strict=True)
        passed = ", ".join([f"{llvm(type_)} {self.to_c(node, type_, value)}" for type_, value in pairs])
        instruction = f"call {llvm(signature.result)} {function}({passed})"
        if signature.result == "void":
            self.emit(instruction)
            return TypedValue("void", "")
        return self.from_c(signature.result, self.result(instruction))

    def mathematics(self, node: ast.Call, function: Any, arguments: list[TypedValue]) -> TypedValue:
        if function is abs:
            return self.magnitude(node, arguments[0])
        if function in (min, max):
            return self.extreme(node, arguments, "lt" if function is min else "gt")
        if function is float:
            return self.convert(node, arguments[0], "double")
        if function is int and arguments[0].type == "double":
            return TypedValue("int64", self.result(f"fptosi double {arguments[0].name} to i64"))
        if function is int:
            return self.convert(node, arguments[0], "int64")
        numbers = [self.convert(node, argument, "double").name for argument in arguments]
        if function is math.isfinite:
            size = self.c_function("double", "llvm.fabs.f64", numbers[0])
            return TypedValue("bool", self.result(f"fcmp olt double {size}, 0x7FF0000000000000"))
        if function is math.isnan:
            return TypedValue("bool", self.result(f"fcmp uno double {numbers[0]}, {numbers[0]}"))
        name = getattr(function, "__name__", "")
        if getattr(math, name, None) is function and name in INTRINSICS:
            return TypedValue("double", self.c_function("double", f"llvm.{name}.f64", *numbers))
        if getattr(math, name, None) is function and name in LIBRARY:
            return TypedValue("double", self.c_function("double", name, *numbers))
        raise self.error(node, f"'{ast.unparse(node.func)}' is not in the language of kernels")

    def magnitude(self, node: ast.Call, value: TypedValue) -> TypedValue:
        if value.type == "double":
            return TypedValue("double", self.c_function("double", "llvm.fabs.f64", value.name))
        negative = self.result(f"sub nsw i64 0, {self.convert(node, value, 'int64').name}")
        return self.extreme(node, [value, TypedValue("int64", negative)], "gt")

    def extreme(self, node: ast.Call, values: list[TypedValue], comparison: str) -> TypedValue:
        """The first of the smallest or largest values, as in Python."""
        best = values[0]
        for value in values[1:]:
            best, other = self.common(node, best, value)
            kind = f"fcmp o{comparison} double" if best.type == "double" else f"icmp s{comparison} i64"
            better = self.result(f"{kind} {other.name}, {best.name}")
            type_ = llvm(best.type)
            best = TypedValue(best.type, self.result(f"select i1 {better}, {type_} {other.name}, {type_} {best.name}"))
        return best
