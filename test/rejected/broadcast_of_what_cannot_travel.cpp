// expect: tutti: elements of this type cannot travel between processes; make the type trivially copyable, or include <tutti/boost_mpi.hpp> and give it Boost.Serialization
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <map>
#include <utility>
#include <vector>

#include <tutti/mpi.hpp>

#if REMEDY == 1
void call(std::vector<std::pair<int, int>>& both) {
#else
void call(std::map<int, int>& both) {
#endif
    tutti::broadcast(MPI_COMM_WORLD, both, 0);
}
