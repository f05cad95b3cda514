# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""Operators in Python on NumPy arrays, and sums whose bits do not depend on which rank holds which numbers."""
import numpy
from mpi4py import MPI

import tutti

comm = MPI.COMM_WORLD


def merge(left, right, tolerance=0.5):
    """The greater one, unless they are alike: then their mean."""
    return numpy.where(abs(left - right) <= tolerance, (left + right) / 2, numpy.maximum(left, right))


def joined(left, right):
    """An operator that does not commute, on records."""
    both = right.copy()
    both["day"] += left["day"]
    both["text"] = numpy.char.add(left["text"], right["text"])
    return both


greatest = tutti.all_reduce(comm, numpy.array([1.0, 2.0, 3.0]) * (comm.rank + 1), merge)

dates = numpy.zeros(2, dtype=[("day", "i4"), ("text", "S8")])
dates["day"], dates["text"] = comm.rank, chr(ord("a") + comm.rank)
words = tutti.all_reduce(comm, dates, joined)

# one call for fields with operators of their own
state = numpy.array([(0.25, comm.rank)], dtype=[("mass", "f8"), ("worst", "i8")])
mass, worst = tutti.all_reduce(comm, state, tutti.each(mass="sum", worst="maximum"))[0]

numbers = 1e16 * (numpy.arange(999) % 3 - 1) + 1 / (1 + numpy.arange(999))
total = tutti.exact_sum_without_order(comm, numbers[comm.rank::comm.size])
text = tutti.all_reduce_objects(comm, b"." * comm.rank + b"|", lambda a, b: a + b)

if comm.rank == 0:
    print(greatest, words[0]["day"], words[1]["text"].decode())
    print(mass, worst, total, text.decode())
    print(tutti.explain("all_reduce", MPI.COMM_SELF, numbers, "sum").split(",")[0])
