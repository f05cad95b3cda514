// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/execution/transport.hpp>

BOOST_AUTO_TEST_SUITE(execution_transport)

using tutti::engine::unexpected_messages;

namespace {

tutti::engine::received_fragment<int> message(std::uint32_t instruction, std::size_t first) {
    return {{instruction, false, first, 1, 0}, {}, nullptr, false};
}

/// The first elements of the messages that come out, in order of size.
std::vector<std::size_t> taken(unexpected_messages<int>& held, std::uint32_t instruction) {
    std::vector<std::size_t> result;
    held.dispatch(instruction, [&](auto const& received) {
        BOOST_TEST(received.what.instruction == instruction);
        result.push_back(received.what.first);
    });
    std::sort(result.begin(), result.end());
    return result;
}

using numbers = std::vector<std::size_t>;

}  // namespace

BOOST_AUTO_TEST_CASE(each_instruction_gets_its_own_messages_once) {
    unexpected_messages<int> held{4};
    for (std::size_t first = 0; first != 3; ++first) {
        held.hold(message(1, first));
        held.hold(message(3, 10 + first));
    }
    BOOST_TEST((taken(held, 0) == numbers{}));
    BOOST_TEST((taken(held, 1) == numbers{0, 1, 2}));
    BOOST_TEST((taken(held, 1) == numbers{}));
    held.hold(message(2, 5));
    held.hold(message(3, 13));
    BOOST_TEST((taken(held, 3) == numbers{10, 11, 12, 13}));
    BOOST_TEST((taken(held, 2) == numbers{5}));
}

BOOST_AUTO_TEST_CASE(places_are_used_again) {
    unexpected_messages<int> held{3};
    for (std::uint32_t round = 0; round != 1000; ++round) {
        held.hold(message(round % 3, round));
        held.hold(message(round % 2, round + 5000U));
        if (round % 2 == 0) { continue; }
        std::size_t count = 0;
        for (std::uint32_t i = 0; i != 3; ++i) { count += taken(held, i).size(); }
        BOOST_TEST(count == 4U);
    }
}

// An operator that is applied to one message may let others come in.
BOOST_AUTO_TEST_CASE(messages_may_come_while_others_are_taken) {
    unexpected_messages<int> held{2};
    held.hold(message(0, 0));
    numbers seen;
    held.dispatch(0, [&](auto const& received) {
        seen.push_back(received.what.first);
        if (received.what.first < 200) { held.hold(message(0, received.what.first + 1)); }
        if (received.what.first == 100) { held.hold(message(1, 7)); }
    });
    BOOST_TEST(seen.size() == 201U);
    BOOST_TEST((taken(held, 1) == numbers{7}));
}

BOOST_AUTO_TEST_CASE(messages_can_be_changed_where_they_are) {
    unexpected_messages<int> held{2};
    held.hold(message(0, 1));
    held.hold(message(1, 2));
    held.visit_new(1, [](auto& received) { received.missing = true; });
    held.dispatch(0, [](auto const& received) { BOOST_TEST(!received.missing); });
    held.dispatch(1, [](auto const& received) { BOOST_TEST(received.missing); });
}

BOOST_AUTO_TEST_CASE(each_message_is_visited_once) {
    unexpected_messages<int> held{1};
    numbers seen;
    auto const visit = [&] { held.visit_new(0, [&](auto const& received) { seen.push_back(received.what.first); }); };
    held.hold(message(0, 1));
    held.hold(message(0, 2));
    visit();
    visit();
    BOOST_TEST((seen == numbers{2, 1}));
    held.hold(message(0, 3));
    visit();
    BOOST_TEST((seen == numbers{2, 1, 3}));
    BOOST_TEST(taken(held, 0).size() == 3U);
    held.hold(message(0, 4));
    visit();
    BOOST_TEST((seen == numbers{2, 1, 3, 4}));
}

BOOST_AUTO_TEST_CASE(another_run_begins_with_none) {
    unexpected_messages<int> held{2};
    held.hold(message(0, 1));
    held.clear();
    BOOST_TEST((taken(held, 0) == numbers{}));
    held.hold(message(1, 2));
    BOOST_TEST((taken(held, 1) == numbers{2}));
}

BOOST_AUTO_TEST_SUITE_END()
