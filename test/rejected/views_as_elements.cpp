// expect: tutti: an address (a pointer, reference, view, iterator or handle, alone or in an object) means nothing in another process; pass the elements to which it refers, a pointer with their number, or specialise tutti::means_the_same_elsewhere
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <string_view>
#include <vector>

#include <tutti/mpi.hpp>

#if REMEDY == 1
void call(std::vector<std::string_view>& names) {
    for (auto& name : names) {
        std::vector<char> text{name.begin(), name.end()};
        tutti::broadcast(MPI_COMM_WORLD, text, 0);
    }
}
#else
void call(std::vector<std::string_view>& names) { tutti::broadcast(MPI_COMM_WORLD, names, 0); }
#endif
