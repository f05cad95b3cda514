// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/program/ready_mode.hpp>

BOOST_AUTO_TEST_SUITE(program_ready_mode)

using namespace tutti;
using namespace tutti::container;
using namespace tutti::engine;
using namespace tutti::schedules;

namespace {

constexpr location workspace{location::first_workspace, 0};

/// One instruction on `elements` elements in `ranges` ranges, and the instructions that it waits for.
struct written {
    action what;
    int peer;
    std::size_t elements;
    std::uint32_t ranges;
    std::vector<std::uint32_t> after = {};
};

tutti::engine::program program_of(std::vector<written> const& all) {
    tutti::engine::program result;
    dynamic_array<dependence> edges;
    peer_order order;
    for (auto const& each : all) {
        auto const index = static_cast<std::uint32_t>(result.instructions.size());
        instruction next;
        next.what = each.what;
        next.peer = each.peer;
        next.elements = each.elements;
        next.first_range = static_cast<std::uint32_t>(result.ranges.size());
        next.last_range = next.first_range + each.ranges;
        next.same_peer = order.next(next, index);
        for (std::uint32_t i = 0; i != each.ranges; ++i) {
            auto const count = each.elements / each.ranges;
            location const own{location::output, i * count};
            location const incoming{location::incoming, i * count};
            switch (each.what) {
            case action::receive: result.ranges.push_back({count, incoming, {}, own}); break;
            case action::receive_combine: result.ranges.push_back({count, incoming, own, own}); break;
            default: result.ranges.push_back({count, own, {}, own});
            }
        }
        for (auto const earlier : each.after) { edges.push_back({earlier, index}); }
        result.instructions.push_back(next);
    }
    lay_out_followers(result, edges);
    return result;
}

/// "receive 1: 10" for ten elements from rank 1, "send 1: no data", ..., each followed by "after" what it waits for.
std::vector<std::string> texts_of(tutti::engine::program const& run) {
    std::vector<std::string> result;
    std::vector<std::string> after(run.instructions.size());
    for (std::size_t i = 0; i != run.instructions.size(); ++i) {
        auto const& each = run.instructions[i];
        std::string text = each.is_ready_send ? "ready " : "";
        text += each.what == action::send              ? "send"
                : each.what == action::receive         ? "receive"
                : each.what == action::receive_combine ? "receive_combine"
                : each.what == action::combine         ? "combine"
                                                       : "copy";
        text += ' ' + std::to_string(each.peer) + ": " +
                (each.has_data() ? std::to_string(each.elements) : std::string{"no data"});
        for (auto f = each.first_follower; f != each.last_follower; ++f) {
            after[run.followers[f]] += ' ' + std::to_string(i);
        }
        result.push_back(text + (after[i].empty() ? "" : " after" + after[i]));
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(receives_come_first_then_clear_to_sends_then_the_rest) {
    auto const run = ready_mode_pass{program_of({{action::send, 1, 10, 1},
                                                 {action::receive, 2, 10, 1},
                                                 {action::receive_combine, 1, 10, 1, {0}},
                                                 {action::send, 2, 10, 1, {1, 2}}})}();
    BOOST_TEST(texts_of(run) ==
                   (std::vector<std::string>{"receive 1: no data", "receive 2: no data",  // that data may go there
                                             "receive 2: 10", "receive 1: 10",  // to its place; to memory of its own
                                             "send 2: no data", "send 1: no data",  // all receives are posted
                                             "ready send 1: 10 after 0", "combine 1: 10 after 3 6",
                                             "ready send 2: 10 after 1 2 7"}),
               boost::test_tools::per_element());
    BOOST_TEST(run.posted_first == 4U);
    BOOST_TEST(run.instructions[3].same_peer == 0U);  // the clear to send of a rank is the first that it sends
    BOOST_TEST(run.instructions[6].same_peer == 5U);
}

BOOST_AUTO_TEST_CASE(what_cannot_go_to_its_place_yet_has_memory_of_its_own) {
    auto const run = ready_mode_pass{program_of({{action::combine, 0, 10, 1},
                                                 {action::receive, 1, 10, 1},
                                                 {action::receive, 1, 10, 1, {0}},     // others use the place first
                                                 {action::receive, 1, 10, 2},          // more than one place
                                                 {action::receive_combine, 1, 10, 1},
                                                 {action::receive_combine, 1, 10, 2, {1}}})}();
    auto const target = [&](std::size_t i) { return run.ranges[run.instructions[i].first_range].target; };
    BOOST_TEST((target(0) == location{location::output, 0}));
    for (std::size_t i = 1; i != 5; ++i) { BOOST_TEST((target(i) == location{workspace.memory, 10 * (i - 1)})); }
    BOOST_TEST(run.workspaces.size() == 1U);
    BOOST_TEST(run.workspaces[0] == 40U);
    // then it is copied or combined from there
    auto const& last = run.instructions.back();
    BOOST_TEST((last.what == action::combine && last.last_range - last.first_range == 2U));
    BOOST_TEST((run.ranges[last.first_range].left == location{workspace.memory, 30}));
    BOOST_TEST((run.ranges[last.first_range + 1].left == location{workspace.memory, 35}));
    BOOST_TEST((run.ranges[last.first_range + 1].right == location{location::output, 5}));
}

BOOST_AUTO_TEST_CASE(a_program_without_messages_stays_as_it_is) {
    auto const run = ready_mode_pass{program_of({{action::copy, 0, 10, 1}, {action::copy, 0, 10, 1, {0}}})}();
    BOOST_TEST(texts_of(run) == (std::vector<std::string>{"copy 0: 10", "copy 0: 10 after 0"}),
               boost::test_tools::per_element());
    BOOST_TEST(run.posted_first == 0U);
    BOOST_TEST((ready_mode_pass{tutti::engine::program{}}().instructions.empty()));
}

BOOST_AUTO_TEST_SUITE_END()
