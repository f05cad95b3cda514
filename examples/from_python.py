# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""from_python.py LIBTUTTI: a Python closure as the operator of a collective on NumPy arrays, over mpi4py's communicator."""
import ctypes
import sys

import numpy
from mpi4py import MPI

COMBINE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
COMM = ctypes.c_int if MPI._sizeof(MPI.Comm) == ctypes.sizeof(ctypes.c_int) else ctypes.c_void_p
NEEDS_RECOVERY = 3  # TUTTI_COMMUNICATION


class Operator(ctypes.Structure):
    _fields_ = [("combine", COMBINE), ("state", ctypes.c_void_p), ("commutes", ctypes.c_int)]


tutti = ctypes.CDLL(sys.argv[1])
tutti.tutti_last_error.restype = ctypes.c_char_p
tutti.tutti_fail.argtypes, tutti.tutti_fail.restype = [ctypes.c_char_p], None
tutti.tutti_recover.argtypes = [COMM]
tutti.tutti_all_reduce.argtypes = [COMM, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, Operator]


class Failure(RuntimeError):
    """A call has failed; where code is NEEDS_RECOVERY, all ranks call recover(comm) before the next one."""

    def __init__(self, code):
        super().__init__(tutti.tutti_last_error().decode(errors="replace"))
        self.code = code


def handle_of(comm):
    return COMM.from_address(MPI._addressof(comm))


def recover(comm):
    code = tutti.tutti_recover(handle_of(comm))
    if code != 0:
        raise Failure(code)


def all_reduce(comm, array, function, commutes=False, out=None):
    """The arrays of all ranks, combined by function(left, right) -> array in rank order: a new array, or out.

    All ranks give arrays of one dtype and one shape, in any memory order, and slices too: tutti sees one block of bytes,
    so what does not lie in one block is copied. What function raises is raised here, and is a Failure on ranks that
    lack a result because of it."""
    array = numpy.asarray(array, order="C")
    if array.dtype.hasobject:
        raise TypeError(f"elements of {array.dtype} are references to objects, which mean nothing on another rank")
    if out is not None and (out.dtype != array.dtype or out.shape != array.shape or not out.flags.writeable):
        raise ValueError(f"out must be a writeable array of {array.dtype} and of the shape {array.shape}")
    in_one_block = out is not None and out.flags.c_contiguous and not numpy.may_share_memory(array, out)
    result = out if in_one_block else numpy.empty(array.shape, array.dtype)
    failure = []

    def elements(address, n):
        raw = (ctypes.c_char * (n * array.itemsize)).from_address(address)
        return numpy.frombuffer(raw, dtype=array.dtype)

    def combine(_, left, inout, n):
        try:
            right = elements(inout, n)
            combined = numpy.asarray(function(elements(left, n), right))
            if combined.shape != right.shape:
                raise ValueError(f"the operator gave the shape {combined.shape} for elements of {right.shape}")
            numpy.copyto(right, combined, casting="same_kind")
        except BaseException as error:  # must not leave through C
            failure.append(error)
            tutti.tutti_fail(f"{type(error).__name__}: {error}".encode())

    operator = Operator(COMBINE(combine), None, commutes)
    code = tutti.tutti_all_reduce(handle_of(comm), array.ctypes.data, result.ctypes.data, array.size, array.itemsize,
                                  operator)
    if failure:
        raise failure[0]
    if code != 0:
        raise Failure(code)
    if out is None or in_one_block:
        return result
    out[...] = result
    return out


def merge(left, right, tolerance=0.5):
    """The greater one, unless they are alike: then their mean."""
    return numpy.where(abs(left - right) <= tolerance, (left + right) / 2, numpy.maximum(left, right))


def joined(left, right):
    """An operator that does not commute, on records."""
    both = right.copy()
    both["day"] += left["day"]
    both["text"] = numpy.char.add(left["text"], right["text"])
    return both


def main():
    comm = MPI.COMM_WORLD
    numbers = numpy.array([1.0, 2.0, 3.0]) * (comm.rank + 1)
    greatest = all_reduce(comm, numbers, merge)
    dates = numpy.zeros(2, dtype=[("day", "i4"), ("text", "S8")])
    dates["day"] = comm.rank
    dates["text"] = chr(ord("a") + comm.rank)
    words = all_reduce(comm, dates, joined)
    if comm.rank == 0:
        print(greatest, words[0]["day"], words[1]["text"].decode())


if __name__ == "__main__":
    main()
