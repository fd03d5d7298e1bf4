"""From declared kernels to one LLVM module with plain C functions.

The language is described in ``calling.py``. Every variable lives on the stack; LLVM moves it to a register. Numbers
are ``double`` and ``i64``; ``int32`` exists only in signatures. The optimiser may assume that numbers of the two kinds
do not share memory (the ``tbaa`` marks).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from typing import Any

from linkwork.numerics.kernels.language.calling import Kernel, kernels_of
from linkwork.numerics.kernels.language.calls import Calls
from linkwork.numerics.kernels.language.checking import element_address
from linkwork.numerics.kernels.language.expressions import Bounds, TypedValue, llvm

MARKS = """
!0 = !{!"numbers"}
!1 = !{!"double", !0}
!2 = !{!"int64", !0}
!3 = !{!1, !1, i64 0}
!4 = !{!2, !2, i64 0}
!5 = !{!"address", !0}
!6 = !{!5, !5, i64 0}
"""


def translate_files(files: Collection[str], bounds: Bounds | None = None, apart: Collection[str] = ()) -> str:
    """Return the LLVM module (text) of the kernels of ``numerics/kernels/<file>.py`` and of those that they call."""
    return translate([kernel for file in files for kernel in kernels_of(file)], bounds, apart)


def declaration(kernel: Kernel) -> str:
    """The LLVM declaration of a kernel that another module has."""
    kinds = ", ".join(map(llvm, kernel.signature.arguments))
    return f"declare {llvm(kernel.signature.result)} @{kernel.symbol}({kinds})"


def write_gate(files: Collection[str]) -> str:
    """A module with the functions of some files, each of which calls what its slot holds."""
    found = []
    for kernel in (kernel for file in files for kernel in kernels_of(file)):
        result, kinds = llvm(kernel.signature.result), [llvm(kind) for kind in kernel.signature.arguments]
        arguments = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(kinds))
        call = f"tail call {result} %code({arguments})"
        found += [
            f"@slot_{kernel.symbol} = global ptr null",
            f"define {result} @{kernel.symbol}({arguments}) nounwind {{",
            f"  %code = load ptr, ptr @slot_{kernel.symbol}",
            *([f"  {call}", "  ret void"] if result == "void" else [f"  %found = {call}", f"  ret {result} %found"]),
            "}",
        ]
    return "\n".join(found)


def translate(kernels: list[Kernel], bounds: Bounds | None = None, apart: Collection[str] = ()) -> str:
    """Return the LLVM module of the *kernels*; those that they call are internal to it, but for those of files *apart*.

    bounds: check all accesses
    """
    visible = {kernel.symbol for kernel in kernels}
    wanted = {kernel.symbol: kernel for kernel in kernels}
    texts: dict[str, str] = {}
    declarations: set[str] = set()
    while wanted:
        symbol, kernel = wanted.popitem()
        if kernel.file in apart and not kernel.known and not kernel.kinds:
            declarations.add(declaration(kernel))
            continue
        translation = Translation(kernel, None if kernel is element_address else bounds)
        texts[symbol] = translation.text(internal=symbol not in visible)
        declarations |= translation.declarations
        wanted.update({name: called for name, called in translation.called.items() if name not in texts})
    return "\n\n".join([*sorted(declarations), *(texts[name] for name in sorted(texts)), MARKS])


class Translation(Calls):
    """Statements of one kernel."""

    def __init__(self, kernel: Kernel, bounds: Bounds | None = None) -> None:
        super().__init__(kernel, bounds)
        self.loops: list[tuple[str, str]] = []  # labels of `continue` and `break`
        self.breaks: list[set[str]] = []  # variables that have a value at each `break` of the innermost loop

    def text(self, *, internal: bool) -> str:
        """Return the definition of the function in LLVM."""
        definition = self.definition
        signature = self.kernel.signature
        names = [argument.arg for argument in definition.args.args if argument.arg not in self.given]
        if len(names) != len(signature.arguments):
            raise self.error(definition, f"{len(names)} arguments, but {len(signature.arguments)} in the signature")
        for name, type_ in zip(names, signature.arguments, strict=True):
            self.assign(definition, name, self.from_c(type_, f"%arg.{name}"))
        self.block(definition.body)
        if not self.closed:
            if signature.result != "void":
                raise self.error(definition.body[-1], "after this the kernel ends without a return")
            self.emit("ret void")
        arguments = ", ".join(f"{llvm(t)} %arg.{n}" for n, t in zip(names, signature.arguments, strict=True))
        head = f"define {'internal ' if internal else ''}{llvm(signature.result)} @{self.kernel.symbol}({arguments})"
        # widened loops are long: one copy of them, not one in each caller
        attributes = "nounwind noinline" if self.kernel.vectorise else "nounwind optsize"
        return "\n".join(
            [f"{head} {attributes} {{", "entry:", *self.stack, "br label %start", "start:", *self.lines, "}"]
        )

    # --- statements ----------------------------------------------------------------------------------------------

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if self.closed:
                raise self.error(statement, "this statement is never reached")
            visit = getattr(self, f"do_{type(statement).__name__}", None)
            if visit is None:
                raise self.error(statement, f"{type(statement).__name__} is not in the language of kernels")
            visit(statement)

    def do_Pass(self, node: ast.Pass) -> None:
        """Nothing happens."""

    def do_Expr(self, node: ast.Expr) -> None:
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
            self.value(node.value)

    def do_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                self.assign_part(target, node.value)
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                values = [self.value(element) for element in node.value.elts]
                for element, value in zip(target.elts, values, strict=True):
                    self.store(element, value)
            else:
                self.store(target, self.value(node.value))

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        current = ast.copy_location(ast.BinOp(left=self.as_load(node.target), op=node.op, right=node.value), node)
        self.do_Assign(ast.copy_location(ast.Assign([node.target], current), node))

    def assign_part(self, target: ast.Subscript, value: ast.expr) -> None:
        """``y[c:d] = ... x[a:b] ...``, element by element; so long as the left side is."""
        part = target.slice
        assert isinstance(part, ast.Slice)
        for node in ast.walk(value):
            if isinstance(node, ast.Call | ast.IfExp | ast.Compare | ast.BoolOp):
                raise self.error(node, "numbers alone stand in an assignment to a part of an array: write a loop")
        first = "0" if part.lower is None else self.integer(part.lower)
        if part.upper is None:
            raise self.error(target, "the end of the part is missing")
        count = self.result(f"sub nsw i64 {self.integer(part.upper)}, {first}")

        def write(lane: str, again: str, after: str) -> None:
            self.lane = lane
            self.store(target, self.value(value))
            self.lane = ""
            self.emit(f"br label %{again}")

        self.repeat("0", count, 1, write)

    @staticmethod
    def as_load(target: Any) -> Any:
        if isinstance(target, ast.Name):
            return ast.copy_location(ast.Name(target.id, ast.Load()), target)
        if isinstance(target, ast.Attribute):
            return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
        return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)

    def do_Return(self, node: ast.Return) -> None:
        if node.value is None:
            self.emit("ret void")
        else:
            result = self.kernel.signature.result
            self.emit(f"ret {llvm(result)} {self.to_c(node, result, self.value(node.value))}")
        self.closed = True

    def do_If(self, node: ast.If) -> None:
        yes, no, after = self.label(), self.label(), self.label()
        self.emit(f"br i1 {self.truth(node.test)}, label %{yes}, label %{no}")
        before = set(self.assigned)
        ends = []
        for label, statements in ((yes, node.body), (no, node.orelse)):
            self.assigned = set(before)
            closed = self.branch(label, statements, after)
            ends.append((closed, self.assigned))
        self.closed = all(closed for closed, _ in ends)
        # behind a branch that does not come here nothing is missing
        self.assigned = set.intersection(*([known for closed, known in ends if not closed] or [before]))
        if not self.closed:
            self.lines.append(f"{after}:")

    def branch(self, label: str, statements: list[ast.stmt], after: str) -> bool:
        """Write a branch that goes on at *after*; tell whether it never gets there."""
        self.lines.append(f"{label}:")
        self.closed = False
        self.block(statements)
        if not self.closed:
            self.emit(f"br label %{after}")
        return self.closed

    def do_While(self, node: ast.While) -> None:
        test, body, after = self.label(), self.label(), self.label()
        self.emit(f"br label %{test}")
        self.lines.append(f"{test}:")
        self.emit(f"br i1 {self.truth(node.test)}, label %{body}, label %{after}")
        self.lines.append(f"{body}:")
        left = self.loop(node, test, after)
        self.lines.append(f"{after}:")
        if isinstance(node.test, ast.Constant) and node.test.value:
            self.assigned = set.intersection(*left) if left else self.assigned
            if not left:
                self.emit("unreachable")
                self.closed = True

    def do_For(self, node: ast.For) -> None:
        """``for i in range(...)``: the bounds are taken once; the variable keeps its last value, as in Python."""
        start, stop, step = self.range_of(node)
        known = set(self.assigned)

        def write(current: str, again: str, after: str) -> None:
            self.store(node.target, TypedValue("int64", current))
            self.loop(node, again, after)
            self.assigned = known

        self.repeat(start, stop, step, write)

    def repeat(self, start: str, stop: str, step: int, write: Callable[[str, str, str], None]) -> None:
        """What *write* writes for each number of a range, with the labels of the next one and of what follows."""
        counter = self.reserve("i64")
        test, body, increment, after = self.label(), self.label(), self.label(), self.label()
        self.emit(f"store i64 {start}, ptr {counter}")
        self.emit(f"br label %{test}")
        self.lines.append(f"{test}:")
        current = self.result(f"load i64, ptr {counter}")
        more = self.result(f"icmp {'slt' if step > 0 else 'sgt'} i64 {current}, {stop}")
        self.emit(f"br i1 {more}, label %{body}, label %{after}")
        self.lines.append(f"{body}:")
        write(current, increment, after)
        self.lines.append(f"{increment}:")
        self.emit(f"store i64 {self.result(f'add nsw i64 {current}, {step}')}, ptr {counter}")
        self.emit(f"br label %{test}")
        self.lines.append(f"{after}:")

    def range_of(self, node: ast.For) -> tuple[str, str, int]:
        """Start, stop (LLVM values) and step of the range of a loop."""
        call = node.iter
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
            raise self.error(node, "a for loop runs over range(...)")
        step = 1
        if len(call.args) == 3:
            step = ast.literal_eval(call.args[2])
        bounds = [self.integer(argument) for argument in call.args[:2]]
        start, stop = ("0", bounds[0]) if len(bounds) == 1 else bounds
        return start, stop, step

    def loop(self, node: ast.For | ast.While, again: str, after: str) -> list[set[str]]:
        """Write the body of a loop, then a jump to *again*; returns what has a value where a ``break`` leaves it.

        The body may not run at all: what only it gives a value has none behind it.
        """
        if node.orelse:
            raise self.error(node, "a loop has no else in the language of kernels")
        self.loops.append((again, after))
        before, known = self.breaks, set(self.assigned)
        self.breaks = []
        self.block(node.body)
        if not self.closed:
            self.emit(f"br label %{again}")
        left, self.breaks, self.assigned = self.breaks, before, known
        self.loops.pop()
        self.closed = False
        return left

    def do_Break(self, node: ast.Break) -> None:
        self.emit(f"br label %{self.loops[-1][1]}")
        self.breaks.append(set(self.assigned))
        self.closed = True

    def do_Continue(self, node: ast.Continue) -> None:
        self.emit(f"br label %{self.loops[-1][0]}")
        self.closed = True
