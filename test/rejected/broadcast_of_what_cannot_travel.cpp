// expect: tutti: elements of this type cannot travel between processes; make the type trivially copyable, or include <tutti/boost_mpi.hpp> and give it Boost.Serialization
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <map>

#include <tutti/mpi.hpp>

void call(std::map<int, int>& both) {
    tutti::broadcast(MPI_COMM_WORLD, both, 0);
}
