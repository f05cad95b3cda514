// expect: tutti: in and out must hold elements of the same type, and out must not be const
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <vector>

#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/communicator/threads.hpp>

void call(tutti::threads::communicator& world, std::vector<int> const& both) {
    tutti::reduce_scatter(world, tutti::inplace(both), std::plus<>{});
}
