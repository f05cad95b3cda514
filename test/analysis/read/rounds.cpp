// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <tutti/analysis/read/rounds.hpp>

BOOST_AUTO_TEST_SUITE(analysis_read_rounds)

using tutti::analysis::operation;

namespace {

constexpr auto local = operation::kind::local;
constexpr auto send = operation::kind::send;
constexpr auto receive = operation::kind::receive;

using ranks = std::vector<std::vector<operation>>;

/// "0.1@2": operation 1 of rank 0 in round 2.
std::string placed(ranks const& all) {
    std::string result;
    for (auto const& [rank, index, round] : tutti::analysis::rounds_of_operations{all}.run()) {
        result += (result.empty() ? "" : " ") + std::to_string(rank) + '.' + std::to_string(index) + '@' + std::to_string(round);
    }
    return result;
}

std::string reason_against(ranks const& all) {
    try {
        static_cast<void>(tutti::analysis::rounds_of_operations{all}.run());
    } catch (tutti::analysis::broken_schedule const& wrong) { return wrong.reason(); }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_rank_sends_and_receives_in_one_round_and_sends_on_in_the_next) {
    ranks const ring{{{send, 1, 0, {}, {"f", 1}}, {receive, 1, 0, {0}, {"f", 2}}, {send, 1, 0, {1}, {"f", 3}}, {receive, 1, 0, {2}, {"f", 4}}},
                     {{send, 0, 0, {}, {"f", 5}}, {receive, 0, 0, {0}, {"f", 6}}, {send, 0, 0, {1}, {"f", 7}}, {receive, 0, 0, {2}, {"f", 8}}}};
    BOOST_TEST(placed(ring) == "0.0@0 1.0@0 0.1@0 1.1@0 0.2@1 1.2@1 0.3@1 1.3@1");
}

BOOST_AUTO_TEST_CASE(what_is_computed_takes_no_round) {
    ranks const all{{{local, 0, 0, {}, {"f", 1}}, {send, 1, 0, {0}, {"f", 2}}},
                    {{receive, 0, 0, {}, {"f", 3}}, {local, 0, 0, {0}, {"f", 4}}, {send, 2, 0, {1}, {"f", 5}}},
                    {{receive, 1, 0, {}, {"f", 6}}}};
    BOOST_TEST(placed(all) == "0.0@0 0.1@0 1.0@0 1.1@0 1.2@1 2.0@1");
}

BOOST_AUTO_TEST_CASE(messages_of_two_ranks_keep_their_order_on_all_channels) {
    ranks const all{{{send, 1, 7, {}, {"f", 1}}, {send, 1, 8, {0}, {"f", 2}}},
                    {{receive, 0, 8, {}, {"f", 3}}, {receive, 0, 7, {}, {"f", 4}}}};
    BOOST_TEST(placed(all) == "0.0@0 1.1@0 0.1@1 1.0@1");
    ranks const overtaking{{{send, 1, 7, {}, {"f", 1}}, {send, 1, 8, {0}, {"f", 2}}},
                           {{receive, 0, 8, {}, {"f", 3}}, {receive, 0, 7, {0}, {"f", 4}}}};
    BOOST_TEST(reason_against(overtaking) ==
               "f:3: the message of line 1 comes from rank 0 before this one, on another channel: this dependence cannot be "
               "kept");
}

BOOST_AUTO_TEST_CASE(what_waits_without_end_is_refused_with_its_line) {
    ranks const deadlock{{{receive, 1, 0, {}, {"f", 1}}, {send, 1, 0, {0}, {"f", 2}}},
                         {{receive, 0, 0, {}, {"f", 3}}, {send, 0, 0, {0}, {"f", 4}}}};
    BOOST_TEST(reason_against(deadlock) == "f:1: the message from rank 1 never comes: a deadlock");
    BOOST_TEST(reason_against({{}, {{send, 0, 0, {}, {"f", 5}}}}) == "f:5: this message is never received");
    BOOST_TEST(reason_against({{}, {{local, 0, 0, {1}, {"f", 6}}, {local, 0, 0, {0}, {"f", 7}}}}) ==
               "f:6: this waits for what never ends");
}

BOOST_AUTO_TEST_SUITE_END()
