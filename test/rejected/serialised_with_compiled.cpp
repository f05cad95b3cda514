// expect: tutti: elements that do not travel as bytes are not part of tutti::compiled; include <tutti/boost_mpi.hpp> or <tutti/threads.hpp>, or <tutti/collective/execute.hpp> itself
// flags: -DTUTTI_COMPILED
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <string>

#include <tutti/element/boost_serialization.hpp>
#include <tutti/mpi.hpp>

std::string call(std::string const& text) { return tutti::all_reduce(MPI_COMM_WORLD, text, std::plus<>{}); }
