// expect: tutti: explain() of a plan needs #include <tutti/collective/explain.hpp>, which <tutti/mpi.hpp>
// flags: -pthread
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <functional>
#include <string>
#include <vector>

#if REMEDY == 1
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/explain.hpp>
#else
#include <tutti/collective/all_reduce.hpp>
#endif
#include <tutti/communicator/threads.hpp>

std::string call(tutti::threads::communicator& world, std::vector<double>& all) {
    auto plan = tutti::plan::all_reduce(world, tutti::inplace(all), std::plus<>{});
    return plan.explain();
}
