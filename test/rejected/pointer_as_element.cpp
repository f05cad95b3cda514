// expect: tutti: an address (a pointer, reference, view, iterator or handle, alone or in an object) means nothing in another process; pass the elements to which it refers, a pointer with their number, or specialise tutti::means_the_same_elsewhere
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/mpi.hpp>

auto const least = [](auto a, auto b) { return b < a ? b : a; };

#if REMEDY == 1
int call(int* p) { return tutti::all_reduce(MPI_COMM_WORLD, *p, least); }
#elif REMEDY == 2
void call(int* p) { tutti::all_reduce(MPI_COMM_WORLD, tutti::inplace(p), 3, least); }
#elif REMEDY == 3
template <>
inline constexpr bool tutti::means_the_same_elsewhere<int*> = true;
int* call(int* p) { return tutti::all_reduce(MPI_COMM_WORLD, p, least); }
#else
int* call(int* p) { return tutti::all_reduce(MPI_COMM_WORLD, p, least); }
#endif
