// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include <range/v3/range/conversion.hpp>

#include <laws/schedule_laws.hpp>
#include <support/rank_traffic.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/split.hpp>

namespace tutti::generators {

/// What `split` does among more ranks than it lists parts of.
struct returning_split {
    friend bool operator==(returning_split const&, returning_split const&) = default;
};

constexpr facts describe(collective::reduce_scatter, std::type_identity<returning_split>) {
    return {.name = "returning_split", .one_ported = false, .keeps_round_order = true};
}
constexpr std::size_t blocks_for(collective::reduce_scatter, returning_split const&, std::size_t size,
                                 std::size_t /*bytes*/) {
    return size;
}
inline lazy_schedule generate(collective::reduce_scatter, returning_split const&, problem const& at) {
    return split_and_return_parts(at);
}

}  // namespace tutti::generators

BOOST_AUTO_TEST_SUITE(generator_split_reduce_scatter)

using namespace tutti;
using namespace tutti::analysis;
using boost::test_tools::per_element;

namespace {

constexpr collective::reduce_scatter reduce_scatter;
auto const result = buffer::result();

std::vector<step> steps_of(std::size_t rank, std::size_t size, partition const& cut) {
    return ranges::to<std::vector>(generate(reduce_scatter, split{}, problem{rank, size, 0, cut}));
}

block_list blocks_of(std::vector<std::size_t> const& blocks) {
    block_list all;
    for (auto const block : blocks) { all.append({block, block + 1}); }
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rank_gets_its_part_in_rank_order) {
    laws::check_schedules(reduce_scatter, split{});
    laws::check_lengths(reduce_scatter, split{});
    std::vector<partition> own_counts{partition::of_sizes(std::vector<std::size_t>{3, 0, 5, 1, 0, 40, 2})};
    laws::check_schedules(reduce_scatter, split{}, {7}, own_counts);
}

BOOST_AUTO_TEST_CASE(among_many_ranks_parts_go_to_their_owners_in_the_end) {
    laws::check_schedules(reduce_scatter, generators::returning_split{});
    laws::check_lengths(reduce_scatter, generators::returning_split{});
    laws::check_schedules(collective::all_gather{}, reverse(generators::returning_split{}));
    std::vector<partition> own_counts{partition::of_sizes(std::vector<std::size_t>{3, 0, 5, 1, 0, 40, 2})};
    laws::check_schedules(reduce_scatter, generators::returning_split{}, {7}, own_counts);
    // each end of every message names the same blocks, also where only a few ranks are looked at
    constexpr std::size_t size = 1'000'003;
    auto const cut = partition::equal(size, size);
    std::size_t ranges = 0;
    for (step const& each : generate(reduce_scatter, split{}, problem{size / 2, size, 0, cut})) {
        if (each.what != action::send) { continue; }
        ranges += each.blocks.ranges();
        bool found = false;
        for (step const& other : generate(reduce_scatter, split{}, problem{each.peer, size, 0, cut})) {
            found |= other.receives() && other.peer == size / 2 && other.round == each.round &&
                     other.blocks == each.blocks;
        }
        BOOST_TEST(found);
    }
    BOOST_TEST(ranges <= 44U);
}

BOOST_AUTO_TEST_CASE(gives_an_all_gather_and_an_all_reduce) {
    laws::check_schedules(collective::all_gather{}, reverse(split{}));
    laws::check_lengths(collective::all_gather{}, reverse(split{}));
    laws::check_schedules(collective::all_reduce{}, then(split{}, reverse(split{})), {1, 2, 5, 8, 13, 31});
}

BOOST_AUTO_TEST_CASE(every_second_part_is_kept_then_every_fourth) {
    auto const cut = partition::equal(8, 8);
    BOOST_TEST((steps_of(5, 8, cut) ==
                std::vector<step>{
                    step::send(0, 4, result, blocks_of({0, 2, 4, 6})),
                    step::receive_combine(0, 4, result, blocks_of({1, 3, 5, 7}), side::left),
                    step::send(1, 7, result, blocks_of({3, 7})),
                    step::receive_combine(1, 7, result, blocks_of({1, 5}), side::right), step::send(2, 1, result, 1),
                    step::receive_combine(2, 1, result, 5, side::left)}));
}

BOOST_AUTO_TEST_CASE(a_rank_behind_the_pairs_works_for_two) {
    auto const cut = partition::equal(3, 3);
    BOOST_TEST((steps_of(0, 3, cut) ==
                std::vector<step>{step::send(0, 1, result, block_range{1, 3}),
                                  step::receive_combine(0, 1, result, 0, side::right),
                                  step::receive_combine(1, 2, result, 0, side::right)}));
    BOOST_TEST((steps_of(2, 3, cut) == std::vector<step>{step::send(1, 0, result, 0), step::send(1, 1, result, 1),
                                                         step::receive_combine(1, 1, result, 2, side::left)}));
}

BOOST_AUTO_TEST_CASE(neighbours_combine_first) {
    auto const seven = bracketings(reduce_scatter, split{}, 7, 0, partition::equal(7, 7), 3);
    BOOST_TEST(seven[3] == "(((0+1)+(2+3))+((4+5)+6))");
}

BOOST_AUTO_TEST_CASE(rounds_and_volume_are_the_least) {
    for (std::size_t size = 1; size <= 130; ++size) {
        auto const cut = partition::equal(3 * size, size);
        auto const cost = verify(reduce_scatter, split{}, size, 0, cut);
        auto const others = 3 * (size - 1);
        BOOST_TEST(cost.ok, cost.reason);
        BOOST_TEST(cost.rounds == static_cast<std::size_t>(std::bit_width(size - 1)));
        BOOST_TEST(cost.rounds_used == cost.rounds);
        // what a rank does not keep it sends once
        auto const each = support::traffic_of(reduce_scatter, split{}, size, cut);
        BOOST_TEST(each.sent == std::vector<std::size_t>(size, others), per_element());
        BOOST_TEST(cost.combines == size * others);
        if (std::has_single_bit(size)) {
            BOOST_TEST(cost.max_messages_sent == cost.rounds);
            BOOST_TEST(cost.max_volume_received == others);
            BOOST_TEST(cost.max_combines == others);
        } else {
            BOOST_TEST(2 * cost.max_combines <= 3 * others);
            BOOST_TEST(cost.max_messages_sent < 2 * cost.rounds);
        }
    }
}

BOOST_AUTO_TEST_CASE(wants_a_block_for_every_rank_whatever_the_parameters) {
    BOOST_TEST(blocks_for(reduce_scatter, split{}, 13, 8) == 13U);
    BOOST_TEST(blocks_for(reduce_scatter, split{.halvings = 1}, 13, 8) == 13U);
    laws::check_lengths(reduce_scatter, split{.halvings = 1, .placement = split::folded}, {5, 8});
}

BOOST_AUTO_TEST_SUITE_END()
