// expect: tutti: a call takes no options; write tutti::configure(world, tutti::execution{.check_calls = true}) before it, or tutti::threads::run(size, body, {.timeout = 10s}) around it
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <chrono>
#include <tutti/execution/configure.hpp>

#include "over_threads.hpp"

void call(tutti::threads::communicator& world, std::vector<double> const& in, std::vector<double>& out) {
#if REMEDY == 1
    tutti::configure(world, tutti::execution{.check_calls = true});
    tutti::reduce(world, in, out, std::plus<>{}, 0);
#elif REMEDY == 2
    using namespace std::chrono_literals;
    tutti::threads::run(world.size(), [&](auto& each) { tutti::reduce(each, 1, std::plus<>{}, 0); }, {.timeout = 10s});
#else
    tutti::reduce(world, in, out, std::plus<>{}, 0, tutti::execution{.check_calls = true});
#endif
}
