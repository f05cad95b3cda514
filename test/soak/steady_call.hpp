// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/scan.hpp>

#include "random.hpp"

/// Calls whose results are known in closed form, for programs in which ranks fail.
namespace soak {

using number = std::uint64_t;

enum class kind { all_reduce, reduce, broadcast, scan, all_gather, plan, kinds };

struct steady_call {
    kind what;
    std::size_t elements;
    int root;
};

[[nodiscard]] inline steady_call drawn_call(draw& from, int ranks) {
    steady_call result{};
    result.what = static_cast<kind>(from.below(static_cast<std::size_t>(kind::kinds)));
    result.elements = from.one_in(6) ? from.from(1000, 30'000) : from.from(1, 50);
    result.root = static_cast<int>(from.below(static_cast<std::size_t>(ranks)));
    return result;
}

/// Element i of a rank.
[[nodiscard]] inline number element(int rank, std::size_t i) { return static_cast<number>(rank + 1) * (i + 7); }
[[nodiscard]] inline number sum_up_to(int rank, std::size_t i) {
    auto const count = static_cast<number>(rank + 1);
    return count * (count + 1) / 2 * (i + 7);
}

inline void require(bool right, char const* what) {
    if (!right) { throw std::logic_error{std::string{"a wrong "} + what}; }
}

template <class Due>
void require_all(std::vector<number> const& got, Due due, char const* what) {
    for (std::size_t i = 0; i != got.size(); ++i) { require(got[i] == due(i), what); }
}

/// Throws std::logic_error, "a wrong ...", unless the result is right.
template <class World>
void perform(World& world, int self, int size, steady_call const& one) {
    std::plus<> const plus;
    int const last = size - 1;
    std::vector<number> in(one.elements), out(one.elements);
    for (std::size_t i = 0; i != in.size(); ++i) { in[i] = element(self, i); }
    auto const total = [&](std::size_t i) { return sum_up_to(last, i); };
    switch (one.what) {
    case kind::all_reduce:
        tutti::all_reduce(world, in, out, plus);
        return require_all(out, total, "all_reduce");
    case kind::reduce:
        tutti::reduce(world, in, out, plus, one.root);
        if (self == one.root) { require_all(out, total, "reduce"); }
        return;
    case kind::broadcast:
        tutti::broadcast(world, in, one.root);
        return require_all(in, [&](std::size_t i) { return element(one.root, i); }, "broadcast");
    case kind::scan:
        tutti::inclusive_scan(world, in, out, plus);
        return require_all(out, [&](std::size_t i) { return sum_up_to(self, i); }, "inclusive_scan");
    case kind::all_gather: {
        std::vector<number> all(one.elements * static_cast<std::size_t>(size));
        tutti::all_gather(world, in, all);
        auto const due = [&](std::size_t i) {
            return element(static_cast<int>(i / one.elements), i % one.elements);
        };
        return require_all(all, due, "all_gather");
    }
    case kind::plan:
    case kind::kinds: {
        auto sum = tutti::plan::all_reduce(world, in, out, plus);
        for (int run = 0; run != 2; ++run) {
            sum.start();
            sum.wait();
            require_all(out, total, "plan of an all_reduce");
        }
        return;
    }
    }
}

}  // namespace soak
