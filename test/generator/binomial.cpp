// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <ostream>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/generator/binomial.hpp>

BOOST_AUTO_TEST_SUITE(generator_binomial)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

struct message {
    std::size_t round;
    std::size_t sender;
    std::size_t receiver;
    friend bool operator==(message const&, message const&) = default;
    friend std::ostream& operator<<(std::ostream& out, message const& each) {
        return out << "round " << each.round << ": " << each.sender << "->" << each.receiver;
    }
};

/// All messages, round by round, in the order of their senders.
std::vector<message> messages(std::size_t size, std::size_t root) {
    auto const cut = partition::equal(1, 1);
    std::vector<message> all;
    for (std::size_t rank = 0; rank < size; ++rank) {
        for (auto const& each : generate(collective::reduce{}, binomial{}, problem{rank, size, root, cut})) {
            if (each.what == action::send) { all.push_back({each.round, rank, each.peer}); }
        }
    }
    std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.round < b.round; });
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root) { laws::check_schedules(collective::reduce{}, binomial{}); }

BOOST_AUTO_TEST_CASE(takes_ceil_log2_rounds_and_one_message_per_rank_but_the_root) {
    auto const cut = partition::equal(5, 1);
    for (std::size_t size = 1; size <= 40; ++size) {
        auto const rounds = static_cast<std::size_t>(std::bit_width(size - 1));
        for (auto const root : laws::roots<collective::reduce>(size)) {
            cost::check(collective::reduce{}, binomial{}, size, root % size, cut, cost::rounds == rounds,
                        cost::rounds_used == rounds, cost::messages == size - 1, cost::volume == 5 * (size - 1),
                        cost::max_messages_sent <= 1U);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_root_stands_for_every_group_it_is_in) {
    auto const cut = partition::equal(1, 1);
    std::vector<std::size_t> peers;
    for (auto const& each : generate(collective::reduce{}, binomial{}, problem{5, 7, 5, cut})) {
        peers.push_back(each.peer);
    }
    BOOST_TEST(peers == (std::vector<std::size_t>{4, 6, 0}));
    BOOST_TEST(bracketings(collective::reduce{}, binomial{}, 7, 5, cut, 5).front() == "(((0+1)+(2+3))+((4+5)+6))");
}

BOOST_AUTO_TEST_CASE(neighbouring_groups_merge_without_a_detour_over_rank_0) {
    std::vector<message> const root_3{{0, 1, 0}, {0, 2, 3}, {0, 5, 4}, {1, 0, 3}, {2, 4, 3}};
    BOOST_TEST(messages(6, 3) == root_3, boost::test_tools::per_element());
    std::vector<message> const root_5{{0, 1, 0}, {0, 3, 2}, {0, 4, 5}, {1, 2, 0}, {1, 6, 5}, {2, 0, 5}};
    BOOST_TEST(messages(7, 5) == root_5, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(takes_as_many_rounds_for_every_root) {
    auto const cut = partition::equal(1, 1);
    for (std::size_t size = 1; size <= 130; ++size) {
        for (std::size_t root = 0; root < size; ++root) {
            auto const sent = messages(size, root);
            BOOST_TEST(sent.size() == size - 1);
            BOOST_TEST(generate(collective::reduce{}, binomial{}, problem{0, size, root, cut}).rounds() ==
                       static_cast<std::size_t>(std::bit_width(size - 1)));
        }
        if (size > 40) { size += 12; }
    }
}

BOOST_AUTO_TEST_CASE(a_rank_takes_part_in_the_splits_of_its_ranges) {
    using splits = tutti::dynamic_array<range_split>;
    BOOST_TEST((splits_of(0, 6) == splits{{0, 0, 3, 6}, {1, 0, 2, 3}, {2, 0, 1, 2}}));
    BOOST_TEST((splits_of(3, 6) == splits{{0, 0, 3, 6}, {1, 3, 5, 6}, {2, 3, 4, 5}}));
    BOOST_TEST((splits_of(2, 6) == splits{{1, 0, 2, 3}}));
    BOOST_TEST((splits_of(4, 6) == splits{{2, 3, 4, 5}}));
    BOOST_TEST(splits_of(0, 1).empty());
}

BOOST_AUTO_TEST_CASE(every_rank_but_the_first_is_once_in_the_middle_and_both_ends_know_it) {
    for (std::size_t size = 1; size <= 70; ++size) {
        for (std::size_t rank = 0; rank < size; ++rank) {
            auto const own = splits_of(rank, size);
            std::size_t in_the_middle = 0;
            for (std::size_t i = 0; i < own.size(); ++i) {
                auto const& split = own[i];
                BOOST_TEST(split.level < split_levels(size));
                BOOST_TEST((split.first < split.middle && split.middle < split.last && split.last <= size));
                auto const larger = split.middle - split.first - (split.last - split.middle);
                BOOST_TEST(larger <= 1U);
                if (rank != split.middle) { continue; }
                ++in_the_middle;
                BOOST_TEST(i == 0U);
                auto const others = splits_of(split.first, size);
                BOOST_TEST(std::count(others.begin(), others.end(), split) == 1);
            }
            BOOST_TEST(in_the_middle == (rank == 0 ? 0U : 1U));
        }
    }
}

BOOST_AUTO_TEST_CASE(levels_are_the_logarithm_rounded_up) {
    tutti::dynamic_array<std::size_t> levels;
    for (std::size_t const size : {1U, 2U, 3U, 4U, 5U, 8U, 9U, 64U, 65U}) { levels.push_back(split_levels(size)); }
    BOOST_TEST((levels == tutti::dynamic_array<std::size_t>{0, 1, 2, 2, 3, 3, 4, 6, 7}));
}

BOOST_AUTO_TEST_CASE(parts_go_out_and_come_back_for_any_root) {
    laws::check_schedules(collective::scatter{}, binomial{});
    laws::check_schedules(collective::gather{}, reverse(binomial{}));
    laws::check_lengths(collective::scatter{}, binomial{});
    laws::check_lengths(collective::gather{}, reverse(binomial{}));
}

BOOST_AUTO_TEST_CASE(ranges_of_ranks_are_halved_from_the_root_on) {
    auto const cut = partition::equal(12, 6);
    auto const of = [&](std::size_t rank) {
        std::vector<step> steps;
        for (step const& each : generate(collective::scatter{}, binomial{}, problem{rank, 6, 2, cut})) {
            steps.push_back(each);
        }
        return steps;
    };
    // positions 0 .. 5 are ranks 2 3 4 | 5 0 1
    auto const upper = block_list::cyclic(5, 3, 6);
    std::vector<step> const root{step::send(0, 5, buffer::result(), upper), step::send(1, 4, buffer::result(), 4),
                                 step::send(2, 3, buffer::result(), 3)};
    std::vector<step> const middle{step::receive(0, 2, buffer::result(), upper), step::send(1, 1, buffer::result(), 1),
                                   step::send(2, 0, buffer::result(), 0)};
    BOOST_TEST((of(2) == root));
    BOOST_TEST((of(5) == middle));
    BOOST_TEST((of(0) == std::vector<step>{step::receive(2, 5, buffer::result(), 0)}));
}

BOOST_AUTO_TEST_CASE(rounds_are_the_least_and_only_what_a_half_owns_is_sent) {
    for (std::size_t size = 1; size <= 40; ++size) {
        for (std::size_t const root : {std::size_t{0}, size / 3, size - 1}) {
            cost::check(collective::scatter{}, binomial{}, size, root, support::one_block_each(size, 2),
                        cost::rounds == static_cast<std::size_t>(std::bit_width(size - 1)),
                        cost::rounds_used == cost::rounds, cost::messages == size - 1,
                        cost::max_volume_sent == 2 * (size - 1));
        }
    }
    auto const six = support::count_messages(collective::scatter{}, binomial{}, 6, 0, support::uneven_six());
    BOOST_TEST(six.elements_sent == (std::vector<std::size_t>{16, 0, 0, 1, 0, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_rank_has_one_block) {
    BOOST_TEST(blocks_for(collective::scatter{}, binomial{}, 7, 1000) == 7U);
    BOOST_TEST(blocks_for(collective::gather{}, reverse(binomial{}), 7, 1000) == 7U);
    BOOST_TEST(blocks_for(collective::reduce{}, binomial{}, 7, 1000) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
