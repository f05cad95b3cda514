// expect: tutti: elements that are serialised need #include <tutti/execution/packed_messages.hpp>, which
// flags: -pthread
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <mpi.h>

#if REMEDY == 1
#include <tutti/collective/all_reduce.hpp>
#include <tutti/execution/packed_messages.hpp>
#else
#include <tutti/collective/all_reduce.hpp>
#endif
#include <tutti/communicator/mpi.hpp>

struct named {
    named() {}
    named(named const&) {}
    friend named operator+(named const&, named const&) { return {}; }
};

template <>
struct tutti::serialization<named> {
    static void save(std::span<named const>, std::vector<std::byte>&) {}
    static void load(std::span<std::byte const>, std::span<named>) {}
};

void call(std::vector<named>& all) { tutti::all_reduce(MPI_COMM_WORLD, tutti::inplace(all), std::plus<>{}); }
