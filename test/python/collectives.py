# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""collectives.py: every function of tutti.py, which lies beside libtutti.so or finds it by TUTTI_LIBRARY."""
import array
import copy
import ctypes
import functools
import math
import pickle
import sys
import tempfile

import numpy
from mpi4py import MPI

import tutti

comm = MPI.COMM_WORLD.Dup()
rank, size = comm.rank, comm.size
root = size // 2
ranks = numpy.arange(size)


def check(holds, what):
    if not holds:
        sys.stderr.write(f"[rank {rank} of {size}] {what}\n")
        sys.stderr.flush()
        MPI.COMM_WORLD.Abort(1)


def same(found, due, what):
    check(isinstance(found, (numpy.ndarray, numpy.generic)), f"{what} is no array")
    check(numpy.array_equal(found, due), f"{what}: {found}, not {due}")


def raises(error, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except error as raised:
        return raised
    check(False, f"{function} raises no {error}, of {arguments}")


# ---- arrays and operators ----
table = numpy.arange(60.0).reshape(6, 10) + rank
whole = numpy.arange(60.0).reshape(6, 10) * size + ranks.sum()
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
    "of floats": lambda a: a.astype("f4"),
    "of bytes": lambda a: a.astype("u1"),
    "of complex numbers": lambda a: a * (1 + 2j),
}.items():
    for op in ("sum", numpy.add, lambda left, right: left + right):
        due = of(whole) if of(table).dtype != "u1" else (of(whole) % 256).astype("u1")
        same(tutti.all_reduce(comm, of(table), op) if of(table).dtype.isnative or op != "sum" else due, due, name)
    memory = numpy.zeros((6, 10), of(table).dtype)
    if of(table).ndim:
        same(tutti.all_reduce(comm, of(table), numpy.add, out=of(memory)), due, f"{name}, into memory")
both = table.copy()
check(tutti.all_reduce(comm, both, "sum", out=both) is both, "in place it is another array")
same(both, whole, "in place")
same(tutti.all_reduce(comm, [1, 2], "maximum"), [1, 2], "a list")
same(tutti.all_reduce(comm, rank, "minimum"), 0, "a number")
same(tutti.all_reduce(comm, numpy.array([rank == 0, True]), "or"), [True, True], "booleans")
same(tutti.all_reduce(comm, numpy.array([2, 3]), "product"), [2**size, 3**size], "products")
same(tutti.all_reduce(comm, numpy.array(1 << rank, "i8"), "xor"), (1 << size) - 1, "bits")

calls = []


numbers = ctypes.POINTER(ctypes.c_double)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p, numbers, numbers, ctypes.c_size_t)
def compiled(state, left, inout, n):
    calls.append(state)
    for i in range(n):
        inout[i] = left[i] + inout[i]


same(tutti.all_reduce(comm, table, compiled), whole, "a function of ctypes")
by_address = tutti.Operator(ctypes.cast(compiled, ctypes.c_void_p).value, state=99)
same(tutti.all_reduce(comm, table, by_address), whole, "an address")
check(size == 1 or (None in calls and 99 in calls) or rank != 0, f"the state: {calls}")
try:
    import numba
except ImportError:
    numba = None
if numba is not None:
    @numba.cfunc(tutti.numba_signature("f8"))
    def by_numba(_, left, inout, n):
        for i in range(n):
            inout[i] = max(left[i], inout[i])

    same(tutti.all_reduce(comm, table, by_numba, commutes=True), table - rank + size - 1, "a function of numba")


def joined(left, right):
    """Does not commute."""
    result = right.copy()
    result["day"] += left["day"]
    result["text"] = numpy.char.add(left["text"], right["text"])
    return result


dates = numpy.zeros(3, dtype=[("day", "i4"), ("text", "S16")])
dates["day"], dates["text"] = rank, chr(ord("a") + rank)
words = tutti.all_reduce(comm, dates, joined)
check(words[2]["text"].decode() == "".join(chr(ord("a") + r) for r in ranks), "records")
check(words[0]["day"] == ranks.sum(), "a field of records")
records = numpy.zeros(4, dtype=[("mass", "f8"), ("worst", "i8"), ("box", "f4", (2, 3))])
records["mass"], records["worst"], records["box"] = 0.5, rank, -rank
found = tutti.all_reduce(comm, records, tutti.each("sum", "maximum", "minimum"))
check((found["mass"] == size / 2).all() and (found["worst"] == size - 1).all(), "each")
check((found["box"] == 1 - size).all(), "each, an array")
found = tutti.all_reduce(comm, records, tutti.each(worst="minimum", mass=numpy.add, box=lambda a, b: a + b))
check((found["worst"] == 0).all() and (found["box"] == -ranks.sum()).all(), "each, by names")

# ---- the collectives ----
line = numpy.arange(5.0) + rank
total = numpy.arange(5.0) * size + ranks.sum()
upto = numpy.arange(5.0) * (rank + 1) + ranks[:rank + 1].sum()
result = tutti.reduce(comm, line, "sum", root)
check((result is None) == (rank != root), "the root of reduce")
if rank == root:
    same(result, total, "reduce")
same(tutti.inclusive_scan(comm, line, "sum"), upto, "inclusive_scan")
same(tutti.exclusive_scan(comm, line, "sum"), upto - line, "exclusive_scan")
untouched = numpy.full(5, -7.0)
same(tutti.exclusive_scan(comm, line, numpy.add, out=untouched), untouched if rank == 0 else upto - line, "into memory")
check(rank != 0 or (untouched == -7).all(), "the first rank's memory")
prefix, everything = tutti.scan_reduce(comm, line, lambda a, b: a + b)
same(prefix, upto - line, "prefix of scan_reduce")
same(everything, total, "total of scan_reduce")
counts = ranks % 3
rows = numpy.repeat(ranks, counts)[:, None] * numpy.ones(4)
mine = numpy.full((counts[rank], 4), float(rank))
same(tutti.reduce_scatter(comm, rows, "sum", counts), mine * size, "reduce_scatter with counts")
same(tutti.reduce_scatter(comm, numpy.repeat(ranks, 2), numpy.add), [rank * size] * 2, "reduce_scatter")
same(tutti.all_gather(comm, mine, counts), rows, "all_gather with counts")
same(tutti.all_gather(comm, line), numpy.concatenate([numpy.arange(5.0) + r for r in ranks]), "all_gather")
result = tutti.gather(comm, mine, root, counts if rank == root else ())
check((result is None) == (rank != root) and (rank != root or numpy.array_equal(result, rows)), "gather with counts")
result = tutti.gather(comm, rank, root)
check((result is None) == (rank != root) and (rank != root or numpy.array_equal(result, ranks)), "gather")
same(tutti.scatter(comm, rows if rank == root else None, numpy.empty((counts[rank], 4)), root, counts), mine, "scatter")
pairs = numpy.repeat(ranks, 2) if rank == root else None
same(tutti.scatter(comm, pairs, numpy.empty(2, "i8"), root), [rank] * 2, "scatter")
same(tutti.broadcast(comm, numpy.full(3, rank), root), [root] * 3, "broadcast")
tutti.barrier(comm)

# ---- plans and algorithms ----
source, target = numpy.zeros(1000), numpy.zeros(1000)
plan = tutti.plan("all_reduce", comm, source, "sum", out=target)
for turn in range(3):
    source[:] = rank + turn
    plan.start()
    while not plan.test():
        pass
    check(plan.wait() is target and (target == ranks.sum() + turn * size).all(), "a plan")
check("all_reduce of 1000 elements of 8 bytes" in plan.explain(), plan.explain())
plan.free()
tutti.use_algorithm(comm, "all_reduce", "ring")
check("algorithm: ring" in tutti.explain("all_reduce", comm, source, "sum"), "the algorithm")
same(tutti.all_reduce(comm, line, "sum"), total, "by a ring")
tutti.use_algorithm(comm, "all_reduce")
check("recursive_doubling" in str(raises(tutti.Failure, tutti.use_algorithm, comm, "all_reduce", "none")), "the names")

# ---- sequences and sums without order ----
all_of = 1 / numpy.arange(1.0, 2002.0)
part = all_of[len(all_of) * rank // size:len(all_of) * (rank + 1) // size]
for op in ("sum", lambda a, b: a + b):
    due = tutti.all_reduce_sequence(MPI.COMM_SELF, all_of, op)
    check(tutti.all_reduce_sequence(comm, part, op) == due, "all_reduce_sequence")
    one = tutti.reduce_sequence(comm, part, op, root)
    check(one == due if rank == root else one is None, "reduce_sequence")
scanned = tutti.inclusive_scan_sequence(comm, part, "sum")
check(rank != size - 1 or scanned[-1] == due, "inclusive_scan_sequence")
check(rank != 0 or tutti.exclusive_scan_sequence(MPI.COMM_SELF, part, "sum")[1] == 1, "the second prefix")
check(len(tutti.exclusive_scan_sequence(comm, part, "sum")) == len(part), "exclusive_scan_sequence")

generator = numpy.random.default_rng(5)
wild = numpy.concatenate([generator.standard_normal(3000) * 10.0**generator.integers(-20, 20, 3000), [1e300, -1e300]])
dealt = wild[generator.integers(0, size, len(wild)) == rank]
exact = tutti.exact_sum_without_order(comm, dealt)
check(exact == math.fsum(wild) and type(exact) is numpy.float64, "exact_sum_without_order")
alone = tutti.sum_without_order(MPI.COMM_SELF, wild[::-1])
check(tutti.sum_without_order(comm, dealt) == alone, "sum_without_order")
one, two, three = tutti.sum_without_order(comm, dealt, dealt[::-1], dealt[:0])
check(one == alone and two == alone and three == 0, "three sums")
turned = tutti.exact_sum_without_order(comm, dealt * (1 - 1j))
check(turned == exact * (1 - 1j) and type(turned) is numpy.complex128, "a complex sum")
check(tutti.sum_without_order(comm, numpy.full(7, 0.5, "f4")) == 3.5 * size, "floats")
dot = tutti.dot_without_order(comm, numpy.arange(4.0), numpy.full(4, float(rank)))
check(dot == 6 * ranks.sum(), "dot_without_order")

# ---- objects ----
texts = [bytes([ord("a") + r]) * (r % 3 * 7) for r in ranks]
join = lambda a, b: a + b  # noqa: E731
check(tutti.all_reduce_objects(comm, texts[rank], join) == b"".join(texts), "all_reduce_objects")
found = tutti.reduce_objects(comm, texts[rank], join, root)
check(found == (b"".join(texts) if rank == root else None), "reduce_objects")
check(tutti.inclusive_scan_objects(comm, texts[rank], join) == b"".join(texts[:rank + 1]), "inclusive_scan_objects")
check(tutti.exclusive_scan_objects(comm, texts[rank], join) == b"".join(texts[:rank]), "exclusive_scan_objects")
check(tutti.broadcast_objects(comm, texts[rank], root) == texts[root], "broadcast_objects")


def unite(a, b):
    return numpy.union1d(numpy.frombuffer(a, "i4"), numpy.frombuffer(b, "i4")).tobytes()


multiples = [numpy.arange(0, 1000, r + 2, dtype="i4") for r in ranks]
united = tutti.all_reduce_objects(comm, multiples[rank], unite, commutes=True)
check(numpy.array_equal(numpy.frombuffer(united, "i4"), numpy.unique(numpy.concatenate(multiples))), "a union")

# ---- what is more than numbers, and what is not ----
myself = MPI.COMM_SELF
masked = numpy.ma.array([1.0, 1e30], mask=[False, True])


class Length(numpy.ndarray):
    """An array with a unit."""

    def __new__(cls, data, unit):
        self = numpy.asarray(data).view(cls)
        self.unit = unit
        return self

    def __array_finalize__(self, other):
        self.unit = getattr(other, "unit", None)


class Renamed(numpy.ndarray):
    """No more than its numbers."""


class Series:
    """As pandas has it: numbers with an index."""

    def __array__(self, dtype=None):
        return numpy.ones(2, dtype)


class Sparse:
    """As SciPy has it: no array, but it can make one."""

    def toarray(self):
        return numpy.eye(2)


for more, remedy in (
        (masked, "x.filled(0)"), (Length([1.0, 2.0], "m"), "numpy.asarray(x)"), (Series(), "numpy.asarray(x)"),
        (Sparse(), "x.toarray()"), ([masked, masked], "x.filled(0)"), ([[Series()]], "numpy.asarray(x)")):
    for call in (lambda x: tutti.all_reduce(myself, x, "sum"), lambda x: tutti.all_gather(myself, x),
                 lambda x: tutti.all_reduce(myself, x, "sum", out=numpy.empty(2)),
                 lambda x: tutti.broadcast(myself, x),
                 lambda x: tutti.sum_without_order(myself, x), lambda x: tutti.exact_sum_without_order(myself, x),
                 lambda x: tutti.dot_without_order(myself, numpy.ones(2), x),
                 lambda x: tutti.all_reduce_sequence(myself, x, "sum"),
                 lambda x: tutti.scatter(myself, x, numpy.empty(2)),
                 lambda x: tutti.plan("gather", myself, x), lambda x: tutti.broadcast_objects(myself, x)):
        failed = raises(TypeError, call, more)
        check(remedy in f"{failed} {failed.__cause__}", f"{type(more)}: {failed}")
tutti.all_reduce(myself, numpy.ones(2), "sum", out=numpy.empty(2))
raises(TypeError, tutti.all_reduce, myself, masked, "sum", out=numpy.empty(2))  # its operator is known by now
for out in (numpy.ma.zeros(2), [0.0, 0.0]):
    raises(TypeError, tutti.all_reduce, myself, numpy.ones(2), "sum", out=out)
    raises(TypeError, tutti.scatter, myself, numpy.ones(2), out)
if size > 1:
    masked_result = lambda a, b: numpy.ma.array(a + b, mask=[True, False])  # noqa: E731
    failed = raises((TypeError, tutti.Failure), tutti.all_reduce, comm, numpy.ones(2), masked_result)
    tutti.recover(comm)
    told = "more than its numbers" in str(failed)  # of the ranks that combine; others may hear of it by way of another rank
    check(told or isinstance(failed, tutti.Failure), f"an operator that makes masked arrays: {failed}")
    check(tutti.all_reduce(comm, int(told), "sum") > 0, "no rank is told why")
with tempfile.TemporaryFile() as file:
    mapped = numpy.memmap(file, "f8", "w+", shape=3)
    mapped[:] = rank
    same(tutti.all_reduce(comm, mapped, "sum", out=mapped), [ranks.sum()] * 3, "a mapped array, in place")
    check((mapped == ranks.sum()).all(), "what is mapped")
for plain in (numpy.ones(2).view(Renamed), numpy.ones(2).view(numpy.recarray), array.array("d", [1, 1]), [1.0, 1.0],
              [numpy.float64(1), 1], memoryview(numpy.ones(2)), (ctypes.c_double * 2)(1, 1)):
    same(tutti.all_reduce(comm, plain, "sum"), [size] * 2, f"{type(plain)}")
    same(tutti.sum_without_order(comm, plain), numpy.float64(2 * size), f"{type(plain)}, without order")

# ---- what is of this process ----
failure = tutti.Failure(tutti.COMMUNICATION, "tutti: a sentence; a remedy")
failure.rank = 3
wrong_root = raises(tutti.Failure, tutti.broadcast, myself, numpy.ones(1), root=99)
check(isinstance(wrong_root, ValueError) and wrong_root.code == tutti.INVALID_ARGUMENT, "the root 99")
no_such_name = raises(tutti.Failure, tutti.use_algorithm, myself, "all_reduce", "none")
for error in (failure, wrong_root, no_such_name):
    for way in (copy.copy, copy.deepcopy, *(lambda x, n=n: pickle.loads(pickle.dumps(x, n)) for n in range(6))):
        other = way(error)
        check(type(other) is type(error) and other.code == error.code and str(other) == str(error) != "", f"{other!r}")
        check(getattr(other, "rank", None) == getattr(error, "rank", None), "an attribute of an exception")
plan = tutti.plan("all_reduce", comm, numpy.ones(3), "sum", out=numpy.empty(3))
for of_process in (plan, tutti.Operator(compiled), tutti.each(tutti.Operator(compiled)), {"plan": plan}):
    for way in (copy.deepcopy, pickle.dumps) + ((copy.copy,) if of_process is plan else ()):
        check("cannot be copied or pickled" in str(raises(TypeError, way, of_process)), f"a copy of {of_process}")
check(pickle.loads(pickle.dumps(tutti.each("sum", numpy.add))).operators == ("sum", numpy.add), "operators of Python's")
same(plan.start().wait(), [size] * 3, "a plan that was not copied")
for _ in range(2):
    plan.free()
for use in (plan.start, plan.test, plan.wait, plan.explain):
    check("has been freed" in str(raises(ValueError, use)), f"{use}")

# ---- what is wrong ----
read_only = numpy.zeros((6, 10))
read_only.flags.writeable = False
for error, arguments, named in (
        (ValueError, (table, "sum"), {"out": read_only}),
        (ValueError, (table, "sum"), {"out": numpy.zeros((6, 10), "f4")}),
        (TypeError, (numpy.array([None]), "sum"), {}), (ValueError, (table, "sun"), {}), (TypeError, (table, 3.5), {}),
        (TypeError, (table.astype("c16"), "minimum"), {}), (TypeError, (dates, tutti.each("sum")), {}),
        (TypeError, (table, numpy.sqrt), {}), (TypeError, (table, numpy.divmod), {}), (TypeError, (table, float), {}),
        (TypeError, (table, lambda a: a), {}), (TypeError, (table, lambda a, b, c: a), {}),
        (TypeError, (table, functools.partial(lambda a, b: a, 1)), {}), (TypeError, (table, True), {}),
        (TypeError, (table, 0), {}), (TypeError, (table, ctypes.CFUNCTYPE(None, ctypes.c_int)(lambda n: None)), {}),
        (TypeError, (dates, "sum"), {}), (TypeError, (dates, numpy.add), {}), (TypeError, (table, None), {}),
        (TypeError, (table.astype(">f8"), "sum"), {}), (TypeError, (table.astype("f2"), "sum"), {}),
        (TypeError, (table.astype("M8[s]"), "sum"), {}), (TypeError, (2**70, "sum"), {})):
    check("tutti: " in str(raises(error, tutti.all_reduce, MPI.COMM_SELF, *arguments, **named)), f"{arguments[1:]}")
check("tutti.each" in str(raises(TypeError, tutti.all_reduce, myself, dates, "sum")), "the remedy for structs")
for wrong, error in (
        (1.0, TypeError), (size / 2, TypeError), (None, TypeError), ("0", TypeError), (numpy.float64(0), TypeError),
        ([0], TypeError), (-1, ValueError), (1, ValueError), (2**70, ValueError)):
    for name, arguments in (
            ("broadcast", (line,)), ("reduce", (line, "sum")), ("gather", (line,)), ("scatter", (line, line.copy())),
            ("reduce_sequence", (line, "sum")), ("reduce_objects", (b"", max)), ("broadcast_objects", (b"",))):
        failed = raises(error, getattr(tutti, name), myself, *arguments, root=wrong)
        check(str(failed).startswith("tutti: the root is "), f"{name}: {failed}")
for right in (numpy.int64(0), numpy.uint8(0), False, numpy.argmin([1, 2])):
    same(tutti.broadcast(myself, line, root=right), line, f"the root {right!r}")
for wrong, error in (([0.5], TypeError), ([-5], ValueError), ([5, 0], ValueError), ("5", ValueError)):
    check("tutti: " in str(raises(error, tutti.all_gather, myself, line, counts=wrong)), f"counts {wrong}")
for wrong in (5, [1], "text", None):
    check("pickle.dumps(x)" in str(raises(TypeError, tutti.broadcast_objects, myself, wrong)), f"{wrong} as an object")
freed = MPI.COMM_SELF.Dup()
freed.Free()
for wrong in (None, 5, MPI.COMM_NULL, freed, MPI.DOUBLE, MPI.COMM_SELF.Get_group()):
    for call in (lambda c: tutti.all_reduce(c, line, "sum"), lambda c: tutti.broadcast(c, line), tutti.barrier,
                 lambda c: tutti.sum_without_order(c, line), lambda c: tutti.broadcast_objects(c, b""), tutti.recover,
                 lambda c: tutti.plan("gather", c, line), lambda c: tutti.use_algorithm(c, "reduce")):
        check("is no communicator" in str(raises(TypeError, call, wrong)), f"{wrong}")
days = numpy.array(["2026-01-01", "2026-01-02"], "M8[D]") + rank
same(tutti.all_reduce(comm, days, numpy.maximum), days - rank + size - 1, "dates")
failed = raises(ValueError, tutti.plan, "all_reduce", myself, table[:, 1], "sum")
check("must lie in one block" in str(failed), "a plan of a column")
raises(TypeError, tutti.use_algorithm, myself, 5)
check("of 0 bytes" in str(raises(ValueError, tutti.broadcast, myself, numpy.zeros(3, "V0"))), "elements of no bytes")
check("to plan" in str(raises(ValueError, tutti.plan, "all_reduces", myself, line)), "a collective that there is not")
raises(TypeError, tutti.sum_without_order, MPI.COMM_SELF, numpy.arange(3))
raises(ValueError, tutti.dot_without_order, MPI.COMM_SELF, numpy.zeros(3), numpy.zeros(4))
if size > 1:
    raises((TypeError, tutti.Failure), tutti.all_reduce, comm, numpy.arange(3), lambda left, right: left / 2)
    raises((ValueError, tutti.Failure), tutti.all_reduce, comm, table, lambda left, right: left.sum())
    raises((ZeroDivisionError, tutti.Failure), tutti.all_reduce_objects, comm, texts[rank], lambda a, b: 1 // 0)
    same(tutti.all_reduce(comm, line, "sum"), total, "and afterwards")

    def fails_on_rank_0(left, right):
        if rank == 0:
            raise ArithmeticError("not these")
        return left + right

    try:  # a rank on which no operand is missing has its result
        same(tutti.all_reduce(comm, table, fails_on_rank_0), whole, "an operator that raises elsewhere")
        check(rank != 0, "an exception is lost")
    except (ArithmeticError, tutti.Failure) as failed:
        check(rank == 0 if isinstance(failed, ArithmeticError) else failed.code == tutti.OTHER, f"{failed}")
    same(tutti.all_reduce(comm, table, "sum"), whole, "after an operator that raises")
    needs_recovery = False
    try:
        tutti.all_reduce(comm, table if rank else table[:1], "sum")
    except tutti.Failure as failure:
        needs_recovery = failure.code == tutti.COMMUNICATION
    check(MPI.COMM_WORLD.allreduce(needs_recovery, MPI.LOR), "lengths that differ")
    tutti.recover(comm)
    same(tutti.all_reduce(comm, table, "sum"), whole, "after recover")
    # one rank's arguments are wrong: the others do not wait
    last = comm.Dup()
    wrong = numpy.zeros(5, "f4") if rank == 1 else numpy.zeros(5)
    failed = raises((ValueError, tutti.Failure), tutti.all_reduce, last, line, "sum", out=wrong)
    check(isinstance(failed, ValueError) if rank == 1 else failed.code == tutti.COMMUNICATION, f"{failed}")
    tutti.recover(last)
    same(tutti.all_reduce(last, line, "sum"), total, "after recovery")
    long = numpy.arange(300000.0)
    for name, right, wrong in (
            ("reduce", (long, "sum", 0), (long, "sum", size / 2)), ("gather", (long, 0), (long, None)),
            ("broadcast", (long, 1), (long, "one")), ("all_reduce", (long, "sum"), (long, numpy.sqrt)),
            ("all_reduce", (long, "sum"), (masked, "sum")),
            ("all_reduce", (long, "sum", False), (long, "sum", False, [])),
            ("all_gather", (long, [len(long)] * size), (long, [0.5] * size)), ("all_gather", (long,), (None,)),
            ("reduce_sequence", (long, "sum", 0), (long, "sum", 0.0)),
            ("reduce_objects", (b"a", max, 0), (b"a", max, 0.0)),
            ("broadcast_objects", (b"a", 1), (5, 1)), ("all_reduce_objects", (b"a", max), (b"a", len)),
            ("use_algorithm", ("reduce", "ring"), ("reduce", 5))):
        failed = None
        try:
            getattr(tutti, name)(last, *(wrong if rank == 1 else right))
            tutti.barrier(last)  # those whose part was done before
        except Exception as error:
            failed = error
            if rank == 1 or name != "broadcast":
                check(isinstance(failed, tutti.Failure) != (rank == 1), f"{name}: {failed!r}")
        check(failed is not None or rank != 1, f"{name} is not refused")
        tutti.recover(last)
        same(tutti.all_reduce(last, line, "sum"), total, f"after {name} has been refused")
