# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""errors.py LIBTUTTI EXAMPLES: arrays as NumPy has them, and what goes wrong, by examples/from_python.py."""
import sys

import numpy
from mpi4py import MPI

sys.path.insert(0, sys.argv[2])
from from_python import NEEDS_RECOVERY, Failure, all_reduce, recover  # noqa: E402

comm = MPI.COMM_WORLD.Dup()
rank, size = comm.rank, comm.size


def check(holds, what):
    if not holds:
        sys.stderr.write(f"[rank {rank} of {size}] {what}\n")
        MPI.COMM_WORLD.Abort(1)


def raises(error, *arguments, **named):
    try:
        all_reduce(comm, *arguments, **named)
    except error as raised:
        return raised
    check(False, f"no {error.__name__}")


table = numpy.arange(60.0).reshape(6, 10) + rank
whole = numpy.arange(60.0).reshape(6, 10) * size + size * (size - 1) / 2
for name, of in {
    "as it is": lambda a: a,
    "a column": lambda a: a[:, 3],
    "every third": lambda a: a[::2, ::3],
    "reversed": lambda a: a[::-1],
    "transposed": lambda a: a.T,
    "of Fortran's order on one rank": lambda a: numpy.asfortranarray(a) if rank == 0 else a,
    "of no dimension": lambda a: a[1, 2],
    "of no elements": lambda a: a[:0],
    "of the other order of bytes": lambda a: a.astype(">f8"),
}.items():
    mine = of(table)
    check(numpy.array_equal(all_reduce(comm, mine, numpy.add), of(whole)), name)
    memory = numpy.zeros((6, 10), mine.dtype)
    check(numpy.array_equal(all_reduce(comm, mine, numpy.add, out=of(memory)) if mine.ndim else of(whole), of(whole)),
          f"{name}, into the same")
both = table.copy()
check(all_reduce(comm, both, numpy.add, out=both) is both and numpy.array_equal(both, whole), "in and out are one")
check(numpy.array_equal(all_reduce(comm, list(range(3)), numpy.add), numpy.arange(3) * size), "a list")

read_only = numpy.zeros((6, 10))
read_only.flags.writeable = False
raises(ValueError, table, numpy.add, out=read_only)
raises(ValueError, table, numpy.add, out=numpy.zeros((6, 10), "f4"))
raises(ValueError, table, numpy.add, out=numpy.zeros((10, 6)))
raises(TypeError, numpy.array([None]), numpy.add)
if size > 1:
    raises((TypeError, Failure), numpy.arange(3), lambda left, right: left / 2)  # integers do not take fractions
    raises((ValueError, Failure), table, lambda left, right: left.sum())


def fails_on_rank_0(left, right):
    if rank == 0:
        raise ArithmeticError("not these")
    return left + right


try:
    all_reduce(comm, table, fails_on_rank_0)
except ArithmeticError:
    check(rank == 0, "an exception of another rank")
except Failure as failure:
    check("an operand is missing" in str(failure) and failure.code != NEEDS_RECOVERY, str(failure))
check(numpy.array_equal(all_reduce(comm, table, numpy.add), whole), "after an operator that raises")

needs_recovery = False
try:
    all_reduce(comm, table if rank else table[:1], numpy.add)
except Failure as failure:
    needs_recovery = failure.code == NEEDS_RECOVERY
check(MPI.COMM_WORLD.allreduce(needs_recovery, MPI.LOR) or size == 1, "lengths that differ")
recover(comm)
check(numpy.array_equal(all_reduce(comm, table, numpy.add), whole), "after recover")
