// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <ostream>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <tutti/generator/binomial.hpp>

BOOST_AUTO_TEST_SUITE(generator_binomial)

using namespace tutti;
using namespace tutti::analysis;

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
            auto const cost = verify(collective::reduce{}, binomial{}, size, root % size, cut);
            BOOST_TEST(cost.rounds == rounds);
            BOOST_TEST(cost.rounds_used == rounds);
            BOOST_TEST(cost.messages == size - 1);
            BOOST_TEST(cost.volume == 5 * (size - 1));
            BOOST_TEST(cost.max_messages_sent <= 1U);
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

BOOST_AUTO_TEST_SUITE_END()
