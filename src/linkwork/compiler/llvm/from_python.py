"""One evaluation as Python calls it: a function of CPython, made of machine code like all others here.

    call(t, y, p, out)      out = f(t, y, p), and returns out; None where the arguments are not plain

Plain are a number t and arrays that NumPy itself would hand to C as they are: of this very type, float64, contiguous,
aligned and of the right length; *p* may be () where there are no parameters. Whatever else is given has to be made plain,
or refused, by somebody who has the time. Many a mechanism takes less than a call through ``ctypes`` (0.4 µs) and the places
of its arrays.

Where the fields of arrays lie is fixed for compiled code (PyArrayObject_fields of NumPy). It is looked up all the same,
once, at arrays that are known; where it is not so (another Python, another machine) calls go through ``ctypes``.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from string import Template
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.machine import Module, compile_ir

Array = NDArray[np.float64]
PlainCall = Callable[[Any, Any, Any, Array], Array | None]
"""(t, y, p, out) → out, or None."""

# places of PyObject and PyArrayObject_fields in bytes
TYPE, DATA, DIMENSIONS, SHAPE, DESCRIPTION, FLAGS = 8, 16, 24, 32, 56, 64
PLAIN, WRITEABLE = 0x101, 0x400  # NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED, NPY_ARRAY_WRITEABLE
FASTCALL = 0x80  # METH_FASTCALL

_TEXT = """
define internal i1 @is_plain(ptr %array, i64 %size, i64 %type, i64 %description, i32 %wanted) alwaysinline {
  %type_at = getelementptr i8, ptr %array, i64 $TYPE
  %its_type = load i64, ptr %type_at
  %is_array = icmp eq i64 %its_type, %type
  br i1 %is_array, label %looked, label %other
looked:
  %dimensions_at = getelementptr i8, ptr %array, i64 $DIMENSIONS
  %dimensions = load i32, ptr %dimensions_at
  %description_at = getelementptr i8, ptr %array, i64 $DESCRIPTION
  %its_description = load i64, ptr %description_at
  %flags_at = getelementptr i8, ptr %array, i64 $FLAGS
  %flags = load i32, ptr %flags_at
  %have = and i32 %flags, %wanted
  %row = icmp eq i32 %dimensions, 1
  %numbers = icmp eq i64 %its_description, %description
  %flagged = icmp eq i32 %have, %wanted
  %both = and i1 %row, %numbers
  %all = and i1 %both, %flagged
  br i1 %all, label %sized, label %other
sized:
  %shape_at = getelementptr i8, ptr %array, i64 $SHAPE
  %shape = load ptr, ptr %shape_at
  %its_size = load i64, ptr %shape
  %fits = icmp eq i64 %its_size, %size
  ret i1 %fits
other:
  ret i1 0
}

define internal ptr @data_of(ptr %array) alwaysinline {
  %data_at = getelementptr i8, ptr %array, i64 $DATA
  %data = load ptr, ptr %data_at
  ret ptr %data
}

define ptr @call(ptr %self, ptr %arguments, i64 %count) {
entry:
  %known = call ptr @data_of(ptr %self)
$FIELDS
  %four = icmp eq i64 %count, 4
  br i1 %four, label %given, label %refused
given:
  %t_object = load ptr, ptr %arguments
  %y_at = getelementptr ptr, ptr %arguments, i64 1
  %y = load ptr, ptr %y_at
  %p_at = getelementptr ptr, ptr %arguments, i64 2
  %p = load ptr, ptr %p_at
  %out_at = getelementptr ptr, ptr %arguments, i64 3
  %out = load ptr, ptr %out_at
  %number_of = inttoptr i64 %as_double to ptr
  %t = call double %number_of(ptr %t_object)
  %odd = fcmp oeq double %t, -1.0
  br i1 %odd, label %doubtful, label %timed
doubtful:
  %error_of = inttoptr i64 %occurred to ptr
  %error = call ptr %error_of()
  %failed = icmp ne ptr %error, null
  br i1 %failed, label %forgotten, label %timed
forgotten:
  %forget = inttoptr i64 %clear to ptr
  call void %forget()
  br label %refused
timed:
  %y_plain = call i1 @is_plain(ptr %y, i64 %size_y, i64 %array_type, i64 %description, i32 $PLAIN)
  br i1 %y_plain, label %state_given, label %refused
state_given:
  %out_plain = call i1 @is_plain(ptr %out, i64 %size_out, i64 %array_type, i64 %description, i32 $OUT)
  br i1 %out_plain, label %out_given, label %refused
out_given:
  %p_address = ptrtoint ptr %p to i64
  %p_empty = icmp eq i64 %p_address, %empty
  %p_none = icmp eq i64 %size_p, 0
  %p_left_away = and i1 %p_empty, %p_none
  br i1 %p_left_away, label %run, label %parameters
parameters:
  %p_plain = call i1 @is_plain(ptr %p, i64 %size_p, i64 %array_type, i64 %description, i32 $PLAIN)
  br i1 %p_plain, label %parameters_given, label %refused
parameters_given:
  %p_found = call ptr @data_of(ptr %p)
  br label %run
run:
  %p_data = phi ptr [ null, %out_given ], [ %p_found, %parameters_given ]
  %y_data = call ptr @data_of(ptr %y)
  %out_data = call ptr @data_of(ptr %out)
  %f = inttoptr i64 %function to ptr
  call void %f(double %t, ptr %y_data, ptr %p_data, ptr %out_data)
  br label %done
refused:
  %nothing = inttoptr i64 %none to ptr
  br label %done
done:
  %found = phi ptr [ %out, %run ], [ %nothing, %refused ]
  %keep = inttoptr i64 %increase to ptr
  call void %keep(ptr %found)
  ret ptr %found
}
"""
_KNOWN = ("function", "size_y", "size_p", "size_out", "array_type", "description", "empty")
_PYTHON = {
    "as_double": "PyFloat_AsDouble",
    "occurred": "PyErr_Occurred",
    "clear": "PyErr_Clear",
    "increase": "Py_IncRef",
}


class _Known(np.ndarray):
    """What a call knows: addresses and sizes; and what has to live as long as it."""

    code: object


class _Method(ctypes.Structure):
    """PyMethodDef"""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def plain_call(address: int, sizes: tuple[int, int, int], code: object) -> PlainCall:
    """The call of ``void f(double t, const double *y, const double *p, double *out)`` at an address.

    sizes: of y, p and out; code: what the address belongs to, which lives as long as the call
    """
    if not _has_layout():
        return _by_ctypes(address, sizes, code)
    known = np.array(
        [address, *sizes, id(np.ndarray), id(np.dtype(np.float64)), id(()), *_functions(), id(None)], np.int64
    )
    own = known.view(_Known)
    own.code = code
    return _maker()(ctypes.byref(_method()[0]), own, None)


def _by_ctypes(address: int, sizes: tuple[int, int, int], code: object) -> PlainCall:
    """The same where arrays have another layout."""
    function = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)(address)

    def call(t: Any, y: Any, p: Any, out: Array, code: object = code) -> Array | None:
        given = (y, np.empty(0) if type(p) is tuple and not p else p, out)
        plain = all(_is_plain(array, size) for array, size in zip(given, sizes, strict=True))
        if type(t) is not float or not plain or not out.flags.writeable:
            return None
        function(t, *(array.ctypes.data for array in given))
        return out

    return call


def _is_plain(array: Any, size: int) -> bool:
    if type(array) is not np.ndarray or array.shape != (size,) or array.dtype != np.float64:
        return False
    return bool(array.flags.c_contiguous and array.flags.aligned)


@cache
def _has_layout() -> bool:
    """Whether arrays are laid out as compiled code takes them to be."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    plain, turned = np.zeros(3), np.zeros((2, 5)).T
    turned.flags.writeable = False
    return all(
        _word(array, TYPE) == id(np.ndarray)
        and _word(array, DATA) == array.ctypes.data
        and _word(array, DIMENSIONS) & 0xFFFFFFFF == array.ndim
        and ctypes.c_int64.from_address(_word(array, SHAPE)).value == array.shape[0]
        and _word(array, DESCRIPTION) == id(np.dtype(np.float64))
        and _word(array, FLAGS) & (PLAIN | WRITEABLE) == flags
        for array, flags in ((plain, PLAIN | WRITEABLE), (turned, 0x100))
    )


def _word(item: object, place: int) -> int:
    return ctypes.c_uint64.from_address(id(item) + place).value


@cache
def _functions() -> tuple[int, ...]:
    """Where the functions of Python are that a call needs."""
    found = (ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in _PYTHON.values())
    return tuple(int(address or 0) for address in found)


@cache
def _maker() -> Callable[..., PlainCall]:
    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return prototype(("PyCFunction_NewEx", ctypes.pythonapi))


@cache
def _method() -> tuple[_Method, Module]:
    """What Python reads of the function, which stays as long as the process."""
    names = [*_KNOWN, *_PYTHON, "none"]
    fields = [
        f"  %{name}_at = getelementptr i64, ptr %known, i64 {i}\n  %{name} = load i64, ptr %{name}_at"
        for i, name in enumerate(names)
    ]
    text = Template(_TEXT).substitute(
        TYPE=TYPE, DATA=DATA, DIMENSIONS=DIMENSIONS, SHAPE=SHAPE, DESCRIPTION=DESCRIPTION, FLAGS=FLAGS,
        PLAIN=PLAIN, OUT=PLAIN | WRITEABLE, FIELDS="\n".join(fields),
    )  # fmt: skip
    module = compile_ir(text, opt=1)
    return _Method(b"call", module.address("call"), FASTCALL, b"out = f(t, y, p)"), module
