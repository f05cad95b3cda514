// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/message_limit.hpp>
#include <support/operands.hpp>
#include <support/ranks.hpp>

#include <span>
#include <type_traits>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/node_map.hpp>

BOOST_AUTO_TEST_SUITE(execution_messages)

using support::check;
using support::check_equal;
using support::operands;
using support::sums;

namespace {

std::plus<> plus;

/// A linear reduce whose messages begin with block 2 and wrap around, so that they lie in two places.
struct wrapped {
    std::size_t segments = 5;
    friend bool operator==(wrapped const&, wrapped const&) = default;
};

constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<wrapped>) { return {.name = "wrapped"}; }

[[nodiscard]] auto generate(tutti::collective::reduce, wrapped const&, tutti::problem const& at) {
    auto steps = generate(tutti::collective::reduce{}, tutti::linear{}, at);
    auto const blocks = at.blocks.blocks();
    std::vector<tutti::step> changed;
    for (tutti::step each : steps) {
        each.blocks = tutti::schedules::block_list::cyclic(2 % blocks, blocks, blocks);
        changed.push_back(each);
    }
    return tutti::schedules::stored_schedule(steps.rounds(), std::move(changed));
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_are_cut_to_the_limit) {
    for (auto const limit : std::vector<std::size_t>{4, 13, 400}) {
        support::on_ranks_with_limit(limit, [](auto& world) {
            int const rank = support::rank_of(world);
            int const size = support::size_of(world);
            auto const expected = sums(size, 50);
            auto const check_all = [&](auto const& algorithm) {
                auto both = operands(rank, 50);
                tutti::all_reduce(world, tutti::inplace(both), plus, algorithm);
                check(both == expected, "all_reduce in parts");
            };
            check_all(tutti::recursive_doubling{});
            check_all(tutti::ring{});
            check_all(tutti::pipeline{.segments = 3});
            check_all(wrapped{});
            auto both = operands(rank, 50);
            tutti::broadcast(world, std::span{both}, size - 1, tutti::binomial{});
            check(both == operands(size - 1, 50), "broadcast in parts");
        });
    }
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(messages_are_cut_as_is_good_for_the_network) {
    tutti::configure(world, tutti::node_map::of_width(1));
    for (double const longest : {12.0, 1000.0}) {
        tutti::use(world, {.longest_message = longest});
        auto both = operands(rank, 50);
        tutti::all_reduce(world, tutti::inplace(both), plus, tutti::recursive_doubling{});
        check(both == sums(size, 50), "all_reduce in pieces");
    }
    tutti::use(world, tutti::machine_model{});
    tutti::configure(world, tutti::node_map{});
}

BOOST_AUTO_TEST_CASE_ON_EACH_RANK(messages_that_lie_in_two_places_are_gathered) {
    for (auto const n : std::vector<std::size_t>{3, 5, 1000}) {
        std::vector<int> out(n);
        for (int round = 0; round != 3; ++round) {
            tutti::reduce(world, operands(rank, n), out, plus, size / 2, wrapped{});
            check(rank != size / 2 || out == sums(size, n), "reduce");
            out = operands(rank, n);
            tutti::broadcast(world, out, size / 2, wrapped{});
            check(out == operands(size / 2, n), "broadcast");
        }
    }
}

// Longer than the pieces in which messages are combined while they come in, and longer than what MPI buffers.
BOOST_AUTO_TEST_CASE_ON_EACH_RANK(long_messages_meet) {
    constexpr std::size_t n = 400'000;
    auto both = operands(rank, n);
    tutti::all_reduce(world, tutti::inplace(both), plus, tutti::recursive_doubling{});
    check(both == sums(size, n), "recursive doubling");
    both = operands(rank, n);
    std::vector<int> out(n);
    tutti::reduce(world, both, out, plus, size - 1, wrapped{});
    check(rank != size - 1 || out == sums(size, n), "wrapped");
}

BOOST_AUTO_TEST_CASE(an_element_must_fit_into_a_message) {
    support::on_ranks_with_limit(7, [](auto& world) {
        auto const said = support::message_of<std::invalid_argument>(
            [&] { static_cast<void>(tutti::all_reduce(world, 1.0, plus, tutti::recursive_doubling{})); });
        check_equal(said, "tutti: an element of 8 bytes exceeds the communicator's message limit of 7; let that be larger", "message");
    });
}

BOOST_AUTO_TEST_SUITE_END()
