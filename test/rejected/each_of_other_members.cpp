// expect: tutti: the operator cannot be applied to these elements; op(a, b) must take two elements and give one
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tuple>

#include <tutti/operation/each.hpp>
#include <tutti/operation/minmax.hpp>

#include "over_threads.hpp"

auto call(tutti::threads::communicator& world, std::tuple<int, double> const& both) {
#if REMEDY == 1
    return tutti::all_reduce(world, both, tutti::each(std::plus<>{}, tutti::maximum<>{}));
#else
    return tutti::all_reduce(world, both, tutti::each(std::plus<>{}));
#endif
}
