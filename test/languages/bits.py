# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""As bits.c."""
import numpy
from mpi4py import MPI

import tutti

comm = MPI.COMM_WORLD
n, rank, size = 5000, comm.rank, comm.size
i = numpy.arange(n)
field = numpy.ldexp((i * 7919 % 10007 - 5000).astype("f8"), i % 80 - 40) + 1e20 * (i % 5 - 2)
mine, factor = field[rank::size][::-1], (i % 7 - 3 + 0.1)[rank::size][::-1]
found = (tutti.sum_without_order(comm, mine), tutti.exact_sum_without_order(comm, mine),
         tutti.dot_without_order(comm, mine, factor),
         tutti.all_reduce_sequence(comm, field[n * rank // size:n * (rank + 1) // size], numpy.add))
text = tutti.all_reduce_objects(comm, b"abcdef"[6 * rank // size:6 * (rank + 1) // size], lambda a, b: a + b)
if rank == 0:
    print(*[f"{x.view('u8'):016X}" for x in found], text.decode())
