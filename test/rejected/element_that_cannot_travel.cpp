// expect: tutti: elements of this type cannot travel between processes; make the type trivially copyable, or include <tutti/boost_mpi.hpp> and give it Boost.Serialization
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <string>
#include <vector>

#if REMEDY == 1
#include <tutti/boost_mpi.hpp>
#else
#include <tutti/mpi.hpp>
#endif

void call(std::vector<std::string>& both) {
    tutti::all_reduce(MPI_COMM_WORLD, tutti::inplace(both), std::plus<>{});
}
