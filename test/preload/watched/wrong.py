# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# wrong.py CASE: as wrong.c, by mpi4py.
import sys

import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
wrong = world.size - 1


def expect(text):
    if world.rank == 0:
        print("expect:", text, flush=True)
    world.Barrier()


def left_out():
    expect(f"rank {wrong}: has not come, it is in MPI_Recv from rank 0, tag 4.*, left_out, wrong.py:25")
    expect("ranks\\? 0.*: MPI_Allreduce of 24 bytes.*, left_out, wrong.py:26")
    a = numpy.ones(3)
    b = numpy.empty(3)
    if world.rank == wrong:
        world.Recv(a, source=0, tag=4)
    world.Allreduce(a, b)


def raises():
    expect(f"rank {wrong}: .*MPI_Finalize")
    if world.rank == wrong:
        raise RuntimeError("this rank gives up")
    world.Barrier()


{"left_out": left_out, "raises": raises}[sys.argv[1]]()
