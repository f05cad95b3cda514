# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""tutti's collectives for Python: mpi4py's communicators, NumPy's arrays, operators of the caller's.

    import tutti
    total = tutti.all_reduce(comm, array, "sum")
    total = tutti.all_reduce(comm, array, operator)

This file lies beside libtutti.so, or TUTTI_LIBRARY in the environment says where that is; the library must have been
built with the MPI of mpi4py. What a collective does is said with the one of the same name in tutti.h.

Arrays: of any dtype without references, and of any shape and memory order; what has gaps is copied. What is more than
its numbers, such as masked arrays, arrays with units and data frames, is refused. All ranks must give
arrays of one dtype and shape: where dtypes of one size differ, results are wrong; with TUTTI_CHECK=1 it is noticed if
the operator is one of the names below. A number is an array of no dimension. Results are new arrays, unless `out` is
given.

Operators are one of
- "sum", "product", "minimum", "maximum", "and", "or", "xor", or the NumPy function of that meaning, such as numpy.add;
- a compiled function of four arguments (state, in, inout, n) that means inout[i] = in[i] (+) inout[i], `in` the left
  operand: its address, a ctypes function, or a function of numba.cfunc with the signature
  `tutti.numba_signature(dtype)`;
  `tutti.Operator(function, state=address)` gives it a state;
- a function(left, right) -> array of two arrays of elements, combined one by one. It is called once for each block that
  is combined: that is slow for short vectors.
Operands stay in rank order unless the operator is known to commute, or commutes=True is given.

A call that fails raises Failure, whose `code` is INVALID_ARGUMENT, OUT_OF_MEMORY, COMMUNICATION, WRONG_USE or OTHER;
after COMMUNICATION all ranks call recover(comm). Wrong arguments raise TypeError or ValueError, which is a Failure
of code INVALID_ARGUMENT where the library has found it, or a root is no rank. On
one rank alone they are COMMUNICATION on others, and that rank calls recover(comm), too. What an operator raises is
raised on its rank; ranks that lack a result because of it get a Failure.
"""
import ctypes
import inspect
import operator
import os
import types

import numpy
from mpi4py import MPI

INVALID_ARGUMENT, OUT_OF_MEMORY, COMMUNICATION, WRONG_USE, OTHER = 1, 2, 3, 4, 5

_size = ctypes.c_size_t
_pointer = ctypes.c_void_p
_Combine = ctypes.CFUNCTYPE(None, _pointer, _pointer, _pointer, _size)
_Grow = ctypes.CFUNCTYPE(_pointer, _pointer, _size)
_CombineObjects = ctypes.CFUNCTYPE(None, _pointer, _pointer, _size, _pointer, _size, _pointer, _pointer)
_Comm = ctypes.c_int if MPI._sizeof(MPI.Comm) == ctypes.sizeof(ctypes.c_int) else ctypes.c_void_p
_IN_PLACE = ctypes.c_void_p(-1)


class Failure(RuntimeError):
    """A call has failed. It can be copied and pickled."""

    def __init__(self, code, what=None):
        super().__init__(_library().tutti_last_error().decode(errors="replace") if what is None else what)
        self.code = code

    def __reduce__(self):
        return type(self), (self.code, *self.args), self.__dict__


class InvalidArgument(Failure, ValueError):
    """A value is wrong, as a root that is no rank is."""


class _OfThisProcess:
    """What refers to memory of C's, or to code: a copy would free it twice, and elsewhere it means nothing."""

    def __reduce_ex__(self, _):
        raise TypeError(f"tutti: a {type(self).__name__} cannot be copied or pickled, since it refers to memory of "
                        "this process; use the same one, or make another")


class _Operator(ctypes.Structure):
    _fields_ = [("combine", _pointer), ("state", _pointer), ("commutes", ctypes.c_int)]


class _Object(ctypes.Structure):
    _fields_ = [("bytes", _pointer), ("size", _size)]


class _Member(ctypes.Structure):
    _fields_ = [("offset", _size), ("count", _size), ("op", _Operator)]


class _Members(ctypes.Structure):
    _fields_ = [("member", ctypes.POINTER(_Member)), ("count", _size), ("extent", _size)]


_loaded = []


def _library():
    """libtutti.so, loaded at the first call."""
    if not _loaded:
        here = os.path.dirname(os.path.abspath(__file__))
        path = os.environ.get("TUTTI_LIBRARY") or os.path.join(here, "libtutti.so")
        if not os.path.exists(path):
            raise ImportError(f"tutti: there is no {path}; build the target tutti_c with the MPI of mpi4py "
                              f"({MPI.get_vendor()[0]}), and set TUTTI_LIBRARY to its libtutti.so")
        _require_same_mpi(path)
        library = ctypes.CDLL(path)
        _declare(library)
        _loaded.append(library)
    return _loaded[0]


def _family(text):
    """Which MPI a name is of: its libraries cannot be in one process with those of another one."""
    text = text.lower()
    if "open mpi" in text or "libmpi.so.40" in text or "openmpi" in text:
        return "Open MPI"
    if any(name in text for name in ("mpich", "intel", "mvapich", "libmpi.so.12", "cray")):
        return "MPICH"
    return None


def _require_same_mpi(path):
    """Refuses a library that needs another MPI than the one that runs, which it would load beside that."""
    with open(path, "rb") as file:
        content = file.read()
    needs = next((name for name in ("libmpi.so.40", "libmpich.so", "libmpi.so.12", "libmpi_abi.so") if
                  name.encode() in content), None)
    ours = _family(MPI.Get_library_version())
    theirs = _family(needs) if needs else None
    if ours is not None and theirs is not None and ours != theirs:
        raise ImportError(f"tutti: {path} was built for {theirs}, and mpi4py for {ours}; build the target tutti_c with "
                          "the MPI of mpi4py")


def _declare(library):
    """The types of the arguments of all functions that are called here."""
    c, p, n, i, operator = _Comm, _pointer, _size, ctypes.c_int, _Operator
    whole = [c, p, p, n, n, operator]
    functions = {
        "barrier": [c], "recover": [c], "refuse": [c, ctypes.c_char_p],
        "use_algorithm": [c, ctypes.c_char_p, ctypes.c_char_p],
        "broadcast": [c, p, n, n, i], "reduce": whole + [i], "all_reduce": whole, "inclusive_scan": whole,
        "exclusive_scan": whole, "scan_reduce": [c, p, p, p, n, n, operator],
        "reduce_scatter": [c, p, p, p, n, operator],
        "all_gather": [c, p, p, n, n], "all_gatherv": [c, p, p, p, n], "gather": [c, p, p, n, n, i],
        "gatherv": [c, p, n, p, p, n, i], "scatter": [c, p, p, n, n, i], "scatterv": [c, p, p, p, n, n, i],
    }
    for name, types in functions.items():
        getattr(library, f"tutti_{name}").argtypes = types
        _functions[name] = getattr(library, f"tutti_{name}")
        if name not in ("barrier", "recover", "refuse", "use_algorithm"):
            getattr(library, f"tutti_plan_{name}").argtypes = types + [p]
    for name in ("start", "wait"):
        getattr(library, f"tutti_{name}").argtypes = [p]
    library.tutti_test.argtypes = library.tutti_explain.argtypes = [p, p]
    library.tutti_request_free.argtypes = [p]
    for name in ("inclusive_scan", "exclusive_scan"):
        getattr(library, f"tutti_{name}_sequence").argtypes = [c, p, n, p, n, operator]
    library.tutti_all_reduce_sequence.argtypes = [c, p, n, p, n, operator]
    library.tutti_reduce_sequence.argtypes = [c, p, n, p, n, operator, i]
    for suffix in ("", "_float"):
        for name in ("", "exact_"):
            getattr(library, f"tutti_{name}sums_without_order{suffix}").argtypes = [c, n, p, p, p]
        getattr(library, f"tutti_dot_without_order{suffix}").argtypes = [c, p, p, n, p]
    for name in ("all_reduce", "inclusive_scan", "exclusive_scan"):
        getattr(library, f"tutti_{name}_objects").argtypes = [c, p, n, operator, p]
    library.tutti_reduce_objects.argtypes = [c, p, n, operator, i, p]
    library.tutti_broadcast_objects.argtypes = [c, p, n, i, p]
    library.tutti_object_free.argtypes, library.tutti_object_free.restype = [p], None
    library.tutti_last_error.restype = ctypes.c_char_p
    library.tutti_fail.argtypes, library.tutti_fail.restype = [ctypes.c_char_p], None
    library.tutti_operator_for.argtypes, library.tutti_operator_for.restype = [i, i], _Operator
    library.tutti_each.argtypes, library.tutti_each.restype = [p], _Operator


def _handle(comm):
    if not (isinstance(comm, MPI.Comm) and comm):
        raise TypeError(f"tutti: {comm!r} is no communicator, or one that has been freed; give one of mpi4py's, such as "
                        "MPI.COMM_WORLD")
    return _Comm.from_address(MPI._addressof(comm)).value


# ---- operators -----------------------------------------------------------------------------------------------------

_FUNCTIONS = {"sum": 1, "product": 2, "minimum": 3, "maximum": 4, "and": 5, "or": 6, "xor": 7,
              numpy.add: 1, numpy.multiply: 2, numpy.minimum: 3, numpy.maximum: 4, numpy.bitwise_and: 5,
              numpy.bitwise_or: 6, numpy.bitwise_xor: 7}
_TYPES = {"f4": 1, "f8": 2, "c8": 3, "c16": 4, "i1": 5, "i2": 6, "i4": 7, "i8": 8, "u1": 9, "u2": 10, "u4": 11,
          "u8": 12, "b1": 9}


class Operator(_OfThisProcess):
    """A compiled function (state, in, inout, n), given by address, as a ctypes function or as one of numba.cfunc."""

    def __init__(self, function, state=None, commutes=False):
        self.function, self.state, self.commutes = function, state, commutes


class each:
    """For structured dtypes: an operator for each field, in their order; each(a="sum", b="maximum") names them."""

    def __init__(self, *operators, **by_name):
        self.operators, self.by_name = operators, by_name

    def of(self, dtype):
        if dtype.names is None:
            raise TypeError(f"tutti: each needs a structured dtype, not {dtype}; give an array of records")
        chosen = dict(zip(dtype.names, self.operators), **self.by_name)
        if len(self.operators) + len(self.by_name) != len(dtype.names) or set(chosen) != set(dtype.names):
            raise TypeError(f"tutti: each needs one operator for each of the fields {', '.join(dtype.names)}; name all")
        return chosen


def numba_signature(dtype="f8"):
    """The signature of numba's for operators on elements of a dtype: @numba.cfunc(tutti.numba_signature("f8"))."""
    import numba
    element = numba.types.CPointer(numba.from_dtype(numpy.dtype(dtype)))
    return numba.types.void(numba.types.voidptr, element, element, numba.types.intp)


def _address_of(function):
    """The address of a compiled function; None if it is not one."""
    if isinstance(function, int):
        return None if function < 4096 else function  # True, 0, MPI's handles
    if isinstance(function, ctypes._CFuncPtr):
        if function.argtypes is not None and len(function.argtypes) != 4:
            return None
        return ctypes.cast(function, _pointer).value
    address = getattr(function, "address", None)  # numba.cfunc
    return address if isinstance(address, int) else None


def _takes_two(function):
    """Whether a callable may be called with two arguments."""
    if isinstance(function, numpy.ufunc):
        return function.nin == 2 and function.nout == 1
    if isinstance(function, type):
        return False
    if isinstance(function, types.FunctionType):  # of these it is known faster
        code = function.__code__
        least = code.co_argcount - len(function.__defaults__ or ())
        several = code.co_flags & inspect.CO_VARARGS
        return least <= 2 and (code.co_argcount >= 2 or bool(several))
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        return False
    except ValueError:  # it has none
        pass
    return True


class _Held:
    """An operator as C sees it, what it refers to, and what it has raised."""

    def __init__(self, op, dtype, commutes=False):
        self.keeps, self.raised = [], []
        self.c = self._made(op, dtype, commutes)

    def _made(self, op, dtype, commutes):
        if isinstance(op, each):
            return self._of_members(op.of(dtype), dtype)
        known = _FUNCTIONS.get(op) if isinstance(op, (str, numpy.ufunc)) else None
        if isinstance(op, str) and known is None:
            names = ", ".join(each for each in _FUNCTIONS if isinstance(each, str))
            raise ValueError(f"tutti: there is no operator '{op}'; there are {names}")
        if known is not None and dtype.isnative and dtype.str[1:] in _TYPES:
            if dtype.kind == "b" and known in (1, 2):  # as NumPy has it
                known = {1: 6, 2: 5}[known]
            made = _library().tutti_operator_for(known, _TYPES[dtype.str[1:]])
            if made.combine is not None:
                return made
        if dtype.names is not None and (known is not None or isinstance(op, numpy.ufunc)):
            raise TypeError(f"tutti: '{getattr(op, '__name__', op)}' is of numbers, not of {dtype}; give "
                            "tutti.each(...) with one operator for each field, or a function of two arrays")
        if isinstance(op, str):
            raise TypeError(f"tutti: there is no '{op}' of {dtype}; convert the array, or give a "
                            "function of two arrays")
        state = None
        if isinstance(op, Operator):
            op, state, commutes = op.function, op.state, commutes or op.commutes
        address = _address_of(op)
        if address is None:
            if not callable(op) or isinstance(op, ctypes._CFuncPtr) or not _takes_two(op):
                raise TypeError(f"tutti: {op!r} is no operator; give a name, such as 'sum', a function of two arrays, "
                                "or the address of a function (state, in, inout, n)")
            commutes = commutes or known is not None
            function = _Combine(self._calling(op, dtype))
            self.keeps.append(function)
            address = ctypes.cast(function, _pointer).value
        self.keeps.append((op, state))
        return _Operator(address, state, bool(commutes))

    def _calling(self, function, dtype):
        def elements(address, n):
            return numpy.frombuffer((ctypes.c_char * (n * dtype.itemsize)).from_address(address), dtype=dtype)

        def combine(_, left, inout, n):
            try:
                right = elements(inout, n)
                combined = numpy.asarray(_only_numbers(function(elements(left, n), right)))
                if combined.shape != right.shape:
                    raise ValueError(f"tutti: the operator gave the shape {combined.shape} for elements of "
                                     f"{right.shape}; it must return an array of the shape that it gets")
                numpy.copyto(right, combined, casting="same_kind")
            except BaseException as error:  # must not leave through C
                self.fail(error)

        return combine

    def _of_members(self, operators, dtype):
        members = (_Member * len(dtype.names))()
        for member, name in zip(members, dtype.names):
            base, offset = dtype.fields[name][:2]
            count = _product(base.shape)
            held = _Held(operators[name], base.base)
            held.raised = self.raised
            self.keeps.append(held)
            member.offset, member.count, member.op = offset, count if base.shape else 0, held.c
        description = _Members(members, len(members), dtype.itemsize)
        self.keeps.append((members, description))
        return _library().tutti_each(ctypes.addressof(description))

    def fail(self, error):
        self.raised.append(error)
        _library().tutti_fail(f"{type(error).__name__}: {error}".encode())

    def check(self, code):
        if self.raised:
            error = self.raised[0]
            self.raised.clear()
            raise error
        _check(code)


_kept = {}  # operators that call nothing of Python's, by what they are made of
_MOST_KEPT = 256


def _held(op, dtype, commutes):
    """The operator as C sees it; making one takes longer than a short call."""
    try:
        held = _kept.get((op, dtype, commutes))
    except TypeError:  # what cannot be hashed is made anew
        return _Held(op, dtype, commutes)
    if held is None:
        held = _Held(op, dtype, commutes)
        if not isinstance(op, each) and not any(isinstance(kept, _Combine) for kept in held.keeps):
            if len(_kept) >= _MOST_KEPT:
                _kept.clear()
            _kept[op, dtype, commutes] = held
    return held


def _check(code):
    if code != 0:
        raise (InvalidArgument if code == INVALID_ARGUMENT else Failure)(code)


# ---- arrays ---------------------------------------------------------------------------------------------------------

_PLAIN = {numpy.ndarray, numpy.memmap, numpy.recarray, numpy.matrix}  # whose numbers are all that they have
_MORE = ("__array_finalize__", "__array_ufunc__", "__array_function__", "__array_wrap__")


def _is_more_than_numbers(kind):
    """Whether objects of this type have more than what NumPy would make of them: a mask, a unit, an index."""
    if kind in _PLAIN or issubclass(kind, numpy.generic):
        return False
    if issubclass(kind, numpy.ndarray):
        return any(name in vars(each) for each in kind.__mro__ if each not in _PLAIN and each is not object
                   for name in _MORE)
    return hasattr(kind, "__array__") or hasattr(kind, "toarray")


def _only_numbers(array):
    """`array`, if it is no more than its numbers, and has no elements that are."""
    kind = type(array)
    if kind is numpy.ndarray:
        return array
    if _is_more_than_numbers(kind) or (issubclass(kind, numpy.ndarray) and getattr(array, "__dict__", None) and
                                       kind not in _PLAIN):
        remedy = ("x.filled(0), with what stands for no number" if issubclass(kind, numpy.ma.MaskedArray) else
                  "x.toarray()" if hasattr(kind, "toarray") else "x.magnitude" if hasattr(kind, "magnitude") else
                  "numpy.asarray(x)")
        raise TypeError(f"tutti: {kind.__module__}.{kind.__qualname__} is more than its numbers, and nothing else of "
                        f"it travels; give these, as by {remedy}")
    if isinstance(array, (list, tuple)):
        for other in set(map(type, array)):
            if issubclass(other, (list, tuple)) or _is_more_than_numbers(other):
                for each in array:
                    _only_numbers(each)
                break
    return array


def _array(array):
    array = numpy.asarray(_only_numbers(array), order="C")
    if array.dtype.hasobject:
        raise TypeError(f"tutti: elements of {array.dtype} are references to objects, which mean nothing on another "
                        "rank; give them another dtype, or use the functions on objects")
    return array


def _product(shape):
    return int(numpy.prod(shape, dtype=int))


def _address(array):
    """Where an array lies in one block; this way takes a third of the time of array.ctypes.data."""
    if array.flags.writeable and array.nbytes:
        try:
            return ctypes.addressof(ctypes.c_char.from_buffer(array))
        except ValueError:  # dates are no buffers
            pass
    return array.ctypes.data


def _overlap(address, size, operand):
    begin = _address(operand)
    return begin < address + size and address < begin + operand.nbytes


class _Result:
    """Memory for a result: `out` where it is one whole block that is no operand, else a new array."""

    __slots__ = ("out", "array", "in_place", "address")

    def __init__(self, out, dtype, shape, operand=None):
        self.out, self.in_place = out, False
        if out is None:
            self.array = numpy.empty(shape, dtype)
            self.address = _address(self.array)
            return
        if not isinstance(_only_numbers(out), numpy.ndarray):
            raise TypeError(f"tutti: out must be an array of NumPy's, not {type(out).__name__}")
        flags = out.flags
        if (out.dtype is not dtype and out.dtype != dtype) or out.shape != shape or not flags.writeable:
            raise ValueError(f"tutti: out must be a writeable array of {dtype} and of the shape {shape}")
        self.array, self.address = out, _address(out) if flags.c_contiguous else None
        if operand is not None and out is operand:
            self.in_place = True
        elif self.address is None or (operand is not None and _overlap(self.address, out.nbytes, operand)):
            self.array = numpy.empty(shape, dtype)
            self.address = _address(self.array)

    def finished(self):
        if self.out is None or self.out is self.array:
            return self.array
        self.out[...] = self.array
        return self.out


def _counts(counts, comm):
    counts = numpy.asarray(_only_numbers(counts))
    if counts.shape != (comm.size,):
        raise ValueError(f"tutti: counts must have one number for each of the {comm.size} ranks")
    if counts.dtype.kind not in "iu":
        raise TypeError(f"tutti: counts must be whole numbers, not {counts.dtype}; give rows // ranks")
    if counts.min() < 0:
        raise ValueError(f"tutti: a count is {counts.min()}; give none below 0")
    return numpy.ascontiguousarray(counts, dtype=numpy.uintp)


def _root(root, comm):
    """The number of a rank."""
    try:
        root = operator.index(root)
    except TypeError:
        raise TypeError(f"tutti: the root is {root!r}, which is no whole number; give a rank, as by size // 2"
                        ) from None
    if not 0 <= root < comm.size:
        raise InvalidArgument(INVALID_ARGUMENT, f"tutti: the root is {root}, and there are the ranks 0 to "
                              f"{comm.size - 1}; give one of them")
    return root


class _Call:
    """A function of C's and its arguments, with what they point to."""

    __slots__ = ("name", "arguments", "results", "held", "keeps")

    def __init__(self, name, arguments, results=(), held=None, keeps=None):
        self.name, self.arguments, self.results, self.held, self.keeps = name, arguments, results, held, keeps

    def check(self, code):
        if self.held is not None and self.held.raised:
            self.held.check(code)
        _check(code)

    def finished(self):
        """An array for each result; None where this rank has none."""
        if len(self.results) == 1:
            return None if self.results[0] is None else self.results[0].finished()
        return tuple(each.finished() for each in self.results)


# ---- the calls ------------------------------------------------------------------------------------------------------

def _to_each(name):
    def call(comm, array, op, commutes=False, out=None):
        array = _array(array)
        held = _held(op, array.dtype, commutes)
        result = _Result(out, array.dtype, array.shape, array)
        if name == "exclusive_scan" and out is None:
            result.array[...] = numpy.zeros((), array.dtype)
        source = _IN_PLACE if result.in_place else _address(array)
        return _Call(name, [source, result.address, array.size, array.itemsize, held.c], [result], held, array)

    return call


def _reduce(comm, array, op, root=0, commutes=False, out=None):
    array, root = _array(array), _root(root, comm)
    held = _held(op, array.dtype, commutes)
    result = _Result(out, array.dtype, array.shape, array) if comm.rank == root else None
    source = _IN_PLACE if result is not None and result.in_place else _address(array)
    target = None if result is None else result.address
    return _Call("reduce", [source, target, array.size, array.itemsize, held.c, root], [result], held, array)


def _scan_reduce(comm, array, op, commutes=False):
    array = _array(array)
    held = _held(op, array.dtype, commutes)
    prefix, total = (_Result(None, array.dtype, array.shape) for _ in range(2))
    prefix.array[...] = numpy.zeros((), array.dtype)
    return _Call("scan_reduce", [_address(array), prefix.address, total.address, array.size, array.itemsize, held.c],
                 [prefix, total], held, array)


def _reduce_scatter(comm, array, op, counts=None, commutes=False, out=None):
    array = numpy.atleast_1d(_array(array))
    held = _held(op, array.dtype, commutes)
    rows, row = len(array), _product(array.shape[1:])
    if counts is None and rows % comm.size:
        raise ValueError(f"tutti: {rows} rows cannot be divided evenly among {comm.size} ranks; give counts")
    counts = _counts([rows // comm.size] * comm.size if counts is None else counts, comm)
    if counts.sum() != rows:
        raise ValueError(f"tutti: the array has {rows} rows, and the sum of the counts is {counts.sum()}; "
                         "make them equal")
    result = _Result(out, array.dtype, (int(counts[comm.rank]),) + array.shape[1:])
    elements = counts * numpy.uintp(row)
    return _Call("reduce_scatter", [_address(array), result.address, elements.ctypes.data, array.itemsize, held.c],
                 [result], held, (array, elements))


def _broadcast(comm, array, root=0):
    array, root = numpy.asarray(_only_numbers(array)), _root(root, comm)
    _array(array)
    if not (array.flags.c_contiguous and array.flags.writeable):
        raise ValueError("tutti: broadcast writes to its array, which must be writeable and lie in one block")
    result = _Result(array, array.dtype, array.shape)
    return _Call("broadcast", [_address(array), array.size, array.itemsize, root], [result], None, array)


def _parts(array, counts, comm):
    """The rows of this rank, and the number of all and the counts in elements."""
    row = _product(array.shape[1:])
    if counts is None:
        return len(array) * comm.size, None
    counts = _counts(counts, comm)
    return int(counts.sum()), counts * numpy.uintp(row)


def _all_gather(comm, array, counts=None, out=None):
    array = numpy.atleast_1d(_array(array))
    rows, elements = _parts(array, counts, comm)
    if elements is not None and elements[comm.rank] != array.size:
        raise ValueError(f"tutti: this rank has {len(array)} rows, and its count is another one; make them equal")
    result = _Result(out, array.dtype, (rows,) + array.shape[1:])
    if elements is None:
        arguments = [_address(array), result.address, array.size, array.itemsize]
        return _Call("all_gather", arguments, [result], None, array)
    arguments = [_address(array), result.address, elements.ctypes.data, array.itemsize]
    return _Call("all_gatherv", arguments, [result], None, (array, elements))


def _gather(comm, array, root=0, counts=None, out=None):
    array, root = numpy.atleast_1d(_array(array)), _root(root, comm)
    here = comm.rank == root
    rows, elements = _parts(array, counts, comm) if here or counts is None else (0, numpy.empty(0, numpy.uintp))
    result = _Result(out, array.dtype, (rows,) + array.shape[1:]) if here else None
    target = result.address if here else None
    if elements is None:
        return _Call("gather", [_address(array), target, array.size, array.itemsize, root], [result], None, array)
    arguments = [_address(array), array.size, target, elements.ctypes.data, array.itemsize, root]
    return _Call("gatherv", arguments, [result], None, (array, elements))


def _scatter(comm, array, out, root=0, counts=None):
    root = _root(root, comm)
    here = comm.rank == root
    result = _Result(out, getattr(out, "dtype", None), getattr(out, "shape", None))
    if out is None:
        raise TypeError("tutti: scatter needs memory on each rank, also the root; give out=numpy.empty(...)")
    array = _array(array) if here else numpy.empty(0, out.dtype)
    if here and array.dtype != out.dtype:
        raise ValueError(f"tutti: the root scatters {array.dtype} into {out.dtype}; give both one dtype")
    row = _product(out.shape[1:])
    if counts is None:
        if here and array.size != out.size * comm.size:
            raise ValueError(f"tutti: {array.size} elements are not {out.size} for each of {comm.size} ranks; "
                             "give counts")
        arguments = [_address(array), result.address, out.size, out.itemsize, root]
        return _Call("scatter", arguments, [result], None, array)
    elements = _counts(counts, comm) * numpy.uintp(row) if here else numpy.empty(0, numpy.uintp)
    return _Call("scatterv", [_address(array), elements.ctypes.data, result.address, out.size, out.itemsize, root],
                 [result], None, (array, elements))


_makers = {"all_reduce": _to_each("all_reduce"), "inclusive_scan": _to_each("inclusive_scan"),
           "exclusive_scan": _to_each("exclusive_scan"), "reduce": _reduce, "scan_reduce": _scan_reduce,
           "reduce_scatter": _reduce_scatter, "broadcast": _broadcast, "all_gather": _all_gather, "gather": _gather,
           "scatter": _scatter}


class _refusing:
    """Arguments that are wrong on this rank are raised, and the other ranks do not wait for it."""

    def __init__(self, name, comm):
        self.name, self.comm = name, comm

    def __enter__(self):
        _handle(self.comm)  # without one there are no others

    def __exit__(self, _type, error, _trace):
        if isinstance(error, Exception):
            _refuse(self.name, self.comm, error)


def _made(name, comm, arguments, named):
    _handle(comm)
    try:
        if name not in _makers:
            raise ValueError(f"tutti: there is no collective {name!r} to plan; there are {', '.join(_makers)}")
        return _makers[name](comm, *arguments, **named)
    except Exception as error:
        _refuse(name, comm, error)
        raise


def _performed(name, comm, *arguments):
    call = _made(name, comm, arguments, {})
    function = _functions.get(call.name) or getattr(_library(), f"tutti_{call.name}")
    call.check(function(_handle(comm), *call.arguments))
    return call.finished()


_functions = {}  # of the library, by their names


def _refuse(name, comm, error):
    _library().tutti_refuse(_handle(comm), f"tutti: {name}: {error}".encode())


def _told_root(name, root, comm):
    """The number of a rank; the others hear where it is none."""
    with _refusing(name, comm):
        return _root(root, comm)


def _to_each_again(name, comm, array, op, commutes, out):
    """A call on two whole arrays by an operator that is kept; any other is `_performed`. Short calls gain by it."""
    try:
        held = _kept.get((op, array.dtype, commutes)) if type(array) is type(out) is numpy.ndarray else None
        usual = held is not None and array.flags.c_contiguous and out.flags.c_contiguous and out.flags.writeable
        usual = usual and out.dtype is array.dtype and out.shape == array.shape
    except (AttributeError, TypeError):  # what is no array, or cannot be hashed
        usual = False
    if not usual or _overlap(_address(out), out.nbytes, array):
        return _performed(name, comm, array, op, commutes, out)
    code = _functions[name](_handle(comm), _address(array), _address(out), array.size, array.itemsize, held.c)
    if code:
        held.check(code)
    return out


def all_reduce(comm, array, op, commutes=False, out=None):
    """The arrays of all ranks, combined element by element in rank order, on every rank."""
    return _to_each_again("all_reduce", comm, array, op, commutes, out)


def reduce(comm, array, op, root=0, commutes=False, out=None):
    """The same on the root; None elsewhere."""
    return _performed("reduce", comm, array, op, root, commutes, out)


def inclusive_scan(comm, array, op, commutes=False, out=None):
    """The arrays of the ranks up to this one, combined."""
    return _to_each_again("inclusive_scan", comm, array, op, commutes, out)


def exclusive_scan(comm, array, op, commutes=False, out=None):
    """The arrays of the ranks before this one, combined. Rank 0 gets zeros, or `out` as it was."""
    return _to_each_again("exclusive_scan", comm, array, op, commutes, out)


def scan_reduce(comm, array, op, commutes=False):
    """exclusive_scan and all_reduce in one pass: (prefix, total)."""
    return _performed("scan_reduce", comm, array, op, commutes)


def reduce_scatter(comm, array, op, counts=None, commutes=False, out=None):
    """The rows of the combined array that belong to this rank: counts[rank], or as many for each."""
    return _performed("reduce_scatter", comm, array, op, counts, commutes, out)


def broadcast(comm, array, root=0):
    """The root's array, written to this rank's, which is returned."""
    return _performed("broadcast", comm, array, root)


def all_gather(comm, array, counts=None, out=None):
    """The rows of all ranks, one rank's after the other's."""
    return _performed("all_gather", comm, array, counts, out)


def gather(comm, array, root=0, counts=None, out=None):
    """The same on the root, which alone has to know the counts; None elsewhere."""
    return _performed("gather", comm, array, root, counts, out)


def scatter(comm, array, out, root=0, counts=None):
    """The part of the root's array that belongs to this rank, written to `out`. Other ranks give None for it."""
    return _performed("scatter", comm, array, out, root, counts)


def barrier(comm):
    """Returns when all ranks have come."""
    _check(_library().tutti_barrier(_handle(comm)))


def recover(comm):
    """After a Failure of code COMMUNICATION, called on all ranks: the communicator can be used again."""
    _check(_library().tutti_recover(_handle(comm)))


def use_algorithm(comm, collective, algorithm="automatic"):
    """From now on calls of the collective, as "all_reduce", go by the algorithm of that name; the same on all ranks."""
    with _refusing("use_algorithm", comm):
        if not (isinstance(collective, str) and isinstance(algorithm, str)):
            raise TypeError("tutti: collectives and algorithms are given by name, such as 'all_reduce' and 'ring'")
        names = (collective.encode(), algorithm.encode())
    _check(_library().tutti_use_algorithm(_handle(comm), *names))


# ---- plans ----------------------------------------------------------------------------------------------------------

class Plan(_OfThisProcess):
    """A call that is made once and performed as often as wanted, on the same arrays: plan.start(), plan.test() or
    plan.wait(), which returns the results. Arrays must lie in one block: what was copied would not be copied again."""

    def __init__(self, name, comm, *arguments, **named):
        self._request = _pointer()
        self._call = _made(name, comm, arguments, named)
        code = getattr(_library(), f"tutti_plan_{self._call.name}")(_handle(comm), *self._call.arguments,
                                                                    ctypes.addressof(self._request))
        self._call.check(code)

    def _running(self):
        if not self._request:
            raise ValueError("tutti: this plan has been freed; make another one by tutti.plan")
        return self._request

    def start(self):
        self._call.check(_library().tutti_start(self._running()))
        return self

    def test(self):
        """Whether it has ended."""
        done = ctypes.c_int(0)
        self._call.check(_library().tutti_test(self._running(), ctypes.addressof(done)))
        return bool(done.value)

    def wait(self):
        self._call.check(_library().tutti_wait(self._running()))
        return self._call.finished()

    def explain(self):
        """Which algorithm performs it, why, and what it is expected to cost."""
        text = ctypes.c_char_p()
        _check(_library().tutti_explain(self._running(), ctypes.addressof(text)))
        return text.value.decode()

    def free(self):
        """Waits for its end if it runs. Otherwise it is freed with the last reference to the plan."""
        if self._request and not MPI.Is_finalized():
            _library().tutti_request_free(ctypes.addressof(self._request))

    def __del__(self):
        self.free()


def plan(collective, comm, *arguments, **named):
    """plan("all_reduce", comm, array, op, out=result): the arguments are those of the call. Called on all ranks."""
    array = arguments[0] if arguments else named.get("array")
    with _refusing(collective, comm):
        if isinstance(array, numpy.ndarray) and not array.flags.c_contiguous:
            raise ValueError("tutti: a plan reads its array at each start, so it must lie in one block; keep "
                             "numpy.ascontiguousarray(x), and write to that")
    return Plan(collective, comm, *arguments, **named)


def explain(collective, comm, *arguments, **named):
    """How such a call would be performed. Called on all ranks."""
    made = Plan(collective, comm, *arguments, **named)
    text = made.explain()
    made.free()
    return text


# ---- sequences and sums without order -------------------------------------------------------------------------------

def _sequence(name, comm, array, op, commutes, out, one, arguments=()):
    with _refusing(name, comm):
        array = _array(array)
        held = _held(op, array.dtype, commutes)
        result = _Result(out, array.dtype, () if one else array.shape, None if one else array)
        if out is None:
            result.array[...] = numpy.zeros((), array.dtype)
    source = _IN_PLACE if result.in_place else _address(array)
    held.check(getattr(_library(), f"tutti_{name}")(_handle(comm), source, array.size, result.address, array.itemsize,
                                                    held.c, *arguments))
    return result.finished()


def all_reduce_sequence(comm, array, op, commutes=False):
    """The elements of all ranks as one sequence in rank order, combined: bits do not depend on who holds which."""
    return _sequence("all_reduce_sequence", comm, array, op, commutes, None, True)[()]


def reduce_sequence(comm, array, op, root=0, commutes=False):
    """The same on the root, 0 if there are no elements; None elsewhere."""
    root = _told_root("reduce_sequence", root, comm)
    result = _sequence("reduce_sequence", comm, array, op, commutes, None, True, (root,))
    return result[()] if comm.rank == root else None


def inclusive_scan_sequence(comm, array, op, commutes=False, out=None):
    """For each element of this rank, it and all before it in the sequence of all ranks, combined."""
    return _sequence("inclusive_scan_sequence", comm, array, op, commutes, out, False)


def exclusive_scan_sequence(comm, array, op, commutes=False, out=None):
    """The same without the element itself. The first element of all gets 0, or what `out` has there."""
    return _sequence("exclusive_scan_sequence", comm, array, op, commutes, out, False)


def _real_parts(array):
    """The vectors of numbers that make up an array, and how their sums are put together."""
    array = _array(array)
    if array.dtype.kind == "c":
        return [numpy.ascontiguousarray(array.real), numpy.ascontiguousarray(array.imag)]
    return [array]


def _sums(name, comm, arrays):
    with _refusing(name, comm):
        parts = [_real_parts(each) for each in arrays]
        vectors = [each for pair in parts for each in pair]
        dtypes = {each.dtype for each in vectors}
        if len(dtypes) != 1 or not dtypes <= {numpy.dtype("f4"), numpy.dtype("f8")}:
            raise TypeError("tutti: sums without order are of float32, float64 or complex of them, of one type in "
                            "all arrays")
    dtype = dtypes.pop()
    addresses = (_pointer * len(vectors))(*[each.ctypes.data for each in vectors])
    counts = (_size * len(vectors))(*[each.size for each in vectors])
    result = numpy.empty(len(vectors), dtype)
    function = getattr(_library(), f"tutti_{name}{'_float' if dtype == 'f4' else ''}")
    _check(function(_handle(comm), len(vectors), addresses, counts, result.ctypes.data))
    found, next_one = [], 0
    for pair in parts:
        found.append(result[next_one] if len(pair) == 1 else
                     numpy.dtype("c8" if dtype == "f4" else "c16").type(complex(*result[next_one:next_one + 2])))
        next_one += len(pair)
    return found[0] if len(found) == 1 else tuple(found)


def sum_without_order(comm, *arrays):
    """The sum of the numbers of all ranks, or one for each array, by one message: bits depend on the multiset of
    numbers alone. The error is at most n 2^-80 (float32: n 2^-40) of the largest magnitude, and rounding."""
    return _sums("sums_without_order", comm, arrays)


def exact_sum_without_order(comm, *arrays):
    """The same, rounded once."""
    return _sums("exact_sums_without_order", comm, arrays)


def dot_without_order(comm, x, y):
    """The sum of the products of all ranks, which are not rounded."""
    with _refusing("dot_without_order", comm):
        x, y = _array(x), _array(y)
        if x.shape != y.shape or x.dtype != y.dtype or x.dtype not in ("f4", "f8"):
            raise ValueError("tutti: x and y must be of one shape and of float32 or float64, not "
                             f"{x.dtype} of {x.shape} and {y.dtype} of {y.shape}")
    result = numpy.empty((), x.dtype)
    function = getattr(_library(), f"tutti_dot_without_order{'_float' if x.dtype == 'f4' else ''}")
    _check(function(_handle(comm), x.ctypes.data, y.ctypes.data, x.size, result.ctypes.data))
    return result[()]


# ---- objects of any length ------------------------------------------------------------------------------------------

def _bytes(x):
    """A copy of an object; numbers, of which bytes() makes as many zeros, are none."""
    try:
        return bytes(memoryview(_only_numbers(x)))
    except TypeError as error:
        raise TypeError(f"tutti: an object must be bytes, not {type(x).__name__}; give these, as by pickle.dumps(x)"
                        ) from error


def _called(name, comm, mine, *arguments):
    """Calls a function on bytes; its code, and the bytes that it gives."""
    with _refusing(name, comm):
        mine, found = _bytes(mine), _Object()
    code = getattr(_library(), f"tutti_{name}")(_handle(comm), ctypes.cast(ctypes.c_char_p(mine), _pointer), len(mine),
                                                *arguments, ctypes.addressof(found))
    result = ctypes.string_at(found.bytes, found.size) if found.size else b""
    _library().tutti_object_free(ctypes.addressof(found))
    return code, result


def _objects(name, comm, mine, op, commutes, arguments=()):
    with _refusing(f"{name}_objects", comm):
        if not callable(op) or not _takes_two(op):
            raise TypeError(f"tutti: {op!r} is no operator; give a function of two objects, op(a, b) -> bytes")
    raised = []

    def combine(_, a, na, b, nb, grow, result):
        try:
            both = _bytes(op(ctypes.string_at(a, na) if na else b"", ctypes.string_at(b, nb) if nb else b""))
            memory = ctypes.cast(grow, _Grow)(result, len(both))
            if memory:
                ctypes.memmove(memory, both, len(both))
        except BaseException as error:  # must not leave through C
            raised.append(error)
            _library().tutti_fail(f"{type(error).__name__}: {error}".encode())

    function = _CombineObjects(combine)
    operator = _Operator(ctypes.cast(function, _pointer).value, None, bool(commutes))
    code, result = _called(f"{name}_objects", comm, mine, operator, *arguments)
    if raised:
        raise raised[0]
    _check(code)
    return result


def all_reduce_objects(comm, mine, op, commutes=False):
    """The bytes of all ranks, of any length each, combined by op(a, b) -> bytes in rank order."""
    return _objects("all_reduce", comm, mine, op, commutes)


def reduce_objects(comm, mine, op, root=0, commutes=False):
    """The same on the root; None elsewhere."""
    root = _told_root("reduce_objects", root, comm)
    result = _objects("reduce", comm, mine, op, commutes, (root,))
    return result if comm.rank == root else None


def inclusive_scan_objects(comm, mine, op, commutes=False):
    """The bytes of the ranks up to this one, combined."""
    return _objects("inclusive_scan", comm, mine, op, commutes)


def exclusive_scan_objects(comm, mine, op, commutes=False):
    """The bytes of the ranks before this one, combined; none on rank 0."""
    return _objects("exclusive_scan", comm, mine, op, commutes)


def broadcast_objects(comm, mine, root=0):
    """The root's bytes."""
    root = _told_root("broadcast_objects", root, comm)
    code, result = _called("broadcast_objects", comm, mine if comm.rank == root else b"", root)
    _check(code)
    return result
