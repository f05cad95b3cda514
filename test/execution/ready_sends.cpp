// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <support/checked_team.hpp>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/all.hpp>

BOOST_AUTO_TEST_SUITE(execution_ready_sends)

using support::affine;
using support::affines;
using support::composition;
using support::erased;
using support::team;

namespace {

/// A linear reduce whose messages begin with block 2 and wrap around, so that they lie in two places.
struct wrapped {
    std::size_t segments = 5;
};

constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<wrapped>) { return {.name = "wrapped"}; }

[[nodiscard]] auto generate(tutti::collective::reduce, wrapped const&, tutti::problem const& at) {
    auto const blocks = at.blocks.blocks();
    std::vector<tutti::step> changed;
    for (tutti::step each : generate(tutti::collective::reduce{}, tutti::linear{}, at)) {
        each.blocks = tutti::schedules::block_list::cyclic(2 % blocks, blocks, blocks);
        changed.push_back(each);
    }
    return tutti::schedules::stored_schedule(at.size, std::move(changed));
}

/// Not a reduction: every rank's vector moves to the next rank, all at the same time.
struct rotation_of_operands {};

constexpr tutti::facts describe(tutti::collective::all_reduce, std::type_identity<rotation_of_operands>) {
    return {.name = "rotation_of_operands"};
}

[[nodiscard]] auto generate(tutti::collective::all_reduce, rotation_of_operands, tutti::problem const& at) {
    auto const all = tutti::schedules::block_range{0, at.blocks.blocks()};
    auto const result = tutti::buffer::result();
    return tutti::schedules::stored_schedule(
        1, std::vector{tutti::step::send(0, (at.rank + 1) % at.size, result, all),
                       tutti::step::receive(0, (at.rank + at.size - 1) % at.size, result, all)});
}

constexpr std::size_t unlimited = 1'000'000;

/// Runs of a plan have the same results in standard and in ready mode, whatever the order of events. What is sent in
/// ready mode is all that is sent, but for the clear-to-send messages.
template <class Make>
void check_modes(int size, Make make, std::size_t n = 40, std::size_t limit = unlimited) {
    for (unsigned seed = 1; seed != 4; ++seed) {
        team standard{size, n};
        standard.network.ready_mode = false;
        team ready{size, n, seed};
        standard.network.message_limit = ready.network.message_limit = limit;
        auto one = standard.plans(make);
        auto other = ready.plans(make);
        for (int run = 0; run != 3; ++run) {
            standard.run(one);
            ready.run(other);
            BOOST_TEST((ready.in == standard.in && ready.out == standard.out));
            BOOST_TEST(ready.network.under_way() == 0U);
        }
        BOOST_TEST(ready.network.standard_bytes == 0U);
        BOOST_TEST(ready.network.standard_sends <= ready.network.ready_sends);
        BOOST_TEST(ready.network.ready_sends == standard.network.standard_sends);
        BOOST_TEST((ready.network.ready_sends == 0) == (size == 1));
    }
}

template <class Generator>
void check_all_reduce(Generator const& generator) {
    for (int const size : {1, 2, 3, 4, 7, 8}) {
        auto const algorithm = erased(tutti::collective::all_reduce{}, generator, size);
        auto const into_out = [&](auto& world, affines& in, affines& out) {
            return tutti::plan::all_reduce(world, in, out, composition{}, algorithm);
        };
        check_modes(size, into_out);
        check_modes(size, into_out, 40, 3 * sizeof(affine));
        check_modes(size, [&](auto& world, affines& in, affines&) {
            return tutti::plan::all_reduce(world, tutti::inplace(in), composition{}, algorithm);
        });
    }
}

template <class Generator>
void check_reduce(Generator const& generator) {
    for (int const size : {1, 2, 3, 4, 7, 8}) {
        for (auto const limit : {unlimited, 3 * sizeof(affine)}) {
            check_modes(
                size,
                [&](auto& world, affines& in, affines& out) {
                    auto const algorithm = erased(tutti::collective::reduce{}, generator, size);
                    return tutti::plan::reduce(world, in, out, composition{}, size / 2, algorithm);
                },
                40, limit);
            check_modes(
                size,
                [&](auto& world, affines& in, affines&) {
                    auto const algorithm = erased(tutti::collective::broadcast{}, tutti::reverse(generator), size);
                    return tutti::plan::broadcast(world, in, size - 1, algorithm);
                },
                40, limit);
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_ready_send_of_an_all_reduce_meets_its_receive) {
    tutti::bi_greedy const greedy{.segments = 5};
    check_all_reduce(tutti::ring{});
    check_all_reduce(tutti::recursive_doubling{});
    check_all_reduce(tutti::then(greedy, tutti::reverse(greedy)));
}

BOOST_AUTO_TEST_CASE(every_ready_send_of_a_reduce_or_broadcast_meets_its_receive) {
    check_reduce(tutti::binomial{});
    check_reduce(tutti::binary_tree{.segments = 4});
    check_reduce(tutti::butterfly{});
    check_reduce(wrapped{});
}

// A rank's neighbour may be so quick that what comes would overwrite what this one has not sent yet.
BOOST_AUTO_TEST_CASE(what_comes_early_overwrites_nothing) {
    for (unsigned seed = 1; seed != 30; ++seed) {
        team five{5, 10, seed};
        auto plans = five.plans([](auto& world, affines& in, affines&) {
            return tutti::plan::all_reduce(world, tutti::inplace(in), composition{}, rotation_of_operands{});
        });
        for (std::size_t run = 1; run != 4; ++run) {
            auto expected = five.in;
            std::rotate(expected.begin(), expected.end() - 1, expected.end());
            five.run(plans);
            BOOST_TEST((five.in == expected));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_pipeline_longer_than_the_window) {
    check_modes(
        3,
        [](auto& world, affines& in, affines& out) {
            return tutti::plan::reduce(world, in, out, composition{}, 0,
                                       erased(tutti::collective::reduce{}, tutti::pipeline{.segments = 400}, 3));
        },
        4000);
}

BOOST_AUTO_TEST_SUITE_END()
