// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/error.hpp>

namespace support {

struct refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A sum that throws on one rank, from its n-th call on; says whether it did.
class picky_sum {
public:
    picky_sum(bool throws, int calls) : throws_{throws}, calls_{calls} {}
    int operator()(int a, int b) {
        if (throws_ && calls_-- <= 0) {
            threw = true;
            throw refused{"the operator does not like this"};
        }
        return a + b;
    }
    bool threw = false;

private:
    bool throws_;
    int calls_;
};

enum class outcome { result, refused, missing };

[[nodiscard]] outcome outcome_of(auto action) {
    try {
        action();
        return outcome::result;
    } catch (refused const& own) {
        check_equal(std::string{own.what()}, "the operator does not like this", "the operator's own exception");
        return outcome::refused;
    } catch (tutti::operand_missing const& follows) {
        check(std::string{follows.what()}.starts_with("tutti: there is no result on this rank because an operand is "
                                                      "missing: the operator threw on another rank"),
              follows.what());
        return outcome::missing;
    }
}

/// A call whose operator throws on one rank, on each rank in turn; `call(op, out)`. The results of all ranks say
/// whether any threw. Afterwards everything works as before.
template <class Call>
void check_throwing_on_each_rank(auto& world, std::size_t n, int calls, Call call) {
    int const rank = support::rank_of(world);
    int const size = support::size_of(world);
    for (int thrower = 0; thrower != size; ++thrower) {
        auto out = operands(rank, n);
        picky_sum op{rank == thrower, calls};
        auto const ended = outcome_of([&] { call(op, out); });
        check((ended == outcome::refused) == op.threw, "whoever throws gets the operator's own exception");
        int const any_threw = tutti::all_reduce(world, op.threw ? 1 : 0, std::plus<>{});
        int const any_result_missing = tutti::all_reduce(world, ended == outcome::result ? 0 : 1, std::plus<>{});
        check((any_threw != 0) == (any_result_missing != 0), "results are missing where an operator threw, only there");
    }
}

}  // namespace support
