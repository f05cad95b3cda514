// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <functional>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/operation/annotated.hpp>
#include <tutti/operation/on_blocks.hpp>

BOOST_AUTO_TEST_SUITE(collective_operators)

using support::check_equal;
using support::operands;
using support::sums;

namespace {

/// A state that must not get lost, and nothing that could be made up for it.
class sum_and_offset {
public:
    sum_and_offset() = delete;
    explicit sum_and_offset(int offset) : offset_{offset} {}
    int operator()(int a, int b) const { return a + b + offset_; }

private:
    int offset_;
};

/// Counts what it does; cannot be called on a const object.
struct counting {
    int calls = 0;
    int operator()(int a, int b) {
        ++calls;
        return a + b;
    }
};

struct not_copyable {
    not_copyable() = default;
    not_copyable(not_copyable const&) = delete;
    not_copyable& operator=(not_copyable const&) = delete;
    int operator()(int a, int b) const { return a + b; }
};

int add(int const& a, int const& b) { return a + b; }
long widened(int a, int b) { return long{a} + b; }

/// The result of an all_reduce of five elements by a short algorithm.
template <class Op>
std::vector<int> all_reduced(auto& world, Op&& op) {
    std::vector<int> result(5);
    tutti::all_reduce(world, operands(support::rank_of(world), 5), result, std::forward<Op>(op),
                      tutti::recursive_doubling{});
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(functors_have_state) {
    for (int const offset : {0, 1000}) {
        auto expected = sums(size, 5);
        for (auto& each : expected) { each += (size - 1) * offset; }
        check_equal(all_reduced(world, sum_and_offset{offset}), expected, "functor with state");
        sum_and_offset const op{offset};
        check_equal(all_reduced(world, op), expected, "const functor with state");
        check_equal(all_reduced(world, [&](auto a, auto b) { return a + b + offset; }), expected, "lambda");
    }
}

BOOST_AUTO_TEST_CASE_ON_RANKS(anything_that_can_be_called_is_an_operator) {
    auto const expected = sums(support::size_of(world), 5);
    check_equal(all_reduced(world, add), expected, "function");
    check_equal(all_reduced(world, &add), expected, "pointer to a function");
    check_equal(all_reduced(world, widened), expected, "result of another type");
    check_equal(all_reduced(world, std::function<int(int, int)>{add}), expected, "std::function");
    check_equal(all_reduced(world, [](auto const& a, auto const& b) { return a + b; }), expected, "generic lambda");
    check_equal(all_reduced(world, [](auto&&... all) { return (... + all); }), expected, "variadic lambda");
    not_copyable const only;
    check_equal(all_reduced(world, only), expected, "operator that cannot be copied");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(the_caller_s_own_object_is_applied) {
    counting own;
    counting referred;
    check_equal(all_reduced(world, own), sums(support::size_of(world), 5), "lvalue");
    check_equal(all_reduced(world, std::ref(referred)), sums(support::size_of(world), 5), "std::ref");
    check_equal(own.calls, referred.calls, "calls through std::ref");
    if (support::size_of(world) == 2) { check_equal(own.calls, 5, "calls"); }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(operators_say_that_they_commute) {
    auto const in = operands(rank, 50);
    std::vector<int> out(50);
    auto const expected = sums(size, 50);
    tutti::all_reduce(world, in, out, tutti::commutative(sum_and_offset{0}), tutti::ring{});
    check_equal(out, expected, "ring");
    counting counted;
    tutti::reduce(world, in, out, tutti::commutative(std::ref(counted)), 0, tutti::uni_greedy{.segments = 3});
    if (rank == 0) { check_equal(out, expected, "uni_greedy"); }
    support::check(size == 1 || counted.calls != 0 || rank != 0, "the reference got lost");
    check_equal(all_reduced(world, tutti::with_identity(sum_and_offset{0}, 0)), sums(size, 5), "with_identity");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(operators_on_blocks) {
    std::size_t combined = 0;
    auto const kernel = tutti::on_blocks(
        [&](std::span<int const> left, std::span<int const> right, std::span<int> out) {
            support::check(left.size() == right.size() && left.size() == out.size() && !out.empty(), "block sizes");
            combined += out.size();
            for (std::size_t i = 0; i != out.size(); ++i) { out[i] = left[i] + right[i]; }
        });
    check_equal(all_reduced(world, kernel), sums(support::size_of(world), 5), "on_blocks");
    combined = 0;
    auto both = operands(support::rank_of(world), 100);
    tutti::all_reduce(world, tutti::inplace(both), tutti::commutative(kernel), tutti::ring{});
    check_equal(both, sums(support::size_of(world), 100), "commutative(on_blocks)");
    support::check(combined <= 100, "a ring combines every element once in all");
}

BOOST_AUTO_TEST_SUITE_END()
