// expect: tutti: elements that do not travel as bytes are not part of tutti::compiled; include <tutti/boost_mpi.hpp> or <tutti/threads.hpp>, or compile this translation unit without TUTTI_COMPILED
// flags: -DTUTTI_COMPILED
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <string>

#include <tutti/element/boost_serialization.hpp>
#if REMEDY == 1
#include <tutti/boost_mpi.hpp>
#elif REMEDY == 2
#undef TUTTI_COMPILED
#include <tutti/mpi.hpp>
#else
#include <tutti/mpi.hpp>
#endif

std::string call(std::string const& text) { return tutti::all_reduce(MPI_COMM_WORLD, text, std::plus<>{}); }
