# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""from_python.py LIBTUTTI: a Python closure as the operator of a collective on NumPy arrays, over mpi4py's communicator."""
import ctypes
import sys

import numpy
from mpi4py import MPI

tutti = ctypes.CDLL(sys.argv[1])
tutti.tutti_last_error.restype = ctypes.c_char_p
COMBINE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
COMM = ctypes.c_int if MPI._sizeof(MPI.Comm) == ctypes.sizeof(ctypes.c_int) else ctypes.c_void_p


class Operator(ctypes.Structure):
    _fields_ = [("combine", COMBINE), ("state", ctypes.c_void_p), ("commutes", ctypes.c_int)]


def all_reduce(comm, array, function, commutes=False):
    """The arrays of all ranks, combined by function(left, right) -> array in rank order."""
    out = numpy.empty_like(array)
    failure = []

    def elements(address, n):
        raw = (ctypes.c_char * (n * array.itemsize)).from_address(address)
        return numpy.frombuffer(raw, dtype=array.dtype)

    def combine(_, left, inout, n):
        try:
            right = elements(inout, n)
            right[:] = function(elements(left, n), right)
        except Exception as error:  # must not leave through C
            failure.append(error)

    operator = Operator(COMBINE(combine), None, commutes)
    handle = COMM.from_address(MPI._addressof(comm))
    code = tutti.tutti_all_reduce(handle, ctypes.c_void_p(array.ctypes.data), ctypes.c_void_p(out.ctypes.data),
                                  ctypes.c_size_t(array.size), ctypes.c_size_t(array.itemsize), operator)
    if failure:
        raise failure[0]
    if code != 0:
        raise RuntimeError(tutti.tutti_last_error().decode())
    return out


comm = MPI.COMM_WORLD
tolerance = 0.5
numbers = numpy.array([1.0, 2.0, 3.0]) * (comm.rank + 1)


def merge(left, right):
    """The greater one, unless they are alike: then their mean."""
    return numpy.where(abs(left - right) <= tolerance, (left + right) / 2, numpy.maximum(left, right))


greatest = all_reduce(comm, numbers, merge)
dates = numpy.zeros(2, dtype=[("day", "i4"), ("text", "S8")])
dates["day"] = comm.rank
dates["text"] = chr(ord("a") + comm.rank)


def joined(left, right):
    """An operator that does not commute, on records."""
    both = right.copy()
    both["day"] += left["day"]
    both["text"] = numpy.char.add(left["text"], right["text"])
    return both


words = all_reduce(comm, dates, joined)
if comm.rank == 0:
    print(greatest, words[0]["day"], words[1]["text"].decode())
