# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""What mpi4py calls: buffers, objects, operators written in Python, requests. Prints the results of each rank in turn."""
import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
mine = numpy.arange(1000, dtype='d') * (rank + 1)
lines = []


def note(name, value):
    lines.append(f'{rank} {name} {value}')


for name, op in (('sum', MPI.SUM), ('max', MPI.MAX), ('prod', MPI.PROD)):
    out = numpy.empty_like(mine)
    world.Allreduce(mine, out, op)
    note(name, out.sum())

# x -> a x + b: composed in the order of ranks, or wrong
def composed(left, right, _):
    a, b = numpy.frombuffer(left, 'q').reshape(-1, 2), numpy.frombuffer(right, 'q').reshape(-1, 2)
    b[:, 1] += b[:, 0] * a[:, 1]
    b[:, 0] *= a[:, 0]
    b %= 1000003


compose = MPI.Op.Create(composed, commute=False)
maps = numpy.array([[rank + 2 + i, 3 * i + rank] for i in range(500)], 'q')
pair = MPI.INT64_T.Create_contiguous(2).Commit()
for name in ('Allreduce', 'Reduce', 'Scan', 'Exscan'):
    out = numpy.zeros_like(maps)
    getattr(world, name)([maps, 500, pair], [out, 500, pair], op=compose)
    note(name, out.sum() if name != 'Reduce' or rank == 0 else 0)

part = numpy.empty(7)
world.Reduce_scatter_block(numpy.full(size * 7, rank + 1.0), part)
note('Reduce_scatter_block', part.sum())

note('allreduce of objects', world.allreduce(str(rank)))
note('bcast of objects', world.bcast({'from': rank, 'list': list(range(3))}, root=size - 1))
note('gather of objects', world.gather([rank] * rank))
note('allgather of objects', world.allgather({rank}))
note('scatter of objects', world.scatter([f'to {r}' for r in range(size)]))
note('scan of objects', world.scan([rank]))

counts = [r + 1 for r in range(size)]
everything = numpy.empty(sum(counts), 'i')
world.Allgatherv(numpy.full(rank + 1, rank, 'i'), (everything, counts))
note('Allgatherv', everything.tolist())

out = numpy.empty_like(mine)
request = world.Iallreduce(mine, out)
request.Wait()
note('Iallreduce', out.sum())

half = world.Split(rank % 2)
note('half', half.allreduce(rank))
half.Free()

for line in world.gather(lines) or []:
    print('\n'.join(line))
