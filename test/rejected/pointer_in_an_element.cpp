// expect: tutti: an address (a pointer, reference, view, iterator or handle, alone or in an object) means nothing in another process; pass the elements to which it refers, a pointer with their number, or specialise tutti::means_the_same_elsewhere
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <array>
#include <vector>

#include <tutti/mpi.hpp>

struct named {
    int number[3];
    std::array<char const*, 2> name;
};

#if REMEDY == 1
template <>
inline constexpr bool tutti::means_the_same_elsewhere<named> = true;
#endif

void call(std::vector<named>& all) { tutti::all_gather(MPI_COMM_WORLD, named{}, all); }
