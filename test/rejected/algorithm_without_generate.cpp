// expect: tutti: this algorithm has a describe for this collective, which must return tutti::facts, and needs generate(collective, algorithm, tutti::problem const&) beside it, which returns a schedule
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/generators.hpp>

#include "over_threads.hpp"

namespace mine {

struct tree {
    friend bool operator==(tree const&, tree const&) = default;
};

constexpr tutti::facts describe(tutti::collective::broadcast, std::type_identity<tree>) { return {.name = "tree"}; }
#if REMEDY == 1
auto generate(tutti::collective::broadcast which, tree, tutti::problem const& at) {
    return generate(which, tutti::generators::reverse(tutti::binomial{}), at);
}
#endif

}  // namespace mine

void call(tutti::threads::communicator& world, std::vector<double>& both) {
    tutti::broadcast(world, both, 0, mine::tree{});
}
