// expect: tutti: the last argument is no algorithm, which is an object such as tutti::ring{} of <tutti/generators.hpp>, or of your own type with the functions describe and generate beside it, in its namespace
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/generators.hpp>

#include "over_threads.hpp"

namespace mine {

struct tree {
    friend bool operator==(tree const&, tree const&) = default;
};

#if REMEDY == 1
constexpr tutti::facts describe(tutti::collective::broadcast, std::type_identity<tree>) { return {.name = "tree"}; }
#endif

auto generate(tutti::collective::broadcast which, tree, tutti::problem const& at) {
    return generate(which, tutti::generators::reverse(tutti::binomial{}), at);
}

}  // namespace mine

void call(tutti::threads::communicator& world, std::vector<double>& both) {
    tutti::broadcast(world, both, 0, mine::tree{});
}
