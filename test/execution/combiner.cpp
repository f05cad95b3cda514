// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include <support/scripted_communicator.hpp>

#include <tutti/execution.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/operation/on_blocks.hpp>
#include <tutti/program/compile.hpp>

BOOST_AUTO_TEST_SUITE(execution_combiner)

using namespace tutti;
using namespace tutti::engine;
using namespace tutti::generators;

namespace {

/// The root of three ranks in a reduce of `elements` ints; `op` is called as the messages come in.
template <class Operator>
struct reduction {
    explicit reduction(std::size_t elements, Operator with)
        : op{with}, in(elements, 1), out(elements), run{world, world.new_tag(), compiled(elements)} {}

    void start() { run.start(in.data(), out.data(), nullptr, op); }

    static program compiled(std::size_t elements) {
        auto const cut = partition::equal(elements, 1);
        data_layout where;
        where.result = location::output;
        where.provided = where.required = {0, 1};
        return compiler{cut, where}(generate(collective::reduce{}, linear{}, problem{0, 3, 0, cut}));
    }

    support::scripted_communicator world;
    Operator op;
    std::vector<int> in;
    std::vector<int> out;
    executor<support::scripted_communicator, int, Operator> run;
};

constexpr std::size_t one_message = 120'000;  // 480 KB travel in one piece

}  // namespace

BOOST_AUTO_TEST_CASE(messages_move_while_the_operator_works) {
    std::size_t calls = 0;
    std::size_t depth = 0;
    std::size_t posted_before = 0;
    std::size_t tests_before = 0;
    support::scripted_communicator* world = nullptr;
    auto op = [&](int a, int b) {
        BOOST_REQUIRE(++depth == 1);  // never entered again, though the other message comes in
        ++calls;
        if (calls == 1) {
            posted_before = world->posted.size();
            tests_before = world->tests;
        }
        if (calls == one_message / 2) {
            BOOST_TEST(world->tests > tests_before);
            world->ended = {world->posted.back()};
        }
        if (calls == one_message) { BOOST_TEST(world->ended.empty()); }
        --depth;
        return a + b;
    };
    reduction<decltype(op)> at{one_message, op};
    world = &at.world;
    at.start();
    at.world.ended = {at.world.posted.front()};
    at.run.wait();
    BOOST_TEST(posted_before == 2U);
    BOOST_TEST(calls == 2 * one_message);
}

BOOST_AUTO_TEST_CASE(short_blocks_are_combined_without_a_pause) {
    std::size_t tests = 0;
    support::scripted_communicator* world = nullptr;
    auto op = [&](int a, int b) {
        tests = world->tests;
        return a + b;
    };
    reduction<decltype(op)> at{100, op};
    world = &at.world;
    at.start();
    at.world.ended = at.world.posted;
    at.run.wait();
    BOOST_TEST(tests == 1U);
    BOOST_TEST(at.world.tests == 1U);
}

BOOST_AUTO_TEST_CASE(operators_on_blocks_see_the_same_slices_in_every_run) {
    std::vector<std::size_t> sizes;
    auto op = on_blocks([&](std::span<int const> a, std::span<int const> b, std::span<int> out) {
        sizes.push_back(out.size());
        std::transform(a.begin(), a.end(), b.begin(), out.begin(), std::plus<>{});
    });
    reduction<decltype(op)> at{one_message, op};
    auto const slices_of_a_run = [&] {
        sizes.clear();
        at.start();
        at.world.ended = at.world.posted;
        at.run.wait();
        return sizes;
    };
    auto const first = slices_of_a_run();
    BOOST_TEST(first.size() > 2U);
    BOOST_TEST((slices_of_a_run() == first));
}

BOOST_AUTO_TEST_CASE(an_operator_that_throws_in_a_later_slice_ends_the_combining) {
    std::size_t calls = 0;
    auto op = [&](int a, int b) {
        if (++calls == one_message - 1) { throw std::length_error{"enough"}; }
        return a + b;
    };
    reduction<decltype(op)> at{one_message, op};
    at.start();
    at.world.ended = at.world.posted;
    BOOST_CHECK_THROW(at.run.wait(), std::length_error);
    BOOST_TEST(calls == one_message - 1);
    BOOST_TEST(!at.run.running());
}

// The operator has not thrown: the communicator has, and that is said when the run is waited for.
BOOST_AUTO_TEST_CASE(a_communicator_that_fails_while_the_operator_works) {
    std::size_t calls = 0;
    support::scripted_communicator* world = nullptr;
    auto op = [&](int a, int b) {
        if (++calls == 10) { world->fail_next_test = true; }
        return a + b;
    };
    reduction<decltype(op)> at{one_message, op};
    world = &at.world;
    at.start();
    at.world.ended = {at.world.posted.front()};
    BOOST_CHECK_THROW(at.run.wait(), std::runtime_error);
    BOOST_TEST(calls == one_message);
    BOOST_TEST(!at.run.running());
    BOOST_TEST((at.world.cancelled == std::vector{at.world.posted.back()}));
}

BOOST_AUTO_TEST_SUITE_END()
