# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# Collectives at the end of an interpreter: in a function of atexit, in __del__ of what goes with the last reference and of
# what is still there when modules end; mpi4py calls MPI_Finalize after all of them.
import atexit
import sys

import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
calls = 0


def moment(name, world=world, numpy=numpy, most=MPI.MAX, write=sys.stdout.write):
    global calls
    for i in range(200):
        mine = numpy.full(300, world.rank + i)
        out = numpy.empty_like(mine)
        world.Allreduce(mine, out, most)
        world.Bcast(mine, i % world.size)
        if out[7] != world.size - 1 + i or mine[299] != i % world.size + i:
            write("wrong at " + name + "\n")
    calls += 1
    if calls == 4 and world.rank == 0:
        write("4 moments, the last one " + name + "\n")


class Ends:
    def __init__(self, name):
        self.name = name

    def __del__(self, moment=moment):
        moment(self.name)


atexit.register(moment, "atexit")
kept = Ends("__del__ of a module")
gone = Ends("__del__")
del gone
moment("the end of the program")
