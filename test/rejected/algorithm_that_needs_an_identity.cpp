// expect: tutti: this algorithm needs the operator's identity; write tutti::with_identity(op, value) of <tutti/operation/annotated.hpp>
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/operation/annotated.hpp>
#include <tutti/generator/linear.hpp>

#include "over_threads.hpp"

struct from_identity {
    friend bool operator==(from_identity const&, from_identity const&) = default;
};
constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<from_identity>) {
    return {.name = "from_identity", .requires_identity = true};
}
auto generate(tutti::collective::reduce which, from_identity const&, tutti::problem const& at) {
    return generate(which, tutti::linear{}, at);
}

void call(tutti::threads::communicator& world, std::vector<int>& both) {
#if REMEDY == 1
    tutti::reduce(world, tutti::inplace(both), tutti::with_identity([](int a, int b) { return a + b; }, 0), 0,
                  from_identity{});
#else
    tutti::reduce(world, tutti::inplace(both), [](int a, int b) { return a + b; }, 0, from_identity{});
#endif
}
